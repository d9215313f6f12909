//! Tables of all positions in a file: built, read, checked, exported.
//!
//! ```
//! use std::sync::Arc;
//!
//! use perfectplay::Solver;
//! use perfectplay::language::Rules;
//! use perfectplay::tables::{
//!     self, About, BlockReader, Checked, Entry, Extent, Filling, Keys, Kind, Shape, Snapshots, TableError, TableFile, Trouble, Unfilled,
//!     Written,
//! };
//!
//! let rules = Rules::gallery("tic_tac_toe").unwrap();
//! let game = rules.bind("{}")?;
//! let solver = Solver::new();
//! let (options, monitor) = (solver.options()?, solver.monitor());
//!
//! // A long solve keeps snapshots beside the file, and goes on from them after whatever stopped it.
//! let path = std::env::temp_dir().join(format!("perfectplay-doc-{}", std::process::id()));
//! let about: About = tables::about(&rules, &game, "");
//! let mut monitor = monitor.keeping_in(tables::keeping(&path, &about, std::time::Duration::from_secs(30)));
//! assert!(!Snapshots::beside(&path).is_any());
//!
//! // Fill the file. It names the rules and the instance, so that nothing else is needed to read it.
//! let filling = Filling::new(&game, &options, false, &mut monitor)?;
//! let written: Written = match filling.fill(&path, &about, &mut monitor) {
//!     Ok(written) => written,
//!     Err(Unfilled::Solve(error)) => return Err(error.into()), // A limit: what is there stays.
//!     Err(why) => panic!("{why:?}, and {:?} bytes are free", tables::free_space(&path)),
//! };
//! assert_eq!(written.entries, 5478);
//! assert!(!tables::part_path(&path).exists()); // That is where it lies until it is complete.
//!
//! // Read it, as another program would: any position of the instance can be asked for.
//! let file = TableFile::open(&path).unwrap();
//! let rules = tables::rules(file.about());
//! let game = rules.bind(&file.about().instance)?;
//! let (solved, trouble): (_, Arc<Trouble>) = tables::read(&game, file, &options, &mut monitor)?;
//! let position = perfectplay::moves::after(&game, "place(0)")?.unwrap();
//! assert_eq!(solved.moves(&position)?.len(), 8);
//! assert_eq!(trouble.text(), None); // Nothing of what was read is damaged.
//!
//! // Or entry by entry: a position has a key, and its key an entry.
//! let reader = BlockReader::open(&path).unwrap();
//! let shape: Shape = reader.shape();
//! assert_eq!(shape.kind, Kind::Outcomes { nimbers: false });
//! let key = Keys::new(&game, shape).key(&position).unwrap().unwrap();
//! let entry: Entry = reader.get(&key).unwrap().unwrap();
//! assert_eq!(Some(entry.verdict), solved.verdict(&position));
//!
//! let counts = tables::counts(&reader, |_| Ok::<(), TableError>(())).unwrap();
//! assert_eq!((counts.positions, counts.endless), (5478, 0));
//!
//! // Compare every value with those of the options, by the interpreter.
//! let checked: Checked = tables::check(&TableFile::open(&path).unwrap(), Extent::Whole, &mut monitor).unwrap();
//! assert!(checked.whole && checked.compared == 5478);
//! # drop((solved, reader));
//!
//! // Something else is refused, and so is a table of another version than `VERSION`.
//! std::fs::write(&path, "no table").unwrap();
//! assert!(matches!(TableFile::open(&path), Err(TableError::NotATable)) && tables::VERSION > 1);
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! Rows of coins have a formula for every place, and files that may be far larger than the memory:
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::language::Rules;
//! use perfectplay::tables::{self, PieceFile, Pieces, TableFile, TableLayout};
//!
//! let rules = Rules::gallery("coins").unwrap();
//! let game = rules.bind(r#"{"coins": [5, 3, 7, 10]}"#)?;
//! let solver = Solver::new();
//! let (options, mut monitor) = (solver.options()?, solver.monitor());
//! let layout = TableLayout::new(&game, &options, &mut monitor)?;
//! let path = std::env::temp_dir().join(format!("perfectplay-row-doc-{}", std::process::id()));
//! let pieces: Pieces = layout.pieces();
//! let mut file = PieceFile::create(&path, &tables::about(&rules, &game, &layout.text()), pieces).unwrap();
//! layout.fill(&file, &mut monitor).unwrap(); // `PieceFile::resume` goes on where a run was stopped.
//! file.finish().unwrap();
//! drop(file);
//! let (solved, _) = tables::read(&game, TableFile::open(&path).unwrap(), &options, &mut monitor)?;
//! assert_eq!(solved.verdict(&game.start), Some(perfectplay::answer::Verdict::Score(5)));
//! # drop(solved);
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), perfectplay::Error>(())
//! ```

mod export;

use engine::monitor::Monitor;
use rules::bind::Bound;
use solve::options::Options;
use verify::refusal::Refusal;

#[doc(inline)]
pub use crate::table_counts::{TableCounts, counts};
#[doc(inline)]
pub use export::{Arrays, Csv, JsonLines, LineWriter};
#[doc(inline)]
pub use solve::stored::{Filling, TableLayout, Trouble, Unfilled, keeping, read};
#[doc(inline)]
pub use table::{
    About, BlockReader, Entry, Keys, Kind, PieceFile, Pieces, Shape, Snapshots, TableError, TableFile, VERSION,
    Written, free_space, part_path,
};
#[doc(inline)]
pub use verify::tables::{Checked, Extent};

use crate::source::Rules;

/// What the table of a game will say of itself.
///
/// See [`crate::tables`] for an example.
pub fn about(rules: &Rules, bound: &Bound, layout: &str) -> About {
    About {
        name: rules.name.clone(),
        rules: rules.source.clone(),
        instance: crate::json::instance_text(bound),
        layout: layout.to_string(),
    }
}

/// The rules of a table.
///
/// See [`crate::tables`] for an example.
pub fn rules(about: &About) -> Rules {
    Rules { name: about.name.clone(), source: about.rules.clone() }
}

/// Checks a table within the limits of a monitor: its checksums, and its values against those of the options.
///
/// See [`crate::tables`] for an example. A table of pieces is read as `query` reads it, and compared whole.
pub fn check(file: &TableFile, extent: Extent, monitor: &mut Monitor) -> Result<Checked, Refusal> {
    let scope = solve::stopping::scope(monitor);
    let checked = match file {
        TableFile::Blocks(file) => {
            monitor.enter_expecting("checking", file.entries());
            // Ticks only show how far it is: the scope stops the check.
            verify::tables::check(file, extent, &mut |done, all| drop(monitor.tick(all, done)))
        }
        TableFile::Pieces(file) => pieces(file, monitor),
    };
    match (checked, scope.stopped()) {
        (Err(refusal @ Refusal::Stopped(_)), _) => Err(refusal),
        (_, Some(why)) => Err(Refusal::Stopped(why)),
        (checked, None) => checked,
    }
}

/// Checks a table of pieces. It is opened once more, by who answers from it.
fn pieces(file: &PieceFile, monitor: &mut Monitor) -> Result<Checked, Refusal> {
    file.check(|_| Ok::<(), Refusal>(rules::stop::look()?))?;
    let bound = verify::tables::game(file.about())?;
    let again = file.reopened().map_err(Refusal::from)?;
    let read = read(&bound, TableFile::Pieces(again), &Options::default(), monitor);
    let (solved, trouble) = read.map_err(|error| Refusal::wrong(error.to_string()))?;
    monitor.enter("checking");
    let answer = Box::new(|position: &rules::bind::Position| {
        let verdict = solved.verdict(position);
        match trouble.text() {
            Some(why) => Err(Refusal::wrong(why)),
            None => Ok(verdict),
        }
    });
    let with_turn = solved.plan.facts().with_turn;
    let mut known = verify::tables::Known::scores(&bound, with_turn, answer);
    verify::tables::whole(&mut known, &mut |done, all| drop(monitor.tick(all, done)))
}
