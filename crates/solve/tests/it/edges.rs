//! What lies at the edge of what methods know: positions of nobody, starts off the way, cycles shown, classes that are missing,
//! and why a method was taken.

use crate::common::prelude::*;
use crate::common::{answer_with, bound, program, solved};
use solve::error::Reason;
use solve::solved::solve;
use testkit::files::{gallery, game};

/// All methods that value single positions of a game of this kind.
const METHODS: [&str; 5] = ["fill", "search", "hash", "induction", "retrograde"];

fn solved_by<'b>(game: &'b Bound, start: &Position, name: &str) -> Option<Solved<'b>> {
    let options = Options { engine: Engine::Compiled, ..by(name) };
    match solve(game, start, &options, &mut Monitor::unlimited()) {
        Ok(solved) => Some(solved),
        Err(SolveError::NotApplicable(_)) => None,
        Err(error) => panic!("{name}: {error}"),
    }
}

fn at(cells: &[i64], turn: Player) -> Position {
    Position { parts: vec![cells.into()], turn }
}

/// In tic-tac-toe the marks tell whose turn it is: with the other player to move, a board is nobody's.
#[test]
fn boards_with_the_wrong_player_to_move_have_no_verdict() {
    let game = bound(&program(&game("m_n_k")), "{}");
    let cells = game.start.parts[0].len();
    let mut one = vec![0; cells];
    one[0] = 1;
    for name in METHODS {
        let Some(solved) = solved_by(&game, &game.start, name) else { continue };
        assert!(solved.verdict(&game.start).is_some(), "{name}");
        assert!(solved.verdict(&at(&one, Player::SECOND)).is_some(), "{name}");
        assert_eq!(solved.verdict(&at(&vec![0; cells], Player::SECOND)), None, "{name}");
        assert_eq!(solved.verdict(&at(&one, Player::FIRST)), None, "{name}");
    }
}

/// A cell that follows from the others has one value: a position with another is nobody's.
#[test]
fn positions_whose_cells_do_not_fit_together_have_no_verdict() {
    let text = "game g() { state { left in 0..=40 = 40; gone in 0..=40 = 0; }
        move take(k in 1..=3) when k <= left { left -= k; gone += k; } }";
    let game = bound(&program(text), "{}");
    let mut found = 0;
    for name in METHODS {
        let Some(solved) = solved_by(&game, &game.start, name) else { continue };
        found += 1;
        assert!(solved.verdict(&at(&[37, 3], Player::FIRST)).is_some(), "{name}");
        assert_eq!(solved.verdict(&at(&[37, 4], Player::FIRST)), None, "{name}");
        assert_eq!(solved.verdict(&at(&[37, 41], Player::FIRST)), None, "{name}");
    }
    assert!(found >= 4, "{found}");
}

/// A start that play from the file's own start never meets is studied for itself.
#[test]
fn starts_off_the_way() {
    let ttt = bound(&program(&game("m_n_k")), "{}");
    let mut cells = vec![0; ttt.start.parts[0].len()];
    (cells[0], cells[1]) = (1, 1);
    let text = "game g() { state { left in 0..=40 = 40; gone in 0..=40 = 0; }
        move take(k in 1..=3) when k <= left { left -= k; gone = min(gone + k, 40); } }";
    let heap = bound(&program(text), "{}");
    let starts = [
        (&ttt, at(&vec![0; cells.len()], Player::SECOND)),
        (&ttt, at(&cells, Player::FIRST)),
        (&ttt, at(&cells, Player::SECOND)),
        (&heap, at(&[20, 33], Player::SECOND)),
    ];
    for (game, start) in starts {
        let interpreted = Options { engine: Engine::Interpreted, ..Options::default() };
        let slow = solve(game, &start, &interpreted, &mut Monitor::unlimited()).unwrap();
        let expected = slow.verdict(&start).and_then(|verdict| verdict.outcome());
        assert!(expected.is_some());
        let mut found = 0;
        for name in METHODS {
            let Some(solved) = solved_by(game, &start, name) else { continue };
            found += 1;
            assert_eq!(solved.verdict(&start).and_then(|verdict| verdict.outcome()), expected, "{name} {start:?}");
        }
        assert!(found >= 4, "{found} {start:?}");
    }
}

/// A cell that counts moves tells whose turn it is, unless it is asked who wins whoever starts.
#[test]
fn both_starts_of_a_game_that_counts_its_moves() {
    for step in ["t = 1 - t;", "t = 1 - t; u = t;", ""] {
        let text = format!(
            "game g() {{ state {{ n in 0..=30 = 30; t in 0..=1 = 0; u in 0..=1 = 0; }}
             move first one when n > 0 {{ n -= 1; {step} }}
             move first two when n > 1 and t == 0 {{ n -= 2; {step} }}
             move second four when n > 3 {{ n -= 4; {step} }}
             move second five when n > 4 and t == 1 {{ n -= 5; {step} }} }}"
        );
        let game = bound(&program(&text), "{}");
        let interpreted = Options { engine: Engine::Interpreted, ..Options::default() };
        let expected = answer_with(&game, &interpreted).unwrap();
        for name in ["fill", "search", "hash", "induction"] {
            let options = Options { engine: Engine::Compiled, ..by(name) };
            match answer_with(&game, &options) {
                Ok(found) => {
                    assert_eq!(
                        (found.outcome, found.outcome_class),
                        (expected.outcome, expected.outcome_class),
                        "{name}"
                    );
                }
                Err(SolveError::NotApplicable(_)) => {}
                Err(error) => panic!("{name}: {error}\n{text}"),
            }
        }
    }
}

/// A cycle is shown with its moves, whether codes record the turn or not, and where one position stands for several.
#[test]
fn cycles_are_shown_with_their_moves() {
    let round = "game g(m: int = 50) { state { a in 0..m = 0; b in 0..m = 0; }
        end when b == 7 => lose;
        move one { a = (a + 1) % m; } move seven { a = (a + 7) % m; }
        move jump when a * a % m == 1 and b == 0 { b = a; } }";
    let turns = "game g(m: int = 50) { state { a in 0..m = 0; b in 0..m = 0; }
        end when b == 7 => lose;
        move first one { a = (a + 1) % m; } move second seven { a = (a + 7) % m; }
        move jump when a * a % m == 1 and b == 0 { b = a; } }";
    let alike = "game g(m: int = 12) { state { h in [0..=m; 4] = [m; 4]; }
        move down(i in 0..4) when h[i] > 0 { h[i] -= 1; }
        move up(i in 0..4) when h[i] == 3 { h[i] = 4; }
        symmetry h by [1, 0, 2, 3]; symmetry h by [0, 2, 1, 3]; symmetry h by [0, 1, 3, 2]; }";
    let mut shown = 0;
    for text in [round, turns, alike] {
        let game = bound(&program(text), "{}");
        for name in ["search", "hash", "induction"] {
            let options = Options { engine: Engine::Compiled, ..by(name) };
            let solved = solve(&game, &game.start, &options, &mut Monitor::unlimited());
            let Err(SolveError::NotApplicable(why)) = solved else { panic!("{name} solves a game that repeats") };
            assert!(why.contains("positions repeat") && !why.contains("—…→"), "{name}: {why}");
            shown += usize::from(why.contains("→"));
        }
        let options = Options { engine: Engine::Compiled, ..Options::default() };
        let solved = solve(&game, &game.start, &options, &mut Monitor::unlimited()).unwrap();
        for (_, reason) in solved.plan.given_up() {
            assert!(!matches!(reason, Reason::Cycle(shown) if shown.contains("—…→")), "{reason}");
        }
    }
    assert!(shown >= 6, "{shown}");
}

/// A partizan game that repeats has no outcome class, and says why.
#[test]
fn a_partizan_game_that_repeats_says_why_it_has_no_class() {
    let text = "game lp() { state { a in 0..4 = 0; b in 0..=3 = 3; }
        move first go { a = (a + 1) % 4; } move first stop when b > 0 { b -= 1; } move second back { a = (a + 3) % 4; } }";
    let game = bound(&program(text), "{}");
    let compiled = Options { engine: Engine::Compiled, ..Options::default() };
    let interpreted = Options { engine: Engine::Interpreted, ..Options::default() };
    for options in [Options::default(), compiled, interpreted, by("retrograde")] {
        let found = answer_with(&game, &options).unwrap();
        assert_eq!(found.outcome_class, None, "{options:?}");
        assert!(found.outcome_class_missing.is_some_and(|why| why.contains("repeat")), "{options:?}");
    }
}

/// Nothing is said to be asked for that nobody asked for.
#[test]
fn what_was_asked_for_is_said_only_then() {
    for (name, text) in gallery() {
        let program = program(&text);
        let Ok(bound) = rules::bind::bind(&program, &rules::instance::Instance::default()) else { continue };
        let plan = solve::chooser::plan(&bound, &bound.start, &Options::default(), &mut Monitor::unlimited());
        let plan = plan.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!plan.why().contains("--method"), "{name}: {}", plan.why());
        let asked = Options { method: Some(plan.method()), ..Options::default() };
        let plan = solve::chooser::plan(&bound, &bound.start, &asked, &mut Monitor::unlimited());
        let plan = plan.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(plan.why(), "asked for", "{name}");
    }
}

/// A total that does not fit is told wherever the rules are compiled; a doubt of code is not taken for one.
#[test]
fn a_total_that_does_not_fit_is_told() {
    let text = testkit::doubts::files()[2].replace("gain at;", "gain huge;");
    let game = bound(&program(&text), "{}");
    let interpreted = Options { engine: Engine::Interpreted, check_total: false, ..Options::default() };
    let expected = answer_with(&game, &interpreted).map(|solution| solution.outcome);
    for name in ["search", "hash", "induction"] {
        let options = Options { engine: Engine::Compiled, check_total: false, ..by(name) };
        let found = answer_with(&game, &options).map(|solution| solution.outcome);
        assert_eq!(found.is_err(), expected.is_err(), "{name}: {found:?}");
        if let Err(error) = found {
            assert!(error.to_string().contains("overflow"), "{name}: {error}");
        }
    }
    // The other way round: gains are small, and code is in doubt.
    let small = solved(&testkit::doubts::files()[2], "{}");
    assert!(small.value.is_some());
}

/// Of more best moves than are kept, the first in the order of the rules are.
#[test]
fn the_first_of_many_best_moves() {
    let text = "game rows(m: int = 700) { let items = [[0, 0] for k in 0..m];
        sum of row(k in 0..=m, i in 0..=2, j in 0..=2) from [[k, 0, 2] for k in 0..m];
        move right when i < j { gain items[k][j - 1]; j -= 1; }
        move left when i < j and k > 0 { gain items[k][i]; i += 1; } }";
    let game = bound(&program(text), "{}");
    let solved = solve(&game, &game.start, &Options::default(), &mut Monitor::unlimited()).unwrap();
    assert_eq!(solved.plan.method().name(), "row");
    let all = solved.moves(&game.start).unwrap();
    assert_eq!(all.len(), 1399);
    for most in [1, 2, 999, 1000, 1399] {
        let best = solved.best_moves(&game.start, most).unwrap();
        let expected: Vec<&str> = all.iter().take(most).map(|rated| &*rated.play.label).collect();
        assert_eq!(labels(&best.best), expected, "{most}");
    }
}
