//! How quickly are games searched that are too large for a table?
//!
//! `cargo run --release -p perfectplay-benches --bin search [--alone] [--seconds N] [--threads N] [FILTER]…` proves the value of the start of each
//! instance from its rules file by every search that applies, and prints positions, positions a second of processor time, and
//! time. Beside them stand hand-written alpha-beta programs in C++ for Connect Four and Dots and Boxes (`cpp`, needs g++; `--alone`
//! does without). A search that is not done after N seconds (300) tells what was proved by then, and its pace. With one thread the
//! positions are the same in every run: a change without intent shows.

#[path = "../compiled/clock.rs"]
mod clock;
mod cpp;

use std::time::Duration;

use perfectplay::language::{Bound, Rules};
use perfectplay::solving::{Best, Limit, Limits, Monitor, Options, Question, SolveError, solve};

/// A game of the gallery, its instance, and the value that it is known to have: 1 won, 0 drawn, −1 lost, or a score.
struct Case {
    game: &'static str,
    instance: &'static str,
    value: i64,
}

const fn case(game: &'static str, instance: &'static str, value: i64) -> Case {
    Case { game, instance, value }
}

const CASES: &[Case] = &[
    case("connect_k", r#"{"rows": 4, "columns": 4, "k": 4}"#, 0),
    case("connect_k", r#"{"rows": 4, "columns": 5, "k": 4}"#, 0),
    case("connect_k", r#"{"rows": 5, "columns": 4, "k": 4}"#, 0),
    case("connect_k", r#"{"rows": 4, "columns": 6, "k": 4}"#, -1),
    case("connect_k", r#"{"rows": 6, "columns": 4, "k": 4}"#, 0),
    case("connect_k", r#"{"rows": 5, "columns": 5, "k": 4}"#, 0),
    case("connect_k", r#"{"rows": 4, "columns": 7, "k": 4}"#, 0),
    case("connect_k", r#"{"rows": 5, "columns": 6, "k": 4}"#, 0),
    case("connect_k", r#"{"rows": 6, "columns": 5, "k": 4}"#, 0),
    case("connect_k", r#"{"rows": 6, "columns": 7, "k": 4}"#, 1),
    case("hex", r#"{"size": 3}"#, 1),
    case("hex", r#"{"size": 4}"#, 1),
    case("m_n_k", r#"{"rows": 4, "columns": 4, "k": 4}"#, 0),
    case("m_n_k", r#"{"rows": 5, "columns": 5, "k": 4}"#, 0),
    case("dots_and_boxes", r#"{"rows": 2, "columns": 2}"#, 2),
    case("dots_and_boxes", r#"{"rows": 2, "columns": 3}"#, -2),
    case("dots_and_boxes", r#"{"rows": 3, "columns": 3}"#, -3),
    case("othello", r#"{"rows": 4, "columns": 4}"#, -8),
    case("breakthrough", r#"{"rows": 4, "columns": 4, "deep": 2}"#, -1),
    case("breakthrough", r#"{"rows": 5, "columns": 5, "deep": 2}"#, -1),
    case("kalah", r#"{"pits": 4, "seeds": 3}"#, 6),
    case("kalah", r#"{"pits": 4, "seeds": 4}"#, 2),
];

fn main() {
    let (mut seconds, mut threads, mut alone, mut filters) = (300, 1, false, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(1);
        match word.as_str() {
            "--seconds" => seconds = number(),
            "--threads" => threads = number() as usize,
            "--alone" => alone = true,
            _ => filters.push(word),
        }
    }
    let yardsticks = (!alone).then(|| cpp::Yardsticks::compile().unwrap_or_else(|error| panic!("{error}")));
    println!("| case | method | positions | a second | s | value |");
    println!("|---|---|---|---|---|---|");
    for case in CASES {
        let name = format!("{} {}", case.game, case.instance);
        if !filters.is_empty() && !filters.iter().any(|filter| name.contains(&**filter)) {
            continue;
        }
        let bound = Rules::gallery(case.game).expect("a game of the gallery").bind(case.instance).expect("an instance");
        for method in ["alpha_beta", "proof_number"] {
            measure(case, &name, &bound, method, (seconds, threads));
        }
        if let Some(yardsticks) = &yardsticks {
            compare(case, &name, yardsticks, seconds);
        }
    }
}

/// The hand-written program for a case, if there is one.
fn compare(case: &Case, name: &str, yardsticks: &cpp::Yardsticks, seconds: u64) {
    match yardsticks.run(case.game, case.instance, seconds) {
        Ok(None) => {}
        Ok(Some(found)) => {
            assert_eq!(found.value, case.value, "{name}, in C++");
            row(name, "C++ alpha-beta", found.positions, found.seconds, &found.value.to_string());
        }
        Err(error) => println!("| {name} | C++ alpha-beta | {error} |"),
    }
}

/// One line of the table.
fn row(name: &str, method: &str, positions: u64, seconds: f64, value: &str) {
    let pace = positions as f64 / seconds / 1e6;
    println!("| {name} | {method} | {positions} | {pace:.2} million | {seconds:.2} | {value} |");
}

/// One search of one case.
fn measure(case: &Case, name: &str, bound: &Bound, method: &str, (seconds, threads): (u64, usize)) {
    let method = perfectplay::plan::method(method);
    let options = Options { method, threads, question: Question::Weak, best: Best::One, ..Options::default() };
    let mut monitor = Monitor::new(&Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() });
    let began = clock::now();
    let solved = solve(bound, &bound.start, &options, &mut monitor);
    let took = (clock::now() - began) as f64 * 1e-9;
    let (positions, value) = match solved {
        Ok(solved) => {
            let value = solved.verdict(&bound.start).and_then(|verdict| match verdict {
                perfectplay::answer::Verdict::Score(value) => Some(value),
                other => other.outcome().map(|outcome| match outcome {
                    perfectplay::answer::Outcome::Win => 1,
                    perfectplay::answer::Outcome::Draw => 0,
                    perfectplay::answer::Outcome::Loss => -1,
                }),
            });
            assert_eq!(value, Some(case.value), "{name}");
            (solved.positions(), case.value.to_string())
        }
        Err(SolveError::Limit { limit: Limit::Time { .. }, positions }) => {
            let bounds = monitor.proved().map_or("not proved".to_string(), |(low, high)| format!("{low} to {high}"));
            (positions, bounds)
        }
        Err(SolveError::NotApplicable(_)) => return,
        Err(error) => return println!("| {name} | {method:?} | {error} |"),
    };
    let method = method.map_or("", |method| method.name());
    row(name, method, positions, took, &value);
}
