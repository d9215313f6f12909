//! Positions to codes and back.
//!
//! A code holds one digit for each cell that others do not determine. Going back, the cells without a digit and the turn
//! come out of their formulas.

use std::sync::Arc;

use formula::eval::{Evaluator, Point};
use formula::{Coded, Node};
use game::Player;
use rules::bind::Position;

/// How positions of a game are written as codes.
#[derive(Clone, Debug)]
pub struct Codec {
    /// Shared, since the lists of an instance can be large.
    coded: Arc<Coded>,
    /// Cells of one value, and what it is.
    fixed: Vec<(usize, i64)>,
    /// Where positions do not record the turn: who moves.
    turn: Player,
    /// How many values the digit of the turn has.
    players: u64,
}

impl Codec {
    /// For formulas with codes; `turn` is who moves where neither the code nor a formula tells.
    pub fn new(coded: Coded, turn: Player) -> Codec {
        let single = coded.formulas.cells.iter().enumerate();
        let fixed = single.filter_map(|(cell, range)| range.single().map(|value| (cell, value))).collect();
        let players = coded.formulas.players as u64;
        let players = if coded.numbering.is_fields() { players.next_power_of_two() } else { players };
        Codec { coded: Arc::new(coded), fixed, turn, players }
    }

    /// The formulas and their numbering.
    pub fn coded(&self) -> &Coded {
        &self.coded
    }

    /// The code of one part's cells; `None` if it is outside the domains that were proved. Cells and a turn that others
    /// determine are not looked at: they are right in a position that play has reached.
    pub fn code(&self, cells: &[i64], turn: Player) -> Option<u64> {
        let mut skewed;
        let cells = match self.coded.skew {
            None => cells,
            Some(skew) => {
                skewed = cells.to_vec();
                skew.apply(&mut skewed);
                &skewed
            }
        };
        let within = |(cell, value): &(usize, i64)| cells.get(*cell) == Some(value);
        let ranges = &self.coded.formulas.cells;
        let digits = &self.coded.numbering.digits;
        let fits = self.fixed.iter().all(within)
            && digits.iter().all(|digit| {
                cells.get(digit.cell as usize).is_some_and(|value| ranges[digit.cell as usize].contains(*value))
            });
        fits.then(|| self.coded.numbering.code(cells, turn.0))
    }

    /// The code of a whole position; `None` if it is not the position of its code: a cell or the turn is another than the
    /// rest of the cells determines.
    pub fn code_of(&self, position: &Position) -> Option<u64> {
        let code = self.code(position.parts.first().map_or(&[][..], |part| part), position.turn)?;
        if self.tells_all() {
            return Some(code);
        }
        let same = self.position(code)?;
        let recorded = self.coded.mover.is_some() || self.coded.numbering.turn.is_some();
        (same.parts == position.parts && (!recorded || same.turn == position.turn)).then_some(code)
    }

    /// Whether every code is a position, and its digits are all there is to know of it.
    fn tells_all(&self) -> bool {
        self.coded.derived.is_empty() && self.coded.mover.is_none() && self.coded.formulas.valid.is_empty()
    }

    /// Who moves in the position of a code.
    pub fn mover(&self, code: u64) -> Player {
        match (self.coded.numbering.turn, self.coded.mover) {
            (Some(stride), _) => Player((code / stride % self.players) as u8),
            (None, Some(_)) => self.position(code).map_or(self.turn, |position| position.turn),
            (None, None) => self.turn,
        }
    }

    /// The position of a code; `None` if it is one that cannot be reached.
    pub fn position(&self, code: u64) -> Option<Position> {
        let formulas = &self.coded.formulas;
        let mut cells = vec![0; formulas.cells.len()];
        self.fixed.iter().for_each(|(cell, value)| cells[*cell] = *value);
        let turn = self.coded.numbering.decode(code, formulas.players, &mut cells);
        if self.tells_all() {
            return Some(self.decoded(cells, turn));
        }
        let mut evaluator = Evaluator::new(formulas);
        let mut value =
            |node: Node, cells: &[i64]| evaluator.value(node, &Point { cells, mover: i64::from(turn), choices: &[] });
        for &(cell, node) in &self.coded.derived {
            let derived = value(node, &cells);
            if !formulas.cells[cell as usize].contains(derived) {
                return None;
            }
            cells[cell as usize] = derived;
        }
        if !formulas.valid.iter().all(|&valid| value(valid, &cells) != 0) {
            return None;
        }
        let turn = match (self.coded.numbering.turn, self.coded.mover) {
            (None, Some(mover)) => value(mover, &cells) as u8,
            _ => turn,
        };
        Some(self.decoded(cells, turn))
    }

    /// The position of cells and a turn as formulas have them.
    fn decoded(&self, mut cells: Vec<i64>, turn: u8) -> Position {
        let has_turn = self.coded.numbering.turn.is_some() || self.coded.mover.is_some();
        if let Some(skew) = self.coded.skew {
            skew.undo(&mut cells);
        }
        Position { parts: vec![cells.into_boxed_slice()], turn: if has_turn { Player(turn) } else { self.turn } }
    }
}
