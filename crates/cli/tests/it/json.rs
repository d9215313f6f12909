//! `--json`: one object on standard output and nothing else, whatever happens.

use serde_json::{Value, json};

use crate::support::{brief, run, run_with};

fn object(words: &str) -> (Value, i32) {
    let ran = run(words);
    let value: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{words}: {error}: {:?}", ran.out));
    assert!(value.is_object(), "{words}");
    assert_eq!(ran.out.matches('\n').count(), 1, "{words}");
    (value, ran.code)
}

#[test]
fn answers_are_one_object_and_standard_error_is_empty() {
    let answers = [
        "solve coins --json",
        "solve nim [1,2,3] --json",
        "solve cat_and_mouse --json",
        "solve three_player_row --json",
        "solve domineering rows=3 columns=3 --json",
        "explain coins --json",
        "explain coins --run --json",
        "moves coins --after left --json",
        "moves tic_tac_toe --json",
        "sequence grundy 0..20 --json",
        "sequence octal code=0.77 0..20 --format json",
        "test coins nim --json",
        "games --json",
        "games coins --json",
    ];
    for words in answers {
        let (value, code) = object(words);
        assert_eq!(code, 0, "{words}");
        assert!(value.get("error").is_none(), "{words}");
        assert_eq!(run(words).err, "", "{words}");
    }
}

#[test]
fn errors_are_one_object_too() {
    let errors = [
        ("solve conis --json", 2, "usage"),
        ("solve --json", 2, "usage"),
        ("solve coins --jsno --json", 2, "usage"),
        ("solve coins --memory many --json", 2, "usage"),
        ("solve coins coins=true --json", 2, "wrong"),
        ("solve coins coins=[1 --json", 2, "usage"),
        ("solve coins --method grundy --json", 2, "wrong"),
        ("solve coins coins=[9e18,9e18,9e18,9e18] --json", 2, "wrong"),
        ("moves coins --after up --json", 2, "usage"),
        ("explain nim piles=[-1] --json", 2, "wrong"),
        ("games conis --json", 2, "usage"),
        ("sequence grundy --json", 2, "usage"),
        ("sequence octal code=0.7x 0..5 --json", 2, "usage"),
        ("sequence chomp rows=0..3 --json", 2, "wrong"),
        ("solve connect_k rows=6 columns=7 k=4 --memory 1K --json", 3, "limit"),
        ("solve connect_k rows=6 columns=7 k=4 --time 1ms --json", 3, "limit"),
        ("moves connect_k rows=6 columns=7 k=4 --time 1ms --json", 3, "limit"),
        ("explain connect_k rows=6 columns=7 k=4 --run --time 1ms --json", 3, "limit"),
    ];
    for (words, code, kind) in errors {
        let (value, found) = object(words);
        assert_eq!(found, code, "{words}: {value}");
        assert_eq!(value["error"]["kind"], kind, "{words}");
        if kind == "limit" {
            assert_eq!(value["error"]["limit"], if words.contains("--memory") { "memory" } else { "time" }, "{words}");
        }
        assert!(value["error"]["message"].as_str().is_some_and(|text| text.len() > 10), "{words}: {value}");
    }
}

#[test]
fn wrong_rules_have_their_place() {
    let folder = crate::support::Folder::new();
    let path = folder.0.join("wrong.game");
    std::fs::write(&path, "game wrong(n: int) {\n    state { left in 0..=n = m; }\n    move go { left -= 1; }\n}\n")
        .unwrap();
    let (value, code) = object(&format!("solve {} n=3 --json", path.display()));
    assert_eq!(code, 2);
    let place = &value["error"]["diagnostics"][0]["place"];
    assert_eq!((&place["line"], &place["column"]), (&Value::from(2), &Value::from(29)), "{value}");
}

#[test]
fn moves_tell_what_each_is_worth() {
    let (value, _) = object("moves coins --after left --json");
    assert_eq!(value["mover"], "second");
    assert_eq!((&value["value"], &value["over"]), (&Value::from(6), &Value::from(false)));
    let moves = value["moves"].as_array().unwrap();
    assert_eq!((&moves[1]["move"], &moves[1]["value"], &moves[1]["best"]), (&"right".into(), &6.into(), &true.into()));
    assert_eq!(moves[1]["gains"], serde_json::json!([0, 10]));

    let (value, _) = object("moves tic_tac_toe --after place(0),place(8) --json");
    assert_eq!((&value["outcome"], &value["remoteness"]), (&"win".into(), &5.into()));
    let winning = &value["moves"][1];
    assert_eq!(
        (&winning["move"], &winning["outcome"], &winning["remoteness"]),
        (&"place(2)".into(), &"win".into(), &5.into())
    );
    assert_eq!((&winning["best"], &winning["fast"]), (&true.into(), &true.into()));

    let (value, _) = object("moves coins --after left,left,left,left --json");
    assert_eq!((&value["over"], &value["moves"]), (&true.into(), &serde_json::json!([])));
}

#[test]
fn the_same_instance_however_it_is_given() {
    let folder = crate::support::Folder::new();
    let file = folder.0.join("coins.json").display().to_string();
    let bare = folder.0.join("bare.json").display().to_string();
    let expected = object("solve coins coins=[8,15,3,7] --json").0["value"].clone();
    assert_eq!(expected, 11);
    for words in [
        "solve coins [8,15,3,7] --json".to_string(),
        format!("solve coins coins=@{bare} --json"),
        format!("solve coins @{bare} --json"),
        format!("solve coins --instance {file} --json"),
        format!("solve coins --instance {bare} --json"),
        "solve --json coins coins=[8,15e0,3,7]".to_string(),
    ] {
        assert_eq!(object(&words).0["value"], expected, "{words}");
    }
    for words in ["solve coins - --json", "solve coins --instance - --json"] {
        for input in ["{\"coins\": [8, 15, 3, 7]}", "[8,15,3,7]\n"] {
            let ran = run_with(words, input);
            let value: Value = serde_json::from_str(&ran.out).unwrap();
            assert_eq!(value["value"], expected, "{words} < {input}");
        }
    }
}

#[test]
fn every_gallery_game_solves_and_explains_as_it_stands() {
    let (games, _) = object("games --json");
    let games = games["games"].as_array().unwrap();
    assert!(games.len() > 50);
    for game in games {
        let name = &brief(game["name"].as_str().unwrap());
        let (solved, code) = object(&format!("solve {name} --json"));
        assert_eq!(code, 0, "{name}");
        let (explained, code) = object(&format!("explain {name} --json"));
        assert_eq!(code, 0, "{name}");
        assert_eq!(solved["instance"], explained["instance"], "{name}");
        if explained["complete"] == true {
            assert_eq!(solved["method"], explained["method"], "{name}");
        }
        let (moves, code) = object(&format!("moves {name} --json"));
        assert_eq!(code, 0, "{name}");
        let best: Vec<&Value> =
            moves["moves"].as_array().unwrap().iter().filter(|mv| mv["best"] == true).map(|mv| &mv["move"]).collect();
        assert_eq!(best, solved["best_moves"].as_array().unwrap().iter().collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn moves_that_are_too_many_are_cut() {
    let (value, code) = object("moves nim [10^18,5] --json");
    assert_eq!((code, &value["moves_cut"], &value["nimber"]), (0, &json!(true), &json!(1_000_000_000_000_000_005u64)));
    assert_eq!(value["moves_count"], json!(1_000_000_000_000_000_005u64));
    assert_eq!(value["moves"][0]["move"], json!("take(999999999999999995) in part 0"));
    assert_eq!(value["moves"].as_array().unwrap().len(), 1);
    let (value, _) = object("moves kayles(10^12)+nim([10^18,10^18]) --json");
    assert_eq!(value["moves_cut"], json!(true));
    assert!(value["moves"].as_array().unwrap().iter().all(|mv| mv["best"] == json!(true)), "{value}");
    let (value, _) = object("moves nim [9,5] --json");
    assert_eq!((value["moves"].as_array().unwrap().len(), value.get("moves_cut")), (14, None));
}

#[test]
fn many_mistakes_are_cut_and_counted() {
    let rules: String = (0..1000).map(|i| format!("let a{i} = missing{i};\n")).collect();
    let rules = format!("game g {{ {rules} state {{ x in 0..=1 = 0; }} move m {{ x = 0; }} }}");
    let folder = crate::support::Folder::new();
    let file = folder.0.join("many_mistakes.game");
    std::fs::write(&file, rules).unwrap();
    let (value, code) = object(&format!("solve {} --json", file.display()));
    assert_eq!(code, 2);
    let error = &value["error"];
    assert_eq!(error["diagnostics"].as_array().map(Vec::len), Some(200));
    assert_eq!(error["more"], json!(800));
}

#[test]
fn a_method_that_is_asked_for_and_does_not_fit_reaches_a_limit() {
    for method in ["fill", "search"] {
        let (value, code) = object(&format!("solve m_n_k 5 5 4 --method {method} --memory 50M --json"));
        assert_eq!((code, &value["error"]["limit"]), (3, &json!("memory")), "{method}: {value}");
    }
}
