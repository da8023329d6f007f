//! Windows written as TLA+: what is written means what was bound.

use std::fs;

use primed::{Allowed, Bound, Evaluator, Folders, Names, Permissions, Spec};

const SPEC: &str = r#"---- MODULE Bind ----
EXTENDS Integers, Sequences, TLC
CONSTANTS Node, Nil
VARIABLES x, log
Init == x = 0 /\ log = <<>>
Put(n, v) == /\ x < v
             /\ log' = Append(log, n)
             /\ x' = v
Clear == log' = <<>> /\ x' = 0
Guarded == x' = x + 1 /\ UNCHANGED log
Next == \/ \E n \in Node : \E v \in 1..3 : Put(n, v)
        \/ Clear
        \/ /\ x > 1
           /\ \/ Guarded
              \/ Clear
====
"#;

fn spec() -> (tempfile::TempDir, Spec) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Bind.tla");
    fs::write(&path, SPEC).unwrap();
    fs::write(folder.path().join("Bind.cfg"), "INIT Init\nNEXT Next\nCONSTANTS Node = {a, b}\nNil = Nil\n").unwrap();
    let spec = Spec::open(&path).unwrap();
    (folder, spec)
}

fn bind(window: &str, names: &mut Names) -> Bound {
    spec().1.bind(window, names).unwrap()
}

#[test]
fn the_text_of_a_value_is_that_value() {
    let window = r##"{"action": "Clear", "post": {}, "pre": {"x": -2147483648, "log": [{"a": 1, "b": true},
        {"END": 1, "a b": "x\"\\y"}, {"#map": [[1, {"#set": [3, 2]}], [5, []]]}, {"#map": []}, -7]}}"##;
    let bound = bind(window, &mut Names::default());
    let text = |name: &str| bound.before.iter().find(|(n, _)| n == name).unwrap().1.clone();
    assert_eq!(text("x"), "(-2147483647 - 1)");
    let modules = ["Integers".to_owned(), "TLC".to_owned()];
    let folders = Folders(Vec::new());
    let mut evaluator = Evaluator::new(&modules, &[], &folders, Permissions::default()).unwrap();
    let printed = evaluator.print(&text("log")).unwrap_or_else(|e| panic!("{e:?}: {}", text("log")));
    assert!(printed.starts_with("<<[a |-> 1, b |-> TRUE], ("), "{printed}");
    assert!(printed.ends_with("(1 :> {2, 3} @@ 5 :> <<>>), <<>>, -7>>"), "{printed}");
    assert!(printed.contains(r#""END" :> 1"#) && printed.contains(r#""x\"\\y""#), "{printed}");
}

#[test]
fn model_values_are_constants_and_strange_texts_stay_apart() {
    let mut names = Names::default();
    let window =
        r#"{"action": "Clear", "pre": {"x": 0, "log": ["a", "Nil", "é", "<U+00E9>", "é"]}, "post": {"log": ["b"]}}"#;
    let bound = bind(window, &mut names);
    let log = &bound.before.iter().find(|(n, _)| n == "log").unwrap().1;
    assert_eq!(log, r#"<<model1_, model2_, "<U+00E9>", "<U+00E9>_", "<U+00E9>">>"#);
    let constants: Vec<(&str, &str)> = names.constants().iter().map(|(c, m)| (c.as_str(), m.as_str())).collect();
    assert_eq!(constants, [("model1_", "a"), ("model2_", "Nil"), ("model3_", "b")]);
}

#[test]
fn the_formula_has_the_ranges_and_what_parameters_are_fixed_to() {
    let flat = |bound: &Bound| bound.formula.split_whitespace().collect::<Vec<_>>().join(" ");
    let window = |more: &str| format!(r#"{{"action": "Put", "pre": {{"x": 0, "log": []}}, "post": {{}}{more}}}"#);
    let free = bind(&window(""), &mut Names::default());
    assert_eq!(flat(&free), r"(\E n \in ( Node ) : (\E v \in ( 1..3 ) : (( Put(n, v) ))))");
    let fixed = bind(&window(r#", "actor": "b", "input": {"v": 2}"#), &mut Names::default());
    let n = r"\E n \in {given_ \in {model1_} : given_ \in ( Node )}";
    let v = r"\E v \in {given_ \in {2} : given_ \in ( 1..3 )}";
    assert_eq!(flat(&fixed), format!("({n} : ({v} : (( Put(n, v) ))))"));
    // What stands beside an action belongs to it.
    let beside = bind(r#"{"action": "Guarded", "pre": {"x": 0, "log": []}, "post": {}}"#, &mut Names::default());
    let text = flat(&beside);
    assert!(text.contains("x > 1") && text.contains("/\\") && text.contains("Guarded"), "{text}");
}

#[test]
fn what_is_not_observed_is_named_with_what_allows_it() {
    let bound = bind(r#"{"action": "Clear", "pre": {"x": 0}, "post": {"x": 0}}"#, &mut Names::default());
    assert_eq!(bound.missing, ["log"]);
    assert_eq!(bound.allowed, Some(Allowed::Initial("Init".into())));
    assert!(spec().1.bind(r#"{"action": "Nothing", "pre": {}, "post": {}}"#, &mut Names::default()).is_err());
}
