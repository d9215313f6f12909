//! What arguments prove, and whether that is what a certificate claims.

use game::{LoopyNimber, Outcome, OutcomeClass, Player};
use rules::bind::{Bound, Position};
use rules::program::Objective;

use crate::claim::Claim;
use crate::refusal::Refusal;

/// What one argument proves of the position of the certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proved {
    /// If `turn` is to move, this player gets at least this outcome.
    AtLeast {
        /// Who is to move.
        turn: Player,
        /// Whose strategy it is.
        player: Player,
        /// What it reaches.
        outcome: Outcome,
        /// In at most so many moves, where that was counted.
        within: Option<u64>,
    },
    /// This player gets at least so much more than the other from here on.
    Lead {
        /// Whose strategy it is.
        player: Player,
        /// By how much.
        least: i128,
    },
    /// The outcome for the mover if `turn` is to move, and in how many moves.
    Outcome {
        /// Who is to move.
        turn: Player,
        /// The outcome.
        outcome: Outcome,
        /// In how many moves; `None` for play that need not end.
        remoteness: Option<u32>,
    },
    /// The outcome for the mover if `turn` is to move, in a number of moves that may be very large.
    Length {
        /// Who is to move.
        turn: Player,
        /// The outcome.
        outcome: Outcome,
        /// In how many moves.
        moves: u64,
    },
    /// What everyone gets if all want the most for themselves.
    Payoffs {
        /// From player 0 on.
        totals: Box<[i64]>,
        /// Whether ties leave the totals unique; `None` where that was not found out.
        unique: Option<bool>,
        /// Whether all plays have the same total.
        constant: bool,
    },
    /// The value of an impartial position.
    Nimber(LoopyNimber),
    /// The value of a partizan position.
    Value {
        /// Its name.
        name: String,
        /// Who wins whoever starts.
        class: OutcomeClass,
    },
    /// The outcome for whoever is to move in a game that the last mover loses.
    Misere(Outcome),
    /// The value of a partizan position from which play may go on for ever.
    Loops {
        /// Its name.
        name: String,
    },
}

/// What is proved of one position in all.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The arguments' conclusions, in order.
    pub proved: Vec<Proved>,
}

impl Summary {
    /// The outcome for whoever is to move, if that is proved.
    pub fn outcome(&self, turn: Player) -> Option<Outcome> {
        let least = |player: Player| self.least(turn, player);
        let (own, other) = (least(turn), least(turn.other()));
        match (own, other) {
            (Some(Outcome::Win), _) => Some(Outcome::Win),
            (_, Some(Outcome::Win)) => Some(Outcome::Loss),
            (Some(Outcome::Draw), Some(Outcome::Draw)) => Some(Outcome::Draw),
            _ => None,
        }
    }

    /// The best that is proved for a player if `turn` is to move.
    fn least(&self, turn: Player, player: Player) -> Option<Outcome> {
        let of = |proved: &Proved| match proved {
            Proved::AtLeast { turn: own, player: who, outcome, .. } => {
                (*own == turn && *who == player).then_some(*outcome)
            }
            Proved::Outcome { turn: own, outcome, .. } | Proved::Length { turn: own, outcome, .. } if *own == turn => {
                Some(if player == turn { *outcome } else { -*outcome })
            }
            Proved::Misere(outcome) => Some(if player == turn { *outcome } else { -*outcome }),
            Proved::Nimber(value) => Some(if player == turn { value.outcome() } else { -value.outcome() }),
            Proved::Value { class, .. } => {
                let wins = match class {
                    OutcomeClass::L => player == Player::FIRST,
                    OutcomeClass::R => player == Player::SECOND,
                    OutcomeClass::N => player == turn,
                    OutcomeClass::P => player != turn,
                };
                Some(if wins { Outcome::Win } else { Outcome::Loss })
            }
            _ => None,
        };
        self.proved.iter().filter_map(of).max()
    }

    /// How much more the player to move gets than the other, if that is proved.
    pub fn value(&self, bound: &Bound, turn: Player) -> Option<i128> {
        if is_own(bound) {
            return self.proved.iter().find_map(|proved| match proved {
                Proved::Payoffs { totals, constant: true, .. } if totals.len() == 2 => {
                    Some(i128::from(totals[turn.index()]) - i128::from(totals[turn.other().index()]))
                }
                _ => None,
            });
        }
        let lead = |who: Player| {
            let of = |proved: &Proved| match proved {
                Proved::Lead { player, least } if *player == who => Some(*least),
                _ => None,
            };
            self.proved.iter().filter_map(of).max()
        };
        let (least, other) = (lead(turn)?, lead(turn.other())?);
        (other.checked_neg() == Some(least)).then_some(least)
    }

    /// In at most how many moves the game is won, where that was counted.
    pub fn within(&self, turn: Player) -> Option<u64> {
        let of = |proved: &Proved| match proved {
            Proved::AtLeast { turn: own, outcome: Outcome::Win, within, .. } if *own == turn => *within,
            _ => None,
        };
        self.proved.iter().filter_map(of).min()
    }

    /// Compares what is proved with what is claimed.
    pub fn bears_out(&self, claim: &Claim, bound: &Bound, position: &Position) -> Result<(), Refusal> {
        let turn = position.turn;
        let two = bound.players == 2;
        let outcome = |turn: Player| if two { self.outcome(turn) } else { None };
        if claim.fields() == 0 {
            return Err(Refusal::wrong("nothing is claimed"));
        }
        if let Some(claimed) = claim.outcome
            && !self.shows_outcome(claimed, bound, turn)
        {
            return Err(unproved("the outcome"));
        }
        if let Some(claimed) = claim.remoteness {
            let shown = |proved: &Proved| match proved {
                Proved::Outcome { turn: own, remoteness: Some(moves), .. } => {
                    *own == turn && u64::from(*moves) == claimed
                }
                Proved::Length { turn: own, moves, .. } => *own == turn && *moves == claimed,
                _ => false,
            };
            if !self.proved.iter().any(shown) {
                return Err(unproved("the number of moves"));
            }
        }
        if let Some(claimed) = claim.class {
            let won = |turn: Player| outcome(turn).filter(|outcome| *outcome != Outcome::Draw);
            let (first, second) = (won(Player::FIRST), won(Player::SECOND));
            let (Some(first), Some(second)) = (first, second) else { return Err(unproved("the outcome class")) };
            if OutcomeClass::new(first == Outcome::Win, second == Outcome::Loss) != claimed {
                return Err(unproved("the outcome class"));
            }
        }
        if let Some(claimed) = claim.value
            && !(two && bound.program.counted && self.value(bound, turn) == Some(i128::from(claimed)))
        {
            return Err(unproved("the value"));
        }
        self.shows_payoffs(claim)?;
        self.shows_form(claim)?;
        self.shows_nimber(claim)
    }

    fn shows_outcome(&self, claimed: Outcome, bound: &Bound, turn: Player) -> bool {
        let sign = |number: i128| match number.signum() {
            1 => Outcome::Win,
            -1 => Outcome::Loss,
            _ => Outcome::Draw,
        };
        if bound.players == 2 {
            return match bound.program.counted {
                true => self.value(bound, turn).map(sign) == Some(claimed),
                false => self.outcome(turn) == Some(claimed),
            };
        }
        !bound.program.counted
            && self.proved.iter().any(|proved| match proved {
                Proved::Payoffs { totals, .. } => sign(i128::from(totals[turn.index()])) == claimed,
                _ => false,
            })
    }

    fn shows_payoffs(&self, claim: &Claim) -> Result<(), Refusal> {
        let found = self.proved.iter().find_map(|proved| match proved {
            Proved::Payoffs { totals, unique, .. } => Some((totals, *unique)),
            _ => None,
        });
        if let Some(claimed) = &claim.payoffs
            && found.is_none_or(|(totals, _)| **totals != **claimed)
        {
            return Err(unproved("what everyone gets"));
        }
        if claim.unique.is_some() && found.is_none_or(|(_, unique)| unique != claim.unique) {
            return Err(unproved("whether ties matter"));
        }
        Ok(())
    }

    fn shows_form(&self, claim: &Claim) -> Result<(), Refusal> {
        let shown = |claimed: &String| {
            let named = |proved: &Proved| match proved {
                Proved::Value { name, .. } | Proved::Loops { name } => name == claimed,
                _ => false,
            };
            self.proved.iter().any(named)
        };
        match claim.form.as_ref().is_none_or(shown) {
            true => Ok(()),
            false => Err(unproved("the value")),
        }
    }

    fn shows_nimber(&self, claim: &Claim) -> Result<(), Refusal> {
        let found = self.proved.iter().find_map(|proved| match proved {
            Proved::Nimber(value) => Some(value),
            _ => None,
        });
        if let Some(claimed) = claim.nimber
            && found != Some(&LoopyNimber::Finite(claimed))
        {
            return Err(unproved("the nimber"));
        }
        if let Some(claimed) = &claim.loopy
            && found != Some(&LoopyNimber::Infinite(claimed.clone()))
        {
            return Err(unproved("the loopy nimber"));
        }
        Ok(())
    }
}

/// Whether two players want the most for themselves, and not the largest difference.
pub fn is_own(bound: &Bound) -> bool {
    bound.program.counted && (bound.players > 2 || bound.program.objective == Some(Objective::Own))
}

fn unproved(what: &str) -> Refusal {
    Refusal::wrong(format!("{what} is claimed, and the arguments do not prove it"))
}
