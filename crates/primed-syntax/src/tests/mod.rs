//! Tests of the crate. Trees are compared as text, written by `show`.

mod config;
mod constructs;
mod errors;
mod hints;
mod layout;
mod lexer;
mod limits;
mod pieces;
mod precedence;
mod show;

use crate::diagnostic::Diagnostic;
use crate::span::SourceFile;
use crate::{Parsed, parse_expression, parse_file};

/// An expression, shown; or its first error.
fn expr(text: &str) -> String {
    match parse_expression(&SourceFile::new("test", text)) {
        Ok(expr) => show::expr(&expr),
        Err(errors) => format!("error: {}", errors.first().map_or("", |d| d.message.as_str())),
    }
}

fn module(body: &str) -> Parsed {
    parse_file(&SourceFile::new("test", format!("---- MODULE M ----\n{body}\n====\n")))
}

/// The units of a module, shown; or its first error.
fn units(body: &str) -> String {
    let parsed = module(body);
    match (parsed.diagnostics.first(), parsed.modules.first()) {
        (Some(error), _) => format!("error: {}", error.message),
        (None, Some(module)) => module.units.iter().map(show::unit).collect::<Vec<_>>().join("; "),
        (None, None) => String::from("no module"),
    }
}

fn messages(diagnostics: &[Diagnostic]) -> Vec<&str> {
    diagnostics.iter().map(|d| d.message.as_str()).collect()
}
