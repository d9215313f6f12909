//! Long work without the lock of the interpreter, which Ctrl-C stops.
//!
//! Python runs handlers of signals in its main thread alone. So what takes long for the main thread is worked out by another
//! thread, and the main thread wakes up now and then to look for signals. But most solves take microseconds, and on a busy machine
//! another thread may have to wait for milliseconds until it runs. So the main thread begins itself. If it is not done soon, a
//! watchdog stops it, and the other thread begins anew.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::errors;

/// How long Ctrl-C may wait to be seen.
const LOOK: Duration = Duration::from_millis(50);
/// So long the main thread works itself.
const SOON: Duration = Duration::from_millis(30);
/// How often the watchdog looks,
const TURN: Duration = Duration::from_millis(10);
/// and after how many looks at nothing it sleeps.
const IDLE: u32 = 100;
/// The stack of a thread that works, as that of a main thread.
const STACK: usize = 16 << 20;

type Outcome<T> = Result<T, Box<dyn Any + Send>>;

/// Works without the lock of the interpreter. `stop` ends the work, which then gives an error; it may be begun twice.
pub fn run<T: Send + 'static, E: Send + 'static>(
    py: Python<'_>,
    stop: &Arc<AtomicBool>,
    work: impl Fn() -> Result<T, E> + Send + 'static,
) -> PyResult<Result<T, E>> {
    if !is_main_thread(py)? {
        return Ok(py.detach(work));
    }
    let mut work = work;
    if watched(stop, Instant::now() + SOON) {
        let done;
        (work, done) = py.detach(move || {
            let done = work();
            (work, done)
        });
        let barked = !unwatched();
        if done.is_ok() || !barked {
            return Ok(done);
        }
        stop.store(false, Ordering::Relaxed);
        py.check_signals()?;
    }
    let (result, wait) = sync_channel::<Outcome<Result<T, E>>>(1);
    let job = move || {
        // Nobody waits for it where the interpreter is gone.
        let _ = result.send(catch_unwind(AssertUnwindSafe(work)));
    };
    let thread = thread::Builder::new().name("perfectplay".to_string()).stack_size(STACK);
    thread.spawn(job).map_err(|error| errors::internal(&format!("no thread can be started: {error}")))?;
    wait_for(py, wait, stop)
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

/// What the watchdog stops, and when.
struct Watched {
    stop: Arc<AtomicBool>,
    end: Instant,
}

/// What the main thread works at. Nobody waits for this lock but the watchdog: after a fork it may be locked for ever.
static WATCHED: Mutex<Option<Watched>> = Mutex::new(None);
/// The watchdog, and the process it is of: after a fork, the child has the memory of its parent but not this thread.
static WATCHDOG: Mutex<Option<(u32, Thread)>> = Mutex::new(None);
static ASLEEP: AtomicBool = AtomicBool::new(false);

/// Has the watchdog set a flag at some time. False where there is no watchdog.
fn watched(stop: &Arc<AtomicBool>, end: Instant) -> bool {
    let (Some(mut watchdog), Some(mut watched)) = (held(&WATCHDOG), held(&WATCHED)) else { return false };
    let process = std::process::id();
    if watchdog.as_ref().is_none_or(|(known, _)| *known != process) {
        ASLEEP.store(false, Ordering::SeqCst);
        let Ok(thread) = thread::Builder::new().name("perfectplay watchdog".to_string()).spawn(watch) else {
            return false;
        };
        *watchdog = Some((process, thread.thread().clone()));
    }
    *watched = Some(Watched { stop: Arc::clone(stop), end });
    drop(watched);
    if let Some((_, thread)) = watchdog.as_ref()
        && ASLEEP.swap(false, Ordering::SeqCst)
    {
        thread.unpark();
    }
    true
}

/// Calls the watchdog off. False where it has barked.
fn unwatched() -> bool {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner).take().is_some()
}

fn held<T>(mutex: &Mutex<T>) -> Option<std::sync::MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// The life of the watchdog.
fn watch() {
    let mut idle = 0;
    loop {
        thread::sleep(TURN);
        let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
        match watched.as_ref() {
            Some(Watched { stop, end }) => {
                idle = 0;
                if Instant::now() >= *end {
                    stop.store(true, Ordering::Relaxed);
                    *watched = None;
                }
            }
            None if idle < IDLE => idle += 1,
            None => {
                ASLEEP.store(true, Ordering::SeqCst);
                drop(watched);
                while ASLEEP.load(Ordering::SeqCst) {
                    thread::park();
                }
                idle = 0;
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
