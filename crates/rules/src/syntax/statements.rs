//! Statements: what moves do and how functions compute.

use crate::diagnostic::Diagnostic;
use crate::program::AssignOp;
use crate::span::Span;
use crate::syntax::parser::{Parse, Parser};
use crate::syntax::token::{Keyword, Sign, TokenKind};
use crate::syntax::tree::{Expr, Stmt, StmtKind};

impl Parser<'_> {
    /// `{ … }`, with the place of the closing brace. A wrong statement is reported and skipped.
    pub(super) fn block(&mut self) -> Parse<(Vec<Stmt>, Span)> {
        self.expect_sign(Sign::OpenBrace)?;
        let mut body = Vec::new();
        loop {
            let close = self.span();
            if self.take_sign(Sign::CloseBrace) {
                return Ok((body, close));
            }
            if self.at_end() {
                return Err(self.unexpected("`}` that closes this block"));
            }
            match self.nested(Self::statement) {
                Ok(statement) => body.push(statement),
                Err(_) => self.skip_statement(),
            }
        }
    }

    fn statement(&mut self) -> Parse<Stmt> {
        let start = self.span();
        let kind = self.statement_kind(start)?;
        Ok(Stmt { kind, span: self.since(start) })
    }

    fn statement_kind(&mut self, start: Span) -> Parse<StmtKind> {
        match self.kind().clone() {
            TokenKind::Keyword(Keyword::Let) => self.local(false),
            TokenKind::Keyword(Keyword::Var) => self.local(true),
            TokenKind::Keyword(Keyword::If) => self.if_statement(start),
            TokenKind::Keyword(Keyword::For) => self.for_statement(),
            TokenKind::Keyword(Keyword::Break) => self.word_statement(StmtKind::Break),
            TokenKind::Keyword(Keyword::Continue) => self.word_statement(StmtKind::Continue),
            TokenKind::Keyword(Keyword::Return) => {
                self.advance();
                let value = self.expr()?;
                self.expect_semicolon()?;
                Ok(StmtKind::Return(value, false))
            }
            TokenKind::Keyword(Keyword::Turn) => {
                self.advance();
                self.expect_sign_for(Sign::Assign, "after `turn`")?;
                let player = self.expr()?;
                self.expect_semicolon()?;
                Ok(StmtKind::Turn(player))
            }
            TokenKind::Keyword(Keyword::When) => {
                let help =
                    "inside a move write `if COND { … }`; the condition of the move itself stands before its `{`";
                Err(self.complain(Diagnostic::at(start, "`when` is not a statement", "here").help(help)))
            }
            TokenKind::Word(word) if !self.assigns_next() => match word.as_str() {
                "gain" => self.gain(),
                "again" if self.ends_after_word() => self.word_statement(StmtKind::Again),
                "split" => self.split(),
                _ => self.assignment(),
            },
            _ => self.assignment(),
        }
    }

    /// Whether the word here is given a value, so that it is a name whatever it spells.
    fn assigns_next(&self) -> bool {
        matches!(self.kind_after(1), TokenKind::Sign(Sign::Assign | Sign::PlusAssign | Sign::MinusAssign))
    }

    fn ends_after_word(&self) -> bool {
        matches!(self.kind_after(1), TokenKind::Sign(Sign::Semicolon | Sign::CloseBrace))
    }

    fn word_statement(&mut self, kind: StmtKind) -> Parse<StmtKind> {
        self.advance();
        self.expect_semicolon()?;
        Ok(kind)
    }

    fn local(&mut self, changes: bool) -> Parse<StmtKind> {
        self.advance();
        let name = self.name("a name")?;
        self.expect_sign_for(Sign::Assign, "and a value")?;
        let value = self.expr()?;
        self.expect_semicolon()?;
        Ok(StmtKind::Let(name, value, changes))
    }

    /// `if c { … } else …`, or a closing `if c then a else b`.
    fn if_statement(&mut self, start: Span) -> Parse<StmtKind> {
        self.advance();
        let condition = self.expr()?;
        if self.is_keyword(Keyword::Then) {
            let value = self.if_expr_after(start, condition)?;
            return self.closing(value);
        }
        let (then, _) = self.block()?;
        let mut otherwise = Vec::new();
        if self.take_keyword(Keyword::Else) {
            if self.is_keyword(Keyword::If) {
                otherwise.push(self.nested(Self::statement)?);
            } else {
                otherwise = self.block()?.0;
            }
        }
        Ok(StmtKind::If(condition, then, otherwise))
    }

    fn for_statement(&mut self) -> Parse<StmtKind> {
        self.advance();
        let name = self.name("the name of the loop variable")?;
        self.expect_keyword(Keyword::In, "after the loop variable")?;
        let over = self.expr()?;
        if self.is_keyword(Keyword::When) {
            let help = "write `for x in … { if COND { … } }`";
            return Err(
                self.complain(Diagnostic::at(self.span(), "a `for` statement has no `when`", "here").help(help))
            );
        }
        let (body, _) = self.block()?;
        Ok(StmtKind::For(name, over, body))
    }

    fn gain(&mut self) -> Parse<StmtKind> {
        self.advance();
        let amount = self.expr()?;
        let player = if self.take_keyword(Keyword::For) { Some(self.expr()?) } else { None };
        self.expect_semicolon()?;
        Ok(StmtKind::Gain(amount, player))
    }

    fn split(&mut self) -> Parse<StmtKind> {
        self.advance();
        if self.take_sign(Sign::Semicolon) {
            return Ok(StmtKind::SplitParts(Vec::new()));
        }
        if !self.is_sign(Sign::OpenParen) {
            let list = self.expr()?;
            self.expect_semicolon()?;
            return Ok(StmtKind::SplitList(list));
        }
        let mut parts = Vec::new();
        loop {
            self.expect_sign_for(Sign::OpenParen, "that opens a part")?;
            parts.push(self.list(Sign::CloseParen, Self::expr)?);
            if !self.take_sign(Sign::Comma) {
                break;
            }
        }
        self.expect_semicolon()?;
        Ok(StmtKind::SplitParts(parts))
    }

    fn assignment(&mut self) -> Parse<StmtKind> {
        let place = self.expr()?;
        let op = match self.kind() {
            TokenKind::Sign(Sign::Assign) => AssignOp::Set,
            TokenKind::Sign(Sign::PlusAssign) => AssignOp::Add,
            TokenKind::Sign(Sign::MinusAssign) => AssignOp::Subtract,
            _ => return self.closing(place),
        };
        self.advance();
        let value = self.expr()?;
        self.expect_semicolon()?;
        Ok(StmtKind::Assign(place, op, value))
    }

    /// An expression that stands alone must be the last of a function.
    fn closing(&mut self, value: Expr) -> Parse<StmtKind> {
        if self.is_sign(Sign::CloseBrace) {
            return Ok(StmtKind::Return(value, true));
        }
        if !self.is_sign(Sign::Semicolon) {
            return Err(self.unexpected("`=`, `+=` or `-=`"));
        }
        let title = "this value is not used";
        let help = "assign it (`x = …;`), or in a function `return` it or leave out the last `;`";
        let reported = self.complain(Diagnostic::at(value.span, title, "does nothing").help(help));
        Err(reported)
    }
}
