//! A walk along one line of best play. Nothing is kept of the moves, so that a line may be as long as it likes.

use rules::bind::Position;
use rules::play::Play;

use crate::answers::Next;
use crate::error::SolveError;
use crate::solved::Solved;

/// A move of the line.
pub(crate) struct Step<'w> {
    /// The position it is made in.
    pub position: &'w Position,
    /// The move.
    pub play: &'w Play,
    /// Whether so much was looked at that a line for people had better stop.
    pub far: bool,
}

/// Why a walk stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The game is over.
    Over,
    /// The position was there before: play goes on for ever. With the number of the move that was made there, where that is
    /// known.
    Repeats(Option<u64>),
    /// The next move was not wanted.
    Unwanted,
    /// The moves are not known: the table had no room for them.
    Unknown,
}

/// Who looks at the moves; `false` is enough of them.
type Visit<'v> = &'v mut dyn FnMut(&Step<'_>) -> Result<bool, SolveError>;

/// Walks from the start of a solved game until the line ends; tells why it stopped, and where.
pub(crate) fn walk(solved: &Solved<'_>, visit: Visit<'_>) -> Result<(Stop, Position), SolveError> {
    let mut position = solved.start.clone();
    let mut walker = solved.answers.walker(solved.bound, &position)?;
    let stop = loop {
        match walker.next(&position)? {
            Next::Over => break Stop::Over,
            Next::Repeats(number) => break Stop::Repeats(number),
            Next::Unknown => break Stop::Unknown,
            Next::Move { play, far } => {
                if !visit(&Step { position: &position, play: &play, far })? {
                    break Stop::Unwanted;
                }
                play.apply(&mut position);
            }
        }
    };
    Ok((stop, position))
}

/// Adds gains to totals. On the way these may be larger than they are at the end.
pub(crate) fn add(totals: &mut [i128], gains: &[i64]) {
    for (total, gain) in totals.iter_mut().zip(gains) {
        *total += i128::from(*gain);
    }
}

/// Totals at the end of a game, which must fit in 64 bits.
pub(crate) fn fit(solved: &Solved<'_>, totals: &[i128]) -> Result<Vec<i64>, SolveError> {
    let fit = totals.iter().map(|total| i64::try_from(*total));
    fit.collect::<Result<_, _>>().map_err(|_| SolveError::overflow(solved.bound, &solved.start))
}
