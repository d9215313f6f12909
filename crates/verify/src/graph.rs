//! Partizan games as graphs: each position has Left's options and Right's, and may come back.
//!
//! Names of values ([`loop_names`]) and positions of a game ([`stoppers`]) both become such graphs, which are then compared.
//!
//! [`loop_names`]: crate::loop_names
//! [`stoppers`]: crate::stoppers

use std::collections::HashMap;

use rules::stop::Held;

use crate::forms::{Form, Side, ZERO};
use crate::notation::Algebra;
use crate::refusal::Refusal;

/// A name that stands for more positions is refused.
const MOST_NAMED: usize = 1 << 14;

/// What a position takes beside its options, and an option.
const POSITION_BYTES: u64 = 96;

/// Positions with the options of both players.
#[derive(Default)]
pub struct Graph {
    options: Vec<[Vec<u32>; 2]>,
    held: Held,
}

impl Graph {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.options.is_empty()
    }

    /// The options of a player.
    pub fn options(&self, position: u32, side: Side) -> &[u32] {
        &self.options[position as usize][side as usize]
    }

    /// Adds a position.
    pub fn add(&mut self, options: [Vec<u32>; 2]) -> Result<u32, Refusal> {
        let count = options[0].len() + options[1].len();
        self.held.grow(POSITION_BYTES + 4 * count as u64)?;
        self.options.push(options);
        Ok(self.options.len() as u32 - 1)
    }

    /// Gives a position other options.
    fn replace(&mut self, position: u32, options: [Vec<u32>; 2]) -> Result<(), Refusal> {
        self.held.grow(4 * (options[0].len() + options[1].len()) as u64)?;
        self.options[position as usize] = options;
        Ok(())
    }

    /// Whether play that alternates always ends, from every position and whoever begins.
    ///
    /// Positions with a player to move are taken away, again and again, if that player has no options left.
    pub fn is_stopper(&self) -> bool {
        let node = |position: u32, side: Side| 2 * position as usize + side as usize;
        let mut before = vec![Vec::new(); 2 * self.len()];
        let mut left = vec![0; 2 * self.len()];
        let mut done = Vec::new();
        for position in 0..self.len() as u32 {
            for side in Side::BOTH {
                let options = self.options(position, side);
                left[node(position, side)] = options.len();
                if options.is_empty() {
                    done.push(node(position, side));
                }
                options.iter().for_each(|option| before[node(*option, side.other())].push(node(position, side)));
            }
        }
        let mut count = 0;
        while let Some(node) = done.pop() {
            count += 1;
            for &previous in &before[node] {
                left[previous] -= 1;
                if left[previous] == 0 {
                    done.push(previous);
                }
            }
        }
        count == 2 * self.len()
    }
}

/// The positions that names stand for. Position 0 has no options.
pub struct Named {
    graph: Graph,
    numbers: HashMap<[Vec<u32>; 2], u32>,
    negatives: HashMap<u32, u32>,
    sums: HashMap<(u32, u32), u32>,
}

impl Named {
    /// The position without options alone.
    pub fn new() -> Result<Named, Refusal> {
        let mut named =
            Named { graph: Graph::default(), numbers: HashMap::new(), negatives: HashMap::new(), sums: HashMap::new() };
        named.position([Vec::new(), Vec::new()])?;
        Ok(named)
    }

    /// All positions.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    fn add(&mut self, options: [Vec<u32>; 2]) -> Result<u32, Refusal> {
        if self.graph.len() >= MOST_NAMED {
            return Err(Refusal::wrong("a name stands for too many positions"));
        }
        self.graph.add(options)
    }

    /// A position whose options come later: it may be one of them.
    pub fn promise(&mut self) -> Result<u32, Refusal> {
        self.add([Vec::new(), Vec::new()])
    }

    /// Gives a promised position its options.
    pub fn keep(&mut self, position: u32, options: [Vec<u32>; 2]) -> Result<(), Refusal> {
        self.graph.replace(position, options)
    }

    /// The position with these options.
    pub fn position(&mut self, mut options: [Vec<u32>; 2]) -> Result<u32, Refusal> {
        options.iter_mut().for_each(|own| {
            own.sort_unstable();
            own.dedup();
        });
        if let Some(position) = self.numbers.get(&options) {
            return Ok(*position);
        }
        let position = self.add(options.clone())?;
        self.numbers.insert(options, position);
        Ok(position)
    }
}

/// Finite names: their options are worked out before them, so that play ends.
impl Algebra for Named {
    fn enter(&mut self, left: &[Form], right: &[Form]) -> Result<Form, Refusal> {
        self.position([left.to_vec(), right.to_vec()])
    }

    fn negative(&mut self, form: Form) -> Result<Form, Refusal> {
        let mut open = vec![form];
        while let Some(&position) = open.last() {
            let options = Side::BOTH.map(|side| self.graph.options(position, side).to_vec());
            let missing = options.iter().flatten().find(|option| !self.negatives.contains_key(option));
            if let Some(missing) = missing {
                open.push(*missing);
                continue;
            }
            let [left, right] = options.map(|own| own.iter().map(|option| self.negatives[option]).collect());
            let negative = self.position([right, left])?;
            self.negatives.insert(position, negative);
            open.pop();
        }
        Ok(self.negatives[&form])
    }

    fn plus(&mut self, one: Form, other: Form) -> Result<Form, Refusal> {
        let pair = |one: u32, other: u32| (one.min(other), one.max(other));
        let mut open = vec![pair(one, other)];
        while let Some(&(one, other)) = open.last() {
            if one == ZERO {
                self.sums.insert((one, other), other);
            }
            if self.sums.contains_key(&(one, other)) {
                open.pop();
                continue;
            }
            let moved = Side::BOTH.map(|side| {
                let first = self.graph.options(one, side).iter().map(|option| pair(*option, other));
                let second = self.graph.options(other, side).iter().map(|option| pair(one, *option));
                first.chain(second).collect::<Vec<_>>()
            });
            if let Some(missing) = moved.iter().flatten().find(|pair| !self.sums.contains_key(pair)) {
                open.push(*missing);
                continue;
            }
            let options = moved.map(|pairs| pairs.iter().map(|pair| self.sums[pair]).collect());
            let sum = self.position(options)?;
            self.sums.insert((one, other), sum);
        }
        Ok(self.sums[&pair(one, other)])
    }

    fn game(&mut self, left: &[Form], right: &[Form]) -> Result<Form, Refusal> {
        self.enter(left, right)
    }
}
