//! Tables that are built layer by layer: those of random games of stones are the tables made in one go, whatever the memory, the
//! threads and the stops; and `verify` finds every value by the interpreter.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use testkit::Random;

use crate::support::{Folder, command, run};

/// Random rules: stones are placed, then moved; some of them are taken, some turns are followed by another one of the same player.
fn stones(random: &mut Random) -> String {
    let n = 4 + random.below(3usize);
    let men = (1 + random.below(3usize)).min(n / 2);
    let stones = 2 * men;
    let places: Vec<usize> = (0..n).collect();
    let near: Vec<Vec<usize>> =
        places.iter().map(|s| places.iter().copied().filter(|t| t != s && random.below(2) == 0).collect()).collect();
    let wins: Vec<Vec<usize>> =
        (0..random.below(4usize)).map(|_| (0..2 + random.below(2usize)).map(|_| random.below(n)).collect()).collect();
    let (taking, placed) = (random.below(5) < 3, random.below(2) == 0);
    let (left, done, step) = match placed {
        true => (format!("placed < {stones}"), format!("placed == {stones}"), "placed += 1;"),
        false => ("hand > 0".to_string(), "hand == 0".to_string(), "hand -= 1;"),
    };
    let not_taking = if taking { " and not takes" } else { "" };
    let mut text = format!("game g {{\n let near = {near:?};\n let wins = {wins:?};\n");
    let mut line = |words: String| writeln!(text, " {words}").unwrap();
    line(format!("state {{ board in [{{empty, black, red}}; {n}] = [empty; {n}];"));
    line(match placed {
        true => format!("placed in 0..={stones} = 0;"),
        false => format!("hand in 0..={stones} = {stones};"),
    });
    if taking {
        line("takes in bool = false;".to_string());
    }
    let moved = random.below(5) < 2;
    if moved {
        line("last in 0..4 = 0;".to_string());
    }
    line("}".to_string());
    if !wins.is_empty() {
        line(format!("end when any(all(board[s] == opponent + 1 for s in w) for w in wins){not_taking} => lose;"));
    }
    if random.below(3) == 0 {
        line(format!("end when {done}{not_taking} and board[0] == empty and board[{}] == mover + 1 => draw;", n - 1));
    }
    if taking {
        let least = men.min(2);
        line(format!("end when {done}{not_taking} and count(x == mover + 1 for x in board) < {least} => lose;"));
    }
    let (a, b) = (random.below(n), random.below(n));
    let mill = format!("board[{a}] == mover + 1 and board[{b}] == mover + 1");
    let closes = match (taking, random.below(5) < 2) {
        (true, _) => format!("if {mill} and any(x == opponent + 1 for x in board) {{ takes = true; again; }}"),
        (false, true) => format!("if {mill} {{ again; }}"),
        (false, false) => String::new(),
    };
    let last = if moved { "last = (last + at) % 4;" } else { "" };
    line(format!(
        "move place(at in 0..{n}) when {left}{not_taking} and board[at] == empty {{ board[at] = mover + 1; {step} {last} {closes} }}"
    ));
    let closes = if random.below(5) < 3 { closes } else { String::new() };
    line(format!(
        "move go(from in 0..{n}, to in near[from]) when {done}{not_taking} and board[from] == mover + 1 and board[to] == empty {{
            board[from] = empty; board[to] = mover + 1; {closes} }}"
    ));
    if taking {
        line(format!(
            "move take(at in 0..{n}) when takes and board[at] == opponent + 1 {{ board[at] = empty; takes = false; }}"
        ));
    }
    line(format!("stuck => {};", ["lose", "draw", "win"][random.below(3usize)]));
    text.push_str("}\n");
    text
}

fn built(game: &str, path: &Path, how: &str) -> Vec<u8> {
    let built = run(&format!("build {game} -o {} --quiet {how}", path.display()));
    assert_eq!(built.code, 0, "{game}: {}", built.err);
    fs::read(path).unwrap()
}

#[test]
fn tables_of_random_games_of_stones_are_the_same_layer_by_layer() {
    let folder = Folder::new();
    let (rules, whole, layered) =
        (folder.0.join("g.game"), folder.0.join("whole.table"), folder.0.join("layered.table"));
    let mut random = Random::new(1611);
    for round in 0..25 {
        let text = stones(&mut random);
        fs::write(&rules, &text).unwrap();
        let game = rules.display().to_string();
        let bytes = built(&game, &whole, "");
        let how = format!("--method layers --threads {} --save-every 1ms", 1 + round % 3);
        assert!(built(&game, &layered, &how) == bytes, "{text}");
        assert_eq!(run(&format!("verify {}", layered.display())).code, 0, "{text}");
        fs::remove_file(&whole).unwrap();
        fs::remove_file(&layered).unwrap();
    }
}

/// Killed at random moments, under little memory: the file that comes of it in the end is the one that is made in one go.
#[test]
#[cfg(unix)]
fn layers_that_are_killed_again_and_again_go_on() {
    let folder = Folder::new();
    let (whole, killed) = (folder.0.join("whole.table"), folder.0.join("killed.table"));
    let game = "six_mens_morris men=3";
    let bytes = built(game, &whole, "");
    let mut random = Random::new(1612);
    let (mut kept, mut runs) = (0, 0);
    while !killed.exists() && runs < 200 {
        let words = format!(
            "build {game} -o {} --quiet --memory 64M --save-every 10ms --method layers --threads {}",
            killed.display(),
            1 + runs % 2
        );
        let mut child = command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(200 + 20 * runs + random.below(800)));
        let _ = child.kill();
        child.wait().unwrap();
        kept += usize::from(folder.0.join("killed.table.part.layers").exists());
        runs += 1;
    }
    assert!(kept > 0, "no snapshot in {runs} runs");
    assert!(built(game, &killed, "--method layers") == bytes);
    let names = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = names.filter(|name| name.starts_with("killed.table.")).collect();
    assert!(left.is_empty(), "left behind: {left:?}");
}
