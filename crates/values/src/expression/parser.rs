//! Reads expressions. Plain descent over the text; brackets are nested at most [`MOST_NESTED`] deep.
//!
//! Signs of the books are read beside those of a keyboard: `∥` for `||`, `⧾2` for `+_2`, `3·↑*` for `^3*`, `↑²` for `^<2>`.
//!
//! Three signs have two meanings, and the place decides:
//! - `*` right behind a number or arrows, with digits or nothing right behind it, is a nimber (`2*3` is 2 plus the
//!   nimber 3). Anywhere else between two operands it multiplies: `2*{1|-1}`, `2 * 3`, `2*(3)`.
//! - `-` before digits, where an operand begins, belongs to the number: `-1^` is −1 plus up.
//! - Bars separate sides within braces, where the longest run binds least; outside, `||` asks whether two are confused.

mod literals;

use std::ops::Range;

use crate::arena::Compact;
use crate::error::{Error, Result};
use crate::expression::functions::FUNCTIONS;
use crate::expression::tree::{Expression, Named, Relation, Term};
use crate::name::MOST_NESTED;
use crate::number::Dyadic;

/// Reads a text as an expression.
pub fn parse(text: &str) -> Result<Expression> {
    let mut parser = Parser { text, at: 0, nested: 0 };
    let expression = parser.comparison()?;
    parser.skip();
    if parser.at < text.len() {
        let message = match parser.peek() {
            Some('}' | ')' | ']') => "nothing is open here that this could close".to_string(),
            Some(c) if bars_in(c) > 0 => {
                "bars separate Left's options from Right's within braces: `{1|-1}`".to_string()
            }
            Some('<' | '>' | '=') => "only two sides can be compared at a time".to_string(),
            _ => format!("an operator such as `+` is missing before `{}`", parser.shown()),
        };
        return Err(Error::at(parser.here(), message));
    }
    Ok(expression)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    nested: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes a sign, if it is the next thing after blanks.
    fn take(&mut self, sign: &str) -> bool {
        self.skip();
        self.take_tight(sign)
    }

    /// Takes a sign, if it stands right here.
    fn take_tight(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn take_any(&mut self, signs: &[&str]) -> bool {
        signs.iter().any(|sign| self.take_tight(sign))
    }

    fn here(&self) -> Range<usize> {
        self.at..self.at + self.peek().map_or(0, char::len_utf8)
    }

    fn shown(&self) -> String {
        self.rest().chars().take_while(|c| !c.is_whitespace()).take(20).collect()
    }

    fn expect(&mut self, sign: &str, message: &str) -> Result<()> {
        if self.take(sign) { Ok(()) } else { Err(Error::at(self.here(), message)) }
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.nested += 1;
        if self.nested > MOST_NESTED + 1 {
            return Err(Error::TooDeep { limit: MOST_NESTED });
        }
        let found = inner(self);
        self.nested -= 1;
        found
    }

    fn comparison(&mut self) -> Result<Expression> {
        let left = self.sides()?;
        let Some(relation) = self.relation() else { return Ok(left) };
        let right = self.sides()?;
        let place = left.place.start..right.place.end;
        Ok(Expression { term: Term::Compare(relation, Box::new(left), Box::new(right)), place })
    }

    /// Two stoppers as the sides of a loopy value.
    fn sides(&mut self) -> Result<Expression> {
        let high = self.sum()?;
        if !self.take("&") {
            return Ok(high);
        }
        let low = self.sum()?;
        let place = high.place.start..low.place.end;
        Ok(Expression { term: Term::Sides(Box::new(high), Box::new(low)), place })
    }

    fn relation(&mut self) -> Option<Relation> {
        self.skip();
        // Longer signs first.
        const SIGNS: &[(&str, Relation)] = &[
            ("||", Relation::Confused),
            ("∥", Relation::Confused),
            ("‖", Relation::Confused),
            ("⧏", Relation::LessOrConfused),
            ("⧐", Relation::GreaterOrConfused),
            ("<>", Relation::Confused),
            ("<|", Relation::LessOrConfused),
            ("|>", Relation::GreaterOrConfused),
            ("<=", Relation::AtMost),
            (">=", Relation::AtLeast),
            ("!=", Relation::Unequal),
            ("==", Relation::Equal),
            ("≤", Relation::AtMost),
            ("≥", Relation::AtLeast),
            ("≠", Relation::Unequal),
            ("=", Relation::Equal),
            ("<", Relation::Less),
            (">", Relation::Greater),
        ];
        SIGNS.iter().find(|(sign, _)| self.take_tight(sign)).map(|&(_, relation)| relation)
    }

    fn sum(&mut self) -> Result<Expression> {
        let first = self.product()?;
        let mut terms = vec![(false, first)];
        loop {
            self.skip();
            if self.take_tight("+") {
                terms.push((false, self.product()?));
            } else if self.take_any(&["-", "−"]) {
                terms.push((true, self.product()?));
            } else {
                break;
            }
        }
        Ok(self.joined(terms, Term::Sum, |(_, expression)| expression))
    }

    /// One expression as it is, several as a list of them.
    fn joined<T>(
        &self,
        mut all: Vec<T>,
        term: impl FnOnce(Vec<T>) -> Term,
        inner: impl Fn(T) -> Expression,
    ) -> Expression
    where
        T: Clone,
    {
        if all.len() == 1 {
            return inner(all.remove(0));
        }
        let start = inner(all[0].clone()).place.start;
        Expression { term: term(all), place: start..self.at }
    }

    fn product(&mut self) -> Result<Expression> {
        let nested = self.nested;
        let mut left = self.ordinal()?;
        loop {
            self.skip();
            if !self.take_any(TIMES) {
                self.nested = nested;
                return Ok(left);
            }
            let right = self.ordinal()?;
            let place = left.place.start..right.place.end;
            // Chains of products are short: each one is a level of the tree.
            self.nested += 1;
            if self.nested > MOST_NESTED + 1 {
                return Err(Error::TooDeep { limit: MOST_NESTED });
            }
            left = Expression { term: Term::Product(Box::new(left), Box::new(right)), place };
        }
    }

    fn ordinal(&mut self) -> Result<Expression> {
        let mut all = vec![self.prefixed()?];
        while self.take(":") {
            all.push(self.prefixed()?);
        }
        Ok(self.joined(all, Term::Ordinal, |expression| expression))
    }

    /// An operand with signs before it.
    fn prefixed(&mut self) -> Result<Expression> {
        self.skip();
        let start = self.at;
        let next_is_digit =
            |parser: &Self, skip: usize| parser.rest()[skip..].starts_with(|c: char| c.is_ascii_digit());
        if self.take_any(&["±", "+-"]) {
            let options = self.deeper(Self::plus_minus)?;
            return Ok(Expression { term: Term::PlusMinus(options), place: start..self.at });
        }
        for (signs, miny) in [(["+_", "⧾_", "⧾"], false), (["-_", "⧿_", "⧿"], true)] {
            if self.take_any(&signs) {
                let x = Box::new(self.deeper(Self::subscript)?);
                return Ok(Expression { term: Term::Tiny { x, miny }, place: start..self.at });
            }
        }
        for sign in ["-", "−"] {
            if self.rest().starts_with(sign) && !next_is_digit(self, sign.len()) {
                self.at += sign.len();
                let inner = self.deeper(Self::prefixed)?;
                return Ok(Expression { term: Term::Sum(vec![(true, inner)]), place: start..self.at });
            }
        }
        if self.take_tight("+") {
            return self.deeper(Self::prefixed);
        }
        self.operand()
    }

    fn plus_minus(&mut self) -> Result<Vec<Expression>> {
        if self.take("(") {
            let options = self.list()?;
            self.expect(")", "`)` is missing here, after the options of `±(`")?;
            return Ok(options);
        }
        Ok(vec![self.prefixed()?])
    }

    /// What stands behind `+_`: digits, braces around any expression, or a game in braces.
    fn subscript(&mut self) -> Result<Expression> {
        if self.peek() == Some('{') {
            let start = self.at;
            self.at += 1;
            return self.braces(start, true);
        }
        let start = self.at;
        let number = match self.low_digits()? {
            Some(number) => number,
            None if self.peek().is_some_and(|c| c.is_ascii_digit()) => self.whole()?,
            None => {
                let message = "a number or braces must follow: `+_2`, `+_{1/2}`, `+_{2|1}`";
                return Err(Error::at(self.here(), message));
            }
        };
        let compact = Compact { number: Dyadic::whole(number), up: 0, star: 0 };
        Ok(Expression { term: Term::Compact(compact), place: start..self.at })
    }

    fn operand(&mut self) -> Result<Expression> {
        self.skip();
        let start = self.at;
        if let Some(path) = self.path() {
            return self.position(path, start);
        }
        match self.peek() {
            Some(quote) if QUOTES.contains(&quote) => self.quoted(quote),
            Some('{') => {
                self.at += 1;
                self.deeper(|parser| parser.braces(start, false))
            }
            Some('(') => {
                self.at += 1;
                let inner = self.deeper(Self::comparison)?;
                self.expect(")", "`)` is missing here")?;
                Ok(Expression { term: inner.term, place: start..self.at })
            }
            Some(c) if c.is_ascii_digit() || "-−*∗⋆^↑⇑↓⇓½¼¾".contains(c) => self.literal(),
            Some('v') if self.is_down() => self.literal(),
            Some(c) if c.is_alphabetic() || c == '_' => self.named(),
            Some(_) if starts_path(self.rest()) => {
                let message = "the path of a rules file ends in `.game`, or stands in quotes if it has blanks or \
                               another end: `\"my games/nim.game\"([3])`";
                Err(Error::at(self.here(), message))
            }
            Some(_) => {
                let message =
                    format!("a game is expected here, such as `1/2`, `{{1|-1}}` or `^*`, not `{}`", self.shown());
                Err(Error::at(self.here(), message))
            }
            None => Err(Error::at(self.here(), "the text ends where a game is expected")),
        }
    }

    /// Whether a `v` is a down arrow: `v`, `vv`, `v3`, `v<2>`, `v[2]`, but not the beginning of a longer name.
    fn is_down(&self) -> bool {
        let rest = self.rest().trim_start_matches('v');
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        !digits.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '(')
    }

    /// A function, or a position.
    fn named(&mut self) -> Result<Expression> {
        let start = self.at;
        let rest = self.rest();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let name = rest[..length].to_string();
        self.at += length;
        let bracket = self.at;
        if self.take_tight("{") {
            let game = Box::new(self.deeper(|parser| parser.braces(bracket, false))?);
            return Ok(Expression { term: Term::Labelled { label: name, game }, place: start..self.at });
        }
        let called = self.take_tight("(");
        if let Some(function) = FUNCTIONS.iter().find(|function| function.name == name) {
            if !called {
                let message = format!("`{}` needs its arguments in brackets: `{}`", name, function.usage);
                return Err(Error::at(start..self.at, message));
            }
            let arguments = self.deeper(Self::list)?;
            self.expect(")", "`)` is missing here")?;
            if arguments.len() != function.arguments {
                let message = format!("`{}` takes {} here: `{}`", name, count(function.arguments), function.usage);
                return Err(Error::at(start..self.at, message));
            }
            return Ok(Expression { term: Term::Function(function.name, arguments), place: start..self.at });
        }
        // `up*` is one game; without a star the word is looked up later, since it may name a loop.
        if !called && ["up", "down"].contains(&&*name) && self.rest().starts_with(STARS) {
            let star = self.star(false)?;
            if star != 0 {
                let up = if name == "up" { 1 } else { -1 };
                let term = Term::Compact(Compact { number: Dyadic::ZERO, up, star });
                return Ok(Expression { term, place: start..self.at });
            }
        }
        self.at = bracket;
        self.position(name, start)
    }

    /// A path right here that ends in `.game`.
    fn path(&mut self) -> Option<String> {
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || "_-./\\~".contains(c);
        let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        if !word.ends_with(".game") || word.starts_with('-') {
            return None;
        }
        let path = word.to_string();
        self.at += path.len();
        Some(path)
    }

    /// A path in quotes of either kind.
    fn quoted(&mut self, quote: char) -> Result<Expression> {
        let start = self.at;
        let inner = &self.rest()[1..];
        let Some(length) = inner.find(quote) else {
            return Err(Error::at(start..start + 1, "this quote is never closed"));
        };
        let name = inner[..length].to_string();
        self.at += length + 2;
        self.position(name, start)
    }

    /// A position whose name has been read, with what is in its brackets.
    fn position(&mut self, name: String, start: usize) -> Result<Expression> {
        let bracket = self.at;
        let arguments = if self.take_tight("(") { self.raw_arguments(bracket)? } else { String::new() };
        let written = self.text[start..self.at].to_string();
        Ok(Expression { term: Term::Position(Named { name, arguments, written }), place: start..self.at })
    }

    /// The text up to the bracket that closes the one before, with quotes and inner brackets skipped.
    fn raw_arguments(&mut self, bracket: usize) -> Result<String> {
        let mut open = 1usize;
        let mut quoted = false;
        for (offset, c) in self.rest().char_indices() {
            match c {
                '"' => quoted = !quoted,
                '(' | '[' | '{' if !quoted => open += 1,
                ')' | ']' | '}' if !quoted => open -= 1,
                _ => {}
            }
            if open == 0 {
                let arguments = self.rest()[..offset].trim().to_string();
                self.at += offset + c.len_utf8();
                return Ok(arguments);
            }
        }
        Err(Error::at(bracket..bracket + 1, "this bracket is never closed"))
    }

    /// Expressions with commas between them, up to whatever ends them.
    fn list(&mut self) -> Result<Vec<Expression>> {
        let mut all = vec![self.sum()?];
        while self.take(",") {
            all.push(self.sum()?);
        }
        Ok(all)
    }

    /// Takes a run of bars; how many they are.
    fn bars(&mut self) -> usize {
        let mut bars = 0;
        while let Some(c) = self.peek().filter(|&c| bars_in(c) > 0) {
            bars += bars_in(c);
            self.at += c.len_utf8();
        }
        bars
    }

    /// A game in braces whose opening one is read. A `subscript` may be a single expression without bars.
    fn braces(&mut self, start: usize, subscript: bool) -> Result<Expression> {
        // Pieces between runs of bars, each a list of options; then the longest run splits first.
        let mut pieces = Vec::new();
        let mut runs: Vec<(usize, Range<usize>)> = Vec::new();
        loop {
            self.skip();
            let from = self.at;
            let empty = self.peek().is_some_and(|c| c == '}' || bars_in(c) > 0);
            pieces.push((if empty { Vec::new() } else { self.list()? }, from..self.at));
            self.skip();
            let start = self.at;
            let bars = self.bars();
            if bars == 0 {
                break;
            }
            runs.push((bars, start..self.at));
        }
        self.expect("}", "`|`, `,` or `}` is expected here")?;
        if runs.is_empty() {
            let (mut only, place) = pieces.remove(0);
            if subscript && only.len() == 1 {
                return Ok(only.remove(0));
            }
            return Err(Error::at(place, "a bar is missing between Left's and Right's options: `{1|-1}`"));
        }
        let (left, right) = split(pieces, &runs, self.nested)?;
        Ok(Expression { term: Term::Braces(left, right), place: start..self.at })
    }
}

/// Signs around the path of a rules file.
const QUOTES: [char; 2] = ['"', '\''];

/// Whether a text begins like a path, and like nothing else that an expression can have here.
fn starts_path(text: &str) -> bool {
    ["/", "./", "../", "~/", "\\", ".\\", "..\\"].iter().any(|start| text.starts_with(start))
}

/// Stars.
const STARS: [char; 3] = ['*', '∗', '⋆'];

/// Signs between a factor and a game. A star is one too where it does not make a nimber.
const TIMES: &[&str] = &["*", "∗", "⋆", "·", "⋅", "×", "."];

/// How many bars a sign stands for.
fn bars_in(c: char) -> usize {
    match c {
        '|' | '∣' => 1,
        '∥' | '‖' => 2,
        '⦀' => 3,
        _ => 0,
    }
}

type Piece = (Vec<Expression>, Range<usize>);

/// The two sides of a game: the longest run of bars separates them, and what holds more bars is a game itself.
fn split(
    mut pieces: Vec<Piece>,
    runs: &[(usize, Range<usize>)],
    nested: usize,
) -> Result<(Vec<Expression>, Vec<Expression>)> {
    if nested > MOST_NESTED + 1 {
        return Err(Error::TooDeep { limit: MOST_NESTED });
    }
    let most = runs.iter().map(|run| run.0).max().unwrap_or(0);
    let at = runs.iter().position(|run| run.0 == most).unwrap_or(0);
    if let Some(second) = runs[at + 1..].iter().find(|run| run.0 == most) {
        let message =
            "two separators of the same length: write more bars for the outer one, as in `{2|0||0}`, or braces";
        return Err(Error::at(second.1.clone(), message));
    }
    let after = pieces.split_off(at + 1);
    let side = |mut pieces: Vec<Piece>, runs: &[(usize, Range<usize>)]| -> Result<Vec<Expression>> {
        if runs.is_empty() {
            return Ok(pieces.remove(0).0);
        }
        let place = pieces[0].1.start..pieces[pieces.len() - 1].1.end;
        let (left, right) = split(pieces, runs, nested + 1)?;
        Ok(vec![Expression { term: Term::Braces(left, right), place }])
    };
    Ok((side(pieces, &runs[..at])?, side(after, &runs[at + 1..])?))
}

fn count(arguments: usize) -> String {
    match arguments {
        1 => "one argument".to_string(),
        many => format!("{many} arguments"),
    }
}
