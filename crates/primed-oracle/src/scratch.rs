//! Folders for single runs, which are removed whatever happens.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

use crate::trouble::Trouble;

/// The folders that exist, for those who end the process without unwinding.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder of its own below the one for temporary files; dropping it removes it.
#[derive(Debug)]
pub struct Scratch {
    folder: Option<TempDir>,
    path: PathBuf,
}

impl Scratch {
    /// Makes one.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new() -> Result<Scratch, Trouble> {
        let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::Builder::new().prefix("primed-oracle-").tempdir();
        let folder = folder.map_err(|e| Trouble::file("make a folder in", &std::env::temp_dir(), &e))?;
        let path = folder.path().to_path_buf();
        folders.push(path.clone());
        Ok(Scratch { folder: Some(folder), path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file in it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, text: &[u8]) -> Result<PathBuf, Trouble> {
        let path = self.path.join(name);
        fs::write(&path, text).map_err(|e| Trouble::file("write", &path, &e))?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(self.folder.take());
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.path);
    }
}

/// Removes all folders that exist.
pub(crate) fn remove_all() {
    for folder in FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // A process that is being killed may still write: once more is enough.
        if fs::remove_dir_all(&folder).is_err() {
            drop(fs::remove_dir_all(&folder));
        }
    }
}
