//! Searches of rules files: against the interpreter on random files, and what they say where they stop early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use solve::options::{Best, Question};
use testkit::Random;
use testkit::files::gallery_text as source;
use testkit::lines::{floods, lines, placings};
use testkit::writer::{Style, Writer};

use crate::common::check::{check_forced, expect};
use crate::common::prelude::*;
use crate::common::{answer_with, bound, program, with_room};

/// How many positions a game may have.
const MOST_POSITIONS: usize = 800;

/// Random files by both searches, interpreted and compiled, on one thread and on three. How many agreed.
fn files_agree(seed: u64, count: usize, style: impl Fn(&mut Random) -> Style) -> usize {
    let mut random = Random::new(seed);
    let mut agreed = 0;
    for number in 0..count {
        let style = style(&mut random);
        let text = Writer::new(&mut random, style).file();
        let bound = bound(&program(&text), "{}");
        let expected = expect(&bound, MOST_POSITIONS);
        for method in [method("alpha_beta"), method("proof_number")] {
            // Code for every one of them would take minutes.
            let engine = if number.is_multiple_of(6) { Engine::Compiled } else { Engine::Auto };
            let options = Options { method: Some(method), engine, threads: 1 + number % 3, ..Options::default() };
            match check_forced(&bound, &expected, &options) {
                Ok(positions) => agreed += usize::from(positions.is_some()),
                Err(difference) => panic!("{difference}, by {method}, {engine:?}\n{text}"),
            }
        }
    }
    agreed
}

#[test]
fn games_that_are_won() {
    with_room(|| {
        let agreed = files_agree(51, 500, Style::won);
        assert!(agreed > 200, "{agreed}");
    });
}

#[test]
fn games_that_are_counted() {
    with_room(|| {
        let agreed = files_agree(52, 500, |random| Style::counted(random, 2));
        assert!(agreed > 100, "{agreed}");
    });
}

/// Random boards that masks run, by both searches on one thread to three.
fn boards_agree(seed: u64, count: usize, file: impl Fn(&mut Random) -> String) -> usize {
    let mut random = Random::new(seed);
    let mut agreed = 0;
    for number in 0..count {
        let text = file(&mut random);
        let bound = bound(&program(&text), "{}");
        let expected = expect(&bound, MOST_POSITIONS);
        for method in [method("alpha_beta"), method("proof_number")] {
            let options = Options {
                method: Some(method),
                engine: Engine::Compiled,
                threads: 1 + number % 3,
                ..Options::default()
            };
            match check_forced(&bound, &expected, &options) {
                Ok(positions) => agreed += usize::from(positions.is_some()),
                Err(difference) => panic!("{difference}, by {method}\n{text}"),
            }
        }
    }
    agreed
}

#[test]
fn lines_that_are_won() {
    with_room(|| {
        let agreed = boards_agree(53, 300, |random| lines(random, false));
        assert!(agreed > 200, "{agreed}");
    });
}

#[test]
fn lines_that_are_counted() {
    with_room(|| {
        let agreed = boards_agree(54, 200, |random| lines(random, true));
        assert!(agreed > 60, "{agreed}");
    });
}

/// Marks are put on a board: moves after which the other player wins at once are passed over.
#[test]
fn marks_that_are_placed() {
    with_room(|| {
        let agreed = boards_agree(57, 300, placings);
        assert!(agreed > 200, "{agreed}");
    });
}

/// Ends that are no lines, but read few bits of the position, which masks look up.
#[test]
fn floods_that_are_won_or_counted() {
    with_room(|| {
        let won = boards_agree(55, 200, |random| floods(random, false));
        let counted = boards_agree(56, 100, |random| floods(random, true));
        assert!(won > 100 && counted > 30, "{won}, {counted}");
    });
}

fn connect(rows: u32, columns: u32) -> Bound {
    bound(&program(&source("connect_k")), &format!(r#"{{"rows": {rows}, "columns": {columns}, "k": 4}}"#))
}

#[test]
fn a_search_says_what_a_table_says() {
    let bound = connect(4, 3);
    let table = answer_with(&bound, &Options::default()).unwrap();
    for name in ["alpha_beta", "proof_number"] {
        for threads in 1..=4 {
            let found = answer_with(&bound, &Options { threads, ..by(name) }).unwrap();
            assert_eq!((found.outcome, &found.best_moves), (table.outcome, &table.best_moves), "{name}, {threads}");
            assert_eq!((found.proof, found.remoteness), (Proof::Search, None));
        }
        let one = answer_with(&bound, &Options { best: Best::One, ..by(name) }).unwrap();
        let all = table.best_moves.as_ref().unwrap();
        assert!(one.best_moves.as_ref().unwrap().iter().all(|mv| all.contains(mv)) && one.best_moves_cut);
    }
}

/// Everybody's gains are asked for where a game is explained; a search that is asked for applies nevertheless.
#[test]
fn a_search_applies_to_gains_that_do_not_add_up() {
    let text = "game c() { state { b in [0..=2; 4] = [0; 4]; }
        move p(i in 0..4) when b[i] == 0 { b[i] = 1 + mover; gain 1; } stuck => score -2; }";
    let bound = bound(&program(text), "{}");
    let found = answer_with(&bound, &Options { check_total: true, ..by("alpha_beta") }).unwrap();
    assert_eq!(found.value, Some(-2));
}

#[test]
fn the_question_decides() {
    let bound = connect(4, 3);
    let weak = answer_with(&bound, &Options { question: Question::Weak, ..Options::default() }).unwrap();
    let strong = answer_with(&bound, &Options { question: Question::Strong, ..Options::default() }).unwrap();
    assert_ne!(strong.proof, Proof::Search);
    assert_eq!(weak.outcome, strong.outcome);
}

#[test]
fn looking_ahead_gives_bounds() {
    let bound = connect(4, 3);
    let ahead = |depth| answer_with(&bound, &Options { depth: Some(depth), ..Options::default() });
    let Err(SolveError::Bounded { error, bounds }) = ahead(3) else { panic!("three moves prove nothing") };
    assert!(matches!(*error, SolveError::Limit { limit: Limit::Depth { moves: 3 }, .. }) && bounds.is_outcome);
    assert_eq!((bounds.low, bounds.high, bounds.estimate), (Some(-1), Some(1), None));
    let whole = ahead(12).unwrap();
    assert_eq!((whole.outcome, whole.proof), (Some(Outcome::Draw), Proof::Search));
    // Scores: what three moves earn for sure, and a guess beyond.
    let text = "game take(n: int = 9) { state { left in 0..=n = n; } \
                move take(k in 1..=2) when k <= left { gain k; left -= k; } estimate left; }";
    let take = crate::common::bound(&program(text), "{}");
    let found = answer_with(&take, &Options { depth: Some(3), ..Options::default() });
    let Err(SolveError::Bounded { bounds, .. }) = found else { panic!("three moves prove nothing: {found:?}") };
    let value = answer_with(&take, &Options::default()).unwrap().value.unwrap();
    assert!(bounds.low.is_none_or(|low| low <= value) && bounds.high.is_none_or(|high| value <= high), "{bounds:?}");
    assert!(bounds.estimate.is_some() && !bounds.is_outcome);
}

#[test]
fn a_limit_tells_what_is_proved() {
    let bound = connect(6, 7);
    let limits = Limits { memory: 1 << 28, time: Some(Duration::from_millis(300)) };
    for name in ["alpha_beta", "proof_number"] {
        let error = solve::answer::answer(&bound, &by(name), &mut Monitor::new(&limits)).unwrap_err();
        assert!(error.is_limit() && matches!(error.plain(), SolveError::Limit { limit: Limit::Time { .. }, .. }));
    }
    // Without memory for a table no search is begun that would never end.
    let small = Limits { memory: 100_000, time: None };
    let error = solve::answer::answer(&bound, &Options::default(), &mut Monitor::new(&small)).unwrap_err();
    assert!(matches!(error.plain(), SolveError::Limit { limit: Limit::Memory { .. }, .. }), "{error}");
}

#[test]
fn what_a_search_is_not_for() {
    let nim = bound(&program(&source("nim")), "{}");
    let cat = bound(&program(&source("cat_and_mouse")), "{}");
    for name in ["alpha_beta", "proof_number"] {
        assert!(matches!(answer_with(&nim, &by(name)), Err(SolveError::NotApplicable(_))));
        let Err(SolveError::NotApplicable(why)) = answer_with(&cat, &by(name)) else { panic!("positions repeat") };
        assert!(why.contains("positions repeat"), "{why}");
    }
    let coins = bound(&program(&source("dots_and_boxes")), "{}");
    assert!(matches!(answer_with(&coins, &by("proof_number")), Err(SolveError::NotApplicable(_))));
    assert_eq!(answer_with(&coins, &by("alpha_beta")).unwrap().value, Some(2));
}

#[test]
fn simpler_searches_are_counted() {
    let bound = connect(3, 3);
    let options = Options { teach: true, ..by("alpha_beta") };
    let solved = solve::solved::solve(&bound, &bound.start, &options, &mut Monitor::unlimited()).unwrap();
    let names: Vec<&str> = solved.report.findings.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["searched", "minimax", "alpha-beta", "with a table"]);
}

#[test]
fn a_value_that_was_stopped_is_a_limit_and_no_mistake_of_ours() {
    let bound = bound(&program(&source("m_n_k")), r#"{"rows": 6, "columns": 6, "k": 5}"#);
    let stop = Arc::new(AtomicBool::new(false));
    let mut monitor = Monitor::unlimited().cancelled_by(Arc::clone(&stop));
    // The first player wins at once by a fifth mark in the row. If the other player stops that, it takes very long to tell.
    let mut cells = bound.start.parts[0].to_vec();
    cells[6..=9].fill(1);
    [0, 3, 20, 33].into_iter().for_each(|at| cells[at] = 2);
    let start = Position { parts: vec![cells.clone().into()], turn: bound.start.turn };
    let solved = solve::solved::solve(&bound, &start, &by("alpha_beta"), &mut monitor).unwrap();
    assert_eq!(solved.verdict(&start).and_then(|verdict| verdict.outcome()), Some(Outcome::Win));
    (cells[35], cells[10]) = (1, 2);
    let later = Position { parts: vec![cells.into()], turn: bound.start.turn };
    stop.store(true, Ordering::Relaxed);
    assert_eq!(solved.verdict(&later), None);
    let why = solved.answers.missing(&bound, &later);
    assert!(matches!(why, SolveError::Interrupted { .. }), "{why:?}");
}

/// The answer is one move away; who wins if the other starts is far, and the answer does not wait for it.
#[test]
fn an_answer_does_not_wait_for_the_class() {
    let text = "game five() { let n = 7; let steps = [[0, 1], [1, 0], [1, 1], [1, -1]]; \
                let lines = [[(r + t * s[0]) * n + c + t * s[1] for t in 0..5] for r in 0..n for c in 0..n for s in steps \
                when r + 4 * s[0] < n and 0 <= c + 4 * s[1] and c + 4 * s[1] < n]; \
                state { b in [0..=2; 49] = [if i < 4 then 1 else if i in {30, 33, 40} then 2 else 0 for i in 0..49]; } \
                end when any(all(b[at] == 1 + opponent for at in line) for line in lines) => lose; \
                move place(p in 0..49) when b[p] == 0 { b[p] = 1 + mover; } stuck => lose; }";
    let bound = bound(&program(text), "{}");
    let options = Options { best: Best::One, ..Options::default() };
    let solution = answer_with(&bound, &options).unwrap();
    assert_eq!(solution.outcome, Some(Outcome::Win), "{solution:?}");
    assert!(solution.positions < 1_000_000, "{}", solution.positions);
    let why = solution.outcome_class_missing.unwrap_or_default();
    assert!(solution.outcome_class.is_some() || why.contains("beside the answer"), "{why}");
}

/// Scores up to the largest numbers: what fits is found, as by a table, and what does not is an overflow.
#[test]
fn scores_of_any_size_are_searched() {
    let rules = "game g(gains: [int]) {
        let n = len(gains);
        state { b in [0..=1; n] = [0; n]; }
        move m(p in 0..n) when b[p] == 0 { b[p] = 1; gain gains[p]; again; }
        move pass(p in 0..n) when b[p] == 0 { b[p] = 1; gain -gains[p] / 2; }
        stuck => score 0;
    }";
    let third = i64::MAX / 3;
    for gains in [
        vec![1_100_000_000_000_000_000; 3],
        vec![1 << 60, 1 << 60, (1 << 60) + 5],
        vec![third, third, third],
        vec![third, -third, 7, 1 << 40],
        vec![1 << 37, (1 << 37) + 1, 1 << 38, -(1 << 37), 3],
        vec![1 << 50, 1 << 49, 1 << 48, 1 << 47, 1 << 46, 1 << 45],
    ] {
        let instance = format!(r#"{{"gains": {gains:?}}}"#);
        let bound = bound(&program(rules), &instance);
        let by = |name| answer_with(&bound, &Options { method: Some(method(name)), ..Options::default() });
        let (table, search) = (by("induction"), by("alpha_beta"));
        match (table, search) {
            (Ok(table), Ok(search)) => assert_eq!(search.value, table.value, "{instance}"),
            (table, search) => panic!("{instance}: {:?}, {:?}", table.err(), search.err()),
        }
    }
}

/// A small board whose stones are placed and then moved along random edges, so that play may come back to a position.
fn wandering(random: &mut Random) -> String {
    let n = 5 + random.below(2usize);
    let edges: Vec<Vec<usize>> = (0..n)
        .map(|a| {
            (0..n).filter(|&b| a != b && (a * 7 + b * 7 + a * b + random.below(3usize)).is_multiple_of(2)).collect()
        })
        .collect();
    let line = random.permutation(n)[..2].to_vec();
    let stone = random.below(3usize);
    format!(
        "game wandering {{ let adj = {edges:?}; let line = {line:?};
        state {{ board in [{{empty, x, o}}; {n}] = [{stone}, 1, 2{}]; hand in [0..=1; 2] = [1; 2]; }}
        move go(a in 0..{n}, b in adj[a]) when board[a] == 1 + mover and board[b] != 1 + mover {{ board[b] = 1 + mover; board[a] = empty; }}
        move put(a in 0..{n}) when board[a] == empty and hand[mover] > 0 {{ board[a] = 1 + mover; hand[mover] -= 1; }}
        end when all(board[j] == 1 + mover for j in line) => win; stuck => lose; }}",
        ", empty".repeat(n - 3)
    )
}

/// Who asks for the start only is answered where play may go on for ever too: by a table, where a search comes back to a position.
#[test]
fn who_asks_for_the_start_of_endless_play_is_answered() {
    let mut random = Random::new(88);
    let weak = Options { question: Question::Weak, ..Options::default() };
    let mut compared = 0;
    for _ in 0..150 {
        let text = wandering(&mut random);
        let bound = bound(&program(&text), "{}");
        let strong = answer_with(&bound, &Options { question: Question::Strong, ..Options::default() }).unwrap();
        match answer_with(&bound, &weak) {
            Ok(found) => assert_eq!(found.outcome, strong.outcome, "{text}"),
            Err(error) => panic!("{error}\n{text}"),
        }
        compared += usize::from(strong.outcome.is_some());
    }
    assert!(compared == 150, "{compared}");
}
