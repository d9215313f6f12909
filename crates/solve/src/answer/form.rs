//! The value of a position, beside an answer that was found in another way.
//!
//! Values are looked for only as far as that takes little (`most`, `LOOKS`): the answer is known without them. What is
//! found must agree with it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use boards::CanonicalForms;
use engine::monitor::Monitor;
use game::{Outcome, OutcomeClass, Player};
use rules::bind::Position;
use values::loopy::Loopy;
use values::loopy::value::Reach;
use values::{Arena, Side, Thermograph, Value};

use super::repeating::{Form, repeating};
use crate::appraise::{self, Appraise, SharedArena, within};
use crate::appraiser::{Appraiser, Most};
use crate::canonical::{Canonical, LONGEST_NAME, canonical};
use crate::error::SolveError;
use crate::reason::{GivenUp, Reason};
use crate::solved::Solved;
use crate::stopping::scope;

/// So often the algebra may look at its limits, once in some thousand steps.
const LOOKS: u64 = 10_000;

/// What values may take beside a solve, and bytes of their arena: as much as a person hardly notices, and more beside a long
/// solve.
fn most(solved: &Solved<'_>) -> (Most, u64) {
    let positions = solved.positions();
    let bytes = (16 << 20) + positions.saturating_mul(16);
    (Most { parts: 50_000, positions: 50_000, steps: 1_000_000 }, bytes)
}

/// What was found of the value of a position.
#[derive(Clone, Debug, Default)]
pub struct Valued {
    /// The value.
    pub form: Option<Canonical>,
    /// Why there is none, where positions repeat.
    pub missing: Option<String>,
}

/// The value of a position of a game that the last mover wins and in which moves belong to players. None where it is not
/// feasible.
pub fn form(solved: &Solved<'_>, position: &Position, monitor: &mut Monitor) -> Result<Valued, SolveError> {
    let nothing = Valued::default();
    if !solved.plan.facts.partizan || !solved.answers.may_have_form() {
        return Ok(nothing);
    }
    if let Some(known) = solved.answers.canonical(position) {
        return Ok(Valued { form: Some(known), missing: None });
    }
    // What is left of the time belongs to moves and lines first.
    if is_late(monitor) {
        return Ok(nothing);
    }
    let _scope = scope(monitor);
    if solved.report.cyclic.holds {
        return loopy(solved, position, monitor);
    }
    let found = appraised(solved, monitor, |appraise, monitor| {
        let value = match appraise::value(appraise, position, monitor) {
            Err(GivenUp::Because(Reason::Cycle(_))) => return Ok(Found::Repeats),
            value => value?,
        };
        agrees(solved, position, appraise, value)?;
        let mut found = None;
        appraise.in_arena(&mut |arena| found = Some(canonical(arena, value)));
        found.transpose()?.map(Found::Form).ok_or_else(|| SolveError::internal("a value without an arena").into())
    })?;
    match found {
        Some(Found::Form(form)) => Ok(Valued { form: Some(form), missing: None }),
        // Play that alternates ends, but one player could go round in circles.
        Some(Found::Repeats) => loopy(solved, position, monitor),
        None => Ok(nothing),
    }
}

/// What was found.
enum Found {
    /// A value.
    Form(Canonical),
    /// A position comes back.
    Repeats,
}

/// The thermograph of a position that has a value without loops.
pub fn thermograph(
    solved: &Solved<'_>,
    position: &Position,
    monitor: &mut Monitor,
) -> Result<Option<Arc<Thermograph>>, SolveError> {
    if !solved.plan.facts.partizan || solved.report.cyclic.holds {
        return Ok(None);
    }
    let _scope = scope(monitor);
    appraised(solved, monitor, |appraise, monitor| {
        let value = appraise::value(appraise, position, monitor)?;
        Ok(within(appraise, |arena| arena.thermograph(value))?)
    })
}

/// Whether more than half of the time is gone.
pub(super) fn is_late(monitor: &Monitor) -> bool {
    monitor.time_left().zip(monitor.time_limit()).is_some_and(|(left, limit)| left < limit / 2)
}

/// Whether a person stopped the solve.
fn is_cancelled(monitor: &Monitor) -> bool {
    monitor.cancel().load(Ordering::Relaxed)
}

/// Does something with the values of a solved game: those of its method, or others that are found beside. None where they are
/// not feasible.
pub(crate) fn appraised<T>(
    solved: &Solved<'_>,
    monitor: &mut Monitor,
    work: impl FnOnce(&mut dyn Appraise, &mut Monitor) -> Result<T, GivenUp>,
) -> Result<Option<T>, SolveError> {
    let (mut work, mut done) = (Some(work), None);
    let known = solved.answers.appraise(&mut |appraise| done = work.take().map(|work| work(appraise, monitor)));
    if !known && let Some(work) = work {
        let (most, bytes) = most(solved);
        let arena = SharedArena::new(CanonicalForms::bounded(monitor, bytes, LOOKS).arena);
        done = Some(work(&mut Appraiser::new(solved.bound, solved.local.clone(), &arena, most), monitor));
    }
    match done {
        Some(Ok(done)) => Ok(Some(done)),
        Some(Err(GivenUp::Error(error @ SolveError::Internal(_)))) => Err(error),
        // The answer is known without values, whatever stops this, unless a person does.
        Some(Err(GivenUp::Error(error @ SolveError::Interrupted { .. }))) if is_cancelled(monitor) => Err(error),
        _ => Ok(None),
    }
}

/// Compares a value with who wins, where that is known.
pub(super) fn agrees(
    solved: &Solved<'_>,
    position: &Position,
    appraise: &mut dyn Appraise,
    value: Value,
) -> Result<(), GivenUp> {
    let outcome = within(appraise, |arena| arena.outcome(value))?;
    let class = class(outcome);
    let known = solved.verdict(position).and_then(|verdict| verdict.outcome());
    let wins = matches!(
        (class, position.turn == Player::FIRST),
        (OutcomeClass::N, _) | (OutcomeClass::L, true) | (OutcomeClass::R, false)
    );
    let right = known.is_none_or(|known| (known == Outcome::Win) == wins);
    let same = *position != solved.start || solved.report.class.is_none_or(|known| known == class);
    match right && same {
        true => Ok(()),
        false => Err(SolveError::internal(format!("the value tells the class {class}, which is not who wins")).into()),
    }
}

/// Who wins whoever starts, from the outcome of a value.
pub(crate) fn class(outcome: values::Outcome) -> OutcomeClass {
    match outcome {
        values::Outcome::L => OutcomeClass::L,
        values::Outcome::R => OutcomeClass::R,
        values::Outcome::N => OutcomeClass::N,
        values::Outcome::P => OutcomeClass::P,
    }
}

/// The loopy value of a position, compared with who wins.
fn loopy(solved: &Solved<'_>, position: &Position, monitor: &mut Monitor) -> Result<Valued, SolveError> {
    let mut arena = CanonicalForms::patient(monitor, LOOKS).arena;
    let found = repeating(&mut arena, solved.bound, position, monitor);
    let found = found.and_then(|form| named(solved, position, &mut arena, form));
    match found {
        Ok(form) => Ok(Valued { form: Some(form), missing: None }),
        Err(GivenUp::Because(Reason::Values(why))) => Ok(Valued { form: None, missing: Some(why) }),
        Err(GivenUp::Error(error @ SolveError::Internal(_))) => Err(error),
        Err(GivenUp::Error(error @ SolveError::Interrupted { .. })) if is_cancelled(monitor) => Err(error),
        Err(_) => Ok(Valued::default()),
    }
}

fn named(solved: &Solved<'_>, position: &Position, arena: &mut Arena, form: Form) -> Result<Canonical, GivenUp> {
    let loopy = match form {
        Form::Value(value) => return Ok(canonical(arena, value)?),
        Form::Loopy(loopy) => loopy,
    };
    let undefined = |error| GivenUp::from(boards::canonical::of_values(error));
    let side = if position.turn == Player::FIRST { Side::Left } else { Side::Right };
    let outcome = match loopy.reach(side).map_err(undefined)? {
        Reach::Win => Outcome::Win,
        Reach::Draw => Outcome::Draw,
        Reach::Loss => Outcome::Loss,
    };
    let known = solved.verdict(position).and_then(|verdict| verdict.outcome());
    if known.is_some_and(|known| known != outcome) {
        return Err(SolveError::internal(format!("the loopy value tells a {outcome}, which is not the result")).into());
    }
    loopy_name(&loopy, arena).map_err(undefined)
}

/// A loopy value as people want it.
pub(crate) fn loopy_name(loopy: &Loopy, arena: &mut Arena) -> values::Result<Canonical> {
    let name = match loopy.name(arena, LONGEST_NAME) {
        Ok(name) => Some(name),
        Err(values::Error::TooLong { .. } | values::Error::TooDeep { .. }) => None,
        Err(error) => return Err(error),
    };
    Ok(Canonical { name, mean: None, temperature: None })
}
