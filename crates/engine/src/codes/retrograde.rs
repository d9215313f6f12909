//! Retrograde analysis on dense codes: won, lost and drawn positions of games for two whose positions can repeat.
//!
//! The same as [`crate::retrograde`], which says what values mean, with the code in the place of a number given on
//! meeting. Ends are carried backwards level by level; all positions of a level are independent, so threads share it,
//! and a value depends on the level alone, so it is the same for any number of threads.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use game::{Outcome, Player};

use crate::codes::Codes;
use crate::codes::backward::Backward;
use crate::codes::buckets::SAME;
use crate::codes::cell::Ordered;
use crate::codes::crew::share;
use crate::codes::discovery::{Discovery, Extent, Seen, WORTH_SHARING};
use crate::codes::hints::prefetch;
use crate::codes::kind::Reading;
use crate::codes::list::List;
use crate::codes::table::CodeTable;
use crate::error::Error;
use crate::monitor::Monitor;
use crate::retrograde::Forever;

type Cells = Ordered<32>;

/// Who moves in the position of a code.
pub type Mover<'a> = &'a (dyn Fn(u64) -> Player + Sync);

/// Values positions by outcome and remoteness; all codes are below `size`. [`Forever::Win`] needs to know who moves.
pub fn dense_retrograde(
    codes: &Codes,
    size: u64,
    extent: Extent,
    forever: Forever,
    mover: Option<Mover>,
    monitor: &mut Monitor,
) -> Result<CodeTable, Error> {
    if size > 1 << 31 {
        let why = format!("{size} codes are too many for a table of all of them with their moves");
        return Err(Error::NotApplicable(why).into());
    }
    if matches!(forever, Forever::Win(_)) && mover.is_none() {
        return Err(Error::NotApplicable("codes do not say who wins play without end".into()).into());
    }
    monitor.enter("finding positions");
    let mut discovery = Discovery::new(codes, size, extent, monitor)?;
    monitor.enter("reversing moves");
    let met = discovery.positions;
    let backward = Backward::of(&mut discovery, codes, monitor).map_err(|error| error.after(met))?;
    monitor.enter_expecting("retrograde analysis", met);
    let mut analysis = Analysis {
        cells: discovery.cells,
        seen: discovery.seen,
        backward,
        threads: codes.threads.max(1),
        positions: met,
        settled: AtomicU64::new(0),
    };
    let draws: Vec<u32> = discovery.found.iter().flat_map(|found| found.draws.iter()).collect();
    let ends: Vec<List> = discovery.found.into_iter().map(|found| found.ends).collect();
    let mover = |code: u32| mover.map_or(Player::FIRST, |mover| mover(u64::from(code)));
    analysis.solve(ends, &draws, forever, &mover, monitor).map_err(|error| error.after(met))?;
    let cells: Vec<u32> = analysis.cells.into_iter().map(AtomicU32::into_inner).collect();
    let lease = vec![discovery.lease];
    Ok(CodeTable::new(Box::new(cells), Reading::Outcome(32), met, lease, codes.canonical.clone()))
}

struct Analysis {
    cells: Vec<AtomicU32>,
    seen: Option<Seen>,
    backward: Backward,
    threads: usize,
    positions: u64,
    settled: AtomicU64,
}

/// Positions looked at ahead of time.
const AHEAD: usize = 8;

/// The new cell of a position with an option that is won or lost, if the option changes it: the counter goes down with
/// every option that is lost for the mover.
#[inline(always)]
fn carry_back(_: u32, cell: u64, same: bool, option: u64) -> Option<u64> {
    if Cells::is_settled(cell) {
        return None;
    }
    let value = Cells::before(option, same);
    Some(if Cells::is_loss(value) && cell > 1 { cell - 1 } else { value })
}

impl Analysis {
    fn solve(
        &mut self,
        ends: Vec<List>,
        draws: &[u32],
        forever: Forever,
        mover: &(dyn Fn(u32) -> Player + Sync),
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        self.levels(ends, monitor, &carry_back)?;
        if let Forever::Win(player) = forever {
            self.force_draws(player, draws, mover, monitor)?;
            self.rest(&|code| Cells::pack(if mover(code) == player { Outcome::Win } else { Outcome::Loss }, None));
        } else {
            self.rest(&|_| Cells::pack(Outcome::Draw, None));
        }
        let drawn = |code: &u32| self.cells[*code as usize].store(Cells::end(0) as u32, Relaxed);
        draws.iter().for_each(drawn);
        // Drawn positions learn how far the nearest declared draw is, on a way through drawn positions.
        let never = Cells::pack(Outcome::Draw, None);
        self.levels(self.level(draws, monitor)?, monitor, &|_, cell, _, from| {
            (cell == never).then(|| Cells::before(from, true))
        })
    }

    /// Play without end is won by `player`: the other can still force a declared draw, or lose nothing by it.
    ///
    /// The counters go on from the first pass: options lost for `player` are counted out already, now those drawn.
    fn force_draws(
        &mut self,
        player: Player,
        draws: &[u32],
        mover: &(dyn Fn(u32) -> Player + Sync),
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        let never = Cells::pack(Outcome::Draw, None);
        draws.iter().for_each(|&code| self.cells[code as usize].store(never as u32, Relaxed));
        self.levels(self.level(draws, monitor)?, monitor, &|code, cell, _, _| {
            if Cells::is_settled(cell) {
                None
            } else if mover(code) == player && cell > 1 {
                Some(cell - 1)
            } else {
                Some(never)
            }
        })
    }

    fn level(&self, codes: &[u32], monitor: &Monitor) -> Result<Vec<List>, Error> {
        let mut level = List::new(monitor.memory());
        codes.iter().try_for_each(|&code| level.push(code))?;
        Ok(vec![level])
    }

    /// Gives all positions that are left a cell of their own.
    fn rest(&mut self, cell: &dyn Fn(u32) -> u64) {
        let seen = self.seen.as_ref();
        for (code, held) in self.cells.iter_mut().enumerate() {
            let held = held.get_mut();
            if !Cells::is_settled(u64::from(*held)) && seen.is_none_or(|seen| seen.has(code as u32)) {
                *held = cell(code as u32) as u32;
            }
        }
    }

    /// Goes back from the positions of a level to those before, and so on. `step` gives the new cell of a position from
    /// its code, its cell, whether the same player moves on and the cell of the option; who is settled by that is in
    /// the next level.
    fn levels<F>(&self, first: Vec<List>, monitor: &mut Monitor, step: &F) -> Result<(), Error>
    where
        F: Fn(u32, u64, bool, u64) -> Option<u64> + Sync,
    {
        let memory = monitor.memory().clone();
        let mut level = first;
        level.resize_with(self.threads.max(level.len()), || List::new(&memory));
        let mut next: Vec<List> = (0..self.threads).map(|_| List::new(&memory)).collect();
        let mut moves = 0;
        loop {
            let count: usize = level.iter().map(List::len).sum();
            if count == 0 {
                return Ok(());
            }
            moves += 1;
            if moves >= Cells::NEVER {
                return Err(Error::too_many(self.positions));
            }
            let settled = self.settled.fetch_add(count as u64, Relaxed);
            let blocks: Vec<&[u32]> = level.iter().flat_map(List::blocks).map(Vec::as_slice).collect();
            let progress = || (self.positions, settled.min(self.positions));
            if self.threads == 1 || count < WORTH_SHARING {
                let work = |chunk: usize, next: &mut List| self.before::<false, F>(blocks[chunk], step, next);
                share(&mut next[..1], blocks.len(), monitor, &progress, &work)?;
            } else {
                let work = |chunk: usize, next: &mut List| self.before::<true, F>(blocks[chunk], step, next);
                share(&mut next, blocks.len(), monitor, &progress, &work)?;
            }
            level.iter_mut().for_each(List::clear);
            std::mem::swap(&mut level, &mut next);
            next.truncate(self.threads);
        }
    }

    /// One step back from each of these positions.
    #[inline(always)]
    fn before<const SHARED: bool, F>(&self, positions: &[u32], step: &F, next: &mut List) -> Result<(), Error>
    where
        F: Fn(u32, u64, bool, u64) -> Option<u64> + Sync,
    {
        for (index, &position) in positions.iter().enumerate() {
            if let Some(&soon) = positions.get(index + 2 * AHEAD) {
                self.backward.prefetch_ends(soon);
                prefetch(&self.cells, soon as usize);
            }
            if let Some(&soon) = positions.get(index + AHEAD) {
                self.backward.prefetch_moves(soon);
            }
            let option = u64::from(self.cells[position as usize].load(Relaxed));
            for &mv in self.backward.leading_to(position) {
                let (from, same) = (mv & !SAME, mv & SAME != 0);
                let cell = &self.cells[from as usize];
                let mut held = cell.load(Relaxed);
                while let Some(new) = step(from, u64::from(held), same, option) {
                    if SHARED {
                        if let Err(changed) = cell.compare_exchange_weak(held, new as u32, Relaxed, Relaxed) {
                            held = changed;
                            continue;
                        }
                    } else {
                        cell.store(new as u32, Relaxed);
                    }
                    if Cells::is_settled(new) {
                        next.push(from)?;
                    }
                    break;
                }
            }
        }
        Ok(())
    }
}
