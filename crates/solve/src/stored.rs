//! Tables of all positions in a file: laid out, filled, read.
//!
//! What can be stored is the table of an interval game: a row that is open at both ends, whatever its items gain. It may be
//! far larger than the memory, since a band of it needs nothing but one row of numbers of the band below. The file names
//! the rules and the instance, so that nothing else is needed to read it; a run that was stopped goes on when it is
//! started again.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rows::triangle::{self, Gains, Shelf, Unshelved};
use rules::bind::Bound;
use serde_json::{Value, json};
use table::{Pieces, TableFile};

use crate::error::SolveError;
use crate::memory::Lease;
use crate::monitor::Monitor;
use crate::options::Options;
use crate::plan::{Method, Plan};
use crate::properties::Fact;
use crate::row::{self, Chosen, RowGame, TriangleTable};
use crate::solution::instance_json;
use crate::solved::Solved;
use crate::solver::overflow;
use crate::table::Table;

/// What a file says of its table.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// The rules.
    pub source: String,
    /// Where they came from: a path, or a name.
    pub rules: String,
    /// The instance: an object of parameters.
    pub instance: Value,
    /// How positions are laid out in pieces.
    pub layout: String,
}

impl About {
    /// As the text of a file.
    pub fn text(&self) -> String {
        let About { source, rules, instance, layout } = self;
        json!({ "rules": rules, "instance": instance, "layout": layout, "source": source }).to_string()
    }

    /// From the text of a file; `None` if it is something else.
    pub fn read(text: &str) -> Option<About> {
        let mut value: Value = serde_json::from_str(text).ok()?;
        let mut take = |name: &str| value.get_mut(name).map(Value::take);
        let text = |value: Option<Value>| match value {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let (rules, source, layout) = (text(take("rules"))?, text(take("source"))?, text(take("layout"))?);
        let instance = take("instance").filter(Value::is_object)?;
        Some(About { source, rules, instance, layout })
    }
}

/// Why a table is not filled.
#[derive(Debug)]
pub enum Unfilled {
    /// A limit, or the person, stopped it: what is there stays.
    Solve(SolveError),
    /// The file cannot be written or read.
    File(io::Error),
}

/// How the whole table of an instance lies in a file.
pub struct TablePlan<'b> {
    bound: &'b Bound,
    plan: Plan,
    frame: RowGame,
    gains: Gains,
    way: triangle::Plan,
    threads: usize,
}

impl<'b> TablePlan<'b> {
    /// Plans it, within a limit of memory; says why where that cannot be done.
    pub fn new(bound: &'b Bound, options: &Options, memory: u64) -> Result<TablePlan<'b>, SolveError> {
        if options.method.is_some_and(|method| method != Method::Triangle) {
            return Err(SolveError::NotApplicable("a table is stored by the method `triangle` only".to_string()));
        }
        let options = Options { method: Some(Method::Triangle), ..options.clone() };
        let mut plan = Plan::new(bound, options.method)?;
        match row::choose(bound, &bound.start, &options, &mut plan, memory)? {
            Some(Chosen::Triangle(frame, gains, way)) => {
                Ok(TablePlan { bound, plan, frame, gains, way, threads: options.threads() })
            }
            _ => Err(SolveError::NotApplicable("the method `triangle` does not interpret rules".to_string())),
        }
    }

    /// The layout, by which a file of another one is told.
    pub fn layout(&self) -> String {
        let triangle::Plan { lanes, tile, len, .. } = &self.way;
        format!("intervals of {len}, tiles of {tile}, {lanes}")
    }

    /// What the file will say of itself.
    pub fn about(&self, rules: &str, source: &str) -> About {
        let instance = Value::Object(instance_json(self.bound));
        About { source: source.to_string(), rules: rules.to_string(), instance, layout: self.layout() }
    }

    /// The pieces of the file.
    pub fn pieces(&self) -> Pieces {
        let triangle::Pieces { count, bytes } = self.way.pieces();
        Pieces { count, bytes }
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.way.intervals().saturating_add(self.way.len as u64 + 1)
    }

    /// Fills the file, or what is missing of it.
    pub fn fill(&self, file: &TableFile, monitor: &mut Monitor) -> Result<(), Unfilled> {
        let bytes = self.way.filling_bytes(&self.gains, self.threads);
        let _lease = lease(bytes, monitor).map_err(Unfilled::Solve)?;
        let intervals = self.way.intervals();
        monitor.enter_expecting("filling", intervals);
        let mut stopped = None;
        let filled = self.way.fill(&self.gains, &Writing(file), self.threads, |done| {
            let tick = monitor.tick(intervals, done);
            tick.map_err(|error| stopped = Some(error)).is_ok()
        });
        filled.map_err(|unshelved| match (unshelved, stopped) {
            (_, Some(error)) => Unfilled::Solve(error),
            (Unshelved::Shelf(error), None) => Unfilled::File(error),
            (Unshelved::Stopped { .. }, None) => Unfilled::Solve(SolveError::Internal("a table stopped".to_string())),
        })
    }

    /// The table in a file, for any position of the instance. What is wrong with the file shows in the reader when an
    /// answer was got from it.
    pub fn read(self, file: TableFile, monitor: &Monitor) -> Result<(Solved<'b>, Arc<Reader>), SolveError> {
        let lease = lease(self.way.reading_bytes(&self.gains), monitor)?;
        let reader = Arc::new(Reader { file, trouble: Mutex::new(None) });
        let TablePlan { bound, plan, frame, gains, way, threads } = self;
        let unread = || SolveError::NotApplicable(reader.trouble().unwrap_or_else(|| "nothing is there".to_string()));
        let triangle = way.read(&gains, reader.clone()).ok_or_else(unread)?.into_owned();
        let start = bound.start.clone();
        let table = TriangleTable::stored(frame, triangle, &start, threads, lease, monitor).ok_or_else(unread)?;
        table.verdict(&start).ok_or_else(|| overflow(bound, &start))?;
        let constant_total = plan.constant_total.clone();
        let cyclic = Fact::no("every move takes an item");
        let table = Table::Triangle(Box::new(table));
        let positions = table.positions();
        let (class, class_missing, declared) = (None, None, None);
        let solved =
            Solved { bound, plan, start, class, class_missing, cyclic, constant_total, declared, positions, table };
        Ok((solved, reader))
    }
}

/// A file that is being filled.
struct Writing<'f>(&'f TableFile);

impl Shelf for Writing<'_> {
    fn put(&self, piece: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.put(piece, bytes)
    }

    fn get(&self, piece: u64, bytes: &mut [u8]) -> io::Result<bool> {
        self.0.get(piece, bytes)
    }
}

/// A file that is being read, and what was found wrong with it.
pub struct Reader {
    file: TableFile,
    trouble: Mutex<Option<String>>,
}

impl Reader {
    /// What was wrong with the pieces that were read, if anything: answers got from them are not to be told.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Shelf for Reader {
    fn put(&self, _piece: u64, _bytes: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }

    fn get(&self, piece: u64, bytes: &mut [u8]) -> io::Result<bool> {
        let got = self.file.get(piece, bytes);
        let wrong = match &got {
            Ok(true) => return got,
            Ok(false) => format!("piece {piece} of {} is missing or damaged", self.file.pieces().count),
            Err(error) => format!("piece {piece} cannot be read: {error}"),
        };
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(wrong);
        got
    }
}

fn lease(bytes: u64, monitor: &Monitor) -> Result<Lease, SolveError> {
    let mut lease = monitor.memory().lease();
    lease.grow(bytes)?;
    Ok(lease)
}
