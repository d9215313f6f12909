//! The positions and moves of a graph, which numbers positions as they are met.
//!
//! How many positions there will be is not known beforehand, so cells lie in an array that grows and buckets are added as
//! positions come. A graph is expanded by one thread.

use std::ops::Range;
use std::sync::atomic::AtomicU32;

use game::{Outcome, Player};

use crate::bits::Bits;
use crate::error::Error;
use crate::graph::{Ending, Expansion, Graph, Id};
use crate::memory::Memory;
use crate::monitor::Monitor;
use crate::outcome_cell::Ordered;
use crate::retrograde::analysis::{Forever, Positions, analyse};
use crate::retrograde::buckets::{Buckets, Division, SAME, marked};
use crate::retrograde::found::Found;
use crate::segmented::Segmented;
use crate::valuation::{Outcomes, dead_end, wrong_end};

type Cell = Ordered<32>;

/// Values every position that has a number in `graph`, and all that can be reached from these.
/// The module says what the values
/// mean. Positions are expanded once, or several times where the memory does not reach to keep their moves.
pub fn retrograde<G: Graph + ?Sized>(
    graph: &mut G,
    forever: Forever,
    monitor: &mut Monitor,
) -> Result<Outcomes, Error> {
    let solved = solve(graph, forever, monitor);
    solved.map_err(|error| error.after(graph.len() as u64))
}

fn solve<G: Graph + ?Sized>(graph: &mut G, forever: Forever, monitor: &mut Monitor) -> Result<Outcomes, Error> {
    monitor.enter("finding positions");
    let mut explored = Explored::new(forever, monitor.memory());
    explored.explore(graph, monitor)?;
    let Explored { cells, movers, found } = explored;
    let division = Division::growing(graph.len());
    let cells = cells.map(AtomicU32::new);
    let positions = Positions { cells, division, found: vec![found], count: graph.len() as u64 };
    let mover = |position: u32| Player(movers.as_ref().map_or(0, |movers| movers.get(position as usize)));
    let mut moves_to = |cells: &Segmented<AtomicU32>, buckets: Range<usize>, monitor: &mut Monitor| {
        moves_to(graph, cells, division, buckets, monitor)
    };
    let cells = analyse(positions, &mut moves_to, forever, &mover, monitor)?;
    Ok(Outcomes::of_cells(cells.map(AtomicU32::into_inner)))
}

/// What is known of the positions that were expanded.
struct Explored {
    /// Won and lost ends are settled; positions with options have their number as a counter; draws have 0.
    cells: Segmented<u32>,
    /// Who moves, recorded under [`Forever::Win`] only.
    movers: Option<Bits>,
    found: Found,
}

impl Explored {
    fn new(forever: Forever, memory: &Memory) -> Explored {
        Explored {
            cells: Segmented::new(memory),
            movers: matches!(forever, Forever::Win(_)).then(|| Bits::new(memory)),
            found: Found::new(Division::growing(0), memory),
        }
    }

    /// Expands all positions, breadth-first.
    fn explore<G: Graph + ?Sized>(&mut self, graph: &mut G, monitor: &mut Monitor) -> Result<(), Error> {
        let mut expansion = Expansion::default();
        let mut position = 0;
        while (position as usize) < graph.len() {
            monitor.tick(graph.len() as u64, 0)?;
            if let Err(error) = self.expand(graph, position, &mut expansion) {
                // Rather expand everything again later than give up.
                if !error.is_limit() || !self.found.forget() {
                    return Err(error);
                }
                self.expand(graph, position, &mut expansion)?;
            }
            position += 1;
        }
        Ok(())
    }

    /// Expands one position. After an error that a limit caused it can be expanded again.
    fn expand<G: Graph + ?Sized>(
        &mut self,
        graph: &mut G,
        position: Id,
        expansion: &mut Expansion,
    ) -> Result<(), Error> {
        expansion.clear();
        graph.expand(position, expansion)?;
        if graph.len() > SAME as usize || expansion.edges.len() as u64 >= Cell::NEVER {
            return Err(Error::too_many(graph.len() as u64));
        }
        if let Some(movers) = &mut self.movers {
            if expansion.mover.index() > 1 {
                return Err(Error::NotApplicable("play without end can be won in games for two only".into()));
            }
            movers.grow_to(position as usize + 1)?;
            movers.set(position as usize, expansion.mover.0);
        }
        let cell = match expansion.end {
            Some(Ending::Outcome(Outcome::Draw)) => 0,
            Some(Ending::Outcome(outcome)) => Cell::pack(outcome, Some(0)),
            Some(_) => return Err(wrong_end(position, "won, lost or drawn")),
            None if expansion.edges.is_empty() => return Err(dead_end(position)),
            None => expansion.edges.len() as u64,
        };
        self.cells.put(position as usize, cell as u32, 0)?;
        match expansion.end {
            Some(Ending::Outcome(Outcome::Draw)) => self.found.draws.push(position),
            Some(_) => self.found.ends.push(position),
            None => {
                self.found.extend_to(Division::growing(graph.len()));
                self.found.add_moves(position, expansion.edges.iter().map(|edge| (edge.to, edge.same)));
                Ok(())
            }
        }
    }
}

/// Expands all positions again for the moves that lead to some buckets.
fn moves_to<G: Graph + ?Sized>(
    graph: &mut G,
    cells: &Segmented<AtomicU32>,
    division: Division,
    buckets: Range<usize>,
    monitor: &mut Monitor,
) -> Result<Vec<Buckets>, Error> {
    let mut moves = Buckets::new(division, monitor.memory());
    let mut expansion = Expansion::default();
    for position in 0..cells.len() as Id {
        let cell = u64::from(cells.at(position as usize).load(std::sync::atomic::Ordering::Relaxed));
        if cell == 0 || Cell::is_settled(cell) {
            continue;
        }
        monitor.tick(cells.len() as u64, 0)?;
        expansion.clear();
        graph.expand(position, &mut expansion)?;
        // The counter may have gone down since, never up.
        if (expansion.edges.len() as u64) < cell || graph.len() != cells.len() {
            return Err(Error::Internal(format!("position {position} had other options before")));
        }
        for edge in &expansion.edges {
            if buckets.contains(&division.bucket(edge.to)) {
                moves.push(edge.to, position | marked(edge.same))?;
            }
        }
    }
    Ok(vec![moves])
}
