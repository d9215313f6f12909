//! Answers of a search: the start is known, everything else is proved when it is asked for.
//!
//! The search that found the value stays, with its table, and so does a monitor of the same solve: its limits hold for what is
//! asked later, too. A strategy can be read off the same way: in each position of the one who keeps the value one move is
//! proved to keep it, and the table knows most of them already.

use std::cell::RefCell;
use std::sync::Arc;

use ::game::{Outcome, Player, Verdict};
use engine::Error;
use engine::monitor::Monitor;
use rules::bind::{Bound, Position};
use rules::play::{self, Play};
use search::game::{Bounds, Game};
use search::solver::Solver;

use crate::answers::{Answers, BestMoves, LastStop, Next, Positions, Proof, RatedMove, Walker, marked, unknown};
use crate::error::{Reason, SolveError};
use crate::methods::GivenUp;
use crate::options::MethodName;
use positions::oracle::Keeps;
use positions::searched::{RulesGame, placed};

/// Answers of a search.
pub(super) struct SearchAnswers<'b> {
    /// The method that searches.
    method: MethodName,
    game: Arc<RulesGame<'b>>,
    start: Position,
    value: i64,
    /// How many positions the start took.
    nodes: u64,
    /// Whether one best move is enough.
    one: bool,
    search: RefCell<(Box<dyn Solver + 'b>, Monitor)>,
    /// Why it gave up on a position.
    gave_up: RefCell<Option<Reason>>,
    /// What stopped it before the last position had a verdict, where it has none.
    last_stop: LastStop,
}

impl<'b> SearchAnswers<'b> {
    pub fn new(
        method: MethodName,
        game: Arc<RulesGame<'b>>,
        solver: Box<dyn Solver + 'b>,
        start: &Position,
        value: i64,
        one: bool,
        monitor: Monitor,
    ) -> SearchAnswers<'b> {
        let nodes = solver.nodes();
        let (search, gave_up, last_stop) = (RefCell::new((solver, monitor)), RefCell::default(), LastStop::default());
        SearchAnswers { method, game, start: start.clone(), value, nodes, one, search, gave_up, last_stop }
    }

    fn key(&self, position: &Position) -> Result<Vec<u64>, SolveError> {
        self.game.key(position).ok_or_else(|| unknown(self.game.bound, position))
    }

    /// An error of a search as one of a solve.
    fn error(&self, error: Error) -> SolveError {
        let keeps = if self.game.is_scored() { Keeps::Score } else { Keeps::Outcome };
        match GivenUp::from(placed(error, &self.game, keeps)) {
            GivenUp::Error(error) => error,
            GivenUp::Because(reason) => {
                let error = reason.clone().into_error(self.method.name());
                self.gave_up.replace(Some(reason));
                error
            }
        }
    }

    /// The value of a position for the player to move.
    fn value(&self, position: &Position) -> Result<i64, SolveError> {
        if *position == self.start {
            return Ok(self.value);
        }
        let key = self.key(position)?;
        let (solver, monitor) = &mut *self.search.borrow_mut();
        solver.value(&key, monitor).map_err(|error| self.error(error))
    }

    fn verdict_of(&self, value: i64) -> Verdict {
        match (self.game.is_scored(), value) {
            (true, value) => Verdict::Score(value),
            (false, value) => Verdict::outcome_in(Outcome::of_sign(value), None),
        }
    }

    /// What a move leads to: the key, what the move gains, and whether the mover moves again.
    fn after(&self, position: &Position, play: &Play) -> Result<(Vec<u64>, i64, bool), SolveError> {
        let keeps = if self.game.is_scored() { Keeps::Score } else { Keeps::Outcome };
        let gain = keeps.gain(&play.gains, position.turn)?;
        Ok((self.key(&play.option(position))?, gain, play.turn == position.turn))
    }

    /// Whether a move is worth at least `value`; with `known` only as far as that is proved already.
    fn keeps(&self, position: &Position, play: &Play, value: i64, known: bool) -> Result<bool, SolveError> {
        let (key, gain, same) = self.after(position, play)?;
        let (solver, monitor) = &mut *self.search.borrow_mut();
        // The option must be worth at least so much where the mover moves again, and less than that where not.
        let t = if same { value.checked_sub(gain) } else { gain.checked_sub(value).and_then(|t| t.checked_add(1)) };
        // No option is worth what does not fit: then the move gains far too little, or far more than there is.
        let Some(t) = t else { return Ok(gain >= value) };
        if known {
            let Bounds { low, high } = solver.known(&key);
            return Ok(if same { low >= t } else { high < t });
        }
        let found = solver.at_least(&key, t, monitor);
        Ok(found.map_err(|error| self.error(error))? == same)
    }

    /// A best move of a position that is worth so much: one that is proved already, if there is one. `None` where play is over.
    fn one_best(&self, game: &Bound, position: &Position, value: i64) -> Result<Option<Play>, SolveError> {
        let plays = play::plays(game, position)?;
        for known in [true, false] {
            for play in &plays {
                if self.keeps(position, play, value, known)? {
                    return Ok(Some(play.clone()));
                }
            }
        }
        match plays.is_empty() {
            true => Ok(None),
            false => Err(SolveError::internal("no move keeps the value that a search found")),
        }
    }
}

impl Answers for SearchAnswers<'_> {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.last_stop.unless(self.value(position).map(|value| Some(self.verdict_of(value))))
    }

    fn missing(&self, game: &Bound, position: &Position) -> SolveError {
        self.last_stop.why().unwrap_or_else(|| unknown(game, position))
    }

    fn positions(&self) -> u64 {
        self.nodes
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Search
    }

    fn size(&self) -> u64 {
        1
    }

    fn knows_lengths(&self) -> bool {
        false
    }

    fn proves_on_demand(&self) -> bool {
        true
    }

    fn gave_up(&self) -> Option<Reason> {
        self.gave_up.borrow().clone()
    }

    fn remoteness(&self, _: &Position) -> Option<u64> {
        None
    }

    fn each(&self, _: Player) -> Positions<'_> {
        Box::new(std::iter::once(self.start.clone()))
    }

    fn random(&self, _: Player, _: &mut dyn FnMut() -> u64) -> Option<Position> {
        Some(self.start.clone())
    }

    fn rated(&self, _: &Bound, position: &Position, plays: Vec<Play>) -> Result<Vec<RatedMove>, SolveError> {
        let mut rated = Vec::with_capacity(plays.len());
        for play in plays {
            let option = self.verdict_of(self.value(&play.option(position))?);
            rated.push(RatedMove::new(play, &option, position.turn)?);
        }
        Ok(marked(rated, position, None))
    }

    fn best(&self, game: &Bound, position: &Position, most: usize) -> Result<BestMoves, SolveError> {
        let value = self.value(position)?;
        if self.one || most == 1 {
            let best: Vec<Play> = self.one_best(game, position, value)?.into_iter().collect();
            // Whether there are others was not asked.
            let cut = self.one && !best.is_empty();
            return Ok(BestMoves { best, fast: Vec::new(), cut });
        }
        let mut best = Vec::new();
        for play in play::plays(game, position)? {
            if self.keeps(position, &play, value, false)? {
                if best.len() == most {
                    return Ok(BestMoves { best, fast: Vec::new(), cut: true });
                }
                best.push(play);
            }
        }
        Ok(BestMoves { best, fast: Vec::new(), cut: false })
    }

    fn walker<'a>(&'a self, game: &'a Bound, _: &Position) -> Result<Box<dyn Walker + 'a>, SolveError> {
        Ok(Box::new(SearchWalker { answers: self, game, next: None, visited: Vec::new() }))
    }
}

/// Goes along a line: the value of each position follows from the one before.
struct SearchWalker<'a, 'b> {
    answers: &'a SearchAnswers<'b>,
    game: &'a Bound,
    /// The position that the last move led to, and its value.
    next: Option<(Position, i64)>,
    /// Positions that were there, where play may repeat.
    visited: Vec<Position>,
}

impl Walker for SearchWalker<'_, '_> {
    fn next(&mut self, position: &Position) -> Result<Next, SolveError> {
        let value = match self.next.take() {
            Some((expected, value)) if expected == *position => value,
            _ => self.answers.value(position)?,
        };
        if !self.answers.game.is_acyclic() {
            // Moves that keep a win need not bring it nearer: where play comes back, the line is not known.
            if self.visited.contains(position) {
                return Ok(Next::Unknown);
            }
            self.visited.push(position.clone());
        }
        let Some(play) = self.answers.one_best(self.game, position, value)? else { return Ok(Next::Over) };
        let (_, gain, same) = self.answers.after(position, &play)?;
        let left = value.checked_sub(gain).ok_or(SolveError::Overflow)?;
        self.next = Some((play.option(position), if same { left } else { -left }));
        Ok(Next::Move { play, far: false })
    }
}
