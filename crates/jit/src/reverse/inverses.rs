//! How to undo a move: from the cells after it to the cells before it, step by step.
//!
//! Cells that a move does not change are known from the start, and so is what each changed cell has become. The rest is
//! found in the order of [`Step`], each step using what those before it found; every condition is tested as soon as all that
//! it reads is known. What no step can find leaves the game to an engine that stores its moves.

use formula::rewrite::Rewrite;
use formula::{Action, Arena, Coded, Node, Op};
use rustc_hash::FxHashSet;

use super::rows::Rows;
use crate::error::JitError;

/// More ways than this to guess what a move has overwritten are not tried.
const MOST_GUESSES: u64 = 64;

/// One step on the way back.
#[derive(Debug)]
pub(super) enum Step {
    /// The move adds to a cell: subtract. `after = cell + rest`, or `rest − cell`.
    Linear { cell: u32, negative: bool, rest: Node },
    /// The move goes along an item of the cell's row: look up the rows that have what the cell `after` has become.
    Row { cell: u32, after: u32, rows: usize },
    /// Count through a choice whose bounds are known.
    Count { choice: u32, low: Node, high: Node },
    /// Count through all that a choice can be.
    Range { choice: u32, low: i64, high: i64 },
    /// Try all values of a cell.
    Domain { cell: u32 },
}

/// What must hold of the position before the move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Check {
    /// This.
    Holds(Node),
    /// The move makes the cell what it is now.
    Becomes(u32, Node),
    /// The move passes the turn to the player who has it now.
    Turn(Node),
}

impl Check {
    fn node(self) -> Node {
        match self {
            Check::Holds(node) | Check::Becomes(_, node) | Check::Turn(node) => node,
        }
    }
}

/// The way back through one action, for one mover where the turn is a digit.
#[derive(Debug)]
pub(super) struct Inverse {
    /// The mover before, where it is a digit.
    pub mover: Option<i64>,
    /// Who must have the turn now, where that is the same for all positions.
    pub turn: Option<i64>,
    /// The cells that change and have digits.
    pub changed: Vec<u32>,
    /// Those of them that the move needs to have one value.
    pub fixed: Vec<(u32, i64)>,
    /// Nodes that are what a cell has become less a number.
    pub cores: Vec<(Node, u32, i64)>,
    /// What is tested before each step, and the step.
    pub steps: Vec<(Vec<Check>, Step)>,
    /// What is tested after all of them.
    pub last: Vec<Check>,
    /// Whether the same player moves on.
    pub same: Node,
}

/// All ways back.
#[derive(Debug, Default)]
pub(super) struct Inverses {
    pub inverses: Vec<Inverse>,
    pub rows: Vec<Rows>,
}

impl Inverses {
    /// The ways back through all actions. Whether the position before is one, and whether play is over there, is not tested:
    /// its counter tells.
    pub fn new(coded: &mut Coded) -> Result<Inverses, JitError> {
        let mut ways = Inverses::default();
        let movers: Vec<Option<i64>> = match coded.numbering.turn {
            Some(_) => (0..coded.formulas.players as i64).map(Some).collect(),
            None => vec![None],
        };
        for mover in movers {
            for number in 0..coded.formulas.actions.len() {
                ways.action(coded, number, mover)?;
            }
        }
        Ok(ways)
    }

    /// All nodes that are read on the way.
    pub fn nodes(&self) -> Vec<Node> {
        let mut nodes = Vec::new();
        for inverse in &self.inverses {
            nodes.push(inverse.same);
            nodes.extend(inverse.last.iter().map(|check| check.node()));
            for (checks, step) in &inverse.steps {
                nodes.extend(checks.iter().map(|check| check.node()));
                match step {
                    Step::Linear { rest, .. } => nodes.push(*rest),
                    Step::Count { low, high, .. } => nodes.extend([*low, *high]),
                    Step::Row { .. } | Step::Range { .. } | Step::Domain { .. } => {}
                }
            }
        }
        nodes
    }

    fn action(&mut self, coded: &mut Coded, number: usize, mover: Option<i64>) -> Result<(), JitError> {
        let mut same = coded.same[number];
        let mut action = coded.formulas.actions[number].clone();
        action.after.retain(|(cell, _)| coded.digit(*cell).is_some());
        let changed: Vec<u32> = action.after.iter().map(|(cell, _)| *cell).collect();
        let mut conditions = Vec::new();
        if let Some(mover) = mover {
            let node = coded.formulas.arena.mover(coded.formulas.players);
            rewrite(coded, (node, mover), &mut action, &mut same, &mut conditions);
        }
        // Cells that must have one value before the move are known then, and may make other conditions known.
        let mut fixed: Vec<(u32, i64)> = Vec::new();
        loop {
            let mut parts = Vec::new();
            conjuncts(&coded.formulas.arena, action.guard, &mut parts);
            let found = parts.iter().find_map(|part| value_needed(&coded.formulas.arena, *part, &changed, &fixed));
            let Some((cell, value)) = found else { break };
            fixed.push((cell, value));
            let node = coded.formulas.arena.cell(cell, coded.formulas.cells[cell as usize]);
            rewrite(coded, (node, value), &mut action, &mut same, &mut conditions);
        }
        let arena = &coded.formulas.arena;
        let outside = |&(cell, value): &(u32, i64)| !coded.formulas.cells[cell as usize].contains(value);
        if arena.known(action.guard) == Some(0) || fixed.iter().any(outside) {
            return Ok(());
        }
        let turn = mover.and_then(|_| arena.known(action.turn));
        conditions.push(action.guard);
        let mut search = Search {
            coded,
            pending: Vec::new(),
            cells: changed.iter().copied().filter(|cell| fixed.iter().all(|(other, _)| other != cell)).collect(),
            choices: (0..action.counts.len()).collect(),
            cores: Vec::new(),
            guesses: 1,
        };
        if mover.is_some() && turn.is_none() {
            search.pending.push(Check::Turn(action.turn));
        }
        for condition in conditions {
            let mut parts = Vec::new();
            conjuncts(&search.coded.formulas.arena, condition, &mut parts);
            parts.retain(|part| search.coded.formulas.arena.known(*part) != Some(1));
            search.pending.extend(parts.into_iter().map(Check::Holds));
        }
        search.pending.extend(action.after.iter().map(|&(cell, node)| Check::Becomes(cell, node)));
        let steps = search.steps(&action, &mut self.rows)?;
        let Search { pending: last, cores, .. } = search;
        self.inverses.push(Inverse { mover, turn, changed, fixed, cores, steps, last, same });
        Ok(())
    }
}

/// Puts a number in the place of a leaf.
fn rewrite(coded: &mut Coded, put: (Node, i64), action: &mut Action, same: &mut Node, conditions: &mut [Node]) {
    let formulas = &mut coded.formulas;
    let number = formulas.arena.number(put.1);
    let mut rewrite = Rewrite::new(&[(put.0, number)]);
    let mut of = |node: &mut Node| *node = rewrite.node(&mut formulas.arena, &formulas.lists, *node);
    [&mut action.guard, &mut action.turn, same].into_iter().for_each(&mut of);
    action.after.iter_mut().for_each(|(_, node)| of(node));
    action.counts.iter_mut().for_each(|count| [&mut count.low, &mut count.high].into_iter().for_each(&mut of));
    conditions.iter_mut().for_each(of);
}

/// The conditions that make up a condition.
fn conjuncts(arena: &Arena, node: Node, into: &mut Vec<Node>) {
    let mut left = vec![node];
    while let Some(next) = left.pop() {
        match *arena.op(next) {
            Op::And(a, b) if arena.range(a).is_truth() && arena.range(b).is_truth() => left.extend([b, a]),
            Op::Not(inner) => match *arena.op(inner) {
                Op::Or(a, b) => match (arena.find(&Op::Not(a)), arena.find(&Op::Not(b))) {
                    (Some(a), Some(b)) => left.extend([b, a]),
                    _ => into.push(next),
                },
                _ => into.push(next),
            },
            _ => into.push(next),
        }
    }
}

/// The value that a condition asks of one of the cells, if it does just that.
fn value_needed(arena: &Arena, node: Node, changed: &[u32], fixed: &[(u32, i64)]) -> Option<(u32, i64)> {
    let (cell, value) = match *arena.op(node) {
        Op::Cell(cell) => (cell, 1),
        Op::Not(inner) if arena.range(inner).is_truth() => match *arena.op(inner) {
            Op::Cell(cell) => (cell, 0),
            _ => return None,
        },
        Op::Eq(a, b) => match (arena.op(a), arena.known(a), arena.op(b), arena.known(b)) {
            (Op::Cell(cell), _, _, Some(value)) | (_, Some(value), Op::Cell(cell), _) => (*cell, value),
            _ => return None,
        },
        _ => return None,
    };
    let is_truth = !matches!(arena.op(node), Op::Cell(_)) || arena.range(node).is_truth();
    (is_truth && changed.contains(&cell) && fixed.iter().all(|(other, _)| *other != cell)).then_some((cell, value))
}

/// What is still to be found.
struct Search<'c> {
    coded: &'c mut Coded,
    pending: Vec<Check>,
    cells: Vec<u32>,
    /// Which counts of the action.
    choices: Vec<usize>,
    cores: Vec<(Node, u32, i64)>,
    guesses: u64,
}

impl Search<'_> {
    fn steps(&mut self, action: &Action, rows: &mut Vec<Rows>) -> Result<Vec<(Vec<Check>, Step)>, JitError> {
        let mut steps = Vec::new();
        let mut lookups = self.lookups(action, rows);
        while !self.cells.is_empty() || !self.choices.is_empty() {
            let checks = self.ready_checks(action);
            let step = match self.linear(action) {
                Some(step) => step,
                None => match lookups.pop() {
                    Some((count, step @ Step::Row { cell, .. })) => {
                        self.choices.retain(|other| *other != count);
                        self.cells.retain(|other| *other != cell);
                        step
                    }
                    _ => self.count(action).or_else(|| self.guess(action)).ok_or(JitError::Unsupported(
                        "moves that cannot be undone without trying too many positions",
                    ))?,
                },
            };
            steps.push((checks, step));
        }
        Ok(steps)
    }

    /// Whether all that a node is made of has been found.
    fn is_ready(&self, action: &Action, node: Node) -> bool {
        let arena = &self.coded.formulas.arena;
        let mut seen = FxHashSet::default();
        let mut left = vec![node];
        while let Some(next) = left.pop() {
            if !seen.insert(next) || self.cores.iter().any(|(core, ..)| *core == next) {
                continue;
            }
            match arena.op(next) {
                Op::Cell(cell) if self.cells.contains(cell) => return false,
                Op::Choice(choice) if self.choices.iter().any(|at| action.counts[*at].choice == *choice) => {
                    return false;
                }
                _ => arena.operands(next, &mut |operand| left.push(operand)),
            }
        }
        true
    }

    fn ready_checks(&mut self, action: &Action) -> Vec<Check> {
        let pending = std::mem::take(&mut self.pending);
        let (ready, rest) = pending.into_iter().partition(|check| self.is_ready(action, check.node()));
        self.pending = rest;
        ready
    }

    /// Choices that are items of the row of a cell and become a cell.
    fn lookups(&mut self, action: &Action, rows: &mut Vec<Rows>) -> Vec<(usize, Step)> {
        let mut found: Vec<(usize, Step)> = Vec::new();
        for (number, count) in action.counts.iter().enumerate() {
            for &(after, node) in &action.after {
                let taken = |step: &Step, cell: u32| matches!(step, Step::Row { cell: c, after: a, .. } if *c == cell || *a == after);
                let Some(made) = Rows::of(self.coded, count, after, node) else { continue };
                if !self.cells.contains(&made.cell) || found.iter().any(|(_, step)| taken(step, made.cell)) {
                    continue;
                }
                self.cores.push((made.core, after, made.add));
                self.pending.retain(|check| !matches!(check, Check::Becomes(cell, _) if *cell == after));
                let place = rows.iter().position(|rows| rows.is_same(&made)).unwrap_or(rows.len());
                found.push((number, Step::Row { cell: made.cell, after, rows: place }));
                if place == rows.len() {
                    rows.push(made);
                }
                break;
            }
        }
        found
    }

    fn linear(&mut self, action: &Action) -> Option<Step> {
        for &(cell, node) in &action.after {
            if !self.cells.contains(&cell) || self.cores.iter().any(|(_, after, _)| *after == cell) {
                continue;
            }
            let (terms, constant) = self.coded.formulas.arena.linear(node);
            let is_own = |node: Node| *self.coded.formulas.arena.op(node) == Op::Cell(cell);
            let Some(&(_, factor @ (1 | -1))) = terms.iter().find(|(node, _)| is_own(*node)) else { continue };
            let others: Vec<(Node, i64)> = terms.iter().copied().filter(|(node, _)| !is_own(*node)).collect();
            if !others.iter().all(|(node, _)| self.is_ready(action, *node)) {
                continue;
            }
            let rest = self.coded.formulas.arena.combine(&others, constant);
            self.cells.retain(|other| *other != cell);
            self.pending.retain(|check| !matches!(check, Check::Becomes(other, _) if *other == cell));
            return Some(Step::Linear { cell, negative: factor < 0, rest });
        }
        None
    }

    fn count(&mut self, action: &Action) -> Option<Step> {
        for at in 0..self.choices.len() {
            let count = &action.counts[self.choices[at]];
            if self.is_ready(action, count.low) && self.is_ready(action, count.high) {
                self.choices.remove(at);
                return Some(Step::Count { choice: count.choice, low: count.low, high: count.high });
            }
        }
        None
    }

    /// Tries all values of a cell or a choice, the fewest first.
    fn guess(&mut self, action: &Action) -> Option<Step> {
        let sizes = self.cells.iter().map(|cell| (self.coded.digit(*cell).map_or(u64::MAX, |digit| digit.size), *cell));
        let cell = sizes.min();
        let range = |at: usize| {
            let (arena, count) = (&self.coded.formulas.arena, &action.counts[at]);
            let all = arena.find(&Op::Choice(count.choice)).map(|choice| arena.range(choice));
            let low = arena.range(count.low).low.max(all.map_or(i64::MIN, |all| all.low));
            let high = arena.range(count.high).high.min(all.map_or(i64::MAX, |all| all.high));
            (u64::try_from(i128::from(high) - i128::from(low) + 1).unwrap_or(0), at, low, high)
        };
        let choice = self.choices.iter().map(|at| range(*at)).min();
        let choice = choice.filter(|choice| cell.is_none_or(|cell| choice.0 <= cell.0));
        let tried = choice.map(|choice| choice.0).or(cell.map(|cell| cell.0))?;
        self.guesses = self.guesses.saturating_mul(tried.max(1));
        if self.guesses > MOST_GUESSES {
            return None;
        }
        if let Some((_, at, low, high)) = choice {
            self.choices.retain(|other| *other != at);
            let count = &action.counts[at];
            let arena = &mut self.coded.formulas.arena;
            let number = count.choice;
            let node = arena.find(&Op::Choice(number))?;
            let inside = [arena.le(count.low, node), arena.le(node, count.high)];
            self.pending.extend(inside.map(Check::Holds));
            return Some(Step::Range { choice: number, low, high });
        }
        let (_, cell) = cell?;
        self.cells.retain(|other| *other != cell);
        Some(Step::Domain { cell })
    }
}
