//! `primed fuzz`, bounded and with a fixed seed.

mod common;

use std::io::Write;

use common::primed;

/// A number of the JSON.
fn number(json: &str, key: &str) -> u64 {
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    value[key].as_u64().unwrap_or_else(|| panic!("no {key} in {json}"))
}

#[test]
fn specifications_written_otherwise_have_the_same_counts() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let ran =
        primed(&["fuzz", "--metamorphic", "--specifications", "40", "--seed", "1", "--json", "-", "--out", folder]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(number(&ran.out, "specifications"), 40);
    assert!(number(&ran.out, "variants") >= 60, "most of the specifications must hold: {}", ran.out);
}

#[test]
fn the_real_tlc_says_the_same_of_specifications_and_windows() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let ran =
        primed(&["fuzz", "--specifications", "25", "--windows", "6", "--seed", "300", "--json", "-", "--out", folder]);
    if number(&ran.out, "variants") > 0 {
        let line = format!("SKIPPED: the_real_tlc_says_the_same_of_specifications_and_windows: {}\n", ran.err);
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        return;
    }
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(number(&ran.out, "specifications"), 25);
    assert!(number(&ran.out, "windows") >= 50, "{}", ran.out);
    assert!(number(&ran.out, "conforming") >= 20, "{}", ran.out);
}

#[test]
fn a_seed_is_written_as_the_same_files_each_time() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for out in [&first, &second] {
        let ran = primed(&["fuzz", "--write", "--seed", "42", "--out", out.path().to_str().unwrap()]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
    let text = |folder: &tempfile::TempDir| std::fs::read_to_string(folder.path().join("Fuzz.tla")).unwrap();
    assert_eq!(text(&first), text(&second));
    assert!(text(&first).contains("Next == "));
}

/// Java processes that a process has started, and that have answered something: they have used processors for more than 2.5 s.
#[cfg(target_os = "linux")]
fn java_below(process: u32) -> Vec<String> {
    let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    let has_worked = |child: &&str| {
        let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        let Some((name, rest)) = stat.rsplit_once(')') else { return false };
        let ticks = rest.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum::<u64>();
        name.ends_with("(java") && ticks > 250
    };
    children.split_whitespace().filter(has_worked).map(str::to_owned).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn the_rest_is_judged_when_java_is_killed() {
    use std::process::{Command, Stdio};
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_primed"))
        .args(["fuzz", "--specifications", "80", "--windows", "3", "--seed", "700", "--json", "-", "--out", folder])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut killed = 0;
    while child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(300));
        let running = if killed < 2 { java_below(child.id()) } else { Vec::new() };
        for java in running {
            killed += u32::from(Command::new("kill").args(["-9", &java]).status().is_ok_and(|status| status.success()));
        }
    }
    let ran = child.wait_with_output().unwrap();
    let (said, complained) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    // On a machine that is busy it may not have come to a session.
    if killed == 0 || complained.contains("no JDK") || number(&said, "variants") > 0 {
        let line = format!("SKIPPED: the_rest_is_judged_when_java_is_killed: {complained}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        return;
    }
    assert_eq!(ran.status.code(), Some(0), "{complained}");
    assert_eq!(number(&said, "specifications"), 80);
    assert!(complained.contains("ends in the middle"), "{complained}");
}
