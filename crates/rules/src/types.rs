//! The types of the language: whole numbers, truth values, lists, sets of numbers, and text as a list of characters.

use std::fmt;

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A 64-bit whole number; named constants, players and characters are numbers too.
    Int,
    /// `true` or `false`.
    Bool,
    /// A list of characters: a list of numbers that is shown as text.
    Text,
    /// A list whose items share one type.
    List(Box<Type>),
    /// A set of numbers.
    Set,
    /// The type of the items of `[]`, and of an expression with a mistake that was already reported.
    Unknown,
}

impl Type {
    /// A list of `item`s.
    pub fn list(item: Type) -> Type {
        Type::List(Box::new(item))
    }

    /// What indexing or looping over a value of this type gives.
    pub fn item(&self) -> Option<Type> {
        match self {
            Type::Text | Type::Set => Some(Type::Int),
            Type::List(item) => Some((**item).clone()),
            Type::Unknown => Some(Type::Unknown),
            Type::Int | Type::Bool => None,
        }
    }

    /// Whether the value is one number at run time.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Type::Int | Type::Bool)
    }

    /// The type that has room for both, if there is one.
    pub fn join(&self, other: &Type) -> Option<Type> {
        match (self, other) {
            (Type::Unknown, t) | (t, Type::Unknown) => Some(t.clone()),
            (a, b) if a == b => Some(a.clone()),
            (Type::Text, Type::List(item)) | (Type::List(item), Type::Text) => {
                Type::Int.join(item).filter(|t| *t == Type::Int).map(Type::list)
            }
            (Type::List(a), Type::List(b)) => a.join(b).map(Type::list),
            _ => None,
        }
    }
}

/// The type as a rules file writes it, with an article: `an int`, `a [int]`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int => f.write_str("int"),
            Type::Bool => f.write_str("bool"),
            Type::Text => f.write_str("text"),
            Type::List(item) => write!(f, "[{item}]"),
            Type::Set => f.write_str("set"),
            Type::Unknown => f.write_str("_"),
        }
    }
}
