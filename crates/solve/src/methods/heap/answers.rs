//! Answers for heaps: for one heap, for sums in normal play, and for sums in misère play.
//!
//! A heap of 10^18 has more moves than can be listed. The best ones are found from their values; the rules then play each of
//! them, so that none is shown that is not legal.

use game::{LoopyNimber, Nimber, Outcome, Player, Verdict};
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;
use rules::play::{self, Play};

use super::moves::{HeapMove, Wanted};
use super::values::HeapValues;
use crate::answers::{Answers, BestMoves, PartValue, Positions, Proof};
use crate::error::SolveError;

/// So many heaps are told apart, even where a period tells their values.
const FEW_HEAPS: u64 = 1000;

/// Heaps with their values.
pub(super) struct Heaps<'b> {
    pub bound: &'b Bound,
    pub values: HeapValues,
    /// The cells of some part: all but the heap are the same in every part.
    pub cells: Box<[i64]>,
    /// The least heap.
    pub low: u64,
}

impl Heaps<'_> {
    /// The heaps of a position.
    fn heaps(&self, position: &Position) -> Option<Vec<u64>> {
        position.parts.iter().map(|part| self.values.heap_of(part)).collect()
    }

    /// The heaps that were valued one by one, and a few more.
    fn range(&self) -> std::ops::Range<u64> {
        let end = self.values.positions().max(self.low.saturating_add(FEW_HEAPS));
        self.low..end.min(self.values.top().saturating_add(1))
    }

    fn position(&self, heap: u64, turn: Player) -> Option<Position> {
        let mut cells = self.cells.clone();
        self.values.heap.put(heap, &mut cells)?;
        Some(Position { parts: vec![cells], turn })
    }

    fn each(&self, turn: Player) -> Positions<'_> {
        Box::new(self.range().filter_map(move |heap| self.position(heap, turn)))
    }

    fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        let count = u128::from(self.values.top().checked_sub(self.low)?) + 1;
        self.position(self.low + ((u128::from(random()) * count) >> 64) as u64, turn)
    }

    fn count(&self, position: &Position) -> Option<u128> {
        let mut parts = position.parts.iter();
        parts.try_fold(0u128, |sum, part| sum.checked_add(self.values.count(self.values.heap_of(part)?)?))
    }

    /// The largest heap of a position.
    fn largest(&self, position: &Position) -> u64 {
        position.parts.iter().filter_map(|part| self.values.heap_of(part)).max().unwrap_or(0)
    }

    /// The best moves, heap by heap, of which `wanted` says where they lead. `None` where the moves cannot be found from
    /// values: a choice is no number.
    fn best(
        &self,
        position: &Position,
        heaps: &[u64],
        most: usize,
        wanted: impl Fn(usize, u64) -> Option<Wanted>,
    ) -> Result<Option<BestMoves>, SolveError> {
        let mut interpreter = Interpreter::new(self.bound);
        let mut found = BestMoves::default();
        for (index, &heap) in heaps.iter().enumerate() {
            let Some(wanted) = wanted(index, heap) else { return Ok(None) };
            let room = most - found.best.len();
            let Some((moves, complete)) = self.values.moves(heap, wanted, room) else { return Ok(None) };
            found.cut |= !complete;
            for mv in &moves {
                found.best.push(self.play(&mut interpreter, position, index, mv)?);
            }
            if found.cut {
                break;
            }
        }
        Ok(Some(found))
    }

    /// The move as the rules play it.
    fn play(
        &self,
        interpreter: &mut Interpreter<'_>,
        position: &Position,
        index: usize,
        mv: &HeapMove,
    ) -> Result<Play, SolveError> {
        let mut plays = Vec::new();
        let part = &position.parts[index];
        interpreter.one_move((mv.rule, &mv.choices), part, position.turn, &mut |effect| {
            plays.push(play::play_of(self.bound, effect, index));
            Ok(())
        })?;
        match <[Play; 1]>::try_from(plays) {
            Ok([play]) => Ok(play),
            Err(_) => Err(SolveError::internal(format!("{mv:?} of a heap is not a move of the rules"))),
        }
    }
}

/// What all answers for heaps have in common.
macro_rules! heaps_in_common {
    () => {
        fn positions(&self) -> u64 {
            self.0.values.positions()
        }

        fn size(&self) -> u64 {
            let range = self.0.range();
            range.end.saturating_sub(range.start)
        }

        fn each(&self, turn: Player) -> Positions<'_> {
            self.0.each(turn)
        }

        fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
            self.0.random(turn, random)
        }

        fn has_many_moves(&self) -> bool {
            true
        }

        fn count(&self, position: &Position) -> Option<u128> {
            self.0.count(position)
        }
    };
}

/// What answers by nim-values have in common.
macro_rules! nimbers_in_common {
    () => {
        fn moves_to(
            &self,
            _: &Bound,
            position: &Position,
            aim: Option<Nimber>,
            most: usize,
        ) -> Result<Option<(Vec<Play>, bool)>, SolveError> {
            let (heaps, values) = (&self.0, &self.0.values);
            let Some(parts) = heaps.heaps(position) else { return Ok(None) };
            let total = parts.iter().try_fold(0, |sum, &heap| Some(sum ^ values.nimber(heap)?));
            let found = heaps.best(position, &parts, most, |_, heap| match aim {
                None => Some(Wanted::Any),
                Some(aim) => Some(Wanted::Nimber(aim ^ total? ^ values.nimber(heap)?)),
            })?;
            Ok(found.map(|found| (found.best, found.cut)))
        }
    };
}

/// One heap.
pub(super) struct HeapAnswers<'b>(pub Heaps<'b>);

impl Answers for HeapAnswers<'_> {
    heaps_in_common!();
    nimbers_in_common!();

    fn verdict(&self, position: &Position) -> Option<Verdict> {
        let values = &self.0.values;
        let heap = values.heap_of(position.parts.first()?)?;
        let (outcome, nimber) = (values.outcome(heap)?, values.nimber(heap));
        Some(Verdict::Outcome { outcome, remoteness: values.remoteness(heap), nimber })
    }

    fn proof(&self, position: &Position) -> Proof {
        self.0.values.theorem(self.0.largest(position)).map_or(Proof::Table, Proof::Theorem)
    }

    fn remoteness(&self, position: &Position) -> Option<u64> {
        self.0.values.long_remoteness(self.0.values.heap_of(position.parts.first()?)?)
    }

    fn number(&self, position: &Position) -> u64 {
        position.parts.first().and_then(|part| self.0.values.heap_of(part)).unwrap_or(u64::MAX)
    }

    fn best(&self, game: &Bound, position: &Position, most: usize) -> Result<BestMoves, SolveError> {
        let values = &self.0.values;
        let found = match self.0.heaps(position) {
            Some(heaps) => self.0.best(position, &heaps, most, |_, heap| {
                Some(match (values.nimber(heap), values.outcome(heap)) {
                    (Some(0), _) | (None, Some(Outcome::Loss)) => Wanted::Any,
                    (Some(_), _) => Wanted::Nimber(0),
                    (None, _) => Wanted::Lost,
                })
            })?,
            None => None,
        };
        let Some(mut found) = found else { return Ok(BestMoves::among(self.moves(game, position)?, most)) };
        let heap = position.parts.first().and_then(|part| values.heap_of(part));
        if let Some(moves) = heap.and_then(|heap| values.fast_moves(heap, most)) {
            let mut interpreter = Interpreter::new(self.0.bound);
            for mv in &moves {
                found.fast.push(self.0.play(&mut interpreter, position, 0, mv)?);
            }
        }
        Ok(found)
    }
}

/// A sum of heaps in normal play: nim-values, and their XOR.
pub(super) struct SumAnswers<'b>(pub Heaps<'b>);

impl SumAnswers<'_> {
    fn nimber(&self, position: &Position) -> Option<Nimber> {
        let values = &self.0.values;
        position.parts.iter().try_fold(0, |sum, part| Some(sum ^ values.nimber(values.heap_of(part)?)?))
    }
}

impl Answers for SumAnswers<'_> {
    heaps_in_common!();
    nimbers_in_common!();

    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.nimber(position).map(Verdict::Nimber)
    }

    fn proof(&self, position: &Position) -> Proof {
        sum_proof(&self.0, position)
    }

    fn part(&self, part: &[i64]) -> Option<PartValue> {
        let nimber = self.0.values.nimber(self.0.values.heap_of(part)?)?;
        Some(PartValue { value: LoopyNimber::Finite(nimber), rank: None })
    }

    fn by_parts(&self) -> bool {
        true
    }

    fn rater<'a>(&'a self, position: &'a Position) -> Result<crate::answers::Rater<'a>, SolveError> {
        let total = self.nimber(position);
        let values = &self.0.values;
        Ok(Box::new(move |play| {
            let own = values.nimber(values.heap_of(&position.parts[play.part])?)?;
            let left = play.into.iter().try_fold(0, |sum, part| Some(sum ^ values.nimber(values.heap_of(part)?)?))?;
            Some(Verdict::Nimber(total? ^ own ^ left))
        }))
    }

    fn best(&self, game: &Bound, position: &Position, most: usize) -> Result<BestMoves, SolveError> {
        let values = &self.0.values;
        let found = match (self.0.heaps(position), self.nimber(position)) {
            (Some(heaps), Some(total)) => self.0.best(position, &heaps, most, |_, heap| match total {
                0 => Some(Wanted::Any),
                total => Some(Wanted::Nimber(total ^ values.nimber(heap)?)),
            })?,
            _ => None,
        };
        match found {
            Some(found) => Ok(found),
            None => Ok(BestMoves::among(self.moves(game, position)?, most)),
        }
    }
}

/// A sum of heaps in misère play: classes of heaps.
pub(super) struct ClassAnswers<'b>(pub Heaps<'b>);

impl Answers for ClassAnswers<'_> {
    heaps_in_common!();

    fn verdict(&self, position: &Position) -> Option<Verdict> {
        let outcome = self.0.values.misere_outcome(&self.0.heaps(position)?)?;
        Some(Verdict::outcome_in(outcome, None))
    }

    fn proof(&self, position: &Position) -> Proof {
        sum_proof(&self.0, position)
    }

    fn knows_lengths(&self) -> bool {
        false
    }

    fn best(&self, game: &Bound, position: &Position, most: usize) -> Result<BestMoves, SolveError> {
        let heaps = self.0.heaps(position);
        let classes = self.0.values.classes();
        let found = match heaps.zip(classes) {
            Some((heaps, classes)) => match classes.beside(&heaps) {
                Some((_, whole)) if classes.is_loss(whole) => {
                    self.0.best(position, &heaps, most, |_, _| Some(Wanted::Any))?
                }
                Some((beside, _)) => {
                    self.0.best(position, &heaps, most, |index, _| Some(Wanted::LostBeside(beside[index])))?
                }
                None => None,
            },
            None => None,
        };
        match found {
            Some(found) => Ok(found),
            None => Ok(BestMoves::among(self.moves(game, position)?, most)),
        }
    }
}

/// What a sum rests on: the theorem by which values add up, and the period where a heap lies beyond those computed.
fn sum_proof(heaps: &Heaps<'_>, position: &Position) -> Proof {
    let theorem = heaps.values.sum_theorem();
    Proof::Theorem(match heaps.values.theorem(heaps.largest(position)) {
        Some(period) => format!("{theorem}; {period}"),
        None => theorem,
    })
}
