//! Won, drawn or lost, with the number of moves to the end; and Grundy numbers beside it where wanted.
//!
//! A position takes one `u32`, packed as in `outcome_cell`. Backward induction fills the table through [`Valuation`],
//! [`crate::retrograde`] hands it over whole, so that a reader need not know which of the two ran.

use game::{Nimber, Outcome, Remoteness, Verdict};

use crate::error::Error;
use crate::graph::{Edge, Ending, Expansion, Id};
use crate::memory::Memory;
use crate::outcome_cell::Ordered;
use crate::segmented::Segmented;
use crate::valuation::mex::Mex;
use crate::valuation::settle::{Valuation, dead_end, wrong_end};

type Cell = Ordered<32>;

/// The outcomes of all positions, seen by the player to move in each.
#[derive(Debug)]
pub struct Outcomes {
    cells: Segmented<u32>,
    nimbers: Option<(Segmented<u32>, Mex)>,
}

impl Outcomes {
    /// An empty table of outcomes.
    pub fn new(memory: &Memory) -> Outcomes {
        Outcomes::of_cells(Segmented::new(memory))
    }

    /// An empty table of outcomes and Grundy numbers. These mean what they should in games in which the turn always
    /// passes and every end is lost by the player to move; ends count as 0.
    pub fn with_nimbers(memory: &Memory) -> Outcomes {
        Outcomes { cells: Segmented::new(memory), nimbers: Some((Segmented::new(memory), Mex::default())) }
    }

    /// A table that was filled in another way than by [`Valuation`].
    pub(crate) fn of_cells(cells: Segmented<u32>) -> Outcomes {
        Outcomes { cells, nimbers: None }
    }

    /// How many positions the table covers.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether it covers none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The outcome and remoteness of a position, if it was settled.
    #[inline]
    pub fn get(&self, position: Id) -> Option<(Outcome, Remoteness)> {
        Cell::unpack(self.cell(position))
    }

    /// What a position is worth, if it was settled.
    pub fn verdict(&self, position: Id) -> Option<Verdict> {
        let (outcome, remoteness) = self.get(position)?;
        Some(Verdict::Outcome { outcome, remoteness, nimber: self.nimber(position) })
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

    /// The cell of a position; 0 beyond the end.
    #[inline]
    fn cell(&self, position: Id) -> u64 {
        if position as usize >= self.cells.len() {
            return 0;
        }
        self.cells.get(position as usize).into()
    }

    /// The cell of a position with these options: the best of them in the mover's eyes, one move later.
    fn best(&self, position: Id, edges: &[Edge]) -> Result<u64, Error> {
        let mut best = 0;
        for edge in edges {
            let option = self.cell(edge.to);
            if !Cell::is_settled(option) {
                return Err(not_settled(position, edge.to));
            }
            best = best.max(Cell::turned(option, edge.same));
        }
        if best == 0 {
            return Err(dead_end(position));
        }
        Cell::later(best).ok_or_else(|| Error::too_many(self.cells.len() as u64))
    }
}

#[cold]
fn not_settled(position: Id, option: Id) -> Error {
    Error::internal(format!("position {position} was valued before its option {option}"))
}

impl Valuation for Outcomes {
    fn settle(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error> {
        let cell = match expansion.end {
            Some(Ending::Outcome(outcome)) => Cell::pack(outcome, Some(0)),
            Some(_) => return Err(wrong_end(position, "won, lost or drawn")),
            None => self.best(position, &expansion.edges)?,
        };
        self.cells.put(position as usize, cell as u32, 0)?;
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
        self.cells.bytes() + self.nimbers.as_ref().map_or(0, |(nimbers, _)| nimbers.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remoteness_that_does_not_fit_is_an_error_and_endless_play_stays_endless() {
        let memory = Memory::unlimited();
        let most = Cell::NEVER as u32;
        for outcome in [Outcome::Loss, Outcome::Draw, Outcome::Win] {
            for (held, expected) in [(None, Some(None)), (Some(most - 2), Some(Some(most - 1))), (Some(most - 1), None)]
            {
                let mut cells = Segmented::new(&memory);
                cells.push(Cell::pack(outcome, held) as u32).unwrap();
                let mut outcomes = Outcomes::of_cells(cells);
                let settled = outcomes.settle(1, &Expansion { edges: vec![Edge::to(0)], ..Expansion::default() });
                assert_eq!(settled.is_ok(), expected.is_some());
                assert_eq!(outcomes.get(1), expected.map(|moves| (-outcome, moves)));
            }
        }
    }

    #[test]
    fn a_verdict_holds_the_nimber_where_there_is_one() {
        let memory = Memory::unlimited();
        let end = Expansion { end: Some(Ending::Outcome(Outcome::Loss)), ..Expansion::default() };
        for mut outcomes in [Outcomes::new(&memory), Outcomes::with_nimbers(&memory)] {
            outcomes.settle(0, &end).unwrap();
            outcomes.settle(1, &Expansion { edges: vec![Edge::to(0)], ..Expansion::default() }).unwrap();
            let nimber = outcomes.nimbers.as_ref().map(|_| 1);
            let expected = Verdict::Outcome { outcome: Outcome::Win, remoteness: Some(1), nimber };
            assert_eq!((outcomes.verdict(1), outcomes.verdict(2)), (Some(expected), None));
        }
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
