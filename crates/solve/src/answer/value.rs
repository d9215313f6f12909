//! The value of a position in an arena that the caller has: to be added to others, compared, cooled.

use boards::Valuer;
use engine::Error;
use engine::monitor::Monitor;
use rules::bind::{Bound, Position};
use shapes::local::Local;
use values::{Arena, Value};

use crate::case::{Case, properties};
use crate::error::{Limit, SolveError};
use crate::method::GivenUp;
use crate::methods::Forms;
use crate::options::Options;
use crate::reason::Reason;
use crate::solved::solve;
use crate::stopping::watched;

/// The value of a position: its canonical form where moves belong to players, its nimber where both have the same.
///
/// The arena should be made for the same limits as the monitor ([`boards::CanonicalForms::new`]).
pub fn value_in(
    arena: &mut Arena,
    bound: &Bound,
    position: &Position,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Value, SolveError> {
    let case = Case::new(bound, position, options, monitor.memory().free())?;
    let name = &bound.program.name;
    let found = if case.facts.nimbers {
        nimber(arena, bound, position, options, monitor)
    } else {
        partizan(&case)?;
        watched(monitor, |monitor| {
            monitor.enter("valuing parts");
            let local = if case.facts.sum.holds { None } else { case.local().ok() };
            let most = Most { parts: u64::MAX, positions: u64::MAX };
            form(arena, bound, local.as_deref(), position, most, monitor).map_err(|given_up| match given_up {
                GivenUp::Error(error) => error,
                GivenUp::Because(Reason::Overflow(error) | Reason::Limit(error) | Reason::Dear(error)) => error,
                GivenUp::Because(why) => SolveError::NotApplicable(format!("`{name}` has no value here: {why}")),
            })
        })
    };
    found.map_err(|error| clocked(error, monitor))
}

/// Refuses a game whose positions have no values, though its moves belong to players.
pub(crate) fn partizan(case: &Case<'_>) -> Result<(), SolveError> {
    let name = &case.bound.program.name;
    if !case.facts.partizan {
        let why = &case.facts.last_mover.why;
        return Err(SolveError::NotApplicable(format!(
            "`{name}` has no value: only games that the last mover wins have, and {why}"
        )));
    }
    match properties::changes_turn(&case.bound.program) {
        true => Err(SolveError::NotApplicable(format!("`{name}` has no value: turns do not alternate"))),
        false => Ok(()),
    }
}

/// Whether it was the clock or a person that stopped the work in an arena.
pub(crate) fn clocked(error: SolveError, monitor: &Monitor) -> SolveError {
    match (error, monitor.time_limit()) {
        (SolveError::Interrupted { positions }, Some(limit))
            if monitor.time_left().is_some_and(|left| left.is_zero()) =>
        {
            SolveError::Limit { limit: Limit::Time { limit }, positions }
        }
        (error, _) => error,
    }
}

/// How much a canonical form may take.
#[derive(Clone, Copy)]
pub(super) struct Most {
    /// Parts of a board.
    pub parts: u64,
    /// Positions that the interpreter looks at.
    pub positions: u64,
}

/// The canonical form: by the parts of the board where moves are local, else by the rules as they stand.
pub(super) fn form(
    arena: &mut Arena,
    bound: &Bound,
    local: Option<&Local>,
    position: &Position,
    most: Most,
    monitor: &mut Monitor,
) -> Result<Value, GivenUp> {
    let cells = match (local, &position.parts[..]) {
        (Some(local), [cells]) => local.position(cells),
        _ => None,
    };
    if let (Some(local), Some(cells)) = (local, cells) {
        let memory = monitor.memory().clone();
        let made = Valuer::new(local.game.clone(), local.motions.clone(), &cells, &mut *arena, &memory);
        let valued = made.and_then(|mut valuer| {
            valuer.at_most(most.parts);
            valuer.value(&cells, monitor)
        });
        match valued {
            Ok(value) => return Ok(value),
            // The rules as they stand may still do, and say which positions repeat where they do not.
            Err(Error::Cycle(_) | Error::NotApplicable(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Forms::over(bound, arena, monitor)?.at_most(most.positions).value(position, monitor)
}

/// The nimber of a position of an impartial game, as a value.
fn nimber(
    arena: &mut Arena,
    bound: &Bound,
    position: &Position,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Value, SolveError> {
    let solved = solve(bound, position, options, monitor)?;
    let name = &bound.program.name;
    let nimber = solved.verdict(position).and_then(|verdict| verdict.nimber());
    let Some(nimber) = nimber else {
        let why = format!("`{name}` has no nimber here: play can go on for ever");
        return Err(SolveError::NotApplicable(why));
    };
    let size = u32::try_from(nimber)
        .map_err(|_| SolveError::NotApplicable(format!("the nimber {nimber} of `{name}` does not fit in 32 bits")))?;
    Ok(arena.nimber(size).map_err(boards::canonical::of_values)?)
}
