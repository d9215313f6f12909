//! Counting instructions, which no neighbour on the machine can change.
//!
//! `perf stat` where the machine lets us, else valgrind, which is slow but works everywhere. A command is counted with
//! one solve and with two; the difference is one solve, without reading input, binding or compiling.

use std::process::Command;

/// A tool that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// `perf stat -e instructions:u`.
    Perf,
    /// `valgrind --tool=cachegrind`.
    Valgrind,
}

impl Counter {
    /// The first that works here.
    pub fn find() -> Option<Counter> {
        let command = ["true".to_string()];
        [Counter::Perf, Counter::Valgrind].into_iter().find(|counter| counter.count(&command).is_some())
    }

    /// The instructions of one whole command.
    fn count(self, command: &[String]) -> Option<u64> {
        let (tool, options): (&str, &[&str]) = match self {
            Counter::Perf => ("perf", &["stat", "-x,", "-e", "instructions:u"]),
            Counter::Valgrind => {
                let options = &["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];
                ("valgrind", options)
            }
        };
        let out = Command::new(tool).args(options).args(command).output().ok()?;
        if !out.status.success() {
            return None;
        }
        self.read(&String::from_utf8_lossy(&out.stderr))
    }

    fn read(self, said: &str) -> Option<u64> {
        match self {
            Counter::Perf => said.lines().find(|line| line.contains("instructions"))?.split(',').next()?.parse().ok(),
            Counter::Valgrind => {
                let line = said.lines().find(|line| line.contains("I   refs:") || line.contains("I refs:"))?;
                line.rsplit(' ').next()?.replace(',', "").parse().ok()
            }
        }
    }

    /// The instructions of one solve; `command` makes the command line for so many solves.
    pub fn one_solve(self, command: impl Fn(u32) -> Vec<String>) -> Option<u64> {
        let once = self.count(&command(1))?;
        let twice = self.count(&command(2))?;
        Some(twice.saturating_sub(once))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read() {
        assert_eq!(Counter::Perf.read("12345,,instructions:u,100,100.00,,\n"), Some(12345));
        assert_eq!(Counter::Perf.read("<not supported>,,instructions:u,0,100.00,,\n"), None);
        assert_eq!(Counter::Valgrind.read("==12== I   refs:      1,234,567\n"), Some(1_234_567));
        assert_eq!(Counter::Valgrind.read("==12== nothing\n"), None);
    }
}
