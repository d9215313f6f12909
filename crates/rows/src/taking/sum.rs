//! Sums of rows and stacks: the value, and the value after every first move.
//!
//! Each list is reduced by itself. The blocks of all lists together form one [`Ladder`]; the settled pairs in stacks
//! become one number, the settlement. A first move changes the blocks of one list only, so its value is a question to
//! the ladder about the changed blocks.

use super::ladder::Ladder;
use super::number::{Number, is_narrow};
use super::reduction::{Reduction, fall_into, settle};
use super::{End, List, Shape, Stopped, Take, row_value, row_values};
use crate::pace::Pace;

/// A first move and what it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstMove {
    /// The move.
    pub take: Take,
    /// The value of the option, for the player to move there. The move is worth the gain minus this.
    pub after: i128,
}

impl FirstMove {
    /// The worth of the move: the gain minus what it leaves to the opponent. For a best move it equals the value.
    pub fn worth(&self) -> i128 {
        // Far from overflow: memory holds fewer than 2^61 items, so values stay below 2^124.
        i128::from(self.take.gain) - self.after
    }
}

/// The value of a sum and its best moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestMoves {
    /// The difference the mover can reach.
    pub value: i128,
    /// Every first move that reaches it, in the order of the lists, left before right.
    pub moves: Vec<Take>,
}

/// The value of a sum for the mover, in the time of sorting.
///
/// ```
/// use rows::taking::{List, sum_value};
///
/// // Nobody likes to uncover the 9: the other coins go first, and they are an odd number.
/// let lists = [List::stack(&[9, 2]), List::row(&[3, 1, 4])];
/// assert_eq!(sum_value(&lists, &mut || true), Ok(4 - 3 + 1 - 2 + 9));
/// ```
pub fn sum_value(lists: &[List<'_>], keep_going: &mut dyn FnMut() -> bool) -> Result<i128, Stopped> {
    if let [List { shape: Shape::Row, items }] = lists {
        return row_value(items, keep_going);
    }
    let pace = &mut Pace::new(keep_going);
    if is_narrow(lists) {
        Ok(Table::<i64>::new(lists, pace)?.value())
    } else {
        Ok(Table::<i128>::new(lists, pace)?.value())
    }
}

/// The value of a sum. Every first move is passed to `visit` with the value it leaves, in the order of the lists, left
/// before right. A row of one item offers it at both ends.
///
/// ```
/// use rows::taking::{List, first_moves};
///
/// let mut worths = Vec::new();
/// let lists = [List::stack(&[9, 2]), List::row(&[3, 1, 4])];
/// let value = first_moves(&lists, &mut || true, &mut |mv| worths.push(mv.worth()))?;
/// assert_eq!(worths, [-5, 7, 9]); // the 2, the 3, the 4
/// assert_eq!(value, 9);
/// # Ok::<(), rows::taking::Stopped>(())
/// ```
pub fn first_moves(
    lists: &[List<'_>],
    keep_going: &mut dyn FnMut() -> bool,
    visit: &mut dyn FnMut(FirstMove),
) -> Result<i128, Stopped> {
    if let [List { shape: Shape::Row, items }] = lists {
        let values = row_values(items, keep_going)?;
        if let (Some(after), [left, ..], [.., right]) = (values.after, *items, *items) {
            visit(FirstMove { take: Take { list: 0, end: End::Left, gain: *left }, after: after.left });
            visit(FirstMove { take: Take { list: 0, end: End::Right, gain: *right }, after: after.right });
        }
        return Ok(values.value);
    }
    let pace = &mut Pace::new(keep_going);
    if is_narrow(lists) {
        Table::<i64>::new(lists, pace)?.visit_first_moves(lists, pace, visit)
    } else {
        Table::<i128>::new(lists, pace)?.visit_first_moves(lists, pace, visit)
    }
}

/// The value of a sum and every first move that reaches it.
///
/// ```
/// use rows::taking::{End, List, Take, best_moves};
///
/// let lists = [List::row(&[2, 7, 1]), List::row(&[5])];
/// let best = best_moves(&lists, &mut || true)?;
/// assert_eq!(best.value, 9); // 5 first, as neither end of 2, 7, 1 should be touched
/// assert!(best.moves.iter().all(|mv| mv.list == 1 && mv.gain == 5));
/// # Ok::<(), rows::taking::Stopped>(())
/// ```
pub fn best_moves(lists: &[List<'_>], keep_going: &mut dyn FnMut() -> bool) -> Result<BestMoves, Stopped> {
    let mut best = i128::MIN;
    let mut moves = Vec::new();
    let value = first_moves(lists, keep_going, &mut |mv| {
        if mv.worth() > best {
            best = mv.worth();
            moves.clear();
        }
        if mv.worth() == best {
            moves.push(mv.take);
        }
    })?;
    debug_assert!(moves.is_empty() || best == value, "a best move is worth the value");
    Ok(BestMoves { value, moves })
}

/// The lists of a sum, reduced.
struct Table<T> {
    ladder: Ladder<T>,
    /// The worth of all settled pairs.
    settlement: T,
    /// Whether the number of items is odd.
    is_odd: bool,
}

impl<T: Number> Table<T> {
    fn new(lists: &[List<'_>], pace: &mut Pace<'_>) -> Result<Table<T>, Stopped> {
        let mut reduction = Reduction::default();
        let mut blocks = Vec::new();
        let mut total = T::default();
        let mut is_odd = false;
        for list in lists {
            reduction.clear();
            reduction.push_all(list.items, pace)?;
            total += unsettle_into(list.shape, reduction.blocks(), &mut blocks);
            is_odd ^= list.items.len() % 2 == 1;
        }
        Ok(Table { ladder: Ladder::new(blocks), settlement: total, is_odd })
    }

    fn value(&self) -> i128 {
        total(self.ladder.value(), self.settlement, self.is_odd)
    }

    fn visit_first_moves(
        &self,
        lists: &[List<'_>],
        pace: &mut Pace<'_>,
        visit: &mut dyn FnMut(FirstMove),
    ) -> Result<i128, Stopped> {
        let mut reduction = Reduction::default();
        let mut before = Share::default();
        let mut without_last = Share::default();
        let mut without_first = Share::default();
        for (n, list) in lists.iter().enumerate() {
            let Some((&last, but_last)) = list.items.split_last() else { continue };
            reduction.clear();
            reduction.push_all(but_last, pace)?;
            without_last.set(list.shape, reduction.blocks());
            reduction.push(last);
            before.set(list.shape, reduction.blocks());
            let right = self.value_replacing(&before, &without_last);
            if list.shape == Shape::Row {
                let left = if but_last.is_empty() {
                    right
                } else {
                    without_first.set(list.shape, reduction.without_first());
                    self.value_replacing(&before, &without_first)
                };
                visit(FirstMove { take: Take { list: n, end: End::Left, gain: list.items[0] }, after: left });
            }
            visit(FirstMove { take: Take { list: n, end: End::Right, gain: last }, after: right });
            pace.spend(list.items.len().saturating_mul(2))?;
        }
        Ok(self.value())
    }

    /// The value of the sum with one item less, after a change in one list.
    fn value_replacing(&self, before: &Share<T>, after: &Share<T>) -> i128 {
        let blocks = self.ladder.value_replacing(&before.falling, &after.falling);
        total(blocks, self.settlement - before.settlement + after.settlement, !self.is_odd)
    }
}

/// The value. If an odd number of items is left, the opponent must open the settled pairs, else the mover.
fn total<T: Number>(blocks: T, settlement: T, is_odd: bool) -> i128 {
    (if is_odd { blocks + settlement } else { blocks - settlement }).into()
}

/// One list's share in the ladder and in the settlement.
#[derive(Default)]
struct Share<T> {
    falling: Vec<T>,
    settlement: T,
}

impl<T: Number> Share<T> {
    fn set(&mut self, shape: Shape, valley: &[T]) {
        self.falling.clear();
        self.settlement = unsettle_into(shape, valley, &mut self.falling);
    }
}

/// Appends the unsettled blocks of a reduced list, in falling order; returns the worth of the settled ones.
fn unsettle_into<T: Number>(shape: Shape, valley: &[T], falling: &mut Vec<T>) -> T {
    match shape {
        Shape::Row => {
            fall_into(valley, falling);
            T::default()
        }
        Shape::Stack => {
            let (_, rising, settlement) = settle(valley, |&block| block);
            falling.extend(rising.iter().rev());
            settlement
        }
    }
}
