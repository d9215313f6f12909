//! A walk along one line of best play. Nothing is kept of the moves, so that a line may be as long as it likes.
//!
//! [`mod@super::line`] keeps the beginning of a line for the answer and plays it again; [`whole`] hands all of it on, move by
//! move, for a file.

use engine::monitor::Monitor;
use game::{End, Player};
use rules::bind::Position;
use rules::play::{self, Play};

use super::line;
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

/// A move of a whole line, and what everyone has after it.
#[derive(Clone, Copy, Debug)]
pub struct Moved<'w> {
    /// Counted from 1.
    pub number: u64,
    /// Who makes it.
    pub mover: Player,
    /// The move.
    pub play: &'w Play,
    /// What each player has gained so far; empty where nothing is counted.
    pub totals: &'w [i128],
}

impl Moved<'_> {
    /// What the mover gains, where gains are counted.
    pub fn gain(&self) -> Option<i64> {
        (!self.totals.is_empty()).then(|| self.play.gains.get(self.mover.index()).copied().unwrap_or(0))
    }
}

/// How a whole line ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeLine {
    /// How many moves it has.
    pub moves: u64,
    /// Why it stopped.
    pub stop: Stop,
    /// What each player has at the end; empty where nothing is counted.
    pub totals: Vec<i128>,
    /// What was paid when the game was over, where that is anything.
    pub paid: Option<Vec<i64>>,
}

/// The whole line of best play, move by move; what it earns is compared with the value. `visit` may stop it.
pub fn whole(
    solved: &Solved<'_>,
    monitor: &mut Monitor,
    visit: &mut dyn FnMut(&Moved<'_>) -> Result<bool, SolveError>,
) -> Result<WholeLine, SolveError> {
    monitor.enter("the line of play");
    let mut totals = vec![0i128; if solved.is_counted() { solved.bound.players } else { 0 }];
    let positions = solved.positions();
    let mut moves = 0;
    let (stop, position) = walk(solved, &mut |step| {
        monitor.tick(positions, moves)?;
        add(&mut totals, &step.play.gains);
        let moved = Moved { number: moves + 1, mover: step.position.turn, play: step.play, totals: &totals };
        let wanted = visit(&moved)?;
        moves += u64::from(wanted);
        Ok(wanted)
    })?;
    let mut paid = None;
    if stop == Stop::Unknown {
        let why = "the table had no room for best moves, so that there is no line of play; allow more with --memory";
        return Err(SolveError::NotApplicable(why.to_string()));
    }
    if stop != Stop::Unwanted {
        line::compare(solved, &position, &totals, stop != Stop::Over, moves)?;
    }
    if !totals.is_empty()
        && stop == Stop::Over
        && let Some(End::Gains(gains)) = play::end(solved.bound, &position)?
    {
        add(&mut totals, &gains);
        paid = gains.iter().any(|gain| *gain != 0).then_some(gains.to_vec());
    }
    Ok(WholeLine { moves, stop, totals, paid })
}
