//! Limits, progress and the stop button of one solve.
//!
//! The methods call [`Monitor::tick`] once for every position they look at. Most calls only count down; the clock, the
//! cancel flag and the progress callback are looked at about once a millisecond. The number of calls between two looks
//! adapts, since a position can take ten nanoseconds or a hundred milliseconds.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Limit};
use crate::keeping::Keeping;
use crate::memory::Memory;

pub use crate::prediction::Prediction;
pub use crate::stopwatch::Stopwatch;

const MOST_CALLS: u32 = 4096;
const LOOK_EVERY: Duration = Duration::from_millis(1);
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// How much a solve may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes for everything that grows with the game.
    pub memory: u64,
    /// Wall-clock time, if it is limited.
    pub time: Option<Duration>,
}

/// Four gigabytes, and all the time in the world.
impl Default for Limits {
    fn default() -> Limits {
        Limits { memory: 4 << 30, time: None }
    }
}

/// How far a solve has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions met.
    pub positions: u64,
    /// Positions whose value is known.
    pub settled: u64,
    /// Memory in use.
    pub bytes: u64,
    /// Time since the monitor was made.
    pub elapsed: Duration,
    /// What is being done, in a word or two.
    pub phase: &'static str,
    /// How many positions there will be to settle in this phase, and when it began, where that is known beforehand.
    pub expected: Option<Expected>,
}

impl Progress {
    /// How long the rest of the phase takes at the pace so far, where its end is known.
    pub fn time_left(&self) -> Option<Duration> {
        let Expected { total, since } = self.expected?;
        let taken = self.elapsed.saturating_sub(since).as_secs_f64();
        if self.settled == 0 || self.settled >= total || taken < 0.2 {
            return None;
        }
        let rest = total.saturating_sub(self.settled) as f64 / self.settled as f64 * taken;
        Duration::try_from_secs_f64(rest).ok()
    }
}

/// The end of a phase that can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// How many positions there are to settle.
    pub total: u64,
    /// When the phase began.
    pub since: Duration,
}

/// Says how many bytes of a budget are for the program itself.
pub type Reserve = Arc<dyn Fn(&Memory) -> u64 + Send + Sync>;

/// What is called with the progress, at most about ten times a second.
pub type Report = Box<dyn FnMut(&Progress) + Send>;

/// Watches over one solve: its memory, its time, whether it was cancelled.
pub struct Monitor {
    memory: Memory,
    time: Option<Duration>,
    /// The time by which it is decided whether a run is given up for another one.
    planned: Option<Duration>,
    start: Instant,
    cancel: Arc<AtomicBool>,
    met: Arc<AtomicU64>,
    /// What is proved of the value that is asked for.
    proved: Arc<Mutex<Option<(i64, i64)>>>,
    report: Option<Report>,
    reserve: Option<Reserve>,
    keeping: Option<Keeping>,
    phase: &'static str,
    expected: Option<Expected>,
    /// Whether what is expected is no more than a guess.
    is_open_ended: bool,
    /// What the phase takes, where its end can be seen.
    watch: Option<Stopwatch>,
    prediction: Prediction,
    /// When the run is given up for another one.
    patience: Option<Duration>,
    /// Seconds of its own that it has before that, however busy the machine is.
    trial: Option<(Stopwatch, f64)>,
    /// When such a run is given up even so.
    latest: Option<Duration>,
    /// How many positions it may meet.
    most_positions: Option<u64>,
    /// The most positions that any phase has met.
    most_met: u64,
    calls_left: u32,
    calls: u32,
    last_look: Duration,
    next_report: Duration,
}

impl Monitor {
    /// A monitor whose clock starts now.
    pub fn new(limits: &Limits) -> Monitor {
        Monitor {
            memory: Memory::new(limits.memory),
            time: limits.time,
            planned: limits.time,
            start: Instant::now(),
            cancel: Arc::new(AtomicBool::new(false)),
            met: Arc::new(AtomicU64::new(0)),
            proved: Arc::default(),
            report: None,
            reserve: None,
            keeping: None,
            phase: "solving",
            expected: None,
            is_open_ended: false,
            watch: None,
            prediction: Prediction::default(),
            patience: None,
            trial: None,
            latest: None,
            most_positions: None,
            most_met: 0,
            calls_left: 1,
            calls: 1,
            last_look: Duration::ZERO,
            next_report: Duration::ZERO,
        }
    }

    /// A monitor without limits, for tests and for games known to be small.
    pub fn unlimited() -> Monitor {
        Monitor::new(&Limits { memory: u64::MAX, time: None })
    }

    /// Leaves as many bytes of the limit to the program itself as somebody says, who is asked now and again.
    pub fn reserving(mut self, reserve: Reserve) -> Monitor {
        self.reserve = Some(reserve);
        self.leave_room();
        self
    }

    /// Who says how many bytes of the limit are for the program itself, if anybody does.
    pub fn reserve(&self) -> Option<&Reserve> {
        self.reserve.as_ref()
    }

    fn leave_room(&self) {
        if let Some(reserve) = &self.reserve {
            self.memory.reserve(reserve(&self.memory));
        }
    }

    /// Decides as a solve does that has so much time, although this one is stopped at its own limit: who looks at a game for a
    /// while sees what a solve would do.
    pub fn as_if_within(mut self, time: Option<Duration>) -> Monitor {
        self.planned = time;
        self
    }

    /// Stops the solve soon after this flag is set, for instance by a signal handler.
    pub fn cancelled_by(mut self, cancel: Arc<AtomicBool>) -> Monitor {
        self.cancel = cancel;
        self
    }

    /// Keeps the number of positions that were met where others can read it.
    pub fn counting_in(mut self, met: Arc<AtomicU64>) -> Monitor {
        self.met = met;
        self
    }

    /// How many positions were met when this was last looked at.
    pub fn met(&self) -> u64 {
        self.met.load(Ordering::Relaxed)
    }

    /// A monitor of the same solve, for what goes on after it: with its budget, its clock, its flag. It reports no progress.
    pub fn fork(&self) -> Monitor {
        let limits = Limits { memory: 0, time: self.time };
        Monitor {
            memory: self.memory.clone(),
            planned: self.planned,
            start: self.start,
            cancel: Arc::clone(&self.cancel),
            met: Arc::clone(&self.met),
            proved: Arc::clone(&self.proved),
            reserve: self.reserve.clone(),
            ..Monitor::new(&limits)
        }
    }

    /// A monitor of the same solve that is stopped after so much time, although the solve may have more: it decides as the solve does.
    pub fn fork_for(&self, time: Option<Duration>) -> Monitor {
        let end = time.map(|time| self.elapsed().saturating_add(time));
        Monitor { time: end.into_iter().chain(self.time).min(), ..self.fork() }
    }

    /// Keeps that the value asked for lies between two numbers, for who wants to know where a limit is reached.
    pub fn prove(&self, low: i64, high: i64) {
        *self.proved.lock().unwrap_or_else(PoisonError::into_inner) = Some((low, high));
    }

    /// What is proved of the value asked for.
    pub fn proved(&self) -> Option<(i64, i64)> {
        *self.proved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the progress reported.
    pub fn reporting_to(mut self, report: Report) -> Monitor {
        self.report = Some(report);
        self
    }

    /// Has snapshots of the solve kept, from which a later one goes on.
    pub fn keeping_in(mut self, keeping: Keeping) -> Monitor {
        self.keeping = Some(keeping);
        self
    }

    /// The snapshots of the solve, where they are kept.
    pub fn keeping(&mut self) -> Option<&mut Keeping> {
        self.keeping.as_mut()
    }

    /// The snapshots of the solve, if one is due.
    pub fn keeping_due(&mut self) -> Option<&mut Keeping> {
        self.keeping.as_mut().filter(|keeping| keeping.is_due())
    }

    /// The budget.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The flag that stops the solve when set.
    pub fn cancel(&self) -> &Arc<AtomicBool> {
        &self.cancel
    }

    /// Time since the monitor was made.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The limit on time, if there is one.
    pub fn time_limit(&self) -> Option<Duration> {
        self.time
    }

    /// Time left before the limit, if there is one.
    pub fn time_left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_sub(self.elapsed()))
    }

    /// The time that plans are made for: all that a solve has, if that is limited.
    pub fn planned_time(&self) -> Option<Duration> {
        self.planned
    }

    /// Time left for a solve, by which it is decided what is given up.
    pub fn planned_left(&self) -> Option<Duration> {
        self.planned.map(|time| time.saturating_sub(self.elapsed()))
    }

    /// Gives a run up as dear after half of the time that is left, where time is limited; the rest is for another method.
    pub fn spend_half(&mut self) {
        self.patience = self.planned_left().map(|left| self.elapsed() + left / 2);
    }

    /// Gives a run up as dear when it has met so many positions.
    pub fn spend_positions(&mut self, positions: u64) {
        self.most_positions = Some(positions);
    }

    /// Gives a run up as dear after so many seconds of its own, or when half of the time that is left is over.
    pub fn spend(&mut self, seconds: f64) {
        self.latest = self.planned_left().map(|left| self.elapsed() + left / 2);
        self.patience = Duration::try_from_secs_f64(seconds).ok().map(|time| self.elapsed().saturating_add(time));
        self.trial = Some((Stopwatch::start(), seconds));
        // It may be short: the next tick looks at the clock.
        (self.calls_left, self.calls) = (1, 1);
    }

    /// Lets a run have all the time there is.
    pub fn spend_all(&mut self) {
        (self.patience, self.trial, self.latest, self.most_positions) = (None, None, None, None);
    }

    /// Time left before the run is given up or the limit is reached, whichever comes first.
    pub fn patience(&self) -> Option<Duration> {
        let soon = self.patience.map(|at| at.saturating_sub(self.elapsed()));
        soon.into_iter().chain(self.time_left()).min()
    }

    /// Says what is done from now on.
    pub fn enter(&mut self, phase: &'static str) {
        (self.phase, self.is_open_ended) = (phase, false);
        self.expected = None;
        self.leave_room();
    }

    /// Says what is done from now on, and how many positions that will settle.
    pub fn enter_expecting(&mut self, phase: &'static str, total: u64) {
        (self.phase, self.is_open_ended) = (phase, false);
        self.expected = Some(Expected { total, since: self.elapsed() });
        self.leave_room();
        self.watch = Some(Stopwatch::start());
    }

    /// Says that a search goes on that leaves most positions out. Nobody knows how many it looks at: what was predicted decides when
    /// it is given up, and is nothing that progress can be told by.
    pub fn enter_pruned_search(&mut self, phase: &'static str) {
        self.enter_search(phase);
        self.is_open_ended = true;
    }

    /// Says what is done from now on, where as many positions are settled as were predicted, about.
    pub fn enter_search(&mut self, phase: &'static str) {
        (self.phase, self.is_open_ended) = (phase, false);
        self.leave_room();
        let since = self.elapsed();
        self.expected = self.prediction.positions.map(|total| Expected { total, since });
        self.watch = Some(Stopwatch::start());
    }

    /// Says what was predicted. A phase that turns out much dearer is given up where another method would be taken instead.
    pub fn predict(&mut self, prediction: Prediction) {
        self.prediction = prediction;
    }

    /// To be called often: an error when the time is up or the solve was cancelled.
    #[inline]
    pub fn tick(&mut self, positions: u64, settled: u64) -> Result<(), Error> {
        self.calls_left -= 1;
        if self.calls_left > 0 {
            return Ok(());
        }
        self.look(positions, settled)
    }

    /// Looks at the cancel flag, the clock and whether to report, each time: [`Monitor::tick`] does so now and then.
    #[cold]
    pub fn look(&mut self, positions: u64, settled: u64) -> Result<(), Error> {
        let elapsed = self.elapsed();
        let since = elapsed.saturating_sub(self.last_look);
        if since < LOOK_EVERY {
            self.calls = (self.calls * 2).min(MOST_CALLS);
        } else if since > 2 * LOOK_EVERY {
            self.calls = (self.calls / 2).max(1);
        }
        self.last_look = elapsed;
        self.met.store(positions, Ordering::Relaxed);
        self.most_met = self.most_met.max(positions);
        self.calls_left = self.calls;
        // A method that was given up, or one that came before, may have met more.
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Error::Interrupted { positions: self.most_met });
        }
        if let Some(limit) = self.time.filter(|&limit| elapsed >= limit) {
            return Err(Error::Limit { limit: Limit::Time { limit }, positions: self.most_met });
        }
        if self.most_positions.is_some_and(|most| positions >= most) || self.is_given_up(elapsed, settled) {
            return Err(Error::Dear { positions });
        }
        if elapsed >= self.next_report {
            self.next_report = elapsed + REPORT_EVERY;
            self.leave_room();
            let (phase, expected) = (self.phase, self.expected.filter(|_| !self.is_open_ended));
            let progress = Progress { positions, settled, bytes: self.memory.used(), elapsed, phase, expected };
            if let Some(report) = &mut self.report {
                report(&progress);
            }
        }
        Ok(())
    }
}

impl Monitor {
    /// Whether a run that has settled so many positions is given up for another one. What was counted decides, and the clock only
    /// where a limit runs out, or where positions take many times as long as was predicted: then what the run takes itself
    /// counts, as on a busy machine every method takes longer.
    fn is_given_up(&self, elapsed: Duration, settled: u64) -> bool {
        if self.latest.is_some_and(|at| elapsed >= at) {
            return true;
        }
        if self.patience.is_some_and(|at| elapsed >= at) {
            return self.trial.is_none_or(|(watch, seconds)| watch.seconds() >= seconds);
        }
        let Some(Expected { total, since }) = self.expected else { return false };
        let taken = elapsed.saturating_sub(since).as_secs_f64();
        let left = self.planned.map(|limit| limit.saturating_sub(elapsed).as_secs_f64());
        let prediction = &self.prediction;
        if left.is_some_and(|left| prediction.is_late(taken, settled, total, left)) {
            return true;
        }
        let is_dear = |taken: f64| {
            let believed = prediction.believed(taken, settled, total);
            prediction.is_lost(believed, settled, total) || prediction.is_far_off(believed, settled, total)
        };
        is_dear(taken) && is_dear(self.watch.map_or(taken, |watch| watch.seconds()))
    }
}

impl fmt::Debug for Monitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Monitor")
            .field("memory", &self.memory)
            .field("time", &self.time)
            .field("phase", &self.phase)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn tick_until_error(monitor: &mut Monitor) -> Error {
        loop {
            if let Err(error) = monitor.tick(7, 3) {
                return error;
            }
        }
    }

    #[test]
    fn a_set_flag_stops_the_solve() {
        let flag = Arc::new(AtomicBool::new(false));
        let mut monitor = Monitor::unlimited().cancelled_by(flag.clone());
        for _ in 0..100_000 {
            monitor.tick(1, 0).unwrap();
        }
        flag.store(true, Ordering::Relaxed);
        assert_eq!(tick_until_error(&mut monitor), Error::Interrupted { positions: 7 });
        let mut early = Monitor::unlimited().cancelled_by(flag);
        assert!(early.tick(0, 0).is_err());
    }

    #[test]
    fn time_runs_out() {
        let limit = Duration::from_millis(20);
        let mut monitor = Monitor::new(&Limits { memory: 0, time: Some(limit) });
        let error = tick_until_error(&mut monitor);
        assert_eq!(error, Error::Limit { limit: Limit::Time { limit }, positions: 7 });
        assert_eq!(monitor.time_left(), Some(Duration::ZERO));
        assert!(monitor.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn a_trial_ends_as_dear_and_a_limit_counts_what_earlier_phases_met() {
        let limit = Duration::from_millis(60);
        let mut monitor = Monitor::new(&Limits { memory: 0, time: Some(limit) });
        monitor.look(1000, 0).unwrap();
        monitor.spend(0.005);
        assert_eq!(tick_until_error(&mut monitor), Error::Dear { positions: 7 });
        monitor.spend_all();
        let error = tick_until_error(&mut monitor);
        assert_eq!(error, Error::Limit { limit: Limit::Time { limit }, positions: 1000 });
    }

    #[test]
    fn a_trial_may_meet_so_many_positions() {
        let mut monitor = Monitor::unlimited();
        monitor.spend_positions(10);
        assert_eq!(monitor.look(9, 0), Ok(()));
        assert_eq!(monitor.look(10, 0), Err(Error::Dear { positions: 10 }));
        monitor.spend_all();
        assert_eq!(monitor.look(1000, 0), Ok(()));
    }

    #[test]
    fn a_pruned_search_shows_no_end_that_nobody_knows() {
        let reports = Arc::new(Mutex::new(Vec::new()));
        let store = reports.clone();
        let report = Box::new(move |progress: &Progress| store.lock().unwrap().push(progress.expected));
        let mut monitor = Monitor::unlimited().reporting_to(report);
        monitor.predict(Prediction { positions: Some(100), ..Prediction::default() });
        monitor.enter_pruned_search("searching");
        monitor.look(7, 0).unwrap();
        assert_eq!(reports.lock().unwrap().pop(), Some(None));
        monitor.next_report = Duration::ZERO;
        monitor.enter_search("valuing");
        monitor.look(7, 0).unwrap();
        assert_eq!(reports.lock().unwrap().pop().flatten().map(|expected| expected.total), Some(100));
    }

    #[test]
    fn progress_is_reported_now_and_then() {
        let reports = Arc::new(Mutex::new(Vec::new()));
        let store = reports.clone();
        let report = Box::new(move |progress: &Progress| store.lock().unwrap().push(progress.clone()));
        let limits = Limits { memory: 100, time: Some(Duration::from_millis(250)) };
        let mut monitor = Monitor::new(&limits).reporting_to(report);
        monitor.memory().take(60).unwrap();
        monitor.enter("testing");
        tick_until_error(&mut monitor);
        let reports = reports.lock().unwrap();
        assert!((1..=3).contains(&reports.len()), "{} reports", reports.len());
        assert!(reports.iter().all(|p| (p.positions, p.settled, p.bytes, p.phase) == (7, 3, 60, "testing")));
    }
}
