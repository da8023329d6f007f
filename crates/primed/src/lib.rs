//! A native TLA+ checker that runs inside your process.

mod error;
mod evaluate;
mod files;
mod tv;

pub use error::OpenError;
pub use evaluate::{Evaluator, ExpressionError};
pub use files::{Folders, Permissions, read_source};
pub use tv::{TvModule, TvResult};
