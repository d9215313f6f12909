//! Fills a table of blocks: all positions that play can reach, or all parts that can come up, with what is known of each.

use std::path::Path;

use engine::graph::{Expansion, Graph as _, Id};
use engine::memory::{Lease, Memory};
use engine::monitor::Monitor;
use game::Verdict;
use rules::bind::{Bound, Position};
use table::{About, BlockWriter, ENTRIES, Entry, Key, Keys, Kind, Shape, Written, free_space, predicted};

use super::trouble::Unfilled;
use crate::answer::canonical_value::with_part_values;
use crate::answers::unknown;
use crate::error::SolveError;
use crate::options::Options;
use crate::part_values::{self, within};
use crate::solved::Solved;
use crate::stopping::scope;
use crate::whole;
use positions::oracle::Keeps;
use positions::parts::{NOTHING, Parts};

/// What a key takes in memory beside its bytes.
const KEY: u64 = size_of::<Key>() as u64 + 16;
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
        let keys = self.reached(monitor)?;
        let players = self.solved.bound.players;
        let needed = predicted(&self.sample(&keys)?, self.shape(), players, keys.len() as u64);
        let begun = std::fs::metadata(table::part_path(path)).map_or(0, |begun| begun.len());
        if let Some(free) = free_space(path).filter(|free| free.saturating_add(begun) < needed) {
            return Err(Unfilled::Room { needed, free });
        }
        let mut writer = BlockWriter::begin(path, about, self.shape(), players)?;
        let all = keys.len() as u64;
        monitor.enter_expecting("writing", all);
        let first = usize::try_from(writer.written()).unwrap_or(usize::MAX).min(keys.len());
        match self.shape().values {
            false => {
                for place in first..keys.len() {
                    monitor.tick(all, place as u64).map_err(SolveError::from)?;
                    let key = keys.get(place);
                    let entry = self.entry(&key)?;
                    writer.push(key, &entry)?;
                }
            }
            true => self.write_values(&keys, first, &mut writer, monitor)?,
        }
        Ok(writer.finish()?)
    }

    /// Some entries side by side, from the middle of the table.
    fn sample(&self, keys: &Reached) -> Result<Vec<(Key, Entry)>, SolveError> {
        let first = keys.len().saturating_sub(ENTRIES) / 2;
        let keys = (first..keys.len().min(first + ENTRIES)).map(|place| keys.get(place));
        keys.map(|key| self.entry(&key).map(|entry| (key, entry))).collect()
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
    fn write_values(
        &self,
        keys: &Reached,
        first: usize,
        writer: &mut BlockWriter,
        monitor: &mut Monitor,
    ) -> Result<(), Unfilled> {
        let mut trouble = None;
        let told = with_part_values(&self.solved, monitor, |valuer, monitor| {
            for place in first..keys.len() {
                monitor.tick(keys.len() as u64, place as u64)?;
                let key = keys.get(place);
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

    /// The keys of all positions that play can reach, or of all parts that can come up, in order.
    fn reached(&self, monitor: &mut Monitor) -> Result<Reached, SolveError> {
        let mut reached = Reached::new(self.keys.size().is_some(), monitor.memory());
        match self.shape().of_parts() {
            true => self.reached_parts(&mut reached, monitor)?,
            false => self.reached_positions(&mut reached, monitor)?,
        }
        reached.sort();
        Ok(reached)
    }

    fn reached_positions(&self, reached: &mut Reached, monitor: &mut Monitor) -> Result<(), SolveError> {
        let Solved { bound, start, .. } = &self.solved;
        let verdict = self.start().ok_or_else(|| unknown(bound, start))?;
        let mut graph = whole::graph(&self.solved, &self.options, whole::keeps(&verdict), monitor)?;
        graph.number(start).map_err(|error| graph.placed(bound, error))?;
        let mut expansion = Expansion::default();
        monitor.enter("walking all positions");
        let mut id: Id = 0;
        while (id as usize) < graph.len() {
            let met = graph.len() as u64;
            monitor.tick(met, u64::from(id))?;
            graph.expand(id, &mut expansion).map_err(|error| graph.placed(bound, error.after(met)))?;
            let key = self.keys.key(&graph.position(id))?;
            let key = key.ok_or_else(|| SolveError::internal("a position has no key"))?;
            reached.push(key, self.keys.size().is_some())?;
            id += 1;
        }
        Ok(())
    }

    fn reached_parts(&self, reached: &mut Reached, monitor: &mut Monitor) -> Result<(), SolveError> {
        let memory = monitor.memory().clone();
        let mut parts = Parts::new(self.solved.bound, Keeps::Outcome, &memory)?;
        for part in &self.solved.start.parts {
            parts.number(part).map_err(|error| parts.placed(error))?;
        }
        let mut expansion = Expansion::default();
        monitor.enter("walking all parts");
        let mut part = NOTHING + 1;
        while (part as usize) < parts.len() {
            let met = parts.len() as u64;
            monitor.tick(met, u64::from(part))?;
            parts.expand(part, &mut expansion).map_err(|error| parts.placed(error.after(met)))?;
            let key = self.keys.part_key(&parts.cells(part));
            reached.push(key.ok_or_else(|| SolveError::internal("a part has no key"))?, self.keys.size().is_some())?;
            part += 1;
        }
        Ok(())
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

/// Keys, sorted at the end.
struct Reached {
    /// Keys that are numbers, and how many bytes they have.
    numbers: Vec<u64>,
    width: usize,
    /// Other keys.
    keys: Vec<Key>,
    lease: Lease,
}

impl Reached {
    fn new(numbers: bool, memory: &Memory) -> Reached {
        let _ = numbers;
        Reached { numbers: Vec::new(), width: 0, keys: Vec::new(), lease: memory.lease() }
    }

    fn len(&self) -> usize {
        self.numbers.len() + self.keys.len()
    }

    fn push(&mut self, key: Key, number: bool) -> Result<(), SolveError> {
        // Vectors hold up to twice what is in them.
        if number {
            self.lease.grow(16).map_err(|error| error.after(self.len() as u64))?;
            self.width = key.len();
            self.numbers.push(key.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)));
        } else {
            self.lease.grow(2 * KEY + key.len() as u64).map_err(|error| error.after(self.len() as u64))?;
            self.keys.push(key);
        }
        Ok(())
    }

    fn sort(&mut self) {
        self.numbers.sort_unstable();
        self.numbers.dedup();
        self.keys.sort_unstable();
        self.keys.dedup();
    }

    fn get(&self, place: usize) -> Key {
        match self.keys.get(place) {
            Some(key) => key.clone(),
            None => self.numbers[place].to_be_bytes()[8 - self.width..].to_vec(),
        }
    }
}
