//! The values of all codes that were solved, whichever engine found them.

use game::{Nimber, Outcome, Remoteness, Verdict};

use crate::codes::kind::Reading;
use crate::codes::source::Map;
use crate::codes::store::Cells;
use crate::memory::Lease;

/// The values of a game by code.
pub struct CodeTable {
    cells: Box<dyn Cells>,
    reading: Reading,
    positions: u64,
    leases: Vec<Lease>,
    canonical: Option<Map>,
}

impl CodeTable {
    pub(crate) fn new(
        cells: Box<dyn Cells>,
        reading: Reading,
        positions: u64,
        leases: Vec<Lease>,
        canonical: Option<Map>,
    ) -> CodeTable {
        CodeTable { cells, reading, positions, leases, canonical }
    }

    /// A table of outcomes that others worked out: one cell of 32 bits for each code, packed as the engines pack them, of
    /// which so many are settled.
    pub fn of_outcomes(cells: Vec<u32>, positions: u64, lease: Lease) -> CodeTable {
        CodeTable::new(Box::new(cells), Reading::Outcome(32), positions, vec![lease], None)
    }

    /// What a position is worth, if it was settled. Where symmetries were used, any code of a class will do.
    pub fn get(&self, code: u64) -> Option<Verdict> {
        let code = self.canonical.as_ref().map_or(code, |canonical| canonical(code));
        self.reading.read(self.cells.cell(code))
    }

    /// The outcome and remoteness of a position, where they were worked out.
    pub fn outcome(&self, code: u64) -> Option<(Outcome, Remoteness)> {
        match self.get(code)? {
            Verdict::Outcome { outcome, remoteness, .. } => Some((outcome, remoteness)),
            _ => None,
        }
    }

    /// The score of a position, where scores were worked out.
    pub fn score(&self, code: u64) -> Option<i64> {
        if let Verdict::Score(score) = self.get(code)? { Some(score) } else { None }
    }

    /// The Grundy number of a position, where they were worked out.
    pub fn nimber(&self, code: u64) -> Option<Nimber> {
        self.get(code)?.nimber()
    }

    /// How many positions have a value.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// What the table takes.
    pub fn bytes(&self) -> u64 {
        self.leases.iter().map(Lease::bytes).sum::<u64>() + self.cells.bytes()
    }

    /// The codes of all settled positions, each once, in no particular order.
    pub fn codes(&self) -> impl Iterator<Item = u64> + '_ {
        self.cells.entries().filter(|(_, cell)| self.reading.is_settled(*cell)).map(|(code, _)| code)
    }

    /// The code of a settled position, chosen by a source of random numbers; `None` if there is no settled position.
    /// Every position can come up; they are equally likely as far as they lie evenly in the table.
    pub fn sample(&self, random: &mut dyn FnMut() -> u64) -> Option<u64> {
        let settled = |cell: u64| self.reading.is_settled(cell);
        let found = (0..256).find_map(|_| self.cells.near(random(), &settled));
        found.or_else(|| self.codes().nth((random() % self.positions.max(1)) as usize))
    }
}

impl std::fmt::Debug for CodeTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CodeTable")
            .field("positions", &self.positions)
            .field("reading", &self.reading)
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}
