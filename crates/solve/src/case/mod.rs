//! The case: one instance with all that a method may look at before it says whether it applies.
//!
//! - [`Facts`]: what kind of game it is, from the `properties` that the rules show.
//! - [`Case::readings`]: the formulas of the instance, each made once; [`Case::study`] is what is proved of them.
//! - `explored`: the positions that were looked at. How positions are numbered and expanded is in `positions`.
//!
//! A case is made once a solve. When a plan is given up, the reason is added and the chooser looks at the same case again.

pub(crate) mod explored;
mod facts;
pub mod properties;
pub(crate) mod race;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use boards::Grid;
use boards::groups::valuer::Cut;
use engine::sample::Sample;
use formula::Readings;
use formula::group::Group;
use formula::order::with_names;
use formula::study::Study;
use formula::worth::max_options;
use game::Player;
use jit::program::Rules;
use jit::{Strategy, Values};
use masks::Masks;
use rows::triangle::Gains;
use rules::bind::{Bound, Position};
use rules::program::Move;
use shapes::local::{self, Local};
use shapes::row::{self, Row, RowGame};

pub use facts::{Facts, Kind};
pub use properties::splits;

use crate::audit::Proved;
use crate::case::explored::Explored;
use crate::case::race::Race;
use crate::error::SolveError;
use crate::options::MethodName;
use crate::options::{Engine, Options};
use crate::positions::Keeps;
use crate::positions::code::SharedCode;
use crate::reason::Reason;

/// The parts of a sum stay with the interpreter where there are at most so many.
const FEW_PARTS: u64 = 1000;
const FEW: &str = "so few positions that the interpreter is done before code would be ready";
/// A position with more moves than this would keep compiled code busy for longer than a person who stops it waits.
const MOST_OPTIONS: u64 = 1 << 24;

/// What play meets: a sample, and what ran the rules for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampled {
    /// What play meets.
    pub sample: Sample,
    /// Whether the rules were interpreted.
    pub interpreted: bool,
    /// Seconds that compiled code takes to work out the options of a position.
    pub code: Option<f64>,
    /// Seconds that the interpreter takes for an option.
    pub step: f64,
}

impl Sampled {
    /// Whether the interpreter met all positions in no time.
    pub fn is_small(&self) -> bool {
        self.interpreted && self.sample.is_exact
    }
}

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
pub(crate) struct Shown {
    /// What the file declares that is proved from the rules.
    pub proved: OnceCell<Proved>,
    /// The symmetries of hashed positions, and what they are in words.
    pub group: OnceCell<Option<(Group, String)>>,
    /// The rules as masks for searches, and what these are in words.
    pub masks: OnceCell<Option<(Arc<Masks>, String)>>,
    /// How loop nests for tables of values would be made; nothing where they cannot be.
    pub strategies: RefCell<Vec<(Values, Option<Strategy>)>>,
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
    /// The methods that were tried and gave up, with their reasons.
    pub given_up: Vec<(MethodName, Reason)>,
    /// The formulas of the instance, read once for everyone who looks at them.
    pub readings: Readings<'b>,
    /// What play meets, once it was looked at.
    pub sampled: OnceCell<Option<Sampled>>,
    /// What came of a race between searches, once there was one.
    pub(crate) race: OnceCell<Option<Race>>,
    /// Seconds of the cheapest method so far that values all positions, while methods are looked at.
    pub(crate) table: Cell<Option<f64>>,
    /// Code for the options of a position.
    pub(crate) code: SharedCode,
    /// The positions that were looked at.
    pub(crate) explored: Explored<'b>,
    /// What methods have worked out of the study, each once.
    pub(crate) shown: Shown,
    study: OnceCell<Result<Arc<Study>, String>>,
    program: OnceCell<Result<Arc<Rules>, String>>,
    rows: OnceCell<Result<Rows, String>>,
    local: OnceCell<Result<Rc<Local>, String>>,
    cut: OnceCell<Result<Rc<Cut>, String>>,
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
            given_up: Vec::new(),
            readings: Readings::new(bound, start),
            sampled: OnceCell::new(),
            race: OnceCell::new(),
            table: Cell::new(None),
            code: SharedCode::default(),
            explored: Explored::default(),
            shown: Shown::default(),
            study: OnceCell::new(),
            program: OnceCell::new(),
            rows: OnceCell::new(),
            local: OnceCell::new(),
            cut: OnceCell::new(),
        })
    }

    /// Whether any method may be used, with or without compiled code.
    pub fn is_free(&self) -> bool {
        self.options.method.is_none() && self.options.engine == Engine::Auto
    }

    /// What a graph of the case keeps for induction: every player's gains where their total is compared.
    pub(crate) fn kept(&self) -> Keeps {
        match self.facts.kind {
            Kind::Score if self.options.check_total && self.facts.total_is_proved().is_none() => Keeps::ScoreAndGains,
            kind => kind.keeps(),
        }
    }

    /// Whether the options of all positions are known already, from compiled rules. Then it is best to value these, and it does
    /// not pay to find out what other methods might save.
    pub(crate) fn is_explored(&self) -> bool {
        self.is_free() && self.explored.is_complete(self.kept(), true)
    }

    /// What a method counts that values the parts of a sum one by one.
    pub fn part_noun(&self) -> &'static str {
        if self.facts.sum.holds { "part" } else { "position" }
    }

    /// Why a method gave up, the last time that it was tried.
    pub fn gave_up_with(&self, method: MethodName) -> Option<&Reason> {
        self.given_up.iter().rev().find(|(name, _)| *name == method).map(|(_, reason)| reason)
    }

    /// Why a table that could be filled was not, after all.
    pub fn unfilled(&self) -> Option<&Reason> {
        let unfilled = |reason: &&Reason| {
            matches!(reason, Reason::Dear(_) | Reason::Late(_) | Reason::Unreached | Reason::Code(_))
        };
        self.given_up.iter().map(|(_, reason)| reason).find(unfilled)
    }

    /// Which values a method looked for and did not find, and why.
    pub fn values_missing(&self) -> Option<String> {
        self.given_up.iter().find_map(|(method, reason)| match reason {
            Reason::Quotient(why) => Some(format!("no misère quotient was found: {why}")),
            Reason::Values(why) => Some(format!("`{method}` found no values: {why}")),
            _ => None,
        })
    }

    /// The cycle that a method gave up for.
    pub fn cycle(&self) -> Option<&str> {
        self.given_up.iter().find_map(|(_, reason)| match reason {
            Reason::Cycle(shown) => Some(&**shown),
            _ => None,
        })
    }

    /// What is proved of the rules as the compiler reads them, or why rules are interpreted.
    pub fn study(&self) -> Result<Arc<Study>, String> {
        match self.study.get_or_init(|| self.make_study()).clone() {
            // The interpreter may have found that out since the rules were read.
            Ok(_) if self.is_tiny() => Err(FEW.to_string()),
            study => study,
        }
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
            return Err("a sum that is searched as a whole: the moves of each part are worked out once".to_string());
        }
        if self.is_tiny() {
            return Err(FEW.to_string());
        }
        let gains = match self.facts.kind {
            Kind::Outcome => jit::Gains::Outcome,
            Kind::Score => jit::Gains::Difference,
            Kind::Payoffs | Kind::Winners => jit::Gains::All,
        };
        Rules::compile(self.bound, gains, self.facts.with_turn).map(Arc::new).map_err(|error| error.to_string())
    }

    /// Whether the interpreter is done before code would be ready.
    fn is_tiny(&self) -> bool {
        let compiled = self.options.engine == Engine::Compiled || self.options.method.is_some_and(MethodName::compiles);
        let few = match self.facts.sum.holds {
            true => self.bound.layout.size().is_some_and(|size| size <= FEW_PARTS),
            false => self.sampled.get().is_some_and(|found| found.is_some_and(|found| found.is_small())),
        };
        !compiled && few
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

    /// The rows and stacks that the rules describe, or why they describe none.
    pub fn rows(&self) -> Result<Rows, String> {
        self.rows.get_or_init(|| self.find_rows()).clone()
    }

    fn find_rows(&self) -> Result<Rows, String> {
        let counted = matches!(self.facts.kind, Kind::Score | Kind::Payoffs) && self.bound.players == 2;
        if !counted {
            return Err("it is only for games with scores, and for two players".to_string());
        }
        if properties::declares(self.bound) {
            return Err(properties::DECLARED.to_string());
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
            return Err("a sum that is searched as a whole: the moves of each part are worked out once".to_string());
        }
        if self.is_tiny() {
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
            // It is asked who wins whoever starts: both turns are looked at, whatever the cells tell.
            true => {
                let mut study = (**study).clone();
                study.mover = None;
                Arc::new(study)
            }
            false => Arc::clone(study),
        })
    }

    /// Words of a study with the names of the rules file in them.
    pub fn named(&self, text: &str) -> String {
        named(self.bound, text)
    }
}

/// Words of a study with the names of the rules file in them.
pub(crate) fn named(bound: &Bound, text: &str) -> String {
    let cell = |cell: u32| cell_name(bound, cell);
    with_names(text, &cell, &|rule| rule_name(bound, rule))
}

/// What people call a rule of moves: by its name, and by whose it is if another rule has that name, too.
fn rule_name(bound: &Bound, rule: usize) -> String {
    let moves = &bound.program.moves;
    let Move { name, owner, .. } = &moves[rule];
    let same: Vec<usize> = (0..moves.len()).filter(|other| moves[*other].name == *name).collect();
    let alone = same.iter().all(|other| *other == rule || moves[*other].owner != *owner);
    match owner {
        _ if same.len() == 1 => format!("`{name}`"),
        Some(owner) if alone => format!("`{name}` of the {} player", Player(*owner)),
        _ => format!("`{name}` (rule {} of that name)", same.iter().position(|other| *other == rule).unwrap_or(0) + 1),
    }
}

/// What people call a cell.
pub(crate) fn cell_name(bound: &Bound, cell: u32) -> String {
    let cell = cell as usize;
    let slot = bound.layout.variables.iter().find(|slot| (slot.offset..slot.offset + slot.cells).contains(&cell));
    match slot {
        Some(slot) if slot.dims.is_empty() => slot.name.clone(),
        Some(slot) => slot.place((cell - slot.offset) / slot.stride.max(1)),
        None => format!("cell {cell}"),
    }
}
