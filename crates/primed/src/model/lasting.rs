//! Searches of models that outgrow memory or outlive their process.

use std::io::{self, Read, Write};
use std::path::Path;

use bumpalo::Bump;
use primed_engine::Registers;
use primed_engine::env::Env;
use primed_explore::keep::{Disk, Keeper};
use primed_value::encode::{
    damaged, read_interned, read_number, read_symbols, write_interner, write_number, write_symbols,
};
use primed_value::host::Host;

use crate::checkpoint::{self, Digest, Facts, Overflow, Recovery, Writer};
use crate::model::ModelChecker;
use crate::model::report::{CheckSettings, CheckVerdict, Mode, Storage};
use crate::model::space::{ModelSpace, Violation};
use crate::model::watch::{CheckpointEvent, Watch};

/// Values that are read before the memory for reading them is given back.
const BATCH: u64 = 1 << 12;

/// What is asked for and not there.
pub(super) fn unsupported(settings: &CheckSettings, storage: &Storage, watch: &dyn Watch) -> Option<String> {
    let recovers = storage.recover.is_some();
    match settings.mode {
        Mode::Simulation { .. } if recovers => Some("random behaviours cannot go on from a checkpoint".into()),
        _ if recovers && watch.graph().is_some() => {
            Some("the state graph of a search that goes on from a checkpoint cannot be written".into())
        }
        _ => None,
    }
}

/// The words for a search that needs too much memory.
pub(super) fn too_large(bytes: usize) -> String {
    let units = [(30, "GB"), (20, "MB"), (10, "KB")];
    let unit = units.into_iter().find(|(shift, _)| bytes > 0 && bytes.trailing_zeros() >= *shift);
    let (shift, name) = unit.unwrap_or((0, "bytes"));
    format!("the limit on memory is reached: what must stay in memory takes more than {} {name}", bytes >> shift)
}

/// The files of one search.
pub(super) struct Lasting<'l> {
    overflow: Option<Overflow>,
    spill_bytes: usize,
    writer: Option<Writer<'l>>,
    recovery: Option<Recovery>,
}

impl<'l> Lasting<'l> {
    /// Opens what is asked for.
    ///
    /// # Errors
    /// A text that says what is wrong.
    pub(super) fn new(storage: &'l Storage, facts: &'l Facts, watch: &'l dyn Watch) -> Result<Lasting<'l>, String> {
        let damaged = |text: &str| watch.checkpoint(CheckpointEvent::Damaged(text));
        let recovery = storage.recover.as_deref().map(|folder| checkpoint::newest(folder, facts, &damaged));
        let recovery = recovery.transpose()?;
        let same = |folder: &Path| storage.recover.as_deref().is_some_and(|r| same_folder(r, folder));
        let writer = storage.checkpoints.as_ref().map(|c| Writer::new(c, same(&c.folder), facts, watch)).transpose()?;
        if let Some(recovery) = &recovery {
            watch.checkpoint(CheckpointEvent::Recovering(&recovery.path));
        }
        Ok(Lasting {
            overflow: storage.spill.as_deref().map(Overflow::below),
            spill_bytes: storage.spill_bytes.unwrap_or(usize::MAX),
            writer,
            recovery,
        })
    }

    /// The search goes on from a checkpoint.
    pub(super) fn recovers(&self) -> bool {
        self.recovery.is_some()
    }

    /// What the search uses of it, and the checkpoint.
    pub(super) fn disk(&mut self) -> (Disk<'_>, Option<&mut dyn Read>) {
        let disk = Disk {
            spill: self.overflow.as_ref().map(Overflow::path),
            spill_bytes: self.spill_bytes,
            keeper: self.writer.as_ref().map(|w| w as &dyn Keeper),
        };
        (disk, self.recovery.as_mut().map(|r| &mut *r.body as &mut dyn Read))
    }

    /// The search came to this.
    pub(super) fn ended(self, verdict: &CheckVerdict) {
        // It may be in the folder of the checkpoints.
        drop(self.overflow);
        if let (Some(writer), CheckVerdict::Holds) = (self.writer, verdict) {
            writer.remove();
        }
    }
}

fn same_folder(a: &Path, b: &Path) -> bool {
    a == b || a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

impl ModelChecker {
    /// What the states and counts of a search depend on.
    pub(super) fn facts(&self, settings: &CheckSettings, deadlock: bool) -> Vec<(String, u64)> {
        let mut facts = vec![("the version of Primed".to_owned(), Digest::of(env!("CARGO_PKG_VERSION")))];
        for file in &self.model.sources {
            let name = Path::new(file.name()).file_name().unwrap_or_default().to_string_lossy();
            let (name, digest) = (format!("`{name}`"), Digest::of(file.text()));
            match facts.iter_mut().find(|(known, _)| *known == name) {
                // Several texts that are no files.
                Some((_, known)) => *known = known.rotate_left(1) ^ digest,
                None => facts.push((name, digest)),
            }
        }
        let depth = if let Mode::Bounded(depth) = settings.mode { depth } else { usize::MAX };
        let options = [
            ("whether deadlock is checked", u64::from(deadlock)),
            ("whether the search goes on after a violation", u64::from(settings.keep_going)),
            ("whether all ways of an action are followed", u64::from(settings.all_ways)),
            ("the bound on the depth", depth as u64),
            ("the largest set that is enumerated", self.program.limits().set_size as u64),
        ];
        facts.extend(options.map(|(name, value)| (name.to_owned(), value)));
        facts
    }
}

impl Violation {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (kind, number) = match self {
            Violation::Invariant(number) => (0, number),
            Violation::Initial(number) => (1, number),
            Violation::Action(number) => (2, number),
        };
        write_number(out, kind)?;
        write_number(out, *number as u64)
    }

    pub(super) fn read(input: &mut dyn Read) -> io::Result<Violation> {
        let (kind, number) = (read_number(input)?, read_number(input)? as usize);
        match kind {
            0 => Ok(Violation::Invariant(number)),
            1 => Ok(Violation::Initial(number)),
            2 => Ok(Violation::Action(number)),
            _ => Err(damaged("a violation of no known kind")),
        }
    }
}

impl ModelSpace<'_> {
    /// Writes symbols and values in the order of their numbers, then the registers: those of no worker, and of each worker.
    pub(super) fn write<'r>(
        &self,
        workers: impl ExactSizeIterator<Item = &'r Registers>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let arena = Bump::new();
        let env = Env::new(&self.checker.program, &arena);
        write_symbols(out, env.symbols())?;
        write_interner(out, &self.interner)?;
        self.registers().write(out)?;
        write_number(out, workers.len() as u64)?;
        workers.into_iter().try_for_each(|registers| registers.write(out))
    }

    /// Reads what [`ModelSpace::write`] wrote; gives the workers' registers.
    pub(super) fn read(&self, input: &mut dyn Read) -> io::Result<Vec<Registers>> {
        let mut arena = Bump::new();
        read_symbols(input, Env::new(&self.checker.program, &arena).symbols())?;
        let mut left = read_number(input)?;
        while left > 0 {
            let batch = left.min(BATCH);
            arena.reset();
            let mut env = Env::new(&self.checker.program, &arena);
            env.with_any_set(|env| (0..batch).try_for_each(|_| read_interned(env, input, &self.interner)))?;
            left -= batch;
        }
        let mut env = Env::new(&self.checker.program, &arena);
        let own = Registers::read(&mut env, input)?;
        let mut workers = Vec::new();
        for _ in 0..read_number(input)? {
            workers.push(Registers::read(&mut env, input)?);
        }
        self.keep_registers(own);
        Ok(workers)
    }
}
