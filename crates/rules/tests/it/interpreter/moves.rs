//! Choices, bodies, turns, results, ends, parts and declarations.

use super::*;

#[test]
fn choices_range_over_everything() {
    let choices = |choices: &str| {
        labels(&game(
            &format!(
                "game g() {{ state {{ a in [{{e, x, o}}; 3] = [x, e, o]; s in set of 0..=2 = {{0, 2}}; n in 0..=2 = 2; }} move m({choices}) {{ n = 1; }} }}"
            ),
            "{}",
        ))
    };
    assert_eq!(choices("k in 0..n"), ["m(0)", "m(1)"]);
    assert_eq!(choices("k in 2..=0"), [""; 0]);
    assert_eq!(choices("k in bool"), ["m(false)", "m(true)"]);
    assert_eq!(choices("k in {e, x, o}"), ["m(e)", "m(x)", "m(o)"]);
    assert_eq!(choices("k in {x, o}"), ["m(x)", "m(o)"]);
    assert_eq!(choices("k in set of 0..n"), ["m({})", "m({0})", "m({1})", "m({0, 1})"]);
    assert_eq!(choices("k in [0..=1; 2]"), ["m([0, 0])", "m([0, 1])", "m([1, 0])", "m([1, 1])"]);
    assert_eq!(choices("k in [bool; 1]"), ["m([false])", "m([true])"]);
    assert_eq!(choices("k in [0..=1; 0]"), ["m([])"]);
    assert_eq!(choices("k in [3, 1, 3, 2, 1]"), ["m(3)", "m(1)", "m(2)"]);
    assert_eq!(choices("k in s"), ["m(0)", "m(2)"]);
    assert_eq!(choices("k in a"), ["m(x)", "m(e)", "m(o)"]);
    assert_eq!(choices("k in [o, e]"), ["m(o)", "m(e)"]);
    assert_eq!(choices("k in [[1, 2], [3], [1, 2]]"), ["m([1, 2])", "m([3])"]);
    assert_eq!(choices("k in [\"a\", \"b\"]"), ["m(\"a\")", "m(\"b\")"]);
    assert_eq!(choices("i in 0..2, j in i..2, b in bool").len(), 6);
    assert_eq!(choices("i in 0..2, j in i..2"), ["m(0, 0)", "m(0, 1)", "m(1, 1)"]);
    assert_eq!(choices("i in 0..2, j in [k + i for k in 0..2]"), ["m(0, 0)", "m(0, 1)", "m(1, 1)", "m(1, 2)"]);
}

#[test]
fn bodies_change_a_copy() {
    let body = |body: &str| {
        options(&game(
            &format!("game g() {{ state {{ n in 0..=9 = 5; b in bool = false; a in [0..=9; 3] = [1, 2, 3]; m in [[0..=9; 2]; 2] = [[1, 2], [3, 4]]; s in set of 1..=3 = {{1, 3}}; }} move go {{ {body} }} }}"),
            "{}",
        ))
        .join("|")
    };
    let after =
        |n: &str, b: &str, a: &str, m: &str, s: &str| format!("go -> n = {n}, b = {b}, a = {a}, m = {m}, s = {s}");
    let (a, m, s) = ("[1, 2, 3]", "[[1, 2], [3, 4]]", "{1, 3}");
    assert_eq!(body("n -= 2; n += 1; b = n == 4;"), after("4", "true", a, m, s));
    assert_eq!(body("a[n - 3] = 9; a[0] += 4; a[1] -= 2;"), after("5", "false", "[5, 0, 9]", m, s));
    assert_eq!(body("m[1][0] = 7; m[0] = [5, 6];"), after("5", "false", a, "[[5, 6], [7, 4]]", s));
    assert_eq!(body("a = reverse(a);"), after("5", "false", "[3, 2, 1]", m, s));
    assert_eq!(body("s += 2; s -= 3; s -= 77;"), after("5", "false", a, m, "{1, 2}"));
    assert_eq!(body("s = {x for x in 1..=3 when x != 1};"), after("5", "false", a, m, "{2, 3}"));
    assert_eq!(body("if n in s { n = 0; } else if len(s) == 2 { n = min(s) + max(s); }"), after("4", "false", a, m, s));
    assert_eq!(body("for x in s { a[x - 1] = 0; }"), after("5", "false", "[0, 2, 0]", m, s));
    assert_eq!(body("for x in a { a[0] += x; }"), after("5", "false", "[7, 2, 3]", m, s));
    assert_eq!(body("n = 100; n = n - 99;"), after("1", "false", a, m, s));
    assert_eq!(body("let c = a; a[0] = 9; n = c[0];"), after("1", "false", "[9, 2, 3]", m, s));
    assert_eq!(body("var c = a; c[0] = 9; n = c[0] - a[0];"), after("8", "false", a, m, s));
    assert_eq!(body("n = sum(a[1..]) - len(m) - len(m[0]);"), after("1", "false", a, m, s));
}

#[test]
fn what_goes_wrong_in_a_move_names_it() {
    let wrong = |body: &str| {
        fault(&game(
            &format!(
                "game g() {{ state {{ n in 0..=9 = 5; a in [0..=9; 3] = [1, 2, 3]; s in set of 1..=3 = {{}}; }} move go(k in 7..=7) {{ {body} }} }}"
            ),
            "{}",
        ))
    };
    assert_eq!(
        wrong("a[k] = 1;"),
        "index 7 is out of range: the list has 3 items\n  in the move `go(7)`\n  in the position n = 5, a = [1, 2, 3], s = {}, first to move"
    );
    assert!(wrong("s += k;").starts_with("the move `go(7)` leaves a domain: s contains 7, outside set of 1..=3"));
    assert!(wrong("s = {k};").starts_with("the move `go(7)` leaves a domain: s contains 7, outside set of 1..=3"));
    assert!(wrong("a[1] = 10;").starts_with("the move `go(7)` leaves a domain: a[1] = 10 is outside 0..=9"));
    assert!(wrong("a = [1, 2];").starts_with("a domain is left: a holds 3 items, and was given 2 items"));
    assert!(wrong("turn = k - 5;").starts_with("there is no player 2"));
    assert!(wrong("n = 9223372036854775807; n += k;").starts_with("overflow: 9223372036854775807 + 7"));
}

/// One rule for numbers and sets: a value may leave its domain while the move runs, if it is back in the end.
#[test]
fn values_leave_their_domain_for_a_moment() {
    let after = |body: &str| {
        let bound = game(
            &format!(
                "game g() {{ state {{ n in 0..=9 = 5; s in set of 1..=3 = {{2}}; a in [set of 0..=1; 2] = [{{}}, {{}}];
                     e in set of 1..=0 = {{}}; }} move go(k in 7..=7) {{ {body} }} }}"
            ),
            "{}",
        );
        let play = &rules::play::plays(&bound, &bound.start).unwrap()[0];
        show::position_text(&bound, &play.option(&bound.start))
    };
    assert_eq!(after("n += 90; n -= 93;"), "n = 2, s = {2}, a = [{}, {}], e = {}");
    assert_eq!(after("s += k; n = len(s); s += k; s -= k;"), "n = 2, s = {2}, a = [{}, {}], e = {}");
    assert_eq!(
        after("s += k; if k in s and 6 not in s { n = sum(s); } s = {1};"),
        "n = 9, s = {1}, a = [{}, {}], e = {}"
    );
    assert_eq!(
        after("a[1] += k; n = len(a[0]) + 2 * len(a[1]); let b = a; a[1] -= k; if b != a { s = {}; }"),
        "n = 2, s = {}, a = [{}, {}], e = {}"
    );
    assert_eq!(
        after("a = [{k}, {0, -1}]; a[0] = a[1]; a[0] -= -1; a = [a[0], {}];"),
        "n = 5, s = {2}, a = [{0}, {}], e = {}"
    );
    assert_eq!(after("e += 4; n = len(e); for x in e { e -= x; }"), "n = 1, s = {2}, a = [{}, {}], e = {}");
}

#[test]
fn the_head_of_a_move_has_lets() {
    let bound = game(
        "game g() {
            state { at in 0..9 = 4; steps in 0..=99 = 0; }
            move go(a in 0..3, let row = 3 * a, b in row..row + 3) let d = b - at; let far = abs(d) > 1; when far and sign(d) == 1 {
                at = row + b % 3;
                steps = 10 * d + a;
            }
        }",
        "{}",
    );
    assert_eq!(
        options(&bound),
        ["go(2, 6) -> at = 6, steps = 22", "go(2, 7) -> at = 7, steps = 32", "go(2, 8) -> at = 8, steps = 42"]
    );
    // The same moves by their names, one at a time.
    assert_eq!(rules::named::named(&bound, &bound.start, "go(2, 7)").unwrap()[0].label, "go(2, 7)");
    assert!(rules::named::named(&bound, &bound.start, "go(1, 5)").unwrap().is_empty());
}

#[test]
fn the_first_stuck_rule_that_holds_counts() {
    let end = |n: i64, rules: &str| {
        let text = format!("game g(n: int) {{ state {{ k in 0..=9 = n; }} move no when false {{ }} {rules} }}");
        let bound = game(&text, &format!("{{\"n\": {n}}}"));
        rules::play::end(&bound, &bound.start).unwrap().unwrap()
    };
    use game::{End, Outcome};
    let rules = "stuck when k == 1 => draw; stuck when k < 3 => win;";
    let outcomes = [0, 1, 2, 3].map(|n| end(n, rules));
    assert_eq!(outcomes, [Outcome::Win, Outcome::Draw, Outcome::Win, Outcome::Loss].map(End::Outcome));
    assert_eq!(end(3, &format!("{rules} stuck => draw;")), End::Outcome(Outcome::Draw));
    assert_eq!(end(3, "stuck when k == 1 => score 5;"), End::Gains(vec![0, 0]));
    assert_eq!(end(1, "stuck when k == 1 => score 5;"), End::Gains(vec![5, 0]));
}

#[test]
fn squares_have_names() {
    let bound = game(
        "game g() {
            let squares = [\"top\", \"left\", \"7\"];
            state { at in 0..12 = 1; marked in set of 0..12 = {}; }
            move go(to in 0..12) when to in 9..12 { at = to; }
            move second(s in 0..4) { at = s; }
            move mark(these in set of 9..=10) { marked = these; }
            name at, to, marked, these as 3 by 4;
            name s as squares;
            show \"at {at}, {marked}, {at + 1}\";
        }",
        "{}",
    );
    let labels: Vec<String> =
        rules::play::plays(&bound, &bound.start).unwrap().into_iter().map(|play| play.label).collect();
    let expected = [
        "go(b3)",
        "go(c3)",
        "go(d3)",
        "second(top)",
        "second(left)",
        "second(7)",
        "second(3)",
        "mark({})",
        "mark({b3})",
        "mark({c3})",
        "mark({b3, c3})",
    ];
    assert_eq!(labels, expected);
    let read = |name: &str| {
        let found = rules::named::named(&bound, &bound.start, name).unwrap();
        found.into_iter().map(|play| play.label).collect::<Vec<_>>().join(" ")
    };
    let same = |names: &[&str], label: &str| names.iter().for_each(|name| assert_eq!(read(name), label, "{name}"));
    same(&["go(b3)", "go( B3 )", "go(9)"], "go(b3)");
    same(&["second(7)", "second(2)"], "second(7)");
    same(&["mark({b3,c3})"], "mark({b3, c3})");
    same(&["go(a1)", "go(e1)", "go(b4)", "go(top)", "second(a1)"], "");
    let play = rules::named::named(&bound, &bound.start, "mark({c3})").unwrap().remove(0);
    assert_eq!(show::draw(&bound, &play.option(&bound.start)).unwrap(), "at b1, {c3}, 2");
}

#[test]
fn turns_and_gains() {
    let bound = game(
        "game g() { players 3; state { n in 0..=9 = 5; }
            move a { gain 2; gain 3 for third; gain -1; n = 0; }
            move b { again; n = 1; }
            move c { turn = third; again; turn = (mover + 2) % 3; n = mover; }
            stuck => payoffs [n, 1, 2]; }",
        "{}",
    );
    let moves = moves_of(&bound, &bound.start).unwrap();
    assert_eq!(moves[0].2, [1, 0, 3]);
    assert_eq!((moves[0].1.turn, moves[1].1.turn, moves[2].1.turn), (Player(1), Player(0), Player(2)));
    assert_eq!(Interpreter::new(&bound).stuck(&[7], Player(1)), Ok(End::Gains(vec![7, 1, 2])));
    let bound = game("game g() { state { n in 0..=9 = 5; } move a { gain 9223372036854775807; gain n; } }", "{}");
    assert!(fault(&bound).starts_with("overflow: a gain of 9223372036854775807 + 5"));
}

#[test]
fn results_for_two_and_for_more() {
    let ends = |players: &str, result: &str, mover: u8| {
        let bound = game(
            &format!(
                "game g() {{ {players} state {{ n in 0..=9 = 5; }} end when n == 5 => {result}; move m {{ n = 0; }} }}"
            ),
            "{}",
        );
        Interpreter::new(&bound).end(&bound.start.parts[0], Player(mover)).map_err(|fault| fault.diagnostic.title)
    };
    let outcome = |outcome| Ok(Some(End::Outcome(outcome)));
    let gains = |gains: &[i64]| Ok(Some(End::Gains(gains.to_vec())));
    assert_eq!(ends("", "win", 1), outcome(Outcome::Win));
    assert_eq!(ends("", "lose", 1), outcome(Outcome::Loss));
    assert_eq!(ends("", "draw", 1), outcome(Outcome::Draw));
    assert_eq!(ends("", "winner second", 1), outcome(Outcome::Win));
    assert_eq!(ends("", "winner n - 5", 1), outcome(Outcome::Loss));
    assert_eq!(ends("", "winner n", 1), Err("there is no player 5".to_string()));
    assert_eq!(ends("", "score n - 8", 1), gains(&[0, -3]));
    assert_eq!(ends("", "payoffs [n, 2]", 1), gains(&[5, 2]));
    assert_eq!(ends("players 3;", "win", 1), gains(&[-1, 1, -1]));
    assert_eq!(ends("players 3;", "lose", 1), gains(&[1, -1, 1]));
    assert_eq!(ends("players 3;", "draw", 1), gains(&[0, 0, 0]));
    assert_eq!(ends("players 3;", "winner third", 1), gains(&[-1, -1, 1]));
    assert_eq!(ends("players 3;", "payoffs [1, 2, n]", 0), gains(&[1, 2, 5]));
    let plain = game("game g() { players 4; state { n in 0..=9 = 5; } move m { n = 0; } }", "{}");
    assert_eq!(Interpreter::new(&plain).stuck(&[5], Player(2)), Ok(End::Gains(vec![1, 1, -1, 1])));
    let misere = game("game g() { state { n in 0..=9 = 5; } move m { n = 0; } stuck => win; }", "{}");
    assert_eq!(Interpreter::new(&misere).stuck(&[5], Player(1)), Ok(End::Outcome(Outcome::Win)));
}

#[test]
fn ends_come_in_order_and_before_anything_else() {
    let bound = game(
        "game g(list: [int] = []) { state { n in 0..=9 = 5; }
            end when n == 5 => draw;
            end when list[n] == 0 => lose;
            move m(k in 0..list[n]) { n = 0; } }",
        "{}",
    );
    let mut interpreter = Interpreter::new(&bound);
    assert_eq!(interpreter.end(&[5], Player(0)), Ok(Some(End::Outcome(Outcome::Draw))));
    let fault = interpreter.end(&[4], Player(1)).unwrap_err();
    assert_eq!(
        text_of(&fault.diagnostic),
        "index 4 is out of range: the list has 0 items\n  in the position n = 4, second to move"
    );
}

#[test]
fn parts_split_in_every_way() {
    let split = |statement: &str| {
        let bound = game(
            &format!(
                "game g() {{ sum of heap(a in 0..=9, b in 0..=9) from [[3, 4]]; move m {{ a = 1; {statement} }} }}"
            ),
            "{}",
        );
        match moves_of(&bound, &bound.start) {
            Ok(moves) => show::position_text(&bound, &moves[0].1),
            Err(fault) => text_of(&fault.diagnostic),
        }
    };
    assert_eq!(split(""), "part 0: a = 1, b = 4");
    assert_eq!(split("split;"), "no parts");
    assert_eq!(split("split (b, a), (0, 9);"), "part 0: a = 4, b = 1; part 1: a = 0, b = 9");
    assert_eq!(split("split [[x, x + 1] for x in 0..2];"), "part 0: a = 0, b = 1; part 1: a = 1, b = 2");
    let text = split("split (1, 10);");
    assert!(text.starts_with("part 0 is outside its domain: b = 10 is outside 0..=9"), "{text}");
    assert!(text.contains("in the position of this part a = 3, b = 4, first to move"), "{text}");
    assert!(split("for i in 0..2 { split (i, i); }").starts_with("a move may split its part only once"));
    let text = try_game("game g() { sum of heap(a in 0..=2) from [1, 3]; move m { a = 0; } }", "{}").unwrap_err();
    assert_eq!(text, "part 1 is outside its domain: a = 3 is outside 0..=2");
}

#[test]
fn sums_of_slices_cost_the_same_whatever_their_length() {
    let numbers: Vec<String> = (0..200_000).map(|n| (n % 7).to_string()).collect();
    let source = "game g(a: [int], rows: [[int]]) { let n = len(a); state { i in 0..=n = 0; }
        measure sum(sum(a[i + k..n]) + sum(rows[0][k..n]) for k in 0..20000); move m { i = 1; } }";
    let list = numbers.join(",");
    let bound = game(source, &format!("{{\"a\": [{list}], \"rows\": [[{list}]]}}"));
    // Eight thousand million elements in all: adding them one by one would be a fault for too much work.
    let measured = Interpreter::new(&bound).measure(&bound.start.parts[0], Player(0)).unwrap();
    assert!(measured.is_some());
}

#[test]
fn declarations_are_evaluated() {
    let bound = game(
        r#"game g(n: int) { state { b in [0..=2; 6] = [0, 1, 2, 0, 1, 2]; }
            move m { b[0] = 1; } measure sum(b) + mover; estimate b[2] * 10;
            regions b as 2 by 3 where cell != 1;
            claim winner = if n > 0 then first else second when n != 5;
            claim outcome = "win"; }"#,
        r#"{"n": 0}"#,
    );
    let part = &bound.start.parts[0];
    let mut interpreter = Interpreter::new(&bound);
    assert_eq!(interpreter.measure(part, Player(1)), Ok(Some(7)));
    assert_eq!(interpreter.estimate(part, Player(1)), Ok(Some(20)));
    assert_eq!([0, 1, 2].map(|cell| interpreter.in_region(0, cell, part, Player(0)).unwrap()), [true, false, true]);
    assert_eq!(bound.regions[0], rules::bind::Shape { variable: 0, rows: 2, columns: 3 });
    use rules::interpreter::Claimed;
    assert_eq!(interpreter.claim(0), Ok(Some(Claimed::Number(1))));
    assert_eq!(interpreter.claim(1), Ok(Some(Claimed::Text("win".to_string()))));
    let five = game(
        "game g(n: int) { state { b in 0..=2 = 0; } move m { b = 1; } claim winner = first when n != 5; }",
        r#"{"n": 5}"#,
    );
    assert_eq!(Interpreter::new(&five).claim(0), Ok(None));
}

#[test]
fn drawings() {
    let draw = |show: &str| {
        let bound = game(
            &format!(
                "game g() {{ state {{ n in 0..=12 = 12; w in {{idle, busy}} = busy; b in [[0..=9; 2]; 2] = [[1, 2], [0, 4]]; s in set of {{idle, busy}} = {{busy}}; }} move m {{ n = 1; }} {show} }}"
            ),
            "{}",
        );
        show::draw(&bound, &bound.start).map_err(|fault| fault.diagnostic.title)
    };
    assert_eq!(draw("").unwrap(), "n = 12, w = busy, b = [[1, 2], [0, 4]], s = {busy}");
    assert_eq!(draw("show \"{n} left, {w}, {b[0]}, {n > 3}\";").unwrap(), "12 left, busy, [1, 2], true");
    assert_eq!(draw("show grid(b, 2, 2) { 0: \"..\", 4: \"#\" };").unwrap(), " 1 2\n.. #");
    assert_eq!(draw("show grid(b, 2, 3) { };").unwrap_err(), "a grid of 2 by 3 cannot show 4 cells");
    assert_eq!(draw("show \"{10 / (n - 12)}\";").unwrap_err(), "division by zero: 10 / 0");
    let sum = game("game g() { sum of heap(a in 0..=9) from [3, 4]; move m { a = 1; } show \"<{a}>\"; }", "{}");
    assert_eq!(show::draw(&sum, &sum.start).unwrap(), "part 0: <3>\npart 1: <4>");
}
