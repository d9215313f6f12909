//! Answers: their shape, and that they say what is true.

use serde_json::{Value, json};

use super::client::Server;
use crate::support::run;

/// The labels of moves that are clicked so.
fn clicked<'v>(position: &'v Value, clicks: &Value) -> Vec<&'v str> {
    let moves = position["moves"].as_array().unwrap().iter();
    moves.filter(|mv| mv["clicks"] == *clicks).map(|mv| mv["move"].as_str().unwrap()).collect()
}

#[test]
fn the_gallery_can_be_looked_at_and_played() {
    let server = Server::start("");
    let answer = server.get("/api/v1/games");
    server.hold("get", "/api/v1/games", &answer, "");
    let games = answer.json();
    assert!(games["games"].as_array().unwrap().len() > 70);
    for game in games["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        assert!(!game["scene"]["panels"].as_array().unwrap().is_empty(), "{name} has no picture");
        assert!(!game["instances"].as_array().unwrap().is_empty(), "{name} has no instance");
        let start = server.good("position", &json!({ "game": name }).to_string());
        assert_eq!(start["scene"], game["scene"], "{name}");
        let moves = start["moves"].as_array().unwrap();
        for mv in moves.iter().filter(|mv| mv["best"] == true).take(1) {
            let next = json!({ "game": name, "moves": [mv["move"]] });
            let after = server.good("position", &next.to_string());
            assert_eq!(after["history"].as_array().unwrap().len(), 2, "{name}");
            assert_eq!(after["history"][1].get("mistake"), None, "{name}: a best move is no mistake");
        }
        // Rules are answered like the game of that name.
        let rules = server.get(&format!("/api/v1/games/{name}")).json();
        let check = server.good("check", &json!({ "rules": rules["rules"] }).to_string());
        assert_eq!((&check["good"], &check["scene"]), (&json!(true), &game["scene"]), "{name}");
    }
}

#[test]
fn a_position_tells_all_of_itself() {
    let server = Server::start("");
    let coins = server.good("position", r#"{"game": "coins", "instance": {"coins": [5, 3, 7, 10]}}"#);
    assert_eq!(coins["verdict"]["words"], "First wins by 5, 15 to 10, in 4 moves");
    assert_eq!(coins["verdict"]["totals"], json!([15, 10]));
    assert_eq!(coins["scene"]["panels"][0]["items"][3], json!({"text": "10", "there": true}));
    assert_eq!(clicked(&coins, &json!([{"panel": 0, "item": 3}])), ["right"]);
    let body =
        json!({"game": "coins", "instance": {"coins": [5, 3, 7, 10]}, "moves": ["left", "right", "right", "left"]});
    let over = server.good("position", &body.to_string());
    assert_eq!((&over["over"], &over["verdict"]["words"]), (&json!(true), &json!("Second has won by 1, 13 to 12")));
    assert_eq!(over["history"][1]["mistake"], true);
}

#[test]
fn moves_are_found_on_the_board() {
    let server = Server::start("");
    let at = |game: &str| server.good("position", &json!({ "game": game }).to_string());
    let board = at("tic_tac_toe");
    assert_eq!(clicked(&board, &json!([{"panel": 0, "item": 4}])), ["place(4)"]);
    let nim = at("nim");
    // The lowest stone that is taken: three of four go with stone 1.
    assert_eq!(clicked(&nim, &json!([{"panel": 1, "item": 1}])), ["take(3) in part 1"]);
    let graph = at("digraph_token");
    assert_eq!(clicked(&graph, &json!([{"panel": 0, "item": 4}])), ["go(4)"]);
    let tree = at("hackenbush_graph");
    assert_eq!(clicked(&tree, &json!([{"panel": 0, "edge": 3}])), ["cut(3)"]);
    let kayles = at("kayles");
    assert_eq!(clicked(&kayles, &json!([{"panel": 0, "item": 4}, {"panel": 0, "item": 5}])), ["knock(2, 4) in part 0"]);
}

#[test]
fn the_same_numbers_as_the_command_line() {
    let server = Server::start("");
    for (words, body) in [
        ("coins [8,15,3,7]", json!({"game": "coins", "instance": {"coins": [8, 15, 3, 7]}})),
        ("domineering 2 4", json!({"game": "domineering", "instance": {"rows": 2, "columns": 4}})),
        ("cat_and_mouse", json!({"game": "cat_and_mouse"})),
        ("three_player_row", json!({"game": "three_player_row"})),
        ("nim [10^18,5]", json!({"game": "nim", "instance": {"piles": [1_000_000_000_000_000_000i64, 5]}})),
    ] {
        let printed: Value = serde_json::from_str(&run(&format!("solve {words} --json")).out).unwrap();
        let mut answered = server.good("solve", &body.to_string());
        for changing in ["seconds", "bytes"] {
            answered[changing] = printed[changing].clone();
        }
        assert_eq!(answered, printed, "{words}");
        let listed: Value = serde_json::from_str(&run(&format!("moves {words} --json")).out).unwrap();
        let position = server.good("position", &body.to_string());
        for (mv, wanted) in position["moves"].as_array().unwrap().iter().zip(listed["moves"].as_array().unwrap()) {
            for field in ["move", "value", "outcome", "remoteness", "nimber", "payoffs", "best", "fast", "gains"] {
                assert_eq!(mv.get(field), wanted.get(field), "{words}: {field} of {wanted}");
            }
        }
    }
}

#[test]
fn pictures_and_plans() {
    let server = Server::start("");
    let triangle = server.good("triangle", r#"{"game": "coins"}"#);
    assert_eq!((&triangle["items"], triangle["cells"].as_array().unwrap().len()), (&json!(4), 15));
    let graph = server.good("graph", r#"{"game": "nim", "instance": {"piles": [2, 1]}}"#);
    assert_eq!(graph["nodes"][0]["position"], "part 0: n = 2; part 1: n = 1");
    let (status, refused) = server.ask("graph", r#"{"game": "tic_tac_toe"}"#);
    assert_eq!((status, &refused["error"]["allowed"]), (422, &json!(300)));
    let value = server.good("value", r#"{"game": "domineering", "instance": {"rows": 2, "columns": 2}}"#);
    assert_eq!((&value["value"], &value["temperature"]), (&json!("±1"), &json!(1)));
    assert_eq!(value["options"].as_array().unwrap().len(), 4);
    assert_eq!(server.ask("value", r#"{"game": "coins"}"#).0, 422);
    let survey = server.good("survey", r#"{"game": "tic_tac_toe"}"#);
    assert_eq!(survey["positions"], 5478);
    let sequence = server.good("sequence", r#"{"game": "kayles", "from": 0, "to": 100}"#);
    assert_eq!((&sequence["terms"], &sequence["period"]["length"]), (&json!(100), &json!(12)));
    let plan = server.good("explain", r#"{"game": "chomp"}"#);
    assert!(plan["facts"]["impartial"].is_object(), "{plan}");
}

#[test]
fn the_computer_plays_as_it_is_told() {
    let server = Server::start("");
    let play = |level: &str, seed: i32| {
        let body = json!({"game": "nim", "instance": {"piles": [3, 4, 5]}, "level": level, "seed": seed, "slip": 2});
        server.good("opponent", &body.to_string())
    };
    assert_eq!(play("perfect", 1)["move"], "take(2) in part 0");
    assert_eq!(play("traps", 1)["move"], "take(2) in part 0");
    // In the corner only one answer of eight is right.
    let trap = server.good("opponent", r#"{"game": "tic_tac_toe", "level": "traps"}"#);
    assert_eq!((&trap["move"], &trap["wrong_answers"]), (&json!("place(0)"), &json!(7)));
    let random: Vec<Value> = (0..20).map(|seed| play("random", seed)["move"].clone()).collect();
    assert!(random.iter().any(|label| *label != random[0]));
    assert_eq!(play("slips", 7), play("slips", 7));
    assert_eq!(server.ask("opponent", r#"{"game": "nim", "level": "magic"}"#).0, 422);
    // A game that is too large is played all the same.
    let large = server.good("opponent", r#"{"game": "othello", "instance": {}, "level": "perfect"}"#);
    assert!(large["move"].is_string(), "{large}");
}

#[test]
fn rules_are_checked_while_they_are_written() {
    let server = Server::start("");
    let rules = "game g(n: int = 3) {\n  state { left in 0..=n = m; }\n  move go { left -= 1; }\n}";
    let check = server.good("check", &json!({ "rules": rules }).to_string());
    let place = &check["diagnostics"][0]["place"];
    assert_eq!((&check["good"], &place["line"], &place["column"]), (&json!(false), &json!(2), &json!(27)));
    assert_eq!((&place["end_line"], &place["end_column"]), (&json!(2), &json!(28)));
    let mended = rules.replace("= m", "= n");
    let check = server.good("check", &json!({ "rules": mended }).to_string());
    assert_eq!((&check["good"], &check["parameters"][0]["default"]), (&json!(true), &json!(3)));
    assert!(check["words"].as_array().unwrap().contains(&json!("left")));
    let check = server.good("check", &json!({ "rules": mended, "instance": {"n": "x"} }).to_string());
    assert_eq!((&check["good"], &check["in_instance"]), (&json!(false), &json!(true)));
}

#[test]
fn a_sequence_that_takes_too_long_gives_the_terms_it_has() {
    let server = Server::start("--time 300ms");
    let body = r#"{"game": "octal", "instance": {"code": "0.007"}, "parameter": "n", "from": 0, "to": 20000}"#;
    for _ in 0..2 {
        let cut = server.good("sequence", body);
        let terms = cut["terms"].as_u64().unwrap();
        assert!(0 < terms && terms < 20_000, "{terms}");
        assert_eq!(cut["values"].as_array().unwrap().len() as u64, terms);
        assert_eq!(cut["error"]["kind"], "limit", "{}", cut["error"]);
        assert_eq!(cut["error"]["message"], format!("a limit was reached: {terms} of 20000 terms are exact"));
    }
}

#[test]
fn payoffs_of_two_say_whose_they_are() {
    let server = Server::start("");
    let answer = server.good("position", r#"{"game": "payoff_tree"}"#);
    let moves = answer["moves"].as_array().unwrap();
    let words =
        |label: &str| moves.iter().find(|mv| mv["move"] == label).unwrap()["words"].as_str().unwrap().to_string();
    assert_eq!((words("go(1)").as_str(), words("go(2)").as_str()), ("First 3, Second 1", "First 1, Second 2"));
}
