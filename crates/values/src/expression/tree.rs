//! Expressions as trees.

use std::ops::Range;

use crate::arena::Compact;

/// An expression and where it stands in the text, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What it is.
    pub term: Term,
    /// Where it stands.
    pub place: Range<usize>,
}

/// How two sides are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `||`: neither at most the other.
    Confused,
    /// `<|`: less or confused.
    LessOrConfused,
    /// `|>`: greater or confused.
    GreaterOrConfused,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A number, ups and a nimber.
    Compact(Compact),
    /// Up to a power, or to all powers up to it: `^<2>`, `^[2]`, `v[2]*`.
    Uptimal {
        /// The power.
        power: u32,
        /// All powers up to it.
        all: bool,
        /// Down instead of up.
        down: bool,
        /// The nimber beside it.
        star: u32,
    },
    /// `{left | right}`
    Braces(Vec<Expression>, Vec<Expression>),
    /// `a{0|a}`: a loopy game whose label stands for it inside.
    Labelled {
        /// The label.
        label: String,
        /// The game in braces.
        game: Box<Expression>,
    },
    /// `±x`, `±(x, y)`
    PlusMinus(Vec<Expression>),
    /// `+_x`, or `-_x` with `miny`.
    Tiny {
        /// The subscript.
        x: Box<Expression>,
        /// The negative.
        miny: bool,
    },
    /// `a + b − c`: true before what is taken away.
    Sum(Vec<(bool, Expression)>),
    /// `n * a`
    Product(Box<Expression>, Box<Expression>),
    /// `a : b : c`
    Ordinal(Vec<Expression>),
    /// `s & t`: a loopy value by its onside and its offside.
    Sides(Box<Expression>, Box<Expression>),
    /// `a < b`
    Compare(Relation, Box<Expression>, Box<Expression>),
    /// `mean(x)`: a function of [`crate::expression::FUNCTIONS`].
    Function(&'static str, Vec<Expression>),
    /// Any other name: a position.
    Position(Named),
}

/// A position by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name, without quotes.
    pub name: String,
    /// The text between its brackets; empty without brackets.
    pub arguments: String,
    /// All of it, as it stands in the text.
    pub written: String,
}
