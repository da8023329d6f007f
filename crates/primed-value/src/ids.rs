//! Ids of values: small scalars are ids themselves.

use crate::symbol::Symbol;
use crate::value::{ModelValue, Value};

/// The id of an interned value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// Ids with this bit are scalars; the two bits below say of which kind, the others hold it.
pub(crate) const SCALAR: u32 = 1 << 31;
/// Ids with these bits, and no others above them, are numbers of values that are held as they stand ([`crate::held`]).
pub(crate) const HELD: u32 = 7 << 28;
const KIND_SHIFT: u32 = 29;
const PAYLOAD: u32 = (1 << KIND_SHIFT) - 1;
const BOOL: u32 = 0;
const INT: u32 = 1;
const STRING: u32 = 2;
const MODEL: u32 = 3;
/// The bits of a model value that hold its name; those above hold its type.
const NAME_BITS: u32 = 22;
/// Integers from `-OFFSET` to `OFFSET - 1` are scalars.
const OFFSET: i64 = 1 << (KIND_SHIFT - 1);

/// The scalar that an id is.
#[inline]
pub(crate) fn scalar_of(id: u32) -> Option<Value<'static>> {
    if id & SCALAR == 0 {
        return None;
    }
    let payload = id & PAYLOAD;
    Some(match (id & !SCALAR) >> KIND_SHIFT {
        BOOL => Value::Bool(payload != 0),
        INT => Value::Int(i64::from(payload) - OFFSET),
        STRING => Value::String(Symbol(payload)),
        _ => {
            let name = Symbol(payload & ((1 << NAME_BITS) - 1));
            Value::Model(ModelValue { name, kind: (payload >> NAME_BITS) as u8 })
        }
    })
}

/// The id of a small scalar.
#[inline]
pub(crate) fn scalar(value: Value<'_>) -> Option<ValueId> {
    let (kind, payload) = match value {
        Value::Bool(b) => (BOOL, u32::from(b)),
        Value::Int(n) if (-OFFSET..OFFSET).contains(&n) => (INT, (n + OFFSET) as u32),
        Value::String(Symbol(s)) if s <= PAYLOAD => (STRING, s),
        Value::Model(m) if m.name.0 >> NAME_BITS == 0 && m.kind >> (KIND_SHIFT - NAME_BITS) == 0 => {
            (MODEL, u32::from(m.kind) << NAME_BITS | m.name.0)
        }
        _ => return None,
    };
    Some(ValueId(SCALAR | kind << KIND_SHIFT | payload))
}

/// A number that is small where the id is one of the first values, or that of a small scalar: 33 bits at most.
#[inline]
pub(crate) fn code(id: u32) -> u64 {
    if id & SCALAR == 0 {
        return u64::from(id) << 1;
    }
    let (kind, payload) = ((id & !SCALAR) >> KIND_SHIFT, u64::from(id & PAYLOAD));
    let small = match kind {
        INT => payload.wrapping_sub(OFFSET as u64) << 1 ^ ((payload as i64 - OFFSET) >> 63) as u64,
        _ => payload,
    };
    small << 3 | u64::from(kind) << 1 | 1
}

/// The id of a code.
#[inline]
pub(crate) fn of_code(code: u64) -> u32 {
    if code & 1 == 0 {
        return (code >> 1) as u32;
    }
    let (kind, small) = ((code >> 1) as u32 & 3, code >> 3);
    let payload = match kind {
        INT => ((small >> 1) as i64 ^ -((small & 1) as i64)).wrapping_add(OFFSET) as u64,
        _ => small,
    };
    SCALAR | kind << KIND_SHIFT | payload as u32 & PAYLOAD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_codes() {
        let scalars =
            [Value::Int(0), Value::Int(-OFFSET), Value::Int(OFFSET - 1), Value::Bool(true), Value::String(Symbol(9))];
        let ids = scalars.into_iter().filter_map(scalar).map(|id| id.0).chain([0, 1, SCALAR - 1, u32::MAX]);
        for id in ids {
            assert_eq!(of_code(code(id)), id);
            assert!(code(id) < 1 << 33);
        }
        assert!((-7..=7).all(|n| scalar(Value::Int(n)).is_some_and(|id| code(id.0) < 0x80)));
    }

    #[test]
    fn small_scalars_are_their_own_ids() {
        let same = |value: Value<'_>| scalar_of(scalar(value).unwrap().0).unwrap();
        for n in [0, -1, 1, 1000, OFFSET - 1, -OFFSET] {
            assert!(matches!(same(Value::Int(n)), Value::Int(m) if m == n));
        }
        assert!(scalar(Value::Int(OFFSET)).is_none() && scalar(Value::Int(-OFFSET - 1)).is_none());
        assert!(matches!(same(Value::Bool(true)), Value::Bool(true)));
        assert!(matches!(same(Value::String(Symbol(7))), Value::String(Symbol(7))));
        let model = ModelValue { name: Symbol(300), kind: 5 };
        assert!(matches!(same(Value::Model(model)), Value::Model(m) if m == model));
        assert!(scalar_of(SCALAR - 1).is_none());
    }
}
