//! Rows of numbers in as few bits as they need.
//!
//! What one variable holds is told by numbers that lie close together: integers, a few strings, values that were found one after
//! the other. A column is kept as the difference to its least number, in as many bits as the greatest difference has; or, if its
//! numbers are few, as places in a list of these.

use std::ops::Range;

/// Where a column stands, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Column {
    base: u32,
    /// Bits of the columns before it.
    offset: u32,
    /// Where its list begins in those of the layout, plus 1, if it has one; `base` is the length of that.
    list: u16,
    /// At most 32.
    width: u8,
}

/// How rows of one width are laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    columns: Box<[Column]>,
    bits: usize,
    /// The lists of columns that have one, sorted, one after the other.
    lists: Box<[u32]>,
}

impl Layout {
    /// The layout that takes least for these rows alone, given one after the other.
    pub(crate) fn tight(rows: &[u32], stride: usize) -> Layout {
        let (mut columns, mut offset, mut lists) = (Vec::with_capacity(stride), 0, Vec::new());
        for column in 0..stride {
            let numbers = || rows.get(column..).unwrap_or(&[]).iter().step_by(stride).copied();
            let (least, greatest) = numbers().fold((u32::MAX, 0), |(a, b), number| (a.min(number), b.max(number)));
            let plain = Column { base: least, width: width(greatest.saturating_sub(least)), offset, list: 0 };
            let listed = few(numbers(), least, plain.width).filter(|_| lists.len() < u16::MAX as usize).map(|list| {
                let column = Column { base: list.len() as u32, width: width(list.len() as u32 - 1), ..plain };
                (Column { list: lists.len() as u16 + 1, ..column }, list)
            });
            let saved = |column: Column| (plain.width - column.width) as usize * numbers().len();
            columns.push(match listed {
                Some((column, list)) if saved(column) > list.len() * u32::BITS as usize => {
                    lists.extend_from_slice(&list);
                    column
                }
                _ => plain,
            });
            offset += columns.last().map_or(0, |column| u32::from(column.width));
        }
        Layout { columns: columns.into(), bits: offset as usize, lists: lists.into() }
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val::<[Column]>(&self.columns) + size_of_val::<[u32]>(&self.lists) + size_of::<Layout>()
    }

    /// What stands in a column for a number that fits.
    #[inline]
    fn code(&self, column: &Column, number: u32) -> u32 {
        let Some(first) = column.list.checked_sub(1) else { return number.wrapping_sub(column.base) };
        let first = usize::from(first);
        let list = &self.lists[first..first + column.base as usize];
        list.binary_search(&number).unwrap_or(0) as u32
    }

    #[inline]
    fn number(&self, column: &Column, code: u32) -> u32 {
        match column.list {
            0 => column.base.wrapping_add(code),
            first => self.lists[usize::from(first) - 1 + code as usize],
        }
    }
}

/// Longer lists seldom pay, and take time.
const LONGEST: usize = 32;

/// What is among some numbers, none of them less than `least`, in order, if that is little beside their width.
fn few(mut numbers: impl Iterator<Item = u32>, least: u32, width: u8) -> Option<Vec<u32>> {
    match width {
        // A list of two numbers in place of two bits saves something, of fewer nothing.
        0 | 1 => None,
        2..=6 => {
            let there = numbers.fold(0u64, |there, number| there | 1 << (number - least));
            Some((0..64).filter(|n| there >> n & 1 == 1).map(|n| least + n).collect())
        }
        _ => {
            let (mut list, mut last) = (Vec::new(), None);
            let few = numbers.all(|number| {
                if last.replace(number) != Some(number)
                    && let Err(place) = list.binary_search(&number)
                {
                    list.insert(place, number);
                }
                list.len() <= LONGEST
            });
            few.then_some(list)
        }
    }
}

/// Bits of a number.
fn width(number: u32) -> u8 {
    (u32::BITS - number.leading_zeros()) as u8
}

/// Rows of one layout, one after the other.
#[derive(Debug)]
pub(crate) struct Bits {
    /// A word more than there are bits for: a number is read as part of a word that begins at any byte.
    bytes: Box<[u8]>,
}

/// Bytes of a word: it has room for a number of 32 bits wherever in its first byte that begins.
const WORD: usize = size_of::<u64>();

/// The word that begins at a byte.
#[inline]
fn word(bytes: &[u8], first: usize) -> u64 {
    bytes.get(first..first + WORD).and_then(|word| word.try_into().ok()).map_or(0, u64::from_le_bytes)
}

impl Bits {
    /// So many rows that follow each other in a list.
    pub(crate) fn of(layout: &Layout, rows: &[u32], count: usize) -> Bits {
        let mut bytes = vec![0; (count * layout.bits).div_ceil(8) + WORD].into_boxed_slice();
        for (number, row) in rows.chunks_exact(layout.columns.len().max(1)).enumerate() {
            for (column, number_there) in layout.columns.iter().zip(row) {
                let at = number * layout.bits + column.offset as usize;
                let code = u64::from(layout.code(column, *number_there)) << (at % 8);
                let with = word(&bytes, at / 8) | code;
                if let Some(bytes) = bytes.get_mut(at / 8..at / 8 + WORD) {
                    bytes.copy_from_slice(&with.to_le_bytes());
                }
            }
        }
        Bits { bytes }
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The number in a column of a row.
    #[inline]
    fn number(&self, layout: &Layout, row: usize, column: &Column) -> u32 {
        let at = row * layout.bits + column.offset as usize;
        let code = word(&self.bytes, at / 8) >> (at % 8) & ((1 << column.width) - 1);
        layout.number(column, code as u32)
    }

    /// The numbers of a column, of so many rows.
    pub(crate) fn column(&self, layout: &Layout, column: usize, rows: usize) -> impl Iterator<Item = u32> {
        let column = layout.columns[column];
        (0..rows).map(move |row| self.number(layout, row, &column))
    }

    /// The numbers of a row in some columns.
    #[inline]
    pub(crate) fn numbers<'b>(
        &'b self,
        layout: &'b Layout,
        row: usize,
        columns: Range<usize>,
    ) -> impl Iterator<Item = u32> + 'b {
        layout.columns[columns].iter().map(move |column| self.number(layout, row, column))
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
        let layout = Layout::tight(&rows.concat(), 4);
        let bits = Bits::of(&layout, &rows.concat(), rows.len());
        for (n, row) in rows.iter().enumerate() {
            assert_eq!(bits.numbers(&layout, n, 0..4).collect::<Vec<_>>(), row);
        }
    }

    #[test]
    fn few_numbers_are_told_by_their_places() {
        let rows: Vec<[u32; 4]> =
            (0..1000u32).map(|n| [n % 5 * 99_999, 7, n * 3, if n == 500 { u32::MAX } else { 0 }]).collect();
        let layout = Layout::tight(&rows.concat(), 4);
        assert_eq!(layout.bits, 3 + 12 + 1);
        let bits = Bits::of(&layout, &rows.concat(), rows.len());
        for (n, row) in rows.iter().enumerate() {
            assert_eq!(bits.numbers(&layout, n, 0..4).collect::<Vec<_>>(), row);
        }
        for column in 0..4 {
            assert!(bits.column(&layout, column, 1000).eq(rows.iter().map(|row| row[column])));
        }
        assert_eq!(Layout::tight(&[], 2).bits, 0);
    }

    #[test]
    fn equal_rows_take_nothing() {
        let row = [7, u32::MAX, 0];
        let layout = Layout::tight(&[row; 10].concat(), 3);
        assert_eq!(layout.bits, 0);
        let bits = Bits::of(&layout, &[row; 10].concat(), 10);
        assert_eq!(bits.numbers(&layout, 9, 0..3).collect::<Vec<_>>(), row);
    }
}
