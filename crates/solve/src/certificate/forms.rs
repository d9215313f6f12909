//! Hands forms of partizan games to the checker. It asks with the forms of the options, so that all that is needed is the algebra.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::atomic::Ordering;

use boards::CanonicalForms;
use boards::canonical::of_values;
use engine::monitor::Monitor;
use values::{Arena, Side, Value};
use verify::Refusal;
use verify::argument::Argument;
use verify::forms::{self, Form, Forms};
use verify::proved::Proved;
use verify::values::COMES_BACK;

use super::packer::Packer;
use super::recorder::Recorder;
use super::{Unwritten, plan, wrong};
use crate::answer::solution::Solution;
use crate::error::SolveError;
use crate::solved::Solved;

/// A value is claimed if its proof takes at most so many numbers, for it only adds to who wins.
const MOST_NUMBERS: u64 = 2_000_000;
/// Likewise, so often the algebra may look at its limits.
const LOOKS: u64 = 10_000;

/// How large a proof may be.
#[derive(Clone, Copy)]
struct Room {
    numbers: u64,
    looks: u64,
}

/// The name of the value of the position, if it can be proved in a table of a sensible size; else why not.
pub fn claimable(solved: &Solved<'_>, solution: &Solution, monitor: &mut Monitor) -> Result<plan::Form, SolveError> {
    let Some(name) = solution.canonical.as_ref().and_then(|form| form.name.as_ref()) else { return Ok(None) };
    let too_large = || format!("its proof is a table of more than {MOST_NUMBERS} numbers");
    let mut nowhere = Packer::new(io::sink()).map_err(|_| SolveError::internal("nothing can be written nowhere"))?;
    let room = Room { numbers: MOST_NUMBERS, looks: LOOKS };
    match check(solved, name, room, &mut nowhere, monitor) {
        (Ok(_), _) => Ok(Some(Ok(name.clone()))),
        (Err(Refusal::Wrong(wrong)), None) if wrong.why == COMES_BACK => {
            Ok(Some(Err("loopy values have no certificate".to_string())))
        }
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

/// Values beside the forms of the checker.
pub struct FormSource {
    arena: Arena,
    /// The name of the value of the position.
    pub name: String,
    /// The value of each form, by number, and back.
    values: Vec<Value>,
    forms: HashMap<Value, Form>,
}

impl FormSource {
    /// No forms yet.
    fn new(arena: Arena, name: String) -> FormSource {
        FormSource { arena, name, values: Vec::new(), forms: HashMap::new() }
    }

    /// The form of the game with these options, and the entry that says so: each new form with its options, then the number of
    /// the form.
    pub fn form(&mut self, options: [&[Form]; 2], forms: &mut Forms) -> Result<(Form, Vec<u64>), SolveError> {
        // The checker makes some forms by itself.
        for form in self.values.len()..forms.len() {
            let options = forms::Side::BOTH.map(|side| forms.options(form as Form, side));
            let value = self.value(options)?;
            self.values.push(value);
            self.forms.entry(value).or_insert(form as Form);
        }
        let value = self.value(options)?;
        let mut numbers = Vec::new();
        let form = self.written(value, forms, &mut numbers)?;
        numbers.push(u64::from(form) + 1);
        Ok((form, numbers))
    }

    /// The value of the game with these options.
    fn value(&mut self, options: [&[Form]; 2]) -> Result<Value, SolveError> {
        let [mut left, mut right] =
            options.map(|options| options.iter().map(|form| self.values[*form as usize]).collect::<Vec<Value>>());
        Ok(self.arena.game(&mut left, &mut right).map_err(of_values)?)
    }

    /// The form of a value, after its options. New forms are added and written down.
    fn written(&mut self, value: Value, forms: &mut Forms, numbers: &mut Vec<u64>) -> Result<Form, SolveError> {
        let mut open = vec![value];
        while let Some(&value) = open.last() {
            if self.forms.contains_key(&value) {
                open.pop();
                continue;
            }
            let left = self.arena.options(value, Side::Left).map_err(of_values)?;
            let right = self.arena.options(value, Side::Right).map_err(of_values)?;
            let before = open.len();
            open.extend(left.iter().chain(&right).filter(|option| !self.forms.contains_key(option)));
            if open.len() > before {
                continue;
            }
            numbers.push(0);
            let [left, right] = [left, right].map(|options| {
                let mut options: Vec<Form> = options.iter().map(|option| self.forms[option]).collect();
                options.sort_unstable();
                numbers.push(options.len() as u64);
                numbers.extend(options.iter().map(|option| u64::from(*option)));
                options
            });
            let form = forms.enter(&left, &right).map_err(wrong)?;
            self.values.push(value);
            self.forms.insert(value, form);
            open.pop();
        }
        Ok(self.forms[&value])
    }
}
