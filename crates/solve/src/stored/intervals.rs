//! Tables of interval games: a row that is open at both ends, whatever its items gain.
//!
//! Such a table may be far larger than the memory, since a band of it needs nothing but one row of numbers of the band below. It is
//! a file of pieces, in which each piece is a tile of the triangle of all intervals; a run that was stopped goes on when it is
//! started again.

use std::io;
use std::sync::Arc;

use engine::memory::Lease;
use engine::monitor::Monitor;
use rows::taking;
use rows::triangle::{self, Shelf, Unshelved};
use rules::bind::Bound;
use table::{PieceFile, Pieces};

use crate::chooser::Chooser;
use crate::error::SolveError;
use crate::methods::{self, Ability, Intervals};
use crate::options::Options;
use crate::plan::Plan;
use crate::solved::Solved;

use super::trouble::{Trouble, Unfilled};

/// How the whole table of an instance lies in a file.
pub struct TableLayout<'b> {
    plan: Plan<'b>,
    intervals: Intervals,
}

impl<'b> TableLayout<'b> {
    /// Asks the chooser for a plan whose table can be stored, within the limits of a monitor; says why where there is none.
    pub fn new(bound: &'b Bound, options: &Options, monitor: &mut Monitor) -> Result<TableLayout<'b>, SolveError> {
        let able = methods::able(Ability::StoredTable);
        if options.method.is_some_and(|method| !methods::can(method, Ability::StoredTable)) {
            let names: Vec<String> = able.iter().map(|method| format!("`{}`", method.name())).collect();
            let why = format!("a table is stored by the method {} only", names.join(" or "));
            return Err(SolveError::NotApplicable(why));
        }
        // Nothing is better than the method that has the table, whatever it takes.
        let method = options.method.or_else(|| able.first().map(|method| method.name()));
        let options = Options { method, ..options.clone() };
        let plan = Chooser::new(&able, bound, &bound.start, &options, monitor)?.plan(monitor)?;
        let intervals = plan.intervals().ok_or_else(|| SolveError::internal("a plan has no table to store"))?;
        let beside = intervals.game.beside(0).0.unsigned_abs();
        if intervals.gains.reach().saturating_add(beside) > i64::MAX as u128 {
            fits(bound, &intervals, monitor)?;
        }
        Ok(TableLayout { plan, intervals })
    }

    /// The layout in words. Files with another layout are refused.
    pub fn text(&self) -> String {
        let triangle::Plan { lanes, tile, len, .. } = &self.intervals.way;
        format!("intervals of {len}, tiles of {tile}, {lanes}")
    }

    /// The pieces of the file.
    pub fn pieces(&self) -> Pieces {
        let triangle::Pieces { count, bytes } = self.intervals.way.pieces();
        Pieces { count, bytes }
    }

    /// About how many bytes the file has.
    pub fn bytes(&self) -> u64 {
        let Pieces { count, bytes } = self.pieces();
        (bytes as u64 + 8).saturating_mul(count)
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        let way = &self.intervals.way;
        way.intervals().saturating_add(way.len as u64 + 1)
    }

    /// Fills the file, or what is missing of it.
    pub fn fill(&self, file: &PieceFile, monitor: &mut Monitor) -> Result<(), Unfilled> {
        let Intervals { gains, way, threads, .. } = &self.intervals;
        let bytes = way.filling_bytes(gains, *threads);
        let _lease = lease(bytes, monitor).map_err(Unfilled::Solve)?;
        let intervals = way.intervals();
        monitor.enter_expecting("filling", intervals);
        let mut stopped = None;
        let filled = way.fill(gains, &Writing(file), *threads, |done| {
            let tick = monitor.tick(intervals, done);
            tick.map_err(|error| stopped = Some(error.into())).is_ok()
        });
        filled.map_err(|unshelved| match (unshelved, stopped) {
            (_, Some(error)) => Unfilled::Solve(error),
            (Unshelved::Shelf(error), None) => Unfilled::File(error),
            (Unshelved::Stopped { .. }, None) => Unfilled::Solve(SolveError::internal("a table stopped")),
        })
    }

    /// The table in a file, for any position of the instance. What is wrong with the file shows when an answer was got
    /// from it.
    pub fn read(self, file: PieceFile, monitor: &Monitor) -> Result<(Solved<'b>, Arc<Trouble>), SolveError> {
        let TableLayout { plan, intervals } = self;
        let Intervals { gains, way, .. } = &intervals;
        let lease = lease(way.reading_bytes(gains), monitor)?;
        let trouble = Arc::new(Trouble::default());
        let reading = Arc::new(Reading { file, trouble: Arc::clone(&trouble) });
        let unread = || SolveError::NotApplicable(trouble.text().unwrap_or_else(|| "nothing is there".to_string()));
        let triangle = way.read(gains, reading).ok_or_else(unread)?.into_owned();
        let (bound, start) = (plan.bound(), plan.bound().start.clone());
        let found = intervals.stored(triangle, &start, lease, monitor).ok_or_else(unread)?;
        found.answers.verdict(&start).ok_or_else(|| SolveError::overflow(bound, &start))?;
        Ok((Solved::new(plan, start, found), trouble))
    }
}

/// Sees to it that the value of the start fits in 64 bits, before a table is filled for it: by the theorem of rows where that
/// applies, else with as little memory as its intervals take.
fn fits(bound: &Bound, intervals: &Intervals, monitor: &mut Monitor) -> Result<(), SolveError> {
    let Intervals { game: row, gains, threads, .. } = intervals;
    let lists = (0..row.lists.len()).map(|list| row.rest(list, (0, 0))).collect::<Option<Vec<_>>>();
    let mut stopped = None;
    let value = match lists.filter(|lists| lists.iter().map(|list| list.items.len()).sum::<usize>() == gains.len()) {
        Some(lists) => taking::sum_value(&lists, &mut || {
            let tick = monitor.tick(gains.len() as u64, 0);
            tick.map_err(|error| stopped = Some(error.into())).is_ok()
        })
        .ok(),
        None => {
            let way = intervals.way_to_value(monitor.memory().free())?;
            let _lease = lease(way.bytes, monitor)?;
            monitor.enter_expecting("valuing", way.intervals());
            let run = way.run(gains, *threads, |done| {
                let tick = monitor.tick(way.intervals(), done);
                tick.map_err(|error| stopped = Some(error.into())).is_ok()
            });
            run.ok().map(|triangle| triangle.value())
        }
    };
    let value = value.ok_or_else(|| stopped.unwrap_or(SolveError::internal("a row stopped")))?;
    match i64::try_from(value + row.beside(0).0) {
        Ok(_) => Ok(()),
        Err(_) => Err(SolveError::overflow(bound, &bound.start)),
    }
}

/// A file that is being filled.
struct Writing<'f>(&'f PieceFile);

impl Shelf for Writing<'_> {
    fn put(&self, piece: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.put(piece, bytes)
    }

    fn get(&self, piece: u64, bytes: &mut [u8]) -> io::Result<bool> {
        self.0.get(piece, bytes)
    }
}

/// A file that is being read.
struct Reading {
    file: PieceFile,
    trouble: Arc<Trouble>,
}

impl Shelf for Reading {
    fn put(&self, _piece: u64, _bytes: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }

    fn get(&self, piece: u64, bytes: &mut [u8]) -> io::Result<bool> {
        let got = self.file.get(piece, bytes);
        self.trouble.tell(match &got {
            Ok(true) => return got,
            Ok(false) => format!("piece {piece} of {} is missing or damaged", self.file.pieces().count),
            Err(error) => format!("piece {piece} cannot be read: {error}"),
        });
        got
    }
}

fn lease(bytes: u64, monitor: &Monitor) -> Result<Lease, SolveError> {
    let mut lease = monitor.memory().lease();
    lease.grow(bytes)?;
    Ok(lease)
}
