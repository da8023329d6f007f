//! State functions and operators: what they gave before, for the same arguments, by what they read of the state.
//!
//! A property of steps that is that of another specification says of every step the same, and of each variable of the other
//! specification that it is some function of the state; an operator that is recursive, or uses one that is, takes long. They are
//! computed once for all states that agree in what they read.

use primed_value::freeze;
use primed_value::host::Result;
use primed_value::intern::{Interner, ValueId};
use primed_value::value::Value;

use super::shared::Root;
use super::trie::{Location, Node, Tries};
use super::{Asked, Memo, Subject};
use crate::env::Env;
use crate::nodes::remembered::Remembered;

/// The rows of the current and of the next state, and whose numbers they consist of.
#[derive(Clone, Debug)]
pub(crate) struct Rows<'a> {
    interner: &'a Interner,
    /// Empty if it is not known.
    states: [Vec<u32>; 2],
    /// The values of the current state.
    values: Vec<Value<'a>>,
    /// The row of the current state with the numbers of arguments behind it.
    longer: Vec<u32>,
}

impl Rows<'_> {
    /// What a function is asked about. Of state functions only whole variables are noted.
    fn asked(&self, function: &Remembered) -> Asked<'_, '_> {
        match function.arguments.is_empty() {
            true => Asked { row: &self.states[usize::from(function.next)], values: &[] },
            false => Asked { row: &self.longer, values: &self.values },
        }
    }
}

/// What is known of a function for a state and arguments.
enum Known {
    Value(u32),
    Not,
    NotAsked,
}

impl Memo {
    fn function(&mut self, number: u32, asked: Asked<'_, '_>) -> Known {
        while self.functions.len() <= number as usize {
            let root = self.tries.root(Root::Function(self.functions.len() as u32));
            self.functions.push(Subject { root, pure: true, ..Subject::default() });
        }
        let subject = &mut self.functions[number as usize];
        if asked.row.is_empty() || !subject.asks() {
            return Known::NotAsked;
        }
        match self.tries.outcome(subject.root, asked) {
            Some(outcome) => {
                self.functions[number as usize].answered += 1;
                Known::Value(outcome)
            }
            None => Known::Not,
        }
    }

    /// What is being watched has read what a function did: it depends on that too.
    fn note_all(&mut self, reads: &[(u32, u32)], row: &[u32]) {
        for (location, id) in reads {
            let place = self.tries.place(*location);
            // Arguments were noted when they were evaluated.
            let Some(whole) = row.get(place.variable as usize).filter(|_| (place.variable as usize) < self.width)
            else {
                continue;
            };
            match self.watch.is_coarse() {
                true => {
                    let location = self.tries.location(Location::variable(place.variable));
                    self.watch.note(location, *whole);
                }
                false => self.watch.note(*location, *id),
            }
        }
    }

    /// Notes the arguments of the function that is watched now.
    fn note_arguments(&mut self, arguments: &[u32]) {
        for (variable, id) in (self.width as u32..).zip(arguments) {
            let location = self.tries.location(Location::variable(variable));
            self.watch.note(location, *id);
        }
    }
}

impl Tries {
    /// The places that are read on the way to the outcome for a state, and the values there.
    fn reads(&self, root: u32, asked: Asked<'_, '_>) -> Vec<(u32, u32)> {
        let (mut at, mut reads) = (self.start(root), Vec::new());
        while let Some(Node::Read { number, location }) = at {
            let Some(id) = self.read(location, asked) else { break };
            reads.push((location, id));
            at = self.follow(number, id);
        }
        reads
    }
}

impl<'a> Env<'a> {
    /// Tells the row of the current state, all of whose values are of the table: until the current state is another one functions
    /// are remembered by it.
    pub fn tell_row(&mut self, interner: &'a Interner, row: &[u32]) {
        self.rows = None;
        if !self.program.remembers {
            return;
        }
        let values: Option<Vec<Value<'a>>> = self.current.iter().copied().collect();
        if let (Some(values), true) = (values, self.memo.is_some() && !row.is_empty()) {
            let states = [row.to_vec(), Vec::new()];
            self.rows = Some(Box::new(Rows { interner, states, values, longer: Vec::new() }));
        }
    }

    /// Tells the row of the next state, too; an empty one if it is not known any more.
    pub fn tell_next_row(&mut self, row: &[u32]) {
        if let Some(rows) = &mut self.rows {
            rows.states[1].clear();
            rows.states[1].extend_from_slice(row);
        }
    }

    /// The current state is another one than was told.
    pub fn forget_rows(&mut self) {
        self.rows = None;
    }

    /// What a function gives, if that is remembered or can be; nothing if it is to be evaluated as it stands.
    pub(crate) fn remembered_function(&mut self, function: &'a Remembered) -> Option<Result<Value<'a>>> {
        let exchanged = self.memo.as_ref()?.watch.is_exchanged();
        if self.watching && (exchanged || function.next) {
            return None;
        }
        let arguments = self.argument_numbers(function)?;
        let (Some(memo), Some(rows)) = (&mut self.memo, &mut self.rows) else { return None };
        if !arguments.is_empty() {
            rows.longer.clear();
            rows.longer.extend_from_slice(&rows.states[0]);
            rows.longer.extend_from_slice(&arguments);
        }
        let asked = rows.asked(function);
        match memo.function(function.number, asked) {
            Known::NotAsked => None,
            Known::Value(id) => {
                if self.watching {
                    let root = memo.functions[function.number as usize].root;
                    let reads = memo.tries.reads(root, asked);
                    memo.note_all(&reads, &rows.states[0]);
                }
                Some(Ok(rows.interner.get(self.arena, ValueId(id))))
            }
            Known::Not => Some(self.learn_function(function, &arguments)),
        }
    }

    /// The numbers of the arguments; nothing if one cannot be had now.
    fn argument_numbers(&mut self, function: &'a Remembered) -> Option<Vec<u32>> {
        let mut numbers = Vec::with_capacity(function.arguments.len());
        for argument in &function.arguments {
            let value = argument.eval(self).ok()?;
            let interner = self.rows.as_ref()?.interner;
            let id = if freeze::is_listed(value) { interner.intern(self, value).ok()? } else { return None };
            numbers.push(id.0);
        }
        Some(numbers)
    }

    fn learn_function(&mut self, function: &'a Remembered, arguments: &[u32]) -> Result<Value<'a>> {
        let (Some(memo), Some(interner)) = (&mut self.memo, self.rows.as_ref().map(|rows| rows.interner)) else {
            return function.here.eval(self);
        };
        let outer = memo.watch_inside(function.arguments.is_empty());
        memo.note_arguments(arguments);
        let watched = std::mem::replace(&mut self.watching, true);
        let evaluate = |env: &mut Env<'a>| {
            let arena = env.arena;
            let value = function.run(env, &mut arguments.iter().map(|id| interner.get(arena, ValueId(*id)))).ok()?;
            if freeze::is_listed(value) { interner.intern(env, value).ok() } else { None }
        };
        let outcome = if function.next { self.exchanging(evaluate) } else { evaluate(self) };
        self.watching = watched;
        if let Some(memo) = &mut self.memo {
            let inner = memo.watch_again(outer);
            let subject = &mut memo.functions[function.number as usize];
            match outcome {
                Some(id) => subject.learn(&mut memo.tries, &inner, Some(id.0)),
                // What fails, or is computed later, does so again.
                None => subject.spoil(),
            }
            if watched {
                match &self.rows {
                    Some(rows) if inner.is_sound() => memo.note_all(&inner.reads, &rows.states[0]),
                    _ => memo.watch.spoiled = true,
                }
                self.watching = memo.watch.is_sound();
            }
            memo.spare.push(inner);
        }
        match outcome {
            Some(id) => Ok(interner.get(self.arena, id)),
            // As it stands it says what is wrong in the right words, or gives what is computed later.
            None => function.here.eval(self),
        }
    }
}
