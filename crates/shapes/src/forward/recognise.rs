//! From rules to games that go forward through a list.
//!
//! There must be one move with one number to choose. It shifts one cell, the place, by that number, or makes it that number;
//! where it changes a second cell, that must become the larger of itself and the number. With the place that the move leads
//! to written for the number, what is gained must come apart into what depends on the one place and what depends on the
//! other, and the conditions must say from where to where a move leads.

use formula::eval::{Evaluator, Point};
use formula::rewrite::Rewrite;
use formula::{Action, Arena, EndResult, Formulas, Node, Op, Range};
use rules::stop::Held;

use super::columns::{Column, Columns};
use super::game::{Choice, ForwardGame, Reach};
use crate::lead::lead;

/// Places that are looked at.
const MOST_PLACES: i128 = 1 << 28;
/// So many numbers are kept for each place.
const COLUMNS: u64 = 6;
/// The number of the leaf that stands for the place a move leads to.
const TARGET: u32 = 1 << 20;

/// The game that formulas describe, from a start of one part on; or why they describe none.
pub fn recognise(formulas: Formulas, cells: &[i64], turn: u8) -> Result<ForwardGame, String> {
    if formulas.reads_mover || !formulas.counted || formulas.players != 2 {
        return Err("the rules differ by player".to_string());
    }
    if formulas.actions.len() != 1 || formulas.actions[0].counts.len() != 1 {
        return Err("there is not one move with one number to choose".to_string());
    }
    let study = formula::study(formulas, cells, turn, false);
    if !study.is_whole {
        return Err("the study of the rules was stopped".to_string());
    }
    let mut formulas = study.formulas;
    let [action] = &formulas.actions[..] else { return Err("the move never happens".to_string()) };
    let changed: Vec<u32> = action.after.iter().map(|(cell, _)| *cell).collect();
    fix(&mut formulas, cells, &changed);
    let [action] = &formulas.actions[..] else { return Err("the move never happens".to_string()) };
    let action = action.clone();
    Finder { formulas, cells }.game(&action)
}

/// Puts numbers for what does not change.
fn fix(formulas: &mut Formulas, cells: &[i64], changed: &[u32]) {
    let mover = formulas.arena.mover(2);
    let mut fixed = vec![(mover, formulas.arena.number(0))];
    for (cell, (&at, range)) in (0u32..).zip(cells.iter().zip(formulas.cells.clone())) {
        if !changed.contains(&cell) {
            let node = formulas.arena.cell(cell, range);
            fixed.push((node, formulas.arena.number(at)));
        }
    }
    Rewrite::new(&fixed).formulas(formulas);
}

/// How a move changes the place: the cell, and whether it rises.
struct Step {
    cell: u32,
    rises: bool,
    /// Whether the number chosen is the new place, and not how many places are passed.
    absolute: bool,
    /// How much the one or the other is more than the number.
    more: i64,
}

/// Where the game is over, and what is paid at each place where it ends: the difference and the total.
type Endings = (Vec<bool>, Vec<i64>, Vec<i64>);

struct Finder<'c> {
    formulas: Formulas,
    cells: &'c [i64],
}

impl Finder<'_> {
    fn known(&self, node: Node) -> Option<i64> {
        self.formulas.arena.known(node)
    }

    fn game(mut self, action: &Action) -> Result<ForwardGame, String> {
        let count = &action.counts[0];
        if action.split.is_some() || self.known(action.turn) != Some(1) {
            return Err("a player may move again".to_string());
        }
        if self.known(action.fault) != Some(0) || self.known(count.fault) != Some(0) {
            return Err("the move may be a fault".to_string());
        }
        let choice = self.formulas.arena.find(&Op::Choice(count.choice));
        let choice = choice.ok_or_else(|| "the number chosen does not matter".to_string())?;
        if action.choices != [Some(choice)] {
            return Err("the move has more to choose than a number".to_string());
        }
        let (step, second) = self.step(action, choice)?;
        let no = self.formulas.arena.number(0);
        let [own, other] = [0, 1].map(|player| action.gains.get(player).copied().unwrap_or(no));
        let gives = self.known(other) != Some(0);
        let own = lead(&mut self.formulas.arena, own, other)?;
        // The place that the move leads to, for the number chosen.
        let Formulas { arena, lists, cells, .. } = &mut self.formulas;
        let range = cells[step.cell as usize];
        let (place, target) = (arena.cell(step.cell, range), arena.choice(TARGET, range));
        let sign = if step.rises { 1 } else { -1 };
        let number = match step.absolute {
            true => arena.combine(&[(target, 1)], step.more.checked_neg().ok_or("the numbers are too large")?),
            false => arena.combine(&[(target, sign), (place, -sign)], -step.more),
        };
        let caps = match second {
            Some(_) => caps(arena, action.guard, choice)?,
            None => Caps::default(),
        };
        let mut rewrite = Rewrite::new(&[(choice, number)]);
        let [own, guard] = [own, action.guard].map(|node| rewrite.node(arena, lists, node));
        let (low, high) = (count.low, count.high);
        let (start, end) = (self.cells[step.cell as usize], if step.rises { range.high } else { range.low });
        let places = (i128::from(end) - i128::from(start)).abs() + 1;
        if places > MOST_PLACES {
            return Err("there are too many places".to_string());
        }
        // The places, as seen from where a move begins and from where it leads, what is gained and what is paid there.
        let mut held = Held::default();
        held.try_grow(COLUMNS * 8 * places as u64).map_err(|_| "its places do not fit in memory".to_string())?;
        let values: Vec<i64> = (0..places as i64).map(|place| start + sign * place).collect();
        let mut at = Columns::new(&self.formulas, place, values.clone());
        let mut to = Columns::new(&self.formulas, target, values);
        let (mut arrive, mut leave) = gains(&self.formulas, own, &mut at, &mut to, places as usize)?;
        let (over, mut stuck, mut paid) = self.over(&mut at, places as usize)?;
        let bounds = Bounds { sign, absolute: step.absolute, more: step.more, start, places: places as usize };
        let (reach, last) = match second {
            None => {
                let windows =
                    bounds.windows(&self.formulas, (low, high), guard, (&mut at, &mut to), (place, target))?;
                (bounds.reach(windows, &over), places as usize - 1)
            }
            Some(cell) => self.doubling(&bounds, (low, high), &caps, cell, &mut at, &over)?,
        };
        arrive.truncate(last + 1);
        leave.truncate(last + 1);
        stuck.truncate(last + 1);
        paid.truncate(last + 1);
        let cell = step.cell as usize;
        let rule = action.rule;
        let choice = if step.absolute { Choice::Target(-step.more) } else { Choice::Steps(-step.more) };
        Ok(ForwardGame { cell, start, rises: step.rises, choice, rule, reach, arrive, leave, stuck, paid, gives })
    }

    /// How the move shifts the place, and the second cell that it changes.
    fn step(&self, action: &Action, choice: Node) -> Result<(Step, Option<u32>), String> {
        let arena = &self.formulas.arena;
        let mut step = None;
        let mut second = None;
        for &(cell, after) in &action.after {
            let (terms, constant) = arena.linear(after);
            let factor = |wanted: Node| terms.iter().find(|term| term.0 == wanted).map(|term| term.1);
            let own = terms.iter().find(|term| *arena.op(term.0) == Op::Cell(cell)).map(|term| term.1);
            match (terms.len(), own, factor(choice), arena.op(after)) {
                (2, Some(1), Some(1), _) if step.is_none() => {
                    step = Some(Step { cell, rises: true, absolute: false, more: constant })
                }
                (2, Some(1), Some(-1), _) if step.is_none() => {
                    step = Some(Step { cell, rises: false, absolute: false, more: -constant })
                }
                (1, None, Some(1), _) if step.is_none() => {
                    let rises = self.leads_up(action, cell, constant)?;
                    step = Some(Step { cell, rises, absolute: true, more: constant })
                }
                (_, _, _, op) if second.is_none() && self.is_larger(op, cell, choice) => second = Some(cell),
                _ => return Err("the move does more than to go forward by the number chosen".to_string()),
            }
        }
        let step = step.ok_or_else(|| "the move does not go forward by the number chosen".to_string())?;
        Ok((step, second))
    }

    /// Whether a move that puts the number chosen, and so much more, into a cell makes it larger, as far as the start shows.
    fn leads_up(&self, action: &Action, cell: u32, more: i64) -> Result<bool, String> {
        let mut evaluator = Evaluator::new(&self.formulas);
        let point = Point { cells: self.cells, mover: 0, choices: &[] };
        let (low, high) =
            (evaluator.value(action.counts[0].low, &point), evaluator.value(action.counts[0].high, &point));
        let at = i128::from(self.cells[cell as usize]) - i128::from(more);
        match (i128::from(low) > at, i128::from(high) < at) {
            (true, _) => Ok(true),
            (false, true) => Ok(false),
            (false, false) => Err("a move does not lead forward".to_string()),
        }
    }

    /// Whether this is the larger of a cell and the number chosen.
    fn is_larger(&self, op: &Op, cell: u32, choice: Node) -> bool {
        let arena = &self.formulas.arena;
        let both = |a: Node, b: Node| {
            let is_own = |node: Node| *arena.op(node) == Op::Cell(cell);
            is_own(a) && b == choice || is_own(b) && a == choice
        };
        match *op {
            Op::Max(a, b) => both(a, b),
            Op::Select(when, yes, no) => match *arena.op(when) {
                Op::Lt(a, b) => both(a, b) && (yes, no) == (b, a),
                _ => false,
            },
            _ => false,
        }
    }

    /// Where an `end` rule ends the game, and what is paid where the game ends: to the player to move, less what the other gets,
    /// and to both.
    fn over(&self, at: &mut Columns<'_>, places: usize) -> Result<Endings, String> {
        let mut over = vec![false; places];
        let why = || "what is paid at the end depends on more than the place".to_string();
        let worth = |at: &mut Columns<'_>, worth: &EndResult, signs: [i64; 2]| {
            let EndResult::Gains(gains) = worth else { return Err("the end is not counted".to_string()) };
            let mut net = vec![0i64; places];
            for (gain, sign) in gains.iter().zip(signs) {
                let column = at.of(*gain).ok_or_else(why)?;
                for (place, net) in net.iter_mut().enumerate() {
                    let gain = column.at(place).checked_mul(sign);
                    *net = gain.and_then(|gain| net.checked_add(gain)).ok_or("what is paid at the end is too much")?;
                }
            }
            Ok(net)
        };
        if self.known(self.formulas.stuck.fault) != Some(0) {
            return Err("what is paid at the end may be a fault".to_string());
        }
        let mut stuck = worth(at, &self.formulas.stuck.result, [1, -1])?;
        let mut both = worth(at, &self.formulas.stuck.result, [1, 1])?;
        for case in &self.formulas.ends {
            if self.known(case.fault) != Some(0) {
                return Err("an `end` rule may be a fault".to_string());
            }
            let when = at.of(case.when).ok_or("an `end` rule asks for more than the place")?;
            let paid = worth(at, &case.result, [1, -1])?;
            let all = worth(at, &case.result, [1, 1])?;
            for place in 0..places {
                if when.at(place) != 0 && !over[place] {
                    over[place] = true;
                    stuck[place] = paid[place];
                    both[place] = all[place];
                }
            }
        }
        Ok((over, stuck, both))
    }

    /// The limits of a bound that grows, and the last place.
    fn doubling(
        &self,
        bounds: &Bounds,
        (low, high): (Node, Node),
        caps: &Caps,
        cell: u32,
        at: &mut Columns<'_>,
        over: &[bool],
    ) -> Result<(Reach, usize), String> {
        let arena = &self.formulas.arena;
        let more = || "how far a move goes depends on more than a bound".to_string();
        if bounds.more != 0 || bounds.absolute || self.known(low) != Some(1) {
            return Err(more());
        }
        let start = usize::try_from(self.cells[cell as usize]).map_err(|_| "the bound is negative")?;
        let Some(variable) = arena.find(&Op::Cell(cell)) else { return Err("the bound does not matter".to_string()) };
        let count = bounds.places.max(start + 1);
        let mut by_bound = Columns::new(&self.formulas, variable, (0..count as i64).collect());
        let (mut limits, mut last): (Option<Vec<i64>>, Option<i128>) = (None, None);
        let mut wanted = vec![high];
        wanted.extend(&caps.most);
        while let Some(node) = wanted.pop() {
            if let Op::Min(a, b) = *arena.op(node) {
                wanted.extend([a, b]);
                continue;
            }
            if let (None, Some(column)) = (arena.known(node), at.of(node)) {
                // So many places on must be one place, wherever the move begins.
                let to = |place: usize| place as i128 + i128::from(column.at(place));
                if (0..bounds.places).any(|place| to(place) != to(0)) {
                    return Err("moves do not end at one place".to_string());
                }
                last = Some(last.map_or(to(0), |last| last.min(to(0))));
            } else if let Some(column) = by_bound.of(node) {
                let more = column.list(count);
                limits = Some(match limits {
                    None => more,
                    Some(limits) => limits.into_iter().zip(more).map(|(a, b)| a.min(b)).collect(),
                });
            } else {
                return Err("how far a move goes depends on place and bound in another way".to_string());
            }
        }
        let (Some(limits), Some(last)) = (limits, last) else {
            return Err("how far a move goes does not depend on place and bound".to_string());
        };
        let last = usize::try_from(last).ok().filter(|last| *last < bounds.places).ok_or("moves leave the list")?;
        // What else is asked must hold wherever there is a place ahead, and the game must not be over there.
        for part in &caps.beside {
            let holds = at.of(*part).ok_or_else(more)?;
            if (0..last).any(|place| holds.at(place) == 0) {
                return Err(more());
            }
        }
        if over[..last].contains(&true) {
            return Err("the game may be over before the end of the list".to_string());
        }
        let limits = limits.into_iter().map(|limit| usize::try_from(limit.max(0)).unwrap_or(0)).collect();
        Ok((Reach::Doubling { cell: cell as usize, bound: start, limits }, last))
    }
}

/// What a guard asks of a move with a bound that grows.
#[derive(Default)]
struct Caps {
    /// The number chosen is at most each of these.
    most: Vec<Node>,
    /// Conditions that do not read the number.
    beside: Vec<Node>,
}

/// What a guard asks, if it is made of comparisons that the number chosen is at most something.
fn caps(arena: &mut Arena, guard: Node, choice: Node) -> Result<Caps, String> {
    let unclear = || "how far a move goes depends on more than a bound".to_string();
    let mut caps = Caps::default();
    for part in arena.conjuncts(guard) {
        if arena.known(part) == Some(1) {
            continue;
        }
        let compared = match *arena.op(part) {
            Op::Lt(a, b) => Some((a, b, true)),
            Op::Not(inner) => match *arena.op(inner) {
                Op::Lt(a, b) => Some((a, b, false)),
                _ => None,
            },
            _ => None,
        };
        let Some((a, b, holds)) =
            compared.filter(|(a, b, _)| [*a, *b].iter().all(|node| arena.range(*node) != Range::FULL))
        else {
            caps.beside.push(part);
            continue;
        };
        // a < b is 0 < b - a, and its opposite is 0 < a - b + 1
        let (small, large, more) = if holds { (a, b, 0) } else { (b, a, 1i64) };
        let ((minus, low), (mut terms, high)) = (arena.linear(small), arena.linear(large));
        for (node, factor) in minus {
            let factor = factor.checked_neg().ok_or_else(unclear)?;
            match terms.iter_mut().find(|term| term.0 == node) {
                Some(term) => term.1 = term.1.checked_add(factor).ok_or_else(unclear)?,
                None => terms.push((node, factor)),
            }
        }
        terms.retain(|term| term.1 != 0);
        let constant = high.checked_sub(low).and_then(|constant| constant.checked_add(more)).ok_or_else(unclear)?;
        match terms.iter().find(|term| term.0 == choice).map(|term| term.1) {
            None => caps.beside.push(part),
            Some(-1) => {
                terms.retain(|term| term.0 != choice);
                let most = arena.combine(&terms, constant.checked_sub(1).ok_or_else(unclear)?);
                if arena.range(most) == Range::FULL {
                    return Err(unclear());
                }
                caps.most.push(most);
            }
            Some(_) => return Err(unclear()),
        }
    }
    Ok(caps)
}

/// A gain as what reaching a place is worth less what leaving one costs.
fn gains(
    formulas: &Formulas,
    gain: Node,
    at: &mut Columns<'_>,
    to: &mut Columns<'_>,
    places: usize,
) -> Result<(Vec<i64>, Vec<i64>), String> {
    let (terms, constant) = formulas.arena.linear(gain);
    let (mut arrive, mut leave) = (vec![constant; places], vec![0i64; places]);
    let large = || "the numbers are too large".to_string();
    for (node, factor) in terms {
        let (list, column, factor) = match (to.of(node), at.of(node)) {
            (Some(column), _) => (&mut arrive, column, Some(factor)),
            (None, Some(column)) => (&mut leave, column, factor.checked_neg()),
            (None, None) => return Err("what is gained does not come apart by place".to_string()),
        };
        let factor = factor.ok_or_else(large)?;
        for (place, number) in list.iter_mut().enumerate() {
            let more = column.at(place).checked_mul(factor).ok_or_else(large)?;
            *number = number.checked_add(more).ok_or_else(large)?;
        }
    }
    Ok((arrive, leave))
}

/// Reads from where to where moves lead.
struct Bounds {
    sign: i64,
    absolute: bool,
    more: i64,
    start: i64,
    places: usize,
}

impl Bounds {
    /// For each place the first and the last place that a move leads to, counted from the start.
    fn windows(
        &self,
        formulas: &Formulas,
        (low, high): (Node, Node),
        guard: Node,
        (at, to): (&mut Columns<'_>, &mut Columns<'_>),
        (place, target): (Node, Node),
    ) -> Result<Vec<(i128, i128)>, String> {
        let unclear = || "from where to where a move leads depends on more than the place".to_string();
        let (low, high) = (at.of(low).ok_or_else(unclear)?, at.of(high).ok_or_else(unclear)?);
        let (low, high) = if self.absolute && self.sign < 0 { (high, low) } else { (low, high) };
        let step = |column: &Column, index: usize| {
            let number = i128::from(column.at(index)) + i128::from(self.more);
            match self.absolute {
                true => i128::from(self.sign) * (number - i128::from(self.start)),
                false => index as i128 + number,
            }
        };
        // A move that leaves the list is a fault, and this one never is: its guard does not hold there.
        let last = self.places as i128 - 1;
        let mut windows: Vec<(i128, i128)> =
            (0..self.places).map(|index| (step(&low, index), step(&high, index).min(last))).collect();
        for part in formulas.arena.conjuncts(guard) {
            if let Some(holds) = at.of(part) {
                for (index, window) in windows.iter_mut().enumerate() {
                    if holds.at(index) == 0 {
                        *window = (1, 0);
                    }
                }
            } else if let Some(holds) = to.of(part) {
                let first = (0..self.places).find(|&index| holds.at(index) != 0).unwrap_or(self.places);
                let end = (first..self.places).find(|&index| holds.at(index) == 0).unwrap_or(self.places);
                if (end..self.places).any(|index| holds.at(index) != 0) {
                    return Err("a move leads to places with gaps between them".to_string());
                }
                for window in &mut windows {
                    *window = (window.0.max(first as i128), window.1.min(end as i128 - 1));
                }
            } else {
                self.compare(formulas, part, (place, target), &mut windows).ok_or_else(unclear)?;
            }
        }
        for (index, window) in windows.iter().enumerate() {
            let empty = window.0 > window.1;
            if !empty && window.0 <= index as i128 {
                return Err("a move does not lead forward".to_string());
            }
        }
        Ok(windows)
    }

    /// Takes in a comparison of place and target.
    fn compare(
        &self,
        formulas: &Formulas,
        part: Node,
        (place, target): (Node, Node),
        windows: &mut [(i128, i128)],
    ) -> Option<()> {
        let arena = &formulas.arena;
        let (a, b, holds) = match *arena.op(part) {
            Op::Lt(a, b) => (a, b, true),
            Op::Not(inner) => match *arena.op(inner) {
                Op::Lt(a, b) => (a, b, false),
                _ => return None,
            },
            _ => return None,
        };
        if [a, b].iter().any(|node| arena.range(*node) == Range::FULL) {
            return None;
        }
        // a < b is 0 < p · target + q · place + r
        let (mut p, mut q, mut r) = (0i128, 0i128, 0i128);
        for (node, sign) in [(a, -1i128), (b, 1)] {
            let (terms, constant) = arena.linear(node);
            r += sign * i128::from(constant);
            for (term, factor) in terms {
                match term {
                    _ if term == target => p += sign * i128::from(factor),
                    _ if term == place => q += sign * i128::from(factor),
                    _ => return None,
                }
            }
        }
        // The same in places counted from the start.
        let (start, sign) = (i128::from(self.start), i128::from(self.sign));
        r += (p + q) * start;
        (p, q) = (p * sign, q * sign);
        if !holds {
            // not 0 < e is 0 < 1 - e
            (p, q, r) = (-p, -q, 1 - r);
        }
        for (index, window) in windows.iter_mut().enumerate() {
            let rest = q * index as i128 + r;
            // p · t > -rest
            match p.signum() {
                1 => window.0 = window.0.max((-rest).div_euclid(p) + 1),
                -1 => window.1 = window.1.min((rest - 1).div_euclid(-p)),
                _ => return None,
            }
        }
        Some(())
    }

    /// The windows in their shortest form; there is none where the game is over.
    fn reach(&self, windows: Vec<(i128, i128)>, over: &[bool]) -> Reach {
        let last = self.places as i128 - 1;
        let windows: Vec<(i128, i128)> =
            windows.into_iter().zip(over).map(|(window, over)| if *over { (1, 0) } else { window }).collect();
        let is_empty = |window: &(i128, i128)| window.0 > window.1;
        let shifts = (0..).zip(&windows).filter(|(_, window)| !is_empty(window));
        let least = shifts.clone().map(|(index, window)| window.0 - index).next().unwrap_or(1);
        let most = shifts.map(|(index, window)| window.1 - index).max().unwrap_or(1);
        let fixed = |most: i128| {
            (0..).zip(&windows).all(|(index, window)| {
                let wanted = (index + least, (index + most).min(last));
                is_empty(window) && is_empty(&wanted) || *window == wanted
            })
        };
        let place = |place: i128| usize::try_from(place).unwrap_or(0);
        if fixed(last) {
            return Reach::Fixed { least: place(least), most: None };
        }
        if fixed(most) {
            return Reach::Fixed { least: place(least), most: Some(place(most)) };
        }
        let plain = |window: &(i128, i128)| if is_empty(window) { (1, 0) } else { *window };
        let (from, to) = windows.iter().map(plain).map(|(from, to)| (place(from), place(to))).unzip();
        Reach::Each { from, to }
    }
}
