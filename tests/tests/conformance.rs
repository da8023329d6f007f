//! Every case of the conformance suite, answered natively and held against what TLC answered. One test for each case.
//!
//! What is known to differ stands in `conformance-suite/known-differences.tsv`, each line with its reason; a line there that
//! no longer differs fails the case as well.
#![allow(clippy::print_stdout, reason = "a test program prints its figures")]

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use libtest_mimic::{Arguments, Failed, Trial};
use primed_tests::suite::{Case, Tally};
use primed_tests::{root, table};

/// Answers that agree, and questions.
#[derive(Default)]
struct Figures {
    agree: AtomicUsize,
    total: AtomicUsize,
}

static EXPRESSIONS: Figures = Figures { agree: AtomicUsize::new(0), total: AtomicUsize::new(0) };
static SANY: Figures = Figures { agree: AtomicUsize::new(0), total: AtomicUsize::new(0) };
static MODELS: Figures = Figures { agree: AtomicUsize::new(0), total: AtomicUsize::new(0) };
static WINDOWS: Figures = Figures { agree: AtomicUsize::new(0), total: AtomicUsize::new(0) };

/// What differs and why: by case, by what was asked.
type Known = BTreeMap<String, BTreeMap<String, String>>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let (cases, known) = match read() {
        Ok(read) => read,
        Err(message) => {
            println!("the suite cannot be read: {message}");
            return ExitCode::FAILURE;
        }
    };
    let stray: Vec<&String> = known.keys().filter(|name| !cases.iter().any(|case| case.name == **name)).collect();
    if !stray.is_empty() {
        println!("known-differences.tsv names cases that do not exist: {stray:?}");
        return ExitCode::FAILURE;
    }
    let trials = cases.into_iter().map(|case| {
        let known = known.get(&case.name).cloned().unwrap_or_default();
        trial(case, known)
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    if !arguments.list {
        let say = |figures: &Figures, what: &str| {
            let (agree, total) = (figures.agree.load(Ordering::Relaxed), figures.total.load(Ordering::Relaxed));
            println!("{agree} of {total} {what} agree with TLC");
        };
        say(&EXPRESSIONS, "expressions");
        say(&WINDOWS, "windows");
        say(&SANY, "modules");
        say(&MODELS, "exit codes and counts of models");
    }
    conclusion.exit_code()
}

fn read() -> Result<(Vec<Case>, Known), String> {
    let suite = root().join("conformance-suite");
    let mut known = Known::new();
    for row in table(&suite.join("known-differences.tsv"))? {
        match row.as_slice() {
            [case, asked, reason] if !reason.trim().is_empty() => {
                known.entry(case.clone()).or_default().insert(asked.clone(), reason.clone());
            }
            _ => return Err(format!("known-differences.tsv: {row:?} has not the columns case, asked, reason")),
        }
    }
    Ok((Case::all(&suite)?, known))
}

fn trial(case: Case, known: BTreeMap<String, String>) -> Trial {
    let (name, kind) = (case.name.clone(), case.kind().to_owned());
    match &*kind {
        "eval" => Trial::test(name, move || hold(&EXPRESSIONS, &case.evaluate()?, &known)).with_kind("eval"),
        "windows" => Trial::test(name, move || hold(&WINDOWS, &case.judge()?, &known)).with_kind("windows"),
        // What a configuration asks for and is not searched yet is refused by name, and the case passed over.
        "model" => match case.model() {
            Err(primed::OpenError::Missing(why)) if why.contains("not supported yet") => {
                Trial::test(format!("{name} ({why})"), || Ok(())).with_kind("model").with_ignored_flag(true)
            }
            _ => Trial::test(name, move || hold(&MODELS, &case.search()?, &known)).with_kind("model"),
        },
        "sany" => Trial::test(name, move || hold(&SANY, &case.analyse()?, &known)).with_kind("sany"),
        _ => Trial::test(name, move || Err(format!("the kind `{kind}` is not known").into())),
    }
}

/// Fails for what differs and is not known to, and for what is known to differ and does not.
fn hold(figures: &Figures, tally: &Tally, known: &BTreeMap<String, String>) -> Result<(), Failed> {
    figures.agree.fetch_add(tally.agree, Ordering::Relaxed);
    figures.total.fetch_add(tally.total, Ordering::Relaxed);
    let mut complaints = Vec::new();
    for (asked, difference) in &tally.differences {
        if !known.contains_key(asked) {
            complaints.push(format!("    {asked}\n        {difference}"));
        }
    }
    for asked in known.keys().filter(|asked| !tally.differences.contains_key(*asked)) {
        complaints.push(format!("    {asked}\n        agrees (or is gone): take it out of known-differences.tsv"));
    }
    if complaints.is_empty() {
        return Ok(());
    }
    let (differ, total) = (tally.total - tally.agree, tally.total);
    Err(format!("{differ} of {total} differ from TLC:\n{}", complaints.join("\n")).into())
}
