//! A list that grows while others read it, without locks: entries never move.

use std::sync::OnceLock;

/// Entries of each of the first chunks. There are as many chunks of one size as the list then has, less the first ones: it is never
/// larger than it needs to be by more than a part of it.
const FIRST_CHUNK: u32 = 1 << 10;
const SAME_SIZE: u32 = 8;
const CHUNKS: usize = 21 * SAME_SIZE as usize;

/// A chunk of the list.
type Chunk<T> = OnceLock<Box<[OnceLock<T>]>>;

/// Values by their numbers.
pub(crate) struct Entries<T> {
    chunks: [Chunk<T>; CHUNKS],
}

impl<T> Default for Entries<T> {
    fn default() -> Entries<T> {
        Entries { chunks: std::array::from_fn(|_| OnceLock::new()) }
    }
}

impl<T: Copy> Entries<T> {
    /// The value of a number, if it was set.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<T> {
        let (chunk, index) = place(number);
        self.chunks.get(chunk)?.get()?.get(index)?.get().copied()
    }

    /// Sets the value of a number; it is set once.
    pub(crate) fn set(&self, number: u32, value: T) {
        let (chunk, index) = place(number);
        let Some(cell) = self.chunks.get(chunk) else { return };
        let size = (FIRST_CHUNK as usize) << (chunk / SAME_SIZE as usize);
        let entries = cell.get_or_init(|| (0..size).map(|_| OnceLock::new()).collect());
        if let Some(entry) = entries.get(index) {
            // Nobody else has this number.
            let _ = entry.set(value);
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
        let entries = Entries::default();
        (0..20_000).rev().for_each(|number| entries.set(number, number + 1));
        assert!((0..20_000).all(|number| entries.get(number) == Some(number + 1)));
        assert_eq!(entries.get(1 << 20), None);
        assert!(entries.bytes() > 80_000);
    }
}
