//! One row: its value and the value after either first move, in one pass.
//!
//! In 64 bits the pass goes through [`Lanes`], which reduces four pieces of the row side by side without a branch that
//! depends on the numbers; what they leave is pushed on the one reduction of the row. Fusing is free in its order, so
//! pieces may be fused first. In 128 bits the items are pushed one by one.

use super::Stopped;
use super::lanes::Lanes;
use super::number::{Bound, Number};
use super::pace::{Pace, STRIDE};
use super::reduction::{Reduction, valley_value};

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
    let mut pace = Pace::new(keep_going);
    let mut narrow = Reduction::<i64>::default();
    if reduce_narrow(items, items.len(), &mut narrow, &mut pace)? {
        return Ok(valley_value(narrow.blocks()).into());
    }
    let mut wide = Reduction::<i128>::default();
    reduce_wide(items, &mut wide, &mut pace)?;
    Ok(valley_value(wide.blocks()))
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
    let mut pace = Pace::new(keep_going);
    // The width must suit the whole row, the last item too.
    let mut narrow = Reduction::<i64>::default();
    let mut bound = Bound::default();
    bound.see(&[last]);
    if bound.fits(items.len() as u128) && reduce_narrow(but_last, items.len(), &mut narrow, &mut pace)? {
        return Ok(with_last(narrow, last));
    }
    let mut wide = Reduction::<i128>::default();
    reduce_wide(but_last, &mut wide, &mut pace)?;
    Ok(with_last(wide, last))
}

/// All three values, from the reduction of the row without its last item.
fn with_last<T: Number>(mut reduction: Reduction<T>, last: i64) -> RowValues {
    let right = valley_value(reduction.blocks());
    reduction.push(last.into());
    let value = valley_value(reduction.blocks());
    let left = valley_value(reduction.without_first());
    RowValues { value: value.into(), after: Some(RowOptions { left: left.into(), right: right.into() }) }
}

/// Reduces in 64 bits, or says no as soon as sums over `count` items like those seen might not fit.
fn reduce_narrow(
    items: &[i64],
    count: usize,
    reduction: &mut Reduction<i64>,
    pace: &mut Pace<'_>,
) -> Result<bool, Stopped> {
    let Some((&first, rest)) = items.split_first() else {
        return Ok(true);
    };
    let mut bound = Bound::default();
    bound.see(&[first]);
    reduction.push(first);
    let (pieces, rest) = rest.as_chunks::<{ Lanes::ITEMS }>();
    let mut lanes = if pieces.is_empty() { None } else { Some(Lanes::new()) };
    for piece in pieces {
        bound.see(piece);
        if !bound.fits(count as u128) {
            return Ok(false);
        }
        if let Some(lanes) = &mut lanes {
            lanes.reduce(piece, |block| reduction.push(block));
        }
        pace.spend(piece.len())?;
    }
    bound.see(rest);
    if !bound.fits(count as u128) {
        return Ok(false);
    }
    rest.iter().for_each(|&item| reduction.push(item));
    Ok(true)
}

/// Reduces in 128 bits.
fn reduce_wide(items: &[i64], reduction: &mut Reduction<i128>, pace: &mut Pace<'_>) -> Result<(), Stopped> {
    for piece in items.chunks(STRIDE) {
        piece.iter().for_each(|&item| reduction.push(item.into()));
        pace.spend(piece.len())?;
    }
    Ok(())
}
