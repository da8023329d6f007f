//! Invariants on observed states: beside the verdict, never part of it.

use primed::{FindingKind, OpenError};

use crate::{BEHAVIOUR, builder, judge, opened, window};

const LEVEL: &str = r#"
EXTENDS Naturals
VARIABLE level
Init == level = 0
Fill == level' = level + 2
Next == Fill
Below(n) == level < n
InTank == /\ level >= 0
          /\ Below(5)
"#;

#[test]
fn a_violated_invariant_names_the_state_and_the_condition() {
    let spec = opened(LEVEL, BEHAVIOUR, |b| b.invariant("InTank"));
    assert!(judge(&spec, &window("Fill", r#"{"level": 1}"#, r#"{"level": 3}"#)).findings.is_empty());
    let verdict = judge(&spec, &window("Fill", r#"{"level": 4}"#, r#"{"level": 6}"#));
    assert_eq!(verdict.outcome.word(), "conforms");
    let [finding] = verdict.findings.as_slice() else { panic!("{:?}", verdict.findings) };
    assert_eq!((&*finding.invariant, finding.state), ("InTank", "post"));
    let FindingKind::Violated(reasons) = &finding.kind else { panic!("{finding:?}") };
    assert!(reasons.iter().any(|r| r.location.text == "level < n" || r.location.text == "Below(5)"), "{reasons:?}");
    assert!(reasons.iter().any(|r| r.operands.iter().any(|(_, value)| value == "6")), "{reasons:?}");
}

#[test]
fn a_refused_step_still_has_its_states_checked() {
    let spec = opened(LEVEL, BEHAVIOUR, |b| b.invariant("InTank"));
    let verdict = judge(&spec, &window("Fill", r#"{"level": 7}"#, r#"{"level": 8}"#));
    assert_eq!(verdict.outcome.word(), "refused");
    let states: Vec<&str> = verdict.findings.iter().map(|f| f.state).collect();
    assert_eq!(states, ["pre", "post"]);
}

#[test]
fn an_invariant_must_be_a_state_predicate_without_parameters() {
    let folder = tempfile::tempdir().unwrap();
    for (name, why) in
        [("Below", "takes parameters"), ("Fill", "not a state predicate"), ("Nothing", "does not define")]
    {
        let missing = builder(&folder, LEVEL, BEHAVIOUR).invariant(name).open().unwrap_err();
        assert!(matches!(&missing, OpenError::Missing(text) if text.contains(why)), "{name}: {missing}");
    }
}
