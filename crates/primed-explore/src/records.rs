//! Rows of numbers of one length, in blocks: one for each worker that adds some, those that are full in few bits, the older ones on
//! disk if they must be.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::bytes::{damaged, read_number, read_words, write_number, write_words};
use crate::layout::{Bits, Layout};

/// Records of a block, which have numbers that follow each other; a power of two.
pub(crate) const BLOCK: usize = 1 << 9;
/// Records that a new block has room for, at least; the first one may be all that there is.
const FIRST: usize = 8;
/// Bytes that any other has room for at first, if that is more: records may be long.
const ROOM: usize = 1 << 16;
/// How many times as many it gets room for when these are there.
const GROWTH: usize = 4;
/// Records of so many bytes are read from disk without an allocation.
const SMALL: usize = 512;
/// Bytes of a word.
const WORD: usize = size_of::<u32>();

/// Records whose numbers follow each other.
#[derive(Debug)]
enum Block {
    /// One worker adds records, all read them.
    Open(Box<Open>),
    /// No more records come.
    Closed(Chunk),
    /// So many records are on disk.
    Spilled(usize),
}

/// Records to which one worker adds others. Blocks of two workers share no line of memory.
#[derive(Debug)]
#[repr(align(128))]
struct Open {
    /// How many there are.
    len: AtomicU32,
    words: Box<[AtomicU32]>,
}

/// Records of one layout.
#[derive(Debug)]
pub(crate) struct Chunk {
    layout: Layout,
    bits: Bits,
    len: usize,
}

/// Where a worker adds records.
#[derive(Debug, Default)]
pub(crate) struct Place {
    block: usize,
    len: usize,
    room: usize,
}

impl Place {
    /// There is room for one more.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.len < self.room
    }

    /// No more go into this block.
    pub(crate) fn is_full(&self) -> bool {
        self.len == BLOCK
    }

    /// More room means another block.
    pub(crate) fn begins_block(&self) -> bool {
        self.is_full() || self.room == 0
    }

    /// The number of the next record.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        (self.block * BLOCK + self.len) as u32
    }
}

/// A growing list of records of `stride` words.
#[derive(Debug)]
pub(crate) struct Records {
    stride: usize,
    blocks: Vec<Block>,
    /// Records in blocks that are closed or on disk, and room in those that are open.
    promised: usize,
    /// Bytes of blocks in memory that are closed, and of those that are open.
    bytes: (usize, usize),
    file: Option<File>,
}

impl Open {
    fn with_room(records: usize, stride: usize) -> Open {
        let words = (0..records * stride).map(|_| AtomicU32::new(0)).collect();
        Open { len: AtomicU32::new(0), words }
    }

    fn len(&self) -> usize {
        self.len.load(Ordering::Acquire) as usize
    }

    fn bytes(&self) -> usize {
        size_of::<Open>() + size_of_val::<[AtomicU32]>(&self.words)
    }

    #[inline]
    fn words(&self, words: Range<usize>) -> impl ExactSizeIterator<Item = u32> {
        self.words.get(words).unwrap_or(&[]).iter().map(|word| word.load(Ordering::Relaxed))
    }
}

impl Chunk {
    /// These rows, in as few bits as they need.
    fn of(rows: &[u32], stride: usize, len: usize) -> Chunk {
        let layout = Layout::tight(rows, stride);
        let bits = Bits::of(&layout, rows, len);
        Chunk { layout, bits, len }
    }

    /// Bytes of memory.
    fn bytes(&self) -> usize {
        self.bits.bytes() + self.layout.bytes()
    }
}

impl Records {
    pub(crate) fn new(stride: usize) -> Records {
        Records { stride, blocks: Vec::new(), promised: 0, bytes: (0, 0), file: None }
    }

    /// How many records there are.
    pub(crate) fn len(&self) -> usize {
        (0..self.blocks.len()).map(|block| self.len_of(block)).sum()
    }

    /// How many there are, and may be without [`Records::make_room`].
    pub(crate) fn promised(&self) -> usize {
        self.promised
    }

    /// All numbers of records are less.
    pub(crate) fn numbers(&self) -> usize {
        self.blocks.len() * BLOCK
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    fn len_of(&self, block: usize) -> usize {
        match self.blocks.get(block) {
            Some(Block::Open(open)) => open.len(),
            Some(Block::Closed(chunk)) => chunk.len,
            Some(Block::Spilled(len)) => *len,
            None => 0,
        }
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.0 + self.bytes.1 + self.blocks.capacity() * size_of::<Block>()
    }

    /// Writes a record, given in parts that have `stride` words together, where there is room. It is not there before it is
    /// [kept](Records::keep).
    #[inline]
    pub(crate) fn put(&self, place: &Place, parts: &[&[u32]]) {
        if let Some(Block::Open(open)) = self.blocks.get(place.block) {
            let words = open.words.get(place.len * self.stride..).unwrap_or(&[]);
            let parts = parts.iter().flat_map(|part| part.iter());
            words.iter().zip(parts).for_each(|(to, word)| to.store(*word, Ordering::Relaxed));
        }
    }

    /// The record that was written last is there from now on.
    #[inline]
    pub(crate) fn keep(&self, place: &mut Place) {
        place.len += 1;
        if let Some(Block::Open(open)) = self.blocks.get(place.block) {
            open.len.store(place.len as u32, Ordering::Release);
        }
    }

    /// A full block in as few bits as it needs; that takes a while.
    pub(crate) fn tighten(&self, place: &Place) -> Option<Chunk> {
        self.tighten_block(place.block)
    }

    fn tighten_block(&self, block: usize) -> Option<Chunk> {
        let Some(Block::Open(open)) = self.blocks.get(block) else { return None };
        let len = open.len();
        let rows: Vec<u32> = open.words(0..len * self.stride).collect();
        Some(Chunk::of(&rows, self.stride, len))
    }

    /// Puts a block in few bits in the place of the open one, to which no worker adds more.
    pub(crate) fn close(&mut self, place: &Place, chunk: Chunk) {
        self.close_block(place.block, chunk);
    }

    fn close_block(&mut self, block: usize, chunk: Chunk) {
        if let Some(old @ Block::Open(_)) = self.blocks.get_mut(block) {
            let (len, bytes) = (chunk.len, chunk.bytes());
            if let Block::Open(open) = std::mem::replace(old, Block::Closed(chunk)) {
                self.promised -= open.words.len().checked_div(self.stride).unwrap_or(BLOCK) - len;
                self.bytes = (self.bytes.0 + bytes, self.bytes.1 - open.bytes());
            }
        }
    }

    /// Closes all blocks: no worker adds records any more.
    pub(crate) fn close_all(&mut self) {
        for block in 0..self.blocks.len() {
            if let Some(chunk) = self.tighten_block(block) {
                self.close_block(block, chunk);
            }
        }
        self.blocks.shrink_to_fit();
    }

    /// Gives a worker more room: in its block, or in a new one if it has none, or a full one.
    pub(crate) fn make_room(&mut self, place: &mut Place) {
        if place.begins_block() {
            *place = Place { block: self.blocks.len(), len: 0, room: 0 };
        }
        let first = if place.block == 0 { FIRST } else { ROOM / (self.stride.max(1) * WORD) };
        let room = (place.room * GROWTH).max(first).clamp(FIRST, BLOCK);
        let mut larger = Open::with_room(room, self.stride);
        if let Some(Block::Open(open)) = self.blocks.get(place.block) {
            for (to, from) in larger.words.iter_mut().zip(open.words(0..open.words.len())) {
                *to.get_mut() = from;
            }
            *larger.len.get_mut() = open.len() as u32;
            self.bytes.1 -= open.bytes();
        }
        self.promised += room - place.room;
        self.bytes.1 += larger.bytes();
        let block = Block::Open(Box::new(larger));
        match self.blocks.get_mut(place.block) {
            Some(old) => *old = block,
            None => self.blocks.push(block),
        }
        place.room = room;
    }

    /// Appends words of a record to `out`; nothing if there is no such record.
    pub(crate) fn read(&self, record: usize, words: Range<usize>, out: &mut Vec<u32>) -> io::Result<()> {
        let number = record % BLOCK;
        match self.blocks.get(record / BLOCK) {
            Some(Block::Closed(chunk)) if number < chunk.len => {
                out.extend(chunk.bits.numbers(&chunk.layout, number, words));
            }
            Some(Block::Open(open)) if number < open.len() => {
                let first = number * self.stride;
                out.extend(open.words(first + words.start..first + words.end));
            }
            Some(Block::Spilled(len)) if number < *len => {
                return self.look_on_disk(record, words, |bytes| out.extend(words_of(bytes)));
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a record has these words from a place on.
    #[inline]
    pub(crate) fn matches(&self, record: usize, from: usize, words: &[u32]) -> io::Result<bool> {
        let (number, columns) = (record % BLOCK, from..from + words.len());
        match self.blocks.get(record / BLOCK) {
            Some(Block::Closed(chunk)) => {
                Ok(chunk.bits.numbers(&chunk.layout, number, columns).zip(words).all(|(own, word)| own == *word))
            }
            // Whoever asks has its number from where it is put after it was written.
            Some(Block::Open(open)) => {
                let first = number * self.stride;
                Ok(open.words(first + columns.start..first + columns.end).eq(words.iter().copied()))
            }
            Some(Block::Spilled(_)) => {
                let mut same = false;
                self.look_on_disk(record, columns, |bytes| same = words_of(bytes).eq(words.iter().copied()))?;
                Ok(same)
            }
            None => Ok(false),
        }
    }

    /// These words of the records of a block, one after the other, appended to `out`.
    fn read_block(&self, block: usize, columns: Range<usize>, out: &mut Vec<u32>) -> io::Result<()> {
        let stride = self.stride.max(1);
        match self.blocks.get(block) {
            Some(Block::Closed(chunk)) => {
                (0..chunk.len)
                    .for_each(|number| out.extend(chunk.bits.numbers(&chunk.layout, number, columns.clone())));
            }
            Some(Block::Open(open)) => (0..open.len()).for_each(|number| {
                let first = number * self.stride;
                out.extend(open.words(first + columns.start..first + columns.end));
            }),
            Some(Block::Spilled(len)) => {
                self.look_on_disk_at(block * BLOCK * stride, len * stride, |bytes| {
                    let words: Vec<u32> = words_of(bytes).collect();
                    let records = words.chunks_exact(stride).filter_map(|record| record.get(columns.clone()));
                    records.for_each(|words| out.extend_from_slice(words));
                })?;
            }
            None => {}
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
        self.bytes.0
    }

    /// Moves all blocks that are closed to a file of this name, which is removed from the folder at once and from the disk with
    /// `self`.
    pub(crate) fn spill(&mut self, path: &Path) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(File::options().read(true).write(true).create(true).truncate(true).open(path)?);
            // Where a file in use cannot be removed, the folder's owner removes it.
            let _ = std::fs::remove_file(path);
        }
        let (mut words, mut at) = (Vec::new(), None);
        for number in 0..self.blocks.len() {
            let Some(Block::Closed(chunk)) = self.blocks.get(number) else { continue };
            let (len, bytes) = (chunk.len, chunk.bytes());
            words.clear();
            self.read_block(number, 0..self.stride, &mut words)?;
            let Some(mut file) = self.file.as_ref() else { return Ok(()) };
            let first = (number * BLOCK * self.stride * WORD) as u64;
            if at != Some(first) {
                file.seek(SeekFrom::Start(first))?;
            }
            write_words(&mut file, &words)?;
            at = Some(first + (words.len() * WORD) as u64);
            self.bytes.0 -= bytes;
            self.blocks[number] = Block::Spilled(len);
        }
        Ok(())
    }

    /// The numbers of the records of a block.
    pub(crate) fn range(&self, block: usize) -> Range<u32> {
        let first = (block * BLOCK) as u32;
        first..first + self.len_of(block) as u32
    }

    /// These columns of the records of a block, one after the other, with their places in the range.
    pub(crate) fn columns(
        &self,
        block: usize,
        columns: Range<usize>,
        run: &mut dyn FnMut(usize, &[u32]),
    ) -> io::Result<()> {
        let (mut records, mut numbers, stride) = (Vec::new(), Vec::with_capacity(BLOCK), self.stride.max(1));
        if matches!(self.blocks.get(block), Some(Block::Spilled(_))) {
            self.read_block(block, 0..self.stride, &mut records)?;
        }
        for (place, column) in columns.enumerate() {
            numbers.clear();
            match self.blocks.get(block) {
                Some(Block::Closed(chunk)) => numbers.extend(chunk.bits.column(&chunk.layout, column, chunk.len)),
                Some(Block::Open(open)) => {
                    numbers.extend(open.words(column..open.len() * stride).step_by(stride));
                }
                Some(Block::Spilled(_)) => numbers.extend(records.iter().skip(column).step_by(stride)),
                None => {}
            }
            run(place, &numbers);
        }
        Ok(())
    }

    /// Writes all records, in their blocks.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_number(out, self.stride as u64)?;
        write_number(out, self.blocks.len() as u64)?;
        let mut words = Vec::new();
        for block in 0..self.blocks.len() {
            words.clear();
            self.read_block(block, 0..self.stride, &mut words)?;
            write_number(out, self.len_of(block) as u64)?;
            write_words(out, &words)?;
        }
        Ok(())
    }

    /// Reads how many blocks [`Records::write`] wrote.
    pub(crate) fn restore(&self, input: &mut dyn Read) -> io::Result<u64> {
        if read_number(input)? != self.stride as u64 {
            return Err(damaged("states of another specification"));
        }
        read_number(input)
    }

    /// Reads the next one of these, which is closed.
    pub(crate) fn restore_block(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let len = read_number(input)? as usize;
        if len > BLOCK {
            return Err(damaged("there are too many states in a block"));
        }
        let mut words = Vec::new();
        read_words(input, (len * self.stride) as u64, &mut words)?;
        let chunk = Chunk::of(&words, self.stride, len);
        self.bytes.0 += chunk.bytes();
        self.promised += len;
        self.blocks.push(Block::Closed(chunk));
        Ok(())
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
        let (mut records, mut place) = (Records::new(3), Place::default());
        for n in 0..50_000u32 {
            if !place.has_room() {
                if place.is_full() {
                    let chunk = records.tighten(&place).unwrap();
                    records.close(&place, chunk);
                }
                records.make_room(&mut place);
            }
            assert_eq!(place.number(), n);
            records.put(&place, &[&[n, n + 1], &[n * 7]]);
            records.keep(&mut place);
            if n == 20_000 || n == 30_000 {
                records.spill(&folder.join("records")).unwrap();
                assert_eq!(records.spillable(), 0);
            }
        }
        assert!(records.promised() >= 50_000 && records.promised() < 50_000 + BLOCK);
        let mut bytes = Vec::new();
        records.write(&mut bytes).unwrap();
        let (mut back, mut input) = (Records::new(3), bytes.as_slice());
        for _ in 0..back.restore(&mut input).unwrap() {
            back.restore_block(&mut input).unwrap();
        }
        assert!(input.is_empty() && back.restore_block(&mut input).is_err());
        records.close_all();
        for list in [&records, &back] {
            assert_eq!((list.len(), list.promised()), (50_000, 50_000));
            for n in [0, 1, 19_999, 20_000, 20_001, 30_001, 49_999u32] {
                let mut words = Vec::new();
                list.read(n as usize, 0..3, &mut words).unwrap();
                assert_eq!(words, [n, n + 1, n * 7]);
                assert!(list.matches(n as usize, 1, &[n + 1, n * 7]).unwrap());
                assert!(!list.matches(n as usize, 1, &[n + 2, n * 7]).unwrap());
            }
            let mut words = Vec::new();
            list.read(50_000, 0..3, &mut words).unwrap();
            assert!(words.is_empty());
        }
        assert!(Records::new(4).restore(&mut bytes.as_slice()).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
