//! Invariants and constraints: what held before of the variables that were read.

use primed_value::host::Result;

use super::shared::Root;
use super::{Asked, Memo, Subject};
use crate::compile::Expression;
use crate::env::Env;
use crate::node::Node;

/// The outcome of a formula that is true; that of one that is false is 0.
const TRUE: u32 = 1;

/// The formula taken apart into conjuncts.
fn pieces<'n>(code: &'n dyn Node, out: &mut Vec<&'n dyn Node>) {
    match code.conjuncts() {
        Some(conjuncts) => conjuncts.into_iter().for_each(|c| pieces(c, out)),
        None => out.push(code),
    }
}

/// A formula of one state that is asked again and again, and its place among those that a [`Memo`] knows.
#[derive(Clone, Copy, Debug)]
pub struct Predicate {
    first: usize,
    count: usize,
}

impl Predicate {
    /// Gives each formula its place, in order.
    pub fn all<'e>(expressions: impl Iterator<Item = &'e Expression>) -> Vec<Predicate> {
        let mut first = 0;
        let mut place = |expression: &Expression| {
            let mut all = Vec::new();
            pieces(&*expression.code, &mut all);
            let predicate = Predicate { first, count: if expression.pure { all.len() } else { 0 } };
            first += predicate.count;
            predicate
        };
        expressions.map(&mut place).collect()
    }
}

impl Memo {
    /// Whether a formula holds in a state, if that is known: all its conjuncts do, or those up to one that does not.
    fn holds(&mut self, predicate: Predicate, row: &[u32]) -> Option<bool> {
        // Only whole variables are noted.
        let asked = Asked { row, values: &[] };
        for piece in predicate.first..predicate.first + predicate.count {
            if !self.piece_holds(piece, asked)? {
                return Some(false);
            }
        }
        (predicate.count > 0).then_some(true)
    }

    fn piece_holds(&mut self, piece: usize, asked: Asked<'_, '_>) -> Option<bool> {
        while self.predicates.len() <= piece {
            let root = self.tries.root(Root::Predicate(self.predicates.len() as u32));
            self.predicates.push(Subject { root, pure: true, ..Subject::default() });
        }
        let subject = &mut self.predicates[piece];
        let outcome = if subject.asks() { self.tries.outcome(subject.root, asked) } else { None };
        if outcome.is_some() {
            self.predicates[piece].answered += 1;
        }
        outcome.map(|outcome| outcome == TRUE)
    }
}

impl Expression {
    /// As [`Expression::holds`] of a formula of the current state, whose row this is; it is asked of what is remembered first, and
    /// remembered then.
    ///
    /// # Errors
    /// Whatever the evaluation gives; a value that is not a Boolean is one.
    pub fn holds_again<'a>(&'a self, env: &mut Env<'a>, predicate: Predicate, row: &[u32]) -> Result<bool> {
        if let Some(known) = env.is_known_to_hold(predicate, row) {
            return Ok(known);
        }
        let paused = std::mem::replace(&mut env.watching, false);
        let result = self.watch(env, predicate);
        env.watching = paused;
        match result {
            Ok(Some(holds)) => Ok(holds),
            // As a whole it says what is wrong in the right words.
            _ => self.holds(env),
        }
    }

    /// Nothing if something cannot be evaluated, or is not to be remembered.
    fn watch<'a>(&'a self, env: &mut Env<'a>, predicate: Predicate) -> Result<Option<bool>> {
        if predicate.count == 0 || env.memo.is_none() {
            return Ok(None);
        }
        let mut all = Vec::new();
        pieces(&*self.code, &mut all);
        env.in_frame(self.frame as usize, |env| {
            for (piece, code) in (predicate.first..).zip(all) {
                if !env.piece(piece, code)? {
                    return Ok(Some(false));
                }
            }
            Ok(Some(true))
        })
    }
}

impl<'a> Env<'a> {
    /// Whether a formula holds in a state with this row, if that is remembered.
    #[inline]
    pub fn is_known_to_hold(&mut self, predicate: Predicate, row: &[u32]) -> Option<bool> {
        self.memo.as_mut()?.holds(predicate, row)
    }

    /// Whether a conjunct holds; it is remembered if it does.
    fn piece(&mut self, piece: usize, code: &'a dyn Node) -> Result<bool> {
        let Some(memo) = &mut self.memo else { return code.test(self) };
        let subject = memo.predicates.get(piece).copied().unwrap_or_default();
        if !subject.pure || subject.pause > 0 {
            return code.test(self);
        }
        let outer = memo.watch_inside(true);
        self.watching = true;
        let result = code.test(self);
        self.watching = false;
        if let Some(memo) = &mut self.memo {
            let inner = memo.watch_again(outer);
            if let Some(subject) = memo.predicates.get_mut(piece) {
                let outcome = result.as_ref().ok().map(|holds| u32::from(*holds) * TRUE);
                subject.learn(&mut memo.tries, &inner, outcome);
            }
            memo.spare.push(inner);
        }
        result
    }
}
