//! Items: the file, its game, and everything directly inside the game's braces.

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::suggest::nearest;
use crate::syntax::parser::{MAX_DEPTH, Parse, Parser};
use crate::syntax::token::{Keyword, Sign, TokenKind};
use crate::syntax::tree::{
    ClaimedValue, Expr, ExprKind, File, Function, Item, ItemKind, Name, Param, Source, SourceKind, TypeKind, TypeName,
    Variable,
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
    "name",
    "show",
    "input",
    "output",
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
            let help = "a rules file is `/// text` and then `game NAME(parameters) { … }`";
            return Err(self.unexpected_help("`game`", help));
        }
        self.advance();
        let name = self.name("the game's name")?;
        let open = self.span();
        let params = if self.take_sign(Sign::OpenParen) {
            self.list(open, Sign::CloseParen, |p| p.param(true))?
        } else {
            Vec::new()
        };
        let open = self.span();
        let opened = self.take_sign(Sign::OpenBrace);
        if !opened {
            let reported = self.unexpected("`{` that opens the game");
            if !self.starts_item() {
                return Err(reported);
            }
        }
        let items = self.items(opened.then_some(open));
        Ok(File { name, doc, params, items, complete: !self.skipped })
    }

    fn items(&mut self, open: Option<Span>) -> Vec<Item> {
        let mut items = Vec::new();
        let mut closed = false;
        while !self.at_end() {
            let span = self.span();
            if self.take_sign(Sign::Semicolon) {
                continue;
            }
            if self.take_sign(Sign::CloseBrace) {
                if !self.at_end() && !closed {
                    self.behind_the_game(span);
                }
                closed = true;
                continue;
            }
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
        if let (false, Some(open)) = (closed, open) {
            self.unclosed("`}` that closes the game", open);
        }
        items
    }

    /// Reports text after the `}` that closes the game. After another mistake, that `}` may have closed something else.
    fn behind_the_game(&mut self, close: Span) {
        if !self.diagnostics.is_empty() {
            return;
        }
        let title = format!("expected the end of the file, found {}", self.found());
        let help = match self.kind() {
            TokenKind::Keyword(Keyword::Game) => "a file holds one game; put the other one into its own file",
            _ => "is there a `}` too many above?",
        };
        let diagnostic = Diagnostic::at(self.here(), title, "behind the game");
        self.complain(diagnostic.related(close, "the game is closed here").help(help));
    }

    /// Skips to the next item: behind a `;` or `}` at this level, or before a word that starts one on a new line.
    fn skip_item(&mut self) {
        while !self.at_end() && !self.is_sign(Sign::CloseBrace) {
            let before = self.at;
            if self.starts_item() && self.starts_line() {
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

    /// Whether the word here starts an item, or may do so.
    fn starts_item(&self) -> bool {
        match self.kind() {
            TokenKind::Word(word) => ITEMS.contains(&word.as_str()),
            TokenKind::Keyword(keyword) => ITEMS.contains(&keyword.text()),
            _ => false,
        }
    }

    fn item(&mut self, span: Span) -> Parse<ItemKind> {
        let word = match self.kind().clone() {
            TokenKind::Keyword(keyword) => keyword.text().to_string(),
            TokenKind::Word(word) => word,
            _ => return Err(self.unexpected("an item such as `state`, `move` or `end`")),
        };
        if !ITEMS.contains(&word.as_str()) {
            let title = format!("`{word}` does not start an item");
            return Err(self.complain(Diagnostic::at(span, title, "not an item").help(item_help(&word))));
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
            "stuck" => self.stuck_item(),
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
            "name" => self.names(),
            "show" => self.show(),
            "input" => self.input(),
            "output" => self.output(),
            _ => self.example(),
        }
    }

    /// An item that is given outside of a file.
    pub(super) fn lone_item(&mut self) -> Parse<Item> {
        let span = self.span();
        if !["input", "output", "sample"].iter().any(|word| self.is_word(word)) {
            return Err(self.unexpected("`input`, `output` or `sample`"));
        }
        let kind = self.item(span)?;
        while self.take_sign(Sign::Semicolon) {}
        if !self.at_end() {
            return Err(self.unexpected("the end"));
        }
        Ok(Item { kind, span: self.since(span) })
    }

    fn param(&mut self, with_default: bool) -> Parse<Param> {
        let name = self.name("a parameter's name")?;
        if !self.is_sign(Sign::Colon) {
            let help = match (name.text.as_str(), self.kind()) {
                (ty @ ("int" | "bool" | "text"), TokenKind::Word(word)) => {
                    format!("the name stands before the type: `{word}: {ty}`")
                }
                (name, _) => format!("write `{name}: int`, `{name}: bool`, `{name}: text` or `{name}: [int]`"),
            };
            return Err(self.unexpected_help("`:` and a type", help));
        }
        self.advance();
        let ty = self.type_name()?;
        if self.is_sign(Sign::Assign) && !with_default {
            let help = "only parameters of the game have defaults; give every argument in the call";
            return Err(self.unexpected_help("`,` or `)`", help));
        }
        let default = if self.take_sign(Sign::Assign) { Some(self.expr()?) } else { None };
        Ok(Param { name, ty, default })
    }

    fn type_name(&mut self) -> Parse<TypeName> {
        let span = self.span();
        if self.take_sign(Sign::OpenBracket) {
            let item = self.nested(Self::type_name)?;
            if !self.take_sign(Sign::CloseBracket) {
                return Err(self.unclosed("`]`", span));
            }
            return Ok(TypeName { kind: TypeKind::List(item.into()), span: self.since(span) });
        }
        let name = self.name("a type")?;
        Ok(TypeName { kind: TypeKind::Word(name.text), span })
    }

    fn require(&mut self) -> Parse<ItemKind> {
        let condition = self.expr()?;
        let message = if self.take_sign(Sign::Colon) { Some(self.text("a message in quotes")?) } else { None };
        if matches!(self.kind(), TokenKind::Text(_)) {
            return Err(self.unexpected_help("`:` or `;`", "write `require COND : \"message\";`"));
        }
        self.expect_semicolon()?;
        Ok(ItemKind::Require(condition, message))
    }

    pub(super) fn text(&mut self, what: &str) -> Parse<String> {
        let TokenKind::Text(text) = self.kind().clone() else {
            return Err(self.unexpected(what));
        };
        self.advance();
        Ok(text)
    }

    fn game_let(&mut self) -> Parse<ItemKind> {
        let name = self.name("a name")?;
        self.assign_after_name(&name)?;
        let value = self.expr()?;
        self.expect_semicolon()?;
        Ok(ItemKind::Let(name, value))
    }

    fn function(&mut self) -> Parse<ItemKind> {
        let name = self.name("the function's name")?;
        let open = self.span();
        if !self.take_sign(Sign::OpenParen) {
            let help = format!("without arguments it is written `fn {}() -> int {{ … }}`", name.text);
            return Err(self.unexpected_help("`(` and the arguments", help));
        }
        let params = self.list(open, Sign::CloseParen, |p| p.param(false))?;
        if !self.take_sign(Sign::ResultArrow) {
            let help = format!("write `fn {}(…) -> int {{ … }}`, or `bool`, `[int]`, `set`", name.text);
            return Err(self.unexpected_help("`->` and the type of the result", help));
        }
        let result = self.type_name()?;
        let (body, close) = self.block()?;
        Ok(ItemKind::Function(Function { name, params, result, body, close }))
    }

    fn state(&mut self) -> Parse<ItemKind> {
        let open = self.span();
        self.expect_sign_for(Sign::OpenBrace, "and the variables of the position")?;
        let mut variables = Vec::new();
        while !self.take_sign(Sign::CloseBrace) {
            if self.take_sign(Sign::Semicolon) {
                continue;
            }
            if self.block_left_open(open) {
                break;
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

    pub(super) fn domain_after_in(&mut self, name: &Name) -> Parse<Source> {
        if !self.is_keyword(Keyword::In) {
            let help = format!(
                "write `{} in 0..=9`, `in bool`, `in {{a, b}}`, `in set of 0..n` or `in [0..=9; n]`",
                name.text
            );
            return Err(self.unexpected_help("`in` and a domain", help));
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

    /// `[DOMAIN; length]`. Its `;` at the outer level distinguishes it from a list expression.
    fn array_source(&mut self) -> Parse<Option<SourceKind>> {
        if !self.is_array_source() {
            return Ok(None);
        }
        let open = self.span();
        self.advance();
        let item = self.source()?;
        self.expect_sign_for(Sign::Semicolon, "and the length")?;
        let length = self.expr()?;
        if !self.take_sign(Sign::CloseBracket) {
            return Err(self.unclosed("`]`", open));
        }
        Ok(Some(SourceKind::Array(item.into(), length.into())))
    }

    /// Looks ahead for a `;` at the outer level of this bracket. A token that no domain contains ends the search early.
    fn is_array_source(&self) -> bool {
        let mut open: Vec<Sign> = Vec::new();
        for token in &self.tokens[self.at..] {
            let TokenKind::Sign(sign) = token.kind else {
                continue;
            };
            match sign {
                Sign::OpenBracket | Sign::OpenParen | Sign::OpenBrace => open.push(sign),
                Sign::CloseBracket | Sign::CloseParen | Sign::CloseBrace => drop(open.pop()),
                Sign::Semicolon if open.len() == 1 => return true,
                Sign::Semicolon if open.last() != Some(&Sign::OpenBracket) => return false,
                _ => {}
            }
            if open.is_empty() || open.len() > usize::from(MAX_DEPTH) {
                return false;
            }
        }
        false
    }

    fn sum(&mut self) -> Parse<ItemKind> {
        self.expect_word("of", "after `sum`")?;
        let part = self.name("what a part is called")?;
        let open = self.span();
        self.expect_sign_for(Sign::OpenParen, "and the part's variables")?;
        let variables = self.list(open, Sign::CloseParen, |p| {
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
        if self.is_sign(Sign::Assign) || self.is_sign(Sign::Colon) {
            return Err(self.unexpected_help("a value", "leave out the sign: the value follows the word"));
        }
        let value = self.expr()?;
        self.expect_semicolon()?;
        Ok(item(value))
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

    fn names(&mut self) -> Parse<ItemKind> {
        let mut called = vec![self.name("a choice or a variable")?];
        while self.take_sign(Sign::Comma) {
            called.push(self.name("a choice or a variable")?);
        }
        if !self.is_word("as") {
            let help = "write `name at, to as ROWS by COLUMNS;` or `name at, to as [\"a1\", \"b1\", …];`";
            return Err(self.unexpected_help("`as` and the names", help));
        }
        self.advance();
        let names = self.expr()?;
        let columns = if self.take_word("by") { Some(self.expr()?) } else { None };
        self.expect_semicolon()?;
        Ok(ItemKind::Names(called, names, columns))
    }

    fn claim(&mut self) -> Parse<ItemKind> {
        let field = self.name("`winner`, `outcome`, `value` or `nimber`")?;
        self.expect_sign_for(Sign::Assign, "and the claimed value")?;
        let value = self.expr()?;
        let over = if self.take_word("over") { Some(self.expr()?) } else { None };
        let when = if self.take_keyword(Keyword::When) { Some(self.expr()?) } else { None };
        self.expect_semicolon()?;
        Ok(ItemKind::Claim(field, ClaimedValue { value, over }, when))
    }

    fn sample(&mut self) -> Parse<ItemKind> {
        let open = self.span();
        self.expect_sign_for(Sign::OpenBrace, "and the parameters, as in `{ n in 0..=9; }`")?;
        let mut lines = Vec::new();
        while !self.take_sign(Sign::CloseBrace) {
            if self.take_sign(Sign::Semicolon) {
                continue;
            }
            if self.block_left_open(open) {
                break;
            }
            let line = self.choice().and_then(|line| self.expect_semicolon().map(|()| line));
            match line {
                Ok(line) => lines.push(line),
                Err(_) => self.skip_statement(),
            }
        }
        Ok(ItemKind::Sample(lines))
    }

    fn example(&mut self) -> Parse<ItemKind> {
        let open = self.span();
        self.expect_sign_for(Sign::OpenBrace, "and the parameters, as in `{ n: 3 }`")?;
        let given = self.list(open, Sign::CloseBrace, |p| p.field("a parameter"))?;
        self.expect_word("gives", "and the expected result")?;
        let open = self.span();
        self.expect_sign_for(Sign::OpenBrace, "and the fields of the result, as in `{ winner: first }`")?;
        let gives = self.list(open, Sign::CloseBrace, |p| p.field("a field of the result"))?;
        self.expect_semicolon()?;
        Ok(ItemKind::Example { given, gives })
    }

    fn field(&mut self, what: &str) -> Parse<(Name, Expr)> {
        let name = self.name(what)?;
        self.expect_sign_for(Sign::Colon, "and a value")?;
        let value = self.expr()?;
        Ok((name, value))
    }

    /// Whether the block that was opened at `open` ends here without its `}`, because the text ends or an item starts.
    pub(super) fn block_left_open(&mut self, open: Span) -> bool {
        if self.at_end() {
            self.unclosed("`}`", open);
            return true;
        }
        if !self.starts_line() || !self.surely_starts_item() {
            return false;
        }
        let title = format!("a `}}` is missing before this {}", self.found());
        let help = "close the block above with `}`; items stand directly inside the game";
        self.complain(Diagnostic::at(self.here(), title, "starts an item").related(open, "not closed").help(help));
        true
    }

    /// Whether the words here can only start an item, not a statement or a variable.
    fn surely_starts_item(&self) -> bool {
        let next = self.kind_after(1);
        match self.kind() {
            TokenKind::Keyword(Keyword::Move | Keyword::Fn | Keyword::State) => true,
            TokenKind::Word(word) => match word.as_str() {
                "end" => *next == TokenKind::Keyword(Keyword::When),
                "stuck" => matches!(next, TokenKind::Sign(Sign::Arrow) | TokenKind::Keyword(Keyword::When)),
                "forever" => *next == TokenKind::Sign(Sign::Arrow),
                "sample" | "example" => *next == TokenKind::Sign(Sign::OpenBrace),
                "show" => matches!(next, TokenKind::Text(_) | TokenKind::Word(_)),
                "input" => matches!(next, TokenKind::Text(_)),
                "output" => matches!(next, TokenKind::Word(_)),
                "sum" | "players" | "starts" | "objective" | "symmetry" | "regions" | "name" | "claim" | "require" => {
                    matches!(next, TokenKind::Word(_) | TokenKind::Int(_))
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// The hint for a word that starts no item.
fn item_help(word: &str) -> String {
    match word {
        "function" | "def" | "func" | "fun" => "a function is written `fn NAME(x: int) -> int { … }`".to_string(),
        "var" | "const" | "int" | "bool" => {
            "a value of the instance is `let NAME = …;`, a variable of the position stands in `state { … }`".to_string()
        }
        "win" | "lose" | "draw" | "winner" | "if" => "write `end when COND => win;`, or `lose`, `draw`".to_string(),
        "gain" | "for" | "return" | "again" | "split" | "turn" => {
            format!("`{word}` is a statement: it stands inside a move's or a function's `{{ … }}`")
        }
        "else" => "is there a `}` too many above?".to_string(),
        "game" => "a file holds one game; put the other one into its own file".to_string(),
        _ => match nearest(word, ITEMS.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the items are {}", ITEMS.join(", ")),
        },
    }
}
