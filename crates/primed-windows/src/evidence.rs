//! The evidence for a refusal: the conditions that failed, the nearest successor, the other actions that allow the step.

use std::cmp::Ordering;

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

/// Successors of one window that are looked at for the nearest, for all values of unobserved variables together.
pub(crate) const MAX_SUCCESSORS: usize = 20_000;
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
        let mut search = Nearest::default();
        for row in candidates.iter().take(MAX_CANDIDATES) {
            let fill = |env: &mut Env<'a>, post: &Observed<'a>| {
                set_states(env, pre, post);
                missing.iter().zip(row).for_each(|(v, value)| env.set_current_variable(*v, Some(*value)));
            };
            fill(env, post);
            furthest(&mut best, compiled.relation.explain(env, unobserved.clone())?);
            fill(env, &vec![None; post.len()]);
            self.successors(env, compiled, post, &mut search)?;
        }
        refused.reasons = best.iter().map(|r| Reason::new(&self.model, r)).collect();
        refused.among = search.ended.then_some(MAX_SUCCESSORS);
        refused.nearest = search.differences;
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

    /// Looks at the successors, up to [`MAX_SUCCESSORS`], for the one that differs least from what was observed.
    ///
    /// TLC finds all successors before it compares any with a post-state: if that fails, its verdict is an error, though the
    /// step alone could be refused. That it can be checked but not searched, or for not too long, is no error here.
    fn successors<'a>(
        &'a self,
        env: &mut Env<'a>,
        action: &'a NamedAction,
        post: &Observed<'a>,
        search: &mut Nearest,
    ) -> Evaluated<()> {
        if search.seen == MAX_SUCCESSORS {
            search.ended = true;
            return Ok(());
        }
        let found = action.relation.each_partial(env, &mut |env| {
            if search.seen == MAX_SUCCESSORS {
                search.ended = true;
                return Ok(Flow::Stop);
            }
            search.seen += 1;
            if !self.options.brief {
                self.compare(env, post, search);
            }
            Ok(Flow::Continue)
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

    /// Compares the environment's next state with what was observed. What differs is counted; only what is nearer is told.
    fn compare<'a>(&'a self, env: &mut Env<'a>, post: &Observed<'a>, search: &mut Nearest) {
        let successor: Observed<'a> = env.next().to_vec();
        let pairs = || successor.iter().zip(post).enumerate().filter_map(|(i, (a, b))| Some((i, (*a)?, (*b)?)));
        let mut count = 0;
        for (_, ours, theirs) in pairs() {
            count += count_differences(env, ours, theirs);
            if count >= search.count.unwrap_or(usize::MAX) {
                return;
            }
        }
        let mut differences = Vec::new();
        for (i, ours, theirs) in pairs() {
            let name = self.model.variables[i].name.to_string();
            compare_values(env, &name, ours, theirs, &mut differences);
        }
        (search.count, search.differences) = (Some(count), Some(differences));
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

/// The nearest of the successors seen so far.
#[derive(Default)]
struct Nearest {
    seen: usize,
    /// There are more successors than are looked at.
    ended: bool,
    /// In how many parts it differs from what was observed, and in which, as far as they are listed.
    count: Option<usize>,
    differences: Option<Vec<Difference>>,
}

/// Keeps the refusals of the ways that got furthest.
fn furthest(best: &mut Vec<Refusal>, found: Vec<Refusal>) {
    for refusal in found {
        match best.first().map(|known| refusal.passed.cmp(&known.passed)) {
            None | Some(Ordering::Greater) => {
                best.clear();
                best.push(refusal);
            }
            Some(Ordering::Equal) if best.len() < MOST_REASONS && !best.contains(&refusal) => best.push(refusal),
            _ => {}
        }
    }
}

/// In how many places two values differ, as deep as their structure is the same.
fn count_differences<'a>(env: &mut Env<'a>, ours: Value<'a>, theirs: Value<'a>) -> usize {
    if compare::equal(env, ours, theirs).unwrap_or(false) {
        return 0;
    }
    match parts(env, ours, theirs) {
        Some((a, b)) => a.iter().zip(b).map(|(x, y)| count_differences(env, *x, *y)).sum(),
        None => 1,
    }
}

/// The parts of two values of the same structure.
fn parts<'a>(env: &mut Env<'a>, ours: Value<'a>, theirs: Value<'a>) -> Option<(&'a [Value<'a>], &'a [Value<'a>])> {
    match (ours, theirs) {
        (Value::Record(a), Value::Record(b)) if a.fields == b.fields => Some((a.values, b.values)),
        (Value::Tuple(a), Value::Tuple(b)) if a.elements.len() == b.elements.len() => Some((a.elements, b.elements)),
        (Value::Function(a), Value::Function(b)) if same_domain(env, a.domain, b.domain) => Some((a.values, b.values)),
        _ => None,
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
    let Some((a, b)) = parts(env, ours, theirs) else {
        let specification = print::print_short(env, ours, VALUE_LENGTH);
        let observed = print::print_short(env, theirs, VALUE_LENGTH);
        return differences.push(Difference { path: path.to_owned(), specification, observed });
    };
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        let path = match ours {
            Value::Record(record) => format!("{path}.{}", env.symbols().text(record.fields[i])),
            Value::Function(function) => format!("{path}[{}]", print::print_short(env, function.domain[i], 60)),
            _ => format!("{path}[{}]", i + 1),
        };
        compare_values(env, &path, *x, *y, differences);
    }
}

fn same_domain<'a>(env: &mut Env<'a>, a: &[Value<'a>], b: &[Value<'a>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| compare::equal(env, *x, *y).unwrap_or(false))
}
