//! How a process goes, for those who watch it: when it last heard of the others, and how far it is.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a process does.
pub const PHASES: [&str; 5] = ["meeting", "finding positions", "reversing moves", "valuing", "sorting"];

/// How a process goes.
#[derive(Debug)]
pub struct Pulse {
    began: Instant,
    /// Milliseconds from the beginning to the end of the last epoch.
    last: AtomicU64,
    /// Words sent in letters to other workers.
    sent: AtomicU64,
    phase: AtomicUsize,
    met: AtomicU64,
    settled: AtomicU64,
    /// How many workers are done.
    done: AtomicUsize,
    is_closing: AtomicBool,
    /// The first process that was lost, and how that showed.
    lost: Mutex<Option<(usize, String)>>,
}

impl Pulse {
    /// A process that begins now.
    pub fn new() -> Arc<Pulse> {
        Arc::new(Pulse {
            began: Instant::now(),
            last: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            phase: AtomicUsize::new(0),
            met: AtomicU64::new(0),
            settled: AtomicU64::new(0),
            done: AtomicUsize::new(0),
            is_closing: AtomicBool::new(false),
            lost: Mutex::new(None),
        })
    }

    /// How long no epoch has ended.
    pub fn silence(&self) -> Duration {
        self.began.elapsed().saturating_sub(Duration::from_millis(self.last.load(Relaxed)))
    }

    /// Something was heard, or something long goes on.
    pub fn beat(&self) {
        self.last.store(self.began.elapsed().as_millis() as u64, Relaxed);
    }

    /// So many words go to another worker.
    pub fn send(&self, words: usize) {
        self.sent.fetch_add(words as u64, Relaxed);
    }

    /// Bytes sent in letters to other workers.
    pub fn sent(&self) -> u64 {
        8 * self.sent.load(Relaxed)
    }

    /// Begins a phase, by its place in [`PHASES`].
    pub fn enter(&self, phase: usize) {
        self.phase.store(phase, Relaxed);
        self.settled.store(0, Relaxed);
    }

    /// How many positions all workers have met, and have settled.
    pub fn tell(&self, met: u64, settled: u64) {
        self.met.fetch_max(met, Relaxed);
        self.settled.fetch_max(settled, Relaxed);
    }

    /// The phase, the positions that were met, and those that are settled.
    pub fn standing(&self) -> (usize, u64, u64) {
        (self.phase.load(Relaxed), self.met.load(Relaxed), self.settled.load(Relaxed))
    }

    /// From now on it is no loss when others go away: they have what they need.
    pub fn close(&self) {
        self.is_closing.store(true, Relaxed);
    }

    /// Whether others may go away.
    pub fn is_closing(&self) -> bool {
        self.is_closing.load(Relaxed)
    }

    /// Another process is gone.
    pub fn lose(&self, process: usize, why: &str) {
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.get_or_insert_with(|| (process, why.to_string()));
    }

    /// The process that was lost, and how that showed.
    pub fn lost(&self) -> Option<(usize, String)> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A worker is done.
    pub fn finish(&self) {
        self.done.fetch_add(1, Relaxed);
    }

    /// How many workers are done.
    pub fn finished(&self) -> usize {
        self.done.load(Relaxed)
    }
}
