//! Sequences: the value of a game as one of its parameters runs, with its period; genus symbols and misère quotients of heaps.

pub use heaps::HeapSequence;
pub use heaps::period::Proof as PeriodProof;
pub use heaps::take_break::{CodeError, NimSequence, TakeAndBreak};
pub use solve::sequence::saved::{SavedError, fingerprint};
pub use solve::sequence::{
    Found as Quotient, Instances, Largest, MOST_TERMS, Misere, Rare, Repeats, Runs, Sequence, SequenceError, Source,
    Summary, Term, heap_source,
};
