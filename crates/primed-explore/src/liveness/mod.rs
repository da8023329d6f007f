//! Temporal properties: is there a behaviour that satisfies the fairness conditions and violates a property?

pub mod along;
mod check;
mod components;
pub mod formula;
pub mod graph;
pub mod lasso;
pub mod normal;
pub(crate) mod product;
pub(crate) mod recorder;
mod tableau;
#[cfg(test)]
mod tests;
mod watch;

/// When the state graph is searched for a behaviour that disproves temporal properties. A behaviour that a finite prefix
/// disproves is found at once, whatever this says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Liveness {
    /// Never.
    Never,
    /// When all states are known.
    AtEnd,
    /// Also while the search goes on, which may have no end: each time that there are [`GROWTH`] times the states of the last.
    #[default]
    Meanwhile,
}

/// Distinct states before the graph is first searched while the search goes on.
pub(crate) const FIRST_GRAPH: usize = 1 << 17;
/// How many times the states there have to be before it is searched again: all searches together cost a third of the last.
pub const GROWTH: usize = 4;
