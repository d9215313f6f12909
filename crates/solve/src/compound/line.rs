//! One line of best play through a sum of different games, and its replay.
//!
//! Moves are chosen as in a sum of one game ([`engine::loopy::choose`]), with summands in the place of parts. Heaps that are too
//! large to list their moves are asked for a move that leaves the right value.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use engine::loopy::{ComponentMove, Rests, choose};
use engine::monitor::Monitor;
use game::{LoopyNimber, Outcome};
use rules::play::{self, Play};

use super::SumError;
use super::SumPosition;
use super::solved::SolvedSum;
use crate::answer::MOST_MOVES;
use crate::answer::line::goes_on;
use crate::answers::no_move;
use crate::error::SolveError;
use crate::solved::Solved;

/// How many moves a line may look at before it is cut short.
const MOST_LOOKED_AT: usize = 2_000_000;

/// One optimal play of a sum.
#[derive(Clone, Debug, Default)]
pub(super) struct SumLine {
    /// Its moves, at most [`MOST_MOVES`].
    pub moves: Vec<Play>,
    /// Whether it goes on behind them: it is longer, or never ends.
    pub cut: bool,
}

/// A line under way.
struct Walk<'s, 'b> {
    sum: &'s SolvedSum<'b>,
    position: SumPosition,
    values: Vec<LoopyNimber>,
    /// The moves of each summand as it stands; none of heaps, which may have too many.
    replies: Vec<Vec<ComponentMove<Play>>>,
    /// Drawn positions, hashed. Should two ever share a hash, a line is cut short that need not be.
    visited: HashSet<u64>,
    looked_at: usize,
}

impl SumLine {
    /// The line from the start.
    pub fn of(sum: &SolvedSum<'_>, monitor: &mut Monitor) -> Result<SumLine, SumError> {
        let mut line = SumLine::default();
        let mut walk = Walk::new(sum, sum.compound.start())?;
        loop {
            // The answer is known by now, so that a limit only cuts the line short.
            let in_time = goes_on(sum.positions(), monitor).map_err(|error| SumError { summand: 0, error })?;
            if walk.repeats() {
                line.cut = true;
                return Ok(line);
            }
            let Some(mv) = walk.choose()? else { return Ok(line) };
            if line.moves.len() == MOST_MOVES || walk.looked_at > MOST_LOOKED_AT || !in_time {
                line.cut = true;
                return Ok(line);
            }
            walk.play(&mv)?;
            line.moves.push(mv);
        }
    }

    /// Plays the line again from the rules alone and compares with the values.
    pub fn replay(&self, sum: &SolvedSum<'_>) -> Result<(), SumError> {
        let wrong = |summand: usize, what: &str| {
            let error = SolveError::internal(format!("the line of best play does not give the value: {what}"));
            Err(SumError { summand, error })
        };
        let mut position = sum.compound.start();
        let promised = sum.outcome(&position)?;
        for mv in &self.moves {
            // Moves of large heaps were played by the rules when they were found; there may be too many others to list.
            if !sum.is_heap(mv.summand) && !sum.compound.plays_in(mv.summand, &position)?.contains(mv) {
                return wrong(mv.summand, &format!("`{}` is not a legal move", mv.label));
            }
            position.apply(mv);
        }
        let outcome = match self.cut {
            true => sum.outcome(&position)?,
            false => {
                for (summand, here) in position.summands.iter().enumerate() {
                    let bound = sum.compound.summands()[summand].bound;
                    let end = play::end(bound, here).map_err(|fault| SumError { summand, error: fault.into() })?;
                    if end.is_none() {
                        return wrong(summand, "it stops before the end");
                    }
                }
                Outcome::Loss
            }
        };
        let seen_from_the_start = if self.moves.len().is_multiple_of(2) { outcome } else { -outcome };
        match seen_from_the_start == promised {
            true => Ok(()),
            false => wrong(0, &format!("{promised} at the start, {outcome} after {} moves", self.moves.len())),
        }
    }
}

impl SolvedSum<'_> {
    /// The move that perfect play makes in a position that can be reached; none where nobody can move. A win is brought
    /// nearer, also where positions repeat.
    pub fn choice(&self, position: &SumPosition) -> Result<Option<Play>, SumError> {
        if let Some(theory) = &self.theory {
            return self.choice_by_forms(theory, position);
        }
        if let Some(whole) = &self.whole {
            return whole.choice(&self.compound, position);
        }
        Walk::new(self, position.clone())?.choose()
    }
}

impl<'s, 'b> Walk<'s, 'b> {
    fn new(sum: &'s SolvedSum<'b>, position: SumPosition) -> Result<Walk<'s, 'b>, SumError> {
        let values = sum.nimbers(&position)?;
        let mut walk = Walk { sum, position, values, replies: Vec::new(), visited: HashSet::new(), looked_at: 0 };
        for summand in 0..walk.values.len() {
            let replies = walk.look(summand)?;
            walk.replies.push(replies);
        }
        Ok(walk)
    }

    /// The moves of a summand as it stands.
    fn look(&mut self, summand: usize) -> Result<Vec<ComponentMove<Play>>, SumError> {
        if self.sum.is_heap(summand) {
            return Ok(Vec::new());
        }
        let game = self.sum.solved(summand)?;
        let here = &self.position.summands[summand];
        let blame = |error| SumError { summand, error };
        let mut replies = Vec::new();
        for (mv, value) in self.sum.moves_in(summand, &self.position)? {
            let (mut ranks, mut rank) = (Vec::new(), None);
            if self.sum.is_loopy(summand) {
                ranks = mv.play.into.iter().map(|part| rank_of(game, part)).collect::<Result<_, _>>().map_err(blame)?;
                ranks.sort_unstable_by(|a, b| b.cmp(a));
                rank = Some(rank_of(game, &here.parts[mv.play.part]).map_err(blame)?);
            }
            replies.push(ComponentMove { play: mv.play, value, ranks, rank });
        }
        self.looked_at += replies.len() + 1;
        Ok(replies)
    }

    /// Whether the position is drawn and was there before.
    fn repeats(&mut self) -> bool {
        if self.values.iter().all(|value| value.nimber().is_some()) {
            return false;
        }
        let drawn = Rests::new(self.values.clone()).whole().outcome() == Outcome::Draw;
        let mut hasher = DefaultHasher::new();
        self.position.hash(&mut hasher);
        drawn && !self.visited.insert(hasher.finish())
    }

    /// A best move; none where nobody can move.
    fn choose(&mut self) -> Result<Option<Play>, SumError> {
        let rests = Rests::new(self.values.clone());
        let outcome = rests.whole().outcome();
        let listed = choose(self.replies.iter().map(|replies| &replies[..]), &rests);
        // Heaps cannot repeat: a win there comes before all in summands that can, otherwise the first summand does.
        let before = match listed {
            Some((summand, _)) if outcome != Outcome::Win || !self.sum.is_loopy(summand) => summand,
            _ => self.values.len(),
        };
        for summand in (0..before).filter(|&summand| self.sum.is_heap(summand)) {
            let (plays, _) = self.sum.best_in(summand, &self.position, &rests, 1)?;
            self.looked_at += 1;
            if let Some(play) = plays.into_iter().next() {
                return Ok(Some(play));
            }
        }
        match listed {
            Some((summand, index)) => Ok(Some(self.replies[summand][index].play.clone())),
            None if outcome == Outcome::Loss => Ok(None),
            None => Err(SumError { summand: 0, error: no_move() }),
        }
    }

    fn play(&mut self, mv: &Play) -> Result<(), SumError> {
        self.position.apply(mv);
        self.values[mv.summand] = self.sum.nimber_of(mv.summand, &self.position.summands[mv.summand])?;
        // The mover changes everywhere, but who moves is not seen in the moves of impartial games, only in who is next.
        self.replies[mv.summand] = self.look(mv.summand)?;
        let next = self.position.turn.other();
        self.replies.iter_mut().flatten().for_each(|reply| reply.play.turn = next);
        Ok(())
    }
}

fn rank_of(game: &Solved<'_>, part: &[i64]) -> Result<u32, SolveError> {
    let known = game.answers.part(part).and_then(|part| part.rank);
    known.ok_or_else(|| SolveError::internal("a part has no loopy nimber"))
}
