//! How many values each variable has, if somebody asks (TLC's message 2779).

use std::sync::{Mutex, PoisonError};

use hashbrown::HashSet;
use primed_semantics::model::{Model, VariableId};

use crate::model::coverage::VariableCount;

/// The values of each variable in the states that steps led to, by their numbers; nothing if nobody asks.
#[derive(Debug, Default)]
pub(super) struct Values(Option<Mutex<Vec<HashSet<u32, ahash::RandomState>>>>);

impl Values {
    pub(super) fn new(variables: usize, asked: bool) -> Values {
        Values(asked.then(|| Mutex::new(vec![HashSet::default(); variables])))
    }

    /// A step led to a new state with this row, which will be expanded if it is `inside` of the constraints.
    #[inline]
    pub(super) fn found(&self, row: &[u32], inside: bool) {
        if let Some(values) = self.0.as_ref().filter(|_| inside) {
            let mut values = values.lock().unwrap_or_else(PoisonError::into_inner);
            for (values, value) in values.iter_mut().zip(row) {
                values.insert(*value);
            }
        }
    }

    /// What was found so far. TLC estimates the number.
    pub(super) fn counts(&self, model: &Model) -> Vec<VariableCount> {
        let Some(values) = &self.0 else { return Vec::new() };
        let values = values.lock().unwrap_or_else(PoisonError::into_inner);
        let count = |id: &VariableId| {
            let (variable, values) = (model.variables.get(id.0 as usize)?, values.get(id.0 as usize)?);
            let (name, place) = (variable.name.to_string(), model.describe(variable.place));
            Some(VariableCount { name, place, values: values.len() as u64 })
        };
        model.shown.iter().filter_map(count).collect()
    }
}
