//! `sequence --guess`: closed forms of gallery games from their values alone.

use serde_json::Value;

use crate::support::run;

/// The claims that are proposed for a sequence, with what is said of each.
fn guesses(words: &str) -> Vec<Value> {
    let ran = run(&format!("sequence {words} --guess --json --quiet"));
    let value: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{words}: {error}: {}{}", ran.out, ran.err));
    assert_eq!(ran.code, 0, "{words}: {}", ran.err);
    value["guesses"].as_array().unwrap_or_else(|| panic!("{words}: {value}")).clone()
}

/// Sequences of the gallery with the claim that must be the first to be proposed.
const KNOWN: &[(&str, &str)] = &[
    ("nim 0..30", "claim nimber = xor(piles);"),
    ("stones n=0..40 moves=[1,2,3]", "claim nimber = n % 4 when moves == [1, 2, 3];"),
    ("race goal=0..40", "claim nimber = goal % 3 when most == 2;"),
    ("race goal=0..12 most=1..8", "claim nimber = goal % (most + 1);"),
    ("remove_134 n=0..40", "claim nimber = [0, 1, 0, 1, 2, 3, 2][n % 7];"),
    ("subtraction heaps=0..40 moves=[1,2,3]", "claim nimber = xor(h % 4 for h in heaps) when moves == [1, 2, 3];"),
    ("divisor_game 1..60", "claim nimber = count(n % pow(2, e) == 0 for e in 1..=62);"),
    ("chomp rows=1..5 columns=1..5", "claim winner = if rows + columns == 2 then second else first;"),
    ("cutcake width=1..16 height=3", "claim value = if width == 1 then -2 else width / 2 - 1 when height == 3;"),
    (
        "lasker_nim 0..40",
        "claim nimber = xor(if h == 0 then 0 else [-1, 1, 2, 4][h % 4] + 4 * (h / 4) for h in heaps);",
    ),
    (
        "kayles 0..200",
        "claim nimber = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7][rows[0] % 12] when len(rows) == 1 and rows[0] >= 71;",
    ),
    ("cram rows=2 columns=1..9", "claim nimber = if columns % 2 == 0 then 0 else 1 when rows == 2;"),
    (
        "wythoff a=0..14 b=0..14",
        "claim winner = if min(a, b) == (abs(a - b) + isqrt(5 * abs(a - b) * abs(a - b))) / 2 then second else first;",
    ),
    (
        "euclid a=1..14 b=1..14",
        "claim winner = if a == b or max(a, b) > (min(a, b) + isqrt(5 * min(a, b) * min(a, b))) / 2 then first else second;",
    ),
    (
        "fibonacci_nim 2..60",
        "claim winner = if isqrt(5 * n * n + 4) * isqrt(5 * n * n + 4) == 5 * n * n + 4 or n > 1 and isqrt(5 * n * n - 4) * \
         isqrt(5 * n * n - 4) == 5 * n * n - 4 then second else first;",
    ),
    ("hex size=1..5", "claim winner = first;"),
    ("y 1..5", "claim winner = first;"),
    ("tic_tac_toe size=1..5", "claim winner = if size <= 2 then first else draw;"),
    ("misere_nim 0..20", "claim winner = if piles[0] == 1 then second else first when len(piles) == 1;"),
    ("toads_and_frogs toads=1..8 gap=1 frogs=1", "claim winner = first when gap == 1 and frogs == 1;"),
];

#[test]
fn known_closed_forms_are_found() {
    for (words, claim) in KNOWN {
        let found = guesses(words);
        assert_eq!(found.first().map(|guess| guess["claim"].clone()), Some(Value::from(*claim)), "{words}: {found:?}");
    }
}

#[test]
fn periods_that_are_proved_prove_the_claim() {
    for words in
        ["dawson_kayles 0..200", "dawson_chess 0..200", "octal code=0.77 n=0..200", "nim 0..30", "remove_134 n=0..40"]
    {
        let first = guesses(words)[0].clone();
        assert!(first["proof"].as_str().is_some_and(|proof| proof.starts_with("theorem: ")), "{words}: {first}");
    }
    // Nothing but values is known of these.
    for words in ["divisor_game 1..60", "race goal=0..40", "wythoff a=0..8 b=0..8"] {
        let first = guesses(words)[0].clone();
        assert!(first.get("proof").is_none() && first["tested"].as_u64() >= Some(40), "{words}: {first}");
    }
}

#[test]
fn games_without_a_closed_form_get_none() {
    for words in
        ["grundy 0..12", "grundy 0..30", "grundy 0..300", "grundy 0..3000", "stone_game_4 1..200", "coins coins=0..3"]
    {
        assert_eq!(guesses(words), Vec::<Value>::new(), "{words}");
    }
}

#[test]
fn a_proposed_claim_is_a_line_of_the_rules_file() {
    let folder = crate::support::Folder::new();
    for (words, _) in [KNOWN[1], KNOWN[3], KNOWN[9], KNOWN[12]] {
        let game = words.split(' ').next().unwrap();
        let source = run(&format!("games {game}")).out;
        let mut claims = String::new();
        for guess in guesses(words) {
            claims.push_str(guess["claim"].as_str().unwrap());
        }
        let (before, after) = source.rsplit_once('}').unwrap();
        let path = folder.0.join(format!("{game}.game"));
        std::fs::write(&path, format!("{before}{claims}}}{after}")).unwrap();
        let ran = run(&format!("test {} --instances 60", path.display()));
        assert_eq!(ran.code, 0, "{words}: {}{}", ran.out, ran.err);
    }
}
