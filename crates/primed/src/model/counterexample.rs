//! A behaviour as a value, as a specification sees it in its ALIAS (`TLCExt!Trace`) and POSTCONDITION (`TLCExt!CounterExample`).

use primed_engine::env::Env;
use primed_engine::{Registers, TakenParameter};
use primed_semantics::model::{Expr, ExprKind, Model};
use primed_value::error::Place;
use primed_value::host::{Host, Result as Evaluated};
use primed_value::symbol::Symbol;
use primed_value::value::Value;
use primed_value::{build, functions, itf, print};

use crate::model::ModelChecker;
use crate::model::run::RunInfo;

/// A state of a behaviour while it is looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen<'a> {
    /// Its variables, or what the ALIAS gives for them, in the order in which they are shown.
    pub(super) values: Vec<(Symbol, Option<Value<'a>>)>,
    /// The action that led to it, by number; 0 for none.
    pub(super) action: u32,
    pub(super) parameters: Vec<(std::sync::Arc<str>, TakenParameter<'a>)>,
}

impl<'a> Seen<'a> {
    /// The state as a record.
    pub(super) fn record(&self, env: &mut Env<'a>) -> Value<'a> {
        let fields = self.values.iter().filter_map(|(name, value)| value.map(|v| (*name, v))).collect();
        build::record(env, fields)
    }
}

/// What POSTCONDITION looks at: one named formula.
#[derive(Debug)]
pub(super) struct Postcondition {
    pub(super) name: String,
    pub(super) place: String,
    pub(super) expression: primed_engine::compile::Expression,
}

impl ModelChecker {
    /// The first post-condition that is false or cannot be evaluated after a search, in TLC's words (2404, 2405).
    pub(super) fn false_postcondition<'a>(
        &'a self,
        env: &mut Env<'a>,
        run: &'a RunInfo<'_>,
        registers: Registers,
        counterexample: Option<Value<'a>>,
    ) -> Option<String> {
        env.set_run(run);
        env.put_registers(registers);
        // It is no state's, as in an assumption.
        env.set_level(0);
        for variable in 0..self.model.variables.len() {
            env.set_current_variable(variable, None);
            env.set_next_variable(variable, None);
        }
        if let Some(counterexample) = counterexample {
            env.set_counterexample(counterexample);
        }
        self.postconditions.iter().find_map(|Postcondition { name, place, expression }| match expression.holds(env) {
            Ok(true) => None,
            Ok(false) => Some(format!("Postcondition {name} at {place} is false.")),
            Err(error) => Some(format!("Evaluating postcondition {name} at {place} failed.\n{}", error.message)),
        })
    }

    /// `[state |-> {<<1, s>>, ...}, action |-> {<< <<1, s>>, a, <<2, t>> >>, ...}]`. `closing`: the action by which the last state
    /// leads back to one of the states, by its number.
    ///
    /// # Errors
    /// If the states cannot be put into one set.
    pub(super) fn counterexample<'a>(
        &'a self,
        env: &mut Env<'a>,
        trace: &[Seen<'a>],
        closing: Option<(usize, Seen<'a>)>,
    ) -> Evaluated<Value<'a>> {
        let (mut states, mut actions) = (Vec::new(), Vec::new());
        for (i, seen) in trace.iter().enumerate() {
            let state = seen.record(env);
            let numbered = build::tuple_vec(env, vec![Value::Int(i as i64 + 1), state]);
            if let Some(before) = states.last().copied() {
                let action = self.action_record(env, seen);
                actions.push(build::tuple_vec(env, vec![before, action, numbered]));
            }
            states.push(numbered);
        }
        if let Some((target, by)) = closing
            && let (Some(last), Some(target)) = (states.last(), target.checked_sub(1).and_then(|i| states.get(i)))
        {
            let action = self.action_record(env, &by);
            actions.push(build::tuple_vec(env, vec![*last, action, *target]));
        }
        let fields = vec![
            (env.symbols().intern("action"), build::set(env, actions)?),
            (env.symbols().intern("state"), build::set(env, states)?),
        ];
        Ok(build::record(env, fields))
    }

    /// `[name |-> "Step", location |-> [...]]`, with `context` and `parameters` if it has parameters.
    pub(super) fn action_record<'a>(&'a self, env: &mut Env<'a>, seen: &Seen<'a>) -> Value<'a> {
        let action = (seen.action as usize).checked_sub(1).and_then(|i| self.next.actions.get(i));
        let name = action.and_then(|a| a.name.as_deref()).unwrap_or("UnnamedAction");
        let mut fields = vec![
            (env.symbols().intern("name"), build::string(env, name)),
            (env.symbols().intern("location"), self.location_record(env, action.map(|a| a.place))),
        ];
        let values = seen.parameters.iter().filter_map(|(name, parameter)| match parameter {
            TakenParameter::Value(value) => Some((name, *value)),
            TakenParameter::Operator(_) => None,
        });
        let values: Vec<(&std::sync::Arc<str>, Value<'a>)> = values.collect();
        if !values.is_empty() {
            let names = values.iter().map(|(name, _)| build::string(env, name)).collect();
            let context = values.iter().map(|(name, value)| (env.symbols().intern(name), *value)).collect();
            fields.push((env.symbols().intern("context"), build::record(env, context)));
            fields.push((env.symbols().intern("parameters"), build::tuple_vec(env, names)));
        }
        build::record(env, fields)
    }

    /// The record of the action that found the state of the environment's search.
    pub(super) fn taken_action<'a>(&'a self, env: &mut Env<'a>, initial: bool) -> Value<'a> {
        if !initial {
            let parameters = env.taken().to_vec();
            return self.action_record(env, &Seen { values: Vec::new(), action: env.action(), parameters });
        }
        let (name, place) = self.initial_parts().pop().unwrap_or_default();
        let fields = vec![
            (env.symbols().intern("name"), build::string(env, name.as_deref().unwrap_or("UnnamedAction"))),
            (env.symbols().intern("location"), self.location_record(env, Some(place))),
        ];
        build::record(env, fields)
    }

    fn location_record<'a>(&'a self, env: &mut Env<'a>, place: Option<Place>) -> Value<'a> {
        let location = place.and_then(|place| Location::of(&self.model, place)).unwrap_or_default();
        let numbers = location.numbers().map(|(name, n)| (env.symbols().intern(name), Value::Int(i64::from(n))));
        let mut fields = numbers.to_vec();
        fields.push((env.symbols().intern("module"), build::string(env, &location.module)));
        build::record(env, fields)
    }
}

/// A place as TLC gives it to programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Location {
    begin: (u32, u32),
    end: (u32, u32),
    pub(super) module: String,
}

impl Location {
    pub(super) fn of(model: &Model, place: Place) -> Option<Location> {
        let file = model.sources.get(place.file as usize)?;
        let (begin, end) = (file.position(place.start), file.position(place.end.max(place.start + 1) - 1));
        let module = file.name().rsplit(['/', '\\']).next().unwrap_or("").trim_end_matches(".tla").to_owned();
        Some(Location { begin: (begin.line, begin.column), end: (end.line, end.column), module })
    }

    /// As a JSON object.
    pub(super) fn json(&self) -> String {
        let numbers = self.numbers().map(|(name, n)| format!("\"{name}\":{n},")).concat();
        let mut out = format!("{{{numbers}\"module\":");
        itf::write_json_string(&self.module, &mut out);
        out.push('}');
        out
    }

    /// The numbers with TLC's names for them.
    pub(super) fn numbers(&self) -> [(&'static str, u32); 4] {
        [("beginLine", self.begin.0), ("beginColumn", self.begin.1), ("endLine", self.end.0), ("endColumn", self.end.1)]
    }
}

/// The fields of the record that an ALIAS is, as they are written; empty if that cannot be seen.
pub(super) fn written_fields(model: &Model, expr: &Expr) -> Vec<Symbol> {
    match &*written(model, expr).kind {
        ExprKind::Record(fields) => fields.iter().map(|(name, _)| *name).collect(),
        _ => Vec::new(),
    }
}

/// What an expression is written as, behind LET and the definitions that it calls.
fn written<'m>(model: &'m Model, mut expr: &'m Expr) -> &'m Expr {
    // A definition may call itself.
    for _ in 0..100 {
        match &*expr.kind {
            ExprKind::Let { body, .. } => expr = body,
            ExprKind::Call { definition, .. } => expr = &model.definition(*definition).body,
            _ => break,
        }
    }
    expr
}

/// The variables that a VIEW is a tuple of, in the order of their declarations, as TLC names the parts of the tuple; `None` if the
/// VIEW is anything else.
pub(super) fn viewed_variables(model: &Model, expr: &Expr) -> Option<Vec<Symbol>> {
    let ExprKind::Tuple(items) = &*written(model, expr).kind else { return None };
    let number = |item| match &*written(model, item).kind {
        ExprKind::Variable(variable) => Some(variable.0),
        _ => None,
    };
    let mut numbers: Vec<u32> = items.iter().map(number).collect::<Option<_>>()?;
    numbers.sort_unstable();
    let name = |number: u32| model.variables.get(number as usize).map(|v| model.symbols.intern(&v.name));
    numbers.into_iter().map(name).collect()
}

impl ModelChecker {
    /// What the VIEW gives for the environment's state, if states are to be shown so (TLC's `-view`): its variables, or one value
    /// without a name.
    pub(super) fn viewed<'a>(&'a self, env: &mut Env<'a>) -> Option<Vec<(Symbol, Option<Value<'a>>)>> {
        let view = self.view.as_ref().filter(|_| self.shows_view)?;
        let value = view.value(env).ok()?;
        let names = self.model.behaviour.view.as_ref().and_then(|v| viewed_variables(&self.model, &v.expr));
        let parts = functions::as_sequence(env, value);
        match (names, parts) {
            (Some(names), Some(parts)) if names.len() == parts.len() => {
                Some(names.into_iter().zip(parts.iter().map(|part| Some(*part))).collect())
            }
            _ => Some(vec![(env.symbols().intern(""), Some(value))]),
        }
    }

    /// What ALIAS shows in place of a state: the environment holds it and its successor. `None` if there is no ALIAS, or if it
    /// is not a record.
    pub(super) fn alias<'a>(&'a self, env: &mut Env<'a>, state: &Seen<'a>) -> Option<Vec<(Symbol, Option<Value<'a>>)>> {
        let (alias, order) = self.alias.as_ref()?;
        match alias.value(env) {
            Ok(Value::Record(record)) => {
                let fields = record.fields.iter().zip(record.values);
                let mut shown: Vec<(Symbol, Option<Value<'a>>)> = fields.map(|(f, v)| (*f, Some(*v))).collect();
                // A stable sort: fields that are not among the written ones stay behind them.
                shown.sort_by_key(|(field, _)| order.iter().position(|o| o == field).unwrap_or(usize::MAX));
                Some(shown)
            }
            Ok(_) => None,
            Err(error) => {
                let mut shown = state.values.clone();
                let field = env.symbols().intern("_ALIASEvalError");
                shown.push((field, Some(build::string(env, &error.message))));
                Some(shown)
            }
        }
    }
}

/// A value in TLC's words; `null` for none.
pub(super) fn printed<'a>(env: &mut Env<'a>, value: Option<Value<'a>>) -> String {
    value.map_or_else(|| "null".into(), |value| print::print_short(env, value, usize::MAX))
}
