//! Surveys against counts over the interpreter's graph, position by position, with the values of the naive solver.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::prelude::*;
use rules::parameters::example_instance;
use rules::{play, sample};
use solve::error::Limit;
use solve::survey::{Counted, Histogram, Sides, Survey, survey};
use testkit::Random;
use testkit::explicit::{Aim, Explicit};
use testkit::explore::{Explored, explore, falls};
use testkit::files::gallery;
use testkit::oracle::{self, Worth};
use testkit::writer::{Style, Writer};

use crate::common::{bound, bound_to, program, with_room};

/// How many positions an instance may have to be compared.
const MOST_POSITIONS: usize = 1200;

/// Counts, as the test makes them.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    positions: u64,
    over: u64,
    outcomes: Option<Sides>,
    endless: Sides,
    remoteness: BTreeMap<u32, Sides>,
    moves: BTreeMap<i64, u64>,
    best_moves: BTreeMap<i64, u64>,
    scores: BTreeMap<i64, u64>,
    nimbers: BTreeMap<i64, u64>,
    payoffs: BTreeMap<Box<[i64]>, u64>,
    winners: BTreeMap<Option<u8>, u64>,
    longest: Option<u32>,
}

impl Counts {
    /// What a survey says.
    fn of(survey: &Survey) -> Counts {
        let histogram = |histogram: &Option<Histogram>| histogram.clone().unwrap_or_default().0;
        Counts {
            positions: survey.positions,
            over: survey.over,
            outcomes: survey.outcomes,
            endless: survey.endless.unwrap_or_default(),
            remoteness: survey.remoteness.clone().unwrap_or_default(),
            moves: survey.moves.0.clone(),
            best_moves: survey.best_moves.0.clone(),
            scores: histogram(&survey.scores),
            nimbers: histogram(&survey.nimbers),
            payoffs: survey.payoffs.clone().unwrap_or_default(),
            winners: survey.winners.clone().unwrap_or_default(),
            longest: survey.longest_win.as_ref().map(|longest| longest.moves),
        }
    }

    /// Counts one position of a graph.
    fn add(&mut self, graph: &Explicit, node: usize, worths: &[Option<Worth>]) {
        self.positions += 1;
        let (best, _) = oracle::best_moves(graph, node, worths);
        let moves = graph.nodes[node].moves.len();
        self.over += u64::from(moves == 0);
        *self.moves.entry(moves as i64).or_default() += 1;
        *self.best_moves.entry(best.len() as i64).or_default() += 1;
        match worths[node].as_ref().expect("a position that can be reached has a worth") {
            Worth::Outcome(sign, length) => {
                let outcome = outcome(i64::from(*sign));
                self.outcomes.get_or_insert_default().add(outcome);
                match length {
                    None => self.endless.add(outcome),
                    Some(length) => {
                        self.remoteness.entry(*length).or_default().add(outcome);
                        self.longest = self.longest.max(Some(*length).filter(|_| *sign > 0));
                    }
                }
            }
            Worth::Score(value) => {
                *self.scores.entry(*value).or_default() += 1;
                self.outcomes.get_or_insert_default().add(outcome(*value));
            }
            Worth::Totals(totals, _) => {
                let most = totals.iter().max().expect("players");
                let first: Vec<usize> = (0..totals.len()).filter(|&player| totals[player] == *most).collect();
                let winner = match graph.aim {
                    Aim::Winners if *most <= 0 => None,
                    _ => Some(first[0] as u8).filter(|_| first.len() == 1),
                };
                *self.winners.entry(winner).or_default() += 1;
                if graph.aim != Aim::Winners {
                    *self.payoffs.entry(totals[..].into()).or_default() += 1;
                }
            }
        }
    }
}

fn outcome(sign: i64) -> Outcome {
    match sign {
        1.. => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

/// What makes a position one: the parts in which somebody can move, without their order unless payoffs are at stake, and the
/// turn where the rules read it. One position alone is taken as it is.
fn key(bound: &Bound, position: &Position, with_turn: bool, ordered: bool) -> (Vec<Box<[i64]>>, u8) {
    let turn = if with_turn { position.turn.0 } else { 0 };
    if bound.program.sum.is_none() {
        return (position.parts.clone(), turn);
    }
    let movers = || (0..if with_turn { bound.players } else { 1 }).map(|player| Player(player as u8));
    let alive = |part: &[i64]| {
        movers().any(|turn| {
            play::plays(bound, &Position { parts: vec![part.into()], turn }).map_or(true, |plays| !plays.is_empty())
        })
    };
    let mut parts: Vec<Box<[i64]>> = position.parts.iter().filter(|part| alive(part)).cloned().collect();
    if !ordered {
        parts.sort();
    }
    (parts, turn)
}

/// The counts over all positions; `None` where there are too many, or where the game has no values.
fn positions(bound: &Bound, with_turn: bool, nimbers: bool) -> Option<Counts> {
    let Explored::All(graph, positions, _) = explore(bound, MOST_POSITIONS) else { return None };
    let worths = oracle::worths(&graph)?;
    let ordered = matches!(graph.aim, Aim::Own | Aim::Winners);
    let mut counts = Counts::default();
    let mut seen = BTreeSet::new();
    for node in graph.reachable() {
        if seen.insert(key(bound, &positions[node], with_turn, ordered)) {
            counts.add(&graph, node, &worths);
            if nimbers {
                *counts.nimbers.entry(oracle::nimber(&graph, node)? as i64).or_default() += 1;
            }
        }
    }
    Some(counts)
}

/// The counts over all parts of a sum, each by itself.
fn parts(bound: &Bound) -> Option<Counts> {
    let mut seen: BTreeSet<Box<[i64]>> = BTreeSet::new();
    let mut open: Vec<Box<[i64]>> = bound.start.parts.clone();
    let mut counts = Counts::default();
    while let Some(part) = open.pop() {
        if !seen.insert(part.clone()) {
            continue;
        }
        let alone = Position { parts: vec![part], turn: Player::FIRST };
        open.extend(play::plays(bound, &alone).ok()?.into_iter().flat_map(|play| play.into));
        let bound = Bound { start: alone, ..bound.clone() };
        let Explored::All(graph, _, _) = explore(&bound, MOST_POSITIONS) else { return None };
        let worths = oracle::worths(&graph)?;
        counts.add(&graph, graph.start, &worths);
        *counts.nimbers.entry(oracle::nimber(&graph, graph.start)? as i64).or_default() += 1;
    }
    // The lengths of parts are not told.
    (counts.remoteness, counts.longest, counts.endless) = (BTreeMap::new(), None, Sides::default());
    counts.outcomes.get_or_insert_default();
    Some(counts)
}

/// Compares one way to survey a game; whether there was something to compare.
fn agrees(name: &str, bound: &Bound, options: &Options) -> bool {
    let found = match survey(bound, options, &mut Monitor::new(&Limits::default())) {
        Ok(found) => found,
        Err(SolveError::NotApplicable(_)) if options.method.is_some() => return false,
        // A method that is asked for and does not fit in memory says so. Time is not limited.
        Err(SolveError::Limit { limit: Limit::Memory { .. }, .. }) if options.method.is_some() => return false,
        Err(error) => panic!("{name}: {error}"),
    };
    let expected = match found.counted {
        Counted::Positions => positions(bound, found.with_turn, found.nimbers.is_some()),
        Counted::Parts => parts(bound),
    };
    let Some(mut expected) = expected else { return false };
    if found.remoteness.is_none() {
        (expected.remoteness, expected.longest) = (BTreeMap::new(), None);
    }
    assert_eq!(Counts::of(&found), expected, "{name} {:?} by {} {:?}", bound.globals, found.method, options.engine);
    if let Some(longest) = &found.longest_win {
        let solved = solve::solved::solve(bound, &longest.position, options, &mut Monitor::unlimited()).unwrap();
        let verdict = solved.verdict(&longest.position).unwrap();
        assert_eq!(verdict.outcome(), Some(Outcome::Win), "{name}");
        assert!(verdict.remoteness().is_none_or(|moves| moves == longest.moves), "{name}");
    }
    true
}

#[test]
fn the_gallery_agrees_with_the_interpreter() {
    with_room(|| {
        let (mut compared, mut bare) = (0, Vec::new());
        for (name, source) in gallery() {
            let program = program(&source);
            let examples = program.examples.iter().filter_map(|example| example_instance(&program, example).ok());
            let sampled = sample::instances(&program, 8, 3).unwrap_or_default();
            let mut found = 0;
            for instance in sampled.into_iter().chain(examples) {
                let bound = bound_to(&program, &instance);
                if !matches!(explore(&bound, MOST_POSITIONS), Explored::All(..)) {
                    continue;
                }
                for engine in [Engine::Auto, Engine::Compiled] {
                    let options = Options { engine, threads: 1, ..Options::default() };
                    found += usize::from(agrees(&name, &bound, &options));
                }
                for method in [
                    "induction",
                    "fill",
                    "search",
                    "hash",
                    "retrograde",
                    "grundy",
                    "heap",
                    "row",
                    "triangle",
                    "quotient",
                ] {
                    found += usize::from(agrees(&name, &bound, &Options { threads: 1, ..by(method) }));
                }
            }
            compared += found;
            if found == 0 {
                bare.push(name);
            }
        }
        assert!(bare.len() <= 4, "not compared: {bare:?}");
        assert!(compared >= 500, "{compared} surveys compared");
    });
}

/// Random rules files: every construct of the language, sums and several players among them.
#[test]
fn random_files_agree_with_the_interpreter() {
    with_room(|| {
        let styles: [fn(&mut Random) -> Style; 4] = [
            Style::won,
            |random| Style::counted(random, 3),
            |random| Style { sum: true, ..Style::won(random) },
            |random| Style { sum: true, ..Style::counted(random, 3) },
        ];
        let mut random = Random::new(77);
        let mut compared = [0; 4];
        for round in 0..600 {
            let style = styles[round % 4](&mut random);
            let text = Writer::new(&mut random, style).file();
            let game = bound(&program(&text), "{}");
            let Explored::All(graph, positions, _) = explore(&game, MOST_POSITIONS / 4) else { continue };
            let declared = falls(&game, &graph, &positions).is_ok_and(|falls| falls);
            if graph.nodes.len() < 5 || !declared || oracle::worths(&graph).is_none() {
                continue;
            }
            for engine in [Engine::Auto, Engine::Compiled] {
                let options = Options { engine, threads: 1, ..Options::default() };
                compared[round % 4] += usize::from(agrees(&text, &game, &options));
            }
        }
        assert!(compared.iter().all(|count| *count >= 20), "{compared:?}");
    });
}

#[test]
fn limits_are_told() {
    let connect = program(&testkit::files::game("connect_k"));
    let game = bound(&connect, r#"{"rows": 4, "columns": 4, "k": 4}"#);
    let small = Limits { memory: 20_000, time: None };
    let error = survey(&game, &Options::default(), &mut Monitor::new(&small)).unwrap_err();
    assert!(error.is_limit(), "{error}");
    let stopped = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let mut monitor = Monitor::unlimited().cancelled_by(stopped);
    assert!(matches!(survey(&game, &Options::default(), &mut monitor), Err(SolveError::Interrupted { .. })));
}

#[test]
fn endless_draws_are_told() {
    let source = "game walk(n: int = 4) { state { x in 0..=n = 2; } move left when x > 0 { x -= 1; }
        move right when x < n { x += 1; } end when x == 0 => lose; }";
    let walk = program(source);
    let found = survey(&bound(&walk, "{}"), &Options::default(), &mut Monitor::unlimited()).unwrap();
    assert_eq!(found.positions, 5);
    assert!(agrees("walk", &bound(&walk, "{}"), &Options::default()));
    assert_eq!(found.endless.map(|sides| sides.drawn), found.outcomes.map(|sides| sides.drawn));
}
