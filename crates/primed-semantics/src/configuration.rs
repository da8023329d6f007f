//! The constants of a TLC configuration: values, tables and replacements. The words of errors are TLC's.

use std::sync::Arc;

use primed_syntax::ast::{Ident, UnitKind};
use primed_syntax::cfg::{CfgValue, Config, ConstantEntry, ConstantValue};
use primed_syntax::diagnostic::Diagnostic;
use primed_syntax::span::Span;
use primed_value::error::Place;
use primed_value::symbol::Symbols;
use primed_value::value::ModelValue;

use crate::model::{Argument, Builtin, Definition, DefinitionId, Expr, ExprKind, Lambda, Level, Param};
use crate::resolver::Resolver;
use crate::scope::{Binding, Scope};

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
    /// Gives constants their values and replaces definitions. `self.file` is the configuration's number. Complaints come in the
    /// order in which TLC would meet them; it ends at the first.
    pub(crate) fn constants(&mut self, config: &Config, scope: &Scope) {
        let file = self.file;
        let (inside, plain): (Vec<&ConstantEntry>, Vec<_>) = config.constants.iter().partition(|e| e.module.is_some());
        for entry in &plain {
            if let (ConstantValue::Value(value), Some(target)) = (&entry.value, find(scope, &entry.target.name)) {
                self.set_value(target, entry, value);
            }
        }
        let replaced = |name: &Arc<str>| plain.iter().any(|e| is_replacement(e) && e.target.name == *name);
        let open = std::mem::take(&mut self.open_constants);
        let strangers = plain.iter().filter(|e| !is_replacement(e) && find(scope, &e.target.name).is_none());
        let strangers: Vec<&str> = strangers.map(|e| &*e.target.name).collect();
        for id in &open {
            self.needs_value(*id, &replaced, &strangers);
        }
        self.file = file;
        for entry in &inside {
            if let (ConstantValue::Value(value), Some(module)) = (&entry.value, &entry.module) {
                // TLC says nothing if there is no such module or name.
                for target in self.inside(&module.name, &entry.target.name) {
                    self.set_value(target, entry, value);
                }
            }
        }
        let (constants, operators): (Vec<&ConstantEntry>, Vec<_>) = plain
            .iter()
            .filter(|e| is_replacement(e))
            .partition(|e| find(scope, &e.target.name).is_some_and(|id| open.contains(&id)));
        for entry in constants.iter().chain(&operators) {
            match find(scope, &entry.target.name) {
                Some(target) => self.replace(target, entry, scope, &replaced, open.contains(&target)),
                None => self.absent(&entry.target, scope),
            }
        }
        self.replace_inside(&inside, scope);
    }

    /// A declared constant that the configuration does not mention (2222). `strangers` are names that it gives values to although the
    /// specification has none of them.
    fn needs_value(&mut self, id: DefinitionId, replaced: &dyn Fn(&Arc<str>) -> bool, strangers: &[&str]) {
        let definition = &self.definitions[id.0 as usize];
        if !matches!(*definition.body.kind, ExprKind::Unsupported(_)) || replaced(&definition.name) {
            return;
        }
        let place = definition.place;
        let message =
            format!("The constant parameter {} is not assigned a value by the configuration file.", definition.name);
        let name = definition.name.clone();
        let like = |stranger: &&&str| primed_syntax::nearest(stranger, std::iter::once(&*name)).is_some();
        let help = strangers.iter().find(like).map(|stranger| {
            format!("the configuration gives a value to `{stranger}`, which the specification does not have: did you mean `{name}`?")
        });
        self.file = place.file;
        self.complain(Diagnostic { help, ..Diagnostic::error(2222, message, Span::new(place.start, place.end)) });
    }

    fn absent(&mut self, target: &Ident, scope: &Scope) {
        let message =
            format!("In the configuration file, the identifier {} does not appear in the specification.", target.name);
        let help = self.near(&target.name, scope, &[]);
        self.complain(Diagnostic { help, ..Diagnostic::error(2226, message, target.span) });
    }

    /// Advice for a name of the configuration that means nothing: one of the specification that looks like it, or a further one.
    pub(crate) fn near(&self, name: &str, scope: &Scope, further: &[&str]) -> Option<String> {
        let own = scope.names.iter().filter_map(|(known, binding)| match binding {
            Binding::Definition(id) => {
                let standard = self.definitions.get(id.0 as usize).is_some_and(|d| d.standard);
                (!standard).then_some(&**known)
            }
            _ => None,
        });
        primed_syntax::nearest(name, own).or_else(|| primed_syntax::nearest(name, further.iter().copied()))
    }

    /// `Op <- [M]Op2` (2223 to 2226, 2245).
    fn replace_inside(&mut self, entries: &[&ConstantEntry], scope: &Scope) {
        for entry in entries.iter().filter(|e| is_replacement(e)) {
            let Some(module) = &entry.module else { continue };
            if !self.parsed.contains_key(&module.name) {
                let message = format!(
                    "In the configuration file, the module name {} is not a module in the specification.",
                    module.name
                );
                let help = primed_syntax::nearest(&module.name, self.parsed.keys().map(|name| &**name));
                self.complain(Diagnostic { help, ..Diagnostic::error(2245, message, module.span) });
                continue;
            }
            let targets = self.inside(&module.name, &entry.target.name);
            if targets.is_empty() {
                self.absent(&entry.target, scope);
            }
            let same_module = |e: &&&ConstantEntry| e.module.as_ref().is_some_and(|m| m.name == module.name);
            let replaced = |name: &Arc<str>| {
                entries.iter().filter(same_module).any(|e| is_replacement(e) && e.target.name == *name)
            };
            for target in targets {
                self.replace(target, entry, scope, &replaced, false);
            }
        }
    }

    /// What a name means inside of a module: its own definitions, in each copy that an INSTANCE made, else those of the modules
    /// that it extends or instantiates without a name. Modules share those, so that a replacement concerns all of them.
    fn inside(&self, module: &Arc<str>, name: &Arc<str>) -> Vec<DefinitionId> {
        let mut queue = vec![module.clone()];
        let mut next = 0;
        while let Some(module) = queue.get(next).cloned() {
            next += 1;
            let own = |d: &(usize, &Definition)| d.1.name == *name && d.1.module == module;
            let found: Vec<DefinitionId> =
                self.definitions.iter().enumerate().filter(own).map(|(i, _)| DefinitionId(i as u32)).collect();
            if !found.is_empty() {
                return found;
            }
            let Some(parsed) = self.parsed.get(&module) else { continue };
            let instances = parsed.module.units.iter().filter_map(|u| match &u.kind {
                UnitKind::Instance { instance, .. } => Some(&instance.module),
                _ => None,
            });
            for source in parsed.module.extends.iter().chain(instances) {
                if !queue.contains(&source.name) {
                    queue.push(source.name.clone());
                }
            }
        }
        Vec::new()
    }

    fn set_value(&mut self, target: DefinitionId, entry: &ConstantEntry, value: &CfgValue) {
        // TLC sorts the sets of a configuration.
        if let Some(message) = entry.args.iter().chain([value]).find_map(unlike) {
            return self.error(1000, entry.span, message);
        }
        let value = self.config_value(value, entry.span);
        let params = self.definitions[target.0 as usize].params.clone();
        let body = if entry.args.is_empty() {
            value
        } else if params.len() != entry.args.len() {
            let message =
                format!("The arity of the operator {} is inconsistent in the configuration file.", entry.target.name);
            return self.error(2242, entry.target.span, message);
        } else {
            self.table_row(target, entry, value)
        };
        let definition = &mut self.definitions[target.0 as usize];
        (definition.level, definition.body, definition.standard) = (Level::Constant, body, false);
    }

    /// `F(1, 2) = v`: one more arm of a CASE on the arguments.
    fn table_row(&mut self, target: DefinitionId, entry: &ConstantEntry, value: Expr) -> Expr {
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
        let body = &self.definitions[target.0 as usize].body;
        let mut arms = match &*body.kind {
            // Rows that the configuration gave before.
            ExprKind::Case { arms, other: None } if body.place.file == self.file => arms.clone(),
            _ => Vec::new(),
        };
        arms.push((guard, value));
        self.expr(ExprKind::Case { arms, other: None }, span, Level::Constant)
    }

    /// `Op <- Op2` (2223 to 2225, 2281).
    fn replace(
        &mut self,
        target: DefinitionId,
        entry: &ConstantEntry,
        scope: &Scope,
        replaced: &dyn Fn(&Arc<str>) -> bool,
        constant: bool,
    ) {
        let ConstantValue::Definition(name) = &entry.value else { return };
        if replaced(&name.name) {
            let message = format!(
                "In the configuration file, the identifier {} appears\non the right-hand side of a <- after already appearing on the\nleft-hand side of one.",
                name.name
            );
            return self.error(2223, name.span, message);
        }
        if let Some(body) = self.own_value(name).filter(|_| self.definitions[target.0 as usize].params.is_empty()) {
            let definition = &mut self.definitions[target.0 as usize];
            (definition.level, definition.body, definition.standard) = (Level::Constant, body, false);
            return;
        }
        let Some(source) = find(scope, &name.name) else {
            let message = format!(
                "The configuration file substitutes for {} with the undefined identifier {}.",
                entry.target.name, name.name
            );
            let help = self.near(&name.name, scope, &[]);
            return self.complain(Diagnostic { help, ..Diagnostic::error(2224, message, name.span) });
        };
        let (old, new) = (&self.definitions[target.0 as usize], &self.definitions[source.0 as usize]);
        if old.params.len() != new.params.len() {
            let message = format!(
                "The configuration file substitutes for {} with {} of different number of arguments.",
                old.name, new.name
            );
            return self.error(2225, name.span, message);
        }
        if constant && new.params.is_empty() && new.level > Level::Constant {
            let message =
                format!("The configuration file substitutes constant {} with non-constant {}", old.name, new.name);
            return self.error(2281, name.span, message);
        }
        let (level, place) = (new.level, old.place);
        if !constant {
            self.keep_original(target, source);
        }
        let args =
            self.definitions[target.0 as usize].params.clone().iter().map(|p| self.passed_on(p, place)).collect();
        let kind = Box::new(ExprKind::Call { definition: source, args });
        let definition = &mut self.definitions[target.0 as usize];
        definition.body = Expr { kind, place, level };
        (definition.level, definition.standard) = (level, false);
    }

    /// A parameter as an argument.
    fn passed_on(&mut self, param: &Param, place: Place) -> Argument {
        let expr = |kind| Expr { kind: Box::new(kind), place, level: Level::Constant };
        if param.arity == 0 {
            return Argument::Value(expr(ExprKind::Local(param.local)));
        }
        let params: Vec<Param> = (0..param.arity).map(|i| self.param(&format!("a{}", i + 1).into(), 0)).collect();
        let args = params.iter().map(|p| Argument::Value(expr(ExprKind::Local(p.local)))).collect();
        Argument::Operator(Lambda { params, body: expr(ExprKind::CallLocal { local: param.local, args }) })
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
}

fn is_replacement(entry: &ConstantEntry) -> bool {
    matches!(entry.value, ConstantValue::Definition(_))
}

/// The definition behind a name or `I!Op` of the root module.
pub(crate) fn find(scope: &Scope, name: &Arc<str>) -> Option<DefinitionId> {
    let mut names = &scope.names;
    let mut parts = name.split('!').peekable();
    // A sign such as `!!` is a name without parts.
    if let Some(Binding::Definition(id)) = names.get(name) {
        return Some(*id);
    }
    while let Some(part) = parts.next() {
        match names.get(part)? {
            Binding::Definition(id) if parts.peek().is_none() => return Some(*id),
            Binding::Instance(instance) if instance.params.is_empty() => names = &instance.names.names,
            _ => return None,
        }
    }
    None
}

/// TLC's complaint about a set whose elements cannot be compared.
fn unlike(value: &CfgValue) -> Option<String> {
    let CfgValue::Set(items) = value else { return None };
    let inner = items.iter().find_map(unlike);
    if inner.is_some() {
        return inner;
    }
    // Model values are compared with everything.
    let mut others = items.iter().filter(|item| !matches!(item, CfgValue::Model(_)));
    let first = others.next()?;
    let other = others.find(|other| std::mem::discriminant(*other) != std::mem::discriminant(first))?;
    let (what, with) = (written(other), written(first));
    Some(match other {
        CfgValue::String(_) => format!("Attempted to compare string {what} with non-string:\n{with}"),
        CfgValue::Int(_) => format!("Attempted to compare integer {what} with non-integer:\n{with}"),
        CfgValue::Bool(_) => format!("Attempted to compare boolean {what} with non-boolean:\n{with}"),
        CfgValue::Set(_) | CfgValue::Model(_) => format!("Attempted to compare the set {what} with the value:\n{with}"),
    })
}

/// A value as TLC prints it.
fn written(value: &CfgValue) -> String {
    match value {
        CfgValue::Int(n) => n.to_string(),
        CfgValue::String(text) => format!("\"{text}\""),
        CfgValue::Bool(true) => "TRUE".into(),
        CfgValue::Bool(false) => "FALSE".into(),
        CfgValue::Model(name) => name.name.to_string(),
        CfgValue::Set(items) => format!("{{{}}}", items.iter().map(written).collect::<Vec<_>>().join(", ")),
    }
}
