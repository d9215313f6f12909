//! Rows of a table turned round: for each value the rows that have it as an item.

use formula::{Coded, Count, Node, Op};
use rustc_hash::FxHashSet;

/// `after = items[choice] + add`, where the choice counts through `starts[cell + n] ..= starts[cell + n + 1] - 1`.
pub(super) struct Rows {
    /// The cell whose row is counted through.
    pub cell: u32,
    /// The node `items[choice]`.
    pub core: Node,
    /// What is added to the item.
    pub add: i64,
    /// The choice, where more than the item is read of it.
    pub choice: Option<u32>,
    /// The addresses in `digits` where the rows of a value begin, counted from the least value of the cell that becomes the
    /// item; one more at the end.
    pub starts: Box<[u64]>,
    /// The digits of the cell.
    pub digits: Box<[u32]>,
    /// The places of the items, where the choice is read.
    pub places: Box<[u32]>,
    key: (u32, Node, Node, Node),
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows").field("cell", &self.cell).field("items", &self.digits.len()).finish_non_exhaustive()
    }
}

/// `add + list[cell + place]`
struct Load {
    list: u32,
    cell: u32,
    place: i64,
    add: i64,
}

/// A node as a number more than one other.
fn shifted(coded: &Coded, node: Node) -> Option<(Node, i64)> {
    match coded.formulas.arena.linear(node) {
        (terms, constant) if terms.len() == 1 && terms[0].1 == 1 => Some((terms[0].0, constant)),
        _ => None,
    }
}

fn load(coded: &Coded, node: Node) -> Option<Load> {
    let arena = &coded.formulas.arena;
    let (inner, add) = shifted(coded, node)?;
    let Op::Load(list, index) = *arena.op(inner) else { return None };
    let (cell, place) = shifted(coded, index)?;
    let Op::Cell(cell) = *arena.op(cell) else { return None };
    Some(Load { list, cell, place, add })
}

impl Rows {
    /// Turns rows round, if the count and what a cell becomes are of that form.
    pub fn of(coded: &Coded, count: &Count, after: u32, becomes: Node) -> Option<Rows> {
        let formulas = &coded.formulas;
        let (core, add) = shifted(coded, becomes)?;
        let Op::Load(items, index) = *formulas.arena.op(core) else { return None };
        if *formulas.arena.op(index) != Op::Choice(count.choice) {
            return None;
        }
        let (low, high) = (load(coded, count.low)?, load(coded, count.high)?);
        let (digit, target) = (coded.digit(low.cell)?, coded.digit(after)?);
        if high.cell != low.cell || digit.size > 1 << 30 || target.size > 1 << 30 {
            return None;
        }
        let all = formulas.arena.range(index);
        let items = &formulas.lists[items as usize];
        // Outside a list there are zeros, and choices are kept in their range, as everywhere else.
        let at = |load: &Load, value: i64| {
            let place = usize::try_from(value.wrapping_add(load.place)).ok();
            let item = place.and_then(|place| formulas.lists[load.list as usize].get(place)).copied();
            item.unwrap_or(0).wrapping_add(load.add)
        };
        let visit = |visit: &mut dyn FnMut(u32, u64, i64)| {
            for number in 0..digit.size as u32 {
                let value = digit.low.wrapping_add(i64::from(number));
                for place in at(&low, value).max(all.low)..=at(&high, value).min(all.high) {
                    let item = usize::try_from(place).ok().and_then(|place| items.get(place)).copied().unwrap_or(0);
                    let target_digit = item.wrapping_add(add).wrapping_sub(target.low) as u64;
                    if target_digit < target.size {
                        visit(number, target_digit, place);
                    }
                }
            }
        };
        let mut starts = vec![0u32; target.size as usize + 1];
        let mut total = 0u64;
        visit(&mut |_, target, _| {
            starts[target as usize] = starts[target as usize].wrapping_add(1);
            total += 1;
        });
        if total > u64::from(u32::MAX) {
            return None;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let is_read = reads_elsewhere(coded, count.choice, core);
        let mut digits = vec![0u32; total as usize];
        let mut places = vec![0u32; if is_read { total as usize } else { 0 }];
        if is_read && (all.low < 0 || all.high > i64::from(u32::MAX)) {
            return None;
        }
        visit(&mut |number, target, place| {
            let start = &mut starts[target as usize];
            *start -= 1;
            digits[*start as usize] = number;
            if is_read {
                places[*start as usize] = place as u32;
            }
        });
        let digits: Box<[u32]> = digits.into();
        let starts = starts.iter().map(|start| digits.as_ptr() as u64 + 4 * u64::from(*start)).collect();
        let key = (after, core, count.low, count.high);
        let choice = is_read.then_some(count.choice);
        Some(Rows { cell: low.cell, core, add, choice, starts, digits, places: places.into(), key })
    }

    /// Whether these are the same rows.
    pub fn is_same(&self, other: &Rows) -> bool {
        self.key == other.key && self.add == other.add
    }
}

/// Whether any action reads a choice otherwise than for this node.
fn reads_elsewhere(coded: &Coded, choice: u32, core: Node) -> bool {
    let formulas = &coded.formulas;
    let mut left: Vec<Node> = coded.same.clone();
    for action in &formulas.actions {
        left.extend([action.guard, action.turn]);
        left.extend(action.after.iter().map(|(_, node)| *node));
        left.extend(action.counts.iter().flat_map(|count| [count.low, count.high]));
    }
    let mut seen = FxHashSet::default();
    while let Some(next) = left.pop() {
        if next == core || !seen.insert(next) {
            continue;
        }
        if *formulas.arena.op(next) == Op::Choice(choice) {
            return true;
        }
        formulas.arena.operands(next, &mut |operand| left.push(operand));
    }
    false
}
