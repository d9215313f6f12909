//! Starts all processes of a cluster on this machine.

use std::ffi::OsString;
use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::load::reason;
use crate::watch;

/// How often it is looked how the processes go.
const LOOK: Duration = Duration::from_millis(20);
/// After one has failed, or Ctrl-C, the others have so long to end by themselves.
const LEAVE: Duration = Duration::from_secs(15);

/// A process that left no exit code was killed: the run may be gone on with.
const GONE: u8 = 3;

/// Starts so many processes, and waits for all of them. The exit code is that of the first that fails.
pub fn all(args: &RunArgs, processes: usize) -> Result<u8, Failure> {
    let failed = |what: &str, error: &std::io::Error| Failure::usage(format!("cannot {what}: {}", reason(error)));
    let program = std::env::current_exe().map_err(|error| failed("find this program itself", &error))?;
    let hosts = args.output.join("hosts");
    let ports = ports(processes).map_err(|error| failed("find free ports", &error))?;
    fs::write(&hosts, ports).map_err(|error| failed("write the list of processes", &error))?;
    let stop = watch::cancel();
    let mut children = Vec::with_capacity(processes);
    for process in 0..processes {
        let mut command = Command::new(&program);
        command.args(words(&hosts, process)).stdin(Stdio::null());
        match command.spawn() {
            Ok(child) => children.push(child),
            Err(error) => {
                end(&mut children);
                return Err(failed("start a process", &error));
            }
        }
    }
    let code = attend(children, &stop);
    let _ = fs::remove_file(&hosts);
    Ok(code)
}

/// The addresses of so many free ports of this machine, one a line.
fn ports(count: usize) -> std::io::Result<String> {
    let listeners = (0..count).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<Result<Vec<_>, _>>()?;
    listeners.iter().map(|listener| Ok(format!("{}\n", listener.local_addr()?))).collect()
}

/// The words of this command line, for one process of those that the file of hosts lists.
fn words(hosts: &std::path::Path, process: usize) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut own = std::env::args_os().skip(1);
    while let Some(word) = own.next() {
        match word.to_str() {
            Some("--processes") => drop(own.next()),
            Some(text) if text.starts_with("--processes=") => {}
            _ => words.push(word),
        }
    }
    words.extend(["--hosts".into(), hosts.into(), "--process".into(), process.to_string().into()]);
    words
}

/// Waits for all processes.
fn attend(mut children: Vec<Child>, stop: &std::sync::atomic::AtomicBool) -> u8 {
    let mut first = 0;
    let mut leaving: Option<Instant> = None;
    while !children.is_empty() {
        std::thread::sleep(LOOK);
        children.retain_mut(|child| match child.try_wait() {
            Ok(None) => true,
            Ok(Some(status)) => {
                let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(GONE);
                first = if first == 0 { code } else { first };
                false
            }
            Err(_) => false,
        });
        if first != 0 || stop.load(Ordering::Relaxed) {
            let since = leaving.get_or_insert_with(Instant::now);
            if since.elapsed() >= LEAVE {
                end(&mut children);
                return if first == 0 { 130 } else { first };
            }
        }
    }
    first
}

/// Ends processes that were started here.
fn end(children: &mut Vec<Child>) {
    for mut child in children.drain(..) {
        let _ = child.kill();
        let _ = child.wait();
    }
}
