//! Table files: the values of all positions of a game, on disk.
//!
//! A file begins with a head ([`head`](About)): the rules, the instance, the layout. What follows has one of two forms.
//!
//! - *Blocks* ([`BlockWriter`], [`BlockReader`]), for games of every kind: an entry for each position that play can reach, in the order
//!   of keys. Blocks are packed and read one at a time, an index finds them, and a hash is the name of everything.
//! - *Pieces* ([`PieceFile`]), for tables with a formula for every place (rows of coins): pieces of equal length that are filled in any
//!   order, by several threads.
//!
//! A table of blocks may be in parts: each is a file of a range of keys, and a file of its own lists them (`parts`,
//! `merge`).
//!
//! Read `head` and `frame` for the layout of a file, `shape` and `entry` for what is said of a position, `keys` for how positions are
//! numbered, `block` for the bytes of a block; then `writer` and `reader`, or `pieces`. `snapshot` keeps how far a
//! solve has come; `at` reads and writes at an offset, `place` knows about paths and disks; `error` lists why a file is refused.
//!
//! Nothing here knows how values are found. Keys and entries follow from the rules alone, so that whoever checks a table needs
//! no line of the solver.
//!
//! ```
//! use game::{Outcome, Verdict};
//! use table::{About, BlockReader, BlockWriter, Entry, Kind, Shape};
//!
//! let path = std::env::temp_dir().join(format!("table-doc-{}", std::process::id()));
//! let shape = Shape { kind: Kind::Outcomes { nimbers: false }, turn: false, ordered: false, values: false };
//! let text = |text: &str| text.to_string();
//! let about = About { name: text("nim"), rules: text("…"), instance: text("{}"), layout: String::new() };
//! let mut writer = BlockWriter::begin(&path, &about, shape, 2).unwrap();
//! for heap in 0..10_u8 {
//!     let outcome = if heap == 0 { Outcome::Loss } else { Outcome::Win };
//!     writer.push(vec![heap], &Entry::new(Verdict::outcome_in(outcome, Some(heap.min(1).into())))).unwrap();
//! }
//! let written = writer.finish().unwrap();
//!
//! let reader = BlockReader::open(&path).unwrap();
//! assert_eq!((reader.entries(), reader.hash()), (10, written.hash));
//! let entry = reader.get(&[7]).unwrap().unwrap();
//! assert_eq!(entry.verdict.outcome(), Some(Outcome::Win));
//! assert_eq!(reader.get(&[10]).unwrap(), None);
//! # drop(reader);
//! # std::fs::remove_file(&path).unwrap();
//! ```

mod at;
mod block;
mod block_file;
mod entry;
mod error;
mod file;
mod frame;
mod head;
mod keys;
mod merge;
mod packing;
mod parts;
mod pieces;
mod place;
mod reader;
mod shape;
mod snapshot;
mod writer;

pub use block::Block;
pub use entry::Entry;
pub use error::TableError;
pub use file::TableFile;
pub use head::{About, VERSION};
pub use keys::{Key, Keys};
pub use merge::merge;
pub use parts::{Listed, write_list};
pub use pieces::{PieceFile, Pieces};
pub use place::free_space;
pub use reader::BlockReader;
pub use shape::{Kind, Shape};
pub use snapshot::Snapshots;
pub use writer::{BlockWriter, ENTRIES, Written, part_path, predicted};
