//! One question, one answer. All of this runs in a worker process, within the limits of the question.

mod check;
mod game;
mod opponent;
mod pictures;
mod sequence;
pub mod session;
mod tables;

use std::time::Duration;

use perfectplay::json::explorer::ProgressObject;
use perfectplay::solving::{Monitor, Options};
use perfectplay::{Solver, json};

use crate::clock;
use crate::settings::wall;

pub use check::check;
pub use tables::list as tables;

/// What an answer may take.
#[derive(Clone, Debug)]
pub struct Allowed {
    /// How long, by the processor's clock, which the worker looks at; the clock on the wall has more ([`wall`]).
    pub time: Duration,
    /// How much memory.
    pub memory: u64,
    /// Whether progress is told.
    pub telling: bool,
}

impl Allowed {
    /// A solver with these limits.
    pub fn solver(&self) -> Solver {
        let solver = Solver::new().memory(self.memory).time(wall(self.time)).threads(1).cancelled_by(clock::flag());
        match self.telling {
            false => solver,
            true => solver.progress(|progress| {
                crate::say::say(&format!("P {}", json::text(&ProgressObject::new(progress))));
            }),
        }
    }

    /// A monitor whose clock starts now.
    pub fn monitor(&self) -> Monitor {
        self.solver().monitor()
    }

    /// What is asked of solves.
    pub fn options(&self) -> Options {
        Options { threads: 1, ..Options::default() }
    }
}
