//! What a plan chooses, predicts and says; stopping.

use rows::triangle::{Gains, Lanes, Plan, Storage, Unfinished};
use testkit::Random;
use testkit::counting::peak_of;

fn items(n: usize, spread: i64) -> Vec<i64> {
    Random::new(spread as u64).list(n, 0, spread)
}

#[test]
fn memory_is_as_predicted() {
    for (n, spread) in [(2000, 90), (3000, 5000), (2000, 1 << 40), (1500, 1 << 50), (600, i64::MAX - 1)] {
        for storage in [Storage::Value, Storage::Moves, Storage::Table] {
            // Small tables would show the few kilobytes that the plan does not count.
            let n = if storage == Storage::Value { 5 * n } else { n };
            let (plan, peak) = peak_of(|| {
                let gains = Gains::row(&items(n, spread));
                let plan = Plan::new(&gains, storage, u64::MAX).unwrap();
                plan.run(&gains, 1, |_| true).unwrap();
                plan
            });
            let off = (peak as i64 - plan.bytes as i64).abs() as f64 / plan.bytes as f64;
            assert!(off < 0.03, "{peak} bytes at the peak, {} predicted: {plan:?}", plan.bytes);
        }
    }
}

#[test]
fn lanes_follow_the_spread() {
    for (spread, lanes) in [
        (90, Lanes::I16),
        (5000, Lanes::I32),
        (10_000_000, Lanes::I32),
        (1 << 40, Lanes::I64),
        (1 << 50, Lanes::I64),
        (1 << 62, Lanes::I128),
    ] {
        let gains = Gains::row(&items(5000, spread));
        let plan = Plan::new(&gains, Storage::Value, u64::MAX).unwrap();
        assert_eq!(plan.lanes, lanes, "{plan:?}");
        assert!(plan.why().contains(&plan.reach.to_string()));
        // A number added to all items, or a factor, changes nothing.
        if spread < 1 << 40 {
            let moved: Vec<i64> = items(5000, spread).iter().map(|item| item * 1000 - 123_456).collect();
            assert_eq!(Plan::new(&Gains::row(&moved), Storage::Value, u64::MAX).unwrap().lanes, lanes);
        }
    }
}

#[test]
fn storage_follows_the_limit() {
    let gains = Gains::row(&items(3000, 5000));
    let bytes = |storage| Plan::new(&gains, storage, u64::MAX).unwrap().bytes;
    let [value, moves, table] = [Storage::Value, Storage::Moves, Storage::Table].map(bytes);
    assert!(value < moves && moves < table / 8);
    let chosen = |limit| Plan::new(&gains, Storage::Table, limit).map(|plan| plan.storage);
    assert_eq!(chosen(table), Ok(Storage::Table));
    assert_eq!(chosen(table - 1), Ok(Storage::Moves));
    assert_eq!(chosen(moves - 1), Ok(Storage::Value));
    let error = chosen(value - 1).unwrap_err();
    assert_eq!((error.limit, error.needed), (value - 1, value));
    let plan = Plan::new(&gains, Storage::Table, moves).unwrap();
    assert!(plan.why().contains("does not fit"), "{}", plan.why());
}

#[test]
fn stops_when_told() {
    let gains = Gains::row(&items(20_000, 5000));
    let plan = Plan::new(&gains, Storage::Value, u64::MAX).unwrap();
    for threads in 1..=3 {
        let mut calls = 0;
        let stopped = plan.run(&gains, threads, |_| {
            calls += 1;
            calls < 3
        });
        // Of several threads this one may have had too little to do to be asked three times.
        match stopped.err() {
            Some(Unfinished::Stopped { intervals }) => {
                assert_eq!(calls, 3);
                assert!(0 < intervals && (threads > 1 || intervals < plan.intervals()));
            }
            other => assert!(other.is_none() && threads > 1),
        }
    }
}

#[test]
fn a_plan_for_other_gains_is_still_right() {
    let plan = Plan::new(&Gains::row(&[1, 2, 1]), Storage::Table, u64::MAX).unwrap();
    let gains = Gains::row(&items(100, 1 << 60));
    let right = Plan::new(&gains, Storage::Table, u64::MAX).unwrap().run(&gains, 1, |_| true).unwrap();
    assert_eq!(plan.run(&gains, 1, |_| true).unwrap().prefixes(), right.prefixes());
}
