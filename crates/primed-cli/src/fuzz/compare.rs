//! Whether Primed and TLC said the same.

use primed_oracle::read::Run;

use super::native::Answer;

/// What they disagree on; empty if they agree.
pub(super) type Differences = Vec<Difference>;

/// One thing that they disagree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// `status`, `generated`, `distinct`, `depth`, `printed`, `error` or `violated`.
    pub(super) what: &'static str,
    pub(super) primed: String,
    pub(super) tlc: String,
}

/// Exit statuses whose counts are those of the whole search, or of a moment that both find.
const COUNTED: [i32; 5] = [0, 11, 12, 13, 10];

/// Compares an answer with TLC's.
pub(super) fn compare(primed: &Answer, run: &Run) -> Differences {
    let mut found = Differences::new();
    let mut differs = |what, primed: String, tlc: String| {
        if primed != tlc {
            found.push(Difference { what, primed, tlc });
        }
    };
    differs("status", class(primed.status).to_string(), class(run.status).to_string());
    let (ours, theirs) = (without_blanks(&primed.printed), without_blanks(&printed(run)));
    differs("printed", ours, theirs);
    if primed.code > 1000 && run.status != 0 && class(primed.status) == class(run.status) && !run.has(primed.code) {
        let said = run.error.clone().unwrap_or_default();
        differs("error", format!("{} {}", primed.code, primed.message), said);
    }
    if COUNTED.contains(&primed.status) && !primed.at_once && class(primed.status) == class(run.status) {
        if let Some((generated, distinct, _)) = run.counts {
            differs("generated", primed.generated.to_string(), generated.to_string());
            differs("distinct", primed.distinct.to_string(), distinct.to_string());
        }
        if let Some(depth) = run.depth {
            // 2.15 says 1 when there is no state.
            differs("depth", primed.depth.max(1).to_string(), depth.max(1).to_string());
        }
        if !run.violated.is_empty() && !primed.names.is_empty() {
            differs("violated", primed.names.join(","), run.violated.join(","));
        }
    }
    found
}

/// Statuses that mean the same in versions of TLC: an Assert is 75 or 14, a temporal property violated by a finite trace 13 or 12.
pub(super) fn class(status: i32) -> i32 {
    match status {
        14 => 75,
        13 => 12,
        other => other,
    }
}

/// What the specification printed, without what SANY says.
pub(super) fn printed(run: &Run) -> String {
    let begins = run.lines.iter().position(|line| line.starts_with("<<")).unwrap_or(run.lines.len());
    run.lines[begins..].join("\n")
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
