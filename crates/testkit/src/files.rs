//! Rules files: those of the gallery, and others that must be right.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rules::bind::{Bound, bind};
use rules::instance::{Instance, parse_instance};
use rules::program::Program;

/// A path from the root of the workspace.
pub fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Names and texts of all rules files of a folder of the workspace, in order.
pub fn rules_files(folder: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(workspace(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut files: Vec<(String, String)> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "game"))
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Names and texts of all games of the gallery, in order.
pub fn gallery() -> Vec<(String, String)> {
    rules_files("games")
}

/// The text of a game of the gallery.
pub fn game(name: &str) -> String {
    let path = workspace(&format!("games/{name}.game"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The program of a rules file that must be right.
pub fn program(source: &str) -> Arc<Program> {
    match rules::compile(source) {
        Ok(program) => Arc::new(program),
        Err(wrong) => panic!("{}", rules::report::report("test", source, &wrong, false)),
    }
}

/// A program with an instance given as JSON.
pub fn bound(program: &Arc<Program>, instance: &str) -> Bound {
    let instance = parse_instance(instance).unwrap_or_else(|error| panic!("{instance}: {error}"));
    bound_to(program, &instance)
}

/// A program with an instance.
pub fn bound_to(program: &Arc<Program>, instance: &Instance) -> Bound {
    bind(program, instance).unwrap_or_else(|wrong| panic!("{instance}: {}", wrong[0].title))
}

/// The text of a game of the gallery.
pub fn gallery_text(name: &str) -> String {
    let path = workspace("games").join(name).with_extension("game");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A program with the instances that can be had of it: none given, so many samples, and its examples.
pub fn instances(program: &Arc<Program>, samples: usize, seed: u64) -> Vec<Bound> {
    let mut found: Vec<Bound> = bind(program, &Instance::default()).into_iter().collect();
    for instance in rules::sample::instances(program, samples, seed).unwrap_or_default() {
        found.extend(bind(program, &instance));
    }
    for example in &program.examples {
        if let Ok(instance) = rules::parameters::example_instance(program, example) {
            found.extend(bind(program, &instance));
        }
    }
    found
}
