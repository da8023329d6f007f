//! The evidence for a refusal: the conditions that failed, the nearest successor, the other actions that allow the step.

use primed_engine::Flow;
use primed_engine::compile::NamedAction;
use primed_engine::env::Env;
use primed_engine::explain::{Refusal, Unobserved};
use primed_value::error::EvalErrorKind;
use primed_value::freeze::Frozen;
use primed_value::host::{Host, Result as Evaluated};
use primed_value::value::Value;
use primed_value::{compare, print};

use crate::bound::Allowed;
use crate::checker::{Action, Checker, list};
use crate::judge::{Observed, missing, set_states};
use crate::verdict::{Assumed, Difference, Elsewhere, MOST_REASONS, Reason, Refused};

/// Successors that are looked at for the nearest.
const MAX_SUCCESSORS: usize = 2_000;
/// Values of unobserved variables for which a refusal is explained.
const MAX_CANDIDATES: usize = 200;
/// Values of parameters that a step is tried for after it was refused, and those that are named of one.
const MAX_TRIED: usize = 200;
const MAX_VALUES: usize = 5;
/// Differences that are listed.
const MAX_DIFFERENCES: usize = 50;
/// Longest printed value.
const VALUE_LENGTH: usize = 300;

impl Checker {
    /// Explains a refusal.
    pub(crate) fn evidence<'a>(
        &'a self,
        env: &mut Env<'a>,
        action: &'a Action,
        compiled: &'a NamedAction,
        given: &[Option<Value<'a>>],
        (pre, post): (&Observed<'a>, &Observed<'a>),
    ) -> Evaluated<Refused> {
        let missing = missing(pre);
        let unobserved = Unobserved { current: missing.clone(), next: crate::judge::missing(post) };
        set_states(env, pre, post);
        let candidates = match missing.is_empty() {
            true => vec![Vec::new()],
            false => self.candidates(env, &missing)?,
        };
        let mut refused = Refused { assumed: self.assumed(&missing, candidates.len()), ..Refused::default() };
        let mut best: Vec<Refusal> = Vec::new();
        let mut nearest: Option<Vec<Difference>> = None;
        for row in candidates.iter().take(MAX_CANDIDATES) {
            let fill = |env: &mut Env<'a>, post: &Observed<'a>| {
                set_states(env, pre, post);
                missing.iter().zip(row).for_each(|(v, value)| env.set_current_variable(*v, Some(*value)));
            };
            fill(env, post);
            furthest(&mut best, compiled.relation.explain(env, unobserved.clone())?);
            fill(env, &vec![None; post.len()]);
            self.successors(env, compiled, post, &mut nearest)?;
        }
        refused.reasons = best.iter().map(|r| Reason::new(&self.model, r)).collect();
        refused.nearest = nearest;
        if refused.reasons.is_empty() {
            refused.unknown = Some(self.no_reason(&action.name, refused.assumed.as_ref()));
        }
        if !self.options.brief && !candidates.is_empty() {
            self.others(env, (action, compiled), given, (pre, post), &mut refused);
        }
        Ok(refused)
    }

    /// Why a refusal has no reasons.
    fn no_reason(&self, action: &str, assumed: Option<&Assumed>) -> String {
        match assumed {
            Some(Assumed { variables, from, tried: 0 }) => {
                let names: Vec<&str> = variables.iter().map(String::as_str).collect();
                let names = list(&names);
                match self.options.unobserved {
                    Some(_) => format!("`{from}` allows no value of {names} beside what is observed before the step"),
                    None => format!("`{from}` allows no value of {names}: there is no initial state"),
                }
            }
            _ => format!(
                "no condition is false by itself: `{action}` has no false condition on any way, but no way ends in this step"
            ),
        }
    }

    /// What the variables that are not observed before the step were taken to be.
    fn assumed(&self, missing: &[usize], tried: usize) -> Option<Assumed> {
        let variables: Vec<String> = missing.iter().map(|v| self.model.variables[*v].name.to_string()).collect();
        let from = match self.allowed_text() {
            Ok(Allowed::Initial(text) | Allowed::Predicate(text)) => text,
            Err(_) => "the initial predicate".into(),
        };
        (!variables.is_empty()).then_some(Assumed { variables, from, tried })
    }

    /// Looks at the successors for the one that differs least from what was observed.
    ///
    /// TLC finds all successors before it compares any with a post-state: if that fails, its verdict is an error, though the
    /// step alone could be refused. That it can be checked but not searched, or for not too long, is no error here.
    fn successors<'a>(
        &'a self,
        env: &mut Env<'a>,
        action: &'a NamedAction,
        post: &Observed<'a>,
        nearest: &mut Option<Vec<Difference>>,
    ) -> Evaluated<()> {
        let mut seen = 0;
        let found = action.relation.each_partial(env, &mut |env| {
            seen += 1;
            if !self.options.brief {
                self.compare(env, post, nearest);
            }
            Ok(if seen < MAX_SUCCESSORS { Flow::Continue } else { Flow::Stop })
        });
        match found {
            Err(e)
                if matches!(
                    e.kind,
                    EvalErrorKind::Evaluation | EvalErrorKind::Assert | EvalErrorKind::StackOverflow
                ) =>
            {
                Err(e)
            }
            _ => Ok(()),
        }
    }

    /// Compares the environment's next state with what was observed.
    fn compare<'a>(&'a self, env: &mut Env<'a>, post: &Observed<'a>, nearest: &mut Option<Vec<Difference>>) {
        let successor: Observed<'a> = env.next().to_vec();
        let mut differences = Vec::new();
        for (i, (ours, theirs)) in successor.iter().zip(post).enumerate() {
            if let (Some(ours), Some(theirs)) = (ours, theirs) {
                let name = self.model.variables[i].name.to_string();
                compare_values(env, &name, *ours, *theirs, &mut differences);
            }
        }
        if nearest.as_ref().is_none_or(|n| differences.len() < n.len()) {
            *nearest = Some(differences);
        }
    }

    /// The other actions of the next-state relation that allow the step, and for which values of a parameter; and the action itself
    /// for other values than the window gives.
    fn others<'a>(
        &'a self,
        env: &mut Env<'a>,
        (action, compiled): (&'a Action, &'a NamedAction),
        given: &[Option<Value<'a>>],
        (pre, post): (&Observed<'a>, &Observed<'a>),
        refused: &mut Refused,
    ) {
        let mut left = MAX_TRIED;
        for parameter in (0..given.len()).filter(|i| given[*i].is_some()) {
            let values = self.for_values(env, (action, compiled, parameter), given, (pre, post), &mut left);
            refused.elsewhere.extend(values);
        }
        for other in self.actions.iter().filter(|a| a.in_next && a.name != action.name) {
            let Ok(compiled) = &other.compiled else { continue };
            env.give(&[]);
            if !self.allowed(env, compiled, pre, post).unwrap_or(false) {
                continue;
            }
            refused.others.push(other.name.to_string());
            let free = vec![None; compiled.parameters.len()];
            if let Some(parameter) = (0..free.len()).find(|i| other.range(*i).is_some()) {
                let values = self.for_values(env, (other, compiled, parameter), &free, (pre, post), &mut left);
                refused.elsewhere.extend(values);
            }
        }
        env.give(&[]);
    }

    /// The values of a parameter for which an action allows the step, all else being as it is given.
    fn for_values<'a>(
        &'a self,
        env: &mut Env<'a>,
        (action, compiled, parameter): (&'a Action, &'a NamedAction, usize),
        given: &[Option<Value<'a>>],
        (pre, post): (&Observed<'a>, &Observed<'a>),
        left: &mut usize,
    ) -> Option<Elsewhere> {
        let mut range: Vec<(&String, &Frozen)> = action.range(parameter)?.iter().collect();
        range.sort_unstable_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)));
        let mut values = Vec::new();
        for (_, element) in range {
            if *left == 0 || values.len() == MAX_VALUES {
                break;
            }
            *left -= 1;
            let mut changed = given.to_vec();
            changed[parameter] = Some(element.get());
            env.give(&changed);
            if self.allowed(env, compiled, pre, post).unwrap_or(false) {
                values.push(print::print_short(env, element.get(), VALUE_LENGTH));
            }
        }
        let (action, parameter) = (action.name.to_string(), compiled.parameters[parameter].name.to_string());
        (!values.is_empty()).then_some(Elsewhere { action, parameter, values })
    }
}

/// Keeps the refusals of the ways that got furthest.
fn furthest(best: &mut Vec<Refusal>, found: Vec<Refusal>) {
    for refusal in found {
        let depth = best.first().map_or(0, |b| b.passed);
        if best.is_empty() || refusal.passed > depth {
            best.clear();
            best.push(refusal);
        } else if refusal.passed == depth && best.len() < MOST_REASONS && !best.contains(&refusal) {
            best.push(refusal);
        }
    }
}

/// Lists where two values differ, as deep as their structure is the same.
fn compare_values<'a>(
    env: &mut Env<'a>,
    path: &str,
    ours: Value<'a>,
    theirs: Value<'a>,
    differences: &mut Vec<Difference>,
) {
    if differences.len() >= MAX_DIFFERENCES || compare::equal(env, ours, theirs).unwrap_or(false) {
        return;
    }
    match (ours, theirs) {
        (Value::Record(a), Value::Record(b)) if a.fields == b.fields => {
            for ((field, x), y) in a.fields.iter().zip(a.values).zip(b.values) {
                let name = env.symbols().text(*field);
                compare_values(env, &format!("{path}.{name}"), *x, *y, differences);
            }
        }
        (Value::Tuple(a), Value::Tuple(b)) if a.elements.len() == b.elements.len() => {
            for (i, (x, y)) in a.elements.iter().zip(b.elements).enumerate() {
                compare_values(env, &format!("{path}[{}]", i + 1), *x, *y, differences);
            }
        }
        (Value::Function(a), Value::Function(b)) if same_domain(env, a.domain, b.domain) => {
            for ((key, x), y) in a.domain.iter().zip(a.values).zip(b.values) {
                let key = print::print_short(env, *key, 60);
                compare_values(env, &format!("{path}[{key}]"), *x, *y, differences);
            }
        }
        _ => {
            let specification = print::print_short(env, ours, VALUE_LENGTH);
            let observed = print::print_short(env, theirs, VALUE_LENGTH);
            differences.push(Difference { path: path.to_owned(), specification, observed });
        }
    }
}

fn same_domain<'a>(env: &mut Env<'a>, a: &[Value<'a>], b: &[Value<'a>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| compare::equal(env, *x, *y).unwrap_or(false))
}
