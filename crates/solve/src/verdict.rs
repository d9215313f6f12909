//! What is known of one position, and of each of its moves, once a game is solved.

use crate::play::Play;
use game::{LoopyNimber, Nimber, NimberSet, Outcome, Player, Remoteness};

/// The worth of a position, seen by the player to move in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Won, drawn or lost.
    Outcome {
        /// Which.
        outcome: Outcome,
        /// How long it takes.
        remoteness: Remoteness,
        /// The Grundy number, where the game has them.
        nimber: Option<Nimber>,
    },
    /// A sum of impartial parts: its Grundy number, and so who wins.
    Nimber(Nimber),
    /// A sum of impartial parts that can repeat: its loopy nimber, and so who wins.
    Loopy(LoopyNimber),
    /// The mover's total from here on minus the other's.
    Score(i64),
    /// Each player's total from here on.
    Payoffs {
        /// From player 0 on.
        totals: Box<[i64]>,
        /// Whether ties, broken otherwise, could not change a total; `None` if that is not known.
        unique: Option<bool>,
    },
}

impl Verdict {
    /// Won, drawn or lost by the player to move, where that is what the verdict says or what a number means.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Verdict::Outcome { outcome, .. } => Some(*outcome),
            Verdict::Nimber(0) => Some(Outcome::Loss),
            Verdict::Nimber(_) => Some(Outcome::Win),
            Verdict::Loopy(value) => Some(value.outcome()),
            Verdict::Score(_) | Verdict::Payoffs { .. } => None,
        }
    }

    /// The Grundy number.
    pub fn nimber(&self) -> Option<Nimber> {
        match self {
            Verdict::Outcome { nimber, .. } => *nimber,
            Verdict::Nimber(nimber) => Some(*nimber),
            Verdict::Loopy(value) => value.nimber(),
            _ => None,
        }
    }

    /// The set of an infinite loopy nimber.
    pub fn infinite(&self) -> Option<&NimberSet> {
        match self {
            Verdict::Loopy(LoopyNimber::Infinite(set)) => Some(set),
            _ => None,
        }
    }

    /// How long it takes.
    pub fn remoteness(&self) -> Remoteness {
        match self {
            Verdict::Outcome { remoteness, .. } => *remoteness,
            _ => None,
        }
    }
}

/// A legal move with what is known of it.
#[derive(Clone, Debug)]
pub struct RatedMove {
    /// The move.
    pub play: Play,
    /// What playing it is worth to the player who moves: gains and all that follows; the remoteness counts this move.
    pub worth: Worth,
    /// The Grundy number of the option, where the game has them.
    pub nimber: Option<Nimber>,
    /// The set of the option's loopy nimber, where that is infinite.
    pub infinite: Option<NimberSet>,
    /// Whether it keeps the result.
    pub best: bool,
    /// Whether it is one of the best that also attain the remoteness.
    pub fast: bool,
}

/// What a move is worth to the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Won, drawn or lost, in so many moves including this one.
    Outcome(Outcome, Remoteness),
    /// Own total minus the other's.
    Score(i64),
    /// Each player's total.
    Payoffs(Box<[i64]>),
}

impl Worth {
    /// Whether this is what a player who could have `best` wants: the same outcome, score, or own total.
    pub fn keeps(&self, best: &Worth, mover: Player) -> bool {
        match (self, best) {
            (Worth::Outcome(a, _), Worth::Outcome(b, _)) => a == b,
            (Worth::Score(a), Worth::Score(b)) => a == b,
            (Worth::Payoffs(a), Worth::Payoffs(b)) => a[mover.index()] == b[mover.index()],
            _ => false,
        }
    }
}
