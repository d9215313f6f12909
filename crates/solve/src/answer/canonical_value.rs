//! The value of a position, beside an answer that was found in another way.
//!
//! Values are looked for only as far as that takes little (`most`, `LOOKS`): the answer is known without them. What is
//! found must agree with it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use boards::CanonicalForms;
use engine::monitor::Monitor;
use game::Outcome;
use rules::bind::Position;
use values::loopy::Loopy;
use values::loopy::value::Reach;
use values::{Arena, Thermograph, Value};

use super::repeating::{Effort, Form, repeating, watch_beside};
use crate::answers::Proof;
use crate::case::Decomposition;
use crate::error::{GivenUp, Reason, SolveError};
use crate::game_valuer::{GameValuer, Most};
use crate::methods;
use crate::part_values::{self, PartValuer, SharedArena, mover_wins, side_of, within};
use crate::solved::Solved;
use crate::stopping::scope;
use crate::value_text::{LONGEST_NAME, ValueText};

/// So often the algebra may look at its limits, once in some thousand steps.
const LOOKS: u64 = 10_000;

/// Why the value of a sum is not told that was solved without it.
pub(super) const OUTGROWN: &str = "canonical forms outgrew what there is for them, so only who wins was found";
/// Why no value was looked for.
pub(super) const LATE: &str = "more than half of the time was gone before it was looked for";

/// What values may take beside a solve, and bytes of their arena: as much as a person hardly notices, and more beside a long
/// solve.
fn most(solved: &Solved<'_>) -> (Most, u64) {
    let positions = solved.positions();
    let bytes = (16 << 20) + positions.saturating_mul(16);
    (Most { parts: 50_000, positions: 50_000, steps: 1_000_000 }, bytes)
}

/// What was found of the value of a position.
#[derive(Clone, Debug, Default)]
pub struct FoundValue {
    /// The value.
    pub form: Option<ValueText>,
    /// Why there is none, where one could be expected.
    pub missing: Option<String>,
}

impl FoundValue {
    fn missing(why: impl Into<String>) -> FoundValue {
        FoundValue { form: None, missing: Some(why.into()) }
    }
}

/// The value of a position of a game that the last mover wins and in which moves belong to players, or why it is not told.
pub fn found_value(solved: &Solved<'_>, position: &Position, monitor: &mut Monitor) -> Result<FoundValue, SolveError> {
    if !solved.plan.facts().partizan {
        return Ok(FoundValue::default());
    }
    if !solved.answers.may_have_form() {
        return Ok(FoundValue::missing(OUTGROWN));
    }
    if let Some(known) = solved.answers.value_text(position) {
        return Ok(FoundValue { form: Some(known), missing: None });
    }
    // What is left of the time belongs to moves and lines first.
    if is_late(monitor) {
        return Ok(FoundValue::missing(LATE));
    }
    let _scope = scope(monitor);
    if solved.report.repeats() {
        return loopy(solved, position, monitor);
    }
    let known = outcome_of(solved, position);
    let found = with_part_values(solved, monitor, |valuer, monitor| {
        let value = match part_values::value(valuer, position, monitor) {
            Err(GivenUp::Because(Reason::Cycle(_))) => return Ok(Found::Repeats),
            value => value?,
        };
        agrees(solved, position, known, valuer, value)?;
        let mut found = None;
        valuer.in_arena(&mut |arena| found = Some(ValueText::of(arena, value)));
        found.transpose()?.map(Found::Form).ok_or_else(|| SolveError::internal("a value without an arena").into())
    })?;
    match found {
        Ok(Found::Form(form)) => Ok(FoundValue { form: Some(form), missing: None }),
        // Play that alternates ends, but one player could go round in circles.
        Ok(Found::Repeats) => loopy(solved, position, monitor),
        Err(why) => Ok(FoundValue::missing(why)),
    }
}

/// What was found.
enum Found {
    /// A value.
    Form(ValueText),
    /// A position comes back.
    Repeats,
}

/// The thermograph of a position that has a value without loops.
pub fn thermograph(
    solved: &Solved<'_>,
    position: &Position,
    monitor: &mut Monitor,
) -> Result<Option<Arc<Thermograph>>, SolveError> {
    if !solved.plan.facts().partizan || solved.report.repeats() {
        return Ok(None);
    }
    let _scope = scope(monitor);
    let drawn = with_part_values(solved, monitor, |valuer, monitor| {
        let value = part_values::value(valuer, position, monitor)?;
        Ok(within(valuer, |arena| arena.thermograph(value))?)
    })?;
    Ok(drawn.ok())
}

/// Whether more than half of the time is gone.
pub(super) fn is_late(monitor: &Monitor) -> bool {
    monitor.time_left().zip(monitor.time_limit()).is_some_and(|(left, limit)| left < limit / 2)
}

/// Whether a person stopped the solve.
fn is_cancelled(monitor: &Monitor) -> bool {
    monitor.cancel().load(Ordering::Relaxed)
}

/// Does something with the values of a solved game: those of its method, or others that are found beside; or why they are
/// not told.
pub(crate) fn with_part_values<T>(
    solved: &Solved<'_>,
    monitor: &mut Monitor,
    work: impl FnOnce(&mut dyn PartValuer, &mut Monitor) -> Result<T, GivenUp>,
) -> Result<Result<T, String>, SolveError> {
    let (mut work, mut done) = (Some(work), None);
    let known = solved.answers.part_values(&mut |valuer| done = work.take().map(|work| work(valuer, monitor)));
    if !known && let Some(work) = work {
        let (most, bytes) = most(solved);
        let arena = SharedArena::new(CanonicalForms::bounded(monitor, bytes, LOOKS).arena);
        // Where only the start was searched, the values of all parts would take far longer than who wins.
        let searched = solved.answers.proof(&solved.start) == Proof::Search;
        let is_known = searched || solved.report.class.is_none();
        let decomposition = if is_known { Decomposition::default() } else { solved.plan.decomposition().clone() };
        done = Some(work(&mut GameValuer::new(solved.bound, decomposition, &arena, most), monitor));
    }
    match done {
        Some(Ok(done)) => Ok(Ok(done)),
        Some(Err(given_up)) => why_missing(solved, given_up, monitor).map(Err),
        None => Err(SolveError::internal("values were not looked for")),
    }
}

/// Why a value is not told. The answer is known without it, whatever stops this, unless a person does.
pub(super) fn why_missing(solved: &Solved<'_>, given_up: GivenUp, monitor: &Monitor) -> Result<String, SolveError> {
    let method = methods::valuing(solved.plan.decomposition().kind());
    let dear = format!(
        "it takes more than is spent on it beside the answer; the method `{method}` looks for it as long as it takes"
    );
    match given_up {
        GivenUp::Error(error @ SolveError::Internal(_)) => Err(error),
        GivenUp::Error(error @ SolveError::Interrupted { .. }) if is_cancelled(monitor) => Err(error),
        GivenUp::Because(Reason::Values(why) | Reason::TooLarge(why) | Reason::Code(why)) => Ok(why),
        GivenUp::Because(why @ (Reason::Cycle(_) | Reason::Unreached)) => Ok(why.to_string()),
        GivenUp::Because(Reason::Overflow(error)) => Ok(error.to_string()),
        GivenUp::Error(error @ (SolveError::Overflow | SolveError::Fault(_) | SolveError::NotApplicable(_))) => {
            Ok(error.to_string())
        }
        _ if is_late(monitor) => Ok(LATE.to_string()),
        _ => Ok(dear),
    }
}

/// Who wins a position, where that is known. It is to be asked before values are at work: these may be the method's own.
pub(super) fn outcome_of(solved: &Solved<'_>, position: &Position) -> Option<Outcome> {
    solved.verdict(position).and_then(|verdict| verdict.outcome())
}

/// Compares a value with who wins, where that is known.
pub(super) fn agrees(
    solved: &Solved<'_>,
    position: &Position,
    known: Option<Outcome>,
    valuer: &mut dyn PartValuer,
    value: Value,
) -> Result<(), GivenUp> {
    let outcome = within(valuer, |arena| arena.outcome(value))?;
    let class = outcome;
    let wins = mover_wins(class, position.turn);
    let right = known.is_none_or(|known| (known == Outcome::Win) == wins);
    let same = *position != solved.start || solved.report.class.is_none_or(|known| known == class);
    match right && same {
        true => Ok(()),
        false => Err(SolveError::internal(format!("the value tells the class {class}, which is not who wins")).into()),
    }
}

/// The loopy value of a position, compared with who wins.
fn loopy(solved: &Solved<'_>, position: &Position, monitor: &mut Monitor) -> Result<FoundValue, SolveError> {
    let found = repeating_in(solved.positions(), monitor, |arena, monitor| {
        let form = repeating(arena, solved.bound, position, Effort::Beside, monitor)?;
        named(solved, position, arena, &form)
    });
    match found {
        Ok(form) => Ok(FoundValue { form: Some(form), missing: None }),
        Err(given_up) => Ok(FoundValue::missing(why_missing(solved, given_up, monitor)?)),
    }
}

/// Does something in an arena for loopy values beside an answer that took so many positions.
pub(super) fn repeating_in<T>(
    positions: u64,
    monitor: &mut Monitor,
    work: impl FnOnce(&mut Arena, &mut Monitor) -> Result<T, GivenUp>,
) -> Result<T, GivenUp> {
    let _watched = watch_beside(positions, monitor).enter();
    work(&mut CanonicalForms::patient(monitor, LOOKS).arena, monitor)
}

/// The name of a value of a position, compared with who wins.
pub(super) fn named(
    solved: &Solved<'_>,
    position: &Position,
    arena: &mut Arena,
    form: &Form,
) -> Result<ValueText, GivenUp> {
    let loopy = match form {
        Form::Value(value) => return Ok(ValueText::of(arena, *value)?),
        Form::Loopy(loopy) => loopy,
    };
    let undefined = |error| GivenUp::from(boards::canonical::of_values(error));
    let outcome = outcome(loopy.reach(side_of(position.turn)).map_err(undefined)?);
    let known = outcome_of(solved, position);
    if known.is_some_and(|known| known != outcome) {
        return Err(SolveError::internal(format!("the loopy value tells a {outcome}, which is not the result")).into());
    }
    loopy_name(loopy, arena).map_err(undefined)
}

/// What the player who begins reaches.
pub(crate) fn outcome(reach: Reach) -> Outcome {
    match reach {
        Reach::Win => Outcome::Win,
        Reach::Draw => Outcome::Draw,
        Reach::Loss => Outcome::Loss,
    }
}

/// A loopy value as people want it.
pub(crate) fn loopy_name(loopy: &Loopy, arena: &mut Arena) -> values::Result<ValueText> {
    let name = match loopy.name(arena, LONGEST_NAME) {
        Ok(name) => Some(name),
        Err(values::Error::TooLong { .. } | values::Error::TooDeep { .. }) => None,
        Err(error) => return Err(error),
    };
    Ok(ValueText { name, mean: None, temperature: None })
}
