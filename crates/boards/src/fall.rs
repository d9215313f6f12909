//! How a position falls apart, for boards of any size. Slow and obvious; [`crate::frame`] does the same with masks.
//!
//! What may ever stand on a cell is found from above: what stands there now, and what any move may write whose needs may
//! all be met. Moves that are not among these are dead. A cell that no live move writes is settled; other cells that one
//! live move needs belong together.

use crate::local::{LocalGame, LocalMove};

/// The parts of a position: for each the cells that its live moves look at, in ascending order. Cells that are settled may
/// be in several.
pub fn parts(game: &LocalGame, position: &[u8]) -> Vec<Vec<u32>> {
    let live = live_moves(game, position);
    let mut written = vec![false; position.len()];
    for &mv in &live {
        game.moves[mv].writes.iter().for_each(|write| written[write.0 as usize] = true);
    }
    let mut union = Union::new(position.len());
    for &mv in &live {
        let mut open = game.moves[mv].needs.iter().map(|need| need.0).filter(|cell| written[*cell as usize]);
        if let Some(first) = open.next() {
            open.for_each(|cell| union.join(first, cell));
        }
    }
    let mut of_root: Vec<Option<usize>> = vec![None; position.len()];
    let mut parts: Vec<Vec<u32>> = Vec::new();
    for &mv in &live {
        let root = union.root(game.moves[mv].writes[0].0) as usize;
        let part = *of_root[root].get_or_insert_with(|| {
            parts.push(Vec::new());
            parts.len() - 1
        });
        parts[part].extend(game.moves[mv].needs.iter().map(|need| need.0));
    }
    for part in &mut parts {
        part.sort_unstable();
        part.dedup();
    }
    parts.sort_unstable();
    parts
}

/// Random plays that look whether a game falls apart, and the moves of each at the most.
const PLAYS: usize = 16;
const PLAY_MOVES: usize = 100;
/// At most so many moves are looked at in all.
const LOOKS: usize = 1_000_000;
/// After so many positions of which next to none fell apart, the rest is not looked at.
const ENOUGH: usize = 100;

/// Whether random play comes to positions that fall into several parts, none of which is nearly all that is left.
pub fn falls_apart(game: &LocalGame, start: &[u8], random: &mut dyn FnMut() -> u64) -> bool {
    let (mut seen, mut apart, mut looks) = (0, 0, 0);
    for _ in 0..PLAYS {
        let mut position = start.to_vec();
        for _ in 0..PLAY_MOVES {
            looks += game.moves.len();
            if looks > LOOKS {
                break;
            }
            let parts = parts(game, &position);
            let all: usize = parts.iter().map(Vec::len).sum();
            let largest = parts.iter().map(Vec::len).max().unwrap_or(0);
            if all > 3 {
                seen += 1;
                apart += usize::from(8 * largest <= 7 * all);
            }
            let is_met = |mv: &&LocalMove| mv.needs.iter().all(|&(cell, value)| position[cell as usize] == value);
            let legal: Vec<&LocalMove> = game.moves.iter().filter(is_met).collect();
            let Some(mv) = legal.get((random() % legal.len().max(1) as u64) as usize) else { break };
            mv.writes.iter().for_each(|&(cell, value)| position[cell as usize] = value);
        }
        if seen >= ENOUGH && 32 * apart < seen {
            break;
        }
    }
    8 * apart >= seen.max(1)
}

/// The moves that may still be made, now or later.
fn live_moves(game: &LocalGame, position: &[u8]) -> Vec<usize> {
    let mut possible: Vec<u64> = position.iter().map(|value| 1 << value).collect();
    let mut waiting: Vec<usize> = (0..game.moves.len()).collect();
    let mut live = Vec::new();
    loop {
        let before = live.len();
        waiting.retain(|&index| {
            let mv = &game.moves[index];
            let may = mv.needs.iter().all(|&(cell, value)| possible[cell as usize] >> value & 1 == 1);
            if may {
                mv.writes.iter().for_each(|&(cell, value)| possible[cell as usize] |= 1 << value);
                live.push(index);
            }
            !may
        });
        if live.len() == before {
            live.sort_unstable();
            return live;
        }
    }
}

/// Cells that belong together.
struct Union {
    up: Vec<u32>,
}

impl Union {
    fn new(cells: usize) -> Union {
        Union { up: (0..cells as u32).collect() }
    }

    fn root(&mut self, cell: u32) -> u32 {
        let mut at = cell;
        while self.up[at as usize] != at {
            self.up[at as usize] = self.up[self.up[at as usize] as usize];
            at = self.up[at as usize];
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.up[a as usize] = b;
    }
}
