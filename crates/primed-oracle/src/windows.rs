//! Windows put before TLC, many in one run: a variable picks the window in the initial state, a step of its action follows, and
//! an invariant compares. An evaluation error ends a run of TLC; it belongs to the window that was tried last, and the others
//! get another run.

mod module;

use std::collections::{BTreeMap, BTreeSet};

use crate::find::Tools;
use crate::read::{Run, Verdict};
use crate::run::Bounds;
use crate::scratch::Scratch;
use crate::specification::{Specification, run_tlc};
use crate::trouble::Trouble;

pub use module::Judge;

/// Most runs for one set of windows.
const MAX_RUNS: usize = 60;
/// Most runs of one set that may be killed or take too long.
const MAX_STUCK: usize = 3;
/// Most windows of one run.
const MAX_WINDOWS: usize = 500;

/// A window in TLA+.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its number, for the caller.
    pub number: usize,
    /// The action as a formula.
    pub formula: String,
    /// The observed variables before the step, with their values.
    pub before: Vec<(String, String)>,
    /// Those after it.
    pub after: Vec<(String, String)>,
    /// The variables that are not observed before the step.
    pub missing: Vec<String>,
    /// What says which values those may have.
    pub allowed: Option<Allowed>,
}

/// What says which values unobserved variables may have before a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// Those of the initial states.
    Initial(String),
    /// Those for which a predicate holds, given what is observed.
    Predicate(String),
}

/// How TLC is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// TLC generates the successors, which are compared with what was observed.
    Enumerated,
    /// What was observed after the step is given first, and the action is a condition on it.
    Given,
}

/// What TLC says of a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// The action allows the step.
    Conforms,
    /// It does not.
    Refused,
    /// Evaluating it failed, in these words.
    Error(String),
    /// TLC was not asked, or did not answer: why.
    Nothing(String),
}

impl Said {
    /// The verdict in one word, as Primed's own.
    pub fn word(&self) -> &'static str {
        match self {
            Said::Conforms => "conforms",
            Said::Refused => "refused",
            Said::Error(_) => "error",
            Said::Nothing(_) => "none",
        }
    }
}

/// Judges windows.
///
/// The constants are names that occur in the windows, with the model value that each of them is.
///
/// # Errors
/// If nothing can be asked at all. Trouble with single windows is their [`Said::Nothing`].
pub fn judge(
    tools: &Tools,
    spec: &Specification,
    constants: &[(String, String)],
    windows: &[Window],
    form: Form,
    bounds: &Bounds,
) -> Result<BTreeMap<usize, Said>, Trouble> {
    let mut answers = BTreeMap::new();
    if let Some(why) = spec.beyond(tools) {
        answers.extend(windows.iter().map(|w| (w.number, Said::Nothing(why.clone()))));
        return Ok(answers);
    }
    for chunk in windows.chunks(MAX_WINDOWS) {
        let mut session = Session { tools, spec, constants, form, bounds, answers: BTreeMap::new(), stuck: 0 };
        session.all(chunk)?;
        answers.extend(session.answers);
    }
    Ok(answers)
}

/// The runs for one set of windows.
struct Session<'s> {
    tools: &'s Tools,
    spec: &'s Specification,
    constants: &'s [(String, String)],
    form: Form,
    bounds: &'s Bounds,
    answers: BTreeMap<usize, Said>,
    stuck: usize,
}

/// What a run printed of windows.
#[derive(Debug, Default)]
struct Marks {
    /// In the order in which they were tried; each once, where it was tried last.
    tried: Vec<usize>,
    conforming: BTreeSet<usize>,
}

impl Session<'_> {
    fn all(&mut self, windows: &[Window]) -> Result<(), Trouble> {
        let mut runs = 0;
        loop {
            let left: Vec<&Window> = windows.iter().filter(|w| !self.answers.contains_key(&w.number)).collect();
            if left.is_empty() {
                return Ok(());
            }
            if runs == MAX_RUNS || self.stuck == MAX_STUCK {
                let why = format!("TLC was started {runs} times for windows of this kind, which is enough");
                self.give_up(&left, &why);
                return Ok(());
            }
            runs += 1;
            self.run(&left)?;
        }
    }

    fn give_up(&mut self, windows: &[&Window], why: &str) {
        self.answers.extend(windows.iter().map(|w| (w.number, Said::Nothing(why.to_owned()))));
    }

    fn run(&mut self, windows: &[&Window]) -> Result<(), Trouble> {
        let scratch = Scratch::new()?;
        self.spec.lay_out(self.tools, &scratch)?;
        // In the modules a window's number is its position.
        let numbered = windows.iter().enumerate().map(|(i, w)| Window { number: i + 1, ..(*w).clone() });
        let numbered: Vec<Window> = numbered.collect();
        let judge = Judge::new(self.spec, self.constants, &numbered.iter().collect::<Vec<_>>(), self.form);
        for (name, text) in &judge.files {
            scratch.write(name, text.as_bytes())?;
        }
        let (ended, trouble) = run_tlc(self.tools, &scratch, &judge.root, &["-deadlock".into()], self.bounds)?;
        if let Some(trouble) = trouble.clone().filter(Trouble::is_lasting) {
            return Err(trouble);
        }
        let marks = Marks::read(&ended.output, &|position| Some(windows.get(position.checked_sub(1)?)?.number));
        let read = trouble.map_or_else(|| Run::read(&ended), Err);
        let read = match read {
            Ok(run) => run,
            Err(trouble) => {
                self.stuck += 1;
                self.part(windows, &marks, Said::Nothing(trouble.to_string()));
                return Ok(());
            }
        };
        match read.verdict {
            Verdict::Holds => self.whole(windows, &marks),
            Verdict::Usage | Verdict::Specification | Verdict::Configuration => {
                self.give_up(windows, &format!("TLC could not read the windows: {}", complaint(&read)));
            }
            _ => {
                let words = read.error.unwrap_or_else(|| read.verdict.word().to_owned());
                self.part(windows, &marks, Said::Error(words));
            }
        }
        Ok(())
    }

    /// A run that came to its end.
    fn whole(&mut self, windows: &[&Window], marks: &Marks) {
        for window in windows {
            let conforms = marks.conforming.contains(&window.number);
            self.answers.insert(window.number, if conforms { Said::Conforms } else { Said::Refused });
        }
    }

    /// A run that ended at the window that was tried last.
    fn part(&mut self, windows: &[&Window], marks: &Marks, said: Said) {
        let Some((last, done)) = marks.tried.split_last() else {
            // It failed before the first window: at the initial predicate, say.
            let why = match said {
                Said::Error(words) | Said::Nothing(words) => words,
                other => other.word().to_owned(),
            };
            self.give_up(windows, &format!("TLC came to no window: {why}"));
            return;
        };
        for window in windows {
            let conforms = marks.conforming.contains(&window.number);
            // Of a window with unobserved variables further states may be to come.
            let done = window.missing.is_empty() && done.contains(&window.number);
            match () {
                () if conforms => self.answers.insert(window.number, Said::Conforms),
                () if window.number == *last => self.answers.insert(window.number, said.clone()),
                () if done => self.answers.insert(window.number, Said::Refused),
                () => None,
            };
        }
    }
}

impl Marks {
    fn read(output: &str, number: &dyn Fn(usize) -> Option<usize>) -> Marks {
        let mut marks = Marks::default();
        for line in output.lines() {
            if let Some(number) = mark(line, module::TRIED).and_then(number) {
                marks.tried.retain(|n| *n != number);
                marks.tried.push(number);
            }
            marks.conforming.extend(mark(line, module::CONFORMS).and_then(number));
        }
        marks
    }
}

/// The number in `<<"mark", number>>`; old versions write spaces around it.
fn mark(line: &str, name: &str) -> Option<usize> {
    let inner = line.trim().strip_prefix("<<")?.strip_suffix(">>")?;
    let (first, number) = inner.trim().split_once(',')?;
    (first.trim().trim_matches('"') == name).then(|| number.trim().parse().ok()).flatten()
}

/// What SANY or TLC complains of, in a line.
fn complaint(run: &Run) -> String {
    let of_sany = |line: &&String| {
        !line.trim().is_empty()
            && !["Parsing file", "Semantic processing", "Linting"].iter().any(|p| line.starts_with(p))
    };
    let said: Vec<&str> = run.lines.iter().filter(of_sany).map(|l| l.trim()).take(6).collect();
    let error = run.error.clone().unwrap_or_default();
    match said.is_empty() {
        true => error,
        false => said.join("; "),
    }
}
