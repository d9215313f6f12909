//! The carrying back: from won and lost ends to all that follows from them, then to what is left.
//!
//! All positions of a level are independent, so threads share it, and a value depends on the level alone, so it is the
//! same for any number of threads.
//!
//! Where few positions are won or lost, most of the time would go into turning moves round that nobody asks for. So the first
//! levels look for the moves that lead to them among all moves as they were found. Where play is mostly drawn that is all there
//! is to do. Where there is no memory to turn moves round, all levels do so.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use game::{Outcome, Player};

use crate::crew::{Slices, share};
use crate::error::Error;
use crate::monitor::Monitor;
use crate::outcome_cell::Ordered;
use crate::retrograde::backward::Backward;
use crate::retrograde::buckets::{Buckets, Division, SAME, parts};
use crate::retrograde::cell_array::CellArray;
use crate::retrograde::code_set::CodeSet;
use crate::retrograde::found::Found;
use crate::retrograde::moves::{Moves, NoMoves};
use crate::retrograde::standing::{self, Pass, Standing};
use crate::segmented::List;

type Cell = Ordered<32>;

/// What play that never ends means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Forever {
    /// A draw.
    #[default]
    Draw,
    /// This player wins it. Positions must then record whose turn it is.
    Win(Player),
}

/// Fewer positions than this are not worth waking other threads.
pub(crate) const WORTH_SHARING: usize = 4096;

/// All positions, and what is known of each before the analysis.
pub(crate) struct Positions<C> {
    /// Won and lost ends are settled; positions with options have their number as a counter; draws have 0.
    pub cells: C,
    /// How they are divided into buckets.
    pub division: Division,
    /// What each worker found; there will be as many workers again.
    pub found: Vec<Found>,
    /// How many positions there are.
    pub count: u64,
}

/// Finds the moves to some buckets once more, from the positions that are not settled. Their counters may have gone down.
pub(crate) type MovesTo<'a, C> = &'a mut dyn FnMut(&C, Range<usize>, &mut Monitor) -> Result<Vec<Buckets>, Error>;

/// Values all positions. `mover` is asked only where play without end is won.
pub(crate) fn analyse<C: CellArray>(
    positions: Positions<C>,
    moves_to: MovesTo<C>,
    forever: Forever,
    mover: &(dyn Fn(u32) -> Player + Sync),
    monitor: &mut Monitor,
) -> Result<C, Error> {
    let Positions { cells, division, mut found, count } = positions;
    let memory = monitor.memory().clone();
    let threads = found.len();
    let take =
        |found: &mut Found, of: fn(&mut Found) -> &mut List| std::mem::replace(of(found), List::in_segments(&memory));
    let ends = found.iter_mut().map(|found| take(found, |found| &mut found.ends)).collect();
    let draws: Vec<List> = found.iter_mut().map(|found| take(found, |found| &mut found.draws)).collect();
    let mut analysis = Analysis::new(cells, &NoMoves, division, threads, count);
    monitor.enter_expecting("retrograde analysis", count);
    let ends = analysis.scan_levels(&found, division, ends, monitor)?;
    if ends.iter().chain(&draws).any(|list| !list.is_empty()) {
        monitor.enter("reversing moves");
        let (cells, size) = (&analysis.cells, analysis.cells.len() as u64);
        let mut moves_to = |buckets: Range<usize>, monitor: &mut Monitor| moves_to(cells, buckets, monitor);
        analysis.backward = Some(Backward::of(&mut found, division, (size, count), &mut moves_to, monitor)?);
        monitor.enter_expecting("retrograde analysis", count);
    }
    drop(found);
    analysis.solve(ends, draws, None, forever, mover, monitor)?;
    Ok(analysis.cells)
}

/// What is known before an analysis that looks moves up as they were found.
pub(crate) struct Prepared<'m, M> {
    /// Won and lost positions are settled; others have the number of options that are not as a counter; draws have 0.
    pub cells: Vec<AtomicU32>,
    /// The moves between positions that are not settled, and to draws.
    pub moves: &'m M,
    /// The positions that were settled last, all at one remoteness.
    pub level: Vec<List>,
    /// Declared draws.
    pub draws: Vec<List>,
    /// How many threads there are.
    pub threads: usize,
    /// How far an earlier run has come, whose cells these are: its level is then gone on with.
    pub standing: Option<Standing>,
    /// What a snapshot is told by.
    pub identity: &'m str,
}

/// The name of the snapshot.
pub(crate) const VALUES: &str = "values";

/// Values all positions. `mover` is asked only where play without end is won.
pub(crate) fn analyse_moves<M: Moves>(
    prepared: Prepared<M>,
    forever: Forever,
    mover: &(dyn Fn(u32) -> Player + Sync),
    monitor: &mut Monitor,
) -> Result<Vec<AtomicU32>, Error> {
    let Prepared { cells, moves, level, draws, threads, standing, identity } = prepared;
    let count = cells.len() as u64;
    let mut analysis = Analysis::new(cells, moves, Division::of(count), threads, count);
    (analysis.identity, analysis.is_short) =
        (Some(identity), standing.as_ref().is_some_and(|standing| standing.is_short));
    monitor.enter_expecting("retrograde analysis", count);
    analysis.solve(level, draws, standing, forever, mover, monitor)?;
    Ok(analysis.cells)
}

/// The analysis as far as it has come.
struct Analysis<'m, C, M> {
    cells: C,
    /// The moves as they were found.
    moves: &'m M,
    /// The moves turned round, once they are.
    backward: Option<Backward>,
    division: Division,
    /// Whether it was tried to turn moves round, and there was no memory for it.
    is_short: bool,
    threads: usize,
    positions: u64,
    settled: AtomicU64,
    /// Levels that were carried back before moves were turned round.
    scanned: u64,
    /// How many moves were looked through for that.
    looked_through: u64,
    /// The positions of one level, while moves are looked through for it.
    fresh: Option<CodeSet>,
    /// What a snapshot is told by, where one can be gone on with.
    identity: Option<&'m str>,
}

/// Where the levels of a pass begin.
struct First {
    pass: Pass,
    level: Vec<List>,
    /// How far an earlier run has come with them.
    standing: Option<Standing>,
}

/// A level that is carried back.
#[derive(Clone, Copy)]
struct Level {
    pass: Pass,
    /// Levels before it.
    moves: u64,
    /// Chunks that were looked through for it.
    chunk: usize,
}

/// Levels of at most one position in so many codes are worth a look through all moves; so are two in few codes.
const RARE: usize = 1 << 10;
/// So many times as many moves as there are may be looked through: about a tenth of what it takes to turn them round.
const SCANS: u64 = 2;

/// Positions looked at ahead of time.
const AHEAD: usize = 8;

/// The new cell of a position with an option that is won or lost, if the option changes it: the counter goes down with
/// every option that is lost for the mover.
#[inline(always)]
fn carry_back(_: u32, cell: u64, same: bool, option: u64) -> Option<u64> {
    if Cell::is_settled(cell) {
        return None;
    }
    let value = Cell::before(option, same);
    Some(if Cell::is_loss(value) && cell > 1 { cell - 1 } else { value })
}

impl<'m, C: CellArray, M: Moves> Analysis<'m, C, M> {
    fn new(cells: C, moves: &'m M, division: Division, threads: usize, positions: u64) -> Analysis<'m, C, M> {
        let (settled, fresh) = (AtomicU64::new(0), None);
        let (is_short, scanned, looked_through) = (false, 0, 0);
        let backward = None;
        Analysis {
            cells,
            moves,
            backward,
            division,
            is_short,
            threads: threads.max(1),
            positions,
            settled,
            scanned,
            looked_through,
            fresh,
            identity: None,
        }
    }

    fn solve(
        &mut self,
        ends: Vec<List>,
        draws: Vec<List>,
        standing: Option<Standing>,
        forever: Forever,
        mover: &(dyn Fn(u32) -> Player + Sync),
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        let (mut pass, mut standing) = (standing.as_ref().map_or(Pass::Decided, |standing| standing.pass), standing);
        if pass <= Pass::Decided {
            let first = First { pass: Pass::Decided, level: ends, standing: standing.take() };
            self.levels(first, monitor, &|cell| !Cell::is_settled(cell), &carry_back)?;
            pass = Pass::ForcedDraws;
        }
        if pass <= Pass::ForcedDraws {
            if let Forever::Win(player) = forever {
                self.force_draws(player, &draws, standing.take(), mover, monitor)?;
                self.rest(&|code| Cell::pack(if mover(code) == player { Outcome::Win } else { Outcome::Loss }, None));
            } else {
                self.rest(&|_| Cell::pack(Outcome::Draw, None));
            }
            self.store(&draws, Cell::end(0));
        }
        // Drawn positions learn how far the nearest declared draw is, on a way through drawn positions.
        let never = Cell::pack(Outcome::Draw, None);
        let first = First { pass: Pass::Drawn, level: draws, standing };
        self.levels(first, monitor, &|cell| cell == never, &|_, cell, _, from| {
            (cell == never).then(|| Cell::before(from, true))
        })
    }

    /// Play without end is won by `player`: the other can still force a declared draw, or lose nothing by it.
    ///
    /// The counters go on from the first pass: options lost for `player` are counted out already, now those drawn.
    fn force_draws(
        &mut self,
        player: Player,
        draws: &[List],
        standing: Option<Standing>,
        mover: &(dyn Fn(u32) -> Player + Sync),
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        let never = Cell::pack(Outcome::Draw, None);
        self.store(draws, never);
        let mut level = List::in_segments(monitor.memory());
        draws.iter().flat_map(List::iter).try_for_each(|code| level.push(code))?;
        let first = First { pass: Pass::ForcedDraws, level: vec![level], standing };
        self.levels(first, monitor, &|cell| !Cell::is_settled(cell), &|code, cell, _, _| {
            if Cell::is_settled(cell) {
                None
            } else if mover(code) == player && cell > 1 {
                Some(cell - 1)
            } else {
                Some(never)
            }
        })
    }

    /// Gives some positions this cell.
    fn store(&self, positions: &[List], cell: u64) {
        let all = positions.iter().flat_map(List::iter);
        all.for_each(|code| self.cells.at(code as usize).store(cell as u32, Relaxed));
    }

    /// Gives all positions that are left a cell of their own.
    fn rest(&mut self, cell: &dyn Fn(u32) -> u64) {
        self.cells.each(|code, held| {
            if !Cell::is_settled(u64::from(*held)) {
                *held = cell(code as u32) as u32;
            }
        });
    }

    /// Goes back from the positions of a level to those before, and so on. `step` gives the new cell of a position from
    /// its number, its cell, whether the same player moves on and the cell of the option; who is settled by that is in
    /// the next level. `open` says by the cell of a position whether `step` could change it.
    fn levels<O, F>(&mut self, first: First, monitor: &mut Monitor, open: &O, step: &F) -> Result<(), Error>
    where
        O: Fn(u64) -> bool + Sync,
        F: Fn(u32, u64, bool, u64) -> Option<u64> + Sync,
    {
        let memory = monitor.memory().clone();
        let First { pass, mut level, standing } = first;
        let mut next: Vec<List> = (0..self.threads).map(|_| List::in_segments(&memory)).collect();
        let (mut moves, mut chunk) = (self.scanned, 0);
        let mut is_kept = standing.is_some();
        if let Some(standing) = standing {
            (moves, chunk) = (standing.moves, standing.chunk);
            (level, next[0]) = (vec![standing.level], standing.next);
        }
        level.resize_with(self.threads.max(level.len()), || List::in_segments(&memory));
        loop {
            let count: usize = level.iter().map(List::len).sum();
            if count == 0 {
                return Ok(());
            }
            moves += 1;
            if moves >= Cell::NEVER {
                return Err(Error::too_many(self.positions));
            }
            let at = Level { pass, moves: moves - 1, chunk };
            if !is_kept {
                self.save(at, &level, &next, monitor);
            }
            is_kept = false;
            let settled = self.settled.fetch_add(count as u64, Relaxed);
            if self.backward.is_none() && chunk == 0 {
                self.turn_round(monitor)?;
            }
            let progress = (self.positions, settled.min(self.positions));
            // A level that was begun by looking through moves is done so.
            if self.backward.is_some() && chunk == 0 {
                self.level_before(&level, count, &mut next, progress, monitor, step)?;
            } else {
                self.look_through((at, &level), &mut next, progress, monitor, open, step)?;
            }
            chunk = 0;
            level.iter_mut().for_each(|list| list.truncate(0));
            std::mem::swap(&mut level, &mut next);
            next.truncate(self.threads);
        }
    }

    /// Makes a snapshot, if one is due.
    fn save(&self, Level { pass, moves, chunk }: Level, level: &[List], next: &[List], monitor: &mut Monitor) {
        let Some((identity, keeping)) = self.identity.zip(monitor.keeping_due()) else { return };
        let count = self.cells.len();
        let lists = level.iter().chain(next).map(List::len).sum::<usize>();
        keeping.save(VALUES, identity, 4 * (count + lists) as u64, |to| {
            standing::save((pass, moves, chunk, self.is_short), level.iter(), next.iter(), to)?;
            to.cells(count, |position| self.cells.at(position).load(Relaxed))
        });
    }

    /// One step back from a level, over moves that were turned round.
    fn level_before<F>(
        &self,
        level: &[List],
        count: usize,
        next: &mut [List],
        progress: (u64, u64),
        monitor: &mut Monitor,
        step: &F,
    ) -> Result<(), Error>
    where
        F: Fn(u32, u64, bool, u64) -> Option<u64> + Sync,
    {
        let Some(backward) = &self.backward else { return Ok(()) };
        let blocks: Vec<&[u32]> = level.iter().flat_map(List::blocks).collect();
        if self.threads == 1 || count < WORTH_SHARING {
            let work = |chunk: usize, next: &mut List| self.before::<false, F>(backward, blocks[chunk], step, next);
            return share(&mut next[..1], blocks.len(), monitor, &|| progress, &work);
        }
        let work = |chunk: usize, next: &mut List| self.before::<true, F>(backward, blocks[chunk], step, next);
        share(next, blocks.len(), monitor, &|| progress, &work)
    }

    /// One step back from a level, by a look through all moves as they were found.
    fn look_through<O, F>(
        &mut self,
        (at, level): (Level, &[List]),
        next: &mut [List],
        progress: (u64, u64),
        monitor: &mut Monitor,
        open: &O,
        step: &F,
    ) -> Result<(), Error>
    where
        O: Fn(u64) -> bool + Sync,
        F: Fn(u32, u64, bool, u64) -> Option<u64> + Sync,
    {
        if self.fresh.is_none() {
            self.fresh = Some(CodeSet::new(self.cells.len() as u64, monitor.memory())?);
        }
        let Some(mut fresh) = self.fresh.take() else { return Ok(()) };
        level.iter().flat_map(List::iter).for_each(|position| _ = fresh.mark::<false>(position));
        let is_open = |position: u32| open(u64::from(self.cells.at(position as usize).load(Relaxed)));
        let scan = |chunk: usize, next: &mut List| {
            let each = &mut |from: u32, to: u32| {
                if !fresh.has(to) {
                    return Ok(());
                }
                let option = u64::from(self.cells.at(to as usize).load(Relaxed));
                match self.threads {
                    1 => self.carry::<false, F>(from, option, step, next),
                    _ => self.carry::<true, F>(from, option, step, next),
                }
            };
            self.moves.each(chunk, &is_open, each)
        };
        let chunks = self.moves.chunks();
        for slice in Slices::new(at.chunk..chunks, monitor) {
            share(next, slice.len(), monitor, &|| progress, &|chunk, next| scan(slice.start + chunk, next))?;
            if self.moves.is_stable() && slice.end < chunks {
                self.save(Level { chunk: slice.end, ..at }, level, next, monitor);
            }
        }
        level.iter().flat_map(List::iter).for_each(|position| fresh.unmark(position));
        self.fresh = Some(fresh);
        self.looked_through = self.looked_through.saturating_add(self.moves.count());
        Ok(())
    }

    /// Turns moves round, if they were looked through often enough and there is memory for it.
    fn turn_round(&mut self, monitor: &mut Monitor) -> Result<(), Error> {
        let most = self.moves.count().saturating_mul(self.moves.patience());
        if self.is_short || self.looked_through < most {
            return Ok(());
        }
        let (memory, division) = (monitor.memory().clone(), self.division);
        let (size, count) = (self.cells.len() as u64, self.positions);
        // Moves from positions that are won or lost are never asked for again; those from drawn ones are.
        let is_open = |position: u32| {
            let cell = u64::from(self.cells.at(position as usize).load(Relaxed));
            !Cell::is_settled(cell) || Cell::is_draw(cell)
        };
        let mut found: Vec<Found> = (0..self.threads).map(|_| Found::new(division, &memory)).collect();
        let gather = |chunk: usize, found: &mut Found| {
            self.moves.each(chunk, &is_open, &mut |from, to| {
                found.add_moves(from & !SAME, std::iter::once((to, from & SAME != 0)));
                Ok(())
            })
        };
        share(&mut found, self.moves.chunks(), monitor, &|| (count, 0), &gather)?;
        let mut moves_to = |buckets: Range<usize>, monitor: &mut Monitor| {
            let kept = |_| Buckets::new(division, &memory);
            let mut kept: Vec<Buckets> = (0..self.threads).map(kept).collect();
            let gather = |chunk: usize, kept: &mut Buckets| {
                self.moves.each(chunk, &is_open, &mut |from, to| {
                    if buckets.contains(&division.bucket(to)) { kept.push(to, from) } else { Ok(()) }
                })
            };
            share(&mut kept, self.moves.chunks(), monitor, &|| (count, 0), &gather)?;
            Ok(kept)
        };
        match Backward::of(&mut found, division, (size, count), &mut moves_to, monitor) {
            Ok(backward) => self.backward = Some(backward),
            Err(error) if error.is_memory() => self.is_short = true,
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// One step back from each of these positions.
    #[inline(always)]
    fn before<const SHARED: bool, F>(
        &self,
        backward: &Backward,
        positions: &[u32],
        step: &F,
        next: &mut List,
    ) -> Result<(), Error>
    where
        F: Fn(u32, u64, bool, u64) -> Option<u64> + Sync,
    {
        for (index, &position) in positions.iter().enumerate() {
            if let Some(&soon) = positions.get(index + 2 * AHEAD) {
                backward.prefetch_ends(soon);
                self.cells.prefetch(soon as usize);
            }
            if let Some(&soon) = positions.get(index + AHEAD) {
                backward.prefetch_moves(soon);
            }
            let option = u64::from(self.cells.at(position as usize).load(Relaxed));
            for &mv in backward.leading_to(position) {
                self.carry::<SHARED, F>(mv, option, step, next)?;
            }
        }
        Ok(())
    }

    /// Carries the cell of an option back over one move to it, which is given by where it comes from.
    #[inline(always)]
    fn carry<const SHARED: bool, F>(&self, mv: u32, option: u64, step: &F, next: &mut List) -> Result<(), Error>
    where
        F: Fn(u32, u64, bool, u64) -> Option<u64> + Sync,
    {
        let (from, same) = (mv & !SAME, mv & SAME != 0);
        let cell = self.cells.at(from as usize);
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
            if Cell::is_settled(new) {
                next.push(from)?;
            }
            break;
        }
        Ok(())
    }

    /// Carries won and lost ends back as long as levels are small, by a look through the moves as they were found. Returns the
    /// level to go on with.
    fn scan_levels(
        &mut self,
        found: &[Found],
        division: Division,
        ends: Vec<List>,
        monitor: &mut Monitor,
    ) -> Result<Vec<List>, Error> {
        let kept: Option<Vec<&Buckets>> = found.iter().map(Found::moves).collect();
        let Some(kept) = kept else { return Ok(ends) };
        let leading = |bucket: usize| kept.iter().map(|moves| moves.len(bucket) as u64).sum::<u64>();
        let mut left = SCANS * (0..division.count).map(leading).sum::<u64>();
        let memory = monitor.memory().clone();
        let mut level = ends;
        // One map of all codes, cleared once; the marks of a level are taken away after it.
        let mut marks: Option<CodeSet> = None;
        loop {
            let count: usize = level.iter().map(List::len).sum();
            if count == 0 || count > (self.cells.len() / RARE).max(2) {
                return Ok(level);
            }
            let mut buckets: Vec<usize> = level.iter().flat_map(List::iter).map(|code| division.bucket(code)).collect();
            buckets.sort_unstable();
            buckets.dedup();
            let clearing = if marks.is_none() { self.cells.len() as u64 / 64 } else { 0 };
            let cost = clearing + buckets.iter().map(|&bucket| leading(bucket)).sum::<u64>();
            if cost > left {
                return Ok(level);
            }
            left -= cost;
            let marks = match &mut marks {
                Some(marks) => marks,
                // Without memory for the marks, moves are turned round at once.
                none => match CodeSet::new(self.cells.len() as u64, &memory) {
                    Ok(made) => none.insert(made),
                    Err(_) => return Ok(level),
                },
            };
            level.iter().flat_map(List::iter).for_each(|code| _ = marks.mark::<false>(code));
            let settled = self.settled.fetch_add(count as u64, Relaxed);
            let progress = || (self.positions, settled.min(self.positions));
            let mut next: Vec<List> = (0..self.threads).map(|_| List::in_segments(&memory)).collect();
            let scan = |chunk: usize, next: &mut List| {
                let blocks = kept.iter().flat_map(|moves| moves.blocks(buckets[chunk]));
                match self.threads {
                    1 => self.scan::<false>(blocks, marks, next),
                    _ => self.scan::<true>(blocks, marks, next),
                }
            };
            share(&mut next, buckets.len(), monitor, &progress, &scan)?;
            level.iter().flat_map(List::iter).for_each(|code| marks.unmark(code));
            self.scanned += 1;
            level = next;
        }
    }

    /// One step back over those of these moves that lead to a marked position.
    fn scan<'b, const SHARED: bool>(
        &self,
        blocks: impl Iterator<Item = &'b [u64]>,
        marks: &CodeSet,
        next: &mut List,
    ) -> Result<(), Error> {
        for &mv in blocks.flatten() {
            let (to, origin) = parts(mv);
            if marks.has(to) {
                let option = u64::from(self.cells.at(to as usize).load(Relaxed));
                self.carry::<SHARED, _>(origin, option, &carry_back, next)?;
            }
        }
        Ok(())
    }
}
