//! Values of states that are not kept: as they stand, neither put into order nor listed.
//!
//! TLC wants one form for equal values only of states of which it takes the fingerprint. In a state that a constraint leaves out, in one
//! of a simulation, or in one that is seen by a VIEW, there may be a set whose elements cannot be compared, or a function that cannot be computed, as long as nobody looks.

use bumpalo::Bump;
use hashbrown::HashTable;

use crate::fail::deeper;
use crate::freeze::{copy_into, same_row, shape_digest, to_static};
use crate::host::{Host, Result};
use crate::ids::HELD;
use crate::value::{Closure, Lazy, Value};
use crate::{build, sets};

/// Such values, each with a number of its own: those that look alike have one.
#[derive(Default)]
pub(crate) struct Held {
    // INVARIANT: every value lives in `arena`, which is neither reset nor dropped before `self`.
    values: Vec<Value<'static>>,
    ids: HashTable<(u64, u32)>,
    arena: Bump,
}

impl Held {
    /// The id of a value; `None` if there are too many.
    pub(crate) fn id(&mut self, value: Value<'_>) -> Option<u32> {
        let digest = shape_digest(value);
        let Held { values, ids, arena } = self;
        let same = |(other, at): &(u64, u32)| *other == digest && same_row(&[values[*at as usize]], &[value]);
        if let Some((_, at)) = ids.find(digest, same) {
            return Some(HELD | at);
        }
        let at = u32::try_from(values.len()).ok().filter(|at| *at < HELD_MOST)?;
        values.push(to_static(copy_into(arena, value)));
        ids.insert_unique(digest, (digest, at), |(digest, _)| *digest);
        Some(HELD | at)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of an id.
    pub(crate) fn get(&self, id: u32) -> Option<Value<'static>> {
        self.values.get((id & !HELD) as usize).copied()
    }

    /// Bytes of memory that they take.
    pub(crate) fn allocated_bytes(&self) -> usize {
        self.arena.allocated_bytes() + self.ids.allocation_size() + self.values.capacity() * size_of::<Value<'_>>()
    }
}

/// As many as there are numbers for.
const HELD_MOST: u32 = (1 << HELD.trailing_zeros()) - 1;

/// Puts the enumerated sets within a value into order, without listing or computing others, as TLC does it with the initial states
/// of a simulation.
///
/// # Errors
/// TLC's for elements that cannot be compared.
pub fn put_into_order<'a, H: Host<'a> + ?Sized>(h: &mut H, value: Value<'a>) -> Result<()> {
    in_order(h, value, 0)
}

fn in_order<'a, H: Host<'a> + ?Sized>(h: &mut H, value: Value<'a>, depth: u32) -> Result<()> {
    let depth = deeper(h, depth)?;
    let all = |h: &mut H, values: &[Value<'a>]| values.iter().try_for_each(|part| in_order(h, *part, depth));
    match value {
        Value::Bool(_) | Value::Int(_) | Value::String(_) | Value::Model(_) | Value::Interval(_) => Ok(()),
        Value::Tuple(tuple) => all(h, tuple.elements),
        Value::Record(record) => all(h, record.values),
        Value::Function(function) => all(h, function.domain).and_then(|()| all(h, function.values)),
        Value::Set(set) => all(h, set.elements),
        Value::Mixed(items) => all(h, items).and_then(|()| build::sorted(h, items, depth).map(|_| ())),
        Value::Closure(Closure { domain, updates, .. }) => {
            updates.iter().try_for_each(|(key, value)| all(h, &[*value, *key]))?;
            all(h, &[*domain])
        }
        Value::Lazy(lazy) => match lazy {
            _ if !sets::is_enumerable(value) => Ok(()),
            Lazy::Subset(set) | Lazy::BigUnion(set) | Lazy::Filter(set, _) => all(h, &[*set]),
            Lazy::Functions(a, b) | Lazy::Union(a, b) | Lazy::Intersection(a, b) | Lazy::Difference(a, b) => {
                all(h, &[*a, *b])
            }
            Lazy::Records(_, sets) | Lazy::Product(sets) => all(h, sets),
            _ => Ok(()),
        },
    }
}
