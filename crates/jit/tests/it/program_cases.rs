//! Compiled programs on rules made for one purpose each: rules as people write them, positions of many bits, moves that keep
//! code busy, sets and lists that outlive what they were made of.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use game::Player;
use jit::program::Rules;
use jit::{Expanded, Gains};
use testkit::Random;
use testkit::files::{bound, game, program, rules_files};

use crate::program::{Totals, check};

fn agree(name: &str, text: &str, instance: &str, plays: usize) -> Totals {
    let mut totals = Totals::default();
    check(name, &bound(&program(text), instance), &mut Random::new(5), plays, &mut totals, "");
    assert!(totals.refused.is_empty(), "{:?}", totals.refused);
    assert_eq!(totals.left, 0, "{name}");
    totals
}

#[test]
fn rules_as_people_write_them() {
    for (name, text) in rules_files("crates/testkit/games") {
        let totals = agree(&name, &text, "{}", 2);
        assert!(totals.positions > 10 && totals.slowest.0 < Duration::from_secs(1), "{name} {}", totals.positions);
    }
}

#[test]
fn positions_of_many_bits() {
    for (name, instance) in [
        ("connect_k", r#"{"rows": 6, "columns": 7, "k": 4}"#),
        ("connect_k", r#"{"rows": 12, "columns": 13, "k": 5}"#),
        ("hex", r#"{"size": 7}"#),
        ("kalah", r#"{"pits": 6, "seeds": 4}"#),
        ("can_i_win", r#"{"most": 200, "desired": 5000}"#),
        ("dots_and_boxes", r#"{"rows": 6, "columns": 6}"#),
        ("m_n_k", r#"{"rows": 30, "columns": 30, "k": 5}"#),
    ] {
        let totals = agree(name, &game(name), instance, 2);
        assert!(totals.wide > 0, "{name} has short keys");
    }
}

/// A guard that reads the first choice alone is tested before the second is opened; one that could go wrong is not.
#[test]
fn guards_keep_their_meaning() {
    let text = "game guards(limit: int = 50) {
        state { n in 0..=9 = 9; a in [0..=9; 10] = [i for i in 0..10]; }
        move one(i in 0..10, j in 0..limit) when i < n and j == i { n -= 1; }
        move two(i in 0..10, j in 0..10) when j < 5 and a[i] > 100 / (n + 1) and i + j < 8 { a[i] = j; }
        move three(i in -2..10, j in 0..10) when i >= 0 and j <= a[i] and a[i] == n { n = j; }
        move four(i in 0..12, j in 0..a[i % 10]) when i < 10 and j > 6 { a[j] = i; }
    }";
    agree("guards", text, "{}", 30);
    // `a[i]` goes wrong for i = 10, but only if there is a second choice.
    let fault = "game guards(top: int = 0) {
        state { n in 0..=9 = 9; a in [0..=9; 10] = [i for i in 0..10]; }
        move one(i in 0..=10, j in 0..top) when a[i] > 3 and j == 0 { n -= 1; }
        move two { n -= 1; }
    }";
    let empty = bound(&program(fault), "{}");
    let code = Rules::compile(&empty, Gains::Outcome, true).expect("code");
    let mut key = vec![0; code.words()];
    code.key(&empty.start.parts[0], Player::FIRST, &mut key);
    let mut scratch = code.scratch();
    // Left to the interpreter, which finds nothing wrong; or expanded. Never a wrong option.
    if code.expand(&key, &mut scratch) == Expanded::Options {
        assert_eq!(scratch.options.same.len(), 1);
    }
}

#[test]
fn values_outlive_what_they_were_made_of() {
    let text = "game views() {
        state { a in [0..=20; 4] = [1, 2, 3, 4]; g in [[0..=9; 2]; 3] = [[1, 2], [3, 4], [5, 6]]; s in set of 0..=80 = {1, 70}; }
        fn largest(rows: [[int]]) -> [int] {
            var best = rows[0];
            for row in rows { if sum(row) > sum(best) { best = row; } }
            best[0] += 1;
            return best;
        }
        move swap(i in 0..3, j in 0..3) when i < j { g = [g[j], g[i], g[3 - i - j]]; }
        move keep { let old = a; a[0] = 9; a[1] = (old[0] + sum(old)) % 20; }
        move grow(k in s) { let before = s; s -= k; s += (k + 7) % 81; a[2] = len(before) + len(s); if k in before { a[3] = 5; } }
        move high { let row = largest(g); g[0] = [min(row[0], 9), 0]; a[0] = g[0][0]; }
        move turn_round { for x in a { a[0] = x; a[3] = (a[3] + a[0]) % 20; } }
        move nested {
            var m = [[0; 2]; 3];
            m[0][1] = 4;
            var t = [s, {}];
            t[1] += 100; t[0] += 3;
            m[2] = a[1..3];
            let kept = m;
            m[2][0] = 0;
            a[1] = (kept[2][0] + m[0][1] + sum(m[1])) % 20;
            if 100 in t[1] and 3 in t[0] and 3 not in s { a[2] = 7; }
        }
    }";
    let totals = agree("views", text, "{}", 40);
    assert!(totals.positions > 200);
}

/// A move that keeps code busy ends soon after the flag is set, and the position is left alone.
#[test]
fn a_flag_stops_a_position() {
    let text = "game busy() { state { n in 0..=9 = 9; }
        move slow(i in 0..1000000, j in 0..1000000) when (i + j) % 7 == 9 { n -= 1; } }";
    let busy = bound(&program(text), "{}");
    let code = Rules::compile(&busy, Gains::Outcome, true).expect("code");
    let mut key = vec![0; code.words()];
    code.key(&busy.start.parts[0], Player::FIRST, &mut key);
    let mut scratch = code.scratch();
    let flag = Arc::new(AtomicBool::new(false));
    scratch.stop.flag = Some(Arc::clone(&flag));
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        flag.store(true, Ordering::Relaxed);
    });
    let begin = Instant::now();
    assert_eq!(code.expand(&key, &mut scratch), Expanded::Fault);
    assert!(begin.elapsed() < Duration::from_secs(5));
    stopper.join().expect("the other thread");
    scratch.stop.flag = None;
    scratch.stop.deadline = Some(Instant::now() + Duration::from_millis(30));
    let begin = Instant::now();
    assert_eq!(code.expand(&key, &mut scratch), Expanded::Fault);
    assert!(scratch.stopped && begin.elapsed() < Duration::from_secs(5));
}

/// Formulas that share most of their nodes compile in bounded time: a flood fill of many rounds.
#[test]
fn floods_of_many_rounds_compile_soon() {
    let text =
        rules_files("crates/testkit/games").into_iter().find(|(name, _)| name == "hex_rounds").expect("a file").1;
    let flood = bound(&program(&text), r#"{"size": 2}"#);
    let formulas = formula::specialise(&flood).expect("formulas");
    let study = formula::study(formulas, &flood.start.parts[0], 0, true);
    let coded = study.coded(false, formula::TurnPlace::First).expect("codes");
    let begin = Instant::now();
    let expander = jit::Expander::compile(&coded, Gains::Outcome).expect("code");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    drop(expander);
}
