//! `show`: how a position is drawn, as a grid or as a text with values in it.

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::lexer::lex;
use crate::syntax::parser::{Parse, Parser};
use crate::syntax::token::{Sign, TokenKind};
use crate::syntax::tree::{Expr, ItemKind, ShowPiece};

impl Parser<'_> {
    pub(super) fn show(&mut self) -> Parse<ItemKind> {
        if self.is_word("grid") {
            return self.show_grid();
        }
        let span = self.span();
        if !matches!(self.kind(), TokenKind::Text(_)) {
            return Err(self.unexpected("`grid(ARRAY, rows, columns) { … }` or a text in quotes"));
        }
        self.advance();
        let pieces = self.show_pieces(span)?;
        self.expect_semicolon()?;
        Ok(ItemKind::ShowText(pieces))
    }

    fn show_grid(&mut self) -> Parse<ItemKind> {
        self.advance();
        self.expect_sign_for(Sign::OpenParen, "and the array")?;
        let cells = self.expr()?;
        self.expect_sign_for(Sign::Comma, "and the number of rows")?;
        let rows = self.expr()?;
        self.expect_sign_for(Sign::Comma, "and the number of columns")?;
        let columns = self.expr()?;
        self.take_sign(Sign::Comma);
        self.expect_sign(Sign::CloseParen)?;
        let open = self.span();
        let legend = if self.take_sign(Sign::OpenBrace) {
            self.list(open, Sign::CloseBrace, |p| {
                let value = p.expr()?;
                p.expect_sign_for(Sign::Colon, "and what to draw")?;
                Ok((value, p.text("what to draw, in quotes")?))
            })?
        } else {
            Vec::new()
        };
        self.expect_semicolon()?;
        Ok(ItemKind::ShowGrid { cells, rows, columns, legend })
    }

    /// Cuts `"text with {EXPR}"` at its braces. The expressions are read from the file itself, so their places are
    /// right.
    fn show_pieces(&mut self, span: Span) -> Parse<Vec<ShowPiece>> {
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
                    pieces.push(ShowPiece::Text(std::mem::take(&mut text)));
                    let Some(close) = closing_brace(self.source, at, end) else {
                        let here = Span::new(at, at + 1);
                        let help = "close it with `}`, or write `{{` for a brace";
                        return Err(
                            self.complain(Diagnostic::at(here, "a `{` in the text is not closed", "here").help(help))
                        );
                    };
                    pieces.push(ShowPiece::Value(self.piece(at + 1..close)?));
                    at = close + 1;
                }
                _ => {
                    text.push(c);
                    at += c.len_utf8();
                }
            }
        }
        pieces.push(ShowPiece::Text(text));
        pieces.retain(|piece| !matches!(piece, ShowPiece::Text(text) if text.is_empty()));
        Ok(pieces)
    }

    /// The text between the quotes, as a range of the source. A quote that was not closed has been reported.
    fn inside_quotes(&self, span: Span) -> (usize, usize) {
        let text = &self.source[span.range()];
        let inside = text.strip_prefix(['"', '“', '”', '„']).unwrap_or(text);
        let start = span.end as usize - inside.len();
        (start, start + inside.strip_suffix(['"', '“', '”']).unwrap_or(inside).len())
    }

    fn piece(&mut self, range: std::ops::Range<usize>) -> Parse<Expr> {
        let mut lexed = lex(self.source, range);
        lexed.tokens.retain(|token| !matches!(token.kind, TokenKind::Doc(_)));
        let unread = !lexed.diagnostics.is_empty();
        self.diagnostics.extend(lexed.diagnostics);
        let mut inner = Parser::new(self.source, lexed.tokens, "the end of the `{…}`");
        inner.depth = self.depth;
        let value = inner.expr();
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
