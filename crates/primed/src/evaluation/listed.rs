//! Properties in a JSON file: the definitions in it as one text, whose places are those in the file.

use primed_syntax::span::{Position, SourceFile};
use primed_value::json;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A list under its key.
#[derive(Deserialize)]
struct Object<'t> {
    #[serde(borrow)]
    invariants: Vec<&'t RawValue>,
}

/// A name with a formula, or with the whole definition.
#[derive(Deserialize)]
struct Named<'t> {
    #[serde(borrow)]
    name: &'t RawValue,
    #[serde(borrow)]
    definition: &'t RawValue,
}

/// The text of a file of properties: of a JSON file the definitions in it, one after the other. Their places are those in the JSON
/// file, where columns count characters as they are written.
///
/// # Errors
/// If a file whose name ends in `.json` is of another form.
pub(super) fn text(file: &SourceFile) -> Result<SourceFile, String> {
    if !file.name().to_ascii_lowercase().ends_with(".json") {
        return Ok(file.clone());
    }
    let malformed = |why: &str| {
        let name = file.name();
        format!(
            "`{name}` is no list of properties{why}: expected {{\"invariants\": [\"Name == formula\", ...]}}, or the array alone"
        )
    };
    serde_json::from_str::<&RawValue>(file.text())
        .map_err(|e| malformed(&format!(" ({})", json::complaint(file.text(), &e))))?;
    let entries = match serde_json::from_str::<Vec<&RawValue>>(file.text()) {
        Ok(entries) => entries,
        Err(_) => serde_json::from_str::<Object<'_>>(file.text()).map_err(|_| malformed(""))?.invariants,
    };
    let mut made = Made::default();
    let mut cursor = Cursor { offset: 0, place: Position { line: 1, column: 1 } };
    for (i, raw) in entries.into_iter().enumerate() {
        cursor = cursor.to(file.text(), offset(file.text(), raw.get()));
        let Some(()) = made.entry(file.text(), cursor, raw) else {
            let Position { line, column } = cursor.place;
            return Err(malformed(&format!(
                " (entry {} at line {line}, column {column} is neither a definition nor an object with `name` and `definition`)",
                i + 1
            )));
        };
    }
    Ok(SourceFile::made(file.name(), made.text, made.written))
}

/// Where a part of a text begins in it.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

/// A character of a file.
#[derive(Clone, Copy)]
struct Cursor {
    offset: usize,
    place: Position,
}

impl Cursor {
    /// One further on.
    fn to(mut self, text: &str, offset: usize) -> Cursor {
        for c in text.get(self.offset..offset).unwrap_or("").chars() {
            self.place = match c {
                '\n' => Position { line: self.place.line + 1, column: 1 },
                _ => Position { column: self.place.column + 1, ..self.place },
            };
        }
        Cursor { offset: offset.max(self.offset), ..self }
    }
}

/// The text, and where it is written.
#[derive(Default)]
struct Made {
    text: String,
    written: Vec<(u32, Position)>,
    /// Where the next character stands if it stands behind the last.
    next: Option<Position>,
}

impl Made {
    /// Adds an entry; nothing if it is of another form.
    fn entry(&mut self, text: &str, cursor: Cursor, raw: &RawValue) -> Option<()> {
        let string = |raw: &RawValue| {
            raw.get().starts_with('"').then(|| characters(raw.get(), cursor.to(text, offset(text, raw.get())).place))
        };
        let definition = match string(raw) {
            Some(definition) => definition,
            None => {
                let Named { name, definition } = serde_json::from_str(raw.get()).ok()?;
                let (name, definition) = (string(name)?, string(definition)?);
                let plain = |part: &[(char, Position)]| part.iter().map(|(c, _)| *c).collect::<String>();
                let whole = plain(&definition);
                if !(whole.trim_start().starts_with(plain(&name).trim()) && whole.contains("==")) {
                    self.named(&name, &definition);
                    return Some(());
                }
                definition
            }
        };
        self.lines(trimmed(&definition), "");
        Some(())
    }

    /// A definition of which the name is apart.
    fn named(&mut self, name: &[(char, Position)], formula: &[(char, Position)]) {
        name.iter().for_each(|(c, place)| self.put(*c, *place));
        self.text.push_str(" ==\n");
        self.lines(trimmed(formula), "  ");
    }

    /// Lines, each behind the same indentation.
    fn lines(&mut self, characters: &[(char, Position)], indent: &str) {
        for line in characters.split(|(c, _)| *c == '\n') {
            self.text.push_str(indent);
            self.next = None;
            line.iter().filter(|(c, _)| *c != '\r').for_each(|(c, place)| self.put(*c, *place));
            self.text.push('\n');
        }
    }

    fn put(&mut self, c: char, place: Position) {
        if self.next != Some(place) {
            self.written.push((self.text.len() as u32, place));
        }
        self.text.push(c);
        self.next = Some(Position { column: place.column + 1, ..place });
    }
}

/// Without blank lines before and white space behind; the first line keeps its column, because what is below stands in columns too.
fn trimmed(characters: &[(char, Position)]) -> &[(char, Position)] {
    let begin = characters.iter().position(|(c, _)| !c.is_whitespace()).unwrap_or(0);
    let begin = characters[..begin].iter().rposition(|(c, _)| *c == '\n').map_or(0, |i| i + 1);
    let end = characters.iter().rposition(|(c, _)| !c.is_whitespace()).map_or(begin, |i| i + 1);
    &characters[begin..end.max(begin)]
}

/// The characters of a JSON string, each with the place where it is written; an escape is where it begins.
fn characters(raw: &str, mut place: Position) -> Vec<(char, Position)> {
    let mut found = Vec::new();
    // The mark before it, and what follows the last one are no part of it.
    let mut rest = raw.get(1..).unwrap_or("");
    place.column += 1;
    while let Some(c) = rest.chars().next().filter(|c| *c != '"') {
        let (written, behind) = rest.split_at_checked(length(c, rest)).unwrap_or((rest, ""));
        found.push((if c == '\\' { escaped(written) } else { c }, place));
        place.column += written.chars().count() as u32;
        rest = behind;
    }
    found
}

/// How many bytes a character of a JSON string takes, the first of `rest`.
fn length(c: char, rest: &str) -> usize {
    let surrogate =
        || matches!(rest.as_bytes().get(2..4), Some([b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B']));
    match (c, rest.as_bytes().get(1)) {
        ('\\', Some(b'u')) if surrogate() => 12,
        ('\\', Some(b'u')) => 6,
        ('\\', _) => 2,
        (c, _) => c.len_utf8(),
    }
}

/// What an escape stands for.
fn escaped(written: &str) -> char {
    let text = serde_json::from_str::<String>(&format!("\"{written}\"")).unwrap_or_default();
    text.chars().next().unwrap_or('\u{fffd}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(json: &str) -> Result<SourceFile, String> {
        text(&SourceFile::new("i.json", json))
    }

    fn place(file: &SourceFile, part: &str) -> (u32, u32) {
        let at = file.position(file.text().find(part).unwrap() as u32);
        (at.line, at.column)
    }

    #[test]
    fn json_has_definitions() {
        let file = listed(r#"{"invariants": ["A == x", {"name": "B", "definition": "y"}]}"#).unwrap();
        assert_eq!(file.text(), "A == x\nB ==\n  y\n");
        assert_eq!((place(&file, "x"), place(&file, "B"), place(&file, "y")), ((1, 23), (1, 37), (1, 56)));
        assert!(listed("{}").is_err_and(|e| e.contains("is no list of properties: expected")));
        assert!(listed("[\n1]").is_err_and(|e| e.contains("entry 1 at line 2, column 1")));
        assert!(listed("[\n\"é\" 1]").is_err_and(|e| e.contains("at line 2, column 5")));
    }

    #[test]
    fn places_are_those_of_what_is_written() {
        let file =
            listed("[\n \"A == \\\"\\u00e9\\ud83d\\ude00é\\\" = x\",\n\"  B == /\\\\ u\\n       /\\\\ v\"]").unwrap();
        assert_eq!(file.text(), "A == \"é\u{1f600}é\" = x\n  B == /\\ u\n       /\\ v\n");
        assert_eq!((place(&file, "\"é"), place(&file, "x"), place(&file, "u")), ((2, 8), (2, 34), (3, 13)));
        assert_eq!(place(&file, "v"), (3, 27));
    }
}
