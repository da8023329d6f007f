//! What a TLC configuration names: predicates, actions, properties, and SPECIFICATION taken apart. The words of errors are TLC's.

use std::sync::Arc;

use primed_syntax::ast::Ident;
use primed_syntax::cfg::{self, Config};
use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::Span;
use primed_value::error::Place;

use crate::configuration::find;
use crate::model::{
    Argument, Behaviour, Builtin, Expr, ExprKind, Level, LocalDefinition, LocalId, Located, Named, Param, Subscripted,
    describe,
};
use crate::resolver::Resolver;
use crate::scope::Scope;

/// TLC's words for 2301.
const QUANTIFIER: &str =
    "TLC does not support temporal existential, nor universal, quantification over state variables.";
/// TLC's words for 2240.
const TOO_MANY: &str = "The specification contains more than one conjunct of the form [][Next]_v,\nbut TLC can handle only specifications with one next-state relation.";

impl Resolver {
    /// What the configuration names, found in the root module. `predicates` are the names that are state predicates for SANY.
    pub(crate) fn behaviour(&mut self, config: &Config, scope: &Scope, predicates: &[Arc<str>]) -> Behaviour {
        let mut behaviour = Behaviour { check_deadlock: config.check_deadlock, ..Behaviour::default() };
        behaviour.invariants = self.invariants(&config.invariants, scope, predicates);
        match &config.specification {
            None => {
                behaviour.named_parts = true;
                behaviour.init = self.one("initial predicate", &config.init, scope).map(|n| n.expr);
                behaviour.next = self.one("next state action", &config.next, scope).map(|n| n.expr);
            }
            Some(name) if config.init.is_some() || config.next.is_some() => {
                let message = "The configuration file cannot specify both INIT/NEXT and SPECIFICATION fields.";
                self.error(2227, name.span, message);
            }
            Some(_) => {
                behaviour.specification = self.one("name", &config.specification, scope);
                if let Some(Named { expr, .. }) = behaviour.specification.clone() {
                    let body = match &*expr.kind {
                        ExprKind::Call { definition, .. } => self.definitions[definition.0 as usize].body.clone(),
                        _ => expr,
                    };
                    self.specification(&body, &[], 0, &mut behaviour);
                }
            }
        }
        behaviour.properties = self.many("property", &config.properties, scope);
        behaviour.constraints = self.many("constraint", &config.constraints, scope);
        behaviour.action_constraints = self.many("action constraint", &config.action_constraints, scope);
        behaviour.rl_reward = self.one("rlreward", &config.rl_reward, scope);
        behaviour.periodic = self.one("periodic", &config.periodic, scope);
        behaviour.possible = self.many("possible", &config.possible, scope);
        behaviour.view = self.one("view function", &config.view, scope);
        behaviour.symmetry = self.one("symmetry function", &config.symmetry, scope);
        behaviour.alias = self.alias(&config.alias, scope);
        self.postconditions(&config.postconditions, scope, &mut behaviour);
        behaviour
    }

    fn one(&mut self, kind: &str, name: &Option<Ident>, scope: &Scope) -> Option<Named> {
        self.named(kind, name.as_ref()?, scope)
    }

    fn many(&mut self, kind: &str, names: &[Ident], scope: &Scope) -> Vec<Named> {
        names.iter().filter_map(|n| self.named(kind, n, scope)).collect()
    }

    /// TLC looks post-conditions up after the search.
    fn postconditions(&mut self, names: &[Ident], scope: &Scope, behaviour: &mut Behaviour) {
        for name in names {
            match self.look_up("post condition", name, scope) {
                Ok(found) => behaviour.postconditions.push(found),
                Err(refusal) if behaviour.unusable_postcondition.is_none() => {
                    let file = self.sources.get(self.file as usize).cloned();
                    behaviour.unusable_postcondition = file.map(|file| Located { file, diagnostic: refusal });
                }
                Err(_) => {}
            }
        }
    }

    /// TLC looks at an ALIAS only when it shows a state, and shows the state itself if it cannot be evaluated.
    fn alias(&mut self, name: &Option<Ident>, scope: &Scope) -> Option<Named> {
        let found = self.look_up("alias", name.as_ref()?, scope);
        found.map_err(|refusal| self.complain(Diagnostic { severity: Severity::Warning, ..refusal })).ok()
    }

    /// Invariants are state predicates (2146).
    fn invariants(&mut self, names: &[Ident], scope: &Scope, predicates: &[Arc<str>]) -> Vec<Named> {
        let mut invariants = Vec::with_capacity(names.len());
        for name in names {
            let Some(mut invariant) = self.named("invariant", name, scope) else { continue };
            if predicates.contains(&name.name) {
                // An operator may do away with its argument's primes: ENABLED does.
                invariant.expr.level = invariant.expr.level.min(Level::State);
            }
            if invariant.expr.level > Level::State {
                let message = format!(
                    "The invariant {} is not a state predicate (one with no primes or temporal operators).",
                    name.name
                );
                self.error(2146, name.span, message);
            }
            invariants.push(invariant);
        }
        invariants
    }

    fn named(&mut self, kind: &str, name: &Ident, scope: &Scope) -> Option<Named> {
        let found = self.look_up(kind, name, scope);
        found.map_err(|refusal| self.complain(refusal)).ok()
    }

    /// What a name stands for; the complaint, if it is nothing that can be `kind`.
    fn look_up(&mut self, kind: &str, name: &Ident, scope: &Scope) -> Result<Named, Diagnostic> {
        // TLC looks post-conditions up after the search, where it expects no error: it is a general one.
        let refused =
            |code, message| Diagnostic::error(if kind == "post condition" { 1000 } else { code }, message, name.span);
        if let Some(expr) = self.own_value(name) {
            return Ok(Named { name: name.name.clone(), expr });
        }
        let Some(id) = find(scope, &name.name) else {
            let message = format!(
                "The {kind} {} specified in the configuration file\nis not defined in the specification.",
                name.name
            );
            let mut refusal = refused(2229, message);
            refusal.help = self.near(&name.name, scope, &cfg::keywords().collect::<Vec<_>>());
            return Err(refusal);
        };
        let definition = &self.definitions[id.0 as usize];
        if !definition.params.is_empty() {
            let message = match kind {
                // TLC's own slips.
                "name" | "property" => format!("TLC requires {} not to take any argument.", name.name),
                _ => format!("TLC requires {kind} not to take any argument, but one was given: {}", name.name),
            };
            return Err(refused(2228, message));
        }
        let (place, level) = (definition.body.place, definition.level);
        let kind = Box::new(ExprKind::Call { definition: id, args: Vec::new() });
        Ok(Named { name: name.name.clone(), expr: Expr { kind, place, level } })
    }

    /// The value of a word that has one for TLC though no module defines it.
    pub(crate) fn own_value(&mut self, name: &Ident) -> Option<Expr> {
        let truth = |b| self.expr(ExprKind::Bool(b), name.span, Level::Constant);
        match &*name.name {
            "TRUE" => Some(truth(true)),
            "FALSE" => Some(truth(false)),
            "BOOLEAN" => {
                let both = vec![truth(false), truth(true)];
                Some(self.expr(ExprKind::SetEnum(both), name.span, Level::Constant))
            }
            _ => None,
        }
    }

    /// Splits `Init /\ [][Next]_v /\ fairness` (`SANY_AND_TLC.md` 4.1), unfolding definitions and LET.
    fn specification(&mut self, expr: &Expr, around: &[Vec<LocalDefinition>], depth: usize, behaviour: &mut Behaviour) {
        if depth > 1000 {
            return;
        }
        // A parameter: what was passed for it, seen from where that stands.
        if let ExprKind::Local(local) = &*expr.kind
            && let Some((at, body)) = standing(*local, around)
        {
            return self.specification(&body, &around[..=at], depth + 1, behaviour);
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
            ExprKind::Variable(variable) => {
                let declared = &self.variables[variable.0 as usize];
                let (name, place) = (declared.name.clone(), describe(&self.sources, declared.place));
                let message = format!("The operator {name}, which equals {place},\ncannot be used as a spec");
                self.at_place(2236, expr.place, &message);
            }
            ExprKind::Local(local) | ExprKind::CallLocal { local, .. } if found(around, *local).is_some() => {
                let args = match &*expr.kind {
                    ExprKind::CallLocal { args, .. } => args.as_slice(),
                    _ => &[],
                };
                let Some((depth_of, definition)) = found(around, *local) else { return };
                let mut inner = around.get(..depth_of).unwrap_or_default().to_vec();
                if !args.is_empty() {
                    inner = [around, &[bound(&definition.params, args)]].concat();
                }
                self.specification(&definition.body.clone(), &inner, depth + 1, behaviour);
            }
            _ if expr.level <= Level::State => {
                let part = wrapped(expr.clone(), around);
                behaviour.init = Some(conjoin(behaviour.init.take(), part));
            }
            // `x' > 0` is no name for what `>` is defined as.
            ExprKind::Call { definition, args }
                if expr.level > Level::Action || !self.definitions[definition.0 as usize].standard =>
            {
                let definition = self.definitions[definition.0 as usize].clone();
                let bindings = bound(&definition.params, args);
                let around = if bindings.is_empty() { around.to_vec() } else { [around, &[bindings]].concat() };
                self.specification(&definition.body, &around, depth + 1, behaviour);
            }
            ExprKind::Builtin { op: Builtin::Always, args } => match args.first().map(|a| &*a.kind) {
                Some(ExprKind::Subscripted { kind: Subscripted::Square, action, subscript }) => {
                    if behaviour.next.is_some() {
                        self.at_place(2240, place, TOO_MANY);
                    }
                    self.missing_in_subscript(subscript, around);
                    behaviour.next = Some(wrapped(action.clone(), around));
                }
                _ if args.iter().all(|a| a.level <= Level::State) => {
                    let text = args.first().map(|a| describe(&self.sources, a.place)).unwrap_or_default();
                    self.at_place(2213, place, &format!("TLC cannot handle the temporal formula {text}"));
                }
                _ => behaviour.fairness.push(wrapped(expr.clone(), around)),
            },
            ExprKind::TemporalQuantified { .. } => self.at_place(2301, place, QUANTIFIER),
            _ if expr.level == Level::Action => {
                let text = describe(&self.sources, place);
                let message = format!("TLC cannot handle this conjunct of the spec:\n{text}");
                self.at_place(2239, place, &message);
            }
            _ => behaviour.fairness.push(wrapped(expr.clone(), around)),
        }
    }

    /// TLC warns of variables that are missing in the subscript of the next-state relation (2140), and of a subscript that it does
    /// not look into (2139). It looks for variables in tuples and definitions, and takes other operators to have none.
    fn missing_in_subscript(&mut self, subscript: &Expr, around: &[Vec<LocalDefinition>]) {
        let mut found = Vec::new();
        if !self.variables_of(subscript, around, 0, &mut found) {
            let text = "TLC could not determine if the subscript of the next-state relation contains\nall state variables. Proceed with fingers crossed.";
            return self.warn(2139, subscript.place, text);
        }
        let missing = (0..self.variables.len() as u32).filter(|v| !found.contains(v));
        for variable in missing.collect::<Vec<_>>() {
            let name = &self.variables[variable as usize].name;
            let text = format!(
                "The subscript of the next-state relation specified by the specification\ndoes not seem to contain the state variable {name}"
            );
            self.warn(2140, subscript.place, &text);
        }
    }

    /// The variables that TLC sees in a subscript; false if it gives up.
    fn variables_of(
        &self,
        subscript: &Expr,
        around: &[Vec<LocalDefinition>],
        depth: usize,
        variables: &mut Vec<u32>,
    ) -> bool {
        if depth > 200 {
            return false;
        }
        match &*subscript.kind {
            ExprKind::Variable(variable) => {
                variables.push(variable.0);
                true
            }
            ExprKind::Tuple(items) => items.iter().all(|item| self.variables_of(item, around, depth + 1, variables)),
            ExprKind::Let { body, .. } => self.variables_of(body, around, depth + 1, variables),
            ExprKind::Call { definition, .. } => {
                let definition = &self.definitions[definition.0 as usize];
                definition.standard || self.variables_of(&definition.body, around, depth + 1, variables)
            }
            ExprKind::Local(local) => match standing(*local, around) {
                Some((at, body)) => self.variables_of(&body, &around[..=at], depth + 1, variables),
                None => true,
            },
            ExprKind::Int(_) | ExprKind::String(_) => false,
            _ => true,
        }
    }

    fn warn(&mut self, code: u32, place: Place, text: &str) {
        let file = std::mem::replace(&mut self.file, place.file);
        let span = Span::new(place.start, place.end);
        self.complain(Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, text, span) });
        self.file = file;
    }

    fn at_place(&mut self, code: u32, place: Place, message: &str) {
        let file = std::mem::replace(&mut self.file, place.file);
        self.error(code, Span::new(place.start, place.end), message);
        self.file = file;
    }
}

/// What a name stands for, and the number of the group that binds it.
fn standing(local: LocalId, around: &[Vec<LocalDefinition>]) -> Option<(usize, Expr)> {
    around.iter().enumerate().rev().find_map(|(at, group)| {
        let definition = group.iter().find(|d| d.local == local && d.params.is_empty())?;
        Some((at, definition.body.clone()))
    })
}

/// Parameters as LET definitions of what is passed for them.
fn bound(params: &[Param], args: &[Argument]) -> Vec<LocalDefinition> {
    let bound = params.iter().zip(args).map(|(param, arg)| {
        let (params, body) = match arg {
            Argument::Value(e) => (Vec::new(), e.clone()),
            Argument::Operator(l) => (l.params.clone(), l.body.clone()),
        };
        LocalDefinition { local: param.local, name: param.name.clone(), params, body }
    });
    bound.collect()
}

/// The LET definition of a name, and how many scopes are around it, its own included.
fn found(around: &[Vec<LocalDefinition>], local: LocalId) -> Option<(usize, &LocalDefinition)> {
    let scopes = around.iter().enumerate().rev();
    scopes.map(|(i, scope)| (i + 1, scope.iter().find(|d| d.local == local))).find_map(|(i, d)| Some((i, d?)))
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
