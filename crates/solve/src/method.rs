//! The one door: what a method is, and what it hands back.
//!
//! ```text
//! case ──Method::recognise──▶ Prospect (reason, cost) ──Prepared::run──▶ Found (answers, report)
//!                                                              └── GivenUp: the chooser makes another plan
//! ```
//!
//! A method is one room: a file of [`crate::methods`] that implements [`Method`], [`Prepared`] and
//! [`Answers`]. Only the registry in [`crate::methods`] names it.

use engine::monitor::Monitor;
use game::OutcomeClass;

use crate::answers::Answers;
use crate::case::{Case, PartKind};
pub use crate::error::GivenUp;
use crate::error::SolveError;
use crate::facts::Fact;
use crate::options::MethodName;
use crate::positions::remembered::Remembered;

/// A way to solve games.
pub trait Method: Sync {
    /// Its name.
    fn name(&self) -> MethodName;

    /// What it does, in a line for people who choose one.
    fn about(&self) -> &'static str {
        ""
    }

    /// Which parts of positions it finds canonical forms for, where it is for that.
    fn values_parts(&self) -> Option<PartKind> {
        None
    }

    /// Looks at a case: whether the method applies, why, and what it will cost. Nothing large is searched or allocated: a
    /// sample of play and the race of two short searches (`proving`) are bounded, and done once a case.
    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError>;
}

/// What a method saw in a case.
pub struct Look<'b> {
    /// The shape it looked for, by name, and whether the game has it; where there is one.
    pub shape: Option<(&'static str, Fact)>,
    /// What it would do, or why it does not apply, as a part of a sentence.
    pub prospect: Result<Prospect<'b>, Objection>,
}

/// Why a method does not apply.
#[derive(Clone, Debug, PartialEq)]
pub enum Objection {
    /// It is not for such games.
    Because(String),
    /// It is, but a limit is too small.
    Limit(SolveError),
    /// It is, and takes so much, but another one tells more; this one is the last resort.
    TellsLess {
        /// What the other one tells.
        why: String,
        /// What this one takes.
        cost: Cost,
    },
}

impl<'b> Look<'b> {
    /// The method does not apply.
    pub fn no(why: impl Into<String>) -> Look<'b> {
        Look { shape: None, prospect: Err(Objection::Because(why.into())) }
    }

    /// The method applies, but others tell more.
    pub fn tells_less(why: impl Into<String>, cost: Cost) -> Look<'b> {
        Look { shape: None, prospect: Err(Objection::TellsLess { why: why.into(), cost }) }
    }

    /// The method applies.
    pub fn yes(prospect: Prospect<'b>) -> Look<'b> {
        Look { shape: None, prospect: Ok(prospect) }
    }

    /// With the shape that was looked for.
    pub fn seen(self, name: &'static str, fact: Fact) -> Look<'b> {
        Look { shape: Some((name, fact)), ..self }
    }
}

/// What a method would do, and what it would cost.
pub struct Prospect<'b> {
    /// Why this method. Where it was asked for, the chooser says that instead.
    pub why: String,
    /// Why another is better, although this one applies: it is taken only where it is asked for.
    pub objection: Option<String>,
    /// Whether no other method is looked at: a theorem or a shape makes this one the best there is.
    pub is_decisive: bool,
    /// Whether it tells how long play lasts, where that has a meaning. One that does not is taken where it is much quicker.
    pub tells_lengths: bool,
    /// Whether only the value of the start is found. Such a method is tried first for a while where a table of all positions
    /// takes long.
    pub only_start: bool,
    /// Whether this method takes over where another one finds that positions repeat.
    pub takes_over: bool,
    /// What runs the rules.
    pub code: Code,
    /// What it will take.
    pub cost: Cost,
    /// What is counted: positions, unless the method values parts, heaps or items.
    pub noun: &'static str,
    /// That positions cannot repeat, where the method has shown it.
    pub acyclic: Option<Fact>,
    /// Whether all gains add up to the same total, where the method has looked.
    pub constant_total: Option<Fact>,
    /// The work itself, ready to be done.
    pub prepared: Box<dyn Prepared<'b> + 'b>,
}

impl<'b> Prospect<'b> {
    /// A prospect of which nothing more is known.
    pub fn new(why: impl Into<String>, code: Code, prepared: impl Prepared<'b> + 'b) -> Prospect<'b> {
        Prospect {
            why: why.into(),
            objection: None,
            is_decisive: true,
            tells_lengths: true,
            only_start: false,
            takes_over: false,
            code,
            cost: Cost::default(),
            noun: "position",
            acyclic: None,
            constant_total: None,
            prepared: Box::new(prepared),
        }
    }
}

/// What a method is predicted to take; what is not known beforehand is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// How many positions are valued: those that are met, or all of a table that is filled.
    pub positions: Option<u64>,
    /// How many places the table has, where it is indexed by codes.
    pub codes: Option<u64>,
    /// Bytes in use at the most.
    pub bytes: Option<u64>,
    /// Seconds, with the making of code.
    pub seconds: Option<f64>,
}

impl Cost {
    /// How many positions are met in so many seconds, where both are known.
    pub(crate) fn met_in(&self, seconds: f64) -> Option<u64> {
        let (positions, own) = (self.positions?, self.seconds?);
        (positions > 0 && own > 0.0).then_some((positions as f64 * seconds / own) as u64)
    }
}

/// What runs the rules.
#[derive(Clone, Debug, PartialEq)]
pub enum Code {
    /// The interpreter, and why.
    Interpreted(String),
    /// Code of ours for games of this shape; says what it does.
    Kernel(String),
    /// Compiled rules.
    Compiled {
        /// How positions are numbered.
        numbering: String,
        /// What was proved of all positions.
        proved: Vec<String>,
    },
}

/// A method ready to run on its case. It may run more than once: code is compiled the first time.
pub trait Prepared<'b> {
    /// Solves the game.
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp>;

    /// Takes over the positions that were looked at before the method was chosen. A method that has no use for them drops them,
    /// so that it has their memory.
    fn take_over(&mut self, looked_at: Remembered<'b>) {
        drop(looked_at);
    }
}

/// What came of it.
pub struct Found<'b> {
    /// Answers for all positions that were met.
    pub answers: Box<dyn Answers + 'b>,
    /// What was found of the game as a whole.
    pub report: Report,
}

/// What a method has found of the game as a whole.
#[derive(Clone, Debug)]
pub struct Report {
    /// Whether positions repeat.
    pub cyclic: Fact,
    /// Whether all gains add up to the same total, where that was looked at.
    pub constant_total: Option<Fact>,
    /// What the file declares of its positions, and where that was checked.
    pub declared: Option<Fact>,
    /// Who wins whoever starts, where the game has that.
    pub class: Option<OutcomeClass>,
    /// Why it is not known who wins whoever starts, where the question was asked.
    pub class_missing: Option<String>,
    /// What the compiled code looks like, or how the values were found; empty where there is nothing to tell.
    pub code: String,
    /// What else was found, by name.
    pub findings: Vec<(&'static str, String)>,
    /// What was spent on more than the answer, where anything was.
    pub aside: Option<Aside>,
}

/// What was spent beside a solve: it does not belong to what that took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aside {
    /// So many seconds.
    pub seconds: f64,
    /// The most bytes that were in use before.
    pub peak: u64,
}

impl Report {
    /// A report on a game whose positions repeat, or not.
    pub fn new(cyclic: Fact) -> Report {
        Report {
            cyclic,
            constant_total: None,
            declared: None,
            class: None,
            class_missing: None,
            code: String::new(),
            findings: Vec::new(),
            aside: None,
        }
    }
}
