//! The verdict: what a position, or a move, is worth. One type serves every method and every answer.

use crate::{LoopyNimber, Nimber, NimberSet, Outcome, Player, Remoteness};

/// The worth of a position, seen by the player to move in it; or of a move, seen by the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Won, drawn or lost.
    Outcome {
        /// Which.
        outcome: Outcome,
        /// How many moves until the end.
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
        /// Whether breaking ties in another way leaves all totals as they are; `None` if that is not known.
        unique: Option<bool>,
    },
}

impl Verdict {
    /// Won, drawn or lost in so many moves.
    pub fn outcome_in(outcome: Outcome, remoteness: Remoteness) -> Verdict {
        Verdict::Outcome { outcome, remoteness, nimber: None }
    }

    /// Won, drawn or lost by the player to move. Counted games have no outcome here.
    ///
    /// ```
    /// use game::{Outcome, Verdict};
    /// assert_eq!(Verdict::Nimber(0).outcome(), Some(Outcome::Loss));
    /// assert_eq!(Verdict::Score(7).outcome(), None);
    /// ```
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

    /// The nimber as a loopy one, which every nimber is.
    pub fn loopy(&self) -> Option<LoopyNimber> {
        match self {
            Verdict::Loopy(value) => Some(value.clone()),
            verdict => verdict.nimber().map(LoopyNimber::Finite),
        }
    }

    /// The set of an infinite loopy nimber.
    pub fn infinite(&self) -> Option<&NimberSet> {
        match self {
            Verdict::Loopy(LoopyNimber::Infinite(set)) => Some(set),
            _ => None,
        }
    }

    /// How many moves until the end.
    pub fn remoteness(&self) -> Remoteness {
        match self {
            Verdict::Outcome { remoteness, .. } => *remoteness,
            _ => None,
        }
    }

    /// Whether a mover who could have `best` is as content with this: the same outcome, score, or own total.
    pub fn keeps(&self, best: &Verdict, mover: Player) -> bool {
        self.prefer(best, mover) == std::cmp::Ordering::Equal
    }

    /// Which of two moves the mover likes better. How soon play ends does not count.
    pub fn prefer(&self, other: &Verdict, mover: Player) -> std::cmp::Ordering {
        match (self, other) {
            (Verdict::Score(a), Verdict::Score(b)) => a.cmp(b),
            (Verdict::Payoffs { totals: a, .. }, Verdict::Payoffs { totals: b, .. }) => {
                a[mover.index()].cmp(&b[mover.index()])
            }
            (a, b) => a.outcome().cmp(&b.outcome()),
        }
    }
}

/// A nimber, loopy or not: finite ones are plain nimbers.
impl From<LoopyNimber> for Verdict {
    fn from(value: LoopyNimber) -> Verdict {
        match value {
            LoopyNimber::Finite(nimber) => Verdict::Nimber(nimber),
            infinite => Verdict::Loopy(infinite),
        }
    }
}
