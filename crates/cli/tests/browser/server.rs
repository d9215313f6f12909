//! The server: `perfectplay serve` on a port of its own choice, ended with the test.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

pub const BINARY: &str = env!("CARGO_BIN_EXE_perfectplay");

/// A server that runs.
pub struct Server {
    child: Child,
    /// Its address, with a slash at the end.
    pub url: String,
}

impl Server {
    /// Starts one.
    pub fn start() -> Self {
        Self::with(&[])
    }

    /// Starts one with more arguments.
    pub fn with(more: &[&str]) -> Self {
        let mut child = Command::new(BINARY)
            .args(["serve", "--port", "0"])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let out = child.stdout.take().expect("its output is a pipe");
        let mut url = None;
        for line in BufReader::new(out).lines() {
            let line = line.expect("the server writes text");
            if let Some(found) = line.split_whitespace().find(|word| word.starts_with("http://")) {
                url = Some(format!("{}/", found.trim_end_matches('/')));
                break;
            }
        }
        Self { child, url: url.expect("the server says where it listens") }
    }

    /// The address of a view.
    pub fn at(&self, fragment: &str) -> String {
        format!("{}{fragment}", self.url)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
