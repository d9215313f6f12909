//! Small random games given position by position, and what they are worth by plain recursion.

use std::collections::HashMap;
use std::sync::Arc;

use engine::Error;
use search::game::{Bounds, Expander, Game, OPEN, Options, Shared};
use testkit::Random;

#[derive(Clone, Copy, Debug)]
pub struct Move {
    pub to: usize,
    pub gain: i64,
    pub same: bool,
}

/// A game: each position is over and worth so much, or has moves.
#[derive(Clone, Debug)]
pub struct Graph {
    pub nodes: Vec<Result<i64, Vec<Move>>>,
    pub keys: Vec<Vec<u64>>,
    pub words: usize,
    pub bounds: Bounds,
    pub is_acyclic: bool,
    /// Whether ends are told before they are looked at.
    pub tells_ends: bool,
    /// Positions that are worth the same as others, and stand for by these.
    pub twins: HashMap<Vec<u64>, Vec<u64>>,
    pub estimates: Vec<i64>,
    node_of: HashMap<Vec<u64>, usize>,
}

/// What a random game is like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub nodes: usize,
    pub most_moves: u64,
    pub words: usize,
    /// Gains lie between this and its negative; 0 for games that are won and lost.
    pub gain: u64,
    pub draws: bool,
    pub again: bool,
    pub cyclic: bool,
    pub twins: bool,
    pub tells_ends: bool,
    /// Whether the bounds of all values are known.
    pub bounded: bool,
}

impl Graph {
    pub fn random(random: &mut Random, shape: &Shape) -> Graph {
        let mut nodes = Vec::new();
        for node in 0..shape.nodes {
            let room = shape.nodes - node - 1;
            let over = room == 0 || random.one_in(6);
            if over && !(shape.cyclic && random.one_in(2)) {
                nodes.push(Ok(end(random, shape)));
                continue;
            }
            let moves = (0..1 + random.below(shape.most_moves)).map(|_| Move {
                to: match shape.cyclic && (room == 0 || random.one_in(5)) {
                    true => random.below(shape.nodes as u64) as usize,
                    // Mostly near, so that play is long and positions are met again.
                    false => node + 1 + random.below((room as u64).min(9)) as usize,
                },
                gain: gain(random, shape),
                same: shape.again && random.one_in(4),
            });
            nodes.push(Err(moves.collect()));
        }
        Graph::of(random, nodes, shape)
    }

    fn of(random: &mut Random, mut nodes: Vec<Result<i64, Vec<Move>>>, shape: &Shape) -> Graph {
        let mut twins = HashMap::new();
        let mut keys: Vec<Vec<u64>> = Vec::new();
        let count = nodes.len();
        if shape.twins {
            // Every position once more, with moves to one copy or the other.
            for node in 0..count {
                let copy = nodes[node].clone().map_err(|moves| {
                    let to = |mv: Move| Move { to: mv.to + if random.one_in(2) { count } else { 0 }, ..mv };
                    moves.into_iter().map(to).collect()
                });
                nodes.push(copy);
            }
        }
        for node in 0..nodes.len() {
            // Keys that differ in any one word, and some that are near to one another.
            let mut key = vec![7; shape.words];
            key[random.below(shape.words as u64) as usize] = random.next();
            key[0] = (key[0] << 20) | node as u64;
            keys.push(key);
        }
        if shape.twins {
            for node in 0..count {
                twins.insert(keys[node + count].clone(), keys[node].clone());
            }
        }
        let node_of = keys.iter().cloned().zip(0..).collect();
        let estimates = (0..nodes.len()).map(|_| random.below(21) as i64 - 10).collect();
        let bounds = match (shape.gain, shape.bounded) {
            (0, _) => Bounds::OUTCOME,
            (_, false) => Bounds::ANY,
            (gain, true) => {
                let most = (gain as i64) * (nodes.len() as i64 + 1);
                Bounds { low: -most, high: most }
            }
        };
        let is_acyclic = !shape.cyclic;
        let (words, tells_ends) = (shape.words, shape.tells_ends);
        Graph { nodes, keys, words, bounds, is_acyclic, tells_ends, twins, estimates, node_of }
    }

    /// For searches.
    pub fn shared(&self) -> Shared<'static> {
        Arc::new(self.clone())
    }

    /// The values of all positions of a game without cycles.
    pub fn values(&self) -> Vec<i64> {
        let mut known = vec![None; self.nodes.len()];
        (0..self.nodes.len()).map(|node| self.value(node, &mut known)).collect()
    }

    fn value(&self, node: usize, known: &mut Vec<Option<i64>>) -> i64 {
        if let Some(value) = known[node] {
            return value;
        }
        let value = match &self.nodes[node] {
            Ok(value) => *value,
            Err(moves) => moves.iter().map(|mv| worth(mv, self.value(mv.to, known))).max().unwrap(),
        };
        known[node] = Some(value);
        value
    }

    /// Outcomes of a game with cycles: what is neither won nor lost for sure is drawn.
    pub fn loopy_values(&self) -> Vec<i64> {
        let mut known: Vec<Option<i64>> = self.nodes.iter().map(|node| node.as_ref().ok().copied()).collect();
        loop {
            let before = known.clone();
            for (node, rules) in self.nodes.iter().enumerate() {
                let Err(moves) = rules else { continue };
                let options: Vec<Option<i64>> =
                    moves.iter().map(|mv| known[mv.to].map(|value| if mv.same { value } else { -value })).collect();
                if known[node].is_none() {
                    if options.contains(&Some(1)) {
                        known[node] = Some(1);
                    } else if options.iter().all(|option| *option == Some(-1)) {
                        known[node] = Some(-1);
                    }
                }
            }
            if known == before {
                return known.into_iter().map(|value| value.unwrap_or(0)).collect();
            }
        }
    }

    /// What so many moves ahead bring, if what lies beyond is worth so much to who moves there.
    pub fn ahead(&self, node: usize, moves: u32, own: bool, leaf: &dyn Fn(usize, bool) -> i64) -> i64 {
        match &self.nodes[node] {
            Ok(value) => *value,
            Err(_) if moves == 0 => leaf(node, own),
            Err(options) => {
                let worths = options.iter().map(|mv| worth(mv, self.ahead(mv.to, moves - 1, own == mv.same, leaf)));
                worths.max().unwrap()
            }
        }
    }
}

fn worth(mv: &Move, value: i64) -> i64 {
    // What may be anything stays so.
    if value.abs() == search::game::INFINITE {
        return if mv.same { value } else { -value };
    }
    mv.gain + if mv.same { value } else { -value }
}

fn end(random: &mut Random, shape: &Shape) -> i64 {
    match (shape.gain, shape.draws) {
        (0, true) => random.below(3) as i64 - 1,
        (0, false) => 2 * random.below(2) as i64 - 1,
        _ => gain(random, shape),
    }
}

fn gain(random: &mut Random, shape: &Shape) -> i64 {
    if shape.gain == 0 { 0 } else { random.below(2 * shape.gain + 1) as i64 - shape.gain as i64 }
}

impl Game<'static> for Graph {
    fn words(&self) -> usize {
        self.words
    }
    fn bounds(&self) -> Bounds {
        self.bounds
    }
    fn is_acyclic(&self) -> bool {
        self.is_acyclic
    }
    fn expander(self: Arc<Self>) -> Box<dyn Expander> {
        Box::new(Moves(self))
    }
}

struct Moves(Arc<Graph>);

impl Expander for Moves {
    fn expand(&mut self, key: &[u64], out: &mut Options) -> Result<Option<i64>, Error> {
        out.codes.clear();
        out.same.clear();
        out.gains.clear();
        match &self.0.nodes[self.0.node_of[key]] {
            Ok(value) => Ok(Some(*value)),
            Err(moves) => {
                for mv in moves {
                    out.codes.extend(&self.0.keys[mv.to]);
                    out.same.push(u8::from(mv.same));
                    if self.0.bounds != Bounds::OUTCOME {
                        out.gains.push(mv.gain);
                    }
                }
                Ok(None)
            }
        }
    }
    fn expand_open(&mut self, key: &[u64], out: &mut Options) -> Result<Option<i64>, Error> {
        let end = self.expand(key, out)?;
        assert!(end.is_none() && self.0.tells_ends, "a position that was not said to be open");
        Ok(end)
    }
    fn look(&mut self, key: &[u64]) -> Result<Option<i64>, Error> {
        let Err(moves) = &self.0.nodes[self.0.node_of[key]] else { panic!("a position that was not said to be open") };
        // Every other position is not looked at: searches must not count on it.
        if self.0.estimates[self.0.node_of[key]] % 2 == 0 {
            return Ok(None);
        }
        let ends = moves.iter().filter_map(|mv| self.0.nodes[mv.to].as_ref().ok().map(|value| worth(mv, *value)));
        Ok(ends.max().filter(|best| *best >= self.0.bounds.high))
    }
    fn hints(&mut self, key: &[u64], options: &Options, into: &mut Vec<i32>) {
        // Numbers of any size, and sometimes none, or fewer than there are options.
        let estimate = self.0.estimates[self.0.node_of[key]];
        let number = if estimate % 3 == 0 { 0 } else { options.same.len() - usize::from(estimate % 5 == 0) };
        into.extend((0..number).map(|at| ((estimate + at as i64) * 0x1357_9bdf) as i32));
    }
    fn fold(&mut self, key: &mut [u64]) {
        if let Some(twin) = self.0.twins.get(key) {
            key.copy_from_slice(twin);
        }
    }
    fn ends(&mut self, key: &[u64], _: &Options, into: &mut Vec<i64>) -> Result<bool, Error> {
        let Err(moves) = &self.0.nodes[self.0.node_of[key]] else { return Ok(false) };
        into.extend(moves.iter().map(|mv| *self.0.nodes[mv.to].as_ref().unwrap_or(&OPEN)));
        Ok(self.0.tells_ends)
    }
    fn estimate(&mut self, key: &[u64]) -> Result<i64, Error> {
        Ok(self.0.estimates[self.0.node_of[key]])
    }
}
