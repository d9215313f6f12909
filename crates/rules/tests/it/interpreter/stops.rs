//! The interpreter stops inside a rule when it is told to, and counts its steps as if nobody could stop it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rules::stop::{Room, Scope, Stopped, Watch};

use super::*;

/// A rule of about `a` steps for each move, and `n` moves.
const SLOW: &str = "game slow(n: int = 2, a: int = 10) {
    state { h in 0..=n = n; }
    move take(k in 1..=n) when k <= h and sum(i % 7 for i in 0..a) >= 0 { h -= k; }
}";

fn count(bound: &Bound) -> Result<u64, Fault> {
    let mut number = 0;
    let part = &bound.start.parts[0];
    Interpreter::new(bound).moves(part, Player::FIRST, &mut |_| {
        number += 1;
        Ok(())
    })?;
    Ok(number)
}

#[test]
fn a_flag_stops_a_rule_in_the_middle() {
    let bound = game(SLOW, r#"{"n": 1000000000}"#);
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let scope = Scope::new(Watch { cancel: Some(flag), ..Watch::default() });
    let mut number = 0u64;
    let stopped = Interpreter::new(&bound).moves(&bound.start.parts[0], Player::FIRST, &mut |_| {
        number += 1;
        set.store(number >= 1000, Ordering::Relaxed);
        Ok(())
    });
    assert_eq!(stopped.unwrap_err().stopped(), Some(Stopped::Cancelled));
    assert_eq!(scope.stopped(), Some(Stopped::Cancelled));
    // A few thousand steps later at the most, and a move takes dozens.
    assert!((1000..1200).contains(&number), "{number}");
}

#[test]
fn the_clock_stops_lets_and_what_comes_after_them() {
    let source = "game long(n: int) { let a = sum(i * j % 7 for i in 0..n for j in 0..n); state { h in 0..=9 = 9; } move m { h -= 1; } }";
    let limit = Duration::from_millis(30);
    let scope = Scope::new(Watch { deadline: Some((Instant::now() + limit, limit)), ..Watch::default() });
    let begun = Instant::now();
    assert!(try_game(source, r#"{"n": 6000}"#).is_err());
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert_eq!(scope.stopped(), Some(Stopped::Time { limit }));
    drop(scope);
    assert!(try_game(source, r#"{"n": 60}"#).is_ok());
}

/// How many bytes there are.
struct Bytes(AtomicU64);

impl Bytes {
    fn rest(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Room for Bytes {
    fn take(&self, bytes: u64) -> Result<(), Stopped> {
        let rest = self.rest().checked_sub(bytes).ok_or(Stopped::Memory { limit: 0, needed: bytes })?;
        self.0.store(rest, Ordering::Relaxed);
        Ok(())
    }

    fn give(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

#[test]
fn long_lists_ask_for_memory() {
    let source = "game lists(n: int) { let a = [0; n]; state { h in 0..=9 = 9; } move m { h -= 1; } }";
    let room = Arc::new(Bytes(AtomicU64::new(10 << 20)));
    let scope = Scope::new(Watch { room: Some(Arc::clone(&room) as Arc<dyn Room>), ..Watch::default() });
    assert!(try_game(source, r#"{"n": 1000000}"#).is_ok());
    assert_eq!((scope.stopped(), room.rest()), (None, 10 << 20));
    assert!(try_game(source, r#"{"n": 2000000}"#).is_err());
    assert!(matches!(scope.stopped(), Some(Stopped::Memory { .. })));
    assert_eq!(room.rest(), 10 << 20);
    // Lists of moves, too.
    drop(scope);
    let scope = Scope::new(Watch { room: Some(Arc::clone(&room) as Arc<dyn Room>), ..Watch::default() });
    let bound = game(SLOW, r#"{"n": 10000000, "a": 0}"#);
    let fault = rules::play::plays(&bound, &bound.start).unwrap_err();
    assert!(matches!(fault.stopped(), Some(Stopped::Memory { .. })));
    drop(scope);
    assert_eq!(room.rest(), 10 << 20);
}

#[test]
fn steps_are_counted_as_if_nobody_looked() {
    // What a rule may do is the same whether it is the first one of an interpreter or comes after others.
    let source = "game one(a: int) {
        state { h in 0..=9 = 9; }
        end when any(i < 0 for i in 0..a) => win;
        move m { h -= 1; }
    }";
    for (turns, enough) in [(1 << 22, true), (1 << 25, false)] {
        let bound = game(source, &format!(r#"{{"a": {turns}}}"#));
        let part = &bound.start.parts[0];
        for warm in [0, 3000] {
            let mut interpreter = Interpreter::new(&bound);
            for _ in 0..warm {
                interpreter.moves(part, Player::FIRST, &mut |_| Ok(())).unwrap();
            }
            match interpreter.end(part, Player::FIRST) {
                Ok(_) => assert!(enough),
                Err(fault) => assert!(!enough && fault.too_much_work && fault.stopped().is_none()),
            }
        }
    }
    let bound = game(SLOW, r#"{"n": 50, "a": 100}"#);
    assert_eq!(count(&bound).unwrap(), 50);
}
