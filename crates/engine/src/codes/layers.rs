//! Hashed positions in layers: a number is known that every move lowers, so positions are found from the highest layer
//! down and valued from the lowest up.
//!
//! Each layer has hash tables of its own, and nothing waits on a stack: the positions of a layer are independent, so
//! threads share them and the look-ups of many positions are asked for at once. The price is that every position is
//! expanded twice and every option looked up twice, and tables of one layer have no neighbours to share entries: one
//! thread takes about three times as long as [`hashed_search`]. For threads, tables are divided by hash into shards:
//! all expand, then each adds to shards of its own.

use std::sync::Mutex;

use game::codes::{Expanded, Options};

use crate::codes::cell::OPEN;
use crate::codes::hashed::{Hashed, Spot};
use crate::codes::kind::{Rule, with_hashed_rule};
use crate::codes::line::{InLines, Line};
use crate::codes::search::hashed_search;
use crate::codes::source::{Codes, Map};
use crate::codes::store::Cells;
use crate::codes::table::CodeTable;
use crate::crew::share;
use crate::error::Error;
use crate::memory::{Lease, Memory};
use crate::monitor::Monitor;

/// More layers than this are not kept apart.
const MOST_LAYERS: u64 = 1 << 22;
/// So many options are looked up at a time.
const BATCH: usize = 192;
/// Shards for threads.
const SHARDS: usize = 16;
/// Lines that are expanded in one round where threads hand options on to each other.
const ROUND: usize = 1 << 14;

/// With fewer threads than this, one of them is faster without layers.
const WORTH_THREADS: usize = 4;

/// Values all positions that can be reached from the roots, in layers if that is worth it: there are enough threads,
/// and not so many layers that the list of them is a burden. Every move must lead to a code with a smaller `layer`.
pub fn layered_search(codes: &Codes, layer: Map, monitor: &mut Monitor) -> Result<CodeTable, Error> {
    let highest = codes.roots.iter().map(|&root| layer(codes.canonical(root))).max().unwrap_or(0);
    let list = highest.saturating_mul((SHARDS * size_of::<usize>()) as u64);
    if codes.threads < WORTH_THREADS || highest >= MOST_LAYERS || list > monitor.memory().free() / 8 {
        return hashed_search(codes, monitor);
    }
    always_layered_search(codes, layer, monitor)
}

/// Values all positions that can be reached from the roots, always in layers; see [`layered_search`].
pub fn always_layered_search(codes: &Codes, layer: Map, monitor: &mut Monitor) -> Result<CodeTable, Error> {
    with_hashed_rule!(codes.kind, Chosen => {
        type Cell = <Chosen as Rule>::Cell;
        if codes.have_short_keys() {
            search::<Chosen, <Cell as InLines>::Short>(codes, layer, monitor)
        } else {
            search::<Chosen, <Cell as InLines>::Plain>(codes, layer, monitor)
        }
    })
}

fn search<R: Rule, L: Line>(codes: &Codes, layer: Map, monitor: &mut Monitor) -> Result<CodeTable, Error> {
    let mut layers = Layers::<L>::new(codes, layer, monitor.memory())?;
    monitor.enter("finding positions");
    let found = layers.find_all(codes, monitor).map_err(|error| error.after(layers.positions));
    found?;
    monitor.enter_expecting("valuing layers", layers.positions);
    layers.value_all::<R>(codes, monitor).map_err(|error| error.after(layers.positions))?;
    let positions = layers.positions;
    Ok(CodeTable::new(Box::new(layers), R::READING, positions, Vec::new(), codes.canonical.clone()))
}

/// The tables of one shard, by layer.
type Shard<L> = Vec<Option<Box<Hashed<L>>>>;

struct Layers<L> {
    shards: Vec<Shard<L>>,
    layer: Map,
    positions: u64,
    memory: Memory,
    /// For the list of layers.
    lease: Lease,
}

/// Options that wait to be looked up together.
#[derive(Default)]
struct Batch {
    codes: Vec<u64>,
    spots: Vec<Option<Spot>>,
    layers: Vec<u32>,
    same: Vec<u8>,
    gains: Vec<i64>,
    /// Where they come from: the place, the code, and where its options end.
    origins: Vec<Origin>,
    options: Options,
}

struct Origin {
    line: usize,
    entry: usize,
    code: u64,
    end: usize,
}

impl Batch {
    fn clear(&mut self) {
        self.codes.clear();
        self.spots.clear();
        self.layers.clear();
        self.same.clear();
        self.gains.clear();
        self.origins.clear();
    }

    /// Expands a position of a layer and adds its options; what it is worth if it is an end.
    #[inline(always)]
    fn expand<L: Line>(
        &mut self,
        codes: &Codes,
        layers: &Layers<L>,
        level: u64,
        code: u64,
    ) -> Result<Option<i64>, Error> {
        match codes.game.expand(code, &mut self.options) {
            Expanded::Options => {}
            Expanded::End => return Ok(Some(self.options.gains.first().copied().unwrap_or(0))),
            Expanded::Fault => return Err(Error::Fault(code)),
        }
        codes.canonical_options(&mut self.options);
        for &option in &self.options.codes {
            let layer = (layers.layer)(option);
            if layer >= level {
                let why = format!("a move from position {code} to {option} does not lower the measure");
                return Err(Error::NotApplicable(why));
            }
            let table = &layers.shards[layers.shard(option)][layer as usize];
            self.spots.push(table.as_ref().map(|table| table.spot_ahead(option)));
            self.codes.push(option);
            self.layers.push(layer as u32);
        }
        Ok(None)
    }
}

impl<L: Line> Layers<L> {
    fn new(codes: &Codes, layer: Map, memory: &Memory) -> Result<Layers<L>, Error> {
        let roots: Vec<u64> = codes.roots.iter().map(|&root| codes.canonical(root)).collect();
        let count = roots.iter().map(|&root| layer(root)).max().unwrap_or(0).saturating_add(1);
        if count > MOST_LAYERS {
            return Err(Error::NotApplicable(format!("{count} layers are too many")));
        }
        let shards = if codes.threads > 1 { SHARDS } else { 1 };
        let mut lease = memory.lease();
        lease.grow(count * shards as u64 * size_of::<Option<Box<Hashed<L>>>>() as u64)?;
        let list = || (0..count).map(|_| None).collect::<Shard<L>>();
        let shards = (0..shards).map(|_| list()).collect();
        let mut layers = Layers { shards, layer, positions: 0, memory: memory.clone(), lease };
        for root in roots {
            let (layer, shard) = ((layers.layer)(root), layers.shard(root));
            layers.positions += u64::from(add(&mut layers.shards[shard], layer, root, memory)?);
        }
        Ok(layers)
    }

    #[inline(always)]
    fn shard(&self, code: u64) -> usize {
        (code.wrapping_mul(0xa24b_aed4_963e_e407) >> 56) as usize & (self.shards.len() - 1)
    }

    fn take(&mut self, level: usize) -> Vec<Option<Box<Hashed<L>>>> {
        self.shards.iter_mut().map(|shard| shard[level].take()).collect()
    }

    fn put_back(&mut self, level: usize, tables: Vec<Option<Box<Hashed<L>>>>) {
        self.shards.iter_mut().zip(tables).for_each(|(shard, table)| shard[level] = table);
    }

    fn find_all(&mut self, codes: &Codes, monitor: &mut Monitor) -> Result<(), Error> {
        let mut batch = Batch::default();
        for level in (1..self.shards[0].len()).rev() {
            let tables = self.take(level);
            let found = if self.shards.len() == 1 {
                self.find_below(codes, level as u64, &tables, &mut batch, monitor)
            } else {
                self.find_below_shared(codes, level as u64, &tables, monitor)
            };
            self.put_back(level, tables);
            found?;
        }
        Ok(())
    }

    /// Adds the options of all positions of a layer.
    fn find_below(
        &mut self,
        codes: &Codes,
        level: u64,
        tables: &[Option<Box<Hashed<L>>>],
        batch: &mut Batch,
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        for line in tables.iter().flatten().flat_map(|table| table.lines()).flatten() {
            for (_, code) in positions(line) {
                batch.expand(codes, self, level, code)?;
            }
            if batch.codes.len() >= BATCH {
                monitor.tick(self.positions, 0)?;
                self.add_batch(batch)?;
            }
        }
        self.add_batch(batch)
    }

    fn add_batch(&mut self, batch: &mut Batch) -> Result<(), Error> {
        for (&code, &layer) in batch.codes.iter().zip(&batch.layers) {
            let shard = self.shard(code);
            self.positions += u64::from(add(&mut self.shards[shard], u64::from(layer), code, &self.memory)?);
        }
        batch.clear();
        Ok(())
    }

    /// Adds the options of all positions of a layer with threads, in rounds: some lines of the layer are expanded by all
    /// and their options sorted by shard,
    /// then shards are added to by one thread each.
    fn find_below_shared(
        &mut self,
        codes: &Codes,
        level: u64,
        tables: &[Option<Box<Hashed<L>>>],
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        let lines: Vec<&[L]> = tables
            .iter()
            .flatten()
            .flat_map(|table| table.lines())
            .flat_map(|lines| lines.chunks(ROUND / 16))
            .collect();
        let count = lines.iter().map(|lines| lines.len()).sum::<usize>();
        let workers = if count < 256 { 1 } else { codes.threads };
        let mut states: Vec<Handed> = (0..workers).map(|_| Handed::new(self.shards.len(), &self.memory)).collect();
        for round in lines.chunks(16) {
            let met = self.positions;
            let work = |chunk: usize, handed: &mut Handed| handed.expand(codes, self, level, round[chunk]);
            share(&mut states, round.len(), monitor, &|| (met, 0), &work)?;
            let memory = self.memory.clone();
            let shards: Vec<Mutex<&mut Shard<L>>> = self.shards.iter_mut().map(Mutex::new).collect();
            let work = |chunk: usize, new: &mut u64| {
                let mut shard = shards[chunk].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                for &(code, layer) in states.iter().flat_map(|handed| &handed.by_shard[chunk]) {
                    *new += u64::from(add(&mut shard, u64::from(layer), code, &memory)?);
                }
                Ok(())
            };
            let mut new = vec![0; workers];
            share(&mut new, shards.len(), monitor, &|| (met, 0), &work)?;
            drop(shards);
            self.positions += new.iter().sum::<u64>();
            states.iter_mut().for_each(Handed::clear);
        }
        Ok(())
    }

    fn value_all<R: Rule>(&mut self, codes: &Codes, monitor: &mut Monitor) -> Result<(), Error> {
        let mut batches: Vec<Batch> = (0..codes.threads.max(1)).map(|_| Batch::default()).collect();
        let mut settled = 0;
        for level in 0..self.shards[0].len() {
            let mut tables = self.take(level);
            let lines: Vec<Mutex<&mut [L]>> = tables
                .iter_mut()
                .flatten()
                .flat_map(|table| table.lines_mut())
                .flat_map(|lines| lines.chunks_mut(ROUND / 16))
                .map(Mutex::new)
                .collect();
            let work = |chunk: usize, batch: &mut Batch| {
                let mut lines = lines[chunk].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                self.value_lines::<R>(codes, level as u64, &mut lines, batch)
            };
            let workers = if lines.len() < 2 { 1 } else { batches.len() };
            let valued = share(&mut batches[..workers], lines.len(), monitor, &|| (self.positions, settled), &work);
            drop(lines);
            settled += tables.iter().flatten().map(|table| table.len()).sum::<u64>();
            self.put_back(level, tables);
            valued?;
        }
        Ok(())
    }

    /// Values the positions of some lines of a layer; all layers below are valued.
    fn value_lines<R: Rule>(&self, codes: &Codes, level: u64, lines: &mut [L], batch: &mut Batch) -> Result<(), Error> {
        for index in 0..lines.len() {
            for (entry, code) in positions(&lines[index].clone()) {
                if let Some(gain) = batch.expand(codes, self, level, code)? {
                    let cell = R::end(gain).map_err(|error| error.at(code, self.positions))?;
                    lines[index].set(entry, Hashed::<L>::low(code), cell);
                    continue;
                }
                let count = batch.options.codes.len();
                batch.same.extend_from_slice(&batch.options.same[..count]);
                if R::SCORED {
                    batch.gains.extend_from_slice(&batch.options.gains[..count]);
                }
                batch.origins.push(Origin { line: index, entry, code, end: batch.codes.len() });
            }
            if batch.codes.len() >= BATCH {
                self.value_batch::<R>(lines, batch)?;
            }
        }
        self.value_batch::<R>(lines, batch)
    }

    fn value_batch<R: Rule>(&self, lines: &mut [L], batch: &mut Batch) -> Result<(), Error> {
        let mut few = [0; 4];
        let mut many = Vec::new();
        let mut start = 0;
        for origin in &batch.origins {
            let words = R::words(origin.end - start);
            let fold = if words <= few.len() {
                &mut few[..words]
            } else {
                many.resize(words, 0);
                many.as_mut_slice()
            };
            fold.fill(0);
            for index in start..origin.end {
                let option = batch.codes[index];
                let table = &self.shards[self.shard(option)][batch.layers[index] as usize];
                let cell = match (table, batch.spots[index]) {
                    (Some(table), Some(spot)) => table.get(option, spot),
                    _ => 0,
                };
                if !R::is_settled(cell) {
                    let what = format!("position {} was valued before an option", origin.code);
                    return Err(Error::internal(what));
                }
                let gain = if R::SCORED { batch.gains[index] } else { 0 };
                R::fold(fold, cell, batch.same[index] != 0, gain)
                    .map_err(|error| error.at(origin.code, self.positions))?;
            }
            start = origin.end;
            let cell = R::finish(fold).map_err(|error| error.at(origin.code, self.positions))?;
            lines[origin.line].set(origin.entry, Hashed::<L>::low(origin.code), cell);
        }
        batch.clear();
        Ok(())
    }
}

/// Adds a code to a layer of a shard; returns whether it was new.
#[inline(always)]
fn add<L: Line>(shard: &mut Shard<L>, layer: u64, code: u64, memory: &Memory) -> Result<bool, Error> {
    let table = &mut shard[layer as usize];
    let table = match table {
        Some(table) => table,
        None => table.insert(Box::new(Hashed::new(memory)?)),
    };
    Ok(table.put(code, OPEN)? == 0)
}

/// The positions of a line: entry and code.
fn positions<L: Line>(line: &L) -> impl Iterator<Item = (usize, u64)> + '_ {
    let places = (0..L::ENTRIES).flat_map(|entry| (0..L::CELLS).map(move |low| (entry, low)));
    let used = places.filter(|&(entry, low)| line.key(entry) != 0 && line.cell(entry, low) != 0);
    used.map(|(entry, low)| (entry, Hashed::<L>::code(line.key(entry), low)))
}

/// Options that one thread hands on to others, by shard.
struct Handed {
    by_shard: Vec<Vec<(u64, u32)>>,
    batch: Batch,
    lease: Lease,
}

impl Handed {
    fn new(shards: usize, memory: &Memory) -> Handed {
        Handed { by_shard: vec![Vec::new(); shards], batch: Batch::default(), lease: memory.lease() }
    }

    fn clear(&mut self) {
        self.by_shard.iter_mut().for_each(Vec::clear);
    }

    fn expand<L: Line>(&mut self, codes: &Codes, layers: &Layers<L>, level: u64, lines: &[L]) -> Result<(), Error> {
        for line in lines {
            for (_, code) in positions(line) {
                self.batch.expand(codes, layers, level, code)?;
            }
            for (&code, &layer) in self.batch.codes.iter().zip(&self.batch.layers) {
                self.by_shard[layers.shard(code)].push((code, layer));
            }
            self.batch.clear();
        }
        let room = self.by_shard.iter().map(|list| list.capacity() * size_of::<(u64, u32)>()).sum::<usize>();
        self.lease.resize(room as u64)
    }
}

impl<L: Line> Cells for Layers<L> {
    fn cell(&self, code: u64) -> u64 {
        let table = self.shards[self.shard(code)].get((self.layer)(code) as usize).and_then(Option::as_ref);
        table.map_or(0, |table| table.get(code, table.spot(code)))
    }

    fn entries(&self) -> Box<dyn Iterator<Item = (u64, u64)> + '_> {
        Box::new(self.shards.iter().flatten().flatten().flat_map(|table| table.entries()))
    }

    fn near(&self, random: u64, settled: &dyn Fn(u64) -> bool) -> Option<u64> {
        let mut skip = ((u128::from(random) * u128::from(self.positions)) >> 64) as u64;
        for table in self.shards.iter().flatten().flatten() {
            if skip < table.len() {
                return table.near(random.rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15), settled);
            }
            skip -= table.len();
        }
        None
    }

    fn bytes(&self) -> u64 {
        self.lease.bytes() + self.shards.iter().flatten().flatten().map(|table| table.bytes()).sum::<u64>()
    }
}
