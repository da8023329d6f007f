//! What is known to differ, and what a case comes to with it.

use std::collections::BTreeMap;
use std::path::Path;

use crate::suite::{Case, Tally};
use crate::table;

/// What is known to differ and why: by case, by what was asked.
pub type Known = BTreeMap<String, BTreeMap<String, String>>;

/// What a case comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Answers that are TLC's, or are known not to be.
    pub passed: usize,
    /// What was asked and has another answer than TLC's, with both; and what is known to differ and does not.
    pub failed: BTreeMap<String, String>,
}

/// Reads `known-differences.tsv` of a suite.
///
/// # Errors
/// If it cannot be read, a line has no reason, or names a case that is not among those given.
pub fn known_differences(suite: &Path, cases: &[Case]) -> Result<Known, String> {
    let mut known = Known::new();
    for row in table(&suite.join("known-differences.tsv"))? {
        match row.as_slice() {
            [case, asked, reason] if !reason.trim().is_empty() => {
                known.entry(case.clone()).or_default().insert(asked.clone(), reason.clone());
            }
            _ => return Err(format!("known-differences.tsv: {row:?} has not the columns case, asked, reason")),
        }
    }
    let stray: Vec<&String> = known.keys().filter(|name| !cases.iter().any(|case| case.name == **name)).collect();
    if stray.is_empty() {
        Ok(known)
    } else {
        Err(format!("known-differences.tsv names cases that do not exist: {stray:?}"))
    }
}

impl Outcome {
    /// Holds answers against what is known to differ: that must differ, and nothing else may.
    pub fn of(tally: &Tally, known: Option<&BTreeMap<String, String>>) -> Outcome {
        let none = BTreeMap::new();
        let known = known.unwrap_or(&none);
        let mut failed = tally.differences.clone();
        let expected = failed.len();
        failed.retain(|asked, _| !known.contains_key(asked));
        let passed = tally.agree + expected - failed.len();
        for asked in known.keys().filter(|asked| !tally.differences.contains_key(*asked)) {
            failed.insert(asked.clone(), "agrees (or is gone): take it out of known-differences.tsv".into());
        }
        Outcome { passed, failed }
    }

    /// For people.
    pub fn text(&self) -> String {
        self.failed.iter().map(|(asked, both)| format!("    {asked}\n        {both}\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_to_differ_must_differ() {
        let differences = [("1 + 1".to_owned(), "TLC: 2".to_owned()), ("2 + 2".to_owned(), "TLC: 4".to_owned())].into();
        let tally = Tally { agree: 3, total: 5, differences };
        let known = [("1 + 1".to_owned(), "a reason".to_owned()), ("3".to_owned(), "another".to_owned())].into();
        let outcome = Outcome::of(&tally, Some(&known));
        assert_eq!(outcome.passed, 4);
        assert_eq!(outcome.failed.keys().collect::<Vec<_>>(), ["2 + 2", "3"]);
        assert_eq!(Outcome::of(&tally, None).failed.len(), 2);
    }
}
