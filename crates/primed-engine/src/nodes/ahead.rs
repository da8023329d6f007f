//! Sets that TLC lists before it looks at the first element.
//!
//! Quantifiers, CHOOSE and mapped sets go through a set in order. Newer versions of TLC list it for that as a whole, unless it is one
//! of subsets: what cannot be evaluated of any element, or cannot be compared with another, is found before anything else. Where no
//! element can fail and all come in order anyway, nobody can tell, and nothing is listed.

use primed_value::error::{EvalErrorKind, Place};
use primed_value::host::{Host, Listing, Result};
use primed_value::iterate;
use primed_value::sets;
use primed_value::value::{Lazy, Value};

use crate::env::Env;

/// The set with its elements at hand, if that can be told from going through it as it stands.
///
/// # Errors
/// TLC's for a set that it cannot enumerate; those of listing it.
#[inline]
pub(crate) fn ahead<'a>(env: &mut Env<'a>, set: Value<'a>, place: Place) -> Result<Value<'a>> {
    match set {
        Value::Lazy(lazy) => settled(env, set, lazy, place),
        _ => Ok(set),
    }
}

fn settled<'a>(env: &mut Env<'a>, set: Value<'a>, lazy: &'a Lazy<'a>, place: Place) -> Result<Value<'a>> {
    if !sets::is_enumerable(set) {
        return Err(iterate::non_enumerable_bound(env, set).at(place));
    }
    // A set that is too large to be listed may still be gone through in part.
    if lists_safely(env, lazy, 0) || sets::is_large(set, env.limits().set_size) {
        return Ok(set);
    }
    match sets::to_enumerated(env, set) {
        Err(error) if matches!(error.kind, EvalErrorKind::Limit | EvalErrorKind::Forbidden) => Ok(set),
        listed => listed.map_err(|error| env.gone_through(set, error).at(place)),
    }
}

/// No more sets within sets are looked at.
const DEEPEST: u32 = 6;

/// To list the set cannot fail, once its first element has been found, and gives its elements in the order in which they come.
fn lists_safely<'a>(env: &mut Env<'a>, lazy: &'a Lazy<'a>, level: u32) -> bool {
    let mut all = |parts: &[Value<'a>]| {
        let mut parts = parts.iter();
        level < DEEPEST
            && parts.all(|part| match part {
                Value::Lazy(lazy) => lists_safely(env, lazy, level + 1),
                Value::Set(_) | Value::Interval(_) => true,
                _ => false,
            })
    };
    match lazy {
        // What it consists of is listed first in any case.
        Lazy::Subset(_) => true,
        Lazy::Functions(domain, range) => all(&[*domain, *range]),
        Lazy::Records(_, sets) | Lazy::Product(sets) => all(sets),
        Lazy::Filter(set, closure) => {
            all(&[*set]) && {
                let total = env.program.function(closure.code).is_some_and(|code| code.total);
                total || matches!(env.listing(closure), Listing::Kept(_))
            }
        }
        _ => false,
    }
}
