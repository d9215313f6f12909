//! The positions and moves of a game on dense codes.
//!
//! Each position that can be reached is expanded once: breadth-first, with a map of one bit a code that says which were met.
//! Threads share the work. Moves are kept as they come ([`Records`]); if the memory does not reach for that, they are
//! forgotten, and positions are expanded again whenever moves are asked for.

use game::codes::{Expanded, Options};

use crate::codes::ranks::Ranks;
use crate::codes::records::{MOST_OPTIONS, Records};
use crate::codes::source::Codes;
use crate::crew::share;
use crate::error::Error;
use crate::memory::Memory;
use crate::monitor::Monitor;
use crate::retrograde::{CodeSet, WORTH_SHARING};
use crate::segmented::List;

/// One of the threads that expand positions.
struct Worker {
    /// The moves, unless they were forgotten.
    records: Option<Records>,
    ends: [List; 3],
    /// Positions met and not expanded.
    next: List,
    options: Options,
    expanded: u64,
}

impl Worker {
    fn new(memory: &Memory) -> Worker {
        Worker {
            records: Some(Records::new(memory)),
            ends: std::array::from_fn(|_| List::in_segments(memory)),
            next: List::in_segments(memory),
            options: Options::default(),
            expanded: 0,
        }
    }
}

/// All positions that can be reached.
pub(crate) struct Discovery {
    pub ranks: Ranks,
    /// The moves of each worker; `None` if they were forgotten.
    pub records: Option<Vec<Records>>,
    /// The codes of ends: lost, drawn and won by the mover, by worker.
    pub ends: Vec<[List; 3]>,
}

impl Discovery {
    /// Expands all positions.
    pub fn new(codes: &Codes, size: u64, monitor: &mut Monitor) -> Result<Discovery, Error> {
        let memory = monitor.memory().clone();
        let marked = CodeSet::new(size, &memory)?;
        let mut workers: Vec<Worker> = (0..codes.threads.max(1)).map(|_| Worker::new(&memory)).collect();
        let search = Search { codes, size, marked: &marked };
        let done = match codes.threads > 1 {
            false => search.reachable::<false>(&mut workers, monitor),
            true => search.reachable::<true>(&mut workers, monitor),
        };
        let count = workers.iter().map(|worker| worker.expanded).sum::<u64>();
        done.map_err(|error| error.after(count))?;
        let (mut records, mut ends) = (Some(Vec::new()), Vec::new());
        for worker in workers {
            match (worker.records, &mut records) {
                (Some(own), Some(all)) => all.push(own),
                _ => records = None,
            }
            ends.push(worker.ends);
        }
        let ranks = Ranks::new(marked, size, monitor).map_err(|error| error.after(count))?;
        Ok(Discovery { ranks, records, ends })
    }
}

/// What the threads share.
struct Search<'s, 'g> {
    codes: &'s Codes<'g>,
    size: u64,
    marked: &'s CodeSet,
}

impl Search<'_, '_> {
    fn reachable<const SHARED: bool>(&self, workers: &mut [Worker], monitor: &mut Monitor) -> Result<(), Error> {
        let memory = monitor.memory().clone();
        let mut level = vec![List::in_segments(&memory)];
        for &root in self.codes.roots {
            let root = self.codes.canonical(root);
            if root >= self.size {
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
        if list.len() < 1024 || (list.len() as u64) < self.size / 64 {
            return Ok(());
        }
        if sorting.is_none() {
            *sorting = Some(CodeSet::new(self.size, memory)?);
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
        let Worker { records, ends, next, options, expanded } = worker;
        *expanded += 1;
        if !expand(self.codes, self.size, code, options)? {
            let result = options.gains.first().copied().unwrap_or(0);
            return ends[(result.signum() + 1) as usize].push(code);
        }
        for &option in &options.codes {
            if self.marked.mark::<SHARED>(option as u32) {
                next.push(option as u32)?;
            }
        }
        // Rather expand everything again later than give up.
        if let Some(kept) = records
            && kept.push(code, &options.codes, &options.same).is_err()
        {
            *records = None;
        }
        Ok(())
    }
}

/// Finds the options of a position, each as the code that stands for it; false if play is over.
#[inline(always)]
pub(crate) fn expand(codes: &Codes, size: u64, code: u32, options: &mut Options) -> Result<bool, Error> {
    match codes.game.expand(u64::from(code), options) {
        Expanded::Options => {}
        Expanded::Fault => return Err(Error::Fault(u64::from(code))),
        Expanded::End => return Ok(false),
    }
    codes.canonical_options(options);
    if options.codes.len() >= MOST_OPTIONS {
        return Err(Error::too_many(0));
    }
    let largest = options.codes.iter().fold(0, |largest, &option| option.max(largest));
    if largest >= size {
        return Err(Error::outside(largest));
    }
    Ok(true)
}
