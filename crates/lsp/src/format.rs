//! The formatter, `perfectplay fmt`.
//!
//! It works on words and signs, not on the tree: line breaks stay where the author put them, comments stay where they are, and only
//! blanks change. So it cannot change what a file means, and a check at the end makes sure of that. What it does:
//! - lines that begin an item or a statement are indented by four blanks for each open block;
//! - lines that go on keep their distance to the line that they belong to, and are indented by four blanks at least;
//! - words are set apart by one blank or by none. Wider gaps stay where something stands below or above in the same column;
//! - no blanks at the end of a line, one empty line at the most, one line break at the end of the file.

use perfectplay::language::syntax::lexer::lex;
use perfectplay::language::syntax::parser::parse;
use perfectplay::language::syntax::token::{Keyword, Sign, Token, TokenKind};
use perfectplay::language::{Diagnostic, Span};

/// Blanks for each open block.
const STEP: usize = 4;
/// Narrowing a gap may part columns below it, so that another round is needed.
const ROUNDS: usize = 8;

/// The file, formatted; or the mistakes of syntax that have to be mended first.
pub fn format(source: &str) -> Result<String, Vec<Diagnostic>> {
    let (_, mistakes) = parse(source);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let plain = source.strip_prefix('\u{feff}').unwrap_or(source).replace("\r\n", "\n").replace('\r', "\n");
    let mut text = plain.clone();
    for _ in 0..ROUNDS {
        let next = once(&text);
        if next == text {
            break;
        }
        text = next;
    }
    if words(&text) != words(&plain) || comments(&text) != comments(&plain) {
        let title = "the formatter would change this file, and leaves it as it is";
        return Err(vec![Diagnostic::new(title).help("please report it with the file")]);
    }
    Ok(text)
}

/// The tokens of a text without comments.
fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = lex(source, 0..source.len()).tokens;
    tokens.retain(|token| !matches!(token.kind, TokenKind::Doc(_) | TokenKind::End));
    tokens
}

fn words(source: &str) -> Vec<&str> {
    tokens(source).iter().map(|token| &source[token.span.range()]).collect()
}

/// The comments of a text, in order.
fn comments(source: &str) -> Vec<&str> {
    Line::all(source).iter().filter_map(|line| line.comment.map(str::trim_end)).collect()
}

/// A line: its tokens, and the comment at its end.
struct Line<'s> {
    /// Where it starts in the text.
    start: usize,
    text: &'s str,
    tokens: Vec<Token>,
    comment: Option<&'s str>,
    /// Where the comment starts in the text.
    comment_at: usize,
}

impl<'s> Line<'s> {
    fn all(source: &'s str) -> Vec<Line<'s>> {
        let mut tokens = tokens(source).into_iter().peekable();
        let mut lines = Vec::new();
        let mut start = 0;
        for text in source.split('\n') {
            let end = start + text.len();
            let mut own: Vec<Token> = Vec::new();
            while let Some(token) = tokens.next_if(|token| (token.span.start as usize) < end.max(start + 1)) {
                own.push(token);
            }
            let behind = own.last().map_or(start, |token| token.span.end as usize).min(end);
            // Between tokens there are blanks and comments only.
            let comment = source[behind..end].find("//").map(|at| &source[behind + at..end]);
            let comment_at = end - comment.map_or(0, str::len);
            lines.push(Line { start, text, tokens: own, comment, comment_at });
            start = end + 1;
        }
        lines
    }

    fn is_blank(&self) -> bool {
        self.tokens.is_empty() && self.comment.is_none()
    }

    /// How far its first word is from its start; a tab counts as one step.
    fn indent(&self) -> usize {
        let first = self.text.chars().take_while(|c| c.is_whitespace());
        first.map(|c| if c == '\t' { STEP } else { 1 }).sum()
    }

    /// The columns in which something starts behind a blank.
    fn has_column(&self, column: usize) -> bool {
        let starts =
            self.tokens.iter().map(|token| token.span.start as usize).chain(self.comment.map(|_| self.comment_at));
        starts
            .map(|at| at - self.start)
            .any(|at| at > 0 && self.text[..at].chars().count() == column && self.text[..at].ends_with(' '))
    }
}

/// An open bracket.
#[derive(Clone, Copy)]
struct Open {
    /// Whether blanks stand inside of it: it holds statements, items or fields, and is no set.
    is_wide: bool,
    /// Whether it holds statements or items.
    is_block: bool,
    /// How far what closes it is indented where it begins a line.
    indent: usize,
}

/// One round.
fn once(source: &str) -> String {
    let lines = Line::all(source);
    let mut out = String::new();
    let mut state = State::default();
    let mut blank = true;
    for (number, line) in lines.iter().enumerate() {
        if line.is_blank() {
            if !blank {
                out.push('\n');
            }
            blank = true;
            continue;
        }
        blank = false;
        let neighbours = neighbours(&lines, number);
        let indent = state.indent(line);
        state.closes_deeper = state.goes_on && closes_deeper(&lines, number, state.statement.0);
        out.push_str(&" ".repeat(indent));
        state.write(line, indent, &neighbours, source, &mut out);
        out.push('\n');
    }
    let end = out.trim_end().len();
    out.truncate(end);
    out.push('\n');
    out
}

/// Whether the block that a line opens at its end is closed deeper than the statement began. A long head of a move may go on over
/// several lines, and both ways to close its block are good.
fn closes_deeper(lines: &[Line<'_>], number: usize, statement: usize) -> bool {
    let line = &lines[number];
    let is = |token: &Token, sign: Sign| token.kind == TokenKind::Sign(sign);
    if !line.tokens.last().is_some_and(|token| is(token, Sign::OpenBrace)) {
        return false;
    }
    let mut open = 1;
    for later in &lines[number + 1..] {
        for (at, token) in later.tokens.iter().enumerate() {
            open += i32::from(is(token, Sign::OpenBrace)) - i32::from(is(token, Sign::CloseBrace));
            if open == 0 {
                return at == 0 && later.indent() >= statement + STEP;
            }
        }
    }
    false
}

/// The lines that something may be aligned with: the next ones, and the next ones that begin in the same way.
fn neighbours<'l, 's>(lines: &'l [Line<'s>], number: usize) -> Vec<&'l Line<'s>> {
    let line = &lines[number];
    let word = |line: &Line<'_>| line.tokens.first().map(|token| token.kind.clone());
    let alike =
        |other: &&Line<'_>| other.indent() == line.indent() && word(other).is_some() && word(other) == word(line);
    let (before, after) = (lines[..number].iter().rev(), lines[number + 1..].iter());
    let near = [before.clone().find(|line| !line.is_blank()), after.clone().find(|line| !line.is_blank())];
    let far = [before.clone().find(alike), after.clone().find(alike)];
    near.into_iter().chain(far).flatten().collect()
}

/// What is open at a place of the file.
#[derive(Default)]
struct State {
    open: Vec<Open>,
    /// The last token, and the one before it.
    last: Option<TokenKind>,
    before_last: Option<TokenKind>,
    /// Whether a statement or an item begins here.
    begins: bool,
    started: bool,
    /// How far the line was indented on which the statement began: before, and now.
    statement: (usize, usize),
    /// Whether the block that this line opens is closed deeper than the statement began.
    closes_deeper: bool,
    /// Whether the line goes on with what began before it.
    goes_on: bool,
    /// The first word of the item, and how many brackets were open there.
    item: Option<(String, usize)>,
}

impl State {
    /// How far a line is indented.
    fn indent(&mut self, line: &Line<'_>) -> usize {
        self.goes_on = false;
        let block = self.open.iter().rev().find(|open| open.is_block);
        let inside = block.map_or(0, |open| open.indent + STEP);
        let first = line.tokens.first().map(|token| &token.kind);
        if let Some(TokenKind::Sign(Sign::CloseBrace | Sign::CloseBracket | Sign::CloseParen)) = first {
            let closed = self.open.last().copied();
            let indent = closed.map_or(0, |open| open.indent);
            if closed.is_none_or(|open| open.is_block) {
                // What goes on behind it, such as `else if … {`, belongs to this line.
                self.statement = (line.indent(), indent);
            }
            return indent;
        }
        if self.begins || !self.started {
            if first.is_some() {
                self.statement = (line.indent(), inside);
            }
            return inside;
        }
        self.goes_on = true;
        let (before, now) = self.statement;
        // The parts of a long condition may stand below one another.
        let least = match first {
            Some(TokenKind::Keyword(Keyword::And | Keyword::Or)) => now,
            _ => now + STEP,
        };
        (line.indent() + now).saturating_sub(before).max(least)
    }

    /// Writes the tokens of a line, and its comment.
    fn write(&mut self, line: &Line<'_>, indent: usize, neighbours: &[&Line<'_>], source: &str, out: &mut String) {
        let mut end: Option<usize> = None;
        for token in &line.tokens {
            if let Some(end) = end {
                let gap = &source[end..token.span.start as usize];
                let wanted = self.gap(&token.kind, !gap.is_empty());
                out.push_str(&" ".repeat(kept(gap, wanted, token.span, line, neighbours)));
            }
            out.push_str(&source[token.span.range()]);
            end = Some(token.span.end as usize);
            self.advance(&token.kind, indent);
        }
        if let Some(comment) = line.comment {
            if let Some(end) = end {
                let gap = line.comment_at - end;
                out.push_str(&" ".repeat(if gap == 0 { 2 } else { gap }));
            }
            out.push_str(comment.trim_end());
        }
    }

    /// Whether a `{` opens statements, items or fields, and not a set or a domain.
    fn opens_block(&self) -> bool {
        match &self.last {
            None => true,
            Some(TokenKind::Keyword(Keyword::Else)) => self.before_last == Some(TokenKind::Sign(Sign::CloseBrace)),
            Some(TokenKind::Keyword(keyword)) => {
                matches!(keyword, Keyword::State | Keyword::True | Keyword::False | Keyword::Mover | Keyword::Opponent)
            }
            Some(TokenKind::Word(word)) => {
                let may_take_set = matches!(
                    word.as_str(),
                    "of" | "split" | "gain" | "score" | "winner" | "payoffs" | "by" | "as" | "from" | "over"
                );
                !may_take_set || self.is_operand()
            }
            Some(TokenKind::Sign(sign)) => {
                matches!(sign, Sign::CloseParen | Sign::CloseBracket | Sign::CloseBrace) && !self.begins
            }
            Some(_) => true,
        }
    }

    /// Whether the last token stands where a value does, so that a word is a name there: `if at != from { … }`.
    fn is_operand(&self) -> bool {
        match &self.before_last {
            Some(TokenKind::Keyword(keyword)) => {
                matches!(
                    keyword,
                    Keyword::And
                        | Keyword::Or
                        | Keyword::Not
                        | Keyword::If
                        | Keyword::In
                        | Keyword::When
                        | Keyword::Else
                )
            }
            Some(TokenKind::Sign(sign)) => matches!(
                sign,
                Sign::Range
                    | Sign::RangeInclusive
                    | Sign::Equal
                    | Sign::NotEqual
                    | Sign::Less
                    | Sign::LessEqual
                    | Sign::Greater
                    | Sign::GreaterEqual
                    | Sign::Plus
                    | Sign::Minus
                    | Sign::Star
                    | Sign::Slash
                    | Sign::Percent
            ),
            _ => false,
        }
    }

    /// How many blanks stand between the last token and this one.
    fn gap(&self, next: &TokenKind, had: bool) -> usize {
        let Some(last) = &self.last else { return 0 };
        let inner = self.open.last();
        let sign = |kind: &TokenKind| if let TokenKind::Sign(sign) = kind { Some(*sign) } else { None };
        match (sign(last), sign(next)) {
            (_, Some(Sign::Semicolon | Sign::Comma | Sign::CloseParen | Sign::CloseBracket)) => 0,
            (Some(Sign::OpenParen | Sign::OpenBracket), _) => 0,
            (Some(Sign::Range | Sign::RangeInclusive), _) | (_, Some(Sign::Range | Sign::RangeInclusive)) => 0,
            (Some(Sign::OpenBrace), Some(Sign::CloseBrace)) => usize::from(had),
            (Some(Sign::OpenBrace), _) | (_, Some(Sign::CloseBrace)) => {
                usize::from(inner.is_some_and(|open| open.is_wide))
            }
            (_, Some(Sign::Colon)) => usize::from(self.is_head_of("require")),
            (Some(Sign::Minus), _) => usize::from(!self.is_unary(had)),
            (_, Some(Sign::OpenParen)) => self.before_bracket(last, had),
            (_, Some(Sign::OpenBracket)) => self.before_bracket(last, had),
            _ => 1,
        }
    }

    /// Whether an item of this kind has begun, and no bracket of it is open.
    fn is_head_of(&self, wanted: &str) -> bool {
        matches!(&self.item, Some((word, open)) if word == wanted && *open == self.open.len())
    }

    /// Whether the last token is a sign of a number and not a difference.
    fn is_unary(&self, had: bool) -> bool {
        match &self.before_last {
            None => true,
            Some(TokenKind::Sign(sign)) => !matches!(sign, Sign::CloseParen | Sign::CloseBracket | Sign::CloseBrace),
            Some(TokenKind::Keyword(keyword)) => {
                !matches!(keyword, Keyword::True | Keyword::False | Keyword::Mover | Keyword::Opponent)
            }
            // `gain -1` and `left - 1` look alike.
            Some(TokenKind::Word(word)) => is_special(word) && !had,
            Some(_) => false,
        }
    }

    /// Blanks before a bracket: none before arguments and indices.
    fn before_bracket(&self, last: &TokenKind, had: bool) -> usize {
        match last {
            TokenKind::Sign(Sign::CloseParen | Sign::CloseBracket) | TokenKind::Text(_) => 0,
            TokenKind::Word(word) if is_special(word) => usize::from(had),
            TokenKind::Word(_) => 0,
            _ => 1,
        }
    }

    fn advance(&mut self, kind: &TokenKind, indent: usize) {
        let begun = self.begins || !self.started;
        self.started = true;
        if begun {
            let word = match kind {
                TokenKind::Word(word) => word.clone(),
                TokenKind::Keyword(keyword) => keyword.text().to_string(),
                _ => String::new(),
            };
            self.item = Some((word, self.open.len()));
        }
        self.begins = false;
        if let TokenKind::Sign(sign) = kind {
            match sign {
                Sign::OpenBrace | Sign::OpenParen | Sign::OpenBracket => {
                    let starts_statement = begun && self.last.is_some();
                    let is_wide = *sign == Sign::OpenBrace && !starts_statement && self.opens_block();
                    let is_block = is_wide && !self.is_head_of("example") && !self.is_head_of("show");
                    let indent = match (is_block, self.closes_deeper) {
                        (true, true) => self.statement.1 + STEP,
                        (true, false) => self.statement.1,
                        (false, _) => indent,
                    };
                    self.open.push(Open { is_wide, is_block, indent });
                    self.begins = is_block;
                }
                Sign::CloseBrace | Sign::CloseParen | Sign::CloseBracket => {
                    let closed = self.open.pop();
                    self.begins = closed.is_some_and(|open| open.is_block);
                }
                // A move has `let`s before its block, each with a `;`.
                Sign::Semicolon => {
                    self.begins = self.open.last().is_none_or(|open| open.is_block) && !self.is_head_of("move");
                }
                _ => {}
            }
        }
        self.before_last = self.last.replace(kind.clone());
    }
}

/// Words that are special in their place and are no functions or lists there.
fn is_special(word: &str) -> bool {
    matches!(
        word,
        "split"
            | "gain"
            | "score"
            | "winner"
            | "payoffs"
            | "over"
            | "by"
            | "as"
            | "from"
            | "where"
            | "require"
            | "measure"
            | "estimate"
            | "players"
            | "starts"
            | "claim"
            | "end"
            | "stuck"
            | "output"
            | "input"
            | "show"
    )
}

/// A gap that is wider than needed stays where something stands below or above in the same column.
fn kept(gap: &str, wanted: usize, span: Span, line: &Line<'_>, neighbours: &[&Line<'_>]) -> usize {
    if gap.len() <= wanted.max(1) || gap.contains('\t') {
        return wanted;
    }
    let column = line.text[..span.start as usize - line.start].chars().count();
    let aligned = neighbours.iter().any(|other| other.has_column(column));
    if aligned { gap.len() } else { wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_special_elsewhere_may_stand_before_a_block() {
        let neat = "game g() {\n    state { at in 0..3 = 0; seen in set of {a, b} = {a}; }\n    move go(from in 0..3) when at == from {\n        if at != from { gain 1; }\n        for k in 0..from { if from > by { at = k; } }\n    }\n}\n";
        let messy = neat.replace("{ gain 1; }", "{gain 1;}").replace("== from {", "== from{");
        for text in [neat, &messy] {
            assert_eq!(super::format(text).unwrap(), neat);
        }
    }

    #[test]
    fn blanks_are_set_right() {
        let messy = "/// A game.\r\ngame  g( n:int=3 ,row:[ int ]=[ 1,2 ] ){\n\n\n  require n>=0 and len( row )>0:\"no\" ;\nstate{left in 0 ..= n=n;seen in set of{a,b}={ a };}\n      move take( k in 1..=3 )when k<=left{left-=k ;if left>2{ gain -1;}else{gain row [0]- 1;}}\n      // done\n\tfn f(x:int)->set{{ i for i in 0..x }}\nclaim winner=if n%4==0 then second else first;}\n\n\n";
        let neat = "/// A game.\ngame g(n: int = 3, row: [int] = [1, 2]) {\n\n    require n >= 0 and len(row) > 0 : \"no\";\n    state { left in 0..=n = n; seen in set of {a, b} = {a}; }\n    move take(k in 1..=3) when k <= left { left -= k; if left > 2 { gain -1; } else { gain row[0] - 1; } }\n    // done\n    fn f(x: int) -> set { {i for i in 0..x} }\n    claim winner = if n % 4 == 0 then second else first; }\n";
        assert_eq!(format(messy).unwrap(), neat);
        assert_eq!(format(neat).unwrap(), neat);
    }

    #[test]
    fn the_gallery_is_formatted() {
        let mut wrong = Vec::new();
        for (name, source) in perfectplay::gallery::GALLERY {
            let formatted = format(source).unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"));
            let lines = source.lines().zip(formatted.lines()).enumerate();
            let differ = lines.filter(|(_, (one, other))| one != other);
            wrong.extend(differ.map(|(number, (one, other))| format!("{name}:{}\n{one}\n{other}\n", number + 1)));
            assert!(*source == formatted || !wrong.is_empty(), "{name}");
        }
        assert!(wrong.is_empty(), "{}", wrong.concat());
    }

    #[test]
    fn mistakes_of_syntax_come_first() {
        assert!(!format("game g { state { n in 0..=3 = 3 } move").unwrap_err().is_empty());
    }
}
