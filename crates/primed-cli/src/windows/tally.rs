//! What the verdicts on many windows add up to, in a space that does not grow with their number.

use std::collections::HashMap;

use primed::{Finding, FindingKind, Location, Outcome, Reason, Refused, Spec, Trouble, Verdict};

use crate::arguments::WindowsArguments;
use crate::exit::Outcomes;

/// Most kinds that are told apart.
const MAX_KINDS: usize = 1_000;
/// Most action names that are told apart beyond the specification's own.
const MAX_STRANGERS: usize = 100;
/// The row for windows without an action.
pub(crate) const NAMELESS: &str = "(no action)";
const OTHERS: &str = "(other names)";

/// The counts of one action.
#[derive(Debug, Default)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) conforming: usize,
    pub(crate) refused: usize,
    pub(crate) errors: usize,
    pub(crate) unsupported: usize,
}

impl Row {
    pub(crate) fn total(&self) -> usize {
        self.conforming + self.refused + self.errors + self.unsupported
    }
}

/// Where a window stands and what it calls itself.
#[derive(Debug)]
pub(crate) struct Where {
    pub(crate) line: usize,
    pub(crate) id: Option<String>,
    pub(crate) trace: Option<String>,
    pub(crate) action: Option<String>,
}

/// Things of the same kind: how many, and the first.
#[derive(Debug)]
pub(crate) struct Group<T> {
    pub(crate) count: usize,
    pub(crate) first: Where,
    pub(crate) example: T,
}

/// Groups by kind.
#[derive(Debug)]
pub(crate) struct Groups<T> {
    pub(crate) list: Vec<Group<T>>,
    index: HashMap<String, usize>,
    /// How many fell into no group because there are too many.
    pub(crate) beyond: usize,
}

impl<T> Default for Groups<T> {
    fn default() -> Groups<T> {
        Groups { list: Vec::new(), index: HashMap::new(), beyond: 0 }
    }
}

impl<T> Groups<T> {
    fn add(&mut self, kind: String, first: impl FnOnce() -> Where, example: impl FnOnce() -> T) {
        match self.index.get(&kind) {
            Some(i) => self.list[*i].count += 1,
            None if self.list.len() >= MAX_KINDS => self.beyond += 1,
            None => {
                self.index.insert(kind, self.list.len());
                self.list.push(Group { count: 1, first: first(), example: example() });
            }
        }
    }

    /// The groups, largest first.
    pub(crate) fn sorted(&self) -> Vec<&Group<T>> {
        let mut sorted: Vec<&Group<T>> = self.list.iter().collect();
        sorted.sort_by_key(|g| std::cmp::Reverse(g.count));
        sorted
    }

    /// How many things there are in all.
    pub(crate) fn total(&self) -> usize {
        self.list.iter().map(|g| g.count).sum::<usize>() + self.beyond
    }
}

/// The counts of one invariant: windows in which it is violated, and in which it has no value.
#[derive(Debug)]
pub(crate) struct InvariantRow {
    pub(crate) name: String,
    pub(crate) violated: usize,
    pub(crate) not_evaluated: usize,
}

/// The sums.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) rows: Vec<Row>,
    by_name: HashMap<String, usize>,
    /// How many rows are the specification's own actions.
    own: usize,
    pub(crate) unobserved: Vec<(String, usize)>,
    pub(crate) refusals: Groups<Refused>,
    pub(crate) errors: Groups<Trouble>,
    pub(crate) unsupported: Groups<Trouble>,
    pub(crate) invariants: Vec<InvariantRow>,
    /// Invariants that are violated, and those that have no value.
    pub(crate) violations: Groups<Finding>,
    pub(crate) unknown: Groups<Finding>,
    pub(crate) notes: Groups<String>,
    /// Keys of windows that mean nothing to Primed.
    pub(crate) unknown_keys: Vec<String>,
    pub(crate) outcomes: Outcomes,
}

impl Tally {
    /// Nothing yet. Without an action asked for, every action of the specification is listed.
    pub(crate) fn new(spec: &Spec, arguments: &WindowsArguments) -> Tally {
        let mut tally = Tally::default();
        let asked = arguments.action.as_deref();
        spec.actions().into_iter().filter(|name| asked.is_none_or(|a| a == *name)).for_each(|name| {
            tally.row(name);
        });
        tally.own = tally.rows.len();
        tally.unobserved = spec.variables().into_iter().map(|v| (v.to_owned(), 0)).collect();
        let row = |name: &String| InvariantRow { name: name.clone(), violated: 0, not_evaluated: 0 };
        tally.invariants = arguments.invariants.iter().map(row).collect();
        tally
    }

    /// Windows in all.
    pub(crate) fn total(&self) -> usize {
        self.rows.iter().map(Row::total).sum()
    }

    /// Adds a verdict.
    pub(crate) fn add(&mut self, verdict: Verdict) {
        let name = verdict.action.as_deref().unwrap_or(NAMELESS);
        let row = self.row(name);
        match &verdict.outcome {
            Outcome::Conforms => row.conforming += 1,
            Outcome::Refused(_) => row.refused += 1,
            Outcome::Error(_) => row.errors += 1,
            Outcome::Unsupported(_) => row.unsupported += 1,
        }
        for name in &verdict.unobserved {
            if let Some((_, count)) = self.unobserved.iter_mut().find(|(n, _)| n == name) {
                *count += 1;
            }
        }
        let place = || Where {
            line: verdict.line,
            id: verdict.id.clone(),
            trace: verdict.trace.clone(),
            action: verdict.action.clone(),
        };
        self.add_findings(&verdict.findings, place);
        for (key, _) in &verdict.unknown {
            if self.unknown_keys.len() < MAX_STRANGERS && !self.unknown_keys.contains(key) {
                self.unknown_keys.push(key.clone());
            }
        }
        for note in &verdict.notes {
            self.notes.add(without_numbers(note), place, || note.clone());
        }
        let action = verdict.action.as_deref().unwrap_or("");
        match &verdict.outcome {
            Outcome::Conforms => {}
            Outcome::Refused(refused) => {
                self.outcomes.refused = true;
                self.refusals.add(format!("{action} {}", conditions(&refused.reasons)), place, || (**refused).clone());
            }
            Outcome::Error(trouble) => {
                *if trouble.limit { &mut self.outcomes.limited } else { &mut self.outcomes.failed } = true;
                self.errors.add(kind_of_trouble(action, trouble), place, || trouble.clone());
            }
            Outcome::Unsupported(trouble) => {
                self.outcomes.unsupported = true;
                self.unsupported.add(kind_of_trouble(action, trouble), place, || trouble.clone());
            }
        }
    }

    fn add_findings(&mut self, findings: &[Finding], place: impl Fn() -> Where) {
        for row in &mut self.invariants {
            let mine = || findings.iter().filter(|f| f.invariant == row.name);
            let violated = mine().any(|f| matches!(f.kind, FindingKind::Violated(_)));
            let silent = |f: &Finding| matches!(f.kind, FindingKind::NotEvaluated(_) | FindingKind::Unobserved(_));
            let unknown = mine().any(silent);
            row.violated += usize::from(violated);
            row.not_evaluated += usize::from(unknown);
        }
        for finding in findings {
            let (groups, kind) = match &finding.kind {
                FindingKind::Violated(reasons) => {
                    self.outcomes.refused = true;
                    (&mut self.violations, conditions(reasons))
                }
                FindingKind::NotEvaluated(message) => {
                    self.outcomes.failed = true;
                    (&mut self.unknown, without_numbers(message))
                }
                // No evidence either way.
                FindingKind::Unobserved(message) => (&mut self.unknown, message.clone()),
            };
            groups.add(format!("{} {} {kind}", finding.invariant, finding.state), &place, || finding.clone());
        }
    }

    fn row(&mut self, name: &str) -> &mut Row {
        let full = self.rows.len() > self.own + MAX_STRANGERS;
        let name = if full && !self.by_name.contains_key(name) { OTHERS } else { name };
        let i = match self.by_name.get(name) {
            Some(i) => *i,
            None => {
                self.rows.push(Row { name: name.to_owned(), ..Row::default() });
                self.by_name.insert(name.to_owned(), self.rows.len() - 1);
                self.rows.len() - 1
            }
        };
        &mut self.rows[i]
    }
}

/// The places of conditions, as a kind.
fn conditions(reasons: &[Reason]) -> String {
    let mut places: Vec<String> = reasons.iter().map(|r| place(&r.location)).collect();
    places.sort_unstable();
    places.dedup();
    places.join(" ")
}

fn place(location: &Location) -> String {
    format!("{}:{}:{}", location.file, location.line, location.column)
}

/// Errors at the same place of an action are of one kind, and those without a place if they differ in numbers only.
fn kind_of_trouble(action: &str, trouble: &Trouble) -> String {
    match trouble.places.first() {
        Some(innermost) => format!("{action} {}", place(innermost)),
        None => format!("{action} {}", without_numbers(&trouble.message)),
    }
}

/// A text with every number as `#`.
fn without_numbers(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if kept.ends_with('#') => {}
            true => kept.push('#'),
            false => kept.push(c),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nowhere() -> Where {
        Where { line: 1, id: None, trace: None, action: None }
    }

    #[test]
    fn the_number_of_groups_has_a_limit() {
        let mut groups: Groups<usize> = Groups::default();
        (0..MAX_KINDS + 5).for_each(|i| groups.add(i.to_string(), nowhere, || i));
        groups.add("3".into(), nowhere, || 0);
        assert_eq!((groups.list.len(), groups.beyond, groups.total()), (MAX_KINDS, 5, MAX_KINDS + 6));
        assert_eq!(groups.sorted()[0].example, 3);
    }

    #[test]
    fn messages_that_differ_in_numbers_are_of_one_kind() {
        assert_eq!(without_numbers("line 1 column 17"), without_numbers("line 1 column 8"));
        assert_ne!(without_numbers("no `x`"), without_numbers("no `y`"));
    }
}
