//! The shape of a table: what it has an entry for, and what an entry holds.
//!
//! The shape is a few words in the head of a file, such as `outcomes, turn`. It follows from the rules alone, whatever method
//! found the values, so that a table of the same game is the same file.

use std::fmt;

/// What an entry says of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Won, drawn or lost, in how many moves, and the nimber where the game has them.
    Outcomes {
        /// Whether there are nimbers.
        nimbers: bool,
    },
    /// The mover's total from here on minus the other's.
    Scores,
    /// Each player's total from here on.
    Payoffs,
    /// The nimber of a part of a sum.
    Nimbers,
    /// The loopy nimber of a part of a sum, with the rank by which a winner makes headway.
    Loopy,
}

/// The shape of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What an entry says.
    pub kind: Kind,
    /// Whether positions that differ in whose turn it is have entries of their own. Otherwise an entry holds whoever moves.
    pub turn: bool,
    /// Whether the order of the parts of a sum matters.
    pub ordered: bool,
    /// Whether an entry names the canonical form of its position, where that is known.
    pub values: bool,
}

impl Shape {
    /// Whether entries are about parts of a sum, each by itself.
    pub fn of_parts(&self) -> bool {
        matches!(self.kind, Kind::Nimbers | Kind::Loopy)
    }

    /// Whether entries hold a text.
    pub fn has_text(&self) -> bool {
        self.values || self.kind == Kind::Loopy
    }

    /// How many numbers an entry holds.
    pub fn numbers(&self, players: usize) -> usize {
        match self.kind {
            Kind::Outcomes { nimbers } => 1 + usize::from(nimbers),
            Kind::Scores | Kind::Nimbers => 1,
            Kind::Loopy => 2,
            Kind::Payoffs => players,
        }
    }

    /// Reads a shape; `None` if it is no shape that is known here.
    ///
    /// ```
    /// use table::{Kind, Shape};
    ///
    /// let shape = Shape { kind: Kind::Outcomes { nimbers: true }, turn: false, ordered: false, values: false };
    /// assert_eq!(shape.to_string(), "outcomes, nimbers");
    /// assert_eq!(Shape::read("outcomes, nimbers"), Some(shape));
    /// assert_eq!(Shape::read("outcomes, colours"), None);
    /// ```
    pub fn read(text: &str) -> Option<Shape> {
        let kinds = [Kind::Outcomes { nimbers: false }, Kind::Scores, Kind::Payoffs, Kind::Nimbers, Kind::Loopy];
        let mut shapes = kinds.into_iter().chain([Kind::Outcomes { nimbers: true }]).flat_map(|kind| {
            (0..8).map(move |bits| Shape { kind, turn: bits & 1 != 0, ordered: bits & 2 != 0, values: bits & 4 != 0 })
        });
        shapes.find(|shape| shape.to_string() == text)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::Outcomes { nimbers: false } => "outcomes",
            Kind::Outcomes { nimbers: true } => "outcomes, nimbers",
            Kind::Scores => "scores",
            Kind::Payoffs => "payoffs",
            Kind::Nimbers => "nimbers of parts",
            Kind::Loopy => "loopy nimbers of parts",
        })?;
        for (holds, word) in [(self.turn, "turn"), (self.ordered, "order of parts"), (self.values, "values")] {
            if holds {
                write!(f, ", {word}")?;
            }
        }
        Ok(())
    }
}
