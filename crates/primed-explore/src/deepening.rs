//! Iterative deepening as TLC does it (`-dfid`): pass after pass from the initial states, each one level deeper than the one before.
//!
//! A pass goes depth first through what earlier passes found, in an order drawn by lot, and expands every state above its level
//! again; the new states are left to the next pass. A state all of whose successors are done is done, and is not expanded any
//! more. Once something was found to be wrong the tree of the initial state that is being gone through is finished, so that it
//! counts. States are kept in full, so that a path of the search is a shortest one.

use std::sync::atomic::Ordering;

use fastrand::Rng;
use hashbrown::HashMap;

use crate::expansion::{Expansion, Tally};
use crate::keep::Frontier;
use crate::liveness::recorder::Notebook;
use crate::search::{End, Search};
use crate::space::{Aftermath, Expand, StateSpace};
use crate::store::StateId;

/// Expansions between two looks at memory.
const LOOK: u64 = 1 << 10;

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
struct Standing {
    /// The pass that found it, which is its level; 1 for an initial state.
    level: u64,
    /// The last pass that needs it no more.
    pass: u64,
    /// No pass needs it any more.
    done: bool,
}

/// A state on the way of a pass.
struct Open {
    state: StateId,
    /// Successors that may still have to be gone through.
    successors: Vec<StateId>,
}

/// The passes of a search.
struct Deepening<'d, 's, S: StateSpace> {
    search: &'d Search<'s, S>,
    worker: &'d mut S::Worker,
    rng: Rng,
    pass: u64,
    standings: HashMap<StateId, Standing, ahash::RandomState>,
    /// States that this pass found.
    found: u64,
    /// The state that is expanded once more in the end.
    again: Option<StateId>,
    /// Expansions since memory was looked at.
    unlooked: u64,
    row: Vec<u32>,
    new: Vec<StateId>,
    notebook: Notebook,
}

impl<S: StateSpace> Search<'_, S> {
    /// Searches the levels up to the last one that is wanted. `seed` is where the random numbers begin.
    pub(crate) fn deepen(&self, seed: u64, frontier: &Frontier, workers: &mut Vec<S::Worker>) {
        if workers.is_empty() {
            workers.push(self.space.worker());
        }
        // Others have nothing to do.
        let (mut others, Some(worker)) = (workers.split_off(1), workers.first_mut()) else { return };
        let mut deepening = Deepening {
            search: self,
            worker,
            rng: Rng::with_seed(seed),
            pass: 1,
            standings: HashMap::default(),
            found: 0,
            again: None,
            unlooked: 0,
            row: Vec::new(),
            new: Vec::new(),
            notebook: Notebook::default(),
        };
        let initial = Standing { level: 1, pass: 1, done: false };
        deepening.standings.extend(frontier.level().into_iter().map(|id| (id, initial)));
        deepening.run(frontier);
        workers.append(&mut others);
    }
}

impl<S: StateSpace> Deepening<'_, '_, S> {
    fn run(&mut self, roots: &Frontier) {
        let (search, mut more) = (self.search, true);
        while more && !search.look_at_stop() && self.pass < search.settings.max_depth as u64 {
            self.pass += 1;
            self.found = 0;
            search.space.deepens(self.pass, search.progress.generated(), search.progress.distinct());
            more = self.pass(roots);
            if self.found > 0 {
                search.progress.depth.fetch_max(self.pass, Ordering::Relaxed);
            }
        }
        if let Some(state) = self.again.take()
            && self.pass < search.settings.max_depth as u64
        {
            // Whatever it finds is only counted: the search has its end.
            self.open(state, &mut Vec::new(), roots);
        }
    }

    /// One pass; whether there is a level below.
    fn pass(&mut self, roots: &Frontier) -> bool {
        let (mut left, mut more) = (roots.level(), false);
        while !left.is_empty() && !self.search.look_at_stop() {
            let chosen = self.rng.usize(..left.len());
            match self.is_completed(left[chosen]) {
                true => drop(left.swap_remove(chosen)),
                false => more |= self.tree(left[chosen], roots),
            }
        }
        more
    }

    fn standing(&mut self, state: StateId) -> Standing {
        let (search, pass) = (self.search, self.pass);
        // One that a checkpoint brought: its level is known from the way to it.
        let brought = || {
            let level = search.path(state).len() as u64;
            Standing { level, pass: if level < pass { 0 } else { pass }, done: false }
        };
        *self.standings.entry(state).or_insert_with(brought)
    }

    fn is_completed(&mut self, state: StateId) -> bool {
        let standing = self.standing(state);
        standing.done || standing.pass == self.pass
    }

    /// This pass needs the state no more.
    fn complete(&mut self, state: StateId) {
        let pass = self.pass;
        if let Some(standing) = self.standings.get_mut(&state) {
            standing.pass = pass;
        }
    }

    /// Goes through all that an initial state leads to; whether there is a level below.
    fn tree(&mut self, root: StateId, roots: &Frontier) -> bool {
        let (mut way, mut more) = (Vec::new(), false);
        let Some(leads_on) = self.open(root, &mut way, roots) else { return false };
        more |= leads_on;
        while let Some(Open { state, mut successors }) = way.pop() {
            match self.choose(&mut successors, way.len() as u64 + 1) {
                None => self.complete(state),
                Some(chosen) => {
                    way.push(Open { state, successors });
                    let Some(leads_on) = self.open(chosen, &mut way, roots) else { return more };
                    more |= leads_on;
                }
            }
        }
        more
    }

    /// One of the successors that this pass still needs, which are those of the next level; the others are dropped.
    fn choose(&mut self, successors: &mut Vec<StateId>, depth: u64) -> Option<StateId> {
        while !successors.is_empty() {
            let index = self.rng.usize(..successors.len());
            let chosen = successors[index];
            if !self.is_completed(chosen) && depth < self.standing(chosen).level {
                return Some(chosen);
            }
            successors.swap_remove(index);
        }
        None
    }

    /// Expands a state and puts it on the way; whether it leads to the level below. Nothing if the search cannot go on.
    fn open(&mut self, state: StateId, way: &mut Vec<Open>, roots: &Frontier) -> Option<bool> {
        let search = self.search;
        search.store.read(state, &mut self.row);
        if self.row.len() != search.space.width() {
            search.finish_unreadable();
            return None;
        }
        self.notebook.seen.clear();
        let mut hand = search.store.hand();
        let mut expansion = Expansion::new(search, Some(state), (&mut self.new, &mut hand), &mut self.notebook);
        let expand = Expand { state: &self.row, level: way.len() as u64 + 1, action: None };
        let result = search.space.successors(self.worker, expand, &mut expansion);
        let (mut tally, generated, ended) = (Tally::default(), expansion.generated, expansion.ended);
        expansion.count(&mut tally);
        tally.tell(search.progress);
        let leads_on = self.settle(state, result.is_ok() && !ended && (generated > 0 || !search.settings.deadlock));
        let goes_on = match result {
            Err(failure) => {
                let Aftermath { goes_on, again } = search.space.after(&failure);
                if again && self.again.is_none() {
                    self.again = Some(state);
                }
                search.finish(End::Failure(failure, search.path(state)));
                goes_on
            }
            Ok(()) if !ended && generated == 0 && search.settings.deadlock => {
                search.finish(End::Deadlock(search.path(state)));
                true
            }
            Ok(()) => true,
        };
        way.push(Open { state, successors: std::mem::take(&mut self.notebook.seen) });
        (goes_on && !self.is_over(roots)).then_some(leads_on)
    }

    /// Takes down what an expansion found; `complete` if nothing ended it. Whether there is a new state among it.
    fn settle(&mut self, state: StateId, complete: bool) -> bool {
        let pass = self.pass;
        self.found += self.new.len() as u64;
        let fresh = Standing { level: pass, pass, done: false };
        self.standings.extend(self.new.drain(..).map(|id| (id, fresh)));
        self.search.progress.queue.store(self.found, Ordering::Relaxed);
        let seen = std::mem::take(&mut self.notebook.seen);
        let standings: Vec<Standing> = seen.iter().map(|id| self.standing(*id)).collect();
        self.notebook.seen = seen;
        if complete
            && standings.iter().all(|s| s.done)
            && let Some(standing) = self.standings.get_mut(&state)
        {
            standing.done = true;
        }
        standings.iter().any(|s| s.level == pass)
    }

    /// Looks at what may end a search between two expansions.
    fn is_over(&mut self, roots: &Frontier) -> bool {
        let search = self.search;
        self.unlooked += 1;
        if self.unlooked >= LOOK {
            self.unlooked = 0;
            let entry = size_of::<(StateId, Standing)>() + 1;
            search.look_at_memory(self.standings.capacity() * entry);
        }
        search.look_at_limits();
        if let Some(keeper) = search.disk.keeper.filter(|k| search.could_be_kept() && k.is_due()) {
            search.keep(keeper, roots, std::slice::from_ref(self.worker));
        }
        search.must_end()
    }
}

#[cfg(test)]
mod tests {
    use crate::progress::Progress;
    use crate::search::{End, Report, Settings, search};
    use crate::tests::Graph;

    /// From 1, each number leads to those that `next` gives; those above `bound` are outside.
    fn numbers<N: IntoIterator<Item = u32>>(next: fn(u32) -> N, bound: u32) -> Graph {
        let edges = (1..=bound).flat_map(|from| next(from).into_iter().map(move |to| (from, to))).collect();
        Graph { initial: vec![1], edges, bad: vec![7], bound }
    }

    fn deepen(space: &Graph, deadlock: bool, seed: u64) -> Report<u32, ()> {
        let settings = Settings { deepening: Some(seed), max_depth: 20, deadlock, ..Settings::default() };
        search(space, settings, &Progress::default())
    }

    /// What TLC says of the same models.
    #[test]
    fn counts_are_those_of_iterative_deepening() {
        for seed in 0..5 {
            let tree = Graph { bad: Vec::new(), ..numbers(|n| [2 * n, 2 * n + 1], 19) };
            let report = deepen(&tree, true, seed);
            assert!(matches!(report.end, End::Complete));
            assert_eq!((report.generated, report.distinct, report.depth), (79, 19, 5));
            let ends = Graph { bad: Vec::new(), ..numbers(|n| if n < 8 { 2 * n..2 * n + 2 } else { 0..0 }, 19) };
            let report = deepen(&ends, false, seed);
            assert_eq!((report.generated, report.distinct), (37, 15));
        }
    }

    #[test]
    fn what_ends_a_pass_does_not_end_the_tree() {
        let chain = numbers(|n| [n + 1], 100);
        let report = deepen(&chain, true, 1);
        let End::Violation(7, path) = report.end else { panic!("no violation") };
        assert_eq!((path.len(), report.generated, report.distinct), (7, 22, 7));
        let stops = numbers(|n| (n < 5).then_some(n + 1), 100);
        let report = deepen(&stops, true, 1);
        assert!(matches!(report.end, End::Deadlock(path) if path.len() == 5));
        assert_eq!((report.generated, report.distinct), (15, 5));
    }
}
