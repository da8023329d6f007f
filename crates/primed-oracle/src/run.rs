//! A Java process with limits, in a process group of its own, of which nothing is left over.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::scratch;
use crate::trouble::Trouble;

/// From one look at a process to the next; the first ones are closer together.
const LONGEST_NAP: Duration = Duration::from_millis(20);
/// Most output that is kept of one process.
const MAX_OUTPUT: u64 = 256 << 20;

/// What a process may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Time by the clock.
    pub time: Duration,
    /// Java's heap, in bytes.
    pub memory: usize,
}

impl Default for Bounds {
    /// Two minutes and a gigabyte.
    fn default() -> Bounds {
        Bounds { time: Duration::from_secs(120), memory: 1 << 30 }
    }
}

/// How a process ended that ended by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its exit status.
    pub status: i32,
    /// Its standard output and standard error, together in order.
    pub output: String,
    /// How long it took.
    pub took: Duration,
}

/// The process groups that are running.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());
/// None may start any more.
static OVER: AtomicBool = AtomicBool::new(false);

/// Ends every process of this crate at once, removes the folders that they write to, and lets none start: for Ctrl-C, and for a
/// panic. It may be called from any thread.
pub fn end_all() {
    OVER.store(true, Ordering::SeqCst);
    for group in RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        kill(*group);
    }
    scratch::remove_all();
}

/// Whether [`end_all`] has been called.
pub fn is_over() -> bool {
    OVER.load(Ordering::SeqCst)
}

/// Kills a whole process group; one that has ended already is none.
#[cfg(unix)]
fn kill(group: u32) {
    let pid = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(_: u32) {}

/// A running process; dropping it ends its group.
struct Group {
    child: Child,
}

impl Group {
    fn start(command: &mut Command) -> Result<Group, Trouble> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Under the lock, so that `end_all` misses none.
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if is_over() {
            return Err(Trouble::Interrupted);
        }
        let child = command.spawn().map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => match Path::new(command.get_program()).file_stem() {
                Some(name) if name == "java" => Trouble::NoJava,
                _ => Trouble::NoProgram(command.get_program().to_string_lossy().into_owned()),
            },
            _ => Trouble::NotStarted(e.to_string()),
        })?;
        running.push(child.id());
        Ok(Group { child })
    }

    /// Waits for the end; `None` if the time is up first.
    fn wait(&mut self, until: Instant) -> io::Result<Option<ExitStatus>> {
        let mut nap = Duration::from_millis(1);
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            let now = Instant::now();
            if now >= until || is_over() {
                return Ok(None);
            }
            std::thread::sleep(nap.min(until - now));
            nap = (nap * 2).min(LONGEST_NAP);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // What the process has started may live longer than it.
        kill(self.child.id());
        drop(self.child.kill());
        drop(self.child.wait());
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|group| *group != self.child.id());
    }
}

/// Runs a program in a folder and gives its output back.
///
/// # Errors
/// If it cannot be started, does not end in time, is killed, or its output cannot be read or is too long.
pub fn run(program: &Path, arguments: &[OsString], folder: &Path, time: Duration) -> Result<Ended, Trouble> {
    let (ended, trouble) = attempt(program, arguments, folder, time)?;
    trouble.map_or(Ok(ended), Err)
}

/// As [`run`], with what was printed until it was killed or its time was up: the status is -1 then, and the trouble is beside it.
///
/// # Errors
/// As [`run`], but for those two.
pub fn attempt(
    program: &Path,
    arguments: &[OsString],
    folder: &Path,
    time: Duration,
) -> Result<(Ended, Option<Trouble>), Trouble> {
    // A file takes what a pipe cannot hold, and keeps the order of both streams.
    let mut kept = tempfile::tempfile_in(folder).map_err(|e| Trouble::file("write in", folder, &e))?;
    let stream = || kept.try_clone().map(Stdio::from).map_err(|e| Trouble::file("write in", folder, &e));
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(stream()?).stderr(stream()?);
    // Options from outside would be Java's too, and their announcement would be TLC's output.
    command.env_remove("JAVA_TOOL_OPTIONS").env_remove("_JAVA_OPTIONS").env_remove("JDK_JAVA_OPTIONS");
    let begun = Instant::now();
    let mut group = Group::start(&mut command)?;
    let status = group.wait(begun + time).map_err(|e| Trouble::NotStarted(e.to_string()))?;
    drop(group);
    let took = begun.elapsed();
    if is_over() {
        return Err(Trouble::Interrupted);
    }
    let output = read(&mut kept).map_err(|e| Trouble::file("read what was printed in", folder, &e))?;
    let output = output.ok_or(Trouble::TooMuchOutput)?;
    if status.is_none_or(|s| !s.success()) && is_full(folder) {
        return Err(Trouble::DiskFull);
    }
    let (status, trouble) = match status.map(|s| (s.code(), s)) {
        None => (-1, Some(Trouble::TimedOut(time))),
        Some((Some(code), _)) => (code, None),
        Some((None, status)) => (-1, Some(Trouble::Killed { signal: signal(status) })),
    };
    Ok((Ended { status, output, took }, trouble))
}

/// How a command ended that a specification ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandEnded {
    /// Its exit status; 128 and the signal's number if it was killed, as a shell has it.
    pub status: i32,
    /// Its standard output.
    pub output: String,
    /// Its standard error.
    pub errors: String,
}

/// Runs a command that a specification names, without an input, and tells its two outputs apart. Variables are added to the
/// environment.
///
/// # Errors
/// If it cannot be started ([`Trouble::NoProgram`] if there is no such program), does not end in time, or prints too much.
pub fn command(
    program: &str,
    arguments: &[OsString],
    variables: &[(String, String)],
    folder: &Path,
    time: Duration,
) -> Result<CommandEnded, Trouble> {
    let file = || tempfile::tempfile().map_err(|e| Trouble::file("write in", &std::env::temp_dir(), &e));
    let (mut output, mut errors) = (file()?, file()?);
    let stream = |file: &File| {
        file.try_clone().map(Stdio::from).map_err(|e| Trouble::file("write in", &std::env::temp_dir(), &e))
    };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.stdout(stream(&output)?).stderr(stream(&errors)?);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let mut group = Group::start(&mut command)?;
    let status = group.wait(Instant::now() + time).map_err(|e| Trouble::NotStarted(e.to_string()))?;
    drop(group);
    if is_over() {
        return Err(Trouble::Interrupted);
    }
    let status = status.ok_or(Trouble::TimedOut(time))?;
    let text = |file: &mut File| match read(file) {
        Ok(Some(text)) => Ok(text),
        Ok(None) => Err(Trouble::TooMuchOutput),
        Err(e) => Err(Trouble::NotStarted(e.to_string())),
    };
    let status = status.code().unwrap_or_else(|| 128 + signal(status));
    Ok(CommandEnded { status, output: text(&mut output)?, errors: text(&mut errors)? })
}

/// Whether nothing more can be written: what should have been printed is lost, maybe all of it.
fn is_full(folder: &Path) -> bool {
    let written = tempfile::tempfile_in(folder).and_then(|mut file| file.write_all(&[0; 4096]));
    written.is_err_and(|e| matches!(e.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded))
}

/// What the file holds; `None` if that is too much.
fn read(file: &mut File) -> io::Result<Option<String>> {
    if file.metadata()?.len() > MAX_OUTPUT {
        return Ok(None);
    }
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(MAX_OUTPUT).read_to_end(&mut bytes)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> i32 {
    std::os::unix::process::ExitStatusExt::signal(&status).unwrap_or_default()
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> i32 {
    0
}
