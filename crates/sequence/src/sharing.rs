//! For how many terms at a time a table is made, if tables are shared.

use rules::program::Program;

use crate::parameter::moves_depend_on;

/// If a table for twice as many terms has more than so many times the positions, the next one is for fewer.
const MOST_GROWTH: u64 = 8;
/// Tables of fewer positions say nothing of how the number grows.
const FEW_POSITIONS: u64 = 1 << 10;

/// Sharing is tried again so often.
const MOST_TRIES: u32 = 3;

/// Whether and for how many terms at a time tables are shared.
#[derive(Debug)]
pub(super) struct Sharing {
    /// Whether tables are shared at all; no longer, once that turned out to be in vain.
    pub is_on: bool,
    /// Whether rules read the parameter: then each instance is compared with the one whose table it is to share.
    pub reads: bool,
    /// So many terms are solved by themselves before sharing is tried again: the rules of the smallest instances are often
    /// special.
    rest: u64,
    tries: u32,
    /// The next table is for so many terms.
    pub count: u64,
    /// The positions of the table before.
    positions: u64,
    /// How many terms were read off the table of another instance.
    pub terms: u64,
}

impl Sharing {
    /// For instances that differ in one parameter.
    pub fn new(program: &Program, parameter: usize) -> Sharing {
        Sharing::of(program, &[parameter])
    }

    /// For instances that differ in some parameters.
    pub fn of(program: &Program, parameters: &[usize]) -> Sharing {
        Sharing {
            is_on: true,
            reads: parameters.iter().any(|&parameter| moves_depend_on(program, parameter)),
            rest: 0,
            tries: 0,
            count: 2,
            positions: 0,
            terms: 0,
        }
    }

    /// Whether the next terms are solved together; counts those that are not.
    pub fn is_tried(&mut self) -> bool {
        let tried = self.is_on && self.rest == 0;
        self.rest = self.rest.saturating_sub(1);
        tried
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

    /// Gives sharing up: for good, or, where rules read the parameter, for a while at first.
    pub fn end(&mut self) {
        self.tries += 1;
        self.is_on = self.reads && self.tries <= MOST_TRIES;
        self.rest = 1 << self.tries.min(MOST_TRIES);
        self.count = 2;
    }
}
