//! Specifications analysed without a configuration.

use std::path::{Path, PathBuf};

use primed_semantics::analysis::{Analysis, Decomposition, Depth, ParsedFiles};
use primed_syntax::span::SourceFile;

use crate::files::{Folders, folder_of, read_source};

/// Analyses a specification as SANY does: its modules are looked for beside it, in the current folder and in `libraries`.
///
/// # Errors
/// A text that says why the file cannot be read.
pub fn analyse(spec: &Path, libraries: &[PathBuf], depth: Depth) -> Result<Analysis, String> {
    analyse_with(spec, libraries, depth, &mut ParsedFiles::default())
}

/// The same for one of many specifications: modules that they share are parsed once.
///
/// # Errors
/// A text that says why the file cannot be read.
pub fn analyse_with(
    spec: &Path,
    libraries: &[PathBuf],
    depth: Depth,
    parsed: &mut ParsedFiles,
) -> Result<Analysis, String> {
    let (source, folders) = opened(spec, libraries)?;
    Ok(primed_semantics::analysis::analyse_with(&source, &folders, depth, parsed))
}

/// Judges each top-level unit of a module on its own, although others are broken: does it parse, and are names, arities and
/// levels right? Names that mean nothing, or that only a broken unit would define, are taken for constant operators of the
/// arity that they are used with, and listed.
///
/// ```
/// use primed::{UnitVerdict, decompose};
///
/// let folder = std::env::temp_dir();
/// let spec = folder.join("DecomposeExample.tla");
/// std::fs::write(&spec, "---- MODULE DecomposeExample ----
/// VARIABLE x
/// Init == x =
/// Step(i) == x' = i
/// Next == Init \\/ Step(1, 2)
/// ====")?;
/// let found = decompose(&spec, &[])?;
/// assert!(!found.accepted);
/// assert_eq!(found.definitions(), (1, 3));
/// let verdicts: Vec<UnitVerdict> = found.units.iter().map(|u| u.verdict).collect();
/// assert_eq!(verdicts, [UnitVerdict::Ok, UnitVerdict::Syntax, UnitVerdict::Ok, UnitVerdict::Semantic]);
/// assert_eq!(&*found.units[3].stubs[0].name, "Init");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A text that says why the file cannot be read.
pub fn decompose(spec: &Path, libraries: &[PathBuf]) -> Result<Decomposition, String> {
    let (source, folders) = opened(spec, libraries)?;
    Ok(primed_semantics::decompose(&source, &folders))
}

/// The file, and where its modules are looked for.
fn opened(spec: &Path, libraries: &[PathBuf]) -> Result<(SourceFile, Folders), String> {
    let source = read_source(spec)?;
    let folder = folder_of(spec);
    Ok((source, Folders([vec![folder, PathBuf::from(".")], libraries.to_vec()].concat())))
}
