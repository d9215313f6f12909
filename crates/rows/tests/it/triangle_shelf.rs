//! Tables that lie on a shelf against tables in memory; runs that are cut short and go on.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rows::triangle::{Gains, Lanes, Pieces, Plan, Shelf, Storage, Unshelved};
use testkit::Random;

/// Pieces in memory; refuses all after so many.
struct Wall {
    pieces: Mutex<Vec<Option<Vec<u8>>>>,
    room: AtomicU64,
}

impl Wall {
    fn new(pieces: Pieces, room: u64) -> Arc<Self> {
        let pieces = Mutex::new(vec![None; pieces.count as usize]);
        Arc::new(Self { pieces, room: AtomicU64::new(room) })
    }

    fn laid(&self) -> usize {
        self.pieces.lock().unwrap().iter().flatten().count()
    }
}

impl Shelf for Wall {
    fn put(&self, piece: u64, bytes: &[u8]) -> io::Result<()> {
        self.room
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| room.checked_sub(1))
            .map_err(|_| io::Error::other("no room"))?;
        let old = self.pieces.lock().unwrap()[piece as usize].replace(bytes.to_vec());
        assert!(old.is_none_or(|old| old == bytes), "piece {piece} has changed");
        Ok(())
    }

    fn get(&self, piece: u64, bytes: &mut [u8]) -> io::Result<bool> {
        Ok(self.pieces.lock().unwrap()[piece as usize].as_ref().map(|kept| bytes.copy_from_slice(kept)).is_some())
    }
}

fn list(len: usize, seed: u64, spread: u64) -> Vec<i64> {
    let mut random = Random::new(seed);
    (0..len).map(|_| random.below(spread) as i64 - spread as i64 / 3).collect()
}

fn all_gains(len: usize) -> [Gains; 3] {
    let lists: [Vec<i64>; 4] = std::array::from_fn(|seed| list(len, seed as u64 + 7, 1000));
    [
        Gains::row(&lists[0]),
        Gains::ends(&lists[0], &lists[1]).unwrap(),
        Gains::sums([&lists[0], &lists[1]], [&lists[2], &lists[3]]).unwrap(),
    ]
}

/// What lies on a shelf is the table.
fn check(plan: &Plan, gains: &Gains, shelf: Arc<Wall>) {
    let table = Plan::new(gains, Storage::Table, u64::MAX).unwrap().run(gains, 1, |_| true).unwrap();
    let read = plan.read(gains, shelf).unwrap();
    assert_eq!((read.value(), read.line()), (table.value(), table.line()));
    for i in 0..=gains.len() {
        for j in i..=gains.len() {
            assert_eq!((read.lead(i, j), read.best(i, j)), (table.lead(i, j), table.best(i, j)), "{i}..{j}");
        }
    }
}

#[test]
fn a_shelf_has_the_table() {
    for len in [0, 1, 2, 15, 16, 17, 100, 257, 600] {
        for gains in all_gains(len) {
            for lanes in Lanes::ALL {
                let plan = Plan::among(&gains, Storage::Value, u64::MAX, &[lanes]).unwrap();
                for threads in [1, 3] {
                    let shelf = Wall::new(plan.pieces(), u64::MAX);
                    plan.fill(&gains, &*shelf, threads, |_| true).unwrap();
                    assert_eq!(shelf.laid() as u64, plan.pieces().count);
                    if threads == 3 {
                        check(&plan, &gains, shelf);
                    }
                }
            }
        }
    }
}

#[test]
fn a_run_that_was_cut_goes_on() {
    for (round, gains) in all_gains(700).into_iter().enumerate() {
        for lanes in Lanes::ALL {
            let plan = Plan::among(&gains, Storage::Value, u64::MAX, &[lanes]).unwrap();
            let shelf = Wall::new(plan.pieces(), 0);
            let mut runs = 0;
            loop {
                // More room each time; sometimes a piece is lost.
                shelf.room.store(runs * plan.pieces().count / 7, Ordering::Relaxed);
                match plan.fill(&gains, &*shelf, 1 + (runs as usize + round) % 3, |_| true) {
                    Ok(()) => break,
                    Err(Unshelved::Shelf(error)) => assert_eq!(error.to_string(), "no room"),
                    Err(Unshelved::Stopped { .. }) => panic!("nobody said stop"),
                }
                assert!(plan.read(&gains, shelf.clone()).is_none(), "the value comes last");
                runs += 1;
                if runs == 3 {
                    let mut pieces = shelf.pieces.lock().unwrap();
                    let middle = pieces.len() / 3;
                    pieces[middle] = None;
                }
            }
            assert!(runs > 3);
            check(&plan, &gains, shelf);
        }
    }
}

#[test]
fn stops_when_told_and_tells_how_far_it_is() {
    let gains = Gains::row(&list(3000, 5, 100));
    let plan = Plan::new(&gains, Storage::Value, u64::MAX).unwrap();
    let shelf = Wall::new(plan.pieces(), u64::MAX);
    let stopped = plan.fill(&gains, &*shelf, 1, |_| false);
    assert!(matches!(stopped, Err(Unshelved::Stopped { intervals }) if intervals < plan.intervals()));
    let mut seen = Vec::new();
    plan.fill(&gains, &*shelf, 2, |intervals| {
        seen.push(intervals);
        true
    })
    .unwrap();
    assert!(seen.is_sorted() && seen.last() == Some(&plan.intervals()));
    // Once more: everything is there, and only looked at.
    shelf.room.store(0, Ordering::Relaxed);
    plan.fill(&gains, &*shelf, 1, |_| true).unwrap();
    assert!(matches!(plan.fill(&gains, &*shelf, 1, |_| false), Err(Unshelved::Stopped { .. })));
}

#[test]
fn a_plan_for_other_gains_is_refused() {
    let (gains, other) = (Gains::row(&[1, 2, 3]), Gains::row(&[1, 2]));
    let plan = Plan::new(&gains, Storage::Value, u64::MAX).unwrap();
    let shelf = Wall::new(plan.pieces(), u64::MAX);
    assert!(matches!(plan.fill(&other, &*shelf, 1, |_| true), Err(Unshelved::Shelf(_))));
    assert!(plan.read(&other, shelf).is_none());
}
