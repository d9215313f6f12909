//! Running the binary.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The binary.
pub const BINARY: &str = env!("CARGO_BIN_EXE_perfectplay");

/// What a run gave.
pub struct Ran {
    pub out: String,
    pub err: String,
    pub code: i32,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { out: text(&output.stdout), err: text(&output.stderr), code: output.status.code().unwrap_or(-1) }
    }
}

/// The binary with these words, split at spaces, without the surroundings' taste in colours.
pub fn command(words: &str) -> Command {
    let mut command = Command::new(BINARY);
    command.args(words.split_whitespace());
    plain(&mut command);
    command
}

/// Takes away what could change the output.
pub fn plain(command: &mut Command) {
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM"] {
        command.env_remove(name);
    }
}

/// Runs the binary without input.
pub fn run(words: &str) -> Ran {
    command(words).stdin(Stdio::null()).output().unwrap().into()
}

/// Runs the binary with this input.
pub fn run_with(words: &str, input: &str) -> Ran {
    let mut command = command(words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Who has seen enough may leave the rest unread.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap().into()
}

/// A game of the gallery as it is asked for where many commands are tried on all of them: smaller, where it takes many seconds as it
/// stands.
pub fn brief(name: &str) -> String {
    match name {
        "six_mens_morris" => format!("{name} men=3"),
        _ => name.to_string(),
    }
}

/// Folders of this crate.
pub fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A fresh folder with the files of `tests/files`, and those that cannot be kept as text.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{}-{number}", std::process::id()));
        std::fs::create_dir_all(path.join("folder")).unwrap();
        for entry in std::fs::read_dir(here("tests/files")).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), path.join(entry.file_name())).unwrap();
        }
        std::fs::write(path.join("empty.game"), "").unwrap();
        std::fs::write(path.join("not_utf8.game"), b"game \xff").unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
