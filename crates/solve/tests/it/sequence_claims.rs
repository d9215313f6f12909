//! What a sequence says of its period is said of all heaps, not only of those that were asked for.

use std::sync::Arc;

use engine::monitor::Monitor;
use rules::instance::Instance;
use solve::options::{Engine, Options};
use solve::sequence::{Instances, Runs, Sequence, heap_source};

/// The proved period of the heaps below `to`: where it starts and its length.
fn proved(rules: &str, to: i64) -> Option<(u64, u64)> {
    let program = Arc::new(rules::compile(rules).unwrap());
    let runs = Runs::of(&program.params[0].ty).unwrap();
    let options = Options { engine: Engine::Interpreted, ..Options::default() };
    let instances = Instances::new(&program, Instance::default(), 0, runs, options);
    let source = heap_source(&instances.bind(to - 1).unwrap(), 0)?;
    let mut sequence = Sequence::new(source, 0, to).unwrap();
    let mut monitor = Monitor::unlimited();
    while !sequence.extend(&mut monitor).unwrap() {}
    let period = solve::sequence::Summary::of(&sequence).period?;
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
