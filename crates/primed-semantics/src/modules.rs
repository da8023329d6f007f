//! Module bodies: declarations, definitions, EXTENDS and INSTANCE.

use std::rc::Rc;
use std::sync::Arc;

use primed_syntax::ast::{self, UnitKind};
use primed_syntax::diagnostic::Diagnostic;
use primed_syntax::span::Span;

use crate::model::{Assumption, Definition, DefinitionId, ExprKind, InstanceOrigin, Level, Param};
use crate::resolver::{ResolvedModule, Resolver};
use crate::scope::{Binding, Exports, Instance, ModuleRef, Scope, Substituted};

/// What the declared names of an instantiated module stand for; `None` when a module is read for itself.
pub(crate) type Substitutions = Option<im::HashMap<Arc<str>, Binding>>;

/// A module body while it is read.
struct Body<'s> {
    scope: Scope,
    exports: Exports,
    assumptions: Vec<Assumption>,
    declared: Vec<(Arc<str>, usize)>,
    substitutions: &'s Substitutions,
}

impl Body<'_> {
    fn export(&mut self, name: &Arc<str>, binding: Binding) {
        if self.exports.names.insert(name.clone(), binding).is_none() {
            self.exports.order.push(name.clone());
        }
    }
}

impl Resolver<'_> {
    /// Resolves a module for itself (once) or under substitutions (each time).
    pub(crate) fn module(&mut self, module: &ModuleRef, substitutions: &Substitutions) -> Option<Rc<ResolvedModule>> {
        let name = module.module.name.name.clone();
        let shareable = module.enclosing.is_none() && !(substitutions.is_some() && self.has_parameters(module));
        if let Some(done) = self.resolved.get(&name).filter(|_| shareable) {
            return Some(done.clone());
        }
        if self.open.contains(&name) {
            let cycle = format!("{} -> {name}", self.open.join(" -> "));
            self.error(4222, module.module.name.span, format!("circular dependency among modules: {cycle}"));
            return None;
        }
        self.open.push(name.clone());
        let outer = (self.file, std::mem::replace(&mut self.module, (name.clone(), module.standard)));
        let pending = std::mem::take(&mut self.pending);
        self.file = module.file;
        let none = None;
        let substitutions = if shareable { &none } else { substitutions };
        let resolved = Rc::new(self.body(module, substitutions));
        self.check_pending();
        self.pending = pending;
        (self.file, self.module) = outer;
        self.open.pop();
        if shareable {
            self.resolved.insert(name, resolved.clone());
        }
        Some(resolved)
    }

    fn check_pending(&mut self) {
        for (name, id) in std::mem::take(&mut self.pending) {
            let place = self.definitions[id.0 as usize].place;
            self.error(
                4291,
                Span::new(place.start, place.end),
                format!("symbol `{name}` is declared RECURSIVE but not defined"),
            );
        }
    }

    /// The module, or one that it extends, declares constants or variables, so that each instance is another copy.
    fn has_parameters(&mut self, module: &ModuleRef) -> bool {
        let declares = |u: &ast::Unit| matches!(u.kind, UnitKind::Constants(_) | UnitKind::Variables(_));
        if module.enclosing.is_some() || module.module.units.iter().any(declares) {
            return true;
        }
        module.module.extends.iter().any(|name| {
            !self.open.contains(&name.name) && self.find_file(&name.name).is_some_and(|m| self.has_parameters(&m))
        })
    }

    fn body(&mut self, module: &ModuleRef, substitutions: &Substitutions) -> ResolvedModule {
        let scope = module.enclosing.as_deref().cloned().unwrap_or_default();
        let mut body =
            Body { scope, exports: Exports::default(), assumptions: Vec::new(), declared: Vec::new(), substitutions };
        for extended in &module.module.extends {
            self.extend(extended, &mut body);
        }
        for unit in &module.module.units {
            self.unit(unit, &mut body);
        }
        ResolvedModule { exports: body.exports, assumptions: body.assumptions, declared: body.declared }
    }

    fn extend(&mut self, name: &ast::Ident, body: &mut Body<'_>) {
        let Some(resolved) = self.find_module(name, &body.scope).and_then(|m| self.module(&m, body.substitutions))
        else {
            return;
        };
        for exported in &resolved.exports.order {
            let binding = resolved.exports.names[exported].clone();
            match body.scope.get(exported) {
                Some(other) if !other.same(&binding) => self.conflict(name, exported, other.clone(), &binding),
                Some(_) => {}
                None => body.scope.bind(exported, binding.clone()),
            }
            body.export(exported, binding);
        }
        body.scope.modules.extend(resolved.exports.modules.clone());
        body.exports.modules.extend(resolved.exports.modules.clone());
        body.declared.extend(resolved.declared.iter().cloned());
        body.assumptions.extend(resolved.assumptions.iter().cloned());
    }

    /// Two extended modules give a name different meanings: a warning if both define it, else an error (4224).
    fn conflict(&mut self, extended: &ast::Ident, name: &str, first: Binding, second: &Binding) {
        let declared = |b: &Binding| matches!(b, Binding::Variable(_));
        let message = format!("`{name}` of module `{}` conflicts with another definition of it", extended.name);
        let mut diagnostic = Diagnostic::error(4224, message, extended.span);
        if declared(&first) == declared(second) {
            diagnostic.code = 4800;
            diagnostic.severity = primed_syntax::diagnostic::Severity::Warning;
        }
        self.complain(diagnostic);
    }

    /// The module that a name after EXTENDS or INSTANCE means.
    pub(crate) fn find_module(&mut self, name: &ast::Ident, scope: &Scope) -> Option<ModuleRef> {
        if let Some(inner) = scope.modules.get(&name.name) {
            return Some(inner.clone());
        }
        let found = self.find_file(&name.name);
        if found.is_none() {
            let message = format!("cannot find source file for module `{}`", name.name);
            self.complain(
                Diagnostic::error(4220, message, name.span)
                    .with_help("put its file beside the specification, or name its folder as a library"),
            );
        }
        found
    }

    fn unit(&mut self, unit: &ast::Unit, body: &mut Body<'_>) {
        match &unit.kind {
            UnitKind::Constants(declarations) => declarations.iter().for_each(|d| self.constant(d, body)),
            UnitKind::Variables(names) => names.iter().for_each(|name| self.variable(name, body)),
            UnitKind::Recursive(declarations) => {
                for declaration in declarations {
                    let id = self.declare_recursive(declaration);
                    self.define(&declaration.name, Binding::Definition(id), &mut body.scope);
                }
            }
            UnitKind::Definition(definition) => self.definition_unit(definition, body),
            UnitKind::Instance { local, instance } => self.instance_unit(*local, instance, body),
            UnitKind::Assumption(assumption) => self.assumption(assumption, body),
            UnitKind::Theorem(theorem) => self.theorem(theorem, body),
            UnitKind::Module(inner) => {
                let enclosing = Some(Rc::new(body.scope.clone()));
                let name = inner.name.name.clone();
                let module = Rc::new((**inner).clone());
                let reference = ModuleRef { module, file: self.file, standard: self.module.1, enclosing };
                body.scope.modules.insert(name.clone(), reference.clone());
                body.exports.modules.insert(name, reference);
            }
            UnitKind::UseHide(_) | UnitKind::Separator => {}
        }
    }

    fn constant(&mut self, declaration: &ast::OpDecl, body: &mut Body<'_>) {
        let name = &declaration.name;
        body.declared.push((name.name.clone(), declaration.arity));
        let binding = match body.substitutions {
            Some(substitutions) => match substitutions.get(&name.name) {
                Some(binding) => binding.clone(),
                None => return,
            },
            None => {
                let params = (0..declaration.arity).map(|i| self.param(&format!("a{}", i + 1).into(), 0)).collect();
                let id = self.add_definition(Definition {
                    name: name.name.clone(),
                    module: self.module.0.clone(),
                    standard: false,
                    params,
                    body: self.expr(
                        ExprKind::Unsupported(format!("the constant `{}`, which has no value,", name.name).into()),
                        name.span,
                        Level::Constant,
                    ),
                    recursive: false,
                    level: Level::Constant,
                    place: self.place(name.span),
                });
                self.open_constants.push(id);
                Binding::Definition(id)
            }
        };
        self.define(name, binding.clone(), &mut body.scope);
        body.export(&name.name, binding);
    }

    fn variable(&mut self, name: &ast::Ident, body: &mut Body<'_>) {
        body.declared.push((name.name.clone(), 0));
        let binding = match body.substitutions {
            Some(substitutions) => match substitutions.get(&name.name) {
                Some(binding) => binding.clone(),
                None => return,
            },
            None => Binding::Variable(self.add_variable(name)),
        };
        self.define(name, binding.clone(), &mut body.scope);
        body.export(&name.name, binding);
    }

    /// Binds a name that must not have another meaning here (4201).
    pub(crate) fn define(&mut self, name: &ast::Ident, binding: Binding, scope: &mut Scope) {
        if let Some(other) = scope.get(&name.name) {
            if !other.same(&binding) {
                let message = format!("operator `{}` is already defined or declared", name.name);
                let help = "TLA+ has no shadowing: choose another name";
                self.complain(Diagnostic::error(4201, message, name.span).with_help(help));
            }
        } else if crate::builtin::lookup(&name.name).is_some() || matches!(&*name.name, "TRUE" | "FALSE") {
            let message = format!("symbol `{}` is a built-in operator and cannot be redefined", name.name);
            self.error(4202, name.span, message);
        }
        scope.bind(&name.name, binding);
    }

    pub(crate) fn declare_recursive(&mut self, declaration: &ast::OpDecl) -> DefinitionId {
        let params = (0..declaration.arity).map(|_| self.param(&"_".into(), 0)).collect();
        let name = declaration.name.name.clone();
        let id = self.add_definition(Definition {
            name: name.clone(),
            module: self.module.0.clone(),
            standard: self.module.1,
            params,
            body: self.broken(declaration.name.span),
            recursive: true,
            level: Level::Constant,
            place: self.place(declaration.name.span),
        });
        self.pending.push((name, id));
        id
    }

    fn definition_unit(&mut self, definition: &ast::Definition, body: &mut Body<'_>) {
        let name = &definition.name;
        let binding = match &definition.body {
            ast::DefinitionBody::Instance(instance) => {
                match self.named_instance(name, &definition.params, instance, &body.scope) {
                    Some(instance) => Binding::Instance(instance),
                    None => return,
                }
            }
            _ => Binding::Definition(self.definition(definition, &body.scope)),
        };
        self.define(name, binding.clone(), &mut body.scope);
        if !definition.local {
            body.export(&name.name, binding);
        }
    }

    /// Resolves the right-hand side; a name that was declared RECURSIVE keeps its number.
    pub(crate) fn definition(&mut self, definition: &ast::Definition, scope: &Scope) -> DefinitionId {
        let name = &definition.name.name;
        let declared = self.pending.iter().position(|(n, _)| n == name).map(|i| self.pending.remove(i).1);
        let mut inner = scope.clone();
        let params = self.bind_params(&definition.params, &mut inner);
        let body = match &definition.body {
            ast::DefinitionBody::Operator(body) => self.expression(body, &inner),
            ast::DefinitionBody::Function { bounds, body } => {
                self.function_definition(&definition.name, bounds, body, &inner)
            }
            ast::DefinitionBody::Instance(instance) => self.broken(instance.span),
        };
        let level = body.level;
        let place = self.place(definition.span);
        if let Some(id) = declared {
            let old = &self.definitions[id.0 as usize];
            if old.params.len() != params.len() {
                let message = format!("definition of `{name}` has different arity than its RECURSIVE declaration");
                self.error(4292, definition.name.span, message);
            }
            let old = &mut self.definitions[id.0 as usize];
            (old.params, old.body, old.level, old.place) = (params, body, level, place);
            return id;
        }
        let (module, standard) = self.module.clone();
        self.add_definition(Definition {
            name: name.clone(),
            module,
            standard,
            params,
            body,
            recursive: false,
            level,
            place,
        })
    }

    /// Binds the parameters of a definition or instance; each must be new.
    pub(crate) fn bind_params(&mut self, written: &[ast::OpDecl], scope: &mut Scope) -> Vec<Param> {
        let params: Vec<Param> = written.iter().map(|p| self.param(&p.name.name, p.arity)).collect();
        for (param, written) in params.iter().zip(written) {
            self.bind_new(param, written.name.span, scope);
        }
        params
    }

    /// Binds a parameter or bound name, which must be new (4201).
    pub(crate) fn bind_new(&mut self, param: &Param, span: Span, scope: &mut Scope) {
        if scope.get(&param.name).is_some() {
            let message = format!("operator `{}` is already defined or declared", param.name);
            let help = "TLA+ has no shadowing: choose another name";
            self.complain(Diagnostic::error(4201, message, span).with_help(help));
        }
        scope.bind_param(param);
    }

    fn instance_unit(&mut self, local: bool, instance: &ast::Instance, body: &mut Body<'_>) {
        let Some(exports) = self.instantiate(None, &[], instance, &body.scope) else { return };
        for name in &exports.order {
            let binding = exports.names[name].clone();
            if body.scope.get(name).is_none() {
                body.scope.bind(name, binding.clone());
            } else if !body.scope.names[name].same(&binding) {
                continue;
            }
            if !local {
                body.export(name, binding);
            }
        }
    }

    /// `I(params) == INSTANCE ...`.
    pub(crate) fn named_instance(
        &mut self,
        name: &ast::Ident,
        params: &[ast::OpDecl],
        instance: &ast::Instance,
        scope: &Scope,
    ) -> Option<Rc<Instance>> {
        let mut inner = scope.clone();
        let bound = self.bind_params(params, &mut inner);
        let names = self.instantiate(Some(name), &bound, instance, &inner)?;
        Some(Rc::new(Instance { params: bound, names }))
    }

    /// The names of a module under its substitutions; the declared names themselves are not among them.
    pub(crate) fn instantiate(
        &mut self,
        name: Option<&ast::Ident>,
        params: &[Param],
        instance: &ast::Instance,
        scope: &Scope,
    ) -> Option<Exports> {
        let module = self.find_module(&instance.module, scope)?;
        let declared = self.declarations(&module, scope);
        let mut substitutions = im::HashMap::new();
        for substitution in &instance.substitutions {
            let name = &substitution.target;
            let Some((_, arity)) = declared.iter().find(|(n, _)| *n == name.name) else {
                self.error(4242, name.span, format!("`{}` is not a legal target of a substitution", name.name));
                continue;
            };
            let binding = self.substitution(&substitution.value, *arity, scope);
            if substitutions.insert(name.name.clone(), binding).is_some() {
                self.error(4241, name.span, format!("multiple substitutions for symbol `{}`", name.name));
            }
        }
        for (name, _) in &declared {
            if substitutions.contains_key(name) {
                continue;
            }
            match scope.get(name) {
                Some(binding) => {
                    substitutions.insert(name.clone(), binding.clone());
                }
                None => {
                    let message =
                        format!("substitution missing for symbol `{name}` of module `{}`", instance.module.name);
                    let help = format!("write `WITH {name} <- ...`, or declare `{name}` here");
                    self.complain(Diagnostic::error(4240, message, instance.span).with_help(help));
                    return None;
                }
            }
        }
        let origin = self.origin(name, params, instance, declared.is_empty());
        let outer = std::mem::replace(&mut self.instance, origin);
        let resolved = self.module(&module, &Some(substitutions));
        self.instance = outer;
        let mut exports = resolved?.exports.clone();
        exports.order.retain(|n| !declared.iter().any(|(d, _)| d == n));
        for (name, _) in &declared {
            exports.names.remove(name);
        }
        Some(exports)
    }

    /// What is remembered of an INSTANCE; within another one, its name is longer.
    fn origin(
        &self,
        name: Option<&ast::Ident>,
        params: &[Param],
        instance: &ast::Instance,
        unchanged: bool,
    ) -> Option<Arc<InstanceOrigin>> {
        let prefix = name.map(|n| format!("{}!", n.name)).unwrap_or_default();
        match &self.instance {
            Some(outer) => Some(Arc::new(InstanceOrigin {
                prefix: format!("{}{prefix}", outer.prefix),
                place: outer.place,
                params: [&outer.params, params].concat(),
            })),
            None if unchanged => None,
            None => {
                let span = name.map_or(instance.span, |n| Span::new(n.span.start, instance.span.end));
                Some(Arc::new(InstanceOrigin { prefix, place: self.place(span), params: params.to_vec() }))
            }
        }
    }

    /// A plain name stands for what it is bound to; anything else is resolved at each use.
    fn substitution(&mut self, value: &ast::Expr, arity: usize, scope: &Scope) -> Binding {
        if let ast::ExprKind::Name(name) = &*value.kind
            && let Some(binding) = scope.get(&name.name)
        {
            return binding.clone();
        }
        if arity == 0 {
            // Resolved once here, so that its errors are reported even if the module never uses the name.
            self.expression(value, scope);
        }
        Binding::Substituted(Rc::new(Substituted { value: value.clone(), file: self.file, scope: scope.clone() }))
    }

    /// The names that a module and those it extends declare.
    fn declarations(&mut self, module: &ModuleRef, scope: &Scope) -> Vec<(Arc<str>, usize)> {
        let mut declared = Vec::new();
        for extended in &module.module.extends {
            if self.open.contains(&extended.name) {
                continue;
            }
            let scope = module.enclosing.as_deref().unwrap_or(scope);
            let inner = scope.modules.get(&extended.name).cloned().or_else(|| self.find_file(&extended.name));
            if let Some(inner) = inner.filter(|m| !Rc::ptr_eq(&m.module, &module.module)) {
                declared.extend(self.declarations(&inner, scope));
            }
        }
        for unit in &module.module.units {
            match &unit.kind {
                UnitKind::Constants(names) => declared.extend(names.iter().map(|d| (d.name.name.clone(), d.arity))),
                UnitKind::Variables(names) => declared.extend(names.iter().map(|n| (n.name.clone(), 0))),
                _ => {}
            }
        }
        declared
    }

    fn assumption(&mut self, assumption: &ast::Assumption, body: &mut Body<'_>) {
        let expr = self.expression(&assumption.body, &body.scope);
        if expr.level != Level::Constant {
            let message = "level error: assumptions must be level 0 (constant)";
            self.error(4206, assumption.body.span, message);
        }
        if let Some(name) = &assumption.name {
            let id = self.fact(name, expr.clone());
            self.define(name, Binding::Definition(id), &mut body.scope);
            body.export(&name.name, Binding::Definition(id));
        }
        if !assumption.axiom {
            let name = assumption.name.as_ref().map(|n| n.name.clone());
            body.assumptions.push(Assumption { name, expr });
        }
    }

    fn theorem(&mut self, theorem: &ast::Theorem, body: &mut Body<'_>) {
        let expr = match &theorem.body {
            ast::Assertion::Expr(expr) => self.expression(expr, &body.scope),
            ast::Assertion::AssumeProve { span, .. } => {
                self.expr(ExprKind::Unsupported("an ASSUME/PROVE".into()), *span, Level::Constant)
            }
        };
        if let Some(name) = &theorem.name {
            let id = self.fact(name, expr);
            self.define(name, Binding::Definition(id), &mut body.scope);
            body.export(&name.name, Binding::Definition(id));
        }
    }

    /// A named assumption or theorem can be used like a definition.
    fn fact(&mut self, name: &ast::Ident, body: crate::model::Expr) -> DefinitionId {
        let (module, standard) = self.module.clone();
        let (level, place) = (body.level, self.place(name.span));
        let name = name.name.clone();
        self.add_definition(Definition {
            name,
            module,
            standard,
            params: Vec::new(),
            body,
            recursive: false,
            level,
            place,
        })
    }
}
