//! What positions and moves are worth, for judging moves.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use perfectplay::answer::Verdict;
use perfectplay::language::{Bound, Position};
use perfectplay::moves::{Play, RatedMove};
use perfectplay::solving::{Limits, Monitor, Options, Question, SolveError, Solved, solve};

/// Limits of a solve.
#[derive(Clone)]
pub struct Work {
    /// What each solve may use.
    pub limits: Limits,
    /// How it is done.
    pub options: Options,
    /// Set from outside to stop.
    pub cancel: Arc<AtomicBool>,
}

impl Work {
    /// The monitor of one solve.
    pub fn monitor(&self) -> Monitor {
        Monitor::new(&self.limits).cancelled_by(Arc::clone(&self.cancel))
    }
}

/// Knows what every position of a game is worth.
pub struct Oracle<'b> {
    bound: &'b Bound,
    work: &'b Work,
    solved: Solved<'b>,
}

/// What a move is worth, and what the position was worth before it, both to the player who moves.
pub struct Judged {
    /// Before.
    pub before: Verdict,
    /// With the move.
    pub after: Verdict,
    /// Whether nothing is lost.
    pub keeps: bool,
}

impl<'b> Oracle<'b> {
    /// Solves a game.
    pub fn new(bound: &'b Bound, work: &'b Work) -> Result<Oracle<'b>, SolveError> {
        Ok(Oracle { bound, work, solved: solved(bound, work, &bound.start)? })
    }

    /// The verdict on a position.
    fn verdict(&mut self, position: &Position) -> Result<Verdict, SolveError> {
        if let Some(verdict) = self.solved.verdict(position) {
            return Ok(verdict);
        }
        self.solved = solved(self.bound, self.work, position)?;
        let missing = || SolveError::Internal("the position that was solved has no value".to_string());
        self.solved.verdict(position).ok_or_else(missing)
    }

    /// Judges a legal move.
    pub fn judge(&mut self, position: &Position, play: &Play) -> Result<Judged, SolveError> {
        let option = self.verdict(&play.option(position))?;
        let after = RatedMove::new(play.clone(), &option, position.turn)?.worth;
        let before = self.verdict(position)?;
        let keeps = after.keeps(&before, position.turn);
        Ok(Judged { before, after, keeps })
    }

    /// Best moves of a position, at most so many.
    pub fn best(&mut self, position: &Position, most: usize) -> Result<Vec<Play>, SolveError> {
        self.verdict(position)?;
        Ok(self.solved.best_moves(position, most)?.best)
    }

    /// The move that perfect play makes, which also brings the game to its end where that is won.
    pub fn choice(&mut self, position: &Position) -> Result<Option<Play>, SolveError> {
        self.verdict(position)?;
        self.solved.choice(position)
    }
}

fn solved<'b>(bound: &'b Bound, work: &Work, from: &Position) -> Result<Solved<'b>, SolveError> {
    let options = Options { question: Question::Strong, ..work.options.clone() };
    solve(bound, from, &options, &mut work.monitor())
}
