//! Many runs side by side. What is found does not depend on which of them is done first: the first failure in the order of the
//! instances counts, and everything before it was right.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use perfectplay::language::Instance;

use crate::expected::{Compared, Difference, Expected, Unlisted, not_best};
use crate::failure::{Failure, FailureKind, Stop};
use crate::play;
use crate::subject::{Judged, Subject, how_it_failed};

/// What came of all of them.
#[derive(Default)]
pub struct Checked {
    /// On how many instances the program was right.
    pub right: usize,
    /// For how many the exact answer is not known.
    pub too_large: Vec<Instance>,
    /// The longest run in seconds, and its instance.
    pub slowest: Option<(f64, Instance)>,
    /// The first failure.
    pub failure: Option<Box<Failure>>,
}

impl Subject {
    /// Judges a program on one instance.
    pub fn judge(&self, instance: &Instance) -> Result<Judged, Stop> {
        let (bound, solution) = match self.answer(instance)? {
            Some(answered) => answered,
            None => return Ok(Judged::TooLarge),
        };
        let input =
            self.format.input(&bound).map_err(|fault| Stop::Rules(instance.clone(), vec![*fault.diagnostic]))?;
        if let Some(seats) = &self.plays {
            return play::judge(self, instance, &bound, solution, &input, seats);
        }
        let printed = self.format.printed(&bound, &solution);
        let expected = Expected::new(&solution, &printed, &self.format).map_err(|field| {
            Stop::NoField(format!(
                "the program is asked for `{field}`, and the answer of `{}` has none",
                self.rules.name
            ))
        })?;
        let ran = self.ran(&input)?;
        let difference = match how_it_failed(&ran, &self.run) {
            Some(difference) => Some(difference),
            None => match expected.compare(&ran.output, &bound) {
                Compared::Right => None,
                Compared::Wrong(difference) => Some(difference),
                Compared::IfBest(Unlisted(play)) => match self.keeps(&bound, &play)? {
                    Some(true) => None,
                    Some(false) => Some(Difference { kind: FailureKind::WrongAnswer, message: not_best(&play) }),
                    None => return Ok(Judged::TooLarge),
                },
            },
        };
        let Some(Difference { kind, message }) = difference else { return Ok(Judged::Right(ran.seconds)) };
        Ok(Judged::Wrong(Box::new(Failure {
            instance: instance.clone(),
            kind,
            message,
            input,
            ran,
            expected: Some(expected.text()),
            solution: Box::new(solution),
            game: None,
        })))
    }
}

/// Judges a program on instances, with so many runs side by side, until the first failure. `progress` is told how many are done.
pub fn check(
    subject: &Subject,
    instances: &[Instance],
    threads: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Checked, Stop> {
    let (next, done, stopped) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let first_failure = AtomicUsize::new(usize::MAX);
    let found: Mutex<Vec<(usize, Result<Judged, Stop>)>> = Mutex::default();
    let worker = || loop {
        let index = next.fetch_add(1, Ordering::SeqCst);
        if index >= instances.len() || index > first_failure.load(Ordering::SeqCst) || stopped.load(Ordering::SeqCst) {
            return;
        }
        let judged = subject.judge(&instances[index]);
        match &judged {
            Ok(Judged::Wrong(_)) => drop(first_failure.fetch_min(index, Ordering::SeqCst)),
            Ok(_) => {}
            Err(_) => stopped.store(true, Ordering::SeqCst),
        }
        found.lock().unwrap_or_else(PoisonError::into_inner).push((index, judged));
        progress(done.fetch_add(1, Ordering::SeqCst) + 1);
    };
    thread::scope(|threads_of| {
        for _ in 0..threads.clamp(1, instances.len().max(1)) {
            threads_of.spawn(worker);
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(index, _)| *index);
    let mut checked = Checked::default();
    for (index, judged) in found {
        match judged? {
            Judged::Right(seconds) => {
                checked.right += 1;
                if checked.slowest.as_ref().is_none_or(|(slowest, _)| seconds > *slowest) {
                    checked.slowest = Some((seconds, instances[index].clone()));
                }
            }
            Judged::TooLarge => checked.too_large.push(instances[index].clone()),
            Judged::Wrong(failure) => {
                checked.failure = Some(failure);
                break;
            }
        }
    }
    Ok(checked)
}
