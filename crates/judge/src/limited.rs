//! The process that takes on the limits of a run and then becomes the program.
//!
//! Limits of a process can be set without a race only by the process itself, and code between `fork` and `exec` is unsafe. So our own
//! binary is started first, limits itself, and is replaced by the program (`exec`). All that the program starts has the limits too.
//!
//! On Linux: the memory that a process may write to (`RLIMIT_DATA`; address space that is only reserved, as Java and Go do, does not
//! count), its processor time, no core files, and an end with its parent. On other Unix systems the same limits are asked for,
//! and not all of them hold: macOS does not limit memory that way. Elsewhere there are none of these. The limits of time and
//! output, which the checking process keeps, hold everywhere.

use std::ffi::OsString;

/// What a process may use.
#[derive(Clone, Copy, Debug)]
pub struct ProcessLimits {
    /// Bytes of memory.
    pub memory: u64,
    /// Seconds of processor time.
    pub seconds: u64,
}

/// Becomes a program, within limits. Comes back only where that is not possible, with the reason.
pub fn become_program(limits: ProcessLimits, words: &[OsString]) -> String {
    let Some((program, arguments)) = words.split_first() else { return "no program is named".to_string() };
    if let Err(error) = restrict(limits) {
        return format!("cannot limit a program: {error}");
    }
    let mut command = std::process::Command::new(program);
    command.args(arguments);
    let error = replace(&mut command);
    format!("cannot run {}: {error}", program.to_string_lossy())
}

#[cfg(unix)]
fn replace(command: &mut std::process::Command) -> std::io::Error {
    use std::os::unix::process::CommandExt as _;
    command.exec()
}

#[cfg(not(unix))]
fn replace(_: &mut std::process::Command) -> std::io::Error {
    std::io::Error::other("programs are replaced on Unix only")
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
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    Ok(())
}

#[cfg(not(unix))]
fn restrict(_: ProcessLimits) -> std::io::Result<()> {
    Ok(())
}
