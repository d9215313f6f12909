//! Statistics over all positions that play can reach: what designers and researchers ask of a game as a whole.
//!
//! ```text
//! bound game ──solve──▶ answers ──┐
//!      └──────walk, option by option──┴─▶ verdict, moves, best moves of each position ──▶ counts
//! ```
//!
//! The game is solved first, by a method that has a value for every position. Then the positions are walked from the
//! start, with compiled options where there are some, and each is looked up: a table may hold positions that play never
//! reaches, and these do not count. A position is what the graph of the game says: with the turn where the rules read it,
//! and in a sum without the order of the parts.
//!
//! Where the parts of a sum have nimbers, the parts are counted, each as if it stood alone: the positions of the sum are
//! made of them, and mostly are too many to walk. [`sample`] looks at many instances instead, and
//! [`family_values`] at a [`family`] of positions, whether play can reach them or not.

pub mod family;
pub mod family_values;
mod loops;
mod parts;
pub mod sample;
mod tally;
mod values;
mod walk;

use std::collections::BTreeMap;

use engine::monitor::Monitor;
use game::Verdict;
use rules::bind::{Bound, Position};

use crate::answer::solution::Understood;
use crate::error::SolveError;
use crate::methods::{self, Ability};
use crate::options::{MethodName, Options};
use crate::solved::Solved;
use crate::stopping::scope;
use crate::whole;

pub use tally::{Bin, Histogram, Sides, lengths};
pub use values::ValueCounts;

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Positions that can be reached from the start.
    Positions,
    /// Parts of a sum that can come up, each by itself.
    Parts,
}

/// Statistics of one instance. Fields that do not apply are absent.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The game's name.
    pub game: String,
    /// The instance as understood.
    pub instance: Understood,
    /// What was counted.
    pub counted: Counted,
    /// Whether positions that differ in whose turn it is count as two.
    pub with_turn: bool,
    /// How many there are.
    pub positions: u64,
    /// In how many of them play is over.
    pub over: u64,
    /// How they come out for the player to move; scores by what is still to be gained. Absent where there are payoffs.
    pub outcomes: Option<Sides>,
    /// Those of them in which best play never ends.
    pub endless: Option<Sides>,
    /// How they come out, by the moves that are left; absent where lengths are not known.
    pub remoteness: Option<BTreeMap<u32, Sides>>,
    /// By the number of legal moves.
    pub moves: Histogram,
    /// By the number of moves that keep the result.
    pub best_moves: Histogram,
    /// By what the player to move gets from there on, minus what the other gets.
    pub scores: Option<Histogram>,
    /// By nimber.
    pub nimbers: Option<Histogram>,
    /// By infinite loopy nimber, where there are some.
    pub loopy: BTreeMap<String, u64>,
    /// By what each player gets from there on.
    pub payoffs: Option<BTreeMap<Box<[i64]>, u64>>,
    /// By who gets most from there on, or wins; `None` stands for no single player.
    pub winners: Option<BTreeMap<Option<u8>, u64>>,
    /// The values of the positions, where moves belong to players and this is feasible.
    pub values: Option<ValueCounts>,
    /// A win that takes as long as any, where lengths are known and something is won.
    pub longest_win: Option<Longest>,
    /// What the start is worth, for the sum of several games.
    pub start: Option<Verdict>,
    /// How the game was solved.
    pub method: MethodName,
    /// What it took, in seconds.
    pub seconds: f64,
    /// Bytes at the peak.
    pub bytes: u64,
}

/// A long win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Longest {
    /// In how many moves.
    pub moves: u32,
    /// From which position.
    pub position: Position,
}

impl Survey {
    /// Nothing counted yet.
    fn new(solved: &Solved<'_>, counted: Counted) -> Survey {
        Survey {
            game: solved.bound.program.name.clone(),
            instance: Understood::new(solved.bound),
            counted,
            with_turn: solved.plan.facts().with_turn && counted == Counted::Positions,
            positions: 0,
            over: 0,
            outcomes: None,
            endless: None,
            remoteness: None,
            moves: Histogram::default(),
            best_moves: Histogram::default(),
            scores: None,
            nimbers: None,
            loopy: BTreeMap::new(),
            payoffs: None,
            winners: None,
            values: None,
            longest_win: None,
            start: solved.verdict(&solved.start),
            method: solved.plan.method(),
            seconds: 0.0,
            bytes: 0,
        }
    }

    /// Counts how a position comes out. Where lengths are known and there is none, best play never ends.
    fn come_out(&mut self, verdict: &Verdict, lengths: bool) {
        let Some(outcome) = verdict.outcome() else { return };
        self.outcomes.get_or_insert_default().add(outcome);
        let endless = match verdict {
            Verdict::Outcome { remoteness, .. } => lengths && remoteness.is_none(),
            verdict => verdict.infinite().is_some() && outcome == game::Outcome::Draw,
        };
        if endless {
            self.endless.get_or_insert_default().add(outcome);
        }
        if let (true, Some(moves)) = (lengths, verdict.remoteness()) {
            self.remoteness.get_or_insert_default().entry(moves).or_default().add(outcome);
        }
    }
}

/// Surveys an instance from its start: solves it, walks all positions and counts.
pub fn survey(bound: &Bound, options: &Options, monitor: &mut Monitor) -> Result<Survey, SolveError> {
    let solved = whole::solve(bound, options, monitor)?;
    of_solved(&solved, options, monitor)
}

/// Walks all positions of a solved game and counts. The options are those it was solved with.
pub fn of_solved(solved: &Solved<'_>, options: &Options, monitor: &mut Monitor) -> Result<Survey, SolveError> {
    let _scope = scope(monitor);
    let by_nimbers = matches!(solved.verdict(&solved.start), Some(Verdict::Nimber(_) | Verdict::Loopy(_)));
    let mut survey = match solved.bound.program.sum.is_some() && by_nimbers {
        true => parts::survey(solved, monitor)?,
        false => walk::survey(solved, options, monitor)?,
    };
    survey.seconds = monitor.elapsed().as_secs_f64();
    survey.bytes = monitor.memory().peak();
    Ok(survey)
}

/// The error for a position that has no value though play can reach it.
fn missing(solved: &Solved<'_>, position: &Position) -> SolveError {
    let method = solved.plan.method();
    match methods::can(method, Ability::EveryPart) {
        true => crate::answers::unknown(solved.bound, position),
        false => SolveError::NotApplicable(format!(
            "the method `{method}` has no value for every position, which a survey needs; where no method is asked for, one that has them is taken"
        )),
    }
}
