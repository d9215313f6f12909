//! Many runs side by side. What is found does not depend on which of them is done first: the first failure in the order of the
//! instances counts, and everything before it was right.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread;

use perfectplay::SolveError;
use perfectplay::answer::{Solution, answer};
use perfectplay::language::{Bound, Instance, Program as Rules, bind};
use perfectplay::solving::{scope, stopped};

use crate::expected::{Compared, Difference, Expected, Unlisted, not_best};
use crate::failure::{Failure, FailureKind, Stop};
use crate::format::Format;
use crate::oracle::{Oracle, Work};
use crate::play;
use crate::run::{Ended, Program, Ran, RunLimits, run};

/// A program, and what it should do.
pub struct Subject {
    /// The rules.
    pub rules: Arc<Rules>,
    /// How instances are written and answers read.
    pub format: Format,
    /// The program.
    pub program: Program,
    /// What each run may use.
    pub run: RunLimits,
    /// How the exact answers are found.
    pub work: Work,
    /// Whether it plays, instead of printing an answer.
    pub plays: Option<play::Seats>,
    /// A run that was too slow beside others is repeated alone: runs hold it for reading, a run that is alone for writing.
    pub alone: RwLock<()>,
}

/// What came of one instance.
pub enum Judged {
    /// The program is right; it took so many seconds at the most.
    Right(f64),
    /// The exact answer is not known within the limits.
    TooLarge,
    /// The program is wrong.
    Wrong(Box<Failure>),
}

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

    /// The exact answer; `None` if it is not found within the limits.
    fn answer(&self, instance: &Instance) -> Result<Option<(Bound, Solution)>, Stop> {
        let mut monitor = self.work.monitor();
        let limits = scope(&monitor);
        let bound = match (bind(&self.rules, instance), stopped(&limits)) {
            (Ok(bound), _) => bound,
            (Err(_), Some(SolveError::Interrupted { .. })) => return Err(Stop::Interrupted),
            (Err(_), Some(_)) => return Ok(None),
            (Err(diagnostics), None) => return Err(Stop::Rules(instance.clone(), diagnostics)),
        };
        drop(limits);
        match answer(&bound, &self.work.options, &mut monitor) {
            Ok(solution) => Ok(Some((bound, solution))),
            Err(error) => unsolved(instance, error).map(|()| None),
        }
    }

    /// Whether a move keeps the result, if that can be found out.
    fn keeps(&self, bound: &Bound, play: &perfectplay::moves::Play) -> Result<Option<bool>, Stop> {
        let judged = Oracle::new(bound, &self.work).and_then(|mut oracle| oracle.judge(&bound.start, play));
        match judged {
            Ok(judged) => Ok(Some(judged.keeps)),
            Err(error) => unsolved(&Instance::default(), error).map(|()| None),
        }
    }

    /// Runs the program. A run that was too slow beside others is repeated alone.
    fn ran(&self, input: &str) -> Result<Ran, Stop> {
        let one = || {
            run(&self.program, input, &self.run, &self.work.cancel).map_err(|error| Stop::Unrunnable(error.to_string()))
        };
        let beside = self.alone.read().unwrap_or_else(PoisonError::into_inner);
        let mut ran = one()?;
        drop(beside);
        if ran.ended == Ended::TooSlow {
            let _alone = self.alone.write().unwrap_or_else(PoisonError::into_inner);
            ran = one()?;
        }
        match ran.ended {
            Ended::Interrupted => Err(Stop::Interrupted),
            _ => Ok(ran),
        }
    }
}

/// Lets a limit pass: the instance is too large. Anything else stops the check.
pub(crate) fn unsolved(instance: &Instance, error: SolveError) -> Result<(), Stop> {
    match error {
        SolveError::Interrupted { .. } => Err(Stop::Interrupted),
        SolveError::Fault(fault) if fault.too_much_work => Ok(()),
        SolveError::Fault(fault) => Err(Stop::Rules(instance.clone(), vec![*fault.diagnostic])),
        error if error.is_limit() => Ok(()),
        error => Err(Stop::Solve(error)),
    }
}

/// What is wrong with how a run ended.
pub(crate) fn how_it_failed(ran: &Ran, limits: &RunLimits) -> Option<Difference> {
    let (kind, message) = match ran.ended {
        Ended::Exit(0) | Ended::Interrupted => return None,
        Ended::Exit(code) => (FailureKind::Crash, format!("it ended with exit code {code}")),
        Ended::Signal(signal) => {
            (FailureKind::Crash, format!("it was ended by signal {signal}{}", signal_name(signal)))
        }
        Ended::TooSlow => (FailureKind::TooSlow, format!("it was not done after {:?}", limits.time)),
        Ended::TooMuchOutput => (FailureKind::TooMuchOutput, format!("it printed more than {} bytes", limits.output)),
    };
    Some(Difference { kind, message })
}

/// What the usual signals mean.
fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        8 => " (arithmetic error)",
        9 => " (killed)",
        11 => " (segmentation fault)",
        15 => " (terminated)",
        24 => " (processor time)",
        _ => "",
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
