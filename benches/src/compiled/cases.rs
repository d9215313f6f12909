//! The games that are measured, with their instances and the C++ each is measured against.

use perfectplay::gallery;
use perfectplay::language::{Given, Instance};

use crate::ours::Ask;
use crate::random::Random;

/// Four heaps as four variables.
const FOUR_HEAPS: &str = include_str!("../../games/four_heaps.game");
/// Any number of heaps in an array.
const HEAP_LIST: &str = include_str!("../../games/heap_list.game");

/// One line of the table: what is asked of us, and which C++ stands beside it.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// What we find.
    pub ask: Ask,
    /// The variant of the C++ program.
    pub variant: &'static str,
    /// How many times faster than that C++ we must be, where the project has said so.
    pub needed: Option<f64>,
}

/// A game with an instance.
pub struct Case {
    /// The instance in words.
    pub what: String,
    /// The rules file.
    pub rules: &'static str,
    /// The instance for us.
    pub instance: Instance,
    /// The same for C++: plain numbers.
    pub numbers: String,
}

/// How large the instances are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Seconds for everything, even with the interpreter.
    Small,
    /// What the project is judged by.
    Full,
}

/// A case before its instance is made; large instances live only while they are measured.
pub struct Entry {
    /// What the filter looks at.
    pub name: &'static str,
    /// The C++ program.
    pub program: &'static str,
    /// What is compared.
    pub lines: Vec<Line>,
    /// How often a side solves it in one round; the best counts.
    pub repeats: u32,
    /// How many rounds, at most.
    pub rounds: u32,
    /// Takes minutes and is left out unless it is asked for.
    pub huge: bool,
    /// Makes the instance.
    pub build: fn(Size) -> Case,
}

fn line(ask: Ask, variant: &'static str) -> Line {
    Line { ask, variant, needed: None }
}

fn needed(ask: Ask, variant: &'static str, ratio: f64) -> Line {
    Line { ask, variant, needed: Some(ratio) }
}

/// Lines of a game that is won and lost: the yardstick, the same with remoteness on our side, with remoteness on both.
fn won_and_lost(yardstick: &'static str, ratio: Option<f64>, others: &[&'static str]) -> Vec<Line> {
    let mut lines = vec![
        Line { ask: Ask::Outcome, variant: yardstick, needed: ratio },
        line(Ask::Remoteness, yardstick),
        line(Ask::Remoteness, "remoteness"),
    ];
    lines.extend(others.iter().map(|other| line(Ask::Outcome, other)));
    lines
}

fn entry(name: &'static str, program: &'static str, lines: Vec<Line>, build: fn(Size) -> Case) -> Entry {
    Entry { name, program, lines, repeats: 3, rounds: u32::MAX, huge: false, build }
}

/// All of them, in the order of the table.
pub fn all() -> Vec<Entry> {
    let score = |yardstick, ratio, others: &[&'static str]| {
        let mut lines = vec![needed(Ask::Score, yardstick, ratio)];
        lines.extend(others.iter().map(|other| line(Ask::Score, other)));
        lines
    };
    let hashed = || vec![needed(Ask::Hashed, "unordered", 4.0), line(Ask::Hashed, "open")];
    vec![
        entry("stones-short", "stones", won_and_lost("pull", Some(3.0), &["push"]), |size| stones(size, 1, 100)),
        entry("stones-long", "stones", won_and_lost("pull", Some(4.0), &["push"]), |size| stones(size, 16, 1000)),
        entry("stone-game-2", "stone_game_2", score("table", 2.0, &["transposed"]), stone_game_2),
        entry("m-n-k", "m_n_k", won_and_lost("all", Some(3.0), &["counted"]), m_n_k),
        entry("four-heaps", "four_heaps", won_and_lost("pull", Some(2.0), &["push", "rows"]), four_heaps),
        entry("heap-list", "four_heaps", vec![line(Ask::Outcome, "pull")], heap_list),
        entry("coins", "coins", score("table", 1.0, &["rolling", "length"]), coins),
        entry("can-i-win", "can_i_win", won_and_lost("table", Some(1.5), &["search"]), can_i_win),
        Entry {
            repeats: 200,
            ..entry("cat-and-mouse", "cat_and_mouse", won_and_lost("queue", Some(1.0), &[]), |size| {
                cat_and_mouse(size, 8)
            })
        },
        Entry {
            repeats: 200,
            ..entry("cat-drawn", "cat_and_mouse", won_and_lost("queue", None, &[]), |size| cat_and_mouse(size, 4))
        },
        entry("token-mixed", "digraph_token", won_and_lost("queue", Some(1.0), &[]), token_mixed),
        entry("token-decided", "digraph_token", won_and_lost("queue", None, &[]), token_decided),
        entry("token-drawn", "digraph_token", won_and_lost("queue", None, &[]), token_drawn),
        Entry { repeats: 1, rounds: 3, ..entry("hashed-6", "hashed", hashed(), |size| hashed_heaps(size, 31)) },
        Entry { repeats: 1, rounds: 2, ..entry("hashed-7", "hashed", hashed(), |size| hashed_heaps(size, 55)) },
        Entry { repeats: 1, rounds: 3, ..entry("uneven-6", "hashed", hashed(), |size| uneven_heaps(size, 31)) },
        Entry { repeats: 1, rounds: 2, ..entry("uneven-7", "hashed", hashed(), |size| uneven_heaps(size, 55)) },
        Entry {
            repeats: 1,
            rounds: 1,
            huge: true,
            ..entry("hashed-8", "hashed", hashed(), |size| hashed_heaps(size, 99))
        },
    ]
}

fn text(numbers: &[i64]) -> String {
    let words: Vec<String> = numbers.iter().map(i64::to_string).collect();
    words.join(" ")
}

/// A list with its length before it.
fn counted(list: &[i64]) -> String {
    format!("{} {}\n", list.len(), text(list))
}

fn int(name: &str, value: i64) -> (String, Given) {
    (name.to_string(), Given::Int(value))
}

fn ints(name: &str, values: Vec<i64>) -> (String, Given) {
    (name.to_string(), Given::Ints(values))
}

fn rules(name: &str) -> &'static str {
    gallery::find(name).expect("the gallery has it")
}

fn stones(size: Size, low: i64, high: i64) -> Case {
    let n = if size == Size::Small { 20_000 } else { 10_000_000 };
    let moves = Random::new(1).distinct(20, low, high);
    Case {
        what: format!("n = {n}, 20 moves {low}..{high}"),
        rules: rules("stones"),
        numbers: format!("{n} {}", counted(&moves)),
        instance: Instance(vec![int("n", n), ints("moves", moves)]),
    }
}

fn stone_game_2(size: Size) -> Case {
    let n = if size == Size::Small { 80 } else { 1000 };
    let piles = Random::new(2).list(n, 1, 1000);
    Case {
        what: format!("n = {n}"),
        rules: rules("stone_game_2"),
        numbers: counted(&piles),
        instance: Instance(vec![ints("piles", piles)]),
    }
}

fn m_n_k(size: Size) -> Case {
    let (rows, columns, k) = if size == Size::Small { (3, 3, 3) } else { (4, 4, 4) };
    Case {
        what: format!("{rows} x {columns}, {k} in a row"),
        rules: rules("m_n_k"),
        numbers: text(&[rows, columns, k]),
        instance: Instance(vec![int("rows", rows), int("columns", columns), int("k", k)]),
    }
}

fn four_heaps(size: Size) -> Case {
    heaps(if size == Size::Small { 12 } else { 99 })
}

fn hashed_heaps(size: Size, stones: i64) -> Case {
    heaps(if size == Size::Small { stones / 5 } else { stones })
}

/// Heaps of four sizes, none of which may stand for another: the search itself, without symmetry.
fn uneven_heaps(size: Size, stones: i64) -> Case {
    let stones = if size == Size::Small { stones / 5 } else { stones };
    heaps_of([stones, stones - 1, stones + 1, stones - 2])
}

fn heaps(stones: i64) -> Case {
    Case { what: format!("4 heaps of {stones}, take 1..3"), ..heaps_of([stones; 4]) }
}

fn heaps_of(stones: [i64; 4]) -> Case {
    let names = ["a", "b", "c", "d"];
    Case {
        what: format!("heaps of {}, take 1..3", stones.map(|stones| stones.to_string()).join(", ")),
        rules: FOUR_HEAPS,
        numbers: text(&stones),
        instance: Instance(names.into_iter().zip(stones).map(|(name, stones)| int(name, stones)).collect()),
    }
}

fn heap_list(size: Size) -> Case {
    let heaps = four_heaps(size);
    let stones = if size == Size::Small { 12 } else { 99 };
    let instance = Instance(vec![ints("heaps", vec![stones; 4])]);
    Case { what: format!("{}, array", heaps.what), rules: HEAP_LIST, instance, ..heaps }
}

fn coins(size: Size) -> Case {
    let n = if size == Size::Small { 200 } else { 8000 };
    let coins = Random::new(3).list(n, 0, 999);
    Case {
        what: format!("n = {n}, whole table"),
        rules: rules("coins"),
        numbers: counted(&coins),
        instance: Instance(vec![ints("coins", coins)]),
    }
}

fn can_i_win(size: Size) -> Case {
    let (most, desired) = if size == Size::Small { (12, 45) } else { (22, 150) };
    Case {
        what: format!("max {most}, total {desired}"),
        rules: rules("can_i_win"),
        numbers: text(&[most, desired]),
        instance: Instance(vec![int("most", most), int("desired", desired)]),
    }
}

fn cat_and_mouse(size: Size, degree: i64) -> Case {
    let vertices = if size == Size::Small { 15 } else { 50 };
    let graph = Random::new(4).graph(vertices, degree);
    let edges = graph.iter().map(Vec::len).sum::<usize>() / 2;
    Case {
        what: format!("{vertices} vertices, {edges} edges"),
        rules: rules("cat_and_mouse"),
        numbers: format!("{vertices}\n{}", graph.iter().map(|row| counted(row)).collect::<String>()),
        instance: Instance(vec![lists("graph", graph)]),
    }
}

fn lists(name: &str, rows: Vec<Vec<i64>>) -> (String, Given) {
    (name.to_string(), Given::List(rows.into_iter().map(Given::Ints).collect()))
}

fn nodes(size: Size) -> i64 {
    if size == Size::Small { 2_000 } else { 1_000_000 }
}

/// One node in forty has no arrow: some nodes are won, some lost, many drawn.
fn token_mixed(size: Size) -> Case {
    let degree = |random: &mut Random| if random.below(40) == 0 { 0 } else { 1 + random.below(20) };
    token(Random::new(5).digraph(nodes(size), degree), "1 in 40 ends")
}

/// One node in twenty-one has no arrow: nearly everything is won or lost.
fn token_decided(size: Size) -> Case {
    token(Random::new(6).digraph(nodes(size), |random| random.below(21)), "1 in 21 ends")
}

/// Both ends of each arrow anywhere: few nodes have none, nearly everything is drawn.
fn token_drawn(size: Size) -> Case {
    token(Random::new(7).arrows(nodes(size), 10 * nodes(size)), "few ends")
}

fn token(arrows: Vec<Vec<i64>>, kind: &str) -> Case {
    let (nodes, edges) = (arrows.len(), arrows.iter().map(Vec::len).sum::<usize>());
    let mut numbers = format!("{nodes} 0\n");
    for row in &arrows {
        numbers.push_str(&counted(row));
    }
    Case {
        what: format!("{nodes} nodes, {edges} arrows, {kind}"),
        rules: rules("digraph_token"),
        numbers,
        instance: Instance(vec![lists("arrows", arrows), int("start", 0)]),
    }
}
