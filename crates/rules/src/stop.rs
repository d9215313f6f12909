//! The stop button of whatever runs rules: a flag that somebody sets, a deadline, and room in memory.
//!
//! Engines look at their limits between positions. But one position may have 10^9 moves, a `let` may compute for minutes, and
//! an audit may hold the moves of a hundred thousand squares. So whoever has limits opens a [`Scope`] on its thread, and
//! everything below that may take long calls [`look`] now and then: the interpreter every few thousand steps, the
//! specialiser of formulas too, compiled code when its buffers grow. Lists that grow with the moves of one position are
//! [`Held`] against the memory of the scope.
//!
//! The scope belongs to a thread, not to an interpreter, because interpreters are made in dozens of places (for a claim, for a
//! drawing, for a `let`), and each of them has to stop. Whoever starts threads hands its scope on to them ([`inherit`]).
//!
//! A look never changes an answer. What it returns is an error that no rule can cause, and a scope remembers that it was
//! stopped ([`Scope::stopped`]): if somebody takes the error for a fault of the rules, whoever opened the scope still knows
//! that there is no answer.

use std::cell::RefCell;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many bytes are asked for at once.
const PORTION: u64 = 1 << 16;

/// Why something was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Somebody set the flag.
    Cancelled,
    /// The time is up.
    Time {
        /// The limit.
        limit: Duration,
    },
    /// There is no more memory.
    Memory {
        /// The limit in bytes.
        limit: u64,
        /// What would have been in use.
        needed: u64,
    },
}

/// The memory of whoever opened a scope.
pub trait Room: Send + Sync {
    /// Asks for bytes before they are allocated. An error takes nothing.
    fn take(&self, bytes: u64) -> Result<(), Stopped>;
    /// Hands bytes back.
    fn give(&self, bytes: u64);
}

/// When to stop.
#[derive(Clone, Default)]
pub struct Watch {
    /// Set from outside, by a signal for instance.
    pub cancel: Option<Arc<AtomicBool>>,
    /// When the time is up, and how much there was.
    pub deadline: Option<(Instant, Duration)>,
    /// Where lists are charged.
    pub room: Option<Arc<dyn Room>>,
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<Running>>> = const { RefCell::new(None) };
}

struct Running {
    watch: Watch,
    /// Looked at every few thousand steps, so that a lock costs nothing.
    stopped: Mutex<Option<Stopped>>,
}

impl Running {
    fn stopped(&self) -> Option<Stopped> {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self) -> Result<(), Stopped> {
        let why = match self.stopped() {
            // Time does not come back, and what was left out for want of memory is missing.
            Some(why) if why != Stopped::Cancelled => Some(why),
            // A flag may be taken back, by a person who goes on playing.
            _ if self.watch.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) => {
                Some(Stopped::Cancelled)
            }
            _ => {
                let past = self.watch.deadline.filter(|(deadline, _)| Instant::now() >= *deadline);
                past.map(|(_, limit)| Stopped::Time { limit })
            }
        };
        why.map_or(Ok(()), |why| self.stop(why))
    }

    fn stop(&self, why: Stopped) -> Result<(), Stopped> {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
        Err(why)
    }

    fn take(&self, bytes: u64) -> Result<(), Stopped> {
        self.watch.room.as_ref().map_or(Ok(()), |room| room.take(bytes))
    }
}

/// Limits on what this thread does, until it is dropped. The limits of before then hold again.
pub struct Scope {
    own: Arc<Running>,
    before: Option<Arc<Running>>,
}

impl Scope {
    /// Opens a scope on this thread.
    pub fn new(watch: Watch) -> Scope {
        Scope::of(Arc::new(Running { watch, stopped: Mutex::new(None) }))
    }

    fn of(own: Arc<Running>) -> Scope {
        let before = CURRENT.with(|current| current.replace(Some(Arc::clone(&own))));
        Scope { own, before }
    }

    /// Why something in this scope was stopped, if anything was.
    pub fn stopped(&self) -> Option<Stopped> {
        self.own.stopped()
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        let before = self.before.take();
        // A thread that ends has no scopes any more.
        let _ = CURRENT.try_with(|current| current.replace(before));
    }
}

fn current() -> Option<Arc<Running>> {
    CURRENT.with(|current| current.borrow().clone())
}

/// The scope of a thread, to be handed on to another.
#[derive(Clone, Default)]
pub struct Inherited(Option<Arc<Running>>);

/// The scope of this thread, for the threads that it starts.
pub fn inherit() -> Inherited {
    Inherited(current())
}

impl Inherited {
    /// Has this thread stop where the other one does, until what is returned is dropped.
    pub fn enter(&self) -> Option<Scope> {
        self.0.as_ref().map(|running| Scope::of(Arc::clone(running)))
    }

    /// Looks at the flag and the clock of the scope that this thread is in, or of this one where it is in none; and whether
    /// so many bytes would fit.
    pub fn allows(&self, bytes: u64) -> Result<(), Stopped> {
        let Some(running) = current().or_else(|| self.0.clone()) else { return Ok(()) };
        running.look()?;
        Held { running: Some(running), ..Held::default() }.grow(bytes)
    }
}

impl fmt::Debug for Inherited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Inherited").field(&self.0.is_some()).finish()
    }
}

/// Looks at the flag and the clock of the scope that this thread is in.
pub fn look() -> Result<(), Stopped> {
    CURRENT.with(|current| current.borrow().as_ref().map_or(Ok(()), |running| running.look()))
}

/// Whether so many bytes would fit, for lists that live for a moment.
pub fn fits(bytes: u64) -> Result<(), Stopped> {
    Held::default().grow(bytes)
}

/// Bytes of lists that grow, charged to the scope of this thread until it is dropped.
#[derive(Default)]
pub struct Held {
    running: Option<Arc<Running>>,
    taken: u64,
    used: u64,
}

impl Held {
    /// Charges bytes, before or soon after they are allocated. Where they do not fit, the scope is stopped.
    pub fn grow(&mut self, bytes: u64) -> Result<(), Stopped> {
        match self.try_grow(bytes) {
            Err(why) => self.running.as_ref().map_or(Err(why), |running| running.stop(why)),
            Ok(()) => Ok(()),
        }
    }

    /// Charges bytes. Where they do not fit, it is for the caller to do without: nothing is stopped.
    pub fn try_grow(&mut self, bytes: u64) -> Result<(), Stopped> {
        self.used = self.used.saturating_add(bytes);
        // What is small is not counted.
        if self.used <= self.taken.max(PORTION) {
            return Ok(());
        }
        if self.running.is_none() {
            self.running = current();
        }
        let Some(running) = &self.running else { return Ok(()) };
        let more = (self.used - self.taken).checked_next_multiple_of(PORTION).unwrap_or(u64::MAX);
        running.take(more)?;
        self.taken = self.taken.saturating_add(more);
        Ok(())
    }

    /// What was charged.
    pub fn bytes(&self) -> u64 {
        self.used
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held").field("taken", &self.taken).field("used", &self.used).finish_non_exhaustive()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(room) = self.running.as_ref().and_then(|running| running.watch.room.as_ref()) {
            room.give(self.taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    struct Purse(AtomicU64);

    impl Purse {
        fn rest(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }
    }

    impl Room for Purse {
        fn take(&self, bytes: u64) -> Result<(), Stopped> {
            let rest = self.rest().checked_sub(bytes).ok_or(Stopped::Memory { limit: 0, needed: bytes })?;
            self.0.store(rest, Ordering::Relaxed);
            Ok(())
        }

        fn give(&self, bytes: u64) {
            self.0.fetch_add(bytes, Ordering::Relaxed);
        }
    }

    #[test]
    fn scopes_nest_and_end() {
        assert_eq!(look(), Ok(()));
        let flag = Arc::new(AtomicBool::new(false));
        let outer = Scope::new(Watch { cancel: Some(Arc::clone(&flag)), ..Watch::default() });
        let limit = Duration::ZERO;
        {
            let inner = Scope::new(Watch { deadline: Some((Instant::now(), limit)), ..Watch::default() });
            assert_eq!(look(), Err(Stopped::Time { limit }));
            assert_eq!(inner.stopped(), Some(Stopped::Time { limit }));
        }
        assert_eq!((look(), outer.stopped()), (Ok(()), None));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(look(), Err(Stopped::Cancelled));
        flag.store(false, Ordering::Relaxed);
        assert_eq!((look(), outer.stopped()), (Ok(()), Some(Stopped::Cancelled)));
        drop(outer);
        assert_eq!(look(), Ok(()));
    }

    #[test]
    fn lists_are_charged_and_given_back() {
        let purse = Arc::new(Purse(AtomicU64::new(10 * PORTION)));
        let scope = Scope::new(Watch { room: Some(Arc::clone(&purse) as Arc<dyn Room>), ..Watch::default() });
        let mut held = Held::default();
        for _ in 0..PORTION {
            held.grow(8).unwrap();
        }
        assert_eq!(purse.rest(), 2 * PORTION);
        assert_eq!(fits(2 * PORTION), Ok(()));
        assert_eq!((look(), scope.stopped()), (Ok(()), None));
        drop(held);
        assert_eq!(purse.rest(), 10 * PORTION);
        assert!(fits(11 * PORTION).is_err());
        // What was left out is missing for good.
        assert!(matches!(look(), Err(Stopped::Memory { .. })));
        assert_eq!(purse.rest(), 10 * PORTION);
    }

    #[test]
    fn who_can_do_without_stops_nothing() {
        let purse = Arc::new(Purse(AtomicU64::new(2 * PORTION)));
        let scope = Scope::new(Watch { room: Some(Arc::clone(&purse) as Arc<dyn Room>), ..Watch::default() });
        let mut held = Held::default();
        assert!(held.try_grow(3 * PORTION).is_err());
        assert_eq!((look(), scope.stopped(), purse.rest()), (Ok(()), None, 2 * PORTION));
    }

    #[test]
    fn threads_inherit_a_scope() {
        let flag = Arc::new(AtomicBool::new(true));
        let scope = Scope::new(Watch { cancel: Some(flag), ..Watch::default() });
        let here = inherit();
        let looked = std::thread::spawn(move || {
            let before = look();
            let entered = here.enter();
            let within = look();
            drop(entered);
            (before, within, look())
        });
        assert_eq!(looked.join().unwrap(), (Ok(()), Err(Stopped::Cancelled), Ok(())));
        // What stopped a helper stopped the whole.
        assert_eq!(scope.stopped(), Some(Stopped::Cancelled));
    }
}
