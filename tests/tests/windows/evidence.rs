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

const WAYS: &str = r#"
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Some == /\ \E i \in 1..3 : i > 1 /\ i < 3
        /\ x' = 1
        /\ y' = y
Or == /\ \/ x = 0 /\ x < 5 /\ x < 6 /\ x > 7
         \/ x < 2
      /\ x' = 1
      /\ y' = y
Branch == /\ IF x = 0 THEN x' = 1 ELSE x' = 2
          /\ CASE x = 5 -> y' = 5 [] x = 0 -> y' = 0 [] OTHER -> y' = 7
          /\ x = 0 => y' = 0
Other == x' = 1 /\ CASE x = 5 -> y' = 5 [] OTHER -> y' = 7
Chosen == (CHOOSE i \in 1..3 : i > 1) = 2 /\ x' = 1 /\ y' = y
Opposite == x' = 1 /\ y' = y /\ ((\E i \in 1..3 : i = 2) /\ (x = 9 \/ x = 8 \/ x = 0)) /\ x = 3
Next == Some \/ Or \/ Branch \/ Other \/ Chosen \/ Opposite
"#;

#[test]
fn what_holds_is_never_a_reason() {
    let spec = open(WAYS, BEHAVIOUR);
    let texts = |action: &str, post: &str| -> Vec<String> {
        let why = refused(judge(&spec, &window(action, r#"{"x": 0, "y": 0}"#, post)));
        why.reasons.iter().map(|r| r.location.text.clone()).collect()
    };
    for action in ["Some", "Or", "Chosen"] {
        assert_eq!(texts(action, r#"{"x": 2, "y": 0}"#), ["x' = 1"], "{action}");
        // The same where the variable is known from the action only.
        assert_eq!(texts(action, r#"{"y": 3}"#), ["y' = y"], "{action}");
    }
    assert_eq!(texts("Opposite", r#"{"x": 1, "y": 0}"#), ["x = 3"]);
    assert_eq!(texts("Opposite", r#"{"y": 0}"#), ["x = 3"]);
}

#[test]
fn a_condition_in_a_branch_says_why_it_is_asked() {
    let spec = open(WAYS, BEHAVIOUR);
    let reason = |action: &str, pre: &str, post: &str| {
        let why = refused(judge(&spec, &window(action, pre, post)));
        let [reason] = &*why.reasons else { panic!("{why:?}") };
        let because = reason.because.iter().map(|(at, holds)| (at.text.clone(), *holds)).collect::<Vec<_>>();
        (reason.location.text.clone(), because)
    };
    let zero = r#"{"x": 0, "y": 0}"#;
    let told = |text: &str, because: &[(&str, bool)]| {
        (text.to_owned(), because.iter().map(|(text, holds)| ((*text).to_owned(), *holds)).collect::<Vec<_>>())
    };
    assert_eq!(reason("Branch", zero, r#"{"x": 2, "y": 0}"#), told("x' = 1", &[("x = 0", true)]));
    assert_eq!(reason("Branch", r#"{"x": 3, "y": 0}"#, zero), told("x' = 2", &[("x = 0", false)]));
    assert_eq!(reason("Branch", zero, r#"{"x": 1, "y": 1}"#), told("y' = 0", &[("x = 0", true)]));
    assert_eq!(reason("Other", zero, r#"{"x": 1, "y": 1}"#), told("y' = 7", &[("x = 5", false)]));
    // What was passed is behind.
    assert_eq!(reason("Some", zero, r#"{"x": 2, "y": 0}"#), told("x' = 1", &[]));
}

const WIDE: &str = r#"
EXTENDS Naturals
VARIABLES a, b, c
Init == a = 0 /\ b = 0 /\ c = 0
Pick(n) == a' \in 0..n /\ b' = a' /\ c' = IF a' = n THEN 1 ELSE 0
Far == Pick(15000)
Endless == Pick(30000)
Next == Far \/ Endless
"#;

#[test]
fn the_nearest_successor_is_looked_for_among_many() {
    let spec = open(WIDE, BEHAVIOUR);
    let why = |action: &str, post: &str| refused(judge(&spec, &window(action, r#"{"a": 0, "b": 0, "c": 0}"#, post)));
    let far = why("Far", r#"{"a": 15000, "b": 15001, "c": 1}"#);
    let paths: Vec<&str> = far.nearest.as_ref().unwrap().iter().map(|d| &*d.path).collect();
    assert_eq!((paths, far.among), (vec!["b"], None));
    let endless = why("Endless", r#"{"a": 30000, "b": 30001, "c": 1}"#);
    assert_eq!(endless.among, Some(20_000));
}
