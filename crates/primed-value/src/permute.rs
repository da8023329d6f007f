//! Permutations of model values, applied to values: what SYMMETRY needs.

use hashbrown::HashSet;

use crate::build;
use crate::error::EvalError;
use crate::functions::pairs;
use crate::host::{Host, Result};
use crate::sets::{elements, is_enumerable};
use crate::symbol::Symbol;
use crate::value::{ModelValue, Value};

/// A permutation of model values; values that it does not name stay what they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permutation {
    /// Sorted by symbol; without those that are their own image.
    images: Vec<(Symbol, ModelValue)>,
}

/// The group that the functions of a symmetry set generate, without the identity.
///
/// # Errors
/// As TLC's for a set that is not one of functions from model values to model values.
pub fn group<'a, H: Host<'a> + ?Sized>(h: &mut H, symmetry: Value<'a>) -> Result<Vec<Permutation>> {
    if !is_enumerable(symmetry) {
        return Err(unfit("The symmetry operator must specify a set of functions."));
    }
    let mut generators = Vec::new();
    for function in elements(h, symmetry)? {
        let Some(pairs) = pairs(h, *function)? else {
            return Err(unfit("The symmetry operator must specify a set of functions."));
        };
        let mut images = Vec::new();
        for (from, to) in pairs {
            let (Value::Model(from), Value::Model(to)) = (from, to) else {
                return Err(unfit("Symmetry function must have model values as domain and range."));
            };
            if from != to {
                images.push((from.name, to));
            }
        }
        generators.push(Permutation::new(images));
    }
    close(h, generators)
}

#[cold]
fn unfit(message: &str) -> Box<EvalError> {
    EvalError::new(1000, message)
}

/// Everything that products of the generators are.
fn close<'a, H: Host<'a> + ?Sized>(h: &mut H, generators: Vec<Permutation>) -> Result<Vec<Permutation>> {
    let (mut used, mut found): (Vec<Permutation>, Found) = (Vec::new(), Found::default());
    for generator in generators {
        // `Permutations(S)` gives the whole group: few of its elements are needed to make the others.
        if generator.images.is_empty() || found.keys.contains(&generator.key()) {
            continue;
        }
        used.push(generator);
        found = Found::default();
        let mut frontier = vec![Permutation::default()];
        while let Some(last) = frontier.pop() {
            for generator in &used {
                let product = last.then(generator);
                if !product.images.is_empty() && found.keys.insert(product.key()) {
                    crate::limits::check_size(h, found.all.len() + 1)?;
                    found.all.push(product.clone());
                    frontier.push(product);
                }
            }
        }
    }
    Ok(found.all)
}

#[derive(Default)]
struct Found {
    all: Vec<Permutation>,
    keys: HashSet<Vec<(Symbol, Symbol)>, ahash::RandomState>,
}

impl Permutation {
    fn new(mut images: Vec<(Symbol, ModelValue)>) -> Permutation {
        images.retain(|(from, to)| *from != to.name);
        images.sort_by_key(|(from, _)| *from);
        Permutation { images }
    }

    fn key(&self) -> Vec<(Symbol, Symbol)> {
        self.images.iter().map(|(from, to)| (*from, to.name)).collect()
    }

    /// The image of a model value.
    pub fn image(&self, value: ModelValue) -> ModelValue {
        match self.images.binary_search_by_key(&value.name, |(from, _)| *from) {
            Ok(i) => self.images[i].1,
            Err(_) => value,
        }
    }

    /// First this, then the other.
    fn then(&self, other: &Permutation) -> Permutation {
        let mut images: Vec<_> = self.images.iter().map(|(from, to)| (*from, other.image(*to))).collect();
        let new = |from: &Symbol| self.images.binary_search_by_key(from, |(f, _)| *f).is_err();
        images.extend(other.images.iter().filter(|(from, _)| new(from)));
        Permutation::new(images)
    }

    /// The value with every model value in it replaced by its image. What is symbolic in it (infinite sets, functions not
    /// computed) is left alone, as states hold no such thing with model values inside.
    ///
    /// # Errors
    /// Those of building sets.
    pub fn apply<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, value: Value<'a>) -> Result<Value<'a>> {
        match value {
            Value::Model(m) => Ok(Value::Model(self.image(m))),
            Value::Tuple(t) => {
                let elements = self.apply_all(h, t.elements)?;
                Ok(build::tuple_vec(h, elements))
            }
            Value::Record(r) => {
                let values = self.apply_all(h, r.values)?;
                let values = h.arena().alloc_slice_copy(&values);
                Ok(build::record_with_shape(h, r.fields, values))
            }
            Value::Function(f) => {
                let domain = self.apply_all(h, f.domain)?;
                let values = self.apply_all(h, f.values)?;
                build::function_from_pairs(h, domain.into_iter().zip(values).collect())
            }
            Value::Set(s) => {
                let elements = self.apply_all(h, s.elements)?;
                build::set(h, elements)
            }
            _ => Ok(value),
        }
    }

    fn apply_all<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, values: &[Value<'a>]) -> Result<Vec<Value<'a>>> {
        values.iter().map(|v| self.apply(h, *v)).collect()
    }
}
