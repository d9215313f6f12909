//! Is the sum of all players' further gains the same however play goes on?
//!
//! Where it is, one number a position says all: what one player has more, the other has less, so that playing for the
//! difference and playing for one's own total are the same game. This check goes along with another valuation, as a pair,
//! and looks at every edge; it stops at the first that breaks the rule.

use crate::error::Error;
use crate::graph::{Expansion, Id};
use crate::memory::Memory;
use crate::segmented::Segmented;
use crate::valuation::settle::Valuation;

/// The further total of each position, as long as every position has one.
#[derive(Debug)]
pub struct Total {
    players: usize,
    totals: Segmented<i64>,
    broken: Option<Broken>,
}

/// Where the total was found to vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The position.
    pub position: Id,
    /// The index of its first edge whose total differs from that of the edges before, or does not fit in 64 bits.
    pub edge: usize,
}

impl Total {
    /// A check that has seen nothing yet. The graph must fill [`Expansion::gains`] with `players` numbers an edge.
    pub fn new(players: usize, memory: &Memory) -> Total {
        Total { players, totals: Segmented::new(memory), broken: None }
    }

    /// Where the total was found to vary; `None` if it is constant as far as was marked.
    pub fn broken(&self) -> Option<Broken> {
        self.broken
    }

    /// What all players together gain from a position on, if the total is constant.
    pub fn get(&self, position: Id) -> Option<i64> {
        let known = self.broken.is_none() && (position as usize) < self.totals.len();
        known.then(|| self.totals.get(position as usize))
    }

    /// The total of a position, or the edge that breaks it.
    fn total_of(&self, expansion: &Expansion) -> Result<i64, usize> {
        let sum = |gains: &[i64]| gains.iter().try_fold(0i64, |sum, &gain| sum.checked_add(gain));
        if expansion.end.is_some() {
            return sum(&expansion.gains).ok_or(0);
        }
        let mut total = None;
        let rows = expansion.gains.chunks_exact(self.players);
        for (index, (edge, gains)) in expansion.edges.iter().zip(rows).enumerate() {
            let further = self.totals.get(edge.to as usize);
            let this = sum(gains).and_then(|gains| gains.checked_add(further)).ok_or(index)?;
            if *total.get_or_insert(this) != this {
                return Err(index);
            }
        }
        Ok(total.unwrap_or(0))
    }
}

impl Valuation for Total {
    fn settle(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error> {
        if self.broken.is_some() {
            return Ok(());
        }
        let rows = if expansion.end.is_some() { 1 } else { expansion.edges.len() };
        if expansion.gains.len() != rows * self.players {
            return Err(Error::Internal(format!("position {position} does not say what each player gains")));
        }
        match self.total_of(expansion) {
            Ok(total) => self.totals.put(position as usize, total, 0),
            Err(edge) => {
                self.broken = Some(Broken { position, edge });
                self.totals.truncate(0);
                Ok(())
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.totals.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Edge, Ending};

    fn end(gains: &[i64]) -> Expansion {
        Expansion { end: Some(Ending::Payoffs), gains: gains.to_vec(), ..Expansion::default() }
    }

    fn inner(edges: &[(Id, [i64; 2])]) -> Expansion {
        Expansion {
            edges: edges.iter().map(|&(to, _)| Edge::to(to)).collect(),
            gains: edges.iter().flat_map(|&(_, gains)| gains).collect(),
            ..Expansion::default()
        }
    }

    #[test]
    fn a_total_that_varies_is_found() {
        let mut total = Total::new(2, &Memory::unlimited());
        total.settle(0, &end(&[1, 2])).unwrap();
        total.settle(1, &end(&[4, 4])).unwrap();
        total.settle(2, &inner(&[(0, [5, 0]), (1, [0, 0]), (1, [7, -7])])).unwrap();
        assert_eq!((total.get(2), total.broken()), (Some(8), None));
        total.settle(3, &inner(&[(0, [5, 1]), (2, [1, 0]), (1, [0, 2])])).unwrap();
        assert_eq!((total.get(2), total.broken()), (None, Some(Broken { position: 3, edge: 2 })));
        total.settle(4, &inner(&[(3, [0, 0])])).unwrap();
        assert_eq!(total.broken(), Some(Broken { position: 3, edge: 2 }));
    }

    #[test]
    fn a_total_that_does_not_fit_is_not_taken_for_constant() {
        let mut total = Total::new(2, &Memory::unlimited());
        total.settle(0, &end(&[i64::MAX, 0])).unwrap();
        total.settle(1, &inner(&[(0, [0, 0]), (0, [1, 1])])).unwrap();
        assert_eq!(total.broken(), Some(Broken { position: 1, edge: 1 }));
    }

    #[test]
    fn a_graph_that_gives_no_gains_is_an_error() {
        let mut total = Total::new(2, &Memory::unlimited());
        assert!(total.settle(0, &Expansion { end: Some(Ending::Score(0)), ..Expansion::default() }).is_err());
    }
}
