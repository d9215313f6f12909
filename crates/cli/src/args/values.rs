//! Values of options as people write them: sizes, times, amounts, opponents.

use std::time::Duration;

use perfectplay::solving::Amount;

use super::OpponentName;

/// `perfect`, `slips:5`, `greedy`, `random`.
pub fn opponent(text: &str) -> Result<OpponentName, String> {
    let wrong = || "expected perfect, slips:5 (about one move in five is random), greedy or random".to_string();
    let (name, number) = text.split_once([':', '=']).map_or((text, None), |(name, number)| (name, Some(number)));
    match (name, number) {
        ("perfect", None) => Ok(OpponentName::Perfect),
        ("greedy", None) => Ok(OpponentName::Greedy),
        ("random", None) => Ok(OpponentName::Random),
        ("slips", None) => Ok(OpponentName::Slips(4)),
        ("slips", Some(number)) => match number.parse() {
            Ok(number) if number > 0 => Ok(OpponentName::Slips(number)),
            _ => Err(wrong()),
        },
        _ => Err(wrong()),
    }
}

/// `1000` or `all`.
pub fn amount(text: &str) -> Result<Amount, String> {
    match text.trim() {
        "all" => Ok(Amount::All),
        number => number.parse().map(Amount::Some).map_err(|_| "expected a number of positions, or `all`".to_string()),
    }
}

/// A whole number.
pub fn number(text: &str) -> Result<u64, String> {
    let text = text.trim();
    text.parse().map_err(|_| match text.parse::<u128>() {
        Ok(_) => format!("the largest number is {}", u64::MAX),
        Err(_) => "expected a whole number, such as 4".to_string(),
    })
}

/// A whole number that is not 0.
pub fn some(text: &str) -> Result<usize, String> {
    match number(text)? {
        0 => Err("expected a number of at least 1".to_string()),
        number => usize::try_from(number).map_err(|_| "that is more than can be counted".to_string()),
    }
}

/// A number of threads.
pub fn threads(text: &str) -> Result<u32, String> {
    match number(text)? {
        number @ 1..=1024 => Ok(number as u32),
        _ => Err("expected a number from 1 to 1024".to_string()),
    }
}

/// How many moves ahead.
pub fn depth(text: &str) -> Result<u32, String> {
    match number(text)? {
        number @ 0..=500 => Ok(number as u32),
        _ => Err("expected a number of moves, from 0 to 500".to_string()),
    }
}

/// `8G`, `1.5G`, `500M`, `64K`, `1000000`; powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let wrong = || "expected a number such as 500M or 8G".to_string();
    let (whole, rest) = text[..digits].split_once('.').unwrap_or((&text[..digits], ""));
    let number: u64 = whole.parse().map_err(|_| wrong())?;
    let unit = text[digits..].trim().to_ascii_uppercase();
    let shift = match unit.trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(format!("unknown unit `{unit}`; write K, M, G or T")),
    };
    // What stands behind the point is less than the unit.
    let part = if rest.is_empty() { 0.0 } else { format!("0.{rest}").parse::<f64>().map_err(|_| wrong())? };
    let part = (part * (1u64 << shift) as f64) as u64;
    let whole = number.checked_mul(1 << shift).and_then(|whole| whole.checked_add(part));
    whole.ok_or_else(|| "that is more memory than can be counted".to_string())
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
    system_memory("MemAvailable:")
}

/// What the machine has, or the container in which this runs, where the system says so.
pub fn machine_memory() -> Option<u64> {
    let machine = system_memory("MemTotal:")?;
    let container = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    Some(container.and_then(|text| text.trim().parse().ok()).map_or(machine, |most: u64| most.min(machine)))
}

fn system_memory(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_are_read() {
        assert_eq!(opponent("slips:3"), Ok(OpponentName::Slips(3)));
        assert_eq!(opponent("greedy"), Ok(OpponentName::Greedy));
        assert!(opponent("slips:0").is_err() && opponent("weak").is_err() && opponent("random:2").is_err());
    }

    #[test]
    fn sizes_and_times_are_read() {
        assert_eq!(bytes("8G"), Ok(8 << 30));
        assert_eq!(bytes("500MiB"), Ok(500 << 20));
        assert_eq!(bytes("12"), Ok(12));
        assert_eq!(bytes("1.5G"), Ok(3 << 29));
        assert!(bytes("1.5.2G").is_err() && bytes(".5G").is_err() && bytes("1.G").is_ok());
        assert_eq!((threads("2"), number("7"), some("1")), (Ok(2), Ok(7), Ok(1)));
        assert!(threads("0").is_err() && threads("abc").is_err() && number("-1").is_err() && some("0").is_err());
        assert!(bytes("8X").is_err() && bytes("").is_err() && bytes("99999999999T").is_err());
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(duration("1y").is_err() && duration("-3s").is_err());
    }
}
