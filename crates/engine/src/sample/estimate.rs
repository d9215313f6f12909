//! How many positions there are, from what two herds met level by level. `sample` says why that can be told.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::Error;
use crate::graph::Id;
use crate::memory::Lease;

/// So many shared options make the size of a level known well enough.
const ENOUGH: f64 = 8.0;
/// The sizes of levels are of no use when fewer are shared.
const TOO_FEW: f64 = 3.0;
/// No level is taken to be larger, however many there are over which its size is carried on.
pub(super) const LARGEST: f64 = 1e18;
/// Positions that few ways lead to are met less often than others, and their share grows with the length of play: so many
/// levels double the number of positions (on games of 20 to 70 moves, 0.9 to 3.5 times as many were met as shared).
const MISSED: f64 = 28.0;
/// One in so many levels is a late one.
const LATE: usize = 4;
/// Where a herd meets its positions so often on average, play comes back to them.
const REPEATS: f64 = 1.5;
/// Bytes for each number that a set has room for, and for each that a map gives a weight. While one grows, its old half is
/// still there.
pub(super) const SET_BYTES: usize = 9;
const MAP_BYTES: usize = 30;

/// The options of one level that the two herds met.
#[derive(Default)]
pub(super) struct Level {
    pub met: [FxHashSet<Id>; 2],
    pub expanded: u64,
    pub options: u64,
}

/// What the levels of two herds say.
pub(super) struct Estimate {
    /// How many positions there are on the first level and all after it.
    pub positions: f64,
    /// Options of one, on average.
    pub options: f64,
    /// Whether enough was shared.
    pub is_enough: bool,
}

/// How many positions there are, from the levels of two herds, and from whether positions were seen to repeat.
pub(super) fn estimate(levels: &[Level], first: usize, repeats: bool, lease: &mut Lease) -> Result<Estimate, Error> {
    let mut sizes = Vec::with_capacity(levels.len());
    let mut ways = Vec::new();
    let mut known = true;
    let mut before = first as f64;
    let mut options = 0.0;
    let (mut poor, mut all) = (0.0, before);
    for level in levels {
        let mean = level.options as f64 / level.expanded.max(1) as f64;
        options += before * mean;
        let [one, two] = &level.met;
        let shared = one.iter().filter(|position| two.contains(position)).count() as f64;
        // Where most is shared, small levels are met whole, or nearly.
        let size = match shared >= TOO_FEW || 2.0 * shared > one.len().max(two.len()) as f64 {
            true => one.len() as f64 * two.len() as f64 / shared,
            false => {
                known = false;
                (before * mean / carried_on(&ways)).clamp(one.len().max(two.len()) as f64, LARGEST)
            }
        };
        if shared < ENOUGH {
            poor += size;
        }
        if size > 0.0 && known {
            ways.push((before * mean / size).max(1.0));
        }
        all += size;
        sizes.push(size);
        before = size;
    }
    if let Some(positions) = pooled(levels, lease)?.filter(|_| repeats) {
        let expanded: u64 = levels.iter().map(|level| level.expanded).sum();
        let options = levels.iter().map(|level| level.options).sum::<u64>() as f64 / expanded.max(1) as f64;
        return Ok(Estimate { positions: positions.max(first as f64), options, is_enough: true });
    }
    let missed = 1.0 + levels.len() as f64 / MISSED;
    let positions = missed * (first as f64 + union(levels, &sizes, lease)?);
    Ok(Estimate { positions, options: options / all.max(1.0), is_enough: poor <= 0.2 * all })
}

/// How many positions there are where play comes back to the same ones, so that levels mean nothing; `None` where it does
/// not.
fn pooled(levels: &[Level], lease: &mut Lease) -> Result<Option<f64>, Error> {
    let mut herds: [FxHashSet<Id>; 2] = Default::default();
    let mut times = 0;
    let before = lease.bytes();
    for level in levels {
        times += level.met[0].len();
        herds.iter_mut().zip(&level.met).for_each(|(herd, met)| herd.extend(met));
        let room: usize = herds.iter().map(|herd| herd.capacity() * SET_BYTES).sum();
        lease.resize(before + room as u64)?;
    }
    let [one, two] = &herds;
    let shared = one.iter().filter(|position| two.contains(position)).count() as f64;
    let repeats = times as f64 > REPEATS * one.len() as f64;
    let positions = (repeats && shared >= TOO_FEW).then(|| {
        let all = one.len() as f64 * two.len() as f64 / shared;
        all.max(late(levels, two).unwrap_or(0.0))
    });
    drop(herds);
    lease.resize(before)?;
    Ok(positions)
}

/// How many positions there are, from how many of those that one herd met late were met by the other at any time. Both begin at the
/// same place, and share more of what is near it than of the rest.
fn late(levels: &[Level], other: &FxHashSet<Id>) -> Option<f64> {
    let late = levels[levels.len() - levels.len() / LATE..].iter().flat_map(|level| &level.met[0]);
    let (met, shared) =
        late.fold((0u64, 0u64), |(met, shared), position| (met + 1, shared + u64::from(other.contains(position))));
    (shared as f64 >= TOO_FEW).then(|| other.len() as f64 * met as f64 / shared as f64)
}

/// How many ways lead to a position of the next level: as before, and growing as it did.
fn carried_on(ways: &[f64]) -> f64 {
    match ways {
        [] => 1.0,
        [only] => *only,
        [.., _, _] => {
            let span = ways.len().min(6);
            let (first, last) = (ways[ways.len() - span], ways[ways.len() - 1]);
            (last + (last - first).max(0.0) / (span - 1) as f64).max(1.0)
        }
    }
}

/// How many positions stand on the levels, each counted once: what one herd met is looked for on all levels of the other.
fn union(levels: &[Level], sizes: &[f64], lease: &mut Lease) -> Result<f64, Error> {
    let mut found: FxHashMap<Id, f64> = FxHashMap::default();
    let before = lease.bytes();
    for (level, &size) in levels.iter().zip(sizes) {
        let weight = size / level.met[1].len().max(1) as f64;
        for &position in &level.met[1] {
            *found.entry(position).or_default() += weight;
        }
        lease.resize(before + (found.capacity() * MAP_BYTES) as u64)?;
    }
    let levels = levels.iter().zip(sizes).map(|(level, &size)| {
        let count = level.met[0].len();
        if count == 0 {
            return size;
        }
        let levels: f64 = level.met[0].iter().filter_map(|position| found.get(position)).sum::<f64>() / count as f64;
        size / levels.max(1.0)
    });
    Ok(levels.sum())
}
