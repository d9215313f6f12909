//! Symbolic values: the values of the rules while the position is unknown.

use std::rc::Rc;

use rules::value::Value;

use crate::node::Node;

/// A value that may be known in part.
#[derive(Clone, Debug)]
pub(super) enum Sym {
    /// A number or truth value.
    Scalar(Node),
    /// A list or set that is fully known; never a number.
    Known(Value),
    /// A list whose length is known.
    Items(Rc<Vec<Sym>>),
    /// A list whose items are present only where a condition holds.
    Loose(Rc<Vec<(Node, Sym)>>),
    /// Part of a known list of numbers.
    Stretch(Stretch),
    /// A set with few possible elements.
    Set(Set),
}

impl Sym {
    /// A list of symbolic items.
    pub(super) fn items(items: Vec<Sym>) -> Sym {
        Sym::Items(Rc::new(items))
    }
}

/// The items `from..to` of a flat list.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// Which list, of [`super::Specialiser::flats`].
    pub(super) flat: usize,
    /// The first item's place.
    pub(super) from: Node,
    /// The place after the last item.
    pub(super) to: Node,
    /// It cannot be longer than this.
    pub(super) most: usize,
    /// Whether it is known to have no repeats.
    pub(super) distinct: bool,
}

/// A known list of numbers that formulas read.
#[derive(Debug)]
pub(super) struct Flat {
    /// The value it came from, held so that its address is not reused.
    pub(super) _source: Option<Value>,
    /// Its number among the lists of the formulas.
    pub(super) list: u32,
    /// The list of its prefix sums; `None` inside if they do not fit.
    pub(super) sums: Option<Option<u32>>,
}

/// A known list of lists of numbers, one after the other.
#[derive(Debug)]
pub(super) struct Table {
    /// The value it came from, held so that its address is not reused.
    pub(super) _source: Option<Value>,
    pub(super) flat: usize,
    /// Where each row starts, and the end of the last; `None` if all rows have one length.
    pub(super) starts: Option<u32>,
    pub(super) rows: usize,
    /// The longest row.
    pub(super) most: usize,
}

/// A set whose possible elements are `low..low + size`, and strays.
#[derive(Clone, Debug)]
pub(super) struct Set {
    pub(super) low: i64,
    pub(super) size: usize,
    pub(super) form: Form,
    /// Elements outside these bounds, which a variable of the position may contain while a move runs.
    pub(super) strays: Rc<Vec<Stray>>,
}

/// An element that may lie outside the bounds of its set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stray {
    /// Truth value: whether it is in the set and outside the bounds.
    pub(super) when: Node,
    pub(super) element: Node,
    /// Truth value: whether it is within the bounds. Then it is one of the ordinary elements.
    pub(super) inside: Node,
}

/// How a set is represented.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// Bit `k` is element `low + k`.
    Mask(Node),
    /// One truth value for each possible element.
    Bits(Rc<Vec<Node>>),
}

impl Set {
    pub(super) fn of_mask(low: i64, size: usize, mask: Node) -> Set {
        Set { low, size, form: Form::Mask(mask), strays: Rc::default() }
    }

    pub(super) fn of_bits(low: i64, bits: Vec<Node>) -> Set {
        Set { low, size: bits.len(), form: Form::Bits(Rc::new(bits)), strays: Rc::default() }
    }

    /// The set with these strays instead of its own.
    pub(super) fn with_strays(self, strays: Vec<Stray>) -> Set {
        Set { strays: Rc::new(strays), ..self }
    }
}
