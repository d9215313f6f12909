//! Memory, time and the cancel flag: a limit is an error with figures, and never more is used than allowed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engine::graph::{Expansion, Graph, Id};
use engine::induction::induction;
use engine::monitor::{Limits, Monitor};
use engine::retrograde::{Forever, retrograde};
use engine::valuation::Outcomes;
use engine::{Error, Limit};
use game::Player;

use super::big::Heap;

/// Runs with one memory limit after another until one suffices; each failure must be clean. Gives how often it failed.
fn with_every_limit(mut run: impl FnMut(&mut Monitor) -> Result<(), Error>) -> usize {
    let mut limit = 0;
    for failures in 0.. {
        let mut monitor = Monitor::new(&Limits { memory: limit, time: None });
        let result = run(&mut monitor);
        assert!(monitor.memory().peak() <= limit, "{} of {limit} bytes", monitor.memory().peak());
        assert_eq!(monitor.memory().used(), 0, "everything is given back");
        match result {
            Ok(()) => return failures,
            Err(Error::Limit { limit: Limit::Memory { limit: told, needed }, .. }) => {
                assert!(told == limit && needed > limit);
                assert!(failures < 10_000, "no limit suffices");
                limit = (limit + 1).max(limit + limit / 50);
            }
            Err(error) => panic!("{error}"),
        }
    }
    unreachable!()
}

#[test]
fn backward_induction_within_every_limit() {
    let failures = with_every_limit(|monitor| {
        let mut heap = Heap::new(3000, 3, false, &monitor.memory().clone())?;
        let mut outcomes = Outcomes::with_nimbers(monitor.memory());
        induction(&mut heap, &[0], &mut outcomes, monitor)
    });
    assert!(failures > 50, "{failures} limits were too small");
}

#[test]
fn retrograde_analysis_within_every_limit() {
    for forever in [Forever::Draw, Forever::Win(Player::FIRST), Forever::Win(Player::SECOND)] {
        let failures = with_every_limit(|monitor| {
            let mut heap = Heap::new(3000, 3, true, &monitor.memory().clone())?;
            retrograde(&mut heap, forever, monitor).map(drop)
        });
        assert!(failures > 50, "{failures} limits were too small");
    }
}

#[test]
fn a_limit_tells_how_far_it_came() {
    let mut monitor = Monitor::new(&Limits { memory: 100_000, time: None });
    let mut heap = Heap::new(1_000_000, 3, false, &monitor.memory().clone()).unwrap();
    let mut outcomes = Outcomes::new(monitor.memory());
    let error = induction(&mut heap, &[0], &mut outcomes, &mut monitor).unwrap_err();
    let Error::Limit { positions, .. } = error else { panic!("{error}") };
    assert!(positions > 500 && positions == heap.len() as u64);
}

/// A game that sets the cancel flag while it is expanded for the thousandth time.
struct Cancelling(Heap, Arc<AtomicBool>, u32);

impl Graph for Cancelling {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        self.2 += 1;
        if self.2 == 1000 {
            self.1.store(true, Ordering::Relaxed);
        }
        self.0.expand(position, into)
    }
}

#[test]
fn the_cancel_flag_stops_both_methods_soon() {
    let flag = Arc::new(AtomicBool::new(false));
    for cyclic in [false, true] {
        flag.store(false, Ordering::Relaxed);
        let mut monitor = Monitor::unlimited().cancelled_by(flag.clone());
        let heap = Heap::new(1_000_000, 3, cyclic, monitor.memory()).unwrap();
        let mut graph = Cancelling(heap, flag.clone(), 0);
        let result = if cyclic {
            retrograde(&mut graph, Forever::Draw, &mut monitor).map(drop)
        } else {
            let mut outcomes = Outcomes::new(monitor.memory());
            induction(&mut graph, &[0], &mut outcomes, &mut monitor)
        };
        assert!(matches!(result, Err(Error::Interrupted { positions: 900.. })), "{result:?}");
        assert!(graph.2 < 20_000, "{} positions later", graph.2 - 1000);
    }
}

#[test]
fn time_runs_out_in_both_methods() {
    for cyclic in [false, true] {
        let limits = Limits { memory: u64::MAX, time: Some(Duration::from_millis(15)) };
        let mut monitor = Monitor::new(&limits);
        let mut heap = Heap::new(50_000_000, 3, cyclic, monitor.memory()).unwrap();
        let result = if cyclic {
            retrograde(&mut heap, Forever::Draw, &mut monitor).map(drop)
        } else {
            let mut outcomes = Outcomes::new(monitor.memory());
            induction(&mut heap, &[0], &mut outcomes, &mut monitor)
        };
        assert!(matches!(result, Err(Error::Limit { limit: Limit::Time { .. }, .. })), "{result:?}");
    }
}
