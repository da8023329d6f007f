//! Rows of numbers of one length, the older ones on disk if they must be.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use crate::bytes::{damaged, read_number, read_words, write_number, write_words};
use crate::layout::{Bits, Layout};

/// Bytes that are copied at once.
const BLOCK: usize = 1 << 16;
/// Records of so many bytes are read from disk without an allocation.
const SMALL: usize = 512;
/// Bytes of a word.
const WORD: usize = size_of::<u32>();

/// Records that are laid out together; a power of two.
const CHUNK: usize = 1 << 9;

/// Records of one layout. All but the last have [`CHUNK`] of them.
#[derive(Debug)]
struct Chunk {
    layout: Layout,
    bits: Bits,
}

/// A growing list of records of `stride` words.
#[derive(Debug)]
pub(crate) struct Records {
    stride: usize,
    /// Records that are on disk; those after them are in `chunks`.
    spilled: usize,
    /// Records in `chunks`.
    count: usize,
    chunks: Vec<Chunk>,
    /// Bytes of those of these that are full.
    closed: usize,
    /// A layout that all records fit of those that are in chunks which are full: the next one begins with it, so that it grows seldom.
    roomy: Option<Layout>,
    file: Option<File>,
}

impl Records {
    pub(crate) fn new(stride: usize) -> Records {
        Records { stride, spilled: 0, count: 0, chunks: Vec::new(), closed: 0, roomy: None, file: None }
    }

    /// How many records there are.
    pub(crate) fn len(&self) -> usize {
        self.spilled + self.count
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        let open = if self.count.is_multiple_of(CHUNK) { 0 } else { self.chunks.last().map_or(0, Chunk::bytes) };
        self.closed + open + self.chunks.capacity() * size_of::<Chunk>()
    }

    /// Adds a record, given in parts that have `stride` words together.
    pub(crate) fn push(&mut self, parts: &[&[u32]]) {
        let words = || parts.iter().flat_map(|part| part.iter().copied());
        let number = self.count % CHUNK;
        if number == 0 {
            let layout = self.roomy.take().unwrap_or_else(|| Layout::of(words()));
            let bits = Bits::with_room(&layout, self.room(number));
            self.chunks.push(Chunk { layout, bits });
        }
        let room = self.room(number);
        let Some(last) = self.chunks.last_mut() else { return };
        if !last.layout.fits(words()) {
            *last = last.laid_out(last.layout.with(words()), number, room, self.stride);
        }
        last.bits.push(&last.layout, number, words());
        self.count += 1;
        if number + 1 == CHUNK {
            self.roomy = Some(last.layout.clone());
            last.close(self.stride);
            self.closed += last.bytes();
        }
    }

    /// For how many records a chunk gets room that has `number`: the first one may be all that there is.
    fn room(&self, number: usize) -> usize {
        if self.count < CHUNK { (2 * number).clamp(4, CHUNK) } else { CHUNK }
    }

    /// Appends words of a record to `out`; nothing if there is no such record.
    pub(crate) fn read(&self, record: usize, words: Range<usize>, out: &mut Vec<u32>) -> io::Result<()> {
        if record >= self.spilled {
            if let Some((chunk, number)) = self.chunk(record) {
                out.extend(chunk.bits.numbers(&chunk.layout, number, words));
            }
            return Ok(());
        }
        self.look_on_disk(record, words, |bytes| out.extend(words_of(bytes)))
    }

    /// Where a record in memory is.
    #[inline]
    fn chunk(&self, record: usize) -> Option<(&Chunk, usize)> {
        let record = record - self.spilled;
        (record < self.count).then(|| (&self.chunks[record / CHUNK], record % CHUNK))
    }

    /// Whether a record has these words from a place on.
    pub(crate) fn matches(&self, record: usize, from: usize, words: &[u32]) -> io::Result<bool> {
        if record >= self.spilled {
            let Some((chunk, number)) = self.chunk(record) else { return Ok(false) };
            let columns = from..from + words.len();
            return Ok(chunk.bits.numbers(&chunk.layout, number, columns).zip(words).all(|(own, word)| own == *word));
        }
        let mut same = false;
        self.look_on_disk(record, from..from + words.len(), |bytes| same = words_of(bytes).eq(words.iter().copied()))?;
        Ok(same)
    }

    /// These words of all records in memory, a block of records at a time.
    fn each_block(&self, columns: Range<usize>, run: &mut dyn FnMut(&[u32]) -> io::Result<()>) -> io::Result<()> {
        let mut words = Vec::with_capacity(CHUNK.min(self.count) * columns.len());
        for (number, chunk) in self.chunks.iter().enumerate() {
            words.clear();
            for record in 0..(self.count - number * CHUNK).min(CHUNK) {
                words.extend(chunk.bits.numbers(&chunk.layout, record, columns.clone()));
            }
            run(&words)?;
        }
        Ok(())
    }

    /// Reads words of a record that is on disk.
    fn look_on_disk(&self, record: usize, words: Range<usize>, look: impl FnOnce(&[u8])) -> io::Result<()> {
        self.look_on_disk_at(record * self.stride + words.start, words.len(), look)
    }

    fn look_on_disk_at(&self, first: usize, count: usize, look: impl FnOnce(&[u8])) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let (length, at) = (count * WORD, (first * WORD) as u64);
        let (mut small, mut large) = ([0; SMALL], Vec::new());
        let bytes = match small.get_mut(..length) {
            Some(bytes) => bytes,
            None => {
                large.resize(length, 0);
                &mut large
            }
        };
        read_at(file, bytes, at)?;
        look(bytes);
        Ok(())
    }

    /// Bytes of memory that [`Records::spill`] would free.
    pub(crate) fn spillable(&self) -> usize {
        self.bytes()
    }

    /// Moves all records to a file of this name, which is removed from the folder at once and from the disk with `self`.
    pub(crate) fn spill(&mut self, path: &Path) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(File::options().read(true).write(true).create(true).truncate(true).open(path)?);
            // Where a file in use cannot be removed, the folder's owner removes it.
            let _ = std::fs::remove_file(path);
        }
        let Some(mut file) = self.file.as_ref() else { return Ok(()) };
        // What a failed attempt left behind is written over.
        file.seek(SeekFrom::Start((self.spilled * self.stride * WORD) as u64))?;
        self.each_block(0..self.stride, &mut |words| write_words(&mut file, words))?;
        self.spilled += self.count;
        (self.count, self.closed, self.chunks) = (0, 0, Vec::new());
        Ok(())
    }

    /// Words of each record, in order.
    pub(crate) fn each(&self, words: Range<usize>, run: &mut dyn FnMut(usize, &[u32])) -> io::Result<()> {
        let stride = self.stride.max(1);
        for first in (0..self.spilled).step_by(CHUNK) {
            let count = (self.spilled - first).min(CHUNK);
            let mut records = Vec::with_capacity(count * stride);
            self.look_on_disk_at(first * stride, count * stride, |bytes| records.extend(words_of(bytes)))?;
            let own = records.chunks_exact(stride).filter_map(|record| record.get(words.clone()));
            own.enumerate().for_each(|(record, words)| run(first + record, words));
        }
        let mut number = self.spilled;
        let (first, width) = (self.spilled, words.len());
        self.each_block(words, &mut |block| {
            // Records of a specification without variables have no words.
            let count = block.len().checked_div(width).unwrap_or((self.count + first - number).min(CHUNK));
            (0..count).for_each(|record| run(number + record, &block[record * width..][..width]));
            number += count;
            Ok(())
        })
    }

    /// Writes all records, their number first.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_number(out, self.stride as u64)?;
        write_number(out, self.len() as u64)?;
        if let Some(file) = &self.file {
            let (mut at, end) = (0, (self.spilled * self.stride * WORD) as u64);
            let mut block = vec![0; BLOCK];
            while at < end {
                let bytes = &mut block[..(end - at).min(BLOCK as u64) as usize];
                read_at(file, bytes, at)?;
                out.write_all(bytes)?;
                at += bytes.len() as u64;
            }
        }
        self.each_block(0..self.stride, &mut |words| write_words(out, words))
    }

    /// Reads what [`Records::write`] wrote, into an empty list.
    pub(crate) fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        if read_number(input)? != self.stride as u64 {
            return Err(damaged("states of another specification"));
        }
        let (mut left, mut words) = (read_number(input)?, Vec::new());
        while left > 0 {
            let block = left.min(CHUNK as u64);
            words.clear();
            read_words(input, block * self.stride as u64, &mut words)?;
            words.chunks_exact(self.stride.max(1)).for_each(|record| self.push(&[record]));
            left -= block;
        }
        Ok(())
    }
}

impl Chunk {
    /// Bytes of memory.
    fn bytes(&self) -> usize {
        self.bits.bytes() + self.layout.bytes()
    }

    /// No more records come: as few bits as what is there needs.
    fn close(&mut self, stride: usize) {
        let mut words = Vec::with_capacity(CHUNK * stride);
        for record in 0..CHUNK {
            words.extend(self.bits.numbers(&self.layout, record, 0..stride));
        }
        let layout = Layout::tight(&words, stride);
        if layout.bits() < self.layout.bits() {
            *self = self.laid_out(layout, CHUNK, CHUNK, stride);
        }
    }

    /// The first `count` records in another layout, in which they fit; there is room for `room` of them.
    fn laid_out(&self, layout: Layout, count: usize, room: usize, stride: usize) -> Chunk {
        let mut bits = Bits::with_room(&layout, room);
        for record in 0..count {
            bits.push(&layout, record, self.bits.numbers(&self.layout, record, 0..stride));
        }
        Chunk { layout, bits }
    }
}

fn words_of(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks_exact(WORD).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        at += read as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_the_same_in_memory_on_disk_and_read_back() {
        let folder = std::env::temp_dir().join(format!("primed-records-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut records = Records::new(3);
        for n in 0..50_000u32 {
            records.push(&[&[n, n + 1], &[n * 7]]);
            if n == 20_000 || n == 30_000 {
                records.spill(&folder.join("records")).unwrap();
                assert_eq!(records.bytes(), 0);
            }
        }
        let mut bytes = Vec::new();
        records.write(&mut bytes).unwrap();
        let mut back = Records::new(3);
        back.restore(&mut bytes.as_slice()).unwrap();
        for list in [&records, &back] {
            assert_eq!(list.len(), 50_000);
            for n in [0, 1, 19_999, 20_000, 20_001, 30_001, 49_999u32] {
                let mut words = Vec::new();
                list.read(n as usize, 0..3, &mut words).unwrap();
                assert_eq!(words, [n, n + 1, n * 7]);
                assert!(list.matches(n as usize, 1, &[n + 1, n * 7]).unwrap());
                assert!(!list.matches(n as usize, 1, &[n + 2, n * 7]).unwrap());
            }
        }
        assert!(Records::new(4).restore(&mut bytes.as_slice()).is_err());
        assert!(Records::new(3).restore(&mut &bytes[..bytes.len() - 1]).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
