//! How long compiling takes, and working out one position: `cargo test --release --test expand_speed -- --ignored --nocapture`.

use std::time::Instant;

use formula::{Action, Arena, Case, Coded, Formulas, Node, Numbering, Range, TurnPlace, Worth};
use jit::module::Effort;
use jit::{Expanded, Expander, Gains, Options, Successors};

fn game(cells: Vec<Range>, make: impl FnOnce(&mut Arena, &[Node]) -> (Vec<Node>, Vec<Action>)) -> Formulas {
    let mut arena = Arena::new();
    let nodes: Vec<Node> = cells.iter().enumerate().map(|(cell, range)| arena.cell(cell as u32, *range)).collect();
    let (ends, actions) = make(&mut arena, &nodes);
    let (zero, one, lost) = (arena.number(0), arena.number(1), arena.number(-1));
    let case = |when| Case { when, result: Worth::Outcome(lost), fault: zero };
    Formulas {
        arena,
        lists: Vec::new(),
        cells,
        players: 2,
        counted: false,
        reads_mover: false,
        ends: ends.into_iter().map(case).collect(),
        actions,
        stuck: case(one),
        valid: Vec::new(),
        measure: None,
    }
}

fn action(arena: &mut Arena, guard: Node, after: Vec<(u32, Node)>) -> Action {
    let mover = arena.mover(2);
    let turn = arena.not(mover);
    let fault = arena.number(0);
    Action { rule: 0, counts: Vec::new(), guard, after, split: None, turn, gains: Vec::new(), fault }
}

fn heaps() -> Formulas {
    game(vec![Range { low: 0, high: 99 }; 4], |arena, cells| {
        let mut actions = Vec::new();
        for (place, &cell) in cells.iter().enumerate() {
            for take in 1..=3 {
                let number = arena.number(take);
                let guard = arena.le(number, cell);
                let after = arena.shift(cell, -take);
                actions.push(action(arena, guard, vec![(place as u32, after)]));
            }
        }
        (Vec::new(), actions)
    })
}

fn rows(side: usize, k: usize) -> Formulas {
    game(vec![Range { low: 0, high: 2 }; side * side], |arena, cells| {
        let mover = arena.mover(2);
        let (own, other) = (arena.shift(mover, 1), arena.combine(&[(mover, -1)], 2));
        let mut won = arena.number(0);
        for (r, c) in (0..side * side).map(|at| (at / side, at % side)) {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let last = (r as i64 + down * (k as i64 - 1), c as i64 + right * (k as i64 - 1));
                if last.0 >= side as i64 || last.1 < 0 || last.1 >= side as i64 {
                    continue;
                }
                let mut line = arena.number(1);
                for step in 0..k as i64 {
                    let at = (r as i64 + down * step) as usize * side + (c as i64 + right * step) as usize;
                    let same = arena.eq(cells[at], other);
                    line = arena.and(line, same);
                }
                won = arena.or(won, line);
            }
        }
        let zero = arena.number(0);
        let actions = cells.iter().enumerate().map(|(place, cell)| {
            let guard = arena.eq(*cell, zero);
            action(arena, guard, vec![(place as u32, own)])
        });
        let actions = actions.collect();
        (vec![won], actions)
    })
}

fn numbers(most: i64, desired: i64) -> Formulas {
    game(vec![Range { low: 0, high: (1 << most) - 1 }], |arena, cells| {
        let mut total = arena.number(most * (most + 1) / 2);
        let mut actions = Vec::new();
        for number in 0..most {
            let shift = arena.number(number);
            let one = arena.number(1);
            let moved = arena.shr(cells[0], shift);
            let bit = arena.and(moved, one);
            total = arena.combine(&[(total, 1), (bit, -(number + 1))], 0);
            let after = arena.shift(cells[0], -(1 << number));
            actions.push(action(arena, bit, vec![(0, after)]));
        }
        let desired = arena.number(desired);
        let over = arena.le(desired, total);
        (vec![over], actions)
    })
}

fn measure(name: &str, formulas: Formulas, turn: TurnPlace, random: &mut dyn FnMut() -> u64) {
    let cells: Vec<u32> = (0..formulas.cells.len() as u32).collect();
    for fields in [false, true] {
        let numbering = match fields {
            false => Numbering::dense(&formulas, &cells, turn),
            true => Numbering::fields(&formulas, &cells, turn),
        };
        let coded = Coded::new(formulas.clone(), numbering.unwrap(), Vec::new(), None);
        for effort in [Effort::Little, Effort::Full] {
            let start = Instant::now();
            let expander = Expander::with_effort(&coded, Gains::Outcome, effort).unwrap();
            let compiled = start.elapsed();
            let codes: Vec<u64> = (0..1 << 14)
                .map(|_| {
                    let cells: Vec<i64> =
                        coded.formulas.cells.iter().map(|range| (random() % (range.high as u64 + 1)) as i64).collect();
                    coded.numbering.code(&cells, (random() & 1) as u8)
                })
                .collect();
            let mut out = Options::default();
            let (mut options, mut ends) = (0, 0);
            let mut each = f64::MAX;
            let rounds = 64;
            for _ in 0..rounds {
                let start = Instant::now();
                for &code in &codes {
                    match expander.expand(code, &mut out) {
                        Expanded::Options => options += out.codes.len(),
                        _ => ends += 1,
                    }
                }
                each = each.min(start.elapsed().as_secs_f64() * 1e9 / codes.len() as f64);
            }
            println!(
                "{name}, fields {fields}, {effort:?}: compiled in {compiled:.1?}, {each:.1} ns a position, {:.1} options, {:.2} ends",
                options as f64 / (rounds * codes.len()) as f64,
                ends as f64 / (rounds * codes.len()) as f64,
            );
        }
    }
}

#[test]
#[ignore = "measures"]
fn speed() {
    let mut state = 1u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 20
    };
    measure("four heaps", heaps(), TurnPlace::Nowhere, &mut random);
    measure("4x4, 4 in a row", rows(4, 4), TurnPlace::First, &mut random);
    measure("4x4, 3 in a row", rows(4, 3), TurnPlace::First, &mut random);
    measure("can I win 22", numbers(22, 200), TurnPlace::Nowhere, &mut random);
}
