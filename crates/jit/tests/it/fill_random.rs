//! Thousands of small games made at random, filled by every strategy.

use formula::rewrite::Rewrite;
use formula::{Coded, EndResult, Node, Numbering, Range, TurnPlace};
use jit::Values;
use testkit::Random;

use crate::fill_support;
use crate::fill_support::*;

/// What the random games look like.
#[derive(Clone, Copy)]
struct Taste {
    /// Cells and their sizes.
    cells: (i64, i64),
    size: (i64, i64),
    /// The size of the last cell.
    last: (i64, i64),
    moves: (i64, i64),
    /// Chances in percent of further guards, ends, counts, conditions, moving on, a turn digit, odd strides, faults.
    guards: i64,
    ends: i64,
    counts: i64,
    valid: i64,
    same: i64,
    turn: i64,
    shuffled: i64,
    faults: i64,
}

const SMALL: Taste = Taste {
    cells: (1, 4),
    size: (1, 6),
    last: (1, 9),
    moves: (1, 6),
    guards: 30,
    ends: 40,
    counts: 20,
    valid: 25,
    same: 20,
    turn: 15,
    shuffled: 15,
    faults: 4,
};

fn node(random: &mut Random, make: &mut Make, leaves: &[Node], depth: usize) -> Node {
    if depth == 0 || random.chance(25) {
        return match random.chance(70) && !leaves.is_empty() {
            true => leaves[random.below(leaves.len())],
            false => {
                let number = random.between(-3, 6);
                make.arena.number(number)
            }
        };
    }
    let (a, b) = (node(random, make, leaves, depth - 1), node(random, make, leaves, depth - 1));
    let arena = &mut make.arena;
    match random.below(12) {
        0..=2 => arena.add(a, b),
        3 | 4 => arena.sub(a, b),
        5 => arena.min(a, b),
        6 => arena.max(a, b),
        7 => {
            let by = arena.number(random.between(2, 4));
            arena.rem(a, by)
        }
        8 => {
            let by = arena.number(random.between(2, 4));
            arena.div(a, by)
        }
        9 => arena.scale(a, random.between(-2, 3)),
        10 => {
            let less = arena.lt(a, b);
            arena.select(less, b, a)
        }
        _ => {
            let items: Vec<i64> = (0..random.between(1, 9)).map(|_| random.between(-5, 5)).collect();
            let list = make.list(&items);
            make.load(list, a)
        }
    }
}

fn condition(random: &mut Random, make: &mut Make, leaves: &[Node]) -> Node {
    let (a, b) = (node(random, make, leaves, 2), node(random, make, leaves, 1));
    let truth = match random.below(4) {
        0 => make.arena.eq(a, b),
        1 => make.arena.ne(a, b),
        2 => make.arena.lt(a, b),
        _ => make.arena.le(a, b),
    };
    if random.chance(25) {
        let other = condition(random, make, leaves);
        return if random.chance(50) { make.arena.and(truth, other) } else { make.arena.or(truth, other) };
    }
    truth
}

/// A simple condition: one cell against a number or another cell.
fn simple(random: &mut Random, make: &mut Make, leaves: &[Node]) -> Node {
    let a = leaves[random.below(leaves.len())];
    let b = match random.chance(60) {
        true => make.arena.number(random.between(0, 12)),
        false => leaves[random.below(leaves.len())],
    };
    let b = make.arena.shift(b, random.between(-2, 2));
    match random.below(5) {
        0 => make.arena.eq(a, b),
        1 => make.arena.ne(a, b),
        2 => make.arena.lt(a, b),
        3 => make.arena.lt(b, a),
        _ => make.arena.le(a, b),
    }
}

fn valid_condition(random: &mut Random, make: &mut Make, leaves: &[Node]) -> Node {
    let terms: Vec<(Node, i64)> = leaves.iter().map(|leaf| (*leaf, random.between(-2, 2))).collect();
    let sum = make.arena.combine(&terms, random.between(-1, 8));
    let zero = make.arena.number(0);
    if random.chance(15) {
        let rest = make.arena.number(random.between(2, 3));
        let sum = make.arena.rem(sum, rest);
        return make.arena.ne(sum, zero);
    }
    make.arena.le(zero, sum)
}

fn random_model(random: &mut Random, taste: Taste, counted: bool, draws: bool) -> Model {
    let mut make = Make::new(counted);
    let count = random.between(taste.cells.0, taste.cells.1) as usize;
    let mut order: Vec<u32> = (0..count as u32).collect();
    for at in (1..count).rev() {
        order.swap(at, random.below(at + 1));
    }
    let last = order[count - 1] as usize;
    for cell in 0..count {
        let size = if cell == last { taste.last } else { taste.size };
        let low = random.between(-2, 3);
        let size = random.between(size.0, size.1);
        make.cell(low, low + size - 1);
    }
    let ranges = make.cells.clone();
    let cells: Vec<Node> = (0..count).map(|cell| make.arena.cell(cell as u32, ranges[cell])).collect();
    let loops: Vec<(u32, bool)> = order.iter().map(|cell| (*cell, random.chance(60))).collect();
    let turn = random.chance(taste.turn);
    let mover = make.arena.mover(2);
    let mut leaves = cells.clone();
    if turn {
        leaves.push(mover);
    }
    if random.chance(taste.valid) {
        for _ in 0..random.between(1, 2) {
            let valid = valid_condition(random, &mut make, &cells);
            make.valid.push(valid);
        }
    }
    for _ in 0..2 {
        if random.chance(taste.ends) {
            let when = match random.chance(50) {
                true => condition(random, &mut make, &leaves),
                false => simple(random, &mut make, &leaves),
            };
            let result = result(random, &mut make, &leaves, counted, draws);
            make.end(when, result);
        }
    }
    if random.chance(50) {
        make.stuck = result(random, &mut make, &leaves, counted, draws);
    }
    let strict = random.between(1, count as i64) as usize;
    for _ in 0..random.between(taste.moves.0, taste.moves.1) {
        random_move(random, taste, &mut make, &loops, strict, &leaves, counted);
    }
    let shuffled = random.chance(taste.shuffled);
    let formulas = make.formulas();
    let mut digits: Vec<u32> = order.clone();
    if shuffled {
        digits.reverse();
    }
    let place = match (turn, random.chance(50)) {
        (false, _) => TurnPlace::Nowhere,
        (_, true) => TurnPlace::First,
        _ => TurnPlace::Last,
    };
    let numbering = Numbering::dense(&formulas, &digits, place).unwrap();
    let mut formulas = formulas;
    let nobody = formulas.arena.number(0);
    let coded = Coded::new(formulas, numbering, Vec::new(), (!turn).then_some(nobody));
    Model { coded, order: fill_support::order(&loops, strict) }
}

fn result(random: &mut Random, make: &mut Make, leaves: &[Node], counted: bool, draws: bool) -> EndResult {
    if counted {
        let (a, b) = (node(random, make, leaves, 1), node(random, make, leaves, 1));
        return EndResult::Gains(vec![a, b]);
    }
    let results = if draws { [-1, 0, 1] } else { [-1, 1, -1] };
    let pick = |random: &mut Random| results[random.below(3) as usize];
    let (a, b) = (make.arena.number(pick(random)), make.arena.number(pick(random)));
    if random.chance(70) {
        return EndResult::Outcome(a);
    }
    let when = condition(random, make, leaves);
    EndResult::Outcome(make.arena.select(when, a, b))
}

fn random_move(
    random: &mut Random,
    taste: Taste,
    make: &mut Make,
    loops: &[(u32, bool)],
    strict: usize,
    leaves: &[Node],
    counted: bool,
) {
    let ranges: Vec<Range> = make.cells.clone();
    let mut leaves = leaves.to_vec();
    let level = random.below(strict);
    let (cell, ascending) = loops[level];
    let own = make.arena.cell(cell, ranges[cell as usize]);
    let mut counts = Vec::new();
    let mut step = make.arena.number(match random.below(10) {
        0..=6 => random.between(1, 4),
        7 | 8 => random.between(1, 40),
        _ => random.between(1, 100),
    });
    if random.chance(taste.counts) {
        let most = random.between(1, 6);
        let choice = make.arena.choice(make.actions.len() as u32, Range { low: 1, high: most });
        leaves.push(choice);
        step = choice;
        let most = make.arena.number(most);
        let bound = node(random, make, &leaves[..leaves.len() - 1], 1);
        let high = make.arena.min(most, bound);
        let low = make.arena.number(1);
        counts.push((low, high));
    }
    let back = if ascending { make.arena.sub(own, step) } else { make.arena.add(own, step) };
    let mut after = vec![(cell, back)];
    for &(other, _) in &loops[level + 1..] {
        if random.chance(35) {
            let node_before = make.arena.cell(other, ranges[other as usize]);
            let to = match random.below(5) {
                0..=2 => make.arena.shift(node_before, random.between(-3, 3)),
                3 => make.arena.max(node_before, step),
                _ => node(random, make, &leaves, 1),
            };
            after.push((other, to));
        }
    }
    let faulty = random.chance(taste.faults);
    let mut guard = Vec::new();
    let mut inside = Vec::new();
    for &(cell, to) in &after {
        let Range { low, high } = ranges[cell as usize];
        let (low, high) = (make.arena.number(low), make.arena.number(high));
        inside.extend([make.arena.le(low, to), make.arena.le(to, high)]);
    }
    // Options of positions that can be reached can be reached.
    let before: Vec<(Node, Node)> =
        after.iter().map(|(cell, to)| (make.arena.cell(*cell, ranges[*cell as usize]), *to)).collect();
    let (mut rewrite, lists) = (Rewrite::new(&before), make.lists.clone());
    for valid in make.valid.clone() {
        guard.push(rewrite.node(&mut make.arena, &lists, valid));
    }
    if random.chance(taste.guards) {
        guard.push(condition(random, make, &leaves));
    }
    if random.chance(taste.guards) {
        guard.push(simple(random, make, &leaves));
    }
    let mut fault = make.arena.number(0);
    if faulty {
        let (guard, inside) = (make.all(&guard), make.all(&inside));
        let outside = make.arena.not(inside);
        fault = make.arena.and(guard, outside);
    } else {
        guard.extend(inside);
    }
    let guard = make.all(&guard);
    let gain = counted.then(|| node(random, make, &leaves, 2));
    after.sort_by_key(|after| after.0);
    let same = random
        .chance(taste.same)
        .then(|| if random.chance(50) { None } else { Some(condition(random, make, &leaves)) });
    let mover = make.arena.mover(2);
    let action = make.action(guard, after, gain);
    action.fault = fault;
    let other = action.turn;
    match same {
        None => {}
        Some(None) => action.turn = mover,
        Some(Some(when)) => {
            let turn = make.arena.select(when, mover, other);
            make.actions.last_mut().unwrap().turn = turn;
        }
    }
    for (low, high) in counts {
        make.count(make.actions.len() as u32 - 1, low, high);
    }
}

fn run(seed: u64, games: u64, taste: Taste) {
    let mut used = [0; STRATEGIES.len()];
    for game in 0..games {
        let mut random = Random::new((seed * 1_000_003 + game) * 2 + 1);
        for _ in 0..8 {
            random.next();
        }
        let kind = random.below(5);
        let (counted, values) = match kind {
            0 => (false, Values::Win),
            1 => (false, Values::Outcome),
            2 => (false, Values::Remoteness { width: [1, 2, 4][random.below(3) as usize] }),
            3 => (false, Values::Nimber { width: [1, 2, 4][random.below(3) as usize] }),
            _ => {
                let width = [2, 4, 8][random.below(3) as usize];
                (true, Values::Score { width, checked: width == 8 && random.chance(50) })
            }
        };
        let model = random_model(&mut random, taste, counted, kind != 0);
        // Keys of one byte are for plays of at most 62 moves.
        let values = match values {
            Values::Remoteness { width: 1 } if taste.last.1 > 60 => Values::Remoteness { width: 2 },
            other => other,
        };
        check_all(&model, values, || 1 + random.below(3), &format!("seed {seed}, game {game}"), &mut used);
    }
    println!("{used:?}");
}

#[test]
fn small() {
    run(1, 1000, SMALL);
}

#[test]
fn rows() {
    run(2, 600, Taste { cells: (1, 2), last: (20, 90), size: (1, 5), counts: 10, ..SMALL });
}

/// Games whose guards are mostly simple, with long last variables: rows of all kinds.
#[test]
fn long_rows() {
    let taste = Taste { cells: (1, 3), size: (1, 4), last: (16, 210), ..SMALL };
    run(
        4,
        900,
        Taste { guards: 15, ends: 15, counts: 0, valid: 15, turn: 0, shuffled: 0, faults: 0, moves: (1, 9), ..taste },
    );
}

/// Counted choices along long rows whose variable is free.
#[test]
fn passes() {
    let taste = Taste { cells: (2, 3), size: (2, 6), last: (16, 60), counts: 60, ..SMALL };
    run(5, 500, Taste { guards: 15, ends: 10, valid: 15, turn: 0, shuffled: 0, faults: 0, same: 10, ..taste });
}

/// Many small cells: blocks of the last ones.
#[test]
fn blocks() {
    let taste = Taste { cells: (3, 6), size: (2, 4), last: (2, 5), counts: 0, valid: 5, shuffled: 0, ..SMALL };
    run(6, 700, Taste { turn: 0, faults: 0, moves: (1, 9), ..taste });
}

#[test]
fn faulty() {
    run(3, 300, Taste { faults: 40, ..SMALL });
}
