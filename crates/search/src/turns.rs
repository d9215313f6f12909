//! Two searches of one position that take turns.
//!
//! Which search is better for a game is not known beforehand: a [`race`](mod@crate::race) of short trials can be wrong by any
//! factor (on a board of 5 × 5 with lines of four, proof-number search is better in positions of random play and hopeless
//! from the start). So the one that won the race goes first, and the other gets a turn whenever the work has doubled: a half of
//! the same work. Then a wrong choice costs a few times what the right one takes, and a right one costs half as much again at the
//! most. When the work is large and the other is not done, it is left.
//!
//! Each search keeps its table between its turns, so that little is done twice.

use engine::Error;
use engine::monitor::Monitor;

use crate::race::DEARER;
use crate::solver::{Solver, Way};

/// What turns may look at, in positions of alpha-beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// The first turn.
    pub first: u64,
    /// When a turn would be longer than this, the other search is left.
    pub last: u64,
}

/// What turns may look at in general: a second, and half a minute.
pub const LENGTHS: Lengths = Lengths { first: 1 << 20, last: 1 << 24 };
/// A first turn has at least so many positions.
const SHORTEST: u64 = 1 << 14;

impl Lengths {
    /// Turns after a race whose trial of the start had so many positions: they go on from there, up to what turns have in general.
    pub fn after(trial: u64) -> Lengths {
        Lengths { first: (2 * trial).clamp(SHORTEST, LENGTHS.first), ..LENGTHS }
    }
}

/// Who was done first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// The search that went first; with the value.
    First(i64),
    /// The other one, after so many positions of its own.
    Other(u64),
}

/// A search and which one it is.
pub type Runner<'a, 'g> = (Way, &'a mut (dyn Solver + 'g));

/// The value of a position by the first of two searches, unless the other is done before.
pub fn value(
    (way, solver): Runner<'_, '_>,
    (other_way, other): Runner<'_, '_>,
    key: &[u64],
    lengths: Lengths,
    monitor: &mut Monitor,
) -> Result<Done, Error> {
    let mut turn = lengths.first;
    while turn <= lengths.last {
        if let Some(value) = take_turn(way, solver, turn, key, monitor)? {
            return Ok(Done::First(value));
        }
        if take_turn(other_way, other, turn / 2, key, monitor)?.is_some() {
            return Ok(Done::Other(other.nodes()));
        }
        turn *= 2;
    }
    solver.value(key, monitor).map(Done::First)
}

/// The value of a position, if a search finds it with so much work more.
fn take_turn(
    way: Way,
    solver: &mut (dyn Solver + '_),
    work: u64,
    key: &[u64],
    monitor: &mut Monitor,
) -> Result<Option<i64>, Error> {
    let positions = match way {
        Way::AlphaBeta => work,
        Way::ProofNumber => work / DEARER,
    };
    let end = solver.nodes() + positions;
    solver.limit(Some(positions));
    let found = solver.value(key, monitor);
    solver.limit(None);
    match found {
        Ok(value) => Ok(Some(value)),
        // Whoever asks may have given up before that.
        Err(Error::Dear { .. }) if solver.nodes() >= end => Ok(None),
        Err(error) => Err(error),
    }
}
