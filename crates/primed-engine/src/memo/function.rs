//! State functions: what they were in states seen before, by the variables that they read.
//!
//! A property of steps that is that of another specification says the same of every step, and of each variable of the other
//! specification that it is some function of the state. Such a function is computed once for all states that agree in what it reads.

use primed_value::host::Result;
use primed_value::intern::{Interner, ValueId};
use primed_value::value::Value;

use super::{Asked, Memo, Subject};
use crate::env::Env;
use crate::nodes::remembered::Remembered;

/// The rows of the current and the next state, and whose numbers they consist of.
#[derive(Clone)]
pub(crate) struct Rows<'a> {
    interner: &'a Interner,
    states: [Vec<u32>; 2],
}

impl Memo {
    fn function(&mut self, number: u32, row: &[u32]) -> Known {
        while self.functions.len() <= number as usize {
            let root = self.tries.root();
            self.functions.push(Subject { root, pure: true, ..Subject::default() });
        }
        let subject = &mut self.functions[number as usize];
        if !subject.asks() {
            return Known::NotAsked;
        }
        // Only whole variables are noted.
        let Some(id) = self.tries.outcome(subject.root, Asked { row, values: &[] }) else { return Known::Not };
        self.functions[number as usize].answered += 1;
        Known::Value(ValueId(id))
    }
}

/// What is known of a state function.
enum Known {
    Value(ValueId),
    Not,
    NotAsked,
}

impl<'a> Env<'a> {
    /// Tells the rows of the current and the next state, both of which consist of values of the table; until
    /// [`Env::forget_rows`] state functions are remembered by them.
    pub fn set_rows(&mut self, interner: &'a Interner, current: &[u32], next: &[u32]) {
        if self.memo.is_none() {
            return;
        }
        let rows = self.rows.get_or_insert_with(|| Box::new(Rows { interner, states: [Vec::new(), Vec::new()] }));
        rows.interner = interner;
        for (kept, row) in rows.states.iter_mut().zip([current, next]) {
            kept.clear();
            kept.extend_from_slice(row);
        }
    }

    /// The states are others than those whose rows were told.
    pub fn forget_rows(&mut self) {
        self.rows = None;
    }

    /// The value of a state function, if it is remembered or can be; nothing if it is to be evaluated as it stands.
    pub(crate) fn state_function(&mut self, function: &'a Remembered) -> Option<Result<Value<'a>>> {
        if self.watching {
            return None;
        }
        let (Some(memo), Some(rows)) = (&mut self.memo, &self.rows) else { return None };
        match memo.function(function.number, &rows.states[usize::from(function.next)]) {
            Known::Value(id) => Some(Ok(rows.interner.get(id))),
            Known::NotAsked => None,
            Known::Not => Some(self.learn_function(function)),
        }
    }

    #[cold]
    fn learn_function(&mut self, function: &'a Remembered) -> Result<Value<'a>> {
        let rows = self.rows.take();
        if let Some(memo) = &mut self.memo {
            std::mem::swap(&mut memo.watch, &mut memo.other_watch);
            memo.watch.begin(true);
        }
        if function.next {
            std::mem::swap(&mut self.current, &mut self.next);
        }
        self.watching = true;
        let result = self.in_frame(function.frame as usize, |env| {
            let value = function.code.eval(env)?;
            // What the value still reads is read now.
            let id = match &rows {
                Some(rows) => Some(rows.interner.intern(env, value)?),
                None => None,
            };
            Ok((value, id))
        });
        self.watching = false;
        if function.next {
            std::mem::swap(&mut self.current, &mut self.next);
        }
        self.rows = rows;
        let Some(memo) = &mut self.memo else { return result.map(|(value, _)| value) };
        let full = memo.is_full();
        let Memo { watch, other_watch, tries, functions, .. } = &mut **memo;
        let subject = &mut functions[function.number as usize];
        if !watch.is_sound() {
            subject.spoilt += 1;
            subject.pure = subject.spoilt < super::MOST_SPOILT;
        } else if let (Ok((_, Some(id))), false) = (&result, full) {
            // It is emptied when the next state is expanded.
            tries.insert(subject.root, &watch.reads, id.0);
        }
        std::mem::swap(watch, other_watch);
        let (value, id) = result?;
        Ok(match (id, &self.rows) {
            (Some(id), Some(rows)) => rows.interner.get(id),
            _ => value,
        })
    }
}
