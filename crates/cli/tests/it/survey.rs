//! `survey`: its counts add up, its positions can be asked for again, and limits of a sample are counted.

use serde_json::Value;

use crate::support::{Folder, command, run};

fn survey(words: &str) -> Value {
    let ran = run(&format!("survey {words} --json"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words}");
    serde_json::from_str(&ran.out).unwrap()
}

/// The sum of a field over the rows of a table.
fn total(table: &Value, field: &str) -> u64 {
    table.as_array().unwrap().iter().map(|row| row[field].as_u64().unwrap()).sum()
}

#[test]
fn the_tables_add_up_to_what_was_counted() {
    for words in ["tic_tac_toe", "cat_and_mouse", "coins", "nim [3,4,5]", "race goal=5000", "domineering", "kalah"] {
        let found = survey(words);
        let all = found["positions"].as_u64().unwrap();
        assert!(all > 0, "{words}");
        for table in ["moves", "best_moves", "scores", "nimbers"] {
            assert!(found[table].is_null() || total(&found[table], "count") == all, "{words}: {table}");
        }
        let side = |object: &Value, name: &str| object[name].as_u64().unwrap_or(0);
        for name in ["won", "drawn", "lost"] {
            if found["remoteness"].is_array() {
                let ended = total(&found["remoteness"], name);
                let (counted, endless) = (side(&found["outcomes"], name), side(&found["endless"], name));
                assert_eq!(ended + endless, counted, "{words}: {name}");
            }
        }
        let outcomes: u64 = ["won", "drawn", "lost"].iter().map(|name| side(&found["outcomes"], name)).sum();
        assert_eq!(outcomes, all, "{words}");
    }
}

#[test]
fn the_longest_win_can_be_asked_for_again() {
    for words in ["tic_tac_toe", "cat_and_mouse", "race goal=50", "rook_endgame", "chomp", "toads_and_frogs"] {
        let longest = &survey(words)["longest_win"];
        let (position, mover) = (longest["variables"].to_string(), longest["mover"].as_str().unwrap());
        let mut moves = command(&format!("moves {words} --json"));
        let ran = moves.args(["--position", &position, "--turn", mover]).output().unwrap();
        let found: Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(found["outcome"], "win", "{words}");
        assert_eq!(found["remoteness"], longest["remoteness"], "{words}");
    }
}

#[test]
fn long_tables_have_at_most_a_thousand_rows() {
    let found = survey("race goal=5000");
    let rows = found["remoteness"].as_array().unwrap();
    assert!(rows.len() <= 1000 && rows.len() > 500 && rows[0]["to"].is_u64(), "{}", rows.len());
}

#[test]
fn instances_that_reach_a_limit_are_not_known() {
    let folder = Folder::new();
    let hex = run("games hex").out.replace("sample { size in 1..=3; }", "sample { size in [1, 2, 9]; }");
    let file = folder.0.join("sizes.game");
    std::fs::write(&file, hex).unwrap();
    let words = format!("{} --sample --time 1s", file.display());
    let found = survey(&words);
    assert_eq!((&found["instances"], &found["unknown"]), (&3.into(), &1.into()), "{found}");
    assert_eq!(found["won"][0]["count"], 2);
    let text = run(&format!("survey {words}")).out;
    assert!(text.contains("not known: a limit") && text.contains("66.7%"), "{text}");
}

#[test]
fn bars_are_plain_where_nobody_looks() {
    for words in ["survey tic_tac_toe", "survey tic_tac_toe --color always", "survey tic_tac_toe --color never"] {
        let text = run(words).out;
        assert!(text.contains("+++") && !text.contains('█'), "{text}");
        assert_eq!(text.contains('\u{1b}'), words.contains("always"));
    }
}
