//! What TLC says of an evaluation error, with the place that its words end with.

use primed_value::error::{EvalError, Place};

use crate::model::ModelChecker;
use crate::model::failure::Failure;

/// How TLC's words begin that end with a place, of what values are asked for.
const LOCATED: [&str; 6] = [
    "A non-function (",
    "In computing ",
    "Attempted to select ",
    "Attempted to apply the operator DOMAIN",
    "Attempted to evaluate an expression of form S \\subseteq T",
    "TLC encountered a non-enumerable quantifier bound",
];

impl ModelChecker {
    /// TLC's words. Of an action that leaves a variable open TLC tells the name, if there are several actions.
    pub(super) fn message(&self, failure: &Failure) -> String {
        let error = &failure.error;
        let action = failure.action.checked_sub(1).and_then(|i| self.next.actions.get(i as usize));
        match action {
            Some(action) if error.code == 2109 && self.next.actions.len() > 1 => {
                let name = action.name.as_deref().unwrap_or("UnnamedAction");
                let by = format!("by action {name} of the next-state relation.");
                error.message.replacen("by the next-state action.", &by, 1)
            }
            _ => self.words(error),
        }
    }

    /// TLC's words of an error with the place, or the number, that they end with.
    pub(super) fn words(&self, error: &EvalError) -> String {
        // Of a value that is no Boolean TLC tells where it was expected; of others, where it has none it can use.
        let found = |place: &Place| match error.code {
            2215 => Some((" ", *place)),
            _ => LOCATED.iter().any(|start| error.message.starts_with(start)).then_some(("\n", *place)),
        };
        let first = error.places.first().and_then(found);
        let Some((after, place)) = error.told.or(first) else { return error.message.clone() };
        let words = error.message.split(" It found ").next().filter(|_| error.code == 2215).unwrap_or(&error.message);
        let text = self.model.text(place);
        match !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
            true => format!("{words}{after}{text}"),
            false => format!("{words}{after}{}", self.model.describe(place)),
        }
    }
}
