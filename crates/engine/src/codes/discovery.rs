//! The positions and moves of a game on dense codes.
//!
//! Each position that can be reached is expanded once: breadth-first, with a map of one bit a code that says which were met.
//! Threads share the work.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use game::codes::{Expanded, Options};

use crate::codes::source::Codes;
use crate::crew::share;
use crate::error::Error;
use crate::memory::{Lease, Memory};
use crate::monitor::Monitor;
use crate::outcome_cell::Ordered;
use crate::retrograde::{Buckets, CodeSet, Division, Found, Positions, WORTH_SHARING, marked};
use crate::segmented::List;

/// Codes handed out at a time where all are looked at.
const STRETCH: u64 = 1 << 12;

/// One of the threads that expand positions.
struct Worker {
    found: Found,
    /// Positions met and not expanded.
    next: List,
    options: Options,
    expanded: u64,
}

impl Worker {
    fn new(division: Division, memory: &Memory) -> Worker {
        Worker {
            found: Found::new(division, memory),
            next: List::in_segments(memory),
            options: Options::default(),
            expanded: 0,
        }
    }
}

/// All positions, ready for the analysis.
pub(crate) struct Discovery {
    pub positions: Positions<Vec<AtomicU32>>,
    /// For the cells.
    pub lease: Lease,
}

impl Discovery {
    /// Expands all positions.
    pub fn new(codes: &Codes, size: u64, monitor: &mut Monitor) -> Result<Discovery, Error> {
        let memory = monitor.memory().clone();
        let mut lease = memory.lease();
        lease.grow(size * 4)?;
        let mut cells = lease.vector(size as usize)?;
        pages::prefer_large(&mut cells);
        cells.resize_with(size as usize, AtomicU32::default);
        let marked = CodeSet::new(size, &memory)?;
        let division = Division::of(size);
        let mut workers: Vec<Worker> = (0..codes.threads.max(1)).map(|_| Worker::new(division, &memory)).collect();
        let search = Search { codes, cells: &cells, marked: &marked };
        let done = match codes.threads > 1 {
            false => search.reachable::<false>(&mut workers, monitor),
            true => search.reachable::<true>(&mut workers, monitor),
        };
        let count = workers.iter().map(|worker| worker.expanded).sum();
        done.map_err(|error| error.after(count))?;
        let found = workers.into_iter().map(|worker| worker.found).collect();
        Ok(Discovery { positions: Positions { cells, division, marked: Some(marked), found, count }, lease })
    }
}

/// What the threads share.
struct Search<'s, 'g> {
    codes: &'s Codes<'g>,
    cells: &'s [AtomicU32],
    marked: &'s CodeSet,
}

impl Search<'_, '_> {
    fn reachable<const SHARED: bool>(&self, workers: &mut [Worker], monitor: &mut Monitor) -> Result<(), Error> {
        let memory = monitor.memory().clone();
        let mut level = vec![List::in_segments(&memory)];
        for &root in self.codes.roots {
            let root = self.codes.canonical(root);
            if root >= self.cells.len() as u64 {
                return Err(Error::outside(root));
            }
            if self.marked.mark::<SHARED>(root as u32) {
                level[0].push(root as u32)?;
            }
        }
        let mut met = 0;
        let mut sorting = None;
        while level.iter().any(|list| !list.is_empty()) {
            met += level.iter().map(|list| list.len() as u64).sum::<u64>();
            let blocks: Vec<&[u32]> = level.iter().flat_map(List::blocks).collect();
            let work = |chunk: usize, worker: &mut Worker| {
                blocks[chunk].iter().try_for_each(|&code| self.expand::<SHARED>(code, worker))
            };
            let few = blocks.iter().map(|block| block.len()).sum::<usize>() < WORTH_SHARING;
            let count = if few { 1 } else { workers.len() };
            share(&mut workers[..count], blocks.len(), monitor, &|| (met, 0), &work)?;
            level.resize_with(workers.len(), || List::in_segments(&memory));
            for (list, worker) in level.iter_mut().zip(workers.iter_mut()) {
                list.truncate(0);
                std::mem::swap(list, &mut worker.next);
                self.sort(list, &mut sorting, &memory)?;
            }
        }
        Ok(())
    }

    /// Sorts a long list of codes, so that the expander goes through its own tables in order, which is most of the time
    /// of a search on a random digraph. Does nothing to short ones, for which it would cost more than it saves.
    fn sort(&self, list: &mut List, sorting: &mut Option<CodeSet>, memory: &Memory) -> Result<(), Error> {
        let size = self.cells.len();
        if list.len() < 1024 || list.len() < size / 64 {
            return Ok(());
        }
        if sorting.is_none() {
            *sorting = Some(CodeSet::new(size as u64, memory)?);
        }
        let Some(map) = sorting else { return Ok(()) };
        list.iter().for_each(|code| {
            map.mark::<false>(code);
        });
        let mut codes = map.drain();
        list.iter_mut().for_each(|place| *place = codes.next().unwrap_or(*place));
        Ok(())
    }

    #[inline(always)]
    fn expand<const SHARED: bool>(&self, code: u32, worker: &mut Worker) -> Result<(), Error> {
        let Worker { found, next, options, expanded } = worker;
        *expanded += 1;
        match self.codes.game.expand(u64::from(code), options) {
            Expanded::Options => {}
            Expanded::Fault => return Err(Error::Fault(u64::from(code))),
            Expanded::End => {
                let result = options.gains.first().copied().unwrap_or(0);
                if result == 0 {
                    return found.draws.push(code);
                }
                self.cells[code as usize].store(Ordered::<32>::end(result) as u32, Relaxed);
                return found.ends.push(code);
            }
        }
        self.codes.canonical_options(options);
        let count = options.codes.len();
        if count as u64 >= Ordered::<32>::NEVER {
            return Err(Error::too_many(0));
        }
        self.cells[code as usize].store(count as u32, Relaxed);
        let largest = options.codes.iter().fold(0, |largest, &option| option.max(largest));
        if largest >= self.cells.len() as u64 {
            return Err(Error::outside(largest));
        }
        for &option in &options.codes {
            if self.marked.mark::<SHARED>(option as u32) {
                next.push(option as u32)?;
            }
        }
        found.add_moves(code, moves(options));
        Ok(())
    }
}

/// Where the moves of a position lead, and whether the same player moves on.
#[inline(always)]
fn moves(options: &Options) -> impl Iterator<Item = (u32, bool)> + Clone + '_ {
    options.codes.iter().zip(&options.same).map(|(&option, &same)| (option as u32, same != 0))
}

/// Expands all positions, so many, again for the moves that lead to some buckets.
pub(crate) fn moves_to(
    codes: &Codes,
    (cells, positions): (&[AtomicU32], u64),
    division: Division,
    buckets: Range<usize>,
    monitor: &mut Monitor,
) -> Result<Vec<Buckets>, Error> {
    let memory = monitor.memory().clone();
    let worker = |_| (Buckets::new(division, &memory), Options::default());
    let mut workers: Vec<(Buckets, Options)> = (0..codes.threads.max(1)).map(worker).collect();
    let size = cells.len() as u64;
    let work = |chunk: usize, (kept, options): &mut (Buckets, Options)| {
        let first = chunk as u64 * STRETCH;
        for code in first..size.min(first + STRETCH) {
            let cell = u64::from(cells[code as usize].load(Relaxed));
            if cell == 0 || Ordered::<32>::is_settled(cell) {
                continue;
            }
            if codes.game.expand(code, options) != Expanded::Options {
                return Err(Error::internal(format!("position {code} had options before")));
            }
            codes.canonical_options(options);
            for (option, same) in moves(options) {
                if buckets.contains(&division.bucket(option)) {
                    kept.push(option, code as u32 | marked(same))?;
                }
            }
        }
        Ok(())
    };
    share(&mut workers, size.div_ceil(STRETCH) as usize, monitor, &|| (positions, 0), &work)?;
    Ok(workers.into_iter().map(|(moves, _)| moves).collect())
}
