//! The instance as it was understood, for people and programs to read: lists of millions of numbers are shown as they lie.

use std::fmt;

use rules::bind::Bound;
use rules::instance::Given;
use rules::types::Type;
use rules::value::{Ints, Value};

/// The parameters of a game in order, with the values they were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Understood(Vec<(String, Shown)>);

/// One value.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A list of numbers, shared.
    Numbers(Ints),
    /// Anything else.
    Given(Given),
}

impl Understood {
    /// What a bound game was given.
    pub fn new(bound: &Bound) -> Understood {
        let params = bound.program.params.iter().enumerate();
        let shown = |index: usize, ty: &Type| match &bound.globals[index] {
            Value::Ints(numbers) if ty.item() == Some(Type::Int) && *ty != Type::Text => {
                Shown::Numbers(numbers.clone())
            }
            _ => Shown::Given(bound.given(index)),
        };
        Understood(params.map(|(index, param)| (param.name.clone(), shown(index, &param.ty))).collect())
    }

    /// Without the values whose names are unwanted.
    pub fn without(self, unwanted: impl Fn(&str) -> bool) -> Understood {
        Understood(self.0.into_iter().filter(|(name, _)| !unwanted(name)).collect())
    }

    /// The values by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Shown)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

impl FromIterator<(String, Shown)> for Understood {
    fn from_iter<I: IntoIterator<Item = (String, Shown)>>(values: I) -> Understood {
        Understood(values.into_iter().collect())
    }
}

impl PartialEq for Shown {
    fn eq(&self, other: &Shown) -> bool {
        match (self, other) {
            (Shown::Numbers(a), Shown::Numbers(b)) => a.as_slice() == b.as_slice(),
            (Shown::Given(a), Shown::Given(b)) => a == b,
            _ => false,
        }
    }
}

impl fmt::Display for Shown {
    /// As JSON, without spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shown::Numbers(numbers) => {
                for (index, number) in numbers.as_slice().iter().enumerate() {
                    write!(f, "{}{number}", if index == 0 { '[' } else { ',' })?;
                }
                f.write_str(if numbers.is_empty() { "[]" } else { "]" })
            }
            Shown::Given(given) => compact(f, given),
        }
    }
}

/// A value as JSON, without spaces between the items of lists.
fn compact(f: &mut fmt::Formatter<'_>, given: &Given) -> fmt::Result {
    let open = |index: usize| if index == 0 { "" } else { "," };
    match given {
        Given::Ints(items) => {
            f.write_str("[")?;
            items.iter().enumerate().try_for_each(|(index, item)| write!(f, "{}{item}", open(index)))?;
            f.write_str("]")
        }
        Given::List(items) => {
            f.write_str("[")?;
            for (index, item) in items.iter().enumerate() {
                f.write_str(open(index))?;
                compact(f, item)?;
            }
            f.write_str("]")
        }
        other => write!(f, "{other}"),
    }
}
