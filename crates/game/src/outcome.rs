//! How a position ends under best play, seen by the player to move.

use std::fmt;
use std::ops::Neg;

/// The result of a position for one player, worst first, so that `max` is the mover's choice.
///
/// `Draw` is play without end or a declared draw. Equal scores are different: they are a score of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The player loses against best play.
    Loss,
    /// Neither player can force a win.
    Draw,
    /// The player can force a win.
    Win,
}

impl Outcome {
    /// The outcome as a number: 1 for a win, 0 for a draw, −1 for a loss.
    pub fn sign(self) -> i64 {
        match self {
            Outcome::Loss => -1,
            Outcome::Draw => 0,
            Outcome::Win => 1,
        }
    }

    /// The outcome that a number stands for: a positive one is a win.
    pub fn of_sign(number: i64) -> Outcome {
        match number.signum() {
            1 => Outcome::Win,
            -1 => Outcome::Loss,
            _ => Outcome::Draw,
        }
    }
}

/// The result seen by the other of two players.
impl Neg for Outcome {
    type Output = Outcome;
    fn neg(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }
}

/// `win`, `lose`, `draw`, as the rules language and the JSON spell them.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Loss => "lose",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        })
    }
}

/// Who wins a last-mover-wins game, whoever starts. Left is the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutcomeClass {
    /// Left wins whoever starts.
    L,
    /// Right wins whoever starts.
    R,
    /// The player who starts (the next player) wins.
    N,
    /// The player who does not start (the previous player) wins.
    P,
}

impl OutcomeClass {
    /// The class, from the two facts that define it: whether Left wins when Left starts, and when Right starts.
    pub fn new(left_wins_starting: bool, left_wins_following: bool) -> OutcomeClass {
        match (left_wins_starting, left_wins_following) {
            (true, true) => OutcomeClass::L,
            (true, false) => OutcomeClass::N,
            (false, true) => OutcomeClass::P,
            (false, false) => OutcomeClass::R,
        }
    }
}

impl fmt::Display for OutcomeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_signs() {
        for outcome in [Outcome::Loss, Outcome::Draw, Outcome::Win] {
            assert_eq!(Outcome::of_sign(7 * outcome.sign()), outcome);
            assert_eq!((-outcome).sign(), -outcome.sign());
        }
    }

    #[test]
    fn negation_is_an_involution_that_reverses_the_order() {
        let all = [Outcome::Loss, Outcome::Draw, Outcome::Win];
        for a in all {
            assert_eq!(-(-a), a);
            for b in all {
                assert_eq!(a < b, -a > -b);
            }
        }
    }

    #[test]
    fn classes_are_named_for_who_wins() {
        assert_eq!(OutcomeClass::new(true, false).to_string(), "N");
        assert_eq!(OutcomeClass::new(false, true).to_string(), "P");
        assert_eq!(OutcomeClass::new(true, true).to_string(), "L");
        assert_eq!(OutcomeClass::new(false, false).to_string(), "R");
    }
}
