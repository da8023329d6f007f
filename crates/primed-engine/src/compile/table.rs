//! The order in which SANY keeps the definitions of a LET.

use primed_semantics::model::LocalDefinition;

/// Java's `Hashtable`, as far as the order of its elements goes.
pub(super) struct Table<'m> {
    buckets: Vec<Vec<&'m LocalDefinition>>,
    count: usize,
}

impl Default for Table<'_> {
    fn default() -> Self {
        Table { buckets: vec![Vec::new(); 11], count: 0 }
    }
}

impl<'m> Table<'m> {
    pub(super) fn insert(&mut self, definition: &'m LocalDefinition) {
        if self.count >= self.buckets.len() * 3 / 4 {
            let size = self.buckets.len() * 2 + 1;
            let old = std::mem::replace(&mut self.buckets, vec![Vec::new(); size]);
            for bucket in old.into_iter().rev() {
                bucket.into_iter().for_each(|definition| self.put(definition));
            }
        }
        self.put(definition);
        self.count += 1;
    }

    /// The newest is the first of its bucket.
    fn put(&mut self, definition: &'m LocalDefinition) {
        let hash =
            definition.name.encode_utf16().fold(0u32, |hash, c| hash.wrapping_mul(31).wrapping_add(u32::from(c)));
        let bucket = (hash & 0x7fff_ffff) as usize % self.buckets.len();
        self.buckets[bucket].insert(0, definition);
    }

    pub(super) fn in_order(self) -> impl Iterator<Item = &'m LocalDefinition> {
        self.buckets.into_iter().rev().flatten()
    }
}
