//! How a position is a key: each cell a field of bits, no field across two words, the turn last.
//!
//! Code that changes a cell adds the difference to the field's word, so that a move costs what it changes and not what the
//! position holds. That is why fields do not straddle words, as they do in [`rules::layout`].

use formula::Coded;
use game::Player;
use rules::bind::Bound;
use rules::layout::{Layout, Leaf};

/// What an option leaves instead of its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Which option.
    pub option: usize,
    /// Behind the last of its parts, counted through all splits.
    pub end: usize,
}

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
    /// What one more in the cell adds to the word.
    pub factor: u64,
    /// Where codes are dense numbers: how many values the digit has, `factor` being its stride. 0 for a field of bits.
    pub size: u64,
}

impl Field {
    /// A field of bits.
    fn bits(word: u32, shift: u32, bits: u32, (low, high): (i64, i64)) -> Field {
        let factor = if bits == 0 { 0 } else { 1 << shift };
        Field { word, shift, bits, low, high, factor, size: 0 }
    }

    /// A digit of a dense number.
    fn digit(stride: u64, size: u64, low: i64) -> Field {
        let high = low.wrapping_add_unsigned(size - 1);
        Field { word: 0, shift: 0, bits: u32::from(size > 1), low, high, factor: stride, size }
    }

    /// What the field holds.
    fn read(&self, key: &[u64]) -> u64 {
        let word = key[self.word as usize];
        match self.size {
            0 => word >> self.shift & (u64::MAX >> (64 - self.bits)),
            size => word / self.factor % size,
        }
    }
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
                cells.push(Field::bits(word, shift, width, (low, high)));
            }
        }
        let turn = with_turn.then(|| {
            let width = usize::BITS - (bound.players - 1).leading_zeros();
            let (word, shift) = bits.take(width);
            Field::bits(word, shift, width, (0, bound.players as i64 - 1))
        });
        Fields { cells, turn, words: bits.word as usize + 1, last: bits.used }
    }

    /// The fields of the parts of a sum: the turn has the last word for itself.
    pub fn of_parts(bound: &Bound) -> Fields {
        let mut fields = Fields::new(bound, false);
        let bits = usize::BITS - (bound.players - 1).leading_zeros();
        fields.turn = Some(Field::bits(fields.words as u32, 0, bits, (0, bound.players as i64 - 1)));
        fields.words += 1;
        fields.last = bits;
        fields
    }

    /// Writes the key of cells, without a turn, into words that are 0, if they are within their domains.
    pub fn pack_within(&self, cells: &[i64], key: &mut [u64]) -> bool {
        let mut inside = true;
        for (field, &cell) in self.cells.iter().zip(cells) {
            let code = cell.wrapping_sub(field.low).cast_unsigned();
            inside &= code <= field.high.wrapping_sub(field.low).cast_unsigned();
            key[field.word as usize] = key[field.word as usize].wrapping_add(code.wrapping_mul(field.factor));
        }
        inside
    }

    /// The fields of codes that formulas have. Cells that others determine have none.
    pub fn of_codes(coded: &Coded) -> Fields {
        let numbering = &coded.numbering;
        let fields = numbering.is_fields();
        let field = |stride: u64, size: u64, low: i64| match fields {
            true => {
                let bits = 64 - (size - 1).leading_zeros();
                Field::bits(0, stride.trailing_zeros(), bits, (low, low.wrapping_add_unsigned(size - 1)))
            }
            false => Field::digit(stride, size, low),
        };
        let mut cells: Vec<Field> = Vec::with_capacity(coded.formulas.cells.len());
        for range in &coded.formulas.cells {
            cells.push(Field::bits(0, 0, 0, (range.low, range.low)));
        }
        for digit in &numbering.digits {
            cells[digit.cell as usize] = field(digit.stride, digit.size, digit.low);
        }
        let turn = numbering.turn.map(|stride| field(stride, coded.formulas.players as u64, 0));
        let last = 64 - (numbering.size.max(1) - 1).leading_zeros();
        Fields { cells, turn, words: 1, last }
    }

    /// Writes the key of cells that are within their domains.
    pub fn pack(&self, cells: &[i64], turn: Player, key: &mut [u64]) {
        key.fill(0);
        for (field, &cell) in self.cells.iter().zip(cells) {
            if field.bits > 0 {
                let code = cell.wrapping_sub(field.low).cast_unsigned();
                key[field.word as usize] = key[field.word as usize].wrapping_add(code.wrapping_mul(field.factor));
            }
        }
        if let Some(field) = self.turn {
            key[field.word as usize] =
                key[field.word as usize].wrapping_add(u64::from(turn.0).wrapping_mul(field.factor));
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
            let code = field.read(key);
            *cell = field.low.wrapping_add_unsigned(code);
            inside &= code <= field.high.wrapping_sub(field.low).cast_unsigned();
        }
        let turn = self.turn.map_or(0, |field| field.read(key));
        inside &= self.turn.is_none_or(|field| turn <= field.high.cast_unsigned());
        inside.then_some(Player(turn as u8))
    }

    /// Takes the turn out of a key.
    pub fn without_turn(&self, turn: Player, key: &mut [u64]) {
        if let Some(field) = self.turn {
            let word = &mut key[field.word as usize];
            *word = word.wrapping_sub(u64::from(turn.0).wrapping_mul(field.factor));
        }
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
