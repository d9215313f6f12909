//! Answers for positions of games that go forward through a list.

use game::Player;
use rows::ahead::{AheadError, DoublingValues};
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;

use super::game::{AheadGame, Reach};
use crate::error::SolveError;
use crate::memory::Lease;
use crate::monitor::Monitor;
use crate::play::{self, Play};
use crate::verdict::Verdict;

/// The values of all places, or of all places with all bounds.
#[derive(Debug)]
enum Values {
    Places(Vec<i64>),
    Bounds(DoublingValues),
}

/// A game that goes forward, with its values.
#[derive(Debug)]
pub(crate) struct AheadTable {
    pub game: AheadGame,
    values: Values,
    start: Position,
    positions: u64,
    /// Charges what is kept for as long as it lives.
    _lease: Lease,
}

/// Why there are no values.
pub(crate) enum NoValues {
    /// A number does not fit, maybe at a place that play does not reach: other methods can tell.
    Overflow,
    Error(SolveError),
}

impl From<SolveError> for NoValues {
    fn from(error: SolveError) -> NoValues {
        NoValues::Error(error)
    }
}

impl AheadTable {
    /// Values all places.
    pub fn new(game: AheadGame, start: &Position, monitor: &mut Monitor) -> Result<AheadTable, NoValues> {
        let mut lease = monitor.memory().lease();
        lease.grow(game.bytes())?;
        let (bytes, positions) = game.cost().map_err(|error| NoValues::Error(internal(error)))?;
        lease.grow(bytes)?;
        monitor.enter_expecting("valuing", positions);
        let mut stopped = None;
        let mut keep_going = || match monitor.tick(positions, positions) {
            Ok(()) => true,
            Err(error) => {
                stopped = Some(error);
                false
            }
        };
        let solved = match (game.windows(), game.doubling()) {
            (Some(windows), _) => windows
                .and_then(|windows| windows.solve(&mut keep_going))
                .map(|solution| Values::Places(solution.into_values())),
            (None, Some(doubling)) => doubling
                .and_then(|doubling| doubling.solve(&mut keep_going))
                .map(|solution| Values::Bounds(solution.into_values())),
            (None, None) => return Err(NoValues::Error(SolveError::Internal("a move leads nowhere".to_string()))),
        };
        let values = solved.map_err(|error| match (error, stopped) {
            (AheadError::Stopped, Some(error)) => NoValues::Error(error),
            (AheadError::Overflow { .. }, _) => NoValues::Overflow,
            (AheadError::Memory { bytes }, _) => {
                NoValues::Error(monitor.memory().exceeded(u64::try_from(bytes).unwrap_or(u64::MAX)))
            }
            (error, _) => NoValues::Error(internal(error)),
        })?;
        Ok(AheadTable { game, values, start: start.clone(), positions, _lease: lease })
    }

    /// How many positions were valued.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The place of a position, and its bound where there is one.
    fn place(&self, position: &Position) -> Option<(usize, usize)> {
        let cells = position.parts.first()?;
        let own = |cell: usize| matches!(self.game.reach, Reach::Doubling { cell: bound, .. } if bound == cell);
        let changed = |cell: usize| cell == self.game.cell || own(cell);
        let start = &self.start.parts[0];
        if (0..start.len()).any(|cell| !changed(cell) && cells.get(cell) != start.get(cell)) {
            return None;
        }
        let by = i128::from(*cells.get(self.game.cell)?) - i128::from(self.game.start);
        let place = usize::try_from(if self.game.rises { by } else { -by }).ok()?;
        let bound = match self.game.reach {
            Reach::Doubling { cell, .. } => usize::try_from(*cells.get(cell)?).ok()?,
            _ => 0,
        };
        (place <= self.game.last()).then_some((place, bound))
    }

    fn value(&self, (place, bound): (usize, usize)) -> Option<i64> {
        match (&self.values, &self.game.reach) {
            (Values::Places(values), _) => values.get(place).copied(),
            (Values::Bounds(values), Reach::Doubling { limits, .. }) => {
                values.value(limits, &self.game.arrive, (place, bound))
            }
            _ => None,
        }
    }

    /// What is known of a position; `None` if it is none of this game.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.value(self.place(position)?).map(Verdict::Score)
    }

    /// How many moves a position has.
    pub fn options(&self, position: &Position) -> u64 {
        self.place(position).map_or(0, |(place, bound)| self.game.targets(place, bound).count() as u64)
    }

    /// The places that best moves lead to, the nearest first.
    fn best_targets(&self, from: (usize, usize)) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let value = self.value(from).map(i128::from);
        self.game.targets(from.0, from.1).filter(move |&to| {
            let after = self.value(self.after(from, to)).map(i128::from);
            let gain = self.game.gain(from.0, to);
            value.is_some() && after.map(|after| gain - after) == value
        })
    }

    /// The place and the bound after a move.
    fn after(&self, (place, bound): (usize, usize), to: usize) -> (usize, usize) {
        match self.game.reach {
            Reach::Doubling { .. } => (to, bound.max(to - place)),
            _ => (to, 0),
        }
    }

    /// At most `most` best moves in order, and whether there are more.
    pub fn best(&self, bound: &Bound, position: &Position, most: usize) -> Result<(Vec<Play>, bool), SolveError> {
        let from = self.place(position).ok_or_else(lost)?;
        let mut targets: Vec<usize> = match self.game.is_backwards() {
            false => self.best_targets(from).take(most + 1).collect(),
            true => self.best_targets(from).rev().take(most + 1).collect(),
        };
        let more = targets.len() > most;
        targets.truncate(most);
        let mut interpreter = Interpreter::new(bound);
        let play = |to| self.play(bound, &mut interpreter, position, from.0, to);
        Ok((targets.into_iter().map(play).collect::<Result<_, _>>()?, more))
    }

    /// One line of best play from the start, as the places it leads to: always the nearest.
    pub fn line(&self) -> Option<Vec<usize>> {
        let mut at = self.place(&self.start)?;
        let mut line = Vec::new();
        while let Some(to) = self.best_targets(at).next() {
            line.push(to);
            at = self.after(at, to);
        }
        Some(line)
    }

    /// The move from one place to another, as the rules play it.
    pub fn play(
        &self,
        bound: &Bound,
        interpreter: &mut Interpreter<'_>,
        position: &Position,
        from: usize,
        to: usize,
    ) -> Result<Play, SolveError> {
        let choice = self.game.chosen(from, to);
        let mut plays = Vec::new();
        interpreter.one_move((self.game.rule, &[choice]), &position.parts[0], position.turn, &mut |effect| {
            plays.push(play::play_of(bound, effect, 0));
            Ok(())
        })?;
        plays.pop().filter(|_| plays.is_empty()).ok_or_else(lost)
    }

    /// The move that was made in a position, as the rules play it again.
    pub fn again(
        &self,
        bound: &Bound,
        interpreter: &mut Interpreter<'_>,
        position: &Position,
        made: &Play,
    ) -> Result<Play, SolveError> {
        let mut after = position.clone();
        made.apply(&mut after);
        let places = self.place(position).zip(self.place(&after)).filter(|(from, to)| from.0 < to.0);
        let (from, to) = places.ok_or_else(lost)?;
        self.play(bound, interpreter, position, from.0, to.0)
    }

    /// The place of the start.
    pub fn from(&self) -> usize {
        self.place(&self.start).map_or(0, |(place, _)| place)
    }

    /// Every position, in no particular order; with bounds, also some that play does not reach.
    pub fn each(&self, turn: Player) -> impl Iterator<Item = Position> + '_ {
        let bounds = match &self.game.reach {
            Reach::Doubling { bound, limits, .. } => *bound..limits.len(),
            _ => 0..1,
        };
        let places = 0..=self.game.last();
        places.flat_map(move |place| bounds.clone().filter_map(move |bound| self.position((place, bound), turn)))
    }

    /// A position chosen by a source of random numbers: a step on a random walk from the start.
    pub fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        let mut below = |count: usize| ((u128::from(random()) * count as u128) >> 64) as usize;
        let mut at = self.place(&self.start)?;
        let steps = below(self.game.last() + 1);
        for _ in 0..steps {
            let targets = self.game.targets(at.0, at.1);
            if targets.is_empty() {
                break;
            }
            at = self.after(at, targets.start() + below(targets.end() - targets.start() + 1));
        }
        self.position(at, turn)
    }

    fn position(&self, (place, bound): (usize, usize), turn: Player) -> Option<Position> {
        let mut cells = self.start.parts[0].clone();
        let place = place as i64;
        cells[self.game.cell] = self.game.start + if self.game.rises { place } else { -place };
        if let Reach::Doubling { cell, .. } = self.game.reach {
            cells[cell] = bound as i64;
        }
        let position = Position { parts: vec![cells], turn };
        self.verdict(&position).is_some().then_some(position)
    }
}

fn lost() -> SolveError {
    SolveError::Internal("a position is not one of this list".to_string())
}

fn internal(error: AheadError) -> SolveError {
    SolveError::Internal(error.to_string())
}
