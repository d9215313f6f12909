//! Nodes mean what their operations say, however they are simplified; ranges hold; and what conditions are said to show is
//! true wherever they hold. Random expressions over three small cells, at all their values.

use formula::eval::{Evaluator, Point};
use formula::facts::Facts;
use formula::node::{divide, remainder};
use formula::{Arena, Case, EndResult, Formulas, Node, Range};
use testkit::Random;

/// A node with its value at every point.
#[derive(Clone)]
struct Known {
    node: Node,
    values: Vec<i64>,
    truth: bool,
    /// From what it was made.
    made: String,
}

const ITEMS: [i64; 5] = [4, -1, 0, 7, 2];
const LARGE: [i64; 7] = [i64::MIN, i64::MIN + 1, -(1 << 62), 1 << 62, i64::MAX - 2, i64::MAX, 1 << 33];

struct Made {
    arena: Arena,
    points: Vec<[i64; 3]>,
    pool: Vec<Known>,
}

impl Made {
    fn new(random: &mut Random, large: bool) -> Made {
        let mut arena = Arena::new();
        arena.list(&ITEMS);
        let mut pool = Vec::new();
        let mut ranges = Vec::new();
        for cell in 0..3 {
            let low = match random.below(4) {
                0 if large => LARGE[random.below(LARGE.len())].min(i64::MAX - 4),
                1 => 0,
                _ => random.below(9) as i64 - 5,
            };
            let range = Range { low, high: low + random.below(5) as i64 };
            ranges.push(range);
            pool.push(arena.cell(cell, range));
        }
        let mut points = Vec::new();
        for a in ranges[0].low..=ranges[0].high {
            for b in ranges[1].low..=ranges[1].high {
                for c in ranges[2].low..=ranges[2].high {
                    points.push([a, b, c]);
                }
            }
        }
        let cell = |(index, node): (usize, Node)| {
            let values = points.iter().map(|point| point[index]).collect();
            Known { node, values, truth: arena.range(node).is_truth(), made: String::new() }
        };
        let pool = pool.into_iter().enumerate().map(cell).collect();
        Made { arena, points, pool }
    }

    fn any(&self, random: &mut Random) -> Known {
        self.pool[random.below(self.pool.len())].clone()
    }

    fn any_truth(&self, random: &mut Random) -> Known {
        let truths: Vec<&Known> = self.pool.iter().filter(|known| known.truth).collect();
        if truths.is_empty() { self.pool[0].clone() } else { truths[random.below(truths.len())].clone() }
    }

    /// Makes one more node of those there are.
    fn grow(&mut self, random: &mut Random, large: bool) {
        let (a, b, c) = (self.any(random), self.any(random), self.any(random));
        let number = match random.below(5) {
            0 if large => LARGE[random.below(LARGE.len())],
            _ => random.below(12) as i64 - 4,
        };
        let arena = &mut self.arena;
        let one = |values: &[i64], f: &dyn Fn(i64) -> i64| values.iter().map(|v| f(*v)).collect::<Vec<i64>>();
        let two =
            |f: &dyn Fn(i64, i64) -> i64| a.values.iter().zip(&b.values).map(|(a, b)| f(*a, *b)).collect::<Vec<i64>>();
        let truth = |holds: bool| i64::from(holds);
        let kind = random.below(26);
        let (node, values, is_truth) = match kind {
            0 => (arena.add(a.node, b.node), two(&i64::wrapping_add), false),
            1 => (arena.sub(a.node, b.node), two(&i64::wrapping_sub), false),
            2 => (arena.shift(a.node, number), one(&a.values, &|v| v.wrapping_add(number)), false),
            3 => (arena.scale(a.node, number), one(&a.values, &|v| v.wrapping_mul(number)), false),
            4 => (arena.mul(a.node, b.node), two(&i64::wrapping_mul), false),
            5 => (arena.div(a.node, b.node), two(&divide), false),
            6 => (arena.rem(a.node, b.node), two(&remainder), false),
            7 => (arena.min(a.node, b.node), two(&i64::min), false),
            8 => (arena.max(a.node, b.node), two(&i64::max), false),
            9 => (arena.and(a.node, b.node), two(&|a, b| a & b), a.truth && b.truth),
            10 => (arena.or(a.node, b.node), two(&|a, b| a | b), a.truth && b.truth),
            11 => (arena.xor(a.node, b.node), two(&|a, b| a ^ b), a.truth && b.truth),
            12 => (arena.eq(a.node, b.node), two(&|a, b| truth(a == b)), true),
            13 => (arena.lt(a.node, b.node), two(&|a, b| truth(a < b)), true),
            14 => (arena.le(a.node, b.node), two(&|a, b| truth(a <= b)), true),
            15 => (arena.not(a.node), one(&a.values, &|v| truth(v == 0)), true),
            16 | 17 => {
                let t =
                    self.pool.iter().find(|known| known.truth).map_or(&c, |t| if random.one_in(2) { t } else { &c });
                let pairs = a.values.iter().zip(&b.values);
                let values = t.values.iter().zip(pairs).map(|(t, (a, b))| if *t != 0 { *a } else { *b }).collect();
                (self.arena.select(t.node, a.node, b.node), values, a.truth && b.truth)
            }
            18 => {
                let item = |v: i64| usize::try_from(v).ok().and_then(|v| ITEMS.get(v)).copied().unwrap_or(0);
                (arena.load(0, &ITEMS, a.node), one(&a.values, &item), false)
            }
            19 => (arena.popcount(a.node), one(&a.values, &|v| i64::from(v.count_ones())), false),
            20 => {
                let by = arena.number(number);
                (arena.shr(a.node, by), one(&a.values, &|v| v.wrapping_shr(number as u32)), false)
            }
            21 => (arena.shl(a.node, b.node), two(&|a, b| a.wrapping_shl(b as u32)), false),
            22 => (arena.add_overflows(a.node, b.node), two(&|a, b| truth(a.checked_add(b).is_none())), true),
            23 => (arena.sub_overflows(a.node, b.node), two(&|a, b| truth(a.checked_sub(b).is_none())), true),
            24 => (arena.mul_overflows(a.node, b.node), two(&|a, b| truth(a.checked_mul(b).is_none())), true),
            _ => {
                let node = arena.number(number);
                (arena.eq(a.node, node), one(&a.values, &|v| truth(v == number)), true)
            }
        };
        let made = format!(
            "{kind}({:?} {:?} {:?} {number})",
            self.arena.op(a.node),
            self.arena.op(b.node),
            self.arena.op(c.node)
        );
        self.pool.push(Known { node, values, truth: is_truth, made });
    }

    fn formulas(&self) -> Formulas {
        let mut arena = self.arena.clone();
        let (one, none) = (arena.number(1), arena.number(0));
        Formulas {
            arena,
            lists: vec![ITEMS.to_vec()].into(),
            cells: Vec::new(),
            players: 2,
            counted: false,
            reads_mover: false,
            ends: Vec::new(),
            actions: Vec::new(),
            stuck: Case { when: one, result: EndResult::Outcome(none), fault: none },
            valid: Vec::new(),
            measure: None,
        }
    }
}

#[test]
fn nodes_keep_their_meaning() {
    let mut random = Random::new(9);
    for round in 0..1500 {
        let large = round % 3 == 0;
        let mut made = Made::new(&mut random, large);
        for _ in 0..25 {
            made.grow(&mut random, large);
        }
        let formulas = made.formulas();
        let mut evaluator = Evaluator::new(&formulas);
        for (index, point) in made.points.iter().enumerate() {
            evaluator.move_on();
            for known in &made.pool {
                let value = evaluator.value(known.node, &Point { cells: point, mover: 0, choices: &[] });
                let op = formulas.arena.op(known.node);
                assert_eq!(value, known.values[index], "{op:?} at {point:?}, made by {}", known.made);
                assert!(formulas.arena.range(known.node).contains(value), "{op:?} is {value}");
            }
        }
    }
}

#[test]
fn facts_hold_where_conditions_do() {
    let mut random = Random::new(10);
    let (mut narrower, mut impossible) = (0, 0);
    for round in 0..4000 {
        let large = round % 4 == 0;
        let mut made = Made::new(&mut random, large);
        for _ in 0..14 {
            made.grow(&mut random, large);
        }
        let conditions: Vec<Known> =
            (0..1 + random.below(3)).map(|_| made.any_truth(&mut random)).filter(|c| c.truth).collect();
        let nodes: Vec<Node> = conditions.iter().map(|known| known.node).collect();
        let facts = Facts::assuming(&mut made.arena, &nodes);
        for _ in 0..6 {
            made.grow(&mut random, large);
        }
        let holds: Vec<usize> =
            (0..made.points.len()).filter(|index| conditions.iter().all(|known| known.values[*index] != 0)).collect();
        assert!(!facts.is_impossible() || holds.is_empty());
        impossible += usize::from(facts.is_impossible());
        for known in &made.pool {
            let range = facts.range(&made.arena, known.node);
            narrower += usize::from(range != made.arena.range(known.node));
            for index in &holds {
                let (value, point) = (known.values[*index], made.points[*index]);
                let shown: Vec<_> = nodes.iter().map(|node| made.arena.op(*node)).collect();
                let op = made.arena.op(known.node);
                assert!(range.contains(value), "{op:?} is {value} at {point:?}, not in {range:?}, given {shown:?}");
            }
        }
    }
    assert!(narrower > 2000 && impossible > 20, "{narrower} {impossible}");
}
