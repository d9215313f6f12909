//! What the server is told, and what it allows.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use perfectplay::json::explorer::Limits;

use crate::budget::Budget;

/// The largest body of a request.
pub const BODY: usize = 1 << 20;
/// How long a body may take to come.
pub const BODY_TIME: Duration = Duration::from_secs(5);
/// How long the head of a request may take to come, and how long a connection may idle.
pub const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long an answer may wait for the other side to read on.
pub const WRITE_TIME: Duration = Duration::from_secs(10);
/// The most connections at a time.
pub const CONNECTIONS: usize = 2000;
/// The most positions of a game graph.
pub const GRAPH: usize = 1000;

/// How long something that may take so much of the processor may take by the clock on the wall. Who has to share the machine has
/// much more time, but not for ever.
pub fn wall(time: Duration) -> Duration {
    time.saturating_mul(16).saturating_add(Duration::from_secs(30))
}

/// What the server is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Names by which it may be called, beside `localhost` and plain addresses.
    pub hosts: Vec<String>,
    /// The program that is started as a worker, with the words before its options.
    pub program: PathBuf,
    /// The hidden command of that program.
    pub command: Vec<String>,
    /// Table files to be walked through.
    pub tables: Vec<PathBuf>,
    /// How much of the processor an answer may take.
    pub seconds: Duration,
    /// How much of the processor a job may take.
    pub job_seconds: Duration,
    /// How many workers there are, and how much memory they may take.
    pub budget: Budget,
}

impl Settings {
    /// The limits, for people.
    pub fn limits(&self) -> Limits {
        Limits {
            body: BODY as u64,
            seconds: self.seconds.as_secs_f64(),
            wall_seconds: wall(self.seconds).as_secs_f64(),
            memory: self.budget.slow.memory,
            job_seconds: self.job_seconds.as_secs_f64(),
            job_wall_seconds: wall(self.job_seconds).as_secs_f64(),
            job_memory: self.budget.jobs.memory,
            jobs: self.budget.jobs.workers,
            total_memory: self.budget.total,
            graph: GRAPH,
        }
    }
}
