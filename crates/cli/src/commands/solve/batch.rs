//! `solve --batch`: many instances of one game, a line each, answered in their order on all cores.
//!
//! Every thread takes the next line, solves it by itself, and hands in its answer. Answers that are early wait; a thread that is
//! too far ahead waits with them. So memory does not grow with the number of lines, and the input may come from a program
//! that reads the answers.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use perfectplay::json::{self, BatchLine};
use perfectplay::language::{Instance, Program, Rules, bind};
use perfectplay::solving::{Limits, Options, scope, stopped};

use super::answer_at;
use crate::args::{PositionArgs, SolveArgs};
use crate::failure::Failure;
use crate::load::{self, Asked, reason};
use crate::start::standing;
use crate::{output, paste, progress, start, watch};

/// How many answers may wait for one that comes before them.
const AHEAD: u64 = 256;
/// The longest line.
const LONGEST: u64 = 1 << 30;

/// What all lines share.
struct Batch<'a> {
    rules: &'a Rules,
    program: &'a Arc<Program>,
    /// What the words of the command line say.
    given: &'a Instance,
    options: Options,
    limits: Limits,
    input: Mutex<Input>,
    output: Mutex<Output>,
    moved_on: Condvar,
    /// Set when nobody reads the answers, or when the input fails.
    stop: AtomicBool,
}

struct Input {
    lines: Box<dyn BufRead + Send>,
    name: String,
    /// How many lines were given out.
    given_out: u64,
    /// How many lines were read, blank ones too.
    read: u64,
    failed: Option<String>,
}

#[derive(Default)]
struct Output {
    /// The number of the next answer to be printed.
    next: u64,
    waiting: BTreeMap<u64, String>,
    wrong: bool,
    limited: bool,
}

/// Answers every line of a file.
pub fn run(args: &SolveArgs, file: &Path) -> Result<u8, Failure> {
    if load::is_sum(&args.game.game) {
        return Err(Failure::usage_help("--batch is for one game, not for a sum of games", "name the game alone"));
    }
    let rules = load::rules(&args.game.game)?;
    let program = load::program(&rules)?;
    let given = load::instance(&args.game, &program)?;
    let name = file.to_string_lossy().into_owned();
    let lines: Box<dyn BufRead + Send> = match &*name {
        "-" => Box::new(BufReader::new(io::stdin())),
        path => {
            let opened =
                File::open(path).map_err(|error| Failure::usage(format!("cannot read {path}: {}", reason(&error))))?;
            Box::new(BufReader::new(opened))
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.common.limits.size.threads.map_or(cores, |threads| threads as usize);
    let limits = args.common.limits.limits();
    let batch = Batch {
        rules: &rules,
        program: &program,
        given: &given,
        options: Options { threads: 1, ..args.options() },
        limits: Limits { memory: limits.memory / threads as u64, ..limits },
        input: Mutex::new(Input { lines, name, given_out: 0, read: 0, failed: None }),
        output: Mutex::default(),
        moved_on: Condvar::new(),
        stop: AtomicBool::new(false),
    };
    watch::cancel();
    paste::in_lines();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| batch.work());
        }
    });
    let Batch { input, output, .. } = batch;
    if let Some(why) = input.into_inner().unwrap_or_else(PoisonError::into_inner).failed {
        return Err(Failure::usage(why));
    }
    let output = output.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(match output {
        _ if watch::cancel().load(Ordering::Relaxed) => 130,
        Output { wrong: true, .. } => 2,
        Output { limited: true, .. } => 3,
        _ => 0,
    })
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Batch<'_> {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || watch::cancel().load(Ordering::Relaxed)
    }

    fn work(&self) {
        while let Some((number, place, line)) = self.next() {
            let answer = self.answer(&line);
            self.hand_in((number, place), answer);
        }
    }

    /// The next line that is not blank, with its number among those, and among all lines from 1 on.
    fn next(&self) -> Option<(u64, u64, String)> {
        let mut input = held(&self.input);
        loop {
            if self.stopped() || input.failed.is_some() {
                return None;
            }
            let mut bytes = Vec::new();
            let read = io::Read::take(&mut input.lines, LONGEST).read_until(b'\n', &mut bytes);
            let why = match read {
                Ok(0) => return None,
                Ok(_) if bytes.len() as u64 == LONGEST => "a line is longer than 1 GB".to_string(),
                Ok(_) => {
                    input.read += 1;
                    let line = String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').trim().to_string();
                    if line.is_empty() {
                        continue;
                    }
                    input.given_out += 1;
                    return Some((input.given_out - 1, input.read, line));
                }
                Err(error) => reason(&error),
            };
            input.failed = Some(format!("cannot read {}: {why}", input.name));
        }
    }

    /// The answer to a line as JSON, or why there is none.
    fn answer(&self, line: &str) -> Result<String, Failure> {
        let BatchLine { instance, position, turn, after } =
            BatchLine::read(line, self.program).map_err(Failure::usage)?;
        let known = |name: &String| instance.0.iter().any(|(given, _)| given == name);
        let mut all: Vec<_> = self.given.0.iter().filter(|(name, _)| !known(name)).cloned().collect();
        all.extend(instance.0.iter().cloned());
        let wrong = |diagnostics| Failure::wrong(self.rules, diagnostics);
        let mut monitor = progress::monitor(&self.limits, true);
        let scope = scope(&monitor);
        let bound = bind(self.program, &Instance(all));
        let bound = bound.map_err(|mistakes| stopped(&scope).map_or_else(|| wrong(mistakes), Failure::unsolved))?;
        let mut asked = Asked::Game(Box::new((self.rules.clone(), bound)));
        let way = start::stand(&mut asked, &PositionArgs { position, turn, after })?;
        let Asked::Game(game) = &asked else { return Err(Failure::usage("a line is for one game")) };
        drop(scope);
        let solution = answer_at(&game.1, &way, &self.options, &mut monitor);
        let solution = solution.map_err(|error| super::unanswered(error, self.rules, &game.1, &way))?;
        let mut object = json::solution(&solution);
        object.standing = way.elsewhere.then(|| standing(&asked, &way));
        Ok(json::text(&object))
    }

    /// Prints an answer when its turn has come.
    fn hand_in(&self, (number, place): (u64, u64), answer: Result<String, Failure>) {
        let (text, code) = match answer {
            Ok(text) => (text, 0),
            Err(failure) => {
                let failed = failure.failed();
                (json::text(&json::unanswered_line(&failed, place)), failure.code())
            }
        };
        let mut output = held(&self.output);
        output.limited |= code == 3;
        output.wrong |= code != 0 && code != 3;
        while number > output.next + AHEAD && !self.stopped() {
            output = self.moved_on.wait(output).unwrap_or_else(PoisonError::into_inner);
        }
        output.waiting.insert(number, text);
        let mut ready = String::new();
        while let Some(text) = {
            let next = output.next;
            output.waiting.remove(&next)
        } {
            output.next += 1;
            ready.push_str(&text);
            ready.push('\n');
        }
        if !ready.is_empty() && !output::print_plain(&ready) {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.moved_on.notify_all();
    }
}
