//! What expressions and functions are worth.

use super::*;

/// The value of a constant expression as text; of a wrong one, the title of what is wrong.
fn value(expression: &str) -> String {
    value_with("", expression)
}

/// The value of a constant expression after further items, such as functions.
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
    assert!(text.starts_with("this needs too much work"), "{text}");
    assert!(value("len([0; 1000000000000])").starts_with("this needs too much work"));
    assert!(value("len([x for x in 0..1000000000000])").starts_with("this needs too much work"));
    let bound =
        game("game g() { state { a in 0..=9 = 0; } move m(k in 0..1000000000000000000) when k < 0 { a = 1; } }", "{}");
    let text = fault(&bound);
    assert!(text.starts_with("this rule needs too much work here"), "{text}");
    assert!(text.contains("in the position a = 0, first to move"), "{text}");
}
