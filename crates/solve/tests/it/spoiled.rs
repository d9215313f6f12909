//! The check: a table in which one position has a wrong value does not pass it.

use rules::play::plays;
use solve::answer::check::{Checked, check};
use solve::answers::{Answers, Positions};
use solve::methods::Found;
use solve::solved::solve;

use crate::common::prelude::*;
use crate::common::{bound, program};

/// Answers of which one is wrong.
struct Spoiled<'b> {
    answers: Box<dyn Answers + 'b>,
    at: Position,
    wrong: Verdict,
}

impl Answers for Spoiled<'_> {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        if *position == self.at { Some(self.wrong.clone()) } else { self.answers.verdict(position) }
    }

    fn positions(&self) -> u64 {
        self.answers.positions()
    }

    fn proof(&self, position: &Position) -> Proof {
        self.answers.proof(position)
    }

    fn each(&self, turn: Player) -> Positions<'_> {
        self.answers.each(turn)
    }

    fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        self.answers.random(turn, random)
    }
}

/// Checks a game, then the same with each of the wrong values at a place that play can reach.
fn is_noticed(source: &str, options: &Options, size: u64, wrong: impl Fn(Verdict) -> Vec<Verdict>) {
    let bound = bound(&program(source), "{}");
    let mut monitor = Monitor::unlimited();
    let solve = |monitor: &mut Monitor| solve(&bound, &bound.start, options, monitor).unwrap();
    let solved = solve(&mut monitor);
    assert_eq!(check(&solved, Amount::All, &mut monitor), Ok(Checked { positions: size, all: true }));
    assert_eq!(check(&solved, Amount::Some(7), &mut monitor), Ok(Checked { positions: 7, all: false }));
    assert_eq!(check(&solved, Amount::Some(size + 9), &mut monitor), Ok(Checked { positions: size, all: true }));
    let mut at = bound.start.clone();
    for _ in 0..3 {
        at = plays(&bound, &at).unwrap()[0].option(&at);
    }
    let right = solved.verdict(&at).unwrap();
    let spoiled = wrong(right.clone());
    assert!(!spoiled.contains(&right) && !spoiled.is_empty());
    for wrong in spoiled {
        let Solved { plan, start, report, answers, .. } = solve(&mut monitor);
        let answers = Box::new(Spoiled { answers, at: at.clone(), wrong });
        let solved = Solved::new(plan, start, Found { answers, report });
        let error = check(&solved, Amount::All, &mut monitor).unwrap_err();
        assert!(error.to_string().contains("the table is wrong at the position"), "{error}");
    }
}

#[test]
fn a_spoiled_table_is_noticed() {
    let stones = "game row() { state { left in 0..=40 = 40; } move take(k in 1..=3) when k <= left { left -= k; } }";
    let coins = "game row() { state { i in 0..=6 = 0; j in 0..=6 = 6; }
        move left when i < j { gain i * i % 7; i += 1; } move right when i < j { gain j * 3 % 5; j -= 1; } }";
    let outcomes = |right: Verdict| {
        let Verdict::Outcome { outcome, remoteness, nimber } = right else { panic!("{right:?}") };
        let longer = remoteness.map(|moves| moves + 1);
        vec![
            Verdict::Outcome { outcome: Outcome::Draw, remoteness: Some(1), nimber },
            Verdict::Outcome { outcome: -outcome, remoteness, nimber },
            Verdict::Outcome { outcome, remoteness: longer, nimber },
            Verdict::Outcome { outcome, remoteness, nimber: nimber.map(|nimber| nimber + 1) },
        ]
    };
    let scores = |right: Verdict| {
        let Verdict::Score(value) = right else { panic!("{right:?}") };
        vec![Verdict::Score(value + 1), Verdict::Score(-value - 1)]
    };
    let interpreted = Options { engine: Engine::Interpreted, ..Options::default() };
    is_noticed(stones, &interpreted, 41, outcomes);
    is_noticed(stones, &by("fill"), 41, outcomes);
    is_noticed(stones, &by("search"), 41, outcomes);
    is_noticed(coins, &interpreted, 28, scores);
    is_noticed(coins, &by("hash"), 28, scores);
}
