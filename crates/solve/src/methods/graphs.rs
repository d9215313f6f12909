//! What the methods on graphs share: which graph a case is explored as, and answers by the numbers of positions.

use std::sync::Arc;

use engine::Error;
use engine::graph::Id;
use engine::monitor::Monitor;
use engine::valuation::{Outcomes, Payoffs, Scores};
use formula::study::Study;
use game::{Player, Verdict};
use jit::program::Rules;
use rules::bind::{Bound, Position};

use crate::answers::{Answers, Positions, Proof};
use crate::case::{Case, SEARCHED_WHOLE, Sampled};
use crate::error::SolveError;
use crate::facts::Fact;
use crate::methods::{Code, Cost};
use positions::audit::Proved;
use positions::coding::{Coding, Use, coded, dense_places, uncoded};
use positions::compiled::{Codec, CompiledGraph, Numbers};
use positions::cost;
use positions::declared::{self, Declared};
use positions::oracle::{Keeps, Numbered};
use positions::program::ProgramGraph;
use positions::remembered::Remembered;
use positions::state::StateGraph;
use positions::sum::SumGraph;

/// Up to so many codes, a table of all of them is most often the best place for values.
const FEW_CODES: u64 = 1 << 22;

/// Makes the graph of a case.
pub(crate) struct Graphs<'b> {
    bound: &'b Bound,
    with_turn: bool,
    partizan: bool,
    /// How positions are numbered, and their code, where options are compiled from formulas.
    coding: Option<Coding<'b>>,
    /// The rules compiled as they stand, where positions have no codes.
    program: Option<Arc<Rules>>,
    /// Whether what the file declares is proved from the rules.
    declared: Option<Fact>,
    /// What of it is proved.
    proved: Proved,
    /// That positions cannot repeat, where compiled rules prove it.
    pub acyclic: Option<Fact>,
    /// Whether all positions were looked at, and their options are known.
    is_explored: bool,
}

impl<'b> Graphs<'b> {
    /// The graph that fits a case, of which a sample was taken or not; and what runs its rules.
    pub fn new(case: &Case<'b>, sampled: Option<&Sampled>) -> (Graphs<'b>, Code) {
        let mut graphs = Graphs {
            bound: case.bound,
            with_turn: case.facts.with_turn,
            partizan: case.facts.partizan,
            coding: None,
            program: None,
            declared: None,
            proved: Proved::default(),
            acyclic: None,
            is_explored: false,
        };
        let code = match coding(case, sampled) {
            Ok(coding) => {
                let code = Code::compiled(case, &coding);
                (graphs.declared, graphs.proved) = (coding.proves_declared(), coding.proved);
                graphs.acyclic = case.shown_acyclic(&coding.study);
                graphs.coding = Some(coding);
                code
            }
            Err(why) => match case.program_beside(sampled) {
                Ok(rules) => {
                    let numbering = format!("keys of {} bits, hashed: {why}", rules.bits());
                    graphs.program = Some(rules);
                    graphs.proved = case.proved(case.study_beside(sampled).ok().as_deref());
                    graphs.declared = graphs.proved.all(&case.bound.program);
                    Code::Compiled { numbering, proved: Vec::new() }
                }
                // The interpreter looks at every position by itself.
                Err(_) => {
                    graphs.declared = graphs.proved.all(&case.bound.program);
                    Code::Interpreted(why)
                }
            },
        };
        graphs.is_explored = case.has_explored(case.kept(), graphs.is_compiled());
        (graphs, code)
    }

    /// What induction on the graph takes.
    pub fn cost(&self, sampled: &Sampled) -> Cost {
        let making = self.coding.as_ref().map_or(0.0, Coding::making);
        let before = making + self.checking(sampled);
        match self.is_explored {
            true => cost::explored(self.checking(sampled), self.words(), sampled),
            false => cost::graph(before, self.words(), sampled),
        }
    }

    /// What retrograde analysis on the graph takes, which keeps all moves.
    pub fn retrograde_cost(&self, sampled: &Sampled) -> Cost {
        cost::with_moves(self.cost(sampled), sampled)
    }

    fn words(&self) -> usize {
        if self.coding.is_some() { 1 } else { self.bound.layout.words() + 1 }
    }

    fn checking(&self, sampled: &Sampled) -> f64 {
        match &self.declared {
            Some(_) => 0.0,
            None => declared::seconds(self.bound, self.partizan, self.walked().is_some(), self.proved, sampled),
        }
    }

    /// The graph that was looked at beforehand, if its rules are run as here: a method goes on with it that starts where that look
    /// began. Else an empty one.
    pub fn go_on(
        &self,
        looked_at: Option<Remembered<'b>>,
        keeps: Keeps,
        monitor: &Monitor,
    ) -> Result<Box<dyn Numbered + 'b>, Error> {
        match looked_at.filter(|graph| graph.is_of_positions(keeps, self.is_compiled())) {
            Some(mut graph) => {
                graph.take_up();
                Ok(Box::new(graph))
            }
            None => self.graph(keeps, monitor),
        }
    }

    /// An empty graph. Where code cannot be made after all, the interpreter finds the same options.
    pub fn graph(&self, keeps: Keeps, monitor: &Monitor) -> Result<Box<dyn Numbered + 'b>, Error> {
        let memory = monitor.memory();
        if self.bound.program.sum.is_some() {
            return Ok(Box::new(SumGraph::new(self.bound, keeps, self.with_turn, memory)?));
        }
        if let Some(rules) = &self.program {
            let rules = match rules.gains() == keeps.gains() {
                true => Ok(Arc::clone(rules)),
                false => ProgramGraph::compile(self.bound, keeps, self.with_turn),
            };
            if let Ok(rules) = rules {
                return Ok(Box::new(ProgramGraph::new(self.bound, keeps, rules, monitor)));
            }
        }
        let compiled = self.coding.as_ref().map(|coding| {
            let expander = coding.options(keeps.gains())?;
            CompiledGraph::new(self.bound, keeps, coding.codec.clone(), expander, memory)
        });
        Ok(match compiled {
            Some(Ok(graph)) => Box::new(graph),
            Some(Err(_)) | None => Box::new(StateGraph::new(self.bound, keeps, self.with_turn, memory)),
        })
    }

    /// An empty graph for a sample: what the file declares is not checked.
    pub fn without_audit(&self, keeps: Keeps, monitor: &Monitor) -> Result<Box<dyn Numbered + 'b>, Error> {
        Ok(match self.is_compiled() || self.bound.program.sum.is_some() {
            true => self.graph(keeps, monitor)?,
            false => Box::new(StateGraph::without_audit(self.bound, keeps, self.with_turn, monitor.memory())),
        })
    }

    /// Whether options are compiled.
    pub fn is_compiled(&self) -> bool {
        self.coding.is_some() || self.program.is_some()
    }

    /// How positions are numbered, where what is declared is looked at in every one of them.
    fn walked(&self) -> Option<&Codec> {
        self.coding.as_ref().and_then(Coding::walked)
    }

    fn unproved(&self, keeps: Keeps) -> Declared<'_, 'b> {
        Declared { bound: self.bound, codec: self.walked(), proved: self.proved, keeps }
    }

    /// Why it is not known who wins if the other player starts: what the file declares is false there. A graph that checks on
    /// the way has said so itself.
    pub fn other_start(
        &self,
        graph: &dyn Numbered,
        start: &Position,
        monitor: &mut Monitor,
    ) -> Result<Option<String>, SolveError> {
        match (graph.audit(), &self.declared, &self.coding) {
            (None, None, Some(_)) => self.unproved(Keeps::Outcome).other_start(start, monitor),
            _ => Ok(None),
        }
    }

    /// What the file declares, and where that was checked: on the way, or beforehand where options are compiled.
    pub fn declared(
        &self,
        graph: &dyn Numbered,
        start: &Position,
        keeps: Keeps,
        monitor: &mut Monitor,
    ) -> Result<Option<Fact>, SolveError> {
        match (graph.audit(), &self.declared) {
            (Some(audit), _) => Ok(Some(audit.report())),
            (None, Some(proved)) => Ok(Some(proved.clone())),
            (None, None) if self.is_compiled() => self.unproved(keeps).check(start, monitor),
            (None, None) => Ok(None),
        }
    }
}

/// How positions of a case are numbered, where its options are compiled from formulas; or why they are not.
fn coding<'b>(case: &Case<'b>, sampled: Option<&Sampled>) -> Result<Coding<'b>, String> {
    if case.facts.sum.holds {
        return Err(SEARCHED_WHOLE.to_string());
    }
    let study = case.study_beside(sampled)?;
    let numbers = numbers(case, &study);
    let coded = coded(&study, numbers).ok_or_else(|| uncoded(&study))?;
    Ok(case.coding(study, coded, Use::Graph(numbers)))
}

/// How positions are numbered in graphs and samples: so that the method that is taken in the end has use for the same code.
fn numbers(case: &Case<'_>, study: &Study) -> Numbers {
    let few = dense_places(study).is_some_and(|places| places <= FEW_CODES);
    if few && case.suits_code().is_ok() { Numbers::Dense } else { Numbers::Keys }
}

/// Values by the numbers of positions.
pub(super) trait ById {
    /// The value of a position that was settled.
    fn by_id(&self, id: Id) -> Option<Verdict>;
}

impl ById for Outcomes {
    fn by_id(&self, id: Id) -> Option<Verdict> {
        self.verdict(id)
    }
}

impl ById for Scores {
    fn by_id(&self, id: Id) -> Option<Verdict> {
        self.verdict(id)
    }
}

impl ById for Payoffs {
    fn by_id(&self, id: Id) -> Option<Verdict> {
        self.verdict(id)
    }
}

/// Answers from a graph and the values of its positions.
pub(super) struct GraphAnswers<'b, V> {
    pub graph: Box<dyn Numbered + 'b>,
    pub values: V,
    /// Whether best play can go on for ever.
    pub repeats: bool,
}

impl<V: ById> GraphAnswers<'_, V> {
    fn position(&self, id: Id) -> Option<Position> {
        self.values.by_id(id).map(|_| self.graph.position(id))
    }
}

impl<V: ById> Answers for GraphAnswers<'_, V> {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.values.by_id(self.graph.find(position)?)
    }

    fn positions(&self) -> u64 {
        self.graph.len() as u64
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Table
    }

    fn may_repeat(&self) -> bool {
        self.repeats
    }

    fn number(&self, position: &Position) -> u64 {
        self.graph.find(position).map_or(u64::MAX, u64::from)
    }

    fn each(&self, _: Player) -> Positions<'_> {
        Box::new((0..self.graph.len() as Id).filter_map(|id| self.position(id)))
    }

    fn random(&self, _: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        random_id(self.graph.len() as Id, random, |id| self.position(id))
    }
}

/// What one of so many numbers stands for, chosen at random; `None` if none was found.
pub(super) fn random_id<T>(ids: Id, random: &mut dyn FnMut() -> u64, get: impl Fn(Id) -> Option<T>) -> Option<T> {
    (0..64).find_map(|_| get(((u128::from(random()) * u128::from(ids)) >> 64) as Id))
}
