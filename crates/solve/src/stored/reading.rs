//! Answers from a table of blocks.

use std::sync::Arc;

use game::{LoopyNimber, Player, Verdict};
use rules::bind::{Bound, Position};
use table::{BlockReader, Entry, Keys, TableError, TableFile};

use super::intervals::TableLayout;
use super::trouble::Trouble;
use crate::answers::{Answers, PartValue, Positions, Proof};
use crate::error::SolveError;
use crate::facts::Facts;
use crate::methods::{ByParts, Found, LOOPY, PartValues, Report, SPRAGUE_GRUNDY};
use crate::options::Options;
use crate::plan::Plan;
use crate::solved::Solved;
use engine::monitor::Monitor;

/// The solved game of a table file. What is wrong with the file shows when an answer was got from it.
pub fn read<'b>(
    bound: &'b Bound,
    file: TableFile,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<(Solved<'b>, Arc<Trouble>), SolveError> {
    match file {
        TableFile::Blocks(file) => blocks(bound, Arc::new(file)),
        TableFile::Pieces(file) => {
            let layout = TableLayout::new(bound, options, monitor)?;
            if layout.text() != file.about().layout || layout.pieces() != file.pieces() {
                let why = "the table has a layout that this version does not know; build it again";
                return Err(SolveError::NotApplicable(why.to_string()));
            }
            layout.read(file, monitor)
        }
    }
}

/// The solved game of a table of blocks.
fn blocks(bound: &Bound, file: Arc<BlockReader>) -> Result<(Solved<'_>, Arc<Trouble>), SolveError> {
    let trouble = Arc::new(Trouble::default());
    let entries = Entries { keys: Keys::new(bound, file.shape()), file, trouble: Arc::clone(&trouble) };
    let parts = entries.file.shape().of_parts();
    let theorem = if entries.file.shape().kind == table::Kind::Loopy { LOOPY } else { SPRAGUE_GRUNDY };
    let answers: Box<dyn Answers + '_> = match parts {
        true => Box::new(ByParts { values: entries, theorem }),
        false => Box::new(entries),
    };
    let plan = Plan::of_table(bound, Facts::new(bound)?);
    let found = Found { answers, report: Report::new(None) };
    Ok((Solved::new(plan, bound.start.clone(), found), trouble))
}

/// The entries of a table.
struct Entries<'b> {
    file: Arc<BlockReader>,
    keys: Keys<'b>,
    trouble: Arc<Trouble>,
}

impl Entries<'_> {
    /// What was read, unless there was trouble.
    fn told<T>(&self, read: Result<Option<T>, TableError>) -> Option<T> {
        read.unwrap_or_else(|error| {
            self.trouble.tell(match error {
                TableError::Damaged(why) => why,
                other => other.to_string(),
            });
            None
        })
    }

    fn entry(&self, key: &[u8]) -> Option<Entry> {
        self.told(self.file.get(key))
    }

    /// The position of an entry by its number.
    fn nth(&self, number: u64) -> Option<Position> {
        self.keys.position(&self.told(self.file.nth(number))?.0)
    }

    fn one_of(&self, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        self.nth(((u128::from(random()) * u128::from(self.file.entries())) >> 64) as u64)
    }
}

impl Answers for Entries<'_> {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        // A stop is remembered by its scope.
        Some(self.entry(&self.keys.key(position).ok()??)?.verdict)
    }

    fn positions(&self) -> u64 {
        self.file.entries()
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Table
    }

    fn may_repeat(&self) -> bool {
        matches!(self.file.shape().kind, table::Kind::Outcomes { nimbers: false })
    }

    fn each(&self, _: Player) -> Positions<'_> {
        Box::new((0..self.file.entries()).filter_map(|number| self.nth(number)))
    }

    fn random(&self, _: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        self.one_of(random)
    }
}

impl PartValues for Entries<'_> {
    fn value(&self, part: &[i64]) -> Option<PartValue> {
        let Entry { verdict, rank, .. } = self.entry(&self.keys.part_key(part)?)?;
        Some(PartValue { value: verdict.loopy().unwrap_or(LoopyNimber::ZERO), rank })
    }

    fn parts(&self) -> u64 {
        self.file.entries()
    }

    fn each(&self) -> Box<dyn Iterator<Item = Box<[i64]>> + '_> {
        let positions = (0..self.file.entries()).filter_map(|number| self.nth(number));
        Box::new(positions.filter_map(|position| position.parts.into_iter().next()))
    }

    fn random(&self, random: &mut dyn FnMut() -> u64) -> Option<Box<[i64]>> {
        self.one_of(random)?.parts.into_iter().next()
    }
}
