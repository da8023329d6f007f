//! Small sets and maps as sorted lists: level checking makes and copies them for every node, and most have few elements.

/// A sorted list without duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SortedSet<T>(Vec<T>);

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        SortedSet(Vec::new())
    }
}

impl<T: Copy + Ord> SortedSet<T> {
    pub(crate) fn new() -> Self {
        SortedSet::default()
    }

    /// Adds an element; whether it is new.
    pub(crate) fn insert(&mut self, item: T) -> bool {
        // Elements mostly come in order.
        if self.0.last().is_none_or(|last| *last < item) {
            self.0.push(item);
            return true;
        }
        match self.0.binary_search(&item) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, item);
                true
            }
        }
    }

    /// Takes an element away; whether it was there.
    pub(crate) fn remove(&mut self, item: &T) -> bool {
        match self.0.binary_search(item) {
            Ok(at) => {
                self.0.remove(at);
                true
            }
            Err(_) => false,
        }
    }

    pub(crate) fn contains(&self, item: &T) -> bool {
        self.0.binary_search(item).is_ok()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.0.retain(keep);
    }

    /// Adds all elements of another set, in time linear in both.
    pub(crate) fn include(&mut self, other: &SortedSet<T>) {
        if self.0.is_empty() {
            self.0.extend_from_slice(&other.0);
            return;
        }
        let (mut at, mut missing) = (0, 0);
        for item in &other.0 {
            while self.0.get(at).is_some_and(|known| known < item) {
                at += 1;
            }
            missing += usize::from(self.0.get(at) != Some(item));
        }
        if missing == 0 {
            return;
        }
        let merged = Vec::with_capacity(self.0.len() + missing);
        let old = std::mem::replace(&mut self.0, merged);
        let mut rest = other.0.iter().copied().peekable();
        for known in old {
            while let Some(item) = rest.next_if(|item| *item < known) {
                self.0.push(item);
            }
            rest.next_if(|item| *item == known);
            self.0.push(known);
        }
        self.0.extend(rest);
    }
}

impl<T: Copy + Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.insert(item);
        }
    }
}

impl<'a, T: Copy + Ord + 'a> Extend<&'a T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, items: I) {
        for item in items {
            self.insert(*item);
        }
    }
}

impl<T: Copy + Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut set = SortedSet::new();
        set.extend(items);
        set
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A list sorted by keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SortedMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap(Vec::new())
    }
}

impl<K: Copy + Ord, V: Copy> SortedMap<K, V> {
    pub(crate) fn new() -> Self {
        SortedMap::default()
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.0.binary_search_by_key(key, |(k, _)| *k).ok().map(|at| &self.0[at].1)
    }

    /// Sets the value of a key, or changes it to what `join` makes of the old and the new one.
    pub(crate) fn merge(&mut self, key: K, value: V, join: impl FnOnce(V, V) -> V) {
        match self.0.binary_search_by_key(&key, |(k, _)| *k) {
            Ok(at) => self.0[at].1 = join(self.0[at].1, value),
            Err(at) => self.0.insert(at, (key, value)),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn remove(&mut self, key: &K) {
        if let Ok(at) = self.0.binary_search_by_key(key, |(k, _)| *k) {
            self.0.remove(at);
        }
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&K) -> bool) {
        self.0.retain(|(k, _)| keep(k));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(k, v)| (k, v))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_and_maps_stay_sorted() {
        let mut set: SortedSet<u32> = [5, 1, 3, 1, 9].into_iter().collect();
        set.include(&[0, 3, 4, 12].into_iter().collect());
        set.include(&[4].into_iter().collect());
        assert!(set.iter().eq(&[0, 1, 3, 4, 5, 9, 12]));
        assert!(set.remove(&5) && !set.remove(&5) && set.contains(&9) && !set.insert(9));
        let mut map = SortedMap::new();
        for (key, value) in [(3, 1), (1, 2), (3, 5)] {
            map.merge(key, value, u32::max);
        }
        assert!(map.iter().eq([(&1, &2), (&3, &5)]));
        map.remove(&1);
        assert_eq!((map.get(&1), map.get(&3)), (None, Some(&5)));
    }
}
