//! Colours, for terminals only; and text from outside made harmless for them.

use std::borrow::Cow;
use std::io::IsTerminal;

use clap::ValueEnum;

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// For standard output.
    pub(crate) fn output(self) -> Paint {
        self.when(std::io::stdout().is_terminal())
    }

    /// For standard error.
    pub(crate) fn error(self) -> Paint {
        self.when(std::io::stderr().is_terminal())
    }

    fn when(self, terminal: bool) -> Paint {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
        match self {
            Color::Always => Paint(true),
            Color::Never => Paint(false),
            Color::Auto => Paint(terminal && !refused && !dumb),
        }
    }
}

/// Paints text, or leaves it as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint(pub(crate) bool);

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        match self.0 && !text.is_empty() {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.with("31", text)
    }

    pub(crate) fn bold_red(self, text: &str) -> String {
        self.with("1;31", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.with("32", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.with("33", text)
    }

    pub(crate) fn cyan(self, text: &str) -> String {
        self.with("36", text)
    }
}

/// Control characters written out, so that no text from a file can command the terminal.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c.is_control() && c != '\n') {
        return Cow::Borrowed(text);
    }
    let escape = |c: char| match c {
        '\n' => "\n".to_owned(),
        '\t' => " ".to_owned(),
        c if c.is_control() => c.escape_unicode().to_string(),
        c => c.to_string(),
    };
    Cow::Owned(text.chars().map(escape).collect())
}

/// The text on one line, cut after `most` characters.
pub(crate) fn short(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = harmless(&line);
    match line.char_indices().nth(most) {
        Some((cut, _)) => format!("{} ...", line[..cut].trim_end()),
        None => line.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(harmless("a\x1b[31mb"), "a\\u{1b}[31mb");
        assert_eq!(short("a  b\n c", 9), "a b c");
        assert_eq!(short("abcdef", 3), "abc ...");
    }

    #[test]
    fn paint_is_left_out_when_off() {
        assert_eq!(Paint(false).red("x"), "x");
        assert_eq!(Paint(true).red("x"), "\x1b[31mx\x1b[0m");
    }
}
