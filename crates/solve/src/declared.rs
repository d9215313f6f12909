//! What a file declares, checked where compiled code does the solving.
//!
//! The interpreter checks declarations at every position that it visits. Compiled code visits millions a second and cannot
//! wait for that, so here the first positions from the start on are walked by the interpreter, with the check. The answer
//! does not rest on it: compiled methods use a declared measure or symmetry only where it was proved from the rules.

use rules::bind::{Bound, Position};

use crate::audit::Audit;
use crate::error::SolveError;
use crate::fact::Fact;
use crate::positions::parts::Parts;
use crate::positions::state::StateGraph;
use crate::positions::{Keeps, Numbered};
use engine::Error;
use engine::graph::{Expansion, Graph};
use engine::monitor::Monitor;

/// How many positions are walked at the most: a fraction of a second, and the same number on every machine.
const MOST: usize = 3000;

/// Checks what the file declares at the first positions, breadth-first. `None` if it declares nothing.
pub(crate) fn check(
    bound: &Bound,
    start: &Position,
    keeps: Keeps,
    monitor: &mut Monitor,
) -> Result<Option<Fact>, SolveError> {
    if Audit::new(bound).is_none() {
        return Ok(None);
    }
    monitor.enter("checking declarations");
    if bound.program.sum.is_some() {
        let mut parts = Parts::new(bound, keeps, monitor.memory())?;
        for part in &start.parts {
            parts.number(part)?;
        }
        walk(&mut parts, monitor).map_err(|error| parts.placed(error))?;
        return Ok(parts.audit().map(Audit::report));
    }
    let mut graph = StateGraph::new(bound, keeps, true, monitor.memory());
    graph.number(start)?;
    walk(&mut graph, monitor).map_err(|error| graph.placed(bound, error))?;
    Ok(graph.audit().map(Audit::report))
}

fn walk(graph: &mut dyn Graph, monitor: &mut Monitor) -> Result<(), Error> {
    let mut expansion = Expansion::default();
    let mut next = 0;
    while next < graph.len() && next < MOST {
        monitor.tick(graph.len() as u64, 0)?;
        graph.expand(next as u32, &mut expansion)?;
        next += 1;
    }
    Ok(())
}
