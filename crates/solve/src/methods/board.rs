//! `board`: moves look at a few cells of the board, so that a position falls into parts that do not know of one another.
//! Each part is valued once, wherever it lies: by its nimber, or by its canonical form where the players' moves differ.

use std::rc::Rc;

use boards::{Algebra, Valuer};
use engine::monitor::Monitor;
use engine::{Error, Limit};
use game::{Random, Verdict};
use rules::bind::Position;
use rules::play::Play;
use shapes::local::Local;

use super::by_values::{
    FEW, FORM_SECONDS, PartAnswers, Parted, Parts, PartsPlan, Whole, WinningAlgebra, refusal, unvalued,
};
use super::sampling::sampled;
use crate::case::{Case, PartKind};
use crate::error::SolveError;
use crate::facts::Fact;
use crate::methods::{Code, Cost, Found, GivenUp, Look, Method, Prospect, Unit};
use crate::options::MethodName;
use crate::part_values::{Place, ValuedPart};

/// Its name.
const NAME: MethodName = MethodName::new("board");
/// Where there are more parts than are counted beforehand, they are this power of the number of positions, about.
const PARTS: f64 = 0.72;
/// So many parts are counted beforehand: of rows there are few, however many positions they have. The clock is for parts that are out of
/// all proportion.
const COUNTED: u64 = 20_000;
const COUNT_SECONDS: f64 = 0.5;
/// Seconds for a part that has a nimber, and bytes; bytes where it has a canonical form.
const NIMBER_SECONDS: f64 = 3e-6;
const PART_BYTES: f64 = 150.0;
const FORM_BYTES: f64 = 250.0;
/// Seconds to find the local moves.
const FINDING: f64 = 2e-3;

/// The method.
pub(super) struct Board;

impl Method for Board {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "A board that falls apart: each part valued once, values added"
    }

    fn values_parts(&self) -> Option<PartKind> {
        Some(PartKind::Board)
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let unfit = "boards fall apart in games that the last mover wins, and that are no `sum of` parts";
        if let Some(why) = refusal(case, NAME, unfit) {
            return Ok(Look::no(why));
        }
        let sampled = sampled(case, monitor)?;
        let positions = sampled.map(|sampled| sampled.sample.positions);
        let asked = case.options.method.is_some();
        if !asked && positions.is_some_and(|positions| positions < FEW) {
            return Ok(Look::no("there are few positions, and a table of them also tells how long play lasts"));
        }
        let local = match case.local() {
            Ok(local) => local,
            Err(why) => return Ok(Look::no(why)),
        };
        if !asked && !falls_apart(case, &local) {
            return Ok(Look::no("most positions of play do not fall apart"));
        }
        let why = "the board falls into parts that do not know of one another: their values are added";
        let parts = match count(case, &local, monitor)? {
            Some(counted) => Some(counted as f64),
            None => positions.map(|positions| positions.powf(PARTS).max(COUNTED as f64)),
        };
        let (each, bytes) = match case.facts.nimbers {
            true => (NIMBER_SECONDS, PART_BYTES),
            false => (FORM_SECONDS, FORM_BYTES),
        };
        let cost = Cost {
            positions: parts.map(|parts| parts as u64),
            bytes: parts.map(|parts| (parts * bytes) as u64),
            seconds: parts.map(|parts| FINDING + parts * each),
            ..Cost::default()
        };
        let code = Code::Kernel("moves and parts are masks of cells".to_string());
        let prospect = Prospect::new(why, code, PartsPlan { whole: Whole::new(case, sampled.as_ref()), parts: local });
        let prospect = Prospect { cost, unit: Unit::Part, is_decisive: false, tells_lengths: false, ..prospect };
        Ok(Look::yes(prospect))
    }
}

/// Parts that are valued beside an answer, at the most.
const MOST_BESIDE: f64 = 50_000.0;

/// Seconds and bytes for the canonical forms of the parts of a game of so many positions, beside an answer.
pub(crate) fn parts_beside(positions: f64) -> (f64, u64) {
    let parts = positions.powf(PARTS).min(MOST_BESIDE);
    (parts * FORM_SECONDS, (parts * FORM_BYTES) as u64)
}

/// Whether play comes to positions that fall apart.
fn falls_apart(case: &Case<'_>, local: &Local) -> bool {
    let Some(start) = case.start.parts.first().and_then(|cells| local.position(cells)) else { return false };
    let mut random = Random::new(1);
    boards::fall::falls_apart(&local.game, &start, &mut || random.next())
}

/// Values that say nothing: parts are only met.
struct Nothing;

impl Algebra for Nothing {
    type Value = ();

    fn zero(&mut self) {}

    fn add(&mut self, (): (), (): ()) -> Result<(), Error> {
        Ok(())
    }

    fn negate(&mut self, (): ()) -> Result<(), Error> {
        Ok(())
    }

    fn game(&mut self, _: &mut Vec<()>, _: &mut Vec<()>) -> Result<(), Error> {
        Ok(())
    }
}

/// How many different parts there are, where they are few enough to be counted beforehand.
fn count(case: &Case<'_>, local: &Local, monitor: &Monitor) -> Result<Option<u64>, SolveError> {
    let Some(cells) = case.start.parts.first().and_then(|cells| local.position(cells)) else { return Ok(None) };
    let memory = monitor.memory().clone();
    // The plan must not depend on how much of the time is left.
    let mut monitor = monitor.fork().as_if_within(None);
    monitor.spend(COUNT_SECONDS);
    let made = Valuer::new(local.game.clone(), local.motions.clone(), &cells, Nothing, &memory);
    let counted = made.and_then(|mut valuer| {
        valuer.at_most(COUNTED);
        valuer.parts(&cells, &mut monitor)?;
        Ok(valuer.distinct())
    });
    match counted {
        Ok(counted) => Ok(Some(counted)),
        Err(error @ (Error::Interrupted { .. } | Error::Limit { limit: Limit::Time { .. }, .. })) => Err(error.into()),
        // There are more, or the method itself says what is wrong.
        Err(_) => Ok(None),
    }
}

impl Parted for Rc<Local> {
    fn valued<'b, A: WinningAlgebra>(
        &self,
        whole: &Whole<'b>,
        algebra: A,
        declared: Option<Fact>,
        monitor: &mut Monitor,
    ) -> Result<Found<'b>, GivenUp> {
        let cells = whole.start.parts.first().and_then(|cells| self.position(cells));
        let cells = cells.ok_or_else(|| SolveError::internal("a board without cells"))?;
        let memory = monitor.memory().clone();
        let made = Valuer::new(self.game.clone(), self.motions.clone(), &cells, algebra, &memory);
        let valued = made.and_then(|mut valuer| {
            let parts = valuer.parts(&cells, monitor)?;
            Ok((valuer, parts))
        });
        let (mut valuer, parts) =
            valued.map_err(|error| unvalued(error, whole.nimbers, "a part of the board comes back"))?;
        let values: Vec<A::Value> = parts.into_iter().map(|(_, value)| value).collect();
        let parts = valuer.distinct();
        let report = whole.report(&mut valuer.algebra, &values, parts, declared)?;
        let board = BoardParts { valuer, local: Rc::clone(self) };
        Ok(Found { answers: Box::new(PartAnswers::new(whole, parts, board)), report })
    }
}

/// The parts of a board.
struct BoardParts<A: Algebra> {
    valuer: Valuer<A>,
    local: Rc<Local>,
}

impl<A: WinningAlgebra> Parts for BoardParts<A> {
    type Algebra = A;
    type Context = ();

    fn algebra(&mut self) -> &mut A {
        &mut self.valuer.algebra
    }

    fn value(&mut self, position: &Position) -> Result<Option<A::Value>, Error> {
        let [cells] = &position.parts[..] else { return Ok(None) };
        self.local.position(cells).map_or(Ok(None), |cells| self.valuer.known(&cells))
    }

    fn verdict(&mut self, position: &Position) -> Result<Option<Verdict>, Error> {
        let Some(value) = self.value(position)? else { return Ok(None) };
        self.valuer.algebra.verdict(value, position.turn).map(Some)
    }

    fn valued(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Vec<ValuedPart>, GivenUp> {
        let cells = position.parts.first().and_then(|cells| self.local.position(cells));
        let cells = cells.ok_or_else(|| SolveError::internal("a board without cells"))?;
        let parts = self.valuer.parts(&cells, monitor)?.into_iter();
        let part = |(cells, value)| Some(ValuedPart { place: Place::Cells(cells), value: A::in_arena(value)? });
        Ok(parts.filter_map(part).collect())
    }

    fn context(&mut self, _: &Position) -> Result<(), SolveError> {
        Ok(())
    }

    fn rate(&mut self, (): &(), position: &Position, play: &Play) -> Result<Option<Verdict>, Error> {
        self.verdict(&play.option(position))
    }
}
