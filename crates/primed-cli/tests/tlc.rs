//! `primed tlc`: TLC's arguments, messages and exit codes. What is expected in `data/tlc/*.expected` was printed by the TLC of
//! April 2026 for the same arguments.

mod common;

use std::path::Path;

use common::{Ran, data, file, primed};

/// Runs the command in the folder of the models.
fn tlc(arguments: &[&str]) -> Ran {
    let mut all = vec!["tlc"];
    all.extend(arguments);
    common::primed_in(&data().join("tlc"), &all)
}

/// The output without what differs from run to run, and without the files that are read.
fn masked(ran: &Ran) -> String {
    let mut out = String::new();
    for line in ran.out.lines() {
        let skipped = ["Parsing file", "Semantic processing", "Linting of"];
        if skipped.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        let first = ["TLC2 ", "Running ", "Finished in"].iter().find(|start| line.starts_with(**start));
        let line = match first {
            Some(start) => start.split(' ').next().unwrap().to_owned(),
            None => without_rates(&without_times(line)),
        };
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str(&format!("exit {}\n", ran.code.unwrap()));
    out
}

/// `2026-11-30 00:20:36` becomes `TIME`.
fn without_times(line: &str) -> String {
    let shape = |part: &str| {
        part.bytes().zip(b"0000-00-00 00:00:00").all(|(b, s)| if *s == b'0' { b.is_ascii_digit() } else { b == *s })
    };
    let at = (0..line.len()).find(|i| line.get(*i..i + 19).is_some_and(shape));
    match at {
        Some(at) => format!("{}TIME{}", &line[..at], &line[at + 19..]),
        None => line.to_owned(),
    }
}

/// `(85 s/min)` becomes `(N s/min)`, and a probability `val = N`.
fn without_rates(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for i in 1..words.len() {
        if matches!(&*words[i], "s/min)," | "ds/min),") {
            words[i - 1] = "(N".into();
        }
    }
    let line = words.join(" ");
    match line.split_once("val = ") {
        Some((before, _)) => format!("{before}val = N"),
        None => line,
    }
}

fn prints(name: &str, arguments: &[&str]) {
    let expected = std::fs::read_to_string(data().join("tlc").join(format!("{name}.expected"))).unwrap();
    let found = masked(&tlc(arguments));
    assert_eq!(found, expected, "\n--- {name}: printed\n{found}\n--- expected\n{expected}");
}

#[test]
fn a_complete_search_with_coverage() {
    prints("walk", &["-coverage", "1", "-config", "Walk.cfg", "Walk.tla"]);
}

#[test]
fn how_often_expressions_were_evaluated() {
    let plain = tlc(&["-config", "Walk.cfg", "Walk.tla"]);
    assert!(!plain.out.contains("line 7, col 16"));
    let folder = data().join("tlc");
    let check = |more: &[&str]| {
        let arguments = ["check", "Walk.tla", "--config", "Walk.cfg", "--expression-counts"];
        common::primed_in(&folder, &[&arguments, more].concat())
    };
    let counted = check(&["--json", "-"]).json();
    let expressions = counted[0]["expressions"].as_array().unwrap();
    let of = |place: &str| expressions.iter().find(|e| e["place"] == format!("{place} of module Walk")).unwrap();
    let assigned = of("line 7, col 16 to line 7, col 28");
    assert_eq!((&assigned["within"], &assigned["count"]), (&"Move".into(), &18.into()));
    let never = of("line 14, col 20 to line 14, col 40");
    assert_eq!((&never["within"], &never["count"]), (&"Stop".into(), &0.into()));
    check(&[]).says("line 14, col 20 to line 14, col 40 of module Walk  never evaluated");
}

#[test]
fn a_simulation_needs_a_state_to_begin_with() {
    let module = |name: &str, rest: &str| {
        let text = format!(
            "---- MODULE {name} ----\nVARIABLE x\nInit == x \\in {rest}\nNext == x' = x\nNever == x = {{}}\n====\n"
        );
        file(&format!("{name}.tla"), &text)
    };
    let (none, outside) = (module("NoStart", "{}"), module("NoStartInside", "BOOLEAN"));
    file("NoStart.cfg", "INIT Init\nNEXT Next\n");
    file("NoStartInside.cfg", "INIT Init\nNEXT Next\nCONSTRAINT Inside\n");
    std::fs::write(&outside, std::fs::read_to_string(&outside).unwrap().replace("Never == x = {}", "Inside == x # x"))
        .unwrap();
    for (file, text) in [(none, "predicate."), (outside, "predicate and the state-constraint(s).")] {
        let ran = tlc(&["-simulate", "num=1", &file]).code_is(255);
        ran.says(&format!("Error: There is no state satisfying the initial state {text}\nFinished in"));
    }
}

#[test]
fn violations_and_their_behaviours() {
    prints("violated", &["-config", "Violated.cfg", "Walk.tla"]);
    prints("violated-tool", &["-tool", "-config", "Violated", "Walk"]);
    prints("violated-difftrace", &["-difftrace", "-config", "Violated.cfg", "Walk.tla"]);
    prints("initial", &["-config", "Initial.cfg", "Walk.tla"]);
    prints("continue", &["-continue", "-inv", "at<4", "-config", "Walk.cfg", "Walk.tla"]);
}

#[test]
fn deadlock_and_what_cannot_be_evaluated() {
    prints("deadlock", &["-config", "Deadlock.cfg", "Walk.tla"]);
    prints("partial", &["-config", "Partial.cfg", "Walk.tla"]);
    prints("broken", &["-config", "Broken.cfg", "Walk.tla"]);
    prints("broken-tool", &["-config", "Broken.cfg", "-tool", "Walk.tla"]);
}

#[test]
fn the_successor_of_the_last_state_of_a_circle_is_the_one_it_goes_back_to() {
    let text = "---- MODULE Circle ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = IF x = 3 THEN 1 ELSE x + 1\n\
                Spec == Init /\\ [][Next]_x /\\ WF_x(Next)\nP == <>[](x = 1)\nAlias == [x |-> x, nx |-> x']\n====\n";
    let module = file("circle/Circle.tla", text);
    file("circle/Circle.cfg", "SPECIFICATION Spec\nPROPERTY P\nALIAS Alias\n");
    let ran = primed(&["tlc", &module]).code_is(13).says("/\\ x = 2\n/\\ nx = 3\n");
    ran.says("/\\ x = 3\n/\\ nx = 1\n").says("Back to state 2");
}

#[test]
fn what_a_property_is_called() {
    let text = "---- MODULE Called ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = (x + 1) % 3\n\
                Spec == Init /\\ [][Next]_x\nB(F) == [](F)\nS(i) == [][x # i]_x\n\
                P == B(x < 2)\nR == S(1)\nT == B(x < 3) /\\ [](x < 2)\n====\n";
    let module = file("called/Called.tla", text);
    for (property, name) in [
        ("P", "Invariant F"),
        ("R", "Action property S"),
        ("T", "Invariant line 11, col 18 to line 11, col 26 of module Called"),
    ] {
        let config = file(&format!("called/{property}.cfg"), &format!("SPECIFICATION Spec\nPROPERTY {property}\n"));
        primed(&["tlc", "-config", &config, &module]).says(&format!("Error: {name} is violated."));
    }
}

#[test]
fn alias_and_postcondition() {
    prints("alias", &["-config", "Alias.cfg", "Walk.tla"]);
    prints("post", &["-config", "Post.cfg", "Walk.tla"]);
}

#[test]
fn temporal_properties_and_their_warnings() {
    prints("unfair", &["-config", "Unfair.cfg", "Fair.tla"]);
    prints("symmetric", &["-config", "Symmetric.cfg", "Fair.tla"]);
    prints("same", &["-config", "Same.cfg", "Fair.tla"]);
    prints("narrow", &["-config", "Narrow.cfg", "Fair.tla"]);
}

#[test]
fn what_goes_wrong_is_told_in_the_words_of_tlc() {
    for name in [
        "Action", "Again", "Ahead", "All", "Both", "Cases", "Chosen", "Enabled", "Nowhere", "Number", "One", "Square",
        "Stated",
    ] {
        prints(&format!("told-{}", name.to_lowercase()), &["-config", &format!("Told-{name}.cfg"), "Told.tla"]);
    }
}

#[test]
fn iterative_deepening() {
    prints("deepening", &["-dfid", "9", "-config", "Walk.cfg", "Walk.tla"]);
    prints("deepening-bounded", &["-dfid", "3", "-config", "Walk.cfg", "Walk.tla"]);
    let refused = tlc(&["-dfid", "9", "-config", "Unfair.cfg", "Fair.tla"]);
    refused
        .code_is(255)
        .says("Error: Depth-First Iterative Deepening mode does not support checking liveness properties");
}

#[test]
fn counterexamples_go_to_files_in_the_formats_of_tlc() {
    for format in ["tlcaction", "tlctespec", "tlcplain", "dot"] {
        let written = file(&format!("tlc/Written{format}.tla"), "");
        let ran = tlc(&["-config", "Violated.cfg", "-dumpTrace", format, &written, "Walk.tla"]);
        ran.code_is(12).says("\"CounterExample written: ");
        let expected = std::fs::read_to_string(data().join("tlc").join(format!("written-{format}.expected"))).unwrap();
        assert_eq!(std::fs::read_to_string(&written).unwrap(), expected, "{format}");
    }
    let written = file("tlc/lasso.json", "");
    tlc(&["-config", "Unfair.cfg", "-dumpTrace", "json", &written, "Fair.tla"]).code_is(13);
    let text = std::fs::read_to_string(&written).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let last = &json["counterexample"]["action"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last[0], last[2], "a behaviour that stutters ends with a step from its last state to itself");
}

#[test]
fn simulated_behaviours_go_to_files_and_follow_the_seed() {
    let prefix = file("tlc/behaviour", "");
    let settings = format!("num=2,file={prefix}");
    let run = |seed: &[&str]| {
        let arguments = ["-deadlock", "-simulate", &settings, "-depth", "3", "-config", "Walk.cfg", "Walk.tla"];
        tlc(&[seed, &arguments].concat()).code_is(0).says("Progress: ").says("2 traces generated (trace length: mean=");
        [0, 1].map(|n| std::fs::read_to_string(format!("{prefix}_0_{n}")).unwrap())
    };
    let first = run(&["-seed", "7"]);
    assert!(
        first[0].contains("_0_0 -----------------\n\\* <Init line 16, col 9 to line 16, col 28 of module Walk>\n"),
        "{}",
        first[0]
    );
    assert!(first[0].contains("STATE_1 == \n/\\ at = 0\n/\\ log = <<>>\n\n\n\\* <Move("), "{}", first[0]);
    assert_eq!(run(&["-seed", "7"]), first, "a seed makes the same behaviours");
}

#[test]
fn random_elements_follow_the_seed() {
    let text = "---- MODULE Lot ----\nEXTENDS Naturals, TLC\nVARIABLES x, n\nInit == x = RandomElement(1..1000000000) /\\ n = 0\n\
                Next == n < 2 /\\ x' = RandomElement(1..1000000000) /\\ n' = n + 1\nInv == n < 2\n====\n";
    let spec = file("tlc/Lot.tla", text);
    file("tlc/Lot.cfg", "INIT Init\nNEXT Next\nINVARIANT Inv\n");
    let states = |arguments: &[&str]| {
        let ran = primed(&[&["tlc"], arguments, &[&spec]].concat());
        let lines: Vec<String> =
            ran.code_is(12).out.lines().filter(|l| l.contains("x = ")).map(str::to_owned).collect();
        assert_eq!(lines.len(), 3);
        lines
    };
    assert_eq!(states(&["-seed", "3"]), states(&["-seed", "3"]));
    assert_ne!(states(&["-seed", "3"]), states(&["-seed", "4"]));
    assert_ne!(states(&[]), states(&[]), "without a seed each run has its own");
    assert_eq!(states(&["-simulate", "-seed", "3"]), states(&["-simulate", "-seed", "3"]));
}

#[test]
fn wrong_usage_is_message_1102_and_exit_1() {
    tlc(&["-frobnicate", "Walk"])
        .code_is(1)
        .says("TLC2 Version")
        .says("Error: Error: unrecognized option: -frobnicate\n");
    tlc(&["-tool", "-workers", "none", "Walk"])
        .code_is(1)
        .says("@!@!@STARTMSG 1102:1 @!@!@\nError: worker number or 'auto' required. But encountered none\n");
    tlc(&[]).code_is(1).says("Missing input TLA+ module.");
    tlc(&["-help"]).code_is(1).says("-dumpTrace");
}

#[test]
fn what_is_not_there_is_refused_by_name() {
    for option in
        [["-debugger", "port=1"], ["-dumpTrace", "tlc"], ["-simulate", "stats=full"], ["-simulate", "num=2,sched=rl"]]
    {
        let file = (option[0] == "-dumpTrace").then_some("trace.bin");
        let mut arguments: Vec<&str> = option.into_iter().collect();
        arguments.extend(file);
        arguments.extend(["-config", "Walk.cfg", "Walk.tla"]);
        tlc(&arguments).code_is(72).says(option[0]).says("not supported by Primed");
    }
}

#[test]
fn what_is_not_legal_is_told_with_the_words_of_sany() {
    let spec = file("tlc/Wrong.tla", "---- MODULE Wrong ----\nVARIABLE x\nInit == y = 0\n====\n");
    file("tlc/Wrong.cfg", "INIT Init\n");
    primed(&["tlc", &spec])
        .code_is(150)
        .says("Semantic errors:\n\n*** Errors: 1\n\nline 3, col 9 to line 3, col 9 of module Wrong\n")
        .says("Error: Parsing or semantic analysis failed.\n");
    let spec = file("tlc/Open.tla", "---- MODULE Open ----\nCONSTANT N\nVARIABLE x\nInit == x = N\n====\n");
    file("tlc/Open.cfg", "INIT Init\n");
    primed(&["tlc", &spec]).code_is(151).says("The constant parameter N is not assigned a value");
}

#[test]
fn states_and_the_graph_go_to_files() {
    let plain = file("tlc/states.dump", "");
    let dot = file("tlc/graph.dot", "");
    tlc(&["-dump", &plain, "-config", "Violated.cfg", "Walk.tla"]).code_is(12);
    let text = std::fs::read_to_string(&plain).unwrap();
    assert!(text.starts_with("State 1:\n/\\ at = 0\n/\\ log = <<>>\n\nState 2:\n/\\ at = 1\n"), "{text}");
    tlc(&["-dump", "dot,actionlabels", &dot, "-config", "Walk.cfg", "Walk.tla"]).code_is(0);
    let text = std::fs::read_to_string(&dot).unwrap();
    assert!(text.contains("1 -> 2 [label=\"Move(1)\",color=\"black\",fontcolor=\"black\"];\n2 [label="), "{text}");
    // Eleven states, twelve steps lead out of the constraint.
    let (states, steps) = (text.matches("label=\"/\\\\").count(), text.matches(" -> ").count());
    assert_eq!((states, steps), (11, 11), "{text}");
}

#[test]
fn counterexamples_go_to_files() {
    let json = file("tlc/trace.json", "");
    let module = file("tlc/Trace.tla", "");
    tlc(&["-dumpTrace", "json", &json, "-dumpTrace", "tlcplain", &module, "-config", "Violated.cfg", "Walk.tla"])
        .code_is(12)
        .says(&format!("\"CounterExample written: {json}\"\n"));
    let text = std::fs::read_to_string(&json).unwrap();
    let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(parsed["counterexample"]["state"][2], serde_json::json!([3, {"at": 3, "log": [1, 2]}]));
    assert_eq!(parsed["counterexample"]["action"][0][1]["context"], serde_json::json!({"by": 1}));
    assert_eq!(parsed["vars"], serde_json::json!(["at", "log"]));
    let text = std::fs::read_to_string(&module).unwrap();
    assert!(text.contains("<<[at |-> 0, log |-> <<>>], [at |-> 1, log |-> <<1>>]"), "{text}");
}

#[test]
fn what_the_specification_prints_can_go_to_a_file() {
    let output = file("tlc/output.txt", "");
    tlc(&["-userFile", &output, "-config", "Alias.cfg", "Walk.tla"]).code_is(12);
    assert_eq!(std::fs::read_to_string(&output).unwrap(), "3\n");
}

#[test]
fn further_invariants_and_post_conditions() {
    tlc(&["-invlevel", "3", "-config", "Walk.cfg", "Walk.tla"]).code_is(12).says("State 3: <");
    let module = file(
        "tlc/After.tla",
        "---- MODULE After ----\nLOCAL INSTANCE TLC\nLOCAL INSTANCE Naturals\nMany == TLCGet(\"distinct\") > 100\n====\n",
    );
    let folder = Path::new(&module).parent().unwrap();
    for name in ["Walk.tla", "Walk.cfg"] {
        std::fs::copy(data().join("tlc").join(name), folder.join(name)).unwrap();
    }
    common::primed_in(folder, &["tlc", "-postCondition", "After!Many", "Walk.tla"])
        .code_is(10)
        .says("Error: Postcondition Many at line 4, col 9 to line 4, col 32 of module After is false.");
}

#[test]
fn simulation_finds_what_is_violated() {
    tlc(&["-simulate", "num=1000", "-depth", "10", "-deadlock", "-seed", "1", "-config", "Violated.cfg", "Walk.tla"])
        .code_is(12)
        .says("Error: Invariant Low is violated.\n")
        .says("Simulation using seed 1 and aril 0\n");
    tlc(&["-dfid", "2", "-config", "Violated.cfg", "Walk.tla"]).code_is(0);
    tlc(&["-dfid", "3", "-config", "Violated.cfg", "Walk.tla"]).code_is(12);
}

#[test]
fn check_tells_the_same_to_people_and_programs() {
    let (spec, config) = ("tlc/Walk.tla", "tlc/Violated.cfg");
    let (itf, dot) = (file("tlc/trace.itf.json", ""), file("tlc/check.dot", ""));
    let arguments = ["check", spec, "--config", config, "--trace-itf", &itf, "--graph", &dot, "--coverage"];
    primed(&arguments)
        .code_is(12)
        .says("  3. Move(2)\n       at  = 3\n       log = <<1, 2>>\n")
        .says("the invariant Low is violated in the last state\n    at < 3 is false (tlc/Walk.tla:")
        .says("      at is 3\n")
        .says("Stop               0             0  never taken");
    let text = std::fs::read_to_string(&itf).unwrap();
    let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(parsed["vars"], serde_json::json!(["at", "log"]));
    assert_eq!(parsed["states"][2]["at"], serde_json::json!(3));
    assert_eq!(parsed["states"][2]["#meta"]["action"], "Move(2)");
    assert!(std::fs::read_to_string(&dot).unwrap().contains("Move(1)"));
    let ran = primed(&["check", spec, "--config", config, "--json", "-", "--coverage"]).code_is(12);
    let object = &ran.json()[0];
    assert_eq!(object["reasons"][0]["operands"], serde_json::json!([{"text": "at", "value": "3"}]));
    assert_eq!(object["trace"][1]["parameters"], serde_json::json!({"by": "1"}));
    assert_eq!(object["coverage"][1]["action"], "Move");
}

/// What a run on a small model says: the exit code and the numbers of errors, warnings and states. The newest TLC said the same.
fn said(name: &str, body: &str, config: &str, arguments: &[&str]) -> String {
    let module = format!("---- MODULE {name} ----\nEXTENDS Naturals, Sequences, TLC\nVARIABLE x\n{body}\n====\n");
    let path = file(&format!("{name}.tla"), &module);
    file(&format!("{name}.cfg"), &format!("INIT Init\nNEXT Next\n{config}\n"));
    let ran = tlc(&[&["-tool"], arguments, &[&path]].concat());
    let told = ran.out.lines().filter_map(|line| {
        let (code, class) = line.strip_prefix("@!@!@STARTMSG ")?.split(' ').next()?.split_once(':')?;
        (class != "0").then_some(code)
    });
    format!("{} {}", ran.code.unwrap(), told.collect::<Vec<_>>().join(" "))
}

const COUNTER: &str = "Init == x = 0\nNext == x' = IF x < 3 THEN x + 1 ELSE 0\n";

#[test]
fn errors_in_simulations_and_in_iterative_deepening() {
    let simulate = ["-simulate", "num=3", "-depth", "10"];
    let deepen = ["-dfid", "6"];
    let assert = "Init == x = 0\nNext == Assert(x < 2, \"no\") /\\ x' = x + 1";
    let head = "Init == x = 0\nNext == x' = IF x < 2 THEN x + 1 ELSE Head(<<>>)";
    let invariant = format!("{COUNTER}I == IF x = 2 THEN Head(<<>>) = 1 ELSE TRUE");
    assert_eq!(said("SimAssert", assert, "", &simulate), "255 1000 2121 2217 2217 2217");
    assert_eq!(said("SimHead", head, "", &simulate), "255 1000 2121 2217 2217 2217");
    assert_eq!(said("SimInit", "Init == x = Head(<<>>)\nNext == x' = x", "", &simulate), "255 1000");
    assert_eq!(said("SimOpen", "VARIABLE y\nInit == x = 0\nNext == x' = x", "", &simulate), "255 2106");
    assert_eq!(said("SimInvariant", &invariant, "INVARIANT I", &simulate), "76 2111 2121 2217 2217 2217");
    assert_eq!(said("SimConstraint", &invariant, "CONSTRAINT I", &simulate), "255 1000 2121 2217 2217");
    assert_eq!(said("SimProperty", &format!("{COUNTER}P == x > 0"), "PROPERTY P", &simulate), "0 2255");
    assert_eq!(said("DeepAssert", assert, "", &deepen), "255 1000 2121 2216 2216 2216 2103");
    assert_eq!(said("DeepHead", head, "", &deepen), "255 1000 2121 2216 2216 2216 2103");
    assert_eq!(said("DeepInvariant", &invariant, "INVARIANT I", &deepen), "76 2111 2121 2216 2216 2216");
    let violated = format!("{COUNTER}I == x < 2");
    assert_eq!(said("DeepViolated", &violated, "INVARIANT I", &deepen), "12 2110 2121 2217 2217 2217");
}

#[test]
fn simulations_need_no_canonical_form() {
    let simulated = |name: &str, body: &str, config: &str| {
        let said = said(name, body, config, &["-simulate", "num=6", "-depth", "5", "-deadlock"]);
        said.split(' ').next().unwrap().to_owned()
    };
    assert_eq!(simulated("SimUnordered", "Init == x = Nat\nNext == x' = {1, \"a\"}", ""), "0");
    assert_eq!(simulated("SimOrdered", "Init == x = {1, \"a\"}\nNext == x' = x", ""), "255");
    let subsets = "Init == x = SUBSET {1, \"a\"}\nNext == x' = 0";
    assert_eq!(simulated("SimSubsets", subsets, ""), "255");
    let view = format!("{COUNTER}V == <<x, Nat, {{}}.a>>");
    assert_eq!(simulated("SimView", &view, "VIEW V"), "0");
    let one = "VARIABLE y\nInit == y \\in 0..1 /\\ x = IF y = 1 THEN {1, \"a\"} ELSE 0\nNext == y' = y /\\ UNCHANGED x\nC == y # 1";
    assert_eq!(simulated("SimOutside", one, "CONSTRAINT C"), "0");
    let violated = "VARIABLE y\nInit == x = 0 /\\ y = 0\nNext == y < 3 /\\ y' = y + 1 /\\ x' = IF y = 1 THEN {1, \"a\"} ELSE 0\nI == y < 2";
    assert_eq!(simulated("SimCompared", violated, "INVARIANT I"), "255");
    let late = "Init == x = 0\nNext == x' = x + 1\nC == x < 2 \\/ {}.a\nI == x < 2";
    assert_eq!(simulated("SimLate", late, "INVARIANT I\nCONSTRAINT C"), "12");
}

#[test]
fn errors_in_constraints_and_views_tell_the_state() {
    let at =
        |n: u32| format!("{COUNTER}C == IF x = {n} THEN Head(<<>>) = 1 ELSE TRUE\nB == IF x = {n} THEN 7 ELSE TRUE");
    assert_eq!(said("Constraint", &at(2), "CONSTRAINT C", &[]), "255 2184 2121 2217 2217 2217 2103");
    assert_eq!(said("ConstraintNumber", &at(2), "CONSTRAINT B", &[]), "75 1000 2121 2217 2217 2217 2103");
    assert_eq!(said("ConstraintInitial", &at(0), "CONSTRAINT C", &[]), "75 1000 2103");
    assert_eq!(said("ActionConstraint", &at(2), "ACTION_CONSTRAINT B", &[]), "75 1000 2121 2217 2217 2217 2217 2103");
    let view = format!("{COUNTER}V == IF x = 2 THEN Head(<<>>) ELSE x");
    assert_eq!(said("View", &view, "VIEW V", &[]), "255 2184 2121 2217 2217 2103");
    assert_eq!(said("InvariantInitial", &at(0), "INVARIANT C", &[]), "75 1000 2103");
}

#[test]
fn a_stack_that_overflows_is_told_of_by_its_number() {
    let model = |init: &str, next: &str| {
        format!("RECURSIVE R(_)\nR(n) == 1 + R(n + 1)\nInit == x = {init}\nNext == x' = {next}")
    };
    assert_eq!(said("OverflowInit", &model("R(1)", "x"), "", &[]), "75 1000 2103");
    assert_eq!(said("OverflowNext", &model("1", "R(x)"), "", &[]), "255 1005 2121 2217");
    assert_eq!(said("OverflowAssume", &(model("1", "x") + "\nASSUME R(1) > 0"), "", &[]), "255 1005");
}

#[test]
fn an_except_outside_of_the_domain_is_warned_of_once_for_each_place() {
    let model = "Init == x = [a |-> 1]\nNext == x' = [x EXCEPT !.b = 2] \\/ x' = [x EXCEPT !.c = 3, !.d = 4]";
    assert_eq!(said("Except", model, "", &[]), "0 2144 2144");
    assert_eq!(said("ExceptSilent", model, "", &["-nowarning"]), "0 ");
}

/// What the newest TLC says of the same models.
#[test]
fn the_expressions_around_an_error_are_nested_as_in_tlc() {
    let body = "F(a) == LET b == a + 1\n        IN  IF b > 2 THEN Head(<<>>) ELSE b\nInit == x = 0\nStep(i) == /\\ x < 5\n           /\\ x' = F(x + i)\nNext == \\/ x' = x\n        \\/ \\E i \\in 1..2 : Step(i)";
    let module = format!("---- MODULE Nested ----\nEXTENDS Integers, Sequences\nVARIABLE x\n{body}\n====\n");
    let path = file("Nested.tla", &module);
    file("Nested.cfg", "INIT Init\nNEXT Next\n");
    let ran = tlc(&[&path]).code_is(255);
    let nested: Vec<&str> = ran.out.lines().filter(|l| l.contains(", column ")).collect();
    let expected = [
        "0. Line 7, column 12 to line 8, column 27 in Nested",
        "1. Line 7, column 15 to line 7, column 19 in Nested",
        "2. Line 8, column 15 to line 8, column 27 in Nested",
        "3. Line 8, column 20 to line 8, column 27 in Nested",
        "4. Line 4, column 9 to line 5, column 43 in Nested",
        "5. Line 5, column 13 to line 5, column 43 in Nested",
        "6. Line 5, column 27 to line 5, column 36 in Nested",
    ];
    assert_eq!(nested, expected);
}

/// Each `ENABLED` around an action that is evaluated once more to tell places would double that work.
#[test]
fn the_expressions_around_an_error_below_many_enabled_are_found_at_once() {
    let below = |count: usize| {
        let (open, close) = ("(ENABLED (".repeat(count), "))".repeat(count));
        let body = format!("Init == x = 0\nNext == x' = 1 /\\ {open}x' = 1 /\\ x' = \"a\" + 1{close}");
        said(&format!("Below{count}"), &body, "", &[])
    };
    assert!(below(1).starts_with("75 "), "{}", below(1));
    assert_eq!(below(60), below(1));
}

/// An interval and the set of its elements are one state, and each is shown as it was computed.
#[test]
fn states_are_shown_as_they_are_computed() {
    let body =
        "Init == x = <<0..2>>\nNext == x' = IF x = <<0..2>> THEN <<{1}>> ELSE <<{0, 1, 2}, 1..2>>\nI == Len(x) < 2";
    let module = format!("---- MODULE Computed ----\nEXTENDS Integers, Sequences\nVARIABLE x\n{body}\n====\n");
    let path = file("Computed.tla", &module);
    file("Computed.cfg", "INIT Init\nNEXT Next\nINVARIANT I\n");
    let ran = tlc(&[&path]).code_is(12);
    let shown: Vec<&str> = ran.out.lines().filter(|l| l.starts_with("x = ")).collect();
    assert_eq!(shown, ["x = <<0..2>>", "x = <<{1}>>", "x = <<{0, 1, 2}, 1..2>>"]);
}

#[test]
fn a_simulation_that_goes_on_ends_the_behaviour_in_which_it_found_something() {
    let goes_on = ["-simulate", "num=3", "-depth", "4", "-continue"];
    let violated = format!("{COUNTER}I == x < 2");
    let one = " 2110 2121 2217 2217 2217";
    assert_eq!(said("SimGoesOn", &violated, "INVARIANT I", &goes_on), format!("0{}", one.repeat(3)));
    let stops = "Init == x = 0\nNext == x < 2 /\\ x' = x + 1";
    let one = " 2114 2121 2217 2217 2217";
    assert_eq!(said("SimStops", stops, "", &goes_on), format!("0{}", one.repeat(3)));
}

#[test]
fn a_simulation_draws_among_actions_with_their_parameters() {
    let chosen = "Init == x = <<>>\nA(i) == x' = Append(x, i)\nNext == \\E i \\in 1..9 : A(i)";
    let module = format!("---- MODULE Drawn ----\nEXTENDS Naturals, Sequences, TLC\nVARIABLE x\n{chosen}\n====\n");
    let spec = file("Drawn.tla", &module);
    file("Drawn.cfg", "INIT Init\nNEXT Next\n");
    tlc(&["-simulate", "num=3", "-depth", "4", &spec]).code_is(0).says("The number of states generated: 13\n");
    // TLC looks at the number after each behaviour.
    tlc(&["-simulate", "num=0", "-depth", "4", &spec]).code_is(0).says("The number of states generated: 5\n");
}

#[test]
fn a_post_condition_that_is_none_hides_no_violation() {
    let body = format!("{COUNTER}I == x < 2\nP == FALSE\nQ(a) == TRUE");
    let [violated, value] = ["INVARIANT I\nPOSTCONDITION P", "POSTCONDITION P"];
    assert_eq!(said("PostLate", &body, violated, &[]), "12 2110 2121 2217 2217 2217");
    assert_eq!(said("PostLate", &body, "INVARIANT I\nPOSTCONDITION Nope", &[]), "12 2110 2121 2217 2217 2217");
    assert_eq!(said("PostLate", &body, value, &[]), "255 1000");
    assert_eq!(said("PostLate", &body, "POSTCONDITION Q", &[]), "255 1000");
    assert_eq!(said("PostLate", &body, value, &["-simulate", "num=3", "-depth", "4"]), "151 2233");
    assert_eq!(said("PostLate", &body, value, &["-dfid", "9"]), "0 ");
}

#[test]
fn a_configuration_there_must_be() {
    let spec = file("Unconfigured.tla", "---- MODULE Unconfigured ----\nASSUME TRUE\n====\n");
    tlc(&[&spec]).code_is(255).says("Unconfigured.cfg:\nFile not found.\n");
}
