//! Who knows the best moves: the solution of the game from some position on, found when it is first needed.

use std::time::Duration;

use perfectplay::{Bound, Limits, Options, Position, RatedMove, SolveError, Solved};

use crate::args::LimitArgs;
use crate::progress;

/// How long a person waits for a hint where no limit was given.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Adviser<'t> {
    bound: &'t Bound,
    limits: Limits,
    options: Options,
    quiet: bool,
    solved: Option<Solved<'t>>,
    /// The last position that could not be solved.
    failed: Option<(Position, SolveError)>,
}

impl<'t> Adviser<'t> {
    pub fn new(bound: &'t Bound, limits: &LimitArgs, quiet: bool) -> Adviser<'t> {
        Adviser { bound, limits: limits.limits(), options: limits.options(), quiet, solved: None, failed: None }
    }

    /// Solves the game from a position on, within the limits that were given.
    pub fn prepare(&mut self, position: &Position) -> Result<(), SolveError> {
        let limits = self.limits.clone();
        self.solve(position, &limits)
    }

    /// The legal moves of a position, rated.
    pub fn moves(&mut self, position: &Position) -> Result<Vec<RatedMove>, SolveError> {
        if self.known(position).is_none() {
            if let Some((_, error)) = self.failed.as_ref().filter(|(failed, _)| failed == position) {
                return Err(error.clone());
            }
            let limits = Limits { time: self.limits.time.or(Some(PATIENCE)), ..self.limits.clone() };
            self.solve(position, &limits)?;
        }
        match self.known(position) {
            Some(solved) => solved.moves(position),
            None => Err(SolveError::Internal("the position that was solved has no value".to_string())),
        }
    }

    /// What is solved already, if the position belongs to it.
    fn known(&self, position: &Position) -> Option<&Solved<'t>> {
        self.solved.as_ref().filter(|solved| solved.verdict(position).is_some())
    }

    fn solve(&mut self, position: &Position, limits: &Limits) -> Result<(), SolveError> {
        self.solved = None;
        let mut monitor = progress::monitor(limits, self.quiet);
        match perfectplay::solve(self.bound, position, &self.options, &mut monitor) {
            Ok(solved) => self.solved = Some(solved),
            Err(error) => {
                if error.is_limit() {
                    self.failed = Some((position.clone(), error.clone()));
                }
                return Err(error);
            }
        }
        Ok(())
    }
}
