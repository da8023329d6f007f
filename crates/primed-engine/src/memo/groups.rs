//! Parts that read the same place first, such as `pc[self]`: its value says at once which of them can find anything.

use hashbrown::HashTable;

use super::Subject;
use super::trie::{Asked, NOTHING, Node, Tries};

/// The part is known to find nothing.
pub(super) const DISABLED: Option<Node> = Some(Node::Outcome(NOTHING));

#[derive(Debug)]
struct Group {
    location: u32,
    parts: Vec<u32>,
}

#[derive(Debug)]
struct Entry {
    /// The group and the number of the value.
    key: u64,
    /// Its parts that may find something, and the node where each goes on, in [`Groups::enabled`].
    first: u32,
    last: u32,
}

/// The parts by what they read first.
#[derive(Debug, Default)]
pub(super) struct Groups {
    groups: Vec<Group>,
    /// Parts that are in no group.
    others: Vec<u32>,
    entries: HashTable<Entry>,
    enabled: Vec<(u32, Node)>,
}

impl Groups {
    /// Nothing is known of so many parts.
    pub(super) fn reset(&mut self, parts: usize) {
        self.groups.clear();
        self.entries.clear();
        self.enabled.clear();
        self.others.clear();
        self.others.extend(0..parts as u32);
    }

    /// Sets for each part the node from which on it is to be asked, if anything is known of it.
    pub(super) fn start(
        &mut self,
        parts: &[Subject],
        tries: &Tries,
        asked: Asked<'_, '_>,
        starts: &mut Vec<Option<Node>>,
    ) {
        self.regroup(parts, tries);
        starts.clear();
        starts.resize(parts.len(), DISABLED);
        for part in &self.others {
            starts[*part as usize] = tries.start(parts[*part as usize].root);
        }
        for (number, group) in self.groups.iter().enumerate() {
            let id = tries.read(group.location, asked);
            let known = id.and_then(|id| {
                let key = (number as u64) << 32 | u64::from(id);
                let known = self.entries.find(super::edges::spread(key), |e| e.key == key).map(|e| (e.first, e.last));
                known.or_else(|| enter(group, key, id, (parts, tries), (&mut self.entries, &mut self.enabled)))
            });
            match known {
                Some((first, last)) => {
                    for (part, node) in &self.enabled[first as usize..last as usize] {
                        starts[*part as usize] = Some(*node);
                    }
                }
                None => {
                    let root = |part: u32| tries.start(parts[part as usize].root);
                    group.parts.iter().for_each(|part| starts[*part as usize] = root(*part));
                }
            }
        }
    }

    /// Puts parts of which something is known by now into their groups.
    fn regroup(&mut self, parts: &[Subject], tries: &Tries) {
        let mut grown = false;
        let groups = &mut self.groups;
        self.others.retain(|part| {
            let Some(Node::Read { location, .. }) = tries.start(parts[*part as usize].root) else { return true };
            match groups.iter_mut().find(|g| g.location == location) {
                Some(group) => group.parts.push(*part),
                None => groups.push(Group { location, parts: vec![*part] }),
            }
            grown = true;
            false
        });
        if grown {
            self.entries.clear();
            self.enabled.clear();
        }
    }
}

/// Remembers what a value means for a group, once it is known for all its parts.
fn enter(
    group: &Group,
    key: u64,
    id: u32,
    (parts, tries): (&[Subject], &Tries),
    (entries, enabled): (&mut HashTable<Entry>, &mut Vec<(u32, Node)>),
) -> Option<(u32, u32)> {
    let first = enabled.len() as u32;
    for part in &group.parts {
        match tries.follow(parts[*part as usize].root, id) {
            Some(Node::Outcome(NOTHING)) => {}
            Some(node) => enabled.push((*part, node)),
            None => {
                enabled.truncate(first as usize);
                return None;
            }
        }
    }
    let last = enabled.len() as u32;
    entries.insert_unique(super::edges::spread(key), Entry { key, first, last }, |e| super::edges::spread(e.key));
    Some((first, last))
}
