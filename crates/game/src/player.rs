//! Who moves: players are numbered from 0, in the order of their turns.

use std::fmt;

/// A player, by number. `first` is always player 0, whoever starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Player(pub u8);

impl Player {
    /// Player 0, Left in partizan games.
    pub const FIRST: Player = Player(0);
    /// Player 1, Right in partizan games.
    pub const SECOND: Player = Player(1);

    /// The player as an index into a list with one entry for each player.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The next player in turn among `players` players.
    pub fn next(self, players: usize) -> Player {
        debug_assert!(self.index() < players);
        if self.index() + 1 == players { Player(0) } else { Player(self.0 + 1) }
    }

    /// The other of two players.
    pub fn other(self) -> Player {
        debug_assert!(self.0 < 2);
        Player(1 - self.0)
    }
}

/// `first`, `second`, `third`, then `player 3`, `player 4`, … (counted from 0).
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("first"),
            1 => f.write_str("second"),
            2 => f.write_str("third"),
            n => write!(f, "player {n}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Player;

    #[test]
    fn turns_go_round() {
        assert_eq!(Player(0).next(2), Player(1));
        assert_eq!(Player(1).next(2), Player(0));
        assert_eq!(Player(2).next(3), Player(0));
        assert_eq!(Player::FIRST.other(), Player::SECOND);
    }

    #[test]
    fn names_count_from_zero_after_third() {
        let names: Vec<String> = (0..5).map(|n| Player(n).to_string()).collect();
        assert_eq!(names, ["first", "second", "third", "player 3", "player 4"]);
    }
}
