//! The nodes of compiled expressions.

pub(crate) mod ahead;
pub(crate) mod applied;
pub(crate) mod atoms;
pub(crate) mod binders;
pub(crate) mod calls;
pub(crate) mod composition;
pub(crate) mod control;
pub(crate) mod counted;
pub(crate) mod functions;
pub(crate) mod given;
pub(crate) mod image;
pub(crate) mod kept;
pub(crate) mod kind;
pub(crate) mod logic;
pub(crate) mod once;
pub(crate) mod passed;
pub(crate) mod path;
pub(crate) mod placed;
pub(crate) mod remembered;
pub(crate) mod sets;
pub(crate) mod step;
pub(crate) mod tagged;
