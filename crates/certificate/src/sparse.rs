//! Chooses what [`verify::sparse`] needs: how many heaps, and the mask that leaves the fewest of them rare.

use rules::stop;
use verify::argument::Argument;
use verify::sparse::{RING, Sparse};

use super::periods::{alike, among_few, nimber, period};
use solve::error::{SolveError, stopped_by};
use solve::solved::Solved;

/// More heaps are not written down.
const MOST_HEAPS: u64 = 1 << 25;
/// Nor are heaps that ask for a look at more pairs: half a minute.
const MOST_PAIRS: u64 = 1 << 34;
/// The most bits of a nimber for which masks are compared.
const MOST_BITS: u32 = 20;
/// So many heaps are asked for between two looks at the clock.
const HEAPS_A_LOOK: u64 = 1 << 12;

/// The argument for the nimbers of all heaps up to those of the position, or for all heaps where they repeat sooner.
pub fn argument(solved: &Solved<'_>) -> Result<Option<Argument>, SolveError> {
    let Some((alike, rules)) = alike(solved)? else { return Ok(None) };
    if rules.split.is_empty() || !rules.ranged.is_empty() {
        return Ok(None);
    }
    let least = rules.least.unsigned_abs();
    let wanted = solved.start.parts.iter().flatten().map(|heap| heap.unsigned_abs()).max().unwrap_or(0) + 1;
    let mut stopped = None;
    let known = (least..wanted.min(MOST_HEAPS)).map_while(|heap| {
        if heap % HEAPS_A_LOOK == 0 {
            stopped = stopped.or(stop::look().err());
        }
        if stopped.is_some() { None } else { nimber(solved, heap) }
    });
    let repeats = |nimbers: &[u64]| {
        let period = period(alike, &rules, nimbers).filter(|_| rules.split.iter().all(|split| !split.unequal))?;
        let heaps = period.needed(rules.most_taken());
        Some((nimbers[..(heaps - least) as usize].to_vec(), Some((period.first, period.length))))
    };
    let all = |nimbers: &[u64]| {
        let found = repeats(nimbers);
        found.or_else(|| (least + nimbers.len() as u64 == wanted).then(|| (nimbers.to_vec(), None)))
    };
    let found = among_few(known, all);
    if let Some(why) = stopped {
        return Err(stopped_by(why).into());
    }
    let Some((nimbers, period)) = found.filter(|(nimbers, _)| nimbers.len() as u64 >= alike - least) else {
        return Ok(None);
    };
    let Some((mask, rare)) = mask(&nimbers) else { return Ok(None) };
    let looks = (2 * rare + RING as u64).saturating_mul(nimbers.len() as u64).saturating_mul(rules.split.len() as u64);
    let heaps = least + nimbers.len() as u64;
    Ok((looks <= MOST_PAIRS).then_some(Argument::Sparse(Sparse { alike, mask, heaps, period })))
}

/// The mask with which the fewest nimbers are even, and how many those are.
///
/// For every mask at once: the sum over all nimbers of 1 where it is even and −1 where it is odd is the Walsh–Hadamard transform of how
/// often each nimber comes up.
fn mask(nimbers: &[u64]) -> Option<(u64, u64)> {
    let bits = u64::BITS - nimbers.iter().max()?.leading_zeros();
    if bits > MOST_BITS {
        return None;
    }
    let mut sums = vec![0i64; 1 << bits];
    nimbers.iter().for_each(|nimber| sums[*nimber as usize] += 1);
    for bit in 0..bits {
        for low in (0..sums.len()).filter(|number| number >> bit & 1 == 0) {
            let high = low | 1 << bit;
            (sums[low], sums[high]) = (sums[low] + sums[high], sums[low] - sums[high]);
        }
    }
    let (mask, least) = sums.iter().enumerate().min_by_key(|(_, sum)| **sum)?;
    Some((mask as u64, (nimbers.len() as i64 + least).unsigned_abs() / 2))
}
