//! Take-and-break games against a program that follows the definition and nothing else.

use heaps::take_break::{Digit, NimSequence, Residues, Split, TakeAndBreak, Theorem, Values};
use heaps::{Period, Proof};
use testkit::Random;

fn digits(random: &mut Random, count: u64, radix: u64) -> Vec<Digit> {
    (0..count).map(|_| Digit::new(random.below(radix) as u8).unwrap()).collect()
}

/// A digit before the point, and up to `most` after it, zero one time in three.
fn code(random: &mut Random, most: u64, radix: u64) -> Vec<Digit> {
    let mut code = vec![Digit::new([0, 0, 4, 12][random.below(4)] % radix as u8).unwrap()];
    let count = 1 + random.below(most);
    let after = digits(random, count, radix);
    code.extend(after.into_iter().map(|digit| if random.one_in(3) { Digit::ZERO } else { digit }));
    code
}

/// All options of all heaps, as the rules say.
fn by_definition(game: &TakeAndBreak, terms: u64) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::new();
    for n in 0..terms {
        let mut seen = vec![false; 4 * terms as usize + 64];
        for taken in 0..=n {
            let (digit, left) = (game.digit(taken), n - taken);
            let at = |heap: u64| values[heap as usize];
            if digit.leaves(0) && left == 0 {
                seen[0] = true;
            }
            if digit.leaves(1) && left > 0 {
                seen[at(left) as usize] = true;
            }
            if digit.leaves(2) {
                for a in (1..=left / 2).filter(|&a| game.split().allows(&[a, left - a])) {
                    seen[(at(a) ^ at(left - a)) as usize] = true;
                }
            }
            if digit.leaves(3) {
                for a in 1..=left / 3 {
                    for b in (a..=(left - a) / 2).filter(|&b| game.split().allows(&[a, b, left - a - b])) {
                        seen[(at(a) ^ at(b) ^ at(left - a - b)) as usize] = true;
                    }
                }
            }
        }
        values.push(seen.iter().position(|seen| !seen).unwrap() as u32);
    }
    values
}

fn computed(game: &TakeAndBreak, terms: usize) -> Vec<u32> {
    let mut sequence = NimSequence::new(game.clone()).unwrap();
    sequence.extend(terms).unwrap();
    sequence.values().iter().take(terms).collect()
}

fn check(game: &TakeAndBreak, terms: usize) {
    let (ours, right) = (computed(game, terms), by_definition(game, terms as u64));
    let differs = (0..terms).find(|&n| ours[n] != right[n]);
    assert_eq!(differs, None, "{game} {:?}", game.split());
}

#[test]
fn random_octal_codes() {
    let mut random = Random::new(0x5eed_0001);
    for round in 0..150 {
        let game = TakeAndBreak::new(code(&mut random, 5, 8), vec![], Split::ANY).unwrap();
        check(&game, if round % 10 == 0 { 1500 } else { 450 });
    }
}

#[test]
fn all_octal_codes_of_two_digits() {
    for code in 0..64 {
        check(&format!("0.{}{}", code / 8, code % 8).parse().unwrap(), 420);
    }
}

#[test]
fn random_long_octal_codes() {
    let mut random = Random::new(0x5eed_0002);
    for _ in 0..15 {
        check(&TakeAndBreak::new(code(&mut random, 40, 8), vec![], Split::ANY).unwrap(), 500);
    }
}

#[test]
fn random_hexadecimal_codes() {
    let mut random = Random::new(0x5eed_0003);
    for _ in 0..60 {
        check(&TakeAndBreak::new(code(&mut random, 3, 16), vec![], Split::ANY).unwrap(), 90);
    }
}

#[test]
fn random_codes_that_repeat() {
    let mut random = Random::new(0x5eed_0004);
    for round in 0..120 {
        let (count, radix) = (1 + random.below(4), if round % 3 == 0 { 16 } else { 8 });
        let repeat = digits(&mut random, count, radix);
        let game = TakeAndBreak::new(code(&mut random, 3, radix), repeat, Split::ANY).unwrap();
        check(&game, if radix == 16 { 50 } else { 120 });
    }
}

#[test]
fn random_conditions_on_parts() {
    let mut random = Random::new(0x5eed_0005);
    for round in 0..160 {
        let radix = if round % 4 == 0 { 16 } else { 8 };
        let residues = (random.below(3) == 0).then(|| {
            let modulus = 1 + random.below(5) as u32;
            Residues { modulus, allowed: random.below(1 << modulus) }
        });
        let split = Split {
            least: 1 + random.below(4) as u32,
            apart: random.below(5) as u32,
            within: (random.below(4) == 0).then(|| random.below(40) as u32),
            residues,
        };
        let repeat = if round % 5 == 0 { digits(&mut random, 2, radix) } else { vec![] };
        let game = TakeAndBreak::new(code(&mut random, 3, radix), repeat.clone(), split).unwrap();
        check(&game, if radix == 16 || !repeat.is_empty() { 70 } else { 450 });
    }
}

#[test]
fn kin_of_grundys_game() {
    for (least, apart) in [(1, 1), (1, 2), (1, 7), (3, 1), (5, 30), (40, 0)] {
        let split = Split { least, apart, ..Split::ANY };
        check(&TakeAndBreak::grundy().with_split(split).unwrap(), 1000);
        check(&"0.07".parse::<TakeAndBreak>().unwrap().with_split(split).unwrap(), 700);
    }
}

#[test]
fn first_values() {
    let begins = |game: TakeAndBreak, right: &[u32]| assert_eq!(computed(&game, right.len()), right, "{game}");
    begins("0.77".parse().unwrap(), &[0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7]);
    begins("0.137".parse().unwrap(), &[0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5]);
    begins(TakeAndBreak::grundy(), &[0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3]);
    // Lasker's Nim: take any number, or split.
    begins("4.(3)".parse().unwrap(), &[0, 1, 2, 4, 3, 5, 6, 8, 7, 9, 10, 12, 11]);
}

#[test]
fn published_periods() {
    let table = [
        ("0.07", 34, 53),
        ("0.137", 34, 52),
        ("0.4", 34, 54),
        ("0.17", 34, 33),
        ("0.77", 12, 71),
        ("0.44", 24, 143),
        ("0.45", 20, 498),
        ("0.055", 148, 259),
        ("0.115", 14, 1),
        ("0.116", 96, 139),
        ("0.124", 62, 122),
        ("0.156", 349, 3479),
        ("0.356", 142, 7315),
        ("0.644", 442, 3256),
        ("0.165", 1550, 5181),
        ("0.127", 4, 46578),
        ("0.16", 149459, 105351),
    ];
    for (code, length, start) in table {
        let mut sequence = NimSequence::new(code.parse().unwrap()).unwrap();
        while !sequence.is_proved() && sequence.len() < 1_000_000 {
            sequence.extend(sequence.len() + 10_000).unwrap();
        }
        let (period, proof) = sequence.period().unwrap();
        assert_eq!(period, Period { start, length, saltus: 0 }, "{code}");
        assert_eq!(proof, Proof::Theorem("octal periodicity (Guy and Smith)"), "{code}");
    }
}

/// Periods that a theorem proves early hold in many more terms, computed by the definition.
#[test]
fn proved_periods_hold() {
    let mut random = Random::new(0x5eed_0006);
    let mut proved = [0; 4];
    for round in 0..400 {
        let split = match round % 4 {
            0 | 1 => Split::ANY,
            2 => Split { least: 1 + random.below(3) as u32, apart: 1 + random.below(3) as u32, ..Split::ANY },
            _ => Split { least: 1 + random.below(4) as u32, ..Split::ANY },
        };
        let radix = if round % 4 == 1 { 16 } else { 8 };
        let game = TakeAndBreak::new(code(&mut random, 2, radix), vec![], split).unwrap();
        let mut sequence = NimSequence::new(game.clone()).unwrap();
        let terms = if game.most_heaps() == 3 { 120 } else { 300 };
        sequence.extend(terms).unwrap();
        let Some(period) = sequence.proved() else { continue };
        assert!(Theorem::of(&game).is_some());
        proved[game.most_heaps()] += 1;
        let longer = if game.most_heaps() == 3 { 150 } else { 400 };
        let right = by_definition(&game, longer);
        for (heap, &value) in right.iter().enumerate() {
            assert_eq!(
                sequence.value(heap as u64),
                Some(u64::from(value)),
                "{game} {split:?}: heap {heap}, {period:?}"
            );
        }
        let repeats =
            |start: usize, length: usize| (start + length..right.len()).all(|n| right[n] == right[n - length]);
        let (start, length) = (period.start as usize, period.length as usize);
        assert!(repeats(start, length));
        assert!(start == 0 || !repeats(start - 1, length), "{game}: the start {start} is not the least");
        let shorter = (1..length).find(|&shorter| repeats(start, shorter));
        assert_eq!(shorter, None, "{game}: the length {length} is not the least");
    }
    assert!(proved.iter().skip(1).all(|&count| count >= 10), "{proved:?}");
}

#[test]
fn nim_to_a_million() {
    let mut sequence = NimSequence::new("0.(3)".parse().unwrap()).unwrap();
    sequence.extend(1_000_000).unwrap();
    assert!(sequence.values().iter().enumerate().all(|(n, value)| n as u32 == value));
    let period = Period { start: 0, length: 1, saltus: 1 };
    assert_eq!(sequence.period(), Some((period, Proof::Observed)));
    assert_eq!(sequence.largest(), Some((999_999, 999_999)));
}

#[test]
fn grundys_rare_indices() {
    let mut sequence = NimSequence::new(TakeAndBreak::grundy()).unwrap();
    sequence.extend(100_000).unwrap();
    let rare = sequence.rare();
    assert_eq!((rare.mask, rare.heaps.len(), rare.heaps.last()), (254, 1274, Some(&82860)));
    assert_eq!(sequence.period(), None);
}

#[test]
fn pieces_make_no_difference() {
    let game: TakeAndBreak = "0.376".parse().unwrap();
    let whole = computed(&game, 5000);
    let mut random = Random::new(0x5eed_0007);
    let mut sequence = NimSequence::new(game).unwrap();
    while sequence.len() < 5000 {
        sequence.extend((sequence.len() + 1 + random.below(90) as usize).min(5000)).unwrap();
    }
    assert_eq!(sequence.values().iter().collect::<Vec<_>>(), whole);
}

#[test]
fn resuming_goes_on() {
    for code in ["0.376", "0.007", "4.(3)", "0.(12)", "0.38", "0.16"] {
        let game: TakeAndBreak = code.parse().unwrap();
        let terms = if game.most_heaps() == 3 || !game.is_finite() { 400 } else { 3000 };
        let whole = computed(&game, terms);
        for cut in [0, 1, 100, 256, 257, 300, terms - 1, terms] {
            let values: Values = whole[..cut].iter().copied().collect();
            let mut sequence = NimSequence::resume(game.clone(), values).unwrap();
            assert!(sequence.len() >= cut);
            sequence.extend(terms).unwrap();
            assert_eq!(sequence.values().iter().take(terms).collect::<Vec<_>>(), whole, "{code} from {cut}");
        }
        let mut foreign = whole.clone();
        foreign[terms - 5] += 1;
        assert!(NimSequence::resume(game.clone(), foreign.into_iter().collect()).is_err());
        let mut foreign = whole.clone();
        foreign[7] += 1;
        let error = NimSequence::resume(game, foreign.into_iter().collect()).unwrap_err();
        assert!(error.to_string().contains("heap 7"), "{error}");
    }
}

/// Moves of small heaps are those of the definition.
#[test]
fn moves_to_a_value() {
    let mut random = Random::new(0x5eed_0008);
    for round in 0..60 {
        let split = match round % 3 {
            0 => Split::ANY,
            1 => Split { apart: random.below(3) as u32, least: 1 + random.below(2) as u32, ..Split::ANY },
            _ => Split { within: Some(6), residues: Some(Residues { modulus: 3, allowed: 0b101 }), ..Split::ANY },
        };
        let repeat = if round % 5 == 0 { digits(&mut random, 2, 8) } else { vec![] };
        let game = TakeAndBreak::new(code(&mut random, 3, 16), repeat, split).unwrap();
        let mut sequence = NimSequence::new(game.clone()).unwrap();
        sequence.extend(if game.most_heaps() == 3 { 100 } else { 400 }).unwrap();
        for heap in [0, 1, 2, 7, 24, 40, 61] {
            for nimber in 0..4 {
                let found = sequence.moves_to(heap, nimber, 100_000).unwrap();
                assert!(found.complete);
                let right = moves_by_definition(&game, &sequence, heap, nimber);
                let found: Vec<(u64, Vec<u64>)> = found.moves.into_iter().map(|mv| (mv.taken, mv.parts)).collect();
                assert_eq!(found, right, "{game} {split:?} heap {heap} to {nimber}");
            }
        }
    }
}

fn moves_by_definition(game: &TakeAndBreak, sequence: &NimSequence, heap: u64, nimber: u64) -> Vec<(u64, Vec<u64>)> {
    let mut all = Vec::new();
    for taken in 0..=heap {
        let (digit, left) = (game.digit(taken), heap - taken);
        let mut parts: Vec<Vec<u64>> = Vec::new();
        if digit.leaves(0) && left == 0 {
            parts.push(vec![]);
        }
        if digit.leaves(1) && left > 0 {
            parts.push(vec![left]);
        }
        if digit.leaves(2) {
            parts.extend((1..=left / 2).map(|a| vec![a, left - a]).filter(|parts| game.split().allows(parts)));
        }
        if digit.leaves(3) {
            for a in 1..=left / 3 {
                let triples = (a..=(left - a) / 2).map(|b| vec![a, b, left - a - b]);
                parts.extend(triples.filter(|parts| game.split().allows(parts)));
            }
        }
        let sum = |parts: &[u64]| parts.iter().fold(0, |sum, &part| sum ^ sequence.value(part).unwrap());
        all.extend(parts.into_iter().filter(|parts| sum(parts) == nimber).map(|parts| (taken, parts)));
    }
    all
}

#[test]
fn moves_of_huge_heaps() {
    for code in ["0.77", "0.137", "0.4", "0.45"] {
        let mut sequence = NimSequence::new(code.parse().unwrap()).unwrap();
        sequence.extend(3000).unwrap();
        for heap in [10u64.pow(18), 10u64.pow(18) + 7, u64::MAX] {
            let value = sequence.value(heap).unwrap();
            for nimber in 0..=value {
                let found = sequence.moves_to(heap, nimber, 50).unwrap();
                assert_eq!(found.moves.is_empty(), nimber == value, "{code} {heap} {nimber}");
                assert!(found.moves.len() <= 50);
                for mv in found.moves {
                    assert_eq!(mv.taken + mv.parts.iter().sum::<u64>(), heap);
                    assert!(sequence.game().digit(mv.taken).leaves(mv.parts.len()));
                    let sum = mv.parts.iter().fold(0, |sum, &part| sum ^ sequence.value(part).unwrap());
                    assert_eq!(sum, nimber);
                }
            }
        }
    }
}

#[test]
fn unknown_heaps_have_no_value() {
    let mut sequence = NimSequence::new(TakeAndBreak::grundy()).unwrap();
    sequence.extend(500).unwrap();
    assert_eq!(sequence.value(500), None);
    assert_eq!(sequence.moves_to(500, 0, 10), None);
    assert!(sequence.extend(usize::MAX).unwrap_err().to_string().contains("too many"));
}
