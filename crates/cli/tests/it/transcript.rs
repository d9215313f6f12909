//! Transcripts: commands and what they print.
//!
//! ```text
//! # a remark
//! $ perfectplay solve coins
//! …standard output…
//! [standard error]
//! …standard error, if there is any…
//! [exit code 2]
//! ```
//!
//! Commands run in a shell, in a fresh folder with the files of `tests/files`. A line that ends in `\` goes on. Times
//! and sizes may differ: they are masked before the comparison.

use std::process::{Command, Stdio};

use crate::support::{BINARY, Folder, Ran, here, plain};

#[test]
fn the_golden_transcripts_are_what_happens() {
    let mut files: Vec<_> =
        std::fs::read_dir(here("tests/golden")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let differences: Vec<String> = files
        .iter()
        .filter_map(|path| {
            let old = std::fs::read_to_string(path).unwrap();
            settle(path, &old, &replay(&old, &Folder::new()))
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Says what differs; with `UPDATE_EXPECT=1` writes it instead.
pub fn settle(path: &std::path::Path, old: &str, new: &str) -> Option<String> {
    let (masked_old, masked_new) = (unwrapped(&mask(old)), unwrapped(&mask(new)));
    if masked_old == masked_new {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, new).unwrap();
        return None;
    }
    let (mut olds, mut news) = (masked_old.lines(), masked_new.lines());
    let line = olds
        .by_ref()
        .zip(news.by_ref())
        .position(|(a, b)| a != b)
        .unwrap_or(masked_old.lines().count().min(masked_new.lines().count()));
    let at = |text: &str| text.lines().skip(line).take(6).map(|line| format!("    {line}\n")).collect::<String>();
    Some(format!(
        "{}, line {}, differs (UPDATE_EXPECT=1 rewrites it)\n  expected:\n{}  found:\n{}",
        path.display(),
        line + 1,
        at(&masked_old),
        at(&masked_new)
    ))
}

/// With the rows that tell times on one line each: where they are broken depends on how long the time is.
fn unwrapped(text: &str) -> String {
    let timed = ["proof ", "took ", "found ", "found so far ", "time "];
    let mut new = String::new();
    let mut in_row = false;
    for line in text.lines() {
        let goes_on = in_row && line.starts_with("            ");
        in_row = goes_on || timed.iter().any(|name| line.starts_with(name));
        match goes_on {
            true => new.push_str(&format!(" {}", line.trim_start())),
            false => new.push_str(&format!("\n{line}")),
        }
    }
    new
}

/// The transcript with what the commands print now.
pub fn replay(transcript: &str, folder: &Folder) -> String {
    let mut new = String::new();
    let mut lines = transcript.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("$ ") else {
            if line.starts_with('#') || line.is_empty() {
                new.push_str(&format!("{line}\n"));
            }
            continue;
        };
        let mut command = first.to_string();
        new.push_str(&format!("{line}\n"));
        while command.ends_with('\\') {
            let more = lines.next().expect("a line after `\\`");
            command.truncate(command.len() - 1);
            command.push_str(more.trim_start());
            new.push_str(&format!("{more}\n"));
        }
        new.push_str(&printed(&shell(&command, folder)));
        let mut blank = false;
        while lines.peek().is_some_and(|line| !line.starts_with("$ ") && !line.starts_with("# ")) {
            blank = lines.next() == Some("");
        }
        if blank && lines.peek().is_some() {
            new.push('\n');
        }
    }
    new
}

pub fn shell(command: &str, folder: &Folder) -> Ran {
    let folders = std::path::Path::new(BINARY).parent().unwrap().display().to_string();
    let mut sh = Command::new("sh");
    sh.arg("-c").arg(command).current_dir(&folder.0).stdin(Stdio::null());
    sh.env("PATH", format!("{folders}:{}", std::env::var("PATH").unwrap_or_default()));
    plain(&mut sh);
    sh.output().unwrap().into()
}

fn printed(ran: &Ran) -> String {
    let ended =
        |text: &str| if text.is_empty() || text.ends_with('\n') { text.to_string() } else { format!("{text}\n") };
    let mut text = ended(&ran.out);
    if !ran.err.is_empty() {
        text.push_str(&format!("[standard error]\n{}", ended(&ran.err)));
    }
    if ran.code != 0 {
        text.push_str(&format!("[exit code {}]\n", ran.code));
    }
    // Whole lines and no blanks at their ends, as editors and reviewers like files.
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Times, sizes and what depends on them replaced by a mark.
fn mask(text: &str) -> String {
    const UNITS: [&str; 14] = ["µs", "ms", "s", "min", "h", "days", "years", "B", "kB", "MB", "GB", "TB", "PB", "EB"];
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let words: Vec<&str> = line.split(' ').collect();
        let mut masked: Vec<String> = Vec::new();
        for (index, word) in words.iter().enumerate() {
            // A limit is what was asked for: `the memory limit of 1.0 kB`.
            let number = word.starts_with(|c: char| c.is_ascii_digit()) && (index == 0 || words[index - 1] != "of");
            let unit = words.get(index + 1).map(|next| next.trim_end_matches(|c: char| !c.is_alphabetic()));
            let counted =
                index > 0 && words[index - 1] == "after" && unit.is_some_and(|unit| unit.starts_with("position"));
            match number && (counted || unit.is_some_and(|unit| UNITS.contains(&unit))) {
                true => masked.push("#".to_string()),
                false => masked.push(word.to_string()),
            }
        }
        out.push_str(&masked.join(" "));
    }
    for unit in UNITS {
        out = out.replace(&format!("# {unit}"), "#");
    }
    out = out.replace("after # position;", "after # positions;");
    for field in ["\"seconds\":", "\"bytes\":"] {
        let mut pieces = out.split(field).map(str::to_string).collect::<Vec<_>>();
        for piece in pieces.iter_mut().skip(1) {
            *piece = piece.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | '-')).to_string();
        }
        out = pieces.join(&format!("{field}#"));
    }
    out
}

#[test]
fn times_and_sizes_are_masked() {
    let text = "limit of 1.0 kB\ntable; 15 positions, 3.3 kB, 111 µs\n{\"seconds\":0.1e-5,\"bytes\":33,\"n\":1}\n1ms was reached after 12 positions\n";
    let masked = "limit of 1.0 kB\ntable; 15 positions, #, #\n{\"seconds\":#,\"bytes\":#,\"n\":1}\n1ms was reached after # positions\n";
    assert_eq!(mask(text), masked);
}
