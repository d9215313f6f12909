//! Orders and invariants of games made by hand, checked along random plays.

use formula::{Count, Loop, Study, study};

use crate::plays::{Made, check_study, empty, show};

fn studied(made: &Made) -> Study {
    let found = study(made.formulas.clone(), &made.start, 0, true);
    check_study(&made.formulas, &found, &(made.start.clone(), 0), 50, 7).unwrap_or_else(|wrong| panic!("{wrong}"));
    found
}

fn loops(found: &Study) -> Vec<(u32, bool)> {
    let order = found.order.as_ref().unwrap_or_else(|why| panic!("{why}"));
    order.loops.iter().map(|Loop { cell, ascending }| (*cell, *ascending)).collect()
}

/// Two ends of a row that close in.
fn coins(n: i64) -> Made {
    let mut made = empty(&[(0, n), (0, n)], &[0, n]);
    let (i, j) = (made.cell(0), made.cell(1));
    let arena = &mut made.formulas.arena;
    let (guard, next, last) = (arena.lt(i, j), arena.shift(i, 1), arena.shift(j, -1));
    made.action(guard, &[(0, next)]);
    made.action(guard, &[(1, last)]);
    made
}

#[test]
fn one_heap() {
    let mut made = empty(&[(0, 30)], &[20]);
    for take in [1, 3, 5] {
        let left = made.cell(0);
        let number = made.formulas.arena.number(take);
        let (guard, after) = (made.formulas.arena.le(number, left), made.formulas.arena.shift(left, -take));
        made.action(guard, &[(0, after)]);
    }
    let found = studied(&made);
    assert_eq!(loops(&found), [(0, true)]);
    let order = found.order.unwrap();
    assert_eq!((order.strict, order.longest), (1, Some(20)));
    assert_eq!(order.why, "every move lowers {0}");
    assert_eq!(found.formulas.cells[0].high, 20);
    // Every move takes an odd number.
    assert_eq!(show(&found.formulas.arena, found.mover.unwrap()), "(1 & c0)");
}

#[test]
fn two_ends_close_in() {
    let found = studied(&coins(9));
    assert_eq!(loops(&found), [(0, false), (1, true)]);
    let skewed = found.skewed.as_ref().unwrap();
    assert_eq!(loops(skewed), [(1, true), (0, true)]);
    let order = skewed.order.as_ref().unwrap();
    assert_eq!((order.strict, order.longest, &order.why[..]), (1, Some(9), "every move lowers {1} minus {0}"));
    let coded = skewed.coded(true, formula::TurnPlace::Nowhere).unwrap();
    assert_eq!(coded.numbering.size, 100);
    let valid: Vec<String> = skewed.formulas.valid.iter().map(|node| show(&skewed.formulas.arena, *node)).collect();
    assert_eq!(valid, ["not (9 < (1*c1 + 1*c0 + 0))"]);
    let order = found.order.unwrap();
    assert_eq!((order.strict, order.longest), (2, Some(9)));
    assert!(order.wave.is_some());
    let valid: Vec<String> = found.formulas.valid.iter().map(|node| show(&found.formulas.arena, *node)).collect();
    assert_eq!(valid, ["not (c1 < c0)"]);
    assert_eq!(show(&found.formulas.arena, found.mover.unwrap()), "(1 & (1*c1 + 1*c0 + 1))");
}

#[test]
fn a_limit_that_grows_is_free() {
    // Stone Game II: take 1..=min(2 m, n - i), m = max(m, taken).
    let n = 12;
    let mut made = empty(&[(0, n), (1, n)], &[0, 1]);
    let (i, m) = (made.cell(0), made.cell(1));
    let arena = &mut made.formulas.arena;
    let taken = arena.choice(0, formula::Range { low: 1, high: n });
    let (low, double, left, fault) =
        (arena.number(1), arena.scale(m, 2), arena.combine(&[(i, -1)], n), arena.number(0));
    let high = arena.min(double, left);
    let (next, limit, guard) = (arena.add(i, taken), arena.max(m, taken), arena.truth(true));
    made.action(guard, &[(0, next), (1, limit)]);
    made.formulas.actions[0].counts.push(Count { choice: 0, low, high, fault });
    let found = studied(&made);
    assert_eq!(loops(&found), [(0, false), (1, true)]);
    let order = found.order.unwrap();
    assert_eq!((order.strict, order.longest), (1, Some(12)));
    assert_eq!(order.why, "every move raises {0}");
    assert!(found.mover.is_none());
}

/// A board on which the mover places a mark on an empty square.
#[test]
fn marks_tell_the_turn() {
    let mut made = empty(&[(0, 2); 9], &[0; 9]);
    for at in 0..9 {
        let square = made.cell(at);
        let arena = &mut made.formulas.arena;
        let zero = arena.number(0);
        let (guard, mover) = (arena.eq(square, zero), arena.mover(2));
        let mark = arena.shift(mover, 1);
        made.action(guard, &[(at, mark)]);
    }
    let found = studied(&made);
    assert!(found.mover.is_some());
    let order = found.order.unwrap();
    assert_eq!((order.strict, order.longest), (9, Some(9)));
    assert!(order.wave.is_some());
}

/// A piece takes the piece beside it: no square alone goes one way, but pieces get fewer.
#[test]
fn pieces_get_fewer() {
    let mut made = empty(&[(0, 2); 5], &[1, 2, 1, 2, 1]);
    for (at, to) in [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (3, 4), (4, 3)] {
        let (from, beside) = (made.cell(at), made.cell(to));
        let arena = &mut made.formulas.arena;
        let mover = arena.mover(2);
        let (own, other, zero) = (arena.shift(mover, 1), arena.combine(&[(mover, -1)], 2), arena.number(0));
        let (mine, theirs) = (arena.eq(from, own), arena.eq(beside, other));
        let guard = arena.and(mine, theirs);
        let mut after = [(at, zero), (to, own)];
        after.sort();
        made.action(guard, &after);
    }
    let found = studied(&made);
    assert!(found.order.is_err());
    let potential = found.potential.unwrap();
    assert_eq!((potential.longest(), potential.fall), (5, 1));
    assert_eq!(potential.why, "the number of {0}, {1} … {4} that are not 0");
    assert!(found.mover.is_some());
}

#[test]
fn elements_leave_a_set() {
    let mut made = empty(&[(0, 1023)], &[1023]);
    for bit in 0..10 {
        let set = made.cell(0);
        let arena = &mut made.formulas.arena;
        let (by, one) = (arena.number(bit), arena.number(1));
        let shifted = arena.shr(set, by);
        let (guard, after) = (arena.and(shifted, one), arena.shift(set, -(1 << bit)));
        made.action(guard, &[(0, after)]);
    }
    let found = studied(&made);
    assert_eq!(loops(&found), [(0, true)]);
    assert_eq!(show(&found.formulas.arena, found.mover.unwrap()), "(1 & popcount(c0))");
}

#[test]
fn a_token_that_wanders_has_no_order() {
    let mut made = empty(&[(0, 5)], &[2]);
    let at = made.cell(0);
    let arena = &mut made.formulas.arena;
    let (zero, five) = (arena.number(0), arena.number(5));
    let (above, below) = (arena.lt(zero, at), arena.lt(at, five));
    let (down, up) = (arena.shift(at, -1), arena.shift(at, 1));
    made.action(above, &[(0, down)]);
    made.action(below, &[(0, up)]);
    let found = studied(&made);
    assert_eq!(found.order.unwrap_err(), "{move 1} raises {0} and {move 0} lowers it");
    made.formulas.actions[1].rule = made.formulas.actions[0].rule;
    assert_eq!(studied(&made).order.unwrap_err(), "{move 0} now raises {0}, now lowers it");
    assert!(found.potential.is_none());
}

#[test]
fn ends_are_assumed_not_to_hold() {
    // Euclid: x -= times * y, where the game ends when either is 0.
    let mut made = empty(&[(0, 25), (0, 7)], &[25, 7]);
    let (x, y) = (made.cell(0), made.cell(1));
    let arena = &mut made.formulas.arena;
    let (zero, one, fault) = (arena.number(0), arena.number(1), arena.number(0));
    let (x_out, y_out) = (arena.eq(x, zero), arena.eq(y, zero));
    let over = arena.or(x_out, y_out);
    let yes = arena.truth(true);
    let times = arena.choice(0, formula::Range { low: 1, high: 25 });
    for (this, that, cell) in [(x, y, 0), (y, x, 1)] {
        let arena = &mut made.formulas.arena;
        let (high, off) = (arena.div(this, that), arena.mul(times, that));
        let after = arena.sub(this, off);
        made.action(yes, &[(cell, after)]);
        let action = made.formulas.actions.last_mut().unwrap();
        action.counts.push(Count { choice: 0, low: one, high, fault });
    }
    made.end(over);
    let found = studied(&made);
    assert_eq!(found.order.as_ref().unwrap().strict, 2);
    assert!(found.order.unwrap().wave.is_some());
}

/// Numbers leave a set and are added up: the total follows from the set.
#[test]
fn a_total_follows_from_a_set() {
    let weights = [3, 1, 4, 1, 5, 9];
    let mut made = empty(&[(0, 63), (0, 100)], &[63, 7]);
    for (bit, weight) in weights.iter().enumerate() {
        let (set, total) = (made.cell(0), made.cell(1));
        let arena = &mut made.formulas.arena;
        let (by, one) = (arena.number(bit as i64), arena.number(1));
        let shifted = arena.shr(set, by);
        let guard = arena.and(shifted, one);
        let (rest, more) = (arena.shift(set, -(1 << bit)), arena.shift(total, *weight));
        made.action(guard, &[(0, rest), (1, more)]);
    }
    let found = studied(&made);
    assert_eq!(found.derived.iter().map(|(cell, _)| *cell).collect::<Vec<u32>>(), [1]);
    assert_eq!(loops(&found), [(0, true)]);
    assert!(found.facts.contains(&"{1} follows from {0}".to_owned()), "{:?}", found.facts);
    let coded = found.coded(true, formula::TurnPlace::First).unwrap();
    assert_eq!(coded.numbering.size, 64);
}

/// Stones go from one heap to another or vanish in pairs; a count of moves follows from both.
#[test]
fn a_count_follows_from_heaps() {
    let mut made = empty(&[(0, 10), (0, 12), (0, 99)], &[10, 2, 0]);
    let (a, b, moves) = (made.cell(0), made.cell(1), made.cell(2));
    let arena = &mut made.formulas.arena;
    let (one, fewer, more, next) = (arena.number(1), arena.shift(a, -1), arena.shift(b, 1), arena.shift(moves, 1));
    let guard = arena.le(one, a);
    made.action(guard, &[(0, fewer), (1, more), (2, next)]);
    let two = made.formulas.arena.number(2);
    let (guard, less) = (made.formulas.arena.le(two, b), made.formulas.arena.shift(b, -2));
    made.action(guard, &[(1, less), (2, next)]);
    let found = studied(&made);
    assert_eq!(found.derived.len(), 0, "two moves for a pair: moves = (3 (10 - a) + 2 - b) / 2 has no whole factors");
}
