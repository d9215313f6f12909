//! The position while a move runs: cells, locals, gains, turn and split, with a journal to undo and to merge branches.
//!
//! A branch runs on the state itself. Its changes are then undone from the journal and merged, so that a branch costs
//! what it changes and not what the position holds.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::symbols::Sym;
use super::{Made, Specialiser, unsupported};
use crate::node::Node;

/// The parts that replace a part, each with one value for each cell.
pub(super) type Parts = Rc<Vec<Vec<Node>>>;

/// What the current move has done so far.
pub(super) struct State {
    pub(super) cells: Vec<Sym>,
    pub(super) locals: Vec<Option<Sym>>,
    /// Where the locals of the innermost call start.
    pub(super) base: usize,
    pub(super) gains: Vec<Node>,
    pub(super) turn: Node,
    /// The possible splits, each with its condition; exactly one holds. `None` as condition means always.
    pub(super) split: Split,
    journal: Vec<(Place, Content)>,
}

/// The ways in which a part may have been split, each with its condition.
pub(super) type Split = Rc<Vec<(Option<Node>, Option<Parts>)>>;

/// A place that can change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Place {
    Cell(usize),
    Local(usize),
    Gain(usize),
    Turn,
    Split,
}

/// The content of a place.
#[derive(Clone)]
pub(super) enum Content {
    Sym(Sym),
    Nothing,
    Split(Split),
}

impl State {
    pub(super) fn new(cells: Vec<Sym>, gains: Vec<Node>, turn: Node) -> State {
        State {
            cells,
            locals: Vec::new(),
            base: 0,
            gains,
            turn,
            split: Rc::new(vec![(None, None)]),
            journal: Vec::new(),
        }
    }

    /// The current length of the journal.
    pub(super) fn mark(&self) -> usize {
        self.journal.len()
    }

    fn get(&self, place: Place) -> Content {
        match place {
            Place::Cell(cell) => Content::Sym(self.cells[cell].clone()),
            Place::Local(local) => self.locals.get(local).cloned().flatten().map_or(Content::Nothing, Content::Sym),
            Place::Gain(player) => Content::Sym(Sym::Scalar(self.gains[player])),
            Place::Turn => Content::Sym(Sym::Scalar(self.turn)),
            Place::Split => Content::Split(Rc::clone(&self.split)),
        }
    }

    fn put(&mut self, place: Place, content: Content) {
        match (place, content) {
            (Place::Cell(cell), Content::Sym(sym)) => self.cells[cell] = sym,
            (Place::Local(local), content) => {
                if local >= self.locals.len() {
                    self.locals.resize(local + 1, None);
                }
                self.locals[local] = match content {
                    Content::Sym(sym) => Some(sym),
                    _ => None,
                };
            }
            (Place::Gain(player), Content::Sym(Sym::Scalar(node))) => self.gains[player] = node,
            (Place::Turn, Content::Sym(Sym::Scalar(node))) => self.turn = node,
            (Place::Split, Content::Split(split)) => self.split = split,
            _ => {}
        }
    }

    /// Changes a place.
    pub(super) fn write(&mut self, place: Place, content: Content) {
        let old = self.get(place);
        self.journal.push((place, old));
        self.put(place, content);
    }

    /// Changes a number.
    pub(super) fn write_node(&mut self, place: Place, node: Node) {
        self.write(place, Content::Sym(Sym::Scalar(node)));
    }

    /// Sets a local of the innermost call.
    pub(super) fn set_local(&mut self, local: usize, sym: Sym) {
        self.write(Place::Local(self.base + local), Content::Sym(sym));
    }

    /// Undoes everything since a mark.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.journal.len() > mark {
            if let Some((place, old)) = self.journal.pop() {
                self.put(place, old);
            }
        }
    }

    /// Undoes everything since a mark, and returns the new contents of the places that had changed.
    fn take_back(&mut self, mark: usize) -> FxHashMap<Place, Content> {
        let mut changed = FxHashMap::default();
        while self.journal.len() > mark {
            if let Some((place, old)) = self.journal.pop() {
                changed.entry(place).or_insert_with(|| self.get(place));
                self.put(place, old);
            }
        }
        changed
    }

    /// The cells that were written since a mark, ascending.
    pub(super) fn cells_since(&self, mark: usize) -> Vec<usize> {
        let mut cells: Vec<usize> = self.journal[mark..]
            .iter()
            .filter_map(|(place, _)| match place {
                Place::Cell(cell) => Some(*cell),
                _ => None,
            })
            .collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

impl Specialiser<'_> {
    /// Runs both alternatives of a condition and merges their changes.
    pub(super) fn either<T>(
        &mut self,
        condition: Node,
        then: impl FnOnce(&mut Self) -> Made<T>,
        otherwise: impl FnOnce(&mut Self) -> Made<T>,
    ) -> Made<(Option<T>, Option<T>)> {
        let condition = self.settle(condition);
        match self.arena.known(condition) {
            Some(0) => return Ok((None, Some(otherwise(self)?))),
            Some(_) => return Ok((Some(then(self)?), None)),
            None => {}
        }
        let mark = self.state.mark();
        let first = self.under(condition, then)?;
        let changed = self.state.take_back(mark);
        let not = self.arena.not(condition);
        let second = self.under(not, otherwise)?;
        let mut others = self.state.take_back(mark);
        let mut places: Vec<Place> = changed.keys().chain(others.keys()).copied().collect();
        places.sort_unstable();
        places.dedup();
        let mut changed = changed;
        for place in places {
            if matches!(place, Place::Local(local) if local >= self.state.locals.len()) {
                continue;
            }
            let a = changed.remove(&place).unwrap_or_else(|| self.state.get(place));
            let b = others.remove(&place).unwrap_or_else(|| self.state.get(place));
            let merged = self.merge_contents(condition, a, b, matches!(place, Place::Local(_)))?;
            self.state.write(place, merged);
        }
        Ok((Some(first), Some(second)))
    }

    fn merge_contents(&mut self, condition: Node, a: Content, b: Content, forgets: bool) -> Made<Content> {
        match (a, b) {
            (Content::Sym(a), Content::Sym(b)) => match self.merge(condition, &a, &b) {
                Ok(sym) => Ok(Content::Sym(sym)),
                // A local may be out of scope by now; reading it is an error.
                Err(_) if forgets => Ok(Content::Nothing),
                Err(why) => Err(why),
            },
            (Content::Split(a), Content::Split(b)) => {
                if Rc::ptr_eq(&a, &b) {
                    return Ok(Content::Split(a));
                }
                let not = self.arena.not(condition);
                let mut ways = Vec::new();
                for (condition, split) in [(condition, a), (not, b)] {
                    for (when, parts) in split.iter() {
                        let when = match when {
                            None => condition,
                            Some(when) => self.arena.and(condition, *when),
                        };
                        if !self.is_never(when) {
                            ways.push((Some(when), parts.clone()));
                        }
                    }
                }
                Ok(Content::Split(Rc::new(ways)))
            }
            _ => Ok(Content::Nothing),
        }
    }

    /// A local of the innermost call.
    pub(super) fn local(&self, local: usize) -> Made<Sym> {
        match self.state.locals.get(self.state.base + local) {
            Some(Some(sym)) => Ok(sym.clone()),
            _ => unsupported("a local holds lists of different kinds"),
        }
    }
}
