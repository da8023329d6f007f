//! Symmetric states: which one stands for all.

use std::sync::OnceLock;

use hashbrown::HashMap;
use primed_engine::env::Env;
use primed_value::compare;
use primed_value::host::Result;
use primed_value::intern::{Interner, ValueId};
use primed_value::permute::Permutation;
use primed_value::sets;

/// The group of permutations that SYMMETRY generates.
#[derive(Debug, Default)]
pub(super) struct Symmetry {
    /// Without the identity.
    group: Vec<Permutation>,
    /// The least state is the one that TLC compares as least, not just any: a VIEW is to be evaluated in it.
    ordered: bool,
    /// The variables in the order in which states are compared, settled by the first state.
    order: OnceLock<Vec<usize>>,
}

/// Images of interned values that were needed before, by permutation and id.
pub(super) type Images = HashMap<(u32, u32), u32, ahash::RandomState>;

impl Symmetry {
    /// The symmetry of a group; `ordered` if the representative must be TLC's.
    pub(super) fn new(group: Vec<Permutation>, ordered: bool) -> Symmetry {
        Symmetry { group, ordered, order: OnceLock::new() }
    }

    /// No two different states are symmetric.
    pub(super) fn is_trivial(&self) -> bool {
        self.group.is_empty()
    }

    /// The variables in the order in which they are compared. Most permutations are given up at the first variables: these
    /// should be the ones that have few values and small ones. Sets (of messages, say) grow; they come last.
    fn order(&self, interner: &Interner, row: &[u32]) -> &[usize] {
        self.order.get_or_init(|| {
            let mut order: Vec<usize> = (0..row.len()).collect();
            if !self.ordered {
                order.sort_by_key(|variable| sets::is_set(interner.get(ValueId(row[*variable]))));
            }
            order
        })
    }

    /// The row that stands for all rows symmetric to this one: the least of them.
    pub(super) fn least<'a>(
        &self,
        env: &mut Env<'a>,
        interner: &'a Interner,
        row: &[u32],
        images: &mut Images,
    ) -> Result<Vec<u32>> {
        let order = self.order(interner, row);
        let mut least = row.to_vec();
        let mut image = row.to_vec();
        for (number, permutation) in self.group.iter().enumerate() {
            // A row is given up at the first variable that makes it greater.
            let mut smaller = false;
            for variable in order {
                let key = (number as u32, row[*variable]);
                let mapped = match images.get(&key) {
                    Some(mapped) => *mapped,
                    None => {
                        let value = permutation.apply(env, interner.get(ValueId(row[*variable])))?;
                        let mapped = interner.intern(env, value)?.0;
                        images.insert(key, mapped);
                        mapped
                    }
                };
                if !smaller && mapped != least[*variable] {
                    smaller = self.is_less(env, interner, mapped, least[*variable])?;
                    if !smaller {
                        break;
                    }
                }
                image[*variable] = mapped;
            }
            if smaller {
                std::mem::swap(&mut least, &mut image);
            }
        }
        Ok(least)
    }

    fn is_less<'a>(&self, env: &mut Env<'a>, interner: &'a Interner, a: u32, b: u32) -> Result<bool> {
        match self.ordered {
            false => Ok(a < b),
            true => Ok(compare::compare(env, interner.get(ValueId(a)), interner.get(ValueId(b)))?.is_lt()),
        }
    }
}
