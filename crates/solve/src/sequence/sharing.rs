//! For how many terms at a time a table is made, if tables are shared.

use rules::program::Program;

use crate::methods::moves_depend_on;

/// If a table for twice as many terms has more than so many times the positions, the next one is for fewer.
const MOST_GROWTH: u64 = 8;
/// Tables of fewer positions say nothing of how the number grows.
const FEW_POSITIONS: u64 = 1 << 10;

/// Whether and for how many terms at a time tables are shared.
#[derive(Debug)]
pub(super) struct Sharing {
    /// Whether tables are shared at all; no longer, once that turned out to be in vain.
    pub is_on: bool,
    /// The next table is for so many terms.
    pub count: u64,
    /// The positions of the table before.
    positions: u64,
    /// How many terms were read off the table of another instance.
    pub terms: u64,
}

impl Sharing {
    pub fn new(program: &Program, parameter: usize) -> Sharing {
        Sharing { is_on: !moves_depend_on(program, parameter), count: 2, positions: 0, terms: 0 }
    }

    /// Chooses for how many terms the next table is.
    pub fn adapt(&mut self, positions: u64) {
        let before = self.positions.max(FEW_POSITIONS);
        self.count = match positions / before < MOST_GROWTH {
            true => self.count.saturating_mul(2),
            false => (self.count / 2).max(1),
        };
        self.positions = positions;
    }

    /// Gives sharing up.
    pub fn end(&mut self) {
        self.is_on = false;
    }
}
