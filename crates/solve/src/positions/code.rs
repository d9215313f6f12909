//! Code for the options of a position, made once a solve.
//!
//! A sample of play runs it, and the method that is chosen runs it again. There is one for each way to number positions and
//! each form of gains; whoever needs it first has it made.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use formula::Coded;
use jit::{Gains, JitError, Successors};
use rules::bind::Bound;

/// Code that expands positions.
pub(crate) type Expands = Arc<dyn Successors + Send>;

/// How the positions of a case are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Without gaps, as indices of a table.
    Dense,
    /// As it is quickest, as keys.
    Keys,
}

/// The code that was made so far for the study of one case. Copies share it.
#[derive(Clone, Default)]
pub(crate) struct SharedCode {
    made: Rc<RefCell<Vec<(Numbers, Gains, Expands)>>>,
}

impl SharedCode {
    /// The code, if it was made.
    pub fn ready(&self, numbers: Numbers, gains: Gains) -> Option<Expands> {
        let made = self.made.borrow();
        made.iter().find(|(known, kind, _)| (*known, *kind) == (numbers, gains)).map(|(.., code)| Arc::clone(code))
    }

    /// The code, made now unless it was before. `coded` must be the study of the case with these numbers.
    pub fn get(
        &self,
        bound: &Bound,
        coded: &Coded,
        start: Option<u64>,
        numbers: Numbers,
        gains: Gains,
    ) -> Result<Expands, JitError> {
        if let Some(code) = self.ready(numbers, gains) {
            return Ok(code);
        }
        let code: Expands = Arc::from(jit::ways::successors(bound, coded, start, gains)?);
        self.made.borrow_mut().push((numbers, gains, Arc::clone(&code)));
        Ok(code)
    }
}
