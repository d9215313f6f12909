//! A game that is asked about, and what is kept of it.

use perfectplay::json::{ErrorObject, error_object};
use perfectplay::language::{Bound, Position, Rules};
use perfectplay::scene::Painter;
use perfectplay::solving::{Solved, solve};
use perfectplay::view::Walk;
use perfectplay::{Error, SolveError};

use super::Allowed;

/// Whether more time or memory could bring an answer.
pub fn is_too_much(error: &SolveError) -> bool {
    error.is_limit() || matches!(error, SolveError::Interrupted { .. })
}

/// A game and all that is kept of it.
pub struct Game<'b> {
    /// Its rules.
    pub rules: &'b Rules,
    /// The game.
    pub bound: &'b Bound,
    /// Where the way begins.
    pub root: Position,
    /// Draws its positions.
    pub painter: Painter<'b>,
    /// The solved game, where it is.
    pub solved: Option<Solved<'b>>,
    /// How much memory that holds.
    pub held: u64,
}

impl<'b> Game<'b> {
    /// A game of which nothing is known yet.
    pub fn new(rules: &'b Rules, bound: &'b Bound, root: Position) -> Game<'b> {
        Game { rules, bound, root, painter: Painter::new(bound), solved: None, held: 0 }
    }

    /// An error in the words of this game.
    pub fn error(&self, error: SolveError) -> ErrorObject {
        error_object(&Error::solving(error, self.rules))
    }

    /// The solved game from where the way begins.
    pub fn solved(&mut self, allowed: &Allowed) -> Result<&Solved<'b>, SolveError> {
        if self.solved.is_none() {
            let mut monitor = allowed.monitor();
            let solved = solve(self.bound, &self.root, &allowed.options(), &mut monitor)?;
            self.held = monitor.memory().used();
            self.solved = Some(solved);
        }
        self.solved.as_ref().ok_or_else(|| SolveError::Internal("a solved game is gone".to_string()))
    }

    /// The game with play standing where the way ends.
    pub fn standing(&self, walk: &Walk) -> Bound {
        let here = walk.here();
        Bound { start: here.clone(), starts: here.turn, ..self.bound.clone() }
    }
}
