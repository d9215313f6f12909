//! `board`: moves look at a few cells of the board, so that a position falls into parts that do not know of one another.
//! Each part is valued once, wherever it lies: by its nimber, or by its canonical form where the players' moves differ.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use boards::{Algebra, CanonicalForms, Grid, Nimbers, Valuer};
use engine::Error;
use engine::monitor::{Limits, Monitor};
use game::{Outcome, OutcomeClass, Player, Random, Verdict};
use rules::bind::{Bound, Position};
use rules::play;
use shapes::local::Local;
use values::search::SumSearch;
use values::{Arena, Side};

use super::proofs::proved;
use super::sampling::sampled;
use crate::answers::{Answers, Positions, unknown};
use crate::appraise::{Appraise, Place, ValuedPart};
use crate::audit::Proved;
use crate::canonical::{Canonical, canonical};
use crate::case::Case;
use crate::declared;
use crate::error::{Limit, SolveError};
use crate::fact::Fact;
use crate::method::{Code, Cost, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::options::MethodName;
use crate::positions::Keeps;
use crate::proof::Proof;
use crate::reason::Reason;

/// Its name.
const NAME: MethodName = MethodName::new("board");
/// Games with fewer positions are solved whole before the local moves would be found.
pub(super) const FEW: f64 = 10_000.0;
/// How the number of parts grows with the number of positions: parts are this power of it, about.
const PARTS: f64 = 0.72;
/// Seconds for a part, and bytes.
const NIMBER_SECONDS: f64 = 3e-6;
pub(super) const FORM_SECONDS: f64 = 20e-6;
const PART_BYTES: f64 = 150.0;
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

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let facts = &case.facts;
        if case.gave_up_with(NAME).is_some() {
            return Ok(Look::no("it gave up"));
        }
        if facts.sum.holds || !(facts.nimbers || facts.partizan) {
            return Ok(Look::no("boards fall apart in games that the last mover wins, and that are no `sum of` parts"));
        }
        let sampled = sampled(case, monitor)?;
        let positions = sampled.map(|sampled| sampled.sample.positions);
        let asked = case.options.method.is_some();
        if !asked && positions.is_some_and(|positions| positions < FEW) {
            return Ok(Look::no("there are few positions, and a table of them also tells how long play lasts"));
        }
        let local = match case.local() {
            Ok(local) => local,
            Err(why) => return Ok(Look::no(why.clone()).seen("board", Fact::no(why))),
        };
        if !asked && !falls_apart(case, &local) {
            let why = "most positions of play do not fall apart".to_string();
            return Ok(Look::no(why).seen("board", Fact::yes(describe(&local))));
        }
        let why = "the board falls into parts that do not know of one another: their values are added";
        let seen = Fact::yes(describe(&local));
        let parts = positions.map(|positions| positions.powf(PARTS));
        let each = if facts.nimbers { NIMBER_SECONDS } else { FORM_SECONDS };
        let cost = Cost {
            positions: parts.map(|parts| parts as u64),
            codes: None,
            bytes: parts.map(|parts| (parts * PART_BYTES) as u64),
            seconds: parts.map(|parts| FINDING + parts * each),
        };
        let code = Code::Kernel("moves and parts are masks of cells".to_string());
        let proved = proved(case, case.study().ok().as_deref());
        let (start, nimbers) = (case.start.clone(), facts.nimbers);
        let prepared = BoardPlan { bound: case.bound, start, local, proved, nimbers, asked };
        let prospect = Prospect::new(why, code, prepared);
        let prospect = Prospect { cost, noun: "part", is_decisive: false, tells_lengths: false, ..prospect };
        Ok(Look::yes(prospect).seen("board", seen))
    }
}

/// Whether play comes to positions that fall apart.
fn falls_apart(case: &Case<'_>, local: &Local) -> bool {
    let Some(start) = case.start.parts.first().and_then(|cells| local.position(cells)) else { return false };
    let mut random = Random::new(1);
    boards::fall::falls_apart(&local.game, &start, &mut || random.next())
}

/// What was seen, in words.
fn describe(local: &Local) -> String {
    let motions = &local.motions;
    let Grid { rows, columns } = local.game.grid;
    let shifts = match (motions.shift_rows && rows > 1, motions.shift_columns && columns > 1) {
        (true, true) => "parts may be shifted",
        (true, false) => "parts may be shifted to other rows",
        (false, true) => "parts may be shifted along rows",
        (false, false) => "parts stay where they are",
    };
    let (own, exchanged): (Vec<_>, Vec<_>) = motions.turns.iter().partition(|turn| !turn.exchange);
    let turns = match (own.len(), exchanged.len()) {
        (0, 0) => String::new(),
        (own, 0) => format!(", {own} turns change nothing"),
        (own, exchanged) => format!(", {own} turns change nothing, {exchanged} exchange the players"),
    };
    let moves = local.game.moves.len();
    format!("{moves} local moves on {rows} by {columns} cells; {shifts}{turns}")
}

struct BoardPlan<'b> {
    bound: &'b Bound,
    start: Position,
    local: Rc<Local>,
    /// What the file declares that is proved from the rules.
    proved: Proved,
    nimbers: bool,
    /// Whether there is no other method to turn to.
    asked: bool,
}

impl<'b> Prepared<'b> for BoardPlan<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let declared = declared::check(self.bound, &self.start, None, self.proved, Keeps::Outcome, monitor)?;
        monitor.enter_search("valuing parts");
        match self.nimbers {
            true => self.valued(Nimbers, declared, monitor),
            false => {
                sparing(self.asked, monitor, |monitor| self.valued(CanonicalForms::new(monitor), declared, monitor))
            }
        }
    }
}

/// Bytes for the sum of all canonical forms: a larger one is too long to be written out, and who wins is found far quicker
/// without it.
const SUM_BYTES: u64 = 4 << 20;

/// Looks for canonical forms. Unless they were asked for, they may take half of the time, and where they take more than
/// there is, another method finds who wins.
pub(super) fn sparing<T>(
    asked: bool,
    monitor: &mut Monitor,
    work: impl FnOnce(&mut Monitor) -> Result<T, GivenUp>,
) -> Result<T, GivenUp> {
    if asked {
        return work(monitor);
    }
    monitor.spend_half();
    let done = work(monitor);
    monitor.spend_all();
    done.map_err(|given_up| match given_up {
        GivenUp::Error(SolveError::Limit { limit: Limit::Memory { .. }, .. }) => {
            GivenUp::Because(Reason::TooLarge("canonical forms outgrow the memory limit".to_string()))
        }
        GivenUp::Error(SolveError::Dear { .. }) if monitor.time_limit().is_some() => {
            GivenUp::Because(Reason::TooLarge("canonical forms take more than half of the time".to_string()))
        }
        other => other,
    })
}

/// The sum of values, where that is not too large or was asked for.
pub(super) fn total<A: Worth>(algebra: &mut A, values: &[A::Value], asked: bool) -> Result<A::Value, GivenUp> {
    let bytes = if asked { u64::MAX } else { SUM_BYTES };
    let count = values.len();
    algebra.total(values, bytes)?.ok_or_else(|| {
        GivenUp::Because(Reason::TooLarge(format!("the sum of {count} canonical forms is too large to write down")))
    })
}

impl<'b> BoardPlan<'b> {
    fn valued<A: Worth>(
        &self,
        algebra: A,
        declared: Option<Fact>,
        monitor: &mut Monitor,
    ) -> Result<Found<'b>, GivenUp> {
        let cells = self.start.parts.first().and_then(|cells| self.local.position(cells));
        let cells = cells.ok_or_else(|| SolveError::internal("a board without cells"))?;
        let memory = monitor.memory().clone();
        let made = Valuer::new(self.local.game.clone(), self.local.motions.clone(), &cells, algebra, &memory);
        let valued = made.and_then(|mut valuer| {
            let parts = valuer.parts(&cells, monitor)?;
            Ok((valuer, parts))
        });
        let (mut valuer, parts) = match valued {
            Ok(valued) => valued,
            Err(Error::Cycle(_)) => {
                return Err(GivenUp::Because(Reason::Cycle("a part of the board comes back".to_string())));
            }
            Err(Error::NotApplicable(why)) => return Err(GivenUp::Because(Reason::Values(why))),
            Err(error) => return Err(error.into()),
        };
        let values: Vec<A::Value> = parts.into_iter().map(|(_, value)| value).collect();
        let value = total(&mut valuer.algebra, &values, self.asked)?;
        let parts = valuer.distinct();
        let mut report = Report::new(Fact::no(format!("{parts} different parts were met and none repeats")));
        report.declared = declared;
        report.class = valuer.algebra.class(value)?;
        let answers = BoardAnswers {
            bound: self.bound,
            start: self.start.clone(),
            local: Rc::clone(&self.local),
            parts,
            valuer: RefCell::new(valuer),
            stopped: Stopped::default(),
        };
        Ok(Found { answers: Box::new(answers), report })
    }
}

/// Values that tell who wins.
pub(super) trait Worth: Algebra<Value: 'static> + Sized + 'static {
    /// The theorem by which values add up.
    const THEOREM: &'static str;

    /// The verdict for a player to move.
    fn verdict(&mut self, value: Self::Value, mover: Player) -> Result<Verdict, Error>;

    /// The verdict on a sum for a player to move, without adding it up where that may be dear.
    fn verdict_of(&mut self, values: &[Self::Value], mover: Player, search: &mut SumSearch) -> Result<Verdict, Error>;

    /// Who wins whoever starts, where the players' moves differ.
    fn class(&mut self, value: Self::Value) -> Result<Option<OutcomeClass>, Error>;

    /// The sum of values; `None` if it takes more than so many bytes to find.
    fn total(&mut self, values: &[Self::Value], bytes: u64) -> Result<Option<Self::Value>, Error>;

    /// The canonical form, where values are that.
    fn form(&mut self, value: Self::Value) -> Option<Canonical>;

    /// The arena, where values are canonical forms.
    fn arena(&mut self) -> Option<&mut Arena>;

    /// The value in the arena, where there is one.
    fn in_arena(value: Self::Value) -> Option<values::Value>;
}

impl Worth for Nimbers {
    const THEOREM: &'static str = "Sprague-Grundy";

    fn verdict(&mut self, value: u32, _: Player) -> Result<Verdict, Error> {
        Ok(Verdict::Nimber(value.into()))
    }

    fn verdict_of(&mut self, values: &[u32], mover: Player, _: &mut SumSearch) -> Result<Verdict, Error> {
        self.verdict(values.iter().fold(0, |sum, value| sum ^ value), mover)
    }

    fn class(&mut self, _: u32) -> Result<Option<OutcomeClass>, Error> {
        Ok(None)
    }

    fn total(&mut self, values: &[u32], _: u64) -> Result<Option<u32>, Error> {
        Ok(Some(values.iter().fold(0, |sum, value| sum ^ value)))
    }

    fn form(&mut self, _: u32) -> Option<Canonical> {
        None
    }

    fn arena(&mut self) -> Option<&mut Arena> {
        None
    }

    fn in_arena(_: u32) -> Option<values::Value> {
        None
    }
}

impl Worth for CanonicalForms {
    const THEOREM: &'static str = "sums of canonical forms";

    fn verdict(&mut self, value: values::Value, mover: Player) -> Result<Verdict, Error> {
        let outcome = self.arena.outcome(value).map_err(boards::canonical::of_values)?;
        let wins = match outcome {
            values::Outcome::N => true,
            values::Outcome::P => false,
            values::Outcome::L => mover == Player::FIRST,
            values::Outcome::R => mover != Player::FIRST,
        };
        Ok(Verdict::outcome_in(if wins { Outcome::Win } else { Outcome::Loss }, None))
    }

    fn verdict_of(
        &mut self,
        values: &[values::Value],
        mover: Player,
        search: &mut SumSearch,
    ) -> Result<Verdict, Error> {
        let side = if mover == Player::FIRST { Side::Left } else { Side::Right };
        let wins = search.wins(&mut self.arena, values, side).map_err(boards::canonical::of_values)?;
        Ok(Verdict::outcome_in(if wins { Outcome::Win } else { Outcome::Loss }, None))
    }

    fn class(&mut self, value: values::Value) -> Result<Option<OutcomeClass>, Error> {
        let outcome = self.arena.outcome(value).map_err(boards::canonical::of_values)?;
        let (first, second) = match outcome {
            values::Outcome::N => (true, false),
            values::Outcome::P => (false, true),
            values::Outcome::L => (true, true),
            values::Outcome::R => (false, false),
        };
        Ok(Some(OutcomeClass::new(first, second)))
    }

    fn total(&mut self, values: &[values::Value], bytes: u64) -> Result<Option<values::Value>, Error> {
        self.total_within(values, bytes)
    }

    fn form(&mut self, value: values::Value) -> Option<Canonical> {
        canonical(&mut self.arena, value).ok()
    }

    fn arena(&mut self) -> Option<&mut Arena> {
        Some(&mut self.arena)
    }

    fn in_arena(value: values::Value) -> Option<values::Value> {
        Some(value)
    }
}

/// A board whose parts have canonical forms.
struct Appraised<'a, A: Algebra> {
    valuer: &'a mut Valuer<A>,
    local: &'a Local,
}

impl<A: Worth> Appraise for Appraised<'_, A> {
    fn parts(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Vec<ValuedPart>, GivenUp> {
        let cells = position.parts.first().and_then(|cells| self.local.position(cells));
        let cells = cells.ok_or_else(|| SolveError::internal("a board without cells"))?;
        let parts = self.valuer.parts(&cells, monitor)?.into_iter();
        let part = |(cells, value)| Some(ValuedPart { place: Place::Cells(cells), value: A::in_arena(value)? });
        Ok(parts.filter_map(part).collect())
    }

    fn in_arena(&mut self, work: &mut dyn FnMut(&mut Arena)) {
        if let Some(arena) = self.valuer.algebra.arena() {
            work(arena);
        }
    }
}

/// Values of all parts that were met.
struct BoardAnswers<'b, A: Algebra> {
    bound: &'b Bound,
    start: Position,
    local: Rc<Local>,
    parts: u64,
    valuer: RefCell<Valuer<A>>,
    stopped: Stopped,
}

/// What stopped the work on the position that was asked for last, if anything did.
#[derive(Default)]
pub(super) struct Stopped(RefCell<Option<SolveError>>);

impl Stopped {
    /// What was found, if nothing stopped it.
    pub fn unless<T>(&self, done: Result<T, Error>) -> Option<T> {
        let (found, why) = match done {
            Ok(found) => (Some(found), None),
            Err(error) => (None, Some(error.into())),
        };
        self.0.replace(why);
        found
    }

    /// What stopped it.
    pub fn why(&self) -> Option<SolveError> {
        self.0.borrow().clone()
    }
}

impl<A: Worth> BoardAnswers<'_, A> {
    fn value(&self, position: &Position) -> Option<A::Value> {
        let [cells] = &position.parts[..] else { return None };
        let cells = self.local.position(cells)?;
        self.stopped.unless(self.valuer.borrow_mut().known(&cells))?
    }
}

impl<A: Worth> Answers for BoardAnswers<'_, A> {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        let value = self.value(position)?;
        self.stopped.unless(self.valuer.borrow_mut().algebra.verdict(value, position.turn))
    }

    fn canonical(&self, position: &Position) -> Option<Canonical> {
        let value = self.value(position)?;
        self.valuer.borrow_mut().algebra.form(value)
    }

    fn missing(&self, game: &Bound, position: &Position) -> SolveError {
        self.stopped.why().unwrap_or_else(|| unknown(game, position))
    }

    fn appraise(&self, work: &mut dyn FnMut(&mut dyn Appraise)) -> bool {
        let mut valuer = self.valuer.borrow_mut();
        if valuer.algebra.arena().is_none() {
            return false;
        }
        work(&mut Appraised { valuer: &mut valuer, local: &self.local });
        true
    }

    fn positions(&self) -> u64 {
        self.parts
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Theorem(A::THEOREM.to_string())
    }

    fn knows_lengths(&self) -> bool {
        false
    }

    /// Positions of play: parts alone are no positions of the rules.
    fn each(&self, _: Player) -> Positions<'_> {
        Box::new(std::iter::once(self.start.clone()))
    }

    fn size(&self) -> u64 {
        u64::MAX
    }

    fn random(&self, _: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        random_play(self.bound, &self.start, random)
    }
}

/// A monitor for what is asked once the answer is known: the limits are what is left of those of the solve.
pub(super) fn afterwards(monitor: &Monitor) -> Monitor {
    let limits = Limits { memory: monitor.memory().limit(), time: monitor.time_left() };
    Monitor::new(&limits).cancelled_by(Arc::clone(monitor.cancel()))
}

/// A position that random play comes to.
pub(super) fn random_play(bound: &Bound, start: &Position, random: &mut dyn FnMut() -> u64) -> Option<Position> {
    let mut position = start.clone();
    let mut left = random() % 64;
    while left > 0 {
        let plays = play::plays(bound, &position).ok()?;
        let Some(play) = plays.get((random() % plays.len().max(1) as u64) as usize) else { break };
        position = play.option(&position);
        left -= 1;
    }
    Some(position)
}
