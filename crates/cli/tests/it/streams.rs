//! Pipes that close, terminals that are none, colours, progress.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Folder, command, run, run_with};

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    for words in ["games", "test chomp coins nim", "solve race goal=2000 most=1", "completions bash"] {
        let mut child = command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut out = BufReader::with_capacity(16, child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        drop(out);
        let ran = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&ran.stderr), "", "{words}");
        assert_eq!(ran.status.code(), Some(0), "{words}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let ran = command("solve coins").stdout(full).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("cannot write"));
}

#[test]
fn no_input_ends_a_game_quietly() {
    let ran = run("play coins");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(
        ran.out.ends_with("first to move> \nposition: --position '{\"i\":0,\"j\":4}' --turn first\n"),
        "{:?}",
        ran.out
    );
}

#[cfg(unix)]
#[test]
fn closed_input_is_no_panic() {
    for words in ["play coins", "solve coins -"] {
        let script = format!("exec \"$0\" {words} <&-");
        let output = std::process::Command::new("sh").args(["-c", &script, crate::support::BINARY]).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!error.contains("panic"), "{words}: {error}");
        assert!(matches!(output.status.code(), Some(0 | 2)), "{words}: {error}");
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    for words in ["solve coins", "moves coins", "solve conis", "solve coins coins=5", "explain coins", "games"] {
        for (name, value, coloured) in
            [("NO_COLOR", "1", false), ("TERM", "dumb", false), ("CLICOLOR_FORCE", "1", true)]
        {
            let output = command(words).env(name, value).output().unwrap();
            let escapes = output.stdout.contains(&0x1b) || output.stderr.contains(&0x1b);
            assert!(!escapes || coloured, "{words} with {name}");
        }
    }
    let forced = command("solve coins").env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(forced.stdout.contains(&0x1b));
}

/// A game that is not solved in the time that a test has.
pub const HUGE: &str = "solve connect_k rows=6 columns=7 k=4";

#[test]
fn long_solves_tell_how_far_they_are_unless_quiet() {
    let started = Instant::now();
    let spawn = |words: &str| command(words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut loud, mut quiet) = (spawn(HUGE), spawn(&format!("{HUGE} --quiet --time 11s")));
    let mut line = String::new();
    BufReader::new(loud.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(started.elapsed() >= Duration::from_secs(9), "not in the first seconds");
    loud.kill().unwrap();
    loud.wait().unwrap();
    assert!(line.contains(" positions, ") && line.contains(" a second"), "{line:?}");

    let mut error = String::new();
    quiet.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!(quiet.wait().unwrap().code(), Some(3));
    assert!(error.starts_with("Limit: "), "{error:?}");
}

#[test]
fn limits_say_what_would_help() {
    let memory = run(&format!("{HUGE} --memory 1K"));
    assert_eq!((memory.code, memory.out.as_str()), (3, ""));
    assert!(memory.err.contains("memory limit of 1.0 kB") && memory.err.contains("--memory"), "{}", memory.err);
    let time = run(&format!("{HUGE} --time 1ms"));
    assert_eq!((time.code, time.out.as_str()), (3, ""));
    assert!(time.err.contains("time limit of 1ms") && time.err.contains("--time"), "{}", time.err);
}

#[test]
fn people_play_games_that_nobody_can_solve() {
    let words = "play connect_k rows=6 columns=7 k=4 --people --time 50ms";
    let ran = run_with(words, "drop(3)\nhint\ndrop(2)\nquit\n");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("no hints here"), "{}", ran.out);
    let alone = run_with("play connect_k rows=6 columns=7 k=4 --time 50ms", "d\nquit\n");
    assert_eq!((alone.code, alone.err.as_str()), (0, ""));
    assert!(alone.out.contains("cannot solve this game") && alone.out.contains("(it looked "), "{}", alone.out);
    assert!(!alone.out.contains("perfectly"), "{}", alone.out);
}

#[test]
fn sums_that_may_go_round_say_so() {
    let folder = Folder::new();
    let file = folder.0.join("wheel.game");
    let rules = "game wheel { state { at in 0..=2 = 1; } move first stop when at > 0 { at = 0; }
        move second roll when at > 0 { at = 3 - at; } }";
    std::fs::write(&file, rules).unwrap();
    let sum = format!("{}+hackenbush_strings([[1,-1]])", file.display());
    let said = |words: &str| {
        let ran = run(words);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words}");
        ran.out
    };
    let solved: serde_json::Value = serde_json::from_str(&said(&format!("solve {sum} --json"))).unwrap();
    assert!(solved["line"].is_array() && solved["line_missing"].is_null(), "{solved}");
    assert!(!said(&format!("play {sum}")).contains("go round"));
    let string = "[1,-1,1,-1,1,-1]";
    let sum = format!("{sum}+hackenbush_strings([{}])", [string; 7].join(","));
    let solved: serde_json::Value = serde_json::from_str(&said(&format!("solve {sum} --json"))).unwrap();
    assert!(solved["line"].is_null() && solved["line_missing"].as_str().unwrap().contains("go round"), "{solved}");
    let text = said(&format!("solve {sum}"));
    assert!(text.contains("none: positions repeat"), "{text}");
    let text = said(&format!("play {sum}"));
    assert!(text.contains("may go round"), "{text}");
    assert!(!said("play hackenbush_strings([[1,-1]])+nim(3)").contains("go round"));
}
