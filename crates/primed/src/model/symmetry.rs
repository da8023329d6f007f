//! Symmetric states: which one stands for all.

use hashbrown::HashMap;
use primed_engine::env::Env;
use primed_value::compare;
use primed_value::host::Result;
use primed_value::intern::{Interner, ValueId};
use primed_value::permute::Permutation;

/// The group of permutations that SYMMETRY generates.
#[derive(Debug, Default)]
pub(super) struct Symmetry {
    /// Without the identity.
    group: Vec<Permutation>,
    /// The least state is the one that TLC compares as least, not just any: a VIEW is to be evaluated in it.
    ordered: bool,
}

/// Images of interned values that were needed before, by permutation and id.
pub(super) type Images = HashMap<(u32, u32), u32, ahash::RandomState>;

impl Symmetry {
    /// The symmetry of a group; `ordered` if the representative must be TLC's.
    pub(super) fn new(group: Vec<Permutation>, ordered: bool) -> Symmetry {
        Symmetry { group, ordered }
    }

    /// No two different states are symmetric.
    pub(super) fn is_trivial(&self) -> bool {
        self.group.is_empty()
    }

    /// The row that stands for all rows symmetric to this one: the least of them.
    pub(super) fn least<'a>(
        &self,
        env: &mut Env<'a>,
        interner: &'a Interner,
        row: &[u32],
        images: &mut Images,
    ) -> Result<Vec<u32>> {
        let mut least = row.to_vec();
        let mut image = Vec::with_capacity(row.len());
        for (number, permutation) in self.group.iter().enumerate() {
            image.clear();
            // A row is given up at the first variable that makes it greater.
            let mut smaller = false;
            for (variable, id) in row.iter().enumerate() {
                let key = (number as u32, *id);
                let mapped = match images.get(&key) {
                    Some(mapped) => *mapped,
                    None => {
                        let value = permutation.apply(env, interner.get(ValueId(*id)))?;
                        let mapped = interner.intern(env, value)?.0;
                        images.insert(key, mapped);
                        mapped
                    }
                };
                if !smaller && mapped != least[variable] {
                    let less = match self.ordered {
                        false => mapped < least[variable],
                        true => {
                            let (a, b) = (interner.get(ValueId(mapped)), interner.get(ValueId(least[variable])));
                            compare::compare(env, a, b)?.is_lt()
                        }
                    };
                    if !less {
                        break;
                    }
                    smaller = true;
                }
                image.push(mapped);
            }
            if smaller {
                std::mem::swap(&mut least, &mut image);
            }
        }
        Ok(least)
    }
}
