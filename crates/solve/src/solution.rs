//! The answer as people and programs read it: the one place that knows the JSON of `solve`.

use game::Player;
use rules::bind::Bound;
use rules::instance::Given;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::compare::Compare;
use crate::compound::SummandAnswer;
use crate::understood::Understood;

/// How many moves a list holds before it is cut.
pub const MOST_MOVES: usize = 1000;

/// The result of a solve, with the fields that apply to the game's kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Solution {
    /// The game's name.
    pub game: String,
    /// The instance as understood.
    pub instance: Understood,
    /// `outcome`, `score`, `payoffs`, `nimber` or `partizan`.
    pub kind: &'static str,
    /// Who wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// The result for the player who starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Who wins whoever starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome_class: Option<String>,
    /// Why there is no `outcome_class`, where the game would have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome_class_missing: Option<String>,
    /// The starter's total minus the other's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// `[first's total, second's]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<i64>>,
    /// One total a player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payoffs: Option<Vec<i64>>,
    /// Whether ties leave the payoffs unique.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique: Option<bool>,
    /// The Grundy number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u64>,
    /// The loopy nimber, where it is infinite: `∞{0,2}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loopy: Option<String>,
    /// Moves until the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remoteness: Option<u64>,
    /// Every first move that keeps the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_moves: Option<Vec<String>>,
    /// Set where there are more.
    #[serde(skip_serializing_if = "is_false")]
    pub best_moves_cut: bool,
    /// Those of them that attain the remoteness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fast_moves: Option<Vec<String>>,
    /// One optimal play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
    /// Set where it goes on.
    #[serde(skip_serializing_if = "is_false")]
    pub line_cut: bool,
    /// The file that holds the whole play, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_file: Option<LineFile>,
    /// How a simple player fares against perfect play, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compare: Option<Compare>,
    /// The file that holds the picture, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// The summands of a sum of different games, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub summands: Vec<SummandAnswer>,
    /// Positions met.
    pub positions: u64,
    /// The method that was used.
    pub method: String,
    /// What it took, in seconds.
    pub seconds: f64,
    /// Bytes at the peak.
    pub bytes: u64,
    /// How many positions of the table were valued again by the interpreter, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<u64>,
    /// How far the answer is backed.
    pub proof: String,
}

/// A file with a whole optimal play.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LineFile {
    /// Its name.
    pub file: String,
    /// How many moves it holds.
    pub moves: u64,
    /// Set where the play goes on for ever: after the last move in the file a position is there again.
    #[serde(skip_serializing_if = "is_false")]
    pub repeats: bool,
    /// The number of the move that was made in that position, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats_from: Option<u64>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The instance as JSON.
pub fn instance_json(bound: &Bound) -> Map<String, Value> {
    bound.instance().0.into_iter().map(|(name, given)| (name, given_json(&given))).collect()
}

/// A value of an instance as JSON.
pub fn given_json(given: &Given) -> Value {
    match given {
        Given::Int(value) => Value::from(*value),
        Given::Bool(value) => Value::from(*value),
        Given::Text(text) => Value::from(text.clone()),
        Given::Ints(items) => Value::from(items.clone()),
        Given::List(items) => Value::Array(items.iter().map(given_json).collect()),
    }
}

/// `first`, `second`, `draw` for a score seen by the starter.
pub fn winner_by_score(score: i64, starter: Player) -> String {
    match score.signum() {
        1 => starter.to_string(),
        -1 => starter.other().to_string(),
        _ => "draw".to_string(),
    }
}

/// The player with the highest total, if there is just one.
pub fn single_winner(totals: &[i64]) -> Option<Player> {
    let best = totals.iter().max()?;
    let mut players = (0..totals.len()).filter(|&player| totals[player] == *best);
    let winner = players.next()?;
    players.next().is_none().then_some(Player(winner as u8))
}
