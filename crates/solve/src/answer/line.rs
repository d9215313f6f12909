//! One line of best play, and its replay.
//!
//! The line is read off the answers in a `walk`, which keeps none of its moves, so that a line may be as long as it likes. Then
//! it is played again from the rules alone, and what it earns must be what the answers say. A difference is an error of ours and
//! never an answer. Moves of heaps that are too many to list are the exception: the rules play each of these once, when it is
//! found.

use engine::monitor::Monitor;
use game::{End, Outcome, Player, Verdict};
use rules::bind::Position;
use rules::named;
use rules::play::{self, Play};

use super::MOST_MOVES;
use crate::answers::Next;
use crate::error::SolveError;
use crate::solved::Solved;
use crate::stopping::scope;
use positions::oracle::Keeps;

/// One optimal play.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Its moves, at most [`MOST_MOVES`].
    pub moves: Vec<Play>,
    /// Whether it goes on behind them: it is longer, or never ends.
    pub cut: bool,
    /// What each player gains along the whole line; empty where nothing is counted.
    pub totals: Vec<i64>,
    /// What was gained by the moves that are kept.
    gained: Vec<i128>,
}

impl Line {
    /// The line from the start of a solved game.
    pub fn of(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Line, SolveError> {
        let counted = solved.is_counted();
        let known = solved.answers.totals(solved.bound)?;
        // What is gained behind the moves that are kept must be counted, unless it is known.
        let whole = counted && known.is_none();
        let mut totals = vec![0; if counted { solved.bound.players } else { 0 }];
        let mut line = Line { gained: totals.clone(), ..Line::default() };
        let (stop, position) = walk(solved, &mut |_, play, far| {
            let in_time = goes_on(solved.positions(), monitor)?;
            line.cut |= line.moves.len() == MOST_MOVES || far || !(in_time || whole);
            if line.cut && !whole {
                return Ok(false);
            }
            add(&mut totals, &play.gains);
            if !line.cut {
                line.gained.clone_from(&totals);
                line.moves.push(play.clone());
            }
            Ok(true)
        })?;
        if stop == Stop::Unknown {
            return Ok(Line { cut: true, totals: known.map_or_else(Vec::new, Into::into), ..Line::default() });
        }
        line.cut |= stop != Stop::Over;
        if let Some(totals) = known {
            line.totals = totals.into();
            return Ok(line);
        }
        if counted && let Some(End::Gains(gains)) = play::end(solved.bound, &position)? {
            add(&mut totals, &gains);
        }
        line.totals = fit(solved, &totals)?;
        Ok(line)
    }

    /// Plays the line again from the rules alone and compares with the table.
    pub fn replay(&self, solved: &Solved<'_>) -> Result<(), SolveError> {
        let wrong =
            |what: String| Err(SolveError::Internal(format!("the line of best play does not give the value: {what}")));
        let mut position = solved.start.clone();
        let mut gained = vec![0; self.gained.len()];
        for play in &self.moves {
            // A position may have very many moves: the rules are asked for those of this name. Where moves are too many to
            // list, the rules have played each when it was found.
            let played = solved.answers.has_many_moves();
            if !played && !named::named(solved.bound, &position, &play.label)?.contains(play) {
                return wrong(format!("`{}` is not a legal move", play.label));
            }
            add(&mut gained, &play.gains);
            play.apply(&mut position);
        }
        if gained != self.gained {
            return wrong("it earns something else".to_string());
        }
        compare(solved, &position, &gained, self.cut, self.moves.len() as u64)
    }
}

/// Compares the start's value with what was gained by some moves up to a position and with what follows there: the end, unless
/// the line was cut.
pub(crate) fn compare(
    solved: &Solved<'_>,
    position: &Position,
    gained: &[i128],
    cut: bool,
    moves: u64,
) -> Result<(), SolveError> {
    let wrong =
        |what: String| Err(SolveError::Internal(format!("the line of best play does not give the value: {what}")));
    let Some(start) = solved.verdict(&solved.start) else { return wrong("the start has no value".to_string()) };
    let over = if cut { None } else { play::end(solved.bound, position)? };
    if !cut && over.is_none() {
        return wrong("it stops before the end".to_string());
    }
    let payoffs = matches!(start, Verdict::Payoffs { .. });
    let same = position.turn == solved.start.turn;
    // What is left of a row may be worth more than fits, though the whole of it does not.
    if let (None, Verdict::Score(value), Some(rest)) = (&over, &start, solved.answers.lead(position)) {
        let found = lead(gained, solved.start.turn) + if same { rest } else { -rest };
        return if found == i128::from(*value) { Ok(()) } else { wrong(format!("{found}, not {value}")) };
    }
    let rest = match over {
        Some(End::Gains(gains)) if payoffs => Verdict::Payoffs { totals: gains.into(), unique: None },
        Some(End::Gains(gains)) => Verdict::Score(Keeps::Score.gain(&gains, position.turn)?),
        Some(End::Outcome(outcome)) => Verdict::outcome_in(outcome, Some(0)),
        None => solved.verdict(position).ok_or_else(|| solved.answers.missing(solved.bound, position))?,
    };
    let agrees = match (&start, &rest) {
        (Verdict::Score(value), Verdict::Score(rest)) => {
            let rest = i128::from(*rest);
            lead(gained, solved.start.turn) + if same { rest } else { -rest } == i128::from(*value)
        }
        (Verdict::Payoffs { totals, .. }, Verdict::Payoffs { totals: rest, .. }) => {
            let sums = gained.iter().zip(rest).map(|(gained, rest)| gained + i128::from(*rest));
            sums.eq(totals.iter().map(|total| i128::from(*total)))
        }
        (start, rest) => {
            let rest = rest.outcome().unwrap_or(Outcome::Draw);
            let rest = if same { rest } else { -rest };
            let length = start.remoteness().filter(|_| !cut);
            start.outcome() == Some(rest) && length.is_none_or(|length| u64::from(length) == moves)
        }
    };
    if agrees { Ok(()) } else { wrong(format!("{start:?} at the start, {rest:?} after {moves} moves")) }
}

/// What a player has gained more than the other.
fn lead(gained: &[i128], player: Player) -> i128 {
    let of = |player: Player| gained.get(player.index()).copied().unwrap_or(0);
    of(player) - of(player.other())
}

/// Whether there is time to go on, now that the answer is known. Being stopped still stops.
pub(crate) fn goes_on(positions: u64, monitor: &mut Monitor) -> Result<bool, SolveError> {
    match monitor.tick(positions, positions) {
        Ok(()) => Ok(true),
        Err(error) if error.is_limit() => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// A move of a whole line, and what everyone has after it.
#[derive(Clone, Copy, Debug)]
pub struct LineMove<'w> {
    /// Counted from 1.
    pub number: u64,
    /// Who makes it.
    pub mover: Player,
    /// The move.
    pub play: &'w Play,
    /// What each player has gained so far; empty where nothing is counted.
    pub totals: &'w [i128],
}

impl LineMove<'_> {
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
    visit: &mut dyn FnMut(&LineMove<'_>) -> Result<bool, SolveError>,
) -> Result<WholeLine, SolveError> {
    let _scope = scope(monitor);
    monitor.enter("the line of play");
    let mut totals = vec![0i128; if solved.is_counted() { solved.bound.players } else { 0 }];
    let positions = solved.positions();
    let mut moves = 0;
    let (stop, position) = walk(solved, &mut |position, play, _| {
        monitor.tick(positions, moves)?;
        add(&mut totals, &play.gains);
        let moved = LineMove { number: moves + 1, mover: position.turn, play, totals: &totals };
        let wanted = visit(&moved)?;
        moves += u64::from(wanted);
        Ok(wanted)
    })?;
    let mut paid = None;
    if stop == Stop::Unknown {
        let why = "the table had no room for best moves, so that there is no line of play; it takes more memory";
        return Err(SolveError::NotApplicable(why.to_string()));
    }
    if stop != Stop::Unwanted {
        compare(solved, &position, &totals, stop != Stop::Over, moves)?;
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

/// Who looks at the moves: at the position, at the move that is made in it, and whether so much was looked at that a line for people had
/// better stop; `false` is enough of them.
type Visit<'v> = &'v mut dyn FnMut(&Position, &Play, bool) -> Result<bool, SolveError>;

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
                if !visit(&position, &play, far)? {
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
