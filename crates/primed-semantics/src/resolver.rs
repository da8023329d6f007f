//! The resolver's state, and the finding and reading of modules.

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashMap;
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

    pub(crate) fn complain(&mut self, diagnostic: Diagnostic) {
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

    /// Adds a file that was read, and interns its identifiers in TLC's order.
    pub(crate) fn add_source(&mut self, file: &SourceFile, module: Option<&str>) -> u32 {
        self.sources.push(file.clone());
        match module.and_then(library::interning) {
            Some(words) => words.for_each(|w| {
                self.symbols.intern(w);
            }),
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

    /// Parses a file's modules; the first is the one the file is named after. Its dependencies are read at once, depth first.
    pub(crate) fn read(&mut self, file: &SourceFile, standard: bool, name: Option<&str>) -> Option<ModuleRef> {
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
        if let Some(root) = &root {
            for name in dependencies(&root.module) {
                self.find_file(&name);
            }
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

/// The modules a body names in EXTENDS and in INSTANCE outside expressions, in order.
fn dependencies(module: &ast::Module) -> Vec<Arc<str>> {
    let mut names: Vec<Arc<str>> = module.extends.iter().map(|e| e.name.clone()).collect();
    let mut nested = Vec::new();
    for unit in &module.units {
        match &unit.kind {
            ast::UnitKind::Instance { instance, .. } => names.push(instance.module.name.clone()),
            ast::UnitKind::Definition(ast::Definition { body: ast::DefinitionBody::Instance(instance), .. }) => {
                names.push(instance.module.name.clone())
            }
            ast::UnitKind::Module(inner) => {
                names.extend(dependencies(inner));
                nested.push(inner.name.name.clone());
            }
            _ => {}
        }
    }
    names.retain(|n| !nested.contains(n));
    names
}
