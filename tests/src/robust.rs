//! What untrusted bytes may meet, one function for each kind of input: none of them panics, whatever the bytes are. The fuzz
//! targets in `fuzz/` and the tests in `tests/tests/robust` call the same functions.

use primed::{Depth, Diagnostic, SourceFile, Spec};
use primed_semantics::library::NoLibrary;

/// Text of any bytes.
pub fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The words of a text, as TLC interns them: the tokenizer alone.
pub fn lex(bytes: &[u8]) -> usize {
    primed_syntax::identifiers(&SourceFile::new("Fuzz.tla", text_of(bytes))).len()
}

/// The modules of a text; every complaint points into it.
pub fn parse(bytes: &[u8]) -> Vec<Diagnostic> {
    let file = SourceFile::new("Fuzz.tla", text_of(bytes));
    let parsed = primed_syntax::parse_file(&file);
    pointed(&file, parsed.diagnostics)
}

/// A configuration of TLC.
pub fn cfg(bytes: &[u8]) -> Vec<Diagnostic> {
    let file = SourceFile::new("Fuzz.cfg", text_of(bytes));
    let (_, diagnostics) = primed_syntax::cfg::parse_config(&file);
    pointed(&file, diagnostics)
}

/// Names, arities, levels and proofs of a module.
pub fn analyse(bytes: &[u8]) -> Vec<Diagnostic> {
    let text = text_of(bytes);
    let name = text.split("MODULE").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or("Fuzz");
    let file = SourceFile::new(format!("{name}.tla"), text.as_str());
    let analysis = primed_semantics::analyse(&file, &NoLibrary, Depth::default());
    analysis.diagnostics.into_iter().map(|d| d.diagnostic).collect()
}

/// A line of JSON before the windows of a specification: what its verdict is called, if the line is not blank.
pub fn window_line(spec: &Spec, bytes: &[u8]) -> Option<String> {
    spec.judge(1, &text_of(bytes)).map(|verdict| format!("{:?}", verdict.outcome))
}

fn pointed(file: &SourceFile, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let outside = diagnostics.iter().find(|d| d.span.start > d.span.end || d.span.end as usize > file.text().len());
    assert!(outside.is_none(), "a complaint about nothing: {outside:?}");
    diagnostics
}

/// The specification that windows are put before: the spin lock of the conformance suite.
///
/// # Errors
/// If it cannot be opened.
pub fn spin_lock() -> Result<Spec, primed::OpenError> {
    let folder = crate::root().join("conformance-suite/systems/spin");
    Spec::builder(folder.join("SpinLock.tla")).config(folder.join("SpinLock.cfg")).open()
}
