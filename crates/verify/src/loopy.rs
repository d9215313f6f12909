//! Loopy nimbers: values of impartial parts that may come back, by C. A. B. Smith. Play without end is a draw.
//!
//! Every part that can come up has a label: a nimber m with a rank, or ∞(A), where A is the set of the nimbers of its options.
//! A label is compared with those of the options and of their options:
//!
//! 1. *Nimber m, rank r.* For each k below m an option has nimber k and a rank below r. Every other option has an option of its
//!    own with nimber m and a rank below r.
//! 2. *∞(A).* A is as said, and for m = mex A an option is infinite and has no option with nimber m.
//!
//! # Why that proves something
//!
//! *A sum of parts with nimbers whose exclusive or is 0 is lost.* The other player moves in a part of nimber m. If to a k < m of lower
//! rank, the mover restores 0 in another part that has to give, to a lower rank too; if to any other option, he answers there,
//! back to m with a lower rank. The sum of the ranks falls, so play ends, and the other is the first without a move. A sum with
//! another exclusive or is won: one move makes it 0.
//!
//! *A sum with one infinite part ∞(A) beside nimbers with exclusive or b is won if b is in A*, by the move to b. *Otherwise it is
//! drawn.* No move leads to a lost sum, so the other cannot be beaten at once; and some move leads to a sum of the same kind: if b is
//! above m = mex A, make the nimbers m; if b = m, take the option of rule 2. (b is not below m, for all those are in A.) So the
//! mover can go on for ever.
//!
//! *A sum with more infinite parts is drawn*: an infinite part has an infinite option by rule 2, so two stay two.
//!
//! A move that leaves several parts in place of one would need ranks for sums. Such games are refused here.

use game::{LoopyNimber, mex};
use rules::bind::{Bound, Position};
use rules::stop::Held;

use crate::charged::Charged;
use crate::entries::{Entries, LoopyLabel};
use crate::parts::{NormalParts, each};
use crate::proved::Proved;
use crate::refusal::Refusal;
use crate::store::Id;

/// Checks the values of all parts that can come up. Gives what they prove, and how many there were.
pub fn check(bound: &Bound, start: &Position, entries: &mut dyn Entries) -> Result<(Proved, u64), Refusal> {
    if bound.forever.is_some() {
        return Err(Refusal::wrong("endless play is won, so that there are no loopy nimbers"));
    }
    let mut parts = NormalParts::new(bound)?;
    let mut ids = Vec::with_capacity(start.parts.len());
    for part in &start.parts {
        ids.push(parts.enter(part)?);
    }
    let mut table =
        Table { labels: Charged::new(), options: Charged::new(), ends: Charged::new(), held: Held::default() };
    table.fill(&mut parts, entries)?;
    for id in 0..parts.len() as Id {
        entries.passed((parts.len() + id as usize + 1) as u64)?;
        table.look(id).map_err(|refusal| refusal.at(u64::from(id) + 1, || parts.text(id)))?;
    }
    let values = ids.iter().map(|id| &table.labels[*id as usize].value);
    Ok((Proved::Nimber(values.sum()), parts.len() as u64))
}

/// All parts with their labels and options.
struct Table {
    labels: Charged<LoopyLabel>,
    options: Charged<Id>,
    /// Where the options of each part end.
    ends: Charged<usize>,
    held: Held,
}

impl Table {
    fn fill(&mut self, parts: &mut NormalParts<'_>, entries: &mut dyn Entries) -> Result<(), Refusal> {
        while self.labels.len() < parts.len() {
            let id = self.labels.len() as Id;
            entries.passed(u64::from(id) + 1)?;
            let label = entries.loopy(parts.cells(id))?;
            if let LoopyNimber::Infinite(set) = &label.value {
                self.held.grow(8 * set.as_slice().len() as u64 + 16)?;
            }
            self.labels.push(label)?;
            let options = parts.options(id).map_err(|refusal| refusal.at(u64::from(id) + 1, || parts.text(id)))?;
            for into in each(&options) {
                match into {
                    [one] => self.options.push(*one)?,
                    _ => return Err(Refusal::wrong("a part falls into several: ranks are not known for these")),
                }
            }
            self.ends.push(self.options.len())?;
        }
        Ok(())
    }

    fn options(&self, id: Id) -> &[Id] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.options[start..self.ends[id]]
    }

    fn label(&self, id: Id) -> &LoopyLabel {
        &self.labels[id as usize]
    }

    /// Whether a part has this nimber, with a rank below the given one.
    fn has(&self, id: Id, nimber: u64, below: u64) -> bool {
        let label = self.label(id);
        label.value == LoopyNimber::Finite(nimber) && label.rank < below
    }

    /// Compares a label with those around it.
    fn look(&self, id: Id) -> Result<(), Refusal> {
        let LoopyLabel { value, rank } = self.label(id);
        let options = self.options(id);
        let nimbers = || options.iter().filter_map(|option| self.label(*option).value.nimber());
        match value {
            LoopyNimber::Finite(own) => {
                let lower = |option: Id| {
                    let label = self.label(option);
                    label.value.nimber().is_some_and(|nimber| nimber < *own) && label.rank < *rank
                };
                let mut found: Vec<u64> = options
                    .iter()
                    .filter(|option| lower(**option))
                    .map(|option| self.label(*option).value.nimber().unwrap_or(0))
                    .collect();
                if mex(&mut found) != *own {
                    return Err(Refusal::wrong(format!("it says nimber {own}, and a smaller one is missing")));
                }
                let answered = |option: Id| self.options(option).iter().any(|back| self.has(*back, *own, *rank));
                match options.iter().all(|option| lower(*option) || answered(*option)) {
                    true => Ok(()),
                    false => Err(Refusal::wrong(format!("it says nimber {own}, and a move cannot be answered"))),
                }
            }
            LoopyNimber::Infinite(set) => {
                if *set != nimbers().collect() {
                    return Err(Refusal::wrong("the set of its loopy nimber is not that of the options"));
                }
                let least = mex(&mut set.as_slice().to_vec());
                let open = |option: Id| {
                    self.label(option).value.nimber().is_none()
                        && !self.options(option).iter().any(|back| self.label(*back).value.nimber() == Some(least))
                };
                match options.iter().any(|option| open(*option)) {
                    true => Ok(()),
                    false => Err(Refusal::wrong("it is said to be infinite, and no move keeps it so")),
                }
            }
        }
    }
}
