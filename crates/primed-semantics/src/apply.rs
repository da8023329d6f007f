//! Names and their application: definitions, parameters, LET operators, instances, operators as arguments.

use std::sync::Arc;

use primed_syntax::ast::{self, ExprKind as Ast};
use primed_syntax::span::Span;

use crate::builtin;
use crate::model::{Argument, DefinitionId, Expr, ExprKind, Lambda, Level, LocalDefinition, Param};
use crate::resolver::Resolver;
use crate::scope::{Binding, Scope, Substituted};

/// Arguments as written, or already resolved (when an operator is passed on as a LAMBDA).
#[derive(Clone, Copy)]
pub(crate) enum Operands<'a> {
    Written(&'a [ast::Expr]),
    Locals(&'a [Param]),
}

impl Operands<'_> {
    fn len(self) -> usize {
        match self {
            Operands::Written(args) => args.len(),
            Operands::Locals(params) => params.len(),
        }
    }
}

impl Resolver {
    /// A name applied to arguments, perhaps none.
    pub(crate) fn name(&mut self, name: &ast::Ident, args: &[ast::Expr], scope: &Scope, span: Span) -> Expr {
        self.apply_name(name, Operands::Written(args), scope, span)
    }

    pub(crate) fn apply_name(&mut self, name: &ast::Ident, args: Operands<'_>, scope: &Scope, span: Span) -> Expr {
        if let Some(binding) = scope.get(&name.name) {
            return self.apply_binding(&binding.clone(), &name.name, args, scope, span);
        }
        match (&*name.name, args.len()) {
            ("TRUE", 0) => return self.expr(ExprKind::Bool(true), span, Level::Constant),
            ("FALSE", 0) => return self.expr(ExprKind::Bool(false), span, Level::Constant),
            _ => {}
        }
        let Some((op, arity)) = builtin::lookup(&name.name) else { return self.unresolved(span) };
        if arity != usize::MAX && arity != args.len() {
            return self.unresolved(span);
        }
        let operands = match args {
            Operands::Written(args) => self.expressions(args, scope),
            Operands::Locals(params) => params.iter().map(|p| self.local(p, span)).collect(),
        };
        self.builtin(op, operands, span)
    }

    fn local(&self, param: &Param, span: Span) -> Expr {
        self.expr(ExprKind::Local(param.local), span, Level::Constant)
    }

    pub(crate) fn apply_binding(
        &mut self,
        binding: &Binding,
        name: &Arc<str>,
        args: Operands<'_>,
        scope: &Scope,
        span: Span,
    ) -> Expr {
        match binding {
            Binding::Variable(id) if args.len() == 0 => self.expr(ExprKind::Variable(*id), span, Level::State),
            Binding::Variable(_) | Binding::Instance(_) => self.unresolved(span),
            Binding::Definition(id) => self.call(*id, args, scope, span),
            Binding::Local { local, arities, level } => {
                if arities.len() != args.len() {
                    return self.unresolved(span);
                }
                if arities.is_empty() {
                    return self.expr(ExprKind::Local(*local), span, *level);
                }
                let (args, highest) = self.arguments(arities, args, scope, span);
                self.expr(ExprKind::CallLocal { local: *local, args }, span, highest.max(*level))
            }
            Binding::Substituted(substituted) => self.substituted(substituted, name, args, scope, span),
            Binding::StandIn { instance, number, value } => {
                let value = self.apply_binding(value, name, args, scope, span);
                // Like any variable it has a value in each state, whatever was substituted.
                let level = value.level.max(Level::State);
                self.expr(ExprKind::StandIn { instance: *instance, number: *number, value }, span, level)
            }
        }
    }

    /// What was substituted is resolved where it was written.
    fn substituted(
        &mut self,
        substituted: &Substituted,
        name: &Arc<str>,
        args: Operands<'_>,
        scope: &Scope,
        span: Span,
    ) -> Expr {
        let here = (self.file, self.instantiation);
        (self.file, self.instantiation) = (substituted.file, substituted.instance);
        if args.len() == 0 {
            let result = self.expression(&substituted.value, &substituted.scope);
            (self.file, self.instantiation) = here;
            return result;
        }
        let lambda = self.operator(&substituted.value, args.len(), &substituted.scope);
        (self.file, self.instantiation) = here;
        let level = lambda.body.level;
        let local = self.fresh();
        let arities = vec![0; args.len()];
        let (args, highest) = self.arguments(&arities, args, scope, span);
        let call = self.expr(ExprKind::CallLocal { local, args }, span, level.max(highest));
        let definition = LocalDefinition { local, name: name.clone(), params: lambda.params, body: lambda.body };
        let level = call.level;
        self.expr(ExprKind::Let { definitions: vec![definition], body: call }, span, level)
    }

    fn call(&mut self, id: DefinitionId, args: Operands<'_>, scope: &Scope, span: Span) -> Expr {
        let definition = &self.definitions[id.0 as usize];
        let (arities, level): (Vec<usize>, _) = (definition.params.iter().map(|p| p.arity).collect(), definition.level);
        if arities.len() != args.len() {
            return self.unresolved(span);
        }
        let (args, highest) = self.arguments(&arities, args, scope, span);
        self.expr(ExprKind::Call { definition: id, args }, span, level.max(highest))
    }

    fn arguments(
        &mut self,
        arities: &[usize],
        args: Operands<'_>,
        scope: &Scope,
        span: Span,
    ) -> (Vec<Argument>, Level) {
        let mut level = Level::Constant;
        let resolved = match args {
            Operands::Locals(params) => params.iter().map(|p| Argument::Value(self.local(p, span))).collect(),
            Operands::Written(args) => arities
                .iter()
                .zip(args)
                .map(|(arity, arg)| {
                    let argument = match arity {
                        0 => Argument::Value(self.expression(arg, scope)),
                        n => Argument::Operator(self.operator(arg, *n, scope)),
                    };
                    level = level.max(match &argument {
                        Argument::Value(e) => e.level,
                        Argument::Operator(l) => l.body.level,
                    });
                    argument
                })
                .collect(),
        };
        (resolved, level)
    }

    /// An operator argument of the given arity, written out as a LAMBDA.
    pub(crate) fn operator(&mut self, arg: &ast::Expr, arity: usize, scope: &Scope) -> Lambda {
        if let Ast::Lambda { params, body } = &*arg.kind {
            return self.lambda(params, body, scope);
        }
        let params: Vec<Param> = (0..arity).map(|i| self.param(&format!("a{}", i + 1).into(), 0)).collect();
        let body = match &*arg.kind {
            Ast::Name(name) => self.apply_name(name, Operands::Locals(&params), scope, arg.span),
            Ast::Paren(inner) => return self.operator(inner, arity, scope),
            Ast::Qualified(parts) => self.selection(parts, &params, scope, arg.span),
            _ => self.unresolved(arg.span),
        };
        Lambda { params, body }
    }

    fn lambda(&mut self, names: &[ast::Ident], body: &ast::Expr, scope: &Scope) -> Lambda {
        let mut inner = scope.clone();
        let mut params = Vec::with_capacity(names.len());
        for name in names {
            let param = self.param(&name.name, 0);
            inner.bind_param(&param);
            params.push(param);
        }
        let body = self.expression(body, &inner);
        Lambda { params, body }
    }

    /// The parameter of an instance is bound around the call.
    pub(crate) fn instance_argument(&mut self, param: &Param, arg: &ast::Expr, scope: &Scope) -> LocalDefinition {
        let (params, body) = match param.arity {
            0 => (Vec::new(), self.expression(arg, scope)),
            n => {
                let lambda = self.operator(arg, n, scope);
                (lambda.params, lambda.body)
            }
        };
        LocalDefinition { local: param.local, name: param.name.clone(), params, body }
    }
}
