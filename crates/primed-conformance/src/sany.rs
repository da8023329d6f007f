//! The kind `sany`: small modules, what SANY says of each, and where. `conformance-suite/README.md` has the format.

use std::collections::BTreeSet;
use std::path::Path;

use primed::Depth;

use crate::suite::{Case, Tally};

/// One module of a `modules.txt`.
struct Module<'t> {
    name: &'t str,
    verdict: &'t str,
    codes: Vec<&'t str>,
    text: &'t str,
}

impl Case {
    /// Analyses the modules of a `sany` case.
    ///
    /// # Errors
    /// If the case cannot be tried at all.
    pub fn analyse(&self) -> Result<Tally, String> {
        let path = self.folder().join("modules.txt");
        // A character for each byte, since not all of them are UTF-8.
        let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let text: String = bytes.into_iter().map(char::from).collect();
        let modules = split(&text)?;
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        for module in &modules {
            let file = folder.path().join(format!("{}.tla", module.name));
            let bytes: Vec<u8> = module.text.chars().map(|c| c as u8).collect();
            std::fs::write(&file, bytes).map_err(|e| format!("{}: {e}", file.display()))?;
        }
        let mut tally = Tally::default();
        for module in modules.iter().filter(|m| m.verdict != "file") {
            let found = said(folder.path(), module)?;
            let wanted: BTreeSet<String> = module.codes.iter().map(|c| (*c).to_owned()).collect();
            let (wanted, found) = alike(wanted, found);
            tally.count(module.name, &line(module.verdict, &wanted), &found);
        }
        Ok(tally)
    }
}

fn line(verdict: &str, codes: &BTreeSet<String>) -> String {
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    [&[verdict], codes.as_slice()].concat().join(" ")
}

/// What Primed says of a module: the verdict, and the codes with their places.
fn said(folder: &Path, module: &Module<'_>) -> Result<(String, BTreeSet<String>), String> {
    let analysis = primed::analyse(&folder.join(format!("{}.tla", module.name)), &[], Depth::default())?;
    let verdict = match (analysis.failed(), analysis.unparsed) {
        (false, _) => "ok",
        (true, true) => "syntax",
        (true, false) => "semantic",
    };
    let mut codes = BTreeSet::new();
    for located in &analysis.diagnostics {
        let code = located.diagnostic.code;
        // Of a file that does not parse only the module rules have a code; the lint is no part of the answer.
        let named = verdict != "syntax" || matches!(code, 4220..=4222);
        if !named || matches!(code, 4802..=4805) {
            continue;
        }
        let at = located.file.position(located.diagnostic.span.start);
        let place = match located.diagnostic.span.end {
            0 => String::new(),
            _ => format!("@{}:{}", at.line, at.column),
        };
        let owner = analysis.module_of(located).filter(|m| *m != module.name).map(|m| format!(":{m}"));
        codes.insert(format!("{code}{place}{}", owner.unwrap_or_default()));
    }
    Ok((verdict.to_owned(), codes))
}

/// Takes out what means the same: `code@?` stands for any place, and a code without a place likewise.
fn alike(wanted: BTreeSet<String>, (verdict, found): (String, BTreeSet<String>)) -> (BTreeSet<String>, String) {
    let mut left = found;
    let mut kept = BTreeSet::new();
    for code in wanted {
        let open = code.strip_suffix("@?").or_else(|| (!code.contains('@')).then_some(&*code));
        match open {
            Some(bare) => {
                let same = left.iter().find(|f| f.split(['@', ':']).next() == Some(bare)).cloned();
                if let Some(same) = same {
                    left.remove(&same);
                    left.insert(code.clone());
                }
                kept.insert(code);
            }
            None => {
                kept.insert(code);
            }
        }
    }
    (kept, line(&verdict, &left))
}

/// The modules of a file.
fn split(text: &str) -> Result<Vec<Module<'_>>, String> {
    let mut modules: Vec<Module<'_>> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (header, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let words = header.strip_prefix("%%").ok_or_else(|| format!("`{header}` is no header"))?;
        let mut words = words.split_whitespace();
        let (Some(name), Some(verdict)) = (words.next(), words.next()) else {
            return Err(format!("`{header}` is no header"));
        };
        let end = if after.starts_with("%%") { 0 } else { after.find("\n%%").map_or(after.len(), |i| i + 1) };
        modules.push(Module { name, verdict, codes: words.collect(), text: &after[..end] });
        rest = &after[end..];
    }
    Ok(modules)
}
