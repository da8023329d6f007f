//! What the part that is being run reads, and what it finds.

use hashbrown::HashMap;
use primed_value::intern::same_word;
use primed_value::value::{Closure, Value};

use super::shared::Root;
use super::trie::{Inserted, Location};
use super::{Decision, Memo};
use crate::env::Env;

/// Most places that one part may read.
const MOST_READS: usize = 64;
/// Most successors of one part.
const MOST_SUCCESSORS: usize = 256;

/// Where a variable's next value comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// This value, by its number.
    Value(u32),
    /// What this trie gives.
    Trie(u32),
}

/// A variable that a successor changes, or that another successor begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) variable: u32,
    pub(crate) source: Source,
}

impl Written {
    /// Another successor begins.
    const BEGINS: Written = Written { variable: u32::MAX, source: Source::Value(0) };

    /// What follows is of another successor.
    #[inline]
    pub(crate) fn begins(&self) -> bool {
        self.variable == Self::BEGINS.variable
    }
}

/// How a variable of the state that is being found got its value.
#[derive(Clone, Copy, Debug)]
enum Binding {
    /// It has none.
    Open,
    /// From what was read so far.
    Read,
    /// It stays as it is.
    Unchanged,
    /// From an expression that was evaluated apart, by its number in [`Watch::apart`].
    Apart(u32),
}

/// An expression that was evaluated apart: its trie, and its reads.
#[derive(Clone, Copy, Debug)]
struct Apart {
    root: u32,
    first: usize,
    last: usize,
}

/// How the variables of the state that was looked for got their values, while another is looked for inside of an evaluation.
#[derive(Debug)]
pub(crate) struct Bindings {
    pending: Binding,
    bindings: Vec<Binding>,
    inside: bool,
}

#[derive(Debug)]
pub(crate) struct Watch {
    /// Something depends on more than what can be noted.
    pub(crate) spoiled: bool,
    /// A part of the next-state relation is being run.
    active: bool,
    /// Current and next state are exchanged.
    exchanged: bool,
    /// Whole variables are noted, not parts of them.
    coarse: bool,
    /// An expression is evaluated apart.
    apart_now: bool,
    /// Place and value, in the order of the first reading.
    pub(crate) reads: Vec<(u32, u32)>,
    apart_reads: Vec<(u32, u32)>,
    /// Where those of the expression that is evaluated apart begin.
    apart_first: usize,
    apart: Vec<Apart>,
    /// How the variable that gets its value next gets it.
    pending: Binding,
    bindings: Vec<Binding>,
    /// The bindings are those of a state that is looked for inside of an evaluation, as ENABLED does.
    inside: bool,
    /// When each place was read last, and what time it is.
    seen: Vec<u64>,
    epoch: u64,
    /// How many successors there are.
    pub(crate) successors: usize,
    pub(crate) changes: Vec<Written>,
    /// Tries of expressions, by part and number of the assignment.
    pub(crate) roots: HashMap<(usize, u32), u32, ahash::RandomState>,
}

impl Watch {
    pub(crate) fn new(width: usize) -> Watch {
        Watch {
            spoiled: false,
            active: false,
            exchanged: false,
            coarse: false,
            apart_now: false,
            reads: Vec::new(),
            apart_reads: Vec::new(),
            apart_first: 0,
            apart: Vec::new(),
            pending: Binding::Read,
            bindings: vec![Binding::Open; width],
            inside: false,
            seen: Vec::new(),
            epoch: 0,
            successors: 0,
            changes: Vec::new(),
            roots: HashMap::default(),
        }
    }

    pub(crate) fn begin(&mut self, coarse: bool) {
        (self.spoiled, self.exchanged, self.coarse, self.apart_now) = (false, false, coarse, false);
        (self.pending, self.inside) = (Binding::Read, false);
        self.bindings.fill(Binding::Open);
        self.epoch += 1;
        self.reads.clear();
        self.apart_reads.clear();
        self.apart.clear();
        self.successors = 0;
        self.changes.clear();
    }

    /// Tries and places have new numbers.
    pub(crate) fn forget(&mut self) {
        self.roots.clear();
        self.seen.clear();
    }

    /// What was noted is all that matters.
    pub(crate) fn is_sound(&self) -> bool {
        !self.spoiled
    }

    pub(crate) fn is_coarse(&self) -> bool {
        self.coarse
    }

    pub(crate) fn is_exchanged(&self) -> bool {
        self.exchanged
    }

    /// A place is read that holds the value of this number.
    pub(crate) fn note(&mut self, location: u32, id: u32) {
        let (reads, first) = match self.apart_now {
            true => (&mut self.apart_reads, self.apart_first),
            false => (&mut self.reads, 0),
        };
        if self.apart_now {
            if reads[first..].iter().any(|(known, _)| *known == location) {
                return;
            }
        } else {
            if self.seen.len() <= location as usize {
                self.seen.resize(location as usize + 1, 0);
            }
            if std::mem::replace(&mut self.seen[location as usize], self.epoch) == self.epoch {
                return;
            }
        }
        if reads.len() - first >= MOST_READS {
            self.spoiled = true;
            return;
        }
        reads.push((location, id));
    }
}

impl Memo {
    /// A place is read.
    fn note(&mut self, location: Location, value: Value<'_>) {
        match self.tries.table.known(value) {
            Some(id) => {
                let location = self.tries.location(location);
                self.watch.note(location, id.0);
            }
            None => self.watch.spoiled = true,
        }
    }
}

impl<'a> Env<'a> {
    /// What is run now depends on more than what is noted.
    #[cold]
    pub(crate) fn spoil(&mut self) {
        self.watching = false;
        if let Some(memo) = &mut self.memo {
            memo.watch.spoiled = true;
        }
    }

    /// Another next state is looked for, inside of an evaluation: what is read on the way decides, like everything else, what was
    /// begun. Nothing if that cannot be watched.
    #[cold]
    pub(crate) fn watch_another(&mut self, width: usize) -> Option<Bindings> {
        let watch = self.memo.as_mut().map(|memo| &mut memo.watch).filter(|watch| !watch.exchanged);
        let Some(watch) = watch else {
            // Where the states are exchanged, what is read is one that is replaced.
            self.spoil();
            return None;
        };
        let bindings = std::mem::replace(&mut watch.bindings, vec![Binding::Open; width]);
        let pending = std::mem::replace(&mut watch.pending, Binding::Read);
        Some(Bindings { pending, bindings, inside: std::mem::replace(&mut watch.inside, true) })
    }

    /// Back to the state that was looked for first, if that was watched.
    pub(crate) fn watch_first(&mut self, first: Option<Bindings>) {
        if let (Some(memo), Some(first)) = (&mut self.memo, first) {
            let watch = &mut memo.watch;
            (watch.pending, watch.bindings, watch.inside) = (first.pending, first.bindings, first.inside);
        }
    }

    /// A variable of the current state is read.
    #[cold]
    pub(crate) fn reads(&mut self, variable: u32) {
        if self.memo.as_ref().is_some_and(|memo| memo.watch.exchanged) {
            return self.reads_found(variable, false);
        }
        self.notes(Location::variable(variable), self.current[variable as usize]);
    }

    /// A part of a variable's value is read, which is `value`.
    #[cold]
    pub(crate) fn reads_part(&mut self, location: Location, value: Value<'a>) {
        match self.memo.as_ref().is_some_and(|memo| memo.watch.exchanged || memo.watch.coarse) {
            true => self.reads(location.variable),
            false => self.notes(location, Some(value)),
        }
    }

    fn notes(&mut self, location: Location, value: Option<Value<'a>>) {
        match (&mut self.memo, value) {
            (Some(memo), Some(value)) => memo.note(location, value),
            _ => self.spoil(),
        }
    }

    /// A variable of the next state is read.
    #[cold]
    pub(crate) fn reads_next(&mut self, variable: u32) {
        if self.memo.as_ref().is_some_and(|memo| memo.watch.exchanged) {
            // It is the current one.
            return self.notes(Location::variable(variable), self.next[variable as usize]);
        }
        self.reads_found(variable, true);
    }

    /// A variable of the state that is being found is read: what it depends on.
    fn reads_found(&mut self, variable: u32, plain: bool) {
        let Some(memo) = &mut self.memo else { return };
        let watch = &mut memo.watch;
        if !watch.inside && (watch.coarse || watch.apart_now) {
            // Only actions know how a value came about.
            return self.spoil();
        }
        match watch.bindings.get(variable as usize) {
            // It has no value yet.
            None | Some(Binding::Open) => self.spoil(),
            Some(Binding::Read) => {}
            Some(Binding::Unchanged) => {
                let current = if plain { &self.current } else { &self.next };
                let value = current[variable as usize];
                self.notes(Location::variable(variable), value);
            }
            Some(Binding::Apart(number)) => {
                let Apart { first, last, .. } = watch.apart[*number as usize];
                for read in first..last {
                    let (location, id) = watch.apart_reads[read];
                    watch.note(location, id);
                }
            }
        }
    }

    /// What a closure captured is the current state.
    #[cold]
    pub(crate) fn captured_here(&self, closure: &Closure<'a>) -> bool {
        let exchanged = self.memo.as_ref().is_some_and(|memo| memo.watch.exchanged);
        let same = |(a, b): (&Option<Value<'a>>, &Option<Value<'a>>)| match (a, b) {
            (Some(a), Some(b)) => same_word(*a, *b),
            (None, None) => true,
            _ => false,
        };
        closure.state.is_empty()
            || !exchanged
                && closure.state.len() == self.current.len()
                && closure.state.iter().zip(&self.current).all(same)
                && closure.next.iter().zip(&self.next).all(same)
    }

    /// Current and next state have been exchanged, or back.
    pub(crate) fn exchanged(&mut self) {
        if self.watching
            && let Some(memo) = &mut self.memo
        {
            memo.watch.exchanged ^= true;
        }
    }

    /// The variable that gets its value next stays as it is.
    #[inline]
    pub(crate) fn will_stay(&mut self) {
        if let Some(memo) = &mut self.memo {
            memo.watch.pending = Binding::Unchanged;
        }
    }

    /// A variable of the next state gets its value.
    #[cold]
    pub(crate) fn binds(&mut self, variable: u32, value: Value<'a>) {
        if !primed_value::freeze::is_listed(value) {
            // What it depends on is read later, when nobody notes it.
            return self.spoil();
        }
        if let Some(memo) = &mut self.memo {
            let binding = std::mem::replace(&mut memo.watch.pending, Binding::Read);
            if let Some(slot) = memo.watch.bindings.get_mut(variable as usize) {
                *slot = binding;
            }
        }
    }

    /// Evaluates what an assignment gives, by its number, apart: what it reads decides nothing but this value.
    #[cold]
    pub(crate) fn apart<T>(
        &mut self,
        assignment: u32,
        run: impl FnOnce(&mut Env<'a>) -> primed_value::host::Result<T>,
    ) -> primed_value::host::Result<T> {
        let Some(memo) = &mut self.memo else { return run(self) };
        if memo.watch.apart_now || memo.watch.exchanged || memo.watch.inside {
            return run(self);
        }
        memo.watch.apart_now = true;
        memo.watch.apart_first = memo.watch.apart_reads.len();
        let result = run(self);
        if let Some(memo) = &mut self.memo {
            let part = memo.part;
            let Memo { watch, tries, .. } = &mut **memo;
            let root = *watch
                .roots
                .entry((part, assignment))
                .or_insert_with(|| tries.root(Root::Assigned(part as u32, assignment)));
            watch.apart_now = false;
            watch.apart.push(Apart { root, first: watch.apart_first, last: watch.apart_reads.len() });
            watch.pending = Binding::Apart(watch.apart.len() as u32 - 1);
        }
        result
    }

    /// Gives the environment what was remembered, for one state of which everything is looked up.
    pub fn put_memo(&mut self, memo: Box<Memo>) {
        self.memo = Some(memo);
    }

    /// Takes it back; `complete` if the state was expanded to the end.
    pub fn take_memo(&mut self, complete: bool) -> Option<Box<Memo>> {
        self.watching = false;
        let mut memo = self.memo.take()?;
        if complete {
            memo.met_all();
        }
        Some(memo)
    }

    /// The successor of this number of those that are remembered for the current state: its action, and its row.
    pub fn remembered(&self, number: usize, row: &mut Vec<u32>) -> Option<u32> {
        let memo = self.memo.as_deref()?;
        let action = *memo.actions.get(number)?;
        row.clear();
        row.extend_from_slice(&memo.rows[number * memo.width..(number + 1) * memo.width]);
        Some(action)
    }

    /// If the state that was found is one that was remembered, its row. The next state in the environment is none, then.
    #[inline]
    pub fn given(&self) -> Option<&[u32]> {
        let memo = self.memo.as_deref()?;
        let number = memo.given?;
        memo.rows.get(number * memo.width..(number + 1) * memo.width)
    }

    /// Remembers the state that was found, if the part that found it is watched. `row` is its row.
    pub fn remember(&mut self, row: &[u32]) {
        let Some(memo) = self.memo.as_deref_mut().filter(|memo| memo.watch.active) else { return };
        let Memo { watch, tries, .. } = memo;
        if watch.successors >= MOST_SUCCESSORS || row.len() != watch.bindings.len() {
            watch.spoiled = true;
        }
        if watch.spoiled {
            return;
        }
        watch.successors += 1;
        watch.changes.push(Written::BEGINS);
        for (variable, (binding, id)) in (0..).zip(watch.bindings.iter().zip(row)) {
            let source = match binding {
                Binding::Open => {
                    watch.spoiled = true;
                    return;
                }
                Binding::Unchanged => continue,
                Binding::Read => Source::Value(*id),
                Binding::Apart(number) => {
                    let Apart { root, first, last } = watch.apart[*number as usize];
                    match tries.insert(root, &watch.apart_reads[first..last], &mut |_| *id) {
                        Inserted::New => {}
                        Inserted::Known(known) if known == *id => {}
                        _ => {
                            watch.spoiled = true;
                            return;
                        }
                    }
                    Source::Trie(root)
                }
            };
            watch.changes.push(Written { variable, source });
        }
    }

    /// Runs a part of the next-state relation, or hands out what it is known to find.
    pub(crate) fn part(
        &mut self,
        (action, pure): (u32, bool),
        run: &mut dyn FnMut(
            &mut Env<'a>,
            &mut crate::node::Out<'_, 'a>,
        ) -> primed_value::host::Result<crate::node::Flow>,
        out: &mut crate::node::Out<'_, 'a>,
    ) -> primed_value::host::Result<crate::node::Flow> {
        use crate::node::Flow;
        let Some(memo) = &mut self.memo else { return run(self, out) };
        match memo.meet(action, pure) {
            Decision::Run => run(self, out),
            Decision::Found { first, last } => {
                for number in first..last {
                    if let Some(memo) = &mut self.memo {
                        memo.given = Some(number as usize);
                    }
                    let flow = out(self);
                    if let Some(memo) = &mut self.memo {
                        memo.given = None;
                    }
                    if flow? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
                Ok(Flow::Continue)
            }
            Decision::Watch => {
                memo.watch.begin(false);
                memo.watch.active = true;
                self.watching = true;
                let flow = run(self, &mut |env| {
                    env.watching = false;
                    let flow = out(env);
                    env.watching = env.memo.as_ref().is_some_and(|memo| memo.watch.is_sound());
                    flow
                });
                self.watching = false;
                if let Some(memo) = &mut self.memo {
                    memo.watch.active = false;
                    if matches!(flow, Ok(Flow::Continue)) {
                        let part = memo.part - 1;
                        memo.learn(part);
                    }
                }
                flow
            }
        }
    }
}
