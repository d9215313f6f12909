//! Draws where a player wins endless play.
//!
//! Let P win play that never ends, and Q be the other. In a drawn position Q must be able to force an end that is a draw or
//! better. That is shown by settling drawn positions, again and again, until no more are: one where the game ends; one of Q's with a drawn
//! option that is settled; one of P's all of whose drawn options are. (What else P can do there is won by Q, within so many moves.)
//! All must be settled in the end. That P is not beaten the local rules show.

use game::{Outcome, Verdict};
use table::Entry;

use super::options::{movers, options};
use super::source::{Found, Source, text};
use crate::charged::Charged;
use crate::refusal::Refusal;

fn is_drawn(entry: &Entry) -> bool {
    matches!(entry.verdict, Verdict::Outcome { outcome: Outcome::Draw, .. })
}

/// Shows all draws of a table whose entries agree with their options. Nothing is to be shown where nobody wins endless play.
pub fn check(source: &mut dyn Source) -> Result<(), Refusal> {
    let Some(winner) = source.bound().forever else { return Ok(()) };
    let mut settled: Charged<bool> = Charged::new();
    settled.fill_to(source.entries() as usize, false)?;
    let mut open: Charged<u64> = Charged::new();
    for number in 0..source.entries() {
        if source.nth(number)?.is_some_and(|found| is_drawn(&found.entry)) {
            open.push(number)?;
        }
    }
    while !open.is_empty() {
        let mut rest: Charged<u64> = Charged::new();
        for &number in open.iter() {
            let Some(found) = source.nth(number)? else { continue };
            match settles(source, &found, winner, &settled)? {
                true => settled[number as usize] = true,
                false => rest.push(number)?,
            }
        }
        if rest.len() == open.len() {
            let place = source.nth(rest[0])?.map_or(String::new(), |found| text(source.bound(), &found.position));
            let why = "it is said to be drawn, and the player who loses endless play cannot force an end";
            return Err(Refusal::wrong(why).at(rest[0] + 1, || place));
        }
        open = rest;
    }
    Ok(())
}

fn settles(source: &mut dyn Source, found: &Found, winner: game::Player, settled: &[bool]) -> Result<bool, Refusal> {
    for mover in movers(source.bound(), &found.position, source.shape().turn) {
        let mut drawn = Vec::new();
        for step in options(source.bound(), &found.position, mover)?.steps {
            if let Some((number, _)) = source.find(&step.option)?.filter(|(_, entry)| is_drawn(entry)) {
                drawn.push(settled[number as usize]);
            }
        }
        let ends = match drawn.is_empty() {
            true => true,
            false if mover == winner => drawn.iter().all(|settled| *settled),
            false => drawn.iter().any(|settled| *settled),
        };
        if !ends {
            return Ok(false);
        }
    }
    Ok(true)
}
