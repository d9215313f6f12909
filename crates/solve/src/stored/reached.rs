//! All positions that play can reach, or all parts that can come up, as keys in order.
//!
//! Where positions have dense codes, they are walked in two bit sets over the codes, and nothing else is kept of them: so many
//! positions as a table of two bytes each has fit in an eighth of its memory. Otherwise a graph numbers them. Keys that are
//! numbers are collected in a bit set, too, where that is shorter than a list of them.

use engine::graph::{Expansion, Graph as _, Id};
use engine::keeping::Keeping;
use engine::memory::{Lease, Memory};
use engine::monitor::Monitor;
use game::codes::{Expanded, Options as CodeOptions, Successors as _};
use table::{Key, Keys};

use crate::answers::unknown;
use crate::case::Case;
use crate::error::{GivenUp, SolveError};
use crate::methods::Code;
use crate::options::Options;
use crate::solved::Solved;
use crate::whole;
use positions::coding::{Coding, Use, dense};
use positions::oracle::Keeps;
use positions::parts::{NOTHING, Parts};

/// What a key takes in memory beside its bytes.
const KEY: u64 = size_of::<Key>() as u64 + 16;
/// Sets of more numbers are not made.
const MOST_NUMBERS: u64 = 1 << 36;
/// Codes are walked where there are so many: for fewer, a graph is as good.
const MANY_CODES: u64 = 1 << 20;

/// Keys, in order once all are there.
pub enum Reached {
    /// A set of numbers below a size, which are keys of so many bytes.
    Set { numbers: BitSet, width: usize },
    /// A list of numbers, which are keys of so many bytes.
    Numbers { numbers: Vec<u64>, width: usize, lease: Lease },
    /// A list of keys.
    Keys { keys: Vec<Key>, lease: Lease },
}

impl Reached {
    /// No keys yet. A set is taken where it fits in an eighth of the memory.
    fn new(keys: &Keys<'_>, memory: &Memory) -> Result<Reached, SolveError> {
        let width = |size: u64| (64 - (size.max(1) - 1).leading_zeros() as usize).div_ceil(8).max(1);
        Ok(match keys.size() {
            Some(size) if size <= MOST_NUMBERS && size / 8 <= memory.free() / 8 => {
                Reached::Set { numbers: BitSet::new(size, memory)?, width: width(size) }
            }
            Some(size) => Reached::Numbers { numbers: Vec::new(), width: width(size), lease: memory.lease() },
            None => Reached::Keys { keys: Vec::new(), lease: memory.lease() },
        })
    }

    fn push(&mut self, key: Key) -> Result<(), SolveError> {
        let number = |key: &[u8]| key.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        // Vectors hold up to twice what is in them.
        match self {
            Reached::Set { numbers, .. } => numbers.add(number(&key)),
            Reached::Numbers { numbers, lease, .. } => {
                lease.grow(16).map_err(|error| error.after(numbers.len() as u64))?;
                numbers.push(number(&key));
            }
            Reached::Keys { keys, lease } => {
                lease.grow(2 * KEY + key.len() as u64).map_err(|error| error.after(keys.len() as u64))?;
                keys.push(key);
            }
        }
        Ok(())
    }

    fn sort(&mut self) {
        match self {
            Reached::Set { .. } => {}
            Reached::Numbers { numbers, .. } => {
                numbers.sort_unstable();
                numbers.dedup();
            }
            Reached::Keys { keys, .. } => {
                keys.sort_unstable();
                keys.dedup();
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        match self {
            Reached::Set { numbers, .. } => numbers.len(),
            Reached::Numbers { numbers, .. } => numbers.len() as u64,
            Reached::Keys { keys, .. } => keys.len() as u64,
        }
    }

    /// All keys from a number of them on, in order.
    pub fn from(&self, first: u64) -> Box<dyn Iterator<Item = Key> + '_> {
        let bytes = |number: u64, width: usize| number.to_be_bytes()[8 - width..].to_vec();
        let skip = usize::try_from(first).unwrap_or(usize::MAX);
        match self {
            Reached::Set { numbers, width } => Box::new(numbers.from(first).map(move |number| bytes(number, *width))),
            Reached::Numbers { numbers, width, .. } => {
                Box::new(numbers.iter().skip(skip).map(move |number| bytes(*number, *width)))
            }
            Reached::Keys { keys, .. } => Box::new(keys.iter().skip(skip).cloned()),
        }
    }
}

/// A set of numbers below a size.
pub struct BitSet {
    words: Vec<u64>,
    _lease: Lease,
}

impl BitSet {
    fn new(size: u64, memory: &Memory) -> Result<BitSet, SolveError> {
        let mut lease = memory.lease();
        let words = size.div_ceil(64);
        lease.grow(8 * words)?;
        Ok(BitSet { words: vec![0; words as usize], _lease: lease })
    }

    fn add(&mut self, number: u64) {
        self.words[(number / 64) as usize] |= 1 << (number % 64);
    }

    fn len(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Its numbers in ascending order, without so many of the first.
    fn from(&self, skip: u64) -> impl Iterator<Item = u64> + '_ {
        let mut left = skip;
        let begins = self.words.iter().position(|word| {
            let ones = u64::from(word.count_ones());
            let here = ones > left;
            left -= if here { 0 } else { ones };
            here
        });
        let begins = begins.unwrap_or(self.words.len());
        let words = self.words[begins..].iter().enumerate();
        let numbers = words.flat_map(move |(place, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
                (bit < 64).then(|| 64 * (begins + place) as u64 + u64::from(bit))
            })
        });
        numbers.skip(left as usize)
    }
}

/// The keys of all positions that play can reach, or of all parts that can come up, in order.
pub fn reached(
    solved: &Solved<'_>,
    keys: &Keys<'_>,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Reached, SolveError> {
    let mut found = Reached::new(keys, monitor.memory())?;
    if keys.shape().of_parts() {
        parts(solved, keys, &mut found, monitor)?;
    } else if !by_codes(solved, keys, options, &mut found, monitor)? {
        positions(solved, keys, options, &mut found, monitor)?;
    }
    found.sort();
    Ok(found)
}

fn keyed(key: Option<Key>) -> Result<Key, SolveError> {
    key.ok_or_else(|| SolveError::internal("a position has no key"))
}

/// The name of the snapshot of the walk.
const REACHED: &str = "reached";
/// Words of codes between two looks whether a snapshot is due.
const STRETCH: usize = 1 << 10;

/// Walks dense codes, where there are many and compiled code expands them; false where there are none.
fn by_codes(
    solved: &Solved<'_>,
    keys: &Keys<'_>,
    options: &Options,
    found: &mut Reached,
    monitor: &mut Monitor,
) -> Result<bool, SolveError> {
    if matches!(solved.plan.code(), Code::Interpreted(_)) || solved.bound.program.sum.is_some() {
        return Ok(false);
    }
    let case = Case::new(solved.bound, &solved.start, options, monitor.memory().free())?;
    let Some(coding) = coding(&case, monitor) else { return Ok(false) };
    let Ok(expander) = coding.expander() else { return Ok(false) };
    let Some(start) = coding.codec.code_of(&solved.start) else { return Ok(false) };
    let memory = monitor.memory().clone();
    let (mut seen, mut done) = (BitSet::new(coding.places, &memory)?, BitSet::new(coding.places, &memory)?);
    seen.add(start);
    let identity = format!("{:?} {start}", coding.codec.coded().numbering);
    let saved = monitor.keeping().and_then(|keeping| keeping.load(REACHED, &identity));
    if let Some(mut loader) = saved {
        let mut read = |set: &mut BitSet| loader.bitmap(set.words.len(), |index, word| set.words[index] = word);
        if read(&mut seen).and_then(|()| read(&mut done)).is_err() {
            [&mut seen, &mut done].into_iter().for_each(|set| set.words.fill(0));
            seen.add(start);
        }
    }
    let mut out = CodeOptions::default();
    monitor.enter("walking all positions");
    let (mut met, mut more) = (done.len(), true);
    let keep = |seen: &BitSet, done: &BitSet, keeping: &mut Keeping| {
        keeping.save(REACHED, &identity, coding.places / 4, |to| {
            [seen, done].into_iter().try_for_each(|set| to.bitmap(set.words.len(), |index| set.words[index]))
        });
    };
    while more {
        more = false;
        for place in 0..seen.words.len() {
            if place.is_multiple_of(STRETCH)
                && let Some(keeping) = monitor.keeping_due()
            {
                keep(&seen, &done, keeping);
            }
            let new = seen.words[place] & !done.words[place];
            if new == 0 {
                continue;
            }
            more = true;
            done.words[place] |= new;
            for bit in (0..64).filter(|bit| new >> bit & 1 == 1) {
                let code = 64 * place as u64 + bit;
                met += 1;
                monitor.tick(met, met)?;
                match expander.expand(code, &mut out) {
                    Expanded::Options => out.codes.iter().for_each(|option| seen.add(*option)),
                    Expanded::End => {}
                    Expanded::Fault => {
                        return Err(match GivenUp::from(coding.placed(engine::Error::Fault(code))) {
                            GivenUp::Error(error) => error,
                            GivenUp::Because(reason) => SolveError::NotApplicable(reason.to_string()),
                        });
                    }
                }
            }
        }
    }
    if let Some(keeping) = monitor.keeping().filter(|keeping| keeping.is_long()) {
        keep(&seen, &done, keeping);
    }
    drop(done);
    monitor.enter_expecting("numbering positions", met);
    for (place, code) in seen.from(0).enumerate() {
        monitor.tick(met, place as u64)?;
        let position = coding.codec.position(code);
        let position = position.ok_or_else(|| SolveError::internal("a code that was reached has no position"))?;
        found.push(keyed(keys.key(&position)?)?)?;
    }
    Ok(true)
}

/// How positions are numbered densely, where there are many codes and two sets of them fit in a quarter of the memory.
fn coding<'b>(case: &Case<'b>, monitor: &Monitor) -> Option<Coding<'b>> {
    case.suits_code().ok()?;
    let study = case.study().ok()?;
    let coded = dense(&study)?;
    let places = coded.numbering.size;
    let fits = (MANY_CODES..=MOST_NUMBERS).contains(&places) && places / 4 <= monitor.memory().free() / 4;
    fits.then(|| case.coding(study, coded, Use::Dense))
}

fn positions(
    solved: &Solved<'_>,
    keys: &Keys<'_>,
    options: &Options,
    found: &mut Reached,
    monitor: &mut Monitor,
) -> Result<(), SolveError> {
    let Solved { bound, start, .. } = solved;
    let verdict = solved.verdict(start).ok_or_else(|| unknown(bound, start))?;
    let mut graph = whole::graph(solved, options, whole::keeps(&verdict), monitor)?;
    graph.number(start).map_err(|error| graph.placed(bound, error))?;
    let mut expansion = Expansion::default();
    monitor.enter("walking all positions");
    let mut id: Id = 0;
    while (id as usize) < graph.len() {
        let met = graph.len() as u64;
        monitor.tick(met, u64::from(id))?;
        graph.expand(id, &mut expansion).map_err(|error| graph.placed(bound, error.after(met)))?;
        found.push(keyed(keys.key(&graph.position(id))?)?)?;
        id += 1;
    }
    Ok(())
}

fn parts(solved: &Solved<'_>, keys: &Keys<'_>, found: &mut Reached, monitor: &mut Monitor) -> Result<(), SolveError> {
    let memory = monitor.memory().clone();
    let mut parts = Parts::new(solved.bound, Keeps::Outcome, &memory)?;
    for part in &solved.start.parts {
        parts.number(part).map_err(|error| parts.placed(error))?;
    }
    let mut expansion = Expansion::default();
    monitor.enter("walking all parts");
    let mut part = NOTHING + 1;
    while (part as usize) < parts.len() {
        let met = parts.len() as u64;
        monitor.tick(met, u64::from(part))?;
        parts.expand(part, &mut expansion).map_err(|error| parts.placed(error.after(met)))?;
        found.push(keyed(keys.part_key(&parts.cells(part)))?)?;
        part += 1;
    }
    Ok(())
}
