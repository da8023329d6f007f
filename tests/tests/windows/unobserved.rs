//! Variables that a window leaves out.

use primed::{FindingKind, OpenError};

use crate::{BEHAVIOUR, builder, error, judge, open, opened, window, word};

const COPY: &str = r#"
EXTENDS Naturals
VARIABLES x, hidden
Init == x = 0 /\ hidden \in 1..3
Copy == x' = hidden /\ hidden' = 0
Keep == x' = x + 1 /\ UNCHANGED hidden
Next == Copy \/ Keep
Large == hidden = x + 10
Small == hidden < x
Positive == hidden > 0
"#;

#[test]
fn after_the_step_it_may_be_anything() {
    let spec = open(COPY, BEHAVIOUR);
    let verdict = judge(&spec, &window("Keep", r#"{"x": 1, "hidden": 9}"#, r#"{"x": 2}"#));
    assert_eq!(verdict.outcome.word(), "conforms");
    assert_eq!(verdict.unobserved, ["hidden"]);
    assert_eq!(word(&spec, &window("Keep", r#"{"x": 1, "hidden": 9}"#, r#"{"x": 3}"#)), "refused");
    assert_eq!(word(&spec, &window("Keep", r#"{"x": 1, "hidden": 9}"#, "{}")), "conforms");
}

#[test]
fn before_the_step_it_takes_what_the_initial_predicate_allows() {
    let spec = open(COPY, BEHAVIOUR);
    let copied = |x: i32| window("Copy", r#"{"x": 5}"#, &format!(r#"{{"x": {x}, "hidden": 0}}"#));
    assert_eq!(word(&spec, &copied(3)), "conforms");
    assert_eq!(word(&spec, &copied(4)), "refused");
    let verdict = judge(&spec, &copied(1));
    assert_eq!((verdict.outcome.word(), verdict.unobserved), ("conforms", vec!["hidden".to_string()]));
}

#[test]
fn a_value_seen_after_the_step_restricts_the_one_before() {
    let spec = open(COPY, BEHAVIOUR);
    assert_eq!(word(&spec, &window("Keep", r#"{"x": 0}"#, r#"{"x": 1, "hidden": 2}"#)), "conforms");
    assert_eq!(word(&spec, &window("Keep", r#"{"x": 0}"#, r#"{"x": 1, "hidden": 4}"#)), "refused");
}

#[test]
fn a_named_predicate_says_it_from_what_was_observed() {
    let spec = opened(COPY, BEHAVIOUR, |b| b.unobserved("Large"));
    assert_eq!(word(&spec, &window("Copy", r#"{"x": 5}"#, r#"{"x": 15, "hidden": 0}"#)), "conforms");
    assert_eq!(word(&spec, &window("Copy", r#"{"x": 5}"#, r#"{"x": 3, "hidden": 0}"#)), "refused");
    assert_eq!(word(&spec, &window("Copy", r#"{"x": 6}"#, r#"{"x": 16}"#)), "conforms");
}

#[test]
fn a_predicate_that_gives_no_value_is_an_error_that_says_so() {
    let spec = opened(COPY, BEHAVIOUR, |b| b.unobserved("Small"));
    let message = error(judge(&spec, &window("Copy", r#"{"x": 5}"#, r#"{"x": 3, "hidden": 0}"#)));
    assert!(message.contains("hidden"), "{message}");
    let folder = tempfile::tempdir().unwrap();
    let missing = builder(&folder, COPY, BEHAVIOUR).unobserved("Copy").open().unwrap_err();
    assert!(matches!(&missing, OpenError::Missing(text) if text.contains("not a state predicate")), "{missing}");
}

#[test]
fn nothing_observed_conforms_where_the_action_is_possible() {
    let spec = open(COPY, BEHAVIOUR);
    assert_eq!(word(&spec, &window("Copy", "{}", "{}")), "conforms");
    assert_eq!(word(&spec, &window("Copy", "{}", r#"{"x": 8}"#)), "refused");
}

#[test]
fn an_invariant_over_an_unobserved_variable_could_not_be_evaluated() {
    let spec = opened(COPY, BEHAVIOUR, |b| b.invariant("Positive"));
    let verdict = judge(&spec, &window("Keep", r#"{"x": 1, "hidden": 2}"#, r#"{"x": 2}"#));
    assert_eq!(verdict.outcome.word(), "conforms");
    assert_eq!(verdict.findings.len(), 1);
    let finding = &verdict.findings[0];
    assert_eq!((&*finding.invariant, finding.state), ("Positive", "post"));
    assert!(matches!(&finding.kind, FindingKind::Unobserved(why) if why.contains("hidden")), "{finding:?}");
}
