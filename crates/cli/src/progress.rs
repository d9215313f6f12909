//! Progress of a long solve, on standard error: a line that changes at a terminal, a line now and then elsewhere.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use perfectplay::solving::{Limits, Monitor, Progress};

use crate::output::{self, bytes_text, count, seconds_text, stderr_columns, stderr_is_terminal};
use crate::{watch, watchdog};

/// Nothing is shown before this: most games are solved by then.
const QUIET_FOR: Duration = Duration::from_millis(400);
/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// The pace of a sequence is that of so much time.
const PACE: Duration = Duration::from_secs(10);
/// The bar's width.
const BAR: usize = 20;
/// Columns kept free for the spinner, spaces and the `^C` that a terminal echoes.
const SPARE: usize = 6;

/// A monitor with these limits that stops on Ctrl-C, and leaves room for the program itself.
fn stoppable(limits: &Limits) -> Monitor {
    let monitor = Monitor::new(limits).reserving(Arc::new(watchdog::reserve));
    monitor.cancelled_by(watch::cancel()).counting_in(watch::counter())
}

/// A monitor with these limits that stops on Ctrl-C and shows progress unless `quiet`.
pub fn monitor(limits: &Limits, quiet: bool) -> Monitor {
    let monitor = stoppable(limits);
    if quiet {
        return monitor;
    }
    if stderr_is_terminal() {
        monitor.reporting_to(Box::new(bar(limits.clone())))
    } else {
        monitor.reporting_to(Box::new(lines()))
    }
}

/// A monitor for a sequence: `done` of `all` terms are computed.
pub fn terms(limits: &Limits, quiet: bool, done: Arc<AtomicU64>, all: u64) -> Monitor {
    let monitor = stoppable(limits);
    if quiet {
        return monitor;
    }
    let mut terms = Terms { done, all, recent: VecDeque::new() };
    if stderr_is_terminal() {
        let mut shown = Cleared { times: 0 };
        return monitor.reporting_to(Box::new(move |progress| {
            let line = terms.line(progress.elapsed, stderr_columns());
            if progress.elapsed >= QUIET_FOR {
                shown.draw(&line);
            }
        }));
    }
    let mut next = LINE_EVERY;
    monitor.reporting_to(Box::new(move |progress| {
        let facts = terms.facts(progress.elapsed);
        if progress.elapsed >= next {
            next = progress.elapsed + LINE_EVERY;
            output::complain(&format!("{}\n", facts.join(", ")));
        }
    }))
}

/// Shows how many of some instances are solved, each with a monitor of its own.
pub struct Instances {
    limits: Limits,
    quiet: bool,
    begun: Instant,
    /// When the next line is due, in milliseconds.
    next: Arc<AtomicU64>,
}

impl Instances {
    /// Instances with these limits each; the clock starts now.
    pub fn new(limits: Limits, quiet: bool) -> Instances {
        let first = if stderr_is_terminal() { QUIET_FOR } else { LINE_EVERY };
        let next = Arc::new(AtomicU64::new(first.as_millis() as u64));
        Instances { limits, quiet, begun: Instant::now(), next }
    }

    /// The monitor of one instance, when `done` of `all` are solved.
    pub fn monitor(&self, done: u64, all: u64) -> Monitor {
        let monitor = stoppable(&self.limits);
        if self.quiet {
            return monitor;
        }
        let (begun, next) = (self.begun, Arc::clone(&self.next));
        let mut shown = Cleared { times: 0 };
        let is_terminal = stderr_is_terminal();
        let pause = if is_terminal { QUIET_FOR / 4 } else { LINE_EVERY };
        monitor.reporting_to(Box::new(move |progress| {
            let elapsed = begun.elapsed();
            let now = elapsed.as_millis() as u64;
            if now < next.load(Ordering::Relaxed) {
                return;
            }
            next.store(now + pause.as_millis() as u64, Ordering::Relaxed);
            let time = seconds_text(elapsed.as_secs_f64());
            let (done, all, positions) = (count(done), count(all), count(progress.positions));
            let line = format!("{done} of {all} instances, {time}, {positions} positions of the next one");
            match is_terminal {
                true => shown.draw(&line.chars().take(stderr_columns().saturating_sub(SPARE)).collect::<String>()),
                false => output::complain(&format!("{line}\n")),
            }
        }))
    }
}

/// How far a sequence has come.
struct Terms {
    done: Arc<AtomicU64>,
    all: u64,
    /// When how many terms were there, of late: the pace changes as heaps grow, and a run that goes on has terms that it
    /// did not compute.
    recent: VecDeque<(Duration, u64)>,
}

impl Terms {
    fn facts(&mut self, elapsed: Duration) -> Vec<String> {
        let done = self.done.load(Ordering::Relaxed);
        if done > 0 {
            self.recent.push_back((elapsed, done));
        }
        while self.recent.get(1).is_some_and(|(at, _)| *at + PACE <= elapsed) {
            self.recent.pop_front();
        }
        let (since, before) = self.recent.front().copied().unwrap_or((elapsed, done));
        let mut facts = vec![format!("{} of {} terms", count(done), count(self.all))];
        let taken = elapsed.saturating_sub(since).as_secs_f64();
        let new = done.saturating_sub(before);
        if new > 0 && taken > 0.2 {
            let rate = new as f64 / taken;
            facts.push(format!("{} a second", count(rate as u64)));
            facts.push(format!("about {} left", seconds_text(self.all.saturating_sub(done) as f64 / rate)));
        }
        facts.push(seconds_text(elapsed.as_secs_f64()));
        facts
    }

    fn line(&mut self, elapsed: Duration, columns: usize) -> String {
        let facts = self.facts(elapsed).join(", ");
        let share = self.done.load(Ordering::Relaxed) as f64 / self.all.max(1) as f64;
        let done = ((share * BAR as f64) as usize).min(BAR);
        let text = format!("[{}{}] {facts}", "=".repeat(done), " ".repeat(BAR - done));
        text.chars().take(columns.saturating_sub(SPARE)).collect()
    }
}

/// The pace of late. It begins anew with a phase, and where positions are counted anew: a certificate, for one, counts its own,
/// from its first one on.
#[derive(Default)]
struct Pace {
    phase: &'static str,
    /// When how many positions were there, of late.
    recent: VecDeque<(Duration, u64)>,
}

/// A pace is told after so many seconds.
const SHORTEST_PACE: f64 = 0.2;

impl Pace {
    /// Positions a second, once that can be told.
    fn rate(&mut self, progress: &Progress) -> Option<f64> {
        let done = done(progress);
        if self.phase != progress.phase || self.recent.back().is_some_and(|(_, before)| done < *before) {
            self.recent.clear();
            self.phase = progress.phase;
        }
        self.recent.push_back((progress.elapsed, done));
        while self.recent.get(1).is_some_and(|(at, _)| *at + PACE <= progress.elapsed) {
            self.recent.pop_front();
        }
        let (since, before) = *self.recent.front()?;
        let taken = progress.elapsed.saturating_sub(since).as_secs_f64();
        (taken >= SHORTEST_PACE).then(|| (done - before) as f64 / taken)
    }
}

/// How many positions are done: valued, where these are counted, else met.
fn done(progress: &Progress) -> u64 {
    if progress.settled > 0 { progress.settled } else { progress.positions }
}

fn bar(limits: Limits) -> impl FnMut(&Progress) + Send {
    let mut shown = Cleared { times: 0 };
    let mut pace = Pace::default();
    move |progress| {
        let rate = pace.rate(progress);
        if progress.elapsed >= QUIET_FOR {
            shown.draw(&line((progress, rate), &limits, stderr_columns()));
        }
    }
}

const SPINNER: [char; 4] = ['|', '/', '-', '\\'];
/// To the start of the line, and all of it empty.
const CLEAR: &str = "\r\x1b[2K";

/// A line that leaves no trace.
struct Cleared {
    times: usize,
}

impl Cleared {
    fn draw(&mut self, line: &str) {
        let spinner = SPINNER[self.times % SPINNER.len()];
        output::complain(&format!("{CLEAR}{spinner} {line}"));
        self.times += 1;
    }
}

impl Drop for Cleared {
    fn drop(&mut self) {
        if self.times > 0 {
            output::complain(CLEAR);
        }
    }
}

fn lines() -> impl FnMut(&Progress) + Send {
    let mut next = LINE_EVERY;
    let mut pace = Pace::default();
    move |progress| {
        let rate = pace.rate(progress);
        if progress.elapsed >= next {
            next = progress.elapsed + LINE_EVERY;
            output::complain(&format!("{}\n", facts(progress, rate).join(", ")));
        }
    }
}

/// How far it is, as much as fits. How many positions there are is often known only at the end, so the bar is honest
/// where it can be: the values found of those expected, else what is used of the limit that is nearest.
fn line((progress, rate): (&Progress, Option<f64>), limits: &Limits, columns: usize) -> String {
    let (label, share) = share(progress, limits);
    let done = ((share * BAR as f64) as usize).min(BAR);
    let mut text = format!("{label} [{}{}]", "=".repeat(done), " ".repeat(BAR - done));
    let room = columns.saturating_sub(SPARE);
    for fact in facts(progress, rate) {
        if text.chars().count() + 1 + fact.chars().count() <= room {
            text.push(' ');
            text.push_str(&fact);
        }
    }
    text.chars().take(room).collect()
}

fn share(progress: &Progress, limits: &Limits) -> (&'static str, f64) {
    if let Some(total) = foreseen(progress) {
        let label = if progress.settled > 0 { "valued" } else { "done" };
        return (label, done(progress) as f64 / total.max(1) as f64);
    }
    let memory = progress.bytes as f64 / limits.memory.max(1) as f64;
    match limits.time.map(|limit| progress.elapsed.as_secs_f64() / limit.as_secs_f64().max(1e-9)) {
        Some(time) if time > memory => ("time used", time),
        _ => ("memory used", memory),
    }
}

/// How many positions a phase has, as far as that is known. A search may look at more than was foreseen: then nobody knows.
fn foreseen(progress: &Progress) -> Option<u64> {
    progress
        .expected
        .map(|expected| expected.total)
        .filter(|total| progress.settled > 0 || progress.positions <= *total)
}

/// The figures, the most telling first, with the positions of a second where these are known.
fn facts(progress: &Progress, rate: Option<f64>) -> Vec<String> {
    let at_rate = || {
        let rest = foreseen(progress)?.checked_sub(done(progress)).filter(|rest| *rest > 0)?;
        Duration::try_from_secs_f64(rest as f64 / rate.filter(|rate| *rate > 0.0)?).ok()
    };
    let left = progress.time_left().or_else(at_rate);
    let left = left.map(|left| format!("about {} left", seconds_text(left.as_secs_f64())));
    let mut figures = vec![
        format!("{} positions", count(progress.positions)),
        seconds_text(progress.elapsed.as_secs_f64()),
        bytes_text(progress.bytes),
    ];
    figures.extend(rate.map(|rate| format!("{} a second", count(rate as u64))));
    if progress.settled > 0 {
        figures.push(format!("{} valued", count(progress.settled)));
    }
    figures.push(format!("({})", progress.phase));
    left.into_iter().chain(figures).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use perfectplay::solving::Expected;

    #[test]
    fn the_line_fits_and_says_the_most_telling_first() {
        let progress = Progress {
            positions: 1_234_567,
            settled: 1_000_000,
            bytes: 1 << 30,
            elapsed: Duration::from_secs(5),
            phase: "backward induction",
            expected: None,
        };
        let limits = Limits { memory: 4 << 30, time: None };
        assert_eq!(line((&progress, None), &limits, 60), "memory used [=====               ] 1,234,567 positions");
        assert!(line((&progress, None), &limits, 20).len() <= 14);
        let timed = Limits { time: Some(Duration::from_secs(10)), ..limits };
        let wide =
            "time used [==========          ] 1,234,567 positions 5.0 s 1.0 GB 200,000 a second 1,000,000 valued";
        assert!(line((&progress, Some(200_000.0)), &timed, 120).starts_with(wide));
    }

    fn at(positions: u64, millis: u64, phase: &'static str) -> Progress {
        let elapsed = Duration::from_millis(millis);
        Progress { positions, settled: 0, bytes: 0, elapsed, phase, expected: None }
    }

    #[test]
    fn what_is_counted_anew_has_a_pace_of_its_own() {
        let mut pace = Pace::default();
        let mut rate = |positions, millis| pace.rate(&at(positions, millis, "writing the proof"));
        assert_eq!(rate(1_000_000, 10_000), None);
        assert_eq!(rate(1_500_000, 15_000), Some(100_000.0));
        assert_eq!(rate(50, 16_000), None);
        assert_eq!(rate(500, 25_000), Some(50.0));
    }

    #[test]
    fn the_pace_is_that_of_the_phase_and_of_late() {
        let mut pace = Pace::default();
        assert_eq!(pace.rate(&at(2_000_000, 1_000, "sampling")), None);
        // More positions than before, but of another phase.
        assert_eq!(pace.rate(&at(2_100_000, 1_100, "searching")), None);
        assert_eq!(pace.rate(&at(2_200_000, 2_100, "searching")), Some(100_000.0));
        assert_eq!(pace.rate(&at(2_300_000, 11_100, "searching")), Some(20_000.0));
        assert_eq!(pace.rate(&at(2_400_000, 12_100, "searching")), Some(20_000.0), "of the last ten seconds");
    }

    #[test]
    fn work_tells_its_share_until_there_is_more_than_was_foreseen() {
        let expected = Some(Expected { total: 4_000_000, since: Duration::from_secs(1) });
        let progress = Progress { expected, ..at(1_000_000, 3_000, "writing the proof") };
        let text = line((&progress, Some(500_000.0)), &Limits::default(), 80);
        assert!(text.starts_with("done [=====               ] about 6.0 s left 1,000,000 positions"), "{text}");
        let more = Progress { positions: 5_000_000, ..progress };
        assert!(line((&more, Some(500_000.0)), &Limits::default(), 80).starts_with("memory used ["));
    }

    #[test]
    fn terms_that_were_there_do_not_count_for_the_pace() {
        let done = Arc::new(AtomicU64::new(5000));
        let mut terms = Terms { done: Arc::clone(&done), all: 20_000, recent: VecDeque::new() };
        assert_eq!(terms.facts(Duration::from_secs(1)), ["5,000 of 20,000 terms", "1.0 s"]);
        done.store(10_000, Ordering::Relaxed);
        let facts = terms.facts(Duration::from_secs(6));
        assert_eq!(facts, ["10,000 of 20,000 terms", "1,000 a second", "about 10.0 s left", "6.0 s"]);
        done.store(10_500, Ordering::Relaxed);
        assert_eq!(terms.facts(Duration::from_secs(16))[1], "50 a second", "of late");
        done.store(10_000, Ordering::Relaxed);
        let line = terms.line(Duration::from_secs(16), 60);
        assert!(line.starts_with("[==========          ] 10,000 of 20,000 terms") && line.chars().count() <= 54);
    }

    #[test]
    fn the_time_left_is_told_where_the_end_is_known() {
        let since = Duration::from_secs(1);
        let expected = Some(Expected { total: 4_000_000, since });
        let (settled, elapsed) = (1_000_000, Duration::from_secs(5));
        let progress = Progress { positions: 4_000_000, settled, bytes: 0, elapsed, phase: "loop nest", expected };
        let text = line((&progress, None), &Limits::default(), 60);
        assert!(text.starts_with("valued [=====               ] about 12"), "{text}");
    }
}
