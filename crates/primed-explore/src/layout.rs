//! Rows of numbers in as few bits as they need.
//!
//! What one variable holds is told by numbers that lie close together: integers, a few strings, values that were found one after
//! the other. A column is kept as the difference to its least number, in as many bits as the greatest difference has.

use std::ops::Range;

/// Where a column stands, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Column {
    base: u32,
    /// At most 32.
    width: u32,
    /// Bits of the columns before it.
    offset: u32,
}

impl Column {
    #[inline]
    fn fits(self, number: u32) -> bool {
        number.checked_sub(self.base).is_some_and(|code| u64::from(code) >> self.width == 0)
    }

    /// The column that has room for a number, too. It grows by bits, so that it grows seldom.
    fn with(self, number: u32) -> Column {
        let last = self.base.saturating_add(((1u64 << self.width) - 1) as u32);
        let (base, last) = (self.base.min(number), last.max(number));
        let width = u32::BITS - (last - base).leading_zeros();
        let room = ((1u64 << width) - 1) as u32;
        // Numbers may become smaller and smaller.
        let base = if number < self.base { last.saturating_sub(room) } else { base };
        Column { base, width, offset: 0 }
    }
}

/// How rows of one width are laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    columns: Box<[Column]>,
    bits: usize,
}

impl Layout {
    /// A layout that has room for this row alone.
    pub(crate) fn of(row: impl Iterator<Item = u32>) -> Layout {
        Layout { columns: row.map(|base| Column { base, ..Column::default() }).collect(), bits: 0 }
    }

    /// Whether there is room for a row.
    #[inline]
    pub(crate) fn fits(&self, row: impl Iterator<Item = u32>) -> bool {
        self.columns.iter().zip(row).all(|(column, number)| column.fits(number))
    }

    /// The layout that has room for a row, too.
    pub(crate) fn with(&self, row: impl Iterator<Item = u32>) -> Layout {
        let mut offset = 0;
        let grow = |(column, number): (&Column, u32)| {
            let grown = if column.fits(number) { *column } else { column.with(number) };
            let placed = Column { offset, ..grown };
            offset += grown.width;
            placed
        };
        let columns = self.columns.iter().zip(row).map(grow).collect();
        Layout { columns, bits: offset as usize }
    }
}

/// Rows of one layout, one after the other.
#[derive(Debug)]
pub(crate) struct Bits {
    /// One word more than there are bits for, so that a number can be read as part of two.
    words: Vec<u64>,
}

impl Bits {
    /// Nothing, with room for so many rows.
    pub(crate) fn with_room(layout: &Layout, rows: usize) -> Bits {
        Bits { words: Vec::with_capacity(rows * layout.bits / 64 + 2) }
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    /// Writes the row of this number, which is the next one and fits.
    pub(crate) fn push(&mut self, layout: &Layout, number: usize, row: impl Iterator<Item = u32>) {
        let start = number * layout.bits;
        self.words.resize((start + layout.bits) / 64 + 2, 0);
        for (column, number) in layout.columns.iter().zip(row) {
            let at = start + column.offset as usize;
            let code = u128::from(number.wrapping_sub(column.base)) << (at % 64);
            self.words[at / 64] |= code as u64;
            self.words[at / 64 + 1] |= (code >> 64) as u64;
        }
    }

    /// The numbers of a row in some columns.
    #[inline]
    pub(crate) fn numbers<'b>(
        &'b self,
        layout: &'b Layout,
        row: usize,
        columns: Range<usize>,
    ) -> impl Iterator<Item = u32> + 'b {
        let start = row * layout.bits;
        layout.columns[columns].iter().map(move |Column { base, width, offset }| {
            let at = start + *offset as usize;
            let words = u128::from(self.words[at / 64 + 1]) << 64 | u128::from(self.words[at / 64]);
            let code = (words >> (at % 64)) as u64 & ((1 << *width) - 1);
            base.wrapping_add(code as u32)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let rows: Vec<[u32; 4]> = (0..500u32)
            .map(|n| [n.wrapping_mul(0x9e37_79b9), 1000 - n, n / 100, if n % 97 == 0 { u32::MAX } else { n & 1 }])
            .collect();
        let (mut layout, mut grown) = (Layout::of(rows[0].iter().copied()), 0);
        for row in &rows {
            if !layout.fits(row.iter().copied()) {
                layout = layout.with(row.iter().copied());
                grown += 1;
            }
        }
        assert!(grown < 40, "{grown} layouts");
        assert!(rows.iter().all(|row| layout.fits(row.iter().copied())));
        let mut bits = Bits::with_room(&layout, 10);
        rows.iter().enumerate().for_each(|(n, row)| bits.push(&layout, n, row.iter().copied()));
        for (n, row) in rows.iter().enumerate() {
            assert_eq!(bits.numbers(&layout, n, 0..4).collect::<Vec<_>>(), row);
        }
    }

    #[test]
    fn equal_rows_take_nothing() {
        let row = [7, u32::MAX, 0];
        let layout = Layout::of(row.iter().copied());
        assert_eq!(layout.bits, 0);
        let mut bits = Bits::with_room(&layout, 10);
        (0..10).for_each(|n| bits.push(&layout, n, row.iter().copied()));
        assert_eq!(bits.numbers(&layout, 9, 0..3).collect::<Vec<_>>(), row);
    }

    #[test]
    fn a_column_grows_by_bits() {
        let mut column = Column { base: 1 << 20, ..Column::default() };
        let mut grown = 0;
        for number in (0..1 << 20).rev() {
            if !column.fits(number) {
                column = column.with(number);
                grown += 1;
            }
            assert!(column.fits(number) && column.fits(1 << 20));
        }
        assert!(grown <= 21, "{grown}");
    }
}
