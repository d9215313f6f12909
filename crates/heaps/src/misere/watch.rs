//! The stop button of long work, and the count of the memory that it holds.
//!
//! One heap more can take a second or a minute, and a few kilobytes or a gigabyte; this cannot be predicted. So long work asks
//! now and then whether to go on, and ends with [`Error::Stopped`] if not. It asks every few microseconds of work, and
//! tells how many bytes its tables hold by then, so the answer should be quick. A clock and a budget, if there are any, are left
//! to the caller.

use std::cell::{Cell, RefCell};
use std::fmt;

use super::Error;

/// With so many bytes more than at the last question, the next is asked at once.
const PORTION: u64 = 1 << 16;

/// Asks whether to go on. All parts of one task share it, hence the cells.
pub(super) struct Watch<'a> {
    go_on: RefCell<&'a mut (dyn FnMut(u64) -> bool + 'a)>,
    /// What the tables hold, and what they held at the last report.
    bytes: Cell<u64>,
    reported: Cell<u64>,
}

impl<'a> Watch<'a> {
    pub fn new(go_on: &'a mut (dyn FnMut(u64) -> bool + 'a)) -> Watch<'a> {
        Watch { go_on: RefCell::new(go_on), bytes: Cell::new(0), reported: Cell::new(0) }
    }

    /// An error if the work is to stop.
    pub fn check(&self) -> Result<(), Error> {
        let mut go_on = self.go_on.borrow_mut();
        self.reported.set(self.bytes.get());
        if go_on(self.bytes.get()) { Ok(()) } else { Err(Error::Stopped) }
    }

    /// What the tables hold.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// The tables hold so much, and no more.
    pub fn hold(&self, bytes: u64) {
        self.bytes.set(bytes);
        self.reported.set(bytes);
    }

    /// The tables are about to hold so much more.
    pub fn charge(&self, bytes: u64) -> Result<(), Error> {
        self.bytes.set(self.bytes.get().saturating_add(bytes));
        if self.bytes.get() > self.reported.get().saturating_add(PORTION) { self.check() } else { Ok(()) }
    }

    /// The tables hold so much less.
    pub fn release(&self, bytes: u64) {
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
    }
}

/// What an allocation of so many bytes takes: it has a head, and its size is a multiple of 16.
pub(super) fn allocated(bytes: usize) -> u64 {
    if bytes == 0 { 0 } else { (bytes + 8).next_multiple_of(16).max(32) as u64 }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}
