//! Ctrl-C.
#![cfg(unix)]

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::streams::HUGE;
use crate::support::{Folder, command};

fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn a_solve_stops_within_a_second_and_says_so() {
    for words in [
        HUGE.to_string(),
        format!("{HUGE} --json"),
        HUGE.replace("solve", "explain --run"),
        HUGE.replace("solve", "moves"),
        HUGE.replace("solve", "survey"),
        "value domineering(12,12)".to_string(),
        "value domineering(12,12) --json".to_string(),
    ] {
        let mut child =
            command(&words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        let asked = Instant::now();
        interrupt(&child);
        let status = child.wait().unwrap();
        assert!(asked.elapsed() < Duration::from_secs(1), "{words}: {:?}", asked.elapsed());
        assert_eq!(status.code(), Some(130), "{words}");
        let (mut out, mut err) = (String::new(), String::new());
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert!(err.contains("Stopped after ") && err.contains("nothing is proved yet"), "{words}: {err}");
        if words.contains("--json") {
            let value: serde_json::Value = serde_json::from_str(&out).unwrap();
            assert_eq!(value["error"]["kind"], "interrupted");
        } else {
            assert_eq!(out, "", "{words}");
        }
    }
}

#[test]
fn a_sequence_stops_while_it_is_written() {
    for format in ["--json", "--format csv", "--plot"] {
        let words = format!("sequence octal code=0.07 n=0..2000000000 {format}");
        let mut child =
            command(&words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(1500));
        let asked = Instant::now();
        interrupt(&child);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{words}");
        assert!(asked.elapsed() < Duration::from_secs(3), "{words}: {:?}", asked.elapsed());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert!(err.contains("Stopped at n="), "{words}: {err}");
    }
}

#[test]
fn at_the_prompt_of_a_game_it_ends_the_program_at_once() {
    let mut child = command("play tic_tac_toe")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Kept open: waiting for a child closes its input, and that would end the game too.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"place(4)\n").unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let asked = Instant::now();
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(asked.elapsed() < Duration::from_secs(1));
    drop(input);
}

#[test]
fn tests_that_are_stopped_say_how_far_they_came() {
    let folder = Folder::new();
    let large = include_str!("../../../../games/hex.game").replacen(
        "sample {",
        "example { size: 7 } gives { winner: second };\n    sample {",
        1,
    );
    std::fs::write(folder.0.join("large.game"), large).unwrap();
    let mut testing = command("test nim large.game coins --time 1h");
    testing.current_dir(&folder.0).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = testing.spawn().unwrap();
    // The first file is through when its line is there.
    let mut out = child.stdout.take().unwrap();
    let mut first = [0; 2];
    out.read_exact(&mut first).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert!(err.contains("Stopped in large.game: 1 of 3 files had been tested."), "{err}");
}
