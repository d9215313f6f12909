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

#[test]
fn lines_go_on_where_a_run_was_stopped() {
    let folder = Folder::new();
    let words = "survey domineering 2 3 --over board --find * --json";
    let whole = folder.0.join("whole.jsonl");
    let survey = |path: &std::path::Path| {
        let ran = command(words).arg("--lines").arg(path).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
        let mut found: Value = serde_json::from_slice(&ran.stdout).unwrap();
        for field in ["seconds", "bytes", "parts"] {
            found[field].take();
        }
        found
    };
    let expected = survey(&whole);
    let bytes = std::fs::read(&whole).unwrap();
    assert_eq!(bytes.iter().filter(|byte| **byte == b'\n').count(), 65);
    for cut in (0..=bytes.len()).step_by(97).chain([bytes.len()]) {
        let piece = folder.0.join("piece.jsonl");
        std::fs::write(&piece, &bytes[..cut]).unwrap();
        assert_eq!(survey(&piece), expected, "cut after {cut} bytes");
        assert_eq!(std::fs::read(&piece).unwrap(), bytes, "cut after {cut} bytes");
    }
    // Another survey, other rules, or no survey at all: nothing is overwritten.
    for (other, words) in [
        (&bytes[..], "survey domineering 3 2 --over board"),
        (&bytes[..], "survey domineering 2 3 --over board=empty"),
        (b"my notes", words),
        (b"my notes\n", words),
        (&[bytes.as_slice(), b"{}\n"].concat(), words),
    ] {
        let path = folder.0.join("other");
        std::fs::write(&path, other).unwrap();
        let ran = command(words).arg("--lines").arg(&path).output().unwrap();
        assert_eq!(ran.status.code(), Some(2), "{words}");
        assert_eq!(std::fs::read(&path).unwrap(), other);
    }
}

#[test]
fn a_stopped_survey_says_how_it_goes_on() {
    let folder = Folder::new();
    let path = folder.0.join("boards.jsonl");
    let words = format!("survey domineering 5 5 --over board --lines {}", path.display());
    for (limit, said) in [("--time 300ms", "time limit"), ("--memory 2M", "memory limit")] {
        let _ = std::fs::remove_file(&path);
        let ran = run(&format!("{words} {limit}"));
        assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{limit}: {}", ran.err);
        let told = ran.err.lines().find(|line| line.contains("the same command goes on from there"));
        let told = told.unwrap_or_else(|| panic!("{limit}: {}", ran.err));
        assert!(ran.err.contains(said), "{limit}: {}", ran.err);
        // The number that it tells is the number of lines behind the head.
        let lines = std::fs::read_to_string(&path).unwrap().lines().count() as u64 - 1;
        let number: String = told.split(" of ").next().unwrap().chars().filter(char::is_ascii_digit).collect();
        assert_eq!(number.parse(), Ok(lines), "{told}");
        assert!(told.contains("33,554,432 lines") && told.contains("boards.jsonl"), "{told}");
    }
    // Nothing is said where nothing is written.
    let ran = run("survey domineering 5 5 --over board --time 50ms");
    assert!(ran.code == 3 && !ran.err.contains("goes on from there"), "{}", ran.err);
}

#[test]
fn loopy_values_are_told() {
    let folder = Folder::new();
    let file = folder.0.join("wheel.game");
    let rules = "game wheel { state { left in 0..=2 = 0; spin in 0..=2 = 0; }
        move first take when left > 0 { left -= 1; }
        move roll when spin > 0 { spin = 3 - spin; } }";
    std::fs::write(&file, rules).unwrap();
    let lines = folder.0.join("lines.jsonl");
    let words = format!("{} --over left --over spin --find dud --lines {}", file.display(), lines.display());
    let found = survey(&words);
    assert_eq!((&found["positions"], &found["distinct_values"]), (&9.into(), &4.into()), "{found}");
    assert_eq!((&found["drawn"], &found["found"][0]["count"]), (&6.into(), &6.into()), "{found}");
    let all = std::fs::read_to_string(&lines).unwrap();
    assert_eq!(all.lines().filter(|line| line.contains(r#""value":"dud""#)).count(), 6, "{all}");
    assert_eq!(all.lines().filter(|line| line.contains(r#""outcome_class":"#)).count(), 3, "{all}");
    // A later run reads them again.
    assert_eq!(survey(&words)["drawn"], found["drawn"]);
    let text = run(&format!("survey {words}")).out;
    assert!(text.contains("loopy: somebody can draw"), "{text}");
}

#[test]
fn positions_without_a_value_are_told() {
    let folder = Folder::new();
    let file = folder.0.join("shelf.game");
    let rules = "game shelf { state { left in 0..=3 = 0; divisor in 0..=1 = 1; }
        move first take when left > 0 and 6 / divisor > left { left -= 1; } }";
    std::fs::write(&file, rules).unwrap();
    let lines = folder.0.join("lines.jsonl");
    let words = format!("{} --over left --over divisor --lines {}", file.display(), lines.display());
    let found = survey(&words);
    assert_eq!((&found["positions"], &found["distinct_values"]), (&8.into(), &4.into()), "{found}");
    assert_eq!(found["no_value"]["count"], 3, "{found}");
    assert_eq!(found["no_value"]["variables"], serde_json::json!({"left": 1, "divisor": 0}));
    assert!(found["no_value"]["reason"].as_str().unwrap().contains("zero"), "{found}");
    let all = std::fs::read_to_string(&lines).unwrap();
    assert_eq!(all.lines().filter(|line| line.contains(r#""no_value":"#)).count(), 3, "{all}");
    assert_eq!(all.lines().filter(|line| line.contains(r#""outcome_class":"#)).count(), 5, "{all}");
    // A later run counts them again.
    assert_eq!(survey(&words)["no_value"], found["no_value"]);
    let text = run(&format!("survey {words}")).out;
    assert!(text.contains("no value  3") && text.contains("the first position without a value: "), "{text}");
}

#[test]
fn mistakes_in_families_are_explained() {
    for (words, said) in [
        ("domineering 2 2 --over bord", "did you mean `board`?"),
        ("domineering 2 2 --over board=x", "`x` is no value of board"),
        ("domineering 2 2 --over board=0..=5", "outside"),
        ("domineering 2 2 --over board=0..=9999999999", "more than 1048576 values"),
        ("domineering 9 9 --over board", "2^63 positions or more"),
        ("domineering 2 2 --over board --over board", "named twice"),
        ("tic_tac_toe --over board", "has no value"),
        ("domineering 2 2 --over board --find nonsense", "no value that can be looked for"),
        ("kayles(7)+nim(3) --over n", "for one game"),
    ] {
        let ran = run(&format!("survey {words}"));
        assert!(ran.code == 2 && ran.err.contains(said), "{words}: {} {}", ran.code, ran.err);
    }
}
