//! Reads names of values with loops: `on`, `over`, `a{0|a}`, `{on|1}`, and two sides as `over & under`.
//!
//! A letter before braces names the position, so that it can be an option further in. Whatever has no loops is read as
//! [`notation`] does. A name becomes a position of a graph ([`Named`]).

use crate::graph::Named;
use crate::notation;
use crate::refusal::Refusal;

/// Names within names: recursion is no deeper.
const MOST_NESTED: usize = 250;

/// What a name says: what the value is worth if endless play is a win for Left, and if it is one for Right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// If Left wins it.
    pub onside: u32,
    /// If Right wins it.
    pub offside: u32,
}

/// Reads a name into positions.
pub fn read(text: &str, named: &mut Named) -> Result<Sides, Refusal> {
    if text.chars().count() as u64 > notation::LONGEST {
        return Err(unreadable(text));
    }
    let mut reader = Reader { named, labels: Vec::new(), whole: text };
    let (high, low) = match text.split_once(" & ") {
        _ if text == "dud" => ("on", "off"),
        Some(sides) => sides,
        None => (text, text),
    };
    let onside = reader.position(high)?;
    let offside = if low == high { onside } else { reader.position(low)? };
    Ok(Sides { onside, offside })
}

fn unreadable(text: &str) -> Refusal {
    Refusal::wrong(format!("`{text}` is no name of a value"))
}

struct Reader<'n> {
    named: &'n mut Named,
    /// The positions whose braces are open, by name.
    labels: Vec<(String, u32)>,
    whole: &'n str,
}

impl Reader<'_> {
    /// The position that a name stands for.
    fn position(&mut self, text: &str) -> Result<u32, Refusal> {
        if text.is_empty() {
            return Err(unreadable(self.whole));
        }
        if let Some((_, position)) = self.labels.iter().rev().find(|(label, _)| label == text) {
            return Ok(*position);
        }
        if let Ok(name) = notation::read(text) {
            return name.value(self.named);
        }
        // `over` is 0 for Left and itself for Right; `under` its negative.
        let spelled = match text {
            "on" => "a{a|}",
            "off" => "a{|a}",
            "over" => "a{0|a}",
            "under" => "a{a|0}",
            other => other,
        };
        let Some((label, inner)) = spelled.strip_suffix('}').and_then(|text| text.split_once('{')) else {
            return Err(unreadable(self.whole));
        };
        if !is_label(label) || self.labels.len() >= MOST_NESTED {
            return Err(unreadable(self.whole));
        }
        let [left, right] = sides(inner).ok_or_else(|| unreadable(self.whole))?;
        let position = self.named.promise()?;
        // Without a label of its own, nothing inside can mean it.
        self.labels.push((label.to_string(), position));
        let options = [self.list(left)?, self.list(right)?];
        self.labels.pop();
        self.named.keep(position, options)?;
        Ok(position)
    }

    /// Names with commas between them, maybe none.
    fn list(&mut self, text: &str) -> Result<Vec<u32>, Refusal> {
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let mut options = Vec::new();
        let mut start = 0;
        for at in outside(text, ',').chain([text.len()]) {
            options.push(self.position(&text[start..at])?);
            start = at + 1;
        }
        Ok(options)
    }
}

/// A letter and maybe a number, or nothing.
fn is_label(text: &str) -> bool {
    let mut signs = text.chars();
    let first = signs.next();
    first.is_none_or(|sign| sign.is_ascii_lowercase()) && signs.all(|sign| sign.is_ascii_digit())
}

/// What stands before and behind the only bar outside all brackets.
fn sides(text: &str) -> Option<[&str; 2]> {
    let mut bars = outside(text, '|');
    let at = bars.next()?;
    bars.next().is_none().then(|| [&text[..at], &text[at + 1..]])
}

/// Where a sign stands outside all brackets.
fn outside(text: &str, wanted: char) -> impl Iterator<Item = usize> + '_ {
    let mut depth = 0;
    text.char_indices().filter_map(move |(at, sign)| {
        depth += match sign {
            '{' | '(' => 1,
            '}' | ')' => -1,
            _ => 0,
        };
        (sign == wanted && depth == 0).then_some(at)
    })
}
