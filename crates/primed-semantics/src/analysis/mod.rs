//! A specification analysed as SANY analyses it: without a configuration, all modules, theorems and proofs included.
//!
//! [`crate::resolve`] makes what the engine runs and looks only at what that needs. This looks at everything and makes
//! nothing but complaints, with SANY's codes (RFC 15) and words, in its order: all files are parsed, then modules are
//! read so that each comes after those it needs, and the levels of a module are checked as long as there was no error.

mod builtin;
mod decompose;
mod expression;
mod files;
mod graph;
pub mod hashtable;
pub(crate) mod help;
mod instance;
mod labels;
mod level_apply;
mod level_instance;
mod levels;
mod lint;
mod pluscal;
mod proof_defs;
mod proofs;
mod select;
mod selected;
mod selector;
mod sorted;
mod stubs;
mod table;
mod units;
mod within;

use std::rc::Rc;
use std::sync::Arc;

use primed_syntax::ast;
use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::SourceFile;

pub(crate) use expression::deeper;

use crate::library::{self, Library};
use crate::model::Located;
pub use decompose::{Decomposition, Judged, Stub, StubReason, UnitVerdict, decompose};
pub use files::ParsedFiles;
use files::Reader;
use graph::SymbolKind;
use table::Analyser;

/// How far an analysis goes.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// Names, arities and scopes are checked, not only the syntax.
    pub semantics: bool,
    /// Levels are checked too.
    pub levels: bool,
    /// What is legal is looked at for mistakes that are likely (4802).
    pub lint: bool,
}

impl Default for Depth {
    fn default() -> Depth {
        Depth { semantics: true, levels: true, lint: true }
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
        is_failed(&self.diagnostics)
    }

    /// Whether a module that was parsed is one of Primed's own.
    pub fn is_built_in(&self, module: &str) -> bool {
        self.parsed.iter().any(|(name, file)| **name == *module && library::is_built_in(file))
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
    let mut run = Run::new(library, std::mem::take(parsed));
    let order = run.reader.read_all(root);
    run.reader.check_translation();
    let unparsed = order.is_none();
    run.process(order.unwrap_or_default(), depth);
    if depth.semantics && depth.levels && depth.lint && !unparsed && !run.analyser.failed() {
        run.analyser.lint();
        if let Some(last) = run.processed.last_mut() {
            last.diagnostics = run.reader.diagnostics.len() + run.analyser.messages.len();
        }
    }
    let aborted = run.analyser.aborted;
    let diagnostics = run.complaints();
    *parsed = std::mem::take(&mut run.reader.parsed);
    let parsed = run.reader.files.into_iter().map(|f| (f.name, f.source)).collect();
    Analysis { diagnostics, parsed, processed: run.processed, unparsed, aborted }
}

/// An analysis while it is made.
struct Run<'l> {
    reader: Reader<'l>,
    analyser: Analyser,
    processed: Vec<Processed>,
}

impl<'l> Run<'l> {
    fn new(library: &'l dyn Library, parsed: ParsedFiles) -> Run<'l> {
        Run { reader: Reader::new(library, parsed), analyser: Analyser::new(), processed: Vec::new() }
    }

    /// Analyses files that were read, each after those that it needs.
    fn process(&mut self, order: Vec<u32>, depth: Depth) {
        for file in self.reader.files.iter().skip(self.analyser.sources.len()) {
            self.analyser.sources.push(file.source.clone());
            self.analyser.module_names.push(file.name.clone());
        }
        for number in order {
            if !depth.semantics || self.analyser.aborted {
                break;
            }
            let Some(file) = self.reader.files.get(number as usize) else { continue };
            let (name, Some(module)) = (file.name.clone(), file.module.clone()) else { continue };
            self.analyser.file = number;
            self.analyser.state = table::State::default();
            let id = self.analyser.module_body(&module);
            self.analyser.external.insert(name.clone(), id);
            if depth.levels && !self.analyser.failed() {
                self.analyser.module_level(id);
            }
            let diagnostics = self.reader.diagnostics.len() + self.analyser.messages.len();
            self.processed.push(Processed { name: name.clone(), diagnostics });
            if &*name == "Naturals" && self.is_built_in(number) {
                self.analyser.forget_product();
            }
        }
    }

    fn is_built_in(&self, file: u32) -> bool {
        self.reader.files.get(file as usize).is_some_and(|f| library::is_built_in(&f.source))
    }

    /// Takes the complaints that were made so far.
    fn complaints(&mut self) -> Vec<Located> {
        let mut complaints = std::mem::take(&mut self.reader.diagnostics);
        for message in std::mem::take(&mut self.analyser.messages) {
            if let Some(file) = self.analyser.sources.get(message.file as usize) {
                complaints.push(Located { file: file.clone(), diagnostic: message.diagnostic });
            }
        }
        complaints
    }
}

/// A legal specification, with what is needed to say of further expressions whether they are legal in its root module.
pub(crate) struct Legal<'l> {
    run: Run<'l>,
    root: graph::Mod,
}

/// A module as it was parsed.
#[derive(Clone)]
pub(crate) struct Parsed {
    pub(crate) source: SourceFile,
    pub(crate) module: Rc<ast::Module>,
    /// It is one of Primed's own.
    pub(crate) standard: bool,
}

impl<'l> Legal<'l> {
    /// The names of the root module's variables in the order in which TLC shows them.
    pub(crate) fn shown_variables(&self) -> Vec<Arc<str>> {
        let graph = &self.run.analyser.graph;
        let mut table = hashtable::Table::of_module();
        for sym in &graph.module(self.root).names.order {
            let symbol = graph.symbol(*sym);
            table.put(&symbol.name, (symbol.kind == SymbolKind::Variable).then(|| symbol.name.clone()));
        }
        // SANY turns the walk round.
        table.walked().rev().collect()
    }

    /// Analyses a specification; with it come the warnings.
    ///
    /// # Errors
    /// All complaints if there is an error among them.
    pub(crate) fn open(root: &SourceFile, library: &'l dyn Library) -> Result<(Legal<'l>, Vec<Located>), Vec<Located>> {
        let mut run = Run::new(library, ParsedFiles::default());
        let order = run.reader.read_all(root);
        run.process(order.unwrap_or_default(), Depth::default());
        let complaints = run.complaints();
        let root = run.reader.files.first().and_then(|f| run.analyser.external.get(&f.name)).copied();
        match root {
            Some(root) if !is_failed(&complaints) => Ok((Legal { run, root }, complaints)),
            _ => Err(complaints),
        }
    }

    /// Says what is wrong with an expression in the scope of the root module.
    ///
    /// # Errors
    /// All complaints if there is an error among them.
    pub(crate) fn expression(&mut self, source: &SourceFile, expr: &ast::Expr) -> Result<(), Vec<Located>> {
        let order = self.run.reader.read_more(expr);
        self.run.process(order.unwrap_or_default(), Depth::default());
        let mut complaints = self.run.complaints();
        let analyser = &mut self.run.analyser;
        if !is_failed(&complaints) {
            // Beyond the files, so that files that are read later keep their numbers.
            let known = analyser.sources.len();
            analyser.sources.push(source.clone());
            analyser.module_names.push("expression".into());
            (analyser.file, analyser.module, analyser.state) = (known as u32, self.root, table::State::default());
            analyser.contexts.truncate(1);
            let names = graph::Names::clone(&analyser.graph.module(self.root).names);
            analyser.contexts.push(names);
            let node = analyser.expression(expr);
            if !analyser.failed() {
                analyser.level(node, 1);
            }
            complaints = self.run.complaints();
            self.run.analyser.forget_files(known);
            self.run.analyser.sources.truncate(known);
            self.run.analyser.module_names.truncate(known);
        }
        self.run.analyser.aborted = false;
        if is_failed(&complaints) { Err(complaints) } else { Ok(()) }
    }

    /// Whether a definition of the root module is of state level or constant.
    pub(crate) fn is_predicate(&mut self, name: &str) -> bool {
        let analyser = &mut self.run.analyser;
        let Some(symbol) = analyser.graph.module(self.root).names.symbols.get(name).copied() else { return false };
        analyser.definition_levels(symbol, 1).info.level <= levels::STATE
    }

    /// Numbers that TLC cannot represent (2244, 2265): it looks through all modules for them before it starts.
    pub(crate) fn numbers(&self) -> Vec<Located> {
        let numbers = |f: &files::File| {
            let complaint = |span: &primed_syntax::span::Span| {
                let text = f.source.slice(*span);
                let (code, what) = match text.contains('.') {
                    true => (2244, "TLC can't handle real numbers."),
                    false => (2265, "TLC can't handle a number this big."),
                };
                Located {
                    file: f.source.clone(),
                    diagnostic: Diagnostic::error(code, format!("{what}\n{text}"), *span),
                }
            };
            f.numbers.iter().map(complaint).collect::<Vec<_>>()
        };
        self.run.reader.files.iter().flat_map(numbers).collect()
    }

    /// The modules that were parsed, from the one of this number on.
    pub(crate) fn parsed(&self, from: usize) -> impl Iterator<Item = Parsed> {
        self.run.reader.files.iter().skip(from).filter_map(|f| {
            let (source, standard) = (f.source.clone(), f.standard);
            Some(Parsed { source, module: f.module.clone()?, standard })
        })
    }
}

fn is_failed(complaints: &[Located]) -> bool {
    complaints.iter().any(|c| c.diagnostic.severity == Severity::Error)
}
