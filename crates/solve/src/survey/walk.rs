//! All positions that can be reached from the start, one by one.

use engine::graph::{Expansion, Id};
use engine::memory::Lease;
use engine::monitor::Monitor;
use game::{Outcome, Verdict};

use super::tally::{Histogram, Tally};
use super::{Counted, Longest, Survey, missing, values};
use crate::answer::solution::Winner;
use crate::case::Kind;
use crate::error::SolveError;
use crate::options::Options;
use crate::solved::Solved;
use crate::whole;
use positions::oracle::{Keeps, Numbered};

/// Walks the positions of a solved game.
pub(super) fn survey(solved: &Solved<'_>, options: &Options, monitor: &mut Monitor) -> Result<Survey, SolveError> {
    let keeps = match solved.verdict(&solved.start) {
        Some(verdict) => whole::keeps(&verdict),
        None => return Err(missing(solved, &solved.start)),
    };
    let mut graph = whole::graph(solved, options, keeps, monitor)?;
    let memory = monitor.memory().clone();
    let mut known = Values { keeps, outcomes: Vec::new(), numbers: Vec::new(), len: 0, lease: memory.lease() };
    let mut counts = Counts {
        survey: Survey::new(solved, Counted::Positions),
        lengths: keeps == Keeps::Outcome && solved.answers.knows_lengths(),
        moves: Tally::new(&memory, 0),
        best_moves: Tally::new(&memory, 0),
        scores: Tally::new(&memory, 0),
        nimbers: Tally::new(&memory, 0),
        loopy: Tally::new(&memory, 32),
        payoffs: Tally::new(&memory, 8 * solved.bound.players),
        winners: Tally::new(&memory, 0),
        longest: None,
    };
    graph.number(&solved.start).map_err(|error| graph.placed(solved.bound, error))?;
    let mut expansion = Expansion::default();
    monitor.enter("counting positions");
    let mut id: Id = 0;
    while (id as usize) < graph.len() {
        let met = graph.len() as u64;
        monitor.tick(met, u64::from(id))?;
        graph.expand(id, &mut expansion).map_err(|error| graph.placed(solved.bound, error.after(met)))?;
        for new in known.len..graph.len() {
            let position = graph.position(new as Id);
            let verdict = solved.verdict(&position).ok_or_else(|| missing(solved, &position))?;
            known.push(&verdict).map_err(|error| error.after(met))?;
            counts.verdict(new as Id, &verdict, solved).map_err(|error| error.after(met))?;
        }
        let best = known.best(&expansion)?;
        counts.moves(expansion.edges.len(), best).map_err(|error| error.after(met))?;
        id += 1;
    }
    let mut survey = counts.finish(solved, &*graph);
    survey.values = values::count(solved, &*graph, monitor)?;
    Ok(survey)
}

/// What the positions are worth to their movers, by number; as little as is needed to compare moves.
struct Values {
    keeps: Keeps,
    outcomes: Vec<Outcome>,
    /// Scores; or totals, one a player.
    numbers: Vec<i64>,
    len: usize,
    lease: Lease,
}

impl Values {
    fn push(&mut self, verdict: &Verdict) -> Result<(), engine::Error> {
        // Vectors hold up to twice what is in them.
        match verdict {
            Verdict::Score(value) => {
                self.lease.grow(16)?;
                self.numbers.push(*value);
            }
            Verdict::Payoffs { totals, .. } => {
                self.lease.grow(16 * totals.len() as u64)?;
                self.numbers.extend_from_slice(totals);
            }
            other => {
                self.lease.grow(2)?;
                self.outcomes.push(other.outcome().unwrap_or(Outcome::Draw));
            }
        }
        self.len += 1;
        Ok(())
    }

    /// How many of the moves of a position are best.
    fn best(&self, expansion: &Expansion) -> Result<usize, SolveError> {
        match self.keeps {
            Keeps::Outcome => Ok(greatest(expansion.edges.iter().map(|edge| {
                let outcome = self.outcomes[edge.to as usize];
                if edge.same { outcome } else { -outcome }
            }))),
            Keeps::Score | Keeps::ScoreAndGains => {
                let worth = |edge: &engine::graph::Edge| {
                    let value = self.numbers[edge.to as usize];
                    let value = if edge.same { Some(value) } else { value.checked_neg() };
                    value.and_then(|value| value.checked_add(edge.gain)).ok_or(SolveError::Overflow)
                };
                Ok(greatest(expansion.edges.iter().map(worth).collect::<Result<Vec<i64>, _>>()?.into_iter()))
            }
            Keeps::Payoffs => {
                let players = self.numbers.len() / self.len.max(1);
                let mover = expansion.mover.index();
                let worth = |(number, edge): (usize, &engine::graph::Edge)| {
                    let gain = expansion.gains[number * players + mover];
                    gain.checked_add(self.numbers[edge.to as usize * players + mover]).ok_or(SolveError::Overflow)
                };
                let worths = expansion.edges.iter().enumerate().map(worth).collect::<Result<Vec<i64>, _>>()?;
                Ok(greatest(worths.into_iter()))
            }
        }
    }
}

/// How many are as great as any.
fn greatest<T: Ord>(items: impl Iterator<Item = T>) -> usize {
    let mut best: Option<(T, usize)> = None;
    for item in items {
        best = Some(match best {
            Some((held, count)) if held == item => (held, count + 1),
            Some(held) if held.0 > item => held,
            _ => (item, 1),
        });
    }
    best.map_or(0, |(_, count)| count)
}

/// What was counted so far.
struct Counts {
    survey: Survey,
    /// Whether it is known how long play lasts.
    lengths: bool,
    moves: Tally<i64>,
    best_moves: Tally<i64>,
    scores: Tally<i64>,
    nimbers: Tally<i64>,
    loopy: Tally<String>,
    payoffs: Tally<Box<[i64]>>,
    winners: Tally<Option<u8>>,
    /// The first position with the longest win.
    longest: Option<(u32, Id)>,
}

impl Counts {
    /// Counts what a position is worth.
    fn verdict(&mut self, id: Id, verdict: &Verdict, solved: &Solved<'_>) -> Result<(), engine::Error> {
        self.survey.positions += 1;
        match verdict {
            Verdict::Score(value) => {
                self.scores.add(*value)?;
                self.survey.outcomes.get_or_insert_default().add(Outcome::of_sign(*value));
            }
            Verdict::Payoffs { totals, .. } => {
                let winner = match (solved.plan.facts().kind, totals.iter().filter(|&&total| total > 0).count()) {
                    (Kind::Winners, 0 | 2..) => None,
                    _ => Winner::by_totals(totals),
                };
                self.winners.add(match winner {
                    Some(Winner::Player(player)) => Some(player.0),
                    _ => None,
                })?;
                self.payoffs.add(totals.clone())?;
            }
            other => {
                self.survey.come_out(other, self.lengths);
                if let Some(nimber) = other.nimber() {
                    self.nimbers.add(i64::try_from(nimber).unwrap_or(i64::MAX))?;
                } else if let Some(value) = other.loopy() {
                    self.loopy.add(value.to_string())?;
                }
                if let Verdict::Outcome { outcome: Outcome::Win, remoteness: Some(moves), .. } = other
                    && self.lengths
                    && self.longest.is_none_or(|(longest, _)| *moves > longest)
                {
                    self.longest = Some((*moves, id));
                }
            }
        }
        Ok(())
    }

    /// Counts the moves of a position.
    fn moves(&mut self, moves: usize, best: usize) -> Result<(), engine::Error> {
        self.survey.over += u64::from(moves == 0);
        self.moves.add(moves as i64)?;
        self.best_moves.add(best as i64)
    }

    fn finish(self, solved: &Solved<'_>, graph: &dyn Numbered) -> Survey {
        let histogram = |tally: Tally<i64>| Some(Histogram(tally.counts)).filter(|histogram| !histogram.0.is_empty());
        let several = solved.plan.facts().kind == Kind::Winners;
        let longest = self.longest.map(|(moves, id)| Longest { moves, position: graph.position(id) });
        Survey {
            moves: Histogram(self.moves.counts),
            best_moves: Histogram(self.best_moves.counts),
            scores: histogram(self.scores),
            nimbers: histogram(self.nimbers),
            loopy: self.loopy.counts,
            payoffs: Some(self.payoffs.counts).filter(|counts| !counts.is_empty() && !several),
            winners: Some(self.winners.counts).filter(|counts| !counts.is_empty()),
            longest_win: longest,
            ..self.survey
        }
    }
}
