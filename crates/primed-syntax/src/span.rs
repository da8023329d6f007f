//! Places in a source file.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// A half-open range of bytes of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A line and column, both from 1. Columns count as SANY's do: UTF-16 code units (a character beyond U+FFFF is two), and a tab
/// advances to the next multiple of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// The text of one file with an index of its lines. Cloning is cheap.
#[derive(Clone)]
pub struct SourceFile {
    inner: Arc<Inner>,
}

struct Inner {
    name: String,
    /// The module that the text was made, if that is not called like the file.
    module: Option<String>,
    text: String,
    line_starts: Vec<u32>,
    /// For each multiple of [`BLOCK`], the first character at or behind it and its column: so that places in one very long
    /// line need not be counted from its beginning. Made when first needed.
    columns: OnceLock<Vec<(u32, u32)>>,
    /// Where the text was written, if it was made of another: the place of a character is that of the last entry at or before it,
    /// and as many columns behind it as there are characters between.
    written: Vec<(u32, Position)>,
}

const BLOCK: usize = 1024;

impl Inner {
    fn columns(&self) -> &[(u32, u32)] {
        self.columns.get_or_init(|| {
            let (mut columns, mut column) = (Vec::new(), 0);
            for (offset, ch) in self.text.char_indices() {
                if offset >= columns.len() * BLOCK {
                    columns.push((offset as u32, column));
                }
                column = after(column, ch);
            }
            columns
        })
    }
}

/// The column, from 0, after a character; a tab goes to the next multiple of 8.
pub(crate) fn after(column: u32, ch: char) -> u32 {
    match ch {
        '\n' => 0,
        '\t' => (column / 8 + 1) * 8,
        _ => column + ch.len_utf16() as u32,
    }
}

impl SourceFile {
    /// A file shown to people as `name`, usually its path. Texts of 4 GiB and more are cut off by the reader before.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        let (name, module) = (name.into(), None);
        SourceFile {
            inner: Arc::new(Inner { name, module, text, line_starts, columns: OnceLock::new(), written: Vec::new() }),
        }
    }

    /// A text that was made of another file, whose places are those where it is written in that file: each entry says where the
    /// character at an offset stands, and those behind it, up to the next entry, stand behind it.
    pub fn made(name: impl Into<String>, text: impl Into<String>, written: Vec<(u32, Position)>) -> SourceFile {
        let mut file = SourceFile::new(name, text);
        if let Some(inner) = Arc::get_mut(&mut file.inner) {
            inner.written = written;
        }
        file
    }

    /// The same as a module of this name.
    pub fn as_module(mut self, module: impl Into<String>) -> SourceFile {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.module = Some(module.into());
        }
        self
    }

    /// The offsets in a range of bytes from which on places cannot be counted on from the place before, in order.
    pub fn breaks(&self, range: std::ops::Range<usize>) -> Vec<usize> {
        let text = self.inner.text.get(range.clone()).unwrap_or("");
        let uneven = text.char_indices().filter(|(_, c)| matches!(c, '\n' | '\t') || c.len_utf16() > 1);
        let mut breaks: Vec<usize> = uneven.map(|(i, c)| range.start + i + c.len_utf8()).collect();
        breaks.push(range.start);
        breaks.extend(self.inner.written.iter().map(|(at, _)| *at as usize));
        breaks.retain(|at| range.contains(at));
        breaks.sort_unstable();
        breaks.dedup();
        breaks
    }

    /// The module that the text was made, if it is not called like the file.
    pub fn made_module(&self) -> Option<&str> {
        self.inner.module.as_deref()
    }

    /// The module that the file goes by: its name without folders and `.tla`, or the module that it was made.
    pub fn module(&self) -> &str {
        self.made_module()
            .unwrap_or_else(|| self.name().rsplit(['/', '\\']).next().unwrap_or("").trim_end_matches(".tla"))
    }

    /// A file as it is stored. What is not UTF-8 becomes U+FFFD, as SANY reads it: legal in comments, strings and around
    /// modules, nowhere else.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> SourceFile {
        SourceFile::new(name, String::from_utf8(bytes).unwrap_or_else(|e| decoded(e.as_bytes())))
    }

    /// The name given to `new`.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// The text of a span; empty if the span is not of this file.
    pub fn slice(&self, span: Span) -> &str {
        self.inner.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The text of a line from 1, without its line break.
    pub fn line(&self, line: u32) -> &str {
        let i = (line as usize).saturating_sub(1);
        let start = self.inner.line_starts.get(i).copied().unwrap_or(0) as usize;
        let end = self.inner.line_starts.get(i + 1).map_or(self.inner.text.len(), |e| *e as usize);
        self.inner.text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// Line and column of a byte offset; of a text that was made of another, where it is written there.
    pub fn position(&self, offset: u32) -> Position {
        let written = &self.inner.written;
        let Some((from, place)) =
            written.partition_point(|(at, _)| *at <= offset).checked_sub(1).and_then(|i| written.get(i))
        else {
            return self.place(offset);
        };
        let between = self.inner.text.get(*from as usize..offset as usize).unwrap_or("");
        Position { column: place.column + between.chars().count() as u32, ..*place }
    }

    /// Line and column of a byte offset in this text, by which what belongs together is told.
    pub(crate) fn place(&self, offset: u32) -> Position {
        let line = self.inner.line_starts.partition_point(|s| *s <= offset).max(1);
        let start = self.inner.line_starts[line - 1];
        let block = match offset as usize / BLOCK {
            near if near * BLOCK <= start as usize => None,
            far => self.inner.columns().get(far).copied(),
        };
        let (from, column) = block.filter(|(at, _)| (start..=offset).contains(at)).unwrap_or((start, 0));
        let before = self.inner.text.get(from as usize..offset as usize).unwrap_or("");
        let column = before.chars().fold(column, after);
        Position { line: line as u32, column: column + 1 }
    }

    /// The span as TLC writes it, `line 1, col 2 to line 3, col 4`; the end is the last character's place.
    pub fn range(&self, span: Span) -> String {
        let (a, b) = (self.position(span.start), self.position(span.end.max(span.start + 1) - 1));
        format!("line {}, col {} to line {}, col {}", a.line, a.column, b.line, b.column)
    }
}

/// Each wrong sequence becomes one U+FFFD, as long ones as Java takes; an encoded surrogate is one, not three as in Rust.
fn decoded(mut bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    while let Some(chunk) = bytes.utf8_chunks().next() {
        text.push_str(chunk.valid());
        let rest = bytes.get(chunk.valid().len()..).unwrap_or_default();
        let wrong = match rest {
            [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..] => 3,
            [0xed, 0xa0..=0xbf, ..] => 2,
            _ => chunk.invalid().len(),
        };
        if wrong > 0 {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        bytes = rest.get(wrong..).unwrap_or_default();
    }
    text
}

/// Two files are the same if their names and texts are.
impl PartialEq for SourceFile {
    fn eq(&self, other: &SourceFile) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner) || (self.name(), self.text()) == (other.name(), other.text())
    }
}

impl Eq for SourceFile {}

impl fmt::Debug for SourceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SourceFile({})", self.inner.name)
    }
}
