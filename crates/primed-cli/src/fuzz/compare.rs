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
    if primed.code > 1000
        && run.status != 0
        && class(primed.status) == class(run.status)
        && !run.has(primed.code)
        && !same_words(primed, run)
    {
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

/// Whether both say the same though under another number: numbers differ between versions of TLC, and without anything to check
/// it meets a state that lacks a value in another place, and says so in other words.
fn same_words(primed: &Answer, run: &Run) -> bool {
    let said = run.error.as_deref().unwrap_or_default();
    let first = primed.message.lines().next().unwrap_or_default();
    let lacks = primed.code == 2106 && said.starts_with("current state is not a legal state");
    lacks || first.len() > 20 && without_blanks(said).contains(&without_blanks(first))
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

/// Whether nothing differs but that an interval is printed as one by one side and element by element by the other: TLC keeps how a
/// domain was made, Primed does not (`known-differences.tsv`).
pub(super) fn only_intervals(differences: &Differences) -> bool {
    match differences.as_slice() {
        [Difference { what: "printed", primed, tlc }] => listed(primed) == listed(tlc),
        _ => false,
    }
}

/// A text without blanks, each interval in it written as the set of its elements.
fn listed(text: &str) -> String {
    let mut parts = text.split("..");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let before = whole.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('-').len();
        let digits = part.strip_prefix('-').unwrap_or(part).trim_start_matches(|c: char| c.is_ascii_digit());
        let (high, rest) = part.split_at(part.len() - digits.len());
        match (whole[before..].parse::<i64>(), high.parse::<i64>()) {
            (Ok(low), Ok(high)) if high - low < 1000 => {
                let elements: Vec<String> = (low..=high).map(|n| n.to_string()).collect();
                whole.truncate(before);
                whole.push_str(&format!("{{{}}}{rest}", elements.join(",")));
            }
            _ => whole.push_str(&format!("..{part}")),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_and_the_set_of_its_elements_are_the_same_text() {
        assert_eq!(listed("<<\"e1\",<<1..2>>>><<-1..1,2..1>>"), "<<\"e1\",<<{1,2}>>>><<{-1,0,1},{}>>");
        assert_eq!(listed("a..b..3"), "a..b..3");
        let printed = |primed: &str, tlc: &str| Difference { what: "printed", primed: primed.into(), tlc: tlc.into() };
        assert!(only_intervals(&vec![printed("1..1", "{1}")]));
        assert!(!only_intervals(&vec![printed("1..1", "{2}")]));
    }
}
