//! Rows of numbers of one length, the older ones on disk if they must be.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

/// Words that are written or read at once.
const BLOCK: usize = 1 << 14;

/// A growing list of records of `stride` words.
#[derive(Debug)]
pub(crate) struct Records {
    stride: usize,
    /// Records that are on disk; those after them are in `words`.
    spilled: usize,
    words: Vec<u32>,
    file: Option<File>,
}

impl Records {
    pub(crate) fn new(stride: usize) -> Records {
        Records { stride, spilled: 0, words: Vec::new(), file: None }
    }

    /// How many records there are.
    pub(crate) fn len(&self) -> usize {
        self.spilled + self.words.len() / self.stride
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
    }

    /// Adds a record, given in parts that have `stride` words together.
    pub(crate) fn push(&mut self, parts: &[&[u32]]) {
        parts.iter().for_each(|part| self.words.extend_from_slice(part));
    }

    /// Appends words of a record to `out`; nothing if there is no such record.
    pub(crate) fn read(&self, record: usize, words: Range<usize>, out: &mut Vec<u32>) -> io::Result<()> {
        if record >= self.spilled {
            let first = (record - self.spilled) * self.stride;
            out.extend_from_slice(self.words.get(first + words.start..first + words.end).unwrap_or(&[]));
            return Ok(());
        }
        let Some(file) = &self.file else { return Ok(()) };
        let mut bytes = vec![0; words.len() * size_of::<u32>()];
        read_at(file, &mut bytes, (record * self.stride + words.start) as u64 * size_of::<u32>() as u64)?;
        out.extend(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])));
        Ok(())
    }

    /// Whether a record has these words from a place on.
    pub(crate) fn matches(&self, record: usize, from: usize, words: &[u32]) -> io::Result<bool> {
        if record >= self.spilled {
            let first = (record - self.spilled) * self.stride + from;
            return Ok(self.words.get(first..first + words.len()) == Some(words));
        }
        let mut stored = Vec::with_capacity(words.len());
        self.read(record, from..from + words.len(), &mut stored)?;
        Ok(stored == words)
    }

    /// Moves all records to a file of this name, which is removed from the folder at once and from the disk with `self`.
    pub(crate) fn spill(&mut self, path: &Path) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let options = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
                // Where a file in use cannot be removed, the folder's owner removes it.
                let _ = std::fs::remove_file(path);
                none.insert(options)
            }
        };
        let count = self.words.len() / self.stride;
        file.seek(SeekFrom::End(0))?;
        write_words(file, &self.words)?;
        self.spilled += count;
        self.words = Vec::new();
        Ok(())
    }

    /// Writes all records, their number first.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&(self.stride as u64).to_le_bytes())?;
        out.write_all(&(self.len() as u64).to_le_bytes())?;
        let mut block = Vec::new();
        let step = (BLOCK / self.stride).max(1);
        for first in (0..self.spilled).step_by(step) {
            block.clear();
            for record in first..(first + step).min(self.spilled) {
                self.read(record, 0..self.stride, &mut block)?;
            }
            write_words(out, &block)?;
        }
        write_words(out, &self.words)
    }

    /// Reads what [`Records::write`] wrote, into an empty list.
    pub(crate) fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut number = [0; 8];
        input.read_exact(&mut number)?;
        if u64::from_le_bytes(number) != self.stride as u64 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "states of another specification"));
        }
        input.read_exact(&mut number)?;
        let count = u64::from_le_bytes(number).saturating_mul(self.stride as u64);
        read_words(input, count, &mut self.words)
    }
}

/// Writes words in little-endian order.
pub(crate) fn write_words(out: &mut dyn Write, words: &[u32]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(words.len().min(BLOCK) * size_of::<u32>());
    for block in words.chunks(BLOCK) {
        bytes.clear();
        block.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Reads so many words.
pub(crate) fn read_words(input: &mut dyn Read, count: u64, words: &mut Vec<u32>) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut left = count;
    // Block by block: a number from a damaged file must not take all memory.
    while left > 0 {
        let block = left.min(BLOCK as u64);
        bytes.resize(block as usize * size_of::<u32>(), 0);
        input.read_exact(&mut bytes)?;
        words.extend(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])));
        left -= block;
    }
    Ok(())
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
