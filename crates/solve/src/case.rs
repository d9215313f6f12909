//! The case: one instance with all that a method may look at before it says whether it applies.
//!
//! - [`Facts`]: what kind of game it is, as far as the rules show it.
//! - [`Case::readings`]: the formulas of the instance, each made once; [`Case::study`] is what is proved of them.
//! - [`Case::study_beside`] leaves the study of a game alone that the interpreter is done with at once.
//! - `looked_at`: the positions that were looked at. How positions are numbered and expanded is in `positions`.
//!
//! A case is made once a solve. When a plan is given up, the reason is added and the chooser looks at the same case again.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use boards::Grid;
use boards::groups::valuer::Cut;
use formula::extremes::max_options;
use formula::group::Group;
use formula::orbits::Orbits;
use formula::study::Study;
use formula::{Coded, Readings};
use game::Random;
use jit::program::Rules;
use jit::{Outline, Values};
use masks::Masks;
use rows::triangle::Gains;
use rules::bind::{Bound, Position};
use search::race::Race;
use shapes::local::{self, Local};
use shapes::row::{self, Row, RowGame};

use crate::error::{Reason, SolveError};
use crate::facts::Fact;
pub use crate::facts::{Facts, Kind};
use crate::options::{Engine, MethodName, Options};
use positions::audit::Proved;
use positions::coding::{Coding, TOO_LARGE, Use};
use positions::compiled::SharedCode;
use positions::cost::{self, Unit};
use positions::names::named;
use positions::oracle::Keeps;
use positions::proofs;
use positions::remembered::Remembered;
pub use positions::remembered::Sampled;

/// The parts of a sum stay with the interpreter where there are at most so many.
const FEW_PARTS: u64 = 1000;
/// Why a sum is not compiled where its parts have no values of their own.
pub(crate) const SEARCHED_WHOLE: &str = "a sum that is searched as a whole: the moves of each part are worked out once";
const FEW: &str = "so few positions that the interpreter is done before code would be ready";
/// A position with more moves than this would keep compiled code busy for longer than a person who stops it waits.
const MOST_OPTIONS: u64 = 1 << 24;

/// Seconds for a node that a proof of symmetries looks at; and so many nodes may be looked at for every game.
const PROOF_NODE: f64 = 60e-9;
const LEAST_PROOF: u64 = 20_000;
/// Seconds that a search takes for a position, about.
const CODE_SECONDS: f64 = 1e-6;

/// Rows and stacks found in the rules.
#[derive(Clone)]
pub struct Rows {
    /// The lists, and which moves take from them.
    pub game: Rc<RowGame>,
    /// What the ends of a single row gain, where that depends on both ends. The items are not known to the game then.
    pub crossed: Option<Rc<Gains>>,
}

/// What several methods want to know of the study and what takes long to find out: each is found once, by whoever asks first.
#[derive(Default)]
pub(crate) struct ProvedOnce {
    /// What the file declares that is proved from the rules.
    pub proved: OnceCell<Proved>,
    /// The symmetries of hashed positions, and what they are in words.
    pub group: OnceCell<Option<(Group, String)>>,
    /// The symmetries of dense codes, and what they are in words.
    pub orbits: OnceCell<Option<(Arc<Orbits>, String)>>,
    /// The rules as masks for searches, and what these are in words; or why there are none.
    pub masks: OnceCell<Result<(Arc<Masks>, String), String>>,
    /// What loop nests for tables of values would look like, or why there are none.
    pub outlines: RefCell<Vec<(Values, Result<Outline, String>)>>,
}

/// One instance under study.
pub struct Case<'b> {
    /// The game.
    pub bound: &'b Bound,
    /// The position that is asked about.
    pub start: Position,
    /// What is asked.
    pub options: Options,
    /// What the rules show.
    pub facts: Facts,
    /// How much memory there is to spend.
    pub memory: u64,
    /// Seconds that the next plan has, where time is limited. A first plan has all of it, however long the choice takes: what else
    /// the machine does must not change the plan.
    pub(crate) seconds: Option<f64>,
    /// The methods that were tried and gave up, with their reasons, and how many of these came before the chooser forgave those
    /// that seemed dear.
    given_up: Vec<(MethodName, Reason)>,
    forgiven: usize,
    /// The formulas of the instance, read once for everyone who looks at them.
    pub readings: Readings<'b>,
    /// What play meets, once it was looked at.
    pub sampled: OnceCell<Option<Sampled>>,
    /// Seconds that choosing methods has taken so far.
    pub(crate) choosing: Cell<f64>,
    /// Bytes at the peak while the first plan was chosen.
    pub(crate) choosing_bytes: Cell<Option<u64>>,
    /// What came of a race between searches, once there was one.
    pub(crate) race: OnceCell<Option<Race>>,
    /// Code for the options of a position.
    pub(crate) code: SharedCode,
    /// The positions or parts that were looked at. The run of a plan takes them away.
    pub(crate) looked_at: RefCell<Option<Remembered<'b>>>,
    /// What methods have worked out of the study, each once.
    pub(crate) proved_once: ProvedOnce,
    study: OnceCell<Result<Arc<Study>, String>>,
    program: OnceCell<Result<Arc<Rules>, String>>,
    rows: OnceCell<Result<Rows, String>>,
    local: OnceCell<Result<Rc<Local>, String>>,
    cut: OnceCell<Result<Rc<Cut>, String>>,
    decomposition: OnceCell<Decomposition>,
}

impl<'b> Case<'b> {
    /// The case of a game from a position on.
    pub fn new(bound: &'b Bound, start: &Position, options: &Options, memory: u64) -> Result<Case<'b>, SolveError> {
        Ok(Case {
            bound,
            start: start.clone(),
            options: options.clone(),
            facts: Facts::new(bound)?,
            memory,
            seconds: None,
            given_up: Vec::new(),
            forgiven: 0,
            readings: Readings::new(bound, start),
            sampled: OnceCell::new(),
            choosing: Cell::default(),
            choosing_bytes: Cell::default(),
            race: OnceCell::new(),
            code: SharedCode::default(),
            looked_at: RefCell::default(),
            proved_once: ProvedOnce::default(),
            study: OnceCell::new(),
            program: OnceCell::new(),
            rows: OnceCell::new(),
            local: OnceCell::new(),
            cut: OnceCell::new(),
            decomposition: OnceCell::new(),
        })
    }

    /// What is proved of what the file declares, as far as its rules are known.
    pub(crate) fn proved(&self, study: Option<&Study>) -> Proved {
        let prove = || proofs::proved(self.bound, study, || self.local().ok());
        match study {
            Some(_) => *self.proved_once.proved.get_or_init(prove),
            None => prove(),
        }
    }

    /// Whether any method may be used, with or without compiled code.
    pub fn is_free(&self) -> bool {
        self.options.method.is_none() && self.options.engine == Engine::Auto
    }

    /// What a graph of the case keeps for induction: every player's gains where their total is compared.
    pub(crate) fn kept(&self) -> Keeps {
        match self.facts.kind {
            Kind::Score if self.options.check_total && self.facts.total_is_proved().is_none() => Keeps::ScoreAndGains,
            kind => Keeps::of(kind),
        }
    }

    /// Whether the options of all positions are known already, from compiled rules. Then it is best to value these, and it does
    /// not pay to find out what other methods might save.
    pub(crate) fn is_explored(&self) -> bool {
        self.is_free() && self.has_explored(self.kept(), true)
    }

    /// Whether all positions were looked at in a graph that keeps this of gains, and whose rules are compiled or not.
    pub(crate) fn has_explored(&self, keeps: Keeps, compiled: bool) -> bool {
        let fits = |graph: &Remembered<'_>| graph.is_of_positions(keeps, compiled) && graph.is_complete();
        self.looked_at.borrow().as_ref().is_some_and(fits)
    }

    /// What a method counts that values the parts of a sum one by one. A game that is no sum is one part.
    pub fn unit_of_parts(&self) -> Unit {
        if self.facts.sum.holds { Unit::Part } else { Unit::Position }
    }

    /// A method was tried and gave up: the chooser makes another plan.
    pub(crate) fn give_up(&mut self, method: MethodName, reason: Reason) {
        self.given_up.push((method, reason));
    }

    /// From now on the methods that seemed dear may be tried again: they are better than none.
    pub(crate) fn forgive(&mut self) {
        self.forgiven = self.given_up.len();
    }

    /// All methods that were tried and gave up, forgiven or not.
    pub(crate) fn tried(&self) -> &[(MethodName, Reason)] {
        &self.given_up
    }

    /// The methods that gave up and were not forgiven, in the order in which they were tried.
    pub fn given_up(&self) -> impl DoubleEndedIterator<Item = (MethodName, &Reason)> {
        let counts = |(at, (_, reason)): &(usize, &(MethodName, Reason))| *at >= self.forgiven || !reason.seemed_dear();
        self.given_up.iter().enumerate().filter(counts).map(|(_, (method, reason))| (*method, reason))
    }

    /// Why a method gave up, the last time that it was tried.
    pub fn gave_up_with(&self, method: MethodName) -> Option<&Reason> {
        self.given_up().rev().find(|(name, _)| *name == method).map(|(_, reason)| reason)
    }

    /// Why a table that could be filled was not, after all.
    pub fn unfilled(&self) -> Option<&Reason> {
        let unfilled = |reason: &&Reason| {
            matches!(
                reason,
                Reason::Dear(_) | Reason::Late(_) | Reason::Unreached | Reason::Code(_) | Reason::CodeMemory(_)
            )
        };
        self.given_up().map(|(_, reason)| reason).find(unfilled)
    }

    /// Which values a method looked for and did not find, and why.
    pub fn values_missing(&self) -> Option<String> {
        self.given_up().find_map(|(method, reason)| match reason {
            Reason::Values(why) => Some(format!("`{method}` found no values: {why}")),
            _ => None,
        })
    }

    /// The cycle that a method gave up for.
    pub fn cycle(&self) -> Option<&str> {
        self.given_up().find_map(|(_, reason)| match reason {
            Reason::Cycle(shown) => Some(&**shown),
            _ => None,
        })
    }

    /// What is proved of the rules as the compiler reads them, or why rules are interpreted.
    pub fn study(&self) -> Result<Arc<Study>, String> {
        self.study.get_or_init(|| self.make_study()).clone()
    }

    /// The study, unless a sample of play shows that the interpreter is done before code would be ready.
    pub fn study_beside(&self, sampled: Option<&Sampled>) -> Result<Arc<Study>, String> {
        self.wants_code(sampled)?;
        self.study()
    }

    /// The compiled rules, unless a sample of play shows that the interpreter is done before code would be ready.
    pub fn program_beside(&self, sampled: Option<&Sampled>) -> Result<Arc<Rules>, String> {
        self.wants_code(sampled)?;
        self.program()
    }

    /// Whether code may be worth its making, after a sample of play; or why not.
    fn wants_code(&self, sampled: Option<&Sampled>) -> Result<(), String> {
        let is_small = !self.facts.sum.holds && sampled.is_some_and(Sampled::is_small);
        if is_small && !self.must_compile() { Err(FEW.to_string()) } else { Ok(()) }
    }

    /// Whether code is asked for.
    fn must_compile(&self) -> bool {
        self.options.engine == Engine::Compiled || self.asks_for_code()
    }

    /// Whether a method is asked for that only compiled code has.
    pub(crate) fn asks_for_code(&self) -> bool {
        self.options.method.is_some_and(MethodName::compiles)
    }

    /// The rules compiled as they stand, for games whose formulas are too large or whose positions do not fit in a code;
    /// or why they are interpreted.
    pub fn program(&self) -> Result<Arc<Rules>, String> {
        self.program.get_or_init(|| self.make_program()).clone()
    }

    fn make_program(&self) -> Result<Arc<Rules>, String> {
        if self.options.engine == Engine::Interpreted {
            return Err("asked for".to_string());
        }
        if self.facts.sum.holds || self.bound.program.sum.is_some() {
            return Err(SEARCHED_WHOLE.to_string());
        }
        let gains = match self.facts.kind {
            Kind::Outcome => jit::Gains::Outcome,
            Kind::Score => jit::Gains::Difference,
            Kind::Payoffs | Kind::Winners => jit::Gains::All,
        };
        Rules::compile(self.bound, gains, self.facts.with_turn).map(Arc::new).map_err(|error| error.to_string())
    }

    /// The game of local moves that the rules describe, or why they describe none.
    pub fn local(&self) -> Result<Rc<Local>, String> {
        self.local.get_or_init(|| self.find_local()).clone()
    }

    fn find_local(&self) -> Result<Rc<Local>, String> {
        let reading = self.readings.listed().map_err(|unsupported| unsupported.to_string())?;
        let shapes = self.bound.regions.iter();
        let grids: Vec<Grid> = shapes.map(|shape| Grid { rows: shape.rows, columns: shape.columns }).collect();
        Ok(Rc::new(local::recognise(reading.formulas(), &grids)?))
    }

    /// The groups of variables that no move ties together, or why there are none.
    pub fn cut(&self) -> Result<Rc<Cut>, String> {
        self.cut.get_or_init(|| self.find_cut()).clone()
    }

    fn find_cut(&self) -> Result<Rc<Cut>, String> {
        let [start] = &self.start.parts[..] else { return Err("the position is no single part".to_string()) };
        let reading = self.readings.listed().map_err(|unsupported| unsupported.to_string())?;
        Ok(Rc::new(Cut::new(reading.formulas(), self.facts.nimbers, start)?))
    }

    /// How positions fall apart, where the rules do not split them themselves.
    pub(crate) fn decomposition(&self) -> Decomposition {
        self.decomposition.get_or_init(|| Decomposition::of(self)).clone()
    }

    /// The rows and stacks that the rules describe, or why they describe none.
    pub fn rows(&self) -> Result<Rows, String> {
        self.rows.get_or_init(|| self.find_rows()).clone()
    }

    fn find_rows(&self) -> Result<Rows, String> {
        let counted = matches!(self.facts.kind, Kind::Score | Kind::Payoffs) && self.bound.players == 2;
        if !counted {
            return Err("it is only for games with scores, and for two players".to_string());
        }
        if crate::facts::declares(self.bound) {
            return Err(crate::facts::DECLARED.to_string());
        }
        let reading = self.readings.listed().map_err(|unsupported| unsupported.to_string())?;
        Ok(match row::recognise(reading.formulas().clone(), &self.start.parts, self.facts.sum.holds)? {
            Row::Rows(game) => Rows { game: Rc::new(game), crossed: None },
            Row::Interval(game, gains) => Rows { game: Rc::new(game), crossed: Some(Rc::new(gains)) },
        })
    }

    fn make_study(&self) -> Result<Arc<Study>, String> {
        if self.options.engine == Engine::Interpreted {
            return Err("asked for".to_string());
        }
        let whole = self.facts.sum.holds && !self.facts.nimbers;
        if whole {
            return Err(SEARCHED_WHOLE.to_string());
        }
        let few = self.facts.sum.holds && self.bound.layout.size().is_some_and(|size| size <= FEW_PARTS);
        if few && !self.must_compile() {
            return Err(FEW.to_string());
        }
        let reading = self.readings.unfolded().map_err(|unsupported| unsupported.why.clone())?;
        if max_options(reading.formulas()) > MOST_OPTIONS {
            return Err("a position may have more moves than code could count through before it looks up".to_string());
        }
        if self.facts.sum.holds {
            return Ok(Arc::clone(reading.parts()?));
        }
        let study = reading.whole(self.facts.with_turn)?;
        Ok(match self.facts.partizan && study.mover.is_some() {
            true if !study.formulas.arena.can_be_copied() => return Err(TOO_LARGE.to_string()),
            // It is asked who wins whoever starts: both turns are looked at, whatever the cells tell.
            true => {
                let mut study = (**study).clone();
                study.mover = None;
                Arc::new(study)
            }
            false => Arc::clone(study),
        })
    }

    /// Why compiled methods do not suit the case, whatever its formulas look like.
    pub(crate) fn suits_code(&self) -> Result<(), String> {
        self.is_for_rivals()?;
        if self.facts.kind == Kind::Score
            && self.options.check_total
            && !self.asks_for_code()
            && self.facts.total_is_proved().is_none()
        {
            return Err("every player's gains are kept, which the methods on graphs do".to_string());
        }
        Ok(())
    }

    /// Why methods for two players who want opposite things do not suit the case.
    pub(crate) fn is_for_rivals(&self) -> Result<(), String> {
        if self.facts.sum.holds {
            return Err("a sum is solved by its parts, or searched as a whole".to_string());
        }
        if matches!(self.facts.kind, Kind::Payoffs | Kind::Winners) {
            return Err("it is for two players who want opposite things".to_string());
        }
        Ok(())
    }

    /// How positions are numbered by formulas with codes.
    pub(crate) fn coding(&self, study: Arc<Study>, coded: Coded, used: Use) -> Coding<'b> {
        let prove = || proofs::group(self.bound, &study, &coded, self.proof_nodes(coded.numbering.size));
        let is_grouped = used == Use::Hashed && !self.is_explored();
        let group = if is_grouped { self.proved_once.group.get_or_init(prove).as_ref() } else { None };
        let proved = self.proved(Some(&study));
        let coding = Coding::new(self.bound, &self.start, &self.facts, study, coded, used, proved);
        coding.with_group(group).sharing(&self.code)
    }

    /// How positions are numbered by dense codes, one for each orbit of symmetric positions where that is worth a proof.
    pub(crate) fn folded_coding(&self, study: Arc<Study>, coded: Coded) -> Coding<'b> {
        let prove = || {
            let found = proofs::orbits(self.bound, &study, &coded, self.proof_nodes(coded.numbering.size))?;
            Some((Arc::new(found.0), found.1))
        };
        let orbits = match self.is_explored() {
            true => None,
            false => self.proved_once.orbits.get_or_init(prove).clone(),
        };
        self.coding(study, coded, Use::Dense).with_orbits(orbits.as_ref())
    }

    /// How many nodes the proofs of symmetries may look at: they may take a tenth of what a search without them is predicted to.
    /// Where nothing was sampled, as if every code were met.
    fn proof_nodes(&self, codes: u64) -> u64 {
        let seconds = match self.sampled.get().copied().flatten() {
            Some(sampled) => cost::table_of_all(&sampled).seconds,
            None if self.asks_for_code() => Some(codes as f64 * CODE_SECONDS),
            None => None,
        };
        seconds.map_or(u64::MAX, |seconds| LEAST_PROOF.max((seconds / 10.0 / PROOF_NODE) as u64))
    }

    /// That positions cannot repeat, where a study proves it.
    pub(crate) fn shown_acyclic(&self, study: &Study) -> Option<Fact> {
        match (&study.order, &study.potential) {
            (Ok(order), _) => Some(Fact::yes(self.named(&order.why))),
            (Err(_), Some(potential)) => Some(Fact::yes(format!("every move lowers {}", self.named(&potential.why)))),
            (Err(_), None) => None,
        }
    }

    /// Words of a study with the names of the rules file in them.
    pub fn named(&self, text: &str) -> String {
        named(self.bound, text)
    }
}

/// What positions fall into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Parts of a board whose moves are local.
    Board,
    /// Groups of variables that no move ties together.
    Groups,
    /// Parts as the rules have them: those of a sum, or the position itself.
    Rules,
}

/// How positions of a game fall apart.
#[derive(Clone, Default)]
pub(crate) struct Decomposition {
    pub local: Option<Rc<Local>>,
    pub groups: Option<Rc<Cut>>,
}

impl Decomposition {
    /// What the rules tell. A `sum of` parts says itself what its parts are.
    pub fn of(case: &Case<'_>) -> Decomposition {
        if case.facts.sum.holds {
            return Decomposition::default();
        }
        if let Ok(local) = case.local() {
            return Decomposition { local: Some(local), groups: None };
        }
        // A group that stays whole is better looked at as the rules have it.
        let falls = |cut: &Rc<Cut>| {
            let mut random = Random::new(1);
            let start = case.start.parts.first().map_or(&[][..], |cells| cells);
            cut.groups > 1 || cut.falls_apart(start, &mut || random.next())
        };
        Decomposition { local: None, groups: case.cut().ok().filter(falls) }
    }

    /// What positions fall into.
    pub fn kind(&self) -> PartKind {
        match (&self.local, &self.groups) {
            (Some(_), _) => PartKind::Board,
            (None, Some(_)) => PartKind::Groups,
            (None, None) => PartKind::Rules,
        }
    }
}
