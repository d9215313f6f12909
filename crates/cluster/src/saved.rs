//! Snapshots of a run, from which a later one goes on.
//!
//! Between two epochs nothing is under way, so what the workers hold then belongs together. Now and then each of them writes what it
//! holds into a file of its own, under the number of the epoch. Two such files are kept: the last one that all workers have, and one
//! that may be under way when a process dies. A run that begins looks for the last number that all have.
//!
//! A snapshot has the keys, what is known of each position, the level, and the arrows. The hash table is made anew.

use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use engine::memory::Memory;
use table::Snapshots;

use crate::column::Column;
use crate::error::Trouble;
use crate::holding::Holding;
use crate::post::Post;
use crate::whole::part_name;

/// The names of the two files.
const SLOTS: [&str; 2] = ["one", "other"];
/// Snapshots may take this share of the time: one in so many parts.
const SHARE: u32 = 10;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Positions are found.
    Discovery,
    /// Won and lost ends are carried back.
    Decided,
    /// Declared draws are carried back.
    Drawn,
    /// Scores are carried back.
    Scores,
}

impl Stage {
    const ALL: [Stage; 4] = [Stage::Discovery, Stage::Decided, Stage::Drawn, Stage::Scores];

    fn number(self) -> u64 {
        Stage::ALL.iter().position(|stage| *stage == self).unwrap_or(0) as u64
    }
}

/// Where a run goes on.
pub struct Standing {
    /// How far it was.
    pub stage: Stage,
    /// The number of the level.
    pub level: u32,
    /// Its positions.
    pub positions: Column<u32>,
}

/// What tells a snapshot: the run, and the epoch. Never both the same for different states.
type Stamp = [u64; 2];

/// The snapshots of a worker.
pub struct Saved {
    snapshots: Snapshots,
    identity: String,
    every: Option<Duration>,
    due: Instant,
    stamp: Stamp,
    /// The epoch that this run began with.
    base: u64,
    /// The file that is written next.
    slot: usize,
}

impl Saved {
    /// The snapshots beside the part of a worker, made about that often; never where nothing is said.
    pub fn new(folder: &Path, post: &Post<'_>, identity: &str, every: Option<Duration>) -> Saved {
        let path = folder.join(part_name(post.index()));
        let now = Instant::now();
        let identity = format!("{identity} {} workers", post.peers());
        let run =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        Saved {
            snapshots: Snapshots::beside(&path),
            identity,
            every,
            due: now + every.unwrap_or_default(),
            stamp: [run as u64, 0],
            base: 0,
            slot: 0,
        }
    }

    /// Whether it is time for a snapshot, in the eyes of the first worker: the others do as it says.
    pub fn is_due(&self, post: &Post<'_>) -> u64 {
        u64::from(post.index() == 0 && self.every.is_some() && Instant::now() >= self.due)
    }

    /// Goes on where an earlier run was, if all workers have a snapshot of the same moment.
    pub fn load(
        &mut self,
        holding: &mut Holding,
        post: &mut Post<'_>,
        memory: &Memory,
    ) -> Result<Option<Standing>, Trouble> {
        let own: Vec<Option<Stamp>> = SLOTS.iter().map(|slot| self.stamp_of(slot)).collect();
        let mut letters = post.letters();
        for letter in &mut letters {
            own.iter().chain([&Some(self.stamp)]).for_each(|stamp| {
                letter.put(u64::from(stamp.is_some()), 1);
                stamp.unwrap_or_default().iter().for_each(|&number| letter.put(number, 64));
            });
        }
        let mut all: Vec<Vec<Stamp>> = Vec::new();
        let mut run = 0;
        post.turn(letters, [0; 4], |mut letter| {
            let mut stamps = Vec::new();
            for place in 0..=SLOTS.len() {
                let is_some = letter.packed.take(1) == 1;
                let stamp = [letter.packed.take(64), letter.packed.take(64)];
                match place == SLOTS.len() {
                    // The run is named by the first worker.
                    true if letter.from == 0 => run = stamp[0],
                    true => {}
                    false => stamps.extend(is_some.then_some(stamp)),
                }
            }
            all.push(stamps);
            Ok(())
        })?;
        self.stamp[0] = run;
        let has_all = |stamp: &&Stamp| all.iter().all(|stamps| stamps.contains(stamp));
        let common = own.iter().flatten().filter(has_all).max_by_key(|stamp| stamp[1]).copied();
        for (slot, stamp) in SLOTS.iter().zip(&own) {
            if stamp.is_none() || *stamp != common {
                self.snapshots.forget(slot);
            }
        }
        let Some(common) = common else { return Ok(None) };
        let slot = own.iter().position(|stamp| *stamp == Some(common)).unwrap_or(0);
        self.slot = 1 - slot;
        (self.stamp, self.base) = (common, common[1] + 1);
        let damaged = || Trouble::File(format!("the snapshot {} changed", self.snapshots.path(SLOTS[slot]).display()));
        let mut from = self.snapshots.load(SLOTS[slot]).ok_or_else(damaged)?;
        self.head(&mut from).ok_or_else(damaged)?;
        Ok(Some(read(&mut from, holding, memory).map_err(|trouble| trouble.unwrap_or_else(damaged))?))
    }

    /// Makes a snapshot of a moment between two epochs. Where it cannot be written, the run goes on without.
    pub fn save(
        &mut self,
        holding: &Holding,
        (stage, level, positions): (Stage, u32, &Column<u32>),
        post: &mut Post<'_>,
    ) -> Result<(), Trouble> {
        let Some(every) = self.every else { return Ok(()) };
        let began = Instant::now();
        self.stamp[1] = self.base + post.epoch();
        let (stamp, identity) = (self.stamp, self.identity.as_bytes());
        let saved = self.snapshots.save(SLOTS[self.slot], holding.bytes(), &mut |to| {
            let mut to = io::BufWriter::new(to);
            put(&mut to, identity.len() as u64)?;
            to.write_all(identity)?;
            stamp.iter().try_for_each(|&number| put(&mut to, number))?;
            write(&mut to, holding, (stage, level, positions))?;
            to.flush()
        });
        let letters = post.letters();
        let [failed, ..] = post.turn(letters, [u64::from(saved.is_err()), 0, 0, 0], |_| Ok(()))?;
        // The one before stays until all have this one.
        if failed == 0 {
            self.slot = 1 - self.slot;
        }
        self.due = Instant::now() + every.max(began.elapsed() * (SHARE - 1));
        Ok(())
    }

    /// Removes all snapshots, once the table is there.
    pub fn forget(&self) {
        SLOTS.iter().for_each(|slot| self.snapshots.forget(slot));
    }

    fn stamp_of(&self, slot: &str) -> Option<Stamp> {
        self.head(&mut self.snapshots.load(slot)?)
    }

    /// Reads the head of a snapshot of this game.
    fn head(&self, from: &mut dyn Read) -> Option<Stamp> {
        let length = take(from).ok()?;
        let mut identity = vec![0; self.identity.len()];
        if length != identity.len() as u64 {
            return None;
        }
        from.read_exact(&mut identity).ok()?;
        (identity == self.identity.as_bytes()).then_some(())?;
        Some([take(from).ok()?, take(from).ok()?])
    }
}

fn put(to: &mut dyn Write, number: u64) -> io::Result<()> {
    to.write_all(&number.to_le_bytes())
}

fn take(from: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn write(
    to: &mut dyn Write,
    holding: &Holding,
    (stage, level, positions): (Stage, u32, &Column<u32>),
) -> io::Result<()> {
    for number in [stage.number(), u64::from(level), holding.len() as u64, holding.expanded() as u64] {
        put(to, number)?;
    }
    let mut key = vec![0; holding.table.words()];
    for number in 0..holding.len() {
        holding.table.key(number as u32, &mut key);
        key.iter().try_for_each(|&word| put(to, word))?;
    }
    holding.cells.iter().try_for_each(|cell| to.write_all(&cell.to_le_bytes()))?;
    put(to, holding.options.len() as u64)?;
    holding.options.iter().try_for_each(|options| to.write_all(&options.to_le_bytes()))?;
    put(to, holding.scores.len() as u64)?;
    holding.scores.iter().try_for_each(|score| put(to, score as u64))?;
    put(to, positions.len() as u64)?;
    positions.iter().try_for_each(|position| to.write_all(&position.to_le_bytes()))?;
    holding.arrows.save(&mut |word| put(to, word))
}

/// Reads what a worker held. Without a reason, the snapshot is not what it should be.
fn read(from: &mut dyn Read, holding: &mut Holding, memory: &Memory) -> Result<Standing, Option<Trouble>> {
    let trouble = |error: engine::Error| Some(Trouble::Engine(error));
    let number = |from: &mut dyn Read| take(from).map_err(|_| None);
    let stage = *Stage::ALL.get(number(from)? as usize).ok_or(None)?;
    let (level, count, expanded) = (number(from)? as u32, number(from)?, number(from)?);
    let mut key = vec![0; holding.table.words()];
    for place in 0..count {
        for word in &mut key {
            *word = number(from)?;
        }
        let (met, _) = holding.table.intern(&key).map_err(trouble)?;
        if u64::from(met) != place {
            return Err(None);
        }
    }
    let short = |from: &mut dyn Read, count: u64, into: &mut Column<u32>| {
        let mut bytes = [0; 4];
        for _ in 0..count {
            from.read_exact(&mut bytes).map_err(|_| None::<Trouble>)?;
            into.push(u32::from_le_bytes(bytes)).map_err(trouble)?;
        }
        Ok::<(), Option<Trouble>>(())
    };
    short(from, expanded, &mut holding.cells)?;
    let options = number(from)?;
    short(from, options, &mut holding.options)?;
    for _ in 0..number(from)? {
        holding.scores.push(number(from)? as i64).map_err(trouble)?;
    }
    let mut positions = Column::new(memory);
    let left = number(from)?;
    short(from, left, &mut positions)?;
    if positions.iter().any(|position| u64::from(position) >= count) {
        return Err(None);
    }
    holding.arrows.load(&mut || take(from)).map_err(|error| error.map(Trouble::Engine))?;
    Ok(Standing { stage, level, positions })
}
