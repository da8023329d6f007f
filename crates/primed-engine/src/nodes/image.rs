//! Filters that are images under a relation.

use primed_value::host::Result;
use primed_value::image;
use primed_value::value::Value;

use crate::env::Env;
use crate::node::{Code, Node, Operand};
use crate::nodes::binders::Filter;

/// Smaller sets are gone through.
const LEAST: usize = 4;

/// `{y \in S : <<x, y>> \in R}`, or `{y \in S : \E x \in P : <<x, y>> \in R}`.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) points: Points,
    pub(crate) relation: Code,
    /// The filter as it stands.
    pub(crate) filter: Filter,
}

/// What the image is of.
#[derive(Debug)]
pub(crate) enum Points {
    /// This point.
    One(Code),
    /// All points of this set.
    Of(Code),
}

impl Image {
    /// The image, where the sets are at hand and nothing fails; what fails does so again, element by element.
    fn image<'a>(&'a self, env: &mut Env<'a>) -> Option<Value<'a>> {
        let Ok(Value::Set(within)) = self.filter.set.eval(env) else { return None };
        if within.elements.len() < LEAST {
            return None;
        }
        let one;
        let points = match &self.points {
            Points::One(code) => {
                one = [code.eval(env).ok()?];
                one.as_slice()
            }
            Points::Of(code) => match code.eval(env) {
                Ok(Value::Set(points)) if !points.elements.is_empty() => points.elements,
                _ => return None,
            },
        };
        match self.relation.eval(env) {
            Ok(Value::Set(relation)) => image::image(env, points, relation, within).ok().flatten(),
            _ => None,
        }
    }
}

impl Node for Image {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        match self.image(env) {
            Some(image) => Ok(image),
            None => self.filter.eval(env),
        }
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        match self.image(env) {
            Some(image) => primed_value::sets::member(env, element, image),
            None => self.filter.has(env, element),
        }
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.filter.operands()
    }
}
