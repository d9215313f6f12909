//! Sums as people write them: `kayles(7) + 2*nim([3, 5]) + *4`.
//!
//! ```text
//! sum      = term { "+" term }
//! term     = [ count "*" ] summand
//! summand  = game [ "(" [ argument { "," argument } ] ")" ]   |   "*" [ number ]
//! game     = a word without spaces   |   "a path in quotes"
//! argument = [ name "=" ] value
//! ```
//!
//! The text is only cut into pieces here. Other modules know which games there are, what their parameters are called,
//! and what is in files. So the text of a value ends at a comma or parenthesis outside of its own brackets and quotes,
//! and is passed on unread. `*4` is a Nim heap of four, and `*` is a heap of one.

use crate::diagnostic::Diagnostic;
use crate::instance::{Given, parse_given};
use crate::span::Span;
use crate::text::cut;

/// The most summands of a sum; `3*kayles(7)` counts as three.
pub const MOST_SUMMANDS: usize = 1000;

/// How much of a value is shown in the name of a summand.
const SHOWN: usize = 60;

/// A term of a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// How often the summand is taken.
    pub times: usize,
    /// The summand.
    pub head: Head,
    /// The arguments, in the order in which they stand.
    pub arguments: Vec<Argument>,
    /// The summand in the text, without its count.
    pub span: Span,
    /// The name of the summand in answers: as written, with the values in one spelling.
    pub name: String,
}

/// What a summand is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// A game, by its name or path, and the place of that name.
    Game(String, Span),
    /// A Nim heap of this size.
    Heap(i64),
}

/// A value for a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The parameter, where it is named, and the place of the name.
    pub name: Option<(String, Span)>,
    /// The value as it stands, without the spaces around it.
    pub value: String,
    /// Where the value stands.
    pub span: Span,
}

/// Cuts a sum into its terms, or reports what is wrong with it.
///
/// ```
/// let terms = rules::sum_text::parse("2*kayles(7) + nim(piles=[3,5]) + *4").unwrap();
/// assert_eq!(terms.iter().map(|term| term.name.as_str()).collect::<Vec<_>>(), ["kayles(7)", "nim(piles=[3, 5])", "*4"]);
/// assert_eq!(terms[0].times, 2);
/// assert_eq!(terms[1].arguments[0].value, "[3,5]");
/// ```
pub fn parse(text: &str) -> Result<Vec<Term>, Box<Diagnostic>> {
    let mut parser = Parser { text, at: 0 };
    let mut terms = vec![parser.term()?];
    let mut count = terms[0].times;
    loop {
        parser.space();
        match parser.peek() {
            None => return Ok(terms),
            Some('+') => parser.at += 1,
            Some(c) => return Err(parser.mistake(format!("expected `+` or the end of the sum, found `{c}`"), "here")),
        }
        let term = parser.term()?;
        count = count.saturating_add(term.times);
        if count > MOST_SUMMANDS {
            return Err(too_many(term.span, count));
        }
        terms.push(term);
    }
}

fn too_many(span: Span, count: usize) -> Box<Diagnostic> {
    let these = if count < usize::MAX { format!("these are {count}") } else { "these are more".to_string() };
    let title = format!("a sum has at most {MOST_SUMMANDS} summands, and {these}");
    let help = "two equal summands with a nimber cancel out: their sum is lost for the player to move";
    Box::new(Diagnostic::at(span, title, "up to here").help(help))
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn space(&mut self) {
        self.skip(char::is_whitespace);
    }

    /// Skips characters of a kind and returns them.
    fn skip(&mut self, is: impl Fn(char) -> bool) -> &str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !is(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    /// A mistake at the next character, or at the end.
    fn mistake(&self, title: impl Into<String>, label: &str) -> Box<Diagnostic> {
        let end = self.at + self.peek().map_or(0, char::len_utf8);
        Box::new(Diagnostic::at(Span::new(self.at, end), title, label))
    }

    fn term(&mut self) -> Parsed<Term> {
        self.space();
        let times = self.count()?.unwrap_or(1);
        self.space();
        let start = self.at;
        if self.eat('*') {
            return self.heap(start, times);
        }
        let (head, written) = self.game()?;
        let before = self.at;
        self.space();
        let arguments = if self.eat('(') {
            self.arguments(before)?
        } else {
            self.at = before;
            return Ok(Term { times, head, arguments: Vec::new(), span: Span::new(start, before), name: written });
        };
        let shown: Vec<String> = arguments.iter().map(Argument::shown).collect();
        let name = format!("{written}({})", shown.join(", "));
        Ok(Term { times, head, arguments, span: Span::new(start, self.at), name })
    }

    /// Reads `3 *` before a summand; reads nothing if there is none.
    fn count(&mut self) -> Parsed<Option<usize>> {
        let start = self.at;
        let is_digit = |c: char| c.is_ascii_digit();
        let digits = match self.peek().is_some_and(is_digit) {
            true => self.skip(|c| c.is_ascii_alphanumeric() || matches!(c, '^' | '_')).to_string(),
            false => String::new(),
        };
        let end = self.at;
        self.space();
        let number = parse_given(&digits);
        if digits.is_empty() || !self.eat('*') {
            self.at = start;
            return Ok(None);
        }
        let span = Span::new(start, end);
        let times = match number {
            Ok(Given::Int(times)) => usize::try_from(times).unwrap_or(usize::MAX),
            _ if digits.chars().all(is_digit) => usize::MAX,
            _ => {
                let title = format!("`{digits}` is no number of summands");
                return Err(Box::new(Diagnostic::at(span, title, "not a number")));
            }
        };
        match times {
            0 => Err(Box::new(Diagnostic::at(span, "a summand is taken at least once", "none"))),
            times if times <= MOST_SUMMANDS => Ok(Some(times)),
            times => {
                // Powers of an even number and numbers of many digits are told by what they end with.
                let odd = if times < usize::MAX { times % 2 == 1 } else { digits.ends_with(['1', '3', '5', '7', '9']) };
                let fewer = if odd { 3 } else { 2 };
                self.space();
                let sum = format!("{}{fewer}*{}", &self.text[..start], &self.text[self.at..]);
                let help =
                    format!("equal summands cancel out in pairs, so that {fewer} are worth as much; write '{sum}'");
                Err(Box::new(too_many(span, times).help(help)))
            }
        }
    }

    /// What follows the star of a Nim heap.
    fn heap(&mut self, start: usize, times: usize) -> Parsed<Term> {
        let from = self.at;
        let number = self.skip(|c| c.is_ascii_alphanumeric() || matches!(c, '^' | '_' | '.' | '-')).to_string();
        let span = Span::new(start, self.at);
        let size = match &*number {
            "" => 1,
            number => match parse_given(number) {
                Ok(Given::Int(size)) if size >= 0 => size,
                _ => {
                    let title = format!("`*{number}` is no Nim heap: its size is a whole number that is not negative");
                    return Err(Box::new(Diagnostic::at(Span::new(from, self.at), title, "not a size")));
                }
            },
        };
        let name = if number.is_empty() { "*".to_string() } else { format!("*{size}") };
        Ok(Term { times, head: Head::Heap(size), arguments: Vec::new(), span, name })
    }

    /// The name or path of a game, and how it was written.
    fn game(&mut self) -> Parsed<(Head, String)> {
        let start = self.at;
        if let Some(quote @ ('"' | '\'')) = self.peek() {
            self.at += 1;
            let path = self.skip(|c| c != quote).to_string();
            if !self.eat(quote) {
                let span = Span::new(start, self.at);
                return Err(Box::new(Diagnostic::at(span, "the quote is never closed", "opened here")));
            }
            return Ok((Head::Game(path, Span::new(start, self.at)), self.text[start..self.at].to_string()));
        }
        let word =
            self.skip(|c| !c.is_whitespace() && !matches!(c, '+' | '*' | '(' | ')' | '[' | ']' | ',' | '=' | '"'));
        if word.is_empty() {
            let found = self.peek().map_or("the end".to_string(), |c| format!("`{c}`"));
            let help = "a sum is written like `kayles(7) + nim([3, 5]) + *4`";
            return Err(Box::new(self.mistake(format!("expected a game, found {found}"), "here").help(help)));
        }
        let word = word.to_string();
        Ok((Head::Game(word.clone(), Span::new(start, self.at)), word))
    }

    /// The arguments up to the closing parenthesis; the opening one was already read.
    fn arguments(&mut self, opened: usize) -> Parsed<Vec<Argument>> {
        let mut arguments = Vec::new();
        self.space();
        if self.eat(')') {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.argument(opened)?);
            if self.eat(')') {
                return Ok(arguments);
            }
            self.at += 1; // A value ends at `,` or `)`.
        }
    }

    fn argument(&mut self, opened: usize) -> Parsed<Argument> {
        self.space();
        let start = self.at;
        let word = self.skip(|c| c.is_alphanumeric() || c == '_').to_string();
        let named = Span::new(start, self.at);
        self.space();
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let name = if is_name && self.eat('=') {
            self.space();
            Some((word, named))
        } else {
            self.at = start;
            None
        };
        let (value, span) = self.value(opened)?;
        Ok(Argument { name, value, span })
    }

    /// The text up to a comma or parenthesis outside of brackets and quotes. That sign itself is not read.
    fn value(&mut self, opened: usize) -> Parsed<(String, Span)> {
        let start = self.at;
        let (mut open, mut quoted, mut escaped) = (0usize, false, false);
        for (offset, c) in self.text[start..].char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                _ if quoted => {}
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' if open > 0 => open -= 1,
                ',' | ')' if open == 0 => {
                    let value = self.text[start..start + offset].trim_end();
                    let span = Span::new(start, start + value.len());
                    self.at = start + offset;
                    if value.is_empty() {
                        return Err(self.mistake(format!("expected a value, found `{c}`"), "here"));
                    }
                    return Ok((value.to_string(), span));
                }
                _ => {}
            }
        }
        let span = Span::new(opened, self.text.len());
        Err(Box::new(Diagnostic::at(span, "the arguments have no end", "no `)` follows").help("close them with `)`")))
    }
}

impl Argument {
    /// As the name of a summand shows it.
    fn shown(&self) -> String {
        let value = match parse_given(&self.value) {
            Ok(given) => cut(SHOWN, &given),
            Err(_) => cut(SHOWN, &self.value),
        };
        match &self.name {
            Some((name, _)) => format!("{name}={value}"),
            None => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(usize, String)> {
        parse(text).unwrap().into_iter().map(|term| (term.times, term.name)).collect()
    }

    fn wrong(text: &str) -> (String, std::ops::Range<usize>) {
        let diagnostic = parse(text).unwrap_err();
        let place = diagnostic.label.as_ref().unwrap().0.range();
        (diagnostic.title, place)
    }

    #[test]
    fn terms_are_told_apart() {
        let one = |name: &str| (1, name.to_string());
        assert_eq!(names("nim"), [one("nim")]);
        assert_eq!(names(" nim ( ) +kayles(7)"), [one("nim()"), one("kayles(7)")]);
        assert_eq!(names("3*kayles(7)+2 * *5+*"), [(3, "kayles(7)".into()), (2, "*5".into()), one("*")]);
        assert_eq!(names("*10^18"), [one("*1000000000000000000")]);
        assert_eq!(names("g(a=[1,[2]], b = \"x,)\" , 10^2)"), [one("g(a=[1, [2]], b=\"x,)\", 100)")]);
        assert_eq!(
            names("'my games/x.game'(1) + ./a-b/c.game(@v.json)"),
            [one("'my games/x.game'(1)"), one("./a-b/c.game(@v.json)")]
        );
        assert_eq!(names("words(LRL)"), [one("words(LRL)")]);
    }

    #[test]
    fn places_are_those_of_the_text() {
        let text = "nim + kayles( rows = [7] )";
        let terms = parse(text).unwrap();
        assert_eq!(&text[terms[1].span.range()], "kayles( rows = [7] )");
        let argument = &terms[1].arguments[0];
        assert_eq!(&text[argument.span.range()], "[7]");
        assert_eq!(argument.name.as_ref().map(|(name, span)| (&**name, &text[span.range()])), Some(("rows", "rows")));
        let Head::Game(name, span) = &terms[1].head else { panic!() };
        assert_eq!((&**name, &text[span.range()]), ("kayles", "kayles"));
    }

    #[test]
    fn mistakes_have_a_place() {
        let cases = [
            ("", "expected a game, found the end", 0..0),
            ("nim +", "expected a game, found the end", 5..5),
            ("nim ++ nim", "expected a game, found `+`", 5..6),
            ("nim(3", "the arguments have no end", 3..5),
            ("nim([3)", "the arguments have no end", 3..7),
            ("nim(3,)", "expected a value, found `)`", 6..7),
            ("nim(piles=)", "expected a value, found `)`", 10..11),
            ("nim(3) kayles(7)", "expected `+` or the end of the sum, found `k`", 7..8),
            ("nim(3))", "expected `+` or the end of the sum, found `)`", 6..7),
            ("\"a.game(3)", "the quote is never closed", 0..10),
            ("0*nim", "a summand is taken at least once", 0..1),
        ];
        for (text, title, place) in cases {
            assert_eq!(wrong(text), (title.to_string(), place), "{text}");
        }
        assert!(wrong("*x").0.contains("no Nim heap") && wrong("*-3").0.contains("no Nim heap"));
        assert!(wrong("1001*nim").0.contains("at most 1000") && wrong("900*nim + 900*nim").0.contains("at most 1000"));
        assert!(wrong("99999999999999999999999*nim").0.contains("at most 1000"));
    }

    #[test]
    fn no_text_makes_it_panic() {
        let pieces =
            ["nim", "(", ")", "[", "]", ",", "=", "+", "*", "7", "\"", "\\", " ", "é", "'", "^", "@f", "{", "-"];
        let mut random = testkit::Random::new(5);
        for _ in 0..50_000 {
            let text: String = (0..random.below(16)).map(|_| *random.pick(&pieces)).collect();
            match parse(&text) {
                Ok(terms) => assert!(!terms.is_empty()),
                Err(diagnostic) => {
                    let place = diagnostic.label.unwrap().0.range();
                    assert!(text.get(place).is_some(), "{text}");
                }
            }
        }
    }
}
