//! The pages that people read: `README.md`, and the book in `docs`, whose pages are listed in `docs/SUMMARY.md`.
//!
//! - A `console` block is a transcript: its commands run, and what they print is compared.
//! - A block with a name after its language, as in ` ```text stones.game`, is a file for the commands of its page.
//! - The lines of an `sh` block that call the binary must succeed.
//! - A picture `images/NAME.svg` is written by a command of the page that shows it, as `NAME.svg`.
//!
//! `UPDATE_EXPECT=1` rewrites pages and pictures. Each page has a folder of its own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Folder, here};
use crate::transcript::{replay, settle, shell};

#[test]
fn the_first_page_is_what_happens() {
    assert!(page(&here("../../README.md")) >= 1);
}

#[test]
fn the_chapters_are_what_happens() {
    assert!(pages_under("guide/") >= 30);
}

#[test]
fn the_manual_is_what_happens() {
    assert!(pages_under("commands/") >= 10);
}

/// Runs the pages of the book in this folder. Returns how many `console` blocks they have.
fn pages_under(folder: &str) -> usize {
    let pages: Vec<String> = listed().into_iter().filter(|page| page.starts_with(folder)).collect();
    assert!(!pages.is_empty());
    pages.iter().map(|name| page(&docs().join(name))).sum()
}

/// Runs the blocks of a page and compares its pictures. Returns how many `console` blocks it has.
fn page(path: &Path) -> usize {
    let old = std::fs::read_to_string(path).unwrap();
    let folder = Folder::new();
    let (mut new, mut rest, mut blocks) = (String::new(), &old[..], 0);
    while let Some(start) = rest.find("\n```") {
        let (before, block) = rest.split_at(start + 1);
        let (language, body) = block[3..].split_once('\n').expect("a block has a first line");
        let (body, after) = body.split_once("```\n").expect("a block ends");
        let body = match language.split_once(' ') {
            None if language == "console" => {
                blocks += 1;
                replay(body, &folder)
            }
            Some((_, file)) => {
                std::fs::write(folder.0.join(file), body).unwrap();
                body.to_string()
            }
            None => {
                if language == "sh" {
                    all_succeed(body, &folder);
                }
                body.to_string()
            }
        };
        new.push_str(&format!("{before}```{language}\n{body}```\n"));
        rest = after;
    }
    new.push_str(rest);
    let difference = settle(path, &old, &new);
    assert!(difference.is_none(), "{}", difference.unwrap_or_default());
    for name in pictures(&old) {
        let made = folder.0.join(Path::new(&name).file_name().unwrap());
        let made = std::fs::read_to_string(&made)
            .unwrap_or_else(|_| panic!("{}: no command of the page writes {}", path.display(), made.display()));
        let kept = path.parent().unwrap().join(&name);
        let difference = settle(&kept, &std::fs::read_to_string(&kept).unwrap_or_default(), &made);
        assert!(difference.is_none(), "{}", difference.unwrap_or_default());
    }
    blocks
}

/// Runs the lines of a block that call the binary; their output is not shown on the page, but they must do.
fn all_succeed(body: &str, folder: &Folder) {
    for line in body.lines().filter(|line| line.starts_with("perfectplay ")) {
        let ran = shell(line, folder);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{line}\n{}", ran.out);
    }
}

fn docs() -> PathBuf {
    here("../../docs")
}

/// The pages that `SUMMARY.md` names, as paths from `docs`.
fn listed() -> Vec<String> {
    let summary = std::fs::read_to_string(docs().join("SUMMARY.md")).unwrap();
    let pages: Vec<String> = links(&summary).into_iter().map(|(target, _)| target).collect();
    assert!(pages.len() > 5, "{pages:?}");
    pages
}

/// The targets of the links of a page that stand outside its code, and whether each is a picture.
fn links(page: &str) -> Vec<(String, bool)> {
    let text = prose(page);
    let mut found = Vec::new();
    for (at, _) in text.match_indices("](") {
        let Some(end) = text[at + 2..].find(')') else { continue };
        let label = text[..at].rfind('[').unwrap_or(0);
        found.push((text[at + 2..][..end].to_string(), text[..label].ends_with('!')));
    }
    found
}

fn pictures(page: &str) -> Vec<String> {
    links(page).into_iter().filter(|(_, picture)| *picture).map(|(target, _)| target).collect()
}

/// A page without its blocks of code and what stands in backquotes.
fn prose(page: &str) -> String {
    let mut text = String::new();
    let mut in_block = false;
    for line in page.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            text.extend(line.split('`').step_by(2).map(|piece| format!("{piece} ")));
            text.push('\n');
        }
    }
    text
}

/// The names by which one can jump to the headings of a page, as mdBook and GitHub make them.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut in_block = false;
    let mut names = BTreeSet::new();
    for line in page.lines() {
        in_block ^= line.starts_with("```");
        let Some(heading) = line.strip_prefix('#').filter(|_| !in_block) else { continue };
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let name: String = heading.trim_start_matches('#').trim().to_lowercase().chars().filter(kept).collect();
        names.insert(name.replace(' ', "-"));
    }
    names
}

#[test]
fn the_book_lists_every_page() {
    let pages: BTreeSet<String> = listed().into_iter().collect();
    let mut there = BTreeSet::from(["language.md".to_string(), "scale.md".to_string()]);
    for folder in ["guide", "commands"] {
        for entry in std::fs::read_dir(docs().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                there.insert(format!("{folder}/{name}"));
            }
        }
    }
    assert_eq!(pages, there, "docs/SUMMARY.md, and the pages that there are");
}

#[test]
fn links_and_pictures_of_the_book_are_there() {
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let mut shown = BTreeSet::new();
    for name in listed().iter().map(String::as_str).chain(["SUMMARY.md", "../README.md"]) {
        let path = docs().join(name);
        let page = read(&path);
        for (target, picture) in links(&page) {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let there = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(there.exists(), "{name}: the link to {target} leads nowhere");
            let inside = there.canonicalize().unwrap().starts_with(docs().canonicalize().unwrap());
            assert!(inside || name == "../README.md", "{name}: {target} lies outside the book, so its pages lack it");
            assert!(anchor.is_empty() || anchors(&read(&there)).contains(anchor), "{name}: no heading for {target}");
            if picture {
                shown.insert(there.file_name().unwrap().to_owned());
            }
        }
    }
    let kept: BTreeSet<_> =
        std::fs::read_dir(docs().join("guide/images")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(kept, shown, "docs/guide/images, and the pictures that pages show");
}

/// Every chapter of the guide has exercises, and their answers are folded.
#[test]
fn chapters_have_exercises_with_answers() {
    for name in listed().iter().filter(|name| name.starts_with("guide/") && !name.ends_with("introduction.md")) {
        let page = std::fs::read_to_string(docs().join(name)).unwrap();
        let exercises = page.split_once("\n## Exercises\n").unwrap_or_else(|| panic!("{name} has no exercises")).1;
        let (open, closed) = (exercises.matches("<details>").count(), exercises.matches("</details>").count());
        assert!(open >= 2 && open == closed, "{name}: {open} answers are opened, {closed} closed");
        assert_eq!(open, exercises.matches("<summary>").count(), "{name}");
    }
}

/// mdBook makes the pages, where it is installed.
#[test]
fn mdbook_builds_the_book() {
    let found = Command::new("mdbook").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: mdbook is not installed");
        return;
    }
    let folder = Folder::new();
    let built =
        Command::new("mdbook").arg("build").arg(docs()).arg("--dest-dir").arg(folder.0.join("book")).output().unwrap();
    let told = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(built.status.success() && !told.contains("ERROR") && !told.contains("WARN"), "{told}");
    for page in listed() {
        let html = folder.0.join("book").join(page).with_extension("html");
        assert!(html.exists(), "{} is missing", html.display());
    }
}
