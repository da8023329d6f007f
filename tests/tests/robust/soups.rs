//! Texts by chance. `PROPTEST_CASES` sets how many; a failure is made small and shown with its seed.

use primed_tests::robust;
use proptest::prelude::*;

/// Words and signs of the language, with what only stands at the edge of it.
const PIECES: &[&str] = &[
    "/\\",
    "\\/",
    "\n  /\\ ",
    "\n \\/ ",
    "(",
    ")",
    "[",
    "]",
    "]_",
    "{",
    "}",
    "<<",
    ">>",
    ">>_",
    ",",
    ":",
    "::",
    "==",
    "->",
    "|->",
    "<-",
    "!",
    ".",
    "@",
    "'",
    "=",
    "\\in",
    "\\A",
    "\\E",
    "\\EE",
    "CHOOSE",
    "IF",
    "THEN",
    "ELSE",
    "CASE",
    "[]",
    "OTHER",
    "LET",
    "IN",
    "EXCEPT",
    "LAMBDA",
    "x",
    "y",
    "F",
    "G",
    "Nat",
    "1",
    "1.5",
    "\"s\"",
    "\"",
    "(*",
    "*)",
    "\\* c\n",
    "\n",
    "\nF == ",
    "\nG(x) == ",
    "\nf[x \\in S] == ",
    "\nTHEOREM ",
    "\nLEMMA T == ",
    "ASSUME",
    "PROVE",
    "NEW",
    "BY",
    "DEF",
    "ONLY",
    "USE",
    "HIDE",
    "OBVIOUS",
    "PROOF",
    "QED",
    "\n<1>1. ",
    "\n<1> ",
    "\n<2>a ",
    "<1>1",
    "\n<*> ",
    "\n<+> ",
    "SUFFICES",
    "PICK",
    "TAKE",
    "WITNESS",
    "HAVE",
    "DEFINE",
    "INSTANCE",
    "WITH",
    "LOCAL",
    "RECURSIVE",
    "F(_)",
    "_",
    "CONSTANT",
    "VARIABLE",
    "WF_x",
    "SF_",
    "ENABLED",
    "UNCHANGED",
    "SUBSET",
    "~",
    "-",
    "-.",
    "+",
    "\\X",
    "\\cup",
    "..",
    "...",
    "=>",
    "<=>",
    "~>",
    "\\cdot",
    "^+",
    "∈",
    "≜",
    "∀",
    "⟩_",
    "\u{0}",
    "é",
    "\n----\n",
    "\n---- MODULE In ----\n",
    "\n====\n",
    "EXTENDS",
    "Naturals",
    "\\hFF",
    "\\b2",
    "#",
    "$",
    "`",
    "lab",
    "I!F",
    "!1",
];

/// Signs and words of configurations and of JSON.
const CONFIGURATION: &[&str] = &[
    "CONSTANT",
    "CONSTANTS",
    "INIT",
    "NEXT",
    "INVARIANT",
    "SYMMETRY",
    "VIEW",
    "x",
    "X_1",
    "1",
    "-1",
    "\"s\"",
    "{",
    "}",
    "=",
    "<-",
    "[",
    "]",
    ",",
    "TRUE",
    "\n",
    "(*",
    "*)",
    "\\*",
    "==",
    "@",
    "CHECK_DEADLOCK",
];
const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\"action\"",
    "\"AcquireSuccess\"",
    "\"actor\"",
    "\"pre_state\"",
    "\"post_state\"",
    "\"lockState\"",
    "\"pc\"",
    "\"0\"",
    "\"idle\"",
    "\"#map\"",
    "\"#set\"",
    "\"#bigint\"",
    "1",
    "1e999",
    "-0",
    "null",
    "true",
    " ",
    "\\u0000",
    "\"\\ud800\"",
];

fn soup(pieces: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(pieces), 0..most).prop_map(|words| words.join(" "))
}

/// Modules of the suite that are damaged.
fn originals() -> Vec<String> {
    let folder = primed_tests::root().join("conformance-suite/sany");
    let mut texts: Vec<String> = walk(&folder).iter().filter_map(|p| std::fs::read_to_string(p).ok()).collect();
    texts.sort();
    let modules = texts.iter().flat_map(|t| t.split("\n%% ")).filter_map(|m| m.split_once('\n'));
    modules.map(|(_, text)| text.to_owned()).collect()
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    entries.flat_map(|p| if p.is_dir() { walk(&p) } else { vec![p] }).filter(|p| p.ends_with("modules.txt")).collect()
}

/// One way to damage a text: where, how much, and what comes there instead.
type Damage = (prop::sample::Index, usize, &'static str);

fn damaged(text: &str, damages: &[Damage]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (place, length, piece) in damages {
        if chars.is_empty() {
            break;
        }
        let start = place.index(chars.len());
        let end = (start + length).min(chars.len());
        chars.splice(start..end, piece.chars());
    }
    chars.into_iter().collect()
}

fn everything(text: &str) {
    robust::lex(text.as_bytes());
    robust::parse(text.as_bytes());
    robust::analyse(text.as_bytes());
    robust::cfg(text.as_bytes());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn soups_of_words(body in soup(PIECES, 60)) {
        everything(&format!("---- MODULE M ----\nEXTENDS Naturals\nVARIABLES x, y\n{body}\n===="));
    }

    #[test]
    fn soups_of_configurations_and_windows(text in soup(CONFIGURATION, 40), line in soup(JSON, 40), bytes: Vec<u8>) {
        robust::cfg(text.as_bytes());
        thread_local!(static SPIN: primed::Spec = robust::spin_lock().unwrap());
        SPIN.with(|spin| {
            robust::window_line(spin, line.as_bytes());
            robust::window_line(spin, &bytes);
        });
        everything(&robust::text_of(&bytes));
    }

    #[test]
    fn damaged_modules(
        module in prop::sample::select(originals()),
        damages in prop::collection::vec((any::<prop::sample::Index>(), 0usize..6, prop::sample::select(PIECES)), 1..6),
    ) {
        everything(&damaged(&module, &damages));
    }
}
