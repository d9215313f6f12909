//! The positions and moves of a game whose positions can repeat: each position expanded once, breadth-first, on a map
//! of one bit a code, or code by code where all are wanted.
//!
//! Moves are kept as they come, in buckets, 8 bytes each. If the memory does not reach for that, they are forgotten and
//! only counted, and positions are expanded again when moves are turned round: less memory, more time.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use game::codes::{Expanded, Options};

use crate::codes::Codes;
use crate::codes::buckets::{Buckets, Division, marked};
use crate::codes::cell::Ordered;
use crate::codes::crew::share;
use crate::codes::list::List;
use crate::error::Error;
use crate::memory::{Lease, Memory};
use crate::monitor::Monitor;

/// Which positions are valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Those that can be reached from the roots.
    Reachable,
    /// All codes, each of which must be a position.
    Whole,
}

/// Codes handed out at a time where all are expanded.
const STRETCH: u64 = 1 << 12;

/// Fewer positions than this are not worth waking other threads.
pub(crate) const WORTH_SHARING: usize = 4096;

/// What one worker found.
#[derive(Debug)]
pub(crate) struct Found {
    /// All moves, unless they were forgotten.
    pub moves: Option<Buckets>,
    /// How many lead to each bucket.
    pub leading: Vec<u64>,
    /// Won and lost ends.
    pub ends: List,
    /// Declared draws.
    pub draws: List,
    /// Positions met and not expanded.
    next: List,
    options: Options,
    expanded: u64,
}

impl Found {
    fn new(division: Division, memory: &Memory) -> Found {
        Found {
            moves: Some(Buckets::new(division, memory)),
            leading: vec![0; division.count],
            ends: List::new(memory),
            draws: List::new(memory),
            next: List::new(memory),
            options: Options::default(),
            expanded: 0,
        }
    }
}

/// All positions, and what is known of each before the analysis.
pub(crate) struct Discovery {
    /// Won and lost ends are settled; positions with options have their number as a counter; draws have 0.
    pub cells: Vec<AtomicU32>,
    pub lease: Lease,
    pub division: Division,
    /// One bit a code that was met; `None` if all are positions.
    pub seen: Option<Seen>,
    pub found: Vec<Found>,
    pub positions: u64,
}

/// A map of codes.
pub(crate) struct Seen {
    words: Vec<AtomicU64>,
    _lease: Lease,
}

impl Seen {
    fn new(size: u64, memory: &Memory) -> Result<Seen, Error> {
        let mut lease = memory.lease();
        let count = size.div_ceil(64);
        lease.grow(count * 8)?;
        let mut words = lease.vector(count as usize)?;
        words.resize_with(count as usize, AtomicU64::default);
        Ok(Seen { words, _lease: lease })
    }

    /// Marks a code; returns whether it was new.
    #[inline(always)]
    fn mark<const SHARED: bool>(&self, code: u32) -> bool {
        let (word, bit) = (&self.words[code as usize / 64], 1 << (code % 64));
        let held = word.load(Relaxed);
        if held & bit != 0 {
            return false;
        }
        if SHARED {
            return word.fetch_or(bit, Relaxed) & bit == 0;
        }
        word.store(held | bit, Relaxed);
        true
    }

    /// Whether a code is marked.
    #[inline(always)]
    pub fn has(&self, code: u32) -> bool {
        self.words[code as usize / 64].load(Relaxed) >> (code % 64) & 1 != 0
    }
}

impl Discovery {
    /// Expands all positions.
    pub fn new(codes: &Codes, size: u64, extent: Extent, monitor: &mut Monitor) -> Result<Discovery, Error> {
        let memory = monitor.memory().clone();
        let mut lease = memory.lease();
        lease.grow(size * 4)?;
        let mut cells = lease.vector(size as usize)?;
        pages::prefer_large(&mut cells);
        cells.resize_with(size as usize, AtomicU32::default);
        let seen = if extent == Extent::Whole { None } else { Some(Seen::new(size, &memory)?) };
        let division = Division::of(size);
        let mut discovery = Discovery { cells, lease, division, seen, found: Vec::new(), positions: size };
        let mut found: Vec<Found> = (0..codes.threads.max(1)).map(|_| Found::new(division, &memory)).collect();
        let done = match (extent, codes.threads > 1) {
            (Extent::Whole, _) => discovery.whole(codes, &mut found, monitor),
            (Extent::Reachable, false) => discovery.reachable::<false>(codes, &mut found, monitor),
            (Extent::Reachable, true) => discovery.reachable::<true>(codes, &mut found, monitor),
        };
        discovery.positions = found.iter().map(|found| found.expanded).sum();
        discovery.found = found;
        done.map_err(|error| error.after(discovery.positions))?;
        Ok(discovery)
    }

    fn whole(&self, codes: &Codes, found: &mut [Found], monitor: &mut Monitor) -> Result<(), Error> {
        let size = self.cells.len() as u64;
        let work = |chunk: usize, found: &mut Found| {
            let first = chunk as u64 * STRETCH;
            (first..size.min(first + STRETCH)).try_for_each(|code| self.expand::<false>(codes, code as u32, found))
        };
        share(found, size.div_ceil(STRETCH) as usize, monitor, &|| (0, 0), &work)
    }

    fn reachable<const SHARED: bool>(
        &self,
        codes: &Codes,
        found: &mut [Found],
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        let memory = monitor.memory().clone();
        let mut level = vec![List::new(&memory)];
        for &root in codes.roots {
            let root = codes.canonical(root);
            if root >= self.cells.len() as u64 {
                return Err(Error::outside(root));
            }
            if self.mark::<SHARED>(root as u32) {
                level[0].push(root as u32)?;
            }
        }
        let mut met = 0;
        let mut sorting = None;
        while level.iter().any(|list| list.len() > 0) {
            met += level.iter().map(|list| list.len() as u64).sum::<u64>();
            let blocks: Vec<&[u32]> = level.iter().flat_map(List::blocks).map(Vec::as_slice).collect();
            let work = |chunk: usize, found: &mut Found| {
                blocks[chunk].iter().try_for_each(|&code| self.expand::<SHARED>(codes, code, found))
            };
            let few = blocks.iter().map(|block| block.len()).sum::<usize>() < WORTH_SHARING;
            let workers = if few { 1 } else { found.len() };
            share(&mut found[..workers], blocks.len(), monitor, &|| (met, 0), &work)?;
            level.resize_with(found.len(), || List::new(&memory));
            for (list, found) in level.iter_mut().zip(found.iter_mut()) {
                list.clear();
                std::mem::swap(list, &mut found.next);
                self.sort(list, &mut sorting, &memory)?;
            }
        }
        Ok(())
    }

    /// Sorts a long list of codes, so that the expander goes through its own tables in order, which is most of the time
    /// of a search on a random digraph. Does nothing to short ones, for which it would cost more than it saves.
    fn sort(&self, list: &mut List, sorting: &mut Option<Seen>, memory: &Memory) -> Result<(), Error> {
        let size = self.cells.len();
        if list.len() < 1024 || list.len() < size / 64 {
            return Ok(());
        }
        if sorting.is_none() {
            *sorting = Some(Seen::new(size as u64, memory)?);
        }
        let Some(map) = sorting else { return Ok(()) };
        list.iter().for_each(|code| {
            map.mark::<false>(code);
        });
        let mut words = map.words.iter_mut().enumerate();
        let mut rest = (0, 0);
        list.refill(|| {
            while rest.1 == 0 {
                rest = match words.next() {
                    Some((index, word)) => (index as u32 * 64, std::mem::take(word.get_mut())),
                    None => return 0,
                };
            }
            let bit = rest.1.trailing_zeros();
            rest.1 &= rest.1 - 1;
            rest.0 + bit
        });
        Ok(())
    }

    #[inline(always)]
    fn mark<const SHARED: bool>(&self, code: u32) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.mark::<SHARED>(code))
    }

    #[inline(always)]
    fn expand<const SHARED: bool>(&self, codes: &Codes, code: u32, found: &mut Found) -> Result<(), Error> {
        found.expanded += 1;
        match codes.game.expand(u64::from(code), &mut found.options) {
            Expanded::Options => {}
            Expanded::Fault => return Err(Error::Fault(u64::from(code))),
            Expanded::End => {
                let result = found.options.gains.first().copied().unwrap_or(0);
                if result == 0 {
                    return Ok(found.draws.push(code)?);
                }
                self.cells[code as usize].store(Ordered::<32>::end(result) as u32, Relaxed);
                return Ok(found.ends.push(code)?);
            }
        }
        codes.canonical_options(&mut found.options);
        let count = found.options.codes.len();
        if count as u64 >= Ordered::<32>::NEVER {
            return Err(Error::too_many(0));
        }
        self.cells[code as usize].store(count as u32, Relaxed);
        let options = found.options.codes.as_slice();
        let largest = options.iter().fold(0, |largest, &option| option.max(largest));
        if largest >= self.cells.len() as u64 {
            return Err(Error::outside(largest));
        }
        if let Some(seen) = &self.seen {
            for &option in options {
                if seen.mark::<SHARED>(option as u32) {
                    found.next.push(option as u32)?;
                }
            }
        }
        let mut kept = 0;
        if let Some(moves) = &mut found.moves {
            match moves.push_all(code, options, &found.options.same) {
                Ok(()) => return Ok(()),
                Err(pushed) => kept = pushed,
            }
            // Rather expand everything again later than give up.
            (0..self.division.count).for_each(|bucket| found.leading[bucket] = moves.len(bucket) as u64);
            found.moves = None;
        }
        options[kept..].iter().for_each(|&option| found.leading[self.division.bucket(option as u32)] += 1);
        Ok(())
    }

    /// Expands all positions again for the moves that lead to some buckets.
    pub fn moves_to(
        &self,
        buckets: std::ops::Range<usize>,
        codes: &Codes,
        monitor: &mut Monitor,
    ) -> Result<Vec<Buckets>, Error> {
        let memory = monitor.memory().clone();
        let workers = self.found.len();
        let mut states: Vec<(Buckets, Options)> =
            (0..workers).map(|_| (Buckets::new(self.division, &memory), Options::default())).collect();
        let size = self.cells.len() as u64;
        let work = |chunk: usize, (moves, options): &mut (Buckets, Options)| {
            let first = chunk as u64 * STRETCH;
            for code in first..size.min(first + STRETCH) {
                let cell = self.cells[code as usize].load(Relaxed);
                if cell == 0 || Ordered::<32>::is_settled(u64::from(cell)) {
                    continue;
                }
                if codes.game.expand(code, options) != Expanded::Options {
                    return Err(Error::internal(format!("position {code} had options before")));
                }
                codes.canonical_options(options);
                for (&option, &same) in options.codes.iter().zip(&options.same) {
                    if buckets.contains(&self.division.bucket(option as u32)) {
                        moves.push(option as u32, code as u32 | marked(same))?;
                    }
                }
            }
            Ok(())
        };
        share(&mut states, size.div_ceil(STRETCH) as usize, monitor, &|| (self.positions, 0), &work)?;
        Ok(states.into_iter().map(|(moves, _)| moves).collect())
    }
}
