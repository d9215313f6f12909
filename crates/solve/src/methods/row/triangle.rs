//! Rows by their whole triangle: every interval valued, in lanes and on all cores.
//!
//! This is for rows whose gains depend on both ends, of which no theorem is known, and for rows whose table is asked for.
//! How much is kept depends on the memory: all values, or the values that come last and a bit of best move for every
//! interval, or the values alone. What is not kept is computed again where it is asked for.

use std::rc::Rc;

use engine::memory::Lease;
use engine::monitor::Monitor;
use game::{Player, Verdict};
use rows::taking::{self, End};
use rows::triangle::{self, Gains, Storage, Triangle, Unfinished};
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;
use rules::play::Play;
use shapes::row::RowGame;

use super::theorem::{foreign_position, shared};
use super::{all_positions, any_position, order_of, play_at};
use crate::answers::{Answers, BestMoves, Effort, Next, Positions, Proof, RatedMove, TableWalker, Walker, marked};
use crate::error::SolveError;
use crate::facts::Fact;

/// So many intervals of a triangle that is not kept are computed in the time that an item of a row takes to read.
const INTERVALS: u64 = 16;

/// Whether all gains of a row add up to the same total. It is not known where moves give something to the other player.
pub(super) fn constant_total(game: &RowGame, gains: &Gains) -> Option<Fact> {
    if game.gives {
        return None;
    }
    Some(match gains.total_is_constant() {
        true => Fact::yes("it does not matter in which order a first and a last item are taken"),
        false => Fact::no("what a first and a last item gain depends on which is taken first"),
    })
}

/// A row and the triangle of its intervals.
pub(crate) struct TriangleAnswers {
    /// The row; its items are not known to it.
    frame: Rc<RowGame>,
    triangle: Triangle<'static>,
    start: Position,
    threads: usize,
    limit: u64,
    /// Whether taking the first item is best at the start.
    first_is_best: bool,
    /// Charges what is kept for as long as it lives.
    _lease: Lease,
}

/// What is to be computed, within a limit of memory: the whole table where it takes no more than `roomy`.
pub(crate) fn plan(gains: &Gains, roomy: u64, limit: u64) -> Result<triangle::Plan, triangle::TooLarge> {
    match triangle::Plan::new(gains, Storage::Table, roomy.min(limit)) {
        Ok(plan) if plan.storage == Storage::Table => Ok(plan),
        _ => triangle::Plan::new(gains, Storage::Moves, limit),
    }
}

impl TriangleAnswers {
    /// Computes the triangle as planned.
    pub fn new(
        frame: Rc<RowGame>,
        gains: &Gains,
        plan: &triangle::Plan,
        start: &Position,
        threads: usize,
        monitor: &mut Monitor,
    ) -> Result<TriangleAnswers, SolveError> {
        let mut lease = monitor.memory().lease();
        lease.grow(plan.bytes)?;
        let triangle = run(plan, gains, threads, monitor)?;
        let length = gains.len();
        let first_is_best = match triangle.best(0, length) {
            Some(end) => end == End::Left,
            None if length == 0 => false,
            // The last item alone is best, or both ends are: what is left behind the first item tells.
            None if gains.last(0, length) - triangle.lead(0, length - 1).unwrap_or(0) == triangle.value() => {
                let rest = gains.part(1, length);
                let plan = triangle::Plan { len: rest.len(), ..plan.clone() };
                gains.first(0, length) - run(&plan, &rest, threads, monitor)?.value() == triangle.value()
            }
            None => true,
        };
        let limit = monitor.memory().limit();
        let triangle = triangle.into_owned();
        Ok(TriangleAnswers { frame, triangle, start: start.clone(), threads, limit, first_is_best, _lease: lease })
    }

    /// Answers from a triangle that lies elsewhere, with the lease for what reading it takes; `None` if it cannot be read.
    pub fn stored(
        frame: Rc<RowGame>,
        triangle: Triangle<'static>,
        start: &Position,
        threads: usize,
        lease: Lease,
        monitor: &Monitor,
    ) -> Option<TriangleAnswers> {
        let length = triangle.gains().len();
        let first_is_best = match length {
            0 => false,
            _ => triangle.best(0, length)? == End::Left,
        };
        let limit = monitor.memory().limit();
        Some(TriangleAnswers { frame, triangle, start: start.clone(), threads, limit, first_is_best, _lease: lease })
    }

    /// What each player gets from the start on, where that does not depend on the play.
    fn fixed_totals(&self) -> Option<Box<[i64]>> {
        let gains = self.triangle.gains();
        if self.frame.gives || !gains.total_is_constant() {
            return None;
        }
        let (i, j, gone) = self.interval(&self.start)?;
        let items: i128 = (i..j).map(|first| gains.first(first, j)).sum();
        shared(self.start.turn, self.value(&self.start)?, items + self.frame.beside(gone).1)
    }

    fn intervals(&self) -> u64 {
        let length = self.triangle.gains().len() as u64;
        (length + 1).saturating_mul(length + 2) / 2
    }

    /// Which interval a position is, and how many items are gone.
    fn interval(&self, position: &Position) -> Option<(usize, usize, u64)> {
        let (left, right) = self.frame.gone(0, position.parts.first()?)?;
        let (i, j) = (left as usize, self.triangle.gains().len() - right as usize);
        Some((i, j, left + right))
    }

    /// How many intervals are to be computed anew for the value of a position.
    fn work(&self, position: &Position) -> u64 {
        let work = |(i, j, _): (usize, usize, u64)| match self.triangle.lead(i, j) {
            Some(_) => 0,
            None => ((j - i) as u64).saturating_mul((j - i) as u64) / 2,
        };
        self.interval(position).map_or(0, work)
    }

    /// The lead of the mover in an interval.
    fn lead_in(&self, i: usize, j: usize) -> Option<i128> {
        self.triangle.lead(i, j).or_else(|| {
            let part = self.triangle.gains().part(i, j);
            let plan = triangle::Plan::new(&part, Storage::Value, self.limit).ok()?;
            Some(plan.run(&part, self.threads, |_| true).ok()?.value())
        })
    }

    /// The value of a position; `None` if it is none of this game.
    fn value(&self, position: &Position) -> Option<i128> {
        let (i, j, gone) = self.interval(position)?;
        Some(self.lead_in(i, j)? + self.frame.beside(gone).0)
    }

    /// Every legal move with its worth, in order.
    fn all_moves(&self, bound: &Bound, position: &Position) -> Result<Vec<RatedMove>, SolveError> {
        let (i, j, gone) = self.interval(position).ok_or_else(foreign_position)?;
        let mut interpreter = Interpreter::new(bound);
        let mut rated = Vec::new();
        let ends = if i < j { &[End::Left, End::Right][..] } else { &[] };
        for &end in ends {
            let gains = self.triangle.gains();
            let worth = match end {
                End::Left => self.lead_in(i + 1, j).map(|lead| gains.first(i, j) - lead),
                End::Right => self.lead_in(i, j - 1).map(|lead| gains.last(i, j) - lead),
            };
            let worth = worth.ok_or_else(foreign_position)? + self.frame.beside(gone).0;
            let worth = i64::try_from(worth).map_err(|_| SolveError::overflow(bound, position))?;
            rated.push((end, Verdict::Score(worth)));
        }
        rated.sort_by_key(|(end, _)| order_of(&self.frame, 0, *end));
        let play = |(end, worth)| Ok(RatedMove::worth(self.play(bound, &mut interpreter, position, end)?, worth));
        rated.into_iter().map(play).collect()
    }

    /// The best moves in order.
    fn all_best(&self, bound: &Bound, position: &Position) -> Result<Vec<Play>, SolveError> {
        let (i, j, _) = self.interval(position).ok_or_else(foreign_position)?;
        let mut interpreter = Interpreter::new(bound);
        let mut ends = Vec::new();
        if i < j {
            // Whether the first item is best is kept longer than what the options are worth.
            let value = self.lead_in(i, j).ok_or_else(foreign_position)?;
            let gains = self.triangle.gains();
            let first = match self.triangle.best(i, j) {
                Some(end) => end == End::Left,
                None if (i, j) == (0, gains.len()) => self.first_is_best,
                None => gains.first(i, j) - self.lead_in(i + 1, j).ok_or_else(foreign_position)? == value,
            };
            ends.extend(first.then_some(End::Left));
            if !first || gains.last(i, j) - self.lead_in(i, j - 1).ok_or_else(foreign_position)? == value {
                ends.push(End::Right);
            }
        }
        ends.sort_by_key(|end| order_of(&self.frame, 0, *end));
        ends.into_iter().map(|end| self.play(bound, &mut interpreter, position, end)).collect()
    }

    /// The move at an end, as the rules play it.
    fn play(
        &self,
        bound: &Bound,
        interpreter: &mut Interpreter<'_>,
        position: &Position,
        end: End,
    ) -> Result<Play, SolveError> {
        let gone = self.frame.gone(0, &position.parts[0]).ok_or_else(foreign_position)?;
        play_at(&self.frame, bound, interpreter, position, (0, gone), end)
    }
}

/// A table of all intervals, as far as it is kept.
impl Answers for TriangleAnswers {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        i64::try_from(self.value(position)?).ok().map(Verdict::Score)
    }

    fn positions(&self) -> u64 {
        self.intervals()
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Table
    }

    fn lead(&self, position: &Position) -> Option<i128> {
        self.value(position)
    }

    fn totals(&self, _: &Bound) -> Result<Option<Box<[i64]>>, SolveError> {
        Ok(self.fixed_totals())
    }

    fn moves(&self, game: &Bound, position: &Position) -> Result<Vec<RatedMove>, SolveError> {
        Ok(marked(self.all_moves(game, position)?, position, None))
    }

    fn best(&self, game: &Bound, position: &Position, _: usize) -> Result<BestMoves, SolveError> {
        Ok(BestMoves { best: self.all_best(game, position)?, fast: Vec::new(), cut: false })
    }

    fn effort(&self, position: &Position) -> Effort {
        Effort { moves: 2, numbers: self.work(position) / INTERVALS }
    }

    fn each(&self, turn: Player) -> Positions<'_> {
        all_positions(&self.frame, &self.start, turn)
    }

    fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        Some(any_position(&self.frame, &self.start, turn, random))
    }

    /// Moves may be kept where values are not.
    fn walker<'a>(&'a self, game: &'a Bound, from: &Position) -> Result<Box<dyn Walker + 'a>, SolveError> {
        if *from != self.start {
            return Ok(Box::new(TableWalker::new(self, game)));
        }
        let line = self.triangle.line().map(Vec::into_iter);
        Ok(Box::new(TriangleWalker { answers: self, game, interpreter: Interpreter::new(game), line }))
    }
}

struct TriangleWalker<'a> {
    answers: &'a TriangleAnswers,
    game: &'a Bound,
    interpreter: Interpreter<'a>,
    /// The ends that are taken; `None` where moves are not kept.
    line: Option<std::vec::IntoIter<End>>,
}

impl Walker for TriangleWalker<'_> {
    fn next(&mut self, position: &Position) -> Result<Next, SolveError> {
        let Some(line) = &mut self.line else { return Ok(Next::Unknown) };
        let Some(end) = line.next() else { return Ok(Next::Over) };
        let play = self.answers.play(self.game, &mut self.interpreter, position, end)?;
        Ok(Next::Move { play, far: false })
    }
}

/// Computes a triangle, with progress, until it is done or stopped.
fn run<'g>(
    plan: &triangle::Plan,
    gains: &'g Gains,
    threads: usize,
    monitor: &mut Monitor,
) -> Result<Triangle<'g>, SolveError> {
    let intervals = plan.intervals();
    monitor.enter_expecting("filling", intervals);
    let mut stopped = None;
    let run = plan.run(gains, threads, |done| match monitor.tick(intervals, done) {
        Ok(()) => true,
        Err(error) => {
            stopped = Some(error.into());
            false
        }
    });
    run.map_err(|unfinished| match (unfinished, stopped) {
        (Unfinished::Stopped { .. }, Some(error)) => error,
        (Unfinished::NoMemory { bytes }, _) => monitor.memory().exceeded(bytes).into(),
        (Unfinished::Stopped { .. }, None) => SolveError::internal("a triangle stopped"),
    })
}

/// The items of a single row that is open at both ends, as gains.
pub(crate) fn gains_of(game: &RowGame) -> Option<Gains> {
    match &game.lists[..] {
        [_] => match game.rest(0, (0, 0))? {
            taking::List { shape: taking::Shape::Row, items } => Some(Gains::row(items)),
            _ => None,
        },
        _ => None,
    }
}
