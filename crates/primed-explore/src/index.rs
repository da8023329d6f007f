//! Where records stand, by the hash of what they are found by.
//!
//! A table of numbers alone: the hash is that of the record, and is computed again when the table grows. A line of memory holds
//! sixteen of them, each with as many bits of the hash as its number leaves, so that a record that is not there costs one line, and
//! one that is there costs that and the record. Where numbers leave too few it holds twelve, each with a byte of the hash. Workers look and add without a lock: an entry that is there never changes, and a new
//! one goes to the first free place of its line, which only one worker gets.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// Words of two entries in a line.
const WORDS: usize = 8;
/// Numbers in a line, and in one that has a byte of the hash for each, in its last two words.
const LINE: usize = 2 * WORDS;
const WIDE: usize = 12;
const TAGS: usize = WIDE / 2;
/// From so many numbers on.
const MANY: usize = 1 << 26;

/// Entries are filled from the front; 0 is none.
#[derive(Default)]
#[repr(align(64))]
struct Line([AtomicU64; WORDS]);

/// Numbers of records by the hashes of their keys.
#[derive(Default)]
pub(crate) struct Index {
    lines: Vec<Line>,
    /// The bits of an entry that are the number of the record, plus 1; those above are bits of the hash.
    number: u32,
    /// Lines have bytes of hashes.
    wide: bool,
}

/// Lines, entries and bytes of the hash, for each part of a table.
pub(crate) type Entries = Vec<Vec<(u32, u32, u8)>>;

/// What [`Index::find_or_add`] comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// It was there, or another worker has added it meanwhile.
    Known(u32),
    /// It is there now.
    Added(u32),
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Index(of {})", self.room())
    }
}

impl Index {
    /// A table for so many records, all of whose numbers are less than `numbers`.
    pub(crate) fn with_room(count: usize, numbers: usize) -> Index {
        Index::of(count, numbers, numbers > MANY)
    }

    fn of(count: usize, numbers: usize, wide: bool) -> Index {
        let greatest = numbers.clamp(1, u32::MAX as usize) as u32;
        let number = if wide { u32::MAX } else { u32::MAX >> greatest.leading_zeros() };
        let mut index = Index { lines: Vec::new(), number, wide };
        index.lines = (0..count.div_ceil(index.full())).map(|_| Line::default()).collect();
        index
    }

    /// Entries of a line.
    #[inline]
    fn entries_of_line(&self) -> usize {
        if self.wide { WIDE } else { LINE }
    }

    /// Of these are used on the average, at most: beyond that many are put into lines that are not their own.
    fn full(&self) -> usize {
        self.entries_of_line() - 1
    }

    /// Whether there is room for so many records with numbers less than `numbers`.
    pub(crate) fn has_room(&self, count: usize, numbers: usize) -> bool {
        count <= self.room() && numbers <= self.number as usize
    }

    /// How many records there is room for.
    fn room(&self) -> usize {
        self.lines.len() * self.full()
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.lines.capacity() * size_of::<Line>()
    }

    /// The lines from that of a hash on, and what of the hash stands in an entry.
    #[inline]
    fn place(&self, hash: u64) -> (impl Iterator<Item = &Line>, u32) {
        let first = first_line(hash, self.lines.len());
        let (before, from) = self.lines.split_at_checked(first).unwrap_or_default();
        (from.iter().chain(before), hash as u32 & !self.number)
    }

    /// The first number with this hash of which `is` says yes. `hash` must be spread over all bits.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let (lines, tag) = self.place(hash);
        // A line is free at last, as there are more than records.
        for line in lines {
            match self.look(line, hash, tag, &mut is) {
                Ok(number) => return Some(number),
                Err(at) if at == self.entries_of_line() => {}
                Err(_) => return None,
            }
        }
        None
    }

    /// The number in a line of which `is` says yes, or how many entries were there.
    #[inline]
    fn look(&self, line: &Line, hash: u64, tag: u32, is: &mut impl FnMut(u32) -> bool) -> Result<u32, usize> {
        if self.wide {
            return line.look_wide(byte(hash), is);
        }
        let Line(words) = line;
        for (at, word) in words.iter().enumerate() {
            // What is told by a number was written before it.
            let word = word.load(Ordering::Acquire);
            for (half, entry) in [word as u32, (word >> u32::BITS) as u32].into_iter().enumerate() {
                if (entry ^ tag) & !self.number == 0
                    && let Some(number) = (entry & self.number).checked_sub(1)
                    && is(number)
                {
                    return Ok(number);
                }
                if entry == 0 {
                    return Err(2 * at + half);
                }
            }
        }
        Err(LINE)
    }

    /// As [`Index::find`]; adds the number that `new` gives if there is none. `new` is asked once, and must give a number for which
    /// there is room.
    #[inline]
    pub(crate) fn find_or_add(
        &self,
        hash: u64,
        mut is: impl FnMut(u32) -> bool,
        new: impl FnOnce() -> u32,
    ) -> Option<Found> {
        let (lines, tag) = self.place(hash);
        let (mut new, mut own) = (Some(new), 0);
        for line in lines {
            let mut at = match self.look(line, hash, tag, &mut is) {
                Ok(number) => return Some(Found::Known(number)),
                Err(at) => at,
            };
            while let Some(word) = line.0.get(at / 2).filter(|_| at < self.entries_of_line()) {
                if let Some(new) = new.take() {
                    own = new();
                }
                let (entry, shift) = (tag | (own + 1) & self.number, u32::BITS * (at % 2) as u32);
                let now = word.load(Ordering::Acquire);
                let there = (now >> shift) as u32;
                if there == 0 {
                    let more = now | u64::from(entry) << shift;
                    if word.compare_exchange(now, more, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                        if self.wide {
                            line.0[TAGS + at / 8].fetch_or(u64::from(byte(hash)) << (8 * (at % 8)), Ordering::Relaxed);
                        }
                        return Some(Found::Added(own));
                    }
                    continue;
                }
                // Another worker was first.
                if (there ^ tag) & !self.number == 0
                    && let Some(number) = (there & self.number).checked_sub(1)
                    && is(number)
                {
                    return Some(Found::Known(number));
                }
                at += 1;
            }
        }
        None
    }

    /// Lines of a part of the table.
    fn lines_of_part(&self, together: bool) -> usize {
        let parts = if together { rayon::current_num_threads() } else { 1 };
        self.lines.len().div_ceil(parts).max(1)
    }

    /// Entries for [`Index::add_all`]: those of numbers with their hashes, each with its line, by parts of the table.
    pub(crate) fn entries(&self, numbers: &[(u64, u32)], together: bool) -> Entries {
        let each = self.lines_of_part(together);
        let parts = self.lines.len().div_ceil(each);
        let room = if parts > 1 { numbers.len() / parts * 9 / 8 } else { numbers.len() };
        let mut entries: Entries = (0..parts).map(|_| Vec::with_capacity(room)).collect();
        for (hash, number) in numbers.iter().copied() {
            let line = first_line(hash, self.lines.len());
            if let Some(part) = entries.get_mut(line / each) {
                part.push((line as u32, hash as u32 & !self.number | (number + 1) & self.number, byte(hash)));
            }
        }
        entries
    }

    /// Adds entries for which there is room, and of whose numbers none is there: all workers take part, each with its part of the
    /// table, or one alone.
    pub(crate) fn add_all(&mut self, entries: &[Entries], together: bool) {
        let (each, lines, wide) = (self.lines_of_part(together), self.lines.len(), self.wide);
        let add = |(part, own): (usize, &mut [Line])| {
            let mut beyond = Vec::new();
            for (line, entry, byte) in entries.iter().filter_map(|entries| entries.get(part)).flatten() {
                let own = own.get_mut(*line as usize - part * each..).unwrap_or_default();
                if !own.iter_mut().any(|line| line.add(*entry, *byte, wide)) {
                    beyond.push((*entry, *byte));
                }
            }
            (part, beyond)
        };
        let beyond: Vec<(usize, Vec<(u32, u8)>)> = if together {
            self.lines.par_chunks_mut(each).enumerate().map(add).collect()
        } else {
            self.lines.chunks_mut(each).enumerate().map(add).collect()
        };
        for (part, entries) in beyond {
            // There is no room from their line to the end of the part.
            let (before, from) = self.lines.split_at_mut(lines.min((part + 1) * each));
            for (entry, byte) in entries {
                from.iter_mut().chain(&mut *before).any(|line| line.add(entry, byte, wide));
            }
        }
    }
}

/// The line of so many in which a hash is looked for first.
#[inline]
fn first_line(hash: u64, lines: usize) -> usize {
    (((hash >> u32::BITS) * lines as u64) >> u32::BITS) as usize
}

/// What a wide line tells of a hash; 0 is not known yet.
#[inline]
fn byte(hash: u64) -> u8 {
    (hash as u8).max(1)
}

impl Line {
    /// As [`Index::look`], where a byte of the hash stands beside the entries.
    #[inline]
    fn look_wide(&self, byte: u8, is: &mut impl FnMut(u32) -> bool) -> Result<u32, usize> {
        let Line(words) = self;
        let bytes = [&words[TAGS], &words[TAGS + 1]].map(|word| word.load(Ordering::Relaxed));
        for at in 0..WIDE {
            let entry = (words[at / 2].load(Ordering::Acquire) >> (u32::BITS * (at % 2) as u32)) as u32;
            let Some(number) = entry.checked_sub(1) else { return Err(at) };
            let known = (bytes[at / 8] >> (8 * (at % 8))) as u8;
            if (known == byte || known == 0) && is(number) {
                return Ok(number);
            }
        }
        Err(WIDE)
    }

    /// Adds an entry if there is room. Nobody else adds any meanwhile.
    #[inline]
    fn add(&mut self, entry: u32, byte: u8, wide: bool) -> bool {
        let words = &mut self.0[..if wide { TAGS } else { WORDS }];
        // That they are counted takes less than to guess where the first free one is.
        let count = |word: u64| usize::from(word as u32 != 0) + usize::from(word >> u32::BITS != 0);
        let used: usize = words.iter_mut().map(|word| count(*word.get_mut())).sum();
        let Some(word) = words.get_mut(used / 2) else { return false };
        *word.get_mut() |= u64::from(entry) << (u32::BITS * (used % 2) as u32);
        if wide {
            *self.0[TAGS + used / 8].get_mut() |= u64::from(byte) << (8 * (used % 8));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    fn hash(n: u32) -> u64 {
        u64::from(n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[test]
    fn what_is_added_is_found() {
        for (count, wide) in
            [1, 10, 11, 12, 14, 15, 16, 1000, 100_000u32].into_iter().flat_map(|n| [(n, false), (n, true)])
        {
            let mut index = Index::of(count as usize, 2 * count as usize + 20, wide);
            assert!(index.has_room(count as usize, count as usize) && index.find(hash(0), |_| true).is_none());
            let room = index.room() as u32;
            let mut all = |numbers: Range<u32>, together| {
                let entries = index.entries(&numbers.map(|n| (hash(n), n)).collect::<Vec<_>>(), together);
                index.add_all(&[entries], together);
            };
            all(0..room / 3, true);
            all(room / 3..room / 2, false);
            (room / 2..room).for_each(|n| {
                assert_eq!(index.find_or_add(hash(n), |other| other == n, || n), Some(Found::Added(n)));
            });
            for n in 0..room {
                let mut asked = 0;
                let found = index.find(hash(n), |other| {
                    asked += 1;
                    other == n
                });
                assert_eq!(found, Some(n));
                assert!(asked < 20, "{asked}");
                assert_eq!(index.find_or_add(hash(n), |other| other == n, || 0), Some(Found::Known(n)));
            }
        }
    }

    #[test]
    fn equal_hashes_are_told_apart() {
        equal_hashes(false);
        equal_hashes(true);
    }

    fn equal_hashes(wide: bool) {
        let mut index = Index::of(100, 100, wide);
        let seven = |numbers: Range<u32>| numbers.map(|n| (7, n)).collect::<Vec<_>>();
        index.add_all(&[index.entries(&seven(0..50), false)], false);
        let entries = [50..70, 70..100].map(|numbers| index.entries(&seven(numbers), true));
        index.add_all(&entries, true);
        assert!((0..100).all(|n| index.find(7, |other| other == n) == Some(n)));
        assert_eq!(index.find(7, |_| false), None);
        let none = Index::default();
        assert_eq!(none.find(7, |_| true), None);
        assert_eq!(none.find_or_add(7, |_| true, || 0), None);
        assert!(!none.has_room(1, 1));
        assert!(!Index::with_room(1, MANY).wide && Index::with_room(1, MANY + 1).wide);
    }

    #[test]
    fn of_workers_that_add_the_same_one_is_first() {
        the_first_of_workers(false);
        the_first_of_workers(true);
    }

    fn the_first_of_workers(wide: bool) {
        const EACH: u32 = 20_000;
        // Records are told apart by their numbers less the worker's part; there are few hashes for many records.
        let index = Index::of(EACH as usize, 4 * EACH as usize, wide);
        let added: Vec<u32> = std::thread::scope(|scope| {
            let worker = |worker: u32| {
                let index = &index;
                scope.spawn(move || {
                    let one = |n: u32| index.find_or_add(hash(n / 3), |other| other % EACH == n, || worker * EACH + n);
                    (0..EACH).filter(|n| matches!(one(*n), Some(Found::Added(_)))).count() as u32
                })
            };
            let workers: Vec<_> = (0..4).map(worker).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert_eq!(added.iter().sum::<u32>(), EACH);
        for n in 0..EACH {
            assert!(index.find(hash(n / 3), |other| other % EACH == n).is_some());
        }
    }
}
