//! The two players.

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Left, who likes positive values.
    Left,
    /// Right, who likes negative values.
    Right,
}

impl Side {
    /// Both, Left first.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// The other player.
    pub fn opponent(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}
