//! Answers that stop early: so many moves ahead, or at a limit, with what is proved by then.

use engine::Limit;
use engine::monitor::Monitor;
use game::Outcome;
use positions::searched::placed;
use rules::bind::Bound;
use search::bounded;
use search::game::{Bounds, INFINITE, Shared};

use super::solution::{AnswerKind, Solution, Understood};
use crate::answers::Proof;
use crate::case::Case;
use crate::error::{Bounded, SolveError};
use crate::methods::GivenUp;
use crate::methods::{LOOKING_AHEAD, Maker, unsuited_at_all};
use crate::options::Options;
use crate::stopping::watched;

/// Looks `moves` moves ahead. An answer where that proves the value; else an error with the bounds that are proved, and with what
/// the `estimate` of the rules makes of it.
pub(super) fn answer(
    bound: &Bound,
    options: &Options,
    moves: u32,
    monitor: &mut Monitor,
) -> Result<Solution, SolveError> {
    let mut last = None;
    let stopped = watched(monitor, |monitor| {
        let case = Case::new(bound, &bound.start, options, monitor.memory().free())?;
        look_ahead(&case, moves, monitor, &mut |ahead| last = Some(*ahead))
    });
    match (stopped, last) {
        (Ok(()), Some(ahead)) => match proved(bound, options, &ahead, monitor)? {
            Some(solution) => Ok(solution),
            None => {
                let error = SolveError::Limit { limit: Limit::Depth { moves: ahead.moves }, positions: ahead.nodes };
                Err(bounded(error, bound, &ahead))
            }
        },
        (Err(error), Some(ahead)) if error.is_limit() => Err(bounded(error, bound, &ahead)),
        (Err(error), _) => Err(error),
        (Ok(()), None) => Err(SolveError::internal("nothing was looked at")),
    }
}

fn bounded(error: SolveError, bound: &Bound, ahead: &Ahead) -> SolveError {
    let Ahead { low, high, .. } = *ahead;
    let estimate = bound.program.estimate.as_ref().and(ahead.estimate);
    let bounds = Bounded { is_outcome: !bound.program.counted, low, high, estimate };
    SolveError::Bounded { error: Box::new(error), bounds }
}

/// The answer, where both bounds met: without moves, which were not looked at one by one.
fn proved(bound: &Bound, options: &Options, ahead: &Ahead, monitor: &Monitor) -> Result<Option<Solution>, SolveError> {
    let (Some(value), true) = (ahead.low, ahead.low == ahead.high) else { return Ok(None) };
    let method = options.method.unwrap_or(LOOKING_AHEAD);
    let name = bound.program.name.clone();
    let mut solution = Solution::blank(name, Understood::new(bound), bound.start.turn, method);
    match bound.program.counted {
        true => solution.set_score(value),
        false => {
            solution.kind = AnswerKind::Outcome;
            solution.set_outcome(Outcome::of_sign(value));
        }
    }
    solution.set_cost(ahead.nodes, monitor);
    solution.proof = Proof::Search;
    Ok(Some(solution))
}

/// A limit, with what is proved of the value of the start by then.
pub(super) fn with_bounds(error: SolveError, bound: &Bound, monitor: &Monitor) -> SolveError {
    let Some((low, high)) = monitor.proved().filter(|_| error.is_limit() && error.bounds().is_none()) else {
        return error;
    };
    let (low, high) = (Some(low).filter(|low| *low > i64::MIN), Some(high).filter(|high| *high < i64::MAX));
    let is_outcome = !bound.program.counted;
    // That an outcome is lost, drawn or won is nothing to tell.
    if low.is_none() && high.is_none() || is_outcome && (low, high) == (Some(-1), Some(1)) {
        return error;
    }
    let bounds = Bounded { is_outcome, low, high, estimate: None };
    SolveError::Bounded { error: Box::new(error), bounds }
}

/// What was found so many moves ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ahead {
    /// The value is at least this, where anything is proved,
    low: Option<i64>,
    /// and at most that.
    high: Option<i64>,
    /// What it is guessed to be.
    estimate: Option<i64>,
    /// So many moves ahead.
    moves: u32,
    /// Positions that were looked at.
    nodes: u64,
}

/// Looks ahead move after move, to `moves` at the most. `found` is called after every depth.
fn look_ahead(
    case: &Case<'_>,
    moves: u32,
    monitor: &mut Monitor,
    found: &mut dyn FnMut(&Ahead),
) -> Result<(), SolveError> {
    if let Some(why) = unsuited_at_all(case) {
        return Err(SolveError::NotApplicable(format!("a look ahead does not apply: {why}")));
    }
    let plain = |given_up: GivenUp| given_up.into_error(|why| format!("a look ahead does not apply: {why}"));
    let maker = Maker::new(case, None).0;
    let game = maker.game().map_err(plain)?;
    game.watch(monitor);
    let key = game.key(&case.start).ok_or_else(|| SolveError::internal("the start is outside what was proved"))?;
    let shared: Shared<'_> = game.clone();
    let bytes = (monitor.memory().free() / 4).min(256 << 20);
    monitor.enter("looking ahead");
    let looked = bounded::look_ahead(&shared, &key, moves, bytes, monitor, &mut |ahead| {
        let Bounds { low, high } = ahead.bounds;
        found(&Ahead {
            low: Some(low).filter(|low| *low > -INFINITE),
            high: Some(high).filter(|high| *high < INFINITE),
            estimate: ahead.estimate,
            moves: ahead.moves,
            nodes: ahead.nodes,
        });
    });
    looked.map_err(|error| plain(placed(error, &game, maker.keeps).into()))
}
