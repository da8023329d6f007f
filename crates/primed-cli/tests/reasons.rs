//! Why a step is refused or an invariant violated: the values of names that a condition binds, what was not observed, who else
//! would take the step.

mod common;

use common::{Ran, file, primed, primed_with};
use serde_json::{Value, json};

const SPEC: &str = r#"---- MODULE NAME ----
EXTENDS Naturals, Sequences
CONSTANT T
VARIABLES pc, lock, log
vars == <<pc, lock, log>>
Mutex == \A a, b \in T : a # b => ~(pc[a] = "cs" /\ pc[b] = "cs")
Known == \A a \in T : IF a = 2 THEN \E n \in 1..3, m \in {7} : n + m = a /\ lock # "x" ELSE lock # "x"
NoTwo == ~\E s \in T : LET next == s + 1 IN next \in DOMAIN pc /\ pc[next] = "cs"
Init == pc = [t \in T |-> "idle"] /\ lock = "free" /\ log = <<>>
Enter(t) == /\ lock = "free" /\ \A u \in T : pc[u] = "idle"
            /\ pc' = [pc EXCEPT ![t] = "cs"] /\ lock' = "held" /\ log' = Append(log, t)
Leave(t) == pc[t] = "cs" /\ pc' = [pc EXCEPT ![t] = "idle"] /\ lock' = "free" /\ UNCHANGED log
Pop(t) == Len(log) > 0 /\ log' = Tail(log) /\ UNCHANGED <<pc, lock>>
Ask == \E x \in {} : log' = x /\ UNCHANGED <<pc, lock>>
Odd == (\A u \in T : \E m, n \in 1..3 : m > 9 * n /\ pc[u] = "cs") /\ UNCHANGED vars
Late == log' = Append(log, 1) /\ pc' = [t \in T |-> "idle"] /\ Len(log') > 4 /\ lock' = lock
Each == (\A u \in T : pc'[u] = "idle") /\ pc' = pc /\ UNCHANGED <<lock, log>>
Free == lock = "held"
Impossible == lock = "held" /\ lock = "free" /\ log = <<>>
Wild(t) == pc' = [pc EXCEPT ![t] = "cs"] /\ lock' = "held" /\ UNCHANGED log
Next == Ask \/ Odd \/ Late \/ Each \/ \E t \in T : Enter(t) \/ Leave(t) \/ Pop(t)
NextWild == \E t \in T : Wild(t)
====
"#;

const CONFIG: &str = "CONSTANT T = {1, 2, 3}\nINIT Init\nNEXT Next\n";
const IDLE: &str = r#"{"1":"idle","2":"idle","3":"idle"}"#;
const TWO: &str = r#"{"1":"idle","2":"cs","3":"idle"}"#;

/// A specification of its own for a test.
fn spec(name: &str, config: &str) -> String {
    file(&format!("reasons/{name}.cfg"), config);
    file(&format!("reasons/{name}.tla"), &SPEC.replace("NAME", name))
}

fn windows(name: &str, lines: &[String], more: &[&str]) -> Ran {
    let spec = spec(name, CONFIG);
    primed_with(&[&["windows", &spec, "--windows", "-"], more].concat(), &lines.join("\n"))
}

/// The object of one refused window.
fn refused(name: &str, line: String, more: &[&str]) -> Value {
    let found = windows(name, &[line], &[more, &["--json", "-"]].concat()).code_is(12).json().remove(0);
    assert_eq!(found["verdict"], "refused", "{found}");
    found
}

fn window(action: &str, actor: &str, pre: &str, post: &str) -> String {
    format!(r#"{{"action":"{action}"{actor},"pre_state":{{{pre}}},"post_state":{{{post}}}}}"#)
}

#[test]
fn a_value_that_was_assumed_is_not_shown_as_observed() {
    let (pre, post) = (format!(r#""pc":{IDLE},"lock":"free""#), format!(r#""pc":{IDLE},"lock":"free","log":[]"#));
    let line = || window("Pop", r#","actor":1"#, &pre, &post);
    let found = refused("Assumed", line(), &[]);
    assert_eq!(found["reasons"][0]["unobserved"], json!({"log": "<<>>"}), "{found}");
    assert_eq!(found["assumed"], json!({"variables": ["log"], "from": "Init", "tried": 1}));
    let ran = windows("AssumedText", &[line()], &[]).says("Len(log) is 0");
    let ran = ran.says("log      is <<>>  (not observed: Init allows it)");
    ran.says("not observed before the step: log; the one value that Init allows was assumed");
    // What was observed is not marked, and windows of both kinds are not counted together.
    let observed = window("Pop", r#","actor":1"#, &post, &post);
    let found = refused("Observed", observed.clone(), &[]);
    assert!(found["reasons"][0].get("unobserved").is_none() && found.get("assumed").is_none(), "{found}");
    windows("Both", &[line(), observed], &[]).says(" 2. Pop  line 2");
}

#[test]
fn a_condition_that_does_not_read_it_does_not_rest_on_it() {
    let line = window("Leave", r#","actor":1"#, &format!(r#""pc":{IDLE}"#), &format!(r#""pc":{IDLE}"#));
    let found = refused("Unread", line, &[]);
    assert!(found["reasons"][0].get("unobserved").is_none(), "{found}");
    assert_eq!(found["assumed"]["variables"], json!(["lock", "log"]), "{found}");
}

#[test]
fn the_predicate_that_allows_a_value_is_named() {
    let line = window("Enter", r#","actor":1"#, &format!(r#""pc":{IDLE},"log":[]"#), &format!(r#""pc":{IDLE}"#));
    let text = window("Enter", r#","actor":1"#, &format!(r#""pc":{IDLE},"log":[]"#), r#""lock":"held""#);
    let predicate = ["--unobserved", "Impossible"];
    let found = refused("Nothing", line, &predicate);
    let why = "`Impossible` allows no value of `lock` beside what is observed before the step";
    assert_eq!((&found["why"], found.get("reasons")), (&json!(why), None), "{found}");
    windows("NothingText", &[text], &predicate).code_is(12).says(why);
}

#[test]
fn what_the_action_gives_is_not_shown_as_observed() {
    let line = window("Late", "", &format!(r#""pc":{IDLE},"lock":"free","log":[]"#), &format!(r#""pc":{IDLE}"#));
    let found = refused("After", line.clone(), &[]);
    assert_eq!(found["reasons"][0]["unobserved"], json!({"log'": "<<1>>"}), "{found}");
    windows("AfterText", &[line], &[]).says("(not observed: the action gives it this value)");
}

#[test]
fn a_quantifier_tells_for_which_values_it_is_false() {
    let two = format!(r#""pc":{TWO},"lock":"free","log":[]"#);
    let found = refused("All", window("Enter", r#","actor":1"#, &two, &two), &[]);
    assert_eq!(found["reasons"][0]["false_for"], json!({"u": "2"}), "{found}");
    assert_eq!(found["reasons"][0]["operands"], json!([{"text": "pc[u]", "value": "\"cs\""}]));
    // TLC walks an `\E` of an action, and every value has a reason of its own.
    let found = refused("None", window("Odd", "", &two, &two), &[]);
    assert_eq!(found["reasons"][0]["bindings"], json!({"u": "1", "m": "1", "n": "1"}), "{found}");
    windows("NoneText", &[window("Odd", "", &two, &two)], &[]).says("or in more ways");
    let found = refused("Empty", window("Ask", "", &two, &two), &[]);
    assert_eq!(found["reasons"][0]["none_of"], json!([{"names": ["x"], "count": 0}]), "{found}");
    // Where the quantifier is about the next state, its names are bound around the condition.
    let found = refused("Next", window("Each", "", &two, &two), &[]);
    assert_eq!(found["reasons"][0]["bindings"], json!({"u": "2"}), "{found}");
}

#[test]
fn so_does_a_violated_invariant() {
    for (name, invariant, said) in [
        ("Two", "Mutex", &["false for a = 2, b = 1", "pc[a] is \"cs\""][..]),
        ("Deep", "Known", &["false for a = 2", "none of the 3 combinations of n, m satisfies it"]),
        ("Not", "NoTwo", &["false for s = 1", "pc[next] is \"cs\""]),
    ] {
        let config = CONFIG.replace("NEXT Next", "NEXT NextWild");
        let spec = spec(&format!("Violated{name}"), &format!("{config}INVARIANT {invariant}\n"));
        let ran = primed(&["check", &spec]).code_is(12);
        said.iter().fold(ran, |ran, text| ran.says(text));
    }
    let spec = spec("Finding", CONFIG);
    let two = r#""pc":{"1":"cs","2":"idle","3":"cs"},"lock":"free","log":[]"#;
    let line = window("Leave", "", two, two);
    primed_with(&["windows", &spec, "--windows", "-", "--invariant", "Mutex"], &line)
        .says("      a     is 3\n      b     is 1");
}

#[test]
fn another_actor_and_another_action_are_named() {
    let (idle, two) =
        (format!(r#""pc":{IDLE},"lock":"free","log":[]"#), format!(r#""pc":{TWO},"lock":"held","log":[2]"#));
    let line = || window("Enter", r#","actor":1"#, &idle, &two);
    let found = refused("Actor", line(), &[]);
    assert_eq!(found["elsewhere"], json!([{"action": "Enter", "parameter": "t", "values": ["2"]}]), "{found}");
    windows("ActorText", &[line()], &[]).says("would conform as: Enter with t = 2");
    let found = refused("ActorBrief", line(), &["--brief"]);
    assert!(found.get("elsewhere").is_none(), "{found}");
    let post = format!(r#""pc":{IDLE},"lock":"free","log":[2]"#);
    let found = refused("Action", window("Pop", r#","actor":1"#, &two, &post), &[]);
    assert_eq!(found["others"], json!(["Leave"]), "{found}");
    assert_eq!(found["elsewhere"], json!([{"action": "Leave", "parameter": "t", "values": ["2"]}]), "{found}");
}

#[test]
fn a_property_that_cannot_be_evaluated_of_the_initial_state_is_an_evaluation_error() {
    let module = |name: &str| {
        format!(
            "---- MODULE {name} ----\nEXTENDS Naturals, Sequences\nVARIABLE x\nInit == x = 0\nNext == x' = (x + 1) % 3\n\
             Spec == Init /\\ [][Next]_x /\\ WF_x(Next)\nState == Head(x) = 1\nTemporal == <>(Head(x) = 1)\n====\n"
        )
    };
    for property in ["State", "Temporal"] {
        let name = format!("FailsAtFirst{property}");
        let spec = file(&format!("reasons/{name}.tla"), &module(&name));
        file(&format!("reasons/{name}.cfg"), &format!("SPECIFICATION Spec\nPROPERTY {property}\n"));
        primed(&["check", &spec]).code_is(75);
    }
}
