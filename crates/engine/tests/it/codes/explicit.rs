//! Small random games given move by move, as codes and as a graph, and their values by other means.

use engine::Error;
use engine::codes::Kind;
use engine::graph::{Edge, Ending, Expansion, Graph, Id};
use engine::valuation::is_better;
use game::codes::{Expanded, Options, Successors};
use game::{Outcome, Player, Remoteness, Verdict};

use testkit::Random;

/// One move: where it leads, whether the same player moves on, and what it gains.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    pub to: usize,
    pub same: bool,
    pub gain: i64,
}

/// A position: play is over and worth so much, or it has moves.
#[derive(Clone, Debug)]
pub enum Node {
    End(i64),
    Moves(Vec<Move>),
    Fault,
}

/// A game. Node i has the code `codes[i]`; who moves in it is known.
#[derive(Clone, Debug)]
pub struct Explicit {
    pub nodes: Vec<Node>,
    pub codes: Vec<u64>,
    pub movers: Vec<u8>,
    node_of: std::collections::HashMap<u64, usize>,
    /// Gains are written for every option.
    pub scored: bool,
}

impl Explicit {
    pub fn new(nodes: Vec<Node>, codes: Vec<u64>, movers: Vec<u8>, scored: bool) -> Explicit {
        let node_of = codes.iter().enumerate().map(|(node, &code)| (code, node)).collect();
        Explicit { nodes, codes, movers, node_of, scored }
    }

    pub fn node(&self, code: u64) -> usize {
        self.node_of[&code]
    }

    /// The nodes that can be reached from some.
    pub fn reachable(&self, roots: &[usize]) -> Vec<bool> {
        let mut met = vec![false; self.nodes.len()];
        let mut open = roots.to_vec();
        while let Some(node) = open.pop() {
            let old = std::mem::replace(&mut met[node], true);
            if let (false, Node::Moves(moves)) = (old, &self.nodes[node]) {
                open.extend(moves.iter().map(|mv| mv.to));
            }
        }
        met
    }
}

impl Successors for Explicit {
    fn expand(&self, code: u64, out: &mut Options) -> Expanded {
        out.codes.clear();
        out.same.clear();
        out.gains.clear();
        match &self.nodes[self.node(code)] {
            Node::Fault => Expanded::Fault,
            Node::End(gain) => {
                out.gains.push(*gain);
                Expanded::End
            }
            Node::Moves(moves) => {
                for mv in moves {
                    out.codes.push(self.codes[mv.to]);
                    out.same.push(u8::from(mv.same));
                    if self.scored {
                        out.gains.push(mv.gain);
                    }
                }
                Expanded::Options
            }
        }
    }
}

/// The game for the methods on graphs; node i has the number i.
impl Graph for Explicit {
    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn expand(&mut self, position: Id, into: &mut Expansion) -> Result<(), Error> {
        into.mover = Player(self.movers[position as usize]);
        match &self.nodes[position as usize] {
            Node::End(result) => into.end = Some(Ending::Outcome(outcome_of(*result))),
            Node::Moves(moves) => {
                into.edges.extend(moves.iter().map(|mv| Edge { same: mv.same, ..Edge::to(mv.to as Id) }));
            }
            Node::Fault => return Err(Error::Internal("fault".into())),
        }
        Ok(())
    }
}

fn outcome_of(result: i64) -> Outcome {
    match result.signum() {
        1 => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

/// What random games are like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub nodes: u64,
    pub most_moves: u64,
    /// Moves may lead anywhere, not only to nodes of lower numbers.
    pub cyclic: bool,
    pub same: bool,
    pub draws: bool,
    pub gains: bool,
    /// Codes are below this, or anywhere below 2^63 if it is 0.
    pub size: u64,
}

/// A random game. The first nodes are ends; the turn alternates except where a move is marked.
pub fn random_game(shape: Shape, random: &mut Random) -> Explicit {
    let count = 1 + random.below(shape.nodes);
    let mut nodes = Vec::new();
    let movers: Vec<u8> = (0..count).map(|_| random.below(2) as u8).collect();
    for node in 0..count {
        let targets = if shape.cyclic { count } else { node };
        if targets == 0 || random.below(5) == 0 {
            let least = if shape.draws { 3 } else { 2 };
            let result = [-1, 1, 0][random.below(least) as usize];
            nodes.push(Node::End(if shape.gains { random.below(21) as i64 - 10 } else { result }));
            continue;
        }
        let moves = (0..1 + random.below(shape.most_moves)).map(|_| {
            let to = random.below(targets) as usize;
            let same = shape.same && movers[to] == movers[node as usize];
            Move { to, same, gain: if shape.gains { random.below(21) as i64 - 10 } else { 0 } }
        });
        nodes.push(Node::Moves(moves.collect()));
    }
    let mut taken = std::collections::HashSet::new();
    let size = if shape.size == 0 { 1 << 63 } else { shape.size };
    let mut code = || loop {
        let code = random.below(size);
        if taken.insert(code) {
            return code;
        }
    };
    let codes = (0..count).map(|_| code()).collect();
    Explicit::new(nodes, codes, movers, shape.gains)
}

/// The value of every node of a game whose moves lead to lower numbers, straight from the definition.
pub fn naive(game: &Explicit, kind: Kind) -> Vec<Verdict> {
    let mut outcomes: Vec<(Outcome, Remoteness)> = Vec::new();
    let mut scores: Vec<i64> = Vec::new();
    let mut nimbers: Vec<u64> = Vec::new();
    for node in &game.nodes {
        match node {
            Node::Fault => unreachable!(),
            Node::End(result) => {
                outcomes.push((outcome_of(*result), Some(0)));
                scores.push(*result);
                nimbers.push(0);
            }
            Node::Moves(moves) => {
                let turned = |mv: &Move| {
                    let (outcome, remoteness) = outcomes[mv.to];
                    (if mv.same { outcome } else { -outcome }, remoteness.map(|moves| moves + 1))
                };
                let best = moves.iter().map(turned).reduce(|a, b| if is_better(b, a) { b } else { a });
                outcomes.push(best.unwrap());
                let sum = |mv: &Move| mv.gain + if mv.same { scores[mv.to] } else { -scores[mv.to] };
                scores.push(moves.iter().map(sum).max().unwrap());
                let mut options: Vec<u64> = moves.iter().map(|mv| nimbers[mv.to]).collect();
                nimbers.push(game::mex(&mut options));
            }
        }
    }
    let value = |node: usize| match kind {
        Kind::Outcome { .. } => Verdict::outcome_in(outcomes[node].0, outcomes[node].1),
        Kind::Score { .. } => Verdict::Score(scores[node]),
        Kind::Nimber { .. } => Verdict::Nimber(nimbers[node]),
        Kind::OutcomeAndNimber { .. } => {
            Verdict::Outcome { outcome: outcomes[node].0, remoteness: outcomes[node].1, nimber: Some(nimbers[node]) }
        }
    };
    (0..game.nodes.len()).map(value).collect()
}
