//! Compiled rules against C++ that a good contestant would write, in one run, on one core.
//!
//! `cargo run --release -p perfectplay-benches --bin compiled [FILTER]…` compiles the programs of `benches/cpp` with g++,
//! makes the instances, lets both sides solve them in turn and prints a table; kept runs are in `benches/results/`.
//! Processor time, the best of all rounds, since a machine only ever slows a program down. Answers are compared: a
//! difference is a failure. What the columns mean is in `benches/README.md`.

mod cases;
mod clock;
mod counter;
mod cpp;
mod ours;
mod random;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cases::{Entry, Size};
use counter::Counter;
use cpp::{Programs, Ran};
use ours::{Ask, Measured, Ours};

const USAGE: &str = "usage: compiled [OPTION]… [FILTER]…

A case runs if its name contains one of the filters; without a filter all run.

  --small      small instances, for trying things out
  --huge       with the cases that take minutes
  --rounds N   how often both sides take their turn (5)
  --alone      without C++
  --cpp        C++ alone
  --perf       count instructions too (perf, or valgrind, which is slow)
  --list       the names of the cases";

/// What the command line says.
struct Wish {
    size: Size,
    huge: bool,
    rounds: u32,
    alone: bool,
    cpp: bool,
    perf: bool,
    filters: Vec<String>,
}

/// A solve by ourselves for the instruction counter: case, what is asked, how often.
struct Child {
    name: String,
    ask: Ask,
    repeats: u32,
}

enum Todo {
    Measure(Wish),
    Child(Child, Size),
    List,
}

fn main() -> ExitCode {
    let todo = match read(std::env::args().skip(1)) {
        Ok(todo) => todo,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let result = match todo {
        Todo::List => {
            cases::all().iter().for_each(|entry| println!("{}", entry.name));
            Ok(true)
        }
        Todo::Child(child, size) => solve_again_and_again(&child, size).map(|()| true),
        Todo::Measure(wish) => measure_all(&wish),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn read(mut words: impl Iterator<Item = String>) -> Result<Todo, String> {
    let mut wish =
        Wish { size: Size::Full, huge: false, rounds: 5, alone: false, cpp: false, perf: false, filters: Vec::new() };
    let mut child = None;
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or_else(|| USAGE.to_string());
        match word.as_str() {
            "--small" => wish.size = Size::Small,
            "--huge" => wish.huge = true,
            "--alone" => wish.alone = true,
            "--cpp" => wish.cpp = true,
            "--perf" => wish.perf = true,
            "--rounds" => wish.rounds = next()?.parse().map_err(|_| USAGE.to_string())?,
            "--list" => return Ok(Todo::List),
            "--child" => {
                let (name, asked, repeats) = (next()?, next()?, next()?);
                let ask = Ask::ALL.into_iter().find(|ask| ask.name() == asked).ok_or_else(|| USAGE.to_string())?;
                child = Some(Child { name, ask, repeats: repeats.parse().map_err(|_| USAGE.to_string())? });
            }
            option if option.starts_with('-') => return Err(USAGE.to_string()),
            filter => wish.filters.push(filter.to_string()),
        }
    }
    Ok(match child {
        Some(child) => Todo::Child(child, wish.size),
        None => Todo::Measure(wish),
    })
}

fn measure_all(wish: &Wish) -> Result<bool, String> {
    let entries: Vec<Entry> = cases::all()
        .into_iter()
        .filter(|entry| match wish.filters.is_empty() {
            true => wish.huge || !entry.huge,
            false => wish.filters.iter().any(|filter| entry.name.contains(filter.as_str())),
        })
        .collect();
    let directory = scratch()?;
    let programs = match wish.alone {
        true => None,
        false => {
            let mut names: Vec<&str> = entries.iter().map(|entry| entry.program).collect();
            names.sort_unstable();
            names.dedup();
            Some(Programs::compile(&names, &directory)?)
        }
    };
    let counter = if wish.perf { Some(Counter::find().ok_or("neither perf nor valgrind counts here")?) } else { None };
    if !wish.cpp {
        table::head();
    }
    let mut good = true;
    for entry in &entries {
        good &= Bench { wish, entry, programs: programs.as_ref(), counter, directory: &directory }.run()?;
    }
    Ok(good)
}

/// Where programs and instances are put: beside the benchmark itself, in the build directory.
fn scratch() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let directory = program.parent().ok_or("the benchmark is nowhere")?.join("compiled-benchmark");
    std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    Ok(directory)
}

/// One case under way.
struct Bench<'a> {
    wish: &'a Wish,
    entry: &'a Entry,
    programs: Option<&'a Programs>,
    counter: Option<Counter>,
    directory: &'a Path,
}

/// The best of each side.
#[derive(Default)]
struct Best {
    ours: BTreeMap<Ask, Measured>,
    theirs: BTreeMap<&'static str, Ran>,
}

impl Bench<'_> {
    /// Whether both sides agree.
    fn run(&self) -> Result<bool, String> {
        let case = (self.entry.build)(self.wish.size);
        let file = self.directory.join(self.entry.name).with_extension("txt");
        std::fs::write(&file, &case.numbers).map_err(|error| format!("{}: {error}", file.display()))?;
        let ours = if self.wish.cpp { None } else { Some(Ours::new(case.rules, &case.instance)?) };
        let best = self.rounds(ours.as_ref(), &file)?;
        let mut good = true;
        if self.wish.cpp {
            best.theirs.iter().for_each(|(variant, ran)| table::theirs(self.entry.name, &case.what, variant, ran));
        }
        for line in self.entry.lines.iter().filter(|_| !self.wish.cpp) {
            let (measured, ran) = (best.ours.get(&line.ask), best.theirs.get(line.variant));
            table::row(self.entry.name, &case.what, line, measured, ran);
            if let (Some(measured), Some(ran)) = (measured, ran)
                && let Some(difference) = cpp::difference(&measured.found, &ran.found)
            {
                println!("    DIFFERENT ANSWERS: {difference}");
                good = false;
            }
        }
        good &= best.ours.len() == self.asks().len();
        self.instructions(&best, &file);
        std::fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(good)
    }

    fn asks(&self) -> Vec<Ask> {
        if self.wish.cpp {
            return Vec::new();
        }
        let mut asks: Vec<Ask> = self.entry.lines.iter().map(|line| line.ask).collect();
        asks.sort_unstable();
        asks.dedup();
        asks
    }

    fn variants(&self) -> Vec<&'static str> {
        let mut variants: Vec<&str> = self.entry.lines.iter().map(|line| line.variant).collect();
        variants.sort_unstable();
        variants.dedup();
        variants
    }

    /// Both sides in turn; the best of each is kept. What fails on our side is told and left out.
    fn rounds(&self, ours: Option<&Ours>, file: &Path) -> Result<Best, String> {
        let mut best = Best::default();
        let mut asks = self.asks();
        for _ in 0..self.wish.rounds.min(self.entry.rounds) {
            for variant in self.variants() {
                let Some(programs) = self.programs else { break };
                let ran = programs.run(self.entry.program, variant, self.entry.repeats, file)?;
                match best.theirs.get(variant) {
                    Some(before) if before.solve <= ran.solve => {}
                    _ => drop(best.theirs.insert(variant, ran)),
                }
            }
            for _ in 0..self.entry.repeats {
                let Some(ours) = ours else { break };
                asks.retain(|&ask| match ours.solve(ask) {
                    Ok(measured) => {
                        keep(&mut best.ours, ask, measured);
                        true
                    }
                    Err(error) => {
                        println!("{}: {} failed: {error}", self.entry.name, ask.name());
                        false
                    }
                });
            }
        }
        Ok(best)
    }

    /// Instructions a position, below the lines of the case.
    fn instructions(&self, best: &Best, file: &Path) {
        let Some(counter) = self.counter else { return };
        let own = std::env::current_exe().map(|path| path.display().to_string()).unwrap_or_default();
        for ask in self.asks() {
            let command = |repeats: u32| {
                let mut words = vec![own.clone(), "--child".to_string(), self.entry.name.to_string()];
                words.extend([ask.name().to_string(), repeats.to_string()]);
                words.extend((self.wish.size == Size::Small).then(|| "--small".to_string()));
                words
            };
            let positions = best.ours.get(&ask).map(|measured| measured.positions);
            table::instructions(counter, ask.name(), counter.one_solve(command), positions);
        }
        for variant in self.variants() {
            let Some(programs) = self.programs else { break };
            let command = |repeats: u32| programs.command(self.entry.program, variant, repeats, file);
            let positions = best.theirs.get(variant).and_then(|ran| ran.found.positions);
            table::instructions(counter, &format!("C++ {variant}"), counter.one_solve(command), positions);
        }
    }
}

fn keep(best: &mut BTreeMap<Ask, Measured>, ask: Ask, new: Measured) {
    match best.get_mut(&ask) {
        Some(before) => {
            before.compile = before.compile.min(new.compile);
            before.solve = before.solve.min(new.solve);
        }
        None => drop(best.insert(ask, new)),
    }
}

fn solve_again_and_again(child: &Child, size: Size) -> Result<(), String> {
    let entry = cases::all().into_iter().find(|entry| entry.name == child.name).ok_or("there is no such case")?;
    let case = (entry.build)(size);
    let ours = Ours::new(case.rules, &case.instance)?;
    (0..child.repeats).try_for_each(|_| ours.solve(child.ask).map(drop))
}
