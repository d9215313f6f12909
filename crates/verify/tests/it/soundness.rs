//! All labels of tiny games, and random strategies of small ones, against the definitions.
//!
//! A liar hands out the entries. The checker may accept them only if what they prove is what the oracle says.

use std::collections::HashMap;

use game::{LoopyNimber, Outcome, Player};
use rules::bind::{Bound, Position};
use testkit::Random;
use testkit::explicit::{Aim, Explicit};
use testkit::files;
use testkit::net::{Keeping, Recipe, Spelling, random_net};
use testkit::oracle::{self, Worth};
use verify::Refusal;
use verify::argument::Argument;
use verify::entries::{Entries, Label, LoopyLabel};
use verify::forms::{Form, Forms};
use verify::places::{Found, Order, Places};
use verify::proved::Proved;
use verify::stoppers::{Duel, Step};
use verify::strategy::Goal;

/// Hands out what it was told to, or random moves.
struct Liar<'l> {
    labels: &'l [Label],
    loopy: &'l [LoopyLabel],
    random: Option<&'l mut Random>,
    names: &'l [&'l str],
    /// How many answers there are in each pair of positions of a duel.
    replies: HashMap<(u32, u32), usize>,
    next: usize,
}

/// Names of values without loops.
const NAMES: [&str; 9] = ["0", "1", "-1", "*", "1/2", "^", "v*", "±1", "{1|0}"];

impl Liar<'_> {
    fn take<T: Clone>(&mut self, of: &[T]) -> Result<T, Refusal> {
        self.next += 1;
        of.get(self.next - 1).cloned().ok_or_else(|| Refusal::wrong("no more"))
    }
}

impl Entries for Liar<'_> {
    fn nothing(&mut self) -> Result<(), Refusal> {
        Ok(())
    }
    fn choice(&mut self, _: &mut Places<'_>, found: &Found) -> Result<u64, Refusal> {
        let moves = found.moves();
        Ok(self.random.as_mut().map_or(0, |random| random.below(moves)) as u64)
    }
    fn label(&mut self, _: &Position) -> Result<Label, Refusal> {
        self.take(self.labels)
    }
    fn totals(&mut self, _: &Position, own: &[i64]) -> Result<Box<[i64]>, Refusal> {
        Ok(own.into())
    }
    fn nimber(&mut self, _: &[i64]) -> Result<u64, Refusal> {
        Ok(self.random.as_mut().map_or(0, |random| random.below(3usize)) as u64)
    }
    fn loopy(&mut self, _: &[i64]) -> Result<LoopyLabel, Refusal> {
        self.take(self.loopy)
    }
    fn form(&mut self, options: [&[Form]; 2], forms: &mut Forms) -> Result<Form, Refusal> {
        let Some(random) = self.random.as_mut() else { return Ok(0) };
        match random.below(3usize) {
            // The game as it stands is always its own value.
            0 | 1 => forms.enter(options[0], options[1]),
            _ => Ok(random.below(forms.len()) as Form),
        }
    }
    fn duel(&mut self, duel: &Duel<'_>) -> Result<(), Refusal> {
        self.replies.clear();
        for one in 0..duel.first.0.len() as u32 {
            for other in 0..duel.second.0.len() as u32 {
                let replies = duel.moves((one, other), duel.answering).count();
                self.replies.insert((one, other), replies);
            }
        }
        Ok(())
    }
    fn rank(&mut self, _: (u32, u32)) -> Result<u64, Refusal> {
        Ok(self.random.as_mut().map_or(0, |random| random.below(4usize)) as u64)
    }
    fn answer(&mut self, step: Step) -> Result<u64, Refusal> {
        let replies = self.replies[&step.to].max(1);
        Ok(self.random.as_mut().map_or(0, |random| random.below(replies)) as u64)
    }
    fn name(&mut self) -> Result<String, Refusal> {
        Ok(self.random.as_mut().map_or("0", |random| self.names[random.below(self.names.len())]).to_string())
    }
    fn passed(&mut self, _: u64) -> Result<(), Refusal> {
        Ok(())
    }
}

fn liar<'l>() -> Liar<'l> {
    Liar { labels: &[], loopy: &[], random: None, names: &NAMES, replies: HashMap::new(), next: 0 }
}

/// A net as a game, and written out.
fn game(random: &mut Random, recipe: Recipe, most: usize) -> (Bound, Explicit) {
    let net = random_net(random, recipe, most);
    let (rules, instance) = net.text(Spelling::Numbers, Keeping::Number, true);
    (files::bound(&files::program(&rules), &instance), net.explicit(Spelling::Numbers))
}

fn recipe(random: &mut Random, aim: Aim) -> Recipe {
    let mut flag = || random.one_in(2);
    Recipe {
        players: 2,
        aim,
        loopy: flag() && matches!(aim, Aim::Outcome(_)),
        results: flag(),
        owned: flag(),
        turns: flag(),
        named: flag(),
        balanced: flag(),
    }
}

/// Every list of `length` items out of some.
fn lists<T: Clone>(items: &[T], length: usize, visit: &mut dyn FnMut(&[T])) {
    let mut places = vec![0; length];
    loop {
        let list: Vec<T> = places.iter().map(|place: &usize| items[*place].clone()).collect();
        visit(&list);
        let Some(last) = places.iter().rposition(|place| *place + 1 < items.len()) else { return };
        places[last] += 1;
        places[last + 1..].fill(0);
    }
}

#[test]
fn a_table_of_outcomes_is_accepted_only_if_it_is_right() {
    let mut random = Random::new(11);
    let (mut accepted, mut tried) = (0, 0);
    for _ in 0..400 {
        let aim = *random.pick(&[Aim::Outcome(None), Aim::Outcome(Some(0)), Aim::Outcome(Some(1))]);
        let recipe = recipe(&mut random, aim);
        let (bound, graph) = game(&mut random, recipe, 3);
        let Ok(Some(count @ 1..=3)) = verify::outcomes::reachable(&bound, &bound.start, Order::Forgotten, 3) else {
            continue;
        };
        let worth = oracle::worths(&graph).unwrap()[graph.start].clone().unwrap();
        let labels: Vec<Label> = (0..3 * (count + 2)).filter_map(Label::of).collect();
        lists(&labels, count as usize, &mut |labels| {
            tried += 1;
            let mut entries = Liar { labels, ..liar() };
            let argument = Argument::Outcomes { turn: bound.start.turn };
            let Ok((proved, _)) = argument.check(&bound, &bound.start, &mut entries) else { return };
            accepted += 1;
            let Proved::Outcome { outcome, remoteness, .. } = proved else { panic!("{proved:?}") };
            let value = match outcome {
                Outcome::Loss => -1,
                Outcome::Draw => 0,
                Outcome::Win => 1,
            };
            assert_eq!(Worth::Outcome(value, remoteness), worth, "{labels:?}\n{graph:?}");
        });
    }
    assert!(accepted > 100 && tried > 50_000, "{accepted} of {tried}");
}

#[test]
fn loopy_nimbers_are_accepted_only_if_they_are_right() {
    let mut random = Random::new(12);
    let (mut accepted, mut infinite) = (0, 0);
    for _ in 0..150 {
        let recipe = Recipe {
            players: 2,
            aim: Aim::Outcome(None),
            loopy: true,
            results: false,
            owned: false,
            turns: false,
            named: false,
            balanced: false,
        };
        let (bound, graph) = game(&mut random, recipe, 3);
        let truth = match oracle::loopy(&graph, graph.start) {
            Ok(nimber) => LoopyNimber::Finite(nimber),
            Err(set) => LoopyNimber::infinite(set),
        };
        let mut labels = Vec::new();
        for rank in 0..3 {
            labels.extend((0..3).map(|nimber| LoopyLabel { value: LoopyNimber::Finite(nimber), rank }));
        }
        for bits in 0..8u32 {
            let value = LoopyNimber::infinite((0..3).filter(|bit| bits >> bit & 1 == 1));
            labels.push(LoopyLabel { value, rank: 0 });
        }
        lists(&labels, 3, &mut |labels| {
            let mut entries = Liar { loopy: labels, ..liar() };
            let Ok((proved, _)) = Argument::Loopy.check(&bound, &bound.start, &mut entries) else { return };
            accepted += 1;
            infinite += usize::from(matches!(truth, LoopyNimber::Infinite(_)));
            assert_eq!(proved, Proved::Nimber(truth.clone()), "{labels:?}\n{graph:?}");
        });
    }
    assert!(accepted > 100 && infinite > 10, "{accepted}, {infinite}");
}

/// Forms that are random are accepted only if the name that goes with them tells who wins.
#[test]
fn values_are_accepted_only_if_they_are_right() {
    let mut random = Random::new(14);
    let mut accepted = std::collections::BTreeMap::new();
    for _ in 0..600 {
        let recipe = Recipe {
            players: 2,
            aim: Aim::Outcome(None),
            loopy: false,
            results: false,
            owned: true,
            turns: false,
            named: false,
            balanced: false,
        };
        let (bound, graph) = game(&mut random, recipe, 6);
        let worth = oracle::worths(&graph).unwrap()[graph.start].clone().unwrap();
        for _ in 0..40 {
            let mut entries = Liar { random: Some(&mut random), ..liar() };
            let Ok((proved, _)) = Argument::Values.check(&bound, &bound.start, &mut entries) else { continue };
            let Proved::Value { name, .. } = &proved else { panic!("{proved:?}") };
            *accepted.entry(name.clone()).or_insert(0) += 1;
            let outcome = verify::proved::Summary { proved: vec![proved.clone()] }.outcome(bound.start.turn);
            let told = match outcome {
                Some(Outcome::Win) => 1,
                Some(Outcome::Loss) => -1,
                other => panic!("{other:?}"),
            };
            let Worth::Outcome(value, _) = &worth else { panic!("{worth:?}") };
            assert_eq!(i32::from(*value), told, "{proved:?}\n{graph:?}");
        }
    }
    assert!(accepted.len() >= 5 && accepted.values().sum::<i32>() > 500, "{accepted:?}");
}

/// Answers in duels that are random are accepted only if the name that goes with them tells who wins.
#[test]
fn loopy_values_are_accepted_only_if_they_are_right() {
    // What each name tells with Left or with Right to move, seen by the mover.
    let told = [
        ("on", [1, -1]),
        ("off", [-1, 1]),
        ("over", [1, -1]),
        ("under", [-1, 1]),
        ("dud", [0, 0]),
        ("over & under", [0, 0]),
        ("on & 0", [0, -1]),
        ("a{0|a}", [1, -1]),
        ("{on|off}", [1, 1]),
        ("*", [1, 1]),
        ("1", [1, -1]),
        ("v", [-1, 1]),
        ("a{*|a}", [-1, 1]),
    ];
    let names: Vec<&str> = told.iter().map(|(name, _)| *name).collect();
    let mut random = Random::new(16);
    let mut accepted = std::collections::BTreeMap::new();
    for _ in 0..2000 {
        let recipe = Recipe {
            players: 2,
            aim: Aim::Outcome(None),
            loopy: true,
            results: false,
            owned: true,
            turns: false,
            named: false,
            balanced: false,
        };
        let (bound, graph) = game(&mut random, recipe, 3);
        // The value of a game is that of the position, whoever may have moved before.
        let Worth::Outcome(value, _) = oracle::worths(&graph).unwrap()[graph.start].clone().unwrap() else {
            panic!("{graph:?}")
        };
        for _ in 0..200 {
            let mut entries = Liar { random: Some(&mut random), names: &names, ..liar() };
            let Ok((proved, _)) = Argument::Stoppers.check(&bound, &bound.start, &mut entries) else { continue };
            let Proved::Loops { name } = &proved else { panic!("{proved:?}") };
            *accepted.entry(name.clone()).or_insert(0) += 1;
            let outcomes = told.iter().find(|(told, _)| told == name).map(|(_, outcomes)| outcomes).unwrap();
            let expected = outcomes[bound.start.turn.index()];
            assert_eq!(i32::from(value), expected, "{name} {:?}\n{graph:?}", bound.start.turn);
        }
    }
    assert!(accepted.len() >= 6 && accepted.values().sum::<i32>() > 200, "{accepted:?}");
}

#[test]
fn a_strategy_never_reaches_more_than_there_is() {
    let mut random = Random::new(13);
    let mut accepted = [0, 0, 0];
    for _ in 0..400 {
        let aim = *random.pick(&[Aim::Outcome(None), Aim::Outcome(Some(0)), Aim::Outcome(Some(1)), Aim::Difference]);
        let recipe = recipe(&mut random, aim);
        let (bound, graph) = game(&mut random, recipe, 6);
        let worth = oracle::worths(&graph).unwrap()[graph.start].clone().unwrap();
        let turn = bound.start.turn;
        for (number, goal) in [Goal::Draw, Goal::Win, Goal::Lead].into_iter().enumerate() {
            for player in [Player::FIRST, Player::SECOND] {
                for _ in 0..20 {
                    let argument = Argument::Strategy { turn, player, goal, order: Order::Forgotten };
                    let mut entries = Liar { random: Some(&mut random), ..liar() };
                    let Ok((proved, _)) = argument.check(&bound, &bound.start, &mut entries) else { continue };
                    accepted[number] += 1;
                    let sign = if player == turn { 1 } else { -1 };
                    match (&proved, &worth) {
                        (Proved::AtLeast { outcome, within, .. }, Worth::Outcome(value, moves)) => {
                            let own = sign * i32::from(*value);
                            assert!(own >= i32::from(*outcome == Outcome::Win), "{proved:?} {worth:?}\n{graph:?}");
                            if let (Outcome::Win, Some(most), Some(moves)) = (outcome, within, moves) {
                                assert!(u64::from(*moves) <= *most, "{proved:?} {worth:?}\n{graph:?}");
                            }
                        }
                        (Proved::Lead { least, .. }, Worth::Score(value)) => {
                            assert!(*least <= i128::from(sign * *value as i32), "{proved:?} {worth:?}\n{graph:?}");
                        }
                        other => panic!("{other:?}"),
                    }
                }
            }
        }
    }
    assert!(accepted.iter().all(|count| *count > 100), "{accepted:?}");
}
