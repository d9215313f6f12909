//! Forms of values as two numbers run.

use std::collections::BTreeMap;

use crate::form::{Form, Symbol};
use crate::line;
use crate::numbers::{SURDS, Surd};

/// Fewer values have no form that could be believed.
const LEAST: usize = 12;

/// A function of two numbers that a form is a function of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// The first.
    First,
    /// The second.
    Second,
    /// `a + b`
    Sum,
    /// `|a − b|`
    Difference,
    /// `a − b`
    Lead,
    /// `a · b`
    Product,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// Added in binary without carrying.
    Xor,
    /// The greatest common divisor.
    Gcd,
}

impl Combination {
    /// All of them, plain ones first.
    pub const ALL: [Combination; 10] = [
        Combination::First,
        Combination::Second,
        Combination::Sum,
        Combination::Xor,
        Combination::Difference,
        Combination::Min,
        Combination::Max,
        Combination::Product,
        Combination::Lead,
        Combination::Gcd,
    ];

    /// Its value.
    pub fn of(self, a: i64, b: i64) -> Option<i64> {
        Some(match self {
            Combination::First => a,
            Combination::Second => b,
            Combination::Sum => a.checked_add(b)?,
            Combination::Difference => a.checked_sub(b)?.checked_abs()?,
            Combination::Lead => a.checked_sub(b)?,
            Combination::Product => a.checked_mul(b)?,
            Combination::Min => a.min(b),
            Combination::Max => a.max(b),
            Combination::Xor => (a >= 0 && b >= 0).then_some(a ^ b)?,
            Combination::Gcd => gcd(a, b),
        })
    }

    fn text(self, a: &str, b: &str) -> String {
        match self {
            Combination::First => a.to_string(),
            Combination::Second => b.to_string(),
            Combination::Sum => format!("{a} + {b}"),
            Combination::Difference => format!("abs({a} - {b})"),
            Combination::Lead => format!("{a} - {b}"),
            Combination::Product => format!("{a} * {b}"),
            Combination::Min => format!("min({a}, {b})"),
            Combination::Max => format!("max({a}, {b})"),
            Combination::Xor => format!("xor({a}, {b})"),
            Combination::Gcd => format!("gcd({a}, {b})"),
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(i64::MAX)
}

/// A function of two numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Plane {
    /// A function of a combination of them.
    Of(Combination, Form),
    /// The first modulo the second and a constant, or the other way round; or the quotient.
    Modulo {
        /// Whether the second number is divided by the first.
        swapped: bool,
        /// What is added to the divisor.
        plus: i64,
        /// Whether it is the quotient.
        quotient: bool,
    },
    /// One value where the smaller number is the floor of a multiple of the difference, else another.
    Cold {
        /// The factor.
        surd: Surd,
        /// The value there.
        cold: Symbol,
        /// The value elsewhere.
        hot: Symbol,
    },
    /// One value where the larger number is above a multiple of the smaller one, or they are equal; else another.
    Ratio {
        /// The factor.
        surd: Surd,
        /// The value above.
        above: Symbol,
        /// The value below.
        below: Symbol,
    },
    /// A table of residues.
    Residues {
        /// The modulus of the first number.
        rows: i64,
        /// The modulus of the second number.
        columns: i64,
        /// The values, row by row.
        table: Vec<Symbol>,
    },
}

/// A value with its two numbers.
pub type Point = (i64, i64, Symbol);

impl Plane {
    /// Its value.
    pub fn of(&self, a: i64, b: i64) -> Option<Symbol> {
        match self {
            Plane::Of(combination, form) => form.of(combination.of(a, b)?),
            Plane::Modulo { swapped, plus, quotient } => {
                let (top, below) = if *swapped { (b, a) } else { (a, b) };
                let below = below.checked_add(*plus).filter(|below| *below > 0)?;
                Some(Symbol::Int(if *quotient { top.div_euclid(below) } else { top.rem_euclid(below) }))
            }
            Plane::Cold { surd, cold, hot } => {
                let is_cold = surd.floor_of(a.checked_sub(b)?.checked_abs()?)? == a.min(b);
                Some(if is_cold { cold.clone() } else { hot.clone() })
            }
            Plane::Ratio { surd, above, below } => {
                let is_above = a == b || a.max(b) > surd.floor_of(a.min(b))?;
                Some(if is_above { above.clone() } else { below.clone() })
            }
            Plane::Residues { rows, columns, table } => {
                table.get((a.rem_euclid(*rows) * columns + b.rem_euclid(*columns)) as usize).cloned()
            }
        }
    }

    /// In the rules language.
    pub fn text(&self, a: &str, b: &str) -> String {
        match self {
            Plane::Of(combination, form) => form.text(&combination.text(a, b)),
            Plane::Modulo { swapped, plus, quotient } => {
                let (top, below) = if *swapped { (b, a) } else { (a, b) };
                let below = match plus {
                    0 => below.to_string(),
                    plus if *plus > 0 => format!("({below} + {plus})"),
                    plus => format!("({below} - {})", plus.unsigned_abs()),
                };
                format!("{top} {} {below}", if *quotient { '/' } else { '%' })
            }
            Plane::Cold { surd, cold, hot } => {
                format!("if min({a}, {b}) == {} then {cold} else {hot}", surd.text(&format!("abs({a} - {b})")))
            }
            Plane::Ratio { surd, above, below } => {
                let bound = surd.text(&format!("min({a}, {b})"));
                format!("if {a} == {b} or max({a}, {b}) > {bound} then {above} else {below}")
            }
            Plane::Residues { rows, columns, table } => {
                let items: Vec<String> = table.iter().map(Symbol::to_string).collect();
                let index = match (rows, columns) {
                    (1, _) => format!("{b} % {columns}"),
                    (_, 1) => format!("{a} % {rows}"),
                    _ => format!("{a} % {rows} * {columns} + {b} % {columns}"),
                };
                format!("[{}][{index}]", items.join(", "))
            }
        }
    }

    /// The condition under which it is meant.
    pub fn when(&self, a: &str, b: &str) -> Option<String> {
        match self {
            Plane::Of(combination, form) => form.when(&combination.text(a, b)),
            _ => None,
        }
    }
}

/// Whether a form gives all values that it speaks of.
pub fn fits(plane: &Plane, points: &[Point]) -> bool {
    let speaks_of = |a: i64, b: i64| match plane {
        Plane::Of(combination, Form::From(start, _)) => combination.of(a, b).is_some_and(|n| n >= *start),
        _ => true,
    };
    let spoken = points.iter().filter(|(a, b, _)| speaks_of(*a, *b));
    spoken.into_iter().all(|(a, b, value)| plane.of(*a, *b).as_ref() == Some(value))
}

/// Forms that fit all values, the simplest first.
pub fn guess(points: &[Point]) -> Vec<Plane> {
    if points.len() < LEAST {
        return Vec::new();
    }
    let mut found: Vec<Plane> =
        Combination::ALL.into_iter().filter_map(|combination| of(combination, points)).collect();
    // A constant is a function of anything, and said once.
    if found.iter().any(|plane| matches!(plane, Plane::Of(_, Form::Constant(_)))) {
        found.retain(|plane| matches!(plane, Plane::Of(_, Form::Constant(_))));
        found.truncate(1);
    }
    found.extend(modulo(points));
    found.extend(cold(points));
    found.extend(ratio(points));
    found.extend(residues(points));
    found.retain(|plane| fits(plane, points));
    // What is said in fewer signs is simpler.
    found.sort_by_key(|plane| plane.text("a", "b").len());
    found
}

/// A form of a combination, if the values are a function of it.
fn of(combination: Combination, points: &[Point]) -> Option<Plane> {
    let mut values: BTreeMap<i64, &Symbol> = BTreeMap::new();
    for (a, b, value) in points {
        if **values.entry(combination.of(*a, *b)?).or_insert(value) != *value {
            return None;
        }
    }
    // Nearly every point has a product of its own: the values must be much more than what they are a function of.
    if values.len() * 3 > points.len() * 2 {
        return None;
    }
    let values: Vec<(i64, Symbol)> = values.into_iter().map(|(n, value)| (n, value.clone())).collect();
    line::guess(&values).into_iter().next().map(|form| Plane::Of(combination, form))
}

fn modulo(points: &[Point]) -> Option<Plane> {
    let distinct: std::collections::HashSet<&Symbol> = points.iter().map(|(_, _, value)| value).collect();
    if distinct.len() < 3 {
        return None;
    }
    let kinds = [(false, false), (true, false), (false, true), (true, true)];
    let all = kinds
        .into_iter()
        .flat_map(|(swapped, quotient)| (-2..=3).map(move |plus| Plane::Modulo { swapped, plus, quotient }));
    all.into_iter().find(|plane| fits(plane, points))
}

/// The two values of points that have only two.
fn two(points: &[Point]) -> Option<(Symbol, Symbol)> {
    let first = &points.first()?.2;
    let other = points.iter().map(|(_, _, value)| value).find(|value| *value != first)?;
    points.iter().all(|(_, _, value)| value == first || value == other).then(|| (first.clone(), other.clone()))
}

fn cold(points: &[Point]) -> Option<Plane> {
    let (one, other) = two(points)?;
    let surds = SURDS.into_iter().flat_map(|surd| [(surd, &one, &other), (surd, &other, &one)]);
    let mut planes = surds.map(|(surd, cold, hot)| Plane::Cold { surd, cold: cold.clone(), hot: hot.clone() });
    planes.find(|plane| fits(plane, points))
}

fn ratio(points: &[Point]) -> Option<Plane> {
    let (one, other) = two(points)?;
    let surds = SURDS.into_iter().flat_map(|surd| [(surd, &one, &other), (surd, &other, &one)]);
    let mut planes =
        surds.map(|(surd, above, below)| Plane::Ratio { surd, above: above.clone(), below: below.clone() });
    planes.find(|plane| fits(plane, points))
}

/// A table of residues whose every entry is seen four times.
fn residues(points: &[Point]) -> Option<Plane> {
    for (rows, columns) in [(1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (2, 3), (3, 2), (3, 3), (1, 4), (4, 1), (4, 4)] {
        let mut table: Vec<Option<(&Symbol, usize)>> = vec![None; (rows * columns) as usize];
        let consistent = points.iter().all(|(a, b, value)| {
            let entry = &mut table[(a.rem_euclid(rows) * columns + b.rem_euclid(columns)) as usize];
            match entry {
                Some((known, seen)) => {
                    *seen += 1;
                    *known == value
                }
                None => {
                    *entry = Some((value, 1));
                    true
                }
            }
        });
        if consistent && table.iter().all(|entry| entry.is_some_and(|(_, seen)| seen >= 4)) {
            let table = table.into_iter().flatten().map(|(value, _)| value.clone()).collect();
            return Some(Plane::Residues { rows, columns, table });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    type Function<'f> = &'f dyn Fn(i64, i64) -> i64;

    fn simplest(f: impl Fn(i64, i64) -> i64) -> Option<String> {
        let points: Vec<Point> =
            (1..13).flat_map(|a| (1..13).map(move |b| (a, b))).map(|(a, b)| (a, b, Symbol::Int(f(a, b)))).collect();
        guess(&points).first().map(|plane| plane.text("a", "b"))
    }

    #[test]
    fn known_forms_are_found() {
        let phi = SURDS[0];
        let cold = |a: i64, b: i64| i64::from(phi.floor_of((a - b).abs()) != Some(a.min(b)));
        let ratio = |a: i64, b: i64| i64::from(a == b || a.max(b) > phi.floor_of(a.min(b)).unwrap());
        let cases: [(Function<'_>, &str); 9] = [
            (&|_, _| 1, "1"),
            (&|a, b| a ^ b, "xor(a, b)"),
            (&|a, b| i64::from(a * b != 1), "if a + b == 2 then 0 else 1"),
            (&|a, b| a % (b + 1), "a % (b + 1)"),
            (&|a, b| b / a, "b / a"),
            (&|a, b| (a + b) % 3, "(a + b) % 3"),
            (&|a, b| i64::from(a % 2 == 0 && b % 2 == 0), "[1, 0, 0, 0][a % 2 * 2 + b % 2]"),
            (&cold, "if min(a, b) == (abs(a - b) + isqrt(5 * abs(a - b) * abs(a - b))) / 2 then 0 else 1"),
            (&ratio, "if a == b or max(a, b) > (min(a, b) + isqrt(5 * min(a, b) * min(a, b))) / 2 then 1 else 0"),
        ];
        for (f, text) in cases {
            assert_eq!(simplest(f).unwrap_or_default(), text);
        }
        assert_eq!(simplest(|a, b| (a * a + 7 * b + a * b * b) % 5), None);
    }
}
