//! Moves, and the rules that end play: `move`, `end`, `stuck`, `forever`.

use crate::syntax::parser::{COMPARE, Parse, Parser, infix_help};
use crate::syntax::token::{Keyword, Sign, TokenKind};
use crate::syntax::tree::{Ending, Expr, ItemKind, Move, Name, Source};

/// What stands in the parentheses of a move.
enum Head {
    Choice(Name, Source),
    Let(Name, Expr),
}

impl Parser<'_> {
    pub(super) fn move_item(&mut self) -> Parse<ItemKind> {
        let mut name = self.name("the move's name")?;
        let mut owner = None;
        if matches!(name.text.as_str(), "first" | "second" | "third") && matches!(self.kind(), TokenKind::Word(_)) {
            owner = Some(name);
            name = self.name("the move's name")?;
        }
        let open = self.span();
        let head =
            if self.take_sign(Sign::OpenParen) { self.list(open, Sign::CloseParen, Self::head)? } else { Vec::new() };
        let (mut choices, mut lets) = (Vec::new(), Vec::new());
        for entry in head {
            match entry {
                Head::Choice(name, source) => choices.push((name, source)),
                Head::Let(name, value) => lets.push((choices.len(), name, value)),
            }
        }
        while self.take_keyword(Keyword::Let) {
            let (name, value) = self.head_let()?;
            self.expect_semicolon()?;
            lets.push((choices.len(), name, value));
        }
        let when = if self.take_keyword(Keyword::When) { Some(self.expr()?) } else { None };
        while when.is_some() && self.is_keyword(Keyword::Let) {
            self.unexpected_help("`{`", "a `let` stands before `when`: `move NAME(…) let x = …; when … { … }`");
            self.advance();
            let (name, value) = self.head_let()?;
            self.expect_semicolon()?;
            lets.push((choices.len(), name, value));
        }
        if !self.is_sign(Sign::OpenBrace) {
            let help = match self.kind() {
                TokenKind::Sign(Sign::Assign) if when.is_some() => COMPARE.to_string(),
                TokenKind::Sign(Sign::Arrow) if when.is_some() => "for \"at least\" write `>=`".to_string(),
                TokenKind::Keyword(Keyword::When) => "join the conditions with `and`".to_string(),
                TokenKind::Word(word) if infix_help(word).is_some() && when.is_some() => {
                    infix_help(word).unwrap_or_default().to_string()
                }
                _ if when.is_none() => format!("a condition is written `move {} when COND {{ … }}`", name.text),
                _ => "what the move does stands in `{ … }`".to_string(),
            };
            return Err(self.unexpected_help(if when.is_none() { "`when` or `{`" } else { "`{`" }, help));
        }
        let (body, _) = self.block()?;
        Ok(ItemKind::Move(Move { owner, name, choices, lets, when, body }))
    }

    /// A choice, or a `let` among the choices.
    fn head(&mut self) -> Parse<Head> {
        if self.take_keyword(Keyword::Let) {
            let (name, value) = self.head_let()?;
            return Ok(Head::Let(name, value));
        }
        let (name, source) = self.choice()?;
        Ok(Head::Choice(name, source))
    }

    /// `NAME = EXPR`, after `let`.
    fn head_let(&mut self) -> Parse<(Name, Expr)> {
        let name = self.name("a name")?;
        self.assign_after_name(&name)?;
        Ok((name, self.expr()?))
    }

    pub(super) fn choice(&mut self) -> Parse<(Name, Source)> {
        let name = self.name("the name of a choice")?;
        let source = self.domain_after_in(&name)?;
        Ok((name, source))
    }

    pub(super) fn end_item(&mut self) -> Parse<ItemKind> {
        if !self.take_keyword(Keyword::When) {
            return Err(self.unexpected_help("`when` after `end`", "write `end when COND => RESULT;`"));
        }
        let condition = self.expr()?;
        let ending = self.arrow_ending()?;
        Ok(ItemKind::End(condition, ending))
    }

    pub(super) fn stuck_item(&mut self) -> Parse<ItemKind> {
        let condition = if self.take_keyword(Keyword::When) { Some(self.expr()?) } else { None };
        let known = condition.is_some() || self.is_sign(Sign::Arrow);
        if !known {
            let help = "write `stuck => RESULT;` or `stuck when COND => RESULT;`";
            return Err(self.unexpected_help("`=>` or `when` after `stuck`", help));
        }
        Ok(ItemKind::Stuck(condition, self.arrow_ending()?))
    }

    /// `=> RESULT;`
    pub(super) fn arrow_ending(&mut self) -> Parse<Ending> {
        if !self.take_sign(Sign::Arrow) {
            let help = if self.is_sign(Sign::Assign) { COMPARE } else { "a result is written `=> lose;`" };
            return Err(self.unexpected_help("`=>` and a result", help));
        }
        if !matches!(self.kind(), TokenKind::Word(_)) {
            let help = "results are `win`, `lose`, `draw`, `winner PLAYER`, `score EXPR` and `payoffs [EXPR, …]`";
            return Err(self.unexpected_help("a result", help));
        }
        let word = self.name("a result")?;
        let closed = self.is_sign(Sign::Semicolon) || self.is_sign(Sign::CloseBrace);
        let value = if closed || self.at_end() || self.starts_line() { None } else { Some(self.expr()?) };
        self.expect_semicolon()?;
        Ok(Ending { word, value })
    }
}
