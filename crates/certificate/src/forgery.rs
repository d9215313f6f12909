//! Whoever changes a certificate and mends its checksums may still only claim what is true: one small file for each argument that
//! only large games are given, changed byte by byte.

use std::time::{Duration, Instant};

use engine::monitor::Monitor;
use rules::bind::{Bound, Position};
use rules::stop::{Scope, Watch};
use solve::answer::solution;
use solve::options::Options;
use solve::value_text::same;
use testkit::files;
use verify::argument::Argument;
use verify::claim::Claim;
use verify::periods::Period;
use verify::sparse::Sparse;
use verify::stream::Reader;

use super::forms;
use super::packer::Packer;
use super::{argue, head};

/// The unpacked bytes of a certificate with one argument, and how long its rules are.
fn bytes(rules: &str, instance: &str, argument: Argument) -> (Vec<u8>, usize) {
    let bound = files::bound(&files::program(rules), instance);
    let mut monitor = Monitor::unlimited();
    let solved = solve::solved::solve(&bound, &bound.start, &Options::default(), &mut monitor).unwrap();
    let claim = match (argument, truth(&bound, &bound.start).unwrap()) {
        (Argument::Sparse(_), truth) => Claim { nimber: truth.nimber, outcome: truth.outcome, ..Claim::default() },
        (Argument::Stoppers, truth) => Claim { form: truth.form, ..Claim::default() },
        (_, truth) => Claim { outcome: truth.outcome, ..Claim::default() },
    };
    let mut file = Vec::new();
    let mut packer = head(&solved, rules, &claim, &mut file).unwrap();
    argument.numbers().into_iter().for_each(|number| packer.number(number).unwrap());
    let argued = match &claim.form {
        Some(name) => forms::argue(&solved, (argument, name), &mut packer, &mut monitor),
        None => argue(&solved, argument, &mut packer, &mut monitor),
    };
    argued.unwrap_or_else(|error| panic!("{instance}: {error:?}"));
    packer.number(0).unwrap();
    packer.finish().unwrap();
    let mut reader = Reader::new(&file[..]).unwrap();
    (std::iter::from_fn(|| reader.byte().ok()).collect(), rules.len() + 2)
}

/// What the solver says of a position.
fn truth(bound: &Bound, position: &Position) -> Option<Claim> {
    let mut monitor = Monitor::unlimited();
    let solved = solve::solved::solve(bound, position, &Options::default(), &mut monitor).ok()?;
    let told = solution(&solved, &mut monitor).ok()?;
    let form = told.canonical.and_then(|form| form.name);
    Some(Claim { outcome: told.outcome, nimber: told.nimber, form, ..Claim::default() })
}

/// Changes every byte behind the rules in several ways. How often the change was accepted, and was true.
fn changed(rules: &str, instance: &str, argument: Argument) -> usize {
    let (bytes, head) = bytes(rules, instance, argument);
    let mut accepted = 0;
    for at in head..bytes.len() {
        for by in [1u8, 2, 3, 0x10, 0x80, 0xfe, 0xff] {
            let mut wrong = bytes.clone();
            wrong[at] = wrong[at].wrapping_add(by);
            let mut file = Vec::new();
            let mut packer = Packer::new(&mut file).unwrap();
            wrong.iter().for_each(|byte| packer.byte(*byte).unwrap());
            packer.finish().unwrap();
            let time = Duration::from_secs(20);
            let _scope = Scope::new(Watch { deadline: Some((Instant::now() + time, time)), ..Watch::default() });
            let Ok(verified) = verify::verify(&file[..], &mut |_, _| {}) else { continue };
            drop(_scope);
            accepted += 1;
            let (about, claim) = (&verified.certificate, &verified.certificate.claim);
            if verified.sampled.is_some() {
                continue;
            }
            let truth = truth(&about.bound, &about.position).unwrap();
            assert!(claim.outcome.is_none() || claim.outcome == truth.outcome, "{at} by {by}: {claim:?} {truth:?}");
            assert!(claim.nimber.is_none() || claim.nimber == truth.nimber, "{at} by {by}: {claim:?} {truth:?}");
            if let (Some(claimed), Some(name)) = (&claim.form, &truth.form) {
                assert!(same(claimed, name), "{at} by {by}: {claimed} {name}");
            }
        }
    }
    accepted
}

#[test]
fn sparse_nimbers() {
    let rules = "game g(n: int) { sum of heap(h in 0..=n) from [n]; \
                 move take(k in 1..=2) when k <= h { h -= k; } \
                 move cut(k in 1..=2, x in 1..=(h - k) / 2) { split (x), (h - k - x); } }";
    let sparse = Sparse { alike: 8, mask: 7, heaps: 91, period: None };
    changed(rules, r#"{"n": 90}"#, Argument::Sparse(sparse));
    let sparse = Sparse { heaps: 168, period: Some((71, 12)), ..sparse };
    changed(rules, r#"{"n": 100000}"#, Argument::Sparse(sparse));
}

#[test]
fn loopy_values() {
    let rules = "game g(left: [[int]], right: [[int]], tokens: [int] = [0]) {
        sum of token(at in 0..len(left)) from tokens;
        move first go(to in left[at]) { at = to; }
        move second go(to in right[at]) { at = to; }
    }";
    for instance in [
        r#"{"left": [[0]], "right": [[]]}"#,
        r#"{"left": [[1],[]], "right": [[0],[]], "tokens": [0, 0]}"#,
        r#"{"left": [[0]], "right": [[0]]}"#,
        r#"{"left": [[1, 2],[],[1]], "right": [[0],[],[1]]}"#,
    ] {
        changed(rules, instance, Argument::Stoppers);
    }
}

#[test]
fn misere_quotients() {
    let rules = "game g(heaps: [int]) { sum of heap(h in 0..=max(heaps, 0)) from heaps; \
                 move take(k in [1, 2]) when k <= h { h -= k; } stuck => win; }";
    changed(rules, r#"{"heaps": [2, 3, 4]}"#, Argument::Quotient(None));
    let period = Period { alike: 4, first: 3, length: 3 };
    changed(rules, r#"{"heaps": [1000, 1003, 7]}"#, Argument::Quotient(Some(period)));
}

/// A period that begins at an enormous heap needs as many entries: a short file is refused at its end.
#[test]
fn a_short_file_cannot_ask_for_many_heaps() {
    let rules = "game g(heaps: [int]) { sum of heap(h in 0..=max(heaps, 0)) from heaps; \
                 move take(k in [1, 2]) when k <= h { h -= k; } stuck => win; }";
    let bound = files::bound(&files::program(rules), r#"{"heaps": [1000000000000, 1003, 7]}"#);
    let solved = solve::solved::solve(&bound, &bound.start, &Options::default(), &mut Monitor::unlimited()).unwrap();
    let claim = Claim { outcome: truth(&bound, &bound.start).unwrap().outcome, ..Claim::default() };
    let period = Period { alike: 4, first: 100_000_000_000, length: 3 };
    let mut file = Vec::new();
    let mut packer = head(&solved, rules, &claim, &mut file).unwrap();
    Argument::Quotient(Some(period)).numbers().into_iter().for_each(|number| packer.number(number).unwrap());
    packer.finish().unwrap();
    assert!(verify::verify(&file[..], &mut |_, _| {}).is_err());
}
