//! Binding: what is said of an instance that does not fit, and what is understood of one that does.

use std::sync::Arc;

use game::Player;
use rules::bind::{Bound, bind};
use rules::instance::parse_instance;

/// Titles, notes and help of what is wrong, or the instance as understood.
fn check(source: &str, instance: &str) -> String {
    match bound(source, instance) {
        Ok(bound) => bound.instance().to_string(),
        Err(text) => text,
    }
}

fn bound(source: &str, instance: &str) -> Result<Bound, String> {
    let program = rules::compile(source)
        .unwrap_or_else(|wrong| panic!("{}", rules::report::report("test", source, &wrong, false)));
    let instance = parse_instance(instance).unwrap_or_else(|error| panic!("{error}"));
    bind(&Arc::new(program), &instance).map_err(|wrong| {
        let text = |d: &rules::diagnostic::Diagnostic| {
            let lines = [d.title.clone()].into_iter().chain(d.notes.iter().map(|n| format!("note: {n}")));
            lines.chain(d.help.iter().map(|h| format!("help: {h}"))).collect::<Vec<_>>().join("\n")
        };
        wrong.iter().map(text).collect::<Vec<_>>().join("\n")
    })
}

/// A game with these parameters and items, and nothing of interest besides.
fn game(parameters: &str, items: &str) -> String {
    format!("game g({parameters}) {{ {items} state {{ position in 0..=1 = 0; }} move m {{ position = 1; }} }}")
}

const ALL: &str = "n: int, flag: bool = n > 2, word: text = \"ab\", list: [int] = [n, 2], grid: [[int]] = [], bits: [bool] = [true], words: [text] = [\"x\"]";

#[test]
fn defaults_read_earlier_parameters() {
    assert_eq!(
        check(&game(ALL, ""), r#"{"n": 3}"#),
        r#"{"n": 3, "flag": true, "word": "ab", "list": [3, 2], "grid": [], "bits": [true], "words": ["x"]}"#
    );
    let given =
        r#"{"n": -1, "flag": false, "word": "é", "list": [], "grid": [[], [1]], "bits": [false, true], "words": []}"#;
    assert_eq!(check(&game(ALL, ""), given), given);
}

#[test]
fn wrong_parameters_are_all_told() {
    assert_eq!(
        check(&game("coins: [int], size: int", ""), r#"{"coin": [1]}"#),
        "`g` has no parameter `coin`\nhelp: did you mean `coins`?\n\
         the parameter `coins` is missing: a list of whole numbers\nhelp: give it as `coins=[5, 3, 7]`\n\
         the parameter `size` is missing: a whole number\nhelp: give it as `size=5`"
    );
    assert_eq!(check(&game("", ""), r#"{"x": 1}"#), "`g` has no parameter `x`\nhelp: this game has no parameters");
}

#[test]
fn wrong_types_name_the_place() {
    let wrong =
        |value: &str| check(&game(ALL, ""), &format!("{{\"n\": 1, {value}}}")).lines().next().unwrap().to_string();
    assert_eq!(
        wrong(r#""list": [1, 2, true]"#),
        "`list[2]` must be a whole number, and was given the truth value true"
    );
    assert_eq!(wrong(r#""list": 5"#), "`list` must be a list of whole numbers, and was given the number 5");
    assert_eq!(wrong(r#""list": "abc""#), "`list` must be a list of whole numbers, and was given the text \"abc\"");
    assert_eq!(wrong(r#""grid": [[1], [2, [3]]]"#), "`grid[1][1]` must be a whole number, and was given the list [3]");
    assert_eq!(wrong(r#""grid": [1, 2]"#), "`grid[0]` must be a list of whole numbers, and was given the number 1");
    assert_eq!(wrong(r#""word": [97]"#), "`word` must be a text in quotes, and was given the list [97]");
    assert_eq!(wrong(r#""flag": 1"#), "`flag` must be `true` or `false`, and was given the number 1");
    assert_eq!(wrong(r#""bits": [1, 0]"#), "`bits[0]` must be `true` or `false`, and was given the number 1");
}

#[test]
fn requirements_show_the_values_they_read() {
    let source = game(
        "list: [int]",
        "let n = len(list); require n >= 1 : \"give a number\"; require all(x < 10 for x in list); let top = max(list);",
    );
    assert_eq!(check(&source, r#"{"list": []}"#), "give a number\nnote: n = 0");
    let long: Vec<String> = (0..100).map(|n| n.to_string()).collect();
    assert_eq!(
        check(&source, &format!("{{\"list\": [{}]}}", long.join(", "))),
        "the instance does not meet a requirement\nnote: list = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1…"
    );
    assert_eq!(check(&source, r#"{"list": [3]}"#), r#"{"list": [3]}"#);
}

#[test]
fn lets_may_go_wrong() {
    let text = check(&game("n: int", "let x = 10 / n;"), r#"{"n": 0}"#);
    assert!(text.starts_with("division by zero: 10 / 0"), "{text}");
}

#[test]
fn players_and_starts_are_in_range() {
    let with = |items: &str| bound(&game("n: int", items), r#"{"n": 3}"#).map(|b| (b.players, b.starts));
    assert_eq!(with("players n; starts n - 1;"), Ok((3, Player(2))));
    assert_eq!(with(""), Ok((2, Player(0))));
    assert_eq!(with("players 1;").unwrap_err(), "a game for 1 player");
    assert_eq!(with("players 65;").unwrap_err(), "a game for 65 players");
    assert_eq!(with("starts n;").unwrap_err(), "there is no player 3");
    assert_eq!(
        with("players n; end when opponent == 1 => draw;").unwrap_err(),
        "`opponent` means the other of two players, and this game has 3\nhelp: write a player's number, such as `(mover + 1) % 3`"
    );
    assert_eq!(bound(&game("", "forever => winner second;"), "{}").unwrap().forever, Some(Player(1)));
    assert_eq!(bound(&game("", "forever => draw;"), "{}").unwrap().forever, None);
}

#[test]
fn starts_are_checked_against_their_domains() {
    let with =
        |state: &str| check(&format!("game g(n: int) {{ state {{ {state} }} move m {{ a = a; }} }}"), r#"{"n": 3}"#);
    let with_end = "the start is outside the domain: a = 3 is outside 0..=2\nhelp: `0..n` leaves out n: write `0..=n`";
    assert_eq!(with("a in 0..n = n;"), with_end);
    assert_eq!(with("a in 1..0 = 1;"), "the start is outside the domain: a = 1 is outside an empty range");
    assert_eq!(with("a in [0..=n; n] = [0, 9, 0];"), "the start is outside the domain: a[1] = 9 is outside 0..=3");
    assert_eq!(
        with("a in [0..=n; n] = [0];"),
        "the start is outside the domain: a holds 3 items, and was given 1 items"
    );
    assert_eq!(with("a in set of 1..=n = {0};"), "the start is outside the domain: a contains 0, outside set of 1..=3");
    assert_eq!(with("a in [1..0; n - 3] = [];"), r#"{"n": 3}"#);
    assert_eq!(with("a in [0..1; n - 4] = [];"), "an array cannot have -1 items");
    assert!(with("a in [bool; 2000000] = [false; 2000000];").contains("at most 1048576 cells"));
    assert!(with("a in set of 0..=65536 = {};").contains("at most 65536 possible elements"));
    assert_eq!(with("a in set of 0..=65535 = {};"), r#"{"n": 3}"#);
}

#[test]
fn symmetries_and_regions_are_shapes_of_the_array() {
    let with = |item: &str| {
        check(&format!("game g() {{ state {{ b in [0..=1; 6] = [0; 6]; }} move m {{ b[0] = 1; }} {item} }}"), "{}")
    };
    assert_eq!(with("symmetry b by reverse([0, 1, 2, 3, 4, 5]);"), "{}");
    assert_eq!(with("symmetry b by [0, 1];"), "this is no permutation of the 6 items of `b`");
    assert_eq!(with("symmetry b by [0, 1, 2, 3, 4, 4];"), "this is no permutation of the 6 items of `b`");
    assert_eq!(with("symmetry b by [0, 1, 2, 3, 4, 6];"), "this is no permutation of the 6 items of `b`");
    assert_eq!(with("regions b as 2 by 3 where cell == 0;"), "{}");
    assert_eq!(with("regions b as 2 by 4 where cell == 0;"), "`b` has 6 cells, not 2 by 4");
}

#[test]
fn parts_come_from_lists() {
    let source = "game g(heaps: [[int]]) { sum of heap(a in 0..=9, b in 0..=9) from heaps; move m { a = 0; } }";
    let game = bound(source, r#"{"heaps": [[1, 2], [3, 4]]}"#).unwrap();
    assert_eq!(game.start.parts, [Box::from([1, 2]), Box::from([3, 4])]);
    assert_eq!(check(source, r#"{"heaps": [[1]]}"#), "part 0 has 1 values for 2 variables");
    assert_eq!(
        check(source, r#"{"heaps": [[1, 2], [10, 2]]}"#),
        "part 1 is outside its domain: a = 10 is outside 0..=9"
    );
}

#[test]
fn a_bound_game_crosses_threads() {
    fn check<T: Send + Sync>() {}
    check::<Bound>();
}

/// Runs something on a thread with this much stack.
fn with_stack<T: Send + 'static>(bytes: usize, run: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(bytes).spawn(run).unwrap().join().unwrap()
}

#[test]
fn deep_nesting_does_not_break_the_stack() {
    let deep = |functions: usize, open: &str, close: &str, levels: usize| {
        let mut items = "fn f0(x: int) -> int { x }\n".to_string();
        for n in 1..functions {
            let (open, close) = (open.repeat(levels), close.repeat(levels));
            items.push_str(&format!("fn f{n}(x: int) -> int {{ {open}f{}(x + 1){close} }}\n", n - 1));
        }
        let source = game("", &format!("{items} let y = f{}(1);", functions - 1));
        let program =
            with_stack(64 << 20, move || rules::compile(&source).map(Arc::new).map_err(|wrong| wrong[0].title.clone()));
        let program = program.unwrap_or_else(|wrong| panic!("{open}: {wrong}"));
        let bound = with_stack(2 << 20, move || bind(&program, &parse_instance("{}").unwrap()));
        bound.map_or_else(|wrong| wrong[0].title.clone(), |bound| bound.instance().to_string())
    };
    for (open, close) in
        [("sum(", " for i in 0..1)"), ("max([", "])"), ("abs(", ")"), ("(if true then ", " else 0)"), ("[1, ", "][1]")]
    {
        assert_eq!(deep(20, open, close, 24), "{}", "{open}");
        let text = deep(80, open, close, 24);
        assert!(text.contains("nested more than 1000 deep"), "{text}");
    }
    assert_eq!(deep(20, "sum(", " for i in 0..1)", 45), "{}");
}
