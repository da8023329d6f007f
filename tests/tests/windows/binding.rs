//! How a window finds its action, its parameters and its variables.

use crate::{BEHAVIOUR, builder, by, error, judge, open, window, word};

const LOCKS: &str = r#"
EXTENDS Naturals, FiniteSets
CONSTANT Nodes
VARIABLES owner, count
Init == owner = "none" /\ count = [n \in Nodes |-> 0]
Take(n) == owner = "none" /\ owner' = n /\ count' = [count EXCEPT ![n] = @ + 1]
Hand(from, to) == owner = from /\ from # to /\ owner' = to /\ UNCHANGED count
Add(n, k) == count' = [count EXCEPT ![n] = @ + k] /\ UNCHANGED owner
Clear == owner' = "none" /\ UNCHANGED count
Next == \/ \E n \in Nodes : Take(n)
        \/ \E a, b \in Nodes : Hand(a, b)
        \/ \E n \in Nodes, k \in 1..3 : Add(n, k)
        \/ Clear
"#;
const NODES: &str = "INIT Init\nNEXT Next\nCONSTANT Nodes = {\"a\", \"b\", \"c\"}\n";

const FREE: &str = r#"{"owner": "none", "count": {"a": 0, "b": 0, "c": 0}}"#;

fn state(owner: &str, a: i32, b: i32) -> String {
    format!(r#"{{"owner": "{owner}", "count": {{"a": {a}, "b": {b}, "c": 0}}}}"#)
}

#[test]
fn the_actor_fixes_the_parameter() {
    let spec = open(LOCKS, NODES);
    assert_eq!(word(&spec, &by("Take", "\"a\"", FREE, &state("a", 1, 0))), "conforms");
    assert_eq!(word(&spec, &by("Take", "\"b\"", FREE, &state("a", 1, 0))), "refused");
}

#[test]
fn without_actor_every_value_is_tried() {
    let spec = open(LOCKS, NODES);
    assert_eq!(word(&spec, &window("Take", FREE, &state("a", 1, 0))), "conforms");
    assert_eq!(word(&spec, &window("Take", FREE, &state("b", 0, 1))), "conforms");
    assert_eq!(word(&spec, &window("Take", FREE, &state("b", 1, 0))), "refused");
}

#[test]
fn an_actor_out_of_range_is_an_error_that_shows_the_range() {
    let message = error(judge(&open(LOCKS, NODES), &by("Take", "\"z\"", FREE, &state("a", 1, 0))));
    assert!(message.contains("the actor is z") && message.contains("`n`") && message.contains("a, b, c"), "{message}");
}

#[test]
fn an_action_without_parameters_takes_no_notice_of_the_actor() {
    let spec = open(LOCKS, NODES);
    assert_eq!(word(&spec, &window("Clear", &state("a", 1, 0), &state("none", 1, 0))), "conforms");
    assert_eq!(word(&spec, &by("Clear", "\"a\"", &state("a", 1, 0), &state("none", 1, 0))), "conforms");
    assert_eq!(word(&spec, &by("Clear", "\"z\"", &state("a", 1, 0), &state("a", 1, 0))), "refused");
}

#[test]
fn of_two_parameters_the_actor_fixes_the_first() {
    let spec = open(LOCKS, NODES);
    assert_eq!(word(&spec, &by("Hand", "\"a\"", &state("a", 1, 0), &state("b", 1, 0))), "conforms");
    assert_eq!(word(&spec, &by("Hand", "\"b\"", &state("a", 1, 0), &state("b", 1, 0))), "refused");
    assert_eq!(word(&spec, &window("Hand", &state("a", 1, 0), &state("b", 1, 0))), "conforms");
    assert_eq!(word(&spec, &window("Hand", &state("a", 1, 0), &state("a", 1, 0))), "refused");
}

#[test]
fn input_fixes_parameters_by_name() {
    let spec = open(LOCKS, NODES);
    let add = |actor: &str, input: &str| {
        let (pre, post) = (state("none", 0, 0), state("none", 2, 0));
        format!(r#"{{"action": "Add", {actor}"input": {input}, "pre": {pre}, "post": {post}}}"#)
    };
    assert_eq!(word(&spec, &add("", r#"{"k": 2}"#)), "conforms");
    assert_eq!(word(&spec, &add("", r#"{"k": 1}"#)), "refused");
    assert_eq!(word(&spec, &add("", r#"{"n": "a", "k": 2}"#)), "conforms");
    assert_eq!(word(&spec, &add("", r#"{"n": "b", "k": 2}"#)), "refused");
    assert_eq!(word(&spec, &add(r#""actor": "a", "#, r#"{"k": 2, "more": [1]}"#)), "conforms");
    let both = error(judge(&spec, &add(r#""actor": "a", "#, r#"{"n": "b", "k": 2}"#)));
    assert!(both.contains("the actor is a and `input` has b"), "{both}");
}

#[test]
fn an_input_outside_the_range_is_a_step_that_the_specification_does_not_have() {
    let spec = open(LOCKS, NODES);
    let (pre, post) = (state("none", 0, 0), state("none", 9, 0));
    let line = format!(r#"{{"action": "Add", "input": {{"k": 9}}, "pre": {pre}, "post": {post}}}"#);
    assert_ne!(word(&spec, &line), "conforms");
}

const SERVERS: &str = r#"
EXTENDS Naturals
CONSTANT Servers
VARIABLES term, role
Init == term = [s \in Servers |-> 0] /\ role = [s \in Servers |-> "follower"]
Stand(s) == /\ role[s] = "follower"
            /\ term' = [term EXCEPT ![s] = @ + 1]
            /\ role' = [role EXCEPT ![s] = "candidate"]
Next == \E s \in Servers : Stand(s)
"#;

#[test]
fn states_are_read_variable_first_and_node_first() {
    let numbered = open(SERVERS, "INIT Init\nNEXT Next\nCONSTANT Servers = {1, 2}\n");
    let named = open(SERVERS, "INIT Init\nNEXT Next\nCONSTANT Servers = {\"1\", \"2\"}\n");
    let model = open(SERVERS, "INIT Init\nNEXT Next\nCONSTANT Servers = {n1, n2}\n");
    let variable_first = (
        r#"{"term": {"1": 3, "2": 4}, "role": {"1": "follower", "2": "leader"}}"#,
        r#"{"term": {"1": 4, "2": 4}, "role": {"1": "candidate", "2": "leader"}}"#,
    );
    let node_first = (
        r#"{"1": {"term": 3, "role": "follower"}, "2": {"term": 4, "role": "leader"}}"#,
        r#"{"1": {"term": 4, "role": "candidate"}, "2": {"term": 4, "role": "leader"}}"#,
    );
    for (pre, post) in [variable_first, node_first] {
        for spec in [&numbered, &named] {
            assert_eq!(word(spec, &by("Stand", "\"1\"", pre, post)), "conforms", "{pre}");
            assert_eq!(word(spec, &by("Stand", "\"2\"", pre, post)), "refused", "{pre}");
            assert_eq!(word(spec, &window("Stand", pre, post)), "conforms", "{pre}");
        }
        let (pre, post) = (pre.replace("\"1\"", "\"n1\""), post.replace("\"1\"", "\"n1\""));
        let (pre, post) = (pre.replace("\"2\"", "\"n2\""), post.replace("\"2\"", "\"n2\""));
        assert_eq!(word(&model, &by("Stand", "\"n1\"", &pre, &post)), "conforms", "{pre}");
        assert_eq!(word(&model, &by("Stand", "\"n2\"", &pre, &post)), "refused", "{pre}");
    }
    assert_eq!(word(&numbered, &by("Stand", "1", variable_first.0, variable_first.1)), "conforms");
    assert_eq!(word(&numbered, &by("Stand", "2", variable_first.0, variable_first.1)), "refused");
}

#[test]
fn a_node_first_state_may_leave_variables_out() {
    let spec = open(SERVERS, "INIT Init\nNEXT Next\nCONSTANT Servers = {1, 2}\n");
    let (pre, post) = (
        r#"{"1": {"role": "follower"}, "2": {"role": "leader"}}"#,
        r#"{"1": {"role": "candidate"}, "2": {"role": "leader"}}"#,
    );
    let verdict = judge(&spec, &by("Stand", "1", pre, post));
    assert_eq!((verdict.outcome.word(), verdict.unobserved), ("conforms", vec!["term".to_string()]));
    let stray = r#"{"1": {"role": "follower", "mood": 1}, "2": {"role": "leader"}}"#;
    assert!(error(judge(&spec, &by("Stand", "1", stray, post))).contains("`mood`"));
}

#[test]
fn actions_of_instances_go_by_their_qualified_names() {
    let folder = tempfile::tempdir().unwrap();
    let inner = r#"---- MODULE Inner ----
EXTENDS Naturals
CONSTANT Step
VARIABLE n
Act == n' = n + Step
By(k) == n' = n + k
====
"#;
    std::fs::write(folder.path().join("Inner.tla"), inner).unwrap();
    let outer = r#"
EXTENDS Naturals
VARIABLES x, y
S == INSTANCE Inner WITH n <- x, Step <- 3
Init == x = 0 /\ y = 0
Both == S!Act /\ UNCHANGED y
Next == \/ S!Act /\ UNCHANGED y
        \/ \E j \in 1..2 : S!By(j) /\ UNCHANGED y
"#;
    let spec = builder(&folder, outer, BEHAVIOUR).open().unwrap();
    let step = |action: &str, to: i32| window(action, r#"{"x": 1, "y": 0}"#, &format!(r#"{{"x": {to}, "y": 0}}"#));
    assert_eq!(word(&spec, &step("S!Act", 4)), "conforms");
    assert_eq!(word(&spec, &step("S!Act", 5)), "refused");
    assert_eq!(word(&spec, &step("S!By", 3)), "conforms");
    assert_eq!(word(&spec, &step("S!By", 4)), "refused");
    assert_eq!(word(&spec, &step("Both", 4)), "conforms");
}

#[test]
fn parameters_whose_range_is_made_in_next_are_tried_there() {
    let body = r#"
EXTENDS Naturals
VARIABLES x, last
Init == x = 0 /\ last = 0
Set(v) == x' = v /\ last' = x
Next == LET near == {x + 1, x + 2}
            double(z) == 2 * z
        IN  \/ \E v \in near : Set(v)
            \/ /\ x > 10
               /\ Set(double(x))
"#;
    let spec = open(body, BEHAVIOUR);
    let set = |from: i32, to: i32| {
        window("Set", &format!(r#"{{"x": {from}, "last": 0}}"#), &format!(r#"{{"x": {to}, "last": {from}}}"#))
    };
    assert_eq!(word(&spec, &set(1, 3)), "conforms");
    assert_eq!(word(&spec, &set(1, 4)), "refused");
    assert_eq!(word(&spec, &set(11, 22)), "conforms");
    assert_eq!(word(&spec, &set(11, 23)), "refused");
}

#[test]
fn each_way_through_an_action_is_tried() {
    let body = r#"
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Toggle == \/ x = 0 /\ x' = 1 /\ y' = y
          \/ x = 1 /\ x' = 0 /\ y' \in {y + 1, y + 2}
          \/ IF x > 5 THEN x' = 5 /\ UNCHANGED y ELSE x' = x /\ y' = 9
Next == Toggle
"#;
    let spec = open(body, BEHAVIOUR);
    let step = |x: i32, to: i32, y: i32| {
        window("Toggle", &format!(r#"{{"x": {x}, "y": 0}}"#), &format!(r#"{{"x": {to}, "y": {y}}}"#))
    };
    for (from, to, y) in [(0, 1, 0), (1, 0, 1), (1, 0, 2), (0, 0, 9), (7, 5, 0)] {
        assert_eq!(word(&spec, &step(from, to, y)), "conforms", "{from} {to} {y}");
    }
    for (from, to, y) in [(0, 1, 1), (1, 0, 3), (7, 7, 9), (1, 1, 0)] {
        assert_eq!(word(&spec, &step(from, to, y)), "refused", "{from} {to} {y}");
    }
}

#[test]
fn an_action_outside_next_can_be_named_if_it_takes_no_parameters() {
    let body = r#"
EXTENDS Naturals
VARIABLE x
Init == x = 0
Jump == x' = x + 10
To(v) == x' = v
Step == x' = x + 1
Next == Step
"#;
    let spec = open(body, BEHAVIOUR);
    assert_eq!(spec.actions(), ["Step"]);
    assert_eq!(word(&spec, &window("Jump", r#"{"x": 1}"#, r#"{"x": 11}"#)), "conforms");
    let message = error(judge(&spec, &window("To", r#"{"x": 1}"#, r#"{"x": 2}"#)));
    assert!(message.contains("`v`") && message.contains("ranges are not known"), "{message}");
    let given = r#"{"action": "To", "input": {"v": 2}, "pre": {"x": 1}, "post": {"x": 2}}"#;
    let _ = word(&spec, given);
}
