//! Long work without the lock of the interpreter, which Ctrl-C stops.
//!
//! Python runs handlers of signals in its main thread alone. So what the main thread asks for is worked out by another thread, and the
//! main thread wakes up now and then to look for signals. That thread is kept: a solve may take a few microseconds, and starting
//! a thread takes more than handing work to one.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors;

/// How long Ctrl-C may wait to be seen.
const LOOK: Duration = Duration::from_millis(50);
/// The stack of a thread that works, as that of a main thread.
const STACK: usize = 16 << 20;

type Job = Box<dyn FnOnce() + Send>;
type Outcome<T> = Result<T, Box<dyn Any + Send>>;

/// The thread that works for the main thread of a process.
struct Worker {
    /// After a fork, the child has the memory of its parent but not this thread.
    process: u32,
    jobs: Sender<Job>,
}

static WORKER: Mutex<Option<Worker>> = Mutex::new(None);

/// Works without the lock of the interpreter. `stop` is set where a signal is to end it.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    stop: &Arc<AtomicBool>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if !is_main_thread(py)? {
        return Ok(py.detach(work));
    }
    let (result, wait) = sync_channel::<Outcome<T>>(1);
    let job: Job = Box::new(move || {
        // Nobody waits for it where the interpreter is gone.
        let _ = result.send(catch_unwind(AssertUnwindSafe(work)));
    });
    // A handler of a signal may solve a game, too, while the thread is busy with another.
    let guard = WORKER.try_lock();
    match guard {
        Ok(mut worker) => {
            hand_over(&mut worker, job)?;
            wait_for(py, wait, stop)
        }
        Err(_) => {
            start(job)?;
            wait_for(py, wait, stop)
        }
    }
}

/// Gives a job to the thread that is kept.
fn hand_over(kept: &mut Option<Worker>, job: Job) -> PyResult<()> {
    let process = std::process::id();
    let unsent = match kept.as_ref().filter(|worker| worker.process == process) {
        Some(worker) => worker.jobs.send(job).err().map(|unsent| unsent.0),
        None => Some(job),
    };
    let Some(job) = unsent else { return Ok(()) };
    let (jobs, todo) = channel::<Job>();
    start(Box::new(move || todo.iter().for_each(|job| job())))?;
    if jobs.send(job).is_err() {
        return Err(errors::internal("the thread that solves has ended"));
    }
    // The channel of a parent process may be locked for ever by a thread that is not here: it is left as it is.
    std::mem::forget(kept.replace(Worker { process, jobs }));
    Ok(())
}

fn start(job: Job) -> PyResult<()> {
    let thread = thread::Builder::new().name("perfectplay".to_string()).stack_size(STACK);
    thread.spawn(job).map(drop).map_err(|error| errors::internal(&format!("no thread can be started: {error}")))
}

/// Waits, and looks for signals.
fn wait_for<T: Send>(py: Python<'_>, mut wait: Receiver<Outcome<T>>, stop: &AtomicBool) -> PyResult<T> {
    let mut signal = None;
    loop {
        let waited;
        (wait, waited) = py.detach(move || {
            let waited = wait.recv_timeout(LOOK);
            (wait, waited)
        });
        match waited {
            Ok(Ok(done)) => return signal.map_or(Ok(done), Err),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Disconnected) => return Err(errors::internal("the thread that solves has ended")),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = py.check_signals() {
                    stop.store(true, Ordering::Relaxed);
                    signal.get_or_insert(error);
                }
            }
        }
    }
}

/// Whether signals are handled in this thread.
fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    thread_local! { static KNOWN: Cell<Option<(u32, bool)>> = const { Cell::new(None) } }
    let process = std::process::id();
    if let Some((_, is_main)) = KNOWN.get().filter(|(known, _)| *known == process) {
        return Ok(is_main);
    }
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    let is_main = threading.call_method0("get_ident")?.eq(main)?;
    KNOWN.set(Some((process, is_main)));
    Ok(is_main)
}
