//! Commands that a specification runs, where the user allows it.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use primed::{Executed, RunsCommands, Undone};
use primed_oracle::{Trouble, run};

/// Longest time that a command may take.
const MAX_TIME: Duration = Duration::from_secs(600);

/// Each command as a process with a group of its own, which ends with it.
#[derive(Debug)]
pub(crate) struct Processes;

impl RunsCommands for Processes {
    fn run(&self, command: &[String], variables: &[(String, String)], folder: &Path) -> Result<Executed, Undone> {
        let [program, arguments @ ..] = command else { return Err(Undone::Failed("a command has no words".into())) };
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        match run::command(program, &arguments, variables, folder, MAX_TIME) {
            Ok(ended) => Ok(Executed { output: ended.output, errors: ended.errors, status: ended.status.into() }),
            Err(Trouble::NoJava | Trouble::NoProgram(_)) => {
                Err(Undone::Missing(format!("cannot run `{program}`: there is no such program")))
            }
            Err(trouble) => Err(Undone::Failed(format!("cannot run `{program}`: {trouble}"))),
        }
    }
}
