//! Carrying out a plan: from a bound game to a table that answers for every position that was met.

use game::{Outcome, OutcomeClass, Player};
use rules::bind::{Bound, Position};
use rules::diagnostic::Diagnostic;
use rules::show;

use crate::ahead::{self, AheadTable};
use crate::audit::Audit;
use crate::compiled::{self, Answered, Blueprint, Codec, Job, Machine, Route, Unanswered};
use crate::declared;
use crate::error::SolveError;
use crate::graph::Id;
use crate::heap::{self, HeapTable, Heaps, SEARCHED_HEAP};
use crate::induction::induction;
use crate::loopy::{NoValues, loopy_values};
use crate::monitor::Monitor;
use crate::options::Options;
use crate::plan::{CodePlan, Kind, Method, Plan};
use crate::positions::compiled::CompiledGraph;
use crate::positions::parts::Parts;
use crate::positions::state::StateGraph;
use crate::positions::sum::{SumGraph, grows};
use crate::positions::{Numbered, Worth as Keeps};
use crate::properties::{self, Fact};
use crate::quotient::{Explored, NoQuotient};
use crate::repeats;
use crate::retrograde::{Forever, retrograde};
use crate::row::{self, RowTable, TriangleTable};
use crate::solution::MOST_MOVES;
use crate::solved::Solved;
use crate::table::Table;
use crate::valuation::{Nimbers, Outcomes, Payoffs, Scores, Total};

/// The plan for a solve, with what is known of compiled code for it; nothing is compiled, searched or allocated.
pub fn plan(bound: &Bound, start: &Position, options: &Options, memory: u64) -> Result<Plan, SolveError> {
    let mut plan = Plan::new(bound, options.method)?;
    if heap::choose(bound, start, options, &mut plan)?.is_some()
        || row::choose(bound, start, options, &mut plan, memory)?.is_some()
        || ahead::choose(bound, start, options, &mut plan)?.is_some()
    {
        return Ok(plan);
    }
    match Blueprint::new(bound, start, &plan, options, memory) {
        Ok(blueprint) => blueprint.note(bound, &mut plan),
        Err(why) => plan.code = CodePlan::Interpreted(why.to_string()),
    }
    Ok(plan)
}

/// Solves the game from a position on.
pub fn solve<'b>(
    bound: &'b Bound,
    start: &Position,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Solved<'b>, SolveError> {
    let plan = Plan::new(bound, options.method)?;
    let mut run = Run { bound, start, plan, options, class_missing: None, declared: None, codec: None, monitor };
    if let Some(found) = run.heaps()? {
        return run.finish(found);
    }
    if let Some(found) = run.rows()? {
        return run.finish(found);
    }
    if let Some(found) = run.ahead()? {
        return run.finish(found);
    }
    if let Some(found) = run.compiled()? {
        return run.finish(found);
    }
    let found = run.interpreted()?;
    run.finish(found)
}

type Found<'b> = (Table<'b>, Option<OutcomeClass>, Fact, Option<Fact>);

/// One solve under way.
struct Run<'b, 'r> {
    bound: &'b Bound,
    start: &'r Position,
    plan: Plan,
    options: &'r Options,
    class_missing: Option<String>,
    declared: Option<Fact>,
    /// How positions are numbered, where the methods on graphs run with compiled options.
    codec: Option<Codec>,
    monitor: &'r mut Monitor,
}

impl<'b> Run<'b, '_> {
    fn finish(self, (table, class, cyclic, constant_total): Found<'b>) -> Result<Solved<'b>, SolveError> {
        let positions = table.positions();
        let declared = table.audit().map(Audit::report).or(self.declared);
        let (bound, plan, class_missing) = (self.bound, self.plan, self.class_missing);
        let start = self.start.clone();
        Ok(Solved { bound, plan, start, class, class_missing, cyclic, constant_total, declared, positions, table })
    }

    /// Solves a game of heaps; `None` if it is none.
    fn heaps(&mut self) -> Result<Option<Found<'b>>, SolveError> {
        let Some(heaps) = heap::choose(self.bound, self.start, self.options, &mut self.plan)? else { return Ok(None) };
        let Heaps { recognised, misere, top, shape } = heaps;
        let asked = self.options.method == Some(Method::Heap);
        let table = match HeapTable::new(recognised, misere, shape.sum, top, self.monitor) {
            Err(error) if misere && shape.sum && !asked && top < SEARCHED_HEAP && error.is_limit() => {
                self.plan = Plan::new(self.bound, self.options.method)?;
                self.plan.heap = Fact::no(error.to_string());
                return Ok(None);
            }
            table => table?,
        };
        self.plan.findings = table.findings();
        self.plan.code = CodePlan::Interpreted(table.describe());
        let cyclic = Fact::no("every move makes a heap smaller");
        Ok(Some((Table::Heaps(Box::new(table), shape), None, cyclic, None)))
    }

    /// Solves rows and stacks; `None` if these are none.
    fn rows(&mut self) -> Result<Option<Found<'b>>, SolveError> {
        let memory = self.monitor.memory().free();
        let chosen = row::choose(self.bound, self.start, self.options, &mut self.plan, memory)?;
        let table = match chosen {
            None => return Ok(None),
            Some(row::Chosen::Theorem(game)) => {
                let payoffs = self.plan.kind == Kind::Payoffs;
                let table = RowTable::new(game, self.start, payoffs, MOST_MOVES, self.monitor)?;
                table.check(self.bound)?;
                Table::Rows(Box::new(table))
            }
            Some(row::Chosen::Triangle(game, gains, plan)) => {
                let threads = self.options.threads();
                let table = TriangleTable::new(game, gains, &plan, self.start, threads, self.monitor)?;
                table.verdict(self.start).ok_or_else(|| overflow(self.bound, self.start))?;
                Table::Triangle(Box::new(table))
            }
        };
        let constant = self.plan.constant_total.clone();
        Ok(Some((table, None, Fact::no("every move takes an item"), constant)))
    }

    /// Solves a game that goes forward through a list; `None` if it is none.
    fn ahead(&mut self) -> Result<Option<Found<'b>>, SolveError> {
        let before = self.plan.clone();
        let Some(game) = ahead::choose(self.bound, self.start, self.options, &mut self.plan)? else { return Ok(None) };
        let table = match AheadTable::new(game, self.start, self.monitor) {
            Ok(table) => table,
            Err(ahead::NoValues::Error(error)) => return Err(error),
            Err(ahead::NoValues::Overflow) if self.options.method.is_some() => {
                return Err(overflow(self.bound, self.start));
            }
            Err(ahead::NoValues::Overflow) => {
                self.plan = before;
                return Ok(None);
            }
        };
        let cyclic = Fact::no("every move goes forward");
        let constant = self.plan.constant_total.clone().filter(|_| table.game.total_is_constant().is_some());
        Ok(Some((Table::Ahead(Box::new(table)), None, cyclic, constant)))
    }

    fn interpreted(&mut self) -> Result<Found<'b>, SolveError> {
        match self.plan.kind {
            _ if self.plan.method == Method::Grundy => self.grundy(),
            _ if self.plan.method == Method::Loopy => self.loopy(None),
            Kind::Outcome => self.outcomes(),
            Kind::Score => self.scores(),
            Kind::Payoffs | Kind::Winners => self.payoffs(),
        }
    }

    /// Solves with compiled code; `None` where the interpreter is to do it.
    fn compiled(&mut self) -> Result<Option<Found<'b>>, SolveError> {
        let memory = self.monitor.memory().free();
        let blueprint = match Blueprint::new(self.bound, self.start, &self.plan, self.options, memory) {
            Ok(blueprint) => blueprint,
            Err(why) => return self.not_compiled(why.to_string()),
        };
        blueprint.note(self.bound, &mut self.plan);
        let keeps = match self.plan.kind {
            Kind::Score => Keeps::Score,
            Kind::Outcome => Keeps::Outcome,
            Kind::Payoffs | Kind::Winners => Keeps::Payoffs,
        };
        self.declared = match blueprint.proves_what_is_declared(self.bound) {
            true => Some(Fact::yes(format!("{} × symmetry: proved from the rules", self.bound.symmetries.len()))),
            false => declared::check(self.bound, self.start, keeps, self.monitor)?,
        };
        if blueprint.route == Route::Graph {
            self.codec = Some(blueprint.codec);
            return Ok(None);
        }
        let job = Job::new(self.bound, self.start, &self.plan, self.options);
        self.monitor.enter("compiling");
        let answered =
            Machine::new(&job, &blueprint).and_then(|machine| compiled::run(&job, &blueprint, &machine, self.monitor));
        let answered = match answered {
            Ok(answered) => answered,
            Err(Unanswered::Error(error)) => return Err(error),
            Err(Unanswered::Overflow(position)) => return Err(overflow(self.bound, &position)),
            Err(Unanswered::NoCode(why)) => return self.not_compiled(why),
            Err(Unanswered::Cycle(cycle)) => {
                let shown = repeats::describe_positions(self.bound, &cycle, cycle.len(), &|a, b| a == b);
                return match (self.plan.kind, self.options.method) {
                    (Kind::Outcome, None) => {
                        self.codec = Some(blueprint.codec);
                        self.retrograde(&shown).map(Some)
                    }
                    (Kind::Outcome, Some(method)) => Err(SolveError::NotApplicable(format!(
                        "the method `{}` does not apply: positions repeat: {shown}",
                        method.name()
                    ))),
                    _ => Err(repeats::refuse(self.bound, &self.plan, cycle.len(), &shown)),
                };
            }
        };
        Ok(Some(self.answered(&blueprint, answered)))
    }

    /// Leaves it to the interpreter, unless a method was asked for that only compiled code has.
    fn not_compiled(&mut self, why: String) -> Result<Option<Found<'b>>, SolveError> {
        if let Some(method) = self.options.method.filter(|method| method.is_compiled()) {
            return Err(SolveError::NotApplicable(format!("the method `{}` does not apply: {why}", method.name())));
        }
        self.plan.code = CodePlan::Interpreted(why);
        Ok(None)
    }

    fn answered(&mut self, blueprint: &Blueprint, answered: Answered) -> Found<'b> {
        let Answered { table, route, why, cycle, code, class_missing } = answered;
        self.class_missing = class_missing;
        if let CodePlan::Compiled { code: place, .. } = &mut self.plan.code {
            *place = code;
        }
        let cyclic = match (&cycle, route) {
            (Some(cycle), _) => {
                let shown = repeats::describe_positions(self.bound, cycle, cycle.len(), &|a, b| a == b);
                Fact::yes(format!("the search found a cycle: {shown}"))
            }
            (None, Route::Retrograde) => Fact {
                holds: !self.plan.acyclic.holds,
                why: format!("not looked at; the rules: {}", self.plan.acyclic.why),
            },
            (None, _) if self.plan.acyclic.holds => Fact::no(self.plan.acyclic.why.clone()),
            (None, _) => Fact::no(format!("the search met {} positions and none repeats", table.positions())),
        };
        blueprint.set_method(route, why.unwrap_or(&blueprint.why), cycle.is_some(), &mut self.plan);
        let constant = self.plan.constant_total.clone().filter(|fact| fact.holds);
        let class = match self.plan.partizan && self.class_missing.is_none() && route != Route::Retrograde {
            true => self.class_in(&table),
            false => None,
        };
        (Table::Compiled(Box::new(table)), class, cyclic, constant)
    }

    /// Who wins whoever starts, from the verdicts with one or the other player to move.
    fn class_in(&self, table: &compiled::CompiledTable) -> Option<OutcomeClass> {
        let wins = |player: Player| {
            let verdict = table.verdict(&Position { turn: player, ..self.start.clone() })?;
            verdict.outcome().map(|outcome| (outcome == Outcome::Win, outcome == Outcome::Loss))
        };
        Some(OutcomeClass::new(wins(Player::FIRST)?.0, wins(Player::FIRST.other())?.1))
    }

    fn graph(&self, keeps: Keeps) -> Result<Box<dyn Numbered + 'b>, SolveError> {
        let memory = self.monitor.memory();
        Ok(match &self.bound.program.sum {
            Some(_) => Box::new(SumGraph::new(self.bound, keeps, self.plan.with_turn, memory)?),
            None if let Some(graph) = self.compiled_graph(keeps) => Box::new(graph),
            None => Box::new(StateGraph::new(self.bound, keeps, self.plan.with_turn, memory)),
        })
    }

    /// A graph with compiled options, where the blueprint says so and code can be made.
    fn compiled_graph(&self, keeps: Keeps) -> Option<CompiledGraph<'b>> {
        let codec = self.codec.clone()?;
        CompiledGraph::new(self.bound, keeps, codec, None, self.monitor.memory()).ok()
    }

    fn acyclic_after(&self, graph: &dyn Numbered) -> Fact {
        match self.plan.acyclic.holds {
            true => Fact::no(self.plan.acyclic.why.clone()),
            false => Fact::no(format!("the search met {} positions and none repeats", graph.len())),
        }
    }

    fn grundy(&mut self) -> Result<Found<'b>, SolveError> {
        let memory = self.monitor.memory().clone();
        let mut parts = Parts::new(self.bound, Keeps::Outcome, &memory)?;
        let mut nimbers = Nimbers::new(&memory);
        let roots = self.start.parts.iter().map(|part| parts.number(part)).collect::<Result<Vec<_>, _>>()?;
        match induction(&mut parts, &roots, &mut nimbers, self.monitor) {
            Ok(()) => {
                let cyclic = Fact::no(format!(
                    "the search met {} different parts and none repeats",
                    crate::graph::Graph::len(&parts) - 1
                ));
                Ok((Table::Nimbers(Box::new(parts), nimbers), None, cyclic, None))
            }
            Err(SolveError::Cycle(cycle)) => {
                let positions =
                    cycle.iter().map(|&id| Position { parts: vec![parts.cells(id).into()], turn: Player::FIRST });
                let shown = repeats::cycle_text(self.bound, &positions.collect::<Vec<_>>());
                if self.options.method.is_none() {
                    drop((parts, nimbers));
                    return self.loopy(Some(&shown));
                }
                Err(SolveError::NotApplicable(format!(
                    "the method `grundy` does not apply: a part can repeat: {shown}"
                )))
            }
            Err(error) => Err(error),
        }
    }

    /// Loopy nimbers, with a cycle that was found, or because they were asked for.
    fn loopy(&mut self, cycle: Option<&str>) -> Result<Found<'b>, SolveError> {
        let cyclic = match cycle {
            Some(cycle) => {
                self.plan.method = Method::Loopy;
                self.plan.why =
                    "a part can repeat, so that not all have Grundy numbers: each has a loopy nimber, and these add up"
                        .to_string();
                Fact::yes(format!("the search found a part that repeats: {cycle}"))
            }
            None => Fact {
                holds: !self.plan.acyclic.holds,
                why: format!("not looked at; the rules: {}", self.plan.acyclic.why),
            },
        };
        let memory = self.monitor.memory().clone();
        let table = if self.bound.program.sum.is_some() {
            let mut parts = Parts::new(self.bound, Keeps::Outcome, &memory)?;
            self.start.parts.iter().try_for_each(|part| parts.number(part).map(|_| ()))?;
            match loopy_values(&mut parts, self.monitor) {
                Ok(values) => Table::LoopyParts(Box::new(parts), values),
                Err(NoValues::Grows(part)) => return Err(grows(self.bound, &parts.cells(part))),
                Err(NoValues::Error(error)) => return Err(error),
            }
        } else {
            let mut graph = self.graph(Keeps::Outcome)?;
            graph.number(self.start)?;
            match loopy_values(&mut *graph, self.monitor) {
                Ok(values) => Table::Loopy(graph, values),
                Err(NoValues::Grows(_)) => return Err(SolveError::Internal("a single position grows".to_string())),
                Err(NoValues::Error(error)) => return Err(error),
            }
        };
        Ok((table, None, cyclic, None))
    }

    fn outcomes(&mut self) -> Result<Found<'b>, SolveError> {
        if self.plan.method == Method::Retrograde {
            return self.retrograde("asked for");
        }
        if let Some(found) = self.quotient()? {
            return Ok(found);
        }
        let mut graph = self.graph(Keeps::Outcome)?;
        let memory = self.monitor.memory().clone();
        let mut values = if self.plan.nimbers { Outcomes::with_nimbers(&memory) } else { Outcomes::new(&memory) };
        let root = graph.number(self.start)?;
        let mut roots = vec![root];
        if self.plan.partizan {
            roots.push(graph.number(&Position { turn: self.start.turn.other(), ..self.start.clone() })?);
        }
        match induction(&mut *graph, &roots, &mut values, self.monitor) {
            Ok(()) => {}
            Err(error @ SolveError::Interrupted { .. }) => return Err(error),
            // The question who wins if the other player starts is a second one: the first has its answer.
            Err(error) if values.get(root).is_some() => {
                let other = self.start.turn.other();
                self.class_missing = Some(format!("if {other} starts: {error}"));
            }
            Err(SolveError::Cycle(cycle)) if self.options.method.is_none() => {
                let shown = repeats::describe(self.bound, &*graph, &cycle);
                drop((graph, values));
                return self.retrograde(&shown);
            }
            Err(SolveError::Cycle(cycle)) => {
                let shown = repeats::describe(self.bound, &*graph, &cycle);
                return Err(SolveError::NotApplicable(format!(
                    "the method `induction` does not apply: positions repeat: {shown}"
                )));
            }
            Err(error) => return Err(error),
        }
        let class = roots.get(1).and_then(|&other| self.class(&values, root, other));
        let cyclic = self.acyclic_after(&*graph);
        Ok((Table::Outcomes(graph, values), class, cyclic, None))
    }

    /// Who wins whoever starts, from the two positions with one or the other player to move.
    fn class(&self, values: &Outcomes, mover: Id, other: Id) -> Option<OutcomeClass> {
        let (mover_wins, _) = values.get(mover)?;
        let (other_wins, _) = values.get(other)?;
        let (first, second) =
            if self.start.turn == Player::FIRST { (mover_wins, other_wins) } else { (other_wins, mover_wins) };
        Some(OutcomeClass::new(first == Outcome::Win, second == Outcome::Loss))
    }

    fn retrograde(&mut self, cycle: &str) -> Result<Found<'b>, SolveError> {
        self.plan.method = Method::Retrograde;
        let mut graph = self.graph(Keeps::Outcome)?;
        graph.number(self.start)?;
        let forever = self.bound.forever.map_or(Forever::Draw, Forever::Win);
        let values = retrograde(&mut *graph, forever, self.monitor)?;
        let cyclic = if self.options.method.is_some() {
            Fact {
                holds: !self.plan.acyclic.holds,
                why: format!("not looked at; the rules: {}", self.plan.acyclic.why),
            }
        } else {
            self.plan.why =
                "positions repeat: ends are carried back over the moves, and what is never reached is endless play"
                    .to_string();
            Fact::yes(format!("the search found a cycle: {cycle}"))
        };
        Ok((Table::Outcomes(graph, values), None, cyclic, None))
    }

    /// Solves a large misère sum by its quotient; `None` where it is to be searched.
    fn quotient(&mut self) -> Result<Option<Found<'b>>, SolveError> {
        let asked = self.options.method == Some(Method::Quotient);
        let misere = properties::last_mover_loses(&self.bound.program, self.bound.players);
        let fits = self.plan.sum.holds && self.plan.impartial.holds && misere;
        if !(asked || fits && self.options.method.is_none()) {
            return Ok(None);
        }
        let found = match fits {
            true => Explored::new(self.bound, self.start, self.monitor).and_then(|parts| {
                match asked || parts.is_large(self.start) {
                    true => parts.quotient(self.monitor).map(Some),
                    false => Ok(None),
                }
            }),
            false => Err(NoQuotient::Because("it is for sums in which who cannot move wins".to_string())),
        };
        let table = match found {
            Ok(Some(table)) => table,
            Ok(None) => return Ok(None),
            Err(NoQuotient::Because(why)) if asked => {
                return Err(SolveError::NotApplicable(format!("the method `quotient` does not apply: {why}")));
            }
            Err(NoQuotient::Error(error)) if asked || !error.is_limit() => return Err(error),
            Err(NoQuotient::Because(why)) => {
                self.plan.why = format!("{}; no misère quotient was found: {why}", self.plan.why);
                return Ok(None);
            }
            Err(NoQuotient::Error(_)) => return Ok(None),
        };
        if !asked {
            self.plan.why = "a misère sum: sums of the parts fall into few classes that can replace each other, \
                             and the product of the classes of its parts tells who wins"
                .to_string();
        }
        self.plan.method = Method::Quotient;
        self.plan.findings = table.describe(self.bound);
        self.plan.code = CodePlan::Interpreted("the moves of each part are worked out once".to_string());
        let cyclic = Fact::no(format!("{} different parts can come up, and none repeats", table.len() - 1));
        Ok(Some((Table::Quotient(Box::new(table)), None, cyclic, None)))
    }

    fn scores(&mut self) -> Result<Found<'b>, SolveError> {
        let proved = self.plan.constant_total.clone().filter(|fact| fact.holds);
        let check = self.options.check_total && proved.is_none();
        let mut graph = self.graph(if check { Keeps::ScoreAndGains } else { Keeps::Score })?;
        let memory = self.monitor.memory().clone();
        let mut values = (Scores::new(&memory), check.then(|| Total::new(self.bound.players, &memory)));
        let root = graph.number(self.start)?;
        let result = induction(&mut *graph, &[root], &mut values, self.monitor);
        self.counted(result, &*graph)?;
        let (scores, total) = values;
        let constant = proved.or(total.map(|total| total_fact(self.bound, &*graph, &total)));
        let cyclic = self.acyclic_after(&*graph);
        Ok((Table::Scores(graph, scores), None, cyclic, constant))
    }

    fn payoffs(&mut self) -> Result<Found<'b>, SolveError> {
        let two = self.plan.kind == Kind::Payoffs && self.bound.players == 2;
        let proved = self.plan.constant_total.clone().filter(|fact| fact.holds);
        let check = proved.is_none() && (two || (self.options.check_total && self.plan.kind == Kind::Payoffs));
        let mut graph = self.graph(Keeps::Payoffs)?;
        let memory = self.monitor.memory().clone();
        let mut values =
            (Payoffs::new(self.bound.players, &memory), check.then(|| Total::new(self.bound.players, &memory)));
        let root = graph.number(self.start)?;
        let result = induction(&mut *graph, &[root], &mut values, self.monitor);
        self.counted(result, &*graph)?;
        let (payoffs, total) = values;
        let constant = proved.or(total.map(|total| total_fact(self.bound, &*graph, &total)));
        let cyclic = self.acyclic_after(&*graph);
        Ok((Table::Payoffs(graph, payoffs), None, cyclic, constant))
    }

    /// A cycle in a game that has no meaning with one becomes an error that shows it.
    fn counted(&self, result: Result<(), SolveError>, graph: &dyn Numbered) -> Result<(), SolveError> {
        match result {
            Err(SolveError::Cycle(cycle)) => {
                let shown = repeats::describe(self.bound, graph, &cycle);
                Err(repeats::refuse(self.bound, &self.plan, cycle.len(), &shown))
            }
            Err(SolveError::OverflowAt(position)) => Err(overflow(self.bound, &graph.position(position))),
            other => other,
        }
    }
}

/// The error for a total that does not fit, at the place where the game gains and with the position.
pub(crate) fn overflow(bound: &Bound, position: &Position) -> SolveError {
    let place = properties::first_number(&bound.program).unwrap_or(bound.program.name_span);
    let title = "overflow: the total of the gains does not fit in 64 bits";
    let diagnostic = Diagnostic::at(place, title, "gains are added up from here")
        .note(format!("in the position {} and what follows it", show::position_text(bound, position)))
        .help("totals and differences reach from -9223372036854775808 to 9223372036854775807");
    SolveError::Fault(diagnostic.into())
}

/// Whether all gains add up to one total, after all positions were compared.
fn total_fact(bound: &Bound, graph: &dyn Numbered, total: &Total) -> Fact {
    match total.broken() {
        None => Fact::yes(format!("compared over all {} positions", graph.len())),
        Some(broken) => {
            let position = show::position_text(bound, &graph.position(broken.position));
            Fact::no(format!("the total depends on how the game is played from the position {position}"))
        }
    }
}
