//! Command lines to be pasted: a message that says what to type says it whole, quoted for the shell.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::args::GameArgs;

/// The words of the command line as they were understood, without the program's name.
static WORDS: OnceLock<Vec<String>> = OnceLock::new();

/// Keeps the words of the command line for messages.
pub fn remember(words: &[String]) {
    let _ = WORDS.set(words.to_vec()); // There is one command line.
}

/// Whether this is the command that was given.
pub fn is_command(name: &str) -> bool {
    WORDS.get().and_then(|words| words.first()).is_some_and(|word| word == name)
}

/// Whether questions come as lines of JSON and not as options.
static LINES: AtomicBool = AtomicBool::new(false);

/// From now on options are told as keys of a line.
pub fn in_lines() {
    LINES.store(true, Ordering::Relaxed);
}

/// The command as it was given, with other words for the instance.
pub fn with_words(args: &GameArgs, instance: &[String]) -> String {
    let mut words = Vec::new();
    let mut left: Vec<&String> = args.words.iter().collect();
    let mut placed = false;
    for word in WORDS.get().map_or(&[][..], |words| words) {
        if let Some(at) = left.iter().position(|known| *known == word) {
            left.remove(at);
        } else if word == &args.game && !placed {
            placed = true;
            words.push(word.clone());
            words.extend_from_slice(instance);
        } else {
            words.push(word.clone());
        }
    }
    command(&words)
}

/// ` Type: ` and the command as it was given, with another word in the place of one; nothing where that is none of its words.
pub fn type_instead(word: &str, other: &str) -> String {
    let words = WORDS.get().filter(|words| words.iter().any(|known| known == word));
    let replaced = |known: &String| if known == word { other.to_string() } else { known.clone() };
    let words: Option<Vec<String>> = words.map(|words| words.iter().map(replaced).collect());
    words.map_or(String::new(), |words| format!(" Type: {}", command(&words)))
}

/// The command as it was given, with another value for an option; in a line of JSON, the key with that value.
pub fn with_option(option: &str, value: &str) -> String {
    if LINES.load(Ordering::Relaxed) {
        return format!("{:?}: {value:?}", option.trim_start_matches('-'));
    }
    let mut words: Vec<String> = Vec::new();
    let mut known = WORDS.get().map_or(&[][..], |words| words).iter();
    let mut given = false;
    while let Some(word) = known.next() {
        if word == option {
            known.next();
            given = true;
            words.extend([word.clone(), value.to_string()]);
        } else if word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')) {
            given = true;
            words.extend([option.to_string(), value.to_string()]);
        } else {
            words.push(word.clone());
        }
    }
    if !given {
        words.extend([option.to_string(), value.to_string()]);
    }
    command(&words)
}

/// A command with these words.
pub fn command(words: &[String]) -> String {
    let mut text = "perfectplay".to_string();
    for word in words {
        text.push(' ');
        text.push_str(&quoted(word));
    }
    text
}

/// A word as a shell reads it back.
pub fn quoted(word: &str) -> String {
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '=' | ',' | ':' | '@' | '%' | '^' | '+');
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        assert_eq!(quoted("n=10^18"), "n=10^18");
        assert_eq!(quoted("piles=[3,4,5]"), "'piles=[3,4,5]'");
        assert_eq!(quoted("take(2), it's"), r"'take(2), it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
