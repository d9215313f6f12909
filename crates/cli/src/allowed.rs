//! What a whole command may use: limits as the person at the terminal means them, from the first word to the last.

use std::time::Duration;

use perfectplay::solving::Limits;

/// What a whole command may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allowed {
    /// Time from the start of the program on, where it is not for each instance.
    pub time: Option<Duration>,
    /// Memory of the whole program.
    pub memory: Option<u64>,
}

impl Allowed {
    /// For a command that solves one thing.
    pub fn once(limits: &Limits) -> Allowed {
        Allowed { time: limits.time, memory: Some(limits.memory) }
    }

    /// For a command that solves many, each in the given time.
    pub fn each(memory: u64) -> Allowed {
        Allowed { time: None, memory: Some(memory) }
    }
}
