//! Raising evaluation errors in TLC's words, and the bound on how deep values may be nested.

use std::fmt::Display;

use crate::error::{EvalError, EvalErrorKind};
use crate::host::{Host, Result};
use crate::print::print_short;
use crate::value::Value;

/// Values nested deeper than this are refused: the operations recurse over them.
pub(crate) const MAX_NESTING: u32 = 1_000;

/// The longest printed value within a message.
const MAX_SHOWN: usize = 4_000;

/// TLC's number for errors without one.
pub(crate) const GENERAL: u32 = 1000;

/// An error without a number of its own.
#[cold]
pub(crate) fn fail<T>(message: impl Into<String>) -> Result<T> {
    Err(EvalError::new(GENERAL, message))
}

/// An error with TLC's number.
#[cold]
pub(crate) fn fail_code<T>(code: u32, message: impl Into<String>) -> Result<T> {
    Err(EvalError::new(code, message))
}

/// A limit that was reached.
#[cold]
pub(crate) fn fail_limit<T>(message: impl Into<String>) -> Result<T> {
    Err(EvalError::of_kind(EvalErrorKind::Limit, GENERAL, message))
}

/// An error inside of a Java override that has no number of its own: TLC wraps its text.
#[cold]
pub(crate) fn fail_override<T>(method: &str, cause: impl Display) -> Result<T> {
    fail_code(OVERRIDE, override_text(method, cause))
}

/// TLC's number for a failure inside of a Java override.
pub(crate) const OVERRIDE: u32 = 2154;

pub(crate) fn override_text(method: &str, cause: impl Display) -> String {
    format!(
        "Attempted to apply the operator overridden by the Java method\npublic static {method},\nbut it produced the following error:\n{cause}"
    )
}

/// The value as it appears in messages.
#[cold]
pub(crate) fn show<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> String {
    print_short(h, v, MAX_SHOWN)
}

/// One level deeper, or the error that TLC gives for an exhausted stack.
#[inline]
pub(crate) fn deeper<'a, H: Host<'a> + ?Sized>(h: &H, depth: u32) -> Result<u32> {
    if depth >= MAX_NESTING.min(h.limits().depth) {
        return too_deep();
    }
    Ok(depth + 1)
}

#[cold]
fn too_deep() -> Result<u32> {
    Err(EvalError::of_kind(EvalErrorKind::StackOverflow, 1005, "StackOverflowError: a value is nested too deep."))
}
