//! Who survives in a difference of two loopy games.
//!
//! `a ≥ b` for stoppers if Left, moving second in `a − b`, always has a move when it is her turn, be it for ever. This is
//! worked out backward from the positions in which she has none, for all pairs of positions at once.

use crate::error::{Error, Result};
use crate::loopy::graph::Graph;
use crate::side::Side;

/// For each pair of positions of `a` and `b`, whether the one of `a` is at least the one of `b`.
pub struct Above {
    width: usize,
    lost: Vec<bool>,
}

impl Above {
    /// Whether position `i` of the first graph is at least position `j` of the second.
    pub fn is(&self, i: usize, j: usize) -> bool {
        !self.lost[(i * self.width + j) * 2 + Side::Right as usize]
    }
}

/// Left's moves (or Right's) from a pair: in the first graph as they are, in the second, which is negated, those of the other.
/// The flag says that the move is in the first graph.
fn moves<'g>(
    a: &'g Graph,
    b: &'g Graph,
    (i, j): (usize, usize),
    side: Side,
) -> impl Iterator<Item = (usize, usize, bool)> + 'g {
    let first = a.options(i, side).iter().map(move |&next| (next as usize, j, true));
    first.chain(b.options(j, side.opponent()).iter().map(move |&next| (i, next as usize, false)))
}

/// Compares all positions of `a` with all positions of `b`.
pub fn above(a: &Graph, b: &Graph) -> Result<Above> {
    let (height, width) = (a.len(), b.len());
    check_size(height * width * 2)?;
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); height * width * 2];
    let mut open = vec![0u32; height * width * 2];
    let mut lost = vec![false; height * width * 2];
    let mut work = Vec::new();
    for pair in 0..height * width {
        for side in Side::BOTH {
            let node = pair * 2 + side as usize;
            for (i, j, _) in moves(a, b, (pair / width, pair % width), side) {
                before[(i * width + j) * 2 + side.opponent() as usize].push(node as u32);
                open[node] += 1;
            }
            if side == Side::Left && open[node] == 0 {
                lost[node] = true;
                work.push(node);
            }
        }
    }
    while let Some(node) = work.pop() {
        for &previous in &before[node] {
            let previous = previous as usize;
            open[previous] = open[previous].saturating_sub(1);
            // Right needs one such option; Left is lost when all of hers are.
            if !lost[previous] && (previous % 2 == Side::Right as usize || open[previous] == 0) {
                lost[previous] = true;
                work.push(previous);
            }
        }
    }
    Ok(Above { width, lost })
}

/// Whether two games are equal: each is at least the other.
pub fn equal(a: &Graph, b: &Graph) -> Result<bool> {
    Ok(above(a, b)?.is(0, 0) && above(b, a)?.is(0, 0))
}

/// Whether Left, moving second, survives in `a − b` and makes play end or come back to `a` again and again: it must not go
/// on for ever within `b`, where it would be no play at all in the game that `a` stands for.
pub fn above_steadily(a: &Graph, b: &Graph) -> Result<bool> {
    let (height, width) = (a.len(), b.len());
    let count = height * width * 4;
    check_size(count)?;
    // A node is a pair, the player to move, and whether the last move was in `a`.
    let node = |i: usize, j: usize, side: Side, fresh: bool| ((i * width + j) * 2 + side as usize) * 2 + fresh as usize;
    let mut after: Vec<Vec<u32>> = Vec::with_capacity(count);
    for index in 0..count {
        let (pair, side) = (index / 4, Side::BOTH[index / 2 % 2]);
        let next = moves(a, b, (pair / width, pair % width), side);
        after.push(next.map(|(i, j, fresh)| node(i, j, side.opponent(), fresh) as u32).collect());
    }
    // The nodes from which Left can make the next one lie in a set.
    let forced = |index: usize, set: &[bool]| {
        let mut next = after[index].iter().map(|&next| set[next as usize]);
        if index / 2 % 2 == Side::Left as usize { next.any(|inside| inside) } else { next.all(|inside| inside) }
    };
    let mut outer = vec![true; count];
    loop {
        let mut inner = vec![false; count];
        let mut grown = true;
        while grown {
            grown = false;
            for index in 0..count {
                let stays = index % 2 == 1 && forced(index, &outer);
                if !inner[index] && (stays || forced(index, &inner)) {
                    inner[index] = true;
                    grown = true;
                }
            }
        }
        if inner == outer {
            return Ok(outer[node(0, 0, Side::Right, true)]);
        }
        outer = inner;
    }
}

fn check_size(nodes: usize) -> Result<()> {
    const MOST: usize = 1 << 23;
    if nodes > MOST {
        return Err(Error::Undefined("these loopy games have too many pairs of positions to compare".into()));
    }
    Ok(())
}
