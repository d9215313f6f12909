//! The moves of a position, rated: all of them, or the best where there are too many to list.

use rules::bind::Position;
use rules::play::{self, Play};

use super::MOST_MOVES;
use crate::answers::RatedMove;
use crate::error::SolveError;
use crate::solved::Solved;

/// A position with more moves than this has its best ones listed, no others.
pub const MOST_LISTED: usize = 1 << 18;

/// The moves of a position, rated: those of a game, or of a sum of games.
#[derive(Clone, Debug)]
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
    /// All moves there are; `count` is how many.
    pub(crate) fn all(moves: Vec<RatedMove>, count: Option<u128>) -> ListedMoves {
        ListedMoves { moves, cut: false, best_cut: false, count }
    }

    /// The moves of a position that was met: all, if there are at most [`MOST_LISTED`].
    pub fn of(solved: &Solved<'_>, position: &Position) -> Result<ListedMoves, SolveError> {
        ListedMoves::within(solved, position, MOST_LISTED)
    }

    /// The moves of a position, where `most` are as many as can be listed.
    pub fn within(solved: &Solved<'_>, position: &Position, most: usize) -> Result<ListedMoves, SolveError> {
        if !solved.answers.has_many_moves() {
            let moves = solved.moves(position)?;
            let count = Some(moves.len() as u128);
            return Ok(ListedMoves::all(moves, count));
        }
        let count = count(solved, position)?;
        if count.is_some_and(|count| count <= most as u128) {
            return Ok(ListedMoves::all(solved.moves(position)?, count));
        }
        let found = solved.answers.best(solved.bound, position, MOST_MOVES)?;
        let mut plays = found.best;
        let more: Vec<Play> = found.fast.into_iter().filter(|play| !plays.contains(play)).collect();
        plays.extend(more);
        let moves = solved.answers.rated(solved.bound, position, plays)?;
        Ok(ListedMoves { moves, cut: true, best_cut: found.cut, count })
    }
}

/// How many legal moves a position has; `None` if there are more than can be listed, and they cannot be counted otherwise.
pub(crate) fn count(solved: &Solved<'_>, position: &Position) -> Result<Option<u128>, SolveError> {
    if let Some(count) = solved.answers.count(position) {
        return Ok(Some(count));
    }
    let (plays, more) = play::first_plays(solved.bound, position, MOST_LISTED)?;
    Ok((!more).then_some(plays.len() as u128))
}
