//! One question, one answer. All of this runs in a worker process, within the limits of the question.

mod check;
mod opponent;
mod pictures;
mod sequence;
pub mod session;
mod tables;

use std::time::Duration;

use perfectplay::json::explorer::ProgressObject;
use perfectplay::solving::{Monitor, Options};
use perfectplay::{Solver, json};

pub use check::check;
pub use tables::list as tables;

/// What an answer may take.
#[derive(Clone, Debug)]
pub struct Allowed {
    /// How long.
    pub time: Duration,
    /// How much memory.
    pub memory: u64,
    /// Whether progress is told.
    pub telling: bool,
}

impl Allowed {
    /// A solver with these limits.
    pub fn solver(&self) -> Solver {
        let solver = Solver::new().memory(self.memory).time(self.time).threads(1);
        match self.telling {
            false => solver,
            true => solver.progress(|progress| {
                crate::worker::say(&format!("P {}", json::text(&ProgressObject::new(progress))));
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
