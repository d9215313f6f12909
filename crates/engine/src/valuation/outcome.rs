//! Won, drawn or lost, with the number of moves to the end; and Grundy numbers beside it where wanted.
//!
//! One `u32` a position:
//!
//! ```text
//!  31    30 29                                            0
//! ┌────────┬───────────────────────────────────────────────┐
//! │outcome │ remoteness; all ones: play need never end     │   1 loss, 2 draw, 3 win
//! │   0    │ not settled: a counter of retrograde analysis │
//! └────────┴───────────────────────────────────────────────┘
//! ```
//!
//! Backward induction fills it through [`Valuation`], [`crate::retrograde`] directly, so that a reader need not know which
//! of the two ran. Two arrays, one of outcomes and one of remoteness, would be clearer and cost a cache miss more.

use game::{Nimber, Outcome, Player, Remoteness};

use crate::error::{Error, Limit};
use crate::graph::{Edge, Ending, Expansion, Id};
use crate::memory::Memory;
use crate::segmented::Segmented;
use crate::valuation::mex::Mex;
use crate::valuation::{Valuation, dead_end, wrong_end};

const SHIFT: u32 = 30;
const NEVER: u32 = (1 << SHIFT) - 1;

/// The outcomes of all positions, seen by the player to move in each.
#[derive(Debug)]
pub struct Outcomes {
    packed: Segmented<u32>,
    nimbers: Option<(Segmented<u32>, Mex)>,
}

impl Outcomes {
    /// An empty table of outcomes.
    pub fn new(memory: &Memory) -> Outcomes {
        Outcomes { packed: Segmented::new(memory), nimbers: None }
    }

    /// An empty table of outcomes and Grundy numbers. These mean what they should in games in which the turn always
    /// passes and every end is lost by the player to move; ends count as 0.
    pub fn with_nimbers(memory: &Memory) -> Outcomes {
        Outcomes { packed: Segmented::new(memory), nimbers: Some((Segmented::new(memory), Mex::default())) }
    }

    /// How many positions the table covers.
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    /// Whether it covers none.
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// The outcome and remoteness of a position, if it was settled.
    #[inline]
    pub fn get(&self, position: Id) -> Option<(Outcome, Remoteness)> {
        if position as usize >= self.packed.len() {
            return None;
        }
        unpack(self.packed.get(position as usize))
    }

    /// What an option is worth to the player who moves there, and the moves to the end after it.
    #[inline]
    pub fn of_option(&self, edge: &Edge) -> Option<(Outcome, Remoteness)> {
        let (outcome, remoteness) = self.get(edge.to)?;
        Some((if edge.same { outcome } else { -outcome }, remoteness))
    }

    /// The Grundy number of a position, where they are kept.
    pub fn nimber(&self, position: Id) -> Option<Nimber> {
        let (nimbers, _) = self.nimbers.as_ref()?;
        ((position as usize) < nimbers.len()).then(|| nimbers.get(position as usize).into())
    }

    /// Stores what a position is worth. For those who settle positions in another way than by [`Valuation`].
    pub(crate) fn set(&mut self, position: Id, outcome: Outcome, remoteness: Remoteness) -> Result<(), Error> {
        self.packed.put(position as usize, pack(outcome, remoteness)?, 0)
    }

    /// Stores a counter for a position that is not settled.
    pub(crate) fn set_counter(&mut self, position: Id, counter: u32) -> Result<(), Error> {
        if counter > NEVER {
            return Err(Error::Limit { limit: Limit::Positions, positions: self.packed.len() as u64 });
        }
        self.packed.put(position as usize, counter, 0)
    }

    /// The counter of a position that is not settled.
    #[inline]
    pub(crate) fn counter(&self, position: Id) -> Option<u32> {
        let packed = self.packed.get(position as usize);
        (packed >> SHIFT == 0).then_some(packed)
    }

    /// The best option in the mover's eyes: the outcome first, then the remoteness that suits it.
    fn best(&self, position: Id, edges: &[Edge]) -> Result<(Outcome, Remoteness), Error> {
        let mut best: Option<(Outcome, Remoteness)> = None;
        for edge in edges {
            let (outcome, remoteness) = self.of_option(edge).ok_or_else(|| not_settled(position, edge.to))?;
            best = Some(match best {
                Some(held) if !is_better((outcome, remoteness), held) => held,
                _ => (outcome, remoteness),
            });
        }
        let (outcome, remoteness) = best.ok_or_else(|| dead_end(position))?;
        Ok((outcome, remoteness.map(|moves| moves + 1)))
    }
}

/// Whether an option is better for its mover than another: winners hurry, losers linger, and a draw is taken by the
/// shortest way.
pub fn is_better(option: (Outcome, Remoteness), than: (Outcome, Remoteness)) -> bool {
    let moves = |remoteness: Remoteness| remoteness.map_or(u64::MAX, u64::from);
    if option.0 != than.0 {
        return option.0 > than.0;
    }
    match option.0 {
        Outcome::Loss => moves(option.1) > moves(than.1),
        Outcome::Draw | Outcome::Win => moves(option.1) < moves(than.1),
    }
}

fn pack(outcome: Outcome, remoteness: Remoteness) -> Result<u32, Error> {
    let code = match outcome {
        Outcome::Loss => 1,
        Outcome::Draw => 2,
        Outcome::Win => 3,
    };
    match remoteness {
        None => Ok(code << SHIFT | NEVER),
        Some(moves) if moves < NEVER => Ok(code << SHIFT | moves),
        Some(moves) => Err(Error::Limit { limit: Limit::Positions, positions: u64::from(moves) }),
    }
}

fn unpack(packed: u32) -> Option<(Outcome, Remoteness)> {
    let outcome = match packed >> SHIFT {
        0 => return None,
        1 => Outcome::Loss,
        2 => Outcome::Draw,
        _ => Outcome::Win,
    };
    let moves = packed & NEVER;
    Some((outcome, (moves != NEVER).then_some(moves)))
}

fn not_settled(position: Id, option: Id) -> Error {
    Error::Internal(format!("position {position} was valued before its option {option}"))
}

impl Valuation for Outcomes {
    fn settle(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error> {
        let (outcome, remoteness) = match expansion.end {
            Some(Ending::Outcome(outcome)) => (outcome, Some(0)),
            Some(_) => return Err(wrong_end(position, "won, lost or drawn")),
            None => self.best(position, &expansion.edges)?,
        };
        self.set(position, outcome, remoteness)?;
        if let Some((nimbers, mex)) = &mut self.nimbers {
            mex.start(expansion.edges.len());
            for edge in &expansion.edges {
                mex.mark(nimbers.get(edge.to as usize).into());
            }
            nimbers.put(position as usize, mex.finish() as u32, 0)?;
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.packed.bytes() + self.nimbers.as_ref().map_or(0, |(nimbers, _)| nimbers.bytes())
    }
}

/// What an outcome for the mover is for this player of two.
pub fn outcome_for(player: Player, mover: Player, outcome: Outcome) -> Outcome {
    if player == mover { outcome } else { -outcome }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_is_lossless_and_refuses_what_does_not_fit() {
        for outcome in [Outcome::Loss, Outcome::Draw, Outcome::Win] {
            for remoteness in [None, Some(0), Some(1), Some(NEVER - 1)] {
                assert_eq!(unpack(pack(outcome, remoteness).unwrap()), Some((outcome, remoteness)));
            }
            assert!(pack(outcome, Some(NEVER)).is_err());
        }
        assert_eq!(unpack(0), None);
        assert_eq!(unpack(NEVER), None);
    }

    #[test]
    fn winners_hurry_and_losers_linger() {
        let memory = Memory::unlimited();
        let mut outcomes = Outcomes::new(&memory);
        let ends = [Outcome::Loss, Outcome::Draw, Outcome::Win];
        for (id, end) in ends.into_iter().enumerate() {
            let end = Some(Ending::Outcome(end));
            outcomes.settle(id as Id, &Expansion { end, ..Expansion::default() }).unwrap();
        }
        let mut settle = |id: Id, edges: &[Edge]| {
            outcomes.settle(id, &Expansion { edges: edges.to_vec(), ..Expansion::default() }).unwrap();
            outcomes.get(id).unwrap()
        };
        let same = |to| Edge { same: true, ..Edge::to(to) };
        assert_eq!(settle(3, &[Edge::to(0)]), (Outcome::Win, Some(1)));
        assert_eq!(settle(4, &[Edge::to(2), Edge::to(3)]), (Outcome::Loss, Some(2)));
        assert_eq!(settle(5, &[Edge::to(4), Edge::to(0)]), (Outcome::Win, Some(1)));
        assert_eq!(settle(6, &[Edge::to(2), Edge::to(1)]), (Outcome::Draw, Some(1)));
        assert_eq!(settle(7, &[Edge::to(6), Edge::to(1), Edge::to(5)]), (Outcome::Draw, Some(1)));
        assert_eq!(settle(8, &[same(5), Edge::to(2)]), (Outcome::Win, Some(2)));
        assert_eq!(settle(9, &[same(4), same(0)]), (Outcome::Loss, Some(3)));
    }

    #[test]
    fn ends_of_another_kind_and_dead_ends_are_errors() {
        let mut outcomes = Outcomes::new(&Memory::unlimited());
        let end = Some(Ending::Score(3));
        assert!(outcomes.settle(0, &Expansion { end, ..Expansion::default() }).is_err());
        assert!(outcomes.settle(0, &Expansion::default()).is_err());
        assert_eq!(outcomes.get(0), None);
    }
}
