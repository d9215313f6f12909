//! A family of positions: every combination of the values of some variables, while the others stay as they are.
//!
//! The positions are numbered from 0, so that a survey can stop anywhere and go on: number `k` is `k` written in digits, one
//! for each cell that varies, the last the fastest. Play need not be able to reach them.

use std::fmt;

use rules::bind::{Bound, Position};
use rules::layout::{Leaf, Slot, bit_of};

/// A variable that varies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// The variable.
    pub variable: String,
    /// The values that each item takes, or the elements that a set may have or not; all of the domain if absent.
    pub values: Option<Vec<i64>>,
}

/// Why there is no such family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FamilyError {
    /// The game has no such variable.
    NoVariable(String),
    /// A variable is named twice.
    Twice(String),
    /// A value is not in the domain of its variable.
    Outside {
        /// The variable.
        variable: String,
        /// The value.
        value: i64,
        /// The domain, as the rules write it.
        domain: String,
    },
    /// A variable has no value at all.
    Empty(String),
    /// There are 2^63 positions or more.
    TooMany,
}

impl fmt::Display for FamilyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FamilyError::NoVariable(name) => write!(f, "the game has no variable `{name}`"),
            FamilyError::Twice(name) => write!(f, "`{name}` is named twice"),
            FamilyError::Outside { variable, value, domain } => {
                write!(f, "{variable} = {value} is outside {domain}")
            }
            FamilyError::Empty(name) => write!(f, "`{name}` has no values to go through"),
            FamilyError::TooMany => write!(f, "there are 2^63 positions or more"),
        }
    }
}

impl std::error::Error for FamilyError {}

/// A family of positions.
#[derive(Clone, Debug)]
pub struct Family {
    base: Position,
    places: Vec<Place>,
    len: u64,
}

/// One digit of the number of a position.
#[derive(Clone, Debug)]
struct Place {
    cell: usize,
    digits: Digits,
}

#[derive(Clone, Debug)]
enum Digits {
    /// The numbers from this one on, so many.
    Range(i64, u64),
    /// These numbers.
    Listed(Vec<i64>),
    /// Whether the set has the element with this bit.
    Bit(u32),
}

impl Digits {
    fn len(&self) -> u64 {
        match self {
            Digits::Range(_, len) => *len,
            Digits::Listed(values) => values.len() as u64,
            Digits::Bit(_) => 2,
        }
    }

    /// What a cell becomes with a digit below `len`.
    fn put(&self, digit: u64, cell: i64) -> i64 {
        match self {
            Digits::Range(low, _) => low.wrapping_add(digit as i64),
            Digits::Listed(values) => values.get(digit as usize).copied().unwrap_or(cell),
            Digits::Bit(bit) => (cell & !1i64.wrapping_shl(*bit)) | ((digit as i64) << bit),
        }
    }
}

impl Family {
    /// All positions that differ from `base` in these variables only. Of a sum, they are positions of its first part alone.
    pub fn new(bound: &Bound, base: &Position, over: &[Over]) -> Result<Family, FamilyError> {
        let mut places = Vec::new();
        for (number, Over { variable, values }) in over.iter().enumerate() {
            let slot = bound.layout.variables.iter().find(|slot| slot.name == *variable);
            let slot = slot.ok_or_else(|| FamilyError::NoVariable(variable.clone()))?;
            if over[..number].iter().any(|other| other.variable == *variable) {
                return Err(FamilyError::Twice(variable.clone()));
            }
            let digits = digits(slot, values.as_deref())?;
            for item in 0..slot.cells.checked_div(slot.stride).unwrap_or(0) {
                let first = slot.offset + item * slot.stride;
                places.extend(digits.iter().map(|(at, digits)| Place { cell: first + at, digits: digits.clone() }));
            }
        }
        let mut base = base.clone();
        base.parts.truncate(1);
        let product = places.iter().try_fold(1u64, |product, place| product.checked_mul(place.digits.len()));
        let len = product.filter(|len| *len < 1 << 63).ok_or(FamilyError::TooMany)?;
        Ok(Family { base, places, len })
    }

    /// How many positions it has.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The position with this number, which is below `len`.
    pub fn position(&self, number: u64) -> Position {
        let mut position = self.base.clone();
        let Some(cells) = position.parts.first_mut() else { return position };
        let mut rest = number;
        for Place { cell, digits } in self.places.iter().rev() {
            let len = digits.len().max(1);
            cells[*cell] = digits.put(rest % len, cells[*cell]);
            rest /= len;
        }
        position
    }
}

/// The digits of one item of a variable, each with its cell within the item.
fn digits(slot: &Slot, values: Option<&[i64]>) -> Result<Vec<(usize, Digits)>, FamilyError> {
    let outside =
        |value: i64| FamilyError::Outside { variable: slot.name.clone(), value, domain: slot.domain().to_string() };
    let distinct = |values: &[i64]| {
        let mut distinct: Vec<i64> = Vec::new();
        values.iter().for_each(|value| {
            if !distinct.contains(value) {
                distinct.push(*value)
            }
        });
        distinct
    };
    if let Leaf::Set { low, size, .. } = &slot.leaf {
        let elements = match values {
            Some(values) => distinct(values),
            None => (*low..).take(*size).collect(),
        };
        let bit = |element: i64| {
            let bit = bit_of(*low, *size, element).ok_or_else(|| outside(element))?;
            Ok((bit / 64, Digits::Bit((bit % 64) as u32)))
        };
        return elements.into_iter().map(bit).collect();
    }
    let (low, high) = slot.leaf.range().unwrap_or((1, 0));
    let digits = match values {
        None if high < low => return Err(FamilyError::Empty(slot.name.clone())),
        None => {
            let len = high.abs_diff(low).checked_add(1).ok_or(FamilyError::TooMany)?;
            Digits::Range(low, len)
        }
        Some([]) => return Err(FamilyError::Empty(slot.name.clone())),
        Some(values) => match values.iter().find(|value| !(low..=high).contains(value)) {
            Some(value) => return Err(outside(*value)),
            None => Digits::Listed(distinct(values)),
        },
    };
    Ok(vec![(0, digits)])
}
