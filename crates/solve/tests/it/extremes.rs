//! The edges of what fits: gains near 2^63, ties beyond what is kept one by one, positions other than the start.

use std::collections::HashMap;

use crate::common::prelude::*;
use testkit::Random;
use testkit::explicit::{Aim, Explicit, Finish, Step};
use testkit::explore::{Explored, explore};
use testkit::net::{Arc, Keeping, Label, Net, Recipe, Spelling, Whose, random_net};
use testkit::oracle::{self, Worth};

use crate::common;
use crate::common::check::{Agreed, check};
use crate::common::compare::compare;
use crate::common::{answer, bound, program, with_room};

const LARGE: [i64; 7] = [i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1, 1, -1, i64::MAX / 2];

/// The score of the start in 128 bits; and the most that all gains of one play can come to, signs forgotten.
fn wide_score(graph: &Explicit) -> (i128, i128) {
    let mut values: HashMap<usize, (i128, i128)> = HashMap::new();
    for index in graph.order(graph.start).expect("no position repeats") {
        let node = &graph.nodes[index];
        let difference = |gains: &[i64]| i128::from(gains[node.mover]) - i128::from(gains[1 - node.mover]);
        let all = |gains: &[i64]| gains.iter().map(|&gain| i128::from(gain).abs()).sum::<i128>();
        let value = match &node.end {
            Some(Finish::Gains(gains)) => (difference(gains), all(gains)),
            _ => {
                let score = |step: &Step| {
                    let sign = if graph.nodes[step.to].mover == node.mover { 1 } else { -1 };
                    difference(&step.gains) + sign * values[&step.to].0
                };
                let most = node.moves.iter().map(|step| all(&step.gains) + values[&step.to].1).max();
                (node.moves.iter().map(score).max().unwrap(), most.unwrap())
            }
        };
        values.insert(index, value);
    }
    values[&graph.start]
}

#[test]
fn scores_near_two_to_the_63_are_right_or_refused() {
    let mut random = Random::new(61);
    let (mut right, mut refused) = (0, 0);
    for _ in 0..600 {
        let n = 2 + random.below(4);
        let arcs = (0..n).map(|from| {
            let arc = |random: &mut Random| {
                let amount = if random.one_in(3) { *random.pick(&LARGE) } else { random.between(-3, 3) };
                let whose = *random.pick(&[Whose::Mover, Whose::Opponent]);
                Arc { gains: vec![(amount, whose)], ..Arc::to(from + 1 + random.below(n - from - 1)) }
            };
            (0..if from + 1 < n { 1 + random.below(2) } else { 0 }).map(|_| arc(&mut random)).collect()
        });
        let arcs: Vec<Vec<Arc>> = arcs.collect();
        let stuck = Some(Label::Score(*random.pick(&[0, 5, i64::MIN + 1, i64::MAX])));
        let net = Net { players: 2, aim: Aim::Difference, starts: 0, start: 0, ends: vec![None; n], arcs, stuck };
        let (text, instance) = net.text(Spelling::Numbers, Keeping::Number, true);
        let (value, most) = wide_score(&net.explicit(Spelling::Numbers));
        match answer(&bound(&program(&text), &instance)) {
            Ok(solution) => {
                right += 1;
                assert_eq!(solution.value.map(i128::from), Some(value), "{text}{instance}");
            }
            Err(error @ (SolveError::Overflow | SolveError::Fault(_))) => {
                refused += 1;
                assert!(error.to_string().contains("overflow"), "{error}");
                assert!(most > i128::from(i64::MAX), "{text}{instance}");
            }
            Err(error) => panic!("{error}\n{text}{instance}"),
        }
    }
    assert!(right > 150 && refused > 100, "{right} right, {refused} refused");
}

#[test]
fn ties_beyond_counting_never_look_unique() {
    with_room(|| {
        let mut random = Random::new(62);
        let (mut many, mut careful) = (0, 0);
        for _ in 0..400 {
            let players = 3 + random.below(2);
            let n = 12 + random.below(10);
            let mut arcs = vec![Vec::new(); n];
            for (from, arcs) in arcs.iter_mut().enumerate().take(n - 1) {
                for _ in 0..1 + random.below(3) {
                    let to = (from + 1 + random.below(3)).min(n - 1);
                    // The mover seldom cares, the others gain all sorts of numbers.
                    let own = if random.one_in(5) { random.between(0, 6) } else { 0 };
                    let other = Whose::After(1 + random.below(players - 1));
                    arcs.push(Arc { gains: vec![(own, Whose::Mover), (random.between(0, 40), other)], ..Arc::to(to) });
                }
            }
            let net = Net { players, aim: Aim::Own, starts: 0, start: 0, arcs, ends: vec![None; n], stuck: None };
            let graph = net.explicit(Spelling::Numbers);
            let worths = oracle::worths(&graph).unwrap();
            let Some(Worth::Totals(_, all)) = &worths[graph.start] else { panic!("not totals") };
            let most = worths.iter().flatten().map(|worth| match worth {
                Worth::Totals(_, all) => all.len(),
                _ => 0,
            });
            let (text, instance) = net.text(Spelling::Numbers, Keeping::Number, true);
            let solution = answer(&bound(&program(&text), &instance)).unwrap();
            if most.max() <= Some(64) {
                compare(&solution, &graph, &net.also()).unwrap_or_else(|d| panic!("{d}\n{text}{instance}"));
                continue;
            }
            many += 1;
            if solution.unique == Some(true) {
                assert_eq!(all.len(), 1, "{text}{instance}");
            } else if all.len() == 1 {
                careful += 1;
            }
            let mut sure = solution.clone();
            sure.unique = Some(all.len() == 1);
            compare(&sure, &graph, &net.also()).unwrap_or_else(|d| panic!("{d}\n{text}{instance}"));
        }
        assert!(
            many > 30 && careful * 20 <= many,
            "{many} with many ties, {careful} of them called ambiguous without need"
        );
    });
}

/// A solve may start anywhere: what it says there is what the solve from the start says.
#[test]
fn every_position_can_be_the_start_of_a_solve() {
    with_room(|| {
        let mut random = Random::new(63);
        for round in 0..150 {
            let aim = *random.pick(&[Aim::Outcome(None), Aim::Outcome(Some(1)), Aim::Difference, Aim::Own]);
            let won = matches!(aim, Aim::Outcome(_));
            let recipe = Recipe {
                players: 2,
                aim,
                loopy: won && round % 2 == 0,
                results: true,
                owned: round % 3 == 0,
                turns: round % 5 == 0,
                named: round % 7 == 0,
                balanced: false,
            };
            let net = random_net(&mut random, recipe, 7);
            let (text, instance) = net.text(Spelling::Rules, Keeping::Pair, true);
            let bound = bound(&program(&text), &instance);
            let Explored::All(graph, positions, _) = explore(&bound, 1000) else { panic!("{text}") };
            let worths = oracle::worths(&graph).unwrap();
            for (index, position) in positions.iter().enumerate() {
                let Some(worth) = &worths[index] else { continue };
                let solved =
                    solve::solved::solve(&bound, position, &Options::default(), &mut Monitor::unlimited()).unwrap();
                let agrees = match (solved.verdict(position).unwrap(), worth) {
                    (verdict @ Verdict::Outcome { .. }, Worth::Outcome(value, moves)) => {
                        let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][(value + 1) as usize];
                        verdict.outcome() == Some(outcome) && verdict.remoteness() == *moves
                    }
                    (Verdict::Score(score), Worth::Score(value)) => score == *value,
                    (Verdict::Payoffs { totals, unique }, Worth::Totals(first, all)) => {
                        totals[..] == first[..] && unique == Some(all.len() == 1)
                    }
                    _ => false,
                };
                assert!(agrees, "{position:?}, expected {worth:?}\n{text}{instance}");
                solve::answer::solution(&solved, &mut Monitor::unlimited()).unwrap();
            }
        }
    });
}

#[test]
fn long_lists_of_moves_are_cut_and_say_so() {
    let text = "game many(n: int, lost: bool) {
        state { left in 0..=1 = 1; }
        end when left == 0 => winner (if lost then 1 else 0);
        move take(k in 0..n) when left > 0 { left = 0; }
    }";
    for (n, lost) in [(999, false), (1000, true), (1001, false), (5000, true)] {
        let solution = common::solved(text, &format!("{{\"n\": {n}, \"lost\": {lost}}}"));
        assert_eq!(solution.best_moves_cut, n > 1000);
        assert_eq!(solution.best_moves.unwrap().len(), n.min(1000));
        assert_eq!(solution.fast_moves.unwrap().len(), n.min(1000));
    }
}

#[test]
fn positions_of_no_bits_and_of_several_words() {
    let nothing = "game still() { state { v in 5..=5 = 5; none in [bool; 0] = []; } move stay { } }";
    assert_eq!(common::solved(nothing, "{}").winner, Some(DRAW));
    let once = "game once() { state { v in 5..=5 = 5; } stuck => win; move first go when false { } }";
    assert_eq!(common::solved(once, "{}").winner, Some(FIRST));
    // A whole word of variable leaves no room for the turn.
    let full = "game full() {
        state { big in -9223372036854775807 - 1..=9223372036854775807 = 9223372036854775807; }
        move first  sink when big > 0 { big = -9223372036854775807 - 1; }
        move second lift when big < 0 { big += 1; }
    }";
    let solution = common::solved(full, "{}");
    assert_eq!((solution.winner, solution.line.unwrap().len()), (Some(SECOND), 2));
    assert_eq!(solution.outcome_class, Some(OutcomeClass::P));
}

#[test]
fn sixty_four_players_take_turns() {
    let text = "game crowd(n: int) {
        players n;
        state { left in 0..=45 = 45; }
        move take(k in 1..=2) when k <= left { gain k; left -= k; }
    }";
    for n in [3, 4, 5, 33, 64] {
        let bound = bound(&program(text), &format!("{{\"n\": {n}}}"));
        assert!(matches!(check(&bound, 4000), Ok(Agreed::Solved(_))), "{n}");
    }
}
