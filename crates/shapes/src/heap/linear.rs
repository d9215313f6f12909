//! Linear expressions in the heap and the choices of a move, and the conditions that compare them.
//!
//! Formulas keep sums in a normal form, so a bound such as `k <= min(n, 3)` or `k <= (n - 1) / 2` comes apart into a few
//! comparisons of linear expressions. What does not is not understood, and the rules are then not taken for those of a heap.

use std::collections::BTreeMap;

use formula::{Arena, Node, Op};

/// What an expression is linear in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// The heap before the move.
    Heap,
    /// A choice that is counted through.
    Choice(u32),
    /// A heap that the move leaves.
    Part(usize),
    /// What the move takes away.
    Taken,
}

/// `constant + Σ factor · variable`. No factor is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    pub factors: BTreeMap<Variable, i128>,
    pub constant: i128,
}

impl Linear {
    pub fn number(constant: i128) -> Linear {
        Linear { constant, ..Linear::default() }
    }

    pub fn variable(variable: Variable) -> Linear {
        Linear { factors: BTreeMap::from([(variable, 1)]), constant: 0 }
    }

    /// `self + factor · other`.
    pub fn plus(&self, factor: i128, other: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.constant += factor * other.constant;
        for (&variable, &each) in &other.factors {
            let place = sum.factors.entry(variable).or_insert(0);
            *place += factor * each;
            if *place == 0 {
                sum.factors.remove(&variable);
            }
        }
        sum
    }

    pub fn minus(&self, other: &Linear) -> Linear {
        self.plus(-1, other)
    }

    pub fn factor(&self, variable: Variable) -> i128 {
        self.factors.get(&variable).copied().unwrap_or(0)
    }

    /// The sum with a variable replaced.
    pub fn with(&self, variable: Variable, value: &Linear) -> Linear {
        let factor = self.factor(variable);
        let mut rest = self.clone();
        rest.factors.remove(&variable);
        if factor == 0 { rest } else { rest.plus(factor, value) }
    }

    /// A node that is linear.
    pub fn of(arena: &Arena, node: Node) -> Option<Linear> {
        Some(match arena.op(node) {
            Op::Const(number) => Linear::number(i128::from(*number)),
            Op::Cell(_) => Linear::variable(Variable::Heap),
            Op::Choice(choice) => Linear::variable(Variable::Choice(*choice)),
            Op::Linear(terms, constant) => {
                let mut sum = Linear::number(i128::from(*constant));
                for (term, factor) in terms.iter() {
                    sum = sum.plus(i128::from(*factor), &Linear::of(arena, *term)?);
                }
                sum
            }
            _ => return None,
        })
    }
}

/// How a linear expression compares with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    AtLeast,
    Equal,
    Unequal,
}

/// A condition on a linear expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub what: Linear,
    pub sense: Sense,
}

/// Conditions that hold together.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    pub all: Vec<Condition>,
    /// They can never hold.
    pub never: bool,
}

impl Conditions {
    pub fn push(&mut self, what: Linear, sense: Sense) {
        if what.factors.is_empty() {
            self.never |= match sense {
                Sense::AtLeast => what.constant < 0,
                Sense::Equal => what.constant != 0,
                Sense::Unequal => what.constant == 0,
            };
        } else {
            self.all.push(Condition { what, sense });
        }
    }

    /// Adds a truth value that holds, or does not. `None` if it is not understood.
    pub fn add(&mut self, arena: &Arena, node: Node, holds: bool) -> Option<()> {
        match arena.op(node) {
            Op::Const(number) => self.never |= (*number != 0) != holds,
            Op::And(a, b) if holds && arena.range(node).is_truth() => {
                self.add(arena, *a, true)?;
                self.add(arena, *b, true)?;
            }
            Op::Or(a, b) if !holds && arena.range(node).is_truth() => {
                self.add(arena, *a, false)?;
                self.add(arena, *b, false)?;
            }
            Op::Not(a) => self.add(arena, *a, !holds)?,
            Op::Lt(a, b) if holds => self.at_most(arena, *a, 1, *b)?,
            Op::Lt(a, b) => self.at_most(arena, *b, 0, *a)?,
            Op::Eq(a, b) => {
                let difference = Linear::of(arena, *a)?.minus(&Linear::of(arena, *b)?);
                self.push(difference, if holds { Sense::Equal } else { Sense::Unequal });
            }
            // A number that is 0 or 1 is a truth value, too.
            _ if arena.range(node).is_truth() => {
                let number = Linear::of(arena, node)?;
                self.push(number.minus(&Linear::number(i128::from(holds))), Sense::Equal);
            }
            _ => return None,
        }
        Some(())
    }

    /// Adds a truth value that holds, as far as it is understood. Whether all of it is.
    pub fn add_all(&mut self, arena: &Arena, node: Node) -> bool {
        match arena.op(node) {
            Op::And(a, b) if arena.range(node).is_truth() => {
                let first = self.add_all(arena, *a);
                self.add_all(arena, *b) && first
            }
            _ => self.add(arena, node, true).is_some(),
        }
    }

    /// `a + more <= b`.
    pub fn at_most(&mut self, arena: &Arena, a: Node, more: i128, b: Node) -> Option<()> {
        let (a, a_more) = peeled(arena, a);
        let (b, b_more) = peeled(arena, b);
        let more = more + a_more - b_more;
        match (arena.op(a), arena.op(b)) {
            (Op::Max(x, y), _) => {
                self.at_most(arena, *x, more, b)?;
                self.at_most(arena, *y, more, b)
            }
            (_, Op::Min(x, y)) => {
                self.at_most(arena, a, more, *x)?;
                self.at_most(arena, a, more, *y)
            }
            // a + more <= floor(x / d)  is  d · (a + more) <= x
            (_, Op::Div(x, divisor)) => {
                let divisor = positive(arena, *divisor)?;
                let scaled = Linear::number(0).plus(divisor, &Linear::of(arena, a)?);
                let rest = Linear::of(arena, *x)?.minus(&scaled);
                self.push(rest.plus(-1, &Linear::number(divisor * more)), Sense::AtLeast);
                Some(())
            }
            // floor(x / d) + more <= b  is  x <= d · (b − more) + d − 1
            (Op::Div(x, divisor), _) => {
                let divisor = positive(arena, *divisor)?;
                let scaled = Linear::number(divisor - 1 - divisor * more).plus(divisor, &Linear::of(arena, b)?);
                self.push(scaled.minus(&Linear::of(arena, *x)?), Sense::AtLeast);
                Some(())
            }
            _ => {
                let rest = Linear::of(arena, b)?.minus(&Linear::of(arena, a)?);
                self.push(rest.plus(-1, &Linear::number(more)), Sense::AtLeast);
                Some(())
            }
        }
    }
}

/// Elimination stops at so many inequalities.
const MOST_INEQUALITIES: usize = 400;

impl Conditions {
    /// Whether the conditions contradict each other. `false` if that does not show by eliminating the variables one by one.
    pub fn contradict(&self) -> bool {
        if self.never {
            return true;
        }
        let mut known: Vec<Linear> = Vec::new();
        for Condition { what, sense } in &self.all {
            match sense {
                Sense::AtLeast => known.push(what.clone()),
                Sense::Equal => known.extend([what.clone(), Linear::default().minus(what)]),
                Sense::Unequal => {}
            }
        }
        loop {
            if known.iter().any(|each| each.factors.is_empty() && each.constant < 0) {
                return true;
            }
            known.retain(|each| !each.factors.is_empty());
            let Some(variable) = known.iter().flat_map(|each| each.factors.keys()).next().copied() else {
                return false;
            };
            let (with, mut rest): (Vec<Linear>, Vec<Linear>) =
                known.into_iter().partition(|each| each.factor(variable) != 0);
            let (above, below): (Vec<Linear>, Vec<Linear>) =
                with.into_iter().partition(|each| each.factor(variable) > 0);
            if rest.len() + above.len() * below.len() > MOST_INEQUALITIES {
                return false;
            }
            for a in &above {
                for b in &below {
                    let (up, down) = (a.factor(variable), -b.factor(variable));
                    if up.max(down) > 1 << 40 {
                        return false;
                    }
                    rest.push(Linear::default().plus(down, a).plus(up, b));
                }
            }
            known = rest;
        }
    }

    /// Whether a truth value can never hold where the conditions do.
    pub fn refute(&self, arena: &Arena, node: Node) -> bool {
        match arena.op(node) {
            Op::Const(number) => *number == 0 || self.contradict(),
            Op::Or(a, b) if arena.range(node).is_truth() => self.refute(arena, *a) && self.refute(arena, *b),
            Op::And(a, b) if arena.range(node).is_truth() => {
                let mut more = self.clone();
                // What is not understood is left out: the rest alone must contradict.
                let (first, second) = (more.add_all(arena, *a), more.add_all(arena, *b));
                more.contradict() || !first && more.refute(arena, *a) || !second && more.refute(arena, *b)
            }
            _ => {
                let mut more = self.clone();
                more.add(arena, node, true).is_some() && more.contradict()
            }
        }
    }

    /// The numbers that a variable can be, as far as conditions on it alone say.
    pub fn range(&self, variable: Variable) -> (Option<i128>, Option<i128>) {
        let (mut low, mut high) = (None::<i128>, None::<i128>);
        for Condition { what, sense } in &self.all {
            let factor = what.factor(variable);
            if factor == 0 || what.factors.len() > 1 || *sense == Sense::Unequal {
                continue;
            }
            let bound = -what.constant;
            if factor > 0 || *sense == Sense::Equal {
                let least = -(-bound * factor.signum()).div_euclid(factor.abs());
                low = Some(low.map_or(least, |low| low.max(least)));
            }
            if factor < 0 || *sense == Sense::Equal {
                let most = (bound * factor.signum()).div_euclid(factor.abs());
                high = Some(high.map_or(most, |high| high.min(most)));
            }
        }
        (low, high)
    }
}

fn positive(arena: &Arena, node: Node) -> Option<i128> {
    arena.known(node).filter(|&number| number > 0).map(i128::from)
}

/// A node without a constant that is added to it.
fn peeled(arena: &Arena, node: Node) -> (Node, i128) {
    match arena.op(node) {
        Op::Linear(terms, constant) => match **terms {
            [(inner, 1)] => (inner, i128::from(*constant)),
            _ => (node, 0),
        },
        _ => (node, 0),
    }
}
