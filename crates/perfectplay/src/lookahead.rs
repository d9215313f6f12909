//! Moves for games that are too large to solve: found by looking a few moves ahead. Nothing here is proved.
//!
//! ```
//! use perfectplay::{language::Rules, lookahead::{Ahead, look_ahead}};
//! use std::time::Duration;
//!
//! let game = Rules::gallery("tic_tac_toe").unwrap().bind("{}")?;
//! let position = perfectplay::moves::after(&game, "place(0), place(4), place(1)")?.unwrap();
//! let ahead: Ahead = look_ahead(&game, &position, Duration::from_secs(1))?.unwrap();
//! assert_eq!(ahead.play.label, "place(2)"); // The only move that does not lose at once.
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! Between two players every line of play is followed so many moves deep, and what it brings is what was gained on it, a win or a
//! loss, and what the `estimate` of the rules says at its end. The depth grows while there is time. With more players, only the
//! own gain of the next move counts.

use std::time::{Duration, Instant};

use game::{End, Outcome, Player};
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;
use rules::play::{Play, end, first_plays};
use solve::error::SolveError;

/// Looking further is left out, since each move more takes several times as long.
const DEEPEST: usize = 20;
/// Moves beyond these are not looked at.
const MOST_MOVES: usize = 500;
/// Worth more than anything that is gained.
const WIN: i64 = 1 << 60;

/// A move that looked best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// The move.
    pub play: Play,
    /// How many moves deep everything was looked at, this one included.
    pub depth: usize,
}

/// The move that looks best to who looks ahead for so long; `None` where the game is over.
pub fn look_ahead(bound: &Bound, position: &Position, time: Duration) -> Result<Option<Ahead>, SolveError> {
    let (plays, _) = first_plays(bound, position, MOST_MOVES)?;
    let Some(first) = plays.first() else { return Ok(None) };
    let mut best = Ahead { play: first.clone(), depth: 0 };
    if bound.players > 2 {
        let own = |play: &&Play| play.gains.get(position.turn.index()).copied().unwrap_or(0);
        // Of equal moves the first.
        if let Some(play) = plays.iter().rev().max_by_key(own) {
            best = Ahead { play: play.clone(), depth: 1 };
        }
        return Ok(Some(best));
    }
    let mut look = Look { bound, deadline: Instant::now() + time };
    for depth in 1..=DEEPEST {
        let Some((index, value)) = look.root(position, &plays, depth)? else { break };
        best = Ahead { play: plays[index].clone(), depth };
        if value.abs() > WIN / 2 {
            break;
        }
    }
    Ok(Some(best))
}

/// A look in progress.
struct Look<'b> {
    bound: &'b Bound,
    deadline: Instant,
}

impl Look<'_> {
    /// The best of these moves and its value; `None` if there was no time.
    fn root(&mut self, position: &Position, plays: &[Play], depth: usize) -> Result<Option<(usize, i64)>, SolveError> {
        let mut best: Option<(usize, i64)> = None;
        for (index, play) in plays.iter().enumerate() {
            let alpha = best.map_or(-i64::MAX, |(_, value)| value);
            let Some(value) = self.after(position, play, depth, alpha, i64::MAX)? else { return Ok(None) };
            if best.is_none_or(|(_, known)| value > known) {
                best = Some((index, value));
            }
        }
        Ok(best)
    }

    /// What a move is worth to the player who makes it.
    fn after(
        &mut self,
        position: &Position,
        play: &Play,
        depth: usize,
        alpha: i64,
        beta: i64,
    ) -> Result<Option<i64>, SolveError> {
        let mover = position.turn;
        let gain = net(&play.gains, mover);
        let option = play.option(position);
        let (low, high) = (alpha.saturating_sub(gain), beta.saturating_sub(gain));
        let value = match option.turn == mover {
            true => self.value(&option, depth - 1, low, high)?,
            false => {
                self.value(&option, depth - 1, high.saturating_neg(), low.saturating_neg())?.map(i64::saturating_neg)
            }
        };
        // A win that is near is better, a loss that is far.
        Ok(value.map(|value| gain.saturating_add(value - value.signum() * i64::from(value.abs() > WIN / 2))))
    }

    /// What a position is worth to the player to move; `None` if there was no time.
    fn value(
        &mut self,
        position: &Position,
        depth: usize,
        mut alpha: i64,
        beta: i64,
    ) -> Result<Option<i64>, SolveError> {
        if Instant::now() > self.deadline {
            return Ok(None);
        }
        if let Some(end) = end(self.bound, position)? {
            return Ok(Some(match end {
                End::Outcome(Outcome::Win) => WIN,
                End::Outcome(Outcome::Loss) => -WIN,
                End::Outcome(Outcome::Draw) => 0,
                End::Gains(gains) => net(&gains, position.turn),
            }));
        }
        if depth == 0 {
            return Ok(Some(self.estimate(position)?));
        }
        let (plays, _) = first_plays(self.bound, position, MOST_MOVES)?;
        let mut best = -i64::MAX;
        for play in &plays {
            let Some(value) = self.after(position, play, depth, alpha, beta)? else { return Ok(None) };
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Ok(Some(best))
    }

    fn estimate(&self, position: &Position) -> Result<i64, SolveError> {
        let [part] = &position.parts[..] else { return Ok(0) };
        let guess = Interpreter::new(self.bound).estimate(part, position.turn)?;
        Ok(guess.unwrap_or(0).clamp(-WIN / 4, WIN / 4))
    }
}

/// What a player gains more than the other.
fn net(gains: &[i64], player: Player) -> i64 {
    let gain = |player: Player| gains.get(player.index()).copied().unwrap_or(0).clamp(-WIN / 4, WIN / 4);
    gain(player) - gain(player.other())
}
