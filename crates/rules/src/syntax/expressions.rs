//! Expressions, by binding strength: calls and indices; unary `-`; `* / %`; `+ -`; ranges; comparisons and `in`;
//! `not`; `and`; `or`; `if then else`.

use crate::diagnostic::Diagnostic;
use crate::program::BinaryOp;
use crate::span::Span;
use crate::syntax::parser::{MAX_DEPTH, Parse, Parser};
use crate::syntax::token::{Keyword, Sign, TokenKind};
use crate::syntax::tree::{Expr, ExprKind, Loop, Name};

impl Parser<'_> {
    /// Any expression.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        self.nested(|p| if p.is_keyword(Keyword::If) { p.if_expr() } else { p.or_expr() })
    }

    fn if_expr(&mut self) -> Parse<Expr> {
        let start = self.span();
        self.advance();
        let condition = self.expr()?;
        self.if_expr_after(start, condition, "an `if … then …` expression needs its `else` too")
    }

    /// The rest of `if c then a else b`, from `then` on; `no_else` is the message if there is no `else`.
    pub(super) fn if_expr_after(&mut self, start: Span, condition: Expr, no_else: &str) -> Parse<Expr> {
        if self.is_sign(Sign::OpenBrace) {
            return Err(self.unexpected_help("`then`", "inside an expression write `if c then a else b`"));
        }
        self.expect_keyword(Keyword::Then, "after the condition")?;
        let yes = self.expr()?;
        if !self.is_keyword(Keyword::Else) {
            return Err(self.unexpected_help("`else`", no_else));
        }
        self.advance();
        let no = self.expr()?;
        let span = self.since(start);
        self.node(span, &[condition.depth, yes.depth, no.depth], ExprKind::If(condition.into(), yes.into(), no.into()))
    }

    /// Makes a node, unless the tree grows too deep.
    fn node(&mut self, span: Span, below: &[u16], kind: ExprKind) -> Parse<Expr> {
        let depth = below.iter().max().map_or(0, |d| d + 1);
        if depth > 2 * MAX_DEPTH {
            let title = "this expression is too long a chain";
            let help = "name its parts with `let`, or use `sum(… for …)`, `any(… for …)`, `all(… for …)`";
            return Err(self.complain(Diagnostic::at(self.behind(), title, "too long here").help(help)));
        }
        Ok(Expr { kind, span, depth })
    }

    fn or_expr(&mut self) -> Parse<Expr> {
        let mut left = self.and_expr()?;
        while self.take_keyword(Keyword::Or) {
            let right = self.and_expr()?;
            let below = [left.depth, right.depth];
            left = self.node(left.span.to(right.span), &below, ExprKind::Or(left.into(), right.into()))?;
        }
        Ok(left)
    }

    fn and_expr(&mut self) -> Parse<Expr> {
        let mut left = self.not_expr()?;
        while self.take_keyword(Keyword::And) {
            let right = self.not_expr()?;
            let below = [left.depth, right.depth];
            left = self.node(left.span.to(right.span), &below, ExprKind::And(left.into(), right.into()))?;
        }
        Ok(left)
    }

    fn not_expr(&mut self) -> Parse<Expr> {
        if !self.is_keyword(Keyword::Not) {
            return self.comparison();
        }
        let start = self.span();
        self.advance();
        let inner = self.nested(Self::not_expr)?;
        self.node(start.to(inner.span), &[inner.depth], ExprKind::Not(inner.into()))
    }

    fn comparison_operator(&self) -> Option<Comparison> {
        let op = match self.kind() {
            TokenKind::Sign(Sign::Equal) => BinaryOp::Equal,
            TokenKind::Sign(Sign::NotEqual) => BinaryOp::NotEqual,
            TokenKind::Sign(Sign::Less) => BinaryOp::Less,
            TokenKind::Sign(Sign::LessEqual) => BinaryOp::LessEqual,
            TokenKind::Sign(Sign::Greater) => BinaryOp::Greater,
            TokenKind::Sign(Sign::GreaterEqual) => BinaryOp::GreaterEqual,
            TokenKind::Keyword(Keyword::In) => return Some(Comparison::In),
            TokenKind::Keyword(Keyword::Not) if *self.kind_after(1) == TokenKind::Keyword(Keyword::In) => {
                return Some(Comparison::NotIn);
            }
            _ => return None,
        };
        Some(Comparison::Binary(op))
    }

    fn comparison(&mut self) -> Parse<Expr> {
        let left = self.range()?;
        let Some(operator) = self.comparison_operator() else {
            return Ok(left);
        };
        self.advance();
        if operator == Comparison::NotIn {
            self.advance();
        }
        let right = self.range()?;
        let (span, below) = (left.span.to(right.span), [left.depth, right.depth]);
        if self.comparison_operator().is_some() {
            let title = "comparisons do not chain";
            let help = "write `a < b and b < c`, or put one comparison in parentheses";
            let diagnostic = Diagnostic::at(self.span(), title, "a second comparison").help(help);
            return Err(self.complain(diagnostic.related(span, "the first")));
        }
        match operator {
            Comparison::Binary(op) => self.node(span, &below, ExprKind::Binary(op, left.into(), right.into())),
            Comparison::In => self.node(span, &below, ExprKind::In(left.into(), right.into())),
            Comparison::NotIn => {
                let inside = self.node(span, &below, ExprKind::In(left.into(), right.into()))?;
                self.node(span, &[inside.depth], ExprKind::Not(inside.into()))
            }
        }
    }

    fn range_sign(&mut self) -> Option<bool> {
        if self.take_sign(Sign::RangeInclusive) {
            Some(true)
        } else if self.take_sign(Sign::Range) {
            Some(false)
        } else {
            None
        }
    }

    pub(super) fn range(&mut self) -> Parse<Expr> {
        let low = self.additive()?;
        let Some(inclusive) = self.range_sign() else {
            return Ok(low);
        };
        let high = self.additive()?;
        let below = [low.depth, high.depth];
        self.node(low.span.to(high.span), &below, ExprKind::Range(low.into(), high.into(), inclusive))
    }

    fn additive(&mut self) -> Parse<Expr> {
        let mut left = self.multiplicative()?;
        loop {
            let op = match self.kind() {
                TokenKind::Sign(Sign::Plus) => BinaryOp::Add,
                TokenKind::Sign(Sign::Minus) => BinaryOp::Subtract,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.multiplicative()?;
            let below = [left.depth, right.depth];
            left = self.node(left.span.to(right.span), &below, ExprKind::Binary(op, left.into(), right.into()))?;
        }
    }

    fn multiplicative(&mut self) -> Parse<Expr> {
        let mut left = self.unary()?;
        loop {
            let op = match self.kind() {
                TokenKind::Sign(Sign::Star) => BinaryOp::Multiply,
                TokenKind::Sign(Sign::Slash) => BinaryOp::Divide,
                TokenKind::Sign(Sign::Percent) => BinaryOp::Remainder,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.unary()?;
            let below = [left.depth, right.depth];
            left = self.node(left.span.to(right.span), &below, ExprKind::Binary(op, left.into(), right.into()))?;
        }
    }

    fn unary(&mut self) -> Parse<Expr> {
        if !self.is_sign(Sign::Minus) {
            return self.postfix();
        }
        let start = self.span();
        self.advance();
        if *self.kind() == TokenKind::Int(i64::MIN) {
            let mut least = self.leaf(ExprKind::Int(i64::MIN))?;
            least.span = start.to(least.span);
            return Ok(least);
        }
        let inner = self.nested(Self::unary)?;
        self.node(start.to(inner.span), &[inner.depth], ExprKind::Negate(inner.into()))
    }

    fn postfix(&mut self) -> Parse<Expr> {
        let mut base = self.primary()?;
        loop {
            if self.is_sign(Sign::OpenBracket) {
                let open = self.span();
                self.advance();
                base = self.nested(|p| p.index(base, open))?;
            } else if self.is_sign(Sign::OpenParen) {
                let title = "only a function can be called";
                let diagnostic = Diagnostic::at(base.span, title, "not the name of a function");
                return Err(self.complain(diagnostic.help("to multiply, write `*`")));
            } else {
                return Ok(base);
            }
        }
    }

    /// The text between `[` and `]` after a list.
    fn index(&mut self, base: Expr, open: Span) -> Parse<Expr> {
        let open_low = self.is_sign(Sign::Range) || self.is_sign(Sign::RangeInclusive);
        if self.is_sign(Sign::CloseBracket) {
            return Err(self.unexpected_help("an index", "write `a[i]`, or a slice `a[i..j]`"));
        }
        let low = if open_low { None } else { Some(self.additive_or_expr()?) };
        let inclusive = self.range_sign();
        if let (Some(index), None) = (&low, inclusive)
            && self.is_sign(Sign::CloseBracket)
        {
            self.advance();
            let below = [base.depth, index.depth];
            let span = self.since(base.span);
            let index = index.clone();
            return self.node(span, &below, ExprKind::Index(base.into(), index.into()));
        }
        let high = match inclusive {
            Some(_) if !self.is_sign(Sign::CloseBracket) => Some(self.additive_or_expr()?),
            _ => None,
        };
        if !self.take_sign(Sign::CloseBracket) {
            if self.is_sign(Sign::Comma) {
                return Err(self.unexpected_help("`]`", "an array of arrays is indexed `a[i][j]`"));
            }
            return Err(self.unclosed("`]`", open));
        }
        let below = [base.depth, low.as_ref().map_or(0, |e| e.depth), high.as_ref().map_or(0, |e| e.depth)];
        let (span, inclusive) = (self.since(base.span), inclusive.unwrap_or(false));
        self.node(span, &below, ExprKind::Slice(base.into(), low.map(Box::new), high.map(Box::new), inclusive))
    }

    fn additive_or_expr(&mut self) -> Parse<Expr> {
        if self.is_keyword(Keyword::If) { self.expr() } else { self.additive() }
    }

    fn leaf(&mut self, kind: ExprKind) -> Parse<Expr> {
        let span = self.span();
        self.advance();
        Ok(Expr { kind, span, depth: 0 })
    }

    fn primary(&mut self) -> Parse<Expr> {
        match self.kind().clone() {
            TokenKind::Int(i64::MIN) => {
                let title = "overflow: this number does not fit";
                let help = "numbers reach 9223372036854775807";
                Err(self.complain(Diagnostic::at(self.span(), title, "too large").help(help)))
            }
            TokenKind::Int(value) => self.leaf(ExprKind::Int(value)),
            TokenKind::Char(value) => self.leaf(ExprKind::Char(value)),
            TokenKind::Text(text) => self.leaf(ExprKind::Text(text)),
            TokenKind::Keyword(Keyword::True) => self.leaf(ExprKind::Bool(true)),
            TokenKind::Keyword(Keyword::False) => self.leaf(ExprKind::Bool(false)),
            TokenKind::Keyword(Keyword::Mover) => self.leaf(ExprKind::Mover),
            TokenKind::Keyword(Keyword::Opponent) => self.leaf(ExprKind::Opponent),
            TokenKind::Keyword(Keyword::If) => self.expr(),
            TokenKind::Keyword(Keyword::Not) => {
                let title = "`not` binds more loosely than what stands before it";
                Err(self.complain(Diagnostic::at(self.span(), title, "here").help("write `(not …)` in parentheses")))
            }
            TokenKind::Keyword(Keyword::Turn) => {
                let title = "`turn` can be set, not read";
                Err(self.complain(Diagnostic::at(self.span(), title, "here").help("whose turn it is reads `mover`")))
            }
            TokenKind::Word(text) => {
                let name = Name { text, span: self.span() };
                self.advance();
                let open = self.span();
                if self.take_sign(Sign::OpenParen) {
                    return self.nested(|p| p.call(name, open));
                }
                Ok(Expr { span: name.span, kind: ExprKind::Name(name.text), depth: 0 })
            }
            TokenKind::Sign(Sign::OpenParen) => self.nested(Self::parenthesised),
            TokenKind::Sign(Sign::OpenBracket) => self.nested(Self::list_expr),
            TokenKind::Sign(Sign::OpenBrace) => self.nested(Self::set_expr),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn parenthesised(&mut self) -> Parse<Expr> {
        let start = self.span();
        self.advance();
        let mut inner = self.expr()?;
        if !self.take_sign(Sign::CloseParen) {
            if self.is_sign(Sign::Comma) {
                return Err(self.unexpected_help("`)`", "a list is written `[a, b]`, a set `{a, b}`"));
            }
            return Err(self.unclosed("`)`", start));
        }
        inner.span = self.since(start);
        Ok(inner)
    }

    /// `f(a, b)` or `sum(e for …)`, after the `(`.
    fn call(&mut self, name: Name, open: Span) -> Parse<Expr> {
        if self.take_sign(Sign::CloseParen) {
            let span = self.since(name.span);
            return self.node(span, &[], ExprKind::Call(name, Vec::new()));
        }
        let first = self.expr()?;
        if self.is_keyword(Keyword::For) {
            let loops = self.loops()?;
            if !self.take_sign(Sign::CloseParen) {
                return Err(self.unclosed("`)`", open));
            }
            let below = loops_depth(&first, &loops);
            let span = self.since(name.span);
            return self.node(span, &[below], ExprKind::Fold(name, first.into(), loops));
        }
        let arguments = self.rest_of_items(first, open, Sign::CloseParen)?;
        let below: Vec<u16> = arguments.iter().map(|a| a.depth).collect();
        let span = self.since(name.span);
        self.node(span, &below, ExprKind::Call(name, arguments))
    }

    fn loops(&mut self) -> Parse<Vec<Loop>> {
        let mut loops = Vec::new();
        while self.take_keyword(Keyword::For) {
            let name = self.name("the name of the loop variable")?;
            self.in_after_loop_variable(&name)?;
            let over = self.expr()?;
            let when = if self.take_keyword(Keyword::When) { Some(self.expr()?) } else { None };
            loops.push(Loop { name, over, when });
            if self.is_keyword(Keyword::If) {
                return Err(self.unexpected_help("`when`", "a condition in a loop is written `when COND`"));
            }
        }
        Ok(loops)
    }

    /// The `in` of `for x in …`.
    pub(super) fn in_after_loop_variable(&mut self, name: &Name) -> Parse<()> {
        if self.take_keyword(Keyword::In) {
            return Ok(());
        }
        Err(self.unexpected_help("`in` after the loop variable", format!("write `for {} in 0..n`", name.text)))
    }

    fn list_expr(&mut self) -> Parse<Expr> {
        let start = self.span();
        self.advance();
        if self.take_sign(Sign::CloseBracket) {
            let span = self.since(start);
            return self.node(span, &[], ExprKind::List(Vec::new()));
        }
        let first = self.expr()?;
        if self.is_keyword(Keyword::For) {
            let loops = self.loops()?;
            if !self.take_sign(Sign::CloseBracket) {
                return Err(self.unclosed("`]`", start));
            }
            let below = loops_depth(&first, &loops);
            let span = self.since(start);
            return self.node(span, &[below], ExprKind::Comprehension(first.into(), loops));
        }
        if self.take_sign(Sign::Semicolon) {
            let length = self.expr()?;
            if !self.take_sign(Sign::CloseBracket) {
                return Err(self.unclosed("`]`", start));
            }
            let below = [first.depth, length.depth];
            let span = self.since(start);
            return self.node(span, &below, ExprKind::Repeat(first.into(), length.into()));
        }
        let items = self.rest_of_items(first, start, Sign::CloseBracket)?;
        let below: Vec<u16> = items.iter().map(|a| a.depth).collect();
        let span = self.since(start);
        self.node(span, &below, ExprKind::List(items))
    }

    fn set_expr(&mut self) -> Parse<Expr> {
        let start = self.span();
        self.advance();
        if self.take_sign(Sign::CloseBrace) {
            let span = self.since(start);
            return self.node(span, &[], ExprKind::Set(Vec::new()));
        }
        let first = self.expr()?;
        if self.is_keyword(Keyword::For) {
            let loops = self.loops()?;
            if !self.take_sign(Sign::CloseBrace) {
                return Err(self.unclosed("`}`", start));
            }
            let below = loops_depth(&first, &loops);
            let span = self.since(start);
            return self.node(span, &[below], ExprKind::SetComprehension(first.into(), loops));
        }
        let items = self.rest_of_items(first, start, Sign::CloseBrace)?;
        let below: Vec<u16> = items.iter().map(|a| a.depth).collect();
        let span = self.since(start);
        self.node(span, &below, ExprKind::Set(items))
    }

    fn rest_of_items(&mut self, first: Expr, open: Span, close: Sign) -> Parse<Vec<Expr>> {
        let mut items = vec![first];
        if !self.take_sign(close) {
            if !self.take_sign(Sign::Comma) {
                return Err(self.unclosed(&format!("`,` or `{}`", close.text()), open));
            }
            items.extend(self.list(open, close, Self::expr)?);
        }
        Ok(items)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Binary(BinaryOp),
    In,
    NotIn,
}

fn loops_depth(item: &Expr, loops: &[Loop]) -> u16 {
    let of = |l: &Loop| l.over.depth.max(l.when.as_ref().map_or(0, |w| w.depth));
    loops.iter().map(of).max().unwrap_or(0).max(item.depth)
}
