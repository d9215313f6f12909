//! Nimbers of heaps that fall into two, with the true numbers and with wrong ones.

use std::collections::BTreeSet;

use game::LoopyNimber;
use rules::bind::{Bound, Position};
use testkit::Random;
use testkit::files;
use verify::Refusal;
use verify::argument::Argument;
use verify::entries::Entries;
use verify::proved::Proved;
use verify::sparse::{Known, Pair, Sparse};

/// Says these nimbers, and names the first pair that serves, or a wrong one.
struct Sayer<'s> {
    nimbers: &'s [u64],
    wrong_pair: bool,
}

impl Entries for Sayer<'_> {
    fn nimber(&mut self, part: &[i64]) -> Result<u64, Refusal> {
        self.nimbers.get(part[0] as usize).copied().ok_or_else(|| Refusal::wrong("no more"))
    }
    fn pair(&mut self, heap: u64, number: u64, known: &Known) -> Result<Pair, Refusal> {
        let pairs = (0..heap).flat_map(|first| (0..known.splits().len()).map(move |split| Pair { split, first }));
        let mut serving = pairs.filter(|pair| (known.of_pair(heap, *pair) == Some(number)) != self.wrong_pair);
        serving.next().ok_or_else(|| Refusal::wrong("no pair"))
    }
    fn passed(&mut self, _: u64) -> Result<(), Refusal> {
        Ok(())
    }
}

fn bound(rules: &str, n: usize) -> Bound {
    files::bound(&files::program(rules), &format!(r#"{{"n": {n}}}"#))
}

/// The nimbers by the definition, from the moves that the interpreter lists.
fn nimbers(bound: &Bound, n: usize) -> Vec<u64> {
    let mut nimbers: Vec<u64> = Vec::new();
    for heap in 0..=n {
        let position = Position { parts: vec![[heap as i64].into()], turn: bound.start.turn };
        let met: BTreeSet<u64> = rules::play::plays(bound, &position)
            .unwrap()
            .iter()
            .map(|play| play.into.iter().fold(0, |sum, part| sum ^ nimbers[part[0] as usize]))
            .collect();
        nimbers.push((0..).find(|number| !met.contains(number)).unwrap());
    }
    nimbers
}

/// Rules of several kinds: taking and splitting, into different heaps, with least heaps on one side.
fn rules(random: &mut Random) -> String {
    let (taken, more) = (random.below(3usize), 1 + random.below(4usize));
    let low = random.below(3usize);
    let split = match random.below(3usize) {
        0 => format!("move cut(x in 1..=(h - {taken}) / 2) {{ split (x), (h - {taken} - x); }}"),
        1 => "move cut(x in 1..=(h - 1) / 2) { split (x), (h - x); }".to_string(),
        _ => format!("move cut(x in {}..=h - {}) {{ split (x), (h - {taken} - x); }}", low + 1, taken + 1),
    };
    let take =
        if random.one_in(4) { String::new() } else { format!("move take(k in [1, {more}]) when k <= h {{ h -= k; }}") };
    format!("game g(n: int) {{ sum of heap(h in 0..=n) from [n]; {take} {split} }}")
}

#[test]
fn right_nimbers_are_accepted_whatever_the_mask_and_wrong_ones_never() {
    let mut random = Random::new(31);
    let (mut accepted, mut refused, mut named) = (0, 0, 0);
    for _ in 0..60 {
        let text = rules(&mut random);
        let n = 40 + random.below(60usize);
        let bound = bound(&text, n);
        let truth = nimbers(&bound, n);
        let sparse = Sparse { alike: 16, mask: random.below(16usize) as u64, heaps: n as u64 + 1, period: None };
        let check = |nimbers: &[u64], wrong_pair: bool| {
            Argument::Sparse(sparse).check(&bound, &bound.start, &mut Sayer { nimbers, wrong_pair })
        };
        match check(&truth, false) {
            Ok((proved, count)) => {
                assert_eq!((proved, count), (Proved::Nimber(LoopyNimber::Finite(truth[n])), n as u64 + 1), "{text}");
                accepted += 1;
            }
            Err(refusal) => panic!("{text}: {refusal}"),
        }
        named += usize::from(check(&truth, true).is_err());
        for _ in 0..20 {
            let mut wrong = truth.clone();
            let at = random.below(n + 1);
            wrong[at] = if random.one_in(2) { wrong[at] + 1 } else { random.below(12usize) as u64 };
            if wrong != truth {
                assert!(check(&wrong, false).is_err(), "{text}: heap {at}");
                refused += 1;
            }
        }
    }
    assert!(accepted == 60 && refused > 500 && named > 5, "{accepted}, {refused}, {named}");
}

/// A period is believed only with enough heaps, and never where heaps must differ.
#[test]
fn periods_need_enough_heaps_that_may_be_equal() {
    let kayles = "game g(n: int) { sum of heap(h in 0..=n) from [n]; \
                  move take(k in 1..=2) when k <= h { h -= k; } \
                  move cut(k in 1..=2, x in 1..=(h - k) / 2) { split (x), (h - k - x); } }";
    let bound = bound(kayles, 1_000_000);
    let truth = nimbers(&bound, 400);
    let check = |sparse: Sparse| {
        Argument::Sparse(sparse).check(&bound, &bound.start, &mut Sayer { nimbers: &truth, wrong_pair: false })
    };
    let sparse = Sparse { alike: 16, mask: 7, heaps: 2 * 71 + 24 + 2, period: Some((71, 12)) };
    let (proved, _) = check(sparse).unwrap();
    assert_eq!(proved, Proved::Nimber(LoopyNimber::Finite(truth[72 + (1_000_000 - 72) % 12])));
    assert!(check(Sparse { heaps: sparse.heaps - 1, ..sparse }).is_err());
    assert!(check(Sparse { period: Some((70, 12)), ..sparse }).is_err());
    assert!(check(Sparse { period: None, ..sparse }).is_err());
    let grundy = "game g(n: int) { sum of heap(h in 0..=n) from [n]; \
                  move cut(x in 1..=(h - 1) / 2) { split (x), (h - x); } }";
    let bound = self::bound(grundy, 300);
    let truth = vec![0; 301];
    let sparse = Sparse { alike: 16, mask: 7, heaps: 301, period: Some((20, 3)) };
    assert!(
        Argument::Sparse(sparse)
            .check(&bound, &bound.start, &mut Sayer { nimbers: &truth, wrong_pair: false })
            .is_err()
    );
}
