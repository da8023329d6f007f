//! Bytes that grow while others read them, without locks: what was written never moves, and is written once.

use std::sync::atomic::{AtomicU8, Ordering};

/// Bytes of the smallest and of the largest chunk; a chunk is a part of what there is, so that little is unused.
const LEAST: usize = 1 << 8;
const MOST: usize = 1 << 20;
const PART: usize = 16;
/// Bits of a place that tell where in its chunk it is, and which chunk.
const OFFSET_BITS: u32 = 32;
const CHUNK_BITS: u32 = 24;
/// Bits of a place.
pub(crate) const PLACE_BITS: u32 = OFFSET_BITS + CHUNK_BITS;

/// The end of what is in use; whoever has it writes.
#[derive(Debug, Default)]
pub(crate) struct End {
    chunk: usize,
    used: usize,
    /// Bytes of all chunks.
    total: usize,
}

/// A growing list of bytes, with one writer.
#[derive(Default)]
pub(crate) struct Heap {
    // That they are atomic costs nothing: they are read and written as other bytes are, and need no `unsafe`.
    chunks: boxcar::Vec<Box<[AtomicU8]>>,
}

impl Heap {
    /// Writes bytes at the end; gives their place, of [`PLACE_BITS`] bits. `None` if there is no room at all.
    pub(crate) fn push(&self, end: &mut End, bytes: &[u8]) -> Option<u64> {
        let free = |end: &End| self.chunks.get(end.chunk).and_then(|chunk| chunk.get(end.used..end.used + bytes.len()));
        let free = match free(end) {
            Some(free) => free,
            None => {
                let size = (end.total / PART).clamp(LEAST, MOST).max(bytes.len());
                let chunk = self.chunks.push((0..size).map(|_| AtomicU8::new(0)).collect());
                *end = End { chunk, used: 0, total: end.total + size };
                free(end)?
            }
        };
        free.iter().zip(bytes).for_each(|(to, from)| to.store(*from, Ordering::Relaxed));
        let place = u64::from(u32::try_from(end.used).ok()?) | (end.chunk as u64) << OFFSET_BITS;
        end.used += bytes.len();
        (place >> PLACE_BITS == 0).then_some(place)
    }

    /// The bytes from a place on, to the end of a chunk; none if it is no place.
    #[inline]
    pub(crate) fn at(&self, place: u64) -> Reader<'_> {
        let (chunk, offset) = ((place >> OFFSET_BITS) as usize, place as u32 as usize);
        Reader(self.chunks.get(chunk).and_then(|chunk| chunk.get(offset..)).unwrap_or(&[]))
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.chunks.iter().map(|(_, chunk)| size_of_val(chunk) + chunk.len()).sum()
    }
}

/// Reads numbers, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'h>(&'h [AtomicU8]);

impl Reader<'_> {
    /// The next number that [`write`] wrote.
    #[inline]
    pub(crate) fn number(&mut self) -> u64 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        let first = first.load(Ordering::Relaxed);
        self.0 = rest;
        if first < 0x80 { u64::from(first) } else { self.longer(first) }
    }

    fn longer(&mut self, first: u8) -> u64 {
        let (mut number, mut shift) = (u64::from(first & 0x7f), 7);
        while let Some((byte, rest)) = self.0.split_first() {
            let byte = byte.load(Ordering::Relaxed);
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
        number
    }
}

/// Appends a number: seven bits a byte, the lowest first, the highest bit where more follow.
pub(crate) fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let (heap, mut end) = (Heap::default(), End::default());
        let numbers = |n: u64| (0..n % 50).map(move |i| n.wrapping_mul(i).wrapping_mul(0x9e37_79b9) >> (i % 40));
        let write_all = |n: u64| {
            let mut bytes = Vec::new();
            numbers(n).for_each(|number| write(&mut bytes, number));
            bytes
        };
        let places: Vec<u64> = (0..5000).map(|n| heap.push(&mut end, &write_all(n)).unwrap()).collect();
        for (n, place) in places.iter().enumerate() {
            assert!(place >> PLACE_BITS == 0);
            let mut reader = heap.at(*place);
            assert!(numbers(n as u64).all(|number| reader.number() == number));
        }
        // Longer than a chunk.
        let long = heap.push(&mut end, &vec![5; 1 << 20]).unwrap();
        assert_eq!(heap.at(long).number(), 5);
        assert_eq!(heap.at(u64::MAX).number(), 0);
        assert!(heap.bytes() > 1 << 20);
    }
}
