//! Retrograde analysis: won, lost and drawn positions of games for two whose positions can repeat.
//!
//! All positions are expanded once, breadth-first, and their edges reversed. Then the ends are carried backwards, level by
//! level: a position is won as soon as one option is won for its mover, which happens at the least remoteness, and lost when
//! the last option turns out lost, at the largest. What is left at the fixed point is drawn, or belongs to the player
//! who wins play without end; nothing is called drawn before that. Iterating over all positions until nothing changes
//! would need no reversed edges and as many passes as the longest win.

use game::{Outcome, Player, Remoteness};

use crate::bits::Bits;
use crate::error::Error;
use crate::graph::{Ending, Expansion, Graph, Id};
use crate::monitor::Monitor;
use crate::segmented::Segmented;
use crate::valuation::outcome::{Outcomes, outcome_for};
use crate::valuation::{dead_end, wrong_end};

/// What play that never ends means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Forever {
    /// A draw.
    #[default]
    Draw,
    /// This player wins it. Positions must then record whose turn it is.
    Win(Player),
}

/// Values every position that has a number in `graph`, and all that can be reached from these.
///
/// The remoteness is that of the quickest win and of the slowest loss. In a drawn position it is the length of the
/// shortest way through drawn positions to a declared draw, whoever moves, and `None` if there is no such way. Under
/// [`Forever::Win`], let P be that player and Q the other. Won by Q is what Q can force to an end that Q wins; drawn is
/// what Q can force to such an end or a declared draw, and no better; all else is P's, with a remoteness where P can force
/// an end and `None` where Q can go on for ever.
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
    let met = Met::all(graph, forever, monitor)?;
    monitor.enter("reversing moves");
    let Met { outcomes, draws, forward, movers } = met;
    let backward = Backward::of(forward, &outcomes, monitor)?;
    let mut analysis = Analysis { outcomes, backward, settled: 0, movers };
    monitor.enter("retrograde analysis");
    analysis.wins_and_losses(monitor)?;
    match forever {
        Forever::Draw => analysis.draw_the_rest(&draws, monitor)?,
        Forever::Win(player) => analysis.award_the_rest(player, &draws, monitor)?,
    }
    Ok(analysis.outcomes)
}

/// The edges of all positions in the order of these.
struct Forward {
    /// Where each leads.
    to: Segmented<Id>,
    /// Whether the same player moves on; empty as long as that never happens.
    same: Bits,
}

/// All positions and what is known of each before the analysis.
struct Met {
    /// Ends are settled, the rest have their number of options as a counter.
    outcomes: Outcomes,
    /// The declared draws, which are left unsettled with a counter of 0.
    draws: Segmented<Id>,
    forward: Forward,
    /// Who moves, recorded under [`Forever::Win`] only.
    movers: Option<Bits>,
}

impl Met {
    fn all<G: Graph + ?Sized>(graph: &mut G, forever: Forever, monitor: &mut Monitor) -> Result<Met, Error> {
        let memory = monitor.memory().clone();
        let mut met = Met {
            outcomes: Outcomes::new(&memory),
            draws: Segmented::new(&memory),
            forward: Forward { to: Segmented::new(&memory), same: Bits::new(&memory) },
            movers: matches!(forever, Forever::Win(_)).then(|| Bits::new(&memory)),
        };
        let mut expansion = Expansion::default();
        let mut position = 0;
        while (position as usize) < graph.len() {
            monitor.tick(graph.len() as u64, 0)?;
            expansion.clear();
            graph.expand(position, &mut expansion)?;
            met.add(position, &expansion)?;
            position += 1;
        }
        Ok(met)
    }

    fn add(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error> {
        if let Some(movers) = &mut self.movers {
            if expansion.mover.index() > 1 {
                return Err(Error::NotApplicable("play without end can be won in games for two only".into()));
            }
            movers.push(expansion.mover.0)?;
        }
        match expansion.end {
            Some(Ending::Outcome(Outcome::Draw)) => {
                self.draws.push(position)?;
                return self.outcomes.set_counter(position, 0);
            }
            Some(Ending::Outcome(outcome)) => return self.outcomes.set(position, outcome, Some(0)),
            Some(_) => return Err(wrong_end(position, "won, lost or drawn")),
            None if expansion.edges.is_empty() => return Err(dead_end(position)),
            None => {}
        }
        for edge in &expansion.edges {
            if edge.same {
                self.forward.same.grow_to(self.forward.to.len() + 1)?;
                self.forward.same.set(self.forward.to.len(), 1);
            }
            self.forward.to.push(edge.to)?;
        }
        let count = u32::try_from(expansion.edges.len()).unwrap_or(u32::MAX);
        self.outcomes.set_counter(position, count)
    }
}

/// The edges of all positions, sorted by where they lead.
struct Backward {
    /// Where the edges that lead to a position end; they begin where those of the position before end.
    ends: Segmented<u64>,
    from: Segmented<Id>,
    /// Whether the same player moves on; empty if that never happens.
    same: Bits,
}

impl Backward {
    /// Reverses the edges by counting: how many lead to each position, where its run begins, then one by one.
    fn of(forward: Forward, degrees: &Outcomes, monitor: &mut Monitor) -> Result<Backward, Error> {
        let memory = monitor.memory().clone();
        let positions = degrees.len();
        let mut ends = Segmented::new(&memory);
        ends.grow_to(positions, 0)?;
        for to in forward.to.iter() {
            monitor.tick(positions as u64, 0)?;
            *ends.at_mut(to as usize) += 1;
        }
        let mut sum = 0;
        for position in 0..positions {
            let count = ends.get(position);
            ends.set(position, sum);
            sum += count;
        }
        let mut backward = Backward { ends, from: Segmented::new(&memory), same: Bits::new(&memory) };
        backward.from.grow_to(forward.to.len(), 0)?;
        if !forward.same.is_empty() {
            backward.same.grow_to(forward.to.len())?;
        }
        let mut edge = 0;
        for position in 0..positions as Id {
            monitor.tick(positions as u64, 0)?;
            for _ in 0..degrees.counter(position).unwrap_or(0) {
                backward.add(position, forward.to.get(edge), forward.same.get(edge));
                edge += 1;
            }
        }
        Ok(backward)
    }

    /// Fills in one edge; what will be the end of a run still says where its next edge goes.
    fn add(&mut self, from: Id, to: Id, same: u8) {
        let place = self.ends.get(to as usize) as usize;
        self.ends.set(to as usize, place as u64 + 1);
        self.from.set(place, from);
        if same != 0 {
            self.same.set(place, same);
        }
    }

    /// The edges that lead to a position: where from, and whether the same player moves on.
    fn leading_to(&self, position: Id) -> impl Iterator<Item = (Id, bool)> + '_ {
        let end = self.ends.get(position as usize) as usize;
        let start = if position == 0 { 0 } else { self.ends.get(position as usize - 1) as usize };
        (start..end).map(|edge| (self.from.get(edge), self.same.get(edge) != 0))
    }
}

/// The analysis as far as it has come.
struct Analysis {
    outcomes: Outcomes,
    backward: Backward,
    movers: Option<Bits>,
    settled: u64,
}

impl Analysis {
    /// Carries won and lost ends backwards until nothing follows from them.
    ///
    /// The counter of a position goes down with every option that is known to be lost for its mover.
    fn wins_and_losses(&mut self, monitor: &mut Monitor) -> Result<(), Error> {
        let mut level = Segmented::new(monitor.memory());
        let mut next = Segmented::new(monitor.memory());
        for position in 0..self.outcomes.len() as Id {
            if self.outcomes.counter(position).is_none() {
                level.push(position)?;
            }
        }
        self.settled = level.len() as u64;
        let mut moves = 0;
        while !level.is_empty() {
            moves += 1;
            for position in level.iter() {
                self.tick(monitor)?;
                self.carry_back(position, moves, &mut next)?;
            }
            level.truncate(0);
            std::mem::swap(&mut level, &mut next);
        }
        Ok(())
    }

    /// What follows for the positions before one that was won or lost with one move less than `moves`.
    fn carry_back(&mut self, position: Id, moves: u32, next: &mut Segmented<Id>) -> Result<(), Error> {
        let Some((outcome, _)) = self.outcomes.get(position) else { return Ok(()) };
        for (from, same) in self.backward.leading_to(position) {
            let Some(left) = self.outcomes.counter(from) else { continue };
            let value = if same { outcome } else { -outcome };
            if value == Outcome::Loss && left > 1 {
                self.outcomes.set_counter(from, left - 1)?;
            } else {
                self.outcomes.set(from, value, Some(moves))?;
                self.settled += 1;
                next.push(from)?;
            }
        }
        Ok(())
    }

    /// Play without end is a draw: so is all that is left.
    fn draw_the_rest(&mut self, draws: &Segmented<Id>, monitor: &mut Monitor) -> Result<(), Error> {
        for position in 0..self.outcomes.len() as Id {
            if self.outcomes.counter(position).is_some() {
                self.settle(position, Outcome::Draw, None)?;
            }
        }
        self.measure_draws(draws, monitor)
    }

    /// Play without end is won by `player`: what is left is drawn where the other can force a declared draw, or lose
    /// nothing by it, and `player`'s elsewhere.
    ///
    /// The counters go on from the first pass: options lost for `player` are counted out already, now those drawn.
    fn award_the_rest(&mut self, player: Player, draws: &Segmented<Id>, monitor: &mut Monitor) -> Result<(), Error> {
        let mut open = Segmented::new(monitor.memory());
        for draw in draws.iter() {
            self.settle(draw, Outcome::Draw, None)?;
            open.push(draw)?;
        }
        while let Some(position) = open.pop() {
            self.tick(monitor)?;
            for (from, _) in self.backward.leading_to(position) {
                let Some(left) = self.outcomes.counter(from) else { continue };
                if mover(&self.movers, from) == player && left > 1 {
                    self.outcomes.set_counter(from, left - 1)?;
                } else {
                    self.outcomes.set(from, Outcome::Draw, None)?;
                    self.settled += 1;
                    open.push(from)?;
                }
            }
        }
        for position in 0..self.outcomes.len() as Id {
            if self.outcomes.counter(position).is_some() {
                let outcome = outcome_for(mover(&self.movers, position), player, Outcome::Win);
                self.settle(position, outcome, None)?;
            }
        }
        self.measure_draws(draws, monitor)
    }

    /// Drawn positions learn how far the nearest declared draw is, on a way through drawn positions.
    fn measure_draws(&mut self, draws: &Segmented<Id>, monitor: &mut Monitor) -> Result<(), Error> {
        let mut level = Segmented::new(monitor.memory());
        let mut next = Segmented::new(monitor.memory());
        for draw in draws.iter() {
            self.outcomes.set(draw, Outcome::Draw, Some(0))?;
            level.push(draw)?;
        }
        let mut moves = 0;
        while !level.is_empty() {
            moves += 1;
            for position in level.iter() {
                self.tick(monitor)?;
                for (from, _) in self.backward.leading_to(position) {
                    if self.outcomes.get(from) == Some((Outcome::Draw, None)) {
                        self.outcomes.set(from, Outcome::Draw, Some(moves))?;
                        next.push(from)?;
                    }
                }
            }
            level.truncate(0);
            std::mem::swap(&mut level, &mut next);
        }
        Ok(())
    }

    fn settle(&mut self, position: Id, outcome: Outcome, remoteness: Remoteness) -> Result<(), Error> {
        self.settled += 1;
        self.outcomes.set(position, outcome, remoteness)
    }

    fn tick(&self, monitor: &mut Monitor) -> Result<(), Error> {
        monitor.tick(self.outcomes.len() as u64, self.settled)
    }
}

/// Who moves in a position, where that was recorded.
fn mover(movers: &Option<Bits>, position: Id) -> Player {
    Player(movers.as_ref().map_or(0, |movers| movers.get(position as usize)))
}
