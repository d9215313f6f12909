//! The objects of the explorer, which `crates/explorer/openapi.json` describes. What the command line has too is the same object.

mod games;
mod jobs;
mod pictures;
mod position;

pub use games::{Checked, check, gallery, tables};
pub use jobs::{About, JobObject, Limits, ProgressObject};
pub use pictures::{GraphNode, GraphObject, OpponentObject, ValuedOption, graph, position_value, triangle};
pub use position::{Export, PositionObject, position};
