//! Choices from the lists of a table, `k in t[x]`, in several rules of one file: compiled code offers what the interpreter does.
//!
//! Rules share the numbers of their choices. Once, the cell of the first rule was proved to stay lower than that of the
//! second, and its range was taken for both: moves were lost.

use testkit::Random;

use crate::common::check::{check_forced, expect};
use crate::common::prelude::*;
use crate::common::{answer_with, bound, program};

/// Tables of few small lists, and two cells or rows of cells that go down them.
fn jagged(random: &mut Random) -> String {
    let height = 2 + random.below(3u64);
    let list = |random: &mut Random, level: u64| {
        let count = if level == 0 { 0 } else { random.below(4u64) };
        let items: Vec<String> = (0..count).map(|_| random.below(level).to_string()).collect();
        format!("[{}]", items.join(", "))
    };
    let table = |random: &mut Random| {
        let lists: Vec<String> = (0..=height).map(|level| list(random, level)).collect();
        lists.join(", ")
    };
    let (t, u) = (table(random), table(random));
    let other = if random.one_in(2) { "t" } else { "u" };
    let owner = if random.one_in(4) { "first " } else { "" };
    let stuck = random.pick(&["lose", "win", "draw"]);
    let (x, y, z) = (random.below(height + 1), random.below(height + 1), random.below(height + 1));
    format!(
        "game jagged() {{
            let t = [{t}];
            let u = [{u}];
            state {{ x in 0..={height} = {x}; y in 0..={height} = {y}; z in [0..={height}; 2] = [{z}, {x}]; }}
            move {owner}a(k in t[x]) {{ x = k; }}
            move b(k in {other}[y]) {{ y = k; }}
            move c(i in 0..2, k in u[z[i]]) {{ z[i] = k; }}
            stuck => {stuck};
        }}"
    )
}

#[test]
fn choices_from_lists_of_a_table() {
    let mut random = Random::new(71);
    for _ in 0..400 {
        let source = jagged(&mut random);
        let game = bound(&program(&source), "{}");
        let expected = expect(&game, 2000);
        for name in ["search", "hash", "induction", "retrograde", "fill"] {
            let options = Options { engine: Engine::Compiled, threads: 1, ..by(name) };
            if let Err(why) = check_forced(&game, &expected, &options) {
                panic!("{name}: {why}\n{source}");
            }
        }
    }
}

#[test]
fn a_choice_that_no_formula_reads() {
    let source = "game h() {
        let t = [[], [0], [0]];
        state { x in 0..=2 = 0; y in 0..=2 = 2; }
        move first a(k in t[x]) { x = k; }
        move first b(k in t[y]) { y = k; }
        stuck => draw;
    }";
    let options = Options { engine: Engine::Compiled, ..by("hash") };
    let solution = answer_with(&bound(&program(source), "{}"), &options).unwrap();
    assert_eq!((solution.winner, solution.positions), (Some(DRAW), 2));
}
