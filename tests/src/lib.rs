//! What the tests of whole specifications share.

use std::path::{Path, PathBuf};

pub mod robust;

/// The top folder of the repository.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}
