//! One table for many terms.
//!
//! Where a parameter says only where play starts, the positions of a smaller instance are positions of a larger one, with the
//! same moves and the same ends: its value stands in the table of the larger one. Whether that is so is found out:
//!
//! 1. No rule reads the parameter: not what may be played, not how play ends, not who plays. Or rules do read it, but their
//!    formulas are the same for both instances at the positions of the smaller one ([`super::alike`]). Nothing is declared
//!    that would have to be checked anew.
//! 2. The variables are the same, but for the ranges of numbers, which grow with the parameter.
//! 3. Where ranges do grow, no play from the start of an instance leaves the ranges of that instance. The rules call that a
//!    mistake, and the table of a larger instance would not show it. The formulas of the moves may show that numbers only
//!    fall. Otherwise the positions are walked once, and each is given the least parameter whose ranges hold everything that
//!    can be reached from it ([`Walk`]).
//! 4. The table knows the start of every instance that it is asked for.
//!
//! What does not hold is no loss: the instance is solved by itself. Tables are made for more and more terms at a time as
//! long as the number of positions does not run away with them.

use std::collections::HashMap;

use engine::memory::Lease;
use engine::monitor::Monitor;
use formula::specialise::{Limits, specialise_within};
use game::Player;
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;
use rules::layout::{Layout, Leaf};
use rules::stop::Held;

use super::alike::Larger;
use super::error::SequenceError;
use super::instances::Instances;
use super::term::Term;
use solve::answer::with_value;
use solve::case::Kind;
use solve::error::{Limit, SolveError};
use solve::facts;
use solve::methods::{self, Ability};
use solve::options::{Engine, Options};
use solve::solved::{Solved, solve, solve_with};

/// No more positions are walked.
const MOST_WALKED: usize = 1 << 23;

impl Instances {
    /// Terms from `at` on, at least one and none from `to` on; where the next one is.
    pub(super) fn extend(&mut self, at: i64, to: i64, monitor: &mut Monitor) -> Result<i64, SequenceError> {
        if let Some(next) = self.extend_shared(at, to, monitor)? {
            return Ok(next);
        }
        let term = self.solve(at, monitor)?;
        self.push(term);
        Ok(at.saturating_add(1))
    }

    /// Terms from `at` on by one table: where the next one is, or `None` if the instance has to be solved by itself.
    fn extend_shared(&mut self, at: i64, to: i64, monitor: &mut Monitor) -> Result<Option<i64>, SequenceError> {
        let end = at.saturating_add_unsigned(self.sharing.count).min(to);
        if end <= at.saturating_add(1) || !self.sharing.is_tried() {
            return Ok(None);
        }
        let Some(bounds) = (at..end).map(|at| self.bind(at).ok()).collect::<Option<Vec<Bound>>>() else {
            // Some instance is refused: it says so when its turn comes.
            self.sharing.count = (self.sharing.count / 2).max(1);
            return Ok(None);
        };
        match by_one_table(&bounds, self.sharing.reads, &self.options, monitor) {
            Ok(Some((terms, latest, positions))) => {
                self.sharing.terms += terms.len() as u64 - 1;
                terms.into_iter().for_each(|term| self.push(term));
                self.latest = Some(latest);
                self.sharing.adapt(positions);
                Ok(Some(end))
            }
            Ok(None) => {
                self.sharing.end();
                Ok(None)
            }
            // Time is up for all; what else goes wrong in a larger instance may not go wrong in this one.
            Err(error) if is_stop(&error) => Err(SequenceError::Solve { at, error }),
            Err(_) => {
                self.sharing.end();
                Ok(None)
            }
        }
    }
}

/// Terms by one table, with the method and the proof of the last of them, and how many positions the table has.
pub(super) type Shared = (Vec<Term>, (String, String), u64);

/// The terms of instances by the table of the last one; `None` if they cannot share it. `reads` says whether rules read what
/// makes the instances differ.
pub(super) fn by_one_table(
    bounds: &[Bound],
    reads: bool,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Option<Shared>, SolveError> {
    let Some((last, others)) = bounds.split_last() else { return Ok(None) };
    if facts::declares(last) || others.iter().any(|other| !widens(&other.layout, &last.layout)) {
        return Ok(None);
    }
    let shares = match reads {
        true => are_alike(others, last, monitor)?,
        false => stay_inside(bounds, last, monitor)?,
    };
    if !shares {
        return Ok(None);
    }
    let Some(mut solved) = table_of_all(bounds, last, options, monitor)? else { return Ok(None) };
    let positions = solved.positions();
    let mut terms = Vec::with_capacity(bounds.len());
    let mut latest = (String::new(), String::new());
    for bound in bounds {
        solved.start = bound.start.clone();
        if !tells(&solved) {
            return Ok(None);
        }
        let solution = with_value(&solved, monitor)?;
        let Some(term) = Term::of(&solution) else { return Ok(None) };
        terms.push(term);
        latest = (solution.method.to_string(), solution.proof.to_string());
    }
    Ok(Some((terms, latest, positions)))
}

/// A table of the last instance that knows the starts of all, if there is one. Where play of the last does not come to the others,
/// a table of all codes may still hold them.
fn table_of_all<'b>(
    bounds: &[Bound],
    last: &'b Bound,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Option<Solved<'b>>, SolveError> {
    let knows_all = |solved: &Solved<'_>| bounds.iter().all(|bound| solved.verdict(&bound.start).is_some());
    let solved = solve(last, &last.start, options, monitor)?;
    if knows_all(&solved) || options.method.is_some() || options.engine == Engine::Interpreted {
        return Ok(Some(solved));
    }
    let options = Options { engine: Engine::Compiled, ..options.clone() };
    match solve_with(&methods::able(Ability::EveryCode), last, &last.start, &options, monitor) {
        Ok(solved) => Ok(Some(solved).filter(knows_all)),
        Err(SolveError::NotApplicable(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether the rules of instances are those of the last one at their own positions.
fn are_alike(others: &[Bound], last: &Bound, monitor: &mut Monitor) -> Result<bool, SolveError> {
    monitor.enter("sharing");
    // What formulas do not hold.
    let differs = |other: &Bound| other.players != last.players || other.forever != last.forever;
    if others.iter().any(differs) {
        return Ok(false);
    }
    let Some(larger) = Larger::of(last) else { return Ok(false) };
    for other in others {
        monitor.look(0, 0)?;
        if !larger.is_like(other) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether no play of an instance leaves its ranges.
fn stay_inside(bounds: &[Bound], last: &Bound, monitor: &mut Monitor) -> Result<bool, SolveError> {
    let is_chain = bounds.windows(2).all(|pair| widens(&pair[0].layout, &pair[1].layout));
    // Where each holds the one before, the first has the least ranges.
    let smallest = if is_chain { &bounds[..1] } else { bounds };
    if smallest.iter().all(|bound| !grows(&bound.layout, &last.layout) || shown_inside(&bound.layout, last)) {
        return Ok(true);
    }
    Ok(is_chain && Walk::stays_inside(bounds, monitor)?)
}

/// Whether no instance can be solved any more.
pub(super) fn is_stop(error: &SolveError) -> bool {
    matches!(error, SolveError::Interrupted { .. } | SolveError::Limit { limit: Limit::Time { .. }, .. })
}

/// Whether a table says as much of a start as the table of that start alone would.
fn tells(solved: &Solved<'_>) -> bool {
    let Some(verdict) = solved.verdict(&solved.start) else { return false };
    let facts = &solved.plan.facts();
    match facts.kind {
        // A larger instance may repeat positions where this one does not, and then it has no nimbers.
        Kind::Outcome => verdict.nimber().is_some() || !facts.nimbers,
        Kind::Score => true,
        // Whether totals are constant is a matter of the whole instance.
        Kind::Payoffs | Kind::Winners => false,
    }
}

/// Whether two layouts have the same variables, and the ranges of the second hold those of the first.
fn widens(small: &Layout, large: &Layout) -> bool {
    let same = small.variables.len() == large.variables.len();
    same && small.variables.iter().zip(&large.variables).all(|(a, b)| {
        let inside = match (&a.leaf, &b.leaf) {
            (Leaf::Int { low, high }, Leaf::Int { low: least, high: most }) => least <= low && high <= most,
            (a, b) => a == b,
        };
        inside && a.dims == b.dims && a.stride == b.stride && a.offset == b.offset
    })
}

/// Whether some range of the second layout is wider.
fn grows(small: &Layout, large: &Layout) -> bool {
    small.variables.iter().zip(&large.variables).any(|(a, b)| a.leaf != b.leaf)
}

/// Whether the formulas of the moves show that no number leaves a range that grows: where ranges grow upwards none rises,
/// where they grow downwards none falls.
fn shown_inside(small: &Layout, last: &Bound) -> bool {
    let Ok(mut formulas) = specialise_within(last, Limits::counted()) else { return false };
    if last.program.sum.is_some() {
        return false;
    }
    let mut grows = vec![(false, false); formulas.cells.len()];
    for (a, b) in small.variables.iter().zip(&last.layout.variables) {
        if let (Some(a), Some(of)) = (a.leaf.range(), b.leaf.range()) {
            grows[b.offset..b.offset + b.cells].fill((of.0 < a.0, of.1 > a.1));
        }
    }
    let changes: Vec<_> = formulas.actions.iter().flat_map(|action| action.after.clone()).collect();
    changes.into_iter().all(|(cell, after)| {
        let (down, up) = grows[cell as usize];
        let before = formulas.arena.cell(cell, formulas.cells[cell as usize]);
        let change = formulas.arena.sub(after, before);
        let change = formulas.arena.range(change);
        let leaves = up && change.high > 0 || down && change.low < 0;
        !leaves
    })
}

/// A walk through all positions that can be reached from the starts of some instances, by the rules of the last one.
struct Walk<'b> {
    bounds: &'b [Bound],
    interpreter: Interpreter<'b>,
    /// The numbers of the parts that were met, by who moves.
    numbers: HashMap<(Box<[i64]>, Player), u32>,
    parts: Vec<(Box<[i64]>, Player)>,
    /// Moves as pairs: to, from.
    moves: Vec<(u32, u32)>,
    lease: Lease,
}

impl<'b> Walk<'b> {
    /// Whether no play of an instance leaves the ranges of that instance. The ranges of each hold those of the one before.
    fn stays_inside(bounds: &'b [Bound], monitor: &mut Monitor) -> Result<bool, SolveError> {
        let Some(last) = bounds.last() else { return Ok(true) };
        let mut walk = Walk {
            bounds,
            interpreter: Interpreter::new(last),
            numbers: HashMap::new(),
            parts: Vec::new(),
            moves: Vec::new(),
            lease: monitor.memory().lease(),
        };
        let roots: Vec<Vec<u32>> = bounds.iter().map(|bound| walk.roots(&bound.start)).collect();
        if !walk.explore(monitor)? {
            return Ok(false);
        }
        let needed = walk.needed();
        let inside = |(index, roots): (usize, &Vec<u32>)| roots.iter().all(|&root| needed[root as usize] <= index);
        Ok(roots.iter().enumerate().all(inside))
    }

    fn roots(&mut self, start: &Position) -> Vec<u32> {
        start.parts.iter().map(|part| self.number(part, start.turn)).collect()
    }

    fn number(&mut self, part: &[i64], turn: Player) -> u32 {
        let key = (Box::from(part), turn);
        let next = self.parts.len() as u32;
        let number = *self.numbers.entry(key.clone()).or_insert(next);
        if number == next {
            self.parts.push(key);
        }
        number
    }

    /// Meets every position; false if there are too many.
    fn explore(&mut self, monitor: &mut Monitor) -> Result<bool, SolveError> {
        monitor.enter("sharing");
        let counts_ends = self.bounds.last().is_some_and(|bound| bound.program.sum.is_none());
        let mut next = 0;
        while next < self.parts.len() {
            if self.parts.len() > MOST_WALKED {
                return Ok(false);
            }
            let (part, mover) = self.parts[next].clone();
            monitor.tick(self.parts.len() as u64, next as u64)?;
            let over = counts_ends && self.interpreter.end(&part, mover)?.is_some();
            let mut options: Vec<(Box<[i64]>, Player)> = Vec::new();
            let mut held = Held::default();
            if !over {
                self.interpreter.moves(&part, mover, &mut |effect| {
                    held.grow((8 * part.len() + 48) as u64)?;
                    match effect.split {
                        Some(parts) => options.extend(parts.iter().map(|part| (part.clone(), effect.turn))),
                        None => options.push((effect.after.into(), effect.turn)),
                    }
                    Ok(())
                })?;
            }
            for (part, turn) in options {
                let option = self.number(&part, turn);
                self.moves.push((option, next as u32));
            }
            let each = size_of::<(Box<[i64]>, Player)>() * 3 + part.len() * 16;
            self.lease.resize((self.parts.len() * each + self.moves.capacity() * size_of::<(u32, u32)>()) as u64)?;
            next += 1;
        }
        Ok(true)
    }

    /// The first instance whose ranges hold a part.
    fn own(&self, part: &[i64]) -> usize {
        self.bounds.partition_point(|bound| bound.layout.misfit(part).is_some())
    }

    /// For each part the first instance whose ranges hold all that can be reached from it: from the parts that need the
    /// last instances on, backwards along the moves.
    fn needed(&mut self) -> Vec<usize> {
        self.moves.sort_unstable();
        let own: Vec<usize> = self.parts.iter().map(|(part, _)| self.own(part)).collect();
        let mut order: Vec<u32> = (0..own.len() as u32).collect();
        order.sort_unstable_by_key(|&part| std::cmp::Reverse(own[part as usize]));
        let mut needed = vec![usize::MAX; own.len()];
        let mut open = Vec::new();
        for part in order {
            open.push(part);
            while let Some(met) = open.pop() {
                if needed[met as usize] != usize::MAX {
                    continue;
                }
                needed[met as usize] = own[part as usize];
                let first = self.moves.partition_point(|(to, _)| *to < met);
                open.extend(self.moves[first..].iter().take_while(|(to, _)| *to == met).map(|(_, from)| *from));
            }
        }
        needed
    }
}
