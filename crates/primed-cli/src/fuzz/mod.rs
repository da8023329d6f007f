//! `primed fuzz`: specifications that nobody wrote, judged by Primed and by the real TLC.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use primed_oracle::generate::{self, Specification};
use primed_oracle::read::Run;
use primed_oracle::scratch::Scratch;
use primed_oracle::session::Session;
use primed_oracle::{Bounds, Tools, Trouble};
use serde::Serialize;

use crate::arguments::Common;
use crate::exit::Failure;
use crate::interrupt;
use crate::output::{Sink, raw_error, warn};
use compare::{Differences, class, compare};
use flaws::flaw;
use native::{Answer, How};

mod compare;
mod flaws;
mod metamorphic;
mod native;
mod values;
mod windows;

pub(crate) const LONG_HELP: &str = "\
Specifications are made from a seed: the same seed gives the same texts everywhere. Each is judged by Primed in this process and by
TLC in one Java process for all of them; the verdict, the numbers of states, the depth, the kind of an evaluation error and what the
specification prints must be the same, and so must the verdict on windows taken from its own state graph.

What they disagree on is asked of TLC again in a process of its own, made smaller, and written into a folder below `--out`:
the specification, both answers, the seed, and the command that does it again.";

/// Judges specifications that are made by chance, by Primed and by the real TLC.
#[derive(Debug, Args)]
pub(crate) struct FuzzArguments {
    /// Stop after so many seconds.
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// Stop after so many specifications.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    specifications: u64,
    /// Windows for each specification.
    #[arg(long, value_name = "N", default_value_t = 10)]
    windows: usize,
    /// The seed of the first specification; the others follow it.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Where disagreements are written.
    #[arg(long, value_name = "DIR", default_value = "fuzz-disagreements")]
    out: PathBuf,
    /// How long one disagreement is made smaller.
    #[arg(long, value_name = "N", default_value_t = 60)]
    shrink_seconds: u64,
    /// Another tla2tools.jar than the installed one.
    #[arg(long, value_name = "JAR")]
    tlc_jar: Option<PathBuf>,
    /// Without TLC: the same counts for a specification that is written otherwise, and for two workers.
    #[arg(long)]
    metamorphic: bool,
    /// Only write the specification of the seed below `--out`, and judge nothing.
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl FuzzArguments {
    /// How long one disagreement is made smaller.
    fn shrinking(&self) -> Duration {
        Duration::from_secs(self.shrink_seconds)
    }
}

/// Longest time that TLC gets for one specification.
const LIMIT: Duration = Duration::from_secs(20);

fn bounds() -> Bounds {
    Bounds { time: LIMIT, ..Bounds::default() }
}
/// Requests that TLC has before its answers are read.
const AHEAD: usize = 4;
/// Smaller specifications that are tried for a disagreement.
const TRIES: usize = 600;

/// What was found.
#[derive(Debug, Default, Serialize)]
struct Tally {
    specifications: u64,
    windows: u64,
    /// Specifications written otherwise, without TLC.
    variants: u64,
    /// Windows that conform, by TLC.
    conforming: u64,
    /// Specifications by Primed's exit code.
    statuses: BTreeMap<i32, u64>,
    /// Specifications that TLC did not judge in time.
    unjudged: u64,
    windows_unjudged: u64,
    unexplained: u64,
    explained: BTreeMap<String, u64>,
    seconds: f64,
}

/// Runs; the exit code.
pub(crate) fn run(arguments: &FuzzArguments) -> Result<u8, Failure> {
    if arguments.write {
        return write(&generate::generate(arguments.seed), &arguments.out).map(|()| 0);
    }
    interrupt::ends_tlc();
    let begun = Instant::now();
    let tools = (!arguments.metamorphic).then(|| Tools::find(arguments.tlc_jar.as_deref())).transpose();
    if let Err(trouble) = &tools {
        let asked = "only what needs no TLC is checked, which says little";
        warn(arguments.common.color.error(), &format!("{trouble}: {asked}"));
    }
    let tally = match tools {
        Ok(Some(tools)) => Fuzzer::start(arguments, tools).and_then(|mut fuzzer| {
            fuzzer.all()?;
            Ok(fuzzer.tally)
        }),
        Ok(None) | Err(_) => alone(arguments),
    };
    let mut tally = tally.map_err(|t| Failure::system(t.to_string()))?;
    tally.seconds = begun.elapsed().as_secs_f64();
    let code = if tally.unexplained > 0 { 74 } else { 0 };
    if let Some(target) = &arguments.common.json {
        let mut sink = Sink::json(target, None)?;
        sink.object(&tally).and_then(|()| sink.finish()).map_err(|e| e.failure(code))?;
    }
    if !arguments.common.only_json() {
        let mut people = Sink::standard();
        people.text(&tally.text()).and_then(|()| people.finish()).map_err(|e| e.failure(code))?;
    }
    Ok(code)
}

/// What needs no TLC.
fn alone(arguments: &FuzzArguments) -> Result<Tally, Trouble> {
    let (scratch, begun, mut tally) = (Scratch::new()?, Instant::now(), Tally::default());
    for number in 0..arguments.specifications {
        if arguments.seconds.is_some_and(|s| begun.elapsed() > Duration::from_secs(s)) {
            break;
        }
        let specification = generate::generate(arguments.seed.wrapping_add(number));
        let folder = scratch.path().join("variants");
        let (checked, strayed) = metamorphic::check(&specification, &folder, &mut write_files)?;
        tally.specifications += 1;
        tally.variants += checked;
        for (what, first, other) in strayed {
            tally.unexplained += 1;
            let out = arguments.out.join(specification.seed.to_string());
            write_files(&specification, &out)?;
            let text = format!("seed {}: {what}\n{first:#?}\n{other:#?}\n", specification.seed);
            put(&out, "answers.txt", &text)?;
            raw_error(&format!("seed {}: not the same counts when {what}\n", specification.seed));
        }
    }
    Ok(tally)
}

impl Tally {
    fn text(&self) -> String {
        let mut text = format!(
            "{} specifications, {} windows ({} conform) in {:.1} s; {} and {} were not judged in time\n",
            self.specifications, self.windows, self.conforming, self.seconds, self.unjudged, self.windows_unjudged
        );
        if self.variants > 0 {
            text.push_str(&format!("  {} times written otherwise\n", self.variants));
        }
        for (status, count) in &self.statuses {
            text.push_str(&format!("  exit code {status}: {count}\n"));
        }
        for (cause, count) in &self.explained {
            text.push_str(&format!("  known: {cause}: {count}\n"));
        }
        text.push_str(&format!("{} unexplained disagreements\n", self.unexplained));
        text
    }
}

struct Fuzzer<'a> {
    arguments: &'a FuzzArguments,
    tools: Tools,
    session: Session,
    scratch: Scratch,
    tally: Tally,
    begun: Instant,
    told: Instant,
}

/// A specification that TLC was asked about.
struct Pending {
    specification: Specification,
    answer: Answer,
    windows: Vec<windows::Window>,
    /// Primed's verdicts on them.
    verdicts: Vec<String>,
}

impl<'a> Fuzzer<'a> {
    fn start(arguments: &'a FuzzArguments, tools: Tools) -> Result<Fuzzer<'a>, Trouble> {
        let session = Session::start(&tools, false, &bounds())?;
        if !session.is_shared() {
            warn(arguments.common.color.error(), "there is no JDK: each question to TLC is a process, which is slow");
        }
        let (scratch, tally) = (Scratch::new()?, Tally::default());
        let (begun, told) = (Instant::now(), Instant::now());
        Ok(Fuzzer { arguments, tools, session, scratch, tally, begun, told })
    }

    fn all(&mut self) -> Result<(), Trouble> {
        let mut pending: VecDeque<Pending> = VecDeque::new();
        let until = self.arguments.seconds.map(Duration::from_secs);
        for number in 0..self.arguments.specifications {
            if until.is_some_and(|until| self.begun.elapsed() > until) {
                break;
            }
            let asked = self.ask(self.arguments.seed.wrapping_add(number), number as usize % (AHEAD + 2))?;
            pending.push_back(asked);
            if pending.len() > AHEAD {
                self.settle(&mut pending)?;
            }
            self.tell();
        }
        while !pending.is_empty() {
            self.settle(&mut pending)?;
        }
        Ok(())
    }

    fn tell(&mut self) {
        if self.told.elapsed() > Duration::from_secs(10) {
            self.told = Instant::now();
            let (seconds, tally) = (self.begun.elapsed().as_secs(), &self.tally);
            let (specifications, windows, bad) = (tally.specifications, tally.windows, tally.unexplained);
            raw_error(&format!("{seconds} s: {specifications} specifications, {windows} windows, {bad} unexplained\n"));
        }
    }

    /// Makes a specification, asks TLC about it and its windows, and Primed meanwhile.
    fn ask(&mut self, seed: u64, slot: usize) -> Result<Pending, Trouble> {
        let specification = generate::generate(seed);
        let folder = self.scratch.path().join(slot.to_string());
        write_files(&specification, &folder)?;
        let options: &[&str] = if specification.no_deadlock { &["-deadlock"] } else { &[] };
        self.session.send(&folder, specification.name(), options);
        let graph = self.arguments.windows > 0;
        let how = How { workers: 1, no_deadlock: specification.no_deadlock, graph };
        let (answer, found) = native::judge(&folder, specification.name(), how);
        let mut windows = Vec::new();
        let mut verdicts = Vec::new();
        // Where searching fails, so may a window; what fails first depends on the way.
        if graph && matches!(answer.status, 0 | 11 | 12 | 13) {
            windows = windows::choose(&specification, &found, self.arguments.windows);
            match windows::judge(&folder, &specification, &windows) {
                Ok(said) => verdicts = said,
                Err(why) => verdicts = vec![format!("not opened: {why}"); windows.len()],
            }
        }
        if !windows.is_empty() {
            let numbers: Vec<usize> = (0..windows.len()).collect();
            self.send_windows(&folder, &specification, &windows, &numbers)?;
        }
        Ok(Pending { specification, answer, windows, verdicts })
    }

    fn send_windows(
        &mut self,
        folder: &Path,
        specification: &Specification,
        windows: &[windows::Window],
        numbers: &[usize],
    ) -> Result<(), Trouble> {
        let (module, config) = windows::module(specification, windows, numbers);
        put(folder, "FuzzWindows.tla", &module)?;
        put(folder, "FuzzWindows.cfg", &config)?;
        self.session.send(folder, "FuzzWindows", &["-deadlock"]);
        Ok(())
    }

    /// Reads TLC's answers about the oldest question, and compares.
    fn settle(&mut self, pending: &mut VecDeque<Pending>) -> Result<(), Trouble> {
        let Some(asked) = pending.pop_front() else { return Ok(()) };
        self.tally.specifications += 1;
        *self.tally.statuses.entry(asked.answer.status).or_default() += 1;
        let run = match self.session.receive().and_then(|ended| Run::read(&ended)) {
            Ok(run) => run,
            Err(trouble) => return self.lost(&asked, pending, &trouble),
        };
        let differences = compare(&asked.answer, &run);
        let windows = match asked.windows.is_empty() {
            true => None,
            false => match self.session.receive().and_then(|ended| Run::read(&ended)) {
                Ok(run) => Some(run),
                Err(trouble) => return self.lost(&asked, pending, &trouble),
            },
        };
        if !differences.is_empty() {
            self.disagree(&asked, &differences, &run)?;
        }
        match windows {
            Some(run) => self.settle_windows(&asked, &run),
            None => Ok(()),
        }
    }

    /// TLC did not answer: what was asked meanwhile is lost too.
    fn lost(&mut self, asked: &Pending, pending: &mut VecDeque<Pending>, trouble: &Trouble) -> Result<(), Trouble> {
        let lost = 1 + pending.len() as u64;
        self.tally.unjudged += lost;
        self.tally.specifications += pending.len() as u64;
        self.tally.windows_unjudged += asked.windows.len() as u64;
        raw_error(&format!("seed {}: {trouble}\n", asked.specification.seed));
        pending.clear();
        self.session.recover().map(drop)
    }

    fn settle_windows(&mut self, asked: &Pending, run: &Run) -> Result<(), Trouble> {
        let (conforming, failed) = windows::read(run);
        let all = asked.windows.len();
        if run.status != 0 && failed.is_none() {
            self.tally.windows_unjudged += all as u64;
            return Ok(());
        }
        for (number, verdict) in asked.verdicts.iter().enumerate() {
            let expected = if conforming.contains(&number) { "conforms" } else { "refused" };
            if run.status != 0 && expected == "refused" {
                // It may come behind the one that failed.
                self.tally.windows_unjudged += 1;
                continue;
            }
            self.tally.windows += 1;
            self.tally.conforming += u64::from(expected == "conforms");
            if verdict != expected {
                self.window_disagrees(asked, number, expected)?;
            }
        }
        Ok(())
    }

    fn window_disagrees(&mut self, asked: &Pending, number: usize, expected: &str) -> Result<(), Trouble> {
        self.tally.unexplained += 1;
        let folder = self.arguments.out.join(format!("{}-window-{number}", asked.specification.seed));
        write_files(&asked.specification, &folder)?;
        let json = asked.windows.get(number).and_then(|w| w.json(&asked.specification)).unwrap_or_default();
        put(&folder, "windows.ndjson", &(json + "\n"))?;
        let (module, config) = windows::module(&asked.specification, &asked.windows, &[number]);
        put(&folder, "FuzzWindows.tla", &module)?;
        put(&folder, "FuzzWindows.cfg", &config)?;
        let verdict = asked.verdicts.get(number).map_or("", String::as_str);
        let text = format!("seed {}\nwindow {number}\nPrimed: {verdict}\nTLC: {expected}\n", asked.specification.seed);
        put(&folder, "answers.txt", &text)?;
        raw_error(&format!("seed {} window {number}: Primed {verdict}, TLC {expected}\n", asked.specification.seed));
        Ok(())
    }

    /// Asks again in a process of its own, makes it smaller, and writes it down.
    fn disagree(&mut self, asked: &Pending, differences: &Differences, shared: &Run) -> Result<(), Trouble> {
        let seed = asked.specification.seed;
        let Some((answer, run)) = self.ask_alone(&asked.specification) else {
            self.tally.unjudged += 1;
            return Ok(());
        };
        let again = compare(&answer, &run);
        if again.is_empty() {
            *self.tally.explained.entry("TLC said otherwise in a process of its own".into()).or_default() += 1;
            raw_error(&format!("seed {seed}: only in a shared process: {}: {:?}\n", shown(differences), shared.error));
            return Ok(());
        }
        if compare::only_intervals(&again) {
            *self.tally.explained.entry("an interval is printed as one, or element by element".into()).or_default() +=
                1;
            return Ok(());
        }
        if let Some(cause) = flaw(&asked.specification, &again, &answer, &run) {
            *self.tally.explained.entry(cause.into()).or_default() += 1;
            return Ok(());
        }
        self.tally.unexplained += 1;
        let kind = kind(&again, &run, &answer);
        raw_error(&format!("seed {seed}: {}\n", shown(&again)));
        let mut session = Session::start(&self.tools, false, &bounds())?;
        let folder = self.scratch.path().join("smaller");
        let until = Instant::now() + self.arguments.shrinking();
        let small = generate::shrink(&asked.specification, TRIES, &mut |candidate| {
            if Instant::now() > until {
                return false;
            }
            both(&mut session, candidate, &folder).is_some_and(|(answer, run)| {
                let found = compare(&answer, &run);
                !found.is_empty() && self::kind(&found, &run, &answer) == kind
            })
        });
        let out = self.arguments.out.join(seed.to_string());
        write_files(&asked.specification, &out.join("original"))?;
        write_files(&small, &out)?;
        let (answer, run) = self.ask_alone(&small).unwrap_or((answer, run));
        let mut text = format!("seed {seed}: {}\n", shown(&compare(&answer, &run)));
        text.push_str(&format!("again: primed fuzz --seed {seed} --specifications 1\n\nPrimed: {answer:#?}\n\n"));
        text.push_str(&format!("TLC: status {}, counts {:?}, depth {:?}\n", run.status, run.counts, run.depth));
        text.push_str(&format!("{}\n{}\n", run.error.unwrap_or_default(), run.lines.join("\n")));
        put(&out, "answers.txt", &text)
    }

    /// Both answers, TLC's in a process of its own.
    fn ask_alone(&mut self, specification: &Specification) -> Option<(Answer, Run)> {
        let folder = self.scratch.path().join("alone");
        write_files(specification, &folder).ok()?;
        let mut options = vec!["-tool", "-workers", "1", "-fp", "0", "-lncheck", "final", "-metadir", "states"];
        if specification.no_deadlock {
            options.push("-deadlock");
        }
        options.push(specification.name());
        let options: Vec<_> = options.into_iter().map(Into::into).collect();
        let ended = self.tools.class("tlc2.TLC", &options, &folder, &Bounds::default()).ok()?;
        let how = How { workers: 1, no_deadlock: specification.no_deadlock, graph: false };
        Some((native::judge(&folder, specification.name(), how).0, Run::read(&ended).ok()?))
    }
}

/// What a smaller specification must disagree on as well.
fn kind(differences: &Differences, run: &Run, answer: &Answer) -> (Vec<&'static str>, i32, i32, u32) {
    let what = differences.iter().map(|d| d.what).take(1).collect();
    (what, class(run.status), class(answer.status), answer.code)
}

fn shown(differences: &Differences) -> String {
    let one = |d: &compare::Difference| format!("{}: Primed {}, TLC {}", d.what, short(&d.primed), short(&d.tlc));
    differences.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn short(text: &str) -> String {
    text.chars().take(300).collect()
}

/// Both answers in a session.
fn both(session: &mut Session, specification: &Specification, folder: &Path) -> Option<(Answer, Run)> {
    write_files(specification, folder).ok()?;
    let options: &[&str] = if specification.no_deadlock { &["-deadlock"] } else { &[] };
    let how = How { workers: 1, no_deadlock: specification.no_deadlock, graph: false };
    session.send(folder, specification.name(), options);
    let (answer, _) = native::judge(folder, specification.name(), how);
    match session.receive().and_then(|ended| Run::read(&ended)) {
        Ok(run) => Some((answer, run)),
        Err(_) => {
            session.recover().ok()?;
            None
        }
    }
}

fn write(specification: &Specification, folder: &Path) -> Result<(), Failure> {
    write_files(specification, folder).map_err(|t| Failure::system(t.to_string()))
}

fn write_files(specification: &Specification, folder: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(folder).map_err(|e| Trouble::Files(format!("cannot make `{}`: {e}", folder.display())))?;
    for (name, text) in specification.modules() {
        put(folder, &format!("{name}.tla"), &text)?;
    }
    put(folder, &format!("{}.cfg", specification.name()), &specification.config())
}

fn put(folder: &Path, name: &str, text: &str) -> Result<(), Trouble> {
    let file = folder.join(name);
    fs::write(&file, text).map_err(|e| Trouble::Files(format!("cannot write `{}`: {e}", file.display())))
}
