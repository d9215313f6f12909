//! Codes of games: `0.77`, `.16`, `4.(3)`.
//!
//! The digit before the point is for taking nothing, the first after it for taking one token, and so on. Each is a
//! hexadecimal digit whose bits say how many heaps may be left (see [`Digit`]). `0.` may be omitted, and with it the
//! point: `16` is `0.16`. Texts write Nim as 0.333…; dots cannot say which group repeats, so here it is `0.(3)`: the
//! group in brackets goes on for ever.

use std::fmt;
use std::str::FromStr;

use super::game::{Digit, GameError, MOST_DIGITS, Split, TakeAndBreak};

/// Why a text is not a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeError {
    /// The byte of the text where it goes wrong.
    pub at: usize,
    /// What is wrong, and what to write.
    pub message: String,
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: {}", self.at + 1, self.message)
    }
}

impl std::error::Error for CodeError {}

fn code_error<T>(at: usize, message: impl Into<String>) -> Result<T, CodeError> {
    Err(CodeError { at, message: message.into() })
}

impl FromStr for TakeAndBreak {
    type Err = CodeError;

    /// ```
    /// use heaps::take_break::TakeAndBreak;
    /// let game: TakeAndBreak = ".007".parse().unwrap();
    /// assert_eq!(game.to_string(), "0.007");
    /// let error = "0.19x".parse::<TakeAndBreak>().unwrap_err();
    /// assert_eq!(error.at, 4);
    /// ```
    fn from_str(text: &str) -> Result<TakeAndBreak, CodeError> {
        let (mut digits, rest) = match text.find('.') {
            None => (vec![Digit::ZERO], 0),
            Some(point) => (before_point(&text[..point])?, point + 1),
        };
        let mut repeat = Vec::new();
        let mut open = None;
        let mut closed = false;
        for (i, letter) in text[rest..].char_indices() {
            let at = rest + i;
            let group = open.is_some();
            match letter {
                _ if closed => return code_error(at, "nothing follows the group that repeats for ever"),
                '(' if group => return code_error(at, "only one group repeats, and it stands last, as in `0.1(23)`"),
                '(' => open = Some(at),
                ')' if !group => return code_error(at, "this bracket was not opened; a group that repeats is `(3)`"),
                ')' if repeat.is_empty() => {
                    return code_error(at, "the group that repeats is empty; write `(3)`, or leave it out");
                }
                ')' => closed = true,
                '.' | '…' => return code_error(at, "a code has one point; for digits that repeat write `0.(3)`"),
                _ => match letter.to_digit(16) {
                    Some(bits) => (if group { &mut repeat } else { &mut digits }).push(digit(bits)),
                    None => return code_error(at, format!("`{letter}` is no digit; digits are 0 to 7, or 0 to f")),
                },
            }
            if digits.len().max(repeat.len()) > MOST_DIGITS {
                return code_error(at, format!("too many digits, {MOST_DIGITS} is the limit"));
            }
        }
        if let Some(at) = open.filter(|_| !closed) {
            return code_error(at, "the bracket is not closed; write `)` at the end");
        }
        if digits.len() == 1 && repeat.is_empty() && digits[0] == Digit::ZERO && !text.contains('0') {
            return code_error(text.len(), "a code needs a digit, as in `0.77`");
        }
        TakeAndBreak::new(digits, repeat, Split::ANY).map_err(|error| CodeError { at: 0, message: error.to_string() })
    }
}

fn digit(bits: u32) -> Digit {
    Digit::new(bits as u8).unwrap_or_default()
}

/// The digit for taking nothing.
fn before_point(text: &str) -> Result<Vec<Digit>, CodeError> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (None, _) => Ok(vec![Digit::ZERO]),
        (Some(letter), None) => match letter.to_digit(16) {
            Some(bits) if bits % 4 == 0 => Ok(vec![digit(bits)]),
            Some(_) => code_error(0, GameError::Pass.to_string()),
            None => code_error(0, format!("`{letter}` is no digit; before the point stands 0, 4, 8 or c")),
        },
        (Some(_), Some(_)) => code_error(1, "one digit stands before the point, the one for taking nothing"),
    }
}

impl fmt::Display for TakeAndBreak {
    /// The code. A condition on the parts is not shown, since codes have none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}.", self.digits()[0].bits())?;
        self.digits()[1..].iter().try_for_each(|digit| write!(f, "{:x}", digit.bits()))?;
        match (self.digits().len(), self.repeat()) {
            (1, []) => write!(f, "0"),
            (_, []) => Ok(()),
            (_, group) => {
                write!(f, "(")?;
                group.iter().try_for_each(|digit| write!(f, "{:x}", digit.bits()))?;
                write!(f, ")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_and_shown() {
        let check = |text: &str, shown: &str| assert_eq!(text.parse::<TakeAndBreak>().unwrap().to_string(), shown);
        check("0.16", "0.16");
        check(".16", "0.16");
        check("16", "0.16");
        check("4.0", "4.0");
        check("4.", "4.0");
        check("0", "0.0");
        check("0.0070", "0.007");
        check("C.8F", "c.8f");
        check("0.(3)", "0.(3)");
        check("0.333(33)", "0.(3)");
        check("4.(3)", "4.(3)");
        check("(3)", "0.(3)");
        check("0.1(25)", "0.1(25)");
    }

    #[test]
    fn mistakes_have_a_place_and_a_hint() {
        let check = |text: &str, at: usize, part: &str| {
            let error = text.parse::<TakeAndBreak>().unwrap_err();
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.to_string().contains(part), "{text}: {error}");
        };
        check("", 0, "as in `0.77`");
        check(".", 1, "as in `0.77`");
        check("0.1g", 3, "`g` is no digit");
        check("0.333...", 5, "`0.(3)`");
        check("0.33…", 4, "`0.(3)`");
        check("3.1", 0, "0, 4, 8 or c");
        check("é.1", 0, "no digit");
        check("12.3", 1, "one digit");
        check("0.1(2", 3, "not closed");
        check("0.1)", 3, "not opened");
        check("0.1()", 4, "empty");
        check("0.1(2)3", 6, "nothing follows");
        check("0.1(2(3))", 5, "only one group");
        check(&"1".repeat(5000), 4095, "limit");
    }
}
