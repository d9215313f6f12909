//! What is checked, and what must come of it.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::problems::{PROBLEMS, Problem};

/// The binary.
const BINARY: &str = env!("CARGO_BIN_EXE_perfectplay");

/// All tests by name.
pub const ALL: &[(&str, fn())] = &[
    ("right_programs_pass", right_programs_pass),
    ("wrong_answers_are_found_and_shrunk", wrong_answers_are_found_and_shrunk),
    ("greedy_is_not_optimal", greedy_is_not_optimal),
    ("ties_are_no_wins", ties_are_no_wins),
    ("programs_that_are_too_slow", programs_that_are_too_slow),
    ("programs_that_crash", programs_that_crash),
    ("programs_that_print_something_else", programs_that_print_something_else),
    ("garbage_without_end_is_stopped", garbage_without_end_is_stopped),
    ("children_end_with_the_program", children_end_with_the_program),
    ("nothing_outlives_its_run", nothing_outlives_its_run),
    ("nothing_outlives_the_check", nothing_outlives_the_check),
    ("floods_of_processes_are_stopped", floods_of_processes_are_stopped),
    ("signals_and_closed_streams", signals_and_closed_streams),
    ("failures_of_other_problems_are_the_smallest", failures_of_other_problems_are_the_smallest),
    ("what_is_not_proved_smallest_says_so", what_is_not_proved_smallest_says_so),
    ("formats_of_judges", formats_of_judges),
    ("moves_are_judged", moves_are_judged),
    ("players_are_judged", players_are_judged),
    ("instances_come_from_where_they_are_said", instances_come_from_where_they_are_said),
    ("large_inputs_need_no_reader", large_inputs_need_no_reader),
    ("misuse_is_told", misuse_is_told),
    ("limits_of_ours", limits_of_ours),
    ("the_first_failure_does_not_depend_on_threads", the_first_failure_does_not_depend_on_threads),
];

const STONES: &str = "tests/files/takes.game";

/// What a check printed.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

/// Checks one of our programs.
fn check(words: &[&str], program: &str) -> Ran {
    let own = std::env::current_exe().unwrap();
    let mut command = Command::new(BINARY);
    command.arg("check").args(words).arg("--").arg(own).args(["program", program]);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
}

/// Checks one of our programs, and gives the verdict for programs.
fn verdict(words: &[&str], program: &str) -> Value {
    let ran = check(&[words, &["--json"]].concat(), program);
    let value: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{program}: {error}: {}{}", ran.out, ran.err));
    assert_eq!(ran.code, i32::from(value["passed"] == false), "{program}: {}", ran.err);
    value
}

/// Checks that a program fails in a way, on an instance.
fn fails(words: &[&str], program: &str, kind: &str, instance: Value) -> Value {
    let value = verdict(words, program);
    let failure = &value["failure"];
    assert_eq!(failure["kind"], kind, "{program}: {failure:#}");
    assert_eq!(failure["instance"], instance, "{program}: {failure:#}");
    failure.clone()
}

fn passes(words: &[&str], program: &str) {
    let value = verdict(words, program);
    assert_eq!(value["passed"], true, "{program}: {value:#}");
    assert!(value["instances"].as_u64() >= Some(1), "{program}");
}

fn right_programs_pass() {
    passes(&[STONES], "stones");
    passes(&[STONES, "--random", "400", "--seed", "7"], "stones");
    passes(&["coins"], "coins");
    passes(&["stone_game_3", "--output", "winner as \"Alice\"/\"Bob\"/\"Tie\""], "stone_game");
    let ran = check(&[STONES, "--random", "20"], "stones");
    assert!(ran.out.starts_with("right: it gives the exact answer on 20 instances"), "{}", ran.out);
}

fn wrong_answers_are_found_and_shrunk() {
    let failure = fails(&[STONES], "off_by_one", "wrong answer", json!({"k": 1, "takes": [1]}));
    assert_eq!((&failure["expected"], &failure["output"]), (&json!("First"), &json!("Second\n")));
    assert_eq!((&failure["input"], &failure["solution"]["line"]), (&json!("1 1\n1\n"), &json!(["take(1)"])));
    fails(&[STONES], "wrong_base", "wrong answer", json!({"k": 0, "takes": [1]}));
    fails(&[STONES], "deaf", "wrong answer", json!({"k": 0, "takes": [1]}));
    // Two stones less than the first that matters, whatever the first was.
    let ran = check(&[STONES, "k=25", "takes=[2,1]"], "off_by_one");
    assert_eq!(ran.code, 1);
    for part in
        ["wrong answer: it printed", "right answer", "why", "line of play", "It read:", "Again: perfectplay check"]
    {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
}

fn greedy_is_not_optimal() {
    fails(&[STONES], "greedy", "wrong answer", json!({"k": 4, "takes": [2, 1]}));
    let failure = fails(&["coins"], "greedy_coins", "wrong answer", json!({"coins": [0, 1, 0, 0]}));
    assert_eq!(failure["expected"], "1");
    fails(&["coins"], "coins_without_the_last", "wrong answer", json!({"coins": [1]}));
}

fn ties_are_no_wins() {
    let words = ["stone_game_3", "--output", "winner as \"Alice\"/\"Bob\"/\"Tie\""];
    let failure = verdict(&words, "wrong_tie")["failure"].clone();
    assert_eq!((&failure["kind"], &failure["expected"]), (&json!("wrong answer"), &json!("Tie")), "{failure:#}");
    assert!(failure["input"].as_str().unwrap().len() < 8, "{failure:#}");
}

fn programs_that_are_too_slow() {
    let slow = ["--sample", "k in 0..=200; takes in [1..=3; 1..=4]", "--run-time", "500ms"];
    let failure = verdict(&[&[STONES], &slow[..]].concat(), "too_slow")["failure"].clone();
    assert_eq!(failure["kind"], "too slow", "{failure:#}");
    passes(&[&[STONES], &slow[..]].concat(), "stones");
    let failure = fails(&[STONES, "--run-time", "300ms"], "endless", "too slow", json!({"k": 7, "takes": [1]}));
    assert!(failure["message"].as_str().unwrap().contains("300ms"), "{failure:#}");
}

fn programs_that_crash() {
    let failure = fails(&[STONES], "crash", "crash", json!({"k": 0, "takes": [1]}));
    assert!(failure["errors"].as_str().unwrap().contains("panicked"), "{failure:#}");
    assert_eq!(failure["message"], "it ended with exit code 101");
    if cfg!(unix) {
        let failure = fails(&[STONES], "abort", "crash", json!({"k": 9, "takes": [1]}));
        assert_eq!(failure["message"], "it was ended by signal 6 (abort)");
    }
    if cfg!(target_os = "linux") {
        fails(&[STONES, "--run-memory", "200M"], "memory", "crash", json!({"k": 3, "takes": [1]}));
    }
}

fn programs_that_print_something_else() {
    let failure = fails(&[STONES], "other_words", "wrong format", json!({"k": 0, "takes": [1]}));
    assert!(failure["message"].as_str().unwrap().contains("`Bob`"), "{failure:#}");
    let failure = fails(&[STONES], "chatty", "wrong format", json!({"k": 0, "takes": [1]}));
    assert_eq!(failure["message"], "it printed `done` behind the answer");
    let failure = fails(&[STONES], "silent", "wrong format", json!({"k": 0, "takes": [1, 1, 1]}));
    assert_eq!(failure["message"], "it printed nothing");
}

fn garbage_without_end_is_stopped() {
    let begun = Instant::now();
    fails(&[STONES], "garbage", "too much output", json!({"k": 5, "takes": [1]}));
    assert!(begun.elapsed() < Duration::from_secs(60));
}

/// How many of our sleeping programs are alive.
fn sleepers() -> usize {
    let own = std::env::current_exe().unwrap().display().to_string();
    let Ok(entries) = std::fs::read_dir("/proc") else { return 0 };
    let words = |path: std::path::PathBuf| std::fs::read(path.join("cmdline")).unwrap_or_default();
    let lines = entries.filter_map(|entry| Some(String::from_utf8_lossy(&words(entry.ok()?.path())).into_owned()));
    lines.filter(|line| line.starts_with(&own) && line.contains("\0sleep\0")).count()
}

fn children_end_with_the_program() {
    let begun = Instant::now();
    passes(&[STONES, "--random", "20"], "leaves_a_child");
    assert!(begun.elapsed() < Duration::from_secs(60));
    fails(
        &[STONES, "--random", "5", "--run-time", "300ms"],
        "waits_for_a_child",
        "too slow",
        json!({"k": 0, "takes": [1]}),
    );
    nobody_is_left(Duration::from_secs(5));
}

/// Waits until none of our sleeping programs is alive.
fn nobody_is_left(patience: Duration) {
    let begun = Instant::now();
    while sleepers() > 0 {
        assert!(begun.elapsed() < patience, "{} processes are left", sleepers());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Processes that leave their group, are orphans, and have no parent of ours any more.
fn nothing_outlives_its_run() {
    if !cfg!(target_os = "linux") {
        return;
    }
    for program in ["leaves_the_group", "leaves_an_orphan"] {
        passes(&[STONES, "--random", "5"], program);
        assert_eq!(sleepers(), 0, "{program}");
    }
    let slow = ["--run-time", "300ms", "--random", "3"];
    fails(&[&[STONES], &slow[..]].concat(), "waits_for_an_orphan", "too slow", json!({"k": 0, "takes": [1]}));
    assert_eq!(sleepers(), 0);
    // Whoever ends its supervisor is taken in by the check itself.
    let failure = verdict(&[&[STONES], &slow[..]].concat(), "ends_its_parent")["failure"].clone();
    assert_eq!((&failure["kind"], &failure["message"]), (&json!("crash"), &json!("it was ended by signal 9 (killed)")));
    assert_eq!(sleepers(), 0);
}

fn nothing_outlives_the_check() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let own = std::env::current_exe().unwrap();
    let mut command = Command::new(BINARY);
    command.args(["check", STONES, "--run-time", "60s", "--"]).arg(own).args(["program", "waits_for_an_orphan"]);
    let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while sleepers() == 0 {
        assert!(begun.elapsed() < Duration::from_secs(30), "no program has begun");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    nobody_is_left(Duration::from_secs(10));
}

fn floods_of_processes_are_stopped() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let words = [STONES, "--run-time", "20s", "k=1", "takes=[1]"];
    let failure = verdict(&words, "floods_processes")["failure"].clone();
    assert_eq!(failure["kind"], "too many processes", "{failure:#}");
    assert_eq!(sleepers(), 0);
    let failure = verdict(&["nim", "--play", "--run-time", "20s", "piles=[1]", "--as", "first"], "floods_processes");
    assert_eq!(failure["failure"]["kind"], "too many processes", "{failure:#}");
    assert_eq!(sleepers(), 0);
}

/// The kind of failure and the message for a line of shell on one instance.
fn shell(line: &str, words: &[&str]) -> (String, String) {
    let mut command = Command::new(BINARY);
    let output = command.arg("check").args(words).args(["--json", "--", "sh", "-c", line]).output().unwrap();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{line}: {error}: {}", String::from_utf8_lossy(&output.stderr));
    });
    let text = |name: &str| value["failure"][name].as_str().unwrap_or_default().to_string();
    (text("kind"), text("message"))
}

fn signals_and_closed_streams() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let one = [STONES, "k=1", "takes=[1]", "--run-time", "400ms"];
    let kind = |line: &str| shell(line, &one).0;
    assert_eq!(kind("exec 0<&-; echo First"), "");
    assert_eq!(kind("read a; echo First; exec 1>&- 2>&-; sleep 100"), "too slow");
    assert_eq!(kind("trap '' TERM INT HUP QUIT; while :; do :; done"), "too slow");
    // A group may be ended by its members, and it is the program's own.
    assert_eq!(shell("kill -15 0", &one), ("crash".to_string(), "it was ended by signal 15 (terminated)".to_string()));
    for (signal, message) in [
        (1, "it was ended by signal 1"),
        (2, "it was ended by signal 2"),
        (6, "it was ended by signal 6 (abort)"),
        (8, "it was ended by signal 8 (arithmetic error)"),
        (11, "it was ended by signal 11 (segmentation fault)"),
    ] {
        assert_eq!(shell(&format!("kill -{signal} $$"), &one), ("crash".to_string(), message.to_string()));
    }
    assert_eq!(shell("exit 77", &one).1, "it ended with exit code 77");
    let play = ["nim", "piles=[1]", "--play", "--as", "first", "--run-time", "400ms"];
    let closed = shell("exec 1>&-; sleep 100", &play);
    assert_eq!(closed, ("crash".to_string(), "it ended before move 1, which was its own".to_string()));
}

/// How large an instance is, by the numbers that are read: how many there are in lists, then how large they are together.
fn size(problem: &str, read: &[i64]) -> (usize, u64, usize) {
    let sum = |numbers: &[i64]| numbers.iter().map(|number| number.unsigned_abs()).sum::<u64>();
    let signs = read.iter().filter(|number| **number < 0).count();
    match problem {
        "ends" => (read.len() - 1, sum(&read[1..]), signs),
        "chase" => {
            // Each row is an item, and has its length before it.
            let (mut rest, mut lengths) = (&read[2..], 0);
            while let [length, ..] = rest {
                lengths += *length as u64;
                rest = &rest[1 + *length as usize..];
            }
            (3 + lengths as usize, sum(read) - 3 - lengths, signs)
        }
        _ => (0, sum(read), signs),
    }
}

/// Every mistake is found, and shrunk to an instance as small as the smallest on which right and wrong differ.
fn failures_of_other_problems_are_the_smallest() {
    for (name, Problem { rules, instances, right, wrong }) in PROBLEMS {
        passes(&[rules, "--random", "100"], &format!("{name}.right"));
        for (mistake, solve) in *wrong {
            let differ = instances().into_iter().filter(|read| right(read) != solve(read));
            let smallest = differ.map(|read| size(name, &read)).min().unwrap();
            let failure = verdict(&[rules], &format!("{name}.{mistake}"))["failure"].clone();
            assert_eq!((&failure["kind"], &failure["smallest"]), (&json!("wrong answer"), &json!(true)), "{failure:#}");
            let words = failure["input"].as_str().unwrap().split_whitespace();
            let read: Vec<i64> = words.map(|word| word.parse().unwrap()).collect();
            assert_eq!(size(name, &read), smallest, "{name}.{mistake}: {failure:#}");
        }
    }
}

fn what_is_not_proved_smallest_says_so() {
    let wide = ["--sample", "k in 0..=1000000; takes in [1..=6; 1..=4]"];
    // Lines are broken anywhere.
    let told = |words: &[&str]| check(words, "greedy").out.split_whitespace().collect::<Vec<_>>().join(" ");
    let out = told(&[&[STONES], &wide[..]].concat());
    assert!(out.contains("that there is no other one is not proved"), "{out}");
    let out = told(&[STONES]);
    assert!(out.contains("the smallest of the sample: none of the"), "{out}");
    let ran = check(&[STONES], "wrong_base");
    assert!(ran.out.contains("no smaller one is in the sample"), "{}", ran.out);
}

fn formats_of_judges() {
    let bool_of_coins = ["coins", "--format", "leetcode", "--output", "outcome as \"true\"/\"false\"/\"true\""];
    passes(&bool_of_coins, "json_coins");
    passes(&bool_of_coins, "json_coins_python");
    let failure = verdict(&bool_of_coins, "json_coins_strict")["failure"].clone();
    assert_eq!((&failure["kind"], &failure["expected"]), (&json!("wrong answer"), &json!("true")), "{failure:#}");
    passes(&["coins", "--format", "atcoder"], "coins");
    let failure = verdict(&["coins", "--format", "codeforces"], "coins")["failure"].clone();
    assert!(failure["input"].as_str().unwrap().starts_with("1\n"), "{failure:#}");
}

fn moves_are_judged() {
    let words = ["nim", "--output", "winner as \"First\"/\"Second\", move"];
    passes(&words, "nim_move");
    let failure = verdict(&words, "nim_any_move")["failure"].clone();
    assert_eq!(failure["kind"], "wrong answer", "{failure:#}");
    assert!(failure["message"].as_str().unwrap().contains("not a best one"), "{failure:#}");
}

fn players_are_judged() {
    passes(&["nim", "--play", "--random", "30"], "nim_player");
    passes(&["nim", "--play", "--random", "20", "--as", "second"], "nim_words");
    let failure = fails(&["nim", "--play", "--random", "60"], "nim_one", "gave it away", json!({"piles": [2]}));
    assert_eq!(failure["message"], "at move 1 it played take(1) in part 0, which makes a loss of a win");
    assert_eq!(
        failure["played"],
        json!({"seat": "first", "moves": ["take(1) in part 0"], "better": ["take(2) in part 0"]})
    );
    fails(&["nim", "--play", "--random", "60"], "nim_greedy", "gave it away", json!({"piles": [1, 2]}));
    for (program, kind) in [
        ("nim_illegal", "illegal move"),
        ("nim_leaves", "crash"),
        ("nim_floods", "too much output"),
        ("nim_mute", "too slow"),
    ] {
        let failure = verdict(&["nim", "--play", "--random", "40", "--run-time", "400ms"], program)["failure"].clone();
        assert_eq!(failure["kind"], kind, "{program}: {failure:#}");
        let piles: Vec<i64> =
            failure["instance"]["piles"].as_array().unwrap().iter().map(|pile| pile.as_i64().unwrap()).collect();
        assert!(piles.iter().sum::<i64>() <= 3, "{program}: {piles:?}");
    }
}

fn instances_come_from_where_they_are_said() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("some.jsonl");
    std::fs::write(&file, "{\"k\": 4, \"takes\": [1, 2]}\n\n{\"k\": 50, \"takes\": [9]}\n").unwrap();
    let path = file.to_str().unwrap();
    assert_eq!(verdict(&[STONES, "--from", path], "stones")["instances"], 2);
    assert_eq!(verdict(&[STONES, "k=9", "takes=[2]"], "stones")["instances"], 1);
    assert_eq!(verdict(&[STONES, "--sample", "k in 3..=5; takes in [[2], [1, 3]]"], "stones")["instances"], 6);
    std::fs::write(&file, "{\"k\": 4}\n").unwrap();
    let ran = check(&[STONES, "--from", path], "stones");
    assert!(ran.code == 2 && ran.err.contains("`takes` is missing"), "{}", ran.err);
    std::fs::write(&file, "{\"k\": 4,\n").unwrap();
    let ran = check(&[STONES, "--from", path], "stones");
    assert!(ran.code == 2 && ran.err.contains("line 1"), "{}", ran.err);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A program that never reads blocks nobody, however much there is to read.
fn large_inputs_need_no_reader() {
    let piles = format!("piles=[{}]", vec!["1"; 40_000].join(","));
    let begun = Instant::now();
    for mode in [&["--play"][..], &[]] {
        let words = [&["nim", &piles, "--run-time", "200ms"], mode].concat();
        let failure = verdict(&words, "sleep")["failure"].clone();
        assert_eq!(failure["kind"], "too slow", "{mode:?}");
    }
    assert!(begun.elapsed() < Duration::from_secs(150), "{:?}", begun.elapsed());
}

fn misuse_is_told() {
    for (words, said) in [
        (&["conis"][..], "did you mean"),
        (&[STONES, "--output", "winer"], "a program cannot be asked for `winer`"),
        (&[STONES, "--output", "value"], "asked for `value`"),
        (&[STONES, "--input", "{m}"], "`m` is not known"),
        (&[STONES, "--sample", "k in 0..=3"], "`takes` has neither a sample nor a default"),
        (&[STONES, "--sample", "k in 5..=3; takes in [[1]]"], "no instance"),
        (&[STONES, "k=x"], "k"),
        (&[STONES, "--as", "first"], "--play"),
    ] {
        let ran = check(words, "stones");
        assert_eq!(ran.code, 2, "{words:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(said), "{words:?}: {}", ran.err);
    }
    for (command, said) in [
        (&["check", "nim"][..], "COMMAND"),
        (&["check", "nim", "--", "./nowhere"], "there is no program `./nowhere`"),
        (&["check", "nim", "--", "no_such_program_at_all"], "there is no program"),
        (&["check", "nim", "--", "tests/files/takes.game"], "chmod"),
    ] {
        let output = Command::new(BINARY).args(command).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command:?}: {err}");
        assert!(err.contains(said) || (said == "chmod" && cfg!(not(unix))), "{command:?}: {err}");
    }
}

fn limits_of_ours() {
    let large = ["connect_k", "rows=6", "columns=7", "k=4", "--time", "50ms"];
    let ran = check(&large, "deaf");
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("too large"), "{}", ran.out);
}

fn the_first_failure_does_not_depend_on_threads() {
    let one = verdict(&["coins", "--threads", "1"], "greedy_coins");
    for threads in ["2", "7"] {
        let many = verdict(&["coins", "--threads", threads], "greedy_coins");
        assert_eq!(many["failure"]["found_on"], one["failure"]["found_on"]);
        assert_eq!(many["failure"]["instance"], one["failure"]["instance"]);
        assert_eq!(many["instances"], one["instances"]);
    }
}
