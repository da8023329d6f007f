//! The resolver's state, and the finding and reading of modules.

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use primed_syntax::ast;
use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::{SourceFile, Span};
use primed_value::error::Place;
use primed_value::symbol::Symbols;

use crate::analysis::Parsed;
use crate::library;
use crate::model::{
    Assumption, Definition, DefinitionId, Expr, ExprKind, InstanceOrigin, Level, LocalId, Located, Param, Variable,
    VariableId,
};
use crate::scope::{Exports, ModuleRef, Scope};
use crate::selection::{Defined, Origin};

/// The definitions from a RECURSIVE to the last one that it announces.
#[derive(Default)]
pub(crate) struct Recursive {
    /// Announced, and not yet defined.
    pub(crate) pending: Vec<(Arc<str>, DefinitionId)>,
    /// What was defined since the first of them was announced.
    pub(crate) section: Vec<DefinitionId>,
}

/// Everything that resolving one specification accumulates.
pub(crate) struct Resolver {
    pub(crate) symbols: Arc<Symbols>,
    pub(crate) sources: Vec<SourceFile>,
    /// Those that are no modules.
    pub(crate) no_modules: Vec<u32>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) definitions: Vec<Definition>,
    /// Where definitions come from that an INSTANCE with substitutions made.
    pub(crate) instances: HashMap<DefinitionId, Arc<InstanceOrigin>>,
    /// The INSTANCE that is being resolved.
    pub(crate) instance: Option<Arc<InstanceOrigin>>,
    /// Which definitions are declared constants that still lack a value.
    pub(crate) open_constants: Vec<DefinitionId>,
    /// What RECURSIVE has announced, in the module or LET being read.
    pub(crate) recursive: Recursive,
    pub(crate) complaints: Vec<Located>,
    /// Modules as they were parsed, and those of them that were asked for.
    pub(crate) parsed: HashMap<Arc<str>, Parsed>,
    /// Modules whose strings were interned because another one instantiates them.
    strings_interned: HashSet<Arc<str>>,
    files: HashMap<Arc<str>, ModuleRef>,
    /// Modules being extended or instantiated right now, to find cycles.
    pub(crate) open: Vec<Arc<str>>,
    /// Results for modules without constants and variables, and for those extended by the root.
    pub(crate) resolved: HashMap<Arc<str>, Rc<ResolvedModule>>,
    /// How names were defined, for those that select parts of definitions.
    pub(crate) origins: HashMap<Defined, Rc<Origin>>,
    next_local: u32,
    /// Instantiations so far, and the one whose module is being resolved; 0 for none.
    pub(crate) instantiations: u32,
    pub(crate) instantiation: u32,
    /// Variables of instantiated modules for which something else was substituted.
    pub(crate) stand_ins: u32,
    /// The file that is being resolved.
    pub(crate) file: u32,
    /// Name of the module that is being resolved, and whether it is built in.
    pub(crate) module: (Arc<str>, bool),
}

/// What a module body came to.
pub(crate) struct ResolvedModule {
    pub(crate) exports: Exports,
    /// All names of the body, local ones too.
    pub(crate) scope: Scope,
    pub(crate) assumptions: Vec<Assumption>,
    /// Names declared as constants or variables, in order, with their arity, extended modules included.
    pub(crate) declared: Vec<(Arc<str>, usize)>,
}

impl Resolver {
    pub(crate) fn new(symbols: Arc<Symbols>) -> Resolver {
        Resolver {
            symbols,
            sources: Vec::new(),
            no_modules: Vec::new(),
            variables: Vec::new(),
            definitions: Vec::new(),
            instances: HashMap::new(),
            instance: None,
            open_constants: Vec::new(),
            recursive: Recursive::default(),
            complaints: Vec::new(),
            parsed: HashMap::new(),
            strings_interned: HashSet::new(),
            files: HashMap::new(),
            open: Vec::new(),
            resolved: HashMap::new(),
            origins: HashMap::new(),
            next_local: 0,
            instantiations: 0,
            instantiation: 0,
            stand_ins: 0,
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

    /// A stand-in for what cannot be resolved. The analysis goes first and refuses all that is not legal, so this says that the
    /// two disagree.
    pub(crate) fn unresolved(&mut self, span: Span) -> Expr {
        self.error(4003, span, "this is legal, and Primed cannot resolve it: please report it");
        self.unknown(span)
    }

    /// The right-hand side of a definition that is still to come.
    pub(crate) fn unknown(&self, span: Span) -> Expr {
        self.expr(ExprKind::Unsupported("an expression without a meaning".into()), span, Level::Constant)
    }

    pub(crate) fn add_definition(&mut self, definition: Definition) -> DefinitionId {
        self.definitions.push(definition);
        let id = DefinitionId(self.definitions.len() as u32 - 1);
        if let Some(origin) = &self.instance {
            self.instances.insert(id, origin.clone());
        }
        id
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

    /// Interns the strings of the modules that a module instantiates, and of those below them: SANY generates what a module
    /// depends on before the module itself, wherever the INSTANCE stands.
    pub(crate) fn intern_instantiated(&mut self, module: &ast::Module) {
        dependencies(module).1.iter().for_each(|name| self.intern_strings(name));
    }

    fn intern_strings(&mut self, name: &Arc<str>) {
        let Some(parsed) = self.parsed.get(name).cloned() else { return };
        if parsed.standard || !self.strings_interned.insert(name.clone()) {
            return;
        }
        let (extended, instantiated) = dependencies(&parsed.module);
        extended.iter().chain(&instantiated).for_each(|name| self.intern_strings(name));
        for (kind, text) in primed_syntax::identifiers(&parsed.source) {
            if kind == primed_syntax::TokenKind::String {
                self.symbols.intern(&text);
            }
        }
    }

    fn intern_all<'w>(&self, words: impl IntoIterator<Item = &'w str>) {
        for word in words {
            self.symbols.intern(word);
        }
    }

    /// Takes what was parsed.
    pub(crate) fn adopt(&mut self, parsed: impl Iterator<Item = Parsed>) {
        self.parsed.extend(parsed.map(|p| (p.module.name.name.clone(), p)));
    }

    /// Takes the root file and, in SANY's order, every module that it extends or instantiates: again and again the first name
    /// in an EXTENDS that was not yet read, and when there is none the first in an INSTANCE, on a walk from the root.
    pub(crate) fn read_root(&mut self, file: &SourceFile) -> Option<ModuleRef> {
        let name = file.module();
        self.symbols.intern(name);
        self.intern_all(library::interning("*parser*").into_iter().flatten());
        let root = self.find_file(&name.into())?;
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

    /// The module of this name outside any other module. Asked for the first time, its words are interned.
    pub(crate) fn find_file(&mut self, name: &Arc<str>) -> Option<ModuleRef> {
        if let Some(module) = self.files.get(name) {
            return Some(module.clone());
        }
        let Parsed { source, module, standard } = self.parsed.get(name)?.clone();
        let file = self.add_source(&source, Some(&**name).filter(|_| standard));
        // TLC's native forms belong to the name of a module, whoever wrote the file.
        let standard = standard || library::standard(name).is_some();
        let reference = ModuleRef { module, file, standard, enclosing: None };
        self.files.insert(name.clone(), reference.clone());
        Some(reference)
    }
}

/// The modules a body names in EXTENDS, and in INSTANCE outside expressions, in order.
fn dependencies(module: &ast::Module) -> (Vec<Arc<str>>, Vec<Arc<str>>) {
    let mut extended: Vec<Arc<str>> = module.extends.iter().map(|e| e.name.clone()).collect();
    let (mut instantiated, mut nested) = (Vec::new(), Vec::new());
    for unit in &module.units {
        match &unit.kind {
            ast::UnitKind::Instance { instance, .. } => instantiated.push(instance.module.name.clone()),
            ast::UnitKind::Definition(definition) => {
                if let ast::DefinitionBody::Instance(instance) = &definition.body {
                    instantiated.push(instance.module.name.clone());
                }
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
