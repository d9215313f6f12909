//! Numbers, arrows and stars, as the books write them: `3/4`, `0.75`, `½`, `^3*`, `v[2]`, `*5`, `3·↑*`, `↑²`.

use std::ops::Range;

use super::{Parser, QUOTES, STARS, starts_path};
use crate::arena::Compact;
use crate::error::{Error, Result};
use crate::expression::tree::{Expression, Term};
use crate::number::{Dyadic, MOST_HALVINGS};

/// Signs between a number and the arrows that it multiplies.
const DOTS: [char; 3] = ['.', '·', '⋅'];

enum Arrows {
    Ups(i32),
    Power { power: u32, all: bool, down: bool },
}

impl Parser<'_> {
    /// A number, arrows and a star, each optional, without blanks between them.
    pub(super) fn literal(&mut self) -> Result<Expression> {
        let start = self.at;
        let negative = self.take_any(&["-", "−"]);
        let mut number = Dyadic::ZERO;
        if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            number = self.fraction()?;
        } else if let Some(quarters) = self.vulgar() {
            number = Dyadic::new(quarters, 2)?;
        }
        if negative {
            number = -number;
        }
        let bare = self.at == start;
        if let Some(up) = self.multiple(number)? {
            let star = self.star(false)?;
            let term = Term::Compact(Compact { number: Dyadic::ZERO, up, star });
            return Ok(Expression { term, place: start..self.at });
        }
        let arrows = self.arrows()?;
        let star = self.star(bare && arrows.is_none())?;
        let place = start..self.at;
        let (up, uptimal) = match arrows {
            Some(Arrows::Ups(up)) => (up, None),
            Some(Arrows::Power { power, all, down }) => (0, Some((power, all, down))),
            None => (0, None),
        };
        let Some((power, all, down)) = uptimal else {
            return Ok(Expression { term: Term::Compact(Compact { number, up, star }), place });
        };
        let uptimal = Expression { term: Term::Uptimal { power, all, down, star }, place: place.clone() };
        if number == Dyadic::ZERO {
            return Ok(uptimal);
        }
        let number = Expression { term: Term::Compact(Compact { number, up: 0, star: 0 }), place: place.clone() };
        Ok(Expression { term: Term::Sum(vec![(false, number), (false, uptimal)]), place })
    }

    /// `3·↑`, of which the number has been read: so many ups. A star behind it is added, not multiplied.
    fn multiple(&mut self, number: Dyadic) -> Result<Option<i32>> {
        let start = self.at;
        let arrow = |rest: &str| rest.starts_with(['^', '↑', '⇑', '↓', '⇓']);
        let dotted = self.rest().strip_prefix(DOTS).is_some_and(arrow);
        let (true, Some(number)) = (dotted, number.to_integer()) else { return Ok(None) };
        self.at += self.peek().map_or(0, char::len_utf8);
        match self.arrows()? {
            Some(Arrows::Ups(ups)) => match number.checked_mul(ups.into()).map(i32::try_from) {
                Some(Ok(ups)) if ups != i32::MIN => Ok(Some(ups)),
                _ => Err(Error::at(start..self.at, "overflow: a multiple of up must fit in 31 bits")),
            },
            // A power of up is multiplied like any other game.
            _ => {
                self.at = start;
                Ok(None)
            }
        }
    }

    /// A number in small digits below the line.
    pub(super) fn low_digits(&mut self) -> Result<Option<i64>> {
        self.small_digits("₀₁₂₃₄₅₆₇₈₉")
    }

    /// A number in small digits, which are given from 0 to 9.
    fn small_digits(&mut self, digits: &str) -> Result<Option<i64>> {
        let start = self.at;
        let mut number: Option<i64> = None;
        while let Some((digit, c)) = digits.chars().enumerate().find(|(_, c)| self.rest().starts_with(*c)) {
            self.at += c.len_utf8();
            let more = number.unwrap_or(0).checked_mul(10).and_then(|tens| tens.checked_add(digit as i64));
            let too_large = || Error::at(start..self.at, "overflow: this number does not fit in 63 bits");
            number = Some(more.ok_or_else(too_large)?);
        }
        Ok(number)
    }

    pub(super) fn whole(&mut self) -> Result<i64> {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let place = self.at..self.at + length;
        self.at = place.end;
        self.text[place.clone()].parse().map_err(|_| Error::at(place, "overflow: this number does not fit in 63 bits"))
    }

    /// A fraction that is one sign, in quarters.
    fn vulgar(&mut self) -> Option<i64> {
        [("½", 2), ("¼", 1), ("¾", 3)].into_iter().find(|(sign, _)| self.take_tight(sign)).map(|(_, quarters)| quarters)
    }

    /// The digits behind a point, if there are some: `0.75` is 3/4.
    fn decimals(&mut self, whole: i64) -> Result<Option<Dyadic>> {
        let Some(rest) = self.rest().strip_prefix('.') else { return Ok(None) };
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            return Ok(None);
        }
        let place = self.at..self.at + 1 + digits;
        self.at = place.end;
        let text = self.text[place.start + 1..place.end].trim_end_matches('0');
        let number = |n: u128| -> Option<Dyadic> {
            let halvings = u32::try_from(text.len()).ok()?;
            let fives = 5u128.checked_pow(halvings)?;
            let above = n.is_multiple_of(fives).then_some(n / fives)?;
            Dyadic::new(i64::try_from(above).ok()?, halvings).ok()
        };
        let below = if text.is_empty() { Some(Dyadic::ZERO) } else { text.parse().ok().and_then(number) };
        let message = "only halves, quarters and so on are numbers here: values of games are dyadic";
        let below = below.ok_or_else(|| Error::at(place, message))?;
        Dyadic::whole(whole).plus(below).map(Some)
    }

    fn fraction(&mut self) -> Result<Dyadic> {
        let above = self.whole()?;
        if let Some(number) = self.decimals(above)? {
            return Ok(number);
        }
        let slash = self.at;
        if !self.take_tight("/") {
            return Ok(Dyadic::whole(above));
        }
        if !self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Err(Error::at(slash..slash + 1, "`/` is for numbers such as `3/4` only; digits must follow"));
        }
        let below = self.whole()?;
        let place = slash + 1..self.at;
        if below <= 0 || below.count_ones() != 1 {
            let message = "the number below the bar must be a power of two: values of games are dyadic";
            return Err(Error::at(place, message));
        }
        if below.trailing_zeros() > MOST_HALVINGS {
            return Err(Error::at(place, format!("the number below the bar may be 2^{MOST_HALVINGS} at most")));
        }
        Dyadic::new(above, below.trailing_zeros())
    }

    fn arrows(&mut self) -> Result<Option<Arrows>> {
        let start = self.at;
        let mut ups: i64 = 0;
        loop {
            let sign = if ups >= 0 { 1 } else { -1 };
            if ups >= 0 && self.take_any(&["^", "↑"]) {
                ups += 1;
            } else if ups <= 0 && (self.rest().starts_with('v') && self.is_down() && self.take_tight("v"))
                || ups <= 0 && self.take_tight("↓")
            {
                ups -= 1;
            } else if ups == 0 && self.take_tight("⇑") {
                ups = 2;
            } else if ups == 0 && self.take_tight("⇓") {
                ups = -2;
            } else if ups.abs() == 1 && self.peek().is_some_and(|c| c.is_ascii_digit()) {
                let many = self.whole()?;
                let many = i32::try_from(many).ok().filter(|&many| many != i32::MIN);
                let Some(many) = many else {
                    return Err(Error::at(start..self.at, "overflow: a multiple of up must fit in 31 bits"));
                };
                return Ok(Some(Arrows::Ups(sign * many)));
            } else {
                break;
            }
        }
        if ups.abs() == 1
            && let Some((power, all)) = self.power()?
        {
            return Ok(Some(Arrows::Power { power, all, down: ups < 0 }));
        }
        if ups == 0 {
            return Ok(None);
        }
        let ups = i32::try_from(ups).map_err(|_| Error::at(start..self.at, "too many arrows"))?;
        Ok(Some(Arrows::Ups(ups)))
    }

    /// `<2>`, `[2]` or `²` behind an arrow.
    fn power(&mut self) -> Result<Option<(u32, bool)>> {
        for (open, close, all) in [('<', '>', false), ('[', ']', true)] {
            let Some(rest) = self.rest().strip_prefix(open) else { continue };
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            if digits.is_empty() || !rest[digits.len()..].starts_with(close) {
                continue;
            }
            let place = self.at..self.at + digits.len() + 2;
            self.at = place.end;
            return Ok(Some((power_of(digits.parse().ok(), place)?, all)));
        }
        let start = self.at;
        let high = self.small_digits("⁰¹²³⁴⁵⁶⁷⁸⁹")?;
        high.map(|power| Ok((power_of(u32::try_from(power).ok(), start..self.at)?, false))).transpose()
    }

    /// A star that belongs to the literal, with its digits. Before an operand a star multiplies instead, unless nothing
    /// else of the literal is there.
    pub(super) fn star(&mut self, alone: bool) -> Result<u32> {
        let Some(rest) = self.rest().strip_prefix(STARS) else { return Ok(0) };
        let digit = rest.starts_with(|c: char| c.is_ascii_digit());
        let blank = rest.starts_with(char::is_whitespace);
        // `2*{1|-1}`, `2*(3)`, `2*mean(x)`, `2*^`, `2*+_1`, `2*/games/nim.game` multiply.
        let operand = rest.starts_with(|c: char| "{(±^↑↓⇑⇓⧾⧿*∗⋆".contains(c) || c.is_alphabetic())
            || rest.starts_with("+_")
            || rest.starts_with("-_")
            || starts_path(rest)
            || rest.starts_with(QUOTES);
        if !alone && operand && !blank {
            return Ok(0);
        }
        self.at += self.rest().len() - rest.len();
        if !digit {
            return Ok(1);
        }
        let start = self.at;
        let size = self.whole()?;
        u32::try_from(size).map_err(|_| Error::at(start..self.at, "overflow: the size of a nimber must fit in 32 bits"))
    }
}

/// A power of up.
fn power_of(power: Option<u32>, place: Range<usize>) -> Result<u32> {
    let allowed = power.filter(|power| (1..=1000).contains(power));
    allowed.ok_or_else(|| Error::at(place, "up has powers from 1 to 1000 here"))
}
