//! The parent of a program that is checked, on Linux: a process that outlives whatever the program leaves behind, and ends it.
//!
//! A process can leave its group and its session, but not its ancestors: when its parent ends it becomes a child of the nearest one that
//! takes in orphans. That is the supervisor. When the program has ended, or whoever checks it has, the supervisor ends all that is left
//! below it, and ends as the program did.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process, pidfd_open, set_child_subreaper,
    setsid, wait,
};

use crate::descendants;

/// How often it is looked whether somebody still checks.
const EVERY: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
/// How often it is looked whether the program has ended, where the system cannot tell.
const PAUSE: Duration = Duration::from_millis(2);

/// Runs a program and ends as it did. Comes back only where it cannot be run, with the reason.
pub(crate) fn supervise(program: &OsString, arguments: &[OsString]) -> io::Error {
    // Signals of a terminal are for who checks. No group of ours can be joined from below.
    let _ = setsid();
    let checker = getppid();
    if let Err(error) = set_child_subreaper(Some(getpid())) {
        return error.into();
    }
    let mut command = Command::new(program);
    command.args(arguments).process_group(0);
    let child = match command.spawn() {
        Ok(child) => Pid::from_child(&child),
        Err(error) => return error,
    };
    close_streams();
    let status = ended(child, checker);
    if has_children() {
        descendants::end(getpid(), &HashSet::new(), || {
            has_children();
        });
    }
    let Some(status) = status else { std::process::exit(1) };
    if let Some(signal) = status.terminating_signal() {
        raise(signal);
        std::process::exit(128 + signal);
    }
    std::process::exit(status.exit_status().unwrap_or(1))
}

/// Lets go of the streams, which are the program's now: whoever reads from it should see when it closes them.
fn close_streams() {
    if let Ok(nothing) = std::fs::File::options().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&nothing);
        let _ = rustix::stdio::dup2_stdout(&nothing);
        let _ = rustix::stdio::dup2_stderr(&nothing);
    }
}

/// Waits for the end of the program; `None` if whoever checks has gone.
fn ended(child: Pid, checker: Option<Pid>) -> Option<WaitStatus> {
    let end = pidfd_open(child, PidfdFlags::empty());
    loop {
        // Orphans that have ended are waited for too.
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == child => return Some(status),
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => return None,
            }
        }
        if getppid() != checker {
            return None;
        }
        match &end {
            Ok(end) => drop(poll(&mut [PollFd::from_borrowed_fd(end.as_fd(), PollFlags::IN)], Some(&EVERY))),
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

/// Waits for all children that have ended; whether there are others.
fn has_children() -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}

/// Ends this process by a signal, if that ends processes.
fn raise(signal: i32) {
    let Some(signal) = Signal::from_named_raw(signal) else { return };
    // The first one may only set aside what is done at memory faults.
    for _ in 0..3 {
        let _ = kill_process(getpid(), signal);
        thread::sleep(Duration::from_millis(1));
    }
}
