//! Properties that are given beside the specification: a text of definitions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::listed;
use primed_syntax::span::{Position, SourceFile};
use primed_syntax::{PieceKind, WordKind, is_reserved, parse_pieces, words};

/// Properties that are given beside those of the configuration.
#[derive(Clone, Debug)]
pub enum GivenProperties {
    /// Definitions of the specification, by name.
    Names(Vec<String>),
    /// Definitions in a text of their own, which may use all that the specification defines.
    Text(SourceFile),
}

impl GivenProperties {
    /// Whether it can be read as properties at all.
    ///
    /// # Errors
    /// If it is a JSON file of another form.
    pub fn check(&self) -> Result<(), String> {
        match self {
            GivenProperties::Names(_) => Ok(()),
            GivenProperties::Text(file) => listed::text(file).map(|_| ()),
        }
    }
}

/// Definitions cut out of a text.
pub(super) struct Definitions {
    file: SourceFile,
    /// The modules after EXTENDS.
    extends: Vec<String>,
    parts: Vec<Part>,
}

/// A unit of the text.
struct Part {
    /// The definition's name; others belong to all definitions.
    name: Option<Arc<str>>,
    /// Its lines, whole.
    from: usize,
    to: usize,
    /// What it mentions.
    uses: BTreeSet<String>,
    /// The new names, where old ones would clash.
    names: Vec<(usize, usize)>,
}

impl Definitions {
    /// The name of the text.
    pub(super) fn file_name(&self) -> &str {
        self.file.name()
    }

    /// Cuts a text into its definitions. It may be a module, or have the definitions only, after EXTENDS if there is any.
    pub(super) fn new(file: &SourceFile) -> Definitions {
        let header = format!("---- MODULE {MODULE} ----\n");
        let has_header = parse_pieces(file).name.is_some();
        // The same lines with a module around them.
        let (source, shift) = match has_header {
            true => (file.clone(), 0),
            false => (SourceFile::new(file.name(), format!("{header}{}\n====\n", file.text())), header.len()),
        };
        let pieces = parse_pieces(&source);
        let all = words(&source);
        let mut found = Definitions { file: file.clone(), extends: Vec::new(), parts: Vec::new() };
        for piece in &pieces.pieces {
            found.extends.extend(piece.extends.iter().map(|e| e.name.to_string()));
            let kept = !matches!(
                piece.kind,
                PieceKind::Extends | PieceKind::Separator | PieceKind::Theorem | PieceKind::Variables
            );
            let name = piece.name.clone().filter(|_| piece.kind == PieceKind::Definition);
            if !kept {
                continue;
            }
            let inside = all.iter().filter(|w| piece.span.start <= w.span.start && w.span.start < piece.span.end);
            let names: Vec<_> = inside.filter(|w| w.kind == WordKind::Name).collect();
            found.parts.push(Part {
                name,
                from: (piece.span.start as usize).saturating_sub(shift),
                to: (piece.span.end as usize).saturating_sub(shift),
                uses: names.iter().map(|w| source.slice(w.span).to_owned()).collect(),
                names: names
                    .iter()
                    .map(|w| {
                        ((w.span.start as usize).saturating_sub(shift), (w.span.end as usize).saturating_sub(shift))
                    })
                    .collect(),
            });
        }
        found
    }

    /// The names that are defined without parameters, and, unless all are properties, that no other definition uses: what is used
    /// is a means to an end.
    pub(super) fn properties(&self, all: bool) -> Vec<Arc<str>> {
        let used = |name: &str| {
            !all && self.parts.iter().any(|part| part.name.as_deref() != Some(name) && part.uses.contains(name))
        };
        let text = self.file.text();
        let bare = |part: &&Part| {
            let rest = part.name.as_ref().and_then(|name| text.get(part.from + name.len()..part.to));
            rest.is_some_and(|rest| rest.trim_start().starts_with(['=', '\u{225c}']))
        };
        self.parts.iter().filter(bare).filter_map(|p| p.name.clone()).filter(|name| !used(name)).collect()
    }

    /// A module that extends the specification by these definitions and what they use; and their names in it, which are others if
    /// the specification has some of them.
    /// Its places are those of the text.
    pub(super) fn module(&self, spec: &str, taken: &BTreeSet<String>, wanted: &[&str]) -> (SourceFile, Vec<String>) {
        let module = module_name(spec, taken);
        let mut extends = vec![spec.to_owned()];
        extends.extend(self.extends.iter().filter(|e| **e != spec).cloned());
        let renamed = self.renamed(taken);
        let needed = self.needed(wanted);
        let mut made =
            Made { text: format!("---- MODULE {module} ---- EXTENDS {}\n", extends.join(", ")), written: Vec::new() };
        for part in self.parts.iter().filter(|p| p.name.as_deref().is_none_or(|name| needed.contains(name))) {
            // In the same column, by which lists are told apart.
            let before = self.file.text().get(..part.from).unwrap_or("");
            let line = before.rsplit('\n').next().unwrap_or("");
            made.text.extend(line.chars().map(|c| if c == '\t' { c } else { ' ' }));
            self.put(part, &renamed, &mut made);
            made.text.push('\n');
        }
        made.text.push_str("====\n");
        let names = wanted.iter().map(|name| renamed.get(*name).cloned().unwrap_or_else(|| (*name).to_owned()));
        let file = SourceFile::made(self.file.name(), made.text, made.written).as_module(module);
        (file, names.collect())
    }

    fn renamed(&self, taken: &BTreeSet<String>) -> BTreeMap<String, String> {
        let mut renamed = BTreeMap::new();
        for name in self.parts.iter().filter_map(|p| p.name.as_deref()).filter(|n| taken.contains(*n)) {
            let free = |other: &String| {
                !taken.contains(other) && !is_reserved(other) && !self.parts.iter().any(|p| p.uses.contains(other))
            };
            // As long as the old one, because columns mean something.
            let Some(other) = alike(name).find(free) else { continue };
            renamed.insert(name.to_owned(), other);
        }
        renamed
    }

    /// Adds a unit with its new names.
    fn put(&self, part: &Part, renamed: &BTreeMap<String, String>, made: &mut Made) {
        let text = self.file.text();
        let mut from = part.from;
        for (start, end) in &part.names {
            if let (true, Some(other)) = (from <= *start, text.get(*start..*end).and_then(|name| renamed.get(name))) {
                made.put(&self.file, from..*start, None);
                made.put(&self.file, *start..*end, Some(other));
                from = *end;
            }
        }
        made.put(&self.file, from..part.to, None);
    }

    /// These definitions, and those that they use.
    fn needed(&self, wanted: &[&str]) -> BTreeSet<&str> {
        let mut needed = BTreeSet::new();
        let mut todo: Vec<&str> = wanted.to_vec();
        while let Some(name) = todo.pop() {
            for part in self.parts.iter().filter(|p| p.name.as_deref() == Some(name)) {
                let Some(own) = part.name.as_deref() else { continue };
                if needed.insert(own) {
                    let names = self.parts.iter().filter_map(|p| p.name.as_deref());
                    todo.extend(names.filter(|n| part.uses.contains(*n)));
                }
            }
        }
        needed
    }
}

/// A text that is made of parts of another, and where each part is written.
struct Made {
    text: String,
    written: Vec<(u32, Position)>,
}

impl Made {
    /// Adds a part of a file, or what stands for it.
    fn put(&mut self, file: &SourceFile, part: Range<usize>, instead: Option<&str>) {
        let at = self.text.len();
        let breaks = if instead.is_some() { vec![part.start] } else { file.breaks(part.clone()) };
        self.written.extend(breaks.iter().map(|i| ((at + i - part.start) as u32, file.position(*i as u32))));
        self.text.push_str(instead.or_else(|| file.text().get(part)).unwrap_or(""));
    }
}

/// The name of the module that extends a specification by properties.
pub(super) fn module_name(spec: &str, taken: &BTreeSet<String>) -> String {
    let mut module = format!("{spec}_properties");
    while taken.contains(&module) {
        module.push('_');
    }
    module
}

/// Names of the same length that differ at their end.
fn alike(name: &str) -> impl Iterator<Item = String> {
    const LETTERS: &[u8] = b"_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let longest = name.len().saturating_sub(1).clamp(1, 3);
    let numbers = (1..=longest).flat_map(|tail| (0..LETTERS.len().pow(tail as u32)).map(move |number| (tail, number)));
    numbers.filter_map(move |(tail, mut number)| {
        let mut other = name.as_bytes().to_vec();
        for byte in other.iter_mut().rev().take(tail) {
            *byte = *LETTERS.get(number % LETTERS.len())?;
            number /= LETTERS.len();
        }
        String::from_utf8(other).ok().filter(|other| other != name && other.contains(|c: char| c.is_ascii_alphabetic()))
    })
}

/// The name of a module that is put around a text.
const MODULE: &str = "Properties_";

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Definitions {
        Definitions::new(&SourceFile::new("given.tla", text))
    }

    #[test]
    fn a_definition_keeps_its_line_and_takes_along_what_it_uses() {
        let given = cut("\\* of experts\nHelp == x\n\nA ==\n  /\\ Help\n  /\\ y\nB == = \n");
        assert_eq!(given.properties(false).iter().map(|n| &**n).collect::<Vec<_>>(), ["A", "B"]);
        let (module, names) = given.module("S", &BTreeSet::new(), &["A"]);
        let lines: Vec<&str> = module.text().lines().collect();
        assert_eq!(lines[1..6], ["Help == x", "A ==", "  /\\ Help", "  /\\ y", "===="]);
        assert_eq!((names, place(&module, "Help == x"), place(&module, "y\n")), (vec!["A".to_owned()], (2, 1), (6, 6)));
    }

    fn place(file: &SourceFile, part: &str) -> (u32, u32) {
        let at = file.position(file.text().find(part).unwrap() as u32);
        (at.line, at.column)
    }

    #[test]
    fn a_name_that_the_specification_has_is_another() {
        let given = cut("EXTENDS FiniteSets\nTypeOK == Card\nCard == TypeOK2\n");
        let taken = ["TypeOK", "Card", "TypeO__"].map(str::to_owned).into();
        let (module, names) = given.module("S", &taken, &["TypeOK"]);
        assert_eq!(names, ["TypeO_"]);
        assert!(module.text().contains("EXTENDS S, FiniteSets\n"), "{}", module.text());
        assert!(module.text().contains("TypeO_ == Car_\nCar_ == TypeOK2\n"), "{}", module.text());
        assert_eq!((place(&module, "Car_\n"), place(&module, "TypeOK2")), ((2, 11), (3, 9)));
    }

    #[test]
    fn a_whole_module_is_read_too() {
        let given = cut("---- MODULE Inv ----\nEXTENDS S, FiniteSets\nVARIABLE x\nA == x = 1\n====\n");
        let (module, _) = given.module("S", &BTreeSet::new(), &["A"]);
        assert!(
            module.text().starts_with("---- MODULE S_properties ---- EXTENDS S, FiniteSets\nA == x = 1\n"),
            "{}",
            module.text()
        );
        assert_eq!(place(&module, "x = 1"), (4, 6));
    }
}
