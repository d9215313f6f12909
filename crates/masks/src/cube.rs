//! Variables of few values, and cubes: sets of positions in which some variables have certain values.

use formula::{Formulas, Range};
use rustc_hash::FxHashMap;

/// Cells of more values are read bit by bit, as sets are.
pub(crate) const MOST_VALUES: u64 = 6;
/// No position has more variables.
const MOST_VARIABLES: usize = 512;

/// What a variable is in the formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A cell whose least value is `low`.
    Cell { cell: u32, low: i64 },
    /// A bit of a cell that is a set.
    Bit { cell: u32, bit: u32 },
}

/// A variable: where it is, and how many values it has. Values are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub place: Place,
    pub size: u32,
}

impl Variable {
    /// All its values as bits.
    pub fn all(&self) -> u8 {
        (1u16 << self.size) as u8 - 1
    }
}

/// The variables of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variables {
    pub list: Vec<Variable>,
    /// The variables of each cell; of a set those of its bits, from the least on.
    of_cell: FxHashMap<u32, std::ops::Range<u32>>,
}

impl Variables {
    /// The variables of formulas; `None` if there are too many, or a cell holds numbers that are no sets.
    pub fn new(formulas: &Formulas) -> Option<Variables> {
        let mut variables = Variables::default();
        for (cell, Range { low, high }) in formulas.cells.iter().copied().enumerate() {
            let (cell, begin) = (cell as u32, variables.list.len() as u32);
            let size = u64::try_from(i128::from(high) - i128::from(low) + 1).ok()?;
            match size {
                0 | 1 => continue,
                2..=MOST_VALUES => {
                    let place = Place::Cell { cell, low };
                    variables.list.push(Variable { place, size: size as u32 });
                }
                _ if low >= 0 => {
                    let bits = (64 - high.leading_zeros()).max(1);
                    variables.list.extend((0..bits).map(|bit| Variable { place: Place::Bit { cell, bit }, size: 2 }));
                }
                _ => return None,
            }
            variables.of_cell.insert(cell, begin..variables.list.len() as u32);
        }
        (variables.list.len() <= MOST_VARIABLES).then_some(variables)
    }

    /// The variable of a whole cell.
    pub fn of_cell(&self, cell: u32) -> Option<u32> {
        let number = self.of_cell.get(&cell)?.start;
        matches!(self.list[number as usize].place, Place::Cell { .. }).then_some(number)
    }

    /// The variables of all bits of a set.
    pub fn bits_of(&self, cell: u32) -> Option<std::ops::Range<u32>> {
        let range = self.of_cell.get(&cell)?.clone();
        matches!(self.list[range.start as usize].place, Place::Bit { .. }).then_some(range)
    }

    /// The variable of a bit of a set.
    pub fn of_bit(&self, cell: u32, bit: u32) -> Option<u32> {
        let mut range = self.of_cell.get(&cell)?.clone();
        let is_set = matches!(self.list[range.start as usize].place, Place::Bit { .. });
        range.nth(bit as usize).filter(|_| is_set)
    }
}

/// Positions in which each of these variables has one of these values. The list is sorted, and no entry allows every value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cube {
    pub parts: Vec<(u32, u8)>,
}

impl Cube {
    /// The values that a variable may have, if not all.
    pub fn allowed(&self, variable: u32) -> Option<u8> {
        let at = self.parts.binary_search_by_key(&variable, |part| part.0).ok()?;
        Some(self.parts[at].1)
    }

    /// Allows a variable only these values. Whether any position is left.
    pub fn restrict(&mut self, variable: u32, values: u8, all: u8) -> bool {
        match self.parts.binary_search_by_key(&variable, |part| part.0) {
            Ok(at) => {
                self.parts[at].1 &= values;
                self.parts[at].1 != 0
            }
            Err(_) if values & all == all => true,
            Err(at) => {
                self.parts.insert(at, (variable, values & all));
                values & all != 0
            }
        }
    }

    /// Whether all its positions lie in another cube.
    pub fn lies_in(&self, other: &Cube) -> bool {
        other.parts.iter().all(|(variable, values)| self.allowed(*variable).is_some_and(|own| own & !values == 0))
    }
}
