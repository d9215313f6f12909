//! The algebra against the oracle, exhaustively over small birthdays and over random games.

use std::collections::HashMap;

use testkit::Random;
use values::{Arena, Judgement, Side, Value};

use crate::days::{born_by, random_values};
use crate::oracle::{Oracle, of_value, to_value};

#[test]
fn numbers_of_games_by_day() {
    let mut arena = Arena::default();
    for (day, count) in [1, 4, 22, 1474].into_iter().enumerate() {
        assert_eq!(born_by(&mut arena, day).len(), count, "day {day}");
    }
}

#[test]
fn order_is_that_of_the_oracle_over_day_3() {
    let mut arena = Arena::default();
    let values = born_by(&mut arena, 3);
    let (mut oracle, mut known) = (Oracle::default(), HashMap::new());
    let forms: Vec<usize> = values.iter().map(|&value| of_value(&mut oracle, &mut arena, value, &mut known)).collect();
    for (&a, &form_a) in values.iter().zip(&forms) {
        for (&b, &form_b) in values.iter().zip(&forms) {
            assert_eq!(arena.at_most(a, b).unwrap(), oracle.at_most(form_a, form_b));
            assert_eq!(a == b, oracle.equal(form_a, form_b), "each value once");
        }
    }
}

/// No option is dominated, none is reversible, by the oracle.
fn assert_canonical(oracle: &mut Oracle, form: usize) {
    for side in 0..2 {
        let options = oracle.forms[form][side].clone();
        let mut prefers = |a: usize, b: usize| if side == 0 { oracle.at_most(b, a) } else { oracle.at_most(a, b) };
        for &a in &options {
            assert!(options.iter().all(|&b| a == b || !prefers(b, a)), "dominated");
        }
        for &option in &options {
            for answer in oracle.forms[option][1 - side].clone() {
                let through = if side == 0 { oracle.at_most(answer, form) } else { oracle.at_most(form, answer) };
                assert!(!through, "reversible");
            }
        }
    }
}

#[test]
fn sums_are_those_of_the_oracle() {
    let mut arena = Arena::default();
    let (days, mut random) = (born_by(&mut arena, 3), Random::new(7));
    let (mut oracle, mut known) = (Oracle::default(), HashMap::new());
    let day2 = born_by(&mut arena, 2);
    let mut pairs: Vec<(Value, Value)> = day2.iter().flat_map(|&a| day2.iter().map(move |&b| (a, b))).collect();
    pairs.extend((0..1500).map(|_| (*random.pick(&days), *random.pick(&days))));
    for (a, b) in pairs {
        let sum = arena.plus(a, b).unwrap();
        let [a, b, sum] = [a, b, sum].map(|value| of_value(&mut oracle, &mut arena, value, &mut known));
        let written = oracle.plus(a, b);
        assert!(oracle.equal(sum, written));
        assert_canonical(&mut oracle, sum);
    }
}

#[test]
fn canonical_forms_of_random_forms() {
    let mut random = Random::new(11);
    let (mut oracle, mut arena) = (Oracle::default(), Arena::default());
    let mut forms = vec![oracle.form(vec![], vec![])];
    for _ in 0..1500 {
        let mut some = |most: usize| -> Vec<usize> {
            (0..random.below(most)).map(|_| forms[forms.len() - 1 - random.below(forms.len().min(40))]).collect()
        };
        let (left, right) = (some(5), some(5));
        forms.push(oracle.form(left, right));
    }
    let (mut values, mut back) = (HashMap::new(), HashMap::new());
    for &form in &forms {
        let value = to_value(&mut oracle, &mut arena, form, &mut values);
        let canonical = of_value(&mut oracle, &mut arena, value, &mut back);
        assert!(oracle.equal(form, canonical));
        assert_canonical(&mut oracle, canonical);
    }
    for _ in 0..20000 {
        let (&a, &b) = (random.pick(&forms), random.pick(&forms));
        assert_eq!(oracle.equal(a, b), values[&a] == values[&b]);
        assert_eq!(oracle.at_most(a, b), arena.at_most(values[&a], values[&b]).unwrap());
    }
}

#[test]
fn values_are_an_ordered_group() {
    let mut arena = Arena::default();
    let mut random = Random::new(3);
    let mut values = random_values(&mut arena, &mut random, 400);
    values.extend(born_by(&mut arena, 3));
    for &g in &values {
        assert_eq!(arena.minus(g, g).unwrap(), Value::ZERO);
        let negative = arena.negative(g).unwrap();
        assert_eq!(arena.negative(negative).unwrap(), g);
        assert_eq!(arena.plus(g, Value::ZERO).unwrap(), g);
    }
    for _ in 0..3000 {
        let [a, b, c] = [0; 3].map(|_| *random.pick(&values));
        let sum = arena.plus(a, b).unwrap();
        assert_eq!(sum, arena.plus(b, a).unwrap());
        assert_eq!(arena.minus(sum, b).unwrap(), a);
        let (first, second) = (arena.plus(sum, c).unwrap(), arena.plus(b, c).unwrap());
        assert_eq!(first, arena.plus(a, second).unwrap());
        // The order does not care what is added, and is turned round by negation.
        let order = arena.compare(a, b).unwrap();
        let (more, less) = (arena.plus(a, c).unwrap(), arena.plus(b, c).unwrap());
        assert_eq!(order, arena.compare(more, less).unwrap());
        let (na, nb) = (arena.negative(a).unwrap(), arena.negative(b).unwrap());
        assert_eq!(order, arena.compare(nb, na).unwrap());
        let difference = arena.minus(a, b).unwrap();
        assert_eq!(order, arena.compare(difference, Value::ZERO).unwrap());
    }
}

#[test]
fn multiples_are_repeated_sums() {
    let mut arena = Arena::default();
    let mut random = Random::new(5);
    for g in random_values(&mut arena, &mut random, 120) {
        let mut sum = Value::ZERO;
        for n in 0..5 {
            assert_eq!(arena.times(n, g).unwrap(), sum);
            let negative = arena.negative(sum).unwrap();
            assert_eq!(arena.times(-n, g).unwrap(), negative);
            sum = arena.plus(sum, g).unwrap();
        }
    }
    // Many copies of what is small, or of what cancels, are quick.
    for (text, name) in [
        ("1000000000000000001*±1", "±1"),
        ("1000000000000000001*{2|-1}", "{500000000000000002|499999999999999999}"),
        ("1000001*{3|±1,*}", ""),
        ("100*+_1 < ^", "true"),
    ] {
        let mut arena = Arena::new(values::Allowance::new(8 << 20));
        let answer = values::Calculator::new(&mut arena, &mut values::expression::NoPositions).evaluate(text);
        match answer {
            Ok(answer) => assert_eq!(answer.write(&mut arena, 100).unwrap(), name),
            Err(error) => assert!(name.is_empty() && matches!(error, values::Error::Memory { .. }), "{error}"),
        }
    }
}

#[test]
fn birthdays_are_depths_of_forms() {
    let mut arena = Arena::default();
    for day in 0..=3 {
        for value in born_by(&mut arena, day) {
            assert!(arena.birthday(value).unwrap() <= day as u64);
        }
    }
    let mut random = Random::new(17);
    let mut values = random_values(&mut arena, &mut random, 300);
    for text in ["^3", "1/2^3*2", "v5*3", "^*", "5/8*", "-7/4^^", "*4", "3^", "^4*", "^*2", "^*3"] {
        values.push(arena.read(text).unwrap());
    }
    for value in values {
        let mut deepest = 0;
        for side in Side::BOTH {
            for option in arena.options(value, side).unwrap() {
                deepest = deepest.max(1 + arena.birthday(option).unwrap());
            }
        }
        assert_eq!(arena.birthday(value).unwrap(), deepest, "{}", arena.name(value, 1000).unwrap());
    }
}

#[test]
fn totals_are_sums_in_any_order() {
    let mut arena = Arena::default();
    let mut random = Random::new(71);
    let values = random_values(&mut arena, &mut random, 150);
    for _ in 0..200 {
        let mut some: Vec<Value> = (0..random.below(6usize)).map(|_| *random.pick(&values)).collect();
        let mut sum = Value::ZERO;
        for &value in &some {
            sum = arena.plus(sum, value).unwrap();
        }
        let double = some.clone();
        some.extend(double.into_iter().map(|value| arena.negative(value).unwrap()).collect::<Vec<_>>());
        assert_eq!(arena.total(&some).unwrap(), Value::ZERO);
        assert_eq!(arena.total(&some[..some.len() / 2]).unwrap(), sum);
    }
}

/// What is kept, with what reversible options are replaced by, is the canonical form.
#[test]
fn options_are_judged_as_the_canonical_form_shows() {
    let mut arena = Arena::default();
    let mut random = Random::new(73);
    let values = random_values(&mut arena, &mut random, 200);
    for _ in 0..500 {
        let mut some = || -> Vec<Value> { (0..1 + random.below(4usize)).map(|_| *random.pick(&values)).collect() };
        let (left, right) = (some(), some());
        let value = arena.game(&left, &right).unwrap();
        for (side, options) in [(Side::Left, &left), (Side::Right, &right)] {
            let canonical = arena.options(value, side).unwrap();
            let judgements = arena.judge(value, options, side).unwrap();
            for (at, judgement) in judgements.iter().enumerate() {
                match judgement {
                    Judgement::Kept if arena.number_of(value).is_none() => assert!(canonical.contains(&options[at])),
                    Judgement::Kept => {}
                    Judgement::Dominated(by) => {
                        assert!(!matches!(judgements[*by], Judgement::Dominated(_) | Judgement::Equal(_)));
                        assert_ne!(options[*by], options[at]);
                    }
                    Judgement::Equal(to) => {
                        assert!(!matches!(judgements[*to], Judgement::Dominated(_) | Judgement::Equal(_)));
                        assert!(*to < at && options[*to] == options[at]);
                    }
                    Judgement::Reversible(through) => {
                        let order = arena.compare(*through, value).unwrap();
                        assert!(order.is_some(), "an answer that reverses is comparable");
                    }
                }
            }
        }
    }
}

/// Numbers that do not fit the usual scale of stops.
#[test]
fn fine_numbers_compare_as_they_should() {
    let mut arena = Arena::default();
    let mut random = Random::new(89);
    let mut values = vec![Value::ZERO];
    for text in
        ["1/4194304", "-3/8388608", "1/2", "*", "5/16777216", "1/4194304^", "2", "-1/33554432*", "{1/8388608|-2}"]
    {
        values.push(arena.read(text).unwrap());
    }
    while values.len() < 60 {
        let mut some = || -> Vec<Value> { (0..1 + random.below(3usize)).map(|_| *random.pick(&values)).collect() };
        let (left, right) = (some(), some());
        values.push(arena.game(&left, &right).unwrap());
    }
    let (mut oracle, mut known) = (Oracle::default(), HashMap::new());
    let forms: Vec<usize> = values.iter().map(|&value| of_value(&mut oracle, &mut arena, value, &mut known)).collect();
    for (&a, &form_a) in values.iter().zip(&forms) {
        assert_canonical(&mut oracle, form_a);
        for (&b, &form_b) in values.iter().zip(&forms) {
            assert_eq!(arena.at_most(a, b).unwrap(), oracle.at_most(form_a, form_b));
            let sum = arena.plus(a, b).unwrap();
            assert_eq!(arena.minus(sum, b).unwrap(), a);
            let wide = arena.read("{1000000000|-1000000000}").unwrap();
            let moved = arena.plus(wide, a).unwrap();
            assert_eq!(arena.minus(moved, wide).unwrap(), a);
        }
    }
}
