//! Advice for what people and programs often write instead of TLA+, and the place of what was opened and never closed.

use crate::diagnostic::Diagnostic;
use crate::layout::starts_operand;
use crate::span::{SourceFile, Span};
use crate::token::{Lexeme, Tok};

/// Words of other languages, and what TLA+ writes.
const WORDS: &[(&str, &str)] = &[
    ("and", "conjunction is written `/\\`"),
    ("AND", "conjunction is written `/\\`"),
    ("or", "disjunction is written `\\/`"),
    ("OR", "disjunction is written `\\/`"),
    ("not", "negation is written `~`"),
    ("NOT", "negation is written `~`"),
    ("in", "membership is written `\\in`"),
    ("notin", "it is written `\\notin`"),
    ("union", "the union of two sets is written `\\cup`"),
    ("if", "the words are `IF`, `THEN` and `ELSE`, in capitals"),
    ("then", "the words are `IF`, `THEN` and `ELSE`, in capitals"),
    ("else", "the words are `IF`, `THEN` and `ELSE`, in capitals"),
    ("elif", "write `ELSE IF`"),
    ("elseif", "write `ELSE IF`"),
    ("ELSEIF", "write `ELSE IF`"),
    ("ELSIF", "write `ELSE IF`"),
    ("mod", "the remainder is written `%`"),
    ("div", "integer division is written `\\div`"),
    ("forall", "it is written `\\A x \\in S : ...`"),
    ("exists", "it is written `\\E x \\in S : ...`"),
    ("FORALL", "it is written `\\A x \\in S : ...`"),
    ("EXISTS", "it is written `\\E x \\in S : ...`"),
];

/// Reserved words that hardly anybody takes for names when they are not written in capitals.
const SMALL: &[&str] = &[
    "case",
    "choose",
    "constant",
    "constants",
    "domain",
    "enabled",
    "except",
    "extends",
    "if",
    "instance",
    "lambda",
    "let",
    "local",
    "recursive",
    "subset",
    "unchanged",
    "variables",
];

/// What stands for a character that TLA+ does not have.
pub(crate) fn of_character(c: char) -> Option<&'static str> {
    Some(match c {
        ';' => "TLA+ has no semicolons: leave it out",
        '`' => "leave out marks that are no part of the module, such as those of Markdown",
        '\u{201c}' | '\u{201d}' | '\u{2018}' | '\u{2019}' => "strings stand between plain quotation marks `\"`",
        '?' => "a conditional is written `IF ... THEN ... ELSE ...`",
        '\u{fffd}' => "bytes that are not UTF-8 are read as this character: save the file in UTF-8",
        '"' => "a string ends on its line, with `\"`",
        _ => return None,
    })
}

/// Adds help and notes to the error of a parser at one of the tokens that it read. `expected` are names of terminals.
pub(crate) fn advise(file: &SourceFile, tokens: &[Lexeme], expected: &[String], diagnostic: &mut Diagnostic) {
    let index = tokens.partition_point(|t| t.span.start < diagnostic.span.start);
    let scene = Scene { file, tokens, index };
    if let Some(second) = scene.missing_comma(expected) {
        let message = "a comma is missing before this".to_owned();
        diagnostic.notes.push(crate::diagnostic::Note { message, span: second, file: None });
        diagnostic.help = Some("commas stand between the names of a list: `x, y`".into());
        return;
    }
    if diagnostic.help.is_none() {
        diagnostic.help = scene.confused().or_else(|| scene.help(expected, &diagnostic.message));
    }
    let Some((opened, mark)) = scene.unclosed() else { return };
    let wanted = |closer: &str| expected.iter().any(|e| e.trim_matches('"').trim() == closer);
    let at_end = scene.tok(0).is_none_or(|t| matches!(t, Tok::Dashes | Tok::EndModule | Tok::DefEq));
    let cut_off = at_end || diagnostic.message.ends_with("a definition");
    if diagnostic.help.is_some() && !cut_off {
        return;
    }
    let in_let = mark.closer == ["IN"] && !wanted("IF");
    if !(cut_off || in_let || mark.closer.iter().any(|c| wanted(c))) {
        return;
    }
    let message = match mark.closer {
        ["IN"] => "this LET has no IN".to_owned(),
        _ => format!("this `{}` is not closed", file.slice(opened)),
    };
    diagnostic.notes.push(crate::diagnostic::Note { message, span: opened, file: None });
}

/// What stands open, and what would close it.
#[derive(Clone, Copy)]
struct Mark {
    closer: &'static [&'static str],
}

struct Scene<'a> {
    file: &'a SourceFile,
    tokens: &'a [Lexeme],
    /// The token of the error.
    index: usize,
}

impl Scene<'_> {
    fn tok(&self, ahead: isize) -> Option<Tok> {
        self.at(ahead).map(|t| t.tok)
    }

    fn at(&self, ahead: isize) -> Option<&Lexeme> {
        self.index.checked_add_signed(ahead).and_then(|i| self.tokens.get(i))
    }

    fn text(&self, ahead: isize) -> &str {
        self.at(ahead).map_or("", |t| self.file.slice(t.span))
    }

    fn line(&self, ahead: isize) -> u32 {
        self.at(ahead).map_or(0, |t| self.file.place(t.span.start).line)
    }

    fn help(&self, expected: &[String], message: &str) -> Option<String> {
        let wants = |name: &str| expected.iter().any(|e| e.trim_matches('"').trim() == name);
        let equals = |ahead| self.tok(ahead).is_some_and(is_equals);
        if (0..=2).any(|n| self.tok(-n) == Some(Tok::Bang) && equals(1 - n)) {
            return Some("inequality is written `/=` or `#`".into());
        }
        if let Some(help) = self.word(wants("==")) {
            return Some(help.into());
        }
        if let Some(help) = self.small() {
            return Some(help);
        }
        match self.tok(0) {
            Some(tok) if (is_equals(tok) || self.text(0) == ":=") && wants("==") => {
                return Some(self.definition_sign(0));
            }
            _ if wants("name") && !wants("IF") && self.almost_defines(-1) => return Some(self.definition_sign(-1)),
            _ if wants("==") && self.almost_defines(-2) => return Some(self.definition_sign(-2)),
            Some(Tok::Ident) if message.ends_with("a definition") => return Some(self.misplaced_definition()),
            Some(Tok::DefEq) if !wants("==") => return Some("equality is written `=`; `==` only defines".into()),
            Some(Tok::Bang) => return Some("negation is written `~`".into()),
            Some(Tok::Arrow) => {
                return Some("implication is written `=>`; `->` stands in sets of functions and CASE".into());
            }
            Some(Tok::Gets) => return Some("`<-` stands in substitutions; equality is written `=`".into()),
            Some(Tok::MapsTo) => return Some("`|->` stands between `[` and `]`: `[x \\in S |-> e]`".into()),
            Some(Tok::Colon) if self.open_if() => {
                return Some("a conditional is written `IF ... THEN ... ELSE ...`".into());
            }
            None if wants("====") => return Some("end the module with a line of at least four `=`".into()),
            _ => {}
        }
        self.columns(message)
    }

    /// The second of two names without a comma in a list of declarations or of extended modules, just before the error.
    fn missing_comma(&self, expected: &[String]) -> Option<Span> {
        let second = self.at(-1).filter(|t| t.tok == Tok::Ident && t.column > 1)?;
        if !expected.iter().any(|e| e.trim_matches('"').trim() == "==") || self.tok(-2) != Some(Tok::Ident) {
            return None;
        }
        let mut before = self.tokens.get(..self.index).unwrap_or_default().iter().rev().take(MAX_NAMES).map(|t| t.tok);
        let head = before.find(|t| !matches!(t, Tok::Ident | Tok::Comma));
        matches!(head, Some(Tok::Variable | Tok::Constant | Tok::Extends)).then_some(second.span)
    }

    /// What only looks like TLA+: strings in single quotes, comments of other languages, UNCHANGED of a list, a reserved word
    /// that is defined.
    fn confused(&self) -> Option<String> {
        if (-2..=3).any(|n| self.single_quotes(-n)) {
            return Some("strings stand between plain quotation marks `\"`".into());
        }
        if self.is_comment() {
            return Some("comments are written `\\* ...` or `(* ... *)`".into());
        }
        let word = self.text(0);
        let reserved =
            word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase()) && self.tok(0) != Some(Tok::Ident);
        if reserved && self.tok(1) == Some(Tok::DefEq) {
            return Some(format!("`{word}` is a reserved word: choose another name"));
        }
        let start = (1..MAX_NAMES as isize).find(|n| self.text(-n) == "UNCHANGED")?;
        let listed = |n: isize| matches!(self.tok(-n), Some(Tok::Ident | Tok::Comma));
        let plain = self.tok(0) == Some(Tok::Comma) && (1..start).all(listed);
        let angles = self.text(1 - start) == "<";
        (plain || angles).then(|| "UNCHANGED takes one expression, here a tuple: `UNCHANGED <<x, y>>`".into())
    }

    /// A comment of another language: it begins its line, or words without signs between them follow.
    fn is_comment(&self) -> bool {
        let mark = |ahead| matches!(self.text(ahead), "//" | "#");
        let word = |ahead| self.tok(ahead) == Some(Tok::Ident) && self.line(ahead) == self.line(-3);
        (mark(0) && self.line(-1) < self.line(0)) || (mark(-3) && word(-2) && word(-1))
    }

    /// `'word'`, with its last mark there.
    fn single_quotes(&self, last: isize) -> bool {
        let (Some(open), Some(word), Some(close)) = (self.at(last - 2), self.at(last - 1), self.at(last)) else {
            return false;
        };
        let touching = open.span.end == word.span.start && word.span.end == close.span.start;
        touching && self.text(last - 2) == "'" && self.text(last) == "'" && word.tok == Tok::Ident
    }

    /// A word of another language, at the error or just before it; `head` if the text looked like the head of a definition.
    fn word(&self, head: bool) -> Option<&'static str> {
        let of = |ahead| {
            let text = if self.tok(ahead) == Some(Tok::Ident) { self.text(ahead) } else { "" };
            WORDS.iter().find(|(word, _)| *word == text).map(|(_, help)| *help)
        };
        of(0).or_else(|| of(-1)).or_else(|| of(-2).filter(|_| head))
    }

    /// A reserved word that is not in capitals, on the line of the error, with an operand behind it.
    fn small(&self) -> Option<String> {
        let line = self.line(-1);
        let near = (1..=MAX_BACK).take_while(|n| self.line(-n) == line);
        let mut words = near.filter(|n| {
            let word = self.tok(-n) == Some(Tok::Ident) && SMALL.contains(&&*self.text(-n).to_ascii_lowercase());
            word && self.tok(1 - n).is_some_and(starts_operand)
        });
        let word = self.text(-words.next()?);
        let same = WORDS.iter().find(|(known, _)| *known == word).map(|(_, help)| (*help).to_owned());
        same.or_else(|| Some(format!("`{word}` is written `{}`", word.to_ascii_uppercase())))
    }

    /// `Name =` or `Name :=` at the beginning of a line, with its sign at `ahead`.
    fn almost_defines(&self, ahead: isize) -> bool {
        let sign = self.tok(ahead).is_some_and(is_equals) || self.text(ahead) == ":=";
        sign && self.tok(ahead - 1) == Some(Tok::Ident) && self.line(ahead - 2) < self.line(ahead - 1)
    }

    /// What was meant by the line up to the sign at `ahead`.
    fn definition_sign(&self, ahead: isize) -> String {
        let before = self.at(ahead - 1).map_or(0, |t| t.span.end);
        let text = self.file.text().get(..before as usize).unwrap_or("");
        format!("a definition is written with `==`: `{} == ...`", text.rsplit('\n').next().unwrap_or("").trim())
    }

    fn misplaced_definition(&self) -> String {
        if self.line(-1) == self.line(0) {
            return "equality is written `=`; `==` only defines".into();
        }
        let before = self.line(-1);
        format!("what is on line {before} is not finished, or this is no definition and `=` is meant")
    }

    fn open_if(&self) -> bool {
        let mut back = self.tokens.get(..self.index).unwrap_or_default().iter().rev().take(30).map(|t| t.tok);
        back.find(|t| matches!(t, Tok::If | Tok::Then | Tok::DefEq)) == Some(Tok::If)
    }

    /// Tabs among blanks before what must stand in one column.
    fn columns(&self, message: &str) -> Option<String> {
        if !(message.contains("list") || self.tok(0).is_some_and(|t| matches!(t, Tok::And(_) | Tok::Or(_)))) {
            return None;
        }
        mixed_indentation(self.file, self.line(0).saturating_sub(1)..=self.line(0)).then(|| String::from(TABS))
    }

    /// The innermost bracket or LET that is open where the error is, in the unit that it is in.
    fn unclosed(&self) -> Option<(Span, Mark)> {
        let mut open: Vec<(Span, Mark)> = Vec::new();
        let before = self.tokens.get(..self.index).unwrap_or_default();
        let begins =
            |t: &&Lexeme| t.column == 1 && (t.tok == Tok::Ident || t.tok == Tok::Theorem || t.tok == Tok::Local);
        let reach = before.len() - before.iter().rev().position(|t| begins(&t)).map_or(before.len(), |i| i + 1);
        for token in before.get(reach..).unwrap_or_default() {
            let closer: &[&str] = match token.tok {
                Tok::LParen => &[")"],
                Tok::LBracket => &["]", "]_"],
                Tok::LBrace => &["}"],
                Tok::LAngle => &[">>", ">>_"],
                Tok::Let => &["IN"],
                Tok::RParen | Tok::RBracket | Tok::RBrace | Tok::RAngle | Tok::RBracketSub | Tok::RAngleSub => {
                    open.pop();
                    continue;
                }
                Tok::InWord => {
                    open.pop_if(|(_, mark)| mark.closer == ["IN"]);
                    continue;
                }
                _ => continue,
            };
            open.push((token.span, Mark { closer }));
        }
        open.pop()
    }
}

fn is_equals(tok: Tok) -> bool {
    tok == Tok::Eq || matches!(tok, Tok::Infix(o) if o.symbol == "=")
}

/// How far back a word in small letters is looked for.
const MAX_BACK: isize = 8;

/// How far names are looked at.
const MAX_NAMES: usize = 100;

/// What is said where tabs and blanks are mixed.
const TABS: &str =
    "tabs and blanks are mixed here, and a tab reaches to the next multiple of eight columns: indent with blanks only";

/// Among some lines, one begins with a tab and another with blanks.
fn mixed_indentation(file: &SourceFile, lines: std::ops::RangeInclusive<u32>) -> bool {
    let begins = |c: char| {
        lines.clone().take(MAX_LINES).any(|n| {
            let text = file.line(n);
            text.get(..text.len() - text.trim_start().len()).is_some_and(|blank| blank.contains(c))
        })
    };
    begins('\t') && begins(' ')
}

/// The most lines that are looked at for tabs.
const MAX_LINES: usize = 100;

/// Adds to a conflict between operators that begin lines: they look like bullets of one list.
pub(crate) fn advise_conflict(file: &SourceFile, diagnostic: &mut Diagnostic) {
    let right = diagnostic.span;
    let bullet = |span: Span| {
        let text = file.slice(span);
        let line = file.line(file.place(span.start).line);
        matches!(text, "/\\" | "\\/" | "\u{2227}" | "\u{2228}") && line.trim_start().starts_with(text)
    };
    let line = |span: Span| file.place(span.start).line;
    let Some(left) = diagnostic.notes.first_mut().filter(|_| bullet(right)) else { return };
    diagnostic.help = Some(match mixed_indentation(file, line(left.span).saturating_sub(1)..=line(right)) {
        true => TABS.into(),
        false => "a list goes on with the same bullet in the same column; else add parentheses".into(),
    });
    let column = |span: Span| file.place(span.start).column;
    let sign = file.slice(left.span);
    left.message = format!("this `{sign}` is at column {}, the other operator at {}", column(left.span), column(right));
}
