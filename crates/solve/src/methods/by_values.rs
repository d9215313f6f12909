//! What `board`, `groups`, `values` and `winner` share: games won by the last mover that are valued part by part, by nimbers or
//! by canonical forms, and how a sum of these is judged.

use std::cell::RefCell;

use boards::{Algebra, CanonicalForms, Nimbers};
use engine::Error;
use engine::monitor::Monitor;
use game::{Outcome, OutcomeClass, Player, Verdict};
use rules::bind::{Bound, Position};
use rules::play::{self, Play};
use values::Arena;
use values::search::SumSearch;

use crate::answers::{Answers, LastStop, Positions, Proof, Rater, unknown};
use crate::case::{Case, Sampled};
use crate::error::{Limit, Reason, SolveError};
use crate::facts::Fact;
use crate::methods::{Found, GivenUp, Prepared, Report};
use crate::options::MethodName;
use crate::part_values::{PartValuer, ValuedPart, mover_wins, side_of};
use crate::value_text::ValueText;
use positions::audit::Proved;
use positions::declared::Declared;
use positions::oracle::Keeps;

/// Games with fewer positions are solved whole before their parts would be found.
pub(super) const FEW: f64 = 10_000.0;
/// Seconds for the canonical form of a part.
pub(super) const FORM_SECONDS: f64 = 20e-6;

/// Why a method that cuts whole positions into parts does not look at a case; `unfit` says what it is for.
pub(super) fn refusal(case: &Case<'_>, name: MethodName, unfit: &'static str) -> Option<&'static str> {
    let facts = &case.facts;
    if case.gave_up_with(name).is_some() {
        return Some("it gave up");
    }
    (facts.sum.holds || !(facts.nimbers || facts.partizan)).then_some(unfit)
}

/// What it means that a part came back, or that its values cannot be found. With impartial moves, the whole repeats where a part
/// does. Where the players' moves differ it need not: one of them may run out of moves elsewhere.
pub(super) fn unvalued(error: Error, impartial: bool, came_back: &str) -> GivenUp {
    match error {
        Error::Cycle(_) => GivenUp::Because(part_repeats(impartial, came_back.to_string())),
        Error::NotApplicable(why) => GivenUp::Because(Reason::Values(why)),
        error => error.into(),
    }
}

/// The reason to give up where a part comes back.
pub(super) fn part_repeats(impartial: bool, came_back: String) -> Reason {
    if impartial { Reason::Cycle(came_back) } else { Reason::Values(came_back) }
}

/// A game whose whole positions are cut into parts, and what is asked of it.
pub(super) struct Whole<'b> {
    pub bound: &'b Bound,
    pub start: Position,
    /// What the file declares that is proved from the rules.
    proved: Proved,
    pub nimbers: bool,
    /// Whether there is no other method to turn to.
    pub asked: bool,
}

/// A way to value the parts of a game, in either algebra.
pub(super) trait Parted {
    /// Values all that the start comes to.
    fn valued<'b, A: WinningAlgebra>(
        &self,
        whole: &Whole<'b>,
        algebra: A,
        declared: Option<Fact>,
        monitor: &mut Monitor,
    ) -> Result<Found<'b>, GivenUp>;
}

/// A game that is ready to be solved by its parts.
pub(super) struct PartsPlan<'b, P> {
    pub whole: Whole<'b>,
    pub parts: P,
}

impl<'b, P: Parted> Prepared<'b> for PartsPlan<'b, P> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        self.whole.run(&self.parts, monitor)
    }
}

impl<'b> Whole<'b> {
    pub fn new(case: &Case<'b>, sampled: Option<&Sampled>) -> Whole<'b> {
        let proved = case.proved(case.study_beside(sampled).ok().as_deref());
        let (start, nimbers, asked) = (case.start.clone(), case.facts.nimbers, case.options.method.is_some());
        Whole { bound: case.bound, start, proved, nimbers, asked }
    }

    fn declared(&self) -> Declared<'static, 'b> {
        Declared { bound: self.bound, codec: None, proved: self.proved, keeps: Keeps::Outcome }
    }

    /// Values the parts: by nimbers, or by canonical forms where the players' moves differ.
    fn run(&self, parts: &impl Parted, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let declared = self.declared().check(&self.start, monitor)?;
        monitor.enter_search("valuing parts");
        match self.nimbers {
            true => parts.valued(self, Nimbers, declared, monitor),
            false => {
                let forms = |monitor: &mut Monitor| parts.valued(self, CanonicalForms::new(monitor), declared, monitor);
                sparing(self.asked, monitor, forms)
            }
        }
    }

    /// What is known once the start is a sum of these values, after so many different parts.
    pub fn report<A: WinningAlgebra>(
        &self,
        algebra: &mut A,
        values: &[A::Value],
        parts: u64,
        declared: Option<Fact>,
    ) -> Result<Report, GivenUp> {
        let value = total(algebra, values, self.asked)?;
        let mut report = Report::new(Fact::no(format!("{parts} different parts were met and none repeats")));
        report.declared = declared;
        report.class = algebra.class(value)?;
        Ok(report)
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
pub(super) fn total<A: WinningAlgebra>(algebra: &mut A, values: &[A::Value], asked: bool) -> Result<A::Value, GivenUp> {
    let bytes = if asked { u64::MAX } else { SUM_BYTES };
    let count = values.len();
    algebra.total(values, bytes)?.ok_or_else(|| {
        GivenUp::Because(Reason::TooLarge(format!("the sum of {count} canonical forms is too large to write down")))
    })
}

/// Values that tell who wins.
pub(super) trait WinningAlgebra: Algebra<Value: 'static> + Sized + 'static {
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
    fn form(&mut self, value: Self::Value) -> Option<ValueText>;

    /// The arena, where values are canonical forms.
    fn arena(&mut self) -> Option<&mut Arena>;

    /// The value in the arena, where there is one.
    fn in_arena(value: Self::Value) -> Option<values::Value>;
}

impl WinningAlgebra for Nimbers {
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

    fn form(&mut self, _: u32) -> Option<ValueText> {
        None
    }

    fn arena(&mut self) -> Option<&mut Arena> {
        None
    }

    fn in_arena(_: u32) -> Option<values::Value> {
        None
    }
}

impl WinningAlgebra for CanonicalForms {
    const THEOREM: &'static str = "sums of canonical forms";

    fn verdict(&mut self, value: values::Value, mover: Player) -> Result<Verdict, Error> {
        let outcome = self.arena.outcome(value).map_err(boards::canonical::of_values)?;
        let wins = mover_wins(outcome, mover);
        Ok(Verdict::outcome_in(if wins { Outcome::Win } else { Outcome::Loss }, None))
    }

    fn verdict_of(
        &mut self,
        values: &[values::Value],
        mover: Player,
        search: &mut SumSearch,
    ) -> Result<Verdict, Error> {
        let wins = search.wins(&mut self.arena, values, side_of(mover)).map_err(boards::canonical::of_values)?;
        Ok(Verdict::outcome_in(if wins { Outcome::Win } else { Outcome::Loss }, None))
    }

    fn class(&mut self, value: values::Value) -> Result<Option<OutcomeClass>, Error> {
        let outcome = self.arena.outcome(value).map_err(boards::canonical::of_values)?;
        Ok(Some(outcome))
    }

    fn total(&mut self, values: &[values::Value], bytes: u64) -> Result<Option<values::Value>, Error> {
        self.total_within(values, bytes)
    }

    fn form(&mut self, value: values::Value) -> Option<ValueText> {
        ValueText::of(&mut self.arena, value).ok()
    }

    fn arena(&mut self) -> Option<&mut Arena> {
        Some(&mut self.arena)
    }

    fn in_arena(value: values::Value) -> Option<values::Value> {
        Some(value)
    }
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

/// The parts that whole positions fall into, with their values.
pub(super) trait Parts {
    /// What values are added by.
    type Algebra: WinningAlgebra;
    /// What is known of a position before its moves are rated.
    type Context;

    /// The algebra.
    fn algebra(&mut self) -> &mut Self::Algebra;

    /// The value of a position; `None` if it has none here.
    fn value(&mut self, position: &Position) -> Result<Option<<Self::Algebra as Algebra>::Value>, Error>;

    /// The verdict on a position.
    fn verdict(&mut self, position: &Position) -> Result<Option<Verdict>, Error>;

    /// The parts of a position, where values are canonical forms.
    fn valued(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Vec<ValuedPart>, GivenUp>;

    /// Looks at a position whose moves are to be rated.
    fn context(&mut self, position: &Position) -> Result<Self::Context, SolveError>;

    /// The verdict on what a move leaves.
    fn rate(&mut self, context: &Self::Context, position: &Position, play: &Play) -> Result<Option<Verdict>, Error>;
}

/// Answers by the values of all parts that were met.
pub(super) struct PartAnswers<'b, P> {
    bound: &'b Bound,
    start: Position,
    count: u64,
    parts: RefCell<P>,
    last_stop: LastStop,
}

impl<'b, P: Parts> PartAnswers<'b, P> {
    /// Answers for a game of which so many different parts were met.
    pub fn new(whole: &Whole<'b>, count: u64, parts: P) -> PartAnswers<'b, P> {
        let (parts, last_stop) = (RefCell::new(parts), LastStop::default());
        PartAnswers { bound: whole.bound, start: whole.start.clone(), count, parts, last_stop }
    }
}

impl<P: Parts> Answers for PartAnswers<'_, P> {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.last_stop.unless(self.parts.borrow_mut().verdict(position))
    }

    fn missing(&self, game: &Bound, position: &Position) -> SolveError {
        self.last_stop.why().unwrap_or_else(|| unknown(game, position))
    }

    fn value_text(&self, position: &Position) -> Option<ValueText> {
        let parts = &mut *self.parts.borrow_mut();
        let value = self.last_stop.unless(parts.value(position))?;
        parts.algebra().form(value)
    }

    fn part_values(&self, work: &mut dyn FnMut(&mut dyn PartValuer)) -> bool {
        let parts = &mut *self.parts.borrow_mut();
        if parts.algebra().arena().is_none() {
            return false;
        }
        work(&mut Lent(parts));
        true
    }

    fn positions(&self) -> u64 {
        self.count
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Theorem(P::Algebra::THEOREM.to_string())
    }

    fn knows_lengths(&self) -> bool {
        false
    }

    fn rater<'a>(&'a self, position: &'a Position) -> Result<Rater<'a>, SolveError> {
        let context = self.parts.borrow_mut().context(position)?;
        Ok(Box::new(move |play| self.last_stop.unless(self.parts.borrow_mut().rate(&context, position, play))))
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

/// Parts that are lent to whoever asks for their canonical forms.
struct Lent<'a, P>(&'a mut P);

impl<P: Parts> PartValuer for Lent<'_, P> {
    fn parts(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Vec<ValuedPart>, GivenUp> {
        self.0.valued(position, monitor)
    }

    fn in_arena(&mut self, work: &mut dyn FnMut(&mut Arena)) {
        if let Some(arena) = self.0.algebra().arena() {
            work(arena);
        }
    }
}
