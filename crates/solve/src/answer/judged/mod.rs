//! What values tell of a position and of its moves: `by_values` where play ends, `by_loops` where it may go on for ever.

pub(crate) mod by_loops;
mod by_values;

pub use by_values::judged;
pub(crate) use by_values::{Bench, MOST_JUDGED, SMALL};

use game::OutcomeClass;

use crate::part_values::Place;
use crate::value_text::ValueText;

/// What the values of a position and of its options tell.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Who wins whoever starts.
    pub class: Option<OutcomeClass>,
    /// The value of the position; absent where the sum of its parts may be too large.
    pub value: Option<ValueText>,
    /// Why nothing is known of values.
    pub missing: Option<String>,
    /// Its parts, where there are several.
    pub parts: Vec<JudgedPart>,
    /// What they tell of the moves, in the order in which these were given.
    pub moves: Vec<MoveJudgement>,
}

impl Judged {
    /// Nothing but who wins is known.
    pub(super) fn missing(class: Option<OutcomeClass>, why: String) -> Judged {
        Judged { class, value: None, missing: Some(why), parts: Vec::new(), moves: Vec::new() }
    }
}

/// A part of a position.
#[derive(Clone, Debug)]
pub struct JudgedPart {
    /// What people call it: `part 2`, or its cells.
    pub name: String,
    /// Its number in the sum, or the first of its cells.
    pub place: Place,
    /// Its value.
    pub value: ValueText,
    /// Whether no other part is hotter: it is where to play first, as a rule.
    pub hottest: bool,
}

/// What values tell of a move.
#[derive(Clone, Debug)]
pub struct MoveJudgement {
    /// The value of what it leaves; absent where that may be too large.
    pub value: Option<ValueText>,
    /// Why there is none, where positions repeat: a limit was reached, or the theory has none.
    pub missing: Option<String>,
    /// The part in which it is played, where there are several, and what it makes of that.
    pub part: Option<(usize, ValueText)>,
    /// What becomes of it on the way to the canonical form.
    pub mark: Mark,
}

/// What becomes of an option on the way to the canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It stays.
    Kept,
    /// The move with this index is better.
    Dominated(usize),
    /// The move with this index leaves the same value, and is judged for both.
    Equal(usize),
    /// The opponent can answer it with a move to this value, after which the player is no better off than before. The name
    /// is absent where it would be very long.
    Reversible(Option<String>),
}
