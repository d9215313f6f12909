//! The objects of jobs, and of the server itself.

use rules::check::BUILTINS;
use rules::syntax::items::ITEMS;
use rules::syntax::token::Keyword;
use serde::Serialize;

use crate::solving::Progress;

/// How far a job has come.
#[derive(Clone, Debug, Serialize)]
pub struct ProgressObject {
    phase: &'static str,
    positions: u64,
    settled: u64,
    bytes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_left: Option<f64>,
}

impl ProgressObject {
    /// The object of progress.
    pub fn new(progress: &Progress) -> ProgressObject {
        let total = progress.expected.map(|expected| expected.total).filter(|total| *total > 0);
        ProgressObject {
            phase: progress.phase,
            positions: progress.positions,
            settled: progress.settled,
            bytes: progress.bytes,
            seconds: progress.elapsed.as_secs_f64(),
            share: total.map(|total| (progress.settled as f64 / total as f64).min(1.0)),
            seconds_left: progress.time_left().map(|left| left.as_secs_f64()),
        }
    }
}

/// Where a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// It waits for a worker.
    Waiting,
    /// A worker does it.
    Running,
    /// It has an answer.
    Done,
    /// It has none.
    Failed,
    /// Somebody cancelled it.
    Cancelled,
}

/// A job. What a worker process said is passed on as it is.
#[derive(Serialize)]
pub struct JobObject<'j> {
    /// Its name.
    pub job: &'j str,
    /// Which question it answers.
    #[serde(rename = "do")]
    pub what: &'j str,
    /// Where it is.
    pub state: JobState,
    /// How many jobs are before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead: Option<usize>,
    /// How far it has come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<&'j serde_json::value::Value>,
    /// Why it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<&'j serde_json::Value>,
}

impl JobObject<'_> {
    /// Its text, before and behind an answer that another process has written.
    ///
    /// ```
    /// use perfectplay::json::explorer::{JobObject, JobState};
    ///
    /// let job = JobObject { job: "a", what: "solve", state: JobState::Done, ahead: None, progress: None, error: None };
    /// let [before, behind] = job.around_answer();
    /// assert_eq!(format!("{before}7{behind}"), r#"{"job":"a","do":"solve","state":"done","answer":7}"#);
    /// ```
    pub fn around_answer(&self) -> [String; 2] {
        [super::super::text_up_to(self, "answer"), "}".to_string()]
    }
}

/// What the server is and allows.
#[derive(Serialize)]
pub struct About {
    name: &'static str,
    version: &'static str,
    limits: Limits,
    words: Words,
}

/// What a request may take.
#[derive(Clone, Debug, Serialize)]
pub struct Limits {
    /// Bytes of a body.
    pub body: u64,
    /// Seconds of the processor that an answer may take.
    pub seconds: f64,
    /// Seconds by the clock on the wall after which a request is refused.
    pub wall_seconds: f64,
    /// Bytes of memory of an answer.
    pub memory: u64,
    /// Seconds of the processor that a job may take.
    pub job_seconds: f64,
    /// Seconds by the clock on the wall after which a job is ended.
    pub job_wall_seconds: f64,
    /// Bytes of memory of a job.
    pub job_memory: u64,
    /// Jobs at a time.
    pub jobs: usize,
    /// Bytes of memory that all answers and jobs may take together.
    pub total_memory: u64,
    /// Positions of a game graph.
    pub graph: usize,
}

#[derive(Serialize)]
struct Words {
    keywords: Vec<&'static str>,
    functions: Vec<&'static str>,
}

impl About {
    /// The object of the server.
    pub fn new(limits: Limits) -> About {
        let functions = BUILTINS.iter().map(|(name, _)| *name).collect();
        let words = Words { keywords: keywords(), functions };
        About { name: "perfectplay", version: env!("CARGO_PKG_VERSION"), limits, words }
    }
}

/// Words with a meaning of their own, in the order of the alphabet.
fn keywords() -> Vec<&'static str> {
    /// Words that mean something in some places only.
    const PLACED: &[&str] = &[
        "again", "as", "bool", "by", "draw", "first", "from", "gain", "gives", "grid", "int", "lose", "of", "over",
        "payoffs", "score", "second", "set", "split", "text", "where", "win", "winner",
    ];
    let own = Keyword::ALL.iter().map(|(_, text)| *text);
    let mut all: Vec<&str> = own.chain(ITEMS.iter().copied()).chain(PLACED.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}
