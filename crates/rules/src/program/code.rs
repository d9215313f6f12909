//! Statements and expressions of a checked program.

use crate::program::Parts;
use crate::span::Span;
use crate::types::Type;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `let x = e;` and `var x = e;`
    Set {
        /// Which local.
        local: usize,
        /// Its value.
        value: Expr,
    },
    /// `place = e;`, `place += e;`, `place -= e;`
    Assign {
        /// What changes.
        place: Place,
        /// How.
        op: AssignOp,
        /// The right-hand side; for `+=` and `-=` on a set, the element.
        value: Expr,
    },
    /// `if c { … } else { … }`
    If {
        /// The condition.
        condition: Expr,
        /// When it holds.
        then: Vec<Stmt>,
        /// When it does not.
        otherwise: Vec<Stmt>,
    },
    /// `for x in … { … }`
    For {
        /// The loop variable.
        local: usize,
        /// A range, list or set.
        over: Expr,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`, and the closing expression of a function.
    Return(Expr),
    /// `gain e;` and `gain e for PLAYER;`
    Gain {
        /// How much.
        amount: Expr,
        /// Who gets it; the mover if absent.
        player: Option<Expr>,
    },
    /// `turn = PLAYER;`, and `again;` with the mover.
    Turn(Expr),
    /// `split …;`
    Split(Parts),
}

/// How an assignment changes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
}

/// Something that can be assigned to.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub root: Root,
    /// Indices into it, outermost first.
    pub indices: Vec<Expr>,
    /// The type of what is assigned.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// The variable of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A variable of the position, by number.
    Variable(usize),
    /// A local.
    Local(usize),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, truth value (0, 1), player, character or named constant.
    Scalar(i64),
    /// A text literal.
    Text(String),
    /// A parameter or game-level `let`.
    Global(usize),
    /// A variable of the position, with indices: outermost first, as many as it has dimensions or fewer.
    Variable {
        /// Which.
        variable: usize,
        /// Indices.
        indices: Vec<Expr>,
    },
    /// A local.
    Local(usize),
    /// The player to move.
    Mover,
    /// The other of two players.
    Opponent,
    /// `-e`
    Negate(Box<Expr>),
    /// `not e`
    Not(Box<Expr>),
    /// Arithmetic and comparison. `Equal` and `NotEqual` compare whole values of any type, the rest numbers.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a and b`: stops early.
    And(Box<Expr>, Box<Expr>),
    /// `a or b`: stops early.
    Or(Box<Expr>, Box<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `list[i]`; never on a variable of the position, see [`ExprKind::Variable`].
    Index(Box<Expr>, Box<Expr>),
    /// `list[i..j]`, `list[i..=j]`; an absent bound is the list's own.
    Slice {
        /// The list.
        list: Box<Expr>,
        /// First index.
        low: Option<Box<Expr>>,
        /// Bound above.
        high: Option<Box<Expr>>,
        /// Whether `high` itself is included.
        inclusive: bool,
    },
    /// `x in collection`; a [`ExprKind::Range`] on the right is compared, not built.
    In(Box<Expr>, Box<Expr>),
    /// `a..b` or `a..=b`, as a list of numbers.
    Range {
        /// The first number.
        low: Box<Expr>,
        /// The bound above.
        high: Box<Expr>,
        /// Whether `high` itself is included.
        inclusive: bool,
    },
    /// A call of a function of the file.
    Call(usize, Vec<Expr>),
    /// A call of a built-in function.
    Builtin(Builtin, Vec<Expr>),
    /// `sum(e for …)` and its kin.
    Fold {
        /// Which.
        fold: Fold,
        /// What is folded. `any` and `all` fold bools. `count` counts bools that are true, and all values of any other
        /// type.
        item: Box<Expr>,
        /// The loops, outermost first; at least one.
        loops: Vec<Loop>,
    },
    /// `[a, b, c]`
    List(Vec<Expr>),
    /// `[item; length]`
    Repeat(Box<Expr>, Box<Expr>),
    /// `[item for …]`
    Comprehension(Box<Expr>, Vec<Loop>),
    /// `{a, b}` and `{}`
    SetOf(Vec<Expr>),
    /// `{item for …}`
    SetComprehension(Box<Expr>, Vec<Loop>),
}

/// `for x in over when condition` inside a fold or comprehension.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The loop variable.
    pub local: usize,
    /// A range, list or set.
    pub over: Expr,
    /// The condition.
    pub when: Option<Expr>,
}

/// Arithmetic and comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounding down
    Divide,
    /// `%`, with the sign of the divisor
    Remainder,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// Folds over loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Adds up; 0 of nothing.
    Sum,
    /// The least; an error of nothing.
    Min,
    /// The largest; an error of nothing.
    Max,
    /// How many; 0 of nothing.
    Count,
    /// Whether one holds; stops at the first.
    Any,
    /// Whether all hold; stops at the first that does not.
    All,
    /// Exclusive or; 0 of nothing.
    Xor,
    /// Greatest common divisor; 0 of nothing.
    Gcd,
}

/// Built-in functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// Length of a list, text or set.
    Len,
    /// Any number of numbers, lists of numbers and sets.
    Fold(Fold),
    /// Absolute value.
    Abs,
    /// −1, 0 or 1, as the number is below, equal to or above 0.
    Sign,
    /// `pow(base, exponent)`, exponent at least 0.
    Pow,
    /// Largest whole number whose square is at most the argument, which is at least 0.
    Isqrt,
    /// Bitwise and of two numbers.
    BitAnd,
    /// Bitwise or of two numbers.
    BitOr,
    /// `shl(x, by)`: times a power of two, overflow is an error; by at least 0.
    Shl,
    /// `shr(x, by)`: divided by a power of two, rounding down; by at least 0.
    Shr,
    /// Number of one bits of a number that is at least 0.
    Popcount,
    /// Positive divisors, ascending, of a number that is at least 1.
    Divisors,
    /// A list of numbers (or a set) in ascending order.
    Sort,
    /// A list backwards.
    Reverse,
}
