//! No text makes the compiler panic, hang or run out of stack, and every refusal says why, at a place of the text.

use std::time::{Duration, Instant};

use rules::report::report;
use rules::syntax::lexer::lex;
use testkit::Random;

/// Compiles and draws; what must hold for every text.
fn check(source: &str) {
    let started = Instant::now();
    if let Err(diagnostics) = rules::compile(source) {
        assert!(!diagnostics.is_empty(), "refused without a word: {source:?}");
        for diagnostic in &diagnostics {
            assert!(!diagnostic.title.trim().is_empty(), "no title: {source:?}");
            for (span, _) in diagnostic.label.iter().chain(&diagnostic.related) {
                assert!(source.get(span.range()).is_some(), "{:?} at {span:?} in {source:?}", diagnostic.title);
            }
        }
        let drawn = report("fuzz.game", source, &diagnostics, false);
        assert!(drawn.contains("Error"), "nothing drawn: {source:?}");
        assert!(drawn.len() < 200_000, "a report of {} bytes", drawn.len());
    }
    let limit = Duration::from_secs(20);
    assert!(
        started.elapsed() < limit,
        "{:?} for {:?}…",
        started.elapsed(),
        source.chars().take(80).collect::<String>()
    );
}

fn gallery() -> Vec<String> {
    testkit::files::gallery().into_iter().map(|(_, text)| text).collect()
}

/// The text cut into its tokens, each with the blanks before it.
fn pieces(source: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for token in lex(source, 0..source.len()).tokens {
        let end = token.span.end as usize;
        pieces.push(&source[start..end]);
        start = end;
    }
    pieces
}

#[test]
fn gallery_files_cut_at_every_token() {
    for source in gallery() {
        let mut length = 0;
        for piece in pieces(&source) {
            length += piece.len();
            check(&source[..length]);
        }
    }
}

#[test]
fn gallery_files_with_tokens_dropped_doubled_swapped_and_exchanged() {
    let files = gallery();
    let files: Vec<Vec<&str>> = files.iter().map(|source| pieces(source)).collect();
    let mut random = Random::new(0x9E37_79B9_7F4A_7C15);
    for round in 0..4000 {
        let mut tokens = files[round % files.len()].clone();
        let other = &files[random.below(files.len())];
        for _ in 0..1 + random.below(4) {
            let (i, j) = (random.below(tokens.len()), random.below(tokens.len()));
            match random.below(5) {
                0 => drop(tokens.remove(i)),
                1 => tokens.insert(i, tokens[i]),
                2 => tokens.swap(i, j),
                3 => tokens[i] = other[random.below(other.len())],
                _ => tokens.insert(i, other[random.below(other.len())]),
            }
        }
        check(&tokens.concat());
    }
}

#[test]
fn gallery_files_with_random_bytes() {
    const STRANGE: [&str; 16] =
        ["\0", "\u{feff}", "é", "大", "\r", "\"", "'", "\\", "{", "}", "(", "[", "\u{301}", "”", "𝄞", "\u{2028}"];
    let files = gallery();
    let mut random = Random::new(42);
    for round in 0..2000 {
        let mut bytes = files[round % files.len()].clone().into_bytes();
        for _ in 0..1 + random.below(8) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.below(256) as u8,
                1 => drop(bytes.splice(at..at, STRANGE[random.below(STRANGE.len())].bytes())),
                _ => drop(bytes.drain(at..(at + random.below(9)).min(bytes.len() - 1).max(at))),
            }
        }
        check(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn random_words_in_random_order() {
    let files = gallery();
    let words: Vec<&str> = files.iter().flat_map(|source| pieces(source)).collect();
    let mut random = Random::new(7);
    for _ in 0..1500 {
        let count = random.below(60);
        let text: String = (0..count).map(|_| words[random.below(words.len())]).collect();
        check(&text);
        check(&format!("game g(n: int) {{ state {{ a in 0..=n = n; }} move m(k in 0..a) {{ {text} }} }}"));
        check(&format!("game g(n: int) {{ {text} }}"));
    }
}

/// `repeated` many times where an expression, a statement, an item, a type or a domain stands.
fn check_nested(open: &str, inner: &str, close: &str) {
    let nested = |depth: usize| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
    check(&nested(100_000));
    check(&format!("game g {{ move m {{ let x = {}", nested(100_000)));
    for depth in [49, 101, 250, 5_000] {
        let deep = nested(depth);
        check(&deep);
        check(&format!("game g {{ let x = {deep}; state {{ a in 0..=3 = 3; }} move m {{ a = 1; }} }}"));
        check(&format!("game g {{ state {{ a in {deep} = 0; }} move m(k in {deep}) {{ {deep} }} }}"));
        check(&format!("game g(x: {deep}) {{ {deep} }}"));
        check(&format!("game g {{ show \"{{{deep}}}\"; }}"));
        check(&format!("game g {{ let x = {}", open.repeat(depth)));
        check(&format!("game g {{ move m {{ {}", open.repeat(depth)));
    }
}

#[test]
fn deep_nesting_of_every_bracket() {
    check_nested("(", "1", ")");
    check_nested("[", "1", "]");
    check_nested("{", "1", "}");
    check_nested("[0; ", "1", "]");
    check_nested("a[", "0", "]");
    check_nested("a[0..", "0", "]");
    check_nested("f(", "0", ")");
    check_nested("sum(x for x in ", "a", ")");
    check_nested("[x for x in ", "a", "]");
    check_nested("([{", "1", "}])");
    check_nested("set of ", "0..1", "");
}

#[test]
fn long_chains_of_every_operator() {
    for operator in ["+", "-", "*", "/", "%", "==", "<", "and", "or", "in", "..", ",", "not in", "when", "for x in"] {
        check_nested(&format!("a {operator} "), "a", "");
    }
    check_nested("- ", "1", "");
    check_nested("not ", "true", "");
    check_nested("if a then 1 else ", "1", "");
    check_nested("if ", "a", " then 1 else 2");
    check_nested("a", "[0]", "[0]");
    check_nested("f", "(0)", "(0)");
}

#[test]
fn deep_nesting_of_blocks_and_many_items() {
    check_nested("if a { ", "a = 1;", " }");
    check_nested("if a { } else ", "{ }", "");
    check_nested("for i in 0..1 { ", "a = 1;", " }");
    check_nested("state { ", "a in 0..1 = 0;", " }");
    check_nested("move m { ", "a = 1;", " }");
    check_nested("game g { ", "", " }");
    check_nested("end when a => win; ", "", "");
    check_nested("x = ", "1;", "");
    check_nested("gain [", "1;", "");
    check_nested("a in [[;", "", "");
    check_nested("a in [(;", "", "");
    check_nested("split (", "1", "),");
}

#[test]
fn lets_and_functions_that_need_one_another_deeply() {
    for depth in [50, 99, 100, 101, 500] {
        for width in [1, 20, 150] {
            let grow = |inner: String| format!("{inner}{}", " + 1".repeat(width));
            let lets: String = (0..depth).map(|i| format!("let a{i} = {};\n", grow(format!("a{}", i + 1)))).collect();
            let functions: String = (0..depth)
                .map(|i| {
                    let value = grow(format!("f{}(x)", i + 1));
                    let (open, close) = ("if x > 0 { ".repeat(30), " }".repeat(30));
                    format!("fn f{i}(x: int) -> int {{ {open} return {value}; {close} 0 }}\n")
                })
                .collect();
            let rest = "state { s in 0..=3 = 3; } move m when s > 0 { s -= 1; }";
            check(&format!("game g {{ {lets} let a{depth} = 0; {rest} }}"));
            check(&format!("game g {{ {functions} fn f{depth}(x: int) -> int {{ x }} {rest} }}"));
            check(&format!("game g {{ {lets} let a{depth} = a0; {rest} }}"));
        }
    }
}

#[test]
fn very_long_names_lines_texts_and_numbers() {
    for length in [1000, 100_000, 1_040_000] {
        let long = "x".repeat(length);
        check(&long);
        check(&format!("game {long} {{ }}"));
        check(&format!("game g {{ let {long} = {long}; }}"));
        check(&format!("game g {{ let a = \"{long}\"; let b = \"{long}"));
        check(&format!("game g {{ let a = {}; }}", "9".repeat(length)));
        check(&format!("game g {{ // {long}"));
        check(&format!("/// {long}\ngame g {{ }}"));
        check(&format!("game g {{ {} y }}", " ".repeat(length)));
        check(&"é".repeat(length / 2));
        check(&"\0".repeat(length));
        check(&"\n".repeat(length));
        check(&"\"".repeat(length));
        check(&"?".repeat(length));
        check(&";".repeat(length));
        check(&"a in ".repeat(length / 5));
        check(&format!("game g {{ state {{ {} }} }}", "a in [(;".repeat(length / 8)));
        check(&format!("game g {{ state {{ {} }} }}", "a in [[;".repeat(length / 8)));
        check(&format!("game g {{ move m {{ {} }} }}", "gain [".repeat(length / 7)));
        check(&format!("game g {{ move m {{ {} }} }}", "x = y;\n".repeat(length / 8)));
        check(&format!("game g {{ {} }}", "let a = 1;\n".repeat(length / 12)));
        check(&format!("game g {{ show \"{}\"; }}", "{a}".repeat(length / 4)));
        check(&format!("game g {{ show \"{}\"; }}", "{".repeat(length / 2)));
    }
    check(&"x".repeat(2_000_000));
}

#[test]
fn show_whose_text_is_not_closed_behind_a_wide_letter() {
    check("game g { show \"left:ᄉ");
    check("game g { show \"left:ᄉ;\n}");
    check("game g { show “left:ᄉ”; }");
    check("game g { show “{ᄉ”; }");
    check("game g { show \"\\\"; }");
}

#[test]
fn odd_beginnings_and_ends() {
    for source in [
        "", " ", "\u{feff}", "\0", "game", "game g", "game g(", "game g {", "}", "{", "\"", "'", "\\", "/", "///", "/*",
    ] {
        check(source);
        check(&format!("{source}\r\n"));
        check(&format!("\u{feff}{source}"));
    }
    check("game g { state { a in 0..=1 = 0; } move é");
    check("game g { let é = é");
    check("game g { let x = \"é");
    check("game g { show \"{é\"; }");
    check("game g { show \"{\"; }");
    check("game g { show \"{a\\\"; }");
    check("game g { show \"{'\"; }");
    check("game g { show \"{///}\"; }");
    check("game g { require true : \"\\");
}
