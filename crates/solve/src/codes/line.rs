//! One cache line of a hash table: four entries of 16 bytes.
//!
//! An entry is 8 bytes of code and 8 bytes of cells: those of 8, 4, 2 or 1 neighbouring codes, which share all but the last
//! 3, 2, 1 or 0 bits.
//!
//! ```text
//! │ key │ key │ key │ key │ cells of the first key │ of the second │ of the third │ of the fourth │
//! ```
//!
//! Moves mostly change little of a position, so neighbours are met together: with cells of 16 bits the four heaps of the
//! benchmark take 5 bytes a position and a quarter of the cache misses of a table with an entry a position. Where no
//! neighbour is ever met, an entry is still no larger than it would be without them, for a code takes 8 bytes and a cell
//! beside it is padded to 8. Entries are filled in order and never emptied. Keys are kept plus one, so that 0 is none.

use crate::codes::cell::Cell;

/// Entries a line.
pub(crate) const ENTRIES: usize = 4;

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
    /// The line for these cells.
    type Line: Line;
}

macro_rules! line {
    ($name:ident, $cell:ty, $share:literal) => {
        /// A line.
        #[derive(Clone, Debug)]
        #[repr(C, align(64))]
        pub(crate) struct $name {
            keys: [u64; ENTRIES],
            cells: [[$cell; 1 << $share]; ENTRIES],
        }

        impl InLines for $cell {
            type Line = $name;
        }

        impl Line for $name {
            const SHARE: u32 = $share;

            #[inline(always)]
            fn empty() -> $name {
                $name { keys: [0; ENTRIES], cells: [[0; 1 << $share]; ENTRIES] }
            }

            /// Compares with all entries and branches once, for which one it is cannot be foretold.
            #[inline(always)]
            fn look(&self, key: u64) -> Look {
                let mut entry = ENTRIES;
                for index in 0..ENTRIES {
                    entry = if self.keys[index] == key { index } else { entry };
                }
                if entry < ENTRIES {
                    return Look::Here(entry);
                }
                if self.keys[ENTRIES - 1] != 0 {
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

line!(ByteLine, u8, 3);
line!(HalfLine, u16, 2);
line!(WordLine, u32, 1);
line!(LongLine, u64, 0);

#[cfg(test)]
mod tests {
    use super::*;

    fn fill<L: Line>() {
        assert_eq!(size_of::<L>(), 64);
        let mut line = L::empty();
        for entry in 0..ENTRIES {
            let key = 1 + entry as u64 * 1000;
            assert_eq!((line.look(key), line.key(entry)), (Look::Vacant(entry), 0));
            line.set_key(entry, key);
            for low in 0..1 << L::SHARE {
                line.set(entry, low, (10 * entry + low) as u64);
            }
            assert_eq!((line.look(key), line.key(entry)), (Look::Here(entry), key));
        }
        assert_eq!(line.look(7), Look::Onwards);
        for entry in 0..ENTRIES {
            assert!((0..1 << L::SHARE).all(|low| line.cell(entry, low) == (10 * entry + low) as u64));
        }
    }

    #[test]
    fn a_line_is_a_cache_line_and_holds_what_it_was_given() {
        fill::<ByteLine>();
        fill::<HalfLine>();
        fill::<WordLine>();
        fill::<LongLine>();
    }
}
