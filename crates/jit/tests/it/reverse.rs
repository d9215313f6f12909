//! Retrograde analysis with moves undone by compiled code agrees with that on stored moves: over the gallery, generated rules
//! files, and random graphs with cycles.

use std::sync::Arc;

use engine::codes::{CodeTable, Codes, Kind, dense_retrograde};
use engine::memory::Memory;
use engine::monitor::Monitor;
use engine::retrograde::Forever;
use formula::{Coded, TurnPlace};
use jit::reverse::Analysis;
use jit::{Expander, Gains, Retrograde};
use rules::bind::{Bound, bind};
use rules::instance::Instance;
use testkit::Random;
use testkit::files::{gallery, instances, program};
use testkit::writer::{Style, Writer};

/// Games with more codes are left out.
const MOST_CODES: u64 = 20_000;

#[derive(Debug, Default)]
struct Tally {
    games: usize,
    undone: usize,
    solved: usize,
    cyclic: usize,
    drawn: usize,
    refused: std::collections::BTreeMap<String, usize>,
}

/// All codes, with the turn in every place.
fn coded(bound: &Bound) -> Vec<Coded> {
    let (Some(start), turn) = (bound.start.parts.first(), bound.starts.0) else { return Vec::new() };
    let Ok(formulas) = formula::specialise(bound) else { return Vec::new() };
    let mut found = Vec::new();
    for with_turn in [true, false] {
        if !with_turn && formulas.reads_mover {
            continue;
        }
        let study = formula::study(formulas.clone(), start, turn, with_turn);
        let places = [TurnPlace::First, TurnPlace::Last];
        let places = &places[..if with_turn { 2 } else { 1 }];
        found.extend(places.iter().filter_map(|place| study.coded(true, *place)));
        found.extend(study.skewed.as_ref().and_then(|skewed| skewed.coded(true, TurnPlace::First)));
    }
    found.retain(|coded| coded.numbering.size <= MOST_CODES);
    found
}

fn check(bound: &Bound, tally: &mut Tally) {
    if bound.players != 2 || bound.program.counted || bound.program.sum.is_some() {
        return;
    }
    for coded in coded(bound) {
        tally.games += 1;
        let root = coded.code(&bound.start.parts[0], bound.starts.0);
        let retrograde = match Retrograde::compile(&coded) {
            Ok(retrograde) => retrograde,
            Err(error) => {
                *tally.refused.entry(error.to_string()).or_default() += 1;
                continue;
            }
        };
        tally.undone += 1;
        let expander = Expander::compile(&coded, Gains::Outcome).unwrap();
        values(&coded, root, (&retrograde, &expander), tally);
    }
}

/// Retrograde analysis with moves turned round; `None` where there are declared draws, which need stored moves.
fn turned_round(code: &Retrograde) -> Option<CodeTable> {
    let memory = Memory::unlimited();
    let [cells, counters, queue, scratch] = code.needs().map(|count| memory.zeroed::<u32>(count).unwrap());
    let lease = cells.1;
    let mut analysis = Analysis::new(code, [cells.0, counters.0, queue.0, scratch.0]).unwrap();
    while analysis.prepare(1 << 10) {}
    if analysis.draws() > 0 {
        return None;
    }
    while analysis.carry(1 << 10) {}
    let (cells, positions) = analysis.finish();
    Some(CodeTable::of_outcomes(cells, positions, lease))
}

fn values(coded: &Coded, root: u64, (retrograde, expander): (&Retrograde, &Expander), tally: &mut Tally) {
    let found = turned_round(retrograde);
    let codes = [root];
    let codes = Codes::new(expander, &codes, Kind::Outcome { longest: None });
    let (size, monitor) = (coded.numbering.size, &mut Monitor::unlimited());
    let expected = dense_retrograde(&codes, size, Forever::Draw, None, monitor).unwrap();
    let Some(table) = found else {
        tally.drawn += 1;
        return;
    };
    tally.solved += 1;
    let mut endless = false;
    for code in expected.codes() {
        assert_eq!(table.get(code), expected.get(code), "code {code} of {:?}", coded.numbering);
        endless |= expected.outcome(code).is_some_and(|(_, moves)| moves.is_none());
    }
    assert!(table.positions() >= expected.positions());
    assert_eq!(table.positions(), table.codes().count() as u64);
    tally.cyclic += usize::from(endless);
}

#[test]
fn the_gallery() {
    let mut tally = Tally::default();
    for (_, text) in gallery() {
        let program = program(&text);
        let before = (tally.games, tally.undone);
        instances(&program, 1, 7).iter().for_each(|bound| check(bound, &mut tally));
        println!("{}: {} of {}", program.name, tally.undone - before.1, tally.games - before.0);
    }
    println!("{tally:?}");
    assert!(tally.undone > 100 && tally.solved > 50, "{tally:?}");
}

#[test]
fn generated_files() {
    let mut random = Random::new(77);
    let mut tally = Tally::default();
    for number in 0..200 {
        let style = Style {
            players: 2,
            counted: false,
            results_only: false,
            mover: random.one_in(2),
            counter: random.one_in(4),
            risky: false,
            sum: false,
        };
        let boards = number >= 150;
        let writer = if boards { Writer::boards } else { Writer::new };
        let text = writer(&mut random, style).file();
        let program = program(&text);
        if let Ok(bound) = bind(&program, &Instance::default()) {
            check(&bound, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.undone > 20, "{tally:?}");
}

fn graph(random: &mut Random, nodes: usize, most: usize) -> String {
    let mut row = |_| {
        let count = if random.one_in(3) { 0 } else { random.below(most + 1) };
        let items: Vec<String> = (0..count).map(|_| random.below(nodes).to_string()).collect();
        format!("[{}]", items.join(", "))
    };
    format!("[{}]", (0..nodes).map(&mut row).collect::<Vec<_>>().join(", "))
}

/// Games on graphs in which the same player may move on, tokens move in several ways, and ends have results.
const GAMES: [&str; 6] = [
    "game g(a: [[int]]) { let n = len(a); state { x in 0..n = 0; } move go(to in a[x]) { x = to; } }",
    "game g(a: [[int]], b: [[int]]) { let n = len(a); state { x in 0..n = 0; y in 0..n = 1; }
     end when x == y => winner first; end when y == 2 => winner second;
     move first run(to in a[x]) { x = to; } move second hunt(to in b[y]) when to != 0 and to != x { y = to; } }",
    "game g(a: [[int]]) { let n = len(a); state { x in 0..n = 0; k in 0..3 = 0; }
     move go(to in a[x]) when to != x { x = to; k = (k + 1) % 3; if k == 0 { again; } }
     move tick when k < 2 { k = k + 1; } }",
    "game g(a: [[int]]) { let n = len(a); state { x in 0..n = 0; y in 0..n = 1; }
     move go(to in a[x]) { x = y; y = to; } move swap when x < y { let z = x; x = y; y = z; } }",
    "game g(a: [[int]]) { let n = len(a); state { x in 0..n = 0; m in 0..4 = 0; }
     end when x == n - 1 => draw; end when m == 3 and x == 0 => winner mover;
     move go(to in a[x]) { x = to; m = 0; } move wait(k in 1..=2) when m + k <= 3 { m = m + k; } }",
    "game g(a: [[int]]) { let n = len(a); state { x in 0..n = 0; b in [0..3; 3] = [0; 3]; }
     move put(i in 0..3) when b[i] == 0 { b[i] = 1 + x % 2; } move take(i in 0..3) when b[i] != 0 { b[i] = 0; }
     move go(to in a[x]) { x = to; } }",
];

#[test]
fn random_graphs() {
    let mut random = Random::new(3);
    let mut tally = Tally::default();
    for (number, text) in GAMES.iter().enumerate() {
        let program = match rules::compile(text) {
            Ok(program) => Arc::new(program),
            Err(errors) => panic!("game {number}: {}", rules::report::report("test", text, &errors, false)),
        };
        let before = tally.undone;
        for _ in 0..60 {
            let nodes = 3 + random.below(8);
            let (a, b) = (graph(&mut random, nodes, 4), graph(&mut random, nodes, 3));
            let instance = if number == 1 { format!("{{\"a\": {a}, \"b\": {b}}}") } else { format!("{{\"a\": {a}}}") };
            let instance = rules::instance::parse_instance(&instance).unwrap();
            if let Ok(bound) = bind(&program, &instance) {
                check(&bound, &mut tally);
            }
        }
        println!("game {number}: {} undone", tally.undone - before);
    }
    println!("{tally:?}");
    assert!(tally.undone > 800 && tally.cyclic > 200, "{tally:?}");
}
