//! Where records stand, by the hash of what they are found by.
//!
//! A table of numbers alone: the hash is that of the record, and is computed again when the table grows. A line of memory holds
//! sixteen of them, each with as many bits of the hash as its number leaves, so that a record that is not there costs one line, and
//! one that is there costs that and the record.

use std::fmt;

/// Numbers in a line.
const LINE: usize = 16;
/// Of these are used on the average, at most: beyond that many are put into lines that are not their own.
const FULL: usize = 15;

#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Line([u32; LINE]);

/// Numbers of records by the hashes of their keys.
#[derive(Default)]
pub(crate) struct Index {
    /// Entries are filled from the front; 0 is none.
    lines: Vec<Line>,
    /// The bits of an entry that are the number of the record, plus 1; those above are bits of the hash.
    number: u32,
    len: usize,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Index({} of {})", self.len, self.room())
    }
}

impl Index {
    /// A table for so many records, the last of which has a number below `count`.
    pub(crate) fn with_room(count: usize) -> Index {
        let lines = vec![Line::default(); count.div_ceil(FULL)];
        let greatest = (lines.len() * FULL).min(u32::MAX as usize) as u32;
        Index { lines, number: u32::MAX >> greatest.leading_zeros().min(u32::BITS - 1), len: 0 }
    }

    /// How many records there is room for.
    pub(crate) fn room(&self) -> usize {
        self.lines.len() * FULL
    }

    /// How many records are there.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.lines.capacity() * size_of::<Line>()
    }

    /// The line of a hash, whose first bits are spent, and what of it stands in an entry.
    #[inline]
    fn place(&self, hash: u64) -> (usize, u32) {
        let line = ((hash >> u32::BITS) * self.lines.len() as u64) >> u32::BITS;
        (line as usize, hash as u32 & !self.number)
    }

    /// The first number with this hash of which `is` says yes. `hash` must be spread over all bits.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let (first, tag) = self.place(hash);
        // A line is free at last, as there are more than records.
        let (before, from) = self.lines.split_at_checked(first)?;
        for Line(entries) in from.iter().chain(before) {
            let mut alike = 0u32;
            for (at, entry) in entries.iter().enumerate() {
                alike |= u32::from((entry ^ tag) & !self.number == 0) << at;
            }
            while alike != 0 {
                let entry = entries[alike.trailing_zeros() as usize % LINE];
                if let Some(number) = (entry & self.number).checked_sub(1)
                    && is(number)
                {
                    return Some(number);
                }
                alike &= alike - 1;
            }
            if entries[LINE - 1] == 0 {
                return None;
            }
        }
        None
    }

    /// Adds a number, for which there is room.
    pub(crate) fn insert(&mut self, hash: u64, number: u32) {
        let (first, tag) = self.place(hash);
        let lines = self.lines.len();
        for line in (first..lines).chain(0..first) {
            let entries = &mut self.lines[line].0;
            let used = entries.iter().filter(|entry| **entry != 0).count();
            if let Some(free) = entries.get_mut(used) {
                *free = tag | (number + 1) & self.number;
                self.len += 1;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(n: u32) -> u64 {
        u64::from(n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[test]
    fn what_is_inserted_is_found() {
        for count in [1, 14, 15, 16, 1000, 100_000u32] {
            let mut index = Index::with_room(count as usize);
            assert!(index.room() >= count as usize && index.find(hash(0), |_| true).is_none());
            let room = index.room() as u32;
            (0..room).for_each(|n| index.insert(hash(n), n));
            assert_eq!(index.len(), room as usize);
            for n in 0..room {
                let mut asked = 0;
                let found = index.find(hash(n), |other| {
                    asked += 1;
                    other == n
                });
                assert_eq!(found, Some(n));
                assert!(asked < 20, "{asked}");
            }
        }
    }

    #[test]
    fn equal_hashes_are_told_apart() {
        let mut index = Index::with_room(100);
        (0..100).for_each(|n| index.insert(7, n));
        assert!((0..100).all(|n| index.find(7, |other| other == n) == Some(n)));
        assert_eq!(index.find(7, |_| false), None);
        assert_eq!(Index::default().find(7, |_| true), None);
    }
}
