//! The values of all codes that were solved, whichever engine found them.

use game::{Nimber, Outcome, Remoteness};

use crate::codes::Map;
use crate::codes::cell::Cell;
use crate::codes::kind::{Reading, Value};
use crate::memory::Lease;

/// The values of a game by code.
pub struct CodeTable {
    store: Store,
    reading: Reading,
    positions: u64,
    lease: Lease,
    canonical: Option<Map>,
}

/// Where the cells are.
enum Store {
    Dense(Dense),
}

/// Cells indexed by code, in one of four widths.
pub(crate) enum Dense {
    Bytes(Vec<u8>),
    Halves(Vec<u16>),
    Words(Vec<u32>),
    Longs(Vec<u64>),
}

impl From<Vec<u8>> for Dense {
    fn from(cells: Vec<u8>) -> Dense {
        Dense::Bytes(cells)
    }
}

impl From<Vec<u16>> for Dense {
    fn from(cells: Vec<u16>) -> Dense {
        Dense::Halves(cells)
    }
}

impl From<Vec<u32>> for Dense {
    fn from(cells: Vec<u32>) -> Dense {
        Dense::Words(cells)
    }
}

impl From<Vec<u64>> for Dense {
    fn from(cells: Vec<u64>) -> Dense {
        Dense::Longs(cells)
    }
}

impl Dense {
    fn len(&self) -> usize {
        match self {
            Dense::Bytes(cells) => cells.len(),
            Dense::Halves(cells) => cells.len(),
            Dense::Words(cells) => cells.len(),
            Dense::Longs(cells) => cells.len(),
        }
    }

    fn cell(&self, code: usize) -> u64 {
        let wide = |cell: Option<u64>| cell.unwrap_or(0);
        match self {
            Dense::Bytes(cells) => wide(cells.get(code).map(|cell| cell.wide())),
            Dense::Halves(cells) => wide(cells.get(code).map(|cell| cell.wide())),
            Dense::Words(cells) => wide(cells.get(code).map(|cell| cell.wide())),
            Dense::Longs(cells) => wide(cells.get(code).copied()),
        }
    }
}

impl CodeTable {
    pub(crate) fn dense(
        cells: Dense,
        reading: Reading,
        positions: u64,
        lease: Lease,
        canonical: Option<Map>,
    ) -> CodeTable {
        CodeTable { store: Store::Dense(cells), reading, positions, lease, canonical }
    }

    /// The value of a position, if it was settled. Where symmetries were used, any code of a class will do.
    pub fn get(&self, code: u64) -> Option<Value> {
        let code = self.canonical.as_ref().map_or(code, |canonical| canonical(code));
        self.reading.read(self.cell(code))
    }

    fn cell(&self, code: u64) -> u64 {
        match &self.store {
            Store::Dense(cells) => usize::try_from(code).map_or(0, |code| cells.cell(code)),
        }
    }

    /// The outcome and remoteness of a position, where they were worked out.
    pub fn outcome(&self, code: u64) -> Option<(Outcome, Remoteness)> {
        match self.get(code)? {
            Value::Outcome(outcome, remoteness) | Value::Both(outcome, remoteness, _) => Some((outcome, remoteness)),
            _ => None,
        }
    }

    /// The score of a position, where scores were worked out.
    pub fn score(&self, code: u64) -> Option<i64> {
        if let Value::Score(score) = self.get(code)? { Some(score) } else { None }
    }

    /// The Grundy number of a position, where they were worked out.
    pub fn nimber(&self, code: u64) -> Option<Nimber> {
        match self.get(code)? {
            Value::Nimber(nimber) | Value::Both(_, _, nimber) => Some(nimber),
            _ => None,
        }
    }

    /// How many positions have a value.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// What the table takes.
    pub fn bytes(&self) -> u64 {
        self.lease.bytes()
    }

    /// How many places there are, settled or not.
    fn places(&self) -> usize {
        match &self.store {
            Store::Dense(cells) => cells.len(),
        }
    }

    /// The code in a place, if it is settled.
    fn settled_at(&self, place: usize) -> Option<u64> {
        match &self.store {
            Store::Dense(cells) => self.reading.is_settled(cells.cell(place)).then_some(place as u64),
        }
    }

    /// The codes of all settled positions, each once, in no particular order.
    pub fn codes(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.places()).filter_map(|place| self.settled_at(place))
    }

    /// The code of a settled position, chosen by a source of random numbers; `None` if there is no settled position. Every
    /// position can come up; they are equally likely as far as they lie evenly in the table.
    pub fn sample(&self, random: &mut dyn FnMut() -> u64) -> Option<u64> {
        let places = self.places();
        if self.positions == 0 || places == 0 {
            return None;
        }
        let mut place = 0;
        for _ in 0..64 {
            place = ((u128::from(random()) * places as u128) >> 64) as usize;
            if let Some(code) = self.settled_at(place) {
                return Some(code);
            }
        }
        (place..places).chain(0..place).find_map(|place| self.settled_at(place))
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
