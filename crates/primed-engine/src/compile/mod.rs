//! Expressions to code. Operators are written out where they are called, names become slots of a frame, what is constant
//! becomes a value that is computed once.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use primed_semantics::model::{
    Argument, Bound, Builtin, DefinitionId, Expr, ExprKind, Lambda, LocalDefinition, LocalId, Model, Param,
};
use primed_value::host::Limits;

use crate::actions::ActionProcedure;
use crate::coverage::{Counter, Role};
use crate::node::{Action, Code, Shared};
use crate::nodes::applied::ActionFunction;
use crate::nodes::kept::KeptValue;
use crate::nodes::{atoms, control};
use crate::program::{FrameSize, FunctionCode, Global, Pattern, Procedure, Program};
use crate::world::World;

mod action;
mod analysis;
mod applied;
mod bodies;
mod choices;
mod conditions;
mod constant_parts;
mod costs;
mod counting;
mod expression;
mod filter;
mod formula;
mod kept;
mod kind;
mod named;
mod names;
mod once;
mod passed;
mod path;
mod procedure;
mod property;
mod pure;
mod reach;
mod remembered;
mod split;
mod temporal;
mod total;
mod unchanged;

use analysis::Analysis;
pub(crate) use analysis::Facts;
pub use analysis::is_constant;
pub use conditions::Conditions;
use costs::Cost;
pub use formula::{Formula, Piece, expression_text};
pub use kept::KeptDefinition;
pub use named::{NameError, NamedAction, Parameter};
use procedure::ProcedureKey;
pub use property::{Part, PropertyPart};
pub use reach::ActionCount;
pub use split::{SplitRelation, SubAction};
pub use temporal::Temporal;

/// Definitions whose body, with what it calls written out, is larger than this are called instead of written out.
const INLINE_LIMIT: u32 = 400;
/// Definitions whose body is so large are called also where the state is read: writing them out would double the program with each
/// definition that uses the one before it twice.
const LARGE: u32 = 4000;
/// Most expressions that are written out, all in all; what goes beyond has no code.
const MOST_WRITTEN: u32 = 1 << 22;
/// Definitions written out inside each other.
const INLINE_DEPTH: u32 = 400;

/// What a name stands for while compiling.
#[derive(Clone)]
enum Binding<'m> {
    /// A slot of the current frame, with a value that is the same in every state.
    Slot(u32),
    /// A slot of the current frame, with an argument that may depend on the state that the frame was entered in.
    Passed(u32),
    /// A slot of the current frame, with an argument that may find states where it stands for a conjunct. `reads`: it reads the state
    /// that is being found, so that its value is good for the moment only.
    Finds { slot: u32, reads: bool },
    /// A slot that is filled at the first use.
    Lazy { slot: u32, code: Shared, facts: Arc<Facts>, expr: &'m Expr, names: Names<'m> },
    /// The expression itself, wherever the name stands.
    Written { expr: &'m Expr, names: Names<'m> },
    /// A value: one element of a set that a temporal formula quantifies over.
    Known(Arc<Global>),
    /// An operator.
    Operator { params: &'m [Param], body: &'m Expr, names: Names<'m> },
}

/// The names in scope, and whether a prime is around.
#[derive(Clone, Default)]
struct Names<'m> {
    bindings: im::HashMap<LocalId, Binding<'m>>,
    /// Inside `( )'`: variables mean their next values.
    primed: bool,
    /// Inside code that runs with the states exchanged: LET values of the unprimed state may not be reused.
    exchanged: bool,
    /// The instantiation that the ENABLED or fairness formula below belongs to.
    instance: u32,
    /// Where evaluations are counted.
    cost: Cost,
    /// Inside an ENABLED of this instantiation: what its own variables stand for is not looked at under a prime. What is passed in
    /// from outside keeps its own meaning, as in TLC.
    enabled: Option<u32>,
}

impl<'m> Names<'m> {
    fn with(&self, local: LocalId, binding: Binding<'m>) -> Names<'m> {
        let mut names = self.clone();
        names.bindings.insert(local, binding);
        names
    }

    /// The names inside the ENABLED that is being compiled.
    fn in_enabled(&self) -> Names<'m> {
        Names { enabled: Some(self.instance), ..self.clone() }
    }
}

/// The frame that is being laid out.
struct Frame {
    next: u32,
    size: Arc<FrameSize>,
}

/// Which state an action finds.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Finds {
    Current,
    Next,
}

/// A procedure as an action: what is found, and the variables that parameters stand for.
type ActionKey = (ProcedureKey, Finds, Vec<Option<*const ExprKind>>);

/// Compiles expressions of one model; what they share (constants, recursive operators) is compiled once.
pub struct Compiler<'m> {
    model: &'m Model,
    analysis: Analysis<'m>,
    functions: Vec<Arc<FunctionCode>>,
    globals: HashMap<*const ExprKind, Arc<Global>>,
    procedures: HashMap<ProcedureKey, Arc<Procedure>>,
    action_procedures: HashMap<ActionKey, Arc<ActionProcedure>>,
    /// The functions whose bodies are being compiled as actions in the current frame, the innermost last.
    applied: Vec<(*const ExprKind, Arc<ActionFunction>)>,
    /// Definitions that can be true in more than one way.
    branching: HashMap<DefinitionId, bool>,
    /// Definitions in which a temporal operator occurs.
    temporal_definitions: HashMap<DefinitionId, bool>,
    /// Parameters of operators that were written out in temporal formulas.
    parameters: HashSet<LocalId>,
    frame: Frame,
    depth: u32,
    /// Expressions written out so far.
    written: u32,
    /// If evaluations are counted, what counts them.
    costs: Option<costs::Drafts>,
    /// Counts the states that the initial predicate gives while it is compiled.
    whole_counter: Option<Arc<Counter>>,
    /// If actions are counted that the next-state relation is not split into, which.
    reach: Option<reach::Reach>,
    /// What is compiled tells errors its places.
    tells_places: bool,
    /// What is compiled is a whole action as an expression: actions inside are not compiled as expressions once more,
    /// which would double the work with each `ENABLED` around.
    within_whole: bool,
    /// Slots of the current frame below this one are bound around the part of the next-state relation that is being compiled.
    outer_slots: u32,
    /// [`SplitRelation::steady`], of the relation that is being split.
    steady: bool,
    /// Assignments that were compiled.
    assignments: u32,
    /// Values of definitions that depend on the moment they are evaluated in ([`Compiler::kept_definitions`]).
    kept: HashMap<DefinitionId, KeptValue>,
    /// Definitions that were met: those that are evaluated once for what they read have a number, and these variables.
    once: HashMap<DefinitionId, Option<(u32, Vec<u32>)>>,
    /// State functions are remembered ([`Compiler::in_step`]).
    stepping: bool,
    /// Functions that are: their numbers and code.
    remembered: HashMap<*const ExprKind, (u32, Arc<Procedure>)>,
    /// The body of a recursive definition, or of what is remembered, is being compiled: calls inside are not remembered one by one.
    inside_procedure: bool,
}

impl std::fmt::Debug for Compiler<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Compiler({})", self.model.name)
    }
}

/// An expression ready to be evaluated.
#[derive(Debug)]
pub struct Expression {
    pub(crate) code: Code,
    pub(crate) frame: u32,
    /// It does not ask for the moment.
    pub(crate) pure: bool,
}

/// An action or initial predicate ready to be enumerated, and its plain condition.
#[derive(Debug)]
pub struct Relation {
    pub(crate) action: Box<dyn Action>,
    pub(crate) condition: Code,
    pub(crate) frame: u32,
    pub(crate) initial: bool,
}

impl<'m> Compiler<'m> {
    /// A compiler for a model.
    pub fn new(model: &'m Model) -> Compiler<'m> {
        Compiler {
            model,
            analysis: Analysis::new(model),
            functions: Vec::new(),
            globals: HashMap::new(),
            procedures: HashMap::new(),
            action_procedures: HashMap::new(),
            applied: Vec::new(),
            branching: HashMap::new(),
            temporal_definitions: HashMap::new(),
            parameters: HashSet::new(),
            frame: Frame { next: 0, size: Arc::default() },
            depth: 0,
            written: 0,
            costs: None,
            whole_counter: None,
            reach: None,
            tells_places: false,
            within_whole: false,
            outer_slots: 0,
            steady: true,
            assignments: 0,
            kept: HashMap::new(),
            once: HashMap::new(),
            stepping: false,
            inside_procedure: false,
            remembered: HashMap::new(),
        }
    }

    /// Compiles a formula or state function.
    pub fn expression(&mut self, expr: &'m Expr) -> Expression {
        self.analysis.count(expr);
        let (code, frame) = self.in_frame(|c| c.code(expr, &Names::default()));
        Expression { code, frame, pure: !self.analysis.facts(expr).moment }
    }

    /// The same of a formula that has a role in the search: its evaluations are counted if somebody asks for it.
    pub fn formula_as(&mut self, role: Role, expr: &'m Expr) -> Expression {
        if self.costs.is_none() {
            return self.expression(expr);
        }
        self.analysis.count(expr);
        let names = self.counted_root(role, expr);
        let (code, frame) = self.in_frame(|c| c.code(expr, &names));
        let code = match role {
            Role::Constraint(_) | Role::ActionConstraint(_) => self.judged(&names, code),
            Role::Initial(_) | Role::Next(_) | Role::Invariant(_) => code,
        };
        Expression { code, frame, pure: !self.analysis.facts(expr).moment }
    }

    /// Compiles a next-state action.
    pub fn next(&mut self, expr: &'m Expr) -> Relation {
        self.relation(expr, Finds::Next)
    }

    /// Compiles an initial predicate.
    pub fn initial(&mut self, expr: &'m Expr) -> Relation {
        self.relation(expr, Finds::Current)
    }

    fn relation(&mut self, expr: &'m Expr, finds: Finds) -> Relation {
        self.analysis.count(expr);
        let names = match finds {
            Finds::Current => self.counted_root(Role::Initial(0), expr),
            Finds::Next => Names::default(),
        };
        self.whole_counter = self.counter(&names);
        let ((action, condition), frame) = self.in_frame(|c| {
            let action = c.action(expr, &names, finds);
            (action, c.code(expr, &Names::default()))
        });
        self.whole_counter = None;
        Relation { action, condition, frame, initial: finds == Finds::Current }
    }

    /// Whether an expression depends on the next state, so that it is an action.
    pub fn is_action(&mut self, expr: &'m Expr) -> bool {
        self.analysis.facts(expr).next
    }

    /// Whether anything that was compiled so far asks for this operator of a standard module.
    pub fn asks(&self, module: &str, name: &str) -> bool {
        self.analysis.asked().any(|id| {
            let definition = self.model.definition(id);
            definition.standard && &*definition.module == module && &*definition.name == name
        })
    }

    /// The program that all expressions compiled so far run in.
    pub fn finish(self, limits: Limits, world: Arc<dyn World>) -> Program {
        let costs = self.costs.map(costs::Drafts::finish).unwrap_or_default();
        Program::new(
            self.model.variables.clone(),
            self.model.symbols.clone(),
            limits,
            world,
            (self.functions, costs),
            !self.remembered.is_empty(),
        )
    }

    /// Lays out a new frame; gives its size too.
    fn in_frame<T>(&mut self, compile: impl FnOnce(&mut Self) -> T) -> (T, u32) {
        let outer = std::mem::replace(&mut self.frame, Frame { next: 0, size: Arc::default() });
        let applied = std::mem::take(&mut self.applied);
        let outer_slots = std::mem::take(&mut self.outer_slots);
        let result = compile(self);
        (self.applied, self.outer_slots) = (applied, outer_slots);
        let inner = std::mem::replace(&mut self.frame, outer);
        inner.size.set(inner.next);
        (result, inner.next)
    }

    fn slot(&mut self) -> u32 {
        self.frame.next += 1;
        self.frame.next - 1
    }

    /// A constant: computed once, or once for each run.
    fn global(&mut self, expr: &'m Expr, facts: &Facts) -> Code {
        let key: *const ExprKind = &*expr.kind;
        if let Some(global) = self.globals.get(&key) {
            return Box::new(atoms::Constant { global: global.clone(), place: expr.place });
        }
        let global = Arc::new(Global::new(facts.run, self.globals.len()));
        self.globals.insert(key, global.clone());
        let code = self.in_frame(|c| c.form(expr, &Names::default()));
        // Set once: the table above sees to it that no one else compiles this expression.
        drop(global.code.set(code));
        Box::new(atoms::Constant { global, place: expr.place })
    }

    /// Binds LET definitions or arguments around a body; the slots that must be emptied on entry are collected.
    fn bind(&mut self, definition: &'m LocalDefinition, names: &Names<'m>, slots: &mut Vec<u32>) -> Binding<'m> {
        if !definition.params.is_empty() {
            return Binding::Operator { params: &definition.params, body: &definition.body, names: names.clone() };
        }
        self.bind_value(definition.local, &definition.body, names, slots)
    }

    /// By what means a value that may be used several times is passed.
    fn bind_value(&mut self, local: LocalId, expr: &'m Expr, names: &Names<'m>, slots: &mut Vec<u32>) -> Binding<'m> {
        let counts = names.cost != Cost::None;
        if let ExprKind::Local(other) = &*expr.kind
            && let Some(binding) = names.bindings.get(other)
            && !names.primed
            && !counts
        {
            return binding.clone();
        }
        let facts = self.analysis.facts(expr);
        let uses = self.analysis.uses(local);
        let atom = matches!(
            &*expr.kind,
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::String(_) | ExprKind::Model(_) | ExprKind::Variable(_)
        );
        // Who counts evaluations wants to see the same value computed once, as in TLC.
        if ((atom || facts.constant()) && !counts) || (uses.count <= 1 && !uses.repeated) {
            return Binding::Written { expr, names: names.clone() };
        }
        let slot = self.slot();
        slots.push(slot);
        let code: Shared = Arc::from(self.code(expr, names));
        let mut facts = (*facts).clone();
        if names.primed {
            (facts.next, facts.current) = (facts.next || facts.current, false);
        }
        self.include_names(&mut facts, names);
        Binding::Lazy { slot, code, facts: Arc::new(facts), expr, names: names.clone() }
    }

    /// Free names stand for expressions that may read the states themselves.
    fn include_names(&mut self, facts: &mut Facts, names: &Names<'m>) {
        for local in facts.free.clone() {
            let inner = match names.bindings.get(&local) {
                Some(Binding::Passed(_)) => Facts { current: true, ..Facts::default() },
                Some(Binding::Finds { reads, .. }) => Facts { current: true, next: *reads, ..Facts::default() },
                Some(Binding::Lazy { facts, .. }) => (**facts).clone(),
                Some(Binding::Written { expr, names: inner }) => {
                    let mut facts = (*self.analysis.facts(expr)).clone();
                    self.include_names(&mut facts, &inner.clone());
                    facts
                }
                Some(Binding::Operator { body, names: inner, .. }) => {
                    let mut facts = (*self.analysis.facts(body)).clone();
                    self.include_names(&mut facts, &inner.clone());
                    facts
                }
                _ => continue,
            };
            facts.current |= inner.current;
            facts.next |= inner.next;
            facts.primes_names |= inner.primes_names;
        }
        facts.prime_names();
    }

    /// The facts of an expression with those of the names it mentions.
    fn whole_facts(&mut self, expr: &'m Expr, names: &Names<'m>) -> Facts {
        let mut facts = (*self.analysis.facts(expr)).clone();
        self.include_names(&mut facts, names);
        if names.primed {
            (facts.next, facts.current) = (facts.next || facts.current, false);
        }
        facts
    }

    /// The names that a body sees when an operator is written out.
    fn enter(
        &mut self,
        params: &'m [Param],
        args: &'m [Argument],
        outer: &Names<'m>,
        inner: &Names<'m>,
        slots: &mut Vec<u32>,
    ) -> Names<'m> {
        let mut names = inner.clone();
        (names.primed, names.exchanged, names.enabled) = (outer.primed, outer.exchanged, outer.enabled);
        names.cost = outer.cost;
        // Arguments carry their own prime: inside the body their names mean what they mean outside.
        for (param, arg) in params.iter().zip(args) {
            let binding = match arg {
                Argument::Value(expr) => {
                    let unprimed = Names { primed: false, ..outer.clone() };
                    match outer.primed {
                        true => Binding::Written { expr, names: unprimed },
                        false => self.bind_value(param.local, expr, outer, slots),
                    }
                }
                Argument::Operator(Lambda { params, body }) => {
                    Binding::Operator { params, body, names: Names { primed: false, ..outer.clone() } }
                }
            };
            names.bindings.insert(param.local, binding);
        }
        names
    }

    fn scoped(&self, slots: Vec<u32>, body: Code) -> Code {
        match slots.is_empty() {
            true => body,
            false => Box::new(control::Scope { slots, body }),
        }
    }

    /// The patterns of a quantifier's bound, with slots of the current frame.
    fn patterns(&mut self, bound: &Bound, names: &mut Names<'m>) -> Vec<Pattern> {
        let slots: Vec<u32> = bound
            .locals
            .iter()
            .map(|param| {
                let slot = self.slot();
                names.bindings.insert(param.local, Binding::Slot(slot));
                slot
            })
            .collect();
        match bound.tuple {
            true => vec![Pattern::Tuple(slots)],
            false => slots.into_iter().map(Pattern::One).collect(),
        }
    }

    /// Whether a call is made rather than written out.
    fn is_called(&mut self, id: DefinitionId, names: &Names<'m>) -> bool {
        let definition = self.model.definition(id);
        if definition.recursive || self.depth > INLINE_DEPTH {
            return true;
        }
        // Code that runs with the states exchanged knows nothing of an ENABLED around it.
        if names.enabled.is_some() && names.primed {
            return false;
        }
        let size = self.analysis.size(id);
        if size <= INLINE_LIMIT || definition.params.iter().any(|p| p.arity > 0) {
            return false;
        }
        let facts = self.analysis.definition(id);
        if size > LARGE {
            return names.enabled.is_none() || !facts.next;
        }
        !names.primed && !facts.next && (!facts.current || !definition.params.is_empty())
    }

    /// One more expression is written out; false if that is too many.
    fn writes(&mut self) -> bool {
        self.written = self.written.saturating_add(1);
        self.written <= MOST_WRITTEN
    }

    fn is_cheap(&self, expr: &Expr, names: &Names<'m>, budget: u32) -> bool {
        if budget == 0 {
            return false;
        }
        let all = |items: &[Expr]| items.iter().all(|e| self.is_cheap(e, names, budget - 1));
        match &*expr.kind {
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::String(_) | ExprKind::Model(_) => true,
            ExprKind::Variable(_) => true,
            ExprKind::Local(local) => match names.bindings.get(local) {
                Some(Binding::Slot(_)) => true,
                Some(Binding::Passed(_) | Binding::Finds { .. }) => !names.primed && !names.exchanged,
                Some(Binding::Written { expr, names }) => self.is_cheap(expr, &names.clone(), budget - 1),
                _ => false,
            },
            ExprKind::Call { definition, args } => {
                crate::natives::is_cheap(self.model.definition(*definition))
                    && args.iter().all(|a| matches!(a, Argument::Value(e) if self.is_cheap(e, names, budget - 1)))
            }
            ExprKind::Builtin { op, args } => {
                matches!(
                    op,
                    Builtin::Union | Builtin::Intersection | Builtin::Difference | Builtin::Equal | Builtin::In
                ) && all(args)
            }
            ExprKind::Tuple(items) | ExprKind::SetEnum(items) => all(items),
            ExprKind::Apply(f, e) => self.is_cheap(f, names, budget - 1) && self.is_cheap(e, names, budget - 1),
            ExprKind::Select(e, _) => self.is_cheap(e, names, budget - 1),
            _ => false,
        }
    }
}

/// `x, y` or `<<x, y>>`, as written.
fn written_parameters(bounds: &[Bound]) -> String {
    let bounds = bounds.iter().map(|bound| {
        let names: Vec<&str> = bound.locals.iter().map(|local| &*local.name).collect();
        match bound.tuple {
            true => format!("<<{}>>", names.join(", ")),
            false => names.join(", "),
        }
    });
    bounds.collect::<Vec<_>>().join(", ")
}
