//! Who survives in a difference of two loopy games.
//!
//! `a ≥ b` for stoppers if Left, moving second in `a − b`, always has a move when it is her turn, be it for ever. This
//! is worked out backward from the positions in which she has none, for all pairs of positions at once.

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

/// Left's moves (or Right's) from a pair: in the first graph as they are, in the second, which is negated, those of the
/// other. The flag says that the move is in the first graph.
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
    let count = height * width * 2;
    let edges = |node: usize| {
        let (pair, side) = (node / 2, Side::BOTH[node % 2]);
        let next = moves(a, b, (pair / width, pair % width), side);
        next.map(move |(i, j, _)| (i * width + j) * 2 + side.opponent() as usize)
    };
    // The nodes before each node, one after another: those of `node` are before[starts[node]..starts[node + 1]].
    let mut starts = vec![0u32; count + 1];
    let mut open = vec![0u32; count];
    for (node, open) in open.iter_mut().enumerate() {
        for next in edges(node) {
            starts[next + 1] += 1;
            *open += 1;
        }
    }
    for node in 0..count {
        starts[node + 1] += starts[node];
    }
    let mut before = vec![0u32; starts[count] as usize];
    let mut filled = starts.clone();
    for node in 0..count {
        for next in edges(node) {
            before[filled[next] as usize] = node as u32;
            filled[next] += 1;
        }
    }
    let mut lost: Vec<bool> = (0..count).map(|node| node % 2 == Side::Left as usize && open[node] == 0).collect();
    let mut work: Vec<usize> = (0..count).filter(|&node| lost[node]).collect();
    while let Some(node) = work.pop() {
        for &previous in &before[starts[node] as usize..starts[node + 1] as usize] {
            let previous = previous as usize;
            open[previous] -= 1;
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

/// Whether Left, moving second, survives in `a − b` and makes play end or come back to `a` again and again: it must not
/// go on for ever within `b`, where it would be no play at all in the game that `a` stands for.
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
    const MOST: usize = 1 << 21;
    if nodes > MOST {
        return Err(Error::Undefined("these loopy games have too many pairs of positions to compare".into()));
    }
    Ok(())
}
