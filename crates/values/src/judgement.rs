//! What becomes of each option on the way to the canonical form: kept, dominated, or reversible.

use crate::arena::{Arena, Value};
use crate::error::Result;
use crate::side::Side;

/// What an option is worth to its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is an option of the canonical form.
    Kept,
    /// Another option, at this index, is better.
    Dominated(usize),
    /// An option before it, at this index, has the same value, and no other is better. That one is judged for both.
    Equal(usize),
    /// The opponent can answer it with a move to this value, after which the player is no better off than before.
    Reversible(Value),
}

impl Arena {
    /// Judges the options of one player in a game of this value. Of equal options the first is judged, the others are
    /// equal to it.
    pub fn judge(&mut self, value: Value, options: &[Value], side: Side) -> Result<Vec<Judgement>> {
        let mut judgements = Vec::with_capacity(options.len());
        for (at, &option) in options.iter().enumerate() {
            judgements.push(match self.better(options, at, side)? {
                Some(other) if options[other] == option => Judgement::Equal(other),
                Some(other) => Judgement::Dominated(other),
                None => match self.answer_to(value, option, side)? {
                    Some(answer) => Judgement::Reversible(answer),
                    None => Judgement::Kept,
                },
            });
        }
        Ok(judgements)
    }

    /// An option that no other one beats, and that is at least as good as the one at `at`, if there is one.
    fn better(&mut self, options: &[Value], at: usize, side: Side) -> Result<Option<usize>> {
        let mut best = at;
        for other in 0..options.len() {
            let (rival, mine) = (options[other], options[best]);
            let beats = match side {
                Side::Left => self.at_most(mine, rival)?,
                Side::Right => self.at_most(rival, mine)?,
            };
            if beats && (rival != mine || other < best) {
                best = other;
            }
        }
        Ok((best != at).then_some(best))
    }

    fn answer_to(&mut self, value: Value, option: Value, side: Side) -> Result<Option<Value>> {
        for answer in self.options(option, side.opponent())? {
            let reverses = match side {
                Side::Left => self.at_most(answer, value)?,
                Side::Right => self.at_most(value, answer)?,
            };
            if reverses {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }
}
