//! Subtraction games against the plain program: for each heap, look at every move.

use game::Outcome;
use heaps::Period;
use heaps::subtraction::{Nimbers, Outcomes, Remotenesses, SavedNimbers, Subtraction, SubtractionError, Takes};
use testkit::Random;

/// The obviously right program.
struct Plain {
    lost: Vec<bool>,
    values: Vec<u64>,
    remoteness: Vec<u64>,
}

impl Plain {
    fn new(game: &Subtraction, heaps: u64) -> Plain {
        let mut plain = Plain { lost: Vec::new(), values: Vec::new(), remoteness: Vec::new() };
        for n in 0..heaps {
            let options: Vec<u64> = options(game, n);
            let lost: Vec<u64> = options.iter().copied().filter(|&m| plain.lost[m as usize]).collect();
            let length = |m: &u64| plain.remoteness[*m as usize];
            let won = if options.is_empty() { game.is_misere() } else { !lost.is_empty() };
            let remoteness = match (options.is_empty(), won) {
                (true, _) => 0,
                (_, true) => 1 + lost.iter().map(length).min().unwrap(),
                (_, false) => 1 + options.iter().map(length).max().unwrap(),
            };
            let mut seen: Vec<u64> = options.iter().map(|&m| plain.values[m as usize]).collect();
            seen.sort_unstable();
            seen.dedup();
            let value = seen.iter().enumerate().take_while(|&(i, &v)| i as u64 == v).count() as u64;
            plain.lost.push(!won);
            plain.values.push(value);
            plain.remoteness.push(remoteness);
        }
        plain
    }
}

fn options(game: &Subtraction, n: u64) -> Vec<u64> {
    let mut options = Vec::new();
    for take in game.takes() {
        for s in take.least..=take.most.unwrap_or(n).min(n) {
            if n >= take.guard && n - s >= take.floor {
                options.push(n - s);
            }
        }
    }
    options.sort_unstable();
    options.dedup();
    options
}

fn ones(numbers: &[u64]) -> Vec<Takes> {
    numbers.iter().copied().map(Takes::one).collect()
}

/// Compares all that can be asked; `upto` heaps are computed and `heaps` compared, through periods where proved.
fn check(game: &Subtraction, upto: u64, heaps: u64) {
    let plain = Plain::new(game, heaps);
    let name = format!("{game:?}");
    let mut outcomes = Outcomes::new(game);
    outcomes.extend(upto).unwrap();
    let mut whole = Outcomes::whole(game);
    whole.extend(upto).unwrap();
    let mut filled = outcomes.clone();
    filled.fill(upto).unwrap();
    assert_eq!(filled.words(), &whole.words()[..filled.words().len()], "{name}");
    assert!(filled.len() >= upto);
    let mut lengths = Remotenesses::new(game);
    lengths.extend(upto).unwrap();
    let mut nimbers = Nimbers::new(game).ok();
    assert_eq!(nimbers.is_none(), game.is_misere());
    if let Some(nimbers) = &mut nimbers {
        nimbers.extend(upto).unwrap();
    }
    for n in 0..heaps {
        let at = n as usize;
        if n < upto {
            assert_eq!(whole.is_lost(n), Some(plain.lost[at]), "whole {name} {n}");
            assert!(outcomes.is_lost(n).is_some() && lengths.remoteness(n).is_some());
        }
        if let Some(lost) = outcomes.is_lost(n) {
            assert_eq!(lost, plain.lost[at], "outcome {name} {n} {:?}", outcomes.period());
        }
        if let Some(length) = lengths.remoteness(n) {
            assert_eq!(length, plain.remoteness[at], "remoteness {name} {n} {:?}", lengths.period());
            let outcome = if plain.lost[at] { Outcome::Loss } else { Outcome::Win };
            assert_eq!(lengths.outcome(n), Some(outcome));
        }
        if let Some(nimbers) = &nimbers {
            let value = nimbers.value(n);
            assert!(value.is_some() || n >= upto);
            if let Some(value) = value {
                assert_eq!(value, plain.values[at], "value {name} {n} {} {:?}", nimbers.method(), nimbers.period());
            }
        }
    }
    for n in [heaps / 7, heaps / 2 + 1, heaps - 1] {
        let wanted = |passes: &dyn Fn(usize) -> bool| -> Vec<u64> {
            let mut moves: Vec<u64> =
                options(game, n).into_iter().filter(|&m| passes(m as usize)).map(|m| n - m).collect();
            moves.sort_unstable();
            moves
        };
        if let Some(moves) = outcomes.winning_moves(n, usize::MAX) {
            assert!(moves.complete);
            assert_eq!(moves.takes, wanted(&|m| plain.lost[m]), "{name} {n}");
            if let [.., most] = moves.takes[..] {
                let few = outcomes.winning_moves(n, 1).unwrap();
                assert_eq!((few.takes, few.complete), (vec![most], moves.takes.len() == 1), "{name} {n}");
            }
        }
        if let Some(nimbers) = &nimbers {
            for value in 0..4 {
                if let Some(moves) = nimbers.moves_to(n, value, usize::MAX) {
                    assert_eq!(moves.takes, wanted(&|m| plain.values[m] == value), "{name} {n} {value}");
                }
            }
        }
        if let Some(moves) = lengths.best_moves(n, 1 << 20) {
            let best = plain.remoteness[n as usize];
            assert_eq!(moves, wanted(&|m| plain.remoteness[m] + 1 == best), "{name} {n}");
        }
    }
    check_least(outcomes.period(), |n| u64::from(plain.lost[n as usize]), heaps, &name);
    check_least(lengths.period(), |n| plain.remoteness[n as usize], heaps, &name);
    if let Some(nimbers) = &nimbers {
        check_least(nimbers.period(), |n| plain.values[n as usize], heaps, &name);
    }
}

/// Is the period the least one, and does it start as early as can be? Only where enough heaps tell.
fn check_least(period: Option<Period>, value: impl Fn(u64) -> u64, heaps: u64, name: &str) {
    let Some(Period { start, length, saltus }) = period else { return };
    if start + 3 * length > heaps {
        return;
    }
    assert!((start..heaps - length).all(|n| value(n + length) == value(n) + saltus), "{name} {period:?}");
    assert!(start == 0 || value(start - 1 + length) != value(start - 1) + saltus, "early {name} {period:?}");
    for part in (1..length).filter(|part| length.is_multiple_of(*part)) {
        let shift = value(start + part) as i64 - value(start) as i64;
        let shorter = (start..start + 2 * length - part).all(|n| value(n + part) as i64 - value(n) as i64 == shift);
        assert!(!shorter, "{part} is shorter: {name} {period:?}");
    }
}

#[test]
fn all_small_sets() {
    for set in 0..256u64 {
        let numbers: Vec<u64> = (1..=8).filter(|s| set >> (s - 1) & 1 == 1).collect();
        for misere in [false, true] {
            let game = Subtraction::new(ones(&numbers), misere).unwrap();
            check(&game, 512, 700);
            let mut outcomes = Outcomes::new(&game);
            outcomes.extend(4096).unwrap();
            assert!(outcomes.period().is_some(), "{numbers:?}");
        }
    }
}

#[test]
fn random_sets_of_numbers() {
    let mut random = Random::new(1);
    for round in 0..500 {
        let largest = [12, 70, 130, 300, 700, 1500][round % 6];
        let count = 1 + random.below([4, 8, 30][round / 6 % 3]);
        let least = if random.below(3) == 0 { 1 + random.below(largest) } else { 1 };
        let numbers: Vec<u64> = (0..count).map(|_| least + random.below(largest + 1 - least)).collect();
        let game = Subtraction::new(ones(&numbers), random.below(2) == 0).unwrap();
        check(&game, 1500, 2500);
    }
}

#[test]
fn random_unions_of_ranges_with_conditions() {
    let mut random = Random::new(2);
    for round in 0..700 {
        let largest = [6, 40, 150, 500][round % 4];
        let count = 1 + random.below(4);
        let conditions = random.below(3);
        let takes: Vec<Takes> = (0..count)
            .map(|_| {
                let least = 1 + random.below(largest);
                let take = match random.below(8) {
                    0 => Takes::at_least(least),
                    1..4 => Takes::one(least),
                    _ => Takes::range(least, least + random.below(largest)),
                };
                let guard = if conditions > 0 && random.below(2) == 0 { random.below(2 * largest) } else { 0 };
                let floor = if conditions > 1 && random.below(2) == 0 { random.below(largest) } else { 0 };
                take.guarded(guard).leaving(floor)
            })
            .collect();
        let game = Subtraction::new(takes, random.below(2) == 0).unwrap();
        check(&game, 900, 1500);
    }
}

#[test]
fn small_unions_exhaustively() {
    // Any set of numbers up to 4, with or without all from 5, 6 or 7 on, with a common floor.
    for set in 0..16u64 {
        for tail in [0, 5, 6, 7] {
            for floor in 0..3 {
                let mut takes = ones(&(1..=4).filter(|s| set >> (s - 1) & 1 == 1).collect::<Vec<_>>());
                if tail > 0 {
                    takes.push(Takes::at_least(tail));
                }
                takes.iter_mut().for_each(|take| *take = take.leaving(floor));
                for misere in [false, true] {
                    check(&Subtraction::new(takes.clone(), misere).unwrap(), 300, 500);
                }
            }
        }
    }
}

#[test]
fn saved_words_are_resumed() {
    let mut random = Random::new(3);
    for round in 0..60 {
        let largest = [90, 300, 3000][round % 3];
        let numbers: Vec<u64> = (0..8).map(|_| 1 + random.below(largest)).collect();
        let mut takes = ones(&numbers);
        takes.push(Takes::range(largest / 2, largest / 2 + random.below(200)));
        if round % 2 == 0 {
            takes[0] = takes[0].guarded(random.below(400));
            takes[1] = takes[1].leaving(random.below(400));
        }
        let game = Subtraction::new(takes, round % 4 < 2).unwrap();
        let mut whole = Outcomes::whole(&game);
        whole.extend(50_000).unwrap();
        let cut = 1 + random.below(600) as usize;
        let mut resumed = Outcomes::resume(&game, &whole.words()[..cut]).unwrap();
        resumed.fill(50_000).unwrap();
        assert_eq!(resumed.words(), whole.words(), "{game:?}");
    }
    for round in 0..60 {
        let mut takes: Vec<Takes> = (0..5).map(|_| Takes::one(1 + random.below(300))).collect();
        match round % 3 {
            0 => takes.push(Takes::range(20, 400)),
            1 => takes.push(Takes::at_least(100 + random.below(100))),
            _ => takes[0] = takes[0].guarded(500),
        }
        let game = Subtraction::new(takes, false).unwrap();
        let mut whole = Nimbers::new(&game).unwrap();
        whole.extend(30_000).unwrap();
        let mut part = Nimbers::new(&game).unwrap();
        part.extend(1 + random.below(9000)).unwrap();
        let mut resumed = Nimbers::resume(&game, &part.saved()).unwrap();
        resumed.extend(30_000).unwrap();
        for n in 0..30_000 {
            assert_eq!(resumed.value(n), whole.value(n), "{game:?} {n}");
        }
        assert!(Nimbers::resume(&game, &SavedNimbers::Digits(vec![&[5; 64], &[6; 64]])).is_err());
    }
    let game = Subtraction::new(ones(&[1, 3, 4]), false).unwrap();
    assert_eq!(Outcomes::resume(&game, &[7; 40]).unwrap_err(), SubtractionError::Saved);
}

#[test]
fn pieces_make_no_difference() {
    let mut random = Random::new(4);
    for _ in 0..40 {
        let numbers: Vec<u64> = (0..6).map(|_| 1 + random.below(400)).collect();
        let game = Subtraction::new(ones(&numbers), false).unwrap();
        let (mut a, mut b) = (Outcomes::new(&game), Outcomes::new(&game));
        let (mut c, mut d) = (Nimbers::new(&game).unwrap(), Nimbers::new(&game).unwrap());
        let (mut e, mut f) = (Remotenesses::new(&game), Remotenesses::new(&game));
        let mut upto = 0;
        while upto < 20_000 {
            upto += random.below(3000);
            a.extend(upto).unwrap();
            c.extend(upto).unwrap();
            e.extend(upto).unwrap();
        }
        b.extend(upto).unwrap();
        d.extend(upto).unwrap();
        f.extend(upto).unwrap();
        for n in (0..upto).chain([1 << 40, 1_000_000_000_000_000_000]) {
            let known = |x: Option<u64>, y: Option<u64>| x.is_none() || y.is_none() || x == y;
            assert!(known(a.is_lost(n).map(u64::from), b.is_lost(n).map(u64::from)), "{numbers:?} {n}");
            assert!(known(c.value(n), d.value(n)), "{numbers:?} {n}");
            assert!(known(e.remoteness(n), f.remoteness(n)), "{numbers:?} {n}");
        }
    }
}

/// Who wins, by pushing lost heaps: quick enough for long rows.
fn lost_row(numbers: &[u64], heaps: usize) -> Vec<bool> {
    let mut won = vec![false; heaps];
    for n in 0..heaps {
        if !won[n] {
            for &s in numbers.iter().filter(|&&s| n + (s as usize) < heaps) {
                won[n + s as usize] = true;
            }
        }
    }
    won.into_iter().map(|won| !won).collect()
}

#[test]
fn long_moves_have_periods_too() {
    // Rows that repeat short patterns for long, with rare faults: a search that compares blindly would not end.
    for numbers in
        [vec![1, 100_000], vec![2, 3, 65_537], vec![1, 4, 9, 40_000], vec![99_991, 100_000], vec![1000, 70_001]]
    {
        let game = Subtraction::new(ones(&numbers), false).unwrap();
        let mut outcomes = Outcomes::new(&game);
        outcomes.extend(3_000_000).unwrap();
        let row = lost_row(&numbers, 4_000_000);
        let period = outcomes.period().unwrap_or_else(|| panic!("{numbers:?} has a period"));
        assert!(outcomes.len() < 3_000_000);
        for n in (0..4_000_000).step_by(7).chain(3_990_000..4_000_000) {
            assert_eq!(outcomes.is_lost(n as u64), Some(row[n]), "{numbers:?} {n} {period:?}");
        }
        let value = |n: u64| u64::from(row[n as usize]);
        let start = period.start;
        assert!(start == 0 || value(start - 1) != value(start - 1 + period.length), "{numbers:?} {period:?}");
    }
}

#[test]
fn periods_hold_far_beyond_their_proof() {
    let mut random = Random::new(5);
    for _ in 0..20 {
        let numbers: Vec<u64> = (0..5).map(|_| 1 + random.below(200)).collect();
        let game = Subtraction::new(ones(&numbers), false).unwrap();
        let mut outcomes = Outcomes::new(&game);
        outcomes.extend(300_000).unwrap();
        let row = lost_row(&numbers, 600_000);
        let period = outcomes.period().unwrap_or_else(|| panic!("{numbers:?} has a period"));
        // A search that overlooks a return would find a later one only.
        let settled = (period.start + 1000).max(period.length);
        assert!(outcomes.len() <= 4 * settled + 2 * period.length + 4096, "{numbers:?} {period:?} {}", outcomes.len());
        for (n, &lost) in row.iter().enumerate() {
            assert_eq!(outcomes.is_lost(n as u64), Some(lost), "{numbers:?} {n} {:?}", outcomes.period());
        }
    }
}

#[test]
fn huge_heaps_and_huge_ranges() {
    let huge = (1u64 << 63) - 1;
    let game = Subtraction::new(vec![Takes::range(1, 1_000_000_000_000)], false).unwrap();
    let outcomes = Outcomes::new(&game);
    assert_eq!(outcomes.outcome(1_000_000_000_001 * 1000), Some(Outcome::Loss));
    assert_eq!(outcomes.winning_moves(huge, 5).unwrap().takes, [huge % 1_000_000_000_001]);
    assert_eq!(Nimbers::new(&game).unwrap().value(huge), Some(huge % 1_000_000_000_001));
    let misere = Outcomes::new(&Subtraction::new(vec![Takes::range(1, 1_000_000_000_000)], true).unwrap());
    assert_eq!(misere.outcome(1_000_000_000_001 * 1000 + 1), Some(Outcome::Loss));
    assert_eq!(misere.winning_moves(1_000_000_000_001 * 1000, 5).unwrap().takes, [1_000_000_000_000]);

    let game = Subtraction::new(ones(&[1, 3, 4]), false).unwrap();
    let mut lengths = Remotenesses::new(&game);
    lengths.extend(10_000).unwrap();
    let plain = Plain::new(&game, 10_000);
    let n = 7 * 100_000_000_000_000_000 + 3;
    let period = lengths.period().unwrap();
    let small = (n - period.start) % period.length + period.start;
    let rounds = (n - small) / period.length;
    assert_eq!(lengths.remoteness(n), Some(plain.remoteness[small as usize] + rounds * period.saltus));
    let mut outcomes = Outcomes::new(&game);
    outcomes.extend(huge).unwrap();
    assert_eq!(outcomes.is_lost(huge), Some(matches!(huge % 7, 0 | 2)));
    let mut nimbers = Nimbers::new(&game).unwrap();
    nimbers.extend(huge).unwrap();
    assert_eq!(nimbers.value(huge), Some(plain.values[(huge % 7) as usize]));
    assert!(outcomes.winning_moves(u64::MAX, 10).is_some() && nimbers.moves_to(u64::MAX, 0, 10).is_some());
    // A move much larger than the table plays no part, and no period is claimed.
    let game = Subtraction::new(ones(&[1, 3, 1 << 60]), false).unwrap();
    let mut outcomes = Outcomes::new(&game);
    outcomes.extend(100_000).unwrap();
    assert_eq!((outcomes.outcome(100), outcomes.outcome(1 << 61)), (Some(Outcome::Loss), None));
    assert!(outcomes.extend(u64::MAX).is_err());
}

#[test]
fn bad_games_are_refused() {
    let refused = |takes: Vec<Takes>| Subtraction::new(takes, false).unwrap_err();
    assert_eq!(refused(ones(&[0])), SubtractionError::TakesNothing);
    assert_eq!(refused(vec![Takes::range(5, 4)]).to_string(), "no number lies from 5 to 4");
    assert!(matches!(refused(ones(&[u64::MAX])), SubtractionError::TooLarge { .. }));
    assert!(matches!(refused(vec![Takes::one(1).guarded(1 << 62)]), SubtractionError::TooLarge { .. }));
    assert!(matches!(refused(vec![Takes::one(1); 100_000]), SubtractionError::TooManyMoves { .. }));
    let misere = Subtraction::new(ones(&[1]), true).unwrap();
    assert_eq!(Nimbers::new(&misere).unwrap_err(), SubtractionError::Misere);
    let mut outcomes = Outcomes::whole(&misere);
    assert!(matches!(outcomes.extend(1 << 61), Err(SubtractionError::Memory { .. })));
}
