//! What the work on loopy values may take.
//!
//! All of it comes down to comparisons of graphs, which grow with the product of their positions: a thousand positions that reach each
//! other are millions of pairs, compared again and again. So every comparison first says how much work it is (`spend`). Whoever has
//! limits enters a [`Watch`]; it belongs to the thread, for sums and orders of values are asked for in many places, and all have to stop.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
            Some((left, why)) if *left < work => Err(Error::Undefined(why.clone())),
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
            assert_eq!(compared(), Err(Error::Undefined("enough".to_string())));
            let cancel = Some(Arc::new(AtomicBool::new(true)));
            let _inner = Watch { cancel, ..Watch::default() }.enter();
            assert_eq!(compared(), Err(Error::Stopped));
        }
        assert_eq!(compared(), Ok(true), "the watch is over");
        let _watched = Watch { deadline: Some(Instant::now()), ..Watch::default() }.enter();
        assert_eq!(compared(), Err(Error::Stopped));
    }
}
