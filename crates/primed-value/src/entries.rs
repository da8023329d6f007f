//! A list that grows while others read it, without locks: entries never move. It says where the value of each number is kept.

use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::value::Value;

/// Entries of each of the first chunks. There are as many chunks of one size as the list then has, less the first ones: it is never
/// larger than it needs to be by more than a part of it.
const FIRST_CHUNK: u32 = 1 << 10;
const SAME_SIZE: u32 = 8;
const CHUNKS: usize = 21 * SAME_SIZE as usize;
/// The bit of a word that is a place in a heap, and that of a reference to a value that has a place, too. References are to what is
/// aligned, and have neither bit themselves. 0 is nothing.
const IN_HEAP: u64 = 1;
const BOTH: u64 = 2;

/// A chunk of the list.
type Chunk = OnceLock<Box<[AtomicU64]>>;

/// Where a value is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// As it is.
    Whole(Value<'static>),
    /// In a heap, at this place, of 63 bits.
    InHeap(u64),
}

/// A value in a heap that is kept as it is, too.
// Its address is that of the value.
#[repr(C)]
pub(crate) struct Both {
    pub(crate) value: Value<'static>,
    pub(crate) place: u64,
}

/// Where values are kept, by their numbers.
pub(crate) struct Entries {
    // INVARIANT: a word is 0, or a place with IN_HEAP, or the exposed address of a `&'static Value<'static>`, or with BOTH that of a
    // `&'static Both`.
    chunks: [Chunk; CHUNKS],
}

/// Words are shared between threads, and values with them.
const _: () = {
    const fn shared<T: Sync>() {}
    shared::<Value<'static>>();
    assert!(align_of::<Value<'static>>() > (IN_HEAP | BOTH) as usize);
};

impl Default for Entries {
    fn default() -> Entries {
        Entries { chunks: std::array::from_fn(|_| OnceLock::new()) }
    }
}

impl Entries {
    /// The entry of a number, if it was set.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<Entry> {
        let (chunk, index) = place(number);
        let word = self.chunks.get(chunk)?.get()?.get(index)?.load(Ordering::Acquire);
        if word & IN_HEAP != 0 {
            return Some(Entry::InHeap(word >> 1));
        }
        // SAFETY: by the invariant, it is null or the address of a value that lives, unchanged, as long as the process as far as
        // the compiler knows, made by `set_whole` or `set_both` from a reference, and exposed there.
        let value = unsafe { ptr::with_exposed_provenance::<Value<'static>>((word & !BOTH) as usize).as_ref() }?;
        Some(Entry::Whole(*value))
    }

    /// The place in a heap of a number, if it has one.
    pub(crate) fn place(&self, number: u32) -> Option<u64> {
        let (chunk, index) = place(number);
        let word = self.chunks.get(chunk)?.get()?.get(index)?.load(Ordering::Acquire);
        match word & (IN_HEAP | BOTH) {
            // SAFETY: as in `get`; with this bit it is the address of a `Both`.
            BOTH => {
                unsafe { ptr::with_exposed_provenance::<Both>((word & !BOTH) as usize).as_ref() }.map(|both| both.place)
            }
            0 => None,
            _ => Some(word >> 1),
        }
    }

    /// Sets the value of a number; it is set once.
    pub(crate) fn set_whole(&self, number: u32, value: &'static Value<'static>) {
        self.set(number, ptr::from_ref(value).expose_provenance() as u64);
    }

    /// Sets the value of a number that has a place already.
    pub(crate) fn set_both(&self, number: u32, both: &'static Both) {
        self.set(number, ptr::from_ref(both).expose_provenance() as u64 | BOTH);
    }

    /// Sets the place in a heap of a number; it is set once.
    pub(crate) fn set_place(&self, number: u32, place: u64) {
        self.set(number, place << 1 | IN_HEAP);
    }

    fn set(&self, number: u32, word: u64) {
        let (chunk, index) = place(number);
        let Some(cell) = self.chunks.get(chunk) else { return };
        let size = (FIRST_CHUNK as usize) << (chunk / SAME_SIZE as usize);
        let entries = cell.get_or_init(|| (0..size).map(|_| AtomicU64::new(0)).collect());
        if let Some(entry) = entries.get(index) {
            // What it leads to was written before.
            entry.store(word, Ordering::Release);
        }
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.chunks.iter().filter_map(OnceLock::get).map(|chunk| size_of_val::<[_]>(chunk)).sum()
    }
}

/// Where a number is kept: its chunk and the index there.
fn place(number: u32) -> (usize, usize) {
    let shifted = u64::from(number) + u64::from(FIRST_CHUNK * SAME_SIZE);
    let doubled = shifted.ilog2() - (FIRST_CHUNK * SAME_SIZE).ilog2();
    let bits = FIRST_CHUNK.ilog2() + doubled;
    let chunk = doubled * SAME_SIZE + (shifted >> bits) as u32 % SAME_SIZE;
    (chunk as usize, (shifted & ((1 << bits) - 1)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_places_of_their_own() {
        let size = |chunk: usize| (FIRST_CHUNK as usize) << (chunk / SAME_SIZE as usize);
        let mut next = (0, 0);
        for number in 0..100 * FIRST_CHUNK {
            assert_eq!(place(number), next);
            next = if next.1 + 1 == size(next.0) { (next.0 + 1, 0) } else { (next.0, next.1 + 1) };
        }
        assert!(place(u32::MAX / 2).0 < CHUNKS);
    }

    #[test]
    fn what_is_set_is_there() {
        static SEVEN: Value<'static> = Value::Int(7);
        let entries = Entries::default();
        for number in (0..20_000).rev() {
            match number % 2 {
                0 => entries.set_place(number, u64::from(number)),
                _ => entries.set_whole(number, &SEVEN),
            }
        }
        assert!((0..20_000).all(|number| match entries.get(number) {
            Some(Entry::InHeap(place)) => number % 2 == 0 && place == u64::from(number),
            Some(Entry::Whole(Value::Int(7))) => number % 2 == 1,
            _ => false,
        }));
        assert!(entries.get(1 << 20).is_none());
        entries.set_place(1 << 20, u64::MAX >> 1);
        assert!(matches!(entries.get(1 << 20), Some(Entry::InHeap(place)) if place == u64::MAX >> 1));
        assert!(entries.get((1 << 20) + 1).is_none());
        assert!(entries.bytes() > 160_000);
        static BOTH: Both = Both { value: Value::Int(8), place: 5 };
        assert_eq!((entries.place(0), entries.place(1), entries.place(2)), (Some(0), None, Some(2)));
        entries.set_both(2, &BOTH);
        assert!(matches!(entries.get(2), Some(Entry::Whole(Value::Int(8)))));
        assert_eq!(entries.place(2), Some(5));
    }
}
