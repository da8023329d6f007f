//! Expressions that have a value.

use std::sync::atomic::AtomicBool;

use primed_semantics::model::{
    Argument, Bound, Builtin, DefinitionId, ExceptStep, ExceptUpdate, Expr, ExprKind, LocalDefinition, Subscripted,
};
use primed_value::error::Place;
use primed_value::symbol::Symbol;
use primed_value::value::{Lazy, Value};
use primed_value::{build, functions as values, sets as set_values};

use super::costs::{Cost, Part};
use super::{Binding, Compiler, Finds, Names};
use crate::natives;
use crate::node::Code;
use crate::nodes::counted::{CountedCode, CountedFunction, CountedUnion};
use crate::nodes::logic::{InfixKind, subset_eq};
use crate::nodes::step::Step;
use crate::nodes::{atoms, binders, calls, composition, control, functions, logic, sets};

impl<'m> Compiler<'m> {
    /// Code for an expression; constants become globals.
    pub(super) fn code(&mut self, expr: &'m Expr, names: &Names<'m>) -> Code {
        let code = match self.cost_of(expr, names) {
            None => self.unplaced(expr, names),
            Some((cost, counter)) => {
                let code = self.unplaced(expr, &Names { cost, ..names.clone() });
                Box::new(CountedCode { code, counter })
            }
        };
        self.placed(expr, code)
    }

    /// The same of an expression that is not counted itself.
    pub(super) fn code_inside(&mut self, expr: &'m Expr, names: &Names<'m>) -> Code {
        let code = self.unplaced(expr, names);
        self.placed(expr, code)
    }

    fn unplaced(&mut self, expr: &'m Expr, names: &Names<'m>) -> Code {
        stacker::maybe_grow(256 << 10, 8 << 20, || {
            let leaf = matches!(
                &*expr.kind,
                ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::String(_) | ExprKind::Model(_) | ExprKind::Local(_)
            );
            if !leaf {
                let facts = self.analysis.facts(expr);
                // Where the parts of a value were made is told of one that is made here only.
                let told = self.tells_places
                    && matches!(&*expr.kind, ExprKind::SetEnum(_) | ExprKind::Tuple(_) | ExprKind::Record(_));
                if facts.constant() && !told && (names.cost == Cost::None || self.is_known(expr)) {
                    return self.constant(expr, &facts);
                }
                if facts.constant_level() && self.keeps_value(expr) {
                    return self.global(expr, &facts);
                }
            }
            if !self.writes() {
                return Box::new(atoms::TooLarge { place: expr.place });
            }
            self.form(expr, names)
        })
    }

    /// A constant expression; every use of one definition shares its value.
    fn constant(&mut self, expr: &'m Expr, facts: &super::Facts) -> Code {
        if let ExprKind::Call { definition, args } = &*expr.kind
            && args.is_empty()
        {
            let definition = self.model.definition(*definition);
            if natives::facts(definition).is_none() && !matches!(&*definition.body.kind, ExprKind::Local(_)) {
                return self.code(&definition.body, &Names::default());
            }
        }
        self.global(expr, facts)
    }

    /// `TLCEval(e)`, whose value is kept for a constant `e` even if that draws random numbers.
    fn keeps_value(&self, expr: &Expr) -> bool {
        match &*expr.kind {
            ExprKind::Call { definition, .. } => natives::keeps_value(self.model.definition(*definition)),
            _ => false,
        }
    }

    /// Code for an expression as it is written.
    pub(super) fn form(&mut self, expr: &'m Expr, names: &Names<'m>) -> Code {
        let place = expr.place;
        match &*expr.kind {
            ExprKind::Bool(b) => Box::new(atoms::Scalar(Value::Bool(*b))),
            ExprKind::Int(n) => Box::new(atoms::Scalar(Value::Int(*n))),
            ExprKind::String(s) => Box::new(atoms::Scalar(Value::String(*s))),
            ExprKind::Model(m) => Box::new(atoms::Scalar(Value::Model(*m))),
            ExprKind::Variable(v) if names.primed => Box::new(atoms::NextVariable { number: v.0, place }),
            ExprKind::Variable(v) => Box::new(atoms::Variable { number: v.0, place }),
            ExprKind::Local(local) => self.local(*local, expr, names),
            ExprKind::CallLocal { local, args } => self.call_local(*local, args, expr, names),
            ExprKind::Call { definition, args } => self.call(*definition, args, expr, names),
            ExprKind::Builtin { op, args } => self.builtin(*op, args, expr, names),
            ExprKind::Junction { and, items } => {
                let items = items.iter().map(|i| (self.code(i, names), i.place)).collect();
                Box::new(logic::List { and: *and, items })
            }
            ExprKind::If(..) | ExprKind::Case { .. } | ExprKind::Let { .. } => self.control(expr, names),
            ExprKind::Quantified { .. }
            | ExprKind::Choose { .. }
            | ExprKind::SetFilter { .. }
            | ExprKind::SetMap { .. }
            | ExprKind::Function { .. } => self.binder(expr, names),
            ExprKind::Subscripted { kind, action, subscript } => {
                self.subscripted(*kind, action, subscript, expr, names)
            }
            ExprKind::TemporalQuantified { .. } => self.unsupported("a temporal quantifier", place),
            ExprKind::Instanced { instance, body } => self.form(body, &Names { instance: *instance, ..names.clone() }),
            ExprKind::StandIn { instance, number, value } => match self.own_variable(*instance, *number, names) {
                Some(number) if names.primed => Box::new(atoms::NextVariable { number, place }),
                _ => {
                    // What was substituted counts as the variable.
                    let names = &Names { cost: Cost::None, ..names.clone() };
                    let here = self.code(value, names);
                    self.remembered_function(value, names, here)
                }
            },
            ExprKind::Unsupported(what) => Box::new(atoms::Unsupported { what: what.clone(), place }),
            _ => self.data(expr, names),
        }
    }

    pub(super) fn unsupported(&self, what: &str, place: Place) -> Code {
        Box::new(atoms::Unsupported { what: what.into(), place })
    }

    /// TLC's complaint about a temporal operator where a value is wanted (2261).
    fn temporal_operator(&self, form: &'static str, place: Place) -> Code {
        Box::new(atoms::TemporalOperator { form, place })
    }

    fn codes<'e>(&mut self, items: impl IntoIterator<Item = &'m Expr>, names: &Names<'m>) -> Vec<Code>
    where
        'm: 'e,
    {
        items.into_iter().map(|i| self.code(i, names)).collect()
    }

    fn call(&mut self, id: DefinitionId, args: &'m [Argument], expr: &'m Expr, names: &Names<'m>) -> Code {
        let definition = self.model.definition(id);
        if let Some(native) = natives::lookup(definition) {
            return self.native(native, args, expr, names);
        }
        if self.is_called(id, names) {
            let exchanged = Names { primed: false, exchanged: true, ..names.clone() };
            let inner = if names.primed { &exchanged } else { names };
            let call: Code = Box::new(self.procedure_call(id, args, inner, expr));
            return match names.primed {
                true => Box::new(control::InNext(call)),
                false => self.remembered_call(id, args, names, call),
            };
        }
        self.depth += 1;
        let mut slots = Vec::new();
        let mut inner = self.enter(&definition.params, args, names, names, &mut slots);
        if definition.standard {
            inner.cost = Cost::None;
        }
        let body = self.code(&definition.body, &inner);
        self.depth -= 1;
        let here = self.scoped(slots, body);
        let here = self.kept(id, args, here);
        match args.is_empty() {
            true => {
                let here = self.once(id, names, here);
                self.remembered_function(expr, names, here)
            }
            false => self.remembered_call(id, args, names, here),
        }
    }

    /// A call of a native operator.
    fn native(&mut self, native: natives::Native, args: &'m [Argument], expr: &'m Expr, names: &Names<'m>) -> Code {
        let place = expr.place;
        let mut values: Vec<(Code, Place)> = Vec::new();
        let mut operators = Vec::new();
        for arg in args {
            match arg {
                Argument::Value(e) => values.push((self.code(e, names), e.place)),
                Argument::Operator(lambda) => {
                    let mut inner = names.clone();
                    let params = lambda.params.iter().map(|p| {
                        let slot = self.slot();
                        inner.bindings.insert(p.local, Binding::Slot(slot));
                        slot
                    });
                    let params = params.collect();
                    operators.push(calls::Operator { params, body: self.code(&lambda.body, &inner) });
                }
            }
        }
        let mut codes = values.into_iter();
        let mut next = || codes.next().unwrap_or_else(|| (self.unsupported("a missing argument", place), place));
        match native {
            natives::Native::Zero(run) => Box::new(calls::Call0 { run, place }),
            natives::Native::One(run) => Box::new(calls::Call1 { run, argument: next().0, place }),
            natives::Native::Two(run) => Box::new(calls::Call2 { run, arguments: [next().0, next().0], place }),
            natives::Native::Three(run) => {
                Box::new(calls::Call3 { run, arguments: [next().0, next().0, next().0], place })
            }
            natives::Native::Relation(relation) => {
                let (left, right) = (next(), next());
                let places = [place, left.1, right.1];
                Box::new(logic::Compare { relation, left: left.0, right: right.0, places })
            }
            natives::Native::With(run) => {
                let arguments = codes.map(|(code, _)| code).collect();
                Box::new(calls::CallWith { run, operators, arguments, place })
            }
            natives::Native::ByCode(run) => {
                let arguments = codes.map(|(code, _)| code).collect();
                Box::new(calls::CallByCode { run, arguments, place })
            }
        }
    }

    fn builtin(&mut self, op: Builtin, args: &'m [Expr], expr: &'m Expr, names: &Names<'m>) -> Code {
        let place = expr.place;
        match op {
            Builtin::And => self.infix(InfixKind::And, args, place, names),
            Builtin::Or => self.infix(InfixKind::Or, args, place, names),
            Builtin::Implies => self.infix(InfixKind::Implies, args, place, names),
            Builtin::Equiv => self.infix(InfixKind::Equiv, args, place, names),
            Builtin::Not => {
                let operand = self.code(&args[0], names);
                Box::new(logic::Not { operand, operand_place: args[0].place, place })
            }
            Builtin::Equal | Builtin::NotEqual => {
                let places = [place, args[0].place, args[1].place];
                let (left, right) = (self.code(&args[0], names), self.code(&args[1], names));
                Box::new(logic::Equal { negated: op == Builtin::NotEqual, left, right, places })
            }
            Builtin::In | Builtin::NotIn => match &*args[1].kind {
                ExprKind::SetEnum(items) if names.cost == Cost::None && !self.walks_all() => {
                    let element = self.code(&args[0], names);
                    let scalar = |item: &Expr| match &*item.kind {
                        ExprKind::Bool(b) => Some(Value::Bool(*b)),
                        ExprKind::Int(n) => Some(Value::Int(*n)),
                        ExprKind::String(s) => Some(Value::String(*s)),
                        _ => None,
                    };
                    let scalars = logic::scalars(items.iter().map(scalar).collect());
                    let items = self.codes(items, names);
                    let (negated, element_place) = (op == Builtin::NotIn, args[0].place);
                    Box::new(logic::InLiteral { negated, element, items, scalars, place, element_place })
                }
                _ => {
                    let places = [place, args[0].place, args[1].place];
                    let (element, set) = (self.code(&args[0], names), self.code(&args[1], names));
                    Box::new(logic::Member { negated: op == Builtin::NotIn, element, set, places })
                }
            },
            Builtin::SubsetEq => {
                let places = [place, args[0].place, args[1].place];
                let (left, right) = (self.code(&args[0], names), self.code(&args[1], names));
                Box::new(logic::Compare { relation: subset_eq, left, right, places })
            }
            Builtin::Union => {
                let made = args.get(1).and_then(|right| self.made_here(right, names));
                if let Some(counter) = made {
                    let arguments = [self.code(&args[0], names), self.code(&args[1], names)];
                    return Box::new(CountedUnion { arguments, counter, place });
                }
                self.native2(|e, a, b| set_values::union(e, a, b), args, place, names)
            }
            Builtin::Intersection => self.native2(|e, a, b| set_values::intersection(e, a, b), args, place, names),
            Builtin::Difference => self.native2(|e, a, b| set_values::difference(e, a, b), args, place, names),
            Builtin::PowerSet => self.native1(|e, s| Ok(set_values::subset(e, s)), args, place, names),
            Builtin::BigUnion => self.native1(|e, s| set_values::big_union(e, s), args, place, names),
            Builtin::Domain => self.native1(|e, f| values::domain(e, f), args, place, names),
            Builtin::Product => Box::new(sets::Product(self.codes(args, names))),
            Builtin::Booleans => Box::new(calls::Call0 { run: |e| sets::booleans(e), place }),
            Builtin::Strings => Box::new(calls::Call0 { run: |e| Ok(build::lazy(e, Lazy::String)), place }),
            Builtin::Prime if names.primed => self.unsupported("a double prime", place),
            Builtin::Prime => self.code(&args[0], &Names { primed: true, ..names.clone() }),
            Builtin::Unchanged => self.unchanged(&args[0], place, names),
            Builtin::Enabled if names.primed => {
                // The next state is asked: it is the current one inside.
                let exchanged = Names { primed: false, exchanged: true, ..names.in_enabled() };
                let action = self.action(&args[0], &exchanged, Finds::Next);
                Box::new(control::InNext(Box::new(control::Enabled { action, variables: self.state_width() })))
            }
            Builtin::Enabled => {
                let action = self.action(&args[0], &names.in_enabled(), Finds::Next);
                Box::new(control::Enabled { action, variables: self.state_width() })
            }
            Builtin::Always => self.temporal_operator("[]A", place),
            Builtin::Eventually => self.temporal_operator("<>A", place),
            Builtin::LeadsTo => self.temporal_operator("a ~> b", place),
            Builtin::Guarantees => self.temporal_operator("a -+-> formula", place),
            Builtin::Compose if !self.model.composes() => Box::new(composition::Unevaluated { place }),
            Builtin::Compose => {
                // What is written outside means something else in the state in between.
                let inside = Names { exchanged: true, ..names.clone() };
                let first = self.action(&args[0], &inside, Finds::Next);
                let second = self.code(&args[1], &inside);
                Box::new(composition::Composed { first, second, variables: self.state_width() })
            }
        }
    }

    /// The number of a variable of an instantiated module, where it is one by itself.
    pub(super) fn own_variable(&self, instance: u32, number: u32, names: &Names<'m>) -> Option<u32> {
        names.enabled.is_some_and(|enabled| instance <= enabled).then(|| self.model.variables.len() as u32 + number)
    }

    /// Variables of a state that ENABLED looks for: those of the model, then those of instantiated modules.
    pub(super) fn state_width(&self) -> usize {
        self.model.variables.len() + self.model.stand_ins as usize
    }

    fn native1(&mut self, run: calls::Native1, args: &'m [Expr], place: Place, names: &Names<'m>) -> Code {
        Box::new(calls::Call1 { run, argument: self.code(&args[0], names), place })
    }

    fn native2(&mut self, run: calls::Native2, args: &'m [Expr], place: Place, names: &Names<'m>) -> Code {
        let arguments = [self.code(&args[0], names), self.code(&args[1], names)];
        Box::new(calls::Call2 { run, arguments, place })
    }

    fn infix(&mut self, kind: InfixKind, args: &'m [Expr], place: Place, names: &Names<'m>) -> Code {
        let (left, right) = (self.code(&args[0], names), self.code(&args[1], names));
        Box::new(logic::Infix { kind, left, right, place })
    }

    /// `UNCHANGED e` as a condition.
    pub(super) fn unchanged(&mut self, expr: &'m Expr, place: Place, names: &Names<'m>) -> Code {
        let mut variables = Vec::new();
        if names.cost == Cost::None && self.collect_variables(expr, names, &mut variables) {
            return Box::new(control::UnchangedVariables::new(&variables, place));
        }
        let right = self.code(expr, names);
        let left = self.code(expr, &Names { primed: true, ..names.clone() });
        Box::new(logic::Equal { negated: false, left, right, places: [place, expr.place, expr.place] })
    }

    /// The variables of a tuple of variables, however it is defined; false if it is anything else.
    pub(super) fn collect_variables(&self, expr: &'m Expr, names: &Names<'m>, found: &mut Vec<u32>) -> bool {
        match &*expr.kind {
            ExprKind::Variable(v) => {
                found.push(v.0);
                !names.primed
            }
            ExprKind::Tuple(items) => items.iter().all(|i| self.collect_variables(i, names, found)),
            ExprKind::Call { definition, args } if args.is_empty() => {
                let definition = self.model.definition(*definition);
                !definition.recursive && self.collect_variables(&definition.body, names, found)
            }
            ExprKind::Local(local) => match names.bindings.get(local) {
                Some(Binding::Written { expr, names: inner } | Binding::Lazy { expr, names: inner, .. }) => {
                    self.collect_variables(expr, inner, found)
                }
                _ => false,
            },
            ExprKind::StandIn { instance, number, value } => {
                self.own_variable(*instance, *number, names).is_none() && self.collect_variables(value, names, found)
            }
            _ => false,
        }
    }

    fn subscripted(
        &mut self,
        kind: Subscripted,
        action: &'m Expr,
        subscript: &'m Expr,
        expr: &'m Expr,
        names: &Names<'m>,
    ) -> Code {
        let place = expr.place;
        let same = self.unchanged(subscript, place, names);
        match kind {
            Subscripted::Square | Subscripted::Angle => {
                let square = kind == Subscripted::Square;
                let rest: Code = match square {
                    true => same,
                    false => Box::new(logic::Not { operand: same, operand_place: subscript.place, place }),
                };
                let action = self.code(action, names);
                Box::new(Step { square, action, rest, late: false, place })
            }
            Subscripted::WeakFairness => self.temporal_operator("WF", place),
            Subscripted::StrongFairness => self.temporal_operator("SF", place),
        }
    }

    fn control(&mut self, expr: &'m Expr, names: &Names<'m>) -> Code {
        let place = expr.place;
        match &*expr.kind {
            ExprKind::If(condition, yes, no) => Box::new(control::If {
                place,
                condition: self.code(condition, names),
                yes: self.code(yes, names),
                no: self.code(no, names),
            }),
            ExprKind::Case { arms, other } => {
                let mut arm = |(guard, value): &'m (Expr, Expr)| {
                    let names = self.in_part(value, Part::Pair, names);
                    (self.code(guard, &names), self.code(value, &names))
                };
                let arms = arms.iter().map(&mut arm).collect();
                let other = other.as_ref().map(|e| self.code(e, &self.in_part(e, Part::Pair, names)));
                Box::new(control::Case { arms, other, place })
            }
            ExprKind::Let { definitions, body } => {
                let mut slots = Vec::new();
                let names = self.let_names(definitions, names, &mut slots);
                let body = self.code(body, &names);
                self.scoped(slots, body)
            }
            _ => self.unsupported("this expression", place),
        }
    }

    /// The names inside a LET.
    pub(super) fn let_names(
        &mut self,
        definitions: &'m [LocalDefinition],
        names: &Names<'m>,
        slots: &mut Vec<u32>,
    ) -> Names<'m> {
        let mut inner = names.clone();
        for definition in definitions {
            let binding = self.bind(definition, &inner, slots);
            inner = inner.with(definition.local, binding);
        }
        inner
    }

    /// The ranges of bounds, evaluated in `outer`, their names bound in `inner`.
    pub(super) fn ranges(
        &mut self,
        bounds: &'m [Bound],
        outer: &Names<'m>,
        inner: &mut Names<'m>,
    ) -> Option<binders::Ranges> {
        let mut ranges = Vec::with_capacity(bounds.len());
        for bound in bounds {
            let set = bound.set.as_ref()?;
            let code = self.code(set, outer);
            let patterns = self.patterns(bound, inner);
            let cost = self.made_here(set, outer);
            ranges.push(binders::Range { patterns, set: code, place: set.place, cost });
        }
        Some(binders::Ranges(ranges))
    }

    fn binder(&mut self, expr: &'m Expr, names: &Names<'m>) -> Code {
        let place = expr.place;
        let mut inner = names.clone();
        match &*expr.kind {
            ExprKind::Quantified { forall, bounds, body } => {
                let Some(ranges) = self.ranges(bounds, names, &mut inner) else {
                    let what = if *forall { "\\A" } else { "\\E" };
                    return Box::new(binders::Unbounded { what, place });
                };
                let excluded = if *forall { self.kind_premise(bounds, body) } else { self.kind_test(bounds, body) };
                let body = self.code(body, &inner);
                let names = inner.slots_of(bounds);
                Box::new(binders::Quantified { forall: *forall, ranges, excluded, names, body, place })
            }
            ExprKind::Choose { bound, body } => {
                let Some(set) = &bound.set else { return Box::new(binders::Unbounded { what: "CHOOSE", place }) };
                let set = self.code(set, names);
                let Some(pattern) = self.patterns(bound, &mut inner).pop() else {
                    return self.unsupported("this CHOOSE", place);
                };
                let body = self.code(body, &inner);
                Box::new(binders::Choose { pattern, set, body, place })
            }
            ExprKind::SetFilter { bound, body } => self.filter(bound, body, place, names),
            ExprKind::SetMap { bounds, body } => {
                let Some(ranges) = self.ranges(bounds, names, &mut inner) else {
                    return self.unsupported("an unbounded set", place);
                };
                Box::new(binders::Map { ranges, body: self.code(body, &inner), place })
            }
            ExprKind::Function { bounds, body, this } => {
                let Some(ranges) = self.ranges(bounds, names, &mut inner) else {
                    return self.unsupported("an unbounded function", place);
                };
                // For TLC a function is recursive whose name stands in its body, be it needed or not.
                let recursive = this.filter(|this| super::analysis::mentions(body, *this));
                let this = recursive.map(|local| {
                    let slot = self.slot();
                    inner.bindings.insert(local, Binding::Slot(slot));
                    slot
                });
                let patterns = ranges.0.iter().flat_map(|r| r.patterns.clone()).collect();
                let (number, function) = self.function_code(bounds, patterns, body, &inner, this, false);
                let code: Code =
                    Box::new(functions::Function { ranges, function, number, recursive: this.is_some(), place });
                match self.counter(names).filter(|_| this.is_none()) {
                    Some(counter) => Box::new(CountedFunction { code, counter }),
                    None => code,
                }
            }
            _ => self.unsupported("this expression", place),
        }
    }

    fn data(&mut self, expr: &'m Expr, names: &Names<'m>) -> Code {
        let place = expr.place;
        match &*expr.kind {
            ExprKind::SetEnum(items) => Box::new(sets::Enumerated(self.codes(items, names))),
            ExprKind::Tuple(items) => Box::new(functions::Tuple(self.codes(items, names))),
            ExprKind::FunctionSet(domain, range) => {
                let arguments = [self.code(domain, names), self.code(range, names)];
                Box::new(calls::Call2 { run: |e, d, r| Ok(set_values::function_set(e, d, r)), arguments, place })
            }
            ExprKind::Record(fields) => self.record(fields, names),
            ExprKind::RecordSet(fields) => {
                let mut field = |e: &'m Expr| self.code(e, &self.in_part(e, Part::Pair, names));
                let fields = fields.iter().map(|(f, e)| (*f, field(e))).collect();
                Box::new(sets::Records(fields))
            }
            ExprKind::Except { function, updates } => {
                let told = functions::Missed {
                    place: self.model.describe(function.place).into(),
                    told: AtomicBool::new(false),
                };
                let function = self.code(function, names);
                let updates = updates.iter().map(|u| self.update(u, names)).collect();
                Box::new(functions::Except { function, updates, place, missed: told })
            }
            ExprKind::Apply(..) | ExprKind::Select(..)
                if !names.primed && names.cost == Cost::None && super::path::is_path(expr) =>
            {
                self.path(expr, names)
            }
            ExprKind::Apply(function, argument) => {
                let rule = self.as_rule(function, names);
                let (function, argument) = (self.code(function, names), self.code(argument, names));
                Box::new(functions::Apply { function: self.applied_code(function), argument, rule, place })
            }
            ExprKind::Select(record, field) => {
                let function = self.as_rule(record, names).is_some();
                let code = self.code(record, names);
                Box::new(functions::Select { record: code, field: *field, record_place: record.place, function, place })
            }
            _ => self.unsupported("this expression", place),
        }
    }

    fn record(&mut self, fields: &'m [(Symbol, Expr)], names: &Names<'m>) -> Code {
        let mut shape: Vec<Symbol> = fields.iter().map(|(f, _)| *f).collect();
        shape.sort();
        let values = fields
            .iter()
            .map(|(field, value)| {
                let names = self.in_part(value, Part::Pair, names);
                (shape.binary_search(field).unwrap_or_default(), self.code(value, &names))
            })
            .collect();
        Box::new(functions::Record { shape, values })
    }

    fn update(&mut self, update: &'m ExceptUpdate, names: &Names<'m>) -> functions::Update {
        let names = &self.in_part(&update.value, Part::Pair, names);
        let inside = self.in_part(&update.value, Part::Path, names);
        let path = update
            .path
            .iter()
            .map(|step| match step {
                ExceptStep::Index(e) => functions::Step::Index(self.code(e, &inside)),
                ExceptStep::Field(field) => functions::Step::Field(*field),
            })
            .collect();
        let at = self.slot();
        let inner = names.with(update.at, Binding::Slot(at));
        functions::Update { path, at, value: self.code(&update.value, &inner) }
    }
}
