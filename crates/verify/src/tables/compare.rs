//! Compares an entry with those of the options.

use game::{Outcome, Player, Verdict};

use super::options::{Step, movers, options};
use super::parts;
use super::source::{Found, Source, text};
use crate::refusal::Refusal;
use crate::sample::{of_end, of_options, same};

/// Compares entries of a source.
pub struct Comparing<'s> {
    /// Where entries come from.
    pub source: &'s mut dyn Source,
}

impl<'s> Comparing<'s> {
    /// Compares entries of a source.
    pub fn new(source: &'s mut dyn Source) -> Comparing<'s> {
        Comparing { source }
    }

    /// Compares one entry. Gives the numbers of all options.
    pub fn one(&mut self, found: &Found) -> Result<Vec<u64>, Refusal> {
        self.compared(found)
            .map_err(|refusal| refusal.at(found.number + 1, || text(self.source.bound(), &found.position)))
    }

    fn compared(&mut self, found: &Found) -> Result<Vec<u64>, Refusal> {
        if self.source.shape().of_parts() {
            return parts::nimber(self.source, found);
        }
        let with_turn = self.source.shape().turn;
        let mut numbers = Vec::new();
        for mover in movers(self.source.bound(), &found.position, with_turn) {
            let here = options(self.source.bound(), &found.position, mover)?;
            let stated = &found.entry.verdict;
            let expected = match &here.end {
                Some(end) => of_end(end, stated, mover),
                None => {
                    let mut worths = Vec::with_capacity(here.steps.len());
                    for Step { option, gains } in here.steps {
                        let Some((number, entry)) = self.source.find(&option)? else {
                            let text = text(self.source.bound(), &option);
                            return Err(Refusal::wrong(format!("its option {text} has no entry")));
                        };
                        numbers.push(number);
                        worths.push((entry.verdict, option.turn == mover, gains));
                    }
                    of_options(&worths, stated, mover)
                }
            };
            match expected {
                Some(expected) if same(&expected, stated) => {}
                Some(expected) => {
                    let (stated, expected) = (said(stated), said(&expected));
                    return Err(Refusal::wrong(format!("it says {stated}, and the options give {expected}")));
                }
                None => return Err(Refusal::wrong("the values of the options are of another kind, or too large")),
            }
            ends(stated, mover, self.source.bound().forever)?;
        }
        Ok(numbers)
    }
}

/// Only who wins endless play may win in no number of moves.
fn ends(stated: &Verdict, mover: Player, forever: Option<Player>) -> Result<(), Refusal> {
    let Verdict::Outcome { outcome, remoteness: None, .. } = stated else { return Ok(()) };
    let winner = match outcome {
        Outcome::Win => mover,
        Outcome::Loss => mover.other(),
        Outcome::Draw => return Ok(()),
    };
    match forever == Some(winner) {
        true => Ok(()),
        false => Err(Refusal::wrong("a win has no number of moves")),
    }
}

/// A verdict in words.
fn said(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Outcome { outcome, remoteness, nimber } => {
            let moves = remoteness.map_or(" without end".to_string(), |moves| format!(" in {moves}"));
            let nimber = nimber.map_or(String::new(), |nimber| format!(", nimber {nimber}"));
            format!("`{outcome}`{moves}{nimber}")
        }
        Verdict::Nimber(nimber) => format!("nimber {nimber}"),
        Verdict::Loopy(value) => value.to_string(),
        Verdict::Score(score) => format!("{score:+}"),
        Verdict::Payoffs { totals, .. } => format!("{totals:?}"),
    }
}
