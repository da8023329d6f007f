//! How often each action was taken, as TLC lists it (messages 2772 and 2773).

use std::sync::atomic::Ordering;

use primed_engine::compile::ActionCount;
use primed_engine::coverage::{CostLine, Role};
use primed_semantics::model::{Expr, ExprKind, Model, Named};
use primed_value::error::Place;

use crate::model::ModelChecker;
use crate::model::counterexample::Location;
use crate::model::report::Coverage;

/// What a formula that is counted is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CoverageKind {
    /// The initial predicate, or a conjunct of it.
    #[default]
    Initial,
    /// A part of the next-state relation.
    Action,
    /// An invariant.
    Invariant,
    /// An action constraint.
    ActionConstraint,
    /// A constraint.
    Constraint,
}

/// How often an expression was evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionCount {
    /// In TLC's words: `line 5, col 9 to line 5, col 16 of module M`.
    pub place: String,
    /// How many of the expressions around it are listed too.
    pub depth: usize,
    /// Evaluations. Of a conjunct of an action, those count too that led to a state.
    pub count: u64,
    /// Elements that were gone through, of sets that it made, as far as they are counted.
    pub cost: u64,
}

/// How many values a variable had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableCount {
    /// The variable.
    pub name: String,
    /// Where it is declared, in TLC's words.
    pub place: String,
    /// Different values in the states that steps led to.
    pub values: u64,
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

    /// The initial predicate, then the actions in the order of their places; if evaluations are counted, then invariants and
    /// constraints.
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
            let (kind, expressions) = (CoverageKind::Action, self.expressions(Role::Next(action.place)));
            let counted = Coverage { kind, name, declaration, place, part, distinct, generated, expressions };
            actions.push((action.place, counted));
        }
        actions.sort_by_key(|(place, _)| (place.file, place.start, place.end));
        all.extend(actions.into_iter().map(|(_, coverage)| coverage));
        if !self.program.costs().is_empty() {
            all.extend(self.judged());
        }
        all
    }

    /// Invariants, action constraints and constraints.
    fn judged(&self) -> Vec<Coverage> {
        let behaviour = &self.model.behaviour;
        let mut all = Vec::new();
        let mut add = |kind: CoverageKind, formulas: &[Named], role: fn(usize) -> Role| {
            for (i, formula) in formulas.iter().enumerate() {
                let counted = Coverage { kind, expressions: self.expressions(role(i)), ..Coverage::default() };
                let [no, yes] = self.program.costs().whole(role(i)).unwrap_or_default();
                let counted = match kind {
                    CoverageKind::Invariant => counted,
                    _ => Coverage { distinct: yes, generated: yes + no, ..counted },
                };
                all.push(self.located(&formula.expr, counted));
            }
        };
        add(CoverageKind::Invariant, &behaviour.invariants, Role::Invariant);
        add(CoverageKind::ActionConstraint, &behaviour.action_constraints, Role::ActionConstraint);
        add(CoverageKind::Constraint, &behaviour.constraints, Role::Constraint);
        all
    }

    fn expressions(&self, role: Role) -> Vec<ExpressionCount> {
        let lines = self.program.costs().lines(role).into_iter();
        let line = |CostLine { place, depth, count, cost }| ExpressionCount {
            place: self.model.describe(place),
            depth,
            count,
            cost,
        };
        lines.map(line).collect()
    }

    fn initial_coverage(&self, [generated, _]: [u64; 2]) -> Coverage {
        let counted = Coverage { generated, distinct: generated, ..Coverage::default() };
        let Some(init) = &self.model.behaviour.init else { return counted };
        let counted = match self.program.costs().whole(Role::Initial(0)) {
            // What was refused when all variables had values counts among what was generated.
            Some([given, refused]) => Coverage { distinct: given, generated: given + refused, ..counted },
            None => counted,
        };
        self.located(init, Coverage { expressions: self.expressions(Role::Initial(0)), ..counted })
    }

    /// With the name and the places of a formula that the configuration names.
    fn located(&self, expr: &Expr, counted: Coverage) -> Coverage {
        let ExprKind::Call { definition, .. } = &*expr.kind else {
            return Coverage { place: self.model.describe(expr.place), ..counted };
        };
        let name = self.model.qualified_name(*definition);
        let definition = self.model.definition(*definition);
        let declaration = left_side(&self.model, definition.place, &name);
        let place = self.model.describe(definition.body.place);
        Coverage { name: Some(name.to_string()), declaration, place, ..counted }
    }
}

impl Coverage {
    /// TLC's lines about it, with the numbers of its messages: a heading, then the expressions.
    pub fn lines(&self) -> Vec<(u32, String)> {
        let (heading, Coverage { distinct, generated, .. }) = (self.heading(), self);
        let (code, counts) = match self.kind {
            CoverageKind::Initial => (2773, true),
            CoverageKind::Action => (2772, true),
            CoverageKind::Invariant => (2774, false),
            CoverageKind::ActionConstraint | CoverageKind::Constraint => (2778, true),
        };
        let counts = if counts { format!(": {distinct}:{generated}") } else { String::new() };
        let expression = |ExpressionCount { place, depth, count, cost }: &ExpressionCount| {
            let bars = "|".repeat(*depth);
            match cost {
                0 => (2221, format!("  {bars}{place}: {count}")),
                _ => (2775, format!("  {bars}{place}: {count}:{cost}")),
            }
        };
        [(code, format!("{heading}{counts}"))].into_iter().chain(self.expressions.iter().map(expression)).collect()
    }

    /// The operator with its place, and the part of it that is meant.
    fn heading(&self) -> String {
        let name = self.name.as_deref().unwrap_or("Action");
        let part =
            self.part.map(|[line, column, end_line, end_column]| format!(" ({line} {column} {end_line} {end_column})"));
        match &self.declaration {
            Some(declaration) => format!("<{name} {declaration}{}>", part.unwrap_or_default()),
            None => format!("<{name} {}>", self.place),
        }
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
