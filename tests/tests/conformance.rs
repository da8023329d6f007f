//! Every case of the conformance suite, answered natively and held against what TLC answered. One test for each case.
//!
//! What is known to differ stands in `conformance-suite/known-differences.tsv`, each line with its reason; a line there that
//! no longer differs fails the case as well.
#![allow(clippy::print_stdout, reason = "a test program prints its figures")]

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use libtest_mimic::{Arguments, Failed, Trial};
use primed_conformance::{Case, Known, Outcome, known_differences};
use primed_tests::root;

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

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let (cases, known) = match read() {
        Ok(read) => read,
        Err(message) => {
            println!("the suite cannot be read: {message}");
            return ExitCode::FAILURE;
        }
    };
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
    let cases = Case::all(&suite)?;
    let known = known_differences(&suite, &cases)?;
    Ok((cases, known))
}

fn trial(case: Case, known: BTreeMap<String, String>) -> Trial {
    let (name, kind) = (case.name.clone(), case.kind().to_owned());
    let figures = match &*kind {
        "eval" => &EXPRESSIONS,
        "windows" => &WINDOWS,
        "model" => &MODELS,
        "sany" => &SANY,
        _ => return Trial::test(name, move || Err(format!("the kind `{kind}` is not known").into())),
    };
    // What a configuration asks for and is not searched yet is refused by name, and the case passed over.
    if kind == "model"
        && let Err(primed::OpenError::Missing(why)) = case.model()
        && why.contains("not supported yet")
    {
        return Trial::test(format!("{name} ({why})"), || Ok(())).with_kind("model").with_ignored_flag(true);
    }
    Trial::test(name, move || hold(figures, &case, &known)).with_kind(kind)
}

/// Fails for what differs and is not known to, and for what is known to differ and does not.
fn hold(figures: &Figures, case: &Case, known: &BTreeMap<String, String>) -> Result<(), Failed> {
    let tally = case.answer()?;
    figures.agree.fetch_add(tally.agree, Ordering::Relaxed);
    figures.total.fetch_add(tally.total, Ordering::Relaxed);
    let outcome = Outcome::of(&tally, Some(known));
    if outcome.failed.is_empty() {
        return Ok(());
    }
    let (differ, total) = (tally.total - tally.agree, tally.total);
    Err(format!("{differ} of {total} differ from TLC:\n{}", outcome.text()).into())
}
