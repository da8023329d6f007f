//! How often each action was taken, as TLC lists it (messages 2772 and 2773).

use std::sync::atomic::Ordering;

use primed_engine::compile::ActionCount;
use primed_semantics::model::{ExprKind, Model};
use primed_value::error::Place;

use crate::model::ModelChecker;
use crate::model::counterexample::Location;
use crate::model::report::Coverage;

/// How often an expression was evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionCount {
    /// In TLC's words: `line 5, col 9 to line 5, col 16 of module M`.
    pub place: String,
    /// How many of the expressions around it are listed too.
    pub depth: usize,
    /// Evaluations, those of all its uses together.
    pub count: u64,
}

/// How often an action was taken that TLC counts with another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnerCount {
    /// Its name.
    pub name: String,
    /// The action that it stands in, as TLC counts it; `None` if that has no name.
    pub within: Option<String>,
    /// Where its formula stands, in TLC's words.
    pub place: String,
    /// States that it led to, duplicates included.
    pub generated: u64,
}

impl ModelChecker {
    /// How often the expressions of the specification were evaluated so far, in the order of the text, if the settings asked for
    /// it. As in TLC's list (message 2221), one within another is left out if it was evaluated as often as that.
    pub fn expression_counts(&self) -> Vec<ExpressionCount> {
        let mut listed = Vec::new();
        let mut around: Vec<(Place, u64)> = Vec::new();
        for (place, count) in self.program.counts() {
            while around.last().is_some_and(|(outer, _)| outer.file != place.file || outer.end < place.end) {
                around.pop();
            }
            if around.last().is_none_or(|(_, outer)| *outer != count) && !self.model.is_standard(place) {
                listed.push(ExpressionCount { place: self.model.describe(place), depth: around.len(), count });
                around.push((place, count));
            }
        }
        listed
    }

    /// The actions that TLC does not tell apart, if the settings asked for them to be counted: their names, the name of the action
    /// that each stands in, where it stands, and the states that it led to so far.
    pub fn action_counts(&self) -> Vec<InnerCount> {
        let count = |inside: &ActionCount| {
            let definition = self.model.definition(inside.definition);
            let exported = self.model.exports.iter().find(|(_, id)| *id == inside.definition);
            InnerCount {
                name: exported.map_or(&definition.name, |(name, _)| name).to_string(),
                within: inside.within.as_ref().map(ToString::to_string),
                place: self.model.describe(definition.body.place),
                generated: inside.generated.load(Ordering::Relaxed),
            }
        };
        self.inside.iter().map(count).collect()
    }

    /// The initial predicate, then the actions in the order of their places.
    pub(super) fn coverage(&self, taken: &[[u64; 2]]) -> Vec<Coverage> {
        let count = |number: usize| taken.get(number).copied().unwrap_or_default();
        let mut all = vec![self.initial_coverage(count(0))];
        let mut actions: Vec<(Place, Coverage)> = Vec::new();
        for (i, action) in self.next.actions.iter().enumerate() {
            let [generated, distinct] = count(i + 1);
            let place = self.model.describe(action.place);
            let name = action.name.as_ref().map(ToString::to_string);
            if let Some((_, known)) = actions.iter_mut().find(|(_, c)| c.place == place && c.name == name) {
                // The same formula, reached in several ways.
                known.generated += generated;
                known.distinct += distinct;
                continue;
            }
            let declaration = action.definition.zip(name.as_deref());
            let declaration = declaration.and_then(|(definition, name)| left_side(&self.model, definition, name));
            let part = Location::of(&self.model, action.place).filter(|_| !action.whole);
            let part = part.map(|location| location.numbers().map(|(_, n)| n));
            actions.push((action.place, Coverage { name, declaration, place, part, distinct, generated }));
        }
        actions.sort_by_key(|(place, _)| (place.file, place.start, place.end));
        all.extend(actions.into_iter().map(|(_, coverage)| coverage));
        all
    }

    fn initial_coverage(&self, [generated, distinct]: [u64; 2]) -> Coverage {
        let counted = Coverage { generated, distinct, ..Coverage::default() };
        let Some(init) = &self.model.behaviour.init else { return counted };
        let ExprKind::Call { definition, .. } = &*init.kind else {
            return Coverage { place: self.model.describe(init.place), ..counted };
        };
        let name = self.model.qualified_name(*definition);
        let definition = self.model.definition(*definition);
        let declaration = left_side(&self.model, definition.place, &name);
        let place = self.model.describe(definition.body.place);
        Coverage { name: Some(name.to_string()), declaration, place, ..counted }
    }
}

/// The place of what stands before `==` in a definition, in TLC's words. For a LET definition the place of its body is given,
/// and the left side stands before that.
fn left_side(model: &Model, definition: Place, name: &str) -> Option<String> {
    let file = model.sources.get(definition.file as usize)?;
    let name = name.rsplit('!').next().unwrap_or(name);
    let from = definition.start as usize;
    let text = file.text();
    let starts_here = text.get(from..)?.starts_with(name) || text.get(from..definition.end as usize)?.contains("==");
    let start = if starts_here { from } else { text.get(..from)?.rfind(name)? };
    let left = text.get(start..)?.split("==").next()?.trim_end();
    let place = Place { file: definition.file, start: start as u32, end: (start + left.len()) as u32 };
    Some(model.describe(place))
}
