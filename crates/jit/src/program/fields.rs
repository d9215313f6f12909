//! How a position is a key: each cell a field of bits, no field across two words, the turn last.
//!
//! Code that changes a cell adds the difference to the field's word, so that a move costs what it changes and not what the
//! position holds. That is why fields do not straddle words, as they do in [`rules::layout`].

use game::Player;
use rules::bind::Bound;
use rules::layout::{Layout, Leaf};

/// The field of one cell.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Which word.
    pub word: u32,
    /// The bit of the word where it starts.
    pub shift: u32,
    /// How many bits it has; 0 if the cell has only one value.
    pub bits: u32,
    /// The least value, which the field holds as 0.
    pub low: i64,
    /// The greatest value; −1 for words of a set, all of whose bits count.
    pub high: i64,
}

/// Where cells and turn stand in a key.
#[derive(Clone, Debug)]
pub struct Fields {
    /// One for each cell.
    pub cells: Vec<Field>,
    /// Where the turn stands, if positions record it.
    pub turn: Option<Field>,
    /// How many words a key has; at least one.
    pub words: usize,
    /// How many bits of the last word are in use.
    pub last: u32,
}

/// Gives out bits.
struct Bits {
    word: u32,
    used: u32,
}

impl Bits {
    fn take(&mut self, bits: u32) -> (u32, u32) {
        if self.used + bits > 64 {
            self.word += 1;
            self.used = 0;
        }
        let place = (self.word, self.used);
        self.used += bits;
        place
    }
}

impl Fields {
    /// The fields of a game's positions.
    pub fn new(bound: &Bound, with_turn: bool) -> Fields {
        let mut bits = Bits { word: 0, used: 0 };
        let mut cells = Vec::with_capacity(bound.layout.cells());
        for slot in &bound.layout.variables {
            for cell in 0..slot.cells {
                let (low, high, width) = bounds(&slot.leaf, cell % slot.stride.max(1));
                let (word, shift) = if width == 0 { (0, 0) } else { bits.take(width) };
                cells.push(Field { word, shift, bits: width, low, high });
            }
        }
        let turn = with_turn.then(|| {
            let width = usize::BITS - (bound.players - 1).leading_zeros();
            let (word, shift) = bits.take(width);
            Field { word, shift, bits: width, low: 0, high: bound.players as i64 - 1 }
        });
        Fields { cells, turn, words: bits.word as usize + 1, last: bits.used }
    }

    /// Writes the key of cells that are within their domains.
    pub fn pack(&self, cells: &[i64], turn: Player, key: &mut [u64]) {
        key.fill(0);
        for (field, &cell) in self.cells.iter().zip(cells) {
            if field.bits > 0 {
                key[field.word as usize] |= cell.wrapping_sub(field.low).cast_unsigned() << field.shift;
            }
        }
        if let Some(field) = self.turn {
            key[field.word as usize] |= u64::from(turn.0) << field.shift;
        }
    }

    /// Reads the cells of a key. `None` if one is outside its domain: the key is none of a position.
    pub fn unpack(&self, key: &[u64], cells: &mut [i64]) -> Option<Player> {
        let mut inside = true;
        for (field, cell) in self.cells.iter().zip(cells) {
            if field.bits == 0 {
                *cell = field.low;
                continue;
            }
            let code = key[field.word as usize] >> field.shift & (u64::MAX >> (64 - field.bits));
            *cell = field.low.wrapping_add_unsigned(code);
            inside &= code <= field.high.wrapping_sub(field.low).cast_unsigned();
        }
        let turn =
            self.turn.map_or(0, |field| key[field.word as usize] >> field.shift & (u64::MAX >> (64 - field.bits)));
        inside &= self.turn.is_none_or(|field| turn <= field.high.cast_unsigned());
        inside.then_some(Player(turn as u8))
    }
}

/// Least value, greatest value and width of a cell; for the words of a set the difference of the two is its mask.
fn bounds(leaf: &Leaf, word: usize) -> (i64, i64, u32) {
    match leaf.range() {
        Some((low, high)) if high < low => (low, low, 0),
        Some((low, high)) => (low, high, 64 - high.wrapping_sub(low).cast_unsigned().leading_zeros()),
        None => {
            let Leaf::Set { size, .. } = leaf else { return (0, -1, 64) };
            let bits = (size - word * 64).min(64) as u32;
            (0, (u64::MAX >> (64 - bits)).cast_signed(), bits)
        }
    }
}

/// Whether a layout has so many cells that a key would be unwieldy.
pub fn too_large(layout: &Layout) -> bool {
    layout.cells() > 1 << 14
}
