//! Fairness and the negation of what is claimed, brought into a form that can be searched for.
//!
//! A behaviour disproves the properties if it satisfies `fairness /\ ~property` for one of them. That formula becomes a
//! disjunction of [`Branch`]es, each a conjunction of *demands* `<>[]P \/ []<>Q` (of states and steps) and of formulas over
//! states alone, for which there is a [`Tableau`]. TLC does the same, but takes `<>[]P \/ []<>Q`, which strong fairness is made
//! of, for a choice: its disjunctions grow exponentially with the number of such conjuncts, and ours do not.

use crate::liveness::formula::{Atom, Formula, Level};
use crate::liveness::tableau::Tableau;

/// Disjuncts that a problem may have.
const MAX_BRANCHES: usize = 100_000;
/// TLC counts the disjuncts with 32 bits.
const TLC_LIMIT: u64 = i32::MAX as u64;

/// Why a formula cannot be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// An action stands elsewhere than in `<>[]A` or `[]<>A` (TLC 2214).
    Step,
    /// Its disjunctive normal form is too large (TLC 2213).
    TooLarge,
    /// Its tableau is too large for Primed.
    Tableau,
}

/// What is observed of a state or of a step, by its number in the [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Of the state (of a step: of the state before it).
    State(usize),
    /// Of the step.
    Step(usize),
}

/// `<>[]stays \/ []<>returns`; what is missing is FALSE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Holds of all steps from some moment on.
    pub stays: Option<Check>,
    /// Holds again and again.
    pub returns: Option<Check>,
}

/// One way to disprove the properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The tableau of the remaining formulas, by number.
    pub tableau: usize,
    /// Everything else that must hold.
    pub demands: Vec<Demand>,
}

/// What to observe, and what would disprove the properties.
#[derive(Debug)]
pub struct Problem {
    /// What is observed of each state.
    pub states: Vec<Formula>,
    /// What is observed of each step.
    pub steps: Vec<Formula>,
    /// The tableaux.
    pub tableaux: Vec<Tableau>,
    /// The ways. With none of them the properties are tautologies.
    pub branches: Vec<Branch>,
    /// The state formulas, by number, that tableaux ask of a state when it is found.
    ahead: Vec<usize>,
}

/// A conjunct of a branch.
#[derive(Clone, Debug, PartialEq)]
enum Term {
    Demand { stays: Option<Formula>, returns: Option<Formula> },
    General(Formula),
}

impl Problem {
    /// The problem of finding a behaviour that satisfies all of `fairness` and not all of `properties`.
    ///
    /// # Errors
    /// If it cannot be checked.
    pub fn new(fairness: &[Formula], properties: &[Formula]) -> Result<Problem, Refusal> {
        let violated = properties.iter().map(|p| p.clone().negated()).collect();
        let mut all = fairness.to_vec();
        all.push(Formula::Or(violated));
        let formula = positive(&simplified(&Formula::And(all)), false);
        tlc_disjuncts(&formula).ok_or(Refusal::TooLarge)?;
        let mut problem = Problem {
            states: Vec::new(),
            steps: Vec::new(),
            tableaux: Vec::new(),
            branches: Vec::new(),
            ahead: Vec::new(),
        };
        let mut formulas: Vec<Vec<Formula>> = Vec::new();
        for terms in disjuncts(&formula)? {
            problem.branch(terms, &mut formulas)?;
        }
        for (number, _) in problem.tableaux.iter().flat_map(Tableau::literals) {
            if !problem.ahead.contains(&number) {
                problem.ahead.push(number);
            }
        }
        Ok(problem)
    }

    /// What tableaux ask of a state when it is found: state formulas by number.
    pub fn ahead(&self) -> &[usize] {
        &self.ahead
    }

    /// Tableaux ask something of states.
    pub fn asks_ahead(&self) -> bool {
        !self.ahead.is_empty()
    }

    /// Evaluates what tableaux ask of an initial state, in TLC's order and as far as TLC does.
    ///
    /// # Errors
    /// What `holds` gives of the state formula of this number.
    pub fn begin<E>(&self, holds: &mut dyn FnMut(usize) -> Result<bool, E>) -> Result<(), E> {
        for tableau in &self.tableaux {
            for node in tableau.initial.iter().filter_map(|node| tableau.nodes.get(*node as usize)) {
                for (number, wanted) in &node.literals {
                    if holds(*number)? != *wanted {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn branch(&mut self, terms: Vec<Term>, formulas: &mut Vec<Vec<Formula>>) -> Result<(), Refusal> {
        let (mut demands, mut general) = (Vec::new(), Vec::new());
        for term in terms {
            match term {
                Term::Demand { stays, returns } => {
                    let stays = stays.map(|f| self.check(f));
                    let returns = returns.map(|f| self.check(f));
                    let demand = Demand { stays, returns };
                    if !demands.contains(&demand) {
                        demands.push(demand);
                    }
                }
                Term::General(formula) if formula.mentions_step() => return Err(Refusal::Step),
                Term::General(formula) => {
                    if !general.contains(&formula) {
                        general.push(formula);
                    }
                }
            }
        }
        let tableau = match formulas.iter().position(|f| *f == general) {
            Some(known) => known,
            None => {
                let tableau = Tableau::new(&general, &mut |formula| self.state(formula)).ok_or(Refusal::Tableau)?;
                self.tableaux.push(tableau);
                formulas.push(general);
                formulas.len() - 1
            }
        };
        self.branches.push(Branch { tableau, demands });
        Ok(())
    }

    /// The number of what is observed of a state.
    fn state(&mut self, formula: &Formula) -> usize {
        number(&mut self.states, formula)
    }

    fn check(&mut self, formula: Formula) -> Check {
        match formula.level() {
            Level::Constant | Level::State => Check::State(self.state(&formula)),
            Level::Step | Level::Temporal => Check::Step(number(&mut self.steps, &formula)),
        }
    }

    /// Words of 64 bits that hold what is observed of a state.
    pub fn state_words(&self) -> usize {
        self.states.len().div_ceil(64)
    }

    /// Bytes that hold what is observed of a step.
    pub fn step_bytes(&self) -> usize {
        self.steps.len().div_ceil(8)
    }
}

fn number(known: &mut Vec<Formula>, formula: &Formula) -> usize {
    known.iter().position(|f| f == formula).unwrap_or_else(|| {
        known.push(formula.clone());
        known.len() - 1
    })
}

/// Constants are taken out, `[][]` and `<><>` are one operator. TLC leaves `[]TRUE` as it is, and so does this: a formula
/// counts as a tautology only if connectives alone show it.
fn simplified(formula: &Formula) -> Formula {
    match formula {
        Formula::Constant(_) | Formula::Atom(_) => formula.clone(),
        Formula::Not(inner) => simplified(inner).negated(),
        Formula::And(items) | Formula::Or(items) => {
            let and = matches!(formula, Formula::And(_));
            let mut kept = Vec::new();
            for item in items {
                match simplified(item) {
                    Formula::Constant(b) if b == and => {}
                    Formula::Constant(b) => return Formula::Constant(b),
                    Formula::And(inner) if and => kept.extend(inner),
                    Formula::Or(inner) if !and => kept.extend(inner),
                    other => kept.push(other),
                }
            }
            match (kept.len(), and) {
                (0, and) => Formula::Constant(and),
                (1, _) => kept.swap_remove(0),
                (_, true) => Formula::And(kept),
                (_, false) => Formula::Or(kept),
            }
        }
        Formula::Always(inner) => match simplified(inner) {
            Formula::Always(inner) => Formula::Always(inner),
            other => other.always(),
        },
        Formula::Eventually(inner) => match simplified(inner) {
            Formula::Eventually(inner) => Formula::Eventually(inner),
            other => other.eventually(),
        },
    }
}

/// Negation only before formulas without temporal operators.
fn positive(formula: &Formula, negated: bool) -> Formula {
    if formula.level() < Level::Temporal {
        return if negated { formula.clone().negated() } else { formula.clone() };
    }
    match formula {
        Formula::Constant(_) | Formula::Atom(_) => formula.clone(),
        Formula::Not(inner) => positive(inner, !negated),
        Formula::And(items) | Formula::Or(items) => {
            let and = matches!(formula, Formula::And(_)) != negated;
            let mut kept = Vec::new();
            for item in items {
                match positive(item, negated) {
                    Formula::And(inner) if and && has_temporal(&inner) => kept.extend(inner),
                    Formula::Or(inner) if !and && has_temporal(&inner) => kept.extend(inner),
                    other => kept.push(other),
                }
            }
            if and { Formula::And(kept) } else { Formula::Or(kept) }
        }
        Formula::Always(inner) | Formula::Eventually(inner) => {
            let always = matches!(formula, Formula::Always(_)) != negated;
            let inner = positive(inner, negated);
            match (always, inner) {
                (true, Formula::Always(inner)) => Formula::Always(inner),
                (false, Formula::Eventually(inner)) => Formula::Eventually(inner),
                (true, inner) => inner.always(),
                (false, inner) => inner.eventually(),
            }
        }
    }
}

fn has_temporal(items: &[Formula]) -> bool {
    items.iter().any(|i| i.level() == Level::Temporal)
}

/// P of `<>[]P`, without temporal operators.
fn stays(formula: &Formula) -> Option<&Formula> {
    match formula {
        Formula::Eventually(inner) => match &**inner {
            Formula::Always(inner) if inner.level() < Level::Temporal => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

/// P of `[]<>P`, without temporal operators.
fn returns(formula: &Formula) -> Option<&Formula> {
    match formula {
        Formula::Always(inner) => match &**inner {
            Formula::Eventually(inner) if inner.level() < Level::Temporal => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

/// A demand: `<>[]P`, `[]<>Q`, or a disjunction of them with at most one `<>[]P`.
fn demand(formula: &Formula) -> Option<Term> {
    let items = match formula {
        Formula::Or(items) => items.as_slice(),
        other => std::slice::from_ref(other),
    };
    let (mut stay, mut again) = (None, Vec::new());
    for item in items {
        match (stays(item), returns(item)) {
            (Some(p), _) if stay.is_none() => stay = Some(p.clone()),
            (_, Some(q)) => again.push(q.clone()),
            _ => return None,
        }
    }
    let returns = match again.len() {
        0 => None,
        1 => again.pop(),
        // `[]<>A \/ []<>B` is `[]<>(A \/ B)`.
        _ => Some(Formula::Or(again)),
    };
    Some(Term::Demand { stays: stay, returns })
}

/// The disjunctive normal form.
fn disjuncts(formula: &Formula) -> Result<Vec<Vec<Term>>, Refusal> {
    if let Some(demand) = demand(formula) {
        return Ok(vec![vec![demand]]);
    }
    if formula.level() < Level::Temporal {
        return Ok(match formula {
            Formula::Constant(true) => vec![Vec::new()],
            Formula::Constant(false) => Vec::new(),
            other => vec![vec![Term::General(other.clone())]],
        });
    }
    match formula {
        Formula::Or(items) => {
            let mut all = Vec::new();
            for item in items {
                all.extend(disjuncts(item)?);
                if all.len() > MAX_BRANCHES {
                    return Err(Refusal::TooLarge);
                }
            }
            Ok(all)
        }
        Formula::And(items) => {
            let mut all: Vec<Vec<Term>> = vec![Vec::new()];
            for item in items {
                let choices = disjuncts(item)?;
                if all.len().saturating_mul(choices.len()) > MAX_BRANCHES {
                    return Err(Refusal::TooLarge);
                }
                let joined = all.iter().flat_map(|left| choices.iter().map(|right| [&left[..], right].concat()));
                all = joined.collect();
            }
            Ok(all)
        }
        other => Ok(vec![vec![Term::General(other.clone())]]),
    }
}

/// How many disjuncts TLC's normal form has; `None` if it cannot count them.
fn tlc_disjuncts(formula: &Formula) -> Option<u64> {
    if formula.level() < Level::Temporal {
        return Some(1);
    }
    match formula {
        Formula::And(items) => items
            .iter()
            .try_fold(1u64, |total, item| total.checked_mul(tlc_disjuncts(item)?).filter(|total| *total <= TLC_LIMIT)),
        Formula::Or(items) => {
            let again = items.iter().any(|i| returns(i).is_some());
            let others = items.iter().filter(|i| returns(i).is_none());
            let count = others.map(tlc_disjuncts).sum::<Option<u64>>()?;
            Some(count + u64::from(again))
        }
        _ => Some(1),
    }
}

impl Formula {
    /// The atoms of a formula, in order, each once.
    pub fn atoms(&self, found: &mut Vec<Atom>) {
        match self {
            Formula::Constant(_) => {}
            Formula::Atom(atom) => {
                if !found.contains(atom) {
                    found.push(*atom);
                }
            }
            Formula::Not(inner) | Formula::Always(inner) | Formula::Eventually(inner) => inner.atoms(found),
            Formula::And(items) | Formula::Or(items) => items.iter().for_each(|i| i.atoms(found)),
        }
    }
}
