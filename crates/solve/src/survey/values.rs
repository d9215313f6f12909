//! The values of all positions, where moves belong to players: how many different ones, which are frequent, which is hottest.
//!
//! A position counts once, whoever is to move.

use engine::graph::Id;
use engine::monitor::Monitor;
use game::OutcomeClass;
use rules::bind::Position;
use rustc_hash::{FxHashMap, FxHashSet};
use values::{Arena, Dyadic, Error, Value};

use crate::answer::canonical_value::with_part_values;
use crate::error::SolveError;
use crate::part_values::{self, within};
use crate::solved::Solved;
use crate::value_text::ValueText;
use positions::oracle::Numbered;

/// Positions are valued where there are at most so many.
const MOST: usize = 200_000;
/// So many of the most frequent values are told.
const FREQUENT: usize = 10;

/// Counts of values.
#[derive(Clone, Debug)]
pub struct ValueCounts {
    /// Positions that were valued, whoever is to move.
    pub positions: u64,
    /// Those that Left wins whoever starts, that Right wins, that the player wins who starts, and the other one.
    pub classes: [u64; 4],
    /// How many different values there are.
    pub distinct: u64,
    /// The most frequent values, each with how many positions have it.
    pub frequent: Vec<(ValueText, u64)>,
    /// The hottest value, and a position that has it.
    pub hottest: Option<(ValueText, Position)>,
}

/// Values all positions of a graph. None where they have no values, or where these are not feasible.
pub(super) fn count(
    solved: &Solved<'_>,
    graph: &dyn Numbered,
    monitor: &mut Monitor,
) -> Result<Option<ValueCounts>, SolveError> {
    if !solved.plan.facts().partizan || solved.report.repeats() || graph.len() > MOST {
        return Ok(None);
    }
    let counted = with_part_values(solved, monitor, |valuer, monitor| {
        let mut lease = monitor.memory().lease();
        let (mut seen, mut bytes) = (FxHashSet::default(), 0);
        let mut found: FxHashMap<Value, (u64, Position)> = FxHashMap::default();
        for id in 0..graph.len() as Id {
            monitor.tick(graph.len() as u64, u64::from(id))?;
            let position = graph.position(id);
            bytes += 64 + 8 * position.parts.iter().map(|part| part.len() as u64 + 4).sum::<u64>();
            if !seen.insert(position.parts.clone()) {
                continue;
            }
            if bytes > lease.bytes() {
                lease.resize(2 * bytes)?;
            }
            let value = part_values::value(valuer, &position, monitor)?;
            found.entry(value).or_insert((0, position)).0 += 1;
        }
        let classes = within(valuer, |arena| classes(arena, &found))?;
        let hottest = within(valuer, |arena| hottest(arena, &found))?;
        let mut order: Vec<(Value, u64)> = found.iter().map(|(value, (count, _))| (*value, *count)).collect();
        order.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut texts = None;
        valuer.in_arena(&mut |arena| {
            let frequent = order.iter().take(FREQUENT).map(|&(value, count)| Ok((ValueText::of(arena, value)?, count)));
            texts = Some(frequent.collect::<Result<Vec<_>, engine::Error>>().and_then(|frequent| {
                let hottest = hottest.map(|value| Ok::<_, engine::Error>((ValueText::of(arena, value)?, value)));
                Ok((frequent, hottest.transpose()?))
            }));
        });
        let missing = || Err(engine::Error::Internal("no arena".to_string()));
        let (frequent, hottest) = texts.unwrap_or_else(missing)?;
        let hottest = hottest.and_then(|(form, value)| Some((form, found.get(&value)?.1.clone())));
        let (positions, distinct) = (seen.len() as u64, found.len() as u64);
        Ok(ValueCounts { positions, classes, distinct, frequent, hottest })
    })?;
    Ok(counted.ok())
}

fn classes(arena: &mut Arena, found: &FxHashMap<Value, (u64, Position)>) -> values::Result<[u64; 4]> {
    let mut classes = [0; 4];
    for (&value, (count, _)) in found {
        let place = match arena.outcome(value)? {
            OutcomeClass::L => 0,
            OutcomeClass::R => 1,
            OutcomeClass::N => 2,
            OutcomeClass::P => 3,
        };
        classes[place] += count;
    }
    Ok(classes)
}

/// The hottest value; of several the one that was found first.
fn hottest(arena: &mut Arena, found: &FxHashMap<Value, (u64, Position)>) -> values::Result<Option<Value>> {
    let mut hottest: Option<(Dyadic, Value)> = None;
    for &value in found.keys() {
        let temperature = match arena.temperature(value) {
            Err(Error::Overflow(_)) => continue,
            temperature => temperature?,
        };
        if hottest.is_none_or(|(most, first)| temperature > most || temperature == most && value < first) {
            hottest = Some((temperature, value));
        }
    }
    Ok(hottest.map(|(_, value)| value))
}
