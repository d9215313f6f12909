//! The memory that loopy values ask for against the memory that they use.

use crate::common::prelude::*;
use boards::CanonicalForms;
use solve::answer::value_in_arena::value_in;
use testkit::Random;
use testkit::counting::peak_of;

use crate::common::{bound, program};

/// What is used beside the values: the rules as formulas, and the like.
const ASIDE: u64 = 4 << 20;

/// Values a game, and compares what was claimed with what was held.
fn assert_charged(game: &Bound, what: &str) -> u64 {
    let mut monitor = Monitor::unlimited();
    let mut arena = CanonicalForms::new(&monitor).arena;
    let (_, held) = peak_of(|| value_in(&mut arena, game, &game.start, &Options::default(), &mut monitor));
    let charged = monitor.memory().peak();
    drop(arena);
    assert!(held <= charged + charged / 10 + ASIDE, "{what}: {held} bytes were held, {charged} were charged");
    assert!(charged <= held + held / 3 + ASIDE, "{what}: {held} bytes were held, {charged} were charged");
    assert_eq!(monitor.memory().used(), 0, "{what}: all goes back");
    charged
}

#[test]
fn fox_and_geese_charge_what_they_use() {
    let fox = testkit::files::program(&testkit::files::game("fox_and_geese"));
    for (rows, columns) in [(5, 4), (6, 6), (7, 6)] {
        let game = testkit::files::bound(&fox, &format!(r#"{{ "rows": {rows}, "columns": {columns} }}"#));
        assert_charged(&game, &format!("{rows} by {columns}"));
    }
}

#[test]
fn tokens_charge_what_they_use() {
    let rules = program(
        "game token(left: [[int]], right: [[int]]) { state { at in 0..len(left) = 0; }
            move first l(to in left[at]) { at = to; } move second r(to in right[at]) { at = to; } }",
    );
    let mut random = Random::new(179);
    let mut most = 0;
    for nodes in [10usize, 60, 200, 400] {
        // Arrows lead a little way forward or back, so that there are groups of all sizes.
        let mut lists = || -> Vec<Vec<usize>> {
            let near = |at: usize, random: &mut Random| (at + 12 - random.below(20usize).min(at + 12)).min(nodes - 1);
            (0..nodes).map(|at| (0..random.below(3usize)).map(|_| near(at, &mut random)).collect()).collect()
        };
        let game = bound(&rules, &format!(r#"{{ "left": {:?}, "right": {:?} }}"#, lists(), lists()));
        most = most.max(assert_charged(&game, &format!("{nodes} nodes")));
    }
    assert!(most > 300_000, "{most}");
}
