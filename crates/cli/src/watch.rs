//! Ctrl-C. While a game is solved, the first one asks the work to stop and to say how far it came; the second ends the program
//! at once. While a person is asked for a move, the first one ends it. See [`crate::watchdog`] for work that does not stop.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Set while the program only waits for a person.
static WAITING: AtomicBool = AtomicBool::new(false);
/// Set when what was stopped is told.
static STOPPED: AtomicBool = AtomicBool::new(false);
/// Set while something is saved.
static UNBROKEN: AtomicBool = AtomicBool::new(false);
/// Ends the program where it has a way of its own to do so.
static LEAVE: OnceLock<fn()> = OnceLock::new();

/// Where monitors count the positions that were met.
pub fn counter() -> Arc<AtomicU64> {
    static MET: OnceLock<Arc<AtomicU64>> = OnceLock::new();
    Arc::clone(MET.get_or_init(Arc::default))
}

/// How many positions were met.
pub fn met() -> u64 {
    counter().load(Ordering::Relaxed)
}

/// Whether the program waits for a person, or for what must not be left half done.
pub fn is_waiting() -> bool {
    WAITING.load(Ordering::SeqCst) || UNBROKEN.load(Ordering::SeqCst)
}

/// The flag that Ctrl-C sets. The handler is installed on first use.
pub fn cancel() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&flag);
        // Without a handler Ctrl-C simply ends the program, which is no worse.
        let _ = ctrlc::set_handler(move || {
            if let Some(leave) = LEAVE.get() {
                return leave();
            }
            if set.swap(true, Ordering::SeqCst) || WAITING.load(Ordering::SeqCst) {
                let _ = writeln!(std::io::stderr());
                std::process::exit(130);
            }
        });
        flag
    });
    Arc::clone(flag)
}

/// From now on a signal is answered by this.
pub fn leaves_by(leave: fn()) {
    // There is one command.
    let _ = LEAVE.set(leave);
}

/// Says that the work has stopped, and that what came of it is being told. That may take a little longer.
pub fn tell() {
    STOPPED.store(true, Ordering::SeqCst);
}

/// Whether the work has stopped.
pub fn is_telling() -> bool {
    STOPPED.load(Ordering::SeqCst)
}

/// Does what must not be left half done.
pub fn unbroken<T>(work: impl FnOnce() -> T) -> T {
    UNBROKEN.store(true, Ordering::SeqCst);
    let done = work();
    UNBROKEN.store(false, Ordering::SeqCst);
    done
}

/// Waits for a person; work that was stopped before is forgotten.
pub fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    cancel().store(false, Ordering::SeqCst);
    WAITING.store(true, Ordering::SeqCst);
    let answer = wait();
    WAITING.store(false, Ordering::SeqCst);
    answer
}
