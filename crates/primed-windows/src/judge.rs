//! Judging one window.

use bumpalo::Bump;
use primed_engine::Flow;
use primed_engine::compile::NamedAction;
use primed_engine::env::Env;
use primed_engine::explain::Unobserved;
use primed_semantics::nearest;
use primed_value::error::{EvalError, EvalErrorKind, Place};
use primed_value::host::Result as Evaluated;
use primed_value::value::Value;
use serde_json::value::RawValue;

use crate::checker::{Action, Checker, list};
use crate::line::{Entries, Line, Part};
use crate::read;
use crate::verdict::{Finding, FindingKind, Location, Outcome, Reason, Trouble, Verdict};

/// An observed state: one entry for each variable.
pub(crate) type Observed<'a> = Vec<Option<Value<'a>>>;

impl Checker {
    /// Judges the window that a line of a file holds; `None` for an empty line, and for a window that names another action
    /// than the one that the options ask for.
    pub fn judge_line(&self, number: usize, text: &str) -> Option<Verdict> {
        let text = text.trim_start_matches('\u{feff}');
        if text.trim().is_empty() {
            return None;
        }
        let mut verdict = Verdict::on_line(number, Outcome::Conforms);
        let line = match Line::parse(text) {
            Ok(line) => line,
            Err(message) => {
                verdict.outcome = Outcome::Error(Trouble::new(message));
                return Some(verdict);
            }
        };
        verdict.id = line.id.map(str::to_owned);
        verdict.trace = line.trace.map(str::to_owned);
        verdict.unknown = line.others.iter().map(|(key, raw)| (key.to_string(), raw.get().to_owned())).collect();
        let name = match (&line.action, &self.options.action) {
            (Some(named), Some(asked)) if **named != **asked => return None,
            (Some(named), _) => named.to_string(),
            (None, Some(asked)) => asked.clone(),
            (None, None) => {
                let near = line.near(Part::Action);
                let message = format!("the window names no action (key `action`), and none was asked for{near}");
                verdict.outcome = Outcome::Error(Trouble::new(message));
                return Some(verdict);
            }
        };
        verdict.action = Some(name.clone());
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        verdict.outcome = match self.judge(&mut env, &line, &name, &mut verdict) {
            Ok(outcome) => outcome,
            Err(message) => Outcome::Error(Trouble::new(message)),
        };
        Some(verdict)
    }

    fn judge<'a>(
        &'a self,
        env: &mut Env<'a>,
        line: &Line<'_>,
        name: &str,
        verdict: &mut Verdict,
    ) -> Result<Outcome, String> {
        let action = self.action(name)?;
        let pre = self.state(env, line.pre, "pre_state").map_err(|e| missing_part(e, line, Part::Pre))?;
        let post = self.state(env, line.post, "post_state").map_err(|e| missing_part(e, line, Part::Post))?;
        verdict.unobserved = self.unobserved_names(&pre, &post);
        let given = self.given(env, action, line, &mut verdict.notes)?;
        verdict.findings = self.findings(env, &pre, &post);
        let outcome = self.step(env, action, &given, &pre, &post);
        if outcome == Outcome::Conforms {
            verdict.notes.extend(action.remark.clone());
        }
        Ok(outcome)
    }

    /// Judges a step between observed states: an entry that is `None` is unobserved.
    pub(crate) fn step<'a>(
        &'a self,
        env: &mut Env<'a>,
        action: &'a Action,
        given: &[Option<Value<'a>>],
        pre: &Observed<'a>,
        post: &Observed<'a>,
    ) -> Outcome {
        let compiled = match &action.compiled {
            Ok(compiled) => compiled,
            Err(error) => {
                let message = name_error(&action.name, error);
                return Outcome::Error(Trouble::new(message));
            }
        };
        env.give(given);
        match self.allowed(env, compiled, pre, post) {
            Ok(true) => Outcome::Conforms,
            Ok(false) => match self.evidence(env, action, compiled, given, (pre, post)) {
                Ok(refused) => Outcome::Refused(Box::new(refused)),
                Err(error) => self.failed(&error),
            },
            Err(error) => self.failed(&error),
        }
    }

    /// Whether the action allows the step for some value of what is unobserved before it.
    pub(crate) fn allowed<'a>(
        &'a self,
        env: &mut Env<'a>,
        action: &'a NamedAction,
        pre: &Observed<'a>,
        post: &Observed<'a>,
    ) -> Evaluated<bool> {
        let missing: Vec<usize> = missing(pre);
        set_states(env, pre, post);
        if missing.is_empty() {
            return self.allowed_from(env, action, post);
        }
        let candidates = self.candidates(env, &missing)?;
        for row in &candidates {
            set_states(env, pre, post);
            for (variable, value) in missing.iter().zip(row) {
                env.set_current_variable(*variable, Some(*value));
            }
            if self.allowed_from(env, action, post)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn allowed_from<'a>(&'a self, env: &mut Env<'a>, action: &'a NamedAction, post: &Observed<'a>) -> Evaluated<bool> {
        if post.iter().all(Option::is_some) {
            return action.relation.holds(env);
        }
        let flow = action.relation.each_partial(env, &mut |_| Ok(Flow::Stop))?;
        Ok(flow == Flow::Stop)
    }

    /// Reads an observed state, variable first or node first.
    pub(crate) fn state<'a>(
        &'a self,
        env: &mut Env<'a>,
        raw: Option<&RawValue>,
        key: &str,
    ) -> Result<Observed<'a>, String> {
        let raw = raw.ok_or_else(|| format!("the window has no `{key}`"))?;
        let Entries(entries) =
            serde_json::from_str(raw.get()).map_err(|_| format!("`{key}` is no object of variables"))?;
        let mut state: Observed<'a> = vec![None; self.shapes.len()];
        let known = entries.iter().filter(|(name, _)| self.variables.contains_key(&**name)).count();
        if known == 0 && !entries.is_empty() && self.node_first(env, &entries, key, &mut state)? {
            return Ok(state);
        }
        for (name, value) in &entries {
            let Some(variable) = self.variables.get(&**name) else { return Err(self.no_variable(name, key)) };
            if state[*variable].is_some() {
                return Err(format!("`{key}` has the variable `{name}` twice"));
            }
            let read = read::read(env, &self.models, &self.shapes[*variable], value.get());
            state[*variable] =
                Some(read.map_err(|e| format!("`{name}` in `{key}` cannot be what it is in the specification: {e}"))?);
        }
        Ok(state)
    }

    fn no_variable(&self, name: &str, key: &str) -> String {
        let variables: Vec<&str> = self.model.variables.iter().map(|v| &*v.name).collect();
        let near = nearest(name, variables.iter().copied()).map(|near| format!(" ({near})")).unwrap_or_default();
        let variables = list(&variables);
        format!("`{name}` in `{key}` is no variable of `{}`; its variables are {variables}{near}", self.model.name)
    }

    /// `{"1": {"term": 2, ...}, "2": {...}}`: each variable is a function of the node. False if it is not of that form.
    fn node_first<'a>(
        &'a self,
        env: &mut Env<'a>,
        entries: &[(std::borrow::Cow<'_, str>, &RawValue)],
        key: &str,
        state: &mut Observed<'a>,
    ) -> Result<bool, String> {
        // One JSON object of nodes for each variable, read as if it had been written that way.
        let mut columns: Vec<(usize, String)> = Vec::new();
        let mut counts: hashbrown::HashMap<usize, usize> = hashbrown::HashMap::new();
        for (node, raw) in entries {
            let Ok(Entries(fields)) = serde_json::from_str(raw.get()) else { return Ok(false) };
            for (name, value) in &fields {
                let Some(variable) = self.variables.get(&**name) else {
                    return match columns.is_empty() {
                        true => Ok(false),
                        false => Err(self.no_variable(name, key)),
                    };
                };
                let column = match columns.iter_mut().find(|(v, _)| v == variable) {
                    Some((_, column)) => column,
                    None => {
                        columns.push((*variable, String::new()));
                        let last = columns.len() - 1;
                        &mut columns[last].1
                    }
                };
                *counts.entry(*variable).or_default() += 1;
                column.push(if column.is_empty() { '{' } else { ',' });
                let node = serde_json::to_string(node).map_err(|e| e.to_string())?;
                column.push_str(&format!("{node}:{}", value.get()));
            }
        }
        if columns.is_empty() {
            return Ok(false);
        }
        for (variable, nodes) in &counts {
            if *nodes != entries.len() {
                let name = &self.model.variables[*variable].name;
                let message = "it must be there for every node or for none";
                return Err(format!("`{name}` in `{key}` is given for {nodes} of {} nodes: {message}", entries.len()));
            }
        }
        for (variable, mut column) in columns {
            column.push('}');
            let name = &self.model.variables[variable].name;
            let read = read::read(env, &self.models, &self.shapes[variable], &column);
            state[variable] =
                Some(read.map_err(|e| format!("`{name}` in `{key}` cannot be what it is in the specification: {e}"))?);
        }
        Ok(true)
    }

    fn unobserved_names(&self, pre: &Observed<'_>, post: &Observed<'_>) -> Vec<String> {
        let both = pre.iter().zip(post).zip(&self.model.variables);
        both.filter(|((a, b), _)| a.is_none() || b.is_none()).map(|(_, v)| v.name.to_string()).collect()
    }

    fn findings<'a>(&'a self, env: &mut Env<'a>, pre: &Observed<'a>, post: &Observed<'a>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (state, which) in [(pre, "pre"), (post, "post")] {
            for invariant in &self.invariants {
                let nothing = vec![None; state.len()];
                set_states(env, state, &nothing);
                let kind = match invariant.predicate.holds(env) {
                    Ok(true) => continue,
                    Ok(false) => {
                        // An error on the way to the reasons does not make it less violated.
                        let refusals = invariant.parts.explain(env, Unobserved::default()).unwrap_or_default();
                        FindingKind::Violated(refusals.iter().map(|r| Reason::new(&self.model, r)).collect())
                    }
                    // What the window leaves out cannot speak for or against an invariant.
                    Err(error) if error.kind == EvalErrorKind::Incomplete => {
                        let missing: Vec<&str> =
                            missing(state).into_iter().map(|i| &*self.model.variables[i].name).collect();
                        FindingKind::Unobserved(format!(
                            "it needs what is not observed in this window: {}",
                            list(&missing)
                        ))
                    }
                    Err(error) => FindingKind::NotEvaluated(error.message.clone()),
                };
                findings.push(Finding { invariant: invariant.name.to_string(), state: which, kind });
            }
        }
        findings
    }

    /// An evaluation error as an outcome.
    pub(crate) fn failed(&self, error: &EvalError) -> Outcome {
        let places = error.places.iter().map(|p| self.location(*p)).collect();
        let limit = matches!(error.kind, EvalErrorKind::Limit | EvalErrorKind::StackOverflow);
        let trouble = Trouble { message: error.message.clone(), places, limit };
        match error.kind {
            EvalErrorKind::Unsupported => Outcome::Unsupported(trouble),
            _ => Outcome::Error(trouble),
        }
    }

    /// A place with its text.
    pub(crate) fn location(&self, place: Place) -> Location {
        Location::new(&self.model, place)
    }
}

/// A complaint about a state, with advice if it is not there at all.
fn missing_part(message: String, line: &Line<'_>, part: Part) -> String {
    let there = match part {
        Part::Pre => line.pre,
        Part::Post => line.post,
        Part::Action => None,
    };
    if there.is_some() { message } else { message + &line.near(part) }
}

/// The variables without a value.
pub(crate) fn missing(state: &Observed<'_>) -> Vec<usize> {
    state.iter().enumerate().filter(|(_, v)| v.is_none()).map(|(i, _)| i).collect()
}

/// Puts observed states into the environment.
pub(crate) fn set_states<'a>(env: &mut Env<'a>, pre: &Observed<'a>, post: &Observed<'a>) {
    for (i, value) in pre.iter().enumerate() {
        env.set_current_variable(i, *value);
    }
    for (i, value) in post.iter().enumerate() {
        env.set_next_variable(i, *value);
    }
}

fn name_error(action: &str, error: &primed_engine::compile::NameError) -> String {
    use primed_engine::compile::NameError;
    match error {
        NameError::NoRange(params) => {
            let params: Vec<&str> = params.iter().map(|p| &**p).collect();
            format!(
                "`{action}` takes the parameters {}, and the next-state relation does not call it, so that their ranges are not known",
                list(&params)
            )
        }
        NameError::OperatorParameter(param) => format!("`{action}` takes the operator `{param}` as a parameter"),
    }
}
