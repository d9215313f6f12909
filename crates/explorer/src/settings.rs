//! What the server is told, and what it allows.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use perfectplay::json::explorer::Limits;

/// The largest body of a request.
pub const BODY: usize = 1 << 20;
/// How long a body may take to come.
pub const BODY_TIME: Duration = Duration::from_secs(5);
/// How long the head of a request may take to come, and how long a connection may idle.
pub const HEAD_TIME: Duration = Duration::from_secs(10);
/// The most connections at a time.
pub const CONNECTIONS: usize = 2000;
/// The most positions of a game graph.
pub const GRAPH: usize = 1000;

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
    /// How long an answer may take.
    pub seconds: Duration,
    /// How much memory an answer may take.
    pub memory: u64,
    /// How long a job may take.
    pub job_seconds: Duration,
    /// How much memory a job may take.
    pub job_memory: u64,
    /// How many jobs run at a time.
    pub jobs: usize,
}

impl Settings {
    /// The usual settings.
    pub fn new(listen: SocketAddr, program: PathBuf, command: Vec<String>) -> Settings {
        Settings {
            listen,
            hosts: Vec::new(),
            program,
            command,
            tables: Vec::new(),
            seconds: Duration::from_secs(2),
            memory: 512 << 20,
            job_seconds: Duration::from_secs(120),
            job_memory: 2 << 30,
            jobs: 2,
        }
    }

    /// The limits, for people.
    pub fn limits(&self) -> Limits {
        Limits {
            body: BODY as u64,
            seconds: self.seconds.as_secs_f64(),
            memory: self.memory,
            job_seconds: self.job_seconds.as_secs_f64(),
            job_memory: self.job_memory,
            jobs: self.jobs,
            graph: GRAPH,
        }
    }
}
