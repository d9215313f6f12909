//! From characters to tokens. Never fails: what is not a token becomes a diagnostic and reading goes on.

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::token::{Keyword, Sign, Token, TokenKind};

/// The tokens of `source[range]`, closed by [`TokenKind::End`], with what could not be read.
pub fn lex(source: &str, range: std::ops::Range<usize>) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { source, at: range.start, end: range.end, tokens: Vec::new(), diagnostics: Vec::new() };
    lexer.run();
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    end: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..self.end]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, start: usize, kind: TokenKind) {
        self.tokens.push(Token { kind, span: Span::new(start, self.at) });
    }

    fn complain(&mut self, start: usize, title: impl Into<String>, label: &str, help: &str) {
        let diagnostic = Diagnostic::at(Span::new(start, self.at), title, label).help(help);
        self.diagnostics.push(diagnostic);
    }

    fn run(&mut self) {
        while let Some(c) = self.peek() {
            let start = self.at;
            if c.is_whitespace() || c == '\u{feff}' {
                self.at += c.len_utf8();
            } else if self.rest().starts_with("//") {
                self.comment(start);
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
        self.tokens.push(Token { kind: TokenKind::End, span: Span::new(end, end) });
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
            let escape = self.peek();
            self.at += escape.map_or(0, char::len_utf8);
            match escape {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(c @ ('"' | '\'' | '\\')) => text.push(c),
                _ => self.complain(at, "unknown escape", "not an escape", r#"the escapes are \n \t \" \' \\"#),
            }
        }
        self.complain(
            start,
            "a quote is not closed",
            "opened here",
            &format!("close it with {quote} on the same line"),
        );
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

    /// A sign of other languages is read as what was meant, with a word on how to write it here.
    fn stranger(&mut self, start: usize, c: char) {
        const MEANT: &[(&str, &str, Option<TokenKind>)] = &[
            ("&&", "write `and`", Some(TokenKind::Keyword(Keyword::And))),
            ("||", "write `or`", Some(TokenKind::Keyword(Keyword::Or))),
            ("!", "write `not`", Some(TokenKind::Keyword(Keyword::Not))),
            ("&", "write `and`, or `bit_and(a, b)` for bits", Some(TokenKind::Keyword(Keyword::And))),
            ("|", "write `or`, or `bit_or(a, b)` for bits", Some(TokenKind::Keyword(Keyword::Or))),
            ("^", "write `pow(a, b)` for powers and `xor(a, b)` for bits", Some(TokenKind::Sign(Sign::Star))),
            ("?", "write `if c then a else b`", None),
            ("#", "comments start with `//`", None),
        ];
        let meant = MEANT.iter().find(|(text, _, _)| self.rest().starts_with(text));
        self.at += meant.map_or(c.len_utf8(), |(text, _, _)| text.len());
        let written = &self.source[start..self.at];
        let title = format!("`{}` is not part of the language", written.escape_debug());
        let help = meant.map_or("remove it", |(_, help, _)| help);
        self.complain(start, title, "not known here", help);
        if c == '#' {
            let line = self.rest().split('\n').next().unwrap_or_default().len();
            self.at += line;
        }
        if let Some((_, _, Some(kind))) = meant {
            self.push(start, kind.clone());
        }
    }
}
