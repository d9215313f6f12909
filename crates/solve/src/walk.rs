//! A walk along one line of best play: winners hurry, losers linger; otherwise the first best move is taken.
//!
//! Nothing is kept of the moves, so that a line may be as long as it likes. [`mod@crate::line`] keeps its beginning for the answer
//! and plays it again; [`whole`] hands all of it on, move by move, for a file.

use std::collections::HashMap;
use std::rc::Rc;

use game::{End, Player};
use rules::bind::Position;
use rules::interpreter::Interpreter;

use crate::ahead::AheadTable;
use crate::best::BestMoves;
use crate::error::SolveError;
use crate::line;
use crate::loopy::line::{Chooser, Next};
use crate::monitor::Monitor;
use crate::plan::Method;
use crate::play::{self, Play};
use crate::row::{RowTable, TriangleTable};
use crate::solved::Solved;
use crate::solver::overflow;
use crate::table::Table;
use crate::verdict::RatedMove;

/// How many parts a walk through a sum may look at before it has gone far.
const MOST_PARTS: usize = 20_000_000;

/// How many moves a walk through a sum of very many positions may rate before it has gone far.
const MOST_RATED: usize = 2_000_000;

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
    let stop = match &solved.table {
        Table::Rows(table) => through_rows(solved, table, &mut position, visit),
        Table::Triangle(table) => through_triangle(solved, table, &mut position, visit),
        Table::Ahead(table) => ahead(solved, table, &mut position, visit),
        _ if solved.plan.method == Method::Loopy => through_loops(solved, &mut position, visit),
        _ if solved.plan.method == Method::Heap => through_heaps(solved, &mut position, visit),
        _ if solved.by_parts() => through_parts(solved, &mut position, visit),
        _ => through_table(solved, &mut position, visit),
    };
    Ok((stop?, position))
}

fn through_table(solved: &Solved<'_>, position: &mut Position, visit: Visit<'_>) -> Result<Stop, SolveError> {
    let counted = is_counted(solved);
    let (mut looked, mut number) = (0, 0);
    let mut seen = HashMap::new();
    loop {
        let moves = solved.moves(position)?;
        if solved.plan.method == Method::Quotient {
            looked += moves.len();
        }
        let Some(play) = choice(moves) else { return Ok(Stop::Over) };
        number += 1;
        // Counted games end, or they would not have been solved.
        if !counted
            && solved.cyclic.holds
            && let Some(before) = seen.insert((solved.number(position), position.turn), number)
        {
            return Ok(Stop::Repeats(Some(before)));
        }
        if !visit(&Step { position, play: &play, far: looked > MOST_RATED })? {
            return Ok(Stop::Unwanted);
        }
        play.apply(position);
    }
}

/// Through rows, whose whole line is known beforehand.
fn through_rows(
    solved: &Solved<'_>,
    table: &RowTable,
    position: &mut Position,
    visit: Visit<'_>,
) -> Result<Stop, SolveError> {
    let goes_on = table.line(solved.bound, &mut |play| {
        let wanted = visit(&Step { position, play: &play, far: false })?;
        if wanted {
            play.apply(position);
        }
        Ok(wanted)
    })?;
    Ok(if goes_on { Stop::Unwanted } else { Stop::Over })
}

/// Through a triangle, whose moves may be kept where its values are not.
fn through_triangle(
    solved: &Solved<'_>,
    table: &TriangleTable,
    position: &mut Position,
    visit: Visit<'_>,
) -> Result<Stop, SolveError> {
    let Some(ends) = table.line() else { return Ok(Stop::Unknown) };
    let mut interpreter = Interpreter::new(solved.bound);
    for end in ends {
        let play = table.play(solved.bound, &mut interpreter, position, end)?;
        if !visit(&Step { position, play: &play, far: false })? {
            return Ok(Stop::Unwanted);
        }
        play.apply(position);
    }
    Ok(Stop::Over)
}

/// Forward through a list.
fn ahead(
    solved: &Solved<'_>,
    table: &AheadTable,
    position: &mut Position,
    visit: Visit<'_>,
) -> Result<Stop, SolveError> {
    let missing = || SolveError::Internal("there is no line through a list".to_string());
    let mut interpreter = Interpreter::new(solved.bound);
    let mut from = table.from();
    for to in table.line().ok_or_else(missing)? {
        let play = table.play(solved.bound, &mut interpreter, position, from, to)?;
        if !visit(&Step { position, play: &play, far: false })? {
            return Ok(Stop::Unwanted);
        }
        play.apply(position);
        from = to;
    }
    Ok(Stop::Over)
}

/// Through a sum whose parts have Grundy numbers: this need not look at whole positions, of which there may be very many, but
/// only at the moves of each different part, once.
fn through_parts(solved: &Solved<'_>, position: &mut Position, visit: Visit<'_>) -> Result<Stop, SolveError> {
    let mut known = HashMap::new();
    let mut looked = 0;
    loop {
        let mut total = 0;
        for part in &position.parts {
            total ^= solved.part_nimber(part)?;
        }
        let mut chosen = None;
        for (index, part) in position.parts.iter().enumerate() {
            let moves = part_moves(solved, part, position.turn, &mut known)?;
            let wanted = solved.part_nimber(part)? ^ total;
            chosen =
                moves.iter().find(|(_, nimber)| total == 0 || *nimber == wanted).map(|(play, _)| (index, play.clone()));
            if chosen.is_some() {
                break;
            }
        }
        let Some((index, mut play)) = chosen else { return Ok(Stop::Over) };
        looked += position.parts.len();
        play.part = index;
        play.turn = position.turn.next(solved.bound.players);
        let name = play.label.strip_suffix(" in part 0").unwrap_or(&play.label);
        play.label = format!("{name} in part {index}");
        if !visit(&Step { position, play: &play, far: looked > MOST_PARTS })? {
            return Ok(Stop::Unwanted);
        }
        play.apply(position);
    }
}

/// Through heaps that may be too large to list their moves.
fn through_heaps(solved: &Solved<'_>, position: &mut Position, visit: Visit<'_>) -> Result<Stop, SolveError> {
    loop {
        let BestMoves { best, fast, .. } = BestMoves::of(solved, position, 1)?;
        let Some(play) = fast.into_iter().chain(best).next() else { return Ok(Stop::Over) };
        if !visit(&Step { position, play: &play, far: false })? {
            return Ok(Stop::Unwanted);
        }
        play.apply(position);
    }
}

/// Through a sum whose parts can repeat.
fn through_loops(solved: &Solved<'_>, position: &mut Position, visit: Visit<'_>) -> Result<Stop, SolveError> {
    let mut chooser = Chooser::new(solved);
    let mut looked = 0;
    loop {
        let play = match chooser.next(position)? {
            Next::Over => return Ok(Stop::Over),
            Next::Repeats => return Ok(Stop::Repeats(None)),
            Next::Move(play) => play,
        };
        if !visit(&Step { position, play: &play, far: looked > MOST_PARTS })? {
            return Ok(Stop::Unwanted);
        }
        looked += position.parts.len();
        play.apply(position);
    }
}

/// Whether gains are added up.
pub(crate) fn is_counted(solved: &Solved<'_>) -> bool {
    solved.bound.program.counted || solved.bound.players > 2
}

/// The moves of a part with the Grundy number of what they lead to.
type PartMoves = Rc<[(Play, game::Nimber)]>;

/// The moves of one part, worked out once.
fn part_moves(
    solved: &Solved<'_>,
    part: &[i64],
    mover: Player,
    known: &mut HashMap<Box<[i64]>, PartMoves>,
) -> Result<PartMoves, SolveError> {
    if let Some(moves) = known.get(part) {
        return Ok(Rc::clone(moves));
    }
    let mut plays = Vec::new();
    play::plays_in_part(solved.bound, &mut Interpreter::new(solved.bound), part, 0, mover, &mut plays)?;
    let mut moves = Vec::with_capacity(plays.len());
    for play in plays {
        let nimber = play.into.iter().try_fold(0, |sum, part| solved.part_nimber(part).map(|n| sum ^ n))?;
        moves.push((play, nimber));
    }
    let moves: PartMoves = moves.into();
    known.insert(part.into(), Rc::clone(&moves));
    Ok(moves)
}

/// The move that the line takes: the first fast one, else the first best one.
pub(crate) fn choice(moves: Vec<RatedMove>) -> Option<Play> {
    let chosen = moves.iter().position(|mv| mv.fast).or_else(|| moves.iter().position(|mv| mv.best))?;
    moves.into_iter().nth(chosen).map(|mv| mv.play)
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
    fit.collect::<Result<_, _>>().map_err(|_| overflow(solved.bound, &solved.start))
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
    let mut totals = vec![0i128; if is_counted(solved) { solved.bound.players } else { 0 }];
    let mut moves = 0;
    let (stop, position) = walk(solved, &mut |step| {
        monitor.tick(solved.positions, moves)?;
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
