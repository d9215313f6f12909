//! Table files: every value compared with those of the options, which the interpreter finds.
//!
//! # Why that proves something
//!
//! The rules and the instance stand in the file, and must make a game. The start has an entry, and so has every option of a
//! position that has one: so all positions that play can reach are there. Then each entry must be what the definition makes of the
//! entries of the options.
//!
//! * *Won, drawn, lost, and in how many moves*: local rules are enough, even where positions come back; see [`crate::outcomes`].
//!   Where a player wins endless play, a draw asks for more: that the other can force an end. [`endless`] shows it.
//! * *Scores, totals, nimbers*: local rules are enough where no position comes back. [`order`] visits each position after all its
//!   options, and refuses a table of a game in which one comes back.
//! * *Loopy nimbers of parts*: by their ranks, as in [`crate::loopy`].
//! * *Names of values* are believed: nothing is said of them.
//!
//! Where an entry does not record whose turn it is, it must hold whoever moves.
//!
//! A table may have entries for positions that play cannot reach. They are compared as well; the number of entries is not proved to be
//! the number of positions.
//!
//! A share of the entries, taken at random, shows mistakes and proves nothing: what the options are worth is believed.

mod compare;
pub mod endless;
mod options;
pub mod order;
mod parts;
mod source;

use game::Random;
use rules::bind::Bound;
use table::{BlockReader, Entry, Kind, TableError};

use crate::certificate;
use crate::refusal::Refusal;
use compare::Comparing;
pub use source::{Blocks, Found, Known, Source};

/// How much of a table is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// Every entry.
    Whole,
    /// About this share of the entries, chosen by a seed.
    Share {
        /// Between 0 and 1.
        share: f64,
        /// The seed.
        seed: u64,
    },
}

/// A table that was checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// How many entries were compared.
    pub compared: u64,
    /// Whether these are all, so that the values are proved.
    pub whole: bool,
    /// What the table says of the start; of a sum of parts, nothing.
    pub start: Option<Entry>,
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Refusal {
        match error {
            TableError::System(error) => Refusal::Unread(error),
            TableError::Damaged(why) => Refusal::wrong(why),
            other => Refusal::Foreign(other.to_string()),
        }
    }
}

/// The game that a table is about.
pub fn game(about: &table::About) -> Result<Bound, Refusal> {
    certificate::game(&about.rules, &about.instance)
}

/// Checks a table of blocks: its checksums, and its entries. `progress` is told how many entries were compared, and of how many.
pub fn check(file: &BlockReader, extent: Extent, progress: &mut dyn FnMut(u64, u64)) -> Result<Checked, Refusal> {
    file.check(|_| Ok::<(), Refusal>(rules::stop::look()?))?;
    let bound = game(file.about())?;
    let mut source = Blocks::new(&bound, file);
    match extent {
        Extent::Whole => whole(&mut source, progress),
        Extent::Share { share, seed } => shared(&mut source, (share, seed), progress),
    }
}

/// Compares all entries of a table.
pub fn whole(source: &mut dyn Source, progress: &mut dyn FnMut(u64, u64)) -> Result<Checked, Refusal> {
    let shape = source.shape();
    let start = source.start()?;
    let compared = match shape.kind {
        Kind::Outcomes { nimbers: false } => {
            let mut comparing = Comparing::new(source);
            let mut number = 0;
            while let Some(found) = comparing.source.nth(number)? {
                comparing.one(&found)?;
                number += 1;
                progress(number, comparing.source.entries());
            }
            endless::check(source)?;
            number
        }
        Kind::Loopy => parts::loopy(source, progress)?,
        _ => order::check(source, progress)?,
    };
    Ok(Checked { compared, whole: true, start })
}

/// Compares some entries of a table.
fn shared(
    source: &mut dyn Source,
    (share, seed): (f64, u64),
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Checked, Refusal> {
    let start = source.start()?;
    let all = source.entries();
    let wanted = ((share * all as f64).ceil() as u64).min(all);
    let mut random = Random::new(seed);
    // In order, so that each block is read once: of what is left, each is taken with the chance that fills the share.
    let mut compared = 0;
    for number in 0..all {
        if random.below(all - number) >= wanted - compared {
            continue;
        }
        if let Some(found) = source.nth(number)? {
            match source.shape().kind {
                Kind::Loopy => parts::loopy_one(source, &found)?,
                _ => drop(Comparing::new(source).one(&found)?),
            }
        }
        compared += 1;
        progress(compared, wanted);
    }
    Ok(Checked { compared, whole: compared == all, start })
}
