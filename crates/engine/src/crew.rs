//! Threads that share one task of many chunks.
//!
//! Chunks are taken from a common counter, so a slow one holds nobody up. Each worker has a state of its own; what
//! chunks have in common they change by atomic operations whose result does not depend on their order. The calling
//! thread works too and looks at the limits between chunks.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::monitor::Monitor;

/// Does the chunks `0..chunks`, on as many threads as there are states. With an error the rest is left undone, and of
/// several errors that of the first chunk is given.
pub(crate) fn share<S: Send>(
    states: &mut [S],
    chunks: usize,
    monitor: &mut Monitor,
    progress: &(dyn Fn() -> (u64, u64) + Sync),
    work: &(dyn Fn(usize, &mut S) -> Result<(), Error> + Sync),
) -> Result<(), Error> {
    let Some((own, others)) = states.split_first_mut() else { return Ok(()) };
    if others.is_empty() || chunks < 2 {
        for chunk in 0..chunks {
            let (positions, settled) = progress();
            monitor.tick(positions, settled)?;
            work(chunk, own)?;
        }
        return Ok(());
    }
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let error: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let fail = |chunk: usize, problem: Error| {
        stop.store(true, Ordering::Relaxed);
        let mut first = error.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if first.as_ref().is_none_or(|(earlier, _)| chunk < *earlier) {
            *first = Some((chunk, problem));
        }
    };
    let one = |state: &mut S| -> bool {
        let chunk = next.fetch_add(1, Ordering::Relaxed);
        if chunk >= chunks || stop.load(Ordering::Relaxed) {
            return false;
        }
        if let Err(problem) = work(chunk, state) {
            fail(chunk, problem);
        }
        true
    };
    std::thread::scope(|scope| {
        for state in others.iter_mut().take(chunks - 1) {
            scope.spawn(|| while one(state) {});
        }
        loop {
            let (positions, settled) = progress();
            if let Err(problem) = monitor.tick(positions, settled) {
                fail(0, problem);
            }
            if !one(own) {
                break;
            }
        }
    });
    match error.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        Some((_, problem)) => Err(problem),
        None => Ok(()),
    }
}

/// The chunks of a long task, some at a time: between two slices nobody works, and a snapshot can be made.
pub(crate) struct Slices {
    left: Range<usize>,
    size: usize,
    began: Instant,
}

/// About how long a slice takes.
const SLICE: Duration = Duration::from_secs(1);

impl Slices {
    /// Slices of these chunks; all at once where no snapshots are kept.
    pub fn new(chunks: Range<usize>, monitor: &mut Monitor) -> Slices {
        let size = if monitor.keeping().is_some() { 4 } else { chunks.len() };
        Slices { left: chunks, size: size.max(1), began: Instant::now() }
    }
}

impl Iterator for Slices {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let first = self.left.start;
        if self.left.is_empty() {
            return None;
        }
        match self.began.elapsed() {
            taken if taken < SLICE / 2 => self.size = self.size.saturating_mul(2),
            taken if taken > SLICE * 2 => self.size = (self.size / 2).max(1),
            _ => {}
        }
        self.began = Instant::now();
        self.left.start = first.saturating_add(self.size).min(self.left.end);
        Some(first..self.left.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn count(threads: usize, bad: usize) -> Result<u64, Error> {
        let mut sums = vec![0u64; threads];
        let work = |chunk: usize, sum: &mut u64| {
            *sum += chunk as u64;
            if chunk >= bad { Err(Error::Fault(chunk as u64)) } else { Ok(()) }
        };
        share(&mut sums, 1000, &mut Monitor::unlimited(), &|| (0, 0), &work)?;
        Ok(sums.iter().sum())
    }

    #[test]
    fn every_chunk_is_done_once() {
        for threads in 1..5 {
            assert_eq!(count(threads, 1000), Ok(499_500));
            assert!(matches!(count(threads, 990), Err(Error::Fault(990..))));
        }
    }

    #[test]
    fn a_stop_reaches_all() {
        let flag = Arc::new(AtomicBool::new(true));
        let mut monitor = Monitor::unlimited().cancelled_by(flag);
        let stopped = share(&mut [(), ()], usize::MAX, &mut monitor, &|| (7, 0), &|_, _| Ok(()));
        assert_eq!(stopped, Err(Error::Interrupted { positions: 7 }));
    }
}
