//! What TLC says of a model that it does not start: number, words and exit status, as TLC 2.15 gives them.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use primed::{ModelChecker, OpenError, Permissions};

const MODULE: &str = "EXTENDS Naturals
CONSTANTS C, D, F(_)
VARIABLE x
Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE 0
Spec == Init /\\ [][Next]_x
Op == 3
Op1(a) == a + 1
St == x + 1
Act == x' = x
Inv == x < 3
T == TRUE
Fa == FALSE
";
/// INIT and NEXT.
const START: &str = "INIT Init NEXT Next ";
/// Values for all constants.
const VALUES: &str = "CONSTANT C = 1 D = 1 F <- Op1 ";

/// An empty folder.
fn folder() -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("startup-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn open(units: &str, config: &str) -> Result<ModelChecker, OpenError> {
    let folder = folder();
    let (module, cfg) = (folder.join("Spec.tla"), folder.join("Spec.cfg"));
    std::fs::write(&module, format!("---- MODULE Spec ----\n{units}====\n")).unwrap();
    std::fs::write(&cfg, config).unwrap();
    let opened = ModelChecker::open(&module, &cfg, &[], Permissions::default());
    std::fs::remove_dir_all(&folder).unwrap();
    opened
}

#[test]
fn each_message_has_its_number_words_and_exit_status() {
    let v = VALUES;
    let s = START;
    let rows = [
        (
            format!("{s}CONSTANT C = 1"),
            2222,
            151,
            "The constant parameter D is not assigned a value by the configuration file.",
        ),
        (
            format!("{s}CONSTANT C <- Op D <- C F <- Op1"),
            2223,
            151,
            "In the configuration file, the identifier C appears\non the right-hand side of a <- after already appearing on the\nleft-hand side of one.",
        ),
        (
            format!("{s}CONSTANT C <- Zork D = 1 F <- Op1"),
            2224,
            151,
            "The configuration file substitutes for C with the undefined identifier Zork.",
        ),
        (
            format!("{s}CONSTANT C = 1 D = 1 F <- Op"),
            2225,
            151,
            "The configuration file substitutes for F with Op of different number of arguments.",
        ),
        (
            format!("{s}{v}Zork <- Op1"),
            2226,
            151,
            "In the configuration file, the identifier Zork does not appear in the specification.",
        ),
        (
            format!("{s}{v}SPECIFICATION Spec"),
            2227,
            151,
            "The configuration file cannot specify both INIT/NEXT and SPECIFICATION fields.",
        ),
        (
            format!("INIT Op1 NEXT Next {v}"),
            2228,
            151,
            "TLC requires initial predicate not to take any argument, but one was given: Op1",
        ),
        (
            format!("INIT Init NEXT Zork {v}"),
            2229,
            151,
            "The next state action Zork specified in the configuration file\nis not defined in the specification.",
        ),
        (format!("{s}{v}INVARIANT Fa"), 2230, 151, "The invariant of Fa is equal to FALSE"),
        (format!("{s}{v}CONSTRAINT Fa"), 2230, 151, "The constraint of Fa is equal to FALSE"),
        (
            format!("NEXT Next {v}INVARIANT Inv"),
            2231,
            151,
            "The configuration file did not specify the initial state predicate.",
        ),
        (
            format!("INIT Init {v}INVARIANT Inv"),
            2232,
            151,
            "The configuration file did not specify the next state predicate.",
        ),
        (format!("INIT Init {v}"), 2115, 75, "No next state actions defined to generate successor states from."),
        (format!("INIT T NEXT Next {v}"), 2233, 151, "The initial predicate T cannot be a constant."),
        (
            format!("{s}{v}INVARIANT Act"),
            2146,
            76,
            "The invariant Act is not a state predicate (one with no primes or temporal operators).",
        ),
        (
            format!("{s}CONSTANT C = 1 D = 1 F(1) = 2 F(1, 2) = 3"),
            2242,
            151,
            "The arity of the operator F is inconsistent in the configuration file.",
        ),
        (
            format!("{s}{v}Op <- [Zork]St"),
            2245,
            151,
            "In the configuration file, the module name Zork is not a module in the specification.",
        ),
        (
            format!("{s}CONSTANT C <- St D = 1 F <- Op1"),
            2281,
            151,
            "The configuration file substitutes constant C with non-constant St",
        ),
        ("\nINIT".into(), 5003, 255, "at line 2\nThe keyword INIT was not followed by an identifier."),
        ("INIT A INIT B".into(), 5004, 255, "at line 1\nThe keyword INIT appeared twice."),
        ("CONSTANT C <-".into(), 5005, 255, "at line 1\nExpected an identifier after <-."),
        ("Zork".into(), 5006, 255, "at line 1\nIt was expecting a keyword, but did not find it."),
        ("CONSTANT C".into(), 5006, 255, "at line 1\nIt was expecting = or <-, but did not find it."),
        ("CONSTANT C = {1, 2".into(), 5006, 255, "at line 1\nIt was expecting }, but did not find it."),
        ("CONSTANT C <- [M D".into(), 5006, 255, "at line 1\nIt was expecting ], but did not find it."),
        ("CONSTANT C =".into(), 5006, 255, "at line 1\nIt was expecting a value, but did not find it."),
        ("CHECK_DEADLOCK x".into(), 5006, 255, "at line 1\nIt was expecting TRUE or FALSE, but did not find it."),
    ];
    for (config, code, exit, text) in rows {
        let message = open(MODULE, &config).unwrap_err().tlc();
        let text = match code {
            5000.. => format!("TLC found an error in the configuration file {text}"),
            _ => text.to_string(),
        };
        assert_eq!((message.code, message.exit_status(), &message.text), (code, exit, &text), "{config}");
    }
}

#[test]
fn numbers_that_cannot_be_represented_are_found_everywhere() {
    let config = "INIT Init NEXT Next CONSTANT C = 1 D = 1 F <- Op1";
    for (unit, code, text) in [
        ("A == 1.50\n", 2244, "TLC can't handle real numbers.\n1.50"),
        ("THEOREM 1.5 = 1\n", 2244, "TLC can't handle real numbers.\n1.5"),
        (
            "A(n) == LET b == {y \\in {1} : y = 2147483648} IN b\n",
            2265,
            "TLC can't handle a number this big.\n2147483648",
        ),
    ] {
        let message = open(&format!("{MODULE}{unit}"), config).unwrap_err().tlc();
        assert_eq!((message.code, &*message.text), (code, text), "{unit}");
    }
    let proof = "THEOREM 1 = 1\n<1>1. 2147483648 = 1.5\n  OBVIOUS\n<1>2. QED\n  OBVIOUS\n";
    assert!(open(&format!("{MODULE}{proof}"), config).is_ok());
}

#[test]
fn what_is_not_legal_is_one_message_and_all_complaints() {
    let error = open("VARIABLE x\nA == y\nB == {x}'' = z\n", "").unwrap_err();
    assert_eq!((error.tlc().code, error.exit_code()), (3002, 150));
    let OpenError::Specification(complaints) = error else { panic!("{error}") };
    let texts: Vec<&str> = complaints.iter().map(|c| &*c.diagnostic.message).collect();
    assert_eq!(texts, ["Unknown operator: `y'.", "Unknown operator: `z'."]);
}

#[test]
fn an_invariant_that_is_constantly_true_is_a_warning() {
    let checker = open(MODULE, &format!("{START}{VALUES}INVARIANT T")).unwrap();
    assert_eq!(checker.warnings().iter().map(|w| w.diagnostic.code).collect::<Vec<_>>(), [2149]);
}

#[test]
fn a_configuration_may_stand_in_the_module_file() {
    let module = folder().join("Spec.tla");
    let text = format!(
        "---- MODULE Spec ----\n{MODULE}====\n---- CONFIG Spec ----\n{START}\n{VALUES}\nZork\n====\nINVARIANT Fa\n"
    );
    std::fs::write(&module, text.replace("Zork\n", "")).unwrap();
    assert!(ModelChecker::open(&module, &module, &[], Permissions::default()).is_ok());
    std::fs::write(&module, text.replace("Zork\n", "INVARIANT Zork\n")).unwrap();
    let message = ModelChecker::open(&module, &module, &[], Permissions::default()).unwrap_err().tlc();
    assert_eq!(message.code, 2229);
}
