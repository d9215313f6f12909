//! Formulas of one variable, evaluated for a whole stretch of it at once.
//!
//! The judge of formulas evaluates one position after the other. Here a list has millions of indices and a formula a few nodes,
//! so each node is computed for all indices before the next one is looked at.

use std::collections::HashMap;
use std::rc::Rc;

use formula::node::{divide, remainder};
use formula::{Formulas, Node, Op};
use rules::stop::{Held, look};

/// What a node is: one number everywhere, or a number for each value of the variable.
#[derive(Clone, Debug)]
pub enum Column {
    Fixed(i64),
    Each(Rc<Vec<i64>>),
}

impl Column {
    /// The number at a place.
    pub fn at(&self, place: usize) -> i64 {
        match self {
            Column::Fixed(number) => *number,
            Column::Each(numbers) => numbers[place],
        }
    }

    /// The numbers as a list.
    pub fn list(&self, length: usize) -> Vec<i64> {
        match self {
            Column::Fixed(number) => vec![*number; length],
            Column::Each(numbers) => numbers.to_vec(),
        }
    }
}

/// Columns of one variable.
pub struct Columns<'f> {
    formulas: &'f Formulas,
    /// The node that is the variable.
    variable: Node,
    /// Its values.
    values: Rc<Vec<i64>>,
    known: HashMap<Node, Column>,
    /// The memory of the columns.
    held: Held,
}

impl<'f> Columns<'f> {
    pub fn new(formulas: &'f Formulas, variable: Node, values: Vec<i64>) -> Columns<'f> {
        Columns { formulas, variable, values: Rc::new(values), known: HashMap::new(), held: Held::default() }
    }

    /// The column of a node; `None` if it depends on anything else, or does not fit in memory.
    pub fn of(&mut self, node: Node) -> Option<Column> {
        if let Some(known) = self.known.get(&node) {
            return Some(known.clone());
        }
        let mut wanted = vec![node];
        while let Some(&next) = wanted.last() {
            let before = wanted.len();
            if !self.known.contains_key(&next) {
                if next != self.variable {
                    self.formulas.arena.operands(next, &mut |operand| {
                        if !self.known.contains_key(&operand) {
                            wanted.push(operand);
                        }
                    });
                }
                if wanted.len() > before {
                    continue;
                }
                self.held.try_grow(8 * self.values.len() as u64).ok()?;
                look().ok()?;
                let column = self.compute(next)?;
                self.known.insert(next, column);
            }
            wanted.pop();
        }
        self.known.get(&node).cloned()
    }

    fn compute(&self, node: Node) -> Option<Column> {
        if node == self.variable {
            return Some(Column::Each(Rc::clone(&self.values)));
        }
        Some(match *self.formulas.arena.op(node) {
            Op::Const(number) => Column::Fixed(number),
            Op::Cell(_) | Op::Mover | Op::Choice(_) => return None,
            Op::Linear(ref terms, constant) => {
                let mut sum = Column::Fixed(constant);
                for &(term, factor) in terms {
                    sum = self.two(&sum, &self.known[&term], |sum, term| sum.wrapping_add(term.wrapping_mul(factor)));
                }
                sum
            }
            Op::Mul(a, b) => self.binary(a, b, i64::wrapping_mul),
            Op::Div(a, b) => self.binary(a, b, divide),
            Op::Rem(a, b) => self.binary(a, b, remainder),
            Op::Min(a, b) => self.binary(a, b, i64::min),
            Op::Max(a, b) => self.binary(a, b, i64::max),
            Op::And(a, b) => self.binary(a, b, |a, b| a & b),
            Op::Or(a, b) => self.binary(a, b, |a, b| a | b),
            Op::Xor(a, b) => self.binary(a, b, |a, b| a ^ b),
            Op::Shl(a, b) => self.binary(a, b, |a, b| a.wrapping_shl(b as u32)),
            Op::Shr(a, b) => self.binary(a, b, |a, b| a.wrapping_shr(b as u32)),
            Op::Popcount(a) => self.unary(a, |a| i64::from(a.count_ones())),
            Op::LowestBit(a) => self.unary(a, |a| i64::from(a.trailing_zeros())),
            Op::HighestBit(a) => self.unary(a, |a| 63 - i64::from(a.leading_zeros())),
            Op::Eq(a, b) => self.binary(a, b, |a, b| i64::from(a == b)),
            Op::Lt(a, b) => self.binary(a, b, |a, b| i64::from(a < b)),
            Op::Not(a) => self.unary(a, |a| i64::from(a == 0)),
            Op::Select(c, a, b) => {
                let (c, a, b) = (&self.known[&c], &self.known[&a], &self.known[&b]);
                let chosen = |place: usize| if c.at(place) != 0 { a.at(place) } else { b.at(place) };
                match c {
                    Column::Fixed(0) => b.clone(),
                    Column::Fixed(_) => a.clone(),
                    Column::Each(_) => Column::Each(Rc::new((0..self.values.len()).map(chosen).collect())),
                }
            }
            Op::Load(list, index) => {
                let list = &self.formulas.lists[list as usize];
                self.unary(index, |index| {
                    usize::try_from(index).ok().and_then(|index| list.get(index)).copied().unwrap_or(0)
                })
            }
            Op::AddOverflows(a, b) => self.binary(a, b, |a, b| i64::from(a.checked_add(b).is_none())),
            Op::SubOverflows(a, b) => self.binary(a, b, |a, b| i64::from(a.checked_sub(b).is_none())),
            Op::MulOverflows(a, b) => self.binary(a, b, |a, b| i64::from(a.checked_mul(b).is_none())),
        })
    }

    fn unary(&self, a: Node, of: impl Fn(i64) -> i64) -> Column {
        match &self.known[&a] {
            Column::Fixed(number) => Column::Fixed(of(*number)),
            Column::Each(numbers) => Column::Each(Rc::new(numbers.iter().map(|number| of(*number)).collect())),
        }
    }

    fn binary(&self, a: Node, b: Node, of: impl Fn(i64, i64) -> i64) -> Column {
        self.two(&self.known[&a], &self.known[&b], of)
    }

    fn two(&self, a: &Column, b: &Column, of: impl Fn(i64, i64) -> i64) -> Column {
        let each = |numbers: Vec<i64>| Column::Each(Rc::new(numbers));
        match (a, b) {
            (Column::Fixed(a), Column::Fixed(b)) => Column::Fixed(of(*a, *b)),
            (Column::Each(a), Column::Fixed(b)) => each(a.iter().map(|a| of(*a, *b)).collect()),
            (Column::Fixed(a), Column::Each(b)) => each(b.iter().map(|b| of(*a, *b)).collect()),
            (Column::Each(a), Column::Each(b)) => each(a.iter().zip(b.iter()).map(|(a, b)| of(*a, *b)).collect()),
        }
    }
}
