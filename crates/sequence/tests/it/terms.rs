//! Sequences: heap methods against instances solved one by one, and checkpoints.

use std::sync::Arc;

use engine::monitor::Monitor;
use heaps::HeapSequence;
use heaps::subtraction::{Nimbers, Outcomes, Subtraction, Takes};
use heaps::take_break::NimSequence;
use rules::instance::{Given, Instance};
use sequence::saved::{SavedError, fingerprint};
use sequence::{Instances, Runs, Sequence, SequenceError, Source, Summary, Term, heap_source};
use solve::options::{Engine, Options};
use testkit::Random;
use testkit::files::game;

fn octal(code: &str, from: i64, to: i64) -> Sequence {
    let sequence = NimSequence::new(code.parse().unwrap()).unwrap();
    Sequence::new(Source::Heaps(HeapSequence::Break(Box::new(sequence))), from, to).unwrap()
}

fn shift(moves: &[u64], from: i64, to: i64) -> Sequence {
    let game = Subtraction::new(moves.iter().map(|&stones| Takes::one(stones)).collect(), false).unwrap();
    Sequence::new(Source::Heaps(HeapSequence::Shift(Box::new(Nimbers::new(&game).unwrap()))), from, to).unwrap()
}

const STONES: &str = "game stones(n: int, moves: [int]) {
    require n >= -5 : \"no heap is so small\";
    state { left in 0..=max(n, 0) = max(n, 0); }
    move take(k in moves) when k <= left { left -= k; }
}";

fn stones(moves: &[i64], from: i64, to: i64) -> Sequence {
    let program = Arc::new(rules::compile(STONES).unwrap());
    let fixed = Instance(vec![("moves".to_string(), Given::Ints(moves.to_vec()))]);
    let options = Options { engine: Engine::Interpreted, ..Options::default() };
    let instances = Instances::new(&program, fixed, 0, Runs::Number, options);
    Sequence::new(Source::Instances(Box::new(instances)), from, to).unwrap()
}

fn misere(moves: &[u64], to: i64) -> Sequence {
    let game = Subtraction::new(moves.iter().map(|&stones| Takes::one(stones)).collect(), true).unwrap();
    let outcomes = Outcomes::new(&game);
    Sequence::new(Source::Heaps(HeapSequence::Misere(Box::new(game), Box::new(outcomes))), 0, to).unwrap()
}

/// A game by the heap method and instance by instance, from rules.
fn both(rules: &str, parameter: usize, from: i64, to: i64) -> (Option<Sequence>, Sequence) {
    let program = Arc::new(rules::compile(rules).unwrap());
    let runs = Runs::of(&program.params[parameter].ty).unwrap();
    let options = Options { engine: Engine::Interpreted, ..Options::default() };
    let instances = Instances::new(&program, Instance::default(), parameter, runs, options);
    let heaps = heap_source(&instances.bind(to - 1).unwrap(), parameter);
    let plain = Sequence::new(Source::Instances(Box::new(instances)), from, to).unwrap();
    (heaps.map(|(source, _)| Sequence::new(source, from, to).unwrap()), plain)
}

fn grown(mut sequence: Sequence) -> Sequence {
    let mut monitor = Monitor::unlimited();
    while !sequence.extend(&mut monitor).unwrap() {}
    assert_eq!(sequence.known(), sequence.total());
    sequence
}

fn terms(sequence: &Sequence) -> Vec<Term> {
    sequence.terms().collect()
}

#[test]
fn heaps_and_instances_agree() {
    let mut source = Random::new(1);
    let mut random = |below: u64| source.below(below);
    for _ in 0..40 {
        let moves: Vec<u64> = (0..=random(3)).map(|_| 1 + random(8)).collect();
        let from = random(10) as i64;
        let to = from + 1 + random(40) as i64;
        let heaps = grown(shift(&moves, from, to));
        let code: String = (1..=8).map(|k| if moves.contains(&k) { '3' } else { '0' }).collect();
        let taken = grown(octal(&format!("0.{code}"), from, to));
        let signed: Vec<i64> = moves.iter().map(|&stones| stones as i64).collect();
        let one_by_one = grown(stones(&signed, from, to));
        assert_eq!(terms(&heaps), terms(&one_by_one), "{moves:?} {from}..{to}");
        assert_eq!(terms(&taken), terms(&one_by_one), "{moves:?} {from}..{to}");
    }
}

#[test]
fn rules_of_heaps_are_valued_in_one_sweep() {
    let heaps = [
        "game a(n: int) { state { left in 0..=n = n; } move take(k in 1..=3) when k <= left { left -= k; } }",
        "game b(n: int) { state { left in 0..=n = n; } move take(k in 2..=5) when k <= left { left -= k; } stuck => win; }",
        "game c(piles: [int]) { sum of pile(n in 0..=max(piles, 0)) from piles; move take(k in 1..=n) { n -= k; } }",
        "game d(heaps: [int]) { sum of heap(n in 0..=max(heaps, 0)) from heaps;
            move divide(k in 1..=(n - 1) / 2) { split (k), (n - k); } }",
        "game e(rows: [int]) { sum of row(n in 0..=max(rows, 0)) from rows;
            move knock(k in 1..=2, left in 0..=n - k) { split (left), (n - k - left); } }",
    ];
    for rules in heaps {
        let (sweep, plain) = both(rules, 0, 0, 40);
        let sweep = sweep.unwrap_or_else(|| panic!("not recognised: {rules}"));
        assert_eq!(terms(&grown(sweep)), terms(&grown(plain)), "{rules}");
    }
    let others = [
        "game a(n: int) { state { left in 0..=n = n; } move take(k in 1..=n) when 2 * k <= left { left -= k; } }",
        "game b(n: int) { state { left in 0..=2 * n = 2 * n; } move take(k in 1..=3) when k <= left { left -= k; } }",
        "game c(n: int) { state { x in 0..=n = n; y in 0..=n = n; } move take when x > 0 { x -= 1; } }",
    ];
    for rules in others {
        let (sweep, plain) = both(rules, 0, 0, 20);
        let plain = terms(&grown(plain));
        sweep.into_iter().for_each(|sweep| assert_eq!(terms(&grown(sweep)), plain, "{rules}"));
    }
}

#[test]
fn observed_periods_are_told_in_terms_of_the_parameter() {
    let seen = Summary::of(&grown(stones(&[1, 3, 4], 10, 60))).period.unwrap();
    assert_eq!((seen.start, seen.length), (10, 7));
    let proved = Summary::of(&grown(shift(&[1, 3, 4], 10, 60))).period.unwrap();
    assert_eq!((proved.start, proved.length), (0, 7));
}

#[test]
fn a_proved_period_answers_far_heaps() {
    let far = 10i64.pow(18);
    let sequence = grown(octal("0.77", far, far + 24));
    let near = grown(octal("0.77", 0, 2000));
    let reduced = 120 + (far - 120) % 12;
    assert_eq!(terms(&sequence)[..12], terms(&near)[reduced as usize..reduced as usize + 12]);
    assert_eq!(terms(&sequence)[..12], terms(&sequence)[12..]);
}

#[test]
fn what_is_saved_is_restored() {
    let mut monitor = Monitor::unlimited();
    let makers: [&dyn Fn(i64) -> Sequence; 7] = [
        &|to| octal("0.007", 0, to),
        &|to| octal("0.(3)", 0, to),
        &|to| shift(&[3, 5, 11], 0, to),
        &|to| shift(&[1, 2, 3], 0, to),
        &|to| shift(&[], 0, to),
        &|to| misere(&[2, 5, 9], to),
        &|to| stones(&[2, 7], -3, to.min(60)),
    ];
    for (index, make) in makers.iter().enumerate() {
        for to in [1, 40, 3000] {
            let bytes = grown(make(to)).save("me");
            let mut resumed = make(5000);
            resumed.restore(&bytes, "me", &mut monitor).unwrap_or_else(|error| panic!("{index}: {error}"));
            let resumed = grown(resumed);
            assert_eq!(terms(&resumed), terms(&grown(make(5000))), "{index}");
            assert!(matches!(make(9).restore(&bytes, "you", &mut monitor), Err(SavedError::Other(_))));
        }
        let empty = make(10).save("me");
        make(10).restore(&empty, "me", &mut monitor).unwrap();
    }
}

#[test]
fn no_change_goes_unseen() {
    let mut monitor = Monitor::unlimited();
    for sequence in [grown(octal("0.16", 0, 40)), grown(stones(&[1, 3], 0, 30))] {
        let good = sequence.save("me");
        let fresh = || match sequence.source() {
            Source::Heaps(HeapSequence::Break(_)) => octal("0.16", 0, 40),
            _ => stones(&[1, 3], 0, 30),
        };
        for at in 0..good.len().min(1500) {
            for change in [1u8, 0x80] {
                let mut bad = good.clone();
                bad[at] ^= change;
                assert!(fresh().restore(&bad, "me", &mut monitor).is_err(), "byte {at}");
            }
            assert!(fresh().restore(&good[..at], "me", &mut monitor).is_err(), "cut at {at}");
        }
    }
}

#[test]
fn values_of_another_game_are_refused() {
    let mut monitor = Monitor::unlimited();
    let kayles = grown(octal("0.77", 0, 3000)).save("me");
    let refused = octal("0.137", 0, 3000).restore(&kayles, "me", &mut monitor);
    assert!(matches!(refused, Err(SavedError::Foreign(_))), "{refused:?}");
    let other = grown(stones(&[1, 3], 0, 30)).save("me");
    let refused = stones(&[2], 0, 30).restore(&other, "me", &mut monitor);
    assert!(matches!(refused, Err(SavedError::Foreign(_))), "{refused:?}");
    let elsewhere = stones(&[1, 3], 1, 30).restore(&other, "me", &mut monitor);
    assert_eq!(elsewhere, Err(SavedError::Start { saved: 0, wanted: 1 }));
    assert!(matches!(octal("0.77", 0, 9).restore(&other, "me", &mut monitor), Err(SavedError::Damaged(_))));
    assert_eq!(octal("0.77", 0, 9).restore(b"else", "me", &mut monitor), Err(SavedError::NotACheckpoint));
}

/// Boards of two rows, whose values are canonical forms.
fn dominoes(to: i64) -> Sequence {
    let program = Arc::new(rules::compile(&game("domineering")).unwrap());
    let fixed = Instance(vec![("rows".to_string(), Given::Int(2))]);
    let instances = Instances::new(&program, fixed, 1, Runs::Number, Options::default());
    Sequence::new(Source::Instances(Box::new(instances)), 1, to).unwrap()
}

/// A checkpoint with another value in a line, and the checksum that belongs to it.
fn forged(bytes: &[u8], line: usize) -> Vec<u8> {
    let text = std::str::from_utf8(bytes).unwrap();
    let (head, rest) = text.split_once('\n').unwrap();
    let (about, values) = rest.split_once('\n').unwrap();
    let lines = values.lines().enumerate().map(|(at, value)| match at == line {
        true => "v1\t77\t77\t-1\n".to_string(),
        false => format!("{value}\n"),
    });
    let values: String = lines.collect();
    let mut about: serde_json::Value = serde_json::from_str(about).unwrap();
    about.as_object_mut().unwrap().remove("checksum");
    about["bytes"] = values.len().into();
    let checksum = fingerprint(&[about.to_string().as_bytes(), values.as_bytes()]);
    about["checksum"] = format!("{checksum:016x}").into();
    format!("{head}\n{about}\n{values}").into_bytes()
}

#[test]
fn checkpoints_of_canonical_forms_are_checked_at_their_first_terms_only() {
    let mut monitor = Monitor::unlimited();
    let bytes = grown(dominoes(13)).save("me");
    let restored = |bytes: &[u8], to: i64| {
        let mut sequence = dominoes(to);
        sequence.restore(bytes, "me", &mut Monitor::unlimited()).map(|()| sequence)
    };
    let longer = restored(&bytes, 16).unwrap();
    assert_eq!(longer.known(), 12, "nothing that is saved is solved again when play goes on");
    assert_eq!(terms(&grown(longer)), terms(&grown(dominoes(16))));
    assert!(terms(&grown(dominoes(4))).iter().all(|term| term.form.is_some()));
    assert_eq!(forged(&bytes, usize::MAX), bytes);
    // The first term is solved again, the last is not: it takes about as long as all others together.
    let refused = dominoes(13).restore(&forged(&bytes, 0), "me", &mut monitor);
    assert!(matches!(&refused, Err(SavedError::Foreign(how)) if how.contains("at 1 ")), "{refused:?}");
    let believed = terms(&restored(&forged(&bytes, 11), 13).unwrap());
    assert_eq!(believed[11].form.as_ref().and_then(|form| form.name.as_deref()), Some("77"));
    assert_eq!(believed[..11], terms(&grown(dominoes(12)))[..]);
}

#[test]
fn instances_that_are_refused_leave_the_others() {
    let mut sequence = stones(&[1], -7, 3);
    let refused = sequence.extend(&mut Monitor::unlimited());
    assert!(matches!(refused, Err(SequenceError::Refused { at: -7, .. })), "{refused:?}");
    let heaps = NimSequence::new("0.77".parse().unwrap()).unwrap();
    let negative = Sequence::new(Source::Heaps(HeapSequence::Break(Box::new(heaps))), -1, 5);
    assert!(matches!(negative, Err(SequenceError::Negative { from: -1 })));
}
