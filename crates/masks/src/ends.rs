//! Ends as cubes: an `end` condition as a list of cubes, any of which ends the game.

use formula::{EndResult, Node, Op};
use rules::stop::look;

use crate::cube::Cube;
use crate::reader::{Reader, STOPPED};

/// A condition of more cubes is left to other code.
const MOST_CUBES: usize = 1024;
/// So many steps are taken to write a condition as cubes.
const MOST_STEPS: usize = 200_000;

/// After so many of them the stop is looked at.
const LOOK_EVERY: usize = 1024;

/// No gain is larger: so sums of two fit.
pub(crate) const MOST_GAIN: i64 = 1 << 60;

/// A cube in which the game is over, and what that is worth to the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EndCube {
    pub cube: Cube,
    pub value: i64,
}

/// The ends of the game with one player to move, in the order of the rules; or why they are no cubes.
pub(crate) fn ends(reader: &Reader<'_>, mover: i64) -> Result<Vec<EndCube>, &'static str> {
    let mut ends: Vec<EndCube> = Vec::new();
    for case in &reader.formulas.ends {
        if reader.simple(case.fault, &Cube::default()) != Some(0) {
            return Err("an `end` rule may be a fault");
        }
        let value = worth(reader, &case.result, mover)?;
        look().map_err(|_| STOPPED)?;
        for cube in cubes(reader, case.when)? {
            // A cube within an earlier one never decides anything.
            if !ends.iter().any(|end| cube.lies_in(&end.cube)) {
                ends.push(EndCube { cube, value });
            }
        }
        if ends.len() > MOST_CUBES {
            return Err("an `end` condition is no short list of lines");
        }
    }
    Ok(ends)
}

/// What a position without moves is worth to the player to move.
pub(crate) fn stuck(reader: &Reader<'_>, mover: i64) -> Result<i64, &'static str> {
    let stuck = &reader.formulas.stuck;
    if reader.simple(stuck.fault, &Cube::default()) != Some(0) {
        return Err("`stuck` may be a fault");
    }
    worth(reader, &stuck.result, mover)
}

pub(crate) fn worth(reader: &Reader<'_>, result: &EndResult, mover: i64) -> Result<i64, &'static str> {
    const VARIES: &str = "what an end is worth depends on the position";
    let value = |node: &Node| reader.simple(*node, &Cube::default()).ok_or(VARIES);
    match result {
        EndResult::Outcome(outcome) => value(outcome),
        EndResult::Gains(gains) => match &gains[..] {
            [first, second] => {
                let (first, second) = (value(first)?, value(second)?);
                let difference = if mover == 0 { first.checked_sub(second) } else { second.checked_sub(first) };
                difference.filter(|worth| worth.abs() < MOST_GAIN).ok_or("gains are too large")
            }
            _ => Err("it is for two players"),
        },
    }
}

/// A condition as cubes.
fn cubes(reader: &Reader<'_>, when: Node) -> Result<Vec<Cube>, &'static str> {
    const LONG: &str = "an `end` condition is no short list of lines";
    let arena = &reader.formulas.arena;
    let is_truth = |node: Node| arena.range(node).is_truth();
    let mut found = Vec::new();
    let (mut steps, mut next_look) = (0, LOOK_EVERY);
    // Each item is a cube and what must hold besides: nodes that are true, or false.
    let mut open = vec![(Cube::default(), vec![(when, true)])];
    'items: while let Some((mut cube, mut wanted)) = open.pop() {
        while let Some((node, truth)) = wanted.pop() {
            steps += 1 + wanted.len() / 8;
            if steps > MOST_STEPS || found.len() > MOST_CUBES {
                return Err(LONG);
            }
            if steps >= next_look {
                look().map_err(|_| STOPPED)?;
                next_look = steps + LOOK_EVERY;
            }
            if let Some(value) = reader.simple(node, &cube) {
                if (value != 0) == truth {
                    continue;
                }
                continue 'items;
            }
            if let Some((variable, classes)) = reader.classes(node, &cube) {
                let values = classes.iter().filter(|class| (class.0 != 0) == truth).fold(0, |all, class| all | class.1);
                if cube.restrict(variable, values, reader.variables.list[variable as usize].all()) {
                    continue;
                }
                continue 'items;
            }
            match *arena.op(node) {
                Op::Not(a) => wanted.push((a, !truth)),
                Op::And(a, b) if truth && is_truth(a) && is_truth(b) => wanted.extend([(b, true), (a, true)]),
                Op::Or(a, b) if !truth => wanted.extend([(b, false), (a, false)]),
                Op::Or(a, b) => {
                    open.push((cube.clone(), [&wanted[..], &[(b, true)]].concat()));
                    wanted.push((a, true));
                }
                Op::And(a, b) if is_truth(a) && is_truth(b) => {
                    open.push((cube.clone(), [&wanted[..], &[(b, false)]].concat()));
                    wanted.push((a, false));
                }
                Op::Select(condition, a, b) => {
                    open.push((cube.clone(), [&wanted[..], &[(b, truth), (condition, false)]].concat()));
                    wanted.extend([(a, truth), (condition, true)]);
                }
                _ => return Err("an `end` condition computes with more than cells of few values"),
            }
        }
        found.push(cube);
    }
    Ok(found)
}
