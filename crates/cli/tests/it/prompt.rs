//! The prompt of `value` at a pseudo-terminal: lines are edited, completed and come back.
//!
//! `script` of util-linux makes the terminal. Where there is none, as on other systems, nothing is tested here.
#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::support::BINARY;

/// A person at a terminal.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: Receiver<Vec<u8>>,
    /// What was shown and not looked at yet.
    shown: Vec<u8>,
}

impl Terminal {
    fn new(words: &str) -> Option<Terminal> {
        let mut command = Command::new("script");
        command.args(["-qfec", &format!("'{BINARY}' {words}"), "/dev/null"]);
        command.env("TERM", "xterm").env("NO_COLOR", "1").env("SHELL", "/bin/sh");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let (keys, mut shown) = (child.stdin.take()?, child.stdout.take()?);
        let (sender, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = shown.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Some(Terminal { child, keys, screen, shown: Vec::new() })
    }

    /// Waits until this is shown. Gives what was shown up to then.
    fn until(&mut self, wanted: &str) -> String {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let found = self.shown.windows(wanted.len()).position(|window| window == wanted.as_bytes());
            if let Some(at) = found {
                let seen: Vec<u8> = self.shown.drain(..at + wanted.len()).collect();
                return String::from_utf8_lossy(&seen).into_owned();
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.screen.recv_timeout(left) {
                Ok(more) => self.shown.extend(more),
                Err(_) => panic!("`{wanted}` was not shown, but {:?}", String::from_utf8_lossy(&self.shown)),
            }
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const UP: &str = "\x1b[A";

#[test]
fn the_prompt_of_values_completes_and_remembers() {
    let Some(mut terminal) = Terminal::new("value") else { return };
    terminal.until("value> ");
    // A name is completed, as far as it is clear.
    terminal.press("1 + domi\t");
    terminal.until("1 + domineering(");
    terminal.press("2,2)\r");
    assert!(terminal.until("stops").contains("{2|0}"));
    terminal.until("value> ");
    // What is wrong is told, and the next line is asked for.
    terminal.press("1 + {2|\r");
    terminal.until("Error");
    terminal.until("value> ");
    // Lines come back, and can be changed before they are asked again.
    terminal.press(&format!("{UP}{UP}"));
    terminal.until("1 + domineering(2,2)");
    terminal.press(" - 1\r");
    assert!(terminal.until("stops").contains("±1"));
    terminal.until("value> ");
    // Two tabs list what may be meant.
    terminal.press("toads\t\t");
    terminal.until("toads_and_frogs_row(");
    terminal.press("\x15quit\r");
    let end = Instant::now() + Duration::from_secs(60);
    while terminal.child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "`quit` ends");
        std::thread::sleep(Duration::from_millis(20));
    }
}
