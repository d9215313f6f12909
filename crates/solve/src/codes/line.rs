//! One cache line of a hash table, in two forms.
//!
//! A shared line has four entries of 16 bytes: 8 bytes of key and 8 bytes of cells, those of 8, 4 or 2 neighbouring
//! codes, which differ in their last 3, 2 or 1 bits only. Moves mostly change little of a position, so neighbours are
//! met together: with cells of 16 bits the four heaps of the benchmark take 4 to 8 bytes a position, and a quarter of
//! the cache misses.
//!
//! ```text
//! │ key │ key │ key │ key │ cells of the first key │ of the second │ of the third │ of the fourth │
//! ```
//!
//! Where no neighbours are met most of that would be empty, and a plain line has an entry a code: 7, 6, 5 or 4 of them
//! with cells of 8, 16, 32 or 64 bits, which is 9 to 16 bytes each.
//!
//! Either way key and cell come with one cache miss. Entries are filled in order and never emptied. Keys are kept
//! plus one, so that 0 is none.

use crate::codes::cell::Cell;

/// What is in a line, for a key that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// The key is that of this entry.
    Here(usize),
    /// It is not in the table; this is the first empty entry.
    Vacant(usize),
    /// The line is full of others: it may be in the next.
    Onwards,
}

/// A line of entries.
pub(crate) trait Line: Clone + Send + Sync + 'static {
    /// Entries a line.
    const ENTRIES: usize;
    /// How many codes share an entry, as a power of two.
    const SHARE: u32;
    /// A line of empty entries.
    fn empty() -> Self;
    /// Looks for a key.
    fn look(&self, key: u64) -> Look;
    /// The key of an entry; 0 if it is empty.
    fn key(&self, entry: usize) -> u64;
    /// Fills an empty entry.
    fn set_key(&mut self, entry: usize, key: u64);
    /// A cell of an entry.
    fn cell(&self, entry: usize, low: usize) -> u64;
    /// Changes a cell of an entry.
    fn set(&mut self, entry: usize, low: usize, cell: u64);
}

/// Cells that lines can hold.
pub(crate) trait InLines: Cell {
    /// A line whose entries have the cells of several codes, if two of these cells fit into 8 bytes.
    type Shared: Line;
    /// A line with an entry a code.
    type Plain: Line;
}

macro_rules! line {
    ($name:ident, $cell:ty, $entries:literal, $share:literal) => {
        /// A line.
        #[derive(Clone, Debug)]
        #[repr(C, align(64))]
        pub(crate) struct $name {
            keys: [u64; $entries],
            cells: [[$cell; 1 << $share]; $entries],
        }

        impl Line for $name {
            const ENTRIES: usize = $entries;
            const SHARE: u32 = $share;

            #[inline(always)]
            fn empty() -> $name {
                $name { keys: [0; $entries], cells: [[0; 1 << $share]; $entries] }
            }

            /// Compares with all entries and branches once, for which one it is cannot be foretold.
            #[inline(always)]
            fn look(&self, key: u64) -> Look {
                let mut entry = $entries;
                for index in 0..$entries {
                    entry = if self.keys[index] == key { index } else { entry };
                }
                if entry < $entries {
                    return Look::Here(entry);
                }
                if self.keys[$entries - 1] != 0 {
                    return Look::Onwards;
                }
                Look::Vacant(self.keys.iter().filter(|&&key| key != 0).count())
            }

            #[inline(always)]
            fn key(&self, entry: usize) -> u64 {
                self.keys[entry]
            }

            #[inline(always)]
            fn set_key(&mut self, entry: usize, key: u64) {
                self.keys[entry] = key;
            }

            #[inline(always)]
            fn cell(&self, entry: usize, low: usize) -> u64 {
                self.cells[entry][low].wide()
            }

            #[inline(always)]
            fn set(&mut self, entry: usize, low: usize, cell: u64) {
                self.cells[entry][low] = <$cell>::narrow(cell);
            }
        }
    };
}

line!(SharedBytes, u8, 4, 3);
line!(SharedHalves, u16, 4, 2);
line!(SharedWords, u32, 4, 1);
line!(PlainBytes, u8, 7, 0);
line!(PlainHalves, u16, 6, 0);
line!(PlainWords, u32, 5, 0);
line!(PlainLongs, u64, 4, 0);

macro_rules! in_lines {
    ($($cell:ty, $shared:ty, $plain:ty);*) => {
        $(impl InLines for $cell {
            type Shared = $shared;
            type Plain = $plain;
        })*
    };
}

in_lines! {
    u8, SharedBytes, PlainBytes;
    u16, SharedHalves, PlainHalves;
    u32, SharedWords, PlainWords;
    u64, PlainLongs, PlainLongs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill<L: Line>() {
        assert_eq!(size_of::<L>(), 64);
        let mut line = L::empty();
        for entry in 0..L::ENTRIES {
            let key = 1 + entry as u64 * 1000;
            assert_eq!((line.look(key), line.key(entry)), (Look::Vacant(entry), 0));
            line.set_key(entry, key);
            for low in 0..1 << L::SHARE {
                line.set(entry, low, (10 * entry + low) as u64);
            }
            assert_eq!((line.look(key), line.key(entry)), (Look::Here(entry), key));
        }
        assert_eq!(line.look(7), Look::Onwards);
        for entry in 0..L::ENTRIES {
            assert!((0..1 << L::SHARE).all(|low| line.cell(entry, low) == (10 * entry + low) as u64));
        }
    }

    #[test]
    fn a_line_is_a_cache_line_and_holds_what_it_was_given() {
        fill::<SharedBytes>();
        fill::<SharedHalves>();
        fill::<SharedWords>();
        fill::<PlainBytes>();
        fill::<PlainHalves>();
        fill::<PlainWords>();
        fill::<PlainLongs>();
    }
}
