//! The last resort: ends a program that does not stop by itself when it should.
//!
//! All long work looks at the flag of Ctrl-C, at the clock and at its memory, stops in good order and tells how far it came.
//! Some of it cannot look often enough: a compiler at work on one large function, a reader of this program's output that has
//! gone to sleep. A thread of its own waits for these. A little after the time was up or a person pressed Ctrl-C, or when
//! the program holds more memory than it was allowed, it tells that, removes files that are not whole, and ends the program
//! with the exit code that the stop would have had.

use std::process::exit;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use perfectplay::SolveError;
use perfectplay::solving::{Limit, Memory};

use crate::allowed::Allowed;
use crate::failure::Failure;
use crate::{files, output, watch};

/// How often it looks.
const EVERY: Duration = Duration::from_millis(10);
/// How much later than asked for a stop in good order may come.
const GRACE: Duration = Duration::from_millis(600);
/// How much later the program may end, once the stop has come and what was found until then is being written.
const PATIENCE: Duration = Duration::from_secs(4);
/// How long a message may take to be written, where nobody may read it.
const TELLING: Duration = Duration::from_millis(150);
/// The program itself takes as much, whatever it is allowed.
const LEAST_MEMORY: u64 = 40 << 20;
/// What the program takes at the least beside what it is charged for: itself, and code while it is made.
const UNCHARGED: u64 = 20 << 20;
/// Memory that comes and goes between two looks.
const SLACK: u64 = 3 << 20;
/// The budgets of all solves that go on.
static BUDGETS: Mutex<Vec<Memory>> = Mutex::new(Vec::new());

/// What the command may use, and whether it tells in JSON; nothing is known before its words are read.
static COMMAND: OnceLock<(Allowed, bool)> = OnceLock::new();

/// Says what the command may use.
pub fn allow(allowed: Allowed, json: bool) {
    if allowed.memory.is_some_and(|limit| !is_plenty(limit)) {
        Memory::return_large_at_once();
    }
    // There is one command.
    let _ = COMMAND.set((allowed, json));
}

/// The most that the program may hold where it is allowed so much.
fn most(limit: u64) -> u64 {
    limit.saturating_add(limit / 10).max(LEAST_MEMORY)
}

/// How much of a limit is left to the program itself where it holds so much beside what it is charged for.
fn left_out(limit: u64, uncharged: u64) -> u64 {
    limit.saturating_sub(most(limit).saturating_sub(uncharged.max(UNCHARGED) + SLACK))
}

/// Whether a limit is so large that nobody need look what the program itself holds.
fn is_plenty(limit: u64) -> bool {
    left_out(limit, limit / 20) == 0
}

/// How much of a budget a solve leaves to the program itself, so that a limit is reached by the solve and told in good order. The
/// budget is a share of what the whole command is allowed.
pub fn reserve(budget: &Memory) -> u64 {
    let limit = budget.limit();
    let whole = COMMAND.get().and_then(|(allowed, _)| allowed.memory).unwrap_or(limit).max(1);
    if is_plenty(whole) {
        return 0;
    }
    let mut budgets = BUDGETS.lock().unwrap_or_else(PoisonError::into_inner);
    budgets.retain(Memory::is_shared);
    if !budgets.iter().any(|known| known.is(budget)) {
        budgets.push(budget.clone());
    }
    let charged = budgets.iter().map(Memory::used).fold(0, u64::saturating_add);
    drop(budgets);
    let kept_beside = |held: Option<u64>| left_out(whole, held.unwrap_or(0).saturating_sub(charged));
    let mut kept = kept_beside(resident());
    if kept > left_out(whole, UNCHARGED) {
        kept = kept_beside(held_in_use());
    }
    (u128::from(kept) * u128::from(limit.min(whole)) / u128::from(whole)) as u64
}

/// Starts to watch.
pub fn start() {
    let begun = Instant::now();
    let cancel = watch::cancel();
    let watching = move || {
        let mut asked: Option<Instant> = None;
        loop {
            if watch::is_waiting() {
                asked = None;
                thread::sleep(EVERY * 10);
                continue;
            }
            thread::sleep(EVERY);
            asked = cancel.load(Ordering::SeqCst).then(|| asked.unwrap_or_else(Instant::now));
            let (allowed, json) = COMMAND.get().copied().unwrap_or_default();
            let grace = if watch::is_telling() { PATIENCE } else { GRACE };
            if asked.is_some_and(|at| at.elapsed() > grace) {
                end(&SolveError::Interrupted { positions: watch::met() }, json);
            }
            if let Some(limit) = allowed.time.filter(|time| begun.elapsed() > time.saturating_add(grace)) {
                end(&SolveError::Limit { limit: Limit::Time { limit }, positions: watch::met() }, json);
            }
            if let Some(limit) = allowed.memory
                && resident().is_some_and(|held| held > most(limit))
                && let Some(needed) = held_in_use().filter(|&needed| needed > most(limit))
            {
                end(&SolveError::Limit { limit: Limit::Memory { limit, needed }, positions: watch::met() }, json);
            }
        }
    };
    // Without this thread the program still stops where it looks by itself.
    let _ = thread::Builder::new().name("watchdog".to_string()).stack_size(1 << 18).spawn(watching);
}

/// Ends the program.
fn end(error: &SolveError, json: bool) -> ! {
    let failure = Failure::unsolved(error.clone());
    let code = failure.code();
    files::remove_unfinished();
    let (done, wait) = mpsc::channel();
    // Another thread may hold the output and never let it go.
    thread::spawn(move || {
        if output::stderr_is_terminal() {
            output::complain("\n");
        }
        match output::has_begun() {
            true => output::complain("Stopped before everything was written.\n"),
            false => drop(failure.tell(json)),
        }
        let _ = done.send(());
    });
    let _ = wait.recv_timeout(TELLING);
    exit(i32::from(code));
}

/// How much memory the program holds when it has given back what it does not use.
fn held_in_use() -> Option<u64> {
    Memory::return_free();
    resident()
}

/// How much memory the program holds.
#[cfg(target_os = "linux")]
fn resident() -> Option<u64> {
    /// What a page has where nobody says otherwise; larger ones only make the watchdog sleep.
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(PAGE)
}

#[cfg(not(target_os = "linux"))]
fn resident() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solve_leaves_room_for_the_program_unless_there_is_plenty() {
        let mega = 1 << 20;
        assert_eq!(reserve(&Memory::new(4096 * mega)), 0);
        assert_eq!(left_out(4096 * mega, 0), 0);
        assert_eq!(left_out(100 * mega, 0), 13 * mega);
        assert_eq!(left_out(100 * mega, 30 * mega), 23 * mega);
        for limit in [1, 10, 20, 30, 40, 60, 200, 400] {
            let limit = limit * mega;
            assert!(limit - left_out(limit, 0) + UNCHARGED < most(limit));
        }
    }
}
