//! Nimbers: each part has the least number that none of its options has (mex), where an option has the exclusive or of the numbers
//! of its parts. By the theorem of Sprague and Grundy a sum is lost by the player to move exactly if the exclusive or of all
//! its parts is 0.
//!
//! The theorem asks for a game that both players play alike (`parts` sees to it) and for play that ends: parts are valued
//! after all their options, and a part that comes back is refused.

use game::{LoopyNimber, mex};
use rules::bind::{Bound, Position};

use crate::charged::Charged;
use crate::entries::Entries;
use crate::parts::{NormalParts, each};
use crate::proved::Proved;
use crate::refusal::Refusal;
use crate::store::Id;

const NEW: u64 = u64::MAX;
const OPEN: u64 = u64::MAX - 1;

struct Frame {
    id: Id,
    /// Where its options begin among those of all open parts.
    first: usize,
    /// What is looked at next, and how many parts of an option are left there.
    next: usize,
    left: Id,
}

struct Nimbers<'e, 'b> {
    parts: NormalParts<'b>,
    entries: &'e mut dyn Entries,
    states: Charged<u64>,
    stack: Charged<Frame>,
    options: Charged<Id>,
    count: u64,
}

/// Checks the nimbers of all parts that can come up. Gives what they prove, and how many there were.
pub fn check(bound: &Bound, start: &Position, entries: &mut dyn Entries) -> Result<(Proved, u64), Refusal> {
    let parts = NormalParts::new(bound)?;
    let (states, stack, options) = (Charged::new(), Charged::new(), Charged::new());
    let mut nimbers = Nimbers { parts, entries, states, stack, options, count: 0 };
    let mut sum = 0;
    for part in &start.parts {
        let id = nimbers.parts.enter(part)?;
        sum ^= nimbers.value(id)?;
    }
    Ok((Proved::Nimber(LoopyNimber::Finite(sum)), nimbers.count))
}

impl Nimbers<'_, '_> {
    fn state(&self, id: Id) -> u64 {
        self.states.get(id as usize).copied().unwrap_or(NEW)
    }

    fn set(&mut self, id: Id, state: u64) -> Result<(), Refusal> {
        self.states.fill_to(id as usize + 1, NEW)?;
        self.states[id as usize] = state;
        Ok(())
    }

    /// The nimber of a part, after those of all parts that it leads to.
    fn value(&mut self, id: Id) -> Result<u64, Refusal> {
        if self.state(id) == NEW {
            self.open(id)?;
        }
        while let Some(frame) = self.stack.last_mut() {
            let Some(&next) = self.options.get(frame.next) else {
                self.close()?;
                continue;
            };
            frame.next += 1;
            if frame.left == 0 {
                frame.left = next;
                continue;
            }
            frame.left -= 1;
            match self.state(next) {
                NEW => self.open(next)?,
                OPEN => {
                    let refusal = Refusal::wrong("this part comes back, and nothing shows that play ends");
                    return Err(refusal.at(self.count, || self.parts.text(next)));
                }
                _ => {}
            }
        }
        Ok(self.state(id))
    }

    fn open(&mut self, id: Id) -> Result<(), Refusal> {
        self.count += 1;
        self.entries.passed(self.count)?;
        let options = self.parts.options(id).map_err(|refusal| refusal.at(self.count, || self.parts.text(id)))?;
        self.set(id, OPEN)?;
        let first = self.options.len();
        self.options.extend(&options)?;
        self.stack.push(Frame { id, first, next: first, left: 0 })?;
        Ok(())
    }

    /// Compares the nimber of the part on top with its entry.
    fn close(&mut self) -> Result<(), Refusal> {
        let Some(Frame { id, first, .. }) = self.stack.pop() else { return Ok(()) };
        let value = |into: &[Id]| into.iter().fold(0, |sum, part| sum ^ self.states[*part as usize]);
        let own = mex(&mut each(&self.options[first..]).map(value).collect::<Vec<u64>>());
        self.options.truncate(first);
        let stated = self.entries.nimber(self.parts.cells(id))?;
        if stated != own {
            let refusal = Refusal::wrong(format!("it says nimber {stated}, and the options give {own}"));
            return Err(refusal.at(self.count, || self.parts.text(id)));
        }
        self.set(id, own)
    }
}
