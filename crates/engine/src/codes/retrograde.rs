//! Retrograde analysis of positions that are dense codes.
//!
//! The code of a position is its place in the table, so nothing need be numbered, and threads can find positions
//! together. The analysis itself is that of [`crate::retrograde`], which says what the values mean.

use std::ops::Range;
use std::sync::atomic::AtomicU32;

use game::Player;

use crate::codes::discovery::{Discovery, moves_to};
use crate::codes::kind::Reading;
use crate::codes::source::Codes;
use crate::codes::table::CodeTable;
use crate::error::Error;
use crate::monitor::Monitor;
use crate::retrograde::{Forever, analyse};

/// Who moves in the position of a code.
pub type Mover<'a> = &'a (dyn Fn(u64) -> Player + Sync);

/// Values the positions that can be reached, by outcome and remoteness; all codes are below `size`. [`Forever::Win`] needs to know who moves.
pub fn dense_retrograde(
    codes: &Codes,
    size: u64,
    forever: Forever,
    mover: Option<Mover>,
    monitor: &mut Monitor,
) -> Result<CodeTable, Error> {
    if size > 1 << 31 {
        let why = format!("{size} codes are too many for a table of all of them with their moves");
        return Err(Error::NotApplicable(why));
    }
    if matches!(forever, Forever::Win(_)) && mover.is_none() {
        return Err(Error::NotApplicable("codes do not say who wins play without end".into()));
    }
    monitor.enter("finding positions");
    let Discovery { positions, lease } = Discovery::new(codes, size, monitor)?;
    let (met, division) = (positions.count, positions.division);
    let mover = |code: u32| mover.map_or(Player::FIRST, |mover| mover(u64::from(code)));
    let mut moves_to = |cells: &Vec<AtomicU32>, buckets: Range<usize>, monitor: &mut Monitor| {
        moves_to(codes, (cells, met), division, buckets, monitor)
    };
    let cells = analyse(positions, &mut moves_to, forever, &mover, monitor).map_err(|error| error.after(met))?;
    let cells: Vec<u32> = cells.into_iter().map(AtomicU32::into_inner).collect();
    Ok(CodeTable::new(Box::new(cells), Reading::Outcome(32), met, vec![lease], codes.canonical.clone()))
}
