//! What is searched, seen from the search.

use crate::search::Step;

/// A state that was generated.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'v> {
    /// Its ids, one for each variable.
    pub row: &'v [u32],
    /// It satisfies the constraints.
    pub inside: bool,
    /// The action that led to it.
    pub action: u32,
}

/// What the search says of a generated state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visited {
    /// It was not known: check it.
    New,
    /// It was known.
    Known,
    /// It is outside the constraints and not kept: check it all the same, as TLC does.
    Outside,
}

/// A state space. Rows of equal states are equal.
pub trait StateSpace: Sync {
    /// What one worker needs for itself.
    type Worker: Send;
    /// Something that is checked and false, with the state where.
    type Found: Send;
    /// What is false.
    type Violation: Send;
    /// Why states could not be generated or checked.
    type Failure: Send;

    /// Ids in a row.
    fn width(&self) -> usize;

    /// A new worker.
    fn worker(&self) -> Self::Worker;

    /// Generates the initial states, in order, and checks those that the search calls new or outside.
    ///
    /// # Errors
    /// The space's own.
    fn initial(
        &self,
        worker: &mut Self::Worker,
        visit: &mut dyn FnMut(Visit<'_>) -> Visited,
    ) -> Result<Option<Self::Found>, Self::Failure>;

    /// Generates the successors of a state, in order, and checks those that the search calls new or outside.
    ///
    /// # Errors
    /// The space's own.
    fn successors(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        visit: &mut dyn FnMut(Visit<'_>) -> Visited,
    ) -> Result<Option<Self::Found>, Self::Failure>;

    /// Takes apart what was found.
    fn split(&self, found: Self::Found) -> (Self::Violation, Step);
}
