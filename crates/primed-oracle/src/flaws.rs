//! Known flaws of TLC 2.15: where it is wrong, silent, or cannot do what newer versions can (`SANY_AND_TLC.md` 6.1 and 6.2).
//!
//! A disagreement that such a flaw may explain is reported by its cause. It is no proof that the flaw is the cause: the sign of a
//! flaw is something in the specification, or in what both sides answer.

mod passed;
pub mod subsets;
mod tokens;

use primed_syntax::cfg::ConstantValue;

use crate::read::Run;
use crate::specification::{Specification, has_word};
use tokens::{all, follow, one};

/// A flaw.
#[derive(Clone, Copy, Debug)]
pub struct Flaw {
    /// A name for programs.
    pub id: &'static str,
    /// What TLC does, in a sentence without a full stop.
    pub about: &'static str,
    sign: fn(&Seen<'_>) -> bool,
}

/// Both answers, and what they are about.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'d> {
    /// The exit status that Primed gives, or would give for the one window.
    pub status: i32,
    /// The words of Primed's error, if it is one.
    pub message: Option<&'d str>,
    /// TLC's exit status, or that of its answer to the one window.
    pub tlc_status: i32,
    /// TLC's run, if it is about a model.
    pub run: Option<&'d Run>,
}

struct Seen<'s> {
    spec: &'s Specification,
    tokens: Vec<String>,
    difference: Difference<'s>,
}

impl Seen<'_> {
    fn tlc_has(&self, codes: &[u32]) -> bool {
        self.difference.run.is_some_and(|run| codes.iter().any(|code| run.has(*code)))
    }

    fn statuses(&self, primed: &[i32], tlc: &[i32]) -> bool {
        primed.contains(&self.difference.status) && tlc.contains(&self.difference.tlc_status)
    }

    fn failed(&self) -> bool {
        [14, 75, 76, 255].contains(&self.difference.status)
    }
}

/// Operators that TLC evaluates in Java on sequences.
const ON_SEQUENCES: &[&str] = &["SubSeq", "Head", "Tail", "Append", "\\o", "\\circ", "Len", "SelectSeq"];
const RANDOM: &[&str] =
    &["RandomElement", "RandomSubset", "RandomSetOfSubsets", "RandomSubsetSet", "TestRandomSetOfSubsets"];

/// Complaints of operators that TLC has in Java.
const OF_OVERRIDES: &[u32] = &[2164, 2169, 2176, 2177, 2178, 2179, 2180, 2181, 2182, 2183, 2184, 2266, 2283];

/// The flaws of 2.15. Narrow signs come first.
const OF_2_15: &[Flaw] = &[
    Flaw {
        id: "assert-status",
        about: "a failed Assert ends 2.15 with status 75, newer versions with 14",
        sign: |s| s.statuses(&[14], &[75]) && (s.difference.run.is_none() || s.tlc_has(&[2132])),
    },
    Flaw {
        id: "override-status",
        about: "where an operator that TLC has in Java complains, 2.15 ends with status 75 or 76, newer versions with 255",
        sign: |s| s.statuses(&[255], &[75, 76]) && s.tlc_has(OF_OVERRIDES),
    },
    Flaw {
        id: "operator-table",
        about: "2.15 ends with an internal error where a configuration has F(1) = 2",
        sign: |s| s.difference.tlc_status == 255 && s.spec.parsed_config().constants.iter().any(|c| !c.args.is_empty()),
    },
    Flaw {
        id: "finite-counterexample",
        about: "2.15 reports a temporal property that a finite behaviour violates with status 13 and a lasso, newer versions with 12",
        sign: |s| s.statuses(&[12], &[13]) && s.tlc_has(&[2116]),
    },
    Flaw {
        id: "level",
        about: "TLCGet(\"level\") in a state predicate is one less in 2.15",
        sign: |s| follow(&s.tokens, &["TLCGet", "(", "\"level\"", ")"]),
    },
    Flaw {
        id: "tautology",
        about: "2.15 reports <>TRUE and its kin as violated",
        sign: |s| {
            let forms: [&[&str]; 3] = [&["<>", "TRUE"], &["~>", "TRUE"], &["<>", "[]", "TRUE"]];
            s.statuses(&[0, 77], &[13]) && forms.iter().any(|form| follow(&s.tokens, form))
        },
    },
    Flaw {
        id: "product-in-property",
        about: "2.15 evaluates a product in a temporal property without a state, as if it were a constant",
        sign: |s| {
            s.difference.tlc_status == 151
                && s.tlc_has(&[2280])
                && all(&s.tokens, &["*"])
                && one(&s.tokens, &["<>", "~>"])
        },
    },
    Flaw {
        id: "box-in-specification",
        about: "2.15 accepts [](a state predicate) as a part of SPECIFICATION, newer versions refuse it (2213)",
        sign: |s| s.difference.status == 255 && s.difference.message.is_some_and(|m| m.contains("temporal formula")),
    },
    Flaw {
        id: "typed-model-values",
        about: "2.15 lets a typed model value stand beside other kinds in one set",
        sign: |s| s.failed() && has_typed_model_value(&s.spec.config),
    },
    Flaw {
        id: "lazy-except",
        about: "2.15 loses the EXCEPT on a function constructor that is passed to an operator on sequences",
        sign: |s| passed::an_except_of_a_constructor(&s.tokens, ON_SEQUENCES),
    },
    Flaw {
        id: "except-over-functions",
        about: "2.15 loses arguments of a function over a set of functions after several EXCEPTs",
        sign: |s| all(&s.tokens, &["EXCEPT", "->"]) && over_functions(&s.tokens),
    },
    Flaw {
        id: "primed-parameter",
        about: "2.15 misses assignments to a primed parameter that a LET definition is passed for",
        sign: |s| all(&s.tokens, &["LET"]) && primes_a_parameter(&s.tokens),
    },
    Flaw {
        id: "capture",
        about: "2.15 takes the wrong definition where an instantiated module defines a name of the outer one's variables",
        sign: |s| s.tokens.iter().any(|t| t == "INSTANCE") && captures(s.spec),
    },
    Flaw {
        id: "evaluated-again",
        about: "2.15 evaluates a TLCEval of something random again and again",
        sign: |s| all(&s.tokens, &["TLCEval"]) && one(&s.tokens, RANDOM),
    },
    Flaw {
        id: "strings-as-tuples",
        about: "2.15 lets operators on sequences take strings apart",
        sign: |s| {
            // In an assumption, too.
            let failed = s.failed() || s.difference.status == 10;
            failed && one(&s.tokens, ON_SEQUENCES) && s.difference.message.is_some_and(|m| m.contains('"'))
        },
    },
    Flaw {
        id: "temporal-arguments",
        about: "2.15 cannot take temporal formulas as arguments, in LET, or through an instance with parameters",
        sign: |s| {
            s.tlc_has(&[2213, 2214, 2231, 2236, 2241]) || s.tlc_has(&[2115]) && one(&s.tokens, &["INSTANCE", "LET"])
        },
    },
    Flaw {
        id: "primes-in-let",
        about: "2.15 cannot evaluate a prime in a LET inside ENABLED",
        sign: |s| s.tlc_has(&[2280, 2154]) && all(&s.tokens, &["ENABLED", "LET"]),
    },
    Flaw {
        id: "registers",
        about: "2.15 knows fewer registers of TLCGet",
        sign: |s| s.tlc_has(&[2145]) && all(&s.tokens, &["TLCGet"]),
    },
    Flaw {
        id: "subset-assignment",
        about: "2.15 does not take x' \\subseteq S as an assignment",
        sign: |s| {
            s.difference.tlc_status == 75
                && (follow(&s.tokens, &["'", "\\subseteq"]) || all(&s.tokens, &["\\subseteq"]))
        },
    },
    Flaw {
        id: "no-next-action",
        about: "2.15 has no next-state action if the relation is a quantifier over the empty set",
        sign: |s| s.statuses(&[11], &[75]) && s.tlc_has(&[2115]),
    },
];

/// What holds of every version: answers that are not the same twice, and what a property of Java's would have to allow.
const OF_ALL: &[Flaw] = &[
    Flaw {
        id: "random",
        about: "random values, or the time, are not the same twice",
        sign: |s| {
            one(&s.tokens, RANDOM)
                || all(&s.tokens, &["JavaTime"])
                || follow(&s.tokens, &["TLCGet", "(", "\"duration\"", ")"])
        },
    },
    Flaw {
        id: "composition",
        about: "TLC evaluates \\cdot only if the property tlc2.tool.impl.Tool.cdot allows it, and 2.15 never",
        sign: |s| all(&s.tokens, &["\\cdot"]),
    },
    Flaw {
        id: "applied-except",
        about: "TLC takes no notice of the EXCEPT where an action applies [[x \\in S |-> e] EXCEPT ...]: it walks e",
        sign: |s| passed::an_except_of_a_constructor_is_applied(&s.tokens),
    },
    Flaw {
        id: "cyclic-replacement",
        about: "TLC replaces a definition by one that uses it only if the property allowCyclicRedefinitions allows it",
        sign: |s| {
            let overflow =
                s.difference.run.and_then(|r| r.error.as_deref()).is_some_and(|e| e.contains("StackOverflow"));
            overflow && replaced_by_itself(s.spec, &s.tokens)
        },
    },
];

/// The flaw that may explain a disagreement with this version.
pub fn explain(is_2_15: bool, spec: &Specification, difference: Difference<'_>) -> Option<&'static Flaw> {
    let text: String = spec.users().map(|m| m.text.as_str()).collect::<Vec<_>>().join("\n");
    let seen = Seen { spec, tokens: tokens::tokens(&text), difference };
    let own = if is_2_15 { OF_2_15 } else { &[] };
    own.iter().chain(OF_ALL).find(|flaw| (flaw.sign)(&seen))
}

/// A configuration replaces a definition by one whose body uses it.
fn replaced_by_itself(spec: &Specification, tokens: &[String]) -> bool {
    spec.parsed_config().constants.iter().any(|entry| {
        let ConstantValue::Definition(by) = &entry.value else { return false };
        let at = tokens.windows(2).position(|w| w[0] == *by.name && w[1] == "==");
        let body = at.map(|at| tokens[at + 2..].iter().take_while(|t| *t != "==").collect::<Vec<_>>());
        body.is_some_and(|body| body.iter().any(|t| **t == *entry.target.name))
    })
}

/// A model value such as `A_1`.
fn has_typed_model_value(config: &str) -> bool {
    tokens::tokens(config).iter().any(|t| {
        let mut chars = t.chars();
        chars.next().is_some_and(char::is_alphabetic) && chars.next() == Some('_') && chars.next().is_some()
    })
}

/// A function constructor over a set of functions: `\in [` ... `->` ... `] |->`.
fn over_functions(tokens: &[String]) -> bool {
    let begins = tokens.windows(2).enumerate().filter(|(_, w)| w[0] == "\\in" && w[1] == "[").map(|(i, _)| i + 2);
    begins.into_iter().any(|start| {
        let inside: Vec<&String> = tokens[start..].iter().take_while(|t| *t != "]" && *t != "|->").collect();
        inside.iter().any(|t| *t == "->") && tokens.get(start + inside.len() + 1).is_some_and(|t| t == "|->")
    })
}

/// A definition with parameters, one of which its body primes.
fn primes_a_parameter(tokens: &[String]) -> bool {
    let heads = tokens.iter().enumerate().filter(|(_, t)| *t == "==").map(|(i, _)| i);
    heads.into_iter().any(|at| {
        let Some(open) = tokens[..at].iter().rposition(|t| t == "(").filter(|_| at > 0 && tokens[at - 1] == ")") else {
            return false;
        };
        let params = &tokens[open + 1..at - 1];
        let end = tokens[at + 1..].iter().position(|t| t == "==").map_or(tokens.len(), |next| at + 1 + next);
        let body = tokens[at..end].windows(2);
        body.into_iter().any(|w| w[1] == "'" && params.contains(&w[0]) && w[0] != ",")
    })
}

/// A module that is not the root defines a name that is a variable of another one.
fn captures(spec: &Specification) -> bool {
    let all: Vec<Vec<String>> = spec.users().map(|m| tokens::tokens(&m.text)).collect();
    let variables: Vec<&String> = all.iter().flat_map(|tokens| declared(tokens)).collect();
    let defined = |tokens: &[String]| -> Vec<String> {
        tokens.windows(2).filter(|w| w[1] == "==").map(|w| w[0].clone()).collect()
    };
    all.iter().any(|tokens| defined(tokens).iter().any(|name| variables.contains(&name)))
}

/// The names after VARIABLE.
fn declared(tokens: &[String]) -> Vec<&String> {
    let mut found = Vec::new();
    for (i, _) in tokens.iter().enumerate().filter(|(_, t)| *t == "VARIABLE" || *t == "VARIABLES") {
        let mut rest = tokens[i + 1..].iter();
        while let Some(name) = rest.next() {
            found.push(name);
            if rest.next().is_none_or(|t| t != ",") {
                break;
            }
        }
    }
    found
}

/// Words of a configuration that a TLC which lacks them cannot be asked about, and that the configuration has.
pub fn lacking(lacks: &[&'static str], config: &str) -> Option<&'static str> {
    // These are written in another way, or have no part in a verdict.
    let needless = ["ALIAS", "CHECK_DEADLOCK"];
    lacks
        .iter()
        .copied()
        .find(|word| !needless.contains(word) && crate::jar::OPTIONAL_WORDS.contains(word) && has_word(config, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specification::Module;

    fn spec(text: &str) -> Specification {
        let module = Module { name: "M".into(), text: text.into(), own: false };
        Specification { modules: vec![module], ..Specification::default() }
    }

    fn cause(text: &str, status: i32, tlc_status: i32) -> Option<&'static str> {
        let difference = Difference { status, message: None, tlc_status, run: None };
        explain(true, &spec(text), difference).map(|f| f.id)
    }

    #[test]
    fn each_flaw_has_its_sign_and_what_has_none_is_not_explained() {
        assert_eq!(cause("Bound == TLCGet(\"level\") < 5", 0, 12), Some("level"));
        assert_eq!(cause("F == [[i \\in S |-> 0] EXCEPT ![2] = 1]\nG == Len(<<1>>)", 0, 12), None);
        assert_eq!(cause("F == SubSeq([[i \\in 1..4 |-> 0] EXCEPT ![2] = 1], 2, 2)", 0, 12), Some("lazy-except"));
        assert_eq!(cause("Op(a, b) == a' = b\nNext == LET z == x IN Op(z, 1)", 12, 0), Some("primed-parameter"));
        assert_eq!(cause("F == [f \\in [S -> T] |-> [f EXCEPT ![1] = 2]]", 0, 12), Some("except-over-functions"));
        assert_eq!(cause("x == RandomElement(S)", 0, 12), Some("random"));
        assert_eq!(cause("Next == x' = [x EXCEPT ![1] = Append(@, 2)]", 0, 12), None);
        assert_eq!(cause("Op(a, b) == x' = a\nNext == LET z == x IN Op(z, 1)", 12, 0), None);
        assert_eq!(cause("\\* TLCGet(\"level\")\nNext == x' = 1", 12, 0), None);
    }

    #[test]
    fn a_newer_version_has_none_of_the_flaws_of_2_15() {
        let difference = Difference { status: 0, message: None, tlc_status: 12, run: None };
        assert!(explain(false, &spec("B == TLCGet(\"level\") < 5"), difference).is_none());
        assert!(explain(false, &spec("B == RandomElement(S)"), difference).is_some());
    }

    #[test]
    fn a_name_that_is_a_variable_elsewhere_is_captured() {
        let outer = Module { name: "M".into(), text: "VARIABLES x, y\nI == INSTANCE N".into(), own: false };
        let inner = Module { name: "N".into(), text: "y == 1".into(), own: false };
        let spec = Specification { modules: vec![outer, inner], ..Specification::default() };
        let difference = Difference { status: 0, message: None, tlc_status: 13, run: None };
        assert_eq!(explain(true, &spec, difference).map(|f| f.id), Some("capture"));
    }
}
