//! From a solved game to the answer: who wins, by how much, every best first move, one line of best play.
//!
//! [`mod@solution`] holds the types; [`mod@line`] goes along lines of best play, keeps one and replays it from the rules alone;
//! [`listed`] lists rated moves; [`mod@check`] has positions valued again; `ahead` stops
//! early, with bounds. Where moves belong to players, [`mod@canonical_value`] finds values, [`value_in_arena`] puts them into an arena
//! of the caller, [`repeating`] finds loopy ones, and [`mod@judged`] judges moves by them.

mod ahead;
pub mod canonical_value;
pub mod check;
pub mod game_forms;
pub mod judged;
pub mod line;
pub mod listed;
pub mod repeating;
pub mod solution;
pub mod value_in_arena;

use engine::monitor::Monitor;
use game::{Outcome, Verdict};
use rules::bind::Bound;

use crate::case::Kind;
use crate::error::SolveError;
use crate::methods;
use crate::options::Options;
use crate::solved::{Solved, solve_and};
use crate::stopping::{clocked, watched};
use check::check;
use line::Line;
use solution::{AnswerKind, Solution, Understood, Winner};

pub use crate::answers::MOST_MOVES;

/// Solves a game from its start and puts the answer together.
pub fn answer(bound: &Bound, options: &Options, monitor: &mut Monitor) -> Result<Solution, SolveError> {
    match options.depth {
        Some(moves) => ahead::answer(bound, options, moves, monitor),
        None => answered(bound, options, monitor).map(|(_, solution)| solution),
    }
}

/// Solves a game from its start and puts the answer together. The solved game can be asked for more.
pub fn answered<'b>(
    bound: &'b Bound,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<(Solved<'b>, Solution), SolveError> {
    let found = solve_and(&methods::ALL, bound, &bound.start, options, monitor, solution);
    let checked = found.and_then(|(solved, mut solution)| {
        if let Some(amount) = options.check {
            solution.checked = Some(check(&solved, amount, monitor)?.positions);
        }
        Ok((solved, solution))
    });
    checked.map_err(|error| ahead::with_bounds(error, bound, monitor))
}

/// The answer of a solved game, with its line replayed.
pub fn solution(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Solution, SolveError> {
    watched(monitor, |monitor| with_moves(solved, monitor)).map_err(|error| clocked(error, monitor))
}

fn with_moves(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Solution, SolveError> {
    let mut solution = with_value(solved, monitor)?;
    let moves = solved.answers.best(solved.bound, &solved.start, MOST_MOVES)?;
    solution.best_moves = Some(moves.best);
    solution.best_moves_cut = moves.cut;
    solution.fast_moves = Some(moves.fast).filter(|_| solution.remoteness.is_some());
    let line = Line::of(solved, monitor)?;
    line.replay(solved)?;
    if solution.kind == AnswerKind::Score {
        solution.scores = Some(line.totals.clone()).filter(|totals| !totals.is_empty());
    }
    solution.line_cut = line.cut;
    solution.line = Some(line.moves);
    solution.set_cost(solution.positions, monitor);
    Ok(solution)
}

/// The answer of a solved game without its moves, but with its value where moves belong to players.
pub fn with_value(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Solution, SolveError> {
    let mut solution = verdict(solved, monitor)?;
    if solved.plan.facts().partizan {
        solution.take_value(canonical_value::found_value(solved, &solved.start, monitor)?);
    }
    Ok(solution)
}

/// The answer of a solved game without its moves: cheap, where only the result is wanted.
pub fn verdict(solved: &Solved<'_>, monitor: &Monitor) -> Result<Solution, SolveError> {
    let verdict = solved.verdict(&solved.start);
    let verdict = verdict.ok_or_else(|| SolveError::internal("the start has no value"))?;
    let bound = solved.bound;
    let name = bound.program.name.clone();
    let mut solution = Solution::blank(name, Understood::new(bound), solved.start.turn, solved.plan.method());
    fill_verdict(&mut solution, solved, &verdict)?;
    solution.set_cost(solved.positions(), monitor);
    solution.unit = solved.plan.unit();
    solution.proof = solved.answers.proof(&solved.start);
    Ok(solution)
}

fn fill_verdict(solution: &mut Solution, solved: &Solved<'_>, verdict: &Verdict) -> Result<(), SolveError> {
    let starter = solved.start.turn;
    let kind = solved.plan.facts().kind;
    match verdict {
        Verdict::Outcome { .. } | Verdict::Nimber(_) | Verdict::Loopy(_) => {
            solution.set_outcome(verdict.outcome().unwrap_or(Outcome::Draw));
            solution.remoteness = solved.answers.remoteness(&solved.start);
            solution.nimber = verdict.nimber();
            solution.loopy = verdict.infinite().cloned();
            solution.outcome_class = solved.report.class;
            solution.outcome_class_missing = solved.report.class_missing.clone();
            if solution.nimber.is_some() {
                solution.kind = AnswerKind::Nimber;
            } else if solution.outcome_class.is_some() {
                solution.kind = AnswerKind::Partizan;
            }
        }
        Verdict::Score(value) => solution.set_score(*value),
        // Maximising one's own total and the difference are the same game here.
        Verdict::Payoffs { totals, .. }
            if kind == Kind::Payoffs && solved.bound.players == 2 && solved.total_is_constant() =>
        {
            let value = totals[starter.index()].checked_sub(totals[starter.other().index()]);
            solution.set_score(value.ok_or(SolveError::Overflow)?);
        }
        Verdict::Payoffs { totals, unique } if kind == Kind::Winners => {
            solution.winner = match totals.iter().filter(|&&total| total > 0).count() {
                0 => Some(Winner::Draw),
                1 => Winner::by_totals(totals),
                _ => None,
            };
            // Where several win, no winner can be named, and everyone's result is told.
            solution.payoffs = solution.winner.is_none().then(|| totals.to_vec());
            solution.outcome = Some(Outcome::of_sign(totals[starter.index()]));
            solution.unique = *unique;
        }
        Verdict::Payoffs { totals, unique } => {
            solution.kind = AnswerKind::Payoffs;
            solution.winner = Winner::by_totals(totals);
            solution.payoffs = Some(totals.to_vec());
            solution.unique = *unique;
        }
    }
    Ok(())
}
