//! Verdicts put before the real TLC as well.
//!
//! Where TLC agrees, that is counted. Where it does not, a known flaw of its version may explain it, which is reported apart;
//! otherwise the verdict is disputed: TLC's stands, and a folder is written from which anybody can reproduce it. Trouble with TLC
//! never changes a verdict: it is reported as not cross-checked.

pub(crate) mod arguments;
pub(crate) mod model;
pub(crate) mod tv;
pub(crate) mod windows;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use primed::Effect;
use primed_oracle::dispute::Bundle;
use primed_oracle::specification::{Forbidden, Module};
use primed_oracle::{Specification, Tools, Trouble};
use serde::Serialize;

use crate::arguments::Access;
use crate::output::{raw_error, warn};
use crate::paint::{Paint, harmless, short};
use crate::progress::Live;

/// Causes and reasons that are told apart.
const MAX_KINDS: usize = 50;

/// What came of asking TLC about one verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Result {
    /// Both say the same.
    Agrees,
    /// They do not, and a known flaw or difference may be the cause: its name, and what it is.
    Explained(&'static str, &'static str),
    /// They do not.
    Disputed,
    /// Primed does not support it; TLC decided.
    Decided,
    /// TLC was not asked, or did not answer: why.
    Unchecked(String),
}

impl Result {
    /// In one word, for programs.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Result::Agrees => "agrees",
            Result::Explained(..) => "explained",
            Result::Disputed => "disputed",
            Result::Decided => "decided",
            Result::Unchecked(_) => "not_checked",
        }
    }
}

/// What TLC's answers add up to.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Summary {
    /// TLC's version, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tlc: Option<String>,
    /// How many verdicts were to be put before TLC.
    pub(crate) chosen: usize,
    /// How many it agrees with.
    pub(crate) agreed: usize,
    /// How many it does not, for no known cause.
    pub(crate) disputed: usize,
    /// How many it decided.
    #[serde(skip_serializing_if = "is_none")]
    pub(crate) decided: usize,
    /// Disagreements with a known cause.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) explained: Vec<Cause>,
    /// Why some were not put before TLC, or had no answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) not_checked: Vec<Reason>,
    /// Where the disagreements are written down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) written: Option<PathBuf>,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// A known cause of disagreements.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Cause {
    pub(crate) cause: &'static str,
    pub(crate) about: &'static str,
    pub(crate) count: usize,
}

/// A reason for no answer.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Reason {
    pub(crate) reason: String,
    pub(crate) count: usize,
}

impl Summary {
    /// Counts one result.
    pub(crate) fn add(&mut self, result: &Result) {
        self.chosen += 1;
        match result {
            Result::Agrees => self.agreed += 1,
            Result::Disputed => self.disputed += 1,
            Result::Decided => self.decided += 1,
            Result::Explained(cause, about) => match self.explained.iter_mut().find(|c| c.cause == *cause) {
                Some(known) => known.count += 1,
                None => self.explained.push(Cause { cause, about, count: 1 }),
            },
            Result::Unchecked(reason) => {
                let full = self.not_checked.len() >= MAX_KINDS;
                let reason = if full { "other reasons" } else { reason };
                match self.not_checked.iter_mut().find(|r| r.reason == *reason) {
                    Some(known) => known.count += 1,
                    None => self.not_checked.push(Reason { reason: reason.to_owned(), count: 1 }),
                }
            }
        }
    }

    /// For people.
    pub(crate) fn text(&self, paint: Paint, what: &str) -> String {
        let tlc = self.tlc.as_deref().map_or("TLC".to_owned(), |version| format!("TLC {version}"));
        let mut text = String::new();
        let s = if self.chosen == 1 { "" } else { "s" };
        let agreed = match self.chosen > 0 && self.agreed == self.chosen {
            true => paint.green("all agree"),
            false => format!("{} agree", self.agreed),
        };
        text.push_str(&format!("\nBefore {}: {} {what}{s}, {agreed}", harmless(&tlc), self.chosen));
        if self.decided > 0 {
            text.push_str(&format!(", {} decided by TLC alone", self.decided));
        }
        if self.disputed > 0 {
            text.push_str(&format!(", {}", paint.bold_red(&format!("{} disputed", self.disputed))));
        }
        text.push('\n');
        for Cause { cause, about, count } in &self.explained {
            text.push_str(&format!("  {} differ, which may be a known cause ({cause}): {about}\n", count));
        }
        for Reason { reason, count } in &self.not_checked {
            let marked = paint.yellow(&format!("{count} not cross-checked"));
            text.push_str(&format!("  {marked}: {}\n", short(reason, 400)));
        }
        if let Some(folder) = &self.written {
            let folder = folder.display().to_string();
            let folder = harmless(&folder);
            text.push_str(&format!("  TLC's verdict stands where they differ; to reproduce it see {folder}\n"));
        }
        text
    }
}

/// Why Primed has no verdict that could be put before TLC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// It does not evaluate something; TLC may decide (`--fallback`). The text says what to do about it.
    Unevaluated(&'static str),
    /// It ended before there was one.
    Ended(&'static str),
}

impl Open {
    /// Something is not supported.
    pub(crate) const UNSUPPORTED: Open = Open::Unevaluated(
        "Primed does not support it, so that there is no verdict to compare: --fallback tlc lets TLC decide",
    );
    /// A limit of Primed's own was reached.
    pub(crate) const LIMIT: Open = Open::Ended("a limit of Primed was reached before there was a verdict");

    /// What is not evaluated at all, by the message: a file would be written, or actions are composed, which TLC does only if it is
    /// told to.
    pub(crate) fn of(message: &str) -> Option<Open> {
        if message.contains("specifications may not write files") {
            return Some(Open::Unevaluated(
                "it would write files, which nobody allowed, so that there is no verdict to compare",
            ));
        }
        message.contains("does not support action composition").then_some(Open::Unevaluated(
            "A \\cdot B is evaluated only by a TLC that is told to (tlc2.tool.impl.Tool.cdot): --fallback tlc asks such a one",
        ))
    }
}

/// What becomes of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Nobody wants it to be put before TLC.
    Unwanted,
    /// TLC is asked.
    Asked,
    /// It should be, but there is none: why.
    Unasked(&'static str),
}

impl Question {
    /// Of the verdict of this number, which says that something failed or not, or is none.
    pub(crate) fn new(
        arguments: &arguments::CrossArguments,
        number: usize,
        failed: bool,
        open: Option<Open>,
    ) -> Question {
        let chosen = arguments.cross_check.takes(arguments.seed, number, failed);
        match open {
            Some(Open::Unevaluated(_)) if arguments.fallback.is_some() => Question::Asked,
            Some(Open::Unevaluated(why) | Open::Ended(why)) if chosen => Question::Unasked(why),
            None if chosen => Question::Asked,
            _ => Question::Unwanted,
        }
    }
}

/// Finds TLC; without it nothing is cross-checked, which is said.
pub(crate) fn find(arguments: &arguments::CrossArguments, paint: Paint) -> std::result::Result<Tools, Trouble> {
    let mut found = arguments.tlc.find();
    match &mut found {
        // What Primed does not evaluate without being told to is asked of a TLC that is told to.
        Ok(tools) if arguments.fallback.is_some() => tools.properties.push("tlc2.tool.impl.Tool.cdot=true".into()),
        Ok(_) => {}
        Err(trouble) => warn(paint, &format!("not cross-checked: {trouble}")),
    }
    found
}

/// Writes a disagreement down; that it cannot be is said.
pub(crate) fn write(bundle: &Bundle, folder: &Path, paint: Paint) -> Option<PathBuf> {
    match bundle.write_below(folder) {
        Ok(path) => Some(path),
        Err(trouble) => {
            warn(paint, &format!("the disagreement with TLC is not written down: {trouble}"));
            None
        }
    }
}

/// A specification's modules, with the text of its configuration. What TLC would write or run is refused where the user has not
/// allowed the specification to.
pub(crate) fn specification(
    sources: Vec<(std::sync::Arc<str>, &str, bool)>,
    config: String,
    access: Option<&Access>,
) -> Specification {
    let module = |(name, text, own): (std::sync::Arc<str>, &str, bool)| Module {
        name: name.to_string(),
        text: text.to_owned(),
        own,
    };
    let forbidden = primed::operators_with_effects().filter_map(|(module, operator, effect)| {
        let why = refusal(effect, access)?;
        Some(Forbidden { module, operator, why })
    });
    Specification { modules: sources.into_iter().map(module).collect(), config, forbidden: forbidden.collect() }
}

/// Why TLC is not asked about what has this effect; nothing if it may be.
fn refusal(effect: Effect, access: Option<&Access>) -> Option<&'static str> {
    match (effect, access) {
        (Effect::Writes, None) => Some("would write files unasked, and it cannot be allowed to here"),
        (Effect::Runs, None) => Some("would run commands unasked, and it cannot be allowed to here"),
        (Effect::Writes, Some(access)) => {
            access.allow_write.is_empty().then_some("would write files unasked: it is asked with --allow-write only")
        }
        (Effect::Runs, Some(access)) => {
            (!access.allow_commands).then_some("would run commands unasked: it is asked with --allow-commands only")
        }
    }
}

/// The text of a configuration; nothing if it cannot be read, which was said before.
pub(crate) fn text_of(config: &Path) -> String {
    primed::read_source(config).map(|file| file.text().to_owned()).unwrap_or_default()
}

/// TLC is being asked, which takes longer than all else: said on standard error, on a terminal with how far it is.
pub(crate) struct Asking {
    answered: Arc<AtomicUsize>,
    _live: Live,
}

impl Asking {
    /// Says that it begins.
    pub(crate) fn start(silent: bool, count: usize, what: &str, tools: &Tools) -> Asking {
        if !silent && count > 0 {
            let s = if count == 1 { "" } else { "s" };
            raw_error(&format!("asking TLC {} about {count} {what}{s}\n", tools.version()));
        }
        let answered = Arc::<AtomicUsize>::default();
        let (shown, what) = (answered.clone(), what.to_owned());
        let live = Live::start(silent || count == 0, move |elapsed| {
            let far = match shown.load(Ordering::Relaxed) {
                0 => String::new(),
                done => format!("{done} of {count} {what}s, "),
            };
            format!("TLC: {far}{:.1} s", elapsed.as_secs_f64())
        });
        Asking { answered, _live: live }
    }

    /// It has answered about one more.
    pub(crate) fn answered(&self) {
        self.answered.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        cross: arguments::CrossArguments,
    }

    #[test]
    fn what_was_chosen_and_is_not_asked_says_why() {
        let question = |line: &str, open| {
            let words = std::iter::once("check").chain(line.split_whitespace());
            Question::new(&Line::parse_from(words).cross, 1, true, open)
        };
        let composed = Open::of("The current version of TLC does not support action composition.");
        assert!(matches!(question("--cross-check all", composed), Question::Unasked(why) if why.contains("\\cdot")));
        assert_eq!(question("--cross-check all --fallback tlc", composed), Question::Asked);
        assert_eq!(question("", composed), Question::Unwanted);
        assert!(matches!(question("--cross-check all --fallback tlc", Some(Open::LIMIT)), Question::Unasked(_)));
        assert_eq!(question("--cross-check all", None), Question::Asked);
    }
}
