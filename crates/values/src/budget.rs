//! What an arena may use: bytes, and a look at the stop button now and then.
//!
//! The arena asks before it grows. A solver hands in an adaptor to its own budget; [`Allowance`] is a plain limit.

/// A refusal of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The limit in bytes.
    pub limit: u64,
    /// What would be in use.
    pub needed: u64,
}

/// A budget of bytes, and a stop button.
pub trait Budget: Send {
    /// Asks for `bytes` more, before they are allocated. A refusal takes nothing.
    fn take(&mut self, bytes: u64) -> Result<(), Refusal>;
    /// Hands back `bytes` that were taken before.
    fn give(&mut self, bytes: u64);
    /// True if the work is to end now. Asked once in some thousand steps.
    fn stopped(&mut self) -> bool {
        false
    }
}

/// A plain limit in bytes.
#[derive(Clone, Debug)]
pub struct Allowance {
    limit: u64,
    used: u64,
}

impl Allowance {
    /// A budget of `limit` bytes.
    pub fn new(limit: u64) -> Allowance {
        Allowance { limit, used: 0 }
    }
}

impl Budget for Allowance {
    fn take(&mut self, bytes: u64) -> Result<(), Refusal> {
        let needed = self.used.saturating_add(bytes);
        if needed > self.limit {
            return Err(Refusal { limit: self.limit, needed });
        }
        self.used = needed;
        Ok(())
    }

    fn give(&mut self, bytes: u64) {
        debug_assert!(bytes <= self.used, "gave back {bytes} bytes of {}", self.used);
        self.used -= bytes;
    }
}
