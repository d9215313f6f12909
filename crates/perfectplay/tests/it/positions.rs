//! Any position is a start: what fast methods say of it is what the interpreter says.

use std::time::Duration;

use game::Player;
use perfectplay::gallery::GALLERY;
use perfectplay::language::{Bound, Position, Rules};
use perfectplay::plan::{method, methods};
use perfectplay::positions;
use perfectplay::solving::{Engine, Limits, Monitor, Options, SolveError, solve};
use rules::layout::Leaf;
use testkit::random::Random;

/// A position whose values are in their domains, reachable or not.
fn any(bound: &Bound, random: &mut Random) -> Position {
    let part = |random: &mut Random| {
        let mut cells = vec![0i64; bound.layout.cells()].into_boxed_slice();
        for slot in &bound.layout.variables {
            for cell in &mut cells[slot.offset..slot.offset + slot.cells] {
                *cell = match (&slot.leaf, slot.leaf.range()) {
                    (_, Some((low, high))) => random.between(low, high),
                    (Leaf::Set { size, .. }, _) if *size < 64 => random.between(0, (1 << size) - 1),
                    _ => 0,
                };
            }
        }
        cells
    };
    let parts = match bound.program.sum {
        None => 1,
        Some(_) => 1 + random.below(3usize),
    };
    let turn = Player(random.below(bound.players) as u8);
    Position { parts: (0..parts).map(|_| part(random)).collect(), turn }
}

/// What a way of solving says of the start, as text, and whether it looked at all positions; `None` where it takes too long or does not
/// apply.
fn told(bound: &Bound, options: &Options, millis: u64) -> Option<(Result<String, String>, bool)> {
    let limits = Limits { memory: 1 << 28, time: Some(Duration::from_millis(millis)) };
    match solve(bound, &bound.start, options, &mut Monitor::new(&limits)) {
        Ok(solved) => {
            let verdict = solved.verdict(&bound.start)?;
            let best = solved.best_moves(&bound.start, 1000).ok()?;
            let best: Vec<&str> = best.best.iter().map(|play| play.label.as_str()).collect();
            // Not every method knows how long play lasts, or nimbers.
            let worth = match verdict.outcome() {
                Some(outcome) => outcome.to_string(),
                None => format!("{verdict:?}"),
            };
            Some((Ok(format!("{worth}: {}", best.join(", "))), !solved.plan.only_start()))
        }
        Err(SolveError::NotApplicable(_)) => None,
        Err(error) if error.is_limit() => None,
        Err(error) => Some((Err(error.to_string()), false)),
    }
}

#[test]
fn every_method_agrees_with_the_interpreter_on_any_position() {
    let mut random = Random::new(12);
    let (mut compared, mut left_out) = (0, 0);
    for (name, _) in GALLERY {
        let original = Rules::gallery(name).unwrap().bind("{}").unwrap();
        for _ in 0..5 {
            let position = any(&original, &mut random);
            let text = positions::text(&original, &position);
            assert_eq!(positions::read(&original, &text, position.turn).unwrap(), position, "{name} {text}");
            let bound = Bound { starts: position.turn, start: position, ..original.clone() };
            let slow = |name| Options { method: method(name), engine: Engine::Interpreted, ..Options::default() };
            // What takes longer is no small position.
            let slowly = |name| told(&bound, &slow(name), 300);
            let Some((oracle, _)) = slowly("induction").or_else(|| slowly("retrograde")) else {
                continue;
            };
            let ways = methods().map(Some).chain([None]);
            for way in ways {
                let options = Options { method: way, ..Options::default() };
                let Some((said, is_whole)) = told(&bound, &options, 1500) else { continue };
                let way = way.map_or("the default".to_string(), |way| way.to_string());
                match (&oracle, &said) {
                    (Ok(oracle), Ok(said)) => {
                        assert_eq!(oracle, said, "{name} --position '{text}' --turn {} by {way}", bound.starts);
                    }
                    (Err(_), Err(_)) => {}
                    // A search leaves positions out, and so what goes wrong there.
                    (Err(_), Ok(_)) if !is_whole => left_out += 1,
                    _ => panic!("{name} --position '{text}' --turn {} by {way}: {oracle:?}, {said:?}", bound.starts),
                }
                compared += 1;
            }
        }
    }
    assert!(
        compared > 1000 && left_out * 20 < compared,
        "{compared} compared, {left_out} times a search left a fault out"
    );
}
