//! Methods: what one is, and which there are.
//!
//! ```text
//! case ──Method::recognise──▶ Prospect (reason, cost) ──Prepared::run──▶ Found (answers, report)
//!                                                              └── GivenUp: the chooser makes another plan
//! ```
//!
//! A method is one room: a file or folder beside this one that implements [`Method`], [`Prepared`] and [`Answers`]. The registry
//! ([`ALL`]) is the only place that names them. To add a method, write its room and add it to [`ALL`]. What it can do beside an
//! answer for the start it says itself ([`Ability`]): who needs one of these asks for the methods that are [`able`].
//!
//! | method | what it is for | where |
//! |---|---|---|
//! | `heap` | heaps that moves take from or break up: a sequence of values, with a proved period | `heap/` |
//! | `row` | rows and stacks of numbers: a theorem, no table | `row/theorem.rs` |
//! | `triangle` | one row: all its intervals | `row/triangle.rs` |
//! | `window` | forward through one list: maxima over windows | `window.rs` |
//! | `values` | sums in which the players' moves differ: canonical forms of the parts | `values.rs` |
//! | `groups` | variables that no move ties together: each group valued once | `groups.rs` |
//! | `board` | boards of local moves: each part valued once | `board.rs` |
//! | `winner` | players' moves differ, and values outgrow memory: a search over the parts | `winner.rs` |
//! | `grundy` | impartial sums won by the last mover: XOR of the parts | `grundy.rs` |
//! | `fill` | compiled rules with a proved order: a loop nest over all codes | `fill.rs` |
//! | `search`, `hash` | compiled rules: a memoised search, indexed or hashed | `search.rs` |
//! | `quotient` | misère sums: classes of their parts | `quotient.rs` |
//! | `induction` | any game without cycles | `induction.rs` |
//! | `loopy` | impartial sums whose parts repeat | `loopy.rs` |
//! | `retrograde` | won, lost or drawn, with cycles | `retrograde.rs` |
//! | `layers` | won, lost or drawn, larger than memory: layer by layer from a file | `layers.rs` |
//! | `alpha_beta`, `proof_number` | the start only, where a table of all positions is too dear | `proving/` |
//!
//! `by_parts`, `by_values`, `compiled`, `graphs` and `sampling` hold what several of them share.

mod board;
mod by_parts;
mod by_values;
mod compiled;
mod fill;
mod graphs;
mod groups;
mod grundy;
mod heap;
mod induction;
mod layers;
mod loopy;
mod maker;
mod proving;
mod quotient;
mod retrograde;
mod row;
mod sampling;
mod search;
mod values;
mod window;
mod winner;

pub(crate) use board::parts_beside;
pub(crate) use by_parts::{ByParts, PartValues};
pub(crate) use graphs::Graphs;
pub(crate) use grundy::THEOREM as SPRAGUE_GRUNDY;
pub use heap::heap_sequence;
pub(crate) use loopy::THEOREM as LOOPY;
pub(crate) use maker::{Maker, unsuited_at_all};
pub use row::Intervals;
pub(crate) use sampling::sampled;
pub(crate) use values::RulesForms;

use engine::monitor::Monitor;
use game::OutcomeClass;

use crate::answers::Answers;
use crate::case::{Case, PartKind};
pub use crate::error::GivenUp;
use crate::error::SolveError;
use crate::facts::Fact;
use crate::options::MethodName;
use positions::coding::Coding;
pub use positions::cost::{Cost, Unit};
use positions::remembered::Remembered;
use shapes::heap::HeapGame;

/// All methods, in the order in which the chooser looks at them.
pub const ALL: [&dyn Method; 19] = [
    &heap::Heap,
    &row::Row,
    &row::Triangle,
    &window::Window,
    &grundy::Grundy,
    &values::ByValues,
    &groups::ByGroups,
    &board::Board,
    &winner::ByContest,
    &fill::Fill,
    &search::Search,
    &search::Hash,
    &quotient::Quotient,
    &induction::Induction,
    &loopy::Loopy,
    &retrograde::Retrograde,
    &layers::Layers,
    &proving::ALPHA_BETA,
    &proving::PROOF_NUMBER,
];

/// The name of what looks so many moves ahead, and no further.
pub(crate) const LOOKING_AHEAD: MethodName = proving::ALPHA_BETA.name;

/// What a method can do beside an answer for the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ability {
    /// It values every position that play can reach, each with all that there is to know of it: who wins, how soon, and nimbers.
    /// For games that are no sums.
    EveryPosition,
    /// It values every position there can be, whether play reaches it or not.
    EveryCode,
    /// For sums, and for games that are to be summands: it values parts with their nimbers where they have them, else positions.
    EveryPart,
    /// The nimbers that it finds may be loopy.
    LoopyNimbers,
    /// It reads a heap game off the rules, whose sequence holds the answers for all heaps ([`Prepared::heap_game`]).
    HeapGame,
    /// Its table can be stored in a file ([`Prepared::intervals`]).
    StoredTable,
}

/// The methods that can do something, in the order of the registry.
///
/// ```
/// use solve::methods::{Ability, able};
///
/// assert!(able(Ability::EveryCode).iter().any(|method| method.name().name() == "fill"));
/// ```
pub fn able(ability: Ability) -> Vec<&'static dyn Method> {
    ALL.into_iter().filter(|method| method.can(ability)).collect()
}

/// Whether a method can do something.
pub fn can(name: MethodName, ability: Ability) -> bool {
    ALL.iter().any(|method| method.name() == name && method.can(ability))
}

/// The name of a method that was typed.
///
/// ```
/// assert_eq!(solve::methods::find("fill").unwrap().name(), "fill");
/// assert!(solve::methods::find("magic").is_none());
/// ```
pub fn find(name: &str) -> Option<MethodName> {
    names().find(|known| known.name() == name)
}

/// The names of all methods.
pub fn names() -> impl Iterator<Item = MethodName> {
    ALL.iter().map(|method| method.name())
}

/// The method that finds canonical forms for such parts.
pub fn valuing(parts: PartKind) -> MethodName {
    let found = ALL.iter().find(|method| method.values_parts() == Some(parts));
    found.map_or(values::NAME, |method| method.name())
}

/// Whether a method finds canonical forms of parts.
pub(crate) fn values_parts(name: MethodName) -> bool {
    ALL.iter().any(|method| method.name() == name && method.values_parts().is_some())
}

/// What a method does, in a line for people who choose one.
///
/// ```
/// let fill = solve::methods::find("fill").unwrap();
/// assert_eq!(solve::methods::about(fill), "Compiled: a dense table filled by a loop nest");
/// ```
pub fn about(name: MethodName) -> &'static str {
    ALL.iter().find(|method| method.name() == name).map_or("", |method| method.about())
}

/// A way to solve games.
pub trait Method: Sync {
    /// Its name.
    fn name(&self) -> MethodName;

    /// What it does, in a line for people who choose one.
    fn about(&self) -> &'static str {
        ""
    }

    /// Whether it can do something beside an answer for the start.
    fn can(&self, ability: Ability) -> bool {
        let _ = ability;
        false
    }

    /// Which parts of positions it finds canonical forms for, where it is for that.
    fn values_parts(&self) -> Option<PartKind> {
        None
    }

    /// Looks at a case: whether the method applies, why, and what it will cost. Nothing large is searched or allocated: a
    /// sample of play and the race of two short searches (`proving`) are bounded, and done once a case.
    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError>;

    /// Looks at a case of which it is known what the cheapest method takes, in seconds, that values all positions and fits in
    /// memory. A method says more here that is for games where that is much.
    fn recognise_beside<'b>(
        &self,
        case: &Case<'b>,
        table: Option<f64>,
        monitor: &mut Monitor,
    ) -> Result<Look<'b>, SolveError> {
        let _ = table;
        self.recognise(case, monitor)
    }
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
    pub fn with_shape(self, name: &'static str, fact: Fact) -> Look<'b> {
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
    /// What the method values one by one, and counts.
    pub unit: Unit,
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
            unit: Unit::Position,
            acyclic: None,
            constant_total: None,
            prepared: Box::new(prepared),
        }
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

impl Code {
    /// Compiled rules of a case, with codes.
    pub(crate) fn compiled(case: &Case<'_>, coding: &Coding<'_>) -> Code {
        let proved = coding.study.facts.iter().map(|fact| case.named(fact)).collect();
        Code::Compiled { numbering: coding.numbering().to_string(), proved }
    }
}

/// A method ready to run on its case. It may run more than once: code is compiled the first time.
pub trait Prepared<'b> {
    /// Solves the game.
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp>;

    /// Solves the game after positions were looked at, to choose the method. Methods on graphs go on from these positions. The
    /// others drop them and have their memory.
    fn run_from(&self, looked_at: Remembered<'b>, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        drop(looked_at);
        self.run(monitor)
    }

    /// The heap game whose sequence of values holds the answer, and whether play is misère. `sequence` values it for all heaps.
    fn heap_game(&self) -> Option<(HeapGame, bool)> {
        None
    }

    /// The intervals of a row whose table holds the answer. `build` stores them in a file.
    fn intervals(&self) -> Option<Intervals> {
        None
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
    /// Whether positions repeat; not known where only some of them were looked at.
    pub cyclic: Option<Fact>,
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
    /// A report on a game whose positions repeat, or not, if that is known.
    pub fn new(cyclic: impl Into<Option<Fact>>) -> Report {
        Report {
            cyclic: cyclic.into(),
            constant_total: None,
            declared: None,
            class: None,
            class_missing: None,
            code: String::new(),
            findings: Vec::new(),
            aside: None,
        }
    }

    /// Whether it is known that positions repeat.
    pub fn repeats(&self) -> bool {
        self.cyclic.as_ref().is_some_and(|fact| fact.holds)
    }
}
