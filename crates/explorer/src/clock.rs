//! How long a question may take, by the processor's clock: who has to share the machine is no slower for it.
//!
//! A thread of the worker looks at the clock and asks the work to stop. It sleeps while there is no work. Where there is no such
//! clock, the one on the wall is taken.
//!
//! The end of a question and the flag change under one lock. So a look that belongs to one question cannot stop the next one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// The thread looks at least so often while there is work.
const LONGEST: Duration = Duration::from_millis(20);
/// It looks no more often.
const SHORTEST: Duration = Duration::from_millis(1);

/// Stops work at its time.
struct Clock {
    /// When the question that is being answered has to stop, in microseconds of the processor.
    end: Mutex<Option<u64>>,
    /// Told when a question begins.
    begun: Condvar,
    /// Asks the work to stop.
    flag: Arc<AtomicBool>,
}

impl Clock {
    fn new() -> Clock {
        Clock { end: Mutex::new(None), begun: Condvar::new(), flag: Arc::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Option<u64>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, end: u64) {
        let mut now = self.lock();
        *now = Some(end);
        self.flag.store(false, Ordering::SeqCst);
        self.begun.notify_one();
    }

    fn rest(&self) {
        *self.lock() = None;
    }

    /// Asks the work to stop where its time is over; how long to wait before the next look, if there is work.
    fn look(&self, end: &mut Option<u64>, taken: u64) -> Option<Duration> {
        match (*end)?.checked_sub(taken) {
            Some(left @ 1..) => Some(Duration::from_micros(left).clamp(SHORTEST, LONGEST)),
            _ => {
                self.flag.store(true, Ordering::SeqCst);
                *end = None;
                None
            }
        }
    }

    fn watch(&self) -> ! {
        let mut end = self.lock();
        loop {
            end = match self.look(&mut end, taken()) {
                Some(wait) => self.begun.wait_timeout(end, wait).unwrap_or_else(PoisonError::into_inner).0,
                None => self.begun.wait(end).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

/// What this process has taken of the processor, in microseconds.
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

/// The clock of this process. Its thread is started on first use.
fn clock() -> &'static Clock {
    static CLOCK: OnceLock<Clock> = OnceLock::new();
    static THREAD: OnceLock<()> = OnceLock::new();
    let clock = CLOCK.get_or_init(Clock::new);
    THREAD.get_or_init(|| {
        // Without this thread who asks ends the worker.
        let _ = thread::Builder::new().stack_size(1 << 16).spawn(|| CLOCK.get_or_init(Clock::new).watch());
    });
    clock
}

/// The flag that asks the work to stop.
pub fn flag() -> Arc<AtomicBool> {
    Arc::clone(&clock().flag)
}

/// Begins a question that may take so long.
pub fn begin(time: Duration) {
    clock().begin(taken().saturating_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX)));
}

/// The question is answered.
pub fn rest() {
    clock().rest();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_stopped_at_its_time_and_not_before() {
        let clock = Clock::new();
        let flag = Arc::clone(&clock.flag);
        clock.begin(1000);
        assert_eq!(clock.look(&mut clock.lock(), 900), Some(SHORTEST));
        assert!(!flag.load(Ordering::SeqCst));
        assert_eq!(clock.look(&mut clock.lock(), 1000), None);
        assert!(flag.load(Ordering::SeqCst));
        // The next question is not stopped by the time of the last one.
        clock.begin(90_000);
        assert!(!flag.load(Ordering::SeqCst));
        assert_eq!(clock.look(&mut clock.lock(), 2000), Some(LONGEST));
        clock.rest();
        assert_eq!(clock.look(&mut clock.lock(), 95_000), None);
        assert!(!flag.load(Ordering::SeqCst), "nothing is stopped where nobody works");
    }

    /// Many short questions, whose ends pass while the next one begins: none is stopped by another one's clock.
    #[test]
    fn a_question_is_not_stopped_by_the_clock_of_the_one_before() {
        let clock: &'static Clock = Box::leak(Box::new(Clock::new()));
        let over = Arc::new(AtomicBool::new(false));
        let looking = {
            let over = Arc::clone(&over);
            thread::spawn(move || {
                while !over.load(Ordering::SeqCst) {
                    // Every end of an odd question has passed, none of an even one.
                    let mut end = clock.lock();
                    clock.look(&mut end, 500);
                }
            })
        };
        for _ in 0..20_000 {
            clock.begin(1);
            clock.begin(1000);
            assert!(!clock.flag.load(Ordering::SeqCst));
            std::hint::spin_loop();
            assert!(!clock.flag.load(Ordering::SeqCst));
        }
        over.store(true, Ordering::SeqCst);
        looking.join().unwrap();
    }
}
