//! From rules to a heap game: whether the one variable of a position only shifts, or is taken from and split.
//!
//! Every action must be understood, and none may be able to go wrong; then the pieces are put together into a [`HeapGame`].
//! Choices over short lists are made one by one where they are not linear.

use formula::rewrite::{Rewrite, action_nodes};
use formula::{Action, Arena, Case, Count, EndResult, Formulas, Node, Op, Range};

use super::game::HeapGame;
use super::linear::{Conditions, Linear, Sense, Variable};
use super::piece::{Piece, Raw};

/// Choices that are made one by one, over all actions: at the most, and however small the heap is.
const MOST_CHOICES: usize = 1 << 16;
const LEAST_CHOICES: usize = 1 << 9;
/// Heaps that may have no move and are looked at one by one.
const MOST_STUCK: i64 = 1 << 12;

/// A heap game found in rules.
#[derive(Clone, Debug)]
pub struct Heap {
    /// The game, as the library of heaps knows it.
    pub game: HeapGame,
    /// Which cell of a part is the heap.
    pub cell: usize,
    /// Where the heap is what the cell lacks to a whole: the whole.
    pub whole: Option<i64>,
    /// The kinds of moves that it is made of.
    pub pieces: Vec<Piece>,
    /// How many choices the rules try in a part, legal or not.
    pub choices: f64,
    /// How it is known, in words.
    pub why: String,
}

impl Heap {
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
pub fn recognise(formulas: &Formulas, misere: bool) -> Result<Heap, String> {
    downward(formulas, misere).or_else(|why| {
        let (mirrored, whole) = mirrored(formulas).ok_or(why.clone())?;
        let found = downward(&mirrored, misere).map_err(|_| why)?;
        let why = format!("what is left up to {whole} is a heap; {}", found.why);
        Ok(Heap { whole: Some(whole), why, ..found })
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

/// The game with another variable, which is what the old one lacks to a whole; and that whole. `None` if moves do not
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
fn downward(formulas: &Formulas, misere: bool) -> Result<Heap, String> {
    let (cell, range) = heap_cell(formulas)?;
    // To list the moves of all heaps takes no longer than this.
    let moves = (range.high as f64 - range.low as f64 + 1.0) * choices(formulas);
    let left = (moves as usize).clamp(LEAST_CHOICES, MOST_CHOICES);
    let mut finder = Finder { formulas: formulas.clone(), cell, left, pieces: Vec::new() };
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
    let game = HeapGame::of(&pieces, misere)?;
    let why = game.description();
    Ok(Heap { game, cell, whole: None, pieces, choices: choices(formulas), why })
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
        let EndResult::Outcome(node) = case.result else { return false };
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
        let bounds = if sound && whole { Some(&conditions) } else { None };
        let mut counts = action.counts.iter().enumerate();
        let found = counts.find_map(|(place, count)| Some((place, self.few_values(count, bounds)?)));
        let Some((place, (low, high))) = found else {
            return Err(format!("{{rule {rule}}} does more than take and split"));
        };
        let choice = self.formulas.arena.find(&Op::Choice(action.counts[place].choice));
        if choice.is_none() && low != high {
            return Err(format!("{{rule {rule}}} has a choice that changes nothing"));
        }
        for value in low..=high {
            let Ok(value) = i64::try_from(value) else { return Err("numbers are too large".to_string()) };
            let made = self.chosen(&action, place, choice, value);
            let mut order = order.clone();
            let earlier = order.iter().filter(|(other, _)| *other <= place).count();
            order.push((place + earlier, value));
            self.action(index, made, order)?;
        }
        Ok(())
    }

    /// The least and the greatest value of a choice, if there are few between them. `bounds` are the conditions on it, if
    /// all are known.
    fn few_values(&self, count: &Count, bounds: Option<&Conditions>) -> Option<(i128, i128)> {
        let arena = &self.formulas.arena;
        let (low, high) = match (arena.find(&Op::Choice(count.choice)), bounds) {
            // A choice with one value is that value, wherever it stands.
            (None, _) => (Some(arena.range(count.low).low.into()), Some(arena.range(count.high).high.into())),
            (Some(_), Some(conditions)) => conditions.range(Variable::Choice(count.choice)),
            // The bounds stay conditions of what is made, so that more values than there are do no harm.
            (Some(_), None) => (Some(arena.range(count.low).low.into()), Some(arena.range(count.high).high.into())),
        };
        let range = Option::zip(low, high)?;
        (range.1 - range.0 < self.left as i128).then_some(range)
    }

    /// An action with one of its choices made.
    fn chosen(&mut self, action: &Action, place: usize, choice: Option<Node>, value: i64) -> Action {
        let arena = &mut self.formulas.arena;
        let number = arena.number(value);
        let mut made = action.clone();
        let count = made.counts.remove(place);
        // The bounds still hold, and what is wrong with them is wrong.
        let (above, below) = (arena.le(count.low, number), arena.le(number, count.high));
        let inside = arena.and(above, below);
        made.guard = arena.and(inside, made.guard);
        made.fault = arena.and(inside, made.fault);
        made.fault = arena.or(count.fault, made.fault);
        match choice {
            Some(choice) => self.rewritten(&made, choice, number),
            None => made,
        }
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
                Op::Eq(..) | Op::Lt(..) | Op::Not(..) => vec![(node, one), (arena.not(node), zero)],
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
        // A truth value that is added up, such as a number that is one larger under a condition.
        Op::Linear(terms, _) => terms.iter().find_map(|(term, _)| match arena.op(*term) {
            Op::Eq(..) | Op::Lt(..) | Op::Not(..) => Some(*term),
            _ => either(arena, *term),
        }),
        Op::And(a, b) | Op::Lt(a, b) | Op::Eq(a, b) | Op::Div(a, b) | Op::Rem(a, b) => {
            either(arena, *a).or_else(|| either(arena, *b))
        }
        Op::Not(a) => either(arena, *a).or_else(|| {
            let together = matches!(arena.op(*a), Op::And(..)) && arena.range(*a).is_truth();
            together.then_some(*a)
        }),
        _ => None,
    }
}
