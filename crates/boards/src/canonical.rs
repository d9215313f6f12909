//! Canonical forms as values of parts, for partizan games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use engine::memory::Memory;
use engine::monitor::Monitor;
use engine::{Error, Limit};
use values::{Arena, Budget, Refusal, Value};

use crate::algebra::Algebra;

/// Canonical forms in an arena that is charged to the budget of a solve.
pub struct CanonicalForms {
    /// The arena.
    pub arena: Arena,
    /// What it may take, in bytes.
    most: Arc<AtomicU64>,
}

impl CanonicalForms {
    /// An empty arena with the limits of a solve.
    pub fn new(monitor: &Monitor) -> CanonicalForms {
        CanonicalForms::within(monitor, u64::MAX)
    }

    /// An empty arena that takes at most so many bytes of what the solve has.
    pub fn within(monitor: &Monitor, most: u64) -> CanonicalForms {
        CanonicalForms::bounded(monitor, most, u64::MAX)
    }

    /// An arena that stops after so many looks at the limits, too: one in some thousand steps.
    pub fn patient(monitor: &Monitor, looks: u64) -> CanonicalForms {
        CanonicalForms::bounded(monitor, u64::MAX, looks)
    }

    /// Both.
    pub fn bounded(monitor: &Monitor, most: u64, looks: u64) -> CanonicalForms {
        let deadline = monitor.patience().and_then(|left| Instant::now().checked_add(left));
        let (memory, cancel) = (monitor.memory().clone(), Arc::clone(monitor.cancel()));
        let most = Arc::new(AtomicU64::new(most));
        let budget = SolveBudget { memory, most: Arc::clone(&most), taken: 0, cancel, deadline, looks };
        CanonicalForms { arena: Arena::new(budget), most }
    }

    /// The sum of these values; `None` if it takes more than so many further bytes to find.
    pub fn total_within(&mut self, values: &[Value], bytes: u64) -> Result<Option<Value>, Error> {
        let before = self.most.load(Ordering::Relaxed);
        let narrow = self.arena.statistics().bytes.saturating_add(bytes);
        self.most.store(before.min(narrow), Ordering::Relaxed);
        let total = self.arena.total(values);
        self.most.store(before, Ordering::Relaxed);
        match total {
            Ok(total) => Ok(Some(total)),
            Err(values::Error::Memory { limit, .. }) if limit == narrow && narrow < before => Ok(None),
            Err(error) => Err(of_values(error)),
        }
    }
}

impl Algebra for CanonicalForms {
    type Value = Value;

    fn zero(&mut self) -> Value {
        Value::ZERO
    }

    fn add(&mut self, a: Value, b: Value) -> Result<Value, Error> {
        self.arena.add(a, b)
    }

    fn negate(&mut self, a: Value) -> Result<Value, Error> {
        self.arena.negate(a)
    }

    fn game(&mut self, left: &mut Vec<Value>, right: &mut Vec<Value>) -> Result<Value, Error> {
        Algebra::game(&mut self.arena, left, right)
    }
}

/// An arena with limits of its own, for whoever wants the values in it afterwards.
impl Algebra for Arena {
    type Value = Value;

    fn zero(&mut self) -> Value {
        Value::ZERO
    }

    fn add(&mut self, a: Value, b: Value) -> Result<Value, Error> {
        self.plus(a, b).map_err(of_values)
    }

    fn negate(&mut self, a: Value) -> Result<Value, Error> {
        self.negative(a).map_err(of_values)
    }

    fn game(&mut self, left: &mut Vec<Value>, right: &mut Vec<Value>) -> Result<Value, Error> {
        Arena::game(self, left, right).map_err(of_values)
    }
}

/// The error of an engine for an error of the algebra.
pub fn of_values(error: values::Error) -> Error {
    match error {
        values::Error::Memory { limit, needed } => {
            Error::Limit { limit: Limit::Memory { limit, needed }, positions: 0 }
        }
        values::Error::Games => Error::Limit { limit: Limit::Positions, positions: 0 },
        // Whoever has the monitor says whether it was the clock or a person.
        values::Error::Stopped => Error::Interrupted { positions: 0 },
        other => Error::NotApplicable(other.to_string()),
    }
}

/// The budget of a solve, as the algebra asks for it.
struct SolveBudget {
    memory: Memory,
    /// What the arena may take of it.
    most: Arc<AtomicU64>,
    taken: u64,
    cancel: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// How often the limits may still be looked at.
    looks: u64,
}

impl Budget for SolveBudget {
    fn take(&mut self, bytes: u64) -> Result<(), Refusal> {
        let needed = self.taken.saturating_add(bytes);
        let most = self.most.load(Ordering::Relaxed);
        if needed > most {
            // The share of the arena is nothing that anybody asked for: the limit that is told is the one that was.
            return Err(Refusal { limit: self.memory.limit(), needed });
        }
        match self.memory.take(bytes) {
            Ok(()) => {
                self.taken += bytes;
                Ok(())
            }
            Err(_) => Err(Refusal { limit: self.memory.limit(), needed: self.memory.used().saturating_add(bytes) }),
        }
    }

    fn give(&mut self, bytes: u64) {
        self.memory.give(bytes);
        self.taken -= bytes;
    }

    fn stopped(&mut self) -> bool {
        if self.looks == 0 {
            return true;
        }
        self.looks -= 1;
        let late = self.deadline.is_some_and(|at| at.saturating_duration_since(Instant::now()) == Duration::ZERO);
        late || self.cancel.load(Ordering::Relaxed)
    }
}

impl Drop for SolveBudget {
    fn drop(&mut self) {
        self.memory.give(self.taken);
    }
}
