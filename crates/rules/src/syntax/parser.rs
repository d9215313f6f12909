//! The parser's cursor: looking ahead, expecting, complaining, and finding the way back after a mistake.
//!
//! The grammar itself is in [`super::items`], [`super::statements`] and [`super::expressions`].

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::lexer::lex;
use crate::syntax::token::{Keyword, Sign, Token, TokenKind};
use crate::syntax::tree::{File, Name};

/// A mistake was reported; the caller looks for the next place to go on from.
#[derive(Debug)]
pub struct Reported;

/// The result of reading one thing.
pub type Parse<T> = Result<T, Reported>;

/// How deep blocks and expressions may nest, so that every later stage may recurse over the tree.
pub const MAX_DEPTH: u16 = 100;

/// The longest file that is read.
pub const MAX_LENGTH: usize = 1 << 20;

/// The tree of a rules file, if there is enough of one, and every mistake.
pub fn parse(source: &str) -> (Option<File>, Vec<Diagnostic>) {
    if source.len() > MAX_LENGTH {
        let title = format!("the file has {} bytes; a rules file has at most {MAX_LENGTH}", source.len());
        return (None, vec![Diagnostic::new(title).help("give large data as parameters of the instance")]);
    }
    let (mut tokens, diagnostics) = lex(source, 0..source.len());
    let game = tokens.iter().position(|t| t.kind == TokenKind::Keyword(Keyword::Game)).unwrap_or(0);
    let mut index = 0;
    // Behind `game`, a line of `///` is an ordinary comment.
    tokens.retain(|token| {
        index += 1;
        index <= game || !matches!(token.kind, TokenKind::Doc(_))
    });
    let mut parser = Parser { source, tokens, at: 0, depth: 0, diagnostics };
    let file = parser.file().ok();
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|d| d.label.as_ref().map(|(span, _)| span.start));
    (file, diagnostics)
}

pub(super) struct Parser<'s> {
    pub(super) source: &'s str,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    pub(super) depth: u16,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Parser<'_> {
    pub(super) fn kind(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    pub(super) fn kind_after(&self, steps: usize) -> &TokenKind {
        &self.tokens[(self.at + steps).min(self.tokens.len() - 1)].kind
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The place just behind the last token read.
    pub(super) fn behind(&self) -> Span {
        let end = if self.at == 0 { 0 } else { self.tokens[self.at - 1].span.end };
        Span { start: end.saturating_sub(1), end }
    }

    /// From `start` to the last token read.
    pub(super) fn since(&self, start: Span) -> Span {
        if self.at == 0 { start } else { start.to(self.tokens[self.at - 1].span) }
    }

    pub(super) fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    pub(super) fn is_sign(&self, sign: Sign) -> bool {
        *self.kind() == TokenKind::Sign(sign)
    }

    pub(super) fn is_keyword(&self, keyword: Keyword) -> bool {
        *self.kind() == TokenKind::Keyword(keyword)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.kind(), TokenKind::Word(w) if w == word)
    }

    pub(super) fn at_end(&self) -> bool {
        *self.kind() == TokenKind::End
    }

    pub(super) fn take_sign(&mut self, sign: Sign) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn take_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn complain(&mut self, diagnostic: Diagnostic) -> Reported {
        self.diagnostics.push(diagnostic);
        Reported
    }

    /// Something else than `expected` stands here.
    pub(super) fn unexpected(&mut self, expected: &str) -> Reported {
        let found = self.kind().to_string();
        let mut diagnostic =
            Diagnostic::at(self.span(), format!("expected {expected}, found {found}"), format!("expected {expected}"));
        if self.is_sign(Sign::Assign) {
            diagnostic = diagnostic.help("`=` gives a value to a variable; to compare, write `==`");
        }
        self.complain(diagnostic)
    }

    pub(super) fn expect_sign(&mut self, sign: Sign) -> Parse<()> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{}`", sign.text()))) }
    }

    /// Expects a sign, with a word on what it is for.
    pub(super) fn expect_sign_for(&mut self, sign: Sign, purpose: &str) -> Parse<()> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{}` {purpose}", sign.text()))) }
    }

    pub(super) fn expect_keyword(&mut self, keyword: Keyword, purpose: &str) -> Parse<()> {
        if self.take_keyword(keyword) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{}` {purpose}", keyword.text())))
        }
    }

    pub(super) fn expect_word(&mut self, word: &str, purpose: &str) -> Parse<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}` {purpose}"))) }
    }

    /// The `;` that closes what came before. A forgotten one is reported where it belongs, and reading goes on if the
    /// next token starts a line.
    pub(super) fn expect_semicolon(&mut self) -> Parse<()> {
        if self.take_sign(Sign::Semicolon) {
            return Ok(());
        }
        if self.is_sign(Sign::Assign) {
            return Err(self.unexpected("`;`"));
        }
        let behind = self.behind();
        let gap = &self.source[behind.end as usize..self.span().start as usize];
        if gap.contains('\n') || self.is_sign(Sign::CloseBrace) || self.at_end() {
            self.complain(Diagnostic::at(behind, "a `;` is missing", "expected `;` after this").help("add `;` here"));
            return Ok(());
        }
        Err(self.unexpected("`;`"))
    }

    pub(super) fn name(&mut self, what: &str) -> Parse<Name> {
        match self.kind().clone() {
            TokenKind::Word(text) => {
                let span = self.span();
                self.advance();
                Ok(Name { text, span })
            }
            TokenKind::Keyword(keyword) => {
                let title = format!("expected {what}, found the reserved word `{}`", keyword.text());
                let help = format!("choose another name, such as `{}_`", keyword.text());
                Err(self.complain(Diagnostic::at(self.span(), title, "reserved").help(help)))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Runs `read` one level deeper, or reports that the nesting is too deep.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            let title = format!("this is nested more than {MAX_DEPTH} deep");
            let help = "name the parts with `let` or move them into a function";
            return Err(self.complain(Diagnostic::at(self.span(), title, "too deep").help(help)));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips to behind the next `;` of this block, or to before the `}` that closes it.
    pub(super) fn skip_statement(&mut self) {
        let mut open = 0usize;
        while !self.at_end() {
            match self.kind() {
                TokenKind::Sign(Sign::OpenBrace | Sign::OpenParen | Sign::OpenBracket) => open += 1,
                TokenKind::Sign(Sign::CloseBrace) if open == 0 => return,
                TokenKind::Sign(Sign::CloseBrace) => {
                    open -= 1;
                    if open == 0 {
                        self.advance();
                        return;
                    }
                }
                TokenKind::Sign(Sign::CloseParen | Sign::CloseBracket) => open = open.saturating_sub(1),
                TokenKind::Sign(Sign::Semicolon) if open == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// `OPEN item, item, … CLOSE`, where the open sign was read; a comma may stand at the end.
    pub(super) fn list<T>(&mut self, close: Sign, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut items = Vec::new();
        while !self.take_sign(close) {
            items.push(item(self)?);
            if self.take_sign(close) {
                break;
            }
            if !self.take_sign(Sign::Comma) {
                return Err(self.unexpected(&format!("`,` or `{}`", close.text())));
            }
        }
        Ok(items)
    }
}
