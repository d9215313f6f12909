//! What a sequence says of its period is said of all heaps, not only of those that were asked for.

use std::sync::Arc;

use engine::monitor::Monitor;
use game::Outcome;
use rules::instance::Instance;
use sequence::{Instances, Runs, Sequence, Source, Summary, heap_source};
use solve::answers::Proof;
use solve::options::{Engine, Options};

/// The proved period of the heaps below `to`: where it starts and its length.
fn proved(rules: &str, to: i64) -> Option<(u64, u64)> {
    let program = Arc::new(rules::compile(rules).unwrap());
    let runs = Runs::of(&program.params[0].ty).unwrap();
    let options = Options { engine: Engine::Interpreted, ..Options::default() };
    let instances = Instances::new(&program, Instance::default(), 0, runs, options);
    let (source, _) = heap_source(&instances.bind(to - 1).unwrap(), 0)?;
    let mut sequence = Sequence::new(source, 0, to).unwrap();
    let mut monitor = Monitor::unlimited();
    while !sequence.extend(&mut monitor).unwrap() {}
    let period = sequence::Summary::of(&sequence).period?;
    matches!(period.proof, heaps::Proof::Theorem(_)).then_some((period.start as u64, period.length))
}

/// Whether 10 may be taken does not show in heaps below 10.
#[test]
fn moves_that_small_heaps_do_not_have() {
    let limits = ["", "require n <= 1000;", "require n <= 10000000;", "let twice = [n, n];"];
    for limit in limits {
        let rules = format!(
            "game g(n: int) {{ {limit} state {{ left in 0..=n = n; }}
             move take(k in 1..=left) when k == 1 or k == 10 {{ left -= k; }} }}"
        );
        for to in [5, 10, 11, 40] {
            assert_eq!(proved(&rules, to), Some((0, 11)), "{rules}");
        }
    }
    let listed = "game g(heaps: [int]) { sum of heap(n in 0..=max(heaps, 0)) from heaps;
         move take(k in 1..=n) when k == 1 or k == 10 { n -= k; } }";
    assert_eq!(proved(listed, 6), Some((0, 11)));
}

/// A condition that only short loops can tell is not said of longer ones.
#[test]
fn conditions_with_loops_prove_nothing_of_larger_heaps() {
    for condition in ["any(i * i == k for i in 1..=k)", "all(k % d != 0 for d in 2..k)", "k % 7 != 3", "n % 2 == 1"] {
        let rules = format!(
            "game g(n: int) {{ state {{ left in 0..=n = n; }}
             move take(k in 1..=left) when {condition} {{ left -= k; }} }}"
        );
        assert_eq!(proved(&rules, 20), None, "{condition}");
    }
}

fn sequence(rules: &str, to: i64) -> Option<Sequence> {
    let program = Arc::new(rules::compile(rules).unwrap_or_else(|wrong| panic!("{rules}\n{wrong:?}")));
    let runs = Runs::of(&program.params[0].ty).unwrap();
    let instances = Instances::new(&program, Instance::default(), 0, runs, Options::default());
    let mut sequence = Sequence::of(instances, 0, to).unwrap();
    if !matches!(sequence.source(), Source::Heaps(_)) {
        return None;
    }
    while !sequence.extend(&mut Monitor::unlimited()).ok()? {}
    Some(sequence)
}

/// Moves that only heaps beyond 10^15 have are seen, or the theorem says that it does not reach them.
#[test]
fn moves_that_only_huge_heaps_have() {
    let near = 10i64.pow(14);
    for far in [2 * 10i64.pow(15), 2 * 10i64.pow(16), 2 * 10i64.pow(17), 10i64.pow(18) + 7, 4 * 10i64.pow(18)] {
        for (state, require) in [("n", ""), ("n", "require n + n >= 0;"), ("n", "require n <= 3000000000000000;")] {
            let rules = format!(
                "game g(n: int) {{ {require} state {{ h in 0..={state} = n; }}
                 move near when h >= {near} {{ h -= {near}; }} move far when h >= {far} {{ h -= {far}; }} }}"
            );
            let Some(sequence) = sequence(&rules, 6) else { continue };
            let upto = sequence.upto().unwrap_or(i64::MAX);
            let proved = Summary::of(&sequence).period.filter(|period| period.proof != heaps::Proof::Observed);
            assert!(proved.is_none() || upto < far || sequence_value(&sequence, far as u64) == Some(2), "{rules}");
            assert!(proved.is_none_or(|period| period.upto == sequence.upto()), "{rules}");
        }
    }
}

fn sequence_value(sequence: &Sequence, heap: u64) -> Option<u64> {
    match sequence.source() {
        Source::Heaps(heaps) => heaps.nimber(heap),
        Source::Instances(_) => None,
    }
}

/// Heaps that are a large factor times small ones, and less than the factor more, have the values of the small ones. So
/// what is proved of large numbers is compared with the rules of small ones, at heaps up to where it is said to hold.
#[test]
fn large_numbers_are_small_ones_scaled() {
    let mut random = testkit::Random::new(5);
    let (mut compared, mut proved, mut solved) = (0, 0, 0);
    for _ in 0..100 {
        let scale = 10i64.pow(random.between(9, 17) as u32) + random.between(0, 5);
        let takes: Vec<(i64, i64)> = (0..random.between(1, 3))
            .map(|_| (random.between(1, 6), if random.one_in(3) { random.between(2, 9) } else { 0 }))
            .collect();
        let rules = |scale: i64| {
            let moves = takes.iter().enumerate().map(|(number, (take, guard))| {
                let guard = (*guard).max(*take) * scale;
                format!("move m{number} when h >= {guard} {{ h -= {}; }} ", take * scale)
            });
            format!("game g(n: int) {{ state {{ h in 0..=n = n; }} {} }}", moves.collect::<String>())
        };
        // The values of small heaps, written down a second time.
        let mut small: Vec<u64> = Vec::new();
        for heap in 0..400i64 {
            let options = takes.iter().filter(|(take, guard)| heap >= (*guard).max(*take));
            let met: Vec<u64> = options.map(|(take, _)| small[(heap - take) as usize]).collect();
            small.push((0..).find(|nimber| !met.contains(nimber)).unwrap());
        }
        let heaps: Vec<i64> = (0..12)
            .map(|_| {
                let most = (i64::MAX / scale).min(399) - 1;
                random.between(0, most) * scale + random.between(0, 1_000_000)
            })
            .collect();
        if let Some(sequence) = sequence(&rules(scale), 8)
            && let Some((_, theorem)) = match sequence.source() {
                Source::Heaps(heaps) => heaps.proved(),
                Source::Instances(_) => None,
            }
        {
            proved += 1;
            for &heap in heaps.iter().filter(|heap| sequence.upto().is_none_or(|upto| **heap <= upto)) {
                compared += 1;
                let value = sequence_value(&sequence, heap as u64);
                assert_eq!(value, Some(small[(heap / scale) as usize]), "{heap} {theorem}\n{}", rules(scale));
            }
        }
        // `solve` says the same, or that it is too much.
        let program = Arc::new(rules::compile(&rules(scale)).unwrap());
        for &heap in heaps.iter().take(2) {
            let instance = Instance(vec![("n".to_string(), rules::instance::Given::Int(heap))]);
            let bound = rules::bind::bind(&program, &instance).unwrap();
            let limits = engine::monitor::Limits { memory: 50 << 20, time: Some(std::time::Duration::from_millis(50)) };
            match solve::answer::answer(&bound, &Options::default(), &mut Monitor::new(&limits)) {
                Ok(solution) => {
                    solved += 1;
                    let nimber = small[(heap / scale) as usize];
                    // Where there is no time for a nimber, a search proves who wins.
                    let outcome = if nimber == 0 { Outcome::Loss } else { Outcome::Win };
                    assert_eq!(solution.outcome, Some(outcome), "{heap}\n{}", rules(scale));
                    match solution.proof {
                        Proof::Search => assert_eq!(solution.nimber.unwrap_or(nimber), nimber),
                        _ => assert_eq!(solution.nimber, Some(nimber), "{heap}\n{}", rules(scale)),
                    }
                }
                Err(error) => assert!(error.is_limit(), "{error}\n{}", rules(scale)),
            }
        }
    }
    println!("{proved} theorems, {compared} heaps compared, {solved} instances solved");
    assert!(compared > 50 && proved > 10);
}
