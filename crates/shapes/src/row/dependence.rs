//! What a formula depends on while the items of a list are taken: how many are gone from one end, how many from the other,
//! or how many in all.
//!
//! A move of a row shifts the position by a fixed step, so that every position is the start plus `near` steps of one move and
//! `far` steps of the other. A formula that depends on `near` alone says something of one end, one that depends on
//! `near + far` says something of the time; what depends on both in any other way is not of a row.

use std::cell::RefCell;

use formula::eval::{Evaluator, Point};
use formula::{Arena, Formulas, Node, Op, Range};
use rules::stop::look;
use rustc_hash::FxHashMap;

/// A node that is not made of comparisons is evaluated at so many places at most.
const MOST_PLACES: u64 = 1 << 25;
/// So many of them are looked at between two looks at the stop button.
const LOOK_EVERY: usize = 1 << 12;
/// How often one of two conditions is taken by itself.
const MOST_CASES: usize = 64;

/// Which counts a formula depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// None: it is fixed by the start.
    Nothing,
    /// How many items are gone from the near end.
    Near,
    /// How many items are gone from the far end.
    Far,
    /// How many are gone in all.
    Count,
    /// Anything else.
    Both,
}

impl On {
    fn and(self, other: On) -> On {
        match (self, other) {
            (On::Nothing, on) | (on, On::Nothing) => on,
            (a, b) if a == b => a,
            _ => On::Both,
        }
    }
}

/// How a node depends on the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// What it is at the start, plus so much for each item gone from the near and from the far end.
    Steady(i64, i64),
    /// In some other way.
    Some(On),
}

impl Dependence {
    pub fn on(self) -> On {
        match self {
            Dependence::Steady(0, 0) => On::Nothing,
            Dependence::Steady(_, 0) => On::Near,
            Dependence::Steady(0, _) => On::Far,
            Dependence::Steady(near, far) if near == far => On::Count,
            Dependence::Steady(..) => On::Both,
            Dependence::Some(on) => on,
        }
    }
}

/// The two moves of one list: what each adds to the cells.
#[derive(Clone, Debug)]
pub struct Steps {
    /// For each cell what the near and what the far move add; `None` for cells that moves of other lists change.
    pub cells: Vec<Option<(i64, i64)>>,
}

/// The dependences of nodes, each worked out when it is asked for: of many lists each has to do with few nodes.
#[derive(Debug)]
pub struct Dependences<'s> {
    arena: &'s Arena,
    steps: &'s Steps,
    known: RefCell<FxHashMap<Node, Dependence>>,
}

impl<'s> Dependences<'s> {
    pub fn new(arena: &'s Arena, steps: &'s Steps) -> Dependences<'s> {
        Dependences { arena, steps, known: RefCell::default() }
    }

    pub fn of(&self, node: Node) -> Dependence {
        let known = |node: Node| self.known.borrow().get(&node).copied();
        if let Some(found) = known(node) {
            return found;
        }
        let mut wanted = vec![node];
        while let Some(&next) = wanted.last() {
            let before = wanted.len();
            self.arena.operands(next, &mut |operand| {
                if known(operand).is_none() {
                    wanted.push(operand);
                }
            });
            if wanted.len() == before {
                let found = self.find(next);
                self.known.borrow_mut().insert(next, found);
                wanted.pop();
            }
        }
        self.find(node)
    }

    pub fn on(&self, node: Node) -> On {
        self.of(node).on()
    }

    /// How much the second of two nodes is ahead of the first, for each item gone, if that is steady.
    pub fn ahead(&self, first: Node, second: Node) -> Option<(i64, i64)> {
        match (self.of(first), self.of(second)) {
            (Dependence::Steady(a, b), Dependence::Steady(c, d)) => Some((c.checked_sub(a)?, d.checked_sub(b)?)),
            _ => None,
        }
    }

    /// The dependence of a node whose operands are known.
    fn find(&self, node: Node) -> Dependence {
        let arena = self.arena;
        match arena.op(node) {
            Op::Const(_) => Dependence::Steady(0, 0),
            Op::Cell(cell) => match self.steps.cells[*cell as usize] {
                Some((near, far)) => Dependence::Steady(near, far),
                None => Dependence::Some(On::Both),
            },
            Op::Mover | Op::Choice(_) => Dependence::Some(On::Both),
            Op::Linear(terms, _) if arena.range(node) != Range::FULL => {
                let mut steps = Some((0i64, 0i64));
                for (term, factor) in terms {
                    steps = match (steps, self.of(*term)) {
                        (Some((near, far)), Dependence::Steady(a, b)) => {
                            let near = a.checked_mul(*factor).and_then(|a| near.checked_add(a));
                            let far = b.checked_mul(*factor).and_then(|b| far.checked_add(b));
                            near.zip(far)
                        }
                        _ => None,
                    };
                }
                match steps {
                    Some((near, far)) => Dependence::Steady(near, far),
                    None => self.join(node),
                }
            }
            Op::Eq(a, b) | Op::Lt(a, b) => match self.ahead(*a, *b) {
                // Who is ahead depends on the distance alone.
                Some((near, far)) => Dependence::Some(Dependence::Steady(near, far).on()),
                None => self.join(node),
            },
            _ => self.join(node),
        }
    }

    fn join(&self, node: Node) -> Dependence {
        let mut on = On::Nothing;
        self.arena.operands(node, &mut |operand| on = on.and(self.on(operand)));
        match on {
            On::Nothing => Dependence::Steady(0, 0),
            on => Dependence::Some(on),
        }
    }
}

/// Formulas seen from one start, as the items of one list go.
pub struct View<'v> {
    formulas: &'v Formulas,
    dependences: &'v Dependences<'v>,
    start: &'v [i64],
    cells: Vec<i64>,
    evaluator: Evaluator<'v>,
}

impl<'v> View<'v> {
    pub fn new(formulas: &'v Formulas, dependences: &'v Dependences<'v>, start: &'v [i64]) -> View<'v> {
        let evaluator = Evaluator::new(formulas);
        View { formulas, dependences, start, cells: start.to_vec(), evaluator }
    }

    /// Looks at the formulas from another start.
    pub fn restart(&mut self, start: &'v [i64]) {
        self.start = start;
    }

    /// What a node is at the start.
    pub fn base(&mut self, node: Node) -> i64 {
        self.at(node, 0, 0)
    }

    /// What a node is when so many items are gone.
    pub fn at(&mut self, node: Node, near: u64, far: u64) -> i64 {
        if let Some(number) = self.formulas.arena.known(node) {
            return number;
        }
        self.cells.clear();
        for (start, step) in self.start.iter().zip(&self.dependences.steps.cells) {
            let (a, b) = step.unwrap_or((0, 0));
            let shift = a.wrapping_mul(near as i64).wrapping_add(b.wrapping_mul(far as i64));
            self.cells.push(start.wrapping_add(shift));
        }
        self.evaluator.move_on();
        self.evaluator.value(node, &Point { cells: &self.cells, mover: 0, choices: &[] })
    }

    /// A node that depends on one count: what it is while that count goes from 0 to `last`, as runs, each with the count it
    /// begins at. `None` if that is too much work, or if the node depends on more.
    pub fn runs(&mut self, node: Node, last: u64) -> Option<Vec<(u64, i64)>> {
        let on = self.dependences.on(node);
        let at = |view: &mut Self, count: u64| match on {
            On::Far => view.at(node, 0, count),
            _ => view.at(node, count, 0),
        };
        let places: Vec<u64> = match on {
            On::Both => return None,
            On::Nothing => vec![0],
            _ => match self.changes(node, last) {
                Some(places) => places,
                None if last < MOST_PLACES => (0..=last).collect(),
                None => return None,
            },
        };
        let mut runs: Vec<(u64, i64)> = Vec::new();
        for (number, place) in places.into_iter().enumerate() {
            if number.is_multiple_of(LOOK_EVERY) && look().is_err() {
                return None;
            }
            let value = at(self, place);
            if runs.last().is_none_or(|run| run.1 != value) {
                runs.push((place, value));
            }
        }
        Some(runs)
    }

    /// The counts at which a node can change, where it is made of comparisons of what changes steadily.
    fn changes(&mut self, node: Node, last: u64) -> Option<Vec<u64>> {
        let mut places = vec![0];
        let mut wanted = vec![node];
        let mut seen = std::collections::HashSet::new();
        while let Some(node) = wanted.pop() {
            if self.dependences.on(node) == On::Nothing || !seen.insert(node) {
                continue;
            }
            let op = self.formulas.arena.op(node);
            match (op, self.dependences.of(node)) {
                (Op::Eq(a, b) | Op::Lt(a, b), _) if let Some((near, far)) = self.dependences.ahead(*a, *b) => {
                    let step = i128::from(if near == 0 { far } else { near });
                    let base = i128::from(self.base(*b)) - i128::from(self.base(*a));
                    // base + step · count crosses 0 hereabouts
                    let crossing = (-base).div_euclid(step);
                    places.extend((-1..=2).filter_map(|more| u64::try_from(crossing + more).ok()));
                }
                (_, Dependence::Steady(..)) => return None,
                (Op::Linear(..), _)
                | (Op::Select(..) | Op::And(..) | Op::Or(..) | Op::Xor(..) | Op::Not(_), _)
                | (Op::Mul(..) | Op::Min(..) | Op::Max(..), _) => {
                    self.formulas.arena.operands(node, &mut |operand| wanted.push(operand));
                }
                _ => return None,
            }
        }
        places.retain(|place| *place <= last);
        places.sort_unstable();
        places.dedup();
        Some(places)
    }

    /// Whether a truth value does not hold anywhere while at most `last` items are gone.
    pub fn never(&mut self, node: Node, last: u64) -> bool {
        self.never_all(vec![node], last, &mut MOST_CASES.to_owned())
    }

    /// Whether these do not hold together anywhere.
    fn never_all(&mut self, nodes: Vec<Node>, last: u64, cases: &mut usize) -> bool {
        let arena = &self.formulas.arena;
        let mut parts: Vec<Node> = nodes.into_iter().flat_map(|node| arena.conjuncts(node)).collect();
        if parts.iter().any(|part| arena.known(*part) == Some(0)) {
            return true;
        }
        let mut last = last;
        for on in [On::Nothing, On::Count, On::Near, On::Far] {
            let mut held = vec![(0, 1)];
            for part in parts.clone().into_iter().filter(|part| self.dependences.on(*part) == on) {
                if let Some(runs) = self.runs(part, last) {
                    held = both(&held, &runs);
                }
            }
            match held.iter().rposition(|run| run.1 != 0) {
                None => return true,
                Some(at) if on == On::Count => last = held.get(at + 1).map_or(last, |next| last.min(next.0 - 1)),
                Some(_) => {}
            }
        }
        let arena = &self.formulas.arena;
        let either = parts.iter().find_map(|part| match *arena.op(*part) {
            Op::Or(a, b) => Some((*part, a, b)),
            _ => None,
        });
        let Some((part, a, b)) = either.filter(|_| *cases > 0) else { return false };
        *cases -= 1;
        parts.retain(|other| *other != part);
        let with = |one: Node| parts.iter().copied().chain([one]).collect::<Vec<Node>>();
        let (with_a, with_b) = (with(a), with(b));
        self.never_all(with_a, last, cases) && self.never_all(with_b, last, cases)
    }
}

/// Where both of two truth values hold, as runs.
fn both(one: &[(u64, i64)], other: &[(u64, i64)]) -> Vec<(u64, i64)> {
    let mut places: Vec<u64> = one.iter().chain(other).map(|run| run.0).collect();
    places.sort_unstable();
    places.dedup();
    let at = |runs: &[(u64, i64)], place: u64| runs[runs.partition_point(|run| run.0 <= place) - 1].1 != 0;
    places.into_iter().map(|place| (place, i64::from(at(one, place) && at(other, place)))).collect()
}
