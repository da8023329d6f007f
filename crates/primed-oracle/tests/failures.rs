//! What can go wrong with Java: each is an error that says so, and nothing is left over. A script stands in for Java.
#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use primed_oracle::find::{Source, Tools};
use primed_oracle::jar::Contents;
use primed_oracle::scratch::Scratch;
use primed_oracle::specification::{Module, Specification, ask};
use primed_oracle::windows::{Form, Said, Window, judge};
use primed_oracle::{Bounds, Trouble};
use tempfile::TempDir;

/// A Java that is this script.
fn fake(script: &str) -> (TempDir, Tools) {
    let folder = tempfile::tempdir().unwrap();
    let java = folder.path().join("java");
    fs::write(&java, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&java, fs::Permissions::from_mode(0o755)).unwrap();
    let jar = folder.path().join("tla2tools.jar");
    (folder, Tools { java, jar, source: Source::Argument, contents: Contents::default(), properties: Vec::new() })
}

fn run(script: &str, time: Duration) -> Trouble {
    let (_folder, tools) = fake(script);
    let scratch = Scratch::new().unwrap();
    ask(&tools, &scratch, "M", &[], &Bounds { time, ..Bounds::default() }).unwrap_err()
}

const LONG: Duration = Duration::from_secs(30);
const BANNER: &str = "echo '@!@!@STARTMSG 2262:0 @!@!@'; echo 'TLC2 Version 2.15'; echo '@!@!@ENDMSG 2262 @!@!@'";

#[test]
fn java_that_is_killed_in_the_middle_is_told_by_its_signal() {
    assert_eq!(run(&format!("{BANNER}\nkill -9 $$"), LONG), Trouble::Killed { signal: 9 });
}

#[test]
fn output_that_ends_in_the_middle_is_told() {
    assert_eq!(
        run(&format!("{BANNER}\necho '@!@!@STARTMSG 2199:0 @!@!@'\nprintf '12 states gen'"), LONG),
        Trouble::CutOff
    );
    assert_eq!(run(BANNER, LONG), Trouble::CutOff);
}

#[test]
fn other_output_is_told() {
    assert!(matches!(run("echo hello; exit 3", LONG), Trouble::Strange(what) if what.contains("hello")));
}

#[test]
fn what_java_says_of_itself_is_understood() {
    let old = "echo 'Exception in thread \"main\" java.lang.UnsupportedClassVersionError: tlc2/TLC'; exit 1";
    assert!(matches!(run(old, LONG), Trouble::OldJava(_)));
    let no_tlc = "echo 'Error: Could not find or load main class tlc2.TLC'; exit 1";
    assert!(matches!(run(no_tlc, LONG), Trouble::NotTlc(_)));
    let memory = format!("{BANNER}; echo 'java.lang.OutOfMemoryError: Java heap space'; exit 255");
    assert_eq!(run(&memory, LONG), Trouble::OutOfMemory);
    let disk = format!("{BANNER}; echo 'java.io.IOException: No space left on device'; exit 255");
    assert_eq!(run(&disk, LONG), Trouble::DiskFull);
}

#[test]
fn what_takes_too_long_is_ended_with_all_that_it_started() {
    let (folder, tools) = fake("sleep 1000 &\necho $! > \"$(dirname \"$0\")/child\"\nwait");
    let scratch = Scratch::new().unwrap();
    let begun = Instant::now();
    let time = Duration::from_millis(700);
    let ended = ask(&tools, &scratch, "M", &[], &Bounds { time, ..Bounds::default() });
    assert_eq!(ended, Err(Trouble::TimedOut(time)));
    assert!(begun.elapsed() < Duration::from_secs(20));
    let child = fs::read_to_string(folder.path().join("child")).unwrap();
    assert!(is_gone(child.trim()), "process {child} is left over");
}

/// Whether a process is gone, or only waits to be collected by whoever has it now.
fn is_gone(process: &str) -> bool {
    (0..200).any(|_| {
        let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let gone =
            status.is_empty() || status.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'));
        std::thread::sleep(Duration::from_millis(if gone { 0 } else { 10 }));
        gone
    })
}

#[test]
fn a_java_that_is_not_there_is_told() {
    let (_folder, tools) = fake("");
    let tools = Tools { java: PathBuf::from("/nowhere/java"), ..tools };
    let scratch = Scratch::new().unwrap();
    assert_eq!(ask(&tools, &scratch, "M", &[], &Bounds::default()), Err(Trouble::NoJava));
}

#[test]
fn a_folder_is_removed_whatever_happens() {
    let scratch = Scratch::new().unwrap();
    let path = scratch.path().to_path_buf();
    scratch.write("file", b"text").unwrap();
    assert!(path.join("file").is_file());
    drop(scratch);
    assert!(!path.exists());
    let path = std::panic::catch_unwind(|| {
        let scratch = Scratch::new().unwrap();
        std::panic::panic_any(scratch.path().to_path_buf());
    });
    let path: PathBuf = *path.unwrap_err().downcast().unwrap();
    assert!(path.is_absolute() && !path.exists());
}

#[test]
fn a_full_disk_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mount = |program: &str, arguments: &[&str]| {
        let status = std::process::Command::new(program).args(arguments).arg(folder.path()).output();
        status.is_ok_and(|output| output.status.success())
    };
    if !mount("mount", &["-t", "tmpfs", "-o", "size=64k", "tmpfs"]) {
        eprintln!("SKIPPED a_full_disk_is_told: no small disk can be mounted here");
        return;
    }
    let full = fs::write(folder.path().join("filler"), vec![0_u8; 1 << 17]);
    // Nothing that is printed can be kept.
    let (_other, tools) = fake(&format!("{BANNER} || exit 3"));
    let ended = tools.class("tlc2.TLC", &[], folder.path(), &Bounds::default());
    mount("umount", &[]);
    assert!(full.is_err(), "the small disk is not full");
    assert_eq!(ended.map(|e| e.output), Err(Trouble::DiskFull));
}

fn small() -> (Specification, Vec<Window>) {
    let text =
        "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nUp == x < 2 /\\ x' = 6 \\div (2 - x)\n====\n";
    let module = Module { name: "M".into(), text: text.into(), own: false };
    let spec =
        Specification { modules: vec![module], config: "INIT Init\nNEXT Up\n".into(), ..Specification::default() };
    let window = |number, before: &str, after: &str| Window {
        number,
        formula: "Up".into(),
        before: vec![("x".into(), before.into())],
        after: vec![("x".into(), after.into())],
        missing: Vec::new(),
        allowed: None,
    };
    let windows = vec![window(3, "0", "3"), window(5, "1", "3"), window(7, "1", "6"), window(9, "2", "6")];
    (spec, windows)
}

#[test]
fn windows_of_a_java_that_is_killed_have_no_answer_and_no_verdict() {
    let (_folder, tools) = fake(&format!("{BANNER}\nkill -9 $$"));
    let (spec, windows) = small();
    let answers = judge(&tools, &spec, &[], &windows, Form::Enumerated, &Bounds::default()).unwrap();
    assert_eq!(answers.len(), windows.len());
    assert!(answers.values().all(|said| matches!(said, Said::Nothing(why) if why.contains("signal 9"))), "{answers:?}");
}

/// The real TLC, if it is installed.
fn real(test: &str) -> Option<Tools> {
    let found = Tools::find(None);
    if let Err(trouble) = &found {
        eprintln!("SKIPPED {test}: {trouble}");
    }
    found.ok()
}

#[test]
fn the_real_tlc_judges_many_windows_in_one_run_and_one_that_fails_loses_no_other() {
    let Some(tools) = real("the_real_tlc_judges_many_windows_in_one_run_and_one_that_fails_loses_no_other") else {
        return;
    };
    let (mut spec, mut windows) = small();
    for form in [Form::Enumerated, Form::Given] {
        let answers = judge(&tools, &spec, &[], &windows, form, &Bounds::default()).unwrap();
        let words: Vec<(usize, &str)> = answers.iter().map(|(n, said)| (*n, said.word())).collect();
        assert_eq!(words, [(3, "conforms"), (5, "refused"), (7, "conforms"), (9, "refused")], "{form:?}");
    }
    // Without the guard the last one divides by zero, and so does one in the middle.
    spec.modules[0].text = spec.modules[0].text.replace("x < 2 /\\ ", "");
    windows.insert(1, Window { number: 4, ..windows[3].clone() });
    let answers = judge(&tools, &spec, &[], &windows, Form::Enumerated, &Bounds::default()).unwrap();
    let words: Vec<&str> = answers.values().map(Said::word).collect();
    assert_eq!(words, ["conforms", "error", "refused", "conforms", "error"], "{answers:?}");
    assert!(matches!(&answers[&4], Said::Error(words) if words.contains("\\div is 0")), "{answers:?}");
}

#[test]
fn the_real_tlc_says_that_it_runs_and_a_file_that_is_none_is_told_apart() {
    let Some(tools) = real("the_real_tlc_says_that_it_runs_and_a_file_that_is_none_is_told_apart") else { return };
    assert!(tools.banner().unwrap().starts_with("TLC2 Version"));
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("part.jar");
    let bytes = fs::read(&tools.jar).unwrap();
    fs::write(&part, &bytes[..bytes.len() / 2]).unwrap();
    assert!(matches!(Tools::find(Some(&part)), Err(Trouble::DamagedJar { .. })));
    assert!(matches!(Tools::find(Some(Path::new("/nowhere.jar"))), Err(Trouble::NoJar { named: true, .. })));
}
