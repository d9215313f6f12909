//! How a program that is checked reads an instance and writes its answer.

use std::fmt;

use super::Expr;
use crate::span::Span;

/// A piece of an `input` text.
#[derive(Clone, Debug)]
pub enum InputPiece {
    /// Plain text.
    Text(String),
    /// A value, and what stands between the items of its lists, outermost first.
    Value(Expr, Vec<char>),
}

/// A field of the answer that a program prints.
#[derive(Clone, Debug)]
pub struct OutputField {
    /// Which.
    pub field: AnswerField,
    /// What is printed for its values, in their order; empty for the words of the result.
    pub words: Vec<String>,
    /// Where it stands.
    pub span: Span,
}

/// What a program can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerField {
    /// Who wins: the players in order, then a draw.
    Winner,
    /// Whether the player who starts wins: win, lose, draw.
    Outcome,
    /// The value.
    Value,
    /// The Grundy number.
    Nimber,
    /// The totals of both players.
    Scores,
    /// The totals of all players.
    Payoffs,
    /// The moves until the end.
    Remoteness,
    /// Any best first move.
    Move,
}

impl AnswerField {
    /// All of them.
    pub const ALL: [AnswerField; 8] = [
        AnswerField::Winner,
        AnswerField::Outcome,
        AnswerField::Value,
        AnswerField::Nimber,
        AnswerField::Scores,
        AnswerField::Payoffs,
        AnswerField::Remoteness,
        AnswerField::Move,
    ];

    /// Its name in rules files.
    pub fn name(self) -> &'static str {
        match self {
            AnswerField::Winner => "winner",
            AnswerField::Outcome => "outcome",
            AnswerField::Value => "value",
            AnswerField::Nimber => "nimber",
            AnswerField::Scores => "scores",
            AnswerField::Payoffs => "payoffs",
            AnswerField::Remoteness => "remoteness",
            AnswerField::Move => "move",
        }
    }
}

impl fmt::Display for AnswerField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
