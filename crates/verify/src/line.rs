//! Straight lines: numbers that grow with the size of a heap, and with one choice that is left open. [`crate::heap_rules`] reads rules
//! in terms of them.

use crate::refusal::Refusal;

/// Numbers of rules that are larger are not read. [`Line::new`] sees to it, so that sums of a few of them never overflow.
pub const LARGEST: i64 = 1 << 40;

/// A number: so often the heap, so often the choice that is open, and a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub heap: i64,
    pub choice: i64,
    pub constant: i64,
}

/// Refuses rules that are not read, and says where.
pub fn unread<T>(what: &str) -> Result<T, Refusal> {
    Err(Refusal::wrong(format!("the rules are not read as rules of heaps: {what}")))
}

impl Line {
    /// The heap itself.
    pub const HEAP: Line = Line { heap: 1, choice: 0, constant: 0 };
    /// The open choice.
    pub const CHOICE: Line = Line { heap: 0, choice: 1, constant: 0 };

    /// A line with small numbers: all others are made here.
    fn new(heap: Option<i64>, choice: Option<i64>, constant: Option<i64>) -> Result<Line, Refusal> {
        let within = |number: Option<i64>, most: i64| number.filter(|number| (-most..=most).contains(number));
        match (within(heap, 1), within(choice, 1), within(constant, LARGEST)) {
            (Some(heap), Some(choice), Some(constant)) => Ok(Line { heap, choice, constant }),
            _ => unread("a number is too large"),
        }
    }

    pub fn constant(constant: i64) -> Result<Line, Refusal> {
        Line::new(Some(0), Some(0), Some(constant))
    }

    /// One line plus so often another.
    pub fn plus(self, other: Line, times: i64) -> Result<Line, Refusal> {
        let sum = |own: i64, other: i64| times.checked_mul(other).and_then(|other| own.checked_add(other));
        Line::new(sum(self.heap, other.heap), sum(self.choice, other.choice), sum(self.constant, other.constant))
    }

    pub fn fixed(self) -> Option<i64> {
        (self.heap == 0 && self.choice == 0).then_some(self.constant)
    }
}
