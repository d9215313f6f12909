//! Forms: functions of a number that can be evaluated, and written in the rules language.

use std::fmt;

use crate::numbers::{NamedSet, in_brackets, isqrt};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// A number.
    Int(i64),
    /// Something that is only compared, as the rules language writes it: `first`, `"{1|*}"`.
    Word(String),
}

impl Symbol {
    /// The number, if it is one.
    pub fn int(&self) -> Option<i64> {
        match self {
            Symbol::Int(number) => Some(*number),
            Symbol::Word(_) => None,
        }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Symbol::Int(number) => write!(f, "{number}"),
            Symbol::Word(word) => f.write_str(word),
        }
    }
}

/// A function of `n` that gives a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// `a · n + b`
    Linear {
        /// The slope.
        a: i64,
        /// The value at 0.
        b: i64,
    },
    /// `a · (n mod m) + b`
    Residue {
        /// The factor.
        a: i64,
        /// The modulus.
        m: i64,
        /// What is added.
        b: i64,
    },
    /// `a · ⌊(n + shift) / m⌋ + b`
    Quotient {
        /// The factor.
        a: i64,
        /// What is added to the number.
        shift: i64,
        /// The divisor.
        m: i64,
        /// What is added at the end.
        b: i64,
    },
    /// How often `p` divides `n + shift`.
    Valuation {
        /// The divisor.
        p: i64,
        /// What is added to the number.
        shift: i64,
    },
    /// The largest power of two that divides `n`.
    LowestBit,
    /// How many ones `n` has in binary.
    Ones,
    /// How many digits `n` has in binary.
    Digits,
    /// `⌊√n⌋`
    Root,
}

/// A condition on `n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// `n ≤ c`
    AtMost(i64),
    /// `n = c`
    Is(i64),
    /// `n + shift` is in a set.
    In(NamedSet, i64),
    /// `n mod m` is one of these.
    Residues(i64, Vec<i64>),
}

/// A function of `n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Always this.
    Constant(Symbol),
    /// A number that is computed.
    Number(Number),
    /// `list[n mod length] + saltus · ⌊n / length⌋`
    Cycle {
        /// The values of one round.
        list: Vec<Symbol>,
        /// What a round adds.
        saltus: i64,
    },
    /// One or the other.
    If(Test, Box<Form>, Box<Form>),
    /// A form for `n ≥ start` only.
    From(i64, Box<Form>),
}

impl Number {
    /// Its value; `None` where it has none, or a number is too large.
    pub fn of(&self, n: i64) -> Option<i64> {
        match *self {
            Number::Linear { a, b } => a.checked_mul(n)?.checked_add(b),
            Number::Residue { a, m, b } => a.checked_mul(n.rem_euclid(m))?.checked_add(b),
            Number::Quotient { a, shift, m, b } => a.checked_mul(n.checked_add(shift)?.div_euclid(m))?.checked_add(b),
            Number::Valuation { p, shift } => {
                let mut left = n.checked_add(shift).filter(|number| *number > 0)?;
                let mut times = 0;
                while left % p == 0 {
                    left /= p;
                    times += 1;
                }
                Some(times)
            }
            Number::LowestBit => (n > 0).then(|| n & n.wrapping_neg()),
            Number::Ones => (n >= 0).then(|| i64::from(n.count_ones())),
            Number::Digits => (n >= 0).then(|| i64::from(64 - n.leading_zeros())),
            Number::Root => isqrt(n),
        }
    }

    /// In the rules language.
    fn text(&self, n: &str) -> String {
        let inner = in_brackets(n);
        let scaled = |a: i64, what: String, b: i64| {
            let product = match a {
                1 => what,
                -1 => format!("-({what})"),
                a if what.contains(' ') => format!("{a} * ({what})"),
                a => format!("{a} * {what}"),
            };
            added(&product, b)
        };
        match *self {
            Number::Linear { a: 1, b } => added(n, b),
            Number::Linear { a: -1, b } => format!("{b} - {inner}"),
            Number::Linear { a, b } => added(&format!("{a} * {inner}"), b),
            Number::Residue { a, m, b } => scaled(a, format!("{inner} % {m}"), b),
            Number::Quotient { a, shift: 0, m, b } => scaled(a, format!("{inner} / {m}"), b),
            Number::Quotient { a, shift, m, b } => scaled(a, format!("({}) / {m}", added(n, shift)), b),
            Number::Valuation { p, shift } => {
                let top = if p == 2 { 62 } else { 38 };
                let of = in_brackets(&added(n, shift));
                format!("count({of} % pow({p}, e) == 0 for e in 1..={top})")
            }
            Number::LowestBit => format!("bit_and({n}, -{inner})"),
            Number::Ones => format!("popcount({n})"),
            Number::Digits => format!("count(shr({n}, e) > 0 for e in 0..63)"),
            Number::Root => format!("isqrt({n})"),
        }
    }
}

fn added(text: &str, b: i64) -> String {
    match b {
        0 => text.to_string(),
        b if b > 0 => format!("{text} + {b}"),
        b => format!("{text} - {}", b.unsigned_abs()),
    }
}

impl Test {
    /// Whether it holds.
    pub fn holds(&self, n: i64) -> bool {
        match self {
            Test::AtMost(c) => n <= *c,
            Test::Is(c) => n == *c,
            Test::In(set, shift) => n.checked_add(*shift).is_some_and(|number| set.contains(number)),
            Test::Residues(m, residues) => residues.contains(&n.rem_euclid(*m)),
        }
    }

    fn text(&self, n: &str) -> String {
        let inner = in_brackets(n);
        match self {
            Test::AtMost(c) => format!("{n} <= {c}"),
            Test::Is(c) => format!("{n} == {c}"),
            Test::In(set, 0) => set.text(&inner),
            Test::In(set, shift) => set.text(&in_brackets(&added(n, *shift))),
            Test::Residues(m, residues) => match &residues[..] {
                [only] => format!("{inner} % {m} == {only}"),
                many => {
                    let many: Vec<String> = many.iter().map(i64::to_string).collect();
                    format!("{inner} % {m} in {{{}}}", many.join(", "))
                }
            },
        }
    }
}

impl Form {
    /// Its value; `None` where it has none.
    pub fn of(&self, n: i64) -> Option<Symbol> {
        match self {
            Form::Constant(symbol) => Some(symbol.clone()),
            Form::Number(number) => number.of(n).map(Symbol::Int),
            Form::Cycle { list, saltus } => {
                let length = list.len() as i64;
                let symbol = &list[n.rem_euclid(length) as usize];
                match symbol {
                    Symbol::Int(number) => {
                        Some(Symbol::Int(saltus.checked_mul(n.div_euclid(length))?.checked_add(*number)?))
                    }
                    word => Some(word.clone()),
                }
            }
            Form::If(test, yes, no) => {
                if test.holds(n) {
                    yes.of(n)
                } else {
                    no.of(n)
                }
            }
            Form::From(start, form) => {
                if n >= *start {
                    form.of(n)
                } else {
                    None
                }
            }
        }
    }

    /// In the rules language; `n` is what it is a function of.
    pub fn text(&self, n: &str) -> String {
        let inner = in_brackets(n);
        match self {
            Form::Constant(symbol) => symbol.to_string(),
            Form::Number(number) => number.text(n),
            Form::Cycle { list, saltus } => {
                let items: Vec<String> = list.iter().map(Symbol::to_string).collect();
                let cycle = format!("[{}][{inner} % {}]", items.join(", "), list.len());
                match saltus {
                    0 => cycle,
                    saltus => format!("{cycle} + {saltus} * ({inner} / {})", list.len()),
                }
            }
            Form::If(test, yes, no) => format!("if {} then {} else {}", test.text(n), yes.text(n), no.text(n)),
            Form::From(_, form) => form.text(n),
        }
    }

    /// The condition under which it is meant, in the rules language.
    pub fn when(&self, n: &str) -> Option<String> {
        match self {
            Form::From(start, _) => Some(format!("{n} >= {start}")),
            _ => None,
        }
    }

    /// From where on, with which period, and with which step from period to period its values repeat, if they do.
    pub fn period(&self) -> Option<(i64, i64, i64)> {
        match self {
            Form::Constant(_) => Some((i64::MIN, 1, 0)),
            Form::Number(Number::Linear { a, .. }) => Some((i64::MIN, 1, *a)),
            Form::Number(Number::Residue { m, .. }) => Some((i64::MIN, *m, 0)),
            Form::Number(Number::Quotient { a, m, .. }) => Some((i64::MIN, *m, *a)),
            Form::Number(_) => None,
            Form::Cycle { list, saltus } => Some((i64::MIN, list.len() as i64, *saltus)),
            Form::If(Test::AtMost(c) | Test::Is(c), _, no) => {
                let (start, length, saltus) = no.period()?;
                Some((start.max(c.checked_add(1)?), length, saltus))
            }
            Form::If(Test::Residues(m, _), yes, no) => match (yes.period()?, no.period()?) {
                ((one, 1, 0), (other, 1, 0)) => Some((one.max(other), *m, 0)),
                _ => None,
            },
            Form::If(Test::In(..), ..) => None,
            Form::From(start, form) => {
                let (from, length, saltus) = form.period()?;
                Some((from.max(*start), length, saltus))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_written_as_they_are_computed() {
        let cycle = Form::Cycle { list: vec![Symbol::Int(0), Symbol::Int(1)], saltus: 3 };
        assert_eq!((cycle.of(5), &*cycle.text("n")), (Some(Symbol::Int(7)), "[0, 1][n % 2] + 3 * (n / 2)"));
        assert_eq!(cycle.text("a + b"), "[0, 1][(a + b) % 2] + 3 * ((a + b) / 2)");
        let form = Form::Number(Number::Quotient { a: -1, shift: 1, m: 2, b: 4 });
        assert_eq!((form.of(4), &*form.text("n")), (Some(Symbol::Int(2)), "-((n + 1) / 2) + 4"));
        assert_eq!(Form::Number(Number::Linear { a: 2, b: -1 }).text("max(a, b)"), "2 * max(a, b) - 1");
        assert_eq!(Form::Number(Number::Valuation { p: 2, shift: 0 }).of(12), Some(Symbol::Int(2)));
        assert_eq!(Form::Number(Number::LowestBit).of(12), Some(Symbol::Int(4)));
        let test = Form::If(Test::Residues(4, vec![0, 3]), Box::new(Form::Constant(Symbol::Int(0))), Box::new(cycle));
        assert!(test.text("n").starts_with("if n % 4 in {0, 3} then 0 else "), "{}", test.text("n"));
    }
}
