//! Sizes and times as people write them, and how much memory there is.

use std::time::Duration;

/// `8G`, `500M`, `64K`, `1000000`; powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| "expected a number such as 500M or 8G".to_string())?;
    let unit = text[digits..].trim().to_ascii_uppercase();
    let shift = match unit.trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(format!("unknown unit `{unit}`; write K, M, G or T")),
    };
    number.checked_mul(1 << shift).ok_or_else(|| "that is more memory than can be counted".to_string())
}

/// `500ms`, `60s`, `1.5m`, `2h`, or plain seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..digits].parse().map_err(|_| "expected a time such as 60s or 5m".to_string())?;
    let seconds = match &text[digits..] {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        unit => return Err(format!("unknown unit `{unit}`; write ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| "that is longer than can be counted".to_string())
}

/// What the system says is free, where it says so.
pub fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_read() {
        assert_eq!(bytes("8G"), Ok(8 << 30));
        assert_eq!(bytes("500MiB"), Ok(500 << 20));
        assert_eq!(bytes("12"), Ok(12));
        assert!(bytes("8X").is_err() && bytes("").is_err() && bytes("99999999999T").is_err());
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(duration("1y").is_err() && duration("-3s").is_err());
    }
}
