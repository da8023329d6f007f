//! Specifications analysed without a configuration.

use std::path::{Path, PathBuf};

use primed_semantics::analysis::{Analysis, Depth, ParsedFiles};

use crate::files::{Folders, read_source};

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
    let source = read_source(spec)?;
    let folder = spec.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf();
    let folders = Folders([vec![folder, PathBuf::from(".")], libraries.to_vec()].concat());
    Ok(primed_semantics::analysis::analyse_with(&source, &folders, depth, parsed))
}
