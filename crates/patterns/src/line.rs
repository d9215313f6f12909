//! Forms of values as one number runs.

use std::collections::{HashMap, HashSet};

use crate::form::{Form, Number, Symbol, Test};
use crate::numbers::NamedSet;

/// No longer period is looked for.
const LONGEST: usize = 1500;
/// So many values are looked at for a form; the others only test it.
const MOST: usize = 6000;

/// Forms that fit all values, the simplest first. Values come in the order of their numbers; there may be gaps.
pub fn guess(values: &[(i64, Symbol)]) -> Vec<Form> {
    let line = Line::new(values);
    let kinds: [fn(&Line<'_>) -> Option<Form>; 11] = [
        constant,
        linear,
        residue,
        quotient,
        arithmetic,
        threshold,
        one_differs,
        named_set,
        first_differs,
        cycle,
        steps,
    ];
    let mut found: Vec<Form> = kinds.iter().filter_map(|kind| kind(&line)).collect();
    found.retain(|form| fits(form, values));
    // What speaks of all numbers comes first.
    found.sort_by_key(|form| matches!(form, Form::From(..)));
    found
}

/// Whether a form gives all values that it speaks of.
pub fn fits(form: &Form, values: &[(i64, Symbol)]) -> bool {
    let speaks_of = |n: i64| !matches!(form, Form::From(start, _) if n < *start);
    values.iter().filter(|(n, _)| speaks_of(*n)).all(|(n, value)| form.of(*n).as_ref() == Some(value))
}

/// A number and its value.
type End<'v> = (i64, &'v Symbol);

/// Values to be explained.
struct Line<'v> {
    values: &'v [(i64, Symbol)],
    ints: Option<Vec<i64>>,
    /// Whether there are no gaps.
    is_whole: bool,
}

impl<'v> Line<'v> {
    fn new(values: &'v [(i64, Symbol)]) -> Line<'v> {
        let values = &values[..values.len().min(MOST)];
        let ints = values.iter().map(|(_, value)| value.int()).collect();
        let is_whole = values.windows(2).all(|pair| pair[0].0.checked_add(1) == Some(pair[1].0));
        Line { values, ints, is_whole }
    }

    fn len(&self) -> usize {
        self.values.len()
    }

    /// The first number and its value, and the last ones.
    fn ends(&self) -> Option<(End<'_>, End<'_>)> {
        let ((first, one), (last, other)) = (self.values.first()?, self.values.last()?);
        Some(((*first, one), (*last, other)))
    }

    fn fits(&self, number: &Number) -> bool {
        let ints = self.ints.as_deref().unwrap_or_default();
        !ints.is_empty() && self.values.iter().zip(ints).all(|((n, _), value)| number.of(*n) == Some(*value))
    }
}

/// One value, seen at least four times.
fn constant(line: &Line<'_>) -> Option<Form> {
    let ((_, first), _) = line.ends()?;
    (line.len() >= 4 && line.values.iter().all(|(_, value)| value == first)).then(|| Form::Constant(first.clone()))
}

/// A line through five values or more.
fn linear(line: &Line<'_>) -> Option<Form> {
    let ints = line.ints.as_deref().filter(|ints| ints.len() >= 5)?;
    let ((x, _), (y, _)) = (&line.values[0], &line.values[1]);
    let (run, rise) = (y.checked_sub(*x)?, ints[1].checked_sub(ints[0])?);
    if run == 0 || rise % run != 0 {
        return None;
    }
    let a = rise / run;
    let number = Number::Linear { a, b: ints[0].checked_sub(a.checked_mul(*x)?)? };
    line.fits(&number).then_some(Form::Number(number))
}

/// A residue, seen three times round. Two values are told by a test of residues ([`cycle`]).
fn residue(line: &Line<'_>) -> Option<Form> {
    if line.values.iter().map(|(_, value)| value).collect::<HashSet<_>>().len() < 3 {
        return None;
    }
    let ints = line.ints.as_deref().filter(|ints| ints.len() >= 6)?;
    let ((first, _), (last, _)) = line.ends()?;
    let most = last.abs_diff(first) as i64 / 3;
    // The step between neighbours is a, where nothing wraps around.
    let neighbours = (0..ints.len() - 1).filter(|at| line.values[at + 1].0 - line.values[*at].0 == 1);
    let a = neighbours.filter_map(|at| ints[at + 1].checked_sub(ints[at]));
    let a = most_frequent(a)?;
    (2..=most).find_map(|m| {
        let b = ints[0].checked_sub(a.checked_mul(first.rem_euclid(m))?)?;
        let number = Number::Residue { a, m, b };
        line.fits(&number).then_some(Form::Number(number))
    })
}

fn most_frequent(numbers: impl Iterator<Item = i64>) -> Option<i64> {
    let mut counts: HashMap<i64, usize> = HashMap::new();
    numbers.for_each(|number| *counts.entry(number).or_default() += 1);
    counts
        .into_iter()
        .filter(|(number, _)| *number != 0)
        .max_by_key(|(number, count)| (*count, std::cmp::Reverse(number.unsigned_abs())))
        .map(|(number, _)| number)
}

/// Steps of equal height and length, three of them at least.
fn quotient(line: &Line<'_>) -> Option<Form> {
    let ints = line.ints.as_deref().filter(|ints| ints.len() >= 6 && line.is_whole)?;
    let rises: Vec<usize> = (1..ints.len()).filter(|at| ints[*at] != ints[at - 1]).collect();
    let [one, two, three, ..] = rises[..] else { return None };
    let (m, a) = ((two - one) as i64, ints[one].checked_sub(ints[one - 1])?);
    if m < 2 || three - two != two - one {
        return None;
    }
    let at = line.values[one].0;
    let shift = (-at).rem_euclid(m);
    let b = ints[one].checked_sub(a.checked_mul((at + shift) / m)?)?;
    let number = Number::Quotient { a, shift, m, b };
    line.fits(&number).then_some(Form::Number(number))
}

/// Functions of binary digits, divisors and roots, of eight values or more that are not all of three.
fn arithmetic(line: &Line<'_>) -> Option<Form> {
    let ints = line.ints.as_deref().filter(|ints| ints.len() >= 8)?;
    if ints.iter().collect::<HashSet<_>>().len() < 3 {
        return None;
    }
    let valuations = [2, 3, 5].into_iter().flat_map(|p| (-1..=1).map(move |shift| Number::Valuation { p, shift }));
    let others = [Number::LowestBit, Number::Ones, Number::Digits, Number::Root];
    valuations.chain(others).find(|number| line.fits(number)).map(Form::Number)
}

/// One value up to a number, another one from there on. The second is seen twice at least, and is a fourth of all.
fn threshold(line: &Line<'_>) -> Option<Form> {
    let changes: Vec<usize> = (1..line.len()).filter(|at| line.values[*at].1 != line.values[at - 1].1).collect();
    let [change] = changes[..] else { return None };
    let right = line.len() - change;
    if line.len() < 4 || right < 2 || right * 4 < line.len() {
        return None;
    }
    let ((first, before), (_, after)) = line.ends()?;
    let last = line.values[change - 1].0;
    let test = if change == 1 && line.is_whole { Test::Is(first) } else { Test::AtMost(last) };
    Some(either(test, before, after))
}

fn either(test: Test, yes: &Symbol, no: &Symbol) -> Form {
    Form::If(test, Box::new(Form::Constant(yes.clone())), Box::new(Form::Constant(no.clone())))
}

/// One value that differs from all others, of which there are seven at least on its right.
fn one_differs(line: &Line<'_>) -> Option<Form> {
    let (_, (_, usual)) = line.ends()?;
    let mut others = line.values.iter().enumerate().filter(|(_, (_, value))| value != usual);
    let (at, (n, value)) = others.next()?;
    (others.next().is_none() && line.len() - at > 7).then(|| either(Test::Is(*n), value, usual))
}

/// Two values, one of which is taken on a set that has a name. There are twenty values, and four members and others.
fn named_set(line: &Line<'_>) -> Option<Form> {
    let ((_, first), _) = line.ends()?;
    let other = line.values.iter().map(|(_, value)| value).find(|value| *value != first)?;
    if line.len() < 20 || line.values.iter().any(|(_, value)| value != first && value != other) {
        return None;
    }
    let few = |value: &Symbol| line.values.iter().filter(|(_, other)| other == value).count() >= 4;
    if !few(first) || !few(other) {
        return None;
    }
    for set in NamedSet::all() {
        for shift in [0, 1, -1, 2, -2] {
            for (yes, no) in [(first, other), (other, first)] {
                let form = either(Test::In(set, shift), yes, no);
                if fits(&form, line.values) {
                    return Some(form);
                }
            }
        }
    }
    None
}

/// A simple form, with another value for the first number or the first two.
fn first_differs(line: &Line<'_>) -> Option<Form> {
    for skipped in [1, 2] {
        let rest = line.values.get(skipped..)?;
        let first = &line.values[0].1;
        if line.len() < 8 || line.values[..skipped].iter().any(|(_, value)| value != first) {
            continue;
        }
        let inner = Line::new(rest);
        let kinds: [fn(&Line<'_>) -> Option<Form>; 4] = [linear, residue, quotient, arithmetic];
        if let Some(form) = kinds.iter().find_map(|kind| kind(&inner)) {
            let test = match skipped {
                1 => Test::Is(line.values[0].0),
                _ => Test::AtMost(line.values[skipped - 1].0),
            };
            return Some(Form::If(test, Box::new(Form::Constant(first.clone())), Box::new(form)));
        }
    }
    None
}

/// A period that is seen three times, from the first half on; numbers may grow by a step from period to period.
fn cycle(line: &Line<'_>) -> Option<Form> {
    if !line.is_whole {
        return None;
    }
    let (from, count) = (line.values.first()?.0, line.len());
    let value = |at: usize| &line.values[at].1;
    let mut best: Option<(usize, usize, i64)> = None;
    for length in 1..=(count / 3).min(LONGEST) {
        let saltus = match &line.ints {
            Some(ints) => ints[count - 1].checked_sub(ints[count - 1 - length])?,
            None => 0,
        };
        let repeats = |at: usize| match &line.ints {
            Some(ints) => ints[at].checked_add(saltus) == Some(ints[at + length]),
            None => value(at) == value(at + length),
        };
        let start = (0..count - length).rev().find(|at| !repeats(*at)).map_or(0, |at| at + 1);
        if start > count / 2 || start + 3 * length > count {
            continue;
        }
        // What comes to rest after a long while has no form yet: nobody knows what comes next.
        if length == 1 && (start > 8 || count < 4 * start + 8) {
            return None;
        }
        best = Some((start, length, saltus));
        break;
    }
    let (start, length, saltus) = best?;
    let begin = from.checked_add(start as i64)?;
    let mut list = vec![Symbol::Int(0); length];
    for at in start..start + length {
        let n = line.values[at].0;
        let place = n.rem_euclid(length as i64) as usize;
        list[place] = match value(at) {
            Symbol::Int(number) => Symbol::Int(number.checked_sub(saltus.checked_mul(n.div_euclid(length as i64))?)?),
            word => word.clone(),
        };
    }
    let form = simpler(list, saltus);
    // One or two values before the first round are told, if they are the same.
    Some(match (start, value(0)) {
        (0, _) => form,
        (1, first) => Form::If(Test::Is(from), Box::new(Form::Constant(first.clone())), Box::new(form)),
        (2, first) if value(1) == first => {
            Form::If(Test::AtMost(from + 1), Box::new(Form::Constant(first.clone())), Box::new(form))
        }
        _ => Form::From(begin, Box::new(form)),
    })
}

/// A cycle of two values that stay is a test of residues.
fn simpler(list: Vec<Symbol>, saltus: i64) -> Form {
    let first = list[0].clone();
    let other = list.iter().find(|value| **value != first).cloned();
    let Some(other) = other.filter(|other| saltus == 0 && list.iter().all(|value| *value == first || value == other))
    else {
        return if list.len() == 1 && saltus == 0 { Form::Constant(first) } else { Form::Cycle { list, saltus } };
    };
    let places =
        |wanted: &Symbol| (0..list.len()).filter(|at| list[*at] == *wanted).map(|at| at as i64).collect::<Vec<_>>();
    let (one, two) = (places(&first), places(&other));
    let length = list.len() as i64;
    match one.len() <= two.len() {
        true => either(Test::Residues(length, one), &first, &other),
        false => either(Test::Residues(length, two), &other, &first),
    }
}

/// Two changes of value, then the same for a third of all values, of which there are twelve at least.
fn steps(line: &Line<'_>) -> Option<Form> {
    let changes: Vec<usize> = (1..line.len()).filter(|at| line.values[*at].1 != line.values[at - 1].1).collect();
    let [one, two] = changes[..] else { return None };
    if line.len() < 12 || (line.len() - two) * 3 < line.len() || !line.is_whole {
        return None;
    }
    let values = [0, one, two].map(|at| &line.values[at].1);
    let inner = either(Test::AtMost(line.values[two - 1].0), values[1], values[2]);
    Some(Form::If(Test::AtMost(line.values[one - 1].0), Box::new(Form::Constant(values[0].clone())), Box::new(inner)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(from: i64, to: i64, f: impl Fn(i64) -> i64) -> Vec<(i64, Symbol)> {
        (from..to).map(|n| (n, Symbol::Int(f(n)))).collect()
    }

    /// The simplest form of a function, as it is written.
    fn simplest(from: i64, to: i64, f: impl Fn(i64) -> i64) -> Option<String> {
        let values = of(from, to, f);
        let found = guess(&values);
        assert!(found.iter().all(|form| fits(form, &values)));
        found.first().map(|form| match form.when("n") {
            Some(when) => format!("{} when {when}", form.text("n")),
            None => form.text("n"),
        })
    }

    #[test]
    fn known_forms_are_found() {
        let cases: [(&dyn Fn(i64) -> i64, &str); 16] = [
            (&|_| 7, "7"),
            (&|n| n, "n"),
            (&|n| 3 * n - 2, "3 * n - 2"),
            (&|n| n % 4, "n % 4"),
            (&|n| 2 * (n % 5) + 1, "2 * (n % 5) + 1"),
            (&|n| n / 3, "n / 3"),
            (&|n| (n + 1) / 2 - 4, "(n + 1) / 2 - 4"),
            (&|n| i64::from(n > 6), "if n <= 6 then 0 else 1"),
            (&|n| i64::from(n != 0), "if n == 0 then 0 else 1"),
            (&|n| i64::from(n % 3 == 0), "if n % 3 == 0 then 1 else 0"),
            (&|n| [0, 1, 0, 1, 2, 3, 2][(n % 7) as usize], "[0, 1, 0, 1, 2, 3, 2][n % 7]"),
            (
                &|n| {
                    [0, 1, 2, 4, 3][if n < 3 { n } else { 3 + (n - 3) % 2 } as usize]
                        + if n < 3 { 0 } else { (n - 3) / 2 * 2 }
                },
                "",
            ),
            (&|n| i64::from(n.count_ones()), "popcount(n)"),
            (&|n| n.isqrt(), "isqrt(n)"),
            (&|n| i64::from(n.isqrt().pow(2) == n), "if isqrt(n) * isqrt(n) == n then 1 else 0"),
            (&|n| if n == 0 { 9 } else { n % 3 }, "if n == 0 then 9 else n % 3"),
        ];
        for (f, text) in cases {
            let found = simplest(0, 100, f).unwrap_or_default();
            assert!(text.is_empty() || found == text, "{found} is not {text}");
        }
        let valuation = "count(n % pow(2, e) == 0 for e in 1..=62)";
        assert_eq!(simplest(1, 100, |n| i64::from(n.trailing_zeros())).as_deref(), Some(valuation));
        let late = |n: i64| if n < 20 { n * n % 11 } else { n % 3 + n % 2 };
        assert_eq!(simplest(0, 100, late).as_deref(), Some("[0, 2, 2, 1, 1, 3][n % 6] when n >= 20"));
    }

    #[test]
    fn what_has_no_form_gets_none() {
        // Primes, digits of π by a rule of chance, and Grundy's game.
        let prime = |n: i64| i64::from(n > 1 && (2..n).all(|d| n % d != 0));
        assert_eq!(simplest(0, 200, prime), None);
        let chance = |n: i64| (n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) >> 33).rem_euclid(3);
        assert_eq!(simplest(0, 200, chance), None);
        let mut grundy: Vec<i64> = Vec::new();
        for n in 0..1500usize {
            let seen: std::collections::HashSet<i64> =
                (1..n).filter(|k| 2 * k < n).map(|k| grundy[k] ^ grundy[n - k]).collect();
            grundy.push((0..).find(|value| !seen.contains(value)).unwrap());
        }
        for to in [6, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 1500] {
            let values: Vec<i64> = grundy[..to].to_vec();
            assert_eq!(simplest(0, to as i64, |n| values[n as usize]), None, "nimbers below {to}");
            if to > 20 {
                assert_eq!(simplest(0, to as i64, |n| i64::from(values[n as usize] == 0)), None, "outcomes below {to}");
            }
        }
    }

    #[test]
    fn few_values_prove_nothing() {
        assert_eq!(simplest(0, 3, |_| 1), None);
        assert_eq!(simplest(0, 5, |n| n % 2), None);
        assert_eq!(simplest(0, 4, |n| n * n), None);
        assert!(guess(&[]).is_empty());
    }

    #[test]
    fn large_values_do_not_overflow() {
        let values: Vec<(i64, Symbol)> =
            (0..50).map(|n| (n, Symbol::Int(if n % 2 == 0 { i64::MAX } else { i64::MIN }))).collect();
        assert!(guess(&values).iter().all(|form| fits(form, &values)));
    }
}
