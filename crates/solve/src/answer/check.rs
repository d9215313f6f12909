//! The oracle: positions of a finished table, valued again from the rules alone.
//!
//! Each position looked at is put to the interpreter: is it over, which moves are there, what do they gain, where do they
//! lead. The value that follows from the values of its options must be the one in the table. Done at every position this is
//! a proof for games that come to an end, whatever made the table; done at some it is a spot check of the code that was
//! compiled, of the order in which positions were filled, and of how they are numbered.

use engine::monitor::Monitor;
use engine::valuation::{Mex, is_better};
use game::{End, LoopyNimber, Nimber, Outcome, Random, Remoteness, Verdict};
use rules::bind::Position;
use rules::play;
use rules::show;

use crate::answers::RatedMove;
use crate::error::SolveError;
use crate::options::Amount;
use crate::solved::Solved;
use crate::stopping::scope;
use positions::oracle::Keeps;

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
    let _scope = scope(monitor);
    let all = match amount {
        Amount::All => true,
        Amount::Some(wanted) => wanted >= solved.answers.size(),
    };
    let mut positions = 0;
    let mut look = |position: &Position, monitor: &mut Monitor| {
        monitor.tick(solved.positions(), positions)?;
        positions += 1;
        one(solved, position)
    };
    match amount {
        Amount::Some(wanted) if !all => {
            monitor.enter_expecting("checking", wanted);
            // The same positions each time, so that a check can be repeated.
            let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
            for _ in 0..wanted {
                match solved.answers.random(solved.start.turn, &mut || random.next()) {
                    Some(position) => look(&position, monitor)?,
                    None => break,
                }
            }
        }
        _ => {
            monitor.enter_expecting("checking", solved.answers.size());
            for position in solved.answers.each(solved.start.turn) {
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
        Some(end) if !solved.answers.by_parts() => of_end(&end, position, &verdict)?,
        _ => of_moves(&solved.answers.rated(solved.bound, position, play::plays(solved.bound, position)?)?, &verdict),
    };
    let agree = match (&verdict, &expected) {
        // Classes of misère sums know no lengths.
        (Verdict::Outcome { outcome, .. }, Verdict::Outcome { outcome: expected, .. })
            if !solved.answers.knows_lengths() =>
        {
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
        if let Verdict::Outcome { outcome, remoteness, .. } = mv.worth {
            let option = (outcome, remoteness);
            best = Some(best.filter(|held| !is_better(option, *held)).unwrap_or(option));
        }
    }
    match verdict {
        Verdict::Nimber(_) | Verdict::Loopy(_) => loopy(moves).into(),
        Verdict::Outcome { .. } => {
            let (outcome, remoteness) = best.unwrap_or((Outcome::Loss, Some(0)));
            Verdict::Outcome { outcome, remoteness, nimber }
        }
        Verdict::Score(_) | Verdict::Payoffs { .. } => match moves.iter().find(|mv| mv.best).map(|mv| &mv.worth) {
            Some(worth) => worth.clone(),
            None => Verdict::Score(0),
        },
    }
}

/// The loopy nimber that the rule gives to a position whose options have theirs. It is not the proof that it is for games that
/// end, since two positions that lead to each other could be wrong together.
fn loopy(moves: &[RatedMove]) -> LoopyNimber {
    let label = mex(moves);
    match infinite(moves).all(|set| set.contains(label)) {
        true => LoopyNimber::Finite(label),
        false => LoopyNimber::infinite(nimbers(moves)),
    }
}

fn mex(moves: &[RatedMove]) -> Nimber {
    let mut mex = Mex::default();
    mex.start(moves.len());
    nimbers(moves).for_each(|nimber| mex.mark(nimber));
    mex.finish()
}

/// The nimbers of what moves leave, where they are ordinary ones.
fn nimbers(moves: &[RatedMove]) -> impl Iterator<Item = Nimber> {
    moves.iter().filter_map(|mv| mv.leaves.as_ref()?.nimber())
}

/// The sets of what moves leave, where it is infinite.
fn infinite(moves: &[RatedMove]) -> impl Iterator<Item = &game::NimberSet> {
    moves.iter().filter_map(|mv| match mv.leaves.as_ref()? {
        LoopyNimber::Infinite(set) => Some(set),
        LoopyNimber::Finite(_) => None,
    })
}
