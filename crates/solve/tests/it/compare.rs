//! Greedy play against perfect play, whole lines and triangles of intervals, compared with plain programs that know the
//! games and share nothing with the solver.

use std::collections::HashMap;
use std::sync::Arc;

use engine::monitor::Monitor;
use game::Player;
use rules::bind::{Bound, bind};
use rules::instance::parse_instance;
use solve::answer::line;
use solve::answer::line::Stop;
use solve::compare::{Match, compare};
use solve::options::{MethodName, Options};
use solve::picture::{self, Cell};
use solve::solved::solve;
use testkit::Random;

use crate::common::prelude::method;

const COINS: &str = include_str!("../../../../games/coins.game");
const LAST_BONUS: &str = include_str!("../../../../games/coins_last_bonus.game");
const ROWS_AND_STACKS: &str = include_str!("../../../../games/rows_and_stacks.game");
const STONE_GAME_3: &str = include_str!("../../../../games/stone_game_3.game");
const STONE_GAME_5: &str = include_str!("../../../../games/stone_game_5.game");
const STONE_GAME_7: &str = include_str!("../../../../games/stone_game_7.game");
const TIC_TAC_TOE: &str = include_str!("../../../../games/tic_tac_toe.game");
const CENTIPEDE: &str = include_str!("../../../../games/centipede.game");

fn bound(source: &str, instance: &str) -> Bound {
    let program = Arc::new(rules::compile(source).unwrap());
    bind(&program, &parse_instance(instance).unwrap()).unwrap()
}

/// A list of any length up to `longest`.
fn row(random: &mut Random, longest: usize, low: i64, high: i64) -> Vec<i64> {
    let length = random.below(longest + 1);
    random.list(length, low, high)
}

/// Lists of which something is left.
type Left = Vec<Vec<i64>>;

/// The moves of a game in the order of its rules: what each gains, and what it leaves. The players take turns.
type Moves = fn(&Left) -> Vec<(i64, Left)>;

fn coins(left: &Left) -> Vec<(i64, Left)> {
    lists(left, 1)
}

/// Rows first, of which there are so many, then stacks.
fn lists(left: &Left, rows: usize) -> Vec<(i64, Left)> {
    let mut moves = Vec::new();
    for (index, list) in left.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
        if index < rows {
            let mut after = left.clone();
            moves.push((after[index].remove(0), after));
        }
        let mut after = left.clone();
        let gain = after[index].pop().unwrap_or(0);
        assert_eq!(gain, list[list.len() - 1]);
        moves.push((gain, after));
    }
    moves
}

fn stone_game_7(left: &Left) -> Vec<(i64, Left)> {
    coins(left).into_iter().map(|(_, after)| (after[0].iter().sum(), after)).collect()
}

fn stone_game_3(left: &Left) -> Vec<(i64, Left)> {
    let row = &left[0];
    (1..=row.len().min(3)).map(|k| (row[..k].iter().sum(), vec![row[k..].to_vec()])).collect()
}

fn last_bonus(left: &Left) -> Vec<(i64, Left)> {
    let bonus = if left[0].len() == 1 { 10 } else { 0 };
    coins(left).into_iter().map(|(gain, after)| (gain + bonus, after)).collect()
}

/// What the player to move gets more than the other.
fn value(options: &dyn Fn(&Left) -> Vec<(i64, Left)>, left: &Left, known: &mut HashMap<Left, i64>) -> i64 {
    if let Some(value) = known.get(left) {
        return *value;
    }
    let value = options(left).into_iter().map(|(gain, after)| gain - value(options, &after, known)).max().unwrap_or(0);
    known.insert(left.clone(), value);
    value
}

/// Scores, moves, mistakes, their cost, the first mistake.
type Played = ([i64; 2], u64, u64, i64, Option<Slip>);
/// The number of the move, what it gains, what the best one gains, the cost.
type Slip = (u64, i64, i64, i64);

/// Plays a match; `greedy[p]` says whether player p is greedy.
fn simulate(options: &dyn Fn(&Left) -> Vec<(i64, Left)>, start: &Left, greedy: [bool; 2]) -> Played {
    let (mut left, mut known, mut mover) = (start.clone(), HashMap::new(), 0);
    let (mut scores, mut moves, mut mistakes, mut cost, mut first) = ([0, 0], 0, 0, 0, None);
    loop {
        let all = options(&left);
        if all.is_empty() {
            return (scores, moves, mistakes, cost, first);
        }
        moves += 1;
        let worths: Vec<i64> = all.iter().map(|(gain, after)| gain - value(options, after, &mut known)).collect();
        let first_of = |numbers: Vec<i64>| {
            let most = numbers.iter().max().copied().unwrap_or(0);
            numbers.iter().position(|number| *number == most).unwrap_or(0)
        };
        let best = first_of(worths.clone());
        let mut chosen = best;
        if greedy[mover] {
            chosen = first_of(all.iter().map(|(gain, _)| *gain).collect());
            let lost = worths[best] - worths[chosen];
            if lost > 0 {
                mistakes += 1;
                cost += lost;
                first = first.or(Some((moves, all[chosen].0, all[best].0, lost)));
            }
        }
        scores[mover] += all[chosen].0;
        left = all[chosen].1.clone();
        mover = 1 - mover;
    }
}

fn check_match(found: &Match, expected: Played, told: &str) {
    let first = found.first_mistake.as_ref().map(|m| (m.number, m.gain, m.best_gain, m.cost));
    let found_all = (found.scores, found.moves, found.mistakes, found.cost, first);
    assert_eq!(found_all, expected, "{told}");
    assert_eq!(found.value, Some(expected.0[0] - expected.0[1]), "{told}");
    assert!(!found.cut);
}

/// Greedy play and the whole line of one instance, solved by every method that is named.
fn check(
    source: &str,
    instance: &str,
    start: &Left,
    options: &dyn Fn(&Left) -> Vec<(i64, Left)>,
    methods: &[Option<MethodName>],
) {
    let bound = bound(source, instance);
    for method in methods {
        let told = format!("{instance} by {method:?}");
        let mut monitor = Monitor::unlimited();
        let chosen = Options { method: *method, ..Options::default() };
        let solved = solve(&bound, &bound.start, &chosen, &mut monitor).unwrap();
        let greedy = compare(&solved, &mut monitor).unwrap().greedy;
        check_match(&greedy.first, simulate(options, start, [true, false]), &told);
        check_match(&greedy.second, simulate(options, start, [false, true]), &told);
        let (scores, moves, ..) = simulate(options, start, [true, true]);
        let itself = greedy.itself.unwrap();
        assert_eq!((itself.scores, itself.moves), (scores, moves), "{told}");

        let mut numbers = 0;
        let line = line::whole(&solved, &mut monitor, &mut |moved| {
            numbers += 1;
            assert_eq!((moved.number, moved.mover), (numbers, Player(1 - (numbers % 2) as u8)));
            Ok(true)
        });
        let line = line.unwrap();
        let perfect = value(options, start, &mut HashMap::new());
        assert_eq!((line.stop, line.totals[0] - line.totals[1]), (Stop::Over, i128::from(perfect)), "{told}");
        assert_eq!(line.moves, numbers);
    }
}

#[test]
fn greedy_play_and_whole_lines_in_rows() {
    let mut random = Random::new(1);
    for round in 0..500 {
        let row = row(&mut random, 8, if round % 2 == 0 { 0 } else { -4 }, 9);
        let instance = format!("{{\"coins\": {row:?}}}");
        let methods = [None, Some(method("induction")), Some(method("row"))];
        // Where there are no moves there is no row.
        let methods = if row.is_empty() { &methods[..2] } else { &methods };
        check(COINS, &instance, &vec![row], &coins, methods);
    }
}

#[test]
fn greedy_play_where_the_last_item_has_a_bonus() {
    let mut random = Random::new(2);
    for _ in 0..300 {
        let row = row(&mut random, 7, 0, 9);
        let instance = format!("{{\"coins\": {row:?}, \"bonus\": 10}}");
        check(LAST_BONUS, &instance, &vec![row], &last_bonus, &[None, Some(method("induction"))]);
    }
}

#[test]
fn greedy_play_in_rows_and_stacks() {
    let mut random = Random::new(3);
    for _ in 0..400 {
        let rows: Left = (0..random.below(3)).map(|_| row(&mut random, 3, 0, 9)).collect();
        let stacks: Left = (0..random.below(3)).map(|_| row(&mut random, 3, -2, 9)).collect();
        let instance = format!("{{\"rows\": {rows:?}, \"stacks\": {stacks:?}}}");
        let (count, start) = (rows.len(), [rows, stacks].concat());
        if start.iter().any(|list| !list.is_empty()) {
            check(ROWS_AND_STACKS, &instance, &start, &|left| lists(left, count), &[None, Some(method("row"))]);
        }
    }
}

#[test]
fn greedy_play_in_other_counted_games() {
    let mut random = Random::new(4);
    let games: [(&str, &str, Moves); 2] =
        [(STONE_GAME_7, "stones", stone_game_7), (STONE_GAME_3, "values", stone_game_3)];
    for _ in 0..300 {
        for (source, name, options) in games {
            let row = row(&mut random, 8, if name == "stones" { 1 } else { -5 }, 9);
            check(
                source,
                &format!("{{\"{name}\": {row:?}}}"),
                &vec![row],
                &options,
                &[None, Some(method("induction"))],
            );
        }
    }
}

#[test]
fn own_totals_that_add_up_are_compared_too() {
    let own = "game own(coins: [int]) {
        objective own;
        let n = len(coins);
        state { i in 0..=n = 0; j in 0..=n = n; }
        move left when i < j { gain coins[i]; i += 1; } move right when i < j { gain coins[j - 1]; j -= 1; }
    }";
    let mut random = Random::new(5);
    for _ in 0..60 {
        let row = row(&mut random, 8, 0, 9);
        check(own, &format!("{{\"coins\": {row:?}}}"), &vec![row], &coins, &[None]);
    }
}

#[test]
fn games_without_greed_say_why() {
    let why = |source: &str| {
        let bound = bound(source, "{}");
        let mut monitor = Monitor::unlimited();
        let solved = solve(&bound, &bound.start, &Options::default(), &mut monitor).unwrap();
        compare(&solved, &mut monitor).unwrap_err().to_string()
    };
    assert!(why(TIC_TAC_TOE).contains("nothing is gained"));
    assert!(why(CENTIPEDE).contains("own total"));
}

/// Ways to write one row, of which moves take one item.
const SPELLINGS: &[&str] = &[
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; i += 1; } move right when i < j { gain a[j - 1]; j -= 1; }",
    "state { j in -1..n = n - 1; i in 0..=n = 0; }
     move left when i <= j { gain a[i]; i += 1; } move right when i <= j { gain a[j]; j -= 1; }",
    "state { l in 0..=n = 0; r in 0..=n = 0; }
     move left when l + r < n { gain a[l]; l += 1; } move right when l + r < n { gain a[n - 1 - r]; r += 1; }",
    "state { at in 0..=n = 0; rest in 0..=n = n; }
     move left when rest > 0 { gain a[at]; at += 1; rest -= 1; }
     move right when rest > 0 { rest -= 1; gain a[at + rest]; }",
    "state { rest in 0..=n = n; end in 0..=n = n; }
     move left when rest > 0 { gain a[end - rest]; rest -= 1; }
     move right when rest > 0 { rest -= 1; end -= 1; gain a[end]; }",
    "state { rest in 0..=n = n; gone in 0..=n = 0; }
     move left when rest > 0 { gain a[n - gone - rest]; rest -= 1; }
     move right when rest > 0 { rest -= 1; gone += 1; gain a[n - gone]; }",
    "state { t in 0..=n = 0; i in 0..=2 * n = 0; j in 0..=2 * n = 2 * n; }
     move left when i < j { gain a[i / 2]; i += 2; t += 1; } move right when i < j { gain a[j / 2 - 1]; j -= 2; t += 1; }",
];

#[test]
fn the_triangle_is_right_in_every_spelling() {
    let mut random = Random::new(6);
    for round in 0..60 {
        let row: Vec<i64> = [row(&mut random, 7, -3, 9), vec![random.below(9), 4]].concat();
        let instance = format!("{{\"a\": {row:?}}}");
        for spelling in SPELLINGS {
            let source = format!("game row(a: [int]) {{ let n = len(a); {spelling} }}");
            check_triangle(&bound(&source, &instance), &row, &coins);
        }
        let stones: Vec<i64> = row.iter().map(|item| item.abs()).collect();
        check_triangle(&bound(STONE_GAME_7, &format!("{{\"stones\": {stones:?}}}")), &stones, &stone_game_7);
        if round == 0 {
            let one = vec![random.below(9)];
            check_triangle(&bound(COINS, &format!("{{\"coins\": {one:?}}}")), &one, &coins);
        }
    }
}

fn check_triangle(bound: &Bound, row: &[i64], options: &dyn Fn(&Left) -> Vec<(i64, Left)>) {
    let mut monitor = Monitor::unlimited();
    let intervals = picture::recognise(bound, &bound.start, &mut monitor).unwrap();
    let solved = solve(bound, &bound.start, &Options::default(), &mut monitor).unwrap();
    let triangle = intervals.triangle(&solved, &mut monitor).unwrap();
    let items = row.len();
    assert_eq!((triangle.items as usize, triangle.labels.as_deref()), (items, Some(row)));
    assert_eq!(triangle.cells.len(), (items + 1) * (items + 2) / 2);
    let mut known = HashMap::new();
    for cell in &triangle.cells {
        let (left, right) = (cell.left as usize, items - cell.right as usize);
        let rest = vec![row[left..right].to_vec()];
        let best = value(options, &rest, &mut known);
        let keeps: Vec<bool> =
            options(&rest).into_iter().map(|(gain, after)| gain - value(options, &after, &mut known) == best).collect();
        let expected = Cell {
            value: best,
            best_left: keeps.first().copied().unwrap_or(false),
            best_right: keeps.get(1).copied().unwrap_or(false),
            ..*cell
        };
        assert_eq!(*cell, expected, "{row:?}");
    }
    let line: Vec<u32> = triangle.line.iter().map(|point| point.left + point.right).collect();
    assert_eq!(line, (0..=items as u32).collect::<Vec<_>>());
    assert_eq!(triangle.line[0].mover, Some(Player::FIRST));
    assert_eq!(triangle.line[items].mover, None);
}

#[test]
fn moves_may_take_more_than_one_item() {
    let bound = bound(STONE_GAME_5, "{}");
    let mut monitor = Monitor::unlimited();
    let intervals = picture::recognise(&bound, &bound.start, &mut monitor).unwrap();
    let solved = solve(&bound, &bound.start, &Options::default(), &mut monitor).unwrap();
    let triangle = intervals.triangle(&solved, &mut monitor).unwrap();
    assert_eq!((triangle.items, triangle.cells.len()), (6, 10));
    assert_eq!((triangle.cells[0].value, triangle.cells[0].best_left, triangle.cells[0].best_right), (18, false, true));
}

#[test]
fn what_is_no_interval_game_is_refused() {
    let why = |source: &str, instance: &str| {
        let bound = bound(source, instance);
        picture::recognise(&bound, &bound.start, &mut Monitor::unlimited()).unwrap_err().to_string()
    };
    assert!(why(TIC_TAC_TOE, "{}").contains("not counted"));
    assert!(why(STONE_GAME_3, "{}").contains("no two indices"));
    assert!(why(ROWS_AND_STACKS, "{}").contains("several parts"));
    assert!(why(COINS, &format!("{{\"coins\": {:?}}}", vec![1; 301])).contains("at most 300"));
    assert!(why(COINS, &format!("{{\"coins\": {:?}}}", vec![1; 5000])).contains("more than 300"));
    // Both ends at once, an index that comes back, a third thing to know.
    let shape = |moves: &str| {
        format!("game shape(n: int = 5) {{ state {{ i in 0..=n = 0; j in 0..=n = n; k in 0..=n = 0; }} {moves} }}")
    };
    let refused = [
        "move both when i + 1 < j { gain 1; i += 1; j -= 1; } move left when i < j { gain 2; i += 1; }",
        "move up when i < j { gain 1; i += 1; } move down when j > i and j > 2 { gain 1; j -= 1; i = 0; }",
        "move left when i < j { gain 1; i += 1; } move right when i < j { gain 1; j -= 1; k = i; }",
    ];
    for moves in refused {
        assert!(why(&shape(moves), "{}").contains("no two indices"), "{moves}");
    }
    let over = shape("move left when i > j { gain 1; i += 1; }");
    assert!(why(&over, "{}").contains("over at its start"));
}
