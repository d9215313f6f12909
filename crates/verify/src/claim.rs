//! What a certificate claims of a position.

use std::io::Read;

use game::{NimberSet, Outcome, OutcomeClass};

use crate::notation;
use crate::refusal::Refusal;
use crate::stream::Reader;

/// What is claimed of a position, seen by the player to move. A field that is absent is not claimed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Won, drawn or lost.
    pub outcome: Option<Outcome>,
    /// How many moves until the end, where winners hurry and losers linger.
    pub remoteness: Option<u64>,
    /// Who wins whoever starts.
    pub class: Option<OutcomeClass>,
    /// The mover's total from here on minus the other's.
    pub value: Option<i64>,
    /// Each player's total from here on, from player 0 on.
    pub payoffs: Option<Vec<i64>>,
    /// Whether ties leave the totals unique.
    pub unique: Option<bool>,
    /// The Grundy number.
    pub nimber: Option<u64>,
    /// The set of an infinite loopy nimber.
    pub loopy: Option<NimberSet>,
    /// The value as a partizan game, by name.
    pub form: Option<String>,
}

/// The most numbers of a list in a claim.
const MOST: u64 = 1 << 16;

/// The outcomes as numbers.
pub const OUTCOMES: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];
/// The outcome classes as numbers.
pub const CLASSES: [OutcomeClass; 4] = [OutcomeClass::L, OutcomeClass::R, OutcomeClass::N, OutcomeClass::P];

impl Claim {
    /// Which fields are there, as bits from the lowest on, in the order of the fields.
    pub fn fields(&self) -> u64 {
        let there = [
            self.outcome.is_some(),
            self.remoteness.is_some(),
            self.class.is_some(),
            self.value.is_some(),
            self.payoffs.is_some(),
            self.unique.is_some(),
            self.nimber.is_some(),
            self.loopy.is_some(),
            self.form.is_some(),
        ];
        there.iter().enumerate().map(|(bit, there)| u64::from(*there) << bit).sum()
    }

    /// Reads a claim: which fields there are, then each.
    pub(crate) fn read<R: Read>(reader: &mut Reader<R>) -> Result<Claim, Refusal> {
        let fields = reader.at_most(0x1ff, "the fields of a claim")?;
        let has = |bit: u32| fields >> bit & 1 == 1;
        let mut claim = Claim::default();
        if has(0) {
            claim.outcome = Some(OUTCOMES[reader.at_most(2, "an outcome")? as usize]);
        }
        if has(1) {
            claim.remoteness = Some(reader.number()?);
        }
        if has(2) {
            claim.class = Some(CLASSES[reader.at_most(3, "an outcome class")? as usize]);
        }
        if has(3) {
            claim.value = Some(reader.signed()?);
        }
        if has(4) {
            let length = reader.at_most(MOST, "a list of payoffs")?;
            claim.payoffs = Some((0..length).map(|_| reader.signed()).collect::<Result<_, _>>()?);
        }
        if has(5) {
            claim.unique = Some(reader.at_most(1, "a truth value")? == 1);
        }
        if has(6) {
            claim.nimber = Some(reader.number()?);
        }
        if has(7) {
            let length = reader.at_most(MOST, "a set of nimbers")?;
            let nimbers: Vec<u64> = (0..length).map(|_| reader.number()).collect::<Result<_, _>>()?;
            let ascending = nimbers.windows(2).all(|pair| pair[0] < pair[1]);
            claim.loopy = Some(nimbers.into_iter().collect());
            if !ascending {
                return Err(Refusal::wrong("the set of a loopy nimber does not ascend"));
            }
        }
        if has(8) {
            claim.form = Some(reader.text(notation::LONGEST, "a name")?);
        }
        Ok(claim)
    }
}
