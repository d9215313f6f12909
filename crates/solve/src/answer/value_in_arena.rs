//! The value of a position in an arena that the caller has: to be added to others, compared, cooled.

use engine::monitor::Monitor;
use rules::bind::{Bound, Position};
use values::{Arena, Value};

use super::game_forms::GameForms;
pub use super::repeating::Form;
use crate::case::Case;
use crate::error::SolveError;
use crate::facts::{Facts, changes_turn};
use crate::options::Options;
use crate::part_values::SharedArena;
use crate::solved::solve;
use crate::stopping::{clocked, watched};

/// The value of a position: its canonical form where moves belong to players, its nimber where both have the same, a loopy
/// value where positions repeat and the theory has one.
///
/// The arena should be made for the same limits as the monitor ([`boards::CanonicalForms::new`]).
pub fn value_in(
    arena: &mut Arena,
    bound: &Bound,
    position: &Position,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Form, SolveError> {
    let facts = Facts::new(bound)?;
    let name = &bound.program.name;
    let found = if facts.nimbers {
        nimber(arena, bound, position, options, monitor).map(Form::Value)
    } else {
        partizan(bound, &facts)?;
        watched(monitor, |monitor| {
            monitor.enter("valuing parts");
            let decomposition = Case::new(bound, position, options, monitor.memory().free())?.decomposition();
            let found =
                SharedArena::lent(arena, |arena| GameForms::new(bound, decomposition, arena).form(position, monitor));
            found.map_err(|given_up| given_up.into_error(|why| format!("`{name}` has no value here: {why}")))
        })
    };
    found.map_err(|error| clocked(error, monitor))
}

/// Refuses a game whose positions have no values, though its moves belong to players.
pub(crate) fn partizan(bound: &Bound, facts: &Facts) -> Result<(), SolveError> {
    let name = &bound.program.name;
    if !facts.partizan {
        let why = &facts.last_mover.why;
        return Err(SolveError::NotApplicable(format!(
            "`{name}` has no value: only games that the last mover wins have, and {why}"
        )));
    }
    match changes_turn(&bound.program) {
        true => Err(SolveError::NotApplicable(format!("`{name}` has no value: turns do not alternate"))),
        false => Ok(()),
    }
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
