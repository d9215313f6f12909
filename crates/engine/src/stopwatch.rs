//! Time that a thread takes itself.

use std::time::{Duration, Instant};

/// Measures what a stretch of work takes this thread, however busy the machine is with other things.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    start: Instant,
    processor: Option<Duration>,
}

/// The system counts processor time in steps that are no longer than this.
const STEP: Duration = Duration::from_millis(4);

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Stopwatch {
        Stopwatch { start: Instant::now(), processor: processor_time() }
    }

    /// Seconds since the start in which this thread had a processor; all, where the system does not tell.
    pub fn seconds(&self) -> f64 {
        let all = self.start.elapsed();
        let own = self.processor.zip(processor_time()).map_or(all, |(before, now)| now.saturating_sub(before) + STEP);
        own.min(all).as_secs_f64()
    }
}

/// The processor time of this thread so far, where the system tells.
fn processor_time() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    statistics.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
