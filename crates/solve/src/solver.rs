//! Carrying out a plan: from a bound game to a table that answers for every position that was met.

use game::{End, Nimber, Outcome, OutcomeClass, Player};
use rules::bind::{Bound, Position};
use rules::diagnostic::Diagnostic;
use rules::show;

use crate::audit::Audit;
use crate::check::Amount;
use crate::error::SolveError;
use crate::graph::Id;
use crate::induction::induction;
use crate::monitor::Monitor;
use crate::plan::{Kind, Method, Plan};
use crate::play::{self, Play};
use crate::positions::parts::Parts;
use crate::positions::state::StateGraph;
use crate::positions::sum::SumGraph;
use crate::positions::{Numbered, Worth as Keeps};
use crate::properties::{self, Fact};
use crate::repeats;
use crate::retrograde::{Forever, retrograde};
use crate::valuation::{Nimbers, Outcomes, Payoffs, Scores, Total};
use crate::verdict::{RatedMove, Verdict, Worth};

/// What is asked beyond the answer itself.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A method that must be used.
    pub method: Option<Method>,
    /// Compare the totals of all positions, where the rules do not show that they are constant.
    pub check_total: bool,
    /// Whether the rules are compiled.
    pub engine: Engine,
    /// How many positions of the finished table [`crate::answer::answer`] has the interpreter value again.
    pub check: Option<Amount>,
    /// At most so many threads; 0 is as many as there are cores.
    pub threads: usize,
}

impl Options {
    /// How many threads may be used.
    pub fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads => threads,
        }
    }
}

/// What runs the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Compiled code where that pays, the interpreter for the smallest games and where rules cannot be compiled.
    #[default]
    Auto,
    /// The interpreter.
    Interpreted,
    /// Compiled code wherever that is possible, however small the game.
    Compiled,
}

/// A solved game: every position that can be reached from the start has a verdict.
pub struct Solved<'b> {
    /// The game.
    pub bound: &'b Bound,
    /// How it was solved.
    pub plan: Plan,
    /// The position that was asked about.
    pub start: Position,
    /// Who wins whoever starts, where the game has that.
    pub class: Option<OutcomeClass>,
    /// Why it is not known who wins whoever starts, where the question was asked.
    pub class_missing: Option<String>,
    /// Whether positions repeat, as found by the search.
    pub cyclic: Fact,
    /// Whether all gains add up to the same total, where that was looked at.
    pub constant_total: Option<Fact>,
    /// What the file declares of its positions, and where that was checked.
    pub declared: Option<Fact>,
    /// How many positions were met (parts, where the parts were solved).
    pub positions: u64,
    table: Table<'b>,
}

/// The values of all positions, by kind.
enum Table<'b> {
    Outcomes(Box<dyn Numbered + 'b>, Outcomes),
    Scores(Box<dyn Numbered + 'b>, Scores),
    Payoffs(Box<dyn Numbered + 'b>, Payoffs),
    Nimbers(Box<Parts<'b>>, Nimbers),
}

/// Solves the game from a position on.
pub fn solve<'b>(
    bound: &'b Bound,
    start: &Position,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Solved<'b>, SolveError> {
    let plan = Plan::new(bound, options.method)?;
    let mut run = Run { bound, start, plan, options, class_missing: None, monitor };
    let (table, class, cyclic, constant_total) = match run.plan.kind {
        _ if run.plan.method == Method::Grundy => run.grundy()?,
        Kind::Outcome => run.outcomes()?,
        Kind::Score => run.scores()?,
        Kind::Payoffs | Kind::Winners => run.payoffs()?,
    };
    let positions = match &table {
        Table::Outcomes(graph, _) | Table::Scores(graph, _) | Table::Payoffs(graph, _) => graph.len(),
        Table::Nimbers(parts, _) => crate::graph::Graph::len(&**parts) - 1,
    };
    let audit = match &table {
        Table::Outcomes(graph, _) | Table::Scores(graph, _) | Table::Payoffs(graph, _) => graph.audit(),
        Table::Nimbers(parts, _) => parts.audit(),
    };
    let declared = audit.map(Audit::report);
    let (plan, class_missing) = (run.plan, run.class_missing);
    let (start, positions) = (start.clone(), positions as u64);
    Ok(Solved { bound, plan, start, class, class_missing, cyclic, constant_total, declared, positions, table })
}

type Found<'b> = (Table<'b>, Option<OutcomeClass>, Fact, Option<Fact>);

/// One solve under way.
struct Run<'b, 'r> {
    bound: &'b Bound,
    start: &'r Position,
    plan: Plan,
    options: &'r Options,
    class_missing: Option<String>,
    monitor: &'r mut Monitor,
}

impl<'b> Run<'b, '_> {
    fn graph(&self, keeps: Keeps) -> Result<Box<dyn Numbered + 'b>, SolveError> {
        let memory = self.monitor.memory();
        Ok(match &self.bound.program.sum {
            Some(_) => Box::new(SumGraph::new(self.bound, keeps, self.plan.with_turn, memory)?),
            None => Box::new(StateGraph::new(self.bound, keeps, self.plan.with_turn, memory)),
        })
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
            Err(SolveError::Cycle(_)) if self.options.method.is_none() => {
                drop((parts, nimbers));
                self.plan.method = Method::Induction;
                self.plan.why =
                    "a part can repeat, so that Grundy numbers do not exist: the sum is searched as a whole"
                        .to_string();
                self.outcomes()
            }
            Err(SolveError::Cycle(cycle)) => {
                let positions =
                    cycle.iter().map(|&id| Position { parts: vec![parts.cells(id).into()], turn: Player::FIRST });
                let shown = repeats::cycle_text(self.bound, &positions.collect::<Vec<_>>());
                Err(SolveError::NotApplicable(format!(
                    "the method `grundy` does not apply: a part can repeat: {shown}"
                )))
            }
            Err(error) => Err(error),
        }
    }

    fn outcomes(&mut self) -> Result<Found<'b>, SolveError> {
        if self.plan.method == Method::Retrograde {
            return self.retrograde("asked for");
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
            Err(SolveError::Cycle(cycle)) => Err(repeats::refuse(self.bound, &self.plan, graph, &cycle)),
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

impl Solved<'_> {
    /// What is known of a position; `None` if it cannot be reached from the start.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        match &self.table {
            Table::Outcomes(graph, values) => {
                let id = graph.find(position)?;
                let (outcome, remoteness) = values.get(id)?;
                Some(Verdict::Outcome { outcome, remoteness, nimber: values.nimber(id) })
            }
            Table::Scores(graph, values) => values.get(graph.find(position)?).map(Verdict::Score),
            Table::Payoffs(graph, values) => {
                let id = graph.find(position)?;
                Some(Verdict::Payoffs { totals: values.get(id)?, unique: values.unique(id) })
            }
            Table::Nimbers(parts, values) => {
                let mut nimber = 0;
                for part in &position.parts {
                    nimber ^= values.get(parts.find(part)?)?;
                }
                Some(Verdict::Nimber(nimber))
            }
        }
    }

    /// How the game ends here by an `end` rule or because nobody can move; `None` where it goes on.
    pub fn end(&self, position: &Position) -> Result<Option<End>, SolveError> {
        play::end(self.bound, position)
    }

    /// Every legal move of a position that was met, in order, rated for the player to move.
    pub fn moves(&self, position: &Position) -> Result<Vec<RatedMove>, SolveError> {
        let verdict = self.verdict(position).ok_or_else(|| unknown(self.bound, position))?;
        let mover = position.turn;
        let mut rated = Vec::new();
        for play in play::plays(self.bound, position)? {
            let option = self.verdict_after(position, &verdict, &play)?;
            let worth = worth(&play, &option, mover)?;
            rated.push(RatedMove { play, worth, nimber: option.nimber(), best: false, fast: false });
        }
        let Some(best) = rated.iter().map(|mv| &mv.worth).max_by(|a, b| preference(a, b, mover)).cloned() else {
            return Ok(rated);
        };
        for mv in &mut rated {
            mv.best = mv.worth.keeps(&best, mover);
            mv.fast = match (&mv.worth, verdict.remoteness()) {
                (Worth::Outcome(_, remoteness), Some(wanted)) => mv.best && *remoteness == Some(wanted),
                _ => false,
            };
        }
        Ok(rated)
    }

    /// The verdict on the option of a move. In a sum of nimbers only the part that changes is looked at.
    fn verdict_after(&self, position: &Position, verdict: &Verdict, play: &Play) -> Result<Verdict, SolveError> {
        if let (Table::Nimbers(..), Verdict::Nimber(nimber)) = (&self.table, verdict) {
            let before = self.part_nimber(&position.parts[play.part])?;
            let after = play.into.iter().try_fold(0, |sum, part| self.part_nimber(part).map(|n| sum ^ n))?;
            return Ok(Verdict::Nimber(nimber ^ before ^ after));
        }
        let option = play.option(position);
        self.verdict(&option).ok_or_else(|| unknown(self.bound, &option))
    }

    /// The Grundy number of one part, where the parts were solved one by one.
    pub(crate) fn part_nimber(&self, part: &[i64]) -> Result<Nimber, SolveError> {
        let known = match &self.table {
            Table::Nimbers(parts, values) => parts.find(part).and_then(|id| values.get(id)),
            _ => None,
        };
        known.ok_or_else(|| SolveError::Internal("a part has no Grundy number".to_string()))
    }

    /// The number of a position in the table: the same for positions that only differ in the order of their parts, or in
    /// parts where nobody can move.
    pub(crate) fn number(&self, position: &Position) -> Option<Id> {
        match &self.table {
            Table::Outcomes(graph, _) | Table::Scores(graph, _) | Table::Payoffs(graph, _) => graph.find(position),
            Table::Nimbers(..) => None,
        }
    }

    /// How many places the table has, for [`Solved::position_at`].
    pub fn places(&self) -> u64 {
        match &self.table {
            Table::Outcomes(graph, _) | Table::Scores(graph, _) | Table::Payoffs(graph, _) => graph.len() as u64,
            Table::Nimbers(parts, _) => crate::graph::Graph::len(&**parts) as u64,
        }
    }

    /// The position at a place of the table, in no particular order; `None` where there is none with a value.
    pub fn position_at(&self, place: u64) -> Option<Position> {
        let id = Id::try_from(place).ok().filter(|_| place < self.places())?;
        let position = match &self.table {
            Table::Outcomes(graph, _) | Table::Scores(graph, _) | Table::Payoffs(graph, _) => graph.position(id),
            Table::Nimbers(_, _) if id == crate::positions::parts::NOTHING => return None,
            Table::Nimbers(parts, _) => Position { parts: vec![parts.cells(id).into()], turn: self.start.turn },
        };
        self.verdict(&position).is_some().then_some(position)
    }

    /// Whether the parts of a sum were solved one by one.
    pub(crate) fn by_parts(&self) -> bool {
        matches!(self.table, Table::Nimbers(..))
    }
}

fn unknown(bound: &Bound, position: &Position) -> SolveError {
    SolveError::Internal(format!("the position {} has no value", show::position_text(bound, position)))
}

/// Which of two moves the mover likes better; the speed does not count.
fn preference(a: &Worth, b: &Worth, mover: Player) -> std::cmp::Ordering {
    match (a, b) {
        (Worth::Outcome(a, _), Worth::Outcome(b, _)) => a.cmp(b),
        (Worth::Score(a), Worth::Score(b)) => a.cmp(b),
        (Worth::Payoffs(a), Worth::Payoffs(b)) => a[mover.index()].cmp(&b[mover.index()]),
        _ => std::cmp::Ordering::Equal,
    }
}

/// What a move is worth to the mover, from the verdict on its option.
fn worth(play: &Play, option: &Verdict, mover: Player) -> Result<Worth, SolveError> {
    let same = play.turn == mover;
    Ok(match option {
        Verdict::Score(value) => {
            let gain = Keeps::Score.gain(&play.gains, mover)?;
            let value = if same { Some(*value) } else { value.checked_neg() };
            Worth::Score(value.and_then(|value| gain.checked_add(value)).ok_or(SolveError::Overflow)?)
        }
        Verdict::Payoffs { totals, .. } => {
            let add = |(player, total): (usize, &i64)| {
                play.gains.get(player).copied().unwrap_or(0).checked_add(*total).ok_or(SolveError::Overflow)
            };
            Worth::Payoffs(totals.iter().enumerate().map(add).collect::<Result<_, _>>()?)
        }
        verdict => {
            let outcome = verdict.outcome().unwrap_or(Outcome::Draw);
            let remoteness = verdict.remoteness().map(|moves| moves + 1);
            Worth::Outcome(if same { outcome } else { -outcome }, remoteness)
        }
    })
}
