//! What ties take in games of many players, as a trial shows: the positions near the end of one play are valued.
//!
//! A position keeps all the totals that equally good moves can lead to. How many these are hangs on how often moves are equally good,
//! which no count of positions tells: in one game each position has one, in another one hundreds. So the end of a play is followed back
//! until enough positions are valued. The sets grow on the way back to the start: how much is told by the two halves of these positions.

use engine::Error;
use engine::graph::{Expansion, Graph as _, Id};
use engine::induction::induction;
use engine::monitor::Monitor;
use engine::valuation::{Payoffs, Valuation};
use positions::oracle::{Keeps, Numbered as _};
use positions::state::StateGraph;
use rules::stop::Scope;

use crate::case::Case;
use crate::stopping::scope;

/// So many positions are valued, and no more than one in so many of all that there are.
const MOST: u64 = 4000;
const ONE_IN: u64 = 10;
/// Fewer tell nothing.
const FEWEST: u64 = 50;
/// What ties take grows with at most this power of the positions: different totals run out.
const MOST_GROWTH: f64 = 1.0 / 3.0;
/// The play has at most so many moves.
const LONGEST: usize = 2000;

/// Bytes that a position takes for totals which ties may bring about, where a trial tells: games of about so many positions that are no
/// sums.
pub(super) fn bytes(case: &Case<'_>, positions: u64, monitor: &Monitor) -> Option<f64> {
    let most = (positions / ONE_IN).min(MOST);
    if most < FEWEST || case.bound.program.sum.is_some() {
        return None;
    }
    let mut monitor = monitor.fork();
    let _scope: Scope = scope(&monitor);
    let memory = monitor.memory().clone();
    let mut graph = StateGraph::without_audit(case.bound, Keeps::Payoffs, case.facts.with_turn, &memory);
    let start = graph.number(&case.start).ok()?;
    let play = end_of_play(&mut graph, start, &mut monitor).ok()?;
    let mut trial = Trial { payoffs: Payoffs::new(case.bound.players, &memory), most, settled: 0, half: 0 };
    match induction(&mut graph, &play, &mut trial, &mut monitor) {
        // It ends when enough is valued, or the whole play.
        Ok(()) | Err(Error::Dear { .. }) => trial.ties(positions),
        Err(_) => None,
    }
}

/// The positions of one play, from the last one back to the start. Of the moves one after the other is taken: chance would make another
/// plan each time.
fn end_of_play(graph: &mut StateGraph<'_>, start: Id, monitor: &mut Monitor) -> Result<Vec<Id>, Error> {
    let mut play = vec![start];
    let mut expansion = Expansion::default();
    for at in 0..LONGEST {
        monitor.tick(at as u64, 0)?;
        expansion.clear();
        graph.expand(play[at], &mut expansion)?;
        let count = expansion.edges.len();
        if count == 0 {
            play.reverse();
            return Ok(play);
        }
        play.push(expansion.edges[at % count].to);
    }
    Err(Error::Dear { positions: LONGEST as u64 })
}

/// Values positions until these are enough.
struct Trial {
    payoffs: Payoffs,
    most: u64,
    settled: u64,
    /// Bytes for ties when half of the positions were valued.
    half: u64,
}

impl Trial {
    /// Bytes of a position for ties among so many positions, as far as the trial shows how these grow.
    fn ties(&self, positions: u64) -> Option<f64> {
        let (half, all) = (self.half as f64, self.payoffs.bytes_of_ties() as f64);
        if self.settled < self.most {
            return None;
        }
        if all == 0.0 {
            return Some(0.0);
        }
        let growth = if half > 0.0 { (all / half).log2() - 1.0 } else { MOST_GROWTH };
        let times = positions as f64 / self.settled as f64;
        Some(all / self.settled as f64 * times.powf(growth.clamp(0.0, MOST_GROWTH)))
    }
}

impl Valuation for Trial {
    fn settle(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error> {
        if self.settled == self.most {
            return Err(Error::Dear { positions: self.settled });
        }
        self.payoffs.settle(position, expansion)?;
        self.settled += 1;
        if self.settled == self.most / 2 {
            self.half = self.payoffs.bytes_of_ties();
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.payoffs.bytes()
    }
}
