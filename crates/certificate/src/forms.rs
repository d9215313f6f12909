//! Values of partizan games: whether their proof is of a sensible size, and the entries of that.

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use boards::CanonicalForms;
use engine::monitor::Monitor;
use verify::Refusal;
use verify::argument::Argument;
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
/// Likewise, so often the algebra may look at its limits.
const LOOKS: u64 = 10_000;

/// Why a loopy value is not claimed.
const LOOPY: &str = "positions repeat, and the checker follows values of games that end only";

/// How large a proof may be.
#[derive(Clone, Copy)]
struct Room {
    numbers: u64,
    looks: u64,
}

/// The name of the value of the position, if it can be proved in a table of a sensible size; else why not.
pub fn claimable(solved: &Solved<'_>, solution: &Solution, monitor: &mut Monitor) -> Result<plan::Form, SolveError> {
    let Some(name) = solution.canonical.as_ref().and_then(|form| form.name.as_ref()) else { return Ok(None) };
    if solved.report.cyclic.holds || solution.canonical.as_ref().is_some_and(|form| form.mean.is_none()) {
        return Ok(Some(Err(LOOPY.to_string())));
    }
    if notation::read(name).is_err() {
        return Ok(Some(Err("its name is too long, or has a nimber too large, for a certificate".to_string())));
    }
    let too_large = || format!("its proof is a table of more than {MOST_NUMBERS} numbers");
    let mut nowhere = Packer::new(io::sink()).map_err(|_| SolveError::internal("nothing can be written nowhere"))?;
    let room = Room { numbers: MOST_NUMBERS, looks: LOOKS };
    match check(solved, name, room, &mut nowhere, monitor) {
        (Ok(_), _) => Ok(Some(Ok(name.clone()))),
        (Err(Refusal::Wrong(wrong)), None) if wrong.why == COMES_BACK => Ok(Some(Err(LOOPY.to_string()))),
        (Err(_), Some(Unwritten::Solve(SolveError::NotApplicable(_)))) => Ok(Some(Err(too_large()))),
        (Err(_), Some(Unwritten::Solve(SolveError::Interrupted { .. })))
            if !monitor.cancel().load(Ordering::Relaxed) =>
        {
            Ok(Some(Err(too_large())))
        }
        (Err(_), Some(Unwritten::Solve(error))) => Err(error),
        (Err(refusal), _) => Err(wrong(refusal)),
    }
}

/// Writes the entries of the argument for a value.
pub fn argue<W: Write>(
    solved: &Solved<'_>,
    name: &str,
    packer: &mut Packer<W>,
    monitor: &mut Monitor,
) -> Result<(Proved, u64), Unwritten> {
    let room = Room { numbers: u64::MAX, looks: u64::MAX };
    let (checked, trouble) = check(solved, name, room, packer, monitor);
    checked.map_err(|refusal| trouble.unwrap_or_else(|| Unwritten::Solve(wrong(refusal))))
}

/// Has the argument checked, and writes down its entries. With the trouble that ended it.
fn check<W: Write>(
    solved: &Solved<'_>,
    name: &str,
    room: Room,
    packer: &mut Packer<W>,
    monitor: &mut Monitor,
) -> (Result<(Proved, u64), Refusal>, Option<Unwritten>) {
    let arena = CanonicalForms::patient(monitor, room.looks).arena;
    let mut recorder = Recorder::new(solved, packer, monitor);
    recorder.forms = Some(FormSource::new(arena, name.to_string()));
    recorder.room = room.numbers;
    let checked = Argument::Values.check(solved.bound, &solved.start, &mut recorder);
    let trouble = recorder.trouble.take();
    (checked, trouble)
}
