//! Items: the file, its game, and everything that stands directly inside the game's braces.

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::suggest::nearest;
use crate::syntax::lexer::lex;
use crate::syntax::parser::{Parse, Parser};
use crate::syntax::token::{Keyword, Sign, TokenKind};
use crate::syntax::tree::{
    Ending, Expr, ExprKind, File, Function, Item, ItemKind, Move, Name, Param, ShowPiece, Source, SourceKind, TypeKind,
    TypeName, Variable,
};

/// The words that start an item.
pub const ITEMS: &[&str] = &[
    "require",
    "let",
    "fn",
    "state",
    "sum",
    "players",
    "starts",
    "move",
    "end",
    "stuck",
    "forever",
    "objective",
    "symmetry",
    "regions",
    "measure",
    "estimate",
    "claim",
    "sample",
    "show",
    "example",
];

impl Parser<'_> {
    pub(super) fn file(&mut self) -> Parse<File> {
        let mut doc = Vec::new();
        while let TokenKind::Doc(text) = self.kind().clone() {
            doc.push(text);
            self.advance();
        }
        if !self.is_keyword(Keyword::Game) {
            let title = format!("expected `game`, found {}", self.kind());
            let help = "a rules file is `/// text` and then `game NAME(parameters) { … }`";
            return Err(self.complain(Diagnostic::at(self.span(), title, "expected `game`").help(help)));
        }
        self.advance();
        let name = self.name("the game's name")?;
        let params =
            if self.take_sign(Sign::OpenParen) { self.list(Sign::CloseParen, |p| p.param(true))? } else { Vec::new() };
        self.expect_sign_for(Sign::OpenBrace, "that opens the game")?;
        let items = self.items();
        if !self.at_end() {
            let title = format!("expected the end of the file, found {}", self.kind());
            let help = "a file holds one game; is there a `}` too many above?";
            self.complain(Diagnostic::at(self.span(), title, "behind the game").help(help));
        }
        Ok(File { name, doc, params, items })
    }

    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        loop {
            if self.take_sign(Sign::CloseBrace) {
                return items;
            }
            if self.at_end() {
                self.unexpected("`}` that closes the game");
                return items;
            }
            let span = self.span();
            match self.item(span) {
                Ok(kind) => items.push(Item { kind, span: self.since(span) }),
                Err(_) => {
                    if self.span() == span {
                        self.advance();
                    }
                    self.skip_item();
                }
            }
        }
    }

    /// Skips to the next item: behind a `;` or `}` at this level, or before a word that starts one on a new line.
    fn skip_item(&mut self) {
        while !self.at_end() && !self.is_sign(Sign::CloseBrace) {
            let before = self.at;
            let starts_item = match self.kind() {
                TokenKind::Word(word) => ITEMS.contains(&word.as_str()),
                TokenKind::Keyword(Keyword::Let | Keyword::Fn | Keyword::State | Keyword::Move) => true,
                _ => false,
            };
            let gap = &self.source[self.behind().end as usize..self.span().start as usize];
            if starts_item && gap.contains('\n') {
                return;
            }
            if self.is_sign(Sign::OpenBrace) {
                self.skip_statement();
            } else {
                self.advance();
            }
            if self.tokens[before].kind == TokenKind::Sign(Sign::Semicolon) {
                return;
            }
        }
    }

    fn item(&mut self, span: Span) -> Parse<ItemKind> {
        let word = match self.kind().clone() {
            TokenKind::Keyword(keyword) => keyword.text().to_string(),
            TokenKind::Word(word) => word,
            _ => return Err(self.unexpected("an item such as `state`, `move` or `end`")),
        };
        if !ITEMS.contains(&word.as_str()) {
            let help = match nearest(&word, ITEMS.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the items are {}", ITEMS.join(", ")),
            };
            let title = format!("`{word}` does not start an item");
            return Err(self.complain(Diagnostic::at(span, title, "not an item").help(help)));
        }
        self.advance();
        match word.as_str() {
            "require" => self.require(),
            "let" => self.game_let(),
            "fn" => self.function(),
            "state" => self.state(),
            "sum" => self.sum(),
            "players" => self.one_expression(ItemKind::Players),
            "starts" => self.one_expression(ItemKind::Starts),
            "move" => self.move_item(),
            "end" => self.end_item(),
            "stuck" => Ok(ItemKind::Stuck(self.arrow_ending()?)),
            "forever" => Ok(ItemKind::Forever(self.arrow_ending()?)),
            "objective" => {
                let word = self.name("`difference` or `own`")?;
                self.expect_semicolon()?;
                Ok(ItemKind::Objective(word))
            }
            "symmetry" => self.symmetry(),
            "regions" => self.regions(),
            "measure" => self.one_expression(ItemKind::Measure),
            "estimate" => self.one_expression(ItemKind::Estimate),
            "claim" => self.claim(),
            "sample" => self.sample(),
            "show" => self.show(),
            _ => self.example(),
        }
    }

    fn param(&mut self, with_default: bool) -> Parse<Param> {
        let name = self.name("a parameter's name")?;
        if !self.is_sign(Sign::Colon) {
            let title = format!("expected `:` and a type, found {}", self.kind());
            let help = format!("write `{}: int`, `bool`, `text` or `[int]`", name.text);
            return Err(self.complain(Diagnostic::at(self.span(), title, "expected `:`").help(help)));
        }
        self.advance();
        let ty = self.type_name()?;
        let default = if with_default && self.take_sign(Sign::Assign) { Some(self.expr()?) } else { None };
        Ok(Param { name, ty, default })
    }

    fn type_name(&mut self) -> Parse<TypeName> {
        let span = self.span();
        if self.take_sign(Sign::OpenBracket) {
            let item = self.nested(Self::type_name)?;
            self.expect_sign(Sign::CloseBracket)?;
            return Ok(TypeName { kind: TypeKind::List(item.into()), span: self.since(span) });
        }
        let name = self.name("a type")?;
        Ok(TypeName { kind: TypeKind::Word(name.text), span })
    }

    fn require(&mut self) -> Parse<ItemKind> {
        let condition = self.expr()?;
        let message = if self.take_sign(Sign::Colon) { Some(self.text("a message in quotes")?) } else { None };
        self.expect_semicolon()?;
        Ok(ItemKind::Require(condition, message))
    }

    fn text(&mut self, what: &str) -> Parse<String> {
        let TokenKind::Text(text) = self.kind().clone() else {
            return Err(self.unexpected(what));
        };
        self.advance();
        Ok(text)
    }

    fn game_let(&mut self) -> Parse<ItemKind> {
        let name = self.name("a name")?;
        self.expect_sign_for(Sign::Assign, "and a value")?;
        let value = self.expr()?;
        self.expect_semicolon()?;
        Ok(ItemKind::Let(name, value))
    }

    fn function(&mut self) -> Parse<ItemKind> {
        let name = self.name("the function's name")?;
        self.expect_sign_for(Sign::OpenParen, "and the arguments")?;
        let params = self.list(Sign::CloseParen, |p| p.param(false))?;
        self.expect_sign_for(Sign::ResultArrow, "and the type of the result")?;
        let result = self.type_name()?;
        let (body, close) = self.block()?;
        Ok(ItemKind::Function(Function { name, params, result, body, close }))
    }

    fn state(&mut self) -> Parse<ItemKind> {
        self.expect_sign(Sign::OpenBrace)?;
        let mut variables = Vec::new();
        while !self.take_sign(Sign::CloseBrace) {
            if self.at_end() {
                return Err(self.unexpected("`}` that closes the state"));
            }
            match self.variable() {
                Ok(variable) => variables.push(variable),
                Err(_) => self.skip_statement(),
            }
        }
        Ok(ItemKind::State(variables))
    }

    fn variable(&mut self) -> Parse<Variable> {
        let name = self.name("a variable")?;
        let domain = self.domain_after_in(&name)?;
        let start = if self.take_sign(Sign::Assign) { Some(self.expr()?) } else { None };
        self.expect_semicolon()?;
        Ok(Variable { name, domain, start })
    }

    fn domain_after_in(&mut self, name: &Name) -> Parse<Source> {
        if !self.is_keyword(Keyword::In) {
            let title = format!("expected `in` and a domain, found {}", self.kind());
            let help = format!(
                "write `{} in 0..=9`, `in bool`, `in {{a, b}}`, `in set of 0..n` or `in [0..=9; n]`",
                name.text
            );
            return Err(self.complain(Diagnostic::at(self.span(), title, "expected `in`").help(help)));
        }
        self.advance();
        self.source()
    }

    /// A DOMAIN, or an expression for a list or set.
    fn source(&mut self) -> Parse<Source> {
        let span = self.span();
        let kind = self.nested(Self::source_kind)?;
        Ok(Source { kind, span: self.since(span) })
    }

    fn source_kind(&mut self) -> Parse<SourceKind> {
        let next_is_of = matches!(self.kind_after(1), TokenKind::Word(word) if word == "of");
        if self.is_word("bool") && !matches!(self.kind_after(1), TokenKind::Sign(Sign::OpenBracket)) {
            self.advance();
            return Ok(SourceKind::Bool);
        }
        if self.is_word("set") && next_is_of {
            self.advance();
            self.advance();
            return Ok(SourceKind::SetOf(self.source()?.into()));
        }
        if self.is_sign(Sign::OpenBracket)
            && let Some(array) = self.array_source()?
        {
            return Ok(array);
        }
        let value = self.expr()?;
        Ok(match value.kind {
            ExprKind::Range(low, high, inclusive) => SourceKind::Range(low, high, inclusive),
            ExprKind::Set(items) if !items.is_empty() && items.iter().all(|i| matches!(i.kind, ExprKind::Name(_))) => {
                let names = items.into_iter().filter_map(|item| match item.kind {
                    ExprKind::Name(text) => Some(Name { text, span: item.span }),
                    _ => None,
                });
                SourceKind::Names(names.collect())
            }
            _ => SourceKind::Items(value.into()),
        })
    }

    /// `[DOMAIN; length]`, told from a list expression by its `;` at the outer level.
    fn array_source(&mut self) -> Parse<Option<SourceKind>> {
        let mut open = 0usize;
        for token in &self.tokens[self.at..] {
            match token.kind {
                TokenKind::Sign(Sign::OpenBracket | Sign::OpenParen | Sign::OpenBrace) => open += 1,
                TokenKind::Sign(Sign::CloseBracket | Sign::CloseParen | Sign::CloseBrace) => open -= 1,
                TokenKind::Sign(Sign::Semicolon) if open == 1 => break,
                TokenKind::End => return Ok(None),
                _ => {}
            }
            if open == 0 {
                return Ok(None);
            }
        }
        self.advance();
        let item = self.source()?;
        self.expect_sign_for(Sign::Semicolon, "and the length")?;
        let length = self.expr()?;
        self.expect_sign(Sign::CloseBracket)?;
        Ok(Some(SourceKind::Array(item.into(), length.into())))
    }

    fn sum(&mut self) -> Parse<ItemKind> {
        self.expect_word("of", "after `sum`")?;
        let part = self.name("what a part is called")?;
        self.expect_sign_for(Sign::OpenParen, "and the part's variables")?;
        let variables = self.list(Sign::CloseParen, |p| {
            let name = p.name("a variable")?;
            let domain = p.domain_after_in(&name)?;
            Ok(Variable { name, domain, start: None })
        })?;
        self.expect_word("from", "and the list of parts")?;
        let from = self.expr()?;
        self.expect_semicolon()?;
        Ok(ItemKind::Sum { part, variables, from })
    }

    fn one_expression(&mut self, item: fn(Expr) -> ItemKind) -> Parse<ItemKind> {
        let value = self.expr()?;
        self.expect_semicolon()?;
        Ok(item(value))
    }

    fn move_item(&mut self) -> Parse<ItemKind> {
        let mut name = self.name("the move's name")?;
        let mut owner = None;
        if matches!(name.text.as_str(), "first" | "second" | "third") && matches!(self.kind(), TokenKind::Word(_)) {
            owner = Some(name);
            name = self.name("the move's name")?;
        }
        let choices =
            if self.take_sign(Sign::OpenParen) { self.list(Sign::CloseParen, Self::choice)? } else { Vec::new() };
        let when = if self.take_keyword(Keyword::When) { Some(self.expr()?) } else { None };
        if !self.is_sign(Sign::OpenBrace) {
            let title =
                format!("expected {}`{{`, found {}", if when.is_none() { "`when` or " } else { "" }, self.kind());
            let mut diagnostic = Diagnostic::at(self.span(), title, "here");
            diagnostic.help = Some(match self.kind() {
                TokenKind::Sign(Sign::Assign) => "`=` gives a value to a variable; to compare, write `==`".to_string(),
                _ if when.is_none() => format!("a condition is written `move {} when COND {{ … }}`", name.text),
                _ => "what the move does stands in `{ … }`".to_string(),
            });
            return Err(self.complain(diagnostic));
        }
        let (body, _) = self.block()?;
        Ok(ItemKind::Move(Move { owner, name, choices, when, body }))
    }

    fn choice(&mut self) -> Parse<(Name, Source)> {
        let name = self.name("the name of a choice")?;
        let source = self.domain_after_in(&name)?;
        Ok((name, source))
    }

    fn end_item(&mut self) -> Parse<ItemKind> {
        self.expect_keyword(Keyword::When, "after `end`")?;
        let condition = self.expr()?;
        let ending = self.arrow_ending()?;
        Ok(ItemKind::End(condition, ending))
    }

    /// `=> RESULT;`
    fn arrow_ending(&mut self) -> Parse<Ending> {
        self.expect_sign_for(Sign::Arrow, "and a result")?;
        let word =
            self.name("a result: `win`, `lose`, `draw`, `winner PLAYER`, `score EXPR` or `payoffs [EXPR, …]`")?;
        let value = if self.is_sign(Sign::Semicolon) { None } else { Some(self.expr()?) };
        self.expect_semicolon()?;
        Ok(Ending { word, value })
    }

    fn symmetry(&mut self) -> Parse<ItemKind> {
        let array = self.name("the array")?;
        self.expect_word("by", "and a permutation")?;
        let permutation = self.expr()?;
        self.expect_semicolon()?;
        Ok(ItemKind::Symmetry(array, permutation))
    }

    fn regions(&mut self) -> Parse<ItemKind> {
        let array = self.name("the array")?;
        self.expect_word("as", "and the number of rows")?;
        let rows = self.expr()?;
        self.expect_word("by", "and the number of columns")?;
        let columns = self.expr()?;
        self.expect_word("where", "and a condition on `cell`")?;
        let condition = self.expr()?;
        self.expect_semicolon()?;
        Ok(ItemKind::Regions { array, rows, columns, condition })
    }

    fn claim(&mut self) -> Parse<ItemKind> {
        let field = self.name("`winner`, `outcome`, `value` or `nimber`")?;
        self.expect_sign_for(Sign::Assign, "and the claimed value")?;
        let value = self.expr()?;
        let when = if self.take_keyword(Keyword::When) { Some(self.expr()?) } else { None };
        self.expect_semicolon()?;
        Ok(ItemKind::Claim(field, value, when))
    }

    fn sample(&mut self) -> Parse<ItemKind> {
        self.expect_sign(Sign::OpenBrace)?;
        let mut lines = Vec::new();
        while !self.take_sign(Sign::CloseBrace) {
            if self.at_end() {
                return Err(self.unexpected("`}` that closes the sample"));
            }
            let line = self.choice().and_then(|line| self.expect_semicolon().map(|()| line));
            match line {
                Ok(line) => lines.push(line),
                Err(_) => self.skip_statement(),
            }
        }
        self.take_sign(Sign::Semicolon);
        Ok(ItemKind::Sample(lines))
    }

    fn show(&mut self) -> Parse<ItemKind> {
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
        self.expect_sign(Sign::OpenParen)?;
        let cells = self.expr()?;
        self.expect_sign_for(Sign::Comma, "and the number of rows")?;
        let rows = self.expr()?;
        self.expect_sign_for(Sign::Comma, "and the number of columns")?;
        let columns = self.expr()?;
        self.take_sign(Sign::Comma);
        self.expect_sign(Sign::CloseParen)?;
        let legend = if self.take_sign(Sign::OpenBrace) {
            self.list(Sign::CloseBrace, |p| {
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

    /// Cuts `"text with {EXPR}"` at its braces; the expressions are read from the file itself, so places are right.
    fn show_pieces(&mut self, span: Span) -> Parse<Vec<ShowPiece>> {
        let end = (span.end as usize).saturating_sub(1).max(span.start as usize + 1);
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut at = span.start as usize + 1;
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
                    let Some(length) = self.source[at..end].find('}') else {
                        let here = Span::new(at, at + 1);
                        let help = "close it with `}`, or write `{{` for a brace";
                        return Err(
                            self.complain(Diagnostic::at(here, "a `{` in the text is not closed", "here").help(help))
                        );
                    };
                    pieces.push(ShowPiece::Value(self.piece(at + 1..at + length)?));
                    at += length + 1;
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

    fn piece(&mut self, range: std::ops::Range<usize>) -> Parse<Expr> {
        let (tokens, diagnostics) = lex(self.source, range);
        let mut inner = Parser { source: self.source, tokens, at: 0, depth: self.depth, diagnostics };
        let value = inner.expr();
        if value.is_ok() && !inner.at_end() {
            inner.unexpected("`}`");
        }
        self.diagnostics.extend(inner.diagnostics);
        value
    }

    fn example(&mut self) -> Parse<ItemKind> {
        self.expect_sign(Sign::OpenBrace)?;
        let given = self.list(Sign::CloseBrace, |p| p.field("a parameter"))?;
        self.expect_word("gives", "and the expected result")?;
        self.expect_sign(Sign::OpenBrace)?;
        let gives = self.list(Sign::CloseBrace, |p| p.field("a field of the result"))?;
        self.expect_semicolon()?;
        Ok(ItemKind::Example { given, gives })
    }

    fn field(&mut self, what: &str) -> Parse<(Name, Expr)> {
        let name = self.name(what)?;
        self.expect_sign_for(Sign::Colon, "and a value")?;
        let value = self.expr()?;
        Ok((name, value))
    }
}
