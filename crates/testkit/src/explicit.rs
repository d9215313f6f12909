//! Games written out: every position with its mover, its end or its moves.

/// How play ends in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// 1 won, 0 drawn, −1 lost by the player to move.
    Outcome(i8),
    /// Further gains, one a player.
    Gains(Vec<i64>),
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// As the answer writes it.
    pub label: String,
    /// What each player gains; zeros where nothing is counted.
    pub gains: Vec<i64>,
    /// The position that it leads to.
    pub to: usize,
}

/// A position: it has an end, or moves.
#[derive(Clone, Debug)]
pub struct Node {
    /// Who moves.
    pub mover: usize,
    /// How play ends, where it is over.
    pub end: Option<Finish>,
    /// The moves in order; none where play is over.
    pub moves: Vec<Step>,
}

/// What players want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Two players win, lose or draw; endless play is won by this player, or drawn.
    Outcome(Option<usize>),
    /// Two players, each for the difference.
    Difference,
    /// Each for the own total.
    Own,
    /// Three players or more, who win, draw or lose.
    Winners,
}

/// A whole game.
#[derive(Clone, Debug)]
pub struct Explicit {
    /// How many players.
    pub players: usize,
    /// What they want.
    pub aim: Aim,
    /// The positions.
    pub nodes: Vec<Node>,
    /// Where play starts.
    pub start: usize,
}

impl Explicit {
    /// The positions that can be reached from one, each after all its options; `None` if some can repeat.
    pub fn order(&self, from: usize) -> Option<Vec<usize>> {
        let mut seen = vec![0u8; self.nodes.len()];
        let mut order = Vec::new();
        self.visit(from, &mut seen, &mut order).then_some(order)
    }

    /// The positions that can be reached from the start, the start first.
    pub fn reachable(&self) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        seen[self.start] = true;
        let mut found = vec![self.start];
        let mut next = 0;
        while next < found.len() {
            for step in &self.nodes[found[next]].moves {
                if !std::mem::replace(&mut seen[step.to], true) {
                    found.push(step.to);
                }
            }
            next += 1;
        }
        found
    }

    fn visit(&self, node: usize, seen: &mut [u8], order: &mut Vec<usize>) -> bool {
        if seen[node] != 0 {
            return seen[node] == 2;
        }
        seen[node] = 1;
        if !self.nodes[node].moves.iter().all(|step| self.visit(step.to, seen, order)) {
            return false;
        }
        seen[node] = 2;
        order.push(node);
        true
    }
}

/// What is expected of a field that not every game has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Field {
    /// It may be there or not; if it is, it must be right.
    #[default]
    Either,
    /// It must be there, if the positions of the game do not repeat.
    There,
    /// It must not be there.
    Absent,
}

/// What else is known of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Also {
    /// Whether the answer has a Grundy number.
    pub nimber: Field,
    /// Whether the answer has an outcome class.
    pub class: Field,
    /// The start with the other player to move, if that was looked at.
    pub other_start: Option<usize>,
}
