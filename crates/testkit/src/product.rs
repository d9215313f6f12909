//! Sums written out: the list of parts as it stands, in order, is the position.

use std::collections::HashMap;

use crate::explicit::{Aim, Explicit, Finish, Node, Step};

/// A part: its variables.
pub type Part = Vec<i64>;

/// What a move does in a part.
pub struct PartStep {
    /// The move without its part.
    pub label: String,
    /// What replaces the part.
    pub into: Vec<Part>,
    /// What each player gains.
    pub gains: Vec<i64>,
    /// Who moves next.
    pub turn: usize,
}

/// A sum of parts.
pub struct Product<'f> {
    /// How many players.
    pub players: usize,
    /// What they want.
    pub aim: Aim,
    /// What a player can do in a part.
    pub moves: &'f dyn Fn(&[i64], usize) -> Vec<PartStep>,
    /// How play ends when the mover cannot move.
    pub stuck: &'f dyn Fn(usize) -> Finish,
}

impl Product<'_> {
    /// All positions from these parts on, with either of two players to start; `None` if there are too many.
    ///
    /// Node 0 is the start, node 1 the start with the next player to move.
    pub fn explicit(&self, parts: &[Part], starts: usize, most: usize) -> Option<Explicit> {
        let mut positions = vec![(parts.to_vec(), starts), (parts.to_vec(), (starts + 1) % self.players)];
        let mut numbers: HashMap<(Vec<Part>, usize), usize> = positions.iter().cloned().zip(0..).collect();
        let mut nodes = Vec::new();
        while nodes.len() < positions.len() {
            if positions.len() > most {
                return None;
            }
            let (parts, mover) = positions[nodes.len()].clone();
            let mut moves = Vec::new();
            for (index, part) in parts.iter().enumerate() {
                for step in (self.moves)(part, mover) {
                    let mut option = parts[..index].to_vec();
                    option.extend(step.into);
                    option.extend_from_slice(&parts[index + 1..]);
                    let to = *numbers.entry((option, step.turn)).or_insert_with_key(|position| {
                        positions.push(position.clone());
                        positions.len() - 1
                    });
                    moves.push(Step { label: format!("{} in part {index}", step.label), gains: step.gains, to });
                }
            }
            nodes.push(Node { mover, end: moves.is_empty().then(|| (self.stuck)(mover)), moves });
        }
        Some(Explicit { players: self.players, aim: self.aim, nodes, start: 0 })
    }
}
