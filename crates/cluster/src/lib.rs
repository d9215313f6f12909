//! Games solved by many processes, on timely dataflow.
//!
//! ```text
//! rules ──▶ discovery ──▶ arrows ──▶ levels back from the ends ──▶ sorting ──▶ parts of a table
//!              │ keys        │ numbers     │ numbers                 │ entries
//!              └─────────────┴── letters between workers, in epochs ─┘
//! ```
//!
//! A worker is a worker of timely. Each position belongs to the worker to whom the hash of its key falls (`holding`). All work is
//! done in epochs (`post`): everybody writes letters for a while, and an epoch is over when timely's frontier says that all of them
//! were read. So what is in flight is bounded, and a level of remoteness is complete when it is left.
//!
//! Read `post`, then `game` (what is asked of the rules), `holding` and `arrows` (what a worker keeps), `discovery`, `levels`
//! with `outcomes` and `folding` (how values are found), `sorting`, `whole` and `saved` (what is written), and `run`, which does one after the
//! other. `hosts`, `meeting` and `link` are how processes find and lose one another; `process` is one of them. `needs` predicts
//! what a game takes.

mod arrows;
mod column;
mod discovery;
mod error;
mod folding;
mod game;
mod holding;
mod hosts;
mod levels;
mod link;
mod meeting;
mod needs;
mod outcomes;
mod packing;
mod post;
mod process;
mod pulse;
mod run;
mod saved;
mod sorting;
mod whole;

pub use error::{Trouble, TroubleKind};
pub use game::{SharedGame, Sought};
pub use hosts::Hosts;
pub use needs::Needs;
pub use process::{Cluster, solve};
pub use run::{Job, Solved};
pub use sorting::Part;
pub use table::merge;
pub use whole::{LIST, part_name};
