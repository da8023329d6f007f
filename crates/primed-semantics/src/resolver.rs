//! The resolver's state, and the finding and reading of modules.

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use primed_syntax::ast;
use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::{SourceFile, Span};
use primed_value::error::Place;
use primed_value::symbol::Symbols;

use crate::library::{self, Library};
use crate::model::{
    Assumption, Definition, DefinitionId, Expr, ExprKind, Level, LocalId, Located, Param, Variable, VariableId,
};
use crate::scope::{Exports, ModuleRef};

/// Everything that resolving one specification accumulates.
pub(crate) struct Resolver<'l> {
    library: &'l dyn Library,
    pub(crate) symbols: Arc<Symbols>,
    pub(crate) sources: Vec<SourceFile>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) definitions: Vec<Definition>,
    /// Which definitions are declared constants that still lack a value.
    pub(crate) open_constants: Vec<DefinitionId>,
    /// RECURSIVE declarations not yet defined, in the module being read.
    pub(crate) pending: Vec<(Arc<str>, DefinitionId)>,
    pub(crate) complaints: Vec<Located>,
    files: HashMap<Arc<str>, ModuleRef>,
    /// Modules being extended or instantiated right now, to find cycles.
    pub(crate) open: Vec<Arc<str>>,
    /// Results for modules without constants and variables, and for those extended by the root.
    pub(crate) resolved: HashMap<Arc<str>, Rc<ResolvedModule>>,
    next_local: u32,
    /// The file that is being resolved.
    pub(crate) file: u32,
    /// Name of the module that is being resolved, and whether it is built in.
    pub(crate) module: (Arc<str>, bool),
}

/// What a module body came to.
pub(crate) struct ResolvedModule {
    pub(crate) exports: Exports,
    pub(crate) assumptions: Vec<Assumption>,
    /// Names declared as constants or variables, in order, with their arity, extended modules included.
    pub(crate) declared: Vec<(Arc<str>, usize)>,
}

impl<'l> Resolver<'l> {
    pub(crate) fn new(library: &'l dyn Library, symbols: Arc<Symbols>) -> Resolver<'l> {
        Resolver {
            library,
            symbols,
            sources: Vec::new(),
            variables: Vec::new(),
            definitions: Vec::new(),
            open_constants: Vec::new(),
            pending: Vec::new(),
            complaints: Vec::new(),
            files: HashMap::new(),
            open: Vec::new(),
            resolved: HashMap::new(),
            next_local: 0,
            file: 0,
            module: ("".into(), false),
        }
    }

    pub(crate) fn failed(&self) -> bool {
        self.complaints.iter().any(|c| c.diagnostic.severity == Severity::Error)
    }

    /// Reports an error at a span of the current file.
    pub(crate) fn error(&mut self, code: u32, span: Span, message: impl Into<String>) {
        self.complain(Diagnostic::error(code, message, span));
    }

    pub(crate) fn complain(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.help = diagnostic.help.or_else(|| crate::analysis::help::always(diagnostic.code).map(Into::into));
        if let Some(file) = self.sources.get(self.file as usize) {
            self.complaints.push(Located { file: file.clone(), diagnostic });
        }
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        Place { file: self.file, start: span.start, end: span.end }
    }

    pub(crate) fn fresh(&mut self) -> LocalId {
        self.next_local += 1;
        LocalId(self.next_local - 1)
    }

    pub(crate) fn param(&mut self, name: &Arc<str>, arity: usize) -> Param {
        Param { local: self.fresh(), name: name.clone(), arity }
    }

    pub(crate) fn expr(&self, kind: ExprKind, span: Span, level: Level) -> Expr {
        Expr { kind: Box::new(kind), place: self.place(span), level }
    }

    /// A stand-in after an error was reported.
    pub(crate) fn broken(&self, span: Span) -> Expr {
        self.expr(ExprKind::Unsupported("an expression with errors".into()), span, Level::Constant)
    }

    pub(crate) fn add_definition(&mut self, definition: Definition) -> DefinitionId {
        self.definitions.push(definition);
        DefinitionId(self.definitions.len() as u32 - 1)
    }

    pub(crate) fn add_variable(&mut self, name: &ast::Ident) -> VariableId {
        self.variables.push(Variable { name: name.name.clone(), place: self.place(name.span) });
        VariableId(self.variables.len() as u32 - 1)
    }

    /// Adds a file that was read, and interns its words in TLC's order: for its own modules from a table, for others as they
    /// stand. String literals come later, as the modules are resolved.
    pub(crate) fn add_source(&mut self, file: &SourceFile, standard: Option<&str>) -> u32 {
        self.sources.push(file.clone());
        match standard.and_then(library::interning) {
            Some(words) => self.intern_all(words),
            None => {
                for (kind, text) in primed_syntax::identifiers(file) {
                    if kind == primed_syntax::TokenKind::Identifier {
                        self.symbols.intern(&text);
                    }
                }
            }
        }
        self.sources.len() as u32 - 1
    }

    fn intern_all<'w>(&self, words: impl IntoIterator<Item = &'w str>) {
        for word in words {
            self.symbols.intern(word);
        }
    }

    /// Reads the root file and, in SANY's order, every module that it extends or instantiates: again and again the first name
    /// in an EXTENDS that was not yet read, and when there is none the first in an INSTANCE, on a walk from the root.
    pub(crate) fn read_root(&mut self, file: &SourceFile) -> Option<ModuleRef> {
        let name = file.name().rsplit(['/', '\\']).next().unwrap_or("").trim_end_matches(".tla");
        self.symbols.intern(name);
        self.intern_all(library::interning("*parser*").into_iter().flatten());
        let root = self.read(file, false, None)?;
        let written = &root.module.name;
        if *written.name != *name {
            let message = format!("file name `{name}` does not match the name `{}` of the module in it", written.name);
            self.file = root.file;
            self.error(4221, written.span, message);
        }
        let mut tried = HashSet::new();
        loop {
            let next = self.unread(&root, &mut HashSet::new(), &tried, true);
            let next = next.or_else(|| self.unread(&root, &mut HashSet::new(), &tried, false));
            let Some(name) = next else { break };
            tried.insert(name.clone());
            self.find_file(&name);
        }
        self.intern_all(library::interning("*generator*").into_iter().flatten());
        Some(root)
    }

    /// The first module on a walk that was not yet read: named in an EXTENDS, or in an INSTANCE.
    fn unread(
        &self,
        module: &ModuleRef,
        walked: &mut HashSet<Arc<str>>,
        tried: &HashSet<Arc<str>>,
        extends: bool,
    ) -> Option<Arc<str>> {
        if !walked.insert(module.module.name.name.clone()) {
            return None;
        }
        let (extended, instantiated) = dependencies(&module.module);
        let named = if extends { &extended } else { &instantiated };
        let new = named.iter().find(|n| !tried.contains(*n) && !self.files.contains_key(*n));
        if let Some(name) = new {
            return Some(name.clone());
        }
        let read = extended.iter().chain(&instantiated).filter_map(|n| self.files.get(n).cloned());
        read.collect::<Vec<_>>().iter().find_map(|m| self.unread(m, walked, tried, extends))
    }

    /// Parses a file's modules; the first is the one the file is named after.
    fn read(&mut self, file: &SourceFile, standard: bool, name: Option<&str>) -> Option<ModuleRef> {
        let number = self.add_source(file, name.filter(|_| standard));
        let parsed = primed_syntax::parse_file(file);
        let located = parsed.diagnostics.into_iter().map(|diagnostic| Located { file: file.clone(), diagnostic });
        self.complaints.extend(located);
        let mut root = None;
        for module in parsed.modules {
            let reference = ModuleRef { module: Rc::new(module), file: number, standard, enclosing: None };
            self.files.entry(reference.module.name.name.clone()).or_insert_with(|| reference.clone());
            root = root.or(Some(reference));
        }
        root
    }

    /// The module of this name outside any other module, read if need be.
    pub(crate) fn find_file(&mut self, name: &Arc<str>) -> Option<ModuleRef> {
        if let Some(module) = self.files.get(name) {
            return Some(module.clone());
        }
        let (file, standard) = match self.library.find(name) {
            Some(file) => (file, false),
            None => (library::standard(name)?, true),
        };
        let before = self.file;
        let module = self.read(&file, standard, Some(name));
        self.file = before;
        module.filter(|m| m.module.name.name == *name)
    }
}

/// The modules a body names in EXTENDS, and in INSTANCE outside expressions, in order.
fn dependencies(module: &ast::Module) -> (Vec<Arc<str>>, Vec<Arc<str>>) {
    let mut extended: Vec<Arc<str>> = module.extends.iter().map(|e| e.name.clone()).collect();
    let (mut instantiated, mut nested) = (Vec::new(), Vec::new());
    for unit in &module.units {
        match &unit.kind {
            ast::UnitKind::Instance { instance, .. } => instantiated.push(instance.module.name.clone()),
            ast::UnitKind::Definition(ast::Definition { body: ast::DefinitionBody::Instance(instance), .. }) => {
                instantiated.push(instance.module.name.clone());
            }
            ast::UnitKind::Module(inner) => {
                let (e, i) = dependencies(inner);
                extended.extend(e);
                instantiated.extend(i);
                nested.push(inner.name.name.clone());
            }
            _ => {}
        }
    }
    extended.retain(|n| !nested.contains(n));
    instantiated.retain(|n| !nested.contains(n));
    (extended, instantiated)
}
