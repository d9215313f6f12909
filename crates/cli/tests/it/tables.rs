//! Tables that are stopped, cut, bent or too large for the disk, as people meet them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use testkit::Random;

use crate::support::{BINARY, Folder, command, run, run_with};

fn build(game: &str, path: &Path) -> Vec<u8> {
    let built = run(&format!("build {game} -o {} --quiet", path.display()));
    assert_eq!(built.code, 0, "{}", built.err);
    fs::read(path).unwrap()
}

/// Killed at random moments, under little memory: the file that comes of it in the end is the one that is made in one go.
#[test]
#[cfg(unix)]
fn a_table_that_is_killed_again_and_again_becomes_the_same() {
    const GAME: &str = "connect_k rows=3 columns=4 k=3";
    let folder = Folder::new();
    let (whole, killed) = (folder.0.join("whole.table"), folder.0.join("killed.table"));
    let bytes = build(GAME, &whole);
    let mut random = Random::new(5);
    for _ in 0..20 {
        let words = format!("build {GAME} -o {} --quiet --memory 256M --threads 1", killed.display());
        let mut child = command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(20 + random.below(400)));
        let _ = child.kill();
        child.wait().unwrap();
        if killed.exists() {
            assert!(fs::read(&killed).unwrap() == bytes);
            fs::remove_file(&killed).unwrap();
        }
    }
    assert!(build(GAME, &killed) == bytes);
    assert!(!folder.0.join("killed.table.part").exists());
}

/// The solve itself is kept, too: killed at random moments while it finds positions, values them, walks and writes.
#[test]
#[cfg(unix)]
fn a_solve_that_is_killed_again_and_again_goes_on() {
    let folder = Folder::new();
    let (whole, killed) = (folder.0.join("whole.table"), folder.0.join("killed.table"));
    let game = "rook_endgame side=6 king=0 rook=7 lone=28";
    let bytes = build(game, &whole);
    let mut random = Random::new(15);
    let (mut kept, mut runs) = (0, 0);
    while !killed.exists() && runs < 400 {
        let words = format!("build {game} -o {} --quiet --memory 256M --save-every 10ms", killed.display());
        let mut child = command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(100 + 5 * runs + random.below(600)));
        let _ = child.kill();
        child.wait().unwrap();
        let names = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        kept += usize::from(names.filter(|name| name.starts_with("killed.table.part.")).count() > 0);
        runs += 1;
    }
    assert!(kept > 0, "no snapshot in {runs} runs");
    assert!(build(game, &killed) == bytes);
    let names = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = names.filter(|name| name.starts_with("killed.table.")).collect();
    assert!(left.is_empty(), "left behind: {left:?}");
}

/// A disk that is full, as far as a limit on the size of files shows it: what is there stays, and the same command goes on.
#[test]
#[cfg(unix)]
fn a_full_disk_loses_nothing() {
    const GAME: &str = "connect_k rows=3 columns=4 k=3";
    let folder = Folder::new();
    let (whole, small) = (folder.0.join("whole.table"), folder.0.join("small.table"));
    let bytes = build(GAME, &whole);
    // In units of 512 or 1024 bytes; the signal is ignored, so that writing fails.
    let script = format!("trap '' XFSZ; ulimit -f 6; {BINARY} build {GAME} -o {} --quiet", small.display());
    let ran = Command::new("sh").args(["-c", &script]).output().unwrap();
    let err = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(2), "{err}");
    assert!(err.contains("the same command goes on"), "{err}");
    assert!(!small.exists());
    assert!(build(GAME, &small) == bytes);
}

/// Whatever byte is changed, `verify` finds it and `query` refuses the file.
#[test]
fn every_changed_byte_is_refused() {
    let folder = Folder::new();
    let path = folder.0.join("chomp.table");
    let bytes = build("chomp rows=2 columns=3", &path);
    let mut random = Random::new(9);
    let bent = folder.0.join("bent.table");
    for at in (0..bytes.len()).step_by(41).chain([0, 19, 20, bytes.len() - 1]) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << random.below(8_u32);
        fs::write(&bent, &changed).unwrap();
        assert_eq!(run(&format!("query {}", bent.display())).code, 2, "byte {at}");
        assert!([1, 2].contains(&run(&format!("verify {}", bent.display())).code), "byte {at}");
    }
    for length in (0..bytes.len()).step_by(97) {
        fs::write(&bent, &bytes[..length]).unwrap();
        assert_eq!(run(&format!("query {}", bent.display())).code, 2, "{length} bytes");
    }
}

/// Rows of coins lie in pieces: a changed byte is refused there, too.
#[test]
fn every_changed_byte_of_pieces_is_refused() {
    let folder = Folder::new();
    let path = folder.0.join("coins.table");
    let bytes = build("coins [8,15,3,7]", &path);
    assert_eq!(run(&format!("verify {}", path.display())).code, 0);
    for at in (0..bytes.len()).step_by(311).chain([19, 3000, 4095, 4096, 12_000]) {
        let mut changed = bytes.clone();
        changed[at] ^= 2;
        fs::write(&path, &changed).unwrap();
        assert_eq!(run(&format!("query {}", path.display())).code, 2, "byte {at}");
        assert!([1, 2].contains(&run(&format!("verify {}", path.display())).code), "byte {at}");
    }
}

/// Lines in bulk say what `moves` says of each position.
#[test]
fn a_batch_says_what_moves_says() {
    let folder = Folder::new();
    let path = folder.0.join("ttt.table");
    build("tic_tac_toe", &path);
    let afters = ["place(4)", "place(0), place(4)", "place(0), place(1), place(2), place(3)"];
    let lines: String = afters.iter().map(|after| format!("{{\"after\": \"{after}\"}}\n")).collect();
    let answers = run_with(&format!("query {} --batch -", path.display()), &lines);
    assert_eq!(answers.code, 0, "{}", answers.err);
    for (answer, after) in answers.out.lines().zip(afters) {
        let solved = command("moves tic_tac_toe --json").args(["--after", after]).output().unwrap();
        let solved: Value = serde_json::from_slice(&solved.stdout).unwrap();
        assert_eq!(serde_json::from_str::<Value>(answer).unwrap(), solved, "{after}");
    }
    assert_eq!(answers.out.lines().count(), afters.len());
}

/// A reader who has seen enough (`| head -1`) is no mistake.
#[test]
fn an_export_ends_quietly_when_nobody_reads_on() {
    let folder = Folder::new();
    let table = folder.0.join("ttt.table");
    build("tic_tac_toe", &table);
    for format in ["--csv", "--jsonl"] {
        let words = format!("export {} {format} - --quiet", table.display());
        let mut child = command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        assert_eq!((ended.status.code(), String::from_utf8_lossy(&ended.stderr).as_ref()), (Some(0), ""), "{format}");
    }
}
