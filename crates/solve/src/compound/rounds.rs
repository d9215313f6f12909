//! All positions of a small sum in which positions repeat, with the number of moves to the end.
//!
//! Values tell who wins, but not how a win is brought nearer: best moves could go round for ever. So the sum is solved
//! backward from its ends as well, where it has few positions. Both ways must agree on who wins.

use engine::monitor::Monitor;
use game::{Outcome, Player};
use rules::play::Play;
use rustc_hash::FxHashMap;

use super::SumError;
use super::{Compound, SumPosition};
use crate::error::SolveError;

/// Sums with more positions are not looked at in this way.
pub(super) const MOST_ROUNDS: usize = 20_000;

/// Nor are sums with more moves in all their positions.
const MOST_MOVES: usize = 500_000;

/// The positions of a sum that play reaches from its start.
pub(super) struct Rounds {
    numbers: FxHashMap<SumPosition, u32>,
    options: Vec<Vec<u32>>,
    /// Whether the mover wins, and in how many moves; none where play need not end.
    results: Vec<Option<(bool, u32)>>,
    /// Who wins play without end, if anybody does.
    forever: Option<Player>,
}

impl Rounds {
    /// Looks at all positions; none if they are too many.
    pub fn new(compound: &Compound<'_>, monitor: &mut Monitor) -> Result<Option<Rounds>, SumError> {
        let blame = |error: SolveError| SumError { summand: 0, error };
        let mut lease = monitor.memory().lease();
        let start = compound.start();
        let mut numbers = FxHashMap::from_iter([(start.clone(), 0u32)]);
        let mut nodes = vec![start];
        let mut options: Vec<Vec<u32>> = Vec::new();
        let mut moves = 0;
        while options.len() < nodes.len() {
            monitor.tick(nodes.len() as u64, options.len() as u64).map_err(|error| blame(error.into()))?;
            let here = nodes[options.len()].clone();
            let mut list = Vec::new();
            let (plays, more) = compound.first_plays(&here, MOST_ROUNDS)?;
            moves += plays.len();
            if more || moves > MOST_MOVES {
                return Ok(None);
            }
            for mv in plays {
                let after = here.after(&mv);
                let next = nodes.len() as u32;
                let number = *numbers.entry(after.clone()).or_insert(next);
                if number == next {
                    let words: usize =
                        after.summands.iter().flat_map(|summand| &summand.parts).map(|part| part.len()).sum();
                    lease.grow(2 * (128 + 8 * words as u64)).map_err(|error| blame(error.into()))?;
                    nodes.push(after);
                }
                list.push(number);
            }
            options.push(list);
            if nodes.len() > MOST_ROUNDS {
                return Ok(None);
            }
        }
        let results = backward(&options);
        let forever = compound.summands().iter().find_map(|summand| summand.bound.forever);
        Ok(Some(Rounds { numbers, options, results, forever }))
    }

    /// Won, lost or drawn by the player to move.
    pub fn outcome(&self, position: &SumPosition) -> Option<Outcome> {
        let number = *self.numbers.get(position)?;
        Some(match (self.results[number as usize], self.forever) {
            (Some((true, _)), _) => Outcome::Win,
            (Some((false, _)), _) => Outcome::Loss,
            (None, None) => Outcome::Draw,
            (None, Some(player)) if player == position.turn => Outcome::Win,
            (None, Some(_)) => Outcome::Loss,
        })
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.options.len() as u64
    }

    /// How many moves are left where somebody wins; none where play need not end.
    pub fn remoteness(&self, position: &SumPosition) -> Option<u32> {
        let number = *self.numbers.get(position)?;
        self.results[number as usize].map(|(_, moves)| moves)
    }

    /// Whether play from a position need not end.
    pub fn is_endless(&self, position: &SumPosition) -> bool {
        self.numbers.get(position).is_some_and(|&number| self.results[number as usize].is_none())
    }

    /// The move that perfect play makes: winners hurry, losers linger, and nobody ends play that need not end. None where nobody
    /// can move, or the position is not known.
    pub fn choice(&self, compound: &Compound<'_>, position: &SumPosition) -> Result<Option<Play>, SumError> {
        let Some(&number) = self.numbers.get(position) else { return Ok(None) };
        let wanted = self.results[number as usize].map(|(won, moves)| (!won, moves.wrapping_sub(1)));
        let options = &self.options[number as usize];
        let Some(at) = options.iter().position(|&option| self.results[option as usize] == wanted) else {
            return Ok(None);
        };
        Ok(compound.plays(position)?.into_iter().nth(at))
    }
}

/// Who wins, and in how many moves, from positions without moves backward.
fn backward(options: &[Vec<u32>]) -> Vec<Option<(bool, u32)>> {
    let mut before = vec![Vec::new(); options.len()];
    for (position, list) in options.iter().enumerate() {
        list.iter().for_each(|&option| before[option as usize].push(position));
    }
    let mut open: Vec<usize> = options.iter().map(Vec::len).collect();
    let mut results = vec![None; options.len()];
    let mut order: Vec<usize> = (0..options.len()).filter(|&position| open[position] == 0).collect();
    order.iter().for_each(|&position| results[position] = Some((false, 0)));
    // Those of fewer moves come first, so that wins are found by their shortest way and losses by their longest.
    let mut at = 0;
    while at < order.len() {
        let Some((won, moves)) = results[order[at]] else { break };
        for &previous in &before[order[at]] {
            open[previous] -= 1;
            if results[previous].is_none() && (!won || open[previous] == 0) {
                results[previous] = Some((!won, moves + 1));
                order.push(previous);
            }
        }
        at += 1;
    }
    results
}
