//! The order in which TLC shows variables. SANY keeps the names of a module in a `java.util.Hashtable` and lists them by walking
//! through it, so that the order depends on the names and on how many others the module has, not on the declarations.

use std::sync::Arc;

/// Places of an empty table.
const CAPACITY: usize = 11;
/// The operators of the language, which stand in the table of every module.
const BUILT_IN: usize = 72;

/// A table that knows how many names it has, and where those are that will be listed.
pub(crate) struct Table {
    /// The names of each place, the last that was put there first.
    places: Vec<Vec<Arc<str>>>,
    count: usize,
}

impl Table {
    /// The table of a module that has declared nothing yet.
    pub(crate) fn new() -> Table {
        let mut table = Table { places: vec![Vec::new(); CAPACITY], count: 0 };
        (0..BUILT_IN).for_each(|_| table.put(&Arc::default(), false));
        table
    }

    /// Puts a name into the table; only if it is `listed` will it be among [`Table::reversed`].
    pub(crate) fn put(&mut self, name: &Arc<str>, listed: bool) {
        // Three quarters full, it is given twice as many places and one.
        if self.count >= self.places.len() * 3 / 4 {
            self.grow();
        }
        self.count += 1;
        if listed {
            let place = hash(name) % self.places.len();
            self.places[place].insert(0, name.clone());
        }
    }

    fn grow(&mut self) {
        let larger = vec![Vec::new(); self.places.len() * 2 + 1];
        let old = std::mem::replace(&mut self.places, larger);
        for name in old.into_iter().rev().flatten() {
            let place = hash(&name) % self.places.len();
            self.places[place].insert(0, name);
        }
    }

    /// The listed names in TLC's order: Java walks from the last place to the first, and SANY turns that round.
    pub(crate) fn reversed(self) -> Vec<Arc<str>> {
        self.places.into_iter().flat_map(|names| names.into_iter().rev()).collect()
    }
}

/// Java's hash of a string, without its sign.
fn hash(name: &str) -> usize {
    let hash = name.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)));
    (hash & i32::MAX) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of names in a module that has so many others, declared before them.
    fn order(others: usize, listed: &[&str]) -> Vec<String> {
        let mut table = Table::new();
        (0..others).for_each(|_| table.put(&Arc::default(), false));
        listed.iter().for_each(|name| table.put(&(*name).into(), true));
        table.reversed().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_are_listed_by_their_place_in_the_table() {
        assert_eq!(order(0, &["c", "b", "a"]), ["a", "b", "c"]);
        // As TLC shows the states of a module with these variables: 191 places, then 383.
        assert_eq!(order(13, &["zz", "b", "alpha", "a", "queue"]), ["alpha", "zz", "a", "b", "queue"]);
        assert_eq!(order(100, &["zz", "b", "alpha", "a", "queue"]), ["zz", "a", "b", "alpha", "queue"]);
    }

    #[test]
    fn names_of_one_place_are_listed_as_they_came_unless_the_table_grew_since() {
        assert_eq!(hash("Ea"), hash("FB"));
        assert_eq!(order(0, &["Ea", "FB"]), ["Ea", "FB"]);
        assert_eq!(order(0, &["FB", "Ea"]), ["FB", "Ea"]);
        let mut table = Table::new();
        table.put(&"Ea".into(), true);
        table.put(&"FB".into(), true);
        (0..80).for_each(|_| table.put(&Arc::default(), false));
        assert_eq!(table.reversed(), [Arc::from("FB"), Arc::from("Ea")]);
    }
}
