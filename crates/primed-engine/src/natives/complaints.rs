//! TLC's complaints about arguments of native operators.

use primed_value::error::EvalError;
use primed_value::print;
use primed_value::value::Value;

use crate::env::Env;

/// The longest printed value within a complaint.
const MAX_SHOWN: usize = 4_000;

/// The only argument is not of the kind (2283).
#[cold]
pub(super) fn only<'a>(env: &mut Env<'a>, operator: &str, kind: &str, value: Value<'a>) -> Box<EvalError> {
    let shown = print::print_short(env, value, MAX_SHOWN);
    EvalError::new(2283, format!("The argument of {operator} should be a {kind}, but instead it is:\n{shown}"))
}

/// The first, second, ... argument is not of the kind (2169).
#[cold]
pub(super) fn argument<'a>(
    env: &mut Env<'a>,
    which: &str,
    operator: &str,
    kind: &str,
    value: Value<'a>,
) -> Box<EvalError> {
    let shown = print::print_short(env, value, MAX_SHOWN);
    EvalError::new(2169, format!("The {which} argument of {operator} should be a {kind}, but instead it is:\n{shown}"))
}

/// The operator that is an argument does not give Booleans (2169).
#[cold]
pub(super) fn not_a_test(which: &str, operator: &str, kind: &str) -> Box<EvalError> {
    let shown = "<Operator LAMBDA>";
    EvalError::new(2169, format!("The {which} argument of {operator} should be a {kind}, but instead it is:\n{shown}"))
}

/// The argument is not what the operator applies to (2176).
#[cold]
pub(super) fn wrong_value<'a>(env: &mut Env<'a>, operator: &str, kind: &str, value: Value<'a>) -> Box<EvalError> {
    let shown = print::print_short(env, value, MAX_SHOWN);
    EvalError::new(2176, format!("Applying {operator} to the following value,\nwhich is not {kind}:\n{shown}"))
}

/// An index is outside of a sequence (2183).
#[cold]
pub(super) fn not_in_domain<'a>(
    env: &mut Env<'a>,
    which: &str,
    operator: &str,
    sequence: Value<'a>,
    index: i64,
) -> Box<EvalError> {
    let shown = print::print_short(env, sequence, MAX_SHOWN);
    let domain = "must be in the domain of its first argument:";
    EvalError::new(2183, format!("The {which} argument of {operator} {domain}\n{shown}\n, but instead it is\n{index}"))
}

/// A failure inside of TLC's Java code that has no words of its own (2154).
#[cold]
pub(super) fn in_java(method: &str, cause: &str) -> Box<EvalError> {
    let head = "Attempted to apply the operator overridden by the Java method";
    EvalError::new(2154, format!("{head}\npublic static {method},\nbut it produced the following error:\n{cause}"))
}

/// An operator was called with too few arguments; the resolver does not let that happen.
#[cold]
pub(super) fn too_few(operator: &str) -> Box<EvalError> {
    EvalError::new(1000, format!("{operator} needs more arguments"))
}
