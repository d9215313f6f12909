//! The finished table: what is known of every position that was met, whatever method found it.

use game::{LoopyNimber, Nimber, Player};
use rules::bind::Position;

use crate::ahead::AheadTable;
use crate::audit::Audit;
use crate::compiled::CompiledTable;
use crate::graph::{Graph, Id};
use crate::heap::HeapTable;
use crate::loopy::LoopyValues;
use crate::loopy::rest::Rests;
use crate::positions::Numbered;
use crate::positions::parts::{NOTHING, Parts};
use crate::quotient::QuotientTable;
use crate::row::{RowTable, TriangleTable};
use crate::valuation::{Nimbers, Outcomes, Payoffs, Scores};
use crate::verdict::Verdict;

/// The values of all positions, by kind.
pub(crate) enum Table<'b> {
    Outcomes(Box<dyn Numbered + 'b>, Outcomes),
    Scores(Box<dyn Numbered + 'b>, Scores),
    Payoffs(Box<dyn Numbered + 'b>, Payoffs),
    Nimbers(Box<Parts<'b>>, Nimbers),
    /// The parts of a sum that can repeat.
    LoopyParts(Box<Parts<'b>>, LoopyValues),
    /// The same for a game that is no sum: it counts as a sum of one part.
    Loopy(Box<dyn Numbered + 'b>, LoopyValues),
    Compiled(Box<CompiledTable>),
    Heaps(Box<HeapTable>, HeapShape),
    Quotient(Box<QuotientTable<'b>>),
    Rows(Box<RowTable>),
    Triangle(Box<TriangleTable>),
    Ahead(Box<AheadTable>),
}

/// How heaps make up a position.
pub(crate) struct HeapShape {
    /// Whether it is a sum of them.
    pub sum: bool,
    /// The cells of some part: all but the heap are the same in every part.
    pub cells: Box<[i64]>,
    /// The least heap.
    pub low: u64,
}

/// So many heaps are told apart, even where a period tells their values.
const FEW_HEAPS: u64 = 1000;

impl HeapShape {
    /// The heaps that were valued one by one, and a few more.
    fn heaps(&self, table: &HeapTable) -> std::ops::Range<u64> {
        let end = table.positions().max(self.low.saturating_add(FEW_HEAPS));
        self.low..end.min(table.top().saturating_add(1))
    }

    fn position(&self, table: &HeapTable, heap: u64, turn: Player) -> Option<Position> {
        let mut cells = self.cells.clone();
        table.recognised.put(heap, &mut cells)?;
        Some(Position { parts: vec![cells], turn })
    }
}

impl Table<'_> {
    /// How many positions were met (parts, where the parts were solved).
    pub fn positions(&self) -> u64 {
        match self {
            Table::Outcomes(graph, _) | Table::Scores(graph, _) | Table::Payoffs(graph, _) | Table::Loopy(graph, _) => {
                graph.len() as u64
            }
            Table::Nimbers(parts, _) | Table::LoopyParts(parts, _) => parts.len() as u64 - 1,
            Table::Compiled(table) => table.positions(),
            Table::Heaps(table, _) => table.positions(),
            Table::Quotient(table) => table.len() as u64 - 1,
            Table::Rows(table) => table.game.items(),
            Table::Triangle(table) => table.size(),
            Table::Ahead(table) => table.positions(),
        }
    }

    /// How many positions it answers for, as far as they are told apart.
    pub fn size(&self) -> u64 {
        match self {
            Table::Rows(table) => table.size(),
            Table::Heaps(table, shape) => {
                let heaps = shape.heaps(table);
                heaps.end.saturating_sub(heaps.start)
            }
            _ => self.positions(),
        }
    }

    /// The check of what the file declares, if it declares anything.
    pub fn audit(&self) -> Option<&Audit<'_>> {
        match self {
            Table::Outcomes(graph, _) | Table::Scores(graph, _) | Table::Payoffs(graph, _) | Table::Loopy(graph, _) => {
                graph.audit()
            }
            Table::Nimbers(parts, _) | Table::LoopyParts(parts, _) => parts.audit(),
            Table::Quotient(table) => table.audit(),
            Table::Compiled(_) | Table::Heaps(..) | Table::Rows(_) | Table::Triangle(_) | Table::Ahead(_) => None,
        }
    }

    /// What is known of a position; `None` if it was not met.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        match self {
            Table::Outcomes(graph, values) => {
                let id = graph.find(position)?;
                let (outcome, remoteness) = values.get(id)?;
                Some(Verdict::Outcome { outcome, remoteness, nimber: values.nimber(id) })
            }
            Table::Scores(graph, values) => values.get(graph.find(position)?).map(Verdict::Score),
            Table::Payoffs(graph, values) => {
                let id = graph.find(position)?;
                Some(Verdict::Payoffs { totals: values.get(id)?, unique: values.unique(id) })
            }
            Table::Nimbers(..) => {
                let mut nimbers = position.parts.iter().map(|part| self.part_nimber(part));
                nimbers.try_fold(0, |sum, nimber| nimber.map(|nimber| sum ^ nimber)).map(Verdict::Nimber)
            }
            Table::LoopyParts(..) | Table::Loopy(..) => {
                let values = position.parts.iter().map(|part| self.part_value(part).map(|(value, _)| value));
                let values = values.collect::<Option<Vec<LoopyNimber>>>()?;
                Some(Verdict::Loopy(Rests::new(values).whole()))
            }
            Table::Compiled(table) => table.verdict(position),
            Table::Quotient(table) => table.verdict(position),
            Table::Rows(table) => table.verdict(position),
            Table::Triangle(table) => table.verdict(position),
            Table::Ahead(table) => table.verdict(position),
            Table::Heaps(table, HeapShape { sum: true, .. }) if table.classes().is_some() => {
                let heaps: Option<Vec<u64>> = position.parts.iter().map(|part| table.heap(part)).collect();
                let outcome = table.misere_outcome(&heaps?)?;
                Some(Verdict::Outcome { outcome, remoteness: None, nimber: None })
            }
            Table::Heaps(_, HeapShape { sum: true, .. }) => {
                let mut nimbers = position.parts.iter().map(|part| self.part_nimber(part));
                nimbers.try_fold(0, |sum, nimber| nimber.map(|nimber| sum ^ nimber)).map(Verdict::Nimber)
            }
            Table::Heaps(table, _) => {
                let heap = table.heap(position.parts.first()?)?;
                let (outcome, nimber) = (table.outcome(heap)?, table.nimber(heap));
                Some(Verdict::Outcome { outcome, remoteness: table.remoteness(heap), nimber })
            }
        }
    }

    /// The loopy nimber of one part and its rank, where the parts were solved so.
    pub fn part_value(&self, part: &[i64]) -> Option<(LoopyNimber, u32)> {
        let (id, values) = match self {
            Table::LoopyParts(parts, values) => (parts.find(part)?, values),
            Table::Loopy(graph, values) => {
                (graph.find(&Position { parts: vec![part.into()], turn: Player::FIRST })?, values)
            }
            _ => return None,
        };
        Some((values.get(id)?, values.rank(id)))
    }

    /// The Grundy number of one part, where the parts were solved one by one.
    pub fn part_nimber(&self, part: &[i64]) -> Option<Nimber> {
        match self {
            Table::Nimbers(parts, values) => values.get(parts.find(part)?),
            Table::Compiled(table) => table.part_nimber(part),
            Table::Heaps(table, _) => table.nimber(table.heap(part)?),
            _ => None,
        }
    }

    /// The number of a position: the same for positions that only differ in the order of their parts, or in parts where
    /// nobody can move.
    pub fn number(&self, position: &Position) -> Option<u64> {
        match self {
            Table::Outcomes(graph, _) | Table::Scores(graph, _) | Table::Payoffs(graph, _) => {
                graph.find(position).map(u64::from)
            }
            Table::Nimbers(..) | Table::LoopyParts(..) | Table::Loopy(..) => None,
            Table::Compiled(table) => table.number(position),
            Table::Quotient(table) => table.number(position),
            Table::Heaps(table, HeapShape { sum: false, .. }) => table.heap(position.parts.first()?),
            Table::Heaps(..) | Table::Rows(_) | Table::Triangle(_) | Table::Ahead(_) => None,
        }
    }

    /// All positions with a value (parts, where the parts were solved), in no particular order.
    pub fn each(&self, turn: Player) -> Box<dyn Iterator<Item = Position> + '_> {
        match self {
            Table::Compiled(table) => Box::new(table.each()),
            Table::Rows(table) => Box::new(table.each(turn)),
            Table::Triangle(table) => Box::new(table.each(turn)),
            Table::Ahead(table) => Box::new(table.each(turn)),
            Table::Heaps(table, shape) => {
                Box::new(shape.heaps(table).filter_map(move |heap| shape.position(table, heap, turn)))
            }
            _ => Box::new((0..self.ids()).filter_map(move |id| self.position_of(id, turn))),
        }
    }

    /// One of them, chosen by a source of random numbers; `None` if none was found.
    pub fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        let ids = u128::from(self.ids());
        match self {
            Table::Compiled(table) => table.random(random),
            Table::Rows(table) => Some(table.random(turn, random)),
            Table::Triangle(table) => Some(table.random(turn, random)),
            Table::Ahead(table) => table.random(turn, random),
            Table::Heaps(table, shape) => {
                let count = u128::from(table.top().checked_sub(shape.low)?) + 1;
                shape.position(table, shape.low + ((u128::from(random()) * count) >> 64) as u64, turn)
            }
            _ => (0..64).find_map(|_| self.position_of(((u128::from(random()) * ids) >> 64) as Id, turn)),
        }
    }

    fn ids(&self) -> Id {
        match self {
            Table::Outcomes(graph, _) | Table::Scores(graph, _) | Table::Payoffs(graph, _) | Table::Loopy(graph, _) => {
                graph.len() as Id
            }
            Table::Nimbers(parts, _) | Table::LoopyParts(parts, _) => parts.len() as Id,
            Table::Quotient(table) => table.len() as Id,
            Table::Compiled(_) | Table::Heaps(..) | Table::Rows(_) | Table::Triangle(_) | Table::Ahead(_) => 0,
        }
    }

    fn position_of(&self, id: Id, turn: Player) -> Option<Position> {
        let position = match self {
            Table::Outcomes(graph, _) | Table::Scores(graph, _) | Table::Payoffs(graph, _) | Table::Loopy(graph, _) => {
                graph.position(id)
            }
            Table::Nimbers(..) | Table::LoopyParts(..) if id == NOTHING => return None,
            Table::Nimbers(parts, _) | Table::LoopyParts(parts, _) => {
                Position { parts: vec![parts.cells(id).into()], turn }
            }
            Table::Quotient(_) if id == NOTHING => return None,
            Table::Quotient(table) => Position { parts: vec![table.cells(id).into()], turn },
            Table::Compiled(_) | Table::Heaps(..) | Table::Rows(_) | Table::Triangle(_) | Table::Ahead(_) => {
                return None;
            }
        };
        self.verdict(&position).is_some().then_some(position)
    }

    /// Whether the parts of a sum were solved one by one; a single loopy position counts as a part.
    pub fn by_parts(&self) -> bool {
        match self {
            Table::Nimbers(..) | Table::LoopyParts(..) | Table::Loopy(..) => true,
            Table::Compiled(table) => table.by_parts(),
            Table::Heaps(table, shape) => shape.sum && table.classes().is_none(),
            _ => false,
        }
    }
}
