//! A specification and its configuration from files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use primed_semantics::model::{Assumption, Model};

use crate::OpenError;
use crate::files::{Folders, Permissions, read_source};

/// Reads and resolves a module with its configuration. Other modules are looked for beside it, then in the libraries; the
/// specification may read files below its own folder, from which relative paths are taken.
pub(crate) fn load(
    module: &Path,
    config: &Path,
    libraries: &[PathBuf],
    permissions: &mut Permissions,
) -> Result<Arc<Model>, OpenError> {
    let root = read_source(module).map_err(OpenError::File)?;
    let config = read_source(config).map_err(OpenError::Configuration)?;
    let folder = module.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf();
    permissions.base = folder.clone();
    permissions.read.push(folder.clone());
    let folders = Folders([vec![folder], libraries.to_vec()].concat());
    let model = primed_semantics::resolve(&root, Some(&config), &folders).map_err(OpenError::Specification)?;
    Ok(Arc::new(model))
}

/// An assumption as TLC speaks of it: by its name, else by its place.
pub(crate) fn assumption_name(model: &Model, assumption: &Assumption) -> String {
    assumption.name.as_ref().map_or_else(|| model.describe(assumption.expr.place), ToString::to_string)
}
