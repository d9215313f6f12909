//! What the language page shows or implies is read and accepted, and binds as it says.

use rules::program::{BinaryOp, Domain, Program, Source, StmtKind};
use rules::syntax::parser::parse;
use rules::syntax::tree::{Expr, ExprKind, ItemKind, Loop};
use rules::types::Type;

/// The program of a file that must be right.
fn accepted(source: &str) -> Program {
    match rules::compile(source) {
        Ok(program) => program,
        Err(diagnostics) => panic!("{}", rules::report::report("test.game", source, &diagnostics, false)),
    }
}

/// A small game around some items.
fn with(items: &str) -> Program {
    accepted(&format!(
        "game g(n: int = 3, list: [int] = [1, 2], grid: [[int]] = [[1], [2]], word: text = \"ab\", yes: bool = true) {{\n\
         state {{ left in 0..=9 = n; board in [0..=2; 9] = [0; 9]; table in [[0..=9; 3]; 3] = [[0; 3]; 3];\n\
         seen in set of 0..9 = {{}}; over in bool = false; }}\n\
         move down when left > 0 {{ left -= 1; }}\n{items}\n}}"
    ))
}

/// A game that counts, with one move of these statements.
fn with_statements(statements: &str) -> Program {
    with(&format!("move act(k in 0..3) {{ {statements} }}"))
}

/// How an expression binds, every operation in parentheses.
fn shape_of(expression: &str) -> String {
    let source = format!("game g {{ let x = {expression}; }}");
    let (file, diagnostics) = parse(&source);
    assert!(diagnostics.is_empty(), "{expression}: {diagnostics:?}");
    let items = file.expect("the file has a tree").items;
    let Some(ItemKind::Let(_, value)) = items.first().map(|item| &item.kind) else {
        panic!("{expression}: no let");
    };
    shape(value)
}

fn check_shape(expression: &str, expected: &str) {
    assert_eq!(shape_of(expression), expected, "{expression}");
}

fn shapes(items: &[Expr]) -> String {
    items.iter().map(shape).collect::<Vec<_>>().join(", ")
}

fn shape_loops(loops: &[Loop]) -> String {
    let one = |l: &Loop| {
        let when = l.when.as_ref().map_or(String::new(), |when| format!(" when {}", shape(when)));
        format!(" for {} in {}{when}", l.name.text, shape(&l.over))
    };
    loops.iter().map(one).collect()
}

fn shape(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Int(value) | ExprKind::Char(value) => value.to_string(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Mover => "mover".to_string(),
        ExprKind::Opponent => "opponent".to_string(),
        ExprKind::Negate(a) => format!("(- {})", shape(a)),
        ExprKind::Not(a) => format!("(not {})", shape(a)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", shape(a), sign(*op), shape(b)),
        ExprKind::And(a, b) => format!("({} and {})", shape(a), shape(b)),
        ExprKind::Or(a, b) => format!("({} or {})", shape(a), shape(b)),
        ExprKind::In(a, b) => format!("({} in {})", shape(a), shape(b)),
        ExprKind::If(c, a, b) => format!("(if {} then {} else {})", shape(c), shape(a), shape(b)),
        ExprKind::Index(a, i) => format!("{}[{}]", shape(a), shape(i)),
        ExprKind::Slice(a, low, high, inclusive) => {
            let part = |e: &Option<Box<Expr>>| e.as_ref().map_or(String::new(), |e| shape(e));
            format!("{}[{}{}{}]", shape(a), part(low), if *inclusive { "..=" } else { ".." }, part(high))
        }
        ExprKind::Range(a, b, inclusive) => {
            format!("({}{}{})", shape(a), if *inclusive { "..=" } else { ".." }, shape(b))
        }
        ExprKind::Call(name, arguments) => format!("{}({})", name.text, shapes(arguments)),
        ExprKind::Fold(name, item, loops) => format!("{}({}{})", name.text, shape(item), shape_loops(loops)),
        ExprKind::List(items) => format!("[{}]", shapes(items)),
        ExprKind::Repeat(item, length) => format!("[{}; {}]", shape(item), shape(length)),
        ExprKind::Comprehension(item, loops) => format!("[{}{}]", shape(item), shape_loops(loops)),
        ExprKind::Set(items) => format!("{{{}}}", shapes(items)),
        ExprKind::SetComprehension(item, loops) => format!("{{{}{}}}", shape(item), shape_loops(loops)),
        ExprKind::Mistake => "wrong".to_string(),
    }
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
    }
}

#[test]
fn operators_bind_as_the_page_says() {
    check_shape("a + b * c - d", "((a + (b * c)) - d)");
    check_shape("a - b - c", "((a - b) - c)");
    check_shape("a / b * c % d", "(((a / b) * c) % d)");
    check_shape("-a * b", "((- a) * b)");
    check_shape("-a[0]", "(- a[0])");
    check_shape("- -a", "(- (- a))");
    check_shape("a - -b", "(a - (- b))");
    check_shape("a..b + 1", "(a..(b + 1))");
    check_shape("a + 1..=b * 2", "((a + 1)..=(b * 2))");
    check_shape("x in a..b", "(x in (a..b))");
    check_shape("not x in s", "(not (x in s))");
    check_shape("x not in s", "(not (x in s))");
    check_shape("not a == b", "(not (a == b))");
    check_shape("not not a", "(not (not a))");
    check_shape("not a and b", "((not a) and b)");
    check_shape("a and b or c and d", "((a and b) or (c and d))");
    check_shape("a or b and not c", "(a or (b and (not c)))");
    check_shape("a or b or c", "((a or b) or c)");
    check_shape("a < b and c >= d", "((a < b) and (c >= d))");
    check_shape("a + b == c * d", "((a + b) == (c * d))");
    check_shape("(a == b) == (c != d)", "((a == b) == (c != d))");
}

#[test]
fn if_binds_loosest_and_nests() {
    check_shape("if a then b else c + 1", "(if a then b else (c + 1))");
    check_shape("if a or b then c else d", "(if (a or b) then c else d)");
    check_shape("if a then b else if c then d else e", "(if a then b else (if c then d else e))");
    check_shape("if a then if b then c else d else e", "(if a then (if b then c else d) else e)");
    check_shape("1 + if a then b else c * 2", "(1 + (if a then b else (c * 2)))");
    check_shape("(if a then b else c) * 2", "((if a then b else c) * 2)");
    check_shape("a[if b then 0 else 1]", "a[(if b then 0 else 1)]");
}

#[test]
fn indices_slices_calls_and_loops() {
    check_shape("a[i][j]", "a[i][j]");
    check_shape("a[i + 1..j - 1]", "a[(i + 1)..(j - 1)]");
    check_shape("a[..j]", "a[..j]");
    check_shape("a[i..]", "a[i..]");
    check_shape("a[..]", "a[..]");
    check_shape("a[i..=j][0]", "a[i..=j][0]");
    check_shape("a[..=j]", "a[..=j]");
    check_shape("f()", "f()");
    check_shape("f(a, b + 1,)", "f(a, (b + 1))");
    check_shape("f(a)[0]", "f(a)[0]");
    check_shape("sum(x for x in a)", "sum(x for x in a)");
    check_shape(
        "sum(x * y for x in a when x > 0 for y in x..n when y != x)",
        "sum((x * y) for x in a when (x > 0) for y in (x..n) when (y != x))",
    );
    check_shape("[[0; n] for i in 0..n]", "[[0; n] for i in (0..n)]");
    check_shape("any(all(b for c in x) for r in y)", "any(all(b for c in x) for r in y)");
    check_shape("[1, 2, 3,]", "[1, 2, 3]");
    check_shape("[]", "[]");
    check_shape("{}", "{}");
    check_shape("{a, b,}", "{a, b}");
    check_shape("{i for i in 0..9 when i % 2 == 0}", "{i for i in (0..9) when ((i % 2) == 0)}");
    check_shape("'x'", "120");
    check_shape(r"'\''", "39");
    check_shape(r#""say \"hi\"\n""#, r#""say \"hi\"\n""#);
    check_shape("1_000_000", "1000000");
    check_shape("9223372036854775807", "9223372036854775807");
}

#[test]
fn every_game_of_the_gallery_is_accepted() {
    let games = testkit::files::gallery();
    assert!(games.len() > 50);
    games.iter().for_each(|(_, text)| drop(accepted(text)));
}

#[test]
fn headers_with_and_without_parameters() {
    let body = "{ state { a in 0..=3 = 3; } move down when a > 0 { a -= 1; } }";
    assert_eq!(accepted(&format!("game g {body}")).params.len(), 0);
    assert_eq!(accepted(&format!("game g() {body}")).params.len(), 0);
    assert_eq!(accepted(&format!("game g(n: int,) {body}")).params.len(), 1);
    let many = accepted(&format!("game g(a1: int, b: bool = true, t: text = \"x\", l: [[int]] = [[1], []]) {body}"));
    assert_eq!(many.params.len(), 4);
    assert_eq!(many.params[2].ty, Type::Text);
}

#[test]
fn comments_documentation_and_odd_line_ends() {
    let source = "\u{feff}// a comment\r\n/// What it is: größer, 大.\r\n///\r\n/// More.\r\ngame g { // here\r\n\
                  /// not documentation\r\n//// nor this\r\nstate { a in 0..=3 = 3; }\r\n\
                  move down when a > 0 { a -= 1; } // end\r\nshow \"a = {a} ✓\";\r\n}\r\n// behind\r\n/// too";
    let program = accepted(source);
    assert_eq!(program.doc, ["What it is: größer, 大.", "", "More."]);
}

#[test]
fn every_item_in_any_order() {
    let program = accepted(
        "game g(list: [int], k: int = 2) {
            example { list: [1, 2], } gives { winner: first, value: -3, scores: [1, 4], best_moves: [\"up(1)\"],
                unique: true, remoteness: 3, outcome: lose, kind: score, method: \"x\", line: [], positions: 10, };
            sample { k in {1, 2, 5}; list in [1..=9; 0..=k + 3]; };
            claim value = a + 1 when k == 1;
            claim winner = if k > 2 then draw else first;
            claim outcome = draw;
            estimate at;
            measure n - at;
            show \"{at} of {n}, {{braces}}, {len({1, 2})}\";
            objective difference;
            stuck => score half(at);
            end when at == n => payoffs [at, -at];
            move up(by in 1..=k) when at + by <= n { gain list[at]; at += by; }
            starts second;
            players 2;
            fn half(x: int) -> int { let y = x; return y / 2; }
            state { at in 0..=n = 0; };
            let n = len(list) + zero;
            let a = half(n);
            let zero = 0;
            require all(x >= 0 for x in list) : \"no debts\";
            require k > 0;
        }",
    );
    assert_eq!((program.lets.len(), program.requires.len(), program.claims.len()), (3, 2, 3));
    let order: Vec<&str> = program.lets.iter().map(|l| l.name.as_str()).collect();
    let place = |name: &str| order.iter().position(|known| *known == name);
    assert!(place("zero") < place("n") && place("n") < place("a"));
}

#[test]
fn results_of_every_kind() {
    for result in ["win", "lose", "draw", "winner first", "winner mover", "winner opponent", "winner 1 - mover"] {
        with(&format!("end when left == 0 => {result};\nstuck => {result};"));
    }
    for result in ["score 0", "score left - 3", "payoffs [1, 2]", "payoffs [left, 0]", "payoffs list"] {
        with(&format!("end when left == 0 => {result};\nstuck => {result};"));
    }
    with("forever => draw;");
    with("forever => winner second;");
    with("forever => winner n % 2;");
}

#[test]
fn boards_symmetries_regions_and_grids() {
    accepted(
        "game g(size: int = 3) {
            state { board in [{empty, x, o}; size * size] = [empty; size * size]; }
            move place(at in 0..size * size) when board[at] == empty { board[at] = x; }
            symmetry board by [(i % size) * size + size - 1 - i / size for i in 0..size * size];
            symmetry board by reverse([i for i in 0..size * size]);
            regions board as size by size where cell == empty;
            show grid(board, size, size) { empty: \".\", x: \"X\", o: \"O\", };
        }",
    );
    with("show grid(board, 3, 3);");
    with("show grid(table, 3, 3) { 0: \" \" };");
    with("show grid([over, not over], 1, 2) { true: \"#\", false: \".\" };");
}

#[test]
fn domains_of_variables_choices_and_samples() {
    let program = with(
        "move a(x in bool, y in {red, blue}, z in set of 0..left, w in [0..=1; 2], v in [set of {red, blue}; n]) {}
         move b(x in list, y in grid[0], z in seen, w in [1, 3, 4], v in {1, 2}, u in {left, n}, t in \"ab\") {}
         move c(x in 0..left, y in x..=left, z in [i for i in 0..n when board[i] == 0]) {}
         move d(x in {first, second}, y in {blue}, z in {second, first}) {}",
    );
    let sources = |index: usize| program.moves[index].choices.iter().map(|c| &c.source).collect::<Vec<_>>();
    assert!(sources(1).iter().all(|source| matches!(source, Source::Domain(_))));
    assert!(sources(2).iter().all(|source| matches!(source, Source::Items(_))));
    assert!(matches!(sources(1)[1], Source::Domain(Domain::Names(names)) if names == &["red", "blue"]));
    assert!(matches!(sources(4)[1], Source::NamedItems(items) if items == &[("blue".to_string(), 1)]));
    let constants: Vec<(&str, i64)> = program.constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    assert_eq!(constants, [("red", 0), ("blue", 1), ("first", 0), ("second", 1)]);
}

#[test]
fn the_same_constant_may_stand_in_two_domains() {
    accepted(
        "game g {
            state { a in {none, x, o} = none; b in [[{none, x}; 2]; 2] = [[none; 2]; 2]; c in set of {none, x} = {x}; }
            move go when a == none { a = o; b[0][1] = x; c -= none; }
        }",
    );
}

#[test]
fn players_may_be_the_constants_of_a_domain() {
    let program = accepted(
        "game g {
            state { owner in {first, second} = first; line in [{first, second, nobody}; 2] = [nobody; 2]; }
            move take(who in {second}) when owner != who { owner = who; line[0] = second; }
        }",
    );
    assert!(matches!(&program.variables[0].domain, Domain::Names(names) if names == &["first", "second"]));
}

#[test]
fn moves_of_players_and_moves_named_like_them() {
    let program = with(
        "move first up { left = 9; }
         move second up(k in 1..=2) when left > k { left -= k; }
         move first when left > 3 { left -= 3; }
         move second(k in 1..=2) { over = true; }
         move first first {}
         move pass {}
         move quit() {}",
    );
    let owners: Vec<(&str, Option<u8>)> = program.moves[1..].iter().map(|m| (m.name.as_str(), m.owner)).collect();
    let expected = [
        ("up", Some(0)),
        ("up", Some(1)),
        ("first", None),
        ("second", None),
        ("first", Some(0)),
        ("pass", None),
        ("quit", None),
    ];
    assert_eq!(owners, expected);
    accepted("game g { players 3; state { a in 0..=3 = 3; } move third go when a > 0 { a -= 1; } }");
}

/// Words that mean something in one place only.
const WORDS: &str = "
    grid cell by as own of from set sum count score value win lose draw winner payoffs text part sample
    show example gives claim measure estimate end stuck forever objective difference symmetry regions
    where players starts require gain again split int bool min max len any all xor sort nimber outcome
";

#[test]
fn words_that_are_special_only_in_their_place_are_names_elsewhere() {
    for word in WORDS.split_whitespace() {
        // As a parameter, a let, a function's argument, a choice, a local, a loop variable, a move.
        accepted(&format!(
            "game {word}({word}: int = 3) {{ state {{ a in 0..={word} = {word}; }} move {word} when a > 0 {{ a -= 1; }} }}"
        ));
        accepted(&format!(
            "game g {{ let {word} = 3; state {{ a in 0..={word} + 1 = {word}; }} move go when a > {word} {{ a -= {word}; }} }}"
        ));
        accepted(&format!(
            "game g {{ state {{ {word} in 0..=3 = 3; }} move go when {word} > 0 {{ {word} -= 1; }} show \"{{{word}}}\"; }}"
        ));
        accepted(&format!(
            "game g {{ state {{ a in 0..=3 = 3; }} fn f({word}: int) -> int {{ {word} + 1 }} move go({word} in 1..=f(1)) when {word} <= a {{ a -= {word}; }} }}"
        ));
        accepted(&format!(
            "game g {{ state {{ a in 0..=3 = 3; }} move go when a > 0 {{ var {word} = 1; {word} += 0; {word} = {word}; a -= {word}; for {word} in 0..0 {{ a -= {word}; }} }} }}"
        ));
        accepted(&format!(
            "game g {{ state {{ {word} in [0..=3; 2] = [0, 1]; }} move go when {word}[0] > 0 {{ {word}[0] -= 1; {word}[1] = sum({word}); }} }}"
        ));
        accepted(&format!(
            "game g {{ state {{ a in {{{word}, other}} = {word}; }} move go when a == {word} {{ a = other; }} }}"
        ));
        let builtin = rules::check::BUILTINS.iter().any(|(name, _)| *name == word);
        if !builtin {
            accepted(&format!(
                "game g {{ state {{ a in 0..=3 = 3; }} fn {word}(x: int) -> int {{ x }} move go when {word}(a) > 0 {{ a -= 1; }} }}"
            ));
        }
    }
}

#[test]
fn locals_and_choices_may_shadow() {
    with("move a(n in 0..3, left in 0..n) when left < n { board[left] = 0; let n = 4; var list = n; list += 1; }");
    with("fn f(left: int, n: int) -> int { let list = [n; 3]; for n in list { if n > left { return n; } } 0 }");
    with("let total = sum(n for n in list when n > 0);");
    with("move a(first in 0..3) { let second = first; board[first] = second; }");
}

#[test]
fn statements_of_every_kind() {
    let program = with_statements(
        "let a = k; var b = a; b += 1; b -= 1; b = 3; left = b; left += 0; left -= 0;
         board[k] = 1; board[k] += 1; table[k][0] = 1; table[k][0] += 1; table[k] = [1, 2, 3]; board = [0; 9];
         seen += k; seen -= k; seen = {k}; over = not over;
         var row = [0; 3]; row[1] = 2; row[1] -= 2;
         if a > 1 { left = 1; } else if a > 0 { left = 2; } else { left = 3; }
         if a == 0 {}
         for i in 0..3 { if i == 1 { continue; } if i == 2 { break; } board[i] = i; }
         for x in seen { left = x; } for x in list { b += x; } for c in word { b += c; }
         for row in table { b += row[0]; }
         gain 1; gain b - 2 for second; gain a for 1 - mover; gain 0 for opponent;
         again; turn = first; turn = (mover + 1) % 2; ;",
    );
    assert!(program.counted);
    assert!(matches!(program.moves[1].body.last().map(|s| &s.kind), Some(StmtKind::Turn(_))));
}

#[test]
fn sums_of_parts_and_all_splits() {
    let of_one = |statements: &str| {
        accepted(&format!(
            "game g(rows: [int]) {{ sum of row(n in 0..=max(rows, 0)) from rows; move go(k in 1..=n) {{ {statements} }} }}"
        ))
    };
    for split in [
        "split;",
        "split (n - k);",
        "split (k - 1), (n - k);",
        "split (0), (0), (n - k),",
        "split [k - 1, n - k];",
        "split ([k - 1, n - k]);",
        "split [i for i in 0..k];",
        "n -= k;",
        "if k == 1 { split (0); } else { split; }",
    ] {
        let split = split.trim_end_matches(',');
        of_one(&if split.ends_with(';') || split.ends_with('}') { split.to_string() } else { format!("{split};") });
    }
    let of_two = |from: &str, statements: &str| {
        accepted(&format!(
            "game g(rows: [[int]], all: [int]) {{ sum of box(w in 0..=9, h in 0..=9) from {from};
             move go(k in 1..w) {{ gain k; {statements} }} stuck => score 0; }}"
        ))
    };
    of_two("rows", "split (k, h), (w - k, h);");
    of_two("[[1, 2], [3, 4]]", "split [[k, h], [w - k, h]];");
    of_two("[[x, x] for x in all]", "split [[i, h] for i in 0..k];");
    of_two("[]", "split;");
    accepted("game g { sum of p(s in set of 0..4) from [{0, 1}, {}]; move go(x in s) { s -= x; } }");
    accepted("game g { sum of p(a in [bool; 3]) from [[true; 3]]; move go(i in 0..3) when a[i] { a[i] = false; } }");
}

#[test]
fn functions_end_in_a_value_on_every_path() {
    with("fn f() -> int { left }");
    with("fn f(x: int) -> int { if x > 0 { 1 } else if x < 0 { -1 } else { 0 } }");
    with("fn f(x: int) -> int { if x > 0 { return 1; } if x < 0 then -1 else 0 }");
    with("fn f(s: set, t: text, l: [[int]], b: bool) -> set { if b then s else {len(t), len(l)} }");
    with("fn f(x: int) -> [int] { var a = [0; 3]; for i in 0..3 { a[i] = x + i; } a }");
    with("fn f() -> bool { any(board[i] == 1 + mover for i in 0..9) or not over }");
    with("fn f(l: [int]) -> int { sum(l[1..]) }\nlet a = f(list);");
    with("fn f() -> text { \"abc\" }\nlet a = len(f());");
}

#[test]
fn every_builtin_and_fold() {
    with(
        "let a = [len(list), len(word), len({1}), min(1, 2), min(list, 9), max(list), max({1, 2}), abs(-3), sum(list, 1),
            sum(list[0..1]), gcd(12, 18), gcd(list), pow(2, 10), isqrt(17), xor(list), xor(1, 2, list), bit_and(6, 3),
            bit_or(6, 3), shl(1, 4), shr(16, 2), popcount(7), len(divisors(12)), sort(list)[0], reverse(list)[0]];
         let b = [sum(x for x in list), min(x for x in 1..3), max(x for x in {1}), count(x > 1 for x in list),
            xor(x for x in list), gcd(x for x in list), count(x for x in list when x > 0)];
         let c = [any(x > 0 for x in list), all(x > 0 for x in list), any([true]), 3 in list, 'a' in word, 3 in {1, 2}];
         let d = reverse(word) == word and list == [1, 2] and {1} != {2} and grid[0] == [1] and word[0] == 'a';
         let e = [[r * 3 + c for c in 0..3] for r in 0..3];
         let f = [r * 3 + c for r in 0..3 when r != 1 for c in 0..r when c % 2 == 0];
         let g = if yes then \"x\" else word;
         let h = sort({3, 1, 2});",
    );
}

#[test]
fn lists_whose_length_the_instance_fixes_may_be_kept() {
    with_statements(
        "let a = [board[i] for i in 0..9]; let b = [0; n]; let c = [i for i in list when i > n]; left = a[0];",
    );
    with_statements("let some = {i for i in 0..9 when board[i] == 0}; left = len(some);");
    with_statements("for i in [j for j in 0..9 when board[j] == 0] { left = i; }");
    with("fn f() -> int { len([i for i in 0..9 when board[i] == 0]) + sum([left; left]) }");
}
