//! Sums of impartial games whose parts can repeat: loopy nimbers against the same sum as one game.
//!
//! The oracle searches the whole sum, sweeps it for outcomes, and labels it by Smith's rule as it stands. Tokens move on
//! random digraphs, which take all kinds of values; parts that split and loop are in `sums`.

use crate::common::prelude::*;
use testkit::Random;
use testkit::explicit::{Aim, Also, Explicit, Field, Finish};
use testkit::product::{Part, PartStep, Product};

use crate::common::compare::compare;
use crate::common::{answer, bound, program, with_room};

const MOST_POSITIONS: usize = 1500;

const TOKENS: &str = "game tokens(arrows: [[int]], tokens: [int]) {
    sum of token(node in 0..len(arrows)) from tokens;

    move go(to in arrows[node]) { node = to; }
}";

const TOKEN: &str = "game token(arrows: [[int]], tokens: [int]) {
    state { node in 0..len(arrows) = tokens[0]; }
    move go(to in arrows[node]) { node = to; }
}";

/// The sum as one game.
fn whole(arrows: &[Vec<usize>], tokens: &[usize]) -> Option<Explicit> {
    let moves = |part: &[i64], mover: usize| -> Vec<PartStep> {
        let step = |to: &usize| PartStep {
            label: format!("go({to})"),
            into: vec![vec![*to as i64]],
            gains: vec![0, 0],
            turn: 1 - mover,
        };
        arrows[part[0] as usize].iter().map(step).collect()
    };
    let product = Product { players: 2, aim: Aim::Outcome(None), moves: &moves, stuck: &|_| Finish::Outcome(-1) };
    let parts: Vec<Part> = tokens.iter().map(|&token| vec![token as i64]).collect();
    product.explicit(&parts, 0, MOST_POSITIONS)
}

/// A digraph without repeated arrows: mostly downward, with a few arrows or many that go anywhere.
fn random_arrows(random: &mut Random, nodes: usize) -> Vec<Vec<usize>> {
    let loops = 1 + random.below(12);
    let crowded = random.one_in(2);
    let mut arrows = Vec::new();
    for node in 0..nodes {
        let there = |random: &mut Random, to: usize| match to < node {
            true => random.one_in(if crowded { 1 } else { 2 }) || random.one_in(2),
            false => random.below(nodes * nodes) < loops / 2,
        };
        arrows.push((0..nodes).filter(|&to| there(random, to)).collect());
    }
    arrows
}

#[test]
fn tokens_on_random_digraphs() {
    with_room(|| {
        let program = program(TOKENS);
        let mut random = Random::new(41);
        let (mut loopy, mut infinite, mut won) = (0, 0, 0);
        for _ in 0..900 {
            let nodes = 2 + random.below(6);
            let arrows = random_arrows(&mut random, nodes);
            let tokens: Vec<usize> = (0..1 + random.below(3)).map(|_| random.below(nodes)).collect();
            let Some(graph) = whole(&arrows, &tokens) else { continue };
            let instance = format!("{{\"arrows\": {arrows:?}, \"tokens\": {tokens:?}}}");
            let solution = answer(&bound(&program, &instance)).unwrap();
            let also = Also { nimber: Field::There, ..Also::default() };
            if let Err(difference) = compare(&solution, &graph, &also) {
                panic!("{difference}\n{instance}");
            }
            loopy += usize::from(solution.method.name() == "loopy");
            infinite += usize::from(solution.loopy.is_some());
            won += usize::from(solution.loopy.is_some() && solution.winner == Some(FIRST));
        }
        assert!(loopy > 300 && infinite > 150 && won > 40, "{loopy} loopy, {infinite} infinite, {won} won");
    });
}

/// A single position has a loopy nimber too, where it is asked for; and sums can still be searched as a whole.
#[test]
fn methods_agree() {
    with_room(|| {
        let (sum, single) = (program(TOKENS), program(TOKEN));
        let mut random = Random::new(42);
        for _ in 0..300 {
            let nodes = 2 + random.below(5);
            let arrows = random_arrows(&mut random, nodes);
            let tokens = [random.below(nodes)];
            let instance = format!("{{\"arrows\": {arrows:?}, \"tokens\": {tokens:?}}}");
            let solve = |program, method| {
                let options = Options { method, check: Some(Amount::All), ..Options::default() };
                solve::answer::answer(&bound(program, &instance), &options, &mut Monitor::new(&Limits::default()))
                    .unwrap()
            };
            let parts = solve(&sum, Some(method("loopy")));
            let whole = solve(&sum, Some(method("retrograde")));
            let alone = solve(&single, Some(method("loopy")));
            assert_eq!((&parts.winner, &parts.best_moves), (&whole.winner, &whole.best_moves), "{instance}");
            assert_eq!((&parts.winner, parts.nimber, &parts.loopy), (&alone.winner, alone.nimber, &alone.loopy));
            assert_eq!(parts.line.map(|line| line.len()), alone.line.map(|line| line.len()));
            assert_eq!(alone.method.name(), "loopy");
        }
    });
}

/// A circle of which every node has a way out: positions without number as a whole, and nothing as parts.
#[test]
fn many_tokens_on_a_large_circle() {
    let nodes = 5000;
    let arrows: Vec<Vec<usize>> =
        (0..nodes).map(|node| if node == 0 { vec![] } else { vec![node - 1, (node + 1) % nodes] }).collect();
    let tokens: Vec<usize> = (0..300).map(|token| token * 7 % nodes).collect();
    let instance = format!("{{\"arrows\": {arrows:?}, \"tokens\": {tokens:?}}}");
    let solution = answer(&bound(&program(TOKENS), &instance)).unwrap();
    assert_eq!(solution.proof.to_string(), "theorem: Smith's loopy nimbers");
    assert!(solution.positions <= nodes as u64);
}

/// Where endless play is somebody's win, there are no loopy nimbers, and the sum is searched as a whole.
#[test]
fn endless_play_that_is_won_is_searched() {
    let text = TOKENS.replace("sum of", "forever => winner second; sum of");
    let bound = bound(&program(&text), r#"{"arrows": [[1], [0]], "tokens": [0, 1]}"#);
    let solution = answer(&bound).unwrap();
    assert_eq!((solution.method.name(), solution.winner), ("retrograde", Some(SECOND)));
    let options = Options { method: Some(method("loopy")), ..Options::default() };
    let refused = solve::answer::answer(&bound, &options, &mut Monitor::unlimited());
    assert!(matches!(refused, Err(SolveError::NotApplicable(why)) if why.contains("not impartial")));
}

#[test]
fn sums_that_grow_are_refused() {
    let text = "game weeds(n: int) { sum of weed(k in 0..=n) from [n]; move grow when k > 1 { split (k), (1); } \
                move pull when k == 1 { split; } }";
    match answer(&bound(&program(text), r#"{"n": 2}"#)) {
        Err(SolveError::Fault(fault)) => assert!(fault.diagnostic.title.contains("grow without end")),
        other => panic!("{other:?}"),
    }
}
