//! Complaints about source texts, with the line and the place underlined. The only module that knows the renderer.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use primed::{Located, Severity, SourceFile, Span};
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
    let at = file.position(diagnostic.span.start);
    let (source, span) = excerpt(complaint);
    let title = level.primary_title(harmless(&diagnostic.message)).id(diagnostic.code.to_string());
    let snippet = Snippet::source(source).path(harmless(file.name())).line_start(at.line as usize);
    let mut group = title.element(snippet.annotation(AnnotationKind::Primary.span(span)));
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(harmless(help)));
    }
    let renderer = if paint.0 { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).render(&[group])
}

/// The lines of the place, and the place within them. Tabs are widened as SANY counts them, so that the columns that are shown
/// are those of every other report.
fn excerpt(complaint: &Located) -> (String, Range<usize>) {
    let Located { file, diagnostic } = complaint;
    let text = file.text();
    let limit = |offset: u32| {
        let mut offset = (offset as usize).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    };
    let (start, end) = (limit(diagnostic.span.start), limit(diagnostic.span.end));
    let first = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let mut last = start;
    for _ in 0..MAX_LINES {
        last = text[last..].find('\n').map_or(text.len(), |i| last + i + 1);
        if last >= end {
            break;
        }
    }
    let lines = text[first..last].trim_end_matches(['\n', '\r']);
    let (mut source, mut column) = (String::with_capacity(lines.len()), 0);
    let mut span = None..None;
    for (i, c) in lines.char_indices() {
        if first + i >= start {
            span.start.get_or_insert(source.len());
        }
        if first + i >= end {
            span.end.get_or_insert(source.len());
        }
        let width = if c == '\t' { 8 - column % 8 } else { 1 };
        match c {
            '\t' => source.extend(std::iter::repeat_n(' ', width)),
            c => source.push(c),
        }
        column = if c == '\n' { 0 } else { column + width };
    }
    let from = span.start.unwrap_or(source.len());
    let to = span.end.unwrap_or(source.len()).max(from);
    (source, from..to)
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
    use primed::{Diagnostic, SourceFile, Span};

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
