//! Heap games: positions that are one number, of which a move takes, or which it breaks up.
//!
//! The general template (positions, moves, gains, ends) fits them too, and `solve` can always fall back to it. But a
//! position that is one number has a *sequence* of values, and sequences have structure that tables do not: a bit-parallel
//! order, sparse spaces, and periods that a theorem proves for every heap however large. This crate computes the sequences
//! and proves the periods. It knows nothing of rules files: `solve` recognises a heap game and describes it in the terms
//! of this crate.
//!
//! Long work is cut by its caller: a sequence grows with `extend`, piece by piece, so that progress, Ctrl-C, limits and
//! checkpoints are the caller's business alone.

pub mod detect;
pub mod misere;
pub mod period;
pub mod subtraction;
pub mod take_break;

pub use period::{Period, Proof};
