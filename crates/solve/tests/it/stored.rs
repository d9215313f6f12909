//! Tables in files: what is read from a file is what plain induction finds, at every position; files that are cut or
//! damaged are told, and mended.

use std::collections::HashSet;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use crate::common::prelude::*;
use rules::play::plays;
use solve::solved::solve;
use solve::stored::{TableLayout, Unfilled};
use table::{About, PieceFile};
use testkit::Random;

use crate::common;
use crate::common::{bound, program};

/// A path that is free again at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("perfectplay-stored-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Interval games of a list `a` of `n` numbers.
const INTERVALS: &[&str] = &[
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i]; i += 1; } move right when i < j { gain a[j - 1]; j -= 1; }",
    // how many are gone from each end, with a bonus for the last item
    "state { l in 0..=n = 0; r in 0..=n = 0; }
     move front when l + r < n { gain a[l] + (if l + r + 1 == n then 5 else 0); l += 1; }
     move back when n > l + r { gain a[n - 1 - r] + (if l + r + 1 == n then 5 else 0); r += 1; }",
    // what is left is gained
    "let p = [sum(a[k] for k in 0..m) for m in 0..=n];
     state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain p[j] - p[i + 1]; i += 1; } move right when i < j { gain p[j - 1] - p[i]; j -= 1; }",
    // the other player gets something, too
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain a[i] for opponent; i += 1; }
     move right when i < j { gain a[j - 1] for opponent; gain i; j -= 1; }",
    // the two ends gain by different lists
    "state { i in 0..=n = 0; j in 0..=n = n; }
     move left when i < j { gain 2 * a[i] - 3; i += 1; } move right when i < j { gain a[j - 1] + i; j -= 1; }",
];

fn source(body: &str) -> String {
    format!("game row(a: [int]) {{ let n = len(a); {body} }}")
}

fn options(threads: usize) -> Options {
    Options { threads, ..Options::default() }
}

/// All positions that can be reached.
fn positions(bound: &Bound) -> Vec<Position> {
    let mut met = HashSet::from([format!("{:?}", bound.start)]);
    let mut all = vec![bound.start.clone()];
    let mut next = 0;
    while let Some(position) = all.get(next).cloned() {
        next += 1;
        for play in plays(bound, &position).unwrap() {
            let option = play.option(&position);
            if met.insert(format!("{option:?}")) {
                all.push(option);
            }
        }
    }
    all
}

/// What a table is about.
fn about(rules: &str) -> About {
    About { name: String::new(), rules: rules.to_string(), instance: String::new(), layout: String::new() }
}

fn build(plan: &TableLayout, path: &Scratch, source: &str) {
    let mut file = PieceFile::create(&path.0, &about(source), plan.pieces()).unwrap();
    plan.fill(&file, &mut Monitor::unlimited()).unwrap();
    file.finish().unwrap();
}

#[test]
fn every_position_of_small_games() {
    let mut random = Random::new(11);
    for (kind, body) in INTERVALS.iter().enumerate() {
        let source = source(body);
        let program = program(&source);
        for round in 0..12 {
            let (length, spread) = (4 + random.below(40), [1, 9, 1000, 1 << 40][round % 4]);
            let list: Vec<i64> = (0..length).map(|_| random.between(-spread / 3, spread)).collect();
            let bound = bound(&program, &format!("{{\"a\": {list:?}}}"));
            let path = Scratch::new(&format!("small-{kind}-{round}"));
            let plan = TableLayout::new(&bound, &options(1 + round % 2), &mut Monitor::unlimited()).unwrap();
            build(&plan, &path, &source);

            // What reads it knows nothing but the file.
            let file = PieceFile::open(&path.0).unwrap();
            assert!(file.is_finished());
            assert_eq!(file.about().rules, source);
            let again = common::bound(&program, &format!("{{\"a\": {list:?}}}"));
            let monitor = Monitor::unlimited();
            let (stored, reader) =
                TableLayout::new(&again, &options(1), &mut Monitor::unlimited()).unwrap().read(file, &monitor).unwrap();

            let plain = Options { engine: Engine::Interpreted, ..Options::default() };
            let truth = solve(&bound, &bound.start, &plain, &mut Monitor::unlimited()).unwrap();
            let all = positions(&bound);
            // Whose turn it is follows from how many items are gone.
            assert_eq!(all.len() as u64, plan.positions());
            for position in &all {
                assert_eq!(stored.verdict(position), truth.verdict(position), "{position:?} of {list:?}");
                let rated = |solved: &Solved| -> Vec<_> {
                    let moves = solved.moves(position).unwrap().into_iter();
                    moves.map(|mv| (mv.play.label, mv.play.gains, mv.worth, mv.best)).collect()
                };
                assert_eq!(rated(&stored), rated(&truth), "{position:?} of {list:?}");
            }
            assert_eq!(reader.text(), None);
        }
    }
}

#[test]
fn what_is_cut_goes_on_and_what_is_damaged_is_mended() {
    let source = source(INTERVALS[0]);
    let list: Vec<i64> = (0..3000).map(|k| k * k % 1009).collect();
    let bound = bound(&program(&source), &format!("{{\"a\": {list:?}}}"));
    let plan = TableLayout::new(&bound, &options(1), &mut Monitor::unlimited()).unwrap();
    let path = Scratch::new("cut");
    let file = PieceFile::create(&path.0, &about(&source), plan.pieces()).unwrap();
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let stopped = plan.fill(&file, &mut Monitor::new(&limits));
    assert!(matches!(stopped, Err(Unfilled::Solve(SolveError::Limit { .. }))));
    drop(file);

    let mut file = PieceFile::resume(&path.0).unwrap();
    assert!(!file.is_finished());
    plan.fill(&file, &mut Monitor::unlimited()).unwrap();
    file.finish().unwrap();
    drop(file);
    let whole = std::fs::read(&path.0).unwrap();

    // The value lies in the last piece: damage there is noticed by who asks for it.
    let mut damaged = std::fs::OpenOptions::new().read(true).write(true).open(&path.0).unwrap();
    damaged.seek(SeekFrom::End(-1)).unwrap();
    let mut byte = [0];
    damaged.read_exact(&mut byte).unwrap();
    damaged.seek(SeekFrom::End(-1)).unwrap();
    damaged.write_all(&[byte[0] ^ 1]).unwrap();
    drop(damaged);
    let read = TableLayout::new(&bound, &options(1), &mut Monitor::unlimited()).unwrap();
    let refused = read.read(PieceFile::open(&path.0).unwrap(), &Monitor::unlimited()).err().unwrap();
    assert!(refused.to_string().contains("missing or damaged"), "{refused}");

    let mut file = PieceFile::resume(&path.0).unwrap();
    plan.fill(&file, &mut Monitor::unlimited()).unwrap();
    file.finish().unwrap();
    drop(file);
    assert!(whole == std::fs::read(&path.0).unwrap());
}

#[test]
fn memory_is_asked_for() {
    let list: Vec<i64> = (0..5000).map(|k| k * k % 1009).collect();
    let source = source(INTERVALS[0]);
    let bound = bound(&program(&source), &format!("{{\"a\": {list:?}}}"));
    let small = TableLayout::new(&bound, &options(1), &mut Monitor::new(&Limits { memory: 100_000, time: None }));
    assert!(matches!(small.err(), Some(SolveError::Limit { .. })));
    let plan = TableLayout::new(&bound, &options(1), &mut Monitor::unlimited()).unwrap();
    let path = Scratch::new("memory");
    let file = PieceFile::create(&path.0, &about(""), plan.pieces()).unwrap();
    let limits = Limits { memory: 100_000, ..Limits::default() };
    let refused = plan.fill(&file, &mut Monitor::new(&limits));
    assert!(matches!(refused, Err(Unfilled::Solve(SolveError::Limit { .. }))));
    // Far less than the table takes.
    let limits = Limits { memory: 8 << 20, ..Limits::default() };
    plan.fill(&file, &mut Monitor::new(&limits)).unwrap();
    assert!(file.size() > 20 << 20);
}

/// A value that nobody can be told is refused before anything is filled.
#[test]
fn a_value_beyond_64_bits_is_refused_first() {
    let large = "4611686018427387904";
    let rows = [
        (INTERVALS[0], vec![large, "-4611686018427387904", "0", "0"], true),
        (INTERVALS[0], vec![large, "1", "-3", "0"], false),
        (INTERVALS[1], vec![large, "-4611686018427387904", "0", "0"], false),
        // The ends gain by different lists: no theorem tells the value.
        (INTERVALS[3], vec!["-4611686018427387904", large, "-10", "0"], true),
        (INTERVALS[3], vec!["-4611686018427387904", large, "0", "0"], false),
    ];
    for (body, list, refused) in rows {
        let (source, instance) = (source(body), format!("{{\"a\": [{}]}}", list.join(", ")));
        let bound = bound(&program(&source), &instance);
        let solved = solve(&bound, &bound.start, &options(1), &mut Monitor::unlimited());
        let plan = TableLayout::new(&bound, &options(1), &mut Monitor::unlimited());
        assert_eq!(solved.is_err(), refused, "{instance}");
        let (plan, solved) = (plan.err().map(|error| error.to_string()), solved.err().map(|error| error.to_string()));
        assert_eq!(plan, solved, "{instance}");
    }
}

#[test]
fn other_games_are_refused() {
    let refused = |source: &str, instance: &str, options: &Options| {
        let bound = bound(&program(source), instance);
        TableLayout::new(&bound, options, &mut Monitor::unlimited()).err().map(|error| error.to_string()).unwrap()
    };
    let stones =
        "game stones(n: int) { state { left in 0..=n = n; } move take(k in 1..=3) when k <= left { left -= k; } }";
    assert!(refused(stones, "{\"n\": 9}", &options(1)).contains("does not apply"));
    let row = source(INTERVALS[0]);
    let method = Options { method: Some(method("row")), ..options(1) };
    assert!(refused(&row, "{\"a\": [1,2,3,4,5]}", &method).contains("triangle"));
    let engine = Options { engine: Engine::Interpreted, ..options(1) };
    assert!(refused(&row, "{\"a\": [1,2,3,4,5]}", &engine).contains("triangle"));
}
