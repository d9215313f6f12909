//! The lists on the table and the moves in them.
//!
//! A [`List`] borrows its items. So a position in the middle of a game is the same lists with shorter slices, and
//! nothing is copied. A sum is a slice of lists, and one row is a sum of one.

/// Which ends of a list are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Both ends: the first item and the last.
    Row,
    /// The top only, which is the last item.
    Stack,
}

/// One list of numbers, borrowed.
///
/// ```
/// use rows::taking::List;
///
/// let coins = [1, 5, 233, 7];
/// let before = List::row(&coins);
/// let after = List::row(&coins[1..]); // the first coin is gone, and nothing was copied
/// assert_eq!(before.items.len() - after.items.len(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct List<'a> {
    /// Which ends are open.
    pub shape: Shape,
    /// The remaining items, from left to right, or from the bottom to the top.
    pub items: &'a [i64],
}

impl<'a> List<'a> {
    /// A list that is open at both ends.
    pub const fn row(items: &'a [i64]) -> List<'a> {
        List { shape: Shape::Row, items }
    }

    /// A list that is open at its end, the top.
    pub const fn stack(items: &'a [i64]) -> List<'a> {
        List { shape: Shape::Stack, items }
    }
}

/// The end of a list at which a move takes an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// The first item; not for stacks.
    Left,
    /// The last item; in a stack, the top.
    Right,
}

/// A move: one item, taken from an open end of one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Take {
    /// The index of the list.
    pub list: usize,
    /// The end.
    pub end: End,
    /// The number on the item, which the mover gains.
    pub gain: i64,
}
