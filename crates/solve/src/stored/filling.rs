//! Fills a table of blocks: all positions that play can reach, or all parts that can come up, with what is known of each.

use std::path::Path;

use engine::monitor::Monitor;
use game::Verdict;
use rules::bind::{Bound, Position};
use table::{About, BlockWriter, ENTRIES, Entry, Key, Keys, Kind, Shape, Snapshots, Written, free_space, predicted};

use super::reached::{Reached, reached};
use super::trouble::Unfilled;
use crate::answer::canonical_value::with_part_values;
use crate::answers::unknown;
use crate::error::SolveError;
use crate::options::Options;
use crate::part_values::{self, within};
use crate::solved::Solved;
use crate::stopping::scope;
use crate::whole;

/// The longest name of a value that is stored.
const LONGEST_NAME: usize = 1 << 16;

/// A solved game whose positions go into a table.
pub struct Filling<'b> {
    solved: Solved<'b>,
    keys: Keys<'b>,
    options: Options,
}

impl<'b> Filling<'b> {
    /// Solves a game for its table. With `values`, entries have canonical forms.
    pub fn new(
        bound: &'b Bound,
        options: &Options,
        values: bool,
        monitor: &mut Monitor,
    ) -> Result<Filling<'b>, SolveError> {
        let solved = whole::solve(bound, options, monitor)?;
        let shape = shape(&solved, values)?;
        Ok(Filling { keys: Keys::new(bound, shape), solved, options: options.clone() })
    }

    /// The shape of the table.
    pub fn shape(&self) -> Shape {
        self.keys.shape()
    }

    /// What the start is worth.
    pub fn start(&self) -> Option<Verdict> {
        self.solved.verdict(&self.solved.start)
    }

    /// Fills the file of that path, or what is missing of it.
    pub fn fill(&self, path: &Path, about: &About, monitor: &mut Monitor) -> Result<Written, Unfilled> {
        let _scope = scope(monitor);
        if let Some(count) = self.is_ordered(monitor)? {
            return self.fill_in_order(count, path, about, monitor);
        }
        let keys = reached(&self.solved, &self.keys, &self.options, monitor)?;
        let players = self.solved.bound.players;
        self.has_room(&self.sample(&keys)?, keys.len(), path)?;
        let mut writer = BlockWriter::begin(path, about, self.shape(), players)?;
        let all = keys.len();
        monitor.enter_expecting("writing", all);
        match self.shape().values {
            false => {
                let first = writer.written();
                for (key, place) in keys.from(first).zip(first..) {
                    monitor.tick(all, place).map_err(SolveError::from)?;
                    let entry = self.entry(&key)?;
                    writer.push(key, &entry)?;
                }
            }
            true => self.write_values(&keys, &mut writer, monitor)?,
        }
        let written = writer.finish()?;
        Snapshots::beside(path).forget_all();
        Ok(written)
    }

    /// How many positions there are, if the method gives them in the order of their keys.
    fn is_ordered(&self, monitor: &Monitor) -> Result<Option<u64>, SolveError> {
        if self.shape().values || self.keys.size().is_none() {
            return Ok(None);
        }
        let Some(mut ordered) = self.solved.answers.ordered(monitor.memory().free() / 2) else { return Ok(None) };
        ordered.next().transpose()?;
        Ok(Some(self.solved.answers.positions()))
    }

    /// Fills the file from positions in the order of their keys: nothing is collected.
    fn fill_in_order(
        &self,
        count: u64,
        path: &Path,
        about: &About,
        monitor: &mut Monitor,
    ) -> Result<Written, Unfilled> {
        let ordered = || {
            let ordered = self.solved.answers.ordered(monitor.memory().free() / 2);
            ordered.ok_or_else(|| SolveError::internal("positions are in no order any more"))
        };
        let keyed = |position: &Position, verdict: Verdict| -> Result<(Key, Entry), SolveError> {
            let key = self.keys.key(position)?;
            let key = key.ok_or_else(|| SolveError::internal("a position has no key"))?;
            Ok((key, Entry::new(verdict)))
        };
        let sample =
            ordered()?.take(ENTRIES).map(|found| found.and_then(|(position, verdict)| keyed(&position, verdict)));
        self.has_room(&sample.collect::<Result<Vec<_>, _>>()?, count, path)?;
        let all = ordered()?;
        let mut writer = BlockWriter::begin(path, about, self.shape(), self.solved.bound.players)?;
        let first = writer.written();
        monitor.enter_expecting("writing", count);
        for (found, place) in all.zip(0..) {
            monitor.tick(count, place).map_err(SolveError::from)?;
            let (position, verdict) = found?;
            if place >= first {
                let (key, entry) = keyed(&position, verdict)?;
                writer.push(key, &entry)?;
            }
        }
        let written = writer.finish()?;
        Snapshots::beside(path).forget_all();
        Ok(written)
    }

    /// Compares what so many entries take with the room on the disk.
    fn has_room(&self, sample: &[(Key, Entry)], entries: u64, path: &Path) -> Result<(), Unfilled> {
        let needed = predicted(sample, self.shape(), self.solved.bound.players, entries);
        let begun = std::fs::metadata(table::part_path(path)).map_or(0, |begun| begun.len());
        match free_space(path).filter(|free| free.saturating_add(begun) < needed) {
            Some(free) => Err(Unfilled::Room { needed, free }),
            None => Ok(()),
        }
    }

    /// Some entries side by side, from the middle of the table.
    fn sample(&self, keys: &Reached) -> Result<Vec<(Key, Entry)>, SolveError> {
        let first = keys.len().saturating_sub(ENTRIES as u64) / 2;
        keys.from(first).take(ENTRIES).map(|key| self.entry(&key).map(|entry| (key, entry))).collect()
    }

    fn position(&self, key: &[u8]) -> Result<Position, SolveError> {
        self.keys.position(key).ok_or_else(|| SolveError::internal("a key of a table has no position"))
    }

    /// What is known of the position of a key.
    fn entry(&self, key: &[u8]) -> Result<Entry, SolveError> {
        let position = self.position(key)?;
        let missing = || unknown(self.solved.bound, &position);
        if self.shape().of_parts() {
            let part = self.solved.answers.part(&position.parts[0]).ok_or_else(missing)?;
            return Ok(Entry { rank: part.rank, ..Entry::new(part.value.into()) });
        }
        self.solved.verdict(&position).map(Entry::new).ok_or_else(missing)
    }

    /// Writes entries with canonical forms.
    fn write_values(&self, keys: &Reached, writer: &mut BlockWriter, monitor: &mut Monitor) -> Result<(), Unfilled> {
        let mut trouble = None;
        let told = with_part_values(&self.solved, monitor, |valuer, monitor| {
            let first = writer.written();
            for (key, place) in keys.from(first).zip(first..) {
                monitor.tick(keys.len(), place)?;
                let value = part_values::value(valuer, &self.position(&key)?, monitor)?;
                let value = Some(within(valuer, |arena| arena.name(value, LONGEST_NAME))?);
                let entry = Entry { value, ..self.entry(&key)? };
                if let Err(error) = writer.push(key, &entry) {
                    trouble = Some(error);
                    break;
                }
            }
            Ok(())
        })?;
        match (trouble, told) {
            (Some(error), _) => Err(error.into()),
            (None, Ok(())) => Ok(()),
            (None, Err(why)) => Err(Unfilled::Solve(SolveError::NotApplicable(format!(
                "the values of all positions are not known: {why}"
            )))),
        }
    }
}

/// The shape of the table of a solved game.
fn shape(solved: &Solved<'_>, values: bool) -> Result<Shape, SolveError> {
    let facts = solved.plan.facts();
    let sum = solved.bound.program.sum.is_some();
    let verdict = solved.verdict(&solved.start).ok_or_else(|| unknown(solved.bound, &solved.start))?;
    let ranked = || solved.start.parts.first().and_then(|part| solved.answers.part(part)?.rank).is_some();
    let kind = match verdict {
        Verdict::Outcome { nimber, .. } => Kind::Outcomes { nimbers: nimber.is_some() },
        Verdict::Score(_) => Kind::Scores,
        Verdict::Payoffs { .. } => Kind::Payoffs,
        Verdict::Loopy(_) => Kind::Loopy,
        Verdict::Nimber(_) if ranked() => Kind::Loopy,
        Verdict::Nimber(_) => Kind::Nimbers,
    };
    if values && (!facts.partizan || solved.report.repeats()) {
        let why = "canonical forms are for games without cycles that the last mover wins, in which players have different moves";
        return Err(SolveError::NotApplicable(why.to_string()));
    }
    let parts = matches!(kind, Kind::Nimbers | Kind::Loopy);
    Ok(Shape { kind, turn: facts.with_turn && !parts, ordered: sum && kind == Kind::Payoffs, values })
}
