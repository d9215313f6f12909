//! Strategies: one move for each position of one player that can come up, while the other may make any move.
//!
//! # Why that proves something
//!
//! The positions of the argument are the start, the option of the named move in each position of the strategy's player, and all
//! options in each of the other's; so they are closed under play against the strategy. Every end among them is worth the goal to
//! the player.
//!
//! * If no position comes back (`walk::deep` sees to it), each play against the strategy ends, and at such an end. In a
//!   counted game the lead of the player at a position is worked out from the ends: what the named move gains and what follows
//!   it, or the least over all moves of the other. By induction the strategy gains at least so much.
//! * Where endless play is worth the goal to the player by the rules, positions may come back (`walk::wide`): a play that never
//!   ends is as good as one that ends.

use game::{End, Outcome, Player};
use rules::bind::{Bound, Position};

use crate::entries::Entries;
use crate::places::{Order, Places};
use crate::proved::{Proved, is_own};
use crate::refusal::Refusal;
use crate::walk::{self, Judge, Step};

/// What a strategy is to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A draw, or better.
    Draw,
    /// A win.
    Win,
    /// As much more than the other as it turns out.
    Lead,
}

/// The goals as numbers.
pub const GOALS: [Goal; 3] = [Goal::Draw, Goal::Win, Goal::Lead];

/// A strategy, whose moves are the entries of its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Whose it is.
    pub player: Player,
    /// What it reaches.
    pub goal: Goal,
    /// Whether positions of a sum that differ in the order of their parts count as one.
    pub order: Order,
}

/// Checks the strategy of a player from a position on. Gives what it proves, and how many positions there were.
pub fn check(
    bound: &Bound,
    start: &Position,
    Strategy { player, goal, order }: Strategy,
    entries: &mut dyn Entries,
) -> Result<(Proved, u64), Refusal> {
    let counted = bound.program.counted;
    if bound.players != 2 || is_own(bound) || counted != (goal == Goal::Lead) {
        return Err(Refusal::wrong("such a strategy proves nothing in this kind of game"));
    }
    let mut places = Places::new(bound, order);
    let first = places.enter(start)?;
    let turn = start.turn;
    if goal == Goal::Lead {
        let (least, count) = walk::deep(&mut places, first, &mut Lead { player }, entries)?;
        return Ok((Proved::Lead { player, least }, count));
    }
    let outcome = if goal == Goal::Win { Outcome::Win } else { Outcome::Draw };
    let endless = match bound.forever {
        None => Outcome::Draw,
        Some(winner) if winner == player => Outcome::Win,
        Some(_) => Outcome::Loss,
    };
    let mut judge = Reach { player, outcome };
    if endless >= outcome {
        let over = &mut |end: &End, mover: Player| judge.over(end, mover).map(drop);
        let count = walk::wide(&mut places, Some(player), entries, over)?;
        return Ok((Proved::AtLeast { turn, player, outcome, within: None }, count));
    }
    let (moves, count) = walk::deep(&mut places, first, &mut judge, entries)?;
    Ok((Proved::AtLeast { turn, player, outcome, within: Some(moves) }, count))
}

/// Ends that are at least as good for a player as this.
struct Reach {
    player: Player,
    outcome: Outcome,
}

/// The value is the number of moves until the end, at the most.
impl Judge for Reach {
    type Value = u64;

    fn chooses(&self, mover: Player) -> bool {
        mover == self.player
    }

    fn over(&mut self, end: &End, mover: Player) -> Result<u64, Refusal> {
        let End::Outcome(outcome) = end else { return Err(Refusal::wrong("the end has a score")) };
        let own = if mover == self.player { *outcome } else { -*outcome };
        if own >= self.outcome {
            return Ok(0);
        }
        let what = if own == Outcome::Draw { "is drawn" } else { "is lost" };
        Err(Refusal::wrong(format!("the game {what} here for the player whose strategy it is")))
    }

    fn settle(&mut self, _: Player, options: &[Step<'_, u64>]) -> Result<u64, Refusal> {
        Ok(options.iter().map(|step| *step.value).max().unwrap_or(0) + 1)
    }
}

/// How much more a player gets than the other.
struct Lead {
    player: Player,
}

impl Lead {
    fn of(&self, gains: &[i64]) -> i128 {
        let gain = |player: Player| gains.get(player.index()).map_or(0, |gain| i128::from(*gain));
        gain(self.player) - gain(self.player.other())
    }
}

impl Judge for Lead {
    type Value = i128;

    fn chooses(&self, mover: Player) -> bool {
        mover == self.player
    }

    fn over(&mut self, end: &End, _: Player) -> Result<i128, Refusal> {
        match end {
            End::Gains(gains) => Ok(self.of(gains)),
            End::Outcome(_) => Err(Refusal::wrong("the end has no score")),
        }
    }

    fn settle(&mut self, _: Player, options: &[Step<'_, i128>]) -> Result<i128, Refusal> {
        let mut least: Option<i128> = None;
        for step in options {
            let lead = step.value.checked_add(self.of(step.gains));
            let lead = lead.ok_or_else(|| Refusal::wrong("overflow: the total of the gains is too large"))?;
            least = Some(least.map_or(lead, |least| least.min(lead)));
        }
        least.ok_or_else(|| Refusal::wrong("there is no move"))
    }
}
