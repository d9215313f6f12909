//! "Checked, not believed": what a file declares of its positions is checked on every position that is visited.
//!
//! - A *measure* must fall with every move.
//! - A *symmetry* must map the position to one with the same end, and its options to that one's options with the same
//!   gains and turns. Checked on every position of a game, this proves that both have the same value.
//! - *Regions* must be independent: every move stays inside one region, and leaves the moves of both players in all
//!   other regions as they were.
//! - An *estimate* must be a number that can be worked out.
//!
//! That moves stay inside a region is seen at every position. What they leave elsewhere is found by comparing moves with moves,
//! which costs the square of their number. So that is done for a few moves of a position, and past a budget at every 64th
//! position only; the report says at how many.

use game::{End, Player};
use rules::bind::{Bound, Shape};
use rules::fault::Fault;
use rules::interpreter::Interpreter;
use rules::program::Program;
use rules::show;
use rules::stop::Held;

use crate::facts::Fact;
use engine::numbers::grouped;

/// How many moves the check of regions looks at before it only takes samples.
pub const REGION_BUDGET: u64 = 4000;
/// Of how many moves of a position it is looked at what they leave in other regions.
const MOST_COMPARED: usize = 24;

/// What is proved from the rules, so that no position needs to be looked at for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proved {
    /// Every move lowers the measure.
    pub measure: bool,
    /// All symmetries.
    pub symmetries: bool,
    /// All regions.
    pub regions: bool,
}

/// The check of one solve.
pub struct Audit<'b> {
    bound: &'b Bound,
    program: &'b Program,
    interpreter: Interpreter<'b>,
    /// Values positions while the other one lists them.
    measurer: Interpreter<'b>,
    proved: Proved,
    positions: u64,
    region_checks: u64,
    region_work: u64,
    /// Whether there are positions that nobody looked at.
    is_cut: bool,
}

/// A move as far as it matters here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    /// The cells that become others, if the part is not split.
    cells: Vec<(usize, i64)>,
    /// The parts that replace it, if it is.
    split: Option<Vec<Vec<i64>>>,
    gains: Vec<i64>,
    turn: Player,
}

impl Change {
    /// About how much memory it takes.
    fn bytes(&self) -> u64 {
        let parts = self.split.iter().flatten().map(|part| 8 * part.len() + 40).sum::<usize>();
        (size_of::<Change>() + 16 * self.cells.len() + parts + 8 * self.gains.len() + 64) as u64
    }
}

/// What is said of what is proved.
const PROVED: &str = "proved from the rules";

impl Proved {
    /// That everything that is declared is proved.
    pub fn all(self, program: &Program) -> Option<Fact> {
        let rest = names(program, self, false);
        let proved = names(program, self, true);
        (rest.is_empty() && !proved.is_empty()).then(|| Fact::yes(format!("{proved}: {PROVED}")))
    }
}

/// What a file declares that is proved, or that is not.
fn names(program: &Program, proved: Proved, wanted: bool) -> String {
    let many = |noun: &str, count: usize| if count == 1 { noun.to_string() } else { format!("{count} × {noun}") };
    let declared = [
        (usize::from(program.measure.is_some()), "measure", proved.measure),
        (usize::from(program.estimate.is_some()), "estimate", false),
        (program.symmetries.len(), "symmetry", proved.symmetries),
        (program.regions.len(), "regions", proved.regions),
    ];
    let named = declared.into_iter().filter(|(count, _, proved)| *count > 0 && *proved == wanted);
    named.map(|(count, noun, _)| many(noun, count)).collect::<Vec<_>>().join(", ")
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
            measurer: Interpreter::new(bound),
            proved: Proved::default(),
            positions: 0,
            region_checks: 0,
            region_work: 0,
            is_cut: false,
        })
    }

    /// Without what is proved.
    pub fn beside(self, proved: Proved) -> Audit<'b> {
        Audit { proved, ..self }
    }

    /// What was declared, and at how many positions it was checked.
    pub fn report(&self) -> Fact {
        let (proved, looked) = (names(self.program, self.proved, true), names(self.program, self.proved, false));
        let sampled = match self.asks_regions() {
            false => String::new(),
            true if self.region_checks == self.positions => String::new(),
            true => format!(", what moves leave in other regions at {} of them", self.region_checks),
        };
        let proved = if proved.is_empty() { proved } else { format!("; {proved}: {PROVED}") };
        let where_to = match self.is_cut {
            false => format!("{} positions", grouped(self.positions)),
            true => format!("the first {} positions from the start on, and not beyond", grouped(self.positions)),
        };
        Fact::yes(format!("{looked}: checked at {where_to}{sampled}{proved}"))
    }

    /// Says that there are more positions than were looked at.
    pub fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Whether regions are to be looked at, at some positions.
    fn asks_regions(&self) -> bool {
        !self.program.regions.is_empty() && !self.proved.regions
    }

    /// Whether regions are to be looked at in the next position.
    pub fn regions_are_due(&self) -> bool {
        self.asks_regions() && (self.region_work < REGION_BUDGET || (self.positions + 1).is_multiple_of(64))
    }

    /// Says at how many positions was looked, where others than the interpreter looked too.
    pub fn count(&mut self, positions: u64) {
        self.positions = positions;
    }

    /// Checks everything that is declared at one position (of a part).
    pub fn look(&mut self, cells: &[i64], mover: Player) -> Result<(), Fault> {
        let regions = self.regions_are_due();
        self.positions += 1;
        let end = self.interpreter.end(cells, mover)?;
        self.interpreter.estimate(cells, mover)?;
        if end.is_none() && !self.proved.measure {
            self.measure(cells, mover)?;
        }
        for index in 0..self.symmetries() {
            self.symmetry(index, &end, cells, mover)?;
        }
        if !self.asks_regions() {
            return Ok(());
        }
        self.region_checks += u64::from(regions);
        for index in 0..self.program.regions.len() {
            match regions {
                true => self.regions(index, cells, mover)?,
                // That moves stay inside one region is seen at every position.
                false => {
                    let labels = self.labels(index, cells, mover)?;
                    self.region_moves(index, cells, &labels, mover, &mut Held::default())?;
                }
            }
        }
        Ok(())
    }

    /// How many symmetries are to be looked at.
    pub fn symmetries(&self) -> usize {
        if self.proved.symmetries { 0 } else { self.program.symmetries.len() }
    }

    /// Whether the measure is to be looked at.
    pub fn asks_measure(&self) -> bool {
        self.program.measure.is_some() && !self.proved.measure
    }

    fn place(&self, cells: &[i64], mover: Player) -> String {
        format!("in the position {}, {mover} to move", show::part_text(self.bound, cells))
    }

    fn measure(&mut self, cells: &[i64], mover: Player) -> Result<(), Fault> {
        let Some(declared) = &self.program.measure else { return Ok(()) };
        let Some(before) = self.interpreter.measure(cells, mover)? else { return Ok(()) };
        let place = self.place(cells, mover);
        let (bound, measurer) = (self.bound, &mut self.measurer);
        self.interpreter.moves(cells, mover, &mut |effect| {
            let mut falls = |after: &[i64]| {
                let value = measurer.measure(after, effect.turn)?.unwrap_or(before);
                if value < before {
                    return Ok(());
                }
                let label = show::move_label(bound, effect.rule, effect.choices);
                let title = format!("the measure does not fall: {before} before `{label}`, {value} after it");
                Err(Fault::at(declared.span, title, "not a measure")
                    .note(place.clone())
                    .help("a measure is a number that every move lowers"))
            };
            match effect.split {
                Some(parts) => parts.iter().try_for_each(|part| falls(part)),
                None => falls(effect.after),
            }
        })
    }

    /// What the moves of a position do; with a symmetry, what their images do in the image of the position. Sorted, each once.
    /// Only the cells that change are kept: a large board has many moves that change few.
    fn changes(
        &mut self,
        cells: &[i64],
        mover: Player,
        symmetry: Option<(usize, &[i64])>,
        held: &mut Held,
    ) -> Result<Vec<Change>, Fault> {
        let mut changes = Vec::new();
        let (bound, base) = (self.bound, symmetry.map_or(cells, |(_, image)| image));
        let mut image = cells.to_vec();
        self.interpreter.moves(cells, mover, &mut |effect| {
            let mapped = |part: &[i64], image: &mut Vec<i64>| match symmetry {
                Some((index, _)) => bound.symmetries[index].apply(&bound.layout, part, image),
                None => image.copy_from_slice(part),
            };
            let (mut cells, mut split) = (Vec::new(), None);
            match effect.split {
                Some(parts) => {
                    let mut images = Vec::with_capacity(parts.len());
                    for part in parts {
                        mapped(part, &mut image);
                        images.push(image.clone());
                    }
                    images.sort();
                    split = Some(images);
                }
                None => {
                    mapped(effect.after, &mut image);
                    let changed = (0..base.len()).filter(|&cell| base[cell] != image[cell]);
                    cells.extend(changed.map(|cell| (cell, image[cell])));
                }
            }
            let change = Change { cells, split, gains: effect.gains.to_vec(), turn: effect.turn };
            held.grow(change.bytes())?;
            changes.push(change);
            Ok(())
        })?;
        changes.sort();
        changes.dedup();
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
            Err(fault) if fault.stopped().is_some() => return Err(fault),
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
        let mut held = Held::default();
        let here = self.changes(cells, mover, Some((index, &image)), &mut held)?;
        let there = self.changes(&image, mover, None, &mut held)?;
        if here != there {
            let unmatched = |some: &[Change], others: &[Change]| {
                some.iter().filter(|change| others.binary_search(change).is_err()).count()
            };
            let extra = unmatched(&here, &there) + unmatched(&there, &here);
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
        let mut held = Held::default();
        for player in movers {
            let moves = match self.region_moves(index, cells, &labels, player, &mut held) {
                Ok(moves) => moves,
                // The other player may never face this position.
                Err(fault) if player == mover || fault.stopped().is_some() => return Err(fault),
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
                let RegionMove { region, ref change } = before[at][number];
                let mut after = cells.to_vec();
                change.iter().for_each(|&(cell, value)| after[cell] = value);
                for (other, player) in movers.into_iter().enumerate() {
                    let now = match self.region_moves(index, &after, &labels, player, &mut Held::default()) {
                        Ok(now) => now,
                        Err(fault) if fault.stopped().is_some() => return Err(fault),
                        Err(_) => continue,
                    };
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
        held: &mut Held,
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
            held.grow((size_of::<RegionMove>() + 16 * change.len() + 48) as u64)?;
            moves.push(RegionMove { region, change });
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
