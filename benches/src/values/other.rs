//! The other side, the crate `cgt`: a program of its own beside the workspace, built when it is needed.

use std::path::Path;
use std::process::Command;

/// What came of a run.
pub enum Run {
    /// Nanoseconds and the value.
    Done(u64, String),
    /// It was stopped after so many nanoseconds.
    Stopped(u64),
}

/// Builds and runs it for at most so many seconds of processor time; or why it cannot run.
pub fn run(words: &[&str], limit: u64) -> Result<Run, String> {
    let target = std::env::temp_dir().join("perfectplay-benches").join("cgt");
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("others/cgt/Cargo.toml");
    let built = Command::new("cargo")
        .args(["build", "--quiet", "--release", "--manifest-path"])
        .arg(&project)
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTFLAGS", "-C target-cpu=native")
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !built.status.success() {
        return Err(format!("cannot be built: {}", String::from_utf8_lossy(&built.stderr).trim()));
    }
    let program = target.join("release/cgt-yardstick");
    let limited = format!("ulimit -t {limit}; exec \"$0\" \"$@\"");
    let out = Command::new("sh").args(["-c", &limited]).arg(&program).args(words).output();
    let out = out.map_err(|error| format!("{}: {error}", program.display()))?;
    // The system ends it where its time is over; it prints nothing then.
    if out.status.code().is_none() && out.stdout.is_empty() {
        return Ok(Run::Stopped(limit * 1_000_000_000));
    }
    let text = String::from_utf8_lossy(&out.stdout);
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let found = field("ns ").and_then(|ns| ns.parse().ok()).zip(field("value "));
    let (ns, value) = found.ok_or_else(|| format!("prints `{text}` {}", String::from_utf8_lossy(&out.stderr)))?;
    Ok(Run::Done(ns, value.to_string()))
}
