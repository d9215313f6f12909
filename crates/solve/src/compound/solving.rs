//! Solving a sum: by nimbers where all summands are impartial, else by canonical forms.

use engine::monitor::Monitor;
use rules::bind::Bound;

use super::error::SumError;
use super::forms::solve_forms;
use super::solved::{Game, SolvedSum, solve_summand, unfit};
use super::{Compound, Summand};
use crate::case::Facts;
use crate::error::SolveError;
use crate::options::Options;

/// Whether both players always have the same moves in a game.
fn is_impartial(bound: &Bound) -> bool {
    Facts::new(bound).is_ok_and(|facts| facts.impartial.holds)
}

/// Solves a sum. Every summand must be won by the last mover; what is asked in the options is asked of each.
pub fn solve_sum<'b>(
    summands: Vec<Summand<'b>>,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<SolvedSum<'b>, SumError> {
    for (summand, Summand { bound, .. }) in summands.iter().enumerate() {
        if let Some(why) = unfit(bound) {
            let title = format!("`{}` cannot be part of a sum of different games: {why}", bound.program.name);
            return Err(SumError { summand, error: SolveError::NotApplicable(title) });
        }
    }
    if !summands.iter().all(|summand| is_impartial(summand.bound)) {
        return solve_forms(summands, options, monitor);
    }
    let mut games: Vec<Game<'b>> = Vec::new();
    let mut which = Vec::new();
    for (summand, Summand { bound, .. }) in summands.iter().enumerate() {
        if let Some(known) = games.iter().position(|game| std::ptr::eq(game.bound(), *bound)) {
            which.push(known);
            continue;
        }
        which.push(games.len());
        let solved = solve_summand(bound, options, monitor).map_err(|error| SumError { summand, error })?;
        games.push(Game::Solved(Box::new(solved)));
    }
    Ok(SolvedSum { compound: Compound::new(summands), games, which, theory: None })
}
