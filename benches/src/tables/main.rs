//! Every position of a game with cycles, from its rules file, against C++ written by hand for that game.
//!
//! `cargo run --release -p perfectplay-benches --bin tables [FILTER]…`. Both sides run with two threads (`--threads N`) and take
//! turns. Times are processor time of all threads and wall time, the least of three rounds (`--rounds N`). *first* is our first
//! solve with everything from the bound game on: the look at positions, proofs, code. *solve* is the plan carried out again,
//! its code ready, which the ratio is about, as in `compiled`. The C++ includes its own tables. Winner and length must agree.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use perfectplay::answer::{Outcome, Verdict};
use perfectplay::language::{Given, Instance, bind, compile};
use perfectplay::solving::{Engine, Limits, Monitor, Options, solve};

#[path = "../compiled/clock.rs"]
mod clock;

/// A game: its program in `cpp`, its rules, its instance, and the memory it may take.
struct Case {
    name: &'static str,
    instance: &'static [(&'static str, i64)],
    memory: u64,
}

const CASES: [Case; 3] = [
    Case { name: "quixo", instance: &[("side", 4)], memory: 1 << 30 },
    Case { name: "dao", instance: &[], memory: 1 << 30 },
    Case { name: "rook_endgame", instance: &[("side", 8), ("king", 0), ("rook", 9), ("lone", 45)], memory: 1 << 30 },
];

/// Seconds of one side: processor and wall.
#[derive(Clone, Copy)]
struct Seconds {
    busy: f64,
    wall: f64,
}

impl Seconds {
    const LONG: Seconds = Seconds { busy: f64::MAX, wall: f64::MAX };

    fn least(self, other: Seconds) -> Seconds {
        Seconds { busy: self.busy.min(other.busy), wall: self.wall.min(other.wall) }
    }
}

/// What came out: `win`, `lose` or `draw`, and in how many moves.
type Found = (String, Option<u64>);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, default: usize| {
        let place = arguments.iter().position(|argument| argument == name);
        place.and_then(|place| arguments.get(place + 1)?.parse().ok()).unwrap_or(default)
    };
    let (threads, rounds) = (number("--threads", 2), number("--rounds", 3));
    let filters: Vec<&String> =
        arguments.iter().filter(|argument| CASES.iter().any(|case| case.name.contains(argument.as_str()))).collect();
    println!("{threads} threads; seconds of processor time, wall time in brackets");
    println!(
        "{:<14} {:>18} {:>18} {:>18} {:>6} {:>11} {:>8}",
        "game", "C++", "first", "solve", "ratio", "positions", "peak MB"
    );
    let mut differs = false;
    for case in CASES
        .iter()
        .filter(|case| filters.is_empty() || filters.iter().any(|filter| case.name.contains(filter.as_str())))
    {
        match measure(case, threads, rounds) {
            Ok(line) => println!("{line}"),
            Err(why) => {
                eprintln!("{}: {why}", case.name);
                differs = true;
            }
        }
    }
    std::process::exit(i32::from(differs));
}

fn measure(case: &Case, threads: usize, rounds: usize) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = std::env::temp_dir().join(format!("perfectplay-tables-{}", case.name));
    let source = root.join("cpp").join(case.name).with_extension("cpp");
    let made = Command::new("g++")
        .args(["-std=c++17", "-O3", "-march=native", "-pthread", "-o"])
        .arg(&program)
        .arg(source)
        .status();
    if !made.map_err(|error| format!("g++ does not start: {error}"))?.success() {
        return Err("g++ does not compile it".to_string());
    }
    let rules = root.join("../crates/perfectplay/games").join(case.name).with_extension("game");
    let rules = std::fs::read_to_string(rules).map_err(|error| error.to_string())?;
    let game = compile(&rules).map_err(|errors| format!("the rules do not compile: {errors:?}"))?;
    let given = case.instance.iter().map(|(name, number)| ((*name).to_string(), Given::Int(*number)));
    let instance = Instance(given.collect());
    let bound = bind(&Arc::new(game), &instance).map_err(|error| format!("the instance is wrong: {error:?}"))?;
    let options = Options { threads, engine: Engine::Compiled, ..Options::default() };
    let mut monitor = Monitor::new(&Limits { memory: case.memory, ..Limits::default() });
    let mut theirs = Seconds::LONG;
    let mut ours = Seconds::LONG;
    let (solved, first) = timed(|| solve(&bound, &bound.start, &options, &mut monitor));
    let solved = solved.map_err(|error| error.to_string())?;
    let found = match solved.verdict(&bound.start) {
        Some(Verdict::Outcome { outcome, remoteness, .. }) => (word(outcome), remoteness.map(u64::from)),
        other => return Err(format!("the start has the verdict {other:?}")),
    };
    let positions = solved.positions();
    let plan = solved.plan;
    drop(solved.answers);
    for _ in 0..rounds {
        let (their_seconds, their_found) = run(&program, threads)?;
        if their_found != found {
            return Err(format!("C++ finds {their_found:?}, we {found:?}"));
        }
        theirs = theirs.least(their_seconds);
        let (again, seconds) = timed(|| plan.run(None, &mut monitor));
        drop(again.map_err(|given_up| format!("{given_up:?}"))?);
        ours = ours.least(seconds);
    }
    let shown = |seconds: Seconds| format!("{:.3} ({:.3})", seconds.busy, seconds.wall);
    let peak = monitor.memory().peak() as f64 / 1e6;
    Ok(format!(
        "{:<14} {:>18} {:>18} {:>18} {:>6.2} {positions:>11} {peak:>8.0}",
        case.name,
        shown(theirs),
        shown(first),
        shown(ours),
        theirs.busy / ours.busy
    ))
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Seconds) {
    let (busy, wall) = (clock::now(), Instant::now());
    let result = work();
    (result, Seconds { busy: (clock::now() - busy) as f64 / 1e9, wall: wall.elapsed().as_secs_f64() })
}

fn word(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win => "win",
        Outcome::Loss => "lose",
        Outcome::Draw => "draw",
    }
    .to_string()
}

/// Runs the C++, which prints its own times.
fn run(program: &Path, threads: usize) -> Result<(Seconds, Found), String> {
    let out = Command::new(program).arg(threads.to_string()).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map(str::to_string).ok_or_else(|| format!("the C++ does not print {name}"))
    };
    let seconds = |name: &str| field(name)?.parse::<f64>().map_err(|error| error.to_string());
    let remoteness = field("remoteness")?.parse::<i64>().map_err(|error| error.to_string())?;
    Ok((Seconds { busy: seconds("cpu")?, wall: seconds("wall")? }, (field("start")?, u64::try_from(remoteness).ok())))
}
