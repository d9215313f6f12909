//! What the work on loopy values may take.
//!
//! All of it comes down to comparisons of graphs, which grow with the product of their positions: a thousand positions that reach each
//! other are millions of pairs, compared again and again. So every comparison first says how much work it is (`spend`). Whoever has
//! limits enters a [`Watch`]; it belongs to the thread, for sums and orders of values are asked for in many places, and all have to stop.
//!
//! Memory is asked for in the same way: what a comparison or a graph needs is taken from the purse of the watch (`hold`) before it
//! is allocated, and goes back when the `Held` is dropped. Lists that live for one walk over a graph (what was seen, what is left) are not
//! asked for: they are smaller than the graph, which was.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::budget::Budget;
use crate::error::{Error, Result};

/// When work on loopy values is to end.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// A flag that stops it.
    pub cancel: Option<Arc<AtomicBool>>,
    /// A time at which it ends.
    pub deadline: Option<Instant>,
    /// How many pairs of positions and moves from them are compared at the most, and what is said where that is not enough.
    pub most: Option<(u64, String)>,
    /// Where memory comes from; without it, none is counted.
    pub purse: Option<Purse>,
}

/// A budget of bytes that all graphs of a watch share.
#[derive(Clone)]
pub struct Purse(Arc<Mutex<dyn Budget>>);

impl Purse {
    /// A purse on this budget.
    pub fn new(budget: impl Budget + 'static) -> Purse {
        Purse(Arc::new(Mutex::new(budget)))
    }

    /// Does something with the budget. A thread that failed while it held it left it as it was.
    fn with<T>(&self, work: impl FnOnce(&mut dyn Budget) -> T) -> T {
        work(&mut *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

impl fmt::Debug for Purse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Purse")
    }
}

/// Bytes taken from a purse. They go back when this is dropped.
#[derive(Debug, Default)]
pub(super) struct Held {
    purse: Option<Purse>,
    bytes: u64,
}

impl Held {
    /// Asks for more, of the watch that is kept now if nothing was taken before.
    pub fn grow(&mut self, bytes: u64) -> Result<()> {
        if self.bytes == 0 {
            self.purse = CURRENT.with_borrow(|watch| watch.purse.clone());
        }
        if let Some(purse) = &self.purse {
            let refused = |refusal: crate::Refusal| Error::Memory { limit: refusal.limit, needed: refusal.needed };
            purse.with(|budget| budget.take(bytes)).map_err(refused)?;
            self.bytes += bytes;
        }
        Ok(())
    }

    /// Hands back all but so many bytes.
    pub fn shrink_to(&mut self, bytes: u64) {
        let spare = self.bytes.saturating_sub(bytes);
        if let Some(purse) = &self.purse {
            purse.with(|budget| budget.give(spare));
        }
        self.bytes -= spare;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

/// Asks for bytes before they are allocated.
pub(super) fn hold(bytes: u64) -> Result<Held> {
    let mut held = Held::default();
    held.grow(bytes)?;
    Ok(held)
}

/// What a list of so many bytes takes of the heap: allocators hand out multiples of sixteen, 32 at the least.
pub fn heap(bytes: usize) -> u64 {
    if bytes == 0 { 0 } else { (bytes as u64 + 8).next_multiple_of(16).max(32) }
}

/// What the next entry of a hash map with entries of so many bytes takes: nothing while there is room, else a table twice as large,
/// which lies beside the old one while the entries move. One byte an entry is the map's own.
pub fn growth(len: usize, capacity: usize, entry: usize) -> u64 {
    let slots = |capacity: usize| if capacity < 8 { 8 } else { (capacity as u64 * 8 / 7).next_power_of_two() };
    if len < capacity { 0 } else { slots(capacity + 1) * (entry as u64 + 1) }
}

thread_local! {
    static CURRENT: RefCell<Watch> = RefCell::default();
}

/// As long as this lives, a watch is kept on this thread.
#[must_use]
#[derive(Debug)]
pub struct Watched {
    before: Watch,
}

impl Watch {
    /// Keeps this watch on this thread.
    pub fn enter(self) -> Watched {
        Watched { before: CURRENT.replace(self) }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // A thread that ends keeps no watch any more.
        let _ = CURRENT.try_with(|current| current.replace(std::mem::take(&mut self.before)));
    }
}

/// Counts work that is about to be done, and says whether it may be.
pub(super) fn spend(work: u64) -> Result<()> {
    CURRENT.with_borrow_mut(|watch| {
        let is_set = watch.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed));
        if is_set || watch.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Error::Stopped);
        }
        match &mut watch.most {
            Some((left, why)) if *left < work => Err(Error::Beyond(why.clone())),
            Some((left, _)) => {
                *left -= work;
                Ok(())
            }
            None => Ok(()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loopy::sides::{on, over};
    use crate::loopy::survival::above;

    #[test]
    fn work_ends_where_it_is_to() {
        let compared = || above(&on(), &over()).map(|above| above.is(0, 0));
        assert_eq!(compared(), Ok(true));
        {
            let _watched = Watch { most: Some((3, "enough".to_string())), ..Watch::default() }.enter();
            assert_eq!(compared(), Err(Error::Beyond("enough".to_string())));
            let cancel = Some(Arc::new(AtomicBool::new(true)));
            let _inner = Watch { cancel, ..Watch::default() }.enter();
            assert_eq!(compared(), Err(Error::Stopped));
        }
        assert_eq!(compared(), Ok(true), "the watch is over");
        let _watched = Watch { deadline: Some(Instant::now()), ..Watch::default() }.enter();
        assert_eq!(compared(), Err(Error::Stopped));
    }
}
