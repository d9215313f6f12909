//! What is read of the rules of heaps is compared with the moves that the interpreter lists.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use game::Player;
use rules::interpreter::Interpreter;
use rules::stop::{Scope, Watch};
use testkit::{Random, files};
use verify::Refusal;
use verify::heap_rules::{self, HeapRules};

/// The options of a heap as the rules that were read have them; the parts of each ascend.
fn read_options(rules: &HeapRules, heap: i64) -> BTreeSet<Vec<i64>> {
    let mut options: BTreeSet<Vec<i64>> = rules.taken.iter().map(|taken| vec![heap - taken]).collect();
    for range in &rules.ranged {
        options.extend((range.least..=heap - range.taken).map(|left| vec![left]));
    }
    for split in &rules.split {
        let rest = heap - split.taken;
        let firsts = (split.least[0]..=rest - split.least[1]).filter(|x| !split.unequal || 2 * x != rest);
        options.extend(firsts.map(|x| vec![x.min(rest - x), x.max(rest - x)]));
    }
    options
}

/// The options of a heap as the interpreter has them.
fn options(interpreter: &mut Interpreter<'_>, heap: i64, mover: Player) -> BTreeSet<Vec<i64>> {
    let mut options = BTreeSet::new();
    interpreter
        .moves(&[heap], mover, &mut |effect| {
            let mut parts: Vec<i64> = match effect.split {
                Some(parts) => parts.iter().map(|part| part[0]).collect(),
                None => vec![effect.after[0]],
            };
            parts.sort_unstable();
            options.insert(parts);
            Ok(())
        })
        .unwrap();
    options
}

/// Nobody can move in a heap of 0, in all of these games: beside another heap it is nothing.
fn without_nothing(options: BTreeSet<Vec<i64>>) -> BTreeSet<Vec<i64>> {
    let without = |parts: Vec<i64>| match parts[..] {
        [0, rest] => vec![rest],
        _ => parts,
    };
    options.into_iter().map(without).collect()
}

/// Whether the rules are read from some size on; what is read is compared with heaps of that size and more.
fn agrees(source: &str, instance: &str) -> bool {
    let bound = files::bound(&files::program(source), instance);
    let mut interpreter = Interpreter::new(&bound);
    let mut read = false;
    for from in [1, 2, 3, 5, 8, 13, 21, 40] {
        let Ok(rules) = heap_rules::read(&bound, from) else { continue };
        read = true;
        for heap in from..from + 30 {
            for mover in [Player::FIRST, Player::SECOND] {
                let listed = options(&mut interpreter, heap, mover);
                assert_eq!(
                    without_nothing(read_options(&rules, heap)),
                    without_nothing(listed),
                    "heap {heap} from {from}: {rules:?}\n{source}\n{instance}"
                );
            }
        }
    }
    read
}

#[test]
fn gallery_games_are_read() {
    for (name, instance) in [
        ("stones", r#"{"n": 1000, "moves": [1, 3, 4]}"#),
        ("subtraction", r#"{"heaps": [1000, 5], "moves": [2, 7]}"#),
        ("remove_134", r#"{"n": 1000}"#),
        ("kayles", r#"{"rows": [1000]}"#),
        ("dawson_kayles", r#"{"rows": [1000]}"#),
        ("nim", r#"{"piles": [1000, 5]}"#),
        ("grundy", r#"{"heaps": [1000]}"#),
        ("dawson_chess", r#"{"rows": [1000]}"#),
    ] {
        assert!(agrees(&files::gallery_text(name), instance), "{name}");
    }
    assert!(!agrees(&files::gallery_text("divisor_game"), r#"{"n": 1000}"#));
}

#[test]
fn take_and_break_games_are_read() {
    let source = files::gallery_text("octal");
    let mut random = Random::new(31);
    for _ in 0..60 {
        let digits: String =
            (0..1 + random.below(4usize)).map(|_| char::from(b'0' + random.below(8usize) as u8)).collect();
        let before = if random.one_in(3) { 4 } else { 0 };
        let read = agrees(&source, &format!(r#"{{"code": "{before}.{digits}", "n": 500}}"#));
        assert!(read || digits.bytes().all(|digit| digit < b'2'), "{before}.{digits}");
    }
}

/// Other spellings: conditions on the heap and on the choice, functions, both orders, halves.
#[test]
fn other_spellings_are_read_or_refused() {
    let bodies = [
        (true, "move take(k in 1..=3) when h >= k { h = h - k; }"),
        (true, "move take(k in 1..=min(h, 5)) when k % 2 == 1 or k == 4 { h -= k; }"),
        (true, "move cut(x in 1..=h - 1) { split (h - x), (x); }"),
        (true, "move cut(x in 2..h - 3) { split (x - 1), (h - x - 2); }"),
        (true, "move cut(x in 1..=h / 2) { split (x), (h - x); }"),
        (true, "move cut(k in 1..=2, x in 1..=(h - k) / 2) { split (x), (h - k - x); }"),
        (true, "move two when h >= 2 { h -= 2; } move cut(x in 0..=h - 3) { split (x), (h - 3 - x); }"),
        (true, "fn most() -> int { if 3 < 4 { return 2; } 9 } move take(k in 1..=most()) when k <= h { h -= k; }"),
        (true, "move take(k in 1..=h) { h -= k; }"),
        (true, "move leave(x in 0..=h - 3) { h = x; }"),
        (true, "move leave(x in 0..h) { h = x; } move two when h > 1 { h -= 2; }"),
        (true, "move take(k in 2..h) when k <= h { h -= k; }"),
        (true, "move take(k in 1..=h) { h -= k; } move cut(x in 1..=h - 1) { split (x), (h - x); }"),
        (false, "move take(k in 0..=h) { h -= k; }"),
        (false, "move take(k in 1..=h + 1) { h -= k; }"),
        (false, "move take(k in 1..=h) when k != 3 { h -= k; }"),
        (false, "move take(k in 1..=h / 2) { h -= k; }"),
        (false, "move half when h > 1 { h = h / 2; }"),
        (false, "move take when h % 3 == 1 { h -= 1; }"),
        (true, "move cut(x in 1..=(h - 1) / 2) { split (x), (h - x); }"),
        (true, "move cut(x in 1..=(h - 4) / 2) { split (x + 1), (h - x - 2); }"),
        (false, "move cut(x in 1..=(h - 2) / 2) { split (x), (h - x); }"),
        (true, "move claim(x in 0..h) { split (max(x - 1, 0)), (max(h - x - 2, 0)); }"),
        (true, "move claim(x in 0..h) { split (max(x - 2, 0)), (max(h - x - 3, 0)); }"),
        (true, "move cut(x in 0..h) when x != 1 and x != h - 2 { split (x), (h - x - 1); }"),
        (true, "move cut(x in 0..h) when x > 0 { split (x), (h - x - 1); }"),
        (false, "move cut(x in 0..h) when x != 7 { split (x), (h - x - 1); }"),
        (false, "move cut(x in 0..h) { split (max(x - 1, 2)), (max(h - x - 2, 0)); }"),
        (false, "move cut(x in 1..=h - 1) when x != h - x { split (x), (h - x); }"),
        (false, "move take(k in 1..=2) when k <= h { h -= k; if h == 7 { h = 3; } }"),
        (false, "move first take when h >= 1 { h -= 1; } move second two when h >= 2 { h -= 2; }"),
        (false, "move take(k in 1..=2) when k <= h and k != 1 + mover { h -= k; }"),
        (false, "move take when h >= 1 and h < 77 { h -= 1; }"),
        (false, "move take(a in 1..=9000, b in 1..=9000) when a + b <= h { h -= a; }"),
    ];
    for (wanted, body) in bodies {
        let source = format!("game heaps(n: int = 200) {{ sum of heap(h in 0..=n) from [n]; {body} }}");
        assert_eq!(agrees(&source, "{}"), wanted, "{body}");
    }
}

/// Numbers at the end of their range are refused, wherever they stand; nothing wraps.
#[test]
fn huge_numbers_are_refused() {
    const HIGH: &str = "9223372036854775807";
    const LOW: &str = "(0 - 9223372036854775807 - 1)";
    let bodies = [
        format!("move odd(k in (0 - 5)..={HIGH}) when k < 0 - 10 {{ h -= 1; }}"),
        format!("move odd(k in {LOW}..={HIGH}) when k < 0 - 10 {{ h -= 1; }}"),
        format!("move odd(k in (0 - 5)..{HIGH}) when k < 0 - 10 {{ h -= 1; }}"),
        format!("move odd(k in [{LOW}]) when k > 0 {{ h -= k; }}"),
        format!("move odd(k in [{LOW}]) when h - k < 0 {{ h -= 1; }}"),
        format!("move odd(k in {{{HIGH}}}) when h + k < 0 {{ h -= 1; }}"),
        format!("move odd(k in [{HIGH}], j in k..=k) when k < 0 {{ h -= 1; }}"),
        format!("move odd(k in s) when k + {HIGH} < 0 {{ h -= 1; }}"),
        format!("move odd when max(s) < {LOW} {{ h -= 1; }}"),
        "move odd when s[0] + 0 < s[1] { h -= 1; }".to_string(),
        "move odd when s[0] * s[1] < 0 { h -= 1; }".to_string(),
        "move odd(k in 1..=h + s[0]) when k < 0 { h -= 1; }".to_string(),
    ];
    for body in bodies {
        let source = format!(
            "game heaps(n: int = 200, s: [int] = [{LOW}, {HIGH}]) {{ sum of heap(h in 0..=n) from [n]; \
             move take(k in 1..=2) when k <= h {{ h -= k; }} {body} }}"
        );
        let bound = files::bound(&files::program(&source), "{}");
        for from in [1, 40] {
            assert!(matches!(heap_rules::read(&bound, from), Err(Refusal::Wrong(_))), "{body}");
        }
    }
}

/// Reading is work: its limit counts the items of lists, and it stops when somebody says so.
#[test]
fn long_readings_end() {
    let source = "game heaps(n: int = 200, s: [int] = [0 for i in 0..20000]) { sum of heap(h in 0..=n) from [n]; \
                  move odd(j in 1..=400, k in 1..=60) when j + k + max(s) < 0 { h -= 1; } \
                  move take(k in 1..=2) when k <= h { h -= k; } }";
    let bound = files::bound(&files::program(source), "{}");
    let refusal = heap_rules::read(&bound, 40).unwrap_err().to_string();
    assert!(refusal.contains("too much to read"), "{refusal}");
    let watch = Watch { cancel: Some(Arc::new(AtomicBool::new(true))), ..Watch::default() };
    let _scope = Scope::new(watch);
    assert!(matches!(heap_rules::read(&bound, 40), Err(Refusal::Stopped(_))));
}
