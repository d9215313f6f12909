//! Looks so many moves ahead: bounds that are proved, and a guess that is not.
//!
//! What lies beyond the horizon is taken to be the worst there is for the player to move at the root, and then the best: the
//! value lies between. A third search takes the guesses of the game. Depth after depth is searched, so that there is
//! something to tell whenever time is up.

use std::sync::Arc;

use engine::Error;
use engine::memory::Memory;
use engine::monitor::Monitor;

use crate::alpha_beta::{Horizon, Leaf, Search};
use crate::game::{Bounds, Expander, Game, INFINITE, MOST_WORDS, Options, Shared};
use crate::table::{LOOK, SMALL, Table};
use crate::word::TAG;

/// What is worth more than any guess.
const WON: i64 = 1 << 36;
/// Depths are told apart in the table up to this.
pub const DEEPEST: u32 = 500;

/// What was found so many moves ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// The value lies between these: proved.
    pub bounds: Bounds,
    /// What the value is guessed to be; of a game that is won and lost, a guess beyond the two is as sure as can be.
    pub estimate: Option<i64>,
    /// So many moves ahead.
    pub moves: u32,
    /// Positions that were looked at.
    pub nodes: u64,
}

/// Looks ahead move after move, to `moves` at the most. `found` is called after every depth.
pub fn look_ahead(
    game: &Shared<'_>,
    key: &[u64],
    moves: u32,
    bytes: u64,
    monitor: &mut Monitor,
    found: &mut dyn FnMut(&Ahead),
) -> Result<(), Error> {
    match game.words() {
        0..=1 => sized::<1>(game, key, moves, bytes, monitor, found),
        2 => sized::<2>(game, key, moves, bytes, monitor, found),
        3..=4 => sized::<4>(game, key, moves, bytes, monitor, found),
        5..=8 => sized::<8>(game, key, moves, bytes, monitor, found),
        _ => sized::<MOST_WORDS>(game, key, moves, bytes, monitor, found),
    }
}

fn sized<const W: usize>(
    game: &Shared<'_>,
    key: &[u64],
    moves: u32,
    bytes: u64,
    monitor: &mut Monitor,
    found: &mut dyn FnMut(&Ahead),
) -> Result<(), Error> {
    let memory = monitor.memory().clone();
    let guessed: Shared<'_> = Arc::new(Guessed(Arc::clone(game)));
    let mut proving = Depths::<W>::new(game, bytes / 2, &memory)?;
    let mut guessing = Depths::<W>::new(&guessed, bytes / 4, &memory)?;
    let mut bounds = game.bounds();
    for depth in 0..=moves.min(DEEPEST) {
        let low = proving.value(key, Horizon { moves: depth, leaf: Leaf::Least }, monitor)?;
        let high = proving.value(key, Horizon { moves: depth, leaf: Leaf::Most }, monitor)?;
        bounds = Bounds { low: bounds.low.max(low), high: bounds.high.min(high) };
        let guess = guessing.value(key, Horizon { moves: depth, leaf: Leaf::Estimate }, monitor)?;
        let is_outcome = game.bounds() == Bounds::OUTCOME;
        let estimate = if is_outcome && guess.abs() == WON { guess / WON } else { guess };
        let nodes = proving.search.nodes + guessing.search.nodes;
        found(&Ahead { bounds, estimate: Some(estimate), moves: depth, nodes });
        if bounds.value().is_some() {
            break;
        }
    }
    Ok(())
}

/// Searches of one game with horizons.
struct Depths<'g, const W: usize> {
    search: Search<'g, W>,
    table: Table<W>,
    /// The table has at most so many bytes.
    most: u64,
    bounds: Bounds,
}

impl<'g, const W: usize> Depths<'g, W> {
    fn new(game: &Shared<'g>, bytes: u64, memory: &Memory) -> Result<Depths<'g, W>, Error> {
        let (search, table) = (Search::new(game, 0, memory), Table::new(bytes.min(SMALL), bytes, memory)?);
        Ok(Depths { search, table, most: bytes, bounds: game.bounds() })
    }

    fn value(&mut self, key: &[u64], horizon: Horizon, monitor: &mut Monitor) -> Result<i64, Error> {
        let Bounds { low, high } = self.bounds;
        let window = (low.max(1 - INFINITE) - 1, high.min(INFINITE - 1) + 1);
        if let Some(value) = self.search.begin(key, window, Some(horizon), &self.table)? {
            return Ok(value);
        }
        loop {
            let Depths { search, table, most, .. } = self;
            let mut tick = |nodes: u64| {
                monitor.tick(nodes, 0)?;
                Ok(nodes.is_multiple_of(LOOK) && table.is_full(*most))
            };
            if let Some(value) = search.go_on(table, &mut tick)? {
                return Ok(value);
            }
            if !self.table.grow(self.most, TAG, &self.search.layout()) {
                self.most = self.table.bytes();
            }
        }
    }
}

/// A game whose guesses count: ends that are won or lost are worth more than any of them.
struct Guessed<'g>(Shared<'g>);

impl<'g> Game<'g> for Guessed<'g> {
    fn words(&self) -> usize {
        self.0.words()
    }
    fn is_acyclic(&self) -> bool {
        self.0.is_acyclic()
    }
    fn expander(self: Arc<Self>) -> Box<dyn Expander + 'g> {
        let is_outcome = self.0.bounds() == Bounds::OUTCOME;
        Box::new(GuessedOptions { inner: Arc::clone(&self.0).expander(), is_outcome })
    }
}

struct GuessedOptions<'g> {
    inner: Box<dyn Expander + 'g>,
    is_outcome: bool,
}

impl Expander for GuessedOptions<'_> {
    fn expand(&mut self, key: &[u64], options: &mut Options) -> Result<Option<i64>, Error> {
        let end = self.inner.expand(key, options)?;
        Ok(end.map(|value| if self.is_outcome { value * WON } else { value }))
    }
    fn fold(&mut self, key: &mut [u64]) {
        self.inner.fold(key);
    }
    fn estimate(&mut self, key: &[u64]) -> Result<i64, Error> {
        let guess = self.inner.estimate(key)?;
        Ok(if self.is_outcome { guess.clamp(1 - WON, WON - 1) } else { guess })
    }
}
