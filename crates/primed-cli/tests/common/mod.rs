//! Runs the command.
#![allow(dead_code, reason = "every test program uses a part of it")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// What the command did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Every line of standard output as JSON.
    pub(crate) fn json(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        self.out.lines().map(parse).collect()
    }

    /// One field of every line.
    pub(crate) fn field(&self, name: &str) -> Vec<String> {
        self.json().iter().map(|o| o[name].as_str().unwrap_or("").to_owned()).collect()
    }

    pub(crate) fn code_is(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    pub(crate) fn says(self, text: &str) -> Ran {
        assert!(self.out.contains(text), "`{text}` is missing in {}", self.out);
        self
    }

    pub(crate) fn says_not(self, text: &str) -> Ran {
        assert!(!self.out.contains(text), "`{text}` is in {}", self.out);
        self
    }

    pub(crate) fn complains(self, text: &str) -> Ran {
        assert!(self.err.contains(text), "`{text}` is missing in {}", self.err);
        self
    }
}

/// Runs the command in the folder of test data.
pub(crate) fn primed(arguments: &[&str]) -> Ran {
    primed_with(arguments, "")
}

/// Runs the command in another folder.
pub(crate) fn primed_in(folder: &Path, arguments: &[&str]) -> Ran {
    run(folder, arguments, "")
}

/// Runs it in the folder of test data with some environment variables set, or with an empty value.
pub(crate) fn primed_env(arguments: &[&str], environment: &[(&str, &str)]) -> Ran {
    run_env(&data(), arguments, "", environment)
}

/// Runs it with something on standard input.
pub(crate) fn primed_with(arguments: &[&str], input: &str) -> Ran {
    run(&data(), arguments, input)
}

fn run(folder: &Path, arguments: &[&str], input: &str) -> Ran {
    run_env(folder, arguments, input, &[])
}

fn run_env(folder: &Path, arguments: &[&str], input: &str, environment: &[(&str, &str)]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_primed"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // The command may end without reading it.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The folder of test data.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// The repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A file of its own for a test.
pub(crate) fn file(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}
