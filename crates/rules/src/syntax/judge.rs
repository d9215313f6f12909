//! `input` and `output`: how a program that is to be checked reads an instance and writes its answer.

use crate::span::Span;
use crate::syntax::parser::{Parse, Parser};
use crate::syntax::template::Piece;
use crate::syntax::token::{Keyword, Sign, TokenKind};
use crate::syntax::tree::{Expr, InputPiece, ItemKind, Name, OutputField};

impl Parser<'_> {
    pub(super) fn input(&mut self) -> Parse<ItemKind> {
        let span = self.span();
        if !matches!(self.kind(), TokenKind::Text(_)) {
            let help = "write `input \"{n} {m}\\n{row}\";`: values of the instance stand in braces";
            return Err(self.unexpected_help("a text in quotes", help));
        }
        self.advance();
        let pieces = self.pieces(span, |inner| inner.separated())?;
        self.expect_semicolon()?;
        let written = |piece| match piece {
            Piece::Text(text) => InputPiece::Text(text),
            Piece::Value((value, separators)) => InputPiece::Value(value, separators),
        };
        Ok(ItemKind::Input(pieces.into_iter().map(written).collect()))
    }

    /// `EXPR by ',' by ' '`: a value, and what stands between the items of its lists.
    fn separated(&mut self) -> Parse<(Expr, Vec<char>)> {
        let value = self.expr()?;
        let mut separators = Vec::new();
        while self.take_word("by") {
            let TokenKind::Char(code) = *self.kind() else {
                let help = "write one character in single quotes, as in `{row by ','}` or `{row by '\\n'}`";
                return Err(self.unexpected_help("what stands between the items", help));
            };
            self.advance();
            separators.push(u32::try_from(code).ok().and_then(char::from_u32).unwrap_or(' '));
        }
        Ok((value, separators))
    }

    pub(super) fn output(&mut self) -> Parse<ItemKind> {
        let mut fields = vec![self.output_field()?];
        while self.take_sign(Sign::Comma) {
            fields.push(self.output_field()?);
        }
        self.expect_semicolon()?;
        Ok(ItemKind::Output(fields))
    }

    fn output_field(&mut self) -> Parse<OutputField> {
        let span = self.span();
        let name = match self.take_keyword(Keyword::Move) {
            true => Name { text: "move".to_string(), span },
            false => self.name("a field of the answer, such as `winner` or `value`")?,
        };
        let mut words = Vec::new();
        if self.take_word("as") {
            words.push(self.answer_word()?);
            while self.take_sign(Sign::Slash) {
                words.push(self.answer_word()?);
            }
        } else if matches!(self.kind(), TokenKind::Text(_)) {
            let help = format!("write `output {} as \"First\"/\"Second\";`", name.text);
            return Err(self.unexpected_help("`as`, `,` or `;`", help));
        }
        Ok(OutputField { name, words })
    }

    /// One of the texts of `"First"/"Second"`.
    fn answer_word(&mut self) -> Parse<(String, Span)> {
        let span = self.span();
        let TokenKind::Text(text) = self.kind().clone() else {
            let help = "write the texts in quotes with `/` between them, as in `\"First\"/\"Second\"`";
            return Err(self.unexpected_help("what the program prints, in quotes", help));
        };
        self.advance();
        Ok((text, span))
    }
}
