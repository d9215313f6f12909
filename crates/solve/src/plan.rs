//! The plan: what kind of game this is, how that is known, and which method solves it.
//!
//! Nothing is played here; a plan is made from the rules and the instance alone and can be printed.

use rules::bind::Bound;
use rules::diagnostic::Diagnostic;
use rules::program::{EndingKind, ExprKind, Objective, Program};

use crate::error::SolveError;
use crate::properties::{self, Fact};

/// What kind of answer the game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Won, lost or drawn.
    Outcome,
    /// A score for two, each maximising the difference.
    Score,
    /// One total a player, each maximising their own.
    Payoffs,
    /// More than two players, won by one of them.
    Winners,
}

/// How positions are valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every position after its options, found by a depth-first search; if positions repeat, the next.
    Induction,
    /// Backwards from the ends, level by level, for positions that can repeat.
    Retrograde,
    /// The Grundy numbers of the parts, and their XOR.
    Grundy,
    /// Smith's loopy nimbers of the parts, which can repeat, and their sum.
    Loopy,
    /// The sequence of the values of heaps, with a proved period where there is one.
    Heap,
    /// The theorem of rows and stacks: peaks fuse, and the rest is taken from the largest down.
    Row,
    /// The triangle of all intervals of a row.
    Triangle,
    /// Maxima over windows of a list, for games that go forward through it.
    Window,
    /// The misère quotient of the parts of a sum that is lost by the last mover.
    Quotient,
    /// A dense table filled by a loop nest, in an order proved from the rules.
    Fill,
    /// A memoised search in a dense table.
    Search,
    /// A search whose positions are hashed.
    Hash,
}

impl Method {
    /// The names that `--method` takes.
    pub const ALL: [Method; 12] = [
        Method::Induction,
        Method::Retrograde,
        Method::Grundy,
        Method::Loopy,
        Method::Heap,
        Method::Row,
        Method::Triangle,
        Method::Window,
        Method::Quotient,
        Method::Fill,
        Method::Search,
        Method::Hash,
    ];

    /// Whether only compiled code does it.
    pub fn is_compiled(self) -> bool {
        matches!(self, Method::Fill | Method::Search | Method::Hash)
    }

    /// As `--method` and the JSON spell it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Induction => "induction",
            Method::Retrograde => "retrograde",
            Method::Grundy => "grundy",
            Method::Loopy => "loopy",
            Method::Heap => "heap",
            Method::Row => "row",
            Method::Triangle => "triangle",
            Method::Window => "window",
            Method::Quotient => "quotient",
            Method::Fill => "fill",
            Method::Search => "search",
            Method::Hash => "hash",
        }
    }
}

/// What is known of a bound game before it is solved, and what will be done.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The kind of answer.
    pub kind: Kind,
    /// Both players always have the same moves.
    pub impartial: Fact,
    /// The last mover wins.
    pub last_mover: Fact,
    /// The position is a sum of parts.
    pub sum: Fact,
    /// Positions cannot repeat, as far as the rules show.
    pub acyclic: Fact,
    /// All gains add up to the same total, as far as the rules show. Counted games only.
    pub constant_total: Option<Fact>,
    /// Whether positions must record whose turn it is.
    pub with_turn: bool,
    /// Whether positions have Grundy numbers, if none repeats.
    pub nimbers: bool,
    /// Whether it is asked who wins whoever starts.
    pub partizan: bool,
    /// The method, and why.
    pub method: Method,
    /// Why this method.
    pub why: String,
    /// Whether a position is a heap, or a sum of heaps, and which game is played with it.
    pub heap: Fact,
    /// Whether a position is rows and stacks of numbers, of which a move takes one from an open end, where
    /// that was looked at.
    pub row: Option<Fact>,
    /// Whether the game goes forward through one list, where that was looked at.
    pub ahead: Option<Fact>,
    /// What the method has found of the game as a whole, by name, once it has run.
    pub findings: Vec<(&'static str, String)>,
    /// What runs the rules.
    pub code: CodePlan,
}

/// What runs the rules, and what is known of their formulas.
#[derive(Clone, Debug, PartialEq)]
pub enum CodePlan {
    /// The interpreter, and why.
    Interpreted(String),
    /// Code of ours for games of this shape.
    Kernel {
        /// What it does.
        how: String,
        /// Places of the table.
        places: u64,
        /// What it takes.
        bytes: u64,
        /// The order of the time it takes, in seconds.
        seconds: f64,
    },
    /// Compiled code.
    Compiled {
        /// How positions are numbered.
        numbering: String,
        /// What was proved of all positions.
        facts: Vec<String>,
        /// What the code looks like; empty before it is made.
        code: String,
        /// Places of the table, or the most positions there can be.
        places: u64,
        /// What the table takes, where that is known beforehand.
        bytes: Option<u64>,
        /// The order of the time it takes, in seconds, if all places are visited.
        seconds: f64,
    },
}

impl Plan {
    /// The plan for a game; `forced` names a method that must be used.
    pub fn new(bound: &Bound, forced: Option<Method>) -> Result<Plan, SolveError> {
        let program = &*bound.program;
        let kind = kind(bound)?;
        let impartial = properties::impartial(program, bound.players);
        let last_mover = properties::last_mover_wins(program, bound.players);
        let nimbers = impartial.holds && last_mover.holds;
        let partizan = !impartial.holds && last_mover.holds;
        let with_turn = !impartial.holds || kind == Kind::Payoffs;
        let sum = match &program.sum {
            Some(sum) => {
                let (count, part) = (bound.start.parts.len(), &sum.part);
                let parts = if count == 1 { "1 part".to_string() } else { format!("{count} parts") };
                Fact::yes(format!("the rules say `sum of {part}`: {parts}"))
            }
            None => Fact::no("the rules state one position"),
        };
        let (method, why) = if sum.holds && nimbers {
            (Method::Grundy, "an impartial sum won by the last mover: each part has a Grundy number, the sum their XOR")
        } else if kind == Kind::Outcome {
            let why = "each position is valued once, after all its options; if positions turn out to repeat, retrograde \
                       analysis takes over";
            (Method::Induction, why)
        } else {
            (
                Method::Induction,
                "each position is valued once, after all its options; positions that repeat would be refused",
            )
        };
        let mut plan = Plan {
            kind,
            impartial,
            last_mover,
            sum,
            acyclic: properties::acyclic(program),
            constant_total: (kind == Kind::Score || kind == Kind::Payoffs).then(|| constant_total(bound)),
            with_turn,
            nimbers,
            partizan,
            method,
            why: why.to_string(),
            heap: Fact::no("not looked at yet"),
            row: None,
            ahead: None,
            findings: Vec::new(),
            code: CodePlan::Interpreted("not looked at yet".to_string()),
        };
        if let Some(method) = forced {
            plan.force(method)?;
        }
        Ok(plan)
    }

    fn force(&mut self, method: Method) -> Result<(), SolveError> {
        let objection = match method {
            Method::Grundy | Method::Quotient if !self.sum.holds => {
                Some("the game is not a `sum of` parts".to_string())
            }
            Method::Grundy | Method::Loopy if !self.nimbers && !self.impartial.holds => {
                Some(format!("the game is not impartial: {}", self.impartial.why))
            }
            Method::Quotient if !self.impartial.holds => {
                Some(format!("the game is not impartial: {}", self.impartial.why))
            }
            Method::Grundy | Method::Loopy if !self.nimbers => {
                Some(format!("the last mover does not always win: {}", self.last_mover.why))
            }
            Method::Fill | Method::Search | Method::Hash if self.sum.holds => {
                Some("a sum is solved by its parts, or searched as a whole".to_string())
            }
            Method::Fill | Method::Search | Method::Hash if matches!(self.kind, Kind::Payoffs | Kind::Winners) => {
                Some("it is for two players who want opposite things".to_string())
            }
            Method::Retrograde if self.kind != Kind::Outcome => {
                Some("it is for games of two players that are won, lost or drawn".to_string())
            }
            _ => None,
        };
        if let Some(why) = objection {
            return Err(SolveError::NotApplicable(format!("the method `{}` does not apply: {why}", method.name())));
        }
        self.method = method;
        self.why = "asked for with --method".to_string();
        Ok(())
    }
}

fn kind(bound: &Bound) -> Result<Kind, SolveError> {
    let program = &*bound.program;
    let several = bound.players > 2;
    if several && program.objective == Some(Objective::Difference) {
        let title = format!("`objective difference` is for two players; this game has {}", bound.players);
        let help = "leave it out: with three or more players each maximises their own total";
        return Err(SolveError::Fault(Diagnostic::at(program.name_span, title, "this game").help(help).into()));
    }
    Ok(match (program.counted, several) {
        (false, false) => Kind::Outcome,
        (false, true) => Kind::Winners,
        (true, true) => Kind::Payoffs,
        (true, false) if program.objective == Some(Objective::Own) => Kind::Payoffs,
        (true, false) => Kind::Score,
    })
}

/// Constant total, seen in the rules: moves earn nothing, and every result pays out the same.
fn constant_total(bound: &Bound) -> Fact {
    let program = &*bound.program;
    if properties::gains_in_moves(program) {
        return Fact::no("not seen in the rules, since moves gain: the totals of all positions are compared");
    }
    match results_total(bound, program) {
        Some(total) => Fact::yes(format!("moves earn nothing, and every result pays out {total} in all")),
        None => Fact::no("not seen in the rules, since results differ: the totals of all positions are compared"),
    }
}

/// What every result pays out in all, if that is one number that the rules show.
fn results_total(bound: &Bound, program: &Program) -> Option<i64> {
    let endings = program.ends.iter().map(|end| Some(&end.result)).chain([program.stuck.as_ref()]);
    let mut known = None;
    for ending in endings {
        let total = match ending.map(|ending| &ending.kind) {
            None => 0,
            Some(EndingKind::Score(value)) => literal(bound, value)?,
            Some(EndingKind::Payoffs(list)) => match &list.kind {
                ExprKind::List(items) => {
                    let totals = items.iter().map(|item| literal(bound, item)).collect::<Option<Vec<i64>>>()?;
                    totals.into_iter().try_fold(0i64, i64::checked_add)?
                }
                _ => return None,
            },
            Some(_) => return None,
        };
        if known.is_some_and(|known| known != total) {
            return None;
        }
        known = Some(total);
    }
    known
}

/// A number that stands in the rules or is a parameter or `let`.
fn literal(bound: &Bound, value: &rules::program::Expr) -> Option<i64> {
    match &value.kind {
        ExprKind::Scalar(value) => Some(*value),
        ExprKind::Global(slot) => bound.globals[*slot].as_int(),
        _ => None,
    }
}
