//! Reads the lists of a position: how many items each has, at which ends it is open, and what the items are.

use formula::{EndResult, Formulas, Node, Op};
use rows::taking;
use rows::triangle::Gains;
use rules::stop::{Held, look};

use super::dependence::{Dependence, Dependences, On, View};
use super::game::{Ends, Extra, List, Numbers, RowGame};
use super::shape::{End, Shape};

/// So many items are worked out between two looks at the stop button.
const LOOK_EVERY: u64 = 1 << 12;

/// Reads the lists of one shape, part after part.
pub struct Reader<'r, 'v> {
    pub formulas: &'v Formulas,
    pub shape: &'v Shape,
    pub dependences: &'v Dependences<'v>,
    pub view: View<'v>,
    /// Whether this list is the whole position.
    pub is_whole: bool,
    /// What is gained at each end with every item, beside what its formula for items says.
    pub plus: [i64; 2],
    /// The gains of a row that depend on both ends.
    pub crossed: Option<Gains>,
    pub game: &'r mut RowGame,
}

impl<'v> Reader<'_, 'v> {
    /// Reads the list of one part.
    pub fn list(&mut self, part: usize, start: &'v [i64]) -> Result<(), String> {
        self.view.restart(start);
        let steps: Vec<u64> = (0..self.shape.ends.len()).map(|end| self.steps_within(start, end)).collect();
        let most = steps.iter().fold(0u64, |sum, steps| sum.saturating_add(*steps));
        let over = if self.is_whole { self.over(most)? } else { u64::MAX };
        let mut lengths = Vec::new();
        for end in &self.shape.ends {
            lengths.push(self.legal(end.guard, most)?.min(over));
        }
        let length = lengths.iter().copied().max().unwrap_or(0);
        if length >= most.saturating_add(1) {
            return Err("moves do not end where the items do".to_string());
        }
        self.closed(length, over)?;
        for (index, end) in self.shape.ends.iter().enumerate() {
            self.guarded(end, lengths[index])?;
            self.stays_closed(end.guard, lengths[index], length)?;
            // Where the game is over, nobody looks at moves.
            let last = if over <= length { length.checked_sub(1) } else { Some(length) };
            if last.is_some_and(|last| !self.view.never(end.fault, last)) {
                return Err("a move may be a fault".to_string());
            }
        }
        let (near, far) = open_ends(&lengths)?;
        self.extras(near, far, length)?;
        let (left, ends) = self.ends(near, far, &lengths);
        let (numbers, from) = match &ends {
            Ends::Top(_) => self.stack(near, length)?,
            Ends::Both { last, .. } => match self.row((left, 1 - left), (lengths[left], lengths[1 - left])) {
                Err(_) if self.is_whole && last.is_none() => {
                    self.crossed = Some(self.gains(left, 1 - left, length)?);
                    (Numbers::Made, 0)
                }
                found => found?,
            },
        };
        let mut steps = self.oriented(left);
        if matches!(ends, Ends::Top(_)) {
            steps.retain(|step| step.2 != 0);
            steps.iter_mut().for_each(|step| step.1 = 0);
        }
        self.game.lists.push(List { part, numbers, from, length, ends, start: start.into(), steps });
        if self.is_whole {
            self.game.paid = self.paid(length)?;
        }
        Ok(())
    }

    /// The ends in the order of the row, and which of them is the left one: where only one is open, the other is.
    fn ends(&self, near: usize, far: Option<usize>, lengths: &[u64]) -> (usize, Ends) {
        let hand = |end: usize| self.shape.ends[end].hand.clone();
        let Some(far) = far else { return (1 - near, Ends::Top(hand(near))) };
        // The end that reads forward is the left one, so that nothing need be copied.
        let (left, right) = match (self.reads(near), self.reads(far)) {
            (Some((_, _, -1)), Some((_, _, 1))) => (far, near),
            _ => (near, far),
        };
        let length = lengths.iter().copied().max().unwrap_or(0);
        let last = match (lengths[left] == length, lengths[right] == length) {
            (true, true) => None,
            (true, false) => Some(taking::End::Left),
            _ => Some(taking::End::Right),
        };
        (left, Ends::Both { left: hand(left), right: hand(right), last })
    }

    /// Sees to it that an `end` rule does not hold before the items of the list that was read last are gone; marks those of
    /// its conditions that are about how many of them are gone.
    pub fn waits(&mut self, asked: &mut [(Node, bool)]) -> Result<(), String> {
        let length = self.game.lists.last().map_or(0, |list| list.length);
        let mut waits = length == 0;
        for (part, counted) in asked {
            if matches!(self.on(*part), On::Nothing | On::Count) {
                *counted = true;
                waits =
                    waits || self.view.runs(*part, length - 1).is_some_and(|runs| runs.iter().all(|run| run.1 == 0));
            }
        }
        if waits { Ok(()) } else { Err("an `end` rule may end the game".to_string()) }
    }

    /// The steps, those of the left end first.
    fn oriented(&self, left: usize) -> Vec<(u32, i64, i64)> {
        let cells = (0u32..).zip(&self.shape.steps.cells);
        let steps =
            cells.filter_map(|(cell, step)| step.map(|(a, b)| if left == 0 { (cell, a, b) } else { (cell, b, a) }));
        steps.filter(|(_, left, right)| (*left, *right) != (0, 0)).collect()
    }

    /// How many steps stay within the domains of the cells.
    fn steps_within(&self, start: &[i64], end: usize) -> u64 {
        let mut most = u64::MAX;
        for ((step, range), &at) in self.shape.steps.cells.iter().zip(&self.formulas.cells).zip(start) {
            let by = step.map_or(0, |(near, far)| if end == 0 { near } else { far });
            let room = match by {
                0 => continue,
                1.. => range.high.saturating_sub(at),
                _ => at.saturating_sub(range.low),
            };
            most = most.min(u64::try_from(room).unwrap_or(0) / by.unsigned_abs());
        }
        most
    }

    /// After how many moves an `end` rule ends the game; the largest number if none does.
    fn over(&mut self, most: u64) -> Result<u64, String> {
        let mut first = u64::MAX;
        for case in &self.formulas.ends {
            if !self.view.never(case.fault, most) {
                return Err("an `end` rule may be a fault".to_string());
            }
            let Some(runs) = self.counted(case.when, most) else {
                return Err("an `end` rule asks for more than how many items are gone".to_string());
            };
            first = runs.iter().find(|run| run.1 != 0).map_or(first, |run| first.min(run.0));
        }
        Ok(first)
    }

    /// A node that depends on how many items are gone in all.
    fn counted(&mut self, node: Node, last: u64) -> Option<Vec<(u64, i64)>> {
        match self.on(node) {
            On::Nothing | On::Count => self.view.runs(node, last),
            _ => None,
        }
    }

    /// What a node depends on. With one end only, its count is the count of all.
    fn on(&self, node: Node) -> On {
        match (self.dependences.on(node), self.shape.ends.len()) {
            (On::Near | On::Count, 1) => On::Count,
            (on, _) => on,
        }
    }

    /// For how many moves a guard holds, as far as it depends on how many items are gone in all.
    fn legal(&mut self, guard: Node, most: u64) -> Result<u64, String> {
        let mut length = most.saturating_add(1);
        for part in self.formulas.arena.conjuncts(guard) {
            if matches!(self.on(part), On::Nothing | On::Count) {
                let runs = self.view.runs(part, most).ok_or("it takes too long to see when a move is legal")?;
                length = runs.iter().find(|run| run.1 == 0).map_or(length, |run| length.min(run.0));
            }
        }
        Ok(length)
    }

    /// Sees to it that nothing can be taken when the items are gone.
    fn closed(&mut self, length: u64, over: u64) -> Result<(), String> {
        if over <= length {
            return Ok(());
        }
        for end in &self.shape.ends {
            let holds = |view: &mut View<'_>, part: &Node| view.at(*part, length, 0) != 0;
            let parts = self.formulas.arena.conjuncts(end.guard);
            let counted = parts.iter().filter(|part| matches!(self.on(**part), On::Nothing | On::Count));
            let counted: Vec<Node> = counted.copied().collect();
            if counted.iter().all(|part| holds(&mut self.view, part)) {
                return Err("a move is legal when the items are gone".to_string());
            }
        }
        Ok(())
    }

    /// Sees to it that an end that has closed does not open again as long as there are items.
    fn stays_closed(&mut self, guard: Node, closed: u64, length: u64) -> Result<(), String> {
        if closed >= length {
            return Ok(());
        }
        // For each condition on how many items are gone, from where to where it fails.
        let mut failing: Vec<(u64, u64)> = Vec::new();
        for part in self.formulas.arena.conjuncts(guard) {
            if matches!(self.on(part), On::Nothing | On::Count) {
                let runs = self.view.runs(part, length - 1).ok_or("it takes too long to see when a move is legal")?;
                for (index, &(from, holds)) in runs.iter().enumerate() {
                    let to = runs.get(index + 1).map_or(length, |next| next.0);
                    if holds == 0 {
                        failing.push((from, to));
                    }
                }
            }
        }
        failing.sort_unstable();
        let end = failing.iter().fold(closed, |end, &(from, to)| if from <= end { end.max(to) } else { end });
        if end < length {
            return Err("an end that has closed opens again".to_string());
        }
        Ok(())
    }

    /// Sees to it that a guard asks for nothing that fails earlier.
    fn guarded(&mut self, end: &End, length: u64) -> Result<(), String> {
        if length == 0 {
            return Ok(());
        }
        for part in self.formulas.arena.conjuncts(end.guard) {
            let asked = match self.on(part) {
                On::Nothing | On::Count => continue,
                On::Near | On::Far => self.view.runs(part, length - 1),
                On::Both => None,
            };
            if asked.is_none_or(|runs| runs.iter().any(|run| run.1 == 0)) {
                return Err("whether a move is legal depends on which items are gone".to_string());
            }
        }
        Ok(())
    }

    /// Takes in what is gained whatever is taken; it must be the same at both ends. What is gained mostly counts as part of
    /// the items.
    fn extras(&mut self, near: usize, far: Option<usize>, length: u64) -> Result<(), String> {
        let arena = &self.formulas.arena;
        self.plus = [0; 2];
        let known = |end: usize| arena.known(self.shape.ends[end].extra) == Some(0);
        if known(near) && far.is_none_or(known) || length == 0 {
            return Ok(());
        }
        if !self.is_whole {
            return Err("what is gained depends on how many items are left".to_string());
        }
        let mut found: Option<Vec<(u64, i64)>> = None;
        for end in [near].into_iter().chain(far) {
            let runs = self.view.runs(self.shape.ends[end].extra, length - 1);
            let mut runs = runs.ok_or("it takes too long to see what is gained beside the items")?;
            let longest = (0..runs.len()).rev().max_by_key(|&run| {
                let next = runs.get(run + 1).map_or(length, |next| next.0);
                next - runs[run].0
            });
            let most = longest.map_or(0, |run| runs[run].1);
            runs.iter_mut().for_each(|run| run.1 = run.1.wrapping_sub(most));
            self.plus[end] = most;
            if found.is_some_and(|found| found != runs) {
                return Err("what is gained beside the items differs by end".to_string());
            }
            found = Some(runs);
        }
        self.game.extra = Extra::new(found.unwrap_or_default(), length);
        Ok(())
    }

    /// Where all gains of an end are those of one list of the instance: which, where, and in which direction.
    fn reads(&self, end: usize) -> Option<(u32, Node, i64)> {
        let (terms, constant) = &self.shape.ends[end].item;
        let [(node, 1)] = terms[..] else { return None };
        let Op::Load(list, index) = *self.formulas.arena.op(node) else { return None };
        match (self.dependences.of(index), end) {
            _ if constant.wrapping_add(self.plus[end]) != 0 => None,
            (Dependence::Steady(step @ (1 | -1), 0), 0) | (Dependence::Steady(0, step @ (1 | -1)), 1) => {
                Some((list, index, step))
            }
            _ => None,
        }
    }

    /// The items that an end reads, as a stretch of a list of the instance.
    fn stretch(&mut self, end: usize, wanted: i64, length: u64) -> Option<(Numbers, u64)> {
        let (list, index, step) = self.reads(end).filter(|reads| reads.2 == wanted)?;
        let first = i128::from(self.view.base(index));
        let from = if step == 1 { first } else { first + 1 - i128::from(length) };
        let from = u64::try_from(from).ok()?;
        let held = self.formulas.lists[list as usize].len() as u64;
        (from.checked_add(length)? <= held).then_some((Numbers::Given(list), from))
    }

    /// The items of a list that is open at one end, which is its top: the last item.
    fn stack(&mut self, end: usize, length: u64) -> Result<(Numbers, u64), String> {
        if let Some(found) = self.stretch(end, -1, length) {
            return Ok(found);
        }
        let mut items = self.series(end, length)?;
        items.reverse();
        Ok(self.made(items))
    }

    /// The items of a list that is open at both ends, for so many moves each. They must be the same from either side.
    fn row(
        &mut self,
        (left, right): (usize, usize),
        (from_left, from_right): (u64, u64),
    ) -> Result<(Numbers, u64), String> {
        if from_left == from_right
            && let Some(forward) = self.stretch(left, 1, from_left)
            && Some(forward) == self.stretch(right, -1, from_right)
        {
            return Ok(forward);
        }
        let mut items = self.series(left, from_left)?;
        let mut mirrored = self.series(right, from_right)?;
        let (short, long) = match items.len() < mirrored.len() {
            true => (&items, &mirrored),
            false => (&mirrored, &items),
        };
        // The shorter one lacks the last item at most.
        if !short.iter().rev().eq(&long[long.len() - short.len()..]) {
            return Err("the two ends do not gain the items of one list".to_string());
        }
        if items.len() < mirrored.len() {
            mirrored.reverse();
            items = mirrored;
        }
        Ok(self.made(items))
    }

    /// The gains of a row, as each end contributes to them.
    fn gains(&mut self, left: usize, right: usize, length: u64) -> Result<Gains, String> {
        let [near, far] = if left == 0 { [On::Near, On::Far] } else { [On::Far, On::Near] };
        let first = [self.part(left, near, length)?, self.part(left, far, length)?];
        let last = [self.part(right, near, length)?, self.part(right, far, length)?];
        // What the right end contributes is counted from there.
        let [[first_i, mut first_j], [last_i, mut last_j]] = [first, last];
        first_j.reverse();
        last_j.reverse();
        Gains::sums([&first_i, &first_j], [&last_i, &last_j]).map_err(|error| error.to_string())
    }

    fn made(&mut self, items: Vec<i64>) -> (Numbers, u64) {
        let from = self.game.made.len() as u64;
        self.game.made.extend(items);
        (Numbers::Made, from)
    }

    /// What an end gains for each item, from its own side on.
    fn series(&mut self, end: usize, length: u64) -> Result<Vec<i64>, String> {
        let own = if end == 0 { On::Near } else { On::Far };
        let mut terms = self.shape.ends[end].item.0.iter().map(|(node, _)| self.dependences.on(*node));
        if terms.any(|on| on != On::Nothing && on != own) {
            return Err("what is gained depends on the other end".to_string());
        }
        self.part(end, own, length)
    }

    /// What one end contributes to the gains at an end, as its items go.
    fn part(&mut self, end: usize, on: On, length: u64) -> Result<Vec<i64>, String> {
        let own = if end == 0 { On::Near } else { On::Far };
        let (terms, constant) = &self.shape.ends[end].item;
        let constant = if on == own { constant.wrapping_add(self.plus[end]) } else { 0 };
        let bytes = length.checked_mul(8).ok_or("there are too many items")?;
        Held::default().try_grow(bytes).map_err(|_| "its items do not fit in memory")?;
        let mut items = vec![constant; usize::try_from(length).map_err(|_| "there are too many items")?];
        for &(node, factor) in terms {
            let depends = self.dependences.on(node);
            if depends == On::Nothing && on == own {
                let fixed = self.view.base(node).wrapping_mul(factor);
                items.iter_mut().for_each(|item| *item = item.wrapping_add(fixed));
                continue;
            }
            if depends != on {
                continue;
            }
            match *self.formulas.arena.op(node) {
                Op::Load(list, index) if let Dependence::Steady(a, b) = self.dependences.of(index) => {
                    let list = &self.formulas.lists[list as usize];
                    let (mut at, step) = (self.view.base(index), if on == On::Near { a } else { b });
                    for item in &mut items {
                        let number = usize::try_from(at).ok().and_then(|at| list.get(at)).copied().unwrap_or(0);
                        *item = item.wrapping_add(number.wrapping_mul(factor));
                        at = at.wrapping_add(step);
                    }
                }
                _ => {
                    for (count, item) in (0u64..).zip(&mut items) {
                        if count.is_multiple_of(LOOK_EVERY) && look().is_err() {
                            return Err("reading its items was stopped".to_string());
                        }
                        let number = match on {
                            On::Near => self.view.at(node, count, 0),
                            _ => self.view.at(node, 0, count),
                        };
                        *item = item.wrapping_add(number.wrapping_mul(factor));
                    }
                }
            }
        }
        Ok(items)
    }

    /// What is paid to the player to move and to the other one when all items of the only list are gone.
    fn paid(&mut self, length: u64) -> Result<(i64, i64), String> {
        let mut cases = self.formulas.ends.iter();
        let case = cases.find(|case| self.view.at(case.when, length, 0) != 0).unwrap_or(&self.formulas.stuck);
        if !self.view.never(case.fault, length) {
            return Err("what is paid at the end may be a fault".to_string());
        }
        let EndResult::Gains(gains) = &case.result else { return Err("the end is not counted".to_string()) };
        let mut pay = [0; 2];
        for (pay, node) in pay.iter_mut().zip(gains) {
            if !matches!(self.on(*node), On::Nothing | On::Count) {
                return Err("what is paid at the end depends on the play".to_string());
            }
            *pay = self.view.at(*node, length, 0);
        }
        Ok((pay[0], pay[1]))
    }
}

/// The ends that are open, by the number of items that each gives; both close together, but for the last item.
fn open_ends(lengths: &[u64]) -> Result<(usize, Option<usize>), String> {
    let length = lengths.iter().copied().max().unwrap_or(0);
    let open: Vec<usize> = (0..lengths.len()).filter(|&end| lengths[end] > 0).collect();
    let (near, far) = match open[..] {
        [] => (0, None),
        [end] => (end, None),
        _ if lengths.iter().all(|own| own + 1 >= length) => (0, Some(1)),
        _ => return Err("one end closes before the other".to_string()),
    };
    if far.is_none() && lengths[near] < length {
        return Err("one end closes before the other".to_string());
    }
    Ok((near, far))
}
