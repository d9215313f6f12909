//! The yardsticks: hand-written alpha-beta in C++, compiled when the benchmark starts and run as processes of their own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What a good contestant's judge compiles with.
const FLAGS: [&str; 3] = ["-std=c++17", "-O3", "-march=native"];

/// Compiled programs, by the name of the game whose rules file they compete with.
pub struct Yardsticks {
    directory: PathBuf,
}

/// What a yardstick found.
pub struct Found {
    pub value: i64,
    pub positions: u64,
    pub seconds: f64,
}

/// The program for a game of the gallery.
fn program(game: &str) -> Option<&'static str> {
    match game {
        "connect_k" => Some("connect_four"),
        "dots_and_boxes" => Some("dots_and_boxes"),
        _ => None,
    }
}

impl Yardsticks {
    /// Compiles the programs.
    pub fn compile() -> Result<Yardsticks, String> {
        let directory = std::env::temp_dir().join(format!("perfectplay-search-{}", std::process::id()));
        std::fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp");
        for name in ["connect_four", "dots_and_boxes"] {
            let (program, source) = (directory.join(name), sources.join(name).with_extension("cpp"));
            let out = Command::new("g++").args(FLAGS).arg("-o").arg(program).arg(source).output();
            let out = out.map_err(|error| format!("g++ does not start: {error} (install it or use --alone)"))?;
            if !out.status.success() {
                return Err(format!("g++ does not compile {name}.cpp:\n{}", String::from_utf8_lossy(&out.stderr)));
            }
        }
        Ok(Yardsticks { directory })
    }

    /// Runs the program for a game on an instance, whose numbers it reads. `None` where there is no program, or it is not done in
    /// time.
    pub fn run(&self, game: &str, instance: &str, seconds: u64) -> Result<Option<Found>, String> {
        let Some(program) = program(game) else { return Ok(None) };
        let file = self.directory.join("instance");
        std::fs::write(&file, instance).map_err(|error| error.to_string())?;
        let mut command = Command::new(self.directory.join(program));
        let child = command.args(["alpha_beta", "1"]).arg(&file).stdout(Stdio::piped()).spawn();
        let text = within(child.map_err(|error| error.to_string())?, Duration::from_secs(seconds))?;
        let read = |text: String| read(&text).ok_or_else(|| format!("{program} prints {text}"));
        text.map(read).transpose()
    }
}

impl Drop for Yardsticks {
    fn drop(&mut self) {
        // What is left behind in the temporary directory does no harm.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// What a process prints, if it ends in time.
fn within(mut child: Child, limit: Duration) -> Result<Option<String>, String> {
    let end = Instant::now() + limit;
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => break,
            Some(status) => return Err(format!("a yardstick failed: {status}")),
            None if Instant::now() >= end => {
                child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
                return Ok(None);
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
    let out = child.wait_with_output().map_err(|error| error.to_string())?;
    Ok(Some(String::from_utf8_lossy(&out.stdout).into_owned()))
}

/// Reads lines `name value`.
fn read(text: &str) -> Option<Found> {
    let lines: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    let number = |name: &str| lines.get(name).and_then(|value| value.parse::<i64>().ok());
    let positions = u64::try_from(number("positions")?).ok()?;
    Some(Found { value: number("value")?, positions, seconds: number("ns")? as f64 * 1e-9 })
}
