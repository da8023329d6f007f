//! Expressions: names to numbers, levels, the forms of the language.

use std::sync::Arc;

use primed_syntax::ast::{self, ExprKind as Ast};
use primed_syntax::span::Span;

use crate::builtin;
use crate::model::{Bound, Builtin, ExceptStep, ExceptUpdate, Expr, ExprKind, Level, LocalDefinition, Subscripted};
use crate::resolver::Resolver;
use crate::scope::{Binding, Scope};
use crate::selection::{Defined, Written};

/// Bytes of stack that must be left before an expression is resolved, and the size of a new piece of stack.
const RED_ZONE: usize = 128 << 10;
const STACK_PIECE: usize = 4 << 20;

impl Resolver {
    /// Resolves an expression in a scope. Errors are reported and leave a stand-in.
    pub(crate) fn expression(&mut self, expr: &ast::Expr, scope: &Scope) -> Expr {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.expression_inner(expr, scope))
    }

    fn expression_inner(&mut self, expr: &ast::Expr, scope: &Scope) -> Expr {
        let span = expr.span;
        match &*expr.kind {
            Ast::Number { digits, base } => self.number(digits, *base, span),
            Ast::Decimal(_) => self.unsupported("a real number", span),
            Ast::String(text) => {
                let symbol = self.symbols.intern(text);
                self.expr(ExprKind::String(symbol), span, Level::Constant)
            }
            Ast::Name(name) => self.name(name, &[], scope, span),
            Ast::Apply { op, args } => self.name(op, args, scope, span),
            Ast::Qualified(parts) => self.selection(parts, &[], scope, span),
            Ast::Paren(inner) => self.expression(inner, scope),
            Ast::Label { body, .. } => self.expression(body, scope),
            // Neither passes the analysis.
            Ast::Lambda { .. } | Ast::Bracketed(_) => self.unresolved(span),
            Ast::Junction(..) | Ast::If(..) | Ast::Case { .. } | Ast::Let { .. } => self.control(expr, scope),
            Ast::Quantified { .. } | Ast::Choose { .. } | Ast::SetFilter { .. } | Ast::SetMap { .. } => {
                self.binder(expr, scope)
            }
            Ast::SetEnum(items) => self.collection(items, scope, span, ExprKind::SetEnum),
            Ast::Tuple(items) => self.collection(items, scope, span, ExprKind::Tuple),
            Ast::Subscripted { kind, action, subscript } => self.subscripted(*kind, action, subscript, scope, span),
            _ => self.function_form(expr, scope),
        }
    }

    fn unsupported(&mut self, what: &str, span: Span) -> Expr {
        self.expr(ExprKind::Unsupported(what.into()), span, Level::Constant)
    }

    fn number(&mut self, digits: &str, base: u32, span: Span) -> Expr {
        match i64::from_str_radix(digits, base) {
            Ok(n) if n <= i64::from(i32::MAX) => self.expr(ExprKind::Int(n), span, Level::Constant),
            _ => self.unsupported("a number above 2147483647", span),
        }
    }

    pub(crate) fn collection(
        &mut self,
        items: &[ast::Expr],
        scope: &Scope,
        span: Span,
        make: impl FnOnce(Vec<Expr>) -> ExprKind,
    ) -> Expr {
        let items = self.expressions(items, scope);
        let level = highest(&items);
        self.expr(make(items), span, level)
    }

    pub(crate) fn expressions(&mut self, items: &[ast::Expr], scope: &Scope) -> Vec<Expr> {
        items.iter().map(|e| self.expression(e, scope)).collect()
    }

    fn control(&mut self, expr: &ast::Expr, scope: &Scope) -> Expr {
        let span = expr.span;
        match &*expr.kind {
            Ast::Junction(kind, items) => {
                let and = *kind == ast::Junction::And;
                self.collection(items, scope, span, |items| ExprKind::Junction { and, items })
            }
            Ast::If(condition, yes, no) => {
                let [c, y, n] = [condition, yes, no].map(|e| self.expression(e, scope));
                let level = c.level.max(y.level).max(n.level);
                self.expr(ExprKind::If(c, y, n), span, level)
            }
            Ast::Case { arms, other } => {
                let arms: Vec<_> =
                    arms.iter().map(|(g, e)| (self.expression(g, scope), self.expression(e, scope))).collect();
                let other = other.as_ref().map(|e| self.expression(e, scope));
                let levels = arms.iter().flat_map(|(g, e)| [g.level, e.level]).chain(other.iter().map(|e| e.level));
                let level = levels.max().unwrap_or_default();
                self.expr(ExprKind::Case { arms, other }, span, level)
            }
            Ast::Let { units, body } => self.let_in(units, body, scope, span),
            _ => self.unresolved(span),
        }
    }

    fn let_in(&mut self, units: &[ast::Unit], body: &ast::Expr, scope: &Scope, span: Span) -> Expr {
        let mut inner = scope.clone();
        let definitions = self.let_units(units, &mut inner);
        let body = self.expression(body, &inner);
        if definitions.is_empty() {
            return body;
        }
        let level = body.level;
        self.expr(ExprKind::Let { definitions, body }, span, level)
    }

    /// Brings the definitions of a LET into a scope; those that are not recursive are given back.
    pub(crate) fn let_units(&mut self, units: &[ast::Unit], scope: &mut Scope) -> Vec<LocalDefinition> {
        let mut definitions = Vec::new();
        let outer = std::mem::take(&mut self.recursive);
        for unit in units {
            self.let_unit(unit, scope, &mut definitions);
        }
        self.recursive = outer;
        definitions
    }

    fn let_unit(&mut self, unit: &ast::Unit, scope: &mut Scope, definitions: &mut Vec<LocalDefinition>) {
        match &unit.kind {
            ast::UnitKind::Recursive(declarations) => {
                for declaration in declarations {
                    let id = self.declare_recursive(declaration);
                    scope.bind(&declaration.name.name, Binding::Definition(id));
                }
            }
            ast::UnitKind::Definition(definition) => {
                let name = &definition.name;
                if self.recursive.pending.iter().any(|(n, _)| *n == name.name) {
                    self.definition(definition, scope);
                    return;
                }
                if let ast::DefinitionBody::Instance(instance) = &definition.body {
                    if let Some(instance) = self.named_instance(&definition.name, &definition.params, instance, scope) {
                        scope.bind(&name.name, Binding::Instance(instance));
                    }
                    return;
                }
                let local = self.local_definition(definition, scope);
                let arities = local.params.iter().map(|p| p.arity).collect();
                let binding = Binding::Local { local: local.local, arities, level: local.body.level };
                scope.bind(&name.name, binding);
                definitions.push(local);
            }
            // The syntax lets nothing else stand here.
            _ => {}
        }
    }

    fn local_definition(&mut self, definition: &Arc<ast::Definition>, scope: &Scope) -> LocalDefinition {
        let mut inner = scope.clone();
        let params = self.bind_params(&definition.params, &mut inner);
        let body = match &definition.body {
            ast::DefinitionBody::Operator(body) => self.expression(body, &inner),
            ast::DefinitionBody::Function { bounds, body } => {
                self.function_definition(&definition.name, bounds, body, &inner)
            }
            ast::DefinitionBody::Instance(instance) => self.unresolved(instance.span),
        };
        let local = self.fresh();
        self.remember(Defined::Local(local), Written::Definition(definition.clone()), scope);
        LocalDefinition { local, name: definition.name.name.clone(), params, body }
    }

    /// `f[bounds] == body`; a name already declared RECURSIVE is not bound again.
    pub(crate) fn function_definition(
        &mut self,
        name: &ast::Ident,
        bounds: &[ast::Bound],
        body: &ast::Expr,
        scope: &Scope,
    ) -> Expr {
        let mut inner = scope.clone();
        let (bounds, bound_level) = self.bounds(bounds, scope, &mut inner);
        let this = self.param(&name.name, 0);
        if inner.get(&name.name).is_none() {
            inner.bind_param(&this);
        }
        let body = self.expression(body, &inner);
        let level = body.level.max(bound_level);
        let span = body.place;
        let this = Some(this.local);
        self.expr(ExprKind::Function { bounds, body, this }, Span::new(span.start, span.end), level)
    }

    /// Resolves the sets in `scope` and binds the names in `inner`.
    pub(crate) fn bounds(&mut self, bounds: &[ast::Bound], scope: &Scope, inner: &mut Scope) -> (Vec<Bound>, Level) {
        let mut level = Level::Constant;
        let mut resolved = Vec::with_capacity(bounds.len());
        for bound in bounds {
            let set = bound.set.as_ref().map(|s| self.expression(s, scope));
            level = level.max(set.as_ref().map_or(Level::Constant, |s| s.level));
            let (names, tuple) = match &bound.pattern {
                ast::BoundPattern::Names(names) => (names, false),
                ast::BoundPattern::Tuple(names) => (names, true),
            };
            let mut locals = Vec::with_capacity(names.len());
            for name in names {
                let param = self.param(&name.name, 0);
                inner.bind_param(&param);
                locals.push(param);
            }
            resolved.push(Bound { locals, tuple, set });
        }
        (resolved, level)
    }

    fn binder(&mut self, expr: &ast::Expr, scope: &Scope) -> Expr {
        let span = expr.span;
        let mut inner = scope.clone();
        match &*expr.kind {
            Ast::Quantified { quantifier, bounds, body } => {
                let (bounds, level) = self.bounds(bounds, scope, &mut inner);
                let body = self.expression(body, &inner);
                let forall = matches!(quantifier, ast::Quantifier::Forall | ast::Quantifier::TemporalForall);
                if matches!(quantifier, ast::Quantifier::TemporalForall | ast::Quantifier::TemporalExists) {
                    return self.expr(ExprKind::TemporalQuantified { forall, body }, span, Level::Temporal);
                }
                let level = level.max(body.level);
                self.expr(ExprKind::Quantified { forall, bounds, body }, span, level)
            }
            Ast::Choose { bound, body } => {
                let (bound, body, level) = self.one_bound(bound, body, scope, inner);
                self.expr(ExprKind::Choose { bound, body }, span, level)
            }
            Ast::SetFilter { bound, body } => {
                let (bound, body, level) = self.one_bound(bound, body, scope, inner);
                self.expr(ExprKind::SetFilter { bound, body }, span, level)
            }
            Ast::SetMap { body, bounds } => {
                let (bounds, level) = self.bounds(bounds, scope, &mut inner);
                let body = self.expression(body, &inner);
                let level = level.max(body.level);
                self.expr(ExprKind::SetMap { bounds, body }, span, level)
            }
            _ => self.unresolved(span),
        }
    }

    fn one_bound(
        &mut self,
        bound: &ast::Bound,
        body: &ast::Expr,
        scope: &Scope,
        mut inner: Scope,
    ) -> (Bound, Expr, Level) {
        let (mut bounds, level) = self.bounds(std::slice::from_ref(bound), scope, &mut inner);
        let body = self.expression(body, &inner);
        let level = level.max(body.level);
        let bound = bounds.pop().unwrap_or(Bound { locals: Vec::new(), tuple: false, set: None });
        (bound, body, level)
    }

    fn function_form(&mut self, expr: &ast::Expr, scope: &Scope) -> Expr {
        let span = expr.span;
        match &*expr.kind {
            Ast::Function { bounds, body } => {
                let mut inner = scope.clone();
                let (bounds, level) = self.bounds(bounds, scope, &mut inner);
                let body = self.expression(body, &inner);
                let level = level.max(body.level);
                self.expr(ExprKind::Function { bounds, body, this: None }, span, level)
            }
            Ast::FunctionSet(domain, range) => {
                let (d, r) = (self.expression(domain, scope), self.expression(range, scope));
                let level = d.level.max(r.level);
                self.expr(ExprKind::FunctionSet(d, r), span, level)
            }
            Ast::Record(fields) => self.fields(fields, scope, span, ExprKind::Record),
            Ast::RecordSet(fields) => self.fields(fields, scope, span, ExprKind::RecordSet),
            Ast::Except { function, updates } => self.except(function, updates, scope, span),
            Ast::FunctionApply { function, args } => {
                let function = self.expression(function, scope);
                let argument = self.index(args, scope, span);
                let level = function.level.max(argument.level);
                self.expr(ExprKind::Apply(function, argument), span, level)
            }
            Ast::Field { record, field } => {
                let record = self.expression(record, scope);
                let (symbol, level) = (self.symbols.intern(&field.name), record.level);
                self.expr(ExprKind::Select(record, symbol), span, level)
            }
            _ => self.unresolved(span),
        }
    }

    fn fields(
        &mut self,
        fields: &[(ast::Ident, ast::Expr)],
        scope: &Scope,
        span: Span,
        make: impl FnOnce(Vec<(primed_value::symbol::Symbol, Expr)>) -> ExprKind,
    ) -> Expr {
        let mut resolved: Vec<(primed_value::symbol::Symbol, Expr)> = Vec::with_capacity(fields.len());
        let mut level = Level::Constant;
        for (name, value) in fields {
            let symbol = self.symbols.intern(&name.name);
            let value = self.expression(value, scope);
            level = level.max(value.level);
            resolved.push((symbol, value));
        }
        self.expr(make(resolved), span, level)
    }

    fn index(&mut self, args: &[ast::Expr], scope: &Scope, span: Span) -> Expr {
        match args {
            [one] => self.expression(one, scope),
            many => self.collection(many, scope, span, ExprKind::Tuple),
        }
    }

    fn except(&mut self, function: &ast::Expr, updates: &[ast::ExceptUpdate], scope: &Scope, span: Span) -> Expr {
        let function = self.expression(function, scope);
        let mut level = function.level;
        let mut resolved = Vec::with_capacity(updates.len());
        for update in updates {
            let path: Vec<ExceptStep> = update
                .path
                .iter()
                .map(|step| match step {
                    ast::ExceptStep::Index(args) => ExceptStep::Index(self.index(args, scope, update.span)),
                    ast::ExceptStep::Field(name) => ExceptStep::Field(self.symbols.intern(&name.name)),
                })
                .collect();
            let at = self.param(&"@".into(), 0);
            let mut inner = scope.clone();
            inner.bind_param(&at);
            let value = self.expression(&update.value, &inner);
            let indices = path.iter().filter_map(|s| match s {
                ExceptStep::Index(e) => Some(e.level),
                ExceptStep::Field(_) => None,
            });
            level = indices.chain([value.level, level]).max().unwrap_or_default();
            resolved.push(ExceptUpdate { path, at: at.local, value });
        }
        self.expr(ExprKind::Except { function, updates: resolved }, span, level)
    }

    fn subscripted(
        &mut self,
        kind: Subscripted,
        action: &ast::Expr,
        subscript: &ast::Expr,
        scope: &Scope,
        span: Span,
    ) -> Expr {
        let action = self.expression(action, scope);
        let subscript = self.expression(subscript, scope);
        let level = match kind {
            Subscripted::Square | Subscripted::Angle => Level::Action,
            Subscripted::WeakFairness | Subscripted::StrongFairness => Level::Temporal,
        };
        let expr = self.expr(ExprKind::Subscripted { kind, action, subscript }, span, level);
        if level == Level::Temporal { self.instanced(expr) } else { expr }
    }

    /// An operator of the language applied to resolved operands.
    pub(crate) fn builtin(&mut self, op: Builtin, args: Vec<Expr>, span: Span) -> Expr {
        let level = builtin::level(op, highest(&args));
        let expr = self.expr(ExprKind::Builtin { op, args }, span, level);
        if op == Builtin::Enabled { self.instanced(expr) } else { expr }
    }

    /// An ENABLED or fairness formula, told which instantiation it belongs to.
    fn instanced(&self, expr: Expr) -> Expr {
        if self.instantiation == 0 {
            return expr;
        }
        let (place, level) = (expr.place, expr.level);
        Expr { kind: Box::new(ExprKind::Instanced { instance: self.instantiation, body: expr }), place, level }
    }
}

/// The highest level among expressions.
pub(crate) fn highest(items: &[Expr]) -> Level {
    items.iter().map(|e| e.level).max().unwrap_or_default()
}
