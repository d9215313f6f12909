//! What a table holds, and how results, options and gains become its numbers.

use cranelift_codegen::ir::{Type, types};
use formula::{EndResult, Formulas, Node};
use game::{Nimber, Outcome, Remoteness};

/// What a table of values holds for each position, and how its entries are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// One byte: 1 won, 0 lost by the mover. Only for games without draws.
    Win,
    /// One signed byte: 1 won, 0 drawn, −1 lost by the mover.
    Outcome,
    /// A signed key of `width` bytes; larger is better for the mover. Let B be the largest number of the type: won in r
    /// moves is B − r, lost in r is −B + r, drawn with r moves to the nearest declared draw is −r. No play may have B/2
    /// moves or more. So the other player's key is the same number with the other sign, one instruction for a vector;
    /// the engine's searches need a zero for what is not known yet, and pack the two differently.
    Remoteness {
        /// Bytes of a key: 1, 2 or 4.
        width: u8,
    },
    /// The mover's gains minus the other's, signed.
    Score {
        /// Bytes of a number: 1, 2, 4 or 8. The least number of the type must not occur.
        width: u8,
        /// Whether sums are checked: a sum that does not fit is a fault. Needs 8 bytes.
        checked: bool,
    },
    /// Nimbers, unsigned.
    Nimber {
        /// Bytes of a nimber: 1, 2 or 4.
        width: u8,
    },
}

impl Values {
    /// Bytes of a table's entry.
    pub fn width(self) -> usize {
        match self {
            Values::Win | Values::Outcome => 1,
            Values::Remoteness { width } | Values::Score { width, .. } | Values::Nimber { width } => width.into(),
        }
    }

    /// The type of an entry.
    pub(crate) fn entry(self) -> Type {
        match self.width() {
            1 => types::I8,
            2 => types::I16,
            4 => types::I32,
            _ => types::I64,
        }
    }

    /// A vector of as many entries as fit in 128 bits.
    pub(crate) fn lanes(self) -> Type {
        match self.width() {
            1 => types::I8X16,
            2 => types::I16X8,
            4 => types::I32X4,
            _ => types::I64X2,
        }
    }

    /// The largest number of an entry of a signed type.
    pub(crate) fn largest(self) -> i64 {
        i64::MAX >> (64 - 8 * self.width())
    }

    /// The least number of a signed entry. It is never a value, so it marks that there was no option.
    pub(crate) fn nothing(self) -> i64 {
        -self.largest() - 1
    }

    /// The largest key of remoteness that is a loss; drawn keys are above it and at most 0.
    pub(crate) fn largest_loss(self) -> i64 {
        -(self.largest() / 2) - 1
    }

    /// The entry of a place in a filled table, with its sign.
    pub fn read(self, table: &[u8], place: u64) -> Option<i64> {
        let width = self.width();
        let start = usize::try_from(place).ok()?.checked_mul(width)?;
        let bytes = table.get(start..start.checked_add(width)?)?;
        let mut wide = [0; 8];
        wide[..width].copy_from_slice(bytes);
        let shift = 64 - 8 * width as u32;
        Some((i64::from_le_bytes(wide) << shift) >> shift)
    }

    /// Won, drawn or lost by an entry, with remoteness where the table has it; `None` for other values.
    pub fn outcome(self, entry: i64) -> Option<(Outcome, Remoteness)> {
        let moves = |moves: i64| u32::try_from(moves).ok();
        Some(match self {
            Values::Win => (if entry == 1 { Outcome::Win } else { Outcome::Loss }, None),
            Values::Outcome => match entry {
                1 => (Outcome::Win, None),
                0 => (Outcome::Draw, None),
                _ => (Outcome::Loss, None),
            },
            Values::Remoteness { .. } if entry > 0 => (Outcome::Win, moves(self.largest() - entry)),
            Values::Remoteness { .. } if entry > self.largest_loss() => (Outcome::Draw, moves(-entry)),
            Values::Remoteness { .. } => (Outcome::Loss, moves(entry + self.largest())),
            Values::Score { .. } | Values::Nimber { .. } => return None,
        })
    }

    /// The mover's score by an entry; `None` for other values.
    pub fn score(self, entry: i64) -> Option<i64> {
        matches!(self, Values::Score { .. }).then_some(entry)
    }

    /// The nimber by an entry; `None` for other values.
    pub fn nimber(self, entry: i64) -> Option<Nimber> {
        let Values::Nimber { width } = self else { return None };
        let mask = u64::MAX >> (64 - 8 * u32::from(width));
        Some((entry as u64 & mask) as Nimber)
    }

    /// Whether a game with these formulas can have such values.
    pub(crate) fn fits(self, formulas: &Formulas) -> bool {
        match self {
            Values::Score { .. } => formulas.counted && formulas.players == 2,
            Values::Nimber { .. } => true,
            _ => !formulas.counted && formulas.players == 2,
        }
    }

    /// The entry of an end; `mover` is the node of the player to move.
    pub(crate) fn end(self, formulas: &mut Formulas, mover: Node, worth: &EndResult) -> Node {
        let arena = &mut formulas.arena;
        match (self, worth) {
            (Values::Nimber { .. }, _) => arena.number(0),
            (Values::Win, EndResult::Outcome(outcome)) => {
                let zero = arena.number(0);
                arena.lt(zero, *outcome)
            }
            (Values::Remoteness { .. }, EndResult::Outcome(outcome)) => arena.scale(*outcome, self.largest()),
            (_, EndResult::Outcome(outcome)) => *outcome,
            (_, EndResult::Gains(gains)) => difference(formulas, mover, gains),
        }
    }
}

/// The mover's gain minus the other's.
pub(crate) fn difference(formulas: &mut Formulas, mover: Node, gains: &[Node]) -> Node {
    let arena = &mut formulas.arena;
    let &[first, second] = gains else { return arena.number(0) };
    let (of_first, of_second) = (arena.sub(first, second), arena.sub(second, first));
    arena.select(mover, of_second, of_first)
}
