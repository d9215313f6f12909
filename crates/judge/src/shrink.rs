//! A small instance that still fails.
//!
//! An instance is made smaller in one place at a time, the boldest way first: numbers become 0, 1, half, one less; lists lose halves,
//! quarters, single items. Parameters often belong together, as a list and its length, so whatever has the same number or the
//! same length is also made smaller with it. What the sample or the rules refuse is not tried.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use perfectplay::instances::contains;
use perfectplay::language::{Given, Instance, Program};

use crate::failure::{Failure, Stop};
use crate::instances::Size;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Instances at the most.
    pub tries: usize,
    /// Time at the most.
    pub time: Duration,
}

/// How sure it is that no smaller instance fails in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smallest {
    /// All smaller ones of the sample were tried; there are so many.
    Proved(usize),
    /// Nothing else was found.
    Unproved,
    /// The time was up, or too many had been tried.
    Unfinished,
}

/// A failure on an instance for which no smaller one was found, and how many instances were tried for it.
pub struct Shrunk {
    /// The failure.
    pub failure: Failure,
    /// How many instances were tried.
    pub tried: usize,
    /// How sure it is that there is no smaller one.
    pub smallest: Smallest,
}

/// Looks for smaller instances that fail in the same way. `fails` says what comes of an instance; `None` if it is right, or cannot
/// be judged.
pub fn shrink(
    program: &Program,
    first: Failure,
    effort: Effort,
    fails: &mut dyn FnMut(&Instance) -> Result<Option<Failure>, Stop>,
) -> Result<Shrunk, Stop> {
    let end = Instant::now() + effort.time;
    let within = contains(program, &first.instance);
    let admitted = |instance: &Instance| !within || contains(program, instance);
    let mut shrunk = Shrunk { failure: first, tried: 0, smallest: Smallest::Unproved };
    let mut known: HashSet<Instance> = HashSet::new();
    let mut ways: &[fn(&Instance) -> Vec<Instance>] = &WAYS;
    while let Some((way, later)) = ways.split_first() {
        let size = Size::of(&shrunk.failure.instance);
        let mut found = None;
        for candidate in way(&shrunk.failure.instance) {
            if Size::of(&candidate) >= size || !known.insert(candidate.clone()) || !admitted(&candidate) {
                continue;
            }
            if shrunk.tried >= effort.tries || Instant::now() >= end {
                shrunk.smallest = Smallest::Unfinished;
                return Ok(shrunk);
            }
            shrunk.tried += 1;
            found = fails(&candidate)?.filter(|failure| failure.kind == shrunk.failure.kind);
            if found.is_some() {
                break;
            }
        }
        // What is smaller now may be made smaller in the cheap way again.
        ways = if found.is_some() { &WAYS } else { later };
        if let Some(failure) = found {
            shrunk.failure = failure;
        }
    }
    Ok(shrunk)
}

/// How smaller instances are found: in one place, then in several places at once.
const WAYS: [fn(&Instance) -> Vec<Instance>; 2] = [candidates, below];

/// Smaller instances, the smallest first as far as that goes.
fn candidates(instance: &Instance) -> Vec<Instance> {
    let mut found = Vec::new();
    for (index, (_, value)) in instance.0.iter().enumerate() {
        for smaller in smaller(value) {
            found.extend(together(instance, index, &smaller));
            found.push(with(instance, index, smaller));
        }
    }
    // Two numbers that only make sense together, such as a sum and a limit.
    for one in 0..instance.0.len() {
        for other in 0..one {
            if let (Given::Int(a), Given::Int(b)) = (&instance.0[one].1, &instance.0[other].1) {
                let less = |number: &i64| Given::Int(number - number.signum());
                found.push(with(&with(instance, one, less(a)), other, less(b)));
            }
        }
    }
    // Bold steps save runs where they work, and cost few where they do not.
    found.sort_by_key(Size::of);
    found
}

fn with(instance: &Instance, index: usize, value: Given) -> Instance {
    let mut changed = instance.clone();
    changed.0[index].1 = value;
    changed
}

/// The instance with a value made smaller, and with whatever goes with it: numbers that are its length, or the same number.
fn together(instance: &Instance, index: usize, smaller: &Given) -> Vec<Instance> {
    let old = &instance.0[index].1;
    let (before, after) = match (length(old), length(smaller), old, smaller) {
        (Some(before), Some(after), ..) if before != after => (before as i64, after as i64),
        (_, _, Given::Int(before), Given::Int(after)) => (*before, *after),
        _ => return Vec::new(),
    };
    let mut changed = with(instance, index, smaller.clone());
    let mut any = false;
    for (other, (_, value)) in instance.0.iter().enumerate().filter(|(other, _)| *other != index) {
        let new = match value {
            Given::Int(number) if *number == before => Given::Int(after),
            list if length(list).map(|length| length as i64) == Some(before) && after >= 0 => {
                shortened(list, after as usize)
            }
            _ => continue,
        };
        changed.0[other].1 = new;
        any = true;
    }
    if any { vec![changed] } else { Vec::new() }
}

fn length(value: &Given) -> Option<usize> {
    match value {
        Given::Text(text) => Some(text.chars().count()),
        Given::Ints(items) => Some(items.len()),
        Given::List(items) => Some(items.len()),
        Given::Int(_) | Given::Bool(_) => None,
    }
}

fn shortened(value: &Given, length: usize) -> Given {
    match value {
        Given::Text(text) => Given::Text(text.chars().take(length).collect()),
        Given::Ints(items) => Given::Ints(items.iter().take(length).copied().collect()),
        Given::List(items) => Given::List(items.iter().take(length).cloned().collect()),
        other => other.clone(),
    }
}

/// Smaller values.
fn smaller(value: &Given) -> Vec<Given> {
    match value {
        Given::Int(number) => numbers(*number).into_iter().map(Given::Int).collect(),
        Given::Bool(truth) => {
            if *truth {
                vec![Given::Bool(false)]
            } else {
                Vec::new()
            }
        }
        Given::Ints(items) => {
            let mut found: Vec<Given> = pieces(items).into_iter().map(Given::Ints).collect();
            found.push(Given::Ints(items.iter().map(|item| item / 2).collect()));
            for (at, item) in items.iter().enumerate().take(MOST_ITEMS) {
                for number in numbers(*item) {
                    let mut changed = items.clone();
                    changed[at] = number;
                    found.push(Given::Ints(changed));
                }
            }
            found
        }
        Given::List(items) => {
            let mut found: Vec<Given> = pieces(items).into_iter().map(flat).collect();
            for (at, item) in items.iter().enumerate().take(MOST_ITEMS) {
                for value in smaller(item) {
                    let mut changed = items.clone();
                    changed[at] = value;
                    found.push(Given::List(changed));
                }
            }
            found
        }
        Given::Text(text) => {
            let letters: Vec<char> = text.chars().collect();
            let mut found: Vec<Vec<char>> = pieces(&letters);
            if let Some(least) = letters.iter().min().copied() {
                for at in 0..letters.len().min(MOST_ITEMS) {
                    let mut changed = letters.clone();
                    changed[at] = least;
                    found.push(changed);
                }
            }
            found.into_iter().map(|letters| Given::Text(letters.into_iter().collect())).collect()
        }
    }
}

/// All instances in which no number is larger, where they are few; else those in which two numbers are smaller.
fn below(instance: &Instance) -> Vec<Instance> {
    let mut numbers = Vec::new();
    each_number(instance, &mut |number| numbers.push(*number));
    let sizes = numbers.iter().map(|number| number.unsigned_abs() + 1);
    let all = sizes.fold(1u64, u64::saturating_mul);
    let mut found: Vec<Instance> = match all <= MOST_BELOW {
        true => (0..all).map(|code| below_by(instance, code)).collect(),
        false => {
            let places = numbers.len().min(MOST_PAIRED);
            let pairs = (0..places).flat_map(|one| (0..one).map(move |other| (one, other)));
            let mut found = Vec::new();
            for (one, other) in pairs {
                for a in less(numbers[one]) {
                    found.extend(less(numbers[other]).into_iter().map(|b| replaced(instance, &[(one, a), (other, b)])));
                }
            }
            found
        }
    };
    found.sort_by_key(Size::of);
    found
}

/// So many instances below one are all tried.
const MOST_BELOW: u64 = 3000;
/// So many numbers are made smaller two at a time.
const MOST_PAIRED: usize = 12;

fn less(number: i64) -> Vec<i64> {
    let mut found = numbers(number);
    found.push(number - 2 * number.signum());
    found
}

/// The instance below another one with this code: a digit for each number.
fn below_by(instance: &Instance, mut code: u64) -> Instance {
    let mut changed = instance.clone();
    each_number_mut(&mut changed, &mut |number| {
        let size = number.unsigned_abs() + 1;
        *number = number.signum() * (code % size) as i64;
        code /= size;
    });
    changed
}

fn replaced(instance: &Instance, new: &[(usize, i64)]) -> Instance {
    let mut changed = instance.clone();
    let mut place = 0;
    each_number_mut(&mut changed, &mut |number| {
        if let Some((_, value)) = new.iter().find(|(at, _)| *at == place) {
            *number = *value;
        }
        place += 1;
    });
    changed
}

fn each_number(instance: &Instance, see: &mut dyn FnMut(&i64)) {
    let mut copy = instance.clone();
    each_number_mut(&mut copy, &mut |number| see(number));
}

fn each_number_mut(instance: &mut Instance, change: &mut dyn FnMut(&mut i64)) {
    fn inside(value: &mut Given, change: &mut dyn FnMut(&mut i64)) {
        match value {
            Given::Int(number) => change(number),
            Given::Ints(numbers) => numbers.iter_mut().for_each(change),
            Given::List(items) => items.iter_mut().for_each(|item| inside(item, change)),
            Given::Bool(_) | Given::Text(_) => {}
        }
    }
    instance.0.iter_mut().for_each(|(_, value)| inside(value, change));
}

/// So many items of a list are made smaller one by one.
const MOST_ITEMS: usize = 40;

/// An empty list is a list of numbers.
fn flat(items: Vec<Given>) -> Given {
    if items.is_empty() { Given::Ints(Vec::new()) } else { Given::List(items) }
}

fn numbers(number: i64) -> Vec<i64> {
    let mut found = vec![0, number.signum(), number / 2, number - number.signum(), number.saturating_neg().max(0)];
    found.retain(|other| *other != number);
    found.dedup();
    found
}

/// A list without a half, a quarter, … and without each item.
fn pieces<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    let mut size = items.len();
    while size > 0 {
        let mut start = 0;
        while start < items.len() {
            let end = (start + size).min(items.len());
            found.push([&items[..start], &items[end..]].concat());
            start = end;
        }
        size /= 2;
        if found.len() > 400 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use perfectplay::language::parse_instance;

    /// The smallest instance for which a condition holds, found as for a program.
    fn smallest(source: &str, instance: &str, wrong: fn(&Instance) -> bool) -> String {
        let program = perfectplay::language::compile(source).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let fails = |instance: &Instance| wrong(instance).then(|| Failure::of_a_test(instance));
        let first = fails(&parse_instance(instance).unwrap()).unwrap();
        let effort = Effort { tries: 1000, time: Duration::from_secs(60) };
        let shrunk = shrink(&program, first, effort, &mut |instance| Ok(fails(instance))).unwrap_or_else(|_| panic!());
        assert_eq!(shrunk.smallest, Smallest::Unproved);
        shrunk.failure.instance.to_string()
    }

    fn ints(instance: &Instance, index: usize) -> Vec<i64> {
        match &instance.0[index].1 {
            Given::Ints(items) => items.clone(),
            _ => Vec::new(),
        }
    }

    fn int(instance: &Instance, index: usize) -> i64 {
        if let Given::Int(number) = instance.0[index].1 { number } else { 0 }
    }

    const REST: &str = "state { left in 0..=9 = 0; } move take when left > 0 { left -= 1; } }";

    #[test]
    fn lists_lose_what_does_not_matter() {
        let source = format!("game g(row: [int]) {{ sample {{ row in [1..=100; 0..=50]; }} {REST}");
        let wrong = |instance: &Instance| ints(instance, 0).iter().filter(|item| **item >= 10).count() >= 2;
        assert_eq!(smallest(&source, r#"{"row": [3, 50, 7, 99, 12, 1, 1, 80]}"#, wrong), r#"{"row": [10, 10]}"#);
    }

    #[test]
    fn what_belongs_together_shrinks_together() {
        let source = format!(
            "game g(n: int, row: [int]) {{ require len(row) == n; sample {{ n in 1..=9; row in [1..=9; n]; }} {REST}"
        );
        let wrong = |instance: &Instance| ints(instance, 1).contains(&7);
        assert_eq!(smallest(&source, r#"{"n": 6, "row": [1, 2, 3, 7, 5, 6]}"#, wrong), r#"{"n": 1, "row": [7]}"#);
        let source =
            format!("game g(a: int, b: int) {{ require a == b + 2; sample {{ a in 2..=90; b in 0..=90; }} {REST}");
        assert_eq!(smallest(&source, r#"{"a": 50, "b": 48}"#, |instance| int(instance, 0) > 9), r#"{"a": 10, "b": 8}"#);
    }

    #[test]
    fn several_numbers_shrink_at_once() {
        let source = format!("game g(k: int, row: [int]) {{ sample {{ k in 0..=30; row in [1..=6; 1..=4]; }} {REST}");
        // No single number can be smaller: 10 and 5 belong together, and so do 4 and 2.
        let wrong = |instance: &Instance| {
            int(instance, 0) == 2 * ints(instance, 1)[0] && int(instance, 0) % 4 != 0 || int(instance, 0) == 4
        };
        assert_eq!(smallest(&source, r#"{"k": 10, "row": [5, 2]}"#, wrong), r#"{"k": 2, "row": [1]}"#);
    }

    #[test]
    fn the_sample_is_not_left() {
        let source = format!("game g(n: int) {{ sample {{ n in 5..=90; }} {REST}");
        assert_eq!(smallest(&source, r#"{"n": 77}"#, |_| true), r#"{"n": 5}"#);
        assert_eq!(smallest(&source, r#"{"n": 177}"#, |_| true), r#"{"n": 0}"#);
    }
}
