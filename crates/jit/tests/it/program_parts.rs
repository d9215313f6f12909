//! The compiled rules of one part of a sum against the interpreter: options in order, the parts they split into, gains, turns and
//! faults, on generated sums and on sums written for what generated ones lack.

use std::collections::VecDeque;

use game::Player;
use jit::program::Rules;
use jit::{Expanded, Gains};
use rules::bind::Bound;
use rules::interpreter::Interpreter;
use testkit::Random;
use testkit::files::{bound, gallery, instances, program};
use testkit::with_room;
use testkit::writer::{Style, Writer};

/// A move: the parts it leaves, who moves next, and what is kept of the gains.
type Deed = (Vec<Vec<i64>>, u8, Vec<i64>);

/// The interpreter's word on a part; `None` for a fault. Beside it, how many moves were found before that.
fn interpreted(bound: &Bound, gains: Gains, cells: &[i64], mover: u8) -> (Option<Vec<Deed>>, usize) {
    let mut found: Vec<Deed> = Vec::new();
    let mut overflow = false;
    let done = Interpreter::new(bound).moves(cells, Player(mover), &mut |effect| {
        let into = match effect.split {
            Some(parts) => parts.iter().map(|part| part.to_vec()).collect(),
            None => vec![effect.after.to_vec()],
        };
        let zeros = vec![0; bound.players];
        let all = if effect.gains.is_empty() { &zeros[..] } else { effect.gains };
        let kept = match gains {
            Gains::Outcome => Vec::new(),
            Gains::All => all.to_vec(),
            Gains::Difference => {
                let difference = all[mover as usize].checked_sub(all[1 - mover as usize]);
                overflow |= difference.is_none();
                vec![difference.unwrap_or(0)]
            }
        };
        found.push((into, effect.turn.0, kept));
        Ok(())
    });
    let count = found.len();
    (done.ok().filter(|()| !overflow).map(|()| found), count)
}

#[derive(Debug, Default)]
struct Totals {
    files: usize,
    parts: usize,
    splits: usize,
    faults: usize,
    left: usize,
    refused: Vec<String>,
}

/// Compares all parts that can come up, as far as a number of them, for every player.
fn check(bound: &Bound, totals: &mut Totals, text: &str) {
    let kinds: &[Gains] = match (bound.program.counted, bound.players) {
        (false, _) => &[Gains::Outcome, Gains::All],
        (_, 2) => &[Gains::Outcome, Gains::Difference, Gains::All],
        _ => &[Gains::All],
    };
    totals.files += 1;
    for &gains in kinds {
        let code = match Rules::of_parts(bound, gains) {
            Ok(code) => code,
            Err(error) => {
                totals.refused.push(error.to_string());
                return;
            }
        };
        let mut scratch = code.scratch();
        let per = [0, 1, bound.players][match gains {
            Gains::Outcome => 0,
            Gains::Difference => 1,
            Gains::All => 2,
        }];
        let mut met: Vec<Vec<i64>> = Vec::new();
        let mut next: VecDeque<Vec<i64>> = bound.start.parts.iter().map(|part| part.to_vec()).collect();
        while let Some(cells) = next.pop_front() {
            if met.contains(&cells) || met.len() > 60 {
                continue;
            }
            for mover in 0..bound.players as u8 {
                totals.parts += 1;
                let place = format!("{} at {cells:?}, player {mover}\n{text}", bound.instance());
                let mut key = vec![0; code.words()];
                code.key(&cells, Player(mover), &mut key);
                let (expected, before) = interpreted(bound, gains, &cells, mover);
                if let Some(any) = code.has_option(&key, &mut scratch) {
                    assert_eq!(any, before > 0, "{place}");
                } else {
                    totals.left += usize::from(expected.is_some());
                }
                let found = code.expand(&key, &mut scratch);
                let Some(expected) = expected else {
                    assert_eq!(found, Expanded::Fault, "{place}");
                    totals.faults += 1;
                    continue;
                };
                next.extend(expected.iter().flat_map(|(into, ..)| into.clone()));
                if found == Expanded::Fault {
                    totals.left += 1;
                    continue;
                }
                assert_eq!(found, Expanded::Options, "{place}");
                let read = |key: &[u64]| {
                    let mut after = vec![0; cells.len()];
                    let turn = code.position(key, &mut after).unwrap_or_else(|| panic!("{place}"));
                    (after, turn.0)
                };
                let mut splits = scratch.splits.iter().peekable();
                let (mut deeds, mut first) = (Vec::new(), 0);
                for (option, key) in scratch.options.codes.chunks(code.words()).enumerate() {
                    let (after, turn) = read(key);
                    assert_eq!(scratch.options.same[option] != 0, turn == mover, "{place}");
                    let mut into = vec![after];
                    if let Some(split) = splits.next_if(|split| split.option == option) {
                        totals.splits += 1;
                        let keys = scratch.parts.chunks(code.words()).take(split.end).skip(first);
                        into = keys.map(|key| read(key).0).collect();
                        first = split.end;
                    }
                    let kept = scratch.options.gains[option * per..][..per].to_vec();
                    deeds.push((into, turn, kept));
                }
                assert!(splits.next().is_none(), "{place}");
                assert_eq!(deeds, expected, "{place}");
            }
            met.push(cells);
        }
    }
}

#[test]
fn generated_sums() {
    with_room(|| {
        let mut random = Random::new(1201);
        let mut totals = Totals::default();
        for _ in 0..800 {
            let counted = random.one_in(2);
            let style = Style {
                players: if random.one_in(5) { 3 } else { 2 },
                counted,
                results_only: false,
                mover: random.one_in(2),
                counter: true,
                risky: random.one_in(3),
                sum: true,
            };
            let text = Writer::new(&mut random, style).file();
            let Ok(program) = rules::compile(&text) else { continue };
            let Ok(bound) = rules::bind::bind(&std::sync::Arc::new(program), &Default::default()) else { continue };
            check(&bound, &mut totals, &text);
        }
        println!("{totals:?}");
        assert!(totals.files > 500 && totals.splits > 5000 && totals.faults > 50);
        assert!(totals.refused.is_empty() && totals.left * 100 <= totals.parts, "{totals:?}");
    });
}

#[test]
fn the_gallery() {
    let mut totals = Totals::default();
    for (_, text) in gallery() {
        let program = program(&text);
        if program.sum.is_some() {
            instances(&program, 5, 7).iter().for_each(|bound| check(bound, &mut totals, ""));
        }
    }
    println!("{totals:?}");
    assert!(totals.files > 20 && totals.left == 0 && totals.refused.is_empty());
}

/// Sums of several variables a part, sets and lists among them; splits in loops, twice, outside domains, into nothing.
const SUMS: [&str; 10] = [
    "sum of pile(n in 0..=9) from [9, 5]; move cut(a in 1..n) when n > 2 { gain a * n; split (a), (n - a); }
     move eat when n > 0 { gain 3 for opponent; split; }",
    "sum of box(a in 0..=4, b in -2..=3) from [[4, 3], [2, -2]];
     move first cut(k in 1..=a) { a -= k; split [[i, b - i] for i in 0..a when i != k]; }
     move second flip when a > 0 { a -= 1; b = -b; }",
    "sum of row(s in set of 0..=69) from [{0, 1, 2, 69}]; move take(i in s) { s -= i; split ({j for j in s when j < i}), ({j for j in s when j > i}); }",
    "sum of bar(a in [0..=2; 3], n in 0..=3) from [[[1, 2, 0], 3]]; move go(i in 0..3) when n > 0 and a[i] > 0 {
       a[i] -= 1; n -= 1; if a[i] == 0 { split (a, n), ([0, n, 1], n); } }",
    "sum of pile(n in 0..=6) from [6]; move twice(k in 1..=n) { n -= k; if n > 1 { split (n), (1); } if n > 2 { split (n); } }",
    "sum of pile(n in 0..=6) from [6]; move far(k in 1..=n) { n -= 2 * k; split (k - 1), (0); }",
    "sum of pile(n in 0..=6) from [6]; move out(k in 1..=n) { n -= k; split (n), (n + k + 1 - k % 2); }",
    "sum of pile(n in 0..=7) from [7]; move list(k in 1..=n) { split [n - k; k - 1]; }",
    "sum of p(a in 0..=3, b in 0..=3) from [[3, 2]]; move go(k in 0..=3) when a > 0 { let l = [[a - 1, min(b, k)], [k % 2, a - 1]]; split l; }",
    "sum of p(n in 0..=9) from [9]; move go(k in 1..=n) { for i in 0..k { n -= 1; if n == k { break; } if i == 3 { split (n), (i); break; } } gain n; again; }",
];

#[test]
fn written_sums() {
    let mut totals = Totals::default();
    for text in SUMS {
        check(&bound(&program(&format!("game x {{ {text} }}")), "{}"), &mut totals, text);
    }
    println!("{totals:?}");
    assert!(totals.refused.is_empty() && totals.splits > 100 && totals.faults > 5, "{totals:?}");
}
