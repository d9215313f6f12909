//! One line of best play, and its replay: the proof of the pudding after every solve.
//!
//! The line is read off the table. Then it is played again from the rules alone, and what it earns must be what the
//! table says. A difference is an error of ours and never an answer.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use game::{End, Outcome, Player};
use rules::bind::Position;
use rules::interpreter::Interpreter;

use crate::ahead::AheadTable;
use crate::best::BestMoves;
use crate::error::SolveError;
use crate::loopy::line::{Chooser, Next};
use crate::monitor::Monitor;
use crate::plan::Method;
use crate::play::{self, Play};
use crate::positions::Worth as Keeps;
use crate::row::{RowTable, TriangleTable};
use crate::solution::MOST_MOVES;
use crate::solved::Solved;
use crate::solver::overflow;
use crate::table::Table;
use crate::verdict::{RatedMove, Verdict};

/// How many parts a line through a sum may look at before it is cut short.
const MOST_PARTS: usize = 20_000_000;

/// How many moves a line through a sum of very many positions may rate before it is cut short.
const MOST_RATED: usize = 2_000_000;

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
    gained: Vec<i64>,
}

impl Line {
    /// The line from the start of a solved game. Winners hurry, losers linger; otherwise the first best move is taken.
    pub fn of(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Line, SolveError> {
        if solved.plan.method == Method::Loopy {
            return Line::through_loops(solved, monitor);
        }
        if solved.plan.method == Method::Heap {
            return Line::through_heaps(solved, monitor);
        }
        if let Table::Rows(table) = &solved.table {
            return Line::through_rows(solved, table);
        }
        if let Table::Triangle(table) = &solved.table {
            return Line::through_triangle(solved, table);
        }
        if let Table::Ahead(table) = &solved.table {
            return Line::ahead(solved, table);
        }
        if solved.by_parts() {
            return Line::through_parts(solved, monitor);
        }
        let counted = solved.bound.program.counted || solved.bound.players > 2;
        let mut looked = 0;
        let totals = if counted { vec![0; solved.bound.players] } else { Vec::new() };
        let mut line = Line { gained: totals.clone(), totals, ..Line::default() };
        let mut position = solved.start.clone();
        let mut seen = HashSet::new();
        loop {
            let in_time = keeps_going(solved, monitor)?;
            let full = line.moves.len() == MOST_MOVES || looked > MOST_RATED || !(in_time || counted);
            let moves = solved.moves(&position)?;
            if solved.plan.method == Method::Quotient {
                looked += moves.len();
            }
            let Some(play) = choice(moves) else { break };
            let endless = !counted && !seen.insert((solved.number(&position), position.turn));
            line.cut |= endless || full;
            if line.cut && !counted {
                break;
            }
            add(&mut line.totals, &play.gains).map_err(|_| overflow(solved.bound, &position))?;
            play.apply(&mut position);
            if !full {
                line.gained.clone_from(&line.totals);
                line.moves.push(play);
            }
        }
        if counted && let Some(End::Gains(gains)) = play::end(solved.bound, &position)? {
            add(&mut line.totals, &gains).map_err(|_| overflow(solved.bound, &position))?;
        }
        Ok(line)
    }

    /// The line through a sum whose parts have Grundy numbers: it need not look at whole positions, of which there may be
    /// very many, but only at the moves of each different part, once.
    fn through_parts(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Line, SolveError> {
        let mut line = Line::default();
        let mut position = solved.start.clone();
        let mut known = HashMap::new();
        let mut looked = 0;
        loop {
            let in_time = keeps_going(solved, monitor)?;
            let mut total = 0;
            for part in &position.parts {
                total ^= solved.part_nimber(part)?;
            }
            let mut chosen = None;
            for (index, part) in position.parts.iter().enumerate() {
                let moves = part_moves(solved, part, position.turn, &mut known)?;
                let wanted = solved.part_nimber(part)? ^ total;
                chosen = moves
                    .iter()
                    .find(|(_, nimber)| total == 0 || *nimber == wanted)
                    .map(|(play, _)| (index, play.clone()));
                if chosen.is_some() {
                    break;
                }
            }
            let Some((index, mut play)) = chosen else { return Ok(line) };
            looked += position.parts.len();
            if line.moves.len() == MOST_MOVES || looked > MOST_PARTS || !in_time {
                line.cut = true;
                return Ok(line);
            }
            play.part = index;
            play.turn = position.turn.next(solved.bound.players);
            let name = play.label.strip_suffix(" in part 0").unwrap_or(&play.label);
            play.label = format!("{name} in part {index}");
            play.apply(&mut position);
            line.moves.push(play);
        }
    }

    /// The line through heaps that may be too large to list their moves.
    fn through_heaps(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Line, SolveError> {
        let mut line = Line::default();
        let mut position = solved.start.clone();
        loop {
            let in_time = keeps_going(solved, monitor)?;
            let BestMoves { best, fast, .. } = BestMoves::of(solved, &position, 1)?;
            let Some(play) = fast.into_iter().chain(best).next() else { return Ok(line) };
            if line.moves.len() == MOST_MOVES || !in_time {
                line.cut = true;
                return Ok(line);
            }
            play.apply(&mut position);
            line.moves.push(play);
        }
    }

    /// The line through rows, of which only the moves that are kept need be looked at.
    fn through_rows(solved: &Solved<'_>, table: &RowTable) -> Result<Line, SolveError> {
        let totals = table.totals(&solved.start).ok_or_else(|| overflow(solved.bound, &solved.start))?;
        let mut line = Line { gained: vec![0; totals.len()], totals: totals.into(), ..Line::default() };
        line.cut = table.line(solved.bound, &mut |play| {
            if line.moves.len() == MOST_MOVES {
                return Ok(false);
            }
            add(&mut line.gained, &play.gains)?;
            line.moves.push(play);
            Ok(true)
        })?;
        Ok(line)
    }

    /// The line through a triangle, whose moves may be kept where its values are not.
    fn through_triangle(solved: &Solved<'_>, table: &TriangleTable) -> Result<Line, SolveError> {
        let Some(ends) = table.line() else { return Ok(Line { cut: true, ..Line::default() }) };
        let mut line = Line { gained: vec![0; 2], totals: vec![0; 2], ..Line::default() };
        let mut position = solved.start.clone();
        let mut interpreter = Interpreter::new(solved.bound);
        for end in ends {
            let play = table.play(solved.bound, &mut interpreter, &position, end)?;
            add(&mut line.totals, &play.gains).map_err(|_| overflow(solved.bound, &position))?;
            play.apply(&mut position);
            line.cut = line.moves.len() == MOST_MOVES;
            if !line.cut {
                line.gained.clone_from(&line.totals);
                line.moves.push(play);
            }
        }
        if let Some(End::Gains(gains)) = play::end(solved.bound, &position)? {
            add(&mut line.totals, &gains).map_err(|_| overflow(solved.bound, &position))?;
        }
        Ok(line)
    }

    /// The line forward through a list.
    fn ahead(solved: &Solved<'_>, table: &AheadTable) -> Result<Line, SolveError> {
        let missing = || SolveError::Internal("there is no line through a list".to_string());
        let mut line = Line { gained: vec![0; 2], totals: vec![0; 2], ..Line::default() };
        let mut position = solved.start.clone();
        let mut interpreter = Interpreter::new(solved.bound);
        let mut from = table.from();
        for to in table.line().ok_or_else(missing)? {
            let play = table.play(solved.bound, &mut interpreter, &position, from, to)?;
            add(&mut line.totals, &play.gains).map_err(|_| overflow(solved.bound, &position))?;
            play.apply(&mut position);
            line.cut = line.moves.len() == MOST_MOVES;
            if !line.cut {
                line.gained.clone_from(&line.totals);
                line.moves.push(play);
            }
            from = to;
        }
        if let Some(End::Gains(gains)) = play::end(solved.bound, &position)? {
            add(&mut line.totals, &gains).map_err(|_| overflow(solved.bound, &position))?;
        }
        Ok(line)
    }

    /// The line through a sum whose parts can repeat.
    fn through_loops(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Line, SolveError> {
        let mut line = Line::default();
        let mut position = solved.start.clone();
        let mut chooser = Chooser::new(solved);
        let mut looked = 0;
        loop {
            let in_time = keeps_going(solved, monitor)?;
            let play = match chooser.next(&position)? {
                Next::Over => return Ok(line),
                Next::Move(play) if line.moves.len() < MOST_MOVES && looked <= MOST_PARTS && in_time => play,
                Next::Move(_) | Next::Repeats => {
                    line.cut = true;
                    return Ok(line);
                }
            };
            looked += position.parts.len();
            play.apply(&mut position);
            line.moves.push(play);
        }
    }

    /// Plays the line again from the rules alone and compares with the table.
    pub fn replay(&self, solved: &Solved<'_>) -> Result<(), SolveError> {
        let wrong =
            |what: String| Err(SolveError::Internal(format!("the line of best play does not give the value: {what}")));
        let mut interpreter = Interpreter::new(solved.bound);
        let mut position = solved.start.clone();
        let mut gained = vec![0; self.totals.len()];
        for play in &self.moves {
            let mut legal = Vec::new();
            let over =
                solved.bound.program.sum.is_none() && interpreter.end(&position.parts[0], position.turn)?.is_some();
            if solved.plan.method == Method::Heap {
                // The rules have played it when it was found; there may be too many others to list.
                legal.push(play.clone());
            } else if !over {
                let part = &position.parts[play.part];
                play::plays_in_part(solved.bound, &mut interpreter, part, play.part, position.turn, &mut legal)?;
            }
            if !legal.contains(play) {
                return wrong(format!("`{}` is not a legal move", play.label));
            }
            add(&mut gained, &play.gains)?;
            play.apply(&mut position);
        }
        if gained != self.gained {
            return wrong("it earns something else".to_string());
        }
        self.compare(solved, &position, gained)
    }

    /// Compares the start's value with what was gained up to a position and with what follows there.
    fn compare(&self, solved: &Solved<'_>, position: &Position, mut gained: Vec<i64>) -> Result<(), SolveError> {
        let wrong =
            |what: String| Err(SolveError::Internal(format!("the line of best play does not give the value: {what}")));
        let Some(start) = solved.verdict(&solved.start) else { return wrong("the start has no value".to_string()) };
        let over = if self.cut { None } else { play::end(solved.bound, position)? };
        if !self.cut && over.is_none() {
            return wrong("it stops before the end".to_string());
        }
        let payoffs = matches!(start, Verdict::Payoffs { .. });
        let rest = match over {
            Some(End::Gains(gains)) if payoffs => Verdict::Payoffs { totals: gains.into(), unique: None },
            Some(End::Gains(gains)) => Verdict::Score(Keeps::Score.gain(&gains, position.turn)?),
            Some(End::Outcome(outcome)) => Verdict::Outcome { outcome, remoteness: Some(0), nimber: None },
            None => {
                solved.verdict(position).ok_or_else(|| SolveError::Internal("a position without value".to_string()))?
            }
        };
        let same = position.turn == solved.start.turn;
        let agrees = match (&start, &rest) {
            (Verdict::Score(value), Verdict::Score(rest)) => {
                let so_far = Keeps::Score.gain(&gained, solved.start.turn)?;
                let rest = if same { Some(*rest) } else { rest.checked_neg() };
                rest.and_then(|rest| so_far.checked_add(rest)) == Some(*value)
            }
            (Verdict::Payoffs { totals, .. }, Verdict::Payoffs { totals: rest, .. }) => {
                add(&mut gained, rest)?;
                gained[..] == totals[..]
            }
            (start, rest) => {
                let rest = rest.outcome().unwrap_or(Outcome::Draw);
                let rest = if same { rest } else { -rest };
                let length = start.remoteness().filter(|_| !self.cut);
                start.outcome() == Some(rest) && length.is_none_or(|length| length as usize == self.moves.len())
            }
        };
        if agrees {
            Ok(())
        } else {
            wrong(format!("{start:?} at the start, {rest:?} after {} moves", self.moves.len()))
        }
    }
}

/// Whether there is time to look further along the line. The answer itself is known by now, so that a limit only cuts
/// the line short; being stopped still stops.
fn keeps_going(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<bool, SolveError> {
    match monitor.tick(solved.positions, solved.positions) {
        Ok(()) => Ok(true),
        Err(error) if error.is_limit() => Ok(false),
        Err(error) => Err(error),
    }
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
fn choice(moves: Vec<RatedMove>) -> Option<Play> {
    let chosen = moves.iter().position(|mv| mv.fast).or_else(|| moves.iter().position(|mv| mv.best))?;
    moves.into_iter().nth(chosen).map(|mv| mv.play)
}

fn add(totals: &mut [i64], gains: &[i64]) -> Result<(), SolveError> {
    for (total, gain) in totals.iter_mut().zip(gains) {
        *total = total.checked_add(*gain).ok_or(SolveError::Overflow)?;
    }
    Ok(())
}
