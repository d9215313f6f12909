//! Who survives in a difference of two loopy games.
//!
//! `a ≥ b` for stoppers if Left, moving second in `a − b`, always has a move when it is her turn, be it for ever. This
//! is worked out backward from the positions in which she has none, for all pairs of positions at once.

use crate::error::{Error, Result};
use crate::loopy::graph::Graph;
use crate::loopy::watch::{Held, hold, spend};
use crate::side::Side;

/// For each pair of positions of `a` and `b`, whether the one of `a` is at least the one of `b`.
pub struct Above {
    width: usize,
    lost: Vec<bool>,
    _held: Held,
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

/// What leads to each node of a play, and how many moves there are at each.
struct Backward {
    /// The nodes before `node` are `before[starts[node]..starts[node + 1]]`.
    starts: Vec<u32>,
    before: Vec<u32>,
    moves: Vec<u32>,
}

impl Backward {
    /// Takes the memory for a play of so many nodes and moves: these lists, and what is open while a set grows.
    fn held(nodes: usize, moves: u64) -> Result<Held> {
        // Starts, moves, and what is open or filled: four bytes each. Work to do, eight. Two marks.
        hold(nodes as u64 * 22 + moves * 4)
    }

    fn new<I: Iterator<Item = usize>>(count: usize, edges: impl Fn(usize) -> I) -> Backward {
        let mut starts = vec![0u32; count + 1];
        let mut moves = vec![0u32; count];
        for (node, moves) in moves.iter_mut().enumerate() {
            for next in edges(node) {
                starts[next + 1] += 1;
                *moves += 1;
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
        Backward { starts, before, moves }
    }

    /// Adds to a set, again and again, the nodes from which a player forces play into it: one move is enough for that player,
    /// all moves of the other must lead there.
    fn attract(&self, set: &mut [bool], forces: impl Fn(usize) -> bool) {
        let mut open = self.moves.clone();
        let mut work: Vec<usize> = (0..set.len()).filter(|&node| set[node]).collect();
        while let Some(node) = work.pop() {
            for &previous in &self.before[self.starts[node] as usize..self.starts[node + 1] as usize] {
                let previous = previous as usize;
                open[previous] -= 1;
                if !set[previous] && (forces(previous) || open[previous] == 0) {
                    set[previous] = true;
                    work.push(previous);
                }
            }
        }
    }
}

/// Compares all positions of `a` with all positions of `b`.
pub fn above(a: &Graph, b: &Graph) -> Result<Above> {
    let (height, width) = (a.len(), b.len());
    let count = height * width * 2;
    let work = work(a, b, 2)?;
    spend(2 * work)?;
    let mut held = Backward::held(count, work - count as u64)?;
    let backward = Backward::new(count, |node| {
        let (pair, side) = (node / 2, Side::BOTH[node % 2]);
        let next = moves(a, b, (pair / width, pair % width), side);
        next.map(move |(i, j, _)| (i * width + j) * 2 + side.opponent() as usize)
    });
    let of = |side: Side| move |node: usize| node % 2 == side as usize;
    let mut lost: Vec<bool> = (0..count).map(|node| of(Side::Left)(node) && backward.moves[node] == 0).collect();
    backward.attract(&mut lost, of(Side::Right));
    drop(backward);
    held.shrink_to(count as u64);
    Ok(Above { width, lost, _held: held })
}

/// Whether two games are equal: each is at least the other.
pub fn equal(a: &Graph, b: &Graph) -> Result<bool> {
    Ok(above(a, b)?.is(0, 0) && above(b, a)?.is(0, 0))
}

/// For each pair of positions of `a` and `b`, whether the one of `a` is steadily above the one of `b`.
pub struct Steady {
    width: usize,
    kept: Vec<bool>,
    _held: Held,
}

impl Steady {
    /// Whether position `i` of the first graph is steadily above position `j` of the second.
    pub fn is(&self, i: usize, j: usize) -> bool {
        self.kept[((i * self.width + j) * 2 + Side::Right as usize) * 2 + 1]
    }
}

/// Whether Left, moving second, survives in `a − b` and makes play end or come back to `a` again and again: it must not
/// go on for ever within `b`, where it would be no play at all in the game that `a` stands for.
pub fn above_steadily(a: &Graph, b: &Graph) -> Result<Steady> {
    let (height, width) = (a.len(), b.len());
    let count = height * width * 4;
    let work = work(a, b, 4)?;
    spend(work)?;
    let mut held = Backward::held(count, work - count as u64)?;
    // A node is a pair, the player to move, and whether the last move was in `a`.
    let node = |i: usize, j: usize, side: Side, fresh: bool| ((i * width + j) * 2 + side as usize) * 2 + fresh as usize;
    let edges = |index: usize| {
        let (pair, side) = (index / 4, Side::BOTH[index / 2 % 2]);
        let next = moves(a, b, (pair / width, pair % width), side);
        next.map(move |(i, j, fresh)| node(i, j, side.opponent(), fresh))
    };
    let lefts = |index: usize| index / 2 % 2 == Side::Left as usize;
    let backward = Backward::new(count, edges);
    // Where Left can make play come back to `a` once, once more, and so on, until that changes nothing.
    let mut kept = vec![true; count];
    loop {
        spend(2 * work)?;
        let stays = |index: usize| match lefts(index) {
            true => edges(index).any(|next| kept[next]),
            false => edges(index).all(|next| kept[next]),
        };
        let over = |index: usize| !lefts(index) && backward.moves[index] == 0;
        let mut comes: Vec<bool> = (0..count).map(|index| over(index) || (index % 2 == 1 && stays(index))).collect();
        backward.attract(&mut comes, lefts);
        if comes == kept {
            drop(backward);
            held.shrink_to(count as u64);
            return Ok(Steady { width, kept, _held: held });
        }
        kept = comes;
    }
}

/// How many nodes and moves a play of `a` and `b` has that tells so many nodes of a pair apart; an error where that is too many.
fn work(a: &Graph, b: &Graph, of_pair: u64) -> Result<u64> {
    const MOST_NODES: u64 = 1 << 22;
    const MOST_MOVES: u64 = 1 << 25;
    let (height, width) = (a.len() as u64, b.len() as u64);
    let nodes = height.saturating_mul(width).saturating_mul(of_pair);
    // Each pair has the moves of both of its positions, half of them for each player.
    let moves = (width.saturating_mul(a.moves()).saturating_add(height.saturating_mul(b.moves()))) * (of_pair / 2);
    if nodes > MOST_NODES || moves > MOST_MOVES {
        return Err(Error::Beyond("these loopy games have too many pairs of positions to compare".into()));
    }
    Ok(nodes + moves)
}
