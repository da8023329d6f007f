//! Runs the generated parser, goes on after errors, and says in the words of the language what went wrong.

use lalrpop_util::ParseError;

use crate::ast::Expr;
use crate::diagnostic::Diagnostic;
use crate::grammar;
use crate::hints;
use crate::layout::{Layout, Problem};
use crate::lower::Builder;
use crate::places;
use crate::span::{SourceFile, Span};
use crate::token::{self, Extent, Lexeme, Tok};
use crate::{MAX_ERRORS, Parsed};

/// Parses all modules of a file.
pub(crate) fn file(file: &SourceFile) -> Parsed {
    let (tokens, errors) = token::lex(file, Extent::Modules);
    let mut builder = Builder::new(file, errors);
    if tokens.is_empty() && builder.diagnostics.is_empty() {
        builder.error("no module found: expected `---- MODULE name ----`", Span::default());
    }
    let mut from = 0;
    while let Some(rest) = tokens.get(from..).filter(|r| !r.is_empty()) {
        match grammar::StartParser::new().parse(&mut builder, Layout::new(rest, Tok::StartFile)) {
            Ok(_) => break,
            Err(error) => {
                let at = place(&error);
                builder.diagnostics.push(explain(file, rest, error));
                if builder.diagnostics.len() >= MAX_ERRORS {
                    break;
                }
                from = next_unit(&tokens, from, at);
            }
        }
    }
    if let Some(name) = builder.unclosed().filter(|_| builder.diagnostics.is_empty()) {
        let message = format!("module `{}` has no end: expected `====`", name.name);
        let help = "end the module with a line of at least four `=`";
        builder.diagnostics.push(Diagnostic::error(4003, message, name.span).with_help(help));
    }
    let mut diagnostics = builder.diagnostics;
    diagnostics.sort_by_key(|d| d.span.start);
    diagnostics.truncate(MAX_ERRORS);
    let mut modules = builder.modules;
    modules.retain(|m| !diagnostics.iter().any(|d| m.span.start <= d.span.start && d.span.start < m.span.end));
    Parsed { modules, diagnostics }
}

/// Parses a text that is one expression.
pub(crate) fn expression(file: &SourceFile) -> Result<Expr, Vec<Diagnostic>> {
    let (tokens, errors) = token::lex(file, Extent::Everything);
    let mut builder = Builder::new(file, errors);
    let parsed = grammar::StartParser::new().parse(&mut builder, Layout::new(&tokens, Tok::StartExpr));
    let mut diagnostics = builder.diagnostics;
    match parsed {
        Ok(Some(expr)) if diagnostics.is_empty() => Ok(expr),
        Ok(_) => Err(diagnostics),
        Err(error) => {
            diagnostics.push(explain(file, &tokens, error));
            diagnostics.sort_by_key(|d| d.span.start);
            Err(diagnostics)
        }
    }
}

/// The index of the next token at which a unit surely begins, at or after the offset of an error.
fn next_unit(tokens: &[Lexeme], from: usize, at: u32) -> usize {
    let after = tokens.partition_point(|t| t.span.start < at).max(from + 1);
    (after..tokens.len()).find(|i| begins_unit(tokens, *i)).unwrap_or(tokens.len())
}

fn begins_unit(tokens: &[Lexeme], index: usize) -> bool {
    let tok = |i: usize| tokens.get(i).map(|t| t.tok);
    let first_column = tokens.get(index).is_some_and(|t| t.column == 1);
    match tok(index) {
        Some(Tok::Dashes | Tok::EndModule) => true,
        Some(Tok::Ident) if first_column => {
            matches!(tok(index + 1), Some(Tok::DefEq | Tok::LParen | Tok::LBracket))
        }
        Some(Tok::Constant | Tok::Variable | Tok::Recursive | Tok::Local | Tok::Instance) => first_column,
        Some(Tok::Assume | Tok::Assumption | Tok::Axiom | Tok::Theorem | Tok::Extends) => first_column,
        _ => false,
    }
}

/// Where the parser gave up.
fn place(error: &ParseError<u32, Tok, Problem>) -> u32 {
    match error {
        ParseError::User { error } => error.span.start,
        ParseError::InvalidToken { location } | ParseError::UnrecognizedEof { location, .. } => *location,
        ParseError::UnrecognizedToken { token, .. } | ParseError::ExtraToken { token } => token.0,
    }
}

/// A parser's error as a complaint about the text; `tokens` are those that it read.
pub(crate) fn explain(file: &SourceFile, tokens: &[Lexeme], error: ParseError<u32, Tok, Problem>) -> Diagnostic {
    let (found, span, expected) = match error {
        ParseError::User { error } => {
            let mut diagnostic = Diagnostic::error(4003, error.message, error.span);
            diagnostic.help = error.help;
            hints::advise(file, tokens, &[], &mut diagnostic);
            return diagnostic;
        }
        ParseError::InvalidToken { location } => (String::from("this"), Span::new(location, location), Vec::new()),
        ParseError::UnrecognizedEof { location, expected } => {
            let found = if file.text().trim().is_empty() { "nothing" } else { "the end of the text" };
            (String::from(found), Span::new(location, location), expected)
        }
        ParseError::UnrecognizedToken { token: (start, tok, end), expected } => {
            let span = Span::new(start, end);
            (found(file, tok, span), span, expected)
        }
        ParseError::ExtraToken { token: (start, tok, end) } => {
            let span = Span::new(start, end);
            (found(file, tok, span), span, Vec::new())
        }
    };
    let message = match wanted(&expected) {
        Some(wanted) => format!("expected {wanted}, found {found}"),
        None => format!("unexpected {found}"),
    };
    let mut diagnostic = Diagnostic::error(4003, message, span);
    hints::advise(file, tokens, &expected, &mut diagnostic);
    diagnostic.span = places::as_sany(tokens, &expected, diagnostic.span);
    diagnostic
}

fn found(file: &SourceFile, tok: Tok, span: Span) -> String {
    match tok {
        Tok::JunctEnd => String::from("the end of the list item"),
        Tok::CaseEnd => String::from("the end of the CASE expression"),
        Tok::JunctItem => format!("the next item's `{}`", file.slice(span)),
        _ => format!("`{}`", file.slice(span)),
    }
}

/// The terminals that begin an expression; if all of them are possible, one phrase stands for them.
const EXPRESSION: [&str; 4] = ["name", "number", "IF", "\\A"];

/// The most alternatives that a message lists.
const MAX_LISTED: usize = 6;

/// What the grammar would take, in words.
fn wanted(expected: &[String]) -> Option<String> {
    let names: Vec<&str> = expected.iter().map(|e| e.trim_matches('"').trim()).collect();
    let names: Vec<String> = names.iter().map(|n| n.replace("\\\\", "\\")).collect();
    let has = |name: &str| names.iter().any(|n| n == name);
    let mut words: Vec<String> = Vec::new();
    let expression = EXPRESSION.iter().all(|e| has(e));
    if expression {
        words.push(String::from("an expression"));
    } else if has("name") {
        words.push(String::from("a name"));
    }
    if has("infix") {
        words.push(String::from("an operator"));
    }
    if has("THEOREM") {
        words.push(String::from("a unit of the module"));
    }
    if has("DEFINE") {
        words.push(String::from("a step of a proof"));
    }
    let broad = expression || has("THEOREM") || has("DEFINE");
    for name in &names {
        let punctuation =
            matches!(name.as_str(), ")" | "]" | "}" | ">>" | "," | ":" | "==" | "->" | "|->" | "<-" | "====");
        let word =
            matches!(name.as_str(), "THEN" | "ELSE" | "IN" | "PROVE" | "EXCEPT" | "MODULE" | "----" | "\\in" | "=");
        if punctuation || (word && !broad && !(has("infix") && matches!(name.as_str(), "\\in" | "="))) {
            words.push(format!("`{name}`"));
        }
    }
    words.truncate(MAX_LISTED);
    let last = words.pop()?;
    Some(if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) })
}
