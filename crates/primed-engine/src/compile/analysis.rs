//! What an expression depends on, found before it is compiled.

use std::rc::Rc;

use hashbrown::{HashMap, HashSet};
use primed_semantics::model::{Argument, Bound, Builtin, DefinitionId, ExceptStep, Expr, ExprKind, LocalId, Model};

use crate::natives;

/// What the value of an expression may depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Variables of the current state.
    pub(crate) current: bool,
    /// Variables of the next state.
    pub(crate) next: bool,
    /// The run: the process environment.
    pub(crate) run: bool,
    /// The moment: registers, random numbers, output.
    pub(crate) moment: bool,
    /// A recursive definition.
    pub(crate) recursion: bool,
    /// What TLC takes for a state function though it reads no variable, such as TLCGet.
    pub(crate) asks_run: bool,
    /// Names bound outside, sorted.
    pub(crate) free: Vec<LocalId>,
    /// One of them, or a parameter, stands under a prime: what it stands for is read in the next state.
    pub(crate) primes_names: bool,
}

impl Facts {
    fn merge(&mut self, other: &Facts) {
        self.current |= other.current;
        self.next |= other.next;
        self.run |= other.run;
        self.moment |= other.moment;
        self.asks_run |= other.asks_run;
        self.recursion |= other.recursion;
        self.primes_names |= other.primes_names;
        for local in &other.free {
            if let Err(at) = self.free.binary_search(local) {
                self.free.insert(at, *local);
            }
        }
    }

    fn without(mut self, locals: impl Iterator<Item = LocalId>) -> Facts {
        for local in locals {
            if let Ok(at) = self.free.binary_search(&local) {
                self.free.remove(at);
            }
        }
        self.primes_names &= !self.free.is_empty();
        self
    }

    /// What names stand for is read in the next state where one of them is primed.
    pub(crate) fn prime_names(&mut self) {
        self.next |= self.current && self.primes_names;
    }

    /// A constant for TLC, which says nothing of random numbers and output.
    pub(crate) fn constant_level(&self) -> bool {
        !self.current && !self.next && !self.asks_run && self.free.is_empty()
    }

    /// Has one value for all states and places.
    pub(crate) fn constant(&self) -> bool {
        !self.current && !self.next && !self.moment && self.free.is_empty()
    }
}

/// How often a name is used, weighed by what the operators do that it is passed to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    /// Evaluations at most, as far as counted.
    pub(crate) count: u32,
    /// Some of them inside a quantifier, a constructor or a function, so that there may be many.
    pub(crate) repeated: bool,
}

/// Remembers the facts of what it has seen.
pub(crate) struct Analysis<'m> {
    model: &'m Model,
    definitions: HashMap<DefinitionId, Rc<Facts>>,
    expressions: HashMap<*const ExprKind, Rc<Facts>>,
    visiting: Vec<DefinitionId>,
    /// A definition in `visiting` was met: what was found above it is not complete.
    incomplete: HashSet<DefinitionId>,
    uses: HashMap<LocalId, Uses>,
    counted: HashSet<DefinitionId>,
    sizes: HashMap<DefinitionId, u32>,
    /// The specification may write files: what it reads from files may change.
    writes: bool,
}

impl<'m> Analysis<'m> {
    pub(crate) fn new(model: &'m Model) -> Analysis<'m> {
        Analysis {
            model,
            definitions: HashMap::new(),
            expressions: HashMap::new(),
            visiting: Vec::new(),
            incomplete: HashSet::new(),
            uses: HashMap::new(),
            counted: HashSet::new(),
            sizes: HashMap::new(),
            writes: has_writer(model),
        }
    }

    /// The facts of an expression.
    pub(crate) fn facts(&mut self, expr: &'m Expr) -> Rc<Facts> {
        let key: *const ExprKind = &*expr.kind;
        if let Some(known) = self.expressions.get(&key) {
            return known.clone();
        }
        let facts = Rc::new(stacker::maybe_grow(128 << 10, 4 << 20, || self.compute(expr)));
        if self.incomplete.is_empty() {
            self.expressions.insert(key, facts.clone());
        }
        facts
    }

    /// The definitions whose facts were asked for.
    pub(crate) fn asked(&self) -> impl Iterator<Item = DefinitionId> {
        self.definitions.keys().copied()
    }

    /// The facts of a definition's body, its parameters taken out.
    pub(crate) fn definition(&mut self, id: DefinitionId) -> Rc<Facts> {
        if let Some(known) = self.definitions.get(&id) {
            return known.clone();
        }
        if self.visiting.contains(&id) {
            self.incomplete.insert(id);
            return Rc::default();
        }
        let definition = self.model.definition(id);
        if let Some(mut facts) = natives::facts(definition) {
            facts.moment |= self.writes && natives::reads_files(definition);
            let facts = Rc::new(facts);
            self.definitions.insert(id, facts.clone());
            return facts;
        }
        self.visiting.push(id);
        let facts = (*self.facts(&definition.body)).clone();
        let primes_names = facts.primes_names;
        let facts = facts.without(definition.params.iter().map(|p| p.local));
        let facts = Rc::new(Facts { primes_names, ..facts });
        self.visiting.pop();
        self.incomplete.remove(&id);
        if self.incomplete.is_empty() {
            self.definitions.insert(id, facts.clone());
        }
        facts
    }

    fn all(&mut self, items: impl IntoIterator<Item = &'m Expr>) -> Facts {
        let mut facts = Facts::default();
        for item in items {
            facts.merge(&self.facts(item));
        }
        facts
    }

    fn arguments(&mut self, args: &'m [Argument]) -> Facts {
        let (mut facts, mut primes) = (Facts::default(), false);
        for arg in args {
            match arg {
                Argument::Value(e) => facts.merge(&self.facts(e)),
                Argument::Operator(lambda) => {
                    let body = (*self.facts(&lambda.body)).clone();
                    primes |= body.primes_names;
                    facts.merge(&body.without(lambda.params.iter().map(|p| p.local)));
                }
            }
        }
        // An operator that primes its parameter may be applied to any of the others.
        facts.next |= facts.current && primes;
        facts
    }

    fn bound(&mut self, bounds: &'m [Bound], body: &'m Expr) -> Facts {
        let locals = bounds.iter().flat_map(|b| b.locals.iter().map(|p| p.local));
        let mut facts = (*self.facts(body)).clone().without(locals);
        facts.merge(&self.all(bounds.iter().filter_map(|b| b.set.as_ref())));
        facts
    }

    fn compute(&mut self, expr: &'m Expr) -> Facts {
        match &*expr.kind {
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::String(_) | ExprKind::Model(_) => Facts::default(),
            ExprKind::Unsupported(_) => Facts { moment: true, ..Facts::default() },
            ExprKind::Variable(_) => Facts { current: true, ..Facts::default() },
            ExprKind::Local(local) => Facts { free: vec![*local], ..Facts::default() },
            ExprKind::CallLocal { local, args } => {
                let mut facts = self.arguments(args);
                facts.merge(&Facts { free: vec![*local], ..Facts::default() });
                facts
            }
            ExprKind::Call { definition, args } => {
                let mut facts = self.arguments(args);
                let called = self.definition(*definition);
                // An argument may be what the definition primes.
                facts.next |= facts.current && called.primes_names;
                facts.merge(&called);
                facts.recursion |= self.model.definition(*definition).recursive;
                facts.primes_names &= !facts.free.is_empty();
                facts
            }
            ExprKind::Builtin { op, args } => self.builtin(*op, args),
            ExprKind::Junction { items, .. } | ExprKind::SetEnum(items) | ExprKind::Tuple(items) => self.all(items),
            ExprKind::If(c, y, n) => self.all([c, y, n]),
            ExprKind::Case { arms, other } => {
                let mut facts = self.all(arms.iter().flat_map(|(g, e)| [g, e]));
                facts.merge(&self.all(other));
                facts
            }
            ExprKind::Let { definitions, body } => {
                let mut facts = (*self.facts(body)).clone();
                for definition in definitions.iter().rev() {
                    if facts.free.binary_search(&definition.local).is_err() {
                        continue;
                    }
                    let inner = (*self.facts(&definition.body)).clone();
                    let primes = facts.primes_names || inner.primes_names;
                    facts.merge(&inner.without(definition.params.iter().map(|p| p.local)));
                    // The body may prime the name, or the definition its parameter.
                    facts.next |= facts.current && primes;
                    facts = facts.without([definition.local].into_iter());
                }
                facts
            }
            ExprKind::Quantified { bounds, body, .. } | ExprKind::SetMap { bounds, body } => self.bound(bounds, body),
            ExprKind::Function { bounds, body, this } => self.bound(bounds, body).without(this.iter().copied()),
            ExprKind::Choose { bound, body } | ExprKind::SetFilter { bound, body } => {
                self.bound(std::slice::from_ref(bound), body)
            }
            ExprKind::TemporalQuantified { body, .. } => (*self.facts(body)).clone(),
            // Never a constant: what it means depends on the names around it.
            ExprKind::Instanced { body, .. } => Facts { current: true, ..(*self.facts(body)).clone() },
            ExprKind::StandIn { value, .. } => Facts { current: true, ..(*self.facts(value)).clone() },
            ExprKind::FunctionSet(a, b) | ExprKind::Apply(a, b) => self.all([a, b]),
            ExprKind::Record(fields) | ExprKind::RecordSet(fields) => self.all(fields.iter().map(|(_, e)| e)),
            ExprKind::Select(e, _) => self.all([e]),
            ExprKind::Except { function, updates } => {
                let mut facts = self.all([function]);
                for update in updates {
                    let indices = update.path.iter().filter_map(|s| match s {
                        ExceptStep::Index(e) => Some(e),
                        ExceptStep::Field(_) => None,
                    });
                    facts.merge(&self.all(indices));
                    facts.merge(&(*self.facts(&update.value)).clone().without([update.at].into_iter()));
                }
                facts
            }
            ExprKind::Subscripted { action, subscript, .. } => {
                let mut facts = self.all([action, subscript]);
                facts.primes_names |= !facts.free.is_empty();
                facts.next |= facts.current;
                facts
            }
        }
    }

    fn builtin(&mut self, op: Builtin, args: &'m [Expr]) -> Facts {
        let mut facts = self.all(args);
        match op {
            Builtin::Prime => {
                facts.primes_names |= !facts.free.is_empty();
                facts.next |= facts.current;
                facts.current = false;
            }
            Builtin::Unchanged => {
                facts.primes_names |= !facts.free.is_empty();
                facts.next |= facts.current;
            }
            // It asks the state for a step, whatever the action says of either.
            Builtin::Enabled => (facts.current, facts.next) = (facts.current || facts.next, false),
            _ => {}
        }
        facts
    }

    /// How often a parameter, LET value or bound name is used in its scope. Its definition's body must have been counted.
    pub(crate) fn uses(&self, local: LocalId) -> Uses {
        self.uses.get(&local).copied().unwrap_or_default()
    }

    /// Counts the uses of all names in a body.
    pub(crate) fn count(&mut self, body: &'m Expr) {
        self.count_in(body, false);
    }

    /// Counts the uses in a definition, once.
    pub(crate) fn count_definition(&mut self, id: DefinitionId) {
        if self.counted.insert(id) {
            self.count_in(&self.model.definition(id).body, false);
        }
    }

    fn add_use(&mut self, local: LocalId, count: u32, repeated: bool) {
        let uses = self.uses.entry(local).or_default();
        uses.count = uses.count.saturating_add(count);
        uses.repeated |= repeated;
    }

    fn count_in(&mut self, expr: &'m Expr, repeated: bool) {
        stacker::maybe_grow(128 << 10, 4 << 20, || self.count_inner(expr, repeated));
    }

    fn count_inner(&mut self, expr: &'m Expr, repeated: bool) {
        match &*expr.kind {
            ExprKind::Local(local) => self.add_use(*local, 1, repeated),
            ExprKind::Call { definition, args } => {
                self.count_definition(*definition);
                let definition = self.model.definition(*definition);
                for (param, arg) in definition.params.iter().zip(args) {
                    match arg {
                        Argument::Value(Expr { kind, .. }) if matches!(**kind, ExprKind::Local(_)) => {
                            if let ExprKind::Local(local) = **kind {
                                let inner = if natives::facts(definition).is_some() {
                                    Uses { count: 1, repeated: false }
                                } else if definition.recursive {
                                    Uses { count: 2, repeated: true }
                                } else {
                                    self.uses(param.local)
                                };
                                self.add_use(local, inner.count, repeated || inner.repeated);
                            }
                        }
                        Argument::Value(e) => self.count_in(e, repeated),
                        Argument::Operator(lambda) => self.count_in(&lambda.body, true),
                    }
                }
            }
            ExprKind::CallLocal { local, args } => {
                self.add_use(*local, 1, repeated);
                for arg in args {
                    match arg {
                        Argument::Value(e) => self.count_in(e, true),
                        Argument::Operator(lambda) => self.count_in(&lambda.body, true),
                    }
                }
            }
            ExprKind::Let { definitions, body } => {
                for definition in definitions {
                    // A LET value is computed once; a LET operator's body may run many times.
                    self.count_in(&definition.body, repeated || !definition.params.is_empty());
                }
                self.count_in(body, repeated);
            }
            ExprKind::Quantified { bounds, body, .. }
            | ExprKind::SetMap { bounds, body }
            | ExprKind::Function { bounds, body, .. } => {
                bounds.iter().filter_map(|b| b.set.as_ref()).for_each(|s| self.count_in(s, repeated));
                self.count_in(body, true);
            }
            ExprKind::Choose { bound, body } | ExprKind::SetFilter { bound, body } => {
                bound.set.iter().for_each(|s| self.count_in(s, repeated));
                self.count_in(body, true);
            }
            _ => each_child(expr, &mut |child| self.count_in(child, repeated)),
        }
    }

    /// Nodes of a definition's body with the bodies of what it calls written out.
    pub(crate) fn size(&mut self, id: DefinitionId) -> u32 {
        if let Some(size) = self.sizes.get(&id) {
            return *size;
        }
        self.sizes.insert(id, u32::MAX / 4);
        let mut size = 0;
        self.measure(&self.model.definition(id).body, &mut size);
        self.sizes.insert(id, size);
        size
    }

    /// How large an expression is with the definitions that it uses.
    pub(super) fn size_of(&mut self, expr: &'m Expr) -> u32 {
        let mut size = 0;
        self.measure(expr, &mut size);
        size
    }

    fn measure(&mut self, expr: &'m Expr, size: &mut u32) {
        *size = size.saturating_add(1);
        if let ExprKind::Call { definition, .. } = &*expr.kind {
            let called = self.model.definition(*definition);
            // What is native is not written out.
            if !called.recursive && natives::lookup(called).is_none() {
                *size = size.saturating_add(self.size(*definition));
            }
        }
        stacker::maybe_grow(128 << 10, 4 << 20, || each_child(expr, &mut |child| self.measure(child, size)));
    }
}

/// Whether anything in the model writes files or runs commands.
fn has_writer(model: &Model) -> bool {
    // Most models have no module with such an operator.
    if !model.definitions.iter().any(natives::writes_files) {
        return false;
    }
    let bodies = model.definitions.iter().map(|d| &d.body).chain(model.assumptions.iter().map(|a| &a.expr));
    let calls = |part: &Expr| match &*part.kind {
        ExprKind::Call { definition, .. } => natives::writes_files(model.definition(*definition)),
        _ => false,
    };
    bodies.into_iter().any(|body| has_part(body, |part, _| calls(part)))
}

/// Whether a test is true of an expression or of something inside it; the test may add expressions that are to be looked at, too.
pub(super) fn has_part<'m>(expr: &'m Expr, mut test: impl FnMut(&'m Expr, &mut Vec<&'m Expr>) -> bool) -> bool {
    let mut todo = vec![expr];
    while let Some(part) = todo.pop() {
        if test(part, &mut todo) {
            return true;
        }
        each_child(part, &mut |child| todo.push(child));
    }
    false
}

/// The direct parts of an expression.
pub(crate) fn each_child<'m>(expr: &'m Expr, run: &mut dyn FnMut(&'m Expr)) {
    let arguments = |args: &'m [Argument], run: &mut dyn FnMut(&'m Expr)| {
        args.iter().for_each(|a| match a {
            Argument::Value(e) => run(e),
            Argument::Operator(lambda) => run(&lambda.body),
        });
    };
    match &*expr.kind {
        ExprKind::Call { args, .. } | ExprKind::CallLocal { args, .. } => arguments(args, run),
        ExprKind::Builtin { args, .. } => args.iter().for_each(run),
        ExprKind::Junction { items, .. } | ExprKind::SetEnum(items) | ExprKind::Tuple(items) => {
            items.iter().for_each(run)
        }
        ExprKind::If(c, y, n) => [c, y, n].into_iter().for_each(run),
        ExprKind::Case { arms, other } => {
            arms.iter().flat_map(|(g, e)| [g, e]).chain(other).for_each(run);
        }
        ExprKind::Let { definitions, body } => {
            definitions.iter().map(|d| &d.body).chain([body]).for_each(run);
        }
        ExprKind::Quantified { bounds, body, .. }
        | ExprKind::SetMap { bounds, body }
        | ExprKind::Function { bounds, body, .. } => {
            bounds.iter().filter_map(|b| b.set.as_ref()).chain([body]).for_each(run);
        }
        ExprKind::Choose { bound, body } | ExprKind::SetFilter { bound, body } => {
            bound.set.iter().chain([body]).for_each(run);
        }
        ExprKind::TemporalQuantified { body, .. } | ExprKind::Instanced { body, .. } => run(body),
        ExprKind::StandIn { value, .. } => run(value),
        ExprKind::FunctionSet(a, b) | ExprKind::Apply(a, b) => [a, b].into_iter().for_each(run),
        ExprKind::Record(fields) | ExprKind::RecordSet(fields) => fields.iter().for_each(|(_, e)| run(e)),
        ExprKind::Select(e, _) => run(e),
        ExprKind::Except { function, updates } => {
            run(function);
            for update in updates {
                for step in &update.path {
                    if let ExceptStep::Index(e) = step {
                        run(e);
                    }
                }
                run(&update.value);
            }
        }
        ExprKind::Subscripted { action, subscript, .. } => [action, subscript].into_iter().for_each(run),
        _ => {}
    }
}

/// The sets that an expression itself binds names to.
pub(super) fn bound_sets(expr: &Expr) -> impl Iterator<Item = &Expr> {
    let bounds = match &*expr.kind {
        ExprKind::Quantified { bounds, .. } | ExprKind::SetMap { bounds, .. } | ExprKind::Function { bounds, .. } => {
            bounds.as_slice()
        }
        ExprKind::Choose { bound, .. } | ExprKind::SetFilter { bound, .. } => std::slice::from_ref(bound),
        _ => &[],
    };
    bounds.iter().filter_map(|b| b.set.as_ref())
}

/// Whether TLC takes a formula for a constant: no variable, prime, ENABLED or temporal operator stands in it, in the arguments it
/// passes or in what it calls and defines, be it used or not (`getLevelBound` of TLC's `SymbolNodeValueLookupProvider`). SANY's
/// level is another one: it weighs how arguments and definitions are used.
pub fn is_constant(model: &Model, expr: &Expr) -> bool {
    let mut seen = HashSet::new();
    !has_part(expr, |part, todo| match &*part.kind {
        ExprKind::Variable(_)
        | ExprKind::Subscripted { .. }
        | ExprKind::TemporalQuantified { .. }
        | ExprKind::Instanced { .. } => true,
        ExprKind::Builtin { op, .. } => changes_level(*op),
        ExprKind::Call { definition, .. } if seen.insert(*definition) => {
            todo.push(&model.definition(*definition).body);
            false
        }
        _ => false,
    })
}

fn changes_level(op: Builtin) -> bool {
    use Builtin::{Always, Compose, Enabled, Eventually, LeadsTo, Prime, Unchanged};
    matches!(op, Prime | Enabled | Unchanged | Always | Eventually | LeadsTo | Compose)
}

/// Whether a local name stands somewhere in an expression, if only in a LET definition that is not used.
pub(super) fn mentions(expr: &Expr, name: LocalId) -> bool {
    has_part(
        expr,
        |part, _| matches!(&*part.kind, ExprKind::Local(local) | ExprKind::CallLocal { local, .. } if *local == name),
    )
}
