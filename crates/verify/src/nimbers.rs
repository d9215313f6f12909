//! Nimbers: each part has the least number that none of its options has (mex), where an option has the exclusive or of the numbers
//! of its parts. By the theorem of Sprague and Grundy a sum is lost by the player to move exactly if the exclusive or of all
//! its parts is 0.
//!
//! The options of open parts are kept while there is room. A deep game has many open parts with many options: then those of the oldest are
//! dropped, and listed once more when their turn comes.
//!
//! The theorem asks for a game that both players play alike (`parts` sees to it) and for play that ends: parts are valued
//! after all their options, and a part that comes back is refused.

use game::{LoopyNimber, mex};
use rules::bind::{Bound, Position};
use rules::stop;

use crate::charged::Charged;
use crate::entries::Entries;
use crate::parts::{NormalParts, each};
use crate::proved::Proved;
use crate::refusal::Refusal;
use crate::store::Id;

const NEW: u64 = u64::MAX;
const OPEN: u64 = u64::MAX - 1;

/// So many options of open parts are kept, at four bytes each.
const MOST_KEPT: usize = 1 << 22;

struct Frame {
    id: Id,
    /// Its options, unless they were dropped.
    options: Option<Charged<Id>>,
    /// What is looked at next, and how many parts of an option are left there.
    next: usize,
    left: Id,
}

struct Nimbers<'e, 'b> {
    parts: NormalParts<'b>,
    entries: &'e mut dyn Entries,
    states: Charged<u64>,
    stack: Charged<Frame>,
    /// How many options are kept, and the oldest frame that has its own.
    kept: usize,
    oldest: usize,
    most_kept: usize,
    count: u64,
}

/// Checks the nimbers of all parts that can come up. Gives what they prove, and how many there were.
pub fn check(bound: &Bound, start: &Position, entries: &mut dyn Entries) -> Result<(Proved, u64), Refusal> {
    check_keeping(bound, start, MOST_KEPT, entries)
}

/// Checks, with so many options of open parts kept.
fn check_keeping(
    bound: &Bound,
    start: &Position,
    most_kept: usize,
    entries: &mut dyn Entries,
) -> Result<(Proved, u64), Refusal> {
    let parts = NormalParts::new(bound)?;
    let (states, stack) = (Charged::new(), Charged::new());
    let mut nimbers = Nimbers { parts, entries, states, stack, kept: 0, oldest: 0, most_kept, count: 0 };
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
        while !self.stack.is_empty() {
            self.list_again()?;
            let Some(frame) = self.stack.last_mut() else { break };
            let Some(&next) = frame.options.as_ref().and_then(|options| options.get(frame.next)) else {
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
        let options = Some(self.listed(id)?);
        self.set(id, OPEN)?;
        self.stack.push(Frame { id, options, next: 0, left: 0 })?;
        // What is on top is needed at once; of the others, the oldest are needed last.
        while self.kept > self.most_kept && self.oldest + 1 < self.stack.len() {
            if let Some(dropped) = self.stack[self.oldest].options.take() {
                self.kept -= dropped.len();
            }
            self.oldest += 1;
        }
        Ok(())
    }

    /// The options of a part, counted among those that are kept.
    fn listed(&mut self, id: Id) -> Result<Charged<Id>, Refusal> {
        let listed = self.parts.options(id).map_err(|refusal| refusal.at(self.count, || self.parts.text(id)))?;
        let mut options = Charged::new();
        options.extend(&listed)?;
        self.kept += options.len();
        Ok(options)
    }

    /// Lists the options of the part on top once more, where they were dropped.
    fn list_again(&mut self) -> Result<(), Refusal> {
        let top = self.stack.len() - 1;
        if self.stack[top].options.is_none() {
            stop::look()?;
            let options = self.listed(self.stack[top].id)?;
            self.stack[top].options = Some(options);
            self.oldest = self.oldest.min(top);
        }
        Ok(())
    }

    /// Compares the nimber of the part on top with its entry.
    fn close(&mut self) -> Result<(), Refusal> {
        let Some(Frame { id, options: Some(options), .. }) = self.stack.pop() else { return Ok(()) };
        let value = |into: &[Id]| into.iter().fold(0, |sum, part| sum ^ self.states[*part as usize]);
        let own = mex(&mut each(&options).map(value).collect::<Vec<u64>>());
        self.kept -= options.len();
        self.oldest = self.oldest.min(self.stack.len().saturating_sub(1));
        let stated = self.entries.nimber(self.parts.cells(id))?;
        if stated != own {
            let refusal = Refusal::wrong(format!("it says nimber {stated}, and the options give {own}"));
            return Err(refusal.at(self.count, || self.parts.text(id)));
        }
        self.set(id, own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knows the nimbers of Grundy's game.
    struct Known(Vec<u64>);

    impl Entries for Known {
        fn nothing(&mut self) -> Result<(), Refusal> {
            Ok(())
        }
        fn nimber(&mut self, part: &[i64]) -> Result<u64, Refusal> {
            Ok(self.0[part[0] as usize])
        }
        fn passed(&mut self, _: u64) -> Result<(), Refusal> {
            Ok(())
        }
    }

    /// However few options are kept, the same is proved.
    #[test]
    fn options_that_were_dropped_are_listed_again() {
        let source = "game grundy(n: int = 60) { sum of heap(h in 0..=n) from [n]; \
                      move cut(x in 1..=(h - 1) / 2) { split (x), (h - x); } }";
        let program = std::sync::Arc::new(rules::compile(source).unwrap());
        let bound = rules::bind::bind(&program, &Default::default()).unwrap();
        let mut nimbers: Vec<u64> = Vec::new();
        for heap in 0..=60usize {
            let mut met: Vec<u64> =
                (1..heap.div_ceil(2)).filter(|x| *x < heap - x).map(|x| nimbers[x] ^ nimbers[heap - x]).collect();
            nimbers.push(mex(&mut met));
        }
        for most_kept in [0, 1, 10, 100, 1000, MOST_KEPT] {
            let (proved, count) = check_keeping(&bound, &bound.start, most_kept, &mut Known(nimbers.clone())).unwrap();
            assert_eq!((proved, count), (Proved::Nimber(LoopyNimber::Finite(nimbers[60])), 60), "{most_kept}");
            let mut wrong = nimbers.clone();
            wrong[7] += 1;
            assert!(check_keeping(&bound, &bound.start, most_kept, &mut Known(wrong)).is_err());
        }
    }
}
