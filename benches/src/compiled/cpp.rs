//! The other side: C++ programs, compiled when the benchmark starts and run as processes of their own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ours::Found;

/// What a good contestant's judge compiles with.
pub const FLAGS: [&str; 3] = ["-std=c++17", "-O3", "-march=native"];

/// A directory of compiled programs.
pub struct Programs {
    directory: PathBuf,
}

/// One run of a program.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Nanoseconds of its best solve.
    pub solve: u64,
    /// Bytes, where the program tells.
    pub bytes: Option<u64>,
    /// What came out.
    pub found: Found,
}

impl Programs {
    /// Compiles what is needed; `names` are programs of `benches/cpp`.
    pub fn compile(names: &[&str], directory: &Path) -> Result<Programs, String> {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp");
        std::fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
        for name in names {
            let out = Command::new("g++")
                .args(FLAGS)
                .arg("-o")
                .arg(directory.join(name))
                .arg(sources.join(name).with_extension("cpp"))
                .output()
                .map_err(|error| {
                    format!("the yardsticks need g++, which does not start: {error} (install it or use --alone)")
                })?;
            if !out.status.success() {
                return Err(format!("g++ does not compile {name}.cpp:\n{}", String::from_utf8_lossy(&out.stderr)));
            }
        }
        Ok(Programs { directory: directory.to_path_buf() })
    }

    /// The command that solves an instance so often.
    pub fn command(&self, program: &str, variant: &str, repeats: u32, instance: &Path) -> Vec<String> {
        let path = self.directory.join(program);
        vec![path.display().to_string(), variant.to_string(), repeats.to_string(), instance.display().to_string()]
    }

    /// Runs a program and reads what it prints.
    pub fn run(&self, program: &str, variant: &str, repeats: u32, instance: &Path) -> Result<Ran, String> {
        let command = self.command(program, variant, repeats, instance);
        let out = Command::new(&command[0]).args(&command[1..]).output().map_err(|error| error.to_string())?;
        if !out.status.success() {
            let said = String::from_utf8_lossy(&out.stderr);
            return Err(format!("`{}` failed ({}): {said}", command.join(" "), out.status));
        }
        read(&String::from_utf8_lossy(&out.stdout)).ok_or_else(|| format!("`{}` prints no time", command.join(" ")))
    }
}

/// Reads lines `name value`.
fn read(text: &str) -> Option<Ran> {
    let lines: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    let number = |name: &str| lines.get(name).and_then(|value| value.parse::<u64>().ok());
    let counts = match (number("won"), number("lost"), number("drawn")) {
        (Some(won), Some(lost), drawn) => Some([won, lost, drawn.unwrap_or(0)]),
        _ => None,
    };
    let found = Found {
        winner: lines.get("winner").map(|winner| winner.to_string()),
        value: lines.get("value").and_then(|value| value.parse().ok()),
        remoteness: number("remoteness"),
        positions: number("positions"),
        counts,
    };
    Some(Ran { solve: number("ns")?, bytes: number("bytes"), found })
}

/// What the two sides disagree on, where both tell. Counts are compared if both valued the same number of positions.
pub fn difference(ours: &Found, theirs: &Found) -> Option<String> {
    fn differ<T: PartialEq + std::fmt::Debug>(name: &str, ours: &Option<T>, theirs: &Option<T>) -> Option<String> {
        match (ours, theirs) {
            (Some(a), Some(b)) if a != b => Some(format!("{name}: ours {a:?}, C++ {b:?}")),
            _ => None,
        }
    }
    let same_positions = ours.positions == theirs.positions;
    differ("winner", &ours.winner, &theirs.winner)
        .or_else(|| differ("value", &ours.value, &theirs.value))
        .or_else(|| differ("remoteness", &ours.remoteness, &theirs.remoteness))
        .or_else(|| same_positions.then(|| differ("won, lost, drawn", &ours.counts, &theirs.counts)).flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_prints_is_read() {
        let ran = read("winner first\nremoteness 3\npositions 5\nwon 3\nlost 2\nns 77\n").unwrap();
        assert_eq!((ran.solve, ran.found.remoteness, ran.found.counts), (77, Some(3), Some([3, 2, 0])));
        assert!(read("winner first\n").is_none());
    }

    #[test]
    fn differences_are_found_where_both_tell() {
        let a = Found { winner: Some("first".into()), positions: Some(5), counts: Some([3, 2, 0]), ..Found::default() };
        assert_eq!(difference(&a, &a), None);
        let other = Found { counts: Some([2, 3, 0]), ..a.clone() };
        assert!(difference(&a, &other).unwrap().contains("[2, 3, 0]"));
        assert_eq!(difference(&a, &Found { positions: Some(6), ..other }), None);
        assert_eq!(difference(&a, &Found::default()), None);
        assert!(difference(&a, &Found { winner: Some("draw".into()), ..Found::default() }).is_some());
    }
}
