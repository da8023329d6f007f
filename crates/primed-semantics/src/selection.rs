//! Names with `!`: what instances define, and parts of definitions (*TLA+ Version 2*, section 6).
//!
//! A part is resolved anew, in the scope that it was written in. The parameters and bound names around it are what the selection
//! gives for them; where it gives none, because an operator is wanted, they are the operator's parameters.
//!
//! INVARIANT: which selections are legal is the analysis' affair; what it refuses never comes here.

use std::rc::Rc;
use std::sync::Arc;

use primed_syntax::ast::{self, Assertion, AssumeItem, ExprKind as Ast, Ident, Selector};
use primed_syntax::span::Span;

use crate::apply::Operands;
use crate::builtin;
use crate::model::{DefinitionId, Expr, ExprKind, Level, LocalDefinition, LocalId, Param};
use crate::parts::{self, Binder, Part};
use crate::resolver::Resolver;
use crate::scope::{Binding, Instance, Scope};

/// A definition as it was written, and where.
pub(crate) struct Origin {
    pub(crate) written: Written,
    pub(crate) scope: Scope,
    pub(crate) file: u32,
    pub(crate) module: (Arc<str>, bool),
}

/// What has a name that a selection can begin with.
pub(crate) enum Written {
    Definition(Arc<ast::Definition>),
    Assumption(Arc<ast::Assumption>),
    Theorem(Arc<ast::Theorem>),
}

/// Of which name an origin is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Defined {
    Definition(DefinitionId),
    Local(LocalId),
}

/// A walk along selectors.
struct Walk<'w> {
    /// What the parameters on the way become where the selection is to be an operator.
    locals: &'w [Param],
    /// Where the selection stands.
    scope: &'w Scope,
    file: u32,
    module: (Arc<str>, bool),
    span: Span,
    /// What is given for parameters and bound names on the way.
    given: Vec<LocalDefinition>,
    /// The definitions of the LETs on the way.
    lets: Vec<Vec<LocalDefinition>>,
}

impl Resolver {
    /// Keeps how a name was defined.
    pub(crate) fn remember(&mut self, defined: Defined, written: Written, scope: &Scope) {
        let origin = Origin { written, scope: scope.clone(), file: self.file, module: self.module.clone() };
        self.origins.insert(defined, Rc::new(origin));
    }

    /// `I(a)!J!Op(b)`, `Op(a)!2!<<`; as an operator of `locals` if there are any.
    pub(crate) fn selection(&mut self, parts: &[Selector], locals: &[Param], scope: &Scope, span: Span) -> Expr {
        let (file, module) = (self.file, self.module.clone());
        let mut walk = Walk { locals, scope, file, module: module.clone(), span, given: Vec::new(), lets: Vec::new() };
        let body = self.walk_names(&mut walk, scope, parts);
        (self.file, self.module) = (file, module);
        let lets = walk.lets.into_iter().rev().fold(body, |body, layer| self.around(layer, body, span));
        self.around(walk.given, lets, span)
    }

    fn around(&mut self, definitions: Vec<LocalDefinition>, body: Expr, span: Span) -> Expr {
        if definitions.is_empty() {
            return body;
        }
        let level = definitions.iter().map(|d| d.body.level).chain([body.level]).max().unwrap_or_default();
        self.expr(ExprKind::Let { definitions, body }, span, level)
    }

    fn unselectable(&mut self, walk: &Walk<'_>) -> Expr {
        self.file = walk.file;
        self.unresolved(walk.span)
    }

    /// Goes on from a name that means something in `names`.
    fn walk_names(&mut self, walk: &mut Walk<'_>, names: &Scope, parts: &[Selector]) -> Expr {
        let mut current: Option<Rc<Instance>> = None;
        for (i, part) in parts.iter().enumerate() {
            let Selector::Name { name, args } = part else { break };
            let binding = match &current {
                None => names.get(&name.name).cloned(),
                Some(instance) => instance.names.names.get(&name.name).cloned(),
            };
            let rest = parts.get(i + 1..).unwrap_or_default();
            match binding {
                _ if rest.is_empty() => return self.last_name(walk, binding, current.is_some(), (name, args)),
                Some(Binding::Instance(instance)) => {
                    let params: Vec<Param> = instance.params.clone();
                    for (i, param) in params.iter().enumerate() {
                        if self.give(walk, param, args.get(i)).is_none() {
                            return self.unselectable(walk);
                        }
                    }
                    current = Some(instance);
                }
                Some(binding) => return self.enter(walk, name, &binding, args, rest),
                None => break,
            }
        }
        self.unselectable(walk)
    }

    /// The last part is the name of an operator, which is applied.
    fn last_name(
        &mut self,
        walk: &mut Walk<'_>,
        binding: Option<Binding>,
        inside: bool,
        (name, args): (&Ident, &[ast::Expr]),
    ) -> Expr {
        (self.file, self.module) = (walk.file, walk.module.clone());
        let operands = match walk.locals {
            [] => Operands::Written(args),
            locals => Operands::Locals(locals),
        };
        match binding {
            Some(binding) => self.apply_binding(&binding, &name.name, operands, walk.scope, walk.span),
            None if inside && builtin::lookup(&name.name).is_some() => {
                self.apply_name(name, operands, walk.scope, walk.span)
            }
            None => self.unselectable(walk),
        }
    }

    /// What a parameter or bound name on the way stands for: an argument of the selection or the next parameter of the
    /// operator that is wanted.
    fn give(&mut self, walk: &mut Walk<'_>, param: &Param, argument: Option<&ast::Expr>) -> Option<Level> {
        let here = (self.file, std::mem::replace(&mut self.module, walk.module.clone()));
        self.file = walk.file;
        let given = match (argument, walk.locals.split_first()) {
            (Some(argument), _) => Some(self.instance_argument(param, argument, walk.scope)),
            (None, Some((local, others))) => {
                walk.locals = others;
                let body = self.expr(ExprKind::Local(local.local), walk.span, Level::Constant);
                Some(LocalDefinition { local: param.local, name: param.name.clone(), params: Vec::new(), body })
            }
            (None, None) => None,
        };
        (self.file, self.module) = here;
        let given = given?;
        let level = given.body.level;
        walk.given.push(given);
        Some(level)
    }

    /// Binds names in `scope` to what is given for them.
    fn give_all<'n>(
        &mut self,
        walk: &mut Walk<'_>,
        names: impl Iterator<Item = (&'n Ident, usize)>,
        arguments: &[ast::Expr],
        scope: &mut Scope,
    ) -> Option<()> {
        for (i, (name, arity)) in names.enumerate() {
            let param = self.param(&name.name, arity);
            let level = self.give(walk, &param, arguments.get(i))?;
            scope.bind(&name.name, Binding::Local { local: param.local, arities: vec![0; arity].into(), level });
        }
        Some(())
    }

    /// Into the right-hand side of a definition.
    fn enter(
        &mut self,
        walk: &mut Walk<'_>,
        name: &Ident,
        binding: &Binding,
        args: &[ast::Expr],
        rest: &[Selector],
    ) -> Expr {
        let defined = match binding {
            Binding::Definition(id) => Some(Defined::Definition(*id)),
            Binding::Local { local, .. } => Some(Defined::Local(*local)),
            _ => None,
        };
        let Some(origin) = defined.and_then(|d| self.origins.get(&d)).cloned() else { return self.unselectable(walk) };
        let mut scope = origin.scope.clone();
        if scope.get(&name.name).is_none() {
            scope.bind(&name.name, binding.clone());
        }
        let part = match &origin.written {
            Written::Definition(definition) => {
                let params = definition.params.iter().map(|p| (&p.name, p.arity));
                if self.give_all(walk, params, args, &mut scope).is_none() {
                    return self.unselectable(walk);
                }
                match &definition.body {
                    ast::DefinitionBody::Operator(body) => Part::Expr(body),
                    ast::DefinitionBody::Function { bounds, body } => {
                        Part::Function { name: &definition.name, bounds, body }
                    }
                    ast::DefinitionBody::Instance(_) => return self.unselectable(walk),
                }
            }
            Written::Assumption(assumption) => Part::Expr(&assumption.body),
            Written::Theorem(theorem) => Part::Assertion(&theorem.body),
        };
        (self.file, self.module) = (origin.file, origin.module.clone());
        self.follow(walk, part, scope, rest)
    }

    /// Goes from the right-hand side of a definition to the part that is wanted.
    fn follow(&mut self, walk: &mut Walk<'_>, mut part: Part<'_>, mut scope: Scope, mut rest: &[Selector]) -> Expr {
        // Directly after a name or a label, a name is that of a label; after anything else it is defined in a LET.
        let mut named = true;
        while let Some((selector, others)) = rest.split_first() {
            let next = match selector {
                Selector::Whole(_) => Some(part),
                Selector::Name { name, args } if named => self.label(walk, part, &mut scope, name, args),
                Selector::Name { .. } => {
                    let Part::Expr(expr) = part.plain() else { break };
                    let Ast::Let { units, .. } = &*expr.kind else { break };
                    self.open_let(walk, units, &mut scope);
                    return self.walk_names(walk, &scope, rest);
                }
                _ => {
                    rest = others;
                    self.step(walk, part, &mut scope, selector, &mut rest)
                }
            };
            let Some(next) = next else { return self.unselectable(walk) };
            named = matches!(selector, Selector::Name { .. });
            if matches!(selector, Selector::Whole(_) | Selector::Name { .. }) {
                rest = others;
            }
            part = next;
        }
        match rest {
            [] => self.arrive(walk, part, scope),
            _ => self.unselectable(walk),
        }
    }

    fn open_let(&mut self, walk: &mut Walk<'_>, units: &[ast::Unit], scope: &mut Scope) {
        let definitions = self.let_units(units, scope);
        if !definitions.is_empty() {
            walk.lets.push(definitions);
        }
    }

    /// To a label, whose parameters are the names bound on the way.
    fn label<'a>(
        &mut self,
        walk: &mut Walk<'_>,
        part: Part<'a>,
        scope: &mut Scope,
        label: &Ident,
        args: &[ast::Expr],
    ) -> Option<Part<'a>> {
        let found = parts::find_label(part, &label.name)?;
        let mut given = Scope::default();
        self.give_all(walk, found.params.iter().map(|p| (p, 0)), args, &mut given)?;
        let bind = |name: &Ident, scope: &mut Scope| {
            scope.bind(&name.name, given.get(&name.name)?.clone());
            Some(())
        };
        for binder in found.way {
            match binder {
                Binder::Bounds(bounds) => parts::bound_names(bounds).try_for_each(|n| bind(n, scope))?,
                Binder::Params(names) => names.iter().try_for_each(|n| bind(n, scope))?,
                Binder::Let(units) => self.open_let(walk, units, scope),
            }
        }
        Some(found.body)
    }

    /// One step down; the second of the two selectors that a CASE needs is taken from `rest`.
    fn step<'a>(
        &mut self,
        walk: &mut Walk<'_>,
        part: Part<'a>,
        scope: &mut Scope,
        selector: &Selector,
        rest: &mut &[Selector],
    ) -> Option<Part<'a>> {
        let expr = match part.plain() {
            Part::Expr(expr) => expr,
            Part::Function { bounds, body, .. } => return self.below(walk, bounds, body, scope, selector),
            Part::Tuple(items) => return items.get(parts::number(selector, items.len())?).map(Part::Expr),
            Part::Assertion(Assertion::AssumeProve { assumptions, goal, .. }) => {
                return match assumptions.get(parts::number(selector, assumptions.len() + 1)?) {
                    None => Some(Part::Expr(goal)),
                    Some(AssumeItem::Assertion { assertion, .. }) => Some(Part::Assertion(assertion)),
                    Some(AssumeItem::New { .. }) => None,
                };
            }
            Part::Text(_) | Part::Assertion(Assertion::Expr(_)) => return None,
        };
        match &*expr.kind {
            Ast::Let { units, body } => {
                parts::number(selector, 1)?;
                self.open_let(walk, units, scope);
                Some(Part::Expr(body))
            }
            Ast::Lambda { params, body } => {
                self.give_all(walk, params.iter().map(|p| (p, 0)), bound_arguments(selector)?, scope)?;
                Some(Part::Expr(body))
            }
            Ast::Case { arms, other } => {
                let arm = arms.get(parts::number(selector, arms.len() + usize::from(other.is_some()))?);
                let (second, others) = rest.split_first()?;
                *rest = others;
                match (arm, parts::number(second, 2)?) {
                    (Some((guard, _)), 0) => Some(Part::Expr(guard)),
                    (Some((_, value)), _) => Some(Part::Expr(value)),
                    (None, 0) => None,
                    (None, _) => other.as_ref().map(Part::Expr),
                }
            }
            _ => match parts::binder(expr) {
                Some((bounds, body)) => self.below(walk, bounds, body, scope, selector),
                None => parts::operand(expr, selector),
            },
        }
    }

    /// Into a bound expression: to one of the sets, or to the body with the bound names given.
    fn below<'a>(
        &mut self,
        walk: &mut Walk<'_>,
        bounds: &'a [ast::Bound],
        body: &'a ast::Expr,
        scope: &mut Scope,
        selector: &Selector,
    ) -> Option<Part<'a>> {
        let Some(arguments) = bound_arguments(selector) else {
            let sets: Vec<&ast::Expr> = bounds.iter().filter_map(|b| b.set.as_ref()).collect();
            return sets.get(parts::number(selector, sets.len())?).map(|s| Part::Expr(s));
        };
        self.give_all(walk, parts::bound_names(bounds).map(|n| (n, 0)), arguments, scope)?;
        Some(Part::Expr(body))
    }

    fn arrive(&mut self, walk: &mut Walk<'_>, part: Part<'_>, mut scope: Scope) -> Expr {
        let locals = walk.locals;
        match part {
            Part::Expr(expr) | Part::Assertion(Assertion::Expr(expr)) if locals.is_empty() => {
                self.expression(expr, &scope)
            }
            Part::Function { name, bounds, body } => self.function_definition(name, bounds, body, &scope),
            Part::Tuple(items) => self.collection(items, &scope, walk.span, ExprKind::Tuple),
            Part::Text(name) => {
                let symbol = self.symbols.intern(&name.name);
                self.expr(ExprKind::String(symbol), name.span, Level::Constant)
            }
            Part::Assertion(_) => self.unselectable(walk),
            Part::Expr(_) => {
                // An operator argument, as the operator that it is.
                let Part::Expr(expr) = part.plain() else { return self.unselectable(walk) };
                match &*expr.kind {
                    Ast::Lambda { params, body } => {
                        match self.give_all(walk, params.iter().map(|p| (p, 0)), &[], &mut scope) {
                            Some(()) => self.expression(body, &scope),
                            None => self.unselectable(walk),
                        }
                    }
                    Ast::Name(name) => self.apply_name(name, Operands::Locals(locals), &scope, expr.span),
                    Ast::Qualified(parts) => self.selection(parts, locals, &scope, expr.span),
                    _ => self.unselectable(walk),
                }
            }
        }
    }
}

/// What `!(e, f)` gives for bound names; nothing is written in `!@`.
fn bound_arguments(selector: &Selector) -> Option<&[ast::Expr]> {
    match selector {
        Selector::Args(given, _) => Some(given),
        Selector::At(_) => Some(&[]),
        _ => None,
    }
}
