//! `induction`: every position after its options, found by a depth-first search. It values every kind of game, as long as
//! positions do not repeat.

use engine::Error;
use engine::graph::Id;
use engine::induction::induction;
use engine::monitor::Monitor;
use engine::valuation::{Outcomes, Payoffs, Scores, Total, Valuation};
use rules::bind::{Bound, Position};
use rules::show;

use super::graphs::{ById, GraphAnswers, Graphs};
use super::sampling::sampled;
use crate::answers::outcome_class;
use crate::case::{Case, Kind};
use crate::error::{Reason, SolveError};
use crate::facts::Fact;
use crate::methods::{Ability, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::options::MethodName;
use engine::numbers::grouped;
use positions::cost;
use positions::oracle::{Keeps, Numbered, other_to_move};
use positions::remembered::Remembered;
use positions::repeats;

/// Its name.
const NAME: MethodName = MethodName::new("induction");

/// The method.
pub(super) struct Induction;

impl Method for Induction {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "Every position after its options"
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(ability, Ability::EveryPosition | Ability::EveryPart)
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        if case.gave_up_with(NAME).is_some() || (case.cycle().is_some() && case.options.method.is_none()) {
            return Ok(Look::no("positions repeat"));
        }
        let facts = &case.facts;
        let repeating = match facts.kind {
            Kind::Outcome => "if positions turn out to repeat, retrograde analysis takes over",
            _ => "positions that repeat would be refused",
        };
        let mut why = format!("each position is valued once, after all its options; {repeating}");
        if let Some(reason) = case.values_missing() {
            why.push_str(&format!("; {reason}"));
        }
        let sampled = sampled(case, monitor)?;
        let (graphs, code) = Graphs::new(case, sampled.as_ref());
        let mut cost = sampled.map(|sampled| graphs.cost(&sampled)).unwrap_or_default();
        if let Some(sampled) = sampled.filter(|_| matches!(facts.kind, Kind::Payoffs | Kind::Winners)) {
            cost = cost::with_payoffs(cost, &sampled);
        }
        let acyclic = graphs.acyclic.clone();
        let prepared = PreparedInduction {
            bound: case.bound,
            start: case.start.clone(),
            graphs,
            kind: facts.kind,
            nimbers: facts.nimbers,
            partizan: facts.partizan,
            total: facts.total_is_proved(),
            check_total: case.options.check_total,
            acyclic: acyclic.clone().or_else(|| Some(facts.acyclic.clone()).filter(|fact| fact.holds)),
        };
        Ok(Look::yes(Prospect { cost, acyclic, is_decisive: false, ..Prospect::new(why, code, prepared) }))
    }
}

struct PreparedInduction<'b> {
    bound: &'b Bound,
    start: Position,
    graphs: Graphs<'b>,
    kind: Kind,
    nimbers: bool,
    partizan: bool,
    /// That all gains add up to one total, where the rules show it.
    total: Option<Fact>,
    check_total: bool,
    /// That positions cannot repeat, where the rules show it.
    acyclic: Option<Fact>,
}

impl<'b> Prepared<'b> for PreparedInduction<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        self.solve(None, monitor)
    }

    fn run_from(&self, looked_at: Remembered<'b>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        self.solve(Some(looked_at), monitor)
    }
}

impl<'b> PreparedInduction<'b> {
    fn solve(&self, looked_at: Option<Remembered<'b>>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        match self.kind {
            Kind::Outcome => self.outcomes(self.graphs.go_on(looked_at, Keeps::Outcome, monitor)?, monitor),
            Kind::Score => self.scores(looked_at, monitor),
            Kind::Payoffs | Kind::Winners => self.payoffs(looked_at, monitor),
        }
    }

    fn outcomes(&self, mut graph: Box<dyn Numbered + 'b>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let memory = monitor.memory().clone();
        let mut values = if self.nimbers { Outcomes::with_nimbers(&memory) } else { Outcomes::new(&memory) };
        let root = self.number(&mut *graph, &self.start)?;
        let mut roots = vec![root];
        if self.partizan {
            roots.push(self.number(&mut *graph, &other_to_move(&self.start))?);
        }
        let mut class_missing = None;
        match induction(&mut *graph, &roots, &mut values, monitor) {
            Ok(()) => {}
            Err(error @ (Error::Interrupted { .. } | Error::Dear { .. })) => return Err(error.into()),
            // The question who wins if the other player starts is a second one: the first has its answer.
            Err(error) if values.get(root).is_some() => {
                let why = match error {
                    Error::Cycle(_) => error.to_string(),
                    error => graph.placed(self.bound, error).to_string(),
                };
                class_missing = Some(format!("if {} starts: {why}", self.start.turn.other()));
            }
            Err(error) => return Err(self.stopped(error, &*graph)),
        }
        let mut report = self.report(&*graph, monitor)?;
        if self.partizan && class_missing.is_none() {
            class_missing = self.graphs.other_start(&*graph, &self.start, monitor)?;
        }
        let answers = GraphAnswers { graph, values, repeats: false };
        let asked = self.partizan && class_missing.is_none();
        report.class = asked.then(|| outcome_class(&answers, &self.start)).flatten();
        report.class_missing = class_missing;
        Ok(Found { answers: Box::new(answers), report })
    }

    fn scores(&self, looked_at: Option<Remembered<'b>>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let check = self.check_total && self.total.is_none();
        let keeps = if check { Keeps::ScoreAndGains } else { Keeps::Score };
        let graph = self.graphs.go_on(looked_at, keeps, monitor)?;
        self.gains(graph, Scores::new(monitor.memory()), check, monitor)
    }

    fn payoffs(&self, looked_at: Option<Remembered<'b>>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let two = self.kind == Kind::Payoffs && self.bound.players == 2;
        let check = self.total.is_none() && (two || (self.check_total && self.kind == Kind::Payoffs));
        let graph = self.graphs.go_on(looked_at, Keeps::Payoffs, monitor)?;
        self.gains(graph, Payoffs::new(self.bound.players, monitor.memory()), check, monitor)
    }

    /// Values of a game that is counted, with or without a check of the total.
    fn gains<V: Valuation + ById + 'b>(
        &self,
        mut graph: Box<dyn Numbered + 'b>,
        values: V,
        check: bool,
        monitor: &mut Monitor,
    ) -> Result<Found<'b>, GivenUp> {
        let mut values = (values, check.then(|| Total::new(self.bound.players, monitor.memory())));
        let root = self.number(&mut *graph, &self.start)?;
        induction(&mut *graph, &[root], &mut values, monitor).map_err(|error| self.stopped(error, &*graph))?;
        let (values, total) = values;
        let mut report = self.report(&*graph, monitor)?;
        report.constant_total = self.total.clone().or(total.map(|total| self.total_fact(&*graph, &total)));
        Ok(Found { answers: Box::new(GraphAnswers { graph, values, repeats: false }), report })
    }

    fn number(&self, graph: &mut dyn Numbered, position: &Position) -> Result<Id, SolveError> {
        graph.number(position).map_err(|error| graph.placed(self.bound, error))
    }

    /// What an error means. A cycle is a reason to give up where it has a meaning, and is shown where it has none.
    fn stopped(&self, error: Error, graph: &dyn Numbered) -> GivenUp {
        match error {
            Error::Cycle(cycle) => {
                let shown = repeats::describe(self.bound, graph, &cycle);
                match self.kind {
                    Kind::Outcome => GivenUp::Because(Reason::Cycle(shown)),
                    kind => repeats::refuse(self.bound, kind, cycle.len(), &shown).into(),
                }
            }
            error => graph.placed(self.bound, error).into(),
        }
    }

    fn report(&self, graph: &dyn Numbered, monitor: &mut Monitor) -> Result<Report, SolveError> {
        let why = match &self.acyclic {
            Some(fact) => fact.why.clone(),
            None => format!("the search met {} positions and none repeats", grouped(graph.len() as u64)),
        };
        let mut report = Report::new(Fact::no(why));
        report.declared = self.graphs.declared(graph, &self.start, Keeps::of(self.kind), monitor)?;
        Ok(report)
    }

    /// Whether all gains add up to one total, after all positions were compared.
    fn total_fact(&self, graph: &dyn Numbered, total: &Total) -> Fact {
        match total.broken() {
            None => Fact::yes(format!("compared over all {} positions", grouped(graph.len() as u64))),
            Some(broken) => {
                let position = show::position_text(self.bound, &graph.position(broken.position));
                Fact::no(format!("the total depends on how the game is played from the position {position}"))
            }
        }
    }
}
