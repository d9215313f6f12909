//! The range that a parameter runs through: `0..100`, `1..=10^6`, `[0..200]`.

use std::fmt;

use perfectplay::language::{Given, ValueError, parse_given};
use perfectplay::sequence::MOST_TERMS;

use crate::failure::Failure;
use crate::load;
use crate::output::count;

const SHAPE: &str = "a range is written 0..100, without its end, or 0..=100, with it";

/// A range of whole numbers that has at least one, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub from: i64,
    pub to: i64,
    /// Whether it was written with its last number: `0..=100`.
    pub included: bool,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.included {
            true => write!(f, "{}..={}", self.from, self.to.saturating_sub(1)),
            false => write!(f, "{}..{}", self.from, self.to),
        }
    }
}

/// What `1-5`, `1:5` or `1..5` with other signs between may be meant as.
pub fn mended(value: &str) -> Option<String> {
    let (low, high) = value.trim().split_once([':', '-', '–', '…'])?;
    let number = |text: &str| matches!(parse_given(text.trim()), Ok(Given::Int(_)));
    (number(low) && number(high)).then(|| format!("{}..={}", low.trim(), high.trim()))
}

/// Whether a value of the command line is meant as a range; files and quoted texts may have dots too.
pub fn is_range(value: &str) -> bool {
    value.contains("..") && !value.starts_with(['@', '"'])
}

impl Range {
    /// Reads the range of the parameter `origin`.
    pub fn read(origin: &str, text: &str) -> Result<Range, Failure> {
        let wrong = |at: usize, message: String| {
            let intro = format!("the range of {origin} cannot be read");
            Err(load::pointed(&intro, text, &ValueError { message, at }, SHAPE))
        };
        let (start, inner) = match text.strip_prefix('[') {
            None => (0, text),
            Some(rest) => match rest.strip_suffix(']') {
                Some(inner) => (1, inner),
                None => return wrong(text.len(), "the bracket is not closed".to_string()),
            },
        };
        let Some(dots) = inner.find("..") else { return wrong(0, "there is no `..`".to_string()) };
        let (low, rest) = (&inner[..dots], &inner[dots + 2..]);
        let (high, included) = match rest.strip_prefix('=') {
            Some(high) => (high, true),
            None => (rest, false),
        };
        let high_at = start + inner.len() - high.len();
        let bound = |text: &str, at: usize, which: &str| {
            if text.trim().is_empty() {
                return wrong(at, format!("the range has no {which}")).map(|_: Range| 0);
            }
            match parse_given(text) {
                Ok(Given::Int(number)) => Ok(number),
                Ok(_) => wrong(at, "expected a whole number".to_string()).map(|_: Range| 0),
                Err(error) => wrong(at + error.at, error.message).map(|_: Range| 0),
            }
        };
        let (from, last) = (bound(low, start, "start")?, bound(high, high_at, "end")?);
        Range::checked(origin, text, from, last, included)
    }

    fn checked(origin: &str, text: &str, from: i64, last: i64, included: bool) -> Result<Range, Failure> {
        let fail = |message: String, help: String| Err(Failure::usage_help(message, help));
        if last < from {
            let dots = if included { "..=" } else { ".." };
            let help = format!("write {origin}={last}{dots}{from}");
            return fail(format!("the range {origin}={text} runs backwards"), help);
        }
        if last == from && !included {
            let help = format!("the end of `..` is left out; write {origin}={from}..={last} for one term");
            return fail(format!("the range {origin}={text} is empty"), help);
        }
        let terms = last.abs_diff(from).saturating_add(u64::from(included));
        if terms > MOST_TERMS {
            let message = format!("the range {origin}={text} has too many terms: {}", count(terms));
            return fail(message, format!("at most {} are listed", count(MOST_TERMS)));
        }
        match last.checked_add(i64::from(included)) {
            Some(to) => Ok(Range { from, to, included }),
            None => fail(format!("the range {origin}={text} ends too high"), format!("write {origin}={from}..{last}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(i64, i64)> {
        Range::read("n", text).ok().map(|range| (range.from, range.to))
    }

    #[test]
    fn ranges_are_read() {
        assert_eq!(read("0..100"), Some((0, 100)));
        assert_eq!(read("0..=100"), Some((0, 101)));
        assert_eq!(read("-5..5"), Some((-5, 5)));
        assert_eq!(read("0..10^6"), Some((0, 1_000_000)));
        assert_eq!(read("1e3..=1e6"), Some((1000, 1_000_001)));
        assert_eq!(read("[0..200]"), Some((0, 200)));
        assert_eq!(read("7..=7"), Some((7, 8)));
        assert_eq!(read("10^18..1000000000000000005"), Some((10i64.pow(18), 10i64.pow(18) + 5)));
    }

    #[test]
    fn ranges_are_shown_as_they_were_written() {
        for text in ["0..100", "0..=30", "7..=7"] {
            assert_eq!(Range::read("n", text).ok().map(|range| range.to_string()).as_deref(), Some(text));
        }
        assert_eq!((mended("1-5").as_deref(), mended("1:5").as_deref()), (Some("1..=5"), Some("1..=5")));
        assert_eq!((mended("0.77"), mended("-5"), mended("a-b")), (None, None, None));
    }

    #[test]
    fn mistakes_are_seen() {
        let wrong = [
            "5..5",
            "9..3",
            "..5",
            "5..",
            "0..x",
            "x..5",
            "0..1..2",
            "[0..5",
            "0..5]",
            "0..[5]",
            "..",
            "0..=",
            "0..9e18",
            "9223372036854775807..=9223372036854775807",
            "0...5",
            "0..1.5",
            "é..5",
            "0..é",
        ];
        for text in wrong {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
