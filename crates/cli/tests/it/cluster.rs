//! Clusters from outside: processes on this machine, the table in parts that they write, and the file made of it.

use std::fs;

use crate::support::{Folder, run};

#[test]
fn a_table_in_parts_is_read_as_one_and_merged_into_that_of_build() {
    let folder = Folder::new();
    let at = |name: &str| folder.0.join(name).display().to_string();
    let (parts, whole, merged, built) = (at("parts"), at("parts/whole.table"), at("merged.table"), at("built.table"));
    for game in ["tic_tac_toe", "three_mens_morris", "wythoff a=6 b=9", "kalah pits=2 seeds=2"] {
        for file in [&merged, &built] {
            let _ = fs::remove_file(file);
        }
        let _ = fs::remove_dir_all(&parts);
        let ran = run(&format!("cluster run {game} --processes 2 --memory 200M -o {parts} --json"));
        assert_eq!(ran.code, 0, "{game}: {}", ran.err);
        let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(told["layout"], "in parts", "{game}: {told}");
        for words in [format!("cluster merge {whole} -o {merged}"), format!("build {game} -o {built}")] {
            let ran = run(&words);
            assert_eq!(ran.code, 0, "{words}: {}", ran.err);
        }
        assert_eq!(fs::read(&merged).unwrap(), fs::read(&built).unwrap(), "{game}");
        for words in ["query", "verify", "export --stats", "survey --table", "moves --table"] {
            let tell = |file: &str| run(&format!("{words} {file}"));
            let (one, other) = (tell(&whole), tell(&built));
            assert_eq!((one.code, other.code), (0, 0), "{words} {game}: {} {}", one.err, other.err);
            // How the table lies on the disk, and what reading it took, is told last and may differ.
            let lines = |text: &str| text.lines().take(10).map(str::to_string).collect::<Vec<_>>();
            if words != "verify" {
                assert_eq!(lines(&one.out), lines(&other.out), "{words} {game}");
            }
        }
    }
}

#[test]
fn what_a_cluster_cannot_solve_is_said() {
    let folder = Folder::new();
    let parts = folder.0.join("parts").display().to_string();
    for (words, what) in [
        ("nim", "a cluster does not solve sums"),
        ("nosuch", "there is no file and no built-in game"),
        ("tic_tac_toe --memory 1k", "memory"),
    ] {
        let ran = run(&format!("cluster run {words} --processes 2 -o {parts}"));
        assert!(ran.code == 2 || ran.code == 3, "{words}: {} {}", ran.code, ran.err);
        assert!(ran.err.contains(what), "{words}: {}", ran.err);
    }
}
