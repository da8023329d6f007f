//! What one expansion finds, and how much memory that takes.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use crate::liveness::recorder::Notebook;
use crate::progress::Progress;
use crate::search::{End, Limit, Search, Step, short};
use crate::space::{StateSpace, Visit, Visited, Visitor};
use crate::store::{Hand, Origin, StateId};

/// States that one expansion generates before memory is looked at: one alone may lead to any number.
const LOOK_INSIDE: u64 = 1 << 12;
/// Memory is looked at, too, when the values of one expansion have grown by this part of the limit.
const LOOK_GROWTH: usize = 32;
/// An expansion that has generated so many states is ended by who does not want to wait; a smaller one is finished, so that a
/// checkpoint makes sense.
const LARGE: u64 = 1 << 20;

/// One expansion: the state that is expanded, and the new states found by it.
pub(crate) struct Expansion<'e, 's, 'h, S: StateSpace> {
    search: &'e Search<'s, S>,
    /// The state that is expanded; `None` while initial states are generated.
    from: Option<StateId>,
    next: &'e mut Vec<StateId>,
    hand: &'e mut Hand<'h>,
    /// For temporal properties.
    notebook: &'e mut Notebook,
    /// States generated.
    pub(crate) generated: u64,
    /// How many were, when memory was looked at last.
    looked_at: u64,
    /// Bytes that its values took then.
    held: usize,
    /// States on the way to them.
    passed: u64,
    /// What does not count after all: states, and new ones.
    uncounted: (u64, u64),
    /// Of these, the new ones.
    new: u64,
    /// What was violated ended the search.
    pub(crate) ended: bool,
}

impl<'e, 's, 'h, S: StateSpace> Expansion<'e, 's, 'h, S> {
    pub(crate) fn new(
        search: &'e Search<'s, S>,
        from: Option<StateId>,
        (next, hand): (&'e mut Vec<StateId>, &'e mut Hand<'h>),
        notebook: &'e mut Notebook,
    ) -> Self {
        Expansion {
            search,
            from,
            next,
            hand,
            notebook,
            generated: 0,
            looked_at: 0,
            held: 0,
            passed: 0,
            uncounted: (0, 0),
            new: 0,
            ended: false,
        }
    }

    /// Looks at memory; true ends the expansion before it is complete.
    #[cold]
    fn look(&mut self, held: usize) -> bool {
        let search = self.search;
        search.held.fetch_add(held, Ordering::Relaxed);
        search.held.fetch_sub(self.held, Ordering::Relaxed);
        (self.looked_at, self.held) = (self.generated, held);
        search.look_at_memory(search.standing.load(Ordering::Relaxed) + self.next.capacity() * size_of::<StateId>());
        let over = search.out_of_memory() || self.generated >= LARGE && search.look_at_stop();
        search.broken.fetch_or(over, Ordering::Relaxed);
        over
    }

    /// Adds what was found.
    pub(crate) fn count(&self, tally: &mut Tally) {
        if self.held > 0 {
            self.search.held.fetch_sub(self.held, Ordering::Relaxed);
        }
        let (generated, new) = self.uncounted;
        tally.generated += (self.generated + self.passed).saturating_sub(generated);
        tally.new += self.new.saturating_sub(new);
    }
}

/// What a worker found since it told last: the counters that all share are not written for each state.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// States expanded.
    pub(crate) expanded: u64,
    generated: u64,
    new: u64,
}

impl Tally {
    /// Adds everything to the counters.
    pub(crate) fn tell(&mut self, progress: &Progress) {
        let Tally { expanded, generated, new } = std::mem::take(self);
        progress.generated.fetch_add(generated, Ordering::Relaxed);
        progress.distinct.fetch_add(new, Ordering::Relaxed);
        match new.checked_sub(expanded) {
            Some(more) => progress.queue.fetch_add(more, Ordering::Relaxed),
            None => progress.queue.fetch_sub(expanded - new, Ordering::Relaxed),
        };
    }
}

impl<S: StateSpace> Visitor<S::Violation> for Expansion<'_, '_, '_, S> {
    fn visit(&mut self, visit: Visit<'_>) -> Visited {
        self.generated += 1;
        let search = self.search;
        if !visit.inside {
            return Visited::Outside;
        }
        let key = if search.space.key_width() == 0 { visit.row } else { visit.key };
        let visited = self.hand.insert(visit.row, key, Origin { from: self.from, action: visit.action });
        if let Visited::New(id) | Visited::Known(id) = visited {
            match (&search.recorder, search.settings.deepening) {
                (Some(_), _) => self.notebook.successors.add(short(id), visit.row),
                (None, Some(_)) => self.notebook.seen.push(id),
                (None, None) => {}
            }
        }
        if let Visited::New(id) = visited {
            self.next.push(id);
            self.new += 1;
            if search.recorder.as_ref().is_some_and(|r| r.problem.asks_ahead()) {
                self.notebook.successors.fresh.extend_from_slice(visit.row);
            }
            if self.next.len() > search.settings.max_states {
                search.finish(End::Limit(Limit::States));
            }
        }
        visited
    }

    fn passed(&mut self, states: u64) {
        self.passed += states;
    }

    fn uncounted(&mut self, generated: u64, new: u64) {
        self.uncounted = (self.uncounted.0 + generated, self.uncounted.1 + new);
    }

    fn violated(&mut self, violation: S::Violation, row: &[u32], action: u32) -> bool {
        let mut path = self.from.map(|from| self.search.path(from)).unwrap_or_default();
        path.push(Step { row: row.to_vec(), action });
        if self.search.settings.keep_going && !self.search.space.ends(&violation) {
            let mut violations = self.search.violations.lock().unwrap_or_else(PoisonError::into_inner);
            violations.push((violation, path));
            return true;
        }
        self.search.finish(End::Violation(violation, path));
        self.ended = true;
        false
    }

    fn path(&self) -> Vec<Vec<u32>> {
        let path = self.from.map(|from| self.search.path(from)).unwrap_or_default();
        path.into_iter().map(|step| step.row).collect()
    }

    fn is_over(&mut self, held: usize) -> bool {
        let grown = held.saturating_sub(self.held) > self.search.settings.max_bytes / LOOK_GROWTH;
        let look = grown || self.generated - self.looked_at >= LOOK_INSIDE;
        look && self.look(held) || self.from.is_none() && self.search.look_at_stop()
    }
}
