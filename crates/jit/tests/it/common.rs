//! Random formulas for tests.

use formula::{Arena, Case, EndResult, Formulas, Node, Op, Range};
use testkit::Random;

/// Any number: small, of any size, or where something overflows.
pub fn any_number(random: &mut Random) -> i64 {
    let extreme = [0, 1, -1, 2, -2, 7, 63, 64, 65, i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1, 1 << 31, -(1 << 31)];
    match random.below(4) {
        0 => *random.pick(&extreme),
        1 => random.next() as i64,
        _ => random.between(-20, 20),
    }
}

/// A number of a range, often its first or last.
pub fn within(random: &mut Random, range: Range) -> i64 {
    match random.below(5) {
        0 => range.low,
        1 => range.high,
        _ => random.between(range.low, range.high),
    }
}

pub const CHOICES: u32 = 2;

pub fn leaves(formulas: &mut Formulas) -> Vec<Node> {
    let Formulas { arena, cells, players, .. } = formulas;
    let mut nodes: Vec<Node> = cells.iter().enumerate().map(|(cell, range)| arena.cell(cell as u32, *range)).collect();
    nodes.push(arena.mover(*players));
    nodes.extend((0..CHOICES).map(|choice| arena.choice(choice, Range { low: -3, high: 9 })));
    nodes
}

/// So many nodes over these cells, the mover and two choices, without a rule yet.
pub fn random_formulas(random: &mut Random, cells: Vec<Range>, players: usize, size: usize) -> (Formulas, Vec<Node>) {
    let mut arena = Arena::new();
    let lists: Vec<Vec<i64>> = [1usize, 7, 30].map(|length| (0..length).map(|_| any_number(random)).collect()).into();
    lists.iter().for_each(|list| assert!((arena.list(list) as usize) < lists.len()));
    let zero = arena.number(0);
    let one = arena.number(1);
    let stuck = Case { when: one, result: EndResult::Outcome(zero), fault: zero };
    let mut formulas = Formulas {
        arena,
        lists: lists.into(),
        cells,
        players,
        counted: false,
        reads_mover: true,
        ends: Vec::new(),
        actions: Vec::new(),
        stuck,
        valid: Vec::new(),
        measure: None,
    };
    let mut nodes = leaves(&mut formulas);
    while nodes.len() < size {
        let node = random_node(random, &mut formulas, &nodes);
        nodes.push(node);
    }
    (formulas, nodes)
}

pub fn random_node(random: &mut Random, formulas: &mut Formulas, nodes: &[Node]) -> Node {
    let pick = |random: &mut Random| match random.below(3) {
        0 => nodes[random.below(nodes.len())],
        _ => nodes[nodes.len() - 1 - random.below(nodes.len().min(40))],
    };
    let (a, b, c) = (pick(random), pick(random), pick(random));
    let number = any_number(random);
    let Formulas { arena, lists, .. } = formulas;
    let tame = |arena: &mut Arena, node: Node| match arena.op(node) {
        // Something that is no sum and sometimes the same.
        Op::Linear(..) | Op::Const(_) => arena.select(nodes[0], node, nodes[3]),
        _ => node,
    };
    match random.below(26) {
        0 => arena.number(number),
        // The arena adds up ranges of products in 128 bits: sums of huge multiples of sums are left out.
        1 | 2 => {
            let (a, b, c) = (tame(arena, a), tame(arena, b), tame(arena, c));
            arena.combine(&[(a, number >> 4), (b, any_number(random) >> 4), (c, 1)], any_number(random))
        }
        3 => {
            let (a, b) = (tame(arena, a), tame(arena, b));
            arena.sub(a, b)
        }
        4 => {
            let (a, b) = (tame(arena, a), tame(arena, b));
            arena.mul(a, b)
        }
        5 => arena.div(a, b),
        6 | 7 => {
            let by = arena.number(number);
            arena.div(a, by)
        }
        8 => arena.rem(a, b),
        9 | 10 => {
            let by = arena.number(number);
            arena.rem(a, by)
        }
        11 => arena.min(a, b),
        12 => arena.max(a, b),
        13 => arena.and(a, b),
        14 => arena.or(a, b),
        15 => arena.xor(a, b),
        16 => arena.shl(a, b),
        17 => arena.shr(a, b),
        18 => match random.below(3) {
            0 => arena.popcount(a),
            1 => arena.lowest_bit(a),
            _ => arena.highest_bit(a),
        },
        19 | 20 => arena.eq(a, b),
        21 => arena.lt(a, b),
        22 => arena.not(a),
        23 => arena.select(a, b, c),
        24 => {
            let list = random.below(lists.len());
            arena.load(list as u32, &lists[list], a)
        }
        _ => match random.below(3) {
            0 => arena.add_overflows(a, b),
            1 => arena.sub_overflows(a, b),
            _ => arena.mul_overflows(a, b),
        },
    }
}
