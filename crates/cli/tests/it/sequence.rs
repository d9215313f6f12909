//! `perfectplay sequence`: values, formats, pictures, and runs that are cut short.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Folder, command, run};

/// A sequence that nobody has finished.
const ENDLESS: &str = "sequence octal code=0.007 n=0..10^8";

fn object(words: &str) -> Value {
    let ran = run(&format!("{words} --json"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words}");
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{words}: {error}: {}", ran.out))
}

fn values(words: &str) -> Vec<i64> {
    object(words)["values"].as_array().unwrap().iter().map(|value| value.as_i64().unwrap()).collect()
}

#[test]
fn first_values_are_those_of_the_books() {
    let kayles = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7];
    let dawson = [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5];
    let grundy = [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3];
    assert_eq!(values("sequence octal code=0.77 0..16"), kayles);
    assert_eq!(values("sequence kayles rows=0..16"), kayles);
    assert_eq!(values("sequence kayles rows=[0..=15]"), kayles);
    assert_eq!(values("sequence octal .137 n=0..16"), dawson);
    assert_eq!(values("sequence grundy 0..20"), grundy);
    assert_eq!(values("sequence octal code=0.(3) 5..9"), [5, 6, 7, 8]);
    assert_eq!(values("sequence kayles 10..=15"), kayles[10..]);
}

#[test]
fn a_code_and_the_rules_agree() {
    for (code, game) in [("0.77", "kayles"), ("0.07", "dawson_kayles"), ("4.(3)", "lasker_nim")] {
        let by_code = run(&format!("sequence octal code={code} 0..50 --format csv"));
        let by_rules = run(&format!("sequence {game} 0..50 --format csv"));
        assert_eq!((by_code.code, by_rules.code), (0, 0), "{game}: {}", by_rules.err);
        assert_eq!(by_code.out, by_rules.out, "{game}");
    }
}

#[test]
fn every_format_has_the_same_values() {
    let words = "sequence octal code=0.07 n=3..2000";
    let all = values(words);
    let lines = run(&format!("{words} --format lines")).out;
    let of_line = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        (value["n"].as_i64().unwrap(), value["value"].as_i64().unwrap())
    };
    let expected: Vec<(i64, i64)> = (3..2000).zip(all.iter().copied()).collect();
    assert_eq!(lines.lines().map(of_line).collect::<Vec<_>>(), expected);
    let csv = run(&format!("{words} --format csv")).out;
    let mut rows = csv.lines();
    assert_eq!(rows.next(), Some("n,value"));
    let of_row = |row: &str| row.split_once(',').map(|(n, v)| (n.parse().unwrap(), v.parse().unwrap())).unwrap();
    assert_eq!(rows.map(of_row).collect::<Vec<(i64, i64)>>(), expected);
    assert_eq!(
        run(&format!("{words} --format json")).out.matches(',').count(),
        run(&format!("{words} --json")).out.matches(',').count()
    );
}

#[test]
fn periods_are_proved_or_only_observed() {
    let kayles = object("sequence octal code=0.77 0..10");
    assert_eq!((kayles["period"]["start"].as_i64(), kayles["period"]["length"].as_i64()), (Some(71), Some(12)));
    assert!(kayles["period"]["proof"].as_str().unwrap().starts_with("theorem: "));
    let coins = object("sequence race goal=0..40 most=3");
    assert_eq!(coins["period"]["length"].as_i64(), Some(4));
    let far = values("sequence octal code=0.77 10^18..1000000000000000003");
    assert_eq!(far, values("sequence octal code=0.77 76..79"), "10^18 is 4 modulo 12, as is 76");
}

/// Tags that are closed in order, and attributes in quotes.
fn assert_well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "{}", &rest[..start.min(80)]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap();
        match tag {
            _ if tag.starts_with('?') => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name)),
            _ if tag.ends_with('/') => {}
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn pictures_are_well_formed_and_not_too_large() {
    let folder = Folder::new();
    let path = folder.0.join("picture.svg");
    for (words, most) in [
        ("sequence octal code=0.6 n=0..200000", 3_000_000),
        ("sequence octal code=0.(3) n=0..1000", 200_000),
        ("sequence grundy 0..30", 20_000),
        ("sequence nim 7..8", 20_000),
        ("sequence three_player_row coins=1..6", 20_000),
        ("sequence digraph_tokens tokens=0..8", 20_000),
    ] {
        let _ = std::fs::remove_file(&path);
        let ran = run(&format!("{words} --svg {}", path.display()));
        let Ok(text) = std::fs::read_to_string(&path) else { panic!("{words}: {}", ran.err) };
        assert_eq!(ran.code, 0, "{words}: {}", ran.err);
        assert!(
            text.len() < most && text.starts_with("<?xml") && text.ends_with("</svg>\n"),
            "{words}: {}",
            text.len()
        );
        assert_well_formed(&text);
    }
    let rare = run(&format!("sequence octal code=0.16 n=0..20000 --quiet --svg {}", path.display()));
    assert_eq!(rare.code, 0);
    assert!(std::fs::read_to_string(&path).unwrap().contains("class=\"rare\""));
    assert_eq!(run(&format!("sequence grundy 0..9 --svg {}", folder.0.join("no/where.svg").display())).code, 2);
}

#[test]
fn limits_give_what_was_found() {
    let ran = run(&format!("{ENDLESS} --time 500ms --json"));
    assert_eq!(ran.code, 3, "{}", ran.err);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    let terms = value["terms"].as_u64().unwrap();
    assert!(terms > 100 && value["values"].as_array().unwrap().len() as u64 == terms);
    assert_eq!((&value["error"]["kind"], &value["error"]["limit"]), (&"limit".into(), &"time".into()));
    assert!(ran.err.contains("which are exact") && ran.err.contains("--time"), "{}", ran.err);

    let memory = run("sequence octal code=0.007 n=0..10^8 --memory 100K --format csv");
    assert_eq!(memory.code, 3);
    assert!(memory.out.lines().count() > 100 && memory.err.contains("memory limit of 100 kB"), "{}", memory.err);
}

#[test]
fn a_reader_that_leaves_ends_the_run() {
    let started = Instant::now();
    let script = format!("\"$0\" {ENDLESS} --format csv | head -2");
    let output = std::process::Command::new("sh").args(["-c", &script, crate::support::BINARY]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "n,value\n0,0\n");
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// The number of terms that a checkpoint says it has.
fn saved(path: &Path) -> u64 {
    let Ok(bytes) = std::fs::read(path) else { return 0 };
    let line = bytes.split(|&byte| byte == b'\n').nth(1).expect("a checkpoint is whole");
    serde_json::from_slice::<Value>(line).unwrap()["count"].as_u64().unwrap()
}

#[test]
fn a_run_that_is_killed_goes_on() {
    let folder = Folder::new();
    let path = folder.0.join("run");
    let words = format!("{ENDLESS} --quiet --checkpoint {}", path.display());
    let mut before = 0;
    for _ in 0..2 {
        let mut child = command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let started = Instant::now();
        while saved(&path) <= before {
            assert!(started.elapsed() < Duration::from_secs(60), "nothing is saved");
            std::thread::sleep(Duration::from_millis(5));
        }
        let second = run(&words);
        assert!(second.code == 2 && second.err.contains("in use by another run"), "{}", second.err);
        child.kill().unwrap();
        child.wait().unwrap();
        before = saved(&path);
    }
    let range = format!("sequence octal code=0.007 n=0..{} --format csv", before + 500);
    let resumed = run(&format!("{range} --checkpoint {}", path.display()));
    assert_eq!((resumed.code, resumed.err.as_str()), (0, ""));
    assert_eq!(resumed.out, run(&range).out);
    assert!(saved(&path) >= before + 500);
    let left = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!left.into_iter().any(|name| name.to_string_lossy().contains("perfectplay-lock")), "the lock is gone");
}

#[cfg(unix)]
#[test]
fn ctrl_c_gives_what_was_found_and_saves_it() {
    let folder = Folder::new();
    let path = folder.0.join("run");
    let child = command(&format!("{ENDLESS} --json --checkpoint {}", path.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["error"]["kind"], "interrupted");
    assert_eq!(value["terms"].as_u64(), Some(saved(&path)));
}

#[test]
fn instances_go_on_too() {
    let folder = Folder::new();
    let path = folder.0.join("run");
    let with = |words: &str| run(&format!("{words} --checkpoint {}", path.display()));
    assert_eq!(with("sequence wythoff a=2 b=0..12").code, 0);
    assert_eq!(saved(&path), 12);
    let longer = with("sequence wythoff a=2 b=0..20 --format csv");
    assert_eq!(longer.out, run("sequence wythoff a=2 b=0..20 --format csv").out);
    let other = with("sequence wythoff a=3 b=0..20");
    assert!(other.code == 2 && other.err.contains("another sequence"), "{}", other.err);
    let elsewhere = with("sequence wythoff a=2 b=1..20");
    assert!(elsewhere.code == 2 && elsewhere.err.contains("start at 0"), "{}", elsewhere.err);
}

#[test]
fn what_is_no_checkpoint_of_this_run_is_left_alone() {
    let folder = Folder::new();
    let path = folder.0.join("run");
    let words = format!("sequence octal code=0.16 n=0..5000 --checkpoint {}", path.display());
    assert_eq!(run(&words).code, 0);
    let good = std::fs::read(&path).unwrap();
    let mut bad: Vec<Vec<u8>> = vec![b"".to_vec(), b"my notes\n".to_vec(), good[..good.len() - 1].to_vec()];
    bad.push(good.iter().chain(b"x").copied().collect());
    for at in (0..200).step_by(13).chain([1000, good.len() - 1]) {
        let mut changed = good.clone();
        changed[at] ^= 4;
        bad.push(changed);
    }
    for bytes in bad {
        std::fs::write(&path, &bytes).unwrap();
        let ran = run(&words);
        assert!(ran.code == 2 && ran.out.is_empty() && ran.err.contains("is not used"), "{}", ran.err);
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
    std::fs::write(&path, &good).unwrap();
    let other = run(&words.replace("0.16", "0.77"));
    assert!(other.code == 2 && other.err.contains("octal 0.16"), "{}", other.err);
    assert_eq!(std::fs::read(&path).unwrap(), good);
    assert_eq!(run(&words).code, 0);
}

/// A heap game is valued in one sweep only if no instance in between is refused.
#[test]
fn instances_that_are_refused_are_found() {
    let folder = Folder::new();
    let path = folder.0.join("gaps.game");
    let ran = run(&format!("sequence {} n=0..100000 --json", path.display()));
    assert_eq!(ran.code, 2, "{}", ran.err);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(value["values"].as_array().unwrap().len(), 777);
    assert!(value["error"]["message"].as_str().unwrap().contains("not this one"), "{value}");
    // Each instance by itself, and all in one sweep, agree where none is refused.
    let swept = values(&format!("sequence {} n=778..1700", path.display()));
    assert!(swept.iter().zip(778..).all(|(value, n)| *value == n % 3));
}

/// Where a picture cannot be written, there is one object all the same, and it says so.
#[test]
fn pictures_that_cannot_be_written_are_told() {
    for (place, what) in [("/proc/x.svg", "/proc/x.svg"), ("no/where.svg", "no/where.svg"), (".", "a folder")] {
        let ran = run(&format!("sequence kayles 0..9 --json --svg {place}"));
        assert_eq!(ran.code, 2, "{place}: {}", ran.err);
        let value: Value = serde_json::from_str(&ran.out).unwrap();
        assert!(value["error"]["message"].as_str().unwrap().contains(what), "{value}");
    }
    let folder = Folder::new();
    let kept = folder.0.join("kept.svg");
    std::fs::write(&kept, "before").unwrap();
    // A sequence that fails leaves the file that was there.
    let ran = run(&format!("sequence kayles nothing=0..9 --svg {}", kept.display()));
    assert_eq!((ran.code, std::fs::read_to_string(&kept).unwrap().as_str()), (2, "before"));
    let new = folder.0.join("new.svg");
    assert_eq!(run(&format!("sequence kayles nothing=0..9 --svg {}", new.display())).code, 2);
    assert!(!new.exists());
    if Path::new("/dev/full").exists() {
        let ran = run("sequence kayles 0..9 --json --svg /dev/full");
        let value: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((ran.code, value["values"].as_array().unwrap().len()), (2, 9), "{value}");
        assert!(value["error"]["message"].as_str().unwrap().contains("/dev/full"), "{value}");
    }
}

/// A table of two parameters has the values of the instances one by one; what the rules refuse is empty.
#[test]
fn two_parameters_make_a_table() {
    let object = object("sequence chomp rows=0..4 columns=0..5");
    assert_eq!(object["parameters"], serde_json::json!(["rows", "columns"]));
    for (rows, row) in object["values"].as_array().unwrap().iter().enumerate() {
        for (columns, value) in row.as_array().unwrap().iter().enumerate() {
            let solved = run(&format!("solve chomp rows={rows} columns={columns} --json"));
            let solved: Value = serde_json::from_str(&solved.out).unwrap();
            match value.is_null() {
                true => assert_eq!(solved["error"]["kind"], "wrong", "{rows} {columns}"),
                false => assert_eq!(*value, solved["nimber"], "{rows} {columns}"),
            }
        }
    }
    let wythoff = run("sequence wythoff a=0..4 b=0..4 --json").out;
    assert_eq!(wythoff.matches("\"values\":[[0,1,2,3],[1,2,0,4],[2,0,1,5],[3,4,5,6]]").count(), 1, "{wythoff}");
    let unnamed = run("sequence wythoff 0..4 0..4 --json");
    assert_eq!(unnamed.code, 0, "{}", unnamed.err);
}

#[test]
fn what_is_for_one_parameter_is_refused_for_two() {
    for option in ["--plot", "--format csv", "--format lines", "--misere", "--checkpoint x.run", "--svg x.svg"] {
        let ran = run(&format!("sequence wythoff a=0..3 b=0..3 {option}"));
        assert_eq!(ran.code, 2, "{option}");
        assert!(ran.err.contains("one parameter that runs"), "{option}: {}", ran.err);
    }
    for words in ["a=0..3 a=0..3", "a=0..3 b=0..3 b=5", "a=0..3 c=0..3", "a=0..10^4 b=0..10^4", "a=0..2 b=0..2 0..2"] {
        let ran = run(&format!("sequence wythoff {words}"));
        assert_eq!(ran.code, 2, "{words}: {}", ran.out);
    }
}

/// A theorem says how far it reaches.
#[test]
fn a_period_is_not_said_of_heaps_that_were_not_looked_at() {
    let folder = Folder::new();
    let game = |far: &str| {
        format!(
            "game far(n: int) {{ state {{ h in 0..=n = n; }} move near when h >= 100000000000000 {{ h -= 100000000000000; }}
             move far when h >= {far} {{ h -= {far}; }} }}"
        )
    };
    let path = folder.0.join("far.game");
    std::fs::write(&path, game("2000000000000000")).unwrap();
    let object = object(&format!("sequence {} n=0..5", path.display()));
    assert!(
        object.get("period").is_none() || object["period"]["upto"].as_i64().unwrap() < 2_000_000_000_000_000,
        "{object}"
    );
    std::fs::write(&path, game("4000000000000000000")).unwrap();
    let ran = run(&format!("sequence {} n=0..5 --json", path.display()));
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(object["period"]["upto"].as_i64().unwrap() < 4_000_000_000_000_000_000, "{object}");
}

#[test]
fn limits_hold_while_terms_are_looked_through_and_written() {
    // A period is proved at once; what would take long is to write or to draw so many terms.
    let many = "sequence octal code=0.07 n=0..2000000000";
    for format in ["--json", "--format csv", "--format lines", "--plot"] {
        let started = std::time::Instant::now();
        let ran = run(&format!("{many} {format} --time 300ms"));
        assert_eq!(ran.code, 3, "{format}: {}", ran.err);
        assert!(ran.err.contains("the time limit of 300ms was reached at n="), "{format}: {}", ran.err);
        assert!(started.elapsed() < std::time::Duration::from_secs(20), "{format}: {:?}", started.elapsed());
        if format == "--json" {
            assert!(ran.out.contains("],\"error\":{\"kind\":\"limit\""), "{}", &ran.out[ran.out.len() - 300..]);
            assert!(ran.out.ends_with("}}\n") && ran.out.matches("\"error\"").count() == 1);
        }
    }
    let ran = run("sequence octal code=0.07 n=0..50000000 --memory 1M");
    assert_eq!((ran.code, &*ran.err), (0, ""));
    assert!(ran.out.contains("largest       9 at n=86") && ran.out.contains("50,000,000 terms"), "{}", ran.out);
}

#[test]
fn a_proved_period_tells_the_largest_value_of_any_range() {
    for (words, largest) in [
        ("sequence octal code=0.77 n=1000..1000000000", "largest       8 at n=1005"),
        ("sequence octal code=0.77 n=0..8", "largest       4 at n=5"),
    ] {
        let ran = run(words);
        assert!(ran.code == 0 && ran.out.contains(largest), "{words}: {}{}", ran.out, ran.err);
    }
}
