//! Invariants: what held before of the variables that were read.

use primed_value::host::Result;
use primed_value::value::Value;

use super::{Asked, Memo, Subject};
use crate::compile::Expression;
use crate::env::Env;
use crate::node::Node;

/// The outcome of a formula that is true; no other is remembered.
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
    /// Whether each conjunct of a formula is known to hold in a state.
    pub fn holds(&mut self, predicate: Predicate, row: &[u32], values: &[Value<'_>]) -> bool {
        predicate.count > 0
            && (predicate.first..predicate.first + predicate.count).all(|piece| self.piece_holds(piece, Asked { row, values }))
    }

    fn piece_holds(&mut self, piece: usize, asked: Asked<'_, '_>) -> bool {
        while self.predicates.len() <= piece {
            let root = self.tries.root();
            self.predicates.push(Subject { root, pure: true, ..Subject::default() });
        }
        let subject = &mut self.predicates[piece];
        let known = subject.asks() && self.tries.outcome(subject.root, asked) == Some(TRUE);
        if known {
            self.predicates[piece].answered += 1;
        }
        known
    }
}

impl Expression {
    /// As [`Expression::holds`] of a formula of the current state; each conjunct that is true is remembered.
    ///
    /// # Errors
    /// Whatever the evaluation gives; a value that is not a Boolean is one.
    pub fn holds_watched<'a>(&'a self, env: &mut Env<'a>, predicate: Predicate) -> Result<bool> {
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
    /// Whether a conjunct holds; it is remembered if it does.
    fn piece(&mut self, piece: usize, code: &'a dyn Node) -> Result<bool> {
        let Some(memo) = &mut self.memo else { return code.test(self) };
        let subject = memo.predicates.get(piece).copied().unwrap_or_default();
        if !subject.pure || subject.pause > 0 {
            return code.test(self);
        }
        // The part of the next-state relation that found the state is being watched, too.
        std::mem::swap(&mut memo.watch, &mut memo.other_watch);
        memo.watch.begin(true);
        self.watching = true;
        let result = code.test(self);
        self.watching = false;
        if let Some(memo) = &mut self.memo {
            let Memo { watch, other_watch, tries, predicates, .. } = &mut **memo;
            match predicates.get_mut(piece) {
                Some(subject) if !watch.is_sound() => {
                    subject.spoilt += 1;
                    subject.pure = subject.spoilt < super::MOST_SPOILT;
                }
                Some(subject) if matches!(result, Ok(true)) => {
                    tries.insert(subject.root, &watch.reads, TRUE);
                }
                _ => {}
            }
            std::mem::swap(watch, other_watch);
        }
        result
    }
}
