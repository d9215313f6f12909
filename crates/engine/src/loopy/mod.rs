//! Loopy nimbers: the values of impartial positions that can repeat, after C. A. B. Smith.
//!
//! The rule: an unlabelled position gets the label m, the mex of its labelled options, if every other option (unlabelled, or
//! labelled above m) has an option labelled m, so that moving there can be answered by moving back to m. When nothing
//! more can be labelled, the rest are infinite, with the labels of their options as the set; see [`game::loopy`].
//!
//! Trying the rule on all positions again and again would take as many passes as there are labels to hand on. Here:
//!
//! 1. All positions are expanded once (`options`).
//! 2. Positions that can reach each other form a group (`groups`). Groups come in an order in which whatever a group
//!    leads to was valued before, so that the parts a move splits into, which are always in earlier groups, simply add up.
//! 3. Most groups are single positions and need one mex. In the others labels are given in ascending order, each by an
//!    analysis from the back with counters (`label`): the positions that get the label are those lost in the race to it.
//!
//! The time is linear in the moves for each label that a group has, and labels are few: a position with label m has m
//! options with smaller ones. Beside its label a position gets the number of its turn in the labelling
//! ([`LoopyValues::rank`]), by which a winner makes headway and does not go round in circles.

mod groups;
mod label;
mod options;
mod rest;
mod sum_play;
mod values;

pub use rest::Rests;
pub use sum_play::{ComponentMove, choose};
pub use values::LoopyValues;

use game::Outcome;

use crate::error::Error;
use crate::graph::{Ending, Expansion, Graph};
use crate::monitor::Monitor;
use crate::valuation::wrong_end;
use label::Labels;
use options::Options;

/// Values every position that has a number in `graph`, and all that can be reached from these.
///
/// The game must be impartial and won by the last mover: ends are lost, or positions without options. An option may be
/// a sum, written as a run of joined edges. A position that can come back with another beside it is [`Error::Grows`].
pub fn loopy_values<G: Graph + ?Sized>(graph: &mut G, monitor: &mut Monitor) -> Result<LoopyValues, Error> {
    solve(graph, monitor).map_err(|error| error.after(graph.len() as u64))
}

fn solve<G: Graph + ?Sized>(graph: &mut G, monitor: &mut Monitor) -> Result<LoopyValues, Error> {
    monitor.enter("finding positions");
    let options = expand(graph, monitor)?;
    monitor.enter("loopy nimbers");
    let mut labels = Labels::new(&options, monitor)?;
    groups::each(&options, monitor, |group, single, monitor| match single {
        true => labels.label_single(group[0]),
        false => labels.label_group(group, monitor),
    })?;
    Ok(labels.values)
}

/// The options of all positions.
fn expand<G: Graph + ?Sized>(graph: &mut G, monitor: &mut Monitor) -> Result<Options, Error> {
    let mut options = Options::new(monitor.memory());
    let mut expansion = Expansion::default();
    let mut position = 0;
    while (position as usize) < graph.len() {
        monitor.tick(graph.len() as u64, 0)?;
        expansion.clear();
        graph.expand(position, &mut expansion)?;
        if !matches!(expansion.end, None | Some(Ending::Outcome(Outcome::Loss))) {
            return Err(wrong_end(position, "lost"));
        }
        if expansion.edges.iter().any(|edge| edge.same) {
            return Err(Error::Internal(format!("a move of position {position} keeps the turn")));
        }
        options.push(&expansion.edges)?;
        position += 1;
    }
    Ok(options)
}
