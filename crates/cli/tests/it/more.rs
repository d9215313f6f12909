//! What `solve` gives beside the answer: whole lines, pictures. Their texts are in the transcripts.

use serde_json::Value;

use crate::support::{Folder, Ran, brief, command, run};

fn object(words: &str) -> Value {
    let ran = run(words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words}");
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn the_whole_line_of_every_gallery_game_begins_as_the_answer_says() {
    let folder = Folder::new();
    let path = folder.0.join("line.jsonl");
    let games = object("games --json");
    for game in games["games"].as_array().unwrap() {
        let name = &brief(game["name"].as_str().unwrap());
        let solved = object(&format!("solve {name} --json --line {}", path.display()));
        let text = std::fs::read_to_string(&path).unwrap();
        let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let moves: Vec<&Value> = rows.iter().filter_map(|row| row.get("move")).collect();
        assert_eq!(solved["line_file"]["moves"], moves.len(), "{name}");
        let line = solved["line"].as_array().unwrap();
        assert_eq!(
            moves.iter().take(line.len()).copied().collect::<Vec<_>>(),
            line.iter().collect::<Vec<_>>(),
            "{name}"
        );
        assert_eq!(
            moves.len() > line.len() || solved["line_file"]["repeats"] == true,
            solved["line_cut"] == true,
            "{name}"
        );
        if let (Some(scores), Some(last)) = (solved.get("scores"), rows.last()) {
            assert_eq!(&last["totals"], scores, "{name}");
        }
    }
}

#[test]
fn a_long_line_is_whole() {
    let folder = Folder::new();
    let coins: Vec<u64> = (0..100_000u64).map(|k| k * k * 31 % 997).collect();
    std::fs::write(folder.0.join("many.json"), format!("{coins:?}")).unwrap();
    let (many, line) = (folder.0.join("many.json"), folder.0.join("line.csv"));
    let solved = object(&format!("solve coins @{} --json --line {}", many.display(), line.display()));
    let text = std::fs::read_to_string(&line).unwrap();
    assert_eq!(text.lines().count(), coins.len() + 1);
    // Played again by hand.
    let (mut left, mut right, mut totals) = (0, coins.len(), [0; 2]);
    for (number, row) in text.lines().skip(1).enumerate() {
        let taken = match row.split(',').nth(2).unwrap() {
            "left" => {
                left += 1;
                coins[left - 1]
            }
            "right" => {
                right -= 1;
                coins[right]
            }
            other => panic!("{other}"),
        };
        totals[number % 2] += taken;
        let player = if number % 2 == 0 { "first" } else { "second" };
        let label = row.split(',').nth(2).unwrap();
        assert_eq!(row, format!("{},{player},{label},{taken},{},{}", number + 1, totals[0], totals[1]));
    }
    assert_eq!(left, right);
    assert_eq!(solved["scores"], serde_json::json!(totals));
}

#[test]
fn what_was_there_stays_until_the_new_file_is_whole() {
    let folder = Folder::new();
    let path = folder.0.join("line.csv");
    std::fs::write(&path, "old").unwrap();
    let ran = run(&format!("solve connect_k rows=6 columns=7 k=4 --time 1ms --line {}", path.display()));
    assert_eq!(ran.code, 3);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    let hidden = std::fs::read_dir(&folder.0)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'));
    assert_eq!(hidden.count(), 0);
    assert_eq!(run(&format!("solve coins --quiet --line {}", path.display())).code, 0);
    assert!(
        std::fs::read_to_string(&path).unwrap().starts_with("number,player,move,gain,first_total,second_total\n1,")
    );
}

#[test]
fn pictures_of_any_size_are_well_formed() {
    let folder = Folder::new();
    let path = folder.0.join("table.svg");
    let names = "game names(items: [int], note: text) { let n = len(items); state { i in 0..=n = 0; j in 0..=n = n; }
        move left when i < j { gain items[i]; i += 1; } move right when i < j { j -= 1; gain items[j] * items[j]; } }";
    std::fs::write(folder.0.join("names.game"), names).unwrap();
    let game = folder.0.join("names.game").display().to_string();
    for (length, largest) in [(1, 9), (2, 1_000_000_000), (9, 9), (25, 1000), (60, 99), (61, 99), (300, 50)] {
        let items: Vec<i64> = (0..length).map(|k| (k * k * 7 + k) % (largest + 1) - largest / 3).collect();
        std::fs::write(folder.0.join("items.json"), format!("{items:?}")).unwrap();
        let at = folder.0.join("items.json").display().to_string();
        let ran = run(&format!("solve {game} items=@{at} note=<&\"> --svg {} --quiet", path.display()));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{length}");
        let text = std::fs::read_to_string(&path).unwrap();
        well_formed(&text);
        assert!(text.len() < 4_000_000 && !text.contains("NaN") && !text.contains("inf"), "{length}");
        assert!(text.contains("value for the player to move"));
        assert!(length > 1 || text.contains("&lt;&amp;"), "{length}");
    }
}

/// Every element is closed in order, and no sign stands where it must not.
fn well_formed(text: &str) {
    let body = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = body;
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        assert!(!before.contains('>') && (before.trim().is_empty() || !open.is_empty()), "{before}");
        for piece in before.split('&').skip(1) {
            assert!(["lt;", "gt;", "amp;", "quot;"].iter().any(|name| piece.starts_with(name)), "{piece}");
        }
        let end = tag.find('>').unwrap();
        let inner = &tag[1..end];
        assert!(inner.matches('"').count() % 2 == 0 && !inner.contains('<'), "{inner}");
        let name = inner.trim_start_matches('/').split([' ', '/']).next().unwrap();
        if inner.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !inner.ends_with('/') {
            open.push(name);
        }
        rest = &tag[end + 1..];
    }
    assert!(open.is_empty() && rest == "\n");
}

#[test]
fn mistakes_are_told_by_what_was_typed() {
    for (words, said) in [
        ("solve nim 3 4 5 --time -3s", "`-3s` is no value of `--time`"),
        ("solve nim 3 4 --depth x", "expected a whole number"),
        ("solve nim 3 4 --depth 501", "from 0 to 500"),
        ("solve coins 5,3,x", "`x` is no whole number"),
        ("solve octal n=", "a value is expected behind n="),
        ("solve hex 3 --position ..../.../...", "row 1 of the drawing has 3 cells, and 4 are given"),
    ] {
        let ran = run(words);
        assert!(ran.code == 2 && ran.err.contains(said), "{words}: {} {}", ran.code, ran.err);
    }
}

#[test]
fn a_mistake_does_not_keep_other_expressions_from_their_values() {
    let ran = run("value 1+1 nothing 2*off");
    assert_eq!(ran.code, 2);
    assert!(
        ran.out.contains("1+1:  2") && ran.out.contains("2*off:  off") && ran.err.contains("`nothing`"),
        "{}",
        ran.out
    );
    assert!(run("value 10^18").out.contains("10 + ^18: a number and ups, not a power"));
}

#[test]
fn looking_ahead_takes_little_memory_and_says_nothing_where_nothing_is_proved() {
    let ran = run("solve othello 4 5 --depth 3 --json --memory 20M");
    assert_eq!(ran.code, 3);
    assert!(ran.out.contains("\"limit\":\"depth\"") && !ran.out.contains("bounds"), "{}", ran.out);
}

#[test]
fn an_instance_behind_a_game_is_no_expression_of_its_own() {
    for (words, typed) in [
        ("value domineering 2 3", "'domineering(2, 3)'"),
        ("value 1 domineering rows=2 columns=3 2*off", "1 'domineering(rows=2, columns=3)' '2*off'"),
        ("value nim [3,4]", "'nim([3,4])'"),
    ] {
        let ran = run(words);
        assert!(ran.code == 2 && ran.err.contains("no instance") && ran.err.contains(typed), "{words}: {}", ran.err);
    }
    let mut typed = command("value");
    typed.arg("domineering(2, 3)");
    let typed: Ran = typed.output().unwrap().into();
    assert_eq!(typed.code, 0, "{}", typed.err);
    assert_eq!(run("value domineering 1+1").code, 0);
}

#[test]
fn an_illegal_move_is_not_called_unclear() {
    let mut wrong = command("moves connect_k rows=3 columns=2");
    let wrong: Ran = wrong.args(["--after", "drop 7"]).output().unwrap().into();
    assert!(wrong.code == 2 && wrong.err.contains("`drop 7` (move 1) is not a legal move"), "{}", wrong.err);
    let unclear = run("moves connect_k rows=3 columns=2 --after drop");
    assert!(unclear.err.contains("can mean several moves"), "{}", unclear.err);
}

#[test]
fn words_are_taken_where_they_can_mean_one_thing() {
    assert!(run("solve nim piles=3 4 5").out.contains("first"));
    assert!(run("solve nim {3,4,5}").out.contains("first"));
    let renamed = run("solve chomp width=3 height=4");
    assert!(renamed.code == 2 && renamed.err.contains("rows=3 columns=4"), "{}", renamed.err);
    assert!(run("solve tic-tac-toe").err.contains("`tic_tac_toe`"));
}
