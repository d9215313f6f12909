//! One row: its value and the value after either first move, in one pass.
//!
//! The pass uses 64 bits as long as the items allow it, and starts again in 128 when they do not. It is a plain loop
//! with a stack. Four such loops side by side over four pieces of the row, with selections in place of branches, were
//! tried: no faster on random numbers, where both take 4 ns an item, and three times slower on constant ones.

use super::Stopped;
use super::number::{Number, Room};
use super::reduction::{Reduction, valley_value};
use crate::pace::{PIECE, Pace};

/// The value of a row and of its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowValues {
    /// The difference the mover can reach.
    pub value: i128,
    /// The values, for the player then to move, after the two first moves; `None` for the empty row.
    pub after: Option<RowOptions>,
}

/// The values of the two options of a row, for the player then to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowOptions {
    /// After the first item is taken.
    pub left: i128,
    /// After the last item is taken.
    pub right: i128,
}

/// The value of a row for the mover, in linear time.
///
/// ```
/// use rows::taking::row_value;
///
/// // 1 first; then the opponent takes 5 or 7, and 233 is open. Taking 7, the larger end, would open it at once.
/// assert_eq!(row_value(&[1, 5, 233, 7], &mut || true), Ok(222));
/// ```
pub fn row_value(items: &[i64], keep_going: &mut dyn FnMut() -> bool) -> Result<i128, Stopped> {
    let pace = &mut Pace::new(keep_going);
    if let Some(narrow) = reduce_narrow(items, room_in(items), pace)? {
        return Ok(valley_value(narrow.blocks()).into());
    }
    Ok(valley_value(reduce_wide(items, pace)?.blocks()))
}

/// The value of a row and of both its options, in linear time.
///
/// ```
/// use rows::taking::row_values;
///
/// let values = row_values(&[1, 5, 233, 7], &mut || true)?;
/// let after = values.after.unwrap();
/// assert_eq!((1 - after.left, 7 - after.right), (222, -222)); // so the first coin is the only best move
/// assert_eq!(values.value, 222);
/// # Ok::<(), rows::taking::Stopped>(())
/// ```
pub fn row_values(items: &[i64], keep_going: &mut dyn FnMut() -> bool) -> Result<RowValues, Stopped> {
    let Some((&last, but_last)) = items.split_last() else {
        return Ok(RowValues { value: 0, after: None });
    };
    let pace = &mut Pace::new(keep_going);
    // The width must suit the whole row, including the last item.
    let room = room_in(items).filter(|room| room.holds(&[last]));
    if let Some(narrow) = reduce_narrow(but_last, room, pace)? {
        return Ok(with_last(narrow, last));
    }
    Ok(with_last(reduce_wide(but_last, pace)?, last))
}

/// All three values, from the reduction of the row without its last item.
fn with_last<T: Number>(mut reduction: Reduction<T>, last: i64) -> RowValues {
    let right = valley_value(reduction.blocks());
    reduction.push(last);
    let value = valley_value(reduction.blocks());
    let left = valley_value(reduction.without_first());
    RowValues { value: value.into(), after: Some(RowOptions { left: left.into(), right: right.into() }) }
}

/// The room of each item if the row is reduced in 64 bits.
fn room_in(items: &[i64]) -> Option<Room> {
    Room::for_each_of(items.len() as u128)
}

/// Reduces in 64 bits, or gives up as soon as an item is too large. Leaves room for one more item.
fn reduce_narrow(items: &[i64], room: Option<Room>, pace: &mut Pace<'_>) -> Result<Option<Reduction<i64>>, Stopped> {
    let Some(room) = room else { return Ok(None) };
    let mut reduction = Reduction::with_capacity(items.len() + 1);
    for piece in items.chunks(PIECE) {
        if !room.holds(piece) {
            return Ok(None);
        }
        reduction.push_items(piece);
        pace.spend(piece.len())?;
    }
    Ok(Some(reduction))
}

/// Reduces in 128 bits.
fn reduce_wide(items: &[i64], pace: &mut Pace<'_>) -> Result<Reduction<i128>, Stopped> {
    let mut reduction = Reduction::with_capacity(items.len() + 1);
    reduction.push_all(items, pace)?;
    Ok(reduction)
}
