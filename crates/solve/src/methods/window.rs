//! `window`: a game that goes forward through one list is valued by maxima over windows of it, see [`rows::ahead`].

use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use engine::memory::Lease;
use engine::monitor::Monitor;
use game::{Player, Verdict};
use rows::ahead::{AheadError, DoublingValues};
use rules::bind::{Bound, Position};
use rules::interpreter::Interpreter;
use rules::play::{self, Play};
use shapes::forward::{ForwardGame, Reach, bands, recognise};

use crate::answers::{Answers, BestMoves, Effort, Next, Positions, Proof, Walker};
use crate::case::{Case, Kind};
use crate::error::{Reason, SolveError};
use crate::facts;
use crate::facts::Fact;
use crate::methods::{Code, Cost, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::options::MethodName;

/// Its name.
const NAME: MethodName = MethodName::new("window");
/// What a place of a list takes, in seconds, more or less.
const SECONDS_A_PLACE: f64 = 2e-8;

/// The method.
pub(super) struct Window;

impl Method for Window {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "Maxima over windows of a list, for games that go forward through it"
    }

    fn recognise<'b>(&self, case: &Case<'b>, _: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let asked = case.options.method == Some(NAME);
        if !asked && !case.is_free() {
            return Ok(Look::no("another method was asked for"));
        }
        let game = match forward_rules(case) {
            Ok(game) => Rc::new(game),
            Err(why) => return Ok(Look::no(why)),
        };
        let shape = Fact::yes(game.description());
        if let Some(reason) = case.gave_up_with(NAME) {
            return Ok(Look::no(reason.to_string()).with_shape("forward", shape));
        }
        let why = game.method();
        let constant_total = game.total_is_constant().map(|holds| match holds {
            true => Fact::yes("from every place on it is the same, wherever a move leads"),
            false => Fact::no("it depends on where a move leads"),
        });
        let (bytes, places) = game.cost(case.memory.saturating_sub(game.bytes())).unwrap_or_default();
        let cost = Cost {
            positions: Some(places),
            bytes: Some(bytes.saturating_add(game.bytes())),
            seconds: Some(places as f64 * SECONDS_A_PLACE),
            ..Cost::default()
        };
        let code = Code::Kernel("from the end of the list to its start, all places at once".to_string());
        let total = constant_total.clone();
        let prepared = PreparedWindow { bound: case.bound, start: case.start.clone(), game, total };
        let acyclic = Some(Fact::yes("every move goes forward"));
        let prospect = Prospect { cost, acyclic, constant_total, ..Prospect::new(why, code, prepared) };
        Ok(Look::yes(prospect).with_shape("forward", shape))
    }
}

/// The game that goes forward through a list, or why the rules describe none.
fn forward_rules(case: &Case<'_>) -> Result<ForwardGame, String> {
    if case.facts.kind != Kind::Score {
        return Err("it is for two players who want the largest difference".to_string());
    }
    if facts::declares(case.bound) {
        return Err(facts::DECLARED.to_string());
    }
    let [cells] = &case.start.parts[..] else { return Err("the position is a sum".to_string()) };
    if case.facts.sum.holds {
        return Err("the position is a sum".to_string());
    }
    let reading = case.readings.counted().map_err(|unsupported| unsupported.to_string())?;
    recognise(reading.formulas().clone(), cells, case.start.turn.0)
}

struct PreparedWindow<'b> {
    bound: &'b Bound,
    start: Position,
    game: Rc<ForwardGame>,
    total: Option<Fact>,
}

impl<'b> Prepared<'b> for PreparedWindow<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let answers = WindowAnswers::new(self.bound, self.game.clone(), &self.start, monitor)?;
        let mut report = Report::new(Fact::no("every move goes forward"));
        report.constant_total = self.total.clone();
        Ok(Found { answers: Box::new(answers), report })
    }
}

/// The values of all places, or of all places with all bounds.
#[derive(Debug)]
enum Values {
    Places(Vec<i64>),
    Bounds(Box<Bounds>),
}

/// A game that goes forward, with its values.
#[derive(Debug)]
struct WindowAnswers {
    game: Rc<ForwardGame>,
    values: Values,
    start: Position,
    positions: u64,
    /// Charges what is kept for as long as it lives.
    _lease: Lease,
}

impl WindowAnswers {
    /// Values all places.
    fn new(
        bound: &Bound,
        game: Rc<ForwardGame>,
        start: &Position,
        monitor: &mut Monitor,
    ) -> Result<WindowAnswers, GivenUp> {
        let mut lease = monitor.memory().lease();
        lease.grow(game.bytes())?;
        let memory = monitor.memory().free();
        let (bytes, positions) = game.cost(memory).map_err(internal)?;
        lease.grow(bytes)?;
        monitor.enter_expecting("valuing", positions);
        let stops = Stops::of(monitor);
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
            (None, Some(_)) => Bounds::new(&game, memory, stops, &mut keep_going)
                .map_or(Err(AheadError::Stopped), |bounds| bounds.map(|bounds| Values::Bounds(Box::new(bounds)))),
            (None, None) => return Err(SolveError::internal("a move leads nowhere").into()),
        };
        let values = solved.map_err(|error| match (error, stopped) {
            (AheadError::Stopped, Some(error)) => GivenUp::from(error),
            // Maybe at a place that play does not reach: other methods can tell.
            (AheadError::Overflow { .. }, _) => GivenUp::Because(Reason::Overflow(SolveError::overflow(bound, start))),
            (AheadError::Memory { bytes }, _) => {
                monitor.memory().exceeded(u64::try_from(bytes).unwrap_or(u64::MAX)).into()
            }
            (error, _) => internal(error).into(),
        })?;
        Ok(WindowAnswers { game, values, start: start.clone(), positions, _lease: lease })
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
        match &self.values {
            Values::Places(values) => values.get(place).copied(),
            Values::Bounds(bounds) => bounds.value(&self.game, (place, bound)),
        }
    }

    /// How many moves a position has.
    fn options(&self, position: &Position) -> u64 {
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
    fn some_best(&self, bound: &Bound, position: &Position, most: usize) -> Result<(Vec<Play>, bool), SolveError> {
        let from = self.place(position).ok_or_else(foreign_position)?;
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

    /// The move from one place to another, as the rules play it.
    fn play(
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
        plays.pop().filter(|_| plays.is_empty()).ok_or_else(foreign_position)
    }

    /// All positions; with bounds, also some that play does not reach.
    fn all_positions(&self, turn: Player) -> impl Iterator<Item = Position> + '_ {
        let bounds = match &self.game.reach {
            Reach::Doubling { bound, limits, .. } => *bound..limits.len(),
            _ => 0..1,
        };
        // Bound by bound: those of another band may have to be computed.
        let places = 0..=self.game.last();
        bounds.flat_map(move |bound| places.clone().filter_map(move |place| self.position((place, bound), turn)))
    }

    /// A position chosen at random: a step on a random walk from the start.
    fn any_position(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        let mut below = |count: usize| ((u128::from(random()) * count as u128) >> 64) as usize;
        let mut at = self.place(&self.start)?;
        let steps = below(self.game.last() + 1);
        for _ in 0..steps {
            let targets = self.game.targets(at.0, at.1);
            if targets.is_empty() {
                break;
            }
            let next = self.after(at, targets.start() + below(targets.end() - targets.start() + 1));
            // A walk ends before values that would have to be computed.
            if matches!(&self.values, Values::Bounds(bounds) if !bounds.keeps(next.1)) {
                break;
            }
            at = next;
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
        Answers::verdict(self, &position).is_some().then_some(position)
    }
}

impl Answers for WindowAnswers {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.value(self.place(position)?).map(Verdict::Score)
    }

    fn positions(&self) -> u64 {
        self.positions
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Table
    }

    fn best(&self, game: &Bound, position: &Position, most: usize) -> Result<BestMoves, SolveError> {
        let (best, cut) = self.some_best(game, position, most)?;
        Ok(BestMoves { best, fast: Vec::new(), cut })
    }

    fn effort(&self, position: &Position) -> Effort {
        Effort { moves: self.options(position), numbers: 0 }
    }

    fn each(&self, turn: Player) -> Positions<'_> {
        Box::new(self.all_positions(turn))
    }

    fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        self.any_position(turn, random)
    }

    fn walker<'a>(&'a self, game: &'a Bound, from: &Position) -> Result<Box<dyn Walker + 'a>, SolveError> {
        let at = self.place(from).ok_or_else(foreign_position)?;
        Ok(Box::new(WindowWalker { answers: self, game, interpreter: Interpreter::new(game), at }))
    }
}

/// Always takes the best move that goes the least far.
struct WindowWalker<'a> {
    answers: &'a WindowAnswers,
    game: &'a Bound,
    interpreter: Interpreter<'a>,
    at: (usize, usize),
}

impl Walker for WindowWalker<'_> {
    fn next(&mut self, position: &Position) -> Result<Next, SolveError> {
        let to = self.answers.best_targets(self.at).next();
        let Some(to) = to else {
            // Where there are moves, there was no time to compute what they are worth.
            let over = self.answers.game.targets(self.at.0, self.at.1).is_empty();
            return Ok(if over { Next::Over } else { Next::Unknown });
        };
        let play = self.answers.play(self.game, &mut self.interpreter, position, self.at.0, to)?;
        self.at = self.answers.after(self.at, to);
        Ok(Next::Move { play, far: false })
    }
}

/// The error for a position of another game.
fn foreign_position() -> SolveError {
    SolveError::internal("a position is not one of this list")
}

fn internal(error: AheadError) -> SolveError {
    SolveError::internal(error.to_string())
}

/// The values of all places with all bounds that grow, in as much memory as there is.
///
/// Where not all of them can be kept, the bounds are cut into bands. The band of the start is kept; of the others one at a
/// time, which is computed when it is asked for. A line of play goes through them once, for bounds never fall.
#[derive(Debug)]
struct Bounds {
    bands: Vec<Range<usize>>,
    /// The first band.
    kept: DoublingValues,
    /// Another band, by its number.
    beside: Mutex<Option<(usize, DoublingValues)>>,
    stops: Stops,
}

/// When to stop computing: when the person says so, or when the time is over.
#[derive(Clone, Debug)]
struct Stops {
    cancel: Arc<AtomicBool>,
    until: Option<Instant>,
}

impl Stops {
    /// As a monitor has it.
    fn of(monitor: &Monitor) -> Stops {
        let until = monitor.time_left().and_then(|left| Instant::now().checked_add(left));
        Stops { cancel: monitor.cancel().clone(), until }
    }

    fn not_yet(&self) -> bool {
        !self.cancel.load(Ordering::Relaxed) && self.until.is_none_or(|until| Instant::now() < until)
    }
}

impl Bounds {
    /// Values the first band.
    fn new(
        game: &ForwardGame,
        memory: u64,
        stops: Stops,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Option<Result<Bounds, AheadError>> {
        game.doubling().map(|doubling| {
            let doubling = doubling?;
            let bands = bands(&doubling, memory).ok_or_else(|| AheadError::Memory { bytes: doubling.bytes() })?;
            let kept = doubling.solve_band(&bands[0], keep_going)?;
            Ok(Bounds { bands, kept, beside: Mutex::new(None), stops })
        })
    }

    /// Whether the values of a bound are kept.
    fn keeps(&self, bound: usize) -> bool {
        !self.bands[1..].iter().any(|band| band.contains(&bound))
    }

    /// The value of a place with a bound; `None` if play does not reach it, or if there is no time to compute it.
    fn value(&self, game: &ForwardGame, position: (usize, usize)) -> Option<i64> {
        let Reach::Doubling { limits, .. } = &game.reach else { return None };
        let found = self.kept.value(limits, &game.arrive, position);
        let band = self.bands[1..].iter().position(|band| band.contains(&position.1));
        let (None, Some(band)) = (found, band) else { return found };
        let mut beside = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        if beside.as_ref().is_none_or(|(number, _)| *number != band) {
            *beside = None;
            let doubling = game.doubling()?.ok()?;
            let values = doubling.solve_band(&self.bands[band + 1], &mut || self.stops.not_yet()).ok()?;
            *beside = Some((band, values));
        }
        beside.as_ref().and_then(|(_, values)| values.value(limits, &game.arrive, position))
    }
}
