//! Which classes of positions there are, and which a move can lead to.
//!
//! What a class has in common is a list of numbers: whose turn it is, some cells (stones in hand), how many cells of a board have each
//! value. For each step it is known what it does to these numbers, and where it can be made. So from the numbers of the start one
//! finds all that can come up, without a look at any position. Where a step does one of several things, each is taken for possible: there
//! may be classes without a position, but no position without a class.

use rustc_hash::FxHashMap;

use crate::facts::Facts;
use crate::formulas::Formulas;
use crate::node::{Arena, Node, Op, Range};
use crate::order::effects::{Effects, Feature, Step};
use crate::order::{open_cells, width};
use crate::rewrite::Rewrite;
use crate::study::Study;

/// Boards have cells of at most this many values.
const FEW_VALUES: u128 = 4;
/// A cell of so few values may go up and down, or be set.
const SMALL: u128 = 8;
/// A cell of more values is not followed.
const WIDE: u128 = 1 << 10;
/// Boards have at least so many cells.
const BOARD: usize = 3;
/// More classes are not kept apart.
const MOST_CLASSES: usize = 1 << 14;
/// Into how many cases a step is split.
const CASES: usize = 16;
/// A count that may change in more ways than this is not followed.
const WAYS: i64 = 4;

/// A run of cells of equal domains: its values are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The first cell, and how many there are.
    pub first: u32,
    /// How many cells there are.
    pub cells: usize,
    /// The least value.
    pub low: i64,
    /// How many values there are.
    pub values: usize,
}

/// What the numbers of a class are: the turn if players are told apart, the followed cells, then for each board the count of each
/// value from the second on.
#[derive(Clone, Debug)]
pub(super) struct Scheme {
    pub boards: Vec<Board>,
    pub followed: Vec<u32>,
}

/// The numbers of a class, the turn first.
pub(super) type Numbers = Box<[i64]>;

/// All classes that can come up, the class of the start first, and for each those that a move can lead to.
pub(super) struct Classes {
    pub scheme: Scheme,
    pub numbers: Vec<Numbers>,
    pub moves: Vec<Vec<u32>>,
}

/// What one case of a step does to the numbers.
struct Change {
    /// Where each number must lie.
    from: Vec<Range>,
    /// What is added to it, or what it becomes.
    to: Vec<Effect>,
}

/// What becomes of a number.
#[derive(Clone, Copy)]
enum Effect {
    Adds(Range),
    Becomes(Range),
}

/// The classes of a game, or why there are none that help.
pub(super) fn classes(study: &Study, start: &[i64], turn: u8) -> Result<Classes, String> {
    if study.formulas.actions.iter().any(|action| action.split.is_some()) {
        return Err("positions fall into parts".to_string());
    }
    let boards = boards(&study.formulas);
    if boards.is_empty() {
        return Err("there is no array of cells with few values to count".to_string());
    }
    let others: Vec<u32> = open_cells(&study.formulas).into_iter().filter(|cell| !on_board(&boards, *cell)).collect();
    let players = if study.with_turn { study.formulas.players } else { 1 };
    let mut movers = Vec::with_capacity(players);
    for player in 0..players {
        let mut formulas = study.formulas.clone();
        if study.with_turn {
            let mover = formulas.arena.mover(formulas.players);
            let number = formulas.arena.number(player as i64);
            Rewrite::new(&[(mover, number)]).formulas(&mut formulas);
        }
        let mut effects = Effects::new(&mut formulas);
        if effects.is_stopped(&formulas) {
            return Err("the study of the rules was stopped".to_string());
        }
        movers.push((formulas, effects));
    }
    let all = Scheme { boards, followed: others };
    let mut changes = Vec::with_capacity(players);
    for (formulas, effects) in &mut movers {
        let mut own = Vec::new();
        for step in 0..effects.steps.len() {
            own.extend(changes_of(formulas, effects, step, &all, study.with_turn)?);
        }
        if effects.is_stopped(formulas) {
            return Err("the study of the rules was stopped".to_string());
        }
        changes.push(own);
    }
    let kept: Vec<usize> =
        (0..all.followed.len()).filter(|place| is_followed(&study.formulas, &all, *place, &changes)).collect();
    let scheme = Scheme { boards: all.boards, followed: kept.iter().map(|place| all.followed[*place]).collect() };
    let without = |numbers: usize| !(1..=all.followed.len()).contains(&numbers) || kept.contains(&(numbers - 1));
    for change in changes.iter_mut().flatten() {
        let mut place = 0..;
        change.from.retain(|_| place.next().is_some_and(without));
        let mut place = 0..;
        change.to.retain(|_| place.next().is_some_and(without));
    }
    reached(study, scheme, start, turn, &changes)
}

/// The runs of cells that are counted.
fn boards(formulas: &Formulas) -> Vec<Board> {
    let mut found: Vec<Board> = Vec::new();
    let mut last = None;
    for cell in open_cells(formulas) {
        let range = formulas.cells[cell as usize];
        let values = width(range);
        if values > FEW_VALUES {
            last = None;
            continue;
        }
        match found.last_mut() {
            Some(board) if last == Some((cell.wrapping_sub(1), range)) => board.cells += 1,
            _ => found.push(Board { first: cell, cells: 1, low: range.low, values: values as usize }),
        }
        last = Some((cell, range));
    }
    found.retain(|board| board.cells >= BOARD);
    found
}

fn on_board(boards: &[Board], cell: u32) -> bool {
    boards.iter().any(|board| (board.first..board.first + board.cells as u32).contains(&cell))
}

/// Whether a cell is worth following: every step changes it by an amount that is known, and it goes one way or has few values.
fn is_followed(formulas: &Formulas, all: &Scheme, place: usize, changes: &[Vec<Change>]) -> bool {
    let values = width(formulas.cells[all.followed[place] as usize]);
    let (mut up, mut down, mut set) = (false, false, false);
    for change in changes.iter().flatten() {
        match change.to[1 + place] {
            Effect::Adds(by) | Effect::Becomes(by) if by.single().is_none() => return false,
            Effect::Adds(by) => (up, down) = (up || by.high > 0, down || by.low < 0),
            Effect::Becomes(_) => set = true,
        }
    }
    values <= SMALL || values <= WIDE && !set && !(up && down)
}

/// What the cases of a step do.
fn changes_of(
    formulas: &mut Formulas,
    effects: &mut Effects,
    step: usize,
    scheme: &Scheme,
    with_turn: bool,
) -> Result<Vec<Change>, String> {
    let turn = formulas.actions[effects.steps[step].action].turn;
    let after = |step: &Step, cell: u32| step.after(cell);
    let mut watched: Vec<Node> = if with_turn { vec![turn] } else { Vec::new() };
    watched.extend(scheme.followed.iter().filter_map(|cell| after(&effects.steps[step], *cell)));
    let mut counted = Vec::new();
    for board in &scheme.boards {
        for value in 1..board.values as i64 {
            let cells = board.first..board.first + board.cells as u32;
            let terms: Vec<(Feature, i64)> = cells.map(|cell| (Feature::Is(cell, board.low + value), 1)).collect();
            let change = effects.change(&mut formulas.arena, step, &terms);
            let (node, by) = change.ok_or("what a move does to a board is too large to follow")?;
            counted.push((node, by));
        }
    }
    watched.extend(counted.iter().filter(|(_, by)| by.single().is_none()).map(|(node, _)| *node));
    let mut made = Vec::new();
    for facts in cases(&mut formulas.arena, &effects.steps[step].facts.clone(), &watched) {
        let arena = &formulas.arena;
        let step = &effects.steps[step];
        let mut from = vec![Range::FULL];
        let mut to =
            vec![if with_turn { Effect::Becomes(facts.range(arena, turn)) } else { Effect::Adds(Range::exactly(0)) }];
        for &cell in &scheme.followed {
            let before = effects.cells[cell as usize];
            from.push(facts.range(arena, before));
            to.push(match step.after(cell) {
                None => Effect::Adds(Range::exactly(0)),
                Some(_) if step.shift(cell).single().is_some() => Effect::Adds(step.shift(cell)),
                Some(after) => Effect::Becomes(facts.range(arena, after)),
            });
        }
        for &(node, by) in &counted {
            let by = facts.range(arena, node).meet(by).unwrap_or(by);
            if by.high.checked_sub(by.low).is_none_or(|ways| ways >= WAYS) {
                return Err("a move may change a board in ways that are not known beforehand".to_string());
            }
            from.push(Range::FULL);
            to.push(Effect::Adds(by));
        }
        made.push(Change { from, to });
    }
    Ok(made)
}

/// The facts of a step, by the cases that decide these nodes.
fn cases(arena: &mut Arena, facts: &Facts, nodes: &[Node]) -> Vec<Facts> {
    let mut open = vec![facts.clone()];
    let mut made = Vec::new();
    while let Some(facts) = open.pop() {
        let split = match open.len() + made.len() >= CASES {
            true => None,
            false => nodes.iter().find_map(|node| undecided(arena, &facts, *node)),
        };
        let Some(condition) = split else {
            made.push(facts);
            continue;
        };
        for holds in [false, true] {
            let mut case = facts.clone();
            case.assume(arena, condition, holds);
            case.narrow(arena, condition, Range::exactly(i64::from(holds)));
            if !case.is_impossible() {
                open.push(case);
            }
        }
    }
    made
}

/// A condition on which a node depends and which the facts leave open.
fn undecided(arena: &Arena, facts: &Facts, node: Node) -> Option<Node> {
    if facts.range(arena, node).single().is_some() {
        return None;
    }
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        let decided = facts.range(arena, node).single().is_some();
        match arena.op(node) {
            Op::Select(c, a, b) => match facts.range(arena, *c).single() {
                None => return Some(*c),
                Some(0) => open.push(*b),
                Some(_) => open.push(*a),
            },
            Op::Linear(terms, _) => open.extend(terms.iter().map(|term| term.0)),
            _ if !decided && arena.range(node).is_truth() => return Some(node),
            _ => {}
        }
    }
    None
}

/// All classes from that of the start on.
fn reached(study: &Study, scheme: Scheme, start: &[i64], turn: u8, changes: &[Vec<Change>]) -> Result<Classes, String> {
    let mut first = vec![if study.with_turn { i64::from(turn) } else { 0 }];
    first.extend(scheme.followed.iter().map(|cell| start[*cell as usize]));
    let mut domains = vec![Range { low: 0, high: study.formulas.players as i64 - 1 }];
    domains.extend(scheme.followed.iter().map(|cell| study.formulas.cells[*cell as usize]));
    for board in &scheme.boards {
        let cells = &start[board.first as usize..board.first as usize + board.cells];
        for value in 1..board.values as i64 {
            first.push(cells.iter().filter(|cell| **cell == board.low + value).count() as i64);
            domains.push(Range { low: 0, high: board.cells as i64 });
        }
    }
    let mut known: FxHashMap<Numbers, u32> = FxHashMap::default();
    let mut classes = Classes { scheme, numbers: vec![first.into()], moves: Vec::new() };
    known.insert(classes.numbers[0].clone(), 0);
    while classes.moves.len() < classes.numbers.len() {
        rules::stop::look().map_err(|_| "the study of the rules was stopped")?;
        let numbers = classes.numbers[classes.moves.len()].clone();
        let mut moves = Vec::new();
        for change in &changes[if study.with_turn { numbers[0] as usize } else { 0 }] {
            if !change.from.iter().zip(&numbers).all(|(range, number)| range.contains(*number)) {
                continue;
            }
            let mut made: Vec<Vec<i64>> = vec![Vec::with_capacity(numbers.len())];
            for ((effect, number), domain) in change.to.iter().zip(&numbers).zip(&domains) {
                let to = match *effect {
                    Effect::Adds(by) => Range { low: number + by.low, high: number + by.high },
                    Effect::Becomes(to) => to,
                };
                let Some(to) = to.meet(*domain) else {
                    made.clear();
                    break;
                };
                let ways = (to.low..=to.high).collect::<Vec<i64>>();
                let longer = |made: &Vec<i64>| {
                    let made = made.clone();
                    ways.clone().into_iter().map(move |way| [&made[..], &[way]].concat())
                };
                made = made.iter().flat_map(longer).collect();
            }
            for to in made.into_iter().filter(|to| fits_boards(&classes.scheme, to)) {
                let to: Numbers = to.into();
                let next = classes.numbers.len() as u32;
                let place = *known.entry(to.clone()).or_insert(next);
                if place == next {
                    if classes.numbers.len() == MOST_CLASSES {
                        return Err(format!("there are more than {MOST_CLASSES} classes of positions"));
                    }
                    classes.numbers.push(to);
                }
                moves.push(place);
            }
        }
        moves.sort_unstable();
        moves.dedup();
        classes.moves.push(moves);
    }
    Ok(classes)
}

/// Whether no board has more stones than cells.
fn fits_boards(scheme: &Scheme, numbers: &[i64]) -> bool {
    let mut rest = &numbers[1 + scheme.followed.len()..];
    scheme.boards.iter().all(|board| {
        let (own, others) = rest.split_at(board.values - 1);
        rest = others;
        own.iter().sum::<i64>() <= board.cells as i64
    })
}
