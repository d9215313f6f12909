//! The numbers of positions: each position has a key, and keys have an order.
//!
//! A part is a number with one digit for each of its cells, the first cell slowest, each as large as the domain of the cell. Where
//! such numbers do not fit in 64 bits, a part is its packed cells (`rules::layout`). A position of a game that is no sum is such a
//! number with the turn as its slowest digit, or the turn and the packed cells. A position of a sum is the turn and the list of its
//! parts. Keys are bytes, the highest first, so that their order is the order of the numbers.
//!
//! The order of the parts of a sum does not matter, for a move is made in one part and sees nothing else; and a part in which no
//! player can ever move changes nothing. So lists are sorted, and such parts left out. Where ties are broken by the order of the
//! moves ([`Shape::ordered`]), the rest stays in its order.
//!
//! Keys follow from the rules alone: the solver numbers positions as it likes.

use std::cell::RefCell;
use std::collections::HashMap;

use game::Player;
use rules::bind::{Bound, Position};
use rules::fault::Fault;
use rules::layout::Leaf;
use rules::play;

use crate::shape::Shape;

/// The key of a position.
pub type Key = Vec<u8>;

/// So many parts are remembered as dead or alive.
const MOST_REMEMBERED: usize = 1 << 20;

/// Finds keys of positions, and positions of keys.
pub struct Keys<'b> {
    bound: &'b Bound,
    shape: Shape,
    digits: Digits,
    /// Whether nobody can move in a part, where that was asked.
    dead: RefCell<HashMap<Box<[u8]>, bool>>,
}

/// How the cells of a part are written.
enum Digits {
    /// As a number.
    Number {
        /// The least value of each cell, and how many it has.
        cells: Vec<(i64, u64)>,
        /// How many numbers there are, without the turn.
        size: u64,
        /// Bytes of a number, with the turn where it is a digit.
        width: usize,
        /// Whether the turn is a digit.
        turn: bool,
    },
    /// As packed words.
    Packed {
        /// Bytes of the words.
        width: usize,
    },
}

impl<'b> Keys<'b> {
    /// The keys of a game.
    pub fn new(bound: &'b Bound, shape: Shape) -> Keys<'b> {
        Keys { bound, shape, digits: digits(bound, shape), dead: RefCell::default() }
    }

    /// The game.
    pub fn bound(&self) -> &'b Bound {
        self.bound
    }

    /// The shape of the table.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether positions are lists of parts.
    fn lists(&self) -> bool {
        self.bound.program.sum.is_some() && !self.shape.of_parts()
    }

    /// The number of keys, where keys are numbers.
    pub fn size(&self) -> Option<u64> {
        match &self.digits {
            Digits::Number { size, turn, .. } if !self.lists() => {
                Some(size * if *turn { self.bound.players as u64 } else { 1 })
            }
            _ => None,
        }
    }

    /// The key of a position; `None` if a cell is outside its domain, or if the table has no entries for whole positions. The
    /// only faults are stops.
    pub fn key(&self, position: &Position) -> Result<Option<Key>, Fault> {
        if !self.lists() {
            let [part] = &position.parts[..] else { return Ok(None) };
            return Ok(self.part(part, position.turn));
        }
        let mut parts = Vec::with_capacity(position.parts.len());
        for part in &position.parts {
            let Some(code) = self.part(part, Player::FIRST) else { return Ok(None) };
            if !self.is_dead(part, &code)? {
                parts.push(code);
            }
        }
        if !self.shape.ordered {
            parts.sort_unstable();
        }
        let mut key = Vec::with_capacity(1 + parts.iter().map(Vec::len).sum::<usize>());
        if self.shape.turn {
            key.push(position.turn.0);
        }
        parts.iter().for_each(|part| key.extend_from_slice(part));
        Ok(Some(key))
    }

    /// The key of a part by itself, in a table of parts.
    pub fn part_key(&self, part: &[i64]) -> Option<Key> {
        self.part(part, Player::FIRST)
    }

    /// The position of a key; `None` if it is none. Where the turn is not recorded, the player who starts is to move.
    pub fn position(&self, key: &[u8]) -> Option<Position> {
        if !self.lists() {
            let (cells, turn) = self.cells(key)?;
            return Some(Position { parts: vec![cells], turn: turn.unwrap_or(self.bound.start.turn) });
        }
        let (turn, rest) = match self.shape.turn {
            true => key.split_first().map(|(turn, rest)| (Player(*turn), rest))?,
            false => (self.bound.start.turn, key),
        };
        if turn.index() >= self.bound.players || !rest.len().is_multiple_of(self.width()) {
            return None;
        }
        let parts = rest.chunks(self.width()).map(|part| self.cells(part).map(|(cells, _)| cells));
        Some(Position { parts: parts.collect::<Option<Vec<_>>>()?, turn })
    }

    /// Bytes of a part.
    fn width(&self) -> usize {
        match &self.digits {
            Digits::Number { width, .. } => *width,
            Digits::Packed { width } => *width + usize::from(self.shape.turn && !self.lists()),
        }
    }

    fn part(&self, cells: &[i64], turn: Player) -> Option<Key> {
        if cells.len() != self.bound.layout.cells() {
            return None;
        }
        match &self.digits {
            Digits::Number { cells: digits, width, turn: with_turn, .. } => {
                let mut number = if *with_turn { u64::from(turn.0) } else { 0 };
                for (cell, (low, values)) in cells.iter().zip(digits) {
                    let digit = cell.wrapping_sub(*low).cast_unsigned();
                    if digit >= *values {
                        return None;
                    }
                    number = number * values + digit;
                }
                Some(number.to_be_bytes()[8 - width..].to_vec())
            }
            Digits::Packed { width } => {
                if self.bound.layout.misfit(cells).is_some() {
                    return None;
                }
                let mut words = vec![0; self.bound.layout.words()];
                self.bound.layout.pack(cells, &mut words);
                let mut key = Vec::with_capacity(width + 1);
                if self.shape.turn && !self.lists() {
                    key.push(turn.0);
                }
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take(*width).collect();
                key.extend(bytes.iter().rev());
                Some(key)
            }
        }
    }

    /// The cells of a part, and whose turn it is where that is recorded in them.
    fn cells(&self, key: &[u8]) -> Option<(Box<[i64]>, Option<Player>)> {
        match &self.digits {
            Digits::Number { cells: digits, size, width, turn } => {
                let mut bytes = [0; 8];
                bytes[8 - width..].copy_from_slice(key.get(..*width).filter(|_| key.len() == *width)?);
                let number = u64::from_be_bytes(bytes);
                let player = number / size;
                if player >= if *turn { self.bound.players as u64 } else { 1 } {
                    return None;
                }
                let mut rest = number % size;
                let mut cells = vec![0; digits.len()];
                for (cell, (low, values)) in cells.iter_mut().zip(digits).rev() {
                    *cell = low.wrapping_add_unsigned(rest % values);
                    rest /= values;
                }
                Some((cells.into(), turn.then_some(Player(player as u8))))
            }
            Digits::Packed { width } => {
                let with_turn = self.shape.turn && !self.lists();
                let (turn, rest) = match with_turn {
                    true => key.split_first().map(|(turn, rest)| (Some(Player(*turn)), rest))?,
                    false => (None, key),
                };
                if rest.len() != *width || turn.is_some_and(|turn| turn.index() >= self.bound.players) {
                    return None;
                }
                let mut words = vec![0_u64; self.bound.layout.words()];
                for (place, byte) in rest.iter().rev().enumerate() {
                    words[place / 8] |= u64::from(*byte) << (8 * (place % 8));
                }
                let mut cells = vec![0; self.bound.layout.cells()];
                self.bound.layout.unpack(&words, &mut cells);
                let mut again = vec![0; words.len()];
                if self.bound.layout.misfit(&cells).is_some() {
                    return None;
                }
                self.bound.layout.pack(&cells, &mut again);
                (again == words).then(|| (cells.into(), turn))
            }
        }
    }

    /// Whether nobody can move in a part. A part whose rules go wrong for a player who may never face it is kept.
    fn is_dead(&self, part: &[i64], code: &[u8]) -> Result<bool, Fault> {
        if let Some(dead) = self.dead.borrow().get(code) {
            return Ok(*dead);
        }
        let mut dead = true;
        for player in 0..self.bound.players {
            let position = Position { parts: vec![part.into()], turn: Player(player as u8) };
            dead &= match play::first_plays(self.bound, &position, 1) {
                Ok((plays, _)) => plays.is_empty(),
                Err(fault) if fault.stopped().is_some() => return Err(fault),
                Err(_) => false,
            };
        }
        let mut known = self.dead.borrow_mut();
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(code.into(), dead);
        Ok(dead)
    }
}

/// How the cells of a part are written: as a number where that fits.
fn digits(bound: &Bound, shape: Shape) -> Digits {
    let with_turn = shape.turn && bound.program.sum.is_none();
    let turns = if with_turn { bound.players as u64 } else { 1 };
    let packed = || Digits::Packed { width: bound.layout.bits().div_ceil(8).max(1) };
    let (mut cells, mut size) = (Vec::with_capacity(bound.layout.cells()), 1_u64);
    for slot in &bound.layout.variables {
        for cell in 0..slot.cells {
            let (low, values) = match &slot.leaf {
                Leaf::Set { size, .. } => (0, 1_u64.checked_shl((size - cell % slot.stride * 64).min(64) as u32)),
                leaf => {
                    let (low, high) = leaf.range().unwrap_or((0, -1));
                    let more = high.wrapping_sub(low).cast_unsigned();
                    (low, if high < low { Some(1) } else { more.checked_add(1) })
                }
            };
            let product = values.and_then(|values| size.checked_mul(values));
            let (Some(values), Some(product)) = (values, product) else { return packed() };
            cells.push((low, values));
            size = product;
        }
    }
    let Some(all) = size.checked_mul(turns) else { return packed() };
    let bits = 64 - (all - 1).leading_zeros() as usize;
    Digits::Number { cells, size, width: bits.div_ceil(8).max(1), turn: with_turn }
}
