//! Moves as cases: where they can be made, which variables they write, and who moves next.
//!
//! An action of the formulas may write different things at different positions: a disc falls to the lowest free square. It is
//! taken apart into cubes in which everything about it is known. The cubes of one action share no position.

use formula::{Action, Formulas, Node, Op};
use rules::stop::look;

use crate::cube::{Cube, Place};
use crate::ends::MOST_GAIN;
use crate::reader::{Known, Reader, STOPPED};

/// An action of more cases is left to other code.
const MOST_CASES: usize = 64;
/// All actions together have no more.
const MOST_OF_ALL: usize = 2048;
/// So many nodes may be read, over all cases.
const MOST_READ: usize = 20_000_000;

/// What an action does at the positions of a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub cube: Cube,
    /// The variables that are written, in ascending order, with their new values.
    pub writes: Vec<(u32, u8)>,
    /// Whether the mover moves again.
    pub same: bool,
    /// What the mover gains, less what the other does.
    pub gain: i64,
}

/// The moves of one player, in the order of the actions; or why there are none such.
pub(crate) fn moves(reader: &Reader<'_>, mover: i64) -> Result<Vec<Move>, &'static str> {
    let mut found = Vec::new();
    let mut read = 0;
    for action in &reader.formulas.actions {
        if !action.counts.is_empty() || action.split.is_some() {
            return Err("a move has choices that are counted");
        }
        let nodes = below(reader.formulas, action);
        let before = found.len();
        let mut open = vec![Cube::default()];
        while let Some(cube) = open.pop() {
            look().map_err(|_| STOPPED)?;
            read += nodes.len();
            if found.len() - before > MOST_CASES || open.len() > MOST_CASES || read > MOST_READ {
                return Err("what a move does depends on too much");
            }
            match case(reader, action, &nodes, &cube, mover)? {
                Found::Never => {}
                Found::Move(mv) => found.push(mv),
                Found::Split(node) => {
                    let split = reader.classes(node, &cube);
                    let (variable, classes) = split.ok_or("what a move does depends on numbers that are no cells")?;
                    let all = reader.variables.list[variable as usize].all();
                    for (_, values) in classes.iter().rev() {
                        let mut part = cube.clone();
                        if part.restrict(variable, *values, all) {
                            open.push(part);
                        }
                    }
                }
            }
        }
    }
    if found.len() > MOST_OF_ALL {
        return Err("there are too many moves");
    }
    Ok(found)
}

/// The nodes of an action, operands first.
fn below(formulas: &Formulas, action: &Action) -> Vec<Node> {
    let mut open = vec![action.guard, action.fault, action.turn];
    open.extend(action.after.iter().map(|after| after.1).chain(action.gains.iter().copied()));
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(node) = open.pop() {
        if seen.insert(node) {
            formulas.arena.operands(node, &mut |operand| open.push(operand));
        }
    }
    let mut nodes: Vec<Node> = seen.into_iter().collect();
    nodes.sort_unstable();
    nodes
}

/// What is found of an action at a cube.
enum Found {
    /// It cannot be made there.
    Never,
    Move(Move),
    /// What this node is worth must be known first.
    Split(Node),
}

/// Looks at an action at a cube.
fn case(reader: &Reader<'_>, action: &Action, nodes: &[Node], cube: &Cube, mover: i64) -> Result<Found, &'static str> {
    const OPAQUE: &str = "a move computes with more than cells of few values";
    let known = Known::new(reader, nodes, cube);
    let missing = |node: Node| known.missing(reader, node).map(Found::Split).ok_or(OPAQUE);
    match known.get(action.guard) {
        Some(0) => return no_fault(&known, action, reader),
        Some(_) => {}
        None => return missing(action.guard),
    }
    match known.get(action.fault) {
        Some(0) => {}
        Some(_) => return Err("a move may be a fault"),
        None => return missing(action.fault),
    }
    let Some(turn) = known.get(action.turn) else { return missing(action.turn) };
    let mut gain = 0i64;
    for (player, node) in action.gains.iter().enumerate() {
        let Some(value) = known.get(*node) else { return missing(*node) };
        let sum = if player as i64 == mover { gain.checked_add(value) } else { gain.checked_sub(value) };
        gain = sum.filter(|sum| sum.abs() < MOST_GAIN).ok_or("gains are too large")?;
    }
    let mut writes = Vec::new();
    for &(cell, node) in &action.after {
        match written(reader, &known, cube, cell, node, &mut writes)? {
            None => {}
            Some(split) => return Ok(Found::Split(split)),
        }
    }
    writes.sort_unstable();
    Ok(Found::Move(Move { cube: cube.clone(), writes, same: turn == mover, gain }))
}

/// Where a move cannot be made, its guard must not be a fault.
fn no_fault(known: &Known, action: &Action, reader: &Reader<'_>) -> Result<Found, &'static str> {
    match known.get(action.fault) {
        Some(0) => Ok(Found::Never),
        Some(_) => Err("a move may be a fault"),
        None => known.missing(reader, action.fault).map(Found::Split).ok_or("a move may be a fault"),
    }
}

/// Adds what is written to one cell. The node that must be known first, if there is one.
fn written(
    reader: &Reader<'_>,
    known: &Known,
    cube: &Cube,
    cell: u32,
    node: Node,
    writes: &mut Vec<(u32, u8)>,
) -> Result<Option<Node>, &'static str> {
    const OPAQUE: &str = "a move computes with more than cells of few values";
    let (formulas, variables) = (reader.formulas, reader.variables);
    let arena = &formulas.arena;
    let node = known.resolved(formulas, node);
    if *arena.op(node) == Op::Cell(cell) {
        return Ok(None);
    }
    if let Some(variable) = variables.of_cell(cell) {
        let Some(value) = known.get(node) else { return known.missing(reader, node).map(Some).ok_or(OPAQUE) };
        let Place::Cell { low, .. } = variables.list[variable as usize].place else { return Err(OPAQUE) };
        let size = i64::from(variables.list[variable as usize].size);
        // The study has shown that values stay in their domains; what is not shown is not used.
        let value =
            value.checked_sub(low).filter(|value| (0..size).contains(value)).ok_or("a value may leave its domain")?;
        writes.push((variable, value as u8));
        return Ok(None);
    }
    // A set: elements are added or taken away.
    let (added, mut bits) = match arena.op(node) {
        Op::Linear(terms, by) => match terms[..] {
            [(set, 1)] if *arena.op(set) == Op::Cell(cell) && *by != i64::MIN => (*by > 0, by.unsigned_abs()),
            _ => return Err(OPAQUE),
        },
        Op::Or(a, b) => match (arena.known(*a), arena.known(*b)) {
            (Some(bits), None) if *arena.op(*b) == Op::Cell(cell) && bits >= 0 => {
                return joined(reader, cell, bits as u64, writes);
            }
            (None, Some(bits)) if *arena.op(*a) == Op::Cell(cell) && bits >= 0 => {
                return joined(reader, cell, bits as u64, writes);
            }
            _ => return Err(OPAQUE),
        },
        _ => return Err(OPAQUE),
    };
    while bits != 0 {
        let variable = variables.of_bit(cell, bits.trailing_zeros()).ok_or("a value may leave its domain")?;
        bits &= bits - 1;
        // No digit is carried: the elements that are added are absent, those that are taken away are there.
        match cube.allowed(variable) {
            Some(0b01) if added => writes.push((variable, 1)),
            Some(0b10) if !added => writes.push((variable, 0)),
            _ => return Err("a move counts with a number that is no set"),
        }
    }
    Ok(None)
}

/// Elements that are in the set afterwards, whether they were before or not.
fn joined(
    reader: &Reader<'_>,
    cell: u32,
    mut bits: u64,
    writes: &mut Vec<(u32, u8)>,
) -> Result<Option<Node>, &'static str> {
    while bits != 0 {
        let variable = reader.variables.of_bit(cell, bits.trailing_zeros()).ok_or("a value may leave its domain")?;
        bits &= bits - 1;
        writes.push((variable, 1));
    }
    Ok(None)
}
