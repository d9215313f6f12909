//! Chromium: found, started without a window and with a fresh profile, and ended with the test.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::page::Page;
use crate::socket::Socket;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const FLAGS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
    "about:blank",
];

/// A browser that runs.
pub struct Chromium {
    child: Child,
    folder: PathBuf,
    port: u16,
    path: String,
}

fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|file| file.is_file())
}

/// A folder of this test run that nobody else uses.
pub fn fresh_folder(name: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("perfectplay-{name}-{}-{number}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the browser can be made");
    folder
}

impl Chromium {
    /// Starts the browser. Nothing where there is none: the test is skipped then, unless `CI` is `true`.
    pub fn start() -> Option<Self> {
        let Some(program) = find() else {
            let message =
                "Chromium is not installed, so the tests in a browser cannot run; `./test` installs it where it can";
            assert!(env::var("CI").as_deref() != Ok("true"), "{message}");
            // Written past the capture of the test runner, so that people see it.
            let _ = writeln!(std::io::stderr(), "skipped: {message}");
            return None;
        };
        let folder = fresh_folder("chromium");
        let child = Command::new(program)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", folder.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Chromium starts");
        let mut browser = Self { child, folder, port: 0, path: String::new() };
        (browser.port, browser.path) = browser.address();
        Some(browser)
    }

    /// Where it listens: it writes that into its profile.
    fn address(&self) -> (u16, String) {
        let file = self.folder.join("DevToolsActivePort");
        let begun = Instant::now();
        loop {
            let text = fs::read_to_string(&file).unwrap_or_default();
            if let Some((port, path)) = text.trim().split_once('\n') {
                return (port.parse().expect("a port"), path.to_string());
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "Chromium does not say where it listens");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// A new page, as large as a laptop's window.
    pub fn page(&self) -> Page {
        Page::new(Socket::connect(self.port, &self.path).expect("Chromium answers"))
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Its helpers may still write for a moment.
        for _ in 0..20 {
            if fs::remove_dir_all(&self.folder).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}
