//! Scores: what the mover gains from here on, minus what the other of two players gains.

use game::{Player, Verdict};

use crate::error::Error;
use crate::graph::{Edge, Ending, Expansion, Id};
use crate::memory::Memory;
use crate::segmented::Segmented;
use crate::valuation::settle::{Valuation, dead_end, wrong_end};

/// The scores of all positions, seen by the player to move in each.
#[derive(Debug)]
pub struct Scores {
    values: Segmented<i64>,
}

impl Scores {
    /// An empty table of scores.
    pub fn new(memory: &Memory) -> Scores {
        Scores { values: Segmented::new(memory) }
    }

    /// The score of a position that was settled; `None` beyond the last that was.
    #[inline]
    pub fn get(&self, position: Id) -> Option<i64> {
        ((position as usize) < self.values.len()).then(|| self.values.get(position as usize))
    }

    /// What a position is worth, if it was settled.
    pub fn verdict(&self, position: Id) -> Option<Verdict> {
        self.get(position).map(Verdict::Score)
    }

    /// What a move is worth to the player who makes it: its gain and what follows.
    #[inline]
    pub fn of_option(&self, edge: &Edge) -> Result<i64, Error> {
        let value = self.get(edge.to).ok_or_else(|| Error::Internal("an option without a score".into()))?;
        let sum = if edge.same { edge.gain.checked_add(value) } else { edge.gain.checked_sub(value) };
        sum.ok_or(Error::Overflow)
    }
}

/// The difference of two players' gains, seen by one of them.
pub fn difference(gains: &[i64], mover: Player) -> Result<i64, Error> {
    debug_assert_eq!(gains.len(), 2);
    gains[mover.index()].checked_sub(gains[mover.other().index()]).ok_or(Error::Overflow)
}

impl Valuation for Scores {
    fn settle(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error> {
        let value = match expansion.end {
            Some(Ending::Score(score)) => score,
            Some(Ending::Payoffs) if expansion.gains.len() == 2 => difference(&expansion.gains, expansion.mover)?,
            Some(_) => return Err(wrong_end(position, "a score")),
            None => {
                let mut best = None;
                for edge in &expansion.edges {
                    best = best.max(Some(self.of_option(edge)?));
                }
                best.ok_or_else(|| dead_end(position))?
            }
        };
        self.values.put(position as usize, value, 0)
    }

    fn bytes(&self) -> u64 {
        self.values.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settle(scores: &mut Scores, id: Id, edges: &[Edge]) -> Result<i64, Error> {
        scores.settle(id, &Expansion { edges: edges.to_vec(), ..Expansion::default() })?;
        Ok(scores.get(id).unwrap())
    }

    #[test]
    fn the_best_sum_of_gain_and_what_follows() {
        let mut scores = Scores::new(&Memory::unlimited());
        let end = |score| Expansion { end: Some(Ending::Score(score)), ..Expansion::default() };
        scores.settle(0, &end(3)).unwrap();
        let edge = |to, gain, same| Edge { to, gain, same, joined: false };
        assert_eq!(settle(&mut scores, 1, &[edge(0, 1, false), edge(0, 1, true)]), Ok(4));
        assert_eq!(settle(&mut scores, 2, &[edge(0, 1, false), edge(1, 3, false)]), Ok(-1));
        assert_eq!(settle(&mut scores, 3, &[edge(0, i64::MAX, true)]), Err(Error::Overflow));
        assert_eq!(settle(&mut scores, 3, &[edge(0, i64::MIN, false)]), Err(Error::Overflow));
        assert_eq!(settle(&mut scores, 3, &[edge(0, i64::MIN, true)]), Ok(i64::MIN + 3));
        assert!(settle(&mut scores, 4, &[]).is_err());
    }

    #[test]
    fn an_end_with_payoffs_is_their_difference() {
        let mut scores = Scores::new(&Memory::unlimited());
        let mut end = Expansion { end: Some(Ending::Payoffs), gains: vec![5, 8], ..Expansion::default() };
        scores.settle(0, &end).unwrap();
        end.mover = Player::SECOND;
        scores.settle(1, &end).unwrap();
        assert_eq!((scores.get(0), scores.get(1), scores.get(2)), (Some(-3), Some(3), None));
        assert_eq!((scores.verdict(1), scores.verdict(2)), (Some(Verdict::Score(3)), None));
        end.gains = vec![i64::MIN, 1];
        assert_eq!(scores.settle(2, &end), Err(Error::Overflow));
        end.end = Some(Ending::Outcome(game::Outcome::Win));
        assert!(scores.settle(2, &end).is_err());
    }
}
