//! A model before TLC: the same search, and what differs in the answers.

use std::ffi::OsString;

use crate::find::Tools;
use crate::flaws::{self, Difference, Flaw};
use crate::read::{Run, Verdict};
use crate::run::Bounds;
use crate::scratch::Scratch;
use crate::specification::{Specification, ask, portable};
use crate::trouble::Trouble;

/// What a search came to, as both sides count it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The exit status.
    pub status: i32,
    /// States generated, and distinct ones, if they are what TLC counts.
    pub counts: Option<(u64, u64)>,
    /// Depth of the search.
    pub depth: Option<u64>,
    /// The invariant or property that is violated, if there is one.
    pub violated: Option<String>,
    /// The words of an error.
    pub message: Option<String>,
}

/// Statuses after which both count in the same way.
const COUNTED: [i32; 3] = [0, 11, 12];

/// Puts a model before TLC.
///
/// # Errors
/// If it cannot be run, or did not answer: `Ok(Err(why))` says why it was not asked.
pub fn check(
    tools: &Tools,
    spec: &Specification,
    deadlock: bool,
    bounds: &Bounds,
) -> Result<Result<Run, String>, Trouble> {
    let lacks = tools.contents.lacks();
    if let Some(why) = spec.beyond(tools) {
        return Ok(Err(why));
    }
    if let Some(word) = flaws::lacking(&lacks, &spec.config) {
        return Ok(Err(format!("TLC {} does not know {word} in a configuration", tools.version())));
    }
    let scratch = Scratch::new()?;
    spec.lay_out(tools, &scratch)?;
    let old = lacks.iter().any(|word| crate::jar::OPTIONAL_WORDS.contains(word));
    let config = if old { portable(&spec.config) } else { spec.config.clone() };
    scratch.write(&format!("{}.cfg", spec.root()), config.as_bytes())?;
    let options: Vec<OsString> = if deadlock { Vec::new() } else { vec!["-deadlock".into()] };
    let run = ask(tools, &scratch, spec.root(), &options, bounds)?;
    match run.verdict {
        Verdict::Usage => Ok(Err(run.error.unwrap_or_else(|| "TLC does not know its arguments".into()))),
        _ => Ok(Ok(run)),
    }
}

impl Answer {
    /// TLC's.
    pub fn of(run: &Run) -> Answer {
        Answer {
            status: run.status,
            counts: run.counts.map(|(generated, distinct, _)| (generated, distinct)),
            depth: run.depth,
            violated: run.violated.first().cloned(),
            message: run.error.clone(),
        }
    }

    /// What differs, in words; `None` if nothing does. What one side does not say cannot differ.
    pub fn differs(&self, tlc: &Answer) -> Option<String> {
        if self.status != tlc.status {
            return Some(format!("exit status {} and {} by TLC", self.status, tlc.status));
        }
        if let (Some(own), Some(other)) = (&self.violated, &tlc.violated)
            && own != other
        {
            return Some(format!("`{own}` is violated and `{other}` by TLC"));
        }
        if !COUNTED.contains(&self.status) {
            return None;
        }
        if let (Some(own), Some(other)) = (self.counts, tlc.counts)
            && own != other
        {
            let ((a, b), (c, d)) = (own, other);
            return Some(format!("{a} states generated, {b} distinct, and {c}, {d} by TLC"));
        }
        match (self.depth, tlc.depth) {
            (Some(own), Some(other)) if own != other => Some(format!("depth {own} and {other} by TLC")),
            _ => None,
        }
    }

    /// The known flaw of TLC that may explain a difference: its name, and what it is.
    pub fn explained(&self, tools: &Tools, spec: &Specification, run: &Run) -> Option<(&'static str, &'static str)> {
        let tlc = Answer::of(run);
        let nothing = self.counts.is_some_and(|(generated, _)| generated == 0);
        if tools.is_2_15() && self.status == tlc.status && nothing && tlc.depth == Some(1) {
            return Some(("depth-of-nothing", "2.15 counts a depth of 1 where no state was generated"));
        }
        let message = self.message.as_deref();
        let difference = Difference { status: self.status, message, tlc_status: run.status, run: Some(run) };
        flaws::explain(tools.is_2_15(), spec, difference).map(|Flaw { id, about, .. }| (*id, *about))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: i32, generated: u64, depth: u64) -> Answer {
        let violated = (status == 12).then(|| "Inv".to_owned());
        Answer { status, counts: Some((generated, 2)), depth: Some(depth), violated, message: None }
    }

    #[test]
    fn status_name_counts_and_depth_can_differ() {
        assert_eq!(answer(0, 3, 2).differs(&answer(0, 3, 2)), None);
        assert!(answer(0, 3, 2).differs(&answer(12, 3, 2)).is_some_and(|d| d.contains("exit status 0 and 12")));
        assert!(answer(0, 3, 2).differs(&answer(0, 4, 2)).is_some_and(|d| d.contains("4, 2 by TLC")));
        assert!(answer(11, 3, 2).differs(&answer(11, 3, 3)).is_some_and(|d| d.contains("depth 2 and 3")));
        let other = Answer { violated: Some("Other".into()), ..answer(12, 3, 2) };
        assert!(answer(12, 3, 2).differs(&other).is_some_and(|d| d.contains("`Other` by TLC")));
        // After an evaluation error the counts depend on where it was met.
        assert_eq!(answer(75, 3, 2).differs(&answer(75, 4, 1)), None);
        assert_eq!(answer(0, 3, 2).differs(&Answer { counts: None, depth: None, ..answer(0, 3, 2) }), None);
    }
}
