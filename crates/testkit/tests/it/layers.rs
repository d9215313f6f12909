//! Layers without circles: a crate depends on crates above it in the map of `ARCHITECTURE.md` only, the modules of a crate import
//! one way, and one module makes JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use testkit::files::workspace;

use crate::modules::Crate;

/// What tests use, and nothing else may: it knows these.
const TESTKIT: (&str, &[&str]) = ("testkit", &["game", "rules"]);

/// The rows of the map, from the top down: crates of one row do not know one another.
fn rows(architecture: &str) -> Vec<Vec<&str>> {
    let (_, map) = architecture.split_once("\n## The map\n").expect("the map");
    let map = map.split("\n## ").next().unwrap_or_default();
    let cells = map.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1));
    cells.map(|cell| cell.split('`').skip(1).step_by(2).collect()).collect()
}

#[test]
fn rows_are_read() {
    let text = "# A\n\n## The map\n\nA `word`.\n\n| crate | what |\n|---|---|\n| `a`, `b` | `x` |\n| `c` | |\n\n## More\n| `d` | |\n";
    assert_eq!(rows(text), [vec!["a", "b"], vec!["c"]]);
}

/// The crates of the workspace, by the names of their folders.
fn crates() -> BTreeMap<String, PathBuf> {
    let entries = std::fs::read_dir(workspace("crates")).expect("the folder of crates");
    let folders = entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.join("Cargo.toml").exists());
    folders.map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), path)).collect()
}

/// The crates of the workspace that a manifest names: `dev` for those of its tests, else for those of the crate itself.
fn dependencies(manifest: &str, dev: bool, known: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut wanted = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            wanted = section.ends_with("dependencies") && section.contains("dev-") == dev;
            // `[dependencies.name]` is a section of its own.
            let name = section.split_once("dependencies.").filter(|(before, _)| before.contains("dev-") == dev);
            found.extend(name.map(|(_, name)| name.to_string()));
        } else if wanted && !line.starts_with('#') {
            let key = line.split(['.', '=', ' ']).next().unwrap_or_default();
            let package = line.split_once("package").and_then(|(_, rest)| rest.split('"').nth(1));
            let name = package.unwrap_or(key);
            found.push(name.strip_prefix("perfectplay-").unwrap_or(name).to_string());
        }
    }
    found.retain(|name| known.contains(&name.as_str()));
    found
}

#[test]
fn dependencies_are_read() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\ngame.workspace = true\n# rules\nserde = \"1\"\n\
                    other = { path = \"../heaps\", package = \"perfectplay-heaps\" }\n[dependencies.rows]\npath = \"..\"\n\
                    [target.'cfg(unix)'.dependencies]\njit = {}\n[dev-dependencies]\ntestkit.workspace = true\n";
    let known = ["game", "rules", "heaps", "rows", "jit", "testkit"];
    assert_eq!(dependencies(manifest, false, &known), ["game", "heaps", "rows", "jit"]);
    assert_eq!(dependencies(manifest, true, &known), ["testkit"]);
}

#[test]
fn crates_depend_on_those_above_them() {
    let crates = crates();
    let names: Vec<&str> = crates.keys().map(String::as_str).collect();
    let architecture = std::fs::read_to_string(workspace("ARCHITECTURE.md")).expect("the map");
    let rows = rows(&architecture);
    let row = |name: &str| rows.iter().position(|row| row.contains(&name));
    for name in rows.iter().flatten() {
        assert!(names.contains(name), "there is no crate {name}: remove it from the map");
    }
    for (name, folder) in &crates {
        let own = row(name).unwrap_or_else(|| panic!("the crate {name} is not in the map of ARCHITECTURE.md"));
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        for other in dependencies(&manifest, false, &names) {
            let allowed = match name == TESTKIT.0 {
                true => TESTKIT.1.contains(&other.as_str()),
                false => other != TESTKIT.0 && row(&other).is_some_and(|other| other < own),
            };
            assert!(allowed, "{name} depends on {other}, which is not above it in the map");
        }
    }
}

#[test]
fn modules_import_one_way() {
    let mut wrong = Vec::new();
    for (name, folder) in crates() {
        for circle in Crate::read(&folder.join("src")).circles() {
            wrong.push(format!("crate {name}: {} import in a circle", circle.modules.join(", ")));
            wrong.extend(circle.imports.iter().map(|(from, to)| format!("    {from} uses {to}")));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// What makes JSON out of a value.
const JSON_MAKERS: [&str; 4] = ["serde::Serialize", "Serialize for ", "serde_json::to_", "serde_json::json!"];
/// Where that may stand: the module of the front, and the headers of checkpoints.
const JSON_PLACES: [&str; 2] = ["perfectplay/src/json/", "sequence/src/saved.rs"];

/// The lines of a source that make JSON outside of comments.
fn json_makers(source: &str) -> Vec<&str> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let derives = |line: &str| line.contains("derive(") && line.contains("Serialize");
    code.filter(|line| derives(line) || JSON_MAKERS.iter().any(|maker| line.contains(maker))).collect()
}

#[test]
fn makers_of_json_are_found() {
    let source = "use serde::Deserialize;\n#[derive(Clone, Serialize)]\n// serde::Serialize\nlet a = serde_json::from_str(b);\n\
                  let b = serde_json::to_value(c);\nimpl Serialize for Scene {\n";
    let found = ["#[derive(Clone, Serialize)]", "let b = serde_json::to_value(c);", "impl Serialize for Scene {"];
    assert_eq!(json_makers(source), found);
}

#[test]
fn one_module_makes_json() {
    let mut wrong = Vec::new();
    for (name, folder) in crates().into_iter().filter(|(name, _)| name != TESTKIT.0) {
        for (path, source) in sources(&folder.join("src")) {
            let place = format!("{name}/src/{path}");
            if !JSON_PLACES.iter().any(|allowed| place.starts_with(allowed)) {
                wrong.extend(json_makers(&source).iter().map(|line| format!("{place}: {}", line.trim())));
            }
        }
    }
    assert!(wrong.is_empty(), "JSON is made in `perfectplay::json`, not here:\n{}\n", wrong.join("\n"));
}

/// The lines of a source whose texts name a flag of the command line, outside of comments and of tests.
fn flags(source: &str) -> Vec<&str> {
    let code = source.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
    let code = code.filter(|line| !line.trim_start().starts_with("//"));
    let is_flag = |text: &str| text.starts_with(|letter: char| letter.is_ascii_lowercase());
    code.filter(|line| line.contains('"') && line.split("--").skip(1).any(is_flag)).collect()
}

#[test]
fn flags_are_found() {
    let source = "// \"--memory\"\nlet a = \"allow more with --memory\";\nlet b = \"a -- b\";\n#[cfg(test)]\nlet c = \"--time\";\n";
    assert_eq!(flags(source), ["let a = \"allow more with --memory\";"]);
}

/// Rust, Python and a page see the texts of the library, too: flags belong to the command line.
#[test]
fn only_the_command_line_names_its_flags() {
    let mut wrong = Vec::new();
    let is_library = |name: &str| !["cli", "explorer", TESTKIT.0].contains(&name);
    for (name, folder) in crates().into_iter().filter(|(name, _)| is_library(name)) {
        for (path, source) in sources(&folder.join("src")) {
            wrong.extend(flags(&source).iter().map(|line| format!("{name}/src/{path}: {}", line.trim())));
        }
    }
    assert!(wrong.is_empty(), "say it without a flag:\n{}\n", wrong.join("\n"));
}

/// The sources in a folder and below it, by their paths.
pub fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(sources(&path).into_iter().map(|(inner, source)| (format!("{name}/{inner}"), source)));
        } else if name.ends_with(".rs") {
            found.push((name, std::fs::read_to_string(&path).expect("a source")));
        }
    }
    found
}

/// `cargo package` takes what lies in the folder of a crate: licences are links there, and every field that a registry asks for is
/// in the manifest.
#[test]
fn crates_can_be_published() {
    let mut wrong = Vec::new();
    for (name, folder) in crates().into_iter().filter(|(name, _)| name != TESTKIT.0) {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let field = |field: &str| manifest.lines().any(|line| line.starts_with(field));
        let missing = ["description", "version", "license", "readme", "rust-version", "authors"];
        wrong.extend(missing.iter().filter(|key| !field(key)).map(|key| format!("{name}: no {key} in its manifest")));
        let files = ["LICENSE-MIT", "LICENSE-APACHE"].into_iter().filter(|file| !folder.join(file).exists());
        wrong.extend(files.map(|file| format!("{name}: {file} is missing")));
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
