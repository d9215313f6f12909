//! The parts of a sum, each as if it stood alone: how many there are of each nimber, and what can be done in them.

use engine::graph::{Expansion, Graph, Id};
use engine::memory::Lease;
use engine::monitor::Monitor;
use game::{LoopyNimber, Outcome, Verdict};
use rules::bind::Position;

use super::tally::{Histogram, Tally};
use super::{Counted, Survey, missing};
use crate::error::SolveError;
use crate::solved::Solved;
use positions::oracle::Keeps;
use positions::parts::{NOTHING, Parts};

/// What the value of one part takes, about.
const VALUE: u64 = 2 * size_of::<LoopyNimber>() as u64;

/// Walks the parts of a sum from those of the start on.
pub(super) fn survey(solved: &Solved<'_>, monitor: &mut Monitor) -> Result<Survey, SolveError> {
    let memory = monitor.memory().clone();
    let mut parts = Parts::new(solved.bound, Keeps::Outcome, &memory)?;
    for part in &solved.start.parts {
        parts.number(part).map_err(|error| parts.placed(error))?;
    }
    let mut walk = Walk { solved, values: vec![LoopyNimber::Finite(0)], lease: memory.lease() };
    let mut survey = Survey::new(solved, Counted::Parts);
    let (mut moves, mut best_moves) = (Tally::new(&memory, 0), Tally::new(&memory, 0));
    let (mut nimbers, mut loopy) = (Tally::new(&memory, 0), Tally::new(&memory, 32));
    let mut expansion = Expansion::default();
    monitor.enter("counting parts");
    let mut part = NOTHING + 1;
    while (part as usize) < parts.len() {
        let met = parts.len() as u64;
        monitor.tick(met, u64::from(part))?;
        parts.expand(part, &mut expansion).map_err(|error| parts.placed(error.after(met)))?;
        walk.look_up(&parts)?;
        let value = walk.values[part as usize].clone();
        let (count, best) = walk.count(&expansion);
        survey.positions += 1;
        survey.over += u64::from(count == 0);
        moves.add(count)?;
        best_moves.add(best)?;
        match &value {
            LoopyNimber::Finite(nimber) => nimbers.add(i64::try_from(*nimber).unwrap_or(i64::MAX))?,
            infinite => loopy.add(infinite.to_string())?,
        }
        survey.come_out(&Verdict::from(value), false);
        part += 1;
    }
    survey.outcomes.get_or_insert_default();
    survey.moves = Histogram(moves.counts);
    survey.best_moves = Histogram(best_moves.counts);
    survey.nimbers = Some(Histogram(nimbers.counts));
    survey.loopy = loopy.counts;
    Ok(survey)
}

struct Walk<'s, 'b> {
    solved: &'s Solved<'b>,
    /// The values of the parts, by number.
    values: Vec<LoopyNimber>,
    lease: Lease,
}

impl Walk<'_, '_> {
    /// Looks up the parts that are new.
    fn look_up(&mut self, parts: &Parts<'_>) -> Result<(), SolveError> {
        for part in self.values.len()..parts.len() {
            let position = Position { parts: vec![parts.cells(part as Id).into()], turn: self.solved.start.turn };
            let verdict = self.solved.verdict(&position);
            let value = verdict.and_then(|verdict| verdict.loopy()).ok_or_else(|| missing(self.solved, &position))?;
            self.lease.grow(VALUE).map_err(|error| error.after(part as u64))?;
            self.values.push(value);
        }
        Ok(())
    }

    /// How many moves a part has, and how many of them are best.
    fn count(&self, expansion: &Expansion) -> (i64, i64) {
        let mut outcomes: Vec<Outcome> = Vec::new();
        let mut edges = expansion.edges.iter().peekable();
        while let Some(edge) = edges.next() {
            let mut value = self.values[edge.to as usize].clone();
            while let Some(more) = edges.next_if(|next| next.joined) {
                value = &value + &self.values[more.to as usize];
            }
            outcomes.push(-value.outcome());
        }
        let best = outcomes.iter().max();
        let kept = outcomes.iter().filter(|outcome| Some(*outcome) == best).count();
        (outcomes.len() as i64, kept as i64)
    }
}
