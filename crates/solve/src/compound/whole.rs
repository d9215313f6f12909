//! A small sum of which a summand has no value that the theory gives: it is solved as a whole, backward from its ends.
//!
//! Values exist for stoppers and for pairs of them, and a game whose positions repeat may be neither. Then no summand can be
//! looked at by itself. Where the sum has few positions that does not matter: all of them are looked at ([`Rounds`]).

use game::{Outcome, Verdict};
use rules::play::Play;
use rustc_hash::FxHashSet;

use super::rounds::Rounds;
use super::{Compound, SumError, SumPosition};
use crate::answer::MOST_MOVES;
use crate::answer::listed::{ListedMoves, MOST_LISTED};
use crate::answers::RatedMove;
use crate::error::SolveError;

/// A sum that was solved as a whole.
pub(super) struct Whole {
    pub rounds: Rounds,
    /// Why it was not solved by its summands.
    pub why: String,
}

impl Whole {
    /// Won, lost or drawn by the player to move.
    pub fn outcome(&self, position: &SumPosition) -> Result<Outcome, SumError> {
        let unknown = || SumError { summand: 0, error: SolveError::internal("a position of the sum was not met") };
        self.rounds.outcome(position).ok_or_else(unknown)
    }

    /// Who wins, and how soon where play ends.
    pub fn verdict(&self, position: &SumPosition) -> Result<Verdict, SumError> {
        Ok(Verdict::outcome_in(self.outcome(position)?, self.rounds.remoteness(position)))
    }

    /// The move that perfect play makes; none where nobody can move.
    pub fn choice(&self, compound: &Compound<'_>, position: &SumPosition) -> Result<Option<Play>, SumError> {
        self.rounds.choice(compound, position)
    }

    /// Every legal move, rated.
    pub fn listed(&self, compound: &Compound<'_>, position: &SumPosition) -> Result<ListedMoves, SumError> {
        let best = self.outcome(position)?;
        let (plays, _) = compound.first_plays(position, MOST_LISTED)?;
        let mut moves = Vec::with_capacity(plays.len());
        for play in plays {
            let after = position.after(&play);
            let result = -self.outcome(&after)?;
            let moves_left = self.rounds.remoteness(&after).map(|moves| moves + 1);
            let worth = Verdict::outcome_in(result, moves_left);
            moves.push(RatedMove { best: result == best, ..RatedMove::worth(play, worth) });
        }
        let count = Some(moves.len() as u128);
        Ok(ListedMoves::all(moves, count))
    }

    /// One line of best play, and whether it is cut because it is long, or never ends.
    pub fn line(&self, compound: &Compound<'_>) -> Result<(Vec<Play>, bool), SumError> {
        let (mut position, mut line, mut met) = (compound.start(), Vec::new(), FxHashSet::default());
        while let Some(mv) = self.choice(compound, &position)? {
            if line.len() == MOST_MOVES || !met.insert(position.clone()) {
                return Ok((line, true));
            }
            position.apply(&mv);
            line.push(mv);
        }
        Ok((line, false))
    }
}
