//! The objects of the explorer, which `crates/explorer/openapi.json` describes. Where a command of the command line gives the same
//! answer, the explorer answers with the object of that command.
//!
//! A position, alone or on a page to keep; the gallery, tables, rules that were checked:
//!
//! ```
//! use perfectplay::json::explorer::{Checked, Export, check, gallery, position, tables};
//! use perfectplay::view::{View, Walk};
//! use perfectplay::{Solver, language::Rules, scene::Painter};
//!
//! let rules = Rules::gallery("coins").unwrap();
//! let coins = rules.bind(r#"{"coins": [5, 3]}"#)?;
//! let solved = Solver::new().solved(&coins)?;
//! let walk = Walk::new(&coins, &coins.start, &[], false).unwrap();
//! let view = View::solved(&solved, &Painter::new(&coins), &walk, None)?;
//! assert!(position(&view, None).contains(r#""solved":true"#));
//! let mut page = Export::new(&coins, &rules.source);
//! assert!(page.add(&view, &[1, 2]) > 100);
//! assert!(page.text().starts_with(r#"{"offline":2,"game":"coins""#));
//!
//! assert!(gallery().contains(r#""name":"coins""#));
//! assert!(tables([("coins.table", &coins, 3)].into_iter()).contains(r#""positions":3"#));
//! let (program, bound) = (Some(rules.program()?), Some(rules.bind("{}")?));
//! let checked = Checked { program, default: None, bound, wrong: Vec::new(), in_instance: false };
//! assert!(check(&checked, &rules.source, &rules.source).starts_with(r#"{"good":true"#));
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! Pictures, and the computer's move:
//!
//! ```
//! use perfectplay::json::explorer::{GraphEdge, GraphNode, MoveSource, OpponentObject, ValuedOption};
//! use perfectplay::json::{self, explorer::{graph, position_value, triangle}};
//! use perfectplay::words::{self, Mark};
//! use perfectplay::{Solver, answer::picture, language::Rules};
//!
//! let coins = Rules::gallery("coins").unwrap().bind(r#"{"coins": [5, 3]}"#)?;
//! let (solver, mut monitor) = (Solver::new(), Solver::new().monitor());
//! let solved = solver.solved(&coins)?;
//! let intervals = picture::recognise(&coins, &coins.start, &mut monitor)?;
//! assert!(triangle(&coins, &intervals.triangle(&solved, &mut monitor)?).contains(r#""items":2"#));
//!
//! let moves = vec![GraphEdge { label: "left".to_string(), to: 0, best: true, mark: Mark::Ahead }];
//! let (position, assessment) = (coins.start.clone(), words::unknown());
//! let node = GraphNode { position, over: false, depth: 0, assessment, verdict: None, moves };
//! assert!(graph(&coins, &[node]).contains(r#""edges":[{"from":0,"to":0,"move":"left","best":true"#));
//!
//! let here = ValuedOption { by: None, name: Some("±1".to_string()), mean: None, temperature: None, class: None, thermograph: None };
//! assert!(position_value(&coins, &coins.start, &here, &[]).ends_with(r#""value":"±1","options":[]}"#));
//!
//! let words = "plays at random".to_string();
//! let opponent = OpponentObject { label: Some("left".to_string()), how: MoveSource::Asked, words, wrong_answers: None };
//! assert_eq!(json::text(&opponent), r#"{"move":"left","how":"asked","words":"plays at random"}"#);
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! Jobs, and the server itself:
//!
//! ```
//! use std::time::Duration;
//!
//! use perfectplay::json::explorer::{About, JobObject, JobState, Limits, ProgressObject};
//! use perfectplay::json::text;
//! use perfectplay::solving::Progress;
//!
//! let (elapsed, phase) = (Duration::from_secs(2), "searching");
//! let progress = Progress { positions: 9, settled: 4, bytes: 100, elapsed, phase, expected: None };
//! let progress = ProgressObject::new(&progress);
//! assert_eq!(text(&progress), r#"{"phase":"searching","positions":9,"settled":4,"bytes":100,"seconds":2.0}"#);
//! let job = JobObject { job: "a", what: "solve", state: JobState::Waiting, ahead: Some(1), progress: None, error: None };
//! assert_eq!(text(&job), r#"{"job":"a","do":"solve","state":"waiting","ahead":1}"#);
//!
//! let limits = Limits {
//!     body: 1, seconds: 1.0, wall_seconds: 2.0, memory: 1, job_seconds: 1.0, job_wall_seconds: 2.0, job_memory: 1, jobs: 1,
//!     total_memory: 1, graph: 1,
//! };
//! assert!(text(&About::new(limits)).starts_with(r#"{"name":"perfectplay""#));
//! ```

mod games;
mod jobs;
mod pictures;
mod position;
mod scene;

pub use games::{Checked, check, gallery, tables};
pub use jobs::{About, JobObject, JobState, Limits, ProgressObject};
pub use pictures::{GraphEdge, GraphNode, MoveSource, OpponentObject, ValuedOption, graph, position_value, triangle};
pub use position::{Export, position};
