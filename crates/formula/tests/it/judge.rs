//! Compares formulas with the interpreter, position by position.

use formula::eval::{Evaluator, Point};
use formula::{Action, Case, EndResult, Formulas, Node};
use game::{End, Outcome, Player};
use rules::bind::Bound;
use rules::interpreter::Interpreter;
use testkit::Random;

/// One option: the rule, what replaces the part, gains and turn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    pub rule: usize,
    pub after: Vec<Vec<i64>>,
    pub split: bool,
    pub gains: Vec<i64>,
    pub turn: i64,
}

/// What a position is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Fault,
    End(Vec<i64>),
    Options(Vec<Found>),
    /// Without options: what it is worth.
    Stuck(Vec<i64>),
}

fn worth_of(end: End) -> Vec<i64> {
    match end {
        End::Outcome(Outcome::Win) => vec![1],
        End::Outcome(Outcome::Draw) => vec![0],
        End::Outcome(Outcome::Loss) => vec![-1],
        End::Gains(gains) => gains,
    }
}

/// What the interpreter says. More than `most` options are cut off.
pub fn by_interpreter(bound: &Bound, cells: &[i64], mover: u8) -> What {
    let mut interpreter = Interpreter::new(bound);
    match interpreter.end(cells, Player(mover)) {
        Err(_) => return What::Fault,
        Ok(Some(end)) => return What::End(worth_of(end)),
        Ok(None) => {}
    }
    let mut options = Vec::new();
    let done = interpreter.moves(cells, Player(mover), &mut |effect| {
        let (after, split) = match effect.split {
            Some(parts) => (parts.iter().map(|part| part.to_vec()).collect(), true),
            None => (vec![effect.after.to_vec()], false),
        };
        let gains = if effect.gains.iter().all(|gain| *gain == 0) { Vec::new() } else { effect.gains.to_vec() };
        options.push(Found { rule: effect.rule, after, split, gains, turn: i64::from(effect.turn.0) });
        Ok(())
    });
    if done.is_err() {
        return What::Fault;
    }
    if options.is_empty() {
        return match interpreter.stuck(cells, Player(mover)) {
            Err(_) => What::Fault,
            Ok(end) => What::Stuck(worth_of(end)),
        };
    }
    What::Options(options)
}

/// Evaluates formulas at one position.
struct Reader<'f> {
    formulas: &'f Formulas,
    evaluator: Evaluator<'f>,
    cells: &'f [i64],
    mover: i64,
    choices: Vec<i64>,
}

impl Reader<'_> {
    fn value(&mut self, node: Node) -> i64 {
        let point = Point { cells: self.cells, mover: self.mover, choices: &self.choices };
        self.evaluator.value(node, &point)
    }

    fn worth(&mut self, case: &Case) -> Vec<i64> {
        match &case.result {
            EndResult::Outcome(node) => vec![self.value(*node)],
            EndResult::Gains(gains) => gains.iter().map(|gain| self.value(*gain)).collect(),
        }
    }

    /// The options of an action; `None` at a fault.
    fn options(&mut self, action: &Action, depth: usize, out: &mut Vec<Found>) -> Option<()> {
        if let Some(count) = action.counts.get(depth) {
            if self.value(count.fault) != 0 {
                return None;
            }
            let (low, high) = (self.value(count.low), self.value(count.high));
            let choice = count.choice as usize;
            if self.choices.len() <= choice {
                self.choices.resize(choice + 1, 0);
            }
            for number in low..=high {
                self.choices[choice] = number;
                self.evaluator.move_on();
                self.options(action, depth + 1, out)?;
            }
            return Some(());
        }
        if self.value(action.fault) != 0 {
            return None;
        }
        if self.value(action.guard) == 0 {
            return Some(());
        }
        let after = match &action.split {
            Some(parts) => parts.iter().map(|part| part.iter().map(|node| self.value(*node)).collect()).collect(),
            None => {
                let mut cells = self.cells.to_vec();
                for (cell, node) in &action.after {
                    cells[*cell as usize] = self.value(*node);
                }
                vec![cells]
            }
        };
        let gains: Vec<i64> = action.gains.iter().map(|gain| self.value(*gain)).collect();
        let gains = if gains.iter().all(|gain| *gain == 0) { Vec::new() } else { gains };
        let turn = self.value(action.turn);
        out.push(Found { rule: action.rule, after, split: action.split.is_some(), gains, turn });
        Some(())
    }
}

/// What the formulas say.
pub fn by_formulas(formulas: &Formulas, cells: &[i64], mover: u8) -> What {
    let evaluator = Evaluator::new(formulas);
    let mut reader = Reader { formulas, evaluator, cells, mover: i64::from(mover), choices: Vec::new() };
    for case in &reader.formulas.ends {
        if reader.value(case.fault) != 0 {
            return What::Fault;
        }
        if reader.value(case.when) != 0 {
            return What::End(reader.worth(case));
        }
    }
    let mut options = Vec::new();
    for action in &reader.formulas.actions {
        if reader.options(action, 0, &mut options).is_none() {
            return What::Fault;
        }
    }
    if options.is_empty() {
        if reader.value(reader.formulas.stuck.fault) != 0 {
            return What::Fault;
        }
        return What::Stuck(reader.worth(&formulas.stuck));
    }
    What::Options(options)
}

/// Whether the order of options is promised: not where a rule splits in several ways under a counted choice.
fn unordered(formulas: &Formulas) -> bool {
    formulas.actions.windows(2).any(|pair| {
        pair[0].rule == pair[1].rule && !pair[0].counts.is_empty() && pair[0].split.is_some() != pair[1].split.is_some()
            || pair.iter().all(|action| action.split.is_some() && !action.counts.is_empty())
    })
}

/// Compares one position; the options of the interpreter on success.
pub fn compare(bound: &Bound, formulas: &Formulas, cells: &[i64], mover: u8) -> Result<What, String> {
    let mut wanted = by_interpreter(bound, cells, mover);
    let mut found = by_formulas(formulas, cells, mover);
    if unordered(formulas) {
        for what in [&mut wanted, &mut found] {
            if let What::Options(options) = what {
                options.sort();
            }
        }
    }
    if wanted == found {
        return Ok(wanted);
    }
    Err(format!("at {cells:?}, player {mover} to move:\n interpreter {wanted:?}\n formulas    {found:?}"))
}

/// Any position whose cells are in their domains.
pub fn any_position(formulas: &Formulas, random: &mut Random) -> Vec<i64> {
    formulas
        .cells
        .iter()
        .map(|range| {
            let size = (i128::from(range.high) - i128::from(range.low) + 1).min(i128::from(u64::MAX)) as u64;
            match random.below(4) {
                0 => range.low,
                1 => range.high,
                _ => range.low.wrapping_add_unsigned(random.below(size)),
            }
        })
        .collect()
}

/// Compares positions of random plays and positions of no play. Returns how many were compared that are no faults.
pub fn walk(
    bound: &Bound,
    formulas: &Formulas,
    random: &mut Random,
    plays: usize,
    others: usize,
) -> Result<usize, String> {
    let mut count = 0;
    let parts = &bound.start.parts;
    for _ in 0..plays {
        if parts.is_empty() {
            break;
        }
        let mut cells = parts[random.below(parts.len() as u64) as usize].to_vec();
        let mut mover = bound.starts.0;
        for _ in 0..40 {
            let what = compare(bound, formulas, &cells, mover)?;
            count += usize::from(what != What::Fault);
            let What::Options(mut options) = what else { break };
            let option = options.swap_remove(random.below(options.len() as u64) as usize);
            let Some(after) = option.after.get(random.below(option.after.len() as u64) as usize) else { break };
            cells.clone_from(after);
            mover = option.turn as u8;
        }
    }
    for _ in 0..others {
        let cells = any_position(formulas, random);
        let what = compare(bound, formulas, &cells, random.below(bound.players as u64) as u8)?;
        count += usize::from(what != What::Fault);
    }
    Ok(count)
}
