//! The lists of a part as the moves tell them apart: which moves take from one list, and what they do to the cells.

use std::collections::HashSet;

use formula::{Action, Arena, Formulas, Node, Op};

use super::dependence::{Dependences, On, Steps};
use super::game::Hand;
use crate::lead::lead;

/// Lists that one position without parts may have.
pub const MOST_LISTS: usize = 2048;

/// A list within a part: its moves, and how they shift the cells.
pub struct Shape {
    /// One or two actions.
    pub ends: Vec<End>,
    pub steps: Steps,
}

/// One move of a list.
pub struct End {
    pub hand: Hand,
    pub guard: Node,
    pub fault: Node,
    /// What is gained, as it depends on how many items are gone from this end: Σ factor · node + constant.
    pub item: (Vec<(Node, i64)>, i64),
    /// What is gained, as it depends on how many are gone in all.
    pub extra: Node,
    /// Whether the other player may gain something, too: then what is gained is the own gain less that of the other.
    pub gives: bool,
}

/// The lists that the moves take from.
pub fn shapes(formulas: &mut Formulas) -> Result<Vec<Shape>, String> {
    let mut moves: Vec<(usize, Vec<(u32, i64)>)> = Vec::new();
    for (index, action) in formulas.actions.iter().enumerate() {
        moves.push((index, shift(&formulas.arena, action)?));
    }
    let groups = groups(formulas, &moves)?;
    let mut shapes = Vec::new();
    for group in &groups {
        let mut steps = Steps { cells: vec![Some((0, 0)); formulas.cells.len()] };
        for (index, shift) in &moves {
            for &(cell, by) in shift {
                let step = &mut steps.cells[cell as usize];
                match (group.iter().position(|member| member == index), step) {
                    (None, step) => *step = None,
                    (Some(0), Some((near, _))) => *near = by,
                    (Some(_), Some((_, far))) => *far = by,
                    _ => {}
                }
            }
        }
        if group.len() == 2 && !independent(&steps) {
            return Err("the two moves shift the position in the same way".to_string());
        }
        let mut ends = Vec::new();
        for &member in group {
            ends.push(end_of(formulas, member, &steps)?);
        }
        shapes.push(Shape { ends, steps });
    }
    if shapes.is_empty() {
        return Err("there are no moves".to_string());
    }
    Ok(shapes)
}

/// What an action adds to the cells, if that is fixed.
fn shift(arena: &Arena, action: &Action) -> Result<Vec<(u32, i64)>, String> {
    if !action.counts.is_empty() {
        return Err("a move takes one of many numbers of items".to_string());
    }
    let after = match &action.split {
        None => action.after.clone(),
        // One part in the place of another is the same part with other cells.
        Some(parts) => match &parts[..] {
            [part] => {
                let cells = (0u32..).zip(part.iter().copied());
                cells.filter(|(cell, after)| *arena.op(*after) != Op::Cell(*cell)).collect()
            }
            _ => return Err("a move splits a part".to_string()),
        },
    };
    if arena.known(action.turn) != Some(1) {
        return Err("a player may move again".to_string());
    }
    let mut shifts = Vec::new();
    for (cell, after) in &after {
        match arena.linear(*after) {
            (terms, by) if matches!(terms[..], [(node, 1)] if *arena.op(node) == Op::Cell(*cell)) => {
                shifts.push((*cell, by));
            }
            _ => return Err("a move does more than to shift the position by a fixed step".to_string()),
        }
    }
    if shifts.is_empty() {
        return Err("a move changes nothing".to_string());
    }
    Ok(shifts)
}

/// Actions that have to do with the same cells, in order: those that they change, and those that they read and others change.
fn groups(formulas: &Formulas, moves: &[(usize, Vec<(u32, i64)>)]) -> Result<Vec<Vec<usize>>, String> {
    let mut changed = vec![false; formulas.cells.len()];
    moves.iter().flat_map(|(_, shift)| shift).for_each(|(cell, _)| changed[*cell as usize] = true);
    // A condition of an `end` rule is about all the cells that it reads together.
    let mut same: Vec<usize> = (0..formulas.cells.len()).collect();
    for part in formulas.ends.iter().flat_map(|end| formulas.arena.conjuncts(end.when)) {
        let read: Vec<usize> =
            cells_read(&formulas.arena, [part].into_iter()).iter().map(|cell| same[*cell as usize]).collect();
        if let Some(&first) = read.first().filter(|first| read.iter().any(|other| other != *first)) {
            same.iter_mut().filter(|cell| read.contains(cell)).for_each(|cell| *cell = first);
        }
    }
    let one = |cell: u32| same[cell as usize];
    let mut group_of: Vec<Option<usize>> = vec![None; formulas.cells.len()];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, shift) in moves {
        let action = &formulas.actions[*index];
        let read = [action.guard, action.fault].into_iter().chain(action.gains.iter().copied());
        let mut cells = cells_read(&formulas.arena, read);
        cells.retain(|cell| changed[*cell as usize]);
        cells.extend(shift.iter().map(|(cell, _)| *cell));
        let mut own: Vec<usize> = cells.iter().filter_map(|cell| group_of[one(*cell)]).collect();
        own.sort_unstable();
        own.dedup();
        let group = match own[..] {
            [] => {
                groups.push(Vec::new());
                groups.len() - 1
            }
            [group] => group,
            _ => return Err("a move has to do with two lists at once".to_string()),
        };
        groups[group].push(*index);
        if groups[group].len() > 2 {
            return Err("a list has more than two moves".to_string());
        }
        cells.iter().for_each(|cell| group_of[one(*cell)] = Some(group));
    }
    if groups.len() > MOST_LISTS {
        return Err("a position has very many lists".to_string());
    }
    Ok(groups)
}

/// The cells that formulas read.
fn cells_read(arena: &Arena, nodes: impl Iterator<Item = Node>) -> Vec<u32> {
    let mut cells = Vec::new();
    let mut wanted: Vec<Node> = nodes.collect();
    let mut seen = HashSet::new();
    while let Some(node) = wanted.pop() {
        if seen.insert(node) {
            match arena.op(node) {
                Op::Cell(cell) => cells.push(*cell),
                _ => arena.operands(node, &mut |operand| wanted.push(operand)),
            }
        }
    }
    cells
}

/// Whether the cells tell how many steps of each move were made.
fn independent(steps: &Steps) -> bool {
    let known: Vec<(i64, i64)> = steps.cells.iter().flatten().copied().collect();
    let crossed =
        |(a, b): (i64, i64), (c, d): (i64, i64)| i128::from(a) * i128::from(d) != i128::from(b) * i128::from(c);
    known.iter().enumerate().any(|(k, &one)| known[k + 1..].iter().any(|&other| crossed(one, other)))
}

fn end_of(formulas: &mut Formulas, index: usize, steps: &Steps) -> Result<End, String> {
    let action = formulas.actions[index].clone();
    let arena = &mut formulas.arena;
    let no = arena.number(0);
    let [own, other] = [0, 1].map(|player| action.gains.get(player).copied().unwrap_or(no));
    let gives = arena.known(other) != Some(0);
    let gain = lead(arena, own, other)?;
    let (item, extra) = split(arena, steps, gain)?;
    let choices = action.choices.iter().map(|node| node.and_then(|node| arena.known(node))).collect();
    let hand = Hand { rule: action.rule, choices, place: index };
    Ok(End { hand, guard: action.guard, fault: action.fault, item, extra, gives })
}

type Item = (Vec<(Node, i64)>, i64);

/// A gain as a sum of what depends on one end and of what depends on the time.
fn split(arena: &mut Arena, steps: &Steps, gain: Node) -> Result<(Item, Node), String> {
    let mixed = || "what is gained depends on both ends".to_string();
    let (terms, constant) = arena.linear(gain);
    let (mut item, mut extra) = ((Vec::new(), constant), Vec::new());
    for (node, factor) in terms {
        let on = Dependences::new(arena, steps).on(node);
        match (on, arena.op(node).clone()) {
            (On::Nothing | On::Near | On::Far, _) => item.0.push((node, factor)),
            (On::Count, _) => extra.push((node, factor)),
            (On::Both, Op::Select(when, yes, no)) => {
                if !matches!(Dependences::new(arena, steps).on(when), On::Count | On::Nothing) {
                    return Err(mixed());
                }
                let (mut with, mut with_extra) = split(arena, steps, yes)?;
                let (without, without_extra) = split(arena, steps, no)?;
                if with.0 != without.0 {
                    return Err(mixed());
                }
                // What differs by a number differs by the time.
                let more = arena.number(with.1.wrapping_sub(without.1));
                with_extra = arena.add(with_extra, more);
                with.1 = without.1;
                let chosen = arena.select(when, with_extra, without_extra);
                extra.push((chosen, factor));
                item.0.extend(with.0.iter().map(|(node, own)| (*node, own.wrapping_mul(factor))));
                item.1 = item.1.wrapping_add(with.1.wrapping_mul(factor));
            }
            (On::Both, _) => return Err(mixed()),
        }
    }
    Ok((item, arena.combine(&extra, 0)))
}
