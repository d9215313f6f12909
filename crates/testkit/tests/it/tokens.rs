//! Rust source as a list of tokens, as far as paths need them.
//!
//! Comments, strings, characters and lifetimes are left out, since they name no module. Numbers are words; nobody looks at
//! them. Tests are left out too: [`without_tests`] removes what stands under `#[cfg(test)]`.

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// An identifier, a keyword or a number.
    Word(String),
    /// `::`
    Colons,
    /// Any other sign.
    Sign(char),
}

impl Token {
    /// Whether this is that word.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self, Token::Word(own) if own == word)
    }

    /// The word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match self {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// The tokens of a source text.
pub fn tokens(source: &str) -> Vec<Token> {
    let signs: Vec<char> = source.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < signs.len() {
        let rest = &signs[at..];
        at += match rest {
            ['/', '/', ..] => rest.iter().position(|&sign| sign == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => comment(rest),
            ['"', ..] => string(rest),
            ['\'', ..] => character(rest),
            [':', ':', ..] => {
                found.push(Token::Colons);
                2
            }
            [sign, ..] if is_part(*sign) => word(rest, &mut found),
            [sign, ..] => {
                if !sign.is_whitespace() {
                    found.push(Token::Sign(*sign));
                }
                1
            }
            [] => unreachable!("there is a sign"),
        };
    }
    found
}

fn is_part(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// The length of a block comment. Block comments nest.
fn comment(rest: &[char]) -> usize {
    let (mut at, mut depth) = (2, 1);
    while depth > 0 && at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    at
}

/// The length of a string in quotes.
fn string(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// The length of a string without escapes, from its first `#` or quote.
fn raw_string(rest: &[char]) -> usize {
    let marks = rest.iter().take_while(|&&sign| sign == '#').count();
    let mut at = marks + 1;
    while at < rest.len() {
        if rest[at] == '"' && rest[at + 1..].iter().take_while(|&&sign| sign == '#').count() >= marks {
            return at + 1 + marks;
        }
        at += 1;
    }
    at
}

/// The length of a character or a lifetime.
fn character(rest: &[char]) -> usize {
    match rest {
        ['\'', '\\', ..] => {
            let end = rest[3..].iter().position(|&sign| sign == '\'').unwrap_or(rest.len());
            3 + end + 1
        }
        ['\'', _, '\'', ..] => 3,
        _ => 1 + rest[1..].iter().take_while(|&&sign| is_part(sign)).count(),
    }
}

/// The length of a word, or of the string or character that starts with it (`r"…"`, `b'…'`, `br#"…"#`).
fn word(rest: &[char], found: &mut Vec<Token>) -> usize {
    let length = rest.iter().take_while(|&&sign| is_part(sign)).count();
    let text: String = rest[..length].iter().collect();
    let next = &rest[length..];
    match (text.as_str(), next) {
        ("r" | "br" | "cr", ['"', ..]) | ("br" | "cr", ['#', ..]) | ("r", ['#', '"' | '#', ..]) => {
            length + raw_string(next)
        }
        ("b" | "c", ['"', ..]) => length + string(next),
        ("b", ['\'', ..]) => length + character(next),
        // A raw identifier is the word behind its mark.
        ("r", ['#', ..]) => length + 1,
        _ => {
            found.push(Token::Word(text));
            length
        }
    }
}

/// The place behind the bracket that closes the one at `open`.
pub fn behind(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The tokens without what stands under `#[cfg(test)]`.
pub fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let attribute = tokens[at] == Token::Sign('#') && tokens.get(at + 1) == Some(&Token::Sign('['));
        if attribute {
            let end = behind(tokens, at + 1);
            if is_test(&tokens[at + 2..end - 1]) {
                at = behind_item(tokens, end);
                continue;
            }
        }
        kept.push(tokens[at].clone());
        at += 1;
    }
    kept
}

/// Whether an attribute is `cfg(test)`, or asks for tests and for something else.
fn is_test(attribute: &[Token]) -> bool {
    let has = |word: &str| attribute.iter().any(|token| token.is_word(word));
    attribute.first().is_some_and(|token| token.is_word("cfg")) && has("test") && !has("not")
}

/// The place behind the item that starts here, after its other attributes.
fn behind_item(tokens: &[Token], mut at: usize) -> usize {
    while tokens.get(at) == Some(&Token::Sign('#')) {
        at = behind(tokens, at + 1);
    }
    // The braces of an import do not end it.
    let import = tokens[at..].iter().take(6).take_while(|token| **token != Token::Sign('{')).any(|t| t.is_word("use"));
    while at < tokens.len() {
        match tokens[at] {
            Token::Sign(';' | ',') => return at + 1,
            Token::Sign('{') if !import => return behind(tokens, at),
            Token::Sign('(' | '[' | '{') => at = behind(tokens, at),
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<String> {
        without_tests(&tokens(source)).iter().filter_map(|token| token.word().map(str::to_string)).collect()
    }

    #[test]
    fn comments_are_left_out() {
        assert_eq!(words("a // crate::b\nc /* d /* e */ f */ g /// h"), ["a", "c", "g"]);
    }

    #[test]
    fn strings_are_left_out() {
        assert_eq!(
            words(r###"a "b \" c" d r"e\" f r#"g " h"# i b"j" k br##"l"# m"## n c"o" p"###),
            ["a", "d", "f", "i", "k", "n", "p"]
        );
    }

    #[test]
    fn characters_and_lifetimes_are_left_out() {
        assert_eq!(
            words(r"a 'b' c '\'' d '\u{7f}' e b'f' g &'h i '{' j '\\' k"),
            ["a", "c", "d", "e", "g", "i", "j", "k"]
        );
    }

    #[test]
    fn raw_identifiers_are_words() {
        assert_eq!(words("r#type::x"), ["type", "x"]);
    }

    #[test]
    fn tests_are_left_out() {
        let source = "a #[cfg(test)] mod tests { b { c } } d #[cfg(test)] use e::{f, g}; h #[cfg(test)] #[inline] fn i() \
                      -> [u8; 3] { j } k #[cfg(all(test, unix))] mod l; m #[cfg(test)] pub(crate) use n; o";
        assert_eq!(words(source), ["a", "d", "h", "k", "m", "o"]);
    }

    #[test]
    fn other_conditions_stay() {
        assert_eq!(
            words("#[cfg(not(test))] mod a; #[cfg(unix)] mod b;").join(" "),
            "cfg not test mod a cfg unix mod b"
        );
    }
}
