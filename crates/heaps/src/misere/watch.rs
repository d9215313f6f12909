//! The stop button of long work.
//!
//! One heap more can take a second, or a minute: nobody can tell beforehand. So long work asks now and then whether it is to
//! go on, and ends with [`Error::Stopped`] if not. How often it asks is a matter of work done, some microseconds each time,
//! so whoever answers should be quick about it. The clock, if there is one, is the business of the one who answers.

use std::cell::RefCell;
use std::fmt;

use super::Error;

/// Asks whether to go on. Shared by all parts of one piece of work, hence the cell.
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
