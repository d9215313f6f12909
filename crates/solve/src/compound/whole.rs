//! A small sum of which a summand has no value that the theory gives: it is solved as a whole, backward from its ends.
//!
//! Values exist for stoppers and for pairs of them, and a game whose positions repeat may be neither. Then no summand can be
//! looked at by itself. Where the sum has few positions that does not matter: all of them are looked at ([`Rounds`]).

use engine::monitor::Monitor;
use game::{Outcome, Verdict};
use rules::play::Play;
use rustc_hash::FxHashSet;

use super::answer::summand_answer;
use super::rounds::{MOST_ROUNDS, Rounds};
use super::solved::{Game, SolvedSum};
use super::{Compound, SUM, SumError, SumPosition, Summand};
use crate::answer::MOST_MOVES;
use crate::answer::listed::{ListedMoves, MOST_LISTED};
use crate::answer::solution::{AnswerKind, Solution, SummandValue, Understood};
use crate::answers::{Proof, RatedMove};
use crate::error::SolveError;
use crate::numbers::grouped;
use crate::options::Options;

/// A sum that was solved as a whole.
pub(super) struct Whole {
    rounds: Rounds,
    /// Why it was not solved by its summands.
    why: String,
}

/// Solves a sum as a whole, after its summands gave no answer; that error where a method was asked for, where endless play is not
/// the same in all summands, or where there are too many positions.
pub(super) fn solve_whole<'b>(
    summands: Vec<Summand<'b>>,
    options: &Options,
    error: SumError,
    monitor: &mut Monitor,
) -> Result<SolvedSum<'b>, SumError> {
    let forever = summands.first().and_then(|first| first.bound.forever);
    if options.method.is_some() || summands.iter().any(|summand| summand.bound.forever != forever) {
        return Err(error);
    }
    let SumError { summand, error: SolveError::NotApplicable(why) } = error else { return Err(error) };
    let compound = Compound::new(summands);
    monitor.enter("all positions of the sum");
    let Some(rounds) = Rounds::new(&compound, monitor)? else {
        let why = format!("{why}; and the sum has more than {} positions", grouped(MOST_ROUNDS as u64));
        return Err(SumError { summand, error: SolveError::NotApplicable(why) });
    };
    let positions = rounds.positions();
    let games = compound.summands().iter().map(|Summand { bound, .. }| Game::Valued { bound, method: SUM, positions });
    let (games, which) = (games.collect(), (0..compound.summands().len()).collect());
    Ok(SolvedSum { compound, games, which, theory: None, whole: Some(Whole { rounds, why }) })
}

impl SolvedSum<'_> {
    /// How many positions the sum has, where it was solved as a whole.
    pub(super) fn whole_positions(&self) -> Option<u64> {
        self.whole.as_ref().map(|whole| whole.rounds.positions())
    }
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
    fn line(&self, compound: &Compound<'_>) -> Result<(Vec<Play>, bool), SumError> {
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

    /// The answer.
    pub fn solution(&self, sum: &SolvedSum<'_>, monitor: &Monitor) -> Result<Solution, SumError> {
        let start = sum.compound.start();
        let mut solution = Solution::blank(sum.compound.text(), Understood::default(), start.turn, SUM);
        solution.kind = AnswerKind::Partizan;
        solution.set_outcome(self.outcome(&start)?);
        solution.remoteness = self.rounds.remoteness(&start).map(u64::from);
        let moves = self.listed(&sum.compound, &start)?.moves;
        let best: Vec<&RatedMove> = moves.iter().filter(|mv| mv.best).collect();
        solution.best_moves_cut = best.len() > MOST_MOVES;
        let best: Vec<Play> = best.iter().take(MOST_MOVES).map(|mv| mv.play.clone()).collect();
        for summand in 0..sum.compound.summands().len() {
            let own: Vec<Play> = best.iter().filter(|play| play.summand == summand).cloned().collect();
            solution.summands.push(summand_answer(sum, summand, SummandValue::Unvalued, &own));
        }
        solution.best_moves = Some(best);
        let (line, cut) = self.line(&sum.compound)?;
        (solution.line, solution.line_cut) = (Some(line), cut);
        solution.value_missing = Some(self.why.clone());
        solution.set_cost(self.rounds.positions(), monitor);
        solution.proof = Proof::Table;
        Ok(solution)
    }
}
