//! The meaning of the language: rules texts, positions, and what the interpreter says of them.

use std::sync::Arc;

use game::{End, Outcome, Player};
use rules::bind::{Bound, Position, bind};
use rules::fault::Fault;
use rules::instance::parse_instance;
use rules::interpreter::Interpreter;
use rules::show;

/// A bound game from text; a mistake ends the test with the message.
fn game(source: &str, instance: &str) -> Bound {
    match try_game(source, instance) {
        Ok(bound) => bound,
        Err(text) => panic!("{text}"),
    }
}

/// The same, with the titles, notes and help of what is wrong.
fn try_game(source: &str, instance: &str) -> Result<Bound, String> {
    let program = rules::compile(source)
        .unwrap_or_else(|wrong| panic!("{}", rules::report::report("test", source, &wrong, false)));
    let instance = parse_instance(instance).unwrap_or_else(|error| panic!("{error}"));
    bind(&Arc::new(program), &instance).map_err(|wrong| wrong.iter().map(text_of).collect::<Vec<_>>().join("\n"))
}

fn text_of(diagnostic: &rules::diagnostic::Diagnostic) -> String {
    let mut text = diagnostic.title.clone();
    for note in &diagnostic.notes {
        text.push_str(&format!("\n  {note}"));
    }
    if let Some(help) = &diagnostic.help {
        text.push_str(&format!("\n  help: {help}"));
    }
    text
}

/// Every move of the position as `label: position after` with gains and turn where they say something.
fn moves_of(bound: &Bound, position: &Position) -> Result<Vec<(String, Position, Vec<i64>)>, Fault> {
    let mut interpreter = Interpreter::new(bound);
    let mut found = Vec::new();
    for (number, part) in position.parts.iter().enumerate() {
        interpreter.moves(part, position.turn, &mut |effect| {
            let label = show::move_label_of(bound, effect.rule, effect.choices, number);
            found.push((label, effect.option(position, number), effect.gains.to_vec()));
            Ok(())
        })?;
    }
    Ok(found)
}

fn labels(bound: &Bound) -> Vec<String> {
    moves_of(bound, &bound.start).unwrap().into_iter().map(|(label, _, _)| label).collect()
}

/// `label -> position` for every move at the start.
fn options(bound: &Bound) -> Vec<String> {
    let moves = moves_of(bound, &bound.start).unwrap_or_else(|fault| panic!("{}", text_of(&fault.diagnostic)));
    moves.into_iter().map(|(label, option, _)| format!("{label} -> {}", show::position_text(bound, &option))).collect()
}

fn fault(bound: &Bound) -> String {
    text_of(&moves_of(bound, &bound.start).unwrap_err().diagnostic)
}

const COINS: &str = "game coins(coins: [int]) {
    let n = len(coins);
    state { i in 0..=n = 0; j in 0..=n = n; }
    move left  when i < j { gain coins[i];     i += 1; }
    move right when i < j { gain coins[j - 1]; j -= 1; }
}";

#[test]
fn coins_gain_what_they_take() {
    let bound = game(COINS, r#"{"coins": [5, 3, 7, 10]}"#);
    assert_eq!(show::position_text(&bound, &bound.start), "i = 0, j = 4");
    let moves = moves_of(&bound, &bound.start).unwrap();
    assert_eq!(moves[0].0, "left");
    assert_eq!(moves[0].2, [5, 0]);
    assert_eq!(moves[1].2, [10, 0]);
    assert_eq!(show::position_text(&bound, &moves[1].1), "i = 0, j = 3");
    assert_eq!(moves[1].1.turn, Player::SECOND);
    let second = moves_of(&bound, &moves[1].1).unwrap();
    assert_eq!(second[0].2, [0, 5]);
    assert_eq!(Interpreter::new(&bound).stuck(&[2, 2], Player::FIRST), Ok(End::Gains(vec![0, 0])));
    assert_eq!(Interpreter::new(&bound).end(&[2, 2], Player::FIRST), Ok(None));
}

/// The value of the mover by brute force over the interpreter.
fn difference(bound: &Bound, position: &Position) -> i64 {
    let moves = moves_of(bound, position).unwrap();
    let me = position.turn.index();
    moves.iter().map(|(_, option, gains)| gains[me] - gains[1 - me] - difference(bound, option)).max().unwrap_or(0)
}

#[test]
fn coins_are_worth_what_the_examples_say() {
    for (coins, value) in [("[5, 3, 7, 10]", 5), ("[8, 15, 3, 7]", 11), ("[]", 0), ("[1, 5, 233, 7]", 222)] {
        let bound = game(COINS, &format!("{{\"coins\": {coins}}}"));
        assert_eq!(difference(&bound, &bound.start), value, "{coins}");
    }
}

const NIM: &str = r#"game nim(piles: [int]) {
    require all(p >= 0 for p in piles) : "a heap cannot be negative";
    sum of pile(n in 0..=max(piles, 0)) from piles;
    move take(k in 1..=n) { n -= k; }
    claim nimber = xor(piles);
    sample { piles in [0..=7; 0..=4]; }
}"#;

#[test]
fn nim_is_a_sum() {
    let bound = game(NIM, r#"{"piles": [2, 1]}"#);
    assert_eq!(
        options(&bound),
        [
            "take(1) in part 0 -> part 0: n = 1; part 1: n = 1",
            "take(2) in part 0 -> part 0: n = 0; part 1: n = 1",
            "take(1) in part 1 -> part 0: n = 2; part 1: n = 0",
        ]
    );
    assert_eq!(Interpreter::new(&bound).claim(0), Ok(Some(rules::interpreter::Claimed::Number(3))));
    assert_eq!(game(NIM, r#"{"piles": []}"#).start.parts.len(), 0);
    assert_eq!(try_game(NIM, r#"{"piles": [2, -1]}"#).unwrap_err(), "a heap cannot be negative\n  piles = [2, -1]");
}

#[test]
fn kayles_splits() {
    let bound = game(
        "game kayles(rows: [int]) {
            sum of row(n in 0..=max(rows, 0)) from rows;
            move knock(k in 1..=2, left in 0..=n - k) { split (left), (n - k - left); }
        }",
        r#"{"rows": [5, 2]}"#,
    );
    let all = options(&bound);
    assert_eq!(all[0], "knock(1, 0) in part 0 -> part 0: n = 0; part 1: n = 4; part 2: n = 2");
    assert_eq!(all[5], "knock(2, 0) in part 0 -> part 0: n = 0; part 1: n = 3; part 2: n = 2");
    assert_eq!(all.last().unwrap(), "knock(2, 0) in part 1 -> part 0: n = 5; part 1: n = 0; part 2: n = 0");
    assert_eq!(all.len(), 9 + 3);
}

#[test]
fn cat_and_mouse_has_owners_and_winners() {
    let bound = game(
        r#"game cat_and_mouse(graph: [[int]]) {
            let n = len(graph);
            require n >= 3 : "the graph needs a hole, a mouse and a cat";
            state { mouse in 0..n = 1; cat in 0..n = 2; }
            end when mouse == 0   => winner first;
            end when mouse == cat => winner second;
            move first  run(to in graph[mouse])              { mouse = to; }
            move second hunt(to in graph[cat]) when to != 0  { cat = to; }
        }"#,
        r#"{"graph": [[2, 5], [3, 5, 3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]}"#,
    );
    assert_eq!(labels(&bound), ["run(3)", "run(5)"]);
    let mut interpreter = Interpreter::new(&bound);
    assert_eq!(interpreter.end(&[0, 2], Player::FIRST), Ok(Some(End::Outcome(Outcome::Win))));
    assert_eq!(interpreter.end(&[0, 2], Player::SECOND), Ok(Some(End::Outcome(Outcome::Loss))));
    assert_eq!(interpreter.end(&[3, 3], Player::SECOND), Ok(Some(End::Outcome(Outcome::Win))));
    let after = Position { parts: vec![[3, 2].into()], turn: Player::SECOND };
    let hunts: Vec<String> = moves_of(&bound, &after).unwrap().into_iter().map(|m| m.0).collect();
    assert_eq!(hunts, ["hunt(4)", "hunt(5)"]);
}

const TIC_TAC_TOE: &str = r#"game tic_tac_toe(size: int = 3) {
    require size >= 1;
    state { board in [{empty, x, o}; size * size] = [empty; size * size]; }
    fn full_line(p: int) -> bool {
        any(all(board[r * size + c] == p for c in 0..size) for r in 0..size)
        or any(all(board[r * size + c] == p for r in 0..size) for c in 0..size)
        or all(board[d * size + d] == p for d in 0..size)
        or all(board[d * size + size - 1 - d] == p for d in 0..size)
    }
    end when full_line(1 + opponent) => lose;
    move place(at in 0..size * size) when board[at] == empty { board[at] = 1 + mover; }
    stuck => draw;
    symmetry board by [(i % size) * size + size - 1 - i / size for i in 0..size * size];
    show grid(board, size, size) { empty: ".", x: "X", o: "O" };
}"#;

#[test]
fn tic_tac_toe_is_drawn_and_played() {
    let bound = game(TIC_TAC_TOE, "{}");
    assert_eq!(bound.instance().to_string(), r#"{"size": 3}"#);
    assert_eq!(bound.layout.bits(), 18);
    assert_eq!(labels(&bound).len(), 9);
    let position = Position { parts: vec![[1, 0, 2, 0, 1, 0, 2, 0, 1].into()], turn: Player::SECOND };
    assert_eq!(show::draw(&bound, &position).unwrap(), "X . O\n. X .\nO . X");
    assert_eq!(show::position_text(&bound, &position), "board = [x, empty, o, empty, x, empty, o, empty, x]");
    let mut interpreter = Interpreter::new(&bound);
    assert_eq!(interpreter.end(&position.parts[0], Player::SECOND), Ok(Some(End::Outcome(Outcome::Loss))));
    assert_eq!(interpreter.end(&bound.start.parts[0], Player::FIRST), Ok(None));
    assert_eq!(interpreter.stuck(&position.parts[0], Player::FIRST), Ok(End::Outcome(Outcome::Draw)));
    let mut turned = [0; 9];
    bound.symmetries[0].apply(&bound.layout, &[1, 2, 0, 0, 0, 0, 0, 0, 0], &mut turned);
    assert_eq!(turned, [0, 0, 0, 2, 0, 0, 1, 0, 0]);
}

#[test]
fn a_move_that_leaves_a_domain_is_told_with_everything() {
    let bound = game("game g(n: int) { state { a in 0..=n = n; } move take(k in 1..=3) { a -= k; } }", r#"{"n": 2}"#);
    assert_eq!(
        fault(&bound),
        "the move `take(3)` leaves a domain: a = -1 is outside 0..=2\n  in the position a = 2, first to move\n  help: guard the move with `when`, or widen the domain"
    );
}

/// The value of a constant expression as text; of a wrong one, the title of what is wrong.
fn value(expression: &str) -> String {
    value_with("", expression)
}

/// The same with further items before it, such as functions.
fn value_with(items: &str, expression: &str) -> String {
    let source =
        format!("game g() {{ {items} let answer = {expression}; state {{ a in 0..=0 = 0; }} move m {{ a = 1; }} }}");
    match try_game(&source, "{}") {
        Ok(bound) => {
            let last = bound.program.lets.iter().position(|item| item.name == "answer").unwrap();
            let ty = &bound.program.lets[last].value.ty;
            show::ValueText { value: &bound.globals[bound.program.params.len() + last], ty }.to_string()
        }
        Err(text) => text.lines().next().unwrap_or_default().to_string(),
    }
}

#[test]
fn arithmetic() {
    for (expression, expected) in [
        ("1 + 2 * 3 - 4", "3"),
        ("7 / 2", "3"),
        ("-7 / 2", "-4"),
        ("7 / -2", "-4"),
        ("-7 % 3", "2"),
        ("7 % -3", "-2"),
        ("(0 - 9223372036854775807 - 1) % -1", "0"),
        ("9223372036854775807 + 1", "overflow: 9223372036854775807 + 1 does not fit in 64 bits"),
        ("-9223372036854775807 - 2", "overflow: -9223372036854775807 - 2 does not fit in 64 bits"),
        ("3037000500 * 3037000500", "overflow: 3037000500 * 3037000500 does not fit in 64 bits"),
        ("(-9223372036854775807 - 1) / -1", "overflow: -9223372036854775808 / -1 does not fit in 64 bits"),
        ("-(-9223372036854775807 - 1)", "overflow: -(-9223372036854775808) does not fit in 64 bits"),
        ("1 / 0", "division by zero: 1 / 0"),
        ("1 % 0", "division by zero: 1 % 0"),
        ("1 < 2 and 2 <= 2 and not (3 > 3) and 3 >= 3 and 1 != 2", "true"),
        ("false and 1 / 0 == 1", "false"),
        ("true or 1 / 0 == 1", "true"),
        ("if 1 < 2 then 10 else 1 / 0", "10"),
        ("'a' + 1", "98"),
        ("first + second * 10 + third * 100", "210"),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn built_in_functions() {
    for (expression, expected) in [
        ("len([3, 4])", "2"),
        ("len(\"h\u{e9}!\")", "3"),
        ("len({1, 2, 1})", "2"),
        ("min(3, [2, 5], 4)", "2"),
        ("max([7], {9, 1}, 8)", "9"),
        ("min({4, 2})", "2"),
        ("max([], 0)", "0"),
        ("sum([1, 2], 3, [4])", "10"),
        ("sum([])", "0"),
        ("sum([9223372036854775807, 1, -1])", "9223372036854775807"),
        ("sum([9223372036854775807, 1])", "overflow: the total 9223372036854775808 does not fit in 64 bits"),
        ("xor([5, 3])", "6"),
        ("xor(5, 3, 6)", "0"),
        ("gcd(12, -18)", "6"),
        ("gcd([0, 0])", "0"),
        ("abs(-3)", "3"),
        ("abs(-9223372036854775807 - 1)", "overflow: abs(-9223372036854775808) does not fit in 64 bits"),
        ("pow(3, 4)", "81"),
        ("pow(-2, 63)", "-9223372036854775808"),
        ("pow(2, 63)", "overflow: pow(2, 63) does not fit in 64 bits"),
        ("pow(2, -1)", "`pow(2, -1)`"),
        ("pow(0, 0)", "1"),
        ("isqrt(99)", "9"),
        ("isqrt(9223372036854775807)", "3037000499"),
        ("isqrt(-1)", "`isqrt` of -1"),
        ("bit_and(12, 10)", "8"),
        ("bit_or(12, 10)", "14"),
        ("shl(3, 4)", "48"),
        ("shl(-1, 63)", "-9223372036854775808"),
        ("shl(1, 63)", "overflow: shl(1, 63) does not fit in 64 bits"),
        ("shl(0, 1000)", "0"),
        ("shr(-5, 1)", "-3"),
        ("shr(5, 1000)", "0"),
        ("shr(-5, 1000)", "-1"),
        ("shr(5, -1)", "`shr(5, -1)`"),
        ("popcount(255)", "8"),
        ("popcount(-1)", "`popcount` of -1"),
        ("divisors(12)", "[1, 2, 3, 4, 6, 12]"),
        ("divisors(0)", "`divisors` of 0"),
        ("len(divisors(897612484786617600))", "103680"),
        ("sort([3, 1, 2, 1])", "[1, 1, 2, 3]"),
        ("sort({3, 1})", "[1, 3]"),
        ("reverse([1, 2, 3])", "[3, 2, 1]"),
        ("reverse(\"abc\") == \"cba\"", "true"),
        ("reverse([[1], [2, 3]])", "[[2, 3], [1]]"),
        ("min([])", "`min` of nothing"),
        ("max({})", "`max` of nothing"),
        ("max(x for x in 0..0)", "`max` of nothing"),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn lists_sets_and_slices() {
    for (expression, expected) in [
        ("[1, 2, 3][1]", "2"),
        ("[[1, 2], [3]][1][0]", "3"),
        ("[1, 2, 3][3]", "index 3 is out of range: the list has 3 items"),
        ("[1, 2, 3][-1]", "index -1 is out of range: the list has 3 items"),
        ("[1, 2, 3][1..3]", "[2, 3]"),
        ("[1, 2, 3][3..3]", "[]"),
        ("[1, 2, 3][2..1]", "the slice 2..1 is out of range: the list has 3 items"),
        ("[1, 2, 3][0..4]", "the slice 0..4 is out of range: the list has 3 items"),
        ("[1, 2, 3][-1..2]", "the slice -1..2 is out of range: the list has 3 items"),
        ("sum([1, 2, 3, 4][1..3])", "5"),
        ("[[1], [2]][1..2]", "[[2]]"),
        ("[7; 3]", "[7, 7, 7]"),
        ("[[0; 2]; 2]", "[[0, 0], [0, 0]]"),
        ("[7; -1]", "a list cannot have -1 items"),
        ("[x * x for x in 0..4]", "[0, 1, 4, 9]"),
        ("[x * 10 + y for x in 0..3 for y in x..3 when x != y]", "[1, 2, 12]"),
        ("[x for x in 3..=1]", "[]"),
        ("[1] == [1]", "true"),
        ("[] == [1][1..1]", "true"),
        ("[[1], []] != [[1], [2]]", "true"),
        ("\"ab\" == ['a', 'b']", "true"),
        ("{2, 1} == {1, 2, 2}", "true"),
        ("{x % 3 for x in 0..10}", "{0, 1, 2}"),
        ("{}", "{}"),
        ("3 in 0..3", "false"),
        ("3 in 0..=3", "true"),
        ("2 in [1, 2]", "true"),
        ("2 in {1, 3}", "false"),
        ("[2] in [[1], [2]]", "true"),
        ("'b' in \"abc\"", "true"),
        ("sum(x for x in {5, 1, 5})", "6"),
        ("count(x > 1 for x in [1, 2, 3])", "2"),
        ("count(x for x in [0, 0, 3])", "3"),
        ("any(x == 2 for x in [1, 2])", "true"),
        ("any(x == 1 for x in 0..0)", "false"),
        ("all(x == 1 for x in 0..0)", "true"),
        ("any(1 / x > 0 for x in [1, 0])", "true"),
        ("all(1 / x > 1 for x in [1, 0])", "false"),
        ("xor(x for x in 1..=3)", "0"),
        ("min(x * x for x in -3..=3 when x != 0)", "1"),
        ("max(x + y for x in 0..3 for y in 0..x)", "3"),
        ("sum(9223372036854775807 for x in 0..2)", "overflow: the total 18446744073709551614 does not fit in 64 bits"),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn functions_run_their_statements() {
    let items = "
        fn collatz(n: int) -> int { var x = n; var steps = 0; for i in 0..1000 { if x == 1 { break; } steps += 1;
            if x % 2 == 0 { x = x / 2; } else { x = 3 * x + 1; } } return steps; }
        fn first_even(a: [int]) -> int { for x in a { if x % 2 != 0 { continue; } return x; } -1 }
        fn sign(x: int) -> int { if x < 0 { return -1; } else if x == 0 { return 0; } else { return 1; } }
        fn changed(a: [int]) -> [int] { var b = a; b[0] = 9; b[1] += 5; b[2] -= 1; b }
        fn grid() -> [[int]] { var g = [[0; 2]; 2]; g[1][0] = 7; g[1][0] += 1; g }
        fn gather() -> set { var s = {3}; s += 1; s += 3; s -= 9; s -= 3; s += 5; s }
        fn double(x: int) -> int { x * 2 }
        fn quadruple(x: int) -> int { double(double(x)) + sum(double(0) for i in 0..x) }
        fn nested() -> int { var total = 0; for i in 0..3 { for j in 0..3 { if j == 2 { break; } if i == 1 { continue; } total += 10 * i + j; } } total }
        let list = [1, 2, 3];";
    for (expression, expected) in [
        ("collatz(27)", "111"),
        ("first_even([3, 5, 4, 6])", "4"),
        ("first_even([3])", "-1"),
        ("[sign(x) for x in [-5, 0, 5]]", "[-1, 0, 1]"),
        ("changed(list)", "[9, 7, 2]"),
        ("[changed(list), list]", "[[9, 7, 2], [1, 2, 3]]"),
        ("grid()", "[[0, 0], [8, 0]]"),
        ("quadruple(3)", "12"),
        ("nested()", "42"),
        ("changed([1, 2])", "index 2 is out of range: the list has 2 items"),
    ] {
        assert_eq!(value_with(items, expression), expected, "{expression}");
    }
    assert_eq!(
        value_with(
            &items
                .replace("fn gather() -> set {", "fn gather() -> [int] {")
                .replace("s += 5; s }", "s += 5; sort(s) }"),
            "gather()"
        ),
        "[1, 5]"
    );
}

#[test]
fn too_much_work_is_a_fault() {
    let text = value("sum(len([0; 10000000]) for x in 0..1000000)");
    assert!(text.starts_with("this rule needs too much work here"), "{text}");
    assert!(value("len([0; 1000000000000])").starts_with("this rule needs too much work here"));
    assert!(value("len([x for x in 0..1000000000000])").starts_with("this rule needs too much work here"));
    let bound =
        game("game g() { state { a in 0..=9 = 0; } move m(k in 0..1000000000000000000) when k < 0 { a = 1; } }", "{}");
    let text = fault(&bound);
    assert!(text.starts_with("this rule needs too much work here"), "{text}");
    assert!(text.contains("in the position a = 0, first to move"), "{text}");
}

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
    assert!(wrong("s += k;").starts_with("a domain is left: s cannot contain 7, outside set of 1..=3"));
    assert!(wrong("s = {k};").starts_with("a domain is left: s contains 7, outside set of 1..=3"));
    assert!(wrong("a[1] = 10;").starts_with("the move `go(7)` leaves a domain: a[1] = 10 is outside 0..=9"));
    assert!(wrong("a = [1, 2];").starts_with("a domain is left: a holds 3 items, and was given 2 items"));
    assert!(wrong("turn = k - 5;").starts_with("there is no player 2"));
    assert!(wrong("n = 9223372036854775807; n += k;").starts_with("overflow: 9223372036854775807 + 7"));
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
    let start = std::time::Instant::now();
    let measured = Interpreter::new(&bound).measure(&bound.start.parts[0], Player(0)).unwrap();
    assert!(measured.is_some());
    assert!(start.elapsed().as_secs_f64() < 2.0, "{:?}", start.elapsed());
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
