//! The same states in longer rows: how much of the gain is the code's, and how much that of a short row in the store.

use crate::search::Packed;

/// Rows of three words with 24 bits in each, about as long as Primed's for five variables.
pub(crate) struct Wide<P>(pub P);

const BITS: u32 = 24;
const MASK: u64 = (1 << BITS) - 1;

fn spread(row: u64) -> [u64; 3] {
    [row & MASK, row >> BITS & MASK, row >> (2 * BITS)]
}

fn gather(row: [u64; 3]) -> u64 {
    row[0] | row[1] << BITS | row[2] << (2 * BITS)
}

impl<P: Packed<Row = u64>> Packed for Wide<P> {
    type Row = [u64; 3];

    fn initial(&self, emit: &mut dyn FnMut(Self::Row)) {
        self.0.initial(&mut |row| emit(spread(row)));
    }

    fn next(&self, row: Self::Row, emit: &mut impl FnMut(Self::Row)) {
        self.0.next(gather(row), &mut |row| emit(spread(row)));
    }

    fn holds(&self, row: Self::Row) -> bool {
        self.0.holds(gather(row))
    }
}
