//! The value of a position, as people want it.

use std::cmp::Ordering;

use values::expression::{Answer, Calculator, NoPositions};
use values::{Arena, Error, Value};

/// No name of a form is longer than this, in bytes.
pub const LONGEST_NAME: usize = 400;

/// The value of a partizan position: its canonical form, its mean and its temperature.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ValueText {
    /// The form by name; absent where that would be very long.
    pub name: Option<String>,
    /// The mean value; absent for a loopy value, and where it does not fit.
    pub mean: Option<String>,
    /// The temperature, likewise.
    pub temperature: Option<String>,
}

impl ValueText {
    /// What people want to know of a value.
    pub fn of(arena: &mut Arena, value: Value) -> Result<ValueText, engine::Error> {
        let of = boards::canonical::of_values;
        let name = match arena.name(value, LONGEST_NAME) {
            Ok(name) => Some(name),
            Err(Error::TooLong { .. } | Error::TooDeep { .. }) => None,
            Err(error) => return Err(of(error)),
        };
        let fitting = |number: values::Result<values::Dyadic>| match number {
            Ok(number) => Ok(Some(number.to_string())),
            Err(Error::Overflow(_)) => Ok(None),
            Err(error) => Err(of(error)),
        };
        let mean = fitting(arena.mean(value))?;
        let temperature = fitting(arena.temperature(value))?;
        Ok(ValueText { name, mean, temperature })
    }
}

/// Whether two texts are names of the same value. A text that is no value, or takes much work, is the same as none.
///
/// ```
/// use solve::value_text::same;
///
/// assert!(same("{0|0}", "*") && !same("1", "2"));
/// ```
pub fn same(one: &str, other: &str) -> bool {
    const MOST_BYTES: usize = 1000;
    if one == other {
        return true;
    }
    let mut arena = Arena::new(values::Allowance::new(1 << 24));
    if one.len().max(other.len()) > MOST_BYTES {
        return false;
    }
    let mut positions = NoPositions;
    let mut calculator = Calculator::new(&mut arena, &mut positions);
    match (calculator.evaluate(one), calculator.evaluate(other)) {
        (Ok(Answer::Game(one)), Ok(Answer::Game(other))) => one == other,
        (Ok(Answer::Loopy(one)), Ok(Answer::Loopy(other))) => one.compare(&other) == Ok(Some(Ordering::Equal)),
        _ => false,
    }
}
