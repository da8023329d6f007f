//! Numbers as bytes, little-endian, lists with their length first.

use std::io::{self, Read, Write};

/// Words that are written or read at once.
const BLOCK: usize = 1 << 14;

/// What is wrong with bytes that are not what was written.
pub(crate) fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// A number that is written with a fixed length.
pub(crate) trait Word: Copy {
    /// Its length.
    const BYTES: usize;
    /// Appends its bytes.
    fn put(self, bytes: &mut Vec<u8>);
    /// The number of so many bytes.
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! word {
    ($($type:ty)*) => {
        $(impl Word for $type {
            const BYTES: usize = size_of::<$type>();

            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn of(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$type>()];
                own.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
                <$type>::from_le_bytes(own)
            }
        })*
    };
}

word!(u8 u32 u64);

/// Writes a number.
pub(crate) fn write_number(out: &mut dyn Write, number: u64) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

/// Reads a number.
pub(crate) fn read_number(input: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Writes words without their number.
pub(crate) fn write_words<W: Word>(out: &mut dyn Write, words: &[W]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(words.len().min(BLOCK) * W::BYTES);
    for block in words.chunks(BLOCK) {
        bytes.clear();
        block.iter().for_each(|word| word.put(&mut bytes));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Reads so many words.
pub(crate) fn read_words<W: Word>(input: &mut dyn Read, count: u64, words: &mut Vec<W>) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut left = count;
    // Block by block: a number from a damaged file must not take all memory.
    while left > 0 {
        let block = left.min(BLOCK as u64);
        bytes.resize(block as usize * W::BYTES, 0);
        input.read_exact(&mut bytes)?;
        words.extend(bytes.chunks_exact(W::BYTES).map(W::of));
        left -= block;
    }
    Ok(())
}

/// Writes a list.
pub(crate) fn write_list<W: Word>(out: &mut dyn Write, words: &[W]) -> io::Result<()> {
    write_number(out, words.len() as u64)?;
    write_words(out, words)
}

/// Reads a list.
pub(crate) fn read_list<W: Word>(input: &mut dyn Read) -> io::Result<Vec<W>> {
    let count = read_number(input)?;
    let mut words = Vec::new();
    read_words(input, count, &mut words)?;
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_back_and_a_length_alone_takes_no_memory() {
        let mut bytes = Vec::new();
        write_list(&mut bytes, &[1u64, u64::MAX]).unwrap();
        write_list(&mut bytes, &[7u32; 40_000]).unwrap();
        write_list(&mut bytes, &[3u8, 4]).unwrap();
        let mut input = bytes.as_slice();
        assert_eq!(read_list::<u64>(&mut input).unwrap(), [1, u64::MAX]);
        assert_eq!(read_list::<u32>(&mut input).unwrap(), [7; 40_000]);
        assert_eq!(read_list::<u8>(&mut input).unwrap(), [3, 4]);
        assert!(input.is_empty());
        assert!(read_list::<u64>(&mut [0xff; 16].as_slice()).is_err());
    }
}
