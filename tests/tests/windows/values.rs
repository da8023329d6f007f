//! JSON values as the values of a specification: by the shape of its variables, and by the tags of the Informal Trace Format.

use crate::{BEHAVIOUR, error, judge, open, window, word};

const KINDS: &str = r#"
EXTENDS Integers, Sequences
VARIABLES crowd, pair, table, big, record, list
vars == <<crowd, pair, table, big, record, list>>
Init == /\ crowd = {1, 2} /\ pair = <<1, "a">> /\ table = [k \in {TRUE, FALSE} |-> 0]
        /\ big = 0 /\ record = [name |-> "a", tags |-> {"x"}] /\ list = <<>>
Check == /\ crowd = {3, 4} /\ pair = <<2, "b">> /\ table[TRUE] = 5 /\ big = 7 /\ record.tags = {"y", "z"}
         /\ list = <<{1}, {}>> /\ UNCHANGED vars
Next == Check
"#;

fn same(state: &str) -> String {
    window("Check", state, state)
}

#[test]
fn plain_json_is_read_by_the_shapes_of_the_initial_states() {
    let state = r##"{"crowd": [4, 3, 3], "pair": [2, "b"], "table": {"TRUE": 5, "FALSE": 0}, "big": 7,
        "record": {"tags": ["z", "y"], "name": "n"}, "list": [{"#set": [1]}, {"#set": []}]}"##;
    assert_eq!(word(&open(KINDS, BEHAVIOUR), &same(state)), "conforms");
}

#[test]
fn tagged_values_say_what_they_are() {
    let state = r##"{"crowd": {"#set": [4, 3]}, "pair": {"#tup": [2, "b"]}, "table": {"#map": [[true, 5], [false, 1]]},
        "big": {"#bigint": "7"}, "record": {"name": "n", "tags": {"#set": ["y", "z"]}},
        "list": {"#tup": [{"#set": [{"#bigint": "1"}]}, {"#set": []}]}}"##;
    assert_eq!(word(&open(KINDS, BEHAVIOUR), &same(state)), "conforms");
}

#[test]
fn wrong_tags_are_errors_with_their_variable() {
    let spec = open(KINDS, BEHAVIOUR);
    for (value, why) in [
        (r##"{"#bag": [1]}"##, "#bag is not known"),
        (r##"{"#set": 3}"##, "cannot be"),
        (r##"{"#set": [1], "more": 2}"##, "beside #set"),
        (r##"{"#bigint": "seven"}"##, "seven"),
        (r##"{"#map": [[1]]}"##, "pair"),
    ] {
        let message = error(judge(&spec, &window("Check", &format!(r#"{{"crowd": {value}}}"#), "{}")));
        assert!(message.contains("`crowd`") && message.contains(why), "{value}: {message}");
    }
}

const QUEUE: &str = r#"
EXTENDS Naturals, Sequences
CONSTANTS None, Procs
VARIABLES holder, waiting, seen
Init == holder = None /\ waiting = <<>> /\ seen = [p \in Procs |-> None]
Grant == /\ holder = None /\ waiting # <<>>
         /\ holder' = Head(waiting) /\ waiting' = Tail(waiting)
         /\ seen' = [seen EXCEPT ![Head(waiting)] = Head(waiting)]
Next == Grant
"#;
const PROCS: &str = "INIT Init\nNEXT Next\nCONSTANTS\n None = None\n Procs = {p1, p2}\n";

#[test]
fn strings_that_name_model_values_are_those_values() {
    let spec = open(QUEUE, PROCS);
    let pre = r#"{"holder": "None", "waiting": ["p2", "p1"], "seen": {"p1": "None", "p2": "None"}}"#;
    let post =
        |seen: &str| format!(r#"{{"holder": "p2", "waiting": ["p1"], "seen": {{"p1": "None", "p2": "{seen}"}}}}"#);
    assert_eq!(word(&spec, &window("Grant", pre, &post("p2"))), "conforms");
    assert_eq!(word(&spec, &window("Grant", pre, &post("p1"))), "refused");
    // A string that is no model value is never equal to one.
    assert_eq!(word(&spec, &window("Grant", pre, &post("p3"))), "refused");
}

#[test]
fn a_function_over_one_to_n_is_read_from_an_array_and_from_an_object() {
    let body = r#"
EXTENDS Naturals
VARIABLE f
Init == f = [i \in 1..3 |-> 0]
Step == f' = [f EXCEPT ![2] = @ + 1]
Next == Step
"#;
    let spec = open(body, BEHAVIOUR);
    for (pre, post) in [("[1, 2, 3]", "[1, 3, 3]"), (r#"{"1": 1, "2": 2, "3": 3}"#, r#"{"3": 3, "2": 3, "1": 1}"#)] {
        let (pre, post) = (format!(r#"{{"f": {pre}}}"#), format!(r#"{{"f": {post}}}"#));
        assert_eq!(word(&spec, &window("Step", &pre, &post)), "conforms", "{pre}");
        assert_eq!(word(&spec, &window("Step", &pre, &pre)), "refused", "{pre}");
    }
}

#[test]
fn a_variable_that_starts_empty_grows_into_records_and_functions() {
    let body = r#"
EXTENDS Naturals, Sequences
VARIABLES log, msgs
Init == log = <<>> /\ msgs = {}
Send(t) == /\ log' = Append(log, [term |-> t, to |-> "b"])
           /\ msgs' = msgs \cup {[kind |-> "vote", term |-> t]}
Next == \E t \in 1..3 : Send(t)
"#;
    let spec = open(body, BEHAVIOUR);
    let (pre, post) =
        (r#"{"log": [], "msgs": []}"#, r#"{"log": [{"term": 2, "to": "b"}], "msgs": [{"kind": "vote", "term": 2}]}"#);
    assert_eq!(word(&spec, &window("Send", pre, post)), "conforms");
    assert_eq!(word(&spec, &window("Send", post, pre)), "refused");
}

#[test]
fn escapes_and_letters_of_other_alphabets_are_kept() {
    let body = "VARIABLE s\nInit == s = \"a\"\nKeep == s' = s\nNext == Keep";
    let spec = open(body, BEHAVIOUR);
    let kept = window("Keep", r#"{"s": "\u00e4\"\\\n"}"#, r#"{"s": "ä\u0022\u005c\u000a"}"#);
    assert_eq!(word(&spec, &kept), "conforms");
    assert_eq!(word(&spec, &window("Keep", r#"{"s": "ä"}"#, r#"{"s": "a"}"#)), "refused");
}
