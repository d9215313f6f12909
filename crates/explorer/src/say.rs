//! Lines that a worker process writes for the server: one at a time, from any of its threads.

use std::io::Write;

/// Writes a line for the server.
pub fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // Where nobody reads any more, standard input ends too.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
