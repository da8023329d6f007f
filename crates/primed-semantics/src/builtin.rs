//! Operators of the language itself: name, number of operands, meaning.

use crate::model::{Builtin, Level};

/// Canonical name, operands (`usize::MAX` for any number), meaning.
const TABLE: &[(&str, usize, Builtin)] = &[
    ("\\land", 2, Builtin::And),
    ("\\lor", 2, Builtin::Or),
    ("=>", 2, Builtin::Implies),
    ("\\equiv", 2, Builtin::Equiv),
    ("\\lnot", 1, Builtin::Not),
    ("=", 2, Builtin::Equal),
    ("/=", 2, Builtin::NotEqual),
    ("\\in", 2, Builtin::In),
    ("\\notin", 2, Builtin::NotIn),
    ("\\subseteq", 2, Builtin::SubsetEq),
    ("\\union", 2, Builtin::Union),
    ("\\intersect", 2, Builtin::Intersection),
    ("\\", 2, Builtin::Difference),
    ("SUBSET", 1, Builtin::PowerSet),
    ("UNION", 1, Builtin::BigUnion),
    ("DOMAIN", 1, Builtin::Domain),
    ("\\times", usize::MAX, Builtin::Product),
    ("'", 1, Builtin::Prime),
    ("ENABLED", 1, Builtin::Enabled),
    ("UNCHANGED", 1, Builtin::Unchanged),
    ("[]", 1, Builtin::Always),
    ("<>", 1, Builtin::Eventually),
    ("~>", 2, Builtin::LeadsTo),
    ("-+->", 2, Builtin::Guarantees),
    ("\\cdot", 2, Builtin::Compose),
    ("BOOLEAN", 0, Builtin::Booleans),
    ("STRING", 0, Builtin::Strings),
];

/// The built-in operator of this canonical name, with its number of operands.
pub(crate) fn lookup(name: &str) -> Option<(Builtin, usize)> {
    TABLE.iter().find(|(n, ..)| *n == name).map(|(_, arity, op)| (*op, *arity))
}

/// The level of an application whose operands reach `operands` (`SANY_AND_TLC.md` 1.5).
pub(crate) fn level(op: Builtin, operands: Level) -> Level {
    match op {
        Builtin::Prime | Builtin::Unchanged | Builtin::Compose => Level::Action,
        Builtin::Enabled => Level::State,
        Builtin::Always | Builtin::Eventually | Builtin::LeadsTo | Builtin::Guarantees => Level::Temporal,
        _ => operands,
    }
}
