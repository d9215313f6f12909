//! Where the entries of an argument come from.
//!
//! A checker goes through positions in an order that the argument fixes, and asks for an entry at each. [`FileEntries`] reads
//! it from the certificate. Whoever writes a certificate runs the same checker, hands out entries and writes down what it
//! handed out: so what is written has been checked already, and nothing of the writer is needed to check it again.

use std::io::Read;

use game::{LoopyNimber, NimberSet, Outcome, Remoteness};
use rules::bind::Position;
use rules::stop::Held;

use crate::claim::OUTCOMES;
use crate::duel::{self, Duel, Step};
use crate::forms::{Form, Forms};
use crate::heap_pairs::{Known, Pair};
use crate::monoid::{MOST_ELEMENTS, Monoid, Set, Transition};
use crate::notation;
use crate::parts::Options;
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

/// The entries of an argument. Whoever has only those of some arguments leaves out the others, which are refused.
pub trait Entries {
    /// An entry that says nothing. It stands for each position where the argument leaves no choice.
    fn nothing(&mut self) -> Result<(), Refusal> {
        unasked()
    }
    /// The number of the move that a strategy makes in a position.
    fn choice(&mut self, places: &mut Places<'_>, found: &Found) -> Result<u64, Refusal> {
        let _ = (places, found);
        unasked()
    }
    /// What a table says of a position.
    fn label(&mut self, position: &Position) -> Result<Label, Refusal> {
        let _ = position;
        unasked()
    }
    /// The totals of a position; the checker's own are handed in.
    fn totals(&mut self, position: &Position, own: &[i64]) -> Result<Box<[i64]>, Refusal> {
        let _ = (position, own);
        unasked()
    }
    /// The nimber of a part.
    fn nimber(&mut self, part: &[i64]) -> Result<u64, Refusal> {
        let _ = part;
        unasked()
    }
    /// Two heaps that a heap falls into and whose nimbers make a number.
    fn pair(&mut self, heap: u64, number: u64, known: &Known) -> Result<Pair, Refusal> {
        let _ = (heap, number, known);
        unasked()
    }
    /// The value of a part that may come back.
    fn loopy(&mut self, part: &[i64]) -> Result<LoopyLabel, Refusal> {
        let _ = part;
        unasked()
    }
    /// The form that is the value of the game with these options of Left and Right. New forms are added, after their options.
    fn form(&mut self, options: [&[Form]; 2], forms: &mut Forms) -> Result<Form, Refusal> {
        let _ = (options, forms);
        unasked()
    }
    /// The elements of parts with these options, and the monoid that they belong to.
    fn quotient(&mut self, parts: &[Options]) -> Result<(Vec<u32>, Monoid), Refusal> {
        let _ = parts;
        unasked()
    }
    /// Pairs of elements and sets that stand for all sums of some, with what they take.
    fn transitions(&mut self, of: (&Monoid, &[Transition]), held: &mut Held) -> Result<Vec<Transition>, Refusal> {
        let _ = (of, held);
        unasked()
    }
    /// The number of the pair among these that stands for one.
    fn below(&mut self, wanted: &Transition) -> Result<u64, Refusal> {
        let _ = wanted;
        unasked()
    }
    /// Says which duel comes next: whoever writes down the answers has to find them first.
    fn duel(&mut self, duel: &Duel<'_>) -> Result<(), Refusal> {
        let _ = duel;
        unasked()
    }
    /// The rank of a pair of positions in a duel.
    fn rank(&mut self, pair: duel::Pair) -> Result<u64, Refusal> {
        let _ = pair;
        unasked()
    }
    /// The number of the move that answers one in a duel.
    fn answer(&mut self, step: Step) -> Result<u64, Refusal> {
        let _ = step;
        unasked()
    }
    /// The name of the value of the position.
    fn name(&mut self) -> Result<String, Refusal> {
        unasked()
    }
    /// Says how many entries were looked at. May end the check.
    fn passed(&mut self, entries: u64) -> Result<(), Refusal>;
}

/// An entry that an argument has no use for.
fn unasked<T>() -> Result<T, Refusal> {
    Err(Refusal::wrong("there is no such entry"))
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

    fn pair(&mut self, _: u64, _: u64, known: &Known) -> Result<Pair, Refusal> {
        let splits = known.splits().len() as u64;
        match self.reader.number()? {
            _ if splits == 0 => Err(Refusal::wrong("no heap falls into two")),
            pair => Ok(Pair { split: (pair % splits) as usize, first: pair / splits }),
        }
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

    fn quotient(&mut self, parts: &[Options]) -> Result<(Vec<u32>, Monoid), Refusal> {
        let order = self.reader.at_most(MOST_ELEMENTS, "the order of a quotient")?;
        let element = |reader: &mut Reader<R>| Ok::<u32, Refusal>(reader.at_most(order, "an element")? as u32);
        let elements = parts.iter().map(|_| element(self.reader)).collect::<Result<Vec<u32>, _>>()?;
        let mut lost = Vec::new();
        for _ in 0..order {
            lost.push(self.reader.at_most(1, "a truth value")? == 1);
        }
        let mut used = elements.clone();
        used.sort_unstable();
        used.dedup();
        let mut held = Held::default();
        let mut actions = Vec::with_capacity(used.len());
        for own in used {
            held.grow(4 * order + 32)?;
            actions.push((own, (0..order).map(|_| element(self.reader)).collect::<Result<Vec<u32>, _>>()?));
        }
        Ok((elements, Monoid::new(lost, &actions)?))
    }

    fn transitions(
        &mut self,
        (monoid, _): (&Monoid, &[Transition]),
        held: &mut Held,
    ) -> Result<Vec<Transition>, Refusal> {
        let words = monoid.order().div_ceil(64);
        let mut sums = Vec::new();
        for _ in 0..self.reader.number()? {
            let element = self.reader.at_most(MOST_ELEMENTS, "an element")? as u32;
            held.grow(8 * words as u64 + 2 * size_of::<Transition>() as u64 + 16)?;
            let wins = (0..words).map(|_| self.reader.number()).collect::<Result<Vec<u64>, _>>()?;
            sums.push(Transition { element, wins: Set::of_words(wins) });
        }
        Ok(sums)
    }

    fn below(&mut self, _: &Transition) -> Result<u64, Refusal> {
        self.reader.number()
    }

    fn duel(&mut self, _: &Duel<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn rank(&mut self, _: duel::Pair) -> Result<u64, Refusal> {
        self.reader.number()
    }

    fn answer(&mut self, _: Step) -> Result<u64, Refusal> {
        self.reader.number()
    }

    fn name(&mut self) -> Result<String, Refusal> {
        self.reader.text(notation::LONGEST, "a name")
    }

    fn passed(&mut self, entries: u64) -> Result<(), Refusal> {
        (self.progress)(entries, self.reader.bytes());
        Ok(())
    }
}
