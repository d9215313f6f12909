//! One small game for each construct that gallery and generated files use too little: built-ins at the edges of 64 bits,
//! lists of lists at places that vary, slices, changing locals, early leaves, splits of several kinds.

use std::sync::Arc;

use formula::specialise::{Limits, specialise_within};
use rules::bind::bind;
use rules::instance::Instance;
use rules::program::Program;
use testkit::Random;

use crate::judge;

/// Compares a game at many positions, unrolled and counted: as a whole, and with each of its moves alone, since a move that
/// goes wrong hides what the others do.
fn agrees(source: &str) {
    let program = match rules::compile(source) {
        Ok(program) => program,
        Err(wrong) => panic!("{}", rules::report::report("test", source, &wrong, false)),
    };
    let mut good = program_agrees(&program, source);
    for index in 0..program.moves.len() {
        let mut single = program.clone();
        single.moves = vec![program.moves[index].clone()];
        single.moves.extend(program.moves.iter().filter(|mv| mv.name == "go").cloned());
        good += program_agrees(&single, source);
    }
    assert!(good > 100, "only faults were compared: {source}");
}

/// Returns how many positions were compared that are no faults.
fn program_agrees(program: &Program, source: &str) -> usize {
    let bound = match bind(&Arc::new(program.clone()), &Instance::default()) {
        Ok(bound) => bound,
        Err(wrong) => panic!("{}", rules::report::report("test", source, &wrong, false)),
    };
    let counted = Limits { known_choices: 1, board_choices: 1, varying_choices: 1, ..Limits::default() };
    let mut good = 0;
    for (seed, limits) in [(5, Limits::default()), (6, counted)] {
        let formulas = specialise_within(&bound, limits).unwrap_or_else(|why| panic!("{why}\n{source}"));
        let name = &program.moves[0].name;
        let compared = judge::walk(&bound, &formulas, &mut Random::new(seed), 5, 200);
        good += compared.unwrap_or_else(|difference| panic!("{name}: {difference}\n{source}"));
    }
    good
}

/// A game whose only move makes `y` of `x` and `k`: what is tried is `expression`, anywhere in 64 bits.
fn number(expression: &str, low: &str, high: &str) {
    agrees(&format!(
        "game tried() {{
            state {{ x in {low}..={high} = {low}; k in -3..=70 = 0; y in -9223372036854775807..=9223372036854775807 = 0; }}
            move make {{ y = {expression}; }}
            move step(d in 0..=3) when x <= {high} - 3 {{ x += d; k = (k + d) % 60; }}
        }}"
    ));
}

const LEAST: &str = "-9223372036854775807";
const MOST: &str = "9223372036854775807";

#[test]
fn arithmetic_at_the_edges() {
    for expression in [
        "x + k",
        "x - k",
        "k - x",
        "x * k",
        "-x",
        "x / k",
        "x % k",
        "k / x",
        "k % x",
        "abs(x)",
        "abs(k)",
        "x * x",
        "x - 1 - k",
        "(x + k) - k",
        "min(x, k) + max(x, k)",
        "xor(x, k)",
        "bit_and(x, k)",
        "bit_or(x, k)",
        "sum([x, x, -k])",
        "sum([x, k, -x])",
        "x + x - x",
    ] {
        number(expression, LEAST, MOST);
        number(expression, "-20", "20");
        number(expression, "9223372036854775700", MOST);
    }
}

#[test]
fn built_ins() {
    for expression in [
        "isqrt(x)",
        "popcount(x)",
        "shl(x, k)",
        "shr(x, k)",
        "shl(1, k)",
        "shl(k, 3)",
        "pow(2, k)",
        "pow(-1, k)",
        "pow(k, 3)",
        "pow(x, 2)",
        "pow(k, max(k % 5, 0))",
        "pow(3, abs(k))",
        "gcd(abs(k), 12)",
        "gcd(k, 60)",
        "sum(divisors(abs(k) + 1))",
        "len(divisors(k))",
        "count([x > 0, k > 0])",
        "max([x, k, 3])",
        "min([k])",
        "pow(0, k)",
        "shr(x, abs(k))",
    ] {
        number(expression, "-5", "300");
        number(expression, "0", MOST);
    }
    number("gcd(x, k)", "-5", "300");
    number("gcd(x, 30)", "0", MOST);
}

#[test]
fn lists_at_places_that_vary() {
    agrees(
        "game lists(rows: [[int]] = [[3, 1, 4], [], [1, 5], [9, 2, 6, 5]], deep: [[[int]]] = [[[1], [2, 3]], [[4, 5, 6]]]) {
            state { i in -1..=5 = 0; j in -1..=5 = 0; y in -100..=100 = 0; }
            move one { y = rows[i][j]; }
            move two { y = len(rows[i]); }
            move three { y = sum(rows[i]); }
            move four { y = max(rows[i]); }
            move five { y = deep[i][j][0]; }
            move six { y = sum(deep[i][j]); }
            move seven { y = sum(rows[2][i..j]); }
            move eight { y = sum(rows[i][1..j]); }
            move nine { y = if rows[i] == [1, 5] then 1 else 0; }
            move ten { y = if [1, 5] in rows then 1 else 0; }
            move eleven { y = if rows[i] in deep[0] then 1 else 0; }
            move twelve { y = sum(r[0] for r in rows when len(r) > i); }
            move take(k in rows[i]) { y = k; }
            move slice(k in rows[3][i..j]) { y = k; }
            move any_row(row in rows) when len(row) > j { y = sum(row); }
            move go(a in 0..=3, b in 0..=3) { i = a; j = b; }
        }",
    );
}

#[test]
fn repeats_count_once() {
    agrees(
        "game repeats(rows: [[int]] = [[3, 1, 3, 1], [2, 2], [], [1, 2, 1]], flat: [int] = [5, 1, 5, 2, 1, 5, 3]) {
            state { i in 0..=4 = 0; j in 0..=7 = 0; y in -100..=100 = 0; }
            move row(k in rows[i]) { y = k; }
            move part(k in flat[i..j]) { y = k; }
            move all(k in flat) { y = k; }
            move made(k in [i, j, i + 1, 2]) { y = k; }
            move set(k in {i, j, 3}) { y = k; }
            move some(k in [c for c in 0..6 when c * i % 3 != j % 3]) { y = k; }
            move both(k in reverse(sort([i, j, 1])), l in {k, 2}) { y = k * 10 + l; }
            move go(a in 0..=4, b in 0..=7) { i = a; j = b; }
        }",
    );
}

#[test]
fn arrays_that_change() {
    agrees(
        "game arrays() {
            state { a in [0..=5; 4] = [1, 2, 3, 0]; g in [[0..=3; 3]; 2] = [[0; 3]; 2]; i in -1..=4 = 0; j in 0..=3 = 0; }
            move swap { let t = a[i]; a[i] = a[j]; a[j] = t; }
            move more { a[i] += a[j]; }
            move less { a[i] -= 1; a[j] += 1; }
            move row { g[i] = [a[0] % 4, a[1] % 4, a[2] % 4]; }
            move cell { g[i][j] += 1; }
            move whole { a = [g[0][k % 3] for k in 0..4]; }
            move wrong { a = [1, 2, 3]; }
            move maybe { a = if i > 1 then [1, 2, 3, 4] else [0, 0, 0]; }
            move sorted { a = sort(a); }
            move backwards { a = reverse(a); }
            move same when a[0..2] == a[2..4] { j = 0; }
            move slices { a[0] = sum(a[j..4]); }
            move go(b in -1..=3, c in 0..=3) { i = b; j = c; }
        }",
    );
}

#[test]
fn locals_that_change() {
    agrees(
        "game locals(n: int = 4) {
            state { a in [0..=9; n] = [1; n]; i in -1..=n = 0; x in -50..=50 = 0; }
            fn walk(from: int) -> int {
                var at = from;
                var seen = {from};
                for step in 0..6 {
                    if at < 0 { return -1; }
                    if at >= n { break; }
                    let next = (at + a[at]) % (n + 1);
                    if next in seen { return len(seen); }
                    seen += next;
                    at = next;
                    if at == 2 { continue; }
                    seen -= 1;
                }
                at * 10
            }
            fn tally() -> [int] {
                var count = [0; n + 1];
                for v in a { count[v] += 1; }
                count
            }
            fn grid() -> int {
                var g = [[0; 2]; 3];
                g[i][0] = 5;
                g[i % 3][i % 2] += i;
                g[1] = [i, 7];
                sum(sum(row) for row in g)
            }
            move one { x = walk(i); }
            move two { x = tally()[i]; }
            move three { x = grid(); }
            move four { for k in 0..n { for l in 0..n { if a[k] == l { break; } a[l] = k; } } }
            move five { for k in i..n { if a[k] > 5 { x = k; break; } else { a[k] += 3; } } }
            move six { x = sum(a[k] * k for k in i..n); }
            move seven { x = max(a[k] for k in 0..i); }
            move eight { x = count(a[k] > a[l] for k in 0..n for l in 0..k when l >= i); }
            move nine { x = if any(10 / a[k] > 3 for k in 0..n) then 1 else 0; }
            move ten { x = if all(10 / (a[k] - 1) > 3 for k in 0..n when a[k] > i) then 1 else 0; }
            move set(k in 0..n, v in 0..=9) { a[k] = v; i = (v + k) % n; }
        }",
    );
}

#[test]
fn sets() {
    agrees(
        "game sets() {
            state { s in set of -2..=7 = {0, 3}; t in set of 0..=20 = {1, 19}; x in -20..=40 = 0; }
            move add(k in -3..=8) { s += k; }
            move remove(k in -3..=8) { s -= k; }
            move by_x { s += x; t -= x; }
            move pick(k in t) { t -= k; x = k; }
            move pair(k in t, l in s) when k != l { t -= k; s -= l; x = k - l; }
            move assign { t = s; }
            move made { t = {(k * x) % 21 for k in s}; }
            move choose(c in set of 0..=2) { s = c; x = len(c); }
            move same when s == t { x = 0; }
            move folds { x = sum(s) + len(t) + max(t) - min(s); }
            move member when x in s and (x + 1) in t { x += 1; }
            move merged { s = if x > 3 then {1, 2} else t; }
            move local_set { var u = s; u += x; u -= 3; x = len(u); }
            move walk { for k in t { if k > 10 { x = k; break; } } }
            move set_x(v in -2..=20) { x = v; }
        }",
    );
}

#[test]
fn splits() {
    agrees(
        "game splits(heaps: [int] = [7, 5]) {
            sum of heap(n in 0..=9, kind in {red, blue}) from [[h, 0] for h in heaps];
            move two(k in 0..=n) { split (k, red), (n - k, kind); }
            move one when n > 0 { split (n - 1, blue); }
            move none when n > 0 { split; }
            move maybe(k in 1..=n) { n -= k; if n > 2 { split (n - 1, red), (1, blue); } }
            move ways(k in 0..=n) { if k == 0 { split (n, kind); } else if k < n { split (k, red), (n - k, blue); } }
            move wrong { split (n + 3, red); }
            move twice when kind == blue { split (1, red); if n == 2 { split (2, red); } }
            move listed when n >= 2 { split [[n - 2, 0], [1, 1], [0, 0]]; }
            move made when n >= 3 { split [[k, kind] for k in 0..3]; }
        }",
    );
}

#[test]
fn players_and_results() {
    agrees(
        "game many(who: [int] = [2, 0, 1, 3]) {
            players 3;
            state { i in 0..=3 = 0; left in 0..=4 = 4; }
            end when left == 0 => payoffs [i, mover, 3 - i];
            end when left == 1 and i == 2 => score 10 / (mover - 1);
            move a { left -= 1; gain i for who[i]; turn = who[i]; }
            move b(k in 0..=3) when k != i { i = k; left -= 1; gain 2; if k == mover { again; } }
            move c when left == 3 { turn = mover + 1; }
            stuck => payoffs [0 for p in 0..i];
        }",
    );
    agrees(
        "game won() {
            players 4;
            state { i in 0..=5 = 5; }
            end when i == 0 => winner (mover + i + 1) % 4;
            end when i == 1 => win;
            move a { i -= 1; }
            move b when i > 3 { i -= 2; turn = (mover + 2) % 4; }
            stuck => draw;
        }",
    );
    agrees(
        "game owned() {
            state { i in -2..=5 = 5; }
            end when i < 0 => winner i + 2;
            move first a(k in 1..=2) { i -= k; }
            move second b(k in {1, 3}) { i -= k; turn = if i > 2 then first else mover; }
        }",
    );
}

#[test]
fn bounds_that_go_wrong() {
    agrees(
        "game bounds() {
            state { x in -3..=3 = 1; y in 0..=100 = 0; }
            move a(k in 1..=6 / x) { y = k; }
            move b(k in x..3, l in k..10 / k) { y = k + l; }
            move c(k in 0..=y, l in 0..(k + x) % 5, m in [1, 2, 1]) when 12 % (l + x) >= 0 { y = l + m; }
            move d(k in -9223372036854775807 - 1..-9223372036854775807) when x > 5 { y = 1; }
            move e(k in [x, 12 / x, 2]) { x = k % 4; }
            move go(k in -3..=3, l in 0..=100) { x = k; y = l; }
        }",
    );
}

#[test]
fn sums_over_stretches() {
    agrees(
        "game stretches(list: [int] = [3, -1, 4, 1, -5, 9, 2, 6, 5, 3]) {
            state { i in -1..=10 = 0; j in -1..=11 = 10; y in -100..=100 = 0; }
            move a when i > j { y = sum(list[k] for k in i..j); }
            move b { y = sum(list[k] for k in i..j); }
            move c { y = sum(list[k] * k for k in i..=j when k % 2 == 0 and k < 10); }
            move d { y = count(list[k] > 2 for k in max(i, 0)..min(j, 10)); }
            move e(l in 0..4) { y = sum(list[k] * l for k in l..j); }
            move f { y = count(6 / list[k] > k - 1 for k in i..j); }
            move go(k in -1..=10, l in -1..=11) { i = k; j = l; }
        }",
    );
}

/// Sets that are written out in a choice: in ascending order, each number once, and whichever of two equal numbers the body
/// asks for.
#[test]
fn sets_written_out_in_choices() {
    let choices = [
        "{x}",
        "{x, y}",
        "{y, x - 1}",
        "{x + 1, y + 2}",
        "{x, 3}",
        "{x, y, 2}",
        "{y - 1, x, x + y - 4}",
        "{x * y, y}",
        "{x / y, x}",
        "{x, y, x + 1, 4}",
    ];
    for choice in choices {
        agrees(&format!(
            "game t() {{
                state {{ x in 0..=6 = 1; y in 0..=6 = 5; z in -60..=60 = 0; }}
                move first_one(at in {choice}) when z < 40 {{ z = 8 * at % 50; if at == x {{ x = y; }} else {{ y = 1; }} }}
                move second_one(at in {choice}) {{ z = at; if at == y {{ y = 6 - y; }} else {{ x = (x + 1) % 7; }} }}
                move go(a in 0..=6, b in 0..=6) {{ x = a; y = b; }}
            }}"
        ));
    }
}
