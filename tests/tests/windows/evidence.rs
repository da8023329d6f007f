//! What a refusal says: the conditions, the nearest successor, the other actions.

use crate::{BEHAVIOUR, judge, open, opened, refused, window};

const DOOR: &str = r#"
EXTENDS Naturals
VARIABLES door, steps
Init == door = [open |-> FALSE, by |-> "nobody"] /\ steps = 0
Open(who) == /\ ~door.open
             /\ steps < 5
             /\ door' = [open |-> TRUE, by |-> who]
             /\ steps' = steps + 1
Shut == /\ door.open
        /\ door' = [door EXCEPT !.open = FALSE]
        /\ steps' = steps + 1
Slam == /\ door.open
        /\ door' = [door EXCEPT !.open = FALSE]
        /\ steps' \in {steps + 1, steps + 2}
Next == (\E w \in {"ann", "bob"} : Open(w)) \/ Shut \/ Slam
"#;

const ANN: &str = r#"{"door": {"open": true, "by": "ann"}, "steps": 2}"#;

#[test]
fn the_condition_is_shown_with_its_place_and_operands() {
    let spec = open(DOOR, BEHAVIOUR);
    let why = refused(judge(&spec, &window("Open", ANN, ANN)));
    assert!(why.reasons.iter().all(|r| r.location.text == "~door.open"), "{why:?}");
    let reason = &why.reasons[0];
    assert!(reason.location.file.ends_with("Spec.tla") && reason.location.line == 6, "{reason:?}");
    assert_eq!(why.nearest, None);
    let pre = r#"{"door": {"open": false, "by": "ann"}, "steps": 5}"#;
    let why = refused(judge(&spec, &window("Open", pre, pre)));
    assert_eq!(why.reasons[0].location.text, "steps < 5");
    assert!(why.reasons[0].operands.contains(&("steps".to_string(), "5".to_string())), "{why:?}");
}

#[test]
fn the_nearest_successor_differs_where_it_differs() {
    let spec = open(DOOR, BEHAVIOUR);
    let post = r#"{"door": {"open": false, "by": "bob"}, "steps": 3}"#;
    let why = refused(judge(&spec, &window("Shut", ANN, post)));
    let [difference] = why.nearest.as_deref().unwrap() else { panic!("{why:?}") };
    assert_eq!(
        (&*difference.path, &*difference.specification, &*difference.observed),
        ("door.by", "\"ann\"", "\"bob\"")
    );
    assert_eq!(why.others, Vec::<String>::new());
}

#[test]
fn the_other_actions_that_allow_the_step_are_named() {
    let spec = open(DOOR, BEHAVIOUR);
    let post = r#"{"door": {"open": false, "by": "ann"}, "steps": 4}"#;
    let why = refused(judge(&spec, &window("Shut", ANN, post)));
    assert_eq!(why.others, ["Slam"]);
    assert_eq!(why.nearest.unwrap()[0].path, "steps");
    let brief = opened(DOOR, BEHAVIOUR, |b| b.brief());
    let why = refused(judge(&brief, &window("Shut", ANN, post)));
    assert!(!why.reasons.is_empty() && why.nearest.is_none() && why.others.is_empty());
}

#[test]
fn a_refusal_for_every_parameter_shows_the_bindings() {
    let spec = open(DOOR, BEHAVIOUR);
    let (pre, post) =
        (r#"{"door": {"open": false, "by": "x"}, "steps": 0}"#, r#"{"door": {"open": true, "by": "eve"}, "steps": 1}"#);
    let why = refused(judge(&spec, &window("Open", pre, post)));
    let bound: Vec<&(String, String)> = why.reasons.iter().flat_map(|r| &r.bindings).collect();
    assert!(bound.iter().any(|(_, value)| value == "\"ann\"") && bound.iter().any(|(_, v)| v == "\"bob\""), "{why:?}");
}

#[test]
fn unobserved_variables_do_not_keep_a_refusal_from_being_explained() {
    let spec = open(DOOR, BEHAVIOUR);
    let why = refused(judge(&spec, &window("Shut", r#"{"steps": 2}"#, r#"{"steps": 3}"#)));
    assert_eq!(why.reasons[0].location.text, "door.open");
}

#[test]
fn a_successor_that_cannot_be_evaluated_makes_the_window_an_error_as_in_tlc() {
    let body = r#"
EXTENDS Naturals, Sequences
VARIABLES x, q
Init == x = 0 /\ q = <<>>
Take == x' = x + 1 /\ q' = Tail(q)
Any == x' \in Nat /\ UNCHANGED q
Next == Take \/ Any
"#;
    let empty = |x: i32| format!(r#"{{"x": {x}, "q": []}}"#);
    for spec in [open(body, BEHAVIOUR), opened(body, BEHAVIOUR, |b| b.brief())] {
        assert_eq!(judge(&spec, &window("Take", &empty(0), &empty(9))).outcome.word(), "error");
        // A set that cannot be listed can still be asked.
        assert_eq!(judge(&spec, &window("Any", &empty(0), &empty(9))).outcome.word(), "conforms");
        assert_eq!(judge(&spec, &window("Any", &empty(0), &empty(-9))).outcome.word(), "refused");
    }
}
