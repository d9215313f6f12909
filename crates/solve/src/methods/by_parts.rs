//! Answers for sums whose parts have values: the value of the whole is the sum of theirs.

use engine::loopy::Rests;
use game::{LoopyNimber, Player, Verdict};
use rules::bind::{Bound, Position};

use crate::answers::{Answers, PartValue, Positions, Rater, Walker};
use crate::error::SolveError;
use crate::proof::Proof;
use crate::sum_walker::SumWalker;

/// Values of parts.
pub(super) trait PartValues {
    /// The value of a part; `None` if it was not met.
    fn value(&self, part: &[i64]) -> Option<PartValue>;
    /// How many parts were met.
    fn parts(&self) -> u64;
    /// All parts with a value.
    fn each(&self) -> Box<dyn Iterator<Item = Box<[i64]>> + '_>;
    /// One of them; `None` if none was found.
    fn random(&self, random: &mut dyn FnMut() -> u64) -> Option<Box<[i64]>>;
}

/// A sum whose parts have values. A game that is no sum is a sum of one part.
pub(super) struct ByParts<V> {
    pub values: V,
    /// The theorem by which values add up.
    pub theorem: &'static str,
}

impl<V: PartValues> ByParts<V> {
    fn rests(&self, position: &Position) -> Option<Rests> {
        let values = position.parts.iter().map(|part| self.values.value(part).map(|part| part.value));
        values.collect::<Option<Vec<LoopyNimber>>>().map(Rests::new)
    }
}

impl<V: PartValues> Answers for ByParts<V> {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.rests(position).map(|rests| rests.whole().into())
    }

    fn positions(&self) -> u64 {
        self.values.parts()
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Theorem(self.theorem.to_string())
    }

    fn part(&self, part: &[i64]) -> Option<PartValue> {
        self.values.value(part)
    }

    fn by_parts(&self) -> bool {
        true
    }

    /// Only the part that a move changes is looked at.
    fn rater<'a>(&'a self, position: &'a Position) -> Result<Rater<'a>, SolveError> {
        let rests = self.rests(position).ok_or_else(|| SolveError::internal("a part has no value"))?;
        Ok(Box::new(move |play| {
            let mut value = rests.beside(play.part);
            for part in &play.into {
                value = &value + &self.values.value(part)?.value;
            }
            Some(value.into())
        }))
    }

    fn each(&self, turn: Player) -> Positions<'_> {
        Box::new(self.values.each().map(move |part| Position { parts: vec![part], turn }))
    }

    fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        self.values.random(random).map(|part| Position { parts: vec![part], turn })
    }

    fn walker<'a>(&'a self, game: &'a Bound, _: &Position) -> Result<Box<dyn Walker + 'a>, SolveError> {
        Ok(Box::new(SumWalker::new(self, game)))
    }
}
