//! Which values a thread has interned lately: what one worker finds again and again it finds without the table that all share.

use std::cell::Cell;

/// How many are known of, at most: one for each end of a hash.
const ENTRIES: usize = 1 << 13;

/// A value's hash, and the table and number that it has there. No table has the number 0.
#[derive(Clone, Copy, Default)]
struct Recent {
    hash: u64,
    table: u32,
    id: u32,
}

/// How many of the values that were looked at lately are known of.
const LOOKED_AT: usize = 16;

/// Tables and numbers of values that were looked at, and where the next one goes.
type Looks = Cell<([(u32, u32); LOOKED_AT], usize)>;

thread_local! {
    static LOOKS: Looks = const { Cell::new(([(0, 0); LOOKED_AT], 0)) };
    static COUNT: Cell<u32> = const { Cell::new(0) };
    static RECENT: Box<[Cell<Recent>]> = (0..ENTRIES).map(|_| Cell::default()).collect();
}

fn with<T>(hash: u64, run: impl FnOnce(&Cell<Recent>) -> T) -> Option<T> {
    // While a thread ends its entries may be gone.
    RECENT.try_with(|entries| entries.get(hash as usize % ENTRIES).map(run)).ok().flatten()
}

/// The number of a value of this hash in a table, if one was interned lately; the value may be another one.
#[inline]
pub(crate) fn number(table: u32, hash: u64) -> Option<u32> {
    let recent = with(hash, Cell::get)?;
    (recent.hash == hash && recent.table == table).then_some(recent.id)
}

/// A value of this hash has this number.
#[inline]
pub(crate) fn note(table: u32, hash: u64, id: u32) {
    with(hash, |entry| entry.set(Recent { hash, table, id }));
}

/// A value of this number was looked at in a table.
#[inline]
pub(crate) fn look_at(table: u32, id: u32) {
    let _ = LOOKS.try_with(|looks| {
        let (mut ids, next) = looks.get();
        ids[next % LOOKED_AT] = (table, id);
        looks.set((ids, (next + 1) % LOOKED_AT));
    });
}

/// Which values of a table were looked at lately, the last one first.
pub(crate) fn looked_at(table: u32) -> impl Iterator<Item = u32> {
    let (ids, next) = LOOKS.try_with(Cell::get).unwrap_or_default();
    (1..=LOOKED_AT)
        .map(move |back| ids[(next + LOOKED_AT - back) % LOOKED_AT])
        .filter(move |(own, _)| *own == table)
        .map(|(_, id)| id)
}

/// One in so many times this is asked it is true.
#[inline]
pub(crate) fn is_sample(of: u32) -> bool {
    COUNT.try_with(|count| count.replace(count.get().wrapping_add(1)) % of == 0).unwrap_or(false)
}
