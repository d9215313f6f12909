//! What is known of a value before the code runs: the numbers it may hold, and how long its lists may be.
//!
//! A value takes one, two or three machine words, in registers and in memory alike:
//!
//! ```text
//! number   the number
//! list     address of the first item, number of items
//! set      address of the first word of bits, the element of bit 0, number of words
//! ```
//!
//! What is known saves tests: an index that is always in range, a sum that cannot overflow.

use cranelift_codegen::ir::Value;
use rules::types::Type;

/// Numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: i64,
    pub high: i64,
}

impl Range {
    /// Any number.
    pub const ANY: Range = Range { low: i64::MIN, high: i64::MAX };
    /// 0 or 1.
    pub const TRUTH: Range = Range { low: 0, high: 1 };
    /// A length.
    pub const LENGTH: Range = Range { low: 0, high: i64::MAX };

    pub fn new(low: i64, high: i64) -> Range {
        Range { low, high }
    }

    pub fn one(number: i64) -> Range {
        Range { low: number, high: number }
    }

    /// The range of exact results, if all fit in 64 bits.
    pub fn exact(low: i128, high: i128) -> Option<Range> {
        Some(Range { low: i64::try_from(low).ok()?, high: i64::try_from(high).ok()? })
    }

    /// The range of exact results where those that do not fit are faults.
    pub fn clamped(low: i128, high: i128) -> Range {
        let clamp = |number: i128| number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        Range { low: clamp(low), high: clamp(high) }
    }

    /// The only number, if there is one.
    pub fn single(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn join(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether every number is in `0..length`.
    pub fn below(self, length: i64) -> bool {
        self.low >= 0 && self.high < length
    }

    /// Least and greatest sum, difference, product.
    pub fn sum(self, other: Range) -> (i128, i128) {
        (i128::from(self.low) + i128::from(other.low), i128::from(self.high) + i128::from(other.high))
    }

    pub fn difference(self, other: Range) -> (i128, i128) {
        (i128::from(self.low) - i128::from(other.high), i128::from(self.high) - i128::from(other.low))
    }

    pub fn product(self, other: Range) -> (i128, i128) {
        let of = |a: i64, b: i64| i128::from(a) * i128::from(b);
        let all =
            [of(self.low, other.low), of(self.low, other.high), of(self.high, other.low), of(self.high, other.high)];
        (all.iter().copied().fold(i128::MAX, i128::min), all.iter().copied().fold(i128::MIN, i128::max))
    }
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number of this range.
    Number(Range),
    /// A list.
    List {
        /// It has at least so many items,
        least: i64,
        /// and at most so many.
        most: i64,
        /// Whether no item comes twice.
        distinct: bool,
        /// What is known of every item.
        item: Box<Shape>,
    },
    /// A set whose elements are of this range.
    Set(Range),
}

impl Shape {
    /// Nothing but the type is known.
    pub fn of(ty: &Type) -> Shape {
        match ty {
            Type::Bool => Shape::Number(Range::TRUTH),
            Type::Int | Type::Unknown => Shape::Number(Range::ANY),
            Type::Set => Shape::Set(Range::ANY),
            Type::Text => Shape::list(0, i64::MAX, Shape::Number(Range::ANY)),
            Type::List(item) => Shape::list(0, i64::MAX, Shape::of(item)),
        }
    }

    /// A list of `least` to `most` items.
    pub fn list(least: i64, most: i64, item: Shape) -> Shape {
        Shape::List { least, most, distinct: most <= 1, item: Box::new(item) }
    }

    /// How many machine words it takes.
    pub fn width(&self) -> usize {
        match self {
            Shape::Number(_) => 1,
            Shape::List { .. } => 2,
            Shape::Set(_) => 3,
        }
    }

    /// What holds for both. An empty list has no items, so its type may be another one.
    pub fn join(&self, other: &Shape) -> Shape {
        match (self, other) {
            (Shape::Number(a), Shape::Number(b)) => Shape::Number(a.join(*b)),
            (Shape::Set(a), Shape::Set(b)) => Shape::Set(a.join(*b)),
            (
                Shape::List { least, most, item, distinct },
                Shape::List { least: other_least, most: other_most, item: other_item, distinct: other_distinct },
            ) => {
                let item = match (most, other_most) {
                    (0, _) => other_item.clone(),
                    (_, 0) => item.clone(),
                    _ => Box::new(item.join(other_item)),
                };
                let (least, most) = (*least.min(other_least), *most.max(other_most));
                Shape::List { least, most, distinct: *distinct && *other_distinct, item }
            }
            (Shape::Number(_), wide) | (wide, _) => wide.clone(),
        }
    }

    /// The range of a number, of the elements of a set, or of the items of a list.
    pub fn range(&self) -> Range {
        match self {
            Shape::Number(range) | Shape::Set(range) => *range,
            Shape::List { item, .. } => item.range(),
        }
    }

    /// How values of this shape lie in memory, as one number that the helpers of compiled code read: twice the depth of
    /// lists, and one more where sets lie at the bottom.
    pub fn kind(&self) -> i64 {
        match self {
            Shape::Number(_) => 0,
            Shape::Set(_) => 1,
            Shape::List { item, .. } => item.kind() + 2,
        }
    }
}

/// A number in a register.
#[derive(Clone, Copy, Debug)]
pub struct Num {
    pub value: Value,
    pub range: Range,
}

/// A value in registers.
#[derive(Clone, Debug)]
pub struct Val {
    pub shape: Shape,
    /// As many as the shape is wide.
    pub words: [Value; 3],
}

impl Val {
    /// The words that matter.
    pub fn parts(&self) -> &[Value] {
        &self.words[..self.shape.width()]
    }

    pub fn number(num: Num) -> Val {
        Val { shape: Shape::Number(num.range), words: [num.value; 3] }
    }

    /// As a number.
    pub fn num(&self) -> Num {
        Num { value: self.words[0], range: self.shape.range() }
    }
}
