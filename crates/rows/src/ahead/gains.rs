//! The gains of moves, given by numbers of the index they leave and the index they reach.

use super::AheadError;

/// The gains of moves: `arrive(t) − leave(i)` for a move from index `i` to index `t`, all of it to the mover. Each list
/// has one number for every index from 0 to n, so n + 1 of them.
///
/// ```
/// use rows::ahead::Gains;
///
/// let sums = [0, 1, 3, 6, 13]; // the prefix sums of 1, 2, 3, 7
/// assert_eq!(Gains::of_items(&sums).gain(1, 3), Some(2 + 3));
/// assert_eq!(Gains::of_prefixes(&sums).gain(1, 3), Some(1 + 2 + 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gains<'a> {
    /// The worth of reaching each index.
    pub arrive: &'a [i64],
    /// The cost of leaving each index; `None` if all are 0.
    pub leave: Option<&'a [i64]>,
    /// Where there is no move, what the mover still gets minus what the other gets; `None` if all are 0.
    pub stuck: Option<&'a [i64]>,
}

impl<'a> Gains<'a> {
    /// A move gains the items it passes, given by their prefix sums.
    pub const fn of_items(sums: &'a [i64]) -> Gains<'a> {
        Gains { arrive: sums, leave: Some(sums), stuck: None }
    }

    /// A move gains all items before the index it reaches, given by their prefix sums.
    pub const fn of_prefixes(sums: &'a [i64]) -> Gains<'a> {
        Gains { arrive: sums, leave: None, stuck: None }
    }

    /// The gain of the move from one index to another, if both exist. Two 64-bit numbers cannot overflow it.
    pub fn gain(&self, from: usize, to: usize) -> Option<i128> {
        let leave = match self.leave {
            Some(leave) => *leave.get(from)?,
            None => 0,
        };
        Some(i128::from(*self.arrive.get(to)?) - i128::from(leave))
    }

    /// What the mover gets minus what the other gets, if play ends at an index.
    pub fn stuck_at(&self, index: usize) -> i64 {
        self.stuck.and_then(|stuck| stuck.get(index)).copied().unwrap_or(0)
    }

    /// The cost of leaving an index.
    pub(super) fn leave_at(&self, index: usize) -> i64 {
        self.leave.and_then(|leave| leave.get(index)).copied().unwrap_or(0)
    }

    /// The last index, if the lists have equal lengths.
    pub(super) fn last_index(&self) -> Result<usize, AheadError> {
        let count = self.arrive.len();
        let last = count.checked_sub(1).ok_or(AheadError::Length { list: "arrive", wanted: 1, found: 0 })?;
        for (list, numbers) in [("leave", self.leave), ("stuck", self.stuck)] {
            check_length(list, numbers.map_or(count, <[i64]>::len), count)?;
        }
        Ok(last)
    }
}

/// Checks that a list has the length it must have.
pub(super) fn check_length(list: &'static str, found: usize, wanted: usize) -> Result<(), AheadError> {
    if found == wanted { Ok(()) } else { Err(AheadError::Length { list, wanted, found }) }
}

/// A list of one number repeated, if there is memory for it.
pub(super) fn room_for<T: Copy>(number: T, count: usize) -> Result<Vec<T>, AheadError> {
    let mut list = Vec::new();
    let bytes = count as u128 * size_of::<T>() as u128;
    list.try_reserve_exact(count).map_err(|_| AheadError::Memory { bytes })?;
    list.resize(count, number);
    Ok(list)
}
