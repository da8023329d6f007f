//! Resolves every `.tla` file below the folders given, each with its own folder as library, and prints the complaints.
//!
//! `cargo run -p primed-semantics --example resolve_corpus -- DIR...`
#![allow(clippy::print_stdout, reason = "a tool for developers")]

use std::path::{Path, PathBuf};

use primed_semantics::library::Library;
use primed_syntax::diagnostic::Severity;
use primed_syntax::span::SourceFile;

struct Folder(PathBuf);

impl Library for Folder {
    fn find(&self, name: &str) -> Result<Option<SourceFile>, String> {
        let path = self.0.join(format!("{name}.tla"));
        if !path.exists() {
            return Ok(None);
        }
        let bytes = std::fs::read(&path).map_err(|e| format!("cannot read `{}`: {e}", path.display()))?;
        Ok(Some(SourceFile::from_bytes(path.display().to_string(), bytes)))
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => files(&path, found),
            false if path.extension().is_some_and(|e| e == "tla") => found.push(path),
            false => {}
        }
    }
}

fn main() {
    let mut found = Vec::new();
    std::env::args().skip(1).for_each(|folder| files(Path::new(&folder), &mut found));
    let mut good = 0;
    for path in &found {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let root = SourceFile::new(path.display().to_string(), text);
        let library = Folder(path.parent().unwrap_or(Path::new(".")).to_path_buf());
        match primed_semantics::resolve(&root, None, &library) {
            Ok(_) => good += 1,
            Err(complaints) => {
                let errors = complaints.iter().filter(|c| c.diagnostic.severity == Severity::Error);
                for complaint in errors.take(3) {
                    let at = complaint.file.position(complaint.diagnostic.span.start);
                    let d = &complaint.diagnostic;
                    println!(
                        "{}: {}:{}:{}: {} {}",
                        path.display(),
                        complaint.file.name(),
                        at.line,
                        at.column,
                        d.code,
                        d.message
                    );
                }
            }
        }
    }
    println!("{good} of {} modules resolve", found.len());
}
