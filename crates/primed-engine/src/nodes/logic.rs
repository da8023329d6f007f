//! Connectives, equality and membership.

use primed_value::error::{EvalError, Place};
use primed_value::host::Result;
use primed_value::intern::same_word;
use primed_value::value::Value;
use primed_value::{compare, print, sets};

use crate::env::Env;
use crate::explain::Witness;
use crate::node::{Code, Node, Operand};

/// `a OP b` was asked with an operand that is not a Boolean.
#[cold]
fn operand_error<'a>(form: &str, operand: &str, value: Value<'a>, place: Place) -> Box<EvalError> {
    let kind = print::kind_name(value);
    let message = match form {
        "P <=> Q" => format!("Attempted to evaluate an expression of form {form} when P or Q was not a boolean."),
        _ => format!("Attempted to evaluate an expression of form {form} when {operand} was\n{kind}."),
    };
    EvalError::new(1000, message).told("\n", place)
}

fn operand<'a>(code: &'a Code, env: &mut Env<'a>, form: &str, name: &str, place: Place) -> Result<bool> {
    match code.eval(env)? {
        Value::Bool(b) => Ok(b),
        other => Err(operand_error(form, name, other, place)),
    }
}

/// A node that is a Boolean: `test` is the real thing and `eval` wraps it.
macro_rules! condition {
    () => {
        #[inline]
        fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
            self.test(env).map(Value::Bool)
        }
    };
}
pub(crate) use condition;

/// `P /\ Q`, `P \/ Q` or `P => Q`, as infix operators.
#[derive(Debug)]
pub(crate) struct Infix {
    pub(crate) kind: InfixKind,
    pub(crate) left: Code,
    pub(crate) right: Code,
    pub(crate) place: Place,
}

/// Which infix connective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InfixKind {
    And,
    Or,
    Implies,
    Equiv,
}

impl InfixKind {
    fn form(self) -> &'static str {
        match self {
            InfixKind::And => "P /\\ Q",
            InfixKind::Or => "P \\/ Q",
            InfixKind::Implies => "P => Q",
            InfixKind::Equiv => "P <=> Q",
        }
    }
}

impl Node for Infix {
    condition!();

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let form = self.kind.form();
        let left = operand(&self.left, env, form, "P", self.place)?;
        match (self.kind, left) {
            (InfixKind::And, false) => Ok(false),
            (InfixKind::Or, true) | (InfixKind::Implies, false) => Ok(true),
            (InfixKind::Equiv, _) => Ok(left == operand(&self.right, env, form, "Q", self.place)?),
            _ => operand(&self.right, env, form, "Q", self.place),
        }
    }

    fn conjuncts(&self) -> Option<Vec<&dyn Node>> {
        (self.kind == InfixKind::And).then(|| vec![&*self.left, &*self.right])
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        [self.left.operands(), self.right.operands()].concat()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        let (left, right) = (&*self.left, &*self.right);
        match (self.kind, value) {
            (InfixKind::And, _) => found.junction(env, true, value, &[left, right]),
            (InfixKind::Or, _) => found.junction(env, false, value, &[left, right]),
            (InfixKind::Implies, false) => {
                found.inside(env, left, true);
                found.inside(env, right, false);
            }
            (InfixKind::Implies, true) => match left.test(env) {
                Ok(false) => found.inside(env, left, false),
                _ => found.inside(env, right, true),
            },
            (InfixKind::Equiv, _) => found.part(env, self.operands()),
        }
    }
}

/// A junction list.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) and: bool,
    pub(crate) items: Vec<(Code, Place)>,
}

impl Node for List {
    condition!();

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        for (item, place) in &self.items {
            let holds = match item.eval(env)? {
                Value::Bool(b) => b,
                other => {
                    let which = if self.and { "conjunction" } else { "disjunction" };
                    let kind = print::kind_name(other);
                    let message = format!("A non-boolean expression ({kind}) was used as a formula in a {which}.");
                    return Err(EvalError::new(1000, message).told("\n", *place));
                }
            };
            if holds != self.and {
                return Ok(!self.and);
            }
        }
        Ok(self.and)
    }

    fn conjuncts(&self) -> Option<Vec<&dyn Node>> {
        self.and.then(|| self.items.iter().map(|(item, _)| &**item).collect())
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.items.iter().flat_map(|(item, _)| item.operands()).collect()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        let items: Vec<&dyn Node> = self.items.iter().map(|(item, _)| &**item).collect();
        found.junction(env, self.and, value, &items);
    }
}

/// `~P`.
#[derive(Debug)]
pub(crate) struct Not {
    pub(crate) operand: Code,
    pub(crate) operand_place: Place,
    pub(crate) place: Place,
}

impl Node for Not {
    condition!();

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        match self.operand.eval(env)? {
            Value::Bool(b) => Ok(!b),
            other => {
                let kind = print::kind_name(other);
                let message = format!("Attempted to apply the operator ~ to a non-boolean\n({kind})");
                Err(EvalError::new(1000, message).told("\n", self.place))
            }
        }
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        let inner = self.operand.operands();
        match inner.is_empty() {
            true => vec![Operand::new(&self.operand, self.operand_place)],
            false => inner,
        }
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        match self.operand.operands().is_empty() {
            true => found.part(env, self.operands()),
            false => found.inside(env, &*self.operand, !value),
        }
    }
}

/// The operands of an infix relation.
fn both<'n>(left: &'n Code, right: &'n Code, [_, left_place, right_place]: [Place; 3]) -> Vec<Operand<'n>> {
    vec![Operand::new(left, left_place), Operand::new(right, right_place)]
}

/// A relation between two values.
pub(crate) type Relation = for<'a> fn(&mut Env<'a>, Value<'a>, Value<'a>) -> Result<bool>;

/// `a = b`, `a \in S`, `a < b` and their kin.
#[derive(Debug)]
pub(crate) struct Compare {
    pub(crate) relation: Relation,
    pub(crate) left: Code,
    pub(crate) right: Code,
    /// Of the whole, the left and the right operand.
    pub(crate) places: [Place; 3],
}

impl Node for Compare {
    condition!();

    #[inline]
    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let left = self.left.eval(env)?;
        let right = self.right.eval(env)?;
        (self.relation)(env, left, right).map_err(|e| e.at(self.places[0]))
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        both(&self.left, &self.right, self.places)
    }
}

/// `e \in S`, or `e \notin S`.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) negated: bool,
    pub(crate) element: Code,
    pub(crate) set: Code,
    /// Of the whole, the element and the set.
    pub(crate) places: [Place; 3],
}

impl Node for Member {
    condition!();

    #[inline]
    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let element = self.element.eval(env)?;
        match self.set.has(env, element) {
            Ok(holds) => Ok(holds != self.negated),
            Err(e) => Err(e.at(self.places[0])),
        }
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        both(&self.element, &self.set, self.places)
    }
}

/// Equality, the commonest relation, without the call through a pointer.
#[derive(Debug)]
pub(crate) struct Equal {
    pub(crate) negated: bool,
    pub(crate) left: Code,
    pub(crate) right: Code,
    pub(crate) places: [Place; 3],
}

impl Node for Equal {
    condition!();

    #[inline]
    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let left = self.left.eval(env)?;
        let right = self.right.eval(env)?;
        match compare::equal(env, left, right) {
            Ok(holds) => Ok(holds != self.negated),
            Err(e) => Err(e.at(self.places[0])),
        }
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        both(&self.left, &self.right, self.places)
    }
}

/// `a \in {e1, e2}`: the elements are compared one by one, and the set is never built.
#[derive(Debug)]
pub(crate) struct InLiteral {
    pub(crate) negated: bool,
    pub(crate) element: Code,
    pub(crate) items: Vec<Code>,
    /// If the elements are all of one kind of scalar: their words.
    pub(crate) scalars: Vec<Value<'static>>,
    pub(crate) place: Place,
    pub(crate) element_place: Place,
}

/// Tells Booleans, integers and strings apart; 0 for other values.
#[inline]
fn kind(v: Value<'_>) -> u8 {
    match v {
        Value::Bool(_) => 1,
        Value::Int(_) => 2,
        Value::String(_) => 3,
        _ => 0,
    }
}

/// The words, if all are Booleans, all integers or all strings.
pub(crate) fn scalars(items: Vec<Option<Value<'static>>>) -> Vec<Value<'static>> {
    let all: Option<Vec<Value<'static>>> = items.into_iter().collect();
    all.filter(|all| all.iter().all(|v| kind(*v) != 0 && kind(*v) == kind(all[0]))).unwrap_or_default()
}

impl Node for InLiteral {
    condition!();

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let element = self.element.eval(env)?;
        if let Some(first) = self.scalars.first()
            && kind(*first) == kind(element)
        {
            return Ok(self.scalars.iter().any(|item| same_word(*item, element)) != self.negated);
        }
        let mut items = Vec::with_capacity(self.items.len());
        for item in &self.items {
            items.push(item.eval(env)?);
        }
        for item in items {
            if compare::equal(env, item, element).map_err(|e| e.at(self.place))? {
                return Ok(!self.negated);
            }
        }
        Ok(self.negated)
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        vec![Operand::new(&self.element, self.element_place)]
    }
}

/// Inclusion as a relation.
pub(crate) fn subset_eq<'a>(env: &mut Env<'a>, left: Value<'a>, right: Value<'a>) -> Result<bool> {
    sets::subset_eq(env, left, right)
}
