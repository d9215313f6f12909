//! The checked program: a rules file with every name resolved and every expression typed.
//!
//! The interpreter runs it, planners read it, and compilers translate it. Nothing here depends on an instance:
//! parameters and `let`s are *slots* that [`crate::bind`] fills, in the order of [`Program::globals`].
//!
//! Invariants that the checker establishes and everyone after it may rely on:
//! - every index (slot, variable, function, local) is in range, and every expression has the type it says;
//! - functions do not recurse and change nothing outside their own locals;
//! - `Bool` and `Int` expressions are scalars: one `i64` at run time, 0 or 1 for truth values;
//! - locals of a body are numbered from 0, arguments (functions) or choices (moves) first.

mod code;
mod judge;

pub use judge::{AnswerField, InputPiece, OutputField};

pub use code::{AssignOp, BinaryOp, Builtin, Expr, ExprKind, Fold, Loop, Place, Root, Stmt, StmtKind};

use std::fmt;

use crate::span::Span;
use crate::types::Type;

/// A whole rules file, checked.
#[derive(Clone, Debug)]
pub struct Program {
    /// The game's name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// The lines of its `///` text.
    pub doc: Vec<String>,
    /// Parameters, in order. Parameter `i` is global slot `i`.
    pub params: Vec<Param>,
    /// Game-level `let`s in an order in which each needs only earlier ones; let `i` is slot `params.len() + i`.
    pub lets: Vec<Let>,
    /// Conditions on the instance.
    pub requires: Vec<Require>,
    /// Functions.
    pub functions: Vec<Function>,
    /// The variables of the position, or of one part of a sum.
    pub variables: Vec<Variable>,
    /// Present if the position is a sum of parts.
    pub sum: Option<Sum>,
    /// Number of players, two if absent.
    pub players: Option<Expr>,
    /// Who starts, player 0 if absent.
    pub starts: Option<Expr>,
    /// The moves in rule order.
    pub moves: Vec<Move>,
    /// The `end` rules in order.
    pub ends: Vec<EndRule>,
    /// The `stuck` rules in order: the first that holds counts where the player to move has no move. One without `when`
    /// has the condition `true`. If none holds, it is `lose`, or `score 0` in a counted game.
    pub stuck: Vec<EndRule>,
    /// What endless play means; absent means a draw.
    pub forever: Option<Ending>,
    /// What the file says players maximise.
    pub objective: Option<Objective>,
    /// Whether the file has gains, scores or payoffs: results are numbers.
    pub counted: bool,
    /// Declared symmetries.
    pub symmetries: Vec<Symmetry>,
    /// Declared independent regions.
    pub regions: Vec<Regions>,
    /// The declared measure.
    pub measure: Option<Expr>,
    /// The declared estimate.
    pub estimate: Option<Expr>,
    /// Closed forms to be checked.
    pub claims: Vec<Claim>,
    /// Which instances to try, in order.
    pub sample: Vec<SampleItem>,
    /// What the values of choices and variables are called.
    pub namings: Vec<NameRule>,
    /// How a position is drawn.
    pub show: Option<Show>,
    /// How an instance is written for a program that is checked.
    pub input: Option<Vec<InputPiece>>,
    /// What such a program prints.
    pub output: Option<Vec<OutputField>>,
    /// Worked examples.
    pub examples: Vec<Example>,
    /// Names of constants from `{…}` domains, with their numbers.
    pub constants: Vec<(String, i64)>,
}

impl Program {
    /// How many global slots there are.
    pub fn globals(&self) -> usize {
        self.params.len() + self.lets.len()
    }

    /// Whether a position without moves may be left to the default, because no `stuck` rule holds always.
    pub fn stuck_by_default(&self) -> bool {
        !self.stuck.iter().any(|rule| matches!(rule.when.kind, ExprKind::Scalar(holds) if holds != 0))
    }
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its type.
    pub ty: Type,
    /// The value used when none is given; may read earlier parameters.
    pub default: Option<Expr>,
}

/// A game-level `let`.
#[derive(Clone, Debug)]
pub struct Let {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its value.
    pub value: Expr,
}

/// `require COND : "message";`
#[derive(Clone, Debug)]
pub struct Require {
    /// The condition.
    pub condition: Expr,
    /// What to say when it fails.
    pub message: Option<String>,
    /// The global slots that the condition reads, to show their values.
    pub reads: Vec<usize>,
}

/// A function of the file.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Argument types; argument `i` is local `i`.
    pub params: Vec<Type>,
    /// What it returns.
    pub result: Type,
    /// How many locals its body uses, arguments included.
    pub locals: usize,
    /// Its statements; every path ends in [`StmtKind::Return`].
    pub body: Vec<Stmt>,
    /// Whether it, or a function it calls, reads the position, the mover or the opponent.
    pub reads_position: bool,
}

/// A variable of the position.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// What it can hold. All expressions in it read the instance only.
    pub domain: Domain,
    /// Its type, from the domain.
    pub ty: Type,
    /// Its value at the start; absent in the parts of a sum.
    pub start: Option<Expr>,
    /// Which of [`Program::namings`] names its numbers where it is shown.
    pub naming: Option<usize>,
}

/// `sum of PART(…) from LIST;`
#[derive(Clone, Debug)]
pub struct Sum {
    /// What a part is called.
    pub part: String,
    /// Where the item stands.
    pub span: Span,
    /// The parts at the start.
    pub from: Parts,
}

/// An expression that names parts of a sum: in `from`, and in `split`.
#[derive(Clone, Debug)]
pub enum Parts {
    /// Written out: for each part, one expression for each variable.
    Listed(Vec<Vec<Expr>>),
    /// `[[a, b] for …]`: one part for each turn of the loops, with one expression for each variable; their types may
    /// differ.
    Made {
        /// One expression for each variable.
        values: Vec<Expr>,
        /// The loops, outermost first; at least one.
        loops: Vec<Loop>,
    },
    /// A list: each item is the value of the only variable (`nested` false), or a list with one number for each
    /// variable.
    List {
        /// The list.
        list: Expr,
        /// Whether each item is itself a list with one scalar for each variable.
        nested: bool,
    },
}

/// What a variable or a choice can hold.
#[derive(Clone, Debug)]
pub enum Domain {
    /// `low..high` (exclusive) or `low..=high`.
    Range {
        /// The least value.
        low: Box<Expr>,
        /// The bound above.
        high: Box<Expr>,
        /// Whether `high` itself is in the range.
        inclusive: bool,
        /// Where it stands.
        span: Span,
    },
    /// `bool`.
    Bool,
    /// `{a, b, c}`: constants 0, 1, 2.
    Names(Vec<String>),
    /// `set of BASE`, where the base is a range or names.
    SetOf(Box<Domain>),
    /// `[ITEM; length]`.
    Array {
        /// What each item can hold.
        item: Box<Domain>,
        /// How many items.
        length: Box<Expr>,
        /// In a `sample` only: the length may be anything in a range, written `[ITEM; low..=high]`. Then `length` is
        /// the low bound, and this is the high bound and whether it is included.
        up_to: Option<(Box<Expr>, bool)>,
    },
}

/// What a choice ranges over.
#[derive(Clone, Debug)]
pub enum Source {
    /// A domain; its bounds may read the position and earlier choices.
    Domain(Domain),
    /// The items of a list (repeats count once) or set.
    Items(Expr),
    /// A set of named constants only, `{x, o}`: shown by name.
    NamedItems(Vec<(String, i64)>),
}

/// One choice of a move.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its name. Choice `i` of a move is local `i`.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// What it ranges over.
    pub source: Source,
    /// Its type.
    pub ty: Type,
    /// The names of its values, if they are named constants that the source does not name itself.
    pub names: Vec<(String, i64)>,
    /// Which of [`Program::namings`] names its numbers.
    pub naming: Option<usize>,
}

/// A `let` in the head of a move. It is evaluated once for each way to make the choices before it.
#[derive(Clone, Debug)]
pub struct MoveLet {
    /// How many choices stand before it.
    pub after: usize,
    /// Which local; never one of the choices.
    pub local: usize,
    /// Its value.
    pub value: Expr,
}

/// A move rule.
#[derive(Clone, Debug)]
pub struct Move {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// Whose move it is; anyone's if absent. 0 or 1.
    pub owner: Option<u8>,
    /// Its choices, evaluated from left to right.
    pub choices: Vec<Choice>,
    /// The `let`s of its head in order, which later choices, the condition and the body read.
    pub lets: Vec<MoveLet>,
    /// The condition, with all choices bound.
    pub when: Option<Expr>,
    /// How many locals it uses, choices included.
    pub locals: usize,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// `end when COND => RESULT;` and `stuck when COND => RESULT;`
#[derive(Clone, Debug)]
pub struct EndRule {
    /// The condition.
    pub when: Expr,
    /// The result.
    pub result: Ending,
    /// Where it stands.
    pub span: Span,
}

/// A RESULT, seen by the player to move.
#[derive(Clone, Debug)]
pub struct Ending {
    /// What it says.
    pub kind: EndingKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of RESULT.
#[derive(Clone, Debug)]
pub enum EndingKind {
    /// The mover wins.
    Win,
    /// The mover loses.
    Lose,
    /// Nobody wins.
    Draw,
    /// This player wins.
    Winner(Expr),
    /// A further gain of the mover's.
    Score(Expr),
    /// One further gain for each player.
    Payoffs(Expr),
}

/// What a player of a counted game maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Own total minus the other's.
    Difference,
    /// Own total.
    Own,
}

/// `symmetry ARRAY by PERMUTATION;`
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// The variable, an array.
    pub variable: usize,
    /// `new[i] = old[permutation[i]]`.
    pub permutation: Expr,
    /// Where it stands.
    pub span: Span,
}

/// `regions ARRAY as ROWS by COLUMNS where COND;`
#[derive(Clone, Debug)]
pub struct Regions {
    /// The variable, an array of scalars.
    pub variable: usize,
    /// Number of rows.
    pub rows: Expr,
    /// Number of columns.
    pub columns: Expr,
    /// The condition; local 0 is `cell`, the cell's value.
    pub condition: Expr,
    /// Where it stands.
    pub span: Span,
}

/// `claim FIELD = EXPR when COND;`
#[derive(Clone, Debug)]
pub struct Claim {
    /// Which field of the result.
    pub field: ClaimField,
    /// Its value: a number (`value`, `nimber`), a player or −1 for a draw (`winner`), 1, 0, −1 (`outcome`); or a text.
    pub value: Expr,
    /// What the value is divided by, where it is a fraction.
    pub over: Option<Expr>,
    /// Where it holds; everywhere if absent.
    pub when: Option<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// The fields that a claim can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimField {
    /// Who wins.
    Winner,
    /// The result for the player who starts.
    Outcome,
    /// The score for the player who starts.
    Value,
    /// The Grundy number.
    Nimber,
}

impl fmt::Display for ClaimField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ClaimField::Winner => "winner",
            ClaimField::Outcome => "outcome",
            ClaimField::Value => "value",
            ClaimField::Nimber => "nimber",
        })
    }
}

/// One line of `sample { … }`.
#[derive(Clone, Debug)]
pub struct SampleItem {
    /// Which parameter.
    pub param: usize,
    /// What it ranges over; may read the parameters sampled before it.
    pub source: Source,
    /// Where it stands.
    pub span: Span,
}

/// `name CHOICE, VARIABLE, … as LIST;` and `name … as ROWS by COLUMNS;`. Both read the instance only.
#[derive(Clone, Debug)]
pub enum NameRule {
    /// A list of texts: number `i` is called like item `i`.
    Texts(Expr),
    /// The squares of a grid, row by row from `a1` on.
    Grid {
        /// Number of rows.
        rows: Expr,
        /// Number of columns.
        columns: Expr,
    },
}

/// How a person sees a position.
#[derive(Clone, Debug)]
pub enum Show {
    /// `show grid(ARRAY, rows, columns) { value: "text", … };`
    Grid {
        /// A list of scalars (or of lists of scalars, row by row).
        cells: Expr,
        /// Number of rows.
        rows: Expr,
        /// Number of columns.
        columns: Expr,
        /// What to draw for a value. Values read the instance only.
        legend: Vec<(Expr, String)>,
    },
    /// `show "text with {EXPR}";`
    Text(Vec<ShowPiece>),
}

/// A piece of a `show` text.
#[derive(Clone, Debug)]
pub enum ShowPiece {
    /// Plain text.
    Text(String),
    /// A value.
    Value(Expr),
}

/// `example { … } gives { … };`
#[derive(Clone, Debug)]
pub struct Example {
    /// Parameters given, with constant expressions.
    pub given: Vec<(usize, Expr)>,
    /// Expected fields of the result.
    pub gives: Vec<(String, Literal, Span)>,
    /// Where it stands.
    pub span: Span,
}

/// A value in `gives { … }`, as in JSON; a bare word is a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A text or a bare word.
    Text(String),
    /// A list.
    List(Vec<Literal>),
}
