//! The formulas of one instance, read once for everyone who looks at them.
//!
//! Recognisers want choices kept open, since the conditions on them say more than a list of numbers; the compiler wants
//! them unfolded. Each reading is made when it is first asked for, and kept.

use std::cell::OnceCell;
use std::rc::Rc;

use formula::Formulas;
use formula::specialise::{Limits, specialise_within};
use rules::bind::Bound;
use shapes::row::MOST_LISTS;

/// A reading, or why the rules have none.
type Reading = OnceCell<Result<Rc<Formulas>, String>>;

/// The readings of one instance.
#[derive(Default)]
pub(crate) struct Readings {
    unfolded: Reading,
    heap: Reading,
}

fn read(reading: &Reading, bound: &Bound, limits: Limits) -> Result<Rc<Formulas>, String> {
    let make = || specialise_within(bound, limits).map(Rc::new).map_err(|unsupported| unsupported.why);
    reading.get_or_init(make).clone()
}

impl Readings {
    /// As the compiler wants it: choices unfolded.
    pub fn unfolded(&self, bound: &Bound) -> Result<Rc<Formulas>, String> {
        read(&self.unfolded, bound, Limits::default())
    }

    /// As the recogniser of heaps wants it.
    pub fn heap(&self, bound: &Bound) -> Result<Rc<Formulas>, String> {
        read(&self.heap, bound, Limits { varying_choices: 1, ..Limits::default() })
    }

    /// As the recogniser of rows wants it. It is asked for once, and rewritten.
    pub fn row(&self, bound: &Bound) -> Result<Formulas, String> {
        let most = 2 * MOST_LISTS;
        let limits =
            Limits { known_choices: most, board_choices: most, varying_choices: 1, actions: most, ..Limits::default() };
        specialise_within(bound, limits).map_err(|unsupported| unsupported.why)
    }

    /// As the recogniser of forward games wants it. It is asked for once, and rewritten.
    pub fn forward(&self, bound: &Bound) -> Result<Formulas, String> {
        let limits = Limits { known_choices: 1, board_choices: 1, varying_choices: 1, ..Limits::default() };
        specialise_within(bound, limits).map_err(|unsupported| unsupported.why)
    }
}
