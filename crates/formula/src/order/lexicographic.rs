//! A lexicographic measure of cells, found greedily.

use crate::formulas::Formulas;
use crate::node::Range;
use crate::order::effects::Effects;
use crate::order::{Loop, Order, listed};

/// What one cell does among the steps not yet explained.
#[derive(Clone, Debug, Default)]
struct Tally {
    /// How many steps may raise it, and how many may lower it.
    may_rise: usize,
    may_fall: usize,
    /// How many steps surely raise or lower it.
    rises: usize,
    falls: usize,
}

impl Tally {
    fn add(&mut self, shift: Range) {
        self.may_rise += usize::from(shift.high > 0);
        self.may_fall += usize::from(shift.low < 0);
        self.rises += usize::from(shift.low > 0);
        self.falls += usize::from(shift.high < 0);
    }

    fn remove(&mut self, shift: Range) {
        self.may_rise -= usize::from(shift.high > 0);
        self.may_fall -= usize::from(shift.low < 0);
        self.rises -= usize::from(shift.low > 0);
        self.falls -= usize::from(shift.high < 0);
    }

    /// How many steps a loop over it would explain, and whether that loop counts up.
    fn explains(&self) -> Option<(usize, bool)> {
        match self {
            Tally { may_rise: 0, falls: 1.., .. } => Some((self.falls, true)),
            Tally { may_fall: 0, rises: 1.., .. } => Some((self.rises, false)),
            _ => None,
        }
    }
}

/// A loop nest over these cells, without its wave, or why there is none.
pub(crate) fn order_of(formulas: &Formulas, effects: &Effects, cells: &[u32]) -> Result<Order, String> {
    let mut tallies = vec![Tally::default(); formulas.cells.len()];
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); formulas.cells.len()];
    for (number, step) in effects.steps.iter().enumerate() {
        for &(cell, shift) in &step.shifts {
            tallies[cell as usize].add(shift);
            users[cell as usize].push(number as u32);
        }
    }
    let mut left = effects.steps.len();
    let mut open: Vec<bool> = vec![true; left];
    let mut rest: Vec<u32> = cells.to_vec();
    let mut loops = Vec::new();
    let size = |cell: u32| width(formulas.cells[cell as usize]);
    while left > 0 {
        // The cell that explains most comes first, so that few loops are strict. Among equals the one with the fewest
        // values comes first, so that the longest loop is the innermost.
        let best = rest.iter().filter_map(|&cell| tallies[cell as usize].explains().map(|found| (cell, found)));
        let best = best.max_by_key(|&(cell, (explained, _))| {
            let all = explained == left;
            (all, explained, std::cmp::Reverse(size(cell)), std::cmp::Reverse(cell))
        });
        let Some((cell, (_, ascending))) = best else { return Err(spoiler(formulas, effects, &open, &rest)) };
        loops.push(Loop { cell, ascending });
        rest.retain(|other| *other != cell);
        for &user in &users[cell as usize] {
            let step = &effects.steps[user as usize];
            let shift = step.shift(cell);
            if open[user as usize] && (if ascending { shift.high < 0 } else { shift.low > 0 }) {
                open[user as usize] = false;
                left -= 1;
                step.shifts.iter().for_each(|&(cell, shift)| tallies[cell as usize].remove(shift));
            }
        }
    }
    let strict = loops.len();
    loops.extend(free_last(formulas, effects, rest));
    let why = reason(effects, &loops[..strict]);
    Ok(Order { loops, strict, wave: None, longest: None, why })
}

/// Loops over cells that may run in any order, the best for lanes last. Lanes read neighbouring entries if moves keep
/// the innermost cell or shift it by a constant.
pub(crate) fn free_last(formulas: &Formulas, effects: &Effects, mut cells: Vec<u32>) -> Vec<Loop> {
    let mut jumps = vec![0usize; formulas.cells.len()];
    for (cell, shift) in effects.steps.iter().flat_map(|step| &step.shifts) {
        jumps[*cell as usize] += usize::from(shift.single().is_none());
    }
    cells.sort_by_key(|&cell| {
        let size = width(formulas.cells[cell as usize]);
        (size.min(16), std::cmp::Reverse(jumps[cell as usize]), size, std::cmp::Reverse(cell))
    });
    cells.into_iter().map(|cell| Loop { cell, ascending: true }).collect()
}

/// How many values a range has.
pub(crate) fn width(range: Range) -> u128 {
    (i128::from(range.high) - i128::from(range.low) + 1) as u128
}

/// Why every move leads to a position filled before, in words.
fn reason(effects: &Effects, loops: &[Loop]) -> String {
    if effects.steps.is_empty() {
        return "no move leaves anything to play on".to_owned();
    }
    let falling: Vec<u32> = loops.iter().filter(|each| each.ascending).map(|each| each.cell).collect();
    let rising: Vec<u32> = loops.iter().filter(|each| !each.ascending).map(|each| each.cell).collect();
    match (loops, &falling[..], &rising[..]) {
        ([_], _, []) => format!("every move lowers {}", listed(&falling)),
        ([_], [], _) => format!("every move raises {}", listed(&rising)),
        (_, _, []) => format!("every move lowers the first that it changes of {}", listed(&falling)),
        (_, [], _) => format!("every move raises the first that it changes of {}", listed(&rising)),
        _ => {
            let cells: Vec<u32> = loops.iter().map(|each| each.cell).collect();
            format!(
                "of {} every move lowers the first that it changes where that is {}, and raises it where that is {}",
                listed(&cells),
                listed(&falling),
                listed(&rising)
            )
        }
    }
}

/// Why there is no order, in words: a move that no cell explains.
fn spoiler(formulas: &Formulas, effects: &Effects, open: &[bool], rest: &[u32]) -> String {
    let Some(step) = effects.steps.iter().zip(open).find(|(_, open)| **open).map(|(step, _)| step) else {
        return "no order was found".to_owned();
    };
    let name = |action: usize| format!("{{move {}}}", formulas.actions[action].rule);
    let rule = name(step.action);
    if step.shifts.iter().all(|(_, shift)| shift.single() == Some(0)) {
        return format!("{rule} may leave every cell as it is");
    }
    let cells: Vec<u32> = step.shifts.iter().map(|(cell, _)| *cell).filter(|cell| rest.contains(cell)).collect();
    let [cell, ..] = cells[..] else { return format!("{rule} may change nothing that others do not") };
    let other = effects.steps.iter().zip(open).filter(|(_, open)| **open).find(|(other, _)| {
        let (shift, other) = (step.shift(cell), other.shift(cell));
        shift.high <= 0 && other.high > 0 || shift.low >= 0 && other.low < 0
    });
    match (step.shift(cell), other) {
        (Range { low, high: 0 }, _) if low < 0 => format!("{rule} may leave {{{cell}}} as it is"),
        (Range { low: 0, high }, _) if high > 0 => format!("{rule} may leave {{{cell}}} as it is"),
        (Range { low, high }, _) if low < 0 && high > 0 => format!("{rule} may raise or lower {}", listed(&cells)),
        // One rule may do both, by what is chosen or by who moves.
        (_, Some((other, _))) if formulas.actions[other.action].rule == formulas.actions[step.action].rule => {
            format!("{rule} now raises {{{cell}}}, now lowers it")
        }
        (shift, Some((other, _))) => {
            let (up, down) = if shift.low >= 0 { (rule, name(other.action)) } else { (name(other.action), rule) };
            format!("{up} raises {{{cell}}} and {down} lowers it")
        }
        _ => format!("{rule} is explained by no cell"),
    }
}
