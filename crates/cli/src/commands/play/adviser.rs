//! Who knows the best moves: the solution of what is played from some position on, found when it is first needed.

use std::time::Duration;

use perfectplay::moves::{ListedMoves, Play};
use perfectplay::solving::{Limits, Options, Question, SolveError, Solved, solve};
use perfectplay::sums::{SolvedSum, SumError, SumPosition};

use crate::args::LimitArgs;
use crate::board::{Board, of_one_game};
use crate::progress;

/// How long a person waits for a solution where no limit was given.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Adviser<'t> {
    board: &'t Board<'t>,
    limits: Limits,
    options: Options,
    quiet: bool,
    solved: Option<Known<'t>>,
    /// What a table file says. It has no value for positions that play cannot come to.
    table: Option<Known<'t>>,
    /// The last position that could not be solved.
    failed: Option<(SumPosition, SumError)>,
}

/// What is solved.
enum Known<'t> {
    Game(Box<Solved<'t>>),
    Sum(Box<SolvedSum<'t>>),
}

impl Known<'_> {
    fn knows(&self, position: &SumPosition) -> bool {
        match self {
            Known::Game(solved) => solved.verdict(&position.summands[0]).is_some(),
            Known::Sum(solved) => solved.knows(position),
        }
    }
}

impl<'t> Adviser<'t> {
    pub fn new(board: &'t Board<'t>, limits: &LimitArgs, quiet: bool) -> Adviser<'t> {
        // Moves are asked for again and again, for as long as people play: a search would have to prove each of them.
        let options = Options { question: Question::Strong, ..limits.options() };
        Adviser { board, limits: limits.limits(), options, quiet, solved: None, table: None, failed: None }
    }

    /// Takes the values of a table file.
    pub fn read(&mut self, solved: Solved<'t>) {
        self.table = Some(Known::Game(Box::new(solved)));
    }

    /// Solves the game from a position on, within the limits that were given.
    pub fn prepare(&mut self, position: &SumPosition) -> Result<(), SumError> {
        self.known(position, PATIENCE).map(|_| ())
    }

    /// Whether best moves may go round for ever, as far as it is solved.
    pub fn goes_round(&self) -> bool {
        matches!(&self.solved, Some(Known::Sum(solved)) if solved.goes_round())
    }

    /// The legal moves of a position, rated; the best ones, where there are too many.
    pub fn moves(&mut self, position: &SumPosition) -> Result<ListedMoves, SumError> {
        match self.known(position, PATIENCE)? {
            Known::Game(solved) => ListedMoves::of(solved, &position.summands[0]).map_err(of_one_game),
            Known::Sum(solved) => solved.listed(position),
        }
    }

    /// The move that perfect play makes.
    pub fn choice(&mut self, position: &SumPosition) -> Result<Option<Play>, SumError> {
        self.choice_within(position, PATIENCE)
    }

    /// The move that perfect play makes, if it is found in so much time. A limit that was given counts instead.
    pub fn choice_within(&mut self, position: &SumPosition, patience: Duration) -> Result<Option<Play>, SumError> {
        match self.known(position, patience)? {
            Known::Game(solved) => {
                let play = solved.choice(&position.summands[0]).map_err(of_one_game)?;
                Ok(play)
            }
            Known::Sum(solved) => solved.choice(position),
        }
    }

    /// The solution to which a position belongs.
    fn known(&mut self, position: &SumPosition, patience: Duration) -> Result<&Known<'t>, SumError> {
        if self.table.as_ref().is_some_and(|table| table.knows(position)) {
            let missing = || of_one_game(SolveError::Internal("a table was lost".to_string()));
            return self.table.as_ref().ok_or_else(missing);
        }
        if !self.solved.as_ref().is_some_and(|solved| solved.knows(position)) {
            if let Some((_, error)) = self.failed.as_ref().filter(|(failed, _)| failed == position) {
                return Err(error.clone());
            }
            let limits = Limits { time: Some(self.limits.time.map_or(patience, |time| time)), ..self.limits.clone() };
            self.solve(position, &limits)?;
        }
        match self.solved.as_ref().filter(|solved| solved.knows(position)) {
            Some(solved) => Ok(solved),
            None => Err(of_one_game(SolveError::Internal("the position that was solved has no value".to_string()))),
        }
    }

    fn solve(&mut self, position: &SumPosition, limits: &Limits) -> Result<(), SumError> {
        self.solved = None;
        let mut monitor = progress::monitor(limits, self.quiet);
        let solved = match self.board {
            Board::Game { bound, .. } => {
                let solved = solve(bound, &position.summands[0], &self.options, &mut monitor);
                solved.map(|solved| Known::Game(Box::new(solved))).map_err(of_one_game)
            }
            // From the start on, which leads to every position.
            Board::Sum { sum, .. } => sum.solve(&self.options, &mut monitor).map(|solved| Known::Sum(Box::new(solved))),
        };
        match solved {
            Ok(solved) => self.solved = Some(solved),
            Err(error) => {
                if error.error.is_limit() {
                    self.failed = Some((position.clone(), error.clone()));
                }
                return Err(error);
            }
        }
        Ok(())
    }
}
