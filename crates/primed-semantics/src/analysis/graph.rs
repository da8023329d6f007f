//! The graph that an analysis builds: symbols, nodes and modules, each known by its number.
//!
//! It is SANY's semantic graph as far as verdicts depend on it; nothing of it reaches the engine, which compiles a
//! [`crate::model::Model`].

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashMap;
use primed_syntax::span::Span;

use super::levels::{DefLevels, LevelInfo};

/// A place in one of the analysed files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Spot {
    pub(crate) file: u32,
    pub(crate) span: Span,
}

/// Number of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Sym(pub(crate) u32);

/// Number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(pub(crate) u32);

/// Number of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Mod(pub(crate) u32);

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymbolKind {
    /// An operator of the language, with its row in the table of built-in operators.
    Builtin,
    /// Declared by CONSTANT.
    Constant,
    /// Declared by VARIABLE.
    Variable,
    /// Declared by NEW in an ASSUME; which of the five words, and its level.
    New(NewKind),
    /// A formal parameter or bound name.
    Param,
    /// A defined operator.
    Operator,
    /// `I` of `I == INSTANCE M`.
    Instance,
    /// A named theorem, assumption or step.
    Fact,
    /// A named step that is a definition, a USE, a HIDE or an INSTANCE.
    Step,
    /// A nested module (only among the names of modules).
    Module(Mod),
    /// Marks the inside of an ordinary ASSUME.
    Marker,
}

/// The words of NEW.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewKind {
    Constant,
    Variable,
    State,
    Action,
    Temporal,
}

/// The classes that EXTENDS distinguishes (error 4224).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Definition,
    Declaration,
    Param,
    Fact,
    Module,
}

/// A set of labels of one definition or label.
pub(crate) type Labels = Rc<HashMap<Arc<str>, Node>>;

/// A named thing.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: Arc<str>,
    pub(crate) kind: SymbolKind,
    /// Number of arguments; -1 for any number (built-in operators only).
    pub(crate) arity: i32,
    pub(crate) spot: Spot,
    pub(crate) local: bool,
    /// The module it was defined in first.
    pub(crate) module: Mod,
    pub(crate) params: Vec<Sym>,
    /// The right-hand side, once known.
    pub(crate) body: Option<Node>,
    /// What it is a copy of, under an instance.
    pub(crate) source: Option<Sym>,
    pub(crate) labels: Labels,
    pub(crate) recursion: Recursion,
    pub(crate) suffices: bool,
}

/// What RECURSIVE says about a definition.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recursion {
    /// The right-hand side is known.
    pub(crate) defined: bool,
    /// The nesting of LET at its definition.
    pub(crate) let_level: usize,
    /// It was declared RECURSIVE.
    pub(crate) declared: bool,
    /// It stands between a RECURSIVE and the definition of its last name.
    pub(crate) in_section: bool,
    /// The number of that section.
    pub(crate) section: usize,
}

impl Symbol {
    pub(crate) fn class(&self) -> Class {
        match self.kind {
            SymbolKind::Operator | SymbolKind::Instance | SymbolKind::Step | SymbolKind::Builtin => Class::Definition,
            SymbolKind::Param => Class::Param,
            SymbolKind::Fact => Class::Fact,
            SymbolKind::Module(_) => Class::Module,
            _ => Class::Declaration,
        }
    }

    /// Declared or bound: it has no definition to look into.
    pub(crate) fn is_param(&self) -> bool {
        matches!(
            self.kind,
            SymbolKind::Constant | SymbolKind::Variable | SymbolKind::New(_) | SymbolKind::Param | SymbolKind::Marker
        )
    }

    /// The level of a declared name: its own, whatever stands for it.
    pub(crate) fn declared_level(&self) -> u8 {
        match self.kind {
            SymbolKind::Variable | SymbolKind::New(NewKind::Variable | NewKind::State) => 1,
            SymbolKind::New(NewKind::Action) => 2,
            SymbolKind::New(NewKind::Temporal) => 3,
            _ => 0,
        }
    }
}

/// What a node is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// What an error left.
    Missing,
    /// A number or string.
    Literal,
    /// An operator applied, with what it binds.
    Apply {
        op: Sym,
        args: Vec<Node>,
        /// Names bound without a set, or the function's own name in a recursive definition.
        free: Vec<Sym>,
        /// Names bound by each range.
        groups: Vec<Vec<Sym>>,
        /// Which groups are tuples.
        tuples: Vec<bool>,
        ranges: Vec<Node>,
    },
    /// An operator that stands as an argument.
    OpArg(Sym),
    /// `@` in an EXCEPT: the EXCEPT, and how many of its arguments stand before the update that it is in.
    At {
        except: Node,
        before: usize,
    },
    Let {
        defs: Vec<Sym>,
        instances: Vec<Node>,
        body: Node,
        names: Rc<Names>,
    },
    /// A right-hand side under the substitutions of an instance.
    Subst {
        substs: Rc<Vec<Subst>>,
        body: Node,
        module: Mod,
        fact: bool,
    },
    Label {
        params: Vec<Sym>,
        body: Node,
        assertion: bool,
        labels: Labels,
        goal: Option<Sym>,
        clause: usize,
    },
    AssumeProve {
        assumes: Vec<Node>,
        prove: Node,
        in_scope: Vec<bool>,
        goal: Option<Sym>,
        in_proof: bool,
        suffices: bool,
    },
    New {
        symbol: Sym,
        set: Option<Node>,
    },
    Instance {
        module: Mod,
        substs: Rc<Vec<Subst>>,
        params: Vec<Sym>,
    },
    Assumption {
        body: Node,
        def: Option<Sym>,
    },
    Theorem {
        body: Node,
        def: Option<Sym>,
        proof: Option<Node>,
    },
    /// The steps of a proof, or the facts of BY, USE, HIDE.
    Steps(Vec<Node>),
    /// The definitions of a DEFINE step.
    DefStep(Vec<Sym>),
    /// A module or instance named as a fact.
    Name,
}

/// One substitution of an instance.
#[derive(Clone, Debug)]
pub(crate) struct Subst {
    pub(crate) target: Sym,
    pub(crate) value: Node,
    pub(crate) implicit: bool,
}

/// Names in order of declaration. Modules have a space of their own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) order: Vec<Sym>,
    pub(crate) symbols: HashMap<Arc<str>, Sym>,
    pub(crate) modules: HashMap<Arc<str>, Sym>,
}

/// A module once it was analysed.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModuleGraph {
    pub(crate) name: Arc<str>,
    pub(crate) spot: Spot,
    pub(crate) names: Rc<Names>,
    /// Theorems, assumptions, instances, USE and HIDE, extended modules included.
    pub(crate) top: Vec<Node>,
    pub(crate) theorems: Vec<Node>,
    pub(crate) inner: Vec<Mod>,
    /// The modules after EXTENDS.
    pub(crate) extends: Vec<Mod>,
    /// Record constructors and sets of records, in the order in which they were read.
    pub(crate) records: Vec<Node>,
    /// Levels of the proofs that are being read.
    pub(crate) proof_levels: Vec<u64>,
    /// Definitions in a section opened by RECURSIVE, in order.
    pub(crate) recursive: Vec<Sym>,
}

/// Everything, by number.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) nodes: Vec<(Kind, Spot)>,
    pub(crate) modules: Vec<ModuleGraph>,
    /// By the number of the node.
    pub(crate) levels: Vec<Option<(u8, Rc<LevelInfo>)>>,
    /// What `@` stands for in an EXCEPT: the levels of so many of its arguments together, in that round.
    pub(crate) prefixes: HashMap<(Node, u8), (usize, LevelInfo)>,
    pub(crate) definitions: HashMap<Sym, (u8, Rc<DefLevels>)>,
    pub(crate) module_levels: HashMap<Mod, Rc<LevelInfo>>,
}

impl Graph {
    pub(crate) fn add_node(&mut self, kind: Kind, spot: Spot) -> Node {
        self.nodes.push((kind, spot));
        Node(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn add_symbol(&mut self, symbol: Symbol) -> Sym {
        self.symbols.push(symbol);
        Sym(self.symbols.len() as u32 - 1)
    }

    pub(crate) fn symbol(&self, sym: Sym) -> &Symbol {
        &self.symbols[sym.0 as usize]
    }

    pub(crate) fn symbol_mut(&mut self, sym: Sym) -> &mut Symbol {
        &mut self.symbols[sym.0 as usize]
    }

    pub(crate) fn kind(&self, node: Node) -> &Kind {
        &self.nodes[node.0 as usize].0
    }

    pub(crate) fn spot(&self, node: Node) -> Spot {
        self.nodes[node.0 as usize].1
    }

    pub(crate) fn module(&self, module: Mod) -> &ModuleGraph {
        &self.modules[module.0 as usize]
    }

    pub(crate) fn module_mut(&mut self, module: Mod) -> &mut ModuleGraph {
        &mut self.modules[module.0 as usize]
    }

    /// A module's name; empty for what belongs to none.
    pub(crate) fn module_name(&self, module: Mod) -> &str {
        self.modules.get(module.0 as usize).map_or("", |m| &m.name)
    }

    /// The name of an application's operator; empty for other nodes.
    pub(crate) fn operator_name(&self, node: Node) -> &str {
        match self.kind(node) {
            Kind::Apply { op, .. } => &self.symbol(*op).name,
            _ => "",
        }
    }

    /// Declares no constants and no variables, and extends no module that does.
    pub(crate) fn parameter_free(&self, module: Mod) -> bool {
        !self.module(module).names.order.iter().any(|s| {
            let kind = self.symbol(*s).kind;
            kind == SymbolKind::Constant || kind == SymbolKind::Variable
        })
    }

    /// Both are copies of one definition of a module without parameters.
    pub(crate) fn same_origin(&self, a: Sym, b: Sym) -> bool {
        let (left, right) = (self.symbol(a), self.symbol(b));
        if left.class() != right.class() || !matches!(left.class(), Class::Definition | Class::Fact) {
            return false;
        }
        let source = left.source.unwrap_or(a);
        source == right.source.unwrap_or(b) && self.parameter_free(self.symbol(source).module)
    }
}
