//! Values from rules against definitions: canonical forms of random graphs, sums of them, judged moves, loopy values.
//!
//! The oracle is plain recursion over positions, or over pairs of them, with nothing simplified; loopy games are decided from
//! the back over all pairs.

use std::collections::HashMap;

use crate::common::prelude::*;
use solve::answer::judged::{Mark, judged};
use solve::answer::value_in_arena::{Form, value_in};
use solve::compound::{Summand, solve_sum, sum_answer};
use solve::solved::solve;
use testkit::Random;
use values::{Arena, Side, Value};

use crate::common::{answer, answer_with, bound, program};

const TOKEN: &str = "game token(left: [[int]], right: [[int]], start: int = 0) {
    state { at in 0..len(left) = start; }
    move first l(to in left[at]) { at = to; }
    move second r(to in right[at]) { at = to; }
}";

const TOKENS: &str = "game tokens(left: [[int]], right: [[int]], starts: [int]) {
    sum of token(at in 0..len(left)) from starts;
    move first l(to in left[at]) { at = to; }
    move second r(to in right[at]) { at = to; }
}";

/// The options of both players at every node.
type Graph = [Vec<Vec<usize>>; 2];

/// A random graph; without `loops` arrows lead to smaller numbers only.
fn graph(random: &mut Random, nodes: usize, most: usize, loops: bool) -> Graph {
    [0, 1].map(|_| {
        let options = |node: usize, random: &mut Random| {
            let below = if loops { nodes } else { node };
            let many = if below == 0 { 0 } else { random.below(most + 1) };
            let mut options: Vec<usize> = (0..many).map(|_| random.below(below)).collect();
            options.sort_unstable();
            options.dedup();
            options
        };
        (0..nodes).map(|node| options(node, random)).collect()
    })
}

fn instance(graph: &Graph, more: &str) -> String {
    format!(r#"{{"left": {:?}, "right": {:?}, {more}}}"#, graph[0], graph[1])
}

/// The value of every node of a graph without loops.
fn values_of(arena: &mut Arena, graph: &Graph) -> Vec<Value> {
    let mut values = Vec::new();
    for (left, right) in graph[0].iter().zip(&graph[1]) {
        let of = |options: &[usize]| options.iter().map(|&option| values[option]).collect::<Vec<Value>>();
        let (left, right) = (of(left), of(right));
        values.push(arena.game(&left, &right).unwrap());
    }
    values
}

/// Whether the player to move wins a sum of nodes of graphs, by plain recursion.
fn wins(graphs: &[&Graph], at: &[usize], mover: usize, known: &mut HashMap<(Vec<usize>, usize), bool>) -> bool {
    let key = (at.to_vec(), mover);
    if let Some(&won) = known.get(&key) {
        return won;
    }
    let mut won = false;
    for (index, &node) in at.iter().enumerate() {
        for &to in &graphs[index][mover][node] {
            let mut after = at.to_vec();
            after[index] = to;
            won = won || !wins(graphs, &after, 1 - mover, known);
        }
    }
    known.insert(key, won);
    won
}

fn class(graphs: &[&Graph], at: &[usize]) -> OutcomeClass {
    let mut known = HashMap::new();
    OutcomeClass::new(wins(graphs, at, 0, &mut known), !wins(graphs, at, 1, &mut known))
}

#[test]
fn random_graphs_have_their_canonical_forms() {
    let mut random = Random::new(131);
    let (token, tokens) = (program(TOKEN), program(TOKENS));
    let mut different = std::collections::HashSet::new();
    for round in 0..250 {
        let nodes = 1 + random.below(9usize);
        let graph = graph(&mut random, nodes, 3, false);
        let mut arena = Arena::default();
        let values = values_of(&mut arena, &graph);
        let game = bound(&token, &instance(&graph, &format!(r#""start": {}"#, nodes - 1)));
        // Every method that applies, and the default.
        let ways = [Options::default(), by("values"), by("induction"), by("retrograde")];
        for way in &ways[..if round % 10 == 0 { 4 } else { 1 }] {
            let solution = answer_with(&game, way).unwrap();
            // Retrograde analysis is for games that may repeat, and these have no class.
            let known = way.method != by("retrograde").method;
            assert_eq!(solution.outcome_class, known.then(|| class(&[&graph], &[nodes - 1])));
            let form = solution.canonical.expect("a small game has a value");
            assert_eq!(arena.read(&form.name.clone().unwrap()).unwrap(), values[nodes - 1]);
            assert_eq!(form.mean.unwrap(), arena.mean(values[nodes - 1]).unwrap().to_string());
            assert_eq!(form.temperature.unwrap(), arena.temperature(values[nodes - 1]).unwrap().to_string());
            different.insert(form.name);
        }
        let starts: Vec<usize> = (0..1 + random.below(3usize)).map(|_| random.below(nodes)).collect();
        let game = bound(&tokens, &instance(&graph, &format!(r#""starts": {starts:?}"#)));
        for way in [Options::default(), by("values")] {
            let solution = answer_with(&game, &way).unwrap();
            let graphs = vec![&graph; starts.len()];
            assert_eq!(solution.outcome_class, Some(class(&graphs, &starts)), "{graph:?} {starts:?}");
            let parts: Vec<Value> = starts.iter().map(|&start| values[start]).collect();
            let total = arena.total(&parts).unwrap();
            assert_eq!(arena.read(&solution.canonical.unwrap().name.unwrap()).unwrap(), total);
        }
    }
    assert!(different.len() > 40, "{} different values", different.len());
}

#[test]
fn moves_are_judged_by_their_values() {
    let mut random = Random::new(137);
    let tokens = program(TOKENS);
    let mut marks = [0; 4];
    for _ in 0..200 {
        let nodes = 2 + random.below(8usize);
        let graph = graph(&mut random, nodes, 4, false);
        let mut arena = Arena::default();
        let values = values_of(&mut arena, &graph);
        let starts: Vec<usize> = (0..1 + random.below(3usize)).map(|_| random.below(nodes)).collect();
        let mut game = bound(&tokens, &instance(&graph, &format!(r#""starts": {starts:?}"#)));
        let mover = random.below(2usize);
        game.start.turn = Player(mover as u8);
        let mut monitor = Monitor::unlimited();
        let solved = solve(&game, &game.start, &Options::default(), &mut monitor).unwrap();
        let rated = solved.moves(&game.start).unwrap();
        let plays: Vec<&Play> = rated.iter().map(|mv| &mv.play).collect();
        let judged = judged(&solved, &game.start, &plays, &mut monitor).unwrap().expect("values are small");
        let mut read = |form: &solve::value_text::ValueText| arena.read(form.name.as_ref().unwrap()).unwrap();
        let whole = read(judged.value.as_ref().unwrap());
        let options: Vec<Value> = judged.moves.iter().map(|mv| read(mv.value.as_ref().unwrap())).collect();
        let side = Side::BOTH[mover];
        let total = |arena: &mut Arena, parts: &[usize]| {
            let parts: Vec<Value> = parts.iter().map(|&node| values[node]).collect();
            arena.total(&parts).unwrap()
        };
        assert_eq!(whole, total(&mut arena, &starts));
        for (mv, play) in judged.moves.iter().zip(&plays) {
            let after: Vec<usize> = play.option(&game.start).parts.iter().map(|part| part[0] as usize).collect();
            let at = judged.moves.iter().position(|other| std::ptr::eq(other, mv)).unwrap();
            assert_eq!(options[at], total(&mut arena, &after));
            if let Some((part, became)) = &mv.part {
                assert_eq!(*part, play.part);
                assert_eq!(became.name.as_ref().unwrap(), &arena.name(values[after[*part]], 1000).unwrap());
            }
        }
        let prefers = |arena: &mut Arena, a: Value, b: Value| match side {
            Side::Left => arena.at_most(b, a).unwrap(),
            Side::Right => arena.at_most(a, b).unwrap(),
        };
        for (at, mv) in judged.moves.iter().enumerate() {
            let (here, mut others) = (options[at], options.iter().enumerate().filter(|(other, _)| *other != at));
            let beaten = others.any(|(other, &rival)| {
                prefers(&mut arena, rival, here) && (!prefers(&mut arena, here, rival) || other < at)
            });
            assert_eq!(matches!(mv.mark, Mark::Dominated(_) | Mark::Equal(_)), beaten);
            match &mv.mark {
                Mark::Dominated(by) => {
                    assert!(options[*by] != here && prefers(&mut arena, options[*by], here));
                }
                Mark::Equal(to) => {
                    assert!(options[*to] == here && *to < at);
                    assert!(!matches!(judged.moves[*to].mark, Mark::Dominated(_) | Mark::Equal(_)));
                }
                Mark::Reversible(through) => {
                    let through = arena.read(through.as_ref().unwrap()).unwrap();
                    assert!(arena.options(here, side.opponent()).unwrap().contains(&through));
                    assert!(prefers(&mut arena, whole, through));
                }
                Mark::Kept if arena.number_of(whole).is_none() => {
                    assert!(arena.options(whole, side).unwrap().contains(&here));
                }
                Mark::Kept => {}
            }
            marks[match mv.mark {
                Mark::Kept => 0,
                Mark::Dominated(_) => 1,
                Mark::Reversible(_) => 2,
                Mark::Equal(_) => 3,
            }] += 1;
        }
        let temperatures: Vec<_> = starts.iter().map(|&node| arena.temperature(values[node]).unwrap()).collect();
        for (part, temperature) in judged.parts.iter().zip(&temperatures) {
            let most = temperatures.iter().max().unwrap();
            assert_eq!(part.hottest, temperature == most && *most >= values::Dyadic::ZERO);
        }
    }
    assert!(marks.iter().all(|&count| count > 40), "{marks:?}");
}

#[test]
fn sums_of_different_games_add_their_values() {
    let mut random = Random::new(139);
    let (token, nim) = (program(TOKEN), program(&testkit::files::game("nim")));
    for round in 0..150 {
        let mut arena = Arena::default();
        let graphs: Vec<Graph> = (0..1 + random.below(3usize)).map(|_| graph(&mut random, 6, 3, false)).collect();
        let mut games: Vec<(String, Bound)> = Vec::new();
        let mut forms = Vec::new();
        for (index, graph) in graphs.iter().enumerate() {
            games.push((format!("token({index})"), bound(&token, &instance(graph, r#""start": 5"#))));
            forms.push(values_of(&mut arena, graph)[5]);
        }
        let mut all: Vec<Graph> = graphs.clone();
        let mut at = vec![5; graphs.len()];
        if round % 2 == 0 {
            let heap = random.below(4usize);
            games.push((format!("*{heap}"), bound(&nim, &format!(r#"{{"piles": [{heap}]}}"#))));
            forms.push(arena.nimber(heap as u32).unwrap());
            let options: Vec<Vec<usize>> = (0..4).map(|size| (0..size).collect()).collect();
            all.push([options.clone(), options]);
            at.push(heap);
        }
        let turn = Player(random.below(2u8));
        for (_, game) in &mut games {
            game.start.turn = turn;
        }
        let summands = || games.iter().map(|(name, bound)| Summand { name: name.clone(), bound }).collect();
        let solution = sum_answer(summands(), &Options::default(), &mut Monitor::unlimited()).unwrap();
        let graphs: Vec<&Graph> = all.iter().collect();
        assert_eq!(solution.outcome_class, Some(class(&graphs, &at)), "{all:?} {at:?}");
        let total = arena.total(&forms).unwrap();
        assert_eq!(arena.read(&solution.canonical.clone().unwrap().name.unwrap()).unwrap(), total);
        for (summand, &form) in solution.summands.iter().zip(&forms) {
            assert_eq!(summand.value.to_string(), arena.name(form, 1000).unwrap());
        }
        // Every move, rated by plain recursion.
        let solved = solve_sum(summands(), &Options::default(), &mut Monitor::unlimited()).unwrap();
        let start = solved.compound.start();
        let (mover, mut known) = (turn.index(), HashMap::new());
        let won = wins(&graphs, &at, mover, &mut known);
        let listed = solved.listed(&start).unwrap();
        for mv in &listed.moves {
            let mut after = at.clone();
            let left = mv.play.option(&start.summands[mv.play.summand]);
            after[mv.play.summand] = left.parts.first().map_or(0, |part| part[0] as usize);
            let keeps = !wins(&graphs, &after, 1 - mover, &mut known);
            assert_eq!(mv.best, keeps == won, "{all:?} {at:?} {}", mv.play.label);
        }
        let judged = solved.judged(&start, &listed.moves).unwrap().unwrap();
        assert_eq!(judged.moves.len(), listed.moves.len());
    }
}

/// What the player to move reaches in a sum of two graphs that may have loops: 1, 0 or −1, from the back.
fn loopy_outcomes(a: &Graph, b: &Graph) -> HashMap<(usize, usize, usize), i32> {
    let mut outcomes = HashMap::new();
    loop {
        let before = outcomes.len();
        let pairs = (0..a[0].len()).flat_map(|x| (0..b[0].len()).map(move |y| (x, y)));
        for (x, y) in pairs {
            for mover in 0..2 {
                if outcomes.contains_key(&(x, y, mover)) {
                    continue;
                }
                let moves = a[mover][x].iter().map(|&to| (to, y)).chain(b[mover][y].iter().map(|&to| (x, to)));
                let found: Vec<Option<&i32>> = moves.map(|(x, y)| outcomes.get(&(x, y, 1 - mover))).collect();
                if found.contains(&Some(&-1)) {
                    outcomes.insert((x, y, mover), 1);
                } else if found.iter().all(|found| *found == Some(&1)) {
                    outcomes.insert((x, y, mover), -1);
                }
            }
        }
        if outcomes.len() == before {
            return outcomes;
        }
    }
}

/// Values that positions which repeat are compared with, as graphs: number of nodes, options, start.
fn small_graph(arena: &mut Arena, text: &str) -> (Graph, usize) {
    let mut nodes = vec![arena.read(text).unwrap()];
    let mut graph: Graph = [Vec::new(), Vec::new()];
    let mut at = 0;
    while at < nodes.len() {
        for side in Side::BOTH {
            let mut options = Vec::new();
            for option in arena.options(nodes[at], side).unwrap() {
                let known = nodes.iter().position(|&node| node == option).unwrap_or(nodes.len());
                if known == nodes.len() {
                    nodes.push(option);
                }
                options.push(known);
            }
            graph[side as usize].push(options);
        }
        at += 1;
    }
    (graph, 0)
}

/// A loopy value tells the outcome of any sum with a game that ends.
#[test]
fn loopy_values_tell_the_outcome_of_sums() {
    use values::loopy::value::Reach;
    let mut random = Random::new(149);
    let token = program(TOKEN);
    let (mut found, mut missing, mut names) = (0, 0, std::collections::BTreeSet::new());
    for _ in 0..400 {
        let nodes = 1 + random.below(5usize);
        let graph = graph(&mut random, nodes, 2, true);
        let game = bound(&token, &instance(&graph, r#""start": 0"#));
        // A value that does not agree with the result would be an internal error.
        let solution = answer(&game).unwrap();
        let mut arena = Arena::default();
        let form = match value_in(&mut arena, &game, &game.start, &Options::default(), &mut Monitor::unlimited()) {
            Ok(form) => form,
            Err(SolveError::NotApplicable(_)) => {
                missing += 1;
                assert!(solution.canonical.is_none());
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        found += 1;
        let told = solution.canonical.and_then(|form| form.name);
        if solution.kind != AnswerKind::Nimber && solution.loopy.is_none() {
            names.insert(told.expect("a value that was found by itself"));
        }
        let loopy = match form {
            Form::Value(value) => values::Loopy::of_value(&mut arena, value).unwrap(),
            Form::Loopy(loopy) => *loopy,
        };
        for text in ["0", "1", "-1", "1/2", "*", "^", "v*", "{1|-1}", "{2|0}", "*2", "+_1", "-2"] {
            let (other, start) = small_graph(&mut arena, text);
            let outcomes = loopy_outcomes(&graph, &other);
            let value = arena.read(text).unwrap();
            let other = values::Loopy::of_value(&mut arena, value).unwrap();
            let Ok(sum) = loopy.plus(&other) else { continue };
            for side in Side::BOTH {
                let reached = match sum.reach(side).unwrap() {
                    Reach::Win => 1,
                    Reach::Draw => 0,
                    Reach::Loss => -1,
                };
                let expected = outcomes.get(&(0, start, side as usize)).copied().unwrap_or(0);
                assert_eq!(reached, expected, "{graph:?} + {text}, {side:?} begins");
            }
        }
    }
    assert!(found > 200 && names.len() > 20, "{found} found, {missing} missing, {names:?}");
    for name in ["on", "off", "over", "under", "dud"] {
        assert!(names.contains(name), "{name} is not among {names:?}");
    }
}

/// Where endless play is a win, one side of the value is all there is.
#[test]
fn endless_play_may_be_a_win() {
    let source = |forever: &str| {
        format!(
            "game round {{ state {{ at in 0..2 = 0; }} move around {{ at = 1 - at; }} move first stop {{ at = 0; }} {forever} }}"
        )
    };
    let value = |forever: &str| {
        let solution = answer(&bound(&program(&source(forever)), "{}")).unwrap();
        solution.canonical.and_then(|form| form.name)
    };
    assert_eq!(value("").as_deref(), Some("dud"));
    assert_eq!(value("forever => winner first;").as_deref(), Some("on"));
    assert_eq!(value("forever => winner second;").as_deref(), Some("off"));
}

/// Moves are judged by values whatever method solved the game, also where the values are the method's own.
#[test]
fn every_method_lets_its_moves_be_judged() {
    let domineering = program(&testkit::files::game("domineering"));
    let game = bound(&domineering, r#"{"rows": 3, "columns": 3}"#);
    let mut known: Option<Vec<Option<String>>> = None;
    for method in ["board", "groups", "values", "hash", "winner"] {
        let mut monitor = Monitor::unlimited();
        let solved = solve(&game, &game.start, &by(method), &mut monitor).unwrap();
        let rated = solved.moves(&game.start).unwrap();
        let plays: Vec<&Play> = rated.iter().map(|mv| &mv.play).collect();
        let judged = judged(&solved, &game.start, &plays, &mut monitor).unwrap().expect("the game is partizan");
        if method == "winner" {
            assert!(judged.value.is_none() && judged.missing.is_some());
            continue;
        }
        assert_eq!(judged.value.unwrap().name.as_deref(), Some("±1"), "{method}");
        let left: Vec<Option<String>> = judged.moves.iter().map(|mv| mv.value.as_ref().unwrap().name.clone()).collect();
        assert_eq!(known.get_or_insert(left.clone()), &left, "{method}");
    }
}

/// Moves from positions that repeat are judged by values with loops.
#[test]
fn moves_of_loopy_positions_are_judged() {
    let mut random = Random::new(151);
    let token = program(TOKEN);
    let (mut marks, mut missing) = ([0; 3], 0);
    for _ in 0..300 {
        let nodes = 2 + random.below(5usize);
        let graph = graph(&mut random, nodes, 3, true);
        let mut game = bound(&token, &instance(&graph, r#""start": 0"#));
        let mover = random.below(2usize);
        game.start.turn = Player(mover as u8);
        let mut monitor = Monitor::unlimited();
        let solved = solve(&game, &game.start, &Options::default(), &mut monitor).unwrap();
        let rated = solved.moves(&game.start).unwrap();
        let plays: Vec<&Play> = rated.iter().map(|mv| &mv.play).collect();
        let Some(judged) = judged(&solved, &game.start, &plays, &mut monitor).unwrap() else { continue };
        let mut arena = Arena::default();
        let mut value_at = |node: i64| {
            let mut position = game.start.clone();
            position.parts[0][0] = node;
            value_in(&mut arena, &game, &position, &Options::default(), &mut Monitor::unlimited()).map(
                |form| match form {
                    Form::Value(value) => values::Loopy::of_value(&mut arena, value).unwrap(),
                    Form::Loopy(loopy) => *loopy,
                },
            )
        };
        if judged.missing.is_some() {
            assert!(value_at(0).is_err());
            missing += 1;
            continue;
        }
        let after: Vec<_> = plays.iter().map(|play| value_at(play.option(&game.start).parts[0][0]).ok()).collect();
        for (mv, after_it) in judged.moves.iter().zip(&after) {
            assert_eq!(mv.missing.is_some(), mv.value.is_none(), "what has no value says why");
            let Some(own) = after_it else {
                assert!(mv.value.is_none() && mv.mark == Mark::Kept, "{:?} {graph:?} {mover}", mv);
                continue;
            };
            let better = |other: usize| {
                let rival = after[other].as_ref().unwrap();
                match mover {
                    0 => own.at_most(rival).unwrap(),
                    _ => rival.at_most(own).unwrap(),
                }
            };
            let ordered = |other: usize| own.compare(after[other].as_ref().unwrap()).unwrap();
            match mv.mark {
                Mark::Dominated(by) => assert!(better(by) && ordered(by) != Some(std::cmp::Ordering::Equal)),
                Mark::Equal(to) => assert_eq!(ordered(to), Some(std::cmp::Ordering::Equal)),
                Mark::Kept => {}
                Mark::Reversible(_) => panic!("loopy moves are not looked at for answers"),
            }
            marks[match mv.mark {
                Mark::Dominated(_) => 0,
                Mark::Equal(_) => 1,
                _ => 2,
            }] += 1;
        }
    }
    assert!(marks.iter().all(|&count| count > 20), "{marks:?}, {missing} missing");
}

/// Sums of different files of which one goes round in circles, against retrograde analysis over pairs of positions.
#[test]
fn sums_with_a_loopy_summand() {
    let mut random = Random::new(157);
    let token = program(TOKEN);
    let other = program(&TOKEN.replace("game token", "game other"));
    let (mut solved, mut outcomes) = (0, [0; 3]);
    for _ in 0..300 {
        let (loopy, plain) = (graph(&mut random, 4, 2, true), graph(&mut random, 5, 2, false));
        let one = bound(&token, &instance(&loopy, r#""start": 0"#));
        let two = bound(&other, &instance(&plain, r#""start": 4"#));
        let sum = vec![
            Summand { name: "token".to_string(), bound: &one },
            Summand { name: "other".to_string(), bound: &two },
        ];
        let answer = match sum_answer(sum, &Options::default(), &mut Monitor::unlimited()) {
            Ok(answer) => answer,
            Err(error) => {
                assert!(matches!(error.error, SolveError::NotApplicable(_)), "{:?}", error.error);
                continue;
            }
        };
        solved += 1;
        let known = loopy_outcomes(&loopy, &plain);
        let result = |at: usize, beside: usize, mover: usize| known.get(&(at, beside, mover)).copied().unwrap_or(0);
        let expected = result(0, 4, 0);
        let found = match answer.outcome.unwrap() {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        };
        assert_eq!(found, expected, "{loopy:?} + {plain:?}");
        outcomes[(found + 1) as usize] += 1;
        // Won play ends with a move of the winner; drawn play goes on for ever.
        let line = answer.line.expect("a small sum has a line");
        assert_eq!(answer.line_cut, expected == 0, "{loopy:?} + {plain:?}");
        assert!(expected == 0 || (line.len() % 2 == 1) == (expected == 1), "{loopy:?} + {plain:?}");
        let mut best: Vec<String> = Vec::new();
        let keeps = |at: usize, beside: usize| -result(at, beside, 1) == expected;
        best.extend(loopy[0][0].iter().filter(|&&to| keeps(to, 4)).map(|to| format!("l({to}) in token")));
        best.extend(plain[0][4].iter().filter(|&&to| keeps(0, to)).map(|to| format!("l({to}) in other")));
        let mut told: Vec<String> = answer.best_moves.unwrap().iter().map(|play| play.label.clone()).collect();
        best.sort();
        told.sort();
        assert_eq!(told, best, "{loopy:?} + {plain:?}");
    }
    assert!(solved > 150 && outcomes.iter().all(|&count| count > 15), "{solved} solved, {outcomes:?}");
}
