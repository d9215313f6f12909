//! Worker processes, seen from outside. A lane has some of them; each answers one question at a time.
//!
//! A worker that takes longer than its question may, or more memory, is ended, and another is started. A worker that died while
//! nobody asked it anything is replaced, and who asks does not notice.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::budget::ceiling;
use crate::clock;
use crate::question::QuestionKind;
use crate::reply::Reply;
use crate::settings::wall;
use crate::worker::MOST_GAMES;

/// How often the time and the memory of a worker are looked at.
const LOOK: Duration = Duration::from_millis(25);
/// How much more of the processor a worker may take until it has stopped, at the least and at the most.
const GRACE: (Duration, Duration) = (Duration::from_millis(30), Duration::from_millis(400));
/// A longer answer is too much.
const ANSWER: usize = 16 << 20;
/// A question that is no job waits no longer than this, and one that is answered to the end no longer than that.
const QUESTION: Duration = Duration::from_secs(10);
const SMALL_QUESTION: Duration = Duration::from_secs(20);

/// How workers are started.
#[derive(Clone, Debug)]
pub struct Start {
    /// The program.
    pub program: PathBuf,
    /// Its words.
    pub words: Vec<String>,
}

/// Who may wait.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    /// At most so many wait.
    pub most: usize,
    /// They wait no longer than this.
    pub patience: Duration,
}

/// Some workers that do the same kind of work.
pub struct Lane {
    start: Start,
    idle: Mutex<Vec<Worker>>,
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
    queue: Queue,
}

/// A worker process.
struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The games of its last questions, the latest last. It keeps some of them.
    keys: VecDeque<u64>,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Task {
    /// Which question.
    pub kind: QuestionKind,
    /// The question, on one line.
    pub body: Arc<str>,
    /// The number of the game that it is about. A worker that has answered a question with this key is preferred.
    pub key: u64,
    /// How long it may take of the processor. The clock on the wall has [`wall`].
    pub time: Duration,
    /// How much memory it may take.
    pub memory: u64,
}

/// How a task ended.
#[derive(Debug)]
pub enum TaskEnd {
    /// An answer.
    Answer(Reply),
    /// Everyone was busy for too long.
    Busy,
    /// It took too much of the processor, and did not stop by itself.
    Late,
    /// It took too long by the clock on the wall: the machine has other things to do.
    Slow,
    /// It took too much memory, and did not stop by itself.
    Large,
    /// The answer is too long.
    Long,
    /// The worker ended without an answer.
    Died,
}

/// Hears how far a job is.
pub type Progress<'p> = &'p (dyn Fn(&str) + Sync);

impl Lane {
    /// A lane of so many workers, which are started at once.
    pub fn new(start: Start, workers: usize, queue: Queue) -> Lane {
        let free = Arc::new(Semaphore::new(workers));
        let lane = Lane { start, idle: Mutex::default(), free, waiting: AtomicUsize::new(0), queue };
        lane.refill_to(workers);
        lane
    }

    /// Starts a worker for later.
    fn refill(&self) {
        if let Ok(worker) = Worker::start(&self.start) {
            self.lock().push(worker);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether an idle worker was asked about this lately.
    pub fn holds(&self, key: u64) -> bool {
        self.lock().iter().any(|worker| worker.keys.contains(&key))
    }

    /// Waits until a worker is free.
    async fn turn(&self, patience: Duration) -> Option<OwnedSemaphorePermit> {
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.queue.most && self.free.available_permits() == 0 {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        let _waits = Waits(&self.waiting);
        timeout(patience, Arc::clone(&self.free).acquire_owned()).await.ok()?.ok()
    }

    /// Has a worker answer. Where the answer is not waited for any more, the worker is ended.
    pub async fn ask(&self, task: &Task) -> TaskEnd {
        match self.turn(self.queue.patience.min(QUESTION)).await {
            Some(_turn) => self.work(task, None).await,
            None => TaskEnd::Busy,
        }
    }

    /// Has a worker answer. The worker finishes even where the answer is not waited for any more: ending it and starting
    /// another would be more work than a small question.
    pub async fn ask_through(self: &Arc<Lane>, task: &Task) -> TaskEnd {
        let Some(turn) = self.turn(self.queue.patience.min(SMALL_QUESTION)).await else { return TaskEnd::Busy };
        let (lane, task) = (Arc::clone(self), task.clone());
        let work = tokio::spawn(async move {
            let done = lane.work(&task, None).await;
            drop(turn);
            done
        });
        work.await.unwrap_or(TaskEnd::Died)
    }

    /// Has a worker do a job, which may wait for long and tells how far it is. Where the job is dropped, the worker is ended.
    pub async fn job(&self, task: &Task, begun: impl FnOnce(), progress: Progress<'_>) -> TaskEnd {
        let Some(_turn) = self.turn(self.queue.patience).await else { return TaskEnd::Busy };
        begun();
        self.work(task, Some(progress)).await
    }

    /// An idle worker, who knows the game if possible, or a new one.
    fn hire(&self, key: u64) -> std::io::Result<Worker> {
        loop {
            let worker = {
                let mut idle = self.lock();
                let known = idle.iter().position(|worker| worker.keys.contains(&key));
                known.map(|at| idle.remove(at)).or_else(|| (!idle.is_empty()).then(|| idle.remove(0)))
            };
            let Some(mut worker) = worker else { return Worker::start(&self.start) };
            // It may have ended while nobody asked it anything.
            if worker.is_there() {
                return Ok(worker);
            }
        }
    }

    async fn work(&self, task: &Task, progress: Option<Progress<'_>>) -> TaskEnd {
        let Ok(mut worker) = self.hire(task.key) else { return TaskEnd::Died };
        // Where the future is dropped here, the worker goes with it.
        let mut done = worker.run(task, progress).await;
        if matches!(done, TaskEnd::Died) {
            // Somebody may have ended it just now. What ends a second one is in the question.
            match Worker::start(&self.start) {
                Ok(other) => worker = other,
                Err(_) => return done,
            }
            done = worker.run(task, progress).await;
        }
        match done {
            TaskEnd::Answer(_) => {
                worker.remember(task.key);
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
    fn start(start: &Start) -> std::io::Result<Worker> {
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
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(std::io::Error::other("a pipe is missing"));
        };
        Ok(Worker { child, input, output: BufReader::with_capacity(1 << 16, output), keys: VecDeque::new() })
    }

    fn remember(&mut self, key: u64) {
        self.keys.retain(|known| *known != key);
        self.keys.push_back(key);
        if self.keys.len() > MOST_GAMES {
            self.keys.pop_front();
        }
    }

    fn is_there(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    fn end(&mut self) {
        // It may have ended by itself.
        let _ = self.child.start_kill();
    }

    async fn run(&mut self, task: &Task, progress: Option<Progress<'_>>) -> TaskEnd {
        let telling = u8::from(progress.is_some());
        let Task { kind, body, time, memory, .. } = task;
        let line = format!("{} {} {memory} {telling} {body}\n", kind.name(), time.as_millis());
        // A position that is too much is shown without values, and has its time a second time for that.
        let most = time.saturating_mul(2).saturating_add((*time).clamp(GRACE.0, GRACE.1));
        let longest = wall(*time);
        let begun = Instant::now();
        let before = self.taken();
        match timeout(longest, self.input.write_all(line.as_bytes())).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return TaskEnd::Died,
            Err(_) => return TaskEnd::Slow,
        }
        let mut text = Vec::new();
        loop {
            // What was read so far stays in `text`, so that a look at the worker loses nothing.
            match timeout(LOOK, self.output.read_until(b'\n', &mut text)).await {
                _ if text.len() > ANSWER => return TaskEnd::Long,
                Err(_) if self.taken().saturating_sub(before) > most => return TaskEnd::Late,
                Err(_) if begun.elapsed() > longest => return TaskEnd::Slow,
                Err(_) if self.memory().is_some_and(|bytes| bytes > ceiling(*memory)) => return TaskEnd::Large,
                Err(_) => continue,
                Ok(Err(_) | Ok(0)) => return TaskEnd::Died,
                Ok(Ok(_)) => {}
            }
            let line = String::from_utf8_lossy(&text);
            let line = line.trim_end();
            if let Some(object) = line.strip_prefix("P ") {
                progress.into_iter().for_each(|tell| tell(object));
                text.clear();
                if begun.elapsed() > longest {
                    return TaskEnd::Slow;
                }
                continue;
            }
            return answer(line).map_or(TaskEnd::Died, TaskEnd::Answer);
        }
    }

    /// What it has taken of the processor.
    fn taken(&self) -> Duration {
        self.child.id().and_then(clock::taken_by).unwrap_or_default()
    }

    /// How much memory it holds, without the files that it only reads: the program itself, and tables.
    fn memory(&self) -> Option<u64> {
        /// What a page has where nobody says otherwise.
        const PAGE: u64 = 4096;
        let text = std::fs::read_to_string(format!("/proc/{}/statm", self.child.id()?)).ok()?;
        let mut pages = text.split_whitespace().skip(1).map(|word| word.parse::<u64>().ok());
        pages.next()??.checked_sub(pages.next()??)?.checked_mul(PAGE)
    }
}

fn answer(line: &str) -> Option<Reply> {
    let mut words = line.strip_prefix("A ")?.splitn(3, ' ');
    let (status, limited, body) = (words.next()?.parse().ok()?, words.next()? == "1", words.next()?.to_string());
    Some(Reply { status, limited, body })
}

#[cfg(all(test, unix))]
mod tests;
