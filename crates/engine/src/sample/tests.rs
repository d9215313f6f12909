//! Looks at small nets whose positions are known.

use super::*;
use crate::graph::Edge;
use std::collections::HashMap;

/// Positions that are numbers, with their options by a function.
struct Net {
    options: fn(u64) -> Vec<u64>,
    keys: Vec<u64>,
    numbers: HashMap<u64, Id>,
}

impl Net {
    fn new(root: u64, options: fn(u64) -> Vec<u64>) -> Net {
        let mut net = Net { options, keys: Vec::new(), numbers: HashMap::new() };
        net.number(root);
        net
    }

    fn number(&mut self, key: u64) -> Id {
        let keys = &mut self.keys;
        *self.numbers.entry(key).or_insert_with(|| {
            keys.push(key);
            keys.len() as Id - 1
        })
    }
}

impl Graph for Net {
    fn len(&self) -> usize {
        self.keys.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        into.clear();
        for key in (self.options)(self.keys[position as usize]) {
            let to = self.number(key);
            into.edges.push(Edge { to, gain: 0, same: false, joined: false });
        }
        Ok(())
    }
}

/// A step down or to the left on a board of 100 by 100.
fn down(key: u64) -> Vec<u64> {
    let (row, column) = (key / 100, key % 100);
    let steps = [(row > 0).then(|| key - 100), (column > 0).then(|| key - 1)];
    steps.into_iter().flatten().collect()
}

/// Anywhere among 60,000, for ever.
fn around(key: u64) -> Vec<u64> {
    [key * 31 + 7, key * 17 + 1, key * 101 + 13, key + 1].map(|key| key % 60_000).to_vec()
}

/// A step of one to three down a stair, and the steps are counted: levels are small at both ends.
fn stairs(key: u64) -> Vec<u64> {
    let (height, steps) = (key / 10_000, key % 10_000);
    (1..=3).filter(|step| *step <= height).map(|step| (height - step) * 10_000 + steps + 1).collect()
}

#[test]
fn small_levels_are_counted_and_not_carried_on() {
    let mut net = Net::new(1500 * 10_000, stairs);
    let budget = Budget { whole: 10_000, herds: 10_000, most: 100_000, seconds: 60.0, places: u64::MAX };
    let sample = sample(&mut net, 1, budget, &mut Monitor::unlimited()).unwrap();
    // There are about 750,000.
    assert!((100_000.0..1e8).contains(&sample.positions), "{sample:?}");
}

#[test]
fn play_that_goes_on_beyond_the_herds_is_carried_on() {
    /// Steps of one to three, and no step like the one before: too many positions to be thin.
    fn jumps(key: u64) -> Vec<u64> {
        let (height, last) = (key / 4, key % 4);
        (1..=3).filter(|step| *step <= height && *step != last).map(|step| (height - step) * 4 + step).collect()
    }
    for height in [100_000, 30_000_000] {
        let mut net = Net::new(height * 4, jumps);
        let places = 4 * (height + 1);
        let budget = Budget { whole: 4_000, herds: 4_000, most: 16_000, seconds: 60.0, places };
        let sample = sample(&mut net, 1, budget, &mut Monitor::unlimited()).unwrap();
        assert!(4.0 * sample.positions > places as f64 && sample.positions <= places as f64, "{height}: {sample:?}");
        assert!(net.keys.len() < 400_000, "{height}: {}", net.keys.len());
    }
}

#[test]
fn play_that_goes_round_is_not_carried_on() {
    /// A long way down, and at its end round and round among a few hundred.
    fn whirl(key: u64) -> Vec<u64> {
        match key {
            0..400 => vec![(key * 7 + 1) % 400, (key * 3 + 5) % 400],
            _ => vec![key - 1, key - 2],
        }
    }
    let mut net = Net::new(40_000, whirl);
    let budget = Budget { whole: 2_000, herds: 2_000, most: 8_000, seconds: 60.0, places: 1 << 40 };
    let sample = sample(&mut net, 1, budget, &mut Monitor::unlimited()).unwrap();
    assert!(sample.positions < 4e6, "{sample:?}");
}

#[test]
fn long_thin_play_is_not_followed_to_its_end() {
    let thin = |key: u64| (1..=3).filter(|step| *step <= key).map(|step| key - step).collect();
    let mut net = Net::new(50_000, thin);
    let budget = Budget { whole: 4_000, herds: 4_000, most: 4_000, seconds: 60.0, places: 50_001 };
    let sample = sample(&mut net, 1, budget, &mut Monitor::unlimited()).unwrap();
    assert_eq!((sample.positions, sample.is_exact), (50_001.0, false));
    assert!(net.keys.len() < 10_000, "{}", net.keys.len());
}

#[test]
fn a_look_that_is_nearly_through_goes_on() {
    let budget = Budget { whole: 8_000, herds: 1000, most: 1000, seconds: 60.0, places: 10_000 };
    let found = sample(&mut Net::new(9999, down), 1, budget, &mut Monitor::unlimited()).unwrap();
    assert!(found.is_exact && found.positions == 10_000.0, "{found:?}");
    let unknown = Budget { places: u64::MAX, ..budget };
    let found = sample(&mut Net::new(9999, down), 1, unknown, &mut Monitor::unlimited()).unwrap();
    assert!(found.is_exact, "levels of a board are small beside what was met: {found:?}");
}

#[test]
fn a_count_goes_on_where_it_stopped() {
    let mut net = Net::new(9999, down);
    let mut monitor = Monitor::unlimited();
    let mut count = Count::new(&mut net, 1, &Memory::unlimited());
    let allowance = |work| Allowance { work, seconds: 10.0, despairs: false };
    assert_eq!(count.go_on(allowance(500), &mut monitor).unwrap(), None);
    assert!((500..600).contains(&count.work()));
    let sample = count.go_on(allowance(1_000_000), &mut monitor).unwrap().unwrap();
    assert_eq!((sample.positions, sample.is_exact, sample.depth), (10_000.0, true, 198));
    assert!((1.9..2.0).contains(&sample.options));
}

#[test]
fn a_count_that_cannot_be_through_stops_early() {
    let mut net = Net::new(0, around);
    let mut count = Count::new(&mut net, 1, &Memory::unlimited());
    let allowance = Allowance { work: 100_000, seconds: 10.0, despairs: true };
    assert_eq!(count.go_on(allowance, &mut Monitor::unlimited()).unwrap(), None);
    assert!(count.work() < 80_000, "{}", count.work());
}

#[test]
fn play_that_comes_back_is_seen_and_counted_once() {
    let mut net = Net::new(0, around);
    let budget = Budget { whole: 2000, herds: 40_000, most: 40_000, seconds: 60.0, places: u64::MAX };
    let sample = sample(&mut net, 1, budget, &mut Monitor::unlimited()).unwrap();
    assert!(sample.repeats && !sample.is_exact, "{sample:?}");
    assert!((20_000.0..180_000.0).contains(&sample.positions), "{sample:?}");
}

#[test]
fn a_look_that_has_too_little_memory_does_not_guess() {
    let budget = Budget { whole: 2000, herds: 200_000, most: 200_000, seconds: 60.0, places: 7_000_000 };
    let mut monitor = Monitor::new(&crate::monitor::Limits { memory: 60_000, time: None });
    let found = sample(&mut Net::new(1500 * 10_000, stairs), 1, budget, &mut monitor).unwrap();
    assert_eq!((found.positions, found.is_exact), (7e6, false), "{found:?}");
    assert_eq!(monitor.memory().used(), 0);
}
