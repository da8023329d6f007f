//! Where modules come from.

use hashbrown::HashMap;
use primed_syntax::span::SourceFile;

/// Finds the files of modules that are not built in. The caller decides where to look.
pub trait Library {
    /// The file of module `name`, if there is one.
    ///
    /// # Errors
    /// There is one, but it cannot be read: which it is, and why, in a sentence without a full stop.
    fn find(&self, name: &str) -> Result<Option<SourceFile>, String>;
}

/// No other files.
#[derive(Debug, Default)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn find(&self, _: &str) -> Result<Option<SourceFile>, String> {
        Ok(None)
    }
}

impl Library for HashMap<String, String> {
    fn find(&self, name: &str) -> Result<Option<SourceFile>, String> {
        Ok(self.get(name).map(|text| SourceFile::new(format!("{name}.tla"), text.clone())))
    }
}

include!(concat!(env!("OUT_DIR"), "/standard.rs"));

/// What the names of the files of built-in modules begin with.
const BUILT_IN: &str = "<built-in>/";

/// Whether a file is one of Primed's own modules.
pub(crate) fn is_built_in(file: &SourceFile) -> bool {
    file.name().starts_with(BUILT_IN)
}

/// The text of a built-in module.
pub(crate) fn standard(name: &str) -> Option<SourceFile> {
    let (_, text) = STANDARD.iter().find(|(n, _)| *n == name)?;
    Some(SourceFile::new(format!("{BUILT_IN}{name}.tla"), *text))
}

/// The name and text of each built-in module.
pub fn standard_modules() -> impl Iterator<Item = (&'static str, &'static str)> {
    STANDARD.iter().map(|(name, text)| (*name, *text))
}

/// TLC's interning order for the identifiers of a module it brings along (`*builtin*` for those it knows before any module).
pub(crate) fn interning(module: &str) -> Option<impl Iterator<Item = &'static str>> {
    let line = INTERNING.lines().find(|l| l.split('\t').next() == Some(module))?;
    Some(line.split('\t').nth(1).unwrap_or("").split(' ').filter(|w| !w.is_empty()))
}
