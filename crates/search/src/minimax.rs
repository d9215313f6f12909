//! How many positions simpler searches look at, to show what cuts and tables are good for.

use engine::Error;
use engine::memory::Memory;
use engine::monitor::Monitor;

use crate::alpha_beta::Search;
use crate::game::{Bounds, INFINITE, MOST_WORDS, Shared};
use crate::table::{LOOK, SMALL, Table};
use crate::word::TAG;

/// How many positions were looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many, and then the value was found.
    Exactly(u64),
    /// More than these: it was stopped, by the number of positions or by the monitor's patience.
    MoreThan(u64),
}

/// What a search makes use of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uses {
    /// Whether options that cannot change the value are left out.
    pub cuts: bool,
    /// Whether positions are looked up in a table.
    pub table: bool,
}

/// Counts the positions that a search looks at from a position on, `most` at the most.
pub fn count(game: &Shared<'_>, key: &[u64], uses: Uses, most: u64, monitor: &mut Monitor) -> Result<Count, Error> {
    match game.words() {
        0..=1 => sized::<1>(game, key, uses, most, monitor),
        2 => sized::<2>(game, key, uses, most, monitor),
        3..=4 => sized::<4>(game, key, uses, most, monitor),
        5..=8 => sized::<8>(game, key, uses, most, monitor),
        _ => sized::<MOST_WORDS>(game, key, uses, most, monitor),
    }
}

fn sized<const W: usize>(
    game: &Shared<'_>,
    key: &[u64],
    uses: Uses,
    most: u64,
    monitor: &mut Monitor,
) -> Result<Count, Error> {
    let memory: Memory = monitor.memory().clone();
    let mut bytes = if uses.table { most.saturating_mul(64).min(memory.free() / 4).min(1 << 28) } else { 0 };
    let mut table = Table::<W>::new(bytes.min(SMALL), bytes, &memory)?;
    let mut search = Search::<W>::new(game, 0, &memory);
    (search.with_table, search.with_cuts) = (uses.table, uses.cuts);
    let Bounds { low, high } = game.bounds();
    let window = (low.max(1 - INFINITE) - 1, high.min(INFINITE - 1) + 1);
    let mut found = search.begin(key, window, None, &table)?;
    while found.is_none() && search.nodes < most {
        let gone_on = search.go_on(&table, &mut |nodes| {
            monitor.tick(nodes, 0)?;
            Ok(nodes >= most || (nodes % LOOK == 0 && table.is_full(bytes)))
        });
        found = match gone_on {
            Err(Error::Dear { positions }) => return Ok(Count::MoreThan(positions)),
            gone_on => gone_on?,
        };
        if found.is_none() && table.is_full(bytes) && !table.grow(bytes, TAG, &search.layout()) {
            bytes = table.bytes();
        }
    }
    Ok(match found {
        Some(_) => Count::Exactly(search.nodes),
        None => Count::MoreThan(most),
    })
}
