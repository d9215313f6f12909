//! The memory budget of one solve.
//!
//! Everything that grows with the game asks here *before* it allocates, so that a limit shows as an error with figures
//! instead of a machine that swaps or a process that is killed. Counting what was asked for, rather than asking the
//! operating system what is in use, makes the limit exact and the same everywhere; the price is that small things (a
//! handful of vectors the size of one position's moves) are not counted.
//!
//! A structure does not call [`Memory::take`] and [`Memory::give`] itself but holds a [`Lease`], which gives everything
//! back when it is dropped, so that no way out of a function can leak a charge.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Limit};

/// A budget of bytes, shared by all who hold a clone of it.
#[derive(Clone, Debug)]
pub struct Memory {
    account: Arc<Account>,
}

#[derive(Debug)]
struct Account {
    limit: u64,
    /// What the program holds beside, which nobody asks for.
    reserve: AtomicU64,
    used: AtomicU64,
    peak: AtomicU64,
    /// What would have been in use if somebody had not been refused; 0 if nobody was.
    refused: AtomicU64,
}

impl Memory {
    /// A budget of `limit` bytes, none of them used.
    pub fn new(limit: u64) -> Memory {
        Memory::reserving(limit, 0)
    }

    /// A budget of `limit` bytes of which some are for the program itself: its code, and what it makes of the rules.
    pub fn reserving(limit: u64, reserve: u64) -> Memory {
        let (used, peak, reserve) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(reserve.min(limit)));
        Memory { account: Arc::new(Account { limit, reserve, used, peak, refused: AtomicU64::new(0) }) }
    }

    /// Changes what is for the program itself. What was taken before is not touched.
    pub fn reserve(&self, bytes: u64) {
        self.account.reserve.store(bytes.min(self.limit()), Ordering::Relaxed);
    }

    fn reserved(&self) -> u64 {
        self.account.reserve.load(Ordering::Relaxed)
    }

    /// Whether it is the same budget.
    pub fn is(&self, other: &Memory) -> bool {
        Arc::ptr_eq(&self.account, &other.account)
    }

    /// Whether anybody but the caller holds a clone of it.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.account) > 1
    }

    /// A budget that never runs out, for tests and for tables that are small by construction.
    pub fn unlimited() -> Memory {
        Memory::new(u64::MAX)
    }

    /// Asks for `bytes` more, before they are allocated. An error takes nothing.
    pub fn take(&self, bytes: u64) -> Result<(), Error> {
        let (account, reserved) = (&*self.account, self.reserved());
        let grown = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= account.limit - reserved);
        match account.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown) {
            Ok(before) => {
                account.peak.fetch_max(before + bytes, Ordering::Relaxed);
                Ok(())
            }
            Err(used) => {
                let needed = used.saturating_add(reserved).saturating_add(bytes);
                account.refused.store(needed, Ordering::Relaxed);
                Err(self.exceeded(needed))
            }
        }
    }

    /// Hands back `bytes` that were taken before.
    pub fn give(&self, bytes: u64) {
        let before = self.account.used.fetch_sub(bytes, Ordering::Relaxed);
        debug_assert!(before >= bytes, "gave back {bytes} bytes of {before}");
    }

    /// Hands memory that was freed back to the system, so that who asks the system what the program holds is told the truth.
    pub fn return_free() {
        pages::return_free();
    }

    /// Has large vectors handed back to the system as soon as they are freed, for programs that have little memory.
    pub fn return_large_at_once() {
        pages::return_large_at_once();
    }

    /// The limit in bytes.
    pub fn limit(&self) -> u64 {
        self.account.limit
    }

    /// What is taken now.
    pub fn used(&self) -> u64 {
        self.account.used.load(Ordering::Relaxed)
    }

    /// The most that was ever taken at one time.
    pub fn peak(&self) -> u64 {
        self.account.peak.load(Ordering::Relaxed)
    }

    /// Whether somebody was ever refused what they asked for. With more memory, what they did then may come out otherwise.
    pub fn has_refused(&self) -> bool {
        self.refusal().is_some()
    }

    /// The error of whoever was refused last.
    pub fn refusal(&self) -> Option<Error> {
        let needed = self.account.refused.load(Ordering::Relaxed);
        (needed != 0).then(|| self.exceeded(needed))
    }

    /// What is still free.
    pub fn free(&self) -> u64 {
        (self.limit() - self.reserved()).saturating_sub(self.used())
    }

    /// An empty lease on this budget.
    pub fn lease(&self) -> Lease {
        Lease { memory: self.clone(), bytes: 0 }
    }

    /// A vector of zeros, charged, with its lease. Memory that was never written to costs the machine nothing, only the
    /// budget.
    pub fn zeroed<T: Copy + Default>(&self, count: u64) -> Result<(Vec<T>, Lease), Error> {
        let mut lease = self.lease();
        let bytes = count.checked_mul(size_of::<T>() as u64).ok_or_else(|| self.exceeded(u64::MAX))?;
        let count = usize::try_from(count).map_err(|_| self.exceeded(bytes))?;
        lease.grow(bytes)?;
        // Asked for and handed back first, since a refusal must be an error and not the end of the process.
        drop(lease.vector::<T>(count)?);
        let mut zeros = vec![T::default(); count];
        pages::prefer_large(&mut zeros);
        Ok((zeros, lease))
    }

    /// A vector of zeros that may be used bit by bit. The first `count` are charged. The rest, up to `most` or as far as the system lets
    /// a program go, may be used when the lease has been grown for it: until then it is an address and no memory.
    pub fn zeroed_with_room<T: Copy + Default>(&self, count: u64, most: u64) -> Result<(Vec<T>, Lease), Error> {
        let mut lease = self.lease();
        lease.grow(count.checked_mul(size_of::<T>() as u64).ok_or_else(|| self.exceeded(u64::MAX))?)?;
        let mut room = most.max(count);
        loop {
            let tried = usize::try_from(room).map_err(|_| self.exceeded(u64::MAX)).and_then(|room| {
                drop(lease.vector::<T>(room)?);
                Ok(room)
            });
            match tried {
                Ok(room) => return Ok((vec![T::default(); room], lease)),
                Err(error) if room == count => return Err(error),
                Err(_) => room = (room / 2).max(count),
            }
        }
    }

    /// The error for a need that cannot be met, be it by the budget or by the machine.
    pub fn exceeded(&self, needed: u64) -> Error {
        Error::Limit { limit: Limit::Memory { limit: self.limit(), needed }, positions: 0 }
    }
}

/// Bytes taken from a [`Memory`] by one structure, given back when it is dropped.
#[derive(Debug)]
pub struct Lease {
    memory: Memory,
    bytes: u64,
}

impl Lease {
    /// Asks for `bytes` more.
    pub fn grow(&mut self, bytes: u64) -> Result<(), Error> {
        self.memory.take(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Hands back `bytes`.
    pub fn shrink(&mut self, bytes: u64) {
        debug_assert!(bytes <= self.bytes);
        self.memory.give(bytes);
        self.bytes -= bytes;
    }

    /// Makes the lease exactly `bytes`, asking for or handing back the difference. An error changes nothing.
    pub fn resize(&mut self, bytes: u64) -> Result<(), Error> {
        if bytes > self.bytes {
            return self.grow(bytes - self.bytes);
        }
        self.shrink(self.bytes - bytes);
        Ok(())
    }

    /// What this lease holds.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The budget the lease is on.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// An empty vector with room for exactly `count` items, for which the lease must already have been grown.
    pub(crate) fn vector<T>(&self, count: usize) -> Result<Vec<T>, Error> {
        let mut vector = Vec::new();
        match vector.try_reserve_exact(count) {
            Ok(()) => Ok(vector),
            Err(_) => Err(self.memory.exceeded(self.memory.used())),
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.memory.give(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_never_exceeded() {
        let memory = Memory::new(100);
        memory.take(60).unwrap();
        assert!(!memory.has_refused());
        let error = memory.take(41).unwrap_err();
        assert!(memory.has_refused());
        assert_eq!(error, Error::Limit { limit: Limit::Memory { limit: 100, needed: 101 }, positions: 0 });
        memory.take(40).unwrap();
        assert_eq!((memory.used(), memory.free(), memory.peak()), (100, 0, 100));
        memory.give(70);
        assert_eq!((memory.used(), memory.peak()), (30, 100));
        assert!(memory.take(u64::MAX).is_err());
        assert_eq!(memory.used(), 30);
    }

    #[test]
    fn what_the_program_holds_is_nobody_elses() {
        let memory = Memory::reserving(100, 30);
        memory.take(50).unwrap();
        assert_eq!((memory.limit(), memory.used(), memory.free(), memory.peak()), (100, 50, 20, 50));
        let error = memory.take(21).unwrap_err();
        assert_eq!(error, Error::Limit { limit: Limit::Memory { limit: 100, needed: 101 }, positions: 0 });
        assert_eq!(Memory::reserving(10, 30).free(), 0);
        memory.reserve(70);
        assert!(memory.free() == 0 && memory.take(1).is_err() && memory.used() == 50);
        memory.reserve(0);
        assert_eq!(memory.free(), 50);
    }

    #[test]
    fn clones_share_one_budget() {
        let memory = Memory::new(10);
        memory.clone().take(7).unwrap();
        assert!(memory.take(4).is_err());
    }

    #[test]
    fn a_lease_gives_back_when_dropped() {
        let memory = Memory::new(100);
        let mut lease = memory.lease();
        lease.grow(30).unwrap();
        lease.resize(80).unwrap();
        assert!(lease.resize(101).is_err());
        assert_eq!((lease.bytes(), memory.used()), (80, 80));
        lease.resize(10).unwrap();
        lease.shrink(5);
        assert_eq!((lease.bytes(), memory.used(), memory.peak()), (5, 5, 80));
        drop(lease);
        assert_eq!(memory.used(), 0);
    }

    #[test]
    fn what_the_machine_refuses_is_a_limit_too() {
        let memory = Memory::unlimited();
        assert!(matches!(memory.lease().vector::<u64>(usize::MAX / 16), Err(Error::Limit { .. })));
    }
}
