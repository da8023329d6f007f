//! Source text to tokens: words, numbers, symbols and their columns, comments and free text left out.
//!
//! `logos` finds the lexemes; what a regular expression cannot say is done in [`Lexer`]: nested comments, words that
//! begin with `WF_`, the longest known word after a backslash (`S\in` but also `S\T`), reserved words that stand where a
//! field or module is named, and the text around modules, which is free. The tokens that only the column can tell
//! (junction lists) are made by the layout pass.

use std::sync::Arc;

use logos::{Logos, Skip};

use crate::MAX_ERRORS;
use crate::ast::Junction;
use crate::diagnostic::Diagnostic;
use crate::hints;
use crate::operator::{self, OperatorInfo};
use crate::span::{SourceFile, Span, after};
use crate::vocabulary::{quantifier, reserved_word, symbol};

/// The terminals of the grammar. Which text a token has is told by its span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tok {
    // Words and literals.
    Ident,
    Number,
    Decimal,
    Str,
    Step,
    /// A step's name with a full stop, which begins a step wherever it stands.
    DottedStep,
    Underscore,
    // Operators, by the place they stand in.
    Infix(&'static OperatorInfo),
    Prefix(&'static OperatorInfo),
    Postfix(&'static OperatorInfo),
    /// An operator that stands where an operand is wanted: `F(+)`.
    OpName(&'static OperatorInfo),
    In,
    Eq,
    /// `/\`, before the layout pass has decided what it is.
    And(&'static OperatorInfo),
    /// `\/`, likewise.
    Or(&'static OperatorInfo),
    /// `-`, likewise.
    Minus(&'static OperatorInfo),
    /// `[]`, likewise.
    Box(&'static OperatorInfo),
    // Punctuation.
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    LAngle,
    RAngle,
    RBracketSub,
    RAngleSub,
    Comma,
    Colon,
    ColonColon,
    DefEq,
    Arrow,
    MapsTo,
    Gets,
    Bang,
    Dot,
    Dashes,
    EndModule,
    // Reserved words.
    Forall,
    Exists,
    TemporalForall,
    TemporalExists,
    Assume,
    Assumption,
    Axiom,
    BoxAssume,
    Prove,
    BoxProve,
    Case,
    Choose,
    Constant,
    Variable,
    State,
    Action,
    Temporal,
    Else,
    Except,
    Extends,
    If,
    InWord,
    Instance,
    Let,
    Local,
    Module,
    New,
    Other,
    Theorem,
    Then,
    By,
    Only,
    Define,
    Def,
    Use,
    Hide,
    Have,
    Obvious,
    Omitted,
    Lambda,
    Take,
    Proof,
    Qed,
    Recursive,
    Pick,
    Witness,
    Suffices,
    With,
    Weak,
    Strong,
    // Made by the layout pass, without text of their own.
    JunctBegin(Junction),
    JunctItem,
    JunctEnd,
    CaseSep,
    CaseEnd,
    StepName,
    StepCase,
    StepDefine,
    NoFacts,
    SelectLeft,
    SelectRight,
    SelectWhole,
    StartFile,
    StartExpr,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    pub(crate) tok: Tok,
    pub(crate) span: Span,
    /// From 1, as SANY counts.
    pub(crate) column: u32,
}

/// What of a file is language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The modules; the text around them is free.
    Modules,
    /// The first module; the text around it is free.
    First,
    /// All of it: an expression or a configuration.
    Everything,
}

/// The kind of a token that TLC interns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A name.
    Identifier,
    /// A string literal, escapes resolved.
    String,
}

#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t\r\n]+")]
enum Raw {
    #[regex("[0-9A-Za-z_]+")]
    Word,
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    Str,
    #[token("(*", block_comment)]
    BlockComment,
    #[regex(r"<([0-9]+|\*|\+)>[0-9A-Za-z_]*\.*")]
    Step,
    #[regex("----+")]
    Dashes,
    #[regex("====+")]
    EndModule,
    #[token("]_")]
    #[token(">>_")]
    #[token("(")]
    #[token(")")]
    #[token("[")]
    #[token("]")]
    #[token("{")]
    #[token("}")]
    #[token("<<")]
    #[token(">>")]
    #[token(",")]
    #[token(":")]
    #[token("::")]
    #[token("==")]
    #[token("->")]
    #[token("|->")]
    #[token("<-")]
    #[token("!")]
    #[token(".")]
    #[token("@")]
    #[token("[]ASSUME")]
    #[token("[]PROVE")]
    Punctuation,
    #[token("~")]
    #[token("<>")]
    #[token("[]")]
    #[token("-.")]
    #[token("'")]
    #[token("^#")]
    #[token("^*")]
    #[token("^+")]
    #[token("=>")]
    #[token("-+->")]
    #[token("<=>")]
    #[token("~>")]
    #[token("/\\")]
    #[token("\\/")]
    #[token("-|")]
    #[token("/=")]
    #[token("#")]
    #[token("::=")]
    #[token(":=")]
    #[token("<")]
    #[token("=")]
    #[token("=|")]
    #[token(">")]
    #[token(">=")]
    #[token("<=")]
    #[token("=<")]
    #[token("|-")]
    #[token("|=")]
    #[token("@@")]
    #[token(":>")]
    #[token("<:")]
    #[token("..")]
    #[token("...")]
    #[token("!!")]
    #[token("##")]
    #[token("$")]
    #[token("$$")]
    #[token("??")]
    #[token("+")]
    #[token("++")]
    #[token("(+)")]
    #[token("%")]
    #[token("%%")]
    #[token("|")]
    #[token("||")]
    #[token("-")]
    #[token("--")]
    #[token("(-)")]
    #[token("&")]
    #[token("&&")]
    #[token("*")]
    #[token("**")]
    #[token("/")]
    #[token("//")]
    #[token("(.)")]
    #[token("(/)")]
    #[token("(\\X)")]
    #[token("^")]
    #[token("^^")]
    Symbol,
    #[token("\\", backslash)]
    Backslash,
    #[token("\\*", line_comment)]
    LineComment,
    #[regex(r"[^\x00-\x7f]", unicode)]
    Unicode,
}

/// Leaves out a comment that began, with all comments in it. An unclosed one is left as a token for the error.
fn block_comment(lex: &mut logos::Lexer<'_, Raw>) -> logos::Filter<()> {
    let bytes = lex.remainder().as_bytes();
    let (mut depth, mut i) = (1usize, 0usize);
    while let Some(pair) = bytes.get(i..i + 2) {
        match pair {
            b"(*" => (depth, i) = (depth + 1, i + 2),
            b"*)" => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            lex.bump(i);
            return logos::Filter::Skip;
        }
    }
    lex.bump(bytes.len());
    logos::Filter::Emit(())
}

fn line_comment(lex: &mut logos::Lexer<'_, Raw>) -> Skip {
    let rest = lex.remainder();
    lex.bump(rest.find(['\n', '\r']).unwrap_or(rest.len()));
    Skip
}

/// Takes the longest known word after a backslash: `\in`, `\E`, a number with a base; or nothing (set difference).
fn backslash(lex: &mut logos::Lexer<'_, Raw>) {
    let rest = lex.remainder();
    let letters = rest.bytes().take(operator::longest_spelling()).take_while(u8::is_ascii_alphabetic).count();
    let start = lex.span().start;
    let word = (1..=letters).rev().find(|n| {
        let text = lex.source().get(start..start + 1 + n).unwrap_or("");
        quantifier(text).is_some() || operator::spelled(text).is_some()
    });
    lex.bump(word.unwrap_or(0).max(based_number(rest)));
}

/// The length of `b101`, `o17` or `hFF` at the start of a text, 0 if there is none.
fn based_number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let base = match bytes.first() {
        Some(b'b' | b'B') => 2,
        Some(b'o' | b'O') => 8,
        Some(b'h' | b'H') => 16,
        _ => return 0,
    };
    let digits = bytes.iter().skip(1).take_while(|b| char::from(**b).is_digit(base)).count();
    if digits == 0 { 0 } else { digits + 1 }
}

/// `⟩` may have an underscore of its own.
fn unicode(lex: &mut logos::Lexer<'_, Raw>) {
    if lex.slice() == "⟩" && lex.remainder().starts_with('_') {
        lex.bump(1);
    }
}

/// Tokens and lexical errors of one file.
pub(crate) fn lex(file: &SourceFile, extent: Extent) -> (Vec<Lexeme>, Vec<Diagnostic>) {
    read(file, extent, 0)
}

/// The same, but a comment that is never closed ends where it began, so that what follows can be looked at.
pub(crate) fn lex_on(file: &SourceFile, extent: Extent) -> (Vec<Lexeme>, Vec<Diagnostic>) {
    read(file, extent, MAX_UNCLOSED)
}

/// The most unclosed comments that are read on after: each costs a look at the rest of the file.
const MAX_UNCLOSED: usize = 20;

fn read(file: &SourceFile, extent: Extent, unclosed: usize) -> (Vec<Lexeme>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        text: file.text(),
        line: Place { offset: 0, column: 0 },
        depth: 0,
        unclosed,
        tokens: Vec::new(),
        diagnostics: Vec::new(),
    };
    match extent {
        Extent::Everything => {
            lexer.run(0, extent);
        }
        Extent::Modules | Extent::First => {
            let mut from = Some(0);
            while let Some(start) = from.and_then(|o| module_start(lexer.text, o)) {
                from = lexer.run(start, extent).filter(|_| extent == Extent::Modules);
            }
        }
    }
    (lexer.tokens, lexer.diagnostics)
}

/// Where the next `---- MODULE` begins. Everything before it is free text, comments too.
fn module_start(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut i = from;
    while i < bytes.len() {
        let dashes = bytes.iter().skip(i).take_while(|b| **b == b'-').count();
        if dashes >= 4 {
            let rest = text.get(i + dashes..).unwrap_or("");
            if rest.trim_start_matches(' ').starts_with("MODULE") {
                return Some(i);
            }
        }
        i += dashes.max(1);
    }
    None
}

struct Place {
    offset: usize,
    column: u32,
}

struct Lexer<'a> {
    text: &'a str,
    line: Place,
    /// Modules that are open.
    depth: usize,
    /// How many unclosed comments may still be read on after.
    unclosed: usize,
    tokens: Vec<Lexeme>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    /// Reads from `start`; the answer is where the outermost module ended.
    fn run(&mut self, start: usize, extent: Extent) -> Option<usize> {
        let mut raw = Raw::lexer(self.text);
        raw.bump(start);
        self.depth = 0;
        while let Some(found) = raw.next() {
            let (range, before) = (raw.span(), self.tokens.len());
            match found {
                Ok(Raw::BlockComment) if self.unclosed > 0 => {
                    self.unclosed -= 1;
                    self.token(Raw::BlockComment, range.start, range.end);
                    raw = Raw::lexer(self.text);
                    raw.bump(range.start + 2);
                }
                Ok(kind) => self.token(kind, range.start, range.end),
                Err(()) => self.bad_character(range.start, range.end),
            }
            if extent != Extent::Everything && self.tokens.len() > before {
                match self.tokens.last().map(|t| t.tok) {
                    Some(Tok::Module) if kind_before(&self.tokens) == Some(Tok::Dashes) => self.depth += 1,
                    Some(Tok::EndModule) => self.depth = self.depth.saturating_sub(1),
                    _ => continue,
                }
                if self.depth == 0 {
                    return Some(range.end);
                }
            }
        }
        None
    }

    fn token(&mut self, kind: Raw, start: usize, end: usize) {
        let text = self.text.get(start..end).unwrap_or("");
        let tok = match kind {
            Raw::Word => return self.word(text, start),
            Raw::Str => Tok::Str,
            Raw::Step if text.ends_with('.') => Tok::DottedStep,
            Raw::Step => Tok::Step,
            Raw::Dashes => Tok::Dashes,
            Raw::EndModule => Tok::EndModule,
            Raw::BlockComment => {
                let help = "close it with `*)`: comments may be nested, and each needs its own";
                self.diagnostics.push(
                    Diagnostic::error(4003, "this comment is never closed", span(start, start + 2)).with_help(help),
                );
                return;
            }
            Raw::Punctuation | Raw::Symbol | Raw::Backslash | Raw::Unicode => match symbol(text) {
                Some(tok) => tok,
                None => return self.bad_character(start, end),
            },
            Raw::LineComment => return,
        };
        self.push(tok, start, end);
    }

    fn word(&mut self, text: &str, start: usize) {
        if let Some(rest) = text.strip_prefix("WF_").or_else(|| text.strip_prefix("SF_")) {
            let after_dot = self.tokens.last().is_some_and(|t| t.tok == Tok::Dot);
            let tok = match text.as_bytes() {
                _ if after_dot => Tok::Ident,
                [b'W', ..] => Tok::Weak,
                _ => Tok::Strong,
            };
            self.push(tok, start, start + 3);
            if !rest.is_empty() {
                self.word(rest, start + 3);
            }
            return;
        }
        let end = start + text.len();
        let tok = if text == "_" {
            Tok::Underscore
        } else if text.bytes().any(|b| b.is_ascii_alphabetic()) {
            self.reserved(text)
        } else if text.contains('_') {
            self.error(format!("`{text}` is not a name: a name has at least one letter"), start, end);
            return;
        } else {
            return self.number(start, end);
        };
        self.push(tok, start, end);
    }

    /// The token of a word. After `.`, MODULE, EXTENDS and INSTANCE a reserved word is a name.
    fn reserved(&self, text: &str) -> Tok {
        match (reserved_word(text), self.tokens.last().map(|t| t.tok)) {
            (Some(_), Some(Tok::Dot | Tok::Extends | Tok::Instance)) => Tok::Ident,
            (Some(_), Some(Tok::Module)) if kind_before(&self.tokens) == Some(Tok::Dashes) => Tok::Ident,
            (Some(tok), _) => tok,
            (None, _) => Tok::Ident,
        }
    }

    /// A number, perhaps the fraction of the one before: `1 . 5` is one decimal.
    fn number(&mut self, start: usize, end: usize) {
        let n = self.tokens.len();
        let whole = n.checked_sub(2).and_then(|i| self.tokens.get(i)).copied();
        match (whole, self.tokens.last().map(|t| t.tok)) {
            (Some(whole), Some(Tok::Dot)) if whole.tok == Tok::Number => {
                self.tokens.truncate(n - 2);
                self.tokens.push(Lexeme { tok: Tok::Decimal, span: span(whole.span.start as usize, end), ..whole });
            }
            _ => self.push(Tok::Number, start, end),
        }
    }

    fn push(&mut self, tok: Tok, start: usize, end: usize) {
        let column = self.column(start);
        // The first field of a record constructor may be a reserved word: `[IF |-> 1]`.
        if tok == Tok::MapsTo
            && kind_before(&self.tokens) == Some(Tok::LBracket)
            && let Some(field) = self.tokens.last_mut()
        {
            let text = self.text.get(field.span.start as usize..field.span.end as usize).unwrap_or("");
            if reserved_word(text).is_some() {
                field.tok = Tok::Ident;
            }
        }
        self.tokens.push(Lexeme { tok, span: span(start, end), column });
    }

    /// The column of an offset, which must not be before the last one asked for on its line.
    fn column(&mut self, offset: usize) -> u32 {
        if offset < self.line.offset {
            self.line = Place { offset: 0, column: 0 };
        }
        let passed = self.text.get(self.line.offset..offset).unwrap_or("");
        let column = passed.chars().fold(self.line.column, after);
        self.line = Place { offset, column };
        column + 1
    }

    fn bad_character(&mut self, start: usize, end: usize) {
        let text = self.text.get(start..end).unwrap_or("");
        match text.chars().next() {
            Some('"') => self.error("this string is never closed", start, start + 1),
            Some(c) => self.error(format!("unexpected character `{}`", c.escape_debug()), start, end),
            None => self.error("unexpected character", start, end),
        }
        let help = text.chars().next().and_then(hints::of_character);
        if let (Some(help), Some(last)) = (help, self.diagnostics.last_mut()) {
            last.help = Some(help.into());
        }
    }

    fn error(&mut self, message: impl Into<String>, start: usize, end: usize) {
        // They are in textual order; more are not told.
        if self.diagnostics.len() >= MAX_ERRORS {
            return;
        }
        self.diagnostics.push(Diagnostic::error(4003, message, span(start, end)));
    }
}

fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

fn kind_before(tokens: &[Lexeme]) -> Option<Tok> {
    tokens.iter().rev().nth(1).map(|t| t.tok)
}

/// The text of a string literal with its escapes resolved; the error is the first bad escape's offset in it.
pub(crate) fn unescape(literal: &str) -> Result<Arc<str>, usize> {
    let inner = literal.strip_prefix('"').and_then(|s| s.strip_suffix('"')).unwrap_or(literal);
    if !inner.contains('\\') {
        return Ok(Arc::from(inner));
    }
    let mut text = String::with_capacity(inner.len());
    let mut chars = inner.char_indices();
    while let Some((i, c)) = chars.next() {
        text.push(match c {
            '\\' => match chars.next().map(|(_, e)| e) {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('f') => '\u{c}',
                Some(e @ ('\\' | '"')) => e,
                _ => return Err(i + 1),
            },
            c => c,
        });
    }
    Ok(Arc::from(text))
}
