//! The processes that a process has started, and those that these have started, as Linux lists them in `/proc`.
//!
//! A process whose parent ends becomes a child of the nearest ancestor that takes in orphans (a subreaper). So whoever descends from
//! one is found below it, whatever group or session it has gone to.

use std::collections::{HashMap, HashSet};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// How long is tried to end processes that start others meanwhile.
const PATIENCE: Duration = Duration::from_secs(5);

/// A process.
struct Process {
    pid: Pid,
    parent: Option<Pid>,
    group: Option<Pid>,
    /// Whether nothing of it runs any more: it is only waited for.
    is_dead: bool,
}

/// All processes that descend from one, and are alive.
pub(crate) fn living(root: Pid) -> Vec<Pid> {
    below(root, &HashSet::new()).0.into_iter().filter(|process| !process.is_dead).map(|process| process.pid).collect()
}

/// Ends all processes that descend from one, but for some of its children with all that is below them. `between` is
/// called after each round.
pub(crate) fn end(root: Pid, spared: &HashSet<Pid>, mut between: impl FnMut()) {
    let end = Instant::now() + PATIENCE;
    let mut pause = Duration::from_micros(100);
    loop {
        let (mut found, foreign) = below(root, spared);
        found.retain(|process| !process.is_dead);
        if found.is_empty() || Instant::now() >= end {
            return;
        }
        // A group dies at once, so that none of it can start another one meanwhile. Groups with other members are left alone.
        let groups: HashSet<Pid> = found.iter().filter_map(|process| process.group).collect();
        // Whoever has ended by itself in the meantime cannot be ended, which is no matter.
        for group in groups.difference(&foreign) {
            let _ = kill_process_group(*group, Signal::KILL);
        }
        for process in &found {
            let _ = kill_process(process.pid, Signal::KILL);
        }
        between();
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// The descendants of a process, but for some of its children with all that is below them, and the groups of all others.
fn below(root: Pid, spared: &HashSet<Pid>) -> (Vec<Process>, HashSet<Pid>) {
    let mut foreign = HashSet::new();
    let mut children: HashMap<Pid, Vec<Process>> = HashMap::new();
    for process in all() {
        match process.parent {
            Some(parent) => children.entry(parent).or_default().push(process),
            // The first of all processes, and those whose parents are not seen from here.
            None => foreign.extend(process.group),
        }
    }
    let (mut found, others): (Vec<_>, Vec<_>) =
        children.remove(&root).unwrap_or_default().into_iter().partition(|child| !spared.contains(&child.pid));
    foreign.extend(others.iter().filter_map(|process| process.group));
    let mut next = 0;
    while next < found.len() {
        found.extend(children.remove(&found[next].pid).unwrap_or_default());
        next += 1;
    }
    foreign.extend(children.into_values().flatten().filter_map(|process| process.group));
    (found, foreign)
}

/// All processes that can be seen.
fn all() -> impl Iterator<Item = Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let pid = entry.file_name().to_str()?.parse().ok()?;
        parsed(pid, &std::fs::read(entry.path().join("stat")).ok()?)
    })
}

/// A process by its line in `/proc/…/stat`: `pid (name) state parent group …`, where the name may hold anything.
fn parsed(pid: i32, line: &[u8]) -> Option<Process> {
    let name_end = line.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(&line[name_end + 1..]).ok()?;
    let mut words = rest.split_whitespace();
    let state = words.next()?;
    let parent: i32 = words.next()?.parse().ok()?;
    let group: i32 = words.next()?.parse().ok()?;
    // The first thread may be gone while others run.
    let threads: u64 = words.nth(14)?.parse().ok()?;
    Some(Process {
        pid: named(pid)?,
        parent: named(parent),
        group: named(group),
        is_dead: matches!(state, "Z" | "X") && threads <= 1,
    })
}

/// A process by its number; there is none where it is being taken away, or is not seen from here.
fn named(number: i32) -> Option<Pid> {
    if number > 0 { Pid::from_raw(number) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_whatever_the_name() {
        let line = b"42 (a) b (c) S 7 40 40 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 3 0 100 0 0\n";
        let process = parsed(42, line).unwrap();
        assert_eq!((process.parent, process.group, process.is_dead), (Pid::from_raw(7), Pid::from_raw(40), false));
        let zombie = |threads: &str| format!("42 (x) Z 7 40 40 0 -1 0 0 0 0 0 0 0 0 0 20 0 {threads} 0 100 0 0");
        assert!(parsed(42, zombie("1").as_bytes()).unwrap().is_dead);
        assert!(!parsed(42, zombie("2").as_bytes()).unwrap().is_dead);
        // While it is taken away it has no group any more.
        let vanishing = b"42 (x) X 0 -1 -1 0 -1 0 0 0 0 0 0 0 0 0 20 0 0 0 100 0 0";
        assert!(parsed(42, vanishing).unwrap().group.is_none());
        assert!(parsed(42, b"42 (x").is_none() && parsed(42, b"").is_none());
    }

    #[test]
    fn children_of_children_are_found_and_ended() {
        let mut child = std::process::Command::new("sh").args(["-c", "sleep 100 & sleep 100"]).spawn().unwrap();
        let root = Pid::from_child(&child);
        let begun = Instant::now();
        while living(root).len() < 2 && begun.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(living(root).len(), 2);
        end(root, &HashSet::new(), || {});
        assert!(living(root).is_empty());
        child.wait().unwrap();
    }
}
