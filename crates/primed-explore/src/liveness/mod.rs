//! Temporal properties: is there a behaviour that satisfies the fairness conditions and violates a property?

pub mod along;
mod check;
mod components;
pub mod formula;
pub mod graph;
pub mod lasso;
pub mod normal;
mod product;
pub(crate) mod recorder;
mod tableau;
#[cfg(test)]
mod tests;
mod watch;
