//! Verdicts put before the real TLC. Where the test is about what TLC's answer does, a script stands in for Java.
#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use common::{Ran, data, file, primed, primed_env};
use serde_json::{Value, json};
use tempfile::TempDir;

const WINDOWS: [&str; 6] = ["windows", "Lamp.tla", "--windows", "windows_Lamp.ndjson", "--json", "-"];
const BANNER: &str = "echo '@!@!@STARTMSG 2262:0 @!@!@'; echo 'TLC2 Version 2.15'; echo '@!@!@ENDMSG 2262 @!@!@'";
const END: &str = "echo '@!@!@STARTMSG 2186:0 @!@!@'; echo 'Finished'; echo '@!@!@ENDMSG 2186 @!@!@'";

/// A JAVA_HOME whose Java is a script, and a jar that looks like TLC's.
struct Fake {
    folder: TempDir,
}

impl Fake {
    fn new(script: &str) -> Fake {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        let java = folder.path().join("bin/java");
        fs::write(&java, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&java, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.path().join("tla2tools.jar"), archive(&["tlc2/TLC.class"])).unwrap();
        fs::create_dir(folder.path().join("tmp")).unwrap();
        Fake { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let (home, jar, tmp) = (self.path(""), self.path("tla2tools.jar"), self.path("tmp"));
        primed_env(arguments, &[("JAVA_HOME", &home), ("TLA2TOOLS_JAR", &jar), ("TMPDIR", &tmp)])
    }

    /// Nothing is left where temporary files go.
    fn is_clean(&self) -> bool {
        fs::read_dir(self.folder.path().join("tmp")).unwrap().next().is_none()
    }
}

/// A zip archive with empty files.
fn archive(names: &[&str]) -> Vec<u8> {
    let u16s = |numbers: &[u16]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let u16 = |n: usize| u16::try_from(n).unwrap();
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for name in names {
        let (at, length) = (u16(bytes.len()), u16(name.len()));
        bytes.extend(b"PK\x03\x04");
        bytes.extend(u16s(&[10, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, length, 0]));
        bytes.extend(name.bytes());
        directory.extend(b"PK\x01\x02");
        directory.extend(u16s(&[10, 10, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, length, 0, 0, 0, 0, 0, 0, at, 0]));
        directory.extend(name.bytes());
    }
    let (at, size, count) = (u16(bytes.len()), u16(directory.len()), u16(names.len()));
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06");
    bytes.extend(u16s(&[0, 0, count, count, size, 0, at, 0, 0]));
    bytes
}

fn with(more: &[&'static str]) -> Vec<&'static str> {
    WINDOWS.iter().chain(more).copied().collect()
}

/// What TLC's answers add up to: the last line.
fn sums(ran: &Ran) -> Value {
    ran.json().last().unwrap()["cross_check"].clone()
}

fn results(ran: &Ran) -> Vec<Value> {
    ran.json().iter().map(|o| o["cross_check"]["result"].clone()).filter(|r| !r.is_null()).collect()
}

#[test]
fn without_java_or_tlc_verdicts_stay_and_are_marked() {
    let fake = Fake::new("exit 0");
    let (home, jar) = (fake.path(""), fake.path("tla2tools.jar"));
    let native = primed(&WINDOWS).code_is(12).field("verdict");
    let no_java =
        primed_env(&with(&["--cross-check", "all"]), &[("JAVA_HOME", ""), ("PATH", ""), ("TLA2TOOLS_JAR", &jar)]);
    let no_jar = primed_env(&with(&["--cross-check", "all", "--tlc-jar", "missing.jar"]), &[("JAVA_HOME", &home)]);
    let text = file("cross/text.jar", "no jar");
    let damaged = primed_env(&with(&["--cross-check", "all"]), &[("JAVA_HOME", &home), ("TLA2TOOLS_JAR", &text)]);
    let other = fake.path("other.jar");
    fs::write(&other, archive(&["a/B.class"])).unwrap();
    let not_tlc = primed_env(&with(&["--cross-check", "all"]), &[("JAVA_HOME", &home), ("TLA2TOOLS_JAR", &other)]);
    let all = [
        (no_java, "there is no Java"),
        (no_jar, "missing.jar"),
        (damaged, "is damaged"),
        (not_tlc, "TLC is not in it"),
    ];
    for (ran, words) in all {
        let ran = ran.code_is(12).complains("not cross-checked").complains(words);
        assert_eq!(&ran.field("verdict")[..3], native);
        assert_eq!(results(&ran), ["not_checked"; 3]);
        assert_eq!(sums(&ran)["not_checked"][0]["count"], json!(3));
    }
}

#[test]
fn a_java_that_dies_or_says_half_of_it_changes_no_verdict() {
    let scripts = [
        (format!("{BANNER}\nkill -9 $$"), "signal 9"),
        (format!("{BANNER}\necho '@!@!@STARTMSG 2199:0 @!@!@'"), "ends in the middle"),
        (format!("{BANNER}\necho 'No space left on device'; exit 255"), "no space left"),
        (format!("{BANNER}\necho 'java.lang.OutOfMemoryError'; exit 255"), "ran out of memory"),
        ("echo 'UnsupportedClassVersionError: tlc2/TLC'; exit 1".into(), "Java is too old"),
        ("sleep 100".into(), "did not end within"),
    ];
    for (script, words) in scripts {
        let fake = Fake::new(&script);
        let ran = fake.run(&with(&["--cross-check", "all", "--tlc-timeout", "1"])).code_is(12);
        assert_eq!(&ran.field("verdict")[..3], ["conforms", "refused", "conforms"]);
        let reasons = sums(&ran)["not_checked"].to_string();
        assert!(reasons.contains(words), "`{words}` is missing in {reasons}");
        assert!(fake.is_clean(), "{words}");
    }
}

/// A TLC to which nothing conforms.
fn refuses_all() -> Fake {
    Fake::new(&format!("{BANNER}\n{END}"))
}

#[test]
fn a_disagreement_is_disputed_written_down_and_made_smaller() {
    let fake = refuses_all();
    let disputes = fake.path("disputes");
    let disputing: Vec<&str> =
        WINDOWS.iter().copied().chain(["--cross-check", "all", "--disputes", &disputes]).collect();
    let ran = fake.run(&disputing).code_is(74);
    assert_eq!(&ran.field("verdict")[..3], ["disputed", "refused", "disputed"]);
    assert_eq!(results(&ran), ["disputed", "agrees", "disputed"]);
    let first = &ran.json()[0]["cross_check"];
    assert_eq!((&first["primed"], &first["tlc"]), (&json!("conforms"), &json!("refused")));
    assert_eq!((&sums(&ran)["disputed"], &sums(&ran)["agreed"]), (&json!(2), &json!(1)));

    let bundle = PathBuf::from(&disputes).join("windows-Lamp-1");
    let written: Value = serde_json::from_str(&fs::read_to_string(bundle.join("dispute.json")).unwrap()).unwrap();
    assert_eq!(written["answers"].as_array().unwrap().len(), 2);
    assert!(written["reproduce"].as_str().unwrap().starts_with("primed windows Lamp.tla"));
    assert!(fs::read_to_string(bundle.join("Lamp.tla")).unwrap().contains("Press"));
    assert_eq!(fs::read_to_string(bundle.join("windows.ndjson")).unwrap().lines().count(), 2);
    assert!(fs::read_to_string(bundle.join("tlc/PrimedWindows.tla")).unwrap().contains("Before_"));

    let ran = fake.run(&["minimize", bundle.to_str().unwrap(), "--json", "-"]).code_is(0);
    let object = &ran.json()[0];
    assert_eq!((&object["windows"], &object["units"][0]), (&json!([2, 1]), &json!(6)), "{object}");
    let smaller = PathBuf::from(&disputes).join("windows-Lamp-1-minimal");
    let text = fs::read_to_string(smaller.join("Lamp.tla")).unwrap();
    assert!(text.contains("Press ==") && !text.contains("Unused") && !text.contains("Odd"), "{text}");
    assert!(fake.is_clean());
    // What agrees cannot be made smaller.
    let agreeing = Fake::new("exit 3");
    agreeing.run(&["minimize", bundle.to_str().unwrap()]).code_is(75).complains("does not show again");
}

#[test]
fn an_evaluation_is_put_before_tlc_as_windows_and_models_are() {
    let fake = refuses_all();
    let disputes = fake.path("disputes");
    let arguments =
        ["evaluate", "Lamp.tla", "--windows", "windows_Lamp.ndjson", "--json", "-", "--disputes", &disputes];
    let run = |more: &[&str]| fake.run(&[&arguments[..], more].concat());
    let ran = run(&["--cross-check", "all", "--invariants", "lit \\in BOOLEAN"]);
    ran.code_is(153).complains("lit");
    let ran = run(&["--cross-check", "all"]).code_is(74);
    let found = &ran.json()[0];
    let conformance = &found["conformance"];
    assert_eq!((&conformance["disputed"], &conformance["exit_code"]), (&json!(2), &json!(74)), "{found}");
    assert_eq!((&conformance["conforming"], &conformance["cross_check"]["agreed"]), (&json!(0), &json!(1)));
    // TLC's counts are not there to be compared; that it found no error either is.
    assert_eq!(found["runtime"]["cross_check"]["primed"]["exit_code"], json!(0));
    assert!(PathBuf::from(&disputes).join("windows-Lamp-1/dispute.json").is_file());
    assert_eq!(run(&[]).json()[0]["conformance"]["disputed"], json!(0));

    let message = "echo '@!@!@STARTMSG 2110:1 @!@!@'; echo 'Invariant Odd is violated.'; echo '@!@!@ENDMSG 2110 @!@!@'";
    let fake = Fake::new(&format!("{BANNER}\n{message}\n{END}\nexit 12"));
    let disputes = fake.path("disputes");
    let ran = fake.run(&["evaluate", "Lamp.tla", "--json", "-", "--cross-check", "all", "--disputes", &disputes]);
    let ran = ran.code_is(74);
    let found = &ran.json()[0];
    assert_eq!((&found["runtime"]["verdict"], &found["runtime"]["result"]), (&json!("disputed"), &json!("failed")));
    assert!(Path::new(&disputes).join("check-Lamp-1/dispute.json").is_file());
    assert!(fake.is_clean());
}

#[test]
fn only_what_is_chosen_is_asked() {
    let fake = refuses_all();
    let disputes = fake.path("disputes");
    let choose = |choice: &str, seed: &str| {
        let more = ["--cross-check", choice, "--seed", seed, "--disputes", &disputes];
        fake.run(&WINDOWS.iter().copied().chain(more).collect::<Vec<_>>())
    };
    assert_eq!(sums(&choose("failures", "0").code_is(12))["chosen"], json!(1));
    assert_eq!(sums(&choose("sample=0", "0").code_is(12))["chosen"], json!(0));
    assert_eq!(sums(&choose("sample=1", "0").code_is(74))["chosen"], json!(3));
    let half = |seed| sums(&choose("sample=0.5", seed))["chosen"].clone();
    assert_eq!(half("1"), half("1"));
    primed(&with(&["--cross-check", "some"])).code_is(64);
}

#[test]
fn a_model_of_another_opinion_is_disputed() {
    let message = |code: u32, class: u32, text: &str| {
        format!("echo '@!@!@STARTMSG {code}:{class} @!@!@'; echo '{text}'; echo '@!@!@ENDMSG {code} @!@!@'\n")
    };
    let counts = message(2199, 0, "3 states generated, 2 distinct states found, 0 states left on queue.");
    let depth = message(2194, 0, "The depth of the complete state graph search is 2.");
    let check = |script: &str, more: &[&str]| {
        let fake = Fake::new(script);
        let disputes = fake.path("disputes");
        let arguments = ["check", "Lamp.tla", "--json", "-", "--cross-check", "all", "--disputes", &disputes];
        let ran = fake.run(&arguments.iter().chain(more).copied().collect::<Vec<_>>());
        let written = Path::new(&disputes).join("check-Lamp-1/dispute.json").is_file();
        (ran.json()[0].clone(), ran.code, written)
    };
    let agreeing = format!("{BANNER}\n{counts}{depth}{END}");
    let (object, code, written) = check(&agreeing, &[]);
    assert_eq!((&object["cross_check"]["result"], code, written), (&json!("agrees"), Some(0), false), "{object}");
    let (object, code, written) = check(&agreeing.replace("3 states", "4 states"), &[]);
    assert_eq!((&object["verdict"], code, written), (&json!("disputed"), Some(74), true), "{object}");
    assert!(object["cross_check"]["difference"].as_str().unwrap().contains("4, 2 by TLC"), "{object}");
    let violated = message(2110, 1, "Invariant Odd is violated.");
    let (object, code, _) = check(&format!("{BANNER}\n{violated}{END}\nexit 12"), &[]);
    assert_eq!((&object["cross_check"]["tlc"]["exit_code"], code), (&json!(12), Some(74)), "{object}");
}

#[test]
fn what_is_not_supported_is_decided_by_tlc() {
    let fake =
        Fake::new(&format!("{BANNER}\necho '<<\"primed:tried\", 1>>'\necho '<<\"primed:conforms\", 1>>'\n{END}"));
    let window = file(
        "cross/twice.ndjson",
        "{\"action\": \"Twice\", \"pre\": {\"x\": 0, \"log\": []}, \"post\": {\"x\": 0, \"log\": []}}\n",
    );
    let arguments = ["windows", "Counter.tla", "--windows", &window, "--json", "-"];
    let without = fake.run(&arguments).code_is(72);
    assert_eq!(without.field("verdict"), ["unsupported"]);
    let ran = fake.run(&arguments.iter().copied().chain(["--fallback", "tlc"]).collect::<Vec<_>>());
    // The jar has no TLCExt, so this TLC cannot decide it either, and says so.
    assert_eq!(ran.field("verdict")[0], "unsupported");
    assert!(sums(&ran)["not_checked"][0]["reason"].as_str().unwrap().contains("TLCExt"));
    let more = archive(&["tlc2/TLC.class", "tla2sany/StandardModules/TLCExt.tla"]);
    fs::write(fake.path("tla2tools.jar"), more).unwrap();
    let ran = fake.run(&arguments.iter().copied().chain(["--fallback", "tlc"]).collect::<Vec<_>>()).code_is(0);
    let object = &ran.json()[0];
    assert_eq!((&object["verdict"], &object["decided_by"]), (&json!("conforms"), &json!("tlc")), "{object}");
    assert_eq!(sums(&ran)["decided"], json!(1));
}

#[test]
fn what_writes_files_is_left_to_tlc_only_where_it_may_write() {
    let fake = Fake::new(&format!("{BANNER}\n{END}"));
    let more = archive(&["tlc2/TLC.class", "tla2sany/StandardModules/TLCExt.tla", "tla2sany/StandardModules/CSV.tla"]);
    fs::write(fake.path("tla2tools.jar"), more).unwrap();
    let spec = file(
        "cross/Writes.tla",
        "---- MODULE Writes ----\nEXTENDS CSV, TLCExt\nVARIABLE x\nInit == x = 0\nNext == x' = TLCEvalDefinition(\"x\")\n\
         Log == CSVWrite(\"%1$s\", <<x>>, \"log.csv\")\nRun == Log\n====\n",
    );
    file("cross/Writes.cfg", "INIT Init\nNEXT Next\n");
    let arguments = ["check", &spec, "--json", "-", "--fallback", "tlc"];
    let refused = fake.run(&arguments).code_is(72).json()[0]["cross_check"].clone();
    assert_eq!(refused["result"], "not_checked", "{refused}");
    let why = refused["why"].as_str().unwrap();
    assert!(why.contains("`CSVWrite`") && why.contains("--allow-write"), "{why}");
    let folder = fake.path("tmp");
    let allowed = fake.run(&[&arguments[..], &["--allow-write", &folder]].concat()).json()[0]["cross_check"].clone();
    assert_eq!(allowed["result"], "decided", "{allowed}");
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    let fake = Fake::new("sleep 100");
    let (home, jar, tmp) = (fake.path(""), fake.path("tla2tools.jar"), fake.path("tmp"));
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_primed"))
        .args(with(&["--cross-check", "all"]))
        .current_dir(data())
        .envs([("JAVA_HOME", &home), ("TLA2TOOLS_JAR", &jar), ("TMPDIR", &tmp)])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let begun = std::time::Instant::now();
    while fake.is_clean() && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(200));
    assert!(!fake.is_clean(), "TLC was not started");
    let interrupted = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.is_ok_and(|s| s.success()));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(fake.is_clean(), "a folder is left over");
}

#[test]
fn the_oracle_says_what_it_finds() {
    let fake = Fake::new("echo 'openjdk version \"17\"'; echo 'TLC2 Version 2.15'; exit 1");
    let ran = fake.run(&["oracle", "--json", "-"]).code_is(0);
    let object = &ran.json()[0];
    assert_eq!((&object["works"], &object["source"]), (&json!(true), &json!("environment")), "{object}");
    assert!(object["lacks"].as_array().unwrap().contains(&json!("ALIAS")), "{object}");
    let ran = fake.run(&["oracle", "status", "--tlc-jar", "missing.jar", "--json", "-"]).code_is(153);
    assert_eq!(ran.json()[0]["trouble"]["kind"], json!("no_jar"));
    fake.run(&["oracle", "status", "--tlc-jar", "missing.jar"]).code_is(153).complains("missing.jar").says("not found");
}

/// Whether the real TLC is there; if not, the test is left out, loudly.
fn is_installed(test: &str) -> bool {
    let there = primed(&["oracle", "--json", "-"]).code == Some(0);
    if !there {
        eprintln!("SKIPPED {test}: the real TLC is not installed (primed oracle install)");
    }
    there
}

#[test]
fn the_real_tlc_agrees_on_windows_and_a_model() {
    if !is_installed("the_real_tlc_agrees_on_windows_and_a_model") {
        return;
    }
    let ran = primed(&with(&["--cross-check", "all"])).code_is(12);
    assert_eq!(results(&ran), ["agrees"; 3]);
    let ran = primed(&["check", "Lamp.tla", "--json", "-", "--cross-check", "all"]).code_is(0);
    assert_eq!(ran.json()[0]["cross_check"]["result"], json!("agrees"), "{ran:#?}");
    primed(&["check", "Lamp.tla", "--cross-check", "all"]).code_is(0).says("1 verdict, all agree");
}

/// A JAVA_HOME whose Java writes down that it was started, and is the real one then.
fn counted_java(folder: &Path) -> Option<(String, PathBuf)> {
    let found = std::env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin/java"));
    let path = std::env::var_os("PATH")?;
    let found = found.into_iter().chain(std::env::split_paths(&path).map(|p| p.join("java")));
    let java = found.into_iter().find(|java| java.is_file())?.canonicalize().ok()?;
    let (starts, script) = (folder.join("starts"), folder.join("bin/java"));
    fs::create_dir(folder.join("bin")).ok()?;
    fs::write(&script, format!("#!/bin/sh\necho x >> '{}'\nexec '{}' \"$@\"\n", starts.display(), java.display()))
        .ok()?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).ok()?;
    Some((folder.to_str()?.to_owned(), starts))
}

#[test]
fn windows_of_a_tv_module_are_put_before_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let Some((home, starts)) = counted_java(folder.path()).filter(|_| is_installed("windows_of_a_tv_module")) else {
        return;
    };
    let tv = data().join("TV_Add.tla");
    let tv = fs::read_to_string(tv).unwrap().replace("TV_Add", "TV_Plus").replace("INSTANCE Counter", "INSTANCE Plus");
    let module = file("cross/tv/TV_Plus.tla", &tv.replace("windows_Add", "windows_Plus"));
    file("cross/tv/TV_Plus.cfg", &fs::read_to_string(data().join("TV_Add.cfg")).unwrap());
    file(
        "cross/tv/Plus.tla",
        "---- MODULE Plus ----\nEXTENDS Integers, Sequences\nVARIABLES x, log\nAdd(n) == x' = x + n /\\ log' = Append(log, n)\n====\n",
    );
    let windows = fs::read_to_string(data().join("windows_Add.ndjson")).unwrap();
    let windows = file("cross/tv/windows_Plus.ndjson", &windows);
    let native = primed(&["tv", "--windows", &windows, &module, "--json", "-"]);
    let arguments =
        ["tv", "--windows", &windows, &module, "--cross-check", "all", "--json", "-", "--tlc-timeout", "60"];
    let ran = primed_env(&arguments, &[("JAVA_HOME", &home)]);
    let count = native.field("verdict").len();
    assert_eq!((results(&ran).len(), ran.field("verdict")[..count].to_vec()), (count, native.field("verdict")));
    assert!(results(&ran).iter().all(|result| *result == "agrees"), "{}", ran.out);
    let started = fs::read_to_string(&starts).unwrap().lines().count();
    assert!(started < count, "Java was started {started} times for {count} windows");
    primed_env(&arguments[..6], &[("JAVA_HOME", &home)]).complains(&format!("about {count} windows"));
}

#[test]
fn what_a_process_does_not_answer_costs_no_other_window_its_answer() {
    // Whatever runs here is no driver, so that each window has a process; the first one ends in the middle.
    let once = "if [ ! -e \"$TMPDIR/../once\" ]; then touch \"$TMPDIR/../once\"; kill -9 $$; fi";
    let fake = Fake::new(&format!("case \"$*\" in *-tool*TV_Add*) {once};; esac; {BANNER}; {END}"));
    let more = archive(&["tlc2/TLC.class", "tla2sany/StandardModules/TLCExt.tla"]);
    fs::write(fake.path("tla2tools.jar"), more).unwrap();
    let arguments = ["tv", "--windows", "windows_Add.ndjson", "TV_Add.tla", "--cross-check", "all", "--json", "-"];
    let ran = fake.run(&[&arguments[..], &["--disputes", &fake.path("disputes")]].concat());
    let results = results(&ran);
    assert!(results.iter().any(|r| *r == "not_checked") && results.iter().any(|r| r != "not_checked"), "{}", ran.out);
}

#[test]
fn actions_that_are_composed_are_left_to_tlc() {
    let fake = Fake::new(&format!("echo \"$*\" >> \"$TMPDIR/../asked\"; {BANNER}\n{END}"));
    let spec = file(
        "cross/Composed.tla",
        "---- MODULE Composed ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nA == x' = x + 1\nB == x' = 2 * x\n\
         Both == A \\cdot B\nNext == Both\n====\n",
    );
    file("cross/Composed.cfg", "INIT Init\nNEXT Next\n");
    let window = r#"{"action": "Both", "pre_state": {"x": 1}, "post_state": {"x": 4}}"#;
    let windows = file("cross/Composed.ndjson", window);
    let check = ["check", &spec, "--json", "-", "--fallback", "tlc"];
    let judge = ["windows", &spec, "--windows", &windows, "--json", "-", "--fallback", "tlc"];
    // Without somebody to ask it is TLC's own error.
    fake.run(&check[..4]).code_is(75);
    fake.run(&judge[..6]).code_is(75);
    // Nor is it asked about a verdict that there is not; why is said.
    let why = r"A \cdot B is evaluated only by a TLC that is told to";
    fake.run(&["check", &spec, "--cross-check", "all"]).code_is(75).says("1 not cross-checked").says(why);
    let ran = fake.run(&["check", &spec, "--cross-check", "all", "--json", "-"]).code_is(75);
    assert_eq!(ran.json()[0]["cross_check"]["result"], json!("not_checked"));
    let ran = fake.run(&["windows", &spec, "--windows", &windows, "--cross-check", "all"]).code_is(75);
    ran.says("1 not cross-checked").says(why);
    assert!(!Path::new(&fake.path("asked")).exists());
    let object = fake.run(&check).code_is(0).json().remove(0);
    assert_eq!(object["decided_by"], json!("tlc"), "{object}");
    assert_eq!(sums(&fake.run(&judge))["decided"], json!(1));
    let asked = fs::read_to_string(fake.path("asked")).unwrap();
    assert!(
        asked
            .lines()
            .filter(|line| line.contains("-tool"))
            .all(|line| line.contains("-Dtlc2.tool.impl.Tool.cdot=true")),
        "{asked}"
    );
}

#[test]
fn a_dispute_has_the_users_modules_and_no_other() {
    let fake = Fake::new(&format!("{BANNER}; {END}; exit 12"));
    let disputes = fake.path("disputes");
    let ran = fake.run(&["check", "Lamp.tla", "--cross-check", "all", "--disputes", &disputes, "--json", "-"]);
    ran.code_is(74);
    let folder = fs::read_dir(&disputes).unwrap().next().unwrap().unwrap().path();
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["Lamp.cfg", "Lamp.tla", "dispute.json"]);
}
