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

    /// Whether a value of this type may stand where `wanted` is needed.
    pub fn fits(&self, wanted: &Type) -> bool {
        match (self, wanted) {
            (Type::Unknown, _) | (_, Type::Unknown) => true,
            (Type::Text, Type::List(item)) | (Type::List(item), Type::Text) => item.fits(&Type::Int),
            (Type::List(a), Type::List(b)) => a.fits(b),
            (a, b) => a == b,
        }
    }

    /// What a message calls a value of this type, with its article: `a number`, `a list of texts`.
    pub fn noun(&self) -> String {
        match self {
            Type::Int => "a number".to_string(),
            Type::Bool => "true or false".to_string(),
            Type::Text => "a text".to_string(),
            Type::Set => "a set".to_string(),
            Type::List(item) if **item == Type::Unknown => "a list".to_string(),
            Type::List(item) => format!("a list of {}", item.plural()),
            Type::Unknown => "unknown".to_string(),
        }
    }

    fn plural(&self) -> String {
        match self {
            Type::Int => "numbers".to_string(),
            Type::Bool => "truth values".to_string(),
            Type::Text => "texts".to_string(),
            Type::Set => "sets".to_string(),
            Type::List(item) => format!("lists of {}", item.plural()),
            Type::Unknown => "anything".to_string(),
        }
    }
}

/// The type as a rules file writes it: `int`, `[int]`.
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
