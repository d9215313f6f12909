//! The finished table of a game that compiled code has solved.

use game::{Nimber, Player};
use rules::bind::Position;

use crate::codes::{CodeTable, Value};
use crate::compiled::{Codec, Filled};
use crate::verdict::Verdict;

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

    /// How many places there are to look for positions.
    pub fn places(&self) -> u64 {
        match &self.values {
            CodeValues::Met(table) => table.places() as u64,
            _ => self.codec.coded().numbering.size,
        }
    }

    /// The position at a place, if there is one with a value.
    pub fn position_at(&self, place: u64, turn: Player) -> Option<Position> {
        let code = match &self.values {
            CodeValues::Met(table) => table.settled_at(usize::try_from(place).ok()?)?,
            _ => place,
        };
        let mut position = self.codec.position(code)?;
        if self.by_parts() {
            position.turn = turn;
        }
        Some(position)
    }

    /// A position that a search has met.
    pub fn random_met(&self, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        match &self.values {
            CodeValues::Met(table) => self.codec.position(table.sample(random)?),
            _ => None,
        }
    }

    /// Whether it is a table of the parts of a sum.
    pub fn by_parts(&self) -> bool {
        matches!(self.values, CodeValues::Parts(_))
    }
}
