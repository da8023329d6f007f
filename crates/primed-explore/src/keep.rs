//! Searches that outlast their memory and their process: states on disk, and checkpoints.
//!
//! A checkpoint is written between two rounds of a search, when no state is half expanded. It holds everything that the search
//! knows: states with their origins, those that are still to be expanded in their order, counters, the graph for temporal
//! properties, violations that were reported, and what the space says of itself. A search that goes on from it finds what it
//! would have found.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use crate::bytes::{damaged, read_list, read_number, write_list, write_number};
use crate::progress::Progress;
use crate::queue::Queue;
use crate::search::{End, Limit, Search, Step};
use crate::space::StateSpace;
use crate::store::{StateId, Store};

/// States are moved to disk for the sake of [`Disk::spill_bytes`] only if that frees so large a part of it.
const WORTHWHILE: usize = 16;

/// What a search uses of the disk; by default nothing.
#[derive(Clone, Copy)]
pub struct Disk<'d> {
    /// The folder to which states are moved when they outgrow memory. It is made when it is needed, and never removed.
    pub spill: Option<&'d Path>,
    /// Bytes from which on states are moved to disk, if that is less than [`crate::search::Settings::max_bytes`].
    pub spill_bytes: usize,
    /// Who keeps checkpoints.
    pub keeper: Option<&'d dyn Keeper>,
}

impl Default for Disk<'_> {
    fn default() -> Self {
        Disk { spill: None, spill_bytes: usize::MAX, keeper: None }
    }
}

/// Keeps checkpoints. It is asked by one thread, between rounds of a search.
pub trait Keeper: Sync {
    /// It is time for a checkpoint.
    fn is_due(&self) -> bool;

    /// One is wanted when the search is stopped or reaches a limit.
    fn wants_last(&self) -> bool {
        true
    }

    /// Keeps one, which `write` writes. Whatever goes wrong is the keeper's to tell: the search goes on.
    fn keep(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>);
}

/// The states that are still to be expanded.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    /// The rest of the level that is being expanded.
    level: Queue,
    /// What is being expanded.
    round: Vec<StateId>,
    /// Of this, some were left out when the search was stopped.
    left_out: Vec<StateId>,
    /// The level after it.
    pub(crate) next: Queue,
}

impl Frontier {
    pub(crate) fn new(level: impl IntoIterator<Item = StateId>) -> Frontier {
        let mut frontier = Frontier::default();
        frontier.level.extend(level);
        frontier
    }

    /// The rest of the level that is being expanded; all initial states to begin with.
    pub(crate) fn level(&self) -> Vec<StateId> {
        self.level.iter().collect()
    }

    /// The next states to be expanded, at most so many, and the level that they lead to; `None` at the end of a level.
    pub(crate) fn round(&mut self, most: usize) -> Option<(&[StateId], &mut Queue)> {
        self.level.take(most, &mut self.round);
        (!self.round.is_empty()).then_some((&self.round, &mut self.next))
    }

    /// States of the last round that were not expanded.
    pub(crate) fn leave_out(&mut self, states: Vec<StateId>) {
        self.left_out = states;
    }

    /// Goes on with the next level; false if it is empty.
    pub(crate) fn descend(&mut self) -> bool {
        self.level = std::mem::take(&mut self.next);
        !self.level.is_empty()
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.level.bytes() + self.next.bytes() + self.round.capacity() * size_of::<StateId>()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let numbers = |states: &mut dyn Iterator<Item = StateId>| states.map(StateId::number).collect::<Vec<u64>>();
        write_list(out, &numbers(&mut self.left_out.iter().copied().chain(self.level.iter())))?;
        write_list(out, &numbers(&mut self.next.iter()))
    }

    fn read(input: &mut dyn Read) -> io::Result<Frontier> {
        let states = |numbers: Vec<u64>| numbers.into_iter().map(StateId::of);
        let mut frontier = Frontier::new(states(read_list(input)?));
        frontier.next.extend(states(read_list(input)?));
        Ok(frontier)
    }
}

impl Progress {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let counters = [&self.generated, &self.distinct, &self.queue, &self.depth, &self.initial];
        counters.into_iter().try_for_each(|c| write_number(out, c.load(Ordering::Relaxed)))
    }

    fn restore(&self, input: &mut dyn Read) -> io::Result<()> {
        for counter in [&self.generated, &self.distinct, &self.queue, &self.depth, &self.initial] {
            counter.store(read_number(input)?, Ordering::Relaxed);
        }
        Ok(())
    }
}

fn write_path(out: &mut dyn Write, path: &[Step]) -> io::Result<()> {
    write_number(out, path.len() as u64)?;
    path.iter().try_for_each(|step| {
        write_number(out, u64::from(step.action))?;
        write_list(out, &step.row)
    })
}

fn read_path(input: &mut dyn Read) -> io::Result<Vec<Step>> {
    let mut path = Vec::new();
    for _ in 0..read_number(input)? {
        let action = u32::try_from(read_number(input)?).map_err(|_| damaged("an action's number is too large"))?;
        path.push(Step { row: read_list(input)?, action });
    }
    Ok(path)
}

impl<S: StateSpace> Search<'_, S> {
    /// Keeps a checkpoint. `workers` are all that there are.
    pub(crate) fn keep(&self, keeper: &dyn Keeper, frontier: &Frontier, workers: &[S::Worker]) {
        keeper.keep(&mut |out| self.write(out, frontier, workers));
    }

    fn write(&self, out: &mut dyn Write, frontier: &Frontier, workers: &[S::Worker]) -> io::Result<()> {
        // What can fail by itself comes before what is large.
        self.space.save(&workers.iter().collect::<Vec<_>>(), out)?;
        self.progress.write(out)?;
        frontier.write(out)?;
        let violations = self.violations.lock().unwrap_or_else(PoisonError::into_inner);
        write_number(out, violations.len() as u64)?;
        for (violation, path) in violations.iter() {
            self.space.save_violation(violation, out)?;
            write_path(out, path)?;
        }
        self.store.write(out)?;
        if let Some(failure) = self.store.failure() {
            return Err(io::Error::other(failure));
        }
        match &self.recorder {
            Some(recorder) => recorder.write(out),
            None => Ok(()),
        }
    }

    /// Reads what [`Search::keep`] wrote: what is to be expanded, and the workers.
    pub(crate) fn resume(&self, input: &mut dyn Read) -> io::Result<(Frontier, Vec<S::Worker>)> {
        let workers = self.space.restore(input)?;
        self.progress.restore(input)?;
        let frontier = Frontier::read(input)?;
        let mut violations = Vec::new();
        for _ in 0..read_number(input)? {
            violations.push((self.space.restore_violation(input)?, read_path(input)?));
        }
        *self.violations.lock().unwrap_or_else(PoisonError::into_inner) = violations;
        let disk = &self.disk;
        let threshold = disk.spill_bytes.min(self.settings.max_bytes);
        self.store.restore(input, &mut |store: &Store| match disk.spill {
            Some(folder) if store.bytes() > threshold => store.spill(folder),
            _ => Ok(()),
        })?;
        if self.store.len() as u64 != self.progress.distinct() {
            return Err(damaged("there are not as many states as were counted"));
        }
        if let Some(recorder) = &self.recorder {
            recorder.restore(input)?;
            // What was watched for is found again in the order in which states were expanded.
            if let Some(lasso) = recorder.watch(recorder.expanded().into_iter()) {
                self.finish(self.temporal(&lasso));
            }
        }
        self.space.resumed(self.progress.distinct(), self.progress.queue());
        Ok((frontier, workers))
    }

    /// Moves states to disk if they take too much memory; the search ends if what stays is still too much.
    pub(crate) fn look_at_memory(&self, frontier: usize) {
        let disk = &self.disk;
        let graph = || self.recorder.as_ref().map_or(0, |recorder| recorder.bytes());
        let held = self.held.load(Ordering::Relaxed);
        let bytes = || self.store.bytes() + self.space.bytes() + graph() + frontier + held;
        let (mut now, most) = (bytes(), self.settings.max_bytes);
        let worthwhile = || self.store.spillable() >= disk.spill_bytes / WORTHWHILE;
        if let Some(folder) = disk.spill
            && (now > most || now > disk.spill_bytes && worthwhile())
        {
            if let Err(error) = self.store.spill(folder) {
                let folder = folder.display();
                return self.finish(End::Full(format!("states cannot be moved to `{folder}`: {error}")));
            }
            now = bytes();
        }
        self.progress.bytes.store(now as u64, Ordering::Relaxed);
        if now > most {
            self.finish(End::Limit(Limit::Bytes));
        }
    }
}
