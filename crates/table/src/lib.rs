//! Table files: the values of all positions, on disk.
//!
//! This crate knows nothing of games. A table is a text that says what the table is about, and a number of pieces of
//! equal length. Pieces may be written in any order and by several threads at a time. Each has a checksum, so a piece
//! is complete or missing, whatever happened while it was written. So a killed program loses nothing: the next one
//! opens the file and continues with the missing pieces.
//!
//! Read `head` for the layout of a file, then `file` ([`TableFile`]). `at` reads and writes at an offset; `error` lists
//! why a file is refused.
//!
//! ```
//! use table::{Pieces, TableFile};
//!
//! let path = std::env::temp_dir().join(format!("table-doc-{}", std::process::id()));
//! let file = TableFile::create(&path, "squares", Pieces { count: 2, bytes: 3 }).unwrap();
//! file.put(1, &[16, 25, 36]).unwrap();
//! drop(file);
//!
//! let file = TableFile::resume(&path).unwrap();
//! let mut piece = [0; 3];
//! assert!(!file.get(0, &mut piece).unwrap());
//! file.put(0, &[1, 4, 9]).unwrap();
//! file.finish().unwrap();
//! drop(file);
//!
//! let file = TableFile::open(&path).unwrap();
//! assert!(file.is_finished() && file.about() == "squares");
//! assert!(file.get(1, &mut piece).unwrap() && piece == [16, 25, 36]);
//! # drop(file);
//! # std::fs::remove_file(&path).unwrap();
//! ```

mod at;
mod error;
mod file;
mod head;

pub use error::TableError;
pub use file::TableFile;
pub use head::Pieces;
