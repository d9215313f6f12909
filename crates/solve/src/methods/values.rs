//! `values`: a sum in which the players' moves differ. Each part has a canonical form; these are added.
//!
//! Searched as a whole, a sum of twelve strings has as many positions as the twelve numbers of positions multiplied; valued
//! by parts, as many as they have in all.

use std::cell::RefCell;

use ::values::{Arena, Value};
use boards::contest::Source;
use boards::descent::{Options, Part, PartGraph, Values};
use boards::{Algebra, CanonicalForms, Owner};
use engine::Error;
use engine::interner::Id;
use engine::memory::Memory;
use engine::monitor::Monitor;
use game::{Player, Verdict};
use rules::bind::{Bound, Position};

use super::by_parts::parts_cost;
use super::by_values::{FEW, FORM_SECONDS, WinningAlgebra, part_repeats, sparing, total};
use super::sampling::sampled;
use crate::answers::{Answers, Positions, Proof, unknown};
use crate::case::{Case, PartKind};
use crate::error::{Reason, SolveError};
use crate::facts::{self, Fact};
use crate::methods::{Code, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::options::MethodName;
use crate::part_values::{PartValuer, Place, ValuedPart};
use crate::value_text::ValueText;
use positions::oracle::Keeps;
use positions::parts::{NOTHING, Parts};
use positions::repeats;

/// Its name.
pub(super) const NAME: MethodName = MethodName::new("values");
/// No sum of so many positions is searched as a whole.
const VERY_MANY: f64 = 1e6;

/// The method.
pub(super) struct ByValues;

impl Method for ByValues {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "The canonical forms of the parts of a sum"
    }

    fn values_parts(&self) -> Option<PartKind> {
        Some(PartKind::Rules)
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let facts = &case.facts;
        let asked = case.options.method.is_some();
        if !facts.partizan {
            return Ok(Look::no(
                "canonical forms are for games that the last mover wins and whose moves belong to players",
            ));
        }
        if !facts.sum.holds && !asked {
            return Ok(Look::no("the game is not a `sum of` parts"));
        }
        if facts::changes_turn(&case.bound.program) {
            return Ok(Look::no("turns do not alternate"));
        }
        if let Some(reason) = case.gave_up_with(NAME) {
            return Ok(Look::no(format!("it gave up: {reason}")));
        }
        let memory = monitor.memory().clone();
        let large = is_surely_large(case, &memory);
        // Where parts split, a sample that did not meet all positions may be far too low.
        let splits = facts::splits(&case.bound.program);
        let sample = if large { None } else { sampled(case, monitor)?.map(|sampled| sampled.sample) };
        let positions = sample.filter(|sample| sample.is_exact || !splits).map(|sample| sample.positions);
        if !asked && positions.is_some_and(|positions| positions < FEW) {
            return Ok(Look::no("there are few positions, and a table of them also tells how long play lasts"));
        }
        let mut cost = parts_cost(case, monitor)?.0;
        cost.seconds = cost.seconds.zip(cost.positions).map(|(moves, parts)| 2.0 * moves + parts as f64 * FORM_SECONDS);
        // What is told of very large sums is a guess.
        let is_decisive = cost.seconds.is_none() || positions.is_none_or(|positions| positions > VERY_MANY);
        let why = "a sum won by the last mover: each part has a canonical form, and these are added";
        let code = Code::Interpreted("the moves of each part are worked out once".to_string());
        let prepared = ValuesPlan { bound: case.bound, start: case.start.clone(), asked };
        let prospect = Prospect::new(why, code, prepared);
        let unit = case.unit_of_parts();
        Ok(Look::yes(Prospect { unit, cost, is_decisive, tells_lengths: false, ..prospect }))
    }
}

/// With so many different parts in which a player can move, for each player, a sum is large: after five moves each, there are
/// hundreds of thousands of ways to have chosen the parts.
const MANY_PARTS: usize = 15;

/// Whether a look at the parts alone tells that a sum is large.
fn is_surely_large(case: &Case<'_>, memory: &Memory) -> bool {
    let mut distinct: Vec<&[i64]> = case.start.parts.iter().map(|part| &**part).collect();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < MANY_PARTS {
        return false;
    }
    let Ok(mut parts) = Parts::new(case.bound, Keeps::Outcome, memory) else { return false };
    let movers = [Player::FIRST, Player::SECOND];
    let mut movable = |mover: Player| {
        let can_move = |part: &&&[i64]| parts.number(part).and_then(|id| parts.has_move(id, mover)).unwrap_or(false);
        distinct.iter().filter(can_move).take(MANY_PARTS).count() == MANY_PARTS
    };
    movers.into_iter().all(&mut movable)
}

struct ValuesPlan<'b> {
    bound: &'b Bound,
    start: Position,
    /// Whether there is no other method to turn to.
    asked: bool,
}

impl<'b> Prepared<'b> for ValuesPlan<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        monitor.enter("valuing parts");
        let (mut forms, value) = sparing(self.asked, monitor, |monitor| {
            let mut forms = RulesForms::new(self.bound, monitor)?;
            // The whole need not repeat where a part does, and has no canonical form all the same.
            let values = forms.values(&self.start, monitor).map_err(|given_up| match given_up {
                GivenUp::Because(Reason::Cycle(shown)) => {
                    GivenUp::Because(part_repeats(false, format!("a part comes back: {shown}")))
                }
                other => other,
            })?;
            let value = total(&mut forms.algebra, &values, self.asked)?;
            Ok((forms, value))
        })?;
        let met = forms.graph.met();
        let mut report = Report::new(Fact::no(format!("{met} different parts were met and none repeats")));
        report.declared = forms.graph.parts.audit().map(|audit| audit.report());
        report.class = forms.algebra.class(value)?;
        Ok(Found { answers: Box::new(FormAnswers { forms: RefCell::new(forms) }), report })
    }
}

/// Canonical forms of the parts of rules, as they are asked for.
pub(crate) struct RulesForms<'b, A = CanonicalForms> {
    bound: &'b Bound,
    graph: RulesParts<'b>,
    values: Values<Value>,
    algebra: A,
}

impl<'b, A: Algebra<Value = Value>> RulesForms<'b, A> {
    /// No form is known yet, and all will be in this algebra.
    pub fn over(bound: &'b Bound, algebra: A, monitor: &Monitor) -> Result<RulesForms<'b, A>, SolveError> {
        let graph = RulesParts::new(bound, monitor)?;
        let values = Values::new(monitor.memory());
        Ok(RulesForms { bound, graph, values, algebra })
    }

    /// At most so many parts are looked at, in so many steps of the interpreter.
    pub fn at_most(mut self, parts: u64, steps: u64) -> RulesForms<'b, A> {
        (self.graph.most, self.graph.most_steps) = (parts, steps);
        self
    }

    /// How many parts were met.
    pub fn met(&self) -> u64 {
        self.graph.met()
    }

    /// Whether no more parts may be looked at.
    pub fn is_spent(&self) -> bool {
        self.graph.is_spent()
    }

    /// The parts of a position with their forms.
    pub fn parts(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Vec<ValuedPart>, GivenUp> {
        let valued = |(number, value)| ValuedPart { place: Place::Part(number), value };
        Ok(self.values(position, monitor)?.into_iter().enumerate().map(valued).collect())
    }

    /// The forms of the parts of a position.
    fn values(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Vec<Value>, GivenUp> {
        let mut values = Vec::with_capacity(position.parts.len());
        for part in &position.parts {
            let id = self.graph.parts.number(part).map_err(|error| self.graph.parts.placed(error))?;
            let valued = self.values.value(Part::new(id, false), &mut self.graph, &mut self.algebra, monitor);
            values.push(valued.map_err(|error| self.placed(error))?);
        }
        Ok(values)
    }

    fn placed(&self, error: Error) -> GivenUp {
        match error {
            Error::Cycle(cycle) => {
                let position = |&id: &u64| {
                    let cells = self.graph.parts.cells(id as Id).into();
                    Position { parts: vec![cells], turn: Player::FIRST }
                };
                let positions: Vec<Position> = cycle.iter().map(position).collect();
                GivenUp::Because(Reason::Cycle(repeats::cycle_text(self.bound, &positions)))
            }
            error => self.graph.parts.placed(error).into(),
        }
    }
}

impl<'b> RulesForms<'b> {
    /// No form is known yet.
    pub fn new(bound: &'b Bound, monitor: &Monitor) -> Result<RulesForms<'b>, SolveError> {
        RulesForms::over(bound, CanonicalForms::new(monitor), monitor)
    }

    /// The form of a position whose parts are known.
    fn known(&mut self, position: &Position) -> Result<Option<Value>, Error> {
        let mut sum = self.algebra.zero();
        for part in &position.parts {
            let Some(id) = self.graph.parts.find(part) else { return Ok(None) };
            let Some(value) = self.values.known(Part::new(id, false), &mut self.algebra)? else { return Ok(None) };
            sum = self.algebra.add(sum, value)?;
        }
        Ok(Some(sum))
    }
}

impl PartValuer for RulesForms<'_> {
    fn parts(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Vec<ValuedPart>, GivenUp> {
        RulesForms::parts(self, position, monitor)
    }

    fn in_arena(&mut self, work: &mut dyn FnMut(&mut Arena)) {
        work(&mut self.algebra.arena);
    }
}

/// Parts of rules as a graph of parts.
pub(super) struct RulesParts<'b> {
    parts: Parts<'b>,
    most: u64,
    most_steps: u64,
}

impl<'b> RulesParts<'b> {
    /// No part is met yet.
    pub fn new(bound: &'b Bound, monitor: &Monitor) -> Result<RulesParts<'b>, SolveError> {
        Ok(RulesParts {
            parts: Parts::new(bound, Keeps::Outcome, monitor.memory())?,
            most: u64::MAX,
            most_steps: u64::MAX,
        })
    }

    /// The part with these variables.
    pub fn part(&mut self, cells: &[i64]) -> Result<Part, Error> {
        self.parts.number(cells).map(|id| Part::new(id, false))
    }

    /// Whether no more parts may be looked at.
    fn is_spent(&self) -> bool {
        self.met() > self.most || engine::graph::Graph::steps(&self.parts) > self.most_steps
    }

    /// An error with the part that it is about.
    pub fn error(&self, error: Error) -> SolveError {
        self.parts.placed(error)
    }
}

impl Source for RulesParts<'_> {
    fn at_most(&mut self, parts: u64) {
        self.most = parts;
    }
}

impl PartGraph for RulesParts<'_> {
    fn expand(&mut self, part: Id, options: &mut Options) -> Result<(), Error> {
        if self.is_spent() {
            let (parts, steps) = (self.most, self.most_steps);
            return Err(Error::NotApplicable(format!("more than {parts} parts, or {steps} steps of the rules")));
        }
        for (mover, owner) in [(Player::FIRST, Owner::Left), (Player::FIRST.other(), Owner::Right)] {
            for mv in self.parts.moves(part, mover)? {
                options.begin(owner);
                for &into in mv.into.iter().filter(|&&into| into != NOTHING) {
                    options.add(Part::new(into, false));
                }
            }
        }
        Ok(())
    }

    fn met(&self) -> u64 {
        engine::graph::Graph::len(&self.parts) as u64 - 1
    }
}

/// Answers from the forms of all parts.
struct FormAnswers<'b> {
    forms: RefCell<RulesForms<'b>>,
}

impl FormAnswers<'_> {
    fn known(&self, position: &Position) -> Result<Option<Verdict>, Error> {
        let mut forms = self.forms.borrow_mut();
        let Some(value) = forms.known(position)? else { return Ok(None) };
        forms.algebra.verdict(value, position.turn).map(Some)
    }
}

impl Answers for FormAnswers<'_> {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.known(position).ok().flatten()
    }

    fn missing(&self, game: &Bound, position: &Position) -> SolveError {
        match self.known(position) {
            Err(error) => error.into(),
            Ok(_) => unknown(game, position),
        }
    }

    fn positions(&self) -> u64 {
        self.forms.borrow().graph.met()
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Theorem(CanonicalForms::THEOREM.to_string())
    }

    fn knows_lengths(&self) -> bool {
        false
    }

    fn value_text(&self, position: &Position) -> Option<ValueText> {
        let mut forms = self.forms.borrow_mut();
        let value = forms.known(position).ok()??;
        ValueText::of(&mut forms.algebra.arena, value).ok()
    }

    fn part_values(&self, work: &mut dyn FnMut(&mut dyn PartValuer)) -> bool {
        work(&mut *self.forms.borrow_mut());
        true
    }

    fn each(&self, turn: Player) -> Positions<'_> {
        let forms = self.forms.borrow();
        let parts: Vec<Box<[i64]>> = forms.values.each().map(|(id, _)| forms.graph.parts.cells(id).into()).collect();
        Box::new(parts.into_iter().map(move |part| Position { parts: vec![part], turn }))
    }

    fn random(&self, turn: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        let forms = self.forms.borrow();
        forms.graph.parts.random(random).map(|part| Position { parts: vec![part], turn })
    }
}
