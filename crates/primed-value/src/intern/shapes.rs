//! What values of one shape share: field names and domains, each kept once.

use std::sync::atomic::Ordering;

use bumpalo::Bump;
use hashbrown::{HashMap, HashTable};

use super::{Interner, KEPT, Stored, same_parts};
use crate::entries::Both;
use crate::freeze::{static_ref, to_static};
use crate::packed::Shape;
use crate::symbol::Symbol;
use crate::value::{Cached, Record, Set, Value};

/// A shape, and its number if it has one.
pub(super) type Numbered = (Shape, u32);

/// Lists of field names and domains, each once.
#[derive(Default)]
pub(super) struct Lists {
    domains: HashTable<(u64, &'static Set<'static>, u32)>,
    records: HashMap<&'static [Symbol], (&'static Record<'static>, u32), ahash::RandomState>,
    /// Values that are kept as lists of ids, and occur in domains.
    whole: HashMap<u32, Value<'static>, ahash::RandomState>,
    pub(super) arena: Bump,
}

static NOTHING: Set<'static> = Set { hash: Cached::new(), elements: &[] };
static NO_FIELDS: Record<'static> = Record { hash: Cached::new(), fields: &[], values: &[] };

impl Interner {
    /// A domain, whose elements are stored, that all functions over it share.
    pub(super) fn shared_domain(&self, hash: u64, elements: &[Value<'_>]) -> Numbered {
        let mut lists = self.lists();
        let known =
            lists.domains.find(hash, |(other, domain, _)| *other == hash && same_parts(domain.elements, elements));
        if let Some((_, domain, number)) = known {
            return (Shape::Function(domain), *number);
        }
        let whole: Vec<Value<'static>> = elements.iter().map(|element| self.whole(&mut lists, *element)).collect();
        let Lists { domains, arena, .. } = &mut *lists;
        let set = arena.alloc(Set { hash: Cached::new(), elements: arena.alloc_slice_copy(&whole) });
        let Value::Set(domain) = to_static(Value::Set(set)) else { return (Shape::Function(&NOTHING), 0) };
        let number = self.shapes.push(Shape::Function(domain)) as u32;
        domains.insert_unique(hash, (hash, domain, number), |(hash, ..)| *hash);
        (Shape::Function(domain), number)
    }

    /// A value that is stored, whole.
    fn whole(&self, lists: &mut Lists, value: Value<'_>) -> Value<'static> {
        let id = value.cached().filter(|cached| cached.is_copy()).and_then(|cached| cached.id(self.table));
        match id {
            Some(id) => self.whole_of(lists, id),
            // It lives as long as the table.
            None => to_static(value),
        }
    }

    /// Keeps a packed value whole, too, unless there are many of these.
    #[cold]
    pub(super) fn make_whole(&self, id: u32, place: u64) {
        let most = self.whole as usize + self.len() / KEPT;
        if self.made_whole.load(Ordering::Relaxed) >= most {
            return;
        }
        // Who does not get the lock does without.
        let Ok(mut lists) = self.lists.try_lock() else { return };
        let value = self.whole_of(&mut lists, id);
        let both: &Both = lists.arena.alloc(Both { value, place });
        self.entries.set_both(id, static_ref(both));
        self.made_whole.store(lists.whole.len(), Ordering::Relaxed);
    }

    fn whole_of(&self, lists: &mut Lists, id: u32) -> Value<'static> {
        if let Some(value) = lists.whole.get(&id) {
            return *value;
        }
        let packed = match self.stored(id) {
            Some(Stored::Packed(packed)) => packed,
            Some(Stored::Whole(value)) => return value,
            None => return self.leaf(id),
        };
        let parts: Vec<Value<'static>> = packed.parts().map(|part| self.whole_of(lists, part)).collect();
        let known = Cached::interned(0, self.table, id);
        let value = to_static(packed.of(&lists.arena, known, lists.arena.alloc_slice_copy(&parts)));
        lists.whole.insert(id, value);
        value
    }

    /// A record with these fields that all such records share them with.
    pub(super) fn shared_fields(&self, fields: &[Symbol]) -> Numbered {
        let mut lists = self.lists();
        let Lists { records, arena, .. } = &mut *lists;
        if let Some((record, number)) = records.get(fields) {
            return (Shape::Record(record), *number);
        }
        let fields: &[Symbol] = arena.alloc_slice_copy(fields);
        let record = Value::Record(arena.alloc(Record { hash: Cached::new(), fields, values: &[] }));
        let Value::Record(record) = to_static(record) else { return (Shape::Record(&NO_FIELDS), 0) };
        let number = self.shapes.push(Shape::Record(record)) as u32;
        records.insert(record.fields, (record, number));
        (Shape::Record(record), number)
    }
}
