//! The oracle: positions of a finished table, valued again from the rules alone.
//!
//! Each position looked at is put to the interpreter: is it over, which moves are there, what do they gain, where do they
//! lead. The value that follows from the values of its options must be the one in the table. Done at every position this is
//! a proof for games that come to an end, whatever made the table; done at some it is a spot check of the code that was
//! compiled, of the order in which positions were filled, and of how they are numbered.

use game::{End, LoopyNimber, Nimber, Outcome, Remoteness};
use rules::bind::Position;
use rules::show;

use crate::error::SolveError;
use crate::monitor::Monitor;
use crate::positions::Worth as Keeps;
use crate::solved::Solved;
use crate::valuation::mex::Mex;
use crate::valuation::outcome::is_better;
use crate::verdict::{RatedMove, Verdict, Worth};

/// How many positions are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// So many, chosen at random; all if there are not more.
    Some(u64),
    /// Every one.
    All,
}

/// What a check has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// How many positions were valued again, and agree.
    pub positions: u64,
    /// Whether these are all.
    pub all: bool,
}

/// Values positions of the table again. A difference is an internal error that shows the position.
pub fn check(solved: &Solved<'_>, amount: Amount, monitor: &mut Monitor) -> Result<Checked, SolveError> {
    let all = match amount {
        Amount::All => true,
        Amount::Some(wanted) => wanted >= solved.size(),
    };
    let mut positions = 0;
    let mut look = |position: &Position, monitor: &mut Monitor| {
        monitor.tick(solved.positions, positions)?;
        positions += 1;
        one(solved, position)
    };
    match amount {
        Amount::Some(wanted) if !all => {
            monitor.enter_expecting("checking", wanted);
            let mut random = Random(0x9e37_79b9_7f4a_7c15);
            for _ in 0..wanted {
                match solved.random_position(&mut || random.next()) {
                    Some(position) => look(&position, monitor)?,
                    None => break,
                }
            }
        }
        _ => {
            monitor.enter_expecting("checking", solved.size());
            for position in solved.each_position() {
                look(&position, monitor)?;
            }
        }
    }
    Ok(Checked { positions, all })
}

/// Compares the table with what the rules say of one position.
fn one(solved: &Solved<'_>, position: &Position) -> Result<(), SolveError> {
    let wrong = |what: String| {
        let place = show::position_text(solved.bound, position);
        Err(SolveError::Internal(format!(
            "the table is wrong at the position {place}, {} to move: {what}",
            position.turn
        )))
    };
    let Some(verdict) = solved.verdict(position) else { return wrong("it has no value".to_string()) };
    let expected = match solved.end(position)? {
        Some(end) if !solved.by_parts() => of_end(&end, position, &verdict)?,
        _ => of_moves(&solved.moves(position)?, &verdict),
    };
    let agree = match (&verdict, &expected) {
        // Classes of misère sums know no lengths.
        (Verdict::Outcome { outcome, .. }, Verdict::Outcome { outcome: expected, .. }) if solved.knows_no_lengths() => {
            outcome == expected
        }
        _ => agrees(&verdict, &expected),
    };
    if agree { Ok(()) } else { wrong(format!("{verdict:?}, and the rules give {expected:?}")) }
}

fn agrees(verdict: &Verdict, expected: &Verdict) -> bool {
    match (verdict, expected) {
        (Verdict::Payoffs { totals, .. }, Verdict::Payoffs { totals: expected, .. }) => totals == expected,
        _ => verdict == expected,
    }
}

fn of_end(end: &End, position: &Position, verdict: &Verdict) -> Result<Verdict, SolveError> {
    Ok(match end {
        End::Outcome(outcome) => {
            Verdict::Outcome { outcome: *outcome, remoteness: Some(0), nimber: verdict.nimber().map(|_| 0) }
        }
        End::Gains(gains) if matches!(verdict, Verdict::Payoffs { .. }) => {
            Verdict::Payoffs { totals: gains[..].into(), unique: None }
        }
        End::Gains(gains) => Verdict::Score(Keeps::Score.gain(gains, position.turn)?),
    })
}

/// The value that the moves give; there is at least one, except in a sum without moves.
fn of_moves(moves: &[RatedMove], verdict: &Verdict) -> Verdict {
    let nimber = verdict.nimber().map(|_| mex(moves));
    let mut best: Option<(Outcome, Remoteness)> = None;
    for mv in moves {
        if let Worth::Outcome(outcome, remoteness) = mv.worth {
            let option = (outcome, remoteness);
            best = Some(best.filter(|held| !is_better(option, *held)).unwrap_or(option));
        }
    }
    match verdict {
        Verdict::Nimber(_) => Verdict::Nimber(nimber.unwrap_or(0)),
        Verdict::Loopy(_) => Verdict::Loopy(loopy(moves)),
        Verdict::Outcome { .. } => {
            let (outcome, remoteness) = best.unwrap_or((Outcome::Loss, Some(0)));
            Verdict::Outcome { outcome, remoteness, nimber }
        }
        Verdict::Score(_) | Verdict::Payoffs { .. } => match moves.iter().find(|mv| mv.best).map(|mv| &mv.worth) {
            Some(Worth::Score(score)) => Verdict::Score(*score),
            Some(Worth::Payoffs(totals)) => Verdict::Payoffs { totals: totals.clone(), unique: None },
            _ => Verdict::Score(0),
        },
    }
}

/// The loopy nimber that the rule gives to a position whose options have theirs. It is not the proof that it is for games that
/// end, since two positions that lead to each other could be wrong together.
fn loopy(moves: &[RatedMove]) -> LoopyNimber {
    let label = mex(moves);
    match moves.iter().filter_map(|mv| mv.infinite.as_ref()).all(|set| set.contains(label)) {
        true => LoopyNimber::Finite(label),
        false => LoopyNimber::infinite(moves.iter().filter_map(|mv| mv.nimber)),
    }
}

fn mex(moves: &[RatedMove]) -> Nimber {
    let mut mex = Mex::default();
    mex.start(moves.len());
    moves.iter().filter_map(|mv| mv.nimber).for_each(|nimber| mex.mark(nimber));
    mex.finish()
}

/// A small generator of its own, so that a check can be repeated: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use std::sync::Arc;

    #[test]
    fn a_spoiled_table_is_noticed() {
        let rules =
            "game row(n: int) { state { left in 0..=n = n; } move take(k in 1..=3) when k <= left { left -= k; } }";
        let program = Arc::new(rules::compile(rules).unwrap());
        let instance = rules::instance::parse_instance(r#"{"n": 40}"#).unwrap();
        let bound = rules::bind::bind(&program, &instance).unwrap();
        let mut monitor = Monitor::unlimited();
        let options = crate::options::Options { engine: crate::options::Engine::Interpreted, ..Default::default() };
        let mut solved = crate::solver::solve(&bound, &bound.start, &options, &mut monitor).unwrap();
        assert_eq!(check(&solved, Amount::All, &mut monitor), Ok(Checked { positions: 41, all: true }));
        assert_eq!(check(&solved, Amount::Some(7), &mut monitor), Ok(Checked { positions: 7, all: false }));
        assert_eq!(check(&solved, Amount::Some(99), &mut monitor), Ok(Checked { positions: 41, all: true }));
        let Table::Outcomes(_, values) = &mut solved.table else { panic!("a table of outcomes") };
        values.set(17, Outcome::Draw, Some(1)).unwrap();
        let error = check(&solved, Amount::All, &mut monitor).unwrap_err();
        assert!(error.to_string().contains("the table is wrong at the position"), "{error}");
    }
}
