//! Layers: sets of positions that play passes through in one direction only, and dense numbers inside them.
//!
//! ```text
//! steps ──classes──▶ numbers of stones, followed cells, turn ──▶ which class a move can lead to
//!                                                       └──▶ layers: classes that lead to one another, lowest first
//! ```
//!
//! In morris the stones in hand only become fewer, and so do those on the board once all were placed. That is not looked up in
//! positions: it follows from what each move does to a few numbers (`classes`). Positions with equal numbers are a class. Classes
//! that lead to one another are a layer, and every move leads to the layer it starts in or to a lower one. So each layer can
//! be solved when the lower ones are.
//!
//! The numbers of a class say how many stones of each kind there are, so that its positions are arrangements with these counts
//! ([`ranking`]): a class has no codes for boards with other numbers of stones. The codes of a class are in the order of their
//! positions, the first cell slowest.

mod classes;
pub mod ranking;

use rustc_hash::FxHashMap;

use crate::formulas::Formulas;
use crate::numbering::{Coded, Numbering, TurnPlace};
use crate::order::open_cells;
use crate::study::Study;
pub use classes::Board;
use classes::{Classes, Numbers, classes};
use ranking::Ranking;

/// The classes of so many keys are looked up in a list.
const MOST_DIRECT: u64 = 1 << 20;
const NO_CLASS: u32 = u32::MAX;

/// Digits of a code that is a bit field.
#[derive(Clone, Copy, Debug)]
struct Field {
    shift: u32,
    mask: u64,
    size: u64,
}

impl Field {
    fn of(numbering: &Numbering, cell: u32) -> Option<Field> {
        let digit = numbering.digits.iter().find(|digit| digit.cell == cell)?;
        let mask = digit.size.next_power_of_two() - 1;
        Some(Field { shift: digit.stride.trailing_zeros(), mask, size: digit.size })
    }

    #[inline(always)]
    fn read(self, code: u64) -> u64 {
        code >> self.shift & self.mask
    }
}

/// What makes up the number of a position in its class, the slowest first.
#[derive(Clone, Debug)]
enum Item {
    /// A board: where its last cell begins, and the bits of all of them.
    Board { ranking: Box<Ranking>, shift: u32, mask: u64, values: usize },
    /// A cell that is not followed.
    Cell(Field),
}

/// A class of positions.
#[derive(Clone, Debug)]
pub struct Class {
    /// The layer that it belongs to.
    pub layer: u32,
    /// Where its codes begin in the layer.
    pub first: u64,
    /// How many codes it has.
    pub size: u64,
    /// The bits of a code that all its positions have in common.
    base: u64,
    /// How many numbers each item has, and the state of its counts where it is a board.
    items: Box<[(u64, u32)]>,
}

/// A set of positions that play does not come back to.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Its classes: they lie one after the other.
    pub classes: Vec<u32>,
    /// How many codes it has.
    pub size: u64,
    /// The layers that a move can lead to, all lower; ascending.
    pub below: Vec<u32>,
    /// Whether a move can stay in the layer.
    pub is_cyclic: bool,
}

/// How the positions of a game fall into layers, and their numbers in these.
#[derive(Clone, Debug)]
pub struct Layering {
    classes: Vec<Class>,
    layers: Vec<Layer>,
    items: Vec<Item>,
    /// The turn, then the followed cells that have a digit, as fields and strides of the index of a class.
    keys: Vec<(Field, u64)>,
    /// The stride of the states of each board.
    boards: Vec<u64>,
    by_key: FxHashMap<u64, u32>,
    /// The class of each key, where there are few keys.
    direct: Vec<u32>,
    followed: Vec<u32>,
}

impl Layering {
    /// The layers of a game from a start on, with the codes of its positions; or why there are none that help.
    pub fn new(study: &Study, start: &[i64], turn: u8) -> Result<(Coded, Layering), String> {
        let found = classes(study, start, turn)?;
        let (numbering, derived) = numbering(study, &found).ok_or("a position does not fit in 63 bits")?;
        if !study.formulas.arena.can_be_copied() {
            return Err("there is not enough memory for the formulas of the rules".to_string());
        }
        let layering = Layering::of(study, &found, &numbering)?;
        let coded = Coded::new(study.formulas.clone(), numbering, derived, None);
        Ok((coded, layering))
    }

    fn of(study: &Study, found: &Classes, numbering: &Numbering) -> Result<Layering, String> {
        let scheme = &found.scheme;
        let items = items(&study.formulas, found, numbering)?;
        let mut keys = Vec::new();
        let mut places = Vec::new();
        let mut stride = 1u64;
        let too_many = || "the numbers of a class do not fit in 64 bits".to_string();
        let mut add = |size: u64| {
            let own = stride;
            stride = stride.checked_mul(size)?;
            Some(own)
        };
        if let Some(turn) = numbering.turn {
            let size = (study.formulas.players as u64).next_power_of_two();
            let own = add(size).ok_or_else(too_many)?;
            keys.push((Field { shift: turn.trailing_zeros(), mask: size - 1, size }, own));
            places.push(0);
        }
        for (place, &cell) in scheme.followed.iter().enumerate() {
            if let Some(field) = Field::of(numbering, cell) {
                keys.push((field, add(field.mask + 1).ok_or_else(too_many)?));
                places.push(1 + place);
            }
        }
        let mut boards = Vec::new();
        for item in &items {
            if let Item::Board { ranking, .. } = item {
                boards.push(add(ranking.states() as u64).ok_or_else(too_many)?);
            }
        }
        let all_keys = stride;
        let mut layering = Layering {
            classes: Vec::new(),
            layers: Vec::new(),
            items,
            keys,
            boards,
            by_key: FxHashMap::default(),
            direct: Vec::new(),
            followed: scheme.followed.clone(),
        };
        // Classes that differ only in what is not recorded are one.
        let mut merged = Vec::with_capacity(found.numbers.len());
        for numbers in &found.numbers {
            let (key, class) = layering.class(study, found, &places, numbers)?;
            let next = layering.classes.len() as u32;
            let place = *layering.by_key.entry(key).or_insert(next);
            if place == next {
                layering.classes.push(class);
            }
            merged.push(place);
        }
        let mut moves = vec![Vec::new(); layering.classes.len()];
        for (from, to) in merged.iter().zip(&found.moves) {
            moves[*from as usize].extend(to.iter().map(|to| merged[*to as usize]));
        }
        layering.divide(&moves)?;
        if all_keys <= MOST_DIRECT {
            layering.direct = vec![NO_CLASS; all_keys as usize];
            layering.by_key.iter().for_each(|(key, class)| layering.direct[*key as usize] = *class);
        }
        Ok(layering)
    }

    /// The class of these numbers, and its key.
    fn class(
        &self,
        study: &Study,
        found: &Classes,
        places: &[usize],
        numbers: &Numbers,
    ) -> Result<(u64, Class), String> {
        let low = |place: usize| match place {
            0 => 0,
            place => study.formulas.cells[found.scheme.followed[place - 1] as usize].low,
        };
        let (mut key, mut base) = (0, 0);
        for ((field, stride), &place) in self.keys.iter().zip(places) {
            let digit = numbers[place].wrapping_sub(low(place)) as u64;
            key += digit * stride;
            base |= digit << field.shift;
        }
        let mut counts = &numbers[1 + found.scheme.followed.len()..];
        let (mut size, mut items, mut boards) = (1u64, Vec::new(), self.boards.iter());
        for item in &self.items {
            let (here, state) = match item {
                Item::Cell(field) => (field.size, 0),
                Item::Board { ranking, values, .. } => {
                    let (own, others) = counts.split_at(values - 1);
                    counts = others;
                    let own: Vec<u32> = own.iter().map(|count| *count as u32).collect();
                    let state = ranking.state(&own);
                    key += state as u64 * boards.next().copied().unwrap_or(0);
                    (ranking.arrangements(state), state as u32)
                }
            };
            size = size.checked_mul(here).ok_or("the codes of a class do not fit in 64 bits")?;
            items.push((here, state));
        }
        Ok((key, Class { layer: 0, first: 0, size, base, items: items.into() }))
    }

    /// Divides the classes into layers, by the moves between them.
    fn divide(&mut self, moves: &[Vec<u32>]) -> Result<(), String> {
        for (number, mut classes) in (0u32..).zip(components(moves)) {
            classes.sort_unstable();
            let (mut first, mut below, mut is_cyclic) = (0u64, Vec::new(), false);
            for &class in &classes {
                let own = &mut self.classes[class as usize];
                (own.layer, own.first) = (number, first);
                first = first.checked_add(own.size).ok_or("the codes of a layer do not fit in 64 bits")?;
            }
            for &to in classes.iter().flat_map(|class| &moves[*class as usize]) {
                match classes.binary_search(&to) {
                    Ok(_) => is_cyclic = true,
                    Err(_) => below.push(self.classes[to as usize].layer),
                }
            }
            below.sort_unstable();
            below.dedup();
            self.layers.push(Layer { classes, size: first, below, is_cyclic });
        }
        Ok(())
    }

    /// The layers, the lowest first: every move leads to the layer that it starts in or to a lower one.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The classes.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The cells that were followed.
    pub fn followed(&self) -> &[u32] {
        &self.followed
    }

    /// How many codes all layers have together.
    pub fn size(&self) -> Option<u64> {
        self.layers.iter().try_fold(0u64, |sum, layer| sum.checked_add(layer.size))
    }

    /// The layer of a position and its number there; `None` if it belongs to no class.
    #[inline]
    pub fn place(&self, code: u64) -> Option<(u32, u64)> {
        let mut key: u64 = self.keys.iter().map(|(field, stride)| field.read(code) * stride).sum();
        let mut boards = self.boards.iter();
        for item in &self.items {
            if let Item::Board { ranking, shift, mask, .. } = item {
                key += ranking.state_of(code >> shift & mask)? as u64 * boards.next().copied().unwrap_or(0);
            }
        }
        let class = match self.direct.get(key as usize) {
            Some(class) => *class,
            None => *self.by_key.get(&key)?,
        };
        let class = self.classes.get(class as usize)?;
        let mut number = 0;
        for (item, &(size, state)) in self.items.iter().zip(&class.items) {
            let own = match item {
                Item::Cell(field) => field.read(code),
                Item::Board { ranking, shift, mask, .. } => ranking.rank(state as usize, code >> shift & mask),
            };
            number = number * size + own;
        }
        Some((class.layer, class.first + number))
    }

    /// The code of a number in a class.
    #[inline]
    pub fn code(&self, class: u32, number: u64) -> u64 {
        let class = &self.classes[class as usize];
        let (mut code, mut rest) = (class.base, number);
        for (item, &(size, state)) in self.items.iter().zip(&class.items).rev() {
            let own = rest % size;
            rest /= size;
            match item {
                Item::Cell(field) => code |= own << field.shift,
                Item::Board { ranking, shift, .. } => code |= ranking.unrank(state as usize, own) << shift,
            }
        }
        code
    }

    /// The class of a number in a layer.
    pub fn class_at(&self, layer: u32, number: u64) -> u32 {
        let classes = &self.layers[layer as usize].classes;
        let after = classes.partition_point(|class| self.classes[*class as usize].first <= number);
        classes[after.saturating_sub(1)]
    }
}

/// Bit fields in the order of the cells, the turn first, and the cells that follow from the numbers of a class.
fn numbering(study: &Study, found: &Classes) -> Option<(Numbering, Vec<(u32, crate::node::Node)>)> {
    let follows = |cell: &u32| found.scheme.followed.contains(cell);
    let derived: Vec<_> = study.derived.iter().filter(|(cell, _)| follows(cell)).copied().collect();
    let mut cells = open_cells(&study.formulas);
    cells.retain(|cell| derived.iter().all(|(other, _)| other != cell));
    let turn = if study.with_turn { TurnPlace::First } else { TurnPlace::Nowhere };
    Some((Numbering::fields(&study.formulas, &cells, turn)?, derived))
}

/// What makes up the number of a position in its class.
fn items(formulas: &Formulas, found: &Classes, numbering: &Numbering) -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    for digit in &numbering.digits {
        let board = found
            .scheme
            .boards
            .iter()
            .find(|board| (board.first..board.first + board.cells as u32).contains(&digit.cell));
        match board {
            Some(board) if board.first == digit.cell => {
                let ranking = Ranking::new(board.cells, &most(found, board));
                let ranking = ranking.ok_or("a board is too large to number its arrangements")?;
                let last = Field::of(numbering, board.first + board.cells as u32 - 1);
                let last = last.ok_or("a cell of a board has no digit")?;
                let mask = (1 << ranking.width()) - 1;
                let ranking = Box::new(ranking);
                items.push(Item::Board { ranking, shift: last.shift, mask, values: board.values });
            }
            Some(_) => {}
            None if found.scheme.followed.contains(&digit.cell) => {}
            None => items.extend(Field::of(numbering, digit.cell).map(Item::Cell)),
        }
    }
    let digits = |board: &Board| (0..board.cells as u32).all(|cell| Field::of(numbering, board.first + cell).is_some());
    match found.scheme.boards.iter().all(digits) && !formulas.cells.is_empty() {
        true => Ok(items),
        false => Err("a cell of a board has no digit".to_string()),
    }
}

/// How often each value from the second on stands on a board, at most.
fn most(found: &Classes, board: &Board) -> Vec<u32> {
    let before = found.scheme.boards.iter().take_while(|other| *other != board).map(|other| other.values - 1);
    let first = 1 + found.scheme.followed.len() + before.sum::<usize>();
    let counts = |place: usize| found.numbers.iter().map(move |numbers| numbers[place] as u32).max().unwrap_or(0);
    (first..first + board.values - 1).map(counts).collect()
}

/// The sets of numbers that lead to one another, those that lead to no other set first.
fn components(moves: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let count = moves.len();
    let (mut met, mut low, mut next) = (vec![NEW; count], vec![NEW; count], 0);
    let (mut open, mut is_open, mut found) = (Vec::new(), vec![false; count], Vec::new());
    for root in 0..count as u32 {
        if met[root as usize] != NEW {
            continue;
        }
        let mut path: Vec<(u32, usize)> = vec![(root, 0)];
        while let Some((at, place)) = path.pop() {
            let index = at as usize;
            if place == 0 {
                (met[index], low[index]) = (next, next);
                next += 1;
                open.push(at);
                is_open[index] = true;
            } else {
                let done = moves[index][place - 1] as usize;
                if is_open[done] {
                    low[index] = low[index].min(low[done]);
                }
            }
            match moves[index].get(place) {
                Some(&to) => {
                    path.push((at, place + 1));
                    if met[to as usize] == NEW {
                        path.push((to, 0));
                    }
                }
                None if low[index] == met[index] => {
                    let first = open.iter().rposition(|other| *other == at).unwrap_or(0);
                    let set = open.split_off(first);
                    set.iter().for_each(|member| is_open[*member as usize] = false);
                    found.push(set);
                }
                None => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_before_those_that_lead_to_them() {
        let moves = [vec![1, 4], vec![2], vec![0, 3], vec![5], vec![4], vec![3, 6], vec![]];
        let mut found = components(&moves);
        found.iter_mut().for_each(|set| set.sort_unstable());
        assert_eq!(found, [vec![6], vec![3, 5], vec![4], vec![0, 1, 2]]);
    }
}
