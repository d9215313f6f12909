//! Random games of counters and sets, made so that orders, determined cells, skewed cells and parities occur often.

use formula::{Node, Study, study};
use testkit::Random;

use crate::plays::{Made, check_study, empty, show};

/// Counters that moves shift by constants where they fit, a set whose elements leave, and cells that follow from others.
fn random_game(random: &mut Random) -> Made {
    let counters = 1 + random.below(3);
    let with_set = random.below(3) == 0;
    let followers = random.below(3);
    let mut cells = Vec::new();
    let mut start = Vec::new();
    for _ in 0..counters {
        let size = 3 + random.below(12) as i64;
        cells.push((0, size));
        start.push(random.below(size as usize + 1) as i64);
    }
    let bits = 3 + random.below(4);
    if with_set {
        cells.push((0, (1 << bits) - 1));
        start.push((1 << bits) - 1);
    }
    let factors: Vec<Vec<i64>> =
        (0..followers).map(|_| (0..counters + bits).map(|_| random.below(5) as i64 - 2).collect()).collect();
    for _ in 0..followers {
        cells.push((-400, 400));
        start.push(random.below(9) as i64);
    }
    let mut made = empty(&cells, &start);
    let mostly = [-1, 1][random.below(2)];
    // Sometimes two counters close in, as the ends of a row do.
    let row = counters >= 2 && random.below(2) == 0;
    if row {
        let size = 6 + random.below(9) as i64;
        made.formulas.cells[..2].fill(formula::Range { low: 0, high: size });
        made.start[..2].copy_from_slice(&[0, size]);
    }
    for _ in 0..1 + random.below(6) {
        let mut shifts: Vec<i64> = vec![0; counters];
        for _ in 0..if row { 0 } else { 1 + random.below(2) } {
            let way = if random.below(6) == 0 { -mostly } else { mostly };
            shifts[random.below(counters)] = way * (1 + random.below(3) as i64);
        }
        if row {
            let end = random.below(2);
            shifts[end] = [1, -1][end];
        }
        let element = (with_set && random.below(2) == 0).then(|| random.below(bits));
        add_action(&mut made, &shifts, element, counters, &factors, with_set, row || random.below(3) > 0);
    }
    made
}

/// One action: counters shift where they stay in their domains, an element leaves the set if it is there.
fn add_action(
    made: &mut Made,
    shifts: &[i64],
    element: Option<usize>,
    counters: usize,
    factors: &[Vec<i64>],
    with_set: bool,
    ordered: bool,
) {
    let mut guard = made.formulas.arena.truth(true);
    let mut after: Vec<(u32, Node)> = Vec::new();
    for (cell, &by) in shifts.iter().enumerate().filter(|(_, by)| **by != 0) {
        let node = made.cell(cell as u32);
        let domain = made.formulas.cells[cell];
        let arena = &mut made.formulas.arena;
        let next = arena.shift(node, by);
        let (low, high) = (arena.number(domain.low), arena.number(domain.high));
        for fits in [arena.le(low, next), arena.le(next, high)] {
            guard = arena.and(guard, fits);
        }
        after.push((cell as u32, next));
    }
    if ordered && counters >= 2 {
        // As in a row of coins: the first stays below the second.
        let (a, b) = (made.cell(0), made.cell(1));
        let below = made.formulas.arena.lt(a, b);
        guard = made.formulas.arena.and(guard, below);
    }
    if let Some(bit) = element {
        let set = made.cell(counters as u32);
        let arena = &mut made.formulas.arena;
        let (by, one) = (arena.number(bit as i64), arena.number(1));
        let shifted = arena.shr(set, by);
        let there = arena.and(shifted, one);
        guard = arena.and(guard, there);
        after.push((counters as u32, arena.shift(set, -(1 << bit))));
    }
    for (number, factors) in factors.iter().enumerate() {
        let cell = (counters + usize::from(with_set) + number) as u32;
        let mut by: i64 = shifts.iter().zip(factors).map(|(by, factor)| by * factor).sum();
        by += element.map_or(0, |bit| factors[counters + bit]);
        if by != 0 {
            let node = made.cell(cell);
            let domain = made.formulas.cells[cell as usize];
            let arena = &mut made.formulas.arena;
            let next = arena.shift(node, by);
            let (low, high) = (arena.number(domain.low), arena.number(domain.high));
            let (below, above) = (arena.lt(next, low), arena.lt(high, next));
            let outside = arena.or(below, above);
            let fault = arena.and(guard, outside);
            after.push((cell, next));
            if arena.known(fault).is_none() {
                let never = arena.not(outside);
                guard = arena.and(guard, never);
            }
        }
    }
    made.action(guard, &after);
}

#[test]
fn counters_and_sets() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let (mut ordered, mut waves, mut skewed, mut derived, mut movers, mut potentials) = (0, 0, 0, 0, 0, 0);
    for number in 0..600 {
        let made = random_game(&mut random);
        let turn = random.below(2) as u8;
        let found: Study = study(made.formulas.clone(), &made.start, turn, true);
        if let Err(wrong) = check_study(&made.formulas, &found, &(made.start.clone(), turn), 5, number + 1) {
            for action in &made.formulas.actions {
                println!("{} {:?}", show(&made.formulas.arena, action.guard), action.after);
            }
            panic!("game {number}: {wrong}\n{:?}\n{:?}", found.facts, made.formulas.cells);
        }
        ordered += usize::from(found.order.is_ok());
        waves += usize::from(found.order.as_ref().is_ok_and(|order| order.wave.is_some()));
        skewed += usize::from(found.skewed.is_some());
        derived += found.derived.len();
        movers += usize::from(found.mover.is_some());
        potentials += usize::from(found.order.is_err() && found.potential.is_some());
    }
    println!(
        "{ordered} orders, {waves} waves, {skewed} skewed, {derived} derived, {movers} movers, {potentials} potentials"
    );
    assert!(ordered > 300 && skewed > 20 && derived > 200 && movers > 100);
}
