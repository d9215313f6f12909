//! A program with all that is needed to judge it, and the verdict on one instance.

use std::sync::{Arc, PoisonError, RwLock};

use perfectplay::SolveError;
use perfectplay::answer::{Player, Solution, answer};
use perfectplay::language::{Bound, Instance, Program as Rules, bind};
use perfectplay::moves::Play;
use perfectplay::solving::{scope, stopped};

use crate::expected::Difference;
use crate::failure::{Failure, FailureKind, Stop};
use crate::format::Format;
use crate::oracle::{Oracle, Work};
use crate::run::{Ended, PROCESSES, Program, Ran, RunLimits, run};

/// Which seats the program takes, and how chance is fixed.
#[derive(Clone, Debug)]
pub struct Seats {
    /// The seats; all of them if there are none.
    pub seats: Vec<Player>,
    /// A number that fixes all chance.
    pub seed: u64,
}

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
    pub plays: Option<Seats>,
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

impl Subject {
    /// The exact answer; `None` if it is not found within the limits.
    pub(crate) fn answer(&self, instance: &Instance) -> Result<Option<(Bound, Solution)>, Stop> {
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
    pub(crate) fn keeps(&self, bound: &Bound, play: &Play) -> Result<Option<bool>, Stop> {
        let judged = Oracle::new(bound, &self.work).and_then(|mut oracle| oracle.judge(&bound.start, play));
        match judged {
            Ok(judged) => Ok(Some(judged.keeps)),
            Err(error) => unsolved(&Instance::default(), error).map(|()| None),
        }
    }

    /// Runs the program. A run that was too slow beside others is repeated alone.
    pub(crate) fn ran(&self, input: &str) -> Result<Ran, Stop> {
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
        Ended::TooManyProcesses => {
            (FailureKind::TooManyProcesses, format!("it had more than {PROCESSES} processes at once"))
        }
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
