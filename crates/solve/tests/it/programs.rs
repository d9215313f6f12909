//! Random rules files against the interpreter: thousands of small games with every construct of the language, each solved
//! and compared position by position with plain recursion. Files whose rules go wrong must go wrong in both.

use crate::common;
use crate::common::check::{Agreed, check};
use crate::common::prelude::FIRST;
use crate::common::{bound, program, with_room};
use testkit::Random;
use testkit::writer::{Style, Writer};

/// How many positions a game may have.
const MOST_POSITIONS: usize = 2500;

#[derive(Debug, Default)]
struct Tally {
    tiny: usize,
    solved: usize,
    positions: usize,
    faults: usize,
    refused: usize,
    large: usize,
}

fn files_agree(seed: u64, count: usize, style: impl Fn(&mut Random) -> Style) -> Tally {
    written_files_agree(seed, count, style, |random, style| Writer::new(random, style).file())
}

/// Writes and compares so many files.
fn written_files_agree(
    seed: u64,
    count: usize,
    style: impl Fn(&mut Random) -> Style,
    write: fn(&mut Random, Style) -> String,
) -> Tally {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    for _ in 0..count {
        let style = style(&mut random);
        let text = write(&mut random, style);
        let most = if style.sum { MOST_POSITIONS / 5 } else { MOST_POSITIONS };
        match check(&bound(&program(&text), "{}"), most) {
            Ok(Agreed::Solved(positions)) if positions < 5 => tally.tiny += 1,
            Ok(Agreed::Solved(positions)) => {
                tally.solved += 1;
                tally.positions += positions;
            }
            Ok(Agreed::Fault) => tally.faults += 1,
            Ok(Agreed::Refused) => tally.refused += 1,
            Ok(Agreed::TooMany) => tally.large += 1,
            Err(difference) => panic!("{difference}\n{text}"),
        }
    }
    tally
}

#[test]
fn games_that_are_won() {
    with_room(|| {
        let style = Style::won;
        let tally = files_agree(41, 3000, style);
        assert!(tally.solved > 1000, "{tally:?}");
    });
}

#[test]
fn games_that_are_counted() {
    with_room(|| {
        let style = |random: &mut Random| Style::counted(random, 3);
        let tally = files_agree(42, 3000, style);
        assert!(tally.solved > 1200 && tally.refused > 100, "{tally:?}");
    });
}

#[test]
fn games_that_may_go_wrong() {
    with_room(|| {
        let style = Style::risky;
        let tally = files_agree(43, 3000, style);
        assert!(tally.faults > 300 && tally.solved > 500, "{tally:?}");
    });
}

#[test]
fn sums_of_parts() {
    with_room(|| {
        let style = |random: &mut Random| Style {
            players: if random.one_in(5) { 3 } else { 2 },
            counted: random.one_in(2),
            results_only: random.one_in(3),
            mover: random.one_in(2),
            counter: true,
            risky: random.one_in(5),
            sum: true,
        };
        let tally = files_agree(44, 1200, style);
        assert!(tally.solved > 500, "{tally:?}");
    });
}

/// Several `stuck` rules, `let`s in heads, `sign`, sets that leave their domain for a moment.
#[test]
fn what_board_games_need() {
    with_room(|| {
        let write = |random: &mut Random, style: Style| Writer::boards(random, style).file();
        let mut all = [45, 46, 47].map(|seed| match seed {
            45 => written_files_agree(seed, 500, Style::won, write),
            46 => written_files_agree(seed, 400, |random| Style::counted(random, 3), write),
            _ => written_files_agree(seed, 400, Style::risky, write),
        });
        let sums = |random: &mut Random| Style { sum: true, counter: true, risky: false, ..Style::risky(random) };
        assert!(written_files_agree(48, 200, sums, write).solved > 80);
        let solved: usize = all.iter_mut().map(|tally| tally.solved).sum();
        assert!(solved > 400, "{all:?}");
    });
}

/// The result `score mover` depends on who moves; the planner once took it for relative, like `winner mover`.
#[test]
fn a_score_that_reads_the_mover_is_not_impartial() {
    let rules = "state { n in 0..=2 = 1; } move step when n > 0 { n -= 1; }";
    for (result, value) in [("stuck => score mover;", -1), ("end when n == 0 => score 5 * opponent - 2;", 2)] {
        let text = format!("game late() {{ {rules} {result} }}");
        assert_eq!(common::solved(&text, "{}").value, Some(value), "{text}");
        assert_eq!(check(&bound(&program(&text), "{}"), 100), Ok(Agreed::Solved(2)));
    }
}

/// Two rules of one name make two moves of one label; the replay of the line once took the wrong one.
#[test]
fn two_rules_of_one_name_are_refused_or_solved() {
    let text = "game twins() {
        state { n in 0..=2 = 2; }
        move step when n > 1 { n = 1; }
        move step when n > 0 { n = 0; }
    }";
    if rules::compile(text).is_ok() {
        let solution = common::solved(text, "{}");
        assert_eq!((solution.winner, solution.nimber), (Some(FIRST), Some(2)));
    }
}

/// Heaps, rows and games that go forward, whose `stuck` rules have conditions: what recognises them must see these too.
#[test]
fn stuck_rules_of_recognised_games() {
    let heap = "state { h in 0..=14 = 14; } move take(k in 2..=4) when k <= h { h -= k; }";
    let piles = "sum of pile(h in 0..=6) from [5, 3, 6]; move take(k in 2..=3) when k <= h { h -= k; }";
    let row = "let coins = [3, 1, 4, 1, 5]; state { i in 0..=5 = 0; j in 0..=5 = 5; }
        move left when i + 1 < j { gain coins[i]; i += 1; } move right when i + 1 < j { gain coins[j - 1]; j -= 1; }";
    let ahead = "let worth = [1, -2, 3, -4, 5, 2]; state { at in 0..=6 = 0; }
        move go(k in 1..=3) when at + k <= 5 { gain sum(worth[at..at + k]); at += k; }";
    let games = [
        (heap, "stuck when h == 1 => win;"),
        (heap, "stuck when h % 2 == 0 => lose;"),
        (heap, "stuck when h == 0 => win; stuck => win;"),
        (heap, "stuck when h == 0 => win; stuck => draw;"),
        (heap, "stuck when h > 0 => winner opponent; stuck when h == 0 => draw;"),
        (heap, "stuck when mover == first => win;"),
        (heap, "stuck when 6 / h == 6 => win;"),
        (piles, "stuck when true => win;"),
        (piles, "stuck when mover == first => win; stuck => draw;"),
        (piles, "stuck when 1 == 2 => win;"),
        (row, "stuck when coins[i] > 2 => score coins[i];"),
        (row, "stuck when i == 4 => score 7; stuck => score -1;"),
        (row, "stuck when mover == second => payoffs [i, j];"),
        (ahead, "stuck when at == 5 => score worth[5];"),
        (ahead, "stuck when at == 4 => score 9; stuck when at == 3 => score 1;"),
    ];
    for (rules, stuck) in games {
        let text = format!("game g() {{ {rules} {stuck} }}");
        check(&bound(&program(&text), "{}"), 5000).unwrap_or_else(|difference| panic!("{difference}\n{text}"));
    }
}
