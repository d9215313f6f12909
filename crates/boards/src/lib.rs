//! Boards that fall apart: games whose moves look at a few cells and change a few cells.
//!
//! Such a game is a list of [`LocalMove`]s: whose it is, what stands on the cells that it needs, what it writes. Dominoes
//! need two empty squares, a stone clobbers its neighbour. From the list alone follows which cells can still influence one
//! another: a move that can never be made again ties nothing together. So a position is a sum of parts, and only parts are
//! kept, each once, moved to a corner and turned to a standard side.
//!
//! ```text
//! LocalGame ──motions──▶ how parts may be shifted and turned ──frame──▶ masks of cells
//! position ──split──▶ parts ──table──▶ one part for each shape ──valuer──▶ values, added up
//! ```
//!
//! Nothing is assumed of the board: shifts, turns and the exchange of the players are used only if the list of moves is
//! the same after them. What a value is, the caller says ([`Algebra`]): nimbers for impartial games, canonical forms for
//! partizan ones. Rules files are not known here; `shapes` finds local moves in formulas. Read in this order:
//!
//! - [`local`]: the description of a game. [`fall`]: how a position falls apart, slow and obvious.
//! - [`motion`]: shifts and turns that change nothing. [`bits`], [`frame`]: the same game in masks of cells.
//! - [`table`]: parts, each shape once. [`descent`]: the values of parts, of whatever kind. [`valuer`]: those of positions.
//! - [`groups`]: games whose cells have many values, and whose moves stay formulas.
//! - [`contest`]: who wins a sum of parts, without its value.
//! - [`algebra`]: what values must be able to do;
//!   [`canonical`]: canonical forms do it.

pub mod algebra;
pub mod bits;
pub mod canonical;
pub mod contest;
pub mod descent;
pub mod fall;
pub mod frame;
pub mod groups;
pub mod local;
pub mod motion;
pub mod table;
pub mod valuer;

pub use algebra::{Algebra, Nimbers};
pub use canonical::CanonicalForms;
pub use contest::Contest;
pub use local::{Grid, LocalGame, LocalMove, Owner};
pub use valuer::Valuer;
