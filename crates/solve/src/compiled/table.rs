//! The finished table of a game that compiled code has solved.

use game::{Nimber, Player};
use rules::bind::Position;

use crate::codes::{CodeTable, Value};
use crate::compiled::{Codec, Filled};
use crate::verdict::Verdict;

/// How often a code is drawn until one is met that can be reached.
const MOST_TRIES: usize = 100_000;

/// Values by code.
pub(crate) struct CompiledTable {
    codec: Codec,
    values: CodeValues,
}

/// Where the values are.
pub(crate) enum CodeValues {
    /// Won, drawn or lost, and Grundy numbers where the game has them.
    Outcomes(Filled, Option<Filled>),
    /// Scores.
    Scores(Filled),
    /// Grundy numbers of parts.
    Parts(Filled),
    /// What a search or retrograde analysis found.
    Met(Box<CodeTable>),
}

impl CompiledTable {
    pub fn new(codec: Codec, values: CodeValues) -> CompiledTable {
        CompiledTable { codec, values }
    }

    /// How many positions have a value.
    pub fn positions(&self) -> u64 {
        match &self.values {
            CodeValues::Met(table) => table.positions(),
            _ => self.codec.coded().numbering.size,
        }
    }

    /// What is known of a position.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        if let CodeValues::Parts(_) = &self.values {
            let mut nimbers = position.parts.iter().map(|part| self.part_nimber(part));
            return nimbers.try_fold(0, |sum, nimber| nimber.map(|nimber| sum ^ nimber)).map(Verdict::Nimber);
        }
        let code = self.codec.code_of(position)?;
        match &self.values {
            CodeValues::Outcomes(outcomes, nimbers) => {
                let (outcome, remoteness) = outcomes.outcome(code)?;
                let nimber = nimbers.as_ref().and_then(|nimbers| nimbers.nimber(code));
                Some(Verdict::Outcome { outcome, remoteness, nimber })
            }
            CodeValues::Scores(scores) => scores.score(code).map(Verdict::Score),
            CodeValues::Parts(_) => None,
            CodeValues::Met(table) => Some(match table.get(code)? {
                Value::Outcome(outcome, remoteness) => Verdict::Outcome { outcome, remoteness, nimber: None },
                Value::Both(outcome, remoteness, nimber) => {
                    Verdict::Outcome { outcome, remoteness, nimber: Some(nimber) }
                }
                Value::Score(score) => Verdict::Score(score),
                Value::Nimber(nimber) => Verdict::Nimber(nimber),
            }),
        }
    }

    /// The Grundy number of one part of a sum.
    pub fn part_nimber(&self, part: &[i64]) -> Option<Nimber> {
        match &self.values {
            CodeValues::Parts(nimbers) => nimbers.nimber(self.codec.code(part, Player::FIRST)?),
            _ => None,
        }
    }

    /// The number of a position.
    pub fn number(&self, position: &Position) -> Option<u64> {
        self.codec.code_of(position)
    }

    /// All positions with a value.
    pub fn each(&self) -> Box<dyn Iterator<Item = Position> + '_> {
        match &self.values {
            CodeValues::Met(table) => Box::new(table.codes().filter_map(|code| self.codec.position(code))),
            _ => Box::new((0..self.positions()).filter_map(|code| self.codec.position(code))),
        }
    }

    /// One of them, chosen by a source of random numbers; `None` if none was found.
    pub fn random(&self, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        match &self.values {
            CodeValues::Met(table) => self.codec.position(table.sample(random)?),
            _ => (0..MOST_TRIES).find_map(|_| {
                let code = (u128::from(random()) * u128::from(self.positions())) >> 64;
                self.codec.position(code as u64)
            }),
        }
    }

    /// Whether it is a table of the parts of a sum.
    pub fn by_parts(&self) -> bool {
        matches!(self.values, CodeValues::Parts(_))
    }
}
