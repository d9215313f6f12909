//! Compiled programs against the interpreter: options in order, gains, turns, ends and faults, along random plays.

use std::time::{Duration, Instant};

use formula::TurnPlace;
use game::{End, Outcome, Player};
use jit::program::Rules;
use jit::{Expanded, Expander, Gains, JitError, Options, Successors};
use rules::bind::Bound;
use rules::interpreter::Interpreter;
use testkit::Random;
use testkit::files::{gallery, instances, program};

/// What the interpreter says: cells, turn and gains of every option, or the gains of the end.
#[derive(Default, Debug, PartialEq)]
pub struct Expected {
    pub options: Vec<(Vec<i64>, u8)>,
    pub gains: Vec<i64>,
}

/// The interpreter's word on a position; `None` for a fault.
pub fn interpreted(bound: &Bound, gains: Gains, cells: &[i64], mover: u8) -> Option<(Expanded, Expected)> {
    let mut interpreter = Interpreter::new(bound);
    let mut found = Expected::default();
    let keep = |all: &[i64], into: &mut Vec<i64>| -> Option<()> {
        match gains {
            Gains::Outcome => {}
            _ if all.is_empty() => into.extend(vec![0; if gains == Gains::All { bound.players } else { 1 }]),
            Gains::All => into.extend(all),
            Gains::Difference => into.push(all[mover as usize].checked_sub(all[1 - mover as usize])?),
        }
        Some(())
    };
    let end = |end: End, found: &mut Expected| match end {
        End::Outcome(outcome) => {
            found.gains.push(match outcome {
                Outcome::Win => 1,
                Outcome::Draw => 0,
                Outcome::Loss => -1,
            });
            Some(())
        }
        End::Gains(gains) => keep(&gains, &mut found.gains),
    };
    if let Some(over) = interpreter.end(cells, Player(mover)).ok()? {
        end(over, &mut found)?;
        return Some((Expanded::End, found));
    }
    let mut overflow = false;
    let done = interpreter.moves(cells, Player(mover), &mut |effect| {
        found.options.push((effect.after.to_vec(), effect.turn.0));
        overflow |= keep(effect.gains, &mut found.gains).is_none();
        Ok(())
    });
    done.ok().filter(|()| !overflow)?;
    if found.options.is_empty() {
        let stuck = interpreter.stuck(cells, Player(mover)).ok()?;
        end(stuck, &mut found)?;
        return Some((Expanded::End, found));
    }
    Some((Expanded::Options, found))
}

/// What was compared.
#[derive(Default)]
pub struct Totals {
    pub positions: usize,
    pub faults: usize,
    /// Positions that code left to the interpreter, which found nothing wrong.
    pub left: usize,
    pub refused: Vec<String>,
    pub slowest: (Duration, String),
    pub wide: usize,
}

/// Compares along random plays.
pub fn check(name: &str, bound: &Bound, random: &mut Random, plays: usize, totals: &mut Totals, text: &str) {
    if bound.program.sum.is_some() {
        return;
    }
    let kinds: &[Gains] = match (bound.program.counted, bound.players) {
        (false, 2) => &[Gains::Outcome],
        (_, 2) => &[Gains::Difference, Gains::All],
        _ => &[Gains::All],
    };
    let start = &bound.start.parts[0];
    for &gains in kinds {
        let begin = Instant::now();
        let code = match Rules::compile(bound, gains, true) {
            Ok(code) => code,
            Err(JitError::Codegen(error)) => panic!("{name}: {error}\n{text}"),
            Err(error) => {
                totals.refused.push(format!("{name}: {error}"));
                return;
            }
        };
        let time = begin.elapsed();
        check_codes(name, bound, gains, random, text);
        if time > totals.slowest.0 {
            totals.slowest = (time, name.to_string());
        }
        totals.wide += usize::from(code.words() > 1);
        let mut scratch = code.scratch();
        for _ in 0..plays {
            let (mut cells, mut mover) = (start.to_vec(), bound.starts.0);
            for _ in 0..40 {
                let mut key = vec![0; code.words()];
                code.key(&cells, Player(mover), &mut key);
                let expected = interpreted(bound, gains, &cells, mover);
                let found = code.expand(&key, &mut scratch);
                let place = format!("{name} {} at {cells:?}, player {mover}\n{text}", bound.instance());
                totals.positions += 1;
                let Some((kind, expected)) = expected else {
                    assert_eq!(found, Expanded::Fault, "{place}");
                    totals.faults += 1;
                    break;
                };
                let mut options = Vec::new();
                if found == Expanded::Fault {
                    totals.left += 1;
                    options = expected.options;
                } else {
                    assert_eq!(found, kind, "{place}");
                    for (key, same) in scratch.options.codes.chunks(code.words()).zip(&scratch.options.same) {
                        let mut after = vec![0; cells.len()];
                        let turn = code.position(key, &mut after).unwrap_or_else(|| panic!("{place}"));
                        assert_eq!(*same != 0, turn.0 == mover, "{place}");
                        options.push((after, turn.0));
                    }
                    let found = Expected { options, gains: scratch.options.gains.clone() };
                    assert_eq!(found, expected, "{place}");
                    options = found.options;
                }
                if options.is_empty() {
                    break;
                }
                (cells, mover) = options.swap_remove(random.below(options.len()));
            }
        }
    }
}

/// Positions numbered as formulas number them: the same options by both ways.
fn check_codes(name: &str, bound: &Bound, gains: Gains, random: &mut Random, text: &str) {
    let Ok(formulas) = formula::specialise(bound) else { return };
    if formulas.arena.len() > 5000 {
        return;
    }
    let start = &bound.start.parts[0];
    let with_turn = formulas.reads_mover || bound.players != 2 || random.below(2) == 0;
    let study = formula::study(formulas, start, bound.starts.0, with_turn);
    let place = if random.below(2) == 0 { TurnPlace::First } else { TurnPlace::Last };
    let Some(coded) = study.coded(random.below(2) == 0, place) else { return };
    let (Ok(direct), Ok(unfolded)) = (Rules::with_codes(bound, gains, &coded), Expander::compile(&coded, gains)) else {
        return;
    };
    let (mut found, mut expected) = (Options::default(), Options::default());
    for _ in 0..3 {
        let mut code = coded.code(start, if with_turn { bound.starts.0 } else { 0 });
        for _ in 0..20 {
            let place = || format!("{name} {} at code {code}\n{text}", bound.instance());
            let (kind, wanted) = (Successors::expand(&direct, code, &mut found), unfolded.expand(code, &mut expected));
            assert_eq!(kind, wanted, "{}", place());
            if kind == Expanded::Fault {
                break;
            }
            assert_eq!(found.codes, expected.codes, "{}", place());
            assert_eq!(found.same, expected.same, "{}", place());
            assert_eq!(found.gains, expected.gains, "{}", place());
            if kind == Expanded::End {
                break;
            }
            code = found.codes[random.below(found.codes.len())];
        }
    }
}

#[test]
fn the_gallery() {
    let mut random = Random::new(17);
    let mut totals = Totals::default();
    for (name, text) in gallery() {
        for bound in instances(&program(&text), 6, 7) {
            check(&name, &bound, &mut random, 6, &mut totals, "");
        }
    }
    totals.refused.dedup();
    println!("{} positions, {} faults; slowest {:?}", totals.positions, totals.faults, totals.slowest);
    println!("{} left to the interpreter; refused {:?}", totals.left, totals.refused);
    assert!(totals.positions > 10_000);
    assert_eq!(totals.left, 0);
    assert!(totals.refused.is_empty());
}
