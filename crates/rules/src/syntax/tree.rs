//! The tree of a rules file as written: names unresolved, types unknown.

use crate::program::{AssignOp, BinaryOp};
use crate::span::Span;

/// A name with its place.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug)]
pub struct File {
    /// The game's name.
    pub name: Name,
    /// Its `///` lines.
    pub doc: Vec<String>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its items in order.
    pub items: Vec<Item>,
    /// Whether this is all of the file: nothing was skipped after a mistake.
    pub complete: bool,
}

/// A parameter of the game or a function.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeName,
    /// Its default (games only).
    pub default: Option<Expr>,
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// Which.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of type.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// A word: `int`, `bool`, `text`, `set`.
    Word(String),
    /// `[T]`
    List(Box<TypeName>),
}

/// An item of a game.
#[derive(Clone, Debug)]
pub struct Item {
    /// Which.
    pub kind: ItemKind,
    /// Where its first word stands.
    pub span: Span,
}

/// The kinds of item.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `require COND : "message";`
    Require(Expr, Option<String>),
    /// `let NAME = EXPR;`
    Let(Name, Expr),
    /// `fn NAME(…) -> TYPE { … }`
    Function(Function),
    /// `state { … }`
    State(Vec<Variable>),
    /// `sum of PART(…) from LIST;`
    Sum {
        /// What a part is called.
        part: Name,
        /// Its variables.
        variables: Vec<Variable>,
        /// The parts at the start.
        from: Expr,
    },
    /// `players EXPR;`
    Players(Expr),
    /// `starts PLAYER;`
    Starts(Expr),
    /// `move …`
    Move(Move),
    /// `end when COND => RESULT;`
    End(Expr, Ending),
    /// `stuck => RESULT;`, `stuck when COND => RESULT;`
    Stuck(Option<Expr>, Ending),
    /// `forever => RESULT;`
    Forever(Ending),
    /// `objective WORD;`
    Objective(Name),
    /// `symmetry ARRAY by PERMUTATION;`
    Symmetry(Name, Expr),
    /// `regions ARRAY as ROWS by COLUMNS where COND;`
    Regions {
        /// The array.
        array: Name,
        /// Number of rows.
        rows: Expr,
        /// Number of columns.
        columns: Expr,
        /// The condition on `cell`.
        condition: Expr,
    },
    /// `measure EXPR;`
    Measure(Expr),
    /// `estimate EXPR;`
    Estimate(Expr),
    /// `claim FIELD = EXPR when COND;`
    Claim(Name, ClaimedValue, Option<Expr>),
    /// `sample { … }`
    Sample(Vec<(Name, Source)>),
    /// `show grid(ARRAY, rows, columns) { value: "text", … };`
    ShowGrid {
        /// The cells.
        cells: Expr,
        /// Number of rows.
        rows: Expr,
        /// Number of columns.
        columns: Expr,
        /// What to draw for a value.
        legend: Vec<(Expr, String)>,
    },
    /// `name A, B as LIST;`, or `name A, B as ROWS by COLUMNS;`
    Names(Vec<Name>, Expr, Option<Expr>),
    /// `show "text with {EXPR}";`
    ShowText(Vec<ShowPiece>),
    /// `input "text with {EXPR by 'c'}";`
    Input(Vec<InputPiece>),
    /// `output FIELD as "A"/"B", …;`
    Output(Vec<OutputField>),
    /// `example { … } gives { … };`
    Example {
        /// Parameters.
        given: Vec<(Name, Expr)>,
        /// Expected fields.
        gives: Vec<(Name, Expr)>,
    },
}

/// A piece of a `show` text.
#[derive(Clone, Debug)]
pub enum ShowPiece {
    /// Plain text.
    Text(String),
    /// A value.
    Value(Expr),
}

/// A piece of an `input` text.
#[derive(Clone, Debug)]
pub enum InputPiece {
    /// Plain text.
    Text(String),
    /// A value, and what stands between the items of its lists, outermost first.
    Value(Expr, Vec<char>),
}

/// A field that a program prints.
#[derive(Clone, Debug)]
pub struct OutputField {
    /// Which.
    pub name: Name,
    /// What is printed for its values, with where that stands.
    pub words: Vec<(String, Span)>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Its arguments.
    pub params: Vec<Param>,
    /// What it returns.
    pub result: TypeName,
    /// Its body.
    pub body: Vec<Stmt>,
    /// The closing brace, where a missing `return` is reported.
    pub close: Span,
}

/// A variable of the position.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// What it can hold.
    pub domain: Source,
    /// Its value at the start.
    pub start: Option<Expr>,
}

/// A DOMAIN, or an expression where a choice allows one.
#[derive(Clone, Debug)]
pub struct Source {
    /// Which.
    pub kind: SourceKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of domain.
#[derive(Clone, Debug)]
pub enum SourceKind {
    /// `low..high`, `low..=high`
    Range(Box<Expr>, Box<Expr>, bool),
    /// `bool`
    Bool,
    /// `{a, b, c}`, names only
    Names(Vec<Name>),
    /// `set of BASE`
    SetOf(Box<Source>),
    /// `[ITEM; length]`, where the length is an expression or (in a sample) a range
    Array(Box<Source>, Box<Expr>),
    /// Anything else: an expression that gives a list or a set
    Items(Box<Expr>),
}

/// What a claim says a field is.
#[derive(Clone, Debug)]
pub struct ClaimedValue {
    /// The value; the upper number of a fraction.
    pub value: Expr,
    /// The lower number of a fraction, as in `3 over 4`.
    pub over: Option<Expr>,
}

/// A move.
#[derive(Clone, Debug)]
pub struct Move {
    /// Whose it is.
    pub owner: Option<Name>,
    /// Its name.
    pub name: Name,
    /// Its choices.
    pub choices: Vec<(Name, Source)>,
    /// Its `let`s, each with the number of choices before it.
    pub lets: Vec<(usize, Name, Expr)>,
    /// Its condition.
    pub when: Option<Expr>,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// A RESULT.
#[derive(Clone, Debug)]
pub struct Ending {
    /// Which: `win`, `lose`, `draw`, `winner`, `score`, `payoffs`.
    pub word: Name,
    /// What follows it.
    pub value: Option<Expr>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `let x = e;`, or `var x = e;` if the flag is set
    Let(Name, Expr, bool),
    /// `place = e;` and its kin
    Assign(Expr, AssignOp, Expr),
    /// `if c { … } else { … }`
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `for x in … { … }`
    For(Name, Expr, Vec<Stmt>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`; the flag is set for a closing expression without `return`
    Return(Expr, bool),
    /// `gain e for PLAYER;`
    Gain(Expr, Option<Expr>),
    /// `turn = PLAYER;`
    Turn(Expr),
    /// `again;`
    Again,
    /// `split (v, …), …;`
    SplitParts(Vec<Vec<Expr>>),
    /// `split LIST;`
    SplitList(Expr),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
    /// How deep the tree below it is; bounded, so that later stages may recurse over expressions.
    pub depth: u16,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Int(i64),
    /// `'x'`
    Char(i64),
    /// `true`, `false`
    Bool(bool),
    /// `"text"`
    Text(String),
    /// A name.
    Name(String),
    /// `mover`
    Mover,
    /// `opponent`
    Opponent,
    /// `-e`
    Negate(Box<Expr>),
    /// `not e`
    Not(Box<Expr>),
    /// Arithmetic and comparison
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a and b`
    And(Box<Expr>, Box<Expr>),
    /// `a or b`
    Or(Box<Expr>, Box<Expr>),
    /// `x in c`
    In(Box<Expr>, Box<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `a[i..j]`
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>, bool),
    /// `a..b`, `a..=b`
    Range(Box<Expr>, Box<Expr>, bool),
    /// `f(a, b)`
    Call(Name, Vec<Expr>),
    /// `sum(e for …)`
    Fold(Name, Box<Expr>, Vec<Loop>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `[e; n]`
    Repeat(Box<Expr>, Box<Expr>),
    /// `[e for …]`
    Comprehension(Box<Expr>, Vec<Loop>),
    /// `{a, b}`
    Set(Vec<Expr>),
    /// `{e for …}`
    SetComprehension(Box<Expr>, Vec<Loop>),
    /// A mistake that was already reported
    Mistake,
}

/// `for x in over when condition`
#[derive(Clone, Debug)]
pub struct Loop {
    /// The loop variable.
    pub name: Name,
    /// What it runs over.
    pub over: Expr,
    /// The condition.
    pub when: Option<Expr>,
}
