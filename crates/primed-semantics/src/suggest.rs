//! The nearest known name to an unknown one, or a module that defines it.

use std::sync::Arc;

use primed_syntax::nearest;

use crate::library;

/// Modules whose names people use without extending them: the widest that everyone knows comes first.
const HOMES: &[(&str, &[&str])] = &[
    ("Integers", &["Int", "Nat", "+", "-", "-.", "*", "\\div", "%", "^", "..", "<", ">", "\\leq", "\\geq"]),
    ("Reals", &["Real", "/"]),
    ("Sequences", &["Seq", "Len", "Head", "Tail", "Append", "SubSeq", "SelectSeq", "\\o"]),
    ("FiniteSets", &["Cardinality", "IsFiniteSet"]),
    ("TLC", &["Print", "PrintT", "Assert", ":>", "@@", "ToString", "Permutations", "SortSeq", "TLCGet", "TLCSet"]),
];

/// Built-in modules whose definitions are not for specifications in general.
const NO_HOMES: &[&str] = &["Toolbox", "TLAPS", "RealTime"];

/// Advice for a name that a built-in module defines: to extend it.
pub(crate) fn home(name: &str) -> Option<String> {
    let known = HOMES.iter().find(|(_, names)| names.contains(&name)).map(|(module, _)| *module);
    let sign = primed_syntax::operator(name);
    let spellings: Vec<&str> =
        std::iter::once(name).chain(sign.into_iter().flat_map(|s| s.synonyms.iter().copied())).collect();
    let module = known.or_else(|| {
        let mut modules = library::standard_modules().filter(|(module, _)| !NO_HOMES.contains(module));
        modules
            .find(|(_, text)| text.lines().any(|line| spellings.iter().any(|name| defines(line, name))))
            .map(|(module, _)| module)
    });
    module.map(|module| format!("module `{module}` defines it: add it to EXTENDS"))
}

/// The line begins the definition of a name or sign that is not LOCAL: `F == `, `F(a, _) ==`, `f[x \in S] ==`, `a + b ==`,
/// `-. a ==`, `a ^+ ==`.
fn defines(line: &str, name: &str) -> bool {
    let Some((head, _)) = line.split_once("==") else { return false };
    let head = head.trim_end();
    if head.starts_with(char::is_whitespace) {
        return false;
    }
    if !word(name) {
        let words: Vec<&str> = head.split_whitespace().collect();
        return match words[..] {
            [first, sign, last] => sign == name && word(first) && word(last),
            [first, second] => (first == name && word(second)) || (second == name && word(first)),
            _ => false,
        };
    }
    // One letter is what people call their own names; the well-known ones are in `HOMES`.
    match head.strip_prefix(name) {
        Some(rest) => name.chars().count() > 1 && (rest.is_empty() || rest.trim_start().starts_with(['(', '['])),
        None => false,
    }
}

fn word(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Advice for an unknown name: a module that defines it, or the known name that looks most like it.
pub(crate) fn help<'a>(name: &str, known: impl Iterator<Item = &'a Arc<str>>) -> Option<String> {
    if let Some(home) = home(name) {
        return Some(home);
    }
    let lettered = name.chars().count() > 1 && name.chars().any(char::is_alphabetic);
    nearest(name, known.map(|k| &**k)).or_else(|| home_of_another_case(name).filter(|_| lettered))
}

/// Advice for a name behind `#` that means nothing.
pub(crate) const COMMENTS: &str = "`#` is inequality; comments are written `\\* ...` or `(* ... *)`";

/// Advice for a name written with other letters than a well-known module does: `len`, `append`.
fn home_of_another_case(name: &str) -> Option<String> {
    let mut names = HOMES.iter().flat_map(|(module, names)| names.iter().map(move |n| (module, n)));
    let (module, known) = names.find(|(_, known)| known.eq_ignore_ascii_case(name))?;
    Some(format!("did you mean `{known}` of module `{module}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_not() {
        let known: Vec<Arc<str>> = vec!["currentTerm".into(), "votedFor".into()];
        assert_eq!(help("curentTerm", known.iter()).as_deref(), Some("did you mean `currentTerm`?"));
        assert_eq!(help("leader", known.iter()), None);
        // Two letters in the wrong order are one slip.
        assert_eq!(help("votdeFor", known.iter()).as_deref(), Some("did you mean `votedFor`?"));
        assert_eq!(help("currentterm", known.iter()).as_deref(), Some("did you mean `currentTerm`?"));
        assert_eq!(help("append", known.iter()).as_deref(), Some("did you mean `Append` of module `Sequences`?"));
        let known: Vec<Arc<str>> = vec!["%".into(), "y".into()];
        assert_eq!(help("z", known.iter()), None);
    }

    #[test]
    fn built_in_modules_are_known_by_what_they_define() {
        let module = |name: &str| home(name).and_then(|h| h.split('`').nth(1).map(str::to_owned));
        let homes =
            [("+", "Integers"), ("Cardinality", "FiniteSets"), ("Append", "Sequences"), ("SetToSeq", "SequencesExt")];
        for (name, home) in homes {
            assert_eq!(module(name).as_deref(), Some(home), "{name}");
            assert!(library::standard(home).is_some());
        }
        assert_eq!(module("\\oplus").as_deref(), Some("Bags"));
        assert_eq!(module("NoSuchOperator"), None);
        assert_eq!(module(":>").as_deref(), Some("TLC"));
        assert!(HOMES.iter().all(|(module, _)| library::standard(module).is_some()));
    }

    #[test]
    fn parameters_and_local_names_are_nobodys_home() {
        for letter in ('a'..='z').chain('A'..='Z') {
            assert_eq!(home(&letter.to_string()), None, "{letter}");
        }
        assert!(defines("a + b == c", "+") && !defines("a + b == c", "a") && !defines("LOCAL a + b == c", "+"));
        assert!(defines("-. a == 0 - a", "-.") && !defines("-. a == 0", "a"));
        assert!(defines("Fun(a) == a", "Fun") && defines("Fun[a \\in S] == a", "Fun") && defines("Fun == 1", "Fun"));
        assert!(
            !defines("Fun(a) == a", "Fu") && !defines("LOCAL Fun(a) == a", "Fun") && !defines("LOCAL F == 1", "LOCAL")
        );
    }
}
