//! A folder with the checkpoints of one search: the newest, and the one before it.
//!
//! A checkpoint is written under another name, brought to disk, and then gets its own; only then the one before the previous
//! is removed. So there is a whole one at every moment, whenever the process is killed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use primed_explore::keep::Keeper;

use crate::files::plain;
use crate::model::watch::{CheckpointEvent, Watch};
pub(crate) use file::{Digest, Facts};

mod file;

const PREFIX: &str = "checkpoint-";
const UNFINISHED: &str = "unfinished-";
/// Folders for states that outgrow memory.
const OVERFLOW: &str = "primed-states-";

/// How checkpoints are kept.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    /// The folder, made if it is not there. It belongs to one search.
    pub folder: PathBuf,
    /// From the end of one checkpoint to the next.
    pub every: Duration,
    /// Somebody wants them: the folder is made, and tried, before the search begins, and a last checkpoint is written when the
    /// search is stopped or reaches a limit. If not, there is no folder before the first of them.
    pub asked: bool,
}

impl Checkpoints {
    /// Whether there are checkpoints in a folder; they need not be whole.
    pub fn are_in(folder: &Path) -> bool {
        numbered(folder).is_ok_and(|found| !found.is_empty())
    }
}

/// The checkpoints of a folder, the newest first.
fn numbered(folder: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|n| n.strip_prefix(PREFIX)).and_then(|n| n.parse().ok());
        found.extend(number.map(|number| (number, entry.path())));
    }
    found.sort_unstable_by_key(|(number, _)| std::cmp::Reverse(*number));
    Ok(found)
}

/// A checkpoint to go on from.
pub(crate) struct Recovery {
    pub(crate) path: PathBuf,
    pub(crate) body: Box<dyn io::Read>,
}

/// The newest checkpoint of a folder that is whole, if it was made of what is searched now. `damaged` hears of those that are not
/// whole.
///
/// # Errors
/// A text: there is none, or it was made of something else.
pub(crate) fn newest(folder: &Path, facts: &Facts, damaged: &dyn Fn(&str)) -> Result<Recovery, String> {
    let shown = folder.display();
    let none = || format!("there is no checkpoint in `{shown}` (a search that came to its end has removed its own)");
    let all = numbered(folder).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => none(),
        _ => format!("the checkpoints in `{shown}` cannot be read: {}", plain(&e)),
    })?;
    let mut last = None;
    for (_, path) in all {
        match file::open(&path) {
            Ok(opened) => {
                if let Some(what) = difference(&opened.facts, facts) {
                    return Err(format!("the checkpoint `{}` does not belong to this search: {what}", path.display()));
                }
                return Ok(Recovery { path, body: Box::new(opened.body) });
            }
            Err(error) => {
                let text = format!("the checkpoint `{}` cannot be used: {}", path.display(), plain(&error));
                damaged(&text);
                last = Some(text);
            }
        }
    }
    Err(match last {
        None => none(),
        Some(last) => format!("no checkpoint in `{shown}` is whole; {last}"),
    })
}

/// What was different when a checkpoint was made.
fn difference(then: &Facts, now: &Facts) -> Option<String> {
    let digest = |facts: &Facts, name: &str| facts.iter().find(|(n, _)| n == name).map(|(_, digest)| *digest);
    let changed = now.iter().find(|(name, new)| digest(then, name).is_some_and(|old| old != *new));
    let added = || now.iter().find(|(name, _)| digest(then, name).is_none());
    let removed = || then.iter().find(|(name, _)| digest(now, name).is_none());
    match changed {
        Some((name, _)) => Some(format!("{name} was another when it was written")),
        None => added()
            .map(|(name, _)| format!("{name} was no part of it when it was written"))
            .or_else(|| removed().map(|(name, _)| format!("{name} was a part of it when it was written"))),
    }
}

/// Writes the checkpoints of a search.
pub(crate) struct Writer<'w> {
    settings: &'w Checkpoints,
    facts: &'w Facts,
    watch: &'w dyn Watch,
    state: Mutex<State>,
}

struct State {
    /// When the last checkpoint was finished, or the search began.
    last: Instant,
    /// The number of the next.
    next: u64,
    /// What the last one took.
    took: Duration,
}

impl<'w> Writer<'w> {
    /// Prepares the folder. A search that begins takes none in which checkpoints of another one are.
    ///
    /// # Errors
    /// A text: the folder cannot be made or written, or there are checkpoints in it.
    pub(crate) fn new(
        settings: &'w Checkpoints,
        recovers: bool,
        facts: &'w Facts,
        watch: &'w dyn Watch,
    ) -> Result<Writer<'w>, String> {
        let folder = &settings.folder;
        let state = |next| Mutex::new(State { last: Instant::now(), next, took: Duration::ZERO });
        if !settings.asked && !folder.exists() {
            return Ok(Writer { settings, facts, watch, state: state(1) });
        }
        let shown = folder.display();
        let unusable = |e: io::Error| format!("checkpoints cannot be written to `{shown}`: {}", plain(&e));
        fs::create_dir_all(folder).map_err(unusable)?;
        for entry in fs::read_dir(folder).map_err(unusable)?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            // What a process that was killed left behind; a folder goes only if it is empty.
            if name.starts_with(UNFINISHED) {
                drop(fs::remove_file(entry.path()));
            } else if name.starts_with(OVERFLOW) {
                drop(fs::remove_dir(entry.path()));
            }
        }
        let there = numbered(folder).map_err(unusable)?;
        if !recovers && !there.is_empty() {
            return Err(format!(
                "there are checkpoints of a search in `{shown}` already: go on with it (`--recover`), or give another folder"
            ));
        }
        let probe = folder.join(format!("{UNFINISHED}{}", std::process::id()));
        File::create(&probe).and_then(|_| fs::remove_file(&probe)).map_err(unusable)?;
        let next = there.first().map_or(1, |(number, _)| number + 1);
        Ok(Writer { settings, facts, watch, state: state(next) })
    }

    fn write(&self, number: u64, body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<u64> {
        fs::create_dir_all(&self.settings.folder)?;
        let unfinished = self.settings.folder.join(format!("{UNFINISHED}{}", std::process::id()));
        let path = self.settings.folder.join(format!("{PREFIX}{number:08}"));
        let written = file::write(&unfinished, self.facts, body);
        let length = written.and_then(|length| fs::rename(&unfinished, &path).map(|()| length));
        let length = length.inspect_err(|_| drop(fs::remove_file(&unfinished)))?;
        sync(&self.settings.folder)?;
        for (_, old) in numbered(&self.settings.folder)?.into_iter().skip(2) {
            fs::remove_file(old)?;
        }
        Ok(length)
    }

    /// The search is over, and its checkpoints are of no use any more.
    pub(crate) fn remove(self) {
        for (_, path) in numbered(&self.settings.folder).unwrap_or_default() {
            drop(fs::remove_file(path));
        }
        // Only if nothing else is in it.
        drop(fs::remove_dir(&self.settings.folder));
    }
}

impl Keeper for Writer<'_> {
    fn is_due(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let every = self.settings.every;
        // No more than half of the time goes into checkpoints, unless all of them are wanted.
        let wait = if every.is_zero() { every } else { every.max(state.took) };
        state.last.elapsed() >= wait
    }

    fn wants_last(&self) -> bool {
        self.settings.asked
    }

    fn keep(&self, body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = Instant::now();
        self.watch.checkpoint(CheckpointEvent::Begun(&self.settings.folder));
        match self.write(state.next, body) {
            Ok(bytes) => {
                state.next += 1;
                self.watch.checkpoint(CheckpointEvent::Written { bytes });
            }
            Err(error) => {
                let text = format!(
                    "no checkpoint could be written to `{}`: {}",
                    self.settings.folder.display(),
                    plain(&error)
                );
                self.watch.checkpoint(CheckpointEvent::Failed(&text));
            }
        }
        state.took = begun.elapsed();
        state.last = Instant::now();
    }
}

/// Brings the names of a folder's files to disk.
#[cfg(unix)]
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A folder for states that outgrow memory, below another one; removed at the end, however that comes.
#[derive(Debug)]
pub(crate) struct Overflow(PathBuf);

impl Overflow {
    pub(crate) fn below(folder: &Path) -> Overflow {
        let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.subsec_nanos());
        Overflow(folder.join(format!("{OVERFLOW}{}-{nanos:09}", std::process::id())))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Overflow {
    fn drop(&mut self) {
        // It is made only when it is needed.
        drop(fs::remove_dir_all(&self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::watch::NoWatch;

    fn keep(writer: &Writer<'_>, text: &str) {
        writer.keep(&mut |out| out.write_all(text.as_bytes()));
    }

    fn read(folder: &Path, facts: &Facts) -> Result<String, String> {
        let mut text = String::new();
        newest(folder, facts, &|_| {})?.body.read_to_string(&mut text).map_err(|e| e.to_string())?;
        Ok(text)
    }

    #[test]
    fn the_newest_whole_checkpoint_of_the_same_search_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Checkpoints { folder: folder.path().join("a/b"), every: Duration::ZERO, asked: true };
        let facts = [("`M.tla`".to_owned(), 1)];
        let writer = Writer::new(&settings, false, &facts, &NoWatch).unwrap();
        assert!(read(&settings.folder, &facts).unwrap_err().contains("there is no checkpoint"));
        ["one", "two", "three"].into_iter().for_each(|text| keep(&writer, text));
        assert_eq!(fs::read_dir(&settings.folder).unwrap().count(), 2);
        assert_eq!(read(&settings.folder, &facts).unwrap(), "three");
        // One that fails changes nothing.
        writer.keep(&mut |out| out.write_all(b"half").and(Err(io::ErrorKind::StorageFull.into())));
        assert_eq!(read(&settings.folder, &facts).unwrap(), "three");
        assert_eq!(fs::read_dir(&settings.folder).unwrap().count(), 2);
        // The one before it is taken if it is damaged.
        fs::write(settings.folder.join("checkpoint-00000003"), "three").unwrap();
        assert_eq!(read(&settings.folder, &facts).unwrap(), "two");
        fs::write(settings.folder.join("checkpoint-00000002"), "").unwrap();
        assert!(read(&settings.folder, &facts).unwrap_err().contains("is whole"));
        let refused = Writer::new(&settings, false, &facts, &NoWatch).err().unwrap();
        assert!(refused.contains("checkpoints of a search"), "{refused}");
        Writer::new(&settings, true, &facts, &NoWatch).unwrap().remove();
        assert!(!settings.folder.exists());
    }

    #[test]
    fn a_checkpoint_of_something_else_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Checkpoints { folder: folder.path().into(), every: Duration::ZERO, asked: true };
        let facts = |list: &[(&str, u64)]| list.iter().map(|(n, d)| ((*n).to_owned(), *d)).collect::<Vec<_>>();
        let then = facts(&[("`M.tla`", 1), ("`M.cfg`", 2)]);
        keep(&Writer::new(&settings, false, &then, &NoWatch).unwrap(), "x");
        let refused = |now: &[(&str, u64)]| read(folder.path(), &facts(now)).unwrap_err();
        assert!(refused(&[("`M.tla`", 1), ("`M.cfg`", 3)]).contains("`M.cfg` was another"));
        assert!(refused(&[("`M.tla`", 1), ("`M.cfg`", 2), ("`N.tla`", 1)]).contains("`N.tla` was no part"));
        assert!(refused(&[("`M.tla`", 1)]).contains("`M.cfg` was a part"));
    }
}
