//! Codes: positions as whole numbers, one digit for each cell.
//!
//! ```text
//! code = Σ (cell − low) · stride (+ turn · stride)          digits with the smallest stride come last
//! ```
//!
//! With the strides of a mixed radix the codes are dense and index a table. With powers of two they are bit fields,
//! quick to take apart, and serve as keys of a hash table. Cells that others determine have no digit, see [`Coded`].

use crate::eval::{Evaluator, Point};
use crate::formulas::Formulas;
use crate::node::{Node, Op, Range};
use crate::rewrite::Rewrite;
use crate::skew::Skew;

/// One digit of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// The cell.
    pub cell: u32,
    /// Its least value.
    pub low: i64,
    /// How many values it has.
    pub size: u64,
    /// What one step of it adds to the code.
    pub stride: u64,
}

/// How cells and turn make a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// The digits, those with the largest stride first.
    pub digits: Vec<Digit>,
    /// The stride of the turn, if it is a digit.
    pub turn: Option<u64>,
    /// All codes are below this. It is the length of a dense table.
    pub size: u64,
}

impl Numbering {
    /// Dense codes: `cells` from the most significant digit to the least, the turn before or after them or not at all.
    /// `None` if the codes do not fit in 63 bits.
    pub fn dense(formulas: &Formulas, cells: &[u32], turn: TurnPlace) -> Option<Numbering> {
        Numbering::with(formulas, cells, turn, Some)
    }

    /// Bit fields, for keys.
    pub fn fields(formulas: &Formulas, cells: &[u32], turn: TurnPlace) -> Option<Numbering> {
        Numbering::with(formulas, cells, turn, |size| size.checked_next_power_of_two())
    }

    fn with(
        formulas: &Formulas,
        cells: &[u32],
        turn: TurnPlace,
        round: impl Fn(u64) -> Option<u64>,
    ) -> Option<Numbering> {
        let mut stride = 1u64;
        let players = formulas.players as u64;
        let mut digits = Vec::with_capacity(cells.len());
        let mut turn_stride = None;
        if turn == TurnPlace::Last {
            turn_stride = Some(stride);
            stride = stride.checked_mul(round(players)?)?;
        }
        for &cell in cells.iter().rev() {
            let Range { low, high } = formulas.cells[cell as usize];
            let size = u64::try_from(i128::from(high) - i128::from(low) + 1).ok()?;
            digits.push(Digit { cell, low, size, stride });
            stride = stride.checked_mul(round(size)?)?;
        }
        digits.reverse();
        if turn == TurnPlace::First {
            turn_stride = Some(stride);
            stride = stride.checked_mul(round(players)?)?;
        }
        (stride <= 1 << 63).then_some(Numbering { digits, turn: turn_stride, size: stride })
    }

    /// The code of a position whose cells are in their domains. `turn` is ignored if it has no digit.
    pub fn code(&self, cells: &[i64], turn: u8) -> u64 {
        let mut code = self.turn.map_or(0, |stride| stride * u64::from(turn));
        for digit in &self.digits {
            code += cells[digit.cell as usize].wrapping_sub(digit.low) as u64 * digit.stride;
        }
        code
    }

    /// Writes the cells that have digits; returns the turn, or 0 if it has no digit.
    pub fn decode(&self, code: u64, players: usize, cells: &mut [i64]) -> u8 {
        for digit in &self.digits {
            let value = code / digit.stride % digit.size.max(1).next_power_of_two_if(self.is_fields());
            cells[digit.cell as usize] = digit.low.wrapping_add_unsigned(value);
        }
        self.turn.map_or(0, |stride| (code / stride % (players as u64).next_power_of_two_if(self.is_fields())) as u8)
    }

    /// Whether all strides are powers of two, so that digits are fields.
    pub fn is_fields(&self) -> bool {
        self.digits.iter().map(|digit| digit.stride).chain(self.turn).all(u64::is_power_of_two)
            && self.size.is_power_of_two()
    }
}

trait RoundUp {
    fn next_power_of_two_if(self, fields: bool) -> Self;
}

impl RoundUp for u64 {
    fn next_power_of_two_if(self, fields: bool) -> u64 {
        if fields { self.next_power_of_two() } else { self }
    }
}

/// Where the turn stands in a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnPlace {
    /// Nowhere: no rule reads it, or a formula gives it.
    Nowhere,
    /// As the most significant digit.
    First,
    /// As the least significant digit.
    Last,
}

/// Formulas that read only what the code holds.
#[derive(Clone, Debug)]
pub struct Coded {
    /// The formulas. They read the cells of `numbering.digits`, and the mover only if it is a digit.
    pub formulas: Formulas,
    /// How positions are numbered.
    pub numbering: Numbering,
    /// For each action: truth value, whether the mover moves again. Games for two.
    pub same: Vec<Node>,
    /// Cells without a digit, as formulas of the others. Cells with one value are not listed.
    pub derived: Vec<(u32, Node)>,
    /// The mover as a formula, if positions do not record the turn but rules read it.
    pub mover: Option<Node>,
    /// If given, one cell holds a sum of two cells of the game.
    pub skew: Option<Skew>,
}

impl Coded {
    /// Replaces `derived` cells and, if given, the mover by their formulas. All nodes belong to the formulas' arena.
    pub fn new(mut formulas: Formulas, numbering: Numbering, derived: Vec<(u32, Node)>, mover: Option<Node>) -> Coded {
        let mut same = Vec::with_capacity(formulas.actions.len());
        let mover_node = formulas.arena.mover(formulas.players);
        for action in &formulas.actions {
            let (arena, lists) = (&mut formulas.arena, &formulas.lists);
            let mut stays = |mover: i64| {
                let mover = arena.number(mover);
                let turn = Rewrite::new(&[(mover_node, mover)]).node(arena, lists, action.turn);
                arena.eq(turn, mover)
            };
            let (first, second) = (stays(0), stays(1));
            same.push(arena.select(mover_node, second, first));
        }
        let mut replace = Vec::new();
        for &(cell, node) in &derived {
            let range = formulas.cells[cell as usize];
            replace.push((formulas.arena.cell(cell, range), node));
        }
        if let Some(mover) = mover {
            replace.push((mover_node, mover));
        }
        if !replace.is_empty() {
            let mut rewrite = Rewrite::new(&replace);
            for (action, same) in formulas.actions.iter_mut().zip(&mut same) {
                action.after.retain(|(cell, _)| derived.iter().all(|(other, _)| other != cell));
                *same = rewrite.node(&mut formulas.arena, &formulas.lists, *same);
            }
            let mut alive = rewrite.formulas(&mut formulas).into_iter();
            same.retain(|_| alive.next() == Some(true));
        }
        formulas.reads_mover = numbering.turn.is_some() && formulas.reads_mover;
        Coded { formulas, numbering, same, derived, mover, skew: None }
    }

    /// The code of a reachable position of the game.
    pub fn code(&self, cells: &[i64], turn: u8) -> u64 {
        match self.skew {
            None => self.numbering.code(cells, turn),
            Some(skew) => {
                let mut cells = cells.to_vec();
                skew.apply(&mut cells);
                self.numbering.code(&cells, turn)
            }
        }
    }

    /// The position that a code stands for, with all its cells, and whose turn it is (0 if unknown).
    pub fn position(&self, code: u64) -> (Vec<i64>, u8) {
        let mut cells: Vec<i64> = self.formulas.cells.iter().map(|range| range.low).collect();
        let mut turn = self.numbering.decode(code, self.formulas.players, &mut cells);
        if !self.derived.is_empty() || self.mover.is_some() {
            let mut evaluator = Evaluator::new(&self.formulas);
            let point = Point { cells: &cells, mover: turn.into(), choices: &[] };
            if let Some(mover) = self.mover {
                turn = evaluator.value(mover, &point) as u8;
            }
            let derived = self.derived.iter().map(|(cell, node)| (*cell, evaluator.value(*node, &point)));
            let derived: Vec<(u32, i64)> = derived.collect();
            derived.into_iter().for_each(|(cell, value)| cells[cell as usize] = value);
        }
        if let Some(skew) = self.skew {
            skew.undo(&mut cells);
        }
        (cells, turn)
    }

    /// How far an action shifts the code: `code of the option − code`, including the turn if that is a digit.
    pub fn shift(&mut self, action: usize) -> Node {
        let Coded { formulas, numbering, .. } = self;
        let arena = &mut formulas.arena;
        let action = &formulas.actions[action];
        let mut terms = Vec::new();
        for (cell, after) in &action.after {
            let Some(digit) = numbering.digits.iter().find(|digit| digit.cell == *cell) else { continue };
            let before = arena.cell(*cell, formulas.cells[*cell as usize]);
            terms.push((*after, digit.stride as i64));
            terms.push((before, (digit.stride as i64).wrapping_neg()));
        }
        if let Some(stride) = numbering.turn {
            let mover = arena.mover(formulas.players);
            terms.push((action.turn, stride as i64));
            terms.push((mover, (stride as i64).wrapping_neg()));
        }
        arena.combine(&terms, 0)
    }

    /// The digit of a cell.
    pub fn digit(&self, cell: u32) -> Option<&Digit> {
        self.numbering.digits.iter().find(|digit| digit.cell == cell)
    }

    /// Whether a node contains an operation that `wanted` accepts.
    pub fn reads(&self, node: Node, wanted: &dyn Fn(&Op) -> bool) -> bool {
        let arena = &self.formulas.arena;
        let mut seen = vec![false; arena.len()];
        let mut stack = vec![node];
        while let Some(next) = stack.pop() {
            if std::mem::replace(&mut seen[next.index()], true) {
                continue;
            }
            if wanted(arena.op(next)) {
                return true;
            }
            arena.operands(next, &mut |operand| stack.push(operand));
        }
        false
    }
}
