//! Statements: what moves do and how functions compute.

use crate::diagnostic::Diagnostic;
use crate::program::{AssignOp, BinaryOp};
use crate::span::Span;
use crate::syntax::parser::{COMPARE, Parse, Parser, Reported};
use crate::syntax::token::{Keyword, Sign, TokenKind};
use crate::syntax::tree::{Expr, ExprKind, Name, Stmt, StmtKind};

impl Parser<'_> {
    /// `{ … }`, with the place of the closing brace. A wrong statement is reported and skipped.
    pub(super) fn block(&mut self) -> Parse<(Vec<Stmt>, Span)> {
        let open = self.span();
        self.expect_sign(Sign::OpenBrace)?;
        let mut body = Vec::new();
        loop {
            let close = self.span();
            if self.take_sign(Sign::CloseBrace) || self.block_left_open(open) {
                return Ok((body, close));
            }
            if self.take_sign(Sign::Semicolon) {
                continue;
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
        self.no_counting_down()?;
        match self.kind().clone() {
            TokenKind::Keyword(Keyword::Let) => self.local(false),
            TokenKind::Keyword(Keyword::Var) => self.local(true),
            TokenKind::Keyword(Keyword::If) => self.if_statement(start),
            TokenKind::Keyword(Keyword::For) => self.for_statement(),
            TokenKind::Keyword(Keyword::Break) => self.word_statement(StmtKind::Break),
            TokenKind::Keyword(Keyword::Continue) => self.word_statement(StmtKind::Continue),
            TokenKind::Keyword(Keyword::Return) => {
                self.advance();
                if self.is_sign(Sign::Semicolon) {
                    let help = "a function returns a value: `return e;`; a move returns nothing, use `if` instead";
                    return Err(self.unexpected_help("a value", help));
                }
                let value = self.expr()?;
                self.expect_semicolon()?;
                Ok(StmtKind::Return(value, false))
            }
            TokenKind::Keyword(Keyword::Turn) => {
                self.advance();
                if !self.take_sign(Sign::Assign) {
                    return Err(self.unexpected_help("`=` after `turn`", "write `turn = PLAYER;`"));
                }
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
                "gain" if !self.goes_on_as_value() => self.gain(),
                "again" if self.ends_after_word() => self.word_statement(StmtKind::Again),
                "split" if !self.goes_on_as_value() => self.split(),
                word => match foreign_statement(word) {
                    Some(help) if self.starts_value_next() => {
                        let title = format!("there is no `{word}`");
                        Err(self.complain(Diagnostic::at(start, title, "not a statement").help(help)))
                    }
                    _ => self.assignment(),
                },
            },
            TokenKind::Keyword(Keyword::Else) => {
                let help = "is a `}` missing or too many before it?";
                Err(self.complain(Diagnostic::at(start, "this `else` has no `if`", "here").help(help)))
            }
            _ => self.assignment(),
        }
    }

    /// Whether a value, a bracket or a block follows the word here. Then the word was meant to start a statement.
    fn starts_value_next(&self) -> bool {
        match self.kind_after(1) {
            TokenKind::Sign(sign) => matches!(sign, Sign::OpenParen | Sign::OpenBrace | Sign::Semicolon),
            TokenKind::End | TokenKind::Keyword(Keyword::And | Keyword::Or | Keyword::In) => false,
            _ => true,
        }
    }

    /// Refuses `left--;`, whose signs could be the start of a value.
    fn no_counting_down(&mut self) -> Parse<()> {
        let minus = |steps| matches!(self.kind_after(steps), TokenKind::Sign(Sign::Minus));
        let ends = matches!(self.kind_after(3), TokenKind::Sign(Sign::Semicolon | Sign::CloseBrace));
        let TokenKind::Word(name) = self.kind() else { return Ok(()) };
        if !(minus(1) && minus(2) && ends) {
            return Ok(());
        }
        let help = format!("to count down, write `{name} -= 1;`");
        let place = self.tokens[self.at + 1].span.to(self.tokens[self.at + 2].span);
        Err(self.complain(Diagnostic::at(place, "`--` is not part of the language", "not known here").help(help)))
    }

    /// Whether the word here, or an item of it, is given a value. Then it is a name, even if it spells a keyword.
    fn assigns_next(&self) -> bool {
        let mut open = 0usize;
        for token in self.tokens[self.at + 1..].iter().take(200) {
            match token.kind {
                TokenKind::Sign(Sign::OpenBracket) => open += 1,
                TokenKind::Sign(Sign::CloseBracket) if open > 0 => open -= 1,
                TokenKind::Sign(Sign::Assign | Sign::PlusAssign | Sign::MinusAssign) if open == 0 => return true,
                _ if open == 0 => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether an operator that cannot start a value follows the word here. Then it is a name, even if it spells a
    /// keyword.
    fn goes_on_as_value(&self) -> bool {
        match self.kind_after(1) {
            TokenKind::Sign(sign) => {
                !matches!(sign, Sign::Minus | Sign::OpenParen | Sign::OpenBracket | Sign::OpenBrace | Sign::Semicolon)
            }
            TokenKind::Keyword(keyword) => matches!(keyword, Keyword::And | Keyword::Or | Keyword::In),
            _ => false,
        }
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
        self.assign_after_name(&name)?;
        let value = self.expr()?;
        self.expect_semicolon()?;
        Ok(StmtKind::Let(name, value, changes))
    }

    /// The `=` after the name of a `let` or `var`.
    pub(super) fn assign_after_name(&mut self, name: &Name) -> Parse<()> {
        if self.is_sign(Sign::Colon) {
            let help = format!("types are found by themselves: `let {} = …;`", name.text);
            return Err(self.unexpected_help("`=` and a value", help));
        }
        self.expect_sign_for(Sign::Assign, "and a value")
    }

    /// `if c { … } else …`, or a closing `if c then a else b`.
    fn if_statement(&mut self, start: Span) -> Parse<StmtKind> {
        self.advance();
        let condition = self.expr()?;
        if self.is_keyword(Keyword::Then) {
            let value = self.if_expr_after(start, condition, "as a statement it is written `if COND { … }`")?;
            return self.closing(value);
        }
        let (then, _) = self.body_of("if")?;
        let mut otherwise = Vec::new();
        if self.take_keyword(Keyword::Else) {
            if self.is_keyword(Keyword::If) {
                otherwise.push(self.nested(Self::statement)?);
            } else {
                otherwise = self.body_of("else")?.0;
            }
        }
        Ok(StmtKind::If(condition, then, otherwise))
    }

    fn for_statement(&mut self) -> Parse<StmtKind> {
        self.advance();
        let name = self.name("the name of the loop variable")?;
        self.in_after_loop_variable(&name)?;
        let over = self.expr()?;
        if self.is_keyword(Keyword::When) {
            let help = "write `for x in … { if COND { … } }`";
            return Err(
                self.complain(Diagnostic::at(self.span(), "a `for` statement has no `when`", "here").help(help))
            );
        }
        let (body, _) = self.body_of("for")?;
        Ok(StmtKind::For(name, over, body))
    }

    /// The block after `if`, `else` or `for`.
    fn body_of(&mut self, word: &str) -> Parse<(Vec<Stmt>, Span)> {
        if !self.is_sign(Sign::OpenBrace) {
            let help = match self.kind() {
                TokenKind::Sign(Sign::Assign) => COMPARE.to_string(),
                TokenKind::Sign(Sign::Arrow) => "for \"at least\" write `>=`".to_string(),
                _ => format!("what `{word}` does stands in `{{ … }}`"),
            };
            return Err(self.unexpected_help("`{`", help));
        }
        self.block()
    }

    fn gain(&mut self) -> Parse<StmtKind> {
        self.advance();
        let amount = self.expr()?;
        let player = if self.take_keyword(Keyword::For) { Some(self.expr()?) } else { None };
        if self.is_word("to") {
            return Err(self.unexpected_help("`;`", "write `gain AMOUNT for PLAYER;`"));
        }
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
            let open = self.span();
            self.expect_sign_for(Sign::OpenParen, "that opens a part, as in `split (a), (b);`")?;
            parts.push(self.list(open, Sign::CloseParen, Self::expr)?);
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

    /// Checks that an expression used as a statement is the last one of a function.
    fn closing(&mut self, value: Expr) -> Parse<StmtKind> {
        if self.is_sign(Sign::CloseBrace) {
            return Ok(StmtKind::Return(value, true));
        }
        if !self.is_sign(Sign::Semicolon) {
            if self.starts_line() {
                return Err(self.unused(&value));
            }
            return Err(self.unexpected("`=`, `+=` or `-=`"));
        }
        Err(self.unused(&value))
    }

    fn unused(&mut self, value: &Expr) -> Reported {
        let title = "this value is not used";
        let help = match &value.kind {
            ExprKind::Binary(BinaryOp::Equal, ..) => "to give a value to a variable, write `=`",
            ExprKind::Name(_) => "statements are `x = …;`, `if`, `for`, `gain`, `again;`, `turn = …;` and `split`",
            _ => "assign it (`x = …;`), or in a function `return` it or leave out the last `;`",
        };
        self.complain(Diagnostic::at(value.span, title, "does nothing").help(help))
    }
}

/// What to write here for a statement of another language.
fn foreign_statement(word: &str) -> Option<&'static str> {
    Some(match word {
        "while" | "loop" | "do" | "until" | "repeat" => {
            "nothing runs forever here: write `for i in 0..n { if … { break; } }` with a large enough `n`"
        }
        "elif" | "elsif" | "elseif" => "write `else if`",
        "switch" | "match" | "case" => "write `if … { } else if … { } else { }`",
        "print" | "println" | "printf" => "nothing is printed; `show` says how a position looks",
        "pass" => "leave the block empty: `{ }`",
        "const" | "int" | "bool" | "auto" | "set" => "declare with `let x = …;`, or `var x = …;` if it changes",
        "score" | "win" | "lose" | "draw" | "winner" | "end" => {
            "a move earns with `gain`; results are said by `end when COND => …;` and `stuck => …;`, outside moves"
        }
        _ => return None,
    })
}
