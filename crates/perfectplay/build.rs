//! Lists the rules files of `games/`, so that the gallery is embedded without naming each file twice.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let games = Path::new(&root).join("games");
    println!("cargo::rerun-if-changed={}", games.display());
    let mut names: Vec<_> = fs::read_dir(&games)
        .expect("the gallery is part of the crate")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "game"))
        .collect();
    names.sort();
    let mut list = String::from("&[\n");
    for path in names {
        println!("cargo::rerun-if-changed={}", path.display());
        let path = path.canonicalize().expect("it was just listed");
        let name = path.file_stem().expect("it has an ending").to_string_lossy().into_owned();
        writeln!(list, "    ({name:?}, include_str!({:?})),", path.display().to_string()).expect("writing to a string");
    }
    list.push(']');
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("gallery.rs");
    fs::write(out, list).expect("the output folder can be written");
}
