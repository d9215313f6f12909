//! The other side, the crate `cgt`: a program of its own beside the workspace, built when it is needed.

use std::path::Path;
use std::process::Command;

/// Builds and runs it; nanoseconds and the value, or why it cannot run.
pub fn run(words: &[&str]) -> Result<(u64, String), String> {
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
    let out = Command::new(&program).args(words).output();
    let out = out.map_err(|error| format!("{}: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&out.stdout);
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let found = field("ns ").and_then(|ns| ns.parse().ok()).zip(field("value "));
    let (ns, value) = found.ok_or_else(|| format!("prints `{text}` {}", String::from_utf8_lossy(&out.stderr)))?;
    Ok((ns, value.to_string()))
}
