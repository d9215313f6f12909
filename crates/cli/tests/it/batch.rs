//! `solve --batch`: order, errors, streams.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::Value;

use crate::support::{command, run_with};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn thousands_of_lines_are_answered_in_their_order() {
    let input: String = (0..3000).map(|n| format!("{{\"heaps\": [{}]}}\n", n % 40)).collect();
    for threads in [1, 3] {
        let ran = run_with(&format!("solve grundy --batch - --threads {threads}"), &input);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let answers = lines(&ran.out);
        assert_eq!(answers.len(), 3000);
        for (n, answer) in answers.iter().enumerate() {
            assert_eq!(answer["instance"]["heaps"][0], n % 40, "{answer}");
            assert_eq!(answer["nimber"], answers[n % 40]["nimber"]);
        }
    }
}

#[test]
fn a_line_is_answered_as_by_itself() {
    let input = "{\"size\": 3}\n{\"size\": 3, \"position\": \"XO./.X./..O\"}\n{\"after\": \"b2 a1\"}\n{\"size\": 0}\n";
    let ran = run_with("solve tic_tac_toe --batch -", input);
    assert_eq!((ran.code, ran.err.as_str()), (2, ""));
    let answers = lines(&ran.out);
    let alone = |words: &[&str]| -> Value {
        let mut one = command("solve tic_tac_toe --json");
        serde_json::from_slice(&one.args(words).output().unwrap().stdout).unwrap()
    };
    let told = |answer: &Value| (answer["winner"].clone(), answer["best_moves"].clone(), answer["variables"].clone());
    assert_eq!(told(&answers[0]), told(&alone(&[])));
    assert_eq!(told(&answers[1]), told(&alone(&["--position", "XO./.X./..O"])));
    assert_eq!(told(&answers[2]), told(&alone(&["--after", "b2, a1"])));
    assert_eq!(answers[3]["error"]["kind"], "wrong", "{}", answers[3]);
}

#[test]
fn answers_come_as_soon_as_they_are_known() {
    let mut child = command("solve nim --batch -").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for n in 1..5 {
        writeln!(input, "[{n}]").unwrap();
        input.flush().unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["nimber"], n);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}
