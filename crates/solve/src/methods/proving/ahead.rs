//! Looks so many moves ahead from the start of a case: bounds that are proved, and a guess.

use engine::monitor::Monitor;
use search::bounded;
use search::game::{Bounds, INFINITE, Shared};

use super::maker::{Maker, unsuited_at_all};
use crate::case::Case;
use crate::error::SolveError;
use crate::method::GivenUp;
use positions::searched::placed;

/// What was found so many moves ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ahead {
    /// The value is at least this, where anything is proved,
    pub low: Option<i64>,
    /// and at most that.
    pub high: Option<i64>,
    /// What it is guessed to be.
    pub estimate: Option<i64>,
    /// So many moves ahead.
    pub moves: u32,
    /// Positions that were looked at.
    pub nodes: u64,
}

/// Looks ahead move after move, to `moves` at the most. `found` is called after every depth.
pub(crate) fn look_ahead(
    case: &Case<'_>,
    moves: u32,
    monitor: &mut Monitor,
    found: &mut dyn FnMut(&Ahead),
) -> Result<(), SolveError> {
    if let Some(why) = unsuited_at_all(case) {
        return Err(SolveError::NotApplicable(format!("--depth does not apply: {why}")));
    }
    let plain = |given_up: GivenUp| match given_up {
        GivenUp::Error(error) => error,
        GivenUp::Because(reason) => reason.into_error("alpha_beta"),
    };
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
    looked.map_err(|error| plain(placed(error, &game, maker.keeps)))
}
