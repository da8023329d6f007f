//! Symmetric states: which one stands for all.

use std::sync::OnceLock;

use hashbrown::HashMap;
use primed_engine::env::Env;
use primed_value::compare;
use primed_value::host::{Host, Result};
use primed_value::intern::{Interner, ValueId};
use primed_value::permute::Permutation;

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

/// Images of interned values that were needed before.
#[derive(Debug, Default)]
pub(super) struct Images {
    /// By value, where it was asked for under most permutations: its images under all, [`UNKNOWN`] ones among them.
    all: HashMap<u32, Box<[u32]>, ahash::RandomState>,
    /// By permutation and value.
    some: HashMap<(u32, u32), u32, ahash::RandomState>,
}

/// No value has this number.
const UNKNOWN: u32 = u32::MAX;

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
                order.sort_by_key(|variable| interner.is_set(ValueId(row[*variable])));
            }
            order
        })
    }

    /// The row that stands for all rows symmetric to this one: the least of them. Variable by variable, the permutations remain that
    /// make it least.
    pub(super) fn least<'a>(
        &self,
        env: &mut Env<'a>,
        interner: &'a Interner,
        row: &[u32],
        images: &mut Images,
    ) -> Result<Vec<u32>> {
        let mut least = row.to_vec();
        let identity = self.group.len();
        let mut remaining: Vec<usize> = (0..=identity).collect();
        for variable in self.order(interner, row) {
            let id = row[*variable];
            let mut of_value = self.images_of(id, remaining.len(), images);
            let (mut best, mut kept) = (id, 0);
            for at in 0..remaining.len() {
                let number = remaining[at];
                let image = match number == identity {
                    true => id,
                    false => self.image(env, interner, (number, id), &mut of_value)?,
                };
                if kept == 0 || image != best && self.is_less(env, interner, image, best)? {
                    (best, kept) = (image, 0);
                }
                if image == best {
                    remaining[kept] = number;
                    kept += 1;
                }
            }
            remaining.truncate(kept);
            least[*variable] = best;
        }
        Ok(least)
    }

    /// Where the images of a value are, that so many permutations are asked for.
    fn images_of<'i>(&self, id: u32, asked: usize, images: &'i mut Images) -> Known<'i> {
        // A list of all images is soon found and large; where few permutations remain most of it would stay empty.
        match asked > self.group.len() / 2 {
            true => Known::All(images.all.entry(id).or_insert_with(|| vec![UNKNOWN; self.group.len()].into())),
            false => Known::Some(&mut images.some),
        }
    }

    fn image<'a>(
        &self,
        env: &mut Env<'a>,
        interner: &'a Interner,
        (number, id): (usize, u32),
        known: &mut Known<'_>,
    ) -> Result<u32> {
        let image = match known {
            Known::All(images) => images[number],
            Known::Some(images) => images.get(&(number as u32, id)).copied().unwrap_or(UNKNOWN),
        };
        if image != UNKNOWN {
            return Ok(image);
        }
        let value = self.group[number].apply(env, interner.get(env.arena(), ValueId(id)))?;
        let image = interner.intern(env, value)?.0;
        match known {
            Known::All(images) => images[number] = image,
            Known::Some(images) => drop(images.insert((number as u32, id), image)),
        }
        Ok(image)
    }

    fn is_less<'a>(&self, env: &mut Env<'a>, interner: &'a Interner, a: u32, b: u32) -> Result<bool> {
        match self.ordered {
            false => Ok(a < b),
            true => {
                let (a, b) = (interner.get(env.arena(), ValueId(a)), interner.get(env.arena(), ValueId(b)));
                Ok(compare::compare(env, a, b)?.is_lt())
            }
        }
    }
}

/// The images of one value.
enum Known<'i> {
    All(&'i mut [u32]),
    Some(&'i mut HashMap<(u32, u32), u32, ahash::RandomState>),
}
