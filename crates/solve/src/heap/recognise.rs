//! From rules to a heap game: whether the one variable of a position only shifts, or is taken from and split.
//!
//! Every action must be understood, and none may be able to go wrong; then the pieces are put together into a
//! [`Subtraction`] or a [`TakeAndBreak`]. Choices over short lists are made one by one where they are not linear.

use std::collections::BTreeMap;

use formula::rewrite::{Rewrite, action_nodes};
use formula::{Action, Arena, Case, Count, Formulas, Node, Op, Range, Worth};
use heaps::subtraction::{Subtraction, Takes};
use heaps::take_break::{Digit, MOST_DIGITS, Split, TakeAndBreak};

use super::linear::{Conditions, Linear, Sense, Variable};
use super::piece::{Difference, Piece, Raw};

/// Choices that are made one by one, over all actions.
const MOST_CHOICES: usize = 1 << 16;
/// Numbers that are taken and listed one by one.
const MOST_TAKES: usize = 1 << 16;
/// Heaps that may have no move and are looked at one by one.
const MOST_STUCK: i64 = 1 << 12;

/// A heap game, as the library of heaps knows it.
#[derive(Clone, Debug)]
pub enum HeapGame {
    /// A move takes from the heap.
    Shift(Subtraction),
    /// A move takes from the heap and may leave it in two or three.
    Break(TakeAndBreak),
}

/// A heap game found in rules.
#[derive(Clone, Debug)]
pub(crate) struct Recognised {
    pub game: HeapGame,
    /// Which cell of a part is the heap.
    pub cell: usize,
    /// Where the heap is what the cell lacks to a whole: the whole.
    pub whole: Option<i64>,
    pub(super) pieces: Vec<Piece>,
    /// How many choices the rules try in a part, legal or not.
    pub choices: f64,
    /// How it is known, in words.
    pub why: String,
}

impl Recognised {
    /// The heap that a part is; `None` if it is none.
    pub fn heap(&self, part: &[i64]) -> Option<u64> {
        let cell = part.get(self.cell).copied().unwrap_or(0);
        u64::try_from(self.whole.map_or(Some(cell), |whole| whole.checked_sub(cell))?).ok()
    }

    /// Puts a heap in the place of the one in the cells of a part; `None` if it does not fit.
    pub fn put(&self, heap: u64, part: &mut [i64]) -> Option<()> {
        let heap = i64::try_from(heap).ok()?;
        *part.get_mut(self.cell)? = self.whole.map_or(Some(heap), |whole| whole.checked_sub(heap))?;
        Some(())
    }
}

/// The heap game that formulas describe; otherwise why they do not. A number that only grows, up to an end, is a heap as
/// well: what is left up to the end.
pub(crate) fn recognise(formulas: &Formulas, misere: bool) -> Result<Recognised, String> {
    downward(formulas, misere).or_else(|why| {
        let (mirrored, whole) = mirrored(formulas).ok_or(why.clone())?;
        let found = downward(&mirrored, misere).map_err(|_| why)?;
        let why = format!("what is left up to {whole} is a heap; {}", found.why);
        Ok(Recognised { whole: Some(whole), why, ..found })
    })
}

/// The cell that is not the same in all positions, and its range.
fn heap_cell(formulas: &Formulas) -> Result<(usize, Range), String> {
    let open: Vec<usize> = (0..formulas.cells.len()).filter(|&cell| formulas.cells[cell].single().is_none()).collect();
    let cell = match open[..] {
        [] => 0,
        [cell] => cell,
        _ => return Err("a position has several variables".to_string()),
    };
    let Some(&range) = formulas.cells.get(cell) else {
        return Err("a position has no variable".to_string());
    };
    if range.low < 0 {
        return Err("the variable may be negative".to_string());
    }
    Ok((cell, range))
}

/// The same game with another variable, which is what the old one lacks to a whole; and that whole. `None` if moves do not
/// shift the variable.
fn mirrored(formulas: &Formulas) -> Option<(Formulas, i64)> {
    let (cell, Range { low, high }) = heap_cell(formulas).ok()?;
    let whole = low.checked_add(high)?;
    let shifts = |action: &Action| match action.after[..] {
        [(changed, node)] => {
            action.split.is_none() && changed as usize == cell && Linear::of(&formulas.arena, node).is_some()
        }
        _ => false,
    };
    if !formulas.actions.iter().all(shifts) {
        return None;
    }
    let mut formulas = formulas.clone();
    let variable = formulas.arena.find(&Op::Cell(cell as u32))?;
    let other = formulas.arena.combine(&[(variable, -1)], whole);
    Rewrite::new(&[(variable, other)]).formulas(&mut formulas);
    for (_, node) in formulas.actions.iter_mut().flat_map(|action| &mut action.after) {
        *node = formulas.arena.combine(&[(*node, -1)], whole);
    }
    Some((formulas, whole))
}

/// The heap game of formulas whose variable is the heap.
fn downward(formulas: &Formulas, misere: bool) -> Result<Recognised, String> {
    let (cell, _) = heap_cell(formulas)?;
    let mut finder = Finder { formulas: formulas.clone(), cell, left: MOST_CHOICES, pieces: Vec::new() };
    let wanted = if misere { 1 } else { -1 };
    if !finder.alternates() {
        return Err("turns do not alternate".to_string());
    }
    let over = finder.absorb_ends(wanted)?;
    let actions = finder.formulas.actions.clone();
    let mut first = 0;
    for (index, action) in actions.iter().enumerate() {
        // What one choice may lead to in several ways has one place among the moves.
        if !same_choices(&actions[first], action) {
            first = index;
        }
        finder.action(first, action.clone(), Vec::new())?;
    }
    if !finder.is_worth(&formulas.stuck, wanted) && !finder.is_never_stuck(over) {
        return Err("who cannot move neither always loses nor always wins".to_string());
    }
    let pieces = finder.pieces;
    let game = match pieces.iter().all(|piece| piece.parts == 1) {
        true => shift(&pieces, misere)?,
        false => break_up(&pieces)?,
    };
    let why = match &game {
        HeapGame::Shift(game) => format!("a move only takes from the heap: {}", told(game)),
        HeapGame::Break(game) => {
            format!("a move takes from the heap or breaks it up: the code {game}{}", parted(game.split()))
        }
    };
    Ok(Recognised { game, cell, whole: None, pieces, choices: choices(formulas), why })
}

/// The condition on the parts in words.
fn parted(split: &Split) -> String {
    let mut text = String::new();
    if split.least > 1 {
        text.push_str(&format!(", parts of at least {}", split.least));
    }
    match split.apart {
        0 => {}
        1 => text.push_str(", parts unequal"),
        apart => text.push_str(&format!(", parts that differ by at least {apart}")),
    }
    if let Some(within) = split.within {
        text.push_str(&format!(", parts that differ by at most {within}"));
    }
    text
}

/// The moves in words.
fn told(game: &Subtraction) -> String {
    let mut words: Vec<String> = Vec::new();
    let takes = game.takes();
    for take in takes.iter().take(12) {
        let mut text = match take.most {
            Some(most) if most == take.least => most.to_string(),
            Some(most) => format!("{} to {most}", take.least),
            None => format!("any number from {} on", take.least),
        };
        if take.floor > 0 {
            text.push_str(&format!(" leaving {}", take.floor));
        }
        if take.guard > 0 {
            text.push_str(&format!(" of at least {}", take.guard));
        }
        words.push(text);
    }
    if takes.len() > 12 {
        words.push(format!("{} more", takes.len() - 12));
    }
    if words.is_empty() { "nothing".to_string() } else { words.join(", ") }
}

struct Finder {
    formulas: Formulas,
    cell: usize,
    left: usize,
    pieces: Vec<Piece>,
}

impl Finder {
    /// `end` rules become conditions of all moves: where the game is over there are none. Tells where that is.
    fn absorb_ends(&mut self, wanted: i64) -> Result<Node, String> {
        let domain = self.domain();
        let mut over = self.formulas.arena.number(0);
        for end in std::mem::take(&mut self.formulas.ends) {
            if !domain.refute(&self.formulas.arena, end.fault) {
                return Err("an `end` rule may go wrong".to_string());
            }
            if self.formulas.arena.known(end.when) == Some(0) {
                continue;
            }
            if !self.is_worth(&end, wanted) {
                return Err("an `end` rule ends the game with another result than having no move".to_string());
            }
            over = self.formulas.arena.or(over, end.when);
        }
        let Formulas { arena, actions, .. } = &mut self.formulas;
        let goes_on = arena.not(over);
        for action in actions {
            let faults = action.counts.iter_mut().map(|count| &mut count.fault);
            for node in faults.chain([&mut action.guard, &mut action.fault]) {
                *node = arena.and(goes_on, *node);
            }
        }
        Ok(over)
    }

    /// Whether a result is the same for whoever moves, and this.
    fn is_worth(&mut self, case: &Case, wanted: i64) -> bool {
        let Worth::Outcome(node) = case.result else { return false };
        let Formulas { arena, lists, players, .. } = &mut self.formulas;
        let mover = arena.mover(*players);
        (0..2).all(|player| {
            let player = arena.number(player);
            let worth = Rewrite::new(&[(mover, player)]).node(arena, lists, node);
            arena.known(worth) == Some(wanted)
        })
    }

    /// Whether the players always move in turn.
    fn alternates(&mut self) -> bool {
        let Formulas { arena, actions, players, .. } = &mut self.formulas;
        let mover = arena.mover(*players);
        let next = arena.combine(&[(mover, -1)], 1);
        actions.iter().all(|action| action.turn == next)
    }

    /// Whether every heap has a move, but for those where the game is over.
    fn is_never_stuck(&mut self, over: Node) -> bool {
        let sure = self.pieces.iter().filter_map(Piece::always_from).min();
        let Range { low, high } = self.formulas.cells[self.cell];
        let Some(upto) = sure.and_then(|sure| i64::try_from(sure).ok()).map(|sure| sure.min(high.saturating_add(1)))
        else {
            return false;
        };
        let Some(variable) = self.formulas.arena.find(&Op::Cell(self.cell as u32)) else { return false };
        let Formulas { arena, lists, .. } = &mut self.formulas;
        upto.saturating_sub(low) <= MOST_STUCK
            && (low..upto).all(|heap| {
                let number = arena.number(heap);
                let ended = Rewrite::new(&[(variable, number)]).node(arena, lists, over);
                arena.known(ended) == Some(1)
            })
    }

    /// Takes in an action; `order` is what was counted and is made by now.
    fn action(&mut self, index: usize, action: Action, order: Vec<(usize, i64)>) -> Result<(), String> {
        let rule = action.rule;
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return Err("there are too many choices".to_string());
        }
        let arena = &self.formulas.arena;
        if action.never_happens(arena) {
            return Ok(());
        }
        let (mut conditions, mut whole) = self.counted(&action);
        // What goes wrong may go wrong in the condition itself, so that only the bounds speak against it.
        let before = self.domain();
        let sound = action.counts.iter().all(|count| before.refute(arena, count.fault))
            && conditions.refute(arena, action.fault);
        whole &= conditions.add_all(arena, action.guard);
        if sound && conditions.contradict() {
            return Ok(());
        }
        if sound
            && whole
            && let Some(raw) = self.raw(index, &action, &conditions, &order)
            && let Ok(piece) = Piece::of(raw)
        {
            self.pieces.extend(piece);
            return Ok(());
        }
        if let Some((node, cases)) = self.cases(&action) {
            return cases.into_iter().try_for_each(|(condition, value)| {
                let mut made = self.rewritten(&action, node, value);
                made.guard = self.formulas.arena.and(condition, made.guard);
                made.fault = self.formulas.arena.and(condition, made.fault);
                self.action(index, made, order.clone())
            });
        }
        // One choice is made, and all is looked at again.
        let short = |count: &Count| {
            let arena = &self.formulas.arena;
            let known = |node| arena.known(node).map(i128::from);
            let (low, high) = match arena.find(&Op::Choice(count.choice)) {
                // A choice with one value is that value, wherever it stands.
                None => (Some(arena.range(count.low).low.into()), Some(arena.range(count.high).high.into())),
                Some(_) if sound && whole => conditions.range(Variable::Choice(count.choice)),
                Some(_) => (known(count.low), known(count.high)),
            };
            let range = Option::zip(low, high)?;
            (range.1 - range.0 < self.left as i128).then_some(range)
        };
        let found = action.counts.iter().enumerate().find_map(|(place, count)| Some((place, short(count)?)));
        let Some((place, (low, high))) = found else {
            return Err(format!("{{rule {rule}}} does more than take and split"));
        };
        let choice = self.formulas.arena.find(&Op::Choice(action.counts[place].choice));
        if choice.is_none() && low != high {
            return Err(format!("{{rule {rule}}} has a choice that changes nothing"));
        }
        for value in low..=high {
            let Ok(value) = i64::try_from(value) else { return Err("numbers are too large".to_string()) };
            let number = self.formulas.arena.number(value);
            let mut made = action.clone();
            let count = made.counts.remove(place);
            // The bounds still hold, and what is wrong with them is wrong.
            let (above, below) =
                (self.formulas.arena.le(count.low, number), self.formulas.arena.le(number, count.high));
            let inside = self.formulas.arena.and(above, below);
            made.guard = self.formulas.arena.and(inside, made.guard);
            made.fault = self.formulas.arena.and(inside, made.fault);
            made.fault = self.formulas.arena.or(count.fault, made.fault);
            let made = choice.map_or(made.clone(), |choice| self.rewritten(&made, choice, number));
            let mut order = order.clone();
            let earlier = order.iter().filter(|(other, _)| *other <= place).count();
            order.push((place + earlier, value));
            self.action(index, made, order)?;
        }
        Ok(())
    }

    /// What holds of every heap.
    fn domain(&self) -> Conditions {
        let mut conditions = Conditions::default();
        let Range { low, high } = self.formulas.cells[self.cell];
        let heap = Linear::variable(Variable::Heap);
        conditions.push(heap.minus(&Linear::number(low.into())), Sense::AtLeast);
        conditions.push(Linear::number(high.into()).minus(&heap), Sense::AtLeast);
        conditions
    }

    /// What the bounds of the choices say, as far as it is understood, and whether all of it is.
    fn counted(&self, action: &Action) -> (Conditions, bool) {
        let arena = &self.formulas.arena;
        let mut conditions = self.domain();
        let mut whole = true;
        for count in &action.counts {
            match arena.find(&Op::Choice(count.choice)) {
                Some(choice) => {
                    whole &= conditions.at_most(arena, count.low, 0, choice).is_some();
                    whole &= conditions.at_most(arena, choice, 0, count.high).is_some();
                }
                None => whole = false,
            }
        }
        (conditions, whole)
    }

    /// An action with a node replaced.
    fn rewritten(&mut self, action: &Action, node: Node, value: Node) -> Action {
        let mut rewrite = Rewrite::new(&[(node, value)]);
        let mut made = action.clone();
        let Formulas { arena, lists, .. } = &mut self.formulas;
        action_nodes(&mut made, &mut |node| *node = rewrite.node(arena, lists, *node));
        made
    }

    /// A node in what the move leaves or asks for that is one of a few others, with the condition of each: a larger or lesser
    /// number, a choice between two, an alternative, or what must not hold together. One of the conditions always holds.
    fn cases(&mut self, action: &Action) -> Option<(Node, Vec<(Node, Node)>)> {
        let arena = &mut self.formulas.arena;
        let left =
            action.split.iter().flatten().map(|part| part[self.cell]).chain(action.after.iter().map(|(_, node)| *node));
        let node = left.into_iter().chain([action.guard]).find_map(|node| either(arena, node))?;
        let (one, zero) = (arena.number(1), arena.number(0));
        Some((
            node,
            match *arena.op(node) {
                Op::Max(a, b) => vec![(arena.le(b, a), a), (arena.lt(a, b), b)],
                Op::Min(a, b) => vec![(arena.le(a, b), a), (arena.lt(b, a), b)],
                Op::Select(condition, a, b) => {
                    let not = arena.eq(condition, zero);
                    vec![(arena.not(not), a), (not, b)]
                }
                Op::Or(a, b) => {
                    // Within a negation an alternative may well not hold.
                    let (not, neither) = (arena.not(a), arena.not(b));
                    vec![(a, one), (arena.and(not, b), one), (arena.and(not, neither), zero)]
                }
                Op::And(a, b) => {
                    let (not, nor) = (arena.not(a), arena.not(b));
                    vec![(arena.and(a, b), one), (not, zero), (arena.and(a, nor), zero)]
                }
                _ => return None,
            },
        ))
    }

    /// The action in linear expressions, if it is made of them.
    fn raw(&self, index: usize, action: &Action, conditions: &Conditions, made: &[(usize, i64)]) -> Option<Raw> {
        let arena = &self.formulas.arena;
        let linear = |node| Linear::of(arena, node);
        let parts = match &action.split {
            Some(parts) => parts.iter().map(|part| linear(part[self.cell])).collect::<Option<Vec<Linear>>>()?,
            None => match action.after[..] {
                [(cell, node)] if cell as usize == self.cell => vec![linear(node)?],
                _ => return None,
            },
        };
        let counted: Vec<u32> = action.counts.iter().map(|count| count.choice).collect();
        let mut order: Vec<Linear> = counted.iter().map(|&choice| Linear::variable(Variable::Choice(choice))).collect();
        let mut made = made.to_vec();
        made.sort_unstable();
        for (place, value) in made {
            order.insert(place.min(order.len()), Linear::number(i128::from(value)));
        }
        let choices = action.choices.iter().map(|choice| choice.and_then(linear)).collect();
        // That the heap is in its domain is no condition of the move.
        let conditions = Conditions { all: conditions.all[self.domain().all.len()..].to_vec(), ..conditions.clone() };
        Some(Raw { rule: action.rule, action: index, parts, conditions, choices, counted, order })
    }
}

/// How many choices the moves of a part have at most, legal or not.
fn choices(formulas: &Formulas) -> f64 {
    let width = |count: &Count| {
        let (low, high) = (formulas.arena.range(count.low).low, formulas.arena.range(count.high).high);
        (high as f64 - low as f64 + 1.0).max(0.0)
    };
    formulas.actions.iter().map(|action| action.counts.iter().map(width).product::<f64>()).sum()
}

/// Whether two actions are what the same choices of the same rule may lead to.
fn same_choices(a: &Action, b: &Action) -> bool {
    let counted = |action: &Action| action.counts.iter().map(|count| count.choice).collect::<Vec<u32>>();
    a.rule == b.rule && a.choices == b.choices && counted(a) == counted(b)
}

/// A node within another, of those that add up or come together to it, that is one of two others.
fn either(arena: &Arena, node: Node) -> Option<Node> {
    match arena.op(node) {
        Op::Max(..) | Op::Min(..) | Op::Select(..) => Some(node),
        Op::Or(..) if arena.range(node).is_truth() => Some(node),
        Op::Linear(terms, _) => terms.iter().find_map(|(term, _)| either(arena, *term)),
        Op::And(a, b) | Op::Lt(a, b) | Op::Eq(a, b) => either(arena, *a).or_else(|| either(arena, *b)),
        Op::Not(a) => either(arena, *a).or_else(|| {
            let together = matches!(arena.op(*a), Op::And(..)) && arena.range(*a).is_truth();
            together.then_some(*a)
        }),
        _ => None,
    }
}

/// All pieces only take.
fn shift(pieces: &[Piece], misere: bool) -> Result<HeapGame, String> {
    let mut takes = Vec::new();
    for piece in pieces {
        let whole = |number: i128| u64::try_from(number).map_err(|_| "numbers are too large".to_string());
        let (floor, guard) = (whole(piece.floors[0])?, whole(piece.guard)?);
        let mut low = whole(piece.taken.low.unwrap_or(0))?;
        let high = piece.taken.high.map(whole).transpose()?;
        let mut holes: Vec<u64> =
            piece.not_taken.iter().filter_map(|&hole| u64::try_from(hole).ok()).filter(|&hole| hole >= low).collect();
        holes.sort_unstable();
        let mut add = |low: u64, most: Option<u64>| {
            if most.is_none_or(|most| low <= most) {
                takes.push(Takes { least: low, most, guard, floor });
            }
        };
        for hole in holes {
            if high.is_some_and(|high| hole > high) {
                break;
            }
            if hole > low {
                add(low, Some(hole - 1));
            }
            low = hole + 1;
        }
        add(low, high);
    }
    if takes.len() > MOST_TAKES {
        return Err("there are too many moves".to_string());
    }
    Subtraction::new(takes, misere).map(HeapGame::Shift).map_err(|error| error.to_string())
}

/// Some piece splits, or leaves nothing.
fn break_up(pieces: &[Piece]) -> Result<HeapGame, String> {
    let long = "more tokens are taken than a code has digits".to_string();
    let bound = |number: i128| usize::try_from(number).ok().filter(|&number| number < MOST_DIGITS).ok_or(long.clone());
    let mut digits = vec![0u8];
    let mut split: Option<Split> = None;
    let mut endless = Vec::new();
    for piece in pieces {
        let (bits, own) = bits(piece).ok_or("the heaps that a move leaves are under conditions of another kind")?;
        if let Some(own) = own {
            if split.is_some_and(|split| split != own) {
                return Err("moves split under different conditions".to_string());
            }
            split = Some(own);
        }
        let low = bound(piece.taken.low.unwrap_or(0))?;
        let high = match piece.taken.high {
            Some(high) => bound(high)?,
            None => {
                endless.push((low, bits));
                if !piece.not_taken.is_empty() {
                    return Err("a number may not be taken".to_string());
                }
                continue;
            }
        };
        digits.resize(digits.len().max(high + 1), 0);
        for taken in (low..=high).filter(|&taken| !piece.not_taken.contains(&(taken as i128))) {
            digits[taken] |= bits;
        }
    }
    let longest = endless.iter().map(|(low, _)| *low).max().unwrap_or(0);
    digits.resize(digits.len().max(longest), 0);
    for (low, bits) in &endless {
        digits[*low..].iter_mut().for_each(|digit| *digit |= bits);
    }
    let digit = |bits: u8| Digit::new(bits).unwrap_or(Digit::ZERO);
    let all = endless.iter().fold(0, |all, (_, bits)| all | bits);
    let repeat = if endless.is_empty() { Vec::new() } else { vec![digit(all)] };
    let digits = digits.into_iter().map(digit).collect();
    TakeAndBreak::new(digits, repeat, split.unwrap_or(Split::ANY))
        .map(HeapGame::Break)
        .map_err(|error| error.to_string())
}

/// Into how many heaps that are not empty a piece may leave the rest, and the condition on two or three of them.
fn bits(piece: &Piece) -> Option<(u8, Option<Split>)> {
    if piece.guard > piece.taken.low.unwrap_or(0) + piece.floors.iter().sum::<i128>() {
        return None;
    }
    match piece.parts {
        0 => Some((1, None)),
        1 => match piece.floors[0] {
            0 => Some((3, None)),
            1 => Some((2, None)),
            _ => None,
        },
        2 => two(piece),
        3 => three(piece),
        _ => None,
    }
}

fn two(piece: &Piece) -> Option<(u8, Option<Split>)> {
    let difference = piece.differences.get(&(0, 1)).cloned().unwrap_or(Difference::ANY);
    let Difference { range, not } = &difference;
    if not.iter().any(|&each| each != 0) {
        return None;
    }
    let (mut first, mut second) = (piece.floors[0], piece.floors[1]);
    let (mut low, mut high) = (range.low, range.high);
    // Which of the two is the larger does not matter: if only the first may be, they change places.
    if low.is_some_and(|low| low >= 0) {
        std::mem::swap(&mut first, &mut second);
        (low, high) = (high.map(|high| -high), low.map(|low| -low));
    }
    let ordered = high.is_some_and(|high| high <= 0);
    let least = match () {
        () if first == second => first,
        () if ordered && second <= first => first,
        () if first.max(second) <= 1 => 1,
        () => return None,
    };
    let unequal = i128::from(not.contains(&0));
    let apart = high.map_or(0, |high| (-high).max(0)).max(unequal);
    let within = match (low, high) {
        (None, _) => None,
        (Some(low), Some(high)) => Some((-low).max(high)),
        (Some(_), None) => None,
    };
    let mut bits = 4;
    // The first empty, the other not.
    if first == 0 && low.is_none_or(|low| low < 0) {
        if low.is_some() && high.is_some() || apart > 1 || second > 1 {
            return None;
        }
        if low.is_none() {
            bits |= 2;
        } else if second > 0 || high.is_some() {
            return None;
        }
    }
    if second == 0 && high.is_none_or(|high| high > 0) {
        if low.is_some() && high.is_some() || apart > 1 || first > 1 {
            return None;
        }
        if high.is_none() {
            bits |= 2;
        } else if bits & 2 == 0 {
            return None;
        }
    }
    if first == 0 && second == 0 && difference.allows(0) {
        bits |= 1;
    }
    let small = |number: i128| u32::try_from(number).ok();
    let split = Split {
        least: small(least.max(1))?,
        apart: small(apart)?,
        within: match within {
            Some(within) => Some(small(within)?),
            None => None,
        },
        ..Split::ANY
    };
    Some((bits, Some(split)))
}

fn three(piece: &Piece) -> Option<(u8, Option<Split>)> {
    let floor = piece.floors[0];
    if piece.floors.iter().any(|&each| each != floor) {
        return None;
    }
    let apart = apart_of_three(&piece.differences)?;
    let bits = match (floor, apart) {
        (1.., _) => 8,
        (0, 0) => 15,
        (0, 1) => 12,
        _ => return None,
    };
    let small = |number: i128| u32::try_from(number).ok();
    Some((bits, Some(Split { least: small(floor.max(1))?, apart: small(apart)?, ..Split::ANY })))
}

/// How far any two of three heaps are apart, whatever their order.
fn apart_of_three(differences: &BTreeMap<(usize, usize), Difference>) -> Option<i128> {
    let bounded: Vec<(&(usize, usize), &Difference)> =
        differences.iter().filter(|(_, difference)| **difference != Difference::ANY).collect();
    if bounded.is_empty() {
        return Some(0);
    }
    let unequal = |difference: &Difference| {
        difference.range.low.is_none() && difference.range.high.is_none() && difference.not == [0]
    };
    if bounded.len() == 3 && bounded.iter().all(|(_, difference)| unequal(difference)) {
        return Some(1);
    }
    // Otherwise heap a is less than heap b by so much at least: an order of the three.
    let mut less: BTreeMap<(usize, usize), i128> = BTreeMap::new();
    for (&(a, b), difference) in bounded {
        match (difference.range.low, difference.range.high) {
            _ if !difference.not.is_empty() => return None,
            (None, Some(high)) if high <= 0 => less.insert((a, b), -high),
            (Some(low), None) if low >= 0 => less.insert((b, a), low),
            _ => return None,
        };
    }
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let order = orders.into_iter().find(|order| {
        let place = |heap: usize| order.iter().position(|&each| each == heap);
        less.keys().all(|&(a, b)| place(a) < place(b))
    })?;
    let between = |a: usize, b: usize| less.get(&(order[a], order[b])).copied();
    match (between(0, 1), between(1, 2), between(0, 2)) {
        (Some(a), Some(b), ends) if a == b && ends.is_none_or(|ends| ends <= 2 * a) => Some(a),
        // A condition that some order of any three heaps fulfils is none.
        _ if less.values().all(|&apart| apart == 0) => Some(0),
        _ => None,
    }
}
