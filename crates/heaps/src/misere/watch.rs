//! The stop button of long work.
//!
//! One heap more can take a second or a minute; this cannot be predicted. So long work asks now and then whether to go
//! on, and ends with [`Error::Stopped`] if not. It asks every few microseconds of work, so the answer should be quick.
//! A clock, if there is one, is left to the caller.

use std::cell::RefCell;
use std::fmt;

use super::Error;

/// Asks whether to go on. All parts of one task share it, hence the cell.
pub(super) struct Watch<'a>(RefCell<&'a mut (dyn FnMut() -> bool + 'a)>);

impl<'a> Watch<'a> {
    pub fn new(go_on: &'a mut (dyn FnMut() -> bool + 'a)) -> Watch<'a> {
        Watch(RefCell::new(go_on))
    }

    /// An error if the work is to stop.
    pub fn check(&self) -> Result<(), Error> {
        let mut go_on = self.0.borrow_mut();
        if go_on() { Ok(()) } else { Err(Error::Stopped) }
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}
