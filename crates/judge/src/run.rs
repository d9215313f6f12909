//! One run of a program: what it read, what it printed, and how it ended. Time, memory, output and processes are limited, and whatever
//! it has started ends with it.
//!
//! On Linux the program has a supervisor ([`limited`](crate::limited)), below which all that it has started is found. Elsewhere it
//! leads a process group of its own, which is killed as a whole. A program may leave processes behind that hold its pipes open: nobody
//! waits for these.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A program that is checked.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its command line.
    pub words: Vec<OsString>,
    /// What is put before it: our own binary, which takes on the limits and runs the program.
    pub launcher: Vec<OsString>,
}

/// What one run may use.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Time by the clock on the wall.
    pub time: Duration,
    /// Bytes of memory, where the system can limit it.
    pub memory: u64,
    /// Bytes of output.
    pub output: usize,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With this exit code.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// It was stopped, because its time was up.
    TooSlow,
    /// It was stopped, because it printed too much.
    TooMuchOutput,
    /// It was stopped, because it had too many processes.
    TooManyProcesses,
    /// It was stopped, because somebody pressed Ctrl-C.
    Interrupted,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// What it printed.
    pub output: String,
    /// The end of what it printed to standard error.
    pub errors: String,
    /// How it ended.
    pub ended: Ended,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// How much of standard error is kept.
const ERRORS: usize = 4096;
/// How long is waited for what a program has printed before it ended, while something else holds its pipes.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// So many processes of a program may be alive at once, where they can be counted.
pub const PROCESSES: usize = 200;
/// How often they are counted.
const COUNTING: Duration = Duration::from_millis(100);
/// How often it is looked whether a program has ended.
const PAUSES: (Duration, Duration) = (Duration::from_micros(200), Duration::from_millis(5));

/// Runs a program on an input.
pub fn run(program: &Program, input: &str, limits: &RunLimits, cancel: &AtomicBool) -> io::Result<Ran> {
    let start = Instant::now();
    let mut running = Running::start(program, limits)?;
    if let Some(mut pipe) = running.input.take() {
        let input = input.as_bytes().to_vec();
        // A program may leave its input unread.
        thread::spawn(move || drop(pipe.write_all(&input)));
    }
    let mut pause = PAUSES.0;
    let ended = loop {
        if running.has_ended()? {
            break None;
        }
        if running.output.is_over() {
            break Some(Ended::TooMuchOutput);
        }
        if running.has_too_many_processes() {
            break Some(Ended::TooManyProcesses);
        }
        if start.elapsed() >= limits.time {
            break Some(Ended::TooSlow);
        }
        if cancel.load(Ordering::Relaxed) {
            break Some(Ended::Interrupted);
        }
        let left = limits.time.saturating_sub(start.elapsed());
        let told = running.events.recv_timeout(pause.min(left.max(PAUSES.0)));
        if told == Err(RecvTimeoutError::Disconnected) {
            // Both pipes are closed: it ends soon, if it does not live on in silence.
            thread::sleep(pause);
        }
        pause = (pause * 2).min(PAUSES.1);
    };
    let seconds = start.elapsed().as_secs_f64();
    let status = running.stop()?;
    let over = running.output.is_over();
    let ended = match ended {
        Some(ended) => ended,
        None if over => Ended::TooMuchOutput,
        None => of_status(status),
    };
    Ok(Ran { output: running.output.text(), errors: running.errors.text(), ended, seconds })
}

fn of_status(status: ExitStatus) -> Ended {
    match status.code() {
        Some(code) => Ended::Exit(code),
        None => Ended::Signal(signal(status)),
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt as _;
    status.signal().unwrap_or(0)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> i32 {
    0
}

/// A program that runs.
pub struct Running {
    child: Child,
    /// Whether it was waited for. Then it is nobody any more, and another process may have its number.
    is_gone: bool,
    /// Its standard input.
    pub input: Option<ChildStdin>,
    /// What it prints.
    pub output: Arc<Kept>,
    errors: Arc<Kept>,
    /// Something was read, or a pipe was closed.
    pub events: Receiver<()>,
    readers: usize,
    /// When its processes are counted again.
    counted: Instant,
}

impl Running {
    /// Starts a program, and reads what it prints.
    pub fn start(program: &Program, limits: &RunLimits) -> io::Result<Running> {
        let mut words = program.launcher.iter().chain(&program.words);
        let Some(first) = words.next() else { return Err(io::Error::other("no program is named")) };
        let mut command = Command::new(first);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        lead_a_group(&mut command, !program.launcher.is_empty());
        let mut child = command.spawn()?;
        let (send, events) = mpsc::channel();
        let output = Arc::new(Kept::first(limits.output));
        let errors = Arc::new(Kept::last(ERRORS));
        let mut readers = 0;
        if let Some(pipe) = child.stdout.take() {
            read(pipe, Arc::clone(&output), send.clone());
            readers += 1;
        }
        if let Some(pipe) = child.stderr.take() {
            read(pipe, Arc::clone(&errors), send);
            readers += 1;
        }
        let input = child.stdin.take();
        let counted = Instant::now() + COUNTING;
        Ok(Running { child, is_gone: false, input, output, errors, events, readers, counted })
    }

    /// Whether the program and what it has started are too many. They are counted now and then.
    pub fn has_too_many_processes(&mut self) -> bool {
        if Instant::now() < self.counted {
            return false;
        }
        let many = processes(&self.child) > PROCESSES;
        self.counted = Instant::now() + COUNTING;
        many
    }

    /// Whether the program has ended. It is not forgotten yet, so that its group can still be named.
    pub fn has_ended(&mut self) -> io::Result<bool> {
        has_ended(&mut self.child)
    }

    /// Ends the program with all that it started, and waits for what it has printed.
    pub fn stop(&mut self) -> io::Result<ExitStatus> {
        drop(self.input.take());
        let status = self.end()?;
        let end = Instant::now() + LAST_WORDS;
        while self.closed() < self.readers && Instant::now() < end {
            let _ = self.events.recv_timeout(end.saturating_duration_since(Instant::now()));
        }
        Ok(status)
    }

    /// The end of what it printed to standard error.
    pub fn errors(&self) -> String {
        self.errors.text()
    }

    /// Kills the program with all that it has started, and waits for its end.
    fn end(&mut self) -> io::Result<ExitStatus> {
        if !std::mem::replace(&mut self.is_gone, true) {
            // A supervisor that has ended has left nothing behind.
            if !has_ended(&mut self.child).unwrap_or(false) {
                kill_descendants(&self.child);
            }
            kill_group(&mut self.child);
        }
        self.child.wait()
    }

    fn closed(&self) -> usize {
        usize::from(self.output.is_closed()) + usize::from(self.errors.is_closed())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// A supervisor makes a session of its own, which the leader of a group cannot do.
#[cfg(unix)]
fn lead_a_group(command: &mut Command, has_launcher: bool) {
    use std::os::unix::process::CommandExt as _;
    if !(has_launcher && cfg!(target_os = "linux")) {
        command.process_group(0);
    }
}

#[cfg(not(unix))]
fn lead_a_group(_: &mut Command, _: bool) {}

#[cfg(target_os = "linux")]
fn processes(child: &Child) -> usize {
    crate::descendants::living(rustix::process::Pid::from_child(child)).len()
}

#[cfg(not(target_os = "linux"))]
fn processes(_: &Child) -> usize {
    0
}

#[cfg(target_os = "linux")]
fn kill_descendants(child: &Child) {
    let nobody = std::collections::HashSet::new();
    crate::descendants::end(rustix::process::Pid::from_child(child), &nobody, || {});
}

#[cfg(not(target_os = "linux"))]
fn kill_descendants(_: &Child) {}

#[cfg(unix)]
fn has_ended(child: &mut Child) -> io::Result<bool> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let pid = Pid::from_child(child);
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    Ok(waitid(WaitId::Pid(pid), options)?.is_some())
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // A group without members cannot be killed, which is no matter. A supervisor may not have made its own yet.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    let _ = child.kill();
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

/// The bytes that were read from a pipe: the first ones, or the last ones.
pub struct Kept {
    state: Mutex<State>,
    most: usize,
    keeps_last: bool,
}

#[derive(Default)]
struct State {
    bytes: Vec<u8>,
    taken: usize,
    over: bool,
    closed: bool,
}

impl Kept {
    fn first(most: usize) -> Kept {
        Kept { state: Mutex::default(), most, keeps_last: false }
    }

    fn last(most: usize) -> Kept {
        Kept { state: Mutex::default(), most, keeps_last: true }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds bytes; whether more are wanted.
    fn add(&self, bytes: &[u8]) -> bool {
        let mut state = self.state();
        state.bytes.extend_from_slice(bytes);
        let extra = state.bytes.len().saturating_sub(self.most);
        if extra == 0 {
            return true;
        }
        if self.keeps_last {
            state.bytes.drain(..extra);
            return true;
        }
        state.bytes.truncate(self.most);
        state.over = true;
        false
    }

    fn close(&self) {
        self.state().closed = true;
    }

    /// Whether there was more than is kept.
    pub fn is_over(&self) -> bool {
        self.state().over
    }

    /// Whether nothing more comes.
    pub fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// All that is kept.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.state().bytes).into_owned()
    }

    /// The next line that was not taken yet; the rest of the text where nothing more comes.
    pub fn line(&self) -> Option<String> {
        let mut state = self.state();
        let rest = &state.bytes[state.taken..];
        let end = match rest.iter().position(|byte| *byte == b'\n') {
            Some(end) => end + 1,
            None if state.closed && !rest.is_empty() => rest.len(),
            None => return None,
        };
        let line = String::from_utf8_lossy(&rest[..end]).trim().to_string();
        state.taken += end;
        Some(line)
    }
}

/// Reads a pipe to its end, or until there is too much.
fn read(mut pipe: impl Read + Send + 'static, kept: Arc<Kept>, events: Sender<()>) {
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 14];
        loop {
            match pipe.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => {
                    let more = kept.add(&buffer[..read]);
                    let _ = events.send(());
                    if !more {
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        kept.close();
        let _ = events.send(());
    });
}
