//! "Checked, not believed": what a file declares of its positions is checked on every position that is visited.
//!
//! - A *measure* must fall with every move.
//! - A *symmetry* must map the position to one with the same end, and its options to that one's options with the same
//!   gains and turns. Checked on every position of a game, this proves that both have the same value.
//! - *Regions* must be independent: every move stays inside one region, and leaves the moves of both players in all
//!   other regions as they were.
//! - An *estimate* must be a number that can be worked out.
//!
//! The check of regions compares moves with moves and costs the square of their number. So it takes a few moves of a position,
//! and past a budget it looks at every 64th position only; it says at how many it looked.

use game::{End, Player};
use rules::bind::{Bound, Shape};
use rules::fault::Fault;
use rules::interpreter::Interpreter;
use rules::program::Program;
use rules::show;

use crate::fact::Fact;

/// How many moves the check of regions looks at before it only takes samples.
pub const REGION_BUDGET: u64 = 4000;
/// Of how many moves of a position it is looked at what they leave in other regions.
const MOST_COMPARED: usize = 24;

/// The check of one solve.
pub struct Audit<'b> {
    bound: &'b Bound,
    program: &'b Program,
    interpreter: Interpreter<'b>,
    positions: u64,
    region_checks: u64,
    region_work: u64,
}

/// A move as far as it matters here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    /// What replaces the part: itself changed, or its splits.
    into: Vec<Vec<i64>>,
    gains: Vec<i64>,
    turn: Player,
}

impl<'b> Audit<'b> {
    /// A check, if the file declares anything that can be checked.
    pub fn new(bound: &'b Bound) -> Option<Audit<'b>> {
        let program = &*bound.program;
        let declares = program.measure.is_some()
            || program.estimate.is_some()
            || !program.symmetries.is_empty()
            || !program.regions.is_empty();
        declares.then(|| Audit {
            bound,
            program,
            interpreter: Interpreter::new(bound),
            positions: 0,
            region_checks: 0,
            region_work: 0,
        })
    }

    /// What was declared, and at how many positions it was checked.
    pub fn report(&self) -> Fact {
        let mut declared = Vec::new();
        let many = |noun: &str, count: usize| if count == 1 { noun.to_string() } else { format!("{count} × {noun}") };
        declared.extend(self.program.measure.as_ref().map(|_| "measure".to_string()));
        declared.extend(self.program.estimate.as_ref().map(|_| "estimate".to_string()));
        let (symmetries, regions) = (self.program.symmetries.len(), self.program.regions.len());
        declared.extend((symmetries > 0).then(|| many("symmetry", symmetries)));
        declared.extend((regions > 0).then(|| many("regions", regions)));
        let sampled = match regions {
            0 => String::new(),
            _ if self.region_checks == self.positions => String::new(),
            _ => format!(", regions at {} of them", self.region_checks),
        };
        Fact::yes(format!("{}: checked at {} positions{sampled}", declared.join(", "), self.positions))
    }

    /// Says at how many positions was looked, where others than the interpreter looked too.
    pub fn count(&mut self, positions: u64) {
        self.positions = positions;
    }

    /// Checks everything that is declared at one position (of a part).
    pub fn look(&mut self, cells: &[i64], mover: Player) -> Result<(), Fault> {
        self.positions += 1;
        let end = self.interpreter.end(cells, mover)?;
        self.interpreter.estimate(cells, mover)?;
        if end.is_none() {
            self.measure(cells, mover)?;
        }
        for index in 0..self.program.symmetries.len() {
            self.symmetry(index, &end, cells, mover)?;
        }
        let sampled = self.region_work < REGION_BUDGET || self.positions.is_multiple_of(64);
        if !self.program.regions.is_empty() && sampled {
            self.region_checks += 1;
            for index in 0..self.program.regions.len() {
                self.regions(index, cells, mover)?;
            }
        }
        Ok(())
    }

    fn place(&self, cells: &[i64], mover: Player) -> String {
        format!("in the position {}, {mover} to move", show::part_text(self.bound, cells))
    }

    fn measure(&mut self, cells: &[i64], mover: Player) -> Result<(), Fault> {
        let Some(declared) = &self.program.measure else { return Ok(()) };
        let Some(before) = self.interpreter.measure(cells, mover)? else { return Ok(()) };
        let mut options = Vec::new();
        self.interpreter.moves(cells, mover, &mut |effect| {
            let label = show::move_label(self.bound, effect.rule, effect.choices);
            match effect.split {
                Some(parts) => options.extend(parts.iter().map(|part| (label.clone(), part.to_vec(), effect.turn))),
                None => options.push((label, effect.after.to_vec(), effect.turn)),
            }
            Ok(())
        })?;
        for (label, after, turn) in options {
            let value = self.interpreter.measure(&after, turn)?.unwrap_or(before);
            if value >= before {
                let title = format!("the measure does not fall: {before} before `{label}`, {value} after it");
                return Err(Fault::at(declared.span, title, "not a measure")
                    .note(self.place(cells, mover))
                    .help("a measure is a number that every move lowers"));
            }
        }
        Ok(())
    }

    fn changes(&mut self, cells: &[i64], mover: Player) -> Result<Vec<Change>, Fault> {
        let mut changes = Vec::new();
        self.interpreter.moves(cells, mover, &mut |effect| {
            let into = match effect.split {
                Some(parts) => parts.iter().map(|part| part.to_vec()).collect(),
                None => vec![effect.after.to_vec()],
            };
            changes.push(Change { into, gains: effect.gains.to_vec(), turn: effect.turn });
            Ok(())
        })?;
        Ok(changes)
    }

    /// The position with the symmetry applied: `new[i] = old[permutation[i]]`.
    fn mapped(&self, index: usize, cells: &[i64]) -> Vec<i64> {
        let mut mapped = cells.to_vec();
        self.bound.symmetries[index].apply(&self.bound.layout, cells, &mut mapped);
        mapped
    }

    fn symmetry(&mut self, index: usize, end: &Option<End>, cells: &[i64], mover: Player) -> Result<(), Fault> {
        let span = self.program.symmetries[index].span;
        let image = self.mapped(index, cells);
        let wrong = |audit: &Self, what: String| {
            Fault::at(span, format!("this is not a symmetry: {what}"), "not a symmetry")
                .note(audit.place(cells, mover))
                .note(format!("it would be equal to {}", show::part_text(audit.bound, &image)))
                .help("a symmetry turns every position into one with the same moves, gains and ends")
        };
        if let Some(misfit) = self.bound.layout.misfit(&image) {
            return Err(wrong(self, format!("in the image {}", misfit.text)));
        }
        let image_end = match self.interpreter.end(&image, mover) {
            Ok(end) => end,
            Err(fault) => {
                return Err(wrong(self, format!("the rules go wrong in the image ({})", fault.diagnostic.title)));
            }
        };
        if image_end != *end {
            let say = |end: &Option<End>| end.as_ref().map_or("goes on".to_string(), end_text);
            return Err(wrong(self, format!("the position {}, its image {}", say(end), say(&image_end))));
        }
        if end.is_some() {
            return Ok(());
        }
        let mut here: Vec<Change> = self.changes(cells, mover)?;
        for change in &mut here {
            for part in &mut change.into {
                *part = self.mapped(index, part);
            }
        }
        let mut there = self.changes(&image, mover)?;
        here.iter_mut().chain(&mut there).for_each(|change| change.into.sort());
        [&mut here, &mut there].into_iter().for_each(|changes| {
            changes.sort();
            changes.dedup();
        });
        if here != there {
            let extra =
                here.iter().filter(|c| !there.contains(c)).count() + there.iter().filter(|c| !here.contains(c)).count();
            return Err(wrong(
                self,
                match extra {
                    1 => "a move of the position or its image has no match".to_string(),
                    _ => format!("{extra} moves of the position and its image do not match"),
                },
            ));
        }
        if here.is_empty() && self.interpreter.stuck(cells, mover)? != self.interpreter.stuck(&image, mover)? {
            return Err(wrong(self, "being stuck means something else in the image".to_string()));
        }
        Ok(())
    }

    fn regions(&mut self, index: usize, cells: &[i64], mover: Player) -> Result<(), Fault> {
        let labels = self.labels(index, cells, mover)?;
        let movers = [mover, mover.other()];
        let mut before: Vec<Vec<RegionMove>> = Vec::new();
        for player in movers {
            let moves = match self.region_moves(index, cells, &labels, player) {
                Ok(moves) => moves,
                // The other player may never face this position.
                Err(fault) if player == mover => return Err(fault),
                Err(_) => return Ok(()),
            };
            before.push(moves);
        }
        // Where there is one region, there is no other to be changed.
        if labels.iter().max().is_none_or(|&last| last < 2) {
            return Ok(());
        }
        for at in 0..2 {
            for number in (0..before[at].len()).step_by(before[at].len() / MOST_COMPARED + 1) {
                let region = before[at][number].region;
                let after = std::mem::take(&mut before[at][number].after);
                for (other, player) in movers.into_iter().enumerate() {
                    let Ok(now) = self.region_moves(index, &after, &labels, player) else { continue };
                    if elsewhere(&before[other], region) != elsewhere(&now, region) {
                        let label = self.label(cells, movers[at], number)?;
                        let title = format!(
                            "these regions are not independent: `{label}` changes what {player} can do in another region"
                        );
                        return Err(Fault::at(self.program.regions[index].span, title, "not independent")
                            .note(self.place(cells, mover)));
                    }
                }
            }
        }
        Ok(())
    }

    /// What a move of a position is called.
    fn label(&mut self, cells: &[i64], mover: Player, number: usize) -> Result<String, Fault> {
        let (mut at, mut label) = (0, String::new());
        self.interpreter.moves(cells, mover, &mut |effect| {
            if at == number {
                label = show::move_label(self.bound, effect.rule, effect.choices);
            }
            at += 1;
            Ok(())
        })?;
        Ok(label)
    }

    /// The cells of the array that `regions` number `index` is about.
    fn array(&self, index: usize) -> std::ops::Range<usize> {
        let slot = &self.bound.layout.variables[self.bound.regions[index].variable];
        slot.offset..slot.offset + slot.cells
    }

    /// The region of each cell of the array, numbered from 1; 0 where the condition does not hold.
    fn labels(&mut self, index: usize, cells: &[i64], mover: Player) -> Result<Vec<usize>, Fault> {
        let Shape { rows, columns, .. } = self.bound.regions[index];
        let board = &cells[self.array(index)];
        let mut inside = Vec::with_capacity(board.len());
        for &cell in board {
            inside.push(self.interpreter.in_region(index, cell, cells, mover)?);
        }
        let mut labels = vec![0; board.len()];
        let mut region = 0;
        for start in 0..board.len() {
            if !inside[start] || labels[start] != 0 {
                continue;
            }
            region += 1;
            labels[start] = region;
            let mut todo = vec![start];
            while let Some(cell) = todo.pop() {
                let (row, column) = (cell / columns, cell % columns);
                let neighbours = [
                    (row > 0).then(|| cell - columns),
                    (row + 1 < rows).then_some(cell + columns),
                    (column > 0).then(|| cell - 1),
                    (column + 1 < columns).then_some(cell + 1),
                ];
                for next in neighbours.into_iter().flatten() {
                    if inside[next] && labels[next] == 0 {
                        labels[next] = region;
                        todo.push(next);
                    }
                }
            }
        }
        Ok(labels)
    }

    fn region_moves(
        &mut self,
        index: usize,
        cells: &[i64],
        labels: &[usize],
        mover: Player,
    ) -> Result<Vec<RegionMove>, Fault> {
        let regions = &self.program.regions[index];
        let range = self.array(index);
        let mut moves = Vec::new();
        let mut work = 0;
        self.interpreter.moves(cells, mover, &mut |effect| {
            work += 1;
            let changed = (0..cells.len()).filter(|&cell| cells[cell] != effect.after[cell]);
            let mut region = None;
            let mut change = Vec::new();
            let mut stays = effect.turn == mover.other();
            for cell in changed {
                change.push((cell, effect.after[cell]));
                let here = if range.contains(&cell) { labels[cell - range.start] } else { 0 };
                stays &= here != 0 && region.is_none_or(|known| known == here);
                region = Some(here);
            }
            let Some(region) = region.filter(|_| stays) else {
                let label = show::move_label(self.bound, effect.rule, effect.choices);
                let title = format!("these regions are not independent: `{label}` does not stay inside one region");
                let fault = Fault::at(regions.span, title, "not independent");
                return Err(
                    fault.note(format!("in the position {}, {mover} to move", show::part_text(self.bound, cells)))
                );
            };
            moves.push(RegionMove { region, change, after: effect.after.to_vec() });
            Ok(())
        })?;
        self.region_work += work;
        Ok(moves)
    }
}

/// A move that stays inside one region.
struct RegionMove {
    region: usize,
    change: Vec<(usize, i64)>,
    after: Vec<i64>,
}

/// The changes of the moves outside a region, sorted.
fn elsewhere(moves: &[RegionMove], region: usize) -> Vec<&[(usize, i64)]> {
    let mut changes: Vec<&[(usize, i64)]> =
        moves.iter().filter(|mv| mv.region != region).map(|mv| &mv.change[..]).collect();
    changes.sort_unstable();
    changes.dedup();
    changes
}

fn end_text(end: &End) -> String {
    match end {
        End::Outcome(outcome) => format!("ends with `{outcome}`"),
        End::Gains(gains) => format!("ends with gains {gains:?}"),
    }
}
