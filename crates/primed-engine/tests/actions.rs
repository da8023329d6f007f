//! Actions made of functions, ENABLED of the next state, choices that are followed or not, and the actions that a relation names.

mod common;

use common::Module;

const UNITS: &str = r"EXTENDS Integers, Sequences
VARIABLES x, y
Step[i \in Nat] == x' = x + i /\ (y' = y \/ y' = i)
Walk[i \in 0..9] == IF i = 0 THEN x' = x /\ y' = 0 ELSE (x' = i /\ y' = i) \/ Walk[i - 1]
Fill[i \in 1..3, j \in Nat] == x' \in {i} /\ (IF j = 0 THEN y' = 0 ELSE y' = j)
Of(k) == [i \in Nat |-> x' = i + k /\ y' = k]
Up(n) == x < 5 /\ x' = x + n /\ y' = y
Can(n) == ENABLED Up(n)
Loop[i \in Nat] == Loop[i + 1] \/ x' = i";

#[test]
fn functions_whose_body_is_an_action_are_walked() {
    let mut module = Module::new(UNITS);
    let mut steps = |action: &str| module.steps(["3", "7"], action).map_err(|e| e.message);
    assert_eq!(steps("Step[2]").as_deref(), Ok("5 7, 5 2"));
    assert_eq!(steps("\\E i \\in 1..2 : Step[i] /\\ x' # y'").as_deref(), Ok("4 7, 4 1, 5 7, 5 2"));
    assert_eq!(steps("Walk[2] /\\ y' < 2").as_deref(), Ok("1 1, 3 0"));
    assert_eq!(steps("Fill[2, 5]").as_deref(), Ok("2 5"));
    assert_eq!(steps("Of(4)[1]").as_deref(), Ok("5 4"));
    assert_eq!(steps("LET g == Of(2) IN g[0] \\/ g[1]").as_deref(), Ok("2 2, 3 2"));
    assert_eq!(steps("\\A i \\in {1} : Step[i] /\\ Walk[1]").as_deref(), Ok(""));
    assert_eq!(steps("[i \\in 1..2 |-> x' = i /\\ y' = i][x - 1]").as_deref(), Ok("2 2"));
    assert!(steps("Step[-1]").is_err_and(|message| message.contains("not in its domain")));
    assert!(steps("Fill[2]").is_err());
    assert!(steps("Loop[1]").is_err_and(|message| message.contains("StackOverflow")));
}

#[test]
fn enabled_is_asked_of_the_next_state() {
    let mut module = Module::new(UNITS);
    module.check_step(
        ["3", "7"],
        ["5", "7"],
        r#"
        ENABLED Up(1) ==> TRUE
        (ENABLED Up(1))' ==> FALSE
        <<Can(1), Can(1)'>> ==> <<TRUE, FALSE>>
        (ENABLED (x' = 1 /\ x = 5 /\ y' = 2))' ==> TRUE
        \E n \in 1..2 : LET c == ENABLED Up(n) IN c /\ ~c' ==> TRUE
        (LET k == x IN ENABLED (x' = k + 1 /\ k = 5 /\ y' = 1))' ==> TRUE
        (CASE x = 5 -> ENABLED (Step[1]) [] OTHER -> FALSE)' ==> TRUE
        [n \in {1} |-> Can(n)'] ==> <<FALSE>>
        "#,
    );
}

#[test]
fn compositions_of_actions() {
    let mut plain = Module::new(UNITS);
    plain.check_step(
        ["3", "7"],
        ["5", "7"],
        r#"
        (x' = 5) /\ (Up(1) \cdot Up(1)) ==> error The current version of TLC does not support action composition.  An incomplete implementation can be enabled via the tlc2.tool.impl.Tool.cdot=true java property.
        "#,
    );
    let mut module = Module::new(&format!("{UNITS}\nAsks == \"-Dtlc2.tool.impl.Tool.cdot\""));
    module.check_step(
        ["3", "7"],
        ["5", "7"],
        r#"
        Up(1) \cdot Up(1) ==> TRUE
        Up(1) \cdot Up(2) ==> FALSE
        (Up(1) \cdot Up(1)) /\ x = 3 ==> TRUE
        (x' = 9 /\ y' = 9) \cdot (x' = 5 /\ x = 9 /\ y' = 7) ==> TRUE
        LET k == x IN (x' = k + 1 /\ y' = y) \cdot (x' = k + 1 /\ k = 4 /\ y' = y) ==> TRUE
        \E n \in 1..2 : LET c == Up(n) IN (c \cdot c) ==> TRUE
        (Up(1) \cdot Up(0)) \cdot Up(1) ==> TRUE
        Up(1) \cdot (x' = x + 1) ==> TRUE
        (x' = x + 1) \cdot (x' = x + 1 /\ y = 7) ==> error In evaluation, the identifier y is either undefined or not an operator.
        ENABLED (Up(1) \cdot Up(1)) ==> TRUE
        ENABLED (Up(1) \cdot (x = 3 /\ Up(1))) ==> FALSE
        ENABLED ((x' \in 1..9 /\ y' = y) \cdot (x > 8 /\ x' = 1 /\ y' = x)) ==> TRUE
        "#,
    );
    let steps = |module: &mut Module, action: &str| module.steps(["3", "7"], action);
    let mut finds = |action: &str, states: &str| {
        assert_eq!(steps(&mut module, action).as_deref(), Ok(states), "{action}");
    };
    finds("(x' \\in {1, 2} /\\ y' = y) \\cdot (x' = x + 10 /\\ y' = y)", "11 7, 12 7");
    finds("x = 3 /\\ ((x' \\in {1, 2} /\\ y' = y) \\cdot (x' = x /\\ y' = x)) /\\ x = 3 /\\ y' > 1", "2 2");
    // A variable that has its value already cannot be changed on the way.
    finds("y' = y /\\ ((x' = 4 /\\ y' = 1) \\cdot (x' = 5))", "");
    finds("y' = 2 /\\ ((x' = 4 /\\ y' = y) \\cdot (x' = 5 /\\ y = 7))", "5 2");
    finds("((x' = 4) \\cdot (x' = x + 1)) /\\ y' = x", "5 3");
    finds("LET k == x IN ((x' = k + 1 /\\ y' = k) \\cdot (x' = k + y /\\ y' = k))", "7 4");
}

#[test]
fn choices_after_the_last_value() {
    let mut module = Module::new(UNITS);
    let action = "x' = 1 /\\ y' = 2 /\\ (x = 3 \\/ y = 7) /\\ (\\A i \\in 1..2 : x > 0 \\/ y > 0)";
    assert_eq!(module.steps(["3", "7"], action).as_deref(), Ok("1 2"));
    let followed = module.followed_steps(["3", "7"], action);
    assert_eq!(followed.map(|states| states.split(", ").count()), Ok(8));
}

#[test]
fn the_actions_of_a_relation() {
    let mut many = String::new();
    for i in (0..60).rev() {
        many.push_str(&format!("D{i} == D{} \\/ D{}\n", i + 1, i + 1));
    }
    let units = format!(
        r"EXTENDS Integers
VARIABLES x, y
A == x' = 1
B(n) == x' = n
Keep == UNCHANGED y
Tick == y' = y + 1
D60 == A /\ Tick
{many}
Guarded == (A \/ B(2)) /\ Keep
Each == x > 0 /\ \E n \in 1..3 : n > x /\ B(n) /\ Keep
Both == (A \/ B(1)) /\ Tick
Pair == A /\ Tick
Cases == CASE x = 0 -> A [] OTHER -> IF y = 0 THEN B(1) ELSE Keep
Parts == Guarded \/ Pair
Deep == D0 \/ A"
    );
    let mut module = Module::new(&units);
    for (next, expected) in [
        ("Guarded", "A B"),
        ("Each", "B"),
        ("Both", "A B"),
        ("Pair", "Pair"),
        ("Cases", "A B Keep"),
        ("Parts", "Guarded Pair"),
        ("Deep", "D60 A"),
        ("x > 0 /\\ A /\\ Keep", "A"),
    ] {
        assert_eq!(module.actions(next), expected, "{next}");
    }
    // A is looked for everywhere in a relation with 2^60 ways to it, none of which is taken.
    assert_eq!(module.named("Deep", "A", ["3", "7"]), Ok("1 -".into()));
    assert_eq!(module.named("Guarded", "A", ["3", "7"]), Ok("1 7".into()));
    assert_eq!(module.named("Each", "B", ["1", "7"]), Ok("2 7, 3 7".into()));
    assert_eq!(module.named("Both", "B", ["1", "7"]), Ok("1 8".into()));
    assert_eq!(module.named("Cases", "B", ["0", "0"]), Ok(String::new()));
    assert_eq!(module.named("Cases", "B", ["1", "0"]), Ok("1 -".into()));
    assert_eq!(module.named("Cases", "A", ["0", "0"]), Ok("1 -".into()));
}
