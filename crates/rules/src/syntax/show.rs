//! `show`: how a position is drawn, as a grid or as a text with values in it.

use crate::syntax::parser::{Parse, Parser};
use crate::syntax::template::Piece;
use crate::syntax::token::{Sign, TokenKind};
use crate::syntax::tree::{ItemKind, ShowPiece};

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
        let pieces = self.pieces(span, |inner| inner.expr())?;
        self.expect_semicolon()?;
        let shown = |piece| match piece {
            Piece::Text(text) => ShowPiece::Text(text),
            Piece::Value(value) => ShowPiece::Value(value),
        };
        Ok(ItemKind::ShowText(pieces.into_iter().map(shown).collect()))
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
}
