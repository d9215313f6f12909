//! Programs that leave processes behind, or end those of others. All of them solve nothing.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Starts one of our programs, away from the group of this one.
fn started(name: &str) -> Child {
    let own = std::env::current_exe().unwrap();
    let mut command = Command::new(own);
    command.args(["program", name]).stdin(Stdio::null());
    leave_the_group(&mut command);
    command.spawn().unwrap()
}

#[cfg(unix)]
fn leave_the_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(not(unix))]
fn leave_the_group(_: &mut Command) {}

#[cfg(unix)]
fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

#[cfg(not(unix))]
fn parent() -> u32 {
    0
}

/// Runs a program; whether it is one of these.
pub fn run(name: &str) -> bool {
    match name {
        "leaves_the_group" => {
            std::mem::forget(started("sleep"));
            crate::programs::run("stones");
        }
        "leaves_an_orphan" => {
            started("starts_a_sleeper").wait().unwrap();
            crate::programs::run("stones");
        }
        "starts_a_sleeper" => std::mem::forget(started("sleep")),
        "waits_for_an_orphan" => {
            started("starts_a_sleeper").wait().unwrap();
            std::thread::sleep(Duration::from_secs(1000));
        }
        "ends_its_parent" => {
            started("starts_a_sleeper").wait().unwrap();
            Command::new("kill").args(["-9", &parent().to_string()]).status().unwrap();
            std::thread::sleep(Duration::from_secs(1000));
        }
        "floods_processes" => loop {
            std::mem::forget(started("sleep"));
        },
        _ => return false,
    }
    true
}
