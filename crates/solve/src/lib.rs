//! Solving: from a bound game to a proved answer.
//!
//! ```text
//! bound game ──plan──▶ plan ──solver──▶ table of verdicts ──answer──▶ solution (JSON, text)
//! ```
//!
//! [`properties`] recognises what the rules show, each with its reason; [`plan`] chooses; [`solver`] carries out. The
//! methods know nothing of rules: they see a [`graph::Graph`] of numbered positions and value it with a
//! [`valuation::Valuation`], the cases of `D(S) = max over moves of gain − D(S')`. [`positions`] makes such graphs of rules
//! files, [`game_graph`] of games written in Rust. [`compound`] adds up positions of different games. [`audit`] checks what
//! files declare, and every answer's line of play is replayed ([`mod@line`]) before it is given. [`stored`] keeps whole
//! tables in files.

mod ahead;
pub mod answer;
pub mod audit;
pub mod best;
pub mod bits;
pub mod check;
pub mod codes;
pub mod compare;
pub mod compiled;
pub mod compound;
mod declared;
pub mod error;
pub mod game_graph;
pub mod graph;
pub mod heap;
pub mod induction;
pub mod interval;
pub mod line;
pub mod loopy;
pub mod memory;
pub mod monitor;
pub mod multiset_table;
pub mod named;
pub mod options;
pub mod plan;
pub mod play;
pub mod position_table;
pub mod positions;
pub mod properties;
mod quotient;
pub mod repeats;
pub mod retrograde;
mod row;
pub mod segmented;
pub mod sequence;
pub mod slots;
pub mod solution;
pub mod solved;
pub mod solver;
pub mod stored;
mod table;
pub mod understood;
pub mod valuation;
pub mod verdict;
pub mod walk;
