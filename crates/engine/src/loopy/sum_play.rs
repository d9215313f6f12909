//! The move that best play makes in a sum whose components have nimbers, loopy ones or not.

use std::cmp::Ordering;

use game::{LoopyNimber, Outcome};

use super::Rests;

/// A move in one component of a sum: a part, or a whole summand.
pub struct ComponentMove<M> {
    /// The move.
    pub play: M,
    /// The value of what it leaves of the component.
    pub value: LoopyNimber,
    /// The ranks of the parts that it leaves, highest first. None where nothing can repeat.
    pub ranks: Vec<u32>,
    /// The rank of the part that it is played in. None where nothing can repeat.
    pub rank: Option<u32>,
}

/// Chooses a best move of a sum, of which the moves of each component are given: the number of the component, and of the
/// move there. There is none where nobody can move.
///
/// Who loses takes the first move, who draws the first that keeps the draw. Who wins moves to value 0. Where parts can
/// repeat, that need not bring the win nearer: two players could go round for ever between positions that one of them wins.
/// So a winning move in what cannot repeat comes first. There are finitely many of these. Else the winner moves to the 0
/// whose parts have the lowest ranks, compared as multisets, the highest rank first. Whatever the loser does, some answer
/// lowers them; the one that lowers them most is taken. Such a descent ends, and so does the game.
pub fn choose<'r, M: 'r>(
    components: impl Iterator<Item = &'r [ComponentMove<M>]> + Clone,
    rests: &Rests,
) -> Option<(usize, usize)> {
    let first = |is: &dyn Fn(usize, &ComponentMove<M>) -> bool| {
        components.clone().enumerate().find_map(|(component, moves)| {
            let index = moves.iter().position(|reply| is(component, reply))?;
            Some((component, index))
        })
    };
    match rests.whole().outcome() {
        Outcome::Loss => first(&|_, _| true),
        Outcome::Draw => {
            first(&|component, reply| (&reply.value + &rests.beside(component)).outcome() == Outcome::Draw)
        }
        Outcome::Win => win(components, rests),
    }
}

/// The first move to 0 in what cannot repeat, else the one that leaves the lowest ranks.
fn win<'r, M: 'r>(components: impl Iterator<Item = &'r [ComponentMove<M>]>, rests: &Rests) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize, &ComponentMove<M>)> = None;
    for (component, moves) in components.enumerate() {
        let LoopyNimber::Finite(beside) = rests.beside(component) else { continue };
        let to_zero = |(_, reply): &(usize, &ComponentMove<M>)| reply.value == LoopyNimber::Finite(beside);
        for (index, reply) in moves.iter().enumerate().filter(to_zero) {
            if reply.rank.is_none() {
                return Some((component, index));
            }
            let lower = best.is_none_or(|(.., best)| {
                compare_ranks((&reply.ranks, reply.rank), (&best.ranks, best.rank)) == Ordering::Less
            });
            if lower {
                best = Some((component, index, reply));
            }
        }
    }
    best.map(|(component, index, _)| (component, index))
}

/// Compares two moves from one sum by what they leave: the ranks that come in and the one that goes.
///
/// The multisets of all ranks after the moves are ordered as they are when both get the two ranks that go, and the rest
/// of the sum is taken from both.
fn compare_ranks((ours, our_old): (&[u32], Option<u32>), (theirs, their_old): (&[u32], Option<u32>)) -> Ordering {
    let with = |ranks: &[u32], old: Option<u32>| {
        let mut all = ranks.to_vec();
        if let Some(old) = old {
            all.insert(ranks.partition_point(|&rank| rank > old), old);
        }
        all
    };
    with(ours, their_old).cmp(&with(theirs, our_old))
}
