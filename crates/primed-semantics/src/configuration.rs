//! A TLC configuration applied to the root module.

use std::sync::Arc;

use primed_syntax::ast::Ident;
use primed_syntax::cfg::{CfgValue, Config, ConstantEntry, ConstantValue};
use primed_syntax::span::Span;
use primed_value::error::Place;
use primed_value::symbol::Symbols;
use primed_value::value::ModelValue;

use crate::model::{
    Argument, Behaviour, Builtin, DefinitionId, Expr, ExprKind, Level, LocalDefinition, Named, Subscripted,
};
use crate::resolver::Resolver;
use crate::scope::{Binding, Exports};

/// Interns the model values of a configuration in order: TLC reads it before the specification.
pub(crate) fn intern(config: &Config, symbols: &Symbols) {
    fn value(v: &CfgValue, symbols: &Symbols) {
        match v {
            CfgValue::Model(name) => {
                symbols.intern(&name.name);
            }
            CfgValue::Set(items) => items.iter().for_each(|i| value(i, symbols)),
            _ => {}
        }
    }
    for entry in &config.constants {
        if let ConstantValue::Value(v) = &entry.value {
            value(v, symbols);
        }
    }
}

/// The model value of a name: typed if it has the shape `T_...`.
pub fn model_value(name: &str, symbols: &Symbols) -> ModelValue {
    let kind = match name.as_bytes() {
        [letter, b'_', ..] => *letter,
        _ => 0,
    };
    ModelValue { name: symbols.intern(name), kind }
}

impl Resolver {
    /// Gives constants their values and replaces definitions. `self.file` is the configuration's number.
    pub(crate) fn constants(&mut self, config: &Config, exports: &Exports) {
        for entry in &config.constants {
            let Some(target) = self.target(entry, exports) else { continue };
            match &entry.value {
                ConstantValue::Value(value) => {
                    let body = self.config_value(value, entry.span);
                    self.set_value(target, entry, body);
                }
                ConstantValue::Definition(name) => self.replace(target, name, exports),
            }
        }
        for id in std::mem::take(&mut self.open_constants) {
            let definition = &self.definitions[id.0 as usize];
            let place = definition.place;
            let message = format!(
                "the constant parameter `{}` is not assigned a value by the configuration file",
                definition.name
            );
            self.file = place.file;
            self.error(2222, Span::new(place.start, place.end), message);
        }
    }

    /// The definition that an entry's left side means. TLC ignores an unknown name before `=`, not before `<-`.
    fn target(&mut self, entry: &ConstantEntry, exports: &Exports) -> Option<DefinitionId> {
        let name = &entry.target.name;
        if let Some(module) = &entry.module {
            let inside = |d: &crate::model::Definition| d.name == *name && d.module == module.name;
            let found = self.definitions.iter().position(inside).map(|i| DefinitionId(i as u32));
            if found.is_none() {
                let message = format!("module `{}` does not define `{name}`", module.name);
                self.error(2245, module.span, message);
            }
            return found;
        }
        let found = find_export(exports, name);
        if found.is_none() && matches!(entry.value, ConstantValue::Definition(_)) {
            let message = format!("the identifier `{name}` does not appear in the specification");
            self.error(2226, entry.target.span, message);
        }
        found
    }

    fn set_value(&mut self, target: DefinitionId, entry: &ConstantEntry, value: Expr) {
        let first = match self.open_constants.iter().position(|id| *id == target) {
            Some(i) => {
                self.open_constants.remove(i);
                true
            }
            None => false,
        };
        let params = self.definitions[target.0 as usize].params.clone();
        let body = if entry.args.is_empty() {
            value
        } else if params.len() != entry.args.len() {
            let message = format!("the arity of the operator `{}` is inconsistent", entry.target.name);
            return self.error(2242, entry.target.span, message);
        } else {
            self.table_row(target, entry, value, first)
        };
        let definition = &mut self.definitions[target.0 as usize];
        (definition.level, definition.body, definition.standard) = (Level::Constant, body, false);
    }

    /// `F(1, 2) = v`: one more arm of a CASE on the arguments.
    fn table_row(&mut self, target: DefinitionId, entry: &ConstantEntry, value: Expr, first: bool) -> Expr {
        let params = self.definitions[target.0 as usize].params.clone();
        let span = entry.span;
        let items = params
            .iter()
            .zip(&entry.args)
            .map(|(param, arg)| {
                let local = self.expr(ExprKind::Local(param.local), span, Level::Constant);
                let arg = self.config_value(arg, span);
                self.builtin(Builtin::Equal, vec![local, arg], span)
            })
            .collect();
        let guard = self.expr(ExprKind::Junction { and: true, items }, span, Level::Constant);
        let mut arms = match *self.definitions[target.0 as usize].body.kind.clone() {
            ExprKind::Case { arms, other: None } if !first => arms,
            _ => Vec::new(),
        };
        arms.push((guard, value));
        self.expr(ExprKind::Case { arms, other: None }, span, Level::Constant)
    }

    fn replace(&mut self, target: DefinitionId, name: &Ident, exports: &Exports) {
        let Some(source) = find_export(exports, &name.name) else {
            let target = self.definitions[target.0 as usize].name.clone();
            let message = format!("the configuration file substitutes for `{target}` with undefined `{}`", name.name);
            return self.error(2224, name.span, message);
        };
        let constant = self.open_constants.contains(&target);
        self.open_constants.retain(|id| *id != target);
        let (old, new) = (&self.definitions[target.0 as usize], &self.definitions[source.0 as usize]);
        if old.params.len() != new.params.len() {
            let message = format!(
                "the configuration file substitutes for `{}` with `{}` of different number of arguments",
                old.name, new.name
            );
            return self.error(2225, name.span, message);
        }
        if constant && new.level > Level::Constant {
            let message =
                format!("the configuration file substitutes constant `{}` with non-constant `{}`", old.name, new.name);
            return self.error(2281, name.span, message);
        }
        let (level, place) = (new.level, old.place);
        let args = old
            .params
            .iter()
            .map(|p| {
                let kind = Box::new(ExprKind::Local(p.local));
                Argument::Value(Expr { kind, place, level: Level::Constant })
            })
            .collect();
        let kind = Box::new(ExprKind::Call { definition: source, args });
        let definition = &mut self.definitions[target.0 as usize];
        definition.body = Expr { kind, place, level };
        (definition.level, definition.standard) = (level, false);
    }

    fn config_value(&mut self, value: &CfgValue, span: Span) -> Expr {
        let kind = match value {
            CfgValue::Int(n) => ExprKind::Int(*n),
            CfgValue::Bool(b) => ExprKind::Bool(*b),
            CfgValue::String(text) => ExprKind::String(self.symbols.intern(text)),
            CfgValue::Model(name) => ExprKind::Model(model_value(&name.name, &self.symbols)),
            CfgValue::Set(items) => ExprKind::SetEnum(items.iter().map(|i| self.config_value(i, span)).collect()),
        };
        self.expr(kind, span, Level::Constant)
    }

    /// What the configuration names, found in the root module.
    pub(crate) fn behaviour(&mut self, config: &Config, exports: &Exports) -> Behaviour {
        let mut behaviour = Behaviour { check_deadlock: config.check_deadlock, ..Behaviour::default() };
        let mut one = |kind: &str, name: &Option<Ident>| {
            let name = name.as_ref()?;
            self.named(kind, name, exports)
        };
        behaviour.init = one("initial predicate", &config.init).map(|n| n.expr);
        behaviour.next = one("next-state action", &config.next).map(|n| n.expr);
        let specification = one("specification", &config.specification);
        behaviour.symmetry = one("symmetry function", &config.symmetry);
        behaviour.view = one("view function", &config.view);
        behaviour.alias = one("alias", &config.alias);
        let mut many = |kind: &str, names: &[Ident]| -> Vec<Named> {
            names.iter().filter_map(|n| self.named(kind, n, exports)).collect()
        };
        behaviour.invariants = many("invariant", &config.invariants);
        behaviour.properties = many("property", &config.properties);
        behaviour.constraints = many("state constraint", &config.constraints);
        behaviour.action_constraints = many("action constraint", &config.action_constraints);
        behaviour.postconditions = many("post-condition", &config.postconditions);
        if let (Some(specification), Some(name)) = (specification, &config.specification) {
            if config.init.is_some() || config.next.is_some() {
                self.error(2227, name.span, "the configuration file cannot specify both INIT/NEXT and SPECIFICATION");
            }
            self.specification(&specification.expr, &[], 0, &mut behaviour);
        }
        behaviour
    }

    fn named(&mut self, kind: &str, name: &Ident, exports: &Exports) -> Option<Named> {
        let Some(id) = find_export(exports, &name.name) else {
            if let Some(Binding::Variable(v)) = exports.names.get(&name.name) {
                let expr = self.expr(ExprKind::Variable(*v), name.span, Level::State);
                return Some(Named { name: name.name.clone(), expr });
            }
            let message = format!(
                "the {kind} `{}` specified in the configuration file is not defined in the specification",
                name.name
            );
            self.error(2229, name.span, message);
            return None;
        };
        let definition = &self.definitions[id.0 as usize];
        if !definition.params.is_empty() {
            self.error(2228, name.span, format!("TLC requires `{}` not to take any argument", name.name));
            return None;
        }
        let (place, level) = (definition.body.place, definition.level);
        let kind = Box::new(ExprKind::Call { definition: id, args: Vec::new() });
        Some(Named { name: name.name.clone(), expr: Expr { kind, place, level } })
    }

    /// Splits `Init /\ [][Next]_v /\ fairness` (`SANY_AND_TLC.md` 4.1), unfolding definitions and LET.
    fn specification(&mut self, expr: &Expr, around: &[Vec<LocalDefinition>], depth: usize, behaviour: &mut Behaviour) {
        if depth > 1000 {
            return;
        }
        let place = expr.place;
        match &*expr.kind {
            ExprKind::Junction { and: true, items } | ExprKind::Builtin { op: Builtin::And, args: items } => {
                items.iter().for_each(|i| self.specification(i, around, depth + 1, behaviour));
            }
            ExprKind::Let { definitions, body } => {
                let around = [around, std::slice::from_ref(definitions)].concat();
                self.specification(body, &around, depth + 1, behaviour);
            }
            _ if expr.level <= Level::State => {
                let part = wrapped(expr.clone(), around);
                behaviour.init = Some(conjoin(behaviour.init.take(), part));
            }
            ExprKind::Call { definition, args } => {
                let definition = self.definitions[definition.0 as usize].clone();
                let bindings = definition.params.iter().zip(args).map(|(param, arg)| {
                    let (params, body) = match arg {
                        Argument::Value(e) => (Vec::new(), e.clone()),
                        Argument::Operator(l) => (l.params.clone(), l.body.clone()),
                    };
                    LocalDefinition { local: param.local, name: param.name.clone(), params, body }
                });
                let bindings: Vec<LocalDefinition> = bindings.collect();
                let around = if bindings.is_empty() { around.to_vec() } else { [around, &[bindings]].concat() };
                self.specification(&definition.body, &around, depth + 1, behaviour);
            }
            ExprKind::Builtin { op: Builtin::Always, args } => match args.first().map(|a| &*a.kind) {
                Some(ExprKind::Subscripted { kind: Subscripted::Square, action, .. }) => {
                    if behaviour.next.is_some() {
                        self.at_place(
                            2240,
                            place,
                            "the specification contains more than one conjunct of the form [][Next]_v",
                        );
                    }
                    behaviour.next = Some(wrapped(action.clone(), around));
                }
                _ => behaviour.fairness.push(wrapped(expr.clone(), around)),
            },
            _ if expr.level == Level::Action => {
                self.at_place(2239, place, "TLC cannot handle this conjunct of the specification: it is an action");
            }
            _ => behaviour.fairness.push(wrapped(expr.clone(), around)),
        }
    }

    fn at_place(&mut self, code: u32, place: Place, message: &str) {
        self.file = place.file;
        self.error(code, Span::new(place.start, place.end), message);
    }
}

fn wrapped(expr: Expr, around: &[Vec<LocalDefinition>]) -> Expr {
    around.iter().rev().fold(expr, |body, definitions| {
        let (place, level) = (body.place, body.level);
        Expr { kind: Box::new(ExprKind::Let { definitions: definitions.clone(), body }), place, level }
    })
}

fn conjoin(before: Option<Expr>, part: Expr) -> Expr {
    match before {
        None => part,
        Some(before) => {
            let (place, level) = (before.place, before.level.max(part.level));
            Expr { kind: Box::new(ExprKind::Junction { and: true, items: vec![before, part] }), place, level }
        }
    }
}

/// The definition behind a name or `I!Op` of the root module.
pub(crate) fn find_export(exports: &Exports, name: &Arc<str>) -> Option<DefinitionId> {
    let binding = match exports.names.get(name) {
        Some(binding) => binding,
        None => {
            let (instance, rest) = name.split_once('!')?;
            let Some(Binding::Instance(instance)) = exports.names.get(instance) else { return None };
            return if instance.params.is_empty() { find_export(&instance.names, &rest.into()) } else { None };
        }
    };
    match binding {
        Binding::Definition(id) => Some(*id),
        _ => None,
    }
}
