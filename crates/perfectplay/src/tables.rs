//! Tables of all positions in a file, and what such a file says of itself.
//!
//! Tables of interval games can be stored: two players take items from the two ends of a row. A run that was stopped goes on
//! where it was ([`TableFile::resume`]).
//!
//! ```
//! use std::sync::Arc;
//!
//! use perfectplay::Solver;
//! use perfectplay::language::Rules;
//! use perfectplay::tables::{About, Pieces, Reader, TableError, TableFile, TableLayout, Unfilled};
//!
//! let rules = Rules::gallery("coins").unwrap();
//! let game = rules.bind(r#"{"coins": [5, 3, 7, 10]}"#)?;
//! let solver = Solver::new();
//! let (options, mut monitor) = (solver.options()?, solver.monitor());
//! let table = TableLayout::new(&game, &options, &mut monitor)?;
//! assert_eq!(table.positions(), 15);
//!
//! // Fill the file. It names the rules and the instance, so that nothing else is needed to read it.
//! let path = std::env::temp_dir().join(format!("perfectplay-doc-{}", std::process::id()));
//! let about = About::new(&rules, &game, table.text());
//! let pieces: Pieces = table.pieces();
//! let file = TableFile::create(&path, &about.text(), pieces).unwrap();
//! match table.fill(&file, &mut monitor) {
//!     Err(Unfilled::Solve(error)) => return Err(error.into()), // A limit: `TableFile::resume` goes on from here.
//!     Err(Unfilled::File(error)) => panic!("the disk is full: {error}"),
//!     Ok(_) => {}
//! }
//! file.finish().unwrap();
//! drop(file);
//!
//! // Read it, as another program would: any position of the instance can be asked for.
//! let file = TableFile::open(&path).unwrap();
//! let about = About::read(file.about()).unwrap();
//! let game = about.rules.bind(&about.instance)?;
//! let table = TableLayout::new(&game, &options, &mut monitor)?;
//! let (solved, reader): (_, Arc<Reader>) = table.read(file, &monitor)?;
//! let position = perfectplay::moves::after(&game, "right")?.unwrap();
//! assert_eq!(solved.moves(&position)?.len(), 2);
//! assert_eq!(reader.trouble(), None); // Nothing of what was read is damaged.
//! # drop(solved);
//! # drop(reader);
//!
//! // Something else is refused.
//! std::fs::write(&path, "no table").unwrap();
//! assert!(matches!(TableFile::open(&path), Err(TableError::NotATable)));
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), perfectplay::Error>(())
//! ```

#[doc(inline)]
pub use solve::stored::{Reader, TableLayout, Unfilled};
#[doc(inline)]
pub use table::{Pieces, TableError, TableFile};

pub use crate::json::About;
