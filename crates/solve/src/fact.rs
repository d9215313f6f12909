//! A property with its reason: what recognisers find, and `explain` prints.

/// A property with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Whether it holds.
    pub holds: bool,
    /// The proof, or what speaks against it.
    pub why: String,
}

impl Fact {
    /// It holds, because …
    pub fn yes(why: impl Into<String>) -> Fact {
        Fact { holds: true, why: why.into() }
    }

    /// It does not hold, or cannot be shown, because …
    pub fn no(why: impl Into<String>) -> Fact {
        Fact { holds: false, why: why.into() }
    }
}
