//! Where the entries of an argument come from.
//!
//! A checker goes through positions in an order that the argument fixes, and asks for an entry at each. [`FileEntries`] reads
//! it from the certificate. Whoever writes a certificate runs the same checker, hands out entries and writes down what it
//! handed out: so what is written has been checked already, and nothing of the writer is needed to check it again.

use std::io::Read;

use game::{LoopyNimber, NimberSet, Outcome, Remoteness};
use rules::bind::Position;

use crate::claim::OUTCOMES;
use crate::forms::{Form, Forms};
use crate::notation;
use crate::places::{Found, Places};
use crate::refusal::Refusal;
use crate::stream::Reader;

/// What a table says of a position: won, drawn or lost by the mover, and in how many moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// Which.
    pub outcome: Outcome,
    /// In how many moves; `None` for play that need not end.
    pub remoteness: Remoteness,
}

impl Label {
    /// The label as a number.
    pub fn code(self) -> u64 {
        let outcome = OUTCOMES.iter().position(|outcome| *outcome == self.outcome).unwrap_or(0) as u64;
        outcome + 3 * self.remoteness.map_or(0, |moves| u64::from(moves) + 1)
    }

    /// The label of a number.
    pub fn of(code: u64) -> Option<Label> {
        let remoteness = match code / 3 {
            0 => None,
            more => Some(u32::try_from(more - 1).ok()?),
        };
        Some(Label { outcome: OUTCOMES[(code % 3) as usize], remoteness })
    }
}

/// What a table says of a part that may come back: its value, and a rank that falls along every proof of a finite one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopyLabel {
    /// The value.
    pub value: LoopyNimber,
    /// The rank; 0 for infinite values.
    pub rank: u64,
}

/// The entries of an argument.
pub trait Entries {
    /// An entry that says nothing. It stands for each position where the argument leaves no choice.
    fn nothing(&mut self) -> Result<(), Refusal>;
    /// The number of the move that a strategy makes in a position.
    fn choice(&mut self, places: &mut Places<'_>, found: &Found) -> Result<u64, Refusal>;
    /// What a table says of a position.
    fn label(&mut self, position: &Position) -> Result<Label, Refusal>;
    /// The totals of a position; the checker's own are handed in.
    fn totals(&mut self, position: &Position, own: &[i64]) -> Result<Box<[i64]>, Refusal>;
    /// The nimber of a part.
    fn nimber(&mut self, part: &[i64]) -> Result<u64, Refusal>;
    /// The value of a part that may come back.
    fn loopy(&mut self, part: &[i64]) -> Result<LoopyLabel, Refusal>;
    /// The form that is the value of the game with these options of Left and Right. New forms are added, after their options.
    fn form(&mut self, options: [&[Form]; 2], forms: &mut Forms) -> Result<Form, Refusal>;
    /// The name of the value of the position.
    fn name(&mut self) -> Result<String, Refusal>;
    /// Says how many entries were looked at. May end the check.
    fn passed(&mut self, entries: u64) -> Result<(), Refusal>;
}

/// Entries of a file.
pub struct FileEntries<'r, R> {
    /// Reads the file.
    pub reader: &'r mut Reader<R>,
    /// Is told how many entries and bytes were read.
    pub progress: &'r mut dyn FnMut(u64, u64),
}

/// The most options of a form.
const MOST_OPTIONS: u64 = 1 << 20;
/// The longest set of a loopy nimber.
const MOST_NIMBERS: u64 = 1 << 20;

impl<R: Read> FileEntries<'_, R> {
    /// The options of one player in a form.
    fn options(&mut self) -> Result<Vec<Form>, Refusal> {
        let count = self.reader.at_most(MOST_OPTIONS, "the options of a form")?;
        let mut options = Vec::new();
        for _ in 0..count {
            let option = Form::try_from(self.reader.number()?);
            options.push(option.map_err(|_| Refusal::wrong("there is no such form"))?);
        }
        match options.windows(2).all(|pair| pair[0] < pair[1]) {
            true => Ok(options),
            false => Err(Refusal::wrong("the options of a form do not ascend")),
        }
    }
}

impl<R: Read> Entries for FileEntries<'_, R> {
    fn nothing(&mut self) -> Result<(), Refusal> {
        match self.reader.number()? {
            0 => Ok(()),
            _ => Err(Refusal::wrong("there is an entry where there is no choice")),
        }
    }

    fn choice(&mut self, _: &mut Places<'_>, found: &Found) -> Result<u64, Refusal> {
        match self.reader.number()? {
            0 => Err(Refusal::wrong("the strategy has no move here")),
            mv if mv > found.moves() as u64 => Err(Refusal::wrong("the strategy makes a move that is not there")),
            mv => Ok(mv - 1),
        }
    }

    fn label(&mut self, _: &Position) -> Result<Label, Refusal> {
        Label::of(self.reader.number()?).ok_or_else(|| Refusal::wrong("no such outcome"))
    }

    fn totals(&mut self, _: &Position, own: &[i64]) -> Result<Box<[i64]>, Refusal> {
        own.iter().map(|_| self.reader.signed()).collect()
    }

    fn nimber(&mut self, _: &[i64]) -> Result<u64, Refusal> {
        self.reader.number()
    }

    fn loopy(&mut self, _: &[i64]) -> Result<LoopyLabel, Refusal> {
        if self.reader.at_most(1, "a truth value")? == 0 {
            let value = LoopyNimber::Finite(self.reader.number()?);
            return Ok(LoopyLabel { value, rank: self.reader.number()? });
        }
        let length = self.reader.at_most(MOST_NIMBERS, "a set of nimbers")?;
        let mut nimbers = Vec::new();
        for _ in 0..length {
            let nimber = self.reader.number()?;
            if nimbers.last().is_some_and(|last| *last >= nimber) {
                return Err(Refusal::wrong("the set of a loopy nimber does not ascend"));
            }
            nimbers.push(nimber);
        }
        Ok(LoopyLabel { value: LoopyNimber::Infinite(nimbers.into_iter().collect::<NimberSet>()), rank: 0 })
    }

    fn form(&mut self, _: [&[Form]; 2], forms: &mut Forms) -> Result<Form, Refusal> {
        loop {
            match self.reader.number()? {
                0 => {
                    let left = self.options()?;
                    let right = self.options()?;
                    forms.enter(&left, &right)?;
                }
                form => return Form::try_from(form - 1).map_err(|_| Refusal::wrong("there is no such form")),
            }
        }
    }

    fn name(&mut self) -> Result<String, Refusal> {
        self.reader.text(notation::LONGEST, "a name")
    }

    fn passed(&mut self, entries: u64) -> Result<(), Refusal> {
        (self.progress)(entries, self.reader.bytes());
        Ok(())
    }
}
