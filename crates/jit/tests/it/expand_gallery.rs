//! Compiled options are those of the interpreter, in order: every game of the gallery, along random plays.

use std::sync::Arc;
use std::time::{Duration, Instant};

use formula::TurnPlace;
use jit::{Expanded, Expander, Gains, JitError, Options, Successors};
use rules::bind::Bound;
use rules::program::Program;
use testkit::Random;
use testkit::files::{gallery, instances, program};

use crate::program::{Expected, interpreted};

fn games() -> Vec<(String, Arc<Program>)> {
    gallery().into_iter().map(|(name, text)| (name, program(&text))).collect()
}

struct Totals {
    positions: usize,
    refused: Vec<String>,
    slowest: (Duration, String),
}

fn check(name: &str, bound: &Bound, random: &mut Random, totals: &mut Totals) {
    let Ok(formulas) = formula::specialise(bound) else { return };
    let nodes = formulas.arena.len();
    let (Some(start), turn) = (bound.start.parts.first(), bound.starts.0) else { return };
    // With the turn recorded, as for any game; and without, where no rule looks at it.
    for with_turn in [true, false] {
        if !with_turn && (formulas.reads_mover || bound.players != 2) {
            continue;
        }
        let study = formula::study(formulas.clone(), start, turn, with_turn);
        let dense = random.below(2) == 0;
        let place = if random.below(2) == 0 { TurnPlace::First } else { TurnPlace::Last };
        let Some(coded) = study.coded(dense, place) else { continue };
        let kinds: &[Gains] = match (bound.program.counted, bound.players) {
            (false, 2) => &[Gains::Outcome],
            (_, 2) => &[Gains::Difference, Gains::All],
            _ => &[Gains::All],
        };
        for &gains in kinds {
            let begin = Instant::now();
            let expander = match Expander::compile(&coded, gains) {
                Ok(expander) => expander,
                Err(JitError::Unsupported("the parts of a sum")) => return,
                Err(error) => {
                    totals.refused.push(format!("{name}: {error}"));
                    return;
                }
            };
            let time = begin.elapsed();
            if time > totals.slowest.0 {
                totals.slowest = (time, format!("{name}, {nodes} nodes"));
            }
            let mut out = Options::default();
            for _ in 0..6 {
                let (mut cells, mut mover) = (start.to_vec(), if with_turn { turn } else { 0 });
                for _ in 0..40 {
                    let (kind, expected) =
                        interpreted(bound, gains, &cells, mover).unwrap_or((Expanded::Fault, Expected::default()));
                    let code = coded.code(&cells, mover);
                    let found = expander.expand(code, &mut out);
                    let place = format!("{name} {:?} at {cells:?}, player {mover}, code {code}", bound.globals);
                    assert_eq!(found, kind, "{place}");
                    totals.positions += 1;
                    if found != Expanded::Options {
                        assert!(found == Expanded::Fault || out.gains == expected.gains, "{place}");
                        break;
                    }
                    let codes = expected.options.iter().map(|(after, turn)| coded.code(after, *turn));
                    assert_eq!(out.codes, codes.collect::<Vec<u64>>(), "{place}");
                    let same = expected.options.iter().map(|(_, turn)| u8::from(*turn == mover));
                    assert_eq!(out.same, same.collect::<Vec<u8>>(), "{place}");
                    assert_eq!(out.gains, expected.gains, "{place}");
                    let next = random.below(out.codes.len());
                    let (after, turn) = coded.position(out.codes[next]);
                    cells = after;
                    mover = turn;
                }
            }
        }
    }
}

#[test]
fn the_gallery() {
    let mut random = Random::new(11);
    let mut totals = Totals { positions: 0, refused: Vec::new(), slowest: (Duration::ZERO, String::new()) };
    for (name, program) in games() {
        for bound in instances(&program, 6, 7) {
            check(&name, &bound, &mut random, &mut totals);
        }
    }
    totals.refused.dedup();
    println!("{} positions; slowest {:?}; refused {:?}", totals.positions, totals.slowest, totals.refused);
    assert!(totals.positions > 10_000);
}
