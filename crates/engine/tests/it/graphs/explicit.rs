//! Games given as a list of positions, and random ones of these.

use engine::Error;
use engine::graph::{Edge, Ending, Expansion, Graph, Id};
use game::{Outcome, Player};
use testkit::Random;

/// A game as a list of positions, with its own numbers for them (*nodes*); the [`Graph`] gives others, as they are met.
#[derive(Clone, Default)]
pub struct Explicit {
    pub nodes: Vec<Expansion>,
    met: Vec<usize>,
    numbers: Vec<Option<Id>>,
    pub expanded: Vec<u32>,
}

impl Explicit {
    pub fn new(nodes: Vec<Expansion>) -> Explicit {
        let count = nodes.len();
        Explicit { nodes, met: Vec::new(), numbers: vec![None; count], expanded: vec![0; count] }
    }

    /// The number of a node, a new one if it was not met yet.
    pub fn number(&mut self, node: usize) -> Id {
        if let Some(id) = self.numbers[node] {
            return id;
        }
        let id = self.met.len() as Id;
        self.met.push(node);
        self.numbers[node] = Some(id);
        id
    }

    /// The number of a node that was met.
    pub fn known(&self, node: usize) -> Option<Id> {
        self.numbers[node]
    }

    pub fn node(&self, id: Id) -> usize {
        self.met[id as usize]
    }

    /// Which nodes can be reached from one.
    pub fn reachable(&self, from: usize) -> Vec<bool> {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(self.nodes[node].edges.iter().map(|edge| edge.to as usize));
            }
        }
        seen
    }
}

impl Graph for Explicit {
    fn len(&self) -> usize {
        self.met.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        let node = self.met[position as usize];
        self.expanded[node] += 1;
        into.mover = self.nodes[node].mover;
        into.end = self.nodes[node].end;
        into.gains.extend_from_slice(&self.nodes[node].gains);
        for index in 0..self.nodes[node].edges.len() {
            let edge = self.nodes[node].edges[index];
            into.edges.push(Edge { to: self.number(edge.to as usize), ..edge });
        }
        Ok(())
    }
}

pub fn end(outcome: Outcome) -> Expansion {
    Expansion { end: Some(Ending::Outcome(outcome)), ..Expansion::default() }
}

/// A random game of outcomes with options anywhere (`cyclic`) or only at higher nodes. Players are absolute: an edge keeps
/// the turn exactly if both positions have the same mover.
pub fn random_outcomes(random: &mut Random, nodes: usize, cyclic: bool) -> Explicit {
    let ends = random.below(60);
    let draws = random.below(100);
    let degree = 1 + random.below(3);
    let again = [0, 10, 50][random.below(3)];
    let movers: Vec<Player> =
        (0..nodes).map(|node| Player(((node % 2) ^ usize::from(random.chance(again))) as u8)).collect();
    let mut list = Vec::new();
    for node in 0..nodes {
        let over = (!cyclic && node + 1 == nodes) || random.chance(ends);
        let mut expansion = Expansion { mover: movers[node], ..Expansion::default() };
        if over {
            let outcome = if random.chance(draws) {
                Outcome::Draw
            } else {
                [Outcome::Loss, Outcome::Draw, Outcome::Win][random.below(3usize)]
            };
            expansion.end = Some(Ending::Outcome(outcome));
        } else {
            for _ in 0..1 + random.below(degree + 1) {
                let to = if cyclic { random.below(nodes) } else { node + 1 + random.below(nodes - node - 1) };
                let same = movers[to] == movers[node];
                expansion.edges.push(Edge { same, ..Edge::to(to as Id) });
            }
        }
        list.push(expansion);
    }
    Explicit::new(list)
}
