//! The parser's cursor: looking ahead, expecting, complaining, and finding the way back after a mistake.
//!
//! The grammar itself is in [`super::items`], [`super::statements`] and [`super::expressions`].

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::lexer::{Lexed, lex};
use crate::syntax::token::{Keyword, Sign, Token, TokenKind};
use crate::syntax::tree::{File, Item, Name};

/// A mistake was reported; the caller looks for the next place to go on from.
#[derive(Debug)]
pub struct Reported;

/// The result of reading one thing.
pub type Parse<T> = Result<T, Reported>;

/// How deep blocks and expressions may nest, so that every later stage may recurse over the tree.
pub const MAX_DEPTH: u16 = 100;

/// The longest file that is read.
pub const MAX_LENGTH: usize = 1 << 20;

/// How `=` and `==` differ.
pub(super) const COMPARE: &str = "`=` gives a value to a variable; to compare, write `==`";

/// The tree of a rules file, if enough of it could be read, and every mistake.
pub fn parse(source: &str) -> (Option<File>, Vec<Diagnostic>) {
    if source.len() > MAX_LENGTH {
        let title = format!("the file has {} bytes; a rules file has at most {MAX_LENGTH}", source.len());
        return (None, vec![Diagnostic::new(title).help("give large data as parameters of the instance")]);
    }
    let Lexed { mut tokens, diagnostics, dropped } = lex(source, 0..source.len());
    let game = tokens.iter().position(|t| t.kind == TokenKind::Keyword(Keyword::Game)).unwrap_or(0);
    let mut index = 0;
    // After `game`, a `///` line is an ordinary comment.
    tokens.retain(|token| {
        index += 1;
        index <= game || !matches!(token.kind, TokenKind::Doc(_))
    });
    let mut parser = Parser::new(source, tokens, "the end of the file");
    parser.diagnostics = diagnostics;
    parser.skipped = !dropped.is_empty();
    parser.dropped = rest_of_lines(source, &dropped);
    let file = parser.file().ok();
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|d| d.label.as_ref().map(|(span, _)| span.start));
    (file, diagnostics)
}

/// One item that stands for itself, `input …;`, `output …;` or `sample { … }`, or every mistake in it.
pub(crate) fn parse_item(text: &str) -> Result<Item, Vec<Diagnostic>> {
    let Lexed { mut tokens, diagnostics, .. } = lex(text, 0..text.len());
    tokens.retain(|token| !matches!(token.kind, TokenKind::Doc(_)));
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let mut parser = Parser::new(text, tokens, "the end");
    let item = parser.lone_item();
    match item {
        Ok(item) if parser.diagnostics.is_empty() => Ok(item),
        _ => Err(parser.diagnostics),
    }
}

/// What to write here for an operator of another language.
pub(super) fn infix_help(word: &str) -> Option<&'static str> {
    Some(match word {
        "mod" | "MOD" => "the remainder is written `a % b`",
        "div" | "DIV" => "`a / b` rounds down",
        "xor" | "XOR" => "write `xor(a, b)`",
        "AND" | "And" | "und" => "write `and`",
        "OR" | "Or" => "write `or`",
        "is" | "equals" | "eq" => "to compare, write `==`",
        "to" | "until" => "a range is written `a..b`, or `a..=b` with `b` itself",
        _ => return None,
    })
}

/// From each place to the end of its line.
fn rest_of_lines(source: &str, places: &[usize]) -> Vec<(usize, usize)> {
    let mut rests: Vec<(usize, usize)> = Vec::new();
    for &place in places {
        let end = match rests.last() {
            Some(&(_, end)) if place < end => end,
            _ => place + source[place..].find('\n').unwrap_or(source.len() - place),
        };
        rests.push((place, end));
    }
    rests
}

pub(super) struct Parser<'s> {
    pub(super) source: &'s str,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    pub(super) depth: u16,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Where the lexer dropped something, and where that line ends.
    dropped: Vec<(usize, usize)>,
    /// What a message calls the end of the text.
    end_name: &'static str,
    /// The token that the last complaint was about: one complaint is enough.
    complained_at: Option<usize>,
    /// Whether nesting that is too deep was reported.
    deep: bool,
    /// Whether something was skipped after a mistake, so that the tree is not the whole file.
    pub(super) skipped: bool,
}

impl<'s> Parser<'s> {
    pub(super) fn new(source: &'s str, tokens: Vec<Token>, end_name: &'static str) -> Parser<'s> {
        debug_assert!(tokens.last().is_some_and(|token| token.kind == TokenKind::End));
        Parser {
            source,
            tokens,
            at: 0,
            depth: 0,
            diagnostics: Vec::new(),
            dropped: Vec::new(),
            end_name,
            complained_at: None,
            deep: false,
            skipped: false,
        }
    }
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

    /// The last sign or letter of the last token read.
    pub(super) fn behind(&self) -> Span {
        let end = if self.at == 0 { 0 } else { self.tokens[self.at - 1].span.end as usize };
        let last = self.source[..end].chars().next_back().map_or(0, char::len_utf8);
        Span::new(end - last, end)
    }

    /// The place of something missing or wrong: this token, or the last one at the end of the text.
    pub(super) fn here(&self) -> Span {
        if !self.at_end() {
            return self.span();
        }
        if self.at > 0 {
            return self.behind();
        }
        let start = self.span().start as usize;
        let next = self.source[start..].chars().next().map_or(0, char::len_utf8);
        Span::new(start, start + next)
    }

    /// Whether the token here is the first of its line.
    pub(super) fn starts_line(&self) -> bool {
        let behind = if self.at == 0 { 0 } else { self.tokens[self.at - 1].span.end };
        self.source[behind as usize..self.span().start as usize].contains('\n')
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

    /// Reports a mistake, unless it only follows from one that was already reported here or by the lexer on this line.
    pub(super) fn complain(&mut self, diagnostic: Diagnostic) -> Reported {
        self.skipped = true;
        let behind = self.behind().end as usize;
        let here = self.span().start as usize;
        let before = self.dropped.partition_point(|(place, _)| *place <= here);
        let follows = before > 0 && behind <= self.dropped[before - 1].1;
        if !follows && self.complained_at != Some(self.at) {
            self.diagnostics.push(diagnostic);
        }
        self.complained_at = Some(self.at);
        Reported
    }

    /// The token here, as messages name it.
    pub(super) fn found(&self) -> String {
        if self.at_end() { self.end_name.to_string() } else { self.kind().to_string() }
    }

    /// Reports that something other than `expected` stands here.
    pub(super) fn unexpected(&mut self, expected: &str) -> Reported {
        let diagnostic = self.mismatch(expected);
        self.complain(diagnostic)
    }

    /// Reports that something other than `expected` stands here; `help` says how to mend it.
    pub(super) fn unexpected_help(&mut self, expected: &str, help: impl Into<String>) -> Reported {
        let diagnostic = self.mismatch(expected).help(help);
        self.complain(diagnostic)
    }

    /// Reports that the bracket that was opened at `open` is not closed.
    pub(super) fn unclosed(&mut self, expected: &str, open: Span) -> Reported {
        let diagnostic = self.mismatch(expected).related(open, "opened here");
        self.complain(diagnostic)
    }

    fn mismatch(&self, expected: &str) -> Diagnostic {
        let title = format!("expected {expected}, found {}", self.found());
        let diagnostic = Diagnostic::at(self.here(), title, format!("expected {expected}"));
        let after_value = matches!(expected.get(..2), Some("`{" | "`=" | "`;" | "`," | "`)" | "`]" | "`}"))
            || expected.starts_with("`then`");
        match self.kind() {
            TokenKind::Sign(Sign::Assign) if after_value => diagnostic.help(COMPARE),
            TokenKind::Sign(Sign::Arrow) if after_value => diagnostic.help("for \"at least\" write `>=`"),
            TokenKind::Keyword(Keyword::If) if after_value => {
                diagnostic.help("a choice between values is written `if c then a else b`")
            }
            TokenKind::Word(word) if after_value => match infix_help(word) {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            },
            _ => diagnostic,
        }
    }

    pub(super) fn expect_sign(&mut self, sign: Sign) -> Parse<()> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{}`", sign.text()))) }
    }

    /// Expects a sign; `purpose` says what it is for.
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

    /// Expects the `;` that closes what came before. A forgotten one is reported where it belongs, and reading goes on
    /// if the next token starts a line.
    pub(super) fn expect_semicolon(&mut self) -> Parse<()> {
        if self.take_sign(Sign::Semicolon) {
            return Ok(());
        }
        if self.is_sign(Sign::Assign) {
            return Err(self.unexpected("`;`"));
        }
        if self.is_sign(Sign::Comma) {
            let (span, skipped) = (self.span(), self.skipped);
            let diagnostic = Diagnostic::at(span, "expected `;`, found `,`", "expected `;`");
            self.complain(diagnostic.help("statements and declarations end with `;`, each on its own"));
            self.skipped = skipped;
            self.advance();
            return Ok(());
        }
        let behind = self.behind();
        if self.starts_line() || self.is_sign(Sign::CloseBrace) || self.at_end() {
            let skipped = self.skipped;
            self.complain(Diagnostic::at(behind, "a `;` is missing", "expected `;` after this"));
            self.skipped = skipped;
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
                let help = format!("a reserved word cannot be a name; `{}_` can", keyword.text());
                Err(self.complain(Diagnostic::at(self.span(), title, "reserved").help(help)))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Runs `read` one level deeper, or reports that the nesting is too deep.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            if !std::mem::replace(&mut self.deep, true) {
                let help = "name the parts with `let` or move them into a function";
                let diagnostic = Diagnostic::at(self.here(), "this is nested too deep", "one level too many");
                self.complain(diagnostic.help(help));
            }
            self.complained_at = Some(self.at);
            return Err(Reported);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips to behind the next `;` of this block, or to before the `}` that closes it.
    pub(super) fn skip_statement(&mut self) {
        let mut open: Vec<Sign> = Vec::new();
        while !self.at_end() {
            match *self.kind() {
                TokenKind::Sign(sign @ (Sign::OpenBrace | Sign::OpenParen | Sign::OpenBracket)) => open.push(sign),
                TokenKind::Sign(Sign::CloseBrace) => {
                    let Some(brace) = open.iter().rposition(|sign| *sign == Sign::OpenBrace) else {
                        return;
                    };
                    open.truncate(brace);
                    if open.is_empty() {
                        self.advance();
                        return;
                    }
                }
                TokenKind::Sign(Sign::CloseParen) if open.last() == Some(&Sign::OpenParen) => drop(open.pop()),
                TokenKind::Sign(Sign::CloseBracket) if open.last() == Some(&Sign::OpenBracket) => drop(open.pop()),
                TokenKind::Sign(Sign::Semicolon) if open.is_empty() => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// `OPEN item, item, … CLOSE`, where the open sign was read at `open`; a comma may stand at the end.
    pub(super) fn list<T>(
        &mut self,
        open: Span,
        close: Sign,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let mut items = Vec::new();
        while !self.take_sign(close) {
            items.push(item(self)?);
            if self.take_sign(close) {
                break;
            }
            if !self.take_sign(Sign::Comma) {
                return Err(self.unclosed(&format!("`,` or `{}`", close.text()), open));
            }
        }
        Ok(items)
    }
}
