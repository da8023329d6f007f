//! Which part of an invariant is false, with the values that it saw.

use bumpalo::Bump;
use primed_engine::env::Env;
use primed_engine::explain::Refusal;
use primed_explore::search::End;
use primed_value::error::Place;
use primed_windows::verdict::{Location, Reason};

use crate::model::ModelChecker;
use crate::model::space::{Failure, ModelSpace, Violation, values};
use primed_value::host::Host;

impl ModelChecker {
    /// The conditions in a violated invariant that are false; empty if that is not what was found, or if they cannot be told.
    pub(super) fn reasons(&self, space: &ModelSpace<'_>, end: &End<Violation, Failure>) -> Vec<Reason> {
        let End::Violation(Violation::Invariant(violation), path) = end else { return Vec::new() };
        let (Some(invariant), Some(last)) = (self.explanations.get(*violation), path.last()) else { return Vec::new() };
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        env.set_current(&values(&space.interner, env.arena(), &last.row));
        env.set_run(&space.run);
        env.set_level(path.len() as i64);
        let refusals = invariant.explain(&mut env).unwrap_or_default();
        refusals.iter().map(|refusal| self.reason(refusal)).collect()
    }

    fn reason(&self, refusal: &Refusal) -> Reason {
        let mut operands: Vec<(String, String)> = Vec::new();
        for operand in &refusal.operands {
            let name = match (&operand.variable, operand.place) {
                (Some(variable), _) => variable.clone(),
                (None, Some(place)) => self.location(place).text,
                (None, None) => String::new(),
            };
            let shown = (name, operand.value.clone());
            // A literal explains itself.
            if shown.0 != shown.1 && !refusal.bindings.contains(&shown) && !operands.contains(&shown) {
                operands.push(shown);
            }
        }
        Reason { location: self.location(refusal.place), bindings: refusal.bindings.clone(), operands }
    }

    fn location(&self, place: Place) -> Location {
        let text = self.model.text(place).split_whitespace().collect::<Vec<_>>().join(" ");
        match self.model.sources.get(place.file as usize) {
            Some(file) => {
                let at = file.position(place.start);
                Location { file: file.name().to_owned(), line: at.line, column: at.column, text }
            }
            None => Location { file: String::new(), line: 0, column: 0, text },
        }
    }
}
