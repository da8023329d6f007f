//! TLA+ values as TLC has them.

pub mod arithmetic;
pub mod build;
pub mod compare;
pub mod error;
mod fail;
pub mod freeze;
pub mod functions;
pub mod hash;
pub mod host;
pub mod iterate;
pub mod itf;
pub mod json;
pub mod limits;
mod membership;
pub mod print;
pub mod sequences;
pub mod sets;
mod size;
pub mod symbol;
pub mod value;
