//! The process that takes on the limits of a run and then runs the program.
//!
//! Limits of a process can be set without a race only by the process itself, and code between `fork` and `exec` is unsafe. So our own
//! binary is started first and limits itself. All that is started from there has the limits too.
//!
//! On Linux: the memory that each process may write to (`RLIMIT_DATA`; address space that is only reserved, as Java and Go do, does not
//! count), its processor time, and no core files. There the process stays as the `supervisor` of the program. On
//! other Unix systems it is replaced by the program (`exec`). The same limits are asked for there, and not all of them hold: macOS does
//! not limit memory that way. Elsewhere there are none of these. The limits of time and output, which the checking process keeps,
//! hold everywhere.

use std::ffi::OsString;

/// What a process may use.
#[derive(Clone, Copy, Debug)]
pub struct ProcessLimits {
    /// Bytes of memory.
    pub memory: u64,
    /// Seconds of processor time.
    pub seconds: u64,
}

/// Runs a program within limits, and ends as it does. Comes back only where that is not possible, with the reason.
pub fn run_program(limits: ProcessLimits, words: &[OsString]) -> String {
    let Some((program, arguments)) = words.split_first() else { return "no program is named".to_string() };
    if let Err(error) = restrict(limits) {
        return format!("cannot limit a program: {error}");
    }
    let error = replaced_by(program, arguments);
    format!("cannot run {}: {error}", program.to_string_lossy())
}

#[cfg(target_os = "linux")]
use crate::supervisor::supervise as replaced_by;

#[cfg(all(unix, not(target_os = "linux")))]
fn replaced_by(program: &OsString, arguments: &[OsString]) -> std::io::Error {
    use std::os::unix::process::CommandExt as _;
    std::process::Command::new(program).args(arguments).exec()
}

#[cfg(not(unix))]
fn replaced_by(_: &OsString, _: &[OsString]) -> std::io::Error {
    std::io::Error::other("programs are limited on Unix only")
}

#[cfg(unix)]
fn restrict(limits: ProcessLimits) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let lower = |resource: Resource, wanted: u64| {
        let known = getrlimit(resource);
        let most = |old: Option<u64>| Some(old.map_or(wanted, |old| old.min(wanted)));
        setrlimit(resource, Rlimit { current: most(known.current), maximum: most(known.maximum) })
    };
    lower(Resource::Data, limits.memory)?;
    lower(Resource::Cpu, limits.seconds)?;
    lower(Resource::Core, 0)?;
    Ok(())
}

#[cfg(not(unix))]
fn restrict(_: ProcessLimits) -> std::io::Result<()> {
    Ok(())
}
