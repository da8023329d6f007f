//! Complaints about source texts, with the line and the place underlined. The only module that knows the renderer.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use primed::{Located, Note, Severity, SourceFile, Span};
use serde::Serialize;

use crate::paint::{Paint, harmless};

/// Most lines of source that are shown for one complaint.
const MAX_LINES: u32 = 4;

/// All complaints, first met first, with a blank line after each.
pub(crate) fn render(complaints: &[Located], paint: Paint) -> String {
    complaints.iter().map(|c| render_one(c, paint) + "\n\n").collect()
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
    let title = level.primary_title(harmless(&diagnostic.message)).id(diagnostic.code.to_string());
    let mut snippet = snippet(file, diagnostic.span, source).annotation(AnnotationKind::Primary.span(span));
    let mut apart = Vec::new();
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
        let (source, span, _) = excerpt(file, note.span, &[]);
        let annotation = AnnotationKind::Context.span(span).label(harmless(&note.message));
        group = group.element(self::snippet(file, note.span, source).annotation(annotation));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(harmless(help)));
    }
    let renderer = if paint.0 { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).render(&[group])
}

/// Most further places that are shown for one complaint.
const MAX_NOTES: usize = 3;

fn snippet<'s>(file: &'s SourceFile, span: Span, source: String) -> Snippet<'s, Annotation<'s>> {
    let line = file.position(span.start).line as usize;
    Snippet::source(source).path(harmless(file.name())).line_start(line)
}

/// The lines of a place, the place within them, and others as far as they are there too. Tabs are widened as SANY counts
/// them, so that the columns that are shown are those of every other report.
fn excerpt(file: &SourceFile, span: Span, others: &[Span]) -> (String, Range<usize>, Vec<Option<Range<usize>>>) {
    let text = file.text();
    let limit = |offset: u32| {
        let mut offset = (offset as usize).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    };
    let (start, end) = (limit(span.start), limit(span.end));
    let first = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let mut last = start;
    for _ in 0..MAX_LINES {
        last = text[last..].find('\n').map_or(text.len(), |i| last + i + 1);
        if last >= end {
            break;
        }
    }
    let lines = text[first..last].trim_end_matches(['\n', '\r']);
    // Where each character of the text is in what is shown.
    let (mut source, mut column, mut places) = (String::with_capacity(lines.len()), 0, Vec::new());
    for (i, c) in lines.char_indices() {
        places.push((first + i, source.len()));
        let width = if c == '\t' { 8 - column % 8 } else { 1 };
        match c {
            '\t' => source.extend(std::iter::repeat_n(' ', width)),
            c => source.push(c),
        }
        column = if c == '\n' { 0 } else { column + width };
    }
    let shown = |offset: usize| {
        let at = places.partition_point(|(from, _)| *from < offset);
        places.get(at).map_or(source.len(), |(_, to)| *to)
    };
    let range = |from: usize, to: usize| shown(from)..shown(to).max(shown(from));
    let inside =
        |s: &Span| (first..first + lines.len()).contains(&limit(s.start)) && limit(s.end) <= first + lines.len();
    let others = others.iter().map(|s| inside(s).then(|| range(limit(s.start), limit(s.end)))).collect();
    let span = range(start, end);
    (source, span, others)
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
