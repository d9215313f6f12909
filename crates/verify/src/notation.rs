//! Reads names of values: `3/4`, `^2*`, `{2|0||0}`, `±1`, `+_2`, and what else the books write.
//!
//! A name is read into a tree, and the tree is worked out among the forms of an argument: sums and games in braces are valued there, by
//! entries that are checked. Names are short and nested at most `MOST_NESTED` deep, so recursion over them is bounded.

use crate::forms::{Form, ZERO};
use crate::refusal::Refusal;

/// The longest name.
pub const LONGEST: u64 = 1000;
/// Names within names.
const MOST_NESTED: usize = 250;
/// The largest whole number or count of ups, for each is as many forms.
const LARGEST: i64 = 1 << 16;
/// The largest nimber, which has as many forms, each with all that are smaller as options.
pub const LARGEST_STAR: i64 = 1000;

/// What names are worked out in.
pub trait Algebra {
    /// The form with these options of Left and Right.
    fn enter(&mut self, left: &[Form], right: &[Form]) -> Result<Form, Refusal>;
    /// The form with the players exchanged.
    fn negative(&mut self, form: Form) -> Result<Form, Refusal>;
    /// The value of a sum of two forms.
    fn plus(&mut self, one: Form, other: Form) -> Result<Form, Refusal>;
    /// The value of the game with these options.
    fn game(&mut self, left: &[Form], right: &[Form]) -> Result<Form, Refusal>;
}

/// A name that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// A number: a whole number over a power of two, in lowest terms.
    Number {
        /// The whole number.
        numerator: i64,
        /// The exponent of the power of two.
        halvings: u32,
    },
    /// A nimber.
    Star(i64),
    /// So many ups.
    Ups(i64),
    /// Up to a power, or the sum of the powers from 1 on.
    Power {
        /// The power.
        power: i64,
        /// Whether it is the sum.
        all: bool,
    },
    /// All of these.
    Sum(Vec<Name>),
    /// The options of Left and Right.
    Game(Vec<Name>, Vec<Name>),
    /// The options of Left; Right has their negatives.
    PlusMinus(Vec<Name>),
    /// `{0||0|-x}`.
    Tiny(Box<Name>),
    /// The negative.
    Minus(Box<Name>),
}

/// Reads a name.
pub fn read(text: &str) -> Result<Name, Refusal> {
    let signs: Vec<char> = text.chars().collect();
    if signs.len() as u64 > LONGEST {
        return Err(unreadable(text));
    }
    name(&signs, 0).ok_or_else(|| unreadable(text))
}

fn unreadable(text: &str) -> Refusal {
    Refusal::wrong(format!("`{text}` is no name of a value"))
}

/// Reads all of some signs as one name.
fn name(signs: &[char], nested: usize) -> Option<Name> {
    if nested > MOST_NESTED {
        return None;
    }
    match signs {
        ['{', inner @ .., '}'] if closes_last(signs) => game(inner, nested + 1),
        ['±', '(', inner @ .., ')'] => Some(Name::PlusMinus(list(inner, nested + 1)?)),
        ['±', rest @ ..] => Some(Name::PlusMinus(vec![name(rest, nested + 1)?])),
        [sign @ ('+' | '-'), '_', rest @ ..] => {
            // Braces around a name without bars only hold it together.
            let inner = match rest {
                ['{', inner @ .., '}'] if closes_last(rest) && longest_bars(inner).is_none() => inner,
                _ => rest,
            };
            let tiny = Name::Tiny(Box::new(name(inner, nested + 1)?));
            Some(if *sign == '-' { Name::Minus(Box::new(tiny)) } else { tiny })
        }
        _ => compact(signs),
    }
}

/// Whether the first bracket is closed by the last sign.
fn closes_last(signs: &[char]) -> bool {
    let mut depth = 0;
    signs.iter().enumerate().all(|(at, sign)| {
        depth += depth_change(*sign);
        depth > 0 || at + 1 == signs.len()
    })
}

fn depth_change(sign: char) -> i32 {
    match sign {
        '{' | '(' => 1,
        '}' | ')' => -1,
        _ => 0,
    }
}

/// Where the longest run of bars outside all brackets begins, and how long it is.
fn longest_bars(signs: &[char]) -> Option<(usize, usize)> {
    let (mut depth, mut longest, mut run) = (0, None, 0);
    for (at, &sign) in signs.iter().enumerate() {
        depth += depth_change(sign);
        run = if sign == '|' && depth == 0 { run + 1 } else { 0 };
        if run > longest.map_or(0, |(_, length)| length) {
            longest = Some((at + 1 - run, run));
        }
    }
    longest
}

/// What stands between braces: the longest run of bars separates the sides.
fn game(signs: &[char], nested: usize) -> Option<Name> {
    let (at, length) = longest_bars(signs)?;
    let side = |signs: &[char]| match longest_bars(signs) {
        None => list(signs, nested),
        Some((_, own)) if own < length && nested < MOST_NESTED => Some(vec![game(signs, nested + 1)?]),
        Some(_) => None,
    };
    Some(Name::Game(side(&signs[..at])?, side(&signs[at + length..])?))
}

/// Names with commas between them, maybe none.
fn list(signs: &[char], nested: usize) -> Option<Vec<Name>> {
    if signs.is_empty() {
        return Some(Vec::new());
    }
    let (mut depth, mut start, mut names) = (0, 0, Vec::new());
    for (at, &sign) in signs.iter().enumerate() {
        depth += depth_change(sign);
        if sign == ',' && depth == 0 {
            names.push(name(&signs[start..at], nested)?);
            start = at + 1;
        }
    }
    names.push(name(&signs[start..], nested)?);
    Some(names)
}

/// A number, ups and a nimber, each of which may be absent, but not all.
fn compact(signs: &[char]) -> Option<Name> {
    let mut terms = Vec::new();
    let mut rest = signs;
    let minus = rest.first() == Some(&'-');
    if minus {
        rest = &rest[1..];
    }
    if let Some(numerator) = digits(&mut rest) {
        let mut halvings = 0;
        if rest.first() == Some(&'/') {
            rest = &rest[1..];
            let denominator = digits(&mut rest).filter(|number| *number > 1 && number.count_ones() == 1)?;
            halvings = denominator.trailing_zeros();
            if numerator % 2 == 0 {
                return None;
            }
        }
        if numerator >> halvings > LARGEST {
            return None;
        }
        terms.push(Name::Number { numerator: if minus { -numerator } else { numerator }, halvings });
    } else if minus {
        return None;
    }
    if let Some(&arrow @ ('^' | 'v')) = rest.first() {
        let ups = arrows(arrow, &mut rest)?;
        terms.push(if arrow == 'v' { Name::Minus(Box::new(ups)) } else { ups });
    }
    if let Some('*') = rest.first() {
        rest = &rest[1..];
        terms.push(Name::Star(digits(&mut rest).unwrap_or(1)));
    }
    let small = terms.iter().all(|term| match term {
        Name::Star(star) => (1..=LARGEST_STAR).contains(star),
        _ => true,
    });
    (rest.is_empty() && !terms.is_empty() && small).then_some(Name::Sum(terms))
}

/// Ups, by arrows of one kind.
fn arrows(arrow: char, rest: &mut &[char]) -> Option<Name> {
    let few = rest.iter().take_while(|sign| **sign == arrow).count();
    *rest = &rest[few..];
    let close = match rest.first() {
        Some('<') => Some('>'),
        Some('[') => Some(']'),
        _ => None,
    };
    if let (Some(close), 1) = (close, few) {
        *rest = &rest[1..];
        let power = digits(rest).filter(|power| (1..=16).contains(power))?;
        let closed = rest.first() == Some(&close);
        *rest = rest.get(1..)?;
        return closed.then_some(Name::Power { power, all: close == ']' });
    }
    match digits(rest) {
        Some(many) => (few == 1 && many <= LARGEST).then_some(Name::Ups(many)),
        None => Some(Name::Ups(few as i64)),
    }
}

/// A whole number without a sign, if one stands here.
fn digits(rest: &mut &[char]) -> Option<i64> {
    let length = rest.iter().take_while(|sign| sign.is_ascii_digit()).count();
    let (own, after) = rest.split_at(length);
    let number = own.iter().collect::<String>().parse().ok()?;
    *rest = after;
    Some(number)
}

impl Name {
    /// The value of a name among the forms of an argument.
    pub fn value(&self, values: &mut dyn Algebra) -> Result<Form, Refusal> {
        match self {
            Name::Number { numerator, halvings } => number(*numerator, *halvings, values),
            Name::Star(star) => {
                let mut below = Vec::new();
                for _ in 0..*star {
                    let nimber = values.enter(&below, &below)?;
                    below.push(nimber);
                }
                values.enter(&below, &below)
            }
            Name::Ups(count) => {
                let (mut total, mut double, mut left) = (ZERO, power(1, values)?, *count);
                while left > 0 {
                    if left % 2 == 1 {
                        total = values.plus(total, double)?;
                    }
                    left /= 2;
                    if left > 0 {
                        double = values.plus(double, double)?;
                    }
                }
                Ok(total)
            }
            Name::Power { power: own, all: false } => power(*own, values),
            Name::Power { power: last, all: true } => powers(*last, values),
            Name::Sum(terms) => {
                let mut total = ZERO;
                for term in terms {
                    let term = term.value(values)?;
                    total = values.plus(total, term)?;
                }
                Ok(total)
            }
            Name::Game(left, right) => {
                let left = all(left, values)?;
                let right = all(right, values)?;
                values.game(&left, &right)
            }
            Name::PlusMinus(left) => {
                let left = all(left, values)?;
                let mut right = Vec::with_capacity(left.len());
                for option in &left {
                    right.push(values.negative(*option)?);
                }
                values.game(&left, &right)
            }
            Name::Tiny(of) => {
                let of = of.value(values)?;
                let negative = values.negative(of)?;
                let threat = values.game(&[ZERO], &[negative])?;
                values.game(&[ZERO], &[threat])
            }
            Name::Minus(name) => {
                let form = name.value(values)?;
                values.negative(form)
            }
        }
    }
}

fn all(names: &[Name], values: &mut dyn Algebra) -> Result<Vec<Form>, Refusal> {
    names.iter().map(|name| name.value(values)).collect()
}

/// Up to a power: `{0|v[n-1]*}`.
fn power(power: i64, values: &mut dyn Algebra) -> Result<Form, Refusal> {
    let below = powers(power - 1, values)?;
    let negative = values.negative(below)?;
    let star = values.enter(&[ZERO], &[ZERO])?;
    let right = values.plus(negative, star)?;
    values.game(&[ZERO], &[right])
}

/// The sum of the powers of up, from 1 on.
fn powers(last: i64, values: &mut dyn Algebra) -> Result<Form, Refusal> {
    let star = values.enter(&[ZERO], &[ZERO])?;
    let mut total = ZERO;
    for _ in 0..last {
        let negative = values.negative(total)?;
        let right = values.plus(negative, star)?;
        let next = values.game(&[ZERO], &[right])?;
        total = values.plus(total, next)?;
    }
    Ok(total)
}

/// A number: the simplest between its neighbours, which have smaller denominators.
fn number(numerator: i64, halvings: u32, values: &mut dyn Algebra) -> Result<Form, Refusal> {
    if halvings == 0 {
        let mut form = ZERO;
        for _ in 0..numerator.abs() {
            form = if numerator > 0 { values.enter(&[form], &[])? } else { values.enter(&[], &[form])? };
        }
        return Ok(form);
    }
    // One neighbour is an ancestor of the other: the two are found from the whole numbers around inwards.
    let floor = numerator >> halvings;
    let mut low = number(floor, 0, values)?;
    let mut high = number(floor + 1, 0, values)?;
    for bit in (0..halvings).rev() {
        let middle = values.enter(&[low], &[high])?;
        if bit == 0 {
            return Ok(middle);
        }
        *if numerator >> bit & 1 == 1 { &mut low } else { &mut high } = middle;
    }
    Ok(low)
}
