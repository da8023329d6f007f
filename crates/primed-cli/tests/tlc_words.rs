//! Words of `primed tlc` about evaluation errors. All were printed by TLC (commit cc6b616) for the same modules.

mod common;

use common::{Ran, file, primed};

/// Runs a module whose invariant is this in its second state.
fn invariant(name: &str, formula: &str, arguments: &[&str]) -> Ran {
    let text = format!(
        "---- MODULE {name} ----\nEXTENDS Naturals, Sequences, TLC\nVARIABLE x\nf == [i \\in 1..3 |-> x]\n\
         g == [i \\in 1..3 |-> 7]\nh[i \\in 1..3] == i\nS == {{s \\in SUBSET (1..3) : IF s = {{2}} THEN 2 ELSE TRUE}}\n\
         Init == x = 0\nNext == x' = 1 - x\nInv == x = 0 \\/ {formula}\n====\n"
    );
    let module = file(&format!("{name}/{name}.tla"), &text);
    file(&format!("{name}/{name}.cfg"), "INIT Init\nNEXT Next\nINVARIANT Inv\n");
    primed(&[&["tlc"], arguments, &[&*module]].concat())
}

#[test]
fn functions_that_are_rules_and_functions_that_were_listed() {
    let rule = "In applying the function\n<<1, 1, 1>>,\nthe first argument is:\n5\nwhich is not in its domain.\n";
    invariant("Rule", "f[5] = 1", &[]).code_is(76).says(rule);
    let listed =
        "Attempted to apply function:\n<<7, 7, 7>>\nto argument 5, which is not in the domain of the function.\n";
    invariant("Listed", "g[5] = 1", &[]).code_is(76).says(listed);
    let named =
        "Attempted to apply function:\n<<1, 2, 3>>\nto argument 5, which is not in the domain of the function.\n";
    invariant("Named", "h[5] = 1", &[]).code_is(76).says(named);
    let tuple = "Attempted to access index 5 of tuple\n<<1, 2>>\nwhich is out of bounds.\n";
    invariant("Tuple", "<<1,2>>[5] = 1", &[]).code_is(76).says(tuple);
    let field =
        "Attempted to apply function:\n[a |-> 1]\nto argument \"b\", which is not in the domain of the function.\n";
    invariant("Field", "[i \\in {\"a\"} |-> x].b = 1", &[]).code_is(76).says(field);
}

#[test]
fn functions_whose_arguments_cannot_be_compared_are_not_combined() {
    let words = "Attempted to apply the operator overridden by the Java method\n\
                 public static tlc2.value.impl.Value tlc2.module.TLC.CombineFcn(tlc2.value.impl.Value,\
                 tlc2.value.impl.Value),\nbut it produced the following error:\n\
                 Attempted to check equality of string \"a\" with non-string:\n1\n";
    invariant("Combined", "(1:>2 @@ \"a\":>3) = 1", &[]).code_is(76).says(words);
}

#[test]
fn predicates_that_are_no_booleans_are_told_by_their_places() {
    let predicate = "predicate line 7, col 29 to line 7, col 55 of module";
    let (is, goes) =
        (format!("The evaluation of {predicate} Is yielded"), format!("Evaluating {predicate} Goes yielded"));
    invariant("Is", "{2} \\in S", &[]).code_is(76).says(&is);
    invariant("Goes", "\\E z \\in S : z = {3}", &[]).code_is(76).says(&goes);
    let listed = "when P was an integer.\nline 10, col 37 to line 10, col 37 of module Kept\n";
    invariant("Kept", "1 \\in {i \\in 1..3 : x}", &[]).code_is(76).says(listed);
    let chosen = "did not find one. line 10, col 18 to line 10, col 37 of module Chosen\n";
    invariant("Chosen", "(CHOOSE z \\in {1} : z) = 1", &[]).code_is(76).says(chosen);
}

/// Runs a module with this next-state relation and VIEW.
fn view(name: &str, next: &str, view: &str, arguments: &[&str]) -> Ran {
    let text = format!(
        "---- MODULE {name} ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = <<>>\nNext == x' = {next}\nV == {view}\n====\n"
    );
    let module = file(&format!("{name}/{name}.tla"), &text);
    file(&format!("{name}/{name}.cfg"), "INIT Init\nNEXT Next\nVIEW V\n");
    primed(&[&["tlc", "-workers", "1"], arguments, &[&*module]].concat())
}

const EMPTY: &str = "expressions at the following positions:\n    The error call stack is empty.\n";

#[test]
fn a_set_within_a_value_is_put_into_order_first() {
    let next = "[q |-> {<<1>>, {1, \"a\"}}]";
    let words = "Fingerprint Stack Trace:\n2) line 5, col 29 to line 5, col 36 of module Within\n\
                 1) line 5, col 21 to line 5, col 37 of module Within\n0) line 5, col 14 to line 5, col 38 of module Within\n\n\
                 Reason:\nAttempted to compare string \"a\" with non-string:\n1\n";
    view("Within", next, "x", &[]).code_is(75).says(words);
    // Iterative deepening does not know in which value it was.
    view("Deeper", next, "x", &["-dfid", "3"]).code_is(255).says(EMPTY);
}

#[test]
fn of_a_view_only_what_led_to_the_state_is_told() {
    let initial = "expressions at the following positions:\n0. Line 4, column 9 to line 4, column 16 in First\n";
    view("First", "<<1>>", "[v |-> x + 1]", &[]).code_is(75).says(initial);
    view("Later", "<<1>>", "IF x = <<1>> THEN 1 + \"a\" ELSE 1", &[]).code_is(75).says(EMPTY);
    view("Unordered", "<<1>>", "IF x = <<1>> THEN <<2, {1, \"a\"}>> ELSE 1", &[]).code_is(75).says(EMPTY);
}

#[test]
fn a_circle_under_a_view_ends_with_the_action_that_leads_back() {
    let text = "---- MODULE Back ----\nEXTENDS Naturals\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\n\
                A == x = 0 /\\ x' = 1 /\\ y' = 1 - y\nB == x = 1 /\\ x' = 0 /\\ y' = y\nC == x = 1 /\\ x' = 2 /\\ y' = y\n\
                Next == A \\/ B \\/ C\nvars == <<x, y>>\nSpec == Init /\\ [][Next]_vars /\\ WF_vars(A) /\\ WF_vars(B)\n\
                V == x\nP == <>(x = 2)\n====\n";
    let module = file("back/Back.tla", text);
    file("back/Back.cfg", "SPECIFICATION Spec\nPROPERTY P\nVIEW V\nCHECK_DEADLOCK FALSE\n");
    let back = "Back to state 1: <B line 6, col 6 to line 6, col 30 of module Back>\n";
    primed(&["tlc", &module]).code_is(13).says(back);
}

#[test]
fn what_is_false_on_the_way_comes_before_temporal_properties() {
    let text = "---- MODULE Way ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = (x + 1) % 3\n\
                Spec == Init /\\ [][Next]_x\nInv == x # 1\nP == <>(x = 2)\n====\n";
    let module = file("way/Way.tla", text);
    file("way/Way.cfg", "SPECIFICATION Spec\nINVARIANT Inv\nPROPERTY P\n");
    let ran = primed(&["tlc", "-continue", &module]);
    let at = |text: &str| ran.out.find(text).unwrap_or_else(|| panic!("`{text}` is missing in {}", ran.out));
    assert!(at("Invariant Inv is violated") < at("Checking temporal properties"));
    assert_eq!(ran.out.matches("Invariant Inv is violated").count(), 1);
}

/// Runs a module with one variable.
fn stepping(name: &str, init: &str, next: &str, arguments: &[&str]) -> Ran {
    let text = format!(
        "---- MODULE {name} ----\nEXTENDS Integers, TLC\nVARIABLE x\nInit == {init}\nNext == {next}\n\
         Spec == Init /\\ [][Next]_x /\\ WF_x(Next)\nL == <>[](x = <<0, 0>>)\n====\n"
    );
    let module = file(&format!("{name}/{name}.tla"), &text);
    let properties = if init.contains("<<0, 0>>") { "PROPERTY L\n" } else { "" };
    file(&format!("{name}/{name}.cfg"), &format!("SPECIFICATION Spec\n{properties}"));
    primed(&[&["tlc"], arguments, &[&*module]].concat())
}

#[test]
fn what_is_no_set_is_not_gone_through() {
    let words =
        "In computing initial states, the right side of \\IN is not enumerable.\nline 4, col 9 to line 4, col 15";
    stepping("InNumber", "x \\in 1", "x' = x", &[]).code_is(75).says(words);
    let words = "In computing next states, the right side of \\IN is not enumerable.\nline 5, col 9 to line 5, col 18";
    stepping("InNaturals", "x = 0", "x' \\in Nat", &[]).code_is(75).says(words);
    let words = "Attempted to enumerate UNION(s), but some element of s is nonenumerable.";
    stepping("InUnion", "x = 0", "x' \\in UNION {1}", &[]).code_is(75).says(words);
}

#[test]
fn initial_states_that_cannot_be_stored_are_shown() {
    let shown = "Error: Attempted to compute the number of elements in the integer 1.\n\
                 While working on the initial state:\nx = SUBSET 1\n";
    stepping("Shown", "x = SUBSET 1", "x' = x", &[]).code_is(75).says(shown);
    let unshown = "The exception was a java.lang.RuntimeException\n: Attempted to compute the value of an expression of form\n\
                   SUBSET S, but S is a non-enumerable value:\n<<1, 2>>\n";
    stepping("Unshown", "x = SUBSET <<1, 2>>", "x' = x", &[]).code_is(255).says(unshown);
}

#[test]
fn a_filter_that_fails_inside_of_another_set() {
    let words = "Error: TLC was unable to fingerprint.\n\nFingerprint Stack Trace:\n\
                 0. Line 5, column 9 to line 5, column 59 in Inside\n1. Line 5, column 43 to line 5, column 58 in Inside\n";
    let set = "{s \\in SUBSET {1} : Assert(FALSE, 1)}";
    stepping("Inside", "x = 0", &format!("x' \\in SUBSET {set}"), &[]).code_is(75).says(words);
    let words = "expressions at the following positions:\n0. Line 5, column 9 to line 5, column 52";
    stepping("Alone", "x = 0", &format!("x' \\in {set}"), &[]).code_is(14).says(words);
}

#[test]
fn the_states_of_a_circle_are_shown_in_full() {
    let next = "x' = <<1 - x[1], 0>>";
    let ran = stepping("Circling", "x = <<0, 0>>", next, &["-difftrace"]).code_is(13);
    ran.says("x = <<1, 0>>\n").says("Back to state 1");
}
