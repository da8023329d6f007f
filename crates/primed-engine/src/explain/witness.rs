//! For which values of the names that it binds a condition is false.

use primed_value::print;

use super::{Names, Observed, VALUE_LENGTH, bound};
use crate::env::Env;
use crate::node::{Node, Operand, OperandName};

/// Conditions within each other that are looked into.
const DEPTH: usize = 60;
/// Names and parts that are kept of one condition.
const KEPT: usize = 16;

/// An `\E` that no value satisfies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The names that it binds.
    pub names: Vec<String>,
    /// How many values, or combinations of values, there were.
    pub count: usize,
}

/// What decides a condition, as far as it has been looked into.
#[derive(Debug, Default)]
pub(crate) struct Witness {
    pub(super) names: Vec<(String, String)>,
    pub(super) tried: Vec<Tried>,
    pub(super) operands: Vec<Observed>,
    depth: usize,
}

impl Witness {
    /// Nothing in it is bound, so that its own operands explain it.
    pub(super) fn is_plain(&self) -> bool {
        self.names.is_empty() && self.tried.is_empty()
    }

    /// Goes into a part that has this truth value.
    pub(crate) fn inside<'a>(&mut self, env: &mut Env<'a>, part: &'a dyn Node, value: bool) {
        if self.depth >= DEPTH {
            return;
        }
        self.depth += 1;
        part.witness(env, value, self);
        self.depth -= 1;
    }

    /// A conjunction or disjunction: the first part that decides it, or all of them.
    pub(crate) fn junction<'a>(&mut self, env: &mut Env<'a>, and: bool, value: bool, parts: &[&'a dyn Node]) {
        for part in parts {
            if value == and {
                self.inside(env, *part, value);
            } else if matches!(part.test(env), Ok(decides) if decides == value) {
                return self.inside(env, *part, value);
            }
        }
    }

    /// The values that names have just now.
    pub(crate) fn bound(&mut self, env: &mut Env<'_>, names: &Names) {
        for (name, slot) in names {
            if let Some(value) = bound(env, env.base + *slot as usize)
                && self.names.len() < KEPT
            {
                self.names.push((name.to_string(), print::print_short(env, value, VALUE_LENGTH)));
            }
        }
    }

    /// No value of these names was right.
    pub(crate) fn tried(&mut self, names: &Names, count: usize) {
        if self.tried.len() < KEPT {
            self.tried.push(Tried { names: names.iter().map(|(name, _)| name.to_string()).collect(), count });
        }
    }

    /// The values of what a part compares.
    pub(crate) fn part<'a>(&mut self, env: &mut Env<'a>, operands: Vec<Operand<'a>>) {
        for operand in operands {
            if self.operands.len() >= KEPT {
                return;
            }
            let value = match operand.code.eval(env) {
                Ok(value) => print::print_short(env, value, VALUE_LENGTH),
                Err(error) => format!("an error: {}", error.message),
            };
            let observed = match operand.name {
                OperandName::Place(place) => Observed { place: Some(place), variable: None, value },
                OperandName::Variable(number, primed) => {
                    let name = env.program.names.get(number as usize).map_or("?", |v| &v.name);
                    let prime = if primed { "'" } else { "" };
                    Observed { place: None, variable: Some(format!("{name}{prime}")), value }
                }
            };
            if !self.operands.contains(&observed) {
                self.operands.push(observed);
            }
        }
    }
}
