//! Ctrl-C. While a game is solved, the first one asks the work to stop and to say how far it came; the second ends the program
//! at once. While a person is asked for a move, the first one ends it.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set while the program only waits for a person.
static WAITING: AtomicBool = AtomicBool::new(false);

/// The flag that Ctrl-C sets. The handler is installed on first use.
pub fn cancel() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&flag);
        // Without a handler Ctrl-C simply ends the program, which is no worse.
        let _ = ctrlc::set_handler(move || {
            if set.swap(true, Ordering::SeqCst) || WAITING.load(Ordering::SeqCst) {
                let _ = writeln!(std::io::stderr());
                std::process::exit(130);
            }
        });
        flag
    });
    Arc::clone(flag)
}

/// Waits for a person; work that was stopped before is forgotten.
pub fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    cancel().store(false, Ordering::SeqCst);
    WAITING.store(true, Ordering::SeqCst);
    let answer = wait();
    WAITING.store(false, Ordering::SeqCst);
    answer
}
