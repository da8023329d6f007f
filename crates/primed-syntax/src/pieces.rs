//! A module cut into its top-level units by layout, so that each can be read although others are broken.
//!
//! The grammar cannot say where a broken unit ends; columns can. Units begin lines, at the column of the module's leftmost
//! head of a unit: `Name ==`, `Name(...) ==`, `Name[...] ==`, a word such as VARIABLE. What is cut is then parsed piece by
//! piece, with the places of the original file.

use std::sync::Arc;

use crate::ast::{Ident, Module, Unit, UnitKind};
use crate::diagnostic::Diagnostic;
use crate::grammar;
use crate::layout::{Layout, ends_operand, starts_operand};
use crate::lower::Builder;
use crate::parser;
use crate::span::{SourceFile, Span};
use crate::token::{self, Extent, Lexeme, Tok};

/// What a piece of a module is, as far as its beginning tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// EXTENDS.
    Extends,
    /// CONSTANT.
    Constants,
    /// VARIABLE.
    Variables,
    /// RECURSIVE.
    Recursive,
    /// The definition of an operator, a function or a named instance.
    Definition,
    /// INSTANCE without a name.
    Instance,
    /// ASSUME, ASSUMPTION or AXIOM.
    Assumption,
    /// THEOREM and its synonyms, with the proof.
    Theorem,
    /// A nested module.
    Module,
    /// USE or HIDE.
    UseHide,
    /// A line of dashes.
    Separator,
    /// No unit begins like this.
    Unknown,
}

impl PieceKind {
    /// The kind in one word.
    pub fn word(self) -> &'static str {
        match self {
            PieceKind::Extends => "extends",
            PieceKind::Constants => "constants",
            PieceKind::Variables => "variables",
            PieceKind::Recursive => "recursive",
            PieceKind::Definition => "definition",
            PieceKind::Instance => "instance",
            PieceKind::Assumption => "assumption",
            PieceKind::Theorem => "theorem",
            PieceKind::Module => "module",
            PieceKind::UseHide => "use",
            PieceKind::Separator => "separator",
            PieceKind::Unknown => "unknown",
        }
    }
}

/// One top-level unit of a module, sound or broken.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// The name that it defines, if it has one.
    pub name: Option<Arc<str>>,
    /// From its first character to its last.
    pub span: Span,
    /// The unit, if it parses.
    pub unit: Option<Unit>,
    /// The names after EXTENDS.
    pub extends: Vec<Ident>,
    /// Why it does not parse.
    pub diagnostics: Vec<Diagnostic>,
}

/// A module cut into pieces.
#[derive(Debug)]
pub struct Pieces {
    /// The module's name, if it has a header.
    pub name: Option<Ident>,
    /// Its top-level units in order, lines of dashes included.
    pub pieces: Vec<Piece>,
    /// What is wrong outside of them: a header or an end is missing.
    pub diagnostics: Vec<Diagnostic>,
}

/// Cuts the first module of a file into its top-level units and parses each on its own.
pub fn parse_pieces(file: &SourceFile) -> Pieces {
    let (mut tokens, mut errors) = token::lex_on(file, Extent::Modules);
    let mut diagnostics = Vec::new();
    let header = matches!(tokens.get(..4), Some([a, b, c, d])
        if [a.tok, b.tok, c.tok, d.tok] == [Tok::Dashes, Tok::Module, Tok::Ident, Tok::Dashes]);
    let mut name = None;
    if header {
        name = tokens.get(2).map(|t| Ident { name: Arc::from(file.slice(t.span)), span: t.span });
        tokens.drain(..4);
    } else {
        (tokens, errors) = token::lex_on(file, Extent::Everything);
        let mut message = "no module found: expected `---- MODULE name ----`";
        if let Some((ident, rest)) = half_header(file, &tokens) {
            message = "the header of a module has dashes on both sides: expected `---- MODULE name ----`";
            errors.retain(|e| e.span.start >= ident.span.end);
            tokens.drain(..rest);
            name = Some(ident);
        }
        let span = name.as_ref().map_or(Span::default(), |n| n.span);
        diagnostics.push(Diagnostic::error(4003, message, span));
    }
    let mut depth = 0usize;
    let end = (0..tokens.len()).find(|i| nesting(&tokens, *i, &mut depth));
    match (end, &name) {
        (Some(end), _) => {
            let after = tokens.get(end).map_or(u32::MAX, |t| t.span.start);
            errors.retain(|e| e.span.start < after);
            tokens.truncate(end);
        }
        (None, Some(name)) => {
            let message = format!("module `{}` has no end: expected `====`", name.name);
            let help = "end the module with a line of at least four `=`";
            diagnostics.push(Diagnostic::error(4003, message, name.span).with_help(help));
        }
        (None, None) => {}
    }
    let cutter = Cutter { file, tokens: &tokens, errors: &errors };
    Pieces { name, pieces: cutter.pieces(), diagnostics }
}

/// The name in a header that lacks the dashes of one side, and the number of tokens up to the header's end.
fn half_header(file: &SourceFile, tokens: &[Lexeme]) -> Option<(Ident, usize)> {
    let tok = |i: usize| tokens.get(i).map(|t| t.tok);
    let dashed = |i: usize| i.checked_sub(1).and_then(tok) == Some(Tok::Dashes) || tok(i + 2) == Some(Tok::Dashes);
    let at =
        (0..tokens.len()).find(|i| tok(*i) == Some(Tok::Module) && tok(i + 1) == Some(Tok::Ident) && dashed(*i))?;
    let span = tokens.get(at + 1)?.span;
    let rest = at + 2 + usize::from(tok(at + 2) == Some(Tok::Dashes));
    Some((Ident { name: Arc::from(file.slice(span)), span }, rest))
}

/// The top-level units of a module that parses as a whole.
pub fn pieces_of(file: &SourceFile, module: Module) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(module.units.len() + 1);
    if let (Some(first), Some(last)) = (module.extends.first(), module.extends.last()) {
        let before = Span::new(module.name.span.end, first.span.start);
        let at = file.slice(before).rfind("EXTENDS").map_or(first.span.start, |i| before.start + i as u32);
        let span = Span::new(at, last.span.end);
        let (kind, diagnostics) = (PieceKind::Extends, Vec::new());
        pieces.push(Piece { kind, name: None, span, unit: None, extends: module.extends, diagnostics });
    }
    pieces.extend(module.units.into_iter().map(of_unit));
    pieces
}

/// Whether the token ends the module that was open at `depth` 0.
fn nesting(tokens: &[Lexeme], index: usize, depth: &mut usize) -> bool {
    match tokens.get(index).map(|t| t.tok) {
        Some(Tok::Module) if index > 0 && tokens.get(index - 1).map(|t| t.tok) == Some(Tok::Dashes) => *depth += 1,
        Some(Tok::EndModule) if *depth == 0 => return true,
        Some(Tok::EndModule) => *depth -= 1,
        _ => {}
    }
    false
}

/// Where a piece begins, and like what.
#[derive(Clone, Copy)]
struct Cut {
    /// The first token.
    token: usize,
    /// The first character, which may be none of a token.
    at: u32,
    kind: PieceKind,
    name: Option<Span>,
}

struct Cutter<'a> {
    file: &'a SourceFile,
    tokens: &'a [Lexeme],
    /// Lexical errors in textual order.
    errors: &'a [Diagnostic],
}

impl Cutter<'_> {
    fn pieces(&self) -> Vec<Piece> {
        let cuts = self.cuts();
        let mut pieces = Vec::with_capacity(cuts.len());
        let mut i = 0;
        while let Some(cut) = cuts.get(i) {
            let next = cuts.get(i + 1).map_or(self.tokens.len(), |c| c.token);
            let until = |j: usize| cuts.get(j).map_or(u32::MAX, |c| c.at);
            let mut parsed = self.parse(cut, next, until(i + 1));
            let mut used = 1;
            if parsed.iter().any(|p| p.unit.is_none())
                && let Some(more) = self.let_closed(&cuts, i)
            {
                let last = cuts.get(i + more).map_or(self.tokens.len(), |c| c.token);
                let whole = self.parse(cut, last, until(i + more));
                if whole.iter().all(|p| p.diagnostics.is_empty()) {
                    (parsed, used) = (whole, more);
                }
            }
            pieces.extend(parsed);
            i += used;
        }
        let later = pieces.iter_mut().filter(|p| p.kind != PieceKind::Separator).skip(1);
        for piece in later.filter(|p| p.kind == PieceKind::Extends) {
            let message = "EXTENDS stands once, at the beginning of a module";
            piece.diagnostics.push(Diagnostic::error(4003, message, piece.span));
        }
        pieces
    }

    fn tok(&self, index: usize) -> Option<Tok> {
        self.tokens.get(index).map(|t| t.tok)
    }

    /// Nothing of a token stands before it on its line.
    fn begins_line(&self, index: usize) -> bool {
        let Some(token) = self.tokens.get(index) else { return false };
        let before = index.checked_sub(1).and_then(|i| self.tokens.get(i));
        before.is_none_or(|b| self.file.slice(Span::new(b.span.end, token.span.start)).contains('\n'))
    }

    /// Where pieces begin.
    fn cuts(&self) -> Vec<Cut> {
        let mut heads = Vec::new();
        let mut i = 0;
        while i < self.tokens.len() {
            let head = if self.begins_line(i) { self.head(i) } else { None };
            if let Some(cut) = head {
                heads.push(cut);
                if cut.kind == PieceKind::Module {
                    i = self.end_of_module(i);
                }
            }
            i += 1;
        }
        let column = |c: &Cut| self.tokens.get(c.token).map_or(1, |t| t.column);
        let base = heads.iter().filter(|c| c.kind != PieceKind::Separator).map(column).min().unwrap_or(1);
        heads.retain(|c| column(c) <= base || c.kind == PieceKind::Separator);
        self.add_strays(&mut heads, base);
        heads.sort_by_key(|c| (c.token, c.at));
        // What is no unit is one piece up to the next unit.
        heads.dedup_by(|b, a| {
            (a.kind, b.kind) == (PieceKind::Unknown, PieceKind::Unknown) || (a.token, a.at) == (b.token, b.at)
        });
        let first = self.tokens.first().map(|t| t.span.start).filter(|_| heads.first().is_none_or(|c| c.token > 0));
        if let Some(at) = first {
            heads.insert(0, Cut { token: 0, at, kind: PieceKind::Unknown, name: None });
        }
        heads
    }

    /// Adds lines at the column of units that neither begin one nor can go on with the one before.
    fn add_strays(&self, heads: &mut Vec<Cut>, base: u32) {
        let mut taken = vec![false; self.tokens.len()];
        let mut inside = vec![false; self.tokens.len()];
        for head in heads.iter() {
            let last = if head.kind == PieceKind::Module { self.end_of_module(head.token) } else { head.token };
            taken.iter_mut().skip(head.token).take(last + 1 - head.token).for_each(|t| *t = true);
            inside.iter_mut().skip(head.token + 1).take(last - head.token).for_each(|t| *t = true);
        }
        for (i, token) in self.tokens.iter().enumerate().skip(1) {
            let after = self.tok(i - 1).is_some_and(ends_operand);
            let starts = starts_operand(token.tok) && !matches!(token.tok, Tok::Step | Tok::DottedStep);
            if token.column <= base && after && starts && !taken[i] && self.begins_line(i) {
                let (kind, name) = match self.almost_definition(i) {
                    true => (PieceKind::Definition, Some(token.span)),
                    false => (PieceKind::Unknown, None),
                };
                heads.push(Cut { token: i, at: token.span.start, kind, name });
            }
        }
        for error in self.errors {
            let at = error.span.start;
            let before = self.file.slice(Span::new(0, at)).trim_end_matches(|c: char| c != '\n' && c.is_whitespace());
            let first = before.is_empty() || before.ends_with('\n');
            let token = self.tokens.partition_point(|t| t.span.start < at);
            if first && self.file.place(at).column <= base && !inside.get(token).is_some_and(|i| *i) {
                heads.push(Cut { token, at, kind: PieceKind::Unknown, name: None });
            }
        }
    }

    /// The unit that a token begins; what stands behind LOCAL belongs to it.
    fn head(&self, i: usize) -> Option<Cut> {
        let local = i.checked_sub(1).and_then(|b| self.tok(b)) == Some(Tok::Local);
        if local { None } else { self.unit_head(i) }
    }

    fn unit_head(&self, i: usize) -> Option<Cut> {
        let before = i.checked_sub(1).and_then(|b| self.tok(b));
        let span = |j: usize| self.tokens.get(j).map(|t| t.span);
        let named =
            |j: usize| span(j).filter(|_| self.tok(j) == Some(Tok::Ident) && self.tok(j + 1) == Some(Tok::DefEq));
        let inside = matches!(before, Some(Tok::DefEq | Tok::New | Tok::Theorem | Tok::Comma | Tok::ColonColon));
        let (kind, name) = match self.tok(i)? {
            Tok::Dashes if self.tok(i + 1) == Some(Tok::Module) => (PieceKind::Module, span(i + 2)),
            Tok::Dashes => (PieceKind::Separator, None),
            Tok::Extends => (PieceKind::Extends, None),
            Tok::Theorem => (PieceKind::Theorem, named(i + 1)),
            Tok::Assumption | Tok::Axiom => (PieceKind::Assumption, named(i + 1)),
            Tok::Assume | Tok::Constant | Tok::Variable | Tok::Instance if inside => return None,
            Tok::Assume if before == Some(Tok::Suffices) => return None,
            _ if matches!(before, Some(Tok::Theorem | Tok::Assume | Tok::Assumption | Tok::Axiom)) => return None,
            Tok::Assume => (PieceKind::Assumption, named(i + 1)),
            Tok::Constant => (PieceKind::Constants, None),
            Tok::Variable => (PieceKind::Variables, None),
            Tok::Recursive => (PieceKind::Recursive, None),
            Tok::Instance => (PieceKind::Instance, None),
            Tok::Use | Tok::Hide => (PieceKind::UseHide, None),
            Tok::Local if self.tok(i + 1) == Some(Tok::Local) => (PieceKind::Unknown, None),
            Tok::Local => match self.unit_head(i + 1) {
                Some(cut) => (cut.kind, cut.name),
                None => (PieceKind::Unknown, None),
            },
            _ if before == Some(Tok::Define) => return None,
            _ => (PieceKind::Definition, Some(self.defined(i)?)),
        };
        Some(Cut { token: i, at: span(i)?.start, kind, name })
    }

    /// The name that a definition beginning here defines.
    fn defined(&self, i: usize) -> Option<Span> {
        let span = |j: usize| self.tokens.get(j).map(|t| t.span);
        let equals = |j: usize| self.tok(j) == Some(Tok::DefEq);
        let sign = |j: usize| matches!(self.tok(j), Some(Tok::Infix(_) | Tok::Minus(_) | Tok::And(_) | Tok::Or(_)));
        match (self.tok(i)?, self.tok(i + 1)?) {
            (Tok::Ident, Tok::DefEq) => span(i),
            (Tok::Ident, Tok::LParen | Tok::LBracket) if self.head_ends(i + 1) => span(i),
            (Tok::Ident, Tok::Postfix(_)) if equals(i + 2) => span(i + 1),
            (Tok::Ident, _) if sign(i + 1) && self.tok(i + 2) == Some(Tok::Ident) && equals(i + 3) => span(i + 1),
            (Tok::Prefix(_) | Tok::Minus(_), Tok::Ident) if equals(i + 2) => span(i),
            _ => None,
        }
    }

    /// Whether `==` follows the bracket that opens here, or its line at least.
    fn head_ends(&self, open: usize) -> bool {
        let mut depth = 0usize;
        for i in open..self.tokens.len() {
            match self.tok(i) {
                Some(Tok::LParen | Tok::LBracket | Tok::LBrace | Tok::LAngle) => depth += 1,
                Some(Tok::RParen | Tok::RBracket | Tok::RBrace | Tok::RAngle) => depth = depth.saturating_sub(1),
                Some(Tok::DefEq) => return true,
                Some(_) if depth > 0 => {}
                _ => return false,
            }
            if self.begins_line(i + 1) && self.tok(i + 1) != Some(Tok::DefEq) {
                return false;
            }
        }
        false
    }

    /// `Name =` or `Name(...) :=`, where a definition was meant.
    fn almost_definition(&self, i: usize) -> bool {
        let mut next = i + 1;
        if self.tok(i) != Some(Tok::Ident) {
            return false;
        }
        if self.tok(next) == Some(Tok::LParen) {
            while self.tok(next).is_some_and(|t| t != Tok::RParen) && !self.begins_line(next) {
                next += 1;
            }
            next += 1;
        }
        matches!(self.tok(next), Some(Tok::Infix(o)) if matches!(o.symbol, "=" | ":="))
            || self.tok(next) == Some(Tok::Eq)
    }

    fn end_of_module(&self, start: usize) -> usize {
        let mut depth = 0usize;
        let inside = start + 2..self.tokens.len();
        inside.clone().find(|i| nesting(self.tokens, *i, &mut depth)).unwrap_or(inside.end)
    }

    /// How many pieces from `first` on close each LET with its IN, if that takes more than one.
    fn let_closed(&self, cuts: &[Cut], first: usize) -> Option<usize> {
        let mut open = 0i64;
        for (n, cut) in cuts.iter().enumerate().skip(first).take(MAX_JOINED) {
            let end = cuts.get(n + 1).map_or(self.tokens.len(), |c| c.token);
            for token in self.tokens.get(cut.token..end).unwrap_or_default() {
                open += i64::from(token.tok == Tok::Let) - i64::from(token.tok == Tok::InWord);
            }
            if open <= 0 {
                return Some(n + 1 - first).filter(|n| *n > 1);
            }
        }
        None
    }

    /// Parses the tokens from a cut up to `end`; the text before `limit` is theirs.
    fn parse(&self, cut: &Cut, end: usize, limit: u32) -> Vec<Piece> {
        let tokens = self.tokens.get(cut.token..end).unwrap_or_default();
        let from = self.errors.partition_point(|d| d.span.start < cut.at);
        let mine = self.errors.iter().skip(from).take_while(|d| d.span.start < limit);
        let lexical: Vec<Diagnostic> = mine.cloned().collect();
        let last = tokens.last().map_or(cut.at, |t| t.span.end);
        let last = lexical.iter().map(|d| d.span.end).fold(last, u32::max);
        let mut builder = Builder::new(self.file, lexical);
        builder.begin_module(cut.at, Ident { name: Arc::from(""), span: Span::new(cut.at, cut.at) });
        let parsed = grammar::StartParser::new().parse(&mut builder, Layout::new(tokens, Tok::StartFile));
        let mut broken = Vec::new();
        if let Err(error) = parsed {
            builder.diagnostics.push(parser::explain(self.file, tokens, error));
            // That a nested module has no end is no news then.
            broken = std::mem::take(&mut builder.diagnostics);
        }
        let (units, extends) = builder.close_module();
        let mut diagnostics = if broken.is_empty() { std::mem::take(&mut builder.diagnostics) } else { broken };
        diagnostics.sort_by_key(|d| d.span.start);
        let span = Span::new(cut.at, last);
        let single = Piece {
            kind: cut.kind,
            name: cut.name.map(|n| Arc::from(self.file.slice(n))),
            span,
            unit: None,
            extends: Vec::new(),
            diagnostics,
        };
        if !single.diagnostics.is_empty() {
            return vec![single];
        }
        let mut pieces = Vec::new();
        if !extends.is_empty() {
            let to = extends.last().map_or(last, |n| n.span.end);
            let span = Span::new(cut.at, to);
            pieces.push(Piece { kind: PieceKind::Extends, name: None, span, extends, ..single });
        }
        pieces.extend(units.into_iter().map(of_unit));
        pieces
    }
}

/// The most pieces that are joined because a LET in the first has its IN in the last.
const MAX_JOINED: usize = 64;

fn of_unit(unit: Unit) -> Piece {
    let (kind, name) = match &unit.kind {
        UnitKind::Constants(_) => (PieceKind::Constants, None),
        UnitKind::Variables(_) => (PieceKind::Variables, None),
        UnitKind::Recursive(_) => (PieceKind::Recursive, None),
        UnitKind::Definition(definition) => (PieceKind::Definition, Some(&definition.name)),
        UnitKind::Instance { .. } => (PieceKind::Instance, None),
        UnitKind::Assumption(assumption) => (PieceKind::Assumption, assumption.name.as_ref()),
        UnitKind::Theorem(theorem) => (PieceKind::Theorem, theorem.name.as_ref()),
        UnitKind::Module(module) => (PieceKind::Module, Some(&module.name)),
        UnitKind::UseHide(_) => (PieceKind::UseHide, None),
        UnitKind::Separator => (PieceKind::Separator, None),
    };
    let name = name.map(|n| n.name.clone());
    Piece { kind, name, span: unit.span, unit: Some(unit), extends: Vec::new(), diagnostics: Vec::new() }
}
