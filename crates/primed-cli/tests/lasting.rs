//! Searches that outgrow memory, are interrupted, or are killed and go on.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Ran, data, primed_in};

const MODELS: [(&str, &str); 5] = [
    ("Counters", "Counters"),
    ("Counters", "Violated"),
    ("Mail", "MailTwo"),
    ("Turns", "Turns"),
    ("Turns", "TurnsWeak"),
];

fn models() -> PathBuf {
    data().join("lasting")
}

/// A folder of its own for checkpoints and states, empty.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lasting").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn arguments(module: &str, config: &str) -> Vec<String> {
    ["check", &format!("{module}.tla"), "--config", &format!("{config}.cfg"), "--json", "-", "--coverage"]
        .map(str::to_owned)
        .into()
}

fn check(arguments: &[String], more: &[&str]) -> Ran {
    let all: Vec<&str> = arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
    primed_in(&models(), &all)
}

fn start(arguments: &[String], more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_primed"))
        .args(arguments)
        .args(more)
        .current_dir(models())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The files in a folder whose names begin so, in order; none if there is no folder.
fn names(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> =
        entries.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(prefix)).collect();
    found.sort();
    found
}

/// Numbers that look random and are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Kills a search so many times at moments within `window`, goes on each time, and then lets it end: what it says, and how often
/// it was killed.
fn kill_and_recover(
    arguments: &[String],
    folder: &Path,
    kills: usize,
    window: Duration,
    random: &mut Random,
) -> (Ran, usize) {
    let checkpoints = folder.to_str().unwrap();
    let storage = ["--checkpoint", checkpoints, "--checkpoint-every", "0"];
    let mut done = 0;
    loop {
        let recover = if names(folder, "checkpoint-").is_empty() { &[][..] } else { &["--recover"] };
        let mut child = start(arguments, &[&storage, recover].concat());
        if done < kills {
            let end = Instant::now() + Duration::from_millis(random.below(window.as_millis() as u64));
            while Instant::now() < end && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            if child.try_wait().unwrap().is_none() {
                child.kill().unwrap();
                child.wait().unwrap();
                done += 1;
                continue;
            }
        }
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        return (Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }, done);
    }
}

#[test]
fn a_search_ends_after_the_time_that_it_is_given() {
    let spec = common::file(
        "lasting/Endless.tla",
        "---- MODULE Endless ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = x + 1\n====\n",
    );
    common::file("lasting/Endless.cfg", "INIT Init\nNEXT Next\n");
    let ran = common::primed(&["check", &spec, "--seconds", "0.3", "--json", "-"]).code_is(71);
    let found = ran.json().remove(0);
    assert_eq!((&found["verdict"], &found["exit_code"]), (&"time".into(), &71.into()));
    assert!(found["distinct"].as_u64() > Some(100) && found["message"].as_str().unwrap().contains("0.3 s"), "{found}");
    let ran = common::primed(&["check", &spec, "--seconds", "300ms"]);
    assert!(matches!(ran.code, Some(64 | 71)), "{ran:?}");
    // What ends before is as it would be.
    common::primed(&["check", "Lamp.tla", "--seconds", "60"]).code_is(0).says("no error was found");
    // With a checkpoint the search goes on from there.
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let ran = common::primed(&["check", &spec, "--seconds", "0.3", "--checkpoint", folder]).code_is(71);
    ran.says("the time of 0.3 s is over").says("states generated").says("--recover goes on");
}

#[test]
fn a_search_that_is_killed_goes_on_and_says_what_it_would_have_said() {
    let mut random = Random(20);
    for (module, config) in MODELS {
        let arguments = arguments(module, config);
        let begun = Instant::now();
        let whole = check(&arguments, &[]);
        // With checkpoints it takes longer: most of the first lives end early.
        let window = begun.elapsed();
        let mut kills = 0;
        for round in 0..2 {
            let folder = scratch(&format!("killed-{config}-{round}"));
            // The second time with states on disk, where the limit can be kept.
            let short = config == "Counters" && round == 1;
            let memory = if short { vec!["--memory".to_owned(), "1200K".to_owned()] } else { Vec::new() };
            let arguments = [arguments.clone(), memory].concat();
            let (ran, killed) = kill_and_recover(&arguments, &folder, 4, window, &mut random);
            kills += killed;
            assert_eq!((ran.code, &ran.out), (whole.code, &whole.out), "{config}: {}", ran.err);
            let kept = names(&folder, "");
            assert!(kept.len() <= 2, "{config}: {kept:?}");
            assert_eq!(kept.is_empty(), whole.code == Some(0), "{config}: {kept:?}");
        }
        assert!(kills > 0, "{config}: it was never killed");
    }
}

#[test]
fn two_workers_that_are_killed_come_to_the_same_counts() {
    let arguments = arguments("Mail", "MailTwo");
    let whole = check(&arguments, &[]);
    let two = [arguments, vec!["--workers".into(), "2".into()]].concat();
    let folder = scratch("killed-two");
    let (ran, _) = kill_and_recover(&two, &folder, 4, Duration::from_millis(400), &mut Random(7));
    // The register is one worker's: what the post-condition says of it depends on their number.
    let counts = |ran: &Ran| {
        let from = ran.out.find("\"generated\"").unwrap();
        ran.out[from..].split_inclusive("\"depth\":15,").next().unwrap().to_owned()
    };
    assert_eq!(counts(&ran), counts(&whole), "{}", ran.err);
}

#[test]
fn states_that_outgrow_memory_go_to_disk_and_a_limit_that_cannot_be_kept_is_named() {
    let folder = scratch("memory");
    let metadir = folder.to_str().unwrap();
    for (module, config) in MODELS {
        let arguments = arguments(module, config);
        let whole = check(&arguments, &[]);
        let needed =
            whole.out.split("\"distinct\":").nth(1).unwrap().split(',').next().unwrap().parse::<u64>().unwrap();
        // The tables alone: graphs and values take more, so that most of these end early.
        for (bytes, workers) in [(needed * 24 + 200_000, "1"), (needed * 64 + 400_000, "2"), (30_000, "1")] {
            let ran = check(&arguments, &["--memory", &bytes.to_string(), "--metadir", metadir, "--workers", workers]);
            match ran.code {
                Some(73) => {
                    ran.says("\"verdict\":\"limit\"").says("the limit on memory is reached");
                }
                // A post-condition may depend on the number of workers.
                code => {
                    let plain = check(&arguments, &["--workers", workers]).code;
                    assert!(code == whole.code || code == plain, "{config}: {code:?}: {}", ran.err);
                }
            }
            assert!(names(&folder, "").is_empty(), "{config}: something was left in the folder for states");
        }
    }
    let counters = arguments("Counters", "Counters");
    let whole = check(&counters, &[]);
    let ran = check(&counters, &["--memory", "270K", "--metadir", metadir]);
    assert_eq!(ran.out, whole.out, "states on disk change nothing");
    check(&counters, &["--memory", "64K", "--metadir", metadir]).code_is(73).says("more than 64 KB");
    let file = folder.join("file");
    fs::write(&file, "").unwrap();
    let file = file.to_str().unwrap();
    check(&counters, &["--memory", "270K", "--metadir", file])
        .code_is(153)
        .says("\"verdict\":\"disk\"")
        .says("cannot be moved");
}

#[test]
fn a_search_that_reached_a_limit_goes_on_with_more() {
    let folder = scratch("limit");
    let checkpoints = folder.to_str().unwrap();
    for limit in [["--memory", "150K"], ["--max-states", "5000"]] {
        let counters = arguments("Counters", "Counters");
        check(&counters, &["--checkpoint", checkpoints, limit[0], limit[1]]).code_is(73);
        let ran = check(&counters, &["--checkpoint", checkpoints, "--recover"]);
        assert_eq!(ran.out, check(&counters, &[]).out);
        assert!(!folder.exists() || names(&folder, "").is_empty());
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_search_with_what_was_found_and_it_goes_on() {
    let folder = scratch("interrupt");
    let checkpoints = folder.to_str().unwrap();
    for signal in ["-INT", "-TERM"] {
        let arguments = arguments("Mail", "Mail");
        let child = start(&arguments, &["--checkpoint", checkpoints]);
        std::thread::sleep(Duration::from_millis(1500));
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let asked = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(asked.elapsed() < Duration::from_secs(20), "it took {:?}", asked.elapsed());
        let out = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{out}");
        assert!(out.contains("\"verdict\":\"interrupted\"") && !out.contains("\"left\":0,"), "{out}");
        assert_eq!(names(&folder, "checkpoint-").len(), 1);
        // It goes on from there, to the next limit.
        let known: u64 = out.split("\"distinct\":").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
        let more = (known + 1).to_string();
        check(&arguments, &["--checkpoint", checkpoints, "--recover", "--max-states", &more]).code_is(73);
        fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn a_checkpoint_is_refused_if_it_does_not_belong_to_the_search_or_is_damaged() {
    let folder = scratch("refused");
    let spec = folder.join("spec");
    fs::create_dir_all(&spec).unwrap();
    let text = fs::read_to_string(models().join("Counters.tla")).unwrap();
    let config = fs::read_to_string(models().join("Counters.cfg")).unwrap();
    let write = |text: &str, config: &str| {
        fs::write(spec.join("Counters.tla"), text).unwrap();
        fs::write(spec.join("Counters.cfg"), config).unwrap();
    };
    let checkpoints = folder.join("checkpoints");
    let run = |more: &[&str]| {
        let base = ["check", "Counters.tla", "--json", "-", "--checkpoint", checkpoints.to_str().unwrap()];
        primed_in(&spec, &[&base, more].concat())
    };
    write(&text, &config);
    run(&["--recover"]).code_is(153).says("there is no checkpoint in");
    run(&["--max-states", "3000", "--checkpoint-every", "0"]).code_is(73);
    assert_eq!(names(&checkpoints, "").len(), 2);
    run(&[]).code_is(153).says("there are checkpoints of a search in");
    run(&["--recover", "--no-deadlock"]).code_is(153).says("whether deadlock is checked was another");
    write(&text.replace("a > 0", "a > 1"), &config);
    run(&["--recover"]).code_is(153).says("`Counters.tla` was another when it was written");
    write(&text, &config.replace("26", "25"));
    run(&["--recover"]).code_is(153).says("`Counters.cfg` was another when it was written");
    write(&text, &config);
    // The newest is cut short: the one before it is used.
    let newest = names(&checkpoints, "checkpoint-").pop().unwrap();
    let bytes = fs::read(&newest).unwrap();
    fs::write(&newest, &bytes[..bytes.len() / 2]).unwrap();
    let ran = run(&["--recover", "--max-states", "4000"]).code_is(73);
    assert!(ran.err.contains("cannot be used: its checksum is wrong"), "{}", ran.err);
    for path in names(&checkpoints, "checkpoint-") {
        fs::write(path, "no checkpoint at all").unwrap();
    }
    run(&["--recover"]).code_is(153).says("no checkpoint in");
    fs::remove_dir_all(&checkpoints).unwrap();
    fs::write(&checkpoints, "a file").unwrap();
    run(&[]).code_is(153).says("checkpoints cannot be written to");
    primed_in(&spec, &["check", "Counters.tla", "--recover"]).code_is(64);
    primed_in(&spec, &["check", "Counters.tla", "--memory", "much"]).code_is(64);
}

#[test]
fn tlc_writes_checkpoints_below_its_folder_and_recovers_by_name() {
    let folder = scratch("tlc");
    let metadir = folder.to_str().unwrap();
    let tlc = |more: &[&str]| {
        primed_in(&models(), &[&["tlc", "-deadlock", "-config", "Counters.cfg"], more, &["Counters.tla"]].concat())
    };
    // A limit ends the search; -checkpoint asks for a last one then.
    let ran = tlc(&["-metadir", metadir, "-checkpoint", "5", "-Xmx150K"]).code_is(73);
    let ran = ran.says("Error: the limit on memory is reached").says("states left on queue.");
    let run = names(&folder, "").pop().unwrap();
    let run = run.to_str().unwrap();
    ran.says(&format!("Checkpointing of run {run}\nCheckpointing completed at ("));
    let ran = tlc(&["-recover", run])
        .code_is(0)
        .says(&format!("Starting recovery from checkpoint {run}/\nRecovery completed. "))
        .says(" states on queue.\nModel checking completed.")
        .says("118327 states generated, 34476 distinct states found, 0 states left on queue.")
        .says("The depth of the complete state graph search is 151.");
    assert!(!ran.out.contains("initial states"), "{}", ran.out);
    assert!(!Path::new(run).exists(), "it is removed at the end");
    tlc(&["-recover", run])
        .code_is(153)
        .says("TLC encountered the following error while restarting from a checkpoint;");
    // Without -checkpoint there is no last one, and no folder before the first.
    tlc(&["-metadir", metadir, "-Xmx150K"]).code_is(73);
    assert!(names(&folder, "").is_empty());
    tlc(&["-recover", run, "-dump", "x"]).code_is(72).says("-recover together with -dump is not supported");
    tlc(&["-recover", run, "-simulate"]).code_is(72);
}

#[test]
fn values_of_states_that_are_left_out_need_not_be_written() {
    let folder = scratch("left-out");
    let text = "---- MODULE Out ----\nEXTENDS Naturals\nVARIABLES n, s\nInit == n = 0 /\\ s = {}\n\
                Next == n < 3000 /\\ ((n' = n + 1 /\\ s' = {}) \\/ (n' = n /\\ (s' = {1, \"a\"} \\/ s' = [a |-> Nat])))\n\
                Kept == n' > n\n====\n";
    fs::write(folder.join("Out.tla"), text).unwrap();
    fs::write(folder.join("Out.cfg"), "INIT Init\nNEXT Next\nACTION_CONSTRAINT Kept\n").unwrap();
    let run = |more: &[&str]| {
        let base = ["check", "Out.tla", "--no-deadlock", "--json", "-", "--checkpoint", "kept"];
        primed_in(&folder, &[&base[..], more].concat())
    };
    run(&["--max-states", "1000"]).code_is(73);
    assert_eq!(names(&folder.join("kept"), "checkpoint-").len(), 1);
    run(&["--recover"]).code_is(0).says("\"generated\":9001,\"distinct\":3001,");
}
