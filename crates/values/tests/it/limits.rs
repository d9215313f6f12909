//! Memory, the stop button, and games so deep that plain recursion would break.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use values::parts::Solver;
use values::{Allowance, Arena, Budget, Error, Refusal, Side, Value};

use crate::board::{Domineering, empty, oriented};

#[test]
fn memory_is_charged_and_runs_out_as_an_error() {
    let mut least = 0;
    for limit in [0, 1 << 10, 1 << 13, 1 << 16, 1 << 19] {
        let mut arena = Arena::new(Allowance::new(limit));
        let mut solver = Solver::new(Domineering);
        match solver.value(&mut arena, &oriented(empty(5, 5)).0) {
            Err(Error::Memory { limit: told, needed }) => assert!(told == limit && needed > limit),
            other => panic!("{limit}: {other:?}"),
        }
        // The arena stays usable for what it has.
        assert!(arena.statistics().bytes <= limit && arena.statistics().games >= least);
        least = arena.statistics().games;
        assert_eq!(arena.plus(Value::ZERO, Value::ZERO), Ok(Value::ZERO));
    }
    // What failed for want of memory is right when there is more.
    let mut arena = Arena::new(Allowance::new(64 << 20));
    let mut solver = Solver::new(Domineering);
    assert_eq!(solver.value(&mut arena, &oriented(empty(5, 5)).0), Ok(Value::ZERO));
}

#[test]
fn huge_games_run_out_of_memory_and_not_of_patience() {
    let mut arena = Arena::new(Allowance::new(32 << 20));
    for text in
        ["left(*4000000000)", "birthday(^2000000000)", "1000000*{1|*}", "{*100000000|1} + {1|^}", "aw({^1000000000|v})"]
    {
        let answer = values::Calculator::new(&mut arena, &mut values::expression::NoPositions).evaluate(text);
        match text.starts_with("birthday") || text.starts_with("aw") || text.starts_with("1000000") {
            true => assert!(answer.is_ok() || matches!(answer, Err(Error::Memory { .. })), "{text}: {answer:?}"),
            false => assert!(matches!(answer, Err(Error::Memory { .. })), "{text}: {answer:?}"),
        }
    }
}

/// A budget that counts what is held, and stops after some looks.
struct Counting {
    held: Arc<AtomicU64>,
    looks: u32,
}

impl Budget for Counting {
    fn take(&mut self, bytes: u64) -> Result<(), Refusal> {
        self.held.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    fn give(&mut self, bytes: u64) {
        assert!(self.held.fetch_sub(bytes, Ordering::Relaxed) >= bytes);
    }

    fn stopped(&mut self) -> bool {
        self.looks = self.looks.saturating_sub(1);
        self.looks == 0
    }
}

#[test]
fn work_is_stopped_and_all_bytes_come_back() {
    let held = Arc::new(AtomicU64::new(0));
    let mut arena = Arena::new(Counting { held: held.clone(), looks: 2 });
    let mut solver = Solver::new(Domineering);
    assert_eq!(solver.value(&mut arena, &oriented(empty(6, 6)).0), Err(Error::Stopped));
    assert!(held.load(Ordering::Relaxed) > 0 && solver.len() > 100);
    assert_eq!(arena.statistics().bytes, held.load(Ordering::Relaxed));
    drop(arena);
    assert_eq!(held.load(Ordering::Relaxed), 0);
}

/// `{n | {n−1 | {n−2 | …}}}`: nothing in it is dominated or reversible.
fn ladder(arena: &mut Arena, depth: i64) -> Value {
    let mut value = Value::ZERO;
    for n in 1..=depth {
        let threat = arena.integer(n).unwrap();
        value = arena.game(&[threat], &[value]).unwrap();
    }
    value
}

/// Runs on a thread with little room for recursion.
fn cramped(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(test).unwrap();
    thread.join().unwrap();
}

#[test]
fn deep_games_do_not_break_the_stack() {
    cramped(|| {
        let mut arena = Arena::default();
        let deep = ladder(&mut arena, 100_000);
        let shift = arena.read("1/2").unwrap();
        let moved = arena.plus(deep, shift).unwrap();
        let negative = arena.negative(deep).unwrap();
        assert_eq!(arena.negative(negative).unwrap(), deep);
        assert_eq!(arena.birthday(deep).unwrap(), 100_001);
        assert!(arena.at_most(deep, moved).unwrap());
        let star = arena.nimber(1).unwrap();
        let starred = arena.plus(deep, star).unwrap();
        assert_eq!(arena.plus(starred, star).unwrap(), deep);
        assert_eq!(arena.compare(deep, starred).unwrap(), None);
        let up = arena.read("^^").unwrap();
        let higher = arena.plus(deep, up).unwrap();
        assert_eq!(arena.compare(deep, higher).unwrap(), Some(std::cmp::Ordering::Less));
        assert_eq!(arena.minus(deep, deep).unwrap(), Value::ZERO);
        assert!(matches!(arena.name(deep, 1 << 20), Err(Error::TooDeep { .. } | Error::TooLong { .. })));
        assert_eq!(arena.options(deep, Side::Left).unwrap().len(), 1);
    });
}

#[test]
fn deep_games_have_temperatures() {
    cramped(|| {
        let mut arena = Arena::default();
        // The mean of a ladder is halved with each step, until it does not fit.
        let high = ladder(&mut arena, 3000);
        assert!(matches!(arena.temperature(high), Err(Error::Overflow(_))));
        let low = arena.read("-{70|1} - {2|-80}").unwrap();
        let ladder = ladder(&mut arena, 70);
        assert!(matches!(arena.temperature(ladder), Err(Error::Overflow(_))));
        let total = arena.total(&[ladder, low, ladder]).unwrap();
        let outcome = arena.outcome(total);
        let parts = [ladder, low, ladder];
        assert_eq!(values::search::SumSearch::adding_up_to(0).outcome(&mut arena, &parts), outcome);
        let deep = arena.up_powers(3000).unwrap();
        assert_eq!(arena.temperature(deep), Ok(values::Dyadic::ZERO));
        let cooled = arena.cool(deep, values::Dyadic::new(1, 1).unwrap()).unwrap();
        assert_eq!(cooled, Value::ZERO);
        assert_eq!(arena.cool(deep, values::Dyadic::ZERO), Ok(deep));
        assert_eq!(arena.reduced(deep), Ok(Value::ZERO));
        let weight = arena.atomic_weight(deep).unwrap();
        assert_eq!(arena.integer_of(weight), Some(1));
        let top = arena.nimber(2).unwrap();
        arena.ordinal_sum(top, deep).unwrap();
        let unit = arena.integer(1).unwrap();
        arena.norton(deep, unit).unwrap();
        let many = arena.integer(10_000).unwrap();
        assert!(matches!(values::Loopy::of_value(&mut arena, many), Err(Error::Beyond(_))));
    });
}

#[test]
fn large_numbers_are_not_deep() {
    let mut arena = Arena::default();
    let million = arena.read("1000000000000").unwrap();
    let hot = arena.read("{1000000000000|-1000000000000}").unwrap();
    let sum = arena.plus(million, hot).unwrap();
    assert_eq!(arena.name(sum, 100).unwrap(), "{2000000000000|0}");
    let ups = arena.read("^2000000000*5").unwrap();
    let more = arena.read("^2000000001").unwrap();
    assert!(arena.at_most(ups, more).is_ok());
    assert_eq!(arena.birthday(million).unwrap(), 1_000_000_000_000);
    assert!(arena.statistics().games < 100);
}

#[test]
fn parsed_depth_is_safe_and_written_depth_is_read() {
    cramped(|| {
        let mut arena = Arena::default();
        for depth in [10, 100, 190] {
            let value = ladder(&mut arena, depth);
            let name = arena.name(value, 1 << 20).unwrap();
            assert_eq!(arena.read(&name).unwrap(), value);
        }
    });
}

/// A part that leads back to itself after some moves.
struct Circle;

impl values::parts::Parts for Circle {
    type Part = u32;

    fn options(&mut self, &part: &u32, side: Side, options: &mut values::parts::Options<u32>) -> values::Result<()> {
        if side == Side::Left {
            options.begin();
            options.add((part + 1) % 5, false);
        }
        Ok(())
    }
}

/// A line of a million moves for Left: a whole number, found without recursion.
struct Line;

impl values::parts::Parts for Line {
    type Part = u32;

    fn options(&mut self, &part: &u32, side: Side, options: &mut values::parts::Options<u32>) -> values::Result<()> {
        if side == Side::Left && part > 0 {
            options.begin();
            options.add(part - 1, false);
        }
        Ok(())
    }
}

#[test]
fn parts_may_be_deep_but_not_loopy() {
    cramped(|| {
        let (mut arena, mut circle) = (Arena::default(), Solver::new(Circle));
        let error = circle.value(&mut arena, &0).unwrap_err();
        assert!(error.to_string().contains("come back"), "{error}");
        assert_eq!((circle.len(), circle.known().count()), (0, 0));
        let mut line = Solver::new(Line);
        let value = line.value(&mut arena, &1_000_000).unwrap();
        assert_eq!(arena.integer_of(value), Some(1_000_000));
        let mut small = Arena::new(Allowance::new(1 << 20));
        let mut line = Solver::new(Line);
        assert!(matches!(line.value(&mut small, &1_000_000), Err(Error::Memory { .. })));
        assert!(line.is_empty());
    });
}

#[test]
fn many_ups_have_small_thermographs() {
    let mut arena = Arena::new(Allowance::new(1 << 20));
    for text in ["^2000000000*7", "1/2v1000000000", "*4000000000", "{^2000000000|v*4000000000}"] {
        let value = arena.read(text).unwrap();
        assert_eq!(arena.thermograph(value).unwrap().temperature(), values::Dyadic::ZERO, "{text}");
    }
}

#[test]
fn tinies_within_tinies_are_read_as_written() {
    cramped(|| {
        let mut arena = Arena::default();
        let mut value = arena.integer(1).unwrap();
        for depth in 0..20 {
            let (three, one) = (arena.integer(3).unwrap(), arena.integer(1).unwrap());
            let high = arena.game(&[three], &[value]).unwrap();
            let threat = arena.game(&[high], &[one]).unwrap();
            value = arena.tiny(threat).unwrap();
            let name = arena.name(value, 1 << 20).unwrap();
            assert_eq!(arena.read(&name).unwrap(), value, "{depth}: {name}");
        }
        // Whoever works with values on another thread takes the arena along.
        std::thread::spawn(move || arena.outcome(value).unwrap()).join().unwrap();
    });
}

/// Numbers at the edges of what fits: every answer is right, or an overflow.
#[test]
fn numbers_at_the_edges() {
    let mut arena = Arena::default();
    for exponent in 40..63 {
        for step in -1..=1 {
            let number = (1i64 << exponent) + step;
            for text in [format!("{{0|-{number}}}"), format!("{{{number}|0}}"), format!("{{{number}|1/1024}}")] {
                let Ok(value) = arena.read(&text) else { continue };
                let negative = arena.negative(value).unwrap();
                assert_eq!(arena.negative(negative), Ok(value), "{text}");
                assert_eq!(arena.plus(value, negative), Ok(Value::ZERO), "{text}");
                assert_eq!(arena.left_stop(negative), -arena.right_stop(value), "{text}");
                let name = arena.name(value, 100).unwrap();
                assert_eq!(arena.read(&name), Ok(value), "{text}");
                match arena.mean(value) {
                    Ok(_) | Err(Error::Overflow(_)) => {}
                    Err(error) => panic!("{text}: {error}"),
                }
            }
        }
    }
    for halvings in 0..=60 {
        let number = arena.read(&format!("-1/{}", 1u64 << halvings)).unwrap();
        let switch = arena.game(&[Value::ZERO], &[number]).unwrap();
        assert_eq!(arena.minus(switch, switch), Ok(Value::ZERO));
    }
}
