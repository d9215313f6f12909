//! Writing for people: colours where they are wanted, numbers that can be read, and pipes that may close at any time.

use std::fmt::Display;
use std::io::{IsTerminal as _, Write as _};

use anstyle::{AnsiColor, Style};

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

/// A text in a style; the stream drops the style where it is not wanted (`NO_COLOR`, pipes).
pub fn styled(text: impl Display, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// Writes to standard output. A reader that has gone away is no error.
pub fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
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

/// Whether standard error is a terminal.
pub fn stderr_is_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// A number with its thousands set apart.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in a unit that fits.
pub fn bytes_text(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
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
    } else {
        format!("{:.1} min", seconds / 60.0)
    }
}

/// `1 position`, `2 positions`.
pub fn plural(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Text broken at commas so that lines stay below `width`, later lines indented.
pub fn wrapped(items: &[String], indent: usize, width: usize) -> String {
    let mut text = String::new();
    let mut column = indent;
    for (index, item) in items.iter().enumerate() {
        let separator = if index + 1 < items.len() { "," } else { "" };
        let length = item.chars().count() + separator.len() + usize::from(index > 0);
        if index > 0 && column + length > width {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if index > 0 {
            text.push(' ');
        }
        text.push_str(item);
        text.push_str(separator);
        column += length;
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
        assert_eq!(plural(1, "position"), "1 position");
    }

    #[test]
    fn long_lists_are_wrapped() {
        let items: Vec<String> = (0..6).map(|n| format!("take({n})")).collect();
        assert_eq!(wrapped(&items, 4, 30), "take(0), take(1), take(2),\n    take(3), take(4), take(5)");
    }
}
