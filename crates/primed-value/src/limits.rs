//! Keeping within the bounds of [`crate::host::Limits`].

use crate::fail::fail_limit;
use crate::host::{Host, Result};

/// Checks that the arena is within the memory limit. It looks at one number, but is not meant for every single value.
///
/// # Errors
/// A [`crate::error::EvalErrorKind::Limit`] error that names the limit.
#[inline]
pub fn check_memory<'a, H: Host<'a> + ?Sized>(h: &H) -> Result<()> {
    let limit = h.limits().memory;
    if h.arena().allocated_bytes() > limit {
        return too_much(limit);
    }
    Ok(())
}

#[cold]
fn too_much(limit: usize) -> Result<()> {
    fail_limit(format!("The memory limit of {limit} bytes for one evaluation was reached."))
}

/// The complaint about an evaluation that takes too long.
#[cold]
pub fn too_many_steps<T>(limit: u64) -> Result<T> {
    fail_limit(format!(
        "The limit of {limit} steps (elements gone through and calls) for one evaluation was reached. More are allowed with \
         --max-steps, or with the limits of the library."
    ))
}

/// Checks that values of this many bytes still fit into the arena.
///
/// # Errors
/// A [`crate::error::EvalErrorKind::Limit`] error that names the limit.
#[inline]
pub fn check_room<'a, H: Host<'a> + ?Sized>(h: &H, bytes: usize) -> Result<()> {
    if bytes > h.limits().memory {
        return too_much(h.limits().memory);
    }
    check_memory(h)
}

/// Checks the number of elements of a set that is being built; every so often the memory too.
#[inline]
///
/// # Errors
/// A [`crate::error::EvalErrorKind::Limit`] error that names the limit.
pub fn check_size<'a, H: Host<'a> + ?Sized>(h: &H, size: usize) -> Result<()> {
    let limit = h.limits().set_size;
    if size > limit {
        return fail_limit(format!("Attempted to construct a set with too many elements (>{limit})."));
    }
    if size % 4096 == 4095 {
        return check_memory(h);
    }
    Ok(())
}
