//! Grundy numbers of the parts of a sum, in a game won by the last mover.
//!
//! A position is one part. A move may replace it by several, so an option is a run of edges, one a part, of which all but
//! the first are `joined`; its nimber is the XOR of theirs. A move that leaves nothing leads to a part without moves,
//! which the graph must have a number for. [`Outcomes`](crate::valuation::Outcomes) keep Grundy numbers of whole positions.

use game::{Nimber, Verdict};

use crate::error::Error;
use crate::graph::{Edge, Ending, Expansion, Id};
use crate::memory::Memory;
use crate::segmented::Segmented;
use crate::valuation::mex::Mex;
use crate::valuation::settle::{Valuation, wrong_end};

/// The Grundy numbers of all parts.
#[derive(Debug)]
pub struct Nimbers {
    /// A part has fewer than 2^32 options, so its nimber fits.
    values: Segmented<u32>,
    mex: Mex,
}

impl Nimbers {
    /// An empty table.
    pub fn new(memory: &Memory) -> Nimbers {
        Nimbers { values: Segmented::new(memory), mex: Mex::default() }
    }

    /// The Grundy number of a part that was settled; `None` beyond the last that was.
    #[inline]
    pub fn get(&self, position: Id) -> Option<Nimber> {
        ((position as usize) < self.values.len()).then(|| self.values.get(position as usize).into())
    }

    /// What a part is worth, if it was settled.
    pub fn verdict(&self, position: Id) -> Option<Verdict> {
        self.get(position).map(Verdict::Nimber)
    }

    /// The Grundy numbers of the options that these edges make up, in order.
    pub fn of_options<'a>(&'a self, edges: &'a [Edge]) -> impl Iterator<Item = Nimber> + 'a {
        edges
            .chunk_by(|_, next| next.joined)
            .map(|parts| parts.iter().fold(0, |sum, part| sum ^ Nimber::from(self.values.get(part.to as usize))))
    }
}

impl Valuation for Nimbers {
    fn settle(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error> {
        if !matches!(expansion.end, None | Some(Ending::Outcome(game::Outcome::Loss))) {
            return Err(wrong_end(position, "lost"));
        }
        let mut mex = std::mem::take(&mut self.mex);
        mex.start(expansion.edges.len());
        self.of_options(&expansion.edges).for_each(|nimber| mex.mark(nimber));
        self.values.put(position as usize, mex.finish() as u32, 0)?;
        self.mex = mex;
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.values.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kayles: a heap of n, of which one or two neighbours are taken.
    #[test]
    fn kayles() {
        let mut nimbers = Nimbers::new(&Memory::unlimited());
        for n in 0..16u32 {
            let mut expansion = Expansion::default();
            for taken in (1..=2).filter(|&taken| taken <= n) {
                for left in 0..=n - taken {
                    expansion.edges.push(Edge::to(left));
                    expansion.edges.push(Edge { joined: true, ..Edge::to(n - taken - left) });
                }
            }
            nimbers.settle(n, &expansion).unwrap();
        }
        let values: Vec<Nimber> = (0..16).map(|n| nimbers.get(n).unwrap()).collect();
        assert_eq!(values, [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7]);
        assert_eq!((nimbers.verdict(15), nimbers.verdict(16)), (Some(Verdict::Nimber(7)), None));
    }
}
