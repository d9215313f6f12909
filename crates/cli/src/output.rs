//! Writing for people: colours where they are wanted, lines that fit the terminal, numbers that can be read, and pipes
//! that may close at any time.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
use perfectplay::json;
pub use perfectplay::numbers::{grouped as count, plural};

use crate::args::ColorName;

/// Longer lines are hard to read, however wide the terminal.
const WIDTH: usize = 100;
/// Below this nothing is broken sensibly any more.
const NARROWEST: usize = 30;

/// Emphasis, for what matters most.
pub const STRONG: Style = Style::new().bold();
/// For what matters least.
pub const FAINT: Style = Style::new().dimmed();
/// Good for the player to move.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// Bad for the player to move.
pub const BAD: Style = AnsiColor::Red.on_default();
/// Neither.
pub const EVEN: Style = AnsiColor::Yellow.on_default();

/// Set when the first answer is written.
static BEGUN: AtomicBool = AtomicBool::new(false);

/// Whether anything was written to standard output, or is about to be.
pub fn has_begun() -> bool {
    BEGUN.load(Ordering::SeqCst)
}

/// Uses colours as the command line says.
pub fn choose_colours(when: ColorName) {
    match when {
        ColorName::Auto => {}
        ColorName::Always => anstream::ColorChoice::Always.write_global(),
        ColorName::Never => anstream::ColorChoice::Never.write_global(),
    }
}

/// A text in a style; the stream drops the style where it is not wanted (`NO_COLOR`, pipes).
pub fn styled(text: impl Display, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// Writes to standard output. A reader that has gone away (`| head`) is no error; a full disk ends the program.
pub fn print(text: &str) {
    BEGUN.store(true, Ordering::SeqCst);
    let mut out = anstream::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Writes for programs: there are no styles to look for in what may be long. Whether anybody still reads.
pub fn print_plain(text: &str) -> bool {
    BEGUN.store(true, Ordering::SeqCst);
    let mut out = io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Writes a line for programs.
pub fn print_line(text: &str) {
    BEGUN.store(true, Ordering::SeqCst);
    let mut out = io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()));
}

/// Writes an object for programs, on a line of its own.
pub fn print_json(object: &impl json::Serialize) {
    BEGUN.store(true, Ordering::SeqCst);
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let result = json::write(&mut out, object);
    written(result.and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()));
}

/// Whether anybody still reads what was written.
fn written(result: io::Result<()>) -> bool {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&format!("Error: cannot write the answer: {error}\n"));
            std::process::exit(2);
        }
        result => result.is_ok(),
    }
}

/// Writes to standard error.
pub fn complain(text: &str) {
    let mut out = anstream::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Whether standard error takes colours.
pub fn colour_on_stderr() -> bool {
    let choice = anstream::AutoStream::choice(&std::io::stderr());
    choice != anstream::ColorChoice::Never
}

/// Whether standard output takes colours.
pub fn colour_on_stdout() -> bool {
    let choice = anstream::AutoStream::choice(&std::io::stdout());
    choice != anstream::ColorChoice::Never
}

/// Whether standard error is a terminal.
pub fn stderr_is_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// Whether standard output is a terminal.
pub fn stdout_is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Where lines on standard output are broken: the terminal's width, or a hundred columns elsewhere.
pub fn width() -> usize {
    columns_of(std::io::stdout()).unwrap_or(WIDTH).clamp(NARROWEST, WIDTH)
}

/// The columns of the terminal that standard error is.
pub fn stderr_columns() -> usize {
    columns_of(std::io::stderr()).unwrap_or(WIDTH)
}

#[cfg(unix)]
fn columns_of(stream: impl std::os::fd::AsFd) -> Option<usize> {
    terminal_size::terminal_size_of(stream).map(|(columns, _)| usize::from(columns.0))
}

#[cfg(windows)]
fn columns_of(stream: impl std::os::windows::io::AsHandle) -> Option<usize> {
    terminal_size::terminal_size_of(stream).map(|(columns, _)| usize::from(columns.0))
}

/// Bytes in a unit that fits.
pub fn bytes_text(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 || value >= 100.0 {
        format!("{value:.0} {}", UNITS[unit])
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

/// Seconds in a unit that fits.
pub fn seconds_text(seconds: f64) -> String {
    if seconds < 0.001 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else if seconds < 120.0 * 60.0 {
        format!("{:.1} min", seconds / 60.0)
    } else if seconds < 48.0 * 3600.0 {
        format!("{:.1} h", seconds / 3600.0)
    } else if seconds < 2.0 * YEAR {
        format!("{:.0} days", seconds / 86400.0)
    } else if seconds < 1e5 * YEAR {
        format!("{} years", count((seconds / YEAR) as u64))
    } else {
        format!("10^{:.0} years", (seconds / YEAR).log10().floor())
    }
}

/// Seconds of a year.
const YEAR: f64 = 365.25 * 86400.0;

/// Items set apart by commas, broken between items so that lines stay within `width`, later lines indented.
pub fn wrapped(items: &[String], indent: usize, width: usize) -> String {
    let last = items.len().saturating_sub(1);
    let pieces =
        items.iter().enumerate().map(|(index, item)| if index < last { format!("{item},") } else { item.clone() });
    fill(pieces, indent, width)
}

/// Prose broken at spaces so that lines stay within `width`, later lines indented. It starts in column `indent`.
pub fn prose(text: &str, indent: usize, width: usize) -> String {
    fill(text.split(' ').map(str::to_string), indent, width)
}

fn fill(pieces: impl Iterator<Item = String>, indent: usize, width: usize) -> String {
    let mut text = String::new();
    let mut column = indent;
    for (index, piece) in pieces.enumerate() {
        let length = anstream::adapter::strip_str(&piece).to_string().chars().count();
        if index > 0 && column + 1 + length > width {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if index > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&piece);
        column += length;
    }
    text
}

/// Names on the left, texts on the right, broken to fit.
pub struct Rows {
    text: String,
    indent: usize,
    width: usize,
}

impl Rows {
    /// Rows whose right column starts at `indent`.
    pub fn new(indent: usize) -> Rows {
        Rows { text: String::new(), indent, width: width() }
    }

    /// A row of prose.
    pub fn prose(&mut self, name: &str, text: &str) {
        self.push(name, &prose(text, self.indent, self.width));
    }

    /// A row of items.
    pub fn list(&mut self, name: &str, items: &[String]) {
        self.push(name, &wrapped(items, self.indent, self.width));
    }

    fn push(&mut self, name: &str, value: &str) {
        self.text.push_str(&format!("{}{value}\n", styled(format!("{name:0$}", self.indent), FAINT)));
    }

    /// All rows.
    pub fn text(self) -> String {
        self.text
    }
}

/// Items in columns that fill the width, read line by line.
pub fn columns(items: &[String], width: usize) -> String {
    let widest = items.iter().map(|item| item.chars().count()).max().unwrap_or(0) + 2;
    let across = (width / widest).max(1);
    let mut text = String::new();
    for row in items.chunks(across) {
        let line: String = row.iter().map(|item| format!("{item:widest$}")).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_can_be_read() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1234567), "1,234,567");
        assert_eq!(bytes_text(4 << 30), "4.0 GB");
        assert_eq!(bytes_text(900), "900 B");
        assert_eq!(seconds_text(0.0125), "12.5 ms");
        assert_eq!((&*seconds_text(2e6), &*seconds_text(1e10)), ("23 days", "316 years"));
        assert_eq!((&*seconds_text(9000.0), &*seconds_text(5e87)), ("2.5 h", "10^80 years"));
        assert_eq!(plural(1, "position"), "1 position");
    }

    #[test]
    fn long_lists_are_wrapped() {
        let items: Vec<String> = (0..6).map(|n| format!("take({n})")).collect();
        assert_eq!(wrapped(&items, 4, 30), "take(0), take(1), take(2),\n    take(3), take(4), take(5)");
    }

    #[test]
    fn prose_is_wrapped_and_columns_line_up() {
        assert_eq!(prose("one two three four", 2, 12), "one two\n  three four");
        assert_eq!(prose("unbreakable", 2, 5), "unbreakable");
        assert_eq!(prose(&format!("{} two", styled("one", GOOD)), 0, 7).matches('\n').count(), 0);
        let items: Vec<String> = ["a", "bb", "ccc"].map(String::from).to_vec();
        assert_eq!(columns(&items, 10), "a    bb\nccc\n");
    }
}
