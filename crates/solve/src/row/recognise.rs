//! From rules to rows: whether a position is lists of numbers of which a move takes one from an open end.
//!
//! Nothing is asked of the spelling. Every action must shift the cells by a fixed step; actions that share cells are the two
//! ends of one list. Then every position is the start plus so many steps of each, and the formulas must depend on these
//! counts as those of a row do: what is gained at an end depends on how many items are gone from that end, both ends read the
//! same items, and whether a move is legal depends on how many are gone in all. A gain that depends on the time alone (a
//! bonus for the last item, say) is the same for whatever is taken, and is added to the value.

use std::collections::HashSet;

use formula::rewrite::Rewrite;
use formula::specialise::Limits;
use formula::{Action, Arena, Formulas, Node, Op, Worth};
use rows::taking;
use rules::bind::{Bound, Position};

use super::dependence::{Dependence, Dependences, On, Steps, View, conjuncts};
use super::game::{Ends, Extra, Hand, List, Numbers, RowGame};

/// Lists that one position without parts may have.
const MOST_LISTS: usize = 4096;
/// Items in all.
const MOST_ITEMS: u64 = 1 << 32;

/// The rows that rules describe, or why they describe none; a part of a sentence.
pub(crate) fn recognise(bound: &Bound, start: &Position) -> Result<RowGame, String> {
    let limits = Limits { known_choices: 2 * MOST_LISTS, varying_choices: 1, ..Limits::default() };
    let formulas = formula::specialise::specialise_within(bound, limits).map_err(|why| why.to_string())?;
    let sum = bound.program.sum.is_some();
    from_formulas(formulas, &start.parts, sum)
}

fn from_formulas(mut formulas: Formulas, starts: &[Box<[i64]>], sum: bool) -> Result<RowGame, String> {
    if formulas.reads_mover {
        return Err("the rules differ by player".to_string());
    }
    if !formulas.counted || formulas.players != 2 {
        return Err("rows are counted, and for two players".to_string());
    }
    let mover = formulas.arena.mover(2);
    let first = formulas.arena.number(0);
    Rewrite::new(&[(mover, first)]).formulas(&mut formulas);
    let shapes = shapes(&mut formulas)?;
    let mut game = RowGame {
        lists: Vec::new(),
        given: Vec::new(),
        made: Vec::new(),
        extra: Extra::default(),
        paid: (0, 0),
        why: String::new(),
    };
    let alone = shapes.len() == 1 && !sum;
    for shape in &shapes {
        let dependences = Dependences::new(&formulas.arena, &shape.steps);
        let view = View::new(&formulas, &dependences, starts.first().map_or(&[][..], |part| part));
        let mut reader = Reader {
            formulas: &formulas,
            dependences: &dependences,
            shape,
            view,
            alone,
            plus: [0; 2],
            game: &mut game,
        };
        for (part, start) in starts.iter().enumerate() {
            reader.list(part, start)?;
        }
    }
    // In the order of the position: by part, then by list within it.
    game.lists.sort_by_key(|list| list.part);
    if !alone {
        game.paid = fixed_end(&formulas)?;
    }
    if game.items() > MOST_ITEMS {
        return Err("there are too many items".to_string());
    }
    game.given = formulas.lists;
    game.why = game.told();
    Ok(game)
}

/// What is paid where nobody can move, in a game of several lists.
fn fixed_end(formulas: &Formulas) -> Result<(i64, i64), String> {
    let arena = &formulas.arena;
    if formulas.ends.iter().any(|end| arena.known(end.when) != Some(0) || arena.known(end.fault) != Some(0)) {
        return Err("an `end` rule may end the game".to_string());
    }
    if arena.known(formulas.stuck.fault) != Some(0) {
        return Err("what is paid at the end may be a fault".to_string());
    }
    let Worth::Gains(gains) = &formulas.stuck.result else { return Err("the end is not counted".to_string()) };
    let pay = |player: usize| gains.get(player).map_or(Some(0), |node| arena.known(*node));
    pay(0).zip(pay(1)).ok_or_else(|| "what is paid at the end depends on the play".to_string())
}

/// A list within a part: its moves, and how they shift the cells.
struct Shape {
    /// One or two actions.
    ends: Vec<End>,
    steps: Steps,
}

/// One move of a list.
struct End {
    hand: Hand,
    guard: Node,
    fault: Node,
    /// What is gained, as it depends on how many items are gone from this end: Σ factor · node + constant.
    item: (Vec<(Node, i64)>, i64),
    /// What is gained, as it depends on how many are gone in all.
    extra: Node,
}

fn shapes(formulas: &mut Formulas) -> Result<Vec<Shape>, String> {
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
    if action.split.is_some() {
        return Err("a move splits a part".to_string());
    }
    if arena.known(action.turn) != Some(1) {
        return Err("a player may move again".to_string());
    }
    let mut shifts = Vec::new();
    for (cell, after) in &action.after {
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
    // An `end` rule is about all the cells that it reads together.
    let ended = cells_read(&formulas.arena, formulas.ends.iter().map(|end| end.when));
    let one = |cell: u32| if ended.contains(&cell) { ended[0] } else { cell } as usize;
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
    if arena.known(other) != Some(0) {
        return Err("a move gives something to the other player".to_string());
    }
    let (item, extra) = split(arena, steps, own)?;
    let choices = action.choices.iter().map(|node| node.and_then(|node| arena.known(node))).collect();
    let hand = Hand { rule: action.rule, choices, place: index };
    Ok(End { hand, guard: action.guard, fault: action.fault, item, extra })
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

/// Reads the lists of one shape, part after part.
struct Reader<'r, 'v> {
    formulas: &'v Formulas,
    shape: &'v Shape,
    dependences: &'v Dependences<'v>,
    view: View<'v>,
    /// Whether this list is the whole position.
    alone: bool,
    /// What is gained at each end with every item, beside what its formula for items says.
    plus: [i64; 2],
    game: &'r mut RowGame,
}

impl<'v> Reader<'_, 'v> {
    fn list(&mut self, part: usize, start: &'v [i64]) -> Result<(), String> {
        self.view.restart(start);
        let steps: Vec<u64> = (0..self.shape.ends.len()).map(|end| self.steps_within(start, end)).collect();
        let most = steps.iter().fold(0u64, |sum, steps| sum.saturating_add(*steps));
        let over = if self.alone { self.over(most)? } else { u64::MAX };
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
            // Where the game is over, nobody looks at moves.
            let last = if over <= length { length.checked_sub(1) } else { Some(length) };
            if last.is_some_and(|last| !self.view.never(end.fault, last)) {
                return Err("a move may be a fault".to_string());
            }
        }
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
        self.extras(near, far, length)?;
        let hand = |end: usize| self.shape.ends[end].hand.clone();
        let (left, ends) = match far {
            None => (1 - near, Ends::Top(hand(near))),
            Some(far) => {
                // The end that reads forward is the left one, so that nothing need be copied.
                let (left, right) = match (self.reads(near), self.reads(far)) {
                    (Some((_, _, -1)), Some((_, _, 1))) => (far, near),
                    _ => (near, far),
                };
                let last = match (lengths[left] == length, lengths[right] == length) {
                    (true, true) => None,
                    (true, false) => Some(taking::End::Left),
                    _ => Some(taking::End::Right),
                };
                (left, Ends::Both { left: hand(left), right: hand(right), last })
            }
        };
        let (numbers, from) = match &ends {
            Ends::Top(_) => self.stack(near, length)?,
            Ends::Both { .. } => self.row((left, 1 - left), (lengths[left], lengths[1 - left]))?,
        };
        let mut steps = self.oriented(left);
        if matches!(ends, Ends::Top(_)) {
            steps.retain(|step| step.2 != 0);
            steps.iter_mut().for_each(|step| step.1 = 0);
        }
        self.game.lists.push(List { part, numbers, from, length, ends, start: start.into(), steps });
        if self.alone {
            self.game.paid = self.paid(length)?;
        }
        Ok(())
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
        for part in conjuncts(&self.formulas.arena, guard) {
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
            let parts = conjuncts(&self.formulas.arena, end.guard);
            let counted = parts.iter().filter(|part| matches!(self.on(**part), On::Nothing | On::Count));
            let counted: Vec<Node> = counted.copied().collect();
            if counted.iter().all(|part| holds(&mut self.view, part)) {
                return Err("a move is legal when the items are gone".to_string());
            }
        }
        Ok(())
    }

    /// Sees to it that a guard asks for nothing that fails earlier.
    fn guarded(&mut self, end: &End, length: u64) -> Result<(), String> {
        if length == 0 {
            return Ok(());
        }
        for part in conjuncts(&self.formulas.arena, end.guard) {
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
        if !self.alone {
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

    fn made(&mut self, items: Vec<i64>) -> (Numbers, u64) {
        let from = self.game.made.len() as u64;
        self.game.made.extend(items);
        (Numbers::Made, from)
    }

    /// What an end gains for each item, from its own side on.
    fn series(&mut self, end: usize, length: u64) -> Result<Vec<i64>, String> {
        let own = if end == 0 { On::Near } else { On::Far };
        let (terms, constant) = &self.shape.ends[end].item;
        let constant = constant.wrapping_add(self.plus[end]);
        let mut items = vec![constant; usize::try_from(length).map_err(|_| "there are too many items")?];
        for &(node, factor) in terms {
            let on = self.dependences.on(node);
            if on == On::Nothing {
                let fixed = self.view.base(node).wrapping_mul(factor);
                items.iter_mut().for_each(|item| *item = item.wrapping_add(fixed));
                continue;
            }
            if on != own {
                return Err("what is gained depends on the other end".to_string());
            }
            match *self.formulas.arena.op(node) {
                Op::Load(list, index) if let Dependence::Steady(a, b) = self.dependences.of(index) => {
                    let list = &self.formulas.lists[list as usize];
                    let (mut at, step) = (self.view.base(index), if end == 0 { a } else { b });
                    for item in &mut items {
                        let number = usize::try_from(at).ok().and_then(|at| list.get(at)).copied().unwrap_or(0);
                        *item = item.wrapping_add(number.wrapping_mul(factor));
                        at = at.wrapping_add(step);
                    }
                }
                _ => {
                    for (count, item) in (0..).zip(&mut items) {
                        let number = match end {
                            0 => self.view.at(node, count, 0),
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
        let Worth::Gains(gains) = &case.result else { return Err("the end is not counted".to_string()) };
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
