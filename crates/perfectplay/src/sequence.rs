//! Sequences: the value of a game as one of its parameters runs, with its period; genus symbols and misère quotients of heaps.

#[doc(inline)]
pub use heaps::HeapSequence;
#[doc(inline)]
pub use heaps::period::Proof as PeriodProof;
#[doc(inline)]
pub use heaps::take_break::{CodeError, NimSequence, TakeAndBreak};
#[doc(inline)]
pub use solve::sequence::saved::{SavedError, fingerprint};
#[doc(inline)]
pub use solve::sequence::{
    Axis, Found as Quotient, Grid, Instances, Largest, MOST_TERMS, Misere, Rare, Repeats, Runs, Sequence,
    SequenceError, Source, Summary, Term,
};
