//! One line of best play, and its replay: the proof of the pudding after every solve.
//!
//! The line is read off the table. Then it is played again from the rules alone, and what it earns must be what the
//! table says. A difference is an error of ours and never an answer.

use std::collections::HashSet;

use game::{End, Outcome};
use rules::bind::{Bound, Position};

use crate::error::SolveError;
use crate::monitor::Monitor;
use crate::positions::Worth as Keeps;
use crate::solution::MOST_MOVES;
use crate::solver::{Solved, end, plays};
use crate::verdict::{RatedMove, Verdict};

/// One optimal play.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Its moves, at most [`MOST_MOVES`].
    pub moves: Vec<String>,
    /// Whether it goes on behind them: it is longer, or never ends.
    pub cut: bool,
    /// What each player gains along the whole line; empty where nothing is counted.
    pub totals: Vec<i64>,
    /// Where the line stands after the moves that are kept.
    at: Option<Position>,
    /// What was gained up to there.
    gained: Vec<i64>,
}

impl Line {
    /// The line from the start of a solved game. Winners hurry, losers linger; otherwise the first best move is taken.
    pub fn of(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Line, SolveError> {
        let counted = solved.bound.program.counted || solved.bound.players > 2;
        let mut line =
            Line { totals: if counted { vec![0; solved.bound.players] } else { Vec::new() }, ..Line::default() };
        let mut position = solved.start.clone();
        let mut seen = HashSet::new();
        loop {
            monitor.tick(solved.positions, solved.positions)?;
            let full = line.moves.len() == MOST_MOVES;
            if full && line.at.is_none() {
                line.at = Some(position.clone());
                line.gained = line.totals.clone();
            }
            let moves = solved.moves(&position)?;
            let Some(mv) = choice(moves) else { break };
            let endless = !counted && !seen.insert(position.clone());
            if endless || (full && !counted) {
                line.cut = true;
                break;
            }
            add(&mut line.totals, &mv.gains)?;
            line.cut |= full;
            if !full {
                line.moves.push(mv.label);
            }
            position = mv.option;
        }
        if line.at.is_none() {
            line.at = Some(position.clone());
            line.gained = line.totals.clone();
        }
        if counted && let Some(End::Gains(gains)) = end(solved.bound, &position)? {
            add(&mut line.totals, &gains)?;
        }
        Ok(line)
    }

    /// Plays the line again from the rules alone and compares with the table.
    pub fn replay(&self, solved: &Solved<'_>) -> Result<(), SolveError> {
        let wrong =
            |what: String| Err(SolveError::Internal(format!("the line of best play does not give the value: {what}")));
        let mut position = solved.start.clone();
        let mut gained = vec![0; self.totals.len()];
        for label in &self.moves {
            let Some(play) = plays(solved.bound, &position)?.into_iter().find(|play| play.label == *label) else {
                return wrong(format!("`{label}` is not a legal move"));
            };
            add(&mut gained, &play.gains)?;
            position = play.option;
        }
        if self.at.as_ref() != Some(&position) || gained != self.gained {
            return wrong("it leads elsewhere".to_string());
        }
        let Some(start) = solved.verdict(&solved.start) else { return wrong("the start has no value".to_string()) };
        let over = if self.cut { None } else { end(solved.bound, &position)? };
        if !self.cut && over.is_none() {
            return wrong("it stops before the end".to_string());
        }
        let payoffs = matches!(start, Verdict::Payoffs { .. });
        let rest = match over {
            Some(End::Gains(gains)) if payoffs => Verdict::Payoffs { totals: gains.into(), unique: true },
            Some(End::Gains(gains)) => Verdict::Score(Keeps::Score.gain(&gains, position.turn)?),
            Some(End::Outcome(outcome)) => Verdict::Outcome { outcome, remoteness: Some(0), nimber: None },
            None => {
                solved.verdict(&position).ok_or_else(|| SolveError::Internal("a position without value".to_string()))?
            }
        };
        let agrees = match (&start, &rest) {
            (Verdict::Score(value), Verdict::Score(rest)) => {
                let so_far = Keeps::Score.gain(&gained, solved.start.turn)?;
                let rest = if position.turn == solved.start.turn { Some(*rest) } else { rest.checked_neg() };
                rest.and_then(|rest| so_far.checked_add(rest)) == Some(*value)
            }
            (Verdict::Payoffs { totals, .. }, Verdict::Payoffs { totals: rest, .. }) => {
                add(&mut gained, rest)?;
                gained[..] == totals[..]
            }
            (start, rest) => {
                let rest = rest.outcome().unwrap_or(Outcome::Draw);
                let rest = if position.turn == solved.start.turn { rest } else { -rest };
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

/// The move that the line takes: the first fast one, else the first best one.
fn choice(moves: Vec<RatedMove>) -> Option<RatedMove> {
    let chosen = moves.iter().position(|mv| mv.fast).or_else(|| moves.iter().position(|mv| mv.best))?;
    moves.into_iter().nth(chosen)
}

fn add(totals: &mut [i64], gains: &[i64]) -> Result<(), SolveError> {
    for (total, gain) in totals.iter_mut().zip(gains) {
        *total = total.checked_add(*gain).ok_or(SolveError::Overflow)?;
    }
    Ok(())
}

/// The option that a move of that name leads to, if it is legal.
pub fn find_play(bound: &Bound, position: &Position, label: &str) -> Result<Option<Position>, SolveError> {
    let wanted = squeeze(label);
    Ok(plays(bound, position)?.into_iter().find(|play| squeeze(&play.label) == wanted).map(|play| play.option))
}

/// A label without spaces, so that `take( 2 )` is `take(2)`.
fn squeeze(label: &str) -> String {
    label.chars().filter(|c| !c.is_whitespace()).collect()
}
