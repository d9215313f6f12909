//! Tables of all positions, opened as arrays.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use perfectplay::SolveError;
use perfectplay::answer::Verdict;
use perfectplay::language::Bound as Ready;
use perfectplay::solving::Monitor;
use perfectplay::tables::{self, Arrays, BlockReader, Keys, LineWriter, TableError, TableFile};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::game::Game;
use crate::limits::Asked;
use crate::{errors, given, run};

/// A table file that `perfectplay build` has written.
#[pyclass(frozen, module = "perfectplay", subclass)]
pub struct TableReader {
    path: PathBuf,
    bound: Arc<Ready>,
    rules: perfectplay::language::Rules,
    entries: u64,
}

/// Why there are no arrays.
enum Unread {
    Table(TableError),
    Solve(SolveError),
    Written(io::Error),
}

#[pymethods]
impl TableReader {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<TableReader> {
        let unread = |error: TableError| errors::table(&format!("{}: {error}", path.display()));
        let (file, stop) = (TableFile::open(&path).map_err(unread)?, Asked::default());
        let TableFile::Blocks(reader) = &file else {
            let message = format!("{} holds intervals of a row, which are not opened as arrays", path.display());
            return Err(errors::table(&message));
        };
        let (rules, instance) = (tables::rules(file.about()), file.about().instance.clone());
        let entries = reader.entries();
        let (_, stop) = stop.solver()?;
        let known = rules.clone();
        let bound = run::run(py, &stop, move || known.bind(&instance))?.map_err(|error| errors::any(&error))?;
        Ok(TableReader { path, bound: Arc::new(bound), rules, entries })
    }

    /// The game's name.
    #[getter]
    fn name(&self) -> &str {
        &self.bound.program.name
    }

    /// The text of the rules.
    #[getter]
    fn rules(&self) -> &str {
        &self.rules.source
    }

    /// The instance.
    #[getter]
    fn instance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        given::dictionary(py, &perfectplay::answer::Understood::new(&self.bound))
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.entries).unwrap_or(usize::MAX)
    }

    /// What the table says of the position where a game stands: `None` where it has no entry.
    fn entry<'py>(&self, py: Python<'py>, game: &Bound<'py, Game>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let position = game.get().stands.bound.start.clone();
        let unread = |error: TableError| errors::table(&format!("{}: {error}", self.path.display()));
        let reader = BlockReader::open(&self.path).map_err(unread)?;
        let keys = Keys::new(&self.bound, reader.shape());
        let key = keys.key(&position).map_err(|fault| errors::solving(fault.into(), &self.rules))?;
        let Some(key) = key else { return Ok(None) };
        let Some(entry) = reader.get(&key).map_err(unread)? else { return Ok(None) };
        let fields = PyDict::new(py);
        if let Some(outcome) = entry.verdict.outcome() {
            fields.set_item("outcome", outcome.to_string())?;
            fields.set_item("remoteness", entry.verdict.remoteness())?;
        }
        if let Some(nimber) = entry.verdict.nimber() {
            fields.set_item("nimber", nimber)?;
        }
        match &entry.verdict {
            Verdict::Score(score) => fields.set_item("value", score)?,
            Verdict::Payoffs { totals, .. } => fields.set_item("payoffs", totals.to_vec())?,
            _ => {}
        }
        Ok(Some(fields))
    }

    /// Writes the entries as files of NumPy into a folder.
    #[pyo3(signature = (folder, *, time=None))]
    fn write_arrays(&self, py: Python<'_>, folder: PathBuf, time: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let (solver, stop) = Asked { time, ..Asked::default() }.solver()?;
        let (path, bound, target) = (self.path.clone(), Arc::clone(&self.bound), folder.clone());
        let written = run::run(py, &stop, move || write(&path, &bound, &target, &mut solver.monitor()))?;
        written.map_err(|error| match error {
            Unread::Table(error) => errors::table(&format!("{}: {error}", self.path.display())),
            Unread::Solve(error) => errors::solving(error, &self.rules),
            Unread::Written(error) => errors::table(&format!("{} cannot be written: {error}", folder.display())),
        })
    }
}

fn write(path: &Path, bound: &Ready, folder: &Path, monitor: &mut Monitor) -> Result<(), Unread> {
    let file = BlockReader::open(path).map_err(Unread::Table)?;
    let keys = Keys::new(bound, file.shape());
    let mut arrays = Arrays::create(bound, file.shape(), folder).map_err(Unread::Written)?;
    monitor.enter_expecting("exporting", file.entries());
    let mut done = 0;
    for number in 0..file.blocks() {
        let block = file.block(number).map_err(Unread::Table)?;
        for place in 0..block.len() {
            let wrong = || TableError::Damaged("a key is that of no position".to_string());
            let position = keys.position(&block.key(place)).ok_or_else(wrong).map_err(Unread::Table)?;
            let entry = file.entry(&block, place).map_err(Unread::Table)?;
            arrays.entry(&position, &entry).map_err(Unread::Written)?;
        }
        done += block.len() as u64;
        monitor.tick(file.entries(), done).map_err(|error| Unread::Solve(error.into()))?;
    }
    arrays.finish().map_err(Unread::Written)
}
