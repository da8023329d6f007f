//! A specification analysed as SANY analyses it: without a configuration, all modules, theorems and proofs included.
//!
//! [`crate::resolve`] makes what the engine runs and looks only at what that needs. This looks at everything and makes
//! nothing but complaints, with SANY's codes (RFC 15) and words, in its order: all files are parsed, then modules are
//! read so that each comes after those it needs, and the levels of a module are checked as long as there was no error.

mod builtin;
mod expression;
mod files;
mod graph;
mod instance;
mod labels;
mod level_apply;
mod level_instance;
mod levels;
mod proofs;
mod select;
mod selected;
mod table;
mod units;

use std::sync::Arc;

use primed_syntax::diagnostic::Severity;
use primed_syntax::span::SourceFile;

use crate::library::{self, Library};
use crate::model::Located;
pub use files::ParsedFiles;
use files::Reader;
use table::Analyser;

/// How far an analysis goes.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// Names, arities and scopes are checked, not only the syntax.
    pub semantics: bool,
    /// Levels are checked too.
    pub levels: bool,
}

impl Default for Depth {
    fn default() -> Depth {
        Depth { semantics: true, levels: true }
    }
}

/// What an analysis found.
#[derive(Debug)]
pub struct Analysis {
    /// All complaints in SANY's order, each once.
    pub diagnostics: Vec<Located>,
    /// The files in the order in which they were parsed, with the name of each one's module.
    pub parsed: Vec<(Arc<str>, SourceFile)>,
    /// The modules in the order in which they were processed after that.
    pub processed: Vec<Processed>,
    /// The errors are of the syntax, or a file is missing: nothing was processed.
    pub unparsed: bool,
    /// The analysis stopped before the end.
    pub aborted: bool,
}

/// A module that was processed.
#[derive(Clone, Debug)]
pub struct Processed {
    /// The module.
    pub name: Arc<str>,
    /// How many complaints there were when it had been processed.
    pub diagnostics: usize,
}

impl Analysis {
    /// There is an error.
    pub fn failed(&self) -> bool {
        self.diagnostics.iter().any(|d| d.diagnostic.severity == Severity::Error)
    }

    /// The name of the module whose file a complaint is about.
    pub fn module_of(&self, located: &Located) -> Option<&str> {
        let found = self.parsed.iter().find(|(_, file)| file.name() == located.file.name());
        found.map(|(name, _)| &**name)
    }
}

/// Analyses a root module and all that it needs.
pub fn analyse(root: &SourceFile, library: &dyn Library, depth: Depth) -> Analysis {
    analyse_with(root, library, depth, &mut ParsedFiles::default())
}

/// The same as one of many analyses: a library file that an earlier one has parsed is not parsed again.
pub fn analyse_with(root: &SourceFile, library: &dyn Library, depth: Depth, parsed: &mut ParsedFiles) -> Analysis {
    let mut reader = Reader::new(library, parsed);
    let order = reader.read_all(root);
    let mut analyser = Analyser::new();
    analyser.sources = reader.files.iter().map(|f| f.source.clone()).collect();
    analyser.module_names = reader.files.iter().map(|f| f.name.clone()).collect();
    let unparsed = order.is_none();
    let mut processed = Vec::new();
    for number in order.unwrap_or_default() {
        if !depth.semantics || analyser.aborted {
            break;
        }
        let Some(file) = reader.files.get(number as usize) else { continue };
        let (name, Some(module)) = (file.name.clone(), file.module.clone()) else { continue };
        analyser.file = number;
        analyser.state = table::State::default();
        let id = analyser.module_body(&module);
        analyser.external.insert(name.clone(), id);
        if depth.levels && !analyser.failed() {
            analyser.module_level(id);
        }
        if &*name == "Naturals" && file.source.name().starts_with(library::BUILT_IN) {
            analyser.forget_product();
        }
        processed.push(Processed { name, diagnostics: reader.diagnostics.len() + analyser.messages.len() });
    }
    let mut diagnostics = reader.diagnostics;
    for message in analyser.messages {
        if let Some(file) = analyser.sources.get(message.file as usize) {
            diagnostics.push(Located { file: file.clone(), diagnostic: message.diagnostic });
        }
    }
    let parsed = reader.files.into_iter().map(|f| (f.name, f.source)).collect();
    Analysis { diagnostics, parsed, processed, unparsed, aborted: analyser.aborted }
}
