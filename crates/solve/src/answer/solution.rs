//! The answer as types: who wins, by how much, every best first move, one line of best play, what it took, and the instance as
//! it was understood.

use std::fmt;

use engine::monitor::Monitor;
use game::{LoopyNimber, NimberSet, Outcome, OutcomeClass, Player};
use rules::bind::Bound;
use rules::instance::Given;
use rules::play::Play;
use rules::program::ClaimField;
use rules::types::Type;
use rules::value::{Ints, Value};

use super::canonical_value::FoundValue;
use crate::answers::Proof;
use crate::methods::Unit;
use crate::options::MethodName;
use crate::value_text::ValueText;

/// What kind of answer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// Won, lost or drawn.
    Outcome,
    /// A score for two.
    Score,
    /// One total a player.
    Payoffs,
    /// A Grundy number.
    Nimber,
    /// An outcome class.
    Partizan,
}

impl fmt::Display for AnswerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            AnswerKind::Outcome => "outcome",
            AnswerKind::Score => "score",
            AnswerKind::Payoffs => "payoffs",
            AnswerKind::Nimber => "nimber",
            AnswerKind::Partizan => "partizan",
        })
    }
}

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// This player.
    Player(Player),
    /// Nobody: a draw, or equal scores.
    Draw,
}

impl Winner {
    /// Who wins if the game has this outcome for the player who starts, one of two.
    pub fn of(outcome: Outcome, starter: Player) -> Winner {
        match outcome {
            Outcome::Win => Winner::Player(starter),
            Outcome::Loss => Winner::Player(starter.other()),
            Outcome::Draw => Winner::Draw,
        }
    }

    /// The player with the highest total, if there is just one.
    pub fn by_totals(totals: &[i64]) -> Option<Winner> {
        let best = totals.iter().max()?;
        let mut players = (0..totals.len()).filter(|&player| totals[player] == *best);
        let winner = players.next()?;
        players.next().is_none().then_some(Winner::Player(Player(winner as u8)))
    }
}

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Winner::Player(player) => player.fmt(f),
            Winner::Draw => f.pad("draw"),
        }
    }
}

/// The result of a solve, with the fields that apply to the game's kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The game's name.
    pub game: String,
    /// The instance as understood.
    pub instance: Understood,
    /// The player who starts.
    pub starter: Player,
    /// What kind of answer it is.
    pub kind: AnswerKind,
    /// Who wins.
    pub winner: Option<Winner>,
    /// The result for the player who starts.
    pub outcome: Option<Outcome>,
    /// Who wins whoever starts.
    pub outcome_class: Option<OutcomeClass>,
    /// Why there is no `outcome_class`, where the game would have one.
    pub outcome_class_missing: Option<String>,
    /// The starter's total minus the other's.
    pub value: Option<i64>,
    /// The canonical form with its mean and temperature, where the players' moves differ and it is not too large.
    pub canonical: Option<ValueText>,
    /// Why there is no `canonical`, where positions repeat and the theory has no value for them.
    pub value_missing: Option<String>,
    /// `[first's total, second's]`.
    pub scores: Option<Vec<i64>>,
    /// One total a player.
    pub payoffs: Option<Vec<i64>>,
    /// Whether ties leave the payoffs unique.
    pub unique: Option<bool>,
    /// The Grundy number.
    pub nimber: Option<u64>,
    /// The set of the loopy nimber, where it is infinite.
    pub loopy: Option<NimberSet>,
    /// Moves until the end.
    pub remoteness: Option<u64>,
    /// Every first move that keeps the result.
    pub best_moves: Option<Vec<Play>>,
    /// Set where there are more.
    pub best_moves_cut: bool,
    /// Those of them that attain the remoteness.
    pub fast_moves: Option<Vec<Play>>,
    /// One optimal play.
    pub line: Option<Vec<Play>>,
    /// Set where it goes on.
    pub line_cut: bool,
    /// Why there is no line, where something can be said about that.
    pub line_missing: Option<String>,
    /// The summands of a sum of different games, in order.
    pub summands: Vec<SummandAnswer>,
    /// Positions met; parts, heaps or items where `unit` says so.
    pub positions: u64,
    /// What `positions` counts.
    pub unit: Unit,
    /// The method that was used.
    pub method: MethodName,
    /// What it took, in seconds.
    pub seconds: f64,
    /// Bytes at the peak.
    pub bytes: u64,
    /// How many positions were valued again by the interpreter, where that was asked for.
    pub checked: Option<u64>,
    /// The claims of the rules file that the answer contradicts, where it was compared with them.
    pub contradicted: Vec<Claim>,
    /// How far the answer is backed.
    pub proof: Proof,
}

/// What is known of one summand of a sum of different games.
#[derive(Clone, Debug, PartialEq)]
pub struct SummandAnswer {
    /// As it was written, with a number where several are the same: `kayles(7)`, `nim(5) #2`.
    pub name: String,
    /// The game's name.
    pub game: String,
    /// The instance as understood.
    pub instance: Understood,
    /// What it is worth.
    pub value: SummandValue,
    /// Those of the best moves that are played in this summand.
    pub best_moves: Vec<Play>,
    /// Positions of its game that were met.
    pub positions: u64,
    /// The method that solved its game.
    pub method: MethodName,
}

/// What a summand is worth.
#[derive(Clone, Debug, PartialEq)]
pub enum SummandValue {
    /// Its nimber, in a sum of impartial games.
    Nimber(LoopyNimber),
    /// Its canonical form, in a sum of others.
    Form(ValueText),
    /// It has no value of its own that the theory gives.
    Unvalued,
}

impl SummandValue {
    /// The nimber, where it is one.
    pub fn nimber(&self) -> Option<u64> {
        match self {
            SummandValue::Nimber(nimber) => nimber.nimber(),
            SummandValue::Form(_) | SummandValue::Unvalued => None,
        }
    }
}

impl fmt::Display for SummandValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SummandValue::Nimber(nimber) => nimber.fmt(f),
            SummandValue::Form(form) => f.pad(form.name.as_deref().unwrap_or("too long to be written out")),
            SummandValue::Unvalued => f.pad("not known by itself"),
        }
    }
}

/// A claim that holds for an instance, spelled as the JSON spells answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Which field of the answer.
    pub field: ClaimField,
    /// Its value.
    pub value: String,
}

impl Solution {
    /// An answer of which nothing is known yet.
    pub(crate) fn blank(game: String, instance: Understood, starter: Player, method: MethodName) -> Solution {
        Solution {
            game,
            instance,
            starter,
            kind: AnswerKind::Outcome,
            winner: None,
            outcome: None,
            outcome_class: None,
            outcome_class_missing: None,
            value: None,
            canonical: None,
            value_missing: None,
            scores: None,
            payoffs: None,
            unique: None,
            nimber: None,
            loopy: None,
            remoteness: None,
            best_moves: None,
            best_moves_cut: false,
            fast_moves: None,
            line: None,
            line_cut: false,
            line_missing: None,
            summands: Vec::new(),
            positions: 0,
            unit: Unit::Position,
            method,
            seconds: 0.0,
            bytes: 0,
            checked: None,
            contradicted: Vec::new(),
            proof: Proof::Table,
        }
    }

    /// Takes in what it took, up to now: so many positions, and what a monitor has seen.
    pub(crate) fn set_cost(&mut self, positions: u64, monitor: &Monitor) {
        self.positions = positions;
        self.seconds = monitor.elapsed().as_secs_f64();
        self.bytes = monitor.memory().peak();
    }

    /// Takes in what was found of the value.
    pub(crate) fn take_value(&mut self, valued: FoundValue) {
        self.canonical = valued.form;
        self.value_missing = valued.missing;
    }

    /// Takes in the outcome for the player who starts.
    pub(crate) fn set_outcome(&mut self, outcome: Outcome) {
        self.winner = Some(Winner::of(outcome, self.starter));
        self.outcome = Some(outcome);
    }

    /// Takes in the score for the player who starts.
    pub(crate) fn set_score(&mut self, value: i64) {
        self.kind = AnswerKind::Score;
        self.value = Some(value);
        self.set_outcome(Outcome::of_sign(value));
    }
}

/// The parameters of a game in order, with the values they were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Understood(Vec<(String, Shown)>);

/// One value.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A list of numbers, shared.
    Numbers(Ints),
    /// Anything else.
    Given(Given),
}

impl Understood {
    /// What a bound game was given.
    pub fn new(bound: &Bound) -> Understood {
        let params = bound.program.params.iter().enumerate();
        let shown = |index: usize, ty: &Type| match &bound.globals[index] {
            Value::Ints(numbers) if ty.item() == Some(Type::Int) && *ty != Type::Text => {
                Shown::Numbers(numbers.clone())
            }
            _ => Shown::Given(bound.given(index)),
        };
        Understood(params.map(|(index, param)| (param.name.clone(), shown(index, &param.ty))).collect())
    }

    /// Without the values whose names are unwanted.
    pub fn without(self, unwanted: impl Fn(&str) -> bool) -> Understood {
        Understood(self.0.into_iter().filter(|(name, _)| !unwanted(name)).collect())
    }

    /// The values by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Shown)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

impl FromIterator<(String, Shown)> for Understood {
    fn from_iter<I: IntoIterator<Item = (String, Shown)>>(values: I) -> Understood {
        Understood(values.into_iter().collect())
    }
}

impl PartialEq for Shown {
    fn eq(&self, other: &Shown) -> bool {
        match (self, other) {
            (Shown::Numbers(a), Shown::Numbers(b)) => a.as_slice() == b.as_slice(),
            (Shown::Given(a), Shown::Given(b)) => a == b,
            _ => false,
        }
    }
}
