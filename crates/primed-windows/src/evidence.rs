//! The evidence for a refusal: the conditions that failed, the nearest successor, the other actions that allow the step.

use primed_engine::Flow;
use primed_engine::compile::NamedAction;
use primed_engine::env::Env;
use primed_engine::explain::Refusal;
use primed_value::error::EvalErrorKind;
use primed_value::host::{Host, Result as Evaluated};
use primed_value::value::Value;
use primed_value::{compare, print};

use crate::checker::{Action, Checker};
use crate::judge::{Observed, missing, set_states};
use crate::verdict::{Difference, Reason, Refused};

/// Successors that are looked at for the nearest.
const MAX_SUCCESSORS: usize = 2_000;
/// Values of unobserved variables for which a refusal is explained.
const MAX_CANDIDATES: usize = 200;
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
        pre: &Observed<'a>,
        post: &Observed<'a>,
    ) -> Evaluated<Refused> {
        let missing = missing(pre);
        set_states(env, pre, post);
        let candidates = match missing.is_empty() {
            true => vec![Vec::new()],
            false => self.candidates(env, &missing)?,
        };
        let mut refused = Refused::default();
        let mut best: Vec<Refusal> = Vec::new();
        let mut nearest: Option<Vec<Difference>> = None;
        for row in candidates.iter().take(MAX_CANDIDATES) {
            let fill = |env: &mut Env<'a>, post: &Observed<'a>| {
                set_states(env, pre, post);
                missing.iter().zip(row).for_each(|(v, value)| env.set_current_variable(*v, Some(*value)));
            };
            fill(env, post);
            furthest(&mut best, compiled.relation.explain(env)?);
            fill(env, &vec![None; post.len()]);
            self.successors(env, compiled, post, &mut nearest)?;
        }
        refused.reasons = best.iter().map(|r| self.reason(r)).collect();
        refused.nearest = nearest;
        if !self.options.brief {
            refused.others = self.others(env, action, pre, post);
        }
        Ok(refused)
    }

    /// A refusal in words and places.
    pub(crate) fn reason(&self, refusal: &Refusal) -> Reason {
        let operands = refusal.operands.iter().map(|operand| {
            let name = match (&operand.variable, operand.place) {
                (Some(variable), _) => variable.clone(),
                (None, Some(place)) => self.location(place).text,
                (None, None) => String::new(),
            };
            (name, operand.value.clone())
        });
        // A literal explains itself.
        let mut shown: Vec<(String, String)> = Vec::new();
        for operand in operands.filter(|(name, value)| name != value) {
            if !refusal.bindings.contains(&operand) && !shown.contains(&operand) {
                shown.push(operand);
            }
        }
        let operands = shown;
        Reason { location: self.location(refusal.place), bindings: refusal.bindings.clone(), operands }
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

    /// The other actions of the next-state relation that allow the step.
    fn others<'a>(
        &'a self,
        env: &mut Env<'a>,
        action: &Action,
        pre: &Observed<'a>,
        post: &Observed<'a>,
    ) -> Vec<String> {
        env.give(&[]);
        let others = self.actions.iter().filter(|a| a.in_next && a.name != action.name);
        let allowing = others.filter(|other| {
            other.compiled.as_ref().is_ok_and(|compiled| self.allowed(env, compiled, pre, post).unwrap_or(false))
        });
        allowing.map(|a| a.name.to_string()).collect()
    }
}

/// Keeps the refusals of the ways that got furthest.
fn furthest(best: &mut Vec<Refusal>, found: Vec<Refusal>) {
    for refusal in found {
        let depth = best.first().map_or(0, |b| b.passed);
        if best.is_empty() || refusal.passed > depth {
            best.clear();
            best.push(refusal);
        } else if refusal.passed == depth && best.len() < 8 && !best.contains(&refusal) {
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
