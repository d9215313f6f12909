//! From characters to tokens. The lexer never fails: it reports what is not a token and reads on.

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::token::{Keyword, Sign, Token, TokenKind};

/// What the lexer made of a text.
pub struct Lexed {
    /// The tokens, ending with [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// What could not be read.
    pub diagnostics: Vec<Diagnostic>,
    /// Where something was dropped. Complaints of the parser about the rest of that line only follow from it.
    pub dropped: Vec<usize>,
}

/// The digits of the least number. Without its minus sign, it is one more than the largest number.
const SMALLEST: &str = "9223372036854775808";

/// The tokens of `source[range]`.
pub fn lex(source: &str, range: std::ops::Range<usize>) -> Lexed {
    let lexed = Lexed { tokens: Vec::new(), diagnostics: Vec::new(), dropped: Vec::new() };
    let mut lexer = Lexer { source, at: range.start, end: range.end, lexed };
    lexer.run();
    lexer.lexed
}

/// A sign of another language or of typeset mathematics, how to write it here, and the token it is read as.
type Foreign = (&'static str, &'static str, Option<TokenKind>);

const fn sign(sign: Sign) -> Option<TokenKind> {
    Some(TokenKind::Sign(sign))
}

const fn keyword(keyword: Keyword) -> Option<TokenKind> {
    Some(TokenKind::Keyword(keyword))
}

/// Foreign signs that start like one of ours, so they are looked for first.
const FOREIGN: &[Foreign] = &[
    ("===", "write `==`", sign(Sign::Equal)),
    ("!==", "write `!=`", sign(Sign::NotEqual)),
    ("=<", "write `<=`", sign(Sign::LessEqual)),
    ("<>", "write `!=`", sign(Sign::NotEqual)),
    (":=", "write `=`", sign(Sign::Assign)),
    ("*=", "write it out, as in `x = x * 2;`", sign(Sign::Assign)),
    ("/=", "write it out, as in `x = x / 2;`; unequal is `!=`", sign(Sign::Assign)),
    ("%=", "write it out, as in `x = x % 2;`", sign(Sign::Assign)),
    ("**", "write `pow(a, b)`", sign(Sign::Star)),
    ("++", "to count up, write `x += 1;`", None),
];

/// Foreign signs that start unlike ours.
const STRANGE: &[Foreign] = &[
    ("&&", "write `and`", keyword(Keyword::And)),
    ("||", "write `or`", keyword(Keyword::Or)),
    ("!", "write `not`", keyword(Keyword::Not)),
    ("&", "write `and`, or `bit_and(a, b)` for bits", keyword(Keyword::And)),
    ("|", "write `or`, or `bit_or(a, b)` for bits", keyword(Keyword::Or)),
    ("^", "write `pow(a, b)` for powers and `xor(a, b)` for bits", sign(Sign::Star)),
    ("?", "write `if c then a else b`", None),
    ("#", "comments start with `//`", None),
    (".", "there are no fields or methods: write `len(list)`, not `list.len()`", None),
    ("≤", "write `<=`", sign(Sign::LessEqual)),
    ("≥", "write `>=`", sign(Sign::GreaterEqual)),
    ("≠", "write `!=`", sign(Sign::NotEqual)),
    ("⇒", "write `=>`", sign(Sign::Arrow)),
    ("→", "write `->` for the type of a function, `=>` for a result", sign(Sign::ResultArrow)),
    ("−", "write the minus of the keyboard, `-`", sign(Sign::Minus)),
    ("–", "write the minus of the keyboard, `-`", sign(Sign::Minus)),
    ("×", "write `*`", sign(Sign::Star)),
    ("·", "write `*`", sign(Sign::Star)),
    ("÷", "write `/`", sign(Sign::Slash)),
    ("∈", "write `in`", keyword(Keyword::In)),
    ("∧", "write `and`", keyword(Keyword::And)),
    ("∨", "write `or`", keyword(Keyword::Or)),
    ("¬", "write `not`", keyword(Keyword::Not)),
    ("…", "write `..`", sign(Sign::Range)),
    ("“", "write the straight quote of the keyboard, `\"`", None),
    ("”", "write the straight quote of the keyboard, `\"`", None),
    ("‘", "write the straight quote of the keyboard, `'`", None),
    ("’", "write the straight quote of the keyboard, `'`", None),
];

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    end: usize,
    lexed: Lexed,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..self.end]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, start: usize, kind: TokenKind) {
        self.lexed.tokens.push(Token { kind, span: Span::new(start, self.at) });
    }

    fn complain(&mut self, start: usize, title: impl Into<String>, label: &str, help: &str) {
        let diagnostic = Diagnostic::at(Span::new(start, self.at), title, label).help(help);
        self.lexed.diagnostics.push(diagnostic);
    }

    fn run(&mut self) {
        while let Some(c) = self.peek() {
            let start = self.at;
            if c.is_whitespace() || c == '\u{feff}' {
                self.at += c.len_utf8();
            } else if self.rest().starts_with("//") {
                self.comment(start);
            } else if self.rest().starts_with("/*") {
                self.block_comment(start);
            } else if let Some(foreign) = FOREIGN.iter().find(|(text, _, _)| self.rest().starts_with(text)) {
                self.foreign(start, foreign);
            } else if c.is_alphabetic() || c == '_' {
                self.word(start);
            } else if c.is_ascii_digit() {
                self.number(start);
            } else if c == '"' {
                self.text(start);
            } else if c == '\'' {
                self.character(start);
            } else if let Some(&(sign, text)) = Sign::ALL.iter().find(|(_, text)| self.rest().starts_with(text)) {
                self.at += text.len();
                self.push(start, TokenKind::Sign(sign));
            } else {
                self.stranger(start, c);
            }
        }
        let end = self.end;
        self.lexed.tokens.push(Token { kind: TokenKind::End, span: Span::new(end, end) });
    }

    fn comment(&mut self, start: usize) {
        let line = self.rest().split('\n').next().unwrap_or_default();
        let doc = line.strip_prefix("///").filter(|text| !text.starts_with('/'));
        let doc = doc.map(|text| text.trim_end().strip_prefix(' ').unwrap_or(text.trim_end()).to_string());
        self.at += line.len();
        if let Some(text) = doc {
            self.push(start, TokenKind::Doc(text));
        }
    }

    /// `/* … */` of other languages: skipped whole.
    fn block_comment(&mut self, start: usize) {
        self.at += 2;
        let place = self.at;
        self.at += self.rest().find("*/").map_or(self.rest().len(), |length| length + 2);
        let span = Span::new(start, place);
        let title = "`/*` is not part of the language";
        let help = "comments start with `//` and end with the line";
        self.lexed.diagnostics.push(Diagnostic::at(span, title, "not known here").help(help));
    }

    fn word(&mut self, start: usize) {
        let length = self.rest().find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.end - self.at);
        self.at += length;
        let word = &self.source[start..self.at];
        let keyword = Keyword::ALL.iter().find(|(_, text)| *text == word);
        let kind = match keyword {
            Some(&(keyword, _)) => TokenKind::Keyword(keyword),
            None => TokenKind::Word(word.to_string()),
        };
        self.push(start, kind);
    }

    fn number(&mut self, start: usize) {
        let length = self.rest().find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.end - self.at);
        self.at += length;
        let text: String = self.source[start..self.at].chars().filter(|c| *c != '_').collect();
        let value = if !text.bytes().all(|b| b.is_ascii_digit()) {
            self.complain(
                start,
                "a number runs into a name",
                "neither a number nor a name",
                "write whole numbers with digits only, and a large power as `pow(10, 18)`; names start with a letter",
            );
            0
        } else if let Ok(value) = text.parse() {
            value
        } else if text.trim_start_matches('0') == SMALLEST {
            // It fits only with a minus sign before it; the parser checks that.
            i64::MIN
        } else {
            self.complain(
                start,
                "overflow: this number does not fit",
                "too large",
                "numbers reach 9223372036854775807",
            );
            0
        };
        self.push(start, TokenKind::Int(value));
        if self.rest().starts_with('.') && !self.rest().starts_with("..") {
            self.at += 1;
            let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
            self.at += digits;
            self.complain(
                start,
                "numbers are whole",
                "a fraction",
                "multiply everything so that whole numbers suffice",
            );
        }
    }

    /// Reads up to the closing quote on the same line and resolves escapes.
    fn quoted(&mut self, start: usize, quote: char) -> Option<String> {
        self.at += quote.len_utf8();
        let mut text = String::new();
        while let Some(c) = self.peek() {
            if c == '\n' {
                break;
            }
            let at = self.at;
            self.at += c.len_utf8();
            if c == quote {
                return Some(text);
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            let escape = self.peek().filter(|c| *c != '\n');
            self.at += escape.map_or(0, char::len_utf8);
            match escape {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(c @ ('"' | '\'' | '\\')) => text.push(c),
                None => {}
                _ => self.complain(at, "unknown escape", "not an escape", r#"the escapes are \n \t \" \' \\"#),
            }
        }
        // The sign that closes the statement was hardly meant as text.
        let line = &self.source[start + quote.len_utf8()..self.at];
        let kept = line.trim_end_matches(|c: char| c.is_whitespace() || ";,)]}".contains(c)).len();
        self.at = start + quote.len_utf8() + kept;
        let help = format!("close it with {quote} on the same line");
        self.complain(start, "a quote is not closed", "opened here", &help);
        self.lexed.dropped.push(start);
        None
    }

    fn text(&mut self, start: usize) {
        let text = self.quoted(start, '"').unwrap_or_default();
        self.push(start, TokenKind::Text(text));
    }

    fn character(&mut self, start: usize) {
        let text = self.quoted(start, '\'');
        let code = match text.as_deref().map(|t| (t.chars().next(), t.chars().count())) {
            Some((Some(c), 1)) => i64::from(u32::from(c)),
            Some(_) => {
                self.complain(start, "a character is one letter or sign", "not one", "write a longer text as \"text\"");
                0
            }
            None => 0,
        };
        self.push(start, TokenKind::Char(code));
    }

    /// Reports a character that starts no token.
    fn stranger(&mut self, start: usize, c: char) {
        if "“”„‘’".contains(c) && self.typeset_quotes(start, c) {
            return;
        }
        if let Some(foreign) = STRANGE.iter().find(|(text, _, _)| self.rest().starts_with(text)) {
            return self.foreign(start, foreign);
        }
        self.at += c.len_utf8();
        let title = format!("`{}` is not part of the language", c.escape_debug());
        self.complain(start, title, "not known here", "remove it");
        self.lexed.dropped.push(start);
    }

    /// `“text”` and `‘x’`, as word processors write quotes; false if nothing closes them on the line.
    fn typeset_quotes(&mut self, start: usize, open: char) -> bool {
        let line = self.rest().split('\n').next().unwrap_or_default();
        let inside = &line[open.len_utf8()..];
        let single = "‘’".contains(open);
        let closes: &[char] = if single { &['‘', '’', '\''] } else { &['“', '”', '"'] };
        let Some(length) = inside.find(closes) else {
            return false;
        };
        let text = inside[..length].to_string();
        let close = inside[length..].chars().next().map_or(0, char::len_utf8);
        self.at += open.len_utf8() + length + close;
        let quote = if single { "'" } else { "\"" };
        let help = format!("write `{quote}`, as the keyboard has it, on both sides");
        self.complain(start, "typeset quotes are not part of the language", "not known here", &help);
        let code = text.chars().next().map_or(0, |c| i64::from(u32::from(c)));
        self.push(start, if single { TokenKind::Char(code) } else { TokenKind::Text(text) });
        true
    }

    /// Reads a sign of another language as what was meant, and reports how to write it here.
    fn foreign(&mut self, start: usize, foreign: &Foreign) {
        let (text, help, meant) = foreign;
        self.at += text.len();
        self.complain(start, format!("`{text}` is not part of the language"), "not known here", help);
        if *text == "#" {
            let line = self.rest().split('\n').next().unwrap_or_default().len();
            self.at += line;
        }
        match meant {
            Some(kind) => self.push(start, kind.clone()),
            None => self.lexed.dropped.push(start),
        }
    }
}
