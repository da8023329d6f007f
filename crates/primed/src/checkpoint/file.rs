//! The file of a checkpoint: what it was made of, the search, and a checksum over both.
//!
//! ```text
//! 8 bytes   "PRIMEDCK"
//! number    version of this format
//! number    how many facts, then of each: its name, its digest
//! ...       the search, as `primed-explore` writes it
//! 8 bytes   checksum of everything before, little-endian
//! ```
//! Numbers are little-endian base 128 ([`primed_value::encode`]).

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use primed_value::encode::{damaged, read_number, read_text, write_number, write_text};

const MAGIC: &[u8; 8] = b"PRIMEDCK";
const VERSION: u64 = 2;
/// Bytes of the checksum at the end.
const TRAILER: u64 = 8;
/// Bytes that are read or written at once.
const BLOCK: usize = 1 << 16;

/// A checksum and digest of bytes: 64 bits, the same on every machine. It tells files apart that were changed by accident.
#[derive(Clone, Debug)]
pub(crate) struct Digest {
    sum: u64,
    pending: [u8; 8],
    filled: usize,
    length: u64,
}

impl Digest {
    pub(crate) fn new() -> Digest {
        Digest { sum: 0x9e37_79b9_7f4a_7c15, pending: [0; 8], filled: 0, length: 0 }
    }

    fn word(&mut self, word: u64) {
        let product = u128::from(self.sum ^ word) * 0xd6e8_feb8_6659_fd93_u128;
        // Both halves, so that every bit counts; the rotation, so that the order does.
        self.sum = (product as u64 ^ (product >> 64) as u64).rotate_left(23).wrapping_add(word);
    }

    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        while self.filled > 0 && !bytes.is_empty() {
            self.pending[self.filled] = bytes[0];
            (self.filled, bytes) = ((self.filled + 1) % 8, &bytes[1..]);
            if self.filled == 0 {
                self.word(u64::from_le_bytes(self.pending));
            }
        }
        let words = bytes.chunks_exact(8);
        let rest = words.remainder();
        for word in words {
            let mut own = [0; 8];
            own.copy_from_slice(word);
            self.word(u64::from_le_bytes(own));
        }
        if !rest.is_empty() {
            self.pending[..rest.len()].copy_from_slice(rest);
            self.filled = rest.len();
        }
    }

    pub(crate) fn finish(mut self) -> u64 {
        self.pending[self.filled..].fill(0);
        self.word(u64::from_le_bytes(self.pending));
        self.word(self.length);
        self.sum
    }

    /// The digest of a text.
    pub(crate) fn of(text: &str) -> u64 {
        let mut digest = Digest::new();
        digest.add(text.as_bytes());
        digest.finish()
    }
}

/// What a search depends on: names and digests. Two searches with the same facts find the same.
pub(crate) type Facts = [(String, u64)];

/// Adds everything that passes to a checksum.
struct Summing<W> {
    to: W,
    digest: Digest,
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.digest.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writes a checkpoint to a file that does not matter yet, and makes sure that it is on disk.
///
/// # Errors
/// Those of writing.
pub(super) fn write(
    path: &Path,
    facts: &Facts,
    body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<u64> {
    let file = Summing { to: File::create(path)?, digest: Digest::new() };
    let mut out = BufWriter::with_capacity(BLOCK, file);
    out.write_all(MAGIC)?;
    write_number(&mut out, VERSION)?;
    write_number(&mut out, facts.len() as u64)?;
    for (name, digest) in facts {
        write_text(&mut out, name)?;
        write_number(&mut out, *digest)?;
    }
    body(&mut out)?;
    let Summing { to: mut file, digest } = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    let length = digest.length + TRAILER;
    file.write_all(&digest.finish().to_le_bytes())?;
    file.sync_all()?;
    Ok(length)
}

/// A checkpoint that is whole, at the beginning of the search.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) facts: Vec<(String, u64)>,
    pub(super) body: io::Take<BufReader<File>>,
}

/// Opens a checkpoint.
///
/// # Errors
/// Those of reading; a file that is no checkpoint, of another format, or damaged.
pub(super) fn open(path: &Path) -> io::Result<Opened> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let Some(length) = length.checked_sub(TRAILER) else { return Err(damaged("it is cut short")) };
    check(&mut file, length)?;
    file.seek(SeekFrom::Start(0))?;
    let mut body = BufReader::with_capacity(BLOCK, file).take(length);
    let mut magic = [0; MAGIC.len()];
    body.read_exact(&mut magic)?;
    if magic != *MAGIC {
        return Err(damaged("it is no checkpoint"));
    }
    let version = read_number(&mut body)?;
    if version != VERSION {
        return Err(damaged(&format!("it has the format {version}, and this Primed knows the format {VERSION}")));
    }
    let mut facts = Vec::new();
    for _ in 0..read_number(&mut body)? {
        facts.push((read_text(&mut body)?, read_number(&mut body)?));
    }
    Ok(Opened { facts, body })
}

/// Whether what is written at the end is the checksum of the rest.
fn check(file: &mut File, length: u64) -> io::Result<()> {
    let (mut digest, mut block, mut left) = (Digest::new(), vec![0; BLOCK], length);
    while left > 0 {
        let part = &mut block[..left.min(BLOCK as u64) as usize];
        file.read_exact(part)?;
        digest.add(part);
        left -= part.len() as u64;
    }
    let mut trailer = [0; TRAILER as usize];
    file.read_exact(&mut trailer)?;
    match u64::from_le_bytes(trailer) == digest.finish() {
        true => Ok(()),
        false => Err(damaged("its checksum is wrong: it is damaged")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_does_not_depend_on_how_the_bytes_come() {
        let bytes: Vec<u8> = (0..1000u32).map(|n| (n * 7) as u8).collect();
        let mut whole = Digest::new();
        whole.add(&bytes);
        for size in [1, 3, 7, 8, 9, 64, 999] {
            let mut parts = Digest::new();
            bytes.chunks(size).for_each(|part| parts.add(part));
            assert_eq!(parts.finish(), whole.clone().finish());
        }
        let different: std::collections::HashSet<u64> =
            ["", "\0", "\0\0", "a", "a\0", "ab", "ba"].map(Digest::of).into();
        assert_eq!(different.len(), 7);
    }

    #[test]
    fn a_file_that_was_changed_or_cut_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c");
        let facts = [("M.tla".to_owned(), 5)];
        write(&path, &facts, &mut |out| out.write_all(b"the search")).unwrap();
        let mut opened = open(&path).unwrap();
        assert_eq!(opened.facts, facts);
        let mut body = String::new();
        opened.body.read_to_string(&mut body).unwrap();
        assert_eq!(body, "the search");
        let bytes = std::fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            std::fs::write(&path, &changed).unwrap();
            assert!(open(&path).is_err(), "byte {at}");
            std::fs::write(&path, &bytes[..at]).unwrap();
            assert!(open(&path).is_err(), "cut at {at}");
        }
    }
}
