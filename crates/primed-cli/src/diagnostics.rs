//! Complaints about source texts, with the line and the place underlined. The only module that knows the renderer.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Level, Origin, Renderer, Snippet};
use primed::{Located, Severity};

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
    let id = format!("{}", diagnostic.code);
    let title = level.primary_title(harmless(&diagnostic.message)).id(id);
    let name = harmless(file.name());
    let mut group = title.element(Origin::path(name).line(at.line as usize).char_column(at.column as usize));
    if !source.is_empty() {
        let marked = AnnotationKind::Primary.span(span);
        let snippet = Snippet::source(source).line_start(at.line as usize).annotation(marked);
        group = group.element(Element::from(snippet));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(harmless(help)));
    }
    let renderer = if paint.0 { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).render(&[group])
}

/// The lines of the place, and the place within them.
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
    let source = text[first..last].trim_end_matches(['\n', '\r']).to_owned();
    let span = (start - first).min(source.len())..end.max(start).saturating_sub(first).min(source.len());
    (source, span)
}
