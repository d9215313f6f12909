//! Retrograde analysis of positions that are dense codes.
//!
//! ```text
//! discovery ──▶ a bit for each code that is met, its options as codes
//!           ──▶ ranks: positions numbered in the order of their codes
//!           ──▶ first level: what follows from ends; the rest of the moves as ranks
//!           ──▶ analysis, level by level
//! ```
//!
//! Where symmetries are used, one code stands for its class from the first step on, so classes are what is counted, ranked and
//! valued. The analysis itself is that of [`crate::retrograde`], which says what the values mean. Values do not depend on
//! the number of threads, and neither does the number of a position.
//!
//! Long solves keep snapshots ([`crate::keeping`]) of what was found, of how far the values have come, and at the end of the
//! table. Each is enough to go on from, so a later run does no more than what an earlier one did after its last snapshot.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use game::{Outcome, Player};

use crate::bits::Bits;
use crate::codes::discovery::{Discovery, FOUND};
use crate::codes::first_level::{Expanding, FirstLevel, Kept};
use crate::codes::kind::Reading;
use crate::codes::ranked::Ranked;
use crate::codes::ranks::{MOST_RANKS, Ranks};
use crate::codes::records::{Rank, Records, rank_block};
use crate::codes::source::Codes;
use crate::codes::store::Cells;
use crate::codes::table::CodeTable;
use crate::crew::{Slices, share};
use crate::error::Error;
use crate::keeping::{Loader, Unloaded, loaded};
use crate::memory::{Lease, Memory};
use crate::monitor::Monitor;
use crate::outcome_cell::Ordered;
use crate::retrograde::{CodeSet, Forever, Moves, Pass, Prepared, Standing, VALUES, analyse_moves, save};
use crate::segmented::List;

type Cell = Ordered<32>;

/// Who moves in the position of a code.
pub type Mover<'a> = &'a (dyn Fn(u64) -> Player + Sync);

/// Codes have 32 bits, and so has their number.
const MOST_CODES: u64 = (1 << 32) - 1;

/// Values the positions that can be reached, by outcome and remoteness; all codes are below `size`. [`Forever::Win`] needs to know who moves.
pub fn dense_retrograde(
    codes: &Codes,
    size: u64,
    forever: Forever,
    mover: Option<Mover>,
    monitor: &mut Monitor,
) -> Result<CodeTable, Error> {
    if size > MOST_CODES {
        let why = format!("{size} codes are too many for a map of all of them");
        return Err(Error::NotApplicable(why));
    }
    if matches!(forever, Forever::Win(_)) && mover.is_none() {
        return Err(Error::NotApplicable("codes do not say who wins play without end".into()));
    }
    let identity = format!("{} {forever:?} {size} {:?} {}", codes.identity, codes.roots, codes.canonical.is_some());
    let done = monitor.keeping().and_then(|keeping| keeping.load(SOLVED, &identity));
    if let Some(loader) = done
        && let Some((ranks, cells, lease)) = loaded(solved(loader, size, monitor))?
    {
        return Ok(finished(codes, ranks, cells, lease));
    }
    monitor.enter("finding positions");
    let Discovery { ranks, records, ends } = Discovery::new(codes, size, &identity, monitor)?;
    let met = ranks.count();
    if met >= MOST_RANKS {
        return Err(Error::too_many(met));
    }
    let values = Values { codes, ranks: &ranks, forever, identity: &identity };
    let (cells, lease) = values.find(records, ends, mover, monitor).map_err(|error| error.after(met))?;
    if let Some(keeping) = monitor.keeping().filter(|keeping| keeping.is_long()) {
        keeping.save(SOLVED, &identity, size / 8 + 4 * ranks.cells(), |to| {
            to.bitmap(ranks.words(), |word| ranks.word(word))?;
            to.numbers(cells.len(), cells.iter().copied())
        });
        [FOUND, VALUES].iter().for_each(|name| keeping.forget(name));
    }
    Ok(finished(codes, ranks, cells, lease))
}

/// The name of the snapshot of the table.
const SOLVED: &str = "solved";

/// The table of these cells, in as few bits as the longest play needs.
fn finished(codes: &Codes, ranks: Ranks, cells: Vec<u32>, mut lease: Lease) -> CodeTable {
    let (met, count) = (ranks.count(), ranks.cells());
    let longest = cells.iter().filter_map(|&cell| Cell::unpack(u64::from(cell))?.1).max().unwrap_or(0);
    let (kept, bits): (Box<dyn Cells>, u32) = match u64::from(longest) {
        moves if moves < Ordered::<8>::NEVER => (Box::new(Ranked { ranks, cells: repacked::<u8>(&cells) }), 8),
        moves if moves < Ordered::<16>::NEVER => (Box::new(Ranked { ranks, cells: repacked::<u16>(&cells) }), 16),
        _ => (Box::new(Ranked { ranks, cells }), 32),
    };
    lease.shrink(count * u64::from(4 - bits / 8));
    CodeTable::new(kept, Reading::Outcome(bits), met, vec![lease], codes.canonical.clone())
}

/// The table of a snapshot: its positions, their cells.
fn solved(mut loader: Loader, size: u64, monitor: &Monitor) -> Result<(Ranks, Vec<u32>, Lease), Unloaded> {
    let marked = CodeSet::new(size, monitor.memory())?;
    loader.shared_bitmap(marked.words())?;
    let ranks = Ranks::new(marked, size, monitor)?;
    let (mut cells, lease) = monitor.memory().zeroed::<u32>(ranks.cells())?;
    let mut places = cells.iter_mut();
    let count = loader.numbers(ranks.cells(), 1 << 32, &mut |numbers| {
        places.by_ref().zip(numbers).for_each(|(place, number)| *place = *number);
        Ok(())
    })?;
    let is_settled = |(rank, _): (u32, u64)| Cell::is_settled(u64::from(cells[rank as usize]));
    if count == ranks.cells() && ranks.entries(0..usize::MAX).all(is_settled) {
        Ok((ranks, cells, lease))
    } else {
        Err(Unloaded::Damaged)
    }
}

/// Cells of fewer bits; every remoteness is known to fit.
fn repacked<C: crate::codes::cell::Cell>(cells: &[u32]) -> Vec<C> {
    let narrow = |&cell: &u32| match (Cell::unpack(u64::from(cell)), C::BITS) {
        (None, _) => C::default(),
        (Some((outcome, moves)), 8) => C::narrow(Ordered::<8>::pack(outcome, moves)),
        (Some((outcome, moves)), _) => C::narrow(Ordered::<16>::pack(outcome, moves)),
    };
    cells.iter().map(narrow).collect()
}

/// What is known when all positions were met.
struct Values<'v, 'g> {
    codes: &'v Codes<'g>,
    ranks: &'v Ranks,
    forever: Forever,
    identity: &'v str,
}

/// The cells of all positions by rank, shared by threads, and their lease; declared draws, and who moves.
struct SharedCells<'m> {
    cells: Vec<AtomicU32>,
    /// The won and lost ends.
    over: CodeSet,
    lease: Lease,
    draws: Vec<List>,
    mover: &'m (dyn Fn(u32) -> Player + Sync),
}

/// How far an earlier run has come, and the snapshot, whose cells are still to be read.
type Begun = (Standing, Loader);

impl Values<'_, '_> {
    /// The cells of all positions by rank.
    fn find(
        &self,
        records: Option<Vec<Records>>,
        ends: Vec<[List; 3]>,
        mover: Option<Mover>,
        monitor: &mut Monitor,
    ) -> Result<(Vec<u32>, Lease), Error> {
        let movers = self.movers(mover, monitor)?;
        let mover = |rank: u32| Player(movers.as_ref().map_or(0, |movers| movers.get(rank as usize)));
        let (cells, lease) = monitor.memory().zeroed::<u32>(self.ranks.cells())?;
        let cells: Vec<AtomicU32> = cells.into_iter().map(AtomicU32::new).collect();
        let over = CodeSet::new(self.ranks.cells(), monitor.memory())?;
        let draws = self.settle_ends(&cells, &over, ends, monitor)?;
        let shared = SharedCells { cells, over, lease, draws, mover: &mover };
        let saved = monitor.keeping().and_then(|keeping| keeping.load(VALUES, self.identity));
        let memory = monitor.memory().clone();
        let found = saved.map(|loader| loaded(self.standing(loader, &memory))).transpose()?.flatten();
        // In the middle of a level that expands positions, it is gone on with so.
        let expands = found.as_ref().is_some_and(|(standing, _)| standing.chunk > 0);
        let (cells, lease) = match records.filter(|_| !expands) {
            Some(records) => self.by_records(shared, records, found, monitor)?,
            None => self.by_expanding(shared, found, monitor)?,
        };
        Ok((cells.into_iter().map(AtomicU32::into_inner).collect(), lease))
    }

    /// How far the snapshot of an earlier run has come.
    fn standing(&self, mut loader: Loader, memory: &Memory) -> Result<Begun, Unloaded> {
        let standing = Standing::load(&mut loader, self.ranks.cells(), memory)?;
        Ok((standing, loader))
    }

    /// Puts the cells of a snapshot in place of those that are there.
    fn go_on(cells: &[AtomicU32], begun: Option<Begun>, monitor: &mut Monitor) -> Result<Option<Standing>, Error> {
        let Some((standing, mut loader)) = begun else { return Ok(None) };
        if loader.cells(cells).is_ok() {
            return Ok(Some(standing));
        }
        // It was sound when it was opened. The next run does without it.
        if let Some(keeping) = monitor.keeping() {
            keeping.forget(VALUES);
        }
        Err(Error::internal("a snapshot changed while it was read".to_string()))
    }

    /// Who moves in each position, where that counts.
    fn movers(&self, mover: Option<Mover>, monitor: &Monitor) -> Result<Option<Bits>, Error> {
        let (Forever::Win(_), Some(mover)) = (self.forever, mover) else { return Ok(None) };
        let mut movers = Bits::new(monitor.memory());
        movers.grow_to(self.ranks.cells() as usize)?;
        self.ranks.entries(0..usize::MAX).for_each(|(rank, code)| movers.set(rank as usize, mover(code).0));
        Ok(Some(movers))
    }

    /// Gives won and lost ends their cells, and marks them; returns the ranks of declared draws.
    fn settle_ends(
        &self,
        cells: &[AtomicU32],
        over: &CodeSet,
        ends: Vec<[List; 3]>,
        monitor: &Monitor,
    ) -> Result<Vec<List>, Error> {
        let mut draws = Vec::new();
        for [lost, drawn, won] in ends {
            for (list, outcome) in [(lost, Outcome::Loss), (won, Outcome::Win)] {
                let cell = Cell::pack(outcome, Some(0)) as u32;
                for rank in list.iter().map(|code| self.ranks.of(code)) {
                    cells[rank as usize].store(cell, Relaxed);
                    over.mark::<false>(rank);
                }
            }
            let mut ranked = List::in_segments(monitor.memory());
            drawn.iter().try_for_each(|code| ranked.push(self.ranks.of(code)))?;
            draws.push(ranked);
        }
        Ok(draws)
    }

    fn first_levels<'a>(
        &'a self,
        cells: &'a [AtomicU32],
        over: &'a CodeSet,
        threads: usize,
        monitor: &Monitor,
    ) -> Vec<FirstLevel<'a>> {
        let settled = |_| List::in_segments(monitor.memory());
        let first = |settled: List| FirstLevel { ranks: self.ranks, cells, over, settled };
        (0..threads).map(settled).map(first).collect()
    }

    /// With all moves in memory.
    fn by_records(
        &self,
        shared: SharedCells,
        records: Vec<Records>,
        begun: Option<Begun>,
        monitor: &mut Monitor,
    ) -> Result<(Vec<AtomicU32>, Lease), Error> {
        let SharedCells { cells, over, lease, draws, mover } = shared;
        let threads = self.codes.threads.max(1);
        monitor.enter("looking at ends");
        let (mut blocks, mut leases) = (Vec::new(), Vec::new());
        for own in records {
            let (own, lease) = own.into_blocks();
            blocks.extend(own);
            leases.push(lease);
        }
        let mut workers = self.first_levels(&cells, &over, threads, monitor);
        let places: Vec<Mutex<Vec<u32>>> = blocks.into_iter().map(Mutex::new).collect();
        let work = |chunk: usize, first: &mut FirstLevel| {
            let mut block = places[chunk].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            rank_block(&mut block, first)?;
            // What is not needed any more is handed back. It stays charged until the analysis is done.
            if block.len() < block.capacity() / 2 {
                block.shrink_to_fit();
            }
            Ok(())
        };
        share(&mut workers, places.len(), monitor, &|| (self.ranks.count(), 0), &work)?;
        let level = workers.into_iter().map(|worker| worker.settled).collect();
        drop(over);
        let unlocked = |place: Mutex<Vec<u32>>| place.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let blocks: Vec<Vec<u32>> = places.into_iter().map(unlocked).collect();
        // The blocks are as long as they are: the charge follows.
        let held = blocks.iter().map(|block| block.capacity() as u64 * 4).sum::<u64>();
        leases.drain(1.min(leases.len())..);
        if let Some(lease) = leases.first_mut() {
            lease.resize(held)?;
        }
        let count = blocks.iter().map(|block| block.len() as u64).sum();
        let moves = Kept { blocks: &blocks, count };
        let standing = Values::go_on(&cells, begun, monitor)?;
        let prepared = Prepared { cells, moves: &moves, level, draws, threads, standing, identity: self.identity };
        Ok((analyse_moves(prepared, self.forever, mover, monitor)?, lease))
    }

    /// With moves that are found again whenever they are asked for.
    fn by_expanding(
        &self,
        shared: SharedCells,
        begun: Option<Begun>,
        monitor: &mut Monitor,
    ) -> Result<(Vec<AtomicU32>, Lease), Error> {
        let SharedCells { cells, over, lease, draws, mover } = shared;
        let threads = self.codes.threads.max(1);
        monitor.enter("looking at ends");
        let moves = Expanding { codes: self.codes, ranks: self.ranks, count: self.ranks.count() };
        let standing = Values::go_on(&cells, begun, monitor)?;
        let (level, standing) = match standing {
            Some(standing) if standing.pass > Pass::FirstLevel => (Vec::new(), Some(standing)),
            begun => (self.first_level(&moves, &cells, &over, begun, monitor)?, None),
        };
        drop(over);
        let prepared = Prepared { cells, moves: &moves, level, draws, threads, standing, identity: self.identity };
        Ok((analyse_moves(prepared, self.forever, mover, monitor)?, lease))
    }

    /// What follows from ends alone, by expanding all positions, or those that an earlier run has left. Returns what was settled.
    fn first_level(
        &self,
        moves: &Expanding,
        cells: &[AtomicU32],
        over: &CodeSet,
        begun: Option<Standing>,
        monitor: &mut Monitor,
    ) -> Result<Vec<List>, Error> {
        let mut workers = self.first_levels(cells, over, self.codes.threads.max(1), monitor);
        let first = begun.as_ref().map_or(0, |standing| standing.chunk);
        if let Some(standing) = begun {
            workers[0].settled = standing.level;
        }
        let is_settled = |rank: u32| Cell::is_settled(u64::from(cells[rank as usize].load(Relaxed)));
        let work = |chunk: usize, first: &mut FirstLevel| {
            let keep = &mut |rank: u32, options: &mut [u32]| first.keep(rank, options).map(|_| ());
            moves.positions(chunk, &|rank| !is_settled(rank), keep)
        };
        for slice in Slices::new(first..moves.chunks(), monitor) {
            let progress = || (self.ranks.count(), 0);
            share(&mut workers, slice.len(), monitor, &progress, &|chunk, first| work(slice.start + chunk, first))?;
            if let Some(keeping) = monitor.keeping_due() {
                keeping.save(VALUES, self.identity, 4 * cells.len() as u64, |to| {
                    let at = (Pass::FirstLevel, 0, slice.end, false);
                    save(at, workers.iter().map(|worker| &worker.settled), std::iter::empty(), to)?;
                    to.cells(cells.len(), |rank| cells[rank].load(Relaxed))
                });
            }
        }
        Ok(workers.into_iter().map(|worker| worker.settled).collect())
    }
}
