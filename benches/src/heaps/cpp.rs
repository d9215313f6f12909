//! The other side: the plain double loop, compiled when it is needed and run as a process of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cases::{Case, Found};

/// Compiles and runs the program for a case.
pub fn run(case: &Case) -> Result<Found, String> {
    let game = case.game()?;
    let name = if case.code.is_empty() { "grundy" } else { "octal" };
    let directory = scratch()?;
    let program = directory.join(name);
    compile(name, &program)?;
    let mut numbers = case.terms.to_string();
    if !case.code.is_empty() {
        let digits: Vec<String> = game.digits().iter().map(|digit| digit.bits().to_string()).collect();
        numbers += &format!(" {} {}", digits.len(), digits.join(" "));
    }
    let file = directory.join(case.name).with_extension("txt");
    std::fs::write(&file, numbers).map_err(|error| format!("{}: {error}", file.display()))?;
    let out = Command::new(&program).args(["plain", "1"]).arg(&file).output().map_err(|error| error.to_string())?;
    if !out.status.success() {
        return Err(format!("{name} failed: {}", String::from_utf8_lossy(&out.stderr)));
    }
    let text = String::from_utf8_lossy(&out.stdout);
    read(&text).ok_or_else(|| format!("{name} prints `{text}`"))
}

fn compile(name: &str, program: &Path) -> Result<(), String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp").join(name).with_extension("cpp");
    let out = Command::new("g++")
        .args(["-std=c++17", "-O3", "-march=native", "-o"])
        .arg(program)
        .arg(&source)
        .output()
        .map_err(|error| format!("g++ does not start: {error} (install it or use --alone)"))?;
    match out.status.success() {
        true => Ok(()),
        false => Err(format!("g++ does not compile {name}.cpp:\n{}", String::from_utf8_lossy(&out.stderr))),
    }
}

/// Beside the benchmark itself, in the build directory.
pub fn scratch() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let directory = program.parent().ok_or("the benchmark is nowhere")?.join("heaps-benchmark");
    std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    Ok(directory)
}

/// Reads lines `name value`.
pub fn read(text: &str) -> Option<Found> {
    let lines: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    Some(Found {
        seconds: lines.get("ns")?.parse::<f64>().ok()? / 1e9,
        terms: lines.get("positions")?.parse().ok()?,
        hash: u64::from_str_radix(lines.get("hash")?, 16).ok()?,
        period: None,
        what: format!("largest {}", lines.get("largest")?),
    })
}
