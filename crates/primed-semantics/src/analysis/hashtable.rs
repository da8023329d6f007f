//! The order of what SANY keeps in a `java.util.Hashtable` by its name and lists by walking through it, such as the variables that TLC
//! shows: it depends on the names and on how many others are there, not on the declarations.

/// Places of an empty table.
const CAPACITY: usize = 11;
/// The operators of the language, which stand in the table of every module.
const BUILT_IN: usize = 72;

/// A table that knows how many names it has, and where those are that will be listed.
#[derive(Debug)]
pub struct Table<T> {
    /// What is listed of each place with the hash of its name, the last that was put there first.
    places: Vec<Vec<(usize, T)>>,
    count: usize,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { places: places(CAPACITY), count: 0 }
    }
}

fn places<T>(count: usize) -> Vec<Vec<(usize, T)>> {
    (0..count).map(|_| Vec::new()).collect()
}

impl<T> Table<T> {
    /// The table of a module that has declared nothing yet.
    pub(crate) fn of_module() -> Table<T> {
        let mut table = Table::default();
        (0..BUILT_IN).for_each(|_| table.put("", None));
        table
    }

    /// Puts a name into the table; with it what is to be listed of it, if anything.
    pub fn put(&mut self, name: &str, listed: Option<T>) {
        // Three quarters full, it is given twice as many places and one.
        if self.count >= self.places.len() * 3 / 4 {
            let larger = places(self.places.len() * 2 + 1);
            let old = std::mem::replace(&mut self.places, larger);
            old.into_iter().rev().flatten().for_each(|(hash, item)| self.insert(hash, item));
        }
        self.count += 1;
        if let Some(item) = listed {
            self.insert(hash(name), item);
        }
    }

    fn insert(&mut self, hash: usize, item: T) {
        let place = hash % self.places.len();
        self.places[place].insert(0, (hash, item));
    }

    /// What is listed, as Java walks: from the last place to the first.
    pub fn walked(self) -> impl DoubleEndedIterator<Item = T> {
        self.places.into_iter().rev().flatten().map(|(_, item)| item)
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
        let mut table = Table::of_module();
        (0..others).for_each(|_| table.put("", None));
        listed.iter().for_each(|name| table.put(name, Some(name.to_string())));
        table.walked().rev().collect()
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
        let mut table = Table::of_module();
        table.put("Ea", Some("Ea"));
        table.put("FB", Some("FB"));
        (0..80).for_each(|_| table.put("", None));
        assert_eq!(table.walked().rev().collect::<Vec<_>>(), ["FB", "Ea"]);
    }
}
