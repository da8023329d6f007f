//! Module bodies: declarations, definitions, EXTENDS and INSTANCE.

use std::rc::Rc;
use std::sync::Arc;

use primed_syntax::ast::{self, UnitKind};
use primed_syntax::span::Span;

use crate::model::{Assumption, Definition, DefinitionId, ExprKind, InstanceOrigin, Level, Param};
use crate::resolver::{ResolvedModule, Resolver};
use crate::scope::{Binding, Exports, Instance, ModuleRef, Scope, Substituted};
use crate::selection::{Defined, Written};

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

impl Resolver {
    /// Resolves a module for itself (once) or under substitutions (each time).
    pub(crate) fn module(&mut self, module: &ModuleRef, substitutions: &Substitutions) -> Option<Rc<ResolvedModule>> {
        let name = module.module.name.name.clone();
        let shareable = module.enclosing.is_none() && !(substitutions.is_some() && self.has_parameters(module));
        if let Some(done) = self.resolved.get(&name).filter(|_| shareable) {
            return Some(done.clone());
        }
        if self.open.contains(&name) {
            self.unresolved(module.module.name.span);
            return None;
        }
        self.open.push(name.clone());
        let outer = (self.file, std::mem::replace(&mut self.module, (name.clone(), module.standard)));
        let recursive = std::mem::take(&mut self.recursive);
        self.file = module.file;
        let none = None;
        let substitutions = if shareable { &none } else { substitutions };
        let resolved = Rc::new(self.body(module, substitutions));
        self.recursive = recursive;
        (self.file, self.module) = outer;
        self.open.pop();
        if shareable {
            self.resolved.insert(name, resolved.clone());
        }
        Some(resolved)
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
        self.intern_instantiated(&module.module);
        for unit in &module.module.units {
            self.unit(unit, &mut body);
        }
        ResolvedModule {
            exports: body.exports,
            scope: body.scope,
            assumptions: body.assumptions,
            declared: body.declared,
        }
    }

    fn extend(&mut self, name: &ast::Ident, body: &mut Body<'_>) {
        let Some(resolved) = self.find_module(name, &body.scope).and_then(|m| self.module(&m, body.substitutions))
        else {
            return;
        };
        for exported in &resolved.exports.order {
            let binding = resolved.exports.names[exported].clone();
            match body.scope.names.get(exported).cloned() {
                // Of two meanings of a name, the first counts (4800).
                Some(other) => body.export(exported, other),
                None => {
                    body.scope.bind(exported, binding.clone());
                    body.export(exported, binding);
                }
            }
        }
        body.scope.modules.extend(resolved.exports.modules.clone());
        body.exports.modules.extend(resolved.exports.modules.clone());
        body.declared.extend(resolved.declared.iter().cloned());
        body.assumptions.extend(resolved.assumptions.iter().cloned());
    }

    /// The module that a name after EXTENDS or INSTANCE means.
    pub(crate) fn find_module(&mut self, name: &ast::Ident, scope: &Scope) -> Option<ModuleRef> {
        if let Some(inner) = scope.modules.get(&name.name) {
            return Some(inner.clone());
        }
        self.find_file(&name.name)
    }

    fn unit(&mut self, unit: &ast::Unit, body: &mut Body<'_>) {
        match &unit.kind {
            UnitKind::Constants(declarations) => declarations.iter().for_each(|d| self.constant(d, body)),
            UnitKind::Variables(names) => names.iter().for_each(|name| self.variable(name, body)),
            UnitKind::Recursive(declarations) => {
                for declaration in declarations {
                    let id = self.declare_recursive(declaration);
                    body.scope.bind(&declaration.name.name, Binding::Definition(id));
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
        body.scope.bind(&name.name, binding.clone());
        body.export(&name.name, binding);
    }

    fn variable(&mut self, name: &ast::Ident, body: &mut Body<'_>) {
        body.declared.push((name.name.clone(), 0));
        let binding = match body.substitutions {
            Some(substitutions) => match substitutions.get(&name.name) {
                Some(binding) => self.stand_in(binding, substitutions),
                None => return,
            },
            None => Binding::Variable(self.add_variable(name)),
        };
        body.scope.bind(&name.name, binding.clone());
        body.export(&name.name, binding);
    }

    pub(crate) fn declare_recursive(&mut self, declaration: &ast::OpDecl) -> DefinitionId {
        let params = (0..declaration.arity).map(|_| self.param(&"_".into(), 0)).collect();
        let name = declaration.name.name.clone();
        let id = self.add_definition(Definition {
            name: name.clone(),
            module: self.module.0.clone(),
            standard: self.module.1,
            params,
            body: self.unknown(declaration.name.span),
            recursive: true,
            level: Level::Constant,
            place: self.place(declaration.name.span),
        });
        self.recursive.pending.push((name, id));
        id
    }

    fn definition_unit(&mut self, definition: &Arc<ast::Definition>, body: &mut Body<'_>) {
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
        body.scope.bind(&name.name, binding.clone());
        if !definition.local {
            body.export(&name.name, binding);
        }
    }

    /// Resolves the right-hand side; a name that was declared RECURSIVE keeps its number.
    pub(crate) fn definition(&mut self, definition: &Arc<ast::Definition>, scope: &Scope) -> DefinitionId {
        let name = &definition.name.name;
        let pending = &mut self.recursive.pending;
        let in_section = !pending.is_empty();
        let declared = pending.iter().position(|(n, _)| n == name).map(|i| pending.remove(i).1);
        let mut inner = scope.clone();
        let params = self.bind_params(&definition.params, &mut inner);
        if let Some(id) = declared {
            // A declaration does not tell which parameters are operators; in its own body that is known.
            self.definitions[id.0 as usize].params = params.clone();
        }
        let body = match &definition.body {
            ast::DefinitionBody::Operator(body) => self.expression(body, &inner),
            ast::DefinitionBody::Function { bounds, body } => {
                self.function_definition(&definition.name, bounds, body, &inner)
            }
            ast::DefinitionBody::Instance(instance) => self.unresolved(instance.span),
        };
        let level = body.level;
        let place = self.place(definition.span);
        let id = match declared {
            Some(id) => {
                let old = &mut self.definitions[id.0 as usize];
                (old.params, old.body, old.level, old.place) = (params, body, level, place);
                id
            }
            None => {
                let (module, standard) = self.module.clone();
                let name = name.clone();
                self.add_definition(Definition { name, module, standard, params, body, recursive: false, level, place })
            }
        };
        self.remember(Defined::Definition(id), Written::Definition(definition.clone()), scope);
        if in_section {
            self.defined_in_section(id);
        }
        id
    }

    /// Something is defined between a RECURSIVE and the last definition that it announces: with that, all of them get the highest
    /// level of those that were announced (SANY's `ModuleNode.levelCheck`).
    fn defined_in_section(&mut self, id: DefinitionId) {
        self.recursive.section.push(id);
        if !self.recursive.pending.is_empty() {
            return;
        }
        let section = std::mem::take(&mut self.recursive.section);
        let definitions = &mut self.definitions;
        let announced = section.iter().map(|id| &definitions[id.0 as usize]).filter(|d| d.recursive);
        let highest = announced.map(|d| d.level).max().unwrap_or_default();
        for id in section {
            let level = &mut definitions[id.0 as usize].level;
            *level = highest.max(*level);
        }
    }

    /// Binds the parameters of a definition or instance.
    pub(crate) fn bind_params(&mut self, written: &[ast::OpDecl], scope: &mut Scope) -> Vec<Param> {
        let params: Vec<Param> = written.iter().map(|p| self.param(&p.name.name, p.arity)).collect();
        params.iter().for_each(|p| scope.bind_param(p));
        params
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
            let Some((_, arity)) = declared.iter().find(|(n, _)| *n == name.name) else { continue };
            let binding = self.substitution(&substitution.value, *arity, scope);
            substitutions.insert(name.name.clone(), binding);
        }
        for (name, _) in &declared {
            if !substitutions.contains_key(name)
                && let Some(binding) = scope.get(name)
            {
                substitutions.insert(name.clone(), binding.clone());
            }
        }
        let origin = self.origin(name, params, instance, declared.is_empty());
        self.instantiations += 1;
        let outer = (std::mem::replace(&mut self.instance, origin), self.instantiation);
        self.instantiation = self.instantiations;
        let resolved = self.module(&module, &Some(substitutions));
        (self.instance, self.instantiation) = outer;
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
        let (file, instance) = (self.file, self.instantiation);
        Binding::Substituted(Rc::new(Substituted { value: value.clone(), file, scope: scope.clone(), instance }))
    }

    /// What a variable of an instantiated module means: a variable that no other one of the module stands for can take its place.
    fn stand_in(&mut self, binding: &Binding, all: &im::HashMap<Arc<str>, Binding>) -> Binding {
        let alone = matches!(binding, Binding::Variable(_)) && all.values().filter(|b| b.same(binding)).count() == 1;
        if alone {
            return binding.clone();
        }
        self.stand_ins += 1;
        Binding::StandIn { instance: self.instantiation, number: self.stand_ins - 1, value: Rc::new(binding.clone()) }
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

    fn assumption(&mut self, assumption: &Arc<ast::Assumption>, body: &mut Body<'_>) {
        let expr = self.expression(&assumption.body, &body.scope);
        if let Some(name) = &assumption.name {
            let id = self.fact(name, expr.clone());
            self.remember(Defined::Definition(id), Written::Assumption(assumption.clone()), &body.scope);
            body.scope.bind(&name.name, Binding::Definition(id));
            body.export(&name.name, Binding::Definition(id));
        }
        if !assumption.axiom {
            let name = assumption.name.as_ref().map(|n| n.name.clone());
            body.assumptions.push(Assumption { name, expr });
        }
    }

    fn theorem(&mut self, theorem: &Arc<ast::Theorem>, body: &mut Body<'_>) {
        let expr = match &theorem.body {
            ast::Assertion::Expr(expr) => self.expression(expr, &body.scope),
            ast::Assertion::AssumeProve { span, .. } => {
                self.expr(ExprKind::Unsupported("an ASSUME/PROVE".into()), *span, Level::Constant)
            }
        };
        if let Some(name) = &theorem.name {
            let id = self.fact(name, expr);
            self.remember(Defined::Definition(id), Written::Theorem(theorem.clone()), &body.scope);
            body.scope.bind(&name.name, Binding::Definition(id));
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
