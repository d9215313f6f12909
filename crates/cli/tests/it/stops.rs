//! Every phase of every command stops: by Ctrl-C, by SIGTERM, by the clock, for want of memory.
//!
//! Each case is a command that takes long in another phase: reading an instance, binding it, unfolding rules, listing the
//! moves of one position, checking what is declared, filling a table, searching, drawing. Each is stopped in several ways,
//! at moments that look random and are the same in each run.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use perfectplay::numbers::Random;

use crate::support::{Folder, command};

/// A stop takes less than a second on a machine with nothing else to do; tests share theirs.
const PATIENCE: Duration = Duration::from_secs(5);
/// A signal may come before so many milliseconds while a busy machine has not even started the program.
const EARLY: u64 = 200;
/// What the program may use where memory is limited.
const MEMORY: u64 = 60 << 20;
/// A tenth above, and what comes in between two looks from outside on a busy machine.
const RESIDENT: u64 = MEMORY + MEMORY / 10 + (24 << 20);

/// Rules that take long somewhere.
const FILES: [(&str, &str); 8] = [
    (
        // One position of a sum with very many moves.
        "piles.game",
        "game piles(piles: [int] = [3, 4]) {
            sum of pile(n in 0..=max(piles, 0)) from piles;
            move take(k in 1..=n) { gain k * k % 7; n -= k; }
        }",
    ),
    (
        // Formulas that unfold to many.
        "unfold.game",
        "game unfold(n: int = 12, q: int = 90) {
            state { b in [0..=3; n] = [0; n]; t in 0..=20 = 20; }
            end when any(b[i] + b[j] * b[k] + t * b[k] == 7 + i
                for i in 0..n for j in 0..i for k in 0..j for t in 0..q) => win;
            move put(i in 0..n, v in 1..=3) when b[i] == 0 and t > 0 { b[i] = v; t -= 1; }
        }",
    ),
    (
        // Choices of three over an array.
        "triple.game",
        "game triple(n: int = 30) {
            state { b in [0..=1; n] = [0; n]; }
            move put(i in 0..n, j in 0..n, k in 0..n) when i < j and j < k and b[i] + b[j] + b[k] == 0 {
                b[i] = 1; b[j] = 1; b[k] = 1;
            }
        }",
    ),
    (
        // A `let` that computes for long.
        "slow_let.game",
        "game slow_let(n: int = 5000) {
            let a = sum(i * j % 7 for i in 0..n for j in 0..n);
            state { h in 0..=10 = 10; }
            move take(k in 1..=3) when k <= h and a >= 0 { h -= k; }
        }",
    ),
    (
        // A rule that takes long in every position.
        "heavy.game",
        "game heavy(n: int = 3000) {
            state { h in 0..=30 = 30; }
            move one(k in 1..=3) when k <= h and sum((i * j + h) % 7 for i in 0..n for j in 0..n / 3) >= 0 { h -= k; }
            move two(k in 1..=3) when k <= h and sum((i * j + h) % 5 for i in 0..n for j in 0..n / 3) >= 0 { h -= k; }
            move three(k in 1..=3) when k <= h and sum((i * j + h) % 3 for i in 0..n for j in 0..n / 3) >= 0 { h -= k; }
        }",
    ),
    (
        // Long lists of moves of a large position.
        "many.game",
        "game many(n: int = 60000) {
            state { b in [0..=1; 300] = [0; 300]; a in 0..=n = n; }
            move m(k in 1..=n) when k <= a { a -= k; b[k % 300] = 1 - b[k % 300]; }
        }",
    ),
    (
        // A drawing that takes long.
        "drawn.game",
        "game drawn(n: int = 3000) {
            state { h in 0..=10 = 10; }
            move take(k in 1..=3) when k <= h { h -= k; }
            show \"{sum(i * j % 7 for i in 0..n for j in 0..n) % 10}\";
        }",
    ),
    (
        // Claims that take long.
        "claimed.game",
        "game claimed(n: int = 3000) {
            state { h in 0..=10 = 10; }
            move take(k in 1..=3) when k <= h { h -= k; }
            claim winner = if sum(i * j % 7 for i in 0..n for j in 0..n) > 3 then first else second;
            sample { n in 3000..3010; }
        }",
    ),
];

/// A command that takes long.
struct Case {
    words: &'static str,
    /// Whether `--time` and `--memory` are for the whole of it.
    whole: bool,
}

const fn whole(words: &'static str) -> Case {
    Case { words, whole: true }
}

const fn each(words: &'static str) -> Case {
    Case { words, whole: false }
}

const CASES: [Case; 30] = [
    whole("solve piles.game [20000,20000]"),
    whole("solve piles.game [200000,200000]"),
    whole("solve nim [1000000,1000000] --method induction"),
    whole("solve wythoff a=1000000000 b=1000000000"),
    whole("moves wythoff a=1000000000 b=1000000000"),
    whole("solve unfold.game n=14 q=90 --engine compiled"),
    whole("solve triple.game"),
    whole("solve slow_let.game"),
    whole("moves slow_let.game"),
    whole("solve heavy.game"),
    whole("solve heavy.game --engine interpreted"),
    whole("solve many.game"),
    whole("solve many.game --engine interpreted"),
    whole("moves drawn.game"),
    whole("solve claimed.game"),
    whole("solve m_n_k rows=100 columns=100 k=5"),
    whole("explain m_n_k rows=100 columns=100 k=5"),
    whole("solve domineering rows=2 columns=600"),
    whole("solve cram rows=2 columns=1200"),
    whole("explain domineering rows=2 columns=600"),
    whole("solve hex size=5"),
    whole("solve hex size=4 --check all"),
    whole("explain hex size=4 --run"),
    whole("survey connect_k rows=5 columns=4 k=4"),
    whole("sequence octal code=0.06 --misere"),
    whole("sequence heavy.game n=1000..3000"),
    whole("sequence slow_let.game n=4000..5000"),
    each("test claimed.game"),
    each("test domineering cram hex"),
    each("survey hex --sample"),
];

/// How a run is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Signal(&'static str),
    Time,
    Memory,
}

/// The most memory that a program has held so far.
fn peak(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Runs a case, stops it after so many milliseconds, and looks at how it ends.
fn stop(case: &Case, way: Way, after: u64, folder: &Path) {
    let words = match way {
        Way::Signal(_) => case.words.to_string(),
        Way::Time => format!("{} --time {after}ms", case.words),
        Way::Memory => format!("{} --memory {MEMORY} --time 2s", case.words),
    };
    let mut command = command(&words);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begun = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut asked = match way {
        Way::Signal(_) => None,
        Way::Time => Some(begun + Duration::from_millis(after)),
        Way::Memory => Some(begun + Duration::from_secs(2)),
    };
    let mut most = 0;
    let status = loop {
        most = most.max(peak(&child).unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if let Way::Signal(signal) = way
            && asked.is_none()
            && begun.elapsed() >= Duration::from_millis(after)
        {
            let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
            asked = Some(Instant::now());
        }
        if asked.is_some_and(|asked| Instant::now() > asked + PATIENCE) {
            let _ = child.kill();
            panic!("{words}: still there {PATIENCE:?} after {way:?} at {after} ms");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    // A game that was done in time has its answer; a claim may be wrong.
    let code = status.code();
    // What comes before the program has begun is not its own.
    let early = matches!(way, Way::Signal(_)) && after < EARLY && code.is_none();
    let wanted = if matches!(way, Way::Signal(_)) { 130 } else { 3 };
    assert!(
        matches!(code, Some(0 | 1)) || code == Some(wanted) || early,
        "{words}: {code:?} after {way:?} at {after} ms"
    );
    assert!(way != Way::Memory || most <= RESIDENT, "{words}: {most} bytes");
}

fn folder() -> Folder {
    let folder = Folder::new();
    for (name, text) in FILES {
        std::fs::write(folder.0.join(name), text).unwrap();
    }
    folder
}

#[test]
fn signals_end_every_phase() {
    let (folder, mut random) = (folder(), Random::new(1));
    for (number, case) in CASES.iter().enumerate() {
        let signal = ["-INT", "-TERM"][number % 2];
        stop(case, Way::Signal(signal), 20 + random.below(700), &folder.0);
    }
}

#[test]
fn limits_end_every_phase() {
    let (folder, mut random) = (folder(), Random::new(2));
    for case in CASES.iter().filter(|case| case.whole) {
        let way = if random.below(3) == 0 { Way::Memory } else { Way::Time };
        stop(case, way, 20 + random.below(700), &folder.0);
    }
}

#[test]
fn little_memory_is_enough_to_say_so() {
    let folder = folder();
    for words in ["solve piles.game [20000,20000]", "solve wythoff a=1000000000 b=1000000000", "solve many.game"] {
        stop(&whole(words), Way::Memory, 0, &folder.0);
    }
}

/// A program that waits for lines nobody writes can be stopped, too.
#[test]
fn a_batch_that_waits_for_its_input_ends() {
    let mut command = command("solve nim --batch -");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(400));
    let input = child.stdin.take();
    let asked = Instant::now();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(asked.elapsed() < PATIENCE, "it waits for ever");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(status.code(), Some(130));
    drop(input);
}
