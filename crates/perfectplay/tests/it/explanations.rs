//! What explanations say of a game is so.

use std::time::Duration;

use perfectplay::Solver;
use perfectplay::language::Rules;
use perfectplay::plan::{Explanation, LOOK, explain, explain_sum, method};

use perfectplay::solving::{Limits, Monitor, Options};
use perfectplay::sums::{Gallery, Sum};
use rules::bind::Bound;
use rules::sample;
use testkit::files;

/// How many instances of a game are looked at.
const INSTANCES: usize = 6;
/// How often each may be tried.
const TRIES: usize = 5;
/// A look that sees next to nothing: what a solve has is not chosen by the limits of a look.
const GLANCE: Limits = Limits { memory: 20_000, time: Some(Duration::from_micros(500)) };

/// A win at once, and beside it two positions that lead to one another for ever.
const BESIDE: &str = "game beside() {
    state { at in 0..=3 = 0; }
    move win_now when at == 0 { at = 1; }
    move go when at == 0 { at = 2; }
    move there when at == 2 { at = 3; }
    move back when at == 3 { at = 2; }
    move out when at == 3 { at = 1; }
}";

/// A search leaves positions out: that it met no repetition says nothing of the game.
#[test]
fn a_search_does_not_say_that_no_position_repeats() {
    let game = Rules::new(BESIDE).bind("{}").unwrap();
    for name in ["alpha_beta", "proof_number"] {
        let options = Options { method: method(name), ..Options::default() };
        let explanation = explain(&game, &options, &Limits::default(), Some(&LOOK), &Monitor::new).unwrap();
        let known = explanation.properties();
        let acyclic = known.iter().find(|property| property.name == "acyclic").unwrap();
        assert_eq!(acyclic.holds, None, "{name}: {}", acyclic.why);
    }
}

/// The methods that were given up, and the one that was taken in the end.
fn chain(explanation: &Explanation<'_>) -> Vec<&'static str> {
    let given_up = explanation.plan.given_up().iter().map(|(method, _)| method.name());
    given_up.chain([explanation.plan.method().name()]).collect()
}

/// What `solve` did with a game within limits, and what `explain` says of that with `--run` and without; a text where they do not
/// agree.
fn compared(game: &Bound, limits: &Limits) -> Result<Option<usize>, String> {
    let options = Options::default();
    let mut solver = Solver::new().memory(limits.memory);
    solver = limits.time.into_iter().fold(solver, Solver::time);
    let Ok(solution) = solver.answer(game) else { return Ok(None) };
    let ran = explain(game, &options, limits, None, &Monitor::new).map_err(|error| error.to_string())?;
    let looked = explain(game, &options, limits, Some(&LOOK), &Monitor::new).map_err(|error| error.to_string())?;
    let (ran, complete, looked) = (chain(&ran), looked.complete(), chain(&looked));
    let glance = explain(game, &options, limits, Some(&GLANCE), &Monitor::new).map_err(|error| error.to_string())?;
    let glanced = chain(&glance);
    let same = ran.starts_with(&glanced) && if complete { looked == ran } else { ran.starts_with(&looked) };
    match same && ran.last() == Some(&solution.method.name()) {
        true => Ok(Some(ran.len() - 1)),
        false => Err(format!(
            "solved by {}, explained {ran:?} after a run, {looked:?} and {glanced:?} before",
            solution.method
        )),
    }
}

/// What [`compared`] finds. Some choices rest on the clock: on a busy machine two solves may differ, but not every time.
fn compared_often(name: &str, instance: &str, game: &Bound, limits: &Limits) -> Option<usize> {
    let again = |found: Result<_, String>, _| found.or_else(|_| compared(game, limits));
    match (1..TRIES).fold(compared(game, limits), again) {
        Ok(found) => found,
        Err(difference) => panic!("{name} {instance}, {limits:?}: {difference}"),
    }
}

/// Compares one in so many sampled instances of the gallery, from a first one on: how many were solved, and for how many a plan was
/// given up.
fn compare_gallery(limits: &Limits, one_in: usize, mut first: usize) -> (usize, usize) {
    let (mut games, mut given_up) = (0, 0);
    for (name, source) in files::gallery() {
        let program = files::program(&source);
        for instance in sample::instances(&program, INSTANCES, 8).unwrap_or_default() {
            first += 1;
            if !first.is_multiple_of(one_in) {
                continue;
            }
            let game = files::bound_to(&program, &instance);
            if let Some(tried) = compared_often(&name, &instance.to_string(), &game, limits) {
                (games, given_up) = (games + 1, given_up + usize::from(tried > 0));
            }
        }
    }
    (games, given_up)
}

/// `explain` tells the plan that `solve` carries out: with `--run` always, without it as far as its look came.
#[test]
fn the_plan_is_the_one_that_solve_carries_out() {
    let (games, given_up) = compare_gallery(&Limits::default(), 1, 0);
    assert!(games >= 300, "{games} instances");
    assert!(given_up >= 5, "a plan was given up {given_up} times");
}

/// So it does where there is little memory, or time.
#[test]
fn the_plan_is_the_one_that_solve_carries_out_within_limits() {
    let memories = [(2_000_000, 60), (700_000, 50), (200_000, 30), (60_000, 15), (20_000, 6)];
    for (first, (memory, least)) in memories.into_iter().enumerate() {
        let (games, given_up) = compare_gallery(&Limits { memory, time: None }, 3, first);
        println!("{memory} bytes: {games} instances, {given_up} with a plan that was given up");
        assert!(games >= least, "{games} instances within {memory} bytes");
    }
    let (games, _) = compare_gallery(&Limits { time: Some(Duration::from_secs(5)), ..Limits::default() }, 3, 2);
    assert!(games >= 100, "{games} instances");
}

/// So it does at every edge of memory: each game is solved by several methods, as there is more of it.
#[test]
fn the_plan_is_the_one_that_solve_carries_out_at_the_edge_of_memory() {
    let games = [
        ("breakthrough", r#"{"rows": 4, "columns": 3, "deep": 1}"#),
        ("tigers_and_goats", r#"{"goats": 4, "taken": 1}"#),
        ("tigers_and_goats", r#"{"goats": 5, "taken": 1}"#),
        ("m_n_k", r#"{"rows": 4, "columns": 3, "k": 3}"#),
        ("hex", r#"{"size": 3}"#),
        ("connect_k", r#"{"rows": 4, "columns": 3, "k": 3}"#),
        ("chomp", r#"{"rows": 4, "columns": 6}"#),
        ("domineering", r#"{"rows": 4, "columns": 4}"#),
        ("dots_and_boxes", r#"{"rows": 2, "columns": 2}"#),
        ("kayles", r#"{"rows": [30, 20]}"#),
    ];
    let (mut methods, mut given_up) = (0, 0);
    for (name, instance) in games {
        let game = Rules::gallery(name).unwrap().bind(instance).unwrap();
        let mut found = Vec::new();
        let mut memory = 20_000;
        while memory < 20_000_000 {
            let tried = compared_often(name, instance, &game, &Limits { memory, time: None });
            given_up += tried.unwrap_or(0);
            found.extend(tried);
            memory += memory / 2;
        }
        found.dedup();
        println!("{name} {instance}: plans given up {found:?}");
        methods += found.len();
    }
    assert!(methods > games.len() && given_up >= 10, "{methods} ways, {given_up} plans given up");
}

/// Which methods give up shows only as they run: an explanation of a sum tells the ones that a solve of it takes.
#[test]
fn explanations_of_sums_name_the_methods_of_their_solve() {
    for text in [
        "kayles(7) + nim([3,5])",
        "digraph_tokens() + *2",
        "digraph_token(start=4) + *2",
        "domineering(2,3) + *2 + kayles(5)",
        "fox_and_geese(4,4) + domineering(2,2)",
        "digraph_token(start=4) + domineering(2,3)",
    ] {
        let sum = Sum::read(text, &Gallery).unwrap();
        let told = |run| {
            let told = explain_sum(&sum, &Options::default(), &Limits::default(), run, &Monitor::new).unwrap();
            told.summands.into_iter().map(|summand| (summand.method, summand.why)).collect::<Vec<_>>()
        };
        assert_eq!(told(false), told(true), "{text}");
    }
}
