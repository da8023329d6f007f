//! Disagreements with a known cause: flaws of TLC (`SANY_AND_TLC.md` 6.1), and what `known-differences.tsv` of the suite says of
//! Primed. Each is known by what both sides answer and by what stands in the specification, so that it hides nothing else.

use primed_oracle::flaws::subsets;
use primed_oracle::generate::Specification;
use primed_oracle::read::Run;

use super::compare::{Differences, class, only_intervals};
use super::native::Answer;

/// TLC's words about itself.
const PRINTER: &str = "Wrong invocation of TLC error printer.";
/// TLC's message about where it was (2102), and the one about what it evaluated when it did the same again (2103).
const INITIAL: u32 = 2102;
const NESTED: u32 = 2103;
/// TLC's message that initial states are computed.
const COMPUTING: u32 = 2189;

/// What explains a disagreement.
pub(super) fn flaw(
    specification: &Specification,
    differences: &Differences,
    answer: &Answer,
    run: &Run,
) -> Option<&'static str> {
    if only_intervals(differences) {
        return Some("an interval is printed as one, or element by element");
    }
    let old = run.version.as_deref().is_some_and(|v| v.contains("2.15"));
    of_all(specification, answer, run).or_else(|| if old { of_2_15(specification, answer, run) } else { None })
}

/// What holds of every version.
fn of_all(specification: &Specification, answer: &Answer, run: &Run) -> Option<&'static str> {
    let (ours, theirs) = (class(answer.status), class(run.status));
    let said = run.error.as_deref().unwrap_or_default();
    if theirs == 0 && ours == 255 && !said.is_empty() && says(answer, said) {
        return Some(
            "TLC ends with status 0 though it says that a temporal property cannot be evaluated in an initial state",
        );
    }
    let temporal = answer.message.contains("(during Temporal)");
    // It goes on with the next initial state: the one that it failed in is known by then, and is not looked at again.
    if theirs == 75 && ours == 255 && temporal && run.has(INITIAL) && run.has(NESTED) {
        return Some("TLC finds initial states again after a temporal property failed in one, and fails in another");
    }
    if specification.modules().iter().any(|(_, text)| subsets::are_shared(text)) {
        return Some("names that are bound over one SUBSET {} take its only element from each other");
    }
    let listed = said.contains("TLC.PrintT") || said.contains("TLC.Print(");
    if theirs == 10 && listed && unlisted(&answer.printed) {
        return Some("TLC lists a set before it prints it, and fails if it cannot be listed");
    }
    let empty = specification.modules().iter().any(|(_, text)| text.contains("[<<>> EXCEPT"));
    if said.contains("Attempted to apply tuple to a non-integer argument") && empty {
        return Some(
            "for TLC the empty tuple and the empty function are of different kinds where EXCEPT is applied to them",
        );
    }
    None
}

/// Whether a property of a module, or a definition that it leads to, has a product.
fn property_multiplies(text: &str) -> bool {
    let words =
        |unit: &str| unit.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect::<Vec<_>>();
    // A definition begins at the left margin.
    let begins = |at: &usize| text[at + 1..].starts_with(char::is_alphabetic);
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).filter(begins).chain([text.len()]).collect();
    let units: Vec<&str> = ends.windows(2).map(|ends| &text[ends[0] + 1..ends[1]]).collect();
    let (mut reached, mut ahead) = (vec![false; units.len()], Vec::new());
    ahead.extend((0..units.len()).filter(|unit| units[*unit].starts_with("Prop")));
    while let Some(unit) = ahead.pop() {
        if !std::mem::replace(&mut reached[unit], true) {
            let named = words(units[unit]);
            ahead.extend(
                (0..units.len()).filter(|other| words(units[*other]).first().is_some_and(|n| named.contains(n))),
            );
        }
    }
    units.iter().zip(reached).any(|(unit, reached)| reached && unit.contains(" * "))
}

fn of_2_15(specification: &Specification, answer: &Answer, run: &Run) -> Option<&'static str> {
    let (ours, theirs) = (class(answer.status), class(run.status));
    // Nothing has been computed yet (2189), and Primed has something to complain of, too; of an invariant that is constant, in the first
    // state.
    let early = !run.has(COMPUTING) && ours != 0 && answer.distinct <= 1;
    if theirs == 255 && early && run.error.is_none() && run.lines.iter().any(|line| line.starts_with(PRINTER)) {
        return Some("TLC fails in telling what it failed in before the search");
    }
    if ours == 0 && theirs == 12 && run.has(2116) && specification.has_constant_condition() {
        return Some("a temporal property with a constant condition is reported violated");
    }
    let multiplies = |(_, text): &(String, String)| property_multiplies(text);
    if theirs == 151 && run.has(2280) && specification.modules().iter().any(multiplies) {
        return Some("a product in a temporal property is evaluated without a state");
    }
    if ours != 0 && theirs == 0 && answer.message.contains("is not a sequence:\n\"") {
        return Some("operators on sequences take strings apart");
    }
    // What a constant stands for is constant, as it is generated: it cannot have been refused for its level.
    if theirs == 151 && run.has(2281) {
        return Some("a definition that a constant stands for and that cannot be evaluated is refused at once");
    }
    if theirs == 75 && ours == 255 && answer.code > 1000 && run.has(answer.code) {
        return Some("an overridden operator complains by an exception whose exit status is another in later versions");
    }
    if theirs == 75 && run.has(2115) {
        return Some("a next-state relation that is a quantifier over the empty set is no action");
    }
    let said = run.error.as_deref().unwrap_or_default();
    let recursive = |(_, text): &(String, String)| text.split("\nProp").skip(1).any(|unit| unit.contains("RECURSIVE"));
    if theirs == 255 && said.contains("StackOverflowError") && specification.modules().iter().any(recursive) {
        return Some("a recursive operator in a temporal property is expanded without end");
    }
    let large = |text: &str| text.contains("too many elements (>1000000)");
    if large(said)
        && !large(&answer.message)
        && specification.modules().iter().any(|(_, text)| subsets::are_united(text))
    {
        return Some("the union of SUBSET {} with a set is listed without end");
    }
    if ours != 0 && answer.message.contains("typed model value") && ours != theirs {
        return Some("a typed model value is compared with values of other kinds");
    }
    if theirs == 10 && ours == 255 && answer.distinct == 0 && specification.has_constant_condition() {
        return Some("assumptions come before the constant parts of temporal properties");
    }
    None
}

/// Whether both complain of the same.
fn says(answer: &Answer, said: &str) -> bool {
    let first = said.lines().next().unwrap_or_default();
    !first.is_empty() && answer.message.contains(first)
}

/// Whether an operation on sets is printed as it is written.
fn unlisted(printed: &str) -> bool {
    let outside: String = printed.split('"').step_by(2).collect();
    outside.contains('\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_counts_where_a_property_leads_to_it() {
        let module = |prop: &str| {
            format!("---- MODULE M ----\nVARIABLE x\nA == 2 * x\nB == A = 4\nC == x = 1\nInit == A = 0\n{prop}\n====\n")
        };
        assert!(property_multiplies(&module("Prop1 == <>(x * x = 4)")));
        assert!(property_multiplies(&module("Prop1 == C ~>\n  B")));
        assert!(!property_multiplies(&module("Prop1 == <>C")));
        assert!(!property_multiplies(&module("Other == <>B")));
    }
}
