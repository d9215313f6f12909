//! The canonical form of a position, as people want it.

use values::{Arena, Error, Value};

/// No name of a form is longer than this, in bytes.
pub const LONGEST_NAME: usize = 400;

/// The value of a partizan position: its canonical form, its mean and its temperature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The form by name; absent where that would be very long.
    pub name: Option<String>,
    /// The mean value.
    pub mean: String,
    /// The temperature.
    pub temperature: String,
}

/// What people want to know of a value.
pub fn canonical(arena: &mut Arena, value: Value) -> Result<Canonical, engine::Error> {
    let of = boards::canonical::of_values;
    let name = match arena.name(value, LONGEST_NAME) {
        Ok(name) => Some(name),
        Err(Error::TooLong { .. } | Error::TooDeep { .. }) => None,
        Err(error) => return Err(of(error)),
    };
    let mean = arena.mean(value).map_err(of)?.to_string();
    let temperature = arena.temperature(value).map_err(of)?.to_string();
    Ok(Canonical { name, mean, temperature })
}
