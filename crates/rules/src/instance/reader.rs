//! Reads the texts of values, byte by byte.

use super::{Given, Instance, ValueError};

/// How deep lists may be nested.
const DEPTH_LIMIT: usize = 64;

pub(super) struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Reader<'t> {
        Reader { text, bytes: text.as_bytes(), at: 0 }
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, ValueError> {
        Err(ValueError { message: message.into(), at: self.at })
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// The text at this place, for messages.
    fn found(&self) -> String {
        match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) => format!("`{c}`"),
            None => "the end".to_string(),
        }
    }

    pub(super) fn finish(&mut self) -> Result<(), ValueError> {
        self.space();
        match self.peek() {
            None => Ok(()),
            Some(_) => self.error(format!("expected nothing more after the value, found {}", self.found())),
        }
    }

    pub(super) fn value(&mut self, depth: usize) -> Result<Given, ValueError> {
        self.space();
        match self.peek() {
            Some(b'[') => self.list(depth),
            Some(b'"') => Ok(Given::Text(self.string()?)),
            Some(b'-' | b'+' | b'.' | b'0'..=b'9') => Ok(Given::Int(self.number()?)),
            Some(b'{') => self.error("expected a number, `true`, `false`, a \"text\" or a [list]; an object names parameters and cannot be a value"),
            Some(byte) if byte.is_ascii_alphabetic() => self.word(),
            Some(b'\'') => self.error("a text is written in double quotes: \"text\""),
            _ => self.error(format!("expected a number, `true`, `false`, a \"text\" or a [list], found {}", self.found())),
        }
    }

    fn word(&mut self) -> Result<Given, ValueError> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let word = &self.text[self.at..self.at + length];
        let value = match word {
            "true" => Given::Bool(true),
            "false" => Given::Bool(false),
            _ => return self.error(format!("`{word}` is no value; a text is written in quotes: \"{word}\"")),
        };
        self.at += length;
        Ok(value)
    }

    /// A list, read as numbers until something else turns up in it.
    fn list(&mut self, depth: usize) -> Result<Given, ValueError> {
        if depth >= DEPTH_LIMIT {
            return self.error(format!("lists are nested more than {DEPTH_LIMIT} deep"));
        }
        self.at += 1;
        self.space();
        if self.eat(b']') {
            return Ok(Given::Ints(Vec::new()));
        }
        let mut ints = Vec::new();
        loop {
            self.space();
            match self.peek() {
                Some(b'-' | b'0'..=b'9') => ints.push(self.number()?),
                _ => return self.mixed_list(ints, depth),
            }
            if self.list_ends()? {
                return Ok(Given::Ints(ints));
            }
        }
    }

    fn mixed_list(&mut self, ints: Vec<i64>, depth: usize) -> Result<Given, ValueError> {
        let mut items: Vec<Given> = ints.into_iter().map(Given::Int).collect();
        loop {
            items.push(self.value(depth + 1)?);
            if self.list_ends()? {
                let all_ints = items.iter().all(|item| matches!(item, Given::Int(_)));
                debug_assert!(!items.is_empty());
                return Ok(if all_ints {
                    Given::Ints(items.iter().map(|item| if let Given::Int(n) = item { *n } else { 0 }).collect())
                } else {
                    Given::List(items)
                });
            }
        }
    }

    /// After an item: `true` at `]`, `false` at `,`.
    fn list_ends(&mut self) -> Result<bool, ValueError> {
        self.space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            Some(b']') => {
                self.at += 1;
                Ok(true)
            }
            _ => self.error(format!("expected `,` or `]` in the list, found {}", self.found())),
        }
    }

    fn number(&mut self) -> Result<i64, ValueError> {
        let start = self.at;
        let negative = self.bytes[self.at] == b'-';
        let mut at = start + usize::from(negative);
        let digits = at;
        let mut magnitude = 0u64;
        // Eighteen digits cannot overflow, so the loop for ordinary numbers checks nothing.
        while at < self.bytes.len() && at - digits < 18 && self.bytes[at].is_ascii_digit() {
            magnitude = magnitude * 10 + u64::from(self.bytes[at] - b'0');
            at += 1;
        }
        let plain = at > digits
            && !matches!(
                self.bytes.get(at),
                Some(b'0'..=b'9' | b'.' | b'e' | b'E' | b'^' | b'_' | b'a'..=b'd' | b'f'..=b'z')
            );
        if plain {
            self.at = at;
            let number = magnitude.cast_signed(); // Below 10^18.
            return Ok(if negative { -number } else { number });
        }
        self.long_number()
    }

    /// Any number, by exact decimal arithmetic on its digits.
    fn long_number(&mut self) -> Result<i64, ValueError> {
        let start = self.at;
        let negative = self.eat(b'-');
        if !negative {
            self.eat(b'+');
        }
        let mut digits = Vec::new();
        self.digits(&mut digits)?;
        let whole = digits.len();
        if self.eat(b'.') {
            self.digits(&mut digits)?;
        }
        let fraction = digits.len() - whole;
        if digits.is_empty() {
            return self.error(format!("expected a number, found {}", self.found()));
        }
        let magnitude = if fraction == 0 && self.peek() == Some(b'^') {
            self.at += 1;
            let mut exponent = Vec::new();
            self.digits(&mut exponent)?;
            if exponent.is_empty() {
                return self.error(format!("expected a whole exponent after `^`, found {}", self.found()));
            }
            power(&digits, &exponent).map_err(|what| self.number_error(start, what))?
        } else {
            let exponent = self.exponent()?;
            let fraction = i64::try_from(fraction).unwrap_or(i64::MAX);
            decimal(&digits, exponent.saturating_sub(fraction)).map_err(|what| self.number_error(start, what))?
        };
        if self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'^' | b'_')) {
            return self.error(format!("expected the end of the number, found {}", self.found()));
        }
        let signed = if negative { -i128::from(magnitude) } else { i128::from(magnitude) };
        i64::try_from(signed).map_err(|_| self.number_error(start, NumberError::Overflow))
    }

    fn number_error(&self, start: usize, what: NumberError) -> ValueError {
        ValueError { message: what.message(&self.text[start..self.end_of_number()]), at: start }
    }

    fn end_of_number(&self) -> usize {
        let tail =
            self.bytes[self.at..].iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'^' | b'_'));
        self.at + tail.count()
    }

    /// Digits with `_` between them.
    fn digits(&mut self, into: &mut Vec<u8>) -> Result<(), ValueError> {
        let mut last_is_digit = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'0'..=b'9' => into.push(byte - b'0'),
                b'_' if last_is_digit && self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_digit) => {}
                b'_' => return self.error("`_` may stand only between two digits"),
                _ => break,
            }
            last_is_digit = byte != b'_';
            self.at += 1;
        }
        Ok(())
    }

    /// What follows `e`, or 0. Absurd exponents are clipped, which changes no answer.
    fn exponent(&mut self) -> Result<i64, ValueError> {
        if !matches!(self.peek(), Some(b'e' | b'E')) {
            return Ok(0);
        }
        self.at += 1;
        let negative = self.eat(b'-');
        if !negative {
            self.eat(b'+');
        }
        let mut digits = Vec::new();
        self.digits(&mut digits)?;
        if digits.is_empty() {
            return self.error(format!("expected the digits of the exponent, found {}", self.found()));
        }
        let size = digits.iter().fold(0i64, |n, &d| n.saturating_mul(10).saturating_add(i64::from(d))).min(1 << 40);
        Ok(if negative { -size } else { size })
    }

    fn string(&mut self) -> Result<String, ValueError> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let run = self.bytes[self.at..].iter().take_while(|b| !matches!(b, b'"' | b'\\' | 0..=0x1f)).count();
            out.push_str(&self.text[self.at..self.at + run]);
            self.at += run;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return self.error("a text may not contain control characters; write `\\n` for a new line"),
                None => {
                    self.at = start;
                    return self.error("this text has no closing quote");
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, ValueError> {
        self.at += 1;
        let simple = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'u') => return self.unicode(),
            _ => return self.error(format!("`\\` is followed by one of \" \\ / n t r b f u, not by {}", self.found())),
        };
        self.at += 1;
        Ok(simple)
    }

    /// `u` and four hexadecimal digits, or two of these as the halves of one character.
    fn unicode(&mut self) -> Result<char, ValueError> {
        let high = self.hex()?;
        let code = if (0xd800..0xdc00).contains(&high) && self.bytes[self.at..].starts_with(b"\\u") {
            self.at += 1;
            let low = self.hex()?;
            if !(0xdc00..0xe000).contains(&low) {
                return self.error("the second half of a `\\u` pair is missing");
            }
            0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
        } else {
            high
        };
        match char::from_u32(code) {
            Some(c) => Ok(c),
            None => self.error("this `\\u` is half a character; its other half is missing"),
        }
    }

    fn hex(&mut self) -> Result<u32, ValueError> {
        let code = self.text.get(self.at + 1..self.at + 5).filter(|t| t.bytes().all(|b| b.is_ascii_hexdigit()));
        match code.and_then(|t| u32::from_str_radix(t, 16).ok()) {
            Some(code) => {
                self.at += 5;
                Ok(code)
            }
            None => self.error("`\\u` needs four hexadecimal digits"),
        }
    }

    pub(super) fn object(&mut self) -> Result<Instance, ValueError> {
        self.space();
        if !self.eat(b'{') {
            return self.error(format!("expected an object {{\"name\": value, …}}, found {}", self.found()));
        }
        let mut entries: Vec<(String, Given)> = Vec::new();
        self.space();
        if self.eat(b'}') {
            return Ok(Instance(entries));
        }
        loop {
            self.space();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return self.error(format!("expected a name in quotes, found {}", self.found()));
            }
            let name = self.string()?;
            if entries.iter().any(|(other, _)| *other == name) {
                self.at = start;
                return self.error(format!("`{name}` is given twice"));
            }
            self.space();
            if !self.eat(b':') {
                return self.error(format!("expected `:` after the name, found {}", self.found()));
            }
            let value = self.value(0)?;
            entries.push((name, value));
            self.space();
            if self.eat(b'}') {
                return Ok(Instance(entries));
            }
            if !self.eat(b',') {
                return self.error(format!("expected `,` or `}}`, found {}", self.found()));
            }
        }
    }
}

/// Why digits do not make a 64-bit whole number.
enum NumberError {
    Overflow,
    Fraction,
}

impl NumberError {
    fn message(&self, number: &str) -> String {
        let number: String = if number.len() > 40 { format!("{}…", &number[..40]) } else { number.to_string() };
        match self {
            NumberError::Overflow => format!("overflow: {number} does not fit in 64 bits"),
            NumberError::Fraction => format!("{number} is a fraction; whole numbers are needed"),
        }
    }
}

/// `digits` × 10^`scale`.
fn decimal(digits: &[u8], mut scale: i64) -> Result<u64, NumberError> {
    let first = digits.iter().position(|&d| d != 0).unwrap_or(digits.len());
    let last = digits.iter().rposition(|&d| d != 0).map_or(0, |index| index + 1);
    if first >= last {
        return Ok(0);
    }
    scale = scale.saturating_add(i64::try_from(digits.len() - last).unwrap_or(i64::MAX));
    if scale < 0 {
        return Err(NumberError::Fraction);
    }
    let digits = &digits[first..last];
    if i64::try_from(digits.len()).unwrap_or(i64::MAX).saturating_add(scale) > 20 {
        return Err(NumberError::Overflow);
    }
    let zeros = std::iter::repeat_n(&0, usize::try_from(scale).unwrap_or(0));
    let number = digits.iter().chain(zeros).fold(0u128, |n, &d| n * 10 + u128::from(d)); // At most 20 digits.
    u64::try_from(number).map_err(|_| NumberError::Overflow)
}

/// `base` ^ `exponent`, both as digits.
fn power(base: &[u8], exponent: &[u8]) -> Result<u64, NumberError> {
    let exponent = decimal(exponent, 0).unwrap_or(u64::MAX);
    match decimal(base, 0)? {
        0 => Ok(u64::from(exponent == 0)),
        1 => Ok(1),
        base => u32::try_from(exponent).ok().and_then(|e| base.checked_pow(e)).ok_or(NumberError::Overflow),
    }
}
