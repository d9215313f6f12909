//! Games of local moves: each move looks at a few cells and changes a few, whatever the rest of the board is like.
//!
//! An action is taken apart by cases: a cell that its guard reads is set to each of its values in turn, until the guard is
//! known, and all that the move writes. Each case in which the move is legal is a local move. Where the guard says
//! "these squares are empty", that is one case; a guard that reads the whole board has too many.
//!
//! Nothing else may happen in such a game: turns alternate, nothing but the lack of moves ends it.

use std::cell::Cell;
use std::cmp::Reverse;

use boards::motion::Motions;
use boards::{Grid, LocalGame, LocalMove, Owner};
use formula::formulas::{Action, Count, Formulas};
use formula::node::{Arena, Node, Op};
use formula::rewrite::Rewrite;
use rules::stop::{Held, look};
use rustc_hash::FxHashMap;

/// A cell of a board has at most so many values.
const MOST_VALUES: i64 = 16;
/// An action falls into at most so many cases.
const MOST_CASES: usize = 4_096;
/// A game has at most so many local moves.
const MOST_MOVES: usize = 200_000;
/// Formulas may grow to so many nodes while they are taken apart.
const MOST_NODES: usize = 4_000_000;
/// Why nothing is known where the search for local moves was stopped.
const STOPPED: &str = "the search for local moves was stopped, or does not fit in memory";
/// A counted choice has at most so many values.
const MOST_CHOICES: i128 = 64;

/// A game of local moves, and how its values are numbered.
#[derive(Clone, Debug)]
pub struct Local {
    /// The game, on the grid on which most motions are true.
    pub game: LocalGame,
    /// How its parts may be shifted and turned.
    pub motions: Motions,
    /// The least value of each cell: value `v` has the number `v - low`.
    pub low: Vec<i64>,
}

impl Local {
    /// A position in the numbers of the game; `None` where a cell is outside its domain.
    pub fn position(&self, cells: &[i64]) -> Option<Vec<u8>> {
        cells.iter().zip(&self.low).map(|(cell, low)| u8::try_from(cell - low).ok()).collect()
    }
}

/// The game of local moves that formulas describe, or why they describe none. `grids` are ways to see the cells that are
/// tried first.
pub fn recognise(formulas: &Formulas, grids: &[Grid]) -> Result<Local, String> {
    if formulas.counted || formulas.players != 2 {
        return Err("local moves are for two players, and the last one wins".to_string());
    }
    if formulas.ends.iter().any(|case| formulas.arena.known(case.when) != Some(0)) {
        return Err("`end` looks at the whole position".to_string());
    }
    let widths = formulas.cells.iter().map(|range| i128::from(range.high) - i128::from(range.low) + 1);
    let values = widths.max().unwrap_or(1);
    if values > i128::from(MOST_VALUES) {
        return Err(format!("a cell has {values} values, more than {MOST_VALUES}"));
    }
    let mut cases = Cases::new(formulas);
    for action in &formulas.actions {
        cases.action(action)?;
    }
    let moves = cases.moves();
    let low: Vec<i64> = formulas.cells.iter().map(|range| range.low).collect();
    let game = LocalGame::new(low.len(), values as u8, moves)?;
    let (game, motions) = on_best_grid(game, grids).ok_or(STOPPED)?;
    Ok(Local { game, motions, low })
}

/// The game on the grid on which most moves are the same but for shifts, and then on the one with most turns. `None` if the
/// search was stopped.
fn on_best_grid(game: LocalGame, grids: &[Grid]) -> Option<(LocalGame, Motions)> {
    // Some of the turns are no group.
    let was_stopped = Cell::new(false);
    let stopped = || {
        was_stopped.set(was_stopped.get() || look().is_err());
        was_stopped.get()
    };
    let cells = game.grid.cells();
    let divisors = (1..=cells).filter(|rows| cells.is_multiple_of(*rows));
    let all = divisors.map(|rows| Grid { rows, columns: cells / rows });
    let wanted = grids.iter().copied().filter(|grid| grid.cells() == cells);
    let mut best = (game.grid, Motions::watched(&game, &stopped));
    let worth = |motions: &Motions| (Reverse(motions.shapes), motions.turns.len());
    for grid in wanted.chain(all) {
        let motions = Motions::watched(&game.clone().on_grid(grid), &stopped);
        if worth(&motions) > worth(&best.1) {
            best = (grid, motions);
        }
    }
    (!was_stopped.get()).then(|| (game.on_grid(best.0), best.1))
}

/// Actions taken apart by cases.
struct Cases<'f> {
    formulas: &'f Formulas,
    arena: Arena,
    /// What setting a cell to a value makes of formulas.
    settings: FxHashMap<(u32, i64), Rewrite>,
    /// The moves for each player.
    moves: [Vec<LocalMove>; 2],
    /// The memory of the moves.
    held: Held,
}

/// What is left to find out of one action: the nodes that must be known, and the cells that were set.
struct Case {
    guard: Node,
    fault: Node,
    turn: Node,
    after: Vec<(u32, Node)>,
    set: Vec<(u32, i64)>,
}

impl<'f> Cases<'f> {
    fn new(formulas: &'f Formulas) -> Cases<'f> {
        let (arena, settings) = (formulas.arena.clone(), FxHashMap::default());
        Cases { formulas, arena, settings, moves: Default::default(), held: Held::default() }
    }

    fn action(&mut self, action: &Action) -> Result<(), String> {
        if action.split.is_some() {
            return Err("a move splits its part".to_string());
        }
        if !action.gains.is_empty() {
            return Err("a move gains".to_string());
        }
        for mover in 0..2 {
            let case = Case {
                guard: action.guard,
                fault: action.fault,
                turn: action.turn,
                after: action.after.clone(),
                set: Vec::new(),
            };
            let mover_node = self.arena.mover(2);
            let number = self.arena.number(mover);
            let mut as_mover = Rewrite::new(&[(mover_node, number)]);
            let case = self.rewritten(&case, &mut as_mover);
            let bounds: Vec<[Node; 3]> = action
                .counts
                .iter()
                .map(|count| {
                    [count.low, count.high, count.fault]
                        .map(|node| as_mover.node(&mut self.arena, &self.formulas.lists, node))
                })
                .collect();
            self.counted(case, &action.counts, &bounds, mover)?;
        }
        Ok(())
    }

    /// Goes through the values of the counted choices.
    fn counted(&mut self, case: Case, counts: &[Count], bounds: &[[Node; 3]], mover: i64) -> Result<(), String> {
        let ([count, counts @ ..], [[low, high, fault], bounds @ ..]) = (counts, bounds) else {
            return self.apart(case, mover);
        };
        let (least, most) = (self.arena.range(*low).low, self.arena.range(*high).high);
        if i128::from(most) - i128::from(least) >= MOST_CHOICES {
            return Err("a choice has too many values".to_string());
        }
        for value in least..=most {
            let range = formula::Range::new(least, most);
            let choice = match self.arena.find(&Op::Choice(count.choice)) {
                Some(node) => node,
                None => self.arena.choice(count.choice, range),
            };
            let number = self.arena.number(value);
            let mut chosen = Rewrite::new(&[(choice, number)]);
            let lists = &self.formulas.lists;
            let mut next = Case { set: case.set.clone(), ..self.rewritten_parts(&case, &mut chosen) };
            let below = self.arena.lt(number, *low);
            let above = self.arena.lt(*high, number);
            let outside = self.arena.or(below, above);
            let inside = self.arena.not(outside);
            next.guard = self.arena.and(inside, next.guard);
            let faulty = self.arena.and(inside, next.fault);
            next.fault = self.arena.or(faulty, *fault);
            let later: Vec<[Node; 3]> =
                bounds.iter().map(|nodes| nodes.map(|node| chosen.node(&mut self.arena, lists, node))).collect();
            self.counted(next, counts, &later, mover)?;
        }
        Ok(())
    }

    fn rewritten_parts(&mut self, case: &Case, by: &mut Rewrite) -> Case {
        let lists = &self.formulas.lists;
        let mut node = |node: Node| by.node(&mut self.arena, lists, node);
        Case {
            guard: node(case.guard),
            fault: node(case.fault),
            turn: node(case.turn),
            after: case.after.iter().map(|&(cell, value)| (cell, node(value))).collect(),
            set: Vec::new(),
        }
    }

    fn rewritten(&mut self, case: &Case, by: &mut Rewrite) -> Case {
        Case { set: case.set.clone(), ..self.rewritten_parts(case, by) }
    }

    /// Takes an action apart by the values of the cells that it reads.
    fn apart(&mut self, case: Case, mover: i64) -> Result<(), String> {
        let mut waiting = vec![case];
        let mut seen = 0;
        while let Some(case) = waiting.pop() {
            seen += 1;
            if seen > MOST_CASES || self.arena.len() > MOST_NODES {
                return Err("a move looks at too many cells at once".to_string());
            }
            if self.arena.is_full() || look().is_err() {
                return Err(STOPPED.to_string());
            }
            // What the guard refuses is no move, unless it is a fault.
            let refused = self.arena.known(case.guard) == Some(0);
            let open = [case.fault, case.guard].into_iter().find(|node| self.arena.known(*node).is_none());
            let effects = case.after.iter().map(|after| after.1).chain([case.turn]);
            let open = open.or_else(|| effects.filter(|_| !refused).find(|node| self.arena.known(*node).is_none()));
            let unset = case.after.iter().map(|after| after.0).filter(|_| !refused);
            let unset = unset.into_iter().find(|cell| !case.set.iter().any(|set| set.0 == *cell));
            match open.map(|node| self.cell_of(node)).or(unset.map(Some)) {
                Some(Some(cell)) => self.set_each(&case, cell, &mut waiting),
                Some(None) => return Err("a move depends on more than cells".to_string()),
                None if self.arena.known(case.fault) != Some(0) => return Err("a move may be a fault".to_string()),
                None if refused => {}
                None => self.keep(&case, mover)?,
            }
        }
        Ok(())
    }

    fn set_each(&mut self, case: &Case, cell: u32, waiting: &mut Vec<Case>) {
        let range = self.formulas.cells[cell as usize];
        for value in range.low..=range.high {
            let node = self.arena.cell(cell, range);
            let number = self.arena.number(value);
            let mut by = self.settings.remove(&(cell, value)).unwrap_or_else(|| Rewrite::new(&[(node, number)]));
            let mut next = self.rewritten(case, &mut by);
            self.settings.insert((cell, value), by);
            next.set.push((cell, value));
            waiting.push(next);
        }
    }

    /// A cell that a node reads.
    fn cell_of(&self, node: Node) -> Option<u32> {
        let mut at = node;
        loop {
            if let Op::Cell(cell) = self.arena.op(at) {
                return Some(*cell);
            }
            let mut open = None;
            self.arena.operands(at, &mut |operand| {
                if open.is_none() && self.arena.known(operand).is_none() {
                    open = Some(operand);
                }
            });
            at = open?;
        }
    }

    /// A case in which everything is known is a local move.
    fn keep(&mut self, case: &Case, mover: i64) -> Result<(), String> {
        let turn = self.arena.known(case.turn);
        if turn != Some(1 - mover) {
            return Err("turns do not alternate".to_string());
        }
        let low = |cell: u32| self.formulas.cells[cell as usize].low;
        let number = |&(cell, value): &(u32, i64)| (cell, (value - low(cell)) as u8);
        let needs = case.set.iter().map(number).collect();
        let after = case.after.iter().map(|&(cell, node)| (cell, self.arena.known(node).unwrap_or(0)));
        let mut writes = Vec::new();
        for (cell, value) in after {
            if !self.formulas.cells[cell as usize].contains(value) {
                return Err("a move leaves a domain".to_string());
            }
            writes.push(number(&(cell, value)));
        }
        let needs: Vec<(u32, u8)> = needs;
        let bytes = 2 * size_of::<LocalMove>() + 16 * (needs.len() + writes.len()) + 64;
        self.held.try_grow(bytes as u64).map_err(|_| STOPPED.to_string())?;
        self.moves[mover as usize].push(LocalMove { owner: Owner::Both, needs, writes });
        if self.moves[mover as usize].len() > MOST_MOVES {
            return Err(format!("there are more than {MOST_MOVES} local moves"));
        }
        Ok(())
    }

    /// The moves with their owners.
    fn moves(self) -> Vec<LocalMove> {
        let [mut first, mut second] = self.moves;
        let tidy = |moves: &mut Vec<LocalMove>| {
            moves.iter_mut().for_each(|mv| {
                mv.needs.sort_unstable();
                mv.writes.sort_unstable();
            });
            moves.sort_unstable();
            moves.dedup();
        };
        tidy(&mut first);
        tidy(&mut second);
        let (mut all, mut own) = (Vec::new(), Vec::new());
        for mv in first {
            match second.binary_search(&mv) {
                Ok(_) => all.push(mv),
                Err(_) => own.push(LocalMove { owner: Owner::Left, ..mv }),
            }
        }
        let right = second.into_iter().filter(|mv| all.binary_search(mv).is_err());
        own.extend(right.map(|mv| LocalMove { owner: Owner::Right, ..mv }));
        own.append(&mut all);
        own
    }
}
