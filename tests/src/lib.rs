//! What the tests of whole specifications share: the conformance suite's cases, and how Primed answers them.

use std::path::{Path, PathBuf};

pub mod robust;
mod sany;
pub mod suite;

/// The top folder of the repository.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// The columns of a table, without its head and without comments.
///
/// # Errors
/// If the file cannot be read.
pub fn table(path: &Path) -> Result<Vec<Vec<String>>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let lines = text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).skip(1);
    Ok(lines.map(|l| l.split('\t').map(str::to_owned).collect()).collect())
}
