//! Draws that must be forced: where one player wins endless play, the other draws only by bringing the game to an end.
//!
//! The number of moves that answers give to a drawn position is that of the shortest way to a declared draw, which takes two.
//! A strategy needs a way that the other cannot turn round for ever. So the positions that can be reached are ranked here from the
//! ends on: a position of the player has a rank if one option has, a position of the other if all have.

use engine::monitor::Monitor;
use game::{End, Outcome, Player};
use rules::bind::{Bound, Position};
use verify::Refusal;
use verify::places::{Found, Order, Places};

use super::wrong;
use solve::error::SolveError;

/// More positions are not ranked.
const MOST_POSITIONS: usize = 2_000_000;

/// The ranks of positions from which a player can force an end that is not lost.
pub struct Forced<'b> {
    places: Places<'b>,
    ranks: Vec<Option<u32>>,
}

impl<'b> Forced<'b> {
    /// Ranks all positions that can be reached.
    pub fn new(
        bound: &'b Bound,
        start: &Position,
        player: Player,
        monitor: &mut Monitor,
    ) -> Result<Forced<'b>, SolveError> {
        let mut places = Places::new(bound, Order::Forgotten);
        places.enter(start).map_err(wrong)?;
        let mut lease = monitor.memory().lease();
        let (mut options, mut ends, mut own, mut ranks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut found = Found::default();
        while ranks.len() < places.len() {
            if places.len() > MOST_POSITIONS {
                let why = "where endless play is won, a draw has a certificate if at most two million positions can be reached";
                return Err(SolveError::NotApplicable(why.to_string()));
            }
            monitor.tick(places.len() as u64, ranks.len() as u64)?;
            places.expand(ranks.len() as u32, &mut found).map_err(wrong)?;
            lease.grow(32 + 4 * found.moves() as u64)?;
            let mover = found.position.as_ref().map_or(player, |position| position.turn);
            let good = |outcome: Outcome| if mover == player { outcome } else { -outcome } != Outcome::Loss;
            ranks.push(match &found.end {
                Some(End::Outcome(outcome)) if good(*outcome) => Some(0),
                _ => None,
            });
            own.push(mover == player);
            for mv in 0..found.moves() {
                options.push(places.follow(&found, mv).map_err(|why| wrong(Refusal::Stopped(why)))?);
            }
            ends.push(options.len());
        }
        let mut graph = Graph { options, ends, own };
        graph.settle(&mut ranks, monitor)?;
        Ok(Forced { places, ranks })
    }

    /// The rank of a position that can be reached, if it has one.
    pub fn rank(&mut self, position: &Position) -> Result<Option<u32>, Refusal> {
        let id = self.places.enter(position)?;
        Ok(self.ranks.get(id as usize).copied().flatten())
    }
}

struct Graph {
    options: Vec<u32>,
    /// Where the options of each position end.
    ends: Vec<usize>,
    /// Whether it is the player's turn.
    own: Vec<bool>,
}

impl Graph {
    /// Ranks positions until nothing changes, round by round: a rank is the round in which it was found.
    fn settle(&mut self, ranks: &mut [Option<u32>], monitor: &mut Monitor) -> Result<(), SolveError> {
        for round in 1.. {
            let mut changed = Vec::new();
            for (id, own) in self.own.iter().enumerate() {
                monitor.tick(ranks.len() as u64, id as u64)?;
                let start = if id == 0 { 0 } else { self.ends[id - 1] };
                let mut options = self.options[start..self.ends[id]].iter().map(|to| ranks[*to as usize].is_some());
                if ranks[id].is_none()
                    && start < self.ends[id]
                    && if *own { options.any(|is| is) } else { options.all(|is| is) }
                {
                    changed.push(id);
                }
            }
            if changed.is_empty() {
                break;
            }
            changed.into_iter().for_each(|id| ranks[id] = Some(round));
        }
        Ok(())
    }
}
