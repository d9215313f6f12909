//! Worker processes, seen from outside. A lane has some of them; each answers one question at a time.
//!
//! A worker that takes longer than its question may, or more memory, is ended, and another is started. So is one whose answer
//! nobody waits for any more.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::answers::PATIENCE;
use crate::clock;
use crate::question::QuestionKind;
use crate::reply::Reply;

/// How often memory is looked at.
const LOOK: Duration = Duration::from_millis(25);
/// How much later than asked for an answer may come.
const GRACE: Duration = Duration::from_millis(400);
/// A question that is no job waits no longer than this.
const QUESTION: Duration = Duration::from_secs(10);
/// The program itself takes as much.
const PROGRAM: u64 = 160 << 20;

/// How workers are started.
#[derive(Clone, Debug)]
pub struct Start {
    /// The program.
    pub program: PathBuf,
    /// Its words.
    pub words: Vec<String>,
}

/// Some workers that do the same kind of work.
pub struct Lane {
    start: Start,
    nice: i32,
    idle: Mutex<Vec<Worker>>,
    free: Semaphore,
    waiting: AtomicUsize,
    most_waiting: usize,
    patience: Duration,
}

/// A worker process.
struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// What its last question was about.
    key: u64,
}

/// What is to be done.
pub struct Task<'t> {
    /// Which question.
    pub kind: QuestionKind,
    /// The question, on one line.
    pub body: &'t str,
    /// The number of the game that it is about. A worker that has answered a question with this key is preferred.
    pub key: u64,
    /// How long it may take.
    pub time: Duration,
    /// How much memory it may take.
    pub memory: u64,
}

/// How a task ended.
pub enum TaskEnd {
    /// An answer.
    Answer(Reply),
    /// Everyone was busy for too long.
    Busy,
    /// It took too long, and did not stop by itself.
    Late,
    /// It took too much memory, and did not stop by itself.
    Large,
    /// The worker ended without an answer.
    Died,
}

impl Lane {
    /// A lane of so many workers, which are started at once. Others may wait for so long, at most so many.
    pub fn new(start: Start, workers: usize, nice: i32, most_waiting: usize, patience: Duration) -> Lane {
        let free = Semaphore::new(workers);
        let lane =
            Lane { start, nice, idle: Mutex::default(), free, waiting: AtomicUsize::new(0), most_waiting, patience };
        for _ in 0..workers {
            lane.refill();
        }
        lane
    }

    /// Starts a worker for later.
    fn refill(&self) {
        if let Ok(worker) = Worker::start(&self.start, self.nice) {
            self.lock().push(worker);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether an idle worker was asked about this last.
    pub fn holds(&self, key: u64) -> bool {
        self.lock().iter().any(|worker| worker.key == key)
    }

    /// Has a worker do something.
    pub async fn run(
        &self,
        task: &Task<'_>,
        begun: impl FnOnce(),
        progress: Option<&(dyn Fn(&str) + Sync)>,
    ) -> TaskEnd {
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.most_waiting && self.free.available_permits() == 0 {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return TaskEnd::Busy;
        }
        // Only jobs, which tell how far they are, may wait for long.
        let patience = if progress.is_some() { self.patience } else { self.patience.min(QUESTION) };
        let waits = Waits(&self.waiting);
        let free = timeout(patience, self.free.acquire()).await;
        drop(waits);
        let Ok(Ok(_permit)) = free else { return TaskEnd::Busy };
        let worker = {
            let mut idle = self.lock();
            let known = idle.iter().position(|worker| worker.key == task.key);
            known.map(|at| idle.remove(at)).or_else(|| (!idle.is_empty()).then(|| idle.remove(0)))
        };
        let worker = match worker {
            Some(worker) => Ok(worker),
            None => Worker::start(&self.start, self.nice),
        };
        let Ok(mut worker) = worker else { return TaskEnd::Died };
        begun();
        // Where the future is dropped here, the worker goes with it.
        let done = worker.run(task, progress).await;
        match done {
            TaskEnd::Answer(_) => {
                worker.key = task.key;
                self.lock().push(worker);
            }
            _ => {
                worker.end();
                self.refill();
            }
        }
        done
    }

    /// Starts workers until so many are idle, where nobody works.
    pub fn refill_to(&self, workers: usize) {
        let idle = self.lock().len();
        for _ in idle..self.free.available_permits().min(workers) {
            self.refill();
        }
    }

    /// Ends the workers that are idle.
    pub fn close(&self) {
        self.lock().clear();
    }
}

/// Somebody waits as long as this is there.
struct Waits<'w>(&'w AtomicUsize);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Worker {
    fn start(start: &Start, nice: i32) -> std::io::Result<Worker> {
        let mut command = Command::new(&start.program);
        // Ctrl-C at a terminal is for the server, which lets its workers finish.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command
            .args(&start.words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        lower(&child, nice);
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(std::io::Error::other("a pipe is missing"));
        };
        Ok(Worker { child, input, output: BufReader::with_capacity(1 << 16, output), key: 0 })
    }

    fn end(&mut self) {
        // It may have ended by itself.
        let _ = self.child.start_kill();
    }

    async fn run(&mut self, task: &Task<'_>, progress: Option<&(dyn Fn(&str) + Sync)>) -> TaskEnd {
        let telling = u8::from(progress.is_some());
        let Task { kind, body, time, memory, .. } = task;
        let line = format!("{} {} {memory} {telling} {body}\n", kind.name(), time.as_millis());
        let most = *time * 2 + GRACE;
        let late = Instant::now() + most.saturating_mul(PATIENCE);
        let before = self.taken();
        let written = timeout(GRACE * PATIENCE, self.input.write_all(line.as_bytes())).await;
        if !matches!(written, Ok(Ok(()))) {
            return TaskEnd::Died;
        }
        let mut text = Vec::new();
        loop {
            // What was read so far stays in `text`, so that a look at the memory loses nothing.
            match timeout(LOOK, self.output.read_until(b'\n', &mut text)).await {
                Err(_) if Instant::now() > late || self.taken().saturating_sub(before) > most => return TaskEnd::Late,
                Err(_) if self.resident().is_some_and(|bytes| bytes > memory + memory / 4 + PROGRAM) => {
                    return TaskEnd::Large;
                }
                Err(_) => continue,
                Ok(Err(_) | Ok(0)) => return TaskEnd::Died,
                Ok(Ok(_)) => {}
            }
            let line = String::from_utf8_lossy(&text);
            let line = line.trim_end();
            if let Some(object) = line.strip_prefix("P ") {
                progress.into_iter().for_each(|tell| tell(object));
                text.clear();
                continue;
            }
            return answer(line).map_or(TaskEnd::Died, TaskEnd::Answer);
        }
    }

    /// What it has taken of the processor.
    fn taken(&self) -> Duration {
        self.child.id().and_then(clock::taken_by).unwrap_or_default()
    }

    /// How much memory it holds.
    fn resident(&self) -> Option<u64> {
        /// What a page has where nobody says otherwise.
        const PAGE: u64 = 4096;
        let text = std::fs::read_to_string(format!("/proc/{}/statm", self.child.id()?)).ok()?;
        text.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(PAGE)
    }
}

fn answer(line: &str) -> Option<Reply> {
    let mut words = line.strip_prefix("A ")?.splitn(3, ' ');
    let (status, limited, body) = (words.next()?.parse().ok()?, words.next()? == "1", words.next()?.to_string());
    Some(Reply { status, limited, body })
}

/// Has a worker step back behind others.
#[cfg(unix)]
fn lower(child: &Child, nice: i32) {
    use rustix::process::{Pid, setpriority_process};
    let pid = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
    // A worker that may not step back only takes more of the processor.
    let _ = pid.map(|pid| setpriority_process(Some(pid), nice));
}

#[cfg(not(unix))]
fn lower(_: &Child, _: i32) {}
