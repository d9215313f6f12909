//! The other side: plain loops in C++, compiled when they are needed and run as a process of their own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::cases::{Case, Found};

/// Runs a variant for one turn.
pub fn run(case: &Case, variant: &str, coins: &[i64]) -> Result<Found, String> {
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let program = PROGRAM.get_or_init(compile).as_ref().map_err(String::clone)?;
    let file = program.with_file_name(case.name).with_extension("txt");
    let numbers: Vec<String> = coins.iter().map(i64::to_string).collect();
    let text = format!("{} {}", coins.len(), numbers.join(" "));
    std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    let out = Command::new(program)
        .arg(variant)
        .arg(case.repeats().to_string())
        .arg(&file)
        .output()
        .map_err(|error| error.to_string())?;
    if !out.status.success() {
        return Err(format!("rows {variant} failed: {}", String::from_utf8_lossy(&out.stderr)));
    }
    let text = String::from_utf8_lossy(&out.stdout);
    read(&text).ok_or_else(|| format!("rows {variant} prints `{text}`"))
}

/// Beside the benchmark itself, in the build directory.
fn compile() -> Result<PathBuf, String> {
    let ours = std::env::current_exe().map_err(|error| error.to_string())?;
    let directory = ours.parent().ok_or("the benchmark is nowhere")?.join("rows-benchmark");
    std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    let program = directory.join("rows");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp/rows.cpp");
    let out = Command::new("g++")
        .args(["-std=c++17", "-O3", "-march=native", "-o"])
        .arg(&program)
        .arg(&source)
        .output()
        .map_err(|error| format!("g++ does not start: {error}"))?;
    match out.status.success() {
        true => Ok(program),
        false => Err(format!("g++ does not compile rows.cpp:\n{}", String::from_utf8_lossy(&out.stderr))),
    }
}

/// Reads lines `name value`.
fn read(text: &str) -> Option<Found> {
    let lines: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    Some(Found {
        seconds: lines.get("ns")?.parse::<f64>().ok()? / 1e9,
        value: lines.get("value")?.parse().ok()?,
        sum: lines.get("hash").and_then(|sum| u64::from_str_radix(sum, 16).ok()),
        how: String::new(),
    })
}
