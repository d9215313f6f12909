//! Visits each position after all its options, and refuses positions that come back.
//!
//! Then what is compared rests on what was compared before. No recursion: a game may be a million moves deep.

use crate::charged::Charged;
use crate::refusal::Refusal;

use super::compare::Comparing;
use super::source::{Source, text};

const NEW: u8 = 0;
const OPEN: u8 = 1;
const DONE: u8 = 2;

/// Compares all entries. Gives how many there were.
pub fn check(source: &mut dyn Source, progress: &mut dyn FnMut(u64, u64)) -> Result<u64, Refusal> {
    let mut states: Charged<u8> = Charged::new();
    let (mut root, mut compared) = (0, 0);
    // The options of open positions that are still to be visited, and how many there are below each position.
    let mut path: Vec<(u64, usize)> = Vec::new();
    let mut waiting: Charged<u64> = Charged::new();
    loop {
        let Some(&(here, below)) = path.last() else {
            states.fill_to(source.entries() as usize, NEW)?;
            match source.nth(root)? {
                None => return Ok(compared),
                Some(_) if states[root as usize] == NEW => visit(source, root, &mut states, &mut path, &mut waiting)?,
                Some(_) => {}
            }
            root += 1;
            continue;
        };
        if waiting.len() == below {
            states[here as usize] = DONE;
            compared += 1;
            progress(compared, source.entries());
            path.pop();
            continue;
        }
        let Some(next) = waiting.pop() else { continue };
        states.fill_to(source.entries() as usize, NEW)?;
        match states[next as usize] {
            DONE => {}
            OPEN => {
                let place = source.nth(next)?.map_or(String::new(), |found| text(source.bound(), &found.position));
                return Err(Refusal::wrong(
                    "play comes back to this position, so that values are not proved by their options",
                )
                .at(next + 1, || place));
            }
            _ => visit(source, next, &mut states, &mut path, &mut waiting)?,
        }
    }
}

/// Compares an entry and opens its position. What it says of its options is compared before anything is claimed.
fn visit(
    source: &mut dyn Source,
    number: u64,
    states: &mut Charged<u8>,
    path: &mut Vec<(u64, usize)>,
    waiting: &mut Charged<u64>,
) -> Result<(), Refusal> {
    let Some(found) = source.nth(number)? else { return Err(Refusal::wrong("an entry is missing")) };
    let mut options = Comparing::new(source).one(&found)?;
    options.sort_unstable();
    options.dedup();
    states[number as usize] = OPEN;
    path.push((number, waiting.len()));
    for option in options {
        waiting.push(option)?;
    }
    Ok(())
}
