//! Emitted code computes what the evaluator computes, for random formulas at random and extreme points.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, types};
use formula::eval::{Evaluator, Point};
use formula::{Formulas, Node, Op, Range};
use jit::assembly::Assembly;
use jit::emit::Emitter;
use testkit::Random;

use crate::common::{CHOICES, random_formulas, within};

/// Cells of all sizes, up to any number.
fn wide_cells() -> Vec<Range> {
    let range = |low, high| Range { low, high };
    vec![range(0, 1), range(0, 20), range(-5, 5), Range::FULL, range(1, 7), range(0, i64::MAX), range(-1, 40)]
}

fn leaf_place(op: &Op, cells: usize) -> Option<usize> {
    match op {
        Op::Cell(cell) => Some(*cell as usize),
        Op::Mover => Some(cells),
        Op::Choice(choice) => Some(cells + 1 + *choice as usize),
        _ => None,
    }
}

/// Loads every leaf from where the first parameter points.
fn bind_leaves(emitter: &mut Emitter<'_>, formulas: &Formulas) {
    let from = emitter.parameter(0);
    for node in (0..formulas.arena.len() as u32).map(Node) {
        if let Some(place) = leaf_place(formulas.arena.op(node), formulas.cells.len()) {
            let value = emitter.builder.ins().load(types::I64, MemFlagsData::trusted(), from, place as i32 * 8);
            emitter.bind(node, value);
        }
    }
}

/// Writes the values of all nodes, in a given order, and whether they are not 0.
fn write_values(emitter: &mut Emitter<'_>, formulas: &Formulas, order: &[Node]) {
    bind_leaves(emitter, formulas);
    let (values, truths) = (emitter.parameter(1), emitter.parameter(2));
    let flags = MemFlagsData::trusted();
    for &node in order {
        let value = emitter.value(node);
        emitter.builder.ins().store(flags, value, values, node.index() as i32 * 8);
        let truth = emitter.truth(node);
        emitter.builder.ins().store(flags, truth, truths, node.index() as i32);
    }
    emitter.builder.ins().return_(&[]);
}

/// Writes, for each test that holds (every third: that does not), the value of the next.
fn write_branches(emitter: &mut Emitter<'_>, formulas: &Formulas, tests: &[Node]) {
    bind_leaves(emitter, formulas);
    let into = emitter.parameter(1);
    for (number, &node) in tests.iter().enumerate() {
        let (here, after) = (emitter.builder.create_block(), emitter.builder.create_block());
        match number % 3 {
            0 => {
                emitter.branch_unless(node, after);
                emitter.push_scope();
            }
            1 => {
                emitter.push_scope();
                emitter.branch_if(node, after);
            }
            _ => {
                let fork = emitter.fork(node, here, after);
                emitter.push_scope();
                emitter.go_on(&fork, here);
            }
        }
        let value = emitter.value(tests[(number + 1) % tests.len()]);
        emitter.builder.ins().store(MemFlagsData::trusted(), value, into, number as i32 * 8);
        emitter.builder.ins().jump(after, &[]);
        emitter.pop_scope();
        emitter.builder.switch_to_block(after);
    }
    emitter.builder.ins().return_(&[]);
}

fn check(seed: u64, size: usize) {
    let mut random = Random::new(seed * 2 + 1);
    let (formulas, _) = random_formulas(&mut random, wide_cells(), 2, size);
    let nodes = formulas.arena.len();
    let mut order: Vec<Node> = (0..nodes as u32).map(Node).collect();
    (1..nodes).rev().for_each(|last| order.swap(last, random.below(last + 1)));
    let tests = &order[..40];
    let mut module = Assembly::new(&formulas).unwrap();
    let values = module.function(&formulas, &[types::I64; 3], &[], |emitter| {
        write_values(emitter, &formulas, &order);
        Ok(())
    });
    let branches = module.function(&formulas, &[types::I64; 2], &[], |emitter| {
        write_branches(emitter, &formulas, tests);
        Ok(())
    });
    let code = module.finish().unwrap();
    // SAFETY: the parameters are as given above, and the code lives until the end of this function.
    let (values, branches) = unsafe {
        (
            std::mem::transmute::<*const u8, extern "C" fn(*const i64, *mut i64, *mut u8)>(
                code.address(values.unwrap()),
            ),
            std::mem::transmute::<*const u8, extern "C" fn(*const i64, *mut i64)>(code.address(branches.unwrap())),
        )
    };
    let mut evaluator = Evaluator::new(&formulas);
    for _ in 0..40 {
        let cells: Vec<i64> = formulas.cells.iter().map(|range| within(&mut random, *range)).collect();
        let mover = random.below(2) as i64;
        let choices: Vec<i64> = (0..CHOICES).map(|_| within(&mut random, Range { low: -3, high: 9 })).collect();
        let point = Point { cells: &cells, mover, choices: &choices };
        let from: Vec<i64> = cells.iter().copied().chain([mover]).chain(choices.iter().copied()).collect();
        let (mut numbers, mut truths) = (vec![0i64; nodes], vec![9u8; nodes]);
        values(from.as_ptr(), numbers.as_mut_ptr(), truths.as_mut_ptr());
        evaluator.move_on();
        for node in (0..nodes as u32).map(Node) {
            let expected = evaluator.value(node, &point);
            let op = formulas.arena.op(node);
            let range = formulas.arena.range(node);
            assert!(range.contains(expected), "seed {seed}: {node:?} = {op:?} at {from:?}: {expected} in {range:?}");
            assert_eq!(numbers[node.index()], expected, "seed {seed}: {node:?} = {op:?} at {from:?}");
            assert_eq!(truths[node.index()], u8::from(expected != 0), "seed {seed}: {node:?} = {op:?} at {from:?}");
        }
        let mut taken = vec![i64::MIN + 77; tests.len()];
        branches(from.as_ptr(), taken.as_mut_ptr());
        for (number, &node) in tests.iter().enumerate() {
            let holds = (evaluator.value(node, &point) != 0) == (number % 3 != 1);
            let next = evaluator.value(tests[(number + 1) % tests.len()], &point);
            assert_eq!(taken[number], if holds { next } else { i64::MIN + 77 }, "seed {seed}, branch {number}");
        }
    }
}

#[test]
fn small_formulas() {
    (0..60).for_each(|seed| check(seed, 60));
}

#[test]
fn large_formulas() {
    (100..103).for_each(|seed| check(seed, 1500));
}

#[test]
fn guards_with_jumps() {
    // Deep chains of `and` and `or` over dear conditions.
    for seed in 0..8 {
        let mut random = Random::new(seed * 2 + 1);
        let (mut formulas, _) = random_formulas(&mut random, wide_cells(), 2, 300);
        let truths: Vec<Node> =
            (0..formulas.arena.len() as u32).map(Node).filter(|node| formulas.arena.range(*node).is_truth()).collect();
        let mut chain = truths[0];
        for step in 0..5000 {
            let next = truths[random.below(truths.len())];
            chain = match (random.below(3), step % 7) {
                (_, 0) => formulas.arena.not(chain),
                (0, _) => formulas.arena.and(chain, next),
                _ => formulas.arena.or(chain, next),
            };
        }
        let mut module = Assembly::new(&formulas).unwrap();
        let function = module.function(&formulas, &[types::I64], &[types::I64], |emitter| {
            bind_leaves(emitter, &formulas);
            let otherwise = emitter.builder.create_block();
            emitter.push_scope();
            emitter.branch_unless(chain, otherwise);
            let one = emitter.number(1);
            emitter.builder.ins().return_(&[one]);
            emitter.pop_scope();
            emitter.builder.switch_to_block(otherwise);
            let zero = emitter.number(0);
            emitter.builder.ins().return_(&[zero]);
            Ok(())
        });
        let code = module.finish().unwrap();
        // SAFETY: as above.
        let call = unsafe {
            std::mem::transmute::<*const u8, extern "C" fn(*const i64) -> i64>(code.address(function.unwrap()))
        };
        let mut evaluator = Evaluator::new(&formulas);
        for _ in 0..50 {
            let cells: Vec<i64> = formulas.cells.iter().map(|range| within(&mut random, *range)).collect();
            let from: Vec<i64> = cells.iter().copied().chain([1, 3, -2]).collect();
            evaluator.move_on();
            let expected = evaluator.value(chain, &Point { cells: &cells, mover: 1, choices: &[3, -2] });
            assert_eq!(call(from.as_ptr()), expected);
        }
    }
}
