//! Names of values, written as the books do.
//!
//! | name | value |
//! |---|---|
//! | `3`, `-3/4` | a number |
//! | `*`, `*2` | a nimber |
//! | `^`, `^^`, `^3`, `v`, `vv`, `v3` | a multiple of up, of down |
//! | `1/2^3*2`, `-1*`, `v*` | the sum of a number, ups and a nimber; a minus sign before digits belongs to the number |
//! | `^<2>`, `^[2]`, `v<3>*` | up to a power; the sum of ups to the powers 1 to 2; the same with down and with a star |
//! | `±1`, `±{2\|1}`, `±(1,{2\|0})` | a game that is its own negative, by its Left options |
//! | `+_2`, `-_{1/2}`, `+_{2\|1}` | tiny, miny: `{0\|\|0\|-2}` is `+_2` |
//! | `{2\|0\|\|0}` | any other game: more bars separate less tightly, so this is `{{2\|0}\|0}` |
//!
//! [`crate::expression`] reads all of these, and what it reads is the value that was written.

use std::rc::Rc;

use crate::arena::{Arena, Compact, Value};
use crate::error::{Error, Result};
use crate::number::Dyadic;
use crate::side::Side;

/// Games within games are written and read so deep.
pub const MOST_NESTED: usize = 200;

/// With more bars than these, inner games get braces.
const MOST_BARS: usize = 4;

/// Up to these powers uptimals have names of their own.
const MOST_POWER: u32 = 5;

/// Subscripts of tinies within subscripts are written so deep; deeper ones as games in braces.
const MOST_TINIES: usize = 8;

/// A name, with what its place in a longer one depends on.
#[derive(Clone, Debug)]
struct Name {
    text: Rc<str>,
    /// How many bars separate its two sides, if it is written in braces.
    bars: usize,
    nested: usize,
}

impl Name {
    fn plain(text: String) -> Name {
        Name { text: text.into(), bars: 0, nested: 0 }
    }

    /// Whether a sign may stand before it.
    fn is_tight(&self) -> bool {
        self.bars > 0 || self.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/')
    }

    /// What stands between its braces.
    fn inner(&self) -> &str {
        &self.text[1..self.text.len() - 1]
    }
}

impl Arena {
    /// The name of a value, of at most `limit` bytes.
    pub fn name(&mut self, value: Value, limit: usize) -> Result<String> {
        self.name_uptimals()?;
        Ok(self.name_within(value, limit, MOST_TINIES)?.text.to_string())
    }

    fn name_within(&mut self, value: Value, limit: usize, tinies: usize) -> Result<Name> {
        let leaf = |arena: &mut Arena, value: Value| arena.short_name(value, limit, tinies);
        let join = |arena: &mut Arena, value: Value, left: Vec<Name>, right: Vec<Name>| {
            let own = arena.negative(value)? == value;
            let left = arena.arranged(value, left, Side::Left)?;
            let name = if own {
                plus_minus(&left)
            } else {
                let right = arena.arranged(value, right, Side::Right)?;
                braces(&left, &right)
            };
            if name.text.len() > limit {
                return Err(Error::TooLong { limit });
            }
            if name.nested > MOST_NESTED {
                return Err(Error::TooDeep { limit: MOST_NESTED });
            }
            Ok(name)
        };
        self.build(value, leaf, join)
    }

    /// The names of the options from high to low, so that they do not depend on which game was met first.
    fn arranged(&mut self, value: Value, names: Vec<Name>, side: Side) -> Result<Vec<Name>> {
        let options = self.options(value, side)?;
        let mut keyed: Vec<_> = options.into_iter().zip(names).collect();
        let key = |value: Value| (-self.left_stop(value), -self.right_stop(value));
        keyed.sort_by(|a, b| key(a.0).cmp(&key(b.0)).then_with(|| a.1.text.cmp(&b.1.text)));
        Ok(keyed.into_iter().map(|(_, name)| name).collect())
    }

    /// The name of a value that needs no braces.
    fn short_name(&mut self, value: Value, limit: usize, tinies: usize) -> Result<Option<Name>> {
        if let Some(compact) = self.compact_of(value) {
            return Ok(Some(Name::plain(compact_name(compact))));
        }
        if let Some(name) = self.uptimals.get(&value.0) {
            return Ok(Some(Name::plain(name.clone())));
        }
        for side in Side::BOTH {
            if tinies > 0
                && let Some(x) = self.subscript(value, side)?
            {
                let sign = if side == Side::Left { '+' } else { '-' };
                let name = self.name_within(x, limit, tinies - 1)?;
                let tight = name.bars > 0 || name.text.bytes().all(|byte| byte.is_ascii_digit());
                let text = if tight { format!("{sign}_{}", name.text) } else { format!("{sign}_{{{}}}", name.text) };
                return Ok(Some(Name { text: text.into(), bars: 0, nested: name.nested + 1 }));
            }
        }
        Ok(None)
    }

    /// The `x` with which a value is tiny-x (for Left), or miny-x (for Right).
    fn subscript(&mut self, value: Value, side: Side) -> Result<Option<Value>> {
        if self.options(value, side)? != [Value::ZERO] {
            return Ok(None);
        }
        let [threat] = self.options(value, side.opponent())?[..] else { return Ok(None) };
        if self.options(threat, side)? != [Value::ZERO] {
            return Ok(None);
        }
        let [end] = self.options(threat, side.opponent())?[..] else { return Ok(None) };
        if side == Side::Left { self.negative(end).map(Some) } else { Ok(Some(end)) }
    }

    /// Names ups and downs to powers, with and without a star.
    fn name_uptimals(&mut self) -> Result<()> {
        if !self.uptimals.is_empty() {
            return Ok(());
        }
        for n in 2..=MOST_POWER {
            for (value, index) in [(self.up_power(n)?, format!("<{n}>")), (self.up_powers(n)?, format!("[{n}]"))] {
                for (value, arrow) in [(value, '^'), (self.negative(value)?, 'v')] {
                    let star = self.nimber(1)?;
                    let starred = self.plus(value, star)?;
                    self.uptimals.insert(value.0, format!("{arrow}{index}"));
                    self.uptimals.insert(starred.0, format!("{arrow}{index}*"));
                }
            }
        }
        Ok(())
    }
}

fn compact_name(compact: Compact) -> String {
    let Compact { number, up, star } = compact;
    let mut text = String::new();
    if number != Dyadic::ZERO || (up == 0 && star == 0) {
        text += &number.to_string();
    }
    let arrow = if up > 0 { "^" } else { "v" };
    match up.unsigned_abs() {
        0 => {}
        few @ 1..=2 => text += &arrow.repeat(few as usize),
        many => text += &format!("{arrow}{many}"),
    }
    match star {
        0 => {}
        1 => text.push('*'),
        _ => text += &format!("*{star}"),
    }
    text
}

/// `±1`, `±{2|1}` or `±(1,{2|0})`.
fn plus_minus(left: &[Name]) -> Name {
    let nested = 1 + left.iter().map(|name| name.nested).max().unwrap_or(0);
    let text = match left {
        [only] if only.is_tight() => format!("±{}", only.text),
        _ => format!("±({})", list(left)),
    };
    Name { text: text.into(), bars: 0, nested }
}

fn list(names: &[Name]) -> String {
    names.iter().map(|name| &*name.text).collect::<Vec<_>>().join(",")
}

fn braces(left: &[Name], right: &[Name]) -> Name {
    let side = |names: &[Name]| match names {
        [only] if only.bars > 0 && only.bars < MOST_BARS => (only.inner().to_string(), only.bars),
        _ => (list(names), 0),
    };
    let ((left_text, left_bars), (right_text, right_bars)) = (side(left), side(right));
    let bars = 1 + left_bars.max(right_bars);
    let nested = 1 + left.iter().chain(right).map(|name| name.nested).max().unwrap_or(0);
    Name { text: format!("{{{left_text}{}{right_text}}}", "|".repeat(bars)).into(), bars, nested }
}
