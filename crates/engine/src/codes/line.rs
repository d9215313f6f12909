//! One cache line of a hash table, in three forms.
//!
//! A block is one key and the cells of neighbouring codes in all the rest of the line: 28 cells of 16 bits, say. Moves
//! mostly change little of a position, so neighbours are met together; then most cells of a block are used, a position
//! takes 3 to 6 bytes, and what was met lately stays in the cache.
//!
//! A shared line has several entries with the cells of 2 to 8 neighbouring codes each:
//!
//! ```text
//! │ key │ key │ key │ key │ cells of the first key │ of the second │ of the third │ of the fourth │
//! ```
//!
//! Where no neighbours are met most of that would be empty, and a plain line has an entry a code: 7, 6, 5 or 4 of them
//! with cells of 8, 16, 32 or 64 bits, which is 9 to 16 bytes each.
//!
//! Where codes are known to be small enough, keys have 32 bits only: 5 to 13 bytes each. A line then holds more entries,
//! and a table can be half empty, so that hardly any look-up goes on to a second line.
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
    /// How many codes share an entry.
    const CELLS: usize;
    /// Tenths of a cell an entry must have in use on average, or another form takes less.
    const WORTH: u64;
    /// The least load that a part is given when it grows, in hundredths: a line of one entry is passed as soon as it is
    /// taken, so few are to be.
    const LEAST_LOAD: usize = if Self::ENTRIES == 1 { 28 } else { 45 };
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
    /// A line that is one entry.
    type Block: Line;
    /// A line whose entries have the cells of a few codes.
    type Shared: Line;
    /// A line with an entry a code.
    type Plain: Line;
    /// A shared line with keys of 32 bits.
    type ShortShared: Line;
    /// A plain line with keys of 32 bits.
    type Short: Line;
}

macro_rules! line {
    ($name:ident, $key:ty, $cell:ty, $entries:literal, $cells:literal, $worth:literal) => {
        /// A line.
        #[derive(Clone, Debug)]
        #[repr(C, align(64))]
        pub(crate) struct $name {
            keys: [$key; $entries],
            cells: [[$cell; $cells]; $entries],
        }

        impl Line for $name {
            const ENTRIES: usize = $entries;
            const CELLS: usize = $cells;
            const WORTH: u64 = $worth;

            #[inline(always)]
            fn empty() -> $name {
                $name { keys: [0; $entries], cells: [[0; $cells]; $entries] }
            }

            /// Compares with all entries and branches once, for which one it is cannot be foretold.
            #[inline(always)]
            fn look(&self, key: u64) -> Look {
                let key = key as $key;
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
                self.keys[entry].wide()
            }

            #[inline(always)]
            fn set_key(&mut self, entry: usize, key: u64) {
                self.keys[entry] = key as $key;
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

line!(BlockOfBytes, u64, u8, 1, 56, 80);
line!(BlockOfHalves, u64, u16, 1, 28, 70);
line!(BlockOfWords, u64, u32, 1, 14, 55);
line!(BlockOfLongs, u64, u64, 1, 7, 45);
line!(SharedBytes, u64, u8, 4, 8, 14);
line!(SharedHalves, u64, u16, 4, 4, 14);
line!(SharedWords, u64, u32, 4, 2, 14);
line!(PlainBytes, u64, u8, 7, 1, 0);
line!(PlainHalves, u64, u16, 6, 1, 0);
line!(PlainWords, u64, u32, 5, 1, 0);
line!(PlainLongs, u64, u64, 4, 1, 0);
line!(ShortSharedBytes, u32, u8, 8, 4, 14);
line!(ShortSharedHalves, u32, u16, 5, 4, 14);
line!(ShortSharedWords, u32, u32, 5, 2, 14);
line!(ShortBytes, u32, u8, 12, 1, 0);
line!(ShortHalves, u32, u16, 10, 1, 0);
line!(ShortWords, u32, u32, 8, 1, 0);
line!(ShortLongs, u32, u64, 5, 1, 0);

macro_rules! in_lines {
    ($($cell:ty, $block:ty, $shared:ty, $plain:ty, $short_shared:ty, $short:ty);*) => {
        $(impl InLines for $cell {
            type Block = $block;
            type Shared = $shared;
            type Plain = $plain;
            type ShortShared = $short_shared;
            type Short = $short;
        })*
    };
}

in_lines! {
    u8, BlockOfBytes, SharedBytes, PlainBytes, ShortSharedBytes, ShortBytes;
    u16, BlockOfHalves, SharedHalves, PlainHalves, ShortSharedHalves, ShortHalves;
    u32, BlockOfWords, SharedWords, PlainWords, ShortSharedWords, ShortWords;
    u64, BlockOfLongs, PlainLongs, PlainLongs, ShortLongs, ShortLongs
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
            for low in 0..L::CELLS {
                line.set(entry, low, ((10 * entry + low) % 200) as u64);
            }
            assert_eq!((line.look(key), line.key(entry)), (Look::Here(entry), key));
        }
        assert_eq!(line.look(7), Look::Onwards);
        for entry in 0..L::ENTRIES {
            assert!((0..L::CELLS).all(|low| line.cell(entry, low) == ((10 * entry + low) % 200) as u64));
        }
    }

    #[test]
    fn a_line_is_a_cache_line_and_holds_what_it_was_given() {
        fill::<BlockOfBytes>();
        fill::<BlockOfHalves>();
        fill::<BlockOfWords>();
        fill::<BlockOfLongs>();
        fill::<SharedBytes>();
        fill::<SharedHalves>();
        fill::<SharedWords>();
        fill::<PlainBytes>();
        fill::<PlainHalves>();
        fill::<PlainWords>();
        fill::<PlainLongs>();
        fill::<ShortSharedBytes>();
        fill::<ShortSharedHalves>();
        fill::<ShortSharedWords>();
        fill::<ShortBytes>();
        fill::<ShortHalves>();
        fill::<ShortWords>();
        fill::<ShortLongs>();
    }
}
