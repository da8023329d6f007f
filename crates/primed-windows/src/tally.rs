//! What the verdicts on many windows add up to, in a space that does not grow with their number.

use std::collections::HashMap;
use std::sync::Arc;

use crate::verdict::{Finding, FindingKind, Location, Outcome, Reason, Refused, Trouble, Verdict};

/// Most kinds that are told apart.
const MAX_KINDS: usize = 1_000;
/// Most action names that are told apart beyond the specification's own.
const MAX_STRANGERS: usize = 100;
/// The row for windows without an action.
pub const NAMELESS: &str = "(no action)";
const OTHERS: &str = "(other names)";

/// What verdicts add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// A window was refused, or an invariant is violated.
    pub refused: bool,
    /// An evaluation failed, or a window could not be read.
    pub failed: bool,
    /// A limit was reached.
    pub limited: bool,
    /// Something is not evaluated.
    pub unsupported: bool,
    /// The real TLC disagrees.
    pub disputed: bool,
}

impl Outcomes {
    /// The exit code: 74 comes first, then 12, 75, 73 and 72.
    pub fn exit_code(self) -> u8 {
        match self {
            Outcomes { disputed: true, .. } => 74,
            Outcomes { refused: true, .. } => 12,
            Outcomes { failed: true, .. } => 75,
            Outcomes { limited: true, .. } => 73,
            Outcomes { unsupported: true, .. } => 72,
            _ => 0,
        }
    }
}

/// The counts of one action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The action.
    pub name: String,
    /// It is one of those that the next-state relation is made of.
    pub own: bool,
    /// Windows that it allows.
    pub conforming: usize,
    /// Windows that it does not allow.
    pub refused: usize,
    /// Windows that could not be judged.
    pub errors: usize,
    /// Windows that need something that is not evaluated.
    pub unsupported: usize,
    /// Of all these, those of which the real TLC says otherwise than Primed: they are counted as TLC says.
    pub disputed: usize,
}

impl Row {
    /// Windows in all.
    pub fn total(&self) -> usize {
        self.conforming + self.refused + self.errors + self.unsupported
    }
}

/// Where a window stands and what it calls itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Where {
    /// The file, if there are several.
    pub file: Option<Arc<str>>,
    /// The line, from 1.
    pub line: usize,
    /// The window's own id, as written.
    pub id: Option<String>,
    /// The trace that it belongs to, as written.
    pub trace: Option<String>,
    /// The action that it names.
    pub action: Option<String>,
}

/// Things of the same kind: how many, and the first.
#[derive(Clone, Debug)]
pub struct Group<T> {
    /// How many.
    pub count: usize,
    /// The first one's place.
    pub first: Where,
    /// The first one.
    pub example: T,
}

/// Groups by kind.
#[derive(Clone, Debug)]
pub struct Groups<T> {
    /// In the order in which they were met.
    pub list: Vec<Group<T>>,
    index: HashMap<String, usize>,
    /// How many fell into no group because there are too many.
    pub beyond: usize,
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
    pub fn sorted(&self) -> Vec<&Group<T>> {
        let mut sorted: Vec<&Group<T>> = self.list.iter().collect();
        sorted.sort_by_key(|g| std::cmp::Reverse(g.count));
        sorted
    }

    /// How many things there are in all.
    pub fn total(&self) -> usize {
        self.list.iter().map(|g| g.count).sum::<usize>() + self.beyond
    }
}

/// The counts of one invariant: windows in which it is violated, and in which it has no value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InvariantRow {
    /// The invariant.
    pub name: String,
    /// Windows with an observed state that violates it.
    pub violated: usize,
    /// Windows with an observed state in which it has no value.
    pub not_evaluated: usize,
}

/// The sums.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The actions of the next-state relation, then other names that windows have.
    pub rows: Vec<Row>,
    by_name: HashMap<String, usize>,
    /// How many rows are the specification's own actions.
    own: usize,
    /// The file whose windows are added now, if there are several.
    file: Option<Arc<str>>,
    /// Each variable with the number of windows that leave it out.
    pub unobserved: Vec<(String, usize)>,
    /// Refusals by action and condition.
    pub refusals: Groups<Refused>,
    /// Errors by action and place.
    pub errors: Groups<Trouble>,
    /// What is not supported, by action and place.
    pub unsupported: Groups<Trouble>,
    /// The invariants that were asked for.
    pub invariants: Vec<InvariantRow>,
    /// Observed states that violate an invariant.
    pub violations: Groups<Finding>,
    /// Observed states in which an invariant has no value.
    pub unknown: Groups<Finding>,
    /// Remarks.
    pub notes: Groups<String>,
    /// Keys of windows that mean nothing to Primed.
    pub unknown_keys: Vec<String>,
    /// What the verdicts add up to.
    pub outcomes: Outcomes,
}

impl Tally {
    /// Nothing yet. The actions are listed whether windows come or not.
    pub fn new<'n>(
        actions: impl IntoIterator<Item = &'n str>,
        variables: impl IntoIterator<Item = &'n str>,
        invariants: &[String],
    ) -> Tally {
        let mut tally = Tally::default();
        actions.into_iter().for_each(|name| tally.row(name).own = true);
        tally.own = tally.rows.len();
        tally.unobserved = variables.into_iter().map(|v| (v.to_owned(), 0)).collect();
        let row = |name: &String| InvariantRow { name: name.clone(), ..InvariantRow::default() };
        tally.invariants = invariants.iter().map(row).collect();
        tally
    }

    /// The windows that are added from now on stand in this file.
    pub fn enter(&mut self, file: Option<Arc<str>>) {
        self.file = file;
    }

    /// One of the windows that were or will be added is disputed.
    pub fn dispute(&mut self, action: Option<&str>) {
        self.outcomes.disputed = true;
        self.row(action.unwrap_or(NAMELESS)).disputed += 1;
    }

    /// Windows in all.
    pub fn total(&self) -> usize {
        self.rows.iter().map(Row::total).sum()
    }

    /// Adds a verdict.
    pub fn add(&mut self, verdict: Verdict) {
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
        let here = Where {
            file: self.file.clone(),
            line: verdict.line,
            id: verdict.id,
            trace: verdict.trace,
            action: verdict.action.clone(),
        };
        let place = || here.clone();
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
                self.refusals.add(kind_of_refusal(action, refused), place, || (**refused).clone());
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

/// Refusals by the same conditions of an action are of one kind, if they read the same that was not observed; those without
/// conditions, if the reason is the same.
fn kind_of_refusal(action: &str, refused: &Refused) -> String {
    let unobserved = refused.reasons.iter().flat_map(|r| &r.unobserved).map(|(name, _)| name.as_str());
    let unobserved: std::collections::BTreeSet<&str> = unobserved.collect();
    let unobserved: Vec<&str> = unobserved.into_iter().collect();
    let why = refused.unknown.as_deref().map(without_numbers).unwrap_or_default();
    format!("{action} {} {} {why}", conditions(&refused.reasons), unobserved.join(","))
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
        Where { line: 1, ..Where::default() }
    }

    #[test]
    fn refused_comes_before_failed_and_failed_before_unsupported() {
        let code =
            |refused, failed, unsupported| Outcomes { refused, failed, unsupported, ..Outcomes::default() }.exit_code();
        assert_eq!(Outcomes { disputed: true, refused: true, ..Outcomes::default() }.exit_code(), 74);
        assert_eq!(Outcomes { limited: true, unsupported: true, ..Outcomes::default() }.exit_code(), 73);
        assert_eq!(code(true, true, true), 12);
        assert_eq!(code(false, true, true), 75);
        assert_eq!(code(false, false, true), 72);
        assert_eq!(code(false, false, false), 0);
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
