//! Progress of a long solve, on standard error: a bar at a terminal, a line now and then elsewhere.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use perfectplay::{Limits, Monitor, Progress};

use crate::output::{self, bytes_text, count, seconds_text, stderr_is_terminal};
use crate::watch;

/// Nothing is shown before this: most games are solved by then.
const QUIET_FOR: Duration = Duration::from_millis(400);
/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// A monitor with these limits that stops on Ctrl-C and shows progress unless `quiet`.
pub fn monitor(limits: &Limits, quiet: bool) -> Monitor {
    let monitor = Monitor::new(limits).cancelled_by(Arc::clone(&watch::cancel()));
    if quiet {
        return monitor;
    }
    if stderr_is_terminal() { monitor.reporting_to(Box::new(bar())) } else { monitor.reporting_to(Box::new(lines())) }
}

fn bar() -> impl FnMut(&Progress) + Send {
    let mut bar: Option<ClearedBar> = None;
    move |progress| {
        if progress.elapsed < QUIET_FOR {
            return;
        }
        let bar = bar.get_or_insert_with(ClearedBar::new);
        bar.0.set_length(progress.positions);
        bar.0.set_position(progress.settled);
        bar.0.set_message(text(progress));
    }
}

/// A bar that leaves no trace.
struct ClearedBar(ProgressBar);

impl ClearedBar {
    fn new() -> ClearedBar {
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{spinner} [{bar:30}] {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        ClearedBar(bar)
    }
}

impl Drop for ClearedBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn lines() -> impl FnMut(&Progress) + Send {
    let mut next = LINE_EVERY;
    move |progress| {
        if progress.elapsed >= next {
            next = progress.elapsed + LINE_EVERY;
            output::complain(&format!("{}\n", text(progress)));
        }
    }
}

fn text(progress: &Progress) -> String {
    let rate = progress.positions as f64 / progress.elapsed.as_secs_f64().max(1e-9);
    format!(
        "{}: {} positions met, {} valued, {} a second, {}, {}",
        progress.phase,
        count(progress.positions),
        count(progress.settled),
        count(rate as u64),
        bytes_text(progress.bytes),
        seconds_text(progress.elapsed.as_secs_f64())
    )
}
