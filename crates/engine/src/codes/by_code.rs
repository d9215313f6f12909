//! All values of an instance in the order of their codes: what a table file is written from.
//!
//! A game has codes `0..size`. Not every code is a position that was reached, and where symmetries were used one code is
//! kept for each class. So a reader goes through the codes that were kept, in ascending order, and asks which kept code
//! stands for another one. What is read does not depend on the number of threads that found it.

use game::Verdict;

/// The values of an instance by code, in order.
pub trait ByCode {
    /// All codes are below this.
    fn size(&self) -> u64;

    /// How many codes are kept.
    fn kept(&self) -> u64;

    /// The code under which the value of a code is kept, if it is kept at all: that of the position which stands for all
    /// symmetric ones.
    fn kept_as(&self, code: u64) -> u64;

    /// What a code is worth to its mover; `None` if it was not reached.
    fn value(&self, code: u64) -> Option<Verdict>;

    /// The kept codes from `first` on with their values, in ascending order.
    fn entries_from(&self, first: u64) -> Box<dyn Iterator<Item = (u64, Verdict)> + '_>;
}
