//! Domains with their bounds worked out: the values that a variable, a choice or a sampled parameter can take.
//!
//! A [`Space`] counts its members and names each by a number, in the order that the language promises: ranges upward,
//! subsets as binary numbers with the lowest element as lowest bit, arrays with the leftmost item slowest, and shorter
//! lists before longer ones. Enumerating, sampling and laying out a position need only counting and numbering, so there
//! is no iterator to keep in step.

use std::fmt;

use crate::value::Value;

/// The members of a domain for a fixed instance (and for choices, a fixed position).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Space {
    /// `low..=high`; without members if `high < low`.
    Range {
        /// The least member.
        low: i64,
        /// The greatest member.
        high: i64,
    },
    /// `false`, `true`.
    Bool,
    /// Named constants 0, 1, 2, ….
    Names(Vec<String>),
    /// The subsets of `size` numbers from `low` on.
    Subsets {
        /// The least element.
        low: i64,
        /// How many elements there are to choose from.
        size: usize,
        /// The elements' names, if they are named constants.
        names: Option<Vec<String>>,
    },
    /// Lists of `shortest` to `longest` items.
    Array {
        /// What each item can be.
        item: Box<Space>,
        /// The least length.
        shortest: usize,
        /// The greatest length. It differs from `shortest` only in a `sample`; if it is less, there are no lists.
        longest: usize,
    },
    /// These, in this order, without repeats.
    Items(Vec<Value>),
}

impl Space {
    /// A range without members.
    pub const EMPTY: Space = Space::Range { low: 1, high: 0 };

    /// How many members there are; `u128::MAX` stands for that many or more.
    pub fn count(&self) -> u128 {
        match self {
            Space::Range { low, high } if high < low => 0,
            Space::Range { low, high } => (i128::from(*high) - i128::from(*low)).unsigned_abs() + 1,
            Space::Bool => 2,
            Space::Names(names) => names.len() as u128,
            Space::Subsets { size, .. } => power(2, *size),
            Space::Array { shortest, longest, .. } if longest < shortest => 0,
            Space::Array { item, shortest, longest } => match item.count() {
                0 => u128::from(*shortest == 0),
                1 => (longest - shortest) as u128 + 1,
                each => {
                    let mut count = 0u128;
                    for length in *shortest..=*longest {
                        count = count.saturating_add(power(each, length));
                        if count == u128::MAX {
                            break;
                        }
                    }
                    count
                }
            },
            Space::Items(items) => items.len() as u128,
        }
    }

    /// The member with this number, which must be less than [`Space::count`].
    pub fn nth(&self, mut index: u128) -> Value {
        debug_assert!(index < self.count());
        match self {
            Space::Range { low, .. } => Value::Int(low.wrapping_add_unsigned(index as u64)),
            Space::Bool | Space::Names(_) => Value::Int(index as i64),
            Space::Subsets { low, size, .. } => {
                let bits = (0..(*size).min(128)).filter(|bit| index >> bit & 1 == 1);
                Value::set(bits.map(|bit| low.saturating_add(bit as i64)).collect())
            }
            Space::Array { item, shortest, longest } => {
                let each = item.count();
                let mut length = *shortest;
                if each == 1 {
                    length = shortest.saturating_add(usize::try_from(index).unwrap_or(usize::MAX)).min(*longest);
                    index = 0;
                } else {
                    while length < *longest && index >= power(each, length) {
                        index -= power(each, length);
                        length += 1;
                    }
                }
                let mut digits = vec![0; length];
                for digit in digits.iter_mut().rev() {
                    *digit = index % each.max(1);
                    index /= each.max(1);
                }
                list(item, digits.into_iter().map(|digit| item.nth(digit)))
            }
            Space::Items(items) => items.get(index as usize).cloned().unwrap_or(Value::Int(0)),
        }
    }

    /// Whether a value is a member.
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Space::Range { low, high }, Value::Int(number)) => (low..=high).contains(&number),
            (Space::Bool, Value::Int(number)) => (0..=1).contains(number),
            (Space::Names(names), Value::Int(number)) => usize::try_from(*number).is_ok_and(|at| at < names.len()),
            (Space::Subsets { low, size, .. }, Value::Set(items)) => {
                let high = i128::from(*low) + *size as i128;
                items.iter().all(|item| item >= low && i128::from(*item) < high)
            }
            (Space::Array { item, shortest, longest }, list) => {
                let Some(length) = list.len() else { return false };
                let is_member = |index| list.get(index).is_some_and(|value| item.contains(&value));
                (*shortest..=*longest).contains(&length) && (0..length).all(is_member)
            }
            (Space::Items(items), value) => items.contains(value),
            _ => false,
        }
    }

    /// How many numbers the longest member holds, which is the cost of making one.
    pub fn width(&self) -> u64 {
        match self {
            Space::Subsets { size, .. } => *size as u64,
            Space::Array { item, longest, .. } => item.width().saturating_mul(*longest as u64),
            _ => 1,
        }
    }

    /// Whether its members are scalars.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Space::Range { .. } | Space::Bool | Space::Names(_))
    }
}

/// A list of members of `item`, flat where they are scalars.
pub(crate) fn list(item: &Space, values: impl Iterator<Item = Value>) -> Value {
    if item.is_scalar() {
        Value::ints(values.map(|value| value.as_int().unwrap_or(0)).collect())
    } else {
        Value::list(values.collect())
    }
}

fn power(base: u128, exponent: usize) -> u128 {
    match (base, exponent) {
        (_, 0) => 1,
        (0 | 1, _) => base,
        (_, 1..128) => base.saturating_pow(exponent as u32),
        _ => u128::MAX,
    }
}

/// As a rules file would write it.
impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Space::Range { low, high } if high < low => f.write_str("an empty range"),
            Space::Range { low, high } => write!(f, "{low}..={high}"),
            Space::Bool => f.write_str("bool"),
            Space::Names(names) => write!(f, "{{{}}}", names.join(", ")),
            Space::Subsets { names: Some(names), .. } => write!(f, "set of {{{}}}", names.join(", ")),
            Space::Subsets { size: 0, .. } => f.write_str("set of an empty range"),
            Space::Subsets { low, size, .. } => write!(f, "set of {low}..={}", *low as i128 + *size as i128 - 1),
            Space::Array { item, shortest, longest } if shortest == longest => write!(f, "[{item}; {shortest}]"),
            Space::Array { item, shortest, longest } => write!(f, "[{item}; {shortest}..={longest}]"),
            Space::Items(items) => write!(f, "one of {} items", items.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(space: &Space) -> Vec<Value> {
        (0..space.count()).map(|index| space.nth(index)).collect()
    }

    fn range(low: i64, high: i64) -> Space {
        Space::Range { low, high }
    }

    #[test]
    fn ranges_run_upward() {
        assert_eq!(all(&range(-1, 1)), [Value::Int(-1), Value::Int(0), Value::Int(1)]);
        assert_eq!(range(i64::MIN, i64::MAX).count(), 1 << 64);
        assert_eq!(range(i64::MIN, i64::MAX).nth((1 << 64) - 1), Value::Int(i64::MAX));
        assert_eq!(Space::EMPTY.count(), 0);
    }

    #[test]
    fn subsets_count_in_binary() {
        let space = Space::Subsets { low: 5, size: 2, names: None };
        let sets = [vec![], vec![5], vec![6], vec![5, 6]].map(Value::set);
        assert_eq!(all(&space), sets);
    }

    #[test]
    fn arrays_have_the_leftmost_slowest_and_shorter_lists_first() {
        let space = Space::Array { item: Box::new(range(1, 2)), shortest: 0, longest: 2 };
        let lists = [vec![], vec![1], vec![2], vec![1, 1], vec![1, 2], vec![2, 1], vec![2, 2]].map(Value::ints);
        assert_eq!(all(&space), lists);
    }

    #[test]
    fn members_are_known_and_others_are_not() {
        let spaces = [
            range(-1, 2),
            Space::Bool,
            Space::Names(vec!["a".to_string(), "b".to_string()]),
            Space::Subsets { low: 5, size: 3, names: None },
            Space::Array { item: Box::new(range(1, 2)), shortest: 0, longest: 2 },
            Space::Items(vec![Value::Int(3), Value::Int(7)]),
        ];
        for space in &spaces {
            assert!(all(space).iter().all(|value| space.contains(value)), "{space}");
        }
        let others =
            [Value::Int(9), Value::Int(-2), Value::set(vec![4]), Value::ints(vec![1, 3]), Value::ints(vec![1; 3])];
        for space in &spaces {
            assert!(others.iter().all(|value| !space.contains(value)), "{space}");
        }
    }

    #[test]
    fn odd_arrays() {
        let array = |item, shortest, longest| Space::Array { item: Box::new(item), shortest, longest };
        assert_eq!(array(Space::EMPTY, 0, 3).count(), 1);
        assert_eq!(array(Space::EMPTY, 1, 3).count(), 0);
        assert_eq!(array(range(4, 4), 1, 1_000_000).count(), 1_000_000);
        assert_eq!(array(range(4, 4), 1, 3).nth(2), Value::ints(vec![4, 4, 4]));
        assert_eq!(array(range(0, 9), 3, 2).count(), 0);
        assert_eq!(array(range(0, 9), 0, 1_000_000).count(), u128::MAX);
        assert_eq!(array(array(range(0, 1), 2, 2), 1, 1).nth(2), Value::list(vec![Value::ints(vec![1, 0])]));
        let huge = array(range(0, 1), 200, 200);
        assert_eq!(huge.count(), u128::MAX);
        assert_eq!(huge.nth(1).len(), Some(200));
    }
}
