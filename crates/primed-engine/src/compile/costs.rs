//! The trees of counters that [`crate::coverage`] lists: made before a formula is compiled, by the walk that TLC makes through it, and
//! looked up again while it is compiled. What is not found there is counted with what is around it, as in TLC.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use primed_semantics::analysis::hashtable::Table;
use primed_semantics::model::{
    Argument, Bound, Builtin, DefinitionId, ExceptStep, ExceptUpdate, Expr, ExprKind, Lambda, LocalDefinition, LocalId,
    Subscripted,
};
use primed_value::error::Place;

use super::{Compiler, Names};
use crate::coverage::{CostNode, Costs, Counter, Role};
use crate::natives;

/// Most expressions that get a counter. Definitions are walked wherever they are used.
const MOST: usize = 1 << 20;

/// Where evaluations are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Cost {
    /// Nowhere.
    #[default]
    None,
    /// Below this expression.
    At(u32),
    /// Below the name that is used: a LET definition in an action, which TLC does not keep the value of.
    Use,
}

/// What TLC has an expression for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// The expression itself.
    Whole,
    /// The arm, field or update that it is the value of.
    Pair,
    /// The way into the function, of an update.
    Path,
}

type Key = (*const ExprKind, Part);

fn key(expr: &Expr) -> Key {
    (&*expr.kind, Part::Whole)
}

#[derive(Debug)]
struct Draft {
    key: Key,
    place: Place,
    counter: Arc<Counter>,
    children: Vec<u32>,
    index: HashMap<Key, u32>,
    /// A call of an operator inside of itself: the first one, whose body it runs.
    recursive: Option<u32>,
    /// Bodies of LET definitions that it is inside of.
    lets: HashMap<Key, u32>,
    unchanged: bool,
}

/// The trees so far.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    nodes: Vec<Draft>,
    roots: Vec<(Role, u32)>,
    parts: HashMap<Key, u32>,
    /// Where something gives a variable its next value.
    primed: HashSet<Place>,
    /// Calls that TLC has no expression for.
    written: HashSet<*const ExprKind>,
    /// Names that stand for `@`.
    at: HashSet<LocalId>,
    /// By the body of an operator, where it is called by the name of a parameter that it was passed for.
    passed: HashMap<Key, Vec<u32>>,
}

impl Drafts {
    fn add(&mut self, parent: Option<u32>, key: Key, place: Place) -> u32 {
        let number = self.nodes.len() as u32;
        self.nodes.push(Draft {
            key,
            place,
            counter: Arc::default(),
            children: Vec::new(),
            index: HashMap::new(),
            recursive: None,
            lets: HashMap::new(),
            unchanged: false,
        });
        if let Some(parent) = parent {
            self.hang(parent, number);
        }
        number
    }

    /// Makes an expression the child of another; what was there under its key gives way.
    fn hang(&mut self, parent: u32, child: u32) {
        let key = self.nodes[child as usize].key;
        let parent = &mut self.nodes[parent as usize];
        match parent.index.insert(key, child) {
            None => parent.children.push(child),
            Some(known) => parent.children.iter_mut().filter(|c| **c == known).for_each(|c| *c = child),
        }
    }

    fn find(&self, at: u32, key: Key) -> u32 {
        let node = &self.nodes[at as usize];
        let recursive = || self.nodes.get(node.recursive? as usize)?.index.get(&key).copied();
        if node.key == key {
            return at;
        }
        node.index.get(&key).copied().or_else(recursive).or_else(|| node.lets.get(&key).copied()).unwrap_or(at)
    }

    /// The counters, ready to be listed.
    pub(super) fn finish(self) -> Costs {
        let primed = self.primed;
        let node = |draft: Draft| CostNode {
            primed: draft.key.1 == Part::Whole && primed.contains(&draft.place),
            place: draft.place,
            children: draft.children,
            unchanged: draft.unchanged,
            counter: draft.counter,
        };
        Costs { nodes: self.nodes.into_iter().map(node).collect(), roots: self.roots }
    }
}

/// What is around an expression in the walk.
#[derive(Clone, Default)]
struct Around<'m> {
    /// Operators that parameters stand for: their bodies.
    operators: im::HashMap<LocalId, &'m Lambda>,
    /// LET definitions.
    lets: im::HashMap<LocalId, &'m LocalDefinition>,
    /// Recursive definitions that are being walked, with the call.
    walked: im::HashMap<DefinitionId, u32>,
    /// Expressions around it with the bodies of the LETs that they are in: key, and node.
    stack: im::Vector<u32>,
    /// By the body of a LET definition, the body of the LET.
    bodies: im::HashMap<Key, Key>,
}

impl<'m> Compiler<'m> {
    /// From now on, formulas that have a role in the search count how often their parts are evaluated
    /// ([`crate::program::Program::costs`]).
    pub fn count_expressions(&mut self) {
        self.costs = Some(Drafts::default());
    }

    /// Names below which evaluations of a formula are counted, if somebody asks for it. A definition that is named counts as its body.
    pub(super) fn counted_root(&mut self, role: Role, expr: &'m Expr) -> Names<'m> {
        let cost = self.root_of(Some(role), expr);
        Names { cost, ..Names::default() }
    }

    /// The same for an action of the next-state relation.
    pub(super) fn counted_part(&mut self, expr: &'m Expr, place: Place, names: &Names<'m>) -> Names<'m> {
        let known = self.costs.as_ref().and_then(|costs| costs.parts.get(&key(expr)).copied());
        let cost = match known {
            Some(root) => Cost::At(root),
            None => self.root_of(None, expr),
        };
        if let (Some(costs), Cost::At(root)) = (&mut self.costs, cost) {
            costs.parts.insert(key(expr), root);
            if costs.roots.iter().all(|(role, _)| *role != Role::Next(place)) {
                costs.roots.push((Role::Next(place), root));
            }
        }
        Names { cost, ..names.clone() }
    }

    fn root_of(&mut self, role: Option<Role>, expr: &'m Expr) -> Cost {
        let Some(costs) = &mut self.costs else { return Cost::None };
        let root = costs.add(None, (std::ptr::null(), Part::Whole), expr.place);
        costs.roots.extend(role.map(|role| (role, root)));
        let mut body = expr;
        while let ExprKind::Call { definition, args } = &*body.kind
            && args.is_empty()
            && role.is_some()
        {
            let definition = self.model.definition(*definition);
            if definition.standard || definition.recursive {
                break;
            }
            costs.written.insert(&*body.kind);
            body = &definition.body;
        }
        self.walk(body, root, &Around::default());
        if !matches!(
            role,
            Some(Role::Invariant(_) | Role::Constraint(_) | Role::ActionConstraint(_) | Role::Initial(_))
        ) {
            self.primed_places(body, &mut HashSet::new());
        }
        Cost::At(root)
    }

    /// Where an expression is counted, and its counter; nothing if it is not counted by itself.
    pub(super) fn cost_of(&self, expr: &Expr, names: &Names<'m>) -> Option<(Cost, Arc<Counter>)> {
        let (Cost::At(at), Some(costs)) = (names.cost, &self.costs) else { return None };
        let counts = match &*expr.kind {
            ExprKind::Int(_) | ExprKind::String(_) | ExprKind::Model(_) | ExprKind::Unsupported(_) => false,
            ExprKind::Let { .. } | ExprKind::Instanced { .. } => false,
            ExprKind::Local(local) => !costs.at.contains(local),
            kind => !costs.written.contains(&std::ptr::from_ref(kind)),
        };
        counts.then(|| {
            let node = costs.find(at, key(expr));
            (Cost::At(node), costs.nodes[node as usize].counter.clone())
        })
    }

    /// The names inside of an expression, if it is counted by itself.
    pub(super) fn counted_inside(&self, expr: &Expr, names: &Names<'m>) -> Option<Names<'m>> {
        self.cost_of(expr, names).map(|(cost, _)| Names { cost, ..names.clone() })
    }

    /// The counter that belongs to names.
    pub(super) fn counter(&self, names: &Names<'m>) -> Option<Arc<Counter>> {
        let (Cost::At(at), Some(costs)) = (names.cost, &self.costs) else { return None };
        Some(costs.nodes[at as usize].counter.clone())
    }

    /// Inside an arm, field or update with this value.
    pub(super) fn in_part(&self, value: &Expr, part: Part, names: &Names<'m>) -> Names<'m> {
        let cost = match (names.cost, &self.costs) {
            (Cost::At(at), Some(costs)) => Cost::At(costs.find(at, (&*value.kind, part))),
            (cost, _) => cost,
        };
        Names { cost, ..names.clone() }
    }

    /// The expression that the body of a recursive operator is counted below.
    pub(super) fn procedure_cost(&self, names: &Names<'m>) -> Cost {
        match (names.cost, &self.costs) {
            (Cost::At(at), Some(costs)) => Cost::At(costs.nodes[at as usize].recursive.unwrap_or(at)),
            (cost, _) => cost,
        }
    }

    /// The counter of a set that is made where it is used: TLC counts the elements that are asked for. Those of a set that is kept in
    /// a variable or passed on, which TLC counts where it was made too, are not known here.
    pub(super) fn made_here(&self, set: &Expr, names: &Names<'m>) -> Option<Arc<Counter>> {
        match &*set.kind {
            ExprKind::SetEnum(_) | ExprKind::SetMap { .. } | ExprKind::SetFilter { .. } => {
                self.cost_of(set, names).map(|(_, counter)| counter)
            }
            _ => None,
        }
    }

    /// Whether TLC knows the value of a name before anything is counted: a constant, or a definition that is constant.
    pub(super) fn is_known(&mut self, expr: &'m Expr) -> bool {
        matches!(&*expr.kind, ExprKind::Call { args, .. } if args.is_empty()) && self.analysis.facts(expr).constant()
    }

    fn node(&mut self, parent: u32, key: Key, place: Place) -> Option<u32> {
        let costs = self.costs.as_mut().filter(|costs| costs.nodes.len() < MOST)?;
        Some(costs.add(Some(parent), key, place))
    }

    fn walk_all(&mut self, items: impl IntoIterator<Item = &'m Expr>, parent: u32, around: &Around<'m>) {
        items.into_iter().for_each(|item| self.walk(item, parent, around));
    }

    fn walk(&mut self, expr: &'m Expr, parent: u32, around: &Around<'m>) {
        stacker::maybe_grow(256 << 10, 8 << 20, || self.walk_one(expr, parent, around));
    }

    fn walk_one(&mut self, expr: &'m Expr, parent: u32, around: &Around<'m>) {
        match &*expr.kind {
            ExprKind::Int(_) | ExprKind::String(_) | ExprKind::Model(_) | ExprKind::Unsupported(_) => return,
            ExprKind::Instanced { body, .. } => return self.walk(body, parent, around),
            ExprKind::Let { definitions, body } => return self.walk_let(definitions, body, parent, around),
            ExprKind::Local(local) if self.costs.as_ref().is_some_and(|costs| costs.at.contains(local)) => return,
            ExprKind::Call { .. } if self.model.is_standard(expr.place) => return,
            _ => {}
        }
        let Some(node) = self.node(parent, key(expr), expr.place) else { return };
        self.belongs_to_let(node, key(expr), around);
        let mut around = around.clone();
        around.stack.push_back(node);
        match &*expr.kind {
            ExprKind::Local(local) => self.walk_let_operator(*local, node, &around),
            ExprKind::CallLocal { local, args } => {
                self.walk_let_operator(*local, node, &around);
                self.hang_operator(*local, node, &around);
                self.walk_arguments(args, node, &around);
            }
            ExprKind::Call { definition, args } => self.walk_call(*definition, args, node, &around),
            ExprKind::Builtin { op, args } => {
                if let Some(costs) = self.costs.as_mut().filter(|_| *op == Builtin::Unchanged) {
                    costs.nodes[node as usize].unchanged = true;
                }
                self.walk_all(args, node, &around);
            }
            ExprKind::Quantified { bounds, body, .. }
            | ExprKind::SetMap { bounds, body }
            | ExprKind::Function { bounds, body, .. } => self.walk_bound(bounds, body, node, &around),
            ExprKind::Choose { bound, body } | ExprKind::SetFilter { bound, body } => {
                self.walk_bound(std::slice::from_ref(bound), body, node, &around);
            }
            _ => self.walk_data(expr, node, &around),
        }
    }

    fn walk_bound(&mut self, bounds: &'m [Bound], body: &'m Expr, node: u32, around: &Around<'m>) {
        self.walk(body, node, around);
        self.walk_all(bounds.iter().filter_map(|bound| bound.set.as_ref()), node, around);
    }

    fn walk_data(&mut self, expr: &'m Expr, node: u32, around: &Around<'m>) {
        match &*expr.kind {
            ExprKind::Junction { items, .. } | ExprKind::SetEnum(items) | ExprKind::Tuple(items) => {
                self.walk_all(items, node, around);
            }
            ExprKind::If(condition, yes, no) => self.walk_all([condition, yes, no], node, around),
            ExprKind::Case { arms, other } => {
                for (guard, value) in arms {
                    let place = Place { end: value.place.end, ..guard.place };
                    self.walk_pair(value, place, [Some(guard), Some(value)], node, around);
                }
                if let Some(value) = other {
                    let place = self.back_to(value.place, "OTHER");
                    self.walk_pair(value, place, [None, Some(value)], node, around);
                }
            }
            ExprKind::Record(fields) | ExprKind::RecordSet(fields) => {
                for (field, value) in fields {
                    let place = self.back_to(value.place, &self.model.symbols.text(*field));
                    self.walk_pair(value, place, [None, Some(value)], node, around);
                }
            }
            ExprKind::Except { function, updates } => {
                self.walk(function, node, around);
                updates.iter().for_each(|update| self.walk_update(update, node, around));
            }
            ExprKind::FunctionSet(left, right) | ExprKind::Apply(left, right) => {
                self.walk_all([left, right], node, around);
            }
            ExprKind::Select(record, _) => self.walk(record, node, around),
            ExprKind::Subscripted { kind: Subscripted::Square | Subscripted::Angle, action, subscript } => {
                self.walk_all([action, subscript], node, around);
            }
            ExprKind::Subscripted { action, subscript, .. } => self.walk_all([subscript, action], node, around),
            ExprKind::TemporalQuantified { body, .. } => self.walk(body, node, around),
            _ => {}
        }
    }

    fn walk_pair(
        &mut self,
        value: &'m Expr,
        place: Place,
        parts: [Option<&'m Expr>; 2],
        node: u32,
        around: &Around<'m>,
    ) {
        let Some(pair) = self.node(node, (&*value.kind, Part::Pair), place) else { return };
        self.walk_all(parts.into_iter().flatten(), pair, around);
    }

    fn walk_update(&mut self, update: &'m ExceptUpdate, node: u32, around: &Around<'m>) {
        if let Some(costs) = &mut self.costs {
            costs.at.insert(update.at);
        }
        let value = &update.value;
        let whole = self.back_to(value.place, "!");
        let Some(pair) = self.node(node, (&*value.kind, Part::Pair), whole) else { return };
        let Some(path) = self.node(pair, (&*value.kind, Part::Path), whole) else { return };
        let indices = update.path.iter().filter_map(|step| match step {
            ExceptStep::Index(index) => Some(index),
            ExceptStep::Field(_) => None,
        });
        self.walk_all(indices, path, around);
        self.walk(value, pair, around);
    }

    /// From the last occurrence of a word before a place on, with the parentheses around it.
    fn back_to(&self, place: Place, word: &str) -> Place {
        let Some(file) = self.model.sources.get(place.file as usize) else { return place };
        let (text, end) = (file.text(), place.start as usize);
        let start = text.get(..end).and_then(|before| before.rfind(word)).unwrap_or(end);
        let open = text
            .get(start..end)
            .map_or(0, |t| t.bytes().rev().take_while(|b| b" (\n\t".contains(b)).filter(|b| *b == b'(').count());
        let mut close = place.end as usize;
        for _ in 0..open {
            let rest = text.get(close..).unwrap_or_default();
            match rest.trim_start().starts_with(')') {
                true => close += rest.len() - rest.trim_start().len() + 1,
                false => break,
            }
        }
        Place { file: place.file, start: start as u32, end: close as u32 }
    }

    /// The definitions of a LET, in the order of the table that SANY keeps them in.
    fn walk_let(&mut self, definitions: &'m [LocalDefinition], body: &'m Expr, parent: u32, around: &Around<'m>) {
        let mut inner = around.clone();
        for definition in definitions {
            inner.lets.insert(definition.local, definition);
            inner.bodies.insert(key(&definition.body), key(body));
        }
        let mut table = Table::default();
        definitions.iter().for_each(|definition| table.put(&definition.name, Some(definition)));
        for definition in table.walked() {
            self.walk(&definition.body, parent, &inner);
        }
        self.walk(body, parent, &inner);
    }

    /// TLC looks for the body of a LET definition among what is inside of the LET too.
    fn belongs_to_let(&mut self, node: u32, own: Key, around: &Around<'m>) {
        let (Some(body), Some(costs)) = (around.bodies.get(&own), &mut self.costs) else { return };
        for outer in &around.stack {
            let outer = &mut costs.nodes[*outer as usize];
            if outer.key == *body {
                outer.lets.insert(own, node);
            }
        }
    }

    /// The use of a LET definition: its body.
    fn walk_let_operator(&mut self, local: LocalId, node: u32, around: &Around<'m>) {
        if let Some(definition) = around.lets.get(&local) {
            self.walk(&definition.body, node, around);
        }
    }

    /// The use of a parameter that stands for an operator: its body is counted where it was passed.
    fn hang_operator(&mut self, local: LocalId, node: u32, around: &Around<'m>) {
        let Some(body) = self.passed_body(local, around) else { return };
        if let Some(costs) = &mut self.costs {
            costs.passed.entry(key(body)).or_default().push(node);
        }
    }

    fn passed_body(&self, local: LocalId, around: &Around<'m>) -> Option<&'m Expr> {
        let mut lambda = around.operators.get(&local)?;
        for _ in 0..100 {
            match &*lambda.body.kind {
                ExprKind::CallLocal { local, .. } if self.only_calls(lambda) => lambda = around.operators.get(local)?,
                ExprKind::Call { definition, .. } if self.only_calls(lambda) => {
                    return Some(&self.model.definition(*definition).body);
                }
                _ => break,
            }
        }
        Some(&lambda.body)
    }

    /// Whether the operator was passed by its name: then it is written out as a LAMBDA that only calls it.
    fn only_calls(&self, lambda: &Lambda) -> bool {
        let (ExprKind::Call { args, .. } | ExprKind::CallLocal { args, .. }) = &*lambda.body.kind else { return false };
        let passes = |(param, arg): (&primed_semantics::model::Param, &Argument)| matches!(arg, Argument::Value(e) if matches!(&*e.kind, ExprKind::Local(l) if *l == param.local));
        let text = self.model.text(lambda.body.place);
        let name = !text.contains(['(', ' ', '\n']);
        name && args.len() == lambda.params.len() && lambda.params.iter().zip(args).all(passes)
    }

    fn walk_call(&mut self, id: DefinitionId, args: &'m [Argument], node: u32, around: &Around<'m>) {
        let definition = self.model.definition(id);
        let known = around.walked.get(&id).copied();
        let in_module = !self.model.no_modules.contains(&definition.body.place.file);
        if let (Some(first), Some(costs)) = (known, &mut self.costs) {
            costs.nodes[node as usize].recursive = Some(first);
        } else if !definition.standard && natives::lookup(definition).is_none() && in_module {
            let mut inner = around.clone();
            if definition.recursive {
                inner.walked.insert(id, node);
            }
            for (param, arg) in definition.params.iter().zip(args) {
                if let Argument::Operator(lambda) = arg {
                    inner.operators.insert(param.local, lambda);
                }
            }
            self.walk(&definition.body, node, &inner);
        }
        self.walk_arguments(args, node, around);
    }

    fn walk_arguments(&mut self, args: &'m [Argument], node: u32, around: &Around<'m>) {
        for arg in args {
            match arg {
                Argument::Value(value) => self.walk(value, node, around),
                Argument::Operator(lambda) => self.walk_operator(lambda, node, around),
            }
        }
    }

    fn walk_operator(&mut self, lambda: &'m Lambda, node: u32, around: &Around<'m>) {
        let mut body = &lambda.body;
        if self.only_calls(lambda) {
            let standard = match &*body.kind {
                ExprKind::Call { definition, .. } => {
                    let definition = self.model.definition(*definition);
                    if let Some(costs) = &mut self.costs {
                        costs.written.insert(&*lambda.body.kind);
                    }
                    body = &definition.body;
                    definition.standard || definition.recursive || natives::lookup(definition).is_some()
                }
                _ => true,
            };
            if standard {
                return;
            }
        }
        self.walk(body, node, around);
        if let Some(costs) = &mut self.costs
            && let Some(place) = costs.nodes[node as usize].index.get(&key(body)).copied()
        {
            let users = costs.passed.get(&key(body)).cloned().unwrap_or_default();
            users.into_iter().filter(|user| *user != place).for_each(|user| costs.hang(user, place));
        }
    }

    /// Where a formula gives a variable its next value.
    fn primed_places(&mut self, expr: &'m Expr, seen: &mut HashSet<*const ExprKind>) {
        if !seen.insert(&*expr.kind) {
            return;
        }
        stacker::maybe_grow(256 << 10, 8 << 20, || match &*expr.kind {
            ExprKind::Junction { items, .. } => items.iter().for_each(|item| self.primed_places(item, seen)),
            ExprKind::Builtin { op: Builtin::And | Builtin::Or | Builtin::Implies, args } => {
                args.iter().for_each(|arg| self.primed_places(arg, seen));
            }
            ExprKind::Builtin { op: Builtin::Equal | Builtin::In, args }
                if args.first().is_some_and(|left| self.is_next(left, 100)) =>
            {
                self.is_primed(expr.place);
            }
            ExprKind::Builtin { op: Builtin::Unchanged, args } => {
                args.iter().for_each(|arg| self.unchanged_places(arg, 100));
            }
            ExprKind::If(_, yes, no) => [yes, no].into_iter().for_each(|e| self.primed_places(e, seen)),
            ExprKind::Case { arms, other } => {
                arms.iter().map(|(_, e)| e).chain(other).for_each(|e| self.primed_places(e, seen));
            }
            ExprKind::Let { definitions, body } => {
                definitions.iter().for_each(|definition| self.primed_places(&definition.body, seen));
                self.primed_places(body, seen);
            }
            ExprKind::Quantified { body, .. } | ExprKind::Instanced { body, .. } => self.primed_places(body, seen),
            ExprKind::Subscripted { kind: Subscripted::Square, action, subscript } => {
                self.primed_places(action, seen);
                self.is_primed(subscript.place);
            }
            ExprKind::Subscripted { kind: Subscripted::Angle, action, .. } => self.primed_places(action, seen),
            ExprKind::Apply(function, _) => self.primed_places(function, seen),
            ExprKind::Call { definition, args } => {
                let definition = self.model.definition(*definition);
                if !definition.recursive && !definition.standard {
                    self.primed_places(&definition.body, seen);
                    for arg in args {
                        let (Argument::Value(e) | Argument::Operator(Lambda { body: e, .. })) = arg;
                        self.primed_places(e, seen);
                    }
                }
            }
            _ => {}
        });
    }

    fn is_primed(&mut self, place: Place) {
        if let Some(costs) = &mut self.costs {
            costs.primed.insert(place);
        }
    }

    /// `x'`, or a parameter, which may stand for it.
    fn is_next(&self, expr: &Expr, depth: u32) -> bool {
        match &*expr.kind {
            ExprKind::Builtin { op: Builtin::Prime, args } => args.first().is_some_and(|of| {
                matches!(&*of.kind, ExprKind::Variable(_) | ExprKind::StandIn { .. } | ExprKind::Local(_))
            }),
            ExprKind::Call { definition, args } if args.is_empty() && depth > 0 => {
                self.is_next(&self.model.definition(*definition).body, depth - 1)
            }
            _ => false,
        }
    }

    fn unchanged_places(&mut self, expr: &'m Expr, depth: u32) {
        match &*expr.kind {
            ExprKind::Variable(_) | ExprKind::StandIn { .. } => self.is_primed(expr.place),
            ExprKind::Tuple(items) => items.iter().for_each(|item| self.unchanged_places(item, depth)),
            ExprKind::Call { definition, args } if args.is_empty() && depth > 0 => {
                self.unchanged_places(&self.model.definition(*definition).body, depth - 1);
            }
            _ => {}
        }
    }
}
