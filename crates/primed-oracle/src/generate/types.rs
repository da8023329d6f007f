//! Types of expressions, as the generator needs them: TLA+ itself has none.

use std::fmt;

use crate::generate::random::Random;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Bool,
    Int,
    Str,
    Model,
    /// A formula that says what the next (or the initial) state is.
    Action,
    /// A temporal formula.
    Temporal,
    Set(Box<Type>),
    Seq(Box<Type>),
    Tup(Box<Type>, Box<Type>),
    Rec(Box<Type>, Box<Type>),
    Fun(Box<Type>, Box<Type>),
    Bag(Box<Type>),
    /// Any type, the same one wherever the letter stands in a production.
    Any(char),
}

/// What the letters of a production stand for.
pub(crate) type Bindings = Vec<(char, Type)>;

impl Type {
    /// Reads a type; `None` if it is none, or something follows it.
    pub(crate) fn parse(text: &str) -> Option<Type> {
        match Self::parse_first(text)? {
            (ty, "") => Some(ty),
            _ => None,
        }
    }

    fn parse_first(text: &str) -> Option<(Type, &str)> {
        let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let scalar = match name {
            "Bool" => Some(Type::Bool),
            "Int" => Some(Type::Int),
            "Str" => Some(Type::Str),
            "Model" => Some(Type::Model),
            _ => None,
        };
        if let Some(scalar) = scalar {
            return Some((scalar, rest));
        }
        if name.len() == 1 {
            return Some((Type::Any(name.chars().next()?), rest));
        }
        let (first, rest) = Self::parse_first(rest.strip_prefix('(')?)?;
        let first = Box::new(first);
        if let Some(rest) = rest.strip_prefix(')') {
            return match name {
                "Set" => Some((Type::Set(first), rest)),
                "Seq" => Some((Type::Seq(first), rest)),
                "Bag" => Some((Type::Bag(first), rest)),
                _ => None,
            };
        }
        let (second, rest) = Self::parse_first(rest.strip_prefix(',')?)?;
        let (second, rest) = (Box::new(second), rest.strip_prefix(')')?);
        match name {
            "Tup" => Some((Type::Tup(first, second), rest)),
            "Rec" => Some((Type::Rec(first, second), rest)),
            "Fun" => Some((Type::Fun(first, second), rest)),
            _ => None,
        }
    }

    /// Whether `self`, in which letters may stand, is the type given, which has none; what the letters are is kept.
    pub(crate) fn unify(&self, given: &Type, bindings: &mut Bindings) -> bool {
        match (self, given) {
            (Type::Any(letter), _) => match bindings.iter().find(|(l, _)| l == letter) {
                Some((_, bound)) => bound == given,
                None => {
                    bindings.push((*letter, given.clone()));
                    true
                }
            },
            (Type::Set(a), Type::Set(b)) | (Type::Seq(a), Type::Seq(b)) | (Type::Bag(a), Type::Bag(b)) => {
                a.unify(b, bindings)
            }
            (Type::Tup(a, b), Type::Tup(c, d))
            | (Type::Rec(a, b), Type::Rec(c, d))
            | (Type::Fun(a, b), Type::Fun(c, d)) => a.unify(c, bindings) && b.unify(d, bindings),
            _ => self == given,
        }
    }

    /// With its letters replaced; those that stand for nothing yet get a small type by chance.
    pub(crate) fn fill(&self, bindings: &mut Bindings, random: &mut Random) -> Type {
        match self {
            Type::Any(letter) => match bindings.iter().find(|(l, _)| l == letter) {
                Some((_, bound)) => bound.clone(),
                None => {
                    let ty = Type::random(random, 1);
                    bindings.push((*letter, ty.clone()));
                    ty
                }
            },
            Type::Set(a) => Type::Set(Box::new(a.fill(bindings, random))),
            Type::Seq(a) => Type::Seq(Box::new(a.fill(bindings, random))),
            Type::Bag(a) => Type::Bag(Box::new(a.fill(bindings, random))),
            Type::Tup(a, b) => Type::Tup(Box::new(a.fill(bindings, random)), Box::new(b.fill(bindings, random))),
            Type::Rec(a, b) => Type::Rec(Box::new(a.fill(bindings, random)), Box::new(b.fill(bindings, random))),
            Type::Fun(a, b) => Type::Fun(Box::new(a.fill(bindings, random)), Box::new(b.fill(bindings, random))),
            scalar => scalar.clone(),
        }
    }

    /// A type whose nesting is at most so deep.
    pub(crate) fn random(random: &mut Random, depth: usize) -> Type {
        let inner = |random: &mut Random| Box::new(Type::random(random, depth.saturating_sub(1)));
        match random.below(if depth == 0 { 10 } else { 17 }) {
            0..=4 => Type::Int,
            5..=6 => Type::Bool,
            7 => Type::Str,
            8..=9 => Type::Model,
            10..=11 => Type::Set(inner(random)),
            12 => Type::Seq(inner(random)),
            13 => Type::Tup(inner(random), inner(random)),
            14 => Type::Rec(inner(random), inner(random)),
            15 => Type::Fun(Box::new(Type::random(random, 0)), inner(random)),
            _ => Type::Bag(Box::new(Type::random(random, 0))),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Set(a) => write!(f, "Set({a})"),
            Type::Seq(a) => write!(f, "Seq({a})"),
            Type::Bag(a) => write!(f, "Bag({a})"),
            Type::Tup(a, b) => write!(f, "Tup({a},{b})"),
            Type::Rec(a, b) => write!(f, "Rec({a},{b})"),
            Type::Fun(a, b) => write!(f, "Fun({a},{b})"),
            Type::Any(letter) => write!(f, "{letter}"),
            scalar => write!(f, "{scalar:?}"),
        }
    }
}
