//! Tells the binary its commit, and leaves the symbols out of release binaries.
//!
//! `strip = "symbols"` of the workspace does not reach this package: for one with settings of its own (`opt-level`), Cargo 1.95
//! strips debug lines alone. Symbols are 3 MB of 21. Builds that keep debug lines keep their symbols too.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// So many digits of a commit are shown.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "release") && is("DEBUG", "false") && is("CARGO_CFG_TARGET_OS", "linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
    }
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let version = match packaged(&here).or_else(|| checked_out(&here)) {
        Some(commit) => format!("{version} ({})", commit.get(..DIGITS).unwrap_or(&commit)),
        None => version,
    };
    println!("cargo::rustc-env=PERFECTPLAY_VERSION={version}");
}

/// The commit that a packaged crate was made from: Cargo writes it down.
fn packaged(here: &Path) -> Option<String> {
    let path = here.join(".cargo_vcs_info.json");
    let text = fs::read_to_string(&path).ok()?;
    println!("cargo::rerun-if-changed={}", path.display());
    let (_, rest) = text.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    is_commit(commit).then(|| commit.to_string())
}

/// The commit that is checked out, where this crate lies in its own repository and Git is installed.
fn checked_out(here: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let ran = Command::new("git").arg("-C").arg(here).args(arguments).output().ok()?;
        let text = String::from_utf8(ran.stdout).ok()?;
        ran.status.success().then(|| text.trim().to_string()).filter(|text| !text.is_empty())
    };
    // A copy of the sources inside somebody else's repository is none of its commits.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    // The log of the head changes with every commit and every checkout. A file that is not there would have this run each time.
    let watched = ["logs/HEAD", "HEAD"].into_iter().filter_map(|name| git(&["rev-parse", "--git-path", name]));
    let path = watched.map(|path| here.join(path)).find(|path| path.exists())?;
    println!("cargo::rerun-if-changed={}", path.display());
    git(&["rev-parse", "HEAD"]).filter(|commit| is_commit(commit))
}

fn is_commit(text: &str) -> bool {
    text.len() >= DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
