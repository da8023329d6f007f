//! Complaints about source texts, with the line and the place underlined. The only module that knows the renderer.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use primed::{Located, Note, Severity, SourceFile, Span};
use serde::Serialize;

use crate::paint::{Paint, harmless};

/// Most lines of source that are shown for one complaint.
const MAX_LINES: u32 = 4;

/// Most complaints that are drawn at once.
const MAX_DRAWN: usize = 100;

/// Of a line that has more bytes, this many around the place are shown.
const MAX_WIDTH: usize = 200;

/// What is shown before a place in a line that is too long.
const BEFORE: usize = 80;

/// The complaints, first met first, with a blank line after each; the number of those that are too many to be drawn.
pub(crate) fn render(complaints: &[Located], paint: Paint) -> String {
    let mut text: String = complaints.iter().take(MAX_DRAWN).map(|c| render_one(c, paint) + "\n\n").collect();
    if let Some(more @ 1..) = complaints.len().checked_sub(MAX_DRAWN) {
        text.push_str(&format!("{more} more of {} complaints are not drawn\n\n", complaints.len()));
    }
    text
}

fn render_one(complaint: &Located, paint: Paint) -> String {
    let Located { file, diagnostic } = complaint;
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let here: Vec<&Note> = diagnostic.notes.iter().filter(|n| n.file.is_none()).take(MAX_NOTES).collect();
    let places: Vec<Span> = here.iter().map(|n| n.span).collect();
    let (source, span, others) = excerpt(file, diagnostic.span, &places);
    // What Primed alone says has no number.
    let title = level.primary_title(harmless(&diagnostic.message));
    let title = if diagnostic.code == 0 { title } else { title.id(diagnostic.code.to_string()) };
    let mut snippet = snippet(file, diagnostic.span, source).annotation(AnnotationKind::Primary.span(span));
    let (mut apart, mut origins) = (Vec::new(), vec![(file, diagnostic.span)]);
    for (note, range) in here.into_iter().zip(others) {
        match range {
            Some(range) => {
                snippet = snippet.annotation(AnnotationKind::Context.span(range).label(harmless(&note.message)));
            }
            None => apart.push((file, note)),
        }
    }
    apart.extend(diagnostic.notes.iter().filter_map(|n| n.file.as_ref().map(|f| (f, n))).take(MAX_NOTES));
    let mut group = title.element(snippet);
    for (file, note) in apart {
        origins.push((file, note.span));
        let (source, span, _) = excerpt(file, note.span, &[]);
        let annotation = AnnotationKind::Context.span(span).label(harmless(&note.message));
        group = group.element(self::snippet(file, note.span, source).annotation(annotation));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(harmless(help)));
    }
    let renderer = if paint.0 { Renderer::styled() } else { Renderer::plain() };
    true_columns(renderer.decor_style(DecorStyle::Ascii).render(&[group]), &origins)
}

/// The renderer counts columns in what it is given, which may be a part of a line: those of the file instead.
fn true_columns(mut text: String, origins: &[(&SourceFile, Span)]) -> String {
    let mut from = 0;
    for (file, span) in origins {
        let position = file.position(boundary(file.text(), span.start as usize) as u32);
        let origin = format!("{}:{}:", harmless(file.name()), position.line);
        let Some(at) = text[from..].find(&origin).map(|at| from + at + origin.len()) else { continue };
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        let column = position.column.to_string();
        text.replace_range(at..at + digits, &column);
        from = at + column.len();
    }
    text
}

/// The beginning of the character at an offset, or the end.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Most further places that are shown for one complaint.
const MAX_NOTES: usize = 3;

fn snippet<'s>(file: &'s SourceFile, span: Span, source: String) -> Snippet<'s, Annotation<'s>> {
    let line = file.position(span.start).line as usize;
    Snippet::source(source).path(harmless(file.name())).line_start(line)
}

/// The lines of a place, the place within them, and others as far as they are there too; of long lines only a part. Tabs
/// are widened as SANY counts them, so that the columns that are shown are those of every other report.
fn excerpt(file: &SourceFile, span: Span, others: &[Span]) -> (String, Range<usize>, Vec<Option<Range<usize>>>) {
    let text = file.text();
    let (start, end) = (boundary(text, span.start as usize), boundary(text, span.end as usize));
    let parts = parts(text, start, end);
    // Where each character of the text is in what is shown.
    let (mut source, mut places) = (String::new(), Vec::new());
    for Part { shown, cut: (before, after) } in &parts {
        if *before {
            source.push_str("...");
        }
        let mut column = file.position(shown.start as u32).column - 1;
        for (i, c) in text[shown.clone()].char_indices() {
            places.push((shown.start + i, source.len()));
            let width = if c == '\t' { 8 - column % 8 } else { c.len_utf16() as u32 };
            match c {
                '\t' => source.extend(std::iter::repeat_n(' ', width as usize)),
                c => source.push(c),
            }
            column += width;
        }
        // A place may reach to the end of what is shown, but not into the marks.
        places.push((shown.end, source.len()));
        if *after {
            source.push_str("...");
        }
        source.push('\n');
    }
    source.pop();
    let shown = |offset: usize| {
        let at = places.partition_point(|(from, _)| *from < offset);
        places.get(at).or(places.last()).map_or(source.len(), |(_, to)| *to)
    };
    let range = |from: usize, to: usize| shown(from)..shown(to).max(shown(from));
    let last = parts.last().map_or(0, |p| p.shown.end);
    let inside = |s: &Span| {
        let start = boundary(text, s.start as usize);
        parts.iter().any(|p| p.shown.contains(&start)) && boundary(text, s.end as usize) <= last
    };
    let others = others
        .iter()
        .map(|s| inside(s).then(|| range(boundary(text, s.start as usize), boundary(text, s.end as usize))))
        .collect();
    let span = range(start, end);
    (source, span, others)
}

/// What is shown of a line, and whether something is left out before and after it.
struct Part {
    shown: Range<usize>,
    cut: (bool, bool),
}

/// What is shown of the lines of a place.
fn parts(text: &str, start: usize, end: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut first = text[..start].rfind('\n').map_or(0, |i| i + 1);
    for _ in 0..MAX_LINES {
        let next = text[first..].find('\n').map_or(text.len(), |i| first + i + 1);
        let line = first..first + text[first..next].trim_end_matches(['\n', '\r']).len();
        parts.push(part(text, line, start));
        if next >= end || next == text.len() {
            break;
        }
        first = next;
    }
    parts
}

fn part(text: &str, line: Range<usize>, place: usize) -> Part {
    let near = place.saturating_sub(line.start) <= BEFORE;
    let from = match line.len() <= MAX_WIDTH || near {
        true => line.start,
        false => boundary(text, place - BEFORE),
    };
    let to = boundary(text, from + MAX_WIDTH).min(line.end);
    Part { shown: from..to, cut: (from > line.start, to < line.end) }
}

/// A complaint for programs.
#[derive(Default, Serialize)]
pub(crate) struct Entry<'r> {
    pub(crate) severity: &'static str,
    pub(crate) code: u32,
    pub(crate) message: &'r str,
    pub(crate) file: &'r str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) module: &'r str,
    #[serde(flatten)]
    pub(crate) place: PlaceEntry,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<&'r str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<NoteEntry<'r>>,
}

/// Where; the end is the last character.
#[derive(Default, Serialize)]
pub(crate) struct PlaceEntry {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
pub(crate) struct NoteEntry<'r> {
    message: &'r str,
    file: &'r str,
    #[serde(flatten)]
    pub(crate) place: PlaceEntry,
}

impl PlaceEntry {
    fn new(file: &SourceFile, span: Span) -> PlaceEntry {
        let (start, end) = (file.position(span.start), file.position(span.end.max(span.start + 1) - 1));
        PlaceEntry { line: start.line, column: start.column, end_line: end.line, end_column: end.column }
    }
}

impl<'r> Entry<'r> {
    /// A complaint of a module, which counts as an error or not.
    pub(crate) fn new(located: &'r Located, module: &'r str, error: bool) -> Entry<'r> {
        let Located { file, diagnostic } = located;
        let notes = diagnostic.notes.iter().map(|note| {
            let file = note.file.as_ref().unwrap_or(file);
            NoteEntry { message: &note.message, file: file.name(), place: PlaceEntry::new(file, note.span) }
        });
        Entry {
            severity: if error { "error" } else { "warning" },
            code: diagnostic.code,
            message: &diagnostic.message,
            file: file.name(),
            module,
            place: PlaceEntry::new(file, diagnostic.span),
            help: diagnostic.help.as_deref(),
            notes: notes.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use primed::Diagnostic;

    use super::*;

    fn rendered(text: &str, span: Span) -> String {
        let diagnostic = Diagnostic::error(4200, "no such thing", span).with_help("think again");
        render(&[Located { file: SourceFile::new("A.tla", text), diagnostic }], Paint(false))
    }

    #[test]
    fn the_place_is_underlined() {
        let text = rendered("---- MODULE A ----\nInit == x = 0\n====\n", Span::new(27, 28));
        assert!(text.starts_with("error[4200]: no such thing\n --> A.tla:2:9\n"), "{text}");
        assert!(text.contains("2 | Init == x = 0\n  |         ^\n"), "{text}");
        assert!(text.contains("= help: think again"), "{text}");
    }

    #[test]
    fn other_places_are_shown_with_what_is_there() {
        let text = "---- MODULE A ----\nF(x) == x\nG == F(1, 2)\n";
        let file = SourceFile::new("A.tla", text);
        let diagnostic = Diagnostic::error(4204, "wrong", Span::new(34, 41))
            .with_note("defined here", Span::new(19, 28))
            .with_note("an operand", Span::new(36, 37));
        let text = render(&[Located { file, diagnostic }], Paint(false));
        assert!(text.contains("A.tla:3:6") && text.contains("2 | F(x) == x\n  | --------- defined here"), "{text}");
        assert!(text.contains("an operand"), "{text}");
    }

    #[test]
    fn tabs_count_as_for_sany() {
        let text = rendered("A\n\tx\ty\n", Span::new(5, 6));
        assert!(text.contains("--> A.tla:2:17\n"), "{text}");
        assert!(text.contains("2 |         x       y\n  |                 ^\n"), "{text}");
    }

    #[test]
    fn of_a_long_line_a_part_is_shown() {
        let text = format!("A\n{}here{}\nB\n", "\t12345678901234\u{e4}".repeat(1000), ", x".repeat(100_000));
        let at = text.find("here").unwrap_or(0) as u32;
        let text = rendered(&text, Span::new(at, at + 4));
        assert!(text.contains("--> A.tla:2:16008\n"), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        let column = lines.iter().find_map(|l| l.find("here")).unwrap_or(0);
        let chars = |l: &&str| l.chars().position(|c| c == '^');
        let here = lines.iter().find_map(|l| l[..l.find("here")?].chars().count().into());
        assert!(column > 0 && lines.iter().find_map(chars) == here, "{text}");
        assert!(text.contains("^^^^\n") && text.contains("2 | ...") && text.contains("...\n"), "{text}");
        assert!(text.len() < 1000, "{}", text.len());
    }

    #[test]
    fn places_far_apart_in_one_line_are_both_shown() {
        let text = format!("one{}two", " ".repeat(5000));
        let (file, at) = (SourceFile::new("A.tla", text.as_str()), text.len() as u32);
        let diagnostic = Diagnostic::error(1, "wrong", Span::new(at - 3, at)).with_note("first", Span::new(0, 3));
        let text = render(&[Located { file, diagnostic }], Paint(false));
        assert!(text.contains("A.tla:1:5004\n") && text.contains("one") && text.contains("two"), "{text}");
        assert!(text.contains("--- first"), "{text}");
    }

    #[test]
    fn too_many_complaints_are_counted() {
        let located = |_| {
            let diagnostic = Diagnostic::error(1, "wrong", Span::new(0, 1));
            Located { file: SourceFile::new("A.tla", "A"), diagnostic }
        };
        let text = render(&(0..MAX_DRAWN + 7).map(located).collect::<Vec<_>>(), Paint(false));
        assert_eq!(text.matches("error[1]: wrong").count(), MAX_DRAWN);
        assert!(text.ends_with("7 more of 107 complaints are not drawn\n\n"), "{text}");
        let text = render(&(0..MAX_DRAWN).map(located).collect::<Vec<_>>(), Paint(false));
        assert!(!text.contains("more of"), "{text}");
    }

    #[test]
    fn any_span_is_shown_somewhere() {
        let source = "A\u{e4}\r\n\r\nB";
        for start in 0..10 {
            for end in 0..10 {
                assert!(rendered(source, Span::new(start, end)).contains("no such thing"));
            }
        }
        assert!(rendered("", Span::new(0, 0)).contains("A.tla"));
    }
}
