//! Heap games: positions that are one number, and moves that take from it or break it up.
//!
//! The general template (positions, moves, gains, ends) fits them too, and `solve` can always fall back to it. But a
//! position that is one number has a *sequence* of values, and sequences have structure that tables lack: a
//! bit-parallel order, sparse spaces, and periods that a theorem proves for heaps of every size. This crate computes
//! the sequences and proves the periods. It knows nothing of rules files: `shapes` recognises a heap game and describes
//! it in the terms of this crate.
//!
//! The caller cuts long work into pieces: a sequence grows with `extend`, piece by piece. So progress, Ctrl-C, limits
//! and checkpoints are left to the caller. Read in this order:
//!
//! - [`period`]: what a period is and how it is backed. [`detect`]: finding one in a finite piece.
//! - [`subtraction`]: moves that only take. Outcomes as bits, nim-values, remoteness.
//! - [`take_break`]: moves that take and break. Octal and hexadecimal codes, nim-sequences.
//! - [`sequence`]: the values of heaps as one sequence, whichever of these they come from.
//! - [`misere`]: sums under misère play. Genus, canonical forms, quotients.

pub mod detect;
pub mod misere;
pub mod period;
pub mod sequence;
pub mod subtraction;
pub mod take_break;

pub use period::{Period, Proof};
pub use sequence::{HeapSequence, Stuck};
