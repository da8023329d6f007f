//! Parses every module and configuration below the folders given and prints what fails: `parse_corpus DIR...`.

#![allow(clippy::print_stdout, reason = "a command for the developer")]

use std::path::{Path, PathBuf};

use primed_syntax::span::SourceFile;

fn main() {
    let mut files = Vec::new();
    std::env::args().skip(1).for_each(|root| collect(Path::new(&root), &mut files));
    files.sort();
    let (mut bytes, mut failed) = (0, 0);
    let start = std::time::Instant::now();
    for path in &files {
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
        bytes += text.len();
        let file = SourceFile::new(path.display().to_string(), text);
        let diagnostics = if path.extension().is_some_and(|e| e == "cfg") {
            primed_syntax::cfg::parse_config(&file).1
        } else {
            primed_syntax::parse_file(&file).diagnostics
        };
        if let Some(first) = diagnostics.first() {
            failed += 1;
            let at = file.position(first.span.start);
            println!("{}:{}:{}: {} ({} errors)", file.name(), at.line, at.column, first.message, diagnostics.len());
        }
    }
    println!("{} files, {bytes} bytes, {failed} failed, {:?}", files.len(), start.elapsed());
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| collect(&entry.path(), files));
    } else if path.extension().is_some_and(|e| e == "tla" || e == "cfg") {
        files.push(path.to_owned());
    }
}
