//! Finds misère quotients of listed parts, and what shows that they are right. Whichever method solved the game, the quotient is
//! found anew, from the options that the checker lists.

use heaps::misere::{HeapRules, Limits, Quotient};
use rules::bind::Position;
use rules::play;
use rules::stop::{self, Held};
use verify::Refusal;
use verify::monoid::{Monoid, Transition};
use verify::periods::Period;
use verify::quotient::{each, in_order};

use super::{periods, wrong};
use solve::error::SolveError;
use solve::solved::Solved;

/// The options of parts as those of heaps, whose options are smaller.
struct Options(Vec<Vec<Vec<u32>>>);

impl HeapRules for Options {
    fn options(&self, heap: u32) -> Vec<Vec<u32>> {
        self.0.get(heap as usize).cloned().unwrap_or_default()
    }
}

/// A quotient of some parts.
pub struct Found {
    /// The element of each part.
    pub elements: Vec<u32>,
    /// Whether each element is lost.
    pub lost: Vec<bool>,
    /// The elements of parts, ascending, each with its products.
    pub actions: Vec<(u32, Vec<u32>)>,
}

/// Finds the quotient of parts with these options; none if it is not found within the usual limits.
pub fn find(parts: &[Vec<u32>]) -> Result<Option<Found>, Refusal> {
    let order = in_order(parts);
    let mut heaps = vec![0; parts.len()];
    order.iter().zip(1..).for_each(|(part, heap)| heaps[*part] = heap);
    let mut rules = vec![Vec::new()];
    for &part in &order {
        let as_heaps = |into: &[u32]| into.iter().map(|part| heaps[*part as usize]).collect::<Vec<u32>>();
        rules.push(each(&parts[part]).map(as_heaps).collect());
    }
    let mut quotient = Quotient::new(Options(rules), Limits::default());
    let mut held = Held::default();
    let mut charged = 0;
    let mut stopped = None;
    let done = quotient.extend_while(order.len() as u32, &mut |bytes| {
        let more = bytes.saturating_sub(charged);
        charged += more;
        stopped = held.grow(more).and_then(|()| stop::look()).err();
        stopped.is_none()
    });
    if let Some(why) = stopped {
        return Err(Refusal::Stopped(why));
    }
    if done.is_err() {
        return Ok(None);
    }
    let element = |heap: u32| quotient.element(heap.into()).map(|element| element.index() as u32);
    let Some(elements) = heaps.iter().map(|heap| element(*heap)).collect::<Option<Vec<u32>>>() else {
        return Ok(None);
    };
    let lost = quotient.all().map(|element| quotient.is_p_type(element)).collect();
    let mut used = elements.clone();
    used.sort_unstable();
    used.dedup();
    let row = |own: heaps::misere::Element| {
        quotient.all().map(|element| quotient.product(own, element).index() as u32).collect::<Vec<u32>>()
    };
    let actions = quotient.all().filter(|own| used.binary_search(&(own.index() as u32)).is_ok());
    let actions = actions.map(|own| (own.index() as u32, row(own))).collect();
    Ok(Some(Found { elements, lost, actions }))
}

/// Among so many heaps a period is looked for at the most.
const MOST_HEAPS: u64 = 1024;

/// The period of the elements of all heaps, if there is one that is proved by the first few hundred of them.
pub fn period(solved: &Solved<'_>) -> Result<Option<Period>, SolveError> {
    let Some((alike, rules)) = periods::alike(solved)? else { return Ok(None) };
    if !rules.ranged.is_empty() || rules.split.iter().any(|split| split.unequal) {
        return Ok(None);
    }
    let least = rules.least.unsigned_abs();
    let mut parts: Vec<Vec<u32>> = Vec::new();
    let mut wanted = 32;
    while wanted <= MOST_HEAPS {
        for heap in least + parts.len() as u64..wanted {
            parts.push(options(solved, heap, least)?);
        }
        let Some(found) = find(&parts).map_err(wrong)? else { return Ok(None) };
        let first = rules.largest_least().unsigned_abs().max(1);
        let repeating = repeating(&found.elements, first.saturating_sub(least) as usize);
        // The theorem speaks of heaps whose rules are alike.
        let repeating = repeating.map(|(first, length)| Period {
            alike,
            first: (first as u64 + least).max(alike),
            length: length as u64,
        });
        let enough = |period: &Period| {
            verify::quotient::needed(period, solved.bound).is_ok_and(|(_, count)| count <= least + parts.len() as u64)
        };
        if let Some(period) = repeating.filter(enough) {
            return Ok(Some(period));
        }
        wanted *= 2;
    }
    Ok(None)
}

/// The options of a heap, as the checker lists them.
fn options(solved: &Solved<'_>, heap: u64, least: u64) -> Result<Vec<u32>, SolveError> {
    let position = Position { parts: vec![[heap as i64].into()], turn: solved.start.turn };
    let mut options = Vec::new();
    for play in play::plays(solved.bound, &position)? {
        options.push(play.into.len() as u32);
        options.extend(play.into.iter().flatten().map(|part| (part.unsigned_abs() - least) as u32));
    }
    Ok(options)
}

/// The shortest period of a list that holds over at least half of it, and where it begins, from some place on.
fn repeating(elements: &[u32], from: usize) -> Option<(usize, usize)> {
    (1..elements.len() / 2).find_map(|length| {
        let broken = (from..elements.len() - length).rev().find(|at| elements[*at] != elements[at + length]);
        let first = broken.map_or(from, |at| at + 1);
        (first <= elements.len() / 2).then_some((first, length))
    })
}

/// More are not kept.
const MOST_SUMS: usize = 200_000;

/// For each element, the least sets of sums of parts.
pub struct Sums {
    least: Vec<Vec<Transition>>,
    /// The number of the first of each element.
    firsts: Vec<u64>,
}

impl Sums {
    /// Adds parts to sums until nothing new comes; none if there are too many.
    pub fn new(monoid: &Monoid, parts: &[Transition], held: &mut Held) -> Result<Option<Sums>, Refusal> {
        let mut sums = Sums { least: vec![Vec::new(); monoid.order()], firsts: Vec::new() };
        let mut open: Vec<Transition> = parts.iter().filter(|part| sums.add(part)).cloned().collect();
        let mut count = open.len();
        while let Some(sum) = open.pop() {
            stop::look()?;
            // A smaller set may have taken its place, and was opened itself.
            if !sums.least[sum.element as usize].contains(&sum) {
                continue;
            }
            for part in parts {
                let longer = monoid.sum(&sum, part);
                if sums.add(&longer) {
                    held.grow(2 * (8 * longer.wins.words().len() + size_of::<Transition>()) as u64)?;
                    open.push(longer);
                    count += 1;
                }
            }
            if count > MOST_SUMS {
                return Ok(None);
            }
        }
        let mut first = 0;
        for least in &sums.least {
            sums.firsts.push(first);
            first += least.len() as u64;
        }
        Ok(Some(sums))
    }

    /// Adds a sum unless one is below it, and drops those that it is below. Whether it was added.
    fn add(&mut self, sum: &Transition) -> bool {
        let least = &mut self.least[sum.element as usize];
        if least.iter().any(|other| other.is_below(sum)) {
            return false;
        }
        least.retain(|other| !sum.is_below(other));
        least.push(sum.clone());
        true
    }

    /// All of them.
    pub fn all(&self) -> Vec<Transition> {
        self.least.iter().flatten().cloned().collect()
    }

    /// The number of one that is below a sum.
    pub fn below(&self, sum: &Transition) -> Option<u64> {
        let element = sum.element as usize;
        let place = self.least[element].iter().position(|other| other.is_below(sum))?;
        Some(self.firsts[element] + place as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::io;

    use engine::monitor::Monitor;
    use game::Outcome;
    use solve::options::Options;
    use testkit::{Random, files};
    use verify::argument::Argument;
    use verify::proved::Proved;

    use super::super::{argue, packer::Packer};
    use super::*;

    /// Who wins a sum of heaps in which who cannot move wins, by the definition.
    fn wins(heaps: &[u64], options: &dyn Fn(u64) -> Vec<Vec<u64>>, known: &mut HashMap<Vec<u64>, bool>) -> bool {
        if let Some(known) = known.get(heaps) {
            return *known;
        }
        let mut after = Vec::new();
        for (place, &heap) in heaps.iter().enumerate() {
            for option in options(heap) {
                let mut rest = heaps.to_vec();
                rest.swap_remove(place);
                rest.extend(option);
                rest.retain(|heap| *heap > 0);
                rest.sort_unstable();
                after.push(rest);
            }
        }
        let won = after.is_empty() || after.iter().any(|rest| !wins(rest, options, known));
        known.insert(heaps.to_vec(), won);
        won
    }

    /// Heaps of any size have the elements of smaller ones.
    #[test]
    fn elements_of_heaps_repeat() {
        for takes in ["[1, 2]", "[1, 2, 5]", "[2, 3]", "[1, 4]"] {
            let rules = format!(
                "game g(heaps: [int]) {{ sum of heap(h in 0..=max(heaps, 0)) from heaps; \
                 move take(k in {takes}) when k <= h {{ h -= k; }} stuck => win; }}"
            );
            let bound = files::bound(&files::program(&rules), r#"{"heaps": [1000000000003, 1000000000001, 5]}"#);
            let mut monitor = Monitor::unlimited();
            let solved = solve::solved::solve(&bound, &bound.start, &Options::default(), &mut monitor).unwrap();
            let period = period(&solved).unwrap().unwrap_or_else(|| panic!("{takes} has no period"));
            let mut nowhere = Packer::new(io::sink()).unwrap();
            let argued = argue(&solved, Argument::Quotient(Some(period)), &mut nowhere, &mut monitor);
            let (found, _) = argued.unwrap_or_else(|error| panic!("{takes}: {error:?}"));
            let outcome = solved.verdict(&solved.start).and_then(|verdict| verdict.outcome()).unwrap();
            assert_eq!(found, Proved::Misere(outcome), "{takes}");
        }
    }

    /// Random misère rules of heaps: take some, or take some and split the rest.
    #[test]
    fn quotients_tell_who_wins_as_the_definition_does() {
        let mut random = Random::new(8);
        let (mut proved, mut lost) = (0, 0);
        for _ in 0..40 {
            let [one, other, cut] = [0; 3].map(|_| 1 + random.below(4usize) as u64);
            let splits = random.one_in(2);
            let split = match splits {
                true => format!("move cut(x in 1..=(h - {cut}) / 2) {{ split (x), (h - {cut} - x); }}"),
                false => String::new(),
            };
            let rules = format!(
                "game g(heaps: [int]) {{ sum of heap(h in 0..=max(heaps, 0)) from heaps; \
                 move take(k in [{one}, {other}]) when k <= h {{ h -= k; }} {split} stuck => win; }}"
            );
            let options = |heap: u64| {
                let mut all: Vec<Vec<u64>> =
                    [one, other].iter().filter(|k| **k <= heap).map(|k| vec![heap - k]).collect();
                if splits && heap >= cut {
                    all.extend((1..=(heap - cut) / 2).map(|x| vec![x, heap - cut - x]));
                }
                all
            };
            let mut known = HashMap::new();
            for _ in 0..6 {
                let mut heaps: Vec<u64> = (0..1 + random.below(4usize)).map(|_| random.below(7usize) as u64).collect();
                let instance = format!(r#"{{"heaps": {heaps:?}}}"#);
                let bound = files::bound(&files::program(&rules), &instance);
                let mut monitor = Monitor::unlimited();
                let solved = solve::solved::solve(&bound, &bound.start, &Options::default(), &mut monitor).unwrap();
                let mut nowhere = Packer::new(io::sink()).unwrap();
                let Ok((found, _)) = argue(&solved, Argument::Quotient(None), &mut nowhere, &mut monitor) else {
                    continue;
                };
                heaps.retain(|heap| *heap > 0);
                heaps.sort_unstable();
                let outcome = if wins(&heaps, &options, &mut known) { Outcome::Win } else { Outcome::Loss };
                assert_eq!(found, Proved::Misere(outcome), "{rules} {heaps:?}");
                proved += 1;
                lost += usize::from(outcome == Outcome::Loss);
            }
        }
        assert!(proved > 150 && lost > 30, "{proved}, {lost}");
    }
}
