//! The resolved model: no names, only numbers. What the engine compiles.
//!
//! INVARIANT: a [`LocalId`] is bound at one place of the whole model. A definition may mention locals that are not its own (the
//! parameters of the instance it came through, or what surrounds a LET); every call of it stands where those are bound.

use std::sync::Arc;

use hashbrown::HashMap;
use primed_syntax::diagnostic::Diagnostic;
use primed_syntax::span::SourceFile;
use primed_value::error::Place;
use primed_value::symbol::{Symbol, Symbols};
use primed_value::value::ModelValue;

/// Number of a variable, in order of declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// Number of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefinitionId(pub u32);

/// Number of a parameter, bound name or LET definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// Levels of `Specifying Systems`, section 17.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Level {
    /// No variables.
    #[default]
    Constant,
    /// Unprimed variables.
    State,
    /// Primed variables.
    Action,
    /// Temporal operators.
    Temporal,
}

/// A complaint about one of the model's files.
#[derive(Clone, Debug)]
pub struct Located {
    /// The file.
    pub file: SourceFile,
    /// The complaint.
    pub diagnostic: Diagnostic,
}

/// A resolved specification with its configuration applied.
#[derive(Debug)]
pub struct Model {
    /// Texts of strings, fields and model values, interned in TLC's order.
    pub symbols: Arc<Symbols>,
    /// Every file that was read; `Place::file` counts here.
    pub sources: Vec<SourceFile>,
    /// Those of them that are no modules: the configuration, single expressions.
    pub no_modules: Vec<u32>,
    /// The root module's name.
    pub name: Arc<str>,
    /// The variables of the root module, in order of declaration.
    pub variables: Vec<Variable>,
    /// The same by number, in the order in which TLC shows them.
    pub shown: Vec<VariableId>,
    /// How many [`ExprKind::StandIn`] numbers there are.
    pub stand_ins: u32,
    /// All definitions, constants with their configured value included.
    pub definitions: Vec<Definition>,
    /// Where definitions come from that an INSTANCE with substitutions made.
    pub instances: HashMap<DefinitionId, Arc<InstanceOrigin>>,
    /// The names a user may use from outside (a command line, a window): the root module's exports and instances' `I!Op`.
    pub exports: Vec<(Arc<str>, DefinitionId)>,
    /// The assumptions of all extended modules, in order.
    pub assumptions: Vec<Assumption>,
    /// What the configuration names.
    pub behaviour: Behaviour,
    /// Warnings.
    pub warnings: Vec<Located>,
    /// Properties of the process, as Java's `-Dname=value` gives them to TLC: names and values.
    pub properties: Vec<(String, String)>,
}

/// The property that lets TLC evaluate `A \cdot B`.
const COMPOSITION: &str = "tlc2.tool.impl.Tool.cdot";

impl Model {
    /// Whether `A \cdot B` is evaluated. TLC does so for a property of the process only; a specification that asks for the
    /// property by name (`TLCGet("-D...")`) has it.
    pub fn composes(&self) -> bool {
        let given = |(name, value): &(String, String)| name == COMPOSITION && value == "true";
        self.properties.iter().any(given) || self.symbols.get(&format!("-D{COMPOSITION}")).is_some()
    }
}

/// What the configuration asks for.
#[derive(Debug, Default)]
pub struct Behaviour {
    /// The initial predicate: INIT, or the initial conjuncts of SPECIFICATION.
    pub init: Option<Expr>,
    /// The next-state relation.
    pub next: Option<Expr>,
    /// INIT and NEXT name them, not SPECIFICATION.
    pub named_parts: bool,
    /// SPECIFICATION.
    pub specification: Option<Named>,
    /// The remaining temporal conjuncts of SPECIFICATION.
    pub fairness: Vec<Expr>,
    /// INVARIANT, with the name given.
    pub invariants: Vec<Named>,
    /// PROPERTY.
    pub properties: Vec<Named>,
    /// CONSTRAINT.
    pub constraints: Vec<Named>,
    /// ACTION_CONSTRAINT.
    pub action_constraints: Vec<Named>,
    /// SYMMETRY.
    pub symmetry: Option<Named>,
    /// VIEW.
    pub view: Option<Named>,
    /// ALIAS.
    pub alias: Option<Named>,
    /// POSTCONDITION.
    pub postconditions: Vec<Named>,
    /// The first POSTCONDITION that is not one of them: it is not defined, or has parameters.
    pub unusable_postcondition: Option<Located>,
    /// _RL_REWARD.
    pub rl_reward: Option<Named>,
    /// _PERIODIC.
    pub periodic: Option<Named>,
    /// _POSSIBLE.
    pub possible: Vec<Named>,
    /// CHECK_DEADLOCK, if said.
    pub check_deadlock: Option<bool>,
}

/// A named formula.
#[derive(Clone, Debug)]
pub struct Named {
    /// The name as the configuration spells it.
    pub name: Arc<str>,
    /// The formula.
    pub expr: Expr,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// Where it is declared.
    pub place: Place,
}

/// The INSTANCE that made a definition; of nested ones, the outermost.
#[derive(Clone, Debug)]
pub struct InstanceOrigin {
    /// `I!` or `I!J!`, empty if it has no name.
    pub prefix: String,
    /// Where it stands.
    pub place: Place,
    /// The parameters of its name.
    pub params: Vec<Param>,
}

/// An assumption.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
    /// The formula.
    pub expr: Expr,
}

/// A defined operator, or a constant.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name inside its module.
    pub name: Arc<str>,
    /// The module it stands in.
    pub module: Arc<str>,
    /// The module is one of Primed's own: a native form may stand in for the body.
    pub standard: bool,
    /// The parameters.
    pub params: Vec<Param>,
    /// The right-hand side.
    pub body: Expr,
    /// May call itself (declared RECURSIVE).
    pub recursive: bool,
    /// Level of the body, parameters counted as constants.
    pub level: Level,
    /// The definition, or the declaration of a constant.
    pub place: Place,
}

/// A parameter; `arity` 0 for a value, more for an operator.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its number.
    pub local: LocalId,
    /// Its name, for people.
    pub name: Arc<str>,
    /// Arguments it takes itself.
    pub arity: usize,
}

/// An operator as an argument; what a name or symbol stands for is written out as a LAMBDA.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// Its parameters, all values.
    pub params: Vec<Param>,
    /// Its body.
    pub body: Expr,
}

/// An argument.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A value, by need.
    Value(Expr),
    /// An operator.
    Operator(Lambda),
}

/// A LET definition, or the parameter of an instance that is bound around a call.
#[derive(Clone, Debug)]
pub struct LocalDefinition {
    /// Its number.
    pub local: LocalId,
    /// Its name, for people.
    pub name: Arc<str>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its body.
    pub body: Expr,
}

/// A resolved expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: Box<ExprKind>,
    /// Where it was written.
    pub place: Place,
    /// Its level, parameters counted as constants.
    pub level: Level,
}

/// `x, y \in S` or `<<x, y>> \in S`.
#[derive(Clone, Debug)]
pub struct Bound {
    /// What is bound.
    pub locals: Vec<Param>,
    /// The names are the components of one tuple.
    pub tuple: bool,
    /// The set; `None` if unbounded.
    pub set: Option<Expr>,
}

/// Operators that are part of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the language")]
pub enum Builtin {
    And,
    Or,
    Implies,
    Equiv,
    Not,
    Equal,
    NotEqual,
    In,
    NotIn,
    SubsetEq,
    Union,
    Intersection,
    Difference,
    PowerSet,
    BigUnion,
    Domain,
    Product,
    Prime,
    Enabled,
    Unchanged,
    Always,
    Eventually,
    LeadsTo,
    Guarantees,
    Compose,
    Booleans,
    Strings,
}

/// `[A]_v` and its kin.
pub use primed_syntax::ast::Subscripted;

/// A step into a function.
#[derive(Clone, Debug)]
pub enum ExceptStep {
    /// `[e]`; several indices are one tuple.
    Index(Expr),
    /// `.f`.
    Field(Symbol),
}

/// One update of an EXCEPT.
#[derive(Clone, Debug)]
pub struct ExceptUpdate {
    /// The way in.
    pub path: Vec<ExceptStep>,
    /// `@`.
    pub at: LocalId,
    /// The new value.
    pub value: Expr,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are those of the language")]
pub enum ExprKind {
    Bool(bool),
    Int(i64),
    String(Symbol),
    Model(ModelValue),
    Variable(VariableId),
    /// A parameter, bound name or LET definition, applied to nothing.
    Local(LocalId),
    /// A LET operator or operator parameter.
    CallLocal {
        local: LocalId,
        args: Vec<Argument>,
    },
    /// A definition; the arguments stand for its parameters.
    Call {
        definition: DefinitionId,
        args: Vec<Argument>,
    },
    Builtin {
        op: Builtin,
        args: Vec<Expr>,
    },
    /// A conjunction or disjunction laid out as a list.
    Junction {
        and: bool,
        items: Vec<Expr>,
    },
    If(Expr, Expr, Expr),
    Case {
        arms: Vec<(Expr, Expr)>,
        other: Option<Expr>,
    },
    Let {
        definitions: Vec<LocalDefinition>,
        body: Expr,
    },
    Quantified {
        forall: bool,
        bounds: Vec<Bound>,
        body: Expr,
    },
    TemporalQuantified {
        forall: bool,
        body: Expr,
    },
    Choose {
        bound: Bound,
        body: Expr,
    },
    SetEnum(Vec<Expr>),
    SetFilter {
        bound: Bound,
        body: Expr,
    },
    SetMap {
        bounds: Vec<Bound>,
        body: Expr,
    },
    Tuple(Vec<Expr>),
    /// `this`: the function's own name, if it is recursive.
    Function {
        bounds: Vec<Bound>,
        body: Expr,
        this: Option<LocalId>,
    },
    FunctionSet(Expr, Expr),
    Record(Vec<(Symbol, Expr)>),
    RecordSet(Vec<(Symbol, Expr)>),
    Except {
        function: Expr,
        updates: Vec<ExceptUpdate>,
    },
    /// `f[e]`; several indices are one tuple.
    Apply(Expr, Expr),
    Select(Expr, Symbol),
    Subscripted {
        kind: Subscripted,
        action: Expr,
        subscript: Expr,
    },
    /// A variable of an instantiated module for which something else than a variable of its own was substituted. It means what was
    /// substituted, but primed inside an ENABLED of its module it is a variable by itself: ENABLED is about the module's own
    /// steps (Specifying Systems, 17.8).
    StandIn {
        /// Counts instantiations, outer ones first.
        instance: u32,
        /// Counts such variables.
        number: u32,
        value: Expr,
    },
    /// An ENABLED or fairness formula of an instantiated module.
    Instanced {
        instance: u32,
        body: Expr,
    },
    /// A construct that is legal and that the engine does not evaluate; its name.
    Unsupported(Arc<str>),
}

impl Model {
    /// The definition with this number.
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    /// The right-hand side of the definition that an expression is a call of, perhaps within LET; any other expression itself.
    pub fn body<'m>(&'m self, expr: &'m Expr) -> &'m Expr {
        let mut expr = expr;
        loop {
            match &*expr.kind {
                ExprKind::Let { body, .. } => expr = body,
                ExprKind::Call { definition, args } if args.is_empty() => return &self.definition(*definition).body,
                _ => return expr,
            }
        }
    }

    /// A definition's name with the instance it comes through: `I!Op`.
    pub fn qualified_name(&self, id: DefinitionId) -> Arc<str> {
        let name = &self.definition(id).name;
        match self.instances.get(&id) {
            Some(origin) if !origin.prefix.is_empty() => format!("{}{name}", origin.prefix).into(),
            _ => name.clone(),
        }
    }

    /// The exported definition of this name.
    pub fn find(&self, name: &str) -> Option<DefinitionId> {
        self.exports.iter().find(|(n, _)| &**n == name).map(|(_, id)| *id)
    }

    /// `line 1, col 2 to line 3, col 4 of module M`, as TLC writes places.
    pub fn describe(&self, place: Place) -> String {
        describe(&self.sources, place)
    }

    /// The modules that it is made of, the root first: name, text, and whether it is one of those that are built in.
    pub fn modules(&self) -> impl Iterator<Item = (Arc<str>, &str, bool)> {
        let modules = (0..).zip(&self.sources).filter(|(number, _)| !self.no_modules.contains(number));
        modules.map(|(_, file)| (Arc::from(file.module()), file.text(), crate::library::is_built_in(file)))
    }

    /// Whether the place is in one of the modules that are built in.
    pub fn is_standard(&self, place: Place) -> bool {
        self.sources.get(place.file as usize).is_some_and(crate::library::is_built_in)
    }

    /// The source text of a place.
    pub fn text(&self, place: Place) -> &str {
        self.sources
            .get(place.file as usize)
            .map_or("", |f| f.slice(primed_syntax::span::Span::new(place.start, place.end)))
    }
}

/// A place in TLC's words: `line 5, col 9 to line 5, col 16 of module M`.
pub(crate) fn describe(sources: &[SourceFile], place: Place) -> String {
    match sources.get(place.file as usize) {
        Some(file) => {
            let module = file.module();
            format!("{} of module {module}", file.range(primed_syntax::span::Span::new(place.start, place.end)))
        }
        None => "an unknown place".into(),
    }
}
