//! Misère sums by classes of heaps: against plain recursion where heaps are small, and against what a period says where they
//! are large.

use std::collections::HashMap;

use heaps::misere::{Class, Classes, Error, HeapRules, Limits, Rules, TameHeaps};
use heaps::subtraction::{Nimbers, Subtraction, Takes};
use heaps::take_break::{Digit, Split, Take, TakeAndBreak};
use testkit::Random;

/// Outcomes by nothing but the definition.
struct Plain {
    options: Vec<Vec<Vec<u32>>>,
    known: HashMap<Vec<u32>, bool>,
}

impl Plain {
    fn new(rules: &Rules, up_to: u32) -> Plain {
        Plain { options: (0..=up_to).map(|heap| rules.options(heap)).collect(), known: HashMap::new() }
    }

    fn after(heaps: &[u32], place: usize, option: &[u32]) -> Vec<u32> {
        let mut after = [&heaps[..place], &heaps[place + 1..], option].concat();
        after.retain(|&heap| heap > 0);
        after.sort_unstable();
        after
    }

    fn is_loss(&mut self, heaps: &[u32]) -> bool {
        if let Some(&known) = self.known.get(heaps) {
            return known;
        }
        let mut options = Vec::new();
        for (place, &heap) in heaps.iter().enumerate() {
            options.extend(self.options[heap as usize].iter().map(|option| Plain::after(heaps, place, option)));
        }
        let loss = !options.is_empty() && !options.iter().any(|option| self.is_loss(option));
        self.known.insert(heaps.to_vec(), loss);
        loss
    }

    /// The winning moves on one heap of a sum, as what they leave of it.
    fn wins(&mut self, heaps: &[u32], place: usize) -> Vec<Vec<u64>> {
        let mut wins = Vec::new();
        for option in self.options[heaps[place] as usize].clone() {
            if self.is_loss(&Plain::after(heaps, place, &option)) {
                wins.push(left(option.iter().map(|&part| u64::from(part))));
            }
        }
        wins.sort_unstable();
        wins.dedup();
        wins
    }
}

/// Heaps that are left, in order, without empty ones.
fn left(parts: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut parts: Vec<u64> = parts.filter(|&part| part > 0).collect();
    parts.sort_unstable();
    parts
}

fn leaves(moves: &[Take]) -> Vec<Vec<u64>> {
    let mut all: Vec<Vec<u64>> = moves.iter().map(|take| left(take.parts.iter().copied())).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn takes(random: &mut Random, conditions: bool) -> Vec<Takes> {
    let count = 1 + random.below(3);
    let one = |random: &mut Random| {
        let least = 1 + random.below(5);
        let takes = match random.below(4) {
            0 => Takes::at_least(least),
            1 => Takes::range(least, least + random.below(4)),
            _ => Takes::one(least),
        };
        match conditions {
            true => takes.guarded(random.below(8)).leaving(random.below(3)),
            false => takes,
        }
    };
    (0..count).map(|_| one(random)).collect()
}

fn code(random: &mut Random) -> TakeAndBreak {
    let length = 2 + random.below(3) as usize;
    let mut digits: Vec<u8> = (0..length).map(|_| random.below(8) as u8).collect();
    digits[0] = if random.below(4) == 0 { 4 } else { 0 };
    if random.below(6) == 0 {
        digits[1] |= 8;
    }
    let digits = digits.into_iter().map(|bits| Digit::new(bits).unwrap()).collect();
    let repeat = if random.below(4) == 0 { vec![Digit::new(3).unwrap()] } else { vec![] };
    let split = Split { apart: random.below(6) as u32 / 4, ..Split::ANY };
    TakeAndBreak::new(digits, repeat, split).unwrap()
}

/// All sums of at most `count` heaps from 1 to `largest`, ascending.
fn sums(largest: u32, count: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    let mut from = 0;
    for _ in 0..count {
        let to = all.len();
        for index in from..to {
            let least = all[index].last().copied().unwrap_or(1);
            let longer: Vec<Vec<u32>> = (least..=largest).map(|heap| [&all[index][..], &[heap]].concat()).collect();
            all.extend(longer);
        }
        from = to;
    }
    all
}

/// Compares outcomes and winning moves of small sums with plain recursion.
fn check(classes: &Classes, rules: &Rules, largest: u32, count: usize) {
    let mut plain = Plain::new(rules, largest);
    for heaps in sums(largest, count) {
        let wide: Vec<u64> = heaps.iter().map(|&heap| u64::from(heap)).collect();
        let (beside, total) = classes.beside(&wide).unwrap();
        assert_eq!(Some(total), classes.sum(&wide));
        assert_eq!(classes.is_loss(total), plain.is_loss(&heaps), "{rules:?}: {heaps:?}");
        for (place, &heap) in wide.iter().enumerate() {
            let found = classes.winning_moves(heap, beside[place], 1 << 16).unwrap();
            assert!(found.complete);
            assert_eq!(leaves(&found.moves), plain.wins(&heaps, place), "{rules:?}: {heaps:?} at {place}");
        }
    }
}

#[test]
fn heaps_that_are_only_taken_from() {
    let mut random = Random::new(21);
    for _ in 0..150 {
        let floor = random.below(3);
        let takes: Vec<Takes> = takes(&mut random, false).into_iter().map(|takes| takes.leaving(floor)).collect();
        let game = Subtraction::new(takes, false).unwrap();
        assert!(Classes::by_nimbers(&game));
        let mut nimbers = Nimbers::new(&game).unwrap();
        nimbers.extend(20).unwrap();
        check(&Classes::of_nimbers(nimbers).unwrap(), &Rules::Shift(game.clone()), 12, 3);
        // Types, found heap by heap, are those of the nim-values.
        let mut types = TameHeaps::new(Rules::Shift(game.clone()), Limits::default());
        types.extend(200).unwrap();
        let mut nimbers = Nimbers::new(&game).unwrap();
        nimbers.extend(400).unwrap();
        let classes = Classes::of_nimbers(nimbers).unwrap();
        let known = (0..400).filter_map(|heap| Some((heap, types.tame(heap)?)));
        known.for_each(|(heap, tame)| assert_eq!(classes.class(heap), Some(Class::Tame(tame)), "{game:?}: {heap}"));
    }
}

#[test]
fn heaps_that_are_taken_from_under_conditions() {
    let mut random = Random::new(22);
    let mut other = 0;
    for _ in 0..150 {
        let game = Subtraction::new(takes(&mut random, true), true).unwrap();
        other += u32::from(!Classes::by_nimbers(&game));
        let rules = Rules::Shift(game);
        match Classes::find(rules.clone(), 12, Limits::default(), &mut |_| true) {
            Ok(classes) => check(&classes, &rules, 12, 3),
            Err(error) => assert!(matches!(error.error, Error::Limit { .. }), "{error}"),
        }
    }
    assert!(other > 80, "{other}");
}

#[test]
fn heaps_that_break() {
    let mut random = Random::new(23);
    let limits = Limits { order: 150, positions: 200_000, ..Limits::default() };
    let mut found = 0;
    for _ in 0..120 {
        let rules = Rules::Break(code(&mut random));
        match Classes::find(rules.clone(), 9, limits, &mut |_| true) {
            Ok(classes) => {
                found += 1;
                check(&classes, &rules, 9, 3);
            }
            Err(error) => assert!(matches!(error.error, Error::Limit { .. }), "{error}"),
        }
    }
    assert!(found > 80, "{found}");
}

/// A proved period against the same game without a promise of shape, whose heaps are looked at one by one.
#[test]
fn periods_hold() {
    let mut random = Random::new(24);
    let mut proved = 0;
    for _ in 0..60 {
        let rules = match random.below(2) {
            0 => Rules::Shift(Subtraction::new(takes(&mut random, true), true).unwrap()),
            _ => Rules::Break(code(&mut random)),
        };
        let limits = Limits { heaps: 100, order: 60, positions: 100_000, ..Limits::default() };
        let Ok(classes) = Classes::find(rules.clone(), 1 << 60, limits, &mut |_| true) else { continue };
        proved += 1;
        let mut types = TameHeaps::new(|heap: u32| rules.options(heap), limits);
        let _ = types.extend(150);
        for heap in 0..=u64::from(types.largest()) {
            if let (Some(Class::Tame(tame)), Some(known)) = (classes.class(heap), types.tame(heap)) {
                assert_eq!(tame, known, "{rules:?}: {heap}");
            }
        }
        if let Some(quotient) = classes.quotient() {
            let mut plain = heaps::misere::Quotient::new(|heap: u32| rules.options(heap), limits);
            plain.extend(60.max(2 * quotient.largest()).min(120)).unwrap();
            for heap in 0..=u64::from(plain.largest()) {
                assert_eq!(plain.element(heap), quotient.element(heap), "{rules:?}: {heap}");
            }
        }
    }
    assert!(proved > 20, "{proved}");
}

/// What is found on a heap behind the start of the period, where searches are cut short after a round, against all options.
#[test]
fn winning_moves_of_larger_heaps() {
    let mut random = Random::new(25);
    for code in ["0.77", "0.71", "0.123", "0.351", "0.34", "0.f", "0.d", "0.b"] {
        let rules = Rules::Break(code.parse().unwrap());
        let classes = Classes::find(rules.clone(), 1 << 60, Limits::default(), &mut |_| true);
        let classes = classes.unwrap_or_else(|error| panic!("{code}: {error}"));
        for _ in 0..12 {
            let heap =
                100 + random.below(if code.parse::<TakeAndBreak>().unwrap().most_heaps() == 3 { 60 } else { 250 });
            let beside = classes.sum(&[random.below(40), random.below(40)]).unwrap();
            let found = classes.winning_moves(heap, beside, usize::MAX).unwrap();
            let wins = |parts: &Vec<u32>| {
                let parts: Vec<u64> = parts.iter().map(|&part| u64::from(part)).collect();
                let wins = classes.is_loss(classes.plus(beside, classes.sum(&parts).unwrap()));
                wins.then(|| left(parts.into_iter()))
            };
            let mut expected: Vec<Vec<u64>> = rules.options(heap as u32).iter().filter_map(wins).collect();
            expected.sort_unstable();
            expected.dedup();
            assert!(found.complete, "{code}: {heap}");
            assert_eq!(leaves(&found.moves), expected, "{code}: {heap}");
        }
    }
}

#[test]
fn huge_heaps() {
    let huge = 10u64.pow(18);
    let kayles = Rules::Break("0.77".parse().unwrap());
    let classes = Classes::find(kayles, huge, Limits::default(), &mut |_| true).unwrap();
    assert_eq!(classes.theorem(), "misère quotient of order 40");
    for heap in huge..huge + 24 {
        assert_eq!(classes.class(heap), classes.class(96 + (heap - 96) % 12));
        for beside in [classes.nothing(), classes.sum(&[huge - 7, 9]).unwrap()] {
            let found = classes.winning_moves(heap, beside, 5).unwrap();
            let lost = classes.is_loss(classes.plus(beside, classes.class(heap).unwrap()));
            assert!(found.moves.is_empty() || !lost);
            assert!(!found.moves.is_empty() || lost || beside != classes.nothing());
            for take in found.moves {
                assert_eq!(take.taken + take.parts.iter().sum::<u64>(), heap);
                assert!(classes.is_loss(classes.plus(beside, classes.sum(&take.parts).unwrap())));
            }
        }
    }
    // Three parts: the search must see that there is no more to find.
    let three = Rules::Break("0.b".parse().unwrap());
    let classes = Classes::find(three, huge, Limits::default(), &mut |_| true).unwrap();
    for heap in huge..huge + 6 {
        for beside in [classes.nothing(), classes.sum(&[1]).unwrap(), classes.sum(&[4, 5]).unwrap()] {
            let found = classes.winning_moves(heap, beside, 5).unwrap();
            assert!(found.complete || found.moves.len() == 5);
        }
    }
    let nim = Nimbers::new(&Subtraction::new(vec![Takes::at_least(1)], false).unwrap()).unwrap();
    let nim = Classes::of_nimbers(nim).unwrap();
    assert_eq!(nim.sum(&[huge, 3]).map(|class| nim.is_loss(class)), Some(false));
    let three = nim.sum(&[3]).unwrap();
    assert_eq!(nim.winning_moves(huge, three, 9).unwrap().moves, [Take { taken: huge - 3, parts: vec![3] }]);
    let one = nim.sum(&[1]).unwrap();
    assert_eq!(nim.winning_moves(huge, one, 9).unwrap().moves, [Take { taken: huge, parts: vec![] }]);
}

#[test]
fn limits_are_errors() {
    let grundy = Rules::Break(TakeAndBreak::grundy());
    let none = Classes::find(grundy, 1 << 40, Limits { heaps: 12, ..Limits::default() }, &mut |_| true);
    assert!(none.unwrap_err().to_string().contains("12 heaps without a proved period"));
    let kayles = Rules::Break("0.77".parse().unwrap());
    let few = Limits { options: 30, ..Limits::default() };
    let none = Classes::find(kayles.clone(), 100, few, &mut |_| true);
    assert!(none.unwrap_err().to_string().contains("30 options of heaps"));
    assert_eq!(Classes::find(kayles, 100, Limits::default(), &mut |_| false).unwrap_err().error, Error::Stopped);
}
