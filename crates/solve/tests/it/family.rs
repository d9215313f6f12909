//! Families of positions: numbered without gaps, and valued like each position by itself.

use crate::common::prelude::*;
use boards::CanonicalForms;
use game::OutcomeClass as Class;
use solve::answer::value_in_arena::{Form, value_in};
use solve::survey::family::{Family, FamilyError, Over};
use solve::survey::family_values::{Task, ValueSurvey, survey};
use testkit::Random;
use testkit::explore::{Explored, explore};
use testkit::files::game;
use testkit::oracle::{self, Worth};

use crate::common::{bound, program, with_room};

fn over(variable: &str, values: Option<&[i64]>) -> Over {
    Over { variable: variable.to_string(), values: values.map(<[i64]>::to_vec) }
}

/// A survey, and what it said of each position: its class and the name of its value.
type Surveyed = (ValueSurvey, Vec<(Class, Option<String>)>);

fn surveyed(
    bound: &Bound,
    family: &Family,
    known: &[Option<String>],
    wanted: &[String],
) -> Result<Surveyed, SolveError> {
    let mut lines = Vec::new();
    let each = &mut |seen: &solve::survey::family_values::SurveyedPosition<'_>| {
        assert_eq!(seen.number as usize, known.len() + lines.len());
        let Ok((class, canonical)) = seen.found else { return Ok(()) };
        lines.push((class.expect("play that ends is won"), canonical.name.clone()));
        Ok(())
    };
    let mut task = Task { family, wanted, known: &mut known.iter().cloned(), each, listed: true };
    let found = survey(bound, &mut task, &Options::default(), &mut Monitor::new(&Limits::default()))?;
    Ok((found, lines))
}

/// Who wins a position whoever begins, by plain search with the interpreter.
fn class(bound: &Bound, position: &Position, most: usize) -> Option<Class> {
    let there = Bound { start: Position { turn: Player::FIRST, ..position.clone() }, ..bound.clone() };
    let Explored::All(graph, _, also) = explore(&there, most) else { return None };
    let worths = oracle::worths(&graph)?;
    let wins = |node: usize| matches!(worths[node], Some(Worth::Outcome(1, _)));
    Some(match (wins(graph.start), wins(also.other_start?)) {
        (true, true) => Class::N,
        (true, false) => Class::L,
        (false, true) => Class::R,
        (false, false) => Class::P,
    })
}

/// Compares a family with its positions one by one, at every `step`th of them.
fn agrees(name: &str, bound: &Bound, over: &[Over], step: usize) {
    let family = Family::new(bound, &bound.start, over).unwrap();
    let (found, lines) = surveyed(bound, &family, &[], &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!((found.positions, lines.len() as u64), (family.len(), family.len()));
    assert_eq!(found.classes.iter().map(|(_, count)| count).sum::<u64>(), family.len());
    for (class, count) in found.classes {
        assert_eq!(lines.iter().filter(|(of, _)| *of == class).count() as u64, count, "{name}");
    }
    assert_eq!(found.temperatures.iter().map(|(_, count)| count).sum::<u64>(), family.len());
    for number in (0..lines.len()).step_by(step) {
        let position = family.position(number as u64);
        let (of, value) = &lines[number];
        if let Some(expected) = class(bound, &position, 5000) {
            assert_eq!(*of, expected, "{name} at {position:?}");
        }
        let mut monitor = Monitor::new(&Limits::default());
        let mut arena = CanonicalForms::new(&monitor).arena;
        let alone = value_in(&mut arena, bound, &position, &Options::default(), &mut monitor).unwrap();
        let Form::Value(alone) = alone else { panic!("{name} repeats at {position:?}") };
        assert_eq!(value.as_deref(), arena.name(alone, 400).ok().as_deref(), "{name} at {position:?}");
    }
}

#[test]
fn positions_are_numbered_without_gaps() {
    let source = "game all(n: int = 2) {
        state { left in 0..=n = n; used in set of 1..=70 = {70}; last in {none, up, down} = none; grid in [[bool; 2]; 2] = [[false; 2]; 2]; }
        move take when left > 0 { left -= 1; }
    }";
    let game = bound(&program(source), "{}");
    let family = |over: &[Over]| Family::new(&game, &game.start, over);
    let all = [over("left", None), over("used", Some(&[1, 65])), over("last", Some(&[2, 0])), over("grid", None)];
    let family_of_all = family(&all).unwrap();
    assert_eq!(family_of_all.len(), 3 * 4 * 2 * 16);
    let mut seen: Vec<Position> = (0..family_of_all.len()).map(|number| family_of_all.position(number)).collect();
    assert!(seen.iter().all(|position| position.parts[0][2] & (1 << 5) != 0), "70 stays in the set");
    seen.sort_by(|a, b| a.parts.cmp(&b.parts));
    seen.dedup();
    assert_eq!(seen.len() as u64, family_of_all.len());
    assert_eq!(family(&[]).unwrap().len(), 1);
    assert!(matches!(family(&[over("right", None)]), Err(FamilyError::NoVariable(_))));
    assert!(matches!(family(&[over("left", None), over("left", None)]), Err(FamilyError::Twice(_))));
    assert!(matches!(family(&[over("left", Some(&[3]))]), Err(FamilyError::Outside { value: 3, .. })));
    assert!(matches!(family(&[over("used", Some(&[71]))]), Err(FamilyError::Outside { value: 71, .. })));
    assert!(matches!(family(&[over("left", Some(&[]))]), Err(FamilyError::Empty(_))));
    assert!(matches!(family(&[over("used", None)]), Err(FamilyError::TooMany)));
}

#[test]
fn families_of_the_gallery_agree_with_each_position() {
    with_room(|| {
        for (name, instance, variable, step) in [
            ("domineering", r#"{"rows": 2, "columns": 4}"#, "board", 1),
            ("domineering", r#"{"rows": 3, "columns": 3}"#, "board", 7),
            ("clobber", r#"{"rows": 2, "columns": 3}"#, "board", 11),
            ("cram", r#"{"rows": 2, "columns": 4}"#, "board", 1),
            ("toads_and_frogs_row", r#"{"row": "......"}"#, "strip", 5),
            ("konane", r#"{"board": ["......"]}"#, "stones", 5),
            ("amazons", r#"{"board": ["...", "..."]}"#, "squares", 97),
            ("push", r#"{"row": "....."}"#, "strip", 3),
            ("snort", r#"{"n": 4, "fences": [[0, 1], [1, 2], [2, 3]]}"#, "field", 1),
            ("cutcake", r#"{"width": 4, "height": 4}"#, "w", 1),
        ] {
            agrees(name, &bound(&program(&game(name)), instance), &[over(variable, None)], step);
        }
        // Of a sum, the positions are those of one part.
        let cakes = bound(&program(&game("cutcake")), r#"{"width": 5, "height": 4}"#);
        agrees("cutcake", &cakes, &[over("w", None), over("h", Some(&[1, 2, 4]))], 1);
    });
}

/// A game of pieces on a strip: each rule changes two neighbours and lowers their sum. Some look at the whole strip, too.
fn strip(random: &mut Random) -> String {
    let mut rules = String::new();
    for player in ["first", "second"] {
        for name in ["a", "b", "c"].iter().take(random.between(1, 3) as usize) {
            let before = [random.between(0, 2), random.between(1, 2)];
            let all = before[0] + before[1];
            let left = random.between(0, (all - 1).min(2));
            let after = [left, random.between(0, (all - 1 - left).clamp(0, 2))];
            let [near, far] = if random.chance(50) { ["at", "at + 1"] } else { ["at + 1", "at"] };
            let whole = if random.one_in(4) { " and count(x == 0 for x in b) % 2 == 0" } else { "" };
            rules += &format!(
                "move {player} {name}(at in 0..n - 1) when b[{near}] == {} and b[{far}] == {}{whole} {{ b[{near}] = {}; b[{far}] = {}; }}\n",
                before[0], before[1], after[0], after[1]
            );
        }
    }
    format!("game strip(n: int = {}) {{ state {{ b in [0..=2; n] = [0; n]; }}\n{rules} }}", random.between(3, 5))
}

#[test]
fn families_of_random_strips_agree_with_each_position() {
    with_room(|| {
        for seed in 0..40 {
            let source = strip(&mut Random::new(seed));
            agrees(&source, &bound(&program(&source), "{}"), &[over("b", None)], 5);
        }
    });
}

#[test]
fn all_boards_of_four_by_four_domineering() {
    let game = bound(&program(&game("domineering")), "{}");
    let family = Family::new(&game, &game.start, &[over("board", None)]).unwrap();
    let mut task = Task {
        family: &family,
        wanted: &["*".to_string(), "{2|-2}".to_string()],
        known: &mut std::iter::empty(),
        each: &mut |_| Ok(()),
        listed: false,
    };
    let found = survey(&game, &mut task, &Options::default(), &mut Monitor::new(&Limits::default())).unwrap();
    assert_eq!(found.positions, 65_536);
    assert_eq!(found.classes, [(Class::L, 16_680), (Class::R, 16_680), (Class::N, 25_940), (Class::P, 6236)]);
    assert_eq!(found.distinct, 717);
    assert!(found.found[0].count > 0 && found.found[0].positions.len() == 100, "{:?}", found.found[0].count);
}

#[test]
fn what_is_known_is_not_valued_again() {
    let game = bound(&program(&game("domineering")), r#"{"rows": 2, "columns": 3}"#);
    let family = Family::new(&game, &game.start, &[over("board", None)]).unwrap();
    let wanted = ["±1".to_string()];
    let (whole, lines) = surveyed(&game, &family, &[], &wanted).unwrap();
    for cut in [0, 1, 17, 63, 64] {
        // Every fifth has no name, as if it were too long.
        let known: Vec<Option<String>> =
            lines[..cut].iter().enumerate().map(|(at, (_, value))| value.clone().filter(|_| at % 5 > 0)).collect();
        let (again, rest) = surveyed(&game, &family, &known, &wanted).unwrap();
        assert_eq!(rest[..], lines[cut..]);
        assert_eq!((again.known, again.classes, again.distinct), (cut as u64, whole.classes, whole.distinct));
        assert_eq!(again.found[0].positions, whole.found[0].positions);
        assert_eq!(again.temperatures, whole.temperatures);
    }
    let (found, _) = surveyed(&game, &family, &[], &["nonsense".to_string()]).map_or((None, 0), |_| (Some(()), 1));
    assert!(found.is_none());
}

#[test]
fn limits_hold_and_games_without_values_are_refused() {
    let game_of = |name: &str, instance: &str| bound(&program(&game(name)), instance);
    let board = game_of("domineering", r#"{"rows": 5, "columns": 5}"#);
    let family = Family::new(&board, &board.start, &[over("board", None)]).unwrap();
    let run = |limits: &Limits| {
        let each = &mut |_: &solve::survey::family_values::SurveyedPosition<'_>| Ok(());
        let mut task = Task { family: &family, wanted: &[], known: &mut std::iter::empty(), each, listed: false };
        survey(&board, &mut task, &Options::default(), &mut Monitor::new(limits)).map(|found| found.positions)
    };
    let short = run(&Limits { time: Some(std::time::Duration::from_millis(50)), ..Limits::default() });
    assert!(matches!(&short, Err(error) if error.is_limit()), "{short:?}");
    let small = run(&Limits { memory: 300_000, time: None });
    assert!(matches!(&small, Err(error) if error.is_limit()), "{small:?}");
    for (name, variable) in [("tic_tac_toe", "board"), ("coins", "i")] {
        let other = game_of(name, "{}");
        let family = Family::new(&other, &other.start, &[over(variable, None)]).unwrap();
        assert!(matches!(surveyed(&other, &family, &[], &[]), Err(SolveError::NotApplicable(_))), "{name}");
    }
}

/// Pieces that first may take, and wheels that first may turn for ever; `more` are other moves.
fn wheels(more: &str) -> String {
    format!(
        "game wheels(n: int = 3) {{
            state {{ b in [0..=3; n] = [0; n]; }}
            move first take(at in 0..n) when b[at] == 1 {{ b[at] = 0; }}
            move first roll(at in 0..n) when b[at] == 2 {{ b[at] = 3; }}
            move first back(at in 0..n) when b[at] == 3 {{ b[at] = 2; }}
            {more}
        }}"
    )
}

#[test]
fn positions_that_repeat_are_counted_with_their_loopy_values() {
    // Cells alone are groups of variables; neighbours make it a board; what looks at all cells leaves the rules.
    let board = "move second both(at in 0..n - 1) when b[at] == 1 and b[at + 1] == 1 { b[at] = 0; b[at + 1] = 0; }";
    let whole = "move second all when count(x == 1 for x in b) == n { b = [0; n]; }";
    for (more, distinct) in [("", 5), (board, 6), (whole, 5)] {
        let game = bound(&program(&wheels(more)), "{}");
        let family = Family::new(&game, &game.start, &[over("b", None)]).unwrap();
        let each = &mut |seen: &solve::survey::family_values::SurveyedPosition<'_>| {
            let turns = seen.position.parts[0].iter().any(|cell| *cell >= 2);
            let (class, canonical) = seen.found.expect("a value");
            assert_eq!(class, self::class(&game, seen.position, 5000), "{more} at {:?}", seen.position);
            assert_eq!(turns, canonical.name.as_deref() == Some("on"), "{more} at {:?}", seen.position);
            Ok(())
        };
        let wanted = ["on".to_string()];
        let mut task = Task { family: &family, wanted: &wanted, known: &mut std::iter::empty(), each, listed: true };
        let found = survey(&game, &mut task, &Options::default(), &mut Monitor::new(&Limits::default())).unwrap();
        assert_eq!((found.found[0].count, found.drawn, found.unvalued.is_none()), (56, 0, true), "{more}");
        let valued: u64 = found.classes.iter().map(|(_, count)| count).sum();
        assert_eq!((found.positions, valued, found.distinct), (64, 64, distinct), "{more}");
    }
}

#[test]
fn rules_that_go_wrong_at_a_position_leave_it_without_a_value() {
    let source = "game shelf { state { left in 0..=3 = 0; divisor in 0..=1 = 1; }
        move first take when left > 0 and 6 / divisor > left { left -= 1; } }";
    let game = bound(&program(source), "{}");
    let family = Family::new(&game, &game.start, &[over("left", None), over("divisor", None)]).unwrap();
    let each = &mut |seen: &solve::survey::family_values::SurveyedPosition<'_>| {
        let wrong = seen.position.parts[0][0] > 0 && seen.position.parts[0][1] == 0;
        assert_eq!(wrong, seen.found.is_err(), "{:?}", seen.position);
        Ok(())
    };
    let mut task = Task { family: &family, wanted: &[], known: &mut std::iter::empty(), each, listed: true };
    let found = survey(&game, &mut task, &Options::default(), &mut Monitor::new(&Limits::default())).unwrap();
    let unvalued = found.unvalued.unwrap();
    assert!(unvalued.count == 3 && unvalued.why.contains("zero"), "{unvalued:?}");
    // Where no position has a value, that is an error.
    let family = Family::new(&game, &game.start, &[over("left", Some(&[1])), over("divisor", Some(&[0]))]).unwrap();
    let refused = surveyed(&game, &family, &[], &[]);
    assert!(matches!(&refused, Err(SolveError::NotApplicable(why)) if why.contains("zero")), "{:?}", refused.err());
}

/// A token that Left takes down and Right takes up has a loopy value, and a survey counts it.
#[test]
fn loopy_values_are_counted() {
    let rules = "game hop(n: int) { state { at in 0..=n = n; } move first down when at > 0 { at -= 1; }
        move second up(k in 1..=2) when at + k <= n { at += k; } }";
    let bound = bound(&program(rules), r#"{ "n": 30 }"#);
    let family = Family::new(&bound, &bound.start, &[over("at", None)]).unwrap();
    let mut lines = Vec::new();
    let each = &mut |seen: &solve::survey::family_values::SurveyedPosition<'_>| {
        let (class, canonical) = seen.found.expect("a value");
        lines.push((class, canonical.name.clone().unwrap()));
        Ok(())
    };
    let wanted = ["3 & -27".to_string()];
    let known = &mut std::iter::empty();
    let mut task = Task { family: &family, wanted: &wanted, known, each, listed: true };
    let found = survey(&bound, &mut task, &Options::default(), &mut Monitor::new(&Limits::default())).unwrap();
    let expected = (0..=30).map(|at| (None, format!("{at} & {}", at - 30)));
    assert_eq!(lines, expected.collect::<Vec<_>>());
    assert_eq!((found.drawn, found.distinct, found.unvalued.is_none()), (31, 31, true));
    assert_eq!((found.found[0].count, found.hottest.is_none()), (1, true));
}

/// Equal loopy values are counted once, also where their forms differ.
#[test]
fn equal_loopy_values_are_counted_once() {
    let mut random = testkit::Random::new(173);
    let rules = program(
        "game token(left: [[int]], right: [[int]]) { state { at in 0..len(left) = 0; }
            move first l(to in left[at]) { at = to; } move second r(to in right[at]) { at = to; } }",
    );
    let mut several = 0;
    for _ in 0..60 {
        let nodes = 6 + random.below(8usize);
        let mut lists = || -> Vec<Vec<usize>> {
            (0..nodes).map(|_| (0..random.below(3usize)).map(|_| random.below(nodes)).collect()).collect()
        };
        let instance = format!(r#"{{ "left": {:?}, "right": {:?} }}"#, lists(), lists());
        let game = bound(&rules, &instance);
        let family = Family::new(&game, &game.start, &[over("at", None)]).unwrap();
        let each = &mut |_: &solve::survey::family_values::SurveyedPosition<'_>| Ok(());
        let mut task = Task { family: &family, wanted: &[], known: &mut std::iter::empty(), each, listed: false };
        let found = survey(&game, &mut task, &Options::default(), &mut Monitor::new(&Limits::default()));
        // The order in which positions are met may decide whether a value is found.
        let Ok(found @ solve::survey::family_values::ValueSurvey { unvalued: None, .. }) = found else { continue };
        let mut arena = values::Arena::default();
        let mut different: Vec<values::Loopy> = Vec::new();
        for node in 0..nodes {
            let mut position = game.start.clone();
            position.parts[0][0] = node as i64;
            let (options, monitor) = (Options::default(), &mut Monitor::unlimited());
            let value = match solve::answer::value_in_arena::value_in(&mut arena, &game, &position, &options, monitor) {
                Ok(solve::answer::value_in_arena::Form::Value(value)) => {
                    values::Loopy::of_value(&mut arena, value).unwrap()
                }
                Ok(solve::answer::value_in_arena::Form::Loopy(loopy)) => *loopy,
                Err(error) => panic!("{error} at {node} of {instance}"),
            };
            let same = |other: &values::Loopy| value.compare(other).unwrap() == Some(std::cmp::Ordering::Equal);
            if !different.iter().any(same) {
                different.push(value);
            }
        }
        assert_eq!(found.distinct, different.len() as u64, "{instance}");
        several += (different.len() > 3) as usize;
    }
    assert!(several > 20, "{several}");
}
