//! The analyser's state: complaints, and the table of names with its rules (4201, 4202, 4223, 4224, 4800, 4801).

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use primed_syntax::ast;
use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::{SourceFile, Span};

use super::builtin;
use super::graph::{Class, Graph, Kind, Labels, Mod, Names, Node, Recursion, Spot, Sym, Symbol, SymbolKind};
use super::help;
use super::levels::LevelInfo;
use super::stubs::Stubs;
use super::within::is_cut_out;

/// A complaint with the module it is about.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) file: u32,
    pub(crate) diagnostic: Diagnostic,
}

/// The labels and bound names of the definition or label that is being read.
#[derive(Default)]
pub(crate) struct LabelSet {
    pub(crate) labels: HashMap<Arc<str>, Node>,
    pub(crate) bound: Vec<Vec<Sym>>,
}

/// What surrounds the phrase that is being read.
#[derive(Default)]
pub(crate) struct State {
    /// The EXCEPTs around, with how many of its arguments stand before the update in each.
    pub(crate) excepts: Vec<(Node, usize)>,
    /// Functions being defined, with the node of each.
    pub(crate) functions: Vec<(Arc<str>, Node)>,
    pub(crate) labels: Vec<LabelSet>,
    /// How many LETs are around.
    pub(crate) let_level: usize,
    /// Names declared RECURSIVE and not yet defined, by nesting of LET.
    pub(crate) unresolved: Vec<usize>,
    pub(crate) sections: usize,
    /// The names declared RECURSIVE in the module.
    pub(crate) declared: Vec<Sym>,
    /// For each ASSUME around, whether a NEW stands before in it.
    pub(crate) assumes: Vec<bool>,
    pub(crate) goal: Option<Sym>,
    pub(crate) clause: usize,
}

impl State {
    /// Names declared RECURSIVE that are still to be defined.
    pub(crate) fn open_recursions(&self) -> usize {
        self.unresolved.iter().sum()
    }

    /// The same number for this nesting of LET only.
    pub(crate) fn open_here(&mut self) -> &mut usize {
        if self.unresolved.len() <= self.let_level {
            self.unresolved.resize(self.let_level + 1, 0);
        }
        let level = self.let_level;
        &mut self.unresolved[level]
    }
}

/// Where a name of the module is defined, or declared as a constant or variable.
#[derive(Clone, Copy)]
pub(crate) struct Later {
    pub(crate) span: Span,
    pub(crate) declared: bool,
}

/// Reads syntax trees into a [`Graph`] and complains as SANY does.
pub(crate) struct Analyser {
    pub(crate) graph: Graph,
    pub(crate) sources: Vec<SourceFile>,
    /// The name of each file's module.
    pub(crate) module_names: Vec<Arc<str>>,
    pub(crate) messages: Vec<Message>,
    /// The same, to find what was said before.
    said: HashSet<(Spot, u32, String)>,
    /// Length of the longest name with a meaning.
    pub(crate) longest_name: usize,
    /// The levels of what is constant.
    pub(crate) constant: Rc<LevelInfo>,
    /// How much level checking has found out, over all nodes.
    pub(crate) level_entries: usize,
    /// Modules outside of other modules that were analysed.
    pub(crate) external: HashMap<Arc<str>, Mod>,
    /// Innermost last; the first holds the built-in operators.
    pub(crate) contexts: Vec<Names>,
    pub(crate) file: u32,
    pub(crate) module: Mod,
    pub(crate) state: State,
    /// Stand-ins for names that mean nothing, if there may be any.
    pub(crate) stubs: Option<Stubs>,
    /// The last complaint was new.
    pub(crate) fresh: bool,
    /// Unknown names that were compared with all known ones.
    pub(crate) compared: usize,
    /// Where the definitions and declarations of the module that is being read stand.
    pub(crate) later: HashMap<Arc<str>, Later>,
    /// The tuple with which a set begins that looks like a filter and is none.
    pub(crate) stray_tuple: Option<Spot>,
    /// It was said that HIDE takes no such fact, of one that could not be understood.
    pub(crate) missing_fact_told: bool,
    /// The analysis cannot go on.
    pub(crate) aborted: bool,
    pub(crate) missing: Node,
}

impl Analyser {
    pub(crate) fn new() -> Analyser {
        let mut graph = Graph::default();
        let missing = graph.add_node(Kind::Missing, Spot::default());
        let mut analyser = Analyser {
            graph,
            sources: Vec::new(),
            module_names: Vec::new(),
            messages: Vec::new(),
            said: HashSet::new(),
            longest_name: 0,
            constant: Rc::default(),
            level_entries: 0,
            external: HashMap::new(),
            contexts: vec![Names::default()],
            file: 0,
            module: Mod(0),
            state: State::default(),
            stubs: None,
            fresh: false,
            compared: 0,
            later: HashMap::new(),
            stray_tuple: None,
            missing_fact_told: false,
            aborted: false,
            missing,
        };
        for row in builtin::TABLE {
            let name: Arc<str> = row.name.into();
            let sym = analyser.symbol(name.clone(), SymbolKind::Builtin, row.arity, Spot::default());
            analyser.put(&name, sym);
        }
        analyser
    }

    pub(crate) fn spot(&self, span: Span) -> Spot {
        Spot { file: self.file, span }
    }

    /// Adds a complaint unless the same was made before.
    pub(crate) fn complain(&mut self, severity: Severity, code: u32, spot: Spot, message: String) {
        self.fresh = self.said.insert((spot, code, message.clone()));
        if self.fresh {
            let help = help::always(code).map(Into::into);
            let diagnostic = Diagnostic { severity, code, message, span: spot.span, help, notes: Vec::new() };
            self.messages.push(Message { file: spot.file, diagnostic });
        }
    }

    /// Another text may get the number of this file and the ones after it: what was said of them is said again.
    pub(crate) fn forget_files(&mut self, first: usize) {
        self.said.retain(|(spot, _, _)| (spot.file as usize) < first);
    }

    pub(crate) fn error(&mut self, code: u32, spot: Spot, message: impl Into<String>) {
        self.complain(Severity::Error, code, spot, message.into());
    }

    /// An error after which SANY stops at once.
    pub(crate) fn abort(&mut self, code: u32, spot: Spot, message: impl Into<String>) {
        self.error(code, spot, message);
        self.aborted = true;
    }

    pub(crate) fn failed(&self) -> bool {
        self.messages.iter().any(|m| m.diagnostic.severity == Severity::Error)
    }

    /// A place in SANY's words.
    pub(crate) fn location(&self, spot: Spot) -> String {
        match (self.sources.get(spot.file as usize), self.module_names.get(spot.file as usize)) {
            (Some(file), Some(module)) => format!("{} of module {module}", file.range(spot.span)),
            _ => String::from("Unknown location"),
        }
    }

    // Nodes and symbols.

    pub(crate) fn node(&mut self, kind: Kind, spot: Spot) -> Node {
        self.graph.add_node(kind, spot)
    }

    /// An operator of the language applied to arguments.
    pub(crate) fn builtin(&mut self, name: &str, args: Vec<Node>, spot: Spot) -> Node {
        let op = self.builtin_symbol(name);
        self.apply(op, args, spot)
    }

    pub(crate) fn builtin_symbol(&self, name: &str) -> Sym {
        self.contexts.first().and_then(|c| c.symbols.get(name)).copied().unwrap_or(Sym(0))
    }

    pub(crate) fn apply(&mut self, op: Sym, args: Vec<Node>, spot: Spot) -> Node {
        let kind =
            Kind::Apply { op, args, free: Vec::new(), groups: Vec::new(), tuples: Vec::new(), ranges: Vec::new() };
        self.node(kind, spot)
    }

    /// A symbol that is not yet in any table.
    pub(crate) fn symbol(&mut self, name: Arc<str>, kind: SymbolKind, arity: i32, spot: Spot) -> Sym {
        self.graph.add_symbol(Symbol {
            name,
            kind,
            arity,
            spot,
            local: false,
            module: self.module,
            params: Vec::new(),
            body: None,
            source: None,
            labels: Labels::default(),
            recursion: Recursion { defined: true, ..Recursion::default() },
            suffices: false,
        })
    }

    /// A formal parameter or bound name, entered in the innermost table.
    pub(crate) fn parameter(&mut self, name: &ast::Ident, arity: usize) -> Sym {
        let spot = self.spot(name.span);
        let sym = self.symbol(name.name.clone(), SymbolKind::Param, arity as i32, spot);
        self.enter(sym);
        sym
    }

    // Names.

    pub(crate) fn open_context(&mut self) {
        self.contexts.push(Names::default());
    }

    pub(crate) fn close_context(&mut self) -> Names {
        // The first table, of the built-in operators, stays.
        if self.contexts.len() > 1 { self.contexts.pop().unwrap_or_default() } else { Names::default() }
    }

    pub(crate) fn resolve(&self, name: &str) -> Option<Sym> {
        self.contexts.iter().rev().find_map(|c| c.symbols.get(name).copied())
    }

    /// The module of this name: a nested one, else one of a file.
    pub(crate) fn resolve_module(&self, name: &str) -> Option<Mod> {
        let nested = self.contexts.iter().rev().find_map(|c| c.modules.get(name).copied());
        match nested.map(|s| self.graph.symbol(s).kind) {
            Some(SymbolKind::Module(module)) => Some(module),
            _ => self.external.get(name).copied(),
        }
    }

    /// Puts a name in the innermost table without a check.
    pub(crate) fn put(&mut self, name: &Arc<str>, sym: Sym) {
        self.longest_name = self.longest_name.max(name.len());
        if let Some(names) = self.contexts.last_mut() {
            names.put(name, sym);
        }
    }

    /// Enters a symbol under its name: no name may get a second meaning (`Specifying Systems`, section 17.3).
    pub(crate) fn enter(&mut self, sym: Sym) -> bool {
        let symbol = self.graph.symbol(sym);
        let (name, spot) = (symbol.name.clone(), symbol.spot);
        let Some(current) = self.resolve(&name) else {
            self.put(&name, sym);
            return true;
        };
        if current == sym {
            return true;
        }
        let other = self.graph.symbol(current);
        if other.kind == SymbolKind::Builtin {
            let text = format!("Symbol {name} is a built-in operator, and cannot be redefined.");
            self.error(4202, spot, text);
            return false;
        }
        let there = self.location(other.spot);
        let differs = other.kind != symbol.kind || other.arity != symbol.arity;
        if symbol.kind == SymbolKind::Param || differs {
            let text = format!(
                "Multiply-defined symbol '{name}': this definition or declaration conflicts \nwith the one at {there}."
            );
            self.error(4201, spot, text);
            self.note_symbol(current, "the other is here");
            return false;
        }
        if !self.graph.same_origin(sym, current) {
            let text = format!(
                "Multiple declarations or definitions for symbol {name}.  \nThis duplicates the one at {there}."
            );
            self.complain(Severity::Warning, 4801, spot, text);
            self.note_symbol(current, "the other is here");
        }
        true
    }

    /// Enters a nested module.
    pub(crate) fn enter_module(&mut self, name: &ast::Ident, module: Mod, spot: Spot) {
        let sym = self.symbol(name.name.clone(), SymbolKind::Module(module), 0, spot);
        let current = self.contexts.iter().rev().find_map(|c| c.modules.get(&name.name).copied());
        let current = current.map(|s| self.graph.symbol(s).spot);
        let current = current.or_else(|| self.external.get(&name.name).map(|m| self.graph.module(*m).spot));
        match current {
            None => {
                if let Some(names) = self.contexts.last_mut() {
                    names.put_module(&name.name, sym);
                }
            }
            Some(other) => {
                let (name, there) = (&name.name, self.location(other));
                let text = format!(
                    "Multiply-defined module '{name}': this definition or declaration conflicts \nwith the one at {there}."
                );
                self.error(4223, spot, text);
                self.note(other, "the other is here");
                if self.sources.get(other.file as usize).is_some_and(is_cut_out) {
                    let help =
                        "an INSTANCE that is a unit, behind the nested module, makes it known to LETs and proofs";
                    self.advise(Some(help.into()));
                }
            }
        }
    }

    /// Brings the names of an extended module into the innermost table.
    pub(crate) fn merge(&mut self, names: &Rc<Names>) {
        for sym in &names.order {
            let symbol = self.graph.symbol(*sym);
            if symbol.local || symbol.kind == SymbolKind::Param {
                continue;
            }
            let (name, class) = (symbol.name.clone(), symbol.class());
            let module = class == Class::Module;
            let Some(top) = self.contexts.last_mut() else { return };
            let space = if module { &top.modules } else { &top.symbols };
            match space.get(&name).copied() {
                None if module => top.put_module(&name, *sym),
                None => top.put(&name, *sym),
                Some(other) if other == *sym => {}
                Some(other) => self.clash(other, *sym),
            }
        }
    }

    /// Two extended modules give one name two meanings.
    fn clash(&mut self, first: Sym, second: Sym) {
        let (a, b) = (self.graph.symbol(first), self.graph.symbol(second));
        let word = match a.class() {
            Class::Definition | Class::Param => "definition",
            _ => "declaration",
        };
        let (name, spot, there) = (b.name.clone(), b.spot, self.location(a.spot));
        if a.class() != b.class() {
            let text = format!("The {word} of '{name}' conflicts with \nits {word} at {there}.");
            self.error(4224, spot, text);
            self.note_symbol(first, "the other is here");
        } else if !self.graph.same_origin(first, second) {
            let text = format!("Warning: the {word} of '{name}' conflicts with \nits {word} at {there}.");
            self.complain(Severity::Warning, 4800, spot, text);
            self.note_symbol(first, "the other is here");
        }
    }
}

impl Names {
    pub(crate) fn put(&mut self, name: &Arc<str>, sym: Sym) {
        if self.symbols.insert(name.clone(), sym).is_none() {
            self.order.push(sym);
        }
    }

    fn put_module(&mut self, name: &Arc<str>, sym: Sym) {
        if self.modules.insert(name.clone(), sym).is_none() {
            self.order.push(sym);
        }
    }
}
