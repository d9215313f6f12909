//! Texts with values in them: `"{left} left"`.

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::lexer::lex;
use crate::syntax::parser::{Parse, Parser};
use crate::syntax::token::TokenKind;

/// A piece of such a text.
pub(super) enum Piece<T> {
    /// Plain text.
    Text(String),
    /// What stands between braces.
    Value(T),
}

impl Parser<'_> {
    /// Cuts `"text with {EXPR}"` at its braces; `value` reads what is between them. It is read from the file itself, so its
    /// places are right.
    pub(super) fn pieces<T>(&mut self, span: Span, value: fn(&mut Parser<'_>) -> Parse<T>) -> Parse<Vec<Piece<T>>> {
        let (mut at, end) = self.inside_quotes(span);
        let mut pieces = Vec::new();
        let mut text = String::new();
        while at < end {
            let Some(c) = self.source[at..end].chars().next() else {
                break;
            };
            let next = self.source[at + c.len_utf8()..end].chars().next();
            match (c, next) {
                ('{', Some('{')) | ('}', Some('}')) => {
                    text.push(c);
                    at += 2;
                }
                ('\\', Some(escape)) => {
                    text.push(match escape {
                        'n' => '\n',
                        't' => '\t',
                        other => other,
                    });
                    at += 1 + escape.len_utf8();
                }
                ('{', _) => {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                    let Some(close) = closing_brace(self.source, at, end) else {
                        let here = Span::new(at, at + 1);
                        let help = "close it with `}`, or write `{{` for a brace";
                        return Err(
                            self.complain(Diagnostic::at(here, "a `{` in the text is not closed", "here").help(help))
                        );
                    };
                    pieces.push(Piece::Value(self.piece(at + 1..close, value)?));
                    at = close + 1;
                }
                _ => {
                    text.push(c);
                    at += c.len_utf8();
                }
            }
        }
        pieces.push(Piece::Text(text));
        pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
        Ok(pieces)
    }

    /// The text between the quotes, as a range of the source. A quote that was not closed has been reported.
    fn inside_quotes(&self, span: Span) -> (usize, usize) {
        let text = &self.source[span.range()];
        let inside = text.strip_prefix(['"', '“', '”', '„']).unwrap_or(text);
        let start = span.end as usize - inside.len();
        (start, start + inside.strip_suffix(['"', '“', '”']).unwrap_or(inside).len())
    }

    fn piece<T>(&mut self, range: std::ops::Range<usize>, read: fn(&mut Parser<'_>) -> Parse<T>) -> Parse<T> {
        let mut lexed = lex(self.source, range);
        lexed.tokens.retain(|token| !matches!(token.kind, TokenKind::Doc(_)));
        let unread = !lexed.diagnostics.is_empty();
        self.diagnostics.extend(lexed.diagnostics);
        let mut inner = Parser::new(self.source, lexed.tokens, "the end of the `{…}`");
        inner.depth = self.depth;
        let value = read(&mut inner);
        if value.is_ok() && !inner.at_end() {
            inner.unexpected("`}`");
        }
        self.skipped |= inner.skipped || unread;
        if !unread {
            self.diagnostics.extend(inner.diagnostics);
        }
        value
    }
}

/// Where the `{` at `open` is closed; sets inside have their own braces.
fn closing_brace(source: &str, open: usize, end: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in source.as_bytes()[..end].iter().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}
