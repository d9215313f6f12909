//! Loopy values: an onside and an offside, both stoppers in simplest form.

use std::cmp::Ordering;

use crate::arena::{Arena, Value};
use crate::error::{Error, Result};
use crate::loopy::graph::Graph;
use crate::loopy::sides::{offside, on, onside, over};
use crate::loopy::survival::{above, equal};
use crate::name::MOST_NESTED;
use crate::side::Side;

/// A loopy value. A stopper has two equal sides.
#[derive(Clone, Debug)]
pub struct Loopy {
    onside: Graph,
    offside: Graph,
}

/// What the player who begins can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// A win.
    Win,
    /// Play without end.
    Draw,
    /// A loss.
    Loss,
}

impl Loopy {
    /// The value of a graph, where it has stoppers for its sides.
    pub fn of_graph(graph: &Graph) -> Result<Loopy> {
        if graph.is_stopper() {
            let stopper = onside(graph)?;
            return Ok(Loopy { onside: stopper.clone(), offside: stopper });
        }
        Ok(Loopy { onside: onside(graph)?, offside: offside(graph)? })
    }

    /// The value with these sides, both stoppers in simplest form.
    pub(super) fn of_stoppers(onside: Graph, offside: Graph) -> Loopy {
        Loopy { onside, offside }
    }

    /// The value with the onside of one and the offside of the other, which may not be above it.
    pub fn of_sides(high: &Loopy, low: &Loopy) -> Result<Loopy> {
        if !above(&high.onside, &low.offside)?.is(0, 0) {
            return Err(Error::Undefined("the first side of `&` must be at least the second one".into()));
        }
        Ok(Loopy { onside: high.onside.clone(), offside: low.offside.clone() })
    }

    /// A value without loops.
    pub fn of_value(arena: &mut Arena, value: Value) -> Result<Loopy> {
        let graph = Graph::of_value(arena, value)?;
        Ok(Loopy { onside: graph.clone(), offside: graph })
    }

    /// `on`, `off`, `over`, `under` or `dud`.
    pub fn named(name: &str) -> Option<Loopy> {
        let (onside, offside) = match name {
            "on" => (on(), on()),
            "off" => (on().negative(), on().negative()),
            "over" => (over(), over()),
            "under" => (over().negative(), over().negative()),
            "dud" => (on(), on().negative()),
            _ => return None,
        };
        Some(Loopy { onside, offside })
    }

    /// What it is worth if endless play is a win for Left.
    pub fn onside(&self) -> &Graph {
        &self.onside
    }

    /// What it is worth if endless play is a win for Right.
    pub fn offside(&self) -> &Graph {
        &self.offside
    }

    /// Whether both sides are equal.
    pub fn is_stopper(&self) -> Result<bool> {
        equal(&self.onside, &self.offside)
    }

    /// The value without loops that this is, if it is one.
    pub fn to_value(&self, arena: &mut Arena) -> Result<Option<Value>> {
        if !self.is_stopper()? {
            return Ok(None);
        }
        self.onside.to_value(arena)
    }

    /// The negative.
    pub fn negative(&self) -> Loopy {
        Loopy { onside: self.offside.negative(), offside: self.onside.negative() }
    }

    /// The sum of `n` of them, where its sides are stoppers.
    pub fn times(&self, n: i64) -> Result<Loopy> {
        let mut power = if n < 0 { self.negative() } else { self.clone() };
        let (mut left, mut sum) = (n.unsigned_abs(), None);
        while left > 0 {
            if left % 2 == 1 {
                sum = Some(match sum {
                    Some(sum) => power.plus(&sum)?,
                    None => power.clone(),
                });
            }
            left /= 2;
            if left > 0 {
                power = power.plus(&power)?;
            }
        }
        sum.map_or_else(|| Ok(Loopy::of_stoppers(zero()?, zero()?)), Ok)
    }

    /// The sum, where its sides are stoppers.
    pub fn plus(&self, other: &Loopy) -> Result<Loopy> {
        let high = onside(&self.onside.plus(&other.onside)?)?;
        let low = offside(&self.offside.plus(&other.offside)?)?;
        Ok(Loopy { onside: high, offside: low })
    }

    /// Whether `self ≤ other`: on both sides.
    pub fn at_most(&self, other: &Loopy) -> Result<bool> {
        Ok(above(&other.onside, &self.onside)?.is(0, 0) && above(&other.offside, &self.offside)?.is(0, 0))
    }

    /// How two values compare; None if they are confused.
    pub fn compare(&self, other: &Loopy) -> Result<Option<Ordering>> {
        Ok(match (self.at_most(other)?, other.at_most(self)?) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        })
    }

    /// What the player reaches who begins.
    pub fn reach(&self, first: Side) -> Result<Reach> {
        let zero = zero()?;
        // Left who begins wins what is not at most 0; Right what is not at least 0.
        let wins = |graph: &Graph| match first {
            Side::Left => Ok(!above(&zero, graph)?.is(0, 0)),
            Side::Right => Ok(!above(graph, &zero)?.is(0, 0)),
        };
        let (against, with) = match first {
            Side::Left => (&self.offside, &self.onside),
            Side::Right => (&self.onside, &self.offside),
        };
        Ok(if wins(against)? {
            Reach::Win
        } else if wins(with)? {
            Reach::Draw
        } else {
            Reach::Loss
        })
    }

    /// The name: `on`, `dud`, `a{0|a}`, or two sides as `over & under`.
    pub fn name(&self, arena: &mut Arena, limit: usize) -> Result<String> {
        for name in ["on", "off", "over", "under", "dud"] {
            let known = Loopy::named(name).expect("a known name");
            if self.compare(&known)? == Some(Ordering::Equal) {
                return Ok(name.to_string());
            }
        }
        let high = side_name(arena, &self.onside, limit)?;
        if self.is_stopper()? {
            return Ok(high);
        }
        let low = side_name(arena, &self.offside, limit)?;
        Ok(format!("{high} & {low}"))
    }
}

/// The game without moves.
fn zero() -> Result<Graph> {
    Graph::new(&[vec![]], &[vec![]], 0)
}

fn side_name(arena: &mut Arena, graph: &Graph, limit: usize) -> Result<String> {
    for name in ["on", "off", "over", "under"] {
        let known = Loopy::named(name).expect("a known name");
        if equal(graph, &known.onside)? {
            return Ok(name.to_string());
        }
    }
    let mut writer = Writer { graph, path: Vec::new(), limit, written: 0 };
    writer.position(arena, 0)
}

/// Writes a graph as nested braces, with labels for positions that come back.
struct Writer<'g> {
    graph: &'g Graph,
    path: Vec<usize>,
    limit: usize,
    written: usize,
}

impl Writer<'_> {
    fn position(&mut self, arena: &mut Arena, position: usize) -> Result<String> {
        if let Some(depth) = self.path.iter().position(|&above| above == position) {
            return Ok(label(depth));
        }
        let part = self.graph.reached(position as u32)?;
        if let Some(value) = part.to_value(arena)? {
            return arena.name(value, self.limit);
        }
        for name in ["on", "off", "over", "under"] {
            if position != 0 && equal(&part, &Loopy::named(name).expect("a known name").onside)? {
                return Ok(name.to_string());
            }
        }
        if self.path.len() >= MOST_NESTED {
            return Err(Error::TooDeep { limit: MOST_NESTED });
        }
        let own = label(self.path.len());
        self.path.push(position);
        let mut sides = Vec::new();
        for side in Side::BOTH {
            let options = self.graph.options(position, side).to_vec();
            let names: Result<Vec<String>> =
                options.into_iter().map(|option| self.position(arena, option as usize)).collect();
            sides.push(names?.join(","));
        }
        self.path.pop();
        let inner = format!("{{{}|{}}}", sides[0], sides[1]);
        self.written += inner.len();
        if self.written > self.limit {
            return Err(Error::TooLong { limit: self.limit });
        }
        // The label is needed only where the position comes back to itself.
        let mentioned = inner.split(|c: char| !c.is_alphanumeric()).any(|word| word == own);
        Ok(if mentioned { own + &inner } else { inner })
    }
}

/// The label of a position at some depth: a, b, …, z, a1, b1, … without v, which is down.
fn label(depth: usize) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuwxyz";
    let letter = LETTERS[depth % LETTERS.len()] as char;
    match depth / LETTERS.len() {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
