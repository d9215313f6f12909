//! The best moves of a position, as far as a list is to hold.
//!
//! Most games list and rate every move. A heap of 10^18 has more moves than can be listed, and there the best ones are
//! found from their values; the rules then play each of them, so that none is shown that is not legal.

use game::{Nimber, Outcome};
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;

use crate::error::SolveError;
use crate::heap::{HeapMove, HeapTable, Wanted};
use crate::loopy::line::{Chooser, Next};
use crate::plan::Method;
use crate::play::{self, Play};
use crate::solution::MOST_MOVES;
use crate::solved::Solved;
use crate::table::{HeapShape, Table};
use crate::verdict::RatedMove;

/// A position with more moves than this has its best ones listed, no others.
pub const MOST_LISTED: usize = 1 << 18;

/// The best moves of a position, in order.
#[derive(Clone, Debug, Default)]
pub struct BestMoves {
    /// Those that keep the result.
    pub best: Vec<Play>,
    /// Those of them that attain the remoteness; empty where that is not known.
    pub fast: Vec<Play>,
    /// Whether there are more of the first.
    pub cut: bool,
}

impl BestMoves {
    /// At most `most` best moves.
    pub fn of(solved: &Solved<'_>, position: &Position, most: usize) -> Result<BestMoves, SolveError> {
        if let Table::Heaps(table, shape) = &solved.table
            && let Some(found) = (Heaps { bound: solved.bound, table, shape }).best(position, most)?
        {
            return Ok(found);
        }
        if let Table::Rows(table) = &solved.table {
            let (best, cut) = table.best(solved.bound, position, most)?;
            return Ok(BestMoves { best, fast: Vec::new(), cut });
        }
        if let Table::Triangle(table) = &solved.table {
            let best = table.best(solved.bound, position)?;
            return Ok(BestMoves { best, fast: Vec::new(), cut: false });
        }
        if let Table::Ahead(table) = &solved.table {
            let (best, cut) = table.best(solved.bound, position, most)?;
            return Ok(BestMoves { best, fast: Vec::new(), cut });
        }
        let moves = solved.moves(position)?;
        let cut = moves.iter().filter(|mv| mv.best).count() > most;
        let fast = moves.iter().filter(|mv| mv.fast).take(most).map(|mv| mv.play.clone()).collect();
        let best = moves.into_iter().filter(|mv| mv.best).take(most).map(|mv| mv.play).collect();
        Ok(BestMoves { best, fast, cut })
    }
}

/// The moves of a position, rated: all of them, or the best where there are too many to list.
#[derive(Clone, Debug, Default)]
pub struct ListedMoves {
    /// In order. Where there are too many, only best ones: at most [`MOST_MOVES`], and those that attain the remoteness.
    pub moves: Vec<RatedMove>,
    /// Whether these are not all legal moves.
    pub cut: bool,
    /// Whether these are not even all best ones.
    pub best_cut: bool,
    /// How many legal moves there are, where that is known.
    pub count: Option<u128>,
}

impl ListedMoves {
    /// The moves of a position that was met: all, if there are at most [`MOST_LISTED`].
    pub fn of(solved: &Solved<'_>, position: &Position) -> Result<ListedMoves, SolveError> {
        ListedMoves::within(solved, position, MOST_LISTED)
    }

    /// The same, where `most` heap moves are as many as can be listed.
    pub fn within(solved: &Solved<'_>, position: &Position, most: usize) -> Result<ListedMoves, SolveError> {
        if !matches!(solved.table, Table::Heaps(..)) {
            let moves = solved.moves(position)?;
            return Ok(ListedMoves { count: Some(moves.len() as u128), moves, ..ListedMoves::default() });
        }
        let count = count(solved, position)?;
        if count.is_some_and(|count| count <= most as u128) {
            let moves = solved.moves(position)?;
            return Ok(ListedMoves { count, moves, ..ListedMoves::default() });
        }
        let found = BestMoves::of(solved, position, MOST_MOVES)?;
        let mut plays = found.best;
        let more: Vec<Play> = found.fast.into_iter().filter(|play| !plays.contains(play)).collect();
        plays.extend(more);
        Ok(ListedMoves { moves: solved.rated(position, plays)?, cut: true, best_cut: found.cut, count })
    }
}

/// The move that perfect play makes: a fast one, else a best one, and in a sum whose parts repeat one that brings a win
/// nearer. None where the game is over.
pub fn choice(solved: &Solved<'_>, position: &Position) -> Result<Option<Play>, SolveError> {
    if solved.plan.method == Method::Loopy {
        return Ok(match Chooser::new(solved).next(position)? {
            Next::Move(play) => Some(play),
            Next::Over | Next::Repeats => None,
        });
    }
    let BestMoves { best, fast, .. } = BestMoves::of(solved, position, 1)?;
    Ok(fast.into_iter().next().or_else(|| best.into_iter().next()))
}

/// How many legal moves a position has; `None` if there are more than can be listed, and they cannot be counted otherwise.
/// Only heaps may have so many: all other positions were met one by one, with their moves.
pub(crate) fn count(solved: &Solved<'_>, position: &Position) -> Result<Option<u128>, SolveError> {
    if let Table::Heaps(table, _) = &solved.table {
        let mut parts = position.parts.iter();
        if let Some(count) = parts.try_fold(0u128, |sum, part| sum.checked_add(table.count(table.heap(part)?)?)) {
            return Ok(Some(count));
        }
    }
    let (plays, more) = play::first_plays(solved.bound, position, MOST_LISTED)?;
    Ok((!more).then_some(plays.len() as u128))
}

/// At most `most` moves of heaps after which their nimber is this one, or any moves at all, in order, and whether there are
/// more. `None` where the position was not solved as heaps, or where moves cannot be found from values.
pub(crate) fn heap_moves(
    solved: &Solved<'_>,
    position: &Position,
    aim: Option<Nimber>,
    most: usize,
) -> Result<Option<(Vec<Play>, bool)>, SolveError> {
    let Table::Heaps(table, shape) = &solved.table else { return Ok(None) };
    let heaps = Heaps { bound: solved.bound, table, shape };
    let parts: Option<Vec<u64>> = position.parts.iter().map(|part| table.heap(part)).collect();
    let Some(parts) = parts else { return Ok(None) };
    let total = parts.iter().try_fold(0, |sum, &heap| Some(sum ^ table.nimber(heap)?));
    let mut interpreter = Interpreter::new(solved.bound);
    let mut plays = Vec::new();
    for (index, &heap) in parts.iter().enumerate() {
        let wanted = match aim {
            None => Wanted::Any,
            Some(aim) => match (total, table.nimber(heap)) {
                (Some(total), Some(own)) => Wanted::Nimber(aim ^ total ^ own),
                _ => return Ok(None),
            },
        };
        let Some((moves, complete)) = table.moves(heap, wanted, most - plays.len()) else { return Ok(None) };
        for mv in &moves {
            plays.push(heaps.play(&mut interpreter, position, index, mv)?);
        }
        if !complete {
            return Ok(Some((plays, true)));
        }
    }
    Ok(Some((plays, false)))
}

/// Heaps, whose moves may be too many to list.
struct Heaps<'s> {
    bound: &'s Bound,
    table: &'s HeapTable,
    shape: &'s HeapShape,
}

impl Heaps<'_> {
    /// `None` where the moves cannot be found from values: a choice is no number.
    fn best(&self, position: &Position, most: usize) -> Result<Option<BestMoves>, SolveError> {
        let heaps: Option<Vec<u64>> = position.parts.iter().map(|part| self.table.heap(part)).collect();
        let Some(heaps) = heaps else { return Ok(None) };
        let mut interpreter = Interpreter::new(self.bound);
        let mut found = BestMoves::default();
        let total = heaps.iter().try_fold(0, |sum, &heap| Some(sum ^ self.table.nimber(heap)?));
        let classes = self.table.classes().map(|classes| (classes, classes.beside(&heaps)));
        for (index, &heap) in heaps.iter().enumerate() {
            let room = most - found.best.len();
            let wanted = match (total, self.table.nimber(heap)) {
                _ if let Some((classes, beside)) = &classes => match beside {
                    Some((_, whole)) if classes.is_loss(*whole) => Wanted::Any,
                    Some((beside, _)) => Wanted::LostBeside(beside[index]),
                    None => return Ok(None),
                },
                (Some(0), _) => Wanted::Any,
                (Some(total), Some(own)) => Wanted::Nimber(total ^ own),
                _ if self.table.outcome(heap) == Some(Outcome::Loss) => Wanted::Any,
                _ => Wanted::Lost,
            };
            let Some((moves, complete)) = self.table.moves(heap, wanted, room) else { return Ok(None) };
            found.cut |= !complete;
            for mv in &moves {
                found.best.push(self.play(&mut interpreter, position, index, mv)?);
            }
            if found.cut {
                break;
            }
        }
        if let ([heap], false) = (&heaps[..], self.shape.sum)
            && let Some(moves) = self.table.fast_moves(*heap, most)
        {
            for mv in &moves {
                found.fast.push(self.play(&mut interpreter, position, 0, mv)?);
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
            Err(_) => Err(SolveError::Internal(format!("{mv:?} of a heap is not a move of the rules"))),
        }
    }
}
