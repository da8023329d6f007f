//! TLC that judges many specifications in one Java process, so that its start is paid once.
//!
//! The process is a driver in Java (`TlcSession.java` beside this file), which needs a JDK because it is compiled when it is started;
//! with a mere runtime each request is a process of its own, which is said by [`Session::is_shared`].

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::find::Tools;
use crate::run::{Bounds, Ended};
use crate::scratch::Scratch;
use crate::trouble::Trouble;

const DRIVER: &str = include_str!("TlcSession.java");
/// The words of these modules are known before any specification is read.
const FIRST: &str = "---- MODULE First ----
EXTENDS Integers, Sequences, FiniteSets, TLC, Bags
VARIABLE first
Init == first = 0
Next == first' = first
Spec == Init /\\ [][Next]_first /\\ WF_first(Next)
Live == []<>(first = 0)
====
";
const FIRST_CONFIG: &str = "SPECIFICATION Spec\nPROPERTY Live\n";
/// What every request is asked with, so that answers can be compared.
const OPTIONS: [&str; 9] = ["-tool", "-workers", "1", "-fp", "0", "-lncheck", "final", "-fpmem", "0.01"];

/// A running TLC.
#[derive(Debug)]
pub struct Session {
    tools: Tools,
    scratch: Scratch,
    driver: Option<Driver>,
    /// Requests that were sent and not answered yet.
    waiting: usize,
    /// Requests that were ever sent.
    sent: u64,
    /// The requests of a session without a driver, answered when they are asked for.
    kept: std::collections::VecDeque<(OsString, Vec<OsString>)>,
    bounds: Bounds,
    fresh: bool,
}

#[derive(Debug)]
struct Driver {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Session {
    /// Starts TLC. With `fresh` each request is judged by classes of its own, which is slow and beyond doubt. The bounds are those of
    /// one request.
    ///
    /// # Errors
    /// If Java cannot be started, or a small model is not judged as it must be.
    pub fn start(tools: &Tools, fresh: bool, bounds: &Bounds) -> Result<Session, Trouble> {
        let scratch = Scratch::new()?;
        scratch.write("TlcSession.java", DRIVER.as_bytes())?;
        scratch.write("First.tla", FIRST.as_bytes())?;
        scratch.write("First.cfg", FIRST_CONFIG.as_bytes())?;
        let kept = std::collections::VecDeque::new();
        let mut session =
            Session { tools: tools.clone(), scratch, driver: None, waiting: 0, sent: 0, kept, bounds: *bounds, fresh };
        session.restart()?;
        Ok(session)
    }

    /// Writes a file where TLC runs.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Trouble> {
        self.scratch.write(name, bytes).map(drop)
    }

    /// Whether one process judges all.
    pub fn is_shared(&self) -> bool {
        self.driver.is_some()
    }

    fn restart(&mut self) -> Result<(), Trouble> {
        self.driver = None;
        self.waiting = 0;
        self.driver = self.launch().ok();
        let folder = self.scratch.path().to_path_buf();
        self.send(&folder, "First", &[]);
        match self.receive() {
            Ok(ended) if ended.status == 0 => Ok(()),
            // No JDK, or a TLC that the driver does not know: a process each.
            _ if self.driver.is_some() => {
                self.driver = None;
                self.waiting = 0;
                self.send(&folder, "First", &[]);
                match self.receive()? {
                    ended if ended.status == 0 => Ok(()),
                    ended => Err(unexpected(&ended)),
                }
            }
            Ok(ended) => Err(unexpected(&ended)),
            Err(trouble) => Err(trouble),
        }
    }

    fn launch(&self) -> Result<Driver, Trouble> {
        let mut command = Command::new(&self.tools.java);
        // SANY puts the modules that come with TLC there. A process that was killed left half of one, for the next to read.
        let folder = self.scratch.path().join(format!("java-{}", self.sent));
        std::fs::create_dir_all(&folder)
            .map_err(|e| Trouble::Files(format!("cannot make `{}`: {e}", folder.display())))?;
        let mut temporary = OsString::from("-Djava.io.tmpdir=");
        temporary.push(folder);
        command.args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xss64m"]);
        command.args(self.tools.properties.iter().map(|property| format!("-D{property}")));
        command.arg(format!("-Xmx{}m", (self.bounds.memory >> 20).max(16)));
        command.args(["-Dfile.encoding=UTF-8", &format!("-Dtlc.fresh={}", self.fresh)]).arg(temporary);
        command.arg("-cp").arg(&self.tools.jar).arg("TlcSession.java").current_dir(self.scratch.path());
        command.env_remove("JAVA_TOOL_OPTIONS").env_remove("_JAVA_OPTIONS").env_remove("JDK_JAVA_OPTIONS");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|e| Trouble::NotStarted(e.to_string()))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(requests), Some(answers)) => Ok(Driver { child, requests, answers: BufReader::new(answers) }),
            _ => Err(Trouble::NotStarted("it has no standard input or output".into())),
        }
    }

    /// Asks for the model `module` in a folder, without waiting for the answer: answers come in the order of the requests. If the
    /// process has gone, [`Session::receive`] says so when it comes to this one.
    pub fn send(&mut self, folder: &Path, module: &str, options: &[&str]) {
        self.waiting += 1;
        self.sent += 1;
        // TLC names folders by the second.
        let states = self.scratch.path().join(format!("states-{}", self.sent % 1000));
        drop(std::fs::remove_dir_all(&states));
        let mut arguments: Vec<OsString> = OPTIONS.iter().chain(options).map(OsString::from).collect();
        arguments.extend(["-metadir".into(), states.into(), module.into()]);
        let Some(driver) = &mut self.driver else {
            self.kept.push_back((folder.as_os_str().to_owned(), arguments));
            return;
        };
        let mut line = format!("{}\t{}", self.bounds.time.as_secs().max(1), folder.display());
        for argument in &arguments {
            line.push('\t');
            line.push_str(&argument.to_string_lossy());
        }
        line.push('\n');
        drop(driver.requests.write_all(line.as_bytes()).and_then(|()| driver.requests.flush()));
    }

    /// The next answer.
    ///
    /// # Errors
    /// [`Trouble::TimedOut`] if TLC took too long, [`Trouble::CutOff`] if the process ended; it is started anew then, and what
    /// was sent behind that request is forgotten.
    pub fn receive(&mut self) -> Result<Ended, Trouble> {
        self.waiting = self.waiting.saturating_sub(1);
        let Some(driver) = &mut self.driver else { return self.alone() };
        let mut line = String::new();
        let read = driver.answers.read_line(&mut line).unwrap_or(0);
        let mut cells = line.trim_end_matches('\n').splitn(3, '\t');
        let (status, millis) = (cells.next().unwrap_or_default(), cells.next().and_then(|m| m.parse().ok()));
        let took = Duration::from_millis(millis.unwrap_or_default());
        if read == 0 {
            return Err(Trouble::CutOff);
        }
        if status == "TIMEOUT" {
            return Err(Trouble::TimedOut(took));
        }
        let output = unescape(cells.next().unwrap_or_default());
        match status.parse() {
            Ok(status) => Ok(Ended { status, output, took }),
            Err(_) => Err(Trouble::Strange(output)),
        }
    }

    /// After an error of [`Session::receive`]: starts anew; how many requests were lost.
    ///
    /// # Errors
    /// As [`Session::start`].
    pub fn recover(&mut self) -> Result<usize, Trouble> {
        let lost = self.waiting;
        self.kept.clear();
        self.restart()?;
        Ok(lost)
    }

    fn alone(&mut self) -> Result<Ended, Trouble> {
        let (folder, arguments) = self.kept.pop_front().ok_or(Trouble::CutOff)?;
        self.tools.class("tlc2.TLC", &arguments, Path::new(&folder), &self.bounds)
    }
}

/// The first model failed, which holds.
fn unexpected(ended: &Ended) -> Trouble {
    let said: Vec<&str> = ended.output.lines().filter(|line| !line.starts_with("@!@!@")).collect();
    Trouble::Strange(format!("status {} of a model that holds: {}", ended.status, said.join(" ")))
}

/// Puts line breaks back.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => plain.push('\n'),
                Some('t') => plain.push('\t'),
                Some(other) => plain.push(other),
                None => {}
            },
            c => plain.push(c),
        }
    }
    plain
}
