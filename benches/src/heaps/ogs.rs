//! The other side, where it is the crate `ogs`: a program of its own beside the workspace, built when it is needed.

use std::path::Path;
use std::process::Command;

use crate::cases::{Case, Found};
use crate::cpp::{read, scratch};

/// Builds and runs it for so many terms of a case; why it cannot run.
pub fn run(case: &Case, terms: usize) -> Result<Found, String> {
    let target = scratch()?.join("ogs");
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("others/ogs/Cargo.toml");
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
    let program = target.join("release/ogs-yardstick");
    let out = Command::new(&program).args([case.code, &terms.to_string()]).output();
    let out = out.map_err(|error| format!("{}: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&out.stdout);
    read(&text).ok_or_else(|| format!("prints `{text}` {}", String::from_utf8_lossy(&out.stderr)))
}
