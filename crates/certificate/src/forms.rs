//! Values of partizan games: whether their proof is of a sensible size, and the entries of that.

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use boards::CanonicalForms;
use engine::monitor::Monitor;
use verify::Refusal;
use verify::argument::Argument;
use verify::graph::Named;
use verify::loop_names;
use verify::notation;
use verify::proved::Proved;
use verify::values::COMES_BACK;

use super::form_source::FormSource;
use super::packer::Packer;
use super::recorder::Recorder;
use super::{Unwritten, plan, wrong};
use solve::answer::solution::Solution;
use solve::error::SolveError;
use solve::solved::Solved;

/// A value is claimed if its proof takes at most so many numbers, for it only adds to who wins.
const MOST_NUMBERS: u64 = 2_000_000;
/// A value is claimed if its algebra looks at its limits at most so often.
const LOOKS: u64 = 10_000;

/// How large a proof may be.
#[derive(Clone, Copy)]
struct Room {
    numbers: u64,
    looks: u64,
}

/// The name of the value of the position and the argument for it, if that is of a sensible size; else why not.
pub fn claimable(solved: &Solved<'_>, solution: &Solution, monitor: &mut Monitor) -> Result<plan::Form, SolveError> {
    let Some(name) = solution.canonical.as_ref().and_then(|form| form.name.as_ref()) else { return Ok(None) };
    // A value with loops has no mean; one without may still come of positions that repeat.
    let loops = solved.report.repeats() || solution.canonical.as_ref().is_some_and(|form| form.mean.is_none());
    if !loops {
        match tried(solved, Argument::Values, name, monitor)? {
            Err(Objection::ComesBack) => {}
            Err(Objection::Because(why)) => return Ok(Some(Err(why))),
            Ok(entries) => return Ok(Some(Ok((name.clone(), Argument::Values, entries)))),
        }
    }
    Ok(Some(match tried(solved, Argument::Stoppers, name, monitor)? {
        Ok(entries) => Ok((name.clone(), Argument::Stoppers, entries)),
        Err(Objection::ComesBack) => Err("positions repeat".to_string()),
        Err(Objection::Because(why)) => Err(why),
    }))
}

/// Why a value is not claimed.
enum Objection {
    /// Parts come back, and the argument is for those that do not.
    ComesBack,
    /// Something else.
    Because(String),
}

/// Has an argument for a value checked, and written nowhere. Gives how many positions it looks at.
fn tried(
    solved: &Solved<'_>,
    argument: Argument,
    name: &str,
    monitor: &mut Monitor,
) -> Result<Result<u64, Objection>, SolveError> {
    let because = |why: String| Ok(Err(Objection::Because(why)));
    let readable = match argument {
        Argument::Stoppers => Named::new().and_then(|mut named| loop_names::read(name, &mut named).map(drop)),
        _ => notation::read(name).map(drop),
    };
    match readable {
        Ok(()) => {}
        Err(Refusal::Stopped(why)) => return Err(wrong(Refusal::Stopped(why))),
        Err(_) => return because("its name is too long, or has a nimber too large, for a certificate".to_string()),
    }
    let too_large = || because(format!("its proof is a table of more than {MOST_NUMBERS} numbers"));
    let mut nowhere = Packer::new(io::sink()).map_err(|_| SolveError::internal("nothing can be written nowhere"))?;
    let room = Room { numbers: MOST_NUMBERS, looks: LOOKS };
    match check(solved, (argument, name), room, &mut nowhere, monitor) {
        (Ok((_, entries)), _) => Ok(Ok(entries)),
        (Err(Refusal::Wrong(wrong)), None) if wrong.why == COMES_BACK => Ok(Err(Objection::ComesBack)),
        (Err(_), Some(Unwritten::Solve(SolveError::NotApplicable(_)))) => too_large(),
        (Err(_), Some(Unwritten::Solve(SolveError::Interrupted { .. })))
            if !monitor.cancel().load(Ordering::Relaxed) =>
        {
            too_large()
        }
        (Err(_), Some(Unwritten::Solve(error))) => Err(error),
        (Err(refusal), _) => Err(wrong(refusal)),
    }
}

/// Writes the entries of the argument for a value.
pub fn argue<W: Write>(
    solved: &Solved<'_>,
    about: (Argument, &str),
    packer: &mut Packer<W>,
    monitor: &mut Monitor,
) -> Result<(Proved, u64), Unwritten> {
    let room = Room { numbers: u64::MAX, looks: u64::MAX };
    let (checked, trouble) = check(solved, about, room, packer, monitor);
    checked.map_err(|refusal| trouble.unwrap_or_else(|| Unwritten::Solve(wrong(refusal))))
}

/// Has the argument checked, and writes down its entries. With the trouble that ended it.
fn check<W: Write>(
    solved: &Solved<'_>,
    (argument, name): (Argument, &str),
    room: Room,
    packer: &mut Packer<W>,
    monitor: &mut Monitor,
) -> (Result<(Proved, u64), Refusal>, Option<Unwritten>) {
    let arena = CanonicalForms::patient(monitor, room.looks).arena;
    let mut recorder = Recorder::new(solved, packer, monitor);
    recorder.forms = Some(FormSource::new(arena));
    recorder.name = Some(name.to_string());
    recorder.room = room.numbers;
    let checked = argument.check(solved.bound, &solved.start, &mut recorder);
    let trouble = recorder.trouble.take();
    (checked, trouble)
}
