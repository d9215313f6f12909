//! Lists the files of `page/`, so that they are embedded without naming each one twice.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let page = Path::new(&root).join("page");
    println!("cargo::rerun-if-changed={}", page.display());
    let served = ["html", "css", "js", "svg"];
    let mut files: Vec<_> = fs::read_dir(&page)
        .expect("the page is part of the crate")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|ending| served.iter().any(|known| ending == *known)))
        .collect();
    files.sort();
    let mut list = String::from("&[\n");
    for path in files {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_name().expect("it was just listed").to_string_lossy().into_owned();
        writeln!(list, "    ({name:?}, include_str!({:?})),", path.display().to_string()).expect("writing to a string");
    }
    list.push(']');
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("page.rs");
    fs::write(out, list).expect("the output folder can be written");
}
