//! Positions of a rules file as engines and searches see them: how a position is written down, and how its options are found.
//!
//! What the rules show of a game beforehand:
//! - [`facts`]: which kind of game it is, whether it is a sum, impartial, without cycles; each fact with its reason.
//! - [`proofs`]: what the file declares, proved from the rules. What is not proved is checked: by the interpreter in every
//!   position that it visits ([`audit`]), or in a walk beforehand where compiled code does the solving ([`declared`]).
//!
//! Graphs, for engines that value numbered positions:
//! - [`oracle`]: the interpreter behind all of them, and what a graph can be asked.
//! - [`state`]: one part, its variables packed into a few words, with the turn only where the rules look at it.
//! - [`compiled`]: one part, too, with compiled options. It has positions to codes and back, and the code that expands them.
//! - [`coding`]: how positions are numbered for that.
//! - [`program`]: one part, too, with rules compiled as they stand and keys of any number of words.
//! - [`sum`]: several parts, each packed and numbered once; a position is the sorted list of its parts' numbers.
//! - [`parts`]: the parts alone, for nimbers, where an option is a run of parts.
//! - [`remembered`]: any of them, with what a first look at it worked out.
//!
//! - [`cost`]: what engines take on them, predicted from what a first look met.
//!
//! For searches: [`searched`] makes a game for the crate `search`, by masks, codes, compiled rules or the interpreter;
//! [`interpreted`] stands behind code that leaves positions alone.
//!
//! What goes wrong is said here, too: [`error`], with positions in the words of the rules file; [`names`] has what people call
//! its cells and rules; [`repeats`] shows cycles;
//! [`stopping`] has the limits of a solve looked at inside one position.
//!
//! Nothing here chooses a method. [`cost`] and [`error`] have what several of them share: what a table or a search takes, and why one gives up.

pub mod audit;
pub mod coding;
pub mod compiled;
pub mod cost;
pub mod declared;
pub mod error;
pub mod facts;
pub mod interpreted;
pub mod names;
pub mod oracle;
pub mod parts;
pub mod program;
pub mod proofs;
pub mod remembered;
pub mod repeats;
pub mod searched;
pub mod state;
pub mod stopping;
pub mod sum;
