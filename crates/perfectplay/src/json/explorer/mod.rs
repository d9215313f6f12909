//! The objects of the explorer, which `crates/explorer/openapi.json` describes. Where a command of the command line gives the same
//! answer, the explorer answers with the object of that command.

mod games;
mod jobs;
mod pictures;
mod position;
mod scene;

pub use games::{Checked, check, gallery, tables};
pub use jobs::{About, JobObject, JobState, Limits, ProgressObject};
pub use pictures::{
    GraphEdge, GraphNode, GraphObject, MoveSource, OpponentObject, ValuedOption, graph, position_value, triangle,
};
pub use position::{Export, PositionObject, position};
