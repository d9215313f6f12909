//! The positions and moves of a game on dense codes.
//!
//! Each position that can be reached is expanded once: breadth-first, with a map of one bit a code that says which were met.
//! Threads share the work. Moves are kept as they come ([`Records`]); if the memory does not reach for that, they are
//! forgotten, and positions are expanded again whenever moves are asked for.
//!
//! A snapshot holds the positions met, the moves of those that were expanded, and the ones that were not. It does not depend on the
//! level: a later run goes on from what is left in any order.

use std::io;
use std::sync::atomic::Ordering::Relaxed;

use game::codes::{Expanded, Options};

use crate::codes::ranks::Ranks;
use crate::codes::records::{MOST_OPTIONS, Records, is_sound};
use crate::codes::source::Codes;
use crate::crew::{Slices, share};
use crate::error::Error;
use crate::keeping::{Keeping, Loader, Saver, Unloaded, loaded};
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
    /// Expands all positions, from a snapshot on where there is one.
    pub fn new(codes: &Codes, size: u64, identity: &str, monitor: &mut Monitor) -> Result<Discovery, Error> {
        let memory = monitor.memory().clone();
        let mut begun = None;
        if let Some(loader) = monitor.keeping().and_then(|keeping| keeping.load(FOUND, identity)) {
            begun = loaded(Begun::load(loader, size, codes.threads, &memory))?;
        }
        let Begun { marked, mut workers, level } = match begun {
            Some(begun) => begun,
            None => Begun::new(codes, size, &memory)?,
        };
        let search = Search { codes, size, marked: &marked, identity };
        let done = match codes.threads > 1 {
            false => search.reachable::<false>(&mut workers, level, monitor),
            true => search.reachable::<true>(&mut workers, level, monitor),
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
        // Rather expand everything again than have no memory for ranks and values.
        if memory.free() < size / 16 + 5 * count {
            records = None;
        }
        let ranks = Ranks::new(marked, size, monitor).map_err(|error| error.after(count))?;
        Ok(Discovery { ranks, records, ends })
    }
}

/// The name of the snapshot.
pub(crate) const FOUND: &str = "found";

/// Positions met so far, what was found of them, and those that are still to be expanded.
struct Begun {
    marked: CodeSet,
    workers: Vec<Worker>,
    level: List,
}

impl Begun {
    fn empty(size: u64, threads: usize, memory: &Memory) -> Result<Begun, Error> {
        let marked = CodeSet::new(size, memory)?;
        let workers = (0..threads.max(1)).map(|_| Worker::new(memory)).collect();
        Ok(Begun { marked, workers, level: List::in_segments(memory) })
    }

    /// The roots.
    fn new(codes: &Codes, size: u64, memory: &Memory) -> Result<Begun, Error> {
        let mut begun = Begun::empty(size, codes.threads, memory)?;
        for &root in codes.roots {
            let root = codes.canonical(root);
            if root >= size {
                return Err(Error::outside(root));
            }
            if begun.marked.mark::<false>(root as u32) {
                begun.level.push(root as u32)?;
            }
        }
        Ok(begun)
    }

    fn load(mut loader: Loader, size: u64, threads: usize, memory: &Memory) -> Result<Begun, Unloaded> {
        let mut begun = Begun::empty(size, threads, memory)?;
        loader.shared_bitmap(begun.marked.words())?;
        loader.list(size, &mut begun.level)?;
        let Worker { records, ends, expanded, .. } = &mut begun.workers[0];
        ends.iter_mut().try_for_each(|list| loader.list(size, list))?;
        *expanded = loader.number()?;
        let blocks = loader.number()?;
        let has_records = blocks != NO_RECORDS;
        for _ in 0..if has_records { blocks } else { 0 } {
            let Some(kept) = records else { break };
            let length = loader.below(1 << 32)? as usize;
            match kept.add_read(length) {
                Ok(block) => {
                    let read = |numbers: &[u32]| {
                        block.extend_from_slice(numbers);
                        Ok(())
                    };
                    loader.numbers(length as u64, 1 << 32, &mut { read })?;
                    if block.len() != length || !is_sound(block, size) {
                        return Err(Unloaded::Damaged);
                    }
                }
                // There is less memory now.
                Err(_) => *records = None,
            }
        }
        if !has_records {
            begun.workers.iter_mut().for_each(|worker| worker.records = None);
        }
        Ok(begun)
    }
}

/// In place of the number of blocks: moves were forgotten.
const NO_RECORDS: u64 = u64::MAX;

/// What the threads share.
struct Search<'s, 'g> {
    codes: &'s Codes<'g>,
    size: u64,
    marked: &'s CodeSet,
    identity: &'s str,
}

impl Search<'_, '_> {
    fn reachable<const SHARED: bool>(
        &self,
        workers: &mut [Worker],
        first: List,
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        let memory = monitor.memory().clone();
        let was_complete = first.is_empty();
        let mut level = vec![first];
        let mut met = workers.iter().map(|worker| worker.expanded).sum::<u64>();
        let mut sorting = None;
        while level.iter().any(|list| !list.is_empty()) {
            met += level.iter().map(|list| list.len() as u64).sum::<u64>();
            let blocks: Vec<&[u32]> = level.iter().flat_map(List::blocks).collect();
            let few = blocks.iter().map(|block| block.len()).sum::<usize>() < WORTH_SHARING;
            let count = if few { 1 } else { workers.len() };
            for slice in Slices::new(0..blocks.len(), monitor) {
                let now = &blocks[slice.clone()];
                let work = |chunk: usize, worker: &mut Worker| {
                    now[chunk].iter().try_for_each(|&code| self.expand::<SHARED>(code, worker))
                };
                share(&mut workers[..count], now.len(), monitor, &|| (met, 0), &work)?;
                if let Some(keeping) = monitor.keeping_due() {
                    self.save(workers, &blocks[slice.end..], keeping);
                }
            }
            level.resize_with(workers.len(), || List::in_segments(&memory));
            for (list, worker) in level.iter_mut().zip(workers.iter_mut()) {
                list.truncate(0);
                std::mem::swap(list, &mut worker.next);
                self.sort(list, &mut sorting, &memory)?;
            }
        }
        // Moves are changed from here on.
        let is_new = |keeping: &&mut Keeping| keeping.is_long() && !was_complete;
        if let Some(keeping) = monitor.keeping().filter(is_new) {
            self.save(workers, &[], keeping);
        }
        Ok(())
    }

    /// Makes a snapshot; these positions of the level were not expanded.
    fn save(&self, workers: &[Worker], left: &[&[u32]], keeping: &mut Keeping) {
        let records: Option<Vec<&Records>> = workers.iter().map(|worker| worker.records.as_ref()).collect();
        let blocks: Option<Vec<&Vec<u32>>> =
            records.map(|records| records.iter().flat_map(|records| records.blocks()).collect());
        let numbers = |blocks: &Vec<&Vec<u32>>| blocks.iter().map(|block| block.len() as u64).sum::<u64>();
        let bytes = self.size / 8 + 4 * blocks.as_ref().map_or(0, numbers);
        keeping.save(FOUND, self.identity, bytes, |to| {
            let words = self.marked.words();
            to.bitmap(words.len(), |index| words[index].load(Relaxed))?;
            let next = || workers.iter().map(|worker| &worker.next);
            let count = left.iter().map(|block| block.len()).sum::<usize>() + next().map(List::len).sum::<usize>();
            let expanded_later = left.iter().flat_map(|block| block.iter().copied());
            to.numbers(count, expanded_later.chain(next().flat_map(List::iter)))?;
            (0..3).try_for_each(|end| to.lists(workers.iter().map(move |worker| &worker.ends[end])))?;
            to.number(workers.iter().map(|worker| worker.expanded).sum())?;
            save_blocks(blocks.as_deref(), to)
        });
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

fn save_blocks(blocks: Option<&[&Vec<u32>]>, to: &mut Saver) -> io::Result<()> {
    let Some(blocks) = blocks else { return to.number(NO_RECORDS) };
    to.number(blocks.len() as u64)?;
    for block in blocks {
        to.number(block.len() as u64)?;
        to.numbers(block.len(), block.iter().copied())?;
    }
    Ok(())
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
