//! Windows from a reader: read in pieces, judged in parallel, reported in order.

use std::io::{self, BufRead, Read};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::checker::Checker;
use crate::verdict::{Outcome, Trouble, Verdict};

/// Lines judged together.
const BATCH_LINES: usize = 2_048;
/// Bytes after which a batch is judged even if it has fewer lines.
const BATCH_BYTES: usize = 4 << 20;
/// Longest line that is looked at.
const MAX_LINE: usize = 64 << 20;

impl Checker {
    /// Judges every window of a reader, one a line. Verdicts arrive in the order of the lines; `report` may end it by giving
    /// false. `progress` hears the bytes read so far.
    ///
    /// # Errors
    /// If reading fails. A bad line is a verdict, not an error.
    pub fn judge_all(
        &self,
        mut reader: impl BufRead,
        report: &mut dyn FnMut(Verdict) -> bool,
        progress: &mut dyn FnMut(u64),
    ) -> io::Result<()> {
        let (mut number, mut bytes, mut ended) = (0, 0u64, false);
        while !ended {
            let mut batch: Vec<(usize, Result<String, String>)> = Vec::new();
            let mut size = 0;
            while batch.len() < BATCH_LINES && size < BATCH_BYTES {
                let Some((length, line)) = read_line(&mut reader)? else {
                    ended = true;
                    break;
                };
                number += 1;
                size += length;
                batch.push((number, line));
            }
            bytes += size as u64;
            let verdicts: Vec<Option<Verdict>> =
                batch.into_par_iter().map(|(number, line)| self.judge_or_complain(number, line)).collect();
            progress(bytes);
            for verdict in verdicts.into_iter().flatten() {
                if !report(verdict) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn judge_or_complain(&self, number: usize, line: Result<String, String>) -> Option<Verdict> {
        match line {
            Ok(text) => self.judge_line(number, &text),
            Err(message) => Some(Verdict::on_line(number, Outcome::Error(Trouble::new(message)))),
        }
    }
}

/// One line without its break, with the bytes it took; or why it cannot be looked at.
fn read_line(reader: &mut impl BufRead) -> io::Result<Option<(usize, Result<String, String>)>> {
    let mut bytes = Vec::new();
    let length = reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if length == 0 {
        return Ok(None);
    }
    if length > MAX_LINE {
        let skipped = skip_line(reader)?;
        let message = format!("the line has more than {MAX_LINE} bytes, which is the limit");
        return Ok(Some((length + skipped, Err(message))));
    }
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    let text = String::from_utf8(bytes)
        .map_err(|e| format!("byte {} of the line is not UTF-8", e.utf8_error().valid_up_to() + 1));
    Ok(Some((length, text)))
}

fn skip_line(reader: &mut impl BufRead) -> io::Result<usize> {
    let mut skipped = 0;
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(skipped);
        }
        let (used, done) = match buffer.iter().position(|b| *b == b'\n') {
            Some(i) => (i + 1, true),
            None => (buffer.len(), false),
        };
        reader.consume(used);
        skipped += used;
        if done {
            return Ok(skipped);
        }
    }
}
