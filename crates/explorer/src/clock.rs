//! How long a question may take, by the processor's clock: who has to share the machine is no slower for it.
//!
//! A thread of the worker looks at the clock and asks the work to stop. Where there is no such clock, the one on the wall is taken.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// How often the thread looks.
const EVERY: Duration = Duration::from_millis(5);
/// When the question that is being answered has to stop, in microseconds of the clock.
static END: AtomicU64 = AtomicU64::new(u64::MAX);

/// What this process has taken of the processor.
#[cfg(unix)]
fn taken() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    seconds.saturating_mul(1_000_000).saturating_add(u64::try_from(now.tv_nsec).unwrap_or(0) / 1000)
}

#[cfg(not(unix))]
fn taken() -> u64 {
    static BEGUN: OnceLock<std::time::Instant> = OnceLock::new();
    BEGUN.get_or_init(std::time::Instant::now).elapsed().as_micros() as u64
}

/// The flag that asks the work to stop.
pub fn flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&flag);
        // Without this thread who asks ends the worker.
        let _ = thread::Builder::new().stack_size(1 << 16).spawn(move || {
            loop {
                thread::sleep(EVERY);
                if taken() > END.load(Ordering::SeqCst) {
                    set.store(true, Ordering::SeqCst);
                }
            }
        });
        flag
    });
    Arc::clone(flag)
}

/// Begins a question that may take so long.
pub fn begin(time: Duration) {
    let flag = flag();
    END.store(taken().saturating_add(time.as_micros() as u64), Ordering::SeqCst);
    flag.store(false, Ordering::SeqCst);
}

/// The question is answered.
pub fn rest() {
    END.store(u64::MAX, Ordering::SeqCst);
}

/// What another process has taken of the processor.
pub fn taken_by(process: u32) -> Option<Duration> {
    /// The system counts in hundredths of a second, whatever its clock does.
    const TICK: u64 = 10;
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in brackets, may hold anything.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    let ticks = next()?.checked_add(next()?)?;
    Some(Duration::from_millis(ticks.saturating_mul(TICK)))
}
