//! Values of positions whose variables fall into groups.

use engine::Error;
use engine::interner::Id;
use engine::memory::Memory;
use engine::monitor::Monitor;
use formula::{Formulas, Range};

use super::endless;
use super::fall;
use super::kind::{Room, Trouble};
use super::kinds::{KindId, Kinds, Piece, ROOT};
use super::table::{Placed, Table};
use crate::algebra::Algebra;
use crate::contest::Source;
use crate::descent::{Options, Part, PartGraph, Values};

/// A domain has at most so many values.
const WIDEST: i64 = u32::MAX as i64;
/// Random plays that look whether a group falls apart, and the moves of each at the most.
const PLAYS: usize = 16;
const PLAY_MOVES: usize = 200;
/// A position of such a play is asked for its options up to this number.
const PLAY_OPTIONS: usize = 4096;

/// A game cut at its start: what it falls into, and how large that is.
#[derive(Clone, Debug)]
pub struct Cut {
    kinds: Kinds,
    /// How many groups the start has, and of how many kinds.
    pub groups: usize,
    /// How many kinds they are of.
    pub sorts: usize,
    /// How many positions all kinds have together at the most.
    pub parts: f64,
    /// How many options these have together at the most.
    pub options: f64,
    /// How many positions the whole has at the most.
    pub whole: f64,
    /// How many cells the largest group has.
    pub widest: usize,
}

impl Cut {
    /// Cuts a game that the last mover wins; why it cannot be cut.
    pub fn new(formulas: &Formulas, impartial: bool, start: &[i64]) -> Result<Cut, String> {
        if formulas.counted || formulas.players != 2 {
            return Err("groups are for two players, and the last one wins".to_string());
        }
        if let Some(why) = endless::objection(formulas) {
            return Err(why);
        }
        let wide = |range: &Range| range.high.checked_sub(range.low).is_none_or(|width| width >= WIDEST);
        if formulas.cells.iter().any(wide) {
            return Err("a variable has too many values".to_string());
        }
        let mut kinds = Kinds::new(formulas, impartial)?;
        let root = std::sync::Arc::clone(kinds.get(ROOT));
        let mut room = fall::Room::default();
        let groups = fall::groups(&root, start, &mut room);
        let mut sizes: Vec<(KindId, f64, f64)> = Vec::new();
        let (mut whole, mut widest) = (1.0, 0);
        let count = groups.len();
        for fall::Group { cells, rules, faultless, settled } in groups {
            let ranges: Vec<Range> = cells.iter().map(|cell| room.cells[*cell as usize]).collect();
            let size: f64 = ranges.iter().map(|range| range.high as f64 - range.low as f64 + 1.0).product();
            whole *= size;
            widest = widest.max(cells.len());
            let kind = kinds.kind(Piece { of: ROOT, cells, rules, faultless, settled })?;
            let options = size * kinds.get(kind).most_options(&ranges);
            match sizes.iter_mut().find(|known| known.0 == kind) {
                Some(known) => {
                    known.1 = known.1.max(size);
                    known.2 = known.2.max(options);
                }
                None => sizes.push((kind, size, options)),
            }
        }
        let parts = sizes.iter().map(|size| size.1).sum();
        let options = sizes.iter().map(|size| size.2).sum();
        Ok(Cut { groups: count, sorts: kinds.len(), parts, options, whole, widest, kinds })
    }

    /// Whether random play comes to positions that fall into several groups, none of which is nearly all that is left.
    pub fn falls_apart(&self, start: &[i64], random: &mut dyn FnMut() -> u64) -> bool {
        let root = self.kinds.get(ROOT);
        let mut room = fall::Room::default();
        let (mut seen, mut apart) = (0, 0);
        for _ in 0..PLAYS {
            let mut values = start.to_vec();
            for _ in 0..PLAY_MOVES {
                let mut options: Vec<Vec<i64>> = Vec::new();
                let expanded = root.expand::<Trouble>(&values, &mut Room::default(), PLAY_OPTIONS, &mut |_, after| {
                    options.push(after.to_vec());
                    Ok(())
                });
                if options.is_empty() || expanded == Err(Trouble::Fault) {
                    break;
                }
                values = options.swap_remove((random() % options.len() as u64) as usize);
                let groups = fall::groups(root, &values, &mut room);
                let all: usize = groups.iter().map(|group| group.cells.len()).sum();
                let largest = groups.iter().map(|group| group.cells.len()).max().unwrap_or(0);
                if all > 3 {
                    seen += 1;
                    apart += usize::from(8 * largest <= 7 * all);
                }
            }
        }
        8 * apart >= seen.max(1)
    }
}

/// The positions of a game that was cut, and the parts that they fall into.
pub struct Grouping {
    table: Table,
}

impl Grouping {
    /// Ready for the positions of a game that was cut.
    pub fn new(cut: Cut, memory: &Memory) -> Grouping {
        Grouping { table: Table::new(cut.kinds, memory) }
    }

    /// The parts of a position.
    pub fn parts(&mut self, position: &[i64]) -> Result<Vec<Part>, Error> {
        let mut parts = Vec::new();
        for Placed { cells, kind } in self.table.placed(position)? {
            let held: Vec<i64> = cells.iter().map(|cell| position[*cell as usize]).collect();
            self.table.parts(kind, &held, &mut parts)?;
        }
        Ok(parts)
    }
}

impl PartGraph for Grouping {
    fn expand(&mut self, part: Id, options: &mut Options) -> Result<(), Error> {
        self.table.expand(part, options)
    }

    fn met(&self) -> u64 {
        self.table.met()
    }
}

impl Source for Grouping {
    fn at_most(&mut self, parts: u64) {
        self.table.most = parts;
    }
}

/// A group of a position, with its value.
#[derive(Clone, Debug)]
pub struct Grouped<V> {
    /// Its cells, ascending.
    pub cells: Vec<u32>,
    kind: KindId,
    /// Its value.
    pub value: V,
}

/// Values of positions of one game, as sums of the values of their groups.
pub struct Groups<A: Algebra> {
    table: Table,
    values: Values<A::Value>,
    /// What values are.
    pub algebra: A,
}

impl<A: Algebra> Groups<A> {
    /// Ready for the positions of a game that was cut.
    pub fn new(cut: Cut, algebra: A, memory: &Memory) -> Groups<A> {
        Groups { table: Table::new(cut.kinds, memory), values: Values::new(memory), algebra }
    }

    /// At most so many parts are valued.
    pub fn at_most(&mut self, parts: u64) {
        self.table.most = parts;
    }

    /// How many different parts were met.
    pub fn distinct(&self) -> u64 {
        self.table.met()
    }

    /// The groups of a position with their values.
    pub fn groups(&mut self, position: &[i64], monitor: &mut Monitor) -> Result<Vec<Grouped<A::Value>>, Error> {
        let mut grouped = Vec::new();
        for Placed { cells, kind } in self.table.placed(position)? {
            let held: Vec<i64> = cells.iter().map(|cell| position[*cell as usize]).collect();
            let value = self.value_of(kind, &held, monitor)?;
            grouped.push(Grouped { cells, kind, value });
        }
        Ok(grouped)
    }

    /// The value of a position, found where it is not known.
    pub fn value(&mut self, position: &[i64], monitor: &mut Monitor) -> Result<A::Value, Error> {
        let groups = self.groups(position, monitor)?;
        self.total(groups.iter().map(|group| group.value))
    }

    /// The value of a group when its cells are those of another position.
    pub fn value_in(
        &mut self,
        group: &Grouped<A::Value>,
        position: &[i64],
        monitor: &mut Monitor,
    ) -> Result<A::Value, Error> {
        let held: Vec<i64> = group.cells.iter().map(|cell| position[*cell as usize]).collect();
        self.value_of(group.kind, &held, monitor)
    }

    /// The sum of values.
    pub fn total(&mut self, values: impl Iterator<Item = A::Value>) -> Result<A::Value, Error> {
        let zero = self.algebra.zero();
        let mut values = values;
        values.try_fold(zero, |sum, value| self.algebra.add(sum, value))
    }

    fn value_of(&mut self, kind: KindId, held: &[i64], monitor: &mut Monitor) -> Result<A::Value, Error> {
        let mut parts = Vec::new();
        self.table.parts(kind, held, &mut parts)?;
        let mut sum = self.algebra.zero();
        for part in parts {
            let own = self.values.value(part, &mut self.table, &mut self.algebra, monitor)?;
            sum = self.algebra.add(sum, own)?;
        }
        Ok(sum)
    }
}
