//! The nearest known name to an unknown one.

use std::sync::Arc;

use crate::library;

/// Standard modules that define a name people often use without extending them.
const HOMES: &[(&str, &[&str])] = &[
    ("Integers", &["Int"]),
    ("Naturals", &["+", "-", "*", "\\div", "%", "^", "..", "<", ">", "\\leq", "\\geq", "Nat"]),
    ("Sequences", &["Seq", "Len", "Head", "Tail", "Append", "SubSeq", "SelectSeq", "\\o"]),
    ("FiniteSets", &["Cardinality", "IsFiniteSet"]),
    ("TLC", &["Print", "PrintT", "Assert", ":>", "@@", "ToString", "Permutations", "SortSeq", "TLCGet", "TLCSet"]),
];

/// Advice for an unknown name: a module that defines it, or the known name that looks most like it.
pub(crate) fn help<'a>(name: &str, known: impl Iterator<Item = &'a Arc<str>>) -> Option<String> {
    if let Some((module, _)) = HOMES.iter().find(|(_, names)| names.contains(&name)) {
        debug_assert!(library::standard(module).is_some());
        return Some(format!("module `{module}` defines it: add it to EXTENDS"));
    }
    let word = |n: &str| n.chars().any(char::is_alphabetic);
    let limit = (name.chars().count() / 3).max(1);
    if name.chars().count() < 2 || !word(name) {
        return None;
    }
    let known = known.filter(|k| k.chars().count() > 1 && word(k));
    let near = known.map(|k| (distance(name, k, limit), k)).filter(|(d, _)| *d <= limit);
    let (_, best) = near.min_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1)))?;
    Some(format!("did you mean `{best}`?"))
}

/// Levenshtein's distance, or anything above `limit` once it must be more.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_not() {
        let known: Vec<Arc<str>> = vec!["currentTerm".into(), "votedFor".into()];
        assert_eq!(help("curentTerm", known.iter()).as_deref(), Some("did you mean `currentTerm`?"));
        assert_eq!(help("leader", known.iter()), None);
        let known: Vec<Arc<str>> = vec!["%".into(), "y".into()];
        assert_eq!(help("z", known.iter()), None);
    }
}
