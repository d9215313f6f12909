//! Tables that `build` made, opened and walked through; and files that are none, or not any more.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::client::Server;
use crate::support::{Folder, run};

/// The row of the table.
const ROW: &str = "[5,3,7,10,1,8,2,9,4,6,11,12]";

fn build(path: &Path, game: &str) {
    let built = run(&format!("build {game} -o {}", path.display()));
    assert_eq!(built.code, 0, "{}", built.err);
}

fn built() -> (Folder, PathBuf) {
    let folder = Folder::new();
    let table = folder.0.join("row.table");
    build(&table, &format!("coins {ROW}"));
    (folder, table)
}

/// What a table says of a position, without where the answer is from.
fn said(mut answer: Value) -> Value {
    for name in ["seconds", "memory", "method", "proof", "report", "took"] {
        answer.as_object_mut().unwrap().remove(name);
    }
    answer
}

#[test]
fn a_table_is_walked_through_and_says_what_a_solve_says() {
    let (_folder, table) = built();
    let server = Server::start(&format!("--table {}", table.display()));
    let answer = server.get("/api/v1/tables");
    server.hold("get", "/api/v1/tables", &answer, "");
    let tables = answer.json();
    assert_eq!((&tables["tables"][0]["name"], tables["tables"].as_array().unwrap().len()), (&json!("row.table"), 1));
    let instance: Value = serde_json::from_str(&format!(r#"{{"coins": {ROW}}}"#)).unwrap();
    let mut moves: Vec<&str> = Vec::new();
    // To the end, over positions of all lengths.
    for number in 0..13_u32 {
        let stored = server.good("position", &json!({"table": "row.table", "moves": moves}).to_string());
        let solved = json!({"game": "coins", "instance": instance, "moves": moves});
        let solved = server.good("position", &solved.to_string());
        assert_eq!(stored["solved"], true, "{stored}");
        assert_eq!(said(stored), said(solved), "{moves:?}");
        moves.push(if number.is_multiple_of(3) { "left" } else { "right" });
    }
    let best = server.good("opponent", r#"{"table": "row.table", "moves": ["right"]}"#);
    assert_eq!(
        best["move"],
        server.good("opponent", &json!({"game": "coins", "instance": instance, "moves": ["right"]}).to_string())["move"]
    );
    for path in ["solve", "explain", "graph", "triangle", "survey"] {
        server.good(path, r#"{"table": "row.table", "moves": ["left", "left", "right", "left"]}"#);
    }
    for name in ["../row.table", "/etc/passwd", "", "row", "row.table/"] {
        let (status, answer) = server.ask("position", &json!({ "table": name }).to_string());
        assert_eq!(status, 422, "{answer}");
        assert_eq!(answer["error"]["message"], format!("there is no table `{name}` here"));
    }
    let (status, _) = server.ask("position", r#"{"table": "row.table", "game": "coins"}"#);
    assert_eq!(status, 422, "a table is of one game, and says which");
    let (status, _) = server.ask("position", r#"{"table": "row.table", "moves": ["up"]}"#);
    assert_eq!(status, 422);
    assert_eq!(server.ask("position", r#"{"table": "row.table", "position": {"i": 99, "j": 2}}"#).0, 422);
    // Positions in the table, and one that play cannot come to.
    for (i, j, over) in [(3, 7, false), (5, 5, true), (9, 2, true)] {
        let asked = json!({"position": {"i": i, "j": j}, "turn": "second"});
        let with = |name: &str, value: Value| {
            let mut asked = asked.clone();
            asked[name] = value;
            asked
        };
        let stored = server.good("position", &with("table", json!("row.table")).to_string());
        let mut solved = with("game", json!("coins"));
        solved["instance"] = instance.clone();
        assert_eq!((&stored["solved"], &stored["over"]), (&json!(true), &json!(over)), "{stored}");
        assert_eq!(said(stored), said(server.good("position", &solved.to_string())), "{asked}");
    }
}

#[test]
fn a_server_is_not_started_with_files_that_are_no_tables() {
    let (folder, table) = built();
    let bytes = fs::read(&table).unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let huge = file("huge.table", b"perfect play table\n");
    fs::OpenOptions::new().write(true).open(&huge).unwrap().set_len(1 << 33).unwrap();
    let mut unfinished = bytes.clone();
    unfinished[19] = 0;
    let mut wrong = bytes.clone();
    wrong[60] ^= 1;
    // The text is said to be four gigabytes long.
    let mut long = bytes.clone();
    long[44] = 1;
    let mut newer = bytes.clone();
    newer[20] = 9;
    for path in [
        file("empty.table", b""),
        file("text.table", b"game g { }"),
        file("head.table", &bytes[..30]),
        file("unfinished.table", &unfinished),
        file("wrong.table", &wrong),
        file("long.table", &long),
        file("newer.table", &newer),
        huge,
        folder.0.join("nowhere.table"),
        folder.0.clone(),
        PathBuf::from("/dev/zero"),
        PathBuf::from("/bin/sh"),
    ] {
        let ran = run(&format!("serve --port 0 --table {}", path.display()));
        assert_eq!(ran.code, 2, "{}: {}", path.display(), ran.err);
        assert!(ran.err.contains("cannot read the table"), "{}: {}", path.display(), ran.err);
    }
    let twice = folder.0.join("folder/row.table");
    fs::write(&twice, &bytes).unwrap();
    let ran = run(&format!("serve --port 0 --table {} --table {}", table.display(), twice.display()));
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("two tables have the name row.table"), "{}", ran.err);
}

/// A value of a piece is changed, or the end is missing: the head is as it was.
#[test]
fn a_table_that_is_damaged_gives_no_wrong_answers() {
    let (_folder, table) = built();
    let bytes = fs::read(&table).unwrap();
    let (pieces, end) = (4096, bytes.len());
    assert!(end > pieces + 16);
    let body = r#"{"table": "row.table", "moves": ["left", "right"]}"#;
    let mut changes: Vec<Vec<u8>> = [pieces, pieces + 8, (pieces + end) / 2, end - 1]
        .iter()
        .map(|at| {
            let mut changed = bytes.clone();
            changed[*at] ^= 0x55;
            changed
        })
        .collect();
    changes.extend([bytes[..pieces].to_vec(), bytes[..end - 1].to_vec(), bytes[..pieces + 9].to_vec()]);
    for (at, changed) in changes.iter().enumerate() {
        fs::write(&table, changed).unwrap();
        let server = Server::start(&format!("--table {}", table.display()));
        for path in ["position", "opponent"] {
            let (status, answer) = server.ask(path, body);
            assert_eq!(status, 422, "change {at}: {answer}");
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.starts_with("the table row.table is damaged"), "change {at}: {message}");
        }
        assert_eq!(server.good("position", r#"{"game": "nim"}"#)["solved"], true);
    }
}

#[test]
fn a_table_that_goes_away_is_told_and_harms_nobody() {
    let (folder, table) = built();
    let other = folder.0.join("other.table");
    build(&other, "coins [4,9,2]");
    let good = fs::read(&table).unwrap();
    let server = Server::start(&format!("--table {} --table {}", table.display(), other.display()));
    let names = || -> Vec<String> {
        let answer = server.get("/api/v1/tables");
        server.hold("get", "/api/v1/tables", &answer, "");
        let tables = answer.json()["tables"].as_array().unwrap().clone();
        tables.iter().map(|table| table["name"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(names(), ["row.table", "other.table"]);
    fs::remove_file(&table).unwrap();
    assert_eq!(names(), ["other.table"]);
    let (status, answer) = server.ask("position", r#"{"table": "row.table", "moves": ["left"]}"#);
    assert_eq!(status, 422, "{answer}");
    fs::write(&table, "something else").unwrap();
    assert_eq!(server.ask("position", r#"{"table": "row.table", "moves": ["right"]}"#).0, 422);
    assert_eq!(server.good("position", r#"{"table": "other.table", "moves": ["right"]}"#)["solved"], true);
    fs::write(&table, good).unwrap();
    for moves in [r#"["left", "left"]"#, r#"["right"]"#, r#"["left"]"#] {
        let body = format!(r#"{{"table": "row.table", "moves": {moves}}}"#);
        assert_eq!(server.good("position", &body)["solved"], true, "{moves}, which was refused before");
    }
}

#[test]
fn a_table_that_is_replaced_is_read_anew() {
    let folder = Folder::new();
    let table = folder.0.join("row.table");
    build(&table, "coins [4,9,2]");
    let server = Server::start(&format!("--table {}", table.display()));
    let body = r#"{"table": "row.table", "moves": []}"#;
    let before = server.good("position", body);
    assert_eq!(before["instance"]["coins"], json!([4, 9, 2]));
    let other = folder.0.join("other.table");
    build(&other, "coins [1,2,3,10]");
    fs::rename(&other, &table).unwrap();
    assert_eq!(server.good("position", body)["instance"]["coins"], json!([1, 2, 3, 10]));
}

/// A table of rules and an instance that are too much to bind within a request, and one whose values take much room.
#[test]
fn a_large_table_is_read_piece_by_piece() {
    let folder = Folder::new();
    let table = folder.0.join("large.table");
    let coins: Vec<String> = (0..4000_u32).map(|at| (at * 7919 % 1000).to_string()).collect();
    build(&table, &format!("coins [{}]", coins.join(",")));
    assert!(fs::metadata(&table).unwrap().len() > 1 << 20);
    let server = Server::start(&format!("--table {}", table.display()));
    let answer = server.get("/api/v1/tables");
    server.hold("get", "/api/v1/tables", &answer, "");
    assert_eq!(answer.json()["tables"][0]["positions"], 4001 * 4002 / 2);
    let (status, answer) = server.ask("position", r#"{"table": "large.table", "moves": ["left", "right"]}"#);
    assert_eq!((status, &answer["solved"]), (200, &json!(true)), "{}", answer["unsolved"]);
}
