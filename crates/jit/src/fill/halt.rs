//! How a fill ends early, and how its outer loops go on: shared by one thread and several.

/// Why a fill ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The watcher said so.
    Stopped,
    /// The rules have a fault at the position with this code.
    Fault(u64),
}

/// Advances the outer loops; `false` at the end.
pub(super) fn advance(outer: &mut [i64], loops: &[(i64, i64, bool)]) -> bool {
    for (value, &(low, high, ascending)) in outer.iter_mut().zip(loops).rev() {
        let (first, last, step) = if ascending { (low, high, 1) } else { (high, low, -1) };
        if *value != last {
            *value += step;
            return true;
        }
        *value = first;
    }
    false
}
