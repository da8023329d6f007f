//! The layout pass: turns columns into tokens, so that an ordinary LR grammar can parse the language.
//!
//! A junction list is a column of bullets; where it ends is told by columns and by what encloses it, never by the grammar
//! (`Specifying Systems`, section 15.2.2). This pass holds a stack of what is open and makes [`Tok::JunctBegin`],
//! [`Tok::JunctItem`] and [`Tok::JunctEnd`]. It also ends CASE ([`Tok::CaseEnd`]), tells the `[]` of CASE from "always",
//! minus from negation, and an operator from its name used as an argument ([`Tok::OpName`]).
//!
//! INVARIANT: only what is popped is searched, so the pass is linear in the number of tokens.

mod bounds;

use std::collections::VecDeque;

use crate::MAX_NESTING;
use crate::ast::Junction;
use crate::operator;
use crate::span::Span;
use crate::token::{Lexeme, Tok};

/// What stopped the parser apart from the grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) span: Span,
    pub(crate) help: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Context {
    /// A junction list whose bullets stand at the column.
    List(Junction, u32),
    /// `(`, `[`, `{` or `<<`.
    Delimiter,
    /// A quantifier, CHOOSE, LAMBDA or PICK that waits for its `:`.
    Colon,
    /// IF that waits for THEN.
    If,
    /// THEN that waits for ELSE.
    Then,
    /// CASE whose current arm waits for its `->`.
    Case,
    /// CASE after that `->`; another ends it.
    CaseArm,
    /// CASE that waits for the `->` of OTHER.
    LastCase,
    /// CASE after that, which the next `[]` ends.
    LastArm,
    /// LET that waits for IN.
    Let,
}

/// The tokens of a text as the grammar wants them.
pub(crate) struct Layout<'a> {
    tokens: &'a [Lexeme],
    next: usize,
    ready: VecDeque<(u32, Tok, u32)>,
    stack: Vec<Context>,
    /// The places of the lists in `stack`.
    lists: Vec<usize>,
    /// Of each delimiter in `stack`, whether arguments stand in it.
    calls: Vec<bool>,
    previous: Option<Tok>,
    previous_end: u32,
    after_operand: bool,
}

impl<'a> Layout<'a> {
    /// `start` chooses what the grammar parses: [`Tok::StartFile`] or [`Tok::StartExpr`].
    pub(crate) fn new(tokens: &'a [Lexeme], start: Tok) -> Layout<'a> {
        let at = tokens.first().map_or(0, |t| t.span.start);
        Layout {
            tokens,
            next: 0,
            ready: VecDeque::from([(at, start, at)]),
            stack: Vec::new(),
            lists: Vec::new(),
            calls: Vec::new(),
            previous: None,
            previous_end: at,
            after_operand: false,
        }
    }

    fn peek(&self, ahead: usize) -> Option<Tok> {
        self.tokens.get(self.next + ahead).map(|t| t.tok)
    }

    fn push(&mut self, context: Context) {
        if matches!(context, Context::List(..)) {
            self.lists.push(self.stack.len());
        }
        self.stack.push(context);
    }

    fn pop(&mut self) {
        match self.stack.pop() {
            Some(Context::Delimiter) => {
                self.calls.pop();
            }
            Some(Context::List(..)) => {
                self.lists.pop();
                self.emit_virtual(Tok::JunctEnd);
            }
            Some(Context::Case | Context::CaseArm | Context::LastCase | Context::LastArm) => {
                self.emit_virtual(Tok::CaseEnd)
            }
            _ => {}
        }
    }

    /// Replaces the innermost context if it is `from`.
    fn change(&mut self, from: Context, to: Context) {
        if let Some(top) = self.stack.last_mut().filter(|top| **top == from) {
            *top = to;
        }
    }

    fn emit_virtual(&mut self, tok: Tok) {
        self.ready.push_back((self.previous_end, tok, self.previous_end));
    }

    /// Closes what is open down to one of `wanted`, which stays; delimiters and LET are never closed on the way.
    fn close_to(&mut self, wanted: &[Context]) -> bool {
        while let Some(top) = self.stack.last() {
            if wanted.contains(top) {
                return true;
            }
            if matches!(top, Context::Delimiter | Context::Let) {
                return false;
            }
            self.pop();
        }
        false
    }

    /// Applies the columns: ends the lists that a token at `column` is not inside of. True if the token is the next
    /// bullet of the innermost list left.
    fn close_by_column(&mut self, token: &Lexeme) -> Result<bool, Problem> {
        while let Some(Context::List(kind, column)) = self.lists.last().and_then(|i| self.stack.get(*i)).copied() {
            if token.column > column {
                break;
            }
            while let Some(top) = self.stack.last() {
                match top {
                    Context::List(..) => break,
                    // SANY gives a `[]` to the innermost CASE, even outside of the list that it stands in.
                    Context::CaseArm if matches!(token.tok, Tok::Box(_)) && self.after_operand => {
                        return Err(self.badly_indented(token, kind, column));
                    }
                    Context::Case | Context::CaseArm | Context::LastCase | Context::LastArm => self.pop(),
                    _ => return Err(self.badly_indented(token, kind, column)),
                }
            }
            let bullet = match token.tok {
                Tok::And(_) => Some(Junction::And),
                Tok::Or(_) => Some(Junction::Or),
                _ => None,
            };
            if token.column == column && bullet == Some(kind) {
                return Ok(true);
            }
            self.pop();
        }
        Ok(false)
    }

    fn badly_indented(&self, token: &Lexeme, kind: Junction, column: u32) -> Problem {
        let bullet = if kind == Junction::And { "/\\" } else { "\\/" };
        let message = format!(
            "this is not inside the item of the `{bullet}` list at column {column}, but the item is not finished"
        );
        let help = format!("indent it beyond column {column}: it stands at column {}", token.column);
        Problem { message, span: token.span, help: Some(help) }
    }

    fn step(&mut self, token: Lexeme) -> Result<(), Problem> {
        self.next += 1;
        if starts_outer_unit(token.tok) {
            while !self.stack.is_empty() {
                self.pop();
            }
        } else if self.close_by_column(&token)? {
            self.after_operand = false;
            self.emit(Tok::JunctItem, token.span);
            return Ok(());
        }
        if self.stack.len() > MAX_NESTING {
            let message = format!("expressions are nested deeper than the limit of {MAX_NESTING} levels");
            return Err(Problem { message, span: token.span, help: None });
        }
        if token.tok == Tok::Ident && self.peek(0) == Some(Tok::DefEq) && self.definition_is_misplaced(&token) {
            // Told here, because the grammar would take the name for the operand and complain about the sign after it.
            let message = String::from("expected an expression, found a definition");
            return Err(Problem { message, span: token.span, help: None });
        }
        if token.tok == Tok::LBracket && self.after_operand && self.argument_is_a_bound() {
            let message = String::from("the argument of a function cannot begin with a bound, `x \\in S`");
            let help = Some(String::from("put it in parentheses: `f[(x \\in S)]`"));
            return Err(Problem { message, span: token.span, help });
        }
        if matches!(self.previous, Some(Tok::By | Tok::Only | Tok::Use | Tok::Hide))
            && self.facts_are_missing(token.tok)
        {
            self.emit_virtual(Tok::NoFacts);
            self.previous = Some(Tok::NoFacts);
        }
        let tok = if self.previous == Some(Tok::Bang) { self.after_bang(token.tok) } else { self.classify(&token) };
        self.emit(tok, token.span);
        Ok(())
    }

    fn emit(&mut self, tok: Tok, span: Span) {
        self.after_operand = ends_operand(tok);
        self.previous = Some(tok);
        self.previous_end = span.end;
        self.ready.push_back((span.start, tok, span.end));
    }

    /// After `!` stands a selector: a name, an operator's name, or a sign that is not what it is elsewhere.
    fn after_bang(&mut self, tok: Tok) -> Tok {
        match tok {
            Tok::LAngle => Tok::SelectLeft,
            Tok::RAngle => Tok::SelectRight,
            Tok::Colon => Tok::SelectWhole,
            Tok::Infix(o) | Tok::Prefix(o) | Tok::Postfix(o) => Tok::OpName(o),
            Tok::And(o) | Tok::Or(o) | Tok::Minus(o) | Tok::Box(o) => Tok::OpName(o),
            Tok::LParen | Tok::LBracket => {
                self.open(true);
                tok
            }
            tok => tok,
        }
    }

    fn classify(&mut self, token: &Lexeme) -> Tok {
        if self.after_operand && (starts_operand(token.tok) || starts_unit(token.tok)) {
            // An operand cannot follow an operand: here a definition, a step or a unit begins.
            self.close_to(&[]);
        }
        match token.tok {
            Tok::And(_) | Tok::Or(_) | Tok::Minus(_) | Tok::Box(_) => return self.ambiguous(token),
            Tok::Infix(o) if !self.after_operand => return Tok::OpName(o),
            Tok::Infix(o) if o.symbol == "\\in" => return Tok::In,
            Tok::Infix(o) if o.symbol == "=" => return Tok::Eq,
            Tok::Prefix(o) if self.stands_alone() => return Tok::OpName(o),
            Tok::Postfix(o) if !self.after_operand => return Tok::OpName(o),
            Tok::Step if !self.step_begins() => return Tok::StepName,
            Tok::DottedStep => return Tok::Step,
            Tok::Case if self.previous == Some(Tok::Step) => return Tok::StepCase,
            _ => {}
        }
        if self.previous == Some(Tok::Step) && self.definition_begins() {
            self.ready.push_back((token.span.start, Tok::StepDefine, token.span.start));
        }
        self.nest(token.tok);
        token.tok
    }

    fn open(&mut self, call: bool) {
        self.push(Context::Delimiter);
        self.calls.push(call);
    }

    /// Opens and closes contexts.
    fn nest(&mut self, tok: Tok) {
        match tok {
            Tok::LParen => self.open(self.after_operand),
            Tok::LBracket | Tok::LBrace | Tok::LAngle => self.open(false),
            Tok::RParen | Tok::RBracket | Tok::RBrace | Tok::RAngle | Tok::RBracketSub | Tok::RAngleSub
                if self.close_to(&[Context::Delimiter]) =>
            {
                self.pop();
            }
            Tok::Forall | Tok::Exists | Tok::TemporalForall | Tok::TemporalExists => self.push(Context::Colon),
            Tok::Choose | Tok::Lambda | Tok::Pick => self.push(Context::Colon),
            Tok::If => self.push(Context::If),
            Tok::Case => self.push(Context::Case),
            Tok::Let => self.push(Context::Let),
            Tok::Colon if self.close_to(&[Context::Colon]) => {
                self.pop();
            }
            Tok::Then if self.close_to(&[Context::If]) => {
                self.pop();
                self.push(Context::Then);
            }
            Tok::Else if self.close_to(&[Context::Then]) => {
                self.pop();
            }
            Tok::InWord if self.close_to(&[Context::Let]) => {
                self.pop();
            }
            Tok::Comma => {
                self.close_to(&[Context::Colon]);
            }
            Tok::Arrow => self.arrow(),
            Tok::Other => {
                self.change(Context::Case, Context::LastCase);
            }
            Tok::MapsTo | Tok::Except | Tok::Prove | Tok::BoxProve => {
                self.close_to(&[]);
            }
            _ => {}
        }
    }

    /// The arrow of the innermost CASE that waits for one, or of a set of functions.
    fn arrow(&mut self) {
        if self.close_to(&[Context::Case, Context::LastCase]) {
            self.change(Context::Case, Context::CaseArm);
            self.change(Context::LastCase, Context::LastArm);
        }
    }

    /// The signs whose meaning depends on whether an operand stands before them.
    fn ambiguous(&mut self, token: &Lexeme) -> Tok {
        let as_name = !self.after_operand && self.stands_alone();
        match token.tok {
            Tok::And(o) | Tok::Or(o) | Tok::Minus(o) | Tok::Box(o) if as_name => Tok::OpName(o),
            Tok::And(o) | Tok::Or(o) | Tok::Minus(o) if self.after_operand => Tok::Infix(o),
            Tok::And(_) => self.begin_list(Junction::And, token.column),
            Tok::Or(_) => self.begin_list(Junction::Or, token.column),
            Tok::Minus(o) => Tok::Prefix(operator::spelled("-.").unwrap_or(o)),
            Tok::Box(o)
                if self.after_operand && self.peek(0) == Some(Tok::Ident) && self.peek(1) == Some(Tok::DefEq) =>
            {
                // A definition of the operator `[]` begins, which SANY parses to refuse it later.
                self.close_to(&[]);
                Tok::Prefix(o)
            }
            Tok::Box(_) if self.after_operand => {
                self.close_to(&[Context::CaseArm]);
                self.change(Context::CaseArm, Context::Case);
                Tok::CaseSep
            }
            Tok::Box(o) => Tok::Prefix(o),
            tok => tok,
        }
    }

    fn begin_list(&mut self, kind: Junction, column: u32) -> Tok {
        self.push(Context::List(kind, column));
        Tok::JunctBegin(kind)
    }

    /// Whether what comes after BY, USE or HIDE is already the next unit or step.
    fn facts_are_missing(&self, tok: Tok) -> bool {
        let next_unit = starts_unit(tok) && !matches!(tok, Tok::Def);
        next_unit || starts_outer_unit(tok) || tok == Tok::DottedStep || self.definition_begins()
    }

    /// Whether a definition of the name just read would begin where an expression is wanted.
    fn definition_is_misplaced(&self, name: &Lexeme) -> bool {
        match self.previous {
            Some(Tok::DefEq | Tok::Then | Tok::Else | Tok::InWord | Tok::Arrow | Tok::MapsTo | Tok::Colon) => true,
            Some(Tok::JunctBegin(_) | Tok::JunctItem) => true,
            // The name may be an operand on the left side of a definition: `a ++ b == ...`.
            Some(Tok::Infix(_) | Tok::In | Tok::Eq) if name.column == 1 => {
                let mut earlier = self.tokens.iter().take(self.next.saturating_sub(1)).rev().skip(1);
                let (left, before) = (earlier.next(), earlier.next());
                let operator = self.tokens.get(self.next.saturating_sub(2));
                let own_line = [operator, left].iter().flatten().any(|t| t.column == 1);
                let after_operand = before.is_some_and(|t| ends_operand(t.tok));
                !(own_line || left.is_some_and(|t| t.tok == Tok::Ident) && after_operand)
            }
            _ => false,
        }
    }

    /// Whether the operator just read stands alone, as an argument, a target of WITH or after DEF.
    fn stands_alone(&self) -> bool {
        let before = match self.previous {
            Some(Tok::LParen | Tok::Comma) => self.calls.last().is_none_or(|call| *call),
            previous => matches!(previous, Some(Tok::Gets | Tok::With | Tok::Def)),
        };
        before
            && match self.peek(0) {
                None | Some(Tok::Comma | Tok::RParen | Tok::Gets) => true,
                // The next unit begins, perhaps a definition.
                Some(Tok::Ident) => matches!(self.previous, Some(Tok::Gets)) && self.peek(1) == Some(Tok::DefEq),
                Some(tok) => starts_unit(tok) || starts_outer_unit(tok) || matches!(tok, Tok::Step | Tok::DottedStep),
            }
    }

    /// Whether a step's number begins a step, rather than names an earlier one where an operand is wanted.
    fn step_begins(&self) -> bool {
        let before = [Tok::Qed, Tok::Obvious, Tok::Omitted, Tok::Proof, Tok::NoFacts];
        self.after_operand || self.previous.is_some_and(|p| before.contains(&p))
    }

    /// Whether a definition starts at the token just read, which follows a step's number. SANY lets DEFINE be left out.
    fn definition_begins(&self) -> bool {
        let at = |i: usize| self.tokens.get(self.next - 1 + i).map(|t| t.tok);
        match (at(0), at(1), at(2), at(3)) {
            (Some(Tok::Ident), Some(Tok::DefEq), ..) => true,
            (Some(Tok::Ident), Some(Tok::Postfix(_)), Some(Tok::DefEq), _) => true,
            (Some(Tok::Prefix(_)), Some(Tok::Ident), Some(Tok::DefEq), _) => true,
            (Some(Tok::Ident), Some(Tok::Infix(_) | Tok::Minus(_)), Some(Tok::Ident), Some(Tok::DefEq)) => true,
            (Some(Tok::Ident), Some(Tok::LParen | Tok::LBracket), ..) => self.head_is_followed_by_definition(),
            _ => false,
        }
    }

    /// Looks past `F(...)` or `f[...]`. Stops at the next step, so that all such looks together are linear.
    fn head_is_followed_by_definition(&self) -> bool {
        let mut depth = 0usize;
        let mut rest = self.tokens.iter().skip(self.next).map(|t| t.tok);
        for tok in rest.by_ref() {
            match tok {
                Tok::LParen | Tok::LBracket => depth += 1,
                Tok::RParen | Tok::RBracket => depth -= 1,
                Tok::Step | Tok::DottedStep | Tok::EndModule => return false,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        rest.next() == Some(Tok::DefEq)
    }
}

impl Iterator for Layout<'_> {
    type Item = Result<(u32, Tok, u32), Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() {
            match self.tokens.get(self.next).copied() {
                Some(token) => {
                    if let Err(problem) = self.step(token) {
                        return Some(Err(problem));
                    }
                }
                None if self.stack.is_empty() => return None,
                None => self.pop(),
            }
        }
        self.ready.pop_front().map(Ok)
    }
}

pub(crate) fn ends_operand(tok: Tok) -> bool {
    matches!(
        tok,
        Tok::Ident
            | Tok::Number
            | Tok::Decimal
            | Tok::Str
            | Tok::StepName
            | Tok::Underscore
            | Tok::RParen
            | Tok::RBracket
            | Tok::RBrace
            | Tok::RAngle
            | Tok::Postfix(_)
            | Tok::OpName(_)
            | Tok::SelectLeft
            | Tok::SelectRight
            | Tok::SelectWhole
    )
}

pub(crate) fn starts_operand(tok: Tok) -> bool {
    matches!(
        tok,
        Tok::Ident
            | Tok::Number
            | Tok::Decimal
            | Tok::Str
            | Tok::Step
            | Tok::DottedStep
            | Tok::Underscore
            | Tok::Prefix(_)
            | Tok::LBrace
            | Tok::LAngle
            | Tok::Forall
            | Tok::Exists
            | Tok::TemporalForall
            | Tok::TemporalExists
            | Tok::If
            | Tok::Case
            | Tok::Let
            | Tok::Choose
            | Tok::Lambda
            | Tok::Weak
            | Tok::Strong
    )
}

/// Words that begin or continue a unit or a proof and never occur inside an expression without delimiters.
fn starts_unit(tok: Tok) -> bool {
    matches!(
        tok,
        Tok::Instance
            | Tok::Recursive
            | Tok::Local
            | Tok::Assume
            | Tok::Constant
            | Tok::Variable
            | Tok::Use
            | Tok::Hide
            | Tok::By
            | Tok::Def
            | Tok::Proof
            | Tok::Obvious
            | Tok::Omitted
            | Tok::With
    )
}

/// Words that end everything, whatever is open.
fn starts_outer_unit(tok: Tok) -> bool {
    matches!(tok, Tok::Theorem | Tok::Assumption | Tok::Axiom | Tok::Dashes | Tok::EndModule | Tok::Extends)
}
